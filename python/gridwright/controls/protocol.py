"""The protocol for playing a game, with defaults that a game can override."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from copy import copy, deepcopy
from functools import partial
from typing import Any, ClassVar
from weakref import WeakValueDictionary

import numpy as np

from ..arguments import cell as read_cell
from ..arguments import choice, flag, integer, number, shown, text, whole, wrong_type
from ..arguments import game as read_game
from ..errors import IllegalMoveError, SearchLimitError
from ..insight import GRADES, grade
from ..solved import Solved, record, solved
from ..status import Status
from ..words import counted, dimensions
from .puzzle import Puzzle, level_name, patience, read_seed
from .values import Action, Cell, Entry, Hint, Level, Motion, Move, Refusal, Score, Setting, Verb

_OVER = "The game is over."
"""The refusal of an action after the end of the game; the sentence about the end precedes it."""

_LIVE: WeakValueDictionary[int, Controls] = WeakValueDictionary()
"""``id(game)`` -> its controls, if any exist. Controls hold their game, so no other object can take over the id."""


def of_game(game: Any) -> Controls:
    """Returns the controls of a game: the same object while it is referenced, so that all front ends share one state.

    * ``game``: a game; ``TypeError`` for anything else.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> controls = game.controls()
    >>> game.controls() is controls
    True
    """
    found = _LIVE.get(id(read_game("game", game)))
    if found is None:
        found = _LIVE[id(game)] = game.CONTROLS(game)
        if found.over:
            found.message = found._verdict()
    return found


class Controls:
    """The controls through which a player plays a game; ``game.controls()`` returns them.

    Most methods that a player triggers return whether anything changed; if the rules refuse an action, `message` says
    so and no error is raised. A wrong type, a cell off the board or an unknown name of a level or setting raises
    ``TypeError`` or ``ValueError``.

    * ``game``: the game that is played, not a copy.
    """

    GOAL: ClassVar[str] = ""
    """What wins the game, in one sentence."""

    CLICK: ClassVar[str] = ""
    """What a click on a cell does, in a few words."""

    SECOND: ClassVar[str] = ""
    """What the second kind of click does (right button, Shift, a toggle on touch screens); empty if there is none."""

    THIRD: ClassVar[str] = ""
    """What the third kind of click does (middle button); empty if there is none."""

    DRAG: ClassVar[str] = ""
    """What dragging does, in a few words; empty if it does nothing."""

    VERBS: ClassVar[dict[str, Verb]] = {}
    """Word -> the action that it performs if a player types it, as in ``show 3 4``."""

    COUNT: ClassVar[str] = "move"
    """The unit in which results of this game are counted, in the singular, such as ``roll``."""

    AFTER: ClassVar[dict[str, str]] = {}
    """Named packaged level -> the level that precedes it in `levels`, empty for the first place. Named levels that are
    not keys of this mapping come after the numbered levels."""

    HOVER: ClassVar[bool] = False
    """Whether pointing at a cell, without a click, changes what is shown."""

    PATIENCE: ClassVar[float] = 2.0
    """The time limit of a search for a hint or an answer, in seconds."""

    def __new__(cls, game: Any) -> Controls:
        """Makes controls of the class that the game names, so that ``Controls(game)`` plays every game by its rules."""
        kind: type[Controls] = type(read_game("game", game)).CONTROLS
        return object.__new__(kind if issubclass(kind, cls) else cls)

    def __getnewargs__(self) -> tuple[Any]:
        """Returns the argument with which `copy` and `pickle` call `__new__`."""
        return (self.game,)

    def __init__(self, game: Any) -> None:
        self.game = game
        self.message = ""
        """A sentence for the player about the last action; empty if there is none."""
        self.news = ""
        """What the last action changed, in words, for a screen reader."""
        self.selected: Cell | None = None
        """The cell of the first of two clicks that make a move; ``None`` if no move has been begun."""
        self.cursor: Cell | None = None
        """The cell that keys act on; ``None`` until the cursor appears."""
        self.hovered: Cell | None = None
        """The cell that is pointed at; ``None`` if there is none."""
        self.grabbed: Cell | None = None
        """The cell where the current drag began; ``None`` if there is none."""
        self.motion: Motion | None = None
        """How the last action moved things; ``None`` if there is nothing to animate."""
        self.busy = False
        """Whether an action is still in progress, as when an opponent needs time for its reply."""
        self.stepped = 0
        """How many times steps of an answer have been played, by which a late or repeated request is recognized."""
        self._puzzle = Puzzle(name=level_name(game))
        self._past: list[Puzzle] = []
        self._future: list[Puzzle] = []
        self._queue: list[tuple[Move, ...]] | None = None
        self._shown: Hint | None = None
        self._listeners: list[Callable[[], object]] = []
        self._seen, self._line = self._mark(), self._moves_and_undone()
        self._latest: Move | None = None

    # What a player does.

    def click(self, cell: Cell, second: bool = False, *, third: bool = False) -> bool:
        """Clicks a cell and returns whether anything changed.

        * ``cell``: ``(row, col)`` on the board; ``ValueError`` for a cell off the board.
        * ``second``, ``third``: whether the click is of the second or third kind, which `SECOND` and `THIRD` describe;
          ``False`` by default. If the description is empty, such a click does what an ordinary click does.
        """
        at = self._on_board(cell)
        second, third = flag("second", second), flag("third", third)
        self.grabbed = None  # also if the action does not end

        def run() -> None:
            self.hovered = at
            if self.cursor is not None:
                self.cursor = at
            self._clicked(at, 1 if second and self.SECOND else 2 if third and self.THIRD else 0)

        return self._act(run)

    def drag(self, path: Iterable[Sequence[float]]) -> bool:
        """Drags over the board and returns whether anything changed.

        * ``path``: the points ``(row, col)`` along the drag, in cells: whole numbers are the centers of cells,
          fractions lie between them, and points off the board are allowed. Fewer than two points change nothing.
        """
        points = _points(path)
        self.grabbed = None
        if len(points) < 2:
            return False
        return self._act(lambda: self._dragged(points))

    def hover(self, cell: Cell | None, grabbed: Cell | None = None) -> bool:
        """Points at a cell, or at no cell if ``cell`` is ``None``, and returns whether the marks changed.

        * ``cell``: ``(row, col)`` on the board, or ``None``.
        * ``grabbed``: the cell where the current drag began; ``None`` (the default) if there is none.
        """
        at = None if cell is None else self._on_board(cell)
        start = None if grabbed is None else self._on_board(grabbed, "grabbed")
        before, kept = self.marks(), (self.hovered, self.grabbed)
        self.hovered, self.grabbed = at, start
        try:
            return bool(self.marks() != before)
        except BaseException:  # such as that of Ctrl-C
            self.hovered, self.grabbed = kept
            raise

    def key(self, name: str) -> bool:
        """Presses a key and returns whether it is one of `keys`.

        * ``name``: a letter in lower case, or one of ``left up right down enter space escape backspace``, each also
          with ``shift+``, ``ctrl+`` or ``ctrl+shift+`` in front. Other names change nothing.
        """
        action = self._actions().get(text("name", name))
        if action is None:
            return False
        action.run()
        return True

    @property
    def keys(self) -> dict[str, str]:
        """Key name -> what the key does, in words."""
        return {name: action.words for name, action in self._actions().items()}

    def hint(self) -> bool:
        """Shows a hint or plays the one that is shown; returns whether anything changed.

        The first call marks the cells of the next step and those that justify it, sets `message` to the reason, and
        counts as a hint used. The second call plays the step, unless another action came in between.
        """
        return self._act(self._hint, keep_hint=True)

    def solve(self) -> bool:
        """Starts playing an answer: each `step` plays one move or several that belong together.

        A second call stops playing it. Returns whether anything changed.
        """
        return self._act(self._solve, keep_queue=True)

    def step(self, steps: int = 1) -> bool:
        """Plays the next steps of the answer that `solve` started.

        * ``steps``: the number of steps, an integer of at least 1; 1 by default.

        Returns whether anything was played. If the game was played elsewhere since the last action, the answer is
        dropped.
        """
        count = whole("steps", steps, 1)
        if self._queue is None or self.look():
            return False
        return self._act(lambda: self._step(count), keep_queue=True)

    def finish(self) -> bool:
        """Plays the rest of the answer that `solve` started, or a new answer. Returns whether anything changed."""
        self.look()
        return self._act(self._finish, keep_queue=True)

    @property
    def solving(self) -> bool:
        """Whether an answer that `solve` started is still being played."""
        return self._queue is not None

    def undo(self) -> bool:
        """Takes the last action back; at the start of a puzzle, returns to the puzzle played before it."""
        return self._act(self._undo)

    def redo(self) -> bool:
        """Repeats the action that `undo` took back last."""
        return self._act(self._redo)

    def restart(self) -> bool:
        """Returns to the start of the puzzle and sets the clock to zero; `undo` brings the moves back."""
        return self._act(self._restart)

    def new(self, seed: int | str | None = None, difficulty: int | str | None = None) -> bool:
        """Puts a new puzzle of the same kind and size on the board; `undo` brings the old one back.

        * ``seed``: an integer from 0 to 2^64 - 1, or a string of its digits; ``None`` (the default) or an empty string
          draws a random one. Any other string changes nothing and is reported in `message`.
        * ``difficulty``: one of `difficulties`, or its number, 1 to 5; ``None`` (the default) for any.
        """
        if difficulty is not None:
            named = difficulty if isinstance(difficulty, str) else GRADES[grade(difficulty) - 1]
            difficulty = choice("difficulty", named, self.difficulties)
        if not isinstance(seed, str | None):
            seed = whole("seed", seed, 0)
        return self._act(lambda: self._new(seed, difficulty))

    def level(self, name: str) -> bool:
        """Puts a packaged level on the board; `undo` brings the old puzzle back.

        * ``name``: one of ``type(game).levels()``; any other name raises ``LevelError``.
        """
        made = type(self.game).level(name)
        return self._act(lambda: self._start(made, Puzzle(name=name)))

    def next_level(self) -> bool:
        """Puts the `following` level on the board, if there is one; `undo` brings the old puzzle back."""
        following = self.following
        return self._act(self._refuse_next) if following is None else self.level(following)

    def choose(self, name: str, value: str) -> bool:
        """Changes a setting and returns whether anything changed.

        * ``name``: the name of one of `settings`.
        * ``value``: one of the choices of that setting.
        """
        known = {setting.name: setting for setting in self.settings}
        choice("name", name, known)
        choice("value", value, known[name].choices)
        return self._act(lambda: self._choose(name, value))

    def focus(self) -> None:
        """Focuses the board: shows the cursor where it was last, or in the first cell."""
        if self.cursor is None:
            self.cursor = (0, 0)
        self.news = self.describe(self.cursor)

    def move_cursor(self, down: int, across: int) -> None:
        """Moves the cursor, which stops at the edge of the board; a cursor not shown yet appears in the first cell.

        * ``down``, ``across``: the numbers of rows and columns, integers; negative numbers move up and to the left.
        """
        down, across = integer("down", down), integer("across", across)
        if self.cursor is None:
            self.cursor = (0, 0)
        else:
            row, col = self.cursor
            height, width = self.game.shape
            self.cursor = (min(max(row + down, 0), height - 1), min(max(col + across, 0), width - 1))
        self.hovered = None
        self.news = self.describe(self.cursor)
        self._notify()

    # What a player sees.

    @property
    def name(self) -> str:
        """The name of the packaged level on the board; empty if the puzzle is not a packaged level."""
        return self._puzzle.name

    @property
    def seed(self) -> int | None:
        """The seed of the puzzle on the board; ``None`` if `new` did not make it."""
        return self._puzzle.seed

    @property
    def title(self) -> str:
        """The name of the game and that of the puzzle, such as ``Bloxorz level01``."""
        return _title(self.game, self._puzzle)

    @property
    def status(self) -> Status:
        """The status shown to the player; a subclass may end a game early, as after an agreed number of moves."""
        return Status(self.game.status)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.status != Status.OPEN

    @property
    def outcome(self) -> str:
        """How the game ended, in one or two words, such as ``won``; empty before the end."""
        return self.status.name.lower() if self.over else ""

    @property
    def scores(self) -> list[Score]:
        """The scores to show to the player, the count of moves first."""
        found = [Score(f"{self.COUNT}s", self._counted()), *self._scores()]
        if (par := self.par) is not None:
            found.append(Score("par", par))
        if self._puzzle.hints:
            found.append(Score("hints", self._puzzle.hints))
        return found

    @property
    def optimum(self) -> int | None:
        """The fewest moves that win this puzzle from its start, counted as in `scores`; ``None`` if unknown."""
        puzzle = self._puzzle
        if not puzzle.optimum_known:
            puzzle.optimum = self._from_start(self._optimum)
            puzzle.optimum_known = True
        return puzzle.optimum

    @property
    def par(self) -> int | None:
        """The moves of the solution that is offered at the start, counted as in `scores`; ``None`` if unknown.

        This is `optimum`, unless the solution may not be a shortest one, as in LightEmAll with a limited radius.
        """
        return self.optimum

    @property
    def levels(self) -> list[Level]:
        """The packaged levels in order, with their grades and the player's results."""
        known = solved(self.game.NAME)
        found = []
        for name in self._puzzles():
            mine = known.get(name)
            best, optimum = mine or Solved(None, None)
            found.append(Level(name, self._grade(name), mine is not None, best, optimum))
        return found

    @property
    def following(self) -> str | None:
        """The name of the next level, or of the first if the puzzle is not one of `levels`; ``None`` after the last."""
        names = self._puzzles()
        if self.name not in names:
            return names[0] if names else None
        place = names.index(self.name) + 1
        return names[place] if place < len(names) else None

    @property
    def upcoming(self) -> str | None:
        """The level that Enter starts: `following`, once a packaged level is won; otherwise ``None``."""
        return self.following if self.name and self.status == Status.WON else None

    @property
    def difficulties(self) -> tuple[str, ...]:
        """The values of ``difficulty`` that `new` accepts; empty if this game has none."""
        return ()

    @property
    def settings(self) -> list[Setting]:
        """The settings that a player can change with `choose`."""
        return []

    @property
    def can_undo(self) -> bool:
        """Whether `undo` has something to take back."""
        return bool(self._has_moves or self._puzzle.restarted or self._past)

    @property
    def back(self) -> str:
        """The title of the puzzle that `undo` returns to; empty if the next `undo` stays in this puzzle."""
        puzzle = self._puzzle
        moves = self._has_moves or puzzle.restarted
        return _title(self.game, self._past[-1]) if self._past and not moves else ""

    @property
    def can_redo(self) -> bool:
        """Whether `redo` has something to repeat."""
        return bool(len(self.game.undone) or self._future)

    @property
    def seconds(self) -> float:
        """The seconds from the first move to now or to the end of the game, without those spent on other puzzles."""
        return self._puzzle.seconds

    @property
    def running(self) -> bool:
        """Whether the clock is running."""
        return self._puzzle.since is not None

    def legend(self) -> list[Entry]:
        """Returns the meanings of the symbols on this board, in the order in which to show them."""
        return []

    def marks(self) -> dict[str, tuple[Cell, ...]]:
        """Returns the cells that a front end highlights: role -> cells.

        Roles are ``"cursor"``, ``"selected"``, ``"hint"`` (the cells of the next step), ``"because"`` (the cells that
        justify it), ``"preview"`` (the cells that a click would now change), ``"linked"`` (the cells linked to the one
        that is pointed at), ``"choices"`` (the cells that a second click may choose) and ``"locked"`` (the tiles that
        the player has locked). The cells of ``"aim"``, the line that a click would now draw, of ``"line"``, the line
        that a hint suggests, and of ``"clash"``, the earlier line that forbids the chosen one, are in order from tail
        to head.
        """
        found: dict[str, tuple[Cell, ...]] = {}
        if self.selected is not None:
            found["selected"] = (self.selected,)
        if self._shown is not None:
            found.update({role: cells for role, cells in self._shown.cells.items() if cells})
        if self.cursor is not None:
            found["cursor"] = (self.cursor,)
        return found

    @property
    def place(self) -> tuple[Cell, ...]:
        """Where the last move was played or taken back; a front end whose view is small shows these cells.

        These are the cells that the move names, none if there is no such move; if keys move a piece over the board,
        they are always the cells of that piece.
        """
        return () if self._latest is None else self._cells_of(self._latest)

    def labels(self) -> dict[Cell, str]:
        """Returns short texts to write into cells, such as chances: cell -> text."""
        return {}

    def describe(self, cell: Cell) -> str:
        """Returns the contents of a cell in words, for a screen reader: ``row 2, column 3: hidden, marked``.

        * ``cell``: ``(row, col)`` on the board; ``ValueError`` for a cell off the board.
        """
        row, col = self._on_board(cell)
        return f"row {row}, column {col}: {self._contents((row, col))}"

    @property
    def tip(self) -> str:
        """A sentence about the cell that is pointed at, or else the cell at the cursor; empty if there is none."""
        return ""

    def handles(self) -> tuple[Cell, ...]:
        """Returns the cells where a drag may begin; a finger that touches elsewhere may scroll the page.

        Empty after the end of the game.
        """
        return () if self.over else self._handles()

    def help(self) -> str:
        """Returns the goal of the game and what clicks and drags do, as one paragraph."""
        gestures = (("click", self.CLICK), ("right click", self.SECOND), ("middle click", self.THIRD))
        parts = [f"{name}: {does}" for name, does in (*gestures, ("drag", self.DRAG)) if does]
        how = "; ".join(parts)
        return " ".join([*([self.GOAL] if self.GOAL else []), *([f"{how[0].upper()}{how[1:]}."] if how else [])])

    def subscribe(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Registers a function that is called after each action, whether or not it changed anything.

        * ``listener``: a callable without arguments; ``TypeError`` otherwise.

        Returns a function that ends the registration.
        """
        if not callable(listener):
            raise wrong_type("listener", "a callable", listener)
        self._listeners.append(listener)

        def end() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return end

    def look(self) -> bool:
        """Returns whether the game was played elsewhere since the last action, for example in a notebook cell.

        If so, hints, selections and messages, which no longer apply, are cleared, and listeners are called.
        """
        if self._mark() == self._seen:
            return False
        self.message, self.selected, self._queue, self._shown, self.motion = "", None, None, None, None
        seen, line = self._line, self._moves_and_undone()
        # Actions stay together if their moves are still those that were played.
        groups = self._puzzle.groups.items()
        self._puzzle.groups = {end: start for end, start in groups if np.array_equal(seen[:end], line[:end])}
        self._puzzle.restarted = 0
        self._settle()
        if self.over:
            self.message = self._verdict()
        self._notify()
        return True

    @property
    def state(self) -> str:
        """The state of play, as text that `restore` reads: all moves, hints, clock and settings of this puzzle."""
        start, moves, undone, _ = self.game.__getstate__()
        game = {"start": start, "moves": moves.tolist(), "undone": undone}
        return json.dumps({**game, "puzzle": self._puzzle.keep(), "more": self._keep()})

    def restore(self, state: str) -> None:
        """Restores a state of play; the clock stands still until the next move.

        * ``state``: a value of `state` for the same puzzle, from these controls, others or an earlier session;
          ``ValueError`` for any other text.

        >>> import gridwright as gw
        >>> controls = gw.LightEmAll.level("level02").controls()
        >>> controls.hint(), controls.click((0, 0), second=True)
        (True, True)
        >>> other = gw.LightEmAll.level("level02").controls()
        >>> other.restore(controls.state)
        >>> [str(score) for score in other.scores]
        ['moves 1', 'tiles powered 10 of 25', 'par 15', 'hints 1']
        """
        text("state", state)
        game, recover = self.game, self._recovery()
        try:
            kept = json.loads(state)
            if kept["start"] != game.__getstate__()[0]:
                raise ValueError
            moves = np.array(kept["moves"], dtype=np.int32).reshape(len(kept["moves"]), len(game.bounds))
            game.__setstate__((kept["start"], moves, whole("undone", kept["undone"], 0, len(moves)), {}))
            self._puzzle = Puzzle.restored(kept["puzzle"], self.name, len(moves), len(game.undone))
            self._restore(kept["more"])
            for setting in self.settings:
                choice(setting.name, setting.value, setting.choices)
        except BaseException as error:
            recover()
            if not isinstance(error, (ValueError, TypeError, KeyError, OverflowError, RecursionError)):
                raise
            raise ValueError(f"state must be a state of play of this puzzle, got {shown(state)}") from None
        self._queue = self._shown = self.selected = self.hovered = self.grabbed = self.motion = None
        if self._mark() != self._seen:
            self.message = ""
        self._settle()
        if self.over:
            self.message = self._verdict()
        self._notify()

    # What a game overrides. Methods that play, search or make a puzzle run within an action (`_act`), which turns
    # `Refusal` and rule errors into messages. `_optimum`, and the `_answer` that it calls, also run outside an action.

    def _actions(self) -> dict[str, Action]:
        """Returns key name -> action. A subclass adds keys, which replace default keys of the same name."""
        steps = {"left": (0, -1), "up": (-1, 0), "right": (0, 1), "down": (1, 0)}
        found: dict[str, Action] = {}
        for prefix in ("", "shift+"):
            for name, (down, across) in steps.items():
                move = partial(self.move_cursor, down, across)
                found[prefix + name] = Action(f"move the cursor {name}", move)
        go = Action(self.CLICK or "click", self._enter)
        found.update({"enter": go, "space": go})
        if self.SECOND:
            other = Action(self.SECOND, partial(self._enter, True))
            found.update({"shift+enter": other, "shift+space": other})
        found["h"] = Action("show a hint; press again to play it", self.hint)
        found["backspace"] = found["ctrl+z"] = Action("undo", self.undo)
        found["ctrl+y"] = found["ctrl+shift+z"] = Action("redo", self.redo)
        found["escape"] = Action("cancel the selection", self._escape)
        return found

    def _handles(self) -> tuple[Cell, ...]:
        """Returns the cells where a drag may begin in an open game."""
        return ()

    def _clicked(self, cell: Cell, kind: int) -> None:
        """Performs a click of the first, second or third kind (0, 1, 2).

        The default follows from the moves of the game. If a move consists of two cells, the first click selects a cell
        and the second one plays the move. If a move consists of a kind and a cell, ``kind`` is the kind of the move.
        If a move is a single cell, a click plays it. A click plays no other moves.
        """
        rank = len(self.game.bounds) if _names_cells(self.game) else 0
        if rank == 4:
            if self.selected is None or self.selected == cell:
                self.selected = cell if self.selected is None else None
                return
            first, self.selected = self.selected, None
            self._play((*first, *cell))
        elif rank == 3:
            self._play((kind, *cell))
        elif rank == 2:
            self._play(cell)

    def _contents(self, cell: Cell) -> str:
        """Returns the contents of a cell in words."""
        return f"code {self.game.board[cell]}"

    def _dragged(self, path: list[tuple[float, float]]) -> None:
        """Performs a drag; ``path`` has at least two points."""

    def _answer(self, game: Any, progress: Callable[[int], object]) -> list[Move] | None:
        """Returns the moves of an answer from ``game``; ``None`` if there is none. ``progress`` ends a long search."""
        moves = _method(game, "solution", "solver")(progress=progress)
        return None if moves is None else [tuple(move) for move in moves.tolist()]

    def _find_hint(self, progress: Callable[[int], object]) -> Hint | None:
        """Returns the easiest step that can be justified, with its reason; ``None`` if there is none."""
        explanation = _method(self.game, "explain", "hints")(progress=progress)
        moves = [tuple(move) for move in explanation.moves.tolist()]
        return self._hint_of(explanation, self._steps(moves)[0]) if moves else None

    def _hint_of(self, explanation: Any, moves: Sequence[Move]) -> Hint:
        """Converts an explanation into a hint that plays ``moves``, one or more moves."""
        so, because = (
            tuple((int(row), int(col)) for row, col in explanation.cells.get(key, ())) for key in ("so", "because")
        )
        return Hint(tuple(moves), {"hint": so or self._cells_of(moves[0]), "because": because}, str(explanation))

    def _steps(self, moves: Sequence[Move]) -> list[tuple[Move, ...]]:
        """Groups the moves of an answer into the steps of a player; by default each move is a step."""
        return [(move,) for move in moves]

    def _in_words(self, captions: list[str]) -> list[str]:
        """Returns a step of an answer in words, one line per counted move, from the captions of its moves."""
        return captions

    def _cells_of(self, move: Move) -> tuple[Cell, ...]:
        """Returns the cells that a move names, by default its pairs ``(row, col)``, after a kind if its length is odd.

        If the bounds of moves show that they are not made up in this way, the default returns no cells.
        """
        pairs = range(len(move) % 2, len(move), 2) if _names_cells(self.game) else ()
        return tuple((move[at], move[at + 1]) for at in pairs)

    def _optimum(self, start: Any, progress: Callable[[int], object]) -> int | None:
        """Returns the fewest moves that win from a start, counted as in `_counted`; ``None`` if unknown."""
        moves = self._answer(start, progress)
        return len(moves) if moves else None

    def _counted(self) -> int:
        """Returns the number of moves as counted in results."""
        return len(self.game.moves)

    def _scores(self) -> list[Score]:
        """Returns the scores of this game besides moves, par and hints."""
        return []

    def _make(self, seed: int, options: dict[str, Any]) -> Any:
        """Makes a new puzzle of the same kind and size; ``options`` go to ``generate``."""
        return _method(type(self.game), "generate", "generator")(*self.game.shape, seed=seed, **options)

    def _choose(self, name: str, value: str) -> None:
        """Changes a setting; ``name`` and ``value`` have been validated."""

    def _keep(self) -> Any:
        """Returns what `_restore` reads, as values that JSON can represent: settings and other state of this game."""
        return None

    def _restore(self, kept: Any) -> None:
        """Restores what `_keep` returned. An invalid value raises an error; a setting may also be left invalid."""

    def _refused(self, error: IllegalMoveError) -> str:
        """Returns the sentence for the player about a move that the rules refuse."""
        return error.reason[:1].upper() + error.reason[1:] + "."

    def _after_play(self, moves: Sequence[Move]) -> None:
        """Called after the moves of one action; may set `message` and play for an opponent."""

    def _won(self) -> str:
        """Returns the sentence about a won game."""
        number = self._counted()
        sentence = f"You won in {counted(number, self.COUNT)}"
        optimum = self.optimum
        if optimum is not None and not self._puzzle.assisted:
            sentence += (
                ": it cannot be done in fewer"
                if number <= optimum
                else f"; {optimum} {'is' if optimum == 1 else 'are'} possible"
            )
        return sentence + "."

    def _lost(self) -> str:
        """Returns the sentence about a lost game."""
        return "You lost. Undo takes the last move back." if self._has_moves else "You lost."

    def _drawn(self) -> str:
        """Returns the sentence about a drawn game."""
        return "Drawn."

    def _grade(self, name: str) -> str:
        """Returns the grade of a packaged level in one word; empty if it is unknown."""
        return ""

    # Private helpers.

    def _from_start(self, find: Callable[[Any, Callable[[int], object]], int | None]) -> int | None:
        """Returns what ``find`` finds for the start; ``None`` after 0.2 seconds, and for a game without a solver."""
        start = self.game.copy()
        start.reset()
        try:
            return find(start, patience(0.2))
        except (SearchLimitError, Refusal):
            return None

    def _act(self, run: Callable[[], object], *, keep_queue: bool = False, keep_hint: bool = False) -> bool:
        """Runs an action; a refusal by the rules becomes the message. Returns whether anything changed.

        After any other exception, such as that of Ctrl-C, everything is as it was before the action.
        """
        recover = self._recovery()
        try:
            return self._changes(run, keep_queue, keep_hint)
        except BaseException:
            recover()
            self.motion = None  # it has been shown
            raise
        finally:
            self._notify()

    def _changes(self, run: Callable[[], object], keep_queue: bool, keep_hint: bool) -> bool:
        before, position = self._view(), self._mark()
        self.message = self.news = ""
        self.motion = None
        if not keep_queue:
            self._queue = None
        if not keep_hint:
            self._shown = None
        try:
            run()
        except Refusal as refusal:
            self.message = str(refusal)
        except IllegalMoveError as error:
            self.message = self._refused(error)
        except SearchLimitError:
            self.message = f"Nothing was found in {self.PATIENCE:g} seconds. Play on, or try again after a few moves."
        if self._mark() != position:
            # A selection applies only to the position in which it was made.
            self.selected = None
        self._settle()
        if self.over and not self.message.startswith(verdict := self._verdict()):
            # The sentence about the end stays until the last move is taken back.
            self.message = f"{verdict} {self.message}".rstrip()
        changed = bool(self._view() != before)
        if not self.news:
            self.news = self.message or (self.describe(self.cursor) if changed and self.cursor else "")
        return changed

    def _recovery(self) -> Callable[[], None]:
        """Returns a function that makes the game and these controls what they are now."""
        game = self.game.copy()
        kept = {name: list(value) if isinstance(value, list) else value for name, value in vars(self).items()}
        # An action may also change the puzzles themselves.
        kept["_puzzle"] = deepcopy(self._puzzle)
        kept["_past"], kept["_future"] = ([copy(each) for each in puzzles] for puzzles in (self._past, self._future))

        def recover() -> None:
            vars(self).clear()
            vars(self).update(kept)
            self._puzzle.state = game.__getstate__()
            self._puzzle.take_out(self.game)

        return recover

    def _settle(self) -> None:
        """Records the position as seen; after the end of the game, stops the clock and clears hint and selection."""
        seen, line = self._mark(), self._moves_and_undone()
        if seen != self._seen:
            # Without the moves in front of it, a move that was taken back is the next that redo would play.
            at = seen[0] - (seen[0] >= self._seen[0])
            self._latest = tuple(line[at].tolist()) if 0 <= at < len(line) else None
        self._seen, self._line = seen, line
        if self.over:
            self._queue = self._shown = self.selected = None
            self._puzzle.stop_clock()

    def _show_meanwhile(self, message: str) -> None:
        """Shows the position with a message while an action is still in progress, such as a long search for a reply."""
        self.message = self.news = message
        self.busy = True
        try:
            self._notify()
        finally:
            self.busy = False

    def _notify(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    def _mark(self) -> Any:
        """Returns a value that differs between positions, and between equal positions at different points of play."""
        game = self.game
        return len(game.moves), len(game.undone), int(game.status), game.text

    def _moves_and_undone(self) -> Any:
        """Returns the moves of the game and those that redo would repeat, in this order, as one array."""
        return np.concatenate((self.game.moves, self.game.undone))

    def _view(self) -> Any:
        return self._mark(), self.selected, self._shown, self._queue is None, tuple(self.settings)

    def _on_board(self, cell: Cell, name: str = "cell") -> Cell:
        row, col = read_cell(name, cell, self.game.shape)
        return row, col

    def _play(self, *moves: Move) -> None:
        """Plays the moves of one action, up to the end of the game; if the rules refuse one, plays none."""
        game, puzzle = self.game, self._puzzle
        if self.over:
            raise Refusal(_OVER)
        start = len(game.moves)
        try:
            for move in moves:
                # The game may end before the last of several moves.
                if len(game.moves) > start and game.status != Status.OPEN:
                    break
                game.play(*move)
        except IllegalMoveError:
            while len(game.moves) > start:
                game.undo()
            raise
        self._discard_undone(start)
        puzzle.start_clock()
        self._after_play(moves)
        end = len(game.moves)
        if end - start > 1:
            puzzle.groups[end] = start
        if self.over:
            self._end()

    def _discard_undone(self, played: int) -> None:
        """Forgets what was undone, which new moves replace; ``played`` is the number of moves before them."""
        puzzle = self._puzzle
        puzzle.restarted = 0
        puzzle.answered = False
        puzzle.groups = {after: before for after, before in puzzle.groups.items() if after <= played}
        self._future.clear()

    def _end(self) -> None:
        """Sets the message about the end of the game; records a packaged level that was won without `solve`."""
        puzzle = self._puzzle
        if self.status == Status.WON and puzzle.name and not puzzle.assisted:
            record(self.game.NAME, puzzle.name, None if puzzle.hints else self._counted(), self.optimum)
        self.message = self._verdict()

    def _verdict(self) -> str:
        """Returns the sentence about the end of the game."""
        if self.status == Status.LOST:
            return self._lost()
        if self.status == Status.DRAWN:
            return self._drawn()
        return self._won() + ("" if self.upcoming is None else f" Enter starts {self.upcoming}.")

    def _enter(self, second: bool = False) -> None:
        """Clicks the cell at the cursor; after a won level, starts the next one."""
        if not second and self.upcoming is not None:
            self.next_level()
        elif self.cursor is None:
            self.move_cursor(0, 0)
        else:
            self.click(self.cursor, second)

    def _escape(self) -> None:
        def clear_selection() -> None:
            self.selected = None

        self._act(clear_selection)

    def _hint(self) -> None:
        if self.over:
            raise Refusal(_OVER)
        shown = self._shown
        if shown is not None and shown.moves:
            self._shown = None
            self._play(*shown.moves)
            return
        found = self._find_hint(patience(self.PATIENCE))
        if found is None:
            raise Refusal("There is no solution from here. Undo or restart.")
        self._puzzle.hints += 1
        self._shown, self.message = found, found.sentence

    def _solve(self) -> None:
        if self._queue is not None:
            self._queue = None
            return
        if self.over:
            raise Refusal(_OVER)
        found = self._answer(self.game, patience(self.PATIENCE))
        if not found:
            raise Refusal("There is no solution from here. Undo or restart.")
        self._queue = self._steps(found)

    def _step(self, steps: int) -> None:
        queue = self._queue
        if queue is None:
            return
        self.stepped += 1
        for step in queue[:steps]:
            if self.over:
                break
            self._puzzle.assisted = True
            self._play(*step)
        del queue[:steps]
        self._queue = queue if queue and not self.over else None

    def _finish(self) -> None:
        if self._queue is None:
            self._solve()
        self._step(len(self._queue or ()))

    def _lead(self) -> int:
        """Returns how many of the first moves an opponent made before the player's first turn; undo keeps them."""
        return 0

    @property
    def _has_moves(self) -> bool:
        """Whether `undo` has a move to take back."""
        return bool(len(self.game.moves) > self._lead())

    def _undo(self) -> None:
        game, puzzle = self.game, self._puzzle
        played = len(game.moves)
        if played > self._lead():
            for _ in range(played - puzzle.groups.get(played, played - 1)):
                game.undo()
        elif puzzle.restarted:
            for _ in range(puzzle.restarted):
                game.redo()
            puzzle.skipped = max(0, puzzle.skipped - puzzle.restarted)
            puzzle.restarted = 0
            puzzle.assisted = puzzle.assisted or puzzle.answered
        elif self._past:
            self._swap(self._past, self._future)
            self.message = f"Back in {self.title}."
        else:
            raise Refusal("There is nothing to undo.")

    def _redo(self) -> None:
        game, puzzle = self.game, self._puzzle
        if len(game.undone) > (puzzle.skipped if self._future else 0):
            played = len(game.moves)
            # An action of several moves is repeated as a whole.
            end = next((after for after, before in puzzle.groups.items() if before == played), played + 1)
            while len(game.moves) < end and game.redo():
                pass
            puzzle.restarted = 0
            puzzle.assisted = puzzle.assisted or puzzle.answered
        elif self._future:
            self._swap(self._future, self._past)
            self.message = f"Back in {self.title}."
        else:
            raise Refusal("There is nothing to redo.")

    def _swap(self, source: list[Puzzle], target: list[Puzzle]) -> None:
        """Replaces the puzzle on the board with the last one of ``source``, and appends the old one to ``target``."""
        target.append(self._puzzle.put_away(self.game))
        self._take_out(source.pop())

    def _take_out(self, puzzle: Puzzle) -> None:
        """Puts a puzzle on the board, in the position stored in its `state`."""
        game = self.game
        puzzle.take_out(game)
        self._puzzle = puzzle
        self.selected = self.hovered = self.grabbed = None
        if self.cursor is not None:
            height, width = game.shape
            self.cursor = (min(self.cursor[0], height - 1), min(self.cursor[1], width - 1))

    def _restart(self) -> None:
        game, puzzle = self.game, self._puzzle
        lead = self._lead()
        if len(game.moves) > lead:
            puzzle.restarted = len(game.moves) - lead
        while len(game.moves) > lead:
            game.undo()
        self.selected = None
        puzzle.answered = puzzle.answered or puzzle.assisted
        puzzle.clock, puzzle.since, puzzle.assisted = 0.0, None, False

    def _new(self, seed: int | str | None, difficulty: str | None) -> None:
        number = read_seed(seed)
        options = {} if difficulty is None else {"difficulty": difficulty}
        try:
            made = self._make(number, options)
        except SearchLimitError as error:
            if difficulty is None:
                raise Refusal(f"No puzzle was made: {error}.") from None
            advice = "choose another grade, or start from a larger level"
            size = dimensions(*self.game.shape)
            raise Refusal(f"No {difficulty} puzzle of {size} was found: {advice}.") from None
        except ValueError as error:
            raise Refusal(f"No puzzle was made: {error}.") from None
        self._start(made, Puzzle(seed=number))

    def _start(self, made: Any, puzzle: Puzzle) -> None:
        """Puts a new puzzle on the board; `undo` returns to the old one."""
        self._puzzle.skipped = len(self.game.undone)
        self._past.append(self._puzzle.put_away(self.game))
        self._future.clear()
        puzzle.state = made.__getstate__()
        self._take_out(puzzle)

    def _refuse_next(self) -> None:
        raise Refusal("This is the last level.")

    def _puzzles(self) -> tuple[str, ...]:
        packaged = type(self.game).levels()
        # Numbered levels come first, in order of difficulty; named levels follow, unless AFTER places them elsewhere.
        found = sorted(
            (name for name in packaged if name not in self.AFTER), key=lambda name: not name.startswith("level")
        )
        for name, before in self.AFTER.items():
            found.insert(found.index(before) + 1 if before else 0, name)
        return tuple(found)


def _method(thing: Any, name: str, words: str) -> Any:
    """Returns a method that a game may lack; raises `Refusal` for a game without it."""
    found = getattr(thing, name, None)
    if found is None:
        raise Refusal(f"This game has no {words}.")
    return found


def _names_cells(game: Any) -> bool:
    """Returns whether a move may consist of cells ``(row, col)``, after a kind if its length is odd, by its bounds."""
    rank = len(game.bounds)
    return bool(game.bounds[rank % 2 :] == game.shape * (rank // 2))


def _title(game: Any, puzzle: Puzzle) -> str:
    label = puzzle.name or ("" if puzzle.seed is None else f"seed {puzzle.seed}")
    return f"{type(game).__name__} {label}".strip()


def _points(path: Any) -> list[tuple[float, float]]:
    """Reads the points of a drag."""
    try:
        pairs = [(row, col) for row, col in path]
    except (TypeError, ValueError):
        raise wrong_type("path", "pairs of numbers (row, col)", path) from None
    return [(number("path", row), number("path", col)) for row, col in pairs]
