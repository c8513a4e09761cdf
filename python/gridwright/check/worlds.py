"""Checks of the parts of games: the rolling block, the light, the power, the plays of a line game."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import bloxorz as _bloxorz
from .guard import Odd, parameters
from .judge import Check, Source, Wrong
from .panels import WIRES, Board, Colored, Panel
from .read import cells_of, matrix_of, truth_of

__all__ = ["Beams", "Block", "IsPlayValid", "Power"]

_ROLLS = {"l": "left", "u": "up", "r": "right", "d": "down"}


def _rows(st: Any, cells: Any, height: int, width: int) -> Any:
    """Rows of cells: drawn one by one where they are few, from a seed where that would take long."""
    if height * width > 60:
        size = (height, width)

        def made(seed: int) -> Any:
            return np.array(cells)[np.random.default_rng(seed).integers(len(cells), size=size)].tolist()

        return st.integers(0, 2**32).map(made)
    cell = st.sampled_from(cells)
    row = st.lists(cell, min_size=width, max_size=width)
    return st.lists(row, min_size=height, max_size=height)


class Block(Check):
    """``Block(row, col)`` that rolls."""

    NAME = "block"

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "where it starts", [((0, 0), ""), ((1, 1), ""), ((3, 4), "")]
        yield "one roll", [((2, 2), key) for key in "lurd"]
        yield "two rolls", [((3, 3), one + two) for one in "lurd" for two in "lurd"]
        place = st.tuples(st.integers(0, 9), st.integers(0, 9))
        yield "many rolls", (st.tuples(place, st.text("lurd", min_size=3, max_size=30)), 60)

    def put(self, person: Any, case: Any) -> Any:
        (row, col), keys = case
        block = person(row, col)
        seen = [self._look(block)]
        for key in keys:
            block_after = getattr(block, _ROLLS[key])()
            if block_after is not None:  # a block that cannot be changed gives a new one
                block = block_after
            seen.append(self._look(block))
        return seen

    @staticmethod
    def _look(block: Any) -> tuple[frozenset[tuple[int, int]], bool]:
        found = getattr(block, "positions", None)
        cells = cells_of(found() if callable(found) else found, "positions()")
        if len(set(cells)) != len(cells):
            raise Odd(f"positions() gave {cells}, expected each cell once")
        name = next((name for name in ("is_standing", "isStanding") if hasattr(block, name)), "is_standing")
        standing = getattr(block, name)
        return frozenset(cells), truth_of(standing() if callable(standing) else standing, f"{name}()")

    def expect(self, case: Any) -> Any:
        (row, col), keys = case
        block = _bloxorz.Block(row, col)
        seen = [(frozenset(block.positions()), block.is_standing())]
        for key in keys:
            getattr(block, _ROLLS[key])()
            seen.append((frozenset(block.positions()), block.is_standing()))
        return seen

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        for at, ((cells, standing), (cells2, standing2)) in enumerate(zip(expected, got, strict=True)):
            after = f"after {case[1][:at]!r}" if at else "at the start"
            if cells != cells2:
                raise Wrong(f"{after} positions() gave {sorted(cells2)}, expected {sorted(cells)} in any order", at)
            if standing != standing2:
                raise Wrong(f"{after} is_standing() gave {standing2}, expected {standing}", at)

    def size(self, case: Any) -> Any:
        (row, col), keys = case
        return len(keys), row + col, row, col, keys

    def spell(self, name: str, case: Any) -> str:
        (row, col), keys = case
        rolls = "; ".join(f"block.{_ROLLS[key]}()" for key in keys)
        return f"block = {name}({row}, {col})" + (f"; {rolls}" if rolls else "") + "; block.positions()"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        at = len(expected) - 1 if where is None else where
        shown = [("before", expected[at - 1][0])] if at else []
        shown.append(("expected", expected[at][0]))
        if got is not None:
            shown.append(("got", got[at][0]))
        every = [cell for _, cells in shown for cell in cells]
        top, left = min(r for r, _ in every) - 1, min(c for _, c in every) - 1
        high, wide = max(r for r, _ in every) + 2 - top, max(c for _, c in every) + 2 - left
        if high > 24 or wide > 24:  # a cell far away: only the words say where
            high, wide = min(high, 24), min(wide, 24)
        panels = []
        for title, cells in shown:
            here = {(r - top, c - left) for r, c in cells}
            signs = [["#" if (r, c) in here else "." for c in range(wide)] for r in range(high)]
            colors = [["sky" if (r, c) in here else "tile_soft" for c in range(wide)] for r in range(high)]
            wrong = (
                frozenset((r - top, c - left) for r, c in cells ^ expected[at][0]) if title == "got" else frozenset()
            )
            wrong = frozenset(cell for cell in wrong if cell[0] < high and cell[1] < wide)
            corner = f"{title} (top left is {top}, {left})" if title == "before" or not at else title
            panels.append(Colored(corner, signs, colors, marked=wrong, first=min(wrong, default=None)))
        return tuple(panels)


def _differing(expected: Any, got: Any) -> list[tuple[int, int]]:
    return [(int(r), int(c)) for r, c in np.argwhere(np.asarray(expected) != np.asarray(got))]


def _sides(bits: int) -> str:
    return "".join(name for bit, name in zip((1, 2, 4, 8), "NESW", strict=True) if bits & bit) or "none"


class Beams(Check):
    """Which sides of each tile light crosses."""

    NAME = "beams"
    _PIECES = (".", ".", ".", "W", "M/", "M\\", "B/", "B\\", "T^", "T>", "Tv", "T<", "S^", "S>", "Sv", "S<")
    _LASERS = ("L^", "L>", "Lv", "L<")

    def __init__(self) -> None:
        self._game = importlib.import_module("gridwright.photon").MyPhoton

    @staticmethod
    def _text(rows: Any) -> str:
        lines = ["".join(f"{tile:<2}" for tile in row).rstrip() for row in rows]
        return "\n".join([f"{len(rows[0])} {len(rows)}", *lines])

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "no light", [[["."]], [["W", "."]], [["M/", "S>"], [".", "B\\"]]]
        yield "straight on", [[["L>", "."]], [["L>", ".", "."]], [[".", "L<"]], [["Lv"], ["."]], [["."], ["L^"]]]
        yield "out of the board", [[["L<"]], [["L^"]], [["L>", "."], ["L<", "."]]]
        for name, pieces in (
            ("walls and lasers block", ("W", "L^", "L<", "L>")),
            ("mirrors", ("M/", "M\\")),
            ("splitters", ("B/", "B\\")),
            ("T-mirrors", ("T^", "T>", "Tv", "T<")),
            ("sensors", ("S^", "S>", "Sv", "S<")),
        ):
            ring = [("L>", 1, 0), ("L<", 1, 2), ("Lv", 0, 1), ("L^", 2, 1)]
            yield name, [self._cross(piece, *laser) for piece in pieces for laser in ring]
        circle = [["L>", "B/", "M\\"], [".", "M\\", "M/"]]
        turned = [["Lv", "."], ["B/", "M\\"], ["M\\", "M/"]]
        yield "light in a cycle", [circle, turned]
        yield "worlds", (self._worlds(st, 1, 5), 60)
        yield "large worlds", (self._worlds(st, 10, 15), 8)

    @staticmethod
    def _cross(piece: str, laser: str, row: int, col: int) -> list[list[str]]:
        rows = [["."] * 3 for _ in range(3)]
        rows[1][1], rows[row][col] = piece, laser
        return rows

    def _worlds(self, st: Any, least: int, most: int) -> Any:
        tile = self._PIECES if least < 2 else (*(["."] * 30), *self._PIECES)
        return (
            st.tuples(st.integers(least, most), st.integers(least, most))
            .flatmap(lambda hw: _rows(st, tile, *hw))
            .flatmap(
                lambda rows: st.lists(
                    st.tuples(
                        st.integers(0, len(rows) - 1), st.integers(0, len(rows[0]) - 1), st.sampled_from(self._LASERS)
                    ),
                    min_size=1,
                    max_size=3,
                ).map(lambda lasers: self._with(rows, lasers))
            )
        )

    @staticmethod
    def _with(rows: Any, lasers: Any) -> Any:
        rows = [list(row) for row in rows]
        for row, col, laser in lasers:
            rows[row][col] = laser
        return rows

    def _board(self, case: Any) -> Any:
        # Bit 32, a sensor that is lit, would tell the answer.
        return self._game(self._text(case)).board & 31

    def put(self, person: Any, case: Any) -> Any:
        board = self._board(case)
        return matrix_of(person(board), board.shape, "sides of light")

    def expect(self, case: Any) -> Any:
        return np.asarray(self._game(self._text(case)).beams)

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        wrong = _differing(expected, got)
        if wrong:
            r, c = wrong[0]
            tile, want, have = case[r][c], int(expected[r][c]), int(got[r][c])
            sentence = f"at ({r}, {c}), tile {tile!r}: got {have} ({_sides(have)}), expected {want} ({_sides(want)})"
            raise Wrong(sentence, wrong)

    def size(self, case: Any) -> Any:
        full = sum(tile != "." for row in case for tile in row)
        return len(case) * len(case[0]) + 3 * full, full, str(case)

    def spell(self, name: str, case: Any) -> str:
        return f"{name}(gw.MyPhoton({self._text(case)!r}).board & 31)"

    def plain(self, case: Any) -> Any:
        return self._text(case)

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        given = Board("given", [[tile if tile != "." else "·" for tile in row] for row in case])
        shown: list[Panel] = [given]
        for title, beams in (("expected", expected), ("got", got)):
            if beams is None:
                continue
            signs = [[WIRES[int(bits) & 15] for bits in row] for row in beams]
            colors = [["night"] * len(row) for row in beams]
            marks = frozenset(where or ()) if title == "got" else frozenset()
            first = where[0] if where and title == "got" else None
            shown.append(Colored(title, signs, colors, beams, "glow", marks, first))
        return tuple(shown)


class Power(Check):
    """Which tiles have power."""

    NAME = "power"

    def __init__(self) -> None:
        self._game = importlib.import_module("gridwright.lightemall").LightEmAll

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "one tile", [([[0]], (0, 0), 9), ([[15]], (0, 0), 9)]
        pairs = [([[a, b]], (0, at), 9) for a in (0, 2, 8, 10) for b in (0, 2, 8, 10) for at in (0, 1)]
        yield "both wires must touch", pairs + [([[a], [b]], (0, 0), 9) for a in (0, 4) for b in (0, 1, 4)]
        yield "around corners", [([[6, 12], [3, 9]], (r, c), 9) for r in (0, 1) for c in (0, 1)]
        yield "the rim", [([[10, 10, 10]], (0, 0), 9), ([[5], [5]], (1, 0), 9), ([[15, 15], [15, 15]], (1, 1), 9)]
        yield "boards", (self._boards(st, 1, 4), 60)
        yield "large boards", (self._boards(st, 12, 20), 8)

    @staticmethod
    def _boards(st: Any, least: int, most: int) -> Any:
        side = st.integers(least, most)
        mask = range(16) if least < 2 else [15, 15, 15, 7, 11, 13, 14, 5, 10]

        def case(hw: Any) -> Any:

            place = st.tuples(st.integers(0, hw[0] - 1), st.integers(0, hw[1] - 1))
            return st.tuples(_rows(st, mask, *hw), place, st.integers(1, 6))

        return st.tuples(side, side).flatmap(case)

    def put(self, person: Any, case: Any) -> Any:
        rows, station, radius = case
        wires = np.array(rows, dtype=np.uint8)
        self._radius = parameters(person, 2) >= 3
        answer = person(wires, station, radius) if self._radius else person(wires, station)
        return matrix_of(answer, wires.shape, "bools") != 0

    _radius = False

    def expect(self, case: Any) -> Any:
        rows, station, radius = case
        game = self._game.from_wires(np.array(rows, dtype=np.uint8), station=station)
        distance = np.asarray(game.distance)
        return distance, (distance >= 0) & (distance <= radius), distance >= 0

    def _want(self, expected: Any) -> Any:
        return expected[1] if self._radius else expected[2]

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        wrong = _differing(self._want(expected), got)
        if wrong:
            (r, c), distance = wrong[0], expected[0]
            far = f"{distance[r][c]} tiles from the station" if distance[r][c] >= 0 else "not connected to the station"
            word = "powered" if got[r][c] else "without power"
            raise Wrong(f"({r}, {c}) came out {word}, and it is {far}", wrong)

    def size(self, case: Any) -> Any:
        rows, _, _ = case
        return len(rows) * len(rows[0]), sum(mask.bit_count() for row in rows for mask in row), str(case)

    def spell(self, name: str, case: Any) -> str:
        rows, station, radius = case
        return f"{name}(np.array({rows}, dtype=np.uint8), {station}" + (f", {radius})" if self._radius else ")")

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        rows, (row, col), _ = case
        shown = []
        for title, powered in (("expected", self._want(expected)), ("got", got)):
            if powered is None:
                continue
            signs = [[WIRES[mask] for mask in line] for line in rows]
            signs[row][col] = "*"
            colors = [["yellow" if on else "tile" for on in line] for line in powered]
            marks = frozenset(where or ()) if title == "got" else frozenset()
            both = zip(signs, powered, strict=True)
            lit = [[sign + "!" * bool(on) for sign, on in zip(*pair, strict=True)] for pair in both]
            first = where[0] if where and title == "got" else None
            shown.append(_Powered(title + " (! has power, * station)", lit, colors, rows, "ink", marks, first))
        return tuple(shown)


class _Powered(Board):
    """A board whose signs are for the text; the picture has wires, and a star for the station."""

    def draw(self, out: Any, x: float, y: float) -> None:
        signs = [["★" if sign.startswith("*") else " " for sign in row] for row in self.cells]
        title = self.title.partition(" (")[0]
        Board(title, signs, self.colors, self.wires, self.wire_color, self.marked, self.first).draw(out, x, y)


class IsPlayValid(Check):
    """Whether the rules allow a play, given those before it."""

    NAME = "is_play_valid"

    def __init__(self, rules: str) -> None:
        self._module = importlib.import_module("gridwright.domination")
        self._rules = rules

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        line = (1, 1, 1, 3)
        yield "the first play", [(4, 2, [(0, 0, 3, 1)]), (4, 0, [(1, 2, 3, 3)])]
        yield "on the board", [(2, 2, [play]) for play in ((0, 0, 0, 2), (-1, 0, 1, 1), (2, 0, 1, 1), (0, 0, 1, -1))]
        yield "the same midpoint", [(5, 1, [line, (0, 1, 2, 3)]), (5, 1, [line, (0, 1, 2, 4)])]
        yield (
            "perpendicular",
            [(5, 1, [line, (0, 4, 2, 4)]), (5, 1, [line, (2, 4, 3, 3)]), (5, 2, [line, line, (2, 0, 4, 0)])],
        )
        yield "no look back", [(5, 0, [line, (0, 4, 2, 4)]), (5, 0, [line, (0, 1, 2, 3)])]
        away = (3, 0, 4, 2)
        yield "only the last plays", [(5, 1, [line, away, (0, 1, 2, 3)]), (5, 2, [line, away, (0, 1, 2, 3)])]
        if self._rules == "uccs2023":
            yield (
                "the same end",
                [(5, 1, [line, (1, 1, 2, 4)]), (5, 1, [line, (2, 2, 1, 3)]), (5, 1, [line, (1, 3, 2, 4)])],
            )
        yield "games", (self._games(st, 1, 5, 5), 120)
        yield "long games", (self._games(st, 8, 20, 40), 10)

    def _games(self, st: Any, least: int, most: int, plays: int) -> Any:
        def case(size: int) -> Any:
            cell = st.integers(0, size - 1) if least > 1 else st.integers(0, size)
            play = st.tuples(cell, cell, cell, cell)
            lookback = st.integers(0, 3 if least < 2 else 12)
            return st.tuples(st.just(size), lookback, st.lists(play, min_size=1, max_size=plays))

        return st.integers(least, most).flatmap(case)

    def put(self, person: Any, case: Any) -> Any:
        size, lookback, plays = case
        answer = person(size, lookback, [tuple(play) for play in plays], len(plays) - 1)
        return truth_of(answer, "the answer")

    def expect(self, case: Any) -> Any:
        size, lookback, plays = case
        game = self._module.LinearDomination.empty(size, lookback, rules=self._rules)
        for play in plays:
            verdict = game.draw(play[:2], play[2:])
        return self._module.Verdict(int(verdict))

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        if got != (expected == self._module.Verdict.LEGAL):
            words = expected.name.lower().replace("_", " ")
            raise Wrong(f"got {got} for the last play, which is {words}", True)

    def size(self, case: Any) -> Any:
        size, lookback, plays = case
        return len(plays), size, lookback, str(plays)

    def spell(self, name: str, case: Any) -> str:
        size, lookback, plays = case
        return f"{name}({size}, {lookback}, {[tuple(play) for play in plays]}, {len(plays) - 1})"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        size, lookback, plays = case
        side = max(size, 1)
        signs = [["." for _ in range(side)] for _ in range(side)]
        lines = []
        first = max(0, len(plays) - 1 - lookback)
        for index in range(first, len(plays)):
            (sr, sc, er, ec), last = plays[index], index == len(plays) - 1
            lines.append(((sr, sc), (er, ec), "orange" if last else "blue"))
            for (r, c), letter in (((sr, sc), "a"), ((er, ec), "b")):
                if 0 <= r < side and 0 <= c < side:
                    signs[r][c] = letter.upper() if last else letter
        legal = expected == self._module.Verdict.LEGAL
        title = f"the last play (A to B): {expected.name}, so {legal}" + ("" if got is None else f"; got {got}")
        colors = [["tile_soft"] * side for _ in range(side)]
        return (Colored(title, signs, colors, lines=tuple(lines)),)
