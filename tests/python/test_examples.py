"""The examples run, and learn what they say."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest
from conftest import ROOT


def load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("level", "best"), [("level01", 7), ("level19", 17)])
def test_learning_finds_the_shortest_way(level, best):
    learner = load("learn_bloxorz")
    untrained = learner.learn(level, steps=1)
    assert learner.play(untrained, level) is None
    assert learner.play(learner.learn(level), level) == best
