"""Lights Out: pressing a field switches it and its neighbors between light and dark; all fields must become dark.

>>> import gridwright as gw
>>> game = gw.LightsOut("#..\\n...\\n...")
>>> game.solve().tolist()
[[0, 0], [0, 2], [1, 2], [2, 0], [2, 1]]
>>> print(game.explain())
Every solution presses (0, 0): the equations of the whole board leave no choice.
>>> game.play(0, 0)
>>> print(game)
.#.
#..
...

``explain`` and ``difficulty`` use four rules, from easy to hard:

* ``last``: one press puts out all lights.
* ``chase``: the presses of the rows above the field are settled, so only this field can put out the light above it.
* ``algebra``: every solution of the equations of the whole board presses the field.
* ``choice``: some solutions press the field and others do not, but a shortest solution presses the field.

The grade of a board follows from the number of presses in a shortest solution: up to 2 is trivial, up to 4 easy, up to
7 medium, up to 10 hard, and more than 10 fiendish.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .controls import Cell, Controls, Entry, Score, Verb
from .game import GridGame
from .insight import GRADES, Difficulty, Explanation, grade

__all__ = ["LightsOut", "Tile"]

Self = TypeVar("Self", bound="LightsOut")

Cells = Sequence[Cell]

_CODES = _core.lightsout_codes()


class Tile(IntEnum):
    """The codes of ``LightsOut.board``.

    >>> Tile(1)
    <Tile.LIGHT: 1>
    """

    DARK = _CODES["DARK"]
    LIGHT = _CODES["LIGHT"]


def _cells(board: npt.NDArray[Any]) -> tuple[Cell, ...]:
    """Returns the cells whose value is not 0."""
    return tuple((row, col) for row, col in np.argwhere(board).tolist())


@cache
def _grade_of(level: str) -> str:
    """Returns the name of the grade of a packaged level."""
    return LightsOut.level(level).difficulty().name


class LightsOutControls(Controls):
    """The controls of Lights Out: a click presses a field."""

    GOAL = "Put out all lights."
    CLICK = "press the field: it and its neighbors change"
    VERBS: ClassVar[dict[str, Verb]] = {"press": Verb("click", "press a field", "press 1 2")}
    HOVER = True

    @property
    def difficulties(self) -> tuple[str, ...]:
        return GRADES

    def _grade(self, name: str) -> str:
        return _grade_of(name)

    def _scores(self) -> list[Score]:
        return [Score("lights on", int(self.game.board.sum()))]

    def marks(self) -> dict[str, tuple[Cell, ...]]:
        found = super().marks()
        if self.hovered is not None and not self.over:
            trial = self.game.copy()
            trial.play(*self.hovered)
            found["preview"] = _cells(trial.board != self.game.board)
        return found

    def legend(self) -> list[Entry]:
        return [Entry("#", "light, to be put out", _cells(self.game.board))]

    def _contents(self, cell: Cell) -> str:
        return Tile(self.game.board[cell]).name.lower()


class LightsOut(GridGame, _core.LightsOut):
    """A position of Lights Out, with its history.

    * ``text``: rows of ``#`` for a light and ``.`` for a dark field. Other text raises ``LevelError``.

    A move ``(row, col)`` presses a field. The game is won when all fields are dark.

    >>> import gridwright as gw
    >>> game = gw.LightsOut.level("level01")
    >>> game.play(1, 1)
    >>> game.status
    <Status.WON: 1>
    """

    NAME = "lightsout"
    CONTROLS = LightsOutControls

    @classmethod
    def generate(
        cls: type[Self],
        height: int,
        width: int,
        *,
        difficulty: int | str | None = None,
        seed: int | None = None,
        progress: Any = None,
    ) -> Self:
        """Generates a board that can be solved and has at least one light.

        * ``height``, ``width``: the size in fields, each at least 1, with at most 2^26 fields in total.
        * ``difficulty``: a grade from 1 to 5 or its name; ``None`` (the default) draws uniformly from all such boards.
        * ``seed``: an integer from 0 to 2^64 - 1, or ``None`` (the default) for a random seed. Equal arguments and
          seeds return equal boards on every platform.
        * ``progress``: a callable that receives the number of steps so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        Raises ``ValueError`` if an argument is out of bounds or if no board of this size and grade is found. Raises
        ``SearchLimitError`` if a grade is given and boards of this size have more than 2^40 solutions.

        >>> import gridwright as gw
        >>> gw.LightsOut.generate(5, 5, difficulty="easy", seed=1).difficulty().name
        'easy'
        """
        asked = None if difficulty is None else grade(difficulty)
        return cls(_core.lightsout_generate(height, width, asked, seed, progress))

    def solution(self, *, limit: int | None = None, progress: Any = None) -> npt.NDArray[np.int32] | None:
        """Returns the moves of a shortest solution, ``(n, 2)`` int32; ``None`` if it is proved that no solution exists.

        * ``limit``: the most steps that the search may take, an integer from 0 to 2^64 - 1, or ``None`` (the default)
          for no limit. A step handles up to 64 bits. Raises ``SearchLimitError`` if the search reaches the limit, or if
          the board has more than 2^40 solutions.
        * ``progress``: a callable that receives the number of steps so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.
        """
        return self.solve(limit=limit, progress=progress)

    def hint(self, *, limit: int | None = None, progress: Any = None) -> npt.NDArray[np.int32] | None:
        """Returns the next move of a shortest solution, ``(2,)`` int32; ``None`` if the game is won or unsolvable.

        * ``limit``: the most steps that the search may take, an integer from 0 to 2^64 - 1, or ``None`` (the default)
          for no limit. A step handles up to 64 bits. Raises ``SearchLimitError`` if the search reaches the limit, or if
          the board has more than 2^40 solutions.
        * ``progress``: a callable that receives the number of steps so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        >>> import gridwright as gw
        >>> gw.LightsOut.level("level01").hint()
        array([1, 1], dtype=int32)
        """
        presses = self.solve(limit=limit, progress=progress)
        return None if presses is None or not len(presses) else presses[0].copy()

    def play_on(self, *, limit: int | None = None, progress: Any = None) -> bool:
        """Plays a shortest solution to its end and returns ``True``; returns ``False`` if the board has no solution.

        * ``limit``: the most steps that the search may take, an integer from 0 to 2^64 - 1, or ``None`` (the default)
          for no limit. A step handles up to 64 bits. Raises ``SearchLimitError`` if the search reaches the limit, or if
          the board has more than 2^40 solutions.
        * ``progress``: a callable that receives the number of steps so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        >>> import gridwright as gw
        >>> game = gw.LightsOut.level("level05")
        >>> game.play_on(), game.is_solved
        (True, True)
        """
        presses = self.solve(limit=limit, progress=progress)
        for press in [] if presses is None else presses:
            self.play(*press)
        return presses is not None

    def explain(self, cell: Cell | None = None, *, limit: int | None = None, progress: Any = None) -> Explanation:
        """Returns the next press that can be justified, with its reason.

        * ``cell``: ``(row, col)`` of a field, to explain whether solutions press this field; ``None`` (the default) for
          the next press. A cell outside the board raises ``MoveError``. If a cell is given, the rule ``algebra`` means
          that all solutions agree on the field, and ``choice`` that they do not.
        * ``limit``: the most steps that the search may take, an integer from 0 to 2^64 - 1, or ``None`` (the default)
          for no limit. A step handles up to 64 bits. Raises ``SearchLimitError`` if the search reaches the limit, or if
          the board has more than 2^40 solutions.
        * ``progress``: a callable that receives the number of steps so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        The rule is ``last``, ``chase``, ``algebra`` or ``choice`` (described in the module), or ``over`` or
        ``unsolvable`` if there is no move. Playing the moves of one explanation after another wins every game that can
        be won.

        >>> import gridwright as gw
        >>> gw.LightsOut.level("level01").explain().rule
        'last'
        """
        asked = None if cell is None else self._cell(cell)
        found = self._reasons(limit, progress)
        if found is None:
            return self._explanation("unsolvable", "No presses put out all lights.")
        presses, rules, optional, _ = found
        moves = [(row, col) for row, col in presses.tolist()]
        if asked is not None:
            if optional[asked]:
                return self._explanation("choice", f"Some solutions press {asked}, others do not.", [asked])
            pressed = [move for move in moves if move == asked]
            sentence = f"{'Every' if pressed else 'No'} solution presses {asked}."
            return self._explanation("algebra", sentence, [asked], moves=pressed)
        if not moves:
            return self._explanation("over", "All lights are out.")
        at, rule = moves[0], rules[0]
        because: Cells = ()
        if rule == "last":
            because = [cell for cell in _cells(self.board) if cell != at]
            sentence = f"Press {at}: the remaining lights are exactly those that it changes."
        elif rule == "chase":
            because = [(at[0] - 1, at[1])]
            sentence = f"Press {at}: the rows above it are settled, and only this press can put out {because[0]}."
        elif rule == "algebra":
            sentence = f"Every solution presses {at}: the equations of the whole board leave no choice."
        else:
            sentence = f"Press {at}: some solutions do without it, but none is shorter than one that presses it."
        return self._explanation(rule, sentence, [at], because, [at])

    def _explanation(
        self, rule: str, sentence: str, so: Cells = (), because: Cells = (), moves: Cells = ()
    ) -> Explanation:
        arrays = [np.array(list(cells), np.int32).reshape(-1, 2) for cells in (so, because, moves)]
        return Explanation(rule, sentence, {"so": arrays[0], "because": arrays[1]}, arrays[2], self.copy())

    def difficulty(self, *, limit: int | None = None, progress: Any = None) -> Difficulty:
        """Returns how hard the board is: its grade, how many times each rule is used, and measures.

        * ``limit``: the most steps that the search may take, an integer from 0 to 2^64 - 1, or ``None`` (the default)
          for no limit. A step handles up to 64 bits. Raises ``SearchLimitError`` if the search reaches the limit, or if
          the board has more than 2^40 solutions.
        * ``progress``: a callable that receives the number of steps so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        The measures are ``presses``, the number of presses in a shortest solution, and ``fields``, the number of fields
        of the board. Raises ``ValueError`` if the board has no solution.

        >>> import gridwright as gw
        >>> print(gw.LightsOut.level("level01").difficulty())
        trivial (1 of 5)
        """
        found = self._reasons(limit, progress)
        if found is None:
            raise ValueError("difficulty needs a board with a solution, got one without")
        presses, rules, _, level = found
        used = Counter(rules)
        order = ("last", "chase", "algebra", "choice")
        measures = {"presses": len(presses), "fields": self.height * self.width}
        return Difficulty(level, {rule: used[rule] for rule in order if used[rule]}, measures)
