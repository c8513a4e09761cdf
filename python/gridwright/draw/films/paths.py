"""The diameter of a tree, found by two searches."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arguments import instance
from ...lightemall import LightEmAll
from ...progress import ProgressReporter
from ...words import counted
from ..animate import Animation
from ..lightemall import links
from ..predict import Place, Step, asking, cells
from ..svg import Cells, Picture
from ..theme import Theme, film_theme

__all__ = ["diameter"]

_CODE = (
    "Diameter(tree):",
    "  s ← any vertex",
    "  search breadth first from s",
    "  u ← a vertex farthest from s",
    "  search breadth first from u",
    "  v ← a vertex farthest from u",
    "  return the distance from u to v",
)


def diameter(
    game: Any,
    *,
    theme: str | Theme | None = None,
    seconds: float | None = None,
    progress: Any = None,
) -> Animation:
    """Shows how two breadth-first searches find the diameter of the tree of a generated ``LightEmAll``.

    The first search starts at the station, the second at a tile that the first found to be farthest away. Numbers are
    distances from the start of the search; the last frame marks a longest path.

    * ``game``: a generated ``LightEmAll`` of at most 400 tiles; ``ValueError`` for any other board.
    * ``theme``: ``"light"``, ``"dark"`` or a ``Theme``. ``None`` (the default) is the theme of ``draw.use_theme`` or,
      if none is set, that of the page that shows the film.
    * ``seconds``: the time per frame in seconds, 0.01 to 60; ``None`` (the default) is 15 divided by the number of
      frames, but at least 0.05 and at most 0.6.
    * ``progress``: a callable that receives the number of frames drawn, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    >>> import gridwright as gw
    >>> diameter(gw.LightEmAll.generate(3, 4, seed=1)).captions[-1]
    'a longest path: 6 edges'
    """
    from ...graph import bfs, path

    instance("game", game, LightEmAll)
    tree, (height, width) = game.tree, game.shape
    if tree is None or height * width > 400:
        what = f"{height * width} tiles" if tree is not None else "a board that was not generated"
        raise ValueError(f"game must be a generated board of at most 400 tiles, got {what}")
    found, tell = film_theme(theme), ProgressReporter(progress)
    grid = Cells(20, 20, max(22.0, min(40.0, 560 / max(height, width))), game.shape, game.hexagonal)
    wires = [(u, v, wire) for (u, v), wire in zip(tree.tolist(), links(game, grid, tree), strict=True)]
    row, col = game.station
    source, frames, captions, lines, reached = row * width + col, [], [], [], []
    ends = [source]
    for first, (here, there) in ((True, (3, 4)), (False, (5, 6))):
        parent, depth = bfs(height * width, tree, source)[1:]
        for layer in tell.each(range(int(depth.max()) + 1)):
            frames.append(_frame(found, grid, wires, depth, layer, ends))
            cell = f"({source // width}, {source % width})"
            captions.append(f"search {1 if first else 2} from {cell}: {counted(layer, 'edge')} away")
            lines.append((2, here) if first and not layer else (here, there) if layer == depth.max() else (here,))
            reached.append(np.flatnonzero(depth == layer + 1).tolist())
        source = int(depth.argmax())
        ends.append(source)
    nodes = path(parent, source)
    length = int(depth.max())
    frames.append(_frame(found, grid, wires, depth, length, ends, nodes.tolist()))
    captions.append(f"a longest path: {counted(length, 'edge')}")
    lines.append((7,))
    reached.append([])
    tell.add(1)
    film = Animation(frames, captions, seconds=seconds, title="The diameter by two searches", code=_CODE, lines=lines)

    def asked() -> tuple[list[Place], list[Step]]:
        steps = []
        for out, words, lit, right in zip(frames, captions, lines, reached, strict=True):
            steps.append(Step(out, words, lit, right, "Which tile is reached next?" if right else ""))
        return cells(frames[0], "tile"), steps

    return asking(film, asked)


def _frame(
    theme: Theme,
    grid: Cells,
    wires: list[tuple[int, int, str]],
    depth: Any,
    layer: int,
    ends: list[int],
    nodes: list[int] | None = None,
) -> Picture:
    """Draws a frame: the tree, the known distances, the ends of the searches and, in the last frame, the path."""
    width = grid.shape[1]
    wide, high = grid.extent
    words = f"{counted(int((depth <= layer).sum()), 'tile')} within {counted(layer, 'edge')}."
    out = Picture(wide + 40, high + 40, theme, title="Breadth-first search in a tree", description=words)
    out.cells = grid
    on_path = set(nodes or ())
    for color, thick, marked in ((theme.tile_edge, 2.5, False), (theme.red, 6, True)):
        lines = "".join(wire for u, v, wire in wires if (u in on_path and v in on_path) == marked)
        if lines:
            out.path(lines, fill="none", stroke=color, stroke_width=thick)
    for node, far in enumerate(depth.tolist()):
        x, y = grid.center(*divmod(node, width))
        if far > layer:
            out.circle(x, y, 3, fill=theme.tile_edge)
            continue
        fill = theme.red if node in on_path else theme.orange if far == layer else theme.tile
        strong = node in ends
        edge = theme.ink if strong else theme.tile_edge
        out.circle(x, y, grid.size * 0.34, fill=fill, stroke=edge, stroke_width=3 if strong else 1)
        out.text(x, y, str(far), size=grid.size * 0.32, fill=theme.letters_on(fill))
    return out
