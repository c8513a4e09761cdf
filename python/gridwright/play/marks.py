"""The marks drawn over a board, one kind for each role of `Controls.marks`, and the labels of its cells."""

from __future__ import annotations

import math
from typing import Any

from ..controls import Cell, Controls
from ..draw import Picture, theme
from ..draw.svg import number

__all__ = ["layer", "page_colors"]


def layer(controls: Controls, drawn: Picture) -> str:
    """Returns the elements to draw on top of a picture, as SVG text.

    Most marks have a light and a dark line, so that they are visible on any background.

    * ``controls``: the controls of the game.
    * ``drawn``: the picture on which the marks are drawn.
    """
    handles = controls.handles()
    assert drawn.cells is not None
    out = Picture(drawn.width, drawn.height, drawn.theme, title="", description="")
    out.parts.clear()
    out.cells = drawn.cells
    height, width = drawn.cells.shape
    if len(handles) == height * width:
        out.rect(0, 0, drawn.width, drawn.height, fill="none", class_="grab")
    else:
        # In three dimensions, a piece is drawn above the cell on which it stands.
        levels = (0, 1, 2) if drawn.cells.lift else (0,)
        for cell in handles:
            for level in levels:
                corners = [(x, y - level * drawn.cells.lift) for x, y in out.outline(*cell)]
                out.polygon(corners, fill="none", class_="grab")
    marks = controls.marks()
    for role, mark in _MARKS.items():
        cells = marks.get(role, ())
        if cells:
            mark(out, cells)
    size = drawn.cells.size
    for (row, col), text in controls.labels().items():
        x, y = _middle(out, (row, col))
        look: dict[str, Any] = {"fill": out.theme.ink, "stroke": out.theme.page, "stroke_width": size * 0.08}
        out.text(x, y + size * 0.24, text, size=size * 0.32, font_weight="bold", paint_order="stroke", **look)
    return "".join(out.parts)


def _middle(out: Picture, cell: Cell) -> tuple[float, float]:
    corners = out.outline(*cell)
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def _size(out: Picture) -> float:
    assert out.cells is not None
    return out.cells.size


def _rings(out: Picture, cells: tuple[Cell, ...], inset: float, wide: float, color: str, **look: Any) -> None:
    """Outlines each cell in a color, with a thin line along the inside in the color of the ink or the page."""
    size = _size(out)
    for cell in cells:
        edge = out.theme.page if color == out.theme.ink else out.theme.ink
        out.polygon(out.outline(*cell, inset), fill="none", stroke=color, stroke_width=size * wide, **look)
        within = inset + wide * 0.65
        out.polygon(out.outline(*cell, within), fill="none", stroke=edge, stroke_width=size * 0.03)


def _cursor(out: Picture, cells: tuple[Cell, ...]) -> None:
    # Two rings of the same width: one of them stands out on any background, even within the ring of a hint. They are
    # open in the middle of each side, so that a wire across it stays visible.
    for cell in cells:
        for inset, color in ((0.12, out.theme.ink), (0.18, out.theme.page)):
            corners = out.outline(*cell, inset)
            angles = zip([corners[-1], *corners[:-1]], corners, [*corners[1:], corners[0]], strict=True)
            path = "".join(
                f"M{_between(at, before)}L{number(at[0])} {number(at[1])}L{_between(at, after)}"
                for before, at, after in angles
            )
            out.path(path, fill="none", stroke=color, stroke_width=_size(out) * 0.065, class_="cursor")


def _between(corner: tuple[float, float], other: tuple[float, float]) -> str:
    """Returns the point three tenths of the way from one corner to another, as SVG text."""
    return " ".join(number(one + 0.3 * (there - one)) for one, there in zip(corner, other, strict=True))


def _selected(out: Picture, cells: tuple[Cell, ...]) -> None:
    _rings(out, cells, 0.04, 0.1, out.theme.blue)


def _hint(out: Picture, cells: tuple[Cell, ...]) -> None:
    _rings(out, cells, 0.02, 0.09, out.theme.orange)


def _because(out: Picture, cells: tuple[Cell, ...]) -> None:
    _rings(out, cells, 0.06, 0.08, out.theme.blue, stroke_dasharray=f"{_size(out) * 0.12:.1f}")


def _linked(out: Picture, cells: tuple[Cell, ...]) -> None:
    _rings(out, cells, 0.02, 0.12, out.theme.orange, stroke_dasharray=f"{_size(out) * 0.25:.1f}")


def _preview(out: Picture, cells: tuple[Cell, ...]) -> None:
    for cell in cells:
        out.polygon(out.outline(*cell, 0.08), fill="none", stroke=out.theme.ink, stroke_width=_size(out) * 0.05)


def _aim(out: Picture, cells: tuple[Cell, ...]) -> None:
    """Draws a dotted line with a dot at its tail."""
    _stroke(out, cells, out.theme.ink, dots=f"0 {_size(out) * 0.16:.1f}")


def _stroke(out: Picture, cells: tuple[Cell, ...], color: str, dots: str | None = None) -> None:
    """Draws a line from the middle of the first cell to that of the last one, with a dot at its tail."""
    size = _size(out)
    (x, y), (to_x, to_y) = _middle(out, cells[0]), _middle(out, cells[-1])
    for ink, wide in ((out.theme.page, 0.14), (color, 0.07)):
        look: dict[str, Any] = {"stroke": ink, "stroke_width": size * wide, "stroke_linecap": "round"}
        out.line(x, y, to_x, to_y, stroke_dasharray=dots, **look)
    if math.dist((x, y), (to_x, to_y)):
        out.circle(x, y, size * 0.13, fill=color, stroke=out.theme.page, stroke_width=size * 0.04)


def _line(out: Picture, cells: tuple[Cell, ...]) -> None:
    """Draws a line with a dot at its tail and an arrow at its head."""
    _stroke(out, cells, out.theme.orange)
    (x, y), (to_x, to_y) = _middle(out, cells[0]), _middle(out, cells[-1])
    if length := math.dist((x, y), (to_x, to_y)):
        arm = 0.2 * _size(out) / length
        dx, dy = (to_x - x) * arm, (to_y - y) * arm
        tip = [(to_x + dx, to_y + dy), (to_x - dx - dy, to_y - dy + dx), (to_x - dx + dy, to_y - dy - dx)]
        out.polygon(tip, fill=out.theme.orange, stroke=out.theme.page, stroke_width=_size(out) * 0.03)


def _clash(out: Picture, cells: tuple[Cell, ...]) -> None:
    """Draws the line that forbids another line, with a cross at its middle."""
    _stroke(out, cells, out.theme.red)
    size = _size(out)
    (x, y), (to_x, to_y) = _middle(out, cells[0]), _middle(out, cells[-1])
    x, y, arm = (x + to_x) / 2, (y + to_y) / 2, size * 0.16
    for ink, wide in ((out.theme.page, 0.2), (out.theme.red, 0.1)):
        for down in (arm, -arm):
            look: dict[str, Any] = {"stroke": ink, "stroke_width": size * wide, "stroke_linecap": "round"}
            out.line(x - arm, y - down, x + arm, y + down, **look)


def _choices(out: Picture, cells: tuple[Cell, ...]) -> None:
    """Draws a dot in each cell, all in one path, because there may be a thousand dots."""
    size = _size(out)
    dots = "".join(f"M{number(x)} {number(y)}h0" for x, y in (_middle(out, cell) for cell in cells))
    for ink, wide in ((out.theme.page, 0.26), (out.theme.ink, 0.16)):
        out.path(dots, fill="none", stroke=ink, stroke_width=size * wide, stroke_linecap="round", class_="choices")


def _locked(out: Picture, cells: tuple[Cell, ...]) -> None:
    """Draws a small padlock in the lower right of each cell."""
    size = _size(out)
    for cell in cells:
        x, y = _middle(out, cell)
        x, y = x + size * 0.26, y + size * 0.24
        arch = f"M{x - size * 0.07:.2f} {y:.2f}v{-size * 0.07:.2f}a{size * 0.07:.2f} {size * 0.07:.2f} 0 0 1 "
        arch += f"{size * 0.14:.2f} 0v{size * 0.07:.2f}"
        for color, wide in ((out.theme.page, 0.1), (out.theme.ink, 0.045)):
            out.path(arch, fill="none", stroke=color, stroke_width=size * wide)
        box = (x - size * 0.12, y - size * 0.02, size * 0.24, size * 0.18)
        out.rect(*box, rx=size * 0.03, fill=out.theme.ink, stroke=out.theme.page, stroke_width=size * 0.03)


# The functions that draw the marks, by role, in the order in which they are called.
_MARKS = {
    "linked": _linked,
    "because": _because,
    "choices": _choices,
    "preview": _preview,
    "aim": _aim,
    "clash": _clash,
    "line": _line,
    "locked": _locked,
    "hint": _hint,
    "selected": _selected,
    "cursor": _cursor,
}


def page_colors(name: str) -> dict[str, str]:
    """Returns the colors of the page around a board, by role.

    * ``name``: ``"light"`` or ``"dark"``.
    """
    found = theme(name)
    return {
        "ink": found.ink,
        "soft": found.tile_soft,
        "face": found.page,
        "edge": found.muted,
        "good": found.green,
        "bad": found.red,
        "focus": found.blue,
    }
