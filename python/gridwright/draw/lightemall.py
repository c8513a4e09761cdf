"""The picture of LightEmAll: dark tiles, wires that fade with the distance from the station, a seven-pointed star."""

from __future__ import annotations

import math
from typing import Any

from ..lightemall import Tile
from .svg import Picture, number
from .theme import Theme

__all__ = ["caption", "glyphs", "picture"]

# By mask of wires, N=1 E=2 S=4 W=8.
_SIGNS = "·╵╶└╷│┌├╴┘─┴┐┤┬┼"
_HEX_SIDES = 6


def glyphs(game: Any) -> list[list[tuple[str, str]]]:
    """Wires as box-drawing signs, a space between tiles; hexagons as their masks in hex. The station's tile is red."""
    rows = []
    hexagonal = game.hexagonal
    for r, codes in enumerate(game.board.tolist()):
        row: list[tuple[str, str]] = [("  ", "muted")] if hexagonal and r % 2 else []
        for c, code in enumerate(codes):
            role = "red" if code & Tile.STATION else "yellow" if code & Tile.POWERED else "muted"
            if c:
                joined = not hexagonal and code & Tile.W and codes[c - 1] & Tile.E
                lit = bool(code & Tile.POWERED and codes[c - 1] & Tile.POWERED)
                row.append(("─" if joined else " ", "yellow" if joined and lit else "muted"))
                if hexagonal:
                    row.append((" ", "muted"))
            row.append((f"{code & 63:02x}" if hexagonal else _SIGNS[code & 15], role))
        rows.append(row)
    return rows


def caption(game: Any, move: Any) -> str:
    """Says which tile is turned, or where the station goes."""
    kind, row, col = (int(part) for part in move)
    return f"station to {row}, {col}" if kind else f"turn {row}, {col}"


def _mix(one: str, other: str, share: float) -> str:
    """A colour between two of the form #rrggbb."""
    parts = [round(int(one[i : i + 2], 16) * (1 - share) + int(other[i : i + 2], 16) * share) for i in (1, 3, 5)]
    return "#" + "".join(f"{part:02x}" for part in parts)


def _describe(game: Any) -> str:
    lit, n = int(game.powered.sum()), game.height * game.width
    row, col = game.station
    words = f"{lit} of {n} tiles are powered; the station is at row {row}, column {col}."
    if game.radius is not None:
        words += f" Power reaches {game.radius} tiles along the wires."
    return words + (" Solved." if game.is_solved else "")


def picture(game: Any, theme: Theme, size: float, *, reach: int | None = None) -> Picture:
    """Draws the board; wires fade from bright at the station to dim at the end of its reach.

    With ``reach`` only tiles within that distance are drawn as powered.
    """
    height, width = game.shape
    hexagonal = game.hexagonal
    pad = size / 2
    # Hexagons with a flat width of one tile: rows lie three quarters of their height apart.
    radius = size / math.sqrt(3)
    step = 1.5 * radius if hexagonal else size
    wide = (width + (0.5 if hexagonal and height > 1 else 0)) * size
    high = (height - 1) * step + (2 * radius if hexagonal else size)
    out = Picture(
        wide + 2 * pad,
        high + 2 * pad,
        theme,
        title=f"LightEmAll, {height} rows and {width} columns" + (" of hexagons" if hexagonal else ""),
        description=_describe(game),
        corner=size / 4,
    )

    out.grid(pad, pad, size, game.shape, hexagonal=hexagonal)

    def middle(row: int, col: int) -> tuple[float, float]:
        x = pad + (col + 0.5 + (0.5 if hexagonal and row % 2 else 0)) * size
        return x, pad + row * step + (radius if hexagonal else size / 2)

    codes, far = game.board.tolist(), game.distance.tolist()
    most = max(
        (
            d
            for line, marks in zip(far, codes, strict=True)
            for d, code in zip(line, marks, strict=True)
            if code & Tile.POWERED
        ),
        default=0,
    )
    _ground(out, game, theme, size, radius, middle)
    paths: dict[str, list[str]] = {}
    dim, dark = _mix(theme.glow, theme.night, 0.62), _mix(theme.muted, theme.night, 0.1)
    for row in range(height):
        for col in range(width):
            code = codes[row][col]
            share = far[row][col] / most if most else 0.0
            lit = code & Tile.POWERED and (reach is None or far[row][col] <= reach)
            colour = _mix(theme.glow, dim, share) if lit else dark
            paths.setdefault(colour, []).append(_wires(code & 63, *middle(row, col), size, hexagonal))
    wire: dict[str, Any] = {"fill": "none", "stroke_width": size * 0.13, "stroke_linecap": "round"}
    # Unpowered wires first, so that light lies on top where tiles touch.
    for colour in sorted(paths, key=lambda colour: colour != dark):
        out.path(" ".join(paths[colour]), stroke=colour, **wire)
    _station(out, *middle(*game.station), size)
    return out


def _ground(out: Picture, game: Any, theme: Theme, size: float, radius: float, middle: Any) -> None:
    height, width = game.shape
    edge: dict[str, Any] = {"fill": theme.night, "stroke": theme.tile_edge, "stroke_width": size * 0.02}
    if not game.hexagonal:
        x, y = middle(0, 0)
        left, top = x - size / 2, y - size / 2
        out.rect(left, top, width * size, height * size, rx=size * 0.1, fill=theme.night)
        lines = [f"M{number(left + i * size)} {number(top)}v{number(height * size)}" for i in range(1, width)]
        lines += [f"M{number(left)} {number(top + i * size)}h{number(width * size)}" for i in range(1, height)]
        if lines:
            out.path("".join(lines), fill="none", stroke=theme.muted, stroke_opacity=0.4, stroke_width=size * 0.03)
        return
    angles = [math.pi / 3 * k + math.pi / 6 for k in range(_HEX_SIDES)]
    cells = []
    for row in range(height):
        for col in range(width):
            x, y = middle(row, col)
            points = [f"{number(x + radius * math.cos(a))} {number(y + radius * math.sin(a))}" for a in angles]
            cells.append("M" + "L".join(points) + "Z")
    out.path("".join(cells), **edge)


def _wires(mask: int, x: float, y: float, size: float, hexagonal: bool) -> str:
    """Lines from the middle of a tile to the sides of a mask, and a dot where there is none."""
    sides = _HEX_SIDES if hexagonal else 4
    found = []
    for side in range(sides):
        if mask >> side & 1:
            # Clockwise: from the top on squares, from the upper right on hexagons.
            angle = 2 * math.pi * side / sides - (math.pi / 3 if hexagonal else math.pi / 2)
            dx, dy = math.cos(angle) * size / 2, math.sin(angle) * size / 2
            found.append(f"M{number(x)} {number(y)}l{number(dx)} {number(dy)}")
    return "".join(found) or f"M{number(x)} {number(y)}h0"


def _station(out: Picture, x: float, y: float, size: float) -> None:
    """The star of the source document: seven points, cyan with an orange outline."""
    points = []
    for k in range(14):
        angle = math.pi * k / 7 - math.pi / 2
        reach = size / 3 * (1.0 if k % 2 == 0 else 0.5)
        points.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    star: dict[str, Any] = {"fill": out.theme.sky, "stroke": out.theme.orange, "stroke_width": size * 0.04}
    out.polygon(points, stroke_linejoin="round", **star)
