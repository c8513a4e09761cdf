"""The picture of GeeseSpotter: hidden fields as raised tiles, geese at the end, and chances as a heat map."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from itertools import groupby
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from ..geese import Field
from ..status import Status
from ..words import counted, dimensions, percent
from .bitmap import Pixels, sprites
from .svg import FONT, Picture, number
from .text import numbers
from .theme import Theme, rgb

__all__ = ["caption", "glyphs", "ground", "legend", "looks", "paint", "picture"]

# Colors of the numbers in a terminal, where the digits themselves tell the numbers apart.
_ROLES = ("muted", "blue", "green", "red", "purple", "orange", "sky", "ink", "ink")


def glyphs(game: Any) -> list[list[tuple[str, str]]]:
    """Returns the fields as the source document prints them: ``*`` hidden, ``M`` marked, otherwise the value.

    * ``game``: a ``GeeseSpotter``.
    """
    rows = []
    for row in game.view.tolist():
        roles = ["red" if symbol in "M9" else "muted" if symbol == "*" else _ROLES[int(symbol)] for symbol in row]
        rows.append(list(zip(row, roles, strict=True)))
    return rows


def ground(game: Any) -> list[list[str]]:
    """Returns the role of each cell's background color: ``tile`` if the field is hidden, otherwise ``hollow``.

    * ``game``: a ``GeeseSpotter``.
    """
    return [["tile" if hidden else "hollow" for hidden in row] for row in game.hidden.tolist()]


# The digits 1 to 8, three pixels wide and five high, one bit per pixel from the top left, highest bit first.
_DIGITS = (
    *(0b010110010010111, 0b111001111100111, 0b111001111001111, 0b101101111001001),
    *(0b111100111001111, 0b111100111101111, 0b111001001001001, 0b111101111101111),
)


def paint(game: Any, theme: Theme, side: int) -> Pixels:
    """Returns the board as pixels; numbers are digits if a cell is at least 7 pixels wide, and squares otherwise.

    * ``game``: a ``GeeseSpotter``.
    * ``theme``: the colors, a ``Theme``.
    * ``side``: the width of a cell in pixels, at least 1.
    """
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


def looks(game: Any) -> tuple[str, npt.NDArray[np.int64]]:
    """Returns what the margin of the flat picture depends on, and what each cell depends on, ``(H, W, k)`` int64.

    * ``game``: a ``GeeseSpotter``.
    """
    over = game.status != Status.OPEN
    codes = (game.secret if over else game.board).astype(np.int64)
    return "", codes[..., None] << 1 | over


def legend(game: Any) -> list[tuple[str, str]]:
    """Returns the symbols of the plain picture with their meanings.

    * ``game``: a ``GeeseSpotter``.
    """
    return [("*", "hidden"), ("M", "marked"), ("1", "shown: how many neighbors hold a goose"), ("9", "a goose")]


def caption(game: Any, move: Any) -> str:
    """Returns in words what is done to which field.

    * ``game``: a ``GeeseSpotter``.
    * ``move``: ``(action, row, col)``, as ``play`` takes it.
    """
    action, row, col = numbers(game, move)
    words = ("show", "mark")[action]
    if action and game.board[row, col] & Field.MARKED:
        words = "unmark"
    return f"{words} ({row}, {col})"


def _describe(game: Any) -> str:
    board = game.board
    hidden = int(game.hidden.sum())
    marked = int(((board & Field.MARKED) != 0).sum())
    text = f"{hidden:,} of {counted(board.size, 'field')} hidden, {marked:,} marked; "
    text += f"there {'is' if game.geese == 1 else 'are'} {counted(game.geese, 'goose', 'geese')}."
    return text + {Status.WON: " Won.", Status.LOST: " Lost: a goose was shown."}.get(game.status, "")


def picture(
    game: Any,
    theme: Theme,
    size: float,
    *,
    chances: bool = False,
    secret: bool = False,
    axes: bool = True,
) -> Picture:
    """Draws the fields.

    * ``game``: a ``GeeseSpotter``.
    * ``theme``: the colors, a ``Theme``.
    * ``size``: the width of a cell in pixels, 1 to 1000.
    * ``chances``: whether hidden fields show their chance of a goose, as a tint and in percent. Ignored at the end of
      a game and with ``secret``. Default ``False``.
    * ``secret``: whether all geese and numbers are shown, as at the end of a game. Default ``False``.
    * ``axes``: whether rows and columns are numbered. Default ``True``.
    """
    height, width = game.shape
    pad = max(size * 0.75, 20.0) if axes else size * 0.4
    out = Picture(
        width * size + 2 * pad,
        height * size + 2 * pad,
        theme,
        title=f"GeeseSpotter, {dimensions(height, width)}, {counted(game.geese, 'goose', 'geese')}",
        description=_describe(game),
        corner=size / 4,
    )
    out.grid(pad, pad, size, game.shape)
    if axes:
        out.axes()
    over = secret or game.status != Status.OPEN
    fields = (game.secret if over else game.board).tolist()
    heat = game.probabilities().tolist() if chances and not over else None
    # Within the group, a field is 100 units wide, so that nearly all coordinates are short.
    out.begin(transform=f"translate({number(pad)} {number(pad)}) scale({size / _UNIT:.6g})")
    # Fields are tiles of a pattern: a browser draws a run of fields as fast as one field.
    for hidden in (True, False):
        key, tile = _pattern(theme, hidden)
        box = f'patternUnits="userSpaceOnUse" width="{_UNIT}" height="{_UNIT}"'
        out.add(f'<defs><pattern id="{key}" {box}>{tile}</pattern></defs>')
    out.begin(text_anchor="middle", font_family=FONT)
    for row, codes in enumerate(fields):
        out.put(f"r{row}", _row(row, tuple(codes), None if heat is None else tuple(heat[row]), over, theme))
    out.end()
    out.end()
    return out


_UNIT = 100
"""Width of a field in the units of its shapes."""


def _empty_picture(theme: Theme) -> Picture:
    """Returns a picture without shapes; the shapes added to it become part of another picture."""
    empty = Picture(0, 0, theme, title="", description="")
    empty.parts.clear()
    return empty


@lru_cache
def _pattern(theme: Theme, hidden: bool) -> tuple[str, str]:
    """Returns the id and the shapes of the background of a hidden or a revealed field.

    A hidden field is a raised tile with light along its upper and left edges.
    """
    out = _empty_picture(theme)
    if hidden:
        out.rect(3, 3, 94, 94, rx=12, fill=theme.tile, stroke=theme.tile_edge, stroke_width=4)
        out.path("M12 84V12H84", fill="none", stroke=theme.shine, stroke_width=5, stroke_linecap="round")
    else:
        out.rect(3, 3, 94, 94, rx=6, fill=theme.hollow, stroke=theme.tile_edge, stroke_width=2)
    tile = "".join(out.parts)
    # An id is found in the whole page, where another picture may have another theme, so it depends on the colors.
    return f"field-{'hidden' if hidden else 'shown'}-{crc32(tile.encode()):08x}", tile


@lru_cache(maxsize=1 << 10)
def _row(row: int, fields: tuple[int, ...], chances: tuple[float, ...] | None, over: bool, theme: Theme) -> str:
    """Returns the fields of a row as one SVG element, in which most symbols of a kind share one shape.

    The elements are cached, because a move changes few rows.
    """
    out, y = _empty_picture(theme), row * _UNIT
    runs: dict[bool, str] = {}
    x = 0
    for hidden, same in groupby(bool(field & Field.HIDDEN) for field in fields):
        wide = len(list(same)) * _UNIT
        runs[hidden] = runs.get(hidden, "") + f"M{x} {y}h{wide}v{_UNIT}h-{wide}z"
        x += wide
    for hidden, d in sorted(runs.items()):
        out.path(d, fill=f"url(#{_pattern(theme, hidden)[0]})")
    numbers: dict[int, list[int]] = {}
    flags: list[int] = []
    wrong: list[int] = []
    geese: list[int] = []
    places = range(0, len(fields) * _UNIT, _UNIT)
    for x, field, chance in zip(places, fields, chances or [None] * len(fields), strict=True):
        hidden, marked, value = bool(field & Field.HIDDEN), bool(field & Field.MARKED), field & 15
        if not hidden:
            if value == Field.GOOSE:
                out.rect(x + 3, y + 3, 94, 94, rx=6, fill=theme.alarm)
                geese.append(x)
            else:
                numbers.setdefault(value, []).append(x)
        elif over:
            # At the end, all geese and numbers are shown, and flags on fields without a goose are crossed out.
            if value == Field.GOOSE:
                geese.append(x)
            elif value:
                numbers.setdefault(-value, []).append(x)
            if marked:
                (flags if value == Field.GOOSE else wrong).append(x)
        elif chance is not None:
            _chance(out, x, y, chance, marked)
        elif marked:
            flags.append(x)
    _numbers(out, numbers, y)
    _geese(out, geese, y)
    _flags(out, flags, y, 0.55 if over else 1)
    _flags(out, wrong, y, 0.55, wrong=True)
    return f'<g data-id="r{row}">{"".join(out.parts)}</g>'


def _numbers(out: Picture, numbers: dict[int, list[int]], y: int) -> None:
    """Draws the values of a row: equal ones in one text element, and zeros as dots.

    A negative key ``-n`` stands for the value ``n`` in fields that were still hidden at the end; these values are
    drawn in a muted color.
    """
    for value, places in sorted(numbers.items()):
        if value == 0:
            dots = "".join(f"M{x + 50} {y + 50}h0" for x in places)
            out.path(dots, stroke=out.theme.muted, stroke_width=15, stroke_linecap="round")
            continue
        # The attribute x of a text element may list a place for each letter, on which that letter is centered.
        at, digits = " ".join(str(x + 50) for x in places), str(abs(value)) * len(places)
        if value > 0:
            _text(out, at, y + 50, digits, 56, out.theme.digits[value - 1], ' font-weight="bold"')
        else:
            _text(out, at, y + 50, digits, 50, out.theme.muted)


def _text(out: Picture, x: str, y: int, text: str, size: int, color: str, more: str = "") -> None:
    """Adds a text element whose font and anchor are those of the group around it."""
    out.add(f'<text x="{x}" y="{round(y + 0.36 * size)}" font-size="{size}" fill="{color}"{more}>{escape(text)}</text>')


def _chance(out: Picture, x: int, y: int, chance: float, marked: bool) -> None:
    """Draws a hidden field in the color of its chance of a goose, with the chance in percent."""
    theme = out.theme
    ground = theme.sure if chance == 0 else theme.heat(chance)
    out.rect(x + 3, y + 3, 94, 94, rx=12, fill=ground)
    color = theme.letters_on(ground)
    _text(out, str(x + 50), y + (70 if marked else 50), percent(chance), 30, color)
    if chance == 0:
        # A tick, so that a field that is certainly free differs from one with a small chance in more than color.
        tick = f"M{x + 68} {y + 20}l7 8l12 -15"
        out.path(tick, fill="none", stroke=color, stroke_width=5, stroke_linecap="round")
    if marked:
        _flags(out, [x + 22], y + 4, 0.5, color=color)


def _flags(
    out: Picture, places: list[int], y: int, scale: float, *, wrong: bool = False, color: str | None = None
) -> None:
    """Draws flags in fields of a row.

    Each flag is drawn from a top left corner ``(place, y)``, usually the corner of its field. ``scale`` is the size as
    a share of the usual size, and ``wrong`` crosses the flags out. ``color`` is the color of poles and outlines;
    ``None`` uses the colors of the theme.
    """
    if not places:
        return
    theme = out.theme

    def drawn(path: str, **look: Any) -> None:
        look |= {"stroke_linecap": "round", "stroke_linejoin": "round"}
        out.path("".join(_put(path, x, y, scale) for x in places), **look)

    drawn("M36 20L36 80", fill="none", stroke=color or theme.ink, stroke_width=7 * scale)
    drawn("M36 20L74 34L36 50Z", fill=theme.flag, stroke=color or theme.flag, stroke_width=3 * scale)
    if wrong:
        drawn("M20 20L80 80M20 80L80 20", fill="none", stroke=theme.ink, stroke_width=9 * scale)


_NECK = "M31 58C24 46 27 34 30 27"
_BODY = "M28 52C38 44 56 44 70 50L88 44L82 62C74 76 46 80 34 70C27 64 25 58 28 52Z"
_HEAD = "M30 23L30 23"
# A goose from the side: path, fill, stroke and stroke width. First a halo around neck, head and body, so that the
# goose stands out from a dark background; then feet, body, wing, neck, dark head, bill, pale cheek, eye.
_GOOSE: tuple[tuple[str, str | None, str | None, float], ...] = (
    (_NECK, None, "goose_halo", 17),
    (_HEAD, None, "goose_halo", 24),
    (_BODY, "goose_halo", "goose_halo", 8),
    ("M46 72L46 84L39 84M58 72L58 84L51 84", None, "goose_bill", 5),
    (_BODY, "goose_body", "goose_line", 3),
    ("M44 54C54 50 66 54 74 60C62 68 50 68 44 54Z", "goose_wing", None, 0),
    (_NECK, None, "goose_line", 11),
    (_HEAD, None, "goose_line", 18),
    ("M23 20L10 25L23 28Z", "goose_bill", None, 0),
    ("M30 22C36 22 37 28 33 31C29 30 28 26 30 22Z", "goose_cheek", None, 0),
    ("M26 21L26 21", None, "goose_cheek", 3.2),
)


def _geese(out: Picture, places: list[int], y: int) -> None:
    """Draws geese in fields of a row; each part, such as the bill, is one shape for all geese."""
    for path, fill, stroke, wide in _GOOSE if places else ():
        look: dict[str, Any] = {"fill": "none" if fill is None else getattr(out.theme, fill)}
        if stroke is not None:
            look |= {"stroke": getattr(out.theme, stroke), "stroke_width": wide}
            look |= {"stroke_linecap": "round", "stroke_linejoin": "round"}
        out.path("".join(_put(path, x, y) for x in places), **look)


_POINT = re.compile(r"(\d+) (\d+)")


def _put(path: str, x: int, y: int, scale: float = 1) -> str:
    """Returns a path scaled and moved to the field whose top left corner is ``(x, y)``.

    The path consists of absolute commands and points ``x y``, from 0 to 100 across a field.
    """
    return _POINT.sub(lambda at: f"{number(x + int(at[1]) * scale)} {number(y + int(at[2]) * scale)}", path)
