"""The base class of all editors: the draft of a board, its history, its problems, and the facts known about it."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arguments import cell as read_cell
from ..arguments import choice, instance, integer, number, shown, whole, wrong_type
from ..controls import Setting
from ..errors import LevelError, SearchLimitError
from ..insight import Difficulty
from ..words import counted

__all__ = ["Brush", "Draft", "Editor", "Facts", "Problem"]

Cell = tuple[int, int]
Progress = Callable[[int], object]


class Problem(NamedTuple):
    """A mistake or an omission that keeps a draft from being a level.

    >>> str(Problem("There is no target.", ((0, 1),)))
    'There is no target.'
    """

    sentence: str
    """What is missing or wrong, and how to fix it."""
    cells: tuple[Cell, ...] = ()
    """The cells concerned; empty if no cell is."""

    def __str__(self) -> str:
        return self.sentence


class Brush(NamedTuple):
    """A palette tool, which places, connects or turns pieces.

    >>> Brush("wall", "a wall", codes=(1,)).codes
    (1,)
    """

    name: str
    """A short name."""
    words: str
    """What the brush draws or does, in a few words."""
    codes: tuple[int, ...] = ()
    """The codes that a click puts into a cell: the first one, or the next one if the cell already holds one of them.
    Empty for a brush that connects cells or turns pieces."""
    how: str | None = None
    """How the brush connects cells: one of `Editor.WIRES`; ``None`` if `Editor.connect` chooses, or if the brush does
    not connect cells."""
    single: bool = False
    """Whether a drag puts the code only into its last cell, as for a piece of which the board holds at most one."""
    turns: bool = False
    """Whether the brush turns the piece in a cell."""


@dataclass(frozen=True)
class Facts:
    """What is known about a draft so far; ``None`` stands for what is unknown or does not apply to the game.

    >>> str(Facts(solvable=True, shortest=34, ways=2, unit="roll"))
    'solvable in 34 rolls, exactly 2 ways'
    """

    solvable: bool | None = None
    """Whether there is a solution; ``False`` if it is proved that there is none."""
    shortest: int | None = None
    """The fewest moves of a solution, in ``unit``."""
    ways: int | None = None
    """The number of solutions, as the editor of the game counts them."""
    more: bool = False
    """Whether the count stopped at ``ways``, so that there may be more."""
    grade: Difficulty | None = None
    """How hard the draft is to solve."""
    unit: str = "move"
    """What ``shortest`` counts, in the singular."""
    remarks: tuple[str, ...] = ()
    """Further facts in words."""
    condition: str = ""
    """A qualification of ``solvable``, such as ``without a guess``; empty if there is none."""
    complete: bool = True
    """Whether nothing is left to search; ``False`` if a longer search may find more."""

    @property
    def unique(self) -> bool | None:
        """Whether ``ways`` is 1; ``None`` if ``ways`` is ``None``."""
        return None if self.ways is None else self.ways == 1

    def __str__(self) -> str:
        if self.solvable is False:
            parts = ["not solvable"]
        elif self.shortest is not None:
            parts = [f"solvable in {counted(self.shortest, self.unit)}"]
        else:
            parts = ["solvable"] if self.solvable else []
        if parts and self.condition:
            parts[0] += f" {self.condition}"
        if self.ways:
            ways = counted(self.ways, "way")
            parts.append(f"{ways} or more" if self.more else f"exactly {ways}")
        if self.grade is not None:
            parts.append(self.grade.name)
        parts += self.remarks
        if not self.complete:
            parts.append("still searching")
        return ", ".join(parts)


class Draft(NamedTuple):
    """The state of a board under construction; never changed in place."""

    cells: npt.NDArray[np.uint8]
    """The contents of each cell, ``(height, width)`` uint8, in the encoding of the game's editor."""
    more: Any = None
    """The rest of the draft, such as wires and settings. Compared by ``==``."""


class _KnownFacts:
    """The answers known about one draft, and the seconds given to each search that ran out of time."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        self.given: dict[str, float] = {}


class Editor(ABC):
    """Builds a level: ``game.editor()`` returns an editor whose draft is made from the game.

    The draft may be unfinished; `problems` lists what keeps it from being a level. No method changes the game that the
    editor was made from. After an error the draft is unchanged.

    * ``game``: the game that the draft is made from.

    >>> import gridwright as gw
    >>> editor = gw.Bloxorz.blank(2, 5).editor()
    >>> editor.paint([(0, col) for col in range(1, 5)], gw.bloxorz.Tile.TILE)
    >>> editor.put((0, 3), gw.bloxorz.Tile.TARGET)
    >>> editor.rows, editor.problems
    (('SooTo', '----o'), [])
    >>> str(editor.facts())
    'solvable in 2 rolls, exactly 1 way, trivial'
    """

    WIRES: ClassVar[tuple[str, ...]] = ()
    """The values of ``how`` that ``connect`` accepts; empty if cells of this game cannot be connected."""

    ACTIONS: ClassVar[dict[str, str]] = {}
    """Methods that a front end calls without arguments and offers as buttons: name -> what it does, in a few words."""

    QUESTIONS: ClassVar[tuple[str, ...]] = ()
    """The searches of `facts`, in order; each is a method whose name is the question with a leading underscore, with
    the parameters ``game``, ``answers`` (those to earlier questions) and ``progress``."""

    UNIT: ClassVar[str] = "move"
    """The unit of the length of a solution, in the singular."""

    SQUARE: ClassVar[bool] = False
    """Whether boards have as many rows as columns."""

    LOOK: ClassVar[dict[str, Any]] = {}
    """Options of ``gridwright.draw.picture`` with which a draft is drawn."""

    MAX_WAYS: ClassVar[int] = 1000
    """The maximum number of solutions counted on boards of up to 10,000 cells; on larger boards, the maximum is 2."""

    _EMPTY: ClassVar[int] = 0
    """The contents of the cells that `resize` adds."""

    def __init__(self, game: Any) -> None:
        self._kind = type(game)
        self._draft = self._read(game)
        self._past: list[_Step] = []
        self._future: list[_Step] = []
        self._replaced: list[_Step] = []
        """What `redo` could repeat before the last change."""
        self._known: dict[str, _KnownFacts] = {}

    # The draft.

    @property
    def kind(self) -> Any:
        """The class of the game."""
        return self._kind

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        height, width = self._draft.cells.shape
        return height, width

    @property
    def text(self) -> str:
        """The draft in the notation of the game; a valid level if there are no `problems`."""
        return self._write(self._draft)

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows of the board as text."""
        return self._rows(self._draft)

    @property
    def problems(self) -> list[Problem]:
        """What keeps the draft from being a level; empty if it can be played."""
        return self._problems(self._draft)

    @property
    def game(self) -> Any:
        """A new game that starts from the draft; raises ``LevelError`` with the first problem if there is one."""
        problems = self.problems
        if problems:
            raise LevelError(problems[0].sentence)
        return self._kind(self.text)

    @property
    @abstractmethod
    def brushes(self) -> tuple[Brush, ...]:
        """The brushes of the palette for this draft; the first one clears a cell."""

    @property
    def wires(self) -> list[tuple[Cell, Cell, str]]:
        """The connections to draw over the picture: tail, head and, in words, what the connection does."""
        return self._wires(self._draft)

    @property
    def settings(self) -> list[Setting]:
        """The settings of the whole board, which `choose` changes."""
        return self._settings(self._draft)

    def code(self, cell: Cell) -> int:
        """Returns the code of a cell.

        * ``cell``: ``(row, col)`` on the board; ``ValueError`` for any other.

        >>> import gridwright as gw
        >>> gw.Bloxorz.level("level01").editor().code((1, 2)) == gw.bloxorz.Tile.TILE
        True
        """
        return self._code_at(self._draft, self._cell(cell))

    def describe(self, cell: Cell) -> str:
        """Returns the contents of a cell in words, for a screen reader.

        * ``cell``: ``(row, col)`` on the board; ``ValueError`` for any other.

        >>> import gridwright as gw
        >>> gw.MyPhoton.blank(2, 3).editor().describe((1, 2))
        'row 1, column 2: empty'
        """
        row, col = at = self._cell(cell)
        return f"row {row}, column {col}: {self._words(self._draft, at)}"

    def sketch(self) -> Any:
        """Returns an object that ``gridwright.draw.picture`` draws as the draft; not always a game."""
        return self._sketch(self._draft)

    def sample(self, code: int) -> Any:
        """Returns an object that ``gridwright.draw.picture`` draws as a board whose first cell shows a code.

        * ``code``: the code of the cell, as `put` takes it.
        """
        return self._sketch(self._sample(self._accepted(code)))

    def trail(self, cells: list[Cell]) -> list[Cell]:
        """Returns the cells to pass to `connect` for the path of a pointer: by default its first and its last cell.

        * ``cells``: one or more cells ``(row, col)`` on the board, in the order of the path.

        >>> import gridwright as gw
        >>> gw.LightEmAll.blank(2, 2).editor().trail([(0, 0), (1, 1)])
        [(0, 0), (0, 1), (1, 1)]
        """
        return [cells[0], cells[-1]]

    # Changes of the draft.

    def put(self, cell: Cell, code: int, name: str | None = None) -> None:
        """Puts a piece into a cell, replacing its previous contents.

        * ``cell``: ``(row, col)`` on the board; ``ValueError`` for any other.
        * ``code``: a code of the game, such as ``gw.bloxorz.Tile.TILE``, or several bits joined by ``|`` in games whose
          codes are bits; ``ValueError`` for any other code.
        * ``name``: the letter of a switch or bridge, in games that name them; ``None`` (the default) chooses one.

        >>> import gridwright as gw
        >>> editor = gw.MyPhoton.blank(1, 3).editor()
        >>> editor.put((0, 2), gw.photon.Tile.WALL)
        >>> editor.rows
        ('. . W',)
        """
        self._fill([self._cell(cell)], code, name)

    def paint(self, cells: Iterable[Cell], code: int, name: str | None = None) -> None:
        """Puts a code into several cells, as one change that `undo` takes back.

        * ``cells``: at most a million cells ``(row, col)`` on the board; ``ValueError`` for more, and for other cells.
        * ``code``: a code of the game, such as ``gw.bloxorz.Tile.TILE``, or several bits joined by ``|`` in games whose
          codes are bits; ``ValueError`` for any other code.
        * ``name``: the letter of a switch or bridge, in games that name them; ``None`` (the default) chooses one.

        >>> import gridwright as gw
        >>> editor = gw.MyPhoton.blank(1, 3).editor()
        >>> editor.paint([(0, 0), (0, 1)], gw.photon.Tile.WALL)
        >>> editor.undo(), editor.rows
        (True, ('. . .',))
        """
        self._fill([self._cell(cell, "each of cells") for cell in _cells(cells)], code, name)

    def press(self, cell: Cell, brush: Brush) -> None:
        """Puts a brush's first code into a cell, or the next code if the cell already holds one of the brush's codes.

        * ``cell``: ``(row, col)`` on the board; ``ValueError`` for any other.
        * ``brush``: one of `brushes` that has codes; ``ValueError`` for a brush without codes, ``TypeError`` for
          anything that is not a brush.

        >>> import gridwright as gw
        >>> editor = gw.MyPhoton.blank(1, 1).editor()
        >>> mirror = next(brush for brush in editor.brushes if brush.name == "mirror")
        >>> editor.press((0, 0), mirror), editor.press((0, 0), mirror), editor.rows
        (None, None, ('M\\\\',))
        """
        at = self._cell(cell)
        instance("brush", brush, Brush)
        if not brush.codes:
            raise ValueError(f"brush must have codes, got {shown(brush.name)}, which has none")
        now = self._without_flags(self._code_at(self._draft, at))
        codes = brush.codes
        self.put(at, codes[(codes.index(now) + 1) % len(codes)] if now in codes else codes[0])

    def turn(self, cell: Cell) -> None:
        """Turns the piece in a cell clockwise to its next orientation; a piece with a single orientation stays.

        * ``cell``: ``(row, col)`` on the board; ``ValueError`` for any other.

        >>> import gridwright as gw
        >>> editor = gw.MyPhoton("1 1\\nL>").editor()
        >>> editor.turn((0, 0))
        >>> editor.rows
        ('Lv',)
        """
        at = self._cell(cell)
        code = self._code_at(self._draft, at)
        turned = self._turned(code)
        if turned != code:
            self._change(self._put(self._draft, at, turned, None))

    def connect(self, cells: Iterable[Cell], how: str | None = None) -> None:
        """Connects cells.

        * ``cells``: two to a million cells ``(row, col)``: a tail and a head, or all cells along the path.
        * ``how``: one of `WIRES`; ``None`` (the default) chooses what fits the cells.

        The editor of each game documents what its connections do. Raises ``ValueError`` if the game has none.

        >>> import gridwright as gw
        >>> editor = gw.LightEmAll.blank(1, 3).editor()
        >>> editor.connect([(0, 0), (0, 1), (0, 2)])
        >>> editor.rows
        ('2a8',)
        """
        if not self.WIRES:
            raise ValueError(f"cells cannot be connected in {self._kind.__name__}")
        places = self._read_path(_cells(cells))
        if len(places) < 2:
            raise ValueError(f"cells must hold at least 2 cells, got {len(places)}")
        if how is not None:
            choice("how", how, self.WIRES)
        self._change(self._connect(self._draft, places, how))

    def choose(self, name: str, value: str) -> None:
        """Changes a setting of the whole board.

        * ``name``: the name of one of `settings`; ``ValueError`` for any other.
        * ``value``: one of the choices of that setting; ``ValueError`` for any other.

        >>> import gridwright as gw
        >>> editor = gw.LightEmAll.blank(1, 3).editor()
        >>> editor.choose("wrap", "on")
        >>> editor.text.splitlines()[0]
        '1 3 wrap'
        """
        known = {setting.name: setting for setting in self.settings}
        setting = known[choice("name", name, known)]
        self._change(self._choose(self._draft, name, choice("value", value, setting.choices)))

    def resize(self, height: int, width: int) -> None:
        """Changes the size of the board: rows and columns are added or cut off at the bottom and on the right.

        * ``height``, ``width``: the numbers of rows and columns, integers from 1 to 1000, equal if `SQUARE`;
          ``ValueError`` for any others.

        >>> import gridwright as gw
        >>> editor = gw.Bloxorz.level("level01").editor()
        >>> editor.resize(3, 4)
        >>> editor.rows, str(editor.problems[0])
        (('ooo-', 'oSoo', 'oooo'), 'There is no target: put one on the board.')
        """
        size = whole("height", height, 1, 1000), whole("width", width, 1, 1000)
        if size != self.shape:
            self._change(self._resized(self._draft, *size))

    def read(self, text: str) -> None:
        """Replaces the draft with a level, as one change.

        * ``text``: a level in the notation of the game; ``LevelError`` with line and column for other text.

        >>> import gridwright as gw
        >>> editor = gw.Bloxorz.blank(2, 2).editor()
        >>> editor.read("SooT")
        >>> editor.rows
        ('SooT',)
        """
        self._change(self._read(self._kind(text)))

    def undo(self) -> bool:
        """Takes back the last change; returns ``False`` if there was none."""
        return self._step(self._past, self._future)

    def redo(self) -> bool:
        """Repeats the change that `undo` last took back; returns ``False`` if there was none."""
        return self._step(self._future, self._past)

    @property
    def can_undo(self) -> bool:
        """Whether `undo` has something to take back."""
        return bool(self._past)

    @property
    def steps(self) -> int:
        """The number of changes that `undo` can take back."""
        return len(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether `redo` has something to repeat."""
        return bool(self._future)

    # Facts about the draft.

    def facts(self, seconds: float = 0.5) -> Facts:
        """Returns what is known about the draft, after a search of limited time.

        * ``seconds``: the time limit of the search, a number from 0 to 3600, by default 0.5.

        Answers are kept, even across `undo`: the next call continues with the open questions. A search that ran out of
        time starts again only if a call gives it more time than before. Nothing is known about a draft with `problems`.

        >>> import gridwright as gw
        >>> facts = gw.Bloxorz.level("level01").editor().facts()
        >>> facts.shortest, facts.ways, facts.unique, facts.complete
        (7, 3, False, True)
        """
        end = time.monotonic() + number("seconds", seconds, 0, 3600)
        if self.problems:
            return Facts(unit=self.UNIT)
        text = self.text
        known = self._known.setdefault(text, _KnownFacts())
        # Moves the current draft to the end of the dict, then drops the drafts used least recently.
        self._known[text] = self._known.pop(text)
        while len(self._known) > _MAX_KNOWN:
            del self._known[next(iter(self._known))]
        game = None
        for name in self.QUESTIONS:
            left = end - time.monotonic()
            if name in known.answers or left <= 0:
                continue
            if left <= known.given.get(name, 0.0):
                continue
            game = self._kind(text) if game is None else game
            try:
                known.answers[name] = getattr(self, f"_{name}")(game, known.answers, _deadline(end))
            except SearchLimitError:
                known.given[name] = left
        return self._facts(known.answers, complete=len(known.answers) == len(self.QUESTIONS))

    # What the editor of a game overrides.

    @abstractmethod
    def _read(self, game: Any) -> Draft:
        """Returns the draft of a game.

        * ``game``: a game of the class that the editor is for, in any position.
        """

    @abstractmethod
    def _write(self, draft: Draft) -> str:
        """Returns a draft in the notation of the game.

        * ``draft``: a draft, which may have problems: the text is then not a valid level.
        """

    def _rows(self, draft: Draft) -> tuple[str, ...]:
        """Returns the rows of the board as text; by default one line of the notation per row, from the second line on.

        * ``draft``: a draft, which may have problems.
        """
        return tuple(self._write(draft).splitlines()[1 : 1 + draft.cells.shape[0]])

    def _problems(self, draft: Draft) -> list[Problem]:
        """Returns what keeps a draft from being a level; by default nothing.

        * ``draft``: the draft.
        """
        return []

    @abstractmethod
    def _accepted(self, code: Any) -> int:
        """Reads the ``code`` of `put` and `paint`; raises ``TypeError`` or ``ValueError`` if it is not accepted.

        * ``code``: whatever the caller passed.
        """

    def _name(self, name: Any, code: int) -> str:
        """Reads the ``name`` of `put` and `paint`; by default pieces have no names, and ``ValueError`` is raised.

        * ``name``: whatever the caller passed, not ``None``.
        * ``code``: the code of the piece, as `_accepted` returned it.
        """
        raise ValueError(f"name must be None, got {shown(name)}: pieces of {self._kind.__name__} have no names")

    def _code_at(self, draft: Draft, cell: Cell) -> int:
        """Returns the code of a cell.

        * ``draft``: the draft.
        * ``cell``: a cell of its board.
        """
        return int(draft.cells[cell])

    def _put(self, draft: Draft, cell: Cell, code: int, name: str | None) -> Draft:
        """Returns the draft with another code in a cell.

        * ``draft``: the draft before.
        * ``cell``: a cell of its board.
        * ``code``: the code, as `_accepted` returned it.
        * ``name``: the name of the piece, as `_name` returned it; ``None`` to choose one.
        """
        return draft._replace(cells=written(draft.cells, cell, code))

    def _without_flags(self, code: int) -> int:
        """Returns a code without its flags, such as ``STATION``, so that `press` finds it among a brush's codes.

        * ``code``: a code that a cell holds.
        """
        return code

    def _turned(self, code: int) -> int:
        """Returns a code turned to its next orientation; by default the code itself.

        * ``code``: a code that a cell holds.
        """
        return code

    def _connect(self, draft: Draft, cells: list[Cell], how: str | None) -> Draft:
        """Returns the draft with a connection between cells.

        * ``draft``: the draft before.
        * ``cells``: the cells to connect, as `_read_path` returned them.
        * ``how``: a value of ``WIRES``, or ``None`` for the game's default.
        """
        return draft

    def _read_path(self, cells: Iterator[Any]) -> list[Cell]:
        """Reads the ``cells`` of `connect`; by default each must be a cell of the board.

        * ``cells``: what the caller passed, as an iterator.
        """
        return [self._cell(cell, "each of cells") for cell in cells]

    def _wires(self, draft: Draft) -> list[tuple[Cell, Cell, str]]:
        """Returns the connections to draw over the picture as ``(tail, head, effect in words)``; by default none.

        * ``draft``: the draft.
        """
        return []

    def _settings(self, draft: Draft) -> list[Setting]:
        """Returns the settings of a draft; by default none.

        * ``draft``: the draft.
        """
        return []

    def _choose(self, draft: Draft, name: str, value: str) -> Draft:
        """Returns the draft with another setting.

        * ``draft``: the draft before.
        * ``name``: the name of one of its settings.
        * ``value``: one of the values of that setting.
        """
        return draft

    def _resized(self, draft: Draft, height: int, width: int) -> Draft:
        """Returns the draft in another size: cells that no longer fit are dropped, and new cells are empty.

        * ``draft``: the draft before.
        * ``height``, ``width``: the new size, within the limits of `resize`.
        """
        cells = np.full((height, width), self._EMPTY, dtype=np.uint8)
        rows, cols = min(height, draft.cells.shape[0]), min(width, draft.cells.shape[1])
        cells[:rows, :cols] = draft.cells[:rows, :cols]
        return draft._replace(cells=cells)

    def _sketch(self, draft: Draft) -> Any:
        """Returns the object to draw for a draft; by default the game made from its text.

        * ``draft``: the draft; if it has problems, its text may not be a valid level.
        """
        return self._kind(self._write(draft))

    def _sample(self, code: int) -> Draft:
        """Returns a small draft with a code in its first cell.

        * ``code``: the code, as `_accepted` returned it.
        """
        return self._put(self._read(self._kind.blank(1, 1)), (0, 0), code, None)

    def _words(self, draft: Draft, cell: Cell) -> str:
        """Returns the contents of a cell in words.

        * ``draft``: the draft.
        * ``cell``: a cell of its board.
        """
        return f"code {self._code_at(draft, cell)}"

    def _facts(self, answers: dict[str, Any], *, complete: bool) -> Facts:
        """Combines the answers to the questions into facts.

        * ``answers``: question -> answer; questions that are still open are missing.
        * ``complete``: whether every question is answered.
        """
        shortest = answers.get("shortest")
        ways = answers.get("ways")
        solvable = None if ways is None else ways > 0
        if "shortest" in answers and solvable is None:
            solvable = shortest is not None
        grade = answers.get("grade")
        if not solvable:
            return Facts(solvable, unit=self.UNIT, complete=complete)
        more = ways is not None and ways >= self._most
        return Facts(solvable, shortest, ways, more, grade, self.UNIT, complete=complete)

    @property
    def _most(self) -> int:
        """The maximum number of solutions to count: small on large boards, where the clock is checked rarely."""
        return self.MAX_WAYS if self._draft.cells.size <= 10_000 else 2

    # Private helpers.

    def _fill(self, places: list[Cell], code: Any, name: Any) -> None:
        accepted = self._accepted(code)
        if name is not None:
            name = self._name(name, accepted)
        draft = self._draft
        for place in places:
            draft = self._put(draft, place, accepted, name)
        self._change(draft)

    def _cell(self, cell: Any, name: str = "cell") -> Cell:
        row, col = read_cell(name, cell, self.shape)
        return row, col

    def _change(self, draft: Draft) -> None:
        """Makes ``draft`` the current draft and adds a step to the history, unless nothing differs."""
        before = self._draft
        step = _Step(before, draft)
        if step.is_nothing:
            return
        self._past.append(step)
        self._replaced, self._future = self._future, []
        self._draft = draft

    def _retract(self) -> None:
        """Takes back a change that has just been made, as if it had never been made: `redo` does not repeat it."""
        self._step(self._past, [])
        self._future = self._replaced

    def _step(self, source: list[_Step], target: list[_Step]) -> bool:
        if not source:
            return False
        step = source.pop()
        before = self._draft
        self._draft = step.back(before)
        target.append(_Step(before, self._draft))
        return True


_MAX_KNOWN = 200
"""The maximum number of drafts whose answers are kept."""


class _Step:
    """A change in the history, with the data that restores the earlier draft: the cells that differ, or all cells if
    the size has changed.
    """

    def __init__(self, before: Draft, after: Draft) -> None:
        self.more = before.more
        self.cells: npt.NDArray[np.uint8] | None = None
        self.places: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self.values: npt.NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
        if before.cells.shape == after.cells.shape:
            self.places = np.flatnonzero(before.cells != after.cells)
            self.values = before.cells.ravel()[self.places]
        else:
            self.cells = before.cells
        self.is_nothing = self.cells is None and not len(self.places) and before.more == after.more

    def back(self, draft: Draft) -> Draft:
        """Returns the earlier draft, given the later one."""
        cells = self.cells
        if cells is None:
            cells = draft.cells.copy()
            cells.ravel()[self.places] = self.values
        return Draft(cells, self.more)


def written(cells: npt.NDArray[np.uint8], cell: Cell, value: int) -> npt.NDArray[np.uint8]:
    """Returns a copy of an array with another value in one cell.

    * ``cells``: the array, which is not changed.
    * ``cell``: the cell ``(row, col)``.
    * ``value``: the new value of the cell.
    """
    found: npt.NDArray[np.uint8] = cells.copy()
    found[cell] = value
    return found


def member(code: Any, known: Iterable[int], legend: str) -> int:
    """Reads the code of a cell.

    * ``code``: whatever the caller passed.
    * ``known``: the codes allowed; ``ValueError`` for any other.
    * ``legend``: the name of the code enum, for the message.

    >>> member(7, (0, 1), "Color")
    Traceback (most recent call last):
        ...
    ValueError: code must be a member of Color, got 7
    """
    found = integer("code", code)
    if found not in set(known):
        raise ValueError(f"code must be a member of {legend}, got {shown(found)}")
    return found


_MAX_CELLS = 1_000_000
"""The maximum number of cells in one change, equal to that of the largest board that `resize` makes; an endless
iterator is refused."""


def _cells(cells: Any) -> Iterator[Any]:
    try:
        return _limited(iter(cells))
    except TypeError:
        raise wrong_type("cells", "a sequence of cells (row, col)", cells) from None


def _limited(cells: Iterator[Any]) -> Iterator[Any]:
    for count, cell in enumerate(cells):
        if count == _MAX_CELLS:
            raise ValueError(f"cells must hold at most {_MAX_CELLS:,} cells, got more")
        yield cell


def known(answers: dict[str, Any], name: str) -> Any:
    """Returns the answer to a question about a draft.

    * ``answers``: question -> answer, for the questions answered so far.
    * ``name``: the question; ``SearchLimitError`` if it is not answered yet.
    """
    if name not in answers:
        raise SearchLimitError(f"{name} is not known yet")
    return answers[name]


def _deadline(end: float) -> Progress:
    """Returns a progress callback that raises ``SearchLimitError`` once the time ``end`` has passed."""

    def look(_: int) -> None:
        if time.monotonic() > end:
            raise SearchLimitError("the time is up")

    return look
