"""Compares the adapter for Stable-Baselines3 with the library's ``DummyVecEnv``.

Stable-Baselines3 needs torch, so it is not among the usual dependencies, and these tests are skipped without it. To run
the tests, install it with ``pip install sb3-contrib``, then run ``pytest tests/python/test_sb3.py``.
"""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from conftest import ROOT

pytest.importorskip("stable_baselines3", reason="Stable-Baselines3 is not installed: pip install sb3-contrib")

import gridwright as gw
import gymnasium
from gridwright.envs.sb3 import GridVecEnv
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

SHORT = {
    "Bloxorz": {"generator": [gw.Bloxorz("SoooT\nooooo"), gw.Bloxorz("ToooS\no.ooo")]},
    "GeeseSpotter": {"size": (4, 4), "geese": 3},
}


@pytest.mark.parametrize("world", SHORT)
@pytest.mark.parametrize("masked", [False, True], ids=["board", "dict"])
def test_the_adapter_equals_a_dummy_vec_env_of_single_environments(world, masked):
    options = {**SHORT[world], "max_steps": 12, "mask_in_observation": masked}
    ours = GridVecEnv(world, 5, **options)
    theirs = DummyVecEnv([lambda: gymnasium.make(f"gridwright/{world}-v0", **options).unwrapped] * 5)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    ours.seed(3)
    theirs.seed(3)
    rng = np.random.default_rng(1)
    for _ in range(2):
        same(ours.reset(), theirs.reset())
        ended = 0
        for _ in range(60):
            masks = ours.action_masks()
            assert (masks == np.stack(theirs.env_method("action_masks"))).all()
            actions = (rng.random(masks.shape) * masks).argmax(axis=1)
            mine, other = ours.step(actions), theirs.step(actions)
            same(mine[0], other[0])
            for a, b in zip(mine[1:3], other[1:3], strict=True):
                assert a.dtype == b.dtype
                assert (a == b).all()
            for a, b in zip(mine[3], other[3], strict=True):
                assert a["TimeLimit.truncated"] is b["TimeLimit.truncated"]
                assert ("terminal_observation" in a) == ("terminal_observation" in b)
                if "terminal_observation" in a:
                    same(a["terminal_observation"], b["terminal_observation"])
                    ended += 1
        assert ended > 5


def same(a, b):
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        for key in a:
            same(a[key], b[key])
    else:
        assert a.dtype == b.dtype
        assert (a == b).all()


def test_the_adapter_has_the_attributes_and_methods_that_sb3_calls():
    env = GridVecEnv("Bloxorz", 3, level="level01", render_mode="rgb_array")
    env.reset()
    assert env.has_attr("action_masks")
    assert not env.has_attr("nonsense")
    assert [game.text for game in env.get_attr("game", 1)] == [gw.Bloxorz.level("level01").text]
    assert (env.get_attr("action_masks", [2])[0]() == env.env_method("action_masks", indices=2)[0]).all()
    assert env.env_is_wrapped(gymnasium.Wrapper) == [False] * 3
    assert len(env.get_images()) == 3
    assert env.render().shape[2] == 3
    with pytest.raises(AttributeError, match="attribute level cannot be set"):
        env.set_attr("level", "level02")
    with pytest.raises(AttributeError, match="method_name must be 'action_masks', got 'play'"):
        env.env_method("play")
    with pytest.raises(RuntimeError, match="must be"):
        GridVecEnv("Bloxorz", 3, mask=False).action_masks()
    env.close()
    monitored = VecMonitor(GridVecEnv("Bloxorz", 2, max_steps=3))
    monitored.reset()
    infos = [monitored.step(np.array([1, 1]))[3] for _ in range(3)][-1]
    assert [info["episode"]["l"] for info in infos] == [3, 3]


def test_the_example_learns(capsys):
    pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: pip install sb3-contrib")
    spec = importlib.util.spec_from_file_location("example", ROOT / "examples" / "train_maskable_ppo.py")
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    assert example.main("level01", 80_000) == 0
    assert "of 1000 episodes" in capsys.readouterr().out
