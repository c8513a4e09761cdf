"""Puzzles in words for programs that reason, with checkers that accept every right answer.

>>> from gridwright import tasks
>>> task = tasks.make("goose_chance", seed=3, difficulty="easy")
>>> print(task.question[task.question.index("What is") :])
What is the chance that the field (2, 2) holds a goose? Give it as an exact fraction.
End with one line in this form: Answer: a fraction such as 3/7
>>> task.check(f"Answer: {task.solution}")
Score(value=1.0, reason='Right.')
"""

from __future__ import annotations

from ..arguments import choice, whole
from ..insight import grade as read_grade
from .episodes import EPISODES, Episode
from .export import each, export, record
from .kinds import KINDS, make, names
from .task import Kind, Score, Task

__all__ = ["KINDS", "Episode", "Kind", "Score", "Task", "each", "episode", "export", "make", "names", "record"]


def episode(game: str, seed: int, difficulty: int | str = 1) -> Episode:
    """Makes an episode: a game that is played through text.

    * ``game``: a key of ``gridwright.GAMES``.
    * ``seed``: an integer from 0 to 2^64 - 1; equal arguments make equal episodes on every platform.
    * ``difficulty``: a grade from 1 to 5 or its name. Default 1.

    Raises ``ValueError`` for an unknown name or a number out of bounds, and ``TypeError`` for a wrong type.

    >>> from gridwright import tasks
    >>> play = tasks.episode("geese", seed=1)
    >>> reply = play.act("Answer: (5, 5)")
    >>> play.turns_left < int(play.prompt.partition("You have ")[2].split()[0])
    True
    """
    kind = EPISODES[choice("game", game, EPISODES)]
    return kind(whole("seed", seed, 0), read_grade(difficulty))
