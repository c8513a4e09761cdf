"""Tests and measures interrupts, threads, forks, long histories and huge levels.

Run this file with ``python tests/stress/limits.py``. The exit status is 1 if a test fails.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import gridwright as gw
import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[1] / "python"))
import games

PATIENCE = 0.1
"""A call must respond to an interrupt within this many seconds of processor time, and within ten times as many seconds
of elapsed time."""


def resident() -> float:
    """Returns the resident memory of this process in megabytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def long_calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yields the name of each call that can take a long time, and a function that makes the call."""
    photon = gw.MyPhoton.generate(60, 60, lasers=4, sensors=12, mirrors=8, splitters=8, tmirrors=8, seed=1)
    yield "MyPhoton.solve", photon.solve
    yield "MyPhoton.count_solutions", lambda: photon.count_solutions(most=10**18)
    yield "MyPhoton.perft", lambda: photon.perft(9)
    yield "LightEmAll.generate", lambda: gw.LightEmAll.generate(8000, 8000, seed=1)
    wires = gw.LightEmAll.generate(3000, 3000, seed=1)
    yield "LightEmAll.solve", wires.solve
    yield "LightEmAll.count_solutions", lambda: wires.count_solutions(10**18)
    yield "LightEmAll.perft", lambda: wires.perft(9)
    yield "LightEmAll.generate unique", lambda: gw.LightEmAll.generate(3000, 3000, unique=True, seed=1)
    yield "Bloxorz.generate", lambda: gw.Bloxorz.generate(20, 20, min_moves=5000, seed=1)
    yield "Bloxorz.perft", lambda: gw.Bloxorz.level("level01").perft(60)
    switches = gw.Bloxorz(many_switches(26))
    yield "Bloxorz.solve", switches.solve
    yield "Bloxorz.state_graph", switches.state_graph
    yield (
        "GeeseSpotter.generate no_guess",
        (lambda: gw.GeeseSpotter.generate(60, 60, 1500, safe=(0, 0), no_guess=True, seed=1)),
    )
    yield "GeeseSpotter.perft", lambda: gw.GeeseSpotter.level("beginner").perft(20)
    lines = gw.LinearDomination.empty(30, 3)
    yield "LinearDomination.perft", lambda: lines.perft(9)
    yield "LinearDomination.suggest minimax", lambda: lines.suggest("minimax", depth=6)
    yield "LinearDomination.suggest mcts", lambda: lines.suggest("mcts", playouts=10**12)
    large = gw.LinearDomination.empty(1000, 3)
    yield "LinearDomination.suggest greedy, 1000x1000", large.suggest
    yield (
        "graph.random_spanning_tree wilson",
        (lambda: gw.graph.random_spanning_tree(4000, 4000, method="wilson", seed=1)),
    )
    nodes = 4_000_000
    edges = gw.graph.grid_edges(2000, 2000)
    weights = np.random.default_rng(2).random(len(edges))
    yield "graph.kruskal", lambda: [gw.graph.kruskal(nodes, edges, weights) for _ in range(20)]
    yield "graph.UnionFind", lambda: gw.graph.UnionFind(2**31 - 1)
    yield "graph.bfs", lambda: [gw.graph.bfs(nodes, edges, 0) for _ in range(20)]
    yield "graph.diameter", lambda: [gw.graph.diameter(nodes, edges) for _ in range(20)]
    segments = np.random.default_rng(3).integers(0, 1000, (3_000_000, 4), dtype=np.int32)
    board = np.zeros((1000, 1000), np.uint8)
    values = np.ones(len(segments), np.uint8)
    yield "tracing.paint", lambda: [gw.tracing.paint(board, segments, values) for _ in range(40)]
    yield "tracing.trace_many", lambda: [gw.tracing.trace_many(segments[:200_000]) for _ in range(100)]
    many = gw.Batch(partial(gw.GeeseSpotter.generate, 16, 16, 40), 200_000, seed=1)
    actions, state = many.sample_legal(), many.get_state()
    yield "Batch", lambda: gw.Batch(partial(gw.GeeseSpotter.generate, 16, 16, 40), 3_000_000, seed=1)
    yield "Batch of large boards", lambda: gw.Batch(gw.LinearDomination.empty(50, 300), 2000, mask="bits")
    yield "Batch.step", lambda: [many.step(actions) for _ in range(200)]
    yield "Batch.reset", lambda: [many.reset() for _ in range(50)]
    yield "Batch.set_state", lambda: [many.set_state(state) for _ in range(50)]
    yield "Batch.get_state", lambda: all(many.get_state() for _ in range(50))
    yield "Batch.sample_legal", lambda: [many.sample_legal() for _ in range(500)]
    yield "LinearDomination.suggest greedy, 8192x8192", gw.LinearDomination("8192 1").suggest
    yield "sweep", lambda: gw.sweep(lambda seed: {"n": time.sleep(0.01) or seed}, 10_000)


def many_switches(count: int) -> str:
    """Returns a level with ``count`` - 2 switches, each of which toggles its own bridge, and an unreachable target."""
    letters = [chr(ord("A") + i) for i in range(26) if chr(ord("A") + i) not in "ST"][: count - 2]
    bridges = [chr(ord("a") + i) for i in range(26) if chr(ord("a") + i) != "o"][: len(letters)]
    rows = ["o" * (len(letters) + 6)] * 3
    rows.append("oS" + "".join(letters) + "oooo")
    rows += ["o" * (len(letters) + 6)] * 3
    rows.append("--" + "".join(bridges) + "----")
    rows.append("-" * (len(letters) + 4) + "-T")
    return "\n".join(rows) + "\n" + "".join(f"#{a}O{b}\n" for a, b in zip(letters, bridges, strict=True))


def interrupts() -> bool:
    """Sends Ctrl-C during each long call, and prints how soon the call ends. Returns whether none was late."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    good = True
    for name, call in long_calls():
        sent = [0.0, 0.0]

        def send(sent: list[float] = sent) -> None:
            sent[:] = time.monotonic(), time.process_time()
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.5, send)
        began = time.monotonic()
        try:
            timer.start()
            try:
                call()
            except (gw.SearchLimitError, ValueError) as error:
                answer = f"ended after {time.monotonic() - began:.2f} s: {error}"
            else:
                answer = f"finished after {time.monotonic() - began:.2f} s"
            timer.cancel()
            timer.join()
        except KeyboardInterrupt:
            late, worked = time.monotonic() - sent[0], time.process_time() - sent[1]
            # The elapsed time may be ten times as long, because it includes the time in which this process waits for a
            # processor.
            in_time = worked < PATIENCE and late < 10 * PATIENCE
            good &= in_time
            answer = f"interrupted after {late * 1e3:.0f} ms and {worked * 1e3:.0f} ms of processor time"
            answer += "" if in_time else ": TOO LATE"
        print(f"  {name}: {answer}", flush=True)
    return good


def threads() -> bool:
    """Plays, undoes and reads one game of each class in two threads at once. Returns whether nothing failed."""
    good = True
    for kind in gw.GAMES.values():
        game = kind.level(kind.levels()[0])
        failures: list[BaseException] = []

        def work(seed: int, game: Any = game, failures: list[BaseException] = failures) -> None:
            rng = np.random.default_rng(seed)
            try:
                for _ in range(3000):
                    try:
                        move = game.sample_legal(int(rng.integers(2**40)))
                        if move is None or rng.random() < 0.4:
                            game.undo()
                        else:
                            game.play(*move)
                    except gw.IllegalMoveError:
                        pass  # the other thread moved first
                    assert game.board.shape == game.shape
                    assert game.text
                    game.copy()
            except BaseException as error:
                failures.append(error)

        workers = [threading.Thread(target=work, args=(seed,)) for seed in (1, 2)]
        for each in workers:
            each.start()
        for each in workers:
            each.join(120)
        whole = not failures and not any(each.is_alive() for each in workers) and kind(game.text) == game
        good &= whole
        print(f"  {kind.__name__}: {'fine' if whole else failures[:1]}", flush=True)
    return good


def _child(queue: Any) -> None:
    batch = gw.Batch(partial(gw.GeeseSpotter.generate, 10, 10, 10), 20_000, seed=1)
    for _ in range(5):
        batch.step(batch.sample_legal())
    queue.put(int(batch.board.sum()))


def forks() -> bool:
    """Steps a batch with threads, forks, and does the same in the child. Returns whether both have the same result."""
    queue = multiprocessing.get_context("fork").Queue()
    _child(queue)
    here = queue.get()
    child = multiprocessing.get_context("fork").Process(target=_child, args=(queue,))
    child.start()
    child.join(60)
    good = not child.is_alive() and not queue.empty() and queue.get() == here
    child.kill()
    print("  " + ("the child got the same result as its parent" if good else "THE CHILD HANGS OR DIFFERS"), flush=True)
    return good


def histories() -> bool:
    """Plays up to ten thousand moves on 1000x1000 boards, undoes them and redoes them. Returns whether the positions at
    the start and at the end are restored.
    """
    good = True
    for name, make in (
        ("LightEmAll", lambda: gw.LightEmAll.generate(1000, 1000, seed=1)),
        ("MyPhoton", lambda: gw.MyPhoton.generate(1000, 1000, lasers=4, sensors=4, mirrors=8, seed=1)),
        ("GeeseSpotter", lambda: gw.GeeseSpotter.generate(1000, 1000, 150_000, safe=(0, 0), seed=1)),
        ("LinearDomination", lambda: gw.LinearDomination.empty(1000, 3)),
    ):
        game = make()
        before = resident()
        start = game.copy()
        began = time.perf_counter()
        played = 0
        for seed in range(10_000):
            move = game.sample_legal(seed)
            if move is None:
                break
            if isinstance(game, gw.GeeseSpotter) and move[0] == 0:
                move = (1, *move[1:])  # marks do not end the game
                if not game.is_legal(*move):
                    continue
            game.play(*move)
            played += 1
        one = time.perf_counter()
        end = game.copy()
        while game.undo():
            pass
        two = time.perf_counter()
        whole = game == start
        while game.redo():
            pass
        three = time.perf_counter()
        whole &= game == end and len(game.moves) == played
        grown = resident() - before
        good &= whole
        print(
            f"  {name}: {played} moves in {one - began:.2f} s, undone in {two - one:.2f} s, redone in "
            f"{three - two:.2f} s, {grown:.0f} MB more{'' if whole else ': NOT THE SAME'}",
            flush=True,
        )
    return good


def levels() -> bool:
    """Reads a level of ten million cells for each game, or prints why the game refuses the level. Returns ``True``."""
    side = 3163
    for kind in gw.GAMES.values():
        before = resident()
        began = time.perf_counter()
        try:
            game = kind(games.of(kind).large(side))
            answer = f"{game.height * game.width} cells read"
        except gw.LevelError as error:
            answer = f"refused ({error})"
        spent = time.perf_counter() - began
        grown = resident() - before
        print(f"  {kind.__name__}: {answer} in {spent:.2f} s, {grown:.0f} MB more", flush=True)
    return True


def main() -> int:
    """Runs all parts and prints their measurements. Returns whether a part failed."""
    good = True
    for title, part in (
        ("ten million cells", levels),
        ("ten thousand moves", histories),
        ("fork after use", forks),
        ("two threads on one game", threads),
        ("interrupts", interrupts),
    ):
        print(title, flush=True)
        good &= part()
    return not good


if __name__ == "__main__":
    sys.exit(main())
