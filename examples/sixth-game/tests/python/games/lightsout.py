"""What the tests of all games need for Lights Out; ``games/__init__.py`` describes each name."""

from __future__ import annotations

import functools
from typing import Any

import gridwright as gw
import numpy as np

RANK = 2

RULES = ("last", "chase", "algebra", "choice")

GRADED: dict[str, Any] = {"height": 6, "width": 6}


def position() -> Any:
    return gw.LightsOut.level("level11")


def large(side: int) -> str:
    return ("#." * side)[:side] + "\n" + ("." * side + "\n") * (side - 1)


def wide() -> Any:
    """Returns a board whose 2^16 solutions take a while to compare."""
    return gw.LightsOut.generate(19, 19, seed=1)


ARGUMENTS: dict[str, dict[str, Any]] = {"generate": {"height": 3, "width": 4, "difficulty": 1}}

PROGRESS = {
    "LightsOut.generate": lambda p, _: gw.LightsOut.generate(2000, 2000, seed=1, progress=p),
    "LightsOut.solve": lambda p, _: wide().solve(progress=p),
    "LightsOut.solution": lambda p, _: wide().solution(progress=p),
    "LightsOut.hint": lambda p, _: wide().hint(progress=p),
    "LightsOut.play_on": lambda p, _: wide().play_on(progress=p),
    "LightsOut.explain": lambda p, _: wide().explain(progress=p),
    "LightsOut.difficulty": lambda p, _: wide().difficulty(progress=p),
    "LightsOut.perft": lambda p, _: wide().perft(9, progress=p),
}

EPISODES: dict[str, Any] = {"size": (2, 2)}

RECIPE = functools.partial(gw.LightsOut.generate, 5, 4)


def meanings() -> list[Any]:
    game = gw.LightsOut("#.")
    return [(game, (0, 0), {}), (game, (0, 1), {})]


DRAWN = ("level11", "Solvable in 5 moves, medium.")


def build(page: Any, game: Any) -> None:
    page.brush("light")
    for cell in np.argwhere(game.board).tolist():
        page.click(tuple(cell))
        page.wait(lambda cell=cell: page.editor.code(tuple(cell)) == 1)
