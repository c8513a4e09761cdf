"""Counts the instructions of the hot paths with callgrind. A build has the same counts on every machine with AVX2.

``python benches/instructions.py`` counts all paths and compares the counts with ``benches/instructions.txt``. The
program fails if a count grew by more than 5% or is missing from ``instructions.txt``. ``--write`` rewrites that file;
``--only WORDS`` counts only the paths whose names contain one of the words. With both options, nothing is written.

Only the instructions of the extension module ``_core.abi3.so``, which contains Rust's standard library, are counted.
Python, numpy and the C library are left out, so the counts depend neither on the versions of these libraries nor on the
kernels that they choose by the features of the processor. The vectorized loops in the extension module also choose
their instructions by these features; under callgrind, the loops use AVX2, which most x86 processors since 2015 have.
The module must be the release build that ``maturin develop --release`` makes.

One process runs all paths. Calls to ``os.getppid``, which nothing else calls, mark where each path begins and ends.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
FILE = HERE / "instructions.txt"
MAX = 1.05
"""The largest allowed ratio of a new count to the count in ``FILE``."""

Work = Callable[[], object]


def paths() -> Iterator[tuple[str, int, Work]]:
    """Yields the name, the number of calls and the function of each hot path; preparing the data is not counted."""
    yield from spanning_trees()
    yield from photon()
    yield from bloxorz()
    yield from geese()
    yield from domination()
    yield from lines()
    yield from batches()
    yield from single_calls()


def spanning_trees() -> Iterator[tuple[str, int, Work]]:
    """Yields the paths of LightEmAll and ``gridwright.graph``."""
    import gridwright as gw
    import numpy as np
    from gridwright import graph

    make = gw.LightEmAll.generate
    yield "LightEmAll: Kruskal board of 300x300", 1, lambda: make(300, 300, seed=1)
    yield "LightEmAll: Kruskal board of 100x100, hexagons", 1, lambda: make(100, 100, hexagonal=True, seed=1)
    yield "LightEmAll: 1,000 boards of 8x8", 1, lambda: gw.LightEmAll.generate_many(1000, 8, 8, seed=1)
    yield "LightEmAll: uniform spanning tree of 100x100", 1, lambda: make(100, 100, method="wilson", seed=1)
    yield "LightEmAll: board of 60x60 with one solution", 1, lambda: make(60, 60, unique=True, seed=1)
    board = make(200, 200, seed=2)
    yield "LightEmAll: solution of 200x200", 1, board.solve
    whole = make(300, 300, scramble=False, seed=1)
    yield "LightEmAll: distances of 300x300", 1, lambda: whole.distance
    yield "LightEmAll: diameter of 300x300", 1, lambda: whole.diameter
    text = board.text
    yield "LightEmAll: 200x200 from its text", 1, lambda: gw.LightEmAll(text)
    n = 200 * 200
    edges, weights = graph.grid_edges(200, 200), graph.grid_weights(200, 200, seed=1)
    floats = np.random.default_rng(1).random(len(edges))
    yield "graph: kruskal, 79,600 edges, integer weights", 1, lambda: graph.kruskal(n, edges, weights)
    yield "graph: kruskal, 79,600 edges, float weights", 1, lambda: graph.kruskal(n, edges, floats)
    yield "graph: kruskal_steps, 79,600 edges", 1, lambda: graph.kruskal_steps(n, edges, weights)
    yield "graph: bfs, 79,600 edges", 1, lambda: graph.bfs(n, edges, 0)


def photon() -> Iterator[tuple[str, int, Work]]:
    """Yields the paths of MyPhoton."""
    import gridwright as gw
    import numpy as np
    from gridwright.photon import trace_many

    def make(pieces: int, seed: int) -> gw.MyPhoton:
        third = pieces // 3
        options: Any = {"lasers": 2, "sensors": 4, "mirrors": third, "tmirrors": third, "seed": seed}
        return gw.MyPhoton.generate(15, 15, splitters=pieces - 2 * third, **options)

    games = [make(6, seed) for seed in range(20)]
    boards = np.tile(np.stack([game.board & 31 for game in games]), (10, 1, 1))
    yield "MyPhoton: light of 200 boards of 15x15, sensors", 1, lambda: trace_many(boards)
    yield "MyPhoton: light of 200 boards of 15x15, beams", 1, lambda: trace_many(boards, beams=True)
    for pieces, count in ((4, 20), (6, 10), (8, 10)):
        puzzles = [make(pieces, seed) for seed in range(count)]
        yield (
            f"MyPhoton: any solution of {count} boards, {pieces} pieces",
            1,
            lambda puzzles=puzzles: [game.solve(fewest=False) for game in puzzles],
        )
    yield "MyPhoton: trace() of 20 boards of 15x15", 1, lambda: [game.trace() for game in games]
    few = [make(4, seed) for seed in range(10)]
    yield "MyPhoton: fewest swaps of 10 boards, 4 pieces", 1, lambda: [game.solve() for game in few]
    yield "MyPhoton: count_solutions of 10 boards, 4 pieces", 1, lambda: [game.count_solutions() for game in few]
    unique = partial(gw.MyPhoton.generate, 9, 9, mirrors=1, unique=True)
    yield "MyPhoton: 20 boards of 9x9 with one solution", 1, lambda: [unique(seed=seed) for seed in range(20)]


def bloxorz() -> Iterator[tuple[str, int, Work]]:
    """Yields the paths of Bloxorz."""
    import gridwright as gw

    games = [gw.Bloxorz.generate(8, 10, seed=seed, effort=100_000) for seed in range(4)]
    yield "Bloxorz: shortest solutions of 4 levels of 8x10", 4, lambda: [game.solve() for game in games]
    yield "Bloxorz: all states of 4 levels of 8x10", 4, lambda: [game.state_graph() for game in games]
    yield "Bloxorz: a generated level, effort 200,000", 1, lambda: gw.Bloxorz.generate(8, 8, seed=1, effort=200_000)


def geese() -> Iterator[tuple[str, int, Work]]:
    """Yields the paths of GeeseSpotter."""
    import gridwright as gw
    import numpy as np
    from gridwright import geese

    expert = (16, 30, 99)
    out = np.zeros((500, 16, 30), dtype=np.uint8)
    yield (
        "GeeseSpotter: 500 boards of 16x30, 99 geese",
        1,
        lambda: geese.boards(500, *expert, safe=None, seed=1, threads=1, out=out),
    )
    board = geese.create_board(300, 300)
    geese.spread_geese(board, 18_000, 1)
    yield "GeeseSpotter: compute_neighbours on 300x300", 5, lambda: geese.compute_neighbours(board)
    found: list[gw.GeeseSpotter] = []
    for seed in range(1, 9):
        game = gw.GeeseSpotter.generate(*expert, safe=(0, 0), seed=seed)
        game.show((0, 0))
        for _ in range(60):
            cells = np.argwhere(game.hidden & (game.secret & 15 != 9))
            game.show(tuple(cells[len(cells) // 2].tolist()))
        found.append(game)
    yield "GeeseSpotter: exact chances of 8 expert boards", 1, lambda: [game.probabilities() for game in found]
    views = [game.board for game in found]
    yield "GeeseSpotter: exact chances of 8 arrays", 1, lambda: [geese.probabilities(view, 99) for view in views]
    yield (
        "GeeseSpotter: 10 expert games by lookahead",
        1,
        lambda: geese.play_many(10, *expert, first=(0, 0), start="safe", policy="lookahead", seed=1, threads=1),
    )
    yield (
        "GeeseSpotter: an expert board without guesses",
        1,
        lambda: gw.GeeseSpotter.generate(*expert, safe=(0, 0), no_guess=True, seed=1),
    )


def domination() -> Iterator[tuple[str, int, Work]]:
    """Yields the paths of Linear Domination."""
    import gridwright as gw
    import numpy as np

    opened = gw.LinearDomination.generate(8, 3, 5, seed=1)
    yield "Linear Domination: legal_mask of 8x8", 50, opened.legal_mask
    yield "Linear Domination: legal_moves of 8x8", 5, opened.legal_moves
    empty = gw.LinearDomination.empty(8, 3)
    yield "Linear Domination: 2,000 random games of 8x8", 1, lambda: empty.random_games(2000, threads=1, seed=1)
    long = gw.LinearDomination.empty(300, 1000)
    ends = np.random.default_rng(1).integers(0, 300, (1100, 4)).tolist()
    for a, b, c, d in ends[:1000]:
        long.draw((a, b), (c, d))
    plays = [tuple(end) for end in ends[1000:]]
    yield (
        "Linear Domination: is_legal, 100 plays, N = 300, K = 1,000",
        1,
        lambda: [long.is_legal(*play) for play in plays],
    )
    small = gw.LinearDomination.generate(5, 2, 3, seed=1)
    yield "Linear Domination: minimax of depth 2 on 5x5", 1, lambda: small.suggest("minimax", depth=2)


def lines() -> Iterator[tuple[str, int, Work]]:
    """Yields the paths of line tracing."""
    import numpy as np
    from gridwright import tracing

    rng = np.random.default_rng(1)
    size, count = 300, 2000
    whole = rng.integers(0, size, (count, 4), dtype=np.int32)
    ends = rng.random((count, 4)) * size
    values = rng.integers(1, 256, count).astype(np.uint8)
    board = np.zeros((size, size), dtype=np.uint8)
    yield "lines: paint 2,000, integer ends", 1, lambda: tracing.paint(board, whole, values, threads=1)
    yield "lines: coverage of 2,000, integer ends", 1, lambda: tracing.coverage((size, size), whole, threads=1)
    yield "lines: cell_count of 2,000", 5, lambda: tracing.cell_count(whole)
    out = np.empty((int(tracing.cell_count(whole).sum()), 2), dtype=np.int32)
    yield "lines: cells of 2,000 into out=", 1, lambda: tracing.trace_many(whole, out=out)
    for method in ("bresenham", "supercover"):
        yield f"lines: paint 2,000, {method}", 1, partial(tracing.paint, board, whole, values, method, threads=1)
    yield (
        "lines: paint 2,000, float ends",
        1,
        lambda: tracing.paint(board, ends, values, origin="corner", threads=1),
    )
    yield "lines: lengths of 500", 1, lambda: tracing.lengths(ends[:500], origin="corner")
    rays = tracing.parallel_beam((64, 64), np.arange(16) * np.pi / 16, 64)
    yield "lines: system_matrix of 64x64, 1,024 rays", 1, lambda: tracing.system_matrix((64, 64), rays)
    blocked = rng.random((size, size)) < 0.1
    yield "lines: first_hit of 2,000", 1, lambda: tracing.first_hit(blocked, ends, origin="corner")


def batches() -> Iterator[tuple[str, int, Work]]:
    """Yields the paths of batches: 30 steps of 64 games each, with boards and masks."""
    import gridwright as gw

    worlds: tuple[tuple[str, Any, int], ...] = (
        ("GeeseSpotter 10x10", partial(gw.GeeseSpotter.generate, 10, 10, 10), 200),
        ("MyPhoton 7x7", partial(gw.MyPhoton.generate, 7, 7), 200),
        ("Bloxorz level01", gw.Bloxorz.level("level01"), 200),
        ("LightEmAll 8x8", partial(gw.LightEmAll.generate, 8, 8), 200),
        ("Linear Domination 8x8", gw.LinearDomination.empty(8, 3), 20),
    )
    for name, start, most in worlds:
        for mask, what in ((True, "mask"), ("bits", "bits")):
            if mask == "bits" and "Domination" not in name:
                continue
            batch = gw.Batch(start, 64, 1, max_steps=most, mask=mask, threads=1)
            actions = []
            first = batch.clone()
            for _ in range(30):
                actions.append(batch.sample_legal())
                batch.step(actions[-1])
            state = first.get_state()

            def run(batch: gw.Batch = first, actions: list[Any] = actions, state: Any = state) -> None:
                batch.set_state(state)
                for action in actions:
                    batch.step(action)

            yield f"Batch.step, 30 of 64 games, {name}, {what}", 1, run


def single_calls() -> Iterator[tuple[str, int, Work]]:
    """Yields single calls from Python, each of which is repeated 100 times."""
    import gridwright as gw

    photon = gw.MyPhoton.level("example")
    a, b = tuple(photon.hardware[0].tolist()), (1, 1)
    there, back = (*a, *b), (*b, *a)

    def swaps() -> None:
        photon.play(*there)
        photon.play(*back)

    yield "call: MyPhoton.play, two swaps", 100, swaps
    yield "call: MyPhoton.swap, two swaps", 100, lambda: (photon.swap(a, b), photon.swap(b, a))
    wires = gw.LightEmAll.generate(8, 8, seed=1)
    field = gw.GeeseSpotter.generate(16, 30, 99, safe=(0, 0), seed=1)
    lines = gw.LinearDomination.generate(8, 3, 5, seed=1)
    block = gw.Bloxorz.level("level01")
    yield "call: LightEmAll.play", 100, lambda: wires.play(0, 3, 3)
    yield "call: LightEmAll.rotate", 100, lambda: wires.rotate((3, 3))
    yield "call: Bloxorz.play and undo", 100, lambda: (block.play("r"), block.undo())
    yield "call: GeeseSpotter.mark", 100, lambda: field.mark((5, 5))
    for name, game in (("MyPhoton", photon), ("LightEmAll", wires), ("Bloxorz", block), ("GeeseSpotter", field)):
        yield f"call: {name}.board", 100, lambda game=game: game.board
    yield "call: LinearDomination.board", 100, lambda: lines.board
    yield "call: MyPhoton.is_legal", 100, lambda: photon.is_legal(*there)
    yield "call: LightEmAll.is_legal", 100, lambda: wires.is_legal(0, 3, 3)
    yield "call: LinearDomination.is_legal", 100, lambda: lines.is_legal(0, 1, 6, 3)
    yield "call: Bloxorz.status", 100, lambda: block.status
    batch = gw.Batch(gw.Bloxorz.level("level01"), 1, 1, threads=1)
    engine = batch.engine
    engine.reset_one(None, True, True)
    yield "call: step of one environment, Bloxorz", 100, lambda: engine.step_one(1)


def run(only: list[str]) -> None:
    """Runs each path between two marks for callgrind, and prints the number of calls and the name of the path.

    * ``only``: words; a path runs if its name contains one of the words, or if there are no words.
    """
    # Garbage collection would run at different points in different versions of Python.
    gc.disable()
    mark = os.getppid
    for name, calls, work in paths():
        if only and not any(word in name for word in only):
            continue
        work()
        rounds = range(calls)
        mark()
        for _ in rounds:
            work()
        mark()
        print(f"{calls} {name}", flush=True)


def counted(dump: Path) -> int:
    """Returns the number of instructions that the extension module executed, as read from one dump of callgrind."""
    total, own, inclusive, ours = 0, False, False, ""
    for line in dump.read_text(encoding="utf-8").splitlines():
        if line.startswith(("ob=", "cob=")):
            # `ob` names the object file of the code that runs, and `cob` that of a function that this code calls.
            # Callgrind writes the name of an object file only with the first occurrence of its number, in either kind
            # of line.
            number, _, name = line.partition("=")[2].partition(" ")
            if "_core." in name:
                ours = number
            if line.startswith("ob="):
                own = number == ours
        elif line.startswith("calls="):
            inclusive = True  # the next line has the cost of the called function
        elif line.startswith(tuple("+-*0123456789")):
            if own and not inclusive:
                total += int(line.split()[1])
            inclusive = False
    return total


def measure(only: list[str]) -> dict[str, int]:
    """Runs the paths under callgrind; returns a dict from the name of each path to its instructions per call."""
    environment = {
        **os.environ,
        "PYTHONHASHSEED": "0",
        "RAYON_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = ["valgrind", "--tool=callgrind", "--dump-line=no", "--dump-before=getppid"]
        command += [f"--callgrind-out-file={out}", sys.executable, str(Path(__file__).resolve()), "--run", *only]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"the paths failed under valgrind:\n{done.stderr[-3000:]}")
        names = done.stdout.splitlines()
        # Callgrind writes a dump at each mark: dumps 1, 3, ... cover the preparation of the data, dumps 2, 4, ... the
        # paths.
        found = {}
        for k, line in enumerate(names):
            calls, _, name = line.partition(" ")
            found[name] = counted(Path(f"{out}.{2 * k + 2}")) // int(calls)
        return found


def compiler() -> str:
    """Returns the compiler and the processor family for which the counts are valid."""
    done = shutil.which("rustc") and subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True)
    return f"rustc {done.stdout.split()[1] if done else 'unknown'}, {platform.machine()}"


def parsed(text: str) -> dict[str, int]:
    """Parses the text of a file of counts; returns a dict from the name of each path to its count."""
    found = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            count, _, name = line.strip().partition(" ")
            found[name.strip()] = int(count.replace(",", ""))
    return found


def formatted(found: dict[str, int]) -> str:
    """Returns the text of the file of counts, one line per path."""
    head = [
        "# Instructions of the extension per call, counted by callgrind on the release build.",
        "# Written by `make instructions`; `make instructions-check` fails if a count is new or grew by more than 5%.",
        f"# {compiler()}",
    ]
    return "\n".join([*head, *(f"{count:>13,} {name}" for name, count in found.items()), ""])


def grown(found: dict[str, int], old: dict[str, int]) -> list[str]:
    """Returns a sentence for each path that grew by more than 5% or has no count in ``old``."""
    sentences = []
    for name, count in found.items():
        if name not in old:
            sentences.append(f"{name}: {count:,}, not listed in {FILE.name}")
        elif count > old[name] * MAX:
            sentences.append(f"{name}: {count:,}, {100 * (count / old[name] - 1):.1f}% more than {old[name]:,}")
    return sentences


def check(found: dict[str, int], text: str) -> int:
    """Compares counts with those in ``text``; prints the paths that are new or changed by a factor of more than 1.05.

    Returns the exit status: 1 if a path grew or has no count in ``text``, otherwise 0.
    """
    old = parsed(text)
    for name, count in found.items():
        if name in old and count * MAX < old[name]:
            print(f"{name}: {count:,}, {100 * (1 - count / old[name]):.1f}% less than {old[name]:,}")
    sentences = grown(found, old)
    if not sentences:
        print(f"paths counted: {len(found)}; none grew by more than 5%")
        return 0
    log = ["git", "-C", str(HERE), "log", "-1", "--format=%h", "--", FILE.name]
    commit = subprocess.run(log, capture_output=True, text=True, check=False).stdout.strip()
    print(
        *sentences,
        f"paths that grew or have no count: {len(sentences)} of {len(found)}; "
        f"compare with {FILE.name} of commit {commit or '(none yet)'}.",
        "Make these paths faster, or run `make instructions` and explain the new counts in the commit message.",
        sep="\n",
        file=sys.stderr,
    )
    if f"# {compiler()}" not in text.splitlines():
        recorded = next((line[2:] for line in text.splitlines() if "rustc" in line), "no compiler")
        print(f"{FILE.name} has counts for {recorded}; the new counts are for {compiler()}.", file=sys.stderr)
    return 1


def main() -> int:
    """Counts instructions, then writes or compares the counts; returns the exit status."""
    parser = argparse.ArgumentParser(description="Counts the instructions of the hot paths.")
    parser.add_argument("--write", action="store_true", help="rewrite benches/instructions.txt, unless --only is given")
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="WORDS",
        help="count only the paths whose names contain one of these words",
    )
    parser.add_argument("--run", nargs="*", metavar="WORDS", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run is not None:
        run(arguments.run)
        return 0
    if platform.machine() != "x86_64" or shutil.which("valgrind") is None:
        print("*** NOT COUNTED: counting instructions needs valgrind on x86_64 (apt-get install valgrind).")
        return 0
    found = measure(arguments.only)
    if arguments.write and not arguments.only:
        FILE.write_text(formatted(found), encoding="utf-8")
        print(f"{FILE.name} has been written: {len(found)} paths")
        return 0
    for name, count in found.items():
        print(f"{count:>13,} {name}")
    return check(found, FILE.read_text(encoding="utf-8") if FILE.exists() else "")


if __name__ == "__main__":
    sys.exit(main())
