"""GeeseSpotter: new boards, counts of neighbors, exact chances, and the share of games that a policy wins."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import partial
from typing import Any

import gridwright as gw
import numpy as np
from gridwright import geese

from .common import Row, compare, missing, peer, quick, script, tail, turns

EXPERT = (16, 30, 99)


def rows() -> Iterator[Row]:
    """Yields the rows of GeeseSpotter."""
    others, ms = script("geese"), peer("ms_toollib")
    n, some = 5000, 200
    out = np.zeros((n, *EXPERT[:2]), dtype=np.uint8)
    what = f"new boards of 16x30 with 99 geese, {n:,} per call"
    if ms is None:
        yield missing(what, ">= 60", "ms_toollib laymine")
    else:
        yield compare(
            what,
            ">= 60",
            "ms_toollib laymine",
            lambda: geese.boards(n, *EXPERT, safe=None, seed=1, threads=1, out=out),
            lambda: [ms.laymine(*EXPERT, 0, 0) for _ in range(some)],
            per=(n, some),
            rounds=15,
        )
    board = geese.create_board(1000, 1000)
    geese.spread_geese(board, 200_000, 1)
    sums = others.Separable(board.shape)
    what = "compute_neighbours on 1000x1000 in place"
    yield compare(
        what,
        ">= 4.5",
        "sums along rows and columns in numpy",
        lambda: [geese.compute_neighbours(board) for _ in range(20)],
        lambda: [sums(board) for _ in range(5)],
        per=(20, 5),
        rounds=31,
    )
    yield from chances(others.positions(quick(400, 40)), ms)
    yield from no_guess(ms)


def chances(games: list[gw.GeeseSpotter], ms: Any) -> Iterator[Row]:
    """Yields the rows on exact chances in positions in which a player must guess, compared with ms_toollib."""
    what = f"exact chances in {len(games)} expert positions in which a player must guess"
    name = "ms_toollib cal_probability_onboard"
    if ms is None:
        yield missing(what, ">= 24", name)
        return
    views = [np.where(game.hidden, 10, game.board).tolist() for game in games]
    for game, view in zip(games, views, strict=True):
        found, _ = ms.cal_probability_onboard(view, 99)
        assert float(np.abs(np.array(found) - game.probabilities()).max()) <= 1e-12
    middles, tails = [], []
    for _ in range(quick(3, 1)):
        own, theirs = [], []
        for game, view in zip(games, views, strict=True):
            # The minimum of three calls is used, because other processes can only slow a call down.
            times = turns(game.probabilities, partial(ms.cal_probability_onboard, view, 99), 3)
            own.append(min(one for one, _ in times))
            theirs.append(min(other for _, other in times))
        middles.append(statistics.median(theirs) / statistics.median(own))
        tails.append(tail(theirs) / tail(own))
    yield Row(f"{what}, median", name, ">= 24", middles)
    yield Row(f"{what}, 99th percentile", name, ">= 35", tails)


def no_guess(ms: Any) -> Iterator[Row]:
    """Yields the row on generating boards that can be won without a guess and checking each board once more."""
    what, name, first = "expert boards without guesses", "ms_toollib laymine_solvable", (0, 0)
    if ms is None:
        yield missing(what, "", name)
        return
    n, some = quick(100, 10), quick(30, 5)
    seeds = iter(range(10**6))

    def own() -> None:
        for _ in range(n):
            assert gw.GeeseSpotter.generate(*EXPERT, safe=first, no_guess=True, seed=next(seeds)).needs_no_guess(first)

    yield compare(
        f"{what}, each checked once more",
        "",
        name,
        own,
        lambda: [ms.laymine_solvable(*EXPERT, *first, 1_000_000) for _ in range(some)],
        per=(n, some),
    )


def facts() -> Iterator[str]:
    """Yields the shares of games that the lookahead policy wins, which are the same on every machine."""
    played = quick(10_000, 300)
    for name, first, start in (
        ("safe corner start", (0, 0), "safe"),
        ("zero at (3, 3)", (3, 3), "zero"),
        ("first show may hit a goose", (0, 0), "any"),
    ):
        won = geese.play_many(played, *EXPERT, first=first, start=start, policy="lookahead", seed=2026, threads=0)
        share, error = 100 * won.mean(), 100 * won.std() / played**0.5
        yield f"expert games by lookahead, {name}: {share:.2f}% of {played:,} won, standard error {error:.2f}"
