"""Checks that no call to the public API kills the process when memory is scarce.

Each call returns, raises ``MemoryError``, or refuses the work because it exceeds another limit.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from conftest import needs

CODE = """
import os, pickle, signal, sys, time
import resource
import numpy as np
import gridwright as gw
from functools import partial
from gridwright import geese, graph, tracing

SPACES = (2, 6, 20)  # MiB of address space that a call may use in addition to what the process has
# Calls that are also repeated, with their results kept, until no memory is left or 0.3 s of processor time have passed.
KEPT = [f"{game}.copy" for game in ("LightEmAll", "GeeseSpotter", "Bloxorz", "MyPhoton", "LinearDomination")]
KEPT += ["LightEmAll.board", "LightEmAll.blank", "GeeseSpotter.blank", "Bloxorz.blank"]
KEPT += ["small text", "small LightEmAll()", "small clone", "small get_state", "small trace", "small trace_steps"]
KEPT += ["MyPhoton.beams", "bfs", "dfs"]
rng = np.random.default_rng(1)
side = 600
light = gw.LightEmAll.generate(side, side, seed=1)
field = gw.GeeseSpotter.generate(side, side, 50_000, safe=(0, 0), seed=1)
field.show((0, 0))
region = gw.GeeseSpotter.generate(1000, 1000, 1, flood=True, seed=1)
block = gw.Bloxorz("\\n".join(["S" + "o" * 299, *["o" * 300] * 298, "o" * 299 + "T"]))
photon = gw.MyPhoton.generate(300, 300, lasers=4, sensors=4, mirrors=8, seed=1)
games = [light, field, block, photon, gw.LinearDomination.empty(300, 3)]
batch = gw.Batch(partial(gw.GeeseSpotter.generate, 16, 16, 40), 5000, seed=1, threads=1)
endless, played = gw.LinearDomination.empty(2, 0), gw.LinearDomination.empty(2, 0)
for _ in range(500_000):
    played.play(0, 0, 1, 1)
undone = played.copy()
undone.reset()
boards = gw.Batch(light, 200, threads=1, mask=False)
small, level = gw.Batch(gw.Bloxorz.level("level01"), 2, seed=1), gw.LightEmAll.generate(30, 30, seed=1)
actions, state = batch.sample_legal(), batch.get_state()
nodes, edges, tree = side * side, graph.grid_edges(side, side), light.tree
weights = rng.random(len(edges))
sets = graph.UnionFind(10**6)
lines = rng.integers(0, 2000, (40_000, 4)).astype(np.int32)
many = rng.integers(0, 30, (400_000, 4)).astype(np.int32)
floats, wall = many + 0.25, np.zeros((40, 40), bool)
canvas, values = np.zeros((2000, 2000), np.uint8), np.ones(len(lines), np.uint8)
long = [(0, 0), (10**6, 10**6)]

calls = {}
for game in games:
    kind, text = type(game), game.text
    for name in ("copy", "legal_moves", "legal_mask", "sample_legal", "__str__", "undo", "reset", "redo"):
        calls[f"{kind.__name__}.{name}"] = getattr(game, name)
    for name in ("text", "board", "moves", "status"):
        calls[f"{kind.__name__}.{name}"] = partial(getattr, game, name)
    for name in ("solve", "hint"):
        calls[f"{kind.__name__}.{name}"] = partial(getattr(game, name), limit=3000)
    calls[f"{kind.__name__}()"] = partial(kind, text)
    calls[f"{kind.__name__}.pickle"] = lambda game=game: pickle.loads(pickle.dumps(game))
    calls[f"{kind.__name__}.play"] = lambda game=game: game.play(*game.sample_legal(1))
    calls[f"{kind.__name__}.batch"] = partial(game.batch, 4, mask=False)
    calls[f"{kind.__name__}.blank"] = partial(kind.blank, 3000, 3000)
    calls[f"{kind.__name__}.perft"] = partial(game.perft, 2, limit=3000)
for method in ("kruskal", "prim", "dfs", "wilson", "fractal", "rows"):
    calls[f"LightEmAll.generate {method}"] = partial(gw.LightEmAll.generate, 2000, 2000, method=method, seed=1)
for method in ("kruskal", "prim", "dfs", "wilson", "fractal"):
    calls[f"random_spanning_tree {method}"] = partial(graph.random_spanning_tree, 1000, 1000, method=method, seed=1)
calls |= {
    "LightEmAll.generate_many": partial(gw.LightEmAll.generate_many, 20_000, 16, 16),
    "LightEmAll.generate_many for one large board": partial(
        gw.LightEmAll.generate_many, 1, 2000, 2000, method="rows", limited_radius=True, seed=1
    ),
    "LightEmAll.generate with a limited radius": partial(gw.LightEmAll.generate, 800, 800, limited_radius=True, seed=1),
    "LightEmAll.generate hexagonal": partial(gw.LightEmAll.generate, 1000, 1000, hexagonal=True, seed=1),
    "LightEmAll.solve without a limit": light.solve,
    "LightEmAll.count_solutions": light.count_solutions,
    "LightEmAll.powered": lambda: light.powered,
    "LightEmAll.distance": lambda: light.distance,
    "LightEmAll.tree": lambda: light.tree,
    "MyPhoton.generate": partial(gw.MyPhoton.generate, 2000, 2000, seed=1),
    "MyPhoton.trace": photon.trace,
    "MyPhoton.beams": lambda: photon.beams,
    "Bloxorz.state_graph": block.state_graph,
    "GeeseSpotter.generate": partial(gw.GeeseSpotter.generate, 3000, 3000, 1000, seed=1),
    "GeeseSpotter.view": lambda: field.view,
    "geese.boards": partial(geese.boards, 50_000, 30, 30, 99),
    "LinearDomination.suggest": partial(games[-1].suggest, limit=10**6),
    "LinearDomination.play 300,000 times": lambda: [endless.play(0, 0, 1, 1) for _ in range(300_000)],
    "LinearDomination.moves after 500,000 plays": lambda: played.moves,
    "LinearDomination.undone after 500,000 plays": lambda: undone.undone,
    "LinearDomination.plays after 500,000 plays": lambda: played.plays,
    "LinearDomination.verdicts after 500,000 plays": lambda: played.verdicts,
    "LinearDomination.clashes after 500,000 plays": lambda: played.clashes,
    "LinearDomination.pickle after 500,000 plays": lambda: pickle.loads(pickle.dumps(played)),
    "LinearDomination.copy after 500,000 plays": lambda: played.copy(),
    "LinearDomination.batch after 500,000 plays": lambda: played.batch(3),
    "LinearDomination.perft after 500,000 plays": lambda: played.perft(2),
    "LinearDomination.suggest after 500,000 plays": lambda: played.suggest(player="minimax"),
    "LinearDomination.hint after 500,000 plays": lambda: played.hint(),
    "GeeseSpotter.show with a large region": lambda: region.show((5, 5)),
    "LinearDomination.legal_moves on 60x60": gw.LinearDomination.empty(60, 3).legal_moves,
    "LinearDomination.perft on 60x60": partial(gw.LinearDomination.empty(60, 3).perft, 2, limit=10**8),
    "Bloxorz.is_legal with 500,000 keys": partial(block.is_legal, "rl" * 250_000),
    "Bloxorz.play with 500,000 keys": partial(block.play, "rl" * 250_000),
    "LinearDomination.generate": partial(gw.LinearDomination.generate, 200, 3, 500, seed=1),
    "Batch": partial(gw.Batch, gw.Bloxorz.level("level01"), 20_000),
    "Batch of 200 boards of 600x600": partial(gw.Batch, light, 200, mask=False),
    "Batch.step": partial(batch.step, actions),
    "Batch.step of 200 boards of 600x600": partial(boards.step, boards.sample_legal()),
    "Batch.reset of 200 boards of 600x600": boards.reset,
    "Batch.clone": batch.clone,
    "Batch.reset": partial(batch.reset, seed=4),
    "Batch.get_state": batch.get_state,
    "Batch.set_state": partial(batch.set_state, state),
    "Batch.sample_legal": batch.sample_legal,
    "Batch.pickle": lambda: pickle.loads(pickle.dumps(batch)),
    "grid_edges": partial(graph.grid_edges, 2000, 2000),
    "kruskal": partial(graph.kruskal, nodes, edges, weights),
    "kruskal_steps": partial(graph.kruskal_steps, nodes, edges, weights),
    "prim": partial(graph.prim, nodes, edges, weights),
    "boruvka": partial(graph.boruvka, nodes, edges, weights),
    "bfs": partial(graph.bfs, nodes, edges, 0),
    "dfs": partial(graph.dfs, nodes, edges, 0),
    "diameter": partial(graph.diameter, nodes, tree),
    "UnionFind": partial(graph.UnionFind, 10**7),
    "UnionFind.copy": sets.__copy__,
    "UnionFind.parents": lambda: sets.parents,
    "UnionFind.pickle": lambda: pickle.loads(pickle.dumps(sets)),
    "trace": partial(tracing.trace, *long),
    "small trace": partial(tracing.trace, (0, 0), (90, 70)),
    "small trace_steps": partial(tracing.trace_steps, (0, 0), (90, 70)),
    "small text": lambda: level.text,
    "small LightEmAll()": partial(gw.LightEmAll, level.text),
    "small clone": small.clone,
    "small get_state": small.get_state,
    "trace_steps": partial(tracing.trace_steps, *long),
    "trace_many": partial(tracing.trace_many, lines),
    "paint": partial(tracing.paint, canvas, lines, values),
    "coverage": partial(tracing.coverage, (3000, 3000), lines),
    "lengths": partial(tracing.lengths, lines.astype(float)),
    "trace_many with many segments": partial(tracing.trace_many, many),
    "trace_many with many floats": partial(tracing.trace_many, floats),
    "coverage with many segments": partial(tracing.coverage, (40, 40), many),
    "coverage with many floats": partial(tracing.coverage, (40, 40), floats),
    "paint with many segments": partial(tracing.paint, wall.astype(np.uint8), many, np.ones(len(many), np.uint8)),
    "paint with many floats": partial(tracing.paint, wall.astype(np.uint8), floats, np.ones(len(many), np.uint8)),
    "lengths with many floats": partial(tracing.lengths, floats),
    "first_hit with many floats": partial(tracing.first_hit, wall, floats),
    "trace_steps between floats": partial(tracing.trace_steps, (0.25, 0), (10.0**6, 10.0**6)),
    "photon.trace_many": partial(gw.photon.trace_many, np.repeat(photon.board[None], 60, 0)),
    "Bloxorz.Terrain": partial(gw.bloxorz.Terrain, gw.Bloxorz.blank(1000, 2000).text),
    "LightEmAll.rotate a million times": partial(gw.LightEmAll.blank(3, 3).rotate, (0, 0), 10**6),
    "visible": partial(tracing.visible, canvas.astype(bool), (3, 3)),
}
assert set(KEPT) <= set(calls)
refused = 0
for name, call in calls.items():
    for space, kept in [*((space, False) for space in SPACES), *([(6, True)] if name in KEPT else [])]:
        child = os.fork()
        if child == 0:
            status = 9
            try:
                signal.alarm(100)
                with open("/proc/self/status") as file:
                    size = int(next(line for line in file if line.startswith("VmSize")).split()[1])
                resource.setrlimit(resource.RLIMIT_AS, ((size << 10) + (space << 20),) * 2)
                results, end = [], time.process_time() + 0.3
                try:
                    results.append(call())
                    while kept and time.process_time() < end:
                        results.append(call())
                    status = 0
                except MemoryError:
                    status = 1
                except (gw.SearchLimitError, ValueError):
                    status = 0  # the call refused the work because it exceeds another limit
            finally:
                os._exit(status)
        found = os.waitpid(child, 0)[1]
        refused += found == 256
        if found not in (0, 256):
            print(name, space, kept, found)
print(refused > 25)
"""


@needs("processes")
@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's limit on the address space")
def test_no_call_kills_the_process_when_memory_is_scarce():
    path = f"import sys; sys.path[:0] = {[entry for entry in sys.path if entry]!r}\n"
    done = subprocess.run([sys.executable, "-c", path + CODE], capture_output=True, text=True, timeout=900, check=False)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stdout + done.stderr[-1000:]


# A list that grows step by step can run out of memory at any size, so the calls of ``GROWING`` are tried with many
# limits.
GROWING = """
import os, random, resource, signal
from functools import partial
import numpy as np
import gridwright as gw
from gridwright import _core, graph

side = 900
nodes, edges = side * side, graph.grid_edges(side, side)
weights = np.random.default_rng(1).random(len(edges))

def splitter(n):
    rows = [["o"] * n for _ in range(n)]
    rows[0][0], rows[2][2], rows[-1][-1] = "S", "A", "T"
    rows[-3] = ["-"] * (n - 1) + ["o"]
    return gw.Bloxorz("\\n".join(map("".join, rows)) + "\\n#AS 1 0 0 1")

def scattered(seed):
    field, chance = gw.GeeseSpotter.generate(13, 60, 330, seed=seed), random.Random(seed)
    for row, col in np.argwhere(field.secret % 16 != 9).tolist():
        if chance.random() < 0.22:
            field.show((row, col))
    return field

small, large = splitter(30), splitter(60)
light = gw.LightEmAll.generate(300, 300, seed=1)
graded = gw.LightEmAll.generate(120, 120, seed=1)
wide = gw.GeeseSpotter.generate(1200, 1200, 14_000, safe=(0, 0), seed=1)
wide.show((0, 0))
photon = gw.MyPhoton.generate(1000, 1000, seed=1)
calls = {name: partial(getattr(graph, name), nodes, edges, weights)
         for name in ("kruskal", "kruskal_steps", "prim", "boruvka")}
calls |= {
    "Bloxorz.solve": large.solve,
    "Bloxorz.solve with minimize='keys'": partial(large.solve, minimize="keys"),
    "Bloxorz.count_shortest": large.count_shortest,
    "Bloxorz.explain": small.explain,
    "Bloxorz.difficulty": small.difficulty,
    "LightEmAll.difficulty": graded.difficulty,
    "LightEmAll.explain": light.explain,
    "LightEmAll.solve": light.solve,
    "lightemall_unique_trees": partial(_core.lightemall_unique_trees, 4, 6, False),
    "MyPhoton.solve": partial(photon.solve, limit=1000),
    "GeeseSpotter.probabilities of a large board": wide.probabilities,
    "GeeseSpotter.min_shows": lambda: wide.min_shows,
}
calls |= {f"GeeseSpotter.probabilities {seed}": scattered(seed).probabilities for seed in range(3)}
"""

# The calls of ``SKETCHES`` and ``LARGE`` create lists of many megabytes. Each of the two runs in a separate process,
# because memory that earlier objects have freed could hold such lists.
SKETCHES = """
import os, resource, signal
from functools import partial
import gridwright as gw

generate = partial(gw.Bloxorz.generate, 30, 30, switches=12, bridges=12, splitters=0, light=0, effort=40_000)
calls = {"Bloxorz.generate": partial(generate, seed=1)}
"""

LARGE = """
import os, resource, signal
from functools import partial
import numpy as np
import gridwright as gw
from gridwright import tracing

bright = gw.MyPhoton("\\n".join(["1200 1200", "Lv" * 1200, *["L>" + "." * 1199] * 1199]))
column = np.zeros((10**7, 1), np.uint8)
down = np.array([[0, 0, len(column) - 1, 0]] * 4, np.int32)
paint = partial(tracing.paint, column, values=np.ones(4, np.uint8), threads=2)
calls = {
    "MyPhoton.trace": bright.trace,
    "paint": partial(paint, segments=down),
    "paint between floats": partial(paint, segments=down / 1.0),
}
"""

LOOP = """
refused = 0
for name, call in calls.items():
    done = 0
    for space in range(2, 90, 3):
        # Once a call has succeeded with three limits, it also succeeds with higher ones.
        if done == 3:
            break
        child = os.fork()
        if child == 0:
            status = 9
            try:
                signal.alarm(60)
                with open("/proc/self/status") as file:
                    size = int(next(line for line in file if line.startswith("VmSize")).split()[1])
                resource.setrlimit(resource.RLIMIT_AS, ((size << 10) + (space << 20),) * 2)
                try:
                    call()
                    status = 0
                except MemoryError:
                    status = 1
                except gw.SearchLimitError:
                    status = 0
            finally:
                os._exit(status)
        found = os.waitpid(child, 0)[1]
        refused += found == 256
        done = done + 1 if found == 0 else 0
        if found not in (0, 256):
            print(name, space, found)
"""


@needs("processes")
@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's limit on the address space")
@pytest.mark.parametrize(
    ("code", "least"), [(GROWING, 25), (SKETCHES, 5), (LARGE, 5)], ids=["growing", "sketches", "large"]
)
def test_no_growing_or_large_list_kills_the_process(code, least):
    path = f"import sys; sys.path[:0] = {[entry for entry in sys.path if entry]!r}\n"
    code = f"{path}{code}{LOOP}print(refused > {least})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stdout + done.stderr[-1000:]
