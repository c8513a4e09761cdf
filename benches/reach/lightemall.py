"""LightEmAll and the graph lab: trees, searches, solving."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import gridwright as gw
from gridwright import graph

from .common import Row, best, missing, paired, peer, span, speed, times, within

LARGE = 4000
SEEDS = 100

APART = {
    "ours": f"""
import gridwright as gw
start = time.process_time()
gw.LightEmAll.generate({LARGE}, {LARGE}, seed=1)
""",
    # Edges come in the order of their tiles, each once: scipy's own format with no detour, which would cost memory.
    "scipy": f"""
import numpy as np
from gridwright import graph
from scipy.sparse import csr_array
from scipy.sparse.csgraph import minimum_spanning_tree
n = {LARGE} ** 2
edges = graph.grid_edges({LARGE}, {LARGE})
first = np.concatenate([[0], np.cumsum(np.bincount(edges[:, 0], minlength=n), dtype=np.int32)]).astype(np.int32)
ends = edges[:, 1].copy()
del edges
weights = graph.grid_weights({LARGE}, {LARGE}, seed=1) + 1.0
matrix = csr_array((weights, ends, first), shape=(n, n))
start = time.process_time()
minimum_spanning_tree(matrix)
""",
}
"""Programs that are measured in fresh processes."""


def apart(name: str) -> tuple[float, float]:
    """Runs a program in a fresh process; returns its CPU seconds and the peak memory of the process in MB."""
    # The peak that getrusage reports is inherited from the parent process.
    tail = """
spent = time.process_time() - start
peak = next(int(line.split()[1]) / 1024 for line in open("/proc/self/status") if "VmHWM" in line)
print(spent, peak)
"""
    done = subprocess.run([sys.executable, "-c", "import time" + APART[name] + tail], capture_output=True, check=True)
    spent, peak = done.stdout.split()
    return float(spent), float(peak)


def large() -> Iterator[Row]:
    """The rows of a large board: time and memory."""
    what = f"a Kruskal board of {LARGE}x{LARGE}"
    ours, mine = apart("ours")
    if peer("scipy.sparse.csgraph") is None:
        yield missing(what, "<= 1/12 of scipy", "scipy")
        return
    theirs, whole = apart("scipy")
    yield times(what, "<= 1/12 of scipy", 12, ours, theirs, "scipy")
    yield Row(
        f"peak memory of the process, {LARGE}x{LARGE}",
        "<= 1/10 of scipy",
        f"{mine:.0f} MB",
        f"scipy {whole:.0f} MB",
        f"{whole / mine:.1f} times",
        whole / mine >= 10,
    )


def rows() -> Iterator[Row]:
    """The rows of ``spec/lightemall``."""
    csgraph, rustworkx, networkx = peer("scipy.sparse.csgraph"), peer("rustworkx"), peer("networkx")
    side = 1000
    edges, weights = graph.grid_edges(side, side), graph.grid_weights(side, side, seed=1)
    floats = weights.astype(float)
    what = f"a Kruskal board of {side}x{side}"
    if csgraph:
        matrix = graph.to_scipy(side * side, edges, floats + 1)
        ours, own, theirs = paired(
            lambda: gw.LightEmAll.generate(side, side, seed=1),
            lambda: graph.kruskal(side * side, edges, weights),
            lambda: csgraph.minimum_spanning_tree(matrix),
            rounds=5,
        )
        yield times(what, "<= 1/5 of scipy, stretch 1/8", 5, ours, theirs, "scipy")
        yield times(f"graph.kruskal on {len(edges):,} edges", "<= 1/2 of scipy", 2, own, theirs, "scipy")
    else:
        ours = best(lambda: gw.LightEmAll.generate(side, side, seed=1), 5)
        yield missing(what, "<= 1/5 of scipy", "scipy")
    if rustworkx:
        network = rustworkx.PyGraph()
        network.add_nodes_from(range(side * side))
        network.add_edges_from([(u, v, w) for (u, v), w in zip(edges.tolist(), floats.tolist(), strict=True)])
        theirs = best(lambda: rustworkx.minimum_spanning_tree(network, weight_fn=float), 3)
        yield times(what, "<= 1/13 of rustworkx", 13, ours, theirs, "rustworkx")
        del network
    if networkx:
        network = graph.to_networkx(side * side, edges, weights)
        start = time.process_time()
        list(networkx.minimum_spanning_edges(network, data=False))
        theirs = time.process_time() - start
        yield times(what, "<= 1/170 of networkx", 170, ours, theirs, "networkx")
        del network
    if Path("/proc/self/status").exists():
        yield from large()
    n = 100_000
    made = best(lambda: gw.LightEmAll.generate_many(n, 8, 8, seed=1), 3)
    yield speed("8x8 boards, batch", ">= 400k boards/s a core", 4e5, n, made, "boards")
    game = gw.LightEmAll.generate(side, side, scramble=False, seed=1)
    if csgraph:
        tree = graph.to_scipy(side * side, game.tree)

        def twice() -> None:
            last = csgraph.breadth_first_order(tree, 0, directed=False)[0][-1]
            csgraph.breadth_first_order(tree, last, directed=False)

        flood, across, once, both = paired(
            lambda: game.distance,
            lambda: game.diameter,
            lambda: csgraph.breadth_first_order(tree, 0, directed=False),
            twice,
            rounds=5,
        )
        yield times("flood fill of 1000x1000", "<= 1/2 of scipy", 2, flood, once, "scipy")
        yield times("diameter of 1000x1000", "<= 1/3 of scipy", 3, across, both, "scipy")
        pairs = game.tree
        listed = best(lambda: graph.diameter(side * side, pairs), 5)
        yield times("graph.diameter of that tree as an edge list", "<= 1/3 of scipy", 3, listed, both, "scipy")
    found = []
    for seed in range(SEEDS):
        board = gw.LightEmAll.generate(side, side, seed=seed)
        start = time.process_time()
        if board.solve() is not None:
            found.append(time.process_time() - start)
    yield Row(
        f"solve 1000x1000 Kruskal boards, {len(found)} of {SEEDS} seeds",
        "<= 2 s each (100 of 100 seeds)",
        f"median {span(statistics.median(found))}, worst {span(max(found))}",
        "",
        f"{2 / max(found):.2f} of it",
        max(found) <= 2 and len(found) == SEEDS,
    )
    for size, most in ((201, 0.15), (1000, 4.0)):
        spent = best(lambda size=size: gw.LightEmAll.generate(size, size, unique=True, seed=1), 3)  # type: ignore[misc]
        yield within(f"one solution, {size}x{size}", f"<= {most} s", most, spent)
