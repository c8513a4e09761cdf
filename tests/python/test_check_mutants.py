"""The checks find all but at most one of the sampled mistakes; ``python tests/python/mutants.py 500`` plants 500."""

from __future__ import annotations

import mutants
import pytest
import solutions
from conftest import IN_TAB
from gridwright import check


@pytest.mark.skipif(IN_TAB, reason="needs alarms, which a browser's Python does not have")
def test_planted_mistakes_are_found():
    solutions.CODES = mutants.CODES
    missed = [
        f"{name}:\n{source}"
        for name, source, thing in mutants.planted(len(mutants.NAMES))
        if getattr(check, name)(thing, time_limit=0.5).passed
    ]
    # One mistake may be missed; `mutants.py` likewise requires that 95% of the mistakes are found, not all of them.
    assert len(missed) <= 1, "\n".join(missed)
