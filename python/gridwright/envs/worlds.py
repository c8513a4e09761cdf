"""The table of the environments, and what all of them share: where episodes start, spaces, pictures."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from .. import GAMES
from ..batch import Batch, recipe_of, volume
from ..game import GridGame
from ..status import Status
from ..words import nearest

__all__ = ["WORLDS", "World"]

# How many puzzles a slow generator makes at the start.
_POOL = 64

# Boxes of more moves than this are offered as MultiDiscrete.
_MOST_DISCRETE = 1 << 16

# The largest masks of all environments together, in entries.
_MOST_MASKS = 1 << 31


@dataclass(frozen=True)
class World:
    """What an environment of a game does unless told otherwise."""

    game: str
    """Folder name of the game, its key in ``gridwright.GAMES``."""
    max_steps: int
    """After how many steps an episode is cut off."""
    level: str | None = None
    """The packaged level that it plays."""
    size: tuple[int, int] | None = None
    """The size of the boards that it makes, where it plays no packaged level."""
    recipe: Mapping[str, Any] = field(default_factory=dict)
    """What the game's ``generate`` is told besides the size."""

    @property
    def kind(self) -> type[GridGame]:
        """The class of the game."""
        return GAMES[self.game]


WORLDS = {
    "Bloxorz": World("bloxorz", level="level01", max_steps=200),
    "GeeseSpotter": World("geese", size=(10, 10), recipe={"geese": 10}, max_steps=500),
    "LightEmAll": World("lightemall", size=(8, 8), max_steps=500),
    "MyPhoton": World("photon", size=(7, 7), max_steps=50),
}
"""The environments by the middle of their ids ``gridwright/Name-v0``. A line here is all that a new one needs."""

Source = GridGame | Sequence[GridGame] | Callable[..., GridGame]


def source(
    name: str,
    level: str | Sequence[str] | None,
    generator: Source | None,
    size: tuple[int, int] | None,
    recipe: dict[str, Any],
) -> Source:
    """Finds out where episodes start."""
    if name not in WORLDS:
        raise ValueError(f"no world {name!r}; {nearest(name, WORLDS)}")
    if "max_episode_steps" in recipe:
        raise TypeError("max_episode_steps, wanted max_steps")
    world = WORLDS[name]
    given = [name for name, value in (("level", level), ("generator", generator), ("size", size)) if value is not None]
    if len(given) > 1:
        raise ValueError(f"{' and '.join(given)} together, wanted one of level, generator, size")
    kind: Any = world.kind
    if generator is not None or level is not None:
        if recipe:
            raise TypeError(f"{', '.join(recipe)} with {given[0]}, wanted it with size only")
        if level is None:
            assert generator is not None
            return generator
        return kind.level(level) if isinstance(level, str) else [kind.level(name) for name in level]
    if size is None and not recipe and world.level is not None:
        return kind.level(world.level)  # type: ignore[no-any-return]
    if size is None:
        size = world.size
    if size is None:
        raise TypeError(f"{', '.join(recipe)} without size, wanted size=(height, width) too")
    try:
        height, width = size
    except (TypeError, ValueError):
        raise ValueError(f"size {size!r}, wanted (height, width)") from None
    return functools.partial(kind.generate, height, width, **{**world.recipe, **recipe})


def batch(
    name: str, n: int, start: Source, *, mask: bool, pool: int | None, max_steps: int | None, **options: Any
) -> Batch:
    """Makes the batch behind n environments of a world, without masks; refuses what they could not play.

    Of a slow generator there are always as many puzzles, so that all environments agree.
    """
    world = WORLDS[name]
    slow = callable(start) and not isinstance(start, GridGame) and recipe_of(start) is None
    made = Batch(
        start,
        n,
        pool=_POOL if pool is None and slow else pool,
        max_steps=world.max_steps if max_steps == -1 else max_steps,
        mask=False,
        **options,
    )
    if not issubclass(made._kind, world.kind):
        raise TypeError(f"a generator of {made._kind.__name__}, wanted one of {name}")
    if made._recipe and not made._recipe.get("scramble", True):
        raise ValueError("scramble=False, wanted boards that are not solved before the first step")
    # All else that is made anew for each episode is over for all seeds or for none.
    refuse_over(made._starts or [made.game(0)])
    if mask and n * volume(made.bounds) > _MOST_MASKS:
        raise ValueError(f"masks of {volume(made.bounds)} moves for {n} environments, wanted mask=False")
    return made


def refuse_over(starts: Sequence[Any]) -> None:
    """Refuses positions in which there is nothing to play."""
    for i, start in enumerate(starts):
        if start.status != Status.OPEN:
            over = f"over before the first step ({start.status.name.lower()})"
            raise ValueError(f"position {i} of {len(starts)} is {over}, wanted one that is open")


def is_flat(bounds: tuple[int, ...], actions: str | None) -> bool:
    """Whether an action is one number, the row-major index of the move in the box."""
    if actions not in (None, "discrete", "multi_discrete"):
        raise ValueError(f"actions {actions!r}, wanted 'discrete', 'multi_discrete' or None")
    if actions is None:
        return volume(bounds) <= _MOST_DISCRETE
    return actions == "discrete"


def action_space(bounds: tuple[int, ...], flat: bool) -> spaces.Space[Any]:
    """The space of the moves of the box."""
    return spaces.Discrete(volume(bounds)) if flat else spaces.MultiDiscrete(np.array(bounds, dtype=np.int64))


def observation_space(batch: Batch, flat: bool, mask: bool) -> spaces.Space[Any]:
    """The space of the boards, or of boards and masks."""
    board = spaces.Box(0, 255, batch.board.shape[1:], np.uint8)
    if not mask:
        return board
    moves = volume(batch.bounds) if flat else batch.bounds
    return spaces.Dict({"action_mask": spaces.MultiBinary(moves), "observation": board})


def frame(game: Any, mode: str | None) -> npt.NDArray[np.uint8] | str | None:
    """Draws a game as an environment renders it."""
    if mode is None:
        return None
    if mode == "ansi":
        return str(game)
    from .. import draw

    try:
        from PIL import Image
    except ImportError:
        raise ImportError("rgb_array needs pillow: pip install 'gridwright[images]'") from None
    with Image.open(io.BytesIO(draw.png(draw.svg(game), scale=1.0))) as image:
        return np.array(image.convert("RGB"))


def checked_mode(mode: str | None, modes: Sequence[str]) -> str | None:
    """Refuses a render mode that there is not."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode {mode!r}, wanted one of {', '.join(modes)} or None")
    return mode
