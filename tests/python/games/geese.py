"""What the tests of all games need for GeeseSpotter; ``games/__init__.py`` describes each name."""

from __future__ import annotations

import functools
from typing import Any

import gridwright as gw
import numpy as np
from gridwright import geese

RANK = 3


def position() -> Any:
    return gw.GeeseSpotter.generate(5, 6, 4, seed=1)


def large(side: int) -> str:
    return f"{side} {side} 0\n" + ("20 " * side + "\n") * side


def entangled(size=40):
    """Returns a board with few independent parts: each field without a goose is revealed with probability 0.4."""
    count = 7 * size * size // 20
    board = geese.boards(1, size, size, count, seed=1)[0]
    free = (board & geese.value_mask() != 9) & (np.random.default_rng(1).random(board.shape) < 0.4)
    board[free] &= geese.value_mask()
    rows = "\n".join(" ".join(f"{field:02x}" for field in row) for row in board.tolist())
    return gw.GeeseSpotter(f"{size} {size} {count}\n{rows}\n")


def logical():
    return gw.GeeseSpotter.generate(100, 100, 2000, safe=(8, 15), no_guess=True, seed=1)


RULES = ("count", "subset", "remaining", "exact", "guess")

GRADED: dict[str, Any] = {"height": 9, "width": 9, "geese": 10}

PROGRESS = {
    "GeeseSpotter.generate": lambda p, _: gw.GeeseSpotter.generate(
        120, 120, 2880, safe=(8, 15), no_guess=True, seed=1, progress=p
    ),
    "GeeseSpotter.solve": lambda p, _: entangled().solve(progress=p),
    "GeeseSpotter.play_on": lambda p, _: entangled().play_on(progress=p),
    "GeeseSpotter.difficulty": lambda p, _: entangled().difficulty(progress=p),
    "GeeseSpotter.hint": lambda p, _: entangled().hint(progress=p),
    "GeeseSpotter.explain": lambda p, _: entangled().explain((0, 0), progress=p),
    "GeeseSpotter.probabilities": lambda p, _: entangled().probabilities(progress=p),
    "GeeseSpotter.needs_no_guess": lambda p, _: gw.GeeseSpotter.generate(
        200, 200, 4000, safe=(0, 0), seed=1
    ).needs_no_guess((0, 0), progress=p),
    "GeeseSpotter.perft": lambda p, _: entangled().perft(9, progress=p),
    "geese.boards": lambda p, _: geese.boards(300_000, 16, 30, 99, seed=1, threads=1, progress=p),
    "geese.play_many": lambda p, _: geese.play_many(20_000, 9, 9, 10, seed=1, progress=p),
    "geese.probabilities": lambda p, _: geese.probabilities(entangled().board, 560, progress=p),
}

QUICK = {"GeeseSpotter.hint", "GeeseSpotter.needs_no_guess"}
"""Calls that reported no progress on any board that was tried."""

EPISODES: dict[str, Any] = {"size": (4, 4), "geese": 3}

RECIPE = functools.partial(gw.GeeseSpotter.generate, 6, 7, 6)

PICTURES: list[dict[str, Any]] = [{"chances": True}]


def meanings() -> list[Any]:
    fields = gw.GeeseSpotter("3 3 1\n20 20 20\n21 21 21\n21 29 21")
    fields.mark((0, 0))
    fields.show((1, 0))
    zero = gw.GeeseSpotter.generate(6, 6, 1, safe=(0, 0), seed=1)
    zero.show((0, 0))
    lost = gw.GeeseSpotter("1 3 1\n21 29 21")
    lost.show((0, 1))
    return [*((fields, cell, {}) for cell in ((0, 0), (0, 1), (1, 0))), (zero, (0, 0), {}), (lost, (0, 1), {})]
