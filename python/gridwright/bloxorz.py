"""Bloxorz: a block of two cubes rolls over a terrain and must stand on the target.

>>> import gridwright as gw
>>> game = gw.Bloxorz.level("level01")
>>> print(game)
o o o - - - - - - -
o o@o o o o - - - -
o o o o o o o o o -
- o o o o o o o o o
- - - - - o o T o o
- - - - - - o o o -
>>> game.play("r")
>>> game.board[1]
array([ 1,  1, 17, 17,  1,  1,  0,  0,  0,  0], dtype=uint8)
>>> game.solve()
'rdrrrd'
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .arguments import shown, whole
from .bloxorz_graph import KEYS, StateGraph, level_text
from .bloxorz_switches import letters, switches
from .controls import Action, Cell, Controls, Entry, Hint, Motion, Move, Score
from .game import GridGame
from .insight import GRADES, Difficulty, Explanation
from .insight import grade as _grade
from .status import Status
from .words import counted, listed

if TYPE_CHECKING:
    from .draw import Animation

__all__ = ["Block", "Bloxorz", "StateGraph", "Terrain", "Tile"]

Block = _core.Block
Terrain = _core.Terrain

_CODES = _core.bloxorz_codes()


class Tile(IntEnum):
    """The codes of ``Bloxorz.board``.

    ``BLOCK`` is added to the code of each cell under the block, or under the cube in control, and ``OTHER_CUBE`` to
    that of the cell under the other cube.

    >>> Tile(17 & 15), bool(17 & Tile.BLOCK)
    (<Tile.TILE: 1>, True)
    """

    NONE = _CODES["NONE"]
    TILE = _CODES["TILE"]
    LIGHT = _CODES["LIGHT"]
    TARGET = _CODES["TARGET"]
    SWITCH_SOFT = _CODES["SWITCH_SOFT"]
    SWITCH_HEAVY = _CODES["SWITCH_HEAVY"]
    SPLITTER = _CODES["SPLITTER"]
    BRIDGE_OFF = _CODES["BRIDGE_OFF"]
    BRIDGE_ON = _CODES["BRIDGE_ON"]
    BLOCK = _CODES["BLOCK"]
    OTHER_CUBE = _CODES["OTHER_CUBE"]


Self = TypeVar("Self", bound="Bloxorz")


_TILE = 15
"""The bits of a board code that hold the tile; the other bits hold the block."""

_NAMES = {"l": "left", "u": "up", "r": "right", "d": "down"}

_STEPS = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}

_WORDS = {
    Tile.NONE: "nothing",
    Tile.TILE: "tile",
    Tile.LIGHT: "light tile, which breaks under a standing block",
    Tile.TARGET: "target",
}


def _effects(game: Bloxorz) -> dict[str, tuple[str, str, tuple[Cell, ...]]]:
    """Maps the letter of each switch to the kind of the switch, its effect in words and the cells that it acts on."""
    rows, bridges = letters(game), game.bridges
    found: dict[str, tuple[str, str, tuple[Cell, ...]]] = {}
    for letter, switch in switches(game).items():
        if switch.targets:
            does = f"puts the cubes on {' and '.join(str(cell) for cell in switch.targets)}"
        else:
            phrases = (
                f"{verb} bridge {name} (now {'on' if bridges[name] else 'off'})" for verb, name in switch.effects
            )
            does = ", ".join(phrases)
        found[letter] = (switch.name, does, switch.cells(rows))
    return found


def _bridges(letters: str) -> str:
    """Names bridges: ``bridge a``, ``bridges a and b``."""
    return f"bridge{'s' if len(letters) > 1 else ''} {listed(letters)}"


def _placed(cells: list[Cell], *, control: bool = False) -> str:
    """Describes a block: whether it stands, lies or is split, its cells and, if asked for, the cube in control."""
    names = listed(f"({row}, {col})" for row, col in cells)
    if len(cells) == 1:
        return f"standing on {names}"
    (row, col), (other_row, other_col) = cells
    near = abs(row - other_row) + abs(col - other_col) == 1
    if near:
        return f"lying on {names}"
    if control:
        return f"controlling the cube on ({row}, {col}), with the other on ({other_row}, {other_col})"
    return f"split, with cubes on {names}"


def _reason_in_words(game: Bloxorz, found: dict[str, Any]) -> tuple[str, str, list[Cell], list[Cell]]:
    """Returns the sentence for a reason, the keys to press, and the cells of the roles ``"so"`` and ``"because"``."""
    keys, rule = found["keys"], found["rule"]
    here = [(row, col) for row, col in game.block.tolist()]
    kind, cells, letter = found["landmark"]
    if kind is None:
        if not keys:
            return "There is no solution from here, and no fall leads to one.", "", [], here
        sentence = f"No solution is left from here. Undo, or fall on purpose to return to the start: {keys}."
        return sentence, keys, [game.start], here
    rolls = counted(len(keys) - keys.count("s"), "roll")
    if rule == "straight":
        times = f" {len(keys)} times" if len(keys) > 1 else ""
        return f"Rolling in one direction leads to the target: roll {_NAMES[keys[0]]}{times}.", keys, cells, here
    if kind == "target":
        goal = f"The target is {rolls} away"
    elif kind == "switch":
        what, does, _ = _effects(game)[letter]
        if found["opens"]:
            needs = f"{'need' if len(found['opens']) > 1 else 'needs'} {what} {letter}"
            goal = f"Every solution crosses {_bridges(found['opens'])}, which {needs}"
        else:
            goal = f"Every solution uses {what} {letter}, which {does}"
        # Other tiles with this letter, and paths that are part of no shortest solution, may be nearer.
        goal += f"; a shortest one uses it at {cells[0]} after {rolls}"
    else:
        on = f", with {_bridges(letter)} on" if letter else ""
        goal = f"In every solution, the block is at some point {_placed(cells)}{on}; that is {rolls} away"
    goal += f": {keys}."
    traps: list[Cell] = []
    if rule == "deadend":
        names = []
        for block, key in found["dead_ends"]:
            traps += [at for at in block if at not in traps]
            names.append(f"{_NAMES[key]} when {_placed(block, control=True)}")
        # Later, with other bridges on, such a roll may be right. A roll that is right even on the way is not named.
        rolls = f"do not roll {' or '.join(dict.fromkeys(names))}: no solution is left after that"
        goal = f"On the way to the next landmark, {rolls if names else 'a wrong roll leaves no solution'}. {goal}"
    elif rule == "search":
        positions = counted(found["states"], "position")
        far = "No shortest solution comes to a landmark within 8 rolls"
        goal = f"{far}: only a search of {positions} finds the next one. {goal}"
    return goal, keys, cells, here + [at for at in traps if at not in here]


@cache
def _grade_of(text: str) -> str:
    """Returns the name of the grade of a level."""
    return GRADES[Bloxorz(text)._grade() - 1]


_TIPS = {
    ".": "Light tile: it breaks under a standing block and carries a lying one.",
    "T": "Target: the block must stand on it.",
}


class BloxorzControls(Controls):
    """The controls of Bloxorz: keys and swipes roll the block, and a click rolls it toward a cell."""

    GOAL = "Stand the block on the target; arrow keys roll it."
    CLICK = "roll toward the cell"
    DRAG = "roll that way"
    COUNT = "roll"
    AFTER: ClassVar[dict[str, str]] = {"heart": "level22"}
    HOVER = True

    def _actions(self) -> dict[str, Action]:
        found = super()._actions()
        for key, name in _NAMES.items():
            found[key] = found[name] = Action(f"roll {name}", partial(self._press, key))
        found["s"] = found["space"] = Action("switch to the other cube", partial(self._press, "s"))
        found["enter"] = Action("play the next key of a solution", self._next_key)
        return found

    def focus(self) -> None:
        # Arrow keys roll the block; with Shift they move the cursor, which serves to describe cells.
        row, col = self.game.block[0].tolist()
        self.news = self.describe(self.cursor or (row, col))

    def _press(self, key: str) -> None:
        self._act(lambda: self._play((key,)))

    def _next_key(self) -> None:
        if self.status == Status.WON:
            self._enter()
            return
        # The first hint shows a key, and the second plays it.
        if self._shown is None:
            self.hint()
        if self._shown is not None:
            self.hint()

    def _clicked(self, cell: Cell, kind: int) -> None:
        game = self.game
        block = game.block.tolist()
        if game.is_split:
            if list(cell) == block[1]:
                self._play(("s",))
                return
            block = block[:1]
        rows, cols = zip(*block, strict=True)
        # Distance from the block to the cell along each axis, 0 within the block's span; the larger one decides.
        down = min(cell[0] - min(rows), 0) + max(cell[0] - max(rows), 0)
        across = min(cell[1] - min(cols), 0) + max(cell[1] - max(cols), 0)
        if down or across:
            self._play(("ud"[down > 0],) if abs(down) > abs(across) else ("lr"[across > 0],))

    def _dragged(self, path: list[tuple[float, float]]) -> None:
        down, across = path[-1][0] - path[0][0], path[-1][1] - path[0][1]
        if down or across:
            self._play(("ud"[down > 0],) if abs(down) > abs(across) else ("lr"[across > 0],))

    def _handles(self) -> tuple[Cell, ...]:
        # A margin of one cell around the block, because a finger is wide.
        height, width = self.game.shape
        near = {
            (row + down, col + across)
            for row, col in self.game.block.tolist()
            for down in (-1, 0, 1)
            for across in (-1, 0, 1)
        }
        return tuple(sorted(cell for cell in near if 0 <= cell[0] < height and 0 <= cell[1] < width))

    def _play(self, *moves: Any) -> None:
        falls, block = self.game.falls, self.game.block.tolist()
        super()._play(*moves)
        if self.game.falls > falls:
            self.message = "You fell off; back to the start."
            key = KEYS[self.game.moves[-1, 0]]
            self.motion = Motion("fall", tuple((row, col) for row, col in block), step=_STEPS[key])

    def _find_hint(self, progress: Callable[[int], object]) -> Hint | None:
        found = self.game._explain(None, progress)
        if found is None or found["landmark"][0] is None:
            return None
        sentence, keys, so, _ = _reason_in_words(self.game, found)
        after = self.game.copy()
        after.play(keys[0])
        cells = tuple((row, col) for row, col in after.block.tolist())
        words = f"Roll {_NAMES[keys[0]]}" if keys[0] in _NAMES else "Switch to the other cube"
        # The hint names the place that the path leads to, but only the first of its keys.
        reason = sentence.removesuffix(f": {keys}.").removesuffix(".")
        return Hint(
            ((KEYS.index(keys[0]),),),
            {"hint": cells[:1] if after.is_split else cells, "because": tuple(so)},
            f"{words}. {reason}.",
        )

    def _answer(self, game: Any, progress: Callable[[int], object]) -> list[Move] | None:
        keys = game.solve(progress=progress)
        return None if keys is None else [(KEYS.index(key),) for key in keys]

    def _optimum(self, start: Any, progress: Callable[[int], object]) -> int | None:
        def fewest(game: Bloxorz) -> list[int]:
            keys = game.solve(progress=progress)
            return [] if keys is None else [len(keys) - keys.count("s")]

        found = fewest(start)
        level = type(start)(level_text(start.text))
        if level != start:
            # A fall leads back to the start of the level, which may be the shorter way. The graph has an edge for each
            # of the four rolls that causes no fall.
            graph = start.state_graph(progress=progress)
            safe = np.diff(np.append(0, np.cumsum(graph.key < 4))[graph.indptr])
            falling = graph.depth[(safe < 4) & (graph.distance != 0)]
            found += [int(falling.min()) + 1 + rolls for rolls in fewest(level) if len(falling)]
        return min(found, default=None)

    def _counted(self) -> int:
        return int(self.game.rolls)

    def _scores(self) -> list[Score]:
        return [Score("falls", self.game.falls)]

    @property
    def difficulties(self) -> tuple[str, ...]:
        return GRADES

    def _grade(self, name: str) -> str:
        return _grade_of(type(self.game).level(name).text)

    def _make(self, seed: int, options: dict[str, Any]) -> Any:
        height, width = self.game.shape
        if not options:
            least = max(4, height * width // 8)
            options = {"min_moves": least, "max_moves": least + max(2, least // 4)}
        return type(self.game).generate(height, width, seed=seed, **options)

    def legend(self) -> list[Entry]:
        rows = letters(self.game)
        found = [Entry("T", "target: the block must stand on it", (self.game.target,))]
        light = tuple((r, c) for r, line in enumerate(rows) for c, symbol in enumerate(line) if symbol == ".")
        if light:
            found.append(Entry(".", "light tile: breaks under a standing block", light))
        for letter, (kind, does, cells) in _effects(self.game).items():
            places = tuple((r, c) for r, line in enumerate(rows) for c, symbol in enumerate(line) if symbol == letter)
            needs = " when the whole block stands on it" if kind in ("heavy switch", "splitter") else ""
            found.append(Entry(letter, f"{kind}: {does}{needs}", (*places, *cells)))
        return found

    def _linked(self) -> tuple[str, tuple[Cell, ...]]:
        """Returns a sentence about the tile pointed at, or else the tile at the cursor, and the cells linked to it."""
        cell = self.hovered or self.cursor
        if cell is None:
            return "", ()
        symbol = letters(self.game)[cell[0]][cell[1]]
        effects = _effects(self.game)
        if symbol in effects:
            kind, does, cells = effects[symbol]
            return f"{kind.capitalize()} {symbol} {does}.", cells
        if symbol in _TIPS:
            return _TIPS[symbol], ()
        acting = [letter for letter, (_, _, cells) in effects.items() if cell in cells and symbol in self.game.bridges]
        if symbol in self.game.bridges:
            rows = letters(self.game)
            by = f"switched by {', '.join(acting)}" if acting else "no switch changes it"
            places = tuple((r, c) for r, line in enumerate(rows) for c, letter in enumerate(line) if letter in acting)
            return f"Bridge {symbol} is {'on' if self.game.bridges[symbol] else 'off'}; {by}.", places
        return "", ()

    @property
    def place(self) -> tuple[Cell, ...]:
        return tuple((row, col) for row, col in self.game.block.tolist())

    @property
    def tip(self) -> str:
        return self._linked()[0]

    def marks(self) -> dict[str, tuple[Cell, ...]]:
        found = super().marks()
        _, cells = self._linked()
        if cells:
            found["linked"] = cells
        return found

    def _contents(self, cell: Cell) -> str:
        game = self.game
        code = int(game.board[cell])
        tile, letter = Tile(code & _TILE), letters(self.game)[cell[0]][cell[1]]
        words = _WORDS.get(tile)
        if words is None:
            words = f"bridge {letter}, {'on' if tile == Tile.BRIDGE_ON else 'off'}"
            if letter in (effects := _effects(self.game)):
                words = f"{effects[letter][0]} {letter}, {effects[letter][1]}"
        if code & Tile.BLOCK:
            how = "the cube in control" if game.is_split else f"{'standing' if len(game.block) == 1 else 'lying'} block"
            words = f"{how}, on {words}"
        elif code & Tile.OTHER_CUBE:
            words = f"the other cube, on {words}"
        return words


class Bloxorz(GridGame, _core.Bloxorz):
    """A position of Bloxorz, with its history.

    * ``text``: a level, or a position during play. Rows of tiles come first: ``-`` none, ``o`` tile, ``.`` light tile,
      ``S`` start, ``T`` target, other capitals switches, other lowercase letters bridges. Then come lines such as
      ``#AOh`` (soft switch A toggles bridge h), ``#AXh`` (heavy), ``#AO+h`` (on), ``#AO-h`` (off), ``#AS x y x y``
      (splitter) and ``%h`` (bridge h is on at the start). Raises ``LevelError`` with line and column if the text is
      not a level.

    A move is a key: 0 to 3 or ``l u r d`` roll; 4, ``s`` or a space gives control to the other cube.
    ``play("rrdrr")`` plays several keys; if one of them is illegal, it plays none. A block that falls returns to the
    start of the level: the move is legal, and ``falls`` counts it.

    The numbered levels are in order of the grade of ``difficulty()``. Source: the Bloxorz project of a Kotlin course,
    all bonus tasks included; its levels 1, 2 and 4 are ``level01``, ``level19`` and ``level13``.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz("oSoaT\\nooA\\n#AOa")
    >>> game.bridges
    {'a': False}
    >>> game.play("d")
    >>> game.block.tolist(), game.falls
    ([[0, 1]], 1)
    """

    NAME = "bloxorz"
    CONTROLS = BloxorzControls

    VIEWS = ("flat", "3d")

    def solution(self, **options: Any) -> npt.NDArray[np.int32] | None:
        """Returns the moves of a shortest solution as ``(n, 1)`` int32, or ``None`` if there provably is none.

        * ``options``: those of ``solve``.

        >>> import gridwright as gw
        >>> gw.Bloxorz.level("level01").solution().ravel()
        array([2, 2, 3, 2, 2, 2, 3], dtype=int32)
        """
        keys = self.solve(**options)
        if keys is None:
            return None
        return np.array([[KEYS.index(key)] for key in keys], dtype=np.int32).reshape(-1, 1)

    def play_on(
        self,
        *,
        minimize: str = "rolls",
        limit: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> bool:
        """Plays a shortest solution from here to the target; ``undo`` takes its keys back one by one.

        * ``minimize``: ``"rolls"`` (the default) does not count the switch to the other cube; ``"keys"`` does.
        * ``limit``: the most states to examine, an integer from 0 to 2^64 - 1; ``None`` (the default) for no limit. A
          state counts each time it is examined. Raises ``SearchLimitError`` beyond this limit.
        * ``progress``: a callable that receives the number of states so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        Returns ``False`` and plays nothing if it is proved that there is no solution, otherwise ``True``.

        >>> import gridwright as gw
        >>> game = gw.Bloxorz.level("level01")
        >>> game.play_on(), game.is_solved, game.rolls
        (True, True, 7)
        """
        keys = self.solve(minimize=minimize, limit=limit, progress=progress)
        if keys is None:
            return False
        if keys:
            self.play(keys)
        return True

    def animate(
        self,
        moves: Any = None,
        *,
        seconds: float | None = None,
        steps: int = 1,
        progress: Any = None,
        **options: Any,
    ) -> Animation:
        """Returns an ``Animation`` of the moves played so far, or of keys played from here. The game is not changed.

        * ``moves``: a string of keys or ``(n, 1)`` integers, a million at most; ``None`` (the default) for the moves
          played so far.
        * ``seconds``: the time per picture in seconds, 0.01 to 60; ``None`` (the default) is 15 divided by the number
          of pictures, but at least 0.05 and at most 0.6, or, with more than one picture per key, 0.35 divided by
          ``steps``, but at least 0.01.
        * ``steps``: the number of pictures per key, 1 (the default) to 100. More than 1 shows the block rolling, in the
          view ``"3d"``; raises ``ValueError`` with another ``view``.
        * ``progress``: a callable that receives the number of keys drawn, or an object with ``update``, such as a tqdm
          bar; ``None`` (the default) for no reports.
        * ``options``: those of ``svg``, such as ``view="3d"``, ``theme="dark"`` and ``size=`` in pixels per cell; with
          more than one picture per key only these three.

        >>> import gridwright as gw
        >>> game = gw.Bloxorz.level("level01")
        >>> game.animate(game.solve(), view="3d", steps=4)
        Animation of 29 frames
        """
        if isinstance(moves, str):
            # All keys are read at once, so that an error gives the position in the whole string.
            trial = self.copy()
            trial.play(moves)
            moves = trial.moves[len(self.moves) :]
        steps = whole("steps", steps, 1, 100)
        if steps == 1:
            return super().animate(moves, seconds=seconds, progress=progress, **options)
        if options.pop("view", "3d") != "3d":
            raise ValueError(f"steps must be 1 unless view is '3d', got {steps}")
        for name in options:
            if name not in ("theme", "size"):
                raise TypeError(f"{name} must not be given if steps is more than 1, got {shown(options[name])}")
        from .draw.rolling import film

        start = self.copy()
        if moves is None:
            start.reset()
        keys = self.moves if moves is None else moves
        return film(start, keys, steps=steps, seconds=seconds, progress=progress, **options)

    def explain(
        self,
        cell: Cell | None = None,
        *,
        limit: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> Explanation:
        """Returns the next step that can be justified, with its reason; the game is not changed.

        * ``cell``: a cell ``(row, col)``, to explain whether the solutions from here take the block over it; a cell off
          the board raises ``MoveError``. ``None`` (the default) explains the next step.
        * ``limit``: the most states to examine, an integer from 0 to 2^64 - 1; ``None`` (the default) for no limit. A
          state counts each time it is examined. Raises ``SearchLimitError`` beyond this limit.
        * ``progress``: a callable that receives the number of states so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        Only solutions without a fall are considered. The rules, from easy to hard:

        * ``straight``: repeating one key wins.
        * ``landmark``: within 8 rolls, a shortest solution comes to a landmark, which is a position that every solution
          passes through or a switch that every solution uses. No wrong roll on the path to it leads to a dead end, a
          state without a solution.
        * ``deadend``: within 8 rolls, a shortest solution comes to a landmark, but some wrong roll on the path to it
          leads to a dead end. This rule also applies if the position itself has no solution.
        * ``search``: no shortest solution comes to a landmark within 8 rolls; only a search finds the path to the next
          one.

        With a ``cell``, the rule is ``straight`` if the block is on it now, ``landmark`` if every solution takes the
        block over it, ``search`` if only some do, and ``deadend`` if none does.

        ``moves`` holds the keys to the next landmark, along a shortest solution or, for ``straight``, by repeating one
        key. Playing the keys and explaining the new position, again and again, solves every level that has a solution.
        If no solution is left, the keys make the block fall, because a fall leads back to the start. ``moves`` is empty
        if the game is won, if the level has no solution, or if no solution is left and no fall can be reached; with a
        ``cell`` it holds the keys to that cell for the rule ``landmark`` and is empty for the other rules.

        >>> import gridwright as gw
        >>> game = gw.Bloxorz.level("level19")
        >>> print(game.explain())
        Every solution crosses bridge a, which needs soft switch A; a shortest one uses it at (2, 2) after 2 rolls: ur.
        """
        if cell is not None:
            return self._explain_cell(cell, limit, progress)
        found = self._explain(limit, progress)
        if found is None:
            return self._explanation(
                "straight", "The block stands on the target: the level is solved.", "", [self.target]
            )
        return self._explanation(found["rule"], *_reason_in_words(self, found))

    def _explain_cell(self, cell: Cell, limit: int | None, progress: Any) -> Explanation:
        found = self._coverage(cell, limit, progress)
        row, col = int(cell[0]), int(cell[1])
        so = [(row, col)]
        if found is None:
            sentence = f"No solution is left from here, with or without ({row}, {col})."
            return self._explanation("deadend", sentence, "", so)
        word, keys = found
        if word == "now":
            return self._explanation("straight", f"The block is on ({row}, {col}) now.", "", so)
        if word == "always":
            away = counted(len(keys) - keys.count("s"), "roll")
            sentence = (
                f"Every solution takes the block over ({row}, {col}); a shortest one gets there in {away}: {keys}."
            )
            return self._explanation("landmark", sentence, keys, so)
        if word == "never":
            return self._explanation("deadend", f"No solution takes the block over ({row}, {col}).", "", so)
        sentence = f"Some solutions take the block over ({row}, {col}); others do not."
        return self._explanation("search", sentence, "", so)

    def _explanation(
        self, rule: str, sentence: str, keys: str, so: list[Cell], because: list[Cell] | None = None
    ) -> Explanation:
        def cells(places: list[Cell]) -> npt.NDArray[np.int32]:
            return np.array(places, dtype=np.int32).reshape(-1, 2)

        known = [(row, col) for row, col in self.block.tolist()] if because is None else because
        moves = np.array([[KEYS.index(key)] for key in keys], dtype=np.int32).reshape(-1, 1)
        return Explanation(rule, sentence, {"because": cells(known), "so": cells(so)}, moves, self.copy())

    def difficulty(self, *, limit: int | None = None, progress: Callable[[int], object] | None = None) -> Difficulty:
        """Returns how hard the position is: a grade, the rules that solve it, and measures.

        * ``limit``: the most states to examine, an integer from 0 to 2^64 - 1; ``None`` (the default) for no limit. A
          state counts each time it is examined. Raises ``SearchLimitError`` beyond this limit.
        * ``progress``: a callable that receives the number of states so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        The grade follows from ``effort`` = ``rolls`` x ``positions`` x (``traps`` + 1): trivial below 500, easy below
        3,000, medium below 15,000, hard below 75,000, otherwise fiendish. The measures are ``effort`` and:

        * ``rolls``: the fewest rolls of a solution.
        * ``positions``: the number of states that are fewer rolls away than the target; a plain search visits them all.
        * ``landmarks``: the number of positions between here and the target that every solution passes through,
          whichever cube is in control.
        * ``dead``: the number of reachable states from which there is no solution.
        * ``traps``: the number of rolls that lead from states on one shortest solution into dead states.
        * ``branching``: the mean number of rolls without a fall at the states where that solution rolls.
        * ``detour``: ``rolls`` divided by a lower bound (at least 1) on the rolls needed on an unbounded plane without
          holes.

        ``rules`` counts how often each rule of ``explain`` is used to solve the level from here. Raises ``ValueError``
        if there is no solution.

        >>> import gridwright as gw
        >>> found = gw.Bloxorz.level("level19").difficulty()
        >>> str(found), found.measures["rolls"], found.measures["positions"]
        ('medium (3 of 5)', 17, 264)
        """
        return Difficulty(*self._difficulty(limit, progress))

    def state_graph(
        self, *, minimize: str = "rolls", limit: int | None = None, progress: Callable[[int], object] | None = None
    ) -> StateGraph:
        """Returns the graph of all states that can be reached from here without falling, with depths and distances.

        * ``minimize``: the unit of depth and distance. ``"rolls"`` (the default) does not count the switch to the other
          cube; ``"keys"`` does.
        * ``limit``: the most states to examine, an integer from 0 to 2^64 - 1; ``None`` (the default) for no limit.
          Each state counts once, and once more if the target can be reached from it. Raises ``SearchLimitError`` beyond
          this limit.
        * ``progress``: a callable that receives the number of states so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        >>> import gridwright as gw
        >>> graph = gw.Bloxorz.level("level19").state_graph()
        >>> len(graph), int(graph.distance[0]), len(graph.dead)
        (380, 17, 0)
        """
        columns = self._state_graph(minimize, limit, progress)
        return StateGraph(minimize=minimize, level=self.copy(), **columns)

    @classmethod
    def generate(
        cls: type[Self],
        height: int,
        width: int,
        *,
        min_moves: int | None = None,
        max_moves: int | None = None,
        difficulty: int | str | None = None,
        switches: int = 2,
        bridges: int = 2,
        splitters: int = 1,
        light: float = 0.1,
        effort: int = 8_000_000,
        limit: int | None = None,
        seed: int | None = None,
        progress: Callable[[int], object] | None = None,
        watch: Callable[[Self], object] | None = None,
    ) -> Self:
        """Returns a new level, made by simulated annealing, whose shortest solution is long. Equal arguments and seeds
        give equal levels.

        Parts that the shortest solution does not need are removed: tiles that cannot be reached, elements that could be
        plain tiles, and, within a quarter of ``effort``, tiles that only add further shortest solutions.

        * ``height``, ``width``: the size of the board, integers from 1 to 64, at least 1 x 4 or 2 x 3 in either order.
        * ``min_moves``: the fewest rolls that a solution may take, at least 0. The search ends as soon as a level meets
          this bound. ``None`` (the default), without ``difficulty``, returns the best level of the whole search: the
          one with the most rolls, where each element that its solution uses counts as two more.
        * ``max_moves``: the most rolls that a shortest solution may take, at least 1 and at least ``min_moves``.
          ``None`` (the default) for any number.
        * ``difficulty``: a grade from 1 to 5 or its name, as ``difficulty()`` grades levels. Returns a level of exactly
          this grade, or raises ``SearchLimitError`` if none is found. ``None`` (the default) for any grade.
        * ``switches``: the largest number of soft and heavy switches, 0 to 24 together with ``splitters``. Default 2.
        * ``bridges``: the largest number of bridges, 0 to 12. Default 2.
        * ``splitters``: the largest number of splitters, 0 to 24 together with ``switches``. Default 1.
        * ``light``: the expected share of light tiles on the random boards from which the search starts, 0 to 1;
          searching and trimming change it. Default 0.1. With 1 no level is found, because the target is put on a plain
          tile.
        * ``effort``: the work of the search in states, an integer from 1 to 2^64 - 1; about 20 million states take one
          second. On boards of at most 64 cells with plain tiles only, 32 states count as one. Default 8,000,000.
        * ``limit``: the most states in total, trimming included, an integer from 0 to 2^64 - 1; ``None`` (the default)
          for no limit. Raises ``SearchLimitError`` beyond this limit.
        * ``seed``: an integer from 0 to 2^64 - 1; ``None`` (the default) for a random one.
        * ``progress``: a callable that receives the number of states so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.
        * ``watch``: a callable that receives each level that is better than all before it, for example to draw it in a
          notebook; ``None`` (the default) for none. With ``difficulty``, the search may start again, so a level
          may be worse than one before it.

        Raises ``ValueError`` for an argument out of its bounds, and ``SearchLimitError`` if no level is found.

        >>> import gridwright as gw
        >>> game = gw.Bloxorz.generate(5, 6, min_moves=20, seed=1)
        >>> game.shape, len(game.solve()) >= 20
        ((5, 6), True)
        """
        grade = None if difficulty is None else _grade(difficulty)
        options = (
            min_moves,
            max_moves,
            grade,
            switches,
            bridges,
            splitters,
            light,
            effort,
            limit,
            seed,
            progress,
            watch,
        )
        return cls._generate(height, width, *options)  # type: ignore[no-any-return]
