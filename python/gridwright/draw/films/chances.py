"""The solver of GeeseSpotter at work."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arguments import form, instance, whole
from ...geese import GeeseSpotter
from ...progress import ProgressReporter
from ...status import Status
from ...words import dimensions, percent
from .. import picture
from ..animate import Animation
from ..bitmap import check_cells
from ..predict import Place, Step, asking, cells
from ..theme import film_theme

__all__ = ["chances"]

_CODE = (
    "Solve(fields):",
    "  while a field without a goose is hidden:",
    "    all ← placements of geese that fit the numbers",
    "    p[f] ← share of all with a goose in f",
    "    f ← a hidden field with the lowest p[f]",
    "    if p[f] = 0: f is certainly free",
    "    else: guess f",
    "    show f",
)


def chances(
    game: Any, *, moves: int = 40, seconds: float | None = None, progress: Any = None, **options: Any
) -> Animation:
    """Shows how GeeseSpotter is solved: the exact chance of a goose in each hidden field, and the field shown next.

    Fields that are certainly free have a check mark; the field that is shown next is outlined.

    * ``game``: a ``GeeseSpotter`` of at most 10,000 fields, which is not changed; ``ValueError`` for a larger one.
    * ``moves``: the largest number of moves shown, 1 to 1000; 40 by default.
    * ``options``: ``theme``, ``size`` and the options of the game's picture except ``chances``.
    * ``seconds``: the time per frame in seconds, 0.01 to 60; 0.8 if it is ``None`` (the default).
    * ``progress``: a callable that receives the number of frames drawn, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    >>> import gridwright as gw
    >>> len(chances(gw.GeeseSpotter.generate(4, 4, 2, seed=3), moves=2)) <= 3
    True
    """
    instance("game", game, GeeseSpotter)
    check_cells(game)
    if "chances" in options:
        raise TypeError(f"chances must not be given, got {form(options['chances'])}: the film always shows them")
    copy = game.copy()
    options["theme"] = film_theme(options.get("theme"))
    frames, captions = [], []
    lines: list[tuple[int, ...]] = []
    plain: list[tuple[Any, list[int]]] = []
    for _ in ProgressReporter(progress).each(range(whole("moves", moves, 1, 1000))):
        if copy.status != Status.OPEN:
            break
        # The policy `progress` always takes a field with the lowest chance, as the pseudocode and the question say.
        advice = copy.hint(policy="progress")
        if advice is None:
            break
        row, col = (int(part) for part in advice)
        chances, marked = copy.probabilities(), copy.view == "M"
        here = chances[row, col]
        lowest = np.flatnonzero(((copy.view == "*") | marked) & (chances <= here + 1e-12)).tolist()
        plain.append((copy.copy(), lowest))
        drawn = picture(copy, chances=True, **options)
        # Two outlines, so that one of them stands out from any background.
        for color, wide in ((drawn.theme.on_bright, 6), (drawn.theme.star_edge, 3)):
            drawn.polygon(drawn.outline(row, col, 0.04), fill="none", stroke=color, stroke_width=wide)
        frames.append(drawn)
        words = "certainly free" if here == 0 else f"the best guess; the chance of a goose is {percent(here, 1)}%"
        captions.append(f"{'unmark and show' if marked[row, col] else 'show'} ({row}, {col}): {words}")
        lines.append((5, 6 if here == 0 else 7, 8))
        if marked[row, col]:
            copy.mark((row, col))
        copy.show((row, col))
    frames.append(picture(copy, chances=True, **options))
    going_on = "only geese are hidden" if copy.hint() is None else "and so on"
    ends = {Status.OPEN: going_on, Status.WON: "won: every field without a goose is shown"}
    captions.append(ends.get(copy.status, "lost: a goose was shown"))
    title = f"Chances of a goose, {dimensions(game.height, game.width)}"
    lines.append((2,))
    film = Animation(
        frames, captions, seconds=0.8 if seconds is None else seconds, title=title, code=_CODE, lines=lines
    )

    def asked() -> tuple[list[Place], list[Step]]:
        question = "Which field is safest? Any field with the lowest chance of a goose is right."
        steps = []
        for at, (before, lowest) in enumerate(plain):
            steps.append(Step(picture(before, **options), "what is known", (3, 4, 5), lowest, question))
            steps.append(Step(frames[at], captions[at], lines[at]))
        return cells(frames[0], "field"), [*steps, Step(frames[-1], captions[-1], lines[-1])]

    return asking(film, asked)
