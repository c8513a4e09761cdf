"""Shapes of SVG pictures: a list of elements with a size, a title and a description."""

from __future__ import annotations

import base64
import math
import os
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from .theme import Theme

__all__ = ["Cells", "Picture", "number"]


def number(value: float) -> str:
    """Writes a coordinate: at most two places, no more than needed.

    >>> number(3.0), number(1 / 3), number(-0.001)
    ('3', '0.33', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


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
    """Where the cells of a picture are."""

    x: float
    y: float
    size: float
    shape: tuple[int, int]
    hexagonal: bool = False
    pitch: float | None = None

    def centre(self, row: int, col: int) -> tuple[float, float]:
        """Gives the middle of a cell.

        >>> Cells(10, 10, 20, (3, 3)).centre(0, 2)
        (60.0, 20.0)
        """
        if not self.hexagonal:
            return self.x + (col + 0.5) * self.size, self.y + (row + 0.5) * (self.pitch or self.size)
        return self.x + (col + 0.5 + 0.5 * (row % 2)) * self.size, self.y + self._radius + row * self._pitch

    @property
    def _radius(self) -> float:
        return self.size / math.sqrt(3)

    @property
    def _pitch(self) -> float:
        return self.pitch or 1.5 * self._radius

    def outline(self, row: int, col: int, inset: float = 0) -> list[tuple[float, float]]:
        """Gives the corners of a cell, clockwise."""
        x, y = self.centre(row, col)
        if not self.hexagonal:
            dx, dy = self.size * (0.5 - inset), (self.pitch or self.size) * (0.5 - inset)
            return [(x - dx, y - dy), (x + dx, y - dy), (x + dx, y + dy), (x - dx, y + dy)]
        r = self._radius * (1 - 2 * inset)
        return [(x + r * math.sin(k * math.pi / 3), y - r * math.cos(k * math.pi / 3)) for k in range(6)]

    def at(self, x: float, y: float) -> tuple[int, int] | None:
        """Finds the cell at a point.

        >>> Cells(0, 0, 20, (2, 2), hexagonal=True).at(39, 30)
        (1, 1)
        """
        height, width = self.shape
        if not (math.isfinite(x) and math.isfinite(y)):
            return None
        if not self.hexagonal:
            row, col = math.floor((y - self.y) / (self.pitch or self.size)), math.floor((x - self.x) / self.size)
            return (row, col) if 0 <= row < height and 0 <= col < width else None
        # In a net of hexagons a point belongs to the nearest middle.
        guess = math.floor((y - self.y) / self._pitch)
        near = []
        for row in (guess - 1, guess, guess + 1):
            col = math.floor((x - self.x) / self.size - 0.5 * (row % 2))
            for at in (col - 1, col, col + 1):
                cx, cy = self.centre(row, at)
                near.append(((cx - x) ** 2 + (cy - y) ** 2, row, at))
        _, row, col = min(near)
        return (row, col) if 0 <= row < height and 0 <= col < width else None


class Picture:
    """A picture that grows by shapes, in user units from the top left.

    ``title`` and ``description`` are read to those who cannot see it.

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
        self.cells: Cells | None = None
        self.flat = True
        """Whether a point of the picture is a point of one cell; false for a view in three dimensions."""
        self.rect(0, 0, width, height, rx=corner, fill=theme.page)

    def add(self, element: str) -> None:
        """Adds a piece of SVG as it is."""
        self.parts.append(element)

    def shape(self, name: str, **named: object) -> None:
        """Adds any element; ``_`` in a name stands for ``-``."""
        self.parts.append(f"<{name}{_attributes(named)}/>")

    def rect(self, x: float, y: float, width: float, height: float, *, rx: float = 0, **named: object) -> None:
        """Adds a rectangle."""
        self.shape("rect", x=x, y=y, width=width, height=height, rx=rx, **named)

    def circle(self, x: float, y: float, r: float, **named: object) -> None:
        """Adds a circle."""
        self.shape("circle", cx=x, cy=y, r=r, **named)

    def line(self, x1: float, y1: float, x2: float, y2: float, **named: object) -> None:
        """Adds a line."""
        self.shape("line", x1=x1, y1=y1, x2=x2, y2=y2, **named)

    def polygon(self, points: Iterable[tuple[float, float]], **named: object) -> None:
        """Adds a closed outline."""
        self.shape("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), **named)

    def path(self, d: str, **named: object) -> None:
        """Adds a path."""
        self.shape("path", d=d, **named)

    def text(self, x: float, y: float, text: str, *, size: float, **named: object) -> None:
        """Adds text, centred on a point."""
        style = {"text_anchor": "middle", "font_family": "DejaVu Sans, Verdana, sans-serif", "font_size": size, **named}
        # The middle of capitals and digits; dominant-baseline is not understood everywhere.
        self.parts.append(f"<text{_attributes({'x': x, 'y': y + 0.36 * size, **style})}>{escape(text)}</text>")

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
        """Tells where the cells are, for clicks and marks: the corner of the first, their width, how many there are.

        Hexagons stand on a corner, odd rows half a cell to the right; ``pitch`` is the distance of the rows.
        """
        self.cells = Cells(x, y, size, shape, hexagonal, pitch)

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Finds the cell at a point; ``None`` beside the board.

        >>> from gridwright.draw.theme import LIGHT
        >>> picture = Picture(60, 40, LIGHT, title="", description="")
        >>> picture.grid(10, 10, 20, (1, 2))
        >>> picture.cell_at(35, 29), picture.cell_at(35, 31)
        ((0, 1), None)
        """
        return self.cells.at(x, y) if self.cells else None

    def outline(self, row: int, col: int, inset: float = 0) -> list[tuple[float, float]]:
        """Gives the corners of a cell, drawn in by a part of its width."""
        if self.cells is None:
            raise ValueError("a picture that does not tell its cells, wanted one with a grid")
        return self.cells.outline(row, col, inset)

    def begin(self, **named: object) -> None:
        """Opens a group, for a transform or shared attributes."""
        self.parts.append(f"<g{_attributes(named)}>")

    def end(self) -> None:
        """Closes the group opened last."""
        self.parts.append("</g>")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        source = base64.b64encode(self.render().encode()).decode()
        alt = escape(self.title)
        return {
            "text/html": f'<img src="data:image/svg+xml;base64,{source}" alt="{alt}">',
            "text/plain": self.title,
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file, ``.svg`` or ``.png`` by the ending; PNG needs ``gridwright[images]``."""
        from . import png

        file = Path(path)
        if file.suffix.lower() == ".svg":
            file.write_text(self.render(), encoding="utf-8")
        elif file.suffix.lower() == ".png":
            file.write_bytes(png(self.render()))
        else:
            raise ValueError(f"a picture with the ending {file.suffix!r}, wanted .svg or .png")

    def render(self) -> str:
        """Gives the SVG text."""
        size = _attributes({"viewBox": f"0 0 {number(self.width)} {number(self.height)}"})
        size += _attributes({"width": self.width, "height": self.height, "role": "img", "aria-label": self.title})
        head = f'<svg xmlns="http://www.w3.org/2000/svg"{size}>'
        words = [f"<title>{escape(self.title)}</title>", f"<desc>{escape(self.description)}</desc>"]
        return "\n".join([head, *words, *self.parts, "</svg>"])
