"""Line tracing: which cells of a grid a segment crosses, exactly, for one segment or a hundred thousand at once.

A segment runs between two points of a grid in two or three dimensions. Its ends are ints or floats, ``(row, col)`` or
``(layer, row, col)``, in cells. Floats stand for their exact binary values. The first two methods below are exact: no
cell is missed or added at a corner, and a reversed segment has the same cells.

Cells are half-open: a border belongs to the cell with the larger index. The borders are set in one of three ways:

* ``origin="center"`` (the default, as in numpy and scikit-image): cell ``i`` is ``[i - 1/2, i + 1/2)``, and whole
  numbers are centers.
* ``origin="corner"`` (as in geographic data and graphics): cell ``i`` is ``[i, i + 1)``.
* ``transform=(a, b, c, d, e, f)``, as in ``affine.Affine`` and rasterio: ends are points ``(x, y)`` in world
  coordinates with ``x = a * col + b * row + c`` and ``y = d * col + e * row + f``; cells begin at whole ``row`` and
  ``col``. The result is exact for the binary values of the six floats.

The methods:

* ``"amanatides-woo"``, the thin line: the segment is cut at the borders that it crosses, and each piece lies in one
  half-open cell. At a corner, the line steps diagonally. A segment of zero length crosses the cell that holds it.
* ``"supercover"``: every closed cell that the segment touches, in the order of first contact. Cells touched at the same
  time are ordered by column, then by row, then by layer; each index is counted in the direction of the segment, or
  upward if the segment does not move along that axis. At the corner on the way from (0, 0) to (1, 1), the order is
  (1, 0), (0, 1), (1, 1).
* ``"bresenham"``: the integer algorithm of the textbooks, one cell per step along the longer side.
* ``"dda"``: the point at each step along the longer side, rounded half up.
* ``"wu"``: the two cells beside the point at each step, with weights that add up to 1, or the one cell whose center is
  the point.
* ``"amanatides-woo-float"``: the traversal as it is usually programmed, in floats with a ``tolerance``, to show how
  rounding makes it fail.

``"bresenham"``, ``"dda"`` and ``"wu"`` take ends that are centers of cells in two dimensions;
``"amanatides-woo-float"`` takes any ends in two dimensions. None of the four takes a ``transform``.

>>> from gridwright import tracing
>>> tracing.trace((0, 0), (1, 3)).tolist()
[[0, 0], [0, 1], [1, 2], [1, 3]]
>>> tracing.trace((0.1, 0.2), (1.0, 2.7), origin="corner").tolist()
[[0, 0], [0, 1], [0, 2]]
>>> tracing.trace((0, 0), (3, 1), method="amanatides-woo-float").tolist()  # a corner missed by rounding
[[0, 0], [1, 0], [1, 1], [2, 1], [3, 1]]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
import numpy.typing as npt

from . import _core
from .arguments import array, choice, flag, form, matrix, number, shown, sizes, whole, wrong_type
from .arguments import cell as read_cell
from .optional import require
from .segments import FAR, METHODS, Segments, Transform, one_segment, read_tolerance
from .words import counted

if TYPE_CHECKING:
    from .draw import Picture

__all__ = [
    "METHODS",
    "cell_count",
    "coverage",
    "draw_coverage",
    "draw_methods",
    "draw_steps",
    "fan_beam",
    "first_hit",
    "lengths",
    "paint",
    "parallel_beam",
    "system_matrix",
    "trace",
    "trace_many",
    "trace_steps",
    "visible",
]

Cells = npt.NDArray[np.int32]
_MAX = 1 << 28
"""The greatest number of cells for which `lengths` allocates arrays."""


@overload
def trace(
    tail: Any,
    head: Any,
    method: Literal["wu"],
    *,
    tolerance: float = 0.0,
    origin: str = "center",
    transform: Transform | None = None,
) -> tuple[Cells, Any]: ...
@overload
def trace(
    tail: Any,
    head: Any,
    method: str = "amanatides-woo",
    *,
    tolerance: float = 0.0,
    origin: str = "center",
    transform: Transform | None = None,
) -> Cells: ...
def trace(
    tail: Any,
    head: Any,
    method: str = "amanatides-woo",
    *,
    tolerance: float = 0.0,
    origin: str = "center",
    transform: Transform | None = None,
) -> Any:
    """Lists the cells of a segment from tail to head, as a fresh ``(n, 2)`` or ``(n, 3)`` int32 array.

    * ``tail``, ``head``: two points of two or three numbers each, ``(row, col)`` or ``(layer, row, col)`` in cells, up
      to 2^30 in absolute value; points ``(x, y)`` with a ``transform``.
    * ``method``: one of ``METHODS``. ``"wu"`` returns ``(cells, weights)``, the weights ``(n,)`` float64.
    * ``tolerance``: between 0 (the default) and 1, for ``"amanatides-woo-float"``: crossings at most this far apart, in
      cells along the segment, are treated as a corner. A large tolerance can make the traversal stop before the head.
    * ``origin``: ``"center"`` (the default) if whole numbers are centers of cells, ``"corner"`` if they are corners.
      Not used with a ``transform``.
    * ``transform``: six numbers that map cells to world coordinates (see the module), in which the ends are then given;
      ``None`` (the default) for ends in cells.

    Raises ``ValueError`` for ends that are out of range or not finite, and for more than 2^28 cells; ``TypeError`` for
    ends that are not ints or floats.

    >>> trace((2, 0), (0, 3)).tolist()
    [[2, 0], [2, 1], [1, 1], [1, 2], [0, 2], [0, 3]]
    >>> trace((0.5, 0), (0.5, 2)).tolist()  # along a border: it belongs to the cells with the larger index
    [[1, 0], [1, 1], [1, 2]]
    >>> trace((0, 0, 0), (1, 1, 2)).tolist()
    [[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 2]]
    >>> cells, weights = trace((0, 0), (1, 2), "wu")
    >>> cells.tolist(), weights.tolist()
    ([[0, 0], [0, 1], [1, 1], [1, 2]], [1.0, 0.5, 0.5, 1.0])
    """
    if transform is None and isinstance(origin, str) and origin == "center":
        tolerated = 0.0 if type(tolerance) is float and not tolerance else read_tolerance(tolerance)
        found = _core.trace(tail, head, choice("method", method, METHODS), tolerated)
        if found is not None:
            return found[0] if found[1] is None else found
    segment = one_segment(tail, head, in_cells=transform is None)
    found = trace_many(segment, method, tolerance=tolerance, origin=origin, transform=transform)
    return found[0] if len(found) == 2 else (found[0], found[2])


def trace_steps(
    tail: Any,
    head: Any,
    method: str = "amanatides-woo",
    *,
    tolerance: float = 0.0,
    origin: str = "center",
    transform: Transform | None = None,
) -> dict[str, npt.NDArray[Any]]:
    """Lists the steps of the traversal: a dict of columns ``row, col, t_max_row, t_max_col, axis``, one row per cell.

    In three dimensions, ``layer`` precedes ``row``, and ``t_max_layer`` precedes ``t_max_row``.

    * ``t_max_row`` and ``t_max_col`` are the parameters ``t`` at which the segment, or its continuation, enters the
      next row and the next column: 0 at the tail, 1 at the head, infinite if the segment does not move along that axis.
      With a ``transform``, either is also infinite once the segment crosses no more borders along its axis. With
      ``"amanatides-woo-float"``, both are distances from the tail, summed step by step as in the source document of
      Linear Domination. The next step crosses the border with the smallest ``t_max``; of borders at different
      parameters that are rounded to the same number, it crosses only one.
    * ``axis`` is the border crossed to enter the cell: -1 none (the tail), 0 between rows, 1 between columns, 2 both at
      once; in three dimensions 0, 1, 2 between layers, rows and columns, and 3 several at once.

    The parameters:

    * ``tail``, ``head``: two points of two or three numbers each, ``(row, col)`` or ``(layer, row, col)`` in cells, up
      to 2^30 in absolute value; points ``(x, y)`` with a ``transform``.
    * ``method``: ``"amanatides-woo"`` (the default) or ``"amanatides-woo-float"``; ``ValueError`` for any other.
    * ``tolerance``: between 0 (the default) and 1 cell: crossings at most this far apart are treated as a corner. For
      ``"amanatides-woo-float"`` only.
    * ``origin``: ``"center"`` (the default) if whole numbers are centers of cells, ``"corner"`` if they are corners.
      Not used with a ``transform``.
    * ``transform``: six numbers that map cells to world coordinates (see the module), in which the ends are then given;
      ``None`` (the default) for ends in cells.

    Raises what ``trace`` raises.

    >>> steps = trace_steps((0, 0), (1, 3))
    >>> steps["axis"].tolist(), steps["t_max_row"].tolist()
    ([-1, 1, 2, 1], [0.5, 0.5, 1.5, 1.5])
    """
    choice("method", method, ("amanatides-woo", "amanatides-woo-float"))
    if transform is None and isinstance(origin, str) and origin == "center":
        found = _core.trace_steps(tail, head, method, read_tolerance(tolerance))
        if found is not None:
            return found
    segment = one_segment(tail, head, in_cells=transform is None)
    ends = Segments(segment, method, tolerance, origin, transform, whole=False)
    return _core.lines_steps(ends.floats, ends.options)


def cell_count(
    segments: npt.ArrayLike,
    method: str = "amanatides-woo",
    *,
    tolerance: float = 0.0,
    origin: str = "center",
    transform: Transform | None = None,
) -> npt.NDArray[np.int64]:
    """Counts the cells of each segment: a fresh ``(m,)`` int64 array.

    In two dimensions, segments between centers of cells are counted by a closed form: if the ends differ by ``a`` rows
    and ``b`` columns, with ``g`` the greatest common divisor, the thin line has ``a + b + 1`` cells, less ``g`` if
    ``a / g`` and ``b / g`` are both odd, because it then passes through ``g`` corners. ``"supercover"`` adds ``g``
    instead. Other segments are traversed, and so are all segments with ``"amanatides-woo-float"``.

    * ``segments``: ``(m, 4)`` or ``(m, 6)`` ints or floats, the coordinates of each tail before those of its head.
    * ``method``: one of ``METHODS``, by default ``"amanatides-woo"``.
    * ``tolerance``: between 0 (the default) and 1 cell: crossings at most this far apart are treated as a corner. For
      ``"amanatides-woo-float"`` only.
    * ``origin``: ``"center"`` (the default) if whole numbers are centers of cells, ``"corner"`` if they are corners.
      Not used with a ``transform``.
    * ``transform``: six numbers that map cells to world coordinates (see the module), in which the ends are then given;
      ``None`` (the default) for ends in cells.

    >>> cell_count([(0, 0, 5, 3), (0, 0, 1 << 30, 1 << 30)]).tolist()
    [8, 1073741825]
    """
    ends = Segments(segments, method, tolerance, origin, transform)
    if ends.whole is not None:
        return _core.cell_counts(ends.whole, method, ends.tolerance)
    return _core.lines_count(ends.floats, ends.options)


def trace_many(
    segments: npt.ArrayLike,
    method: str = "amanatides-woo",
    *,
    tolerance: float = 0.0,
    origin: str = "center",
    transform: Transform | None = None,
    shape: Sequence[int] | None = None,
    out: npt.NDArray[np.int32] | None = None,
    progress: Any = None,
) -> tuple[Any, ...]:
    """Lists the cells of many segments, one segment after the other: ``(cells, offsets)``.

    ``cells`` is ``(n, 2)`` or ``(n, 3)`` int32, ``offsets`` ``(m + 1,)`` int64, and the cells of segment i are
    ``cells[offsets[i]:offsets[i + 1]]``. ``"wu"`` adds the weights ``(n,)`` as a third array.

    * ``segments``: ints or floats of shape ``(m, 4)`` or ``(m, 6)``, the coordinates of the tail before those of the
      head; shapes ``(m, 2, 2)`` and ``(m, 2, 3)`` are accepted too. float32 and integers up to 2^53 are converted
      exactly.
    * ``method``: one of ``METHODS``, by default ``"amanatides-woo"``.
    * ``tolerance``: between 0 (the default) and 1 cell: crossings at most this far apart are treated as a corner. For
      ``"amanatides-woo-float"`` only.
    * ``origin``: ``"center"`` (the default) if whole numbers are centers of cells, ``"corner"`` if they are corners.
      Not used with a ``transform``.
    * ``transform``: six numbers that map cells to world coordinates (see the module), in which the ends are then given;
      ``None`` (the default) for ends in cells.
    * ``shape``: the two or three sizes of an array; only cells in it are listed. ``None`` (the default) lists all.
      ``ValueError`` with ``"bresenham"``, ``"dda"`` or ``"wu"``.
    * ``out``: a C-contiguous int32 array with ``n`` or more rows, to which the cells are written; ``cells`` is a view
      of it. For segments between centers, writing to reused memory takes about a third of the time. ``None`` (the
      default) makes a fresh array.
    * ``progress``: a callable that receives the number of segments done, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    Many segments between centers are divided among threads, which does not affect the result. Raises what ``trace``
    raises; a message about one segment contains the index of the segment.

    >>> cells, offsets = trace_many([(0, 0, 1, 3), (4, 4, 4, 4)])
    >>> offsets.tolist(), cells[offsets[1] : offsets[2]].tolist()
    ([0, 4, 5], [[4, 4]])
    """
    if shape is not None and choice("method", method, METHODS) in ("bresenham", "dda", "wu"):
        raise ValueError(
            f"method must be 'amanatides-woo', 'supercover' or 'amanatides-woo-float' with a shape, got {method!r}"
        )
    ends = Segments(segments, method, tolerance, origin, transform, whole=shape is None)
    if ends.whole is None:
        within = None if shape is None else sizes("shape", shape, (ends.rank,), FAR)
        listed, offsets = _core.lines_list(ends.floats, ends.options, within, progress)
        if out is None:
            return listed, offsets
        cells = _rows_of(out, len(listed), ends.rank)
        cells[:] = listed
        return cells, offsets
    offsets = _core.trace_offsets(ends.whole, method, ends.tolerance)
    total = int(offsets[-1])
    cells = np.empty((total, 2), dtype=np.int32) if out is None else _rows_of(out, total, 2)
    weights = np.empty(total, dtype=np.float64) if method == "wu" else None
    _core.trace_many_into(ends.whole, method, ends.tolerance, offsets, cells, weights, progress)
    return (cells, offsets) if weights is None else (cells, offsets, weights)


def _rows_of(out: Any, total: int, rank: int) -> Cells:
    if not isinstance(out, np.ndarray) or out.dtype != np.int32 or out.ndim != 2 or out.shape[1] != rank:
        raise ValueError(f"out must be int32 of shape (n, {rank}), got {form(out)}")
    if not (out.flags.writeable and out.flags.c_contiguous):
        raise ValueError("out must be writable and C-contiguous, got a read-only array or another memory layout")
    if len(out) < total:
        raise ValueError(f"out must have at least {counted(total, 'row')}, got {len(out)}")
    return out[:total]


_PAINTERS: dict[np.dtype[Any], tuple[Any, Any]] = {
    np.dtype(np.uint8): (_core.paint_uint8, _core.lines_paint_uint8),
    np.dtype(np.int32): (_core.paint_int32, _core.lines_paint_int32),
    np.dtype(np.float64): (_core.paint_float64, _core.lines_paint_float64),
}


def _exact(method: str) -> bool:
    return choice("method", method, METHODS) in METHODS[:2]


def paint(
    board: npt.NDArray[Any],
    segments: npt.ArrayLike,
    values: npt.ArrayLike,
    method: str = "amanatides-woo",
    *,
    tolerance: float = 0.0,
    origin: str = "center",
    transform: Transform | None = None,
    clip: bool = False,
    threads: int = 0,
    progress: Any = None,
) -> None:
    """Paints segments on an array in place, one after another: the last segment that crosses a cell sets its value.

    * ``board``: a C-contiguous array of uint8, int32 or float64, with as many dimensions as the segments.
    * ``segments``: ``(m, 4)`` or ``(m, 6)`` ints or floats, the coordinates of each tail before those of its head.
    * ``method``: one of ``METHODS``, by default ``"amanatides-woo"``. ``"wu"`` blends the value with the old value of
      the cell by weight.
    * ``tolerance``: between 0 (the default) and 1 cell: crossings at most this far apart are treated as a corner. For
      ``"amanatides-woo-float"`` only.
    * ``origin``: ``"center"`` (the default) if whole numbers are centers of cells, ``"corner"`` if they are corners.
      Not used with a ``transform``.
    * ``transform``: six numbers that map cells to world coordinates (see the module), in which the ends are then given;
      ``None`` (the default) for ends in cells.
    * ``values``: one number for all segments, or ``(m,)`` numbers, within the range of the array's type.
    * ``clip``: ``True`` paints exactly those cells of each segment that lie inside the array. ``False`` (the default)
      raises ``ValueError`` for a segment that leaves the array; nothing is then painted.
    * ``threads``: 1 to 1024, or 0 (the default) to choose by the amount of work. The result does not depend on it.
    * ``progress``: a callable that receives the number of segments done, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports. Ctrl-C ends the call between two segments.

    >>> board = np.zeros((2, 4), dtype=np.uint8)
    >>> paint(board, [(0, 0, 1, 3), (1, 0, 1, 1)], [1, 2])
    >>> board
    array([[1, 1, 0, 0],
           [2, 2, 1, 1]], dtype=uint8)
    >>> paint(board, [(-3.5, 0.25, 9.5, 0.25)], 7, clip=True)
    >>> board[:, 0].tolist()
    [7, 7]
    """
    if not isinstance(board, np.ndarray) or board.dtype not in _PAINTERS:
        found = f"an array of {board.dtype}" if isinstance(board, np.ndarray) else form(board)
        raise TypeError(f"board must be an array of uint8, int32 or float64, got {found}")
    given = np.atleast_1d(array("values", values, "one number or (m,) numbers"))
    if not given.size:
        given = given.astype(board.dtype)
    if given.dtype.kind not in ("iuf" if board.dtype.kind == "f" else "iu") or given.ndim != 1:
        expected = f"one number or (m,) numbers for a board of {board.dtype}"
        raise TypeError(f"values must be {expected}, got {form(given)}")
    if board.dtype.kind != "f" and given.size:
        limits = np.iinfo(board.dtype)
        wrong = given[(given < limits.min) | (given > limits.max)]
        if wrong.size:
            raise ValueError(f"values must be between {limits.min} and {limits.max}, got {wrong[0]}")
    kept = np.ascontiguousarray(given, dtype=board.dtype)
    clip = flag("clip", clip)
    ends = Segments(segments, method, tolerance, origin, transform, whole=not (clip and _exact(method)))
    of_cells, of_floats = _PAINTERS[board.dtype]
    if ends.whole is not None:
        of_cells(board, ends.whole, kept, method, ends.tolerance, clip, threads, progress)
    else:
        of_floats(board, ends.floats, ends.options, kept, clip, threads, progress)


def coverage(
    shape: Sequence[int],
    segments: npt.ArrayLike,
    method: str = "amanatides-woo",
    *,
    tolerance: float = 0.0,
    origin: str = "center",
    transform: Transform | None = None,
    clip: bool = False,
    threads: int = 0,
    progress: Any = None,
) -> npt.NDArray[np.uint32]:
    """Counts the segments that cross each cell: a fresh uint32 array.

    * ``shape``: the two or three sizes of the array, together at most 2^31 cells.
    * ``segments``: ``(m, 4)`` or ``(m, 6)`` ints or floats, the coordinates of each tail before those of its head.
    * ``method``: one of ``METHODS``, by default ``"amanatides-woo"``.
    * ``tolerance``: between 0 (the default) and 1 cell: crossings at most this far apart are treated as a corner. For
      ``"amanatides-woo-float"`` only.
    * ``origin``: ``"center"`` (the default) if whole numbers are centers of cells, ``"corner"`` if they are corners.
      Not used with a ``transform``.
    * ``transform``: six numbers that map cells to world coordinates (see the module), in which the ends are then given;
      ``None`` (the default) for ends in cells.
    * ``clip``: ``True`` counts only the cells of each segment that lie inside the array. ``False`` (the default) raises
      ``ValueError`` for a segment that leaves the array.
    * ``threads``: 1 to 1024, or 0 (the default) to choose by the amount of work. The result does not depend on it.
    * ``progress``: a callable that receives the number of segments done, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    >>> coverage((2, 4), [(0, 0, 1, 3), (0, 0, 0, 3)])
    array([[2, 2, 1, 1],
           [0, 0, 1, 1]], dtype=uint32)
    """
    found = sizes("shape", shape, (2, 3), FAR)
    if math.prod(found) > 2**31:
        raise ValueError(f"shape must hold at most 2^31 cells, got {shown(shape)}")
    counts = np.zeros(found, dtype=np.uint32)
    clip = flag("clip", clip)
    ends = Segments(segments, method, tolerance, origin, transform, whole=not (clip and _exact(method)))
    if ends.whole is not None:
        _core.coverage_into(counts, ends.whole, method, ends.tolerance, clip, threads, progress)
    else:
        _core.lines_coverage_into(counts, ends.floats, ends.options, clip, threads, progress)
    return counts


def lengths(
    segments: npt.ArrayLike,
    shape: Sequence[int] | None = None,
    *,
    origin: str = "center",
    transform: Transform | None = None,
    out: tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]] | None = None,
    progress: Any = None,
) -> tuple[Cells, npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Measures how long each segment is within each of its cells: ``(cells, offsets, lengths)``.

    ``cells`` and ``offsets`` are those of ``trace_many`` for the thin line; ``lengths`` is ``(n,)`` float64, in cells,
    or in units of the world coordinates with a ``transform``. The error of each length, and of the sum over a segment,
    is at most 4 units in the last place of the whole segment's length.

    * ``segments``: ``(m, 4)`` or ``(m, 6)`` ints or floats, the coordinates of each tail before those of its head.
    * ``origin``: ``"center"`` (the default) if whole numbers are centers of cells, ``"corner"`` if they are corners.
      Not used with a ``transform``.
    * ``transform``: six numbers that map cells to world coordinates (see the module), in which the ends are then given;
      ``None`` (the default) for ends in cells.
    * ``shape``: the sizes of an array; the part of each segment inside it is measured. ``None`` (the default) measures
      whole segments.
    * ``out``: two C-contiguous arrays to which the results are written; ``cells`` and ``lengths`` are views of them:
      int32 of shape ``(k, 2)`` or ``(k, 3)`` and float64 of shape ``(k,)``. ``k`` must be greater than the number of
      cells, counted as if no segment passed through a corner. ``None`` (the default) makes fresh arrays.
    * ``progress``: a callable that receives the number of segments done, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    Without ``out``, raises ``ValueError`` if the segments together may have more than 2^28 cells.

    >>> cells, offsets, found = lengths([(0, 0, 0, 4)])
    >>> found.tolist()
    [0.5, 1.0, 1.0, 1.0, 0.5]
    """
    ends = Segments(segments, METHODS[0], 0.0, origin, transform, whole=False)
    within = None if shape is None else sizes("shape", shape, (ends.rank,), FAR)
    floats = ends.floats
    most = _core.lines_most_cells(floats, ends.options, within)
    if out is None:
        if most > _MAX:
            raise ValueError(f"segments must have at most {_MAX} cells together without out, got up to {most}")
        # An upper bound (a segment through corners has fewer cells), plus the one extra row that the core requires.
        cells, found = np.empty((most + 1, ends.rank), np.int32), np.empty(most + 1)
    else:
        if not isinstance(out, tuple) or len(out) != 2:
            raise wrong_type("out", "two arrays (cells, lengths) or None", out)
        cells, found = out
        found = _out("out[1]", found, np.float64, (most + 1,))
        cells = _out("out[0]", cells, np.int32, (len(found), ends.rank))
    offsets = _core.lines_lengths_into(floats, ends.options, within, cells, found, progress)
    return cells[: offsets[-1]], offsets, found[: offsets[-1]]


def _out(name: str, given: Any, dtype: Any, least: tuple[int, ...]) -> Any:
    """Validates an array to write into: its dtype, its shape after the first axis, and that it has enough rows."""
    good = isinstance(given, np.ndarray) and given.dtype == dtype and given.ndim == len(least)
    if not good or given.shape[1:] != least[1:] or len(given) < least[0]:
        sizes = ", ".join(map(str, (f"{least[0]} or more", *least[1:])))
        raise ValueError(f"{name} must be {np.dtype(dtype)} of shape ({sizes}), got {form(given)}")
    return given


def system_matrix(
    shape: Sequence[int],
    segments: npt.ArrayLike,
    *,
    origin: str = "center",
    transform: Transform | None = None,
    progress: Any = None,
) -> Any:
    """Builds the system matrix of tomography, a ``scipy.sparse.csr_array`` of shape ``(m, cells)``.

    Row ``i`` holds the lengths of segment ``i`` within the cells of an array of ``shape`` in row-major order, so that
    ``matrix @ image.ravel()`` is the integral of the image along each segment. The column indices of a row are in
    order from tail to head. Needs scipy.

    * ``shape``: the two or three sizes of the array, which has as many dimensions as the segments.
    * ``segments``: ``(m, 4)`` or ``(m, 6)`` ints or floats, the coordinates of each tail before those of its head.
    * ``origin``: ``"center"`` (the default) if whole numbers are centers of cells, ``"corner"`` if they are corners.
      Not used with a ``transform``.
    * ``transform``: six numbers that map cells to world coordinates (see the module), in which the ends are then given;
      ``None`` (the default) for ends in cells.
    * ``progress``: a callable that receives the number of segments done, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    >>> matrix = system_matrix((2, 3), [(0, -1, 0, 3), (-1, 1, 3, 1)])
    >>> matrix.toarray().tolist()
    [[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0, 1.0, 0.0]]
    """
    sparse = require("scipy.sparse", "system_matrix needs scipy: pip install scipy")
    ends = Segments(segments, METHODS[0], 0.0, origin, transform, whole=False)
    found = sizes("shape", shape, (ends.rank,), FAR)
    floats = ends.floats
    most = _core.lines_most_cells(floats, ends.options, found)
    wide = max(most, math.prod(found)) > np.iinfo(np.int32).max
    # Room for an upper bound on the entries, plus one: a segment through corners has fewer, and memory pages that are
    # never written cost nothing.
    indices: Any = np.empty(most + 1, dtype=np.int64 if wide else np.int32)
    data = np.empty(most + 1, dtype=np.float64)
    fill: Any = _core.lines_matrix_int64 if wide else _core.lines_matrix_int32
    begins = fill(floats, ends.options, found, indices, data, progress)
    used = int(begins[-1])
    parts = (data[:used], indices[:used], begins.astype(indices.dtype))
    return sparse.csr_array(parts, shape=(len(ends.ends), math.prod(found)))


def _detectors(detectors: Any) -> npt.NDArray[np.float64]:
    if isinstance(detectors, int | np.integer) and not isinstance(detectors, bool):
        count = whole("detectors", detectors, 1, FAR)
        return np.arange(count, dtype=np.float64) - (count - 1) / 2
    places = matrix("detectors", detectors, "iuf", (1,), "an integer or offsets of shape (d,)").astype(np.float64)
    if not np.isfinite(places).all():
        raise ValueError(f"detectors must be finite, got {places[~np.isfinite(places)][0]}")
    return places


def _angles(angles: Any) -> npt.NDArray[np.float64]:
    found = matrix("angles", angles, "iuf", (0, 1), "numbers of shape (a,)").astype(np.float64)
    if not np.isfinite(found).all():
        raise ValueError(f"angles must be finite, got {found[~np.isfinite(found)].flat[0]}")
    return np.atleast_1d(found)


def _scanner(shape: Sequence[int], angles: Any, detectors: Any) -> tuple[npt.NDArray[np.float64], ...]:
    """Reads the arguments of a scanner; returns the center of the array and, for each angle, directions and offsets.

    The results are the center ``(2,)``, the unit vectors along the middle ray ``(a, 1, 2)``, and the offsets of the
    detectors across it ``(a, d, 2)``.
    """
    height, width = sizes("shape", shape, (2,), FAR)
    places, turns = _detectors(detectors), _angles(angles)
    along = np.stack([np.cos(turns), np.sin(turns)], axis=-1)[:, None]
    across = np.stack([-np.sin(turns), np.cos(turns)], axis=-1)[:, None]
    return np.array([(height - 1) / 2, (width - 1) / 2]), along, places[None, :, None] * across


def parallel_beam(shape: Sequence[int], angles: npt.ArrayLike, detectors: Any) -> npt.NDArray[np.float64]:
    """Returns the rays of a parallel-beam scanner: ``(a * d, 4)`` float64 segments for ``system_matrix``.

    The rays of an angle run side by side across the array, turned about its center; with ``origin="center"`` their ends
    lie on or outside the circle through its corners, up to rounding. At angle 0 they run down the columns; larger
    angles turn them in the same direction as ``skimage.transform.radon``.

    * ``shape``: ``(height, width)`` of the array.
    * ``angles``: ``(a,)`` finite numbers in radians, or one number; ``ValueError`` for NaN and infinities.
    * ``detectors``: the number of rays per angle, one cell apart and centered, or their ``(d,)`` offsets in cells from
      the ray through the center.

    >>> parallel_beam((3, 3), [0.0], 1).round(2).tolist()
    [[-1.12, 1.0, 3.12, 1.0]]
    """
    height, width = sizes("shape", shape, (2,), FAR)
    center, along, offsets = _scanner((height, width), angles, detectors)
    feet = center + offsets
    reach = math.hypot(height, width) / 2 * along
    return np.concatenate([feet - reach, feet + reach], axis=-1).reshape(-1, 4)


def fan_beam(
    shape: Sequence[int], angles: npt.ArrayLike, detectors: Any, *, source: float, detector: float
) -> npt.NDArray[np.float64]:
    """Returns the rays of a fan-beam scanner: ``(a * d, 4)`` float64 segments for ``system_matrix``.

    For each angle, the rays run from one source to detectors on a straight line on the opposite side; the source and
    the line turn about the center of the array. At angle 0 the source is above the center, toward row 0.

    * ``shape``: ``(height, width)`` of the array.
    * ``angles``: ``(a,)`` finite numbers in radians, or one number; ``ValueError`` for NaN and infinities.
    * ``detectors``: the number of detectors, one cell apart and centered, or their ``(d,)`` offsets in cells.
    * ``source``, ``detector``: distances of the source and of the line of detectors from the center, in cells, above 0
      and below 2^30.

    >>> fan_beam((3, 3), [0.0], 2, source=10, detector=5).tolist()
    [[-9.0, 1.0, 6.0, 0.5], [-9.0, 1.0, 6.0, 1.5]]
    """
    for name, value in (("source", source), ("detector", detector)):
        if not 0 < number(name, value) < FAR:
            raise ValueError(f"{name} must be above 0 and below 2^30, got {shown(value)}")
    center, along, offsets = _scanner(shape, angles, detectors)
    heads = center + detector * along + offsets
    tails = np.broadcast_to(center - source * along, heads.shape)
    return np.concatenate([tails, heads], axis=-1).reshape(-1, 4)


def _blocked(blocked: Any) -> npt.NDArray[np.bool_]:
    return np.ascontiguousarray(matrix("blocked", blocked, "b", (2, 3), "bools in two or three dimensions"))


def first_hit(
    blocked: npt.ArrayLike,
    segments: npt.ArrayLike,
    *,
    origin: str = "center",
    transform: Transform | None = None,
    progress: Any = None,
) -> npt.NDArray[np.int64]:
    """Finds the first blocked cell on the thin line of each segment, from tail to head: a fresh ``(m,)`` int64 array.

    The array holds row-major indices into ``blocked``, for ``numpy.unravel_index``, and -1 for a segment that meets no
    blocked cell.

    * ``blocked``: an array of bool with as many dimensions as the segments. Cells outside it block nothing.
    * ``segments``: ``(m, 4)`` or ``(m, 6)`` ints or floats, the coordinates of each tail before those of its head.
    * ``origin``: ``"center"`` (the default) if whole numbers are centers of cells, ``"corner"`` if they are corners.
      Not used with a ``transform``.
    * ``transform``: six numbers that map cells to world coordinates (see the module), in which the ends are then given;
      ``None`` (the default) for ends in cells.
    * ``progress``: a callable that receives the number of segments done, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    >>> wall = np.array([[False, False, True], [False, True, False]])
    >>> first_hit(wall, [(0, 0, 0, 2), (1, 0, 1, 2), (0, 0, 1, 0)]).tolist()
    [2, 4, -1]
    """
    walls = _blocked(blocked)
    ends = Segments(segments, METHODS[0], 0.0, origin, transform, whole=False)
    return _core.lines_first_hit(walls, ends.floats, ends.options, progress)


def visible(blocked: npt.ArrayLike, cell: Any, radius: float | None = None) -> npt.NDArray[np.bool_]:
    """Returns which cells are visible from a cell: a fresh bool array in the shape of ``blocked``.

    A cell is visible if no blocked cell lies between it and ``cell`` on the thin line that joins their centers. The two
    cells themselves hide nothing, so a blocked cell can be visible. The line does not depend on its direction, so ``a``
    sees ``b`` if and only if ``b`` sees ``a``.

    * ``blocked``: an array of bool in two or three dimensions.
    * ``cell``: the cell to look from, ``(row, col)`` or ``(layer, row, col)``, inside the array.
    * ``radius``: the largest distance between centers, in cells, at least 0; ``None`` (the default) sets no bound.

    In two dimensions the shadows of blocked cells are swept over the array, in time proportional to the number of its
    cells. In three dimensions a line is traced to each cell. Ctrl-C ends either computation.

    >>> visible(np.array([[False, True, False, False]]), (0, 0)).tolist()
    [[True, True, False, False]]
    """
    walls = _blocked(blocked)
    place = read_cell("cell", cell, walls.shape)
    within = None if radius is None else number("radius", radius, 0)
    return _core.lines_visible(walls, list(place), within)


def draw_steps(
    tail: Any,
    head: Any,
    method: str = "amanatides-woo",
    *,
    tolerance: float = 0.0,
    origin: str = "center",
    theme: Any = None,
    size: float | None = None,
) -> Picture:
    """Draws the cells of a segment in the order in which they are crossed, and a table of what each step compares.

    A notebook displays the picture; its ``save(path)`` writes ``.svg`` or ``.png``.

    * ``tail``, ``head``: two points ``(row, col)`` in cells, less than 400 cells apart; ``ValueError`` otherwise.
    * ``method``: ``"amanatides-woo"`` (the default) or ``"amanatides-woo-float"``; ``ValueError`` for any other.
    * ``tolerance``: between 0 (the default) and 1 cell: crossings at most this far apart are treated as a corner. For
      ``"amanatides-woo-float"`` only.
    * ``origin``: ``"center"`` (the default) if whole numbers are centers of cells, ``"corner"`` if they are corners.
    * ``theme``: ``"light"``, ``"dark"``, a ``Theme``, or ``None`` (the default) for the theme of ``draw.use_theme``.
    * ``size``: pixels per cell, 1 to 1000; ``None`` (the default) fits the picture.

    >>> draw_steps((0, 0), (2, 5)).title
    'The line from (0, 0) to (2, 5), amanatides-woo: 8 cells'
    """
    from .draw import tracing

    return tracing.steps(tail, head, method, tolerance, origin, theme, size)


def draw_methods(
    tail: Any,
    head: Any,
    one: str = "amanatides-woo",
    two: str = "bresenham",
    *,
    tolerance: float = 0.0,
    origin: str = "center",
    theme: Any = None,
    size: float | None = None,
) -> Picture:
    """Draws the cells of two methods side by side; cells that only one of them has are framed.

    * ``tail``, ``head``: two points ``(row, col)`` in cells, less than 400 cells apart; ``ValueError`` otherwise.
    * ``one``, ``two``: the methods, two of ``METHODS``; by default ``"amanatides-woo"`` and ``"bresenham"``.
    * ``tolerance``: between 0 (the default) and 1 cell: crossings at most this far apart are treated as a corner. For
      ``"amanatides-woo-float"`` only.
    * ``origin``: ``"center"`` (the default) if whole numbers are centers of cells, ``"corner"`` if they are corners.
    * ``theme``: ``"light"``, ``"dark"`` or a ``Theme``; ``None`` (the default) is the theme of ``draw.use_theme``.
      ``ValueError`` for another name.
    * ``size``: pixels per cell, 1 to 1000; ``None`` (the default) fits the picture.

    >>> draw_methods((0, 0), (2, 5)).title
    'The line from (0, 0) to (2, 5): amanatides-woo has 8 cells, bresenham has 6, 6 in common'
    """
    from .draw import tracing

    return tracing.methods(tail, head, one, two, tolerance, origin, theme, size)


def draw_coverage(counts: npt.ArrayLike, *, theme: Any = None, size: float | None = None) -> Picture:
    """Draws a heat map of numbers.

    * ``counts``: an array of shape ``(height, width)`` such as that of ``coverage``, at most 1000 cells along a side
      (``ValueError`` otherwise); numbers below 0 are drawn like 0.
    * ``theme``: ``"light"``, ``"dark"``, a ``Theme``, or ``None`` (the default) for the theme of ``draw.use_theme``.
    * ``size``: pixels per cell, 1 to 1000; ``None`` (the default) fits the picture.

    >>> draw_coverage(coverage((3, 3), [(0, 0, 2, 2), (0, 2, 2, 0)])).title
    'Coverage of 3 rows and 3 columns, 0 to 2'
    """
    from .draw import tracing

    return tracing.heat(counts, theme, size)
