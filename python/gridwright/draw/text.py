"""The places of cells in plain text, and a check of the numbers that make up a move."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from typing import Any

__all__ = ["TextGrid", "numbers"]


def numbers(game: Any, move: Any) -> tuple[int, ...]:
    """Returns the numbers of a move, which must be within ``game.bounds``.

    * ``game``: a game of any kind.
    * ``move``: a sequence of integers, ``TypeError`` for any other object; ``ValueError`` if a number is out of bounds,
      or if there are too few or too many.

    >>> import gridwright as gw
    >>> numbers(gw.Bloxorz.level("level01"), [2])
    (2,)
    """
    found = tuple(map(index, move))
    # `zip` raises a ValueError if the lengths differ.
    if not all(0 <= part < bound for part, bound in zip(found, game.bounds, strict=True)):
        raise ValueError(f"move must be in the box {game.bounds}, got {found}")
    return found


@dataclass(frozen=True)
class TextGrid:
    """The places of the cells of a board in its plain picture, in characters from the top left.

    >>> grid = TextGrid(2, 1, 2, 1)
    >>> grid.place(3, 4), grid.at(10, 4, (5, 5))
    ((10, 4), (3, 4))
    """

    left: int
    """The column of the first cell's character."""
    top: int
    """The line of the first cell's character."""
    wide: int
    """The number of characters from one cell to the next."""
    high: int
    """The number of lines from one row to the next."""
    shift: int = 0
    """The number of characters by which odd rows are shifted to the right."""

    def place(self, row: int, col: int) -> tuple[int, int]:
        """Returns the place ``(x, y)`` of a cell's symbol.

        * ``row``, ``col``: the cell, which is not checked.
        """
        return self.left + col * self.wide + self.shift * (row % 2), self.top + row * self.high

    def at(self, x: int, y: int, shape: tuple[int, int]) -> tuple[int, int] | None:
        """Returns the cell at a place, or ``None`` if the place is outside the board.

        * ``x``: the column in the text.
        * ``y``: the line in the text.
        * ``shape``: height and width of the board in cells.
        """
        row, col = self.cell(x, y)
        return (row, col) if 0 <= row < shape[0] and 0 <= col < shape[1] else None

    def cell(self, x: int, y: int) -> tuple[int, int]:
        """Returns the row and the column at a place; they may lie outside the board, and may be negative.

        * ``x``: the column in the text.
        * ``y``: the line in the text.
        """
        row = (y - self.top + self.high // 2) // self.high
        # A cell two characters wide includes both; in a wider cell, the symbol is in the middle.
        col = (x - self.left - self.shift * (row % 2) + (self.wide // 2 if self.wide > 2 else 0)) // self.wide
        return row, col
