"""Checks of your own implementations: hand in a function, see the smallest case on which it is wrong, drawn.

Each check gives a ``Report``: drawn by a notebook, readable as text, ``.passed``, ``.score`` from 0 to 1 for a grader,
``.raise_if_wrong()`` for a test. The cases go from small to large, the same in every run; the one shown is shrunk by
hypothesis to the smallest that could be found. Endless loops, exceptions, prints and changes to what was lent harm
nothing. ``progress``, a callable or an object like tqdm's, is told the cases tried. Needs ``gridwright[teach]``.

>>> from gridwright import check
>>> class Block:
...     def __init__(self, row, col):
...         self.cells = [(row, col)]
...     def right(self):
...         row, col = self.cells[-1]
...         self.cells = [(row, col + 1)]      # a block is two cubes long
...     left = up = down = right
...     def positions(self):
...         return self.cells
...     def is_standing(self):
...         return len(self.cells) == 1
>>> report = check.block(Block)
>>> report.passed, round(report.score, 2)
(False, 0.25)
>>> "expected" in report.failure.reason
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import fields as _fields
from . import graphs as _graphs
from . import lines as _lines
from . import worlds as _worlds
from .judge import Check, judge
from .report import Failure, Part, Report, WrongAnswer

__all__ = [
    "Failure",
    "Part",
    "Report",
    "WrongAnswer",
    "beams",
    "bfs",
    "block",
    "compute_neighbours",
    "diameter",
    "is_play_valid",
    "kruskal",
    "mark",
    "power",
    "reveal",
    "trace_line",
    "union_find",
]


_SHRINKING = 5.0
"""Seconds for the search for the smallest wrong case."""


def _run(check: Check, person: Any, time_limit: float, progress: Any) -> Report:
    return judge(check, person, time_limit=time_limit, seconds=_SHRINKING, progress=progress)


def block(cls: Callable[[int, int], Any], *, time_limit: float = 2.0, progress: Any = None) -> Report:
    """Checks the rolling block of Bloxorz: ``cls(row, col)`` makes a standing one.

    It has ``left() right() up() down()``, which change it (or give a new one), ``positions()``, the cells
    ``(row, col)`` it stands on in any order, and ``is_standing()`` (``isStanding`` will do), as methods or attributes.
    ``time_limit`` is in seconds per case.

    >>> from gridwright import bloxorz, check
    >>> check.block(bloxorz.Block).score
    1.0
    """
    return _run(_worlds.Block(), cls, time_limit, progress)


def beams(fn: Callable[[Any], Any], *, time_limit: float = 2.0, progress: Any = None) -> Report:
    """Checks the light of MyPhoton: ``fn(board)`` gives the sides of each tile that light crosses.

    ``board`` is ``(H, W)`` uint8 with the codes of ``gridwright.photon.Tile`` (sensors never lit); the answer ``(H,
    W)``, bits N=1 E=2 S=4 W=8: the side it comes in by and the sides it leaves by. ``time_limit`` is in seconds per
    case.

    >>> import numpy as np
    >>> from gridwright import check
    >>> report = check.beams(lambda board: np.zeros_like(board))
    >>> print(report.failure.reason)
    at (0, 0), tile '.': got 0 (none), expected 10 (EW)
    """
    return _run(_worlds.Beams(), fn, time_limit, progress)


def power(fn: Callable[..., Any], *, time_limit: float = 2.0, progress: Any = None) -> Report:
    """Checks the power of LightEmAll: ``fn(wires, station)`` tells which tiles are connected to the station.

    ``wires`` is ``(H, W)`` uint8, bits N=1 E=2 S=4 W=8, ``station`` a tuple ``(row, col)``, the answer ``(H, W)`` bool.
    A function of three arguments ``fn(wires, station, radius)`` is asked for the tiles that are connected and at most
    ``radius`` tiles away along the wires. ``time_limit`` is in seconds per case.

    >>> from gridwright import check
    >>> report = check.power(lambda wires, station: wires > 0)
    >>> report.passed, report.failure.case[:2]
    (False, ([[0]], (0, 0)))
    """
    return _run(_worlds.Power(), fn, time_limit, progress)


def is_play_valid(
    fn: Callable[..., Any], *, rules: str = "document", time_limit: float = 2.0, progress: Any = None
) -> Report:
    """Checks the rules of Linear Domination: ``fn(size, lookback, plays, index)`` tells whether a play is legal.

    ``plays`` is a list of ``(row, col, row, col)``, tail and head from 0, ``index`` the place of the play that is asked
    for, the last one; ends may lie off the board. The answer is a bool. ``rules`` are ``"document"`` (its two
    sentences and nothing else), ``"standard"`` or ``"uccs2023"``, as in ``gridwright.domination``. ``time_limit`` is
    in seconds per case.

    >>> from gridwright import check
    >>> report = check.is_play_valid(lambda size, lookback, plays, index: True)
    >>> print(report.failure.call)
    yours(...)
    """
    if rules not in ("document", "standard", "uccs2023"):
        raise ValueError(f"rules must be 'document', 'standard' or 'uccs2023', got {rules!r}")
    return _run(_worlds.IsPlayValid(rules), fn, time_limit, progress)


def union_find(
    cls: Callable[[int], Any], *, roots: bool = False, time_limit: float = 2.0, progress: Any = None
) -> Report:
    """Checks a union-find: ``cls(n)`` makes n sets of one node each, 0 to n - 1.

    ``union(u, v)`` joins the sets of two nodes, ``find(u)`` gives the name of a node's set: the same for all nodes of
    one, another for those of another, of any type. ``connected(u, v)`` is tried where there is one. With ``roots=True``
    only what ``find`` gave is handed to ``union``, as the source document writes it. ``time_limit`` is in seconds a
    case.

    >>> from gridwright import check
    >>> class Sets:
    ...     def __init__(self, n):
    ...         self.link = list(range(n))
    ...     def find(self, x):
    ...         return self.link[x]            # one link only
    ...     def union(self, a, b):
    ...         self.link[self.find(b)] = self.find(a)
    >>> print(check.union_find(Sets).failure.call)
    sets = Sets(3); ...
    """
    return _run(_graphs.UnionFind(roots), cls, time_limit, progress)


def kruskal(fn: Callable[..., Any], *, time_limit: float = 2.0, progress: Any = None) -> Report:
    """Checks a minimum spanning tree: ``fn(nodes, edges)`` chooses the edges of one.

    ``nodes`` is their number, ``edges`` a list of ``(u, v, weight)``, in any order, each pair at most once, weights
    whole numbers that may repeat or be negative; where the graph is in parts, a forest is expected. A function of three
    arguments gets ``fn(nodes, pairs, weights)``. The answer is a list, in any order, of edges ``(u, v, weight)``, of
    pairs ``(u, v)``, or of indices into ``edges``. It is right if it has no cycle, spans, and no spanning tree weighs
    less; ties may be broken in any way. ``time_limit`` is in seconds per case.

    >>> from gridwright import check
    >>> report = check.kruskal(lambda nodes, edges: sorted(edges, key=lambda edge: edge[2])[: nodes - 1])
    >>> print(report.failure.call)
    yours(...)
    """
    return _run(_graphs.Kruskal(), fn, time_limit, progress)


def bfs(fn: Callable[..., Any], *, answer: str = "depth", time_limit: float = 2.0, progress: Any = None) -> Report:
    """Checks a breadth-first search: ``fn(graph, source)``, with a dict from each node to the list of its neighbours.

    A function of three arguments gets ``fn(nodes, edges, source)``. ``answer`` says what it gives: ``"depth"``, the
    number of edges from the source to each node; ``"parent"``, the node from which each was reached; both as a list or
    array with one number a node, or a dict, -1, ``None``, infinity or nothing for nodes that are not reached; or
    ``"order"``, the list of nodes as they were taken from the queue, whatever the order among the neighbours of one
    node. ``time_limit`` is in seconds per case.

    >>> from gridwright import check
    >>> def depths(graph, source):
    ...     found, queue = {source: 0}, [source]
    ...     while queue:
    ...         node = queue.pop()             # a stack, and so depth first
    ...         for other in graph[node]:
    ...             if other not in found:
    ...                 found[other] = found[node] + 1
    ...                 queue.append(other)
    ...     return found
    >>> print(check.bfs(depths).failure.reason)
    node ... is 2 edges away, and it told 3 edges
    """
    if answer not in ("depth", "order", "parent"):
        raise ValueError(f"answer must be 'depth', 'order' or 'parent', got {answer!r}")
    return _run(_graphs.Bfs(answer), fn, time_limit, progress)


def diameter(fn: Callable[..., Any], *, time_limit: float = 2.0, progress: Any = None) -> Report:
    """Checks the diameter of a tree: ``fn(nodes, edges)`` gives the number of edges of a longest way.

    ``edges`` is a list of ``(u, v)``. A function of one argument gets a dict from each node to the list of its
    neighbours. ``time_limit`` is in seconds per case.

    >>> from gridwright import check
    >>> print(check.diameter(lambda nodes, edges: nodes - 1).failure.call)
    yours(4, [(0, 1), (0, 2), (0, 3)])
    """
    return _run(_graphs.Diameter(), fn, time_limit, progress)


def trace_line(
    fn: Callable[..., Any],
    *,
    method: str = "amanatides-woo",
    ordered: bool = True,
    time_limit: float = 2.0,
    progress: Any = None,
) -> Report:
    """Checks line tracing: ``fn(tail, head)`` lists the cells that a segment crosses, from tail to head.

    Both are tuples ``(row, col)`` of whole numbers, 0 or more, and the segment runs between the centers of the cells. A
    function of four arguments gets ``fn(row, col, row, col)``. The answer is a list of cells or an ``(n, 2)`` array;
    with ``ordered=False`` in any order. ``method`` is one of ``gridwright.tracing`` but ``"wu"``: ``"amanatides-woo"``
    expects the cells whose inside is crossed, and steps diagonally through corners. ``time_limit`` is in seconds per
    case.

    >>> from gridwright import check
    >>> report = check.trace_line(lambda tail, head: [tail, head])
    >>> print(report.failure.call, report.failure.reason, sep="\\n")
    yours((0, 0), (0, 0))
    (0, 0) was given more than once
    """
    return _run(_lines.TraceLine(method, ordered), fn, time_limit, progress)


def compute_neighbours(fn: Callable[..., Any], *, time_limit: float = 2.0, progress: Any = None) -> Report:
    """Checks GeeseSpotter's counting: ``fn(board)`` writes into each field that is no 9 how many 9 are around it.

    ``board`` is ``(H, W)`` uint8 of 0 and 9, changed in place (or a changed one is given back). A function of three
    arguments gets the source document's ``fn(board, x_dim, y_dim)`` with a one-dimensional board. ``time_limit`` is in
    seconds a case.

    >>> from gridwright import check
    >>> def cross(board):
    ...     height, width = board.shape
    ...     for row in range(height):
    ...         for col in range(width):
    ...             if board[row, col] != 9:
    ...                 for r, c in (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1):
    ...                     if 0 <= r < height and 0 <= c < width and board[r, c] == 9:
    ...                         board[row, col] += 1
    >>> print(check.compute_neighbours(cross))
    compute_neighbours: not right yet, score 0.44
      ...
    The smallest case that was found:
      board = np.array([[0, 0], [0, 9]], dtype=np.uint8); cross(board); board
      at (0, 0): got 0, expected 1
    <BLANKLINE>
    given    expected   got
     0  0     1  1      [0] 1
     0  9     1  9       1  9
    """
    return _run(_fields.ComputeNeighbours(), fn, time_limit, progress)


def mark(fn: Callable[..., Any], *, time_limit: float = 2.0, progress: Any = None) -> Report:
    """Checks GeeseSpotter's marking: ``fn(board, row, col)`` toggles the mark of a hidden field and gives 0.

    The mark is 0x10, hidden 0x20; a revealed field stays as it is: 2. ``board`` is ``(H, W)`` uint8, changed in place;
    ``(code, board)`` may be given back instead. A function of five arguments gets the source document's ``fn(board,
    x_dim, y_dim, x_loc, y_loc)`` with a one-dimensional board. ``time_limit`` is in seconds per case.

    >>> from gridwright import check
    >>> def mark(board, row, col):
    ...     board[row, col] |= 0x10
    ...     return 0
    >>> print(check.mark(mark).failure.reason)
    the board after it, at (0, 0): got 0x10, expected 0x00
    """
    return _run(_fields.Mark(), fn, time_limit, progress)


def reveal(fn: Callable[..., Any], *, time_limit: float = 2.0, progress: Any = None) -> Report:
    """Checks GeeseSpotter's showing: ``fn(board, row, col)`` reveals a field and gives its code.

    1 marked, left as it is; 2 already revealed; 9 a goose, now revealed; 0 otherwise. A field of value 0, revealed now
    or before, also reveals its eight neighbours that bear no mark, and never theirs. How the board is lent and five
    arguments are filled, see ``mark``. ``time_limit`` is in seconds per case.

    >>> from gridwright import check
    >>> def reveal(board, row, col):
    ...     board[row, col] &= 0x1F
    ...     return 9 if board[row, col] == 9 else 0
    >>> report = check.reveal(reveal)
    >>> print(report.failure.reason)
    gave the code 0, expected 2
    """
    return _run(_fields.Reveal(), fn, time_limit, progress)
