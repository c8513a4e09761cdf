"""Vector environments for Stable-Baselines3: a batch as a ``VecEnv``, with no game objects in Python.

``pip install 'gridwright[envs]' sb3-contrib`` installs what this module needs; ``examples/train_maskable_ppo.py`` is an
example of training with it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError:
    raise ImportError("gridwright.envs.sb3 needs Stable-Baselines3: pip install stable-baselines3") from None

from .vector import GridVectorEnv

__all__ = ["GridVecEnv"]

_Indices = None | int | Iterable[int]


class GridVecEnv(VecEnv):  # type: ignore[misc] # has no types for mypy
    """Many one-player games stepped together in Rust, as a ``VecEnv`` of Stable-Baselines3.

    ``GridVecEnv("Bloxorz", 64, level="level01")``: the parameters are those of ``GridVectorEnv`` except
    ``autoreset_mode``. Behaves like SB3's ``DummyVecEnv`` of ``num_envs`` ``GridEnv`` objects, but infos hold no
    ``action_mask``. An environment that has ended restarts within the step; its last observation is
    ``infos[i]["terminal_observation"]``, and ``infos[i]["TimeLimit.truncated"]`` is whether the episode was truncated.
    ``action_masks()`` is ``(n, actions)`` bool, which sb3-contrib's ``MaskablePPO`` reads automatically. ``seed(s)``
    gives environment i the seed ``s + i`` at the next ``reset()``.
    """

    def __init__(self, world: str, num_envs: int, **options: Any) -> None:
        self.envs = GridVectorEnv(num_envs, world, autoreset_mode=AutoresetMode.SAME_STEP, **options)
        """The vector environment that steps the games; step it through this object only."""
        super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)

    def reset(self) -> Any:
        """Starts the next episode of each environment, or the first of its new seed, and returns the observations."""
        observations, _ = self.envs.reset(seed=[None if seed is None else int(seed) for seed in self._seeds])
        self._reset_seeds()
        return observations

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Stores the actions for ``step_wait``."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Makes the stored moves and returns observations, rewards, dones and infos."""
        observations, rewards, terminated, truncated, vector_info = self.envs.step(self._actions)
        infos = [{"TimeLimit.truncated": cut} for cut in truncated.tolist()]
        dones = terminated | truncated
        for i in np.flatnonzero(dones):
            infos[i]["terminal_observation"] = vector_info["final_obs"][i]
        return observations, rewards.astype(np.float32), dones, infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns which actions are legal: a fresh bool array ``(n, actions)``."""
        return self.envs.action_masks()

    def close(self) -> None:
        """Closes the environments."""
        self.envs.close()

    def get_images(self) -> Sequence[npt.NDArray[np.uint8] | None]:
        """Returns one picture per game, or one ``None`` per game without ``render_mode``."""
        return self.envs.render() or [None] * self.num_envs

    def get_attr(self, attr_name: str, indices: _Indices = None) -> list[Any]:
        """Returns an attribute of each environment: its ``game``, its ``action_masks``, or one that all share."""
        places = list(self._get_indices(indices))
        if attr_name == "game":
            return [self.envs.batch.game(i) for i in places]
        if attr_name == "action_masks":
            return [functools.partial(self._mask, i) for i in places]
        return [getattr(self.envs, attr_name)] * len(places)

    def set_attr(self, attr_name: str, value: Any, indices: _Indices = None) -> None:
        """Raises ``AttributeError``: the environments are one batch, whose parameters are set when it is made."""
        raise AttributeError(f"attribute {attr_name} cannot be set; pass it as an argument to GridVecEnv")

    def env_method(self, method_name: str, *args: Any, indices: _Indices = None, **keywords: Any) -> list[Any]:
        """Calls ``action_masks`` of each environment; raises ``AttributeError`` for any other method."""
        if method_name != "action_masks":
            raise AttributeError(f"method_name must be 'action_masks', got {method_name!r}")
        return list(self.action_masks()[list(self._get_indices(indices))])

    def env_is_wrapped(self, wrapper_class: Any, indices: _Indices = None) -> list[bool]:
        """Returns ``False`` for each environment: nothing is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def _mask(self, i: int) -> npt.NDArray[np.bool_]:
        mask: npt.NDArray[np.bool_] = self.action_masks()[i]
        return mask
