"""Pictures of the games as plain text, SVG and other formats that are made from SVG.

Each game has a file here, which must have two functions:

* ``glyphs(game)``: rows of ``(symbol, role)`` for plain text and terminals; a role is the name of a color of the theme.
* ``picture(game, theme, size, **options)``: a ``Picture``. The option ``axes`` numbers rows and columns.

The file may have further functions:

* ``plain(game)``: the plain text, produced faster than from ``glyphs``.
* ``text_grid(game)``: where the cells are in plain text.
* ``ground(game)``: the role of each cell's background color in a terminal.
* ``strokes(game)``: the characters that draw lines in a terminal.
* ``caption(game, move)``: a move in words.
* ``legend(game)``: symbols with their meanings.
* ``stands_on(game)``: the cell on which a film shows a position.
* ``between(game, theme, size, **options)``: pictures between the previous position and the current one.
* ``looks(game)``: what the pixels of each cell depend on, so that frames can be put together from cells drawn before.
* ``paint(game, theme, side)``: a board of more than 10,000 cells as pixels.
"""

from __future__ import annotations

import importlib
import inspect
import os
from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arguments import choice, number, shown, wrong_type
from ..arguments import game as read_game
from ..arguments import text as read_text
from ..files import ending, write
from ..optional import require
from ..progress import ProgressReporter
from ..words import nearest
from .animate import Animation, replay
from .bitmap import MAX_CELLS, bitmap
from .svg import Picture
from .text import TextGrid
from .theme import DARK, LIGHT, Theme, theme, use_theme
from .theme import theme as read_theme

__all__ = [
    "DARK",
    "LIGHT",
    "Animation",
    "Picture",
    "TextGrid",
    "Theme",
    "between",
    "caption",
    "glyphs",
    "ground",
    "legend",
    "looks",
    "numbered",
    "picture",
    "plain",
    "png",
    "replay",
    "save_image",
    "stands_on",
    "strokes",
    "svg",
    "text_grid",
    "theme",
    "use_theme",
]


def _of(game: Any) -> Any:
    read_game("game", game)
    return importlib.import_module(f"{__name__}.{game.NAME}")


def glyphs(game: Any) -> list[list[tuple[str, str]]]:
    """Returns the plain picture as rows of symbols, each symbol with its role, the name of a color of the theme.

    * ``game``: a game of any kind.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> glyphs(game)[0][:3]
    [('o', 'ink'), (' ', 'ink'), ('o', 'ink')]
    """
    return _of(game).glyphs(game)  # type: ignore[no-any-return]


def plain(game: Any) -> str:
    """Returns a game as plain text, without trailing blanks.

    * ``game``: a game of any kind.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> plain(game).splitlines()[0]
    'o o o - - - - - - -'
    """
    fast = getattr(_of(game), "plain", None)
    if fast is not None:
        return fast(game)  # type: ignore[no-any-return]
    return "\n".join("".join(symbol for symbol, _ in row).rstrip() for row in glyphs(game))


def ground(game: Any) -> list[list[str]]:
    """Returns the role of every cell's background color, for terminals; ``page`` for a game without such roles.

    * ``game``: a game of any kind.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> ground(game)[1][1]
    'block'
    """
    found = getattr(_of(game), "ground", None)
    if found is not None:
        return found(game)  # type: ignore[no-any-return]
    height, width = game.shape
    return [["page"] * width for _ in range(height)]


def text_grid(game: Any) -> TextGrid:
    """Returns where the cells are in the plain picture.

    * ``game``: a game of any kind.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> text_grid(game).place(1, 1)
    (2, 1)
    """
    found = getattr(_of(game), "text_grid", None)
    if found is not None:
        return found(game)  # type: ignore[no-any-return]
    row = glyphs(game)[0]
    wide = sum(len(symbol) for symbol, _ in row) // game.width
    return TextGrid(0, 0, wide, 1)


def numbered(game: Any) -> str:
    """Returns a game as plain text with row numbers on the left and column numbers above.

    * ``game``: a game of any kind.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> numbered(game).splitlines()[1]
    '0 o o o - - - - - - -'
    """
    # The last rows may be blank, which `splitlines` would drop.
    grid, lines = text_grid(game), plain(game).split("\n")
    height, width = game.shape
    margin = len(str(height - 1)) + 1
    # Column numbers are vertical, one line per digit, because a cell may be only one or two characters wide.
    digits = len(str(width - 1))
    rulers = [[" "] * (grid.left + width * grid.wide) for _ in range(digits)]
    for col in range(width):
        for level, digit in enumerate(str(col).rjust(digits)):
            rulers[level][grid.place(0, col)[0]] = digit
    found = [f"{'':{margin}}{''.join(ruler)}".rstrip() for ruler in rulers]
    places = {grid.place(row, 0)[1]: row for row in range(height)}
    for at, line in enumerate(lines):
        found.append(f"{places.get(at, '')!s:>{margin - 1}} {line}".rstrip())
    return "\n".join(found)


def strokes(game: Any) -> dict[tuple[int, int], str]:
    """Returns the characters that a terminal writes after the symbols of cells to draw lines; empty if there are none.

    * ``game``: a game of any kind.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> strokes(game)
    {}
    """
    found = getattr(_of(game), "strokes", None)
    return {} if found is None else found(game)


def legend(game: Any) -> list[tuple[str, str]]:
    """Returns the symbols of the plain picture with their meanings; empty if the game has no legend.

    * ``game``: a game of any kind.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> legend(game)
    [('@', 'the standing block'), ('#', 'the lying block'), ('T', 'target: stand on it'), ('o', 'tile')]
    """
    # This is not `Controls.legend`: plain text has symbols that no picture has, such as those of the block in Bloxorz.
    found = getattr(_of(game), "legend", None)
    return [] if found is None else found(game)


def stands_on(game: Any) -> tuple[int, int] | None:
    """Returns the cell on which a film shows a position, or ``None`` if there is none.

    * ``game``: a game of any kind.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> stands_on(game)
    (1, 1)
    """
    found = getattr(_of(game), "stands_on", None)
    return None if found is None else found(game)


def picture(
    game: Any,
    *,
    theme: str | Theme | None = None,
    size: float | None = None,
    **options: Any,
) -> Picture:
    """Draws a game.

    * ``game``: a game of any kind.
    * ``theme``: ``"light"``, ``"dark"`` or a ``Theme``; by default that of `use_theme`.
    * ``size``: the width of a cell in pixels, 1 to 1000; by default 40, but less, down to 4, if the longer side of the
      board would exceed 640 pixels.
    * ``options``: those of the game's picture, such as ``axes=True``; ``TypeError`` for any other.

    Boards of more than 10,000 cells are drawn as a bitmap, unless ``view`` is ``"3d"``. A bitmap ignores the
    options; its ``size`` may be as small as 0.001, and is at least 1 by default.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> picture(game).render()[:4]
    '<svg'
    """
    drawing, found = _of(game), read_theme(theme)
    height, width = game.shape
    size = _size(game, size, options)
    _check_options(game, drawing.picture, options)
    drawn = bitmap(game, found, size) if _is_bitmap(game, options) else drawing.picture(game, found, size, **options)
    if drawn.cells is None:
        # A drawing without a grid has its cells in the middle.
        drawn.grid((drawn.width - width * size) / 2, (drawn.height - height * size) / 2, size, game.shape)
    return drawn


def _check_options(game: Any, drawing: Any, options: dict[str, Any]) -> None:
    """Raises ``TypeError`` for an option that ``drawing``, a game's ``picture`` or ``between``, does not take."""
    known = list(inspect.signature(drawing).parameters)[3:]  # after game, theme and size
    for name in options:
        if name not in known:
            raise TypeError(f"pictures of {type(game).__name__} have no option {name}; {nearest(name, known)}")


def between(game: Any, *, theme: str | Theme | None = None, size: float | None = None, **options: Any) -> list[Picture]:
    """Draws the pictures between the position before the last move and the current one.

    Returns an empty list if the game has no such pictures or no move to take back, or if the board has more than 10,000
    cells.

    * ``game``: a game of any kind, which is not changed.
    * ``theme``: ``"light"``, ``"dark"`` or a ``Theme``; ``None`` (the default) is the theme of `use_theme`.
      ``ValueError`` for any other name.
    * ``size``: the width of a cell in pixels, 1 to 1000; by default 40, but less, down to 4, if the longer side of the
      board would exceed 640 pixels.
    * ``options``: those of the game's ``between``. Only Bloxorz has one, ``view``: ``"flat"`` (the default), which
      has no such pictures, or ``"3d"``; ``ValueError`` for any other view, ``TypeError`` for any other option. Other
      games ignore options.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> game.play("r")
    >>> len(between(game, view="3d"))
    5
    """
    found, colors, size = getattr(_of(game), "between", None), read_theme(theme), _size(game, size, options)
    if found is None:
        return []
    _check_options(game, found, options)
    if "view" in options:
        choice("view", options["view"], game.VIEWS)
    if not len(game.moves) or game.height * game.width > MAX_CELLS:
        return []
    return found(game, colors, size, **options)  # type: ignore[no-any-return]


def _is_bitmap(game: Any, options: dict[str, Any]) -> bool:
    """Returns whether a game is drawn as a bitmap, in which a pixel may cover several cells."""
    height, width = game.shape
    return height * width > MAX_CELLS and options.get("view") in (None, "flat")


def _size(game: Any, size: float | None, options: dict[str, Any]) -> float:
    """Reads the width of a cell in pixels; for ``None``, chooses a width that suits the longer side of the board."""
    least, usual = (0.001, 1.0) if _is_bitmap(game, options) else (1, 4.0)
    if size is None:
        size = max(usual, min(40.0, 640 / max(game.shape)))
    return number("size", size, least, 1000)


def svg(game: Any, **options: Any) -> str:
    """Draws a game as SVG text.

    * ``game``: a game of any kind.
    * ``options``: ``theme``, ``size`` and the other options of `picture`.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> svg(game, theme="dark")[:4]
    '<svg'
    """
    return picture(game, **options).render()


def looks(game: Any) -> tuple[str, npt.NDArray[np.int64]] | None:
    """Returns what the pixels of a flat picture depend on: a string for the margin and integers for the cells.

    The integers have the shape ``(H, W, k)``. Cells with equal integers have equal pixels, in one picture or in two
    pictures with equal strings, if the margin is a whole number of pixels wide. Returns ``None`` if the game provides
    no such values.

    * ``game``: a game of any kind.

    >>> import gridwright as gw
    >>> margin, cells = looks(gw.GeeseSpotter.generate(4, 5, 3, seed=1))
    >>> margin, cells.shape
    ('', (4, 5, 1))
    """
    found = getattr(_of(game), "looks", None)
    return None if found is None else found(game)


def png(source: str, *, scale: float = 2.0) -> bytes:
    """Turns SVG text into PNG bytes; needs ``gridwright[images]``.

    * ``source``: the SVG text; ``ValueError`` for other text.
    * ``scale``: pixels per unit of the picture, 0.01 to 100; 2 by default.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> png(svg(game))[1:4]
    b'PNG'
    """
    resvg = require("resvg_py", "PNG pictures need resvg-py: pip install 'gridwright[images]'")
    if not read_text("source", source).lstrip().startswith("<"):
        raise ValueError(f"source must be SVG text, got {shown(source)}")
    return bytes(resvg.svg_to_bytes(svg_string=source, zoom=number("scale", scale, 0.01, 100)))


def save_image(game: Any, path: str | os.PathLike[str], *, progress: Any = None, **options: Any) -> None:
    """Writes the picture of a game, or an animation of its moves, to a file.

    * ``game``: a game of any kind.
    * ``path``: the file, whose name ends in ``.svg`` or ``.png`` for a picture of the position, or in ``.gif`` or
      ``.apng`` for an animation of the moves with 0.4 seconds per frame; ``ValueError`` for any other ending. All
      formats except SVG need ``gridwright[images]``.
    * ``progress``: a callable that receives the number of frames drawn, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports. Only animations report.
    * ``options``: ``theme``, ``size`` and the other options of `picture`.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> save_image(game, "level01.svg")
    >>> from pathlib import Path
    >>> Path("level01.svg").read_text()[:4]
    '<svg'
    """
    form = ending(path, (".svg", ".png", ".gif", ".apng"))
    ProgressReporter(progress)  # raises for an invalid object, even for the formats that report nothing
    if form == ".svg":
        write(path, svg(game, **options))
    elif form == ".png":
        write(path, png(svg(game, **options)))
    else:
        replay(game, seconds=0.4, **options).save(path, progress=progress)


def caption(game: Any, move: Any) -> str:
    """Returns what a move would do, in words, or the numbers of the move if the game has no words for moves.

    * ``game``: a game of any kind.
    * ``move``: the numbers of the move, as in a row of ``game.legal_moves()``; ``TypeError`` for anything that cannot
      be read as a move.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> caption(game, (2,))
    'right'
    """
    words = getattr(_of(game), "caption", None)
    if not isinstance(move, Sequence | np.ndarray):
        raise wrong_type("move", "a move of the game", move)
    if words is None:
        return "move " + ", ".join(str(number) for number in move)
    try:
        # The sequence may be endless, so at most one number more than a move has is read.
        return words(game, tuple(islice(move, len(game.bounds) + 1)))  # type: ignore[no-any-return]
    except (TypeError, ValueError, IndexError, OverflowError):
        raise wrong_type("move", "a move of the game", move) from None
