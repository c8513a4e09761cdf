"""The reader's own answer beside the correct one."""

from __future__ import annotations

from ..svg import Picture, number

__all__ = ["beside"]

_HEADING, _MAX = 26.0, 820.0
"""Height of a heading, and the largest total width of two pictures that are drawn side by side."""


def beside(own: Picture, correct: Picture) -> Picture:
    """Returns two pictures as one, each with a heading: the reader's answer, and the correct one to its right or below.

    * ``own``: the picture of the reader's answer.
    * ``correct``: the picture of the correct answer.
    """
    stacked = own.width + correct.width > _MAX
    wide = max(own.width, correct.width) if stacked else own.width + correct.width
    high = own.height + correct.height + 2 * _HEADING if stacked else max(own.height, correct.height) + _HEADING
    words = f"Your answer: {own.description} Correct answer: {correct.description}"
    out = Picture(wide, high, correct.theme, title=correct.title, description=words)
    second = (0.0, own.height + _HEADING) if stacked else (own.width, 0.0)
    for one, heading, (x, y) in ((own, "your answer", (0.0, 0.0)), (correct, "correct answer", second)):
        out.text(x + one.width / 2, y + 15, heading, size=14, fill=out.theme.ink, font_weight="bold")
        out.begin(transform=f"translate({number(x)} {number(y + _HEADING)})")
        out.parts += one.parts
        out.end()
    return out
