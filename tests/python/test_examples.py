"""Tests two examples: one learns shortest solutions, and one adds a sixth game. The docs state figures about both."""

from __future__ import annotations

import importlib.util
from collections import Counter
from typing import Any

import gridwright as gw
import pytest
from conftest import ROOT


def load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name.replace("/", "_"), ROOT / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("level", "best"), [("level01", 7), ("level19", 17)])
def test_learning_finds_a_shortest_solution(level, best):
    learner = load("learn_bloxorz")
    untrained = learner.learn(level, steps=1)
    assert learner.play(untrained, level) is None
    assert learner.play(learner.learn(level), level) == best


def test_the_docs_state_how_probably_random_moves_solve_the_first_level_of_bloxorz():
    won, chances = 0.0, Counter({gw.Bloxorz.level("level01").text: 1.0})
    for _ in range(14):
        before, chances = chances, Counter()
        for text, chance in before.items():
            moves = gw.Bloxorz(text).legal_moves()
            for move in moves:
                game = gw.Bloxorz(text)
                game.play(*move)
                if game.status:
                    won += chance / len(moves)
                else:
                    chances[game.text] += chance / len(moves)
    for page in ("README.md", "docs/train.md"):
        words = " ".join((ROOT / page).read_text(encoding="utf-8").split())
        assert f"The exact probability for random legal moves is {won:.2%}." in words


@pytest.mark.skipif("lightsout" in gw.GAMES, reason="the repository already has the sixth game")
def test_the_docs_state_the_cost_of_a_sixth_game():
    sixth = load("sixth-game/move_in")
    # `edited` fails if an existing file lacks the line before which the lines of the game are inserted.
    edited = sixth.edited(ROOT)
    assert not any(path.startswith("src/core/") for path in [*edited, *sixth.files()])
    page = (ROOT / "docs" / "extend.md").read_text(encoding="utf-8")
    assert sixth.table() in page, "python examples/sixth-game/move_in.py --count prints the new table"


@pytest.mark.skipif("lightsout" in gw.GAMES, reason="the repository already has the sixth game")
def test_the_sixth_game_is_not_added_to_the_repository_itself(monkeypatch, capsys):
    sixth = load("sixth-game/move_in")
    moved = []
    monkeypatch.setattr(sixth, "move_in", moved.append)
    monkeypatch.setattr(sixth, "suite", lambda copy: 0)
    monkeypatch.chdir(ROOT)
    for folder in ("", ".", str(ROOT)):
        assert sixth.main([folder]) == 2
        assert capsys.readouterr().err == f"FOLDER must not be the repository itself, got {folder!r}\n"
    assert not moved
