"""Reasons and difficulty as all games have them: what holds for every packaged level and for every grade."""

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
"""Steps of ``explain`` that are not rules of reasoning: if all tiles are connected, only the station moves."""


def graded(kind):
    """Yields the name, game and difficulty of each packaged level that has a grade: first the menu, in its order."""
    names = [level.name for level in kind.level(kind.levels()[0]).controls().levels]
    for name in [*names, *(name for name in kind.levels() if name not in names)]:
        game = kind.level(name)
        try:
            # This limit leaves out the level "sensors" of MyPhoton, which is hard to grade.
            difficulty = game.difficulty(limit=200_000) if name == "sensors" else game.difficulty()
        except (ValueError, gw.SearchLimitError):
            continue
        if difficulty is not None:
            yield name, game, difficulty


@pytest.mark.parametrize("kind", KINDS)
def test_packaged_levels_rise_in_grade_with_five_of_each(kind):
    listed = kind.level(kind.levels()[0]).controls().levels
    grades = {name: difficulty.grade for name, _, difficulty in graded(kind)}
    numbered = [level for level in listed if level.name.startswith("level")]
    assert [level.name for level in numbered] == [name for name in kind.levels() if name.startswith("level")]
    assert [level.grade for level in numbered] == [GRADES[grades[level.name] - 1] for level in numbered]
    order = [grades[level.name] for level in numbered]
    assert order == sorted(order)
    assert all(order.count(grade) >= 5 for grade in range(1, 6)), Counter(order)
    for level in listed:
        # In the menu, a level has an empty grade if it has none, or if its grade takes long to compute.
        assert level.grade in ("", *(GRADES[grade - 1] for grade in [grades.get(level.name)] if grade)), level.name


@pytest.mark.parametrize("kind", KINDS)
def test_explanations_lead_from_the_start_to_the_end_of_every_graded_level(kind):
    """In all games but two, the steps use only rules that the grade lists. Steps end where a guess is needed."""
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
            if kind not in (gw.LightEmAll, gw.LinearDomination):
                # For these two, the grade counts conclusions that are not moves, or the turns of one player.
                assert step.rule in difficulty.rules, (name, step)
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
def test_ninety_nine_of_a_hundred_seeds_have_a_puzzle_of_the_grade(kind, name):
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
def test_all_grades_are_made_and_the_same_seed_makes_the_same_puzzle(kind, grade):
    make = partial(kind.generate, **games.of(kind).GRADED)
    for seed in range(4):
        game = make(difficulty=grade, seed=seed)
        assert game.difficulty().grade == grade
        assert game.text == make(difficulty=GRADES[grade - 1], seed=seed).text
        assert game.status == gw.Status.OPEN


@pytest.mark.parametrize("kind", KINDS)
def test_batches_and_sweeps_make_the_puzzles_of_a_grade(kind):
    make = partial(kind.generate, **games.of(kind).GRADED, difficulty="easy")
    batch = gw.Batch(make, 4, seed=7)
    texts = [make(seed=7 + i).text for i in range(4)]
    assert [batch.game(i).text for i in range(4)] == texts
    # The next episode of each game is the next puzzle of the pool; after the last puzzle comes the first.
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
