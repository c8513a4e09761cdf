"""Algorithms at work, as animations drawn from the columns that they hand out.

>>> import gridwright as gw
>>> from gridwright.draw import films
>>> films.state_space(gw.Bloxorz.level("level01"))
Animation of 9 frames

``progress`` of each is told the frames drawn, of ``state_space`` the positions found before them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..progress import Teller
from . import picture
from . import theme as find_theme
from .animate import Animation
from .svg import Cells, Picture, number
from .theme import Theme

__all__ = ["chances", "forest", "kruskal", "light", "line", "power", "state_space", "union_find"]


def light(game: Any, *, seconds: float | None = None, progress: Any = None, **options: Any) -> Animation:
    """Shows how the light of a MyPhoton world is found: head by head, in the order of ``game.trace()``.

    >>> import gridwright as gw
    >>> light(gw.MyPhoton.level("simple-splitter")).captions[1]
    'head 1 of 9: row 3, column 2, heading east'
    """
    steps = game.trace()
    count = len(steps["row"])
    names = ("north", "east", "south", "west")
    shown = [picture(game, heads=k, **options) for k in Teller(progress).each(range(count + 1))]
    captions = ["1 laser" if len(game.lasers) == 1 else f"{len(game.lasers)} lasers"]
    for head in range(count):
        row, col, heading = (int(steps[name][head]) for name in ("row", "col", "heading"))
        captions.append(f"head {head + 1} of {count}: row {row}, column {col}, heading {names[heading]}")
    return Animation(shown, captions, seconds=seconds, title=f"Light, head by head, {count} of them")


def state_space(
    game: Any,
    *,
    limit: int = 2000,
    theme: str | Theme = "light",
    seconds: float | None = None,
    progress: Any = None,
) -> Animation:
    """Shows breadth-first search over the positions of a game: each layer is one move further from the start.

    A dot is a position, a line a move; the last frame marks a shortest solution. For games of few positions, such as
    Bloxorz: raises ``ValueError`` where there are more than ``limit``.

    >>> import gridwright as gw
    >>> state_space(gw.Bloxorz.level("level01")).captions[-1]
    'a shortest solution: 7 moves'
    """
    found, tell = find_theme(theme), Teller(progress)
    start = game.copy()
    index = {_position(start): 0}
    layers, links, parent, won = [[start]], [], [-1], -1
    while layers[-1] and won < 0:
        fresh = []
        for one in tell.each(layers[-1]):
            here = index[_position(one)]
            for move in one.legal_moves().tolist():
                following = one.copy()
                following.play(*move)
                key = _position(following)
                if key not in index:
                    if len(index) >= limit:
                        raise ValueError(f"more than {limit} positions, wanted a game of fewer or a higher limit")
                    index[key] = len(index)
                    parent.append(here)
                    fresh.append(following)
                    if following.is_solved and won < 0:
                        won = index[key]
                if index[key] != here:
                    links.append((here, index[key]))
        layers.append(fresh)
    depth = [k for k, layer in enumerate(layers) for _ in layer]
    path = []
    node = won
    while node >= 0:
        path.append(node)
        node = parent[node]
    # A fall leads back to the start from everywhere: such links would hide all others.
    links = [(one, other) for one, other in links if depth[other] >= depth[one] - 1]
    spots = _layered(depth, links)
    stands = _stands(game, [one for layer in layers for one in layer], depth)
    numbered = tell.each(range(max(depth) + 1))
    shown = [_space_frame(found, game, stands, spots, depth, links, layer, []) for layer in numbered]
    counts = np.bincount(depth)
    captions = [
        f"{layer} moves: {n} new positions, {counts[: layer + 1].sum()} in all" for layer, n in enumerate(counts)
    ]
    if path:
        shown.append(_space_frame(found, game, stands, spots, depth, links, max(depth), path))
        captions.append(f"a shortest solution: {len(path) - 1} moves")
    name = type(game).__name__
    return Animation(shown, captions, seconds=seconds, title=f"The positions of {name}, {len(index)} of them")


def _position(game: Any) -> str:
    # Equal positions have equal texts, by law.
    return str(game.text)


def _stands(game: Any, positions: Sequence[Any], depth: Sequence[int]) -> dict[tuple[int, int], int]:
    """The depth at which a block first stands upright on a cell; empty for games without a block."""
    stands: dict[tuple[int, int], int] = {}
    if hasattr(game, "block"):
        for one, at in zip(positions, depth, strict=True):
            if len(one.block) == 1:
                row, col = one.block[0].tolist()
                stands.setdefault((row, col), at)
    return stands


def _layered(depth: Sequence[int], links: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    """Places in columns by depth; within a column by the mean place of the neighbours before."""
    columns: list[list[int]] = [[] for _ in range(max(depth) + 1)]
    for node, at in enumerate(depth):
        columns[at].append(node)
    before: dict[int, list[int]] = {}
    for source, target in links:
        if depth[source] == depth[target] - 1:
            before.setdefault(target, []).append(source)
    across = max(10.0, min(60.0, 860 / len(columns)))
    down = max(4.0, min(24.0, 420 / max(map(len, columns))))
    middle = 24 + down * max(map(len, columns)) / 2
    spots: list[tuple[float, float]] = [(0.0, 0.0)] * len(depth)
    for at, column in enumerate(columns):
        column.sort(key=lambda node: np.mean([spots[one][1] for one in before.get(node, [])] or [middle]))
        for place, node in enumerate(column):
            spots[node] = (24 + at * across, middle + (place - (len(column) - 1) / 2) * down)
    return spots


def _space_frame(
    theme: Theme,
    game: Any,
    stands: dict[tuple[int, int], int],
    spots: Sequence[tuple[float, float]],
    depth: Sequence[int],
    links: Sequence[tuple[int, int]],
    layer: int,
    path: Sequence[int],
) -> Picture:
    board = picture(game, theme=theme, size=max(10.0, min(34.0, 560 / game.width)))
    wide, graph_high = max(x for x, _ in spots) + 24, max(y for _, y in spots) + 24
    out = Picture(
        max(wide, board.width),
        board.height + graph_high,
        theme,
        title="Breadth-first search over positions",
        description=f"{sum(at <= layer for at in depth)} positions within {layer} moves.",
    )
    for (row, col), at in stands.items():
        if at <= layer and board.cells is not None and (row, col) not in map(tuple, game.block.tolist()):
            fill = theme.orange if at == layer else theme.blue
            board.circle(*board.cells.centre(row, col), board.cells.size * 0.34, fill=fill, fill_opacity=0.85)
            board.text(*board.cells.centre(row, col), str(at), size=board.cells.size * 0.4, fill=theme.page)
    out.begin(transform=f"translate({number((out.width - board.width) / 2)} 0)")
    for part in board.parts[1:]:
        out.add(part)
    out.end()
    spots = [(x + (out.width - wide) / 2, y + board.height) for x, y in spots]
    for source, target in links:
        if max(depth[source], depth[target]) <= layer:
            out.line(*spots[source], *spots[target], stroke=theme.tile_edge, stroke_width=0.7)
    for one, other in pairwise(path):
        out.line(*spots[one], *spots[other], stroke=theme.red, stroke_width=3.5, stroke_linecap="round")
    for node, spot in enumerate(spots):
        if depth[node] <= layer:
            on_path = node in path
            fill = theme.red if on_path else theme.orange if depth[node] == layer else theme.blue
            out.circle(*spot, 5 if on_path or node == 0 else 3.2, fill=theme.green if node == 0 else fill)
    if path:
        out.circle(*spots[path[0]], 9, fill="none", stroke=theme.green, stroke_width=3)
    return out


def kruskal(
    game: Any,
    *,
    frames: int = 120,
    theme: str | Theme = "light",
    size: float | None = None,
    seconds: float | None = None,
    progress: Any = None,
) -> Animation:
    """Shows how a method grew the wires of a generated ``LightEmAll``, from ``game.tree``; each part has a colour.

    >>> import gridwright as gw
    >>> kruskal(gw.LightEmAll.generate(5, 5, seed=1))
    Animation of 25 frames
    """
    tree = game.tree
    if tree is None:
        raise ValueError("a board that was not generated, wanted one with a tree")
    found = find_theme(theme)
    height, width = game.shape
    size = size or max(4.0, min(32.0, 560 / max(height, width)))
    cells = Cells(size / 2, size / 2, size, game.shape, game.hexagonal)
    accents = (found.blue, found.orange, found.green, found.red, found.purple, found.sky)
    # Colours are handed out once: when two parts meet, the larger keeps its own.
    label = np.arange(height * width)
    members = {node: [node] for node in range(height * width)}
    stops = {round(k) for k in np.linspace(0, len(tree), max(2, min(frames, len(tree) + 1)))}
    shown, captions = [], []
    tell = Teller(progress)
    for taken in range(len(tree) + 1):
        if taken:
            one, other = (int(label[node]) for node in tree[taken - 1])
            if len(members[one]) < len(members[other]):
                one, other = other, one
            label[members[other]] = one
            members[one] += members.pop(other)
        if taken not in stops:
            continue
        out = Picture(
            (width + (0.5 if game.hexagonal else 0) + 1) * size,
            cells.centre(height - 1, 0)[1] + size * 1.1,
            found,
            title="A spanning tree grows",
            description=f"{taken} of {len(tree)} edges taken, {len(members)} parts.",
        )
        lines: dict[str, list[str]] = {}
        for u, v in tree[:taken].tolist():
            (ax, ay), (bx, by) = cells.centre(*divmod(u, width)), cells.centre(*divmod(v, width))
            if abs(ax - bx) > 1.6 * size or abs(ay - by) > 1.6 * size:
                # Across a border that is joined: half a wire on either side.
                dx, dy = np.sign(ax - bx) * (abs(ax - bx) > size), np.sign(ay - by) * (abs(ay - by) > size)
                ends = [(ax, ay, dx, dy), (bx, by, -dx, -dy)]
                drawn = "".join(
                    f"M{number(x)} {number(y)}l{number(p * size / 2)} {number(q * size / 2)}" for x, y, p, q in ends
                )
            else:
                drawn = f"M{number(ax)} {number(ay)}L{number(bx)} {number(by)}"
            lines.setdefault(accents[int(label[u]) * 7 % len(accents)], []).append(drawn)
        dots = "".join(
            f"M{number(x)} {number(y)}h0" for x, y in (cells.centre(r, c) for r in range(height) for c in range(width))
        )
        out.path(dots, fill="none", stroke=found.tile_edge, stroke_width=size * 0.2, stroke_linecap="round")
        for colour, parts in lines.items():
            out.path("".join(parts), fill="none", stroke=colour, stroke_width=size * 0.24, stroke_linecap="round")
        shown.append(out)
        captions.append(f"{taken} edges, {len(members)} parts")
        tell.add(1)
    return Animation(shown, captions, seconds=seconds, title=f"A tree of {height} x {width} grows")


def union_find(
    nodes: int,
    edges: Any,
    weights: Any,
    *,
    names: Sequence[str] | None = None,
    strategy: str = "size",
    theme: str | Theme = "light",
    seconds: float | None = None,
    progress: Any = None,
) -> Animation:
    """Shows the links of union-find while Kruskal runs, from ``graph.kruskal_steps``: a frame for each edge looked at.

    >>> union_find(3, [(0, 1), (1, 2), (0, 2)], [1, 3, 2]).captions[-1]
    '0-2: taken'
    """
    from ..graph import kruskal_steps

    names = [str(node) for node in range(nodes)] if names is None else [str(name) for name in names]
    if len(names) != nodes:
        raise ValueError(f"{len(names)} names for {nodes} nodes, wanted one a node")
    if not 1 <= nodes <= 200:
        raise ValueError(f"{nodes} nodes, wanted 1 to 200 that can be seen")
    found = find_theme(theme)
    pairs = np.asarray(edges).reshape(-1, 2)
    steps = kruskal_steps(nodes, pairs, weights, strategy=strategy, parents=True)
    rows = [np.arange(nodes), *steps["parents"]]
    told: list[tuple[int, bool] | None] = [None]
    told += zip(steps["edge"].tolist(), steps["accepted"].tolist(), strict=True)
    deepest = max(_depths(row.tolist())[1] for row in rows)
    shown, captions = [], []
    for row, step in Teller(progress).each(zip(rows, told, strict=True)):
        touched = set() if step is None else set(pairs[step[0]].tolist())
        words = "every node is its own representative"
        if step is not None:
            u, v = pairs[step[0]].tolist()
            words = f"{names[u]}-{names[v]}: " + ("taken" if step[1] else "would close a loop")
        shown.append(_links_frame(found, row.tolist(), names, touched, deepest, words))
        captions.append(words)
    return Animation(shown, captions, seconds=seconds, title="Union-find")


def _depths(parent: Sequence[int]) -> tuple[list[int], int]:
    depths = []
    for node in range(len(parent)):
        depth, at = 0, node
        while parent[at] != at:
            depth, at = depth + 1, parent[at]
        depths.append(depth)
    return depths, max(depths)


def _links_frame(
    theme: Theme, parent: Sequence[int], names: Sequence[str], touched: set[int], deepest: int, words: str
) -> Picture:
    children: dict[int, list[int]] = {}
    for node, up in enumerate(parent):
        if up != node:
            children.setdefault(up, []).append(node)
    step, spots, place = 46.0, {}, [0.0]

    def lay(node: int, depth: int) -> float:
        below = [lay(child, depth + 1) for child in children.get(node, [])]
        if below:
            x = (below[0] + below[-1]) / 2
        else:
            x = place[0] + step / 2
            place[0] += step
        spots[node] = (x + 10, 30 + depth * 58.0)
        return x

    for node, up in enumerate(parent):
        if up == node:
            lay(node, 0)
    out = Picture(
        len(parent) * step + 20, deepest * 58.0 + 60, theme, title="Union-find", description=f"Links of nodes; {words}."
    )
    for node, up in enumerate(parent):
        if up != node:
            out.line(*spots[node], *spots[up], stroke=theme.muted, stroke_width=2.5)
    for node, spot in spots.items():
        fill = theme.orange if node in touched else theme.green if parent[node] == node else theme.tile
        out.circle(*spot, 16, fill=fill, stroke=theme.ink, stroke_width=1.5)
        ink = theme.ink if fill == theme.tile else "#12202e"
        out.text(*spot, names[node], size=14, fill=ink, font_weight="bold")
    return out


def power(
    game: Any,
    *,
    frames: int = 120,
    theme: str | Theme = "light",
    size: float | None = None,
    seconds: float | None = None,
    progress: Any = None,
) -> Animation:
    """Shows how power spreads from the station of a ``LightEmAll``, breadth-first, from ``game.spread()``.

    >>> import gridwright as gw
    >>> power(gw.LightEmAll("1 3\\n2a8\\nstation 0 1")).captions
    ('1 tile at distance 0', '3 tiles within distance 1')
    """
    found = find_theme(theme)
    columns = game.spread()
    _, width = game.shape
    farthest = int(columns["depth"].max())
    shown, captions = [], []
    reaches = sorted({round(k) for k in np.linspace(0, farthest, max(1, min(frames, farthest + 1)))})
    for reach in Teller(progress).each(reaches):
        out = picture(game, theme=found, size=size, reach=reach)
        front = columns["tile"][columns["depth"] == reach].tolist()
        for tile in front:
            if out.cells is not None:
                x, y = out.cells.centre(*divmod(tile, width))
                out.circle(x, y, out.cells.size * 0.2, fill=found.orange)
        shown.append(out)
        n = int((columns["depth"] <= reach).sum())
        captions.append(f"{n} tile at distance 0" if n == 1 else f"{n} tiles within distance {reach}")
    return Animation(shown, captions, seconds=seconds, title="Power spreads breadth-first")


_MOST_NODES = 100
"""A forest of more nodes is too small to be read."""


def _accents(theme: Theme) -> list[str]:
    return [theme.blue, theme.orange, theme.green, theme.purple, theme.sky, theme.yellow, theme.red]


def forest(
    height: int,
    width: int,
    *,
    seed: int = 0,
    weights: Any = None,
    hexagonal: bool = False,
    strategy: str | None = None,
    theme: str | Theme = "light",
    seconds: float | None = None,
    progress: Any = None,
) -> Animation:
    """Shows Kruskal's algorithm on the edges of a board, the lightest first, with the union-find forest beside it.

    Tiles of one component have one colour. An accepted edge joins two of them: one root hangs below the other. An edge
    whose ends have the same root would close a loop, and is refused. ``weights`` has one number an edge in the order of
    ``graph.grid_edges``; by default they are random, by ``seed``. ``strategy`` is that of ``graph.UnionFind``.

    >>> forest(2, 3, seed=1).captions[0]
    '6 components; the lightest edge comes first'
    """
    from .. import graph

    found = find_theme(theme)
    nodes = height * width
    if nodes > _MOST_NODES:
        raise ValueError(f"a board of {nodes} tiles, wanted at most {_MOST_NODES}: more cannot be read")
    edges = np.asarray(graph.grid_edges(height, width, hexagonal=hexagonal))
    if weights is None:
        weights = np.random.default_rng(seed).permutation(len(edges)) + 1
    weights = np.asarray(weights)
    steps = graph.kruskal_steps(nodes, edges, weights)
    options = {} if strategy is None else {"strategy": strategy}
    forests = [np.arange(nodes)]
    union = graph.UnionFind(nodes, **options)
    for edge in np.asarray(steps["edge"]).tolist():
        union.union(*edges[edge].tolist())
        forests.append(np.asarray(union.parents).copy())
    order = _forest_order(forests[-1])
    frames, captions = [], []
    taken: list[int] = []
    for index in Teller(progress).each(range(len(forests))):
        now = -1 if index == 0 else int(steps["edge"][index - 1])
        good = index > 0 and bool(steps["accepted"][index - 1])
        if good:
            taken.append(now)
        frames.append(
            _forest_frame(found, (height, width), hexagonal, edges, weights, taken, now, good, forests[index], order)
        )
        parts = len({_root(forests[index], node) for node in range(nodes)})
        if index == 0:
            captions.append(f"{parts} components; the lightest edge comes first")
        else:
            u, v = edges[now].tolist()
            roots = f"roots {int(steps['root_u'][index - 1])} and {int(steps['root_v'][index - 1])}"
            words = f"taken, {parts} left" if good else "refused: a loop"
            captions.append(f"edge {u}-{v}, weight {weights[now]:g}, {roots}: {words}")
    title = f"Kruskal on {height} by {width} tiles"
    return Animation(frames, captions, seconds=seconds, title=title)


def _root(parents: Any, node: int) -> int:
    while int(parents[node]) != node:
        node = int(parents[node])
    return node


def _forest_order(parents: Any) -> list[int]:
    """Places of the nodes from left to right: a root amid its subtrees, as the finished forest has them."""
    children: dict[int, list[int]] = {}
    roots = []
    for node, parent in enumerate(np.asarray(parents).tolist()):
        if parent == node:
            roots.append(node)
        else:
            children.setdefault(parent, []).append(node)
    order: list[int] = []

    def visit(node: int) -> None:
        below = children.get(node, [])
        half = len(below) // 2
        for child in below[:half]:
            visit(child)
        order.append(node)
        for child in below[half:]:
            visit(child)

    for root in roots:
        visit(root)
    places = [0] * len(order)
    for place, node in enumerate(order):
        places[node] = place
    return places


def _forest_frame(
    theme: Theme,
    shape: tuple[int, int],
    hexagonal: bool,
    edges: Any,
    weights: Any,
    taken: Sequence[int],
    now: int,
    good: bool,
    parents: Any,
    order: Sequence[int],
) -> Picture:
    height, width = shape
    nodes = height * width
    size, pad = 52.0, 14.0
    cells = Cells(pad, pad, size, shape, hexagonal)
    wide = (width + (0.5 if hexagonal and height > 1 else 0)) * size
    high = cells.centre(height - 1, 0)[1] + size * (0.58 if hexagonal else 0.5) - pad
    left = pad * 2 + wide
    step = max(15.0, min(34.0, 460 / nodes))
    out = Picture(
        left + nodes * step + pad,
        max(high + 2 * pad, 170),
        theme,
        title="Kruskal's algorithm",
        description=f"{len(taken)} of {nodes - 1} edges are taken.",
    )
    accents = _accents(theme)
    roots = [_root(parents, node) for node in range(nodes)]
    for node, root in enumerate(roots):
        alone = roots.count(root) == 1
        fill = theme.tile_soft if alone else accents[root % len(accents)]
        opacity = 1 if alone else 0.35
        out.polygon(cells.outline(*divmod(node, width), 0.02), fill=fill, fill_opacity=opacity, stroke=theme.tile_edge)
    for edge in taken:
        (x1, y1), (x2, y2) = (cells.centre(*divmod(int(node), width)) for node in edges[edge])
        out.line(x1, y1, x2, y2, stroke=theme.ink, stroke_width=6, stroke_linecap="round")
    if now >= 0:
        (x1, y1), (x2, y2) = (cells.centre(*divmod(int(node), width)) for node in edges[now])
        look: dict[str, Any] = {
            "stroke": theme.green if good else theme.red,
            "stroke_width": 9,
            "stroke_linecap": "round",
        }
        out.line(x1, y1, x2, y2, **look, stroke_dasharray=None if good else "3 12")
        out.circle((x1 + x2) / 2, (y1 + y2) / 2, 11, fill=theme.page, stroke=theme.ink)
        out.text((x1 + x2) / 2, (y1 + y2) / 2, f"{weights[now]:g}", size=11, fill=theme.ink)
    for node in range(nodes):
        x, y = cells.centre(*divmod(node, width))
        out.circle(x, y, 3, fill=theme.ink)
        corner = cells.outline(*divmod(node, width), 0.02)[0]
        at = (x, y - size * 0.36) if hexagonal else (corner[0] + 11, corner[1] + 9)
        out.text(*at, str(node), size=10, fill=theme.ink)
    # The forest: places from left to right stay, so that only what was linked moves.
    depths = []
    for node in range(nodes):
        depth = 0
        while int(parents[node]) != node:
            node, depth = int(parents[node]), depth + 1
        depths.append(depth)
    row = min(34.0, (out.height - 50) / max(1, max(depths) + 1))
    spots = [(left + (order[node] + 0.5) * step, 30 + depths[node] * row) for node in range(nodes)]
    for node, parent in enumerate(np.asarray(parents).tolist()):
        if parent != node:
            out.line(*spots[node], *spots[parent], stroke=theme.muted, stroke_width=1.5)
    r = min(11.0, step * 0.46)
    for node, (x, y) in enumerate(spots):
        root = roots[node]
        fill = theme.page if roots.count(root) == 1 else accents[root % len(accents)]
        out.circle(x, y, r, fill=theme.page)
        out.circle(x, y, r, fill=fill, fill_opacity=0.55, stroke=theme.ink, stroke_width=2.5 if node == root else 1)
        out.text(x, y, str(node), size=r * 0.95, fill=theme.ink)
    return out


def chances(
    game: Any, *, moves: int = 40, seconds: float | None = None, progress: Any = None, **options: Any
) -> Animation:
    """Shows the solver of GeeseSpotter at play: the exact chance of a goose in each hidden field, and what it shows.

    Fields that are certainly free are green, the one that is shown next is framed; the game itself stays as it is.

    >>> import gridwright as gw
    >>> len(chances(gw.GeeseSpotter.generate(4, 4, 2, seed=3), moves=2)) <= 3
    True
    """
    copy = game.copy()
    frames, captions = [], []
    for _ in Teller(progress).each(range(moves)):
        if copy.status != 0:
            break
        row, col = copy.hint()
        cell = (int(row), int(col))
        here = copy.probabilities()[cell]
        drawn = picture(copy, chances=True, **options)
        drawn.polygon(drawn.outline(*cell), fill="none", stroke=drawn.theme.ink, stroke_width=3)
        frames.append(drawn)
        words = "safe" if here == 0 else f"a goose with {100 * here:.1f} %"
        captions.append(f"show row {cell[0]}, column {cell[1]}: {words}")
        copy.show(cell)
    frames.append(picture(copy, chances=True, **options))
    captions.append({0: "and so on", 1: "all geese are spotted"}.get(int(copy.status), "a goose!"))
    return Animation(frames, captions, seconds=seconds or 0.8, title=f"Chances on {game.height} by {game.width} fields")


def line(
    tail: Any,
    head: Any,
    method: str = "amanatides-woo",
    *,
    theme: str | Theme = "light",
    seconds: float | None = None,
    progress: Any = None,
    **options: Any,
) -> Animation:
    """Shows a line being traced, cell by cell, with the two numbers that decide each step: ``t_max`` of row and column.

    The bar below is the segment itself, t from 0 to 1: the smaller mark is where the line leaves the cell.

    >>> line((0, 0), (2, 3)).captions[1]
    't_max row 0.250, column 0.167: over a column border to (0, 1)'
    """
    from .. import tracing

    found = find_theme(theme)
    steps = tracing.trace_steps(tail, head, method, **options)
    cells = np.stack([steps["row"], steps["col"]], axis=1)
    # In floats the numbers are lengths from the tail: on the bar they are parts of the whole.
    whole = 1.0
    if method.endswith("-float"):
        whole = float(np.hypot(int(head[0]) - int(tail[0]), int(head[1]) - int(tail[1]))) or 1.0
    ways = {0: "over a row border", 1: "over a column border", 2: "through a corner"}
    frames, captions = [], []
    for index in Teller(progress).each(range(len(cells))):
        t_row, t_col = float(steps["t_max_row"][index]), float(steps["t_max_col"][index])
        frames.append(_line_frame(found, tail, head, cells, steps["axis"], index, (t_row / whole, t_col / whole)))
        if index == 0:
            captions.append(
                f"{len(cells)} cells from ({cells[0][0]}, {cells[0][1]}) to ({cells[-1][0]}, {cells[-1][1]})"
            )
            continue
        before = [float(steps[name][index - 1]) for name in ("t_max_row", "t_max_col")]
        way = ways[int(steps["axis"][index])]
        numbers = f"t_max row {before[0]:.3f}, column {before[1]:.3f}"
        captions.append(f"{numbers}: {way} to ({cells[index][0]}, {cells[index][1]})")
    return Animation(frames, captions, seconds=seconds or 0.8, title=f"A line of {len(cells)} cells, {method}")


def _line_frame(
    theme: Theme, tail: Any, head: Any, cells: Any, axes: Any, index: int, t_max: tuple[float, float]
) -> Picture:
    ends = np.array([[int(part) for part in end] for end in (tail, head)])
    top, left = np.minimum(cells.min(axis=0), ends.min(axis=0)).tolist()
    bottom, right = np.maximum(cells.max(axis=0), ends.max(axis=0)).tolist()
    rows, cols = bottom - top + 1, right - left + 1
    if max(rows, cols) > 200:
        raise ValueError(f"a line of {max(rows, cols)} cells along a side, wanted at most 200 in a picture")
    size = max(6.0, min(48.0, 640 / max(rows, cols)))
    pad = 20.0
    wide = max(cols * size, 420.0)
    out = Picture(
        wide + 2 * pad,
        rows * size + 2 * pad + 54,
        theme,
        title="A line on the grid",
        description=f"{index + 1} of {len(cells)} cells are crossed.",
    )
    x0 = pad + (wide - cols * size) / 2
    grid = Cells(x0, pad, size, (rows, cols))
    for row in range(rows):
        for col in range(cols):
            out.polygon(grid.outline(row, col), fill=theme.tile_soft, stroke=theme.tile_edge, stroke_width=0.6)
    colours = {-1: theme.tile, 0: theme.sky, 1: theme.yellow, 2: theme.purple}
    for k in range(index + 1):
        row, col = int(cells[k][0]) - top, int(cells[k][1]) - left
        out.polygon(grid.outline(row, col, 0.03), fill=colours[int(axes[k])], fill_opacity=0.75)
    row, col = int(cells[index][0]) - top, int(cells[index][1]) - left
    out.polygon(grid.outline(row, col, 0.03), fill="none", stroke=theme.red, stroke_width=3)
    (x1, y1), (x2, y2) = (grid.centre(int(row) - top, int(col) - left) for row, col in ends)
    out.line(x1, y1, x2, y2, stroke=theme.ink, stroke_width=2)
    out.circle(x1, y1, 4, fill=theme.ink)
    out.circle(x2, y2, 4, fill=theme.page, stroke=theme.ink, stroke_width=1.5)
    bar = rows * size + pad + 34
    start, long = pad + 34, wide - 50
    out.line(start, bar, start + long, bar, stroke=theme.ink, stroke_width=2)
    for at in (start, start + long):
        out.line(at, bar - 5, at, bar + 5, stroke=theme.ink, stroke_width=2)
    out.text(start - 8, bar, "t = 0", size=11, fill=theme.ink, text_anchor="end")
    out.text(start + long + 8, bar, "1", size=11, fill=theme.ink, text_anchor="start")
    for t, words, colour, side in ((t_max[0], "row", theme.blue, -1), (t_max[1], "column", theme.orange, 1)):
        if t <= 1:
            out.circle(start + t * long, bar, 5, fill=colour, stroke=theme.ink, stroke_width=1)
            out.text(start + t * long, bar + 15 * side, words, size=11, fill=theme.ink)
    return out
