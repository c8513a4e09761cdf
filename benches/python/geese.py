"""Compares GeeseSpotter in Python with its peers, in one process: ``python benches/python/geese.py [GAMES]``.

``GAMES`` is the number of games per policy and kind of start, 10,000 by default. The rows of a peer that is not
installed (``pip install ms_toollib scipy``) are left out. All work runs on one thread. Times are processor times, which
other processes hardly affect.
"""

from __future__ import annotations

import importlib
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import gridwright as gw
import numpy as np
from gridwright import geese

EXPERT = (16, 30, 99)


def peer(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed: its rows are left out")
        return None


def seconds(work: Callable[[], object], rounds: int) -> float:
    """Returns the median processor time of a call, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def dealing(ms: Any) -> None:
    n = 5000
    out = np.zeros((n, *EXPERT[:2]), dtype=np.uint8)
    ours = seconds(lambda: geese.boards(n, *EXPERT, safe=None, seed=1, threads=1, out=out), 9) / n
    print(f"new boards of 16x30, 99 geese, one core: {1e-6 / ours:.2f} M boards/s")
    if ms:
        theirs = seconds(lambda: [ms.laymine(*EXPERT, 0, 0) for _ in range(200)], 7) / 200
        print(f"  ms_toollib.laymine: {1e-3 / theirs:.1f} k boards/s, {theirs / ours:.0f} times as slow")


class Separable:
    """Counts neighbors in numpy without allocating memory: by sums along rows, then along columns."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.goose, self.rows, self.sums = (np.zeros(shape, dtype=np.uint8) for _ in range(3))

    def __call__(self, board: np.ndarray) -> np.ndarray:
        goose, rows, sums = self.goose, self.rows, self.sums
        np.equal(board, 9, out=goose.view(np.bool_))
        np.copyto(rows, goose)
        np.add(rows[:, 1:], goose[:, :-1], out=rows[:, 1:])
        np.add(rows[:, :-1], goose[:, 1:], out=rows[:, :-1])
        np.copyto(sums, rows)
        np.add(sums[1:], rows[:-1], out=sums[1:])
        np.add(sums[:-1], rows[1:], out=sums[:-1])
        np.multiply(goose, 9, out=rows)
        np.maximum(sums, rows, out=sums)
        return sums


def counting(ndimage: Any) -> None:
    board = geese.create_board(1000, 1000)
    geese.spread_geese(board, 200_000, 1)
    separable = Separable(board.shape)
    expected = separable(board).copy()
    ours = seconds(lambda: geese.compute_neighbours(board), 60)
    assert (board == expected).all()
    print(f"compute_neighbours, 1000 x 1000 in place: {ours * 1e3:.3f} ms")
    theirs = seconds(lambda: separable(board), 30)
    print(f"  numpy, separable sums: {theirs * 1e3:.3f} ms, {theirs / ours:.1f} times as slow")
    if ndimage:
        kernel = np.ones((3, 3), dtype=np.uint8)
        theirs = seconds(lambda: ndimage.convolve((board == 9).astype(np.uint8), kernel, mode="constant"), 7)
        print(f"  scipy.ndimage.convolve: {theirs * 1e3:.2f} ms, {theirs / ours:.0f} times as slow")


def positions(count: int) -> list[gw.GeeseSpotter]:
    """Returns expert positions in which a player must guess."""
    found: list[gw.GeeseSpotter] = []
    seed = 0
    while len(found) < count:
        seed += 1
        game = gw.GeeseSpotter.generate(*EXPERT, safe=(0, 0), seed=seed)
        game.show((0, 0))
        while game.status == gw.Status.OPEN and len(found) < count:
            game.play_on(policy="progress", guess=False)
            if game.status != gw.Status.OPEN:
                break
            found.append(game.copy())
            game.show(game.hint(policy="progress"))
    return found


def chances(ms: Any) -> None:
    games = positions(300)
    ours = []
    for game in games:
        start = time.process_time()
        game.probabilities()
        ours.append(time.process_time() - start)
    p99 = sorted(ours)[int(len(ours) * 0.99)]
    print(f"exact chances, 300 expert positions: median {statistics.median(ours) * 1e6:.1f} us, p99 {p99 * 1e6:.1f} us")
    if ms:
        theirs, worst = [], 0.0
        for game in games:
            view = np.where(game.hidden, 10, game.board).tolist()
            start = time.process_time()
            found, _ = ms.cal_probability_onboard(view, 99)
            theirs.append(time.process_time() - start)
            worst = max(worst, float(np.abs(np.array(found) - game.probabilities()).max()))
        ratio = statistics.median(theirs) / statistics.median(ours)
        median = statistics.median(theirs)
        print(f"  ms_toollib.cal_probability_onboard: median {median * 1e6:.0f} us, {ratio:.0f} times as slow")
        print(f"  largest difference in any chance: {worst:.1e}")


def no_guess(ms: Any) -> None:
    n = 60
    start = time.process_time()
    made = [gw.GeeseSpotter.generate(*EXPERT, safe=(0, 0), no_guess=True, seed=seed) for seed in range(n)]
    ours = (time.process_time() - start) / n
    start = time.process_time()
    assert all(game.needs_no_guess((0, 0)) for game in made)
    again = (time.process_time() - start) / n
    print(f"expert boards without guesses: mean {ours * 1e3:.2f} ms, checked again in {again * 1e3:.3f} ms")
    if ms:
        start = time.process_time()
        for _ in range(n):
            ms.laymine_solvable(*EXPERT, 0, 0, 1_000_000)
        theirs = (time.process_time() - start) / n
        print(f"  ms_toollib.laymine_solvable: mean {theirs * 1e3:.1f} ms, {theirs / ours:.1f} times as slow")


def shows() -> None:
    for height, width, count in [EXPERT, (10, 10, 10)]:
        n = 4096
        pool = [gw.GeeseSpotter.generate(height, width, count, seed=seed) for seed in range(n)]
        batch = gw.Batch(pool, n, 1, threads=1)
        rng = np.random.default_rng(1)
        steps = 60
        actions = np.stack(
            [np.zeros((steps, n)), rng.integers(height, size=(steps, n)), rng.integers(width, size=(steps, n))], axis=-1
        ).astype(np.int64)
        start = time.process_time()
        for action in actions:
            batch.step(action)
        spent = time.process_time() - start
        print(f"batched shows with board and mask, {height} x {width}, one core: {steps * n / spent / 1e6:.2f} M/s")


def win_rates(games: int) -> None:
    for what, first, start in [
        ("safe corner", (0, 0), "safe"),
        ("zero at (3, 3)", (3, 3), "zero"),
        ("any", (0, 0), "any"),
    ]:
        for policy in ("safest", "progress", "lookahead"):
            begun = time.process_time()
            won = geese.play_many(games, *EXPERT, first=first, start=start, policy=policy, seed=2026, threads=1)
            spent = time.process_time() - begun
            error = 2 * won.std() / games**0.5
            rate = f"{100 * won.mean():.2f}% +- {100 * error:.2f}% (two standard errors)"
            print(f"expert, {what}, {policy}: {rate} of {games} games won, {games / spent:.0f} games/s per core")


if __name__ == "__main__":
    toollib, scipy = peer("ms_toollib"), peer("scipy.ndimage")
    dealing(toollib)
    counting(scipy)
    chances(toollib)
    no_guess(toollib)
    shows()
    win_rates(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
