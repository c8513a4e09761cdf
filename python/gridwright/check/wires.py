"""Checks of LightEmAll's tiles: power and rotation."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..words import counted
from .guard import UnreadableAnswer
from .judge import AllCases, Check, Mistake, Source, Wrong
from .panels import WIRES, Board, Panel
from .read import Cell, attribute, matrix_of, missing, shown, truth_of, whole

__all__ = ["Piece", "Power", "Rotate", "differing", "pieces", "random_rows"]

_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
_WIRES = ("top", "right", "bottom", "left")


def random_rows(st: Any, cells: Any, height: int, width: int) -> Any:
    """Returns a strategy for rows of cells.

    The cells are drawn one by one if they are few, otherwise from a seed, which is faster.

    * ``st``: the module ``hypothesis.strategies``.
    * ``cells``: the values from which each cell is drawn.
    * ``height``: the number of rows.
    * ``width``: the number of columns.
    """
    if height * width > 60:
        size = (height, width)

        def made(seed: int) -> Any:
            return np.array(cells)[np.random.default_rng(seed).integers(len(cells), size=size)].tolist()

        return st.integers(0, 2**32).map(made)
    cell = st.sampled_from(cells)
    row = st.lists(cell, min_size=width, max_size=width)
    return st.lists(row, min_size=height, max_size=height)


def differing(expected: Any, got: Any) -> list[tuple[int, int]]:
    """Returns the cells in which two boards differ.

    * ``expected``: the correct board, a list of rows.
    * ``got``: the other board, of the same shape; ``ValueError`` otherwise.

    >>> differing([[1, 2]], [[1, 3]])
    [(0, 1)]
    """
    if [len(row) for row in expected] != [len(row) for row in got]:
        raise ValueError("expected and got must have the same shape")
    both = enumerate(zip(expected, got, strict=True))
    return [(r, c) for r, rows in both for c, (a, b) in enumerate(zip(*rows, strict=True)) if a != b]


class Piece(int):
    """A tile for code in any style: its mask as a number, with the four wires of the source document as attributes.

    * ``mask``: the wires of the tile, bits N=1 E=2 S=4 W=8.
    * ``row``: the row of the tile, 0 by default.
    * ``col``: the column of the tile, 0 by default.
    """

    top: bool
    right: bool
    bottom: bool
    left: bool

    def __new__(cls, mask: int, row: int = 0, col: int = 0) -> Piece:
        piece = super().__new__(cls, mask)
        for side, name in enumerate(_WIRES):
            setattr(piece, name, bool(mask >> side & 1))
        piece.row, piece.col, piece.powerStation, piece.powered = row, col, False, False
        return piece

    row: int
    col: int
    powerStation: bool
    powered: bool

    def after(self, answer: Any, turns: int = 1) -> Piece:
        """Returns the tile that code made from this one.

        If the answer is ``None``, the result has the wires that the attributes of this tile have now.

        * ``answer``: what the code returned for this tile: a number, a tile, or ``None``.
        * ``turns``: how many times the code turned the tile; 1 by default.

        Raises ``UnreadableAnswer`` if the answer is not a tile, or if it is ``None`` and one turn changed nothing,
        unless the tile has no wires or all four.

        >>> int(Piece(2).after(4)), int(Piece(2).after(Piece(2)))
        (4, 2)
        """
        if answer is None or isinstance(answer, Piece):
            found = _mask(self if answer is None else answer)
            if answer is None and found == self and found not in (0, 15) and turns == 1:
                raise UnreadableAnswer("returned None and turned nothing" + missing(None))
            return Piece(found)
        if all(hasattr(answer, name) for name in _WIRES):
            return Piece(_mask(answer))
        mask = whole(answer, "the answer")
        if not 0 <= mask < 16:
            raise UnreadableAnswer(f"returned {shown(answer)}, expected the bits of four wires, 0 to 15")
        return Piece(mask)


def pieces(rows: Sequence[Sequence[int]], station: Sequence[int]) -> list[list[Piece]]:
    """Returns the board of the source document: a list of columns of tiles, one of which has the power station.

    * ``rows``: the wires of the tiles, a list of rows.
    * ``station``: the cell ``(row, col)`` of the power station.

    >>> board = pieces([[2, 8]], (0, 1))
    >>> len(board), board[1][0].left, board[1][0].powerStation
    (2, True, True)
    """
    board = [[Piece(mask, r, c) for r, mask in enumerate(column)] for c, column in enumerate(zip(*rows, strict=True))]
    board[station[1]][station[0]].powerStation = True
    return board


def _mask(tile: Any) -> int:
    """Returns the mask of a tile, read from its attributes ``top``, ``right``, ``bottom`` and ``left``."""
    return sum(truth_of(attribute(tile, name), name) << side for side, name in enumerate(_WIRES))


class _Powered(tuple[tuple[int, ...], ...]):
    """Which tiles have power, and the distance of each tile from the station."""

    distance: list[list[int]]

    def __new__(cls, powered: Any, distance: Any) -> _Powered:
        made = super().__new__(cls, powered)
        made.distance = distance
        return made


def _spread(
    case: Any,
    limited: bool,
    *,
    mine: bool = True,
    theirs: bool = True,
    wraps: bool = False,
    once: bool = False,
    station: bool = True,
    order: tuple[int, ...] = (0, 1, 2, 3),
    turned: bool = False,
    less: int = 0,
    sides: tuple[int, ...] = (0, 1, 2, 3),
) -> Any:
    """Returns the tiles that have power, as computed by code with one mistake; without a mistake, by the rules.

    ``limited`` is whether the radius counts. Each other option makes the mistake whose hint is beside it in
    ``Power.mistakes``.
    """
    rows, (row, col), radius = case
    height, width = len(rows), len(rows[0])
    start = (col, row) if turned else (row, col)
    if not (start[0] < height and start[1] < width):
        raise IndexError
    depth, work = {start: 0}, [start]
    for r, c in work:
        for side in sides:
            y, x = r + _STEPS[side][0], c + _STEPS[side][1]
            if wraps:
                y, x = y % height, x % width
            if not (0 <= y < height and 0 <= x < width) or (y, x) in depth:
                continue
            out = rows[r][c] >> order[side] & 1 or not mine
            into = rows[y][x] >> order[(side + 2) % 4] & 1 or not theirs
            if out and into and not (once and depth[r, c]):
                depth[y, x] = depth[r, c] + 1
                work.append((y, x))
    most = radius - less if limited else 1 << 30
    if not station:
        depth.pop(start)
    return tuple(tuple(int((r, c) in depth and depth[r, c] <= most) for c in range(width)) for r in range(height))


class Power(Check):
    """Checks which tiles have power.

    * ``pieces``: whether the board is made of objects with four wires, as in the source document, instead of numbers.
      ``False`` by default.
    """

    NAME = "power"

    def __init__(self, pieces: bool = False) -> None:
        self._pieces = pieces
        self._game = importlib.import_module("gridwright.lightemall").LightEmAll

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "one tile", [([[0]], (0, 0), 9), ([[15]], (0, 0), 9)]
        rows = [([list(masks)], (0, at), 9) for masks in itertools.product((0, 2, 8, 10), repeat=3) for at in (0, 1, 2)]
        yield "all rows of three tiles with wires to the left and right", AllCases(rows)
        pairs = [([[a, b]], (0, at), 9) for a in (0, 2, 8, 10) for b in (0, 2, 8, 10) for at in (0, 1)]
        yield "both wires must touch", pairs + [([[a], [b]], (0, 0), 9) for a in (0, 4) for b in (0, 1, 4)]
        yield "around corners", [([[6, 12], [3, 9]], (r, c), 9) for r in (0, 1) for c in (0, 1)]
        yield "the rim", [([[10, 10, 10]], (0, 0), 9), ([[5], [5]], (1, 0), 9), ([[15, 15], [15, 15]], (1, 1), 9)]
        yield "the radius", [([[2, *[10] * 5, 8]], (0, at), far) for at in (0, 3) for far in range(1, 6)]
        yield "boards", (self._boards(st, 1, 4), 60)
        yield "large boards", (self._boards(st, 12, 20), 8)

    @staticmethod
    def _boards(st: Any, least: int, most: int) -> Any:
        side = st.integers(least, most)
        mask = range(16) if least < 2 else [15, 15, 15, 7, 11, 13, 14, 5, 10]

        def case(hw: Any) -> Any:

            place = st.tuples(st.integers(0, hw[0] - 1), st.integers(0, hw[1] - 1))
            return st.tuples(random_rows(st, mask, *hw), place, st.integers(1, 6))

        return st.tuples(side, side).flatmap(case)

    def invoke(self, submission: Any, arguments: Any) -> Any:
        rows, station, radius = arguments
        if self._pieces:
            return self._by_pieces(submission, rows, station, radius)
        wires = np.array(rows, dtype=np.uint8)
        place = Cell(*station)
        answer = submission(wires, place, radius) if self._limited else submission(wires, place)
        return [[int(value != 0) for value in row] for row in matrix_of(answer, wires.shape, "bools")]

    def _by_pieces(self, submission: Any, rows: Any, station: Any, radius: int) -> Any:
        """Calls code with the source document's board, columns of pieces with four wires, and reads their power."""
        height, width = len(rows), len(rows[0])
        board = pieces(rows, station)
        answer = submission(board, *station, radius) if self._limited else submission(board, *station)
        board = board if answer is None else answer
        return [[int(truth_of(board[c][r].powered, "powered")) for c in range(width)] for r in range(height)]

    @property
    def _limited(self) -> bool:
        """Whether the function takes a radius."""
        return self.form is not None and self.form >= (4 if self._pieces else 3)

    def expect(self, case: Any) -> Any:
        rows, station, radius = case
        game = self._game.from_wires(np.array(rows, dtype=np.uint8), station=station)
        distance = [[int(far) for far in row] for row in np.asarray(game.distance)]
        most = radius if self._limited else 1 << 30
        powered = tuple(tuple(int(0 <= far <= most) for far in row) for row in distance)
        return _Powered(powered, distance)

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        wrong = differing(expected, got)
        if wrong:
            (r, c), distance = wrong[0], expected.distance
            if distance[r][c] < 0:
                far = "not connected to the station"
            elif distance[r][c] == 0:
                far = "the tile of the station"
            else:
                far = f"{counted(distance[r][c], 'tile')} from the station"
            word = "powered" if got[r][c] else "without power"
            raise Wrong(f"the tile at ({r}, {c}) came out {word}; it is {far}", wrong)

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        def station(case: Any, _: Any) -> Any:
            return tuple(tuple(int((r, c) == tuple(case[1])) for c in range(len(row))) for r, row in enumerate(case[0]))

        def wired(case: Any, _: Any) -> Any:
            return tuple(tuple(int(mask > 0) for mask in row) for row in case[0])

        return [*(lambda case, _, on=on: tuple((on,) * len(row) for row in case[0]) for on in (0, 1)), station, wired]

    def mistakes(self) -> Sequence[Mistake]:
        def known(**changes: Any) -> Callable[[Any, Any], Any]:
            return lambda case, _: _spread(case, self._limited, **changes)

        return [
            (
                "one wire is treated as enough: both tiles need one at the shared side (the neighbor's is ignored)",
                known(theirs=False),
            ),
            (
                "one wire is treated as enough: both tiles need one at the shared side (the tile's own is ignored)",
                known(mine=False),
            ),
            ("the wires are ignored: every neighbor is treated as connected", known(mine=False, theirs=False)),
            ("the board wraps around at the rim: an index below 0 counts from the end", known(wraps=True)),
            ("only the neighbors of the station have power: power spreads farther from them", known(once=True)),
            ("the station's own tile is left without power: it has power too", known(station=False)),
            ("north and south are swapped: bit 1 is north, 4 is south", known(order=(2, 1, 0, 3))),
            ("east and west are swapped: bit 2 is east, 8 is west", known(order=(0, 3, 2, 1))),
            ("the station is at (row, col): row and column are swapped", known(turned=True)),
            ("off by one: a tile exactly as far away as the radius must have power", known(less=1)),
            ("off by one: a tile farther away than the radius must have none", known(less=-1)),
            ("the radius is ignored", known(less=-(1 << 20))),
            ("connected tiles above and below are forgotten", known(sides=(1, 3))),
            ("connected tiles to the left and right are forgotten", known(sides=(0, 2))),
            ("only tiles to the right and below are found: wires lead both ways", known(sides=(1, 2))),
        ]

    def size(self, case: Any) -> Any:
        rows, _, _ = case
        return len(rows) * len(rows[0]), sum(mask.bit_count() for row in rows for mask in row), str(case)

    def spell(self, name: str, case: Any) -> str:
        rows, station, radius = case
        more = f", {radius}" if self._limited else ""
        if self._pieces:
            setup = f"board = check.wires.pieces({rows}, {tuple(station)})"
            return f"{setup}; {name}(board, {station[0]}, {station[1]}{more}); board"
        return f"{name}(np.array({rows}, dtype=np.uint8), {tuple(station)}{more})"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        rows, (row, col), _ = case
        panels: list[Panel] = []
        for title, powered in (("expected", expected), ("got", got)):
            if powered is None:
                continue
            symbols = [[WIRES[mask] for mask in line] for line in rows]
            symbols[row][col] = "*"
            colors = [["yellow" if on else "tile" for on in line] for line in powered]
            marks = frozenset(where or ()) if title == "got" else frozenset()
            both = zip(symbols, powered, strict=True)
            lit = [[symbol + "!" * bool(on) for symbol, on in zip(*pair, strict=True)] for pair in both]
            first = where[0] if where and title == "got" else None
            panels.append(WireBoard(title + " (! has power, * station)", lit, colors, rows, "ink", marks, first))
        return tuple(panels)


class WireBoard(Board):
    """A board whose symbols appear only in the text; the picture has wires, and a star for the station."""

    def size(self) -> tuple[float, float]:
        return self._drawn().size()

    def draw(self, out: Any, x: float, y: float) -> None:
        self._drawn().draw(out, x, y)

    def _drawn(self) -> Board:
        """Returns the board that the picture shows; its title does not explain the symbols of the text."""
        symbols = [["★" if symbol.startswith("*") else " " for symbol in row] for row in self.cells]
        title = self.title.partition(" (")[0]
        return Board(title, symbols, self.colors, self.wires, self.wire_color, self.marked, self.first)


class Rotate(Check):
    """Checks clockwise quarter turns."""

    NAME = "rotate"

    def __init__(self) -> None:
        self._is_class = False

    def runner(self, submission: Any) -> Any:
        self._is_class = isinstance(submission, type)
        return super().runner(submission)

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "one wire", [(1 << side, 1) for side in range(4)]
        yield "two wires", [(mask, 1) for mask in range(16) if mask.bit_count() == 2]
        yield "three wires", [(mask, 1) for mask in range(16) if mask.bit_count() == 3]
        yield "none or all", [(0, 1), (15, 1)]
        yield "several turns", [(mask, turns) for mask in range(16) for turns in (0, 2, 3, 4, 5)]

    def invoke(self, submission: Any, arguments: Any) -> Any:
        mask, turns = arguments
        if isinstance(submission, type):
            piece = submission(**{name: bool(mask >> side & 1) for side, name in enumerate(_WIRES)})
            for _ in range(turns):
                piece = piece.rotate() or piece
            return _mask(piece)
        piece = Piece(mask)
        if self.form == 2:
            return int(piece.after(submission(piece, turns), turns))
        for _ in range(turns):
            piece = piece.after(submission(piece))
        return int(piece)

    def expect(self, case: Any) -> Any:
        mask, turns = case
        # A quarter turn clockwise moves each bit up by one (N to E, E to S, S to W), and the highest to the lowest.
        for _ in range(turns):
            mask = (mask << 1 | mask >> 3) & 15
        return mask

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        if got != expected:
            before, turned, right = map(self._wire_names, (case[0], got, expected))
            raise Wrong(f"wires before: {before}; after {counted(case[1], 'turn')}: {turned}, expected {right}")

    @staticmethod
    def _wire_names(mask: int) -> str:
        return " and ".join(name for side, name in enumerate(_WIRES) if mask >> side & 1) or "none"

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        return [lambda case, _: case[0], lambda *_: 0, lambda *_: 15]

    def mistakes(self) -> Sequence[Mistake]:
        def model(turn: Callable[[int], int]) -> Callable[[Any, Any], int]:
            def answer(case: Any, _: Any) -> int:
                mask = int(case[0])
                for _turn in range(case[1]):
                    mask = turn(mask)
                return mask

            return answer

        def mirrored(mask: int) -> int:
            return (mask & 5) | (mask & 2) << 2 | (mask & 8) >> 2

        def overwritten(mask: int) -> int:
            """Returns the mask after ``top = left; right = top; ...``, which reads what it has just written."""
            left = mask >> 3 & 1
            return 15 * left

        return [
            (
                "the tile turns counterclockwise: the wire at the top has to move to the right",
                model(lambda m: (m >> 1 | m << 3) & 15),
            ),
            ("a half turn is made, not a quarter", model(lambda m: (m >> 2 | m << 2) & 15)),
            ("the tile is mirrored, not turned", model(mirrored)),
            ("the last wire is lost: what leaves at one end comes in at the other", model(lambda m: m << 1 & 15)),
            ("a wire is overwritten before it is read: keep the four in variables first", model(overwritten)),
            ("the number of turns is ignored: one turn is made", lambda case, _: (case[0] << 1 | case[0] >> 3) & 15),
            ("nothing is turned", lambda case, _: case[0]),
        ]

    def size(self, case: Any) -> Any:
        mask, turns = case
        return turns, mask.bit_count(), mask

    def spell(self, name: str, case: Any) -> str:
        mask, turns = case
        if self._is_class:
            wires = ", ".join(f"{wire}={bool(mask >> side & 1)}" for side, wire in enumerate(_WIRES))
            return f"tile = {name}({wires}){'; tile = tile.rotate() or tile' * turns}"
        # A plain number lacks the attributes that the code may read or change.
        tile = f"tile = check.wires.Piece({mask})"
        if self.form == 2:
            return f"{tile}; tile.after({name}(tile, {turns}), {turns})"
        return f"{tile}{f'; tile = tile.after({name}(tile))' * turns}; tile"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        panels: list[Panel] = []
        for title, mask in (("given", case[0]), ("expected", expected), ("got", got)):
            if mask is not None:
                panels.append(Board(title, [[WIRES[mask]]], wires=[[mask]]))
        return tuple(panels)
