"""Pictures of the games: one file a game, one theme, SVG as the source of all.

A game's file has two functions: ``glyphs(game)``, rows of ``(sign, role)`` for plain text and terminals, and
``picture(game, theme, size, **options)``, a ``Picture``. A third, ``caption(game, move)``, may say a move in words.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

from .animate import Animation, replay
from .svg import Picture
from .theme import DARK, LIGHT, Theme, theme

__all__ = [
    "DARK",
    "LIGHT",
    "Animation",
    "Picture",
    "Theme",
    "caption",
    "glyphs",
    "picture",
    "plain",
    "png",
    "replay",
    "save_image",
    "svg",
    "theme",
]


def _of(game: Any) -> Any:
    return importlib.import_module(f"{__name__}.{game.NAME}")


def glyphs(game: Any) -> list[list[tuple[str, str]]]:
    """Gives the plain picture as rows of signs, each with its role: the name of a colour of the theme."""
    return _of(game).glyphs(game)  # type: ignore[no-any-return]


def plain(game: Any) -> str:
    """Draws a game in plain text, a line a row."""
    return "\n".join("".join(sign for sign, _ in row) for row in glyphs(game))


def picture(game: Any, *, theme: str | Theme = "light", size: float | None = None, **options: Any) -> Picture:
    """Draws a game. ``size`` is the width of a cell in pixels; by default boards up to 640 pixels wide have 40."""
    found = globals()["theme"](theme)
    height, width = game.shape
    if size is None:
        size = max(4.0, min(40.0, 640 / max(height, width)))
    if not 1 <= size <= 1000:
        raise ValueError(f"size {size!r}, wanted 1 to 1000 pixels a cell")
    drawn: Picture = _of(game).picture(game, found, float(size), **options)
    if drawn.cells is None and drawn.flat:
        # A drawing that says nothing of its cells has them in the middle.
        drawn.grid((drawn.width - width * size) / 2, (drawn.height - height * size) / 2, size, game.shape)
    return drawn


def svg(game: Any, **options: Any) -> str:
    """Draws a game as SVG text."""
    return picture(game, **options).render()


def png(source: str, *, scale: float = 2.0) -> bytes:
    """Turns SVG text into PNG bytes; needs ``gridwright[images]``."""
    try:
        import resvg_py
    except ImportError:
        raise ImportError("PNG pictures need resvg-py: pip install 'gridwright[images]'") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=source, zoom=scale))


def save_image(game: Any, path: str | os.PathLike[str], *, progress: Any = None, **options: Any) -> None:
    """Writes the picture of a game, ``.svg`` or ``.png`` by the ending, or a ``.gif`` or ``.apng`` of its moves."""
    file = Path(path)
    ending = file.suffix.lower()
    if ending == ".svg":
        file.write_text(svg(game, **options), encoding="utf-8")
    elif ending == ".png":
        file.write_bytes(png(svg(game, **options)))
    elif ending in (".gif", ".apng"):
        replay(game, seconds=0.4, **options).save(file, progress=progress)
    else:
        raise ValueError(f"a picture with the ending {ending!r}, wanted .svg, .png, .gif or .apng")


def caption(game: Any, move: Any) -> str:
    """Says in words what a move will do, before it is played; numbers where the game has no words for it."""
    words = getattr(_of(game), "caption", None)
    if words is not None:
        return words(game, move)  # type: ignore[no-any-return]
    return "move " + ", ".join(str(number) for number in move)
