"""The values that `Controls` gives a front end: scores, levels, hints, legends, motions, keys, verbs and settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Cell = tuple[int, int]
Move = tuple[int, ...]


class Score(NamedTuple):
    """A number or a word to show to the player.

    >>> str(Score("sensors lit", 2, 5)), str(Score("falls", 0))
    ('sensors lit 2 of 5', 'falls 0')
    """

    name: str
    """What the value is, in a few words."""
    value: int | str
    """The number, or a word such as the name of the player to move."""
    goal: int | None = None
    """The value that wins the game; ``None`` if there is none."""

    def __str__(self) -> str:
        return f"{self.name} {self.value}" + ("" if self.goal is None else f" of {self.goal}")


class Level(NamedTuple):
    """A packaged level as a menu shows it."""

    name: str
    """The name that ``Controls.level`` takes."""
    grade: str
    """How hard the level is, in one word; empty if unknown."""
    solved: bool
    """Whether the player has solved the level."""
    best: int | None
    """The fewest moves in which the player has solved the level without a hint; ``None`` if there is no such result."""
    optimum: int | None
    """The fewest moves possible; ``None`` if unknown."""


class Hint(NamedTuple):
    """A step to play next, or only cells to mark."""

    moves: tuple[Move, ...]
    """The moves to play; empty if the hint only marks cells."""
    cells: dict[str, tuple[Cell, ...]]
    """Where to look: role -> cells, with the roles of ``Controls.marks``. ``"hint"`` is where the step takes place,
    ``"because"`` what justifies it."""
    sentence: str
    """The reason for the step, in words; empty if the hint only marks cells."""


class Entry(NamedTuple):
    """One line of the legend."""

    symbol: str
    """The symbol in the notation or in the picture, such as ``A``; empty if the line is not about a symbol."""
    words: str
    """The explanation, in words."""
    cells: tuple[Cell, ...] = ()
    """The cells that the line describes."""


class Motion(NamedTuple):
    """How the last action moved things, for front ends that animate moves."""

    kind: str
    """``"turn"`` (a cell turns clockwise), ``"back"`` (counterclockwise) or ``"fall"`` (a piece falls off the
    board)."""
    cells: tuple[Cell, ...]
    """The cells that move."""
    angle: float = 0.0
    """The angle of the turn in degrees, positive in either direction; 0 for a fall."""
    step: Cell = (0, 0)
    """The numbers of rows and columns by which a piece moves before it falls."""


class Action(NamedTuple):
    """The action of a key."""

    words: str
    """What the key does, in a few words."""
    run: Callable[[], object]
    """The function that performs the action; called by ``Controls.key``."""


class Verb(NamedTuple):
    """A word that a player types, followed by cells or by a key."""

    action: str
    """``"click"``, ``"second"`` or ``"third"`` (a click on one cell), ``"pair"`` (clicks on two cells), or ``"key"``
    (a key)."""
    words: str
    """What the word does, in a few words."""
    example: str
    """An example of a line to type."""


class Setting(NamedTuple):
    """A choice that a player can make, such as the opponent."""

    name: str
    """The name that ``Controls.choose`` takes."""
    words: str
    """What is chosen, in a few words."""
    value: str
    """The current choice."""
    choices: tuple[str, ...]
    """The possible choices."""


class Refusal(Exception):
    """Raised inside an action to refuse it before the game has changed; its text is a sentence for the player."""


def refuse(sentence: str) -> Exception:
    """Returns the exception that a subclass of ``Controls`` raises to refuse an action.

    * ``sentence``: the message for the player, a full sentence.
    """
    return Refusal(sentence)
