"""The graph lab: union-find, Kruskal step by step, searches, boards as graphs, random spanning trees.

A graph is a number of nodes ``0..n-1`` and an undirected edge list, ``(m, 2)`` of any integer type. Weights are
``(m,)`` of any numeric type; equal ones are taken in the order of their edges, so there is exactly one minimum
spanning tree.

>>> import gridwright as gw
>>> edges = [(4, 2), (2, 3), (0, 1), (1, 4), (1, 2), (5, 3), (0, 4), (1, 5)]  # the source document's example
>>> weights = [15, 25, 30, 35, 40, 50, 50, 50]
>>> gw.graph.kruskal(6, edges, weights)
array([0, 1, 2, 3, 5], dtype=int32)
>>> steps = gw.graph.kruskal_steps(6, edges, weights, parents=True)
>>> ["".join("ABCDEF"[p] for p in row) for row in steps["parents"]]
['ABEDEF', 'ABEEEF', 'AAEEEF', 'EAEEEF', 'EAEEEF', 'EAEEEE']
"""

from __future__ import annotations

from operator import index
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core

__all__ = [
    "Columns",
    "Search",
    "UnionFind",
    "bfs",
    "boruvka",
    "dfs",
    "diameter",
    "grid_edges",
    "grid_weights",
    "kruskal",
    "kruskal_steps",
    "path",
    "prim",
    "random_spanning_tree",
    "to_networkx",
    "to_scipy",
]

UnionFind = _core.UnionFind

Ints = npt.NDArray[np.int32]


class Columns(dict[str, Any]):
    """Columns of equal length by name; ``columns.edge`` is ``columns["edge"]``."""

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(f"no column {name!r}, wanted one of {', '.join(map(str, self))}")


class _Found(NamedTuple):
    order: Ints
    parent: Ints
    depth: Ints


class Search(_Found):
    """What a search found: ``order, parent, depth``, and ``came_from`` beside them.

    * ``order``: the nodes in the order in which they were taken from the worklist, ``(k,)`` int32
    * ``parent``: the node from which each was reached, -1 for the source and for nodes not reached, ``(n,)`` int32
    * ``depth``: number of edges from the source along the parents, -1 where not reached, ``(n,)`` int32
    * ``came_from``: the edge by which each was reached, -1 likewise, ``(n,)`` int32
    """

    came_from: Ints


def _edges(edges: npt.ArrayLike) -> Ints:
    found = np.asarray(edges)
    if found.size == 0 and found.ndim <= 2:
        return np.zeros((0, 2), np.int32)
    if found.ndim != 2 or found.shape[1] != 2 or found.dtype.kind not in "iu":
        raise ValueError(f"edges of shape {found.shape} and dtype {found.dtype}, wanted (m, 2) of an integer type")
    if found.dtype != np.int32:
        worst = int(found.max()) if int(found.min()) >= 0 else int(found.min())
        if not 0 <= worst <= 2**31 - 1:
            at = int(np.nonzero((found < 0) | (found > 2**31 - 1))[0][0])
            u, v = found[at].tolist()
            raise ValueError(f"edge {at} is ({u}, {v}), wanted nodes from 0 on, fewer than 2^31")
    return np.ascontiguousarray(found, dtype=np.int32)


_NATIVE = {np.dtype(code) for code in ("f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1")}


def _weights(weights: npt.ArrayLike) -> npt.NDArray[Any]:
    found = np.asarray(weights)
    if found.size == 0 and found.ndim == 1:
        return np.zeros(0)
    if found.ndim != 1 or found.dtype.kind not in "iufb":
        raise ValueError(f"weights of shape {found.shape} and dtype {found.dtype}, wanted (m,) numbers")
    if found.dtype.kind == "b":
        return found.astype(np.uint8)
    if found.dtype not in _NATIVE:
        # Other byte orders, half and extended precision: exact ranks stand for the weights.
        if np.isnan(found).any():
            raise ValueError(f"weight nan at index {int(np.isnan(found).argmax())}, wanted a number")
        return np.unique(found, return_inverse=True)[1].reshape(-1).astype(np.uint32)
    return found


def _bias(bias: float) -> float:
    try:
        return float(bias)
    except OverflowError:
        raise ValueError("bias beyond all floats, wanted a number between -1 and 1") from None


def kruskal(nodes: int, edges: npt.ArrayLike, weights: npt.ArrayLike, *, progress: Any = None) -> Ints:
    """Gives the indices of the edges of the minimum spanning forest, in the order in which Kruskal takes them.

    Nearly linear in the number of edges. Raises ``ValueError`` for an edge that leaves the graph, a weight that is
    not a number, or another number of weights than of edges.

    >>> kruskal(3, [(0, 1), (1, 2), (2, 0)], [5, -1, 0])
    array([1, 2], dtype=int32)
    """
    return _core.graph_kruskal(nodes, _edges(edges), _weights(weights), progress)


def kruskal_steps(
    nodes: int,
    edges: npt.ArrayLike,
    weights: npt.ArrayLike,
    *,
    strategy: str = "size",
    parents: bool = False,
    progress: Any = None,
) -> Columns:
    """Runs Kruskal and keeps what it did, a row for each edge it looked at, until the tree is whole.

    Columns: ``edge`` int32, ``accepted`` bool, ``root_u`` and ``root_v`` int32, the representatives of the two nodes
    before the step. With ``parents=True`` also ``parents``, ``(steps, nodes)`` int32, the union-find after each step.
    ``strategy`` is that of ``UnionFind``.

    >>> steps = kruskal_steps(3, [(0, 1), (1, 2), (2, 0), (1, 2)], [1, 3, 2, 1])
    >>> steps["edge"], steps["accepted"]
    (array([0, 3], dtype=int32), array([ True,  True]))
    """
    names = ("edge", "accepted", "root_u", "root_v", "parents")
    found = _core.graph_kruskal_steps(nodes, _edges(edges), _weights(weights), strategy, parents, progress)
    columns = Columns(zip(names, found, strict=True))
    if not parents:
        del columns["parents"]
    return columns


def prim(nodes: int, edges: npt.ArrayLike, weights: npt.ArrayLike, source: int = 0, *, progress: Any = None) -> Ints:
    """Gives the edges of the minimum spanning forest in the order in which Prim takes them, grown from a source.

    >>> prim(3, [(0, 1), (1, 2), (2, 0)], [5, -1, 0])
    array([2, 1], dtype=int32)
    """
    return _core.graph_prim(nodes, _edges(edges), _weights(weights), source, progress)


def boruvka(nodes: int, edges: npt.ArrayLike, weights: npt.ArrayLike, *, progress: Any = None) -> tuple[Ints, Ints]:
    """Gives the edges of the minimum spanning forest in the order in which Boruvka takes them, and their rounds.

    >>> boruvka(4, [(0, 1), (1, 2), (2, 3)], [1, 9, 2])
    (array([0, 2, 1], dtype=int32), array([0, 0, 1], dtype=int32))
    """
    return _core.graph_boruvka(nodes, _edges(edges), _weights(weights), progress)


def _search(nodes: int, edges: npt.ArrayLike, source: int, deep: bool, progress: Any) -> Search:
    order, parent, depth, came_from = _core.graph_search(nodes, _edges(edges), source, deep, progress)
    found = Search(order, parent, depth)
    found.came_from = came_from
    return found


def bfs(nodes: int, edges: npt.ArrayLike, source: int, *, progress: Any = None) -> Search:
    """Searches breadth-first from a source: the worklist is a queue, and depths are distances.

    >>> order, parent, depth = bfs(4, [(0, 1), (1, 2), (0, 2)], 0)
    >>> order, parent, depth
    (array([0, 1, 2], dtype=int32), array([-1,  0,  0, -1], dtype=int32), array([ 0,  1,  1, -1], dtype=int32))
    """
    return _search(nodes, edges, source, False, progress)


def dfs(nodes: int, edges: npt.ArrayLike, source: int, *, progress: Any = None) -> Search:
    """Searches depth-first from a source: the worklist is a stack, neighbours come in the order of their edges.

    >>> dfs(3, [(0, 1), (1, 2), (0, 2)], 0).parent
    array([-1,  0,  1], dtype=int32)
    """
    return _search(nodes, edges, source, True, progress)


def path(parent: npt.ArrayLike, target: int) -> Ints | None:
    """Follows parents back from a target and gives the nodes from the source to it.

    A node that was not reached has no parent, as the source has none: its path is itself alone.
    Raises ``ValueError`` for a target that is no node, and for parents that go round in a circle.

    >>> path(bfs(4, [(0, 1), (1, 2), (2, 3)], 0).parent, 3)
    array([0, 1, 2, 3], dtype=int32)
    """
    links = np.asarray(parent)
    if links.ndim != 1 or links.dtype.kind not in "iu":
        raise ValueError(f"parents of shape {links.shape} and dtype {links.dtype}, wanted (n,) of an integer type")
    target = index(target)
    if not 0 <= target < len(links):
        raise ValueError(f"target {target}, wanted 0 to {len(links) - 1}")
    nodes = [target]
    while (up := int(links[nodes[-1]])) >= 0:
        if up >= len(links):
            raise ValueError(f"parent {up} of node {nodes[-1]}, wanted -1 to {len(links) - 1}")
        nodes.append(up)
        if len(nodes) > len(links):
            raise ValueError("parents that go round in a circle, wanted those of a search")
    return np.array(nodes[::-1], dtype=np.int32)


def diameter(nodes: int, edges: npt.ArrayLike, *, progress: Any = None) -> int:
    """Gives the diameter in edges by double breadth-first search: exact on trees, at most too small with cycles.

    A tree is taken apart leaf by leaf instead, which gives the same sooner. Raises ``ValueError`` where the graph is
    not connected.

    >>> diameter(4, [(0, 1), (1, 2), (1, 3)])
    2
    """
    return _core.graph_diameter(nodes, _edges(edges), progress)


def grid_edges(height: int, width: int, *, hexagonal: bool = False, wrap: bool = False) -> Ints:
    """Lists the edges of a board, ``(m, 2)`` int32: row-major, right before down.

    Hexagons: odd rows are shifted right by half a cell; right, lower right, lower left. With ``wrap`` the last row and
    column are next to the first; hexagons then need an even height.

    >>> grid_edges(2, 2).tolist()
    [[0, 1], [0, 2], [1, 3], [2, 3]]
    """
    return _core.graph_grid_edges(height, width, hexagonal, wrap)


def grid_weights(
    height: int, width: int, *, bias: float = 0.0, hexagonal: bool = False, wrap: bool = False, seed: int
) -> npt.NDArray[np.uint32]:
    """Gives the random weights of a board's edges, ``(m,)`` uint32 in the order of ``grid_edges``.

    They are those of ``random_spanning_tree`` and ``LightEmAll.generate`` with the same seed: the same tree comes out
    of ``kruskal`` here, or of any other library's minimum spanning tree where no two weights are equal.

    >>> edges, weights = grid_edges(3, 3), grid_weights(3, 3, seed=1)
    >>> bool((edges[kruskal(9, edges, weights)] == random_spanning_tree(3, 3, seed=1)).all())
    True
    """
    return _core.graph_grid_weights(height, width, hexagonal, wrap, _bias(bias), seed)


def random_spanning_tree(
    height: int,
    width: int,
    *,
    method: str = "kruskal",
    bias: float = 0.0,
    hexagonal: bool = False,
    wrap: bool = False,
    seed: int | None = None,
    progress: Any = None,
) -> Ints:
    """Makes a random spanning tree of a board: its edges as pairs of cells, ``(n - 1, 2)`` int32, in the order taken.

    ``method``: ``"kruskal"`` (random weights), ``"wilson"`` (every tree equally likely), ``"dfs"`` (long corridors),
    ``"prim"`` (grows by random edges of its rim), ``"fractal"`` (quarters of quarters). ``bias`` between -1 and 1:
    above 0 prefers horizontal edges, below 0 the others. ``progress`` is called with the steps so far, or has an
    ``update`` like tqdm's.

    >>> random_spanning_tree(30, 40, method="wilson", seed=1).shape
    (1199, 2)
    """
    return _core.graph_random_tree(height, width, method, _bias(bias), hexagonal, wrap, seed, progress)


def _graph(nodes: int, edges: npt.ArrayLike) -> tuple[int, Ints]:
    """Checks a graph that is handed on: the number of its nodes and the edges between them."""
    count, pairs = index(nodes), _edges(edges)
    if not 0 <= count < 2**31:
        raise ValueError(f"{count} nodes, wanted 0 to {2**31 - 1}")
    outside = ((pairs < 0) | (pairs >= count)).any(axis=1)
    if outside.any():
        at = int(outside.argmax())
        u, v = pairs[at].tolist()
        raise ValueError(f"edge {at} is ({u}, {v}), wanted nodes from 0 to {count - 1}")
    return count, pairs


def to_networkx(nodes: int, edges: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Any:
    """Makes a ``networkx.Graph``, with the attribute ``weight`` where weights are given; needs networkx.

    Of several edges between the same nodes the lightest is kept.
    """
    try:
        import networkx
    except ImportError:
        raise ImportError("to_networkx needs networkx: pip install networkx") from None
    count, ends = _graph(nodes, edges)
    graph = networkx.Graph()
    graph.add_nodes_from(range(count))
    pairs = ends.tolist()
    if weights is None:
        graph.add_edges_from(pairs)
        return graph
    values = np.asarray(weights).tolist()
    if len(values) != len(pairs):
        raise ValueError(f"{len(values)} weights for {len(pairs)} edges, wanted one an edge")
    for (u, v), weight in zip(pairs, values, strict=True):
        if not graph.has_edge(u, v) or weight < graph[u][v]["weight"]:
            graph.add_edge(u, v, weight=weight)
    return graph


def to_scipy(nodes: int, edges: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Any:
    """Makes a ``scipy.sparse.csr_array`` of both directions of every edge; needs scipy.

    Without weights every edge is 1. A weight of 0 is stored, but scipy's graph functions take it for no edge. Of
    several edges between the same nodes the lightest is kept.
    """
    try:
        from scipy import sparse
    except ImportError:
        raise ImportError("to_scipy needs scipy: pip install scipy") from None
    nodes, pairs = _graph(nodes, edges)
    values = np.ones(len(pairs)) if weights is None else np.asarray(weights)
    if len(values) != len(pairs):
        raise ValueError(f"{len(values)} weights for {len(pairs)} edges, wanted one an edge")
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    order = np.lexsort((values, high, low))
    low, high, values = low[order], high[order], values[order]
    first = np.ones(len(low), bool)
    first[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    low, high, values = low[first], high[first], values[first]
    other = low != high
    rows, cols = np.concatenate([low, high[other]]), np.concatenate([high, low[other]])
    return sparse.csr_array((np.concatenate([values, values[other]]), (rows, cols)), shape=(nodes, nodes))
