"""Checks of MyPhoton: the light, what may be selected, swapping, and reading a level."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..words import counted
from .guard import UnreadableAnswer
from .judge import AllCases, Check, Mistake, Source, Wrong, WrongWithHint
from .panels import WIRES, Board, ColoredBoard, Panel
from .read import list_of, matrix_of, missing, shown, truth_of
from .wires import differing, random_rows

__all__ = ["Beams", "CanSelect", "Parse", "Swap"]

_SYMBOLS = "^>v<"
_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def _sides(bits: int) -> str:
    """Returns the letters of the sides in a mask, or words for an empty or invalid mask."""
    if not 0 <= bits <= 15:
        return "not 0 to 15"
    return "".join(name for bit, name in zip((1, 2, 4, 8), "NESW", strict=True) if bits & bit) or "none"


def _light(
    case: Any,
    *,
    mirrors: bool = False,
    splitter: str = "",
    tee: str = "",
    sensor: str = "",
    walls: bool = False,
    lasers: bool = False,
    coming: bool = True,
    leaving: bool = True,
    source: bool = False,
    first: bool = False,
    skip: bool = False,
    bits: tuple[int, int, int, int] = (1, 2, 4, 8),
) -> Any:
    """Traces the light as code with one mistake would; without a mistake, by the rules.

    Each option makes the mistake whose hint is beside it in ``Beams.mistakes``.
    """

    def ways(tile: str, heading: int) -> list[int] | None:
        """Returns the headings in which light leaves a tile; ``None`` if the light does not enter."""
        kind, symbol = tile[0], tile[1:]
        back = (heading + 2) % 4
        if kind in "MB":
            # Headings are 0 to 3 for N, E, S, W: / exchanges N with E and S with W, \ exchanges N with W and E with S.
            turned = heading ^ 1 if (symbol == "/") != mirrors else 3 - heading
            if kind == "M" or splitter == "mirror":
                return [turned]
            return [heading] if splitter == "through" else [turned, heading]
        if kind == "T":
            point = _SYMBOLS.index(symbol)
            if tee == "turned":
                point = (point + 2) % 4
            if back == point:
                return None if tee == "point" else [(point + 1) % 4, (point + 3) % 4]
            if heading == point:
                return [heading] if tee == "back" else None
            return None if tee == "side" else [point]
        if kind == "S":
            opening = _SYMBOLS.index(symbol)
            if sensor == "turned":
                opening = (opening + 2) % 4
            return [] if sensor == "always" or (back == opening and sensor != "never") else None
        if (kind == "W" and not walls) or (kind == "L" and not lasers):
            return None
        return [heading]

    height, width = len(case), len(case[0])
    sides = [[0] * width for _ in range(height)]
    heads = [(r, c, _SYMBOLS.index(case[r][c][1])) for r in range(height) for c in range(width) if case[r][c][0] == "L"]
    if source:
        for r, c, heading in heads:
            sides[r][c] |= bits[heading]
    heads = heads[:1] if first else heads
    if skip:
        heads = [(r + _STEPS[h][0], c + _STEPS[h][1], h) for r, c, h in heads]
    used = set()
    while heads:
        r, c, heading = heads.pop()
        r, c = r + _STEPS[heading][0], c + _STEPS[heading][1]
        if not (0 <= r < height and 0 <= c < width) or (r, c, heading) in used:
            continue
        used.add((r, c, heading))
        out = ways(case[r][c], heading)
        if out is None:
            continue
        if coming:
            sides[r][c] |= bits[(heading + 2) % 4]
        for way in out:
            if leaving:
                sides[r][c] |= bits[way]
            heads.append((r, c, way))
    return tuple(map(tuple, sides))


class Beams(Check):
    """Checks for each tile which sides light crosses."""

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
        every = (*self._PIECES[3:], *self._LASERS)
        yield (
            "all pieces in a row of three",
            AllCases([[["L>", a, b]] for a in every for b in (".", *every)]),
        )
        yield "worlds", (self._worlds(st, 1, 5), 60)
        yield "large worlds", (self._worlds(st, 10, 15), 8)

    @staticmethod
    def _cross(piece: str, laser: str, row: int, col: int) -> list[list[str]]:
        rows = [["."] * 3 for _ in range(3)]
        rows[1][1], rows[row][col] = piece, laser
        return rows

    def _worlds(self, st: Any, least: int, most: int) -> Any:
        tile: tuple[str, ...] = self._PIECES if least < 2 else (*(["."] * 30), *self._PIECES)
        return (
            st.tuples(st.integers(least, most), st.integers(least, most))
            .flatmap(lambda hw: random_rows(st, tile, *hw))
            .flatmap(
                lambda rows: st.lists(
                    st.tuples(
                        st.integers(0, len(rows) - 1), st.integers(0, len(rows[0]) - 1), st.sampled_from(self._LASERS)
                    ),
                    min_size=1,
                    max_size=3,
                ).map(lambda lasers: self._with_lasers(rows, lasers))
            )
        )

    @staticmethod
    def _with_lasers(rows: Any, lasers: Any) -> Any:
        rows = [list(row) for row in rows]
        for row, col, laser in lasers:
            rows[row][col] = laser
        return rows

    def _board(self, case: Any) -> Any:
        # The bit `LIT` (32) marks a lit sensor, which would give the answer away.
        return self._game(self._text(case)).board & 31

    def arguments(self, case: Any) -> Any:
        return self._board(case).tolist()

    def invoke(self, submission: Any, arguments: Any) -> Any:
        board = np.array(arguments, dtype=np.uint8)
        answer = submission(board.copy())
        return matrix_of(answer, board.shape, "sides of light")

    def expect(self, case: Any) -> Any:
        return tuple(tuple(map(int, row)) for row in self._game(self._text(case)).beams)

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        wrong = differing(expected, got)
        if wrong:
            r, c = wrong[0]
            tile, want, have = case[r][c], expected[r][c], got[r][c]
            sentence = f"at ({r}, {c}), tile {tile!r}: got {have} ({_sides(have)}), expected {want} ({_sides(want)})"
            raise Wrong(sentence, wrong)

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        return [lambda case, _, bits=bits: tuple((bits,) * len(row) for row in case) for bits in (0, 15)]  # type: ignore[misc]

    def mistakes(self) -> Sequence[Mistake]:
        def known(**changes: Any) -> Callable[[Any, Any], Any]:
            return lambda case, _: _light(case, **changes)

        return [
            ("the mirrors are swapped: / goes up from left to right", known(mirrors=True)),
            ("a splitter also lets the beam go straight on", known(splitter="mirror")),
            ("a splitter also deflects the beam", known(splitter="through")),
            ("light that meets the point of a T-mirror is split to both sides", known(tee="point")),
            ("light that meets the side of a T-mirror is deflected to the point", known(tee="side")),
            ("light that meets the back of a T-mirror is blocked", known(tee="back")),
            ("a T-mirror is turned around: its symbol names the side of the point", known(tee="turned")),
            ("light enters a sensor on its open side", known(sensor="never")),
            ("a sensor blocks light on its closed sides", known(sensor="always")),
            ("a sensor is turned around: its symbol names the side of the opening", known(sensor="turned")),
            ("walls block light", known(walls=True)),
            ("lasers block light", known(lasers=True)),
            ("the side by which light enters is missing", known(coming=False)),
            ("the side by which light leaves is missing", known(leaving=False)),
            ("the tile of a laser stays 0: its light begins in the next tile", known(source=True)),
            ("only one laser shines: start with one head per laser", known(first=True)),
            ("the first tile in front of the laser is skipped", known(skip=True)),
            ("north and south are swapped: row 0 is at the top", known(bits=(4, 2, 1, 8))),
            ("east and west are swapped", known(bits=(1, 8, 4, 2))),
        ]

    def size(self, case: Any) -> Any:
        full = sum(tile != "." for row in case for tile in row)
        return len(case) * len(case[0]) + 3 * full, full, str(case)

    def spell(self, name: str, case: Any) -> str:
        return f"{name}(gw.MyPhoton({self._text(case)!r}).board & 31)"

    def plain(self, case: Any) -> Any:
        return self._text(case)

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        panels: list[Panel] = [_tiles(case)]
        for title, beams in (("expected", expected), ("got", got)):
            if beams is None:
                continue
            symbols = [[WIRES[int(bits) & 15] for bits in row] for row in beams]
            colors = [["night"] * len(row) for row in beams]
            marks = frozenset(where or ()) if title == "got" else frozenset()
            first = where[0] if where and title == "got" else None
            panels.append(ColoredBoard(title, symbols, colors, beams, "glow", marks, first))
        return tuple(panels)


def _text(rows: Any) -> str:
    return Beams._text(rows)


def _tiles(rows: Any) -> Board:
    return Board("given", [[tile if tile != "." else "·" for tile in row] for row in rows])


def _movable(tile: str) -> bool:
    return tile[0] in "MBT"


_EVERY = ("W", "M/", "M\\", "L^", "L>", "Lv", "L<", "B/", "B\\", "T^", "T>", "Tv", "T<", "S^", "S>", "Sv", "S<")


class _Worlds(Check):
    """The base class of checks of functions that take or return a board of tiles."""

    def __init__(self) -> None:
        self._game = importlib.import_module("gridwright.photon").MyPhoton

    def _board(self, rows: Any) -> list[list[int]]:
        return (self._game(_text(rows)).board & 31).tolist()  # type: ignore[no-any-return]

    @staticmethod
    def _random(st: Any) -> Any:
        tiles = (*("." for _ in range(8)), *_EVERY)
        return st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(lambda hw: random_rows(st, tiles, *hw))


class CanSelect(_Worlds):
    """Checks which tiles a player may pick up, and where they may be put."""

    NAME = "can_select"

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        firsts = (True, False)
        yield "each tile", [([[tile]], 0, 0, first) for tile in (".", *_EVERY) for first in firsts]
        pairs = [[a, b] for a in (".", "W", "M/", "S>") for b in (".", "W", "M/", "L<")]
        yield (
            "row and column",
            [([pair], 0, col, first) for pair in pairs for col in (0, 1) for first in firsts]
            + [([[a], [b]], row, 0, first) for a, b in pairs for row in (0, 1) for first in firsts],
        )

        def place(rows: Any) -> Any:
            return st.tuples(
                st.just(rows), st.integers(0, len(rows) - 1), st.integers(0, len(rows[0]) - 1), st.booleans()
            )

        yield "worlds", (self._random(st).flatmap(place), 80)

    def arguments(self, case: Any) -> Any:
        rows, row, col, first = case
        return self._board(rows), row, col, first

    def invoke(self, submission: Any, arguments: Any) -> Any:
        board, row, col, first = arguments
        given = np.array(board, dtype=np.uint8)
        if self.form == 2:
            answer = submission(given, (row, col))
        else:
            answer = submission(given, col, row, first) if self.form == 4 else submission(given, row, col)
        return truth_of(answer, "the answer")

    def expect(self, case: Any) -> bool:
        rows, row, col, first = case
        hardware = bool(self._game(_text(rows)).can_select((row, col)))
        return hardware or (self.form == 4 and not first and rows[row][col] == ".")

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        rows, row, col, first = case
        if got != expected:
            second = "" if self.form != 4 else " as the first tile" if first else " as the second tile"
            raise Wrong(
                f"the tile {rows[row][col]!r} at ({row}, {col}){second}: got {got}, expected {expected}", (row, col)
            )

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        return [lambda *_: True, lambda *_: False]

    def mistakes(self) -> Sequence[Mistake]:
        def tile(case: Any) -> str:
            return str(case[0][case[1]][case[2]])

        def kind(letters: str) -> Callable[[Any, Any], Any]:
            return lambda case, _: tile(case)[0] in letters

        def turned(case: Any, _: Any) -> bool:
            return _movable(case[0][case[2]][case[1]])

        return [
            ("mirrors alone are selected: splitters and T-mirrors are hardware too", kind("M")),
            ("T-mirrors are hardware too", kind("MB")),
            ("beam splitters are hardware too", kind("MT")),
            ("lasers stay where they are: only mirrors, T-mirrors and splitters move", kind("MBTL")),
            ("sensors stay where they are: only mirrors, T-mirrors and splitters move", kind("MBTS")),
            ("everything but walls is selected: only mirrors, T-mirrors and splitters move", kind("MBTLS.")),
            ("everything but empty tiles is selected: only mirrors, T-mirrors and splitters move", kind("MBTLSW")),
            ("an empty tile is selected first: only the second tile selected may be empty", kind("MBT.")),
            ("the second tile selected may be empty: the hardware moves there", kind("MBT")),
            ("rows and columns are swapped", turned),
        ]

    def size(self, case: Any) -> Any:
        rows, row, col, first = case
        return len(rows) * len(rows[0]), row, col, str(rows), first

    def spell(self, name: str, case: Any) -> str:
        rows, row, col, first = case
        place = {2: f"({row}, {col})", 4: f"{col}, {row}, {first}"}.get(self.form or 0, f"{row}, {col}")
        return f"{name}(gw.MyPhoton({_text(rows)!r}).board & 31, {place})"

    def plain(self, case: Any) -> Any:
        return (_text(case[0]), *case[1:])

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        rows, row, col, _ = case
        board = _tiles(rows)
        return (Board(f"may the marked tile be selected? {expected}", board.cells, first=(row, col)),)


class Swap(_Worlds):
    """Checks that two tiles are exchanged."""

    NAME = "swap"

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield (
            "side by side",
            [([["M/", "."]], (0, 0), (0, 1)), ([["M/", "."]], (0, 1), (0, 0)), ([["T>", "B/"]], (0, 0), (0, 1))],
        )
        yield "one below the other", [([["M/"], ["."]], (0, 0), (1, 0)), ([["T>"], ["B/"]], (1, 0), (0, 0))]
        square = [["M/", "B\\", "."], ["W", "Tv", "S>"]]
        movable = [(0, 0), (0, 1), (1, 1), (0, 2)]
        yield "anywhere", [(square, a, b) for a in movable for b in movable if a != b]
        yield "a tile with itself", [([["M/", "."]], (0, 0), (0, 0)), (square, (1, 1), (1, 1))]

        def places(rows: Any) -> Any:
            cells = [
                (r, c) for r, row in enumerate(rows) for c, tile in enumerate(row) if _movable(tile) or tile == "."
            ]
            one = st.sampled_from(cells or [(0, 0)])
            return st.tuples(st.just(rows if cells else [["M/"]]), one, one)

        yield "worlds", (self._random(st).flatmap(places), 60)

    def arguments(self, case: Any) -> Any:
        rows, a, b = case
        return self._board(rows), a, b

    def invoke(self, submission: Any, arguments: Any) -> Any:
        board, (r1, c1), (r2, c2) = arguments
        given = np.array(board, dtype=np.uint8)
        shape = given.shape
        answer = submission(given, c1, r1, c2, r2) if self.form == 5 else submission(given, (r1, c1), (r2, c2))
        return matrix_of(given if answer is None else answer, shape, "tiles")

    def expect(self, case: Any) -> Any:
        rows, (r1, c1), (r2, c2) = case
        board = self._board(rows)
        board[r1][c1], board[r2][c2] = board[r2][c2], board[r1][c1]
        return tuple(map(tuple, board))

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        wrong = differing(expected, got)
        if wrong:
            r, c = wrong[0]
            raise Wrong(f"at ({r}, {c}): got {self._tile(got[r][c])}, expected {self._tile(expected[r][c])}", wrong)

    @staticmethod
    def _tile(code: int) -> str:
        kind = importlib.import_module("gridwright.photon").Tile
        return kind(code).name if code in set(kind) else str(code)

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        return [lambda case, _: tuple(map(tuple, self._board(case[0])))]

    def mistakes(self) -> Sequence[Mistake]:
        def model(change: Callable[[Any, int, int, int, int], None]) -> Callable[[Any, Any], Any]:
            def answer(case: Any, _: Any) -> Any:
                rows, (r1, c1), (r2, c2) = case
                board = self._board(rows)
                change(board, r1, c1, r2, c2)
                return tuple(map(tuple, board))

            return answer

        def copied(board: Any, r1: int, c1: int, r2: int, c2: int) -> None:
            board[r2][c2] = board[r1][c1]

        def back(board: Any, r1: int, c1: int, r2: int, c2: int) -> None:
            board[r1][c1] = board[r2][c2]

        def emptied(board: Any, r1: int, c1: int, r2: int, c2: int) -> None:
            board[r2][c2], board[r1][c1] = board[r1][c1], 0

        def moved(board: Any, r1: int, c1: int, r2: int, c2: int) -> None:
            # In this order, a tile that is swapped with itself stays.
            board[r1][c1], board[r2][c2] = 0, board[r1][c1]

        def turned(board: Any, r1: int, c1: int, r2: int, c2: int) -> None:
            board[c1][r1], board[c2][r2] = board[c2][r2], board[c1][r1]

        lost = "one tile is lost: keep it in a variable, or write a, b = b, a"
        return [
            (lost, model(copied)),
            (lost, model(back)),
            ("the first tile is left empty: two pieces exchange their tiles", model(emptied)),
            ("the first tile is left empty: two pieces exchange their tiles", model(moved)),
            ("rows and columns are swapped: x is the column", model(turned)),
            ("nothing is swapped", model(lambda *_: None)),
        ]

    def size(self, case: Any) -> Any:
        rows, a, b = case
        return len(rows) * len(rows[0]), a, b, str(rows)

    def spell(self, name: str, case: Any) -> str:
        rows, (r1, c1), (r2, c2) = case
        place = f"{c1}, {r1}, {c2}, {r2}" if self.form == 5 else f"({r1}, {c1}), ({r2}, {c2})"
        return f"board = gw.MyPhoton({_text(rows)!r}).board & 31; {name}(board, {place}); board"

    def plain(self, case: Any) -> Any:
        return (_text(case[0]), *case[1:])

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        rows, a, b = case
        given = _tiles(rows)
        panels: list[Panel] = [Board("given", given.cells, marked=frozenset((a, b)))]
        for title, board in (("expected", expected), ("got", got)):
            if board is not None:
                marks = frozenset(where or ()) if title == "got" else frozenset()
                panels.append(Board(title, [[str(code) for code in row] for row in board], marked=marks))
        return tuple(panels)


class Parse(_Worlds):
    """Checks the board that is read from a level."""

    NAME = "parse"
    _BROKEN = (
        "",
        "2\n. .",
        "2 1\n. X",
        "2 1\n. L",
        "2 1\n. M>",
        "2 2\n. .",
        "1 1\nS/",
        "a b\n. .",
        "0 0\n",
    )

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "one tile", [[[tile]] for tile in (".", *_EVERY)]
        yield "one row", [[[a, b]] for a in (".", "W", "M/", "L>") for b in (".", "W", "T<", "S^")] + [[["W"] * 15]]
        yield (
            "rows",
            [[["."], ["W"]], [["L>", "."], [".", "M\\"], ["W", "S<"]], [["B/", "B\\", "Tv"], [".", "Lv", "."]]],
        )
        yield "worlds", (self._random(st), 60)
        # The code earns the points of this part only if it can tell the two kinds of levels apart.
        valid = [[["."]], [["W"]], [["Lv"]], [["B\\"]], [["M/", "."]], [[".", "L<"]], [["S<", "T^"]], [["."], ["."]]]
        yield "malformed and valid levels", [*self._BROKEN, *valid]

    def arguments(self, case: Any) -> Any:
        return case if isinstance(case, str) else _text(case)

    def invoke(self, submission: Any, arguments: Any) -> Any:
        if arguments in self._BROKEN:
            # Any exception will do: code that raises none has accepted a malformed level.
            try:
                self._rows(submission(arguments))
            except UnreadableAnswer:
                return "read"
            except Exception:
                return "raised"
            return "read"
        rows = self._rows(submission(arguments))
        if len({len(row) for row in rows}) > 1:
            raise UnreadableAnswer(f"returned rows of {shown([len(row) for row in rows])} tiles, expected one length")
        if any(isinstance(tile, str) for row in rows for tile in row):
            return [[str(tile)[:9].strip() for tile in row] for row in rows]
        return matrix_of(rows, (len(rows), len(rows[0]) if rows else 0), "tiles")

    @staticmethod
    def _rows(answer: Any) -> list[list[Any]]:
        """Returns the rows of an answer; if it is a generator, the code runs only now."""
        if answer is None:
            raise UnreadableAnswer("returned None, expected a board" + missing(answer))
        return [list_of(row, "a row") for row in list_of(answer, "the answer")]

    def expect(self, case: Any) -> Any:
        if isinstance(case, str):
            return "raised"
        return tuple(map(tuple, self._board(case)))

    def _codes(self, rows: Any) -> Any:
        """Returns rows of symbols as codes; -1 for an unknown symbol."""
        table = {tile: self._board([[tile]])[0][0] for tile in (".", *_EVERY)}
        return tuple(tuple(table.get(tile, -1) if isinstance(tile, str) else tile for tile in row) for row in rows)

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        if isinstance(expected, str):
            if got != expected:
                raise WrongWithHint(
                    "accepted the text, expected an exception: the text is malformed",
                    "the size and every tile must be valid",
                )
            return
        symbols, got = got, self._codes(got)
        shape = (len(got), len(got[0]) if got else 0)
        if shape != (len(expected), len(expected[0])):
            turned = shape == (len(expected[0]), len(expected))
            hint = "rows and columns are swapped: the first number is the width" if turned else ""
            raise WrongWithHint(
                f"returned {counted(shape[0], 'row')} of {shape[1]}, expected {len(expected)} of {len(expected[0])}",
                hint,
            )
        wrong = differing(expected, got)
        if wrong:
            r, c = wrong[0]
            have = shown(symbols[r][c]) if isinstance(symbols[r][c], str) and got[r][c] == -1 else Swap._tile(got[r][c])
            want = Swap._tile(expected[r][c])
            raise Wrong(f"at ({r}, {c}), tile {case[r][c]!r}: got {have}, expected {want}", wrong)

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        def empty(case: Any, _: Any) -> Any:
            return tuple((0,) * len(row) for row in case) if not isinstance(case, str) else "read"

        return [empty, lambda *_: "raised"]

    def mistakes(self) -> Sequence[Mistake]:
        def model(read: Callable[[Any], Any], as_codes: bool) -> Callable[[Any, Any], Any]:
            """Returns a model of code that refuses malformed levels, and otherwise returns the rows ``read(case)``."""

            def answer(case: Any, expected: Any) -> Any:
                if isinstance(case, str):
                    return expected
                rows = tuple(map(tuple, read(case)))
                return self._codes(rows) if as_codes else rows

            return answer

        def narrow(length: int) -> Callable[[Any], Any]:
            """Reads column c from ``length`` characters that begin at character c; an unknown tile is empty."""

            def read(case: Any) -> Any:
                lines = _text(case).split("\n")[1:]
                rows = [[line[c : c + length].strip() for c in range(len(case[0]))] for line in lines]
                return [[tile if tile in _EVERY else "." for tile in row] for row in rows]

            return read

        def slanted(kinds: str) -> Callable[[Any], Any]:
            """Exchanges / and \\ in the tiles of some kinds."""
            other = str.maketrans("/\\", "\\/")
            return lambda case: [[tile.translate(other) if tile[0] in kinds else tile for tile in row] for row in case]

        two = "each tile takes two characters: column c begins at character 2 * c"
        known = [
            *((two, narrow(length)) for length in (1, 2)),
            ("/ and \\ are swapped", slanted("MB")),
            ("/ and \\ of mirrors are swapped", slanted("M")),
            ("/ and \\ of splitters are swapped", slanted("B")),
        ]
        return [(hint, model(read, as_codes)) for hint, read in known for as_codes in (True, False)]

    def size(self, case: Any) -> Any:
        return (len(case) * len(case[0]), str(case)) if not isinstance(case, str) else (0, case)

    def spell(self, name: str, case: Any) -> str:
        return f"{name}({self.arguments(case)!r})"

    def plain(self, case: Any) -> Any:
        return self.arguments(case)

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        if isinstance(case, str):
            return ()
        return (Board("the level", _tiles(case).cells, marked=frozenset(where or ())),)
