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
from collections.abc import Callable
from enum import IntEnum
from typing import Any, ClassVar, TypeVar

from . import _core
from .controls import Cell, Controls, Entry, Hint, Move, Score, Setting, Verb, refuse
from .errors import SearchLimitError
from .files import write
from .game import GridGame, read_text
from .status import Status
from .words import counted

__all__ = ["Color", "LinearDomination", "ParametricLine", "Verdict", "run_game"]

ParametricLine = _core.ParametricLine

Self = TypeVar("Self", bound="LinearDomination")

_CODES = _core.domination_codes()
_VERDICTS = _core.domination_verdicts()


class Color(IntEnum):
    """Codes of ``LinearDomination.board``, and the players; X is black and begins."""

    EMPTY = _CODES["EMPTY"]
    X = _CODES["X"]
    O = _CODES["O"]  # noqa: E741 - the sign of the source document


class Verdict(IntEnum):
    """What the rules say about a play. If several rules refuse it, the verdict is the first in this order.

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


_REFUSED = {
    Verdict.OUT_OF_BOARD: "It leaves the board.",
    Verdict.SAME_MIDPOINT: "It has the same midpoint as a line before it.",
    Verdict.PERPENDICULAR: "It is perpendicular to a line before it.",
    Verdict.SAME_TAIL: "It has the same tail as a line before it.",
    Verdict.SAME_HEAD: "It has the same head as a line before it.",
    Verdict.ZERO_LENGTH: "It has no length.",
}

_OPPONENTS = ("none", "random", "greedy", "minimax")


class LinearDominationControls(Controls):
    """Linear Domination in the hands of one or two players: two clicks or a drag draw a line, and it is seen before.

    A game ends when the agreed number of plays is made, or when no legal play is left. Who moves last has a great
    advantage: ``komi`` is what O has to be ahead of X by.
    """

    GOAL = "Own more cells than the other player at the end; a line takes the cells that it crosses."
    CLICK = "choose the tail of a line, then its head"
    DRAG = "draw a line from its tail to its head"
    VERBS: ClassVar[dict[str, Verb]] = {
        "draw": Verb("pair", "draw a line from its tail to its head", "draw 1 1 5 2"),
    }
    COUNT = "play"
    HOVER = True
    FIRST = ("empty", "three_by_three", "last_line", "corners", "first_lines", "crowd")
    FIXTURES = (
        *("frozen", "thawing", "two_by_two", "long_lookback", "long_mixed", "long_standard"),
        *("verdict_out_of_board", "verdict_perpendicular", "verdict_same_head", "verdict_same_midpoint"),
        *("verdict_same_tail", "verdict_zero_length"),
    )

    _opponent, _side, _plies, _komi = "none", "X", 20, 0

    @property
    def settings(self) -> list[Setting]:
        return [
            Setting("opponent", "opponent", self._opponent, _OPPONENTS),
            Setting("side", "you are", self._side, ("X", "O")),
            Setting("plies", "plays in a game", str(self._plies or "no limit"), ("10", "20", "40", "no limit")),
            Setting("komi", "komi for X", str(self._komi), ("0", "3", "6", "9", "12", "15")),
        ]

    def _choose(self, name: str, value: str) -> None:
        if name == "opponent":
            self._opponent = value
        elif name == "side":
            self._side = value
        elif name == "plies":
            self._plies = 0 if value == "no limit" else int(value)
        else:
            self._komi = int(value)
        self._reply()
        if self.over:
            self._end()

    @property
    def _left(self) -> int | None:
        """Plays left in this game; ``None`` without a limit."""
        return max(0, self._plies - len(self.game.moves)) if self._plies else None

    @property
    def status(self) -> Status:
        if self._left != 0 and self.game.status == Status.OPEN:
            return Status.OPEN
        x, o = self.game.counts
        margin = x + self._komi - o
        return Status.DRAWN if margin == 0 else Status.WON if margin > 0 else Status.LOST

    def _clicked(self, cell: Cell, kind: int) -> None:
        if self.over:
            raise refuse(self._ended())
        if self.selected is None:
            self.selected = cell
            self.message = "Now click the head."
            return
        first, self.selected = self.selected, None
        if first != cell:
            self._draw_line(first, cell)

    def _draw_line(self, tail: Cell, head: Cell) -> None:
        verdict, _ = self.game.judge(tail, head)
        if verdict != Verdict.LEGAL:
            raise refuse(f"This line is not allowed. {_REFUSED[verdict]}")
        self._play((*tail, *head))

    def _dragged(self, path: list[tuple[float, float]]) -> None:
        tail, head = ((round(row), round(col)) for row, col in (path[0], path[-1]))
        size = self.game.size
        self.selected = None
        if tail != head and all(0 <= part < size for part in (*tail, *head)):
            self._draw_line(tail, head)

    def handles(self) -> tuple[Cell, ...]:
        size = self.game.size
        return tuple((row, col) for row in range(size) for col in range(size))

    def _reply(self) -> None:
        """Plays for the opponent until it is the player's turn."""
        game = self.game
        while self._opponent != "none" and not self.over and game.to_move.name != self._side:
            move = self._suggest(self._opponent)
            if move is None:
                return
            game.play(*move)
            self.message = f"{self._opponent.capitalize()} drew ({move[0]}, {move[1]}) to ({move[2]}, {move[3]})."

    def _after_play(self, moves: Any) -> None:
        self._reply()

    def _suggest(self, player: str) -> Move | None:
        game = self.game
        if player == "random":
            found = game.sample_legal()
        else:
            try:
                found = game.suggest(player, limit=50_000_000)
            except SearchLimitError:
                found = game.suggest("greedy")
        return None if found is None else tuple(int(part) for part in found)

    def _answer(self, game: Any, progress: Callable[[int], object]) -> list[Move] | None:
        """Both sides by the greedy player, to the end of the game."""
        other = game.copy()
        found: list[Move] = []
        left = self._left
        while left is None or len(found) < left:
            move = other.suggest("greedy", progress=progress)
            if move is None or (left is None and len(found) >= 100):
                break
            found.append(tuple(int(part) for part in move))
            other.play(*move)
        return found

    def _optimum(self, start: Any, progress: Callable[[int], object]) -> int | None:
        return None

    def _step(self, steps: int) -> None:
        # Both sides are played, so nobody replies.
        opponent, self._opponent = self._opponent, "none"
        try:
            super()._step(steps)
        finally:
            self._opponent = opponent

    def _find_hint(self, progress: Callable[[int], object]) -> Hint | None:
        game = self.game
        move = game.suggest("greedy", progress=progress)
        if move is None:
            return None
        tail, head = (int(move[0]), int(move[1])), (int(move[2]), int(move[3]))
        gain = counted(game.gain(tail, head), "cell")
        return Hint(((*tail, *head),), {"hint": (tail, head)}, f"The line between these cells gains {gain} at once.")

    def _scores(self) -> list[Score]:
        x, o = self.game.counts
        found = [Score("X", x), Score("O", o), Score("to move", self.game.to_move.name)]
        left = self._left
        found += [] if left is None else [Score("plays left", left)]
        return [*found, Score("komi", self._komi)] if self._komi else found

    def _won(self) -> str:
        return f"X wins, {self._result()}."

    def _lost(self) -> str:
        return f"O wins, {self._result()}."

    def _drawn(self) -> str:
        return f"Drawn, {self._result()}."

    def _result(self) -> str:
        x, o = self.game.counts
        return f"{x} to {o}" + (f" with {self._komi} for X" if self._komi else "")

    def _ended(self) -> str:
        return f"The game is over: {self._verdict()}"

    def _make(self, seed: int, options: dict[str, Any]) -> Any:
        # Four random plays, so that no two games are alike.
        game = self.game
        return type(game).generate(game.size, game.lookback, 4, seed, rules=game.rules, **options)

    def _start(self, made: Any, puzzle: Any) -> None:
        super()._start(made, puzzle)
        self._reply()

    def _preview(self) -> tuple[Cell, Cell] | None:
        """The line that a click would draw now."""
        head = self.hovered or self.cursor
        if self.selected is None or head is None or head == self.selected:
            return None
        return self.selected, head

    @property
    def tip(self) -> str:
        line = self._preview()
        if line is None:
            return ""
        verdict, _ = self.game.judge(*line)
        if verdict != Verdict.LEGAL:
            return f"Not allowed: {_REFUSED[verdict]}"
        return f"Gains {counted(self.game.gain(*line), 'cell')}."

    def marks(self) -> dict[str, tuple[Cell, ...]]:
        from .tracing import trace

        found = super().marks()
        line = self._preview()
        if line is not None:
            cells = trace(*line)
            found["preview"] = tuple((row, col) for row, col in cells.tolist())
        return found

    def legend(self) -> list[Entry]:
        return [Entry("X", "a cell of the first player"), Entry("O", "a cell of the second player")]

    def describe(self, cell: Cell) -> str:
        color = Color(int(self.game.board[cell]))
        return f"row {cell[0]}, column {cell[1]}: {'empty' if color == Color.EMPTY else color.name}"


class LinearDomination(GridGame, _core.LinearDomination):
    """A position of Linear Domination, with its history.

    * ``text``: ``N K``, an optional name of a rule set (``"document"`` if there is none), and plays ``row col row
      col``, tail first, 1-based, as in the source document. The plays of the text are where the game starts:
      ``.moves`` holds what is played since, ``.plays`` everything. Raises ``LevelError`` with line and column.

    A move is ``(row, col, row, col)``, tail and head, 0-based. Black X makes the plays 0, 2, ..., white O the others. A
    play colors the cells whose open interior its line crosses. ``play`` raises for an illegal play; ``draw`` records
    it, and it colors nothing and uses up its turn.

    Rule sets:

    * ``"document"``: illegal are a play off the board, and one with the midpoint of, or perpendicular to, any of the
      last K plays, illegal ones included. A play of zero length is perpendicular to every play and so freezes the board
      while it is among the last K.
    * ``"standard"``: only legal plays count among the last K, a play of zero length is illegal, and a zero vector is
      perpendicular to nothing.
    * ``"uccs2023"``: ``"document"``, and illegal are also plays with the tail or the head of any of the last K plays,
      as in the author's finished program.

    The game is over when no legal play is left; on boards over 32 x 32 only a frozen board ends it. Then ``WON`` means
    that X has more cells, ``LOST`` that O has.

    Source: a design document of a course in linear algebra (Colorado Springs, 2023).

    >>> import gridwright as gw
    >>> game = gw.LinearDomination.empty(8, 3)
    >>> game.play(0, 0, 3, 7)
    >>> game.play(3, 7, 0, 0)
    Traceback (most recent call last):
        ...
    gridwright.errors.IllegalMoveError: illegal move (3, 7, 0, 0): same midpoint as play 0, (0, 0) to (3, 7), which is \
among the last 3 plays
    >>> game.draw((3, 7), (0, 0))
    <Verdict.SAME_MIDPOINT: 2>
    >>> game.to_move, game.counts, len(game.legal_moves())
    (<Color.X: 1>, (10, 0), 3990)
    """

    NAME = "domination"
    CONTROLS = LinearDominationControls

    def draw(self, tail: Any, head: Any) -> Verdict:
        """Makes a play whether or not it is legal, and returns the verdict on it.

        An illegal play colors nothing and uses up its turn.

        * ``tail``, ``head``: cells ``(row, col)``, on or off the board, below 2^30 in absolute value.

        >>> import gridwright as gw
        >>> game = gw.LinearDomination.empty(8, 3)
        >>> game.draw((0, 0), (0, 9)), game.to_move
        (<Verdict.OUT_OF_BOARD: 1>, <Color.O: 2>)
        """
        return Verdict(self._draw(tail, head))

    def judge(self, tail: Any, head: Any) -> tuple[Verdict, int | None]:
        """Returns the verdict on a play, and the index of the latest play that it clashes with or ``None``.

        * ``tail``, ``head``: cells ``(row, col)``, on or off the board, below 2^30 in absolute value.

        >>> import gridwright as gw
        >>> game = gw.LinearDomination("8 3 1 1 1 5 2 2 5 8")
        >>> game.judge((4, 4), (7, 4))
        (<Verdict.PERPENDICULAR: 3>, 0)
        """
        verdict, clash = self._judge(tail, head)
        return Verdict(verdict), clash

    @property
    def to_move(self) -> Color:
        """Whose turn it is, ``Color.X`` or ``Color.O``."""
        return Color(self._to_move())

    @property
    def winner(self) -> Color | None:
        """Who has more cells, ``Color.X`` or ``Color.O``; ``None`` if the numbers are equal."""
        return Color(self._winner()) or None

    @property
    def lines(self) -> list[ParametricLine]:
        """The lines of all plays, those off the board included.

        >>> import gridwright as gw
        >>> gw.LinearDomination("4 0 1 1 2 4").lines
        [ParametricLine((0, 0), (1, 3))]
        """
        return [ParametricLine(play[:2], play[2:]) for play in self.plays.tolist()]


def run_game(
    input_path: str | os.PathLike[str],
    output_path: str | os.PathLike[str],
    *,
    rules: str | None = None,
    empty: str = ".",
    verbose: bool = False,
    progress: Any = None,
) -> None:
    """Does what the program of the source document does: reads ``N K`` and plays, writes the board and the counts.

    * ``input_path``: a text file with ``N K`` and the plays ``row col row col``, 1-based.
    * ``output_path``: the file to write.
    * ``rules``: ``"document"``, ``"standard"`` or ``"uccs2023"``; ``None`` for the rule set that the text names, which
      is ``"document"`` if it names none.
    * ``empty``: the character of an empty cell; the document has a space.
    * ``verbose``: whether to print the board before the first play and after each, separated by blank lines.
    * ``progress``: a callable that receives the number of plays so far, or an object with ``update`` such as tqdm's.

    Raises ``LevelError`` for a text that cannot be read, and then writes nothing.

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
    whole = _core.domination_read(LinearDomination, read_text(input_path), rules, progress)
    report = whole.report(empty=empty)
    if verbose:
        game = LinearDomination.empty(whole.size, whole.lookback, rules=whole.rules)
        print(game.display_board(empty=empty))
        for row, col, head_row, head_col in whole.plays.tolist():
            game.draw((row, col), (head_row, head_col))
            print(game.display_board(empty=empty))
    write(output_path, report)
