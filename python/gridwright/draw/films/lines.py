"""A line on the grid, traced cell by cell."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ...arguments import matrix, shown
from ...progress import ProgressReporter
from ...segments import Segments, one_segment
from ...words import counted
from ..animate import Animation
from ..predict import Place, Step, asking, outline
from ..svg import Cells, Picture, number
from ..theme import Theme, film_theme
from .beside import beside

__all__ = ["digits", "ends_early", "line"]

_MAX_CELLS = 200
"""Ends at least this many rows or columns apart are refused, because cells would be too small to tell apart."""

_Point = tuple[float, float]

_WAYS = {0: "over a row border", 1: "over a column border", 2: "through a corner"}

_CODE = (
    "Trace(tail, head):",
    "  cell ← cell of tail",
    "  t_row, t_col ← t of the next row and column",
    "  while cell ≠ cell of head:",
    "    if t_row < t_col:",
    "      to the next row; t_row ← t_row + Δ_row",
    "    else if t_col < t_row:",
    "      to the next column; t_col ← t_col + Δ_col",
    "    else: both, through the corner",
    "  return the cells",
)
_STEPS = {0: (5, 6), 1: (7, 8), 2: (9,)}
"""The lines of the pseudocode that are highlighted for a step, by the border that the step crosses."""


def digits(one: float, other: float) -> tuple[str, str]:
    """Returns two numbers as text, with at least three decimals, and more if they would look equal but are not.

    Infinity is written as ``∞``.

    * ``one``: a number of at least 0, which may be infinite.
    * ``other``: another such number.

    >>> digits(0.25, 1 / 6)
    ('0.250', '0.167')
    >>> digits(0.30000000000000004, 0.3)
    ('0.30000000000000004', '0.29999999999999999')
    >>> digits(0.5, math.inf)
    ('0.500', '∞')
    """
    for places in range(3, 21):
        shown = tuple("∞" if math.isinf(value) else f"{value:.{places}f}" for value in (one, other))
        if one == other or shown[0] != shown[1]:
            break
    return shown[0], shown[1]


def ends_early(cells: npt.NDArray[np.int32], tail: Any, head: Any, method: str, tolerance: float, **more: Any) -> bool:
    """Returns whether the tolerance ends a line before the head.

    * ``cells``: the cells of the line, ``(n, 2)``.
    * ``tail``, ``head``: its ends.
    * ``method``: the method that found the cells.
    * ``tolerance``: the tolerance with which the cells were found.
    * ``more``: the other options with which they were found, ``origin`` and ``transform``.

    >>> ends_early(np.array([[1, 1], [2, 2]]), (0.9, 0.9), (2.7, 2.1), "amanatides-woo-float", 1.0)
    True
    """
    from ... import tracing

    return bool(tolerance) and bool((tracing.trace(tail, head, method, **more)[-1] != cells[-1]).any())


def line(
    tail: Any,
    head: Any,
    method: str = "amanatides-woo",
    *,
    tolerance: float = 0.0,
    origin: str = "center",
    transform: Any = None,
    own: Any = None,
    theme: str | Theme | None = None,
    seconds: float | None = None,
    progress: Any = None,
) -> Animation:
    """Shows a line being traced, with the two numbers that decide each step: ``t_max`` of row and column.

    Each frame outlines a cell. The bar below the grid is the segment, with t from 0 to 1 and a mark at each ``t_max``,
    where the line reaches the next row or column. The border with the smaller t is crossed next, as the caption says;
    with ``"amanatides-woo-float"``, the caption gives the distances from the tail, the ``t_max`` of `trace_steps`.

    * ``tail``, ``head``: two points ``(row, col)`` in cells, or ``(x, y)`` with a ``transform``, ints or floats, less
      than 200 rows and 200 columns apart; ``ValueError`` otherwise.
    * ``method``: ``"amanatides-woo"`` (the default) or ``"amanatides-woo-float"``; ``ValueError`` for any other.
    * ``tolerance``: between 0 (the default) and 1 cell: crossings at most this far apart are treated as a corner. For
      ``"amanatides-woo-float"`` only.
    * ``origin``: ``"center"`` (the default) if whole numbers are centers of cells, ``"corner"`` if they are corners.
      Not used with a ``transform``.
    * ``transform``: six numbers that map cells to the coordinates of the ends, as in `gridwright.tracing`; ``None``
      (the default) for ends in cells.
    * ``own``: the reader's own cells, shown beside the correct ones: ``(k, 2)`` integers in the order visited. A wrong
      cell within the picture is marked with a cross. ``None`` (the default) shows the tracing alone.
    * ``theme``: ``"light"``, ``"dark"`` or a ``Theme``. ``None`` (the default) is the theme of ``draw.use_theme`` or,
      if none is set, that of the page that shows the film.
    * ``seconds``: the time per frame in seconds, 0.01 to 60; 0.8 if it is ``None`` (the default).
    * ``progress``: a callable that receives the number of frames drawn, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    >>> line((0, 0), (2, 3)).captions[0]
    'in (0, 0): t_max row 0.250, column 0.167; next over a column border to (0, 1)'
    >>> line((0, 0), (2, 3), own=[(0, 0), (1, 1)]).captions[1]
    'yours: (1, 1), incorrect; correct: (0, 1)'
    """
    from ... import tracing

    found, seconds = film_theme(theme), 0.8 if seconds is None else seconds
    options: dict[str, Any] = {"tolerance": tolerance, "origin": origin, "transform": transform}
    # Tracing a line of one cell raises an error for invalid options before `_ends` uses them.
    tracing.trace_steps(tail, tail, method, **options)
    ends = _ends(tail, head, tolerance, origin, transform)
    steps = tracing.trace_steps(tail, head, method, **options)
    cells = np.stack([steps["row"], steps["col"]], axis=1)
    early = ends_early(cells, tail, head, method, tolerance, origin=origin, transform=transform)
    last = "the tolerance ends the line before the head" if early else "the head is reached"
    # With a large tolerance the traversal may stop before the head, but the picture includes the head. Rounding puts an
    # end that float errors have moved off a border back onto it, so that the end adds no empty row or column.
    near = np.round(ends, 9)
    low = np.minimum(cells.min(axis=0), np.floor(near.min(axis=0)).astype(int))
    high = np.maximum(cells.max(axis=0), np.ceil(near.max(axis=0)).astype(int) - 1)
    rows, cols = (int(part) + 1 for part in high - low)
    size = max(6.0, min(48.0, 640 / max(rows, cols)))
    wide = max(cols * size, 420.0)
    grid = Cells(20 + (wide - cols * size) / 2, 20, size, (rows, cols))
    # The float method returns lengths as t_max; divided by the length of the segment, they are positions on the bar.
    whole = (float(np.hypot(*(ends[1] - ends[0]))) or 1.0) if method.endswith("-float") else 1.0
    segment = [grid.point(row, col) for row, col in ends - low]
    colors = {-1: found.tile, 0: found.sky, 1: found.yellow, 2: found.purple}
    ground = _ground(grid)
    if own is not None:
        pairs = matrix("own", own, "iu", (2,), "integers of shape (k, 2)")
        if pairs.shape[1] != 2:
            raise ValueError(f"own must be integers of shape (k, 2), got shape {pairs.shape}")
        answer = pairs.tolist()
        counts = ProgressReporter(progress).each(range(1, max(len(answer), len(cells)) + 1))
        compared = [_compared(found, grid, (answer, cells.tolist()), low.tolist(), segment, n) for n in counts]
        return Animation(
            [one for one, _ in compared],
            [words for _, words in compared],
            seconds=seconds,
            title="A line on the grid",
        )
    crossed: list[str] = []
    frames, captions = [], []
    numbers = zip(*(steps[name].tolist() for name in ("t_max_row", "t_max_col", "axis")), strict=True)
    for index, (t_row, t_col, axis) in ProgressReporter(progress).each(enumerate(numbers)):
        row, col = (cells[index] - low).tolist()
        x, y = grid.center(row, col)
        edge = number(size - 2)
        box = f'x="{number(x - size / 2 + 1)}" y="{number(y - size / 2 + 1)}" width="{edge}" height="{edge}"'
        # Crossed cells stay visible: each frame repeats the elements of earlier frames, which the film stores once.
        crossed.append(f'<rect {box} fill="{colors[axis]}" fill-opacity="0.75"/>')
        out = Picture(
            wide + 40,
            rows * size + 40 + 54,
            found,
            title="A line on the grid",
            description=f"{index + 1} of {counted(len(cells), 'cell')} crossed.",
        )
        out.path(ground, fill=found.tile_soft, stroke=found.tile_edge, stroke_width=0.6)
        out.parts += crossed
        out.polygon(grid.outline(row, col, 0.03), fill="none", stroke=found.red, stroke_width=3)
        _segment(out, segment)
        _bar(out, wide, rows * size + 54, (t_row / whole, t_col / whole))
        frames.append(out)
        here = f"in ({cells[index][0]}, {cells[index][1]})"
        if index + 1 == len(cells):
            captions.append(f"{here}: {last}, {counted(len(cells), 'cell')} in all")
            continue
        shown = digits(t_row, t_col)
        way, to = _WAYS[int(steps["axis"][index + 1])], cells[index + 1]
        captions.append(f"{here}: t_max row {shown[0]}, column {shown[1]}; next {way} to ({to[0]}, {to[1]})")
    title = f"A line of {counted(len(cells), 'cell')}, {method}"
    # A frame shows the current cell and highlights the lines of the step that follows.
    following = [int(axis) for axis in steps["axis"][1:]]
    lines = [(2, 3, *_STEPS[axis]) if at == 0 else _STEPS[axis] for at, axis in enumerate(following)]
    film = Animation(frames, captions, seconds=seconds, title=title, code=_CODE, lines=[*lines, (4, 10)])

    def asked() -> tuple[list[Place], list[Step]]:
        places = [
            Place(f"cell ({row + low[0]}, {col + low[1]})", outline(grid.outline(row, col)))
            for row in range(rows)
            for col in range(cols)
        ]
        at = [int(row) * cols + int(col) for row, col in cells - low]
        steps = []
        for index, words in enumerate(captions):
            question = "Which cell does the line enter next?" if index + 1 < len(at) else ""
            # The end of the caption and the highlighted lines give the next step away, so the quiz leaves both out.
            steps.append(Step(frames[index], words.partition("; next")[0], (4,), at[index + 1 : index + 2], question))
        return places, steps

    return asking(film, asked)


def _ends(tail: Any, head: Any, tolerance: float, origin: str, transform: Any) -> npt.NDArray[np.float64]:
    """Returns the two ends as (row, col), measured in cells from the top left corner of cell (0, 0)."""
    segment = one_segment(tail, head, in_cells=transform is None)
    segments = Segments(segment, "amanatides-woo", tolerance, origin, transform)
    if segments.rank != 2:
        raise ValueError(f"tail and head must be two points (row, col), got {shown(tail)} and {shown(head)}")
    ends = segments.floats.reshape(2, 2)
    if segments.transform is not None:
        a, b, c, d, e, f = segments.transform
        ends = np.linalg.solve([[a, b], [d, e]], (ends - [c, f]).T).T[:, ::-1]
    elif not segments.corner:
        ends = ends + 0.5
    apart = float(np.abs(ends[1] - ends[0]).max())
    if apart >= _MAX_CELLS:
        raise ValueError(f"head must be less than {_MAX_CELLS} cells from tail, got {apart:.15g}")
    return ends


def _named(cells: list[list[int]], at: int) -> str:
    return f"({cells[at][0]}, {cells[at][1]})" if at < len(cells) else "no cell"


def _compared(
    theme: Theme, grid: Cells, both: tuple[list[list[int]], ...], low: list[int], segment: list[_Point], count: int
) -> tuple[Picture, str]:
    """Returns a picture of the first cells of the reader's answer beside the correct ones, and a caption."""
    own, right = both
    pictures = [_visited(theme, grid, cells[:count], right, low, segment) for cells in both]
    mine, correct = (_named(cells, count - 1) for cells in both)
    trouble = ", incorrect" if count <= len(own) and mine != correct else ""
    return beside(*pictures), f"yours: {mine}{trouble}; correct: {correct}"


def _visited(
    theme: Theme, grid: Cells, cells: list[list[int]], right: list[list[int]], low: list[int], segment: list[_Point]
) -> Picture:
    """Draws the cells of an answer; a wrong cell is marked with a cross."""
    wide, high = grid.extent
    wrong = [at for at, cell in enumerate(cells) if at >= len(right) or cell != right[at]]
    words = f"{counted(len(cells), 'cell')}, {len(wrong)} incorrect."
    out = Picture(wide + 2 * grid.x, high + 2 * grid.y, theme, title="A line on the grid", description=words)
    out.path(_ground(grid), fill=theme.tile_soft, stroke=theme.tile_edge, stroke_width=0.6)
    for at, cell in enumerate(cells):
        row, col = (part - least for part, least in zip(cell, low, strict=True))
        if 0 <= row < grid.shape[0] and 0 <= col < grid.shape[1]:
            out.polygon(grid.outline(row, col, 0.03), fill=theme.orange if at in wrong else theme.sky)
            if at in wrong:
                a, b, c, d = grid.outline(row, col, 0.25)
                for one, other in ((a, c), (b, d)):
                    out.line(*one, *other, stroke=theme.ink, stroke_width=2)
    _segment(out, segment)
    return out


def _ground(grid: Cells) -> str:
    """Returns the commands of one path that draws the grid."""
    rows, cols = grid.shape
    wide, high = (number(part) for part in grid.extent)
    d = f"M{number(grid.x)} {number(grid.y)}h{wide}v{high}h-{wide}z"
    d += "".join(f"M{number(grid.x)} {number(grid.y + k * grid.size)}h{wide}" for k in range(1, rows))
    return d + "".join(f"M{number(grid.x + k * grid.size)} {number(grid.y)}v{high}" for k in range(1, cols))


def _segment(out: Picture, ends: list[_Point]) -> None:
    (x1, y1), (x2, y2) = ends
    out.line(x1, y1, x2, y2, stroke=out.theme.ink, stroke_width=2)
    out.circle(x1, y1, 4, fill=out.theme.ink)
    out.circle(x2, y2, 4, fill=out.theme.page, stroke=out.theme.ink, stroke_width=1.5)


def _bar(out: Picture, wide: float, y: float, t_max: tuple[float, float]) -> None:
    """Draws the segment from t = 0 to 1, with marks at those ``t_max`` of the outlined cell that are at most 1."""
    theme = out.theme
    start, long = 54.0, wide - 50
    out.line(start, y, start + long, y, stroke=theme.ink, stroke_width=2)
    for at in (start, start + long):
        out.line(at, y - 5, at, y + 5, stroke=theme.ink, stroke_width=2)
    out.text(start - 8, y, "t = 0", size=11, fill=theme.ink, text_anchor="end")
    out.text(start + long + 8, y, "1", size=11, fill=theme.ink, text_anchor="start")
    for t, words, color, side in ((t_max[0], "row", theme.blue, -1), (t_max[1], "column", theme.orange, 1)):
        if t <= 1:
            out.circle(start + t * long, y, 5, fill=color, stroke=theme.ink, stroke_width=1)
            out.text(start + t * long, y + 15 * side, words, size=11, fill=theme.ink)
