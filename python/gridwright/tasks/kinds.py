"""The kinds of tasks, and the function that makes a task of a given kind."""

from __future__ import annotations

from ..arguments import choice, whole
from ..insight import grade as read_grade
from . import blocks, fields, graphs, light, lines, wires
from .choices import Choices
from .task import Kind, Task

__all__ = ["KINDS", "make", "names"]

_SHARE = "right cells named, divided by all cells that are right or named"
_NONE = "nothing"

_KINDS = (
    Kind("beam", "photon", "which cells light passes through", _SHARE,
         "boards of 5 x 5 to 9 x 9; splitters from grade 3, T-mirrors at 5", True, light.beam),
    Kind("sensors", "photon", "which sensors are lit", _SHARE,
         "boards of 5 x 5 to 9 x 9, 4 to 8 sensors, 1 to 3 lasers", True, light.sensors),
    Kind("swap", "photon", "the move that lights all sensors",
         "gain in lit sensors, divided by the dark sensors, at least 0", "the grade of `MyPhoton.difficulty`", False,
         light.swap),
    Kind("powered", "lightemall", "which tiles have power", _SHARE,
         "boards of 4 x 4 to 8 x 8, 2 to 6 turned tiles", True, wires.powered),
    Kind("turns", "lightemall", "the turns that bring power to all tiles",
         "gain in right tiles, divided by the wrong tiles, at least 0", "the grade of `LightEmAll.difficulty`", False,
         wires.turns),
    Kind("spanning_tree", "graph", "the weight of a minimum spanning tree", _NONE, "5 to 13 nodes", True,
         graphs.spanning_tree),
    Kind("cycle", "graph", "the nodes of a cycle, or that there is none", _NONE, "8 to 20 nodes", True, graphs.cycle),
    Kind("components", "graph", "the number of components", _NONE, "7 to 19 nodes", True, graphs.components),
    Kind("roll", "bloxorz", "keys that roll the block to the target",
         "1 - rolls left / rolls at the start, at least 0; nothing for a fall or for keys after the end",
         "3 to 5, 6 to 8, 9 to 12, 13 to 17, 18 to 24 rolls; one light tile at grade 2 only", True, blocks.roll),
    Kind("fewest_rolls", "bloxorz", "the fewest rolls to the target", _NONE,
         "3 to 5, 6 to 8, 9 to 12, 13 to 17, 18 to 24 rolls; one light tile at grade 2 only", True,
         blocks.fewest_rolls),
    Kind("fall", "bloxorz", "at which roll the block falls, or that it does not", _NONE,
         "6 to 14 rolls; light tiles from grade 2", True, blocks.fall),
    Kind("safe_field", "geese", "a field that is certainly free", "chance that the field is free",
         "3 x 4 to 5 x 6 fields; one number proves it at grade 1, two at 2 and 3, a harder rule from 4", False,
         fields.safe_field),
    Kind("goose_chance", "geese", "the chance of a goose as a fraction", _NONE,
         "3 x 4 fields with 3 geese to 5 x 6 with 7", True, fields.goose_chance),
    Kind("best_guess", "geese", "the field with the least chance of a goose",
         "chance that the field is free, divided by the chance at the best field",
         "3 x 4 fields with 3 geese to 5 x 6 with 7", True, fields.best_guess),
    Kind("line", "tracing", "which cells a line crosses", _SHARE, "grids of 6 x 6 to 18 x 18", True, lines.line),
    Kind("legal_play", "domination", "whether a play is legal, and if not, why", _NONE,
         "boards of 5 x 5 to 9 x 9; the rules look back at 2 to 6 plays", True, lines.legal_play),
    Kind("best_play", "domination", "the play that gains most", "its gain divided by the best gain",
         "boards of 5 x 5 to 9 x 9; the rules look back at 2 to 6 plays", True, lines.best_play),
    Kind("endgame", "domination", "the best play near the end of a game",
         "its place between the worst play and the best, by the margin at the end",
         "the grade of `LinearDomination.difficulty`", False, lines.endgame),
)  # fmt: skip

KINDS: dict[str, Kind] = {kind.name: kind for kind in _KINDS}
"""Maps the name of each kind of task to the kind."""


def names() -> tuple[str, ...]:
    """Returns the names of all kinds of tasks.

    >>> from gridwright import tasks
    >>> len(tasks.names()), "roll" in tasks.names()
    (18, True)
    """
    return tuple(KINDS)


def make(name: str, seed: int, difficulty: int | str = 1) -> Task:
    """Makes a task.

    * ``name``: one of ``names()``.
    * ``seed``: an integer from 0 to 2^64 - 1; equal arguments make equal tasks on every platform.
    * ``difficulty``: a grade from 1 to 5 or its name, one of ``gridwright.insight.GRADES``. Default 1.
      ``KINDS[name].grades`` describes what the grades of a kind mean.

    Raises ``ValueError`` for an unknown name or a number out of bounds, and ``TypeError`` for a wrong type.

    >>> from gridwright import tasks
    >>> task = tasks.make("line", seed=1, difficulty="trivial")
    >>> task.solution
    '(0, 4), (1, 3), (1, 4), (2, 2), (2, 3), (3, 1), (3, 2), (4, 0), (4, 1), (5, 0)'
    >>> task.check("Answer: (0, 4), (1, 3), (1, 4), (2, 2), (2, 3)")
    Score(value=0.5, reason='The answer names 5 of 10 right cells and 0 wrong cells.')
    """
    kind = KINDS[choice("name", name, KINDS)]
    number = whole("seed", seed, 0)
    grade = read_grade(difficulty)
    return Task(kind, number, grade, kind.pose(Choices(number, f"{kind.name} {grade}"), grade))
