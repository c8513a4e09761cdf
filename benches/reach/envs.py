"""Batches and environments beside public environments of the same games, and two threads beside two copies.

For the latter, two batches run on one thread each, at the same time.
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Iterator
from typing import Any

import gridwright as gw
import gridwright.envs
import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv

from . import others
from .common import Row, beside, missing, quick

N = 1024


def rows() -> Iterator[Row]:
    """Yields the rows of environments."""
    what, name = f"batch steps of GeeseSpotter 10x10, {N:,} games, masks", "Jumanji Minesweeper, compiled by JAX"
    theirs = others.jumanji(N)
    if theirs is None:
        yield missing(what, ">= 20", name)
    else:
        batch = gw.Batch(functools.partial(gw.GeeseSpotter.generate, 10, 10, 10), N, 1, max_steps=200, threads=1)

        def own() -> None:
            for _ in range(others.STEPS):
                batch.step(batch.sample_legal())

        yield beside(f"{what}, actions drawn", ">= 20", name, own, theirs, rounds=5)
    yield Row(
        "batch steps of the other games",
        "a public environment of the same game",
        ">= 20",
        note="not measured: no public Python environment of these games was found",
    )
    ours = gymnasium.make_vec("gridwright/Bloxorz-v0", 64, threads=1)
    singles = SyncVectorEnv([functools.partial(gymnasium.make, "gridwright/Bloxorz-v0")] * 64)
    ours.reset(seed=1)
    singles.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, 4, 64)
    yield beside(
        "vector environment of 64 Bloxorz games",
        "",
        "SyncVectorEnv of our single environments",
        lambda: [ours.step(actions) for _ in range(40)],
        lambda: [singles.step(actions) for _ in range(4)],
        per=(40, 4),
    )
    yield from two_threads()


def two_threads() -> Iterator[Row]:
    """Yields steps on two threads as a share of what two copies of the one-thread job do in the same seconds."""
    n = 4096
    worlds: tuple[tuple[str, Any], ...] = (
        ("GeeseSpotter 10x10", functools.partial(gw.GeeseSpotter.generate, 10, 10, 10)),
        ("MyPhoton 7x7", functools.partial(gw.MyPhoton.generate, 7, 7)),
        ("Bloxorz level01", gw.Bloxorz.level("level01")),
        ("LightEmAll 8x8", functools.partial(gw.LightEmAll.generate, 8, 8)),
        ("Linear Domination 8x8", gw.LinearDomination.empty(8, 3)),
    )
    for name, start in worlds:
        both, one, copy = (gw.Batch(start, n, 1, max_steps=20, threads=threads) for threads in (2, 1, 1))
        first, actions = both.get_state(), []
        for _ in range(16):
            actions.append(both.sample_legal())
            both.step(actions[-1])

        def steps(batch: gw.Batch, actions: list[Any] = actions) -> None:
            for action in actions:
                batch.step(action)

        found = []
        for _ in range(quick(31, 2)):
            for batch in (both, one, copy):
                batch.set_state(first)
            began = time.perf_counter()
            steps(both)
            between = time.perf_counter()
            beside_it = threading.Thread(target=steps, args=(copy,))
            beside_it.start()
            steps(one)
            beside_it.join()
            # The two copies do twice the work of the one batch on two threads.
            found.append((time.perf_counter() - between) / 2 / (between - began))
        what = f"two threads, {n:,} games of {name}, by the clock"
        yield Row(what, "two copies on one thread each, side by side", ">= 0.85", found, "limit")
