"""What a report draws: boards of cells and graphs, each as text and as shapes."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from ..draw.svg import Picture, distance
from ..draw.theme import Theme

__all__ = ["WIRES", "Board", "ColoredBoard", "Graph", "Panel", "beside", "row_of"]

WIRES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""The symbol of each of the sixteen sets of sides, at the index with the bits N=1 E=2 S=4 W=8."""

_CELL = 34.0
_TITLE = 22.0
_GAP = 18.0
_CORNERS = ((0.25, 0.25), (0.25, 0.75), (0.75, 0.25), (0.75, 0.75))
"""Where a symbol can be drawn in a cell to avoid lines, as fractions of the cell: down, then across."""


@dataclass(frozen=True)
class Board:
    """A board of cells with symbols. Some cells may be marked, and one of them more strongly."""

    title: str
    """What the board shows."""
    cells: Sequence[Sequence[str]]
    """The symbol of each cell, a list of rows."""
    colors: Sequence[Sequence[str]] | None = None
    """The name of a color of the theme per cell; ``None`` for the color of tiles."""
    wires: Sequence[Sequence[int]] | None = None
    """The sides to which lines are drawn in each cell, bits N=1 E=2 S=4 W=8; ``None`` for none."""
    wire_color: str = "ink"
    """The name of the color of the wires."""
    marked: frozenset[tuple[int, int]] = frozenset()
    """The cells that are marked, such as those that differ."""
    first: tuple[int, int] | None = None
    """The cell that is marked more strongly; ``None`` for none."""
    lines: tuple[tuple[tuple[float, float], tuple[float, float], str], ...] = ()
    """Lines between the centers of cells: the cells ``(row, col)`` of both ends, and the name of a color."""

    def text(self) -> list[str]:
        """Returns the title and the rows of the board, with the marked cells in brackets."""
        wide = max((len(symbol) for row in self.cells for symbol in row), default=1)
        rows = []
        for r, row in enumerate(self.cells):
            shown = []
            for c, symbol in enumerate(row):
                left, right = "[]" if (r, c) in self.marked or (r, c) == self.first else "  "
                shown.append(f"{left}{symbol:>{wide}}{right}")
            rows.append("".join(shown))
        return [self.title, *rows]

    @property
    def _scale(self) -> float:
        longest = max(len(self.cells), max((len(row) for row in self.cells), default=1), 1)
        return min(_CELL, 480 / longest)

    def size(self) -> tuple[float, float]:
        """Returns the width and height in pixels."""
        wide = max((len(row) for row in self.cells), default=1)
        return max(wide * self._scale, 7.5 * len(self.title)), _TITLE + len(self.cells) * self._scale

    def draw(self, out: Picture, x: float, y: float) -> None:
        """Draws the board.

        * ``out``: the picture to draw on.
        * ``x``: the left edge in pixels.
        * ``y``: the upper edge in pixels.
        """
        theme, cell = out.theme, self._scale
        out.text(x, y + _TITLE / 2, self.title, size=13, fill=theme.muted, text_anchor="start")
        y += _TITLE
        for r, row in enumerate(self.cells):
            for c in range(len(row)):
                color = self.colors[r][c] if self.colors else "tile"
                left, top = x + c * cell, y + r * cell
                out.rect(left + 1, top + 1, cell - 2, cell - 2, rx=cell * 0.08, fill=getattr(theme, color))
                if self.wires is not None:
                    self._wire(out, left, top, cell, int(self.wires[r][c]))
        for (r1, c1), (r2, c2), name in self.lines:
            ends = (x + (c1 + 0.5) * cell, y + (r1 + 0.5) * cell, x + (c2 + 0.5) * cell, y + (r2 + 0.5) * cell)
            stroke = getattr(theme, name)
            out.line(*ends, stroke=stroke, stroke_width=cell * 0.09, stroke_linecap="round")
            out.circle(ends[2], ends[3], cell * 0.13, fill=stroke)
        for r, row in enumerate(self.cells):
            for c, symbol in enumerate(row):
                if symbol.strip():
                    fill = theme.letters_on(getattr(theme, self.colors[r][c] if self.colors else "tile"))
                    down, across = self._place(r, c)
                    size = cell * (0.5 if len(symbol) < 3 else 0.34) * (0.75 if self.lines else 1)
                    out.text(x + (c + across) * cell, y + (r + down) * cell, symbol, size=size, fill=fill)
        for r, c in sorted(self.marked | ({self.first} if self.first else set())):
            strong = (r, c) == self.first
            out.rect(
                x + c * cell + 1,
                y + r * cell + 1,
                cell - 2,
                cell - 2,
                rx=cell * 0.08,
                fill="none",
                stroke=theme.red,
                stroke_width=cell * (0.11 if strong else 0.05),
                stroke_dasharray=None if strong else f"{cell * 0.1:.1f} {cell * 0.1:.1f}",
            )

    def _place(self, r: int, c: int) -> tuple[float, float]:
        """Returns where the symbol of a cell is drawn: in the middle, or in the corner farthest from the lines."""
        if not self.lines or self.cells[r][c] == ".":
            return 0.5, 0.5

        def clearance(corner: tuple[float, float]) -> float:
            # Lines are measured from the centers of cells, corners from the edges.
            return min(distance((r + corner[0] - 0.5, c + corner[1] - 0.5), *line[:2]) for line in self.lines)

        return max(_CORNERS, key=clearance)

    def _wire(self, out: Picture, left: float, top: float, cell: float, bits: int) -> None:
        half = cell / 2
        style = {"stroke": getattr(out.theme, self.wire_color), "stroke_width": cell * 0.12, "stroke_linecap": "round"}
        for bit, (dy, dx) in ((1, (-1, 0)), (2, (0, 1)), (4, (1, 0)), (8, (0, -1))):
            if bits & bit:
                out.line(left + half, top + half, left + half + dx * half, top + half + dy * half, **style)


class ColoredBoard(Board):
    """A board whose symbols appear only in the text: the picture has colors, wires and lines instead."""

    def draw(self, out: Picture, x: float, y: float) -> None:
        """Draws the board without its symbols.

        * ``out``: the picture to draw on.
        * ``x``: the left edge in pixels.
        * ``y``: the upper edge in pixels.
        """
        blank = [[" "] * len(row) for row in self.cells]
        replace(self._board(), cells=blank).draw(out, x, y)

    def _board(self) -> Board:
        return Board(**{each.name: getattr(self, each.name) for each in fields(self)})


@dataclass(frozen=True)
class Graph:
    """A graph, drawn on a circle."""

    title: str
    """What the graph shows."""
    nodes: int
    """The number of nodes, which are placed on a circle."""
    edges: Sequence[tuple[int, int, str, str]]
    """The edges ``(u, v, label, kind)``; the kind is ``"tree"``, ``"thin"``, ``"wrong"`` or ``"missing"``."""
    labels: Sequence[str] | None = None
    """The label of each node, beside its number; ``None`` for the numbers alone."""
    colors: Sequence[str] | None = None
    """The name of a color of the theme per node; ``None`` for the color of tiles."""
    marked: frozenset[int] = field(default_factory=frozenset)
    """The nodes that are marked, such as those that differ."""

    def text(self) -> list[str]:
        """Returns the title, the labels of the nodes and up to 40 edges as lines of text."""
        symbols = {"tree": "==", "thin": "--", "wrong": "##", "missing": ".."}
        rows = [self.title]
        if self.labels is not None:
            for node, label in enumerate(self.labels):
                rows.append(f"[{node}: {label}]" if node in self.marked else f" {node}: {label}")
        for u, v, label, kind in self.edges[:40]:
            rows.append(f"{u} {symbols[kind]} {v}" + (f"  ({label})" if label else ""))
        if len(self.edges) > 40:
            rows.append(f"... {len(self.edges) - 40} more")
        return rows

    def size(self) -> tuple[float, float]:
        """Returns the width and height in pixels."""
        side = min(150 + 14.0 * self.nodes, 380)
        return max(side, 7.5 * len(self.title)), _TITLE + self._above + side

    @property
    def _above(self) -> float:
        """The height in pixels that is reserved for the label of the first node, at the top of the circle."""
        return 16.0 if self.labels is not None and self.nodes <= 16 else 0.0

    def draw(self, out: Picture, x: float, y: float) -> None:
        """Draws the graph.

        * ``out``: the picture to draw on.
        * ``x``: the left edge in pixels.
        * ``y``: the upper edge in pixels.
        """
        theme = out.theme
        out.text(x, y + _TITLE / 2, self.title, size=13, fill=theme.muted, text_anchor="start")
        y += self._above
        side = min(150 + 14.0 * self.nodes, 380)
        middle, radius = side / 2, side / 2 - 26
        small = 13 if self.nodes <= 16 else 8
        at = []
        for node in range(self.nodes):
            angle = 2 * math.pi * node / max(self.nodes, 1) - math.pi / 2
            reach = radius if self.nodes > 1 else 0
            at.append((x + middle + reach * math.cos(angle), y + _TITLE + middle + reach * math.sin(angle)))
        looks = {
            "thin": (theme.tile_edge, 1.5, None),
            "tree": (theme.blue, 5.0, None),
            "wrong": (theme.red, 5.0, None),
            "missing": (theme.orange, 3.5, "6 5"),
        }
        for u, v, _, kind in self.edges:
            stroke, width, dashes = looks[kind]
            if u == v:  # a loop is drawn beside its node, away from the label
                px, py = at[u][0] - x - middle, at[u][1] - y - _TITLE - middle
                length = math.hypot(px, py) or 1.0
                px, py = at[u][0] - 15 * py / length, at[u][1] + 15 * px / length
                out.circle(px, py, 11, fill="none", stroke=stroke, stroke_width=width)
                continue
            out.line(*at[u], *at[v], stroke=stroke, stroke_width=width, stroke_dasharray=dashes, stroke_linecap="round")
        for u, v, label, _ in self.edges:
            if label and len(self.edges) <= 30:
                # Labels lie a third of the way along their edges, so that those of crossing edges do not overlap.
                px, py = (2 * at[u][0] + at[v][0]) / 3, (2 * at[u][1] + at[v][1]) / 3
                out.rect(px - 4 - 3.2 * len(label), py - 8, 8 + 6.4 * len(label), 16, rx=4, fill=theme.page)
                out.text(px, py, label, size=11, fill=theme.ink)
        for node, (px, py) in enumerate(at):
            fill = getattr(theme, self.colors[node]) if self.colors else theme.tile
            stroke = theme.red if node in self.marked else theme.ink
            out.circle(px, py, small, fill=fill, stroke=stroke, stroke_width=4 if node in self.marked else 1)
            out.text(px, py, str(node), size=small * 0.9, fill=theme.letters_on(fill))
            if self.labels is not None and self.labels[node] and self.nodes <= 16:
                below = py + (26 if py > y + _TITLE + middle - 1 else -23)
                out.text(px, below, self.labels[node], size=11, fill=theme.red if node in self.marked else theme.muted)


Panel = Board | Graph


def beside(panels: Sequence[Panel]) -> str:
    """Returns the texts of panels side by side.

    * ``panels``: the panels, from left to right.
    """
    blocks = [panel.text() for panel in panels]
    high = max((len(block) for block in blocks), default=0)
    widths = [max(len(line) for line in block) for block in blocks]
    rows = []
    for at in range(high):
        parts = [(block[at] if at < len(block) else "").ljust(wide) for block, wide in zip(blocks, widths, strict=True)]
        rows.append("   ".join(parts).rstrip())
    return "\n".join(rows)


def _wrapped(sentence: str, letters: int, most: int | None = None) -> list[str]:
    """Wraps a sentence into at most ``most`` rows of ``letters`` characters; "..." at the end marks omitted text."""
    rows = textwrap.wrap(sentence, letters, break_on_hyphens=False)
    if most is not None and len(rows) > most:
        rows = [*rows[: most - 1], rows[most - 1][: letters - 4] + " ..."]
    return rows


def row_of(
    panels: Sequence[Panel], theme: Theme, *, title: str, code: str, sentences: Sequence[str], good: bool
) -> Picture:
    """Draws panels in a row under a line of code and some sentences.

    * ``panels``: the panels, from left to right.
    * ``theme``: the colors, a ``Theme``.
    * ``title``: the title at the top of the picture, also for screen readers.
    * ``code``: the line of code above the panels.
    * ``sentences``: the sentences below that line.
    * ``good``: whether the sentences report a success; the title has a green check mark if so, otherwise a red cross.
    """
    sizes = [panel.size() for panel in panels]
    width = max(sum(size[0] for size in sizes) + _GAP * (len(sizes) + 1), 520.0)
    letters = int((width - 2 * _GAP) / 7.8)
    rows: list[tuple[str, str | None]]
    rows = [(row, "DejaVu Sans Mono, monospace") for row in _wrapped(code, letters, 8)]
    rows += [(row, None) for sentence in sentences for row in _wrapped(sentence, letters)]
    head = _GAP + 24 + 18 * len(rows) + 8
    height = head + max((size[1] for size in sizes), default=0) + _GAP
    out = Picture(width, height, theme, title=title, description=" ".join([code, *sentences]).strip(), corner=8)
    color = theme.green if good else theme.red
    out.circle(_GAP + 7, _GAP + 8, 8, fill=color)
    tick: Any = {"fill": "none", "stroke": theme.page, "stroke_width": 2.2, "stroke_linecap": "round"}
    if good:
        out.path(f"M{_GAP + 3.5} {_GAP + 8}l2.6 3l5 -6", **tick)
    else:
        out.path(f"M{_GAP + 4} {_GAP + 5}l6 6m0 -6l-6 6", **tick)
    out.text(_GAP + 22, _GAP + 8, title, size=16, fill=theme.ink, text_anchor="start", font_weight="bold")
    for at, (row, family) in enumerate(rows):
        style: Any = {"font_family": family, "size": 12} if family else {"size": 13}
        out.text(_GAP, _GAP + 34 + 18 * at, row, fill=theme.ink, text_anchor="start", **style)
    x = _GAP
    for panel, size in zip(panels, sizes, strict=True):
        panel.draw(out, x, head)
        x += size[0] + _GAP
    return out
