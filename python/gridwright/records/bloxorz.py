"""The longest shortest solutions over all Bloxorz floors of a rectangle."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .. import _core
from .store import Record, Work

__all__ = ["FLOORS", "LIGHT_FLOORS"]

_CHUNKS = 128
"""The number of parts in which a large row is computed; each part takes a few seconds at most."""


def _drawn(height: int, width: int, tiles: int, light: int, start: int, target: int) -> str:
    """Returns the rows of a level in the notation of the game, joined by slashes."""
    symbols = ["." if light >> cell & 1 else "o" if tiles >> cell & 1 else "-" for cell in range(height * width)]
    symbols[start], symbols[target] = "S", "T"
    return "/".join("".join(symbols[row * width : (row + 1) * width]) for row in range(height))


def _work(key: tuple[Any, ...], state: Any, light: bool) -> Work:
    """Counts the floors of a rectangle by the rolls that they need; ``done`` counts the sets of tiles examined."""
    height, width = key
    sets = 1 << height * width
    done, floors, everything = (0, {}, {}) if state is None else state[:3]
    longest = None if state is None else state[3]
    # A saved state is JSON, whose keys are strings.
    up_to_symmetry: Counter[int] = Counter({int(rolls): count for rolls, count in floors.items()})
    all_floors: Counter[int] = Counter({int(rolls): count for rolls, count in everything.items()})
    step = max(1, sets // _CHUNKS)
    while done < sets:
        most = max(up_to_symmetry, default=-1)
        rows, example = _core.bloxorz_floor_census(height, width, light, done, done + step)
        for rolls, one, every in rows:
            up_to_symmetry[rolls] += one
            all_floors[rolls] += every
        if max(up_to_symmetry) > most:
            longest = example
        done += step
        if done < sets:
            # Copies, because the state may be saved after an interrupt in the middle of the counts.
            yield done / sets, [done, dict(up_to_symmetry), dict(all_floors), longest]
    most = max(up_to_symmetry)
    yield (
        1.0,
        {
            "rolls": most,
            "floors": up_to_symmetry[most],
            "floors_with_images": all_floors[most],
            # With no rolls there is no start or target to show.
            "example": _drawn(height, width, *longest) if most and longest else "",
            "histogram": " ".join(f"{rolls}:{up_to_symmetry[rolls]}" for rolls in sorted(up_to_symmetry)),
            "histogram_with_images": " ".join(f"{rolls}:{all_floors[rolls]}" for rolls in sorted(all_floors)),
        },
    )


def _plain(key: tuple[Any, ...], state: Any) -> Work:
    yield from _work(key, state, False)


def _light(key: tuple[Any, ...], state: Any) -> Work:
    yield from _work(key, state, True)


def _rectangles(least: int, most: int) -> tuple[tuple[int, int], ...]:
    """Returns the rectangles of ``least`` to ``most`` cells, at least two rows high and at least as wide as high.

    They are ordered by the number of cells.
    """
    found = [(h, w) for h in range(2, most + 1) for w in range(h, most // h + 1) if least <= h * w]
    return tuple(sorted(found, key=lambda size: (size[0] * size[1], size)))


_COLUMNS = ("rolls", "floors", "floors_with_images", "example", "histogram", "histogram_with_images")

FLOORS = Record(
    "bloxorz",
    "the most rolls that any floor of a rectangle needs, and how many floors need each number",
    ("height", "width"),
    _COLUMNS,
    _rectangles(4, 22),
    _rectangles(23, 30),
    _plain,
)

LIGHT_FLOORS = Record(
    "bloxorz_light",
    "the most rolls that any floor with light tiles needs, and how many floors need each number",
    ("height", "width"),
    _COLUMNS,
    _rectangles(4, 14),
    _rectangles(15, 20),
    _light,
)
