"""Pictures of LightEmAll: dark tiles, wires that are thick and bright if powered, and a star for the station."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arguments import integer
from ..lightemall import Tile, offsets
from ..words import counted, dimensions
from .bitmap import Pixels, beside, sprites
from .svg import Cells, Picture, number
from .text import TextGrid, numbers
from .theme import Theme, mix, rgb

__all__ = ["caption", "glyphs", "ground", "legend", "looks", "paint", "picture", "text_grid"]

# Symbols indexed by the mask of wires, N=1 E=2 S=4 W=8: without power, and with power.
_THIN = "·╵╶└╷│┌├╴┘─┴┐┤┬┼"
_THICK = "•╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"

# Diagonal strokes around the center of a hexagon in plain text: bit, rows down, columns right, symbol.
_HEX_STROKES = ((1, -1, 1, "/"), (4, 1, 1, "\\"), (8, 1, -1, "/"), (32, -1, -1, "\\"))
_HEX_EAST, _HEX_WEST = 2, 16

_GLOW, _WIRE = "yellow", "muted"

_THICK_WIRE, _THIN_WIRE = 0.17, 0.085
"""Widths of wires with and without power, as shares of a cell."""

_SHADES = 12
"""Number of steps of the gradient; similar distances share a color."""


def glyphs(game: Any) -> list[list[tuple[str, str]]]:
    """Returns the plain picture in a frame. On squares, powered wires are thick, and the station is in brackets.

    The frame of a board whose borders are joined is dashed (``:`` and ``- -``). A hexagon is drawn as a center (``●``
    if powered, ``○`` if not, ``★`` for the station, which is always powered) with a stroke for each wire.

    * ``game``: a ``LightEmAll``.
    """
    return _hexagon_glyphs(game) if game.hexagonal else _square_glyphs(game)


def _square_glyphs(game: Any) -> list[list[tuple[str, str]]]:
    codes = game.board.tolist()
    width = game.width
    side, edge = (":", "- ") if game.wrap else ("|", "--")
    border = [("+", "muted"), *((symbol, "muted") for symbol in (edge * (width + 1))[: 2 * width + 1]), ("+", "muted")]
    rows = [border]
    for line in codes:
        row = [(side, "muted")]
        for col in range(width + 1):
            # The tiles on either side of a gap. At a joined border, these are the last and the first tile of the row.
            left = line[col - 1] if col or game.wrap else 0
            right = line[col % width] if col < width or game.wrap else 0
            if col < width and right & Tile.STATION:
                row.append(("[", "red"))
            elif col and left & Tile.STATION:
                row.append(("]", "red"))
            elif left & Tile.E and right & Tile.W:
                lit = bool(left & right & Tile.POWERED)
                row.append(("━" if lit else "─", _GLOW if lit else _WIRE))
            else:
                row.append((" ", _WIRE))
            if col < width:
                code = line[col]
                lit = bool(code & Tile.POWERED)
                role = "red" if code & Tile.STATION else _GLOW if lit else _WIRE
                row.append(((_THICK if lit else _THIN)[code & 15], role))
        rows.append([*row, (side, "muted")])
    return [*rows, border]


def _hexagon_glyphs(game: Any) -> list[list[tuple[str, str]]]:
    """Draws rows of hexagons three lines apart; a tile is six characters wide, and odd rows are shifted by three."""
    height, width = game.shape
    wide = 6 * width + (3 if height > 1 else 0) + 3
    grid = [[(" ", _WIRE)] * wide for _ in range(3 * height)]
    for row, line in enumerate(game.board.tolist()):
        for col, code in enumerate(line):
            y, x = 3 * row + 1, 6 * col + 3 * (row % 2) + 4
            lit = bool(code & Tile.POWERED)
            role = _GLOW if lit else _WIRE
            station = bool(code & Tile.STATION)
            center = "★" if station else "●" if lit else "○"
            grid[y][x] = (center, "red" if station else role)
            for bit, down, right, symbol in _HEX_STROKES:
                if code & bit:
                    grid[y + down][x + right] = (symbol, role)
            for bit, places in ((_HEX_EAST, (1, 2, 3)), (_HEX_WEST, (-1, -2))):
                if code & bit:
                    for place in places:
                        # The place midway between two tiles has a stroke only if wires of both tiles meet there.
                        joined = place != 3 or (col + 1 < width and line[col + 1] & _HEX_WEST)
                        if joined:
                            grid[y][x + place] = ("━" if lit else "─", role)
    side = ":" if game.wrap else "|"
    rule = "- " if game.wrap else "--"
    border = [("+", "muted"), *((symbol, "muted") for symbol in (rule * wide)[:wide]), ("+", "muted")]
    return [border, *([(side, "muted"), *row, (side, "muted")] for row in grid), border]


def text_grid(game: Any) -> TextGrid:
    """Returns where the tiles are in the plain picture.

    * ``game``: a ``LightEmAll``.
    """
    return TextGrid(5, 2, 6, 3, shift=3) if game.hexagonal else TextGrid(2, 1, 2, 1)


def ground(game: Any) -> list[list[str]]:
    """Returns the role of each cell's background color, a field of `Theme`: always ``night``.

    * ``game``: a ``LightEmAll``.
    """
    return [["night"] * game.width for _ in range(game.height)]


def paint(game: Any, theme: Theme, side: int) -> Pixels:
    """Returns the board as pixels: wires as lines, bright if powered, and also thick if ``side`` is at least 8.

    Hexagons are drawn as squares, with wires in six directions as short lines; the caller shifts odd rows by half a
    cell.

    * ``game``: a ``LightEmAll``.
    * ``theme``: the colors, a ``Theme``.
    * ``side``: the width of a cell in pixels, at least 1.
    """
    half = side // 2
    # Directions from the center to the ends of the wires, (down, across), clockwise from the lowest bit.
    ends: tuple[tuple[int, int], ...] = ((-1, 0), (0, 1), (1, 0), (0, -1))
    if game.hexagonal:
        ends = ((-1, 1), (0, 1), (1, 1), (1, -1), (0, -1), (-1, -1))

    def draw(code: int, out: Pixels) -> None:
        lit = bool(code & Tile.POWERED)
        out[:] = rgb(theme.night)
        thick = max(1, side // 4) if lit and side >= 4 else 1
        color = rgb(theme.glow if lit else theme.wire)
        for bit, (down, across) in enumerate(ends):
            if code >> bit & 1:
                for step in range(half + 1):
                    # The neighbors in adjacent rows of hexagons are half a cell to the side.
                    aside = across * step // 2 if game.hexagonal and down else across * step
                    y, x = half + down * step, half + aside
                    out[max(0, y) : y + thick, max(0, x) : x + thick] = color
        if code & Tile.STATION:
            inner = slice(side // 4, max(1, side - side // 4))
            out[inner, inner] = rgb(theme.star)

    return sprites(game.board, draw, side)


def looks(game: Any) -> tuple[str, npt.NDArray[np.int64]] | None:
    """Returns what the margin of the flat picture depends on, and what each cell depends on, ``(H, W, k)`` int64.

    Returns ``None`` for boards of hexagons and for boards with joined borders.

    * ``game``: a ``LightEmAll``.
    """
    if game.hexagonal or game.wrap:
        return None
    # The round end of a wire reaches into the next cell.
    tiles = game.board.astype(np.int64) & ~Tile.POWERED
    wires = tiles & 15 | wire_shades(game) << 4
    return "", np.concatenate([np.stack([tiles, wires], axis=2), beside(wires)], axis=2)


def legend(game: Any) -> list[tuple[str, str]]:
    """Returns the symbols of the plain picture with their meanings.

    * ``game``: a ``LightEmAll``.
    """
    if game.hexagonal:
        found = [("★", "power station"), ("●", "tile with power"), ("○", "tile without power")]
    else:
        found = [("[ ]", "power station"), ("┃", "wire with power"), ("│", "wire without power")]
    return [*found, (":", "borders are joined: wires leave and come back on the other side")] if game.wrap else found


def caption(game: Any, move: Any) -> str:
    """Returns in words what a move does: which tile is turned, or where the station goes.

    * ``game``: a ``LightEmAll``.
    * ``move``: ``(kind, row, col)``, as ``play`` takes it.
    """
    kind, row, col = numbers(game, move)
    return f"move the station to ({row}, {col})" if kind else f"turn ({row}, {col})"


def _describe(game: Any, reach: int | None) -> str:
    """Returns the picture in words; only tiles at most ``reach`` links from the station count as powered."""
    powered = game.powered if reach is None else game.powered & (game.distance <= reach)
    lit, n = int(powered.sum()), game.height * game.width
    row, col = game.station
    words = f"{lit:,} of {counted(n, 'tile')} powered; the station is at row {row}, column {col}."
    if game.radius is not None:
        words += f" Power reaches {counted(game.radius, 'tile')} along the wires."
    if game.wrap:
        words += " Borders are joined: wires leave the board and come back on the other side."
    return words + (" Solved." if game.is_solved and lit == n else "")


def picture(
    game: Any,
    theme: Theme,
    size: float,
    *,
    reach: int | None = None,
    axes: bool = False,
) -> Picture:
    """Draws the board; powered wires are thick and fade with the distance from the station.

    The gradient depends only on the size of the board.

    * ``game``: a ``LightEmAll``.
    * ``theme``: the colors, a ``Theme``.
    * ``size``: the width of a cell in pixels, 1 to 1000.
    * ``reach``: a distance from the station, an integer: only tiles within it are drawn as powered, none if it
      is negative. ``None`` (the default) sets no bound.
    * ``axes``: whether rows and columns are numbered. Default ``False``.
    """
    if reach is not None:
        reach = integer("reach", reach)
    height, width = game.shape
    hexagonal = game.hexagonal
    pad = max(size * 0.75, 20.0) if axes else size / 2
    out = Picture(0, 0, theme, title="", description="")
    out.grid(pad, pad, size, game.shape, hexagonal=hexagonal)
    assert out.cells is not None
    wide, high = out.cells.extent
    cells = out.cells
    out = Picture(
        wide + 2 * pad,
        high + 2 * pad,
        theme,
        title=f"LightEmAll, {dimensions(height, width)}" + (" of hexagons" if hexagonal else ""),
        description=_describe(game, reach),
        corner=size / 4,
    )
    out.cells = cells
    if axes:
        out.axes()
    _ground(out, game, size)
    # The star lies below the wires, so that the wires of its tile stay visible; the circle at its center is above them.
    with out.piece("station", "move"):
        _star(out, *cells.center(*game.station), size)
    out.put_all(*_tiles(game, cells, theme, reach))
    with out.piece("heart", "move"):
        look: dict[str, Any] = {"fill": theme.star, "stroke": theme.star_edge, "stroke_width": size * 0.05}
        out.circle(*cells.center(*game.station), size * 0.13, **look)
    return out


def wire_shades(game: Any, reach: int | None = None) -> npt.NDArray[np.int64]:
    """Returns the shade of each tile's wires, ``(H, W)`` int64: 0 without power, else 1 (at the station) to 13 (far).

    * ``game``: a ``LightEmAll``.
    * ``reach``: a distance from the station: only tiles within it count as powered. ``None`` (the default) sets no
      bound.
    """
    lit, far = game.board & Tile.POWERED != 0, game.distance
    if reach is not None:
        lit &= far <= reach
    # All tiles farther from the station along the wires than `longest` get the last color.
    longest = 2 * (game.height + game.width)
    return np.where(lit, 1 + np.rint(_SHADES * np.minimum(1.0, far / longest)), 0).astype(np.int64)


def _tiles(game: Any, cells: Cells, theme: Theme, reach: int | None) -> tuple[list[str], list[str]]:
    """Returns the ids of all tiles, and their wires as SVG elements.

    Elements are kept, so that after a move only the tiles that look different are drawn.
    """
    height, width = game.shape
    codes, shades = game.board.ravel().astype(np.int64), wire_shades(game, reach).ravel()
    # What a tile looks like as one number: the mask of its wires (six bits on hexagons), its shade and its place.
    keys = (codes & 63 | shades << 6 | np.arange(height * width) << 10).tolist()
    ids, drawn = _drawn_tiles(cells, theme, game.wrap)
    # `drawn` is emptied before the loop, so that it cannot lose an element that this picture needs.
    if len(drawn) > _MAX_DRAWN:
        drawn.clear()
    for key in {*keys}.difference(drawn):
        drawn[key] = _tile(key, cells, theme, game.wrap)
    return ids, [drawn[key] for key in keys]


_MAX_DRAWN = 1 << 17
"""The number of elements to keep for one kind of board before all of them are discarded."""


@lru_cache(maxsize=16)
def _drawn_tiles(cells: Cells, theme: Theme, wrap: bool) -> tuple[list[str], dict[int, str]]:
    """Returns the ids of the tiles, and a dict from the keys of `_tiles` to elements, empty at first."""
    height, width = cells.shape
    return [f"c{row}-{col}" for row in range(height) for col in range(width)], {}


def _tile(key: int, cells: Cells, theme: Theme, wrap: bool) -> str:
    """Returns the wires of a tile, given its key in `_tiles`, as an SVG element."""
    mask, shade, (row, col) = key & 63, key >> 6 & 15, divmod(key >> 10, cells.shape[1])
    lit = shade > 0
    d = _wires(mask, row, col, cells, wrap=wrap, lit=lit)
    color = mix(theme.glow, theme.power, (shade - 1) / _SHADES) if lit else theme.wire
    wide = number(cells.size * (_THICK_WIRE if lit else _THIN_WIRE))
    look = f'fill="none" stroke="{color}" stroke-width="{wide}" stroke-linecap="round"'
    return f'<path data-id="c{row}-{col}" d="{d}" {look}/>'


def _ground(out: Picture, game: Any, size: float) -> None:
    """Draws the tiles without their wires, and the frame, dashed if borders are joined."""
    theme, cells = out.theme, out.cells
    assert cells is not None
    height, width = game.shape
    dashes = f"{number(size * 0.2)} {number(size * 0.2)}" if game.wrap else None
    frame: dict[str, Any] = {"stroke": theme.tile_edge, "stroke_width": size * 0.05, "stroke_dasharray": dashes}
    if not game.hexagonal:
        (wide, high), left, top = cells.extent, cells.x, cells.y
        out.rect(left, top, wide, high, fill=theme.night)
        lines = [f"M{number(left + i * size)} {number(top)}v{number(high)}" for i in range(1, width)]
        lines += [f"M{number(left)} {number(top + i * size)}h{number(wide)}" for i in range(1, height)]
        if lines:
            out.path("".join(lines), fill="none", stroke=theme.floor, stroke_width=size * 0.03)
        out.rect(left, top, wide, high, fill="none", **frame)
        return
    outlines, border = [], []
    for row in range(height):
        for col in range(width):
            corners = cells.outline(row, col)
            outlines.append("M" + "L".join(f"{number(x)} {number(y)}" for x, y in corners) + "Z")
            for side in range(6):
                if _leaves(row, col, side, cells):
                    (x1, y1), (x2, y2) = corners[side], corners[(side + 1) % 6]
                    border.append(f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}")
    out.path("".join(outlines), fill=theme.night, stroke=theme.floor, stroke_width=size * 0.03)
    out.path("".join(border), fill="none", **frame)


def _across(row: int, col: int, side: int, cells: Cells) -> tuple[int, int]:
    """Returns the row and the column of the neighbor across ``side``, which may be outside the board."""
    down, right = offsets(row, cells.hexagonal)[side]
    return row + down, col + right


def _leaves(row: int, col: int, side: int, cells: Cells) -> bool:
    """Returns whether a side of a tile is on the border of the board."""
    (row, col), (height, width) = _across(row, col, side, cells), cells.shape
    return not (0 <= row < height and 0 <= col < width)


def links(game: Any, cells: Cells, pairs: Any) -> list[str]:
    """Returns the wires that link pairs of tiles as path commands, empty for two tiles that are not neighbors.

    A wire over joined borders is two halves, each from the center of a tile to beyond the border. If several sides of a
    tile lead to the same neighbor, the wire is on the side of the generated wire, if there is one.

    * ``game``: a generated ``LightEmAll``.
    * ``cells``: where the tiles are.
    * ``pairs``: pairs of tiles ``row * width + col``, ``(k, 2)`` integers.
    """
    (height, width), sides, solved = cells.shape, 6 if cells.hexagonal else 4, game.solved_wires
    found = []
    for one, other in pairs.tolist():
        (row, col), goal = divmod(one, width), divmod(other, width)
        ways = []
        for side in range(sides) if one != other else ():
            down, right = _across(row, col, side, cells)
            if goal == ((down % height, right % width) if game.wrap else (down, right)):
                ways.append((not solved[row, col] >> side & 1, _leaves(row, col, side, cells), side))
        _, leaves, side = min(ways, default=(False, False, -1))
        if leaves:
            ends = ((row, col, side), (*goal, (side + sides // 2) % sides))
            found.append("".join(_wires(1 << at, y, x, cells, wrap=True, lit=False) for y, x, at in ends))
        else:
            (x1, y1), (x2, y2) = cells.center(row, col), cells.center(*goal)
            found.append(f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}" if ways else "")
    return found


def _wires(mask: int, row: int, col: int, cells: Cells, *, wrap: bool, lit: bool) -> str:
    """Returns lines from the center of a tile to the sides in ``mask`` as path commands; a dot if the mask is empty."""
    x, y = cells.center(row, col)
    size, sides = cells.size, 6 if cells.hexagonal else 4
    cap = (_THICK_WIRE if lit else _THIN_WIRE) / 2
    found = []
    for side in range(sides):
        if not mask >> side & 1:
            continue
        reach = 0.5
        if _leaves(row, col, side, cells):
            # A wire stops at the frame, its round end included; if borders are joined, it extends beyond the frame.
            reach = 0.5 + 0.25 if wrap else 0.5 - cap - 0.025
        # Clockwise: from the top on squares, from the upper right on hexagons.
        angle = 2 * math.pi * side / sides - (math.pi / 3 if sides == 6 else math.pi / 2)
        dx, dy = math.cos(angle) * size * reach, math.sin(angle) * size * reach
        found.append(f"M{number(x)} {number(y)}l{number(dx)} {number(dy)}")
    return "".join(found) or f"M{number(x)} {number(y)}h0"


def _star(out: Picture, x: float, y: float, size: float) -> None:
    """Draws the power station as in the source document: a cyan star of seven points with an orange outline."""
    points = []
    for k in range(14):
        angle = math.pi * k / 7 - math.pi / 2
        reach = size * (0.42 if k % 2 == 0 else 0.22)
        points.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    star: dict[str, Any] = {"fill": out.theme.star, "stroke": out.theme.star_edge, "stroke_width": size * 0.05}
    out.polygon(points, stroke_linejoin="round", **star)
