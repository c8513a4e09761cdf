"""One environment: a game behind Gymnasium's ``Env``."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt

from ..arguments import flag, whole, wrong_type
from . import worlds
from .worlds import Source

__all__ = ["GridEnv"]


class GridEnv(gymnasium.Env[Any, Any]):
    """A one-player game as a Gymnasium environment, made by ``gymnasium.make("gridwright/Bloxorz-v0")``.

    Observations are boards ``(H, W)`` uint8, fresh at each call. ``info["action_mask"]`` is int8, 1 for legal actions;
    if actions are discrete, ``action_space.sample(mask)`` accepts it. ``action_masks()`` returns it as bool. An illegal
    action leaves the game unchanged. ``reset(seed=s)`` starts the first episode of the seed s, ``reset()`` the next
    one, or the first of a random seed if no episode was started before; equal seeds give equal episodes.

    * ``world``: a name in ``WORLDS``.
    * ``level``: the name of a packaged level, or a sequence of names of levels of one size, which are played in turn.
      Without ``level``, ``size`` and ``generator``, the level or size in ``WORLDS`` is used.
    * ``size``: ``(height, width)`` of generated puzzles. At most one of ``level``, ``size`` and ``generator`` can be
      given; raises ``ValueError`` otherwise.
    * ``generator``: the starts of the episodes, as for ``gridwright.Batch``: a position, a list of positions, or a
      callable that takes ``seed=``.
    * ``pool``: the number of puzzles that a generator generates at the start, from the seeds 0, 1, ...; by default 64,
      except that the ``generate`` of a game, if it is fast, generates a new puzzle for every episode.
    * ``max_steps``: the number of steps after which an episode is truncated; ``None`` for no bound, ``"default"`` (the
      default) for the bound in ``WORLDS``.
    * ``rewards``: five finite numbers, (won, lost, drawn, each step, illegal action); 1, -1, 0, 0, 0 by default.
    * ``actions``: ``"discrete"``, the row-major index of a move in the game's ``bounds``, or ``"multi_discrete"``, the
      move itself, with masks of the shape of ``bounds``; by default the former for at most 65,536 moves, else the
      latter.
    * ``mask``: whether infos have masks. Default ``True``; ``False`` suits boards with very many moves.
    * ``mask_in_observation``: whether an observation is a dict of ``observation`` and ``action_mask``; implies
      ``mask``. Default ``False``.
    * ``render_mode``: ``"rgb_array"``, ``"ansi"`` or ``None`` (the default).
    * ``recipe``: further arguments of the game's ``generate``; raises ``TypeError`` for unknown ones, and if given
      together with ``level`` or ``generator``.

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
        max_steps: int | Literal["default"] | None = "default",
        rewards: tuple[float, float, float, float, float] = (1.0, -1.0, 0.0, 0.0, 0.0),
        actions: str | None = None,
        mask: bool = True,
        mask_in_observation: bool = False,
        render_mode: str | None = None,
        **recipe: Any,
    ) -> None:
        self.world = world
        self.render_mode = worlds.checked_mode(render_mode, self.metadata["render_modes"])
        mask_in_observation = flag("mask_in_observation", mask_in_observation)
        self._mask = flag("mask", mask) or mask_in_observation
        start = worlds.source(world, level, generator, size, recipe)
        # The buffers of this batch of one game stay unused, because each observation is a fresh array.
        self._batch = worlds.batch(
            world, 1, start, mask=self._mask, pool=pool, max_steps=max_steps, rewards=rewards, autoreset="disabled"
        )
        self._engine = self._batch.engine
        self._flat = worlds.is_flat(self._batch.bounds, actions)
        self._in_observation = mask_in_observation
        self._seeded = False
        self._resets = 0  # tells a wrapper whether one inside it has started an episode during a step
        self.action_space = worlds.action_space(self._batch.bounds, self._flat)
        self.observation_space = worlds.observation_space(self._batch, self._flat, mask_in_observation)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode and returns its observation and info.

        * ``seed``: an integer from 0 to 2^64 - 1 starts the first episode of this seed; ``None`` (the default) starts
          the next one, or the first of a random seed if no episode was started before.
        * ``options``: a dict or ``None``; ignored.
        """
        if options is not None and not isinstance(options, Mapping):
            raise wrong_type("options", "a dict or None", options)
        if seed is not None:
            seed = whole("seed", seed, 0)
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(2**63))
        self._seeded = True
        self._resets += 1
        board, info = self._engine.reset_one(seed, self._mask, self._flat)
        return self._observed(board, info), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Makes a move and returns observation, reward, terminated, truncated and info.

        * ``action``: a member of ``action_space``; raises ``MoveError`` otherwise.

        Raises ``RuntimeError`` after the end of the episode.
        """
        make = self._engine.step_one if self._flat else self._engine.step_point
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
        """Returns which actions are legal: a fresh bool array ``(actions,)``, as sb3-contrib needs it, or one of
        the shape of ``bounds`` if actions are multi-discrete.
        """
        mask: npt.NDArray[np.bool_] = self.game.legal_mask()
        return mask.ravel() if self._flat else mask

    @property
    def game(self) -> Any:
        """A copy of the game."""
        return self._batch.game(0)

    def get_state(self) -> Any:
        """Returns the state, for ``set_state``."""
        return self._batch.get_state()

    def set_state(self, state: Any) -> tuple[Any, dict[str, Any]]:
        """Restores a state that ``get_state`` returned, and returns its observation and info.

        Without a seed, ``reset`` then starts the episode that follows that of the state.

        * ``state``: a state of this environment, or of another environment of the same game and size; ``TypeError`` for
          anything else, such as the state of another game, and ``ValueError`` for a board of another kind or size.
        """
        self._batch.set_state(state)
        self._seeded = True
        board, info = self._engine.observe_one(self._mask, self._flat)
        return self._observed(board, info), info

    def clone(self) -> GridEnv:
        """Returns an independent copy with the same current and later episodes."""
        return copy.deepcopy(self)

    def render(self) -> Any:
        """Returns a picture: uint8 ``(H, W, 3)`` in pixels for ``rgb_array``, text for ``ansi``, otherwise ``None``."""
        return worlds.frame(self.game, self.render_mode)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_engine"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._engine = self._batch.engine
