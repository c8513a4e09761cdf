"""What the tests of all games need for LinearDomination; ``games/__init__.py`` describes each name."""

from __future__ import annotations

from typing import Any

import gridwright as gw
from gridwright import domination

RANK = 4


def position() -> Any:
    return gw.LinearDomination.empty(5, 2)


def ending() -> Any:
    return gw.LinearDomination.level("level20")


def large(side: int) -> str:
    return f"{side} 3 standard\n1 1 {side} 6\n"


def lines():
    return gw.LinearDomination.empty(24, 3)


def report(progress, folder):
    plays = "\n".join("1 1 2 3" for _ in range(200_000))
    (folder / "in.txt").write_text(f"8 3\n{plays}\n")
    domination.run_game(folder / "in.txt", folder / "out.txt", progress=progress)


RULES = ("gain", "deny", "endgame")

GRADED: dict[str, Any] = {"size": 5, "lookback": 81}

ALONE = {"opponent": "person"}

PROGRESS = {
    "LinearDomination.generate": lambda p, _: gw.LinearDomination.generate(40, 3, 1_000_000, 1, progress=p),
    "LinearDomination.suggest": lambda p, _: lines().suggest("minimax", progress=p),
    "LinearDomination.hint": lambda p, _: lines().hint(progress=p),
    "LinearDomination.explain": lambda p, _: lines().explain(progress=p),
    "LinearDomination.difficulty": lambda p, _: ending().difficulty(progress=p),
    "LinearDomination.solve": lambda p, _: lines().solve(3, progress=p),
    "LinearDomination.play_on": lambda p, _: lines().play_on(3, progress=p),
    "LinearDomination.best_line": lambda p, _: lines().best_line(3, progress=p),
    "LinearDomination.random_games": lambda p, _: lines().random_games(50_000, seed=1, threads=1, progress=p),
    "LinearDomination.perft": lambda p, _: lines().perft(9, progress=p),
    "domination.run_game": report,
}

QUICK = {"LinearDomination.difficulty"}


def meanings() -> list[Any]:
    lines = gw.LinearDomination("4 0 1 1 1 2 3 1 3 2")
    return [(lines, cell, {"lines": 0}) for cell in ((0, 0), (2, 0), (1, 0))]
