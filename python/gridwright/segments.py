"""Reads segments: as int32 cells if all ends are centers of cells in two dimensions, otherwise as floats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from .arguments import array as read_array
from .arguments import choice, form, number, sequence, shown, wrong_type

__all__ = ["FAR", "METHODS", "Segments", "Transform", "one_segment", "read_tolerance"]

METHODS: tuple[str, ...] = tuple(_core.tracing_methods())
"""The names of the methods of line tracing."""

_EXACT = "'amanatides-woo' or 'supercover'"
"""The methods that accept any ends and any transform, as error messages list them."""

Transform = Sequence[float]

FAR = 1 << 30
"""The largest absolute value of a coordinate in cells, and the largest number of cells along an axis."""


class Segments:
    """Segments with validated options: cells if all ends are centers of cells in two dimensions, otherwise floats.

    * ``segments``: ``(m, 4)`` or ``(m, 6)`` ints or floats, the coordinates of each tail before those of its head.
    * ``method``: one of ``METHODS``.
    * ``tolerance``: 0 to 1 cell; crossings at most this far apart are treated as a corner.
    * ``origin``: ``"center"`` or ``"corner"``.
    * ``transform``: six numbers ``(a, b, c, d, e, f)`` that map cells to world coordinates, in which the ends are then
      given; ``None`` for ends in cells.
    * ``whole``: whether to store segments between centers of cells as int32 cells. Default ``True``; ``False`` stores
      floats.

    Raises ``TypeError`` and ``ValueError`` that name the argument.
    """

    def __init__(
        self, segments: Any, method: str, tolerance: Any, origin: str, transform: Any, *, whole: bool = True
    ) -> None:
        self.corner = choice("origin", origin, ("center", "corner")) == "corner"
        self.method, self.tolerance = choice("method", method, METHODS), read_tolerance(tolerance)
        self.ends = _numbers(segments, in_cells=transform is None)
        self.transform = None if transform is None else _transform(transform)
        self.whole: npt.NDArray[np.int32] | None = None
        if self.transform is not None:
            if self.ends.shape[1] != 4:
                raise ValueError(f"segments must be of shape (m, 4) with a transform, got {self.ends.shape}")
            if method.endswith("-float"):
                raise ValueError(f"method must be {_EXACT} with a transform, got {method!r}")
        elif whole and self.ends.shape[1] == 4:
            self.whole = _whole(self.ends, self.corner)
        if self.whole is None:
            if self.ends.shape[1] == 6 and method.endswith("-float"):
                raise ValueError(f"method must be {_EXACT} in three dimensions, got {method!r}")
            if method in ("bresenham", "dda", "wu"):
                plane = self.transform is None and self.ends.shape[1] == 4
                allowed = f"'amanatides-woo-float', {_EXACT}" if plane else _EXACT
                raise ValueError(
                    f"method must be {allowed} unless all ends are centers of cells in two dimensions, got {method!r}"
                )

    @property
    def floats(self) -> npt.NDArray[np.float64]:
        """The ends as a C-contiguous float64 array."""
        return np.ascontiguousarray(self.ends, dtype=np.float64)

    @property
    def options(self) -> tuple[bool, list[float] | None, str, float]:
        """What the engine needs besides the ends: (whether the origin is a corner, transform, method, tolerance)."""
        return self.corner, self.transform, self.method, self.tolerance

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return int(self.ends.shape[1]) // 2


def _numbers(segments: Any, name: str = "segments", *, in_cells: bool = True) -> npt.NDArray[Any]:
    array = read_array(name, segments, "ints or floats of one shape")
    if array.dtype.kind == "O":
        parts = np.asarray(segments, dtype=object).ravel().tolist()
        kinds = {form(part) for part in parts if not isinstance(part, int | float)}
        if kinds:
            raise TypeError(f"{name} must be ints or floats, got {', '.join(sorted(kinds))}{_advice(kinds)}")
        if parts and max(map(abs, parts)) >= 2**63:  # numpy has no type for integers beyond 64 bits
            expected = "lie within 2^30 cells of the origin" if in_cells else "be floats or ints of up to 64 bits"
            raise ValueError(f"{name} must {expected}, got {shown(max(parts, key=abs))}")
    if array.size == 0 and array.ndim < 2:
        array = np.zeros((0, 4), dtype=np.int32)
    if array.dtype.kind not in "iuf" or array.dtype.itemsize > 8:
        raise TypeError(f"{name} must be ints or floats of up to 64 bits, got {array.dtype}")
    if array.ndim == 3 and array.shape[1] == 2 and array.shape[2] in (2, 3):
        array = array.reshape(-1, 2 * array.shape[2])
    if array.ndim != 2 or array.shape[1] not in (4, 6):
        expected = "(m, 4) or (m, 6), the coordinates of the tail before those of the head"
        raise ValueError(f"{name} must be of shape {expected}, got {array.shape}")
    return array


def _whole(ends: npt.NDArray[Any], corner: bool) -> npt.NDArray[np.int32] | None:
    """Returns the cells of ends that are all centers of cells within range; ``None`` for other ends."""
    if not len(ends):
        return np.zeros((0, 4), dtype=np.int32)
    if ends.dtype.kind == "f":
        # If some ends are not centers, the first segment usually has one of them, so it is tested first on its own.
        shift = 0.5 if corner else 0.0
        for part in (ends[:1], ends):
            # Shorter floats cannot represent half-integers beyond a limit, and float16 cannot represent FAR.
            exact = part.astype(np.float64, copy=False)
            if not (np.abs(exact) <= FAR).all() or not (np.floor(exact - shift) + shift == exact).all():
                return None
        return np.ascontiguousarray(exact - shift, dtype=np.int32)
    if corner:
        return None
    if ends.dtype != np.int32 and (ends.min() < -FAR or ends.max() > FAR):
        return None
    return np.ascontiguousarray(ends, dtype=np.int32)


def read_tolerance(tolerance: Any) -> float:
    """Reads the largest distance, in cells, between two crossings that are treated as a corner.

    * ``tolerance``: a number from 0 to 1; ``ValueError`` for any other.
    """
    return number("tolerance", tolerance, 0, 1)


def _transform(transform: Any) -> list[float]:
    expected = "six numbers (a, b, c, d, e, f)"
    # affine.Affine is a tuple of nine numbers, of which the last three are always 0, 0, 1.
    try:
        numbers = [number("transform", part) for part in sequence("transform", transform, expected, 9)]
    except TypeError:
        raise wrong_type("transform", expected, transform) from None
    if len(numbers) == 9 and numbers[6:] == [0, 0, 1]:
        numbers = numbers[:6]
    if len(numbers) != 6:
        raise ValueError(f"transform must be {expected}, got {shown(transform)}")
    return numbers


def one_segment(tail: Any, head: Any, *, in_cells: bool = True) -> npt.NDArray[Any]:
    """Returns one segment as an array of segments, ``(1, 4)`` or ``(1, 6)``.

    * ``tail``, ``head``: the two ends, of two or three numbers each.
    * ``in_cells``: whether the numbers are in cells; they must then lie within 2^30 of the origin. Default ``True``;
      ``False`` for points in the world coordinates of a transform.
    """
    ends = {"tail": _point("tail", tail), "head": _point("head", head)}
    if len(ends["tail"]) != len(ends["head"]) or len(ends["tail"]) not in (2, 3):
        found = f"{shown(tail)} and {shown(head)}"
        raise ValueError(f"tail and head must be two points (row, col) or (layer, row, col), got {found}")
    for name, point in ends.items():
        if not all(isinstance(part, int | np.integer) or np.isfinite(part) for part in point):
            raise ValueError(f"{name} must be finite, got {shown(tuple(map(float, point)))}")
        if in_cells and max(map(abs, point)) > FAR:
            raise ValueError(f"{name} must lie within 2^30 cells of the origin, got {shown(tuple(point))}")
    return _numbers([[*ends["tail"], *ends["head"]]], "tail and head", in_cells=in_cells)


def _point(name: str, end: Any) -> list[Any]:
    """Reads the coordinates of an end; the caller checks their number."""
    expected = "a point (row, col) or (layer, row, col) of ints or floats"
    parts = sequence(name, end, expected, 3)
    for part in parts:
        if isinstance(part, bool) or not isinstance(part, int | float | np.integer | np.floating):
            raise TypeError(f"{name} must be {expected}, got {shown(tuple(parts))}{_advice({form(part)})}")
    return parts


def _advice(kinds: set[str]) -> str:
    """Returns advice for the end of a message about numbers of the given types; empty if there is none to give."""
    return "; convert them with float, which rounds to the nearest double" if kinds & {"Fraction", "Decimal"} else ""
