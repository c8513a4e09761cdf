"""Graph algorithms: union-find, Kruskal step by step, searches, boards as graphs, random spanning trees.

A graph is a number of nodes and a list of undirected edges: the nodes are ``0`` to ``nodes - 1``, the edges an
``(m, 2)`` array of any integer type. Weights are an ``(m,)`` array of any numeric type; equal weights are ordered by
the indices of their edges, so that there is exactly one minimum spanning tree.

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

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from .arguments import array, matrix, whole
from .optional import require
from .words import counted

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
    """Columns of equal length by name; ``columns.edge`` is ``columns["edge"]``.

    >>> import gridwright as gw
    >>> gw.graph.kruskal_steps(2, [(0, 1)], [5]).accepted
    array([ True])
    """

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(f"no column {name!r}; the columns are {', '.join(map(str, self))}")


class _SearchColumns(NamedTuple):
    order: Ints
    parent: Ints
    depth: Ints


class Search(_SearchColumns):
    """The result of a search: a tuple of ``order, parent, depth``, with ``came_from`` as a further attribute.

    * ``order``: the nodes in the order in which they were taken from the worklist, ``(k,)`` int32.
    * ``parent``: for each node, the node from which it was reached; -1 for the source and for nodes not reached;
      ``(n,)`` int32.
    * ``depth``: the number of edges from the source along the parents, -1 for nodes not reached, ``(n,)`` int32.
    * ``came_from``: for each node, the index of the edge by which it was reached; -1 for the source and for nodes not
      reached; ``(n,)`` int32.
    """

    came_from: Ints


def _edges(edges: npt.ArrayLike) -> Ints:
    """Reads an edge list as C-contiguous int32."""
    given = array("edges", edges, "integers of shape (m, 2)")
    if given.size == 0 and given.ndim <= 2:
        return np.zeros((0, 2), np.int32)
    found = matrix("edges", edges, "iu", (2,), "integers of shape (m, 2)")
    if found.shape[1] != 2:
        raise ValueError(f"edges must be integers of shape (m, 2), got shape {found.shape}")
    if found.dtype != np.int32:
        worst = int(found.max()) if int(found.min()) >= 0 else int(found.min())
        if not 0 <= worst <= 2**31 - 1:
            at = int(np.nonzero((found < 0) | (found > 2**31 - 1))[0][0])
            u, v = found[at].tolist()
            raise ValueError(f"edges must join nodes between 0 and 2^31 - 1, got ({u}, {v}) at index {at}")
    return np.ascontiguousarray(found, dtype=np.int32)


_NATIVE = {np.dtype(code) for code in ("f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1")}


def _weights(weights: npt.ArrayLike) -> npt.NDArray[Any]:
    """Reads weights as an array of a type that the engine accepts."""
    if array("weights", weights, "numbers of shape (m,)").shape == (0,):
        return np.zeros(0)
    found = matrix("weights", weights, "iufb", (1,), "numbers of shape (m,)")
    if found.dtype.kind == "b":
        return found.astype(np.uint8)
    if found.dtype not in _NATIVE:
        # Other byte orders, half and extended precision: only the order of the weights matters, so ranks replace them.
        if np.isnan(found).any():
            raise ValueError(f"weights must be numbers, got nan at index {int(np.isnan(found).argmax())}")
        return np.unique(found, return_inverse=True)[1].reshape(-1).astype(np.uint32)
    return found


def kruskal(nodes: int, edges: npt.ArrayLike, weights: npt.ArrayLike, *, progress: Any = None) -> Ints:
    """Returns the edges of the minimum spanning forest in the order in which Kruskal's algorithm adds them.

    * ``nodes``: the number of nodes, from 0 to 2^31 - 1.
    * ``edges``: pairs of nodes, ``(m, 2)`` integers.
    * ``weights``: one number per edge, ``(m,)``, of any numeric type.
    * ``progress``: a callable that receives the number of edges so far, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    Returns indices into ``edges``, ``(k,)`` int32. Takes nearly linear time in the number of nodes and edges.
    Raises ``ValueError`` for an edge to a node outside the graph, for a NaN weight, or if the numbers of weights and
    edges differ.

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
    """Runs Kruskal's algorithm and returns its steps, one row per edge considered until the tree is complete.

    * ``nodes``: the number of nodes, from 0 to 2^31 - 1.
    * ``edges``: pairs of nodes, ``(m, 2)`` integers.
    * ``weights``: one number per edge, ``(m,)``, of any numeric type.
    * ``strategy``: the strategy of the ``UnionFind``: ``"naive"``, ``"compression"``, ``"size"`` (the default) or
      ``"both"``; ``ValueError`` for any other.
    * ``parents``: whether to return the parent links of the union-find after each step as well. Default ``False``. If
      ``True``, ``nodes`` times the number of edges must be at most 2^28.
    * ``progress``: a callable that receives the number of edges so far, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    The columns are ``edge`` int32, ``accepted`` bool, ``root_u`` and ``root_v`` int32 (the representatives of the
    edge's two nodes before the step) and, if requested, ``parents``, ``(steps, nodes)`` int32. Raises what ``kruskal``
    raises, and ``ValueError`` for too many ``parents``.

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
    """Returns the edges of the minimum spanning forest in the order in which Prim's algorithm adds them.

    * ``nodes``: the number of nodes, from 0 to 2^31 - 1.
    * ``edges``: pairs of nodes, ``(m, 2)`` integers.
    * ``weights``: one number per edge, ``(m,)``, of any numeric type.
    * ``source``: the node from which the tree grows, 0 to nodes - 1; ``ValueError`` otherwise. Default 0. Each further
      tree of a forest grows from the lowest node that is not reached yet.
    * ``progress``: a callable that receives the number of edges so far, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    Returns indices into ``edges``, ``(k,)`` int32. Raises what ``kruskal`` raises.

    >>> prim(3, [(0, 1), (1, 2), (2, 0)], [5, -1, 0])
    array([2, 1], dtype=int32)
    """
    return _core.graph_prim(nodes, _edges(edges), _weights(weights), source, progress)


def boruvka(nodes: int, edges: npt.ArrayLike, weights: npt.ArrayLike, *, progress: Any = None) -> tuple[Ints, Ints]:
    """Returns the edges of the minimum spanning forest in the order in which Boruvka's algorithm adds them.

    * ``nodes``: the number of nodes, from 0 to 2^31 - 1.
    * ``edges``: pairs of nodes, ``(m, 2)`` integers.
    * ``weights``: one number per edge, ``(m,)``, of any numeric type.
    * ``progress``: a callable that receives the number of edges so far, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    Returns indices into ``edges`` and the round, from 0, in which each was added, both ``(k,)`` int32. Raises what
    ``kruskal`` raises.

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

    * ``nodes``: the number of nodes, from 1 to 2^31 - 1.
    * ``edges``: pairs of nodes, ``(m, 2)`` integers. Neighbors are visited in the order of their edges.
    * ``source``: the node to start from, 0 to nodes - 1; ``ValueError`` otherwise.
    * ``progress``: a callable that receives the number of nodes so far, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    Returns a ``Search``.

    >>> order, parent, depth = bfs(4, [(0, 1), (1, 2), (0, 2)], 0)
    >>> order, parent, depth
    (array([0, 1, 2], dtype=int32), array([-1,  0,  0, -1], dtype=int32), array([ 0,  1,  1, -1], dtype=int32))
    """
    return _search(nodes, edges, source, False, progress)


def dfs(nodes: int, edges: npt.ArrayLike, source: int, *, progress: Any = None) -> Search:
    """Searches depth-first from a source: the worklist is a stack, and a node counts as reached when it is popped.

    * ``nodes``: the number of nodes, from 1 to 2^31 - 1.
    * ``edges``: pairs of nodes, ``(m, 2)`` integers. Neighbors are visited in the order of their edges.
    * ``source``: the node to start from, 0 to nodes - 1; ``ValueError`` otherwise.
    * ``progress``: a callable that receives the number of nodes so far, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    Returns a ``Search``.

    >>> dfs(3, [(0, 1), (1, 2), (0, 2)], 0).parent
    array([-1,  0,  1], dtype=int32)
    """
    return _search(nodes, edges, source, True, progress)


def path(parent: npt.ArrayLike, target: int) -> Ints:
    """Follows parents back from a target and returns the nodes from the source to the target, ``(k,)`` int32.

    * ``parent``: the column ``parent`` of a search, ``(n,)`` integers.
    * ``target``: the last node of the path, 0 to n - 1.

    Like the source, a node that was not reached has no parent; its path consists of the node alone. Raises
    ``ValueError`` for a target that is not a node, and for parents that form a cycle or are n or greater.

    >>> path(bfs(4, [(0, 1), (1, 2), (2, 3)], 0).parent, 3)
    array([0, 1, 2, 3], dtype=int32)
    """
    links = matrix("parent", parent, "iu", (1,), "integers of shape (n,)")
    if not len(links):
        raise ValueError("parent must hold at least one node, got shape (0,)")
    target = whole("target", target, 0, len(links) - 1)
    nodes = [target]
    while (up := int(links[nodes[-1]])) >= 0:
        if up >= len(links):
            raise ValueError(f"parent must be between -1 and {len(links) - 1}, got {up} at index {nodes[-1]}")
        nodes.append(up)
        if len(nodes) > len(links):
            raise ValueError("parent must lead to the source of a search, got a cycle")
    return np.array(nodes[::-1], dtype=np.int32)


def diameter(nodes: int, edges: npt.ArrayLike, *, progress: Any = None) -> int:
    """Returns the diameter in edges by double breadth-first search: exact on trees, a lower bound on other graphs.

    * ``nodes``: the number of nodes, from 1 to 2^31 - 1.
    * ``edges``: pairs of nodes, ``(m, 2)`` integers, which connect all nodes; raises ``ValueError`` if they do not.
    * ``progress``: a callable that receives the number of nodes so far, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    If the graph is a tree, its leaves are removed one after the other instead, which is faster and has the same result.

    >>> diameter(4, [(0, 1), (1, 2), (1, 3)])
    2
    """
    return _core.graph_diameter(nodes, _edges(edges), progress)


def grid_edges(height: int, width: int, *, hexagonal: bool = False, wrap: bool = False) -> Ints:
    """Returns the edges between neighboring cells of a board, ``(m, 2)`` int32, by cell: first right, then down.

    * ``height``, ``width``: the size in cells, each at least 1; ``height * width`` is at most 2^26.
    * ``hexagonal``: whether cells are hexagons. Default ``False``. Odd rows are then shifted right by half a cell, and
      the order is right, lower right, lower left.
    * ``wrap``: whether the last row and column are next to the first. Default ``False``. Hexagons then need an even
      height.

    Raises ``MemoryError`` if there is not enough memory for the edges.

    >>> grid_edges(2, 2).tolist()
    [[0, 1], [0, 2], [1, 3], [2, 3]]
    """
    return _core.graph_grid_edges(height, width, hexagonal, wrap)


def grid_weights(
    height: int, width: int, *, bias: float = 0.0, hexagonal: bool = False, wrap: bool = False, seed: int
) -> npt.NDArray[np.uint32]:
    """Returns the random weights of the edges of a board, ``(m,)`` uint32 in the order of ``grid_edges``.

    * ``height``, ``width``: the size in cells, each at least 1; ``height * width`` is at most 2^26.
    * ``hexagonal``: whether cells are hexagons, odd rows shifted right by half a cell. Default ``False``.
    * ``wrap``: whether the last row and column are next to the first. Default ``False``. Hexagons then need an even
      height.
    * ``bias``: greater than -1 and less than 1, ``ValueError`` otherwise; above 0 makes horizontal edges lighter, below
      0 the others. Default 0.
    * ``seed``: from 0 to 2^64 - 1.

    With the method ``"kruskal"``, ``random_spanning_tree`` and ``LightEmAll.generate`` (without ``unique`` and
    ``difficulty``) use these weights for the same seed, so that ``kruskal`` finds the same tree. Any other library
    finds that tree too if no two weights are equal.

    >>> edges, weights = grid_edges(3, 3), grid_weights(3, 3, seed=1)
    >>> bool((edges[kruskal(9, edges, weights)] == random_spanning_tree(3, 3, seed=1)).all())
    True
    """
    return _core.graph_grid_weights(height, width, hexagonal, wrap, bias, whole("seed", seed, 0))


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
    """Returns the edges of a random spanning tree of a board, pairs of cell indices, ``(cells - 1, 2)`` int32.

    * ``height``, ``width``: the size in cells, each at least 1; ``height * width`` is at most 2^26.
    * ``hexagonal``: whether cells are hexagons, odd rows shifted right by half a cell. Default ``False``.
    * ``wrap``: whether the last row and column are next to the first. Default ``False``. Hexagons then need an even
      height.
    * ``method``: ``"kruskal"`` (default; random weights), ``"wilson"`` (every tree equally likely if ``bias`` is 0),
      ``"dfs"`` (long corridors), ``"prim"`` (grows by random edges that leave the tree) or ``"fractal"`` (joins four
      quarters, each made the same way); ``ValueError`` for any other.
    * ``bias``: greater than -1 and less than 1, ``ValueError`` otherwise; above 0 prefers horizontal edges, below 0 the
      others. Default 0.
    * ``seed``: from 0 to 2^64 - 1, or ``None`` (the default) for a random one.
    * ``progress``: a callable that receives the number of steps so far, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    The edges come in the order in which the method adds them.

    >>> random_spanning_tree(30, 40, method="wilson", seed=1).shape
    (1199, 2)
    """
    return _core.graph_random_tree(height, width, method, bias, hexagonal, wrap, seed, progress)


def _graph(nodes: int, edges: npt.ArrayLike) -> tuple[int, Ints]:
    """Reads a graph that is passed to another library."""
    count, pairs = whole("nodes", nodes, 0, 2**31 - 1), _edges(edges)
    outside = ((pairs < 0) | (pairs >= count)).any(axis=1)
    if outside.any():
        at = int(outside.argmax())
        u, v = pairs[at].tolist()
        must = f"join nodes between 0 and {count - 1}" if count else "be empty for a graph without nodes"
        raise ValueError(f"edges must {must}, got ({u}, {v}) at index {at}")
    return count, pairs


def to_networkx(nodes: int, edges: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Any:
    """Returns a ``networkx.Graph``; needs networkx.

    * ``nodes``: the number of nodes, from 0 to 2^31 - 1.
    * ``edges``: pairs of nodes, ``(m, 2)`` integers. Of several edges between two nodes, the lightest is kept.
    * ``weights``: one number per edge for the attribute ``weight``, or ``None`` (the default) for no attribute.
    """
    networkx = require("networkx", "to_networkx needs networkx: pip install networkx")
    count, ends = _graph(nodes, edges)
    graph = networkx.Graph()
    graph.add_nodes_from(range(count))
    pairs = ends.tolist()
    if weights is None:
        graph.add_edges_from(pairs)
        return graph
    values = matrix("weights", weights, "iufb", (1,), "numbers of shape (m,)").tolist()
    if len(values) != len(pairs):
        raise ValueError(f"weights must hold one number per edge, got {len(values)} for {counted(len(pairs), 'edge')}")
    for (u, v), weight in zip(pairs, values, strict=True):
        if not graph.has_edge(u, v) or weight < graph[u][v]["weight"]:
            graph.add_edge(u, v, weight=weight)
    return graph


def to_scipy(nodes: int, edges: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Any:
    """Returns a ``scipy.sparse.csr_array`` with both directions of every edge; needs scipy.

    * ``nodes``: the number of nodes, from 0 to 2^31 - 1.
    * ``edges``: pairs of nodes, ``(m, 2)`` integers. Of several edges between two nodes, the lightest is kept.
    * ``weights``: one number per edge, or ``None`` (the default) for 1 each. The result has their dtype, or float32 for
      float16. A weight of 0 is stored, and the graph functions of scipy treat it as an edge; only the result of
      ``minimum_spanning_tree`` leaves it out.
    """
    sparse = require("scipy.sparse", "to_scipy needs scipy: pip install scipy")
    nodes, pairs = _graph(nodes, edges)
    values = (
        np.ones(len(pairs)) if weights is None else matrix("weights", weights, "iufb", (1,), "numbers of shape (m,)")
    )
    if len(values) != len(pairs):
        raise ValueError(f"weights must hold one number per edge, got {len(values)} for {counted(len(pairs), 'edge')}")
    if values.dtype.type is np.float16:
        values = values.astype(np.float32)  # scipy has no sparse arrays of float16
    # After sorting by ends and then by weight, the first of the edges between two nodes is the lightest.
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    order = np.lexsort((values, high, low))
    low, high, values = low[order], high[order], values[order]
    first = np.ones(len(low), bool)
    first[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    low, high, values = low[first], high[first], values[first]
    other = low != high  # a loop has one entry, not one per direction
    rows, cols = np.concatenate([low, high[other]]), np.concatenate([high, low[other]])
    return sparse.csr_array((np.concatenate([values, values[other]]), (rows, cols)), shape=(nodes, nodes))
