"""Checks of GeeseSpotter's functions, on boards of two dimensions or, as in the source document, of one."""

from __future__ import annotations

import contextlib
import importlib
import io
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

import numpy as np

from ..words import counted
from .guard import UnreadableAnswer
from .judge import AllCases, Check, Mistake, Source, Wrong, WrongWithHint
from .panels import Board, Panel
from .read import excerpt, list_of, matrix_of, missing, printed_lines, shown, truth_of, whole
from .wires import differing

__all__ = [
    "CleanBoard",
    "ComputeNeighbours",
    "CreateBoard",
    "HideBoard",
    "IsGameWon",
    "Mark",
    "PrintBoard",
    "Reveal",
    "SpreadGeese",
]

# The code of a field: a bit for hidden, a bit for marked, and the value in the lowest four bits.
_HIDDEN, _MARKED, _VALUE = 0x20, 0x10, 0x0F
_GOOSE = 9
_AROUND = tuple((dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc)

Rows = tuple[tuple[int, ...], ...]


def _array(rows: Any) -> Any:
    return np.array(rows, dtype=np.uint8).reshape(len(rows), -1)


def _frozen(board: Any) -> Rows:
    return tuple(tuple(int(code) for code in row) for row in board)


def _every(codes: Sequence[int], most: int, least: int = 1) -> list[list[list[int]]]:
    """Returns all boards of ``least`` to ``most`` fields whose codes are in ``codes``."""
    boards = []
    for fields in range(least, most + 1):
        for height in range(1, fields + 1):
            if fields % height == 0:
                width = fields // height
                for flat in itertools.product(codes, repeat=fields):
                    boards.append([list(flat[row * width : (row + 1) * width]) for row in range(height)])
    return boards


def _boards(st: Any, height: Any, width: Any) -> Any:
    """Returns a strategy for boards of 0 and 9."""
    cell = st.sampled_from([0, 0, 0, 9])

    def rows(hw: Any) -> Any:
        return st.lists(st.lists(cell, min_size=hw[1], max_size=hw[1]), min_size=hw[0], max_size=hw[0])

    return st.tuples(height, width).flatmap(rows)


def _large(st: Any, height: Any, width: Any) -> Any:
    """Returns a strategy for large boards of 0 and 9, drawn from a seed, because drawing field by field is slow."""

    def made(hws: Any) -> list[list[int]]:
        draw = np.random.default_rng(hws[2]).random(hws[:2])
        return np.where(draw < 0.2, 9, 0).tolist()  # type: ignore[no-any-return]

    return st.tuples(height, width, st.integers(0, 2**32)).map(made)


def _symbol(code: int) -> str:
    """Returns a field as text: its value, preceded by ``*`` if the field is hidden or by ``M`` if it is also marked.

    ``m`` stands for a mark on a revealed field, which correct code never makes.
    """
    if not 0 <= code < 64:
        return str(code)
    value = code & _VALUE
    if code & _HIDDEN:
        return f"M{value}" if code & _MARKED else f"*{value}"
    return str(value) if not code & _MARKED else f"m{value}"


def _colors(rows: Any) -> list[list[str]]:
    def color(code: int) -> str:
        if code & _HIDDEN:
            return "orange" if code & _MARKED else "tile"
        return "red" if code & _VALUE == _GOOSE else "tile_soft"

    return [[color(int(code) & 0x3F) for code in row] for row in rows]


class _Fields(Check):
    """The base class of checks of functions that take a board of one or two dimensions, whichever they expect."""

    LONG: ClassVar[int]
    """The number of arguments in the source document, where the board has one dimension; 0 if only one form exists."""

    def __init__(self) -> None:
        self._geese = importlib.import_module("gridwright.geese")

    @property
    def _long(self) -> bool:
        """Whether the function takes the arguments of the source document."""
        return self.LONG > 0 and self.form == self.LONG

    def _called(self, name: str, rows: Any, places: tuple[int, ...]) -> tuple[str, str]:
        """Returns code that makes the board and code that calls the function, both ready to be pasted."""
        hexadecimal = any(code > _GOOSE for row in rows for code in row)
        written = "[" + ", ".join(
            "[" + ", ".join(f"{c:#04x}" if hexadecimal else str(c) for c in r) + "]" for r in rows
        )
        setup = f"board = np.array({written}], dtype=np.uint8)" + (".ravel()" if self._long else "")
        arguments = (len(rows[0]), len(rows), *reversed(places)) if self._long else places
        return setup, f"{name}({', '.join(map(str, ('board', *arguments)))})"

    def _run(self, submission: Any, rows: Any, places: tuple[int, ...] = ()) -> tuple[Any, Any]:
        """Calls the function; returns the board that was passed, as it is after the call, and the answer."""
        board = _array(rows)
        height, width = board.shape
        passed = board.ravel().copy() if self._long else board.copy()
        answer = submission(passed, width, height, *reversed(places)) if self._long else submission(passed, *places)
        return passed.reshape(height, width), answer

    def size(self, case: Any) -> Any:
        return len(case) * len(case[0]), sum(map(sum, case)), len(case), case

    def spell(self, name: str, case: Any) -> str:
        setup, call = self._called(name, case, ())
        return f"{setup}; {call}; board"

    def _shown(self, given: Any, expected: Any, got: Any, where: Any, first: str) -> tuple[Panel, ...]:
        panels: list[Panel] = [Board(first, [[_symbol(int(code)) for code in row] for row in given], _colors(given))]
        for title, board in (("expected", expected), ("got", got)):
            if board is None:
                continue
            marks = frozenset(where or ()) if title == "got" else frozenset()
            start = where[0] if where and title == "got" else None
            symbols = [[_symbol(int(code)) for code in row] for row in board]
            panels.append(Board(title, symbols, _colors(board), marked=marks, first=start))
        return tuple(panels)


class _BoardFunction(_Fields):
    """The base class of checks of functions that change the whole board, or return a changed one."""

    LONG = 3

    def invoke(self, submission: Any, arguments: Any) -> Any:
        board, answer = self._run(submission, arguments)
        return matrix_of(board if answer is None else answer, board.shape, "fields")

    def expect(self, case: Any) -> Rows:
        board = _array(case)
        getattr(self._geese, self.NAME)(board)
        return _frozen(board)

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        wrong = differing(expected, got)
        if wrong:
            r, c = wrong[0]
            raise Wrong(
                f"at ({r}, {c}): got {self._code_text(got[r][c])}, expected {self._code_text(expected[r][c])}", wrong
            )

    @staticmethod
    def _code_text(code: int) -> str:
        return str(code)

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        return [lambda case, _: _frozen(case), *(_all(code) for code in (0, 1, _HIDDEN, _HIDDEN | _MARKED))]

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        return self._shown(case, expected, got, where, "given")


def _all(code: int) -> Callable[[Any, Any], Rows]:
    return lambda case, _: tuple((code,) * len(row) for row in case)


_Counts = Callable[[Any, int, int, int, int], bool]


def _is_goose(rows: Any, r: int, c: int, *_: int) -> bool:
    return bool(0 <= r < len(rows) and 0 <= c < len(rows[0]) and rows[r][c] == _GOOSE)


def _counted(
    around: Iterable[tuple[int, int]] = _AROUND,
    counts: _Counts = _is_goose,
    skip: Callable[[int, int, int, int], bool] = lambda r, c, height, width: False,
) -> Callable[[Any, Any], Rows]:
    """Returns a model of code that counts neighbors.

    ``around`` holds the neighbors that the code looks at. ``counts`` decides what is counted, and ``skip`` decides
    which fields stay unchanged.
    """
    around = tuple(around)

    def model(case: Any, _: Any) -> Rows:
        rows = [list(row) for row in case]
        height, width = len(rows), len(rows[0])
        for r, c in np.ndindex(height, width):
            if rows[r][c] != _GOOSE and not skip(r, c, height, width):
                rows[r][c] = sum(counts(rows, r + dr, c + dc, dr, dc) for dr, dc in around)
        return _frozen(rows)

    return model


def _wraps_around(rows: Any, r: int, c: int, *_: int) -> bool:
    """Counts a goose even at a negative index, which Python counts from the end."""
    return bool(-len(rows) <= r < len(rows) and -len(rows[0]) <= c < len(rows[0]) and rows[r][c] == _GOOSE)


def _flat(rows: Any, r: int, c: int, *_: int) -> bool:
    """Counts a goose by its place in one dimension, whatever its column."""
    place = r * len(rows[0]) + c
    return bool(0 <= place < len(rows) * len(rows[0]) and rows[place // len(rows[0])][place % len(rows[0])] == _GOOSE)


def _not_empty(rows: Any, r: int, c: int, *_: int) -> bool:
    return bool(0 <= r < len(rows) and 0 <= c < len(rows[0]) and rows[r][c] > 0)


def _counts_on_geese(case: Any, expected: Any) -> Rows:
    return tuple(
        tuple(sum(_is_goose(case, r + dr, c + dc) for dr, dc in _AROUND) for c in range(len(row)))
        for r, row in enumerate(case)
    )


def _geese_added(case: Any, expected: Any) -> Rows:
    more = _counts_on_geese(case, expected)
    return tuple(
        tuple(a + b if a == _GOOSE else b for a, b in zip(x, y, strict=True)) for x, y in zip(case, more, strict=True)
    )


def _counts_with_own_field(case: Any, _: Any) -> Rows:
    """Returns the counts if each goose adds 1 to its own field and to the eight around it."""
    around = (*_AROUND, (0, 0))
    return tuple(
        tuple(code + sum(_is_goose(case, r + dr, c + dc) for dr, dc in around) for c, code in enumerate(row))
        for r, row in enumerate(case)
    )


_NAMES = {-1: ("above", "to the left"), 0: ("", ""), 1: ("below", "to the right")}


def _named(dr: int, dc: int) -> str:
    return " ".join(word for word in (_NAMES[dr][0], _NAMES[dc][1]) if word)


class ComputeNeighbours(_BoardFunction):
    """Checks the number of geese around each field."""

    NAME = "compute_neighbours"

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "one row", _rows_of(2, 5)
        yield "one column", [[[code] for code in row[0]] for row in _rows_of(2, 5)]
        yield (
            "all boards of 2 x 2, 2 x 3 and 3 x 2 fields",
            AllCases([case for case in _every((0, 9), 6, 4) if len(case) > 1 and len(case[0]) > 1]),
        )
        three = [[[9 if (r, c) == goose else 0 for c in range(3)] for r in range(3)] for goose in np.ndindex(3, 3)]
        yield "one goose in nine fields", three
        yield "many geese", [[[9, 9, 9], [9, 0, 9], [9, 9, 9]], [[9, 0, 9, 9], [0, 9, 9, 9]], [[0]], [[9]]]
        yield "boards", (_boards(st, st.integers(1, 5), st.integers(1, 5)), 60)
        yield "large boards", (_large(st, st.integers(15, 20), st.integers(30, 60)), 8)

    def mistakes(self) -> Sequence[Mistake]:
        sides = [each for each in _AROUND if 0 in each]
        known: list[Mistake] = [
            ("the corners are forgotten: a field has eight neighbors", _counted(sides)),
            ("only the corners are counted: a field has eight neighbors", _counted(set(_AROUND) - set(sides))),
            (
                "an index below 0 counts from the end: fields on the left or upper rim count geese on the opposite rim",
                _counted(counts=_wraps_around),
            ),
            (
                "the end of a row is a neighbor of the start of the next one: test the column, not only the index",
                _counted(counts=_flat),
            ),
            (
                "the code counts the numbers that it has written: count the fields that are 9, not those above 0",
                _counted(counts=_not_empty),
            ),
            ("the last row is missing", _counted(skip=lambda r, c, h, w: r == h - 1)),
            ("the last column is missing", _counted(skip=lambda r, c, h, w: c == w - 1)),
            ("the first row is missing", _counted(skip=lambda r, c, h, w: r == 0)),
            ("the first column is missing", _counted(skip=lambda r, c, h, w: c == 0)),
            ("the rim is missing", _counted(skip=lambda r, c, h, w: r in (0, h - 1) or c in (0, w - 1))),
            ("the geese are overwritten by counts: a field with 9 stays 9", _counts_on_geese),
            ("the counts are added to the geese: a field with 9 stays 9", _geese_added),
            ("a goose adds to its own field too: a field with 9 stays 9", _counts_with_own_field),
            (
                "rows and columns are swapped: the height is used where the width belongs",
                _counted(skip=lambda r, c, h, w: r >= w or c >= h),
            ),
            ("nothing is written: the board stays as it was", lambda case, _: _frozen(case)),
        ]
        for dr, dc in _AROUND:
            found = _counted(each for each in _AROUND if each != (dr, dc))
            known.append((f"the neighbor {_named(dr, dc)} is forgotten", found))
        return known


def _rows_of(least: int, most: int) -> list[list[list[int]]]:
    return [[list(row)] for width in range(least, most + 1) for row in itertools.product((0, 9), repeat=width)]


class HideBoard(_BoardFunction):
    """Checks that every field is hidden."""

    NAME = "hide_board"

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "one field", [[[value]] for value in range(10)]
        yield "all boards of 2 to 3 fields", AllCases(_every((0, 1, 9), 3, 2))
        valued = _boards(st, st.integers(1, 5), st.integers(1, 5)).map(self._with_values)
        yield "boards", (valued, 40)

    def _with_values(self, rows: Any) -> Any:
        board = _array(rows)
        self._geese.compute_neighbours(board)
        return board.tolist()

    @staticmethod
    def _code_text(code: int) -> str:
        return f"{code:#04x}"

    def mistakes(self) -> Sequence[Mistake]:
        def each(change: Callable[[int], int]) -> Callable[[Any, Any], Rows]:
            return lambda case, _: tuple(tuple(change(code) for code in row) for row in case)

        return [
            ("the values are lost: set the bit 0x20 and keep the others", each(lambda _: _HIDDEN)),
            ("another bit is set: hidden is 0x20, marked is 0x10", each(lambda code: code | _MARKED)),
            ("both bits are set: hidden is 0x20 alone", each(lambda code: code | _MARKED | _HIDDEN)),
            ("the fields with a goose stay open", each(lambda code: code if code == _GOOSE else code | _HIDDEN)),
            ("only the fields with a goose are hidden", each(lambda code: code | _HIDDEN if code == _GOOSE else code)),
            ("the empty fields stay open", each(lambda code: code | _HIDDEN if code else code)),
            (
                "the last row is missing",
                lambda case, e: (*e[:-1], tuple(case[-1])),
            ),
            (
                "the last column is missing",
                lambda case, e: tuple((*row[:-1], old[-1]) for row, old in zip(e, case, strict=True)),
            ),
            (
                "the last field is missing",
                lambda case, e: (*e[:-1], (*e[-1][:-1], case[-1][-1])),
            ),
            ("nothing is written: the board stays as it was", lambda case, _: _frozen(case)),
        ]


class _FieldFunction(_Fields):
    """The base class of checks of functions that are given a cell and return a code."""

    LONG = 5

    def _covered_board(self, rows: Any, covers: Any) -> list[list[int]]:
        board = _array(rows)
        self._geese.compute_neighbours(board)
        covered = board | np.resize(np.array(covers, dtype=np.uint8), board.shape)
        return covered.tolist()  # type: ignore[no-any-return]

    def _random(self, st: Any, boards: Any) -> Any:
        cover = st.lists(st.sampled_from([_HIDDEN, _HIDDEN, 0, _HIDDEN | _MARKED]), min_size=1, max_size=30)

        def place(board: Any) -> Any:
            return st.tuples(st.just(board), st.integers(0, len(board) - 1), st.integers(0, len(board[0]) - 1))

        return st.tuples(boards, cover).map(lambda both: self._covered_board(*both)).flatmap(place)

    def _pairs(self) -> list[tuple[list[list[int]], int, int]]:
        """Returns all boards of two fields with correct values, under all covers, paired with each of their fields."""
        covers = list(itertools.product((0, _HIDDEN, _HIDDEN | _MARKED), repeat=2))
        boards = [self._covered_board(rows, cover) for rows in _every((0, _GOOSE), 2, 2) for cover in covers]
        return [(rows, r, c) for rows in boards for r, c in np.ndindex(len(rows), len(rows[0]))]

    def invoke(self, submission: Any, arguments: Any) -> Any:
        rows, row, col = arguments
        board, answer = self._run(submission, rows, (row, col))
        code = answer
        if isinstance(answer, tuple) and len(answer) == 2:
            code, board = answer
            if code is None or board is None:
                raise UnreadableAnswer(f"returned {shown(answer)}, expected a code or the pair (code, board)")
        if code is None:
            raise UnreadableAnswer("returned None, expected a code, a whole number (is a return missing?)")
        return whole(code, "the code"), matrix_of(board, (len(rows), len(rows[0])), "fields")

    def expect(self, case: Any) -> Any:
        rows, row, col = case
        board = _array(rows)
        return int(getattr(self._geese, self.NAME)(board, row, col)), _frozen(board)

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        wrong = differing(expected[1], got[1])
        if wrong:
            r, c = wrong[0]
            have, want = got[1][r][c], expected[1][r][c]
            raise Wrong(f"the board after the call, at ({r}, {c}): got {have:#04x}, expected {want:#04x}", wrong)
        if expected[0] != got[0]:
            raise Wrong(f"returned {got[0]}, expected {expected[0]}")

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        return [lambda case, _, code=code: (code, _frozen(case[0])) for code in (0, 1, 2, _GOOSE)]  # type: ignore[misc]

    def size(self, case: Any) -> Any:
        rows, row, col = case
        return len(rows) * len(rows[0]), sum(map(sum, rows)), row, col, rows

    def spell(self, name: str, case: Any) -> str:
        rows, row, col = case
        setup, call = self._called(name, rows, (row, col))
        return f"{setup}; {call}, board"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        rows, row, col = case
        first = f"{self.NAME} at ({row}, {col})"
        return self._shown(rows, expected[1], None if got is None else got[1], where, first)

    def _right_answer(self, row: int, col: int, rows: Any) -> Any:
        return self.expect((rows, row, col))

    def _model(self, change: Callable[[int, list[list[int]], list[list[int]], int, int], int | None]) -> Any:
        """Returns a model that edits the right answer.

        ``change(code, after, before, row, col)`` edits the board ``after`` and returns a code or ``None``.
        """

        def model(case: Any, expected: Any) -> Any:
            code, after = expected[0], [list(row) for row in expected[1]]
            found = change(code, after, [list(row) for row in case[0]], case[1], case[2])
            return code if found is None else found, _frozen(after)

        return model

    def _swapped(self) -> Mistake:
        return (
            "rows and columns are swapped: x is the column and y the row",
            lambda case, _: self._right_answer(case[2], case[1], case[0]),
        )


class Mark(_FieldFunction):
    """Checks that marking a hidden field toggles its mark."""

    NAME = "mark"

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "a hidden field", [([[_HIDDEN | value]], 0, 0) for value in (0, 3, 9)]
        yield "a marked field", [([[_HIDDEN | _MARKED | value]], 0, 0) for value in (0, 3, 9)]
        yield "a revealed field", [([[value]], 0, 0) for value in (0, 3, 9)]
        yield "all boards of two fields", AllCases(self._pairs())
        corners = [(r, c) for r in (0, 1) for c in (0, 1, 2)]
        yield "row and column", [([[_HIDDEN] * 3, [_HIDDEN] * 3], r, c) for r, c in corners]
        yield "boards", (self._random(st, _boards(st, st.integers(1, 4), st.integers(1, 5))), 60)

    def mistakes(self) -> Sequence[Mistake]:
        def revealed_too(code: int, after: Any, before: Any, r: int, c: int) -> int:
            after[r][c] = before[r][c] ^ _MARKED
            return 0

        def toggled_too(code: int, after: Any, before: Any, r: int, c: int) -> None:
            after[r][c] = before[r][c] ^ _MARKED

        def changed(change: Callable[[int], int]) -> Any:
            """Returns a model of code that writes ``change(v)`` into a hidden field that holds ``v``."""

            def write(code: int, after: Any, before: Any, r: int, c: int) -> None:
                if before[r][c] & _HIDDEN:
                    after[r][c] = change(before[r][c])

            return self._model(write)

        uncovered = "the hidden bit 0x20 is lost: change the bit 0x10 alone"
        return [
            ("a mark is set and never taken away: toggle it with ^", changed(lambda v: v | _MARKED)),
            ("a revealed field is marked too: it stays as it is, and the code is 2", self._model(revealed_too)),
            ("a revealed field is marked too, though the code is right", self._model(toggled_too)),
            ("the hidden bit 0x20 is changed: the mark is 0x10", changed(lambda v: v ^ _HIDDEN)),
            *(
                (uncovered, changed(lambda v, kept=kept, mark=mark: v & kept | (v & mark ^ _MARKED)))  # type: ignore[misc]
                for kept in (_VALUE, 0)
                for mark in (0, _MARKED)
            ),
            (uncovered, changed(lambda v: v & _VALUE if v & _MARKED else v | _MARKED)),
            (
                "the value of the field is lost: change the bit 0x10 alone",
                changed(lambda v: v & _HIDDEN | ~v & _MARKED),
            ),
            ("the code is 0 for a revealed field too, expected 2", self._model(lambda code, *_: 0)),
            ("the codes 0 and 2 are swapped", self._model(lambda code, *_: 2 - code)),
            self._swapped(),
        ]


class Reveal(_FieldFunction):
    """Checks which fields are revealed, and the code that is returned."""

    NAME = "reveal"

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "a hidden field", [([[_HIDDEN | value]], 0, 0) for value in (0, 3)]
        yield "a goose", [([[_HIDDEN | 9]], 0, 0), ([[_HIDDEN | 1, _HIDDEN | 9]], 0, 1)]
        yield "a marked field", [([[_HIDDEN | _MARKED | value]], 0, 0) for value in (0, 3, 9)]
        yield "a revealed field", [([[value, _HIDDEN | 1]], 0, 0) for value in (1, 9)] + [([[0]], 0, 0)]
        yield "all boards of two fields", AllCases(self._pairs())
        square = [[_HIDDEN | 1, _HIDDEN | 2], [_HIDDEN | 3, _HIDDEN | 4]]
        yield "row and column", [(square, r, c) for r in (0, 1) for c in (0, 1)]
        empty = self._covered_board([[0] * 3] * 3, [_HIDDEN])
        yield "a zero and its neighbors", [(empty, r, c) for r in range(3) for c in range(3)]
        yield "no chain reaction", [([[_HIDDEN] * 3], 0, 0), (self._covered_board([[0] * 4] * 4, [_HIDDEN]), 0, 0)]
        marked = [_HIDDEN, _HIDDEN | _MARKED, _HIDDEN]
        yield "marked neighbors stay", [([marked], 0, 0), (self._covered_board([[0] * 3] * 3, marked), 1, 0)]
        yield (
            "a zero shown again",
            [([[0, _HIDDEN | 1]], 0, 0), (self._covered_board([[0] * 3] * 2, [0, _HIDDEN]), 0, 0)],
        )
        yield "boards", (self._random(st, _boards(st, st.integers(1, 4), st.integers(1, 5))), 80)
        yield "large boards", (self._random(st, _large(st, st.just(20), st.just(60))), 5)

    def mistakes(self) -> Sequence[Mistake]:
        def inside(rows: Any, r: int, c: int) -> bool:
            return 0 <= r < len(rows) and 0 <= c < len(rows[0])

        def alone(code: int, after: Any, before: Any, r: int, c: int) -> None:
            own = after[r][c]
            after[:] = before
            after[r][c] = own

        def spread(marks: bool, chain: bool, kept: int = _VALUE) -> Any:
            def change(code: int, after: Any, before: Any, r: int, c: int) -> None:
                if after[r][c] != 0:
                    return
                work, seen = [(r, c)], {(r, c)}
                while work:
                    row, col = work.pop()
                    for dr, dc in _AROUND:
                        cell = y, x = row + dr, col + dc
                        if not inside(after, y, x) or cell in seen or (before[y][x] & _MARKED and not marks):
                            continue
                        seen.add(cell)
                        after[y][x] = before[y][x] & kept
                        if chain and after[y][x] == 0:
                            work.append(cell)

            return change

        def sides(code: int, after: Any, before: Any, r: int, c: int) -> None:
            for dr, dc in _AROUND:
                if dr and dc and inside(after, r + dr, c + dc):
                    after[r + dr][c + dc] = before[r + dr][c + dc]

        def not_again(code: int, after: Any, before: Any, r: int, c: int) -> None:
            if code == 2:
                after[:] = before

        def marked(code: int, after: Any, before: Any, r: int, c: int) -> int | None:
            if code != 1:
                return None
            found, board = self._right_answer(
                r,
                c,
                [[v & ~_MARKED if (y, x) == (r, c) else v for x, v in enumerate(row)] for y, row in enumerate(before)],
            )
            after[:] = [list(row) for row in board]
            return int(found)

        def goose_stays(code: int, after: Any, before: Any, r: int, c: int) -> None:
            if code == _GOOSE:
                after[:] = before

        return [
            (
                "a zero shows its neighbors, but not their neighbors: no chain reaction",
                self._model(spread(False, True)),
            ),
            (
                "a zero shows its neighbors that are not marked, but not their neighbors",
                self._model(spread(True, True)),
            ),
            ("marked neighbors are revealed too: they stay as they are", self._model(spread(True, False))),
            (
                "marked neighbors are revealed too: they stay as they are",
                self._model(spread(True, False, _VALUE | _MARKED)),
            ),
            ("the neighbors of a zero are not revealed", self._model(alone)),
            ("the corners are forgotten: a zero reveals eight neighbors", self._model(sides)),
            ("a zero that is shown again reveals its neighbors too, and returns 2", self._model(not_again)),
            ("a marked field is revealed: it stays as it is, and the code is 1", self._model(marked)),
            ("a goose stays hidden: it is revealed, and the code is 9", self._model(goose_stays)),
            ("the code of a goose is 9, not 0", self._model(lambda code, *_: 0 if code == _GOOSE else code)),
            (
                "the code of a field that is revealed already is 2, not 0",
                self._model(lambda code, *_: 0 if code == 2 else code),
            ),
            ("the code of a marked field is 1, not 0", self._model(lambda code, *_: 0 if code == 1 else code)),
            (
                "the codes 1 and 2 are swapped: 1 is marked, 2 revealed",
                self._model(lambda code, *_: {1: 2, 2: 1}.get(code, code)),
            ),
            self._swapped(),
        ]


class IsGameWon(_Fields):
    """Checks that the answer is true if and only if every field without a goose is revealed."""

    NAME = "is_game_won"
    LONG = 3
    _CODES = (0, 2, _GOOSE, _HIDDEN, _HIDDEN | _GOOSE, _HIDDEN | _MARKED, _HIDDEN | _MARKED | _GOOSE)

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "all boards of one field", AllCases(_every(self._CODES, 1))
        yield "all boards of two fields", AllCases(_every(self._CODES, 2, 2))
        yield "all boards of three fields", AllCases(_every(self._CODES, 3, 3))
        yield "geese alone", [[[_HIDDEN | _GOOSE] * w] * h for h, w in ((1, 3), (2, 2), (5, 5))] + [[[_HIDDEN] * 2]]
        left = [[[1] * 4 for _ in range(3)] for _ in range(12)]
        for at, rows in enumerate(left):
            rows[at // 4][at % 4] |= _HIDDEN
        yield "one field left", [*left, [[1] * 4] * 3]
        cell = st.sampled_from([0, 1, 1, 2, _HIDDEN | _GOOSE, _HIDDEN | _MARKED | _GOOSE] * 4 + [_HIDDEN | 1])
        rows = st.tuples(st.integers(2, 5), st.integers(2, 5)).flatmap(
            lambda hw: st.lists(st.lists(cell, min_size=hw[1], max_size=hw[1]), min_size=hw[0], max_size=hw[0])
        )
        yield "boards", (rows, 60)

    def invoke(self, submission: Any, arguments: Any) -> Any:
        before = _array(arguments)
        board, answer = self._run(submission, arguments)
        self.changed = not np.array_equal(before, board)
        return truth_of(answer, "the answer")

    def expect(self, case: Any) -> bool:
        return bool(self._geese.is_game_won(_array(case)))

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        if got != expected:
            hidden = [
                (r, c) for r, row in enumerate(case) for c, v in enumerate(row) if v & _HIDDEN and v & _VALUE != _GOOSE
            ]
            why = (
                f"the field {hidden[0]} has no goose and is hidden"
                if hidden
                else "every field without a goose is revealed"
            )
            raise Wrong(f"got {got}, expected {expected}: {why}", hidden)

    def spell(self, name: str, case: Any) -> str:
        return "; ".join(self._called(name, case, ()))

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        return [lambda *_: True, lambda *_: False]

    def mistakes(self) -> Sequence[Mistake]:
        def codes(case: Any) -> list[int]:
            return [code for row in case for code in row]

        def goose(code: int) -> bool:
            return code & _VALUE == _GOOSE

        return [
            (
                "the geese need not be revealed: only the fields without one",
                lambda case, _: not any(code & _HIDDEN for code in codes(case)),
            ),
            (
                "the geese need not be marked: revealing all other fields is enough",
                lambda case, e: e and all(code & _MARKED for code in codes(case) if goose(code)),
            ),
            (
                "marking every goose does not win: the other fields have to be revealed",
                lambda case, _: all(code & _MARKED for code in codes(case) if goose(code)),
            ),
            (
                "a marked field is still hidden: it counts as not revealed",
                lambda case, _: all(goose(code) or not code & _HIDDEN or code & _MARKED != 0 for code in codes(case)),
            ),
            (
                "the whole code is compared with 9: mask it with 0x0F first",
                lambda case, _: not any(code & _HIDDEN and code != _GOOSE for code in codes(case)),
            ),
            (
                "the function returns after the first field: return True only after the loop",
                lambda case, _: goose(codes(case)[0]) or not codes(case)[0] & _HIDDEN,
            ),
            (
                "only the last field decides: return False as soon as one is wrong",
                lambda case, _: goose(codes(case)[-1]) or not codes(case)[-1] & _HIDDEN,
            ),
            (
                "the code requires only one revealed field: all fields without a goose have to be revealed",
                lambda case, _: any(not goose(code) and not code & _HIDDEN for code in codes(case)),
            ),
            (
                "the last field is not looked at",
                lambda case, _: all(goose(code) or not code & _HIDDEN for code in codes(case)[:-1]),
            ),
            (
                "the last row is not looked at",
                lambda case, _: all(goose(code) or not code & _HIDDEN for code in codes(case[:-1])),
            ),
            (
                "the last column is not looked at",
                lambda case, _: all(goose(code) or not code & _HIDDEN for row in case for code in row[:-1]),
            ),
        ]

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        title = f"won: {expected}" + ("" if got is None else f"; got {got}")
        symbols = [[_symbol(code) for code in row] for row in case]
        return (Board(title, symbols, _colors(case), marked=frozenset(where or ()), first=where[0] if where else None),)


class PrintBoard(_Fields):
    """Checks the printed board, as a player sees it."""

    NAME = "print_board"
    LONG = 3

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "one field", [[[cover | value]] for cover in (_HIDDEN, _HIDDEN | _MARKED, 0) for value in range(10)]
        yield "all boards of two fields", AllCases(_every((0, 9, _HIDDEN | 1, _HIDDEN | _MARKED), 2, 2))
        yield "rows", [[[1, 2, 3], [4, 5, 6]], [[1, 2], [3, 4], [5, 6]], [[0] * 5, [_HIDDEN] * 5]]
        cell = st.sampled_from([cover | value for cover in (0, _HIDDEN, _HIDDEN | _MARKED) for value in range(10)])
        rows = st.tuples(st.integers(1, 4), st.integers(1, 6)).flatmap(
            lambda hw: st.lists(st.lists(cell, min_size=hw[1], max_size=hw[1]), min_size=hw[0], max_size=hw[0])
        )
        yield "boards", (rows, 40)

    def invoke(self, submission: Any, arguments: Any) -> Any:
        page = io.StringIO()
        with contextlib.redirect_stdout(page):
            _, answer = self._run(submission, arguments)
        if not page.getvalue() and isinstance(answer, str):
            raise UnreadableAnswer(f"returned {shown(answer)} and printed nothing: print the board")
        return page.getvalue()[:100_000]

    def expect(self, case: Any) -> str:
        symbols = [
            ["*" if c & _HIDDEN and not c & _MARKED else "M" if c & _MARKED else str(c & _VALUE) for c in r]
            for r in case
        ]
        return "\n".join("".join(row) for row in symbols) + "\n"

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        want, have = printed_lines(expected), printed_lines(got)
        for at in range(max(len(want), len(have))):
            one, other = want[at] if at < len(want) else None, have[at] if at < len(have) else None
            if one != other:
                printed = "nothing" if other is None else excerpt(other, one or "")
                due = "no more lines" if one is None else repr(one)
                raise Wrong(f"line {at + 1}: printed {printed}, expected {due}", at)

    def spell(self, name: str, case: Any) -> str:
        return "; ".join(self._called(name, case, ()))

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        def stars(symbol: str) -> Callable[[Any, Any], str]:
            return lambda case, _: "\n".join(symbol * len(row) for row in case)

        return [stars("*"), stars("M"), stars("0"), lambda *_: ""]

    def mistakes(self) -> Sequence[Mistake]:
        def each(symbol: Callable[[int], str], between: str = "", end: str = "\n") -> Callable[[Any, Any], Any]:
            def model(case: Any, _: Any) -> _Page:
                return _Page(end.join(between.join(symbol(code) for code in row) for row in case))

            return model

        def right(code: int) -> str:
            return "M" if code & _MARKED else "*" if code & _HIDDEN else str(code & _VALUE)

        def turned(case: Any, _: Any) -> _Page:
            return _Page("\n".join("".join(right(row[c]) for row in case) for c in range(len(case[0]))))

        return [
            ("print no space between the fields", each(right, " ")),
            ("a newline is missing after each row", each(right, "", "")),
            ("each field is on its own line", each(right, "\n")),
            ("print no empty line between the rows", each(right, "", "\n\n")),
            (
                "the mark is not shown: test the bit 0x10 first, because a marked field is hidden too",
                each(lambda c: "*" if c & _HIDDEN else str(c & _VALUE)),
            ),
            ("hidden fields are shown", each(lambda c: "M" if c & _MARKED else str(c & _VALUE))),
            ("the whole code is printed: mask the value with 0x0F", each(str)),
            ("a goose is printed as G: print its value, 9", each(lambda c: "G" if c == _GOOSE else right(c))),
            ("rows and columns are swapped: a row is printed on one line", turned),
        ]

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        panels: list[Panel] = [Board("given", [[_symbol(code) for code in row] for row in case], _colors(case))]
        for title, text in (("expected", expected), ("got", got)):
            if text is not None:
                lines = printed_lines(text)[:24] or [""]
                wide = max(1, min(60, max(map(len, lines))))
                symbols = [list(line[:wide].ljust(wide)) for line in lines]
                mark = (where, 0) if title == "got" and where is not None and where < len(lines) else None
                panels.append(Board(title, symbols, first=mark))
        return tuple(panels)


class _Page(str):
    """Printed text that equals other text if ``printed_lines`` returns the same lines for both."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and printed_lines(str(self)) == printed_lines(other)

    __hash__ = str.__hash__


class CreateBoard(Check):
    """Checks a new board of zeros."""

    NAME = "create_board"

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "squares", [(n, n) for n in (1, 2, 3, 20)]
        yield (
            "all boards of up to 12 fields",
            AllCases([(x, y) for x in range(1, 13) for y in range(1, 13) if x * y <= 12 and x != y]),
        )
        yield "large boards", [(60, 20), (20, 60), (59, 1), (60, 1), (1, 20)]

    def invoke(self, submission: Any, arguments: Any) -> Any:
        x_dim, y_dim = arguments
        board = submission(x_dim, y_dim)
        if board is None:
            raise UnreadableAnswer("returned None, expected a board" + missing(board))
        if isinstance(board, str | bytes) or not hasattr(board, "__setitem__"):
            raise UnreadableAnswer(f"returned {shown(board)}, expected an array or a list that can be changed")
        rows = list_of(board, "the answer")
        nested = bool(rows) and hasattr(rows[0], "__len__") and not isinstance(rows[0], str | bytes)
        if nested and not hasattr(rows[0], "__setitem__"):
            raise UnreadableAnswer(f"a row is {shown(rows[0])}, expected a list that can be changed")
        flat = [value for row in rows for value in list_of(row, "a row")] if nested else rows
        widths = sorted({len(row) for row in rows}) if nested else []
        texts = [value for value in flat if isinstance(value, str | bytes)]
        if texts:
            raise UnreadableAnswer(f"a field is the text {shown(texts[0])}, expected the number 0")
        values = [whole(value, "a field") for value in flat[: 60 * 60]]
        again = submission(x_dim, y_dim)
        shared = ""
        if rows and (not nested or widths[0]):
            # What is written into a row must appear neither in another row nor in the board of another call.
            lines = rows if nested else [board]
            kept = [line[0] for line in lines]
            for number, line in enumerate(lines, 1):
                line[0] = number
            others = list_of(again, "the answer")
            if any(line[0] != number for number, line in enumerate(lines, 1)):
                shared = "two rows"
            elif again is board or any(line[0] for line in (others if nested else [others])):
                shared = "the boards of two calls"
            for line, value in zip(lines, kept, strict=True):
                line[0] = value
        return len(rows), widths, len(flat), values, shared

    def expect(self, case: Any) -> Any:
        return case[0] * case[1]

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        x_dim, y_dim = case
        rows, widths, count, values, shared = got
        if widths and (rows, tuple(widths)) != (y_dim, (x_dim,)):
            hint = (
                "rows and columns are swapped: x_dim is the width of a row"
                if (rows, tuple(widths)) == (x_dim, (y_dim,))
                else ""
            )
            raise WrongWithHint(
                f"returned {counted(rows, 'row')} of {' or '.join(map(str, widths))}, "
                f"expected {counted(y_dim, 'row')} of {x_dim}",
                hint,
            )
        if count != expected:
            hint = "off by one" if abs(count - expected) == 1 else ""
            if count == x_dim + y_dim:
                hint = (
                    "x_dim + y_dim is used instead of x_dim * y_dim"
                    if not hint
                    else "off by one, or x_dim + y_dim instead of x_dim * y_dim"
                )
            raise WrongWithHint(f"returned {counted(count, 'field')}, expected {expected}", hint)
        wrong = next((at for at, value in enumerate(values) if value), None)
        if wrong is not None:
            hint = "the character '0' has the code 48: write the number 0" if values[wrong] == 48 else ""
            raise WrongWithHint(f"field {wrong} is {values[wrong]}, expected 0", hint)
        if shared:
            raise WrongWithHint(
                f"{shared} are the same object",
                "[[0] * width] * height repeats one row: make a new list for each row, in a loop"
                if shared == "two rows"
                else "one board is kept from call to call: make a new one inside the function",
            )

    def size(self, case: Any) -> Any:
        return case[0] * case[1], case

    def spell(self, name: str, case: Any) -> str:
        return f"{name}({case[0]}, {case[1]})"

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        return [lambda *_, n=n: (n, (), n, (0,) * n, "") for n in (1, 4, 9, 12)]

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        x_dim, y_dim = case
        panels: list[Panel] = [Board("expected", [["0"] * x_dim] * y_dim)]
        if got is not None:
            _, widths, _, values, _ = got
            wide = widths[-1] if widths else x_dim
            symbols = [[str(value) for value in values[at : at + wide]] for at in range(0, len(values), max(wide, 1))]
            panels.append(Board("got", symbols[:24] or [[" "]]))
        return tuple(panels)


class CleanBoard(_Fields):
    """Checks that every field of a board is set to 0."""

    NAME = "clean_board"
    LONG = 0

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "boards", [[[0]], [[_HIDDEN | 9]], [[1, 9], [1, 1]], [[0] * 60] * 20]

    def invoke(self, submission: Any, arguments: Any) -> Any:
        board = _array(arguments).ravel()
        answer = submission(board)
        if answer is not None:
            raise UnreadableAnswer(f"returned {shown(answer)}, expected nothing")
        return board.tolist()

    def expect(self, case: Any) -> tuple[int, ...]:
        return (0,) * len(case) * len(case[0])

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        if got != expected:
            raise WrongWithHint(
                "a field is not 0 after the call, expected every field to be 0",
                "Python frees memory by itself; set every field to 0",
            )

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        return [lambda case, _: tuple(code for row in case for code in row)]

    def spell(self, name: str, case: Any) -> str:
        setup, _ = self._called(name, case, ())
        return f"{setup}.ravel(); {name}(board); board"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        return self._shown(case, [[0] * len(row) for row in case], None, where, "given")


class SpreadGeese(Check):
    """Checks that geese are placed at random, in the right number and in each field equally often."""

    NAME = "spread_geese"
    EXACT = False
    _CALLS = 300

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "no geese", [(x, y, 0) for x, y in ((1, 1), (3, 2))]
        yield "geese everywhere", [(x, y, x * y) for x, y in ((1, 1), (2, 1), (1, 3), (3, 2))]
        yield "the number", [(x, y, n) for x, y in ((2, 1), (1, 3), (2, 2), (3, 2)) for n in range(1, x * y)]
        yield "large boards", [(60, 20, 200), (20, 60, 1100), (9, 9, 10)]

    def invoke(self, submission: Any, arguments: Any) -> Any:
        x_dim, y_dim, count = arguments
        calls = self._CALLS if x_dim * y_dim <= 12 else 3
        hits = np.zeros(x_dim * y_dim, dtype=np.int64)
        last: list[int] = []
        wrong: list[int] = []
        counts = set()
        for _ in range(calls):
            board = np.zeros((y_dim, x_dim), dtype=np.uint8)
            board = board.ravel() if self.form == 4 else board
            answer = submission(board, x_dim, y_dim, count) if self.form == 4 else submission(board, count)
            board = board if answer is None else np.asarray(matrix_of(answer, (y_dim, x_dim), "fields"))
            last = [int(value) for value in board.ravel()]
            if set(last) - {0, _GOOSE}:
                return calls, [], last, []
            counts.add(last.count(_GOOSE))
            if last.count(_GOOSE) != count:
                wrong = wrong or last
            hits += board.ravel() == _GOOSE
        return calls, hits.tolist(), wrong or last, sorted(counts)

    def expect(self, case: Any) -> Any:
        return case[2]

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        x_dim, y_dim, count = case
        calls, hits, last, counts = got
        fields = x_dim * y_dim
        strange = [value for value in last if value not in (0, _GOOSE)]
        if strange:
            raise WrongWithHint(
                f"a field is {strange[0]}, expected 0 or 9",
                "a goose is written as 9" if set(strange) == {1} else "",
                last,
            )
        if last.count(_GOOSE) != count:
            # A field drawn twice costs a goose in some calls, but not in others.
            twice = 0 < counts[0] < counts[-1] <= count
            hint = "a field is drawn twice: draw again if it has a goose already" if twice else ""
            raise WrongWithHint(f"placed {counted(last.count(_GOOSE), 'goose', 'geese')}, expected {count}", hint, last)
        if len(hits) != fields:
            raise ValueError("not an answer from `invoke`")
        if fields > 12:
            return
        mean = calls * count / fields
        # Six standard deviations: a correct function is refused for at most one field in 50 million.
        most = 6 * math.sqrt(mean * (1 - count / fields)) + 1e-9
        for at, hit in enumerate(hits):
            if abs(hit - mean) > most:
                never_last = not hits[-1] and all(hits[:-1])
                if set(hits) == {0, calls}:
                    hint = "the places are the same in each call: " + (
                        "the last field is never drawn, or a seed is set inside the function"
                        if never_last
                        else "draw them at random, and set no seed inside the function"
                    )
                elif never_last:
                    hint = "off by one: the last field is never drawn"
                else:
                    hint = "not every field is equally likely to be drawn"
                times = counted(hit, "time")
                words = f"in {calls} calls the field (x {at % x_dim}, y {at // x_dim}) had a goose {times}"
                raise WrongWithHint(f"{words}, expected about {mean:.0f}", hint, last)

    def size(self, case: Any) -> Any:
        return case[0] * case[1], case

    def spell(self, name: str, case: Any) -> str:
        x_dim, y_dim, count = case
        if self.form == 4:
            return f"board = np.zeros({x_dim * y_dim}, dtype=np.uint8); {name}(board, {x_dim}, {y_dim}, {count}); board"
        return f"board = np.zeros(({y_dim}, {x_dim}), dtype=np.uint8); {name}(board, {count}); board"

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        def first(case: Any, _: Any) -> Any:
            last = (_GOOSE,) * case[2] + (0,) * (case[0] * case[1] - case[2])
            return self._CALLS, tuple(self._CALLS * (value > 0) for value in last), last, case[2:]

        return [first, lambda case, _: (self._CALLS, (0,) * (case[0] * case[1]), (0,) * (case[0] * case[1]), (0,))]

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        x_dim, y_dim, count = case
        if got is None:
            return (Board(f"{counted(count, 'goose', 'geese')} to place", [["0"] * x_dim] * y_dim),)
        last = got[2]
        symbols = [[str(value) for value in last[row * x_dim : (row + 1) * x_dim]] for row in range(y_dim)]
        return (Board(f"got; expected {counted(count, 'goose', 'geese')}", symbols),)
