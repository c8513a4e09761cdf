"""Pictures of line tracing: the cells as they are crossed, two methods side by side, a heat map of coverage."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from .svg import Picture, number
from .theme import theme as find_theme

__all__ = ["heat", "methods", "steps"]

# More cells than this along a side are too small to be seen one by one.
_MOST_CELLS = 400


class _Panel:
    """A piece of the grid around some cells, somewhere in a picture."""

    def __init__(self, cells: npt.NDArray[np.int32], size: float, x: float, y: float) -> None:
        (self.top, self.left), (bottom, right) = cells.min(axis=0).tolist(), cells.max(axis=0).tolist()
        self.rows, self.cols = bottom - self.top + 1, right - self.left + 1
        self.size, self.x, self.y = size, x, y

    def place(self, row: float, col: float) -> tuple[float, float]:
        return self.x + (col - self.left) * self.size, self.y + (row - self.top) * self.size

    def cell(self, out: Picture, row: int, col: int, **named: Any) -> None:
        out.rect(*self.place(row, col), self.size, self.size, **named)

    def grid(self, out: Picture) -> None:
        pen = {"stroke": out.theme.tile_edge, "stroke_width": max(0.3, self.size * 0.02)}
        wide, high = self.cols * self.size, self.rows * self.size
        for k in range(self.rows + 1):
            out.line(self.x, self.y + k * self.size, self.x + wide, self.y + k * self.size, **pen)
        for k in range(self.cols + 1):
            out.line(self.x + k * self.size, self.y, self.x + k * self.size, self.y + high, **pen)

    def segment(self, out: Picture, tail: Any, head: Any) -> None:
        (x1, y1), (x2, y2) = (self.place(int(row) + 0.5, int(col) + 0.5) for row, col in (tail, head))
        out.line(x1, y1, x2, y2, stroke=out.theme.ink, stroke_width=max(0.6, self.size * 0.04))
        out.circle(x1, y1, max(1.0, self.size * 0.08), fill=out.theme.ink)
        out.circle(x2, y2, max(1.0, self.size * 0.08), fill=out.theme.page, stroke=out.theme.ink, stroke_width=1)


def _extent(tail: Any, head: Any, *lists: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    cells = np.concatenate([np.array([[int(part) for part in end] for end in (tail, head)], dtype=np.int32), *lists])
    longest = int(np.ptp(cells.astype(np.int64), axis=0).max()) + 1
    if longest > _MOST_CELLS:
        raise ValueError(f"a line of {longest} cells along a side, wanted at most {_MOST_CELLS} in a picture")
    return cells


def _pixels(size: float | None, across: int, usual: float) -> float:
    size = max(3.0, min(usual, 900 / across)) if size is None else float(size)
    if not 1 <= size <= 1000:
        raise ValueError(f"size {size!r}, wanted 1 to 1000 pixels a cell")
    return size


def _cells(tail: Any, head: Any, method: str, tolerance: float) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any]]:
    from .. import tracing

    found: Any = tracing.trace(tail, head, method, tolerance=tolerance)
    return found if isinstance(found, tuple) else (found, np.ones(len(found)))


def steps(tail: Any, head: Any, method: str, tolerance: float, theme: Any, size: float | None) -> Picture:
    """The cells of a traversal in the order in which they are crossed, with what each step compares."""
    from .. import tracing

    columns = tracing.trace_steps(tail, head, method, tolerance=tolerance)
    cells = np.stack([columns["row"], columns["col"]], axis=1)
    extent = _extent(tail, head, cells)
    across = int(np.ptp(extent, axis=0).max()) + 1
    size = _pixels(size, across, 76.0)
    panel = _Panel(extent, size, size / 4, size / 4)
    out = Picture(
        (panel.cols + 0.5) * size,
        (panel.rows + 0.5) * size,
        find_theme(theme),
        title=f"The line from {_pair(tail)} to {_pair(head)}, {method}: {len(cells)} cells",
        description=_told(columns),
    )
    colours = {-1: out.theme.tile, 0: out.theme.sky, 1: out.theme.yellow, 2: out.theme.purple}
    for (row, col), axis in zip(cells.tolist(), columns["axis"].tolist(), strict=True):
        panel.cell(out, row, col, fill=colours[axis], fill_opacity=0.55)
    panel.grid(out)
    panel.segment(out, tail, head)
    if size >= 30:
        numbers = zip(
            *(columns[name].tolist() for name in ("row", "col", "t_max_row", "t_max_col", "axis")), strict=True
        )
        for k, (row, col, t_row, t_col, axis) in enumerate(numbers):
            x, y = panel.place(row, col)
            came = {-1: "", 0: " row", 1: " col", 2: " corner"}[axis]
            halo: dict[str, Any] = {"stroke": out.theme.page, "stroke_width": size * 0.04, "paint_order": "stroke"}
            corner = (x + size * 0.06, y + size * 0.13)
            out.text(*corner, f"{k}{came}", size=size * 0.15, fill=out.theme.ink, text_anchor="start", **halo)
            for line, (name, t, other) in enumerate((("r", t_row, t_col), ("c", t_col, t_row))):
                shown = "∞" if t == float("inf") else f"{t:.3f}"
                bold = "bold" if t <= other and k + 1 < len(cells) else None
                at = y + size * (0.7 + 0.17 * line)
                pen: dict[str, Any] = {"fill": out.theme.ink, "font_weight": bold, **halo}
                out.text(x + size / 2, at, f"{name} {shown}", size=size * 0.16, **pen)
    return out


def _told(columns: dict[str, npt.NDArray[Any]]) -> str:
    axes = columns["axis"]
    rows, cols, corners = ((axes == axis).sum() for axis in (0, 1, 2))
    return (
        f"Cells are numbered as they are crossed: {rows} borders of rows, {cols} of columns and {corners} corners. "
        "Each cell shows t_max of the next row (r) and the next column (c); the smaller one is stepped over next."
    )


def _pair(cell: Any) -> str:
    row, col = (int(part) for part in cell)
    return f"({row}, {col})"


def methods(tail: Any, head: Any, one: str, two: str, tolerance: float, theme: Any, size: float | None) -> Picture:
    """The cells of two methods side by side; a cell that only one of them has is framed."""
    (first, weights), (second, weights_too) = (_cells(tail, head, name, tolerance) for name in (one, two))
    extent = _extent(tail, head, first, second)
    rows, cols = (int(part) + 1 for part in np.ptp(extent, axis=0))
    size = _pixels(size, 2 * cols + 1, 44.0)
    has, has_too = ({tuple(cell) for cell in cells.tolist()} for cells in (first, second))
    title = f"The line from {_pair(tail)} to {_pair(head)}: {one} has {len(has)} cells, {two} has {len(has_too)}"
    label = max(11.0, size * 0.4)
    # Wide enough for the names, where the line is short.
    wide = max(cols * size, 0.62 * label * max(len(one), len(two)))
    out = Picture(
        2 * wide + 1.5 * size,
        rows * size + size / 2 + 2 * label,
        find_theme(theme),
        title=f"{title}, {len(has & has_too)} are the same",
        description=f"Left {one}, right {two}. {len(has - has_too)} cells only left, {len(has_too - has)} only right.",
    )
    for k, (name, cells, shares, other) in enumerate(((one, first, weights, has_too), (two, second, weights_too, has))):
        x = size / 4 + k * (wide + size) + (wide - cols * size) / 2
        panel = _Panel(extent, size, x, 2 * label)
        out.text(x + cols * size / 2, label, name, size=label, fill=out.theme.ink)
        for (row, col), weight in zip(cells.tolist(), shares.tolist(), strict=True):
            same = (row, col) in other
            panel.cell(out, row, col, fill=out.theme.sky if same else out.theme.red, fill_opacity=0.7 * weight)
        panel.grid(out)
        for row, col in cells.tolist():
            if (row, col) not in other:
                pen = {"stroke": out.theme.red, "stroke_width": max(1.0, size * 0.07), "fill": "none"}
                panel.cell(out, row, col, **pen)
        panel.segment(out, tail, head)
    return out


def heat(counts: npt.NDArray[Any], theme: Any, size: float | None) -> Picture:
    """Counts as shades: the more, the stronger, in sixteen steps."""
    if counts.ndim != 2 or counts.size == 0 or counts.dtype.kind not in "iuf":
        raise ValueError(f"counts of {counts.dtype} and shape {counts.shape}, wanted numbers of shape (height, width)")
    height, width = counts.shape
    if max(height, width) > 1000:
        raise ValueError(f"counts of shape {counts.shape}, wanted at most 1000 by 1000 in a picture")
    size = max(1.0, min(40.0, 640 / max(height, width))) if size is None else _pixels(size, 1, 40.0)
    least, most = number(float(counts.min())), number(float(counts.max()))
    label = 12.0
    out = Picture(
        max(width * size, 150) + size,
        height * size + size + 2 * label,
        find_theme(theme),
        title=f"Coverage of {height} by {width} cells, {least} to {most}",
        description=f"Each cell is shaded by its count: the largest is {most}, the mean {counts.mean():.2f}.",
    )
    pad = size / 2
    out.rect(pad, pad, width * size, height * size, fill=out.theme.tile_soft)
    top = max(float(counts.max()), 1e-300)
    shades = np.ceil(np.clip(counts.astype(np.float64), 0, None) / top * 16).astype(int)
    for row, line in enumerate(shades.tolist()):
        col = 0
        for shade, same in groupby(line):
            run = len(list(same))
            if shade > 0:
                box = (pad + col * size, pad + row * size, run * size, size)
                out.rect(*box, fill=out.theme.red, fill_opacity=shade / 16)
            col += run
    at = height * size + size + 0.4 * label
    for k in range(16):
        out.rect(pad + 24 + 6 * k, at, 6, label, fill=out.theme.red, fill_opacity=(k + 1) / 16)
    out.text(pad + 10, at + label / 2, "0", size=label, fill=out.theme.ink)
    out.text(pad + 24 + 6 * 16 + 10, at + label / 2, most, size=label, fill=out.theme.ink, text_anchor="start")
    return out
