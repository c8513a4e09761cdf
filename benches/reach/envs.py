"""Batches compared with a public environment, and vector environments with single ones.

The last rows compare two-thread batches with one-thread batches.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gridwright as gw
import gridwright.envs
import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv

from . import others
from .common import Row, compare, missing, quick

N = 1024


def rows() -> Iterator[Row]:
    """Yields the rows of batches and environments."""
    what = f"batch steps of GeeseSpotter 10x10, {N:,} games, with masks, including drawing the actions"
    name = "Jumanji Minesweeper, compiled by JAX"
    theirs = others.jumanji(N)
    if theirs is None:
        yield missing(what, ">= 20", name)
    else:
        batch = gw.Batch(functools.partial(gw.GeeseSpotter.generate, 10, 10, 10), N, 1, max_steps=200, threads=1)

        def own() -> None:
            for _ in range(others.STEPS):
                batch.step(batch.sample_legal())

        yield compare(what, ">= 20", name, own, theirs, rounds=5)
    yield Row(
        "batch steps of Bloxorz, LightEmAll and Linear Domination",
        "a public environment of the same game",
        ">= 20",
        note="not measured: no public Python environment of these games was found",
    )
    ours = gymnasium.make_vec("gridwright/Bloxorz-v0", 64, threads=1)
    singles = SyncVectorEnv([functools.partial(gymnasium.make, "gridwright/Bloxorz-v0")] * 64)
    ours.reset(seed=1)
    singles.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, 4, 64)
    yield compare(
        "vector environment of 64 Bloxorz games",
        "",
        "SyncVectorEnv of 64 single environments",
        lambda: [ours.step(actions) for _ in range(40)],
        lambda: [singles.step(actions) for _ in range(4)],
        per=(40, 4),
    )
    yield from two_threads()


def two_threads() -> Iterator[Row]:
    """Yields rows on the speed of a two-thread batch as a share of the speed of two one-thread batches side by side.

    Each of the two one-thread batches has half of the games. The two sides take turns step by step, and every step ends
    when all games have moved, as in a program that learns from the games.
    """
    n, steps = 32768, 8  # a step takes a few milliseconds, so waking a thread hardly matters
    worlds: tuple[tuple[str, int, Any], ...] = (
        ("GeeseSpotter 10x10", n, functools.partial(gw.GeeseSpotter.generate, 10, 10, 10)),
        ("MyPhoton 7x7", n, functools.partial(gw.MyPhoton.generate, 7, 7)),
        ("Bloxorz level01", 8 * n, gw.Bloxorz.level("level01")),
        ("LightEmAll 8x8", 4 * n, functools.partial(gw.LightEmAll.generate, 8, 8)),
        ("Linear Domination 8x8", n, gw.LinearDomination.empty(8, 3)),
    )
    with ThreadPoolExecutor(1) as second:
        for name, n, start in worlds:
            batches = [gw.Batch(start, games, 1, max_steps=20, threads=t) for games, t in ((n, 2), (n // 2, 1))]
            batches.append(batches[1].clone())
            both, one, copy = ((batch, batch.get_state(), _draw(batch, steps)) for batch in batches)
            found = []
            for number in range(quick(25, 2) + 1):
                for batch, first, _ in (both, one, copy):
                    batch.set_state(first)
                ours = theirs = 0.0
                for own, half, other in zip(both[2], one[2], copy[2], strict=True):
                    began = time.perf_counter()
                    both[0].step(own)
                    between = time.perf_counter()
                    waiting = second.submit(copy[0].step, other)
                    one[0].step(half)
                    waiting.result()
                    ours, theirs = ours + between - began, theirs + time.perf_counter() - between
                # The first round is a warm-up, in which pages of the arrays are written for the first time.
                if number:
                    found.append(theirs / ours)
            what = f"two threads, steps of {n:,} games of {name}, in wall-clock time"
            yield Row(what, "two one-thread batches of half the games each, side by side", ">= 0.85", found, "limit")


def _draw(batch: gw.Batch, steps: int) -> list[Any]:
    """Plays random legal actions and returns the actions, one array per step."""
    actions = []
    for _ in range(steps):
        actions.append(batch.sample_legal())
        batch.step(actions[-1])
    return actions
