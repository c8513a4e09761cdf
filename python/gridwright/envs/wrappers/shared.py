"""The parts that wrappers of single and of vector environments share: planes, bits, distances and exact chances."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import Wrapper, spaces
from gymnasium.vector import VectorWrapper

from ...arguments import number, shown, whole, wrong_type
from ...words import either
from ..single import GridEnv
from ..vector import GridVectorEnv
from ..worlds import WORLDS, World

Boards = npt.NDArray[np.uint8]


def world_of(env: Any, kind: type[GridEnv | GridVectorEnv]) -> World:
    """Returns the world of an environment; raises ``TypeError`` unless the environment is or wraps a ``kind``."""
    inner = getattr(env, "unwrapped", None)
    if not isinstance(inner, kind):
        raise wrong_type("env", f"a {'single' if kind is GridEnv else 'vector'} environment of gridwright", env)
    return WORLDS[inner.world]


def planes(world: World, boards: Boards) -> Boards:
    """Returns ``(..., planes, H, W)`` of 0 and 1 for boards ``(..., H, W)``."""
    masks, values = np.array(world.planes, dtype=np.uint8).T[..., None, None]
    found: Boards = ((boards[..., None, :, :] & masks) == values).view(np.uint8)
    return found


def bits(world: World, boards: Boards) -> Boards:
    """Returns ``(..., H * W * 8)`` of 0 and 1: the bits of each code, least significant first."""
    return np.unpackbits(boards.reshape(*boards.shape[:-2], -1), axis=-1, bitorder="little")


def change_boards(observation: Any, change: Any) -> Any:
    """Applies a change to boards, alone or in a dict with a mask."""
    if isinstance(observation, dict):
        return {**observation, "observation": change(observation["observation"])}
    return change(observation)


def changed_space(world: World, space: spaces.Space[Any], change: Any) -> spaces.Space[Any]:
    """Returns the space of the changed observations of one environment; ``ValueError`` if ``space`` holds no boards."""
    if isinstance(space, spaces.Dict):
        return spaces.Dict({**space.spaces, "observation": changed_space(world, space["observation"], change)})
    if space.shape is None or len(space.shape) != 2 or space.dtype != np.uint8:
        raise ValueError(f"env must observe boards (H, W) of uint8, got {shown(space)}")
    return spaces.Box(0, 1, change(world, np.zeros(space.shape, np.uint8)).shape, np.uint8)


# Training visits the same positions again and again. The distance depends only on the text of the position.
@functools.lru_cache(maxsize=1 << 17)
def _distance(name: str, text: str, limit: int | None) -> int | None:
    measure = WORLDS[name].distance
    assert measure is not None
    kind: Any = WORLDS[name].kind
    return measure(kind(text), limit)


class Distance:
    """The potential of a position, computed from its distance to the goal."""

    def __init__(self, env: Any, kind: type[GridEnv | GridVectorEnv], discount: float, limit: int | None) -> None:
        if world_of(env, kind).distance is None:
            able = either(name for name, world in WORLDS.items() if world.distance is not None)
            raise ValueError(f"env must be an environment of {able}, got {env.unwrapped.world}")
        self.world: str = env.unwrapped.world
        self.discount = number("discount", discount, 0, 1)
        self.limit = None if limit is None else whole("limit", limit, 0)

    def potential(self, game: Any) -> float:
        """Returns ``discount ** (distance - 1)``, and 0 if the game is over or cannot be won anymore."""
        if game.status:
            return 0.0
        found = _distance(self.world, game.text, self.limit)
        return 0.0 if found is None else float(self.discount ** (found - 1))


class Chance:
    """The expected reward for a loss when a field is shown, which replaces the actual reward for a loss.

    Raises ``ValueError`` if ``env`` is wrapped in one of the classes in ``changing``: the actions that it receives and
    the rewards that it returns would not be those of the game.
    """

    def __init__(self, env: Any, kind: type[GridEnv | GridVectorEnv], changing: tuple[type, ...]) -> None:
        if world_of(env, kind).game != "geese":
            raise ValueError(f"env must be an environment of GeeseSpotter, got {env.unwrapped.world}")
        layer = env
        while isinstance(layer, Wrapper | VectorWrapper):
            if isinstance(layer, changing):
                found = type(layer).__name__
                raise ValueError(f"env must have no wrapper that changes rewards or actions, got {found}")
            layer = layer.env
        batch = env.unwrapped._batch
        self.bounds, self.loss = batch.bounds, batch.rewards[1]

    def expected(self, game: Any, action: Any) -> float:
        """Returns the exact chance that the action loses, times the reward of a loss."""
        kind, row, col = np.unravel_index(action, self.bounds) if np.ndim(action) == 0 else action
        # Showing a revealed zero again opens its neighbors, none of which is a goose.
        if kind != 0 or not game.hidden[row, col] or not game.is_legal(kind, row, col):
            return 0.0
        return float(self.loss * game.probabilities()[row, col])
