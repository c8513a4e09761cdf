"""Validates the arguments of functions written in Python; the Rust engines validate theirs with the same messages.

Functions that read an argument take ``name``, the name of the argument, with which every error message begins, and
``value``, the object to read. Unless documented otherwise, they return what they read, numbers and booleans as Python's
own types. A value of the wrong type raises ``TypeError``, a value out of bounds raises ``ValueError``, and an index out
of bounds raises ``IndexError``.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from .words import either, nearest

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

__all__ = [
    "array",
    "bools",
    "cell",
    "choice",
    "flag",
    "form",
    "function",
    "game",
    "game_class",
    "instance",
    "integer",
    "matrix",
    "number",
    "path",
    "place",
    "reports",
    "seed_of",
    "sequence",
    "shown",
    "sizes",
    "text",
    "whole",
    "wrong_type",
]

_LONGEST = 40
"""The largest number of characters of a value that an error message shows."""


def shown(value: object) -> str:
    """Returns the beginning of a value's ``repr``, for an error message.

    * ``value``: any object; one whose ``repr`` raises is shown as ``?``, and an integer of more than 1000 bits by its
      number of bits.

    >>> shown(list(range(100)))
    '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1...'
    """
    if isinstance(value, int) and value.bit_length() > 1000:
        return f"an integer of {value.bit_length()} bits"  # `str` raises for thousands of digits
    try:
        found = " ".join(repr(value).split())
    except Exception:
        found = "?"
    return found if len(found) <= _LONGEST else found[:_LONGEST] + "..."


def form(value: object) -> str:
    """Returns what an object is, for an error message: the dtype and shape of an array, the class of anything else.

    * ``value``: any object.

    >>> form(np.zeros((2, 3))), form(None), form("x")
    ('float64 of shape (2, 3)', 'None', 'str')
    """
    if isinstance(value, np.ndarray):
        return f"{value.dtype} of shape {value.shape}"
    return "None" if value is None else type(value).__name__


def wrong_type(name: str, expected: str, value: object) -> TypeError:
    """Creates the error for an argument of the wrong type.

    * ``name``: the name of the argument, for error messages.
    * ``expected``: what the argument must be, such as ``"an integer"``.
    * ``value``: the object that was given.

    >>> wrong_type("n", "an integer", "x")
    TypeError("n must be an integer, got 'x' (str)")
    """
    found = "None" if value is None else f"{shown(value)} ({type(value).__name__})"
    return TypeError(f"{name} must be {expected}, got {found}")


def integer(name: str, value: Any) -> int:
    """Reads an integer of any size.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to read.

    A ``bool`` of Python or numpy is refused with ``TypeError``.

    >>> integer("n", np.int8(3))
    3
    """
    if isinstance(value, bool | np.bool_):
        raise wrong_type(name, "an integer", value)
    try:
        return operator.index(value)
    except TypeError:
        raise wrong_type(name, "an integer", value) from None


def whole(name: str, value: Any, least: int, most: int = 2**64 - 1) -> int:
    """Reads an integer from ``least`` to ``most``.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to read.
    * ``least``: the least value allowed.
    * ``most``: the greatest value allowed, 2^64 - 1 by default; ``ValueError`` outside these bounds.

    >>> whole("n", 3, 1)
    3
    >>> whole("n", 0, 1)
    Traceback (most recent call last):
    ValueError: n must be between 1 and 2^64 - 1, got 0
    """
    found = integer(name, value)
    if not least <= found <= most:
        bound = "2^64 - 1" if most == 2**64 - 1 else str(most)
        raise ValueError(f"{name} must be between {least} and {bound}, got {shown(found)}")
    return found


def seed_of(text: str) -> int | None:
    """Reads a seed written in decimal digits; returns ``None`` for text that is not an integer from 0 to 2^64 - 1.

    * ``text``: the digits; any number of leading zeros is ignored.

    >>> seed_of("007"), seed_of("-1"), seed_of("9" * 20)
    (7, None, None)
    """
    digits = text.lstrip("0") or text[:1]
    # More than 20 digits are not converted: the conversion takes time quadratic in their number.
    found = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 20 else 2**64
    return found if found < 2**64 else None


def number(name: str, value: Any, least: float = -math.inf, most: float = math.inf) -> float:
    """Reads a finite number from ``least`` to ``most``; NaN and infinities are always out of bounds.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to read.
    * ``least``: the least value allowed; no bound by default.
    * ``most``: the greatest value allowed; no bound by default. ``ValueError`` outside these bounds.

    >>> number("scale", 20, 0.1, 10)
    Traceback (most recent call last):
    ValueError: scale must be between 0.1 and 10, got 20
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise wrong_type(name, "a number", value)
    try:
        found = float(value)
    except OverflowError:
        found = math.inf  # an integer too large for a float, refused below
    if not (least <= found <= most and math.isfinite(found)):
        if math.isfinite(least) and math.isfinite(most):
            bounds = f"between {least} and {most}"
        else:
            bounds = f"finite and at least {least}" if math.isfinite(least) else "a finite number"
            bounds = f"finite and at most {most}" if math.isfinite(most) else bounds
        raise ValueError(f"{name} must be {bounds}, got {shown(value)}")
    return found


def flag(name: str, value: Any) -> bool:
    """Reads a boolean.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to read.

    >>> flag("wrap", np.True_)
    True
    """
    if not isinstance(value, bool | np.bool_):
        raise wrong_type(name, "a bool", value)
    return bool(value)


def text(name: str, value: Any) -> str:
    """Reads a string.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to read.

    >>> text("name", "level01")
    'level01'
    """
    if not isinstance(value, str):
        raise wrong_type(name, "a str", value)
    return value


def choice(name: str, value: Any, known: Collection[str]) -> str:
    """Reads a string that must be one of ``known``; the error message suggests similar strings, if there are any.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to read.
    * ``known``: the strings allowed, in the order in which the error message lists them.

    >>> choice("theme", "drak", ["light", "dark"])
    Traceback (most recent call last):
    ValueError: theme must be 'light' or 'dark', got 'drak'; did you mean "dark"?
    """
    found = text(name, value)
    if found in known:
        return found
    expected = either(repr(word) for word in known) or "one of the choices, of which there are none"
    near = nearest(found, known)
    hint = f"; {near}" if near.startswith("did you mean") else ""
    raise ValueError(f"{name} must be {expected}, got {shown(found)}{hint}")


def instance(name: str, value: Any, kind: type) -> None:
    """Raises ``TypeError`` unless an object is an instance of a class.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to check.
    * ``kind``: the class.

    >>> instance("game", 5, str)
    Traceback (most recent call last):
    TypeError: game must be an instance of str, got int
    """
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be an instance of {kind.__name__}, got {form(value)}")


def path(name: str, value: Any) -> Path:
    """Reads a file path and returns it as a ``pathlib.Path``.

    * ``name``: the name of the argument, for error messages.
    * ``value``: a ``str``, or an ``os.PathLike`` whose path is a ``str``; ``TypeError`` for anything else, and
      ``ValueError`` for a path that the file system cannot hold.

    >>> path("file", "a.txt").name
    'a.txt'
    """
    if not isinstance(value, str | os.PathLike) or not isinstance(os.fspath(value), str):
        raise wrong_type(name, "a path", value)
    from pathlib import Path

    try:
        named = b"\0" not in os.fsencode(value)
    except UnicodeEncodeError:
        named = False
    if not named:
        raise ValueError(f"{name} must be a path that the file system can hold, got {shown(os.fspath(value))}")
    return Path(value)


def reports(name: str, value: Any) -> Any:
    """Returns the method ``update`` of an object that shows progress; ``None`` for a plain callable or ``None``.

    * ``name``: the name of the argument, for error messages.
    * ``value``: a callable, an object with a method ``update``, or ``None``; ``TypeError`` for anything else, and for a
      dict or a set, whose ``update`` means something else.

    >>> reports("progress", print)
    """
    found = getattr(value, "update", None)
    if value is None or (found is None and callable(value)):
        return None
    if not callable(found) or isinstance(value, Mapping | Set):
        raise wrong_type(name, "a callable or an object with an update method", value)
    return found


def sequence(name: str, value: Any, expected: str, most: int) -> list[Any]:
    """Reads at most ``most + 1`` items of a short sequence, so that an endless iterable is not read forever.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to read; ``TypeError`` for text, bytes and anything that is not iterable.
    * ``expected``: what the message says the argument must be.
    * ``most``: the most items that the caller accepts; the caller itself checks the length of the result.

    >>> sequence("cell", range(10**12), "a cell", 2)
    [0, 1, 2]
    """
    if isinstance(value, str | bytes | bytearray):
        raise wrong_type(name, expected, value)
    try:
        parts: Iterator[Any] = iter(value)
    except TypeError:
        raise wrong_type(name, expected, value) from None
    return list(islice(parts, most + 1))


def place(name: str, value: Any, n: int) -> int:
    """Reads an index into a sequence.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to read.
    * ``n``: the length of the sequence; ``IndexError`` unless the index is from 0 to n - 1.

    >>> place("i", 2, 3)
    2
    """
    found = integer(name, value)
    if not 0 <= found < n:
        raise IndexError(f"{name} must be between 0 and {n - 1}, got {shown(found)}")
    return found


def game(name: str, value: Any) -> Any:
    """Reads a game of any kind.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to read.

    >>> game("game", 5)
    Traceback (most recent call last):
    TypeError: game must be a game, got 5 (int)
    """
    if isinstance(value, type) or not hasattr(value, "NAME"):
        raise wrong_type(name, "a game", value)
    return value


def game_class(name: str, value: Any) -> Any:
    """Reads the class of a game.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to read.

    >>> game_class("kind", 5)
    Traceback (most recent call last):
    TypeError: kind must be the class of a game, got 5 (int)
    """
    if not isinstance(value, type) or not hasattr(value, "NAME"):
        raise wrong_type(name, "the class of a game", value)
    return value


def function(name: str, value: Any) -> Any:
    """Reads a callable.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to read.

    >>> function("tell", 5)
    Traceback (most recent call last):
    TypeError: tell must be a callable, got 5 (int)
    """
    if not callable(value):
        raise wrong_type(name, "a callable", value)
    return value


def cell(name: str, value: Any, shape: Sequence[int]) -> tuple[int, ...]:
    """Reads a cell of a board: one integer per axis, ``(row, col)`` or ``(layer, row, col)``.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to read; ``ValueError`` if it has too few or too many integers, or if the cell is off the
      board.
    * ``shape``: the two or three sizes of the board.

    >>> cell("cell", np.array([1, 2]), (2, 3))
    (1, 2)
    """
    axes = "(row, col)" if len(shape) == 2 else "(layer, row, col)"
    try:
        parts = sequence(name, value, f"a cell {axes}", len(shape))
        found = tuple(integer(name, part) for part in parts)
    except TypeError:
        raise wrong_type(name, f"a cell {axes}", value) from None
    if len(found) != len(shape):
        raise ValueError(f"{name} must be a cell {axes}, got {shown(value)}")
    if not all(0 <= part < size for part, size in zip(found, shape, strict=True)):
        size = " x ".join(str(side) for side in shape)
        raise ValueError(f"{name} must be a cell of the {size} board, got {shown(value)}")
    return found


def sizes(name: str, value: Any, ranks: Sequence[int], most: int) -> list[int]:
    """Reads the sizes of an array.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to read.
    * ``ranks``: the numbers of sizes allowed, such as ``(2, 3)``; ``ValueError`` for any other number.
    * ``most``: the greatest size allowed; ``ValueError`` for a size that is greater or below 0.

    >>> sizes("shape", (2, 3), (2, 3), 100)
    [2, 3]
    """
    try:
        found = [integer(name, size) for size in sequence(name, value, "a sequence of integers", max(ranks))]
    except TypeError:
        raise wrong_type(name, "a sequence of integers", value) from None
    number = " or ".join(str(rank) for rank in ranks)
    if len(found) not in ranks:
        raise ValueError(f"{name} must hold {number} sizes, got {shown(value)}")
    if not all(0 <= size <= most for size in found):
        raise ValueError(f"{name} must hold {number} sizes between 0 and {most}, got {shown(value)}")
    return found


def array(name: str, value: Any, expected: str) -> npt.NDArray[Any]:
    """Reads an array of any dtype and rank.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to read.
    * ``expected``: what the message says the array must be; ``TypeError`` if numpy cannot make an array.

    >>> array("edges", [[1, 2], [3]], "integers of shape (m, 2)")
    Traceback (most recent call last):
    TypeError: edges must be integers of shape (m, 2), got [[1, 2], [3]] (list)
    """
    try:
        return np.asarray(value)
    except (TypeError, ValueError):
        raise wrong_type(name, expected, value) from None


def matrix(name: str, value: Any, kinds: str, ranks: Sequence[int], expected: str) -> npt.NDArray[Any]:
    """Reads an array of certain dtypes and ranks.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to read.
    * ``kinds``: the letters of ``dtype.kind`` allowed, such as ``"iu"``; ``TypeError`` for any other, but
      ``ValueError`` for integers that fit no 64-bit dtype.
    * ``ranks``: the numbers of dimensions allowed; ``ValueError`` for any other number.
    * ``expected``: what the message says the array must be, such as ``"integers of shape (n, height, width)"``.

    >>> matrix("boards", [[1, 2]], "iu", (2,), "integers of shape (n, m)")
    array([[1, 2]])
    """
    found = array(name, value, expected)
    if found.dtype == object or (found.dtype.kind == "f" and "i" in kinds and "f" not in kinds):
        # numpy turns integers that fit no 64-bit dtype into objects or floats.
        parts = np.array(value, dtype=object).ravel().tolist()
        if parts and all(isinstance(part, int) for part in parts) and max(map(abs, parts)) >= 2**63:
            raise ValueError(f"{name} must be {expected} and up to 64 bits, got {shown(max(parts, key=abs))}")
    if found.dtype == object and not isinstance(value, np.ndarray):
        raise wrong_type(name, expected, value)
    if found.dtype.kind not in kinds:
        raise TypeError(f"{name} must be {expected}, got {form(found)}")
    if found.ndim not in ranks:
        raise ValueError(f"{name} must be {expected}, got {form(found)}")
    return found


def bools(name: str, value: Any, n: int) -> npt.NDArray[np.bool_]:
    """Reads a bool array.

    * ``name``: the name of the argument, for error messages.
    * ``value``: the object to read.
    * ``n``: the length of the array; ``ValueError`` for any other shape.

    >>> bools("mask", [True, False], 2)
    array([ True, False])
    """
    found = matrix(name, value, "b", (1,), f"bool of shape ({n},)")
    if found.shape != (n,):
        raise ValueError(f"{name} must be bool of shape ({n},), got bool of shape {found.shape}")
    return found
