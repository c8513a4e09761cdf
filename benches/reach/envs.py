"""Batches and environments: masks and auto-reset on, through the public surface, one core unless said."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import gridwright as gw
import gridwright.envs
import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv

from . import others
from .common import Row, best, middle, missing, paired, peer, quick, rate, speed

N = 1024


def stepping(start: Any, n: int = N, most: int = 200, **options: Any) -> float:
    """Seconds of a step of a batch by legal actions, with masks and new episodes."""
    batch = gw.Batch(start, n, 1, max_steps=most, **{"threads": 1, **options})
    record = batch.clone()
    actions = []
    for _ in range(64):
        actions.append(record.sample_legal())
        record.step(actions[-1])
    first = batch.get_state()

    # From the same state each time: in another one the same actions would be refused, which costs less.
    times = []
    for _ in range(15):
        batch.set_state(first)
        began = time.process_time()
        for action in actions:
            batch.step(action)
        times.append(time.process_time() - began)
    assert not batch.illegal.any()
    return sorted(times)[7] / len(actions)


def rows() -> Iterator[Row]:
    """The rows of ``spec/envs``."""
    worlds: tuple[tuple[str, Any, float, str], ...] = (
        (
            "GeeseSpotter 10x10",
            functools.partial(gw.GeeseSpotter.generate, 10, 10, 10),
            5e6,
            ">= 5M steps/s, stretch 15M",
        ),
        ("MyPhoton 7x7", functools.partial(gw.MyPhoton.generate, 7, 7), 1e6, ">= 1M, stretch 10M"),
        ("MyPhoton 15x15", functools.partial(gw.MyPhoton.generate, 15, 15, sensors=3), 1e6, ">= 1M, stretch 10M"),
        ("Bloxorz level01", gw.Bloxorz.level("level01"), 20e6, ">= 20M"),
        ("LightEmAll 8x8", functools.partial(gw.LightEmAll.generate, 8, 8), 20e6, ">= 20M"),
        ("Linear Domination 8x8, 20 plies", gw.LinearDomination.empty(8, 3), 10e6, ">= 10M turns/s"),
    )
    beside = {"GeeseSpotter 10x10": others.jumanji(N), "Bloxorz level01": others.pgx(N)}
    for name, start, least, reach in worlds:
        most = 20 if "Domination" in name else 200
        spent = stepping(start, most=most)
        yield speed(f"{name}, batch of {N:,}", reach, least, N, spent, "steps", beside.get(name, ""))
    lines, least, reach = worlds[-1][1], worlds[-1][2], worlds[-1][3]
    for n in (256, N, 4 * N):
        spent = stepping(lines, n=n, most=20, mask="bits")
        yield speed(f"Linear Domination 8x8, 20 plies, masks as bits, batch of {n:,}", reach, least, n, spent, "steps")
    spent = stepping(lines, n=4 * N, most=20)
    yield speed(f"Linear Domination 8x8, 20 plies, batch of {4 * N:,}", reach, least, 4 * N, spent, "steps")
    mask = np.zeros((N, 4096), dtype=np.bool_)
    yield Row(
        f"no more than filling {N:,} masks of 4,096 bools", "", rate(N / best(lambda: mask.fill(True), 31), "masks")
    )
    spent = stepping(worlds[-1][1], most=20, mask=False)
    yield speed(
        f"Linear Domination 8x8, 20 plies, without masks, batch of {N:,}", worlds[-1][3], 10e6, N, spent, "steps"
    )

    env = gymnasium.make("gridwright/Bloxorz-v0", max_steps=None)
    env.reset(seed=1)
    raw = env.unwrapped

    def many(step: Callable[[int], object]) -> Callable[[], None]:
        def run() -> None:
            for _ in range(4000):
                step(1)

        return run

    bare, made = paired(many(raw.step), many(env.step), rounds=15)
    yield speed("one environment with mask, raw", ">= 1.5M", 1.5e6, 4000, bare, "steps")
    yield speed("one environment with mask, gymnasium.make", ">= 1M", 1e6, 4000, made, "steps", others.minigrid())

    ours = gymnasium.make_vec("gridwright/Bloxorz-v0", 64, threads=1)
    theirs = SyncVectorEnv([functools.partial(gymnasium.make, "gridwright/Bloxorz-v0")] * 64)
    lake = gymnasium.make_vec("FrozenLake-v1", 64, vectorization_mode="sync") if peer("gymnasium") else None
    ours.reset(seed=1)
    theirs.reset(seed=1)
    lake.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, 4, 64)
    own, sync, frozen = paired(
        lambda: [ours.step(actions) for _ in range(40)],
        lambda: [theirs.step(actions) for _ in range(4)],
        lambda: [lake.step(actions) for _ in range(4)],
        rounds=9,
    )
    ratio = (sync / 4) / (own / 40)
    beside = f"SyncVectorEnv of ours {rate(64 * 4 / sync, 'steps')}, of FrozenLake {rate(64 * 4 / frozen, 'steps')}"
    yield Row("vector environment of 64, with copies", "", rate(64 * 40 / own, "steps"), beside, f"{ratio:.0f} times")
    large = gymnasium.make_vec("gridwright/Bloxorz-v0", 4096, threads=1)
    large.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, 4, 4096)
    spent = best(lambda: [large.step(actions) for _ in range(20)], 9)
    yield Row("vector environment of 4096, with copies", "", rate(4096 * 20 / spent, "steps"))

    domination = gridwright.envs.linear_domination
    for name, make, least in (("raw", domination.raw_env, 150e3), ("wrapped", domination.env, 150e3)):
        game = make()
        game.reset()
        plays = []
        while not game.terminations["player_0"]:
            plays.append(int(game.last()[0]["action_mask"].argmax()))
            game.step(plays[-1])

        def play(game: Any = game, plays: list[int] = plays) -> None:
            for _ in range(10):
                game.reset()
                for action in plays:
                    game.last()
                    game.step(action)

        spent = best(play, 9)
        yield speed(
            f"Linear Domination, AEC, {name}, last and step", ">= 150k turns/s", least, 10 * len(plays), spent, "turns"
        )
    connect = peer("pettingzoo.classic.connect_four_v3")
    if connect:
        other = connect.raw_env()

        def four() -> None:
            other.reset()
            for action in (0, 1, 2, 3, 4, 5, 6) * 2:
                other.last()
                other.step(action)

        yield Row("the same beside PettingZoo's connect_four", "", "", rate(14 / best(four, 5), "turns"))
    else:
        yield missing("the same beside PettingZoo's connect_four", "", "PettingZoo's classic games")
    for name, start, _, _ in worlds:
        if "15x15" not in name:  # whose masks alone would be a gigabyte
            for n in (4096, 16384):
                yield two_threads(name, start, n)


def two_threads(name: str, start: Any, n: int) -> Row:
    """Steps on two threads and on one by the clock, in turns: the least times, which others disturb least."""
    batches = [gw.Batch(start, n, 1, max_steps=20, threads=threads) for threads in (1, 2)]
    first, actions = batches[0].get_state(), []
    for _ in range(8):
        actions.append(batches[0].sample_legal())
        batches[0].step(actions[-1])
    found: list[list[float]] = [[], []]
    own: list[list[float]] = [[], []]
    for _ in range(quick(41, 3)):
        for batch, clock, work in zip(batches, found, own, strict=True):
            batch.set_state(first)
            began, spent = time.perf_counter(), time.process_time()
            for action in actions:
                batch.step(action)
            clock.append(time.perf_counter() - began)
            work.append(time.process_time() - spent)
    least = min(found[0]) / min(found[1])
    medians = middle(found[0]) / middle(found[1])
    return Row(
        f"two threads, n = {n:,}, {name}, by the clock (load {os.getloadavg()[0]:.1f})",
        ">= 1.8x one",
        f"{least:.2f} times, least of {len(found[0])} each; {medians:.2f} by medians",
        "",
        f"{2 * middle(own[0]) / middle(own[1]):.2f} times were both cores free, by the work of both",
        least >= 1.8,
    )
