"""Environments pass the checkers of Gymnasium and PettingZoo and agree with each other and with the games."""

from __future__ import annotations

import copy
import functools
import io
import multiprocessing
import pickle
import re
from dataclasses import replace
from typing import Any

import games
import gridwright as gw
import gymnasium
import numpy as np
import pytest
from conftest import START_METHODS, needs
from gridwright import draw
from gridwright.envs import WORLDS, GridEnv, GridVectorEnv, frames, linear_domination
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from PIL import Image

IDS = {name: f"gridwright/{name}-v0" for name in WORLDS}
MODES = list(AutoresetMode)

# Options of each game's environment that make episodes short, so that some episodes end within a test.
SHORT: dict[str, dict[str, Any]] = {
    gw.GAMES[name].__name__: options for name, options in games.every("EPISODES").items()
}


def same(a: Any, b: Any) -> bool:
    """Returns whether two results of environments have equal values, types, dtypes and shapes."""
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, np.ndarray) and a.dtype == object:
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and bool((a == b).all())
    return type(a) is type(b) and a == b


def test_every_game_for_one_player_has_an_environment():
    assert set(SHORT) == set(WORLDS)
    for name, world in WORLDS.items():
        assert world.kind.__name__ == name
        assert gymnasium.make(f"gridwright.envs:{IDS[name]}").unwrapped.world == name


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize(
    "options", [{}, {"mask_in_observation": True}, {"actions": "multi_discrete"}, {"mask": False}], ids=str
)
def test_environments_pass_the_gymnasium_checker(name, options):
    check_env(gymnasium.make(IDS[name], **options).unwrapped)


@pytest.mark.parametrize("name", WORLDS)
def test_a_game_without_a_generator_has_environments_of_its_levels(name, monkeypatch):
    games.strip(WORLDS[name].kind, monkeypatch)
    level = WORLDS[name].kind.levels()[0]
    for env in (gymnasium.make(IDS[name], level=level), gymnasium.make_vec(IDS[name], num_envs=2, level=level)):
        env.reset(seed=1)
        env.step(env.action_space.sample())
    monkeypatch.setitem(WORLDS, name, replace(WORLDS[name], level=level))
    assert gymnasium.make(IDS[name]).unwrapped.game == WORLDS[name].kind.level(level)
    with pytest.raises(ValueError, match=rf"^size must be None, because {name} has no generator, got \(3, 3\)$"):
        gymnasium.make(IDS[name], size=(3, 3))
    with pytest.raises(TypeError, match="^geese is not an argument of this environment; its boards have no options"):
        gymnasium.make(IDS[name], geese=3)


@pytest.mark.parametrize("name", WORLDS)
def test_two_environments_of_a_game_match(name):
    from gymnasium.utils.env_match import check_environments_match

    check_environments_match(gymnasium.make(IDS[name]), gymnasium.make(IDS[name]), num_steps=30, seed=3)


@pytest.mark.parametrize("name", WORLDS)
def test_a_seed_determines_the_episodes(name):
    env = gymnasium.make(IDS[name], **SHORT[name]).unwrapped
    episodes = []
    for _ in range(2):
        env.reset(seed=5)
        texts = [env.game.text]
        for _ in range(6):
            env.reset()
            texts.append(env.game.text)
        episodes.append(texts)
    assert episodes[0] == episodes[1]
    assert len(set(episodes[0])) > 1
    fresh = set()
    for _ in range(20):
        env = gymnasium.make(IDS[name], **SHORT[name]).unwrapped
        env.reset()
        fresh.add(env.game.text)
    assert len(fresh) > 1


@pytest.mark.parametrize("name", WORLDS)
def test_a_step_of_an_environment_plays_a_move_of_its_game(name):
    env: GridEnv = gymnasium.make(IDS[name], max_steps=30).unwrapped
    board, info = env.reset(seed=1)
    game = env.game
    rng = np.random.default_rng(2)
    for _ in range(40):
        assert (board == game.board).all()
        assert (info["action_mask"].astype(bool) == game.legal_mask().ravel()).all()
        assert (env.action_masks() == game.legal_mask().ravel()).all()
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        board, reward, terminated, truncated, info = env.step(action)
        game.play(*(int(part) for part in np.unravel_index(action, game.bounds)))
        assert terminated == (game.status != gw.Status.OPEN)
        assert truncated == (not terminated and len(game.moves) == 30)
        assert reward == {gw.Status.WON: 1.0, gw.Status.LOST: -1.0}.get(game.status, 0.0)
        assert type(reward) is float
        assert type(terminated) is type(truncated) is bool
        if terminated or truncated:
            with pytest.raises(RuntimeError, match=r"reset\(\) must be called before step\(\): the episode is over"):
                env.step(action)
            board, info = env.reset()
            game = env.game
    for wrong in (-1, int(env.action_space.n)):
        with pytest.raises(gw.MoveError, match=f"action must be between 0 and .* got {wrong}"):
            env.step(wrong)
    for wrong, what in (
        (10**30, "action must be between 0 and "),
        (1.5, r"action must be an integer, got 1\.5 \(float\)"),
    ):
        with pytest.raises(gw.MoveError, match=what):
            env.step(wrong)


def test_an_action_with_the_wrong_number_of_coordinates_is_refused():
    env = gymnasium.make(IDS["GeeseSpotter"], actions="multi_discrete").unwrapped
    env.reset(seed=1)
    for wrong in (range(10**7), [0] * 9):
        with pytest.raises(gw.MoveError, match="action must be the coordinates of one move, got"):
            env.step(wrong)
    with pytest.raises(gw.MoveError, match="a move must have 3 coordinates"):
        env.step([0, 0])


def test_observations_stay_unchanged_and_fit_their_spaces():
    env = gymnasium.make(IDS["GeeseSpotter"], mask_in_observation=True).unwrapped
    first, info = env.reset(seed=1)
    kept = copy.deepcopy(first)
    second = env.step(int(np.flatnonzero(info["action_mask"])[0]))[0]
    assert same(first, kept)
    assert env.observation_space.contains(first)
    assert env.observation_space.contains(second)
    info["action_mask"][:] = 7
    assert same(first, kept)
    for _ in range(20):
        mask = env.set_state(env.get_state())[1]["action_mask"]
        assert mask[env.action_space.sample(mask)]


@pytest.mark.parametrize("name", WORLDS)
def test_set_state_restores_an_earlier_state(name):
    env = gymnasium.make(IDS[name]).unwrapped
    env.reset(seed=4)
    state = env.get_state()
    action = int(np.flatnonzero(env.action_masks())[0])
    first = env.step(action)
    env.step(action) if not (first[2] or first[3]) else None
    env.set_state(state)
    assert same(dict(enumerate(env.step(action))), dict(enumerate(first)))


@pytest.mark.parametrize("name", WORLDS)
def test_render_returns_a_picture_or_the_text_of_the_game(name):
    env = gymnasium.make(IDS[name], render_mode="rgb_array")
    env.reset(seed=1)
    frame = env.render()
    assert frame.dtype == np.uint8
    assert frame.ndim == 3
    assert frame.shape[2] == 3
    assert len(np.unique(frame.reshape(-1, 3), axis=0)) > 3
    text = gymnasium.make(IDS[name], render_mode="ansi")
    text.reset(seed=1)
    assert text.render() == str(text.unwrapped.game)
    vector = gymnasium.make_vec(IDS[name], num_envs=2, render_mode="ansi")
    vector.reset(seed=1)
    assert vector.render()[0] == text.render()


FRAMED = {
    "geese": lambda: gw.GeeseSpotter.generate(10, 10, 10, seed=1),
    "lightemall": lambda: gw.LightEmAll.generate(10, 10, seed=1),
    "wrapped": lambda: gw.LightEmAll.generate(5, 4, wrap=True, seed=1),
    "photon": lambda: gw.MyPhoton.generate(10, 10, lasers=2, sensors=3, seed=1),
    "level01": lambda: gw.Bloxorz.level("level01"),
    "switches": lambda: gw.Bloxorz.level("level12"),
}


@needs("images")
@pytest.mark.parametrize("name", FRAMED)
def test_frames_equal_the_pictures(name):
    # Frames are assembled from cells of earlier frames, so each frame is compared with a picture drawn as a whole.
    start, rng = FRAMED[name](), np.random.default_rng(1)
    for _ in range(3):
        game = start.copy()
        for _ in range(25):
            if game.status:
                break
            game.play(*game.sample_legal(int(rng.integers(1 << 60))))
            side = {} if name == "wrapped" else {"size": 24}
            whole = draw.png(draw.svg(game, **side), scale=1.0)
            with Image.open(io.BytesIO(whole)) as image:
                assert np.array_equal(frames.pixels(game), np.array(image.convert("RGB")))


@needs("images")
def test_frames_of_boards_without_a_ring_of_walls_equal_the_pictures():
    # Walls, sensors and light at the border reach into the margin, which differs between boards of one size.
    games = [
        gw.MyPhoton(f"3 1\n{row}") for row in (". . . ", "S^. . ", "S<. . ", ". . W ", "L>. . ", "L>. W ", "L>B/. ")
    ]
    games += [gw.MyPhoton(f"3 3\nW W W \n{row}\nW W W ") for row in ("L>. W ", "L>. . ", "L>. Sv", "L>. S>")]
    for game in [*games, *games[::-1]]:
        assert np.array_equal(frames.pixels(game), frames._drawn(draw.svg(game, size=24))), game.text


@needs("images")
def test_a_frame_drawn_by_another_thread_removes_no_cell_in_use(monkeypatch):
    # While one thread draws a frame, another thread may draw a frame of the same kind and replace the dict of cells,
    # which is full.
    monkeypatch.setattr(frames, "_MAX_TILES", 4)
    first, second, third = (gw.LightEmAll.generate(6, 7, seed=seed) for seed in range(3))
    expected = [frames.pixels(game) for game in (first, second, third)]
    frames._store.cache_clear()
    drawn = frames._drawn

    def meanwhile(svg):
        monkeypatch.setattr(frames, "_drawn", drawn)
        frames.pixels(third)
        return drawn(svg)

    frames.pixels(first)
    monkeypatch.setattr(frames, "_drawn", meanwhile)
    assert np.array_equal(frames.pixels(second), expected[1])
    assert np.array_equal(frames.pixels(first), expected[0])


@needs("processes")
def test_episodes_are_recorded(tmp_path):
    pytest.importorskip("moviepy", reason="Gymnasium's RecordVideo writes its files with moviepy: pip install moviepy")
    import imageio_ffmpeg  # a dependency of moviepy

    env = gymnasium.make("gridwright/GeeseSpotter-v0", size=(5, 6), geese=4, max_steps=8, render_mode="rgb_array")
    env = gymnasium.wrappers.RecordVideo(
        env, str(tmp_path / "films"), episode_trigger=lambda _: True, disable_logger=True
    )
    counts = []
    for seed in (1, 2):
        env.reset(seed=seed)
        counts.append(1)
        ended = False
        while not ended:
            action = int(np.flatnonzero(env.unwrapped.action_masks())[-1])
            _, _, terminated, truncated, _ = env.step(action)
            ended = terminated or truncated
            counts[-1] += 1
    last = env.render()
    env.close()
    films = sorted(tmp_path.glob("films/*.mp4"))
    assert len(films) == 2
    for film, count in zip(films, counts, strict=True):
        reader = imageio_ffmpeg.read_frames(str(film))
        assert next(reader)["size"] == last.shape[1::-1]
        images = [np.frombuffer(data, np.uint8).reshape(last.shape) for data in reader]
        assert len(images) == count
    # Compression changes the colors of the films slightly.
    assert np.abs(images[-1].astype(int) - last).mean() < 8


def play_both(ours: Any, theirs: Any, steps: int, mode: AutoresetMode) -> int:
    """Steps two vector environments and checks that their results are equal; returns the number of ended episodes."""
    ended = 0
    a, b = ours.reset(seed=11), theirs.reset(seed=11)
    assert same(a[0], b[0])
    assert same(a[1], b[1])
    masks = a[1]["action_mask"]
    rng = np.random.default_rng(1)
    for step in range(steps):
        flat = masks.reshape(ours.num_envs, -1)
        picks = [int(rng.choice(np.flatnonzero(row))) if row.any() else 0 for row in flat]
        if isinstance(ours.single_action_space, gymnasium.spaces.Discrete):
            actions = np.array(picks)
        else:
            actions = np.stack(np.unravel_index(picks, ours.batch.bounds), axis=1)
        a, b = ours.step(actions), theirs.step(actions)
        for what, x, y in zip(("obs", "reward", "terminated", "truncated", "info"), a, b, strict=True):
            assert same(x, y), (step, what, x, y)
        masks = a[4]["action_mask"]
        over = a[2] | a[3]
        ended += int(over.sum())
        if mode is AutoresetMode.DISABLED and over.any():
            with pytest.raises(RuntimeError, match="reset_mask that marks environment \\d+, which has ended"):
                ours.step(actions)
            # Gymnasium removes the mask from the options, so each call needs its own options.
            x, y = (env.reset(options={"reset_mask": over.copy()}) for env in (ours, theirs))
            assert same(x[0], y[0])
            assert same(x[1], y[1])
            masks = masks.copy()
            masks[over] = x[1]["action_mask"][over]
    return ended


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("name", WORLDS)
def test_a_vector_environment_equals_single_environments(name, mode, threads):
    options = {**SHORT[name], "max_steps": 6, "mask_in_observation": threads == 2}
    if threads == 3:
        options["actions"] = "multi_discrete"
    ours = gymnasium.make_vec(IDS[name], num_envs=5, autoreset_mode=mode, threads=threads, copy=threads != 7, **options)
    singles = [functools.partial(gymnasium.make, IDS[name], **options)] * 5
    theirs = SyncVectorEnv(singles, autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] is mode
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert play_both(ours, theirs, 25, mode) > 5


@pytest.mark.parametrize("options", [{}, {"mask_in_observation": True}], ids=str)
def test_vector_environments_of_more_than_a_million_moves_equal_single_environments(options):
    game = gw.MyPhoton.generate(33, 33, seed=1)
    options = {"generator": game, "max_steps": 2, **options}
    ours = gymnasium.make_vec(IDS["MyPhoton"], num_envs=2, autoreset_mode="SameStep", **options)
    singles = [functools.partial(gymnasium.make, IDS["MyPhoton"], **options)] * 2
    theirs = SyncVectorEnv(singles, autoreset_mode=AutoresetMode.SAME_STEP)
    assert play_both(ours, theirs, 3, AutoresetMode.SAME_STEP) == 2
    assert ours.unwrapped.action_masks().shape == (2, *game.bounds)
    assert gymnasium.make_vec(IDS["MyPhoton"], num_envs=2, mask=False, generator=game).reset(seed=1)[1] == {}


def test_masks_of_too_many_moves_are_refused():
    large = gw.MyPhoton.generate(216, 216, seed=1)
    for make, n in ((GridEnv, 1), (functools.partial(GridVectorEnv, 3), 3)):
        for options in ({}, {"mask": False, "mask_in_observation": True}):
            with pytest.raises(ValueError, match=f"mask must be False for {n} environments? of {216**4:,} moves"):
                make("MyPhoton", generator=large, **options)
        assert make("MyPhoton", generator=large, mask=False).reset(seed=1)[1] == {}


def test_environments_without_a_seed_start_from_random_boards():
    def boards(seed, options=None):
        envs = gymnasium.make_vec("gridwright/LightEmAll-v0", 3)
        if options is not None:
            envs.reset(seed=7, options=options)
        return envs.reset(seed=seed)[0]

    for seed in (None, [None] * 3):
        assert not np.array_equal(boards(seed), boards(seed))
        one, other = (boards(seed, {"reset_mask": np.array([True, False, False])}) for _ in range(2))
        # An earlier reset with a seed also determines the boards of a reset without a seed.
        assert np.array_equal(one, other)
    assert np.array_equal(boards([3, 4, 5]), boards(3))
    one, other = boards([3, None, 5]), boards([3, None, 5])
    assert np.array_equal(one[::2], other[::2])
    assert not np.array_equal(one[1], other[1])


@pytest.mark.parametrize("vector", [False, True])
def test_a_new_environment_continues_from_the_state_of_another(vector):
    def new():
        name = "gridwright/LightEmAll-v0"
        return (gymnasium.make_vec(name, 2) if vector else gymnasium.make(name)).unwrapped

    env, other = new(), new()
    env.reset(seed=5)
    other.set_state(env.get_state())
    assert np.array_equal(env.reset()[0], other.reset()[0])


def test_a_state_says_which_episodes_have_ended_in_every_autoreset_mode():
    def new(mode):
        return gymnasium.make_vec(IDS["Bloxorz"], 2, level="level01", max_steps=1, autoreset_mode=mode).unwrapped

    first, same, last = new("NextStep"), new("SameStep"), new("Disabled")
    first.reset(seed=1)
    first.step([2, 2])
    for between in (first, same):
        between.set_state(first.get_state())
        last.set_state(between.get_state())
        with pytest.raises(RuntimeError, match="marks environment 0, which has ended"):
            last.step([2, 2])
    same.step([2, 2])  # starts the next episodes
    last.set_state(same.get_state())
    last.step([2, 2])


def test_reset_accepts_a_list_of_seeds_and_refuses_wrong_masks():
    envs = gymnasium.make_vec(IDS["GeeseSpotter"], num_envs=3)
    assert (envs.reset(seed=np.array([9, 4, 9]))[0] == envs.reset(seed=[9, 4, 9])[0]).all()
    boards = envs.reset(seed=[9, 4, 9])[0]
    assert (boards[0] == boards[2]).all()
    single = gymnasium.make(IDS["GeeseSpotter"])
    single.reset(seed=4)
    assert envs.unwrapped.batch.game(1) == single.unwrapped.game
    for wrong, error, found in (
        ([True, False, True], TypeError, "must be a bool array of shape (3,), got [True, False, True] (list)"),
        (np.array([1, 0, 1], dtype=np.int64), TypeError, "must be bool of shape (3,), got int64 of shape (3,)"),
        (np.array([True]), ValueError, "must be bool of shape (3,), got bool of shape (1,)"),
        (np.zeros(3, dtype=bool), ValueError, "must mark at least one environment"),
    ):
        with pytest.raises(error, match=f"reset_mask:? {re.escape(found)}"):
            envs.reset(options={"reset_mask": wrong})
    with pytest.raises(ValueError, match="actions must have shape"):
        envs.step(np.zeros(2, dtype=np.int64))


def test_seeds_and_actions_out_of_range_are_refused():
    single, envs = gymnasium.make(IDS["Bloxorz"]), gymnasium.make_vec(IDS["Bloxorz"], num_envs=2)
    two = linear_domination.env(size=4, lookback=2)
    for env in (single, envs, two):
        for wrong in (-1, 2**64):
            with pytest.raises(ValueError, match=rf"seed must be between 0 and 2\^64 - 1, got {wrong}"):
                env.reset(seed=wrong)
        with pytest.raises(TypeError, match=r"seed must be an integer, got 1\.5"):
            env.reset(seed=1.5)
        env.reset(seed=np.uint8(3))
    with pytest.raises(ValueError, match=r"seed must be between 0 and 2\^64 - 1, got -1"):
        envs.reset(seed=[3, -1])
    for wrong in ([1, 2**63 + 5], np.array([1, 2**63 + 5], dtype=np.uint64)):
        with pytest.raises(gw.MoveError, match=r"actions\[1\] must be between 0 and 4, got 9223372036854775813"):
            envs.step(wrong)


def test_two_buffers_alternate_if_boards_are_not_copied():
    envs = GridVectorEnv(4, "Bloxorz", copy=False)
    envs.reset(seed=1)
    first = envs.step(envs.sample_legal())[0]
    kept = first.copy()
    second = envs.step(envs.sample_legal())[0]
    assert (first == kept).all()
    assert envs.step(envs.sample_legal())[0] is first
    assert second is not first
    for call in (lambda: envs.reset(seed=2), lambda: envs.set_state(envs.get_state())):
        last = envs.step(envs.sample_legal())[0]
        kept = last.copy()
        assert call()[0] is not last
        assert (last == kept).all()


def observe(env: Any, steps: int = 12) -> bytes:
    """Plays the last legal action in each step; returns the bytes of the first board and the board after each step."""
    board, info = env.reset(seed=3)
    boards = [board.tobytes()]
    for _ in range(steps):
        board, _, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
        boards.append(board.tobytes())
        if terminated or truncated:
            _, info = env.reset()
    return b"".join(boards)


def make_and_observe(name: str) -> bytes:
    """Makes an environment and returns the result of `observe`; worker processes call this function, too."""
    import gridwright.envs

    assert gridwright.envs.WORLDS
    return observe(gymnasium.make(IDS[name]))


@pytest.mark.parametrize("name", WORLDS)
def test_pickles_and_copies_continue_like_the_original(name):
    env = gymnasium.make(IDS[name]).unwrapped
    expected = observe(env)
    _, info = env.reset(seed=8)
    env.step(int(np.flatnonzero(info["action_mask"])[0]))
    for other in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        assert (other.game.board == env.game.board).all()
        action = int(np.flatnonzero(env.action_masks())[0])
        state = env.get_state()
        assert same(dict(enumerate(other.step(action))), dict(enumerate(env.step(action))))
        env.set_state(state)
        assert observe(other) == expected
    envs = gymnasium.make_vec(IDS[name], num_envs=3)
    envs.reset(seed=1)
    other = pickle.loads(pickle.dumps(envs.unwrapped))
    actions = envs.unwrapped.sample_legal(5)
    assert same(dict(enumerate(envs.step(actions))), dict(enumerate(other.step(actions))))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("name", "max_steps"), [("terminated", None), ("truncated", 1)])
def test_a_reset_mask_may_be_a_buffer_of_the_batch(mode, name, max_steps):
    results = []
    for own in (False, True):
        options = {"level": "level01", "max_steps": max_steps, "autoreset_mode": mode}
        envs = gymnasium.make_vec(IDS["Bloxorz"], 2, **options)
        envs.reset(seed=1)
        for key in gw.Bloxorz.level("level01").solve()[:max_steps]:
            envs.step(["lurd".index(key), 1])  # the first environment wins or is cut short
        mask = getattr(envs.unwrapped.batch, name)
        assert mask.any()
        boards, infos = envs.reset(options={"reset_mask": mask if own else mask.copy()})
        results.append([infos, boards, *envs.step([2, 2])])
    assert all(same(one, other) for one, other in zip(*results, strict=True))


def test_a_pickle_starts_where_the_environment_does_even_if_the_given_position_has_changed():
    start = gw.Bloxorz.level("level01")
    env, envs = (make(IDS["Bloxorz"], generator=start).unwrapped for make in (gymnasium.make, gymnasium.make_vec))
    start.play(start.solve())
    for other in (env, pickle.loads(pickle.dumps(env))):
        other.reset(seed=1)
        assert other.game == gw.Bloxorz.level("level01")
    assert pickle.loads(pickle.dumps(envs)).batch.game(0) == gw.Bloxorz.level("level01")
    start = gw.LinearDomination.empty(4, 2)
    start.play(0, 0, 0, 1)
    env, first = linear_domination.env(start=start), start.copy()
    start.play(2, 2, 3, 1)
    for other in (env, pickle.loads(pickle.dumps(env))):
        other.reset()
        assert (other.game, other.agent_selection) == (first, "player_1")


@pytest.mark.parametrize("name", WORLDS)
def test_clones_continue_like_the_original_but_independently(name):
    vector = gymnasium.make_vec(IDS[name], num_envs=3, copy=False, **SHORT[name])
    for env in (gymnasium.make(IDS[name], **SHORT[name]).unwrapped, vector.unwrapped):
        env.reset(seed=6)
        env.action_space.seed(1)
        other = env.clone()
        assert type(other) is type(env)
        start = env.get_state()
        seen = []
        for each in (env, other):
            steps = []
            for _ in range(4):
                steps.append(copy.deepcopy(each.step(each.action_space.sample())))
                if isinstance(each, GridEnv):
                    steps.append(copy.deepcopy(each.reset()))
            seen.append(steps)
        assert all(same(dict(enumerate(a)), dict(enumerate(b))) for a, b in zip(*seen, strict=True))
        # Restoring an earlier state of the original and stepping the original does not change the clone.
        board = (other.game if isinstance(env, GridEnv) else other.batch).board.copy()
        env.set_state(start)
        env.step(env.action_space.sample())
        assert ((other.game if isinstance(env, GridEnv) else other.batch).board == board).all()


@needs("processes")
@pytest.mark.parametrize("method", START_METHODS)
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_worker_processes_see_the_same_boards(method):
    expected = [make_and_observe(name) for name in WORLDS]
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.map_async(make_and_observe, list(WORLDS)).get(timeout=60) == expected


def test_level_size_and_pool_determine_the_starts_of_episodes():
    assert gymnasium.make(IDS["Bloxorz"], level="level02").unwrapped.game == gw.Bloxorz.level("level02")
    sizes = gymnasium.make(IDS["LightEmAll"], size=(3, 5), method="wilson").unwrapped
    assert sizes.observation_space.shape == (3, 5)
    slow = gymnasium.make(IDS["MyPhoton"], size=(6, 6), unique=True, pool=2).unwrapped
    slow.reset(seed=1)
    assert slow.game == gw.MyPhoton.generate(6, 6, unique=True, seed=1)
    for options, error, sentence in (
        (
            {"level": "level01", "size": (3, 3)},
            ValueError,
            "only one of level, generator and size can be given, got level and size",
        ),
        (
            {"level": "level01", "min_moves": 3},
            TypeError,
            "min_moves can only be given for generated boards, got level",
        ),
        ({"level": "nowhere"}, gw.LevelError, 'no level "nowhere"'),
        ({"level": []}, TypeError, r"level must be a str or a non-empty sequence of str, got \[\] \(list\)"),
        ({"level": ["level01", 2]}, TypeError, "level must be a str or a non-empty sequence of str, got "),
        ({"generator": []}, TypeError, r"generator must be a position, a list of positions or a callable, got \[\]"),
        ({"generator": range(10**9)}, TypeError, "generator must be a position, a list of positions or a callable"),
        ({"actions": "boxes"}, ValueError, "actions must be 'discrete' or 'multi_discrete', got 'boxes'"),
        ({"render_mode": "human"}, ValueError, "render_mode must be 'rgb_array' or 'ansi', got 'human'"),
    ):
        with pytest.raises(error, match=sentence):
            GridEnv("Bloxorz", **options)


def test_unplayable_starts_and_wrong_options_are_refused():
    solved = gw.LightEmAll.generate(3, 3, seed=1, scramble=False)
    fresh = gw.LightEmAll.generate(3, 3, seed=1)
    over = "must be open with a legal move, got a position that is won"
    for make in (GridEnv, functools.partial(GridVectorEnv, 2)):
        for options, error, sentence in (
            (
                {"size": (1, 1)},
                ValueError,
                "game 0 must start open with a legal move, got a generated position that is won",
            ),
            ({"generator": [fresh, fresh, solved, solved]}, ValueError, f"generator[2] {over}"),
            (
                {"generator": lambda seed: solved if seed == 3 else fresh, "pool": 5},
                ValueError,
                f"generator(seed=3) {over}",
            ),
            (
                {"size": (3, 3), "scramble": False},
                ValueError,
                "must start open with a legal move, got a generated position that is won",
            ),
            (
                {"generator": gw.MyPhoton.level("example")},
                TypeError,
                "generator must hold or return positions of LightEmAll, got MyPhoton",
            ),
            (
                {"generator": lambda seed: gw.Bloxorz("SoT"), "pool": 1},
                TypeError,
                "generator must hold or return positions of LightEmAll, got Bloxorz",
            ),
            (
                {"generator": [fresh, gw.MyPhoton.level("example")]},
                TypeError,
                "generator must hold or return positions of LightEmAll, got MyPhoton",
            ),
            (
                {"generator": lambda seed: 3, "pool": 1},
                TypeError,
                "generator must hold or return positions of LightEmAll, got int",
            ),
            (
                {"rewards": (1, 2)},
                ValueError,
                "rewards must be five numbers (won, lost, drawn, each step, illegal), got (1, 2)",
            ),
            ({"rewards": 3}, TypeError, "rewards must be five numbers"),
            ({"rewards": "abcde"}, TypeError, "rewards must be five numbers"),
            ({"size": 3}, TypeError, "size must be (height, width), got 3"),
            (
                {"max_episode_steps": 3},
                TypeError,
                "max_episode_steps is not an argument of this environment; use max_steps",
            ),
            ({"seed": 1}, TypeError, "seed is not an argument of this environment; use reset(seed=...)"),
            ({"uniqe": 1}, TypeError, 'uniqe is not an argument of this environment; did you mean "unique"'),
            ({"level": "level01", "uniqe": 1}, TypeError, "uniqe is not an argument of this environment"),
        ):
            with pytest.raises(error, match=re.escape(sentence)):
                make("LightEmAll", **options)
        with pytest.raises(ValueError, match="no world 'Bloxors'; did you mean"):
            make("Bloxors")
    for options, sentence in (
        ({"start": gw.LinearDomination("3 1\n1 1 1 1\n")}, "start must be open with a legal play, got a position that"),
        ({"size": 1}, "size must be at least 2, because one cell has no legal play, got 1"),
    ):
        with pytest.raises(ValueError, match=sentence):
            linear_domination.env(**options)


# PettingZoo's checker warns about every environment outside PettingZoo whose observation is a dict, such as a board
# with a mask, and about a board that is empty at the start. If pygame is installed, the checker imports games in a
# deprecated way. All other warnings are errors.
@pytest.mark.filterwarnings("ignore:The old environment creation API has been deprecated:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
def test_linear_domination_passes_the_checkers_of_pettingzoo(capsys):
    from pettingzoo.test import api_test, render_test, seed_test

    for make in (linear_domination.env, linear_domination.raw_env):
        api_test(make(), num_cycles=100)
        api_test(make(size=3, lookback=1, plies=5, komi=2.5), num_cycles=100)
        seed_test(make, num_cycles=30)
        render_test(make)


def test_linear_domination_alternates_agents_and_rewards_them_at_the_end():
    env = linear_domination.raw_env(size=6, lookback=2, plies=9, komi=-1.5)
    game = gw.LinearDomination.empty(6, 2)
    env.reset(seed=1)
    for k in range(9):
        assert env.agent_selection == f"player_{k % 2}"
        observation, reward, terminated, truncated, _ = env.last()
        assert (reward, terminated, truncated) == (0, False, False)
        board = game.board if k % 2 == 0 else np.array([0, 2, 1], dtype=np.uint8)[game.board]
        assert (observation["observation"] == board).all()
        assert (observation["action_mask"].astype(bool) == game.legal_mask().ravel()).all()
        assert not env.observe(f"player_{1 - k % 2}")["action_mask"].any()
        illegal = int(np.flatnonzero(observation["action_mask"] == 0)[0])
        with pytest.raises(gw.IllegalMoveError, match="action must be one that the mask allows"):
            env.step(illegal)
        move = game.sample_legal(k)
        game.play(*move)
        assert env.step(int(np.ravel_multi_index(move, game.bounds))) is None
    counts = game.counts
    won = float(np.sign(counts[0] - counts[1] + 1.5))
    assert env.game == game
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env._cumulative_rewards == {"player_0": won, "player_1": -won}
    other = pickle.loads(pickle.dumps(env))
    assert other.game == game
    for agent in list(env.agents):
        assert env.last()[1] == (won if env.agent_selection == "player_0" else -won), agent
        env.step(None)
    assert env.agents == []
    with pytest.raises(ValueError, match="plies must be between 1 and .* got 0"):
        linear_domination.raw_env(plies=0)
    large = gw.LinearDomination.empty(216, 1)
    for bound, options in (
        ("size must be at most 215", {"size": 216}),
        ("start must have at most 215 rows", {"start": large}),
    ):
        with pytest.raises(ValueError, match=f"{bound}, because masks have N\\^4 entries, got 216"):
            linear_domination.raw_env(**options)
    with pytest.raises(ValueError, match="illegal must be 'raise' or 'lose', got 'skip'"):
        linear_domination.raw_env(illegal="skip")
    fresh = linear_domination.raw_env()
    with pytest.raises(RuntimeError, match=r"reset\(\) must be called before step\(\)$"):
        fresh.step(3)
    fresh.reset()
    for wrong in (-1, 8**4, None, True, np.True_, 1.5, "a", np.array([1, 2]), 2**70, np.uint64(2**63 + 5)):
        sentence = re.escape(f"action must be an integer between 0 and 4095, got {wrong!r}")
        with pytest.raises(gw.MoveError, match=sentence):
            fresh.step(wrong)
    for k, integer in enumerate((int, np.uint8, np.int32, np.uint64)):
        fresh.step(integer(fresh.last()[0]["action_mask"].argmax()))
        assert len(fresh.game.plays) == k + 1


def test_linear_domination_reports_wrong_arguments():
    for options, error, sentence in (
        ({"plies": 1.5}, TypeError, "plies must be an integer, got 1.5 (float)"),
        ({"plies": None}, TypeError, "plies must be an integer, got None"),
        ({"komi": float("nan")}, ValueError, "komi must be a finite number, got nan"),
        ({"komi": float("-inf")}, ValueError, "komi must be a finite number, got -inf"),
        ({"komi": "1"}, TypeError, "komi must be a number, got '1' (str)"),
        ({"start": 3}, TypeError, "start must be a LinearDomination or None, got 3 (int)"),
    ):
        with pytest.raises(error, match=re.escape(sentence)):
            linear_domination.env(**options)
    env = linear_domination.env(size=4, lookback=2, plies=1)
    calls = env.last, env.state, lambda: env.observe("player_0"), lambda: list(env.agent_iter()), lambda: env.margin
    for call, name in zip(calls, ("last()", "state()", "observe()", "agent_iter()", "margin"), strict=True):
        with pytest.raises(RuntimeError, match=re.escape(f"reset() must be called before {name}") + "$"):
            call()
    env.reset()
    with pytest.raises(ValueError, match="agent must be 'player_0' or 'player_1', got 'foo'"):
        env.observe("foo")
    env.step(3)
    env.step(None)
    env.step(None)
    for call, what in ((env.last, "last"), (lambda: env.step(None), "step"), (lambda: env.step(3), "step")):
        with pytest.raises(RuntimeError, match=rf"reset\(\) must be called before {what}\(\): the game is over"):
            call()
    assert list(env.agent_iter()) == []
    assert env.state().sum() == env.observe("player_0")["observation"].sum() == 4
    env.reset()
    assert env.last()[1:4] == (0, False, False)


def sample(observation: Any, game: gw.LinearDomination, seed: int) -> Any:
    """Returns a random legal play; checks that the mask in the observation equals the mask of the game."""
    assert (observation["action_mask"].astype(bool) == game.legal_mask().ravel()).all()
    return game.sample_legal(seed)


def test_seats_are_exchanged():
    compare = linear_domination.compare
    seats: list[tuple[str, int, str]] = []

    def agent(name: str) -> Any:
        def play(observation: Any, game: gw.LinearDomination, seed: int) -> Any:
            seats.append((name, len(game.plays), game.text))
            return int(np.random.default_rng(seed).choice(np.flatnonzero(observation["action_mask"])))

        return play

    # If both agents play alike, the two games of a pair are equal.
    options: dict[str, Any] = {"size": 5, "lookback": 2, "plies": 5, "seed": 3}
    even = compare(agent("a"), agent("b"), 4, opening=1, komi=0.1, **options)
    assert (even.wins, even.margin, even.score) == (even.losses, 0.0, 0.5)
    assert even.wins + even.draws + even.losses == 8
    for k in range(0, 40, 10):
        first, second = seats[k : k + 5], seats[k + 5 : k + 10]
        assert [name for name, _, _ in first] == list("babab")  # after one play, player_1 is to move
        assert [name for name, _, _ in second] == list("ababa")
        assert [rest for _, *rest in first] == [rest for _, *rest in second]
    assert len({text for _, plays, text in seats if plays == 1}) > 1

    # Exchanging the two agents exchanges wins and losses.
    def greedy(observation: Any, game: gw.LinearDomination, seed: int) -> Any:
        return game.suggest("greedy")

    there, back = compare(greedy, sample, 6, opening=2, **options), compare(sample, greedy, 6, opening=2, **options)
    assert (there.wins, there.draws, there.losses) == (back.losses, back.draws, back.wins)
    assert there.margin == -back.margin > 0
    assert there.score > 0.5
    assert compare(greedy, sample, 6, opening=2, **options) == there
    # An illegal play loses in either seat.
    assert compare(lambda *_: (0, 0, 0, 0), sample, 2, **options).losses == 4
    for wrong in ((9, 0, 0, 0), (0, 0), "abcd", (0, 0, 0, 0.5), 625, [[0, 0], [0]], (True, 0, 0, 1), range(10**10)):
        with pytest.raises(gw.MoveError, match="must"):
            compare(lambda *_, wrong=wrong: wrong, sample, 1, **options)
    for bad, sentence in (
        ({"pairs": 0}, "pairs must be between 1 and"),
        ({"pairs": 1, "opening": -1}, "opening must be between 0 and"),
        ({"pairs": 1, "opening": 50, "size": 2}, "opening must leave a legal play, got 50"),
    ):
        with pytest.raises(ValueError, match=sentence):
            compare(sample, sample, **bad)


def test_an_illegal_play_loses_the_game():
    env = linear_domination.env(size=4, lookback=2)
    env.reset(seed=1)
    env.step(3)
    env.step(int(np.ravel_multi_index((0, 3, 0, 0), (4,) * 4)))  # illegal: has the same midpoint as the previous play
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env._cumulative_rewards == {"player_0": 1, "player_1": -1}
