"""Light from lasers and power from a station, spreading over a board."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arguments import form, instance, whole
from ...lightemall import LightEmAll
from ...photon import MyPhoton
from ...progress import ProgressReporter
from ...words import counted
from .. import picture
from ..animate import Animation
from ..bitmap import check_cells
from ..predict import Place, Step, asking, cells
from ..theme import Theme, film_theme

__all__ = ["light", "power"]

_LIGHT = (
    "Light(lasers):",
    "  waiting ← one head per laser; used ← ∅",
    "  while waiting is not empty:",
    "    (cell, heading) ← take one from waiting",
    "    used ← used ∪ {(cell, heading)}",
    "    for each heading h that leaves the cell's piece:",
    "      n ← (next cell toward h, h)",
    "      if n is on the board and not in used:",
    "        add n to waiting",
)

_POWER = (
    "BFS(G, station):",
    "  depth[station] ← 0; layer ← {station}",
    "  while layer ≠ ∅:",
    "    next ← ∅",
    "    for each u in layer, each neighbor v of u:",
    "      if v has no depth yet:",
    "        depth[v] ← depth[u] + 1",
    "        next ← next ∪ {v}",
    "    layer ← next",
)

_HEADINGS = ("north", "east", "south", "west")


def light(game: Any, *, seconds: float | None = None, progress: Any = None, **options: Any) -> Animation:
    """Shows how the light of a ``MyPhoton`` is traced: head by head, in the order of ``game.trace()``.

    * ``game``: a ``MyPhoton`` of at most 10,000 tiles, which is not changed; ``ValueError`` for a larger one.
    * ``options``: ``theme``, ``size`` and the options of the game's picture except ``heads``.
    * ``seconds``: the time per frame in seconds, 0.01 to 60; ``None`` (the default) is 15 divided by the number of
      frames, but at least 0.05 and at most 0.6.
    * ``progress``: a callable that receives the number of frames drawn, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    >>> import gridwright as gw
    >>> light(gw.MyPhoton.level("simple-splitter")).captions[1]
    'head 1 of 9: row 3, column 2, heading east'
    """
    instance("game", game, MyPhoton)
    check_cells(game)
    if "heads" in options:
        raise TypeError(f"heads must not be given, got {form(options['heads'])}: the film shows one more in each frame")
    steps = game.trace()
    count = len(steps["row"])
    options["theme"] = film_theme(options.get("theme"))
    shown = [picture(game, heads=k, **options) for k in ProgressReporter(progress).each(range(count + 1))]
    captions = [counted(len(game.lasers), "laser")]
    lines: list[tuple[int, ...]] = [(2,)]
    continued = set(steps["parent"].tolist())
    for head in range(count):
        row, col, heading = (int(steps[name][head]) for name in ("row", "col", "heading"))
        captions.append(f"head {head + 1} of {count}: row {row}, column {col}, heading {_HEADINGS[heading]}")
        lines.append((4, 5, 6, 7, 8, 9) if head in continued else (4, 5, 6))
    title = f"Light traced in {counted(count, 'head')}"
    film = Animation(shown, captions, seconds=seconds, title=title, code=_LIGHT, lines=lines)

    def asked() -> tuple[list[Place], list[Step]]:
        at = (steps["row"] * game.width + steps["col"]).tolist()
        parent = steps["parent"].tolist()
        # Any waiting head may be taken next: a head not taken yet whose parent, if there is one, has been taken.
        answers = [{at[j] for j in range(k, count) if parent[j] < k} for k in range(count + 1)]
        question = "Which tile does light enter next?"
        rows = zip(shown, captions, lines, answers, strict=True)
        found = [Step(out, words, lit, right, question if right else "") for out, words, lit, right in rows]
        return cells(shown[0], "tile"), found

    return asking(film, asked)


def power(
    game: Any,
    *,
    frames: int = 120,
    theme: str | Theme | None = None,
    size: float | None = None,
    seconds: float | None = None,
    progress: Any = None,
) -> Animation:
    """Shows how power spreads breadth first from the station of a ``LightEmAll``, as ``game.spread()`` lists it.

    Dots mark the tiles at the greatest distance reached so far.

    * ``game``: a ``LightEmAll`` of at most 10,000 tiles, which is not changed; ``ValueError`` for a larger one.
    * ``frames``: the largest number of frames, 1 to 2000; 120 by default.
    * ``size``: the width of a cell in pixels, 1 to 1000; ``None`` (the default) is the default of ``draw.picture``.
    * ``theme``: ``"light"``, ``"dark"`` or a ``Theme``. ``None`` (the default) is the theme of ``draw.use_theme`` or,
      if none is set, that of the page that shows the film.
    * ``seconds``: the time per frame in seconds, 0.01 to 60; ``None`` (the default) is 15 divided by the number of
      frames, but at least 0.05 and at most 0.6.
    * ``progress``: a callable that receives the number of frames drawn, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    >>> import gridwright as gw
    >>> power(gw.LightEmAll("1 3\\n2a8\\nstation 0 1")).captions
    ('1 tile at distance 0', '3 tiles within distance 1')
    """
    instance("game", game, LightEmAll)
    check_cells(game)
    found = film_theme(theme)
    columns = game.spread()
    farthest = int(columns["depth"].max())
    shown, captions = [], []
    most = min(whole("frames", frames, 1, 2000), farthest + 1)
    reaches = sorted({round(k) for k in np.linspace(0, farthest, most)})
    for reach in ProgressReporter(progress).each(reaches):
        out = picture(game, theme=found, size=size, reach=reach)
        front = columns["tile"][columns["depth"] == reach].tolist()
        for tile in front:
            if out.cells is not None:
                x, y = out.cells.center(*divmod(tile, game.width))
                out.circle(x, y, out.cells.size * 0.2, fill=found.star_edge)
        shown.append(out)
        n = int((columns["depth"] <= reach).sum())
        captions.append(f"{counted(n, 'tile')} {'within' if reach else 'at'} distance {reach}")
    lines: list[tuple[int, ...]] = [(5, 6, 7, 8) if reach else (2,) for reach in reaches]
    film = Animation(shown, captions, seconds=seconds, title="Power spreads breadth first", code=_POWER, lines=lines)

    def asked() -> tuple[list[Place], list[Step]]:
        depth = columns["depth"]
        # The search goes on beyond the radius, but power does not.
        powered = game.powered.ravel()[columns["tile"]]
        found = []
        for at, (reach, following) in enumerate(zip(reaches, [*reaches[1:], reaches[-1]], strict=True)):
            right = columns["tile"][powered & (depth > reach) & (depth <= following)].tolist()
            question = "Which tile does power reach next?" if right else ""
            found.append(Step(shown[at], captions[at], lines[at], right, question))
        return cells(shown[0], "tile"), found

    return asking(film, asked)
