"""One environment: a game behind Gymnasium's ``Env``."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from ..batch import whole
from . import worlds
from .worlds import Source

__all__ = ["GridEnv"]


class GridEnv(gymnasium.Env[Any, Any]):
    """A one-player game as a Gymnasium environment; ``gymnasium.make("gridwright/Bloxorz-v0")`` makes one.

    Observations are boards ``(H, W)`` uint8, fresh at each call; ``mask_in_observation=True`` makes them a dict of
    ``observation`` and ``action_mask``. ``info["action_mask"]`` is int8, 1 where an action is legal, and fits
    ``action_space.sample(mask)``; ``action_masks()`` gives the same as bool. An action is the row-major index of a
    move in the game's ``bounds`` (``actions="discrete"``) or the move itself (``"multi_discrete"``: then masks have
    the shape of ``bounds``); the first where there are at most 65,536 moves. An illegal action leaves the game as it
    was.

    * ``level``: the name of a packaged level, or several of one size, played in turn
    * ``size=(height, width)`` and the parameters of the game's ``generate``: a new puzzle for each episode
    * ``generator``: a function that takes ``seed=``, a position, or a list of positions; what ``gridwright.Batch``
      takes. ``pool``: how many puzzles a slow generator makes at the start; its seeds are 0, 1, ...
    * ``max_steps``: after how many steps an episode is truncated, ``None`` for never
    * ``mask=False`` leaves masks out, as boards of very many moves need it
    * ``rewards`` = (won, lost, drawn, each step, illegal)

    ``reset(seed=s)`` starts the first episode of the seed s, ``reset()`` the next one: the same seed, the same
    episodes.

    >>> import gridwright.envs, gymnasium
    >>> env = gymnasium.make("gridwright/Bloxorz-v0", level="level01", max_steps=50)
    >>> board, info = env.reset(seed=1)
    >>> board.shape, info["action_mask"]
    ((6, 10), array([1, 1, 1, 1, 0], dtype=int8))
    >>> board, reward, terminated, truncated, info = env.step(2)
    >>> reward, terminated, truncated
    (0.0, False, False)
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as Gymnasium declares it
        "render_modes": ["rgb_array", "ansi"],
        "render_fps": 4,
    }

    def __init__(
        self,
        world: str,
        level: str | Sequence[str] | None = None,
        *,
        generator: Source | None = None,
        size: tuple[int, int] | None = None,
        pool: int | None = None,
        max_steps: int | None = -1,
        rewards: tuple[float, float, float, float, float] = (1.0, -1.0, 0.0, 0.0, 0.0),
        actions: str | None = None,
        mask: bool = True,
        mask_in_observation: bool = False,
        render_mode: str | None = None,
        **recipe: Any,
    ) -> None:
        self.world = world
        self.render_mode = worlds.checked_mode(render_mode, self.metadata["render_modes"])
        self._mask = mask or mask_in_observation
        # A batch of one: its own buffers lie idle, for each observation is a fresh array.
        start = worlds.source(world, level, generator, size, recipe)
        self._batch = worlds.batch(
            world, 1, start, mask=self._mask, pool=pool, max_steps=max_steps, rewards=rewards, autoreset="disabled"
        )
        self._core = self._batch._core
        self._flat = worlds.is_flat(self._batch.bounds, actions)
        self._in_observation = mask_in_observation
        self._seeded = False
        self.action_space = worlds.action_space(self._batch.bounds, self._flat)
        self.observation_space = worlds.observation_space(self._batch, self._flat, mask_in_observation)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts the next episode, or the first one of ``seed``: the observation and the info."""
        if seed is not None:
            seed = whole("seed", seed, 0)
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(2**63))
        self._seeded = True
        board, info = self._core.reset_one(seed, self._mask, self._flat)
        return self._observed(board, info), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Makes a move: observation, reward, terminated, truncated, info."""
        make = self._core.step_one if self._flat else self._core.step_point
        stepped = make(action, self._mask)
        if not self._in_observation:
            return stepped  # type: ignore[no-any-return]
        board, reward, terminated, truncated, info = stepped
        return self._observed(board, info), reward, terminated, truncated, info

    def _observed(self, board: npt.NDArray[np.uint8], info: dict[str, Any]) -> Any:
        if not self._in_observation:
            return board
        return {"action_mask": info["action_mask"].copy(), "observation": board}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Tells of every action whether it is legal now: a fresh bool array, as sb3-contrib asks for it."""
        mask: npt.NDArray[np.bool_] = self.game.legal_mask()
        return mask.ravel() if self._flat else mask

    @property
    def game(self) -> Any:
        """A copy of the game as it stands."""
        return self._batch.game(0)

    def get_state(self) -> Any:
        """Keeps the state, for ``set_state``: for planning ahead and going back."""
        return self._batch.get_state()

    def set_state(self, state: Any) -> tuple[Any, dict[str, Any]]:
        """Goes back to a state that ``get_state`` gave: the observation and the info there."""
        self._core.restore(state)
        board, info = self._core.look_one(self._mask, self._flat)
        return self._observed(board, info), info

    def clone(self) -> GridEnv:
        """Makes an independent copy: the same episode now, and the same ones after it."""
        return copy.deepcopy(self)

    def render(self) -> Any:
        """Draws the game: uint8 ``(H, W, 3)`` for ``rgb_array``, text for ``ansi``."""
        return worlds.frame(self.game, self.render_mode)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_core"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._core = self._batch._core
