"""What the tests of all games share, such as positions to try and the folder of the cases that Rust reads as well."""

from __future__ import annotations

import multiprocessing
import os
import sys
from pathlib import Path
from typing import Any

os.environ["GRIDWRIGHT_SOLVED"] = ""  # no level that the tests solve is written to the user's file

import gridwright as gw
import pytest
from hypothesis import HealthCheck, settings

# Every run tries the same cases, without a deadline, which a busy machine may miss; `make stress` tries random calls.
settings.register_profile("patient", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests"
SMALL = 2000

IN_TAB = sys.platform == "emscripten"
"""Whether the tests run in a browser's Python (``make tab-test``)."""


START_METHODS = ["spawn"] if IN_TAB else multiprocessing.get_all_start_methods()

# Notebooks need a kernel, pages a browser, and the course its grading tools: programs that a browser's Python cannot
# start.
collect_ignore = ["test_browser.py", "test_course.py", "test_editor_page.py", "test_notebooks.py"] if IN_TAB else []


def needs(what: str) -> pytest.MarkDecorator:
    """Marks a test that needs ``what``, such as "threads", which a browser's Python does not have."""
    return pytest.mark.skipif(IN_TAB, reason=f"needs {what}, which a browser's Python does not have")


def skip_without(what: str) -> None:
    """Skips the running test in a browser's Python, which does not have ``what``."""
    if IN_TAB:
        pytest.skip(f"needs {what}, which a browser's Python does not have")


def remarks(report: Any) -> list[str]:
    """Returns the notes of a report; in a browser's Python, the note that the code ran in place is left out."""
    from gridwright.check.worker import IN_PLACE

    return [note for note in report.notes if not (IN_TAB and note == IN_PLACE)]


def level(kind: Any, name: str) -> Any:
    """Returns a packaged level, or a fixture: a level in ``tests/levels/<game>``, which is not a puzzle to play."""
    return kind.level(name) if name in kind.levels() else kind.load(CASES / "levels" / kind.NAME / f"{name}.txt")


def starts(kind: Any) -> list[Any]:
    """Returns the packaged levels and fixtures of a game that are small enough to be tried many times."""
    fixtures = sorted(path.stem for path in (CASES / "levels" / kind.NAME).glob("*.txt"))
    games = [level(kind, name) for name in (*kind.levels(), *fixtures)]
    return [game for game in games if game.height * game.width <= SMALL]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allows a check 60 seconds per part, instead of 5, to find the smallest failing case."""
    monkeypatch.setattr("gridwright.check.judge._SHRINKING", 60.0)


@pytest.fixture(params=list(gw.GAMES), ids=str)
def kind(request: pytest.FixtureRequest) -> Any:
    """Returns each game's class in turn; every game listed in ``GAMES`` takes part."""
    return gw.GAMES[request.param]
