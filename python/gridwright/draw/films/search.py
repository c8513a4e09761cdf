"""Breadth-first search over the positions of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ...arguments import game as read_game
from ...arguments import whole
from ...errors import MoveError, MoveTypeError, SearchLimitError
from ...progress import ProgressReporter
from ...words import counted
from .. import picture, stands_on
from ..animate import Animation, legal, rows_of
from ..predict import Place, Step, asking, cells
from ..svg import Picture, number
from ..theme import Theme, film_theme

__all__ = ["state_space"]

_CODE = (
    "BFS(start):",
    "  depth[start] ← 0; layer ← {start}",
    "  while layer ≠ ∅ and no position is solved:",
    "    next ← ∅",
    "    for each p in layer, each move m of p:",
    "      q ← p after m",
    "      if q has no depth yet:",
    "        depth[q] ← depth[p] + 1; from[q] ← p",
    "        next ← next ∪ {q}",
    "    layer ← next",
    "  follow from[] back: a shortest solution",
)


@dataclass
class _Space:
    """The positions that a search found, in the order found."""

    positions: list[Any]
    depth: list[int]
    links: list[tuple[int, int]]
    """Moves as pairs of different positions, without those that lead back by more than one layer."""
    path: list[int]
    """The positions of a shortest solution, from its end back to the start; empty if there is none."""


def state_space(
    game: Any,
    *,
    limit: int = 2000,
    own: Any = None,
    theme: str | Theme | None = None,
    seconds: float | None = None,
    progress: Any = None,
) -> Animation:
    """Shows breadth-first search over the positions of a game: each layer is one move farther from the start.

    Dots are positions and lines are moves; the last frame marks a shortest solution, if there is one.

    * ``game``: a game with few positions, which is not changed.
    * ``limit``: the most positions that the search may find, 1 to 20,000; 2000 by default. Raises
      ``SearchLimitError`` if it would find more.
    * ``own``: the reader's own moves, ``(n, rank)`` numbers or a string of keys, drawn with a shortest solution in an
      extra frame; ``MoveError`` for moves that cannot be played. Default ``None``.
    * ``theme``: ``"light"``, ``"dark"`` or a ``Theme``. ``None`` (the default) is the theme of ``draw.use_theme`` or,
      if none is set, that of the page that shows the film.
    * ``seconds``: the time per frame in seconds, 0.01 to 60; ``None`` (the default) is 15 divided by the number of
      frames, but at least 0.05 and at most 0.6.
    * ``progress``: a callable that receives the number of positions searched and frames drawn so far, or an object with
      ``update``, such as a tqdm bar; ``None`` (the default) for no reports.

    >>> import gridwright as gw
    >>> state_space(gw.Bloxorz.level("level01")).captions[-1]
    'a shortest solution: 7 moves'
    >>> state_space(gw.Bloxorz.level("level01"), own="rdrrdrr").captions[-1]
    'yours: 7 moves, not solved; a shortest solution: 7 moves'
    """
    read_game("game", game)
    found, tell = film_theme(theme), ProgressReporter(progress)
    space = _search(game, whole("limit", limit, 1, 20_000), tell)
    spots = _layered(space.depth, space.links)
    stands: dict[tuple[int, int], int] = {}
    for one, at in zip(space.positions, space.depth, strict=True):
        cell = stands_on(one)
        if cell is not None:
            stands.setdefault(cell, at)
    least = _key_width(bool(space.path), own is not None)
    numbered = tell.each(range(max(space.depth) + 1))
    shown = [_frame(found, game, stands, spots, space, layer, least) for layer in numbered]
    counts = np.bincount(space.depth)
    captions = [
        f"{counted(layer, 'move')}: {counted(int(n), 'new position')}, {counts[: layer + 1].sum():,} in all"
        for layer, n in enumerate(counts)
    ]
    if space.path:
        shown.append(_frame(found, game, stands, spots, space, max(space.depth), least, space.path))
        captions.append(f"a shortest solution: {counted(len(space.path) - 1, 'move')}")
    if own is not None:
        answer, solved = _played(game, own, space)
        last = _frame(found, game, stands, spots, space, max(space.depth), least, space.path, answer)
        shown.append(last)
        known = f"a shortest solution: {counted(len(space.path) - 1, 'move')}" if space.path else "no solution"
        captions.append(f"yours: {counted(len(answer) - 1, 'move')}{'' if solved else ', not solved'}; {known}")
    title = f"The positions of {type(game).__name__}, {len(space.positions):,} of them"
    lines: list[tuple[int, ...]] = [(5, 6, 7, 8, 9) if layer else (2,) for layer in range(max(space.depth) + 1)]
    lines += [(11,) if space.path else ()] * (len(shown) - len(lines))
    film = Animation(shown, captions, seconds=seconds, title=title, code=_CODE, lines=lines)

    def asked() -> tuple[list[Place], list[Step]]:
        board = _board(game, found)
        found_steps = []
        for layer, row in enumerate(zip(shown, captions, lines, strict=True)):
            right = [r * game.width + c for (r, c), at in stands.items() if at == layer + 1]
            words = counted(layer + 1, "move")
            question = f"On which cell can the piece stand after {words}, and no fewer?" if right else ""
            found_steps.append(Step(*row, right, question))
        return cells(board, "cell", dx=(shown[0].width - board.width) / 2), found_steps

    return asking(film, asked) if stands else film


def _search(game: Any, limit: int, tell: ProgressReporter) -> _Space:
    start = game.copy()
    # Positions are compared by their `text`, which is equal for equal positions of any game.
    index = {str(start.text): 0}
    positions, depth, parent, links = [start], [0], [-1], []
    layer, won = [0], 0 if start.is_solved else -1
    while layer and won < 0:
        fresh = []
        for here in tell.each(layer):
            for move in positions[here].legal_moves().tolist():
                following = positions[here].copy()
                following.play(*move)
                key = str(following.text)
                if key not in index:
                    if len(index) >= limit:
                        raise SearchLimitError(f"limit reached after {limit} positions: the game has more")
                    index[key] = len(positions)
                    positions.append(following)
                    depth.append(depth[here] + 1)
                    parent.append(here)
                    fresh.append(index[key])
                    if following.is_solved and won < 0:
                        won = index[key]
                if index[key] != here:
                    links.append((here, index[key]))
        layer = fresh
    path = []
    node = won
    while node >= 0:
        path.append(node)
        node = parent[node]
    # Moves that lead back by more than one layer, such as falls, which all lead to the start, would hide the others.
    links = [(one, other) for one, other in links if depth[other] >= depth[one] - 1]
    return _Space(positions, depth, links, path)


def _played(game: Any, own: Any, space: _Space) -> tuple[list[int | None], bool]:
    """Plays the reader's moves; returns the positions passed through, and whether the last one is solved.

    A position is an index into ``space.positions``, or ``None`` if the search did not find it.
    """
    index = {str(one.text): at for at, one in enumerate(space.positions)}
    copy = game.copy()
    passed: list[int | None] = [0]
    try:
        for move in rows_of(game, own):
            copy.play(*legal(copy, move))
            passed.append(index.get(str(copy.text)))
    except MoveError as error:
        kind = MoveTypeError if isinstance(error, MoveTypeError) else MoveError
        raise kind(f"own must be moves that can be played: {error}") from None
    return passed, copy.is_solved


def _layered(depth: Sequence[int], links: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    """Returns a point per position, in one column per depth.

    Each column is sorted by the mean height of the neighbors in the previous column.
    """
    columns: list[list[int]] = [[] for _ in range(max(depth) + 1)]
    for node, at in enumerate(depth):
        columns[at].append(node)
    before: dict[int, list[int]] = {}
    for source, target in links:
        if depth[source] == depth[target] - 1:
            before.setdefault(target, []).append(source)
    across = max(10.0, min(60.0, 860 / len(columns)))
    tallest = max(map(len, columns))
    down = max(4.0, min(24.0, 420 / tallest))
    middle = 24 + down * tallest / 2
    spots: list[tuple[float, float]] = [(0.0, 0.0)] * len(depth)
    for at, column in enumerate(columns):
        heights = {node: [spots[one][1] for one in before.get(node, [])] for node in column}
        column.sort(key=lambda node: sum(heights[node]) / len(heights[node]) if heights[node] else middle)
        for place, node in enumerate(column):
            spots[node] = (24 + at * across, middle + (place - (len(column) - 1) / 2) * down)
    return spots


def _board(game: Any, theme: Theme) -> Picture:
    return picture(game, theme=theme, size=max(10.0, min(34.0, 560 / game.width)))


def _frame(
    theme: Theme,
    game: Any,
    stands: dict[tuple[int, int], int],
    spots: Sequence[tuple[float, float]],
    space: _Space,
    layer: int,
    least: float,
    path: Sequence[int] = (),
    own: Sequence[int | None] = (),
) -> Picture:
    """Draws a frame at least ``least`` wide: the positions up to a layer, a shortest solution, the reader's moves."""
    depth = space.depth
    board = _board(game, theme)
    theme = board.theme  # a bitmap has the light theme in place of `BOTH`
    wide, high = max(x for x, _ in spots) + 24, max(y for _, y in spots) + 24 + 22
    out = Picture(
        max(wide, board.width, least),
        board.height + high,
        theme,
        title="Breadth-first search over positions",
        description=f"{counted(sum(at <= layer for at in depth), 'position')} within {counted(layer, 'move')}.",
    )
    start = stands_on(game)
    for (row, col), at in stands.items():
        if at <= layer and board.cells is not None and (row, col) != start:
            fill = theme.orange if at == layer else theme.blue
            center = board.cells.center(row, col)
            board.circle(*center, board.cells.size * 0.36, fill=fill)
            board.text(*center, str(at), size=board.cells.size * 0.4, fill=theme.letters_on(fill))
    out.begin(transform=f"translate({number((out.width - board.width) / 2)} 0)")
    for part in board.parts[1:]:
        out.add(part)
    out.end()
    spots = [(x + (out.width - wide) / 2, y + board.height) for x, y in spots]
    links = [link for link in space.links if max(depth[link[0]], depth[link[1]]) <= layer]
    lines = (
        f"M{number(spots[a][0])} {number(spots[a][1])}L{number(spots[b][0])} {number(spots[b][1])}" for a, b in links
    )
    out.path("".join(lines) or "M0 0", fill="none", stroke=theme.tile_edge, stroke_width=0.7)
    for one, other in pairwise(path):
        out.line(*spots[one], *spots[other], stroke=theme.red, stroke_width=3.5, stroke_linecap="round")
    on_path = set(path)
    for node, spot in enumerate(spots):
        if depth[node] <= layer:
            fill = theme.red if node in on_path else theme.orange if depth[node] == layer else theme.blue
            out.circle(*spot, 5 if node in on_path or node == 0 else 3.2, fill=theme.green if node == 0 else fill)
    if path:
        out.circle(*spots[path[0]], 9, fill="none", stroke=theme.green, stroke_width=3)
    for before, after in pairwise(own):
        if before is not None and after is not None:
            look: dict[str, Any] = {"stroke": theme.purple, "stroke_width": 3, "stroke_dasharray": "6 4"}
            out.line(*spots[before], *spots[after], **look)
    _key(out, theme, bool(path), bool(own))
    return out


def _entries(solved: bool, own: bool) -> list[tuple[str, str]]:
    """Returns what the colors mean, each with its color as the name of a field of a theme."""
    entries = [("start", "green"), ("this layer", "orange"), ("earlier", "blue")]
    return entries + [("a shortest solution", "red")] * solved + [("yours", "purple")] * own


def _entry_width(words: str) -> float:
    return 9 + 7.2 * len(words) + 18


def _key_width(solved: bool, own: bool) -> float:
    """Returns the width that the line at the bottom needs."""
    return 14 + sum(_entry_width(words) for words, _ in _entries(solved, own))


def _key(out: Picture, theme: Theme, solved: bool, own: bool) -> None:
    """Writes the meanings of the colors in a line at the bottom."""
    x, y = 14.0, out.height - 12
    for words, color in _entries(solved, own):
        out.circle(x, y, 4, fill=getattr(theme, color))
        out.text(x + 9, y, words, size=11, fill=theme.ink, text_anchor="start")
        x += _entry_width(words)
