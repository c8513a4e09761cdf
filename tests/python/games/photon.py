"""What the tests of all games need for MyPhoton; ``games/__init__.py`` describes each name."""

from __future__ import annotations

import functools
from typing import Any

import gridwright as gw
import numpy as np
from gridwright import photon

RANK = 4


def position() -> Any:
    return gw.MyPhoton.level("example")


def large(side: int) -> str:
    return f"{side} {side}\n" + (". " * side + "\n") * (side - 1) + "W " * (side - 1) + "L^\n"


def mirrors():
    return gw.MyPhoton.generate(15, 15, lasers=3, sensors=6, mirrors=8, splitters=3, tmirrors=2, seed=2)


def boards():
    return np.tile(gw.MyPhoton.level("example").board, (200_000, 1, 1))


RULES = ("direct", "forced", "shared", "spare", "trial", "search")

GRADED: dict[str, Any] = {"height": 8, "width": 8}

PROGRESS = {
    "MyPhoton.generate": lambda p, _: gw.MyPhoton.generate(
        20, 20, lasers=3, sensors=8, mirrors=8, unique=True, seed=1, progress=p
    ),
    "MyPhoton.solve": lambda p, _: mirrors().solve(progress=p),
    "MyPhoton.solution": lambda p, _: mirrors().solution(progress=p),
    "MyPhoton.hint": lambda p, _: mirrors().hint(progress=p),
    "MyPhoton.count_solutions": lambda p, _: mirrors().count_solutions(10**9, progress=p),
    "MyPhoton.play_on": lambda p, _: mirrors().play_on(progress=p),
    "MyPhoton.difficulty": lambda p, _: mirrors().difficulty(progress=p),
    "MyPhoton.explain": lambda p, _: mirrors().explain(progress=p),
    "MyPhoton.perft": lambda p, _: gw.MyPhoton.level("example").perft(9, progress=p),
    "photon.trace_many": lambda p, _: photon.trace_many(boards(), progress=p),
}

EPISODES: dict[str, Any] = {"size": (5, 6), "sensors": 1}

RECIPE = functools.partial(gw.MyPhoton.generate, 7, 6)


def meanings() -> list[Any]:
    game = gw.MyPhoton("7 5\nW W W W W W W\nW L>. . . S<W\nW . M/M\\. S<W\nW B/B\\T^T>. W\nW W W W W W W")
    cells = ((0, 0), (1, 1), (1, 5), (2, 5), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3), (3, 4), (3, 5), (1, 3))
    return [(game, cell, {}) for cell in cells]


def pointer(game: Any, move: Any) -> list[tuple[Any, ...]]:
    first, second = move[:2], move[2:]
    if not game.can_select(first):
        first, second = second, first
    return [("click", first, False), ("click", second, False)]
