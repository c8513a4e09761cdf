"""Compares LightEmAll and ``gridwright.graph`` with peers: median processor times on one thread, and peak memory.

    python benches/python/lightemall.py [--quick]

``--quick`` shortens or leaves out the slowest measurements. Peak memory is measured in fresh processes. The peers
(scipy, rustworkx, networkx) come with the extra ``bench``; the script names the peers that are not installed.
"""

from __future__ import annotations

import os

os.environ.setdefault("RAYON_NUM_THREADS", "1")

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import gridwright as gw
import numpy as np
from gridwright import graph

QUICK = "--quick" in sys.argv


def median(work: Callable[[], Any], rounds: int) -> float:
    """Returns the median processor time of ``rounds`` calls to ``work``, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def show(name: str, seconds: float, base: float | None = None) -> None:
    """Prints a row: the time in milliseconds and, for a peer, the ratio of the time to ``base``, gridwright's time."""
    ratio = "" if base is None else f"{seconds / base:8.1f} times as long"
    print(f"{name:<58}{seconds * 1e3:12.2f} ms{ratio}")


def peer(name: str) -> Any:
    """Imports a peer; if the peer is not installed, prints a line and returns ``None``."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed: pip install 'gridwright[bench]'")
        return None


def trees(side: int, rounds: int) -> None:
    """Measures spanning trees of a board; preparing the data for the peers is not measured."""
    edges, weights = graph.grid_edges(side, side), graph.grid_weights(side, side, seed=1)
    ours = median(lambda: gw.LightEmAll.generate(side, side, seed=1), rounds)
    show(f"LightEmAll.generate({side}, {side})", ours)
    own = median(lambda: graph.kruskal(side * side, edges, weights), rounds)
    show(f"graph.kruskal on {len(edges):,} edges, uint32", own)
    floats = weights.astype(float)
    show(
        f"graph.kruskal on {len(edges):,} edges, float64",
        median(lambda: graph.kruskal(side * side, edges, floats), rounds),
    )
    csgraph = peer("scipy.sparse.csgraph")
    if csgraph:
        matrix = graph.to_scipy(side * side, edges, floats + 1)
        found = median(lambda: csgraph.minimum_spanning_tree(matrix), rounds)
        show("  scipy minimum_spanning_tree, against generate", found, ours)
        show("  scipy minimum_spanning_tree, against graph.kruskal", found, own)
    rustworkx = peer("rustworkx")
    if rustworkx and side <= 1000:
        network = rustworkx.PyGraph()
        network.add_nodes_from(range(side * side))
        network.add_edges_from([(u, v, w) for (u, v), w in zip(edges.tolist(), floats.tolist(), strict=True)])
        found = median(lambda: rustworkx.minimum_spanning_edges(network, weight_fn=float), 1)
        show("  rustworkx minimum_spanning_edges, against generate", found, ours)
    networkx = peer("networkx")
    if networkx and side <= 1000 and not QUICK:
        network = graph.to_networkx(side * side, edges, weights)
        found = median(lambda: list(networkx.minimum_spanning_edges(network, data=False)), 1)
        show("  networkx minimum_spanning_edges, against generate", found, ours)


def searches() -> None:
    """Measures the distances and the diameter of a solved board."""
    side = 1000
    game = gw.LightEmAll.generate(side, side, scramble=False, seed=1)
    flood = median(lambda: game.distance, 5)
    show("distance of every tile, 1000 x 1000", flood)
    across = median(lambda: game.diameter, 5)
    show("diameter, 1000 x 1000", across)
    tree = game.tree
    listed = median(lambda: graph.diameter(side * side, tree), 5)
    show("graph.diameter of the same tree as an edge list", listed)
    csgraph = peer("scipy.sparse.csgraph")
    if csgraph:
        matrix = graph.to_scipy(side * side, tree)

        def both() -> Any:
            last = csgraph.breadth_first_order(matrix, 0, directed=False)[0][-1]
            return csgraph.breadth_first_order(matrix, last, directed=False)

        show(
            "  scipy breadth_first_order",
            median(lambda: csgraph.breadth_first_order(matrix, 0, directed=False), 5),
            flood,
        )
        show("  scipy breadth_first_order twice", median(both, 5), across)


def boards() -> None:
    """Measures the rate at which small boards are generated, and the steps of a batch."""
    n = 200_000
    one = median(lambda: gw.LightEmAll.generate_many(n, 8, 8, seed=1), 3)
    print(f"{'8 x 8 boards per second, generate_many':<58}{n / one:12,.0f}")
    batch = gw.Batch(gw.LightEmAll.generate(8, 8, seed=1), 1000, threads=1)
    rng = np.random.default_rng(1)
    actions = np.stack([np.zeros(1000, int), rng.integers(0, 8, 1000), rng.integers(0, 8, 1000)], axis=1)
    batch.step(actions)
    step = median(lambda: batch.step(actions), 201)
    print(f"{'8 x 8 steps per second, batch of 1000, one thread':<58}{1000 / step:12,.0f}")


def solving() -> None:
    """Measures the solver on the boards of many seeds, and the generation of boards with one solution."""
    seeds = 5 if QUICK else 100
    times = []
    for seed in range(seeds):
        game = gw.LightEmAll.generate(1000, 1000, seed=seed)
        start = time.process_time()
        assert game.solve() is not None
        times.append(time.process_time() - start)
    print(
        f"solve 1000 x 1000: {seeds} of {seeds} seeds, median {statistics.median(times):.2f} s, "
        f"worst {max(times):.2f} s"
    )
    for side in (201, 1000):
        show(
            f"generate({side}, {side}, unique=True)",
            median(lambda side=side: gw.LightEmAll.generate(side, side, unique=True, seed=1), 3),  # type: ignore[misc]
        )


PEAK = {
    "gridwright": "import gridwright as gw; gw.LightEmAll.generate({side}, {side}, seed=1)",
    "gridwright, wires only": "import gridwright as gw; gw.LightEmAll.generate_many(1, {side}, {side}, seed=1)",
    "scipy": (
        "import gridwright.graph as g; from scipy.sparse.csgraph import minimum_spanning_tree as t;"
        "e = g.grid_edges({side}, {side}); w = g.grid_weights({side}, {side}, seed=1);"
        "m = g.to_scipy({side} ** 2, e, w + 1.0); t(m)"
    ),
    "scipy, input data only": (
        "import gridwright.graph as g; import scipy.sparse.csgraph;"
        "e = g.grid_edges({side}, {side}); w = g.grid_weights({side}, {side}, seed=1);"
        "m = g.to_scipy({side} ** 2, e, w + 1.0)"
    ),
}


def memory(side: int) -> None:
    """Prints the peak resident memory of whole processes, in MiB."""
    # VmHWM is read because the peak that getrusage reports is inherited from the parent process.
    tail = "; print(*(int(line.split()[1]) // 1024 for line in open('/proc/self/status') if 'VmHWM' in line))"
    for name, code in PEAK.items():
        done = subprocess.run([sys.executable, "-c", code.format(side=side) + tail], capture_output=True, text=True)
        print(f"peak memory of {side} x {side}, {name:<38}{done.stdout.strip() or done.stderr.strip()[-60:]:>12} MiB")


def main() -> None:
    """Runs all measurements."""
    trees(1000, 5)
    if not QUICK:
        trees(4000, 1)
    searches()
    boards()
    solving()
    memory(1000 if QUICK else 4000)


if __name__ == "__main__":
    main()
