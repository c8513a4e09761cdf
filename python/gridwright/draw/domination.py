"""The flat picture of Linear Domination: cells in the colours of the players, the lines that took them on top."""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any

from ..domination import Color, Verdict
from .svg import Picture
from .theme import Theme

__all__ = ["caption", "glyphs", "picture"]

_SIGNS = {Color.EMPTY: (".", "muted"), Color.X: ("X", "blue"), Color.O: ("O", "orange")}

# Boards with more cells than this show their colours without the signs X and O.
_MOST_SIGNS = 900


def glyphs(game: Any) -> list[list[tuple[str, str]]]:
    """The signs of the source document: ``.`` empty, ``X`` black, ``O`` white."""
    return [[_SIGNS[Color(code)] for code in row] for row in game.board.tolist()]


def caption(game: Any, move: Any) -> str:
    """Says who draws which line, and what the rules say where they refuse it."""
    row, col, head_row, head_col = (int(part) for part in move)
    words = f"{game.to_move.name} from ({row}, {col}) to ({head_row}, {head_col})"
    verdict, _ = game.judge((row, col), (head_row, head_col))
    return words if verdict == Verdict.LEGAL else f"{words}: {verdict.name.lower().replace('_', ' ')}"


def _describe(game: Any) -> str:
    x, o = game.counts
    words = f"Player X has {x} cells, player O has {o}; {len(game.plays)} plays, {game.to_move.name} is to move."
    plays = game.plays.tolist()
    if plays:
        a, b, c, d = plays[-1]
        verdict = Verdict(int(game.verdicts[-1])).name.lower().replace("_", " ")
        words += f" The last play, ({a}, {b}) to ({c}, {d}), was {verdict}."
    return words + ("" if game.status == 0 else " No legal play is left.")


def picture(game: Any, theme: Theme, size: float, lines: int | None = None) -> Picture:
    """Draws the board with the lines of the last plays: ``lines`` of them, by default those that are looked back at.

    By default at least one and at most eight. The last line is strong; dashes mark an illegal one; the dot is the tail,
    the arrow the head.
    """
    height, width = game.shape
    pad = size / 2
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
    board = game.board
    out.rect(pad, pad, width * size, height * size, fill=theme.tile_soft)
    for row, codes in enumerate(board.tolist()):
        col = 0
        for code, same in groupby(codes):
            run = len(list(same))
            if code != Color.EMPTY:
                fill = theme.blue if code == Color.X else theme.orange
                box = (pad + col * size, pad + row * size, run * size, size)
                out.rect(*box, fill=fill, fill_opacity=0.55)
            col += run
    if size >= 6:
        for k in range(width + 1):
            at = pad + k * size
            out.line(at, pad, at, pad + height * size, stroke=theme.tile_edge, stroke_width=size * 0.025)
            out.line(pad, at, pad + width * size, at, stroke=theme.tile_edge, stroke_width=size * 0.025)
    if height * width <= _MOST_SIGNS:
        _signs(out, board.tolist(), pad, size)
    if lines is None:
        lines = max(1, min(8, game.lookback))
    plays = list(zip(game.plays.tolist(), game.verdicts.tolist(), strict=True))
    shown = plays[len(plays) - min(lines, len(plays)) :]
    for k, (play, verdict) in enumerate(shown):
        if max(abs(part) for part in play) <= 4 * max(height, width):
            _line(out, play, verdict, pad, size, last=k + 1 == len(shown))
    return out


def _signs(out: Picture, board: list[list[int]], pad: float, size: float) -> None:
    r = size * 0.16
    for row, codes in enumerate(board):
        for col, code in enumerate(codes):
            # Up in the left corner, so that lines through the middle leave them readable.
            x, y = pad + col * size + 1.7 * r, pad + row * size + 1.7 * r
            pen = {"stroke": out.theme.ink, "stroke_width": size * 0.035, "stroke_opacity": 0.75, "fill": "none"}
            if code == Color.X:
                s = r * 0.8
                down = f"M {x - s:.2f} {y - s:.2f} L {x + s:.2f} {y + s:.2f}"
                up = f"M {x - s:.2f} {y + s:.2f} L {x + s:.2f} {y - s:.2f}"
                out.path(f"{down} {up}", **pen)
            elif code == Color.O:
                out.circle(x, y, r * 0.9, **pen)


def _line(out: Picture, play: list[int], verdict: int, pad: float, size: float, *, last: bool) -> None:
    y1, x1, y2, x2 = (pad + (part + 0.5) * size for part in play)
    pen: dict[str, Any] = {"stroke": out.theme.ink, "stroke_opacity": 1 if last else 0.35}
    wide = size * (0.08 if last else 0.05)
    dash = None if verdict == Verdict.LEGAL else f"{size * 0.2:.1f} {size * 0.14:.1f}"
    out.circle(x1, y1, size * 0.11, fill=out.theme.ink, fill_opacity=pen["stroke_opacity"])
    length = math.hypot(x2 - x1, y2 - y1)
    if length == 0:
        return
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    tip = size * 0.3
    out.line(x1, y1, x2 - ux * tip * 0.8, y2 - uy * tip * 0.8, stroke_width=wide, stroke_dasharray=dash, **pen)
    bx, by = x2 - ux * tip, y2 - uy * tip
    side = tip * 0.42
    points = [(x2, y2), (bx - uy * side, by + ux * side), (bx + uy * side, by - ux * side)]
    out.polygon(points, fill=out.theme.ink, fill_opacity=pen["stroke_opacity"])
