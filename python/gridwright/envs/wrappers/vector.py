"""Wrappers of vector environments, with the names and meanings of the wrappers of single environments.

Like Gymnasium's ``VectorObservationWrapper``, these wrappers require environments whose autoreset mode is next-step
(the default) or disabled.

>>> import gridwright.envs, gymnasium
>>> from gridwright.envs.wrappers.vector import DistanceReward, OneHotObservation
>>> envs = OneHotObservation(DistanceReward(gymnasium.make_vec("gridwright/Bloxorz-v0", 3)))
>>> envs.reset(seed=1)[0].shape
(3, 11, 6, 10)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import (
    AutoresetMode,
    VectorActionWrapper,
    VectorEnv,
    VectorObservationWrapper,
    VectorRewardWrapper,
    VectorWrapper,
)
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers.vector import NormalizeReward

from ..vector import GridVectorEnv
from ..worlds import World
from . import shared

__all__ = ["BitsObservation", "ChanceReward", "DistanceReward", "OneHotObservation"]

_Envs = VectorEnv[Any, Any, Any]
_Stepped = tuple[Any, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]


def _checked(envs: Any) -> World:
    world = shared.world_of(envs, GridVectorEnv)
    mode = envs.metadata["autoreset_mode"]
    if mode is AutoresetMode.SAME_STEP:
        raise ValueError(f"env must have the autoreset mode NextStep or Disabled, got {mode.value}")
    return world


class _Changed(VectorObservationWrapper[Any, Any, Any, Any]):
    """Changes the boards of all environments at once."""

    def __init__(self, env: _Envs, change: Any) -> None:
        self._world = _checked(env)
        super().__init__(env)
        self._change = change
        self.single_observation_space = shared.changed_space(self._world, env.single_observation_space, change)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    def observations(self, observations: Any) -> Any:
        """Returns the changed observations of all environments.

        * ``observations``: what the wrapped environments returned.
        """
        return shared.change_boards(observations, lambda boards: self._change(self._world, boards))


class OneHotObservation(_Changed):
    """Observes planes ``(n, planes, H, W)`` uint8 of 0 and 1 instead of codes.

    The planes are listed in ``gridwright.envs.WORLDS[name].planes``.

    * ``env``: vector environments of this package, wrapped or not; raises ``TypeError`` otherwise, and ``ValueError``
      in the same-step autoreset mode or if a wrapper has flattened the boards or changed their dtype.

    >>> import gridwright.envs, gymnasium
    >>> from gridwright.envs.wrappers.vector import OneHotObservation
    >>> envs = OneHotObservation(gymnasium.make_vec("gridwright/MyPhoton-v0", 2))
    >>> envs.reset(seed=1)[0].shape
    (2, 19, 7, 7)
    """

    def __init__(self, env: _Envs) -> None:
        super().__init__(env, shared.planes)


class BitsObservation(_Changed):
    """Observes the bits of all codes, ``(n, H * W * 8)`` uint8 of 0 and 1, least significant bit of a cell first.

    * ``env``: vector environments of this package, wrapped or not; raises ``TypeError`` otherwise, and ``ValueError``
      in the same-step autoreset mode or if a wrapper has flattened the boards or changed their dtype.

    >>> import gridwright.envs, gymnasium
    >>> from gridwright.envs.wrappers.vector import BitsObservation
    >>> envs = BitsObservation(gymnasium.make_vec("gridwright/MyPhoton-v0", 2))
    >>> envs.reset(seed=1)[0].shape
    (2, 392)
    """

    def __init__(self, env: _Envs) -> None:
        super().__init__(env, shared.bits)


class _Rewarded(VectorWrapper[Any, Any, Any, Any, Any]):
    """Changes the rewards of moves; the reward of a step that starts an episode is unchanged."""

    def __init__(self, env: _Envs) -> None:
        _checked(env)
        super().__init__(env)

    def _ended(self) -> npt.NDArray[np.bool_]:
        """Returns which environments the next step restarts."""
        ended: npt.NDArray[np.bool_] = self.unwrapped._ended.copy()  # type: ignore[attr-defined]
        return ended

    def _games(self, ended: npt.NDArray[np.bool_]) -> list[Any]:
        """Returns copies of all games, with ``None`` in place of those that are marked in ``ended``."""
        batch = self.unwrapped.batch  # type: ignore[attr-defined]
        return [None if over else batch.game(i) for i, over in enumerate(ended)]


class DistanceReward(_Rewarded):
    """Shapes the reward of each move by the distance to the goal.

    ``gridwright.envs.wrappers.DistanceReward`` describes the reward. Distances are cached: a position that
    occurred before takes microseconds.

    * ``env``: vector environments of Bloxorz, LightEmAll or MyPhoton, wrapped or not; raises ``TypeError`` or
      ``ValueError`` otherwise.
    * ``discount``: the discount of the agent, a number from 0 to 1; by default 0.99.
    * ``limit``: the ``limit`` of each ``solve``, an integer of at least 0, or ``None`` (the default) for no limit.
      Raises ``SearchLimitError`` beyond it; if a position after a move needs more, the moves have been made.

    >>> import gridwright.envs, gymnasium
    >>> from gridwright.envs.wrappers.vector import DistanceReward
    >>> envs = DistanceReward(gymnasium.make_vec("gridwright/Bloxorz-v0", 2, level="level01"))
    >>> _ = envs.reset(seed=1)
    >>> envs.step([2, 3])[1].round(4) + 0.0  # right is best, down is not
    array([ 0.    , -0.0094])
    """

    def __init__(self, env: _Envs, discount: float = 0.99, limit: int | None = None) -> None:
        self._distance = shared.Distance(env, GridVectorEnv, discount, limit)
        super().__init__(env)

    def _potentials(self, ended: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        return np.array([0.0 if game is None else self._distance.potential(game) for game in self._games(ended)])

    def step(self, actions: Any) -> _Stepped:
        """Makes a move in each game and returns observations, shaped rewards, terminated, truncated and infos.

        * ``actions``: a member of ``action_space``. Raises ``MoveError`` for a number out of bounds, ``ValueError`` for
          the wrong shape, and ``TypeError`` for the wrong dtype.
        """
        ended = self._ended()
        before = self._potentials(ended)
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        gained = self._distance.discount * self._potentials(ended) - before
        return observations, np.where(ended, rewards, rewards + gained), terminated, truncated, infos


class ChanceReward(_Rewarded):
    """Replaces the reward for losing GeeseSpotter with the expected loss of each show.

    ``gridwright.envs.wrappers.ChanceReward`` describes the reward.

    * ``env``: vector environments of GeeseSpotter, wrapped or not; raises ``TypeError`` or ``ValueError`` otherwise,
      and ``ValueError`` if one of their wrappers is a ``VectorRewardWrapper``, a ``VectorActionWrapper``, a
      ``NormalizeReward`` or a ``ChanceReward``. Wrappers that change rewards or actions must be around this one.

    >>> import gridwright.envs, gymnasium
    >>> from gridwright.envs.wrappers.vector import ChanceReward
    >>> envs = ChanceReward(gymnasium.make_vec("gridwright/GeeseSpotter-v0", 2, size=(5, 5), geese=5))
    >>> _ = envs.reset(seed=1)
    >>> envs.step([12, 0])[1]
    array([-0.2, -0.2])
    """

    def __init__(self, env: _Envs) -> None:
        changing = (VectorRewardWrapper, VectorActionWrapper, NormalizeReward, ChanceReward)
        self._chance = shared.Chance(env, GridVectorEnv, changing)
        super().__init__(env)

    def step(self, actions: Any) -> _Stepped:
        """Makes a move in each game and returns observations, expected rewards, terminated, truncated and infos.

        * ``actions``: a member of ``action_space``. Raises ``MoveError`` for a number out of bounds, ``ValueError`` for
          the wrong shape, and ``TypeError`` for the wrong dtype.
        """
        before = self._games(self._ended())
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        batch = self.unwrapped.batch  # type: ignore[attr-defined]
        for i, game in enumerate(before):
            if game is not None and not game.status:
                rewards[i] += self._chance.expected(game, np.asarray(actions)[i])
                if terminated[i] and batch.game(i).status < 0:
                    rewards[i] -= self._chance.loss
        return observations, rewards, terminated, truncated, infos
