"""The reader's own code at work, on the smallest case on which it is wrong."""

from __future__ import annotations

import inspect
import math
import textwrap
from collections.abc import Sequence
from typing import Any

from ...arguments import wrong_type
from ...progress import ProgressReporter
from ...words import counted
from ..animate import Animation
from ..svg import Picture
from ..theme import Theme, film_theme

__all__ = ["watch"]

_SIDE, _RADIUS = 380.0, 15.0
"""The smallest width of a picture, and the radius of a node, in pixels."""

_MARGIN, _BEYOND = 45.0, 25.0
"""The distances from the circle of nodes to the border of the picture, and to the labels outside the circle."""

_MAX_LINES, _LONGEST = 40, 64
"""The maximum number of lines and of characters per line; longer code is not shown, and longer lines are cut."""


def watch(
    code: Any,
    *,
    theme: str | Theme | None = None,
    seconds: float | None = None,
    progress: Any = None,
) -> Animation:
    """Shows the reader's own union-find or breadth-first search at work, on the smallest case on which it is wrong.

    A class with ``union`` and ``find`` is a union-find: there is one frame before the first union and one after each
    union, with the links that the class keeps and, according to ``find``, one color per set and the smallest node of
    each node's set beside the node; ``connected`` is not called.
    Any function that ``check.bfs`` accepts is a search, whichever of the answers it returns: there is a frame for each
    line of code that changes the nodes in the queue, the nodes seen or the current node, with that line highlighted; if
    the search raises an exception or does not finish, the last frame says so. The queue is taken to be a deque, or a
    list that begins with the source and loses nodes later; if there is none, or if it holds anything but nodes, no node
    is shown as waiting. The nodes seen are those in sets and dicts that only gain nodes, and those whose item in a list
    or dict is no longer ``False``, ``None``, -1 or infinity; if nothing tells which nodes are seen, none is shown as
    seen. Correct code is shown on a typical case. The code runs in a separate process if the system can fork one, as in
    ``gridwright.check``. Needs ``gridwright[teach]``.

    * ``code``: the class or function; ``TypeError`` for an object that cannot be called.
    * ``theme``: ``"light"``, ``"dark"`` or a ``Theme``. ``None`` (the default) is the theme of ``draw.use_theme`` or,
      if none is set, that of the page that shows the film.
    * ``seconds``: the time per frame in seconds, 0.01 to 60; ``None`` (the default) is 15 divided by the number of
      frames, but at least 0.05 and at most 0.6.
    * ``progress``: a callable that receives the number of frames drawn, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    >>> class Sets:
    ...     def __init__(self, n):
    ...         self.link = list(range(n))
    ...     def find(self, x):
    ...         return self.link[x]            # one link only
    ...     def union(self, a, b):
    ...         self.link[self.find(b)] = self.find(a)
    >>> watch(Sets).captions[0]
    'every node is alone'
    """
    if not callable(code):
        raise wrong_type("code", "a class or a function", code)
    found, tell = film_theme(theme), ProgressReporter(progress)
    return (_unions if isinstance(code, type) else _search)(code, found, seconds, tell)


def _side(nodes: int) -> float:
    """Returns the width of a picture in which the nodes do not touch each other."""
    return max(_SIDE, nodes * (2 * _RADIUS + 8) / math.pi + 2 * _MARGIN)


def _places(nodes: int, beyond: float = 0) -> list[tuple[float, float]]:
    """Returns the places of the nodes on a circle, or the points at a distance from them outside the circle."""
    middle = _side(nodes) / 2
    reach = beyond + (middle - _MARGIN if nodes > 1 else 0.0)
    turns = [2 * math.pi * node / nodes - math.pi / 2 for node in range(nodes)]
    return [(middle + reach * math.cos(turn), middle + reach * math.sin(turn)) for turn in turns]


def _node(out: Picture, place: tuple[float, float], name: int, color: str, *, wrong: bool, strong: bool) -> None:
    theme = out.theme
    edge = theme.red if wrong else theme.ink
    out.circle(*place, _RADIUS, fill=color, stroke=edge, stroke_width=4 if wrong or strong else 1.2)
    out.text(*place, str(name), size=14, fill=theme.letters_on(color))


def _line(out: Picture, one: tuple[float, float], other: tuple[float, float], **style: Any) -> None:
    """Draws a line between two nodes that ends at their rims."""
    length = math.dist(one, other) or 1.0
    dx, dy = (other[0] - one[0]) / length * _RADIUS, (other[1] - one[1]) / length * _RADIUS
    out.line(one[0] + dx, one[1] + dy, other[0] - dx, other[1] - dy, stroke_linecap="round", **style)


def _arrow(out: Picture, one: tuple[float, float], other: tuple[float, float], color: str) -> None:
    """Draws a link, with a dot at the node that it leads to."""
    _line(out, one, other, stroke=color, stroke_width=2.5)
    length = math.dist(one, other) or 1.0
    back = (_RADIUS + 4) / length
    out.circle(other[0] + (one[0] - other[0]) * back, other[1] + (one[1] - other[1]) * back, 4.5, fill=color)


def _misplaced(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Returns the nodes of all pairs that exactly one of the two labelings puts in the same set."""
    pairs = [(u, v) for u in range(len(one)) for v in range(u)]
    return sorted({x for u, v in pairs if (one[u] == one[v]) != (other[u] == other[v]) for x in (u, v)})


def _unions(code: Any, theme: Theme, seconds: float | None, tell: ProgressReporter) -> Animation:
    from ...check.watching import union_steps

    nodes, unions, steps, wrong = union_steps(code)
    places, outside, side = _places(nodes), _places(nodes, _BEYOND), _side(nodes)
    hues = (theme.sky, theme.yellow, theme.green, theme.purple, theme.orange, theme.blue)
    frames, captions = [], []
    for at, step in enumerate(tell.each(steps)):
        words = f"union({unions[at - 1][0]}, {unions[at - 1][1]})" if at else "every node is alone"
        bad = [] if step["sets"] is None else _misplaced(step["sets"], step["expected"])
        if step["trouble"]:
            words += f": {step['trouble']}"
        elif bad:
            words += f": find is wrong about nodes {', '.join(map(str, bad))}"
        out = Picture(side, side + 24, theme, title="Union-find", description=words)
        for node, parent in enumerate(step["links"] or ()):
            if parent != node:
                _arrow(out, places[node], places[parent], theme.ink)
        for node, place in enumerate(places):
            color = theme.tile if step["sets"] is None else hues[step["sets"][node] % len(hues)]
            now = at > 0 and node in unions[at - 1]
            _node(out, place, node, color, wrong=node in bad, strong=now)
            if step["sets"] is not None:
                out.text(*outside[node], str(step["sets"][node]), size=11, fill=theme.muted)
        if step["sets"] is not None:
            out.text(side / 2, side + 8, "outside: the smallest node of the set", size=12, fill=theme.muted)
        frames.append(out)
        captions.append(words)
    title = f"{code.__name__} on {counted(nodes, 'node')}" + (f", {wrong}" if wrong else "")
    return Animation(frames, captions, seconds=seconds, title=title)


def _search(code: Any, theme: Theme, seconds: float | None, tell: ProgressReporter) -> Animation:
    from ...check.watching import search_steps

    nodes, edges, source, steps, trouble, depths, wrong = search_steps(code)
    places, outside, side = _places(nodes), _places(nodes, _BEYOND), _side(nodes)
    text, first = _source(code)
    frames, captions, lines = [], [], []
    for queue, seen, now, line, number in tell.each(steps or [(None, None, source, trouble or "", 0)]):
        words = line if queue is None else f"waiting: {', '.join(map(str, queue)) or 'none'}; {line}"
        out = Picture(side, side + 24, theme, title="Breadth-first search", description=words)
        for u, v in edges:
            _line(out, places[u], places[v], stroke=theme.tile_edge, stroke_width=2)
        for node, place in enumerate(places):
            color = theme.orange if node in (queue or ()) else theme.green if node in (seen or ()) else theme.tile
            _node(out, place, node, color, wrong=False, strong=node == now)
            far = str(depths[node]) if depths[node] >= 0 else "∞"
            out.text(*outside[node], far, size=11, fill=theme.muted)
        key = ["orange: waiting"] * (queue is not None) + ["green: seen"] * (seen is not None)
        key.append("outside: the right distance")
        out.text(side / 2, side + 8, "; ".join(key), size=12, fill=theme.muted)
        frames.append(out)
        captions.append(words)
        lines.append((number - first + 1,) if first <= number < first + len(text) else ())
    title = f"{getattr(code, '__name__', 'search')} from node {source}" + (", where it is wrong" if wrong else "")
    return Animation(frames, captions, seconds=seconds, title=title, code=text, lines=lines if text else ())


def _source(code: Any) -> tuple[list[str], int]:
    """Returns the lines of a function and the number of its first line; no lines if they are unknown or too many."""
    try:
        lines, first = inspect.getsourcelines(code)
    except (OSError, TypeError):
        return [], 0
    text = textwrap.dedent("".join(lines)).expandtabs(4).splitlines()
    if len(text) > _MAX_LINES:
        return [], 0
    return [line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…" for line in text], first
