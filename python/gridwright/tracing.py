"""Lines on a grid of cells: which cells a segment crosses, exactly, one at a time or a hundred thousand at once.

A segment runs from the centre of its tail cell to the centre of its head cell. Cells are ``(row, col)`` of ints up to
2^30 in size, and all arithmetic is in whole numbers, so that no line has a wrong cell, at corners neither.

* ``"amanatides-woo"``: the cells whose open interior is crossed; through a corner exactly it steps diagonally.
* ``"supercover"``: every cell that is touched, the two beside a corner too.
* ``"bresenham"``: the integer algorithm of the textbooks, one cell a step of the longer side.
* ``"dda"``: the point of each step of the longer side, rounded half up.
* ``"wu"``: the two cells beside the point of each step, with weights that add up to 1.
* ``"amanatides-woo-float"``: the usual programming in floats, with a ``tolerance``, and why it fails.

>>> from gridwright import tracing
>>> tracing.trace((0, 0), (1, 3)).tolist()
[[0, 0], [0, 1], [1, 2], [1, 3]]
>>> tracing.trace((0, 0), (3, 1), method="amanatides-woo-float").tolist()  # a corner missed by rounding
[[0, 0], [1, 0], [1, 1], [2, 1], [3, 1]]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import MoveError

if TYPE_CHECKING:
    from .draw import Picture

__all__ = [
    "METHODS",
    "cell_count",
    "coverage",
    "draw_coverage",
    "draw_methods",
    "draw_steps",
    "paint",
    "trace",
    "trace_many",
    "trace_steps",
]

METHODS: tuple[str, ...] = tuple(_core.tracing_methods())
"""The names of the methods."""

Cells = npt.NDArray[np.int32]
_FAR = 1 << 30


@overload
def trace(tail: Any, head: Any, method: Literal["wu"], *, tolerance: float = 0.0) -> tuple[Cells, Any]: ...
@overload
def trace(tail: Any, head: Any, method: str = "amanatides-woo", *, tolerance: float = 0.0) -> Cells: ...
def trace(tail: Any, head: Any, method: str = "amanatides-woo", *, tolerance: float = 0.0) -> Any:
    """Lists the cells of a segment from tail to head: a fresh ``(n, 2)`` int32 array.

    ``"wu"`` gives ``(cells, weights)``, the weights ``(n,)`` float64. ``tolerance`` is for the method in floats.

    >>> trace((2, 0), (0, 3)).tolist()
    [[2, 0], [2, 1], [1, 1], [1, 2], [0, 2], [0, 3]]
    >>> cells, weights = trace((0, 0), (1, 2), "wu")
    >>> cells.tolist(), weights.tolist()
    ([[0, 0], [0, 1], [1, 1], [1, 2]], [1.0, 0.5, 0.5, 1.0])
    """
    cells, weights = _core.trace(tail, head, method, tolerance)
    return cells if weights is None else (cells, weights)


def trace_steps(
    tail: Any, head: Any, method: str = "amanatides-woo", *, tolerance: float = 0.0
) -> dict[str, npt.NDArray[Any]]:
    """Lists the steps of the traversal: a dict of columns ``row, col, t_max_row, t_max_col, axis``, a row a cell.

    ``t_max_row`` is the ``t`` at which the next row would be entered: the part of the segment, 0 to 1 inside it,
    infinite along a row (in floats the distance from the tail, as the source document adds it up). The smaller one is
    stepped over next. ``axis`` is what was stepped over to get here: -1 nothing, 0 a border of rows, 1 of columns, 2
    a corner.

    >>> steps = trace_steps((0, 0), (1, 3))
    >>> steps["axis"].tolist(), steps["t_max_row"].tolist()
    ([-1, 1, 2, 1], [0.5, 0.5, 1.5, 1.5])
    """
    return _core.trace_steps(tail, head, method, tolerance)


def _segments(segments: npt.ArrayLike) -> npt.NDArray[np.int32]:
    array = np.asarray(segments)
    if array.ndim == 3 and array.shape[1:] == (2, 2):
        array = array.reshape(-1, 4)
    if array.size == 0 and array.ndim < 2:
        array = array.reshape(0, 4).astype(np.int32)
    if array.dtype.kind not in "iu":
        # Whole numbers beyond 64 bits, which numpy has no type for.
        parts = np.array(segments, dtype=object)
        if all(isinstance(part, int) for part in parts.flat):
            raise MoveError(f"coordinates from {parts.min()} to {parts.max()}, wanted {-_FAR} to {_FAR}")
        raise TypeError(f"segments of {array.dtype}, wanted whole numbers of shape (m, 4)")
    if array.ndim != 2 or array.shape[1] != 4:
        raise ValueError(f"segments of shape {array.shape}, wanted (m, 4): row, col of the tail, row, col of the head")
    if array.dtype != np.int32:
        if array.size and (array.min() < -_FAR or array.max() > _FAR):
            raise MoveError(f"coordinates from {array.min()} to {array.max()}, wanted {-_FAR} to {_FAR}")
        array = array.astype(np.int32)
    return np.ascontiguousarray(array)


def cell_count(
    segments: npt.ArrayLike, method: str = "amanatides-woo", *, tolerance: float = 0.0
) -> npt.NDArray[np.int64]:
    """Counts the cells of each of the ``(m, 4)`` segments by a closed form: a fresh ``(m,)`` int64 array.

    With ``a`` and ``b`` the rows and columns between the ends and ``g`` their greatest common divisor, the thin line
    has ``a + b + 1`` cells, less ``g`` where ``a / g`` and ``b / g`` are both odd: so many corners are met.
    ``"supercover"`` adds them instead.

    >>> cell_count([(0, 0, 5, 3), (0, 0, 1 << 30, 1 << 30)]).tolist()
    [8, 1073741825]
    """
    return _core.cell_counts(_segments(segments), method, tolerance)


def trace_many(
    segments: npt.ArrayLike,
    method: str = "amanatides-woo",
    *,
    tolerance: float = 0.0,
    out: npt.NDArray[np.int32] | None = None,
    progress: Any = None,
) -> tuple[Any, ...]:
    """Lists the cells of ``(m, 4)`` segments, one after the other: ``(cells, offsets)``.

    ``cells`` is ``(n, 2)`` int32, ``offsets`` ``(m + 1,)`` int64, and the cells of segment i are
    ``cells[offsets[i]:offsets[i + 1]]``. ``"wu"`` adds the weights ``(n,)`` as a third array.

    ``out`` is a C-contiguous ``(n or more, 2)`` int32 array that is written and of which ``cells`` is a view: memory
    that is used again costs a third of fresh memory. Large work is shared by threads; the result does not depend on
    them. ``progress`` is told the segments done.

    >>> cells, offsets = trace_many([(0, 0, 1, 3), (4, 4, 4, 4)])
    >>> offsets.tolist(), cells[offsets[1] : offsets[2]].tolist()
    ([0, 4, 5], [[4, 4]])
    """
    rows = _segments(segments)
    offsets = _core.trace_offsets(rows, method, tolerance)
    total = int(offsets[-1])
    if out is None:
        cells = np.empty((total, 2), dtype=np.int32)
    else:
        if not isinstance(out, np.ndarray) or out.dtype != np.int32 or out.ndim != 2 or out.shape[1] != 2:
            found = f"{out.dtype} of shape {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
            raise ValueError(f"out: {found}, wanted an int32 array of shape (n, 2)")
        if len(out) < total:
            raise ValueError(f"out: {len(out)} rows, wanted {total} or more")
        cells = out[:total]
    weights = np.empty(total, dtype=np.float64) if method == "wu" else None
    _core.trace_many_into(rows, method, tolerance, offsets, cells, weights, progress)
    return (cells, offsets) if weights is None else (cells, offsets, weights)


_PAINTERS: dict[np.dtype[Any], Any] = {
    np.dtype(np.uint8): _core.paint_uint8,
    np.dtype(np.int32): _core.paint_int32,
    np.dtype(np.float64): _core.paint_float64,
}


def paint(
    board: npt.NDArray[Any],
    segments: npt.ArrayLike,
    values: npt.ArrayLike,
    method: str = "amanatides-woo",
    *,
    tolerance: float = 0.0,
    threads: int = 0,
    progress: Any = None,
) -> None:
    """Paints ``(m, 4)`` segments on a board in place, in their order: a cell keeps the value of the last one over it.

    ``board`` is a C-contiguous ``(height, width)`` array of uint8, int32 or float64, ``values`` one value for all or
    one a segment. ``"wu"`` mixes the value with what is below, by weight. The result does not depend on ``threads``
    (0 chooses). Raises ``ValueError`` for a segment that does not lie on the board; nothing is painted then.
    Ctrl-C ends it between two lines; ``progress`` is told the segments done.

    >>> board = np.zeros((2, 4), dtype=np.uint8)
    >>> paint(board, [(0, 0, 1, 3), (1, 0, 1, 1)], [1, 2])
    >>> board
    array([[1, 1, 0, 0],
           [2, 2, 1, 1]], dtype=uint8)
    """
    if not isinstance(board, np.ndarray) or board.dtype not in _PAINTERS:
        found = f"of {board.dtype}" if isinstance(board, np.ndarray) else f"of type {type(board).__name__}"
        raise TypeError(f"a board {found}, wanted an array of uint8, int32 or float64")
    given = np.atleast_1d(np.asarray(values))
    if not given.size:
        given = given.astype(board.dtype)
    if given.dtype.kind not in ("iuf" if board.dtype.kind == "f" else "iu") or given.ndim != 1:
        raise TypeError(f"values of {given.dtype} and shape {given.shape}, wanted numbers for a board of {board.dtype}")
    if board.dtype.kind != "f" and given.size:
        limits = np.iinfo(board.dtype)
        if given.min() < limits.min or given.max() > limits.max:
            raise ValueError(f"values from {given.min()} to {given.max()}, wanted {limits.min} to {limits.max}")
    kept = np.ascontiguousarray(given, dtype=board.dtype)
    _PAINTERS[board.dtype](board, _segments(segments), kept, method, tolerance, threads, progress)


def coverage(
    shape: Sequence[int],
    segments: npt.ArrayLike,
    method: str = "amanatides-woo",
    *,
    tolerance: float = 0.0,
    threads: int = 0,
    progress: Any = None,
) -> npt.NDArray[np.uint32]:
    """Counts how many of the ``(m, 4)`` segments meet each cell of a board: a fresh array of ``shape``, uint32.

    ``progress`` is told the segments done.

    >>> coverage((2, 4), [(0, 0, 1, 3), (0, 0, 0, 3)])
    array([[2, 2, 1, 1],
           [0, 0, 1, 1]], dtype=uint32)
    """
    counts = np.zeros(tuple(shape), dtype=np.uint32)
    _core.coverage_into(counts, _segments(segments), method, tolerance, threads, progress)
    return counts


def draw_steps(
    tail: Any,
    head: Any,
    method: str = "amanatides-woo",
    *,
    tolerance: float = 0.0,
    theme: Any = "light",
    size: float | None = None,
) -> Picture:
    """Draws the cells of a segment as they are crossed, numbered, each with the ``t_max`` that its step compares.

    In a notebook the picture shows itself; ``save(path)`` writes ``.svg`` or ``.png``.

    >>> draw_steps((0, 0), (2, 5)).title
    'The line from (0, 0) to (2, 5), amanatides-woo: 8 cells'
    """
    from .draw import tracing

    return tracing.steps(tail, head, method, tolerance, theme, size)


def draw_methods(
    tail: Any,
    head: Any,
    one: str = "amanatides-woo",
    two: str = "bresenham",
    *,
    tolerance: float = 0.0,
    theme: Any = "light",
    size: float | None = None,
) -> Picture:
    """Draws the cells of two methods side by side; those that only one of them has are marked.

    >>> draw_methods((0, 0), (2, 5)).title
    'The line from (0, 0) to (2, 5): amanatides-woo has 8 cells, bresenham has 6, 6 are the same'
    """
    from .draw import tracing

    return tracing.methods(tail, head, one, two, tolerance, theme, size)


def draw_coverage(counts: npt.ArrayLike, *, theme: Any = "light", size: float | None = None) -> Picture:
    """Draws a heat map of counts ``(height, width)``, such as those of ``coverage``.

    >>> draw_coverage(coverage((3, 3), [(0, 0, 2, 2), (0, 2, 2, 0)])).title
    'Coverage of 3 by 3 cells, 0 to 2'
    """
    from .draw import tracing

    return tracing.heat(np.asarray(counts), theme, size)
