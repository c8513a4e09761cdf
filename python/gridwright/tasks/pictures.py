"""Pictures of tasks that belong to no game: a segment on an empty grid, and a graph with or without weights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

__all__ = ["graph", "segment"]


def segment(shape: tuple[int, int], tail: tuple[int, int], head: tuple[int, int]) -> str:
    """Draws a segment between the centers of two cells of an empty grid, as SVG text.

    * ``shape``: the numbers of rows and columns.
    * ``tail``, ``head``: the two cells ``(row, col)``.
    """
    from ..draw.svg import Picture
    from ..draw.theme import LIGHT

    height, width = shape
    size, pad = 32.0, 28.0
    title = f"A segment on a grid of {height} rows and {width} columns"
    description = f"From ({tail[0]}, {tail[1]}) to ({head[0]}, {head[1]})."
    out = Picture(width * size + 2 * pad, height * size + 2 * pad, LIGHT, title=title, description=description)
    out.grid(pad, pad, size, shape)
    out.axes()
    for row in range(height):
        for col in range(width):
            look: dict[str, Any] = {"fill": LIGHT.tile_soft, "stroke": LIGHT.tile_edge, "stroke_width": 1}
            out.rect(pad + col * size, pad + row * size, size, size, **look)
    (x1, y1), (x2, y2) = ((pad + (col + 0.5) * size, pad + (row + 0.5) * size) for row, col in (tail, head))
    out.line(x1, y1, x2, y2, stroke=LIGHT.ink, stroke_width=2)
    out.circle(x1, y1, 4, fill=LIGHT.ink)
    out.circle(x2, y2, 4, fill=LIGHT.page, stroke=LIGHT.ink, stroke_width=2)
    return out.render()


def graph(names: str, edges: Sequence[tuple[int, int]], weights: Sequence[int] | None) -> str:
    """Draws a graph with its nodes on a circle, as SVG text.

    * ``names``: one letter per node.
    * ``edges``: pairs of nodes, each given by its index in ``names``.
    * ``weights``: one number per edge, drawn on the edge; ``None`` for a graph without weights.
    """
    from ..draw.svg import Picture
    from ..draw.theme import LIGHT

    n, middle, radius = len(names), 240.0, 200.0
    words = [f"{names[u]}-{names[v]}" + (f" {weights[k]}" if weights else "") for k, (u, v) in enumerate(edges)]
    out = Picture(2 * middle, 2 * middle, LIGHT, title=f"A graph of {n} nodes", description=", ".join(words) + ".")
    angles = [2 * math.pi * k / n - math.pi / 2 for k in range(n)]
    places = [(middle + radius * math.cos(angle), middle + radius * math.sin(angle)) for angle in angles]
    for u, v in edges:
        out.line(*places[u], *places[v], stroke=LIGHT.tile_edge, stroke_width=2)
    for k, (u, v) in enumerate(edges if weights else ()):
        # Labels are placed at different fractions of their edges, because labels in the middle would often overlap.
        share = (0.42, 0.34, 0.5)[k % 3]
        x, y = (places[u][axis] + share * (places[v][axis] - places[u][axis]) for axis in (0, 1))
        assert weights is not None
        out.circle(x, y, 11, fill=LIGHT.page)
        out.text(x, y, str(weights[k]), size=13, fill=LIGHT.ink)
    for name, (x, y) in zip(names, places, strict=True):
        out.circle(x, y, 16, fill=LIGHT.tile, stroke=LIGHT.ink, stroke_width=1.5)
        out.text(x, y, name, size=16, fill=LIGHT.letters_on(LIGHT.tile))
    return out.render()
