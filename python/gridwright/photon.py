"""MyPhoton: the player moves mirrors, splitters and T-mirrors until every sensor is lit.

>>> import gridwright as gw
>>> game = gw.MyPhoton.level("simple-mirror")
>>> game.beams[2]
array([ 0,  0, 10, 10, 10, 12,  0,  0], dtype=uint8)
>>> game.play(2, 5, 3, 3)
>>> game.beams[2]
array([ 0,  0, 10, 10, 10, 10, 10,  0], dtype=uint8)
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from functools import cache
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .arguments import matrix
from .controls import Cell, Controls, Entry, Hint, Move, Score, Verb, refuse
from .errors import SearchLimitError
from .game import GridGame
from .insight import GRADES, Difficulty, Explanation, grade

__all__ = ["LIT", "MyPhoton", "Tile", "trace_many"]

_CODES = _core.photon_codes()

LIT: int = _CODES["LIT"]
"""The bit that is set in the code of a lit sensor."""


class Tile(IntEnum):
    """The codes of ``MyPhoton.board``. A lit sensor adds ``LIT`` (32), so ``board & 31`` is the board without light.

    DOWN is the slant ``\\`` of mirrors and splitters, UP the slant ``/``. The suffix N, E, S or W is the direction
    in which the point of a T-mirror faces or a laser shines, or the side on which a sensor is open.

    >>> Tile(46 & 31)
    <Tile.SENSOR_N: 14>
    """

    EMPTY = _CODES["EMPTY"]
    WALL = _CODES["WALL"]
    MIRROR_DOWN = _CODES["MIRROR_DOWN"]
    MIRROR_UP = _CODES["MIRROR_UP"]
    SPLITTER_DOWN = _CODES["SPLITTER_DOWN"]
    SPLITTER_UP = _CODES["SPLITTER_UP"]
    TMIRROR_N = _CODES["TMIRROR_N"]
    TMIRROR_E = _CODES["TMIRROR_E"]
    TMIRROR_S = _CODES["TMIRROR_S"]
    TMIRROR_W = _CODES["TMIRROR_W"]
    LASER_N = _CODES["LASER_N"]
    LASER_E = _CODES["LASER_E"]
    LASER_S = _CODES["LASER_S"]
    LASER_W = _CODES["LASER_W"]
    SENSOR_N = _CODES["SENSOR_N"]
    SENSOR_E = _CODES["SENSOR_E"]
    SENSOR_S = _CODES["SENSOR_S"]
    SENSOR_W = _CODES["SENSOR_W"]


Self = TypeVar("Self", bound="MyPhoton")


_SIDES = {"N": "up", "E": "right", "S": "down", "W": "left"}

_WORDS = {
    "EMPTY": "empty",
    "WALL": "wall",
    "MIRROR": "mirror",
    "SPLITTER": "beam splitter",
    "TMIRROR": "T-mirror facing",
    "LASER": "laser shining",
    "SENSOR": "sensor facing",
    "DOWN": "from the upper left to the lower right",
    "UP": "from the lower left to the upper right",
}


_SLANTS = {"DOWN": "\\", "UP": "/"}


def tile_words(code: int) -> str:
    """Returns a tile in words, with its orientation.

    * ``code``: a member of ``Tile``; ``LIT`` is ignored.

    >>> tile_words(Tile.LASER_E), tile_words(Tile.MIRROR_UP)
    ('laser shining right', 'mirror from the lower left to the upper right')
    """
    kind, _, facing = Tile(code & ~LIT).name.partition("_")
    return _WORDS[kind] + (f" {_SIDES.get(facing) or _WORDS[facing]}" if facing else "")


def _place(cell: tuple[int, int]) -> str:
    return f"({int(cell[0])}, {int(cell[1])})"


def _places(cells: list[tuple[int, int]]) -> str:
    """Names cells in a straight line: all of them if there are at most two, otherwise the first and the last."""
    if len(cells) == 1:
        return f"tile {_place(cells[0])}"
    between = " and " if len(cells) == 2 else " to "
    return f"tiles {_place(cells[0])}{between}{_place(cells[-1])}"


def _piece(code: int) -> str:
    """Names a piece with its orientation."""
    kind, _, facing = Tile(code & ~LIT).name.partition("_")
    words = {"MIRROR": "mirror", "SPLITTER": "splitter", "TMIRROR": "T-mirror"}[kind]
    return f"{words} facing {_SIDES[facing]}" if kind == "TMIRROR" else f"{words} {_SLANTS[facing]}"


def _blockers(cells: list[tuple[int, int]], board: npt.NDArray[np.uint8]) -> list[tuple[int, int]]:
    """Returns those of the cells on which a piece stands."""
    return [cell for cell in cells if board[cell] != Tile.EMPTY]


def _sentence(found: dict[str, Any], board: npt.NDArray[np.uint8], beams: npt.NDArray[np.uint8]) -> str:
    """Returns the sentence for a step of reasoning that the engine found on a board with the given laserlets."""
    sensor, ways = f"the sensor at {_place(found['sensor'])}", found["choices"]
    empty, piece, rule = found["empty"], found["piece"], found["rule"]
    blockers = _blockers(empty, board)
    if found["move"]:
        ending = ""
    elif blockers or (piece and int(board[piece[0]]) & ~LIT != piece[1]):
        ending = " An earlier step must come first."
    else:
        ending = " This is already the case."
    if rule == "spare":
        cell = blockers[0]
        return (
            f"The {_piece(int(board[cell]))} on {_place(cell)} must move: in every solution the tile is empty, "
            f"because light passes over it to {sensor}.{ending}"
        )
    if piece is None:
        way = f"straight over the empty {_places(empty)}"
    else:
        way = f"by a {_piece(piece[1])} on {_place(piece[0])}"
        way += f", over the empty {_places(empty)}" if empty else ""
    if rule == "direct":
        where = piece[0] if piece else empty[-1]
        # The rule assumes that earlier steps are carried out and that undecided tiles are empty, so light may not be
        # there yet. It is, and can go on, if the piece alone, added to the board, completes the way to the sensor.
        added = board.copy()
        if piece:
            added[where] = piece[1]
        there = beams[where] and trace_many(added[None])[0][found["sensor"]] and not blockers
        reaches = "already reaches" if there else "needs no piece except those of earlier steps to reach"
        sentence = f"Light {reaches} {_place(where)}, and can go on to {sensor} in only one way: {way}."
    elif rule == "forced":
        sentence = f"With the available pieces, light can reach {sensor} in only one way: {way}."
    elif rule == "shared":
        target = "it" if np.count_nonzero(board >= Tile.SENSOR_N) == 1 else "all sensors"
        sentence = (
            f"Light could reach {sensor} in {ways} ways. All but one leave pieces that cannot light {target}. "
            f"The remaining way is {way}."
        )
    else:
        sentence = (
            f"Light could reach {sensor} in {ways} ways. All but one lead to a contradiction. "
            f"The remaining way is {way}."
        )
    return sentence + ending


@cache
def _grade_of(name: str) -> str:
    """Returns the name of the grade of a packaged level; empty if it has none or if grading would take too long."""
    try:
        found = MyPhoton.level(name).difficulty(limit=30_000)
    except SearchLimitError:
        return ""
    return "" if found is None else found.name


@cache
def _has_sensors(name: str) -> bool:
    """Returns whether a packaged level has sensors."""
    return len(MyPhoton.level(name).sensors) > 0


class MyPhotonControls(Controls):
    """The controls of MyPhoton: clicks, keys or drags pick up a piece and put it down."""

    GOAL = "Lead the light of the lasers into every sensor by moving the pieces that stand on blue plates."
    CLICK = "pick up a piece, then put it on an empty tile or another piece"
    DRAG = "move a piece"
    VERBS: ClassVar[dict[str, Verb]] = {
        "swap": Verb("pair", "move a piece to another tile, or exchange two pieces", "swap 4 9 7 10"),
    }
    COUNT = "swap"
    AFTER: ClassVar[dict[str, str]] = {
        "shared-mirror": "level06",
        "cycle": "shared-mirror",
        "example": "level12",
        "threeway": "example",
        "mirrors": "threeway",
        "tmirrors": "level18",
        "diamond": "level24",
    }

    def _clicked(self, cell: Cell, kind: int) -> None:
        if self.over:
            raise refuse("The game is over.")
        if self.selected == cell:
            self.selected = None
        elif self.selected is None:
            if not self.game.can_select(cell):
                raise refuse("Only mirrors, splitters and T-mirrors can be moved.")
            self.selected = cell
            self.message = "Now click the tile where the piece goes."
        else:
            first, self.selected = self.selected, None
            self._swap_cells(first, cell)

    def _swap_cells(self, first: Cell, second: Cell) -> None:
        # A move that exchanges two pieces names the smaller cell first; a player can click them in either order.
        self._play((*first, *second) if self.game.is_legal(*first, *second) else (*second, *first))

    def _dragged(self, path: list[tuple[float, float]]) -> None:
        first, last = ((round(row), round(col)) for row, col in (path[0], path[-1]))
        height, width = self.game.shape
        inside = all(0 <= row < height and 0 <= col < width for row, col in (first, last))
        self.selected = None
        if inside and first != last and self.game.can_select(first):
            self._swap_cells(first, last)

    def _handles(self) -> tuple[Cell, ...]:
        return tuple((row, col) for row, col in self.game.hardware.tolist())

    def _refused(self, error: Any) -> str:
        return "The piece cannot go there: it needs an empty tile or a different piece."

    def _require_sensors(self) -> None:
        if not len(self.game.sensors):
            raise refuse("This world has no sensors: there is nothing to solve.")

    def _answer(self, game: Any, progress: Callable[[int], object]) -> list[Move] | None:
        self._require_sensors()
        return super()._answer(game, progress)

    def _find_hint(self, progress: Callable[[int], object]) -> Hint | None:
        self._require_sensors()
        return super()._find_hint(progress)

    @property
    def difficulties(self) -> tuple[str, ...]:
        return GRADES

    def _puzzles(self) -> tuple[str, ...]:
        # The source document's worlds without sensors only demonstrate light: they cannot be won.
        return tuple(name for name in super()._puzzles() if _has_sensors(name))

    def _grade(self, name: str) -> str:
        return _grade_of(name)

    def _scores(self) -> list[Score]:
        lit = self.game.lit
        return [Score("sensors lit", int(lit.sum()), len(self.game.sensors))]

    def _optimum(self, start: Any, progress: Callable[[int], object]) -> int | None:
        return super()._optimum(start, progress) if len(start.sensors) else None

    def _make(self, seed: int, options: dict[str, Any]) -> Any:
        game = self.game
        kinds = [Tile(code).name.partition("_")[0] for code in (game.board & 31).ravel().tolist()]
        names = ("LASER", "SENSOR", "MIRROR", "SPLITTER", "TMIRROR")
        counts: dict[str, Any] = {f"{name.lower()}s": kinds.count(name) for name in names}
        puzzle = counts["lasers"] and counts["sensors"] and len(game.hardware)
        return type(game).generate(*game.shape, seed=seed, **(counts if puzzle else {}), **options)

    def legend(self) -> list[Entry]:
        game = self.game
        found = [Entry("L", "laser", tuple(map(tuple, game.lasers.tolist())))]
        found.append(
            Entry("S", "sensor: light must come in at its open side", tuple(map(tuple, game.sensors.tolist())))
        )
        return [*found, Entry("M", "pieces on a plate can be moved", tuple(map(tuple, game.hardware.tolist())))]

    def _contents(self, cell: Cell) -> str:
        code = int(self.game.board[cell])
        words = tile_words(code)
        if code >= Tile.SENSOR_N:
            words += ", lit" if code & LIT else ", dark"
        beams = int(self.game.beams[cell])
        light = [name for bit, name in zip((1, 2, 4, 8), _SIDES.values(), strict=True) if beams & bit]
        words += f"; light {', '.join(light)}" if light and code == Tile.EMPTY else ""
        return words


class MyPhoton(GridGame, _core.MyPhoton):
    """A position of MyPhoton, with its history.

    * ``text``: a world in text notation. The first line is ``WIDTH HEIGHT``; one line per row follows. A tile is a
      symbol and, for all but the first two, an orientation: ``.`` empty, ``W`` wall, ``L`` laser, ``S`` sensor and
      ``T`` T-mirror with ``<``, ``>``, ``^`` or ``v``, ``M`` mirror and ``B`` beam splitter with ``/`` or ``\\``.
      Raises ``LevelError`` with line and column for other text.

    A move ``(row, col, row, col)`` takes a piece of hardware (mirror, splitter, T-mirror) from the first cell to the
    second, which is empty, or exchanges two different pieces, the smaller cell in row-major order first; ``swap`` takes
    the two cells in any order. Pieces never turn. The puzzle is won when all sensors are lit. A world without sensors
    is a sandbox and stays open.

    Source: the assignment "MyPhoton" of CS106L.

    >>> import gridwright as gw
    >>> game = gw.MyPhoton('''6 4
    ... W W W W W W
    ... W L>. . M\\\\W
    ... W . . . . W
    ... W W W S^W W''')
    >>> game.beams[1].tolist(), game.lit.any()
    ([0, 0, 10, 10, 12, 0], np.False_)
    >>> game.solve()
    [(1, 4, 1, 3)]
    >>> game.swap((1, 4), (1, 3))
    >>> game.status, game.is_solved
    (<Status.WON: 1>, True)
    """

    NAME = "photon"
    CONTROLS = MyPhotonControls

    @classmethod
    def generate(
        cls: type[Self],
        height: int,
        width: int,
        *,
        lasers: int = 1,
        sensors: int | None = None,
        mirrors: int | None = None,
        splitters: int | None = None,
        tmirrors: int | None = None,
        walls: float = 0.1,
        unique: bool = False,
        swaps: int | None = None,
        difficulty: int | str | None = None,
        seed: int | None = None,
        limit: int | None = None,
        progress: Any = None,
    ) -> Self:
        """Generates a puzzle that can be solved and is not solved at the start.

        * ``height``, ``width``: the size of the board in tiles, including the ring of walls that a board of at least
          3 x 3 has; integers of at least 1, at most 2^26 tiles.
        * ``lasers``: the number of lasers, an integer of at least 1. Default 1.
        * ``sensors``: the number of sensors, an integer of at least 1. ``None`` (the default) means 2, or 1 with
          ``difficulty=1``.
        * ``mirrors``: the number of mirrors, an integer of at least 0. ``None`` (the default) means 2, or 3 with
          ``difficulty=5``.
        * ``splitters``: the number of beam splitters, an integer of at least 0. ``None`` (the default) means 1, or
          0 with ``difficulty=1``.
        * ``tmirrors``: the number of T-mirrors, an integer of at least 0. ``None`` (the default) means 1, or 0 with
          ``difficulty=1``. There must be at least one piece of hardware, and fewer lasers, sensors and pieces together
          than tiles.
        * ``walls``: the probability of a wall on each tile inside the ring, a float from 0 to 1. Default 0.1.
        * ``unique``: whether exactly one placement of the hardware must light all sensors. Default ``False``.
        * ``swaps``: the number of swaps of a shortest solution, an integer from 1 to the number of pieces, or ``None``
          (the default) for any number.
        * ``difficulty``: a grade from 1 to 5 or its name, one of ``gridwright.insight.GRADES``; the puzzle has exactly
          that grade; see ``difficulty()``. ``None`` (the default) means any grade.
        * ``seed``: an integer from 0 to 2^64 - 1; the same arguments and seed give the same puzzle on every platform.
          ``None`` (the default) draws a random one.
        * ``limit``: the work allowed, in boards tried and nodes of the search, an integer from 0 to 2^64 - 1, or
          ``None`` (the default) for no limit. A board counts as 1, plus 1 for every 256 cells; a node counts as 1, plus
          1 for every 2048 cells. ``unique``, ``swaps`` and ``difficulty`` try many boards and solve each.
        * ``progress``: a callable that receives the work done so far, or an object with ``update``, such as a tqdm bar;
          ``None`` (the default) for no reports.

        Raises ``ValueError`` for an argument out of bounds, ``TypeError`` for the wrong type, and ``SearchLimitError``
        if ``limit`` is reached, no puzzle that meets all demands is found among 20,000 boards, or the board is too
        large for the searches that ``unique``, ``swaps`` and ``difficulty`` require.

        >>> import gridwright as gw
        >>> game = gw.MyPhoton.generate(7, 8, unique=True, seed=1)
        >>> game.shape, game.is_solved, game.count_solutions()
        ((7, 8), False, 1)
        """
        parameters = locals().copy()
        del parameters["cls"]
        if difficulty is not None:
            parameters["difficulty"] = grade(difficulty)
        return cls(_core.photon_generate(parameters))

    @classmethod
    def blank(cls: type[Self], height: int, width: int) -> Self:
        """Creates a board of empty tiles to build on.

        * ``height``, ``width``: the size of the board in tiles, integers of at least 1, at most 2^26 tiles; any
          other number raises ``ValueError``.

        >>> import gridwright as gw
        >>> gw.MyPhoton.blank(2, 3).board.any()
        np.False_
        """
        return cls(_core.photon_blank(height, width))

    def explain(
        self, cell: tuple[int, int] | None = None, *, limit: int | None = None, progress: Any = None
    ) -> Explanation:
        """Explains the next step: what holds in all solutions, by which rule, and the move that follows.

        These are the rules, from easy to hard. All but the last consider one sensor and the ways in which light can
        still reach it:

        * ``direct``: only one way is left, and light needs no piece except those of earlier steps to reach its
          beginning: one piece turns the light to the sensor, or empty tiles let it through.
        * ``forced``: only one way is left, but light needs more pieces to reach its beginning.
        * ``shared``: all ways but one leave pieces that cannot light all sensors, often because a piece must serve
          several of them.
        * ``spare``: a piece stands on a tile that is empty in all solutions, and must be moved away.
        * ``trial``: all ways but one lead to a contradiction by ``direct``, ``forced`` and ``shared``.
        * ``search``: no other rule applies; a search finds the first move of a shortest solution.

        Parameters:

        * ``cell``: the cell ``(row, col)`` to explain; a cell off the board raises ``MoveError``. ``None`` (the
          default) explains the first step that is not carried out yet.
        * ``limit``: the most nodes that the search may visit, an integer from 0 to 2^64 - 1, or ``None`` (the default)
          for no limit. A node counts as 1, plus 1 for every 2048 cells of the board.
        * ``progress``: a callable that receives the number of nodes visited so far, or an object with ``update``, such
          as a tqdm bar; ``None`` (the default) for no reports.

        Playing the moves of one explanation after another solves the puzzle. ``moves`` is empty if the puzzle is
        solved, has no solution or no sensors, if ``cell`` is already as the explanation requires, or if every move for
        ``cell`` would change a tile that an earlier step decides; the sentence then says that an earlier step must come
        first. If no rule finds anything about ``cell``, the rule is ``search`` and ``moves`` is empty too.

        Raises ``SearchLimitError`` if ``limit`` is reached.

        >>> import gridwright as gw
        >>> game = gw.MyPhoton("4 3\\nL>. . .\\nM\\\\. . .\\n. . S^.")
        >>> game.explain().rule, game.explain().moves.tolist()
        ('direct', [[1, 0, 0, 2]])
        """
        found = self._advise(cell, limit, progress)
        if found is None:
            return self._nothing(cell)
        moves = np.array([found["move"]] if found["move"] else [], dtype=np.int32).reshape(-1, 4)
        because: list[tuple[int, int]] = []
        so: list[tuple[int, ...]] = [tuple(part) for part in moves.reshape(-1, 2).tolist()]
        sentence = "No rule applies here. A search shows that this move begins a shortest solution."
        if "sensor" in found:
            because = [found["sensor"], *found["empty"]]
            board = self.board
            if found["rule"] == "spare":
                so = [*_blockers(found["empty"], board)[:1]]
            else:
                so = [found["piece"][0]] if found["piece"] else found["empty"]
            sentence = _sentence(found, board, self.beams)
        marks = {"because": [cell for cell in because if cell not in so], "so": so}
        cells = {role: np.array(places, dtype=np.int32).reshape(-1, 2) for role, places in marks.items()}
        return Explanation(found["rule"], sentence, cells, moves, self.copy())

    def _nothing(self, cell: tuple[int, int] | None) -> Explanation:
        """Returns an explanation without moves, for a position or a cell about which no rule finds anything."""
        if not len(self.sensors):
            sentence = "This world has no sensors: there is nothing to solve."
        elif cell is not None:
            sentence = f"No rule finds anything about {_place(cell)} that holds in all solutions."
        elif self.is_solved:
            sentence = "All sensors are lit: the puzzle is solved."
        else:
            sentence = "This puzzle has no solution."
        none = np.zeros((0, 2), dtype=np.int32)
        return Explanation("search", sentence, {"because": none, "so": none}, none.reshape(0, 4), self.copy())

    def difficulty(self, *, limit: int | None = None, progress: Any = None) -> Difficulty | None:
        """Grades the puzzle by the rules of ``explain`` that solve it.

        * Grade 1, trivial: ``direct`` and ``forced`` suffice.
        * Grade 2, easy: ``shared`` is needed.
        * Grade 3, medium: one ``trial`` is needed.
        * Grade 4, hard: two trials or more are needed.
        * Grade 5, fiendish: the rules stop before the only solution is found, and ``search`` is needed.

        If there are several solutions, fewer facts hold in all of them. If the rules stop for that reason, the number
        of nodes that a search visits gives the grade: up to 4 nodes grade 1, up to 16 grade 2, up to 64 grade 3, up to
        256 grade 4, more grade 5. The grade does not depend on where the pieces are now.

        * ``limit``: the most nodes that the search may visit, an integer from 0 to 2^64 - 1, or ``None`` (the default)
          for no limit. A node counts as 1, plus 1 for every 2048 cells of the board.
        * ``progress``: a callable that receives the number of nodes visited so far, or an object with ``update``, such
          as a tqdm bar; ``None`` (the default) for no reports.

        The measures are ``swaps``, the fewest that solve the puzzle from here; ``turns``, the number of pieces that
        light meets in the solution; and ``decoys``, the number of pieces that it does not meet. Returns ``None`` if it
        is proved that there is no solution, and for a world without sensors. Raises ``SearchLimitError`` if ``limit``
        is reached.

        >>> import gridwright as gw
        >>> gw.MyPhoton.generate(8, 8, difficulty="medium", seed=1).difficulty().name
        'medium'
        """
        found = self._assess(limit, progress)
        return None if found is None else Difficulty(*found)

    def play_on(
        self, max_swaps: int | None = None, *, limit: int | None = None, progress: Callable[[int], object] | None = None
    ) -> bool:
        """Plays a solution with the fewest swaps from this position; ``undo`` takes its swaps back one by one.

        * ``max_swaps``: the most swaps that the solution may take, an integer of at least 0; ``None`` (the default) for
          any number.
        * ``limit``: the most nodes that the search may visit, an integer from 0 to 2^64 - 1, or ``None`` (the default)
          for no limit. A node counts as 1, plus 1 for every 2048 cells of the board.
        * ``progress``: a callable that receives the number of nodes visited so far, or an object with ``update``, such
          as a tqdm bar; ``None`` (the default) for no reports.

        Returns ``False`` and plays nothing if it is proved that there is no such solution, otherwise ``True``. Raises
        ``SearchLimitError`` if ``limit`` is reached; nothing is played then.

        >>> import gridwright as gw
        >>> game = gw.MyPhoton.level("level01")
        >>> game.play_on(), game.is_solved
        (True, True)
        """
        moves = self.solve(max_swaps, limit=limit, progress=progress)
        for move in moves or ():
            self.play(*move)
        return moves is not None

    def solution(self, **options: Any) -> npt.NDArray[np.int32] | None:
        """Returns the moves of a solution as a fresh ``(n, 4)`` int32 array, or ``None`` if there is none.

        * ``options``: those of ``solve``. The solution is a shortest one unless ``fewest=False``.

        >>> import gridwright as gw
        >>> gw.MyPhoton.level("cycle").solution().shape
        (1, 4)
        """
        moves = self.solve(**options)
        return None if moves is None else np.array(moves, dtype=np.int32).reshape(-1, 4)


def trace_many(
    boards: npt.ArrayLike, *, beams: bool = False, progress: Any = None
) -> npt.NDArray[np.bool_] | tuple[npt.NDArray[np.bool_], npt.NDArray[np.uint8]]:
    """Traces the light of many boards of one size.

    * ``boards``: tile codes, ``(n, H, W)`` of any integer type; uint8 in C order is read in place. ``LIT`` on a sensor
      is ignored.
    * ``beams``: whether to return the laserlets as well, which are light between the center of a cell and one of its
      sides. Default ``False``.
    * ``progress``: a callable that receives the number of boards done so far, or an object with ``update``, such as a
      tqdm bar; ``None`` (the default) for no reports.

    Returns whether each cell holds a lit sensor, ``(n, H, W)`` bool, and with ``beams=True`` also the laserlets,
    ``(n, H, W)`` uint8 with the bits N=1 E=2 S=4 W=8. Large batches use several threads.

    Raises ``ValueError`` for any other shape, for boards of more than 2^26 cells, or for a number that is not a tile
    code, and ``TypeError`` for any other type.

    >>> import gridwright as gw, numpy as np
    >>> boards = np.stack([gw.MyPhoton.level("cycle").board] * 2)
    >>> lit, beams = trace_many(boards, beams=True)
    >>> lit.any(), (beams[1] == gw.MyPhoton.level("cycle").beams).all()
    (np.False_, np.True_)
    """
    array = matrix("boards", boards, "iu", (3,), "integers of shape (n, height, width)")
    if array.dtype != np.uint8:
        if array.size and (array.min() < 0 or array.max() > 255):
            worst = array.min() if array.min() < 0 else array.max()
            raise ValueError(f"boards must hold the codes 0 to 17, or 46 to 49 for lit sensors, got {worst}")
        array = array.astype(np.uint8)
    lit, laserlets = _core.photon_trace_many(np.ascontiguousarray(array), beams, progress)
    return lit if laserlets is None else (lit, laserlets)
