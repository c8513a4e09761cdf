"""Tests that the checks miss at most one of a few planted mistakes; ``python tests/python/mutants.py`` plants 500."""

from __future__ import annotations

import mutants
import pytest
import solutions
from conftest import IN_TAB
from gridwright import check


@pytest.mark.skipif(IN_TAB, reason="needs alarms, which a browser's Python does not have")
def test_at_most_one_planted_mistake_is_missed():
    solutions.CODES = mutants.CODES
    missed = [
        f"{name}:\n{source}"
        for name, source, thing in mutants.planted(len(mutants.NAMES))
        if getattr(check, name)(thing, time_limit=0.5).passed
    ]
    # One mistake may be missed, just as `mutants.py` requires only that 95% of the mistakes are found.
    assert len(missed) <= 1, "\n".join(missed)
