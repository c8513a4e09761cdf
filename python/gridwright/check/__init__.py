"""Checks your own implementations: hand in a function and see a picture of the smallest case on which it is wrong.

Each check returns a ``Report``, which a notebook draws and ``str`` returns as text. The report has ``.passed``,
``.score`` from 0 to 1 for a grader, and ``.raise_if_wrong()`` for a test. Fixed cases are tried from small to large,
then random cases, which are the same whenever the same code is checked with the same seed. The cases of a check are
divided into parts. For each part with a wrong answer, the report has the smallest wrong case found, with a hint if the
mistake is known.

The code runs in its own process with limits on time and memory. Endless loops, exceptions, printed text, exits and
changed arguments do no harm, and the expected answers are computed where the code cannot see them. On systems that
cannot fork a process (browsers, Windows), the code runs in the current process, and the report says so. This module
requires ``gridwright[teach]``.

A check raises ``TypeError`` for an argument of the wrong type, and ``ValueError`` for a value out of bounds.

>>> from gridwright import check
>>> class Block:
...     def __init__(self, row, col):
...         self.cells = [(row, col)]
...     def right(self):
...         row, col = self.cells[-1]
...         self.cells = [(row, col + 1)]      # wrong: a block that falls over must cover two cells
...     left = up = down = right
...     def positions(self):
...         return self.cells
...     def is_standing(self):
...         return len(self.cells) == 1
>>> report = check.block(Block)
>>> report.passed, round(report.score, 2)
(False, 0.0)
>>> "expected" in report.failure.reason
True
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..arguments import choice, flag, shown, wrong_type
from ..arguments import text as read_text
from . import blocks as _blocks
from . import fields as _fields
from . import graphs as _graphs
from . import light as _light
from . import lines as _lines
from . import program as _program
from . import wires as _wires
from .judge import judge as run_check
from .options import Options, with_options
from .report import Failure, Part, Report, WrongAnswer

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "Failure",
    "Options",
    "Part",
    "Report",
    "WrongAnswer",
    "beams",
    "bfs",
    "block",
    "can_select",
    "clean_board",
    "compute_neighbours",
    "console",
    "counts",
    "create_board",
    "diameter",
    "for_student",
    "hide_board",
    "is_game_won",
    "is_play_valid",
    "kruskal",
    "mark",
    "output",
    "parametric_line",
    "parse",
    "power",
    "print_board",
    "radius",
    "reveal",
    "rotate",
    "solve",
    "spread_geese",
    "swap",
    "terrain",
    "trace_line",
    "union_find",
]


def for_student(student: str, key: str) -> int:
    """Returns a seed for a student, so that each student gets different cases or boards.

    A student who does not know ``key`` cannot compute the seed of another student.

    * ``student``: the name or number of the student, a string; ``ValueError`` if it is empty.
    * ``key``: a secret of the course, a string; ``ValueError`` if it is empty.

    Returns an integer from 0 to 2^63 - 1, for the argument ``seed`` of a check or of ``generate``.

    >>> from gridwright import check
    >>> check.for_student("ada", key="autumn") == check.for_student("ada", key="autumn")
    True
    >>> check.for_student("ada", key="autumn") == check.for_student("bob", key="autumn")
    False
    """
    for name, value in (("student", student), ("key", key)):
        if not read_text(name, value):
            raise ValueError(f"{name} must not be empty, got ''")
    # A name from a damaged file may contain a lone surrogate, which the UTF-8 codec refuses by default.
    secret, who = (value.encode(errors="surrogatepass") for value in (key, student))
    digest = hmac.new(secret, who, hashlib.sha256).digest()
    return int.from_bytes(digest[:8], "big") >> 1


@with_options
def create_board(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks how GeeseSpotter creates a board: ``fn(x_dim, y_dim)`` returns a new board of zeros.

    The board has one dimension, as in the source document, or ``y_dim`` rows of ``x_dim`` fields. It may be any mutable
    list or array of numbers. No two rows may be the same list, and no two calls may return the same board.

    * ``fn``: the function, called with two integers of at least 1.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> report = check.create_board(lambda x_dim, y_dim: [[0] * x_dim] * y_dim)
    >>> print(report.failure.call, report.failure.hint, sep="\\n")
    yours(1, 2)
    [[0] * width] * height repeats one row: make a new list for each row, in a loop
    """
    return run_check(_fields.CreateBoard(), fn, options)


@with_options
def clean_board(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks how GeeseSpotter clears a board: ``fn(board)`` sets every field to 0 and returns nothing.

    The source document's function frees memory, which Python does by itself.

    * ``fn``: the function; ``board`` is a one-dimensional uint8 array.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> check.clean_board(lambda board: board.fill(0)).passed
    True
    """
    return run_check(_fields.CleanBoard(), fn, options)


@with_options
def print_board(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks how GeeseSpotter prints a board: ``fn(board)`` prints one line per row.

    A field is printed as ``M`` if it is marked, as ``*`` if it is hidden but not marked, and otherwise as its value.
    Spaces at the end of a line are ignored.

    * ``fn``: the function; ``board`` is ``(H, W)`` uint8. A function of three arguments is called as in the source
      document, ``fn(board, x_dim, y_dim)``, with a one-dimensional board.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> def show(board):
    ...     for row in board:
    ...         print(" ".join("*" if field & 0x20 else str(field) for field in row))
    >>> check.print_board(show).failures[-1].hint
    'print no space between the fields'
    """
    return run_check(_fields.PrintBoard(), fn, options)


@with_options
def spread_geese(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks how GeeseSpotter places geese: ``fn(board, num_geese)`` writes 9 into ``num_geese`` random fields.

    For each small board, the function is called 300 times, and every field must get a goose equally often, within six
    standard deviations.

    * ``fn``: the function; ``board`` is ``(H, W)`` uint8 of 0. A function of four arguments is called as in the source
      document, ``fn(board, x_dim, y_dim, num_geese)``, with a one-dimensional board.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> import random
    >>> def lay(board, num_geese):
    ...     for _ in range(num_geese):
    ...         board[random.randrange(len(board)), random.randrange(len(board[0]))] = 9
    >>> check.spread_geese(lay).failure.hint
    'a field is drawn twice: draw again if it has a goose already'
    """
    return run_check(_fields.SpreadGeese(), fn, options)


@with_options
def hide_board(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks how GeeseSpotter hides a board: ``fn(board)`` sets the bit 0x20 of every field.

    * ``fn``: the function; ``board`` is ``(H, W)`` uint8 of values 0 to 9, changed in place, or a changed copy is
      returned. A function of three arguments is called as ``fn(board, x_dim, y_dim)`` with a one-dimensional board.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> def hide(board):
    ...     board[:] = 0x20
    >>> check.hide_board(hide).failure.hint
    'the values are lost: set the bit 0x20 and keep the others'
    """
    return run_check(_fields.HideBoard(), fn, options)


@with_options
def mark(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks how GeeseSpotter marks a field: ``fn(board, row, col)`` toggles the mark of a hidden field and returns 0.

    A mark is the bit 0x10, and a hidden field has the bit 0x20. For a revealed field, the function changes nothing and
    returns 2.

    * ``fn``: the function; ``board`` is ``(H, W)`` uint8, changed in place, or ``(code, board)`` is returned. A
      function of five arguments is called as in the source document, ``fn(board, x_dim, y_dim, x_loc, y_loc)``, with a
      one-dimensional board.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> def mark(board, row, col):
    ...     if not board[row, col] & 0x20:
    ...         return 2
    ...     board[row, col] |= 0x10
    ...     return 0
    >>> report = check.mark(mark)
    >>> print(report.failure.reason, report.failure.hint, sep="\\n")
    the board after the call, at (0, 0): got 0x30, expected 0x20
    a mark is set and never taken away: toggle it with ^
    """
    return run_check(_fields.Mark(), fn, options)


@with_options
def compute_neighbours(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks how GeeseSpotter counts geese: ``fn(board)`` writes into each goose-free field how many geese it touches.

    * ``fn``: the function; ``board`` is ``(H, W)`` uint8 of 0 and 9 (a goose), changed in place, or a changed copy
      is returned. A function of three arguments is called as in the source document, ``fn(board, x_dim, y_dim)``, with
      a one-dimensional board.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

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
    compute_neighbours: not right yet, score ...
      + one row...
    The smallest wrong case found (all boards of 2 x 2, 2 x 3 and 3 x 2 fields):
      board = np.array([[0, 0], [0, 9]], dtype=np.uint8); cross(board); board
      at (0, 0): got 0, expected 1
      Hint: the corners are forgotten: a field has eight neighbors.
    <BLANKLINE>
    given    expected   got
     0  0     1  1      [0] 1
     0  9     1  9       1  9
    ...
    """
    return run_check(_fields.ComputeNeighbours(), fn, options)


@with_options
def reveal(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks how GeeseSpotter shows a field: ``fn(board, row, col)`` reveals it and returns a code.

    The code is 1 if the field is marked (it stays hidden), 2 if it was already revealed, 9 if it is a goose (it is
    revealed), and 0 otherwise. If the value of the field is 0 and the field is not marked, its unmarked neighbors are
    revealed too, even if the field was already revealed; their neighbors are not.

    * ``fn``: the function; ``board`` is ``(H, W)`` uint8, changed in place, or ``(code, board)`` is returned. A
      function of five arguments is called as in the source document, ``fn(board, x_dim, y_dim, x_loc, y_loc)``, with a
      one-dimensional board.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> def reveal(board, row, col):
    ...     board[row, col] &= 0x1F
    ...     return 9 if board[row, col] == 9 else 0
    >>> report = check.reveal(reveal)
    >>> print(report.failure.reason)
    returned 0, expected 2
    """
    return run_check(_fields.Reveal(), fn, options)


@with_options
def is_game_won(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks the end of GeeseSpotter: ``fn(board)`` returns whether every field without a goose is revealed.

    * ``fn``: the function; ``board`` is ``(H, W)`` uint8. A function of three arguments is called as
      ``fn(board, x_dim, y_dim)`` with a one-dimensional board.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> check.is_game_won(lambda board: not (board & 0x20).any()).failure.hint
    'the geese need not be revealed: only the fields without one'
    """
    return run_check(_fields.IsGameWon(), fn, options)


@with_options
def console(
    program: Callable[[], Any] | Sequence[str | os.PathLike[str]],
    *,
    dialogues: Sequence[tuple[str, str]] | None = None,
    **options: Unpack[Options],
) -> Report:
    """Checks what an interactive program prints in response to typed text.

    Without ``dialogues``, the program must be the one that the GeeseSpotter document describes, and it is tried with
    typed text for which the right output does not depend on chance. The prompts and boards must come in order; between
    them, the program may print sentences of its own.

    * ``program``: a function that calls ``input`` and ``print``, or a command that starts a program in any language,
      such as ``["./a.out"]``.
    * ``dialogues``: one or more pairs (typed text, printed text). Printed text is compared line by line; spaces at the
      end of a line are ignored. Pairs with the same typed text must have the same printed text. ``None`` (the default)
      for the program of the GeeseSpotter document.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> def greet():
    ...     print("Hello, " + input())
    >>> check.console(greet, dialogues=[("Ada\\n", "Hello, Ada!\\n")]).failure.reason
    "line 1: got 'Hello, Ada', expected 'Hello, Ada!'"
    """
    if dialogues is not None:
        if isinstance(dialogues, str) or not isinstance(dialogues, Sequence):
            raise wrong_type("dialogues", "a list of pairs", dialogues)
        if not dialogues or not all(
            isinstance(each, tuple | list) and len(each) == 2 and all(isinstance(text, str) for text in each)
            for each in dialogues
        ):
            raise ValueError(f"dialogues must be pairs of typed and printed text, at least one, got {shown(dialogues)}")
        printed = dict(dialogues)
        for typed, expected in dialogues:
            if printed[typed] != expected:
                raise ValueError(
                    f"dialogues must be pairs with one printed text per typed text, got two for {shown(typed)}"
                )
    return run_check(_program.Console(dialogues), program, options)


@with_options
def union_find(
    cls: Callable[[int], Any] | tuple[Callable[..., Any], Callable[..., Any]],
    *,
    roots: bool = False,
    **options: Unpack[Options],
) -> Report:
    """Checks a union-find: ``cls(n)`` makes n sets, one for each of the nodes 0 to n - 1.

    ``union(u, v)`` joins the sets of two nodes. ``find(u)`` returns the name of a node's set, of any hashable type:
    equal for nodes in the same set, different for nodes in different sets. If there is a method ``connected(u, v)``, it
    is checked too.

    * ``cls``: the class; or the pair ``(find, union)`` of the source document's functions ``find(representatives,
      name)`` and ``union(representatives, one, other)``. ``representatives`` is a dict from names to names, and ``one``
      and ``other`` are always results of ``find``.
    * ``roots``: whether ``union`` is only called with results of ``find``, as in the source document. Default
      ``False``.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> class Sets:
    ...     def __init__(self, n):
    ...         self.link = list(range(n))
    ...     def find(self, x):
    ...         return self.link[x]            # one link only
    ...     def union(self, a, b):
    ...         self.link[self.find(b)] = self.find(a)
    >>> report = check.union_find(Sets)
    >>> print(report.failure.call, report.failure.hint, sep="\\n")
    sets = Sets(3); ...
    find follows one link: it has to go on until a node is its own representative
    """
    flag("roots", roots)
    return run_check(_graphs.UnionFind(roots), cls, options)


@with_options
def kruskal(
    fn: Callable[..., Any],
    *,
    edge: Callable[[int, int, int], Any] | None = None,
    **options: Unpack[Options],
) -> Report:
    """Checks a minimum spanning tree: ``fn(nodes, edges)`` returns the edges of one.

    The answer is right if it has no cycle, connects all nodes and has the smallest possible weight; ties may be broken
    in any way. If the graph is not connected, a spanning forest is expected.

    * ``fn``: the function. ``nodes`` is the number of nodes, ``edges`` a list of ``(u, v, weight)`` in any order, each
      pair at most once; weights are integers that may repeat or be negative. A function of three arguments is called as
      ``fn(nodes, pairs, weights)``, and a function of one argument as ``fn(edges)``. The answer is a list, in any
      order, of edges ``(u, v, weight)``, of pairs ``(u, v)``, of indices into ``edges``, or of edge objects.
    * ``edge``: a class that is called with ``(u, v, weight)`` for each edge, to make objects that replace the tuples.
      The ends of an edge object are its attributes ``fromNode`` and ``toNode``, ``from_node`` and ``to_node``, ``u``
      and ``v``, ``source`` and ``target``, or ``a`` and ``b``. ``None`` (the default) for tuples. Not used for a
      function of three arguments, which receives pairs and weights instead.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> report = check.kruskal(lambda nodes, edges: sorted(edges, key=lambda edge: edge[2])[: nodes - 1])
    >>> print(report.failure.call, report.failure.hint, sep="\\n")
    yours(4, ...)
    the lightest n - 1 edges are taken: leave out those whose ends are connected already
    """
    if edge is not None and not callable(edge):
        raise wrong_type("edge", "a class", edge)
    return run_check(_graphs.Kruskal(edge), fn, options)


@with_options
def bfs(
    fn: Callable[..., Any],
    *,
    answer: str = "depth",
    **options: Unpack[Options],
) -> Report:
    """Checks a breadth-first search ``fn(graph, source)``; ``graph`` is a dict from each node to its list of neighbors.

    * ``fn``: the function. Unless ``answer`` is ``"path"``, a function of three arguments is called as
      ``fn(nodes, edges, source)``.
    * ``answer``: what the function returns. ``"depth"`` (the default): the number of edges from the source to each
      node. ``"parent"``: the node from which each node was reached; the source may be its own parent or have none.
      Depths and parents are a list or array with one number per node, or a dict, with -1, ``None``, infinity or no
      entry for nodes that are not reached. ``"order"``: the list of nodes in the order in which they were taken from
      the queue; neighbors of a node may be visited in any order. ``"path"``: the list of nodes of a shortest path from
      source to target, ``None`` if there is no path; the function is called as ``fn(graph, source, target)``, or as
      ``fn(nodes, edges, source, target)`` if it takes four arguments.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> def depths(graph, source):
    ...     found, queue = {source: 0}, [source]
    ...     while queue:
    ...         node = queue.pop()             # a stack, so depth-first
    ...         for other in graph[node]:
    ...             if other not in found:
    ...                 found[other] = found[node] + 1
    ...                 queue.append(other)
    ...     return found
    >>> report = check.bfs(depths)
    >>> print(report.failure.reason, report.failure.hint, sep="\\n")
    node ... is ... away, got ...
    a stack instead of a queue: this is depth-first search; take the node that has waited longest
    """
    choice("answer", answer, ("depth", "order", "parent", "path"))
    return run_check(_graphs.Bfs(answer), fn, options)


@with_options
def diameter(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks the diameter of a tree: ``fn(nodes, edges)`` returns the number of edges of a longest path.

    * ``fn``: the function; ``edges`` is a list of ``(u, v)``. A function of one argument gets a dict from each node to
      the list of its neighbors.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> report = check.diameter(lambda nodes, edges: nodes - 1)
    >>> report.score, report.failure.call
    (0.0, 'yours(4, [(0, 1), (0, 2), (0, 3)])')
    """
    return run_check(_graphs.Diameter(), fn, options)


@with_options
def radius(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks the radius of the power station: ``fn(nodes, edges)`` returns ``diameter // 2 + 1`` for a tree.

    * ``fn``: the function; ``edges`` is a list of ``(u, v)``. A function of one argument gets a dict from each node to
      the list of its neighbors.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> check.radius(lambda nodes, edges: nodes // 2 + 1).passed
    False
    """
    return run_check(_graphs.Radius(), fn, options)


@with_options
def power(
    fn: Callable[..., Any],
    *,
    pieces: bool = False,
    **options: Unpack[Options],
) -> Report:
    """Checks the power of LightEmAll: ``fn(wires, station)`` returns which tiles are connected to the power station.

    * ``fn``: the function. ``wires`` is ``(H, W)`` uint8, bits N=1 E=2 S=4 W=8, ``station`` a tuple ``(row, col)``, the
      answer ``(H, W)`` bool. A function of three arguments, ``fn(wires, station, radius)``, must return the tiles that
      are connected and at most ``radius`` tiles away along the wires.
    * ``pieces``: whether the board is that of the source document: a list of columns of pieces with the attributes
      ``left right top bottom powered``. If ``True``, ``fn(board, power_row, power_col)``, with ``radius`` as a fourth
      argument if it takes one, sets ``powered``. Default ``False``.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> report = check.power(lambda wires, station: wires > 0)
    >>> report.passed, report.score
    (False, 0.0)
    """
    flag("pieces", pieces)
    return run_check(_wires.Power(pieces), fn, options)


@with_options
def rotate(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks a clockwise quarter turn of a tile of LightEmAll.

    * ``fn``: a function of a tile, an integer with the bits N=1 E=2 S=4 W=8 that also has the attributes ``top right
      bottom left``. It returns the bits of the turned tile or changes the attributes. A function of two arguments is
      called as ``fn(tile, turns)``. A class is accepted too: it is called with ``top= right= bottom= left=``, and its
      method ``rotate()`` is checked.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> check.rotate(lambda tile: (tile << 1) & 15).failure.hint
    'the last wire is lost: what leaves at one end comes in at the other'
    """
    return run_check(_wires.Rotate(), fn, options)


@with_options
def beams(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks the light of MyPhoton: ``fn(board)`` returns, for each tile, the sides that light crosses.

    * ``fn``: the function. ``board`` is ``(H, W)`` uint8 with the codes of ``gridwright.photon.Tile`` (sensors never
      lit). The answer is ``(H, W)`` with the bits N=1 E=2 S=4 W=8: the sides through which light enters or leaves each
      tile. The value is 0 for a laser, because its light begins in the next tile, and for a tile that blocks light. The
      value for a sensor is the side of its opening if light enters there, otherwise 0.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> import numpy as np
    >>> report = check.beams(lambda board: np.zeros_like(board))
    >>> print(report.failure.reason)
    at (0, 0), tile '.': got 0 (none), expected 10 (EW)
    """
    return run_check(_light.Beams(), fn, options)


@with_options
def can_select(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks which tiles of MyPhoton may be picked up: ``fn(board, row, col)`` returns whether a tile is hardware.

    The hardware consists of the mirrors, T-mirrors and beam splitters.

    * ``fn``: the function. ``board`` is ``(H, W)`` uint8 with the codes of ``gridwright.photon.Tile``. A function of
      two arguments is called as ``fn(board, (row, col))``, one of four arguments as in the source document,
      ``fn(board, x, y, first)``; if ``first`` is false, an empty tile may be selected too.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> from gridwright.photon import Tile
    >>> check.can_select(lambda board, row, col: board[row, col] != Tile.WALL).failure.hint
    'everything but walls is selected: only mirrors, T-mirrors and splitters move'
    """
    return run_check(_light.CanSelect(), fn, options)


@with_options
def swap(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks swapping in MyPhoton: ``fn(board, one, other)`` exchanges the tiles of two cells ``(row, col)``.

    * ``fn``: the function. ``board`` is ``(H, W)`` uint8 with the codes of ``gridwright.photon.Tile``, changed in
      place, or a changed copy is returned. A function of five arguments is called as in the source document,
      ``fn(board, x1, y1, x2, y2)``.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> def swap(board, one, other):
    ...     board[one] = board[other]
    ...     board[other] = board[one]
    >>> check.swap(swap).failure.hint
    'one tile is lost: keep it in a variable, or write a, b = b, a'
    """
    return run_check(_light.Swap(), fn, options)


@with_options
def parse(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks how MyPhoton reads levels: ``fn(text)`` returns the board.

    For a malformed level the function must raise an exception.

    * ``fn``: the function. ``text`` begins with width and height; each tile takes two characters, but rows have no
      trailing spaces. The answer is ``(H, W)`` with the codes of ``gridwright.photon.Tile``, or rows of symbols such as
      ``"L>"`` and ``"."``.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> def parse(text):
    ...     size, *rows = text.splitlines()
    ...     return [row.split() for row in rows]
    >>> check.parse(parse).failure.part
    'malformed and valid levels'
    """
    return run_check(_light.Parse(), fn, options)


@with_options
def block(
    cls: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks the rolling block of Bloxorz: ``cls(row, col)`` makes a standing block.

    * ``cls``: the class. It has ``left() right() up() down()``, which change the block or return a new one;
      ``positions()``, the cells under the block in any order; and ``is_standing()`` (``isStanding`` is accepted too),
      as methods or attributes. Cells are ``(row, col)`` or objects with ``x`` and ``y``. A class of one argument gets a
      position with ``row``, ``col``, ``x``, ``y``, ``dx`` and ``dy``, as in the source document.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> check.block(object).failure.reason
    'raised TypeError: object() takes no arguments'
    """
    return run_check(_blocks.Block(), cls, options)


@with_options
def terrain(
    cls: Callable[[str], Any],
    *,
    file: bool = False,
    **options: Unpack[Options],
) -> Report:
    """Checks the terrain of Bloxorz: ``cls(text)`` reads a level.

    * ``cls``: the class. It has ``start target width height``, as methods or attributes; ``at(cell)``, which returns 2
      for a tile, 1 for a light tile and 0 for no tile; and ``can_hold(block)`` (``canHold`` is accepted too). ``cell``
      is a tuple ``(row, col)`` that also has ``x`` and ``y``; ``block`` has ``positions()`` and ``is_standing()``.
    * ``file``: whether the class gets the path of a file instead of the text, as in the source document. Default
      ``False``.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> check.terrain(str).failure.reason
    'the terrain has no method can_hold'
    """
    flag("file", file)
    return run_check(_blocks.Terrain(file), cls, options)


@with_options
def solve(
    fn: Callable[[str], Any],
    **options: Unpack[Options],
) -> Report:
    """Checks a solver of Bloxorz: ``fn(text)`` returns a shortest solution as a string of the keys l, u, r, d.

    Levels have tiles, light tiles, a start and a target, but no switches or bridges.

    * ``fn``: the function; it returns ``None`` if the target cannot be reached.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> check.solve(lambda text: "rr").score
    0.0
    """
    return run_check(_blocks.Solve(), fn, options)


@with_options
def parametric_line(
    cls: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks the lines of Linear Domination: ``cls(tail, head)`` is the line between two cells.

    * ``cls``: the class; cells are ``(row, col)``. A class of four arguments gets the row and column of the tail, then
      those of the head. It has ``vector``, ``vector_normalized`` (not checked for a line of zero length) and
      ``midpoint``, as methods or attributes, and ``barycentric_coordinate(t)``; the source document's names are
      accepted too. The line runs between the centers of the cells: the center of ``(row, col)`` is
      ``(row + 0.5, col + 0.5)``.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> check.parametric_line(lambda tail, head: None).failure.reason
    'the line has no vector'
    """
    return run_check(_lines.ParametricLine(), cls, options)


@with_options
def trace_line(
    fn: Callable[..., Any],
    *,
    method: str = "amanatides-woo",
    ordered: bool = True,
    **options: Unpack[Options],
) -> Report:
    """Checks line tracing: ``fn(tail, head)`` lists the cells that a segment crosses, from tail to head.

    * ``fn``: the function. ``tail`` and ``head`` are tuples ``(row, col)`` of integers of at least 0, and the segment
      runs between the centers of these cells. A function of four arguments gets the row and column of the tail, then
      those of the head. The answer is a list of cells or an ``(n, 2)`` array.
    * ``method``: a method of ``gridwright.tracing`` other than ``"wu"``. ``"amanatides-woo"`` (the default) expects the
      cells whose interior is crossed, and steps diagonally through corners.
    * ``ordered``: whether the cells must come in order. Default ``True``.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> report = check.trace_line(lambda tail, head: [tail, head])
    >>> print(report.failure.call, report.failure.reason, sep="\\n")
    yours((0, 0), (0, 0))
    (0, 0) is in the answer more than once
    """
    flag("ordered", ordered)
    choice("method", method, _lines.METHODS)
    return run_check(_lines.TraceLine(method, ordered), fn, options)


@with_options
def is_play_valid(
    fn: Callable[..., Any],
    *,
    rules: str = "document",
    **options: Unpack[Options],
) -> Report:
    """Checks the rules of Linear Domination: ``fn(size, lookback, plays, index)`` returns whether a play is legal.

    * ``fn``: the function. ``plays`` is a list of ``(row, col, row, col)``, tail and head, 0-based; ``index`` is the
      index of the play to judge, always the last one. Ends may lie off the board. The answer is a bool.
    * ``rules``: ``"document"`` (the default; the rules exactly as the source document states them), ``"standard"`` or
      ``"uccs2023"``, the rule sets of ``gridwright.domination``.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> report = check.is_play_valid(lambda size, lookback, plays, index: True)
    >>> print(report.score, report.failures[-1].reason)
    0.0 got True for play ..., which ...
    """
    choice("rules", rules, ("document", "standard", "uccs2023"))
    return run_check(_lines.IsPlayValid(rules), fn, options)


@with_options
def counts(
    fn: Callable[..., Any],
    **options: Unpack[Options],
) -> Report:
    """Checks the count of cells in Linear Domination: ``fn(board)`` returns the numbers of cells of X and of O.

    * ``fn``: the function; ``board`` is ``(H, W)`` uint8, 0 empty, 1 X, 2 O. A function of two arguments is called as
      in the source document, ``fn(board, color)``, with rows of ``" "``, ``"X"`` and ``"O"``, and returns one number.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> check.counts(lambda board: ((board == 2).sum(), (board == 1).sum())).failure.hint
    'X and O are swapped'
    """
    return run_check(_lines.Counts(), fn, options)


@with_options
def output(
    program: Callable[..., Any] | Sequence[str | os.PathLike[str]],
    *,
    rules: str = "document",
    **options: Unpack[Options],
) -> Report:
    """Checks the whole program of Linear Domination, from the text of a game to the board and the counts.

    An empty cell may be printed as a period or a space.

    * ``program``: a function ``fn(text)`` that returns the text of the output, a function
      ``fn(input_path, output_path)`` that writes a file, or a command that starts a program in any language, such as
      ``["./a.out"]``, to which both paths are appended.
    * ``rules``: ``"document"`` (the default; the rules exactly as the source document states them), ``"standard"`` or
      ``"uccs2023"``, the rule sets of ``gridwright.domination``.
    * ``options``: limits, weights, seed and progress, as listed in ``Options``.

    >>> from gridwright import check
    >>> check.output(lambda text: text).failure.part
    'no plays'
    """
    choice("rules", rules, ("document", "standard", "uccs2023"))
    return run_check(_lines.Output(rules), program, options)
