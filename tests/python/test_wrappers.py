"""Tests that observations contain all the information on the boards, and that shaped rewards keep the best policy."""

from __future__ import annotations

import functools
import importlib.util
import itertools
import pickle
import subprocess
import sys
from typing import Any

import games
import gridwright as gw
import gymnasium
import numpy as np
import pytest
from conftest import ROOT, needs
from gridwright.envs import WORLDS, wrappers
from gridwright.envs.wrappers import vector
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv

IDS = {name: f"gridwright/{name}-v0" for name in WORLDS}
DISTANT = [name for name, world in WORLDS.items() if world.distance is not None]
SMALL: dict[str, dict[str, Any]] = {
    **{gw.GAMES[name].__name__: options for name, options in games.every("EPISODES").items()},
    "Bloxorz": {"level": "level01"},
    "LightEmAll": {"size": (3, 3), "unique": True},
}


def wrapped(name, which, module=wrappers, envs=0, **options):
    options = {**SMALL.get(name, {}), **options}
    made = gymnasium.make_vec(IDS[name], envs, **options) if envs else gymnasium.make(IDS[name], **options)
    return getattr(module, which)(made)


FITTING = {
    "OneHotObservation": [name for name, world in WORLDS.items() if world.planes],
    "BitsObservation": list(WORLDS),
    "ChanceReward": ["GeeseSpotter"],
    "DistanceReward": DISTANT,
}
"""Maps the name of a wrapper to the games whose environments it accepts."""

EVERY = [(name, which) for which, names in FITTING.items() for name in names]


@pytest.mark.parametrize(("name", "which"), EVERY)
@pytest.mark.parametrize("mask", [False, True])
@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version")
def test_gymnasiums_checker_accepts_every_wrapper(name, which, mask):
    env = wrapped(name, which, mask_in_observation=mask)
    check_env(env, skip_render_check=True)
    # The environment can be created again from its spec.
    again = gymnasium.make(env.spec)
    observation, _ = again.reset(seed=3)
    other, _ = env.reset(seed=3)
    one, two = ((each["observation"] if mask else each) for each in (observation, other))
    assert (one == two).all()


@pytest.mark.parametrize("name", FITTING["OneHotObservation"])
def test_planes_and_bits_contain_all_the_information_on_the_boards(name):
    plain = gymnasium.make(IDS[name], **SMALL.get(name, {}))
    hot, bits = wrapped(name, "OneHotObservation"), wrapped(name, "BitsObservation")
    seen: dict[bytes, bytes] = {}
    for episode in range(5):
        board, _ = plain.reset(seed=episode)
        observed, flat = hot.reset(seed=episode)[0], bits.reset(seed=episode)[0]
        for step in range(30):
            assert observed.shape == (len(WORLDS[name].planes), *board.shape)
            for plane, (mask, value) in zip(observed, WORLDS[name].planes, strict=True):
                assert (plane == [[int(code) & mask == value for code in row] for row in board]).all()
            # Different boards have different planes.
            assert seen.setdefault(observed.tobytes(), board.tobytes()) == board.tobytes()
            numbers = flat.reshape(*board.shape, 8) @ (1 << np.arange(8))
            assert (numbers == board).all()
            action = int(
                plain.unwrapped.game.sample_legal(step) @ np.cumprod((*plain.unwrapped.game.bounds, 1)[:0:-1])[::-1]
            )
            board, _, terminated, truncated, _ = plain.step(action)
            observed, flat = hot.step(action)[0], bits.step(action)[0]
            if terminated or truncated:
                break
    assert len(seen) > 5


@pytest.mark.parametrize(("name", "which"), EVERY)
def test_a_wrapped_vector_environment_equals_wrapped_single_environments(name, which):
    options = {"max_steps": 6}
    many = wrapped(name, which, vector, 3, **options)
    ones = SyncVectorEnv([functools.partial(wrapped, name, which, **options)] * 3)
    assert many.observation_space == ones.observation_space
    assert many.single_observation_space == ones.single_observation_space
    a, b = many.reset(seed=5)[0], ones.reset(seed=5)[0]
    assert (a == b).all()
    for step in range(20):
        actions = many.unwrapped.sample_legal(step)
        one, two = many.step(actions), ones.step(actions)
        assert (one[0] == two[0]).all()
        assert one[0].dtype == two[0].dtype
        np.testing.assert_allclose(one[1], two[1], atol=1e-12)
        assert (one[2] == two[2]).all()
        assert (one[3] == two[3]).all()
    again = pickle.loads(pickle.dumps(many))
    actions = many.unwrapped.sample_legal(99)
    np.testing.assert_allclose(again.step(actions)[1], many.step(actions)[1])


@pytest.mark.parametrize(("name", "which"), [pair for pair in EVERY if pair[1].endswith("Reward")])
def test_rewards_after_set_state_are_those_that_followed_the_state(name, which):
    envs = wrapped(name, which, vector, 3, max_steps=3)
    envs.reset(seed=1)
    states, rewards, ended = [], [], []
    last = np.zeros(3, bool)
    for step in range(9):
        if step == 2:  # so that not all episodes end together
            envs.reset(options={"reset_mask": np.array([True, False, False])})
        states.append(envs.unwrapped.get_state())
        ended.append(last.any())
        _, reward, terminated, truncated, _ = envs.step(envs.unwrapped.sample_legal(step))
        assert (reward[last] == 0).all()
        rewards.append(reward)
        last = terminated | truncated
    assert 3 <= sum(ended) < 9
    for step in [*range(8, -1, -1), *range(9)]:
        envs.unwrapped.set_state(states[step])
        assert (envs.step(envs.unwrapped.sample_legal(step))[1] == rewards[step]).all()


@pytest.mark.parametrize(("name", "which"), [pair for pair in EVERY if pair[1].endswith("Reward")])
@pytest.mark.parametrize("limited", [False, True])
def test_the_step_in_which_autoreset_starts_an_episode_earns_nothing(name, which, limited):
    def make(options):
        env = gymnasium.make(IDS[name], **SMALL.get(name, {}), **options)
        return gymnasium.wrappers.TimeLimit(env, 4) if limited else env

    options = {"max_steps": None if limited else 4}
    env = getattr(wrappers, which)(gymnasium.wrappers.Autoreset(make(options)))
    plain = getattr(wrappers, which)(make(options))
    env.reset(seed=1)
    plain.reset(seed=1)
    over, starts = False, 0
    for step in range(30):
        game, state = plain.unwrapped.game, plain.unwrapped.get_state()
        action = int(np.ravel_multi_index(game.sample_legal(step) or (0,) * len(game.bounds), game.bounds))
        reward = env.step(action)[1]
        if over:
            assert reward == 0
            starts += 1
            plain.reset()
            over = False
            continue
        _, expected, terminated, truncated, _ = plain.step(action)
        assert reward == expected
        over = terminated or truncated
        if terminated:  # a state that is restored after the end of an episode is shaped again
            plain.unwrapped.set_state(state)
            assert plain.step(action)[1] == expected
    assert starts >= 3


@pytest.mark.parametrize("name", DISTANT)
@pytest.mark.parametrize("mode", ["NextStep", "Disabled"])
def test_the_rewards_that_shaping_adds_telescope(name, mode):
    discount, n = 0.9, 4
    envs = gymnasium.make_vec(IDS[name], n, autoreset_mode=mode, max_steps=12, **SMALL.get(name, {}))
    shaped = vector.DistanceReward(envs, discount=discount)
    shaped.reset(seed=1)
    batch = shaped.unwrapped.batch

    def potential(i):
        game = batch.game(i)
        found = None if game.status else WORLDS[name].distance(game, None)
        return 0.0 if found is None else discount ** (found - 1)

    first, added, power = [potential(i) for i in range(n)], np.zeros(n), np.ones(n)
    ends, fresh = 0, np.zeros(n, bool)
    for step in range(60):
        _, rewards, terminated, truncated, _ = shaped.step(shaped.unwrapped.sample_legal(step))
        added += np.where(fresh, 0, power * (rewards - batch.reward))
        assert (rewards[fresh] == 0).all()
        power = np.where(fresh, 1.0, power * discount)
        last = terminated | truncated
        for i in np.flatnonzero(fresh):
            first[i], added[i] = potential(i), 0.0
        for i in np.flatnonzero(last):
            # The discounted sum of added rewards depends only on the number of steps and the first and last positions.
            assert added[i] == pytest.approx(power[i] * potential(i) - first[i], abs=1e-9)
            ends += 1
        fresh = last if mode == "NextStep" else np.zeros(n, bool)
        if mode == "Disabled" and last.any():
            shaped.reset(options={"reset_mask": last})
            for i in np.flatnonzero(last):
                first[i], added[i], power[i] = potential(i), 0.0, 1.0
    assert ends >= 8


@pytest.mark.parametrize("name", DISTANT)
def test_the_shaped_reward_is_zero_for_a_best_move_and_negative_for_any_other(name):
    env = wrapped(name, "DistanceReward")
    env.reset(seed=2)
    for _ in range(6):
        state, game = env.unwrapped.get_state(), env.unwrapped.game
        if game.status:
            break
        distance = WORLDS[name].distance(game, None)
        rewards = {}
        for move in game.legal_moves():
            after = game.copy()
            after.play(*move)
            # The fewest moves from the next position, found without the wrapper.
            left = WORLDS[name].distance(after, None) if not after.status else {1: 0}.get(int(after.status))
            env.unwrapped.set_state(state)
            action = int(np.ravel_multi_index(tuple(move), game.bounds))
            rewards[action] = env.step(action)[1]
            assert (abs(rewards[action]) < 1e-9) == (left == distance - 1)
        assert max(rewards.values()) < 1e-9
        assert min(rewards.values()) < -1e-3
        env.unwrapped.set_state(state)
        env.step(max(rewards, key=rewards.get))


@pytest.mark.parametrize("discount", [0.0, 0.5, 0.99])
@pytest.mark.parametrize("scramble", [False, True])
def test_moves_of_the_station_count_as_distance(discount, scramble):
    for seed in range(5):
        game = gw.LightEmAll.generate(5, 5, limited_radius=True, scramble=scramble, seed=seed)
        solution = game.solution()
        assert solution[-1][0] == 1  # the last move is one of the station
        env = wrappers.DistanceReward(gymnasium.make(IDS["LightEmAll"], generator=game), discount=discount)
        env.reset(seed=1)
        assert env._distance.potential(game) == pytest.approx(discount ** (len(solution) - 1))
        for move in solution:
            action = int(np.ravel_multi_index(tuple(move), game.bounds))
            _, reward, won, _, _ = env.step(action)
            assert reward == pytest.approx(0, abs=1e-9)
        assert won


def test_shaping_keeps_the_best_policy_of_a_level():
    # Value iteration over all states of a level finds the same best moves with plain and with shaped rewards.
    discount = 0.95
    game = gw.Bloxorz.level("level01")
    graph = game.state_graph()
    n, keys = len(graph), 5
    potential = np.array([0.0 if d <= 0 else discount ** (d - 1) for d in graph.distance])
    after = np.full((n, keys), -1)
    for i in range(n):
        edges = slice(graph.indptr[i], graph.indptr[i + 1])
        after[i, graph.key[edges]] = graph.indices[edges]
    legal = after >= 0
    won = np.zeros(n, bool)
    won[graph.solved] = True
    plain = np.where(legal & won[after], 1.0, 0.0)
    shaped = plain + discount * potential[after] - potential[:, None]

    def best(rewards):
        values = np.zeros(n)
        for _ in range(400):
            worth = np.where(legal, rewards + discount * np.where(won[after], 0, values[after]), -np.inf)
            values = np.where(won, 0, worth.max(axis=1, initial=-np.inf))
        return worth > values[:, None] - 1e-9

    assert (best(plain) == best(shaped))[~won].all()
    # The wrapper's rewards equal those computed here.
    env = wrapped("Bloxorz", "DistanceReward").env
    env = wrappers.DistanceReward(env, discount=discount)
    env.reset(seed=0)
    for i in range(0, n, 7):
        for key in np.flatnonzero(legal[i]):
            env.unwrapped._batch.set_game(0, graph.position(i))
            if not won[i]:
                assert env.step(int(key))[1] == pytest.approx(shaped[i, key], abs=1e-9)


def test_expected_losses_and_actual_losses_have_the_same_mean():
    # Over all 2 x 3 boards with 2 geese, a fixed policy has the same mean return with and without the wrapper.
    def policy(board):
        hidden = np.flatnonzero((board.ravel() & 0x20) > 0)
        return int(hidden[int(board.astype(int).sum()) % len(hidden)])

    plain, expected, differ = 0.0, 0.0, 0
    for geese in itertools.combinations(range(6), 2):
        # The text of a hidden field is 0x20 plus its value, in hexadecimal. The value 9 is a goose.
        places = np.zeros((2, 3), int)
        places.ravel()[list(geese)] = 1
        text = ["2 3 2"]
        for row in range(2):
            near = [int(places[:, max(col - 1, 0) : col + 2].sum()) for col in range(3)]
            text.append(" ".join(f"{0x20 + (9 if places[row, col] else near[col]):02x}" for col in range(3)))
        start = gw.GeeseSpotter("\n".join(text))
        returns = []
        for make in (lambda env: env, wrappers.ChanceReward):
            env = make(gymnasium.make(IDS["GeeseSpotter"], generator=start, rewards=(2, -3, 0, 0, 0)))
            board, _ = env.reset(seed=0)
            total, over = 0.0, False
            while not over:
                board, reward, over, _, _ = env.step(policy(board))
                total += reward
            returns.append(total)
        plain, expected, differ = plain + returns[0], expected + returns[1], differ + (returns[0] != returns[1])
    assert plain == pytest.approx(expected, abs=1e-9)
    assert differ > 5


def test_marks_and_refused_moves_cost_nothing():
    env = wrapped("GeeseSpotter", "ChanceReward")
    env.reset(seed=1)
    assert env.step(16)[1] == 0.0  # a mark
    assert env.step(0)[1] == 0.0  # showing the marked field is refused


def test_wrappers_of_rewards_and_actions_must_be_around_the_chance_wrapper():
    single, many = gymnasium.wrappers, gymnasium.wrappers.vector
    for module, others, envs in ((wrappers, single, 0), (vector, many, 2)):
        space = wrapped("GeeseSpotter", "BitsObservation", module, envs).action_space
        for name, change in {
            "TransformReward": lambda env, others=others: others.TransformReward(env, lambda reward: 10 * reward),
            "TransformAction": lambda env, others=others, space=space: others.TransformAction(
                env, lambda action: action, space
            ),
            "NormalizeReward": others.NormalizeReward,
            "ChanceReward": module.ChanceReward,
        }.items():
            inner = change(wrapped("GeeseSpotter", "BitsObservation", module, envs))
            sentence = f"^env must have no wrapper that changes rewards or actions, got {name}$"
            for env in (inner, others.RecordEpisodeStatistics(inner)):
                with pytest.raises(ValueError, match=sentence):
                    module.ChanceReward(env)
    scaled = single.TransformReward(wrapped("GeeseSpotter", "ChanceReward", size=(5, 5), geese=24), lambda r: 10 * r)
    scaled.reset(seed=1)
    assert scaled.step(12)[1] == pytest.approx(-9.6)


def test_unsuitable_environments_and_arguments_are_refused():
    for module, kind, others in (
        (wrappers, "single", (gymnasium.make("CartPole-v1"), gymnasium.make_vec(IDS["Bloxorz"], 2))),
        (vector, "vector", (gymnasium.make_vec("CartPole-v1", 2), gymnasium.make(IDS["Bloxorz"]))),
    ):
        for name, other in itertools.product(module.__all__, others):
            with pytest.raises(TypeError, match=f"env must be a {kind} environment of gridwright, got "):
                getattr(module, name)(other)
    for change in (gymnasium.wrappers.FlattenObservation, wrappers.BitsObservation):
        with pytest.raises(ValueError, match=r"env must observe boards \(H, W\) of uint8, got Box"):
            wrappers.OneHotObservation(change(gymnasium.make(IDS["Bloxorz"])))
    with pytest.raises(ValueError, match=r"env must observe boards \(H, W\) of uint8, got Box"):
        wrappers.BitsObservation(gymnasium.wrappers.DtypeObservation(gymnasium.make(IDS["Bloxorz"]), np.float32))
    with pytest.raises(ValueError, match="env must be an environment of Bloxorz, LightEmAll.* or MyPhoton, got Geese"):
        wrapped("GeeseSpotter", "DistanceReward")
    with pytest.raises(ValueError, match="env must be an environment of GeeseSpotter, got Bloxorz"):
        wrapped("Bloxorz", "ChanceReward")
    with pytest.raises(ValueError, match="autoreset mode NextStep or Disabled, got SameStep"):
        wrapped("Bloxorz", "OneHotObservation", vector, 2, autoreset_mode="SameStep")
    for module, made in ((wrappers, gymnasium.make(IDS["Bloxorz"])), (vector, gymnasium.make_vec(IDS["Bloxorz"], 2))):
        with pytest.raises(ValueError, match="discount must be between 0 and 1, got 2"):
            module.DistanceReward(made, discount=2)
        with pytest.raises(TypeError, match="limit must be an integer, got 1.5"):
            module.DistanceReward(made, limit=1.5)
    env = gymnasium.make(IDS["Bloxorz"], level="level19")
    env = wrappers.DistanceReward(env, limit=5)
    env.reset(seed=1)
    with pytest.raises(gw.SearchLimitError):
        env.step(2)


def test_a_limit_exceeded_after_a_step_does_not_hide_the_end_of_an_episode(monkeypatch):
    envs = vector.DistanceReward(gymnasium.make_vec(IDS["Bloxorz"], 2, level="level01", max_steps=1))
    envs.reset(seed=1)
    measure, calls = envs._distance.potential, itertools.count()

    def limited(game):
        if next(calls) >= 2:
            raise gw.SearchLimitError("out of work")
        return measure(game)

    with monkeypatch.context() as patch:
        patch.setattr(envs._distance, "potential", limited)
        with pytest.raises(gw.SearchLimitError):
            envs.step([2, 3])
    # Both episodes were truncated, so this step only starts the next episodes.
    assert envs.step([2, 2])[1].tolist() == [0, 0]


SHARED = """
import numpy as np, gridwright as gw
batch = gw.Bloxorz.level("level01").batch(4, mask=True)
"""

JAX = """
import jax
jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)  # rewards are float64, which JAX disables by default
for name in ("board", "legal_mask", "reward", "terminated"):
    array = getattr(batch, name)
    other = jax.dlpack.from_dlpack(array, copy=False)
    assert other.unsafe_buffer_pointer() == array.ctypes.data, name
board = jax.dlpack.from_dlpack(batch.board, copy=False)
before = np.array(board)
batch.step([2, 2, 2, 2])
assert (np.asarray(board) == batch.board).all() and (before != batch.board).any()
"""

TORCH = """
import torch
for name in ("board", "legal_mask", "reward", "terminated"):
    array = getattr(batch, name)
    for other in (torch.from_numpy(array), torch.from_dlpack(array)):
        assert other.data_ptr() == array.ctypes.data, name
board = torch.from_numpy(batch.board)
before = board.clone()
batch.step([2, 2, 2, 2])
assert (board.numpy() == batch.board).all() and bool((before != board).any())
"""


@needs("processes")
@pytest.mark.parametrize(("library", "code"), [("jax", JAX), ("torch", TORCH)])
def test_buffers_are_shared_with_jax_and_torch(library, code):
    # The code runs in a separate process, because JAX starts threads and then warns at every fork.
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"needs {library}")
    paths = f"import sys; sys.path[:0] = {[str(ROOT / 'python')]!r}\n"
    done = subprocess.run([sys.executable, "-c", paths + SHARED + code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
