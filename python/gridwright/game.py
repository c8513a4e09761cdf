"""What all games share in Python: levels, files, pictures. The rules stand in the engines."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .controls import Controls, of_game
from .errors import LevelError
from .status import Status
from .words import nearest

if TYPE_CHECKING:
    from .batch import Batch
    from .draw import Animation
    from .play.widget import GameWidget

__all__ = ["Game", "GridGame", "read_text"]

Self = TypeVar("Self", bound="GridGame")


def read_text(path: str | os.PathLike[str]) -> str:
    """Reads the text of a level from a file; ``LevelError`` where it is not UTF-8."""
    file = Path(path)
    try:
        raw = file.read_bytes()
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, "no such file, wanted one with a level", str(path)) from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - (raw.rfind(b"\n", 0, error.start) + 1) + 1
        reason = f"byte 0x{raw[error.start]:02x}, wanted text in UTF-8"
        raise LevelError(f"line {line}, column {column}: {reason}", line, column, reason) from None


class Game(Protocol):
    """The protocol of a game: what every game has, for type hints of generic code."""

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
    """The members that all games share and that need no engine: levels, files, pictures.

    The classes of the games derive from this and from their engine in ``gridwright._core``.
    """

    NAME: ClassVar[str]
    """Folder name of the game, its key in ``gridwright.GAMES``."""

    # What the engine gives; declared here for the members below.
    text: str
    shape: tuple[int, int]
    bounds: tuple[int, ...]

    @classmethod
    def levels(cls) -> tuple[str, ...]:
        """Names the packaged levels, in order.

        >>> import gridwright as gw
        >>> gw.Bloxorz.levels()[:2]
        ('level01', 'level02')
        """
        return tuple(_core.packaged_levels(cls.NAME))

    @classmethod
    def level(cls: type[Self], name: str) -> Self:
        """Starts a packaged level. Raises ``LevelError`` with the nearest names where there is none of that name.

        >>> import gridwright as gw
        >>> gw.Bloxorz.level("level01").shape
        (6, 10)
        """
        texts = _core.packaged_levels(cls.NAME)
        if name not in texts:
            raise LevelError(f'no level "{name}" of {cls.__name__}; {nearest(name, texts)}')
        return cls._from_text(texts[name])

    @classmethod
    def load(cls: type[Self], path: str | os.PathLike[str]) -> Self:
        """Reads a position from a file, UTF-8 text in the notation of the game.

        Raises ``LevelError`` for a text that is none, ``FileNotFoundError`` (an ``OSError``) where there is no file.
        """
        return cls._from_text(read_text(path))

    @classmethod
    def _from_text(cls: type[Self], text: str) -> Self:
        return cls(text)  # type: ignore[call-arg]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the position to a file that ``load`` reads.

        >>> import gridwright as gw, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "mine.txt"
        >>> game = gw.Bloxorz.level("level01")
        >>> game.play("rr")
        >>> game.save(path)
        >>> gw.Bloxorz.load(path) == game
        True
        """
        Path(path).write_text(self.text, encoding="utf-8", newline="\n")

    def __repr__(self) -> str:
        """An expression that rebuilds the position."""
        return f"{type(self).__name__}({self.text!r})"

    def __str__(self) -> str:
        """A plain-text picture."""
        from .draw import plain

        return plain(self)

    def svg(self, **options: Any) -> str:
        """Draws the position as SVG text; ``theme="dark"`` for dark pages, ``size=`` for pixels a cell.

        >>> import gridwright as gw
        >>> gw.Bloxorz.level("level01").svg()[:4]
        '<svg'
        """
        from .draw import svg

        return svg(self, **options)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        source = base64.b64encode(self.svg().encode()).decode()
        alt = f"{type(self).__name__} of {self.shape[0]} rows and {self.shape[1]} columns"
        return {
            "text/html": f'<img src="data:image/svg+xml;base64,{source}" alt="{alt}">',
            "text/plain": str(self),
        }

    def save_image(self, path: str | os.PathLike[str], *, progress: Any = None, **options: Any) -> None:
        """Writes a picture, ``.svg`` or ``.png`` by the ending, or a ``.gif`` or ``.apng`` of the moves so far.

        PNG and GIF need ``gridwright[images]``. ``options`` are those of ``svg``; ``progress`` is called with the
        frames that are drawn.
        """
        from .draw import save_image

        save_image(self, path, progress=progress, **options)

    def animate(
        self, moves: Any = None, *, seconds: float | None = None, progress: Any = None, **options: Any
    ) -> Animation:
        """Replays the moves played so far, or the moves given from here, as an ``Animation``.

        In a notebook it has buttons and a slider and needs no kernel; ``.save("game.html")`` writes a stand-alone page,
        ``.gif``, ``.png``, ``.svg`` too. ``moves`` is ``(n, rank)`` numbers, or a text of keys where the game has them;
        ``seconds`` the time a move is seen; ``progress`` is told the moves drawn; ``options`` are those of ``svg``. The
        game stays as it is.

        >>> import gridwright as gw
        >>> game = gw.Bloxorz.level("level01")
        >>> game.animate(game.solve())
        Animation of 8 frames
        """
        from .draw import replay

        return replay(self, moves, seconds=seconds, progress=progress, **options)

    def widget(self, **options: Any) -> GameWidget:
        """Makes the game playable in a notebook by clicks, keys and touch; what is played there is played here.

        Needs ``gridwright[notebook]``. ``options``: ``size`` in pixels a cell, ``theme`` (by default that of the page),
        ``view`` where the game has several (``"3d"`` of Bloxorz; a button and the key v change it).
        """
        from .play.widget import GameWidget

        return GameWidget(self, **options)

    CONTROLS: ClassVar[type[Controls]] = Controls
    """How a person plays the game: the class of what ``controls`` returns."""

    def controls(self) -> Controls:
        """Returns the protocol for playing this game: clicks, keys, hints, scores, levels.

        As long as somebody holds the object, every call returns the same one.

        >>> import gridwright as gw
        >>> game = gw.MyPhoton.level("level01")
        >>> controls = game.controls()
        >>> [str(score) for score in controls.scores]
        ['swaps 0', 'sensors lit 0 of 1', 'par 1']
        """
        return of_game(self)

    # How the widget plays a game; what a game does otherwise its class overrides.

    KEYS: ClassVar[dict[str, tuple[Any, ...]]] = {}
    """The keys of the terminal and of the notebook, with the arguments of ``play``."""

    CLICKS: ClassVar[str] = ""
    """How to play with the mouse or a finger, in a few words."""

    VIEWS: ClassVar[tuple[str, ...]] = ()
    """What ``view=`` of ``svg`` takes, where there is more than one way to look at the board."""

    SECOND: ClassVar[str] = ""
    """What the second kind of click does, in one word; empty where there is none."""

    def _click(
        self, cell: tuple[int, int], chosen: tuple[int, int] | None, second: bool
    ) -> tuple[tuple[Any, ...] | None, tuple[int, int] | None]:
        """What a click does: the move to play, if any, and the cell that is chosen from then on, if any."""
        rank = len(self.bounds)
        if rank == 4:
            if chosen is None or chosen == cell:
                return None, cell if chosen is None else None
            return (*chosen, *cell), None
        if rank == 3:
            return (int(second), *cell), None
        return None, None

    def _key(self, key: str, *, probe: bool = False) -> tuple[Any, ...] | None:
        """The move of a key; ``probe`` only asks whether the key is one."""
        return self.KEYS.get(key)

    def _can_hint(self) -> bool:
        return self._can_solve() or hasattr(self, "suggest")

    def _can_solve(self) -> bool:
        return hasattr(self, "solution")

    def _all_moves(self, **options: Any) -> list[tuple[int, ...]] | None:
        """The moves of a solution; none, and they are asked for one by one."""
        if not hasattr(self, "solution"):
            return []
        moves = self.solution(**options)
        return None if moves is None else [tuple(move) for move in moves.tolist()]

    def _next_move(self, **options: Any) -> tuple[int, ...] | None:
        """The next move of a solution; in a game of two the one that is suggested."""
        if hasattr(self, "suggest"):
            move = self.suggest(**options)
            return None if move is None else tuple(move)
        moves = self._all_moves(**options)
        return moves[0] if moves else None

    def _scores(self) -> list[tuple[str, str]]:
        """What is counted beside the moves."""
        names = ("falls", "score", "lives")
        return [(name, str(getattr(self, name))) for name in names if hasattr(self, name)]

    @classmethod
    def _can_make_new(cls) -> bool:
        return hasattr(cls, "generate")

    def _new(self: Self, seed: int) -> Self:
        """A new puzzle of the same kind and size."""
        made: Self = self.generate(*self.shape, seed=seed)  # type: ignore[attr-defined]
        return made

    def batch(self: Self, n: int, seed: int = 0, **options: Any) -> Batch:
        """Makes a ``gridwright.Batch`` of n copies of this position, stepped together."""
        from .batch import Batch

        return Batch(self, n, seed, **options)
