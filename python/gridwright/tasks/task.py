"""Defines a task: a question, a picture, and a checker that accepts every right answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from ..arguments import text as read_text
from ..words import counted
from .answers import Unreadable
from .choices import Choices

__all__ = ["Kind", "Posed", "Score", "Task"]


class Score(NamedTuple):
    """The score of an answer.

    >>> Score(1.0, "Right.").right, Score(0.5, "3 of 6 cells are right.").right
    (True, False)
    """

    value: float
    """1.0 for a right answer; at least 0 and less than 1 for a wrong answer, by an exact measure."""
    reason: str
    """The reason for the value, in a full sentence that may reveal part of the solution."""

    @property
    def right(self) -> bool:
        """Whether the answer is right."""
        return self.value == 1.0


RIGHT = Score(1.0, "Right.")


class Posed(NamedTuple):
    """The parts of one puzzle, from which a `Task` is made."""

    question: str
    """The text of the question, without the sentence about the form of the answer."""
    form: str
    """The sentence about the form of the answer."""
    solution: str
    """A right answer."""
    judge: Callable[[str], Score]
    """Scores the text of an answer; may raise `Unreadable`."""
    draw: Callable[[], str]
    """Returns the picture as SVG text."""
    facts: Mapping[str, Any]
    """Data about the puzzle, such as its board, in types that JSON can represent."""


@dataclass(frozen=True)
class Kind:
    """A kind of task."""

    name: str
    """The name, as passed to ``make``."""
    world: str
    """A key of ``gridwright.GAMES``, ``"graph"`` or ``"tracing"``."""
    asks: str
    """What the question asks for, in a few words."""
    credit: str
    """The partial credit for a wrong answer, in a few words."""
    grades: str
    """What the grades 1 to 5 mean, in a few words."""
    simple: bool
    """Whether 100,000 or more tasks of this kind can be made per minute on one core, at every grade."""
    pose: Callable[[Choices, int], Posed] = field(repr=False)
    """Makes a puzzle from seeded choices and a grade, 1 to 5."""


class Task:
    """A puzzle in words with an exact checker; made by `make`.

    * ``kind``: the kind of the task.
    * ``seed``: the seed of the task.
    * ``grade``: the grade, 1 to 5.
    * ``posed``: the parts of the puzzle.

    Two tasks are equal if their kinds, seeds and grades are equal. Pickling stores the name of the kind, the seed and
    the grade, from which unpickling makes the task again.
    """

    def __init__(self, kind: Kind, seed: int, grade: int, posed: Posed) -> None:
        self._kind, self._posed = kind, posed
        self.name = kind.name
        """The name of the kind, one of ``tasks.names()``."""
        self.seed = seed
        """The seed, an integer."""
        self.difficulty = grade
        """The grade, 1 to 5."""
        self.question = f"{posed.question}\n{posed.form}"
        """The question in plain text. It ends with the form of the answer."""
        self.solution = posed.solution
        """A right answer in the form that the question asks for. There may be other right answers."""

    @cached_property
    def image_svg(self) -> str:
        """A picture of the puzzle as SVG text, drawn on first access. It does not show the answer."""
        return self._posed.draw()

    @property
    def metadata(self) -> dict[str, Any]:
        """A fresh dict of numbers, strings and lists that describes the puzzle.

        It is meant for records, never for a prompt, because it may reveal the answer.
        """
        head = {"name": self.name, "world": self._kind.world, "seed": self.seed, "difficulty": self.difficulty}
        return {**head, **deepcopy(dict(self._posed.facts))}

    def check(self, answer: str) -> Score:
        """Scores an answer.

        * ``answer``: any text; any other type raises ``TypeError``. The module ``answers`` describes how the answer is
          found in the text. Text without a readable answer scores 0, and the reason explains why.

        >>> from gridwright import tasks
        >>> task = tasks.make("spanning_tree", seed=1, difficulty=1)
        >>> task.check(f"I used Kruskal's algorithm.\\nAnswer: {task.solution}")
        Score(value=1.0, reason='Right.')
        >>> task.check("It is 12 or 13.").value
        0.0
        """
        try:
            return self._posed.judge(read_text("answer", answer))
        except Unreadable as problem:
            return Score(0.0, f"No answer was read. {problem}")

    def __repr__(self) -> str:
        return f"tasks.make({self.name!r}, seed={self.seed}, difficulty={self.difficulty})"

    def __str__(self) -> str:
        return self.question

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Task) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, int, int]:
        return self.name, self.seed, self.difficulty

    def __reduce__(self) -> tuple[Any, ...]:
        from .kinds import make

        return make, self._key()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        from html import escape

        shown = f'{self.image_svg}<pre style="white-space: pre-wrap">{escape(self.question)}</pre>'
        return {"text/html": shown, "text/plain": self.question}


def line_of(example: str) -> str:
    """Returns the sentence that asks for an answer on one line.

    * ``example``: the form of the answer, such as ``(row, col)``.
    """
    return f"End with one line in this form: Answer: {example}"


def share_of_cells(expected: frozenset[tuple[int, int]], given: frozenset[tuple[int, int]]) -> Score:
    """Scores a set of cells: the number of right cells in the answer, divided by that of all right or given cells.

    * ``expected``: the correct cells.
    * ``given``: the cells of the answer.
    """
    if given == expected:
        return RIGHT
    right, extra = len(expected & given), len(given - expected)
    reason = f"The answer names {right} of {counted(len(expected), 'right cell')} and {counted(extra, 'wrong cell')}."
    return Score(right / (len(expected) + extra), reason)


def cells_text(cells: Any) -> str:
    """Returns sorted cells as text, such as ``(0, 1), (0, 2)``.

    * ``cells``: pairs ``(row, col)``.
    """
    return ", ".join(f"({row}, {col})" for row, col in sorted(map(tuple, cells)))
