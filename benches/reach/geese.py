"""GeeseSpotter: dealing, counting, chances, play."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

import gridwright as gw
import numpy as np
from gridwright import geese

from .common import Row, best, missing, paired, peer, script, span, speed, times, within

EXPERT = (16, 30, 99)


def rows() -> Iterator[Row]:
    """The rows of ``spec/geese``."""
    others = script("geese")
    ms, n = peer("ms_toollib"), 5000
    out = np.zeros((n, *EXPERT[:2]), dtype=np.uint8)

    def deal() -> None:
        geese.boards(n, *EXPERT, safe=None, seed=1, threads=1, out=out)

    what = "lay, count and hide 16x30 with 99 geese"
    if ms:
        ours, theirs = paired(deal, lambda: [ms.laymine(*EXPERT, 0, 0) for _ in range(200)])
        yield times(what, ">= 20x ms_toollib", 20, ours / n, theirs / 200, "ms_toollib")
    else:
        ours = best(deal)
        yield missing(what, ">= 20x ms_toollib", "ms_toollib")
    yield speed(what, ">= 1M boards/s a core", 1e6, n, ours, "boards")
    board = geese.create_board(1000, 1000)
    geese.spread_geese(board, 200_000, 1)
    sums = others.Separable(board.shape)
    ours, theirs = paired(lambda: geese.compute_neighbours(board), lambda: sums(board), rounds=61)
    what = "compute_neighbours on 1000x1000 in place"
    yield within(what, "<= 0.12 ms", 0.12e-3, ours)
    yield times(what, ">= 2.5x numpy's separable sums", 2.5, ours, theirs, "numpy")
    games = others.positions(200)
    own = []
    for game in games:
        start = time.process_time()
        game.probabilities()
        own.append(time.process_time() - start)
    own.sort()
    middle, tail = own[len(own) // 2], own[int(len(own) * 0.99)]
    yield Row(
        "exact chances, 200 expert positions",
        "median <= 35 us, p99 <= 100 us",
        f"median {span(middle)}, p99 {span(tail)}",
        "",
        f"{35e-6 / middle:.2f} of it",
        middle <= 35e-6 and tail <= 100e-6,
    )
    if ms:
        spent, worst = [], 0.0
        for game in games[:100]:
            view = np.where(game.hidden, 10, game.board).tolist()
            start = time.process_time()
            found, _ = ms.cal_probability_onboard(view, 99)
            spent.append(time.process_time() - start)
            worst = max(worst, float(np.abs(np.array(found) - game.probabilities()).max()))
        theirs = statistics.median(spent)
        yield times("exact chances, median", ">= 15x ms_toollib", 15, middle, theirs, "ms_toollib")
        yield Row("exact chances, largest difference", "<= 1e-12", f"{worst:.1e}", "ms_toollib", "", worst <= 1e-12)
    made = best(lambda: [gw.GeeseSpotter.generate(*EXPERT, safe=(0, 0), no_guess=True, seed=s) for s in range(30)], 3)
    beside = ""
    if ms:
        them = best(lambda: [ms.laymine_solvable(*EXPERT, 0, 0, 1_000_000) for _ in range(20)], 3) / 20
        beside = f"ms_toollib {span(them)}"
    yield within("no-guess expert boards, mean", "<= 3 ms", 3e-3, made / 30, beside)
    for (height, width, count), least, unit in (
        (EXPERT, 4e6, ">= 4M/s a core"),
        ((10, 10, 10), 15e6, ">= 15M/s a core"),
    ):
        many = 1024
        pool = [gw.GeeseSpotter.generate(height, width, count, seed=seed) for seed in range(many)]
        batch = gw.Batch(pool, many, 1, threads=1)
        rng = np.random.default_rng(1)
        actions = np.stack(
            [np.zeros((60, many)), rng.integers(height, size=(60, many)), rng.integers(width, size=(60, many))], axis=-1
        ).astype(np.int64)

        def show(batch: gw.Batch = batch, actions: np.ndarray = actions) -> None:
            for action in actions:
                batch.step(action)

        yield speed(
            f"batched shows with board and mask, {height}x{width}, batch of {many}",
            unit,
            least,
            60 * many,
            best(show, 5),
            "shows",
        )
    played = 1500
    for name, first, start, least in (
        ("safe corner start", (0, 0), "safe", 40.5),
        ("zero at (3, 3)", (3, 3), "zero", 53.9),
        ("first show unsafe", (0, 0), "any", 32.0),
    ):
        begun = time.process_time()
        won = geese.play_many(played, *EXPERT, first=first, start=start, policy="lookahead", seed=2026, threads=1)
        spent_s = time.process_time() - begun
        mean, error = 100 * won.mean(), 100 * won.std() / played**0.5
        yield Row(
            f"win rate, expert, {name}, {played} boards here (10,000 by benches/python/geese.py)",
            f">= {least} %, >= 700 games/s a core",
            f"{mean:.1f} +- {error:.1f} %, {played / spent_s:.0f} games/s",
            "",
            f"{mean / least:.2f} of it",
            bool(mean >= least and played / spent_s >= 700),
        )
