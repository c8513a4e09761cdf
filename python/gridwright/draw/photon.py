"""The picture of MyPhoton: light on a dark floor, with beams that turn at the center of a tile."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arguments import cell as read_cell
from ..arguments import integer
from ..photon import LIT, MyPhoton, Tile
from ..words import counted, dimensions
from .bitmap import Pixels, beside, near, sprites
from .svg import Picture, number
from .text import numbers
from .theme import Theme, rgb

__all__ = ["caption", "glyphs", "ground", "legend", "looks", "paint", "picture"]

_LINES = {0: "· ", 5: "│ ", 10: "──", 15: "┼─"}
"""The symbols of an empty tile by its laserlets. Light crosses an empty tile in a straight line."""

_ARROWS = "^>v<"


def _words(code: int) -> tuple[str, str]:
    """Returns the two characters of a tile that is not empty, and their role."""
    tile = Tile(code & ~LIT)
    if tile == Tile.WALL:
        return "██", "muted"
    if tile < Tile.TMIRROR_N:
        return ("M" if tile < Tile.SPLITTER_DOWN else "B") + "\\/"[tile & 1], "sky"
    arrow = _ARROWS[(tile - Tile.TMIRROR_N) % 4]
    if tile < Tile.LASER_N:
        return "T" + arrow, "sky"
    if tile < Tile.SENSOR_N:
        return "L" + arrow, "red"
    return ("●" if code & LIT else "○") + arrow, "green" if code & LIT else "orange"


def glyphs(game: Any) -> list[list[tuple[str, str]]]:
    """Returns two characters per tile: those of the notation, except for walls, empty tiles and sensors.

    A wall is a block, and an empty tile shows its beams as lines, or ``·`` if it has none. A sensor is ``●`` if it is
    lit and ``○`` if it is not, with its arrow.

    * ``game``: a ``MyPhoton``.
    """
    rows = []
    for codes, beams in zip(game.board.tolist(), game.beams.tolist(), strict=True):
        row = []
        for code, beam in zip(codes, beams, strict=True):
            row.append((_LINES[beam], "glow" if beam else "muted") if code == Tile.EMPTY else _words(code))
        rows.append(row)
    return rows


def ground(game: Any) -> list[list[str]]:
    """Returns the role of each cell's background color: ``tile`` for a wall, otherwise ``night``.

    * ``game``: a ``MyPhoton``.
    """
    return [["tile" if code == Tile.WALL else "night" for code in row] for row in game.board.tolist()]


def paint(game: Any, theme: Theme, side: int) -> Pixels:
    """Returns the board as pixels: beams as lines, pieces as squares.

    * ``game``: a ``MyPhoton``.
    * ``theme``: the colors, a ``Theme``.
    * ``side``: the width of a cell in pixels, at least 1.
    """
    half, thick = side // 2, max(1, side // 8)

    def draw(code: int, out: Pixels) -> None:
        tile, beam = code & 63, code >> 6
        out[:] = rgb(theme.tile if tile == Tile.WALL else theme.night)
        for bit, rows, cols in (
            (1, slice(0, half + 1), slice(half, half + thick)),
            (2, slice(half, half + thick), slice(half, side)),
            (4, slice(half, side), slice(half, half + thick)),
            (8, slice(half, half + thick), slice(0, half + 1)),
        ):
            if beam & bit:
                out[rows, cols] = rgb(theme.glow)
        if tile > Tile.WALL:
            # The codes of each kind of piece are consecutive, and the kinds are in the order of `names`: the index of
            # a kind is the number of entries of `firsts` that are at most the code.
            kind = tile & ~LIT
            names = ("glass", "casing", "metal", "laser", "sensor")
            firsts = (Tile.SPLITTER_DOWN, Tile.TMIRROR_N, Tile.LASER_N, Tile.SENSOR_N)
            color = getattr(theme, names[sum(kind >= first for first in firsts)])
            inner = slice(side // 4, max(1, side - side // 4))
            out[inner, inner] = rgb(theme.glow if code & LIT else color)

    # One code per look of a tile: the piece in the low six bits, the laserlets in the bits above.
    return sprites(game.board.astype(np.int64) | game.beams.astype(np.int64) << 6, draw, side)


def looks(game: Any) -> tuple[str, npt.NDArray[np.int64]]:
    """Returns what the margin of the flat picture depends on, and what each cell depends on, ``(H, W, k)`` int64.

    * ``game``: a ``MyPhoton``.
    """
    board, beams = game.board.astype(np.int64), game.beams.astype(np.int64)
    # Pixels depend on the neighbors too: the round ends of beams, and the edges of walls and sensors, reach into the
    # next cell. All other pieces stay within their cells.
    tile = board & ~LIT
    fixed = np.where((tile == Tile.WALL) | (tile >= Tile.SENSOR_N), tile, 0)
    # Walls at the border, sensors that face it and light that leaves the board reach into the margin.
    ring = zip(*((cells[0], cells[:, -1], cells[-1], cells[:, 0]) for cells in (fixed, beams)), strict=True)
    margin = [
        (codes == Tile.WALL) + 2 * (codes == Tile.SENSOR_N + side) + 4 * (light >> side & 1)
        for side, (codes, light) in enumerate(ring)
    ]
    cells = np.concatenate([(board | beams << 8)[..., None], beside(beams), near(fixed, -1)], axis=2)
    return "".join(map(str, np.concatenate(margin).tolist())), cells


def legend(game: Any) -> list[tuple[str, str]]:
    """Returns, for each kind of tile on the board except empty ones, a symbol of the plain picture and its meaning.

    * ``game``: a ``MyPhoton``.
    """
    kinds = {Tile(int(code)).name.partition("_")[0] for code in np.unique(game.board & (LIT - 1))}
    known = {
        "LASER": ("L>", "laser"),
        "SENSOR": ("○>", "dark sensor, open to its right (● when lit)"),
        "MIRROR": ("M/", "mirror, can be moved"),
        "SPLITTER": ("B/", "beam splitter, can be moved"),
        "TMIRROR": ("T^", "T-mirror, can be moved"),
        "WALL": ("██", "wall"),
    }
    return [symbol for kind, symbol in known.items() if kind in kinds]


def caption(game: Any, move: Any) -> str:
    """Returns in words which piece is moved where, or which two are exchanged.

    * ``game``: a ``MyPhoton``.
    * ``move``: ``(row, col, row, col)``, the two tiles that are exchanged.
    """
    row, col, to_row, to_col = numbers(game, move)
    if game.board[to_row, to_col] == Tile.EMPTY:
        return f"move ({row}, {col}) to ({to_row}, {to_col})"
    if game.board[row, col] == Tile.EMPTY:
        return f"move ({to_row}, {to_col}) to ({row}, {col})"
    return f"swap ({row}, {col}) with ({to_row}, {to_col})"


def _describe(game: Any, board: npt.NDArray[np.uint8]) -> str:
    """Returns the picture in words; ``board`` has the codes that are drawn."""
    words = []
    for row, col in game.sensors.tolist():
        words.append(f"row {row}, column {col} {'lit' if board[row, col] & LIT else 'dark'}")
    sentence = f"{counted(len(game.lasers), 'laser')}, {counted(len(game.hardware), 'piece')} of hardware. "
    sentence += f"Sensors: {'; '.join(words)}." if words else "No sensors."
    shown = game.is_solved and np.count_nonzero(board & LIT) == len(game.sensors)
    return sentence + (" Solved." if shown else "")


def _first_heads(game: Any, count: int) -> npt.NDArray[np.uint8]:
    """Returns the laserlets ``(H, W)`` that the first ``count`` heads of `MyPhoton.trace` draw."""
    height, width = game.shape
    # A ring of empty tiles around the board, so that light that leaves the board has heads too.
    ring = ". " * (width + 2)
    rows = [f". {line:{2 * width}}. " for line in game.text.splitlines()[1:]]
    steps = MyPhoton("\n".join([f"{width + 2} {height + 2}", ring, *rows, ring])).trace()
    row, col, heading, parent = (steps[name] for name in ("row", "col", "heading", "parent"))
    inside = (row > 0) & (row <= height) & (col > 0) & (col <= width)
    drawn = inside & (np.cumsum(inside) <= min(max(count, 0), len(row)))
    laid = np.zeros((height + 2, width + 2), dtype=np.uint8)
    np.bitwise_or.at(laid, (row[drawn], col[drawn]), (1 << (heading[drawn] + 2) % 4).astype(np.uint8))
    # A head also draws the laserlets by which it leaves its tile, in the headings of the heads that have it as parent.
    came = np.flatnonzero((parent >= 0) & drawn[parent])
    tile = parent[came]
    np.bitwise_or.at(laid, (row[tile], col[tile]), (1 << heading[came]).astype(np.uint8))
    return laid[1:-1, 1:-1] & game.beams  # type: ignore[no-any-return]


def picture(
    game: Any,
    theme: Theme,
    size: float,
    *,
    selected: tuple[int, int] | None = None,
    heads: int | None = None,
    axes: bool = False,
) -> Picture:
    """Draws the board.

    * ``game``: a ``MyPhoton``.
    * ``theme``: the colors, a ``Theme``.
    * ``size``: the width of a cell in pixels, 1 to 1000.
    * ``selected``: the cell of a selected piece, which gets a dashed ring; ``ValueError`` for a cell off the board.
      ``None`` (the default) for none.
    * ``heads``: the number of heads of ``game.trace()`` whose light is drawn: no light if it is below 1, all light if
      there are fewer heads. ``None`` (the default) draws all light.
    * ``axes``: whether rows and columns are numbered. Default ``False``.
    """
    height, width = game.shape
    board, beams = game.board, game.beams
    if heads is not None:
        beams = _first_heads(game, integer("heads", heads))
        board[beams == 0] &= LIT - 1  # a sensor is dark until light reaches it
    pad = max(size * 0.75, 20.0) if axes else size / 3
    out = Picture(
        width * size + 2 * pad,
        height * size + 2 * pad,
        theme,
        title=f"MyPhoton, {dimensions(height, width)}",
        description=_describe(game, board),
        corner=size / 4,
    )
    out.grid(pad, pad, size, game.shape)
    if axes:
        out.axes()
    out.rect(pad, pad, width * size, height * size, fill=theme.night)
    _grid(out, height, width, pad, size)
    hardware = game.hardware.tolist()
    with out.piece("plates"):
        for row, col in hardware:
            _plate(out, pad + col * size, pad + row * size, size)
    with out.piece("light", "fade"):
        _light(out, beams, pad, size)
    _walls(out, board == Tile.WALL, pad, size)
    movable = set(map(tuple, hardware))
    for row, col in np.argwhere(board > Tile.WALL).tolist():
        if (row, col) not in movable:
            with out.piece(f"c{row}-{col}"):
                _tile(out, pad + (col + 0.5) * size, pad + (row + 0.5) * size, size, int(board[row, col]))
    with out.piece("hardware"):
        for row, col in hardware:
            _tile(out, pad + (col + 0.5) * size, pad + (row + 0.5) * size, size, int(board[row, col]))
    with out.piece("selected"):
        if selected is not None:
            row, col = read_cell("selected", selected, game.shape)
            inset = size * 0.03
            box = (pad + col * size + inset, pad + row * size + inset, size - 2 * inset, size - 2 * inset)
            ring: dict[str, Any] = {"fill": "none", "stroke": theme.star_edge, "stroke_width": size * 0.08}
            out.rect(*box, rx=size * 0.16, **ring, stroke_dasharray=f"{number(size * 0.22)} {number(size * 0.11)}")
    return out


def _grid(out: Picture, height: int, width: int, pad: float, size: float) -> None:
    lines = [f"M{number(pad + col * size)} {number(pad)}v{number(height * size)}" for col in range(1, width)]
    lines += [f"M{number(pad)} {number(pad + row * size)}h{number(width * size)}" for row in range(1, height)]
    if lines:
        out.path("".join(lines), fill="none", stroke=out.theme.floor, stroke_width=size * 0.02)


def _walls(out: Picture, walls: npt.NDArray[np.bool_], pad: float, size: float) -> None:
    """Draws all walls as one area, with an edge only where a wall meets something else."""
    if not walls.any():
        return
    theme = out.theme
    runs, edges = [], []
    around = np.pad(walls, 1)
    for flip in (False, True):
        lanes = around.T if flip else around
        # Borders between a lane and the next one; adjacent borders are joined into one stroke.
        for lane in range(len(lanes) - 1):
            border = lanes[lane] != lanes[lane + 1]
            for start, stop in _runs(border):
                along, across = pad + (start - 1) * size, pad + lane * size
                x, y = (across, along) if flip else (along, across)
                edges.append(f"M{number(x)} {number(y)}{'v' if flip else 'h'}{number((stop - start) * size)}")
    for row, line in enumerate(walls):
        for start, stop in _runs(line):
            wide = number((stop - start) * size)
            runs.append(f"M{number(pad + start * size)} {number(pad + row * size)}h{wide}v{number(size)}h-{wide}z")
    out.path("".join(runs), fill=theme.tile)
    look: dict[str, Any] = {"stroke": theme.tile_edge, "stroke_width": size * 0.05, "stroke_linecap": "square"}
    out.path("".join(edges), fill="none", **look)


def _runs(line: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Returns the runs of true values as pairs ``(start, stop)``."""
    ends = np.flatnonzero(np.diff(np.concatenate([[False], line, [False]]).astype(np.int8)))
    return list(zip(ends[::2].tolist(), ends[1::2].tolist(), strict=True))


def _plate(out: Picture, x: float, y: float, size: float) -> None:
    """Draws the plate under a piece that can be moved."""
    inset = size * 0.06
    look = {"fill": out.theme.casing, "fill_opacity": 0.16, "stroke": out.theme.casing}
    out.rect(
        x + inset, y + inset, size - 2 * inset, size - 2 * inset, rx=size * 0.14, stroke_width=size * 0.025, **look
    )


def _light(out: Picture, beams: npt.NDArray[np.uint8], pad: float, size: float) -> None:
    """Draws all laserlets as one path, with one stroke for each unbroken line of laserlets."""
    half = size / 2
    strokes = []
    for (before, after), flip in (((8, 2), False), ((1, 4), True)):
        lanes = beams.T if flip else beams
        for lane, cells in enumerate(lanes):
            halves = np.stack([cells & before, cells & after], axis=1).ravel() != 0
            for start, stop in _runs(halves):
                along, across = pad + start * half, pad + (lane + 0.5) * size
                x, y = (across, along) if flip else (along, across)
                strokes.append(f"M{number(x)} {number(y)}{'v' if flip else 'h'}{number((stop - start) * half)}")
    if not strokes:
        return
    look: dict[str, Any] = {"fill": "none", "stroke": out.theme.glow, "stroke_linecap": "round", "d": "".join(strokes)}
    for wide, opacity in ((0.26, 0.16), (0.14, 0.3), (0.06, None)):
        out.shape("path", **look, stroke_width=size * wide, stroke_opacity=opacity)


def _tile(out: Picture, x: float, y: float, size: float, code: int) -> None:
    tile = Tile(code & ~LIT)
    if tile in (Tile.MIRROR_DOWN, Tile.MIRROR_UP):
        _slant(out, x, y, size, up=tile == Tile.MIRROR_UP)
    elif tile in (Tile.SPLITTER_DOWN, Tile.SPLITTER_UP):
        _splitter(out, x, y, size, up=tile == Tile.SPLITTER_UP)
    elif tile < Tile.LASER_N:
        _tmirror(out, x, y, size, tile - Tile.TMIRROR_N)
    elif tile < Tile.SENSOR_N:
        _laser(out, x, y, size, tile - Tile.LASER_N)
    else:
        _sensor(out, x, y, size, tile - Tile.SENSOR_N, lit=bool(code & LIT))


def _slant(out: Picture, x: float, y: float, size: float, *, up: bool) -> None:
    reach = size * 0.33
    drop = -reach if up else reach
    ends = (x - reach, y - drop, x + reach, y + drop)
    out.line(*ends, stroke=out.theme.casing, stroke_width=size * 0.17, stroke_linecap="round")
    out.line(*ends, stroke=out.theme.glass, stroke_width=size * 0.09, stroke_linecap="round")


def _splitter(out: Picture, x: float, y: float, size: float, *, up: bool) -> None:
    reach = size * 0.3
    drop = -reach if up else reach
    look: dict[str, Any] = {"fill": out.theme.casing, "fill_opacity": 0.25, "stroke": out.theme.glass}
    out.rect(x - reach, y - reach, 2 * reach, 2 * reach, rx=size * 0.03, stroke_width=size * 0.05, **look)
    dashes = f"{number(size * 0.1)} {number(size * 0.055)}"
    line: dict[str, Any] = {"stroke": out.theme.glass, "stroke_width": size * 0.07, "stroke_dasharray": dashes}
    out.line(x - reach, y - drop, x + reach, y + drop, **line)


def _turned(x: float, y: float, facing: int, points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Returns points of a shape that faces north, turned by ``facing`` quarter turns clockwise and moved to (x, y)."""
    cos, sin = round(math.cos(facing * math.pi / 2)), round(math.sin(facing * math.pi / 2))
    return [(x + px * cos - py * sin, y + px * sin + py * cos) for px, py in points]


def _tmirror(out: Picture, x: float, y: float, size: float, facing: int) -> None:
    theme = out.theme
    body = [(0, -0.3), (0.36, 0.16), (0.36, 0.3), (-0.36, 0.3), (-0.36, 0.16)]
    points = _turned(x, y, facing, [(px * size, py * size) for px, py in body])
    edge: dict[str, Any] = {"stroke": theme.casing, "stroke_width": size * 0.05, "stroke_linejoin": "round"}
    out.polygon(points, fill=theme.metal, **edge)
    bright = _turned(x, y, facing, [(px * size, py * size) for px, py in [(-0.33, 0.12), (0, -0.26), (0.33, 0.12)]])
    d = "M" + "L".join(f"{number(px)} {number(py)}" for px, py in bright)
    out.path(
        d, fill="none", stroke=theme.glass, stroke_width=size * 0.07, stroke_linejoin="round", stroke_linecap="round"
    )


def _laser(out: Picture, x: float, y: float, size: float, facing: int) -> None:
    theme = out.theme
    barrel = [(-0.1, -0.46), (0.1, -0.46), (0.13, -0.2), (-0.13, -0.2)]
    out.polygon(_turned(x, y, facing, [(px * size, py * size) for px, py in barrel]), fill=theme.tile_edge)
    body = size * 0.32
    edge: dict[str, Any] = {"stroke": theme.tile_edge, "stroke_width": size * 0.04}
    out.rect(x - body, y - body, 2 * body, 2 * body, rx=size * 0.12, fill=theme.laser, **edge)
    arrow = [(0, -0.2), (0.17, 0.12), (-0.17, 0.12)]
    out.polygon(_turned(x, y, facing, [(px * size, py * size) for px, py in arrow]), fill=theme.glow)


def _sensor(out: Picture, x: float, y: float, size: float, facing: int, *, lit: bool) -> None:
    theme = out.theme
    cup = [(-0.2, -0.5), (-0.36, -0.5), (-0.36, 0.36), (0.36, 0.36), (0.36, -0.5), (0.2, -0.5)]
    points = _turned(x, y, facing, [(px * size, py * size) for px, py in cup])
    edge: dict[str, Any] = {"stroke": theme.sensor, "stroke_width": size * 0.07, "stroke_linejoin": "round"}
    d = "M" + "L".join(f"{number(px)} {number(py)}" for px, py in points)
    out.path(d, fill=theme.sensor, fill_opacity=0.35 if lit else 0.12, stroke_linecap="round", **edge)
    eye = size * 0.17
    if lit:
        out.circle(x, y, eye * 1.6, fill=theme.glow, fill_opacity=0.35)
        out.circle(x, y, eye, fill=theme.glow, stroke=theme.sensor, stroke_width=size * 0.05)
        for k in range(8):
            # Rays, so that a lit sensor differs from a dark one in more than color.
            dx, dy = math.cos(k * math.pi / 4), math.sin(k * math.pi / 4)
            near, far = eye * 1.35, eye * 1.75
            ends = (x + dx * near, y + dy * near, x + dx * far, y + dy * far)
            out.line(*ends, stroke=theme.glow, stroke_width=size * 0.04, stroke_linecap="round")
    else:
        out.circle(x, y, eye, fill=theme.night, stroke=theme.sensor, stroke_width=size * 0.05)
