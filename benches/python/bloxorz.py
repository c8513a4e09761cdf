"""Measures Bloxorz: calls, batches, the generator, and the solver compared with a breadth-first search in Python.

Run with ``python benches/python/bloxorz.py [SECONDS]``; ``SECONDS`` is the approximate time for generating each of two
levels, 3 by default. Single calls are measured in wall-clock time, and batches in wall-clock and processor time; all
other times are processor times of this process, which other processes hardly affect. Compare ratios within one run
only.
"""

from __future__ import annotations

import resource
import sys
import time
from collections import deque
from collections.abc import Callable

import gridwright as gw
import numpy as np
from gridwright.bench import measure

Cells = tuple[tuple[int, int], ...]
STEPS = ((0, -1), (-1, 0), (0, 1), (1, 0))


def plain_solution(text: str) -> int:
    """Returns the fewest rolls to the target of a level, found by a textbook breadth-first search."""
    lines = text.split("\n")
    rows = [line for line in lines if line and line[0] not in "#%@"]
    tiles = {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row) if sign != "-"}
    place = {sign: cell for cell, sign in tiles.items() if sign in "ST"}
    heavy: dict[str, bool] = {}
    effects: dict[str, list[tuple[str, str]]] = {}
    splits: dict[str, Cells] = {}
    bridges = frozenset(line[1] for line in lines if line.startswith("%"))
    for line in lines:
        if line.startswith("#") and line[2] == "S":
            x, y, u, v = map(int, line[3:].split())
            splits[line[1]] = ((y, x), (v, u))
        elif line.startswith("#"):
            heavy[line[1]] = line[2] == "X"
            effects.setdefault(line[1], []).append((line[3:-1], line[-1]))

    def holds(cells: Cells, on: frozenset[str]) -> bool:
        for cell in cells:
            sign = tiles.get(cell)
            if sign is None or (sign.islower() and sign != "o" and sign not in on):
                return False
        return not (len(cells) == 1 and tiles[cells[0]] == ".")

    def rolled(cells: Cells, dr: int, dc: int) -> list[tuple[Cells, Cells]]:
        """Returns pairs of the cells after a roll and the cells that press switches.

        There is one pair, or one pair per cube if the block is split.
        """
        if len(cells) == 1:
            ((r, c),) = cells
            after: Cells = tuple(sorted(((r + dr, c + dc), (r + 2 * dr, c + 2 * dc))))
        elif (cells[0][0] + dr, cells[0][1] + dc) == cells[1]:
            after = ((cells[1][0] + dr, cells[1][1] + dc),)
        elif (cells[1][0] + dr, cells[1][1] + dc) == cells[0]:
            after = ((cells[0][0] + dr, cells[0][1] + dc),)
        elif abs(cells[0][0] - cells[1][0]) + abs(cells[0][1] - cells[1][1]) == 1:
            after = tuple((r + dr, c + dc) for r, c in cells)
        else:
            found = []
            for mover, other in (cells, cells[::-1]):
                moved = (mover[0] + dr, mover[1] + dc)
                found.append((tuple(sorted((moved, other))), (moved,)))
            return found
        return [(after, after)]

    def pressed(cells: Cells, pressing: Cells, on: frozenset[str]) -> tuple[Cells, frozenset[str]]:
        for cell in pressing:
            sign = tiles[cell]
            if sign in splits and len(cells) == 1:
                return tuple(sorted(splits[sign])), on
            if sign in effects and (len(cells) == 1 or not heavy[sign]):
                for change, bridge in effects[sign]:
                    add = change == "+" or (not change and bridge not in on)
                    on = on | {bridge} if add else on - {bridge}
        return cells, on

    start: Cells = (place["S"],)
    seen = {(start, bridges)}
    queue = deque([(start, bridges, 0)])
    while queue:
        block, on, rolls = queue.popleft()
        if block == (place["T"],):
            return rolls
        for dr, dc in STEPS:
            for after, pressing in rolled(block, dr, dc):
                if holds(after, on):
                    state = pressed(after, pressing, on)
                    if holds(*state) and state not in seen:
                        seen.add(state)
                        queue.append((*state, rolls + 1))
    raise ValueError("no solution")


def spent(work: Callable[[], object], repeats: int = 5) -> float:
    """Returns the median processor time of ``repeats`` calls to ``work``, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return sorted(times)[repeats // 2]


def calls() -> None:
    game = gw.Bloxorz.level("level01")

    def there_and_back() -> None:
        game.play("r")
        game.undo()

    for what, work in {
        "getter (falls)": lambda: game.falls,
        "method (is_legal)": lambda: game.is_legal(2),
        "board": lambda: game.board,
        "play and undo": there_and_back,
    }.items():
        print(f"  {what:52} {measure(work) * 1e9:9.0f} ns")


def batches() -> None:
    for n in (1000, 4096, 32768):
        for threads in (1, 2):
            for mask in (True, False):
                batch = gw.Bloxorz.level("level01").batch(n, seed=1, threads=threads, mask=mask, max_steps=50)
                actions = [batch.sample_legal() for _ in range(16)]

                def steps(batch: gw.Batch = batch, actions: list[np.ndarray] = actions) -> None:
                    for action in actions:
                        batch.step(action)

                steps()
                own, clock = [], []
                for _ in range(15):
                    start, wall = time.process_time(), time.perf_counter()
                    steps()
                    own.append(time.process_time() - start)
                    clock.append(time.perf_counter() - wall)
                words = f"batch of {n}, {threads} thread{'s' * (threads > 1)}, board" + " and mask" * mask
                rate = 16 * n / sorted(own)[7] / 1e6
                wall_rate = 16 * n / sorted(clock)[7] / 1e6
                print(f"  {words:52} {rate:9.1f} M keys/s per core, {wall_rate:.1f} in wall-clock time")


def solvers() -> None:
    games = [gw.Bloxorz.level(name) for name in gw.Bloxorz.levels()]
    ours = spent(lambda: [game.solve() for game in games])
    graphs = spent(lambda: [game.state_graph() for game in games])
    count = sum(len(game.state_graph()) for game in games)
    print(f"  {f'{len(games)} packaged levels, a shortest solution of each':52} {ours * 1e3:9.2f} ms in total")
    print(f"  {f'{len(games)} packaged levels, all {count} states':52} {graphs * 1e3:9.2f} ms in total")
    for game in games:
        assert plain_solution(game.text) == sum(key != "s" for key in game.solve())
    theirs = spent(lambda: [plain_solution(game.text) for game in games], 1)
    words = f"{len(games)} packaged levels, gridwright and plain Python"
    print(f"  {words:52} {ours * 1e3:9.2f} ms, {theirs * 1e3:.2f} ms: {theirs / ours:.0f} times as fast")


def large() -> None:
    """Measures states per second, and bytes of memory per state, on levels with millions of states."""
    letters = "abcdefghijklmnpqrstuvwxyz"
    for bridges, limit in ((16, None), (24, 10_000_000)):
        names = "ABCDEFGHIJKLMNOPQRUVWXYZ"[:bridges]
        rows = ["S" + "o" * bridges + "o", "o" + names + "o", "o" * (bridges + 2), "-" * (bridges + 2)]
        rows.append(letters[:bridges] + "-T")
        text = "\n".join(rows + [f"#{name}X{letter}" for name, letter in zip(names, letters, strict=False)])
        game = gw.Bloxorz(text)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        seen = [0]
        start = time.process_time()
        try:
            game.solve(limit=limit, progress=lambda states, seen=seen: seen.append(states))
            states = seen[-1]
        except gw.SearchLimitError:
            states = limit or 0
        own = time.process_time() - start
        more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
        words = f"{bridges} bridges, {states / 1e6:.1f} M states visited"
        print(f"  {words:52} {states / own / 1e6:9.1f} M states/s, {more / max(1, states):.0f} bytes per state")


def generator(seconds: float) -> None:
    for what, height, width, options in (
        (
            "8 x 8 without switches (longest found: 80)",
            8,
            8,
            {"switches": 0, "bridges": 0, "splitters": 0, "light": 0},
        ),
        ("10 x 15, all elements (longest packaged level: 114)", 10, 15, {"switches": 4, "bridges": 4, "splitters": 1}),
    ):
        start = time.process_time()
        gw.Bloxorz.generate(height, width, seed=0, effort=5_000_000, **options)
        effort = int(5_000_000 * seconds / max(0.01, time.process_time() - start))
        start = time.process_time()
        game = gw.Bloxorz.generate(height, width, seed=1, effort=effort, **options)
        rolls = sum(key != "s" for key in game.solve())
        own = time.process_time() - start
        count = game.count_shortest()
        print(f"  {what:52} {rolls:9} rolls in {own:.1f} s, effort {effort / 1e6:.0f} M, shortest solutions: {count}")


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    for part in (calls, batches, solvers, large):
        print(part.__name__)
        part()
    print("generator")
    generator(seconds)


if __name__ == "__main__":
    main()
