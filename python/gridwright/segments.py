"""Reading of segments: between centers of cells, or of floats with the frame that they are in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from .arguments import choice, number, shown, wrong_type

__all__ = ["FAR", "METHODS", "Segments", "Transform", "one_segment", "read_tolerance"]

METHODS: tuple[str, ...] = tuple(_core.tracing_methods())
"""The names of the methods of line tracing."""

Transform = Sequence[float]

FAR = 1 << 30
"""The largest coordinate, and the most cells along an axis."""


class Segments:
    """Segments that were read: either whole, between centers of cells in two dimensions, or floats with their frame.

    * ``segments``: ``(m, 4)`` or ``(m, 6)`` numbers, tail and head of each.
    * ``method``: one of ``METHODS``.
    * ``tolerance``: the distance of two crossings that are taken for a corner, 0 to 1.
    * ``origin``: ``"center"`` or ``"corner"``.
    * ``transform``: the transform of the ends, or ``None``.
    * ``whole``: whether segments of whole numbers are kept as such. Default ``True``.
    """

    def __init__(
        self, segments: Any, method: str, tolerance: Any, origin: str, transform: Any, *, whole: bool = True
    ) -> None:
        self.corner = choice("origin", origin, ("center", "corner")) == "corner"
        self.method, self.tolerance = choice("method", method, METHODS), read_tolerance(tolerance)
        self.ends = _numbers(segments)
        self.transform = None if transform is None else _transform(transform)
        self.whole: npt.NDArray[np.int32] | None = None
        if self.transform is not None:
            if self.ends.shape[1] != 4:
                raise ValueError(f"segments must be of shape (m, 4) with a transform, got {self.ends.shape}")
            if method.endswith("-float"):
                raise ValueError(f"method {method!r} takes no transform")
        elif whole and self.ends.shape[1] == 4:
            self.whole = _whole(self.ends, self.corner)
        if self.whole is None:
            if self.ends.shape[1] == 6 and method.endswith("-float"):
                raise ValueError(f"method {method!r} must have segments in two dimensions, got three")
            if method in ("bresenham", "dda", "wu"):
                raise ValueError(f"method {method!r} must have ends that are centers of cells in two dimensions")

    @property
    def floats(self) -> npt.NDArray[np.float64]:
        """The ends as a C-contiguous float64 array."""
        return np.ascontiguousarray(self.ends, dtype=np.float64)

    @property
    def options(self) -> tuple[bool, list[float] | None, str, float]:
        """What the engine must know of segments with floats for ends."""
        return self.corner, self.transform, self.method, self.tolerance

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return int(self.ends.shape[1]) // 2


def _numbers(segments: Any, name: str = "segments") -> npt.NDArray[Any]:
    array = np.asarray(segments)
    if array.dtype.kind == "O":
        parts = np.asarray(segments, dtype=object).ravel().tolist()
        kinds = {type(part).__name__ for part in parts if not isinstance(part, int | float)}
        if not kinds:  # whole numbers beyond 64 bits, for which numpy has no type
            raise ValueError(f"{name} must lie within 2^30 cells of the origin, got {shown(max(parts, key=abs))}")
        hint = ""
        if kinds & {"Fraction", "Decimal"}:
            hint = "; convert them with float, which rounds to the nearest double"
        raise TypeError(f"{name} must be ints or floats, got {', '.join(sorted(kinds))}{hint}")
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
    """The cells of ends that are all centers, within range; ``None`` for any other."""
    if not len(ends):
        return np.zeros((0, 4), dtype=np.int32)
    if ends.dtype.kind == "f":
        # The first segment decides for nearly all arrays, at no cost.
        shift = 0.5 if corner else 0.0
        for part in (ends[:1], ends):
            if not (np.abs(part) <= FAR).all() or not (np.floor(part - shift) + shift == part).all():
                return None
        return np.ascontiguousarray(ends - shift, dtype=np.int32)
    if corner:
        return None
    if ends.dtype != np.int32 and (ends.min() < -FAR or ends.max() > FAR):
        return None
    return np.ascontiguousarray(ends, dtype=np.int32)


def read_tolerance(tolerance: Any) -> float:
    """Reads the distance of two crossings that are taken for a corner.

    * ``tolerance``: a number from 0 to 1; ``ValueError`` for another one.
    """
    return number("tolerance", tolerance, 0, 1)


def _transform(transform: Any) -> list[float]:
    # affine.Affine is a tuple of nine numbers, of which the last three are always 0, 0, 1.
    try:
        numbers = [number("transform", part) for part in transform]
    except TypeError:
        raise wrong_type("transform", "six numbers (a, b, c, d, e, f)", transform) from None
    if len(numbers) == 9 and numbers[6:] == [0, 0, 1]:
        numbers = numbers[:6]
    if len(numbers) != 6:
        raise ValueError(f"transform must be six numbers (a, b, c, d, e, f), got {len(numbers)}")
    return numbers


def one_segment(tail: Any, head: Any) -> npt.NDArray[Any]:
    """The two ends of one segment as an array of one.

    * ``tail``, ``head``: the two ends, of two or three numbers each.
    """
    try:
        ends = _numbers([[*tail, *head]], "tail and head") if len(tail) == len(head) else None
    except TypeError:
        if isinstance(tail, Sequence | np.ndarray) and isinstance(head, Sequence | np.ndarray):
            raise
        ends = None
    if ends is not None and ends.dtype.kind == "f":
        for name, end in zip(("tail", "head"), np.split(ends[0], 2), strict=True):
            if not np.isfinite(end).all():
                raise ValueError(f"{name} must be finite, got {tuple(end.tolist())}")
    if ends is None:
        raise ValueError(f"tail and head must be two points (row, col) or (layer, row, col), got {tail!r} and {head!r}")
    return ends
