"""GeeseSpotter: show every field without a goose; numbers tell how many geese are around.

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

The game is ``gridwright.GeeseSpotter``, with exact chances:

>>> import gridwright as gw
>>> game = gw.GeeseSpotter.level("section41")
>>> game.show((0, 0))
0
>>> print(game)
01**
12**
****
****
>>> game.probabilities().round(2)[1]
array([0. , 0. , 0.5, 0. ])
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .controls import Action as KeyAction, Verb
from .controls import Controls, Entry, Hint, Score, Setting, count
from .errors import SearchLimitError
from .game import GridGame
from .status import Status

__all__ = [
    "Action",
    "Code",
    "Explanation",
    "Field",
    "GeeseSpotter",
    "Number",
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

_CODES = _core.geese_codes()
_Board = npt.NDArray[np.uint8]
_Whole = int | np.integer[Any]
_Cell = tuple[int, int] | npt.NDArray[np.integer[Any]] | list[int]


class Field(IntEnum):
    """Bits and values of a field of ``GeeseSpotter.board``: a value of 0 to 8, or ``GOOSE``, and the two bits.

    >>> hex(Field.HIDDEN | Field.MARKED), 0x39 & ~Field.HIDDEN & ~Field.MARKED == Field.GOOSE
    ('0x30', True)
    """

    GOOSE = _CODES["GOOSE"]
    MARKED = _CODES["MARKED"]
    HIDDEN = _CODES["HIDDEN"]


class Code(IntEnum):
    """What ``mark``, ``reveal``, ``GeeseSpotter.mark`` and ``GeeseSpotter.show`` answer."""

    DONE = _CODES["CODE_DONE"]
    MARKED = _CODES["CODE_MARKED"]
    REVEALED = _CODES["CODE_REVEALED"]
    GOOSE = _CODES["CODE_GOOSE"]


class Action(IntEnum):
    """The first number of a move."""

    SHOW = _CODES["ACTION_SHOW"]
    MARK = _CODES["ACTION_MARK"]


def marked_bit() -> int:
    """Gives the bit of a marked field, 0x10."""
    return _CODES["MARKED"]


def hidden_bit() -> int:
    """Gives the bit of a hidden field, 0x20."""
    return _CODES["HIDDEN"]


def value_mask() -> int:
    """Gives the bits of a field's value, 0x0F."""
    return _CODES["VALUE"]


def x_dim_max() -> int:
    """Gives the largest x dimension that the source's console takes, 60; boards here may be larger."""
    return _CODES["X_DIM_MAX"]


def y_dim_max() -> int:
    """Gives the largest y dimension that the source's console takes, 20; boards here may be larger."""
    return _CODES["Y_DIM_MAX"]


def create_board(x_dim: _Whole, y_dim: _Whole) -> _Board:
    """Makes a board of zeros: ``(y_dim, x_dim)`` uint8, whose rows one after the other are the source's array.

    Raises ``ValueError`` for a dimension of 0 or a board that memory does not hold.

    >>> create_board(3, 2)
    array([[0, 0, 0],
           [0, 0, 0]], dtype=uint8)
    """
    return _core.geese_create_board(x_dim, y_dim)


def clean_board(board: _Board) -> None:
    """Sets every field to 0; the memory itself is numpy's to free."""
    _core.geese_clean_board(board)


def print_board(board: _Board) -> None:
    """Prints a board: ``*`` hidden, ``M`` marked, otherwise the value; no blanks, a line a row."""
    print(_core.geese_printed(board), end="")


def hide_board(board: _Board) -> None:
    """Hides every field, in place."""
    _core.geese_hide_board(board)


def mark(board: _Board, row: _Whole | _Cell, col: _Whole | None = None) -> int:
    """Marks or unmarks a hidden field, in place, and gives 0; leaves a revealed one and gives 2.

    The place is ``row, col`` or one cell ``(row, col)``.
    """
    return _core.geese_mark(board, row, col)


def compute_neighbours(board: _Board) -> None:
    """Writes into every field of a board of 0 and 9 that is no 9 how many of its neighbours are, in place.

    A million fields take about 0.1 ms.
    """
    _core.geese_compute_neighbours(board)


def is_game_won(board: _Board) -> bool:
    """Whether every field without a goose is revealed."""
    return _core.geese_is_game_won(board)


def reveal(board: _Board, row: _Whole | _Cell, col: _Whole | None = None) -> int:
    """Reveals a field, in place: gives 0, or 9 where it has a goose.

    A marked field stays hidden: 1. A revealed one stays: 2. Where the value is 0 the hidden neighbours that bear no
    mark are revealed too, never theirs; also where the field had been revealed before. The place is ``row, col`` or
    one cell ``(row, col)``.
    """
    return _core.geese_reveal(board, row, col)


def spread_geese(board: _Board, num_geese: _Whole, seed: int | None = None) -> None:
    """Puts exactly so many geese on fields that are 0, in place, each set of fields equally likely.

    Raises ``ValueError``, naming both numbers, where there are too few such fields.
    """
    _core.geese_spread_geese(board, num_geese, seed)


def boards(
    n: _Whole,
    height: _Whole,
    width: _Whole,
    geese: _Whole,
    *,
    safe: _Cell | None = None,
    seed: int | None = None,
    threads: int = 0,
    out: _Board | None = None,
    progress: Any = None,
) -> _Board:
    """Makes n boards with their geese laid, counted and hidden: ``(n, height, width)`` uint8, millions a second.

    Each possible board is equally likely. ``safe`` keeps a field and its neighbours free. Board i depends on ``seed``
    and i only. ``out`` is filled and given back where there is one. ``progress`` is called with the boards so far, or
    has an ``update`` like tqdm's.

    >>> made = boards(1000, 16, 30, 99, safe=(0, 0), seed=1)
    >>> made.shape, (made & value_mask() == 9).sum(axis=(1, 2)).tolist() == [99] * 1000
    ((1000, 16, 30), True)
    >>> bool((made[:, 0, 0] == hidden_bit()).all())
    True
    """
    return _core.geese_boards(n, height, width, geese, safe, seed, threads, out, progress)


def probabilities(
    board: _Board, geese: _Whole, *, limit: int | None = None, progress: Any = None
) -> npt.NDArray[np.float64]:
    """Tells the exact chance of a goose in each field of any board as a player sees it: ``(height, width)`` float64.

    Of hidden fields (bit ``HIDDEN``) only that is read; ``geese`` is the number on the whole board. Raises
    ``LevelError`` where no geese look like the board, ``SearchLimitError`` where it is too entangled or after
    ``limit`` states; ``progress`` is called with their number.

    >>> probabilities(np.array([[32, 1, 32, 32]], dtype=np.uint8), 1)
    array([[0.5, 0. , 0.5, 0. ]])
    """
    return _core.geese_probabilities(board, geese, limit, progress)


def play_many(
    games: _Whole,
    height: _Whole,
    width: _Whole,
    geese: _Whole,
    *,
    first: _Cell = (0, 0),
    start: str = "safe",
    policy: str = "lookahead",
    seed: int | None = None,
    threads: int = 0,
    progress: Any = None,
) -> npt.NDArray[np.bool_]:
    """Plays new boards to their ends by a policy of ``GeeseSpotter.hint`` and tells which were won: ``(games,)`` bool.

    ``first`` is shown first; ``start`` tells of it: ``"safe"`` has no goose, ``"zero"`` none around either, ``"any"``
    may have one. Game i depends on ``seed`` and i only. ``progress`` is called with the games so far, or has an
    ``update`` like tqdm's.

    >>> float(play_many(200, 9, 9, 10, seed=1).mean()) > 0.8
    True
    """
    return _core.geese_play_many(games, height, width, geese, first, start, policy, seed, threads, progress)


@dataclass(frozen=True)
class Number:
    """A revealed number that speaks about hidden fields."""

    cell: tuple[int, int]
    """Where it stands."""
    value: int
    """What it reads."""
    hidden: tuple[tuple[int, int], ...]
    """The hidden fields around it."""


@dataclass(frozen=True)
class Explanation:
    """Why a field is what it is; ``str`` says it in words, a notebook draws it."""

    game: GeeseSpotter
    """The position that is spoken of."""
    cell: tuple[int, int]
    """The field."""
    verdict: str
    """``"revealed"``, ``"safe"``, ``"goose"``, ``"best guess"`` (nothing is certain anywhere) or ``"risky"``."""
    chance: float
    """Its exact chance of a goose."""
    numbers: tuple[Number, ...]
    """The numbers that decide it. A certain field is proved by them and by no part of them; else those beside it."""
    uses_total: bool
    """Whether the number of geese on the whole board is needed too."""
    best: tuple[int, int] | None
    """The field that is best to show now."""

    def __str__(self) -> str:
        row, col = self.cell
        if self.verdict == "revealed":
            return f"({row}, {col}) is revealed."
        told = {
            "safe": "is certainly free",
            "goose": "certainly holds a goose",
            "best guess": f"is the best guess: a goose with a chance of {self.chance:.1%}",
            "risky": f"holds a goose with a chance of {self.chance:.1%}",
        }[self.verdict]
        text = f"({row}, {col}) {told}."
        for number in self.numbers:
            cells = ", ".join(f"({r}, {c})" for r, c in number.hidden)
            some = "is" if number.value == 1 else "are"
            text += f" Around ({number.cell[0]}, {number.cell[1]}) {some} {number.value} of {cells}."
        if self.uses_total:
            text += f" There are {self.game.geese} geese on the board."
        if self.verdict == "risky" and self.best is not None:
            text += f" The best show is ({self.best[0]}, {self.best[1]})."
        return text

    def svg(self, **options: Any) -> str:
        """Draws the position with the field, the numbers that decide it and the fields they speak of."""
        return self.game.svg(explanation=self, **options)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        import base64

        source = base64.b64encode(self.svg().encode()).decode()
        picture = f'<img src="data:image/svg+xml;base64,{source}" alt="{self}">'
        return {"text/html": f"{picture}<p>{self}</p>", "text/plain": str(self)}


_Self = TypeVar("_Self", bound="GeeseSpotter")


class GeeseSpotterControls(Controls):
    """GeeseSpotter in the hands of a player: show, mark, chords, and the exact chances on demand."""

    CLICK = "show the field, or the neighbors of a number whose geese are all marked"
    SECOND = "mark or unmark the field"
    VERBS: ClassVar[dict[str, Verb]] = {
        "show": Verb("click", "show a field", "show 3 4"),
        "mark": Verb("second", "mark or unmark a field", "mark 3 4"),
    }
    COUNT = "show"
    FIRST = ("beginner", "intermediate", "expert")
    FIXTURES = ("marked", "no_geese", "only_geese", "section41", "section42", "section72", "section72_flood")

    _chances = False

    def _actions(self) -> dict[str, KeyAction]:
        found = super()._actions()
        found["m"] = KeyAction("mark or unmark the field of the cursor", partial(self._enter, True))
        found["c"] = KeyAction("show or hide the chances of a goose", self._toggle)
        return found

    def _toggle(self) -> None:
        self.choose("chances", "off" if self._chances else "on")

    @property
    def settings(self) -> list[Setting]:
        return [Setting("chances", "chances of a goose", "on" if self._chances else "off", ("off", "on"))]

    def _choose(self, name: str, value: str) -> None:
        self._chances = value == "on"

    def labels(self) -> dict[tuple[int, int], str]:
        if not self._chances or self.over:
            return {}
        try:
            chances = self.game.probabilities(limit=2_000_000)
        except (SearchLimitError, ValueError):
            return {}
        hidden = np.argwhere(self.game.hidden)
        return {(row, col): _percent(float(chances[row, col])) for row, col in hidden.tolist()}

    def _around(self, cell: tuple[int, int]) -> list[tuple[int, int]]:
        height, width = self.game.shape
        rows = range(max(0, cell[0] - 1), min(height, cell[0] + 2))
        cols = range(max(0, cell[1] - 1), min(width, cell[1] + 2))
        return [(row, col) for row in rows for col in cols if (row, col) != cell]

    def _clicked(self, cell: tuple[int, int], kind: int) -> None:
        board = self.game.board
        field = int(board[cell])
        if field & Field.HIDDEN:
            if kind == 0 and field & Field.MARKED:
                self.message = "This field is marked. Take the mark off first."
            else:
                self._play((kind, *cell))
            return
        if kind == 1:
            self.message = "This field is revealed already."
            return
        closed = [at for at in self._around(cell) if int(board[at]) & Field.HIDDEN]
        marked = [at for at in closed if int(board[at]) & Field.MARKED]
        open_ = [at for at in closed if at not in marked]
        if not open_ or self.over:
            return
        if self.game.is_legal(Action.SHOW, *cell):
            self._play((Action.SHOW, *cell))
        elif len(marked) == field & 15:
            self._chord(open_)
        else:
            self.message = f"{count(len(marked), 'mark')} around a {field & 15}: mark its geese first."

    def _chord(self, cells: list[tuple[int, int]]) -> None:
        """Shows the neighbors of a number whose geese are all marked; a wrong mark loses."""
        before = len(self.game.moves)
        for cell in cells:
            if not self.over and self.game.is_legal(Action.SHOW, *cell):
                self._play((Action.SHOW, *cell))
        if len(self.game.moves) - before > 1:
            self._puzzle.groups[len(self.game.moves)] = before

    def _answer(self, game: Any, progress: Callable[[int], object]) -> Any:
        return [tuple(move) for move in game.solution(progress=progress).tolist()]

    def _find_hint(self, progress: Callable[[int], object]) -> Hint | None:
        game = self.game
        cell = game.hint(progress=progress)
        if cell is None:
            return None
        told = game.explain(cell, progress=progress)
        moves = [(Action.SHOW, *cell)]
        if int(game.board[cell]) & Field.MARKED:
            moves.insert(0, (Action.MARK, *cell))
        because = tuple(number.cell for number in told.numbers)
        return Hint(tuple(moves), {"hint": (cell,), "because": because}, str(told))

    def _scores(self) -> list[Score]:
        game = self.game
        marks = int(((game.board & Field.MARKED) != 0).sum())
        found = [Score("geese left", game.geese - marks)]
        return [*found, Score("taken back", game.lives)] if game.lives else found

    def _counted(self) -> int:
        return int((self.game.moves[:, 0] == Action.SHOW).sum())

    @property
    def optimum(self) -> int | None:
        # Known from the hidden geese, so it is told at the end only.
        return int(self.game.min_shows) if self.game.status == Status.WON else None

    def _won(self) -> str:
        fewest = self.game.min_shows
        return f"You won in {count(self._counted(), 'show')}; {fewest} are needed by who knows the geese."

    def _lost(self) -> str:
        return "A goose! Undo takes the show back."

    def _make(self, seed: int, options: dict[str, Any]) -> Any:
        game = self.game
        height, width = game.shape
        room = height * width - min(height, 2) * min(width, 2)
        safe = (0, 0) if game.geese <= room else None
        return type(game).generate(height, width, game.geese, safe=safe, flood=game.flood, seed=seed, **options)

    def _new(self, seed: int | str | None, difficulty: str | None) -> None:
        super()._new(seed, difficulty)
        height, width = self.game.shape
        if self.game.geese <= height * width - min(height, 2) * min(width, 2):
            self.message = "The field in the upper left corner is safe."

    def legend(self) -> list[Entry]:
        return [
            Entry("*", "hidden field"),
            Entry("M", "marked field"),
            Entry("1", "a number: so many of the eight neighbors have a goose"),
        ]

    def describe(self, cell: tuple[int, int]) -> str:
        field = int(self.game.board[cell])
        if field & Field.HIDDEN:
            words = "hidden, marked" if field & Field.MARKED else "hidden"
        elif field & 15 == Field.GOOSE:
            words = "a goose"
        else:
            words = f"{field & 15}"
        chance = self.labels().get(cell)
        return f"row {cell[0]}, column {cell[1]}: {words}" + (f", {chance} percent" if chance else "")


def _percent(chance: float) -> str:
    """A chance in percent; only what is certain reads 0 or 100.

    >>> [_percent(chance) for chance in (0.0, 0.001, 0.5, 0.999, 1.0)]
    ['0', '<1', '50', '>99', '100']
    """
    if chance in (0.0, 1.0):
        return f"{100 * chance:.0f}"
    return "<1" if chance < 0.01 else ">99" if chance > 0.99 else f"{100 * chance:.0f}"


class GeeseSpotter(GridGame, _core.GeeseSpotter):
    """A position of GeeseSpotter, with its history.

    ``GeeseSpotter(text)`` reads a line ``HEIGHT WIDTH GEESE`` and rows of two hex digits a field, in the source's
    encoding: 0x0F the value (0 to 8, 9 a goose), 0x10 marked, 0x20 hidden. The word ``flood`` at the end of the first
    line plays classic Minesweeper's chain reaction instead. Raises ``LevelError`` with line and column.

    A move is ``(action, row, col)``: 0 shows, 1 marks or unmarks. Showing a goose loses; the game is won when every
    field without one is revealed. A revealed zero may be shown again while a neighbour is hidden and bears no mark.

    ``board``, ``view``, ``probabilities`` and all that follows from them tell what a player may know; ``secret`` tells
    all, and the picture of a game that is over shows it.

    Source: Project 3 of the course ECE 150, "Geesespotter".

    >>> import gridwright as gw
    >>> game = gw.GeeseSpotter("1 3 1\\n21 29 21")
    >>> game.show((0, 0)), game.mark((0, 1)), game.show((0, 1)), game.show((0, 2))
    (0, 0, 1, 0)
    >>> game.status, str(game)
    (<Status.WON: 1>, '1M1')
    """

    NAME = "geese"
    CONTROLS = GeeseSpotterControls
    CLICKS = "click to show; right click, Shift or a long touch marks"
    SECOND = "Mark"

    @classmethod
    def generate(
        cls: type[_Self],
        height: _Whole,
        width: _Whole,
        geese: _Whole,
        *,
        safe: _Cell | None = None,
        no_guess: bool = False,
        flood: bool = False,
        seed: int | None = None,
        limit: int | None = None,
        progress: Any = None,
    ) -> _Self:
        """Makes a new board, each possible one equally likely, all hidden.

        ``safe`` keeps a field and its neighbours free. ``no_guess`` makes a board that logic alone wins when ``safe``
        (by default the top left field) is shown first, proved by exact chances; raises ``SearchLimitError`` where
        ``limit`` boards (by default 100,000) all needed a guess.

        >>> import gridwright as gw
        >>> game = gw.GeeseSpotter.generate(9, 9, 10, safe=(4, 4), no_guess=True, seed=1)
        >>> game.show((4, 4)), len(game.solve(guess=False)) > 0, game.is_solved
        (0, True, True)
        """
        made = _core.geese_generate(height, width, geese, safe, no_guess, flood, seed, limit, progress)
        return cls(made)

    if TYPE_CHECKING:

        def __new__(cls, text: Any, /) -> GeeseSpotter: ...

    @property
    def view(self) -> npt.NDArray[np.bytes_]:
        """What the source would print: a fresh ``(height, width)`` array of ``S1``, ``*``, ``M`` or a digit.

        >>> import gridwright as gw
        >>> gw.GeeseSpotter.level("marked").view[2]
        array([b'*', b'M', b'*', b'*'], dtype='|S1')
        """
        return self._symbols().view("S1")

    @property
    def hidden(self) -> npt.NDArray[np.bool_]:
        """Which fields are hidden, marked ones too: a fresh ``(height, width)`` bool array."""
        found: npt.NDArray[np.bool_] = (self.board & _CODES["HIDDEN"]) != 0
        return found

    def explain(self, cell: _Cell, *, limit: int | None = None, progress: Any = None) -> Explanation:
        """Explains a field: whether it is certain or a guess, and which numbers decide it.

        Raises ``SearchLimitError`` after ``limit`` states; ``progress`` is called with their number.

        >>> import gridwright as gw
        >>> game = gw.GeeseSpotter("1 4 1\\n20 01 29 01")
        >>> print(game.explain((0, 2)))
        (0, 2) certainly holds a goose. Around (0, 3) is 1 of (0, 2).
        """
        verdict, chance, numbers, total, best = self._explain(cell, limit, progress)
        row, col = (int(number) for number in cell)
        found = tuple(Number(at, value, tuple(hidden)) for at, value, hidden in numbers)
        return Explanation(self.copy(), (row, col), verdict, chance, found, total, best)

    def solve(
        self, *, policy: str = "lookahead", guess: bool = True, limit: int | None = None, progress: Any = None
    ) -> npt.NDArray[np.int32]:
        """Plays on from here by what a player may know, and gives the moves it made: ``(n, 3)`` int32.

        Certain shows first, then the best guess by ``policy``, as in ``hint``; the end is won or lost. With
        ``guess=False`` it stops where nothing is certain. A marked field that is to be shown is unmarked first. Raises
        ``SearchLimitError`` after ``limit`` states, and then nothing is played.

        >>> import gridwright as gw
        >>> game = gw.GeeseSpotter.level("section42")
        >>> moves = game.solve(guess=False)
        >>> len(moves), game.status
        (0, <Status.OPEN: 0>)
        """
        moves = self._play_on(policy, guess, limit, progress)
        for move in moves.tolist():
            self.play(*move)
        return moves

    def solution(self, **options: Any) -> npt.NDArray[np.int32]:
        """Gives the moves that ``solve`` would make from here, and leaves the game as it is: ``(n, 3)`` int32."""
        other: GeeseSpotter = self.copy()
        return other.solve(**options)

    def _new(self: _Self, seed: int) -> _Self:
        """A new board of the same size and number of geese, its top left field a zero where there is room for that."""
        height, width = self.shape
        room = height * width - min(height, 2) * min(width, 2)
        safe = (0, 0) if self.geese <= room else None
        return self.generate(height, width, self.geese, safe=safe, flood=self.flood, seed=seed)

    @property
    def _lives(self) -> int:
        return self.lives

    @_lives.setter
    def _lives(self, lives: int) -> None:
        self._set_lives(lives)

    def __getstate__(self) -> tuple[str, npt.NDArray[np.int32], int, dict[str, Any]]:
        """The start, the moves, how many are undone, and the attributes with the count of lives among them."""
        start, moves, undone, attributes = super().__getstate__()
        return start, moves, undone, {**attributes, "_lives": self.lives}
