"""Pseudocode beside the frames of a film, with the current lines of each frame highlighted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from .. import arguments
from ..words import counted
from .svg import number
from .theme import Theme, mix

__all__ = ["Panel"]

_FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"
_SIZE, _LETTER, _LINE = 12.5, 7.6, 21.0
"""The font size, the width of a letter, and the height of a line, in pixels."""
_TEXT, _PAD = 44.0, 12.0
"""Where the text of a line begins, and the margin of the panel."""

_MAX = 1000
"""The maximum number of lines of pseudocode, and of line numbers per frame."""


class Panel:
    """Lines of pseudocode, and the lines that are highlighted in each frame.

    * ``code``: the lines, at most 1000 (``ValueError`` for more), without line breaks; leading spaces indent a line.
      Empty for a film without pseudocode.
    * ``lines``: for each frame, its highlighted lines: a line number, counted from 1, or a list of at most 1000 of
      them, which may be empty; ``ValueError`` for a number that no line has, and for a longer list. Without code,
      ``lines`` must be empty.
    * ``frames``: the number of frames; ``ValueError`` if there is code and ``lines`` has another length.
    """

    def __init__(self, code: Any, lines: Any, frames: int) -> None:
        if isinstance(code, str) or not isinstance(code, Iterable):
            raise arguments.wrong_type("code", "strings, one per line", code)
        self.code: tuple[str, ...] = tuple(
            arguments.text("code", line) for line in arguments.sequence("code", code, "strings, one per line", _MAX)
        )
        for line in self.code:
            if line.splitlines() not in ([], [line]):
                raise ValueError(f"code must be lines without line breaks, got {arguments.shown(line)}")
        if len(self.code) > _MAX:
            raise ValueError(f"code must be at most {_MAX} lines, got more")
        if isinstance(lines, str) or not isinstance(lines, Iterable):
            raise arguments.wrong_type("lines", "line numbers per frame", lines)
        if not self.code:
            frames = 0
        listed = arguments.sequence("lines", lines, "line numbers per frame", frames)
        if len(listed) != frames:
            entries = counted(frames, "entry", "entries")
            expected = f"hold {entries}, one per frame" if self.code else "be empty without code"
            # At most one entry too many was read, so a larger count is unknown.
            found = str(len(listed)) if len(listed) < frames else "more" if self.code else "at least 1 entry"
            raise ValueError(f"lines must {expected}, got {found}")
        numbers = [
            arguments.sequence("lines", one, "line numbers", _MAX) if isinstance(one, Iterable) else (one,)
            for one in listed
        ]
        self.lines: tuple[tuple[int, ...], ...] = tuple(
            tuple(arguments.whole("lines", line, 1, len(self.code)) for line in one) for one in numbers
        )
        if max(map(len, self.lines), default=0) > _MAX:
            raise ValueError(f"lines must be at most {_MAX} numbers per frame, got more")

    @property
    def width(self) -> float:
        """The width of the panel, 0 without code."""
        return _TEXT + max(map(len, self.code)) * _LETTER + _PAD if self.code else 0.0

    @property
    def height(self) -> float:
        """The height of the panel, 0 without code."""
        return len(self.code) * _LINE + 2 * _PAD if self.code else 0.0

    def ground(self, theme: Theme) -> str:
        """Returns the background of the panel, which is the same in all frames.

        * ``theme``: the colors, a ``Theme``.
        """
        wide, high = number(self.width), number(self.height)
        return f'<rect width="{wide}" height="{high}" rx="8" fill="{theme.tile_soft}"/>'

    def marks(self, theme: Theme) -> list[Sequence[tuple[tuple[str, ...], str]]]:
        """Returns, per frame, the marks of the highlighted lines.

        * ``theme``: the colors, a ``Theme``.
        """
        # Each mark has an arrow, so that the line is marked by more than color.
        return [[((), self._mark(theme, line)) for line in sorted(set(lit))] for lit in self.lines]

    def _mark(self, theme: Theme, line: int) -> str:
        y = _PAD + (line - 1) * _LINE
        wide, high = number(self.width - 8), number(_LINE)
        x, middle = 9, y + _LINE / 2
        return (
            f'<g data-line="{line}"><rect x="4" y="{number(y)}" width="{wide}" height="{high}" rx="5" '
            f'fill="{mix(theme.tile_soft, theme.blue, 0.28)}"/>'
            f'<path d="M{x} {number(middle - 5)}l8 5l-8 5z" fill="{theme.ink}"/></g>'
        )

    def text(self, theme: Theme) -> list[str]:
        """Returns the lines of text, with their numbers.

        * ``theme``: the colors, a ``Theme``.
        """
        out = []
        for at, line in enumerate(self.code):
            y = number(_PAD + (at + 0.5) * _LINE + 0.36 * _SIZE)
            x = number(_TEXT + (len(line) - len(line.lstrip())) * _LETTER)
            style = f'y="{y}" font-family="{_FONT}" font-size="{number(_SIZE)}"'
            out.append(f'<text x="{number(_TEXT - 8)}" {style} text-anchor="end" fill="{theme.muted}">{at + 1}</text>')
            out.append(f'<text class="line" x="{x}" {style} fill="{theme.ink}">{escape(line.strip())}</text>')
        return out
