"""Lights Out in Python: the solver, compared with all sets of presses, and reasons, grades, levels and controls."""

from __future__ import annotations

import gridwright as gw
import numpy as np
import pytest
from gridwright import LightsOut
from gridwright.draw import picture
from gridwright.play.marks import layer
from test_command_line import say_all


def effects(height: int, width: int) -> np.ndarray:
    """Returns one row of bits per press; the bits mark the fields that the press changes by the rules of the game."""
    row, col = np.indices((height, width)).reshape(2, -1)
    return (np.abs(row[:, None] - row) + np.abs(col[:, None] - col) <= 1).astype(np.uint8)


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (2, 3), (3, 3), (3, 4), (4, 3), (4, 4)], ids=str)
def test_the_solver_agrees_with_all_sets_of_presses(shape):
    height, width = shape
    n = height * width
    sets = np.arange(2**n)[:, None] >> np.arange(n) & 1
    boards = (sets @ effects(height, width) % 2) @ (1 << np.arange(n))
    count = sets.sum(axis=1)
    rng = np.random.default_rng(1)
    tried = range(2**n) if n <= 9 else rng.integers(0, 2**n, 100).tolist()
    unsolvable = 0
    for code in tried:
        lights = code >> np.arange(n) & 1
        text = "\n".join("".join(".#"[light] for light in line) for line in lights.reshape(shape))
        game = LightsOut(text)
        found = game.solve()
        solving = np.flatnonzero(boards == code)
        if not len(solving):
            unsolvable += 1
            assert found is None
            assert game.explain().rule == "unsolvable"
            assert not game.play_on()
            with pytest.raises(ValueError, match="difficulty needs a board with a solution"):
                game.difficulty()
            continue
        assert len(found) == count[solving].min()
        pressed = sets[solving].mean(axis=0).reshape(shape)
        for cell in np.ndindex(shape):
            quantifier = {0.0: "No", 1.0: "Every"}.get(pressed[cell], "Some")
            assert str(game.explain(cell)).startswith(quantifier)
        assert game.play_on()
        assert game.is_solved
        assert len(game.moves) == len(found)
    assert (unsolvable > 0) == (shape in ((1, 5), (5, 1), (2, 3), (4, 4)))


@pytest.mark.parametrize("shape", [(7, 11), (11, 7), (9, 9), (40, 64), (65, 70), (130, 129)], ids=str)
def test_larger_boards_are_solved(shape):
    game = LightsOut.generate(*shape, seed=3)
    presses = game.solve()
    assert (presses[np.lexsort(presses.T[::-1])] == presses).all()
    pressed = np.zeros(np.add(shape, 2), int)
    pressed[1:-1, 1:-1][tuple(presses.T)] = 1
    changed = pressed[1:-1, 1:-1] + pressed[:-2, 1:-1] + pressed[2:, 1:-1] + pressed[1:-1, :-2] + pressed[1:-1, 2:]
    assert (changed % 2 == game.board).all()


def test_too_many_solutions_or_steps_raise_a_search_limit_error():
    with pytest.raises(
        gw.SearchLimitError, match=r"cannot prove which solution has the fewest presses: 2\^64 solutions"
    ):
        LightsOut.generate(79, 79, seed=1).solve()
    with pytest.raises(gw.SearchLimitError, match="limit reached after 100 steps"):
        LightsOut.generate(19, 19, seed=1).solve(limit=100)


def test_difficulty_counts_the_rules_of_the_explanations():
    for name in LightsOut.levels():
        game = LightsOut.level(name)
        found = game.difficulty()
        used: dict[str, int] = {}
        while not game.is_solved:
            reason = game.explain()
            used[reason.rule] = used.get(reason.rule, 0) + 1
            assert (reason.moves == reason.cells["so"]).all()
            assert (reason.moves[0] == game.hint()).all()
            game.play(*reason.moves[0])
        assert used == dict(found.rules)
        assert len(game.moves) == found.measures["presses"]


def test_generate_rejects_a_grade_that_no_board_has():
    with pytest.raises(ValueError, match="no 2 x 2 board of grade 5 found in 2000 tries"):
        LightsOut.generate(2, 2, difficulty=5, seed=1)


def test_a_typed_press_wins():
    assert "You won in 1 move" in say_all(LightsOut.level("level01"), "press 1 1")[-1]


def test_a_preview_shows_what_a_press_changes():
    controls = LightsOut.level("level01").controls()
    controls.hover((0, 0))
    assert controls.marks()["preview"] == ((0, 0), (0, 1), (1, 0))
    drawn = layer(controls, picture(controls.game))
    assert (drawn.count("<polygon"), drawn.count("<line")) == (3, 0)
    assert controls.describe((0, 1)) == "row 0, column 1: light"
