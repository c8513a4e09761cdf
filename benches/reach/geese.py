"""GeeseSpotter: new boards, neighbors, chances, games."""

from __future__ import annotations

import time
from collections.abc import Iterator

import gridwright as gw
import numpy as np
from gridwright import geese

from .common import Row, best, middle, missing, paired, peer, quick, script, span, speed, tail, times, within

EXPERT = (16, 30, 99)


def rows() -> Iterator[Row]:
    """The rows of ``spec/geese``."""
    others, ms = script("geese"), peer("ms_toollib")
    yield from dealing(ms)
    yield from counting(others.Separable, peer("scipy.ndimage"))
    yield from chances(others.positions(quick(400, 40)), ms)
    yield from no_guess(ms)
    yield from shows()
    yield from win_rates()


def dealing(ms: object) -> Iterator[Row]:
    """Measures new boards: geese laid, neighbors counted, fields hidden."""
    n, some = 5000, 200
    out = np.zeros((n, *EXPERT[:2]), dtype=np.uint8)

    def deal() -> None:
        geese.boards(n, *EXPERT, safe=None, seed=1, threads=1, out=out)

    what = f"lay, count and hide 16x30 boards with 99 geese, {n:,} a call"
    if ms is None:
        ours = best(deal)
        yield missing(what, ">= 20x ms_toollib", "ms_toollib")
    else:
        ours, theirs = paired(deal, lambda: [ms.laymine(*EXPERT, 0, 0) for _ in range(some)])
        yield times(what, ">= 20x ms_toollib", 20, ours / n, theirs / some, "ms_toollib, a board")
    yield speed(what, ">= 1M boards/s a core", 1e6, n, ours, "boards")


def counting(separable: type, ndimage: object) -> Iterator[Row]:
    """Measures the counting of neighbors."""
    board = geese.create_board(1000, 1000)
    geese.spread_geese(board, 200_000, 1)
    sums = separable(board.shape)
    ours, theirs = paired(lambda: geese.compute_neighbours(board), lambda: sums(board), rounds=61)
    assert (sums(board) == board).all()
    what = "compute_neighbours on 1000x1000 in place"
    yield within(what, "<= 0.12 ms", 0.12e-3, ours)
    yield times(what, ">= 2.5x numpy's separable sums", 2.5, ours, theirs, "numpy")
    if ndimage is None:
        yield missing(what, "", "scipy")
    else:
        kernel = np.ones((3, 3), dtype=np.uint8)
        theirs = best(lambda: ndimage.convolve((board == 9).astype(np.uint8), kernel, mode="constant"), 5)
        yield Row(what, "", span(ours), f"scipy.ndimage.convolve {span(theirs)}", f"{theirs / ours:.0f} times")


def chances(games: list[gw.GeeseSpotter], ms: object) -> Iterator[Row]:
    """Measures exact chances at positions at which a player must guess."""
    views = [np.where(game.hidden, 10, game.board).tolist() for game in games]
    own, spent, worst = [], [], 0.0
    for game, view in zip(games, views, strict=True):
        start = time.process_time()
        mine = game.probabilities()
        own.append(time.process_time() - start)
        if ms is not None:
            start = time.process_time()
            found, _ = ms.cal_probability_onboard(view, 99)
            spent.append(time.process_time() - start)
            worst = max(worst, float(np.abs(np.array(found) - mine).max()))
    what = f"exact chances, {len(games)} expert positions at which a player must guess"
    yield within(f"{what}, median", "<= 35 us", 35e-6, middle(own))
    yield within(f"{what}, p99", "<= 100 us", 100e-6, tail(own))
    if ms is None:
        yield missing(what, ">= 15x ms_toollib, same numbers to 1e-12", "ms_toollib")
        return
    yield times(f"{what}, median", ">= 15x ms_toollib", 15, middle(own), middle(spent), "ms_toollib")
    yield Row(
        f"{what}, p99", "", span(tail(own)), f"ms_toollib {span(tail(spent))}", f"{tail(spent) / tail(own):.1f} times"
    )
    yield Row(f"{what}, largest difference", "<= 1e-12", f"{worst:.1e}", "ms_toollib", "", worst <= 1e-12)


def no_guess(ms: object) -> Iterator[Row]:
    """Measures boards that logic alone wins, each proved again."""
    n, first = quick(300, 20), (0, 0)
    start = time.process_time()
    made = [gw.GeeseSpotter.generate(*EXPERT, safe=first, no_guess=True, seed=seed) for seed in range(n)]
    ours = (time.process_time() - start) / n
    start = time.process_time()
    proved = sum(game.needs_no_guess(first) for game in made)
    again = (time.process_time() - start) / n
    beside = ""
    if ms is not None:
        some = quick(100, 10)
        start = time.process_time()
        for _ in range(some):
            ms.laymine_solvable(*EXPERT, *first, 1_000_000)
        beside = f"ms_toollib {span((time.process_time() - start) / some)}, mean of {some}"
    what = f"no-guess expert boards, uniform, mean of {n} seeds"
    yield within(f"{what} ({proved} proved again, {span(again)} each)", "<= 3 ms, each proved", 3e-3, ours, beside)
    assert proved == n


def shows() -> Iterator[Row]:
    """Measures shows of random fields in a batch, with boards, masks and new games."""
    for board, least, reach in ((EXPERT, 4e6, ">= 4M/s a core"), ((10, 10, 10), 15e6, ">= 15M/s a core")):
        height, width, count = board
        for n in (1024, 4096):
            pool = [gw.GeeseSpotter.generate(height, width, count, seed=seed) for seed in range(n)]
            batch = gw.Batch(pool, n, 1, threads=1)
            rng, steps = np.random.default_rng(1), 60
            cells = [rng.integers(size, size=(steps, n)) for size in (height, width)]
            actions = np.stack([np.zeros((steps, n), dtype=np.int64), *cells], axis=-1)

            def show(batch: gw.Batch = batch, actions: np.ndarray = actions) -> None:
                for action in actions:
                    batch.step(action)

            what = f"batched shows of any field, with board and mask, {height}x{width}, {count} geese, n = {n}"
            yield speed(what, reach, least, steps * n, best(show, quick(21, 3)), "shows")


def win_rates() -> Iterator[Row]:
    """Measures games of the best policy, on as many boards as it takes to tell half a percent."""
    played = quick(10_000, 300)
    for name, first, start, least, goal in (
        ("safe corner start", (0, 0), "safe", 40.5, ">= 40.5 %, stretch 41.1 %"),
        ("zero at (3, 3)", (3, 3), "zero", 53.9, ">= 53.9 %, stretch 54.3 %"),
        ("first show unsafe", (0, 0), "any", 32.0, ">= 32 %"),
    ):
        begun = time.process_time()
        won = geese.play_many(played, *EXPERT, first=first, start=start, policy="lookahead", seed=2026, threads=1)
        spent = time.process_time() - begun
        mean, error = 100 * won.mean(), 200 * won.std() / played**0.5
        what = f"expert, {name}, policy lookahead, {played:,} boards"
        won_row = f"{mean:.2f} % won, two standard errors {error:.2f}"
        yield Row(f"win rate, {what}", goal, won_row, "", f"{mean / least:.3f} of it", bool(mean >= least))
        yield speed(f"games, {what}", ">= 700 games/s a core", 700, played, spent, "games")
