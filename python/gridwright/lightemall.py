"""LightEmAll: the player turns tiles with wires until every tile is powered by the station.

>>> import gridwright as gw
>>> game = gw.LightEmAll("3 3\\n1b4\\n8f4\\n2e2\\nstation 1 1")
>>> print(game)
+-------+
| ╵ ┴ ╷ |
| ╴[╋]╷ |
| ╶─┬ ╶ |
+-------+
>>> game.solve()
array([[1, 2, 1],
       [2, 0, 1],
       [0, 2, 2]], dtype=uint8)
>>> print(game.explain())
Turn (0, 1) twice: no wire may leave the board upward.
>>> game.rotate((0, 1), 2)
>>> game.turns, game.status
(2, <Status.OPEN: 0>)

``explain`` and ``difficulty`` use six rules, from easy to hard:

* ``border``: no wire may leave the board.
* ``agreed``: all orientations still possible for a tile have a wire on a given side, or none of them does, so that
  the neighbor on that side must match.
* ``loop``: a wire would close a loop.
* ``island``: without a wire, or with one, a group of tiles would be cut off from the others.
* ``trial``: one orientation of a tile contradicts the rules above.
* ``search``: an exhaustive search rules out all other orientations.

The first five rules apply to boards of n tiles with 2 (n - 1) wire ends, as many as a spanning tree has. Every
generated board has that many. On other boards only ``search`` is used. The grade of a board follows from the steps of
the rules that look further than one tile and its neighbors: 2 points for each ``loop`` or ``island``, 3 for each
``trial``.

=====  ========  ======================================================
grade  name      points
=====  ========  ======================================================
1      trivial   0
2      easy      2 or 3
3      medium    4 or 5
4      hard      6 to 9
5      fiendish  10 or more; also every board that needs ``search``,
                 such as one with several solutions
=====  ========  ======================================================
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import cache, partial
from itertools import groupby
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .arguments import choice, flag, matrix
from .controls import Action, Cell, Controls, Entry, Motion, Move, Score, Verb
from .errors import SearchLimitError
from .game import GridGame
from .graph import Columns
from .insight import GRADES, Difficulty, Explanation, grade
from .words import counted

__all__ = ["Hexagon", "LightEmAll", "Tile"]

Self = TypeVar("Self", bound="LightEmAll")

_CODES = _core.lightemall_codes()

_ONE_TILE = "1 1\n0\nstation 0 0"
"""The board with which `generate` creates a game before the game takes the position of the generated board."""


class Tile(IntEnum):
    """The bits of ``LightEmAll.board``: wires clockwise from the top, power, the station.

    >>> [bit.name for bit in Tile if (64 | 3) & bit]
    ['N', 'E', 'POWERED']
    """

    N = _CODES["N"]
    E = _CODES["E"]
    S = _CODES["S"]
    W = _CODES["W"]
    POWERED = _CODES["POWERED"]
    STATION = _CODES["STATION"]


class Hexagon(IntEnum):
    """The bits of ``LightEmAll.board`` on hexagons: wires clockwise from the upper right, power, the station.

    >>> [bit.name for bit in Hexagon if (1 | 16) & bit]
    ['NE', 'W']
    """

    NE = _CODES["HEX_NE"]
    E = _CODES["HEX_E"]
    SE = _CODES["HEX_SE"]
    SW = _CODES["HEX_SW"]
    W = _CODES["HEX_W"]
    NW = _CODES["HEX_NW"]
    POWERED = _CODES["POWERED"]
    STATION = _CODES["STATION"]


_OPTIONS = ("height", "width", "method", "bias", "hexagonal", "wrap", "limited_radius", "unique", "scramble")


def _arguments(given: dict[str, Any]) -> dict[str, Any]:
    """Selects the arguments of ``generate`` that the engine reads."""
    return {name: given[name] for name in _OPTIONS}


SIDES = {"N": "up", "E": "right", "S": "down", "W": "left"} | {
    "NE": "upper right",
    "SE": "lower right",
    "SW": "lower left",
    "NW": "upper left",
}
"""Maps the name of a bit of ``Tile`` or ``Hexagon`` to the side of its wire in words."""

_SQUARE = ((-1, 0), (0, 1), (1, 0), (0, -1))
# Odd rows lie half a tile to the right, so their diagonal neighbors are one column farther right.
_HEXAGONS = (
    ((-1, 0), (0, 1), (1, 0), (1, -1), (0, -1), (-1, -1)),
    ((-1, 1), (0, 1), (1, 1), (1, 0), (0, -1), (-1, 0)),
)


def offsets(row: int, hexagonal: bool) -> tuple[Cell, ...]:
    """Returns the row and column offsets of the neighbors of a tile, clockwise in the order of the bits.

    * ``row``: the row of the tile.
    * ``hexagonal``: whether the tiles are hexagons.

    >>> offsets(1, True)[0]
    (-1, 1)
    """
    return _HEXAGONS[row % 2] if hexagonal else _SQUARE


_TIMES = {1: "once", 2: "twice"}

_LEAVES = {"N": "upward", "E": "to the right", "S": "downward", "W": "to the left"}

_LIES = {"N": "above", "S": "below"}


def _times(turns: int) -> str:
    return _TIMES.get(turns, f"{turns} times")


def _tiles(count: int) -> str:
    return "one tile" if count == 1 else f"{count} tiles"


def _turning(number: int) -> str:
    return f"turning it {_times(number)}" if number else "leaving it as it is"


def _beyond(step: dict[str, Any], tile: Cell, sides: list[str], double: bool) -> str:
    """Returns in words the other tile of an edge of ``tile``; with ``double``, also the side on which it lies."""
    other, side = step["beyond"], step["number"]
    if step["tile"] != tile:
        other, side = step["tile"], (side + len(sides) // 2) % len(sides)
    return f"{other} {_LIES.get(sides[side], 'on the ' + SIDES[sides[side]])}" if double else str(other)


def _fact(step: dict[str, Any], tile: Cell, sides: list[str], double: bool) -> str:
    """Returns a step in words, as a reason for a tile's orientation; empty if the step follows from the other steps."""
    if step["kind"] == "not":
        return f"{_turning(step['number'])} would lead to a contradiction"
    if step["rule"] == "border":
        side = sides[step["number"]]
        return f"no wire may leave the board {_LEAVES.get(side, 'to the ' + SIDES[side])}"
    other = _beyond(step, tile, sides, double)
    on = step["kind"] == "on"
    if step["rule"] == "agreed":
        if step["tile"] == tile:
            return ""
        return f"{other} must have a wire to it" if on else f"{other} cannot have a wire to it"
    if step["rule"] == "loop":
        return f"a wire to {other} would close a loop"
    cut = _tiles(len(step["because"]))
    return f"without a wire to {other}, {cut} would be cut off" if on else f"a wire to {other} would cut off {cut}"


def _key_fact(step: dict[str, Any], sides: list[str], double: bool) -> str:
    """Returns a sentence for the hardest step on which a reason depends."""
    tile = step["tile"]
    if step["rule"] == "trial":
        return f"This depends on {tile}: {_turning(step['number'])} would lead to a contradiction."
    other, cut = _beyond(step, tile, sides, double), _tiles(len(step["because"]))
    if step["rule"] == "loop":
        return f"This depends on {tile} and {other}: a wire between them would close a loop."
    if step["kind"] == "on":
        return f"This depends on {tile} and {other}: without a wire between them, {cut} would be cut off."
    return f"This depends on {tile} and {other}: a wire between them would cut off {cut}."


def _explanation(game: LightEmAll, parts: dict[str, Any]) -> Explanation:
    """Returns the explanation of a step of reasoning that the engine found."""
    kind = parts["kind"]
    moves: list[Move] = []
    so: list[Cell] = []
    because: list[Cell] = []
    if kind == "over":
        rule, sentence = "over", "The game is over."
    elif kind == "unsolvable":
        rule, sentence = "unsolvable", "However the tiles are turned, power cannot reach all of them."
    elif kind == "station":
        rule, so = "station", [parts["path"][-1]] if parts["path"] else []
        because = [game.station]
        moves = [(1, *cell) for cell in parts["path"]]
        sentence = f"All tiles are connected. From {so[0] if so else game.station} the power reaches all of them."
    else:
        tile, turns = parts["tile"], parts["turns"]
        so, moves = [tile], [(0, *tile)] * turns
        back = (6 if game.hexagonal else 4) - turns
        order = f"{tile} is already turned correctly"
        if turns:
            # The moves turn clockwise; the sentence names the shorter direction.
            order = f"Turn {tile} {_times(turns)}" if turns <= back else f"Turn {tile} back {_times(back)}"
        if kind == "choice":
            rule = "choice"
            sentence = f"{order}: the remaining tiles fit in several ways, and this is one of them."
        elif parts["rule"] == "search":
            rule, sentence = (
                "search",
                f"{order}: an exhaustive search finds no solution in which it is turned differently.",
            )
        else:
            rule = parts["rule"]
            sides = ["NE", "E", "SE", "SW", "W", "NW"] if game.hexagonal else ["N", "E", "S", "W"]
            # Two sides of each tile lead to the same neighbor.
            double = game.wrap and (2 in game.shape or (game.hexagonal and game.width == 1))
            facts = [_fact(step, tile, sides, double) for step in parts["facts"]]
            clauses = [fact for fact in facts if fact] or ["it looks the same in all orientations"]
            last = f", and {clauses[-1]}" if len(clauses) > 2 else ""
            joined = ", ".join(clauses[:-1]) + last if last else ", and ".join(clauses)
            sentence = f"{order}: {joined}."
            steps = list(parts["facts"])
            if parts["key"] is not None:
                sentence += " " + _key_fact(parts["key"], sides, double)
                steps.append(parts["key"])
            for step in steps:
                because += [step["tile"], *([step["beyond"]] if step["beyond"] else [])]
                because += step["because"] if step["rule"] != "agreed" else []
    marks = {"because": sorted({cell for cell in because if cell not in so}), "so": so}
    cells = {role: np.array(list(found), np.int32).reshape(-1, 2) for role, found in marks.items()}
    return Explanation(rule, sentence, cells, np.array(moves, np.int32).reshape(-1, 3), game.copy())


@cache
def _grade_of(level: str) -> str:
    """Returns the name of the grade of a packaged level."""
    return LightEmAll.level(level).difficulty().name


class LightEmAllControls(Controls):
    """The controls of LightEmAll: clicks turn tiles either way; keys and drags move the station.

    A counterclockwise turn is played as 3 clockwise moves (5 on hexagons) and counts as one turn. If the game is won
    before the last of these moves, the tile stays as it is then and counts as turned there the shorter way.
    """

    GOAL = "Connect every tile to the power station."
    CLICK = "turn the tile clockwise"
    SECOND = "turn it back, counterclockwise"
    THIRD = "lock or unlock it"
    DRAG = "move the station along the wires"
    VERBS: ClassVar[dict[str, Verb]] = {
        "turn": Verb("click", "turn a tile clockwise", "turn 2 5"),
        "back": Verb("second", "turn a tile counterclockwise", "back 2 5"),
        "lock": Verb("third", "lock or unlock a tile", "lock 2 5"),
        "station": Verb("key", "move the station; on hexagons, use w e d x z a", "station d"),
    }

    AFTER: ClassVar[dict[str, str]] = {"tree": "level24"}

    @property
    def _locked(self) -> set[Cell]:
        locked: set[Cell] = self._puzzle.extra.setdefault("locked", set())
        return locked

    def _keep(self) -> Any:
        return sorted(self._locked)

    def _restore(self, kept: Any) -> None:
        self._locked.update(self._on_board(cell) for cell in kept)

    def _actions(self) -> dict[str, Action]:
        found = super()._actions()
        kind = type(self.game)
        for key, direction in (kind.HEXAGON_KEYS if self.game.hexagonal else kind.SQUARE_KEYS).items():
            found[key] = Action(f"move the station {SIDES[direction]}", partial(self._move_station, direction))
        found["c"] = Action("turn the tile at the cursor back", partial(self._enter, True))
        found["l"] = Action("lock or unlock the tile at the cursor", self._lock_cursor)
        return found

    def _lock_cursor(self) -> None:
        if self.cursor is None:
            self.move_cursor(0, 0)
        self.click(self.cursor or (0, 0), third=True)

    def _move_station(self, direction: str) -> None:
        def run() -> None:
            there = self.game.beside(direction)
            if there is None:
                self.message = "The station is at the edge of the board."
            else:
                self._play((1, *there))

        self._act(run)

    def _clicked(self, cell: Cell, kind: int) -> None:
        if kind == 2:
            self._locked.symmetric_difference_update({cell})
            self.message = "Locked." if cell in self._locked else "Unlocked."
        elif cell in self._locked and not self.over:
            self.message = "This tile is locked: unlock it first."
        else:
            start, sides = len(self.game.moves), self._sides
            self._play(*[(0, *cell)] * (sides - 1 if kind == 1 else 1))
            # A counterclockwise turn, several clockwise moves, ends early if one of them wins.
            turns = len(self.game.moves) - start
            back = sides - turns
            name = "back" if back <= turns else "turn"
            self.motion = Motion(name, (cell,), min(turns, back) * 360 / sides)

    def _dragged(self, path: list[tuple[float, float]]) -> None:
        cells = [(round(row), round(col)) for row, col in path]
        if cells[0] != self.game.station:
            return
        start = len(self.game.moves)
        height, width = self.game.shape
        for cell in cells:
            inside = 0 <= cell[0] < height and 0 <= cell[1] < width
            if inside and cell != self.game.station and self.game.is_legal(1, *cell):
                self._play((1, *cell))
        end = len(self.game.moves)
        if end - start > 1:
            self._puzzle.groups[end] = start
        elif end == start and cells[-1] != cells[0]:
            self.message = "No wires lead there from the station."

    def _handles(self) -> tuple[Cell, ...]:
        return (self.game.station,)

    def _refused(self, error: Any) -> str:
        return "No wires lead there from the station."

    @property
    def difficulties(self) -> tuple[str, ...]:
        return GRADES

    def _grade(self, name: str) -> str:
        return _grade_of(name)

    def _answer(self, game: Any, progress: Callable[[int], object]) -> list[Move] | None:
        if game.radius is None:
            try:
                # A counterclockwise turn counts as one turn, although it is played as several clockwise moves.
                turns = game.solve("turns", progress=progress)
            except SearchLimitError:
                pass
            else:
                sides = self._sides
                cells = [] if turns is None else np.argwhere(turns).tolist()
                moves = [[(0, row, col)] * (int(turns[row, col]) % sides) for row, col in cells]
                return None if turns is None else [move for group in moves for move in group]
        return super()._answer(game, progress)

    def _steps(self, moves: Sequence[Move]) -> list[tuple[Move, ...]]:
        # Consecutive turns of one tile are one step.
        return [tuple(group) for _, group in groupby(moves)]

    def _in_words(self, captions: list[str]) -> list[str]:
        turns = self._fewest_turns(len(captions))
        return captions if turns == len(captions) else [f"{captions[0]} back"] * turns

    @property
    def _sides(self) -> int:
        return 6 if self.game.hexagonal else 4

    def _fewest_turns(self, turns: int) -> int:
        """Returns the fewest turns of one tile, either way, that have the effect of ``turns`` clockwise turns."""
        return min(turns % self._sides, -turns % self._sides)

    def _counted(self) -> int:
        moves = self.game.moves
        played = len(moves)
        # A group that begins with a move of the station is a drag.
        turns = [end - start for end, start in self._puzzle.groups.items() if end <= played and moves[start, 0] == 0]
        return played - sum(number - self._fewest_turns(number) for number in turns)

    def _optimum(self, start: Any, progress: Callable[[int], object]) -> int | None:
        # The solution of a board with a limited radius is not always a shortest one.
        turns = None if start.radius is not None else start.solve("turns", progress=progress)
        return None if turns is None or not turns.any() else int(np.abs(turns).sum())

    @property
    def par(self) -> int | None:
        game, known = self.game, self._puzzle.extra
        if game.radius is None:
            return self.optimum
        if "par" not in known:
            known["par"] = self._from_start(self._length)
        return known["par"]  # type: ignore[no-any-return]

    def _length(self, start: Any, progress: Callable[[int], object]) -> int | None:
        """Returns the moves of the solution that is offered from a start, counted as in `_counted`."""
        steps = self._steps(self._answer(start, progress) or [])
        return sum(1 if step[0][0] else self._fewest_turns(len(step)) for step in steps) or None

    def _scores(self) -> list[Score]:
        game = self.game
        powered = game.powered
        found = [Score("tiles powered", int(powered.sum()), powered.size)]
        if game.radius is not None:
            # Without a limited radius there is no reason to move the station.
            found += [Score("radius", game.radius), Score("station moves", game.station_moves)]
        return found

    def _make(self, seed: int, options: dict[str, Any]) -> Any:
        game = self.game
        kind = {"hexagonal": game.hexagonal, "wrap": game.wrap, "limited_radius": game.initial_radius is not None}
        return type(game).generate(*game.shape, seed=seed, **kind, **game.origin, **options)

    def marks(self) -> dict[str, tuple[Cell, ...]]:
        found = super().marks()
        if self._locked:
            found["locked"] = tuple(sorted(self._locked))
        return found

    def _view(self) -> Any:
        return super()._view(), frozenset(self._locked)

    def legend(self) -> list[Entry]:
        powered = self.game.powered
        found = [Entry("*", "power station", (self.game.station,))]
        for symbol, words, tiles in (
            ("┃", "thick bright wires have power", powered),
            ("│", "thin gray ones have none", ~powered),
        ):
            at = divmod(int(tiles.argmax()), tiles.shape[1])
            found.append(Entry(symbol, words, (at,) if tiles[at] else ()))
        if self.game.radius is not None:
            found.append(Entry("", f"power reaches {counted(self.game.radius, 'tile')} along the wires"))
        if self.game.wrap:
            found.append(Entry("", "wires leave the board at one edge and come back at the opposite one"))
        return found

    def _contents(self, cell: Cell) -> str:
        game = self.game
        code = int(game.board[cell])
        names = Hexagon if game.hexagonal else Tile
        sides = [SIDES[bit.name] for bit in names if bit.name in SIDES and code & bit]
        words = f"wires {', '.join(sides)}" if sides else "no wires"
        words += "; powered" if code & Tile.POWERED else "; dark"
        words += "; the station" if code & Tile.STATION else ""
        words += "; locked" if cell in self._locked else ""
        return words


class LightEmAll(GridGame, _core.LightEmAll):
    """A position of LightEmAll, with its history.

    * ``text``: a first line ``HEIGHT WIDTH`` with any of ``hex``, ``wrap`` and ``radius=R``; rows of hex digits, the
      mask of wires of each tile (N=1 E=2 S=4 W=8; two digits on hexagons: NE=1 E=2 SE=4 SW=8 W=16 NW=32, odd rows
      shifted right by half a tile); and ``station ROW COL``. Raises ``LevelError`` with line and column
      for other text.

    A move ``(0, row, col)`` turns a tile clockwise by a quarter (a hexagon by a sixth); ``(1, row, col)`` moves the
    station to that tile, which must be next to the station's tile and connected to it by wires of both tiles. The game
    is won when every tile is powered: connected to the station and, with a limited radius, at most ``radius`` links
    away from it.

    Source: the LightEmAll assignment of a course on program design, including all of its extra credit.

    >>> import gridwright as gw
    >>> game = gw.LightEmAll("1 3\\n244\\nstation 0 0")
    >>> game.play(0, 0, 2)
    >>> game.rotate((0, 1))
    >>> game.powered
    array([[ True,  True, False]])
    >>> game.distance
    array([[ 0,  1, -1]], dtype=int32)
    """

    NAME = "lightemall"
    CONTROLS = LightEmAllControls

    SQUARE_KEYS: ClassVar[dict[str, str]] = {"up": "N", "right": "E", "down": "S", "left": "W"}
    """Maps a key to the direction in which it moves the station on squares."""

    HEXAGON_KEYS: ClassVar[dict[str, str]] = {"w": "NW", "e": "NE", "d": "E", "x": "SE", "z": "SW", "a": "W"}
    """Maps a key to the direction in which it moves the station on hexagons: the keys around the letter s."""

    _made: dict[str, Any] | None = None

    @classmethod
    def generate(
        cls: type[Self],
        height: int,
        width: int,
        *,
        method: str = "kruskal",
        bias: float = 0.0,
        hexagonal: bool = False,
        wrap: bool = False,
        limited_radius: bool = False,
        unique: bool = False,
        scramble: bool = True,
        difficulty: int | str | None = None,
        seed: int | None = None,
        progress: Any = None,
    ) -> Self:
        """Generates a board: a random spanning tree as wires, every tile turned at random.

        * ``height``, ``width``: the size in tiles, each at least 1, with at most 2^26 tiles in all.
        * ``method``: ``"kruskal"`` (the default), ``"wilson"``, ``"dfs"``, ``"prim"`` or ``"fractal"``, the random
          trees of ``gridwright.graph.random_spanning_tree``, with the station at (0, 0); ``"rows"`` or ``"columns"``,
          the fixed boards of the source document, with the station in the middle.
        * ``bias``: greater than -1 and less than 1; above 0 prefers horizontal wires, below 0 all others. Default 0.
        * ``hexagonal``: whether tiles are hexagons. Default ``False``.
        * ``wrap``: whether opposite borders are joined. Default ``False``. Hexagons then need an even height.
        * ``limited_radius``: whether power reaches only as many links as the radius, which is half the diameter of the
          wiring, rounded down, plus one. Default ``False``.
        * ``unique``: whether the board must have exactly one solution. Default ``False``. Ambiguous parts of the tree
          are replaced, so that the board is no longer drawn from the distribution of its method: small ambiguous
          patterns never occur. Needs a random tree as ``method``.
        * ``scramble``: whether tiles are turned at random. Default ``True``. A scrambled board is never won at the
          start, unless it has one tile.
        * ``difficulty``: the grade of the board, from 1 to 5 or its name, or ``None`` (the default) for any. With a
          grade the board always has exactly one solution and is scrambled. Grades are meant for boards of about 6 x 6
          tiles: much smaller ones are hardly ever hard, much larger ones hardly ever easy.
        * ``seed``: from 0 to 2^64 - 1, or ``None`` (the default) for a random one. Equal arguments and seeds give equal
          boards on every platform.
        * ``progress``: a callable that receives the number of steps so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        Raises ``ValueError`` for an argument out of bounds, and if no board of this size with exactly one solution was
        found; ``TypeError`` for the wrong type; ``SearchLimitError`` if no board of this grade was found in 2^17 tries
        or 2^24 steps, which take 2 to 15 seconds.

        >>> import gridwright as gw
        >>> game = gw.LightEmAll.generate(8, 8, seed=2026)
        >>> game.par, game.tree.shape
        (82, (63, 2))
        """
        arguments = _arguments(locals())
        asked = None if difficulty is None else grade(difficulty)
        if asked is not None:
            arguments |= {"unique": True, "scramble": True}
        core, solved, par, used = _core.lightemall_generate(arguments, asked, seed, progress)
        game: Self = cls(_ONE_TILE)
        game._take(core)
        game._made = {"arguments": arguments, "solved": solved, "par": par, "seed": used}
        return game

    @classmethod
    def generate_many(
        cls,
        n: int,
        height: int,
        width: int,
        *,
        method: str = "kruskal",
        bias: float = 0.0,
        hexagonal: bool = False,
        wrap: bool = False,
        limited_radius: bool = False,
        unique: bool = False,
        scramble: bool = True,
        seed: int | None = None,
        progress: Any = None,
    ) -> npt.NDArray[np.uint8]:
        """Generates n boards at once and returns their codes, ``(n, height, width)`` uint8.

        Board i is the one that ``generate`` returns for ``seed + i``.

        * ``n``: the number of boards, at least 0; at most 2^36 tiles in all.
        * ``height``, ``width``: the size of each board in tiles, each at least 1, with at most 2^26 tiles per board.
        * ``method``: ``"kruskal"`` (the default), ``"wilson"``, ``"dfs"``, ``"prim"`` or ``"fractal"``, a random tree;
          ``"rows"`` or ``"columns"``, a fixed board of the source document.
        * ``bias``: greater than -1 and less than 1; above 0 prefers horizontal wires, below 0 all others. Default 0.
        * ``hexagonal``: whether tiles are hexagons. Default ``False``.
        * ``wrap``: whether opposite borders are joined. Default ``False``. Hexagons then need an even height.
        * ``limited_radius``: whether power reaches only as many links as the radius. Default ``False``.
        * ``unique``: whether each board must have exactly one solution. Default ``False``. Needs a random tree as
          ``method``.
        * ``scramble``: whether tiles are turned at random. Default ``True``.
        * ``seed``: the seed of the first board, 0 to 2^64 - 1, or ``None`` (the default) for a random one.
        * ``progress``: a callable that receives the number of tiles so far, or of steps with ``unique`` or a method
          other than ``"kruskal"``; or an object with ``update``, such as a tqdm bar. ``None`` (the default) for no
          reports.

        >>> import gridwright as gw
        >>> boards = gw.LightEmAll.generate_many(1000, 8, 8, seed=0)
        >>> bool((boards[7] == gw.LightEmAll.generate(8, 8, seed=7).board).all())
        True
        """
        arguments = _arguments(locals())
        return _core.lightemall_generate_many(n, arguments, seed, progress)

    @classmethod
    def from_wires(
        cls: type[Self],
        mask: npt.ArrayLike,
        station: tuple[int, int] = (0, 0),
        *,
        hexagonal: bool = False,
        wrap: bool = False,
        limited_radius: bool = False,
        radius: int | None = None,
    ) -> Self:
        """Creates a position from masks of wires.

        * ``mask``: ``(height, width)`` integers, one per tile: the sum of the bits of its wires, 0 to 15 (``Tile``) or,
          on hexagons, 0 to 63 (``Hexagon``).
        * ``station``: the cell of the station, ``(row, col)``. Default (0, 0).
        * ``hexagonal``: whether tiles are hexagons. Default ``False``.
        * ``wrap``: whether opposite borders are joined. Default ``False``. Hexagons then need an even height.
        * ``limited_radius``: whether power reaches only a limited number of links. Default ``False``. If ``radius`` is
          not given, the initial radius is half of ``diameter``, rounded down, plus one; the wires must then connect all
          tiles.
        * ``radius``: the initial radius in links, from 0 to 2^26. If it is given, power is limited even without
          ``limited_radius``. Default ``None``.

        Raises ``ValueError`` for a mask or another argument out of bounds, ``MoveError`` for a station off the board.

        >>> import gridwright as gw
        >>> gw.LightEmAll.from_wires([[2, 12], [2, 9]]).is_solved
        True
        """
        found = matrix("mask", mask, "iu", (2,), "integers of shape (height, width)")
        if not found.size:
            raise ValueError(f"mask must hold at least one tile, got shape {found.shape}")
        most = 63 if flag("hexagonal", hexagonal) else 15
        if found.min() < 0 or found.max() > most:
            row, col = (int(i) for i in np.argwhere((found < 0) | (found > most))[0])
            raise ValueError(f"mask must be between 0 and {most}, got {found[row, col]} at ({row}, {col})")
        wires = np.ascontiguousarray(found, dtype=np.uint8)
        return cls(_core.lightemall_from_wires(wires, station, hexagonal, wrap, limited_radius, radius))

    @classmethod
    def blank(cls: type[Self], height: int, width: int, *, hexagonal: bool = False, wrap: bool = False) -> Self:
        """Creates a board of tiles without wires, with the station at (0, 0), to build on.

        * ``height``, ``width``: the size in tiles, each at least 1, with at most 2^26 tiles in all.
        * ``hexagonal``: whether tiles are hexagons. Default ``False``.
        * ``wrap``: whether opposite borders are joined. Default ``False``. Hexagons then need an even height.

        >>> import gridwright as gw
        >>> gw.LightEmAll.blank(2, 3).wires
        array([[0, 0, 0],
               [0, 0, 0]], dtype=uint8)
        """
        return cls(_core.lightemall_blank(height, width, hexagonal, wrap))

    @property
    def par(self) -> int | None:
        """The fewest clockwise turns from the start to the wiring that the board was made from.

        The text of a board does not contain that wiring. For a board that was read from text or created from wires,
        turns are instead counted to the wiring that ``solve`` finds from the start; ``None`` if there is no solution.
        Raises ``SearchLimitError`` if such a board has more than 4096 tiles and more wire ends than a tree needs.
        Copies and pickles keep the wiring that the board was made from.
        """
        if self._made is not None:
            return int(self._made["par"])
        start = self.copy()
        start.reset()
        turns = start.solve()
        return None if turns is None else int(turns.sum())

    @property
    def tree(self) -> npt.NDArray[np.int32] | None:
        """The edges of the wiring that the board was made from, pairs of cell indices, ``(tiles - 1, 2)`` int32.

        The edges come in the order in which the method added them. For boards with ``unique``, and for the fixed
        boards, the order is that of Kruskal's algorithm. ``None`` if the board was not generated.
        """
        if self._made is None:
            return None
        return _core.lightemall_tree(self._made["solved"], self._made["arguments"], self._made["seed"])

    @property
    def solved_wires(self) -> npt.NDArray[np.uint8] | None:
        """The masks of the wiring that the board was made from, ``(height, width)`` uint8.

        ``None`` if the board was not generated.
        """
        return None if self._made is None else self._made["solved"].copy()

    @property
    def origin(self) -> dict[str, Any]:
        """How the board was generated: ``method``, ``bias`` and ``unique`` of ``generate``; empty for other boards.

        >>> import gridwright as gw
        >>> gw.LightEmAll.generate(3, 3, seed=1).origin
        {'method': 'kruskal', 'bias': 0.0, 'unique': False}
        """
        if self._made is None:
            return {}
        return {name: self._made["arguments"][name] for name in ("method", "bias", "unique")}

    def hint(self, *, limit: int | None = None, progress: Any = None) -> npt.NDArray[np.int32] | None:
        """Returns the next move of a solution, ``(3,)`` int32; ``None`` if the game is won or has no solution.

        * ``limit``: the work that the search may do, an integer from 0 to 2^64 - 1; no limit by default. Raises
          ``SearchLimitError`` beyond this limit, and for a board of more than 4096 tiles that has more wire ends than a
          tree needs.
        * ``progress``: a callable that receives the work done so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        >>> import gridwright as gw
        >>> gw.LightEmAll("1 2\\n22\\nstation 0 0").hint()
        array([0, 0, 1], dtype=int32)
        """
        moves = self.solution(limit=limit, progress=progress)
        return None if moves is None or not len(moves) else moves[0].copy()

    def play_on(self, *, limit: int | None = None, progress: Any = None) -> bool:
        """Plays a solution to its end; returns ``False`` and plays nothing if it is proved that there is none.

        * ``limit``: the work that the search may do, an integer from 0 to 2^64 - 1; no limit by default. Raises
          ``SearchLimitError`` beyond this limit, and for a board of more than 4096 tiles that has more wire ends than a
          tree needs.
        * ``progress``: a callable that receives the work done so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        >>> import gridwright as gw
        >>> game = gw.LightEmAll.level("level01")
        >>> game.play_on(), game.status
        (True, <Status.WON: 1>)
        """
        moves = self.solution(limit=limit, progress=progress)
        if moves is None:
            return False
        for move in moves.tolist():
            self.play(*move)
        return True

    def explain(
        self, cell: tuple[int, int] | None = None, *, limit: int | None = None, progress: Any = None
    ) -> Explanation:
        """Returns the easiest step that can be justified now, with its reason.

        * ``cell``: the tile to explain, ``(row, col)``; a cell off the board raises ``MoveError``. ``None`` (the
          default) explains the easiest step that has a move.
        * ``limit``: the most steps and nodes of searches, an integer from 0 to 2^64 - 1; no limit by default. Raises
          ``SearchLimitError`` beyond this limit, and for a board of more than 4096 tiles that has more wire ends than a
          tree needs.
        * ``progress``: a callable that receives the number of steps so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        The rule is one of ``border``, ``agreed``, ``loop``, ``island``, ``trial`` and ``search``, the hardest one that
        the reason depends on; ``choice`` if the remaining tiles fit in several ways, of which the move takes one;
        ``station`` if all tiles are connected and the station must move; ``over`` if the game is over; ``unsolvable``
        if the reasoning so far shows that it has no solution. Playing the moves of one explanation after another wins
        every game that can be won; on a board without a solution, they lead to ``unsolvable``.

        >>> import gridwright as gw
        >>> reason = gw.LightEmAll("2 2\\n81\\n96\\nstation 0 0").explain()
        >>> reason.rule, reason.moves.tolist()
        ('border', [[0, 1, 0]])
        """
        return _explanation(self, self._explain_parts(cell, limit, progress))

    def difficulty(self, *, limit: int | None = None, progress: Any = None) -> Difficulty:
        """Returns how hard the board is: its grade, how many times each rule is needed, and measures.

        * ``limit``: the most steps and nodes of searches, an integer from 0 to 2^64 - 1; no limit by default. Raises
          ``SearchLimitError`` beyond this limit, and for a board of more than 4096 tiles that has more wire ends than a
          tree needs.
        * ``progress``: a callable that receives the number of steps so far, or an object with ``update``, such as a
          tqdm bar; ``None`` (the default) for no reports.

        The grade does not depend on how the tiles are turned now. The measures are ``points`` (see the module),
        ``tiles`` (the size of the board), ``chain`` (the length of the longest chain of steps, each of which depends on
        the previous one) and ``looked_at`` (the number of tiles that lead to the contradiction of a ``trial`` step,
        summed over all such steps). ``rules["search"]`` is the number of tiles that the other rules leave open. Raises
        ``ValueError`` if the board has no solution.

        >>> import gridwright as gw
        >>> str(gw.LightEmAll.generate(6, 6, difficulty="medium", seed=1).difficulty())
        'medium (3 of 5)'
        """
        found = self._effort(limit, progress)
        if found is None:
            raise ValueError("difficulty needs a board with a solution, and this one has none")
        level, rules, points, looked_at, chain = found
        height, width = self.shape
        measures = {"points": points, "tiles": height * width, "chain": chain, "looked_at": looked_at}
        return Difficulty(level, rules, measures)

    def spread(self) -> Columns:
        """Returns how power spreads from the station, breadth-first: one row per connected tile, in the order reached.

        The columns are int32: ``tile`` (row-major index), ``parent`` (the tile from which power comes, -1 for the
        station) and ``depth`` (links from the station). A limited radius is ignored.

        >>> import gridwright as gw
        >>> gw.LightEmAll("1 3\\n2a8\\nstation 0 1").spread()["tile"]
        array([1, 2, 0], dtype=int32)
        """
        return Columns(zip(("tile", "parent", "depth"), self.spread_columns(), strict=True))

    def move_key(self, key: str) -> None:
        """Moves the station in the direction of a key.

        * ``key``: one of ``SQUARE_KEYS``, or of ``HEXAGON_KEYS`` on hexagons, or a direction such as ``"N"``.

        Raises ``ValueError`` for any other key, and ``IllegalMoveError`` if the game is over or if no tile on that side
        is connected to the station by wires.
        """
        keys = self.HEXAGON_KEYS if self.hexagonal else self.SQUARE_KEYS
        choice("key", key, (*keys, *keys.values()))
        self.move_station(keys.get(key, key))
