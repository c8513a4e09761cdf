"""The check of line tracing."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from .guard import parameters
from .judge import Check, Source, Wrong
from .panels import Board, Colored, Panel
from .read import cells_of

__all__ = ["TraceLine"]


def _beside_corners(expected: list[Any], got: list[Any]) -> list[Any]:
    """Puts the two cells beside a corner, which are in no order, into that of the expected list."""
    got = list(got)
    for at, ((row, col), (below, right)) in enumerate(pairwise(expected)):
        if row != below and col != right and got[at : at + 2] == expected[at : at + 2][::-1]:
            got[at : at + 2] = expected[at : at + 2]
    return got


class TraceLine(Check):
    """The cells that a segment crosses."""

    NAME = "trace_line"

    def __init__(self, method: str, ordered: bool) -> None:
        self._trace = importlib.import_module("gridwright.tracing").trace
        if method == "wu":
            raise ValueError("method must return cells without weights, got 'wu'")
        self._method, self._ordered = method, ordered
        self._many = 2

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
        place = st.tuples(st.integers(0, 9), st.integers(0, 9))
        yield "lines", (st.tuples(place, place), 80)
        far = st.tuples(st.integers(0, 400), st.integers(0, 400))
        yield "long lines", (st.tuples(far, far), 20)

    def put(self, person: Any, case: Any) -> Any:
        tail, head = case
        self._many = 4 if parameters(person, 2) == 4 else 2
        return cells_of(person(*tail, *head) if self._many == 4 else person(tail, head), "the answer")

    def expect(self, case: Any) -> Any:
        tail, head = case
        return [(int(r), int(c)) for r, c in self._trace(tail, head, self._method)]

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        missing = [cell for cell in expected if cell not in set(got)]
        extra = [cell for cell in got if cell not in set(expected)]
        if missing or extra:
            # The first along the line: those missing, unless something strange came before.
            if missing and (not extra or expected.index(missing[0]) <= got.index(extra[0])):
                raise Wrong(f"{missing[0]} is crossed and was not given", (missing, extra, missing[0]))
            raise Wrong(f"{extra[0]} was given and is not crossed", (missing, extra, extra[0]))
        if len(got) != len(expected):
            twice = next(cell for at, cell in enumerate(got) if cell in got[:at])
            raise Wrong(f"{twice} was given more than once", ([], [], twice))
        if self._method == "supercover":
            got = _beside_corners(expected, got)
        if self._ordered and got != expected:
            at = next(at for at, (one, other) in enumerate(zip(expected, got, strict=True)) if one != other)
            raise Wrong(
                f"cell number {at} was {got[at]}, expected {expected[at]}: from tail to head", ([], [], got[at])
            )

    def size(self, case: Any) -> Any:
        (r1, c1), (r2, c2) = case
        return abs(r1 - r2) + abs(c1 - c2), r1 + c1 + r2 + c2, case

    def spell(self, name: str, case: Any) -> str:
        tail, head = case
        return f"{name}({tail[0]}, {tail[1]}, {head[0]}, {head[1]})" if self._many == 4 else f"{name}({tail}, {head})"

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
        line = (((r1 - top, c1 - left), (r2 - top, c2 - left), "ink"),)
        shown: list[Panel] = []
        for title, cells, marks, strong in (
            ("expected", expected, frozenset(), None),
            ("got", got, moved, start),
        ):
            if cells is None:
                continue
            order = {cell: at for at, cell in reversed(list(enumerate(cells)))}
            signs, colors = [], []
            for r in range(top, top + high):
                signs.append([str(order.get((r, c), ".")) for c in range(left, left + wide)])
                colors.append(["sky" if (r, c) in order else "tile_soft" for c in range(left, left + wide)])
            kind: type[Board] = Colored if high * wide > 400 else Board
            shown.append(kind(title, signs, colors, marked=marks, first=strong, lines=line))
        return tuple(shown)
