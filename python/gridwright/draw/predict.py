"""Films that ask: the next step is hidden until the reader clicks where it will happen."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from html import escape

from .animate import Animation
from .svg import Picture, number

__all__ = ["Place", "Prediction", "Step", "asking", "cells", "outline"]


@dataclass(frozen=True)
class Place:
    """Something that can be clicked: its name for screen readers and answers, and its outline as commands of a path."""

    name: str
    d: str


@dataclass(frozen=True)
class Step:
    """One picture of a film that asks.

    ``answers`` are the indices of the places where the next step may happen; if it is empty, nothing is asked.
    """

    picture: Picture
    caption: str
    lines: tuple[int, ...]
    answers: Collection[int] = ()
    question: str = ""


def outline(points: Iterable[tuple[float, float]]) -> str:
    """Returns a closed outline through points as commands of a path.

    >>> outline([(0, 0), (2, 0), (1, 1.5)])
    'M0 0L2 0L1 1.5z'
    """
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "z"


def cells(picture: Picture, name: str, *, dx: float = 0, dy: float = 0) -> list[Place]:
    """Returns the cells of a picture as places, row by row, moved by ``dx`` and ``dy``; ``name`` is what a cell is."""
    if picture.cells is None:
        raise ValueError("picture must have a grid")
    height, width = picture.cells.shape
    found = []
    for row in range(height):
        for col in range(width):
            corners = [(x + dx, y + dy) for x, y in picture.cells.outline(row, col)]
            found.append(Place(f"{name} ({row}, {col})", outline(corners)))
    return found


class Prediction(Animation):
    """A film that asks, with a score: ``film.predict()`` makes it.

    In a notebook, and as a page, each step waits until the reader clicks, touches or, with the arrow keys and Enter,
    chooses the place where it will happen. No kernel is needed. If scripts may not run, the first picture is shown.

    * ``film``: the film, whose title, pseudocode and time of a frame are taken.
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
        self._places, self._steps = places, steps

    @property
    def answers(self) -> list[list[str]]:
        """The names of the right places, one list for each question.

        >>> from gridwright.draw import films
        >>> films.line((0, 0), (2, 3)).predict().answers[:2]
        [['cell (0, 1)'], ['cell (1, 1)']]
        """
        return [[self._places[at].name for at in sorted(step.answers)] for step in self._steps if step.answers]

    def fragment(self) -> str:
        """Returns HTML to put into a page: the first picture, and a script that asks."""
        quiz = {
            "places": [[place.name, place.d] for place in self._places],
            "answers": [sorted(step.answers) for step in self._steps],
            "questions": [step.question for step in self._steps],
            "shift": self._shift,
        }
        more = f' data-quiz="{escape(json.dumps(quiz))}"'
        return self._embedded(self._one(0), "predict.js", self._all(), more)


def asking(film: Animation, steps: Callable[[], tuple[Sequence[Place], Sequence[Step]]]) -> Animation:
    """Lets a film ask, and returns it: ``film.predict()`` calls ``steps`` for the places and the steps."""
    film.prediction = lambda: Prediction(film, *steps())
    return film
