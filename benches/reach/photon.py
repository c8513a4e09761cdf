"""MyPhoton: tracing, batches, and the puzzles on which the solver is slowest."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import gridwright as gw
import numpy as np
from gridwright.photon import trace_many

from .common import Row, Work, compare, missing, peer, quick, script, tail


def rows() -> Iterator[Row]:
    """Yields the rows of MyPhoton."""
    plain = script("photon")
    games = plain.puzzles(300, lasers=3, sensors=5, mirrors=3, splitters=3, tmirrors=2, walls=0.03)
    boards = np.stack([game.board & 31 for game in games])
    heads = np.mean([len(game.trace()["row"]) for game in games])
    many = np.tile(boards, (20, 1, 1))
    lists = [board.ravel().tolist() for board in boards[:100]]
    worlds = [plain.World(board) for board in boards[:50]]
    what = f"light of 15x15 boards, {heads:.0f} heads"
    yield compare(
        what,
        ">= 35",
        "a flat table in Python",
        lambda: trace_many(many),
        lambda: [plain.flat(codes, 15) for codes in lists],
        per=(len(many), len(lists)),
        rounds=15,
    )
    yield compare(
        f"{what}, with beams",
        ">= 140",
        "one object per tile in Python",
        lambda: trace_many(many, beams=True),
        lambda: [world.trace() for world in worlds],
        per=(len(many), len(worlds)),
        rounds=15,
    )
    yield from steps()
    yield from solving()


def steps() -> Iterator[Row]:
    """Yields the row that compares batch steps with steps of another environment that has lasers."""
    what = "batch steps of MyPhoton 7x7, with masks, including drawing the actions"
    name = "laser-learning-environment, another game with lasers"
    lle = peer("lle")
    if not lle:
        yield missing(what, ">= 20", name)
        return
    starts, n = [gw.MyPhoton.generate(7, 7, lasers=2, seed=seed) for seed in range(64)], 1024
    batch = gw.Batch(starts, n, seed=1, max_steps=100, threads=1)
    world = lle.World.level(6)
    world.reset()
    rng = np.random.default_rng(1)

    def own() -> None:
        for _ in range(4):
            batch.step(batch.sample_legal())

    def theirs() -> None:
        for _ in range(200):
            world.step([choices[rng.integers(len(choices))] for choices in world.available_actions()])
            if any(not agent.is_alive for agent in world.agents):
                world.reset()

    yield compare(what, ">= 20", name, own, theirs, per=(4 * n, 200))


def least(work: Work) -> float:
    """Returns the processor time in seconds of the fastest of three runs: other processes can only slow a run down."""
    found = []
    for _ in range(3):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def solving() -> Iterator[Row]:
    """Yields two rows per number of pieces, on the time to solve a puzzle.

    The first row has the 99th percentile of the solving time, in units of the time to trace 1,000 boards of the
    puzzle's size. The second row has the longest solving time, in units of the 99th percentile.
    """
    count = quick(1000, 20)
    for pieces, most in ((6, 200), (8, 400), (10, 450)):
        third = pieces // 3
        found: list[float] = []
        traced: list[float] = []
        for seed in range(count):
            options: Any = {
                "lasers": 2,
                "sensors": 4 + seed % 3,
                "splitters": pieces - 2 * third,
                "tmirrors": third,
            }
            puzzle = gw.MyPhoton.generate(15, 15, mirrors=third, seed=seed, **options)
            if seed % 50 == 0:
                boards = np.tile(puzzle.board & 31, (1000, 1, 1))
                traced.append(least(partial(trace_many, boards)))
            found.append(least(partial(puzzle.solve, fewest=False)))
            assert puzzle.solve(fewest=False) is not None
        slow = tail(found)
        what = f"MyPhoton.solve, {pieces} pieces, 15x15, {count} boards"
        other = "tracing 1,000 boards of 15x15"
        yield Row(f"{what}, 99th percentile", other, f"<= {most}", [slow / one for one in traced], "times")
        yield Row(f"{what}, the longest", "the 99th percentile", "<= 10", [max(found) / slow], "times")
