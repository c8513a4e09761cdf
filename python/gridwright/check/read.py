"""Readers of what submitted code returns: lenient about types, strict about values.

They run in the process of that code, where even ``repr`` of a value may raise. For a value that cannot be read, they
raise ``UnreadableAnswer``.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, takewhile
from typing import Any

import numpy as np

from ..words import readable
from .guard import UnreadableAnswer

__all__ = [
    "Cell",
    "attribute",
    "cell_of",
    "cells_of",
    "excerpt",
    "list_of",
    "matrix_of",
    "missing",
    "number",
    "printed_lines",
    "shown",
    "truth_of",
    "whole",
]

_MAX = 100_000
"""The maximum number of items of a list; a longer one is refused."""
_MAX_WHOLE = 1 << 62
"""The largest absolute value of a whole number that is read."""


def shown(value: Any) -> str:
    """Returns a value as text for a sentence, shortened if it is long.

    * ``value``: any object; one whose ``repr`` raises is described by its class.

    >>> shown(1 << 100)
    'a number of 101 bits'
    """
    try:
        if isinstance(value, int) and abs(value) > _MAX_WHOLE:
            return f"a number of {value.bit_length()} bits"
        text = repr(value)
    except Exception as error:
        return f"a {readable(type(value).__name__, 60)} whose repr raises {readable(type(error).__name__, 60)}"
    return readable(text, 120)


def whole(value: Any, name: str) -> int:
    """Reads an integer of any type, or a float or bool that equals an integer; never text.

    * ``value``: what the submitted code returned: at most 2^62 in absolute value.
    * ``name``: the name of the value in the message if the value cannot be read.

    >>> whole(np.float32(3), "the count")
    3
    >>> whole(None, "the count")
    Traceback (most recent call last):
    gridwright.check.guard.UnreadableAnswer: the count is None, expected a whole number (is a return missing?)
    """
    try:
        found = operator.index(value)
    except TypeError:
        try:
            if isinstance(value, str | bytes | bytearray) or float(value) != int(value):
                raise TypeError
            found = int(value)
        except (TypeError, ValueError, OverflowError):
            raise UnreadableAnswer(f"{name} is {shown(value)}, expected a whole number" + missing(value)) from None
    if abs(found) > _MAX_WHOLE:
        raise UnreadableAnswer(f"{name} is {shown(found)}, expected a number from -2^62 to 2^62")
    return int(found)


def number(value: Any, name: str) -> float:
    """Reads a finite number; never text.

    * ``value``: what the submitted code returned.
    * ``name``: the name of the value in the message if the value cannot be read.

    >>> number(3, "t")
    3.0
    """
    try:
        if isinstance(value, str | bytes | bytearray):
            raise TypeError
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        raise UnreadableAnswer(f"{name} is {shown(value)}, expected a number" + missing(value)) from None
    if not np.isfinite(found):
        raise UnreadableAnswer(f"{name} is {found}, expected a finite number")
    return found


def truth_of(value: Any, name: str) -> bool:
    """Reads a bool, a numpy bool, 0 or 1.

    * ``value``: what the submitted code returned.
    * ``name``: the name of the value in the message if the value cannot be read.

    >>> truth_of(np.bool_(True), "the answer")
    True
    """
    if isinstance(value, bool | np.bool_) or (isinstance(value, int | np.integer) and value in (0, 1)):
        return bool(value)
    raise UnreadableAnswer(f"{name} is {shown(value)}, expected True or False" + missing(value))


def _has_items(value: Any) -> bool:
    """Returns whether a value is an iterable other than text, a dict or an array without dimensions."""
    if isinstance(value, str | bytes | bytearray | Mapping) or getattr(value, "shape", None) == ():
        return False
    return isinstance(value, Iterable)


def list_of(value: Any, name: str, *, ordered: bool = True) -> list[Any]:
    """Reads any iterable other than text or a dict.

    * ``value``: what the submitted code returned: at most 100,000 items.
    * ``name``: the name of the value in the message if the value cannot be read.
    * ``ordered``: whether the order of the items counts, so that a set is refused; ``True`` by default.

    >>> list_of((1, 2), "the answer")
    [1, 2]
    """
    if not _has_items(value) or (ordered and isinstance(value, set | frozenset)):
        raise UnreadableAnswer(f"{name} is {shown(value)}, expected a list" + missing(value))
    found = []
    for each in value:
        found.append(each)
        if len(found) > _MAX:
            raise UnreadableAnswer(f"{name} has more than {_MAX} items")
    return found


def attribute(thing: Any, *names: str) -> Any:
    """Returns the first of some attributes that an object has, called if it is a method.

    Raises ``UnreadableAnswer`` if the object has none of them.

    * ``thing``: the object.
    * ``names``: the names of the attributes, in the order in which they are tried; the message names the first.

    >>> attribute(Cell(1, 4), "column", "col")
    4
    """
    for name in names:
        if hasattr(thing, name):
            found = getattr(thing, name)
            return found() if callable(found) else found
    raise UnreadableAnswer(f"{readable(type(thing).__name__, 60)!r} object has no attribute {names[0]!r}")


class Cell(tuple[int, int]):
    """A cell for code in any style: a tuple ``(row, col)`` with the attributes ``row``, ``col``, ``x`` and ``y``.

    * ``row``: the row.
    * ``col``: the column.

    >>> Cell(1, 4).x, Cell(1, 4) == (1, 4), Cell(1, 4).dx(1)
    (4, True, (1, 5))
    """

    __slots__ = ()

    def __new__(cls, row: int, col: int) -> Cell:
        return super().__new__(cls, (row, col))

    def __reduce__(self) -> Any:
        return Cell, tuple(self)

    row = property(operator.itemgetter(0))
    col = property(operator.itemgetter(1))
    y = property(operator.itemgetter(0))
    x = property(operator.itemgetter(1))

    def dx(self, d: int) -> Cell:
        """Returns the cell ``d`` columns to the right.

        * ``d``: the number of columns; negative for columns to the left.
        """
        return Cell(self[0], self[1] + d)

    def dy(self, d: int) -> Cell:
        """Returns the cell ``d`` rows below.

        * ``d``: the number of rows; negative for rows above.
        """
        return Cell(self[0] + d, self[1])


def cell_of(value: Any, name: str) -> tuple[int, int]:
    """Reads a cell: a pair of whole numbers, or an object with ``row`` and ``col``, or with ``x`` and ``y``.

    * ``value``: what the submitted code returned.
    * ``name``: the name of the value in the message if the value cannot be read.

    >>> cell_of([1, 4.0], "the head")
    (1, 4)
    """
    for row, col in (("row", "col"), ("y", "x")):
        if hasattr(value, row) and hasattr(value, col):
            value = (attribute(value, row), attribute(value, col))
            break
    # Three items at most: an iterator may be endless.
    if not _has_items(value) or len(pair := list(islice(value, 3))) != 2:
        raise UnreadableAnswer(f"{name} is {shown(value)}, expected (row, col)" + missing(value))
    return whole(pair[0], name), whole(pair[1], name)


def cells_of(value: Any, name: str, *, ordered: bool = True) -> list[tuple[int, int]]:
    """Reads cells: pairs of whole numbers, an ``(n, 2)`` array, or objects with ``row``, ``col`` or ``x``, ``y``.

    * ``value``: what the submitted code returned.
    * ``name``: the name of the value in the message if the value cannot be read.
    * ``ordered``: whether the order of the cells counts, so that a set is refused; ``True`` by default.

    >>> cells_of(np.array([[0, 1], [0, 2]]), "the answer")
    [(0, 1), (0, 2)]
    """
    return [cell_of(each, name) for each in list_of(value, name, ordered=ordered)]


def matrix_of(value: Any, shape: Sequence[int], what: str) -> list[list[int]]:
    """Reads an array of whole numbers or bools of any type, or a list of rows.

    * ``value``: what the submitted code returned.
    * ``shape``: the shape that is expected; a flat list of that size is accepted too.
    * ``what``: what the array holds, such as ``"whole numbers"``, for the message if the array cannot be read.

    >>> matrix_of([True, False], (1, 2), "bools")
    [[1, 0]]
    """
    shape = tuple(shape)
    if value is None:
        raise UnreadableAnswer(f"returned None, expected an array of {what} of shape {shape}" + missing(value))
    try:
        found = np.asarray(value)
    except (ValueError, TypeError, OverflowError):
        raise UnreadableAnswer(f"returned {shown(value)}, expected an array of {what} of shape {shape}") from None
    if found.shape != shape and found.size == int(np.prod(shape)) and found.ndim == 1:
        found = found.reshape(shape)
    if found.ndim == 0:
        raise UnreadableAnswer(f"returned {shown(value)}, expected an array of {what} of shape {shape}")
    if found.shape != shape:
        raise UnreadableAnswer(f"returned an array of shape {found.shape}, expected {shape}")
    whole_floats = found.dtype.kind == "f" and np.all(np.isfinite(found)) and np.array_equal(found, np.rint(found))
    if found.dtype.kind not in "iub" and not whole_floats:
        raise UnreadableAnswer(f"returned an array of {found.dtype}, expected {what}")
    if np.any(np.abs(found.astype(np.float64)) > _MAX_WHOLE):
        raise UnreadableAnswer(f"returned an array of {what} that holds a value beyond 2^62")
    return found.astype(np.int64).tolist()  # type: ignore[no-any-return]


def missing(value: Any) -> str:
    """Returns, for ``None``, a hint that a ``return`` may be missing; otherwise an empty string.

    * ``value``: what the submitted code returned.
    """
    return " (is a return missing?)" if value is None else ""


def excerpt(line: str, other: str = "") -> str:
    """Returns the ``repr`` of a line, or of the part of a long line in which it first differs from another line.

    * ``line``: a printed line.
    * ``other``: the other line; empty by default.

    >>> excerpt("9" * 60 + "0" * 99, "9" * 200)
    "'...99999999999999999999000000000000000000000000000000000000000000000000000000000000...'"
    """
    if len(line) <= 100:
        return repr(line)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(line, other, strict=False)))
    start = max(0, same - 20)
    part = line[start : start + 80]
    return repr("..." * (start > 0) + part + "..." * (start + 80 < len(line)))


def printed_lines(text: str) -> list[str]:
    """Splits printed text into lines, without trailing spaces and without empty lines at the end.

    * ``text``: what was printed.

    >>> printed_lines("a  \\n\\nb\\n\\n")
    ['a', '', 'b']
    """
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines
