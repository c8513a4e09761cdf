"""LightEmAll and the graph lab: trees, searches, solving."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

import gridwright as gw
from gridwright import graph

from .common import Row, best, missing, paired, peer, span, speed, times, within


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
    found = []
    for seed in range(10):
        board = gw.LightEmAll.generate(side, side, seed=seed)
        start = time.process_time()
        assert board.solve() is not None
        found.append(time.process_time() - start)
    yield Row(
        "solve 1000x1000 Kruskal boards, 10 seeds",
        "<= 2 s each (100 of 100 seeds)",
        f"median {span(statistics.median(found))}, worst {span(max(found))}",
        "",
        f"{2 / max(found):.2f} of it",
        max(found) <= 2,
    )
    for size, most in ((201, 0.15), (1000, 4.0)):
        spent = best(lambda size=size: gw.LightEmAll.generate(size, size, unique=True, seed=1), 3)  # type: ignore[misc]
        yield within(f"one solution, {size}x{size}", f"<= {most} s", most, spent)
