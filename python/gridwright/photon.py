"""MyPhoton: lasers, mirrors, splitters and sensors; pieces are moved until all sensors are lit.

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
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .controls import Cell, Controls, Entry, Hint, Move, Score, refuse
from .game import GridGame

__all__ = ["LIT", "MyPhoton", "Tile", "trace_many"]

_CODES = _core.photon_codes()

LIT: int = _CODES["LIT"]
"""Added to the code of a sensor that is lit."""


class Tile(IntEnum):
    """Codes of ``MyPhoton.board``; a sensor that is lit adds ``LIT`` (32), so ``board & 31`` are the tiles.

    Of mirrors and splitters DOWN is ``\\\\`` and UP is ``/``; the letter of a T-mirror says where its point faces, of a
    laser where it shines, of a sensor to which side it opens.

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
    "SENSOR": "sensor open to",
    "DOWN": "from the upper left to the lower right",
    "UP": "from the lower left to the upper right",
}


class MyPhotonControls(Controls):
    """MyPhoton in the hands of a player: a piece is taken up and put down by clicks, by keys or by dragging."""

    CLICK = "take up a piece, then put it on an empty tile or another piece"
    DRAG = "move a piece"
    COUNT = "swap"
    FIXTURES = (
        *("empty", "walls", "simple-laser", "simple-mirror", "simple-splitter", "simple-tmirror"),
        *("many-lasers", "splitters"),
    )

    def _clicked(self, cell: Cell, kind: int) -> None:
        if self.selected == cell:
            self.selected = None
        elif self.selected is None:
            if not self.game.can_select(cell):
                raise refuse("Only mirrors, splitters and T-mirrors can be moved.")
            self.selected = cell
            self.message = "Now click the tile where it goes."
        else:
            first, self.selected = self.selected, None
            self._swap_cells(first, cell)

    def _swap_cells(self, first: Cell, second: Cell) -> None:
        # The rules name the piece first; a player may click two pieces in any order.
        self._play((*first, *second) if self.game.is_legal(*first, *second) else (*second, *first))

    def _dragged(self, path: list[tuple[float, float]]) -> None:
        first, last = ((round(row), round(col)) for row, col in (path[0], path[-1]))
        height, width = self.game.shape
        inside = all(0 <= row < height and 0 <= col < width for row, col in (first, last))
        self.selected = None
        if inside and first != last and self.game.can_select(first):
            self._swap_cells(first, last)

    def handles(self) -> tuple[Cell, ...]:
        return tuple((row, col) for row, col in self.game.hardware.tolist())

    def _refused(self, error: Any) -> str:
        return "The piece cannot go there: it needs an empty tile or a piece of another kind."

    def _find_hint(self, progress: Callable[[int], object]) -> Hint | None:
        if not len(self.game.sensors):
            raise refuse("This world has no sensors: there is nothing to solve.")
        return super()._find_hint(progress)

    def _words_of(self, move: Move) -> str:
        return "This piece belongs in the other cell." if self.game.is_legal(*move) else ""

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

    def describe(self, cell: Cell) -> str:
        code = int(self.game.board[cell])
        kind, _, facing = Tile(code & ~LIT).name.partition("_")
        words = _WORDS[kind] + (f" {_SIDES.get(facing) or _WORDS[facing]}" if facing else "")
        if kind == "SENSOR":
            words += ", lit" if code & LIT else ", dark"
        beams = int(self.game.beams[cell])
        light = [name for bit, name in zip((1, 2, 4, 8), _SIDES.values(), strict=True) if beams & bit]
        words += f"; light {', '.join(light)}" if light and kind == "EMPTY" else ""
        return f"row {cell[0]}, column {cell[1]}: {words}"


class MyPhoton(GridGame, _core.MyPhoton):
    """A position of MyPhoton, with its history.

    ``MyPhoton(text)`` reads a world: a line ``WIDTH HEIGHT``, then a row a line. A tile is a letter and its
    orientation: ``.`` empty, ``W`` wall, ``L`` laser, ``S`` sensor and ``T`` T-mirror with ``< > ^ v``, ``M`` mirror
    and ``B`` beam splitter with ``/`` or ``\\``. Raises ``LevelError`` with line and column.

    A move ``(row, col, row, col)`` takes a piece of hardware (mirror, splitter, T-mirror) to an empty tile or exchanges
    two pieces that differ, the smaller cell first; ``swap`` takes the two cells in any order. Pieces never turn. The
    puzzle is won when all sensors are lit; a world without sensors is a sandbox.

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

    CLICKS = "click a piece, then the tile to move it to or another piece"

    @classmethod
    def generate(
        cls: type[Self],
        height: int,
        width: int,
        *,
        lasers: int = 1,
        sensors: int = 2,
        mirrors: int = 2,
        splitters: int = 1,
        tmirrors: int = 1,
        walls: float = 0.1,
        unique: bool = False,
        swaps: int | None = None,
        seed: int | None = None,
        limit: int | None = None,
        progress: Any = None,
    ) -> Self:
        """Makes a puzzle that can be solved and is not solved at the start.

        ``walls`` is the chance of a wall on each tile within the ring of walls. ``unique=True``: exactly one placement
        of the hardware lights all sensors. ``swaps=n``: the shortest solution has n swaps. Both try many boards and
        solve each; ``limit`` bounds that work. The same arguments and seed give the same puzzle everywhere.

        Raises ``ValueError`` for an order that makes no sense and ``SearchLimitError`` where no such puzzle was found.

        >>> import gridwright as gw
        >>> game = gw.MyPhoton.generate(7, 8, unique=True, seed=1)
        >>> game.shape, game.is_solved, game.count_solutions()
        ((7, 8), False, 1)
        """
        counts = [lasers, sensors, mirrors, splitters, tmirrors]
        text = _core.photon_generate((height, width), counts, float(walls), bool(unique), swaps, seed, limit, progress)
        return cls(text)

    def solution(self, **options: Any) -> npt.NDArray[np.int32] | None:
        """Gives the moves of a shortest solution: ``(n, 4)`` int32, or ``None`` where there is none.

        ``options`` are those of ``solve``.

        >>> import gridwright as gw
        >>> gw.MyPhoton.level("cycle").solution().shape
        (1, 4)
        """
        moves = self.solve(**options)
        return None if moves is None else np.array(moves, dtype=np.int32).reshape(-1, 4)

    def _click(
        self, cell: tuple[int, int], chosen: tuple[int, int] | None, second: bool
    ) -> tuple[tuple[Any, ...] | None, tuple[int, int] | None]:
        if chosen is None:
            return None, cell if self.can_select(cell) else None
        if chosen == cell:
            return None, None
        there, back = (*chosen, *cell), (*cell, *chosen)
        # Two pieces may be clicked in any order; a refusal is told in the order of the clicks.
        return back if self.can_swap(chosen, cell) and not self.is_legal(*there) else there, None

    def _new(self: Self, seed: int) -> Self:
        kinds = [Tile(code).name.partition("_")[0] for code in (self.board & 31).ravel().tolist()]
        names = ("LASER", "SENSOR", "MIRROR", "SPLITTER", "TMIRROR")
        counts: dict[str, Any] = {f"{name.lower()}s": kinds.count(name) for name in names}
        puzzle = counts["lasers"] and counts["sensors"] and len(self.hardware)
        return self.generate(*self.shape, seed=seed, **(counts if puzzle else {}))

    @classmethod
    def _demo_game(cls: type[Self]) -> Self:
        return cls.level("example")


def trace_many(
    boards: npt.ArrayLike, *, beams: bool = False, progress: Any = None
) -> npt.NDArray[np.bool_] | tuple[npt.NDArray[np.bool_], npt.NDArray[np.uint8]]:
    """Traces the light of many boards of one size at once.

    ``boards`` is ``(n, H, W)`` of tile codes, of any integer type; uint8 in C order is read in place. Gives which cells
    hold a lit sensor, ``(n, H, W)`` bool, and with ``beams=True`` the laserlets too, ``(n, H, W)`` uint8 with bits N=1
    E=2 S=4 W=8. Marks of lit sensors in ``boards`` are ignored. Large batches are shared by the threads; ``progress``
    is told the boards done.

    Raises ``ValueError`` for a wrong shape and for a number that is no code, ``TypeError`` for a wrong type.

    >>> import gridwright as gw, numpy as np
    >>> boards = np.stack([gw.MyPhoton.level("cycle").board] * 2)
    >>> lit, beams = trace_many(boards, beams=True)
    >>> lit.any(), (beams[1] == gw.MyPhoton.level("cycle").beams).all()
    (np.False_, np.True_)
    """
    array = np.asarray(boards)
    if array.dtype.kind not in "iu":
        raise TypeError(f"boards of type {array.dtype}, wanted whole numbers such as uint8")
    if array.ndim != 3:
        raise ValueError(f"boards of shape {array.shape}, wanted (n, height, width)")
    if array.dtype != np.uint8:
        if array.size and (array.min() < 0 or array.max() > 255):
            raise ValueError(f"codes from {array.min()} to {array.max()}, wanted 0 to 17, or 46 to 49 for lit sensors")
        array = array.astype(np.uint8)
    lit, laserlets = _core.photon_trace_many(np.ascontiguousarray(array), bool(beams), progress)
    return lit if laserlets is None else (lit, laserlets)
