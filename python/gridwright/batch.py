"""Many games stepped together; the results are written straight into numpy buffers."""

from __future__ import annotations

import functools
import inspect
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from itertools import islice
from types import NoneType, SimpleNamespace
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from . import _core
from .arguments import bools, form, instance, number, place, sequence, shown, whole, wrong_type
from .errors import MoveError
from .game import GridGame
from .words import counted, either

__all__ = ["Batch"]

if hasattr(os, "register_at_fork"):
    # A forked child has none of its parent's other threads, and whatever they were writing would stay half written.
    os.register_at_fork(
        before=_core.before_fork,
        after_in_parent=functools.partial(_core.after_fork, False),
        after_in_child=functools.partial(_core.after_fork, True),
    )

# The largest mask per game that a batch keeps by default, in entries.
_MAX_MASK = 1 << 20

# The largest default of `pool`.
_MAX_POOL = 1024

_BUFFERS = (
    "board",
    "legal_mask",
    "legal_bits",
    "reward",
    "terminated",
    "truncated",
    "illegal",
    "final_board",
    "final_mask",
)


class Batch:
    """n games of one kind and size, stepped together in Rust; long calls release the interpreter lock.

    Parameters:

    * ``game_or_generator``: where episodes start: a position, a list of positions of one size, or a callable that takes
      ``seed=`` and returns a position. A single position is the start of every episode. With a list, episode e of game
      i starts at index ``(seed + i + e) % len`` of the list. A callable is called once for each of the ``pool`` seeds
      ``seed``, ``seed + 1``, ..., and episode e of game i starts at the position generated from
      ``seed + (i + e) % pool``. Without ``pool``, if the callable is the ``generate`` of a game, or a
      ``functools.partial`` of it, and is fast enough, Rust generates a new position for every episode, and game i
      begins with what ``generate(..., seed=seed + i)`` returns. Raises ``ValueError`` for a start that is over or has
      no legal move.
    * ``n``: the number of games, at least 1.
    * ``seed``: 0 to 2^64 - 1, 0 by default. What happens in game i depends only on its own seed ``seed + i`` and
      on the starts, not on the other games or on ``threads``. The default of ``pool``, and so the starts, may depend on
      ``n``. Sums with ``seed`` are taken modulo 2^64: the index into a list is ``(seed + i + e) % 2**64 % len``, and
      with ``pool``, ``i + e`` means ``(seed + i + e) % 2**64 - seed``. So the order of the starts jumps where a
      sum reaches 2^64, unless the number of starts is a power of two.
    * ``pool``: the number of positions that a callable generates, at least 1; by default n, or 1024 if n is larger.
    * ``autoreset``: ``"next_step"`` starts the next episode in the step after the end and ignores that step's action;
      ``"same_step"`` starts it within the step that ended the game; ``"disabled"`` starts it only when ``reset`` is
      called. Default ``"next_step"``.
    * ``max_steps``: the number of steps after which an episode is truncated, at least 1; ``None`` (the default) for no
      bound.
    * ``rewards``: five finite numbers, (won, lost, drawn, each step, illegal action); 1, -1, 0, 0, 0 by default.
    * ``mask``: ``True`` (the default) keeps ``legal_mask``, ``"bits"`` keeps ``legal_bits``, ``False`` keeps neither.
    * ``threads``: 1 to 1024, or 0 (the default) to choose a number that suits the size of the batch.
    * ``buffers``: a dict of the caller's arrays by attribute name; the batch writes to these instead of its own. They
      must be writable and C-contiguous, with the shapes and dtypes below. ``None`` (the default) for none.

    The arrays below belong to the batch and are written in place; copy what must be kept. Those that the batch
    allocates start at addresses that are multiples of 64, so that JAX can share their memory through DLPack, as PyTorch
    can.

    * ``board``: ``(n, H, W)`` uint8, as players see it
    * ``legal_mask``: ``(n, *bounds)`` bool; ``None`` without ``mask=True`` or above 2^20 moves per game
    * ``legal_bits``: ``(n, ceil(volume / 8))`` uint8 with ``mask="bits"``, one bit per move, least significant bit
      first; ``None`` otherwise or above 2^23 moves per game.
      ``np.unpackbits(batch.legal_bits, axis=1, count=volume, bitorder="little")`` expands it
    * ``reward``: ``(n,)`` float64
    * ``terminated``, ``truncated``: ``(n,)`` bool, ended by the rules or by ``max_steps``
    * ``illegal``: ``(n,)`` bool, whether the action was refused and the game left unchanged
    * ``final_board``, ``final_mask``: last board and mask of the games that ``autoreset="same_step"`` restarted, valid
      where ``terminated | truncated``; both are ``None`` with any other ``autoreset``, and ``final_mask`` is
      ``None`` without ``legal_mask``

    A batch can be pickled and copied. A pickle keeps each position as its text, so the count of ``falls`` of Bloxorz
    games starts at 0 after unpickling; copies and ``get_state`` keep it. The constructor raises ``TypeError`` or
    ``ValueError`` if an argument is invalid, and ``MemoryError`` if memory cannot hold n games.

    >>> import gridwright as gw, numpy as np
    >>> batch = gw.Batch(gw.Bloxorz.level("level01"), 3)
    >>> batch.step(np.array([[2], [0], [2]]))
    >>> batch.board.shape, batch.legal_mask.shape, batch.terminated.any()
    ((3, 6, 10), (3, 5), np.False_)
    """

    board: npt.NDArray[np.uint8]
    legal_mask: npt.NDArray[np.bool_] | None
    legal_bits: npt.NDArray[np.uint8] | None
    reward: npt.NDArray[np.float64]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    illegal: npt.NDArray[np.bool_]
    final_board: npt.NDArray[np.uint8] | None
    final_mask: npt.NDArray[np.bool_] | None

    _argument: ClassVar[str] = "game_or_generator"
    """The name that error messages give to the argument that holds or generates the starts."""

    def __init__(
        self,
        game_or_generator: GridGame | Sequence[GridGame] | Callable[..., GridGame],
        n: int,
        seed: int = 0,
        *,
        pool: int | None = None,
        autoreset: str = "next_step",
        max_steps: int | None = None,
        rewards: tuple[float, float, float, float, float] = (1.0, -1.0, 0.0, 0.0, 0.0),
        mask: bool | Literal["bits"] = True,
        threads: int = 0,
        buffers: Mapping[str, npt.NDArray[Any]] | None = None,
    ) -> None:
        n, seed = whole("n", n, 1), whole("seed", seed, 0)
        if max_steps is not None:
            max_steps = min(whole("max_steps", max_steps, 1), 2**32 - 1)
        if pool is not None:
            pool = whole("pool", pool, 1)
        starts: list[GridGame] = []
        first: int | None = None
        recipe: dict[str, Any] | None = None
        if isinstance(game_or_generator, GridGame):
            starts = [game_or_generator]
        elif callable(game_or_generator):
            quick = recipe_of(game_or_generator) if pool is None else None
            if quick:
                kind, recipe = quick
            else:
                size = min(n, _MAX_POOL) if pool is None else pool
                # Game i starts at index (seed + i) % size. The list is rotated so that the position generated from
                # seed + i lies at that index.
                for k in range(size):
                    position = game_or_generator(seed=(seed + (k - seed) % size) % 2**64)
                    # The callable may change and return one object at every call, so each position is copied.
                    starts.append(copy(position) if isinstance(position, GridGame) else position)
                first = seed
        else:
            try:
                # An iterator has no length, and may be endless.
                length = len(game_or_generator)
            except TypeError:
                expected = "a position, a list of positions or a callable"
                raise wrong_type(self._argument, expected, game_or_generator) from None
            except OverflowError:
                length = sys.maxsize  # a range of more numbers than a list can hold
            positions = islice(game_or_generator, length)
            for start in positions:
                starts.append(start)
                if not isinstance(start, GridGame):
                    break  # refused below; the rest of a long range is not read
        if recipe is None:
            kinds = {type(start): start for start in starts}
            if len(kinds) != 1 or not all(isinstance(start, GridGame) for start in starts):
                found = ", ".join(sorted(form(start) for start in kinds.values())[:3]) or "nothing"
                raise TypeError(f"{self._argument} must be positions of one game, got {found}")
            kind = type(starts[0])
        assert kind is not None
        self.kind: type[GridGame] = kind
        """The class of the games."""
        self.rewards = _read_rewards(rewards)
        """The rewards for (won, lost, drawn, each step, illegal action)."""
        self._options = (autoreset, max_steps, self.rewards, whole("threads", threads, 0, 1024))
        self._recipe = recipe
        self._names = (self._argument, first)
        self.engine = _engine(kind)(self._names, starts, recipe, n, seed, *self._options)
        """The Rust object that steps the games; single environments call it directly."""
        # Pickles need the starts. The engine has copies of them; the caller's objects may change after this call.
        self._starts = [start.text for start in starts]
        self._seed = seed
        self.n = n
        """Number of games."""
        self.bounds: tuple[int, ...] = self.engine.bounds
        """The box of moves of each game: coordinate ``k`` of an action runs from 0 to ``bounds[k] - 1``."""
        given = {} if buffers is None else buffers
        if not isinstance(given, Mapping):
            raise wrong_type("buffers", "a dict of arrays or None", buffers)
        moves = volume(self.bounds)
        if not isinstance(mask, bool | np.bool_) and not (isinstance(mask, str) and mask == "bits"):
            error = ValueError if isinstance(mask, str) else TypeError
            raise error(f"mask must be True, False or 'bits', got {shown(mask)}")
        packed = (moves + 7) // 8 if mask == "bits" else 0
        masked = bool(mask) and not packed and moves <= _MAX_MASK
        self._allocate(masked, packed if packed <= _MAX_MASK else 0, autoreset == "same_step", given)

    def _allocate(self, mask: bool, packed: int, kept: bool, given: Mapping[str, npt.NDArray[Any]]) -> None:
        board, moves = (self.n, *self.engine.shape), (self.n, *self.bounds)
        specs: dict[str, tuple[tuple[int, ...], Any] | None] = {
            "board": (board, np.uint8),
            "legal_mask": (moves, np.bool_) if mask else None,
            "legal_bits": ((self.n, packed), np.uint8) if packed else None,
            "reward": ((self.n,), np.float64),
            "terminated": ((self.n,), np.bool_),
            "truncated": ((self.n,), np.bool_),
            "illegal": ((self.n,), np.bool_),
            "final_board": (board, np.uint8) if kept else None,
            "final_mask": (moves, np.bool_) if kept and mask else None,
        }
        made = {name: _zeros(*spec) if spec else None for name, spec in specs.items()}
        for name, array in given.items():
            old = made.get(name)
            if old is None:
                known = ", ".join(name for name, old in made.items() if old is not None)
                raise ValueError(f"buffers must have names among {known}, got {shown(name)}")
            self._check_buffer(name, array, old)
            made[name] = array
        self._hold(made)

    def _check_buffer(self, name: str, array: Any, old: npt.NDArray[Any]) -> None:
        """Raises ``ValueError`` unless ``array`` is an array with the shape and dtype of ``old``."""
        if not isinstance(array, np.ndarray) or array.shape != old.shape or array.dtype != old.dtype:
            raise ValueError(f"{name} must be {form(old)}, got {form(array)}")

    def keep_masks(self) -> None:
        """Allocates ``legal_mask``, in place of ``legal_bits``, even if it has more than 2^20 entries per game."""
        moves = (self.n, *self.bounds)
        masks = {"legal_mask": _zeros(moves, np.bool_), "legal_bits": None}
        if self.final_board is not None:
            masks["final_mask"] = _zeros(moves, np.bool_)
        self._hold(masks)

    def _hold(self, changed: Mapping[str, npt.NDArray[Any] | None]) -> None:
        """Sets buffers and the attributes named after them in one call to the engine; after an error, sets none."""
        arrays = {name: changed[name] if name in changed else getattr(self, name) for name in _BUFFERS}
        empty = {"legal_mask": np.bool_, "legal_bits": np.uint8, "final_board": np.uint8, "final_mask": np.bool_}
        held = {name: np.zeros(0, empty[name]) if array is None else array for name, array in arrays.items()}
        self.engine.set_buffers(SimpleNamespace(**held), self.__dict__, arrays)

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<Batch of {self.n} {self.kind.__name__} of shape {self.board.shape[1:]}>"

    def reset(
        self,
        mask: npt.NDArray[np.bool_] | None = None,
        *,
        seed: int | Sequence[int | None] | npt.NDArray[Any] | None = None,
    ) -> None:
        """Starts the next episode of all games or of selected games.

        * ``mask``: ``(n,)`` bool, the games to reset; ``None`` (the default) for all.
        * ``seed``: an integer restarts game i at the first episode of ``seed + i``; a sequence of n items, each an
          integer or ``None``, gives each game its own seed or, for ``None``, its next episode. Seeds are integers from
          0 to 2^64 - 1. ``None`` (the default) starts the next episode.
        """
        # A copy: the mask may be a buffer of the batch itself, such as `terminated`, which the engine overwrites.
        marked = None if mask is None else np.array(bools("mask", mask, self.n))
        if seed is None:
            self.engine.reset(marked)
        elif isinstance(seed, Sequence | np.ndarray):
            expected = f"an integer, {self.n} integers or None"
            each = sequence("seed", seed, expected, self.n)
            if len(each) != self.n:
                # At most n + 1 values were read: `len` cannot return the length of every range.
                found = counted(len(each), "value") if len(each) < self.n else f"more than {self.n}"
                raise ValueError(f"seed must be {expected}, got {found}")
            seeds = [None if one is None else whole("seed", one, 0) for one in each]
            self.engine.reset(marked, seeds)
        elif marked is None:
            self.engine.seed(whole("seed", seed, 0))
        else:
            first = whole("seed", seed, 0)
            self.engine.reset(marked, [(first + i) % 2**64 for i in range(self.n)])

    def step(self, actions: npt.ArrayLike) -> None:
        """Makes one move in each game.

        * ``actions``: ``(n, rank)`` integers, or ``(n,)`` if moves have one coordinate. C-contiguous int64 is fastest.

        An action that the rules refuse is marked in ``illegal``. The action of a game that is over is ignored, but must
        lie in ``bounds``. Raises ``MoveError`` if an action lies outside ``bounds``, ``ValueError`` for a wrong shape
        and ``TypeError`` for a wrong dtype; no game is then touched.
        """
        rank = len(self.bounds)
        shapes = [(self.n,)] * (rank == 1) + [(self.n, rank)]
        _check_shape(actions, shapes)
        if not self.engine.step(actions):
            self.engine.step(self._numbers(actions, shapes))

    def step_flat(self, actions: npt.ArrayLike) -> None:
        """Makes one move in each game; a move is given as its row-major index in the box ``bounds``.

        * ``actions``: ``(n,)`` integers from 0 to ``prod(bounds) - 1``.

        Raises what ``step`` raises.
        """
        _check_shape(actions, [(self.n,)])
        if not self.engine.step_flat(actions):
            self.engine.step_flat(self._numbers(actions, [(self.n,)]))

    def step_into(
        self,
        actions: npt.ArrayLike,
        board: npt.NDArray[np.uint8],
        mask: npt.NDArray[Any] | None,
        reward: npt.NDArray[np.float64],
        terminated: npt.NDArray[np.bool_],
        truncated: npt.NDArray[np.bool_],
    ) -> None:
        """Makes one move in each game and writes the results into the caller's arrays.

        * ``actions``: ``(n, rank)`` integers, or ``(n,)`` if moves have one coordinate. C-contiguous int64 is fastest.
        * ``board``, ``reward``, ``terminated``, ``truncated``: C-contiguous arrays with the shape and dtype of the
          attribute of that name.
        * ``mask``: an array like ``legal_mask``, or like ``legal_bits`` for a batch with ``mask="bits"``; ``None`` if
          the batch keeps no masks.

        The arrays become the batch's own, so that later calls write there too (``batch.board is board``); passing them
        again costs nothing. Raises ``ValueError`` if an array does not fit; the batch then keeps its own arrays. Raises
        what ``step`` raises; the batch has then adopted the arrays, which hold the values from before the step. No game
        is touched in either case.

        >>> import gridwright as gw, numpy as np
        >>> batch = gw.Bloxorz.level("level01").batch(2, mask=False)
        >>> board, reward = np.zeros((2, 6, 10), np.uint8), np.zeros(2)
        >>> terminated, truncated = np.zeros((2, 2), bool)
        >>> batch.step_into([2, 3], board, None, reward, terminated, truncated)
        >>> batch.board is board, bool((board[0] == batch.game(0).board).all())
        (True, True)
        """
        masks = "legal_mask" if self.legal_bits is None else "legal_bits"
        given: dict[str, Any] = {
            "board": board,
            masks: mask,
            "reward": reward,
            "terminated": terminated,
            "truncated": truncated,
        }
        fresh = {name: array for name, array in given.items() if array is not getattr(self, name)}
        if fresh:
            try:
                for name, array in fresh.items():
                    old = getattr(self, name)
                    if old is None:
                        raise ValueError(f"{name} must be None for a batch without masks, got {form(array)}")
                    self._check_buffer(name, array, old)
                self._hold(fresh)
            except ValueError as error:
                # Errors name a buffer by its attribute, but the argument for the masks is named `mask`.
                raise ValueError(str(error).replace(masks, "mask")) from None
        self.step(actions)

    def _numbers(self, actions: npt.ArrayLike, shapes: Sequence[tuple[int, ...]]) -> npt.NDArray[np.int64]:
        """Copies integers to an aligned int64 array; raises ``MoveError`` for one that does not fit in int64."""
        array = np.asarray(actions)
        if array.dtype.kind not in "iu":
            # numpy can turn a list with a number beyond int64 into floats or objects.
            exact = np.array(actions, dtype=object)
            if not all(isinstance(one, int | np.integer) and not isinstance(one, bool) for one in exact.flat):
                raise TypeError(f"actions must be integers of shape {either(map(str, shapes))}, got {array.dtype}")
            array = exact
        array = array.reshape(shapes[-1])
        if array.dtype == object or array.dtype == np.uint64:
            rows = array.reshape(self.n, -1)
            huge = ((rows >= 2**63) | (rows < -(2**63))).any(axis=1)
            if huge.any():
                i = int(huge.argmax())
                # Python refuses to convert an integer of thousands of digits to a string.
                parts = [
                    str(one) if (bits := int(one).bit_length()) < 256 else f"an integer of {bits} bits"
                    for one in rows[i]
                ]
                found = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
                box = f"between 0 and {volume(self.bounds) - 1}" if array.ndim == 1 else f"in the box {self.bounds}"
                raise MoveError(f"actions[{i}] must be {box}, got {found}")
        return np.array(array, dtype=np.int64, order="C")

    def sample_legal(self, seed: int | None = None) -> npt.NDArray[np.int64]:
        """Draws a legal action for each game: a fresh ``(n, rank)`` int64 array, zeros for a game without one.

        * ``seed``: 0 to 2^64 - 1; ``None`` (the default) derives a new one from the seed of the batch for each call.
        """
        actions = np.empty((self.n, len(self.bounds)), dtype=np.int64)
        self.engine.sample_legal_into(None if seed is None else whole("seed", seed, 0), actions)
        return actions

    def game(self, i: int) -> Any:
        """Returns a copy of one game.

        * ``i``: the index of the game, 0 to n - 1; raises ``IndexError`` otherwise.
        """
        return self.kind(self.engine.game(place("i", i, self.n)))  # type: ignore[call-arg]

    def set_game(self, i: int, game: GridGame) -> None:
        """Replaces game ``i`` with a position of the same kind and size; its episode and its count of steps continue.

        * ``i``: the index of the game, 0 to n - 1; raises ``IndexError`` otherwise.
        * ``game``: the new position; raises ``TypeError`` for a position of another game and ``ValueError`` for one of
          another size or another kind of board.
        """
        at = place("i", i, self.n)
        instance("game", game, self.kind)
        self.engine.set_game(at, game)

    def get_state(self) -> Any:
        """Returns the state of all games, for ``set_state`` of this batch or of a similar one."""
        return self.engine.clone()

    def set_state(self, state: Any) -> None:
        """Restores a state that ``get_state`` returned.

        * ``state``: what ``get_state`` of this batch or of a similar one returned.

        Raises ``TypeError`` if ``state`` is not such a state of this game, and ``ValueError`` if it has a different
        number of games, or games of a different kind or size; the batch is then unchanged.
        """
        if not isinstance(state, type(self.engine)):
            raise wrong_type("state", "what get_state() returned", state)
        self.engine.restore(state)

    def clone(self) -> Batch:
        """Returns an independent copy with buffers of its own."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.engine = self.engine.clone()
        kept = {name: getattr(self, name) for name in _BUFFERS}
        other._hold({name: None if array is None else _aligned(array) for name, array in kept.items()})
        return other

    def __copy__(self) -> Batch:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "engine": self.engine.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        starts = [self.kind._from_text(text) for text in self._starts]
        self.engine = _engine(self.kind)(self._names, starts, self._recipe, self.n, self._seed, *self._options)
        self.engine.load(*state["engine"])
        kept = {name: getattr(self, name) for name in _BUFFERS}
        self._hold({name: None if array is None else _aligned(array) for name, array in kept.items()})


def recipe_of(make: Callable[..., GridGame]) -> tuple[type[GridGame], dict[str, Any]] | None:
    """Returns the game class and the arguments of a ``generate`` method that the engine can run for every episode.

    * ``make``: the method, or a ``functools.partial`` of it.

    Returns ``None`` for any other callable, for a ``generate`` that is too slow to run between two steps, and for a
    partial that binds ``seed`` or lacks a required argument.
    """
    inner: Any = make.func if isinstance(make, functools.partial) else make
    kind = getattr(inner, "__self__", None)
    if not isinstance(kind, type) or not issubclass(kind, GridGame) or inner.__name__ != "generate":
        return None
    owner = next(base for base in kind.__mro__ if "generate" in vars(base))
    if not owner.__module__.startswith("gridwright."):
        return None
    arguments, keywords = (make.args, make.keywords) if isinstance(make, functools.partial) else ((), {})
    try:
        bound = inspect.signature(inner).bind(*arguments, **keywords)
    except TypeError:
        return None  # the call made later raises an error that names the argument
    bound.apply_defaults()
    recipe = dict(bound.arguments)
    if recipe.pop("seed", None) is not None or not _engine(kind).can_generate(recipe):
        return None
    return kind, recipe


def _engine(kind: type[GridGame]) -> Any:
    for base in kind.__mro__:
        if base.__module__ == "gridwright._core":
            return getattr(_core, base.__name__ + "Batch")
    raise TypeError(f"game must be a game of gridwright, got {kind.__name__}")


def _zeros(shape: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
    """Returns an array of zeros that starts at a multiple of 64 bytes, so that JAX can use it without a copy."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    memory = np.zeros(size + 64, np.uint8)
    start = -memory.ctypes.data % 64
    found: npt.NDArray[Any] = memory[start : start + size].view(dtype).reshape(shape)
    return found


def _aligned(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Copies an array; the copy starts at a multiple of 64 bytes."""
    found = _zeros(array.shape, array.dtype)
    found[...] = array
    return found


def _check_shape(actions: npt.ArrayLike, shapes: Sequence[tuple[int, ...]]) -> None:
    """Raises an error unless an array of actions has one of the given shapes."""
    try:
        shape = None if isinstance(actions, (str, bytes, NoneType)) else np.shape(actions)
    except (TypeError, ValueError):
        shape = None
    if shape in shapes:
        return
    expected = either(map(str, shapes))
    if shape is None:
        raise wrong_type("actions", f"integers of shape {expected}", actions)
    raise ValueError(f"actions must have shape {expected}, got {shape}")


def _read_rewards(rewards: Any) -> tuple[float, ...]:
    """Reads the five rewards."""
    expected = "five numbers (won, lost, drawn, each step, illegal)"
    try:
        found = tuple(number("rewards", one) for one in sequence("rewards", rewards, expected, 5))
    except TypeError:
        raise wrong_type("rewards", expected, rewards) from None
    if len(found) != 5:
        raise ValueError(f"rewards must be {expected}, got {shown(rewards)}")
    return found


def volume(bounds: tuple[int, ...]) -> int:
    """Returns the number of moves in the box ``bounds``, the product of its sizes."""
    return math.prod(int(bound) for bound in bounds)
