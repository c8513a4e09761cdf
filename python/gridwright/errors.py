"""The exceptions of gridwright. A message about an argument states its name, what it must be and what was given."""

from __future__ import annotations

from ._core import InternalError

__all__ = ["IllegalMoveError", "InternalError", "LevelError", "MoveError", "MoveTypeError", "SearchLimitError"]


class LevelError(ValueError):
    """A level that cannot be read.

    * ``message``: the complete message, with the line and column if they are known.
    * ``line``, ``column``: the position of the mistake, both 1-based; ``None`` (the default) if no text was read.
    * ``reason``: the message without the line and column; ``message`` by default.

    >>> import gridwright as gw
    >>> try:
    ...     gw.Bloxorz("Soo?")
    ... except gw.LevelError as error:
    ...     print(error, "|", error.line, error.column)
    line 1, column 4: tile must be one of - o . S T or a letter, got '?' | 1 4
    """

    def __init__(
        self, message: str, line: int | None = None, column: int | None = None, reason: str | None = None
    ) -> None:
        super().__init__(message, line, column, reason if reason is not None else message)

    @property
    def line(self) -> int | None:
        """The line of the mistake, 1-based; ``None`` if no text was read."""
        return self.args[1]  # type: ignore[no-any-return]

    @property
    def column(self) -> int | None:
        """The column of the mistake in characters, 1-based; ``None`` if ``line`` is ``None``."""
        return self.args[2]  # type: ignore[no-any-return]

    @property
    def reason(self) -> str:
        """The message without the line and column."""
        return self.args[3]  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return str(self.args[0])


class MoveError(ValueError):
    """A value that is not a move or a cell of the game.

    It has too few or too many coordinates, or one that is out of bounds or of the wrong type.

    >>> import gridwright as gw
    >>> gw.Bloxorz.level("level01").play(7)
    Traceback (most recent call last):
        ...
    gridwright.errors.MoveError: key must be between 0 and 4, got 7
    """


class MoveTypeError(MoveError, TypeError):
    """A value of the wrong type in place of a coordinate, a move or a cell: both a ``MoveError`` and a ``TypeError``.

    >>> import gridwright as gw
    >>> gw.Bloxorz.level("level01").play(1.5)
    Traceback (most recent call last):
        ...
    gridwright.errors.MoveTypeError: key must be an integer or a string of the letters l, u, r, d and s, got 1.5 (float)
    """


class IllegalMoveError(MoveError):
    """A move that the rules refuse in the current position.

    * ``message``: the complete message, which names the move.
    * ``move``: the refused move, a tuple of integers, empty by default.
    * ``reason``: why the rules refuse it; ``message`` by default.

    >>> import gridwright as gw
    >>> gw.Bloxorz.level("level01").play("s")
    Traceback (most recent call last):
        ...
    gridwright.errors.IllegalMoveError: illegal move (4): cannot switch cubes: the block is not split
    """

    def __init__(self, message: str, move: tuple[int, ...] = (), reason: str | None = None) -> None:
        super().__init__(message, move, reason if reason is not None else message)

    @property
    def move(self) -> tuple[int, ...]:
        """The refused move, a tuple of integers."""
        return self.args[1]  # type: ignore[no-any-return]

    @property
    def reason(self) -> str:
        """Why the rules refuse the move."""
        return self.args[2]  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return str(self.args[0])


class SearchLimitError(RuntimeError):
    """A search that reached a limit and therefore proves nothing."""
