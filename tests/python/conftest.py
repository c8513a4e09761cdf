"""Settings, fixtures and helpers that several test files share."""

from __future__ import annotations

import multiprocessing
import os
import sys
from pathlib import Path
from typing import Any

os.environ["GRIDWRIGHT_SOLVED"] = ""  # keeps the tests from changing the user's list of solved levels

import gridwright as gw
import pytest
from hypothesis import HealthCheck, settings

# Hypothesis tries the same cases in every run, and sets no deadline, because a busy machine might miss one.
settings.register_profile("patient", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests"
"""The folder of the test data that Python and Rust share, such as ``perft`` and ``transcripts``."""

SMALL = 2000
"""The maximum number of cells of the boards that `starts` returns."""

IN_TAB = sys.platform == "emscripten"
"""Whether the tests run in Pyodide, the Python of a browser tab (``make tab-test``)."""

START_METHODS = ["spawn"] if IN_TAB else multiprocessing.get_all_start_methods()
"""The start methods of ``multiprocessing`` to test."""

# These files need other programs, such as a notebook kernel or a browser, which a browser's Python cannot start.
collect_ignore = ["test_browser.py", "test_course.py", "test_editor_page.py", "test_notebooks.py"] if IN_TAB else []


def needs(what: str) -> pytest.MarkDecorator:
    """Returns a mark that skips a test in a browser's Python, which does not have ``what``, such as "threads"."""
    return pytest.mark.skipif(IN_TAB, reason=f"needs {what}, which a browser's Python does not have")


def skip_without(what: str) -> None:
    """Skips the running test in a browser's Python, which does not have ``what``."""
    if IN_TAB:
        pytest.skip(f"needs {what}, which a browser's Python does not have")


def remarks(report: Any) -> list[str]:
    """Returns the notes of a report, without the note that every report has in a browser's Python."""
    from gridwright.check.worker import IN_PLACE

    return [note for note in report.notes if not (IN_TAB and note == IN_PLACE)]


def level(kind: Any, name: str) -> Any:
    """Returns the packaged level ``name`` or, if there is none, the level in ``tests/levels/<game>/<name>.txt``."""
    return kind.level(name) if name in kind.levels() else kind.load(CASES / "levels" / kind.NAME / f"{name}.txt")


def starts(kind: Any) -> list[Any]:
    """Returns the packaged levels and the levels in ``tests/levels`` of a game that have at most `SMALL` cells."""
    fixtures = sorted(path.stem for path in (CASES / "levels" / kind.NAME).glob("*.txt"))
    games = [level(kind, name) for name in (*kind.levels(), *fixtures)]
    return [game for game in games if game.height * game.width <= SMALL]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a check spend 60 seconds per part, instead of 5, on shrinking a failing case."""
    monkeypatch.setattr("gridwright.check.judge._SHRINKING", 60.0)


@pytest.fixture(params=list(gw.GAMES), ids=str)
def kind(request: pytest.FixtureRequest) -> Any:
    """Runs a test once per game in ``gridwright.GAMES``, with the class of the game."""
    return gw.GAMES[request.param]
