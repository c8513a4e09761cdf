"""The picture of Lights Out: one square per field, bright or dark."""

from __future__ import annotations

from typing import Any

from ..words import counted, dimensions
from .svg import Picture
from .theme import Theme

__all__ = ["caption", "glyphs", "ground", "legend", "picture"]


def glyphs(game: Any) -> list[list[tuple[str, str]]]:
    """Returns ``#`` for each light and ``.`` for each dark field, with the role of its color.

    * ``game``: a ``LightsOut``.
    """
    return [[("#", "yellow") if light else (".", "muted") for light in row] for row in game.board.tolist()]


def ground(game: Any) -> list[list[str]]:
    """Returns the role of each field's background color in a terminal.

    * ``game``: a ``LightsOut``.
    """
    return [["night"] * game.width for _ in range(game.height)]


def legend(game: Any) -> list[tuple[str, str]]:
    """Returns the symbols of the plain text with their meanings.

    * ``game``: a ``LightsOut``; all boards have the same symbols.
    """
    return [("#", "light"), (".", "dark")]


def caption(game: Any, move: Any) -> str:
    """Returns the move in words.

    * ``game``: a ``LightsOut``.
    * ``move``: the row and the column of the field.
    """
    return f"press ({int(move[0])}, {int(move[1])})"


def picture(game: Any, theme: Theme, size: float, *, axes: bool = False) -> Picture:
    """Draws the fields as squares with rounded corners, with a bright square for each light.

    * ``game``: a ``LightsOut``.
    * ``theme``: the colors, a ``Theme``.
    * ``size``: the width of a field in pixels, 1 to 1000.
    * ``axes``: whether rows and columns are numbered. Default ``False``.
    """
    height, width = game.shape
    pad = max(size * 0.75, 20.0) if axes else size / 2
    out = Picture(
        width * size + 2 * pad,
        height * size + 2 * pad,
        theme,
        title=f"LightsOut, {dimensions(height, width)}",
        description=f"The light is on in {int(game.board.sum()):,} of {counted(game.board.size, 'field')}."
        + (" Solved." if game.is_solved else ""),
        corner=size / 4,
    )
    out.grid(pad, pad, size, game.shape)
    if axes:
        out.axes()
    side, gap = size * 0.88, size * 0.06
    for row, line in enumerate(game.board.tolist()):
        for col, light in enumerate(line):
            with out.piece(f"c{row}-{col}"):
                x, y = pad + col * size + gap, pad + row * size + gap
                fill, edge = theme.glow if light else theme.night, theme.tile_edge
                out.rect(x, y, side, side, rx=size * 0.14, fill=fill, stroke=edge, stroke_width=size * 0.03)
    return out
