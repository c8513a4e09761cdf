"""What all games share in Python: levels, files and pictures. The rules are in the engines."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .arguments import path as read_path
from .arguments import text as read_text_argument
from .controls import Controls, of_game
from .errors import LevelError
from .files import write
from .status import Status
from .words import dimensions, nearest

if TYPE_CHECKING:
    from .batch import Batch
    from .draw import Animation
    from .editor import Editor
    from .play.edit import EditorWidget
    from .play.widget import GameWidget

__all__ = ["Game", "GridGame", "read_text"]

Self = TypeVar("Self", bound="GridGame")


def read_text(path: str | os.PathLike[str]) -> str:
    """Reads the text of a level from a file.

    * ``path``: a file of UTF-8 text, with or without a byte order mark.

    Raises ``FileNotFoundError`` if the file does not exist and ``LevelError`` with line and column if it is not UTF-8.
    """
    file = read_path("path", path)
    try:
        raw = file.read_bytes()
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, "no such file", os.fspath(path)) from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The error counts bytes, beginning after the byte order mark; a column counts characters.
        before = error.object[: error.start].decode()
        line = before.count("\n") + 1
        column = len(before) - before.rfind("\n")
        reason = f"the file must be text in UTF-8, got byte 0x{error.object[error.start]:02x}"
        raise LevelError(f"line {line}, column {column}: {reason}", line, column, reason) from None


class Game(Protocol):
    """Members that every game has, for type hints in generic code."""

    NAME: ClassVar[str]

    @property
    def text(self) -> str: ...
    @property
    def board(self) -> npt.NDArray[np.uint8]: ...
    @property
    def height(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def status(self) -> Status: ...
    @property
    def is_solved(self) -> bool: ...
    @property
    def bounds(self) -> tuple[int, ...]: ...
    @property
    def moves(self) -> npt.NDArray[np.int32]: ...
    @property
    def undone(self) -> npt.NDArray[np.int32]: ...
    def legal_moves(self) -> npt.NDArray[np.int32]: ...
    def legal_mask(self) -> npt.NDArray[np.bool_]: ...
    def sample_legal(self, seed: int | None = None) -> tuple[int, ...] | None: ...
    def is_legal(self, *mv: Any) -> bool: ...
    def play(self, *mv: Any) -> None: ...
    def undo(self) -> bool: ...
    def redo(self) -> bool: ...
    def reset(self) -> None: ...
    def perft(self, depth: int, *, limit: int | None = None) -> int: ...


class GridGame:
    """The base class of the games: levels, files and pictures. Each game also derives from its engine."""

    NAME: ClassVar[str]
    """Folder name of the game, its key in ``gridwright.GAMES``."""

    # Members of the engine that the methods below use.
    text: str
    shape: tuple[int, int]
    bounds: tuple[int, ...]

    @classmethod
    def levels(cls) -> tuple[str, ...]:
        """Returns the names of the packaged levels, sorted; ``controls().levels`` has the puzzles in playing order.

        >>> import gridwright as gw
        >>> "level01" in gw.Bloxorz.levels()
        True
        """
        return tuple(_core.packaged_levels(cls.NAME))

    @classmethod
    def level(cls: type[Self], name: str) -> Self:
        """Returns a packaged level at its start.

        * ``name``: one of ``levels()``. Raises ``LevelError`` with similar names otherwise.

        >>> import gridwright as gw
        >>> gw.Bloxorz.level("level01").shape
        (6, 10)
        """
        texts = _core.packaged_levels(cls.NAME)
        if read_text_argument("name", name) not in texts:
            # At most 40 characters of the name, escaped if the name contains unprintable characters.
            found = name[:40] if name.isprintable() else repr(name[:40])[1:-1]
            raise LevelError(f'no level "{found}" of {cls.__name__}; {nearest(name, texts)}')
        return cls._from_text(texts[name])

    @classmethod
    def load(cls: type[Self], path: str | os.PathLike[str]) -> Self:
        """Reads a position from a file in the notation of the game.

        * ``path``: a file of UTF-8 text. Raises ``FileNotFoundError`` if it does not exist and ``LevelError`` with line
          and column if its text is not a position of the game.
        """
        return cls._from_text(read_text(path))

    @classmethod
    def _from_text(cls: type[Self], text: str) -> Self:
        return cls(text)  # type: ignore[call-arg]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the position to a file that ``load`` reads; a write that fails leaves an existing file as it was.

        * ``path``: the file to write.

        >>> import gridwright as gw, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "mine.txt"
        >>> game = gw.Bloxorz.level("level01")
        >>> game.play("rr")
        >>> game.save(path)
        >>> gw.Bloxorz.load(path) == game
        True
        """
        write(path, self.text)

    def __repr__(self) -> str:
        """Returns an expression that rebuilds the position."""
        return f"{type(self).__name__}({self.text!r})"

    def __str__(self) -> str:
        """Returns a picture in plain text."""
        from .draw import plain

        return plain(self)

    def svg(self, **options: Any) -> str:
        """Draws the position as SVG text.

        * ``theme``: ``"light"``, ``"dark"`` or a ``Theme``; by default that of ``draw.use_theme``, or else light.
        * ``size``: the width of a cell in pixels, 1 to 1000; by default 40, but less, down to 4, if the longer side of
          the board would exceed 640 pixels. Unless ``view`` is ``"3d"``, a board of more than 10,000 cells is drawn
          as a bitmap, for which ``size`` is 0.001 to 1000 and at least 1 by default.
        * further ``options`` are those of the game, such as ``view="3d"`` of Bloxorz.

        >>> import gridwright as gw
        >>> gw.Bloxorz.level("level01").svg()[:4]
        '<svg'
        """
        from .draw import svg

        return svg(self, **options)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        from .draw.page import image

        words = f"{type(self).__name__} of {dimensions(*self.shape)}"
        return {"text/html": image(lambda theme: self.svg(theme=theme), words), "text/plain": str(self)}

    def save_image(self, path: str | os.PathLike[str], *, progress: Any = None, **options: Any) -> None:
        """Writes a picture to a file.

        * ``path``: the extension selects the format: ``.svg``, ``.png``, or ``.gif`` and ``.apng`` of the moves so far.
          All but SVG need ``gridwright[images]``.
        * ``progress``: a callable that receives the number of frames drawn, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.
        * ``options``: those of ``svg``.

        Raises ``ValueError`` for another extension.
        """
        from .draw import save_image

        save_image(self, path, progress=progress, **options)

    def animate(
        self, moves: Any = None, *, seconds: float | None = None, progress: Any = None, **options: Any
    ) -> Animation:
        """Returns an ``Animation`` of the moves played so far, or of the given moves from this position.

        In a notebook it has buttons and a slider and needs no kernel; its ``save`` writes a stand-alone ``.html`` page,
        ``.gif``, ``.png``, ``.apng`` or ``.svg``. In a notebook and in a ``.html`` page its colors follow the page,
        light or dark, unless a theme is given or set by ``draw.use_theme``. The game is unchanged.

        * ``moves``: ``(n, rank)`` integers, or a string of keys if the game has them, a million at most; ``None`` (the
          default) for the moves so far.
        * ``seconds``: the time per frame in seconds, 0.01 to 60; ``None`` (the default) is 15 divided by the number of
          frames, but at least 0.05 and at most 0.6.
        * ``progress``: a callable that receives the number of moves drawn, or an object with ``update``, such as a tqdm
          bar; ``None`` (the default) for no reports.
        * ``options``: those of ``svg``.

        >>> import gridwright as gw
        >>> game = gw.Bloxorz.level("level01")
        >>> game.animate(game.solve())
        Animation of 8 frames
        """
        from .draw import replay

        return replay(self, moves, seconds=seconds, progress=progress, **options)

    def widget(self, **options: Any) -> GameWidget:
        """Returns a widget for playing this game in a notebook with clicks, keys and touch; needs
        ``gridwright[notebook]``.

        * ``size``: the width of a cell in pixels, 1 to 1000; by default chosen so that the board fits.
        * ``theme``: ``"light"`` or ``"dark"``; by default that of the page.
        * ``view``: one of ``VIEWS`` of the game, such as ``"3d"`` of Bloxorz; by default the first one.
        """
        from .play.widget import GameWidget

        return GameWidget(self, **options)

    CONTROLS: ClassVar[type[Controls]] = Controls
    """The class of the object that ``controls`` returns."""

    def controls(self) -> Controls:
        """Returns the controls for playing this game: clicks, keys, hints, scores and levels.

        Every call returns the same object as long as a reference to it exists.

        >>> import gridwright as gw
        >>> game = gw.MyPhoton.level("level01")
        >>> controls = game.controls()
        >>> [str(score) for score in controls.scores]
        ['swaps 0', 'sensors lit 0 of 1', 'par 1']
        """
        return of_game(self)

    def editor(self) -> Editor:
        """Returns a new editor for building a level, starting from this position.

        The editor has no display. In Bloxorz, it starts from the level that the position belongs to.

        >>> import gridwright as gw
        >>> editor = gw.Bloxorz.blank(2, 3).editor()
        >>> editor.put((0, 1), gw.bloxorz.Tile.TILE)
        >>> editor.rows
        ('So-', '--T')
        """
        from .editor import open_editor

        return open_editor(self)

    def edit(self, **options: Any) -> EditorWidget:
        """Returns a widget for building a level in a notebook, starting from this position; needs
        ``gridwright[notebook]``.

        * ``size``: the width of a cell in pixels, 1 to 1000; by default chosen so that the board fits.
        * ``theme``: ``"light"`` or ``"dark"``; by default that of the page.
        * ``page``: the address of the page that the links made by "Share" open, ``"play/"`` by default.
        """
        from .play.edit import EditorWidget

        return EditorWidget(self.editor(), **options)

    VIEWS: ClassVar[tuple[str, ...]] = ()
    """The values that the option ``view`` of ``svg`` accepts; empty if the game has a single view."""

    def batch(self: Self, n: int, seed: int = 0, **options: Any) -> Batch:
        """Returns a ``gridwright.Batch`` of copies of this position, stepped together.

        * ``n``: the number of games, at least 1.
        * ``seed``: an integer from 0 to 2^64 - 1, default 0, from which every game of the batch derives its own seed.
        * ``options``: those of ``Batch``.
        """
        from .batch import Batch

        return Batch(self, n, seed, **options)
