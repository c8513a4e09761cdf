"""Pictures of line tracing: the cells as they are crossed, two methods side by side, and a heat map of coverage."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arguments import choice, matrix
from ..arguments import number as read_number
from ..segments import METHODS, one_segment
from ..words import counted, dimensions
from .films.lines import digits, ends_early
from .svg import Picture, distance
from .theme import mix
from .theme import theme as find_theme

__all__ = ["heat", "methods", "steps"]

_MAX_CELLS = 400
"""Ends at least this many rows or columns apart are refused, because cells would be too small to tell apart."""

_ROW = 16.0
"""The height of a line of text in the table of `steps`."""


class _Panel:
    """The part of a grid that contains the given cells, at a position in a picture."""

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

    def axes(self, out: Picture) -> None:
        """Writes the row and column numbers, or only every 2nd, 5th, 10th and so on if there is no room for all."""
        pen: dict[str, Any] = {"size": 11, "fill": out.theme.muted}
        room = 8.0 * len(str(max(abs(self.top) + self.rows, abs(self.left) + self.cols))) + 4
        step = next((step for step in (1, 2, 5, 10, 20, 50, 100) if step * self.size >= room), 200)
        for col in range(0, self.cols, step):
            out.text(self.x + (col + 0.5) * self.size, self.y - 9, str(self.left + col), **pen)
        for row in range(0, self.rows, step):
            at = (self.x - 5, self.y + (row + 0.5) * self.size)
            out.text(*at, str(self.top + row), text_anchor="end", **pen)

    def segment(self, out: Picture, tail: Any, head: Any, shift: float) -> None:
        """Draws the segment; ``shift`` is added to all coordinates: 0.5 if integers are centers of cells, else 0."""
        (x1, y1), (x2, y2) = (self.place(float(row) + shift, float(col) + shift) for row, col in (tail, head))
        out.line(x1, y1, x2, y2, stroke=out.theme.ink, stroke_width=max(0.6, self.size * 0.04))
        out.circle(x1, y1, max(1.0, self.size * 0.08), fill=out.theme.ink)
        out.circle(x2, y2, max(1.0, self.size * 0.08), fill=out.theme.page, stroke=out.theme.ink, stroke_width=1)


def _shift(origin: str) -> float:
    return 0.5 if origin == "center" else 0.0


def _check_ends(tail: Any, head: Any) -> None:
    """Raises ``ValueError`` if the ends are in three dimensions, or too far apart to be drawn.

    Called before a line is traced, because the cells take memory in proportion to the length of the line.
    """
    ends = one_segment(tail, head).astype(np.float64).reshape(2, -1)
    if ends.shape[1] != 2:
        raise ValueError("tail and head must be (row, col) to be drawn, got three coordinates")
    apart = float(np.ptp(ends, axis=0).max())
    if apart >= _MAX_CELLS:
        raise ValueError(f"head must be less than {_MAX_CELLS} cells from tail to be drawn, got {apart:.15g}")


def _extent(tail: Any, head: Any, shift: float, *lists: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Returns the cells of both ends, followed by the given lists of cells."""
    places = np.array([[float(part) + shift for part in end] for end in (tail, head)])
    return np.concatenate([np.floor(places).astype(np.int32), *lists])


def _pixels(size: float | None, across: int, usual: float) -> float:
    return max(3.0, min(usual, 900 / across)) if size is None else read_number("size", size, 1, 1000)


def _cells(
    tail: Any, head: Any, method: str, tolerance: float, origin: str
) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any]]:
    from .. import tracing

    found: Any = tracing.trace(tail, head, method, tolerance=tolerance, origin=origin)
    return found if isinstance(found, tuple) else (found, np.ones(len(found)))


def steps(tail: Any, head: Any, method: str, tolerance: float, origin: str, theme: Any, size: float | None) -> Picture:
    """Draws the cells of a traversal in the order in which they are crossed, and a table of what each step compares.

    Rows and columns are numbered at the border. Cells of at least 18 pixels show their numbers, away from the line; if
    the cells are smaller, the numbers and the table are left out.

    * ``tail``: the cell or point where the segment begins.
    * ``head``: the cell or point where the segment ends.
    * ``method``: ``"amanatides-woo"`` or ``"amanatides-woo-float"``.
    * ``tolerance``: 0 to 1 cell: crossings at most this far apart are treated as a corner. For
      ``"amanatides-woo-float"`` only.
    * ``origin``: ``"center"`` or ``"corner"``, see `gridwright.tracing`.
    * ``theme``: ``"light"``, ``"dark"``, a ``Theme``, or ``None`` for the theme of `use_theme`.
    * ``size``: the width of a cell in pixels, 1 to 1000; ``None`` chooses 48, or less, down to 3, for a long line.
    """
    from .. import tracing

    _check_ends(tail, head)
    columns = tracing.trace_steps(tail, head, method, tolerance=tolerance, origin=origin)
    cells = np.stack([columns["row"], columns["col"]], axis=1)
    shift = _shift(origin)
    extent = _extent(tail, head, shift, cells)
    across = int(np.ptp(extent, axis=0).max()) + 1
    size = _pixels(size, across, 48.0)
    numbered = size >= 18
    pad = max(26.0, size / 4)
    panel = _Panel(extent, size, pad, pad)
    last = "end" if ends_early(cells, tail, head, method, tolerance, origin=origin) else "head"
    table = _table(columns, last) if numbered else []
    # Wide enough for the longest line of the table in a monospaced font.
    wide = 7.3 * max((len(line) for line in table), default=0) + (20 if table else 0)
    out = Picture(
        panel.cols * size + 2 * pad + wide,
        max(panel.rows * size + 2 * pad, _ROW * len(table) + pad),
        find_theme(theme),
        title=f"The line from {_pair(tail)} to {_pair(head)}, {method}: {counted(len(cells), 'cell')}",
        description=_description(columns, numbered=numbered),
    )
    colors = {-1: out.theme.tile, 0: out.theme.sky, 1: out.theme.yellow, 2: out.theme.purple}
    for (row, col), axis in zip(cells.tolist(), columns["axis"].tolist(), strict=True):
        panel.cell(out, row, col, fill=mix(out.theme.page, colors[axis], 0.55))
    panel.grid(out)
    panel.axes(out)
    panel.segment(out, tail, head, shift)
    if numbered:
        ends = [tuple(float(part) + shift for part in end) for end in (tail, head)]
        for k, (row, col) in enumerate(cells.tolist()):
            corner = max(_CORNERS, key=lambda corner: distance((row + corner[0], col + corner[1]), *ends))
            x, y = panel.place(row + corner[0], col + corner[1])
            fill = mix(out.theme.page, colors[int(columns["axis"][k])], 0.55)
            out.text(x, y, str(k), size=min(13.0, size * 0.26), fill=out.theme.letters_on(fill))
    x = panel.cols * size + 2 * pad
    for k, line in enumerate(table):
        look: dict[str, Any] = {"text_anchor": "start", "xml:space": "preserve", "font_family": _MONO}
        bold = "bold" if k == 0 else None
        out.text(x, pad + (k + 0.5) * _ROW, line, size=12, fill=out.theme.ink, font_weight=bold, **look)
    return out


_MONO = "DejaVu Sans Mono, Menlo, Consolas, monospace"

_CORNERS = ((0.2, 0.2), (0.2, 0.8), (0.8, 0.2), (0.8, 0.8))
"""Where the number of a cell may stand, as shares of the cell down and across."""


def _table(columns: dict[str, npt.NDArray[Any]], last: str) -> list[str]:
    """Returns a heading and one line of text per cell: number, place, both ``t_max``, and the border crossed next.

    ``last`` stands in the line of the last cell, after which no border is crossed.
    """
    names = ("row", "col", "t_max_row", "t_max_col", "axis")
    rows = list(zip(*(columns[name].tolist() for name in names), strict=True))
    lines = []
    for k, (row, col, t_row, t_col, _) in enumerate(rows):
        shown = digits(t_row, t_col)
        to = last if k + 1 == len(rows) else {0: "row", 1: "column", 2: "corner"}[rows[k + 1][4]]
        lines.append((str(k), f"({row}, {col})", *shown, to))
    lines.insert(0, ("", "cell", "t_max row", "t_max col", "next"))
    widths = [max(len(line[k]) for line in lines) for k in range(5)]
    return ["  ".join(word.ljust(wide) for word, wide in zip(line, widths, strict=True)).rstrip() for line in lines]


def _description(columns: dict[str, npt.NDArray[Any]], *, numbered: bool) -> str:
    axes = columns["axis"]
    rows, cols, corners = (int((axes == axis).sum()) for axis in (0, 1, 2))
    between = f"{counted(rows, 'border')} between rows, {cols} between columns"
    crossed = f"The line crosses {between} and {counted(corners, 'corner')}."
    if not numbered:
        return crossed
    return (
        f"{crossed} The cells are numbered in the order in which they are crossed. The table gives t_max of the next "
        "row and the next column for each cell; the border with the smaller t_max is crossed next."
    )


def _pair(cell: Any) -> str:
    return f"({', '.join(f'{float(part):.15g}' for part in cell)})"


def methods(
    tail: Any, head: Any, one: str, two: str, tolerance: float, origin: str, theme: Any, size: float | None
) -> Picture:
    """Draws the cells of two methods side by side; a cell that only one of them has is framed.

    * ``tail``: the cell or point where the segment begins.
    * ``head``: the cell or point where the segment ends.
    * ``one``: the method on the left, one of ``tracing.METHODS``.
    * ``two``: the method on the right, one of ``tracing.METHODS``.
    * ``tolerance``: 0 to 1 cell: crossings at most this far apart are treated as a corner. For
      ``"amanatides-woo-float"`` only.
    * ``origin``: ``"center"`` or ``"corner"``, see `gridwright.tracing`.
    * ``theme``: ``"light"``, ``"dark"``, a ``Theme``, or ``None`` for the theme of `use_theme`.
    * ``size``: the width of a cell in pixels, 1 to 1000; ``None`` chooses 44, or less, down to 3, for a wide line.
    """
    for name, method in (("one", one), ("two", two)):
        choice(name, method, METHODS)
    _check_ends(tail, head)
    (first, weights), (second, weights_too) = (_cells(tail, head, name, tolerance, origin) for name in (one, two))
    shift = _shift(origin)
    extent = _extent(tail, head, shift, first, second)
    rows, cols = (int(part) + 1 for part in np.ptp(extent, axis=0))
    size = _pixels(size, 2 * cols + 1, 44.0)
    has, has_too = ({tuple(cell) for cell in cells.tolist()} for cells in (first, second))
    title = (
        f"The line from {_pair(tail)} to {_pair(head)}: {one} has {counted(len(has), 'cell')}, {two} has {len(has_too)}"
    )
    label = max(11.0, size * 0.4)
    # Wide enough for the names if the line is short.
    wide = max(cols * size, 0.62 * label * max(len(one), len(two)))
    out = Picture(
        2 * wide + 1.5 * size,
        rows * size + size / 2 + 2 * label,
        find_theme(theme),
        title=f"{title}, {len(has & has_too)} in common",
        description=f"Left {one}, right {two}. {counted(len(has - has_too), 'cell')} on the left only, "
        f"{len(has_too - has)} on the right only.",
    )
    for k, (name, cells, shares, other) in enumerate(((one, first, weights, has_too), (two, second, weights_too, has))):
        x = size / 4 + k * (wide + size) + (wide - cols * size) / 2
        panel = _Panel(extent, size, x, 2 * label)
        out.text(x + cols * size / 2, label, name, size=label, fill=out.theme.ink)
        for (row, col), weight in zip(cells.tolist(), shares.tolist(), strict=True):
            same = (row, col) in other
            panel.cell(out, row, col, fill=mix(out.theme.page, out.theme.sky if same else out.theme.red, 0.7 * weight))
        panel.grid(out)
        for row, col in cells.tolist():
            if (row, col) not in other:
                pen = {"stroke": out.theme.red, "stroke_width": max(1.0, size * 0.07), "fill": "none"}
                panel.cell(out, row, col, **pen)
        panel.segment(out, tail, head, shift)
    return out


def _short(value: float) -> str:
    """Returns a number as text: integers of at most 15 digits in full, other numbers with six significant digits."""
    return str(int(value)) if abs(value) < 1e15 and value == int(value) else f"{value:.6g}"


def heat(counts: npt.ArrayLike, theme: Any, size: float | None) -> Picture:
    """Draws counts as shades in sixteen steps, from light to dark.

    * ``counts``: an array ``(H, W)`` of finite numbers, from 1 by 1 to 1000 by 1000; those below 0 are drawn like 0.
    * ``theme``: ``"light"``, ``"dark"``, a ``Theme``, or ``None`` for the theme of `use_theme`.
    * ``size``: the width of a cell in pixels, 1 to 1000; ``None`` chooses 40, or less, down to 1, for a large array.
    """
    counts = matrix("counts", counts, "iuf", (2,), "numbers of shape (height, width)")
    height, width = counts.shape
    if not counts.size or max(height, width) > 1000:
        raise ValueError(f"counts must be between 1 by 1 and 1000 by 1000 to be drawn, got shape {counts.shape}")
    if not np.isfinite(counts).all():
        raise ValueError("counts must be finite, got infinite or NaN values")
    size = max(1.0, min(40.0, 640 / max(height, width))) if size is None else _pixels(size, 1, 40.0)
    least, most = (_short(value.item()) for value in (counts.min(), counts.max()))
    values = counts.astype(np.float64)
    # The numbers are averaged as shares of the greatest magnitude, because their own sum may overflow.
    peak = float(np.abs(values).max()) or 1.0
    mean = _short(float((values / peak).mean()) * peak)
    label = 12.0
    out = Picture(
        max(width * size, 150, 130 + 7.7 * len(most)) + size,  # wide enough for the number beside the scale
        height * size + size + 2 * label,
        find_theme(theme),
        title=f"Coverage of {dimensions(height, width)}, {least} to {most}",
        description=f"Each cell is shaded by its count: the largest is {most}, the mean {mean}.",
    )
    pad = size / 2
    out.rect(pad, pad, width * size, height * size, fill=out.theme.tile_soft)
    top = max(float(counts.max()), 1e-300)
    shades = np.ceil(np.clip(values, 0, None) / top * 16).astype(int)
    for row, line in enumerate(shades.tolist()):
        col = 0
        for shade, same in groupby(line):
            run = len(list(same))
            if shade > 0:
                out.rect(pad + col * size, pad + row * size, run * size, size, fill=out.theme.heat(shade / 16))
            col += run
    look: dict[str, Any] = {"fill": "none", "stroke": out.theme.tile_edge, "stroke_width": 1}
    out.rect(pad, pad, width * size, height * size, **look)
    at = height * size + size + 0.4 * label
    for k in range(16):
        out.rect(pad + 24 + 6 * k, at, 6, label, fill=out.theme.heat((k + 1) / 16))
    out.rect(pad + 24, at, 96, label, **look)
    out.text(pad + 10, at + label / 2, "0", size=label, fill=out.theme.ink)
    out.text(pad + 24 + 6 * 16 + 10, at + label / 2, most, size=label, fill=out.theme.ink, text_anchor="start")
    return out
