"""MyPhoton: tracing, swaps, batches, solving, generating."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import gridwright as gw
import numpy as np
from gridwright.photon import trace_many

from .common import Row, best, missing, paired, peer, rate, script, span, speed, times, within


def rows() -> Iterator[Row]:
    """Measures the rows of MyPhoton in the table of results."""
    plain = script("photon")
    games = plain.puzzles(300, lasers=3, sensors=5, mirrors=3, splitters=3, tmirrors=2, walls=0.03)
    boards = np.stack([game.board & 31 for game in games])
    heads = np.mean([len(game.trace()["row"]) for game in games])
    many = np.tile(boards, (20, 1, 1))
    lists = [board.ravel().tolist() for board in boards[:100]]
    worlds = [plain.World(board) for board in boards[:50]]
    ours, full, table, classes = paired(
        lambda: trace_many(many),
        lambda: trace_many(many, beams=True),
        lambda: [plain.flat(codes, 15) for codes in lists],
        lambda: [world.trace() for world in worlds],
    )
    what = f"trace 15x15, {heads:.0f} heads"
    yield speed(f"{what}, sensors alone", ">= 3M boards/s", 3e6, len(many), ours, "boards")
    yield speed(f"{what}, with beams", ">= 1.5M boards/s", 1.5e6, len(many), full, "boards")
    yield times(what, ">= 30x a flat table in Python", 30, ours / len(many), table / 100, "table")
    yield times(f"{what}, with beams", ">= 150x one object per tile", 150, full / len(many), classes / 50, "classes")

    game = gw.MyPhoton.level("example")
    a, b = tuple(game.hardware[0].tolist()), (1, 1)

    def swap() -> None:
        play = game.play
        for _ in range(2000):
            play(*a, *b)
            _ = game.is_solved
            play(*b, *a)
            _ = game.is_solved

    yield within("one swap and is_solved from Python", "<= 0.5 us", 0.5e-6, best(swap) / 4000)

    starts, n = [gw.MyPhoton.generate(7, 7, lasers=2, seed=seed) for seed in range(64)], 1024
    batch = gw.Batch(starts, n, seed=1, max_steps=100, threads=1)
    draw, both = paired(lambda: [batch.sample_legal() for _ in range(4)], lambda: walk(batch, 4), rounds=21)
    lle = peer("lle")
    beside = ""
    if lle:
        world = lle.World.level(6)
        world.reset()
        rng = np.random.default_rng(1)

        def step() -> None:
            for _ in range(200):
                world.step([choices[rng.integers(len(choices))] for choices in world.available_actions()])
                if any(not agent.is_alive for agent in world.agents):
                    world.reset()

        beside = f"laser-learning-environment {rate(200 / best(step, 3), 'steps')}"
    yield speed(
        "environment steps, batch of 1024, 7x7, masks", ">= 1M/s", 1e6, 4 * n, max(both - draw, 1e-9), "steps", beside
    )
    if not lle:
        yield missing("environment steps", "", "laser-learning-environment")

    for pieces, reach, median_most, tail_most in (
        (4, "p99 < 5 ms", None, 5e-3),
        (6, "median < 2 ms, p99 < 100 ms", 2e-3, 0.1),
        (8, "median < 50 ms", 50e-3, None),
        (10, "median < 0.5 s", 0.5, None),
    ):
        third = pieces // 3
        found: list[float] = []
        for seed in range(100 if pieces < 8 else 30):
            options: Any = {
                "lasers": 2,
                "sensors": 4 + seed % (2 if pieces < 5 else 3),
                "splitters": pieces - 2 * third,
                "tmirrors": third,
            }
            puzzle = gw.MyPhoton.generate(15, 15, mirrors=third, seed=seed, **options)
            start = time.process_time()
            assert puzzle.solve(fewest=False) is not None
            found.append(time.process_time() - start)
        found.sort()
        middle, tail = found[len(found) // 2], found[int(len(found) * 0.99)]
        met = (median_most is None or middle < median_most) and (tail_most is None or tail < tail_most)
        yield Row(f"solve 15x15, {pieces} pieces", reach, f"median {span(middle)}, p99 {span(tail)}", "", "", met)
    found = []
    for seed in range(40):
        puzzle = gw.MyPhoton.generate(15, 15, lasers=2, sensors=4, mirrors=2, splitters=2, tmirrors=2, seed=seed)
        start = time.process_time()
        puzzle.solve()
        found.append(time.process_time() - start)
    yield within("fewest swaps proved, 6 pieces, median", "< 1 s", 1.0, sorted(found)[20])
    made = best(lambda: [gw.MyPhoton.generate(9, 9, mirrors=1, unique=True, seed=seed) for seed in range(30)], 3)
    yield speed("puzzles with one solution, 9x9, 3 pieces", ">= 100/s", 100, 30, made, "puzzles")


def walk(batch: gw.Batch, steps: int) -> None:
    """Plays random legal actions in all games."""
    for _ in range(steps):
        batch.step(batch.sample_legal())
