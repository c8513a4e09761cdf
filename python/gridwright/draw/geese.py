"""The picture of GeeseSpotter: hidden fields as raised tiles, geese at the end, chances as a heat map."""

from __future__ import annotations

from itertools import chain, pairwise
from typing import Any

from ..geese import Field
from ..status import Status
from .svg import Picture, number
from .theme import Theme

__all__ = ["caption", "glyphs", "picture"]

# By value; red, blue and the like are told apart by the digit first.
_ROLES = ("muted", "blue", "green", "red", "purple", "orange", "sky", "ink", "ink")


def glyphs(game: Any) -> list[list[tuple[str, str]]]:
    """Rows as the source prints them: ``*`` hidden, ``M`` marked, otherwise the value."""
    rows = []
    for row in game.view.tolist():
        signs = [sign.decode() for sign in row]
        rows.append(
            [(sign, "red" if sign in "M9" else "muted" if sign == "*" else _ROLES[int(sign)]) for sign in signs]
        )
    return rows


def caption(game: Any, move: Any) -> str:
    """Says what is done to which field."""
    action, row, col = (int(part) for part in move)
    return f"{('show', 'mark')[action]} ({row}, {col})"


def _describe(game: Any) -> str:
    board = game.board
    hidden = int(game.hidden.sum())
    marked = int(((board & Field.MARKED) != 0).sum())
    text = f"{hidden} of {board.size} fields are hidden, {marked} of them marked; there are {game.geese} geese."
    return text + {Status.WON: " Won.", Status.LOST: " Lost: a goose was shown."}.get(game.status, "")


def picture(
    game: Any, theme: Theme, size: float, *, chances: bool = False, explanation: Any = None, axes: bool = True
) -> Picture:
    """Draws the fields; ``chances=True`` tints hidden ones by their chance of a goose and writes it in per cent.

    ``explanation`` (of ``GeeseSpotter.explain``) rings its field, its numbers and the fields that they speak of.
    """
    height, width = game.shape
    pad = size * 0.75 if axes else size * 0.4
    out = Picture(
        width * size + 2 * pad,
        height * size + 2 * pad,
        theme,
        title=f"GeeseSpotter, {height} rows and {width} columns, {game.geese} geese",
        description=_describe(game),
        corner=size / 4,
    )
    over = game.status != Status.OPEN
    fields = (game.secret if over else game.board).tolist()
    heat = game.probabilities().tolist() if chances and not over else None
    # A field without a chance is told once and referred to: a large board takes an eighth of the bytes.
    names = {field: f"{theme.name[0]}{number(size)}-{field}{'e' * over}" for field in sorted(set(chain(*fields)))}
    for field, name in names.items():
        if heat is None or not field & Field.HIDDEN:
            out.add(f'<defs><g id="{name}">{_look(theme, size, field, over)}</g></defs>')
    for row in range(height):
        for col in range(width):
            field, x, y = fields[row][col], pad + col * size, pad + row * size
            if heat and field & Field.HIDDEN:
                _field(out, x, y, size, field, over, heat[row][col])
            else:
                out.shape("use", href=f"#{names[field]}", x=x, y=y)
    if axes:
        step = 1 if size >= 14 else 5
        for col in range(0, width, step):
            out.text(pad + (col + 0.5) * size, pad * 0.55, str(col), size=size * 0.3, fill=theme.muted)
        for row in range(0, height, step):
            out.text(pad * 0.55, pad + (row + 0.5) * size, str(row), size=size * 0.3, fill=theme.muted)
    if explanation is not None:
        _explain(out, explanation, pad, size)
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
            out.rect(*box, rx=size * 0.06, fill=theme.red, fill_opacity=0.35)
            _goose(out, x, y, size)
        elif value:
            out.text(*middle, str(value), size=size * 0.56, fill=getattr(theme, _ROLES[value]), font_weight="bold")
        else:
            out.circle(*middle, size * 0.05, fill=theme.muted)
        return
    out.rect(*box, rx=size * 0.12, fill=theme.tile, stroke=theme.tile_edge, stroke_width=size * 0.04)
    # Light on the upper left edge: a tile that can be lifted.
    shine = {"stroke": "#ffffff", "stroke_opacity": 0.35 if theme.name == "light" else 0.15}
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
        out.rect(*box, rx=size * 0.12, fill=_heat(theme, chance), fill_opacity=0.75)
        # White on red, dark on yellow; the green of a dark page is bright.
        colour = "#ffffff" if chance > 0.55 else theme.page if chance == 0 else "#12202e"
        shown = "0" if chance == 0 else "100" if chance == 1 else f"{100 * chance:.0f}" if chance >= 0.01 else "<1"
        shown = ">99" if shown == "100" and chance < 1 else shown
        out.text(middle[0], middle[1] + (size * 0.2 if marked else 0), shown, size=size * 0.3, fill=colour)
        if marked:
            _mark(out, x + size * 0.22, y + size * 0.04, size * 0.5, wrong=False, pole_colour=colour)
    elif marked:
        _mark(out, x, y, size, wrong=False)


def _heat(theme: Theme, chance: float) -> str:
    """Green for certainly free, then from pale yellow over orange to red; the number is written too."""
    if chance == 0:
        return theme.green
    stops = ((0.0, "#fff3b0"), (0.35, "#f2b134"), (1.0, "#b3261e"))
    for (low, first), (high, second) in pairwise(stops):
        if chance <= high:
            share = (chance - low) / (high - low)
            parts = [
                round(int(first[k : k + 2], 16) * (1 - share) + int(second[k : k + 2], 16) * share) for k in (1, 3, 5)
            ]
            return "#" + "".join(f"{part:02x}" for part in parts)
    return stops[-1][1]


def _mark(out: Picture, x: float, y: float, size: float, *, wrong: bool, pole_colour: str | None = None) -> None:
    """A flag on a pole; crossed out where the end shows that there was no goose."""
    theme = out.theme
    pole = x + size * 0.36
    style = {"stroke": pole_colour or theme.ink, "stroke_width": size * 0.07, "stroke_linecap": "round"}
    out.line(pole, y + size * 0.2, pole, y + size * 0.8, **style)
    out.polygon(
        [(pole, y + size * 0.2), (pole + size * 0.38, y + size * 0.34), (pole, y + size * 0.5)],
        fill=theme.red,
        stroke=theme.red,
        stroke_width=size * 0.03,
        stroke_linejoin="round",
    )
    if wrong:
        across = {"stroke": theme.ink, "stroke_width": size * 0.09, "stroke_linecap": "round"}
        out.line(x + size * 0.2, y + size * 0.2, x + size * 0.8, y + size * 0.8, **across)
        out.line(x + size * 0.2, y + size * 0.8, x + size * 0.8, y + size * 0.2, **across)


def _goose(out: Picture, x: float, y: float, size: float) -> None:
    """A goose from the side: body, wing, neck, black head with a white cheek, feet."""
    theme = out.theme
    out.begin(transform=f"translate({x:.2f} {y:.2f}) scale({size / 100:.4f})")
    line = theme.ink if theme.name == "light" else "#12161c"
    for foot in (46, 58):
        out.path(f"M {foot} 72 V 84 H {foot - 7}", fill="none", stroke=theme.orange, stroke_width=5)
    out.path(
        "M 28 52 C 38 44 56 44 70 50 L 88 44 L 82 62 C 74 76 46 80 34 70 C 27 64 25 58 28 52 Z",
        fill="#9a7b5f",
        stroke=line,
        stroke_width=3,
        stroke_linejoin="round",
    )
    out.path("M 44 54 C 54 50 66 54 74 60 C 62 68 50 68 44 54 Z", fill="#735943")
    if theme.name == "dark":
        # A dark neck on a dark ground is seen by its edge.
        out.path(
            "M 31 56 C 24 46 27 34 30 27", fill="none", stroke=theme.muted, stroke_width=17, stroke_linecap="round"
        )
        out.circle(30, 23, 12, fill=theme.muted)
    out.path("M 31 58 C 24 46 27 34 30 27", fill="none", stroke=line, stroke_width=11, stroke_linecap="round")
    out.circle(30, 23, 9, fill=line)
    out.path("M 23 20 L 10 25 L 23 28 Z", fill=theme.orange)
    out.path("M 30 22 C 36 22 37 28 33 31 C 29 30 28 26 30 22 Z", fill="#ffffff")
    out.circle(26.5, 21, 1.6, fill="#ffffff")
    out.end()


def _explain(out: Picture, explanation: Any, pad: float, size: float) -> None:
    theme = out.theme

    def ring(cell: tuple[int, int], inset: float, **style: Any) -> None:
        x, y = pad + cell[1] * size + inset * size, pad + cell[0] * size + inset * size
        side = size * (1 - 2 * inset)
        out.rect(x, y, side, side, rx=size * 0.14, fill="none", **style)

    spoken = sorted({cell for one in explanation.numbers for cell in one.hidden})
    for cell in spoken:
        ring(cell, 0.1, stroke=theme.blue, stroke_width=size * 0.05, stroke_dasharray=f"{size * 0.1:.1f}")
    for one in explanation.numbers:
        ring(one.cell, 0.05, stroke=theme.blue, stroke_width=size * 0.09)
    colour = {"safe": theme.green, "goose": theme.red, "best guess": theme.green}.get(explanation.verdict, theme.orange)
    ring(explanation.cell, 0.02, stroke=colour, stroke_width=size * 0.13)
