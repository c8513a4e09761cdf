"""Linear Domination: two players draw lines over a board, and each line takes the cells that it crosses.

>>> import gridwright as gw
>>> game = gw.LinearDomination("4 2\\n3 1 1 4\\n1 1 3 2")
>>> print(game)
O.XX
OOX.
XO..
....
>>> game.draw((3, 0), (2, 3))
<Verdict.LEGAL: 0>
>>> game.counts, game.winner
((8, 4), <Color.X: 1>)
"""

from __future__ import annotations

import os
from enum import IntEnum
from pathlib import Path
from typing import Any, TypeVar

from . import _core
from .game import GridGame, read_text

__all__ = ["Color", "LinearDomination", "ParametricLine", "Verdict", "run_game"]

ParametricLine = _core.ParametricLine

Self = TypeVar("Self", bound="LinearDomination")

_CODES = _core.domination_codes()
_VERDICTS = _core.domination_verdicts()


class Color(IntEnum):
    """Codes of ``LinearDomination.board``, and the players: X is black and begins."""

    EMPTY = _CODES["EMPTY"]
    X = _CODES["X"]
    O = _CODES["O"]  # noqa: E741 - the sign of the source document


class Verdict(IntEnum):
    """What the rules say of a play; where several refuse it, the first of this order.

    >>> Verdict(3)
    <Verdict.PERPENDICULAR: 3>
    """

    LEGAL = _VERDICTS["LEGAL"]
    OUT_OF_BOARD = _VERDICTS["OUT_OF_BOARD"]
    SAME_MIDPOINT = _VERDICTS["SAME_MIDPOINT"]
    PERPENDICULAR = _VERDICTS["PERPENDICULAR"]
    SAME_TAIL = _VERDICTS["SAME_TAIL"]
    SAME_HEAD = _VERDICTS["SAME_HEAD"]
    ZERO_LENGTH = _VERDICTS["ZERO_LENGTH"]


class LinearDomination(GridGame, _core.LinearDominationCore):
    """A position of Linear Domination, with its history.

    ``LinearDomination(text)`` reads ``N K`` and plays, ``row col row col`` with the tail first and 1-based, as the
    source document has them; its rules are then ``"uccs2023"``. ``N K standard`` reads the other rule set. The plays
    of the text are where the game starts: ``.moves`` holds what is played since, ``.plays`` all. Raises
    ``LevelError`` with line and column.

    A move is ``(row, col, row, col)``, tail and head, 0-based. Black X has the plays 0, 2, ..., white O the others; a
    play colours the cells whose open interior its line crosses. ``play`` refuses an illegal one, ``draw`` makes it
    all the same: it colours nothing and uses up its turn.

    * ``"standard"``: against the last K legal plays no equal midpoint and no right angle; a line has a length.
    * ``"uccs2023"``: against the last K plays, illegal ones too, no equal midpoint, right angle, tail or head; a play
      of no length is at a right angle to everything and so freezes the board while it is looked back at.

    The game is over only where no legal play is left; boards over 32 by 32 end only frozen. Then ``WON`` says that X
    has more cells, ``LOST`` that O has.

    Source: a design document of a course in linear algebra (Colorado Springs, 2023).

    >>> import gridwright as gw
    >>> game = gw.LinearDomination.empty(8, 3)
    >>> game.play(0, 0, 3, 7)
    >>> game.play(3, 7, 0, 0)
    Traceback (most recent call last):
        ...
    gridwright.errors.IllegalMoveError: illegal move (3, 7, 0, 0): the same midpoint as play 0, (0, 0) to (3, 7), \
wanted another midpoint than the last 3 plays
    >>> game.draw((3, 7), (0, 0))
    <Verdict.SAME_MIDPOINT: 2>
    >>> game.to_move, game.counts, len(game.legal_moves())
    (<Color.X: 1>, (10, 0), 3990)
    """

    NAME = "domination"

    CLICKS = "click the tail, then the head"

    def _scores(self) -> list[tuple[str, str]]:
        x, o = self.counts
        return [("X", str(x)), ("O", str(o)), ("to move", self.to_move.name)]

    def _can_hint(self) -> bool:
        return True

    def _next_move(self, **options: Any) -> tuple[int, ...] | None:
        return self.suggest("greedy", **options)

    def _new(self: Self, seed: int) -> Self:
        made: Self = self.generate(self.size, self.lookback, 6, seed, rules=self.rules)
        return made

    def draw(self, tail: Any, head: Any) -> Verdict:
        """Makes a play whatever the rules say of it, and tells what they say.

        An illegal play colours nothing and uses up its turn. Its ends may lie off the board.

        >>> import gridwright as gw
        >>> game = gw.LinearDomination.empty(8, 3)
        >>> game.draw((0, 0), (0, 9)), game.to_move
        (<Verdict.OUT_OF_BOARD: 1>, <Color.O: 2>)
        """
        return Verdict(self._draw(tail, head))

    def judge(self, tail: Any, head: Any) -> tuple[Verdict, int | None]:
        """Tells what the rules say of a play now, and the index of the play that it clashes with, the latest one.

        >>> import gridwright as gw
        >>> game = gw.LinearDomination("8 3 1 1 1 5 2 2 5 8")
        >>> game.judge((4, 4), (7, 4))
        (<Verdict.PERPENDICULAR: 3>, 0)
        """
        verdict, clash = self._judge(tail, head)
        return Verdict(verdict), clash

    @property
    def to_move(self) -> Color:
        """Whose turn it is: ``Color.X`` or ``Color.O``."""
        return Color(self._to_move())

    @property
    def winner(self) -> Color | None:
        """Who has more cells now: ``Color.X``, ``Color.O``, or ``None`` for equal numbers."""
        return Color(self._winner()) or None

    @property
    def lines(self) -> list[ParametricLine]:
        """The lines of all plays, those off the board too.

        >>> import gridwright as gw
        >>> gw.LinearDomination("4 0 1 1 2 4").lines
        [ParametricLine((0, 0), (1, 3))]
        """
        return [ParametricLine(play[:2], play[2:]) for play in self.plays.tolist()]


def run_game(
    input_path: str | os.PathLike[str],
    output_path: str | os.PathLike[str],
    *,
    verbose: bool = False,
    progress: Any = None,
) -> None:
    """Does what the program of the source document does: reads ``N K`` and plays, writes the board and the counts.

    With ``verbose`` the board before the first play and after each is printed too. ``progress`` is called with the
    number of plays so far, or is an object with ``update`` such as tqdm's. Raises ``LevelError`` for a text that is
    none, and writes nothing then.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "in.txt").write_text("4 2\\n3 1 1 4\\n1 1 3 2\\n")
    >>> run_game(folder / "in.txt", folder / "out.txt")
    >>> print((folder / "out.txt").read_text().replace(" \\n", "\\n"), end="")
    O . X X
    O O X .
    X O . .
    . . . .
    Player X: 4 cells; Player O: 4 cells
    """
    text = read_text(input_path)
    report = _core.domination_report(text, progress)
    if verbose:
        whole = LinearDomination(text)
        game = LinearDomination.empty(whole.size, whole.lookback, rules=whole.rules)
        print(game.display_board(), end="")
        for row, col, head_row, head_col in whole.plays.tolist():
            game.draw((row, col), (head_row, head_col))
            print(game.display_board(), end="")
    Path(output_path).write_text(report, encoding="utf-8", newline="\n")
