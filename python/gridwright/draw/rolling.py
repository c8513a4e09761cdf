"""Films of Bloxorz that show the block rolling in three dimensions."""

from __future__ import annotations

from typing import Any

from ..arguments import number, whole
from ..progress import ProgressReporter
from ..words import counted
from .animate import Animation, legal, rows_of
from .bloxorz import caption
from .bloxorz3d import MAX_STEPS, rolling, scene
from .theme import Theme, film_theme

__all__ = ["film"]


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
    """Shows keys being played, with the block rolling in three dimensions.

    * ``game``: a ``Bloxorz``, which is not changed.
    * ``keys``: a string of keys or ``(n, 1)`` numbers; ``None`` (the default) for those of a shortest solution;
      raises ``ValueError`` if there is no solution, and ``MoveError`` for a key that cannot be played.
    * ``steps``: the number of pictures per key, 1 to 100; 5 by default.
    * ``theme``: ``"light"``, ``"dark"`` or a ``Theme``; ``None`` (the default) is the theme of `use_theme` or, if none
      is set, that of the page that shows the film.
    * ``size``: the width in pixels, 1 to 1000, of a cell in the flat view, as for ``scene``; by default 40, but less,
      down to 4, if the longer side of the flat board would exceed 640 pixels.
    * ``seconds``: how long each picture is shown, 0.01 to 60 seconds; ``None`` (the default) is 0.35 divided by
      ``steps``, but at least 0.01.
    * ``progress``: a callable that receives the number of keys drawn, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    >>> import gridwright as gw
    >>> film(gw.Bloxorz.level("level01"), steps=3)
    Animation of 22 frames
    """
    copy = game.copy()
    if keys is None:
        keys = copy.solution()
        if keys is None:
            raise ValueError("keys must be given for a position without a solution, got None")
    steps = whole("steps", steps, 1, MAX_STEPS)
    found = film_theme(theme)
    size = number("size", size, 1, 1000) if size is not None else max(4.0, min(40.0, 640 / max(game.shape)))
    pictures, captions = [scene(copy, found, size)], ["start"]
    rows = rows_of(copy, keys)
    for index, row in ProgressReporter(progress).each(enumerate(rows, 1)):
        pictures += rolling(copy, legal(copy, row), steps, theme=found, size=size)
        captions += [f"{index} of {len(rows)}: {caption(copy, row)}"] * steps
        copy.play(*row)
    title = f"Bloxorz, {counted(len(rows), 'move')}"
    return Animation(pictures, captions, seconds=max(0.01, 0.35 / steps) if seconds is None else seconds, title=title)
