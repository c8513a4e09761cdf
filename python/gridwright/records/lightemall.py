"""The share of spanning trees whose tiles have exactly one solution."""

from __future__ import annotations

import math
from typing import Any

from .. import _core, lightemall
from .store import Record, Work

__all__ = ["TREES", "TREES_ESTIMATED"]


def _spanning_trees(height: int, width: int, hexagonal: bool) -> int:
    """Returns the number of spanning trees of a board: a minor of its Laplacian, found by fraction-free elimination."""
    from ..graph import grid_edges

    cells = height * width
    matrix = [[0] * cells for _ in range(cells)]
    for u, v in grid_edges(height, width, hexagonal=hexagonal).tolist():
        matrix[u][u] += 1
        matrix[v][v] += 1
        matrix[u][v] -= 1
        matrix[v][u] -= 1
    # Bareiss: each division is exact, and the last pivot of the minor is its determinant.
    before = 1
    for i in range(cells - 1):
        pivot = matrix[i][i]
        if i == cells - 2:
            return pivot
        for row in range(i + 1, cells - 1):
            factor = matrix[row][i]
            for col in range(i + 1, cells - 1):
                matrix[row][col] = (matrix[row][col] * pivot - factor * matrix[i][col]) // before
        before = pivot
    return 1


def _exact(key: tuple[Any, ...], state: Any) -> Work:
    shape, height, width = key
    hexagonal = shape == "hexagonal"
    unique, _ = _core.lightemall_unique_trees(height, width, hexagonal)
    trees = _spanning_trees(height, width, hexagonal)
    yield 1.0, {"trees": trees, "unique": unique, "share": f"{int(unique) / trees:.10f}"}


def _estimate(key: tuple[Any, ...], state: Any) -> Work:
    shape, size, trees = key
    done, unique = state or (0, 0)
    while done < trees:
        game = lightemall.LightEmAll.generate(size, size, method="wilson", hexagonal=shape == "hexagonal", seed=done)
        unique += game.count_solutions(2) == 1
        done += 1
        if done < trees:
            yield done / trees, [done, unique]
    share = unique / trees
    error = math.sqrt(share * (1 - share) / trees)
    # If no unique tree was found, the error means nothing: a share of `below` or more would have yielded such a tree
    # with a probability of at least 95%.
    below = "" if unique else f"{1 - 0.05 ** (1 / trees):.6f}"
    yield 1.0, {"unique": unique, "share": f"{share:.6f}", "error": f"{error:.6f}", "below": below}


def _boards(least: int, most: int, widest: int) -> tuple[tuple[int, int], ...]:
    """Returns sizes sorted by number of cells. Boards are processed row by row, so the width is the shorter side."""
    found = [(h, w) for w in range(2, widest + 1) for h in range(w, most // w + 1) if least <= h * w]
    return tuple(sorted(found, key=lambda size: (size[0] * size[1], size)))


_SQUARE, _HEXAGONAL = "square", "hexagonal"

TREES = Record(
    "net",
    "how many spanning trees of a board are the only solution of their tiles",
    ("shape", "height", "width"),
    ("trees", "unique", "share"),
    (
        *((_SQUARE, *size) for size in _boards(4, 36, 5)),
        *((_HEXAGONAL, *size) for size in _boards(4, 12, 3)),
    ),
    (
        *((_SQUARE, *size) for size in [(6, 6), (7, 6), (8, 6), (9, 6), (10, 6)]),
        *((_HEXAGONAL, *size) for size in [(5, 3), (4, 4), (6, 3), (5, 4)]),
    ),
    _exact,
)

_ESTIMATED = (
    *((size, 40_000) for size in (5, 6, 8, 10, 12, 13, 14, 15, 16, 18, 20, 21, 22)),
    *((size, 10_000) for size in (25, 30, 40, 50)),
    (100, 10_000),
    (200, 1_000),
    (500, 300),
    (1_000, 100),
)

TREES_ESTIMATED = Record(
    "net_estimates",
    "how many uniformly random spanning trees are the only solution of their tiles",
    ("shape", "size", "sampled"),
    ("unique", "share", "error", "below"),
    tuple((shape, *each) for shape in (_SQUARE, _HEXAGONAL) for each in _ESTIMATED if each[0] <= 16),
    tuple((shape, *each) for shape in (_SQUARE, _HEXAGONAL) for each in _ESTIMATED if each[0] > 16),
    _estimate,
)
