"""The picture of Lights Out."""

from __future__ import annotations

from typing import Any

from .svg import Picture
from .theme import Theme

__all__ = ["glyphs", "picture"]


def glyphs(game: Any) -> list[list[tuple[str, str]]]:
    """Returns ``#`` for a light that is on and ``.`` for one that is off."""
    return [[("#", "yellow") if light else (".", "muted") for light in row] for row in game.board]


def picture(game: Any, theme: Theme, size: float) -> Picture:
    """Draws the lights as squares, bright if they are on."""
    height, width = game.shape
    title = f"Lights Out, {height} x {width}, {game.status.name.lower()}"
    description = f"{int(game.board.sum())} of {game.board.size} lights are on."
    out = Picture(width * size, height * size, theme, title=title, description=description)
    for row, line in enumerate(game.board):
        for col, light in enumerate(line):
            fill = theme.glow if light else theme.night
            out.rect(col * size + 1, row * size + 1, size - 2, size - 2, rx=size * 0.1, fill=fill)
    return out
