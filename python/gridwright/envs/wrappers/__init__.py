"""Wrappers of single environments; ``gridwright.envs.wrappers.vector`` has wrappers of vector environments.

The wrappers complement those of ``gymnasium.wrappers``, which also work with these environments: ``FlattenObservation``
flattens planes, and ``RecordVideo`` records ``render_mode="rgb_array"``. With ``mask_in_observation=True``, an option
of the environments, an observation contains the mask; the wrappers then change the board and leave the mask as it is.

>>> import gridwright.envs, gymnasium
>>> from gridwright.envs.wrappers import DistanceReward, OneHotObservation
>>> env = OneHotObservation(DistanceReward(gymnasium.make("gridwright/Bloxorz-v0")))
>>> planes, info = env.reset(seed=1)
>>> planes.shape, planes.dtype
((11, 6, 10), dtype('uint8'))
"""

from __future__ import annotations

from typing import Any

import gymnasium
from gymnasium.utils import RecordConstructorArgs
from gymnasium.wrappers import NormalizeReward

from ..single import GridEnv
from . import shared

__all__ = ["BitsObservation", "ChanceReward", "DistanceReward", "OneHotObservation"]

_Wrapper = gymnasium.Wrapper[Any, Any, Any, Any]


class OneHotObservation(gymnasium.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Observes planes ``(planes, H, W)`` uint8 of 0 and 1 instead of codes.

    The planes are listed in ``gridwright.envs.WORLDS[name].planes``. Bloxorz: one per terrain, one for the block, one
    for the other cube. GeeseSpotter: hidden, marked, the numbers 0 to 8, goose. LightEmAll: the eight bits of a code.
    MyPhoton: one per tile code, and one for lit sensors.

    * ``env``: a single environment of this package, wrapped or not; raises ``TypeError`` otherwise, and ``ValueError``
      if a wrapper has flattened the boards or changed their dtype.

    >>> import gridwright.envs, gymnasium
    >>> from gridwright.envs.wrappers import OneHotObservation
    >>> env = OneHotObservation(gymnasium.make("gridwright/GeeseSpotter-v0"))
    >>> planes, info = env.reset(seed=1)
    >>> planes.shape, int(planes[0].sum())  # all fields are hidden
    ((12, 10, 10), 100)
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        RecordConstructorArgs.__init__(self)
        self._world = shared.world_of(env, GridEnv)
        gymnasium.ObservationWrapper.__init__(self, env)
        self.observation_space = shared.changed_space(self._world, env.observation_space, shared.planes)

    def observation(self, observation: Any) -> Any:
        """Returns the planes of a board, or of the board in a dict.

        * ``observation``: what the wrapped environment returned.
        """
        return shared.change_boards(observation, lambda board: shared.planes(self._world, board))


class BitsObservation(gymnasium.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Observes the bits of all codes, ``(H * W * 8,)`` uint8 of 0 and 1, least significant bit of a cell first.

    * ``env``: a single environment of this package, wrapped or not; raises ``TypeError`` otherwise, and ``ValueError``
      if a wrapper has flattened the boards or changed their dtype.

    >>> import gridwright.envs, gymnasium
    >>> from gridwright.envs.wrappers import BitsObservation
    >>> env = BitsObservation(gymnasium.make("gridwright/LightEmAll-v0"))
    >>> env.reset(seed=1)[0].shape
    (512,)
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        RecordConstructorArgs.__init__(self)
        self._world = shared.world_of(env, GridEnv)
        gymnasium.ObservationWrapper.__init__(self, env)
        self.observation_space = shared.changed_space(self._world, env.observation_space, shared.bits)

    def observation(self, observation: Any) -> Any:
        """Returns the bits of a board, or of the board in a dict.

        * ``observation``: what the wrapped environment returned.
        """
        return shared.change_boards(observation, lambda board: shared.bits(self._world, board))


class DistanceReward(_Wrapper, RecordConstructorArgs):
    """Shapes the reward of a move by the distance to the goal, for Bloxorz, LightEmAll and MyPhoton.

    The potential P of a position is ``discount ** (distance - 1)``, where ``distance`` is the smallest number of moves
    to the goal; P is 0 if the game is over or the goal cannot be reached. The reward of a move becomes
    ``reward + discount * P(after) - P(before)``. With the default rewards and discount, a best move from a position
    with P above 0 earns 0, up to rounding, and any other less: the shaped reward is the advantage of the move under
    best play. Shaping by a potential does not change the best policy of an agent with the same discount, because the
    discounted sum of what is added in a game played to its end is ``-P`` of its first position. The reward of a step in
    which Gymnasium's ``Autoreset`` starts an episode is unchanged.

    For Bloxorz, only ways without a fall count. If a fall, which leads back to the start, is the shorter way or the
    only one, the shaped reward is not exactly the advantage.

    For LightEmAll, the distance is instead the number of moves that ``solution`` returns: clockwise turns and, if the
    radius is limited, moves of the station. This is the smallest number on boards with one solution and without a
    limited radius. On other boards, a move may bring another solution nearer, and the shaped reward is not exactly the
    advantage.

    * ``env``: a single environment of Bloxorz, LightEmAll or MyPhoton, wrapped or not; raises ``TypeError`` or
      ``ValueError`` otherwise.
    * ``discount``: the discount of the agent, a number from 0 to 1; by default 0.99.
    * ``limit``: the ``limit`` of each ``solve``, an integer of at least 0, or ``None`` (the default) for no limit.
      Raises ``SearchLimitError`` beyond it, after the move has been made.

    >>> import gridwright.envs, gymnasium
    >>> from gridwright.envs.wrappers import DistanceReward
    >>> env = DistanceReward(gymnasium.make("gridwright/Bloxorz-v0", level="level01"))
    >>> board, info = env.reset(seed=1)
    >>> [round(env.step(key)[1], 4) + 0.0 for key in (2, 0, 2)]  # right is best; left undoes the move
    [0.0, -0.0189, 0.0]
    """

    def __init__(self, env: gymnasium.Env[Any, Any], discount: float = 0.99, limit: int | None = None) -> None:
        RecordConstructorArgs.__init__(self, discount=discount, limit=limit)
        self._distance = shared.Distance(env, GridEnv, discount, limit)
        super().__init__(env)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Makes a move and returns observation, shaped reward, terminated, truncated and info.

        * ``action``: a member of ``action_space``; raises ``MoveError`` otherwise.
        """
        inner: Any = self.unwrapped
        before, resets = inner.game, inner._resets
        observation, reward, terminated, truncated, info = self.env.step(action)
        shaped = float(reward)
        if inner._resets == resets:
            potential = self._distance.potential
            shaped += self._distance.discount * potential(inner.game) - potential(before)
        return observation, shaped, terminated, truncated, info


class ChanceReward(_Wrapper, RecordConstructorArgs):
    """Replaces the reward for losing GeeseSpotter with the expected loss of each show.

    A show earns the exact chance of a goose in the field, given what is visible, times the reward of a loss, and losing
    earns nothing more. So a careless guess is penalized even if it goes well, and a good guess is not penalized more if
    it goes wrong. If all boards with the same number of geese are equally likely, as ``generate`` makes them without
    ``safe``, ``no_guess`` and ``difficulty``, the expected undiscounted return of every policy stays the same. The
    reward of a step in which Gymnasium's ``Autoreset`` starts an episode is unchanged.

    * ``env``: a single environment of GeeseSpotter, wrapped or not; raises ``TypeError`` or ``ValueError`` otherwise,
      and ``ValueError`` if one of its wrappers is a ``RewardWrapper``, an ``ActionWrapper``, a ``NormalizeReward`` or a
      ``ChanceReward``. Wrappers that change rewards or actions must be around this one.

    >>> import gridwright.envs, gymnasium
    >>> from gridwright.envs.wrappers import ChanceReward
    >>> env = ChanceReward(gymnasium.make("gridwright/GeeseSpotter-v0", size=(5, 5), geese=5))
    >>> board, info = env.reset(seed=1)
    >>> env.step(12)[1]  # 5 geese in 25 fields
    -0.2
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        RecordConstructorArgs.__init__(self)
        changing = (gymnasium.RewardWrapper, gymnasium.ActionWrapper, NormalizeReward, ChanceReward)
        self._chance = shared.Chance(env, GridEnv, changing)
        super().__init__(env)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Makes a move and returns observation, expected reward, terminated, truncated and info.

        * ``action``: a member of ``action_space``; raises ``MoveError`` otherwise.
        """
        inner: Any = self.unwrapped
        before, resets = inner.game, inner._resets
        observation, reward, terminated, truncated, info = self.env.step(action)
        shaped = float(reward)
        if inner._resets == resets:
            shaped += self._chance.expected(before, action)
            if inner.game.status < 0:
                shaped -= self._chance.loss
        return observation, shaped, terminated, truncated, info
