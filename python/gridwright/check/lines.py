"""Checks of Linear Domination: lines, tracing, the rules of a play, counting, and the whole program."""

from __future__ import annotations

import importlib
import itertools
import math
import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ..words import readable
from .guard import UnreadableAnswer
from .judge import AllCases, Check, Mistake, Source, Wrong, WrongWithHint
from .panels import Board, ColoredBoard, Panel
from .program import CommandRunner, Program, is_command
from .read import Cell, cells_of, excerpt, list_of, number, printed_lines, shown, truth_of, whole

METHODS = ("amanatides-woo", "amanatides-woo-float", "bresenham", "dda", "supercover")
"""The methods of tracing that return cells without weights."""

__all__ = ["METHODS", "Counts", "IsPlayValid", "Output", "ParametricLine", "TraceLine"]


def _beside_corners(expected: list[Any], got: list[Any]) -> list[Any]:
    """Puts the two cells beside a corner, which may come in either order, into the order of the expected list."""
    got = list(got)
    for at, ((row, col), (below, right)) in enumerate(pairwise(expected)):
        if row != below and col != right and got[at : at + 2] == expected[at : at + 2][::-1]:
            got[at : at + 2] = expected[at : at + 2]
    return got


class TraceLine(Check):
    """Checks the cells that a segment crosses.

    * ``method``: the method of ``gridwright.tracing`` that returns the right cells.
    * ``ordered``: whether the cells must come in order, from tail to head.
    """

    NAME = "trace_line"

    def __init__(self, method: str, ordered: bool) -> None:
        self._trace = importlib.import_module("gridwright.tracing").trace
        self._method, self._ordered = method, ordered
        # With supercover, the two cells beside a corner may come in either order; without `ordered`, any order will do.
        self.EXACT = ordered and method != "supercover"  # type: ignore[misc]

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "one cell", [((r, c), (r, c)) for r, c in ((0, 0), (2, 3))]
        straight = [((0, 0), (0, 3)), ((0, 0), (3, 0)), ((0, 2), (0, 0)), ((2, 1), (0, 1))]
        yield "along a row or column", straight
        diagonal = [((0, 0), (2, 2)), ((2, 2), (0, 0)), ((0, 2), (2, 0)), ((2, 0), (0, 2)), ((0, 0), (1, 1))]
        yield "diagonal", diagonal
        ends = [(r, c) for r in range(4) for c in range(4) if r * c and r != c]
        yield "to the lower right", [((0, 0), end) for end in ends]
        yield (
            "in the other directions",
            [
                line
                for r, c in ((1, 2), (2, 1), (1, 3), (3, 1), (2, 3))
                for line in (((r, c), (0, 0)), ((0, c), (r, 0)), ((r, 0), (0, c)))
            ],
        )
        every = [(r, c) for r in range(3) for c in range(3)]
        yield "all lines on 3 by 3 cells", AllCases([(tail, head) for tail in every for head in every])
        place = st.tuples(st.integers(0, 9), st.integers(0, 9))
        yield "lines", (st.tuples(place, place), 80)
        far = st.tuples(st.integers(0, 400), st.integers(0, 400))
        yield "long lines", (st.tuples(far, far), 20)

    @property
    def _long(self) -> bool:
        return self.form == 4

    def invoke(self, submission: Any, arguments: Any) -> Any:
        tail, head = Cell(*arguments[0]), Cell(*arguments[1])
        answer = submission(*tail, *head) if self._long else submission(tail, head)
        return cells_of(answer, "the answer", ordered=self._ordered)

    def expect(self, case: Any) -> Any:
        tail, head = case
        return tuple((int(r), int(c)) for r, c in self._trace(tail, head, self._method))

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        return [lambda case, _: (tuple(case[0]), tuple(case[1])), lambda case, _: (tuple(case[0]),), lambda *_: ()]

    def mistakes(self) -> Sequence[Mistake]:
        def other(method: str) -> Callable[[Any, Any], Any]:
            return lambda case, _: tuple((int(r), int(c)) for r, c in self._trace(*case, method))

        def walked(case: Any, tie: str) -> Any:
            """Returns the line of Amanatides and Woo, traced with fractions; at a corner, ``tie`` steps first."""
            (r, c), (r2, c2) = case
            dr, dc = abs(r2 - r), abs(c2 - c)
            step_r, step_c = (r2 > r) - (r2 < r), (c2 > c) - (c2 < c)
            far = Fraction(10**9)
            next_r, next_c = (Fraction(1, 2 * dr) if dr else far), (Fraction(1, 2 * dc) if dc else far)
            cells = [(r, c)]
            while (r, c) != (r2, c2) and len(cells) < 2 * (dr + dc) + 3:
                if next_r < next_c or (next_r == next_c and tie == "row"):
                    r, next_r = r + step_r, next_r + Fraction(1, dr)
                else:
                    c, next_c = c + step_c, next_c + Fraction(1, dc)
                cells.append((r, c))
            return tuple(cells)

        corners = [
            (
                "at a corner the line steps diagonally: here it steps to the next row first",
                lambda case, _: walked(case, "row"),
            ),
            (
                "at a corner the line steps diagonally: here it steps to the next column first",
                lambda case, _: walked(case, "column"),
            ),
            ("cells that the line only touches at a corner are listed, but must not be", other("supercover")),
        ]
        touched = ("cells that the line only touches at a corner are missing", other("amanatides-woo"))
        rounded = [
            (
                "this is Bresenham's line: cells that the line crosses only near a corner are missing",
                other("bresenham"),
            ),
            (
                "this is the line of rounded steps: cells that the line crosses only near a corner are missing",
                other("dda"),
            ),
        ]
        # A hint must be true of the method. The method of Amanatides and Woo lists the cells whose interior is crossed.
        # In floats, it may miss a corner and list a cell that is only touched; supercover lists all of those, and the
        # other methods may list fewer cells.
        return [
            *(corners if self._method == "amanatides-woo" else []),
            *([touched] if self._method == "supercover" else []),
            *(rounded if self._method in ("amanatides-woo", "amanatides-woo-float", "supercover") else []),
            ("the head is missing: the last cell must be the head", lambda _, e: e[:-1]),
            ("the tail is missing: the first cell must be the tail", lambda _, e: e[1:]),
            ("the cells come from head to tail", lambda _, e: e[::-1]),
            ("rows and columns are swapped in the answer", lambda _, e: tuple((c, r) for r, c in e)),
        ]

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        expected, got = list(expected), list(got)
        right, named = set(expected), set(got)
        missing = [cell for cell in expected if cell not in named]
        extra = [cell for cell in got if cell not in right]
        if missing or extra:
            # Reports the first wrong cell along the line: a missing one, unless an extra one comes before it.
            if missing and (not extra or expected.index(missing[0]) <= got.index(extra[0])):
                raise Wrong(f"{missing[0]} belongs to the line, but is not in the answer", (missing, extra, missing[0]))
            raise Wrong(f"{extra[0]} is in the answer, but does not belong to the line", (missing, extra, extra[0]))
        if len(got) != len(expected):
            twice = next(cell for at, cell in enumerate(got) if cell in got[:at])
            raise Wrong(f"{twice} is in the answer more than once", ([], [], twice))
        if self._method == "supercover":
            got = _beside_corners(expected, got)
        if self._ordered and got != expected:
            at = next(at for at, (one, other) in enumerate(zip(expected, got, strict=True)) if one != other)
            raise Wrong(
                f"the cell at index {at} is {got[at]}, expected {expected[at]}; the order is from tail to head",
                ([], [], got[at]),
            )

    def size(self, case: Any) -> Any:
        (r1, c1), (r2, c2) = case
        return abs(r1 - r2) + abs(c1 - c2), r1 + c1 + r2 + c2, case

    def spell(self, name: str, case: Any) -> str:
        tail, head = case
        return f"{name}({tail[0]}, {tail[1]}, {head[0]}, {head[1]})" if self._long else f"{name}({tail}, {head})"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        (r1, c1), (r2, c2) = case
        rows = range(min(r1, r2) - 2, max(r1, r2) + 3)
        cols = range(min(c1, c2) - 2, max(c1, c2) + 3)
        every = [*expected, *(cell for cell in got or [] if cell[0] in rows and cell[1] in cols)]
        top, left = min(r for r, _ in every), min(c for _, c in every)
        high, wide = max(r for r, _ in every) + 1 - top, max(c for _, c in every) + 1 - left
        missing, extra, first = where or ([], [], None)
        moved = frozenset(
            (r - top, c - left) for r, c in (*missing, *extra) if 0 <= r - top < high and 0 <= c - left < wide
        )
        start = (first[0] - top, first[1] - left) if first is not None and first in every else None
        line = (((r1 - top, c1 - left), (r2 - top, c2 - left), "yellow"),)
        shown: list[Panel] = []
        for title, cells, marks, strong in (
            ("expected", expected, frozenset(), None),
            ("got", got, moved, start),
        ):
            if cells is None:
                continue
            order = {cell: at for at, cell in reversed(list(enumerate(cells)))}
            symbols, colors = [], []
            for r in range(top, top + high):
                symbols.append([str(order.get((r, c), ".")) for c in range(left, left + wide)])
                colors.append(["sky" if (r, c) in order else "tile_soft" for c in range(left, left + wide)])
            kind: type[Board] = ColoredBoard if high * wide > 400 else Board
            shown.append(kind(title, symbols, colors, marked=marks, first=strong, lines=line))
        return tuple(shown)


def _vector(play: Any) -> tuple[int, int]:
    return play[2] - play[0], play[3] - play[1]


def _same_midpoint(one: Any, two: Any) -> bool:
    return bool(one[0] + one[2] == two[0] + two[2] and one[1] + one[3] == two[1] + two[3])


def _rounded(play: Any) -> tuple[int, int]:
    return (play[0] + play[2]) // 2, (play[1] + play[3]) // 2


def _perpendicular(one: Any, two: Any) -> bool:
    (a, b), (c, d) = _vector(one), _vector(two)
    return a * c + b * d == 0


def _parallel(one: Any, two: Any) -> bool:
    (a, b), (c, d) = _vector(one), _vector(two)
    return a * d - b * c == 0


class IsPlayValid(Check):
    """Checks the code's verdict on a play: whether the rules allow it, given the plays before it.

    * ``rules``: the rule set: ``"document"``, ``"standard"`` or ``"uccs2023"``.
    """

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
        yield "no lookback", [(5, 0, [line, (0, 4, 2, 4)]), (5, 0, [line, (0, 1, 2, 3)])]
        away = (3, 0, 4, 2)
        yield (
            "only the last plays",
            [
                (5, 1, [line, away, (0, 1, 2, 3)]),
                (5, 2, [line, away, (0, 1, 2, 3)]),
                (5, 1, [line, away, (4, 1, 3, 3), (0, 1, 2, 3)]),
            ],
        )
        if self._rules == "uccs2023":
            yield (
                "the same end",
                [(5, 1, [line, (1, 1, 2, 4)]), (5, 1, [line, (2, 2, 1, 3)]), (5, 1, [line, (1, 3, 2, 4)])],
            )
        cells = [(r, c) for r in range(2) for c in range(2)]
        plays = [(*tail, *head) for tail in cells for head in cells if tail != head]
        yield (
            "all pairs of lines on 2 by 2 cells",
            AllCases([(2, k, [one, two]) for k in (0, 1) for one in plays for two in plays]),
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

    def invoke(self, submission: Any, arguments: Any) -> Any:
        size, lookback, plays = arguments
        answer = submission(size, lookback, [tuple(play) for play in plays], len(plays) - 1)
        return truth_of(answer, "the answer")

    def expect(self, case: Any) -> Any:
        size, lookback, plays = case
        game = self._module.LinearDomination.empty(size, lookback, rules=self._rules)
        for play in plays:
            verdict = game.draw(play[:2], play[2:])
        return int(verdict) == self._module.Verdict.LEGAL

    def _window(self, case: Any) -> tuple[list[int], Any]:
        """Returns the indices of the last K plays before the final play, and the verdict on the final play."""
        size, lookback, plays = case
        game = self._module.LinearDomination.empty(size, lookback, rules=self._rules)
        verdicts = [self._module.Verdict(int(game.draw(play[:2], play[2:]))) for play in plays]
        legal = self._module.Verdict.LEGAL
        # Under the standard rules, illegal plays are not among the last K.
        earlier = [at for at, each in enumerate(verdicts[:-1]) if self._rules != "standard" or each == legal]
        return earlier[max(0, len(earlier) - lookback) :], verdicts[-1]

    def _verdict(self, case: Any) -> str:
        """Returns the verdict on the last play in words, which may name the earlier play that makes it illegal."""
        size, _, plays = case
        earlier, verdict = self._window(case)
        last = len(plays) - 1
        words = str(verdict.name).lower().replace("_", " ")
        tests = {"same midpoint": _same_midpoint, "perpendicular": _perpendicular}
        if words in tests:
            met = next((at for at in reversed(earlier) if tests[words](plays[at], plays[last])), None)
            if met is not None:
                return f"has the same midpoint as play {met}" if "mid" in words else f"is perpendicular to play {met}"
        if words == "out of board":
            return f"is off the board, whose rows and columns are 0 to {size - 1}"
        return (
            f"has the {words} as an earlier play"
            if words.startswith("same")
            else f"is {words}".replace("zero", "of zero")
        )

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        if got != expected:
            raise Wrong(f"got {got} for play {len(case[2]) - 1}, which {self._verdict(case)}", True)

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        return [lambda *_: True, lambda *_: False]

    def mistakes(self) -> Sequence[Mistake]:
        standard, ends = self._rules == "standard", self._rules == "uccs2023"

        def known(
            pair: Callable[[Any, Any], bool] = lambda one, two: _same_midpoint(one, two) or _perpendicular(one, two),
            inside: Callable[[int, Any], bool] = lambda size, play: all(0 <= x < size for x in play),
            window: Callable[[int, int], Iterable[int]] = lambda k, last: range(max(0, last - k), last),
            legal_only: bool = standard,
        ) -> Callable[[Any, Any], Any]:
            """Returns a model of a mistake: the rules of the rule set, except for what an argument replaces."""

            def model(case: Any, _: Any) -> bool:
                size, k, plays = case
                counted: list[Any] = []  # the plays that count among the last K
                fine = False
                for play in plays:
                    earlier = [counted[at] for at in window(k, len(counted))]
                    fine = inside(size, play) and not any(pair(one, play) for one in earlier)
                    fine = fine and not (standard and play[:2] == play[2:])
                    fine = fine and not (ends and any(one[:2] == play[:2] or one[2:] == play[2:] for one in earlier))
                    if fine or not legal_only:
                        counted.append(play)
                return fine

            return model

        both = lambda one, two: _same_midpoint(one, two) and _perpendicular(one, two)  # noqa: E731
        document = IsPlayValid("document")
        others: Mistake = (
            f'the code follows the rules of the document, not the rule set "{self._rules}"',
            lambda case, _: document.expect(case),
        )
        return [
            *([] if self._rules == "document" else [others]),
            (
                "a play with the same midpoint as one of the last K, or perpendicular to one, is illegal",
                known(lambda one, two: False),
            ),
            (
                "an earlier play alone does not make a play illegal: compare the midpoints, and test for a right angle",
                known(lambda one, two: True),
            ),
            ("`and` requires the same midpoint and a right angle: either is enough, so write `or`", known(both)),
            (
                "a play that is perpendicular to one of the last K is illegal: the dot product is 0",
                known(_same_midpoint),
            ),
            ("a play with the same midpoint as one of the last K is illegal", known(_perpendicular)),
            ("a play off the board is illegal", known(inside=lambda size, play: True)),
            (
                "the tail has to be on the board too",
                known(inside=lambda size, play: all(0 <= x < size for x in play[2:])),
            ),
            (
                "the head has to be on the board too",
                known(inside=lambda size, play: all(0 <= x < size for x in play[:2])),
            ),
            (
                "off by one: the last row and column are size - 1",
                known(inside=lambda size, play: all(0 <= x <= size for x in play)),
            ),
            (
                "the first row and column are 0, not 1",
                known(inside=lambda size, play: all(1 <= x <= size for x in play)),
            ),
            ("an end below 0 is off the board too", known(inside=lambda size, play: all(x < size for x in play))),
            (
                "off by one: the code looks back one play too few",
                known(window=lambda k, last: range(max(0, last - k + 1), last)),
            ),
            (
                "off by one: the code looks back one play too many",
                known(window=lambda k, last: range(max(0, last - k - 1), last)),
            ),
            ("only the last K plays count: the code looks at all plays", known(window=lambda k, last: range(last))),
            (
                "all of the last K plays count: the code looks only at the last one",
                known(window=lambda k, last: range(max(0, last - min(k, 1)), last)),
            ),
            (
                "all of the last K plays count: the code looks only at the first of them",
                known(window=lambda k, last: range(max(0, last - k), min(last, max(0, last - k) + 1))),
            ),
            (
                "illegal plays do not count among the last K"
                if standard
                else "illegal plays are left out: they count among the last K too",
                known(legal_only=not standard),
            ),
            (
                "the midpoint is rounded: compare the sums of both ends, or divide with /, not with //",
                known(lambda one, two: _rounded(one) == _rounded(two) or _perpendicular(one, two)),
            ),
            (
                "parallel is not perpendicular: the dot product is dr * dr' + dc * dc'",
                known(lambda one, two: _same_midpoint(one, two) or _parallel(one, two)),
            ),
        ]

    def size(self, case: Any) -> Any:
        size, lookback, plays = case
        return len(plays), size, lookback, str([tuple(play) for play in plays])

    def spell(self, name: str, case: Any) -> str:
        size, lookback, plays = case
        return f"{name}({size}, {lookback}, {[tuple(play) for play in plays]}, {len(plays) - 1})"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        size, _, plays = case
        shown = [*self._window(case)[0], len(plays) - 1]
        # An end that is off the board lies in a ring of blank cells around the board.
        ring = int(any(not 0 <= at < size for index in shown for at in plays[index]))
        side = max(size, 1) + 2 * ring
        inside = range(ring, side - ring)
        symbols = [["." if r in inside and c in inside else " " for c in range(side)] for r in range(side)]
        colors = [["tile_soft" if symbol == "." else "page" for symbol in row] for row in symbols]
        lines = []
        for index in shown:
            (sr, sc, er, ec), last = (at + ring for at in plays[index]), index == len(plays) - 1
            lines.append(((sr, sc), (er, ec), "orange" if last else "blue"))
            for (r, c), letter in (((sr, sc), "a"), ((er, ec), "b")):
                if 0 <= r < side and 0 <= c < side:
                    symbols[r][c] = letter.upper() if last else letter
        title = f"play {len(plays) - 1} (A to B) {self._verdict(case)}: expected {expected}" + (
            "" if got is None else f", got {got}"
        )
        return (ColoredBoard(title, symbols, colors, lines=tuple(lines)),)


_PROPERTIES = (
    ("vector", ("vector", "vector_", "get_vector", "getVector", "GetVector")),
    (
        "vector_normalized",
        ("vector_normalized", "vector_normalized_", "getVectorNormalized", "GetVectorNormalized", "unit"),
    ),
    ("midpoint", ("midpoint", "mid_point", "mid_point_", "midpoint_", "midPoint", "getMidPoint", "GetMidPoint")),
)
_AT = ("barycentric_coordinate", "barycentricCoordinate", "BarycentricCoordinate", "at")


def _is_near(want: Any, have: Any) -> bool:
    """Returns whether two pairs of numbers are equal up to rounding; ``None`` in place of ``want`` equals any pair."""
    return want is None or all(abs(a - b) <= 1e-9 for a, b in zip(want, have, strict=True))


def _mapped(change: Callable[[Any], Any], value: Any) -> Any:
    """Applies ``change`` to a pair of numbers, or to each pair of a tuple of pairs; ``None`` stays ``None``."""
    if value is None:
        return None
    return tuple(map(change, value)) if isinstance(value[0], tuple) else change(value)


class _Line:
    """A line with a mistake, equal to an answer with the same numbers up to rounding.

    * ``line``: the properties: ``vector``, ``unit``, ``middle`` and the points ``at``.
    """

    def __init__(self, line: dict[str, Any]) -> None:
        self._pairs = (line["vector"], line["unit"], line["middle"], *line["at"])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple):
            return False
        return all(map(_is_near, self._pairs, (*other[0], *other[1])))

    __hash__ = None  # type: ignore[assignment]


class ParametricLine(Check):
    """Checks a line between two cells: its vector, its unit vector, its midpoint, and other points on it."""

    NAME = "parametric_line"
    ARGUMENT = "cls"
    ACCEPTED = "a class"
    _T = (0.0, 1.0, 0.5, 0.25, -1.0, 2.0)

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "along an axis", [(0, 0, 0, 2), (0, 0, 3, 0), (1, 2, 1, 0), (2, 1, 0, 1)]
        every = list(itertools.product(range(3), repeat=4))
        yield "all lines on 3 by 3 cells", AllCases([line for line in every if line[:2] != line[2:]])
        yield "no length", [(0, 0, 0, 0), (2, 1, 2, 1)]
        far = st.integers(0, 50)
        yield "lines", (st.tuples(far, far, far, far), 60)

    def invoke(self, submission: Any, arguments: Any) -> Any:
        line = submission(*arguments) if self.form == 4 else submission(Cell(*arguments[:2]), Cell(*arguments[2:]))
        found: list[Any] = []
        for name, names in _PROPERTIES:
            if arguments[:2] == arguments[2:] and name == "vector_normalized":
                found.append(None)  # a line of zero length has no direction
                continue
            have = next((each for each in names if hasattr(line, each)), None)
            if have is None:
                raise UnreadableAnswer(f"the line has no {name}")
            value = getattr(line, have)
            found.append(self._pair(value() if callable(value) else value, name))
        have = next((each for each in _AT if hasattr(line, each)), None)
        if have is None:
            raise UnreadableAnswer("the line has no barycentric_coordinate")
        return found, [self._pair(getattr(line, have)(t), f"{have}({t:g})") for t in self._T]

    @staticmethod
    def _pair(value: Any, name: str) -> list[float]:
        if hasattr(value, "x") and hasattr(value, "y") and not isinstance(value, Iterable):
            value = (value.y, value.x)  # x is the column, as in all checks
        pair = [number(each, name) for each in list_of(value, name)]
        if len(pair) != 2:
            raise UnreadableAnswer(f"{name} is {shown(value)}, expected two numbers")
        return pair

    def expect(self, case: Any) -> Any:
        r1, c1, r2, c2 = case
        tail, head = (r1 + 0.5, c1 + 0.5), (r2 + 0.5, c2 + 0.5)
        vector = (float(r2 - r1), float(c2 - c1))
        length = math.hypot(*vector)
        at = tuple(tuple((1 - t) * a + t * b for a, b in zip(tail, head, strict=True)) for t in self._T)
        unit = (vector[0] / length, vector[1] / length) if length else None
        return (vector, unit, at[2]), at

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        names = [name for name, _ in _PROPERTIES] + [f"barycentric_coordinate({t:g})" for t in self._T]
        for name, want, have in zip(names, (*expected[0], *expected[1]), (*got[0], *got[1]), strict=True):
            if not _is_near(want, have):
                points = [", ".join(f"{x:.6g}" for x in point) for point in (have, want)]
                raise Wrong(f"{name} is ({points[0]}), expected ({points[1]})")

    def mistakes(self) -> Sequence[Mistake]:
        def known(change: Callable[..., dict[str, Any]]) -> Callable[[Any, Any], Any]:
            """Returns a model of a mistake: the right line, except for the properties that ``change`` returns."""

            def model(case: Any, expected: Any) -> _Line:
                (vector, unit, middle), at = expected
                line = {"vector": vector, "unit": unit, "middle": middle, "at": at}
                return _Line(line | change(**line))

            return model

        def each(change: Callable[[float], float], *names: str) -> Callable[[Any, Any], Any]:
            """Returns a model of code that changes every coordinate of the named properties."""

            def changed(**line: Any) -> dict[str, Any]:
                return {name: _mapped(lambda pair: tuple(map(change, pair)), line[name]) for name in names}

            return known(changed)

        def turned(*names: str) -> Callable[[Any, Any], Any]:
            def changed(**line: Any) -> dict[str, Any]:
                return {name: _mapped(lambda pair: pair[::-1], line[name]) for name in names}

            return known(changed)

        def divided(length: Callable[[float, float], float]) -> Callable[[Any, Any], Any]:
            def changed(vector: Any, unit: Any, **_: Any) -> dict[str, Any]:
                return {"unit": unit and tuple(x / length(*vector) for x in vector)}

            return known(changed)

        def reversed_ends(at: Any, **_: Any) -> dict[str, Any]:
            tail, head = at[:2]
            return {"at": tuple(tuple(t * a + (1 - t) * b for a, b in zip(tail, head, strict=True)) for t in self._T)}

        corners = "points are the centers of cells: add 0.5 to row and column"
        root = "the length is the square root of the sum of squares"
        turn = "the vector leads from tail to head: head - tail"
        signs = "the vector leads from tail to head: keep the signs"
        sides = "rows and columns are swapped"
        everything = ("vector", "unit", "middle", "at")
        return [
            (corners, each(lambda x: x - 0.5, "middle", "at")),
            *((turn, each(lambda x: -x, *names)) for names in (("vector", "unit"), ("vector",), ("unit",))),
            *((signs, each(abs, *names)) for names in (("vector", "unit"), ("vector",), ("unit",))),
            ("a unit vector has length 1: divide by the length", divided(lambda r, c: 1)),
            (
                "a unit vector has length 1: divide by the length, not by the largest component",
                divided(lambda r, c: max(abs(r), abs(c))),
            ),
            (root, divided(lambda r, c: abs(r) + abs(c))),
            (f"{root}: the root is missing", divided(lambda r, c: r * r + c * c)),
            ("the ends are swapped: t = 0 is the tail, t = 1 the head", known(reversed_ends)),
            ("the midpoint is half the sum", each(lambda x: 2 * x, "middle")),
            ("the midpoint is half the sum of both ends, not half their difference", known(self._half_difference)),
            ("the midpoint is rounded: divide with /, not with //", each(math.floor, "middle")),
            (
                "the midpoint is half the sum of both centers, not rounded",
                each(lambda x: math.floor(x - 0.5), "middle"),
            ),
            (
                "the midpoint is half the sum of both centers: add 0.5 to row and column",
                each(lambda x: x - 0.5, "middle"),
            ),
            (
                "barycentric_coordinate returns points between centers: add 0.5 to row and column",
                each(lambda x: x - 0.5, "at"),
            ),
            *((sides, turned(*names)) for names in (everything, ("middle", "at"), *((name,) for name in everything))),
        ]

    @staticmethod
    def _half_difference(vector: Any, **_: Any) -> dict[str, Any]:
        return {"middle": tuple(x / 2 for x in vector)}

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        return [lambda *_: (((0.0, 0.0), (0.0, 0.0), (0.5, 0.5)), ((0.5, 0.5),) * len(self._T))]

    def size(self, case: Any) -> Any:
        r1, c1, r2, c2 = case
        return abs(r1 - r2) + abs(c1 - c2), r1 + c1 + r2 + c2, case

    def spell(self, name: str, case: Any) -> str:
        r1, c1, r2, c2 = case
        return (
            f"line = {name}({r1}, {c1}, {r2}, {c2})" if self.form == 4 else f"line = {name}(({r1}, {c1}), ({r2}, {c2}))"
        )

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        r1, c1, r2, c2 = case
        high, wide = max(r1, r2) + 1, max(c1, c2) + 1
        if max(high, wide) > 12:
            return ()
        symbols = [
            ["A" if (r, c) == (r1, c1) else "B" if (r, c) == (r2, c2) else "." for c in range(wide)]
            for r in range(high)
        ]
        return (
            ColoredBoard("from A to B", symbols, [["tile_soft"] * wide] * high, lines=(((r1, c1), (r2, c2), "ink"),)),
        )


class Counts(Check):
    """Checks how many cells each player has."""

    NAME = "counts"
    _SYMBOLS = " XO"

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "one cell", [[[code]] for code in (0, 1, 2)]
        every = [[list(codes[:2]), list(codes[2:])] for codes in itertools.product((0, 1, 2), repeat=4)]
        yield "all boards of 2 by 2 cells", AllCases(every)
        cell = st.sampled_from([0, 0, 1, 2])
        rows = st.integers(1, 6).flatmap(
            lambda n: st.lists(st.lists(cell, min_size=n, max_size=n), min_size=n, max_size=n)
        )
        yield "boards", (rows, 50)

    def invoke(self, submission: Any, arguments: Any) -> Any:
        if self.form == 2:
            grid = [[self._SYMBOLS[code] for code in row] for row in arguments]
            return [whole(submission([list(row) for row in grid], symbol), f"the count of {symbol}") for symbol in "XO"]
        answer = list_of(submission(np.array(arguments, dtype=np.uint8)), "the answer")
        if len(answer) != 2:
            raise UnreadableAnswer(f"returned {shown(answer)}, expected two numbers: the cells of X and of O")
        return [whole(each, "a count") for each in answer]

    def expect(self, case: Any) -> Any:
        flat = [code for row in case for code in row]
        return flat.count(1), flat.count(2)

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        if got != expected:
            raise Wrong(f"returned {got[0]} for X and {got[1]} for O, expected {expected[0]} and {expected[1]}")

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        return [lambda *_, pair=pair: pair for pair in itertools.product(range(4), repeat=2)]

    def mistakes(self) -> Sequence[Mistake]:
        def of(rows: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
            return lambda case, _: self.expect(rows(case))

        def empty(case: Any, e: Any) -> Any:
            free = sum(code == 0 for row in case for code in row)
            return e[0] + free, e[1]

        def summed(case: Any, e: Any) -> Any:
            return e[0], 2 * e[1]

        return [
            ("X and O are swapped", lambda _, e: e[::-1]),
            ("the last row is not counted", of(lambda rows: rows[:-1])),
            ("the last column is not counted", of(lambda rows: [row[:-1] for row in rows])),
            ("the first row is not counted", of(lambda rows: rows[1:])),
            ("the first column is not counted", of(lambda rows: [row[1:] for row in rows])),
            ("only the first row is counted: the return is inside the loop", of(lambda rows: rows[:1])),
            ("empty cells are counted for X", empty),
            ("empty cells are counted for O", lambda case, e: (e[0], empty(case, e)[0] - e[0] + e[1])),
            ("the codes are added up instead of counted: O is 2", summed),
        ]

    def size(self, case: Any) -> Any:
        return len(case), sum(map(sum, case)), case

    def spell(self, name: str, case: Any) -> str:
        if self.form == 2:
            grid = [[self._SYMBOLS[code] for code in row] for row in case]
            return f"{name}({grid}, 'X'), {name}({grid}, 'O')"
        return f"{name}(np.array({case}, dtype=np.uint8))"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        hues = ("tile_soft", "ink", "page")
        title = f"X {expected[0]}, O {expected[1]}"
        return (
            Board(
                title, [[".XO"[code] for code in row] for row in case], [[hues[code] for code in row] for row in case]
            ),
        )


_MAX_OUTPUT = 100_000
"""The maximum number of characters that are read from the output of a program."""


class Output(Check):
    """Checks the whole program: from the text of a game to the board and the counts.

    * ``rules``: the rule set: ``"document"``, ``"standard"`` or ``"uccs2023"``.
    """

    NAME = "output"
    ARGUMENT = "program"
    ACCEPTED = "a function or a command"

    def __init__(self, rules: str) -> None:
        self._module = importlib.import_module("gridwright.domination")
        self._rules = rules
        self._is_command = False

    def accepts(self, submission: Any) -> bool:
        return callable(submission) or is_command(submission)

    def runner(self, submission: Any) -> Any:
        self._is_command = is_command(submission)
        return CommandRunner if self._is_command else super().runner(submission)

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "no plays", ["1 0\n", "2 1\n", "3 2\n"]
        yield "one play", ["1 0\n1 1 1 1\n", "2 1\n1 1 2 2\n", "3 1\n1 1 1 3\n", "3 0\n3 1 1 2\n", "4 1\n4 4 1 3\n"]
        yield "two plays", ["3 0\n1 1 1 3\n2 1 2 3\n", "3 0\n1 1 3 3\n1 3 3 1\n", "3 0\n1 1 3 1\n1 2 3 2\n"]
        yield (
            "illegal plays",
            ["3 1\n1 1 1 3\n1 1 3 1\n", "3 1\n1 1 4 3\n2 1 2 3\n", "3 1\n1 1 3 3\n1 3 3 1\n3 1 3 3\n"],
        )
        yield "numbers on one line", ["3 0 1 1 1 3 2 1 2 3", "  2   1\n\n1 1\n2 2\n"]

        def game(size: int) -> Any:
            place = st.integers(1, size)
            play = st.tuples(place, place, place, place).filter(lambda play: play[:2] != play[2:])
            drawn = st.tuples(st.just(size), st.integers(0, 3), st.lists(play, min_size=0, max_size=6))
            return drawn.map(
                lambda both: "\n".join([f"{both[0]} {both[1]}", *(" ".join(map(str, play)) for play in both[2])]) + "\n"
            )

        yield "games", (st.integers(1, 6).flatmap(game), 30)

    def invoke(self, submission: Any, arguments: Any) -> Any:
        # The code may leave a file open, which keeps some systems from removing it.
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            before, after = Path(folder, "input.txt"), Path(folder, "output.txt")
            if isinstance(submission, Program) or self.form == 2:
                before.write_text(arguments)
                if isinstance(submission, Program):
                    submission.run([str(before), str(after)], "")
                else:
                    submission(os.fspath(before), os.fspath(after))
                # A folder cannot be read, and a pipe or a device might never end.
                if not after.is_file():
                    raise UnreadableAnswer("wrote no file at the output path")
                try:
                    with open(after, errors="replace") as file:
                        return readable(file.read(_MAX_OUTPUT), _MAX_OUTPUT)
                except OSError as error:
                    raise UnreadableAnswer(f"wrote a file that cannot be read: {error.strerror}") from None
        answer = submission(arguments)
        if not isinstance(answer, str):
            raise UnreadableAnswer(
                f"returned {shown(answer)}, expected text" + (" (is a return missing?)" if answer is None else "")
            )
        return answer[:_MAX_OUTPUT]

    def expect(self, case: Any) -> Any:
        game = self._module.LinearDomination(case)
        made = self._module.LinearDomination.empty(game.size, game.lookback, rules=self._rules)
        for play in game.plays.tolist():
            made.draw(play[:2], play[2:])
        return made.report(empty=".")

    @staticmethod
    def _cells(line: str) -> str:
        """Returns the symbols of a printed row, in which a space follows each cell; empty cells become periods."""
        return line[::2].replace(" ", ".")

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        want = printed_lines(expected)
        have = [line.rstrip() for line in got.split("\n")]
        size = len(want) - 1
        for at in range(size):
            if at >= len(have):
                raise Wrong(f"row {at + 1} of the board is missing", at)
            one, other = self._cells(want[at]), self._cells(have[at]).ljust(size, ".")
            # Only spaces may separate the cells.
            between = next((c for c, symbol in enumerate(have[at][1::2]) if not symbol.isspace()), size)
            if one != other or between < size:
                col = next((c for c, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), size)
                col = min(col, between)
                words = f"row {at + 1}, column {col + 1}: got {excerpt(have[at], want[at])}, expected {want[at]!r}"
                raise WrongWithHint(words, self._why(want[:size], have[:size]), at)
        rest = [line for line in have[size:] if line]
        lines = [" ".join(line.split()) for line in rest]
        if lines[:1] == want[size:] and len(lines) > 1:
            raise Wrong(f"got {excerpt(rest[1])} after the last line, expected nothing", size + 1)
        if lines != want[size:]:
            found = excerpt(rest[0], want[size]) if rest else "nothing"
            raise WrongWithHint(
                f"the last line: got {found}, expected {want[size]!r}", self._why_counts(want[size], rest), size
            )

    def _why(self, want: list[str], have: list[str]) -> str:
        size = len(want)
        rows = [self._cells(line).ljust(size, ".") for line in have]
        ours = [self._cells(line) for line in want]
        if rows == ours:
            return "each cell must be followed by a space"
        if len(rows) == size and ["".join(col) for col in zip(*rows, strict=False)] == ours:
            return "rows and columns are swapped"
        trade = str.maketrans("XO", "OX")
        if {"X", "O"} <= set("".join(ours)) and [row.translate(trade) for row in rows] == ours:
            return "X and O are swapped: X begins"
        if have and " " not in have[0].strip() and len(have[0].strip()) == size > 1:
            return "each cell must be followed by a space"
        return ""

    @staticmethod
    def _why_counts(want: str, rest: list[str]) -> str:
        numbers = [word.strip(":;") for word in want.split() if word.strip(":;").isdigit()]
        theirs = [word.strip(":;") for word in (rest[0].split() if rest else []) if word.strip(":;").isdigit()]
        if theirs == numbers[::-1] and theirs != numbers:
            return "the counts of X and O are swapped"
        return "" if theirs != numbers else "the sentence must read: Player X: V cells; Player O: W cells"

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        def blank(case: Any, _: Any) -> str:
            size = int(case.split()[0])
            return "\n".join([". " * size] * size) + "\nPlayer X: 0 cells; Player O: 0 cells\n"

        return [blank]

    def size(self, case: Any) -> Any:
        return len(case.split()), case

    def spell(self, name: str, case: Any) -> str:
        if self._is_command:
            return f"{name}, with {case!r} in the input file"
        return f"{name}({case!r})" if self.form != 2 else f"{name}(input, output)  # the input holds {case!r}"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        panels: list[Panel] = []
        for title, text in (("expected", expected), ("got", got)):
            if text is not None:
                rows = [list(line[:60]) or [" "] for line in printed_lines(text)[:20]] or [[" "]]
                wide = max(map(len, rows))
                mark = (where, 0) if title == "got" and where is not None and where < len(rows) else None
                panels.append(Board(title, [row + [" "] * (wide - len(row)) for row in rows], first=mark))
        return tuple(panels)
