"""Spanning trees that grow, and the union-find forest behind them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...arguments import instance, matrix, sequence, whole
from ...arguments import number as read_number
from ...lightemall import LightEmAll
from ...progress import ProgressReporter
from ...words import counted, dimensions
from ..animate import Animation
from ..lightemall import links
from ..predict import Place, Step, asking, outline
from ..svg import Cells, Picture, number
from ..theme import Theme, film_theme, mix
from .beside import beside

__all__ = ["forest", "kruskal", "union_find"]

_MAX_TILES = 100
"""The maximum number of tiles of a board beside its forest; more tiles would be too small to read."""

_MAX_NODES = 200
"""The maximum number of nodes of a forest without a board."""

_MAX_EDGES = 1000
"""The maximum number of edges of a forest without a board; each edge examined takes a frame."""


_KRUSKAL = (
    "Kruskal(V, E, w):",
    "  T ← ∅",
    "  for each v in V: make a set {v}",
    "  for each (u, v) in E, lightest first:",
    "    if find(u) ≠ find(v):",
    "      T ← T ∪ {(u, v)}",
    "      union(u, v)",
    "  return T",
)

_GROWTH = {
    "kruskal": _KRUSKAL,
    "prim": (
        "Grow(V, E):",
        "  T ← ∅; S ← {first vertex}",
        "  while S ≠ V:",
        "    (u, v) ← random edge from u in S to v outside",
        "    S ← S ∪ {v}",
        "    T ← T ∪ {(u, v)}",
        "  return T",
    ),
    "dfs": (
        "DFS(V, E):",
        "  T ← ∅; push a random vertex",
        "  while the stack is not empty:",
        "    u ← top; v ← random neighbor not seen yet",
        "    if there is no such v: pop u",
        "    else: T ← T ∪ {(u, v)}; push v",
        "  return T",
    ),
    "wilson": (
        "Wilson(V, E):",
        "  T ← ∅; S ← {random vertex}",
        "  for each vertex s not in S:",
        "    walk at random from s until in S",
        "    erase the loops of the walk",
        "    T ← T ∪ edges of the walk",
        "    S ← S ∪ vertices of the walk",
        "  return T",
    ),
    "fractal": (
        "Fractal(board):",
        "  T ← ∅; one cell: return T",
        "  cut the board into four quarters",
        "  for each quarter: T ← T ∪ Fractal(quarter)",
        "  leave out one of the four seams",
        "  T ← T ∪ a random edge across each other seam",
        "  return T",
    ),
}
"""The pseudocode of each random method of ``generate``. Line 2 always starts without edges, and line 6 adds edges."""

_FINDS = {
    False: ("find(x):", "  while parent[x] ≠ x: x ← parent[x]", "  return x"),
    True: ("find(x):", "  if parent[x] ≠ x: parent[x] ← find(parent[x])", "  return parent[x]"),
}
_UNION = (
    "for each v: parent[v] ← v",
    "for each (u, v), lightest first: union(u, v)",
    "union(u, v):",
    "  a ← find(u); b ← find(v)",
    "  if a = b: return (the edge would close a loop)",
    "  if size[a] < size[b]: swap a and b",
    "  parent[b] ← a; size[a] ← size[a] + size[b]",
)


def _accents(theme: Theme) -> tuple[str, ...]:
    return theme.blue, theme.orange, theme.green, theme.red, theme.purple, theme.sky


def kruskal(
    game: Any,
    *,
    own: Any = None,
    frames: int = 120,
    theme: str | Theme | None = None,
    size: float | None = None,
    seconds: float | None = None,
    progress: Any = None,
) -> Animation:
    """Shows how the wires of a generated ``LightEmAll`` grew, edge by edge in the order of ``game.tree``.

    Each connected part has one of six colors.

    * ``game``: a generated ``LightEmAll``; ``ValueError`` for a board that was not generated.
    * ``own``: the reader's own tree, shown beside the correct one: pairs of cell indices ``row * width + col``,
      ``(k, 2)`` integers in the order taken, at most as many as there are cells; ``ValueError`` otherwise. Lines
      between cells that are not neighbors are dashed. Default ``None``.
    * ``frames``: the largest number of frames, 2 to 2000; 120 by default.
    * ``size``: the width of a cell in pixels, 1 to 1000; by default 32, but less, down to 4, if the longer side of the
      board would exceed 560 pixels.
    * ``theme``: ``"light"``, ``"dark"`` or a ``Theme``. ``None`` (the default) is the theme of ``draw.use_theme`` or,
      if none is set, that of the page that shows the film.
    * ``seconds``: the time per frame in seconds, 0.01 to 60; ``None`` (the default) is 15 divided by the number of
      frames, but at least 0.05 and at most 0.6.
    * ``progress``: a callable that receives the number of frames drawn, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    >>> import gridwright as gw
    >>> kruskal(gw.LightEmAll.generate(5, 5, seed=1))
    Animation of 25 frames
    >>> game = gw.LightEmAll.generate(2, 2, seed=1)
    >>> kruskal(game, own=[(0, 1), (2, 3), (0, 1)]).captions[-1]
    '3 edges, 1 part; yours: 3 edges, 2 parts, 1 closes a loop'
    """
    instance("game", game, LightEmAll)
    tree = game.tree
    if tree is None:
        raise ValueError("game must be a generated board, got one without a tree")
    answer = None if own is None else _pairs(own, game.height * game.width)
    found = film_theme(theme)
    height, width = game.shape
    size = read_number("size", size, 1, 1000) if size is not None else max(4.0, min(32.0, 560 / max(height, width)))
    cells = Cells(size / 2, size / 2, size, game.shape, game.hexagonal)
    both = [tree] if answer is None else [answer, tree]
    trees = [_Growth(height * width, edges, links(game, cells, edges)) for edges in both]
    length = max(len(growth.edges) for growth in trees)
    most = min(whole("frames", frames, 2, 2000), length + 1)
    stops = {round(k) for k in np.linspace(0, length, max(2, most))}
    shown, captions, lines = [], [], []
    tell = ProgressReporter(progress)
    for taken in range(length + 1):
        for growth in trees:
            growth.take(taken)
        if taken not in stops:
            continue
        pictures = [_tree_frame(found, cells, growth, taken) for growth in trees]
        shown.append(pictures[0] if answer is None else beside(*pictures))
        captions.append("; yours: ".join(growth.words for growth in reversed(trees)))
        lines.append((6,) if taken else (2,))
        tell.add(1)
    title = f"A spanning tree grows, {dimensions(height, width)}"
    # The edges of the source document's fixed boards (`rows` and `columns`) and of boards made with `unique` are in the
    # order of Kruskal's algorithm.
    code = _KRUSKAL if game.origin["unique"] else _GROWTH.get(game.origin["method"], _KRUSKAL)
    return Animation(shown, captions, seconds=seconds, title=title, code=code, lines=lines)


class _Growth:
    """The connected parts of a board while edges are taken one by one; the label of a part determines its color.

    * ``nodes``: the number of tiles.
    * ``edges``: the edges in the order taken, ``(k, 2)`` integers.
    * ``wires``: one wire per edge as path commands, empty for tiles that are not neighbors.
    """

    def __init__(self, nodes: int, edges: npt.NDArray[Any], wires: list[str]) -> None:
        self.edges, self.wires = edges, wires
        self.label = np.arange(nodes)
        self._members = {node: [node] for node in range(nodes)}
        self._loops = self._taken = 0

    def take(self, count: int) -> None:
        """Takes edges until the first ``count`` of them have been taken."""
        for pair in self.edges[self._taken : count].tolist():
            one, other = (int(self.label[node]) for node in pair)
            self._loops += one == other
            if one != other:
                # When two parts meet, the larger one keeps its color.
                if len(self._members[one]) < len(self._members[other]):
                    one, other = other, one
                self.label[self._members[other]] = one
                self._members[one] += self._members.pop(other)
        self._taken = max(self._taken, min(count, len(self.edges)))

    @property
    def words(self) -> str:
        """The numbers of edges, parts, edges that close a loop and pairs that are no edges of the board, in words."""
        words = f"{counted(self._taken, 'edge')}, {counted(len(self._members), 'part')}"
        if self._loops:
            words += f", {self._loops} {'closes a loop' if self._loops == 1 else 'close loops'}"
        apart = self.wires[: self._taken].count("")
        if apart:
            words += f", {apart} {'joins' if apart == 1 else 'join'} tiles that are not neighbors"
        return words


def _pairs(own: Any, nodes: int) -> npt.NDArray[Any]:
    """Reads the reader's own edges: pairs of cell indices."""
    found = matrix("own", own, "iu", (2,), "integers of shape (k, 2)")
    if found.shape[1] != 2:
        raise ValueError(f"own must be integers of shape (k, 2), got shape {found.shape}")
    wrong = found[((found < 0) | (found >= nodes)).any(axis=1)]
    if len(found) > nodes or len(wrong):
        what = f"the pair {tuple(wrong[0].tolist())}" if len(wrong) else f"{len(found)} pairs"
        raise ValueError(f"own must be at most {nodes} pairs of cell indices from 0 to {nodes - 1}, got {what}")
    return found


def _tree_frame(theme: Theme, cells: Cells, growth: _Growth, taken: int) -> Picture:
    """Draws the first ``taken`` edges, each in the color of its part; pairs that are not neighbors are dashed."""
    size, (height, width) = cells.size, cells.shape
    words = f"{growth.words}; {counted(len(growth.edges), 'edge')} in all."
    accents = _accents(theme)
    wide, high = cells.extent
    out = Picture(wide + size, high + size, theme, title="A spanning tree grows", description=words)
    lines: dict[tuple[str, bool], list[str]] = {}
    for (u, v), wire in zip(growth.edges[:taken].tolist(), growth.wires, strict=False):
        if not wire:
            (x1, y1), (x2, y2) = (cells.center(*divmod(node, width)) for node in (u, v))
        # Consecutive labels, such as those of tiles side by side, get different colors.
        color = accents[int(growth.label[u]) % len(accents)]
        lines.setdefault((color, not wire), []).append(wire or f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}")
    centers = (cells.center(row, col) for row in range(height) for col in range(width))
    dots = "".join(f"M{number(x)} {number(y)}h0" for x, y in centers)
    out.path(dots, fill="none", stroke=theme.tile_edge, stroke_width=size * 0.2, stroke_linecap="round")
    for (color, apart), parts in lines.items():
        look: dict[str, Any] = {"stroke": color, "stroke_width": size * 0.24, "stroke_linecap": "round"}
        if apart:
            look |= {"stroke_width": size * 0.12, "stroke_dasharray": f"{number(size * 0.2)} {number(size * 0.3)}"}
        out.path("".join(parts), fill="none", **look)
    return out


@dataclass
class _Layout:
    """Where the nodes of a union-find forest are drawn; a node keeps its horizontal place in all frames."""

    order: list[int]
    """The place of each node, counted from the left."""
    left: float
    top: float
    step: float
    """The distance between neighboring places, in pixels."""
    row: float
    """The vertical distance between a node and its parent, in pixels."""
    radius: float

    def spot(self, node: int, depth: int) -> tuple[float, float]:
        return self.left + (self.order[node] + 0.5) * self.step, self.top + depth * self.row

    def draw(
        self,
        out: Picture,
        parents: Sequence[int],
        names: Sequence[str],
        fill: Callable[[int], str],
        *,
        marked: set[int],
    ) -> None:
        """Draws the links and the nodes; roots have a strong border, and ``marked`` nodes an extra ring."""
        theme = out.theme
        depths = [_root(parents, node)[1] for node in range(len(parents))]
        spots = [self.spot(node, depth) for node, depth in enumerate(depths)]
        for node, parent in enumerate(parents):
            if parent != node:
                out.line(*spots[node], *spots[parent], stroke=theme.muted, stroke_width=max(1.5, self.radius * 0.15))
        for node, (x, y) in enumerate(spots):
            color = fill(node)
            strong = 2.5 if parents[node] == node else 1
            out.circle(x, y, self.radius, fill=color, stroke=theme.ink, stroke_width=strong)
            if node in marked:
                out.circle(x, y, self.radius + 3, fill="none", stroke=theme.red, stroke_width=2.5)
            size = self.radius * (0.95 if len(names[node]) < 3 else 2.4 / len(names[node]))
            out.text(x, y, names[node], size=size, fill=theme.letters_on(color))


def _root(parents: Sequence[int], node: int) -> tuple[int, int]:
    """Returns the root of a node, and the number of links up to it."""
    depth = 0
    while parents[node] != node:
        node, depth = parents[node], depth + 1
    return node, depth


def _order(parents: Sequence[int]) -> list[int]:
    """Returns the places of the nodes from left to right, each root in the middle of its subtrees."""
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(parents):
        if parent != node:
            children.setdefault(parent, []).append(node)
    places = [0] * len(parents)
    count = 0
    # An in-order traversal with a stack of (node, whether the left half of its subtrees has been placed).
    stack = [(node, False) for node in reversed(range(len(parents))) if parents[node] == node]
    while stack:
        node, placed = stack.pop()
        below = children.get(node, [])
        half = len(below) // 2
        if placed:
            places[node] = count
            count += 1
            stack += [(child, False) for child in reversed(below[half:])]
        else:
            stack.append((node, True))
            stack += [(child, False) for child in reversed(below[:half])]
    return places


def union_find(
    nodes: int,
    edges: Any,
    weights: Any,
    *,
    names: Sequence[str] | None = None,
    strategy: str = "size",
    theme: str | Theme | None = None,
    seconds: float | None = None,
    progress: Any = None,
) -> Animation:
    """Shows the links of union-find while Kruskal's algorithm runs: a frame without links, then one per edge examined.

    * ``nodes``: the number of nodes, 1 to 200; ``ValueError`` otherwise.
    * ``edges``: pairs of nodes, ``(m, 2)`` integers; at most 1000, ``ValueError`` for more.
    * ``weights``: one number per edge, ``(m,)``.
    * ``names``: the labels in the nodes, one per node; by default the numbers of the nodes.
    * ``strategy``: the strategy of ``graph.UnionFind``: ``"naive"``, ``"compression"``, ``"size"`` (the default) or
      ``"both"``.
    * ``theme``: ``"light"``, ``"dark"`` or a ``Theme``. ``None`` (the default) is the theme of ``draw.use_theme`` or,
      if none is set, that of the page that shows the film.
    * ``seconds``: the time per frame in seconds, 0.01 to 60; ``None`` (the default) is 15 divided by the number of
      frames, but at least 0.05 and at most 0.6.
    * ``progress``: a callable that receives the number of frames drawn, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    >>> union_find(3, [(0, 1), (1, 2), (0, 2)], [1, 3, 2]).captions[-1]
    '0-2: taken'
    """
    from ...graph import kruskal_steps

    nodes = whole("nodes", nodes, 1, _MAX_NODES)
    given: Iterable[object] = range(nodes) if names is None else names
    if not isinstance(given, str):
        given = sequence("names", given, "strings, one per node", nodes)
    labels = [str(name) for name in given]
    if len(labels) != nodes:
        # Unless `names` is a string, reading stopped after one name too many, so a larger count is unknown.
        got = len(labels) if len(labels) < nodes or isinstance(given, str) else "more"
        raise ValueError(f"names must hold {counted(nodes, 'name')}, one per node, got {got}")
    found = film_theme(theme)
    pairs = matrix("edges", edges, "iu", (2,), "integers of shape (m, 2)")
    if len(pairs) > _MAX_EDGES:
        raise ValueError(f"edges must hold at most {_MAX_EDGES} edges, got {len(pairs)}")
    steps = kruskal_steps(nodes, pairs, weights, strategy=strategy, parents=True)
    rows = [list(range(nodes)), *(row.tolist() for row in steps["parents"])]
    deepest = max(_root(row, node)[1] for row in rows for node in range(nodes))
    layout = _Layout(_order(rows[-1]), 10, 30, 46.0, 58.0, 16)
    decisions: list[tuple[int, bool] | None] = [None]
    decisions += zip(steps["edge"].tolist(), steps["accepted"].tolist(), strict=True)
    code = [*_UNION, *_FINDS[strategy in ("compression", "both")]]
    if strategy in ("naive", "compression"):
        # Without union by size, nothing is swapped and no size is kept.
        code[5:7] = ["  parent[b] ← a"]
    shown, captions, lines = [], [], []
    for row, step in ProgressReporter(progress).each(zip(rows, decisions, strict=True)):
        marked: set[int] = set()
        words = "every node is its own representative"
        if step is not None:
            u, v = pairs[step[0]].tolist()
            marked = {u, v}
            words = f"{labels[u]}-{labels[v]}: " + ("taken" if step[1] else "refused: it would close a loop")
        size = (nodes * layout.step + 20, deepest * layout.row + 60)
        out = Picture(*size, found, title="Union-find", description=f"Links of nodes; {words}.")

        def fill(node: int, row: Sequence[int] = row) -> str:
            return found.green if row[node] == node else found.tile

        layout.draw(out, row, labels, fill, marked=marked)
        shown.append(out)
        captions.append(words)
        # Line 1 makes the sets, line 4 finds the roots, and line 5 compares them. The lines from line 6 to the last one
        # before `find` link them.
        lines.append((1,) if step is None else (2, 4, *range(6, code.index("find(x):") + 1)) if step[1] else (2, 4, 5))
    film = Animation(shown, captions, seconds=seconds, title="Union-find", code=code, lines=lines)

    def asked() -> tuple[list[Place], list[Step]]:
        found_steps = []
        for at, row in enumerate(zip(shown, captions, lines, strict=True)):
            following = decisions[at + 1] if at + 1 < len(decisions) else None
            right: list[int] = []
            question = ""
            if following is not None and following[1]:
                u, v = (labels[node] for node in pairs[following[0]].tolist())
                # The only node that is a root before the step and not after it.
                right = [x for x in range(nodes) if rows[at][x] == x != rows[at + 1][x]]
                question = f"{u}-{v} comes next and is taken. Which root is then linked to the other one?"
            found_steps.append(Step(*row, right, question))
        # Nodes move down as they are linked, so the place to click is the whole column of a node.
        reach, high = layout.step / 2, shown[0].height
        places = []
        for node, label in enumerate(labels):
            x = layout.spot(node, 0)[0]
            places.append(
                Place(f"node {label}", outline([(x - reach, 0), (x + reach, 0), (x + reach, high), (x - reach, high)]))
            )
        return places, found_steps

    return asking(film, asked)


def forest(
    height: int,
    width: int,
    *,
    seed: int = 0,
    weights: Any = None,
    hexagonal: bool = False,
    strategy: str | None = None,
    own: Any = None,
    theme: str | Theme | None = None,
    seconds: float | None = None,
    progress: Any = None,
) -> Animation:
    """Shows Kruskal's algorithm on the edges of a board, lightest first, beside the union-find forest.

    Tiles of the same component have the same color. An accepted edge joins two components: one root is linked below
    the other. An edge whose ends have the same root would close a loop, and is refused.

    * ``height``, ``width``: the size of the board, at most 100 tiles; ``ValueError`` for more.
    * ``seed``: the seed of the random weights, 0 to 2^64 - 1; 0 by default. Ignored if ``weights`` are given.
    * ``weights``: one number per edge in the order of ``graph.grid_edges``; ``None`` (the default) for random ones. The
      pictures show the weights if all have at most three characters; the captions always name them.
    * ``hexagonal``: whether tiles are hexagons. Default ``False``.
    * ``strategy``: the strategy of ``graph.UnionFind``: ``"naive"``, ``"compression"``, ``"size"`` or ``"both"``;
      ``None`` (the default) for ``"both"``. With ``own``, ``ValueError`` for any strategy but ``"both"``.
    * ``own``: the reader's own answer, shown beside the edges that the algorithm takes: indices of edges in the order
      taken, ``(k,)`` integers. An edge is red if it closes a loop, or if its weight is not that of the edge that the
      algorithm takes. Default ``None``.
    * ``theme``: ``"light"``, ``"dark"`` or a ``Theme``. ``None`` (the default) is the theme of ``draw.use_theme`` or,
      if none is set, that of the page that shows the film.
    * ``seconds``: the time per frame in seconds, 0.01 to 60; ``None`` (the default) is 15 divided by the number of
      frames, but at least 0.05 and at most 0.6.
    * ``progress``: a callable that receives the number of frames drawn, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    >>> forest(2, 3, seed=1).captions[0]
    '6 components; the lightest edge comes first'
    >>> forest(1, 3, weights=[2, 1], own=[0, 1]).captions[1]
    'yours: edge 0-1, weight 2, not the lightest; correct: edge 1-2, weight 1'
    """
    from ... import graph

    found = film_theme(theme)
    height, width = whole("height", height, 1, _MAX_TILES), whole("width", width, 1, _MAX_TILES)
    nodes = height * width
    if nodes > _MAX_TILES:
        raise ValueError(f"height times width must be at most {_MAX_TILES} tiles, got {nodes}")
    edges = np.asarray(graph.grid_edges(height, width, hexagonal=hexagonal))
    if weights is None:
        weights = np.random.default_rng(whole("seed", seed, 0)).permutation(len(edges)) + 1
    weights = matrix("weights", weights, "iufb", (1,), "numbers of shape (m,)")
    chosen = "both" if strategy is None else strategy
    steps = graph.kruskal_steps(nodes, edges, weights, strategy=chosen, parents=True)
    if own is not None and strategy not in (None, "both"):
        raise ValueError(f"strategy must be 'both' or None with own, got {strategy!r}")
    forests = [list(range(nodes)), *(row.tolist() for row in steps["parents"])]
    board = _Board(found, Cells(14.0, 14.0, 52.0, (height, width), hexagonal), edges, weights, forests)
    title = f"Kruskal's algorithm, {dimensions(height, width)}"
    if own is not None:
        answer = matrix("own", own, "iu", (1,), "integers of shape (k,)").tolist()
        wrong = next((edge for edge in answer if not 0 <= edge < len(edges)), None)
        if len(answer) > len(edges) or wrong is not None:
            what = f"{len(answer)} indices" if wrong is None else f"the index {wrong}"
            raise ValueError(
                f"own must be at most {len(edges)} indices of edges from 0 to {len(edges) - 1}, got {what}"
            )
        rows = _answers(board, np.asarray(steps["edge"])[np.asarray(steps["accepted"])].tolist(), answer)
        answers = list(ProgressReporter(progress).each(rows))
        return Animation([one for one, _ in answers], [words for _, words in answers], seconds=seconds, title=title)
    frames, captions, lines = [], [], []
    taken: list[int] = []
    left = set(range(len(edges)))
    for index in ProgressReporter(progress).each(range(len(forests))):
        now = -1 if index == 0 else int(steps["edge"][index - 1])
        good = index > 0 and bool(steps["accepted"][index - 1])
        if good:
            taken.append(now)
        left.discard(now)
        frames.append(board.frame(forests[index], taken, sorted(left), now, good))
        parts = len({_root(forests[index], node)[0] for node in range(nodes)})
        if index == 0:
            captions.append(f"{counted(parts, 'component')}; the lightest edge comes first")
        else:
            u, v = edges[now].tolist()
            roots = f"roots {int(steps['root_u'][index - 1])} and {int(steps['root_v'][index - 1])}"
            words = f"taken, {counted(parts, 'component')} left" if good else "refused: it would close a loop"
            captions.append(f"edge {u}-{v}, weight {_in_full(weights[now])}, {roots}: {words}")
        lines.append((2, 3) if index == 0 else (5, 6, 7) if good else (5,))
    film = Animation(frames, captions, seconds=seconds, title=title, code=_KRUSKAL, lines=lines)

    def asked() -> tuple[list[Place], list[Step]]:
        order = steps["edge"].tolist()
        found_steps = []
        for at, row in enumerate(zip(frames, captions, lines, strict=True)):
            # Of edges with equal weights, any may come next.
            later = set(range(len(edges))) - set(order[:at])
            right = [edge for edge in later if at < len(order) and weights[edge] == weights[order[at]]]
            found_steps.append(Step(*row, right, "Which edge is looked at next?" if right else ""))
        return [Place(f"edge {u}-{v}", board.diamond(u, v)) for u, v in edges.tolist()], found_steps

    return asking(film, asked) if board.weights_shown and len(edges) else film


def _in_full(weight: Any) -> str:
    """Returns a numpy number as text: an integer in full, a float with the digits that tell it from all others."""
    return str(int(weight) if weight.dtype == bool else weight).removesuffix(".0")


def _answers(board: _Board, right: list[int], own: list[int]) -> Iterator[tuple[Picture, str]]:
    """Yields, edge by edge, the reader's answer beside the edges that Kruskal's algorithm takes, and a caption."""
    from ...graph import UnionFind

    height, width = board.cells.shape
    both = (own, right)
    sets = [UnionFind(height * width) for _ in both]
    taken: list[list[int]] = [[], []]
    for count in range(max(map(len, both)) + 1):
        pictures, words = [], []
        for name, answer, union, kept in zip(("yours", "correct"), both, sets, taken, strict=True):
            now = answer[count - 1] if 0 < count <= len(answer) else -1
            good, trouble = True, ""
            if now >= 0:
                before = union.parents.tolist()
                joined = union.union(*board.edges[now].tolist())
                # The weights in the order taken do not depend on which of several edges of equal weight is taken.
                light = count <= len(right) and board.weights[now] == board.weights[right[count - 1]]
                good = joined and light
                trouble = "" if good else ", closes a loop"
                if joined and not light:
                    # After another mistake, an edge may be the lightest that still joins two of the reader's parts.
                    joins = [_root(before, u)[0] != _root(before, v)[0] for u, v in board.edges.tolist()]
                    late = board.weights[now] == board.weights[joins].min()
                    trouble = ", taken too late" if late else ", not the lightest"
                kept += [now] * joined
                u, v = board.edges[now].tolist()
                words.append(f"{name}: edge {u}-{v}, weight {_in_full(board.weights[now])}{trouble}")
            else:
                words.append(f"{name}: {'no edge' if count else 'every tile is alone'}")
            left = sorted(set(range(len(board.edges))) - set(answer[:count]))
            pictures.append(board.frame(union.parents.tolist(), kept, left, now, good))
        yield beside(*pictures), "; ".join(words)


class _Board:
    """Draws a board of tiles with its edges on the left, and the union-find forest on the right."""

    def __init__(
        self, theme: Theme, cells: Cells, edges: npt.NDArray[Any], weights: npt.NDArray[Any], forests: list[list[int]]
    ) -> None:
        self.theme, self.cells, self.edges, self.weights = theme, cells, edges, weights
        self.weights_shown = all(len(_in_full(weight)) <= 3 for weight in weights)
        """Whether all weights are short enough to be written on their edges."""
        height, width = cells.shape
        nodes = height * width
        wide, high = cells.extent
        pad = cells.x
        self.left = pad * 2 + wide
        step = max(15.0, min(34.0, 460 / nodes))
        self.size = (self.left + nodes * step + pad, max(high + 2 * pad, 170.0))
        deepest = max(_root(row, node)[1] for row in forests for node in range(nodes))
        row = min(34.0, (self.size[1] - 50) / max(1, deepest + 1))
        self.layout = _Layout(_order(forests[-1]), self.left, 30, step, row, min(11.0, step * 0.46))

    def frame(self, parents: list[int], taken: Sequence[int], left: Collection[int], now: int, good: bool) -> Picture:
        """Returns a frame: the edges taken so far, the edges left to examine, and the current edge.

        ``now`` is the current edge, -1 for none, and ``good`` is whether it is drawn in green instead of red.
        """
        theme, cells = self.theme, self.cells
        width = cells.shape[1]
        nodes = len(parents)
        words = f"{len(taken)} of {counted(nodes - 1, 'edge')} taken."
        out = Picture(*self.size, theme, title="Kruskal's algorithm", description=words)
        accents = _accents(theme)
        roots = [_root(parents, node)[0] for node in range(nodes)]
        sizes = np.bincount(roots, minlength=nodes)

        def fill(node: int) -> str:
            root = roots[node]
            return theme.tile_soft if sizes[root] == 1 else mix(theme.page, accents[root % len(accents)], 0.4)

        for node in range(nodes):
            corners = cells.outline(*divmod(node, width), 0.02)
            out.polygon(corners, fill=fill(node), stroke=theme.tile_edge)
        for edge in taken:
            out.line(*self._ends(edge), stroke=theme.ink, stroke_width=6, stroke_linecap="round")
        for node in range(nodes):
            x, y = cells.center(*divmod(node, width))
            corner = cells.outline(*divmod(node, width), 0.02)[0]
            out.circle(x, y, 3, fill=theme.ink)
            at = (x, y - cells.size * 0.36) if cells.hexagonal else (corner[0] + 11, corner[1] + 9)
            out.text(*at, str(node), size=10, fill=theme.letters_on(fill(node)))
        if self.weights_shown:
            for edge in left:
                x1, y1, x2, y2 = self._ends(edge)
                out.circle((x1 + x2) / 2, (y1 + y2) / 2, 8, fill=theme.page)
                out.text((x1 + x2) / 2, (y1 + y2) / 2, _in_full(self.weights[edge]), size=9, fill=theme.muted)
        if now >= 0:
            x1, y1, x2, y2 = self._ends(now)
            look: dict[str, Any] = {"stroke": theme.green if good else theme.red, "stroke_linecap": "round"}
            out.line(x1, y1, x2, y2, **look, stroke_width=9, stroke_dasharray=None if good else "3 12")
            if self.weights_shown:
                out.circle((x1 + x2) / 2, (y1 + y2) / 2, 11, fill=theme.page, stroke=theme.ink)
                out.text((x1 + x2) / 2, (y1 + y2) / 2, _in_full(self.weights[now]), size=11, fill=theme.ink)
        marked = set() if now < 0 else set(self.edges[now].tolist())
        self.layout.draw(out, parents, [str(node) for node in range(nodes)], fill, marked=marked)
        return out

    def diamond(self, u: int, v: int) -> str:
        """Returns the part of the board that is nearer to edge ``u``-``v`` than to any other edge, as path commands."""
        width = self.cells.shape[1]
        (x1, y1), (x2, y2) = (self.cells.center(*divmod(node, width)) for node in (u, v))
        # Half the side that the two cells share, for centers at distance 1: a hexagon has sides of 1 / sqrt(3).
        half = 0.5 / math.sqrt(3) if self.cells.hexagonal else 0.5
        x, y, dx, dy = (x1 + x2) / 2, (y1 + y2) / 2, (x2 - x1) * half, (y2 - y1) * half
        return outline([(x1, y1), (x - dy, y + dx), (x2, y2), (x + dy, y - dx)])

    def _ends(self, edge: int) -> tuple[float, float, float, float]:
        width = self.cells.shape[1]
        (x1, y1), (x2, y2) = (self.cells.center(*divmod(int(node), width)) for node in self.edges[edge])
        return x1, y1, x2, y2
