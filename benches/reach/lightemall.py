"""LightEmAll and ``gridwright.graph``: trees and searches."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import gridwright as gw
import numpy as np
from gridwright import graph

from .common import Row, compare, missing, peer, quick, times

SIDE, LARGE = 1000, quick(4000, 400)

APART = {
    "ours": f"""
import gridwright as gw
start = time.process_time()
gw.LightEmAll.generate({LARGE}, {LARGE}, seed=1)
""",
    # The edges are sorted by their first tile, as in scipy's sparse row format, so the matrix is built without a
    # conversion, which would need more memory.
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
"""Programs that `apart` runs in fresh processes; the time is measured from ``start`` to the end of the program."""


def apart(name: str) -> tuple[float, float]:
    """Runs a program of ``APART`` in a fresh process; returns its processor time in seconds and peak memory in MiB."""
    # VmHWM is read because the peak that getrusage reports is inherited from the parent process.
    end = """
spent = time.process_time() - start
peak = next(int(line.split()[1]) / 1024 for line in open("/proc/self/status") if "VmHWM" in line)
print(spent, peak)
"""
    done = subprocess.run([sys.executable, "-c", "import time" + APART[name] + end], capture_output=True, check=True)
    spent, peak = done.stdout.split()
    return float(spent), float(peak)


def large() -> Iterator[Row]:
    """Yields the rows on the time and the memory that a large board takes."""
    both = [(apart("ours"), apart("scipy")) for _ in range(quick(3, 1))]
    what = f"Kruskal board of {LARGE}x{LARGE}"
    yield Row(what, "scipy minimum_spanning_tree", ">= 15", [scipy[0] / own[0] for own, scipy in both])
    yield Row(f"{what}, peak memory of the process", "scipy", ">= 15", [scipy[1] / own[1] for own, scipy in both])


def rows() -> Iterator[Row]:
    """Yields the rows of spanning trees and searches."""
    csgraph, rustworkx = peer("scipy.sparse.csgraph"), peer("rustworkx")
    n = SIDE * SIDE
    edges, weights = graph.grid_edges(SIDE, SIDE), graph.grid_weights(SIDE, SIDE, seed=1)
    floats = weights.astype(float)
    what = f"Kruskal board of {SIDE}x{SIDE}"

    def board() -> None:
        gw.LightEmAll.generate(SIDE, SIDE, seed=1)

    scipy = "scipy minimum_spanning_tree"
    given = f"spanning tree of a given list of {len(edges):,} edges, float weights"
    if csgraph:
        matrix = graph.to_scipy(n, edges, floats + 1)

        def theirs() -> None:
            csgraph.minimum_spanning_tree(matrix)

        yield compare(what, ">= 20", scipy, board, theirs)
        random = np.random.default_rng(1).random(len(edges))
        other = graph.to_scipy(n, edges, random + 1)
        yield compare(
            given,
            ">= 5",
            scipy,
            lambda: graph.kruskal(n, edges, random),
            lambda: csgraph.minimum_spanning_tree(other),
        )
    else:
        yield missing(what, ">= 20", scipy)
        yield missing(given, ">= 5", scipy)
    name = "rustworkx minimum_spanning_tree"
    if rustworkx:
        network = rustworkx.PyGraph()
        network.add_nodes_from(range(n))
        network.add_edges_from([(u, v, w) for (u, v), w in zip(edges.tolist(), floats.tolist(), strict=True)])
        yield compare(
            what, ">= 12", name, board, lambda: rustworkx.minimum_spanning_tree(network, weight_fn=float), rounds=3
        )
        del network
    else:
        yield missing(what, ">= 12", name)
    if csgraph and Path("/proc/self/status").exists():
        yield from large()
    elif not csgraph:
        yield missing(f"Kruskal board of {LARGE}x{LARGE}", ">= 15", scipy)
        yield missing(f"Kruskal board of {LARGE}x{LARGE}, peak memory of the process", ">= 15", "scipy")
    yield times(
        f"board of {SIDE}x{SIDE} with one solution",
        "<= 40",
        f"Kruskal boards of {SIDE}x{SIDE}",
        lambda: gw.LightEmAll.generate(SIDE, SIDE, unique=True, seed=1),
        board,
        rounds=3,
    )
    game = gw.LightEmAll.generate(SIDE, SIDE, scramble=False, seed=1)
    size, search = f"{SIDE}x{SIDE}", "scipy breadth_first_order"
    listed = f"graph.diameter of a tree of {size}, given as an edge list"
    if csgraph:
        tree, pairs = graph.to_scipy(n, game.tree), game.tree

        def once() -> int:
            return int(csgraph.breadth_first_order(tree, 0, directed=False)[0][-1])

        def twice() -> None:
            csgraph.breadth_first_order(tree, once(), directed=False)

        yield compare(f"distances of {size}", ">= 2", search, lambda: game.distance, once)
        yield compare(f"diameter of {size}", ">= 3", f"{search}, twice", lambda: game.diameter, twice)
        yield compare(
            listed,
            ">= 3",
            f"{search}, twice",
            lambda: graph.diameter(n, pairs),
            twice,
        )
    else:
        yield missing(f"distances of {size}", ">= 2", search)
        yield missing(f"diameter of {size}", ">= 3", f"{search}, twice")
        yield missing(listed, ">= 3", f"{search}, twice")
