"""Counts the segments that each library gets right under its own stated rule, judged by exact arithmetic.

After ``pip install rasterio scikit-image xarray-spatial numba``, run
``python examples/lines_beside_others.py [SEGMENTS]``. The ends of the segments have one decimal place, on a grid of 32
by 32 cells; cell i is [i, i + 1). The row of a library that is not installed says so.

* gridwright: its cells are the reference for all rows, so only the last column of its own row is a result.
  ``lines_evidence.py`` tests with exact fractions that these cells are right.
* rasterio (GDAL), ``all_touched=True``: "all pixels touched by geometries". An answer is right if it has every cell
  that the segment crosses and no cell that the segment does not touch. There is one call per segment.
* numba: the traversal of Amanatides and Woo in floats, as users of numba would write it. An answer is right under the
  same conditions as for rasterio.
* scikit-image, ``draw.line``: Bresenham's algorithm between integers. The first row applies the library's own rule: the
  answer is compared with Bresenham's line between the ends rounded down. For the second row, the answer must meet the
  same conditions as for rasterio, for the segment between the original ends.
* xarray-spatial has no function for lines in the releases that pip finds; if it is installed, its row says so.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from gridwright import tracing

SIZE = 32


def lists(ends: Any, method: str) -> list[set[int]]:
    """Returns the set of cells of each segment; a cell ``(row, col)`` is the number ``64 * row + col``."""
    cells, offsets = tracing.trace_many(ends, method, origin="corner")
    # 64 is more than the number of columns, so no two cells have the same number.
    flat = (cells[:, 0] * 64 + cells[:, 1]).tolist()
    return [set(flat[a:b]) for a, b in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)]


def rasterio_cells() -> Callable[[list[float]], set[int]]:
    """Returns a function that maps the ends of a segment to the cells that rasterio burns."""
    from rasterio.features import rasterize

    def burn(ends: list[float]) -> set[int]:
        a, b, c, d = ends
        shape = {"type": "LineString", "coordinates": [(b, a), (d, c)]}
        rows, cols = np.nonzero(rasterize([shape], out_shape=(SIZE, SIZE), all_touched=True))
        return set((rows * 64 + cols).tolist())

    return burn


def skimage_cells() -> Callable[[list[float]], set[int]]:
    """Returns a function that maps the ends of a segment to the cells that scikit-image draws."""
    from skimage.draw import line

    def draw(ends: list[float]) -> set[int]:
        rows, cols = line(*(int(x) for x in ends))
        return set((rows * 64 + cols).tolist())

    return draw


def numba_cells() -> Callable[[list[float]], set[int]]:
    """Returns a function that maps the ends of a segment to the cells of the compiled traversal in floats."""
    import math

    import numba

    # This kernel is not shared with `benches/python/lines.py`, so that this file runs without the repository.
    @numba.njit
    def walk(y, x, to_y, to_x, out):  # type: ignore[no-untyped-def]
        row, col = math.floor(y), math.floor(x)
        steps = abs(math.floor(to_y) - row) + abs(math.floor(to_x) - col)
        dy, dx = to_y - y, to_x - x
        step_row, step_col = (1 if dy > 0 else -1), (1 if dx > 0 else -1)
        pace_row = abs(1 / dy) if dy != 0 else np.inf
        pace_col = abs(1 / dx) if dx != 0 else np.inf
        next_row = ((row + (dy > 0)) - y) / dy if dy != 0 else np.inf
        next_col = ((col + (dx > 0)) - x) / dx if dx != 0 else np.inf
        out[0] = row * 64 + col
        for k in range(steps):
            if next_row < next_col:
                row += step_row
                next_row += pace_row
            else:
                col += step_col
                next_col += pace_col
            out[k + 1] = row * 64 + col
        return steps + 1

    out = np.empty(200, np.int64)
    return lambda ends: set(out[: walk(*ends, out)].tolist())


def main() -> None:
    """Prints one row per library and rule."""
    count = int(float(sys.argv[1])) if len(sys.argv) > 1 else 100_000
    ends = np.round(np.random.default_rng(1).uniform(0, SIZE, (count, 4)), 1)
    thin, touched = lists(ends, "amanatides-woo"), lists(ends, "supercover")
    rounded = lists(np.floor(ends) + 0.5, "bresenham")
    print(f"{count:,} segments, ends with one decimal place on {SIZE} by {SIZE} cells\n")
    print("| library and rule | right | missing cells in | extra cells in | not equal to their own reverse |")
    print("|---|---|---|---|---|")
    loads = [
        ("gridwright, thin line", "gridwright", lambda: None, thin, thin),
        ("rasterio, all_touched", "rasterio", rasterio_cells, thin, touched),
        ("numba, Amanatides and Woo in floats", "numba", numba_cells, thin, touched),
        ("scikit-image, draw.line, ends rounded down", "skimage", skimage_cells, rounded, rounded),
        ("scikit-image, every cell crossed", "skimage", skimage_cells, thin, touched),
    ]
    for name, module, load, least, most in loads:
        if module == "gridwright":
            back = lists(ends[:, [2, 3, 0, 1]], "amanatides-woo")
            found, reverse = thin, back
        elif importlib.util.find_spec(module) is None:
            print(f"| {name} | not installed | | | |")
            continue
        else:
            cells = load()
            found = [cells(row) for row in ends.tolist()]
            reverse = [cells([c, d, a, b]) for a, b, c, d in ends.tolist()]
        missing = sum(not need <= have for need, have in zip(least, found, strict=True))
        extra = sum(not have <= may for may, have in zip(most, found, strict=True))
        right = sum(need <= have <= may for need, have, may in zip(least, found, most, strict=True))
        unlike = sum(one != other for one, other in zip(found, reverse, strict=True))
        print(f"| {name} | {right / count:.3%} | {missing:,} | {extra:,} | {unlike:,} |", flush=True)
    if importlib.util.find_spec("xrspatial"):
        import xrspatial

        print(f"| xarray-spatial {xrspatial.__version__} | no function for lines | | | |")
    else:
        print("| xarray-spatial | not installed | | | |")


if __name__ == "__main__":
    main()
