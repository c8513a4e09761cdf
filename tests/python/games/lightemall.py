"""What the tests of all games need for LightEmAll; ``games/__init__.py`` describes each name."""

from __future__ import annotations

import functools
from typing import Any

import gridwright as gw

RANK = 3


def position() -> Any:
    return gw.LightEmAll.generate(4, 5, seed=1)


def large(side: int) -> str:
    return f"{side} {side}\n" + ("5" * side + "\n") * side + "station 0 0\n"


def wires():
    return gw.LightEmAll.generate(1500, 1500, seed=1)


RULES = ("border", "agreed", "loop", "island", "trial", "search")

GRADED: dict[str, Any] = {"height": 6, "width": 6}

PROGRESS = {
    "LightEmAll.generate": lambda p, _: gw.LightEmAll.generate(4000, 4000, seed=1, progress=p),
    "LightEmAll.generate_many": lambda p, _: gw.LightEmAll.generate_many(20_000, 20, 20, seed=1, progress=p),
    "LightEmAll.solve": lambda p, _: wires().solve(progress=p),
    "LightEmAll.solution": lambda p, _: wires().solution(progress=p),
    "LightEmAll.count_solutions": lambda p, _: wires().count_solutions(10**9, progress=p),
    "LightEmAll.play_on": lambda p, _: wires().play_on(progress=p),
    "LightEmAll.hint": lambda p, _: wires().hint(progress=p),
    "LightEmAll.difficulty": lambda p, _: wires().difficulty(progress=p),
    "LightEmAll.explain": lambda p, _: wires().explain(progress=p),
    "LightEmAll.perft": lambda p, _: gw.LightEmAll.generate(6, 6, seed=1).perft(9, progress=p),
}

EPISODES: dict[str, Any] = {"size": (2, 2)}

RECIPE = functools.partial(gw.LightEmAll.generate, 4, 5)

LEVEL = "level05"


def meanings() -> list[Any]:
    tiles = gw.LightEmAll("2 3\n28a\n282\nstation 0 0")
    return [(tiles, cell, {}) for cell in ((0, 0), (0, 1), (1, 1), (1, 0), (0, 2))]


def pointer(game: Any, move: Any) -> list[tuple[Any, ...]]:
    kind, *cell = move
    return [("drag", [game.station, tuple(cell)])] if kind else [("click", tuple(cell), False)]


def keys(game: Any, move: Any) -> list[str]:
    """Returns the key that moves the station, an arrow key or, on hexagons, a letter; ``[]`` for a turn of a tile."""
    kind, *cell = move
    names = game.HEXAGON_KEYS if game.hexagonal else game.SQUARE_KEYS
    return [key for key, direction in names.items() if kind and game.beside(direction) == tuple(cell)]
