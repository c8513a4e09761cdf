"""The exceptions of gridwright. Each sentence says what was found, then what was wanted."""

from __future__ import annotations

__all__ = ["IllegalMoveError", "LevelError", "MoveError", "SearchLimitError"]


class LevelError(ValueError):
    """A level that cannot be read.

    ``line`` and ``column`` (1-based) are the place of the complaint, ``None`` where there is no text; ``reason`` is the
    sentence without the place.

    >>> import gridwright as gw
    >>> try:
    ...     gw.Bloxorz("Soo?")
    ... except gw.LevelError as error:
    ...     print(error, "|", error.line, error.column)
    line 1, column 4: '?', wanted a tile: one of - o . S T or a letter | 1 4
    """

    def __init__(
        self, message: str, line: int | None = None, column: int | None = None, reason: str | None = None
    ) -> None:
        super().__init__(message, line, column, reason if reason is not None else message)

    @property
    def line(self) -> int | None:
        """Line of the complaint, 1-based."""
        return self.args[1]  # type: ignore[no-any-return]

    @property
    def column(self) -> int | None:
        """Column of the complaint in characters, 1-based."""
        return self.args[2]  # type: ignore[no-any-return]

    @property
    def reason(self) -> str:
        """What was found and what was wanted."""
        return self.args[3]  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return str(self.args[0])


class MoveError(ValueError):
    """Something that is no move of this game: a wrong length, a number outside the box, no whole number.

    >>> import gridwright as gw
    >>> gw.Bloxorz.level("level01").play(7)
    Traceback (most recent call last):
        ...
    gridwright.errors.MoveError: key 7, wanted 0 to 4
    """


class IllegalMoveError(MoveError):
    """A move of this game that the rules refuse here; ``move`` is the tuple, ``reason`` why.

    >>> import gridwright as gw
    >>> gw.Bloxorz.level("level01").play("s")
    Traceback (most recent call last):
        ...
    gridwright.errors.IllegalMoveError: illegal move (4): s gives control to the other cube, and the block is whole, \
wanted l, u, r or d
    """

    def __init__(self, message: str, move: tuple[int, ...] = (), reason: str | None = None) -> None:
        super().__init__(message, move, reason if reason is not None else message)

    @property
    def move(self) -> tuple[int, ...]:
        """The move that was refused."""
        return self.args[1]  # type: ignore[no-any-return]

    @property
    def reason(self) -> str:
        """Why the rules refuse it."""
        return self.args[2]  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return str(self.args[0])


class SearchLimitError(RuntimeError):
    """A search that reached its limit with nothing proved; a larger limit may find the answer."""
