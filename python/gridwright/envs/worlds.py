"""The table of the environments, and the code that they share: starts of episodes, spaces and pictures."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from .. import GAMES, bloxorz, photon
from ..arguments import choice, form, sequence, shown, text, wrong_type
from ..batch import Batch, recipe_of, volume
from ..game import GridGame
from ..words import counted, nearest

__all__ = ["WORLDS", "World"]

# The number of puzzles that a slow generator generates at the start by default.
_POOL = 64

# Boxes of more moves than this have a MultiDiscrete action space by default.
_MAX_DISCRETE = 1 << 16

# Arguments of other environments -> what to use here instead.
_INSTEAD = {"max_episode_steps": "use max_steps", "seed": "use reset(seed=...)"}

# The most entries of the masks of all environments together.
MAX_MASKS = 1 << 31


@dataclass(frozen=True)
class World:
    """The defaults of the environment of a game."""

    game: str
    """The folder name of the game, which is its key in ``gridwright.GAMES``."""
    max_steps: int
    """The number of steps after which an episode is truncated."""
    level: str | None = None
    """The packaged level that is played by default."""
    size: tuple[int, int] | None = None
    """The size ``(height, width)`` of generated boards; ``None`` if a packaged level is played by default."""
    recipe: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the game's ``generate`` besides the size."""
    planes: tuple[tuple[int, int], ...] = ()
    """The planes of a one-hot observation, each as ``(mask, value)``: 1 where ``code & mask == value``."""
    distance: Callable[..., int | None] | None = None
    """A function ``distance(game, limit)`` that returns the number of moves to the goal.

    ``None`` for a game without such a function. The function returns ``None`` if the goal cannot be reached. The number
    is the smallest possible, except in LightEmAll, for which it is the number of moves that ``solution`` returns. In
    Bloxorz, only ways without a fall count. The number is at least 1 for a position that is open.
    """

    @property
    def kind(self) -> type[GridGame]:
        """The class of the game."""
        return GAMES[self.game]


def _flags(*codes: int) -> tuple[tuple[int, int], ...]:
    """Returns one plane per code of a single bit: 1 where the bit is set."""
    return tuple((int(code), int(code)) for code in codes)


def _keys(game: Any, limit: int | None) -> int | None:
    found = game.solve(minimize="keys", limit=limit)
    return None if found is None else len(found)


def _moves(game: Any, limit: int | None) -> int | None:
    found = game.solution(limit=limit)
    return None if found is None else len(found)


# The low bits of a code hold the tile; the high bits hold what stands on the tile or shines on it.
_TERRAIN = tuple((15, int(tile)) for tile in bloxorz.Tile if tile < bloxorz.Tile.BLOCK)
_PIECES = tuple((255 - photon.LIT, int(tile)) for tile in photon.Tile)
# A field is hidden, is marked, or shows a number; 9 is a goose.
_FIELDS = ((0x30, 0x20), (0x10, 0x10), *((0x2F, number) for number in range(10)))

WORLDS = {
    "Bloxorz": World(
        "bloxorz",
        level="level01",
        max_steps=200,
        planes=(*_TERRAIN, *_flags(bloxorz.Tile.BLOCK, bloxorz.Tile.OTHER_CUBE)),
        distance=_keys,
    ),
    "GeeseSpotter": World("geese", size=(10, 10), recipe={"geese": 10}, max_steps=500, planes=_FIELDS),
    "LightEmAll": World(
        "lightemall",
        size=(8, 8),
        max_steps=500,
        planes=_flags(*(1 << bit for bit in range(8))),
        distance=_moves,
    ),
    "MyPhoton": World("photon", size=(7, 7), max_steps=50, planes=(*_PIECES, *_flags(photon.LIT)), distance=_moves),
}
"""The environments by name, which is the middle part of the id ``gridwright/Name-v0``."""

Source = GridGame | Sequence[GridGame] | Callable[..., GridGame]


def source(
    name: str,
    level: str | Sequence[str] | None,
    generator: Source | None,
    size: tuple[int, int] | None,
    recipe: dict[str, Any],
) -> Source:
    """Returns where episodes start; raises if the arguments contradict each other.

    * ``name``: a name in ``WORLDS``.
    * ``level``: the name of a packaged level, or several; ``None`` for none.
    * ``generator``: a position, a list of positions or a callable that takes ``seed=``; ``None`` for none.
    * ``size``: ``(height, width)`` of generated boards; ``None`` for the default of the world.
    * ``recipe``: further arguments of the game's ``generate``.
    """
    if text("world", name) not in WORLDS:
        raise ValueError(f"no world {shown(name)}; {nearest(name, WORLDS)}")
    world = WORLDS[name]
    given = [name for name, value in (("level", level), ("generator", generator), ("size", size)) if value is not None]
    if len(given) > 1:
        raise ValueError(f"only one of level, generator and size can be given, got {' and '.join(given)}")
    kind: Any = world.kind
    generate = getattr(kind, "generate", None)
    known = set() if generate is None else set(inspect.signature(generate).parameters) - {"height", "width", "seed"}
    for each in recipe:
        if each not in known:
            advice = _INSTEAD.get(each) or (nearest(each, sorted(known)) if known else "its boards have no options")
            raise TypeError(f"{each} is not an argument of this environment; {advice}")
    if generator is not None or level is not None:
        if recipe:
            raise TypeError(f"{', '.join(recipe)} can only be given for generated boards, got {given[0]}")
        if level is None:
            # The positions of a list are checked here, because a batch accepts positions of any game.
            if isinstance(generator, GridGame) or callable(generator):
                return generator
            if isinstance(generator, Sequence) and generator and all(isinstance(g, GridGame) for g in generator):
                for position in generator:
                    if not isinstance(position, kind):
                        raise _wrong_world(name, form(position))
                return generator
            raise wrong_type("generator", "a position, a list of positions or a callable", generator)
        if isinstance(level, str):
            return kind.level(level)  # type: ignore[no-any-return]
        if not isinstance(level, Sequence) or not level or not all(isinstance(each, str) for each in level):
            raise wrong_type("level", "a str or a non-empty sequence of str", level)
        return [kind.level(each) for each in level]
    if size is None and not recipe and world.level is not None:
        return kind.level(world.level)  # type: ignore[no-any-return]
    if size is None:
        size = world.size
    if size is None:
        raise TypeError(f"size must be given with {', '.join(recipe)}, got None")
    sides = sequence("size", size, "(height, width)", 2)
    if len(sides) != 2 or isinstance(size, Set):
        raise wrong_type("size", "(height, width)", size)
    if generate is None:
        raise ValueError(f"size must be None, because {kind.__name__} has no generator, got {shown(size)}")
    height, width = sides
    return functools.partial(generate, height, width, **{**world.recipe, **recipe})


def _wrong_world(name: str, found: str) -> TypeError:
    return TypeError(f"generator must hold or return positions of {name}, got {found}")


def _generated(name: str, generator: Callable[..., Any], seed: int) -> GridGame:
    """Returns what a generator returns for a seed; raises ``TypeError`` unless it is a position of the world."""
    found = generator(seed=seed)
    if not isinstance(found, WORLDS[name].kind):
        raise _wrong_world(name, form(found))
    return found


class _StartedByGenerator(Batch):
    """A batch whose error messages use the environments' name for the argument with the starts, ``generator``."""

    _argument = "generator"


def batch(
    name: str,
    n: int,
    start: Source,
    *,
    mask: bool,
    pool: int | None,
    max_steps: int | Literal["default"] | None,
    **options: Any,
) -> Batch:
    """Returns the batch behind n environments of a world, without masks.

    * ``name``: a name in ``WORLDS``.
    * ``n``: the number of environments.
    * ``start``: where episodes start, as ``source`` returns it.
    * ``mask``: whether masks will be kept; raises ``ValueError`` if they would have more than 2^31 entries together.
    * ``pool``: the number of puzzles that a generator generates. ``None`` for 64, whatever n is, so that single and
      vector environments have equal episodes; for the ``generate`` of a game, if it is fast, ``None`` generates a new
      puzzle for every episode.
    * ``max_steps``: the number of steps after which an episode is truncated; ``None`` for no bound, ``"default"`` for
      the bound in ``WORLDS``.
    * ``options``: further arguments of ``Batch``.
    """
    world = WORLDS[name]
    slow = False
    if callable(start) and not isinstance(start, GridGame) and recipe_of(start) is None:
        slow, start = True, functools.partial(_generated, name, start)
    made = _StartedByGenerator(
        start,
        n,
        pool=_POOL if pool is None and slow else pool,
        max_steps=world.max_steps if isinstance(max_steps, str) and max_steps == "default" else max_steps,
        mask=False,
        **options,
    )
    if not issubclass(made.kind, world.kind):
        raise _wrong_world(name, made.kind.__name__)
    if mask and n * volume(made.bounds) > MAX_MASKS:
        raise ValueError(
            f"mask must be False for {counted(n, 'environment')} of {counted(volume(made.bounds), 'move')}, "
            "which are too many, got True"
        )
    return made


def is_flat(bounds: tuple[int, ...], actions: str | None) -> bool:
    """Returns whether an action is one number, the row-major index of the move in the box ``bounds``.

    * ``bounds``: the sizes of the box of moves.
    * ``actions``: ``"discrete"`` or ``"multi_discrete"``; ``None`` chooses the former for at most 65,536 moves.
    """
    if actions is None:
        return volume(bounds) <= _MAX_DISCRETE
    return choice("actions", actions, ("discrete", "multi_discrete")) == "discrete"


def action_space(bounds: tuple[int, ...], flat: bool) -> spaces.Space[Any]:
    """Returns the action space for a box of moves: ``Discrete`` if ``flat``, ``MultiDiscrete`` otherwise."""
    return spaces.Discrete(volume(bounds)) if flat else spaces.MultiDiscrete(np.array(bounds, dtype=np.int64))


def observation_space(batch: Batch, flat: bool, mask: bool) -> spaces.Space[Any]:
    """Returns the space of the boards, or, with ``mask``, of dicts of boards and masks."""
    board = spaces.Box(0, 255, batch.board.shape[1:], np.uint8)
    if not mask:
        return board
    moves = volume(batch.bounds) if flat else batch.bounds
    return spaces.Dict({"action_mask": spaces.MultiBinary(moves), "observation": board})


def frame(game: Any, mode: str | None) -> npt.NDArray[np.uint8] | str | None:
    """Returns a picture of a game in a render mode: text, pixels or, without a mode, ``None``."""
    if mode is None:
        return None
    if mode == "ansi":
        return str(game)
    from .frames import pixels

    return pixels(game)


def checked_mode(mode: str | None, modes: Sequence[str]) -> str | None:
    """Validates ``render_mode``."""
    return None if mode is None else choice("render_mode", mode, modes)
