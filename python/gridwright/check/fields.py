"""Checks of GeeseSpotter's functions, on numpy boards or on the one-dimensional boards of the source document."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from .guard import Odd, parameters
from .judge import Check, Source, Wrong
from .panels import Board, Panel
from .read import matrix_of, whole

__all__ = ["ComputeNeighbours", "Mark", "Reveal"]

_HIDDEN, _MARKED, _VALUE = 0x20, 0x10, 0x0F


def _array(rows: Any) -> Any:
    return np.array(rows, dtype=np.uint8).reshape(len(rows), -1)


def _boards(st: Any, height: Any, width: Any) -> Any:
    """Boards of 0 and 9."""
    cell = st.sampled_from([0, 0, 0, 9])

    def rows(hw: Any) -> Any:
        return st.lists(st.lists(cell, min_size=hw[1], max_size=hw[1]), min_size=hw[0], max_size=hw[0])

    return st.tuples(height, width).flatmap(rows)


def _large(st: Any, height: Any, width: Any) -> Any:
    """Boards of 0 and 9 that are made from a seed: many fields drawn one by one take long."""

    def made(hws: Any) -> list[list[int]]:
        draw = np.random.default_rng(hws[2]).random(hws[:2])
        return np.where(draw < 0.2, 9, 0).tolist()  # type: ignore[no-any-return]

    return st.tuples(height, width, st.integers(0, 2**32)).map(made)


def _sign(code: int) -> str:
    """The sign of a field as a player sees it, with what lies under it."""
    value = code & _VALUE
    if code & _HIDDEN:
        return f"M{value}" if code & _MARKED else f"*{value}"
    return str(value) if not code & _MARKED else f"m{value}"


def _colors(rows: Any) -> list[list[str]]:
    def color(code: int) -> str:
        if code & _HIDDEN:
            return "orange" if code & _MARKED else "tile"
        return "red" if code & _VALUE == 9 else "tile_soft"

    return [[color(int(code)) for code in row] for row in rows]


class _Fields(Check):
    """What the functions share: a board that is changed in place, or given back changed."""

    _long = False
    """Whether the function has the signature of the source document."""

    def _called(self, name: str, board: str, shape: tuple[int, int], places: tuple[int, ...]) -> tuple[str, str]:
        """Writes the board that is lent, and the call, as they can be pasted."""
        lent = f"board = np.array({board}, dtype=np.uint8)" + (".ravel()" if self._long else "")
        height, width = shape
        arguments = (width, height, *reversed(places)) if self._long else places
        return lent, f"{name}({', '.join(map(str, ('board', *arguments)))})"

    def _run(self, person: Any, board: Any, places: tuple[int, ...], long_form: int) -> tuple[Any, Any]:
        height, width = board.shape
        self._long = parameters(person, 0) == long_form
        if self._long:
            lent = board.ravel().copy()
            answer = person(lent, width, height, *reversed(places))
        else:
            lent = board.copy()
            answer = person(lent, *places)
        # Where a larger type would be made of it, the board was replaced and not changed.
        return lent.reshape(height, width), answer

    def _where(self, want: Any, have: Any) -> list[tuple[int, int]]:
        return [(int(r), int(c)) for r, c in np.argwhere(want != have)]

    def _panels(self, given: Any, expected: Any, got: Any, where: Any, first: str) -> tuple[Panel, ...]:
        shown: list[Panel] = [Board(first, [[_sign(int(code)) for code in row] for row in given], _colors(given))]
        for title, board in (("expected", expected), ("got", got)):
            if board is None:
                continue
            marks = frozenset(where or ()) if title == "got" else frozenset()
            start = where[0] if where and title == "got" else None
            signs = [[self._shown(int(code)) for code in row] for row in board]
            shown.append(Board(title, signs, _colors(np.asarray(board) & 0x3F), marked=marks, first=start))
        return tuple(shown)

    @staticmethod
    def _shown(code: int) -> str:
        return _sign(code) if 0 <= code < 64 else str(code)


class ComputeNeighbours(_Fields):
    """The number of geese around each field."""

    NAME = "compute_neighbours"

    def __init__(self) -> None:
        self._geese = importlib.import_module("gridwright.geese")

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "one field", [[[0]], [[9]]]
        yield "one row", [[[0, 9]], [[9, 0]], [[9, 9]], [[9, 0, 0]], [[0, 0, 9]], [[0, 9, 0]], [[9, 0, 9]]]
        yield "one column", [[[0], [9]], [[9], [0]], [[9], [0], [0]], [[0], [0], [9]], [[0], [9], [0]], [[9], [0], [9]]]
        two = [[[9 * (bits >> at & 1) for at in (row, row + 1)] for row in (0, 2)] for bits in range(1, 16)]
        yield "two by two", two
        three = [[[9 if (r, c) == goose else 0 for c in range(3)] for r in range(3)] for goose in np.ndindex(3, 3)]
        yield "one goose in nine fields", three
        yield "many geese", [[[9, 9, 9], [9, 0, 9], [9, 9, 9]], [[9, 0, 9, 9], [0, 9, 9, 9]]]
        yield "boards", (_boards(st, st.integers(1, 5), st.integers(1, 5)), 60)
        yield "large boards", (_large(st, st.integers(15, 20), st.integers(30, 60)), 8)

    def put(self, person: Any, case: Any) -> Any:
        board, answer = self._run(person, _array(case), (), 3)
        if answer is not None:
            return matrix_of(answer, board.shape, "counts")
        return board.astype(np.int64)

    def expect(self, case: Any) -> Any:
        board = _array(case)
        self._geese.compute_neighbours(board)
        return board

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        wrong = self._where(expected, got)
        if wrong:
            r, c = wrong[0]
            raise Wrong(f"at ({r}, {c}): got {got[r][c]}, expected {expected[r][c]}", wrong)

    def size(self, case: Any) -> Any:
        return len(case) * len(case[0]), sum(map(sum, case)), len(case), case

    def spell(self, name: str, case: Any) -> str:
        lent, call = self._called(name, str(case), (len(case), len(case[0])), ())
        return f"{lent}; {call}; board"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        return self._panels(case, expected, got, where, "given")


class _AtPlace(_Fields):
    """A function that is given a place and answers a code."""

    def __init__(self) -> None:
        self._geese = importlib.import_module("gridwright.geese")

    def _lay(self, rows: Any, covers: Any) -> list[list[int]]:
        board = _array(rows)
        self._geese.compute_neighbours(board)
        covered = board | np.resize(np.array(covers, dtype=np.uint8), board.shape)
        return covered.tolist()  # type: ignore[no-any-return]

    def _random(self, st: Any, boards: Any) -> Any:
        cover = st.lists(st.sampled_from([_HIDDEN, _HIDDEN, 0, _HIDDEN | _MARKED]), min_size=1, max_size=30)

        def place(board: Any) -> Any:
            return st.tuples(st.just(board), st.integers(0, len(board) - 1), st.integers(0, len(board[0]) - 1))

        return st.tuples(boards, cover).map(lambda both: self._lay(*both)).flatmap(place)

    def put(self, person: Any, case: Any) -> Any:
        rows, row, col = case
        board, answer = self._run(person, _array(rows), (row, col), 5)
        if isinstance(answer, tuple) and len(answer) == 2:
            code, board = answer
            board = matrix_of(board, _array(rows).shape, "fields")
        else:
            code = answer
        if code is None:
            raise Odd("gave None, expected a code, a whole number (is a return missing?)")
        return whole(code, "the code"), board.astype(np.int64)

    def expect(self, case: Any) -> Any:
        rows, row, col = case
        board = _array(rows)
        return getattr(self._geese, self.NAME)(board, row, col), board

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        wrong = self._where(expected[1], got[1])
        if wrong:
            r, c = wrong[0]
            have, want = int(got[1][r][c]), int(expected[1][r][c])
            raise Wrong(f"the board after it, at ({r}, {c}): got {have:#04x}, expected {want:#04x}", wrong)
        if expected[0] != got[0]:
            raise Wrong(f"gave the code {got[0]}, expected {expected[0]}")

    def size(self, case: Any) -> Any:
        rows, row, col = case
        return len(rows) * len(rows[0]), sum(map(sum, rows)), row, col, rows

    def spell(self, name: str, case: Any) -> str:
        rows, row, col = case
        written = "[" + ", ".join("[" + ", ".join(f"{code:#04x}" for code in line) + "]" for line in rows) + "]"
        lent, call = self._called(name, written, (len(rows), len(rows[0])), (row, col))
        return f"{lent}; {call}, board"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        rows, row, col = case
        first = f"{self.NAME} at ({row}, {col})"
        return self._panels(rows, expected[1], None if got is None else got[1], where, first)


class Mark(_AtPlace):
    """Marking a field."""

    NAME = "mark"

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "a hidden field", [([[_HIDDEN | value]], 0, 0) for value in (0, 3, 9)]
        yield "a marked field", [([[_HIDDEN | _MARKED | value]], 0, 0) for value in (0, 3, 9)]
        yield "a revealed field", [([[value]], 0, 0) for value in (0, 3, 9)]
        corners = [(r, c) for r in (0, 1) for c in (0, 1, 2)]
        yield "row and column", [([[_HIDDEN] * 3, [_HIDDEN] * 3], r, c) for r, c in corners]
        yield "boards", (self._random(st, _boards(st, st.integers(1, 4), st.integers(1, 5))), 60)


class Reveal(_AtPlace):
    """Revealing a field."""

    NAME = "reveal"

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "a hidden field", [([[_HIDDEN | value]], 0, 0) for value in (0, 3)]
        yield "a goose", [([[_HIDDEN | 9]], 0, 0), ([[_HIDDEN | 1, _HIDDEN | 9]], 0, 1)]
        yield "a marked field", [([[_HIDDEN | _MARKED | value]], 0, 0) for value in (0, 3, 9)]
        yield "a revealed field", [([[value, _HIDDEN | 1]], 0, 0) for value in (1, 9)] + [([[0]], 0, 0)]
        square = [[_HIDDEN | 1, _HIDDEN | 2], [_HIDDEN | 3, _HIDDEN | 4]]
        yield "row and column", [(square, r, c) for r in (0, 1) for c in (0, 1)]
        empty = self._lay([[0] * 3] * 3, [_HIDDEN])
        yield "a zero and its neighbours", [(empty, r, c) for r in range(3) for c in range(3)]
        yield "no chain reaction", [([[_HIDDEN] * 3], 0, 0), (self._lay([[0] * 4] * 4, [_HIDDEN]), 0, 0)]
        marked = [_HIDDEN, _HIDDEN | _MARKED, _HIDDEN]
        yield "marked neighbours stay", [([marked], 0, 0), (self._lay([[0] * 3] * 3, marked), 1, 0)]
        yield "a zero shown again", [([[0, _HIDDEN | 1]], 0, 0), (self._lay([[0] * 3] * 2, [0, _HIDDEN]), 0, 0)]
        yield "boards", (self._random(st, _boards(st, st.integers(1, 4), st.integers(1, 5))), 80)
        yield "large boards", (self._random(st, _large(st, st.just(20), st.just(60))), 5)
