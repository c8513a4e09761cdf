"""The picture of Linear Domination: cells in the colors of their players, the latest lines on top, numbered axes."""

from __future__ import annotations

import math
from itertools import groupby
from operator import index
from typing import Any

import numpy as np

from ..arguments import integer, sequence, shown, whole
from ..domination import Color, Verdict
from ..tracing import trace
from ..words import counted
from .bitmap import Pixels, sprites
from .svg import Picture, distance
from .theme import Theme, rgb

__all__ = ["caption", "glyphs", "ground", "legend", "paint", "picture", "plain", "strokes"]

_SYMBOLS = {Color.EMPTY: (".", "muted"), Color.X: ("X", "blue"), Color.O: ("O", "orange")}

_MAX_SYMBOLS = 900
"""Boards with more cells show the players' colors without the symbols X and O."""

_HALF_SYMBOL = 0.15
"""Half the size of a symbol X or O, as a share of a cell."""

_CORNERS = ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75))
"""Where a symbol may stand in its cell, in order of preference."""


def glyphs(game: Any) -> list[list[tuple[str, str]]]:
    """Returns the symbols of the source document: ``.`` for free cells, ``X`` and ``O`` for those of the two players.

    Each symbol comes with the role of its color.

    * ``game``: a ``LinearDomination``.
    """
    return [[_SYMBOLS[Color(code)] for code in row] for row in game.board.tolist()]


def plain(game: Any) -> str:
    """Returns the board as text, one line per row.

    * ``game``: a ``LinearDomination``.
    """
    symbols = np.array([ord(_SYMBOLS[color][0]) for color in sorted(_SYMBOLS)], dtype=np.uint8)
    lines = np.full((game.height, game.width + 1), ord("\n"), dtype=np.uint8)
    lines[:, :-1] = symbols[game.board]
    return lines.tobytes()[:-1].decode("ascii")


_GROUNDS = {Color.EMPTY: "tile_soft", Color.X: "player_x", Color.O: "player_o"}


def ground(game: Any) -> list[list[str]]:
    """Returns the role of each cell's background color: ``player_x``, ``player_o``, or ``tile_soft`` if it is free.

    * ``game``: a ``LinearDomination``.
    """
    return [[_GROUNDS[Color(code)] for code in row] for row in game.board.tolist()]


def paint(game: Any, theme: Theme, side: int) -> Pixels:
    """Returns the board as pixels.

    * ``game``: a ``LinearDomination``.
    * ``theme``: the colors, a ``Theme``.
    * ``side``: the width of a cell in pixels, at least 1.
    """

    def draw(code: int, out: Pixels) -> None:
        out[:] = rgb(getattr(theme, _GROUNDS[Color(code)]))

    return sprites(game.board, draw, side)


def legend(game: Any) -> list[tuple[str, str]]:
    """Returns the symbols of the plain picture with their meanings.

    * ``game``: a ``LinearDomination``.
    """
    return [("X", "taken by the first player"), ("O", "taken by the second player"), (".", "free")]


# Symbols by eighths of a turn, counterclockwise from the right.
_ARROWS = "→↗↑↖←↙↓↘"
_STROKES = "─╱│╲"


def strokes(game: Any) -> dict[tuple[int, int], str]:
    """Returns the lines of the last plays as symbols, one per cell: a dot at the tail, an arrow at the head.

    Takes as many of the last plays as the rules look back at, but at least 1 and at most 8, and leaves out those that
    are illegal. Where lines cross, the later line is visible.

    * ``game``: a ``LinearDomination``.
    """
    found: dict[tuple[int, int], str] = {}
    for (row, col, head_row, head_col), verdict in _latest(game):
        if verdict != Verdict.LEGAL:
            continue
        cells = [(r, c) for r, c in trace((row, col), (head_row, head_col)).tolist()]
        eighth = round(math.atan2(row - head_row, head_col - col) / (math.pi / 4)) % 8
        found.update(dict.fromkeys(cells, _STROKES[eighth % 4]))
        found[row, col], found[head_row, head_col] = "•", _ARROWS[eighth]
    return found


def _latest(game: Any, lines: int | None = None) -> list[tuple[list[int], int]]:
    """Returns the last plays with their verdicts, without plays too far from the board to be drawn.

    ``lines`` is the number of plays; ``None`` is as many as the rules look back at, but at least 1 and at most 8.
    """
    if lines is None:
        lines = max(1, min(8, game.lookback))
    plays = list(zip(game.plays.tolist(), game.verdicts.tolist(), strict=True))
    return [one for one in plays[len(plays) - min(lines, len(plays)) :] if _is_near(one[0], *game.shape)]


def caption(game: Any, move: Any) -> str:
    """Returns in words who draws which line and, if the line is illegal, why.

    * ``game``: a ``LinearDomination``.
    * ``move``: ``(row, col, row, col)``, tail and head of the line.
    """
    # `draw` records plays off the board too, so the numbers may be negative or large.
    row, col, head_row, head_col = map(index, move)
    words = f"{game.to_move.name} from ({row}, {col}) to ({head_row}, {head_col})"
    verdict, _ = game.judge((row, col), (head_row, head_col))
    return words if verdict == Verdict.LEGAL else f"{words}: {_named(verdict)}"


def _named(verdict: Verdict) -> str:
    """Returns a verdict in words."""
    return "off the board" if verdict == Verdict.OUT_OF_BOARD else verdict.name.lower().replace("_", " ")


def _describe(game: Any) -> str:
    x, o = game.counts
    words = f"Player X has {counted(x, 'cell')}, player O has {o:,}. "
    now = "the game is over" if game.status else f"{game.to_move.name} is to move"
    words += f"After {counted(len(game.plays), 'play')}, {now}."
    plays = game.plays.tolist()
    if plays:
        a, b, c, d = plays[-1]
        words += f" The last play was ({a}, {b}) to ({c}, {d}): {_named(Verdict(int(game.verdicts[-1])))}."
    return words


def picture(
    game: Any,
    theme: Theme,
    size: float,
    *,
    lines: int | None = None,
    axes: bool = True,
    preview: tuple[int, int, int, int] | None = None,
) -> Picture:
    """Draws the board with the lines of the last plays.

    The line of the last play is bold, and illegal lines are dashed; a dot marks the tail, an arrow the head. A play
    with a coordinate beyond four times the longer side of the board, in absolute value, is not drawn.

    * ``game``: a ``LinearDomination``.
    * ``theme``: the colors, a ``Theme``.
    * ``size``: the width of a cell in pixels, 1 to 1000.
    * ``lines``: how many of the last plays are drawn as lines, at least 0; ``None`` (the default) for as many as the
      rules look back at, but at least 1 and at most 8.
    * ``axes``: whether rows and columns are numbered. Default ``True``.
    * ``preview``: a play ``(row, col, row, col)`` of integers that is drawn as a dotted line: with its cells outlined
      if it is legal, and in red if it is not. ``None`` (the default) for none.
    """
    if lines is not None:
        lines = whole("lines", lines, 0)
    previewed = None
    if preview is not None:
        expected = "a play (row, col, row, col)"
        previewed = [integer("preview", part) for part in sequence("preview", preview, expected, 4)]
        if len(previewed) != 4:
            raise ValueError(f"preview must be {expected}, got {shown(preview)}")
    height, width = game.shape
    pad = max(size * 0.75, 20.0) if axes else size / 2
    x, o = game.counts
    out = Picture(
        width * size + 2 * pad,
        height * size + 2 * pad,
        theme,
        title=f"Linear Domination, {height} by {width}, X {x}, O {o}",
        description=_describe(game),
        corner=size / 4,
    )
    out.grid(pad, pad, size, game.shape)
    if axes:
        out.axes()
    board = game.board.tolist()
    out.rect(pad, pad, width * size, height * size, fill=theme.tile_soft)
    for row, codes in enumerate(board):
        with out.piece(f"r{row}"):
            _fills(out, row, codes, pad, size)
    if size >= 6:
        _grid(out, height, width, pad, size)
    near, last = _latest(game, lines), game.plays[-1:].tolist()
    with out.piece("lines", "fade"):
        for k, (play, verdict) in enumerate(near):
            # If the last play of the game is too far off the board to be drawn, no line is bold.
            _line(out, play, verdict, pad, size, last=k + 1 == len(near) and [play] == last)
    with out.piece("symbols"):
        if height * width <= _MAX_SYMBOLS:
            _symbols(out, board, [play for play, _ in near], pad, size)
    with out.piece("preview"):
        if previewed is not None:
            _preview(out, game, previewed, pad, size)
    return out


def _is_near(play: list[int], height: int, width: int) -> bool:
    """Returns whether the ends of a play are near enough to the board for its line to be drawn."""
    return max(abs(part) for part in play) <= 4 * max(height, width)


def _fills(out: Picture, row: int, codes: list[int], pad: float, size: float) -> None:
    """Draws the cells of a row in the players' colors, with one rectangle per run of cells of one player."""
    col = 0
    for code, same in groupby(codes):
        run = len(list(same))
        if code != Color.EMPTY:
            fill = out.theme.player_x if code == Color.X else out.theme.player_o
            out.rect(pad + col * size, pad + row * size, run * size, size, fill=fill)
        col += run


def _grid(out: Picture, height: int, width: int, pad: float, size: float) -> None:
    d = "".join(f"M{pad + k * size:.2f} {pad:.2f}v{height * size:.2f}" for k in range(width + 1))
    d += "".join(f"M{pad:.2f} {pad + k * size:.2f}h{width * size:.2f}" for k in range(height + 1))
    out.path(d, fill="none", stroke=out.theme.tile_edge, stroke_width=size * 0.025)


def _symbols(out: Picture, board: list[list[int]], plays: list[list[int]], pad: float, size: float) -> None:
    """Draws X and O, each in a corner of its cell that no line comes near, or in the corner farthest from the lines."""
    clear = _HALF_SYMBOL * 1.6
    for row, codes in enumerate(board):
        for col, code in enumerate(codes):
            if code == Color.EMPTY:
                continue

            def room(corner: tuple[float, float], row: int = row, col: int = col) -> float:
                # In a play, whole numbers are the centers of cells; in `row + corner[1]`, they are the edges of cells.
                at = (row + corner[1] - 0.5, col + corner[0] - 0.5)
                return min((distance(at, play[:2], play[2:]) for play in plays), default=9.0)

            corner = next((one for one in _CORNERS if room(one) >= clear), None) or max(_CORNERS, key=room)
            x, y = pad + (col + corner[0]) * size, pad + (row + corner[1]) * size
            fill = out.theme.player_x if code == Color.X else out.theme.player_o
            if room(corner) < clear:
                # No corner is free of lines: a disk in the color of the cell separates the symbol from them.
                out.circle(x, y, size * clear, fill=fill)
            _symbol(out, code, x, y, size, fill)


def _symbol(out: Picture, code: int, x: float, y: float, size: float, fill: str) -> None:
    s = size * _HALF_SYMBOL * 0.8
    pen: dict[str, Any] = {"stroke": out.theme.letters_on(fill), "stroke_width": size * 0.045, "fill": "none"}
    if code == Color.X:
        d = f"M{x - s:.2f} {y - s:.2f}L{x + s:.2f} {y + s:.2f}M{x - s:.2f} {y + s:.2f}L{x + s:.2f} {y - s:.2f}"
        out.path(d, **pen, class_="symbol")
    else:
        out.circle(x, y, s * 1.1, **pen, class_="symbol")


def _line(out: Picture, play: list[int], verdict: int, pad: float, size: float, *, last: bool) -> None:
    y1, x1, y2, x2 = (pad + (part + 0.5) * size for part in play)
    theme = out.theme
    strong = 1 if last else 0.6
    wide = size * (0.08 if last else 0.045)
    dash = None if verdict == Verdict.LEGAL else f"{size * 0.2:.1f} {size * 0.14:.1f}"
    out.circle(x1, y1, size * 0.11, fill=theme.ink, fill_opacity=strong)
    length = math.hypot(x2 - x1, y2 - y1)
    if length == 0:
        return
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    tip = size * 0.28
    ends = (x1, y1, x2 - ux * tip * 0.8, y2 - uy * tip * 0.8)
    look: dict[str, Any] = {"stroke": theme.ink, "stroke_opacity": strong, "stroke_width": wide}
    out.line(*ends, stroke_dasharray=dash, **look)
    bx, by = x2 - ux * tip, y2 - uy * tip
    side = tip * 0.4
    points = [(x2, y2), (bx - uy * side, by + ux * side), (bx + uy * side, by - ux * side)]
    out.polygon(points, fill=theme.ink, fill_opacity=strong)


def _preview(out: Picture, game: Any, play: list[int], pad: float, size: float) -> None:
    """Draws a play as a dotted line: with the cells that it would take outlined if it is legal, in red if it is not."""
    height, width = game.shape
    if not _is_near(play, height, width):
        return
    tail, head = (play[0], play[1]), (play[2], play[3])
    verdict, _ = game.judge(tail, head)
    color = out.theme.ink if verdict == Verdict.LEGAL else out.theme.red
    if verdict == Verdict.LEGAL:
        for row, col in trace(tail, head).tolist():
            out.polygon(out.outline(row, col, 0.06), fill="none", stroke=color, stroke_width=size * 0.05)
    y1, x1, y2, x2 = (pad + (part + 0.5) * size for part in play)
    dots = f"0 {size * 0.14:.1f}"
    out.line(x1, y1, x2, y2, stroke=color, stroke_width=size * 0.09, stroke_linecap="round", stroke_dasharray=dots)
    out.circle(x1, y1, size * 0.13, fill=color)
    out.circle(x2, y2, size * 0.13, fill=out.theme.page, stroke=color, stroke_width=size * 0.05)
