"""The picture of GeeseSpotter: hidden fields as raised tiles, geese at the end, chances as a heat map."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from ..geese import Field
from ..status import Status
from ..words import counted
from .bitmap import Pixels, rgb, sprites
from .svg import Picture, number
from .theme import Theme

__all__ = ["caption", "glyphs", "ground", "legend", "paint", "picture"]

# Colors of the numbers in a terminal; the digit itself tells them apart.
_ROLES = ("muted", "blue", "green", "red", "purple", "orange", "sky", "ink", "ink")


def glyphs(game: Any) -> list[list[tuple[str, str]]]:
    """Returns the fields as the source document prints them: ``*`` hidden, ``M`` marked, otherwise the value."""
    rows = []
    for row in game.view.tolist():
        roles = ["red" if sign in "M9" else "muted" if sign == "*" else _ROLES[int(sign)] for sign in row]
        rows.append(list(zip(row, roles, strict=True)))
    return rows


def ground(game: Any) -> list[list[str]]:
    """Returns the role of each cell's ground: raised while it is hidden."""
    return [["tile" if hidden else "hollow" for hidden in row] for row in game.hidden.tolist()]


# The digits 1 to 8, three pixels wide and five high, a bit per pixel from the top left.
_DIGITS = (
    *(0b010110010010111, 0b111001111100111, 0b111001111001111, 0b101101111001001),
    *(0b111100111001111, 0b111100111101111, 0b111001001001001, 0b111101111101111),
)


def paint(game: Any, theme: Theme, side: int) -> Pixels:
    """Returns the board as pixels, ``side`` per cell; numbers are written if there is room for them."""
    over = game.status != Status.OPEN

    def draw(code: int, out: Pixels) -> None:
        hidden, value = bool(code & Field.HIDDEN), code & 15
        out[:] = rgb(theme.tile if hidden else theme.hollow)
        if side >= 4:
            out[-1], out[:, -1] = rgb(theme.tile_edge if hidden else theme.faint), rgb(theme.faint)
        inner = slice(side // 4, max(1, side - side // 4))
        if value == Field.GOOSE and (over or not hidden):
            out[inner, inner] = rgb(theme.goose_line if hidden else theme.flag)
        elif code & Field.MARKED:
            out[inner, inner] = rgb(theme.flag)
        elif value and not hidden:
            if side >= 7:
                bits = [_DIGITS[value - 1] >> k & 1 for k in range(14, -1, -1)]
                glyph = np.array(bits, dtype=bool).reshape(5, 3)
                out[1:6, 2:5][glyph] = rgb(theme.digits[value - 1])
            else:
                out[inner, inner] = rgb(theme.digits[value - 1])

    return sprites(game.secret if over else game.board, draw, side)


def legend(game: Any) -> list[tuple[str, str]]:
    """Returns the signs of the plain picture with their meanings."""
    return [("*", "hidden"), ("M", "marked"), ("1", "shown: how many neighbors are geese"), ("9", "a goose")]


def caption(game: Any, move: Any) -> str:
    """Returns in words what is done to which field."""
    action, row, col = (int(part) for part in move)
    return f"{('show', 'mark')[action]} ({row}, {col})"


def _describe(game: Any) -> str:
    board = game.board
    hidden = int(game.hidden.sum())
    marked = int(((board & Field.MARKED) != 0).sum())
    text = f"{hidden:,} of {counted(board.size, 'field')} are hidden, {marked:,} of them marked; "
    text += f"there {'is' if game.geese == 1 else 'are'} {counted(game.geese, 'goose', 'geese')}."
    return text + {Status.WON: " Won.", Status.LOST: " Lost: a goose was shown."}.get(game.status, "")


def picture(
    game: Any,
    theme: Theme,
    size: float,
    *,
    chances: bool = False,
    axes: bool = True,
) -> Picture:
    """Draws the fields.

    ``chances`` tints hidden fields by their chance of a goose and writes it in per cent. ``axes`` numbers rows and
    columns.
    """
    height, width = game.shape
    pad = max(size * 0.75, 20.0) if axes else size * 0.4
    out = Picture(
        width * size + 2 * pad,
        height * size + 2 * pad,
        theme,
        title=f"GeeseSpotter, {height} rows and {width} columns, {counted(game.geese, 'goose', 'geese')}",
        description=_describe(game),
        corner=size / 4,
    )
    out.grid(pad, pad, size, game.shape)
    if axes:
        out.axes()
    over = game.status != Status.OPEN
    fields = (game.secret if over else game.board).tolist()
    heat = game.probabilities().tolist() if chances and not over else None
    # A field without a chance is defined once and referred to: a large board takes an eighth of the bytes.
    names = {field: f"{theme.name[0]}{number(size)}-{field}{'e' * over}" for field in sorted(set(chain(*fields)))}
    with out.piece("looks"):
        for field, name in names.items():
            if heat is None or not field & Field.HIDDEN:
                out.add(f'<defs><g id="{name}">{_look(theme, size, field, over)}</g></defs>')
    lefts = [number(pad + col * size) for col in range(width)]
    for row in range(height):
        top = number(pad + row * size)
        for col, field in enumerate(fields[row]):
            if heat and field & Field.HIDDEN:
                with out.piece(f"c{row}-{col}"):
                    _field(out, pad + col * size, pad + row * size, size, field, over, heat[row][col])
            else:
                use = f'<use data-id="c{row}-{col}" href="#{names[field]}" x="{lefts[col]}" y="{top}"/>'
                out.put(f"c{row}-{col}", use)
    return out


def _look(theme: Theme, size: float, field: int, over: bool) -> str:
    """A field at the origin."""
    alone = Picture(size, size, theme, title="", description="")
    alone.parts.clear()
    _field(alone, 0, 0, size, field, over, None)
    return "".join(alone.parts)


def _field(out: Picture, x: float, y: float, size: float, field: int, over: bool, chance: float | None) -> None:
    theme = out.theme
    gap = size * 0.03
    box = (x + gap, y + gap, size - 2 * gap, size - 2 * gap)
    middle = (x + size / 2, y + size / 2)
    hidden, marked, value = bool(field & Field.HIDDEN), bool(field & Field.MARKED), field & 15
    if not hidden:
        out.rect(*box, rx=size * 0.06, fill=theme.hollow, stroke=theme.tile_edge, stroke_width=size * 0.02)
        if value == Field.GOOSE:
            out.rect(*box, rx=size * 0.06, fill=theme.alarm)
            _goose(out, x, y, size)
        elif value:
            out.text(*middle, str(value), size=size * 0.56, fill=theme.digits[value - 1], font_weight="bold")
        else:
            out.circle(*middle, size * 0.075, fill=theme.muted)
        return
    out.rect(*box, rx=size * 0.12, fill=theme.tile, stroke=theme.tile_edge, stroke_width=size * 0.04)
    # Light on the upper left edge: a tile that can be lifted.
    shine = {"stroke": theme.shine}
    out.path(
        f"M {x + size * 0.12:.2f} {y + size * 0.84:.2f} V {y + size * 0.12:.2f} H {x + size * 0.84:.2f}",
        fill="none",
        stroke_width=size * 0.05,
        stroke_linecap="round",
        **shine,
    )
    if over:
        # The end shows all: what was right, what was wrong.
        if value == Field.GOOSE:
            _goose(out, x, y, size)
        elif value:
            out.text(*middle, str(value), size=size * 0.5, fill=theme.muted)
        if marked:
            _mark(out, x, y, size * 0.55, wrong=value != Field.GOOSE)
        return
    if chance is not None:
        ground = theme.sure if chance == 0 else theme.heat(chance)
        out.rect(*box, rx=size * 0.12, fill=ground)
        color = theme.letters_on(ground)
        shown = "0" if chance == 0 else "100" if chance == 1 else f"{100 * chance:.0f}" if chance >= 0.01 else "<1"
        shown = ">99" if shown == "100" and chance < 1 else shown
        out.text(middle[0], middle[1] + (size * 0.2 if marked else 0), shown, size=size * 0.3, fill=color)
        if chance == 0:
            # A tick: what is certainly free differs from a small chance in shape too.
            d = f"M{number(x + size * 0.68)} {number(y + size * 0.2)}l{number(size * 0.07)} {number(size * 0.08)}"
            d += f"l{number(size * 0.12)} {number(-size * 0.15)}"
            out.path(d, fill="none", stroke=color, stroke_width=size * 0.05, stroke_linecap="round")
        if marked:
            _mark(out, x + size * 0.22, y + size * 0.04, size * 0.5, wrong=False, color=color)
    elif marked:
        _mark(out, x, y, size, wrong=False)


def _mark(out: Picture, x: float, y: float, size: float, *, wrong: bool, color: str | None = None) -> None:
    """A flag on a pole in ``color``; crossed out if the end shows that there was no goose."""
    theme = out.theme
    pole = x + size * 0.36
    style = {"stroke": color or theme.ink, "stroke_width": size * 0.07, "stroke_linecap": "round"}
    out.line(pole, y + size * 0.2, pole, y + size * 0.8, **style)
    cloth = [(pole, y + size * 0.2), (pole + size * 0.38, y + size * 0.34), (pole, y + size * 0.5)]
    edge = {"stroke": color or theme.flag, "stroke_width": size * 0.03, "stroke_linejoin": "round"}
    out.polygon(cloth, fill=theme.flag, **edge)
    if wrong:
        across = {"stroke": theme.ink, "stroke_width": size * 0.09, "stroke_linecap": "round"}
        out.line(x + size * 0.2, y + size * 0.2, x + size * 0.8, y + size * 0.8, **across)
        out.line(x + size * 0.2, y + size * 0.8, x + size * 0.8, y + size * 0.2, **across)


def _goose(out: Picture, x: float, y: float, size: float) -> None:
    """A goose from the side: body, wing, neck, dark head with a pale cheek, feet."""
    theme = out.theme
    out.begin(transform=f"translate({x:.2f} {y:.2f}) scale({size / 100:.4f})")
    round_: dict[str, Any] = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    neck, body = (
        "M 31 58 C 24 46 27 34 30 27",
        ("M 28 52 C 38 44 56 44 70 50 L 88 44 L 82 62 C 74 76 46 80 34 70 C 27 64 25 58 28 52 Z"),
    )
    # A halo first: on a ground as dark as the goose its outline is visible all the same.
    out.path(neck, fill="none", stroke=theme.goose_halo, stroke_width=17, **round_)
    out.circle(30, 23, 12, fill=theme.goose_halo)
    out.path(body, fill=theme.goose_halo, stroke=theme.goose_halo, stroke_width=8, **round_)
    for foot in (46, 58):
        out.path(f"M {foot} 72 V 84 H {foot - 7}", fill="none", stroke=theme.goose_bill, stroke_width=5)
    out.path(body, fill=theme.goose_body, stroke=theme.goose_line, stroke_width=3, **round_)
    out.path("M 44 54 C 54 50 66 54 74 60 C 62 68 50 68 44 54 Z", fill=theme.goose_wing)
    out.path(neck, fill="none", stroke=theme.goose_line, stroke_width=11, **round_)
    out.circle(30, 23, 9, fill=theme.goose_line)
    out.path("M 23 20 L 10 25 L 23 28 Z", fill=theme.goose_bill)
    out.path("M 30 22 C 36 22 37 28 33 31 C 29 30 28 26 30 22 Z", fill=theme.goose_cheek)
    out.circle(26.5, 21, 1.6, fill=theme.goose_cheek)
    out.end()
