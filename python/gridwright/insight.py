"""The classes that ``game.explain()`` and ``game.difficulty()`` return, shared by all games.

The engines apply the rules of reasoning; the module of each game turns their findings into sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from .arguments import shown, whole, wrong_type

__all__ = ["GRADES", "Difficulty", "Explanation", "grade"]

GRADES = ("trivial", "easy", "medium", "hard", "fiendish")
"""The names of the grades 1 to 5, one scale for all games."""


def grade(difficulty: int | str) -> int:
    """Returns the grade, 1 to 5, that a number or a name stands for.

    * ``difficulty``: an integer from 1 to 5, or a name in ``GRADES``.

    Raises ``ValueError`` for any other number or name and ``TypeError`` for any other type.

    >>> grade("medium"), grade(5)
    (3, 5)
    """
    names = ", ".join(repr(name) for name in GRADES)
    if isinstance(difficulty, str):
        if difficulty not in GRADES:
            raise ValueError(f"difficulty must be 1 to 5 or one of {names}, got {shown(difficulty)}")
        return GRADES.index(difficulty) + 1
    if isinstance(difficulty, bool) or not hasattr(difficulty, "__index__"):
        raise wrong_type("difficulty", "an integer or a str", difficulty)
    return whole("difficulty", difficulty, 1, len(GRADES))


@dataclass(frozen=True)
class Difficulty:
    """How hard a puzzle is, on one scale for all games.

    >>> level = Difficulty(3, {"border": 4, "agreed": 2}, {"tiles": 16})
    >>> level.name, str(level)
    ('medium', 'medium (3 of 5)')
    """

    grade: int
    """1 (trivial) to 5 (fiendish)."""
    rules: Mapping[str, int] = field(default_factory=dict)
    """Maps a rule to the number of its uses if the easiest rule that applies makes every step; easy rules first."""
    measures: Mapping[str, float] = field(default_factory=dict)
    """Measurements of the puzzle by name, as documented by ``difficulty`` of the game."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", MappingProxyType(dict(self.rules)))
        object.__setattr__(self, "measures", MappingProxyType(dict(self.measures)))

    @property
    def name(self) -> str:
        """The name of the grade, one of ``GRADES``."""
        return GRADES[self.grade - 1]

    def __repr__(self) -> str:
        return f"Difficulty({self.grade}, {dict(self.rules)}, {dict(self.measures)})"

    def __str__(self) -> str:
        return f"{self.name} ({self.grade} of {len(GRADES)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.grade, dict(self.rules), dict(self.measures))


@dataclass(frozen=True, eq=False)
class Explanation:
    """A step that can be justified now, with its reason. ``str`` returns the sentence; a notebook adds a picture.

    >>> import gridwright as gw
    >>> reason = gw.Bloxorz.level("level01").explain()
    >>> reason.rule in ("straight", "landmark", "deadend", "search")
    True
    """

    rule: str
    """The name of the rule; ``explain`` of the game lists the rules, or says where they are listed."""
    sentence: str
    """The reason in plain sentences, in which a cell is written as ``(row, col)``."""
    cells: Mapping[str, npt.NDArray[np.int32]]
    """Cells by role, each ``(n, 2)`` int32: ``"because"`` for what is known, ``"so"`` for what follows."""
    moves: npt.NDArray[np.int32]
    """The moves that the step justifies, ``(n, rank)`` int32 in the order in which to play them; may be empty."""
    game: Any = field(default=None, repr=False)
    """A copy of the explained position, which ``svg`` draws; ``None`` for no picture."""

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"<Explanation {self.rule}: {self.sentence}>"

    def svg(self, **options: Any) -> str:
        """Draws the position with the cells of the reason marked, as SVG text.

        * ``options``: those of ``svg`` of the game, such as ``theme="dark"`` or ``size=`` in pixels per cell.

        Raises ``TypeError`` if ``game`` is ``None``.
        """
        from .draw import picture

        drawn = picture(self.game, **options)
        if drawn.cells is not None:
            thick = drawn.cells.size * 0.07
            # Outlines are solid for "so" and dashed for "because", so that they differ even without color.
            for role, color, dash in (("because", drawn.theme.ink, thick * 1.6), ("so", drawn.theme.blue, None)):
                for row, col in np.asarray(self.cells.get(role, ())).reshape(-1, 2).tolist():
                    drawn.polygon(
                        drawn.outline(row, col, 0.06),
                        fill="none",
                        stroke=color,
                        stroke_width=thick,
                        stroke_dasharray=dash,
                    )
        return drawn.render()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        from html import escape

        from .draw.page import image

        if self.game is None:
            return {"text/plain": self.sentence}
        shown = image(lambda theme: self.svg(theme=theme), self.sentence)
        return {"text/html": f"{shown}<p>{escape(self.sentence)}</p>", "text/plain": self.sentence}
