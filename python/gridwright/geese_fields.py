"""The fields of GeeseSpotter: their codes, and the source document's functions, which work on boards in place."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core

__all__ = [
    "Action",
    "Code",
    "Field",
    "clean_board",
    "compute_neighbours",
    "create_board",
    "hidden_bit",
    "hide_board",
    "is_game_won",
    "mark",
    "marked_bit",
    "print_board",
    "reveal",
    "spread_geese",
    "value_mask",
    "x_dim_max",
    "y_dim_max",
]

_CODES = _core.geese_codes()

Board = npt.NDArray[np.uint8]
Whole = int | np.integer[Any]
CellLike = tuple[int, int] | npt.NDArray[np.integer[Any]] | list[int]


class Field(IntEnum):
    """The bits of a field of ``GeeseSpotter.board``, and the value of a goose; other values are 0 to 8.

    >>> hex(Field.HIDDEN | Field.MARKED), 0x39 & ~Field.HIDDEN & ~Field.MARKED == Field.GOOSE
    ('0x30', True)
    """

    GOOSE = _CODES["GOOSE"]
    MARKED = _CODES["MARKED"]
    HIDDEN = _CODES["HIDDEN"]


class Code(IntEnum):
    """The return codes of ``mark``, ``reveal``, ``GeeseSpotter.mark`` and ``GeeseSpotter.show``."""

    DONE = _CODES["CODE_DONE"]
    MARKED = _CODES["CODE_MARKED"]
    REVEALED = _CODES["CODE_REVEALED"]
    GOOSE = _CODES["CODE_GOOSE"]


class Action(IntEnum):
    """The first number of a move of ``GeeseSpotter``: what to do with the field."""

    SHOW = _CODES["ACTION_SHOW"]
    MARK = _CODES["ACTION_MARK"]


def marked_bit() -> int:
    """Returns the bit of a marked field, 0x10."""
    return _CODES["MARKED"]


def hidden_bit() -> int:
    """Returns the bit of a hidden field, 0x20."""
    return _CODES["HIDDEN"]


def value_mask() -> int:
    """Returns the bits of the value of a field, 0x0F."""
    return _CODES["VALUE"]


def x_dim_max() -> int:
    """Returns the largest x dimension that the source document's console accepts, 60.

    Boards of this module may be larger.
    """
    return _CODES["X_DIM_MAX"]


def y_dim_max() -> int:
    """Returns the largest y dimension that the source document's console accepts, 20.

    Boards of this module may be larger.
    """
    return _CODES["Y_DIM_MAX"]


def create_board(x_dim: Whole, y_dim: Whole) -> Board:
    """Creates a board of zeros: a ``(y_dim, x_dim)`` uint8 array.

    Its memory, row after row, is laid out like the one-dimensional array of the source document.

    * ``x_dim``: number of columns, at least 1.
    * ``y_dim``: number of rows, at least 1.

    Raises ``ValueError`` for a dimension below 1 or a board of more than ``sys.maxsize`` fields, and ``MemoryError``
    for a board that does not fit in memory.

    >>> create_board(3, 2)
    array([[0, 0, 0],
           [0, 0, 0]], dtype=uint8)
    """
    return _core.geese_create_board(x_dim, y_dim)


def clean_board(board: Board) -> None:
    """Sets every field to 0, in place.

    The source document's function frees the memory, which Python does by itself.

    * ``board``: a ``(y_dim, x_dim)`` uint8 array.
    """
    _core.geese_clean_board(board)


def print_board(board: Board) -> None:
    """Prints a board, one line per row: ``*`` for a hidden field, ``M`` for a marked one, otherwise the value.

    * ``board``: a ``(y_dim, x_dim)`` uint8 array of fields.
    """
    print(_core.geese_printed(board), end="")


def hide_board(board: Board) -> None:
    """Hides every field, in place.

    * ``board``: a ``(y_dim, x_dim)`` uint8 array of fields.
    """
    _core.geese_hide_board(board)


def mark(board: Board, row: Whole | CellLike, col: Whole | None = None) -> int:
    """Marks or unmarks a hidden field, in place.

    * ``board``: a ``(y_dim, x_dim)`` uint8 array of fields.
    * ``row``: the row of the field (y), or its cell ``(row, col)`` if ``col`` is not given.
    * ``col``: the column of the field (x).

    Returns 0 if the mark was changed. Returns 2 for a revealed field, which stays unchanged. Raises ``MoveError`` for a
    field off the board.
    """
    return _core.geese_mark(board, row, col)


def compute_neighbours(board: Board) -> None:
    """Sets every field without a goose to the number of its neighbors that hold a goose, in place.

    * ``board``: a ``(y_dim, x_dim)`` uint8 array of revealed fields, in which 9 is a goose.

    A million fields take about 0.05 ms. Raises ``ValueError`` for a hidden or marked field.
    """
    _core.geese_compute_neighbours(board)


def is_game_won(board: Board) -> bool:
    """Returns whether every field without a goose is revealed.

    * ``board``: a ``(y_dim, x_dim)`` uint8 array of fields.
    """
    return _core.geese_is_game_won(board)


def reveal(board: Board, row: Whole | CellLike, col: Whole | None = None) -> int:
    """Reveals a field, in place; a zero also reveals its hidden neighbors that are not marked, but not their neighbors.

    * ``board``: a ``(y_dim, x_dim)`` uint8 array of fields.
    * ``row``: the row of the field (y), or its cell ``(row, col)`` if ``col`` is not given.
    * ``col``: the column of the field (x).

    Returns 0 if the field was revealed and 9 if it held a goose. Returns 1 for a marked field, which stays hidden, and
    2 for a field that was revealed before; a zero then still reveals its neighbors. Raises ``MoveError`` for a field
    off the board.
    """
    return _core.geese_reveal(board, row, col)


def spread_geese(board: Board, num_geese: Whole, seed: int | None = None) -> None:
    """Places geese on fields that are 0, in place; each set of such fields is equally likely.

    * ``board``: a ``(y_dim, x_dim)`` uint8 array of fields.
    * ``num_geese``: the number of geese, from 0 to the number of fields that are 0; ``ValueError`` otherwise.
    * ``seed``: an integer from 0 to 2^64 - 1, or ``None`` (the default) for a random one. Equal seeds give equal
      boards.
    """
    _core.geese_spread_geese(board, num_geese, seed)
