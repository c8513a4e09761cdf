"""GeeseSpotter: show every field without a goose; a number counts the geese around its field.

The functions of the source document work on numpy boards, ``(y_dim, x_dim)`` uint8, in place:

>>> from gridwright import geese
>>> board = geese.create_board(4, 4)
>>> board[0, 2] = board[2, 1] = 9
>>> geese.compute_neighbours(board)
>>> geese.hide_board(board)
>>> geese.reveal(board, 0, 0), geese.mark(board, 2, 1), geese.reveal(board, 0, 2)
(0, 0, 9)
>>> geese.print_board(board)
019*
12**
*M**
****

The game is ``gridwright.GeeseSpotter``, with exact chances and reasons:

>>> import gridwright as gw
>>> game = gw.GeeseSpotter("4 4 2\\n20 21 29 21\\n21 22 22 21\\n21 29 21 20\\n21 21 21 20")
>>> game.show((0, 0))
0
>>> print(game)
01**
12**
****
****
>>> game.probabilities().round(2)[1]
array([0. , 0. , 0.5, 0. ])
>>> print(game.explain((0, 3)))
The 2 at (1, 1) needs all remaining geese: (0, 3) is safe.

``GeeseSpotter.explain`` reasons by five rules, from easy to hard:

* ``count``: all geese around a number are known, so its other hidden neighbors are safe, or the number needs a goose in
  every hidden neighbor.
* ``subset``: comparing two numbers decides a field.
* ``remaining``: the number of geese that are left decides, alone or with up to four numbers that share no field.
* ``exact``: the field is safe, or holds a goose, on all boards that agree with what is visible.
* ``guess``: no other rule decides the field.

``GeeseSpotter.difficulty`` plays the board with the easiest rule at every point; the rules used give the grade:

1. trivial: ``count`` alone.
2. easy: ``subset`` once or twice.
3. medium: ``subset`` three times or more.
4. hard: ``remaining`` or ``exact``.
5. fiendish: ``guess``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .arguments import flag, whole
from .controls import Action as KeyAction
from .controls import Controls, Entry, Hint, Score, Setting, Verb, refuse
from .errors import SearchLimitError
from .game import GridGame
from .geese_fields import (
    Action,
    Board,
    CellLike,
    Code,
    Field,
    Whole,
    clean_board,
    compute_neighbours,
    create_board,
    hidden_bit,
    hide_board,
    is_game_won,
    mark,
    marked_bit,
    print_board,
    reveal,
    spread_geese,
    value_mask,
    x_dim_max,
    y_dim_max,
)
from .insight import GRADES, Difficulty, Explanation
from .insight import grade as read_grade
from .status import Status
from .words import counted, listed, percent

__all__ = [
    "Action",
    "Code",
    "Field",
    "GeeseSpotter",
    "boards",
    "clean_board",
    "compute_neighbours",
    "create_board",
    "hidden_bit",
    "hide_board",
    "is_game_won",
    "mark",
    "marked_bit",
    "play_many",
    "print_board",
    "probabilities",
    "reveal",
    "spread_geese",
    "value_mask",
    "x_dim_max",
    "y_dim_max",
]


def boards(
    n: Whole,
    height: Whole,
    width: Whole,
    geese: Whole,
    *,
    safe: CellLike | None = None,
    seed: int | None = None,
    threads: int = 0,
    out: Board | None = None,
    progress: Any = None,
) -> Board:
    """Creates n boards with geese placed, neighbors counted and fields hidden: ``(n, height, width)`` uint8.

    Each possible board is equally likely, and board i depends on ``seed`` and i only. Millions of 9 x 9 boards are made
    per second.

    * ``n``: the number of boards, at least 0.
    * ``height``, ``width``: the size of a board, at least 1 each, at most 2^26 fields in all.
    * ``geese``: the number of geese on each board, from 0 to the number of fields that may hold one.
    * ``safe``: a cell ``(row, col)`` that stays free of geese together with its neighbors; ``None`` (the default) for
      none.
    * ``seed``: an integer from 0 to 2^64 - 1, or ``None`` (the default) for a random one.
    * ``threads``: the number of threads, 0 to 1024; 0 (the default) chooses by the amount of work.
    * ``out``: a C-contiguous uint8 array of shape ``(n, height, width)``, which is filled and returned instead of a
      fresh one.
    * ``progress``: a callable that receives the number of boards so far, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    >>> made = boards(1000, 16, 30, 99, safe=(0, 0), seed=1)
    >>> made.shape, (made & value_mask() == 9).sum(axis=(1, 2)).tolist() == [99] * 1000
    ((1000, 16, 30), True)
    >>> bool((made[:, 0, 0] == hidden_bit()).all())
    True
    """
    return _core.geese_boards(n, height, width, geese, safe, seed, threads, out, progress)


def probabilities(
    board: Board, geese: Whole, *, limit: int | None = None, progress: Any = None
) -> npt.NDArray[np.float64]:
    """Computes the exact chance of a goose in each field of a visible board: ``(height, width)`` float64.

    * ``board``: a ``(height, width)`` uint8 array of fields. Marks and the values of hidden fields are not read.
    * ``geese``: the number of geese on the whole board, from 0 to the number of fields.
    * ``limit``: the most states that the count may visit, an integer from 0 to 2^64 - 1; by default 200,000,000. Raises
      ``SearchLimitError`` beyond that, and if too many fields depend on one another to be counted.
    * ``progress``: a callable that receives the number of states so far, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    Raises ``ValueError`` if no placement of the geese agrees with the board; the message names a contradiction.

    >>> probabilities(np.array([[32, 1, 32, 32]], dtype=np.uint8), 1)
    array([[0.5, 0. , 0.5, 0. ]])
    >>> probabilities(np.array([[32, 1, 32]], dtype=np.uint8), 2)
    Traceback (most recent call last):
    ValueError: board must be consistent, got the number 1 at (0, 1), which no placement of 2 geese explains
    """
    return _core.geese_probabilities(board, geese, limit, progress)


def play_many(
    games: Whole,
    height: Whole,
    width: Whole,
    geese: Whole,
    *,
    first: CellLike = (0, 0),
    start: str = "safe",
    policy: str = "lookahead",
    seed: int | None = None,
    threads: int = 0,
    progress: Any = None,
) -> npt.NDArray[np.bool_]:
    """Plays new boards to the end with a policy of ``GeeseSpotter.hint``; returns which were won, ``(games,)`` bool.

    Game i depends on ``seed`` and i only, so that two policies play the same boards.

    * ``games``: the number of games, at least 0.
    * ``height``, ``width``: the size of a board, at least 1 each, at most 2^26 fields in all.
    * ``geese``: the number of geese on each board, from 0 to the number of fields that may hold one.
    * ``first``: the cell ``(row, col)`` that is shown first; ``(0, 0)`` by default.
    * ``start``: ``"safe"`` (the default) keeps ``first`` free of geese, ``"zero"`` keeps its neighbors free too, and
      ``"any"`` allows geese on all fields.
    * ``policy``: ``"safest"``, ``"progress"``, ``"lookahead"`` (the default) or ``"deep"``; see ``GeeseSpotter.hint``.
    * ``seed``: an integer from 0 to 2^64 - 1, or ``None`` (the default) for a random one.
    * ``threads``: the number of threads, 0 to 1024; 0 (the default) uses all processors. Boards of more than 61,440
      fields are played on one thread, whatever ``threads`` is.
    * ``progress``: a callable that receives the number of games so far, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    >>> float(play_many(200, 9, 9, 10, seed=1).mean()) > 0.8
    True
    """
    return _core.geese_play_many(games, height, width, geese, first, start, policy, seed, threads, progress)


_Self = TypeVar("_Self", bound="GeeseSpotter")


class GeeseSpotterControls(Controls):
    """The controls of GeeseSpotter: shows, marks, chords on numbers, and the exact chances on demand."""

    GOAL = "Show every field without a goose; a number counts the geese among its eight neighbors."
    CLICK = "show the field, or the neighbors of a shown number whose geese are all marked"
    SECOND = "mark or unmark the field"
    VERBS: ClassVar[dict[str, Verb]] = {
        "show": Verb("click", "show a field", "show 3 4"),
        "mark": Verb("second", "mark or unmark a field", "mark 3 4"),
    }
    COUNT = "step"
    # Each named level follows the last numbered level of its grade.
    AFTER: ClassVar[dict[str, str]] = {
        "beginner": "level05",
        "intermediate": "level10",
        "expert": "level15",
        "pond": "level20",
    }

    _chances = False

    def _actions(self) -> dict[str, KeyAction]:
        found = super()._actions()
        found["m"] = KeyAction("mark or unmark the field at the cursor", partial(self._enter, True))
        found["c"] = KeyAction("show or hide the chances of a goose", self._toggle)
        return found

    def _toggle(self) -> None:
        self.choose("chances", "off" if self._chances else "on")

    @property
    def settings(self) -> list[Setting]:
        return [Setting("chances", "chances of a goose", "on" if self._chances else "off", ("off", "on"))]

    def _choose(self, name: str, value: str) -> None:
        self._chances = value == "on"

    def _keep(self) -> Any:
        return {"chances": self._chances, "lives": self.game.lives}

    def _restore(self, kept: Any) -> None:
        self._chances = flag("chances", kept["chances"])
        self.game._lives = whole("lives", kept["lives"], 0, 2**32 - 1)

    def labels(self) -> dict[tuple[int, int], str]:
        if not self._chances or self.over:
            return {}
        try:
            chances = self.game.probabilities(limit=2_000_000)
        except (SearchLimitError, ValueError):
            return {}
        hidden = np.argwhere(self.game.hidden)
        return {(row, col): percent(float(chances[row, col])) for row, col in hidden.tolist()}

    def _clicked(self, cell: tuple[int, int], kind: int) -> None:
        if self.over:
            raise refuse("The game is over.")
        board = self.game.board
        field = int(board[cell])
        if field & Field.HIDDEN:
            if kind == 0 and field & Field.MARKED:
                self.message = "This field is marked: remove the mark first."
            else:
                self._play((kind, *cell))
            return
        if kind == 1:
            self.message = "Only a hidden field can be marked."
            return
        closed = [at for at in self.game._around(*cell) if int(board[at]) & Field.HIDDEN]
        marked = [at for at in closed if int(board[at]) & Field.MARKED]
        open_ = [at for at in closed if at not in marked]
        if not open_:
            self.message = f"{'Only marked fields are' if marked else 'Nothing is'} hidden around this field."
            return
        if self.game.is_legal(Action.SHOW, *cell):
            self._play((Action.SHOW, *cell))
        elif len(marked) == field & 15:
            self._chord(open_)
        else:
            number = field & 15
            if len(marked) > number:
                self.message = (
                    f"This {number} has {counted(len(marked), 'mark')} around it: take the wrong ones off first."
                )
            else:
                need = f"needs {counted(number, 'mark')} around it before its other neighbors are shown"
                self.message = f"This {number} {need}, and has {len(marked)}."

    def _chord(self, cells: list[tuple[int, int]]) -> None:
        """Shows the neighbors of a number whose geese are all marked; a wrong mark loses."""
        before = len(self.game.moves)
        for cell in cells:
            if not self.over and self.game.is_legal(Action.SHOW, *cell):
                self._play((Action.SHOW, *cell))
        if len(self.game.moves) - before > 1:
            self._puzzle.groups[len(self.game.moves)] = before

    def _answer(self, game: Any, progress: Callable[[int], object]) -> Any:
        moves = game.copy().play_on(progress=progress)
        if not len(moves):
            # Only geese are hidden on a board full of geese, which a mark wins.
            moves = game.explain(progress=progress).moves
        return [tuple(move) for move in moves.tolist()]

    def _find_hint(self, progress: Callable[[int], object]) -> Hint | None:
        game = self.game
        explanation = game.explain(progress=progress)
        moves = [tuple(move) for move in explanation.moves.tolist()]
        if not moves:
            # Nothing certain is left to play: the hint is the best guess.
            cell = game.hint(progress=progress)
            if cell is None:
                return None
            moves = [(Action.SHOW, *cell)]
            if int(game.board[cell]) & Field.MARKED:
                moves.insert(0, (Action.MARK, *cell))
        return self._hint_of(explanation, moves)

    def _grade(self, name: str) -> str:
        return _level_grade(name)

    def _scores(self) -> list[Score]:
        game = self.game
        marks = int(((game.board & Field.MARKED) != 0).sum())
        found = [] if self.over else [Score("geese left", game.geese - marks)]
        return [*found, Score("taken back", game.lives)] if game.lives else found

    def _counted(self) -> int:
        return int((self.game.moves[:, 0] == Action.SHOW).sum())

    @property
    def optimum(self) -> int | None:
        # The optimum depends on the hidden geese, so a player sees it only after winning.
        return super().optimum if self.game.status == Status.WON else None

    def _optimum(self, start: Any, progress: Callable[[int], object]) -> int | None:
        return int(start._min_shows_left())

    def _won(self) -> str:
        won, fewest = f"You won in {counted(self._counted(), self.COUNT)}", self.optimum
        if not fewest:  # no field had to be shown, or the search for the optimum was given up, as on large boards
            return f"{won}."
        return f"{won}; {fewest} {'is' if fewest == 1 else 'are'} enough if the geese are known."

    def _lost(self) -> str:
        return "A goose! Undo takes the show back." if self._has_moves else "A goose!"

    @property
    def difficulties(self) -> tuple[str, ...]:
        return GRADES

    def _make(self, seed: int, options: dict[str, Any]) -> Any:
        game = self.game
        height, width = game.shape
        room = height * width - min(height, 2) * min(width, 2)
        safe = (0, 0) if game.geese <= room else None
        return type(game).generate(height, width, game.geese, safe=safe, flood=game.flood, seed=seed, **options)

    def _new(self, seed: int | str | None, difficulty: str | None) -> None:
        super()._new(seed, difficulty)
        height, width = self.game.shape
        if self.game.hidden.all() and self.game.geese <= height * width - min(height, 2) * min(width, 2):
            self.message = "The field in the upper left corner is safe."

    def legend(self) -> list[Entry]:
        board = self.game.board
        hidden, marked, value = board & Field.HIDDEN != 0, board & Field.MARKED != 0, board & 15
        more = "" if self.game.flood else "; a click shows the neighbors"

        def one(chosen: npt.NDArray[np.bool_]) -> tuple[tuple[int, int], ...]:
            return tuple((row, col) for row, col in np.argwhere(chosen)[:1].tolist())

        return [
            Entry("*", "hidden field", one(hidden & ~marked)),
            Entry("M", "marked field: it is thought to hold a goose", one(marked)),
            Entry("1", "a number: how many of the eight neighbors hold a goose", one(~hidden & (value % 9 > 0))),
            Entry("·", f"no neighbor holds a goose{more}", one(~hidden & (value == 0))),
            Entry("", "a step shows a field; a number whose geese are marked shows its neighbors, one step each"),
        ]

    def _contents(self, cell: tuple[int, int]) -> str:
        field = int(self.game.board[cell])
        if field & Field.HIDDEN:
            words = "hidden, marked" if field & Field.MARKED else "hidden"
        elif field & 15 == Field.GOOSE:
            words = "a goose"
        else:
            words = f"{field & 15}"
        chance = self.labels().get(cell)
        return words + (f", {chance} percent" if chance else "")


@cache
def _level_grade(name: str) -> str:
    """Returns the name of the grade of a packaged level."""
    return GeeseSpotter.level(name).difficulty().name


def _list_cells(cells: list[tuple[int, int]], most: int = 8) -> str:
    """Lists cells in words.

    >>> _list_cells([(0, 1)]), _list_cells([(0, 1), (0, 2), (1, 0)]), _list_cells([(0, k) for k in range(12)], 2)
    ('(0, 1)', '(0, 1), (0, 2) and (1, 0)', '(0, 0), (0, 1) and 10 more fields')
    >>> _list_cells([(0, k) for k in range(3)], 2)
    '(0, 0), (0, 1) and 1 more field'
    """
    names = [f"({row}, {col})" for row, col in cells]
    if len(names) > most:
        names = [*names[:most], counted(len(names) - most, "more field")]
    return listed(names)


def _array(cells: Iterable[tuple[int, ...]], rank: int) -> npt.NDArray[np.int32]:
    """Returns cells or moves without repetition as an ``(n, rank)`` int32 array."""
    return np.array(list(dict.fromkeys(cells)), dtype=np.int32).reshape(-1, rank)


class GeeseSpotter(GridGame, _core.GeeseSpotter):
    """A position of GeeseSpotter, with its history.

    * ``text``: a line ``HEIGHT WIDTH GEESE`` and rows of two hex digits per field, in the source's encoding: 0x0F the
      value (0 to 8, 9 a goose), 0x10 marked, 0x20 hidden. The word ``flood`` at the end of the first line turns on the
      chain reaction of classic Minesweeper. Raises ``LevelError`` with line and column for other text.

    A move is ``(action, row, col)``: action 0 shows a field, 1 marks it or removes its mark. Showing a goose loses; the
    game is won once every field without a goose is revealed; a board full of geese is won by a mark. A revealed zero
    may be shown again while it has a neighbor that is hidden and not marked. A losing show can be undone; ``lives``
    counts the losing shows that were undone.

    ``board``, ``view``, ``probabilities``, ``hint``, ``solve`` and ``explain`` reveal only what a player may know.
    ``secret``, ``text`` and ``save`` reveal everything, and so does the picture of a game that is over.

    The source's picture of the chain reaction (section 7.2) contradicts itself: the field at x 3, y 4 reads 1 although
    all its neighbors are shown and none is a goose. The 1 needs a goose at x 4, y 5; with that goose, the lower right
    corner differs from the picture.

    Source: Project 3 of the course ECE 150, "Geesespotter".

    >>> import gridwright as gw
    >>> game = gw.GeeseSpotter("1 3 1\\n21 29 21")
    >>> game
    <GeeseSpotter 1x3, 1 goose, open>
    >>> game.show((0, 0)), game.mark((0, 1)), game.show((0, 1)), game.show((0, 2))
    (0, 0, 1, 0)
    >>> game.status, str(game)
    (<Status.WON: 1>, '1M1')
    """

    NAME = "geese"
    CONTROLS = GeeseSpotterControls

    @classmethod
    def generate(
        cls: type[_Self],
        height: Whole,
        width: Whole,
        geese: Whole,
        *,
        safe: CellLike | None = None,
        no_guess: bool = False,
        flood: bool = False,
        difficulty: int | str | None = None,
        seed: int | None = None,
        limit: int | None = None,
        progress: Any = None,
    ) -> _Self:
        """Creates a new board; each possible board is equally likely. Without ``difficulty``, all fields are hidden.

        * ``height``, ``width``: the size of the board, at least 1 each, at most 2^26 fields in all.
        * ``geese``: the number of geese, from 0 to the number of fields that may hold one.
        * ``safe``: a cell ``(row, col)`` that stays free of geese together with its neighbors; ``None`` (the default)
          for none.
        * ``no_guess``: whether the board must be winnable without a guess if ``safe`` (by default the top left field)
          is shown first, which exact chances prove. Default ``False``.
        * ``flood``: whether a zero opens its whole region, as in classic Minesweeper. Default ``False``.
        * ``difficulty``: a grade from 1 to 5 or its name, on the scale in ``help(gridwright.geese)``; ``None`` (the
          default) for any. With a grade, the field ``safe`` (by default the top left one, with its neighbors free of
          geese too if there is room) is shown already. Grade 5 with ``no_guess`` raises ``ValueError``.
        * ``seed``: an integer from 0 to 2^64 - 1, or ``None`` (the default) for a random one.
        * ``limit``: the most boards to try for ``no_guess`` or ``difficulty``, an integer from 0 to 2^64 - 1; by
          default 100,000. Raises ``SearchLimitError`` beyond that.
        * ``progress``: a callable that receives the number of steps so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        >>> import gridwright as gw
        >>> game = gw.GeeseSpotter.generate(9, 9, 10, safe=(4, 4), no_guess=True, seed=1)
        >>> game.show((4, 4)), len(game.play_on(guess=False)) > 0, game.is_solved
        (0, True, True)
        >>> gw.GeeseSpotter.generate(9, 9, 10, difficulty="hard", seed=1).difficulty().name
        'hard'
        """
        level = None if difficulty is None else read_grade(difficulty)
        made = _core.geese_generate(height, width, geese, safe, no_guess, flood, level, seed, limit, progress)
        return cls(made)

    @classmethod
    def blank(cls: type[_Self], height: Whole, width: Whole) -> _Self:
        """Creates a board without geese, all fields hidden: an empty board to build on.

        * ``height``, ``width``: the size of the board, at least 1 each, at most 2^26 fields in all.

        >>> import gridwright as gw
        >>> gw.GeeseSpotter.blank(4, 5)
        <GeeseSpotter 4x5, 0 geese, open>
        """
        return cls.generate(height, width, 0, seed=0)

    if TYPE_CHECKING:

        def __new__(cls, text: Any, /) -> GeeseSpotter: ...

    def __repr__(self) -> str:
        height, width = self.shape
        number = counted(self.geese, "goose", "geese")
        return f"<{type(self).__name__} {height}x{width}, {number}, {self.status.name.lower()}>"

    @property
    def view(self) -> npt.NDArray[np.str_]:
        """What the source would print, as a fresh ``(height, width)`` array of ``U1``: ``"*"``, ``"M"`` or a digit.

        >>> import gridwright as gw
        >>> game = gw.GeeseSpotter("1 4 1\\n21 39 21 20")
        >>> game.view, int((game.view == "*").sum())
        (array([['*', 'M', '*', '*']], dtype='<U1'), 3)
        """
        # The engine returns one UCS4 code point per field, which is the memory layout of U1.
        return self._symbols().view("U1")

    @property
    def hidden(self) -> npt.NDArray[np.bool_]:
        """Which fields are hidden, marked fields included: a fresh ``(height, width)`` bool array."""
        found: npt.NDArray[np.bool_] = (self.board & Field.HIDDEN) != 0
        return found

    def explain(self, cell: CellLike | None = None, *, limit: int | None = None, progress: Any = None) -> Explanation:
        """Explains the easiest step that can be justified now, or one field, from what a player may know.

        * ``cell``: the field to explain, ``(row, col)``; a cell off the board raises ``MoveError``. By default, the
          easiest step that has a move: a safe field to show, or a goose to mark. A marked goose counts as known if the
          rules before ``exact`` prove that the field holds one.
        * ``limit``: the most states visited by the counts, plus the steps of reasoning, an integer from 0 to 2^64 - 1;
          by default 200,000,000. Raises ``SearchLimitError`` beyond that, and if too many fields depend on one another
          to be counted.
        * ``progress``: a callable that receives the number of states so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        The ``rule`` of the ``Explanation`` is one of the rules in ``help(gridwright.geese)``. ``cells["because"]``
        holds the numbers and known fields that decide, and ``cells["so"]`` the fields that are decided. ``moves`` is
        empty if nothing certain is left to play (in ``cell``, if it is given); if only a guess is left, ``sentence``
        names it with its chance.

        >>> import gridwright as gw
        >>> game = gw.GeeseSpotter("1 4 1\\n20 01 29 01")
        >>> print(game.explain((0, 2)))
        The 1 at (0, 3) needs a goose in every hidden field around it: (0, 2) holds a goose.
        >>> game.explain((0, 2)).moves.tolist()
        [[1, 0, 2]]
        """
        if cell is None:
            found = self._explain_next(limit, progress)
            if found is None:
                words = f"The game is over ({self.status.name.lower()})."
                nothing = _array([], 2)
                return Explanation("count", words, {"because": nothing, "so": nothing}, _array([], 3), self.copy())
            step, moves = found
            return self._explanation([step], moves, marks=self._marks_used(step))
        verdict, chance, steps, best = self._explain_field(cell, limit, progress)
        row, col = (int(number) for number in cell)
        over = self.status != Status.OPEN
        if over:
            best = None
        if steps:
            safe, geese = ([(row, col)], []) if verdict == "safe" else ([], [(row, col)])
            moves = _array([], 3) if over else self._moves_of(safe, geese)
            return self._explanation(steps, moves, (row, col))
        around = [at for at in self._around(row, col) if not self.hidden[at]]
        if verdict == "revealed":
            words, rule, around = f"({row}, {col}) is revealed: it is {self._named(row, col)}.", "count", [(row, col)]
        elif best is not None and best[0] == (row, col):
            words, rule = f"No field is certainly safe. ({row}, {col}) is the best guess: {_chance(chance)}.", "guess"
        else:
            words, rule = f"({row}, {col}) is not certain: {_chance(chance)}.", "guess"
            if best is not None:
                (r, c), least = best
                words += f" Show ({r}, {c}) instead: {'it is safe' if least == 0 else _chance(least)}."
        cells = {"because": _array(around, 2), "so": _array([(row, col)], 2)}
        return Explanation(rule, words, cells, _array([], 3), self.copy())

    def _marks_used(self, step: _Step) -> list[_Place]:
        """Returns the marked geese on which a step of the rule ``subset`` relies.

        If one of their marks is missing, the easiest step is another one. A mark that is not proven changes no step.
        """
        near = {at for number in step[1] for at in self._around(*number)} if step[0] == "subset" else set()
        used = []
        for at in sorted(near):
            if self.board[at] & Field.MARKED:
                unmarked = self.copy()
                unmarked.mark(at)
                other = unmarked._explain_next(None, None)
                if other is None or other[0] != step:
                    used.append(at)
        return used

    def _explanation(
        self,
        steps: list[_Step],
        moves: npt.NDArray[np.int32],
        cell: _Place | None = None,
        marks: Iterable[_Place] = (),
    ) -> Explanation:
        """Puts steps of reasoning into words; with ``cell``, the last step is about that field only.

        ``marks`` are the marked geese on which a step of the rule ``subset`` relies.
        """
        words, because, so = [], [], []
        for step in steps:
            rule, numbers, safe, geese, _, guess = step
            asked = cell if step is steps[-1] else None
            words.append(self._step_sentence(step, asked))
            # The rule `count` relies on the known geese around its number.
            known = [at for at in self._around(*numbers[0]) if self.hidden[at]] if rule == "count" else marks
            because += [*numbers, *(at for at in known if at not in safe and at not in geese)]
            so = [guess[0]] if guess else [asked] if asked else [*safe, *geese]
            if step is not steps[-1]:
                because += [*safe, *geese]
        hardest = max((step[0] for step in steps), key=_RULES.index)
        cells = {"because": _array((at for at in because if at not in so), 2), "so": _array(so, 2)}
        return Explanation(hardest, " ".join(words), cells, moves, self.copy())

    def _step_sentence(self, step: _Step, cell: tuple[int, int] | None) -> str:
        """Returns the sentence for one step of reasoning; with ``cell``, about that field only."""
        rule, numbers, safe, geese, total, guess = step
        if guess is not None:
            (row, col), chance = guess
            return f"No field is certainly safe. The best guess is ({row}, {col}): {_chance(chance)}."
        if cell is not None:
            safe, geese = [at for at in safe if at == cell], [at for at in geese if at == cell]
        found = []
        if safe:
            found.append(f"{_list_cells(safe)} {'is' if len(safe) == 1 else 'are'} safe")
        if geese:
            found.append(f"{_list_cells(geese)} {'holds a goose' if len(geese) == 1 else 'hold geese'}")
        so = " and ".join(found)
        named = [self._named(row, col) for row, col in numbers]
        if rule == "count":
            value = int(self.board[numbers[0]])
            if geese:
                around = [int(self.board[at]) for at in self._around(*numbers[0])]
                # If there are more of these fields than geese, the rest of them are known to be safe.
                room = sum(field >= Field.HIDDEN or field == Field.GOOSE for field in around)
                other = "other " if room > value else ""
                why = f"{named[0]} needs a goose in every {other}hidden field around it"
            elif value == 0:
                why = f"{named[0]} has no goose around it"
            else:
                why = f"{named[0]} has {'its goose' if value == 1 else f'its {value} geese'}"
        elif rule == "subset":
            why = f"compare {named[0]} with {named[1]}"
        elif rule == "remaining":
            fields = "the other hidden fields" if numbers else "the hidden fields"
            need = " and ".join(named) + (" needs" if len(named) == 1 else " together need")
            if safe:
                why = f"{need} all remaining geese" if numbers else "all geese are found"
            else:
                why = (
                    f"{need} so few of the geese that the rest fill {fields}"
                    if numbers
                    else f"the remaining geese fill {fields}"
                )
        else:
            seen = [*named, f"{counted(self.geese, 'goose', 'geese')} in all"] if total else named
            why = f"on all boards with {' and '.join(seen)}" if seen else "on all boards"
        return f"{why[0].upper()}{why[1:]}: {so}."

    def _named(self, row: int, col: int) -> str:
        """Returns a revealed field in words: "the 2 at (0, 1)"."""
        value = int(self.board[row, col])
        return f"the {'goose' if value == Field.GOOSE else value} at ({row}, {col})"

    def _around(self, row: int, col: int) -> list[tuple[int, int]]:
        """Returns the neighbors of a field, at most eight."""
        height, width = self.shape
        rows, cols = range(max(0, row - 1), min(height, row + 2)), range(max(0, col - 1), min(width, col + 2))
        return [(r, c) for r in rows for c in cols if (r, c) != (row, col)]

    def difficulty(
        self, *, first: CellLike | None = None, limit: int | None = None, progress: Any = None
    ) -> Difficulty:
        """Grades the rest of the game by the rules that finish it if the easiest one is used at every point.

        * ``first``: the cell that is shown first if no field is revealed yet, by default the top left one. It counts as
          a guess only if it holds a goose.
        * ``limit``: the most states visited by the counts, plus the steps of reasoning, an integer from 0 to 2^64 - 1;
          by default 200,000,000. Raises ``SearchLimitError`` beyond that, and if too many fields depend on one another
          to be counted.
        * ``progress``: a callable that receives the number of states so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        The scale is in ``help(gridwright.geese)``. ``measures`` holds ``"shows"`` and ``"guesses"``, the numbers of
        shows and guesses used, and ``"3BV"``, the value of ``three_bv``. The grade depends on where the geese are, so
        it gives a player a little information.

        >>> import gridwright as gw
        >>> level = gw.GeeseSpotter.generate(9, 9, 10, difficulty="medium", seed=1).difficulty()
        >>> print(level, level.rules["subset"] >= 3, level.measures["guesses"])
        medium (3 of 5) True 0
        """
        grade, rules, shows = self._effort(first, limit, progress)
        used = {rule: times for rule, times in rules.items() if times}
        return Difficulty(grade, used, {"3BV": self.three_bv, "shows": shows, "guesses": rules["guess"]})

    def play_on(
        self, *, policy: str = "lookahead", guess: bool = True, limit: int | None = None, progress: Any = None
    ) -> npt.NDArray[np.int32]:
        """Plays on, using only what a player may know, and returns the moves played: ``(n, 3)`` int32.

        Certain shows come first, then the best guess. With ``guess=True`` the game ends won or lost unless only geese
        are hidden. A marked field is unmarked before it is shown. If an exception is raised, nothing is played.

        * ``policy``: ``"safest"``, ``"progress"``, ``"lookahead"`` (the default) or ``"deep"``; ``hint`` describes
          them.
        * ``guess``: whether to guess (default ``True``); if ``False``, play stops as soon as no field is certainly
          safe.
        * ``limit``: the most states that the counts may visit, an integer from 0 to 2^64 - 1; by default 200,000,000.
          Raises ``SearchLimitError`` beyond that, and if too many fields depend on one another to be counted.
        * ``progress``: a callable that receives the number of states so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        >>> import gridwright as gw
        >>> game = gw.GeeseSpotter("3 3 1\\n20 20 20\\n21 21 20\\n29 21 20")
        >>> moves = game.play_on(guess=False)
        >>> len(moves), game.status
        (0, <Status.OPEN: 0>)
        """
        moves = self._play_on(policy, guess, limit, progress)
        for move in moves.tolist():
            self.play(*move)
        return moves

    @property
    def _lives(self) -> int:
        return self.lives

    @_lives.setter
    def _lives(self, lives: int) -> None:
        self._set_lives(lives)

    def __getstate__(self) -> tuple[str, npt.NDArray[np.int32], int, dict[str, Any]]:
        """Returns the start, the moves, the number of undone moves, and the attributes, ``_lives`` among them."""
        start, moves, undone, attributes = super().__getstate__()
        return start, moves, undone, {**attributes, "_lives": self.lives}


def _chance(chance: float) -> str:
    """Returns the chance of a goose in words."""
    return f"a goose with a chance of {percent(chance, 1)}%"


_RULES = ("count", "subset", "remaining", "exact", "guess")
_Place = tuple[int, int]
_Step = tuple[str, list[_Place], list[_Place], list[_Place], bool, "tuple[_Place, float] | None"]
"""A step of reasoning: its rule, the numbers that decide, the fields that are safe, those that hold geese, whether the
total number of geese decides too, and the best guess with its chance of a goose, or ``None`` if no guess is needed."""
