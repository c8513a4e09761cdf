"""Bloxorz in motion: keys as a block that rolls, in three dimensions."""

from __future__ import annotations

import math
from typing import Any

from ..errors import MoveError
from ..progress import Teller
from ..words import counted
from .animate import Animation, legal, rows_of
from .bloxorz import caption
from .bloxorz3d import cuboids, scene
from .svg import Picture
from .theme import Theme
from .theme import theme as find_theme

__all__ = ["film", "rolling"]

_MOST_STEPS = 100


def _key(game: Any, move: Any) -> int:
    """The number of a key that may be pressed now."""
    trial = game.copy()
    trial.play(*(move if isinstance(move, tuple) else (move,)))
    if len(trial.moves) != len(game.moves) + 1:
        raise MoveError(f"key must be a single key, got {move!r}")
    return int(trial.moves[-1, 0])


def rolling(
    game: Any, key: Any, steps: int = 6, *, theme: str | Theme | None = None, size: float = 40
) -> list[Picture]:
    """Draws a key in ``steps`` pictures, in three dimensions; the last one is the position after the key.

    The block turns over its edge, then bridges open or close; a block that falls sinks before it is back at the start.
    ``key`` is a letter or number as ``play`` takes it, ``steps`` 1 to 100, ``size`` the width of a cell in pixels. The
    game is left as it is.

    >>> import gridwright as gw
    >>> len(rolling(gw.Bloxorz.level("level01"), "r", 4))
    4
    """
    if not 1 <= steps <= _MOST_STEPS:
        raise ValueError(f"steps must be between 1 and {_MOST_STEPS}, got {steps!r}")
    key, found = _key(game, key), find_theme(theme)
    after = game.copy()
    after.play(key)
    falls = after.falls > game.falls
    cells, split = game.block.tolist(), game.is_split
    changed = {letter: on for letter, on in after.bridges.items() if on != game.bridges[letter] and not falls}
    pictures = []
    for step in range(1, steps):
        part = step / steps
        # A fall takes half of the time; bridges move in the second half of a roll.
        turn = min(1.0, 2 * part) if falls else part
        sink = max(0.0, 2 * part - 1) ** 2 * 3 if falls else 0.0
        late = max(0.0, 2 * part - 1)
        opening = {letter: late if on else 1 - late for letter, on in changed.items()}
        angle = math.pi / 2 * turn if key < 4 else 0.0
        pose = cuboids(cells, split=split, key=key, angle=angle, sink=sink)
        # A block that falls to the left or to the back disappears behind the tiles.
        behind = sink > 0 and key < 2
        pictures.append(scene(game, found, size, pose=pose, opening=opening, behind=behind))
    return [*pictures, scene(after, found, size)]


def film(
    game: Any,
    keys: Any = None,
    *,
    steps: int = 5,
    theme: str | Theme | None = None,
    size: float | None = None,
    seconds: float | None = None,
    progress: Any = None,
) -> Animation:
    """Shows keys as a block that rolls, in three dimensions.

    ``keys`` is a text of keys or ``(n, 1)`` numbers, by default those of a shortest solution; ``steps`` the pictures
    per key, ``size`` the width of a cell in pixels, ``seconds`` the time of a picture. ``progress`` is called with the
    number of keys drawn. Raises ``ValueError`` if no keys are given and there is no solution.

    >>> import gridwright as gw
    >>> film(gw.Bloxorz.level("level01"), steps=3)
    Animation of 22 frames
    """
    copy = game.copy()
    if keys is None:
        keys = copy.solution()
        if keys is None:
            raise ValueError("keys must be given for a position without a solution")
    found = find_theme(theme)
    size = size or max(4.0, min(40.0, 640 / max(game.shape)))
    pictures, captions = [scene(copy, found, size)], ["start"]
    rows = rows_of(copy, keys)
    for index, row in Teller(progress).each(enumerate(rows, 1)):
        pictures += rolling(copy, legal(copy, row), steps, theme=found, size=size)
        captions += [f"{index} of {len(rows)}: {caption(copy, row)}"] * steps
        copy.play(*row)
    title = f"Bloxorz, {counted(len(rows), 'move')}"
    return Animation(pictures, captions, seconds=seconds or 0.35 / steps, title=title)
