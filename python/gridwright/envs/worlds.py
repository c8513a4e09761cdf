"""The table of the environments, and the code that they share: where episodes start, spaces and pictures."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from .. import GAMES, bloxorz, photon
from ..arguments import choice, text, wrong_type
from ..batch import Batch, recipe_of, volume
from ..game import GridGame
from ..words import nearest

__all__ = ["WORLDS", "World"]

# The number of puzzles that a slow generator generates at the start by default.
_POOL = 64

# Boxes of more moves than this have a MultiDiscrete action space.
_MOST_DISCRETE = 1 << 16

# The most entries of the masks of all environments together.
_MOST_MASKS = 1 << 31


@dataclass(frozen=True)
class World:
    """The defaults of the environment of a game."""

    game: str
    """Folder name of the game, its key in ``gridwright.GAMES``."""
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
    """The fewest moves to the goal, called as ``distance(game, limit)``; ``None`` if the game has no such number."""

    @property
    def kind(self) -> type[GridGame]:
        """The class of the game."""
        return GAMES[self.game]


def _flags(*codes: int) -> tuple[tuple[int, int], ...]:
    """Returns one plane per bit."""
    return tuple((int(code), int(code)) for code in codes)


def _keys(game: Any, limit: int | None) -> int | None:
    found = game.solve(minimize="keys", limit=limit)
    return None if found is None else len(found)


def _swaps(game: Any, limit: int | None) -> int | None:
    found = game.solve(limit=limit)
    return None if found is None else len(found)


def _turns(game: Any, limit: int | None) -> int | None:
    found = game.solve(limit=limit)
    return None if found is None else int(found.sum())


# The tile is in the low bits of a code, what stands on it or shines on it in the high ones.
_TERRAIN = tuple((15, int(tile)) for tile in bloxorz.Tile if tile < bloxorz.Tile.BLOCK)
_PIECES = tuple((255 - photon.LIT, int(tile)) for tile in photon.Tile)
# A field is hidden, marked or shows a number; 9 is a goose.
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
        distance=_turns,
    ),
    "MyPhoton": World("photon", size=(7, 7), max_steps=50, planes=(*_PIECES, *_flags(photon.LIT)), distance=_swaps),
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
    """Returns where episodes start; raises if the arguments contradict each other."""
    if text("world", name) not in WORLDS:
        raise ValueError(f"no world {name!r}; {nearest(name, WORLDS)}")
    if "max_episode_steps" in recipe:
        raise TypeError("max_episode_steps is not an argument of this environment; use max_steps")
    world = WORLDS[name]
    given = [name for name, value in (("level", level), ("generator", generator), ("size", size)) if value is not None]
    if len(given) > 1:
        raise ValueError(f"only one of level, generator and size can be given, got {' and '.join(given)}")
    kind: Any = world.kind
    if generator is not None or level is not None:
        if recipe:
            raise TypeError(f"{', '.join(recipe)} can only be given with size, got {given[0]}")
        if level is None:
            if not isinstance(generator, GridGame | Sequence) and not callable(generator):
                raise wrong_type("generator", "a position, a list of positions or a callable", generator)
            return generator
        if not isinstance(level, Sequence):
            raise wrong_type("level", "a str or a sequence of them", level)
        return kind.level(level) if isinstance(level, str) else [kind.level(name) for name in level]
    if size is None and not recipe and world.level is not None:
        return kind.level(world.level)  # type: ignore[no-any-return]
    if size is None:
        size = world.size
    if size is None:
        raise TypeError(f"size must be given with {', '.join(recipe)}")
    try:
        height, width = size
    except (TypeError, ValueError):
        raise wrong_type("size", "(height, width)", size) from None
    return functools.partial(kind.generate, height, width, **{**world.recipe, **recipe})


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

    A slow generator generates the same number of puzzles whatever n is, so that one environment and many agree.
    """
    world = WORLDS[name]
    slow = callable(start) and not isinstance(start, GridGame) and recipe_of(start) is None
    made = Batch(
        start,
        n,
        pool=_POOL if pool is None and slow else pool,
        max_steps=world.max_steps if max_steps == "default" else max_steps,
        mask=False,
        **options,
    )
    if not issubclass(made.kind, world.kind):
        raise TypeError(f"generator must return positions of {name}, got {made.kind.__name__}")
    if mask and n * volume(made.bounds) > _MOST_MASKS:
        raise ValueError(
            f"mask must be False for {n} environments of {volume(made.bounds)} moves: the masks are too large"
        )
    return made


def is_flat(bounds: tuple[int, ...], actions: str | None) -> bool:
    """Returns whether an action is one number, the row-major index of the move in the box ``bounds``."""
    if actions is None:
        return volume(bounds) <= _MOST_DISCRETE
    return choice("actions", actions, ("discrete", "multi_discrete")) == "discrete"


def action_space(bounds: tuple[int, ...], flat: bool) -> spaces.Space[Any]:
    """Returns the space of the moves of a box."""
    return spaces.Discrete(volume(bounds)) if flat else spaces.MultiDiscrete(np.array(bounds, dtype=np.int64))


def observation_space(batch: Batch, flat: bool, mask: bool) -> spaces.Space[Any]:
    """Returns the space of the boards, or of boards and masks."""
    board = spaces.Box(0, 255, batch.board.shape[1:], np.uint8)
    if not mask:
        return board
    moves = volume(batch.bounds) if flat else batch.bounds
    return spaces.Dict({"action_mask": spaces.MultiBinary(moves), "observation": board})


def frame(game: Any, mode: str | None) -> npt.NDArray[np.uint8] | str | None:
    """Returns a picture of a game in a render mode; ``None`` for no mode."""
    if mode is None:
        return None
    if mode == "ansi":
        return str(game)
    from PIL import Image

    from .. import draw

    with Image.open(io.BytesIO(draw.png(draw.svg(game), scale=1.0))) as image:
        return np.array(image.convert("RGB"))


def checked_mode(mode: str | None, modes: Sequence[str]) -> str | None:
    """Validates ``render_mode``."""
    return None if mode is None else choice("render_mode", mode, modes)
