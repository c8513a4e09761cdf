"""Tests the explanations and difficulty grades of all games."""

from __future__ import annotations

from collections import Counter
from functools import partial

import games
import gridwright as gw
import numpy as np
import pytest
from gridwright.insight import GRADES

KINDS = list(gw.GAMES.values())

OTHER = {"lightemall": {"station"}}
"""Maps a game to steps of ``explain`` that use no rule: once all tiles are connected, the station moves."""


def graded(kind):
    """Yields the name, game and difficulty of each packaged level that has a grade.

    The levels of the menu come first, in the order of the menu.
    """
    names = [level.name for level in kind.level(kind.levels()[0]).controls().levels]
    for name in [*names, *(name for name in kind.levels() if name not in names)]:
        game = kind.level(name)
        try:
            # The limit leaves out the level "sensors" of MyPhoton, whose grade takes long to compute.
            difficulty = game.difficulty(limit=200_000) if name == "sensors" else game.difficulty()
        except (ValueError, gw.SearchLimitError):
            continue
        if difficulty is not None:
            yield name, game, difficulty


@pytest.mark.parametrize("kind", KINDS)
def test_packaged_levels_are_sorted_by_grade_and_every_grade_has_at_least_five(kind):
    listed = kind.level(kind.levels()[0]).controls().levels
    grades = {name: difficulty.grade for name, _, difficulty in graded(kind)}
    numbered = [level for level in listed if level.name.startswith("level")]
    assert [level.name for level in numbered] == [name for name in kind.levels() if name.startswith("level")]
    assert [level.grade for level in numbered] == [GRADES[grades[level.name] - 1] for level in numbered]
    order = [grades[level.name] for level in numbered]
    assert order == sorted(order)
    assert all(order.count(grade) >= 5 for grade in range(1, 6)), Counter(order)
    for level in listed:
        # The menu shows an empty grade if the level has none or if its grade takes long to compute.
        assert level.grade in ("", *(GRADES[grade - 1] for grade in [grades.get(level.name)] if grade)), level.name


@pytest.mark.parametrize("kind", KINDS)
def test_explanations_lead_from_the_start_to_the_end_of_every_graded_level(kind):
    """Explanations end early only if the next move must be a guess."""
    rules, seen = games.of(kind).RULES, set()
    for name, game, difficulty in graded(kind):
        assert list(difficulty.rules) == [rule for rule in rules if rule in difficulty.rules], name
        if kind is gw.GeeseSpotter and game.hidden.all():
            # The first show is not a step of reasoning.
            game.show((0, 0))
        while game.status == gw.Status.OPEN:
            step = game.explain()
            if not len(step.moves):
                break
            seen.add(step.rule)
            if kind is not gw.LinearDomination:  # its difficulty lists only rules for turns of the player to move
                assert step.rule in {*difficulty.rules, *OTHER.get(kind.NAME, ())}, (name, step)
            for move in step.moves.tolist():
                game.play(*move)
        stopped = "guess" in difficulty.rules
        assert (game.status == gw.Status.OPEN) == stopped, name
        assert stopped or game.is_solved or kind is gw.LinearDomination, name
    assert seen <= {*rules, *OTHER.get(kind.NAME, ())}
    # A guess has no move, and no packaged level of LightEmAll needs a search.
    assert set(rules) - seen == {"geese": {"guess"}, "lightemall": {"search"}}.get(kind.NAME, set())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["easy", "medium", "hard"])
def test_generate_finds_a_puzzle_of_the_grade_for_at_least_99_of_100_seeds(kind, name):
    found = 0
    for seed in range(100):
        try:
            game = kind.generate(**games.of(kind).GRADED, difficulty=name, seed=seed)
        except (ValueError, gw.SearchLimitError):
            continue
        assert game.difficulty().name == name
        found += 1
    assert found >= 99


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("grade", range(1, 6))
def test_all_grades_can_be_generated_and_the_same_seed_generates_the_same_puzzle(kind, grade):
    make = partial(kind.generate, **games.of(kind).GRADED)
    for seed in range(4):
        game = make(difficulty=grade, seed=seed)
        assert game.difficulty().grade == grade
        assert game.text == make(difficulty=GRADES[grade - 1], seed=seed).text
        assert game.status == gw.Status.OPEN


@pytest.mark.parametrize("kind", KINDS)
def test_batches_and_sweeps_generate_puzzles_of_a_grade(kind):
    make = partial(kind.generate, **games.of(kind).GRADED, difficulty="easy")
    batch = gw.Batch(make, 4, seed=7)
    texts = [make(seed=7 + i).text for i in range(4)]
    assert [batch.game(i).text for i in range(4)] == texts
    # The next episode of each game starts from the next puzzle of the pool. The first puzzle follows the last one.
    batch.reset()
    assert [batch.game(i).text for i in range(4)] == [*texts[1:], texts[0]]
    assert len(set(texts)) == 4
    found = gw.sweep(lambda seed: make(seed=seed).difficulty().grade, range(7, 11))
    assert found["value"].tolist() == [2, 2, 2, 2]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if hasattr(games.of(kind), "EPISODES")])
def test_environments_play_puzzles_of_a_grade(kind):
    gymnasium = pytest.importorskip("gymnasium")
    import gridwright.envs  # noqa: F401 - registers the environments

    made = dict(games.of(kind).GRADED)
    arguments = {"size": (made.pop("height"), made.pop("width")), **made, "difficulty": "medium", "pool": 3}
    env = gymnasium.make(f"gridwright/{kind.__name__}-v0", **arguments)
    texts = []
    for seed in range(3):
        env.reset(seed=seed)
        game = env.unwrapped.game
        assert game.difficulty().name == "medium"
        texts.append(game.text)
    assert len(set(texts)) > 1
    many = gymnasium.make_vec(f"gridwright/{kind.__name__}-v0", num_envs=2, **arguments)
    boards, _ = many.reset(seed=0)
    env.reset(seed=0)
    assert np.array_equal(boards[0], env.unwrapped.game.board)
