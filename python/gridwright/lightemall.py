"""LightEmAll: tiles with wires are turned until every tile gets power from the station.

>>> import gridwright as gw
>>> game = gw.LightEmAll.level("level01")
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
>>> game.rotate((0, 0))
>>> game.turns, game.status
(1, <Status.OPEN: 0>)
"""

from __future__ import annotations

from enum import IntEnum
from functools import partial
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .controls import Action, Cell, Controls, Entry, Motion, Move, Score
from .game import GridGame
from .graph import Columns, _bias

__all__ = ["Hexagon", "LightEmAll", "Tile"]

Self = TypeVar("Self", bound="LightEmAll")

_CODES = _core.lightemall_codes()


class Tile(IntEnum):
    """Bits of ``LightEmAll.board``: wires clockwise from the top, power, the station.

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
    """Bits of ``LightEmAll.board`` on hexagons: wires clockwise from the upper right, power, the station.

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


def _shape(height: Any, width: Any) -> tuple[int, int]:
    sizes = []
    for name, value in (("height", height), ("width", width)):
        if isinstance(value, float | str | bytes) or not hasattr(value, "__index__"):
            raise TypeError(f"{name} of type {type(value).__name__}, wanted a whole number")
        sizes.append(value.__index__())
    return sizes[0], sizes[1]


_WORDS = {"N": "up", "E": "right", "S": "down", "W": "left"} | {
    "NE": "upper right",
    "SE": "lower right",
    "SW": "lower left",
    "NW": "upper left",
}


class LightEmAllControls(Controls):
    """LightEmAll in the hands of a player: tiles turn both ways, the station moves by keys and drags."""

    CLICK = "turn the tile clockwise"
    SECOND = "turn it back"
    THIRD = "lock or unlock it"
    DRAG = "move the station along the wires"

    @property
    def _locked(self) -> set[Cell]:
        locked: set[Cell] = self._puzzle.extra.setdefault("locked", set())
        return locked

    def _actions(self) -> dict[str, Action]:
        found = super()._actions()
        kind = type(self.game)
        for key, direction in (kind.HEXAGON_KEYS if self.game.hexagonal else kind.SQUARE_KEYS).items():
            found[key] = Action(f"move the station {_WORDS[direction]}", partial(self._move_station, direction))
        found["c"] = Action("turn the tile of the cursor back", partial(self._enter, True))
        found["l"] = Action("lock or unlock the tile of the cursor", self._lock_cursor)
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
        elif cell in self._locked:
            self.message = "This tile is locked. The middle button or L unlocks it."
        else:
            sides = 6 if self.game.hexagonal else 4
            self._play(*[(0, *cell)] * (sides - 1 if kind == 1 else 1))
            self.motion = Motion("back" if kind == 1 else "turn", (cell,), 360 / sides)

    def _dragged(self, path: list[tuple[float, float]]) -> None:
        cells = [(round(row), round(col)) for row, col in path]
        if cells[0] != self.game.station:
            return
        moved = False
        height, width = self.game.shape
        for cell in cells:
            inside = 0 <= cell[0] < height and 0 <= cell[1] < width
            if inside and cell != self.game.station and self.game.is_legal(1, *cell):
                self._play((1, *cell))
                moved = True
        if not moved and cells[-1] != cells[0]:
            self.message = "No wires lead there from the station."

    def handles(self) -> tuple[Cell, ...]:
        return (self.game.station,)

    def _refused(self, error: Any) -> str:
        return "No wires lead there from the station."

    def _words_of(self, move: Move) -> str:
        return "The station must move here." if move[0] else "This tile must turn."

    def _counted(self) -> int:
        return int(self.game.score)

    def _scores(self) -> list[Score]:
        game = self.game
        powered = game.powered
        found = [Score("tiles powered", int(powered.sum()), powered.size)]
        found += [Score("turns", game.turns), Score("station moves", game.station_moves)]
        return found if game.radius is None else [*found, Score("radius", game.radius)]

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
        found = [Entry("*", "power station", (self.game.station,))]
        if self.game.radius is not None:
            found.append(Entry("", f"power reaches {self.game.radius} tiles along the wires"))
        if self.game.wrap:
            found.append(Entry("", "wires leave the board at one edge and come back at the opposite one"))
        return found

    def describe(self, cell: Cell) -> str:
        game = self.game
        code = int(game.board[cell])
        names = Hexagon if game.hexagonal else Tile
        sides = [_WORDS[bit.name] for bit in names if bit.name in _WORDS and code & bit]
        words = f"wires {', '.join(sides)}" if sides else "no wires"
        words += "; powered" if code & Tile.POWERED else "; dark"
        words += "; the station" if code & Tile.STATION else ""
        words += "; locked" if cell in self._locked else ""
        return f"row {cell[0]}, column {cell[1]}: {words}"


class LightEmAll(GridGame, _core.LightEmAll):
    """A position of LightEmAll, with its history.

    ``LightEmAll(text)`` reads a first line ``HEIGHT WIDTH`` with any of ``hex``, ``wrap`` and ``radius=R``; rows of hex
    digits, the mask of wires of each tile (N=1 E=2 S=4 W=8; two digits on hexagons: NE=1 E=2 SE=4 SW=8 W=16 NW=32,
    odd rows shifted right by half a tile); and ``station ROW COL``. Raises ``LevelError`` with line and column.

    A move ``(0, row, col)`` turns a tile clockwise by a quarter (a hexagon by a sixth); ``(1, row, col)`` moves the
    station to that neighbouring tile, which wires at both ends must lead to. Won when every tile is powered:
    connected to the station and, with a limited radius, no further from it than ``radius``.

    Source: the LightEmAll assignment of a course on program design, all its extra credit included.

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

    CLICKS = "click a tile to turn it; keys move the station"
    SECOND = "station"

    SQUARE_KEYS: ClassVar[dict[str, str]] = {"up": "N", "right": "E", "down": "S", "left": "W"}
    """Directions of the station's keys on squares."""

    HEXAGON_KEYS: ClassVar[dict[str, str]] = {"w": "NW", "e": "NE", "d": "E", "x": "SE", "z": "SW", "a": "W"}
    """Directions of the station's keys on hexagons: around the letter s."""

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
        seed: int | None = None,
        progress: Any = None,
    ) -> Self:
        """Makes a new board: a random spanning tree as wires, every tile turned at random.

        ``method``: ``"kruskal"``, ``"wilson"``, ``"dfs"``, ``"prim"``, ``"fractal"`` as in
        ``gridwright.graph.random_spanning_tree``, the station at (0, 0); ``"rows"`` and ``"columns"`` are the
        hand-made boards of the source document, the station in the middle. ``bias`` between -1 and 1 prefers
        horizontal wires above 0, the others below. ``limited_radius``: power ends after half the diameter of the
        wiring, rounded down, plus one. ``unique``: the tiles fit together in one way only; ambiguous places of the
        tree are laid anew for it, so that the board is no longer quite as its method made it, and small ambiguous
        patterns never occur. ``scramble=False`` leaves the tiles as they fit.

        The same arguments give the same board everywhere. Raises ``ValueError`` for arguments out of range,
        ``SearchLimitError`` where no board of this size with one solution was found.

        >>> import gridwright as gw
        >>> game = gw.LightEmAll.generate(8, 8, seed=2026)
        >>> game.par, game.tree.shape
        (82, (63, 2))
        """
        flags = (hexagonal, wrap, limited_radius, unique, scramble)
        options = (method, _bias(bias), flags)
        core, solved, par, used = _core.lightemall_generate(_shape(height, width), *options, seed, progress)
        game: Self = cls(core)
        game._made = {"options": options, "solved": solved, "par": par, "seed": used}
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
        """Makes n boards at once: their codes, ``(n, height, width)`` uint8; board i is that of ``generate`` with
        ``seed + i``.

        ``progress`` is called with the tiles so far, or has an ``update`` like tqdm's.

        >>> import gridwright as gw
        >>> boards = gw.LightEmAll.generate_many(1000, 8, 8, seed=0)
        >>> bool((boards[7] == gw.LightEmAll.generate(8, 8, seed=7).board).all())
        True
        """
        flags = (hexagonal, wrap, limited_radius, unique, scramble)
        return _core.lightemall_generate_many(n, _shape(height, width), method, _bias(bias), flags, seed, progress)

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
        """Makes a position of an ``(height, width)`` array of masks of wires.

        With ``radius=R`` the radius is limited and R the initial one; with ``limited_radius=True`` the initial radius
        is taken from the wires, which must connect all tiles then. Raises ``ValueError`` for a mask that tiles do not
        have.

        >>> import gridwright as gw
        >>> gw.LightEmAll.from_wires([[2, 12], [2, 9]]).is_solved
        True
        """
        found = np.asarray(mask)
        if found.ndim != 2 or found.size == 0 or found.dtype.kind not in "iu":
            raise ValueError(
                f"wires of shape {found.shape} and dtype {found.dtype}, wanted (height, width) of integers"
            )
        most = 63 if hexagonal else 15
        if found.min() < 0 or found.max() > most:
            row, col = (int(i) for i in np.argwhere((found < 0) | (found > most))[0])
            raise ValueError(f"mask {found[row, col]} at ({row}, {col}), wanted 0 to {most}")
        wires = np.ascontiguousarray(found, dtype=np.uint8)
        return cls(_core.lightemall_from_wires(wires, station, hexagonal, wrap, limited_radius, radius))

    @property
    def par(self) -> int | None:
        """Fewest turns from the start to the wiring that the board was made from.

        The notation does not tell that wiring. Where a board was read from a text or made of wires, par is to the
        wiring that ``solve`` finds from the start, the same one where there is only one; ``None`` where there is none.
        Copies and pickles keep what the board was made from.
        """
        if self._made is not None:
            return int(self._made["par"])
        start = self.copy()
        start.reset()
        turns = start.solve()
        return None if turns is None else int(turns.sum())

    @property
    def tree(self) -> npt.NDArray[np.int32] | None:
        """Edges of the wiring that the board was made from: pairs of cell indices, ``(n - 1, 2)`` int32.

        They come in the order in which the method took them, Kruskal's lightest first. Where ambiguous places were laid
        anew (``unique``) and on hand-made boards, in the order in which Kruskal would take them. ``None`` where the
        board was not generated.
        """
        if self._made is None:
            return None
        method, bias, flags = self._made["options"]
        return _core.lightemall_tree(self._made["solved"], method, bias, flags, self._made["seed"])

    @property
    def solved_wires(self) -> npt.NDArray[np.uint8] | None:
        """Masks of the wiring that the board was made from, ``(height, width)`` uint8; ``None`` if not generated."""
        return None if self._made is None else self._made["solved"].copy()

    @property
    def origin(self) -> dict[str, Any]:
        """How the board was generated: ``method``, ``bias`` and ``unique`` of ``generate``; empty if it was not.

        >>> import gridwright as gw
        >>> gw.LightEmAll.generate(3, 3, seed=1).origin
        {'method': 'kruskal', 'bias': 0.0, 'unique': False}
        """
        if self._made is None:
            return {}
        method, bias, (*_, unique, _) = self._made["options"]
        return {"method": method, "bias": bias, "unique": unique}

    def hint(self, **options: Any) -> tuple[int, int, int] | None:
        """Gives the next move of a solution, ``(kind, row, col)``; ``None`` where the game is won or cannot be won.

        ``options`` are ``limit`` and ``progress`` of ``solution``.

        >>> import gridwright as gw
        >>> gw.LightEmAll("1 2\\n22\\nstation 0 0").hint()
        (0, 0, 1)
        """
        moves = self.solution(**options)
        if moves is None or not len(moves):
            return None
        kind, row, col = moves[0].tolist()
        return kind, row, col

    def spread(self) -> Columns:
        """Tells how power spreads from the station, breadth-first: a row for each connected tile in the order reached.

        Columns, int32: ``tile`` (row-major index), ``parent`` (where it comes from, -1 for the station) and ``depth``.

        >>> import gridwright as gw
        >>> gw.LightEmAll("1 3\\n2a8\\nstation 0 1").spread()["tile"]
        array([1, 2, 0], dtype=int32)
        """
        return Columns(zip(("tile", "parent", "depth"), self.spread_columns(), strict=True))

    def move_key(self, key: str) -> None:
        """Moves the station by a key: an arrow (``"up" "right" "down" "left"``), on hexagons one of ``w e d x z a``.

        Raises ``MoveError`` for another key, ``IllegalMoveError`` where no wires lead there.
        """
        keys = self.HEXAGON_KEYS if self.hexagonal else self.SQUARE_KEYS
        self.move_station(keys.get(key, key))

    def _key(self, key: str, *, probe: bool = False) -> tuple[int, int, int] | None:
        keys = self.HEXAGON_KEYS if self.hexagonal else self.SQUARE_KEYS
        there = self.beside(keys[key]) if key in keys else None
        return None if there is None else (1, *there)

    def _scores(self) -> list[tuple[str, str]]:
        found = [("turns", str(self.turns)), ("station moves", str(self.station_moves))]
        return found if self._made is None else [*found, ("par", str(self.par))]

    def _new(self: Self, seed: int) -> Self:
        method, bias, (hexagonal, wrap, limited, unique, _) = (
            self._made["options"]
            if self._made is not None
            else ("kruskal", 0.0, (self.hexagonal, self.wrap, self.initial_radius is not None, False, True))
        )
        options: dict[str, Any] = {"method": method, "bias": bias, "hexagonal": hexagonal, "wrap": wrap}
        return self.generate(*self.shape, limited_radius=limited, unique=unique, seed=seed, **options)
