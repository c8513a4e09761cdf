"""How many segments pass through corners, and how many segments a traversal in floating point gets wrong."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import tracing
from .store import Record, Work

__all__ = ["LINES"]

_VECTORS = 4096
"""The number of vectors per call: their cells fit in the memory of any machine."""


def _wrong(rows: np.ndarray[Any, Any], cols: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Returns for each vector whether the traversal in floating point and the exact one list different cells."""
    ends = np.zeros((len(rows), 4), np.int32)
    ends[:, 2], ends[:, 3] = rows, cols
    cells, offsets = tracing.trace_many(ends)
    others, other_offsets = tracing.trace_many(ends, "amanatides-woo-float")
    wrong: np.ndarray[Any, Any] = np.diff(offsets) != np.diff(other_offsets)
    for i in np.flatnonzero(~wrong):
        wrong[i] = not np.array_equal(
            cells[offsets[i] : offsets[i + 1]], others[other_offsets[i] : other_offsets[i + 1]]
        )
    return wrong


def _work(key: tuple[Any, ...], state: Any) -> Work:
    (size,) = key
    done, corner, lattice, corners, wrong, wrong_corner = state or (1, 0, 0, 0, 0, 0)
    # On n x n cells, a vector (a, b) with both parts above 0 stands for 4 (n - a)(n - b) segments: four combinations of
    # signs, and (n - a)(n - b) tails for each. A segment along a row or column passes through no corner, and the
    # traversal in floating point traces it correctly.
    while done < size:
        cols = np.arange(1, size)
        rows = np.full_like(cols, done)
        common = np.gcd(rows, cols)
        weight = 4 * (size - rows) * (size - cols)
        at_corner = (rows // common % 2 == 1) & (cols // common % 2 == 1)
        off = np.concatenate([_wrong(rows[i : i + _VECTORS], cols[i : i + _VECTORS]) for i in range(0, size, _VECTORS)])
        corner += int(weight[at_corner].sum())
        corners += int((weight * common)[at_corner].sum())
        lattice += int(weight[common > 1].sum())
        wrong += int(weight[off].sum())
        wrong_corner += int(weight[off & at_corner].sum())
        done += 1
        yield (done - 1) / size, [done, corner, lattice, corners, wrong, wrong_corner]
    for length in range(2, size):
        # Along rows and columns: two axes, two directions, n lines.
        lattice += 4 * size * (size - length)
    segments = size**4 - size**2
    yield (
        1.0,
        {
            "segments": segments,
            "through_corner": corner,
            "corners": corners,
            "through_center": lattice,
            "float_wrong": wrong,
            "float_wrong_through_corner": wrong_corner,
            "share_through_corner": f"{corner / segments:.8f}",
            "share_through_center": f"{lattice / segments:.8f}",
            "share_float_wrong": f"{wrong / segments:.8f}",
        },
    )


LINES = Record(
    "lines",
    "how many segments between cell centers pass through corners, and how many a floating-point traversal gets wrong",
    ("size",),
    (
        "segments",
        "through_corner",
        "corners",
        "through_center",
        "float_wrong",
        "float_wrong_through_corner",
        "share_through_corner",
        "share_through_center",
        "share_float_wrong",
    ),
    tuple((size,) for size in (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 50, 64, 80, 100, 128, 160, 200, 256)),
    ((400,), (512,), (800,), (1000,)),
    _work,
)
