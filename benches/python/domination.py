"""Measures lines and games per second, compared with scikit-image, OpenCV and numba if installed (extra ``bench``).

Run with ``python benches/python/domination.py``. The rates are computed from median times. Rates marked ``(cpu)`` are
per second of this process's processor time, which leaves out the time of other processes. Rates marked ``(clock)`` are
per second of wall-clock time. Compare ratios within one run only.
"""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable
from typing import Any

import gridwright as gw
import numpy as np
from gridwright import tracing

SIZE, LINES = 1000, 100_000


def measure(work: Callable[[], object], repeats: int = 5) -> tuple[float, float]:
    """Returns wall-clock and processor time of ``work`` in seconds: medians of ``repeats`` runs after a warm-up run."""
    work()
    clock, processor = [], []
    for _ in range(repeats):
        start, cpu = time.perf_counter(), time.process_time()
        work()
        clock.append(time.perf_counter() - start)
        processor.append(time.process_time() - cpu)
    return sorted(clock)[repeats // 2], sorted(processor)[repeats // 2]


def row(what: str, count: float, unit: str, work: Callable[[], object], repeats: int = 5) -> float:
    """Measures ``work`` and prints the rates; returns ``count`` per second of processor time."""
    clock, cpu = measure(work, repeats)
    cpu = max(cpu, 1e-9)
    print(f"{what:58} {count / cpu / 1e6:9.3f} M {unit}/s (cpu) {count / clock / 1e6:9.3f} (clock)", flush=True)
    return count / cpu


def peer(name: str) -> Any:
    """Imports a library to compare with; if the library is not installed, prints a notice and returns ``None``."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name}: not installed")
        return None


def numba_kernel(numba: Any) -> Callable[..., None]:
    """Returns a numba kernel that paints segments by exact traversal in integers, as users of numba would write it."""

    @numba.njit(cache=False)
    def kernel(board: Any, segments: Any, values: Any) -> None:
        for i in range(segments.shape[0]):
            row, col = segments[i, 0], segments[i, 1]
            rows, cols = abs(segments[i, 2] - row), abs(segments[i, 3] - col)
            row_step = 1 if segments[i, 2] > row else -1
            col_step = 1 if segments[i, 3] > col else -1
            # If the error is negative, the next border that the line crosses is between rows; if it is positive, the
            # next border is between columns.
            error = cols - rows
            value = values[i]
            board[row, col] = value
            left = rows + cols
            while left > 0:
                if error < 0:
                    row += row_step
                    error += 2 * cols
                    left -= 1
                elif error > 0:
                    col += col_step
                    error -= 2 * rows
                    left -= 1
                else:
                    row += row_step
                    col += col_step
                    error += 2 * cols - 2 * rows
                    left -= 2
                board[row, col] = value

    return kernel


def main() -> None:
    """Runs all measurements."""
    print(f"processors: {os.cpu_count()}, load {os.getloadavg()[0]:.1f}")
    rng = np.random.default_rng(1)
    segments = rng.integers(0, SIZE, (LINES, 4), dtype=np.int32)
    values = rng.integers(1, 256, LINES).astype(np.uint8)
    board = np.zeros((SIZE, SIZE), dtype=np.uint8)

    print(f"\npaint {LINES} random segments on {SIZE} x {SIZE} uint8")
    ours = row("gridwright, 1 thread", LINES, "lines", lambda: tracing.paint(board, segments, values, threads=1))
    once, _ = measure(lambda: tracing.paint(board, segments, values, threads=1))
    twice, _ = measure(lambda: tracing.paint(board, segments, values, threads=2))
    print(f"gridwright, 2 threads: {once / twice:.2f} times as fast in wall-clock time")
    exact = board.copy()
    peers = {}
    numba = peer("numba")
    if numba:
        kernel = numba_kernel(numba)
        peers["numba, exact"] = row("numba, exact", LINES, "lines", lambda: kernel(board, segments, values))
        assert (board == exact).all()
    draw, some = peer("skimage.draw"), 5000
    if draw:

        def skimage_loop() -> None:
            for (a, b, c, d), value in zip(segments[:some].tolist(), values[:some].tolist(), strict=True):
                board[draw.line(a, b, c, d)] = value

        peers["skimage.draw.line"] = row("skimage.draw.line, in a loop", some, "lines", skimage_loop, 3)
    cv2 = peer("cv2")
    if cv2:
        cv2.setNumThreads(1)

        def cv2_loop() -> None:
            for (a, b, c, d), value in zip(segments.tolist(), values.tolist(), strict=True):
                cv2.line(board, (b, a), (d, c), value)

        points = segments[:, [1, 0, 3, 2]].reshape(-1, 2, 2)
        peers["cv2.line"] = row("cv2.line, in a loop", LINES, "lines", cv2_loop, 3)
        one = row("cv2.polylines, one value for all", LINES, "lines", lambda: cv2.polylines(board, points, False, 7), 3)
        peers["cv2.polylines"] = one
    for name, speed in peers.items():
        print(f"  gridwright, 1 thread, is {ours / speed:.2f} times as fast as {name}")

    print("\ncells")
    row("cell_count, closed form", LINES, "segments", lambda: tracing.cell_count(segments))
    few = segments[:15_000]
    out = np.empty((int(tracing.cell_count(few).sum()), 2), dtype=np.int32)
    row("trace_many into out=", len(out), "cells", lambda: tracing.trace_many(few, out=out))
    row("trace_many into fresh memory", len(out), "cells", lambda: tracing.trace_many(few))
    row("coverage, 1 thread", LINES, "lines", lambda: tracing.coverage((SIZE, SIZE), segments, threads=1))

    print("\nLinear Domination")
    game = gw.LinearDomination.empty(8, 3)
    row(
        "random games N = 8, K = 3, 20 plays, 1 thread",
        5e5,
        "games",
        lambda: game.random_games(500_000, threads=1, seed=1),
    )
    opened = gw.LinearDomination.generate(8, 3, 5, seed=1)
    many = range(2000)
    row("legal_mask of 8 x 8, 4,096 plays", 2000, "masks", lambda: [opened.legal_mask() for _ in many])
    long = gw.LinearDomination.empty(1000, 10_000)
    for a, b, c, d in segments[:10_000].tolist():
        long.draw((a, b), (c, d))
    plays = segments[10_000:40_000].tolist()
    row("is_legal, N = 1000, K = 10,000", len(plays), "plays", lambda: [long.is_legal(*play) for play in plays])
    for size in (4, 8):
        for mask in (True, False):
            row(
                f"batch of 4096, {size} x {size}, steps{' with mask' if mask else ''}",
                4096 * 21,
                "steps",
                episode(size, mask),
            )


def episode(size: int, mask: bool) -> Callable[[], None]:
    """Returns a function that makes 20 plays, sampled in advance, and then the step that starts the next episode."""
    batch = gw.LinearDomination.empty(size, 3).batch(4096, seed=1, max_steps=20, threads=1, mask=mask)
    actions = []
    for _ in range(21):
        actions.append(batch.sample_legal())
        batch.step(actions[-1])

    def run() -> None:
        for action in actions:
            batch.step(action)

    return run


if __name__ == "__main__":
    main()
