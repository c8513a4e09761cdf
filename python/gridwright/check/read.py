"""Reads what people's code answers: generous about types, exact about values."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

from .guard import Odd

__all__ = ["cells_of", "list_of", "matrix_of", "shown", "truth_of", "whole"]

_MOST = 100_000


def shown(value: Any) -> str:
    """Writes a value for a sentence, shortened where it is long."""
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."


def whole(value: Any, name: str) -> int:
    """Reads a whole number of any type; a float or bool with the value of one too, a text never."""
    try:
        return operator.index(value)
    except TypeError:
        pass
    try:
        if not isinstance(value, str | bytes) and float(value) == int(value):
            return int(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise Odd(f"{name} gave {shown(value)}, expected a whole number" + _missing(value))


def truth_of(value: Any, name: str) -> bool:
    """Reads a bool, a numpy bool, 0 or 1."""
    if isinstance(value, bool | np.bool_) or (isinstance(value, int | np.integer) and value in (0, 1)):
        return bool(value)
    raise Odd(f"{name} was {shown(value)}, expected True or False" + _missing(value))


def list_of(value: Any, name: str) -> list[Any]:
    """Reads any iterable but text; an endless one is cut off and refused."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise Odd(f"{name} gave {shown(value)}, expected a list" + _missing(value))
    found = []
    for each in value:
        found.append(each)
        if len(found) > _MOST:
            raise Odd(f"{name} gave more than {_MOST} items")
    return found


def cells_of(value: Any, name: str) -> list[tuple[int, int]]:
    """Reads cells: pairs of whole numbers, an ``(n, 2)`` array, or objects with ``row`` and ``col``."""
    cells = []
    for each in list_of(value, name):
        if hasattr(each, "row") and hasattr(each, "col"):
            each = (each.row, each.col)
        if not isinstance(each, Iterable) or isinstance(each, str) or len(pair := list(each)) != 2:
            raise Odd(f"{name} gave {shown(each)} as a cell, expected (row, col)")
        cells.append((whole(pair[0], name), whole(pair[1], name)))
    return cells


def matrix_of(value: Any, shape: tuple[int, ...], what: str) -> Any:
    """Reads an array of whole numbers or bools of an expected shape, of any type; rows in lists too."""
    if value is None:
        raise Odd(f"gave None, expected an array of {what} of shape {shape}" + _missing(value))
    try:
        found = np.asarray(value)
    except ValueError:
        raise Odd(f"gave {shown(value)}, expected an array of {what} of shape {shape}") from None
    if found.shape != shape and found.size == int(np.prod(shape)) and found.ndim == 1:
        found = found.reshape(shape)
    if found.shape != shape:
        raise Odd(f"gave an array of shape {found.shape}, expected {shape}")
    if found.dtype.kind == "f" and np.all(np.isfinite(found)) and np.array_equal(found, np.rint(found)):
        found = found.astype(np.int64)
    if found.dtype.kind not in "iub":
        raise Odd(f"gave an array of {found.dtype}, expected {what}")
    return found.astype(np.int64)


def _missing(value: Any) -> str:
    return " (is a return missing?)" if value is None else ""
