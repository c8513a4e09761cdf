"""What the tests of all games share: positions to try, and the folders of the cases that both languages read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gridwright as gw
import pytest

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests"
SMALL = 2000


def starts(kind: Any) -> list[Any]:
    """The packaged levels of a game that are small enough to be tried many times."""
    games = [kind.level(name) for name in kind.levels()]
    return [game for game in games if game.height * game.width <= SMALL]


@pytest.fixture(params=list(gw.GAMES), ids=str)
def kind(request: pytest.FixtureRequest) -> Any:
    """Each game's class in turn: a game enrols by its line in ``GAMES``."""
    return gw.GAMES[request.param]
