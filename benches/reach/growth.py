"""The growth of time with the size of the board, from 10^2 to 10^7 cells: points of a plot, not rows of a table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import gridwright as gw
import numpy as np
from gridwright import geese, graph, tracing

from .common import Row, peer

SIDES = (10, 32, 100, 316, 1000, 3162)


def rows() -> Iterator[Row]:
    """Returns no rows: this module has only points."""
    return iter(())


def seconds(work: Callable[[], object], enough: float = 0.3) -> float:
    """Returns the least processor time of up to 30 calls, in seconds; stops after ``enough`` seconds of work."""
    found: list[float] = []
    while sum(found) < enough and len(found) < 30:
        start = time.process_time()
        work()
        found.append(max(time.process_time() - start, 1e-9))
    return min(found)


def points() -> Iterator[tuple[str, int, float]]:
    """Yields the points as tuples: the name of the work, the number of cells, and the time in seconds."""
    csgraph = peer("scipy.sparse.csgraph")
    for side in SIDES:
        cells = side * side
        yield "LightEmAll.generate", cells, seconds(lambda side=side: gw.LightEmAll.generate(side, side, seed=1))  # type: ignore[misc]
        wires = gw.LightEmAll.generate(side, side, scramble=False, seed=1)
        yield "LightEmAll.distance", cells, seconds(lambda wires=wires: wires.distance)  # type: ignore[misc]
        board = geese.create_board(side, side)
        geese.spread_geese(board, cells // 5, 1)
        yield "geese.compute_neighbours", cells, seconds(lambda board=board: geese.compute_neighbours(board))  # type: ignore[misc]
        floor = (
            gw.Bloxorz("\n".join(["S" + "o" * (side - 1)] + ["o" * side] * (side - 2) + ["o" * (side - 1) + "T"]))
            if side < 1000
            else None
        )
        if floor is not None:
            yield "Bloxorz.solve", cells, seconds(lambda floor=floor: floor.solve())  # type: ignore[misc]
        segments = np.random.default_rng(1).integers(0, side, (1000, 4), dtype=np.int32)
        canvas = np.zeros((side, side), dtype=np.uint8)
        values = np.ones(1000, dtype=np.uint8)
        yield (
            "tracing.paint, 1000 lines",
            cells,
            seconds(lambda at=(canvas, segments, values): tracing.paint(*at, threads=1)),  # type: ignore[misc]
        )
        photon = gw.MyPhoton.generate(side, side, lasers=1, sensors=1, seed=1, walls=0.0) if side <= 316 else None
        if photon is not None:
            yield "MyPhoton.trace", cells, seconds(photon.trace)
        if csgraph and side <= 1000:
            edges = graph.grid_edges(side, side)
            matrix = graph.to_scipy(cells, edges, graph.grid_weights(side, side, seed=1) + 1.0)
            yield (
                "scipy minimum_spanning_tree",
                cells,
                seconds(lambda matrix=matrix: csgraph.minimum_spanning_tree(matrix)),
            )  # type: ignore[misc]
