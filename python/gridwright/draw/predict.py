"""Films as quizzes: the next step is hidden until the reader predicts where it will happen."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

from .animate import Animation
from .svg import Picture, number

__all__ = ["Place", "Prediction", "Step", "asking", "cells", "outline"]


@dataclass(frozen=True)
class Place:
    """A place in a picture that can be clicked."""

    name: str
    """The name for screen readers and answers."""
    d: str
    """The outline as commands of an SVG path."""


@dataclass(frozen=True)
class Step:
    """One picture of a quiz, and the question that follows it."""

    picture: Picture
    """The picture."""
    caption: str
    """The caption below the picture."""
    lines: tuple[int, ...]
    """The numbers of the highlighted lines of pseudocode."""
    answers: Collection[int] = ()
    """The indices of the places where the next step may happen; empty if nothing is asked."""
    question: str = ""
    """The question; empty if nothing is asked."""


def outline(points: Iterable[tuple[float, float]]) -> str:
    """Returns a closed outline through points as commands of an SVG path.

    * ``points``: the corners ``(x, y)`` in order, at least one.

    >>> outline([(0, 0), (2, 0), (1, 1.5)])
    'M0 0L2 0L1 1.5z'
    """
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "z"


def cells(picture: Picture, name: str, *, dx: float = 0, dy: float = 0) -> list[Place]:
    """Returns the cells of a picture as places, row by row.

    * ``picture``: a picture of a board. Raises ``ValueError`` if the picture has no grid of cells.
    * ``name``: what a cell is called, such as ``"tile"``.
    * ``dx``: how far the places are moved to the right, in pixels; 0 by default.
    * ``dy``: how far the places are moved down, in pixels; 0 by default.
    """
    if picture.cells is None:
        raise ValueError("picture must have a grid of cells, got a picture without one")
    height, width = picture.cells.shape
    found = []
    for row in range(height):
        for col in range(width):
            corners = [(x + dx, y + dy) for x, y in picture.cells.outline(row, col)]
            found.append(Place(f"{name} ({row}, {col})", outline(corners)))
    return found


class Prediction(Animation):
    """A film as a quiz with a score; ``film.predict()`` returns it.

    In a notebook, or in a page, the reader chooses the place where the next step will happen, by a click, a touch, or
    the arrow keys and Enter. No kernel is needed. If scripts are disabled, the first picture is shown.

    * ``film``: the film, whose title, pseudocode and time per frame are used.
    * ``places``: what can be clicked.
    * ``steps``: the pictures, with the questions between them.
    """

    def __init__(self, film: Animation, places: Sequence[Place], steps: Sequence[Step]) -> None:
        super().__init__(
            [step.picture for step in steps],
            [step.caption for step in steps],
            seconds=film.seconds,
            title=film.title,
            code=film.code,
            lines=[step.lines for step in steps],
        )
        self._places = places
        self._answers, self._questions = [sorted(step.answers) for step in steps], [step.question for step in steps]

    @property
    def answers(self) -> list[list[str]]:
        """The names of the correct places, one list per question.

        >>> from gridwright.draw import films
        >>> films.line((0, 0), (2, 3)).predict().answers[:2]
        [['cell (0, 1)'], ['cell (1, 1)']]
        """
        return [[self._places[at].name for at in answers] for answers in self._answers if answers]

    def fragment(self) -> str:
        """Returns HTML to put into a page: the first picture and the script of the quiz."""
        quiz = {
            "places": [[place.name, place.d] for place in self._places],
            "answers": self._answers,
            "questions": self._questions,
            "shift": self._shift,
        }
        more = f' data-quiz="{escape(json.dumps(quiz))}"'
        return self._embedded(self._one(0), "predict.js", self._all(), more)


def asking(film: Animation, steps: Callable[[], tuple[Sequence[Place], Sequence[Step]]]) -> Animation:
    """Makes ``predict()`` available for a film and returns the film.

    * ``film``: the film.
    * ``steps``: a callable without arguments that returns the places and the steps; ``film.predict()`` calls it.
    """
    film.prediction = _Asking(film, steps)
    return film


class _Asking:
    """Makes the quiz of a film. Pickles hold the quiz: a local function that returns its steps cannot be pickled."""

    def __init__(self, film: Animation, steps: Callable[[], tuple[Sequence[Place], Sequence[Step]]]) -> None:
        self._film, self._steps = film, steps

    def __call__(self) -> Prediction:
        return Prediction(self._film, *self._steps())

    def __reduce__(self) -> tuple[Any, ...]:
        return partial, (copy, self())
