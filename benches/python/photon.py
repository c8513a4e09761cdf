"""Measures MyPhoton, compared with tracers in plain Python and, if it is installed, laser-learning-environment.

Run with ``python benches/python/photon.py``. The benchmark uses one process and one thread. Times are processor times,
which other processes hardly affect. Compare ratios within one run only.
"""

from __future__ import annotations

import os

os.environ.setdefault("RAYON_NUM_THREADS", "1")

import importlib
import time
from collections.abc import Callable
from typing import Any

import gridwright as gw
import numpy as np
from gridwright.photon import MyPhoton, Tile, trace_many

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def measure(work: Callable[[], object], repeats: int = 5) -> float:
    """Returns the processor time of a call in seconds: the median of ``repeats`` runs after a warm-up run."""
    work()
    found = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return max(sorted(found)[repeats // 2], 1e-9)


def show(what: str, value: float, unit: str) -> None:
    print(f"{what:62} {value:14,.2f} {unit}", flush=True)


def onward(tile: int, heading: int) -> tuple[int, ...] | None:
    """Returns the headings with which light leaves a tile: ``()`` if it lights a sensor, ``None`` if it is blocked.

    Headings are 0 north, 1 east, 2 south, 3 west, so a mirror maps a heading to ``3 - heading`` or ``heading ^ 1``.
    """
    if tile == Tile.EMPTY:
        return (heading,)
    if tile in (Tile.MIRROR_DOWN, Tile.SPLITTER_DOWN):
        return (3 - heading,) if tile == Tile.MIRROR_DOWN else (3 - heading, heading)
    if tile in (Tile.MIRROR_UP, Tile.SPLITTER_UP):
        return (heading ^ 1,) if tile == Tile.MIRROR_UP else (heading ^ 1, heading)
    if Tile.TMIRROR_N <= tile <= Tile.TMIRROR_W:
        point = tile - Tile.TMIRROR_N
        if heading == point:
            return None
        return ((point + 1) % 4, (point + 3) % 4) if heading == point ^ 2 else (point,)
    if tile >= Tile.SENSOR_N and heading == (tile - Tile.SENSOR_N) ^ 2:
        return ()
    return None


TABLE = [[onward(tile, heading) for heading in range(4)] for tile in range(18)]


def flat(codes: list[int], width: int) -> set[int]:
    """Traces a board with a flat list of codes and a table of headings; returns the indices of the lit sensors.

    A head of light, which is a cell that light enters and its heading, is the integer ``4 * cell + heading``.
    """
    ahead = (-width, 1, width, -1)
    heads = [(place + ahead[code - 10]) * 4 + code - 10 for place, code in enumerate(codes) if 10 <= code < 14]
    used, lit = set(), set()
    while heads:
        head = heads.pop()
        if head in used:
            continue
        used.add(head)
        place = head >> 2
        out = TABLE[codes[place]][head & 3]
        if out is None:
            continue
        if not out:
            lit.add(place)
        for heading in out:
            heads.append((place + ahead[heading]) * 4 + heading)
    return lit


class Square:
    """A tile as an object, as the assignment "MyPhoton" suggests."""

    def __init__(self, code: int) -> None:
        self.code = code
        self.lasers: set[int] = set()
        self.lit = False

    def enter(self, heading: int) -> tuple[int, ...]:
        out = onward(self.code, heading)
        if out is None:
            return ()
        self.lasers.add((heading + 2) % 4)
        self.lasers.update(out)
        self.lit |= not out
        return out


class World:
    """A board with one object per tile."""

    def __init__(self, board: np.ndarray) -> None:
        self.tiles = [[Square(code) for code in row] for row in board.tolist()]

    def trace(self) -> None:
        heads, used = [], set()
        for row, line in enumerate(self.tiles):
            for col, tile in enumerate(line):
                tile.lasers.clear()
                tile.lit = False
                if Tile.LASER_N <= tile.code <= Tile.LASER_W:
                    down, right = STEPS[tile.code - Tile.LASER_N]
                    heads.append((row + down, col + right, tile.code - Tile.LASER_N))
        while heads:
            head = heads.pop()
            if head in used:
                continue
            used.add(head)
            row, col, heading = head
            for out in self.tiles[row][col].enter(heading):
                heads.append((row + STEPS[out][0], col + STEPS[out][1], out))


def puzzles(count: int, **options: Any) -> list[MyPhoton]:
    return [MyPhoton.generate(15, 15, seed=seed, **options) for seed in range(count)]


def tracing() -> None:
    games = puzzles(500, lasers=3, sensors=5, mirrors=3, splitters=3, tmirrors=2, walls=0.03)
    boards = np.stack([game.board & 31 for game in games])
    heads = np.mean([len(game.trace()["row"]) for game in games])
    print(f"15x15 boards, {heads:.1f} heads of light per board")
    many = np.tile(boards, (20, 1, 1))
    ours = len(many) / measure(lambda: trace_many(many))
    full = len(many) / measure(lambda: trace_many(many, beams=True))
    lists = [board.ravel().tolist() for board in boards[:200]]
    table = len(lists) / measure(lambda: [flat(codes, 15) for codes in lists])
    worlds = [World(board) for board in boards[:100]]
    classes = len(worlds) / measure(lambda: [world.trace() for world in worlds])
    lit = trace_many(boards[:100])
    for k in range(100):
        assert flat(lists[k], 15) == set(np.flatnonzero(lit[k].ravel()).tolist())
        worlds[k].trace()
        assert [[tile.lit for tile in line] for line in worlds[k].tiles] == lit[k].tolist()
    show("trace_many, sensors only", ours / 1e6, "M boards/s")
    show("trace_many, with beams", full / 1e6, "M boards/s")
    show("plain Python, flat table", table, "boards/s")
    show("plain Python, one object per tile", classes, "boards/s")
    print(f"trace_many, sensors only, is {ours / table:.0f} times as fast as the table")
    print(f"trace_many, with beams, is {full / classes:.0f} times as fast as the objects")


def swapping() -> None:
    game = MyPhoton.level("example")
    (a, b) = (tuple(game.hardware[0].tolist()), (1, 1))
    there, back = (*a, *b), (*b, *a)

    def work() -> None:
        play = game.play
        for _ in range(5000):
            play(*there)
            _ = game.is_solved
            play(*back)
            _ = game.is_solved

    seconds = measure(work) / 10_000
    game.reset()
    show("one swap and is_solved", seconds * 1e6, "us")


def stepping() -> None:
    for size, n in ((7, 4096), (15, 1024)):
        starts = [MyPhoton.generate(size, size, lasers=2, seed=seed) for seed in range(64)]
        for mask in (True, False):
            batch = gw.Batch(starts, n, seed=1, max_steps=100, mask=mask, threads=1)

            def work(batch: Any = batch) -> None:
                # New actions are drawn for each step, because most repeated actions would be illegal.
                for _ in range(4):
                    batch.step(batch.sample_legal())

            draw = measure(batch.sample_legal)
            name = f"batch of {n} games of {size}x{size}, one step{' with masks' if mask else ''}"
            show(name, n / (measure(work) / 4 - draw) / 1e6, "M steps/s")
            show("  drawing actions", n / draw / 1e6, "M/s")


def peers() -> None:
    try:
        lle = importlib.import_module("lle")
    except ImportError:
        print("laser-learning-environment: not installed")
        return
    world = lle.World.level(6)
    world.reset()
    rng = np.random.default_rng(1)

    def work() -> None:
        for _ in range(300):
            world.step([choices[rng.integers(len(choices))] for choices in world.available_actions()])
            if any(not agent.is_alive for agent in world.agents):
                world.reset()

    show("laser-learning-environment, steps of its world", 300 / measure(work), "steps/s")


def solving() -> None:
    for pieces in (4, 6, 8):
        third = pieces // 3
        times, proved = [], []
        for seed in range(60):
            sensors = 4 + seed % (2 if pieces < 5 else 3)
            options: Any = {"lasers": 2, "sensors": sensors, "splitters": pieces - 2 * third, "tmirrors": third}
            game = MyPhoton.generate(15, 15, mirrors=third, seed=seed, **options)
            start = time.process_time()
            assert game.solve(fewest=False) is not None
            times.append(time.process_time() - start)
            if pieces <= 6:
                start = time.process_time()
                game.solve()
                proved.append(time.process_time() - start)
        for what, found in (("any solution", times), ("fewest swaps proved", proved)):
            if found:
                found.sort()
                show(f"solve 15x15, {pieces} pieces, {what}, median", found[len(found) // 2] * 1e3, "ms")
                show("  90th percentile", found[len(found) * 9 // 10] * 1e3, "ms")


def generating() -> None:
    for mirrors in (1, 2):

        def work(mirrors: int = mirrors) -> None:
            for seed in range(40):
                MyPhoton.generate(9, 9, mirrors=mirrors, unique=True, seed=seed)

        show(f"generate 9x9, {mirrors + 2} pieces, one solution", 40 / measure(work, 3), "/s")


if __name__ == "__main__":
    for part in (tracing, swapping, stepping, peers, solving, generating):
        part()
