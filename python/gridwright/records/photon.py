"""All laser puzzles with one laser, one sensor and few pieces."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np

from .. import photon
from .store import Record, Work

__all__ = ["LASERS"]

_CHUNK = 1 << 18
"""The largest number of boards in one call of ``photon.trace_many``."""

_KINDS = 8
"""The number of different pieces: two mirrors, two splitters and four T-mirrors."""
_FIRST_PIECE, _FIRST_LASER, _FIRST_SENSOR = (
    int(photon.Tile.MIRROR_DOWN),
    int(photon.Tile.LASER_N),
    int(photon.Tile.SENSOR_N),
)

_SYMBOLS = (
    ". ",
    "W ",
    "M\\",
    "M/",
    "B\\",
    "B/",
    "T^",
    "T>",
    "Tv",
    "T<",
    "L^",
    "L>",
    "Lv",
    "L<",
    "S^",
    "S>",
    "Sv",
    "S<",
)
"""The tiles in the notation of the game, by their codes."""

_Fixed = tuple[tuple[int, int, int], tuple[int, int, int]]
"""Row, column and direction (N E S W = 0 to 3) of the laser and of the sensor."""


def _images(height: int, width: int, fixed: _Fixed) -> list[_Fixed]:
    """Returns the images of a laser and a sensor under the symmetries of the board."""
    found = []
    for down, right, turn in product((False, True), (False, True), (False, True)[: 1 + (height == width)]):
        made = []
        for row, col, heading in fixed:
            if down:
                row, heading = height - 1 - row, (2, 1, 0, 3)[heading]
            if right:
                col, heading = width - 1 - col, (0, 3, 2, 1)[heading]
            if turn:
                row, col, heading = col, row, (3, 2, 1, 0)[heading]
            made.append((row, col, heading))
        found.append((made[0], made[1]))
    return found


def _fixed(height: int, width: int) -> list[tuple[_Fixed, int]]:
    """Returns the pairs of a laser and a sensor that come first among their images, each with its number of images."""
    cells = list(product(range(height), range(width)))
    found = []
    for (one, other), heading, opening in product(product(cells, cells), range(4), range(4)):
        if one != other:
            both = ((*one, heading), (*other, opening))
            images = set(_images(height, width, both))
            if both == min(images):
                found.append((both, len(images)))
    return found


def _placements(free: int, pieces: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Returns the codes of all placements on the free cells, ``(n, free)``, and for each the index of its set of
    pieces."""
    kinds = np.array(list(product(range(_KINDS), repeat=pieces)), np.uint8).reshape(-1, pieces)
    _, sets = np.unique(np.sort(kinds, axis=1), axis=0, return_inverse=True)
    places = list(combinations(range(free), pieces))
    boards = np.zeros((len(places), len(kinds), free), np.uint8)
    for board, cells in zip(boards, places, strict=True):
        board[:, cells] = kinds + _FIRST_PIECE
    return boards.reshape(-1, free), np.tile(sets.reshape(-1), len(places))


def _work(key: tuple[Any, ...], state: Any) -> Work:
    height, width, pieces = key
    cells = height * width
    fixed = _fixed(height, width)
    free, sets = _placements(cells - 2, pieces)
    count = int(sets.max()) + 1
    done, puzzles, solvable, unique, starts, example = state or (0, 0, 0, 0, 0, "")
    boards = np.zeros((min(_CHUNK, len(free)), cells), np.uint8)
    placements = np.bincount(sets, minlength=count)
    for (laser, sensor), images in fixed[done:]:
        here, there = laser[0] * width + laser[1], sensor[0] * width + sensor[1]
        others = [cell for cell in range(cells) if cell not in (here, there)]
        boards[:, here], boards[:, there] = _FIRST_LASER + laser[2], _FIRST_SENSOR + sensor[2]
        lit = np.empty(len(free), bool)
        for i in range(0, len(free), _CHUNK):
            part = free[i : i + _CHUNK]
            boards[: len(part), others] = part
            shown = photon.trace_many(boards[: len(part)].reshape(-1, height, width))
            assert isinstance(shown, np.ndarray)
            lit[i : i + _CHUNK] = shown.reshape(-1, cells)[:, there]
        solutions = np.bincount(sets[lit], minlength=count)
        puzzles += images * count
        solvable += images * int((solutions > 0).sum())
        unique += images * int((solutions == 1).sum())
        starts += images * int((placements[solutions == 1] - 1).sum())
        if not example and (solutions == 1).any():
            example = _hardest(free, sets, lit, solutions, (here, there), boards[0], (height, width), pieces)
        done += 1
        if done < len(fixed):
            yield done / len(fixed), [done, puzzles, solvable, unique, starts, example]
    yield (
        1.0,
        {
            "puzzles": puzzles,
            "solvable": solvable,
            "unique": unique,
            "unique_starts": starts,
            "swaps": pieces if example else "",
            "example": example,
        },
    )


def _hardest(
    free: np.ndarray[Any, Any],
    sets: np.ndarray[Any, Any],
    lit: np.ndarray[Any, Any],
    solutions: np.ndarray[Any, Any],
    fixed: tuple[int, int],
    board: np.ndarray[Any, Any],
    shape: tuple[int, int],
    pieces: int,
) -> str:
    """Returns a puzzle with one solution that needs a swap per piece, rows joined by ``|``; empty if none is found."""
    others = [cell for cell in range(len(board)) if cell not in fixed]
    candidates = np.flatnonzero(lit & (solutions[sets] == 1))[:50]
    # First the starts at which the cells of the solution's pieces are empty: a swap fills at most one of these cells,
    # so at least one swap per piece is needed. A board with more pieces than empty cells has no such start. There, the
    # cells may also hold pieces of other kinds; a swap then fills two of the cells only if two pieces stand on each
    # other's cells.
    for is_empty in (True, False):
        for solved in candidates:
            clash = free > 0 if is_empty else free == free[solved]
            apart = (sets == sets[solved]) & ~(clash & (free[solved] > 0)).any(axis=1)
            for placement in np.flatnonzero(apart)[: 1 if is_empty else None]:
                start = board.copy()
                start[others] = free[placement]
                rows = [" ".join(_SYMBOLS[code] for code in row) for row in start.reshape(shape)]
                swaps = photon.MyPhoton(f"{shape[1]} {shape[0]}\n" + "\n".join(rows) + "\n").solve()
                if swaps is not None and len(swaps) == pieces:
                    return "|".join(rows)
    return ""


LASERS = Record(
    "laser",
    "the puzzles with one laser, one sensor and few pieces, and how many have one solution",
    ("height", "width", "pieces"),
    ("puzzles", "solvable", "unique", "unique_starts", "swaps", "example"),
    tuple((h, w, k) for h, w in ((2, 3), (2, 4), (3, 3), (3, 4), (4, 4)) for k in (1, 2, 3) if h * w <= 9 or k < 3),
    ((3, 4, 3), (4, 4, 3), (3, 3, 4), (3, 4, 4), (4, 4, 4), (4, 5, 3), (5, 5, 3)),
    _work,
)
