"""Linear Domination and line tracing."""

from __future__ import annotations

import os
from collections.abc import Iterator

import gridwright as gw
import numpy as np
from gridwright import tracing

from .common import Row, best, missing, paired, peer, script, speed, times

SIZE, LINES = 1000, 100_000


def rows() -> Iterator[Row]:
    """The rows of ``spec/domination``."""
    plain = script("domination")
    rng = np.random.default_rng(1)
    segments = rng.integers(0, SIZE, (LINES, 4), dtype=np.int32)
    values = rng.integers(1, 256, LINES).astype(np.uint8)
    board = np.zeros((SIZE, SIZE), dtype=np.uint8)

    def paint() -> None:
        tracing.paint(board, segments, values, threads=1)

    what = "paint 100,000 segments on 1000x1000"
    numba, draw, cv2 = peer("numba"), peer("skimage.draw"), peer("cv2")
    if numba:
        kernel = plain.numba_kernel(numba)
        ours, theirs = paired(paint, lambda: kernel(board, segments, values), rounds=5)
        yield times(what, ">= 1.0x an exact numba kernel", 1, ours, theirs, "numba")
    some = 3000
    if draw:

        def skimage_loop() -> None:
            for (a, b, c, d), value in zip(segments[:some].tolist(), values[:some].tolist(), strict=True):
                board[draw.line(a, b, c, d)] = value

        ours, theirs = paired(paint, skimage_loop, rounds=3)
        yield times(what, ">= 20x a skimage.draw.line loop", 20, ours / LINES, theirs / some, "skimage, a line:")
    else:
        yield missing(what, ">= 20x a skimage.draw.line loop", "scikit-image")
    if cv2:
        cv2.setNumThreads(1)
        points = segments[:, [1, 0, 3, 2]].reshape(-1, 2, 2)

        def cv2_loop() -> None:
            for (a, b, c, d), value in zip(segments.tolist(), values.tolist(), strict=True):
                cv2.line(board, (b, a), (d, c), value)

        ours, theirs, poly = paired(paint, cv2_loop, lambda: cv2.polylines(board, points, False, 7), rounds=3)
        yield times(what, ">= 5x a cv2.line loop", 5, ours, theirs, "cv2.line")
        yield times(what, ">= 2.5x cv2.polylines", 2.5, ours, poly, "cv2.polylines")
    works = (paint, lambda: tracing.paint(board, segments, values, threads=2))
    (once, twice), (alone, both) = paired(*works, rounds=9, wall=True), paired(*works, rounds=9)
    load = os.getloadavg()[0]
    yield Row(
        f"{what}, two threads (load {load:.1f} of the machine)",
        ">= 1.8x one thread",
        f"{once / twice:.2f} times by the clock",
        "",
        f"{2 * alone / both:.2f} times were both cores free, by the work of both",
        once / twice >= 1.8,
    )
    yield speed(
        "cell counts by closed form",
        ">= 25M segments/s",
        25e6,
        LINES,
        best(lambda: tracing.cell_count(segments)),
        "segments",
    )
    few = segments[:15_000]
    out = np.empty((int(tracing.cell_count(few).sum()), 2), dtype=np.int32)
    yield speed(
        "cell lists into out=",
        ">= 0.9 G cells/s",
        0.9e9,
        len(out),
        best(lambda: tracing.trace_many(few, out=out)),
        "cells",
    )
    opened = gw.LinearDomination.generate(8, 3, 5, seed=1)
    spent = best(lambda: [opened.legal_mask() for _ in range(2000)])
    yield speed(
        "all legal plays of an 8x8 position, as a numpy mask",
        ">= 10M masks/s a thread (bits)",
        1e7,
        2000,
        spent,
        "masks",
    )
    game = gw.LinearDomination.empty(8, 3)
    spent = best(lambda: game.random_games(200_000, threads=1, seed=1), 5)
    yield speed("random games N = 8, K = 3, 20 plies", ">= 3M games/s a thread", 3e6, 200_000, spent, "games")
    long = gw.LinearDomination.empty(1000, 10_000)
    for a, b, c, d in segments[:10_000].tolist():
        long.draw((a, b), (c, d))
    plays = segments[10_000:30_000].tolist()
    spent = best(lambda: [long.is_legal(*play) for play in plays])
    yield speed("legality of one play, N = 1000, K = 10,000", ">= 0.7M plays/s", 0.7e6, len(plays), spent, "plays")
