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
from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import cache
from itertools import pairwise
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .arguments import choice, flag, whole
from .arguments import path as read_path
from .controls import Action, Cell, Controls, Entry, Hint, Move, Score, Setting, Verb, refuse
from .errors import SearchLimitError
from .files import write
from .game import GridGame, read_text
from .insight import GRADES, Difficulty, Explanation
from .insight import grade as read_grade
from .status import Status
from .words import counted

__all__ = ["Color", "LinearDomination", "ParametricLine", "Verdict", "run_game"]

ParametricLine = _core.ParametricLine

Self = TypeVar("Self", bound="LinearDomination")

_CODES = _core.domination_codes()
_VERDICTS = _core.domination_verdicts()


class Color(IntEnum):
    """The codes of ``LinearDomination.board``, which also name the players; X is black and plays first.

    >>> Color(1).name
    'X'
    """

    EMPTY = _CODES["EMPTY"]
    X = _CODES["X"]
    O = _CODES["O"]  # noqa: E741 - the symbol of the source document


class Verdict(IntEnum):
    """The verdict of the rules on a play. If several rules refuse the play, the verdict is the first in this order.

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
    Verdict.OUT_OF_BOARD: "it leaves the board",
    Verdict.SAME_MIDPOINT: "it shares its midpoint with",
    Verdict.PERPENDICULAR: "it is perpendicular to",
    Verdict.SAME_TAIL: "it shares its tail with",
    Verdict.SAME_HEAD: "it shares its head with",
    Verdict.ZERO_LENGTH: "it has no length",
}
"""Maps a verdict to the reason for it; messages add the name of the earlier line that causes it, if there is one."""

_MAX_CHOICES = 1024
"""The largest number of cells of a board on which all heads of legal lines are marked."""


_MAX = 8192
"""The largest number of rows and columns of a board."""


def _line(play: tuple[int, ...]) -> str:
    row, col, head_row, head_col = play
    return f"the line from ({row}, {col}) to ({head_row}, {head_col})"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(found: dict[str, Any], player: str) -> str:
    """Returns in words the reason for a play; ``player`` is the name of the player to move."""
    rule, (play, gain, answer), end = found["rule"], found["best"], found["end"]
    rival, most, denied = found["greedy"]
    gains = f"{_upper(_line(play))} gains {_gain(gain)}"
    other = f"{_upper(_line(rival))}, which gains {most if most > gain else 'as much'},"
    if rule == "gain":
        reason = f"{gains}, and no legal line gains more."
        reason += " No answer is left." if answer is None else f" The best answer gains {answer[1]}."
        if found["compared"] and end is None:
            reason = reason[:-1] + ", and no other line does better after its best answer."
    elif rule == "deny":
        leaves = "no answer" if answer is None else f"a best answer of {answer[1]}"
        reason = f"{gains} and leaves {leaves}. {other} would leave an answer of {denied[1]}."
    else:
        reason = f"{gains}, and a search of all plays to the end shows that it is best. "
        reason += f"{other} ends {counted(found['lost'], 'cell')} worse."
    if end is None:
        return reason
    return f"{reason} {_outcome(player, *end)}"


def _outcome(player: str, margin: int, plays: int) -> str:
    """Returns the sentence about the end that best play leads to; ``margin`` is that of ``player``."""
    lead = _lead_in_words(margin)
    return f"With best play by both sides, {player} is {lead} at the end, after {counted(plays, 'play')}."


def _gain(gain: int) -> str:
    """Returns in words how much a play gains; a cell taken from the opponent counts twice."""
    return f"{counted(gain, 'cell')} on the opponent"


def _lead_in_words(margin: int) -> str:
    """Returns in words how far ahead a player is."""
    return "level" if margin == 0 else f"{counted(abs(margin), 'cell')} {'ahead' if margin > 0 else 'behind'}"


_PERSON = "person"
"""The name of the opponent that is a second person at the same board."""

_QUICK = 20
"""The largest size of a board on which the reply comes at once; on larger ones the player's line is shown first."""

_OPPONENTS = ("greedy", "random", "minimax", _PERSON)


def _crossed(play: tuple[int, ...]) -> tuple[Cell, ...]:
    """Returns the cells that a line crosses, from its tail to its head."""
    from .tracing import trace

    return tuple((row, col) for row, col in trace(play[:2], play[2:]).tolist())


def _ending(game: Any) -> Difficulty | None:
    """Returns the difficulty of an endgame; ``None`` if the end is too far away to be searched, or has been reached."""
    try:
        found: Difficulty = game.difficulty(limit=2_000_000)
    except (ValueError, SearchLimitError):
        return None
    return found


@cache
def _level_grade(name: str) -> str:
    """Returns the name of the grade of a packaged level; empty if its end is too far away to be searched."""
    ending = _ending(LinearDomination.level(name))
    return "" if ending is None else ending.name


class LinearDominationControls(Controls):
    """The controls of Linear Domination, for one player or two: two clicks or a drag draws a line, which is previewed.

    The opponent is the greedy player at first, or the minimax player in an endgame puzzle; the key ``o`` or the setting
    ``opponent`` selects another one, or a second person. A game ends when the agreed number of plays has been made, or
    when no legal play is left. Whoever moves last has a great advantage; to make up for it, ``komi`` cells are added to
    the count of X.
    """

    GOAL = (
        "Own more cells than the other player at the end; a line takes the cells that it crosses. A line must not "
        "share its midpoint with any of the most recent lines, or be perpendicular to one of them."
    )
    CLICK = "choose the tail of a line, then its head"
    DRAG = "draw a line from its tail to its head"
    VERBS: ClassVar[dict[str, Verb]] = {
        "draw": Verb("pair", "draw a line from its tail to its head", "draw 1 1 5 2"),
    }
    COUNT = "play"
    HOVER = True
    AFTER: ClassVar[dict[str, str]] = {"twins": "level20", "empty": "level25"}

    _opponent = _chosen_opponent = _OPPONENTS[0]
    _chosen_side: str | None = None
    _side, _plies, _komi = "X", 20, 0

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self._heads: tuple[Any, tuple[Cell, ...]] = (None, ())
        self._side = game.to_move.name
        if self.name and _level_grade(self.name):
            self._start_endgame()

    def _actions(self) -> dict[str, Action]:
        found = super()._actions()
        found["o"] = Action("change the opponent", self._next_opponent)
        return found

    def _next_opponent(self) -> None:
        value = _OPPONENTS[(_OPPONENTS.index(self._opponent) + 1) % len(_OPPONENTS)]
        self.choose("opponent", value)
        if not self.message:
            self.message = f"The opponent is {'a second person' if value == _PERSON else f'the {value} player'}."

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
            self._opponent = self._chosen_opponent = value
        elif name == "side":
            if value != self._side and len(self.game.moves):
                self._puzzle.assisted = True  # a player who changes sides during a game may play for both
            self._side = self._chosen_side = value
        elif name == "plies":
            self._plies = 0 if value == "no limit" else int(value)
        else:
            self._komi = int(value)
        self._reply()

    def _keep(self) -> Any:
        return {
            "opponents": [self._opponent, self._chosen_opponent],
            "sides": [self._side, self._chosen_side],
            "numbers": [self._plies, self._komi],
            "endgame": self._puzzle.extra.get("endgame", False),
        }

    def _restore(self, kept: Any) -> None:
        self._opponent, self._chosen_opponent = (choice("opponent", name, _OPPONENTS) for name in kept["opponents"])
        side, chosen = kept["sides"]
        self._side = choice("side", side, ("X", "O"))
        self._chosen_side = None if chosen is None else choice("side", chosen, ("X", "O"))
        self._plies, self._komi = (whole("plies or komi", number, 0) for number in kept["numbers"])
        self._puzzle.extra["endgame"] = flag("endgame", kept["endgame"])

    @property
    def _left(self) -> int | None:
        """Plays left in this game; ``None`` without a limit."""
        return max(0, self._plies - len(self.game.moves)) if self._plies else None

    @property
    def _cut(self) -> int:
        """Plays left if the agreed end is near and may come while legal plays are left; otherwise 0."""
        left = self._left or 0
        if left < 2:
            return left
        ending = _ending(self.game)
        # Each play of an endgame rules out at least its own line, so no more plays than lines can follow.
        return left if ending is not None and left < ending.measures["lines"] else 0

    @property
    def status(self) -> Status:
        if self._left != 0 and self.game.status == Status.OPEN:
            return Status.OPEN
        margin = self._margin()
        # The result is reversed for a player who plays O.
        sign = -1 if self._opponent != _PERSON and self._side == "O" else 1
        return Status.DRAWN if margin == 0 else Status.WON if margin * sign > 0 else Status.LOST

    @property
    def outcome(self) -> str:
        if self._opponent != _PERSON or self.status in (Status.OPEN, Status.DRAWN):
            return super().outcome
        return f"{'X' if self.status == Status.WON else 'O'} wins"

    def _margin(self) -> int:
        """Returns by how many cells X is ahead, the komi included."""
        x, o = self.game.counts
        return int(x) + self._komi - int(o)

    def _clicked(self, cell: Cell, kind: int) -> None:
        if self.over:
            raise refuse("The game is over.")
        if self.selected is None:
            self.selected = cell
            if not self._choices() and self.game.height * self.game.width <= _MAX_CHOICES:
                self.selected = None
                raise refuse(f"No legal line begins at {cell}.")
            self.message = "Now click the head."
            return
        first, self.selected = self.selected, None
        # A second click on the tail draws a line of no length if the rules allow it; otherwise it cancels.
        if first != cell or self.game.is_legal(*first, *cell):
            self._draw_line(first, cell)

    def _draw_line(self, tail: Cell, head: Cell) -> None:
        if self.game.is_legal(*tail, *head):
            self._play((*tail, *head))
            return
        why, clash = self._why_not(tail, head)
        self._shown = Hint((), {"clash": clash}, "")
        raise refuse(f"This line is not allowed: {why}.")

    def _why_not(self, tail: Cell, head: Cell) -> tuple[str, tuple[Cell, ...]]:
        """Returns why a line is refused, and the cells of the line that it clashes with, if there is one."""
        verdict, index = self.game.judge(tail, head)
        if index is None:
            return _REFUSED[verdict], ()
        other = tuple(self.game.plays[index].tolist())
        return f"{_REFUSED[verdict]} {_line(other)}", _crossed(other)

    def _choices(self) -> tuple[Cell, ...]:
        """Returns the heads of legal lines from the chosen tail; none on boards of more than `_MAX_CHOICES` cells."""
        game, tail = self.game, self.selected
        if tail is None or game.height * game.width > _MAX_CHOICES:
            return ()
        seen = (self._mark(), tail)
        if self._heads[0] != seen:
            cells = np.ndindex(*game.shape)
            self._heads = seen, tuple((row, col) for row, col in cells if game.is_legal(*tail, row, col))
        return self._heads[1]

    def _dragged(self, path: list[tuple[float, float]]) -> None:
        tail, head = ((round(row), round(col)) for row, col in (path[0], path[-1]))
        size = self.game.size
        self.selected = None
        if tail != head and all(0 <= part < size for part in (*tail, *head)):
            self._draw_line(tail, head)

    def _handles(self) -> tuple[Cell, ...]:
        size = self.game.size
        return tuple((row, col) for row in range(size) for col in range(size))

    def _reply(self) -> None:
        """Plays for the opponent until it is the player's turn."""
        game = self.game
        while not self._is_players_turn() and not self.over:
            if game.size > _QUICK:
                self._show_meanwhile(f"{self._opponent.capitalize()} is looking for a line ...")
            move = self._suggest(self._opponent)
            if move is None:
                self.message = ""
                return
            self._discard_undone(len(game.moves))
            game.play(*move)
            self._note_help()
            self.message = f"{self._opponent.capitalize()} drew {_line(move)}."

    def _after_play(self, moves: Any) -> None:
        self._reply()
        self._note_help()

    def _note_help(self) -> None:
        """Notes that a win does not count as solving the level if the settings make it easier than it is.

        A level is solved against its default opponent or a stronger one, without komi; a puzzle must be played to its
        end.
        """
        puzzle = bool(self.name and _level_grade(self.name))
        strong = ("minimax",) if puzzle else ("minimax", _OPPONENTS[0])
        cut = puzzle and self.over and self.game.status == Status.OPEN
        if self._opponent not in strong or self._komi or cut:
            self._puzzle.assisted = True

    def _is_players_turn(self) -> bool:
        return self._opponent == _PERSON or self.game.to_move.name == self._side

    def _lead(self) -> int:
        # The players take turns, so after an even number of moves, whoever moves now also moved first.
        return int(self._is_players_turn() != (len(self.game.moves) % 2 == 0)) if self._opponent != _PERSON else 0

    def _undo(self) -> None:
        game, puzzle, played = self.game, self._puzzle, len(self.game.moves)
        super()._undo()
        if self._puzzle is puzzle and len(game.moves) < played:
            # A reply that followed a change of a setting is an action of its own; it is undone with the play before it.
            while not self._is_players_turn() and len(game.moves) > self._lead():
                game.undo()
        self._reply()

    def _redo(self) -> None:
        puzzle = self._puzzle
        super()._redo()
        if self._puzzle is puzzle:
            while not self._is_players_turn() and not self.over and self.game.redo():
                pass
        self._reply()

    def _take_out(self, puzzle: Any) -> None:
        # Each puzzle keeps its side and its opponent.
        self._puzzle.extra["players"] = self._side, self._opponent
        super()._take_out(puzzle)
        new = self._chosen_side or self.game.to_move.name, self._chosen_opponent
        self._side, self._opponent = puzzle.extra.get("players", new)

    def _suggest(self, player: str) -> Move | None:
        game, cut = self.game, self._cut if player == "minimax" else 0
        if player == "random":
            found = game.sample_legal()
        elif player == "minimax" and not cut and _ending(game) is not None:
            (found,) = game.explain().moves
        else:
            try:
                found = game.suggest(player, depth=cut or 2, limit=50_000_000)
            except SearchLimitError:
                found = game.suggest("greedy")
        return None if found is None else tuple(int(part) for part in found)

    def _answer(self, game: Any, progress: Callable[[int], object]) -> list[Move] | None:
        """Returns greedy plays for both sides to the end of the game; at most 100 if plays are unlimited."""
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

    def _steps(self, moves: Sequence[Move]) -> list[tuple[Move, ...]]:
        if self._opponent == _PERSON:
            return super()._steps(moves)
        # The opponent's reply belongs to the same step as the player's play, so that it is the player's turn
        # wherever the answer is stopped.
        cuts = [0, *range(2 if self._is_players_turn() else 1, len(moves), 2), len(moves)]
        return [tuple(moves[start:end]) for start, end in pairwise(cuts)]

    def _find_hint(self, progress: Callable[[int], object]) -> Hint | None:
        game, cut = self.game, self._cut
        if not cut:
            found = super()._find_hint(progress)
            if found is None:
                return None
            (move,) = found.moves
            cells = {"line": _crossed(move), "hint": self._cells_of(move), "because": found.cells["because"]}
            return Hint(found.moves, cells, found.sentence)
        # Only the plays up to the agreed end count; the reasons that `explain` gives look further ahead.
        margin, plays = game.best_line(cut, progress=progress)
        if not len(plays):
            return None
        move = tuple(plays[0].tolist())
        gain = _gain(game.gain(move[:2], move[2:]))
        if cut == 1:
            sentence = f"This is the last play: {_line(move)} gains {gain}, and no legal line gains more."
        else:
            sentence = (
                f"{_upper(_line(move))} gains {gain}, and a search of the {cut} plays left shows that it is best. "
                + _outcome(game.to_move.name, margin, len(plays))
            )
        return Hint((move,), {"line": _crossed(move), "hint": self._cells_of(move)}, sentence)

    def _scores(self) -> list[Score]:
        x, o = self.game.counts
        found = [Score("X", x), Score("O", o)]
        if not self.over:
            left = self._left
            found.append(Score("to move", self.game.to_move.name))
            # An endgame is over by the agreed number of plays at the latest, so the number left is not shown.
            found += [] if left is None or self._puzzle.extra.get("endgame") else [Score("plays left", left)]
        return [*found, Score("komi", self._komi)] if self._komi else found

    def _won(self) -> str:
        x, o = self.game.counts
        return self._result("X wins", x, o) if self._margin() > 0 else self._result("O wins", o, x)

    def _lost(self) -> str:
        return self._won()

    def _drawn(self) -> str:
        return self._result("the game is drawn", *self.game.counts)

    def _result(self, outcome: str, first: int, second: int) -> str:
        """Returns a sentence with the reason for the end, the outcome and the counts, the count of the winner first."""
        why = "All agreed plays have been made" if self.game.status == Status.OPEN else "No legal line is left"
        return f"{why}: {outcome}, {first} to {second}" + (f" with a komi of {self._komi}." if self._komi else ".")

    @property
    def difficulties(self) -> tuple[str, ...]:
        return GRADES

    def _grade(self, name: str) -> str:
        return _level_grade(name)

    def _make(self, seed: int, options: dict[str, Any]) -> Any:
        game = self.game
        lookback, plays = game.lookback, None
        if options:
            # A puzzle needs a lookback that covers all of its plays.
            lookback = max(lookback, (2 * game.size - 1) ** 2)
        else:
            # Four random plays, so that games differ.
            plays = 4
        return type(game).generate(game.size, lookback, plays, seed, rules=game.rules, **options)

    def _start(self, made: Any, puzzle: Any) -> None:
        super()._start(made, puzzle)
        if not self._start_endgame():
            self._reply()

    def _start_endgame(self) -> bool:
        """Sets opponent, side and message if the position is an endgame puzzle, and returns whether it is one."""
        ending = _ending(self.game)
        if ending is None:
            return False
        # In a puzzle the player is to move, and the opponent answers with best play.
        self._opponent, self._side = "minimax", self.game.to_move.name
        lines, stand = int(ending.measures["lines"]), _lead_in_words(int(ending.measures["margin"]))
        self.message = f"The end is near: {counted(lines, 'legal line')} {'is' if lines == 1 else 'are'} left. "
        self.message += f"You are {self._side}"
        whole = self._left is None or self._left >= lines
        self._puzzle.extra["endgame"] = whole
        # The margin is known only for a game that goes on until no legal line is left.
        self.message += f"; with best play you end {stand}." if whole else "."
        return True

    def _preview(self) -> tuple[Cell, Cell] | None:
        """Returns the line that a click or the end of the drag would draw now as (tail, head); ``None`` if none."""
        tail, head = self.grabbed or self.selected, self.hovered or self.cursor
        if tail is None or head is None or self.over:
            return None
        # A drag back to the tail cancels, and a click on the tail draws only a legal line.
        if tail == head and (self.grabbed is not None or not self.game.is_legal(*tail, *head)):
            return None
        return tail, head

    @property
    def tip(self) -> str:
        line = self._preview()
        if line is None:
            return ""
        if not self.game.is_legal(*line[0], *line[1]):
            return f"Not allowed: {self._why_not(*line)[0]}."
        mine = self.game.to_move
        board = self.game.board[tuple(np.array(_crossed((*line[0], *line[1]))).T)]
        theirs = int(((board != Color.EMPTY) & (board != mine)).sum())
        new = f"Takes {counted(int((board == Color.EMPTY).sum()), 'empty cell')}"
        other = f" and {counted(theirs, 'cell')} of {'O' if mine == Color.X else 'X'}" if theirs else ""
        return f"{new}{other}: gains {_gain(self.game.gain(*line))}."

    def marks(self) -> dict[str, tuple[Cell, ...]]:
        found = super().marks()
        if self.selected is not None:
            found["choices"] = self._choices()
        line = self._preview()
        if line is not None:
            found["preview"] = found["aim"] = _crossed((*line[0], *line[1]))
            if not self.game.is_legal(*line[0], *line[1]):
                found["clash"] = self._why_not(*line)[1]
        return found

    def legend(self) -> list[Entry]:
        return [Entry("X", "a cell of the first player"), Entry("O", "a cell of the second player")]

    def _contents(self, cell: Cell) -> str:
        color = Color(int(self.game.board[cell]))
        return "empty" if color == Color.EMPTY else color.name


class LinearDomination(GridGame, _core.LinearDomination):
    """A position of Linear Domination, with its history.

    * ``text``: the size N and the lookback K, optionally the name of a rule set (``"document"`` if there is none), and
      plays ``row col row col``, tail first, 1-based, as in the source document. The game starts after the plays of the
      text: ``.moves`` holds what has been played since, ``.plays`` everything. Raises ``LevelError`` with line and
      column for other text.

    A move is ``(row, col, row, col)``, tail and head, 0-based. Black X makes the plays 0, 2, ..., white O the others. A
    play colors the cells whose open interior its line crosses. For an illegal play, ``play`` raises
    ``IllegalMoveError``, while ``draw`` records the play, which colors nothing and uses up the turn.

    Rule sets:

    * ``"document"``: a play is illegal if it leaves the board, or if it has the same midpoint as, or is perpendicular
      to, any of the last K plays, illegal ones included. A play of zero length is perpendicular to every play, so no
      play is legal while it is among the last K: the board is frozen.
    * ``"standard"``: only legal plays count among the last K, a play of zero length is illegal, and a zero vector is
      perpendicular to nothing.
    * ``"uccs2023"``: the rules of ``"document"``, and a play is also illegal if it has the same tail or head as one of
      the last K plays, as in the finished program of the document's author.

    The game is over when no legal play is left; on boards larger than 32 x 32 only a frozen board ends it. The status
    is then ``WON`` if X has more cells, ``LOST`` if O has, and ``DRAWN`` if the numbers are equal.

    Source: a design document of a course in linear algebra (Colorado Springs, 2023).

    >>> import gridwright as gw
    >>> game = gw.LinearDomination.empty(8, 3)
    >>> game.play(0, 0, 3, 7)
    >>> game.play(3, 7, 0, 0)
    Traceback (most recent call last):
        ...
    gridwright.errors.IllegalMoveError: illegal move (3, 7, 0, 0): same midpoint as play 0, (0, 0) to (3, 7), which is \
among the last 3 legal plays
    >>> game.draw((3, 7), (0, 0))
    <Verdict.SAME_MIDPOINT: 2>
    >>> game.to_move, game.counts, len(game.legal_moves())
    (<Color.X: 1>, (10, 0), 3990)
    """

    NAME = "domination"
    CONTROLS = LinearDominationControls

    def draw(self, tail: Any, head: Any) -> Verdict:
        """Makes a play whether or not it is legal, and returns the verdict on it.

        An illegal play colors nothing and uses up the turn.

        * ``tail``, ``head``: cells ``(row, col)``, on or off the board, below 2^30 in absolute value.

        >>> import gridwright as gw
        >>> game = gw.LinearDomination.empty(8, 3)
        >>> game.draw((0, 0), (0, 9)), game.to_move
        (<Verdict.OUT_OF_BOARD: 1>, <Color.O: 2>)
        """
        return Verdict(self._draw(tail, head))

    def judge(self, tail: Any, head: Any) -> tuple[Verdict, int | None]:
        """Returns the verdict on a play and the index of the latest earlier play that causes the verdict.

        The index is ``None`` if no earlier play causes the verdict.

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

    @classmethod
    def generate(
        cls: type[Self],
        size: int,
        lookback: int,
        plays: int | None = None,
        seed: int | None = None,
        *,
        rules: str = "standard",
        difficulty: int | str | None = None,
        limit: int | None = None,
        progress: Any = None,
    ) -> Self:
        """Creates a game of random legal plays. The same arguments and seed give the same game on every platform.

        * ``size``: the number of rows and of columns, an integer from 1 to 8192; with ``difficulty`` at most 8.
        * ``lookback``: the number of plays that the rules look back at, an integer from 0 to 2^31 - 1. With
          ``difficulty`` it must cover all plays: at least ``(2 * size - 1) ** 2``, the most plays that a game can
          then have.
        * ``plays``: the number of plays, an integer from 0 to 2^24; fewer are made if no legal play is left. Must be
          ``None`` (the default) with ``difficulty``, and must be given without it.
        * ``seed``: an integer from 0 to 2^64 - 1; ``None`` (the default) for a random one.
        * ``rules``: ``"standard"`` (the default), ``"document"`` or ``"uccs2023"``; see the class.
        * ``difficulty``: a grade from 1 to 5 or its name, as ``difficulty()`` grades positions; the game is then near
          its end, has exactly this grade, and its next play matters. ``None`` (the default) for any position.
        * ``limit``: the most plays that may be made or examined, an integer from 0 to 2^64 - 1; ``None`` (the default)
          for no limit. Plays are examined if legal plays are rare, or to find the grade of a position.
        * ``progress``: a callable that receives the number of plays so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        Raises ``ValueError`` for an argument out of bounds, ``TypeError`` for one of the wrong type, and
        ``SearchLimitError`` if ``limit`` is reached or none of 10,000 games has a position of the grade.

        >>> import gridwright as gw
        >>> game = gw.LinearDomination.generate(8, 3, 10, seed=1)
        >>> len(game.plays), game == gw.LinearDomination.generate(8, 3, 10, seed=1)
        (10, True)
        >>> gw.LinearDomination.generate(4, 49, difficulty="hard", seed=1).difficulty().name
        'hard'
        """
        grade = None if difficulty is None else read_grade(difficulty)
        made: Self = cls._generate(size, lookback, plays, seed, rules, grade, limit, progress)
        return made

    @classmethod
    def blank(
        cls: type[Self], height: int, width: int | None = None, *, lookback: int = 3, rules: str = "standard"
    ) -> Self:
        """Creates an empty board on which to set up plays.

        * ``height``: the number of rows, an integer from 1 to 8192.
        * ``width``: the number of columns; must equal ``height``, because boards are square. ``None`` (the default)
          takes ``height``.
        * ``lookback``: the number of plays that the rules look back at, an integer from 0 to 2^31 - 1. Default 3.
        * ``rules``: ``"standard"`` (the default), ``"document"`` or ``"uccs2023"``; see the class.

        Raises ``ValueError`` for any other number or name, and ``TypeError`` for any other type.

        >>> import gridwright as gw
        >>> gw.LinearDomination.blank(5).shape
        (5, 5)
        """
        size = whole("height", height, 1, _MAX)
        if width is not None and whole("width", width, 1, _MAX) != size:
            raise ValueError(f"width must equal height ({size}), because boards are square, got {int(width)}")
        blank: Self = cls.empty(size, lookback, rules=rules)
        return blank

    def solve(self, plies: int = 2, *, limit: int | None = None, progress: Any = None) -> npt.NDArray[np.int32] | None:
        """Returns the best sequence of plays for both players, a fresh ``(n, 4)`` int32 array. The game is not changed.

        The sequence is that of ``best_line``: best for a game that ends after ``plies`` more plays, and shorter if the
        legal plays run out earlier. ``None`` means that there is no legal play; with ``plies=0`` the array is empty.

        * ``plies``: the number of plays to look ahead, an integer from 0 to 1000, default 2. The work grows rapidly
          with this number.
        * ``limit``: the most plays that the search may look at, 0 to 2^64 - 1, or ``None`` (the default) for no limit.
        * ``progress``: a callable that receives the number of plays so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        Raises ``SearchLimitError`` if ``limit`` is reached, or if the search must list more than 2,000,000 legal plays
        of a position.

        >>> import gridwright as gw
        >>> gw.LinearDomination.empty(3, 2).solve().shape
        (2, 4)
        """
        _, plays = self.best_line(plies, limit=limit, progress=progress)
        return None if len(plays) == 0 and plies else plays

    def play_on(
        self, plies: int = 2, *, limit: int | None = None, progress: Any = None
    ) -> npt.NDArray[np.int32] | None:
        """Plays what ``solve`` returns, and returns it; ``undo`` takes the plays back one by one.

        * ``plies``: the number of plays to look ahead, an integer from 0 to 1000, default 2. The work grows rapidly
          with this number.
        * ``limit``: the most plays that the search may look at, 0 to 2^64 - 1, or ``None`` (the default) for no limit.
        * ``progress``: a callable that receives the number of plays so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        Returns ``None`` and plays nothing if there is no legal play and ``plies`` is not 0.

        >>> import gridwright as gw
        >>> game = gw.LinearDomination.empty(3, 2)
        >>> len(game.play_on(3)), len(game.moves)
        (3, 3)
        """
        plays = self.solve(plies, limit=limit, progress=progress)
        for play in () if plays is None else plays.tolist():
            self.play(*play)
        return plays

    def explain(
        self, cell: tuple[int, int] | None = None, *, limit: int | None = None, progress: Any = None
    ) -> Explanation:
        """Returns a good play for the player to move, with its reason; the game is not changed.

        The gain of a play is the change in the lead: one cell for each empty cell that it takes, and two for each cell
        of the other player; ``gain`` computes it. The rules, from easy to hard:

        * ``gain``: no legal line gains more now, and no other line is found to do better later.
        * ``deny``: another line gains as much or more, but this one is ahead once the best answer is subtracted.
        * ``endgame``: a search of all plays to the end of the game shows that the line is best, and the other rules
          find no best line.

        On boards up to 8 x 8, the game is searched to its end if at most 18 legal plays are left and no play can drop
        out of the last K before the end. Otherwise answers are compared on boards up to 10 x 10, and on larger ones the
        rule is ``gain``. A number of plays that the players have agreed on is not taken into account.

        * ``cell``: a cell ``(row, col)``, to explain the line over this cell that gains most, always with the rule
          ``gain``; a cell off the board raises ``MoveError``. ``None`` (the default) for all lines.
        * ``limit``: the most plays that the search may look at, 0 to 2^64 - 1, or ``None`` (the default) for no limit.
        * ``progress``: a callable that receives the number of plays so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        ``moves`` holds the play in an array ``(1, 4)``; it is empty if there is no legal play. ``cells["so"]`` are the
        cells that the play crosses; for ``deny``, ``cells["because"]`` are the other cells that the denied answer would
        have crossed.

        Raises ``SearchLimitError`` if ``limit`` is reached.

        >>> import gridwright as gw
        >>> print(gw.LinearDomination.empty(3, 2, rules="standard").explain((1, 1)))
        Of the legal lines over (1, 1), the line from (0, 0) to (1, 2) gains most, 4 cells on the opponent. The best \
answer gains 7.
        """
        from .tracing import trace

        found = self._advise(cell, limit, progress)
        none = np.zeros((0, 2), dtype=np.int32)
        if found is None:
            over = None if cell is None else f"({int(cell[0])}, {int(cell[1])})"
            sentence = "No legal line is left." if over is None else f"No legal line crosses {over}."
            return Explanation("gain", sentence, {"because": none, "so": none}, none.reshape(0, 4), self.copy())
        play, gain, answer = found["best"]
        if cell is None:
            sentence = _sentence(found, self.to_move.name)
        else:
            after = "No answer is left." if answer is None else f"The best answer gains {answer[1]}."
            over = f"({int(cell[0])}, {int(cell[1])})"
            sentence = f"Of the legal lines over {over}, {_line(play)} gains most, {_gain(gain)}. {after}"
        so = trace(play[:2], play[2:])
        because = none
        if found["rule"] == "deny":
            denied = found["greedy"][2][0]
            crossed = trace(denied[:2], denied[2:])
            because = crossed[~(crossed[:, None] == so[None]).all(axis=2).any(axis=1)]
        moves = np.array([play], dtype=np.int32)
        return Explanation(found["rule"], sentence, {"because": because, "so": so}, moves, self.copy())

    def difficulty(self, *, limit: int | None = None, progress: Any = None) -> Difficulty:
        """Grades how hard it is to finish the game as well as possible, for the player to move.

        The position is played out; each turn follows the easiest rule of ``explain`` that finds a best line. A turn of
        the player to move matters if some lines lead to a worse end than others; it earns 1 point for ``gain``, 2 for
        ``deny``, 3 for ``endgame``. The points set the grade: trivial up to 1, easy 2, medium 3 or 4, hard 5 or 6,
        fiendish 7 or more. ``rules`` counts the turns that matter by rule. The measures:

        * ``points``: the points that set the grade; ``turns``: the turns of the player to move that matter.
        * ``plays``: the plays to the end of the game, those of both players.
        * ``lines``: the lines to choose from now; plays that cross the same cells and forbid the same plays, often a
          play and its reverse, are one line. ``best``: how many of them are best.
        * ``lost``: how much smaller the margin at the end is after the line that gains most, the first of
          equals, than after a best one.
        * ``margin``: the cells of the player to move minus those of the other player at the end.

        Parameters:

        * ``limit``: the most plays that the search may look at, 0 to 2^64 - 1, or ``None`` (the default) for no limit.
        * ``progress``: a callable that receives the number of plays so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        Raises ``ValueError`` if no legal play is left, or if the end of the game is too far away: on boards larger
        than 8 x 8, with more than 18 legal plays, or if a play may drop out of the last K before the end. Raises
        ``SearchLimitError`` if ``limit`` is reached. For six packaged levels, the end is too far away: ``corners``,
        ``crowd``, ``empty``, ``first_lines``, ``last_line`` and ``three_by_three``.

        >>> import gridwright as gw
        >>> grade = gw.LinearDomination.generate(4, 49, difficulty="medium", seed=1).difficulty()
        >>> print(grade, 3 <= grade.measures["points"] <= 4)
        medium (3 of 5) True
        """
        return Difficulty(*self._difficulty(limit, progress))

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
    """Runs the program of the source document: reads ``N K`` and the plays, writes the board and the counts.

    * ``input_path``: a text file with ``N K`` and the plays ``row col row col``, 1-based.
    * ``output_path``: the file to write.
    * ``rules``: ``"document"``, ``"standard"`` or ``"uccs2023"``; ``None`` (the default) for the rule set that the
      text names, or ``"document"`` if it names none.
    * ``empty``: the character of an empty cell, default ``"."``; the document uses a space.
    * ``verbose``: whether to print the board before the first play and after each play, separated by blank lines.
      Default ``False``.
    * ``progress``: a callable that receives the number of plays so far, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    Raises ``LevelError`` for text that cannot be read, and then writes nothing.

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
    verbose = flag("verbose", verbose)
    source, target = read_path("input_path", input_path), read_path("output_path", output_path)
    played = _core.domination_read(LinearDomination, read_text(source), rules, progress)
    report = played.report(empty=empty)
    if verbose:
        game = LinearDomination.empty(played.size, played.lookback, rules=played.rules)
        print(game.display_board(empty=empty))
        for row, col, head_row, head_col in played.plays.tolist():
            game.draw((row, col), (head_row, head_col))
            print(game.display_board(empty=empty))
    write(target, report)
