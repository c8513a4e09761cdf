"""Tests the tables, ratings and players of the baselines. Only the last test needs a machine-learning library."""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import json
import os
import re
import subprocess
import sys
import types

import numpy as np
import pytest
from conftest import ROOT, needs

HOME = ROOT / "examples" / "baselines"


@pytest.fixture
def load(monkeypatch):
    monkeypatch.syspath_prepend(str(HOME))
    names = {path.stem for path in HOME.glob("*.py")}
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield importlib.import_module
    for name in names:
        sys.modules.pop(name, None)


def test_the_page_and_the_picture_show_the_results(load):
    tables = load("tables")
    page = tables.PAGE.read_text(encoding="utf-8")
    assert tables.written(page) == page
    assert tables.PICTURE.read_text(encoding="utf-8") == tables.picture()


def test_intervals_are_those_of_students_distribution(load):
    tables = load("tables")
    # Five values from 1 to 5 percent: mean 3, standard deviation 1.5811, half-width 2.776 * 1.5811 / sqrt(5) = 1.963.
    assert tables.interval([0.01, 0.02, 0.03, 0.04, 0.05]) == "3 ± 2"
    assert tables.interval([0.4, 0.6]) == "50 ± 127 (2 seeds)"
    assert tables.interval([]) == ""


def test_every_result_belongs_to_a_job_and_has_shares_between_0_and_1(load):
    tables, run = load("tables"), load("run")
    labels = {label for label, _ in run.jobs()}
    found = list(tables.RESULTS.glob("*.json"))
    assert found
    for path in found:
        assert path.stem in labels
        result = json.loads(path.read_text(encoding="utf-8"))
        shares = [result[key] for key in ("solved", "train", "hard", "environment") if key in result]
        assert all(0 <= share <= 1 for share in shares), path.name


def test_puzzles_for_evaluation_are_not_those_for_training(load, tmp_path, monkeypatch):
    settings = load("settings")
    monkeypatch.setattr(settings, "KEPT", tmp_path)
    task = settings.Setting("MyPhoton", "easy", (5, 5), 20, 1, train=30, test=10)
    monkeypatch.setattr(settings, "setting", lambda name, grade: task)
    train, test = task.puzzles("train"), task.puzzles("test")
    assert (len(train), len(test)) == (30, 10)
    assert not {game.text for game in train} & {game.text for game in test}
    assert {game.difficulty().name for game in test} == {"easy"}
    settings._puzzles.cache_clear()
    assert [game.text for game in task.puzzles("test")] == [game.text for game in test]  # read from the file


def test_a_grade_without_settings_is_refused(load):
    settings = load("settings")
    for grade in ("trivial", "fiendish", "nope"):
        with pytest.raises(ValueError, match=f"^grade must be 'easy', 'medium' or 'hard', got '{grade}'$"):
            settings.setting("bloxorz", grade)


def test_the_heuristic_player_solves_more_than_the_random_player_and_the_exact_player_solves_all(load):
    players, settings = load("players"), load("settings")
    task = settings.Setting("MyPhoton", "easy", (5, 5), 20, 1)
    puzzles = [task.kind.generate(5, 5, difficulty="easy", seed=seed) for seed in range(30)]
    shares = [players.solves(task, puzzles, name, 1) for name in ("random", "heuristic", "exact")]
    assert shares[0] < shares[1] < shares[2] == 1.0


def test_the_exact_player_gets_no_negative_reward_until_a_board_is_solved(load, monkeypatch):
    players, settings = load("players"), load("settings")
    task = settings.Setting("LightEmAll", "easy", (4, 4), 60, 1, kinds=1)
    puzzles = [task.kind.generate(4, 4, difficulty="easy", seed=seed) for seed in range(6)]
    monkeypatch.setattr(settings, "_starts", lambda task: puzzles)
    games = settings.Puzzles(task, 6)
    games.reset(None)
    for _ in range(50):
        moves = [players.exact(games.batch.game(i)) for i in range(6)]
        actions = [0 if move is None else int(np.ravel_multi_index(tuple(move), games.bounds)) for move in moves]
        _, _, rewards, terminated, _ = games.step(np.array(actions))
        assert (rewards[[move is not None for move in moves]] > -1e-6).all()  # every move is a best move
        if terminated.any():
            return
    raise AssertionError("no board was solved")


def test_games_begin_with_different_puzzles_and_mask_repeated_moves(load, monkeypatch):
    settings = load("settings")
    task = settings.Setting("MyPhoton", "easy", (5, 5), 20, 1)
    puzzles = [task.kind.generate(5, 5, difficulty="easy", seed=seed) for seed in range(40)]
    monkeypatch.setattr(settings, "_starts", lambda task: puzzles)
    games = settings.Puzzles(task, 4)
    places = {game.text: place for place, game in enumerate(puzzles)}
    games.reset(7)
    first = [places[games.batch.game(i).text] for i in range(4)]
    assert np.abs(np.diff(sorted(first))).max() > 1  # not consecutive
    planes, masks = games.reset(None)
    assert [places[games.batch.game(i).text] for i in range(4)] == [0, 1, 2, 3]
    # The light of each cell is in the last four planes.
    assert (np.packbits(planes[0, -4:], axis=0, bitorder="little")[0] == games.batch.game(0).beams).all()
    # After a swap is reversed, the first board recurs, and the mask forbids the swap.
    start = masks.copy()
    swaps = [np.flatnonzero(mask)[0] for mask in masks]
    boards = games.batch.board.copy()
    _, masks, *_ = games.step(np.array(swaps))
    back = masks.argmax(1)
    for i in range(4):
        for action in np.flatnonzero(masks[i]):
            after = games.batch.game(i)
            after.play(*np.unravel_index(action, games.bounds))
            if (after.board & 31 == boards[i] & 31).all():
                back[i] = action
    _, masks, *_ = games.step(back)
    assert (games.batch.board == boards).all()
    assert all(start[i, swaps[i]] and not masks[i, swaps[i]] for i in range(4))


def test_nearer_positions_are_no_farther_from_the_solution(load):
    settings = load("settings")
    rng = np.random.default_rng(1)
    for name, size in (("bloxorz", (3, 5)), ("lightemall", (4, 4))):
        task = settings.setting(name, "easy")
        distance = settings.gw.envs.WORLDS[task.world].distance
        for seed in range(5):
            puzzle = task.kind.generate(*size, difficulty="easy", seed=seed)
            found = task.kind(settings.nearer(puzzle, rng).text)
            assert 0 < distance(found, None) <= distance(puzzle, None)


def test_ratings_explain_the_scores(load, monkeypatch):
    # `self_play` imports `ppo`, which needs JAX.
    monkeypatch.setitem(sys.modules, "ppo", types.SimpleNamespace(GAMES=4, Network=None))
    play = load("self_play")
    # A lead of 400 points means odds of ten to one.
    rating = play.elo({("random", "strong"): 1 / 11, ("strong", "best"): 0.5, ("random", "best"): 1 / 11})
    assert rating["random"] == 0
    assert rating["strong"] == pytest.approx(rating["best"], abs=1)
    # The draw that is added to each pair brings the ratings slightly closer together.
    assert 350 < rating["strong"] < 400


def test_what_one_side_of_a_duel_wins_the_other_loses(load, monkeypatch):
    # `self_play` imports `ppo`, which needs JAX.
    monkeypatch.setitem(sys.modules, "ppo", types.SimpleNamespace(GAMES=4, Network=None))
    play = load("self_play")
    games = play.Duel(4)
    planes, masks = games.reset(1)
    assert planes.shape == (4, 3, 4, 4)
    rng = np.random.default_rng(1)
    start, total = games.margin.copy(), np.zeros(4)
    for ply in range(play.PLIES):
        _, masks, rewards, ended, _ = games.step((rng.random(masks.shape) * masks).argmax(1))
        total += rewards * (1 if ply % 2 == 0 else -1)
    assert ended.all()
    won = np.sign(games.margin - play.KOMI)
    assert total == pytest.approx((games.margin - start) / 8 + won)
    _, _, rewards, ended, _ = games.step(np.zeros(4, int))
    assert not rewards.any()
    assert not ended.any()
    assert (games.plies == 0).all()


def interrupted(*paths):
    raise KeyboardInterrupt


def test_a_training_of_few_steps_is_timed_and_writes_whole_files(load, tmp_path, monkeypatch):
    updates = []
    ppo = types.SimpleNamespace(
        STEPS=32,
        GAMES=4,
        Network=lambda bounds: None,
        start=lambda games, network, seed, updates: types.SimpleNamespace(state=types.SimpleNamespace(params=None)),
        training_step=lambda games: lambda agent: updates.append(agent) or agent,
        policy=lambda network, params, seed: None,
    )
    serialization = types.SimpleNamespace(to_state_dict=lambda state: None, msgpack_serialize=lambda kept: b"")
    monkeypatch.setitem(sys.modules, "ppo", ppo)
    monkeypatch.setitem(sys.modules, "flax", types.SimpleNamespace(serialization=serialization))
    run, settings = load("run"), load("settings")
    games = types.SimpleNamespace(bounds=(1,), use=lambda task: None, won=lambda: 0.5, spent=0.0)
    monkeypatch.setattr(settings, "Puzzles", lambda task, n: games)
    monkeypatch.setattr(settings, "solved", lambda task, puzzles, player: (0.5, 3.0))
    task = types.SimpleNamespace(steps=1, puzzles=lambda which: [])
    monkeypatch.setattr(run, "setting", lambda name, grade: task)
    monkeypatch.setattr(run, "KEPT", tmp_path)
    monkeypatch.setattr(run.time, "process_time", itertools.count().__next__)
    assert run.ppo_result("geese", "hard", 1)["seconds"] == len(updates) - 1 == 1
    # Ctrl-C while a checkpoint, a result or a list of puzzles is written leaves no broken file.
    kept = sorted(tmp_path.iterdir())
    monkeypatch.setattr(os, "replace", interrupted)
    monkeypatch.setattr(settings, "KEPT", tmp_path)
    monkeypatch.setattr(settings, "setting", lambda name, grade: task)
    monkeypatch.setattr(run.tables, "RESULTS", tmp_path)
    monkeypatch.setattr(run, "jobs", lambda: [("ppo-geese-hard-1", lambda: {"solved": 0.5})])
    for call in (
        lambda: run.ppo_result("geese", "hard", 2),
        run.main,
        lambda: settings._puzzles("MyPhoton", "easy", (5, 5), "train", 1),
    ):
        with pytest.raises(KeyboardInterrupt):
            call()
    assert sorted(tmp_path.iterdir()) == kept


def test_every_python_file_that_the_page_names_exists(load):
    page = (ROOT / "docs" / "train.md").read_text(encoding="utf-8")
    for name in re.findall(r"`(\w+\.py)`", page):
        assert (HOME / name).exists(), name


@needs("processes")
def test_training_an_agent_prints_the_share_of_time_that_the_environments_took():
    # The script runs in a separate process, because JAX starts threads and then warns at every fork.
    if missing := [name for name in ("jax", "flax", "optax") if importlib.util.find_spec(name) is None]:
        pytest.skip(f"needs {', '.join(missing)}")
    paths = os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, str(HOME / "ppo.py"), "geese", "easy", "1", "8192"]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(r"geese, easy: [\d.]+% of unseen puzzles solved after 8,192 steps", done.stdout)
    share = re.search(r"the environments took ([\d.]+)% of the time", done.stdout)
    assert 0 < float(share[1]) < 100
