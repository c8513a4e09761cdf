"""Many environments: a batch behind Gymnasium's ``VectorEnv``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..arguments import bools, choice, flag, whole, wrong_type
from ..batch import Batch
from . import worlds
from .worlds import Source

__all__ = ["GridVectorEnv"]

_MODES = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


class GridVectorEnv(VectorEnv[Any, Any, npt.NDArray[Any]]):
    """Many one-player games stepped together in Rust, made by ``gymnasium.make_vec("gridwright/Bloxorz-v0", 1024)``.

    Behaves like a ``SyncVectorEnv`` of ``num_envs`` ``GridEnv`` objects with equal arguments: environment i has the
    seed ``seed + i``. ``infos["action_mask"]`` is int8 of shape ``(n, actions)``, or ``(n, *bounds)`` with
    multi-discrete actions.

    * ``num_envs``: the number of environments, at least 1.
    * ``autoreset_mode``: one of Gymnasium's three ``AutoresetMode`` members or its value; the next-step mode by
      default.
    * ``copy``: whether calls return fresh arrays. Default ``True``. ``False`` returns arrays from two alternating sets
      of buffers, so that the results of a call are overwritten by the second call after it.
    * ``threads``: the number of threads, 1 to 1024, or 0 (the default) to let the batch choose by its size.
    * ``world``: a name in ``WORLDS``.
    * ``level``: the name of a packaged level, or a sequence of names of levels of one size, which are played in turn.
      Without ``level``, ``size`` and ``generator``, the level or size in ``WORLDS`` is used.
    * ``size``: ``(height, width)`` of generated puzzles. At most one of ``level``, ``size`` and ``generator`` can be
      given; raises ``ValueError`` otherwise.
    * ``generator``: the starts of the episodes: a position, a list of positions, or a callable that takes ``seed=``.
    * ``pool``: the number of puzzles that a generator generates at the start, from the seeds 0, 1, ...; by default 64,
      except that the ``generate`` of a game, if it is fast, generates a new puzzle for every episode.
    * ``max_steps``: the number of steps after which an episode is truncated; ``None`` for no bound, ``"default"`` (the
      default) for the bound in ``WORLDS``.
    * ``rewards``: five finite numbers, (won, lost, drawn, each step, illegal action); 1, -1, 0, 0, 0 by default.
    * ``actions``: ``"discrete"`` or ``"multi_discrete"``; by default the former for at most 65,536 moves, else the
      latter.
    * ``mask``: whether infos have masks; ``mask_in_observation`` implies it. Default ``True``.
    * ``mask_in_observation``: whether an observation is a dict of ``observation`` and ``action_mask``. Default
      ``False``.
    * ``render_mode``: ``"rgb_array"``, ``"ansi"`` or ``None`` (the default).
    * ``recipe``: further arguments of the game's ``generate``; raises ``TypeError`` for unknown ones, and if given
      together with ``level`` or ``generator``.

    >>> import gridwright.envs, gymnasium
    >>> envs = gymnasium.make_vec("gridwright/Bloxorz-v0", num_envs=3)
    >>> boards, infos = envs.reset(seed=1)
    >>> boards, rewards, terminated, truncated, infos = envs.step(envs.sample_legal())
    >>> boards.shape, rewards.dtype, infos["action_mask"].shape
    ((3, 6, 10), dtype('float64'), (3, 5))
    """

    def __init__(
        self,
        num_envs: int,
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
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int = 0,
        **recipe: Any,
    ) -> None:
        if not isinstance(autoreset_mode, AutoresetMode):
            autoreset_mode = choice("autoreset_mode", autoreset_mode, [mode.value for mode in AutoresetMode])
        mode, num_envs = AutoresetMode(autoreset_mode), whole("num_envs", num_envs, 1)
        mask, mask_in_observation = flag("mask", mask), flag("mask_in_observation", mask_in_observation)
        self.world, self.num_envs, self.copy = world, num_envs, flag("copy", copy)
        self.metadata = {"render_modes": ["rgb_array", "ansi"], "render_fps": 4, "autoreset_mode": mode}
        self.render_mode = worlds.checked_mode(render_mode, self.metadata["render_modes"])
        start = worlds.source(world, level, generator, size, recipe)
        masked = mask or mask_in_observation
        self._batch = worlds.batch(
            world,
            num_envs,
            start,
            mask=masked,
            pool=pool,
            max_steps=max_steps,
            rewards=rewards,
            autoreset=_MODES[mode],
            threads=threads,
        )
        if masked:
            self._batch.keep_masks()
        self._flat = worlds.is_flat(self._batch.bounds, actions)
        self._in_observation = mask_in_observation
        self._seeded = np.zeros(num_envs, dtype=np.bool_)
        self._ended = np.zeros(num_envs, dtype=np.bool_)
        self._spare: list[dict[str, npt.NDArray[Any]]] = [{}, {}]
        self.single_action_space = worlds.action_space(self._batch.bounds, self._flat)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.single_observation_space = worlds.observation_space(self._batch, self._flat, mask_in_observation)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | npt.NDArray[np.integer[Any]] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Starts episodes and returns observations and infos.

        * ``seed``: an integer from 0 to 2^64 - 1 starts environment i at the first episode of ``seed + i`` (after
          2^64 - 1 comes 0); a list has one seed or ``None`` per environment; ``None`` (the default) starts the next
          episodes, or the first ones of random seeds in environments that had no seed before.
        * ``options``: ``{"reset_mask": mask}`` with a bool array ``(n,)`` resets only the marked environments;
          ``ValueError`` if it marks none.
        """
        if options is not None and not isinstance(options, Mapping):
            raise wrong_type("options", "a dict or None", options)
        marked = None if options is None else options.get("reset_mask")
        if marked is not None:
            self._check_mask(marked)
            marked = marked.copy()  # it may be a buffer of the batch, which the reset overwrites
        seeds: Any = seed.tolist() if isinstance(seed, np.ndarray) else seed
        if seeds is not None and not isinstance(seeds, Sequence):
            seeds = whole("seed", seeds, 0)
        super().reset(seed=seeds if isinstance(seeds, int) else None)
        if not isinstance(seeds, int):
            seeds = self._with_first_seeds(seeds)
        self._batch.reset(marked, seed=seeds)
        self._seeded[slice(None) if marked is None else marked] = True
        self._ended[slice(None) if marked is None else marked] = False
        infos = self._infos(np.ones(self.num_envs, dtype=np.bool_) if marked is None else marked)
        if marked is not None and infos:
            infos["action_mask"][~marked] = 0
        return self._observations(), infos

    def _with_first_seeds(self, seeds: Sequence[int | None] | None) -> int | Sequence[int | None] | None:
        """Returns ``seeds`` with a random seed for each environment that has none and never had one."""
        if self._seeded.all():
            return seeds
        first = int(self.np_random.integers(2**63))
        if seeds is None and not self._seeded.any():
            return first
        if isinstance(seeds, str | bytes | bytearray) or (seeds is not None and len(seeds) != self.num_envs):
            return seeds  # the batch raises
        given = [None] * self.num_envs if seeds is None else seeds
        return [first + i if one is None and not self._seeded[i] else one for i, one in enumerate(given)]

    def _check_mask(self, mask: Any) -> None:
        if not isinstance(mask, np.ndarray):
            raise wrong_type("reset_mask", f"a bool array of shape ({self.num_envs},)", mask)
        if not bools("reset_mask", mask, self.num_envs).any():
            raise ValueError("reset_mask must mark at least one environment, got all False")

    def step(
        self, actions: Any
    ) -> tuple[Any, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Makes a move in each game and returns observations, rewards, terminated, truncated and infos.

        * ``actions``: ``(n,)`` indices or ``(n, rank)`` moves, members of ``action_space``. Raises ``MoveError``
          for a number out of bounds, ``ValueError`` for the wrong shape, ``TypeError`` for the wrong dtype, and, in
          the disabled mode, ``RuntimeError`` if an environment has ended and has not been reset. An error leaves all
          games unchanged.
        """
        batch = self._batch
        disabled = self.metadata["autoreset_mode"] is AutoresetMode.DISABLED
        if disabled and self._ended.any():
            place = int(np.argmax(self._ended))
            raise RuntimeError(
                f"reset() must be called with a reset_mask that marks environment {place}, which has ended"
            )
        if self._flat:
            batch.step_flat(actions)
        else:
            batch.step(actions)
        infos = self._infos(np.ones(self.num_envs, dtype=np.bool_))
        rewards, terminated, truncated = (
            self._out(name, getattr(batch, name)) for name in ("reward", "terminated", "truncated")
        )
        if batch.final_board is not None:
            self._finals(infos)
            self._ended[:] = False  # in the same-step mode, the next episodes have started
        else:
            np.logical_or(batch.terminated, batch.truncated, out=self._ended)
        return self._observations(), rewards, terminated, truncated, infos

    def _out(self, name: str, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Returns a copy of a buffer of the batch: a fresh array, or an alternating buffer if ``copy`` is false."""
        if self.copy:
            fresh: npt.NDArray[Any] = array.copy()
            return fresh
        spare = self._spare[0]
        if name not in spare:
            spare[name] = array.copy()
        else:
            np.copyto(spare[name], array)
        return spare[name]

    def _masks(self) -> npt.NDArray[np.int8] | None:
        mask = self._batch.legal_mask
        if mask is None:
            return None
        return mask.view(np.int8).reshape((self.num_envs, -1) if self._flat else mask.shape)

    def _infos(self, which: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """Switches to the other set of buffers and returns the infos of a call; must precede other uses of ``_out``."""
        if not self.copy:
            self._spare.reverse()
        masks = self._masks()
        return {} if masks is None else {"action_mask": self._out("mask", masks), "_action_mask": which}

    def _observations(self) -> Any:
        boards = self._out("board", self._batch.board)
        if not self._in_observation:
            return boards
        masks = self._masks()
        assert masks is not None
        return {"action_mask": self._out("observed_mask", masks), "observation": boards}

    def _finals(self, infos: dict[str, Any]) -> None:
        """Adds to ``infos`` what Gymnasium's same-step mode reports about the episodes that ended in this step."""
        batch = self._batch
        ended = batch.terminated | batch.truncated
        if not ended.any():
            return
        places = np.flatnonzero(ended)
        observations = np.full(self.num_envs, None, dtype=object)
        assert batch.final_board is not None
        masks = None
        if batch.final_mask is not None:
            masks = np.zeros_like(self._masks())
            masks[ended] = batch.final_mask[ended].view(np.int8).reshape(len(places), *masks.shape[1:])
            infos["final_info"] = {"action_mask": masks, "_action_mask": ended.copy()}
        else:
            infos["final_info"] = {}
        for place in places:
            board = batch.final_board[place].copy()
            if self._in_observation:
                assert masks is not None
                observations[place] = {"action_mask": masks[place].copy(), "observation": board}
            else:
                observations[place] = board
        infos.update(final_obs=observations, _final_obs=ended, _final_info=ended.copy())

    def sample_legal(self, seed: int | None = None) -> npt.NDArray[np.int64]:
        """Draws a legal action for each environment in Rust, faster than ``action_space.sample(mask)``.

        The action of a game that is over is zero.

        * ``seed``: an integer from 0 to 2^64 - 1; ``None`` (the default) derives a new one for each call.
        """
        drawn = self._batch.sample_legal(seed)
        if not self._flat:
            return drawn
        return np.asarray(np.ravel_multi_index(tuple(drawn.T), self._batch.bounds), dtype=np.int64)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Returns which actions are legal: a fresh bool array ``(n, actions)``, or ``(n, *bounds)`` if an action is a
        move of several numbers. Raises ``RuntimeError`` without masks.
        """
        masks = self._masks()
        if masks is None:
            raise RuntimeError("the environments must be made with mask=True, got mask=False")
        return masks.astype(np.bool_)

    @property
    def batch(self) -> Batch:
        """The batch behind the environments; only the environments may step it."""
        return self._batch

    def get_state(self) -> Any:
        """Returns the state of all environments, for ``set_state``."""
        return self._batch.get_state(), self._ended.copy()

    def set_state(self, state: Any) -> tuple[Any, dict[str, Any]]:
        """Restores a state that ``get_state`` returned, and returns its observations and infos.

        Without a seed, ``reset`` then starts the episodes that follow those of the state.

        * ``state``: a state of these environments, or of the same number of environments of the same game and size.
          Raises ``TypeError`` for anything else, and ``ValueError`` for another number, kind or size of games.
        """
        if not isinstance(state, tuple) or len(state) != 2:
            raise wrong_type("state", "what get_state() returned", state)
        kept, ended = state
        ended = bools("state[1]", ended, self.num_envs)  # before anything is changed
        self._batch.set_state(kept)
        self._ended[:] = ended
        self._seeded[:] = True
        infos = self._infos(np.ones(self.num_envs, dtype=np.bool_))
        return self._observations(), infos

    def clone(self) -> GridVectorEnv:
        """Returns an independent copy with buffers of its own and the same current and later episodes."""
        return deepcopy(self)

    def render(self) -> tuple[Any, ...] | None:
        """Returns one picture per game, or ``None`` without ``render_mode``."""
        if self.render_mode is None:
            return None
        return tuple(worlds.frame(self._batch.game(i), self.render_mode) for i in range(self.num_envs))
