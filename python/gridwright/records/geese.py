"""How many small boards perfect play wins under Minesweeper's rules, and how many ``GeeseSpotter.hint`` wins."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Any

from .. import _core, geese
from .store import Record, Work

__all__ = ["MINESWEEPER"]


def _fields_up_to_symmetry(height: int, width: int) -> list[int]:
    """Returns the first of each set of fields that are images of each other."""
    found = {}
    for row in range(height):
        for col in range(width):
            r, c = min(row, height - 1 - row), min(col, width - 1 - col)
            found[tuple(sorted((r, c))) if height == width else (r, c)] = row * width + col
    # `found` keeps the last field of each set, whose image under a half turn is the first one.
    return sorted({min(field, height * width - 1 - field) for field in found.values()})


class _Policy:
    """Counts the boards that a player wins by always showing the field that ``GeeseSpotter.hint`` returns."""

    def __init__(self, height: int, width: int, number: int) -> None:
        self.height, self.width, self.number = height, width, number
        cells = [(row, col) for row in range(height) for col in range(width)]
        self.near = [
            sum(
                1 << i
                for i, (r, c) in enumerate(cells)
                if (r, c) != cell and max(abs(r - cell[0]), abs(c - cell[1])) < 2
            )
            for cell in cells
        ]

    def wins(self, boards: list[int], shown: int) -> int:
        """Returns how many of the boards are won; all of them look the same on the fields ``shown``.

        A board is a set of fields with a goose. Sets of fields are integers with one bit per field.
        """
        if len(boards) == 1:
            return 1  # every field without a goose is known
        unsafe = 0
        for board in boards:
            unsafe |= board
        # Fields without a goose on any of the boards are shown at once; without such a field, the policy guesses.
        fields = [i for i in range(len(self.near)) if not (unsafe | shown) >> i & 1]
        if not fields:
            fields = [self._hint(boards[0], shown)]
        for field in fields:
            shown |= 1 << field
        parts = defaultdict(list)
        for board in boards:
            if not any(board >> field & 1 for field in fields):
                parts[tuple((board & self.near[field]).bit_count() for field in fields)].append(board)
        return sum(self.wins(part, shown) for part in parts.values())

    def _hint(self, board: int, shown: int) -> int:
        codes = [
            f"{(9 if board >> i & 1 else (board & near).bit_count()) | (0 if shown >> i & 1 else 0x20):02x}"
            for i, near in enumerate(self.near)
        ]
        rows = [" ".join(codes[row * self.width :][: self.width]) for row in range(self.height)]
        text = f"{self.height} {self.width} {self.number}\n" + "\n".join(rows) + "\n"
        place = geese.GeeseSpotter(text).hint()
        assert place is not None, "two boards differ, so some hidden field may have no goose"
        return int(place[0]) * self.width + int(place[1])


def _work(key: tuple[Any, ...], state: Any) -> Work:
    height, width, number = key
    fields = _fields_up_to_symmetry(height, width)
    won: dict[str, int] = dict(state or {})
    for field in fields[len(won) :]:
        won[str(field)] = _core.geese_wins(height, width, number, field)
        yield len(won) / (len(fields) + 1), dict(won)
    cells = height * width
    boards = [sum(1 << i for i in chosen) for chosen in combinations(range(cells), number)]
    wins = max(won.values())
    best = [divmod(int(field), width) for field, count in won.items() if count == wins]
    yield (
        1.0,
        {
            "boards": len(boards),
            "wins": wins,
            "best_first": " ".join(f"{row},{col}" for row, col in best),
            "wins_by_first": " ".join("{},{}:{}".format(*divmod(int(i), width), count) for i, count in won.items()),
            "lookahead": _Policy(height, width, number).wins(boards, 0),
        },
    )


def _boards(least: int, most: int, sides: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int, int], ...]:
    return tuple((h, w, g) for h, w in sides for g in range(1, h * w) if least <= g <= most)


_SMALL = tuple((h, w) for h in range(1, 5) for w in range(h, 5) if h * w > 1)

MINESWEEPER = Record(
    "minesweeper",
    "the boards that perfect play wins, by size and number of geese",
    ("height", "width", "geese"),
    ("boards", "wins", "best_first", "wins_by_first", "lookahead"),
    _boards(1, 15, _SMALL),
    (*_boards(1, 19, ((4, 5),)), *_boards(1, 24, ((5, 5),))),
    _work,
)
