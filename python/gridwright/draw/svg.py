"""SVG pictures: a list of elements with a size, a title and a description."""

from __future__ import annotations

import base64
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

from ..files import ending, write
from .theme import Theme

__all__ = ["Cells", "Picture", "distance", "number"]

FONT = "DejaVu Sans, Verdana, sans-serif"


def number(value: float) -> str:
    """Returns a coordinate as text, with at most two decimals and no trailing zeros.

    * ``value``: any finite number.

    >>> number(3.0), number(1 / 3), number(-0.001)
    ('3', '0.33', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def distance(point: Sequence[float], one: Sequence[float], other: Sequence[float]) -> float:
    """Returns the distance from a point to a segment; all three points list their coordinates in the same order.

    * ``point``: the point.
    * ``one``, ``other``: the ends of the segment, which may be equal.

    >>> distance((2, 1), (0, 0), (4, 0)), distance((7, 4), (0, 0), (4, 0)), distance((3, 4), (0, 0), (0, 0))
    (1.0, 5.0, 5.0)
    """
    (a, b), da, db = one, other[0] - one[0], other[1] - one[1]
    length = da * da + db * db
    t = max(0.0, min(1.0, ((point[0] - a) * da + (point[1] - b) * db) / length)) if length else 0.0
    return math.hypot(point[0] - a - t * da, point[1] - b - t * db)


def _attributes(named: dict[str, object]) -> str:
    parts = []
    for name, value in named.items():
        if value is None:
            continue
        shown = number(value) if isinstance(value, int | float) else str(value)
        parts.append(f' {name.rstrip("_").replace("_", "-")}="{escape(shown)}"')
    return "".join(parts)


@dataclass(frozen=True)
class Cells:
    """Where the cells of a picture are, in user units of the SVG."""

    x: float
    """Left edge of the first cell."""
    y: float
    """Top edge of the first cell."""
    size: float
    """Width of a cell."""
    shape: tuple[int, int]
    """Numbers of rows and columns."""
    hexagonal: bool = False
    """Whether the cells are hexagons that stand on a corner, with odd rows half a cell to the right."""
    pitch: float | None = None
    """Distance between two rows; by default that of squares or of regular hexagons."""
    slant: tuple[float, float, float, float] | None = None
    """Offsets of one column and of one row, ``(x, y, x, y)``, on ground that a camera sees at an angle."""
    lift: float = 0
    """How much higher a point appears in the picture if it is one cell above the ground."""

    def point(self, row: float, col: float) -> tuple[float, float]:
        """Returns the point ``(x, y)`` at a place on a board of squares.

        * ``row``, ``col``: the place, counted in cells from the top left corner of the board: 0 is the edge of the
          first cell and 0.5 its middle. Places outside the board are allowed.

        >>> Cells(10, 10, 20, (3, 3), slant=(20, 5, -5, 15)).point(1, 2)
        (45, 35)
        """
        across, over, back, down = self.slant or (self.size, 0, 0, self.pitch or self.size)
        return self.x + col * across + row * back, self.y + col * over + row * down

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Returns the place ``(row, col)`` of a point on a board of squares: the inverse of `point`.

        * ``x``, ``y``: the point in user units; it may lie outside the board.

        >>> Cells(10, 10, 20, (3, 3)).place(20, 50)
        (2.0, 0.5)
        """
        across, over, back, down = self.slant or (self.size, 0, 0, self.pitch or self.size)
        # Cramer's rule for the two equations of `point`; the determinant is the area of a cell.
        area = across * down - back * over
        x, y = x - self.x, y - self.y
        return (y * across - x * over) / area, (x * down - y * back) / area

    def center(self, row: int, col: int) -> tuple[float, float]:
        """Returns the center of a cell as ``(x, y)``.

        * ``row``, ``col``: the cell; one outside the board is allowed.

        >>> Cells(10, 10, 20, (3, 3)).center(0, 2)
        (60.0, 20.0)
        """
        if not self.hexagonal:
            return self.point(row + 0.5, col + 0.5)
        return self.x + (col + 0.5 + 0.5 * (row % 2)) * self.size, self.y + self._radius + row * self._pitch

    @property
    def _radius(self) -> float:
        return self.size / math.sqrt(3)

    @property
    def _pitch(self) -> float:
        return self.pitch or 1.5 * self._radius

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of all cells together, in user units; ``slant`` is not taken into account."""
        height, width = self.shape
        if not self.hexagonal:
            return width * self.size, height * (self.pitch or self.size)
        return (width + (0.5 if height > 1 else 0)) * self.size, (height - 1) * self._pitch + 2 * self._radius

    def outline(self, row: int, col: int, inset: float = 0) -> list[tuple[float, float]]:
        """Returns the corners of a cell as points ``(x, y)``, clockwise: four for a square, six for a hexagon.

        * ``row``, ``col``: the cell; one outside the board is allowed.
        * ``inset``: how far the sides are moved inward, as a share of the cell's width. 0.5 shrinks the cell to its
          center; a negative share moves the sides outward. Default 0.

        >>> Cells(10, 10, 20, (3, 3)).outline(0, 1, 0.1)
        [(32.0, 12.0), (48.0, 12.0), (48.0, 28.0), (32.0, 28.0)]
        """
        if not self.hexagonal:
            top, left, low, right = row + inset, col + inset, row + 1 - inset, col + 1 - inset
            return [self.point(*corner) for corner in ((top, left), (top, right), (low, right), (low, left))]
        x, y = self.center(row, col)
        r = self._radius * (1 - 2 * inset)
        return [(x + r * math.sin(k * math.pi / 3), y - r * math.cos(k * math.pi / 3)) for k in range(6)]

    def at(self, x: float, y: float) -> tuple[int, int] | None:
        """Returns the cell at a point, or ``None`` if the point is outside the board.

        * ``x``, ``y``: the point in user units; ``None`` is returned if either is infinite or NaN.

        >>> Cells(0, 0, 20, (2, 2), hexagonal=True).at(39, 30)
        (1, 1)
        """
        height, width = self.shape
        if not (math.isfinite(x) and math.isfinite(y)):
            return None
        if not self.hexagonal:
            row, col = (math.floor(part) for part in self.place(x, y))
            return (row, col) if 0 <= row < height and 0 <= col < width else None
        # In a lattice of hexagons, a point belongs to the nearest center, one of the nine centers around an estimate.
        guess = math.floor((y - self.y) / self._pitch)
        near = []
        for row in (guess - 1, guess, guess + 1):
            col = math.floor((x - self.x) / self.size - 0.5 * (row % 2))
            for at in (col - 1, col, col + 1):
                cx, cy = self.center(row, at)
                near.append(((cx - x) ** 2 + (cy - y) ** 2, row, at))
        _, row, col = min(near)
        return (row, col) if 0 <= row < height and 0 <= col < width else None


class Picture:
    """A picture to which shapes are added, in user units from the top left.

    * ``width``, ``height``: the size of the picture in user units, which are pixels at scale 1; more than 0.
    * ``theme``: the ``Theme`` whose page color fills the picture.
    * ``title``: a short text that a screen reader reads first; also the tooltip.
    * ``description``: a longer text for a screen reader; may be empty.
    * ``corner``: the radius of the corners of the page, in user units. Default 0.

    The coordinates and attributes of shapes are not checked; a shape outside the picture is not visible. All methods
    that add a shape take further attributes of the SVG element by keyword; ``_`` in a name stands for ``-``, a trailing
    ``_`` is dropped, and an attribute that is ``None`` is left out.

    >>> from gridwright.draw.theme import LIGHT
    >>> picture = Picture(20, 10, LIGHT, title="A dot", description="One dot.")
    >>> picture.circle(5, 5, 2, fill=LIGHT.blue)
    >>> print(picture.render())
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" width="20" height="10" role="img" aria-label="A dot">
    <title>A dot</title>
    <desc>One dot.</desc>
    <rect x="0" y="0" width="20" height="10" rx="0" fill="#fbfaf7"/>
    <circle cx="5" cy="5" r="2" fill="#0072b2"/>
    </svg>
    """

    def __init__(
        self, width: float, height: float, theme: Theme, *, title: str, description: str, corner: float = 0
    ) -> None:
        self.width, self.height, self.theme = width, height, theme
        self.title, self.description = title, description
        self.parts: list[str] = []
        self.ids: dict[str, int] = {}
        """Index in ``parts`` of each piece that has an id."""
        self.cells: Cells | None = None
        self.rect(0, 0, width, height, rx=corner, fill=theme.page)

    def add(self, element: str) -> None:
        """Adds an element unchanged.

        * ``element``: SVG text, which is neither escaped nor checked.
        """
        self.parts.append(element)

    def shape(self, name: str, **named: object) -> None:
        """Adds an element without content.

        * ``name``: the name of the SVG element, such as ``"ellipse"``.
        * ``named``: the attributes of the element; numbers are written with at most two decimals.
        """
        self.parts.append(f"<{name}{_attributes(named)}/>")

    def rect(self, x: float, y: float, width: float, height: float, *, rx: float = 0, **named: object) -> None:
        """Adds a rectangle.

        * ``x``, ``y``: the top left corner.
        * ``width``, ``height``: the size.
        * ``rx``: the radius of the corners. Default 0.
        * ``named``: further attributes.
        """
        self.shape("rect", x=x, y=y, width=width, height=height, rx=rx, **named)

    def circle(self, x: float, y: float, r: float, **named: object) -> None:
        """Adds a circle.

        * ``x``, ``y``: the center.
        * ``r``: the radius.
        * ``named``: further attributes.
        """
        self.shape("circle", cx=x, cy=y, r=r, **named)

    def line(self, x1: float, y1: float, x2: float, y2: float, **named: object) -> None:
        """Adds a straight line.

        * ``x1``, ``y1``: where the line begins.
        * ``x2``, ``y2``: where the line ends.
        * ``named``: further attributes.
        """
        self.shape("line", x1=x1, y1=y1, x2=x2, y2=y2, **named)

    def polygon(self, points: Iterable[tuple[float, float]], **named: object) -> None:
        """Adds a closed outline.

        * ``points``: the corners ``(x, y)`` in order; the last one is joined to the first.
        * ``named``: further attributes.
        """
        self.shape("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), **named)

    def path(self, d: str, **named: object) -> None:
        """Adds a path.

        * ``d``: the path commands of SVG, such as ``"M0 0L5 5"``.
        * ``named``: further attributes.
        """
        self.shape("path", d=d, **named)

    def text(self, x: float, y: float, text: str, *, size: float, **named: object) -> None:
        """Adds one line of text, centered on a point.

        * ``x``, ``y``: the point.
        * ``text``: the text, which is escaped.
        * ``size``: the size of the font in user units.
        * ``named``: further attributes; ``text_anchor``, ``font_family`` and ``font_size`` override the defaults.
        """
        style = {"text_anchor": "middle", "font_family": FONT, "font_size": size, **named}
        # The baseline is computed, because not every viewer supports dominant-baseline.
        self.parts.append(f"<text{_attributes({'x': x, 'y': y + 0.36 * size, **style})}>{escape(text)}</text>")

    @contextmanager
    def piece(self, key: str, motion: str | None = None) -> Iterator[None]:
        """Joins everything that is added inside the ``with`` block into one piece, which `changes` compares as a whole.

        * ``key``: the id of the piece, unique in the picture.
        * ``motion``: how a page shows a change of the piece: ``"move"`` (from the old place to the new one),
          ``"fade"`` or ``None``. With ``None`` (the default), a piece whose id begins with ``c``, a cell, fades, and
          any other piece changes at once. If more than 12 pieces change, none of them fades.

        Pieces must not be nested. A piece may be empty.

        >>> from gridwright.draw.theme import LIGHT
        >>> picture = Picture(20, 10, LIGHT, title="", description="")
        >>> with picture.piece("c0-1"):
        ...     picture.circle(5, 5, 2)
        >>> picture.parts[-1]
        '<circle data-id="c0-1" cx="5" cy="5" r="2"/>'
        """
        outer, self.parts = self.parts, []
        try:
            yield
        finally:
            inner, self.parts = self.parts, outer
        mark = f' data-id="{escape(key)}"' + (f' data-motion="{motion}"' if motion else "")
        if len(inner) == 1 and inner[0].endswith("/>") and inner[0].count("<") == 1 and " " in inner[0]:
            head, blank, rest = inner[0].partition(" ")
            text = f"{head}{mark}{blank}{rest}"
        else:
            text = f"<g{mark}>{''.join(inner)}</g>"
        self.put(key, text)

    def put(self, key: str, element: str) -> None:
        """Adds a piece that is one element.

        * ``key``: the id of the piece, unique in the picture.
        * ``element``: SVG text of one element with the attribute ``data-id`` equal to ``key``.
        """
        self.ids[key] = len(self.parts)
        self.parts.append(element)

    def put_all(self, keys: Sequence[str], elements: Sequence[str]) -> None:
        """Adds pieces that are one element each.

        * ``keys``: the ids of the pieces, unique in the picture.
        * ``elements``: the SVG text of each piece, one per key.
        """
        self.ids.update(zip(keys, range(len(self.parts), len(self.parts) + len(keys)), strict=True))
        self.parts += elements

    def changes(self, before: Picture) -> dict[str, str] | None:
        """Returns the pieces that differ from those of an earlier picture, as a dict from id to SVG text.

        * ``before``: the earlier picture.

        Returns ``None`` if the pictures have different pieces, or if a shape outside all pieces, the size or the theme
        differs: the whole picture is then needed. Titles and descriptions are not compared.

        >>> import gridwright as gw
        >>> from gridwright.draw import picture
        >>> game = gw.LightEmAll.level("level01")
        >>> before = picture(game)
        >>> game.rotate((2, 2))
        >>> sorted(picture(game).changes(before))
        ['c2-2']
        """
        same = (self.width, self.height) == (before.width, before.height) and self.theme == before.theme
        if not same or self.ids != before.ids or len(self.parts) != len(before.parts):
            return None
        keyed = set(self.ids.values())
        for index, (new, old) in enumerate(zip(self.parts, before.parts, strict=True)):
            if new != old and index not in keyed:
                return None
        return {key: self.parts[at] for key, at in self.ids.items() if self.parts[at] != before.parts[at]}

    def grid(
        self,
        x: float,
        y: float,
        size: float,
        shape: tuple[int, int],
        *,
        hexagonal: bool = False,
        pitch: float | None = None,
    ) -> None:
        """Sets where the cells are, for clicks and marks.

        * ``x``, ``y``: the top left corner of the first cell.
        * ``size``: the width of a cell, more than 0.
        * ``shape``: the numbers of rows and columns.
        * ``hexagonal``: whether the cells are hexagons that stand on a corner, with odd rows half a cell to the right.
          Default ``False``.
        * ``pitch``: the distance between two rows; ``None``, the default, is that of squares or regular hexagons.
        """
        self.cells = Cells(x, y, size, shape, hexagonal, pitch)

    def axes(self, *, first: int = 0) -> None:
        """Writes row numbers to the left of the grid and column numbers above it.

        * ``first``: the number of the first row and of the first column. Default 0.

        The margin beside the grid must be at least three quarters of a cell wide, and at least 20 units, for the
        numbers to fit. Raises ``ValueError`` if the picture has no grid.
        """
        if self.cells is None:
            raise ValueError("axes need a picture with a grid")
        self.parts += _axes(self.cells, self.theme, first)

    def _write_axes(self, cells: Cells, first: int) -> None:
        height, width = cells.shape
        # A digit takes at most 0.64 of the font size; the longest row number must fit to the left of the grid.
        digits = len(str(height - 1 + first))
        size = min(13.0, max(7.0, cells.size * 0.34), cells.x / (0.64 * digits + 0.45))
        # Every number if there is room for all, otherwise every 2nd, 5th, 10th and so on.
        room = size * 0.64 * len(str(max(height, width) + first)) + 3
        step = next((step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if step * cells.size >= room), 1000)
        style: dict[str, Any] = {"fill": self.theme.muted}
        for col in range(0, width, step):
            self.text(cells.center(0, col)[0], cells.y - 0.75 * size, str(col + first), size=size, **style)
        for row in range(0, height, step):
            at = (cells.x - 0.45 * size, cells.center(row, 0)[1])
            self.text(*at, str(row + first), size=size, text_anchor="end", **style)

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Returns the cell at a point, or ``None`` if the point is outside the board or the picture has no grid.

        * ``x``, ``y``: the point in user units.

        >>> from gridwright.draw.theme import LIGHT
        >>> picture = Picture(60, 40, LIGHT, title="", description="")
        >>> picture.grid(10, 10, 20, (1, 2))
        >>> picture.cell_at(35, 29), picture.cell_at(35, 31)
        ((0, 1), None)
        """
        return self.cells.at(x, y) if self.cells else None

    def outline(self, row: int, col: int, inset: float = 0) -> list[tuple[float, float]]:
        """Returns the corners of a cell as points ``(x, y)``, clockwise.

        * ``row``, ``col``: the cell; one outside the board is allowed.
        * ``inset``: how far the sides are moved inward, as a share of the cell's width; a negative share moves them
          outward. Default 0.

        Raises ``ValueError`` if the picture has no grid.
        """
        if self.cells is None:
            raise ValueError("an outline needs a picture with a grid")
        return self.cells.outline(row, col, inset)

    def begin(self, **named: object) -> None:
        """Opens a group, for a transform or shared attributes; `end` closes it.

        * ``named``: the attributes of the group.
        """
        self.parts.append(f"<g{_attributes(named)}>")

    def end(self) -> None:
        """Closes the group that was opened last."""
        self.parts.append("</g>")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        source = base64.b64encode(self.render().encode()).decode()
        alt = escape(self.title)
        return {
            "text/html": f'<img src="data:image/svg+xml;base64,{source}" alt="{alt}" style="max-width:100%">',
            "text/plain": self.title,
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file.

        * ``path``: a path that ends in ``.svg`` or ``.png``, in upper or lower case; PNG needs
          ``gridwright[images]``. Raises ``ValueError`` for any other ending.
        """
        from . import png

        form = ending(path, (".svg", ".png"))
        write(path, self.render() if form == ".svg" else png(self.render()))

    def render(self) -> str:
        """Returns the picture as SVG text."""
        size = _attributes({"viewBox": f"0 0 {number(self.width)} {number(self.height)}"})
        size += _attributes({"width": self.width, "height": self.height, "role": "img", "aria-label": self.title})
        head = f'<svg xmlns="http://www.w3.org/2000/svg"{size}>'
        words = [f"<title>{escape(self.title)}</title>", f"<desc>{escape(self.description)}</desc>"]
        return "\n".join([head, *words, *self.parts, "</svg>"])


@lru_cache(maxsize=64)
def _axes(cells: Cells, theme: Theme, first: int) -> tuple[str, ...]:
    """Returns the numbers beside a grid; cached, because they are the same in every picture of a board."""
    alone = Picture(0, 0, theme, title="", description="")
    alone.parts.clear()
    alone._write_axes(cells, first)
    return tuple(alone.parts)
