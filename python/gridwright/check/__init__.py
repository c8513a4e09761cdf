"""Checks your own implementations: hand in a function and see a picture of the smallest case on which it is wrong.

Each check returns a ``Report``, which a notebook draws and ``str`` writes as text. It has ``.passed``, ``.score`` from
0 to 1 for a grader, and ``.raise_if_wrong()`` for a test. Small cases are tried before larger ones, in the same order
in every run. For each part that is not right, the smallest wrong case is shown, with a hint if the mistake is known.

The code runs in its own process with limits of time and memory. Endless loops, exceptions, prints, exits and changes to
its arguments do no harm, and the expected answers are computed where the code cannot see them. On systems that cannot
copy a process (browsers, Windows) it runs in place, and the report says so. Needs ``gridwright[teach]``.

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
(False, 0.0)
>>> "expected" in report.failure.reason
True
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import blocks as _blocks
from . import fields as _fields
from . import graphs as _graphs
from . import light as _light
from . import lines as _lines
from . import program as _program
from . import wires as _wires
from .judge import Check, Options, judge
from .report import Failure, Part, Report, WrongAnswer

__all__ = [
    "Failure",
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

_SHRINKING = 5.0
"""The most seconds per part for the search for its smallest wrong case."""


def _run(
    check: Check,
    submission: Any,
    time_limit: float,
    memory_limit: int,
    weights: Mapping[str, float] | None,
    seed: int | None,
    progress: Any,
) -> Report:
    return judge(check, submission, Options(time_limit, memory_limit, weights, seed, progress, _SHRINKING))


def _choice(name: str, value: Any, choices: Sequence[str]) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, got {value!r} ({type(value).__name__})")
    if value not in choices:
        *most, last = map(repr, choices)
        raise ValueError(f"{name} must be {', '.join(most)} or {last}, got {value!r}")


def _truth(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be a bool, got {value!r} ({type(value).__name__})")


def for_student(student: str, key: str) -> int:
    """Returns a seed for a student, so that each student gets other cases or boards.

    A student who does not know ``key`` cannot compute the seed of another student.

    * ``student``: the name or number of the student, a string that is not empty.
    * ``key``: a secret of the course, a string that is not empty.

    Returns an integer from 0 to 2^63 - 1, for the argument ``seed`` of a check or of ``generate``.

    >>> from gridwright import check
    >>> check.for_student("ada", key="autumn") == check.for_student("ada", key="autumn")
    True
    >>> check.for_student("ada", key="autumn") == check.for_student("bob", key="autumn")
    False
    """
    for name, value in (("student", student), ("key", key)):
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a string, got {value!r} ({type(value).__name__})")
        if not value:
            raise ValueError(f"{name} must not be empty, got ''")
    digest = hmac.new(key.encode(), student.encode(), hashlib.sha256).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def create_board(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks how GeeseSpotter creates a board: ``fn(x_dim, y_dim)`` returns a new board of zeros.

    The board has one dimension, as in the source document, or ``y_dim`` rows of ``x_dim`` fields. It is any list or
    array of numbers that can be changed. Rows that are the same list, and a board that two calls share, are wrong.

    * ``fn``: the function.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> report = check.create_board(lambda x_dim, y_dim: [[0] * x_dim] * y_dim)
    >>> print(report.failure.call, report.failure.hint, sep="\\n")
    yours(1, 2)
    [[0] * width] * height repeats one row: make a new list for each row, in a loop
    """
    return _run(_fields.CreateBoard(), fn, time_limit, memory_limit, weights, seed, progress)


def clean_board(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks how GeeseSpotter clears a board: ``fn(board)`` sets every field to 0 and returns nothing.

    The source document's function frees memory, which Python does by itself.

    * ``fn``: the function; ``board`` is a one-dimensional uint8 array.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> check.clean_board(lambda board: board.fill(0)).passed
    True
    """
    return _run(_fields.CleanBoard(), fn, time_limit, memory_limit, weights, seed, progress)


def print_board(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks how GeeseSpotter prints a board: ``fn(board)`` prints one line per row.

    A field is printed as ``*`` if it is hidden, ``M`` if it is marked, otherwise as its value. Spaces at the end of a
    line are ignored.

    * ``fn``: the function; ``board`` is ``(H, W)`` uint8. A function of three arguments is called as in the source
      document, ``fn(board, x_dim, y_dim)``, with a one-dimensional board.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> def show(board):
    ...     for row in board:
    ...         print(" ".join("*" if field & 0x20 else str(field) for field in row))
    >>> check.print_board(show).failures[-1].hint
    'there is no space between the fields'
    """
    return _run(_fields.PrintBoard(), fn, time_limit, memory_limit, weights, seed, progress)


def spread_geese(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks how GeeseSpotter places geese: ``fn(board, num_geese)`` writes 9 into ``num_geese`` random fields.

    It is called 300 times on small boards: each field must get a goose about equally often, within six standard
    deviations.

    * ``fn``: the function; ``board`` is ``(H, W)`` uint8 of 0. A function of four arguments is called as in the source
      document, ``fn(board, x_dim, y_dim, num_geese)``, with a one-dimensional board.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> import random
    >>> def lay(board, num_geese):
    ...     for _ in range(num_geese):
    ...         board[random.randrange(len(board)), random.randrange(len(board[0]))] = 9
    >>> check.spread_geese(lay).failure.hint
    'a field is drawn twice: draw again if it has a goose already'
    """
    return _run(_fields.SpreadGeese(), fn, time_limit, memory_limit, weights, seed, progress)


def hide_board(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks how GeeseSpotter hides a board: ``fn(board)`` sets the bit 0x20 of every field.

    * ``fn``: the function; ``board`` is ``(H, W)`` uint8 of values 0 to 9, changed in place, or a changed copy is
      returned. A function of three arguments is called as ``fn(board, x_dim, y_dim)`` with a one-dimensional board.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> def hide(board):
    ...     board[:] = 0x20
    >>> check.hide_board(hide).failure.hint
    'the values are lost: set the bit 0x20 and keep the others'
    """
    return _run(_fields.HideBoard(), fn, time_limit, memory_limit, weights, seed, progress)


def mark(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks how GeeseSpotter marks: ``fn(board, row, col)`` toggles the mark of a hidden field and returns 0.

    The bit of a mark is 0x10, that of a hidden field 0x20. A revealed field is left unchanged, and 2 is returned.

    * ``fn``: the function; ``board`` is ``(H, W)`` uint8, changed in place, or ``(code, board)`` is returned. A
      function of five arguments is called as in the source document, ``fn(board, x_dim, y_dim, x_loc, y_loc)``, with a
      one-dimensional board.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

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
    return _run(_fields.Mark(), fn, time_limit, memory_limit, weights, seed, progress)


def compute_neighbours(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks how GeeseSpotter counts: ``fn(board)`` writes the number of geese around it into each field without one.

    * ``fn``: the function; ``board`` is ``(H, W)`` uint8 of 0 and 9, a goose; it is changed in place, or a changed copy
      is returned. A function of three arguments is called as in the source document, ``fn(board, x_dim, y_dim)``, with
      a one-dimensional board.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

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
    The smallest case that was found (all boards of 4 to 6 fields):
      board = np.array([[0, 0], [0, 9]], dtype=np.uint8); cross(board); board
      at (0, 0): got 0, expected 1
      Hint: the corners are forgotten: a field has eight neighbors.
    <BLANKLINE>
    given    expected   got
     0  0     1  1      [0] 1
     0  9     1  9       1  9
    ...
    """
    return _run(_fields.ComputeNeighbours(), fn, time_limit, memory_limit, weights, seed, progress)


def reveal(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks how GeeseSpotter shows a field: ``fn(board, row, col)`` reveals it and returns a code.

    The code is 1 if the field is marked and stays hidden, 2 if it was already revealed, 9 if it is a goose, now
    revealed, and 0 otherwise. A field of value 0, revealed now or before, also reveals its unmarked neighbors, but not
    the neighbors of these.

    * ``fn``: the function; ``board``, the answer and a function of five arguments are as in ``mark``.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> def reveal(board, row, col):
    ...     board[row, col] &= 0x1F
    ...     return 9 if board[row, col] == 9 else 0
    >>> report = check.reveal(reveal)
    >>> print(report.failure.reason)
    returned 0, expected 2
    """
    return _run(_fields.Reveal(), fn, time_limit, memory_limit, weights, seed, progress)


def is_game_won(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks the end of GeeseSpotter: ``fn(board)`` returns whether every field without a goose is revealed.

    * ``fn``: the function; ``board`` is ``(H, W)`` uint8. A function of three arguments is called as
      ``fn(board, x_dim, y_dim)`` with a one-dimensional board.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> check.is_game_won(lambda board: not (board & 0x20).any()).failure.hint
    'the geese need not be revealed: only the fields without one'
    """
    return _run(_fields.IsGameWon(), fn, time_limit, memory_limit, weights, seed, progress)


def console(
    program: Callable[[], Any] | Sequence[str | os.PathLike[str]],
    *,
    dialogues: Sequence[tuple[str, str]] | None = None,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks a program that talks to its user: what it prints in answer to what is typed.

    Without ``dialogues`` the program is that of the GeeseSpotter document, on boards whose dialogue does not depend on
    chance: the prompts and boards must come in order, and the program may print sentences of its own between them.

    * ``program``: a function that calls ``input`` and ``print``, or a command in any language: ``["./a.out"]``.
    * ``dialogues``: pairs (typed text, printed text), at least one, compared line by line; spaces at the end of a line
      are ignored. ``None`` (the default) for the program of the GeeseSpotter document.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> def greet():
    ...     print("Hello, " + input())
    >>> check.console(greet, dialogues=[("Ada\\n", "Hello, Ada!\\n")]).failure.reason
    "line 1: got 'Hello, Ada', expected 'Hello, Ada!'"
    """
    if dialogues is not None:
        if isinstance(dialogues, str) or not isinstance(dialogues, Sequence):
            raise TypeError(f"dialogues must be a list of pairs, got {dialogues!r} ({type(dialogues).__name__})")
        if not dialogues or not all(
            isinstance(each, tuple | list) and len(each) == 2 and all(isinstance(text, str) for text in each)
            for each in dialogues
        ):
            raise ValueError(f"dialogues must be pairs of typed and printed text, at least one, got {dialogues!r}")
    return _run(_program.Console(dialogues), program, time_limit, memory_limit, weights, seed, progress)


def union_find(
    cls: Callable[[int], Any] | tuple[Callable[..., Any], Callable[..., Any]],
    *,
    roots: bool = False,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks a union-find: ``cls(n)`` makes n sets of one node each, 0 to n - 1.

    ``union(u, v)`` joins the sets of two nodes. ``find(u)`` returns the name of the set of a node, of any type: equal
    for nodes of one set, different for nodes of two sets. If there is a method ``connected(u, v)``, it is checked too.

    * ``cls``: the class; or the pair ``(find, union)`` of the source document's functions ``find(representatives,
      name)`` and ``union(representatives, one, other)``, which are given a dict of names and only representatives to
      join.
    * ``roots``: whether ``union`` is only called with results of ``find``, as in the source document. Default
      ``False``.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

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
    _truth("roots", roots)
    return _run(_graphs.UnionFind(roots), cls, time_limit, memory_limit, weights, seed, progress)


def kruskal(
    fn: Callable[..., Any],
    *,
    edge: Callable[[int, int, int], Any] | None = None,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks a minimum spanning tree: ``fn(nodes, edges)`` returns the edges of one.

    The answer is right if it has no cycle, connects all nodes, and no spanning tree has a smaller weight; ties may be
    broken in any way. If the graph is not connected, a spanning forest is expected.

    * ``fn``: the function. ``nodes`` is the number of nodes, ``edges`` a list of ``(u, v, weight)`` in any order, each
      pair at most once; weights are integers that may repeat or be negative. A function of three arguments is called as
      ``fn(nodes, pairs, weights)``, one of one argument as ``fn(edges)``. The answer is a list, in any order, of edges
      ``(u, v, weight)``, of pairs ``(u, v)``, of indices into ``edges``, or of objects with two ends.
    * ``edge``: a class that is called with ``(u, v, weight)`` for each edge and replaces the tuples; its ends are the
      attributes ``fromNode`` and ``toNode``, ``from_node`` and ``to_node``, ``u`` and ``v``, ``source`` and ``target``,
      or ``a`` and ``b``. ``None`` (the default) for tuples.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> report = check.kruskal(lambda nodes, edges: sorted(edges, key=lambda edge: edge[2])[: nodes - 1])
    >>> print(report.failure.call, report.failure.hint, sep="\\n")
    yours(4, ...)
    the lightest n - 1 edges are taken: leave out those whose ends are connected already
    """
    if edge is not None and not callable(edge):
        raise TypeError(f"edge must be a class, got {edge!r} ({type(edge).__name__})")
    return _run(_graphs.Kruskal(edge), fn, time_limit, memory_limit, weights, seed, progress)


def bfs(
    fn: Callable[..., Any],
    *,
    answer: str = "depth",
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks a breadth-first search: ``fn(graph, source)``, with a dict from each node to the list of its neighbors.

    * ``fn``: the function. A function of three arguments is called as ``fn(nodes, edges, source)``.
    * ``answer``: what the function returns. ``"depth"`` (the default): the number of edges from the source to each
      node. ``"parent"``: the node from which each node was reached. Both are a list or array with one number per node,
      or a dict, with -1, ``None``, infinity or no entry for nodes that are not reached. ``"order"``: the list of nodes
      in the order in which they were taken from the queue; neighbors of a node may be visited in any order. ``"path"``:
      a shortest list of nodes from source to target, ``None`` if there is none, as ``fn(graph, source, target)`` or
      ``fn(nodes, edges, source, target)``.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

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
    >>> report = check.bfs(depths)
    >>> print(report.failure.reason, report.failure.hint, sep="\\n")
    node ... is ... away, got ...
    a stack instead of a queue: this is depth-first search; the node that has waited longest comes first
    """
    _choice("answer", answer, ("depth", "order", "parent", "path"))
    return _run(_graphs.Bfs(answer), fn, time_limit, memory_limit, weights, seed, progress)


def diameter(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks the diameter of a tree: ``fn(nodes, edges)`` returns the number of edges of a longest path.

    * ``fn``: the function; ``edges`` is a list of ``(u, v)``. A function of one argument gets a dict from each node to
      the list of its neighbors.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> report = check.diameter(lambda nodes, edges: nodes - 1)
    >>> report.score, report.failure.call
    (0.0, 'yours(4, [(0, 1), (0, 2), (0, 3)])')
    """
    return _run(_graphs.Diameter(), fn, time_limit, memory_limit, weights, seed, progress)


def radius(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks the radius of the power station: ``fn(nodes, edges)`` returns diameter // 2 + 1 of a tree.

    * ``fn``: the function; arguments as in ``diameter``.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> check.radius(lambda nodes, edges: nodes // 2 + 1).passed
    False
    """
    return _run(_graphs.Radius(), fn, time_limit, memory_limit, weights, seed, progress)


def power(
    fn: Callable[..., Any],
    *,
    pieces: bool = False,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks the power of LightEmAll: ``fn(wires, station)`` returns which tiles are connected to the station.

    * ``fn``: the function. ``wires`` is ``(H, W)`` uint8, bits N=1 E=2 S=4 W=8, ``station`` a tuple ``(row, col)``, the
      answer ``(H, W)`` bool. A function of three arguments, ``fn(wires, station, radius)``, must return the tiles that
      are connected and at most ``radius`` tiles away along the wires.
    * ``pieces``: whether the board is that of the source document: a list of columns of pieces with the attributes
      ``left right top bottom powered``. ``fn(board, power_row, power_col)``, with ``radius`` as a fourth argument if it
      takes one, then sets ``powered``. Default ``False``.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> report = check.power(lambda wires, station: wires > 0)
    >>> report.passed, report.score
    (False, 0.0)
    """
    _truth("pieces", pieces)
    return _run(_wires.Power(pieces), fn, time_limit, memory_limit, weights, seed, progress)


def rotate(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks a quarter turn clockwise of a tile of LightEmAll.

    * ``fn``: a function of a tile, an integer with the bits N=1 E=2 S=4 W=8 that also has the attributes ``top right
      bottom left``. It returns the turned number or changes the attributes. A function of two arguments is called as
      ``fn(tile, turns)``. Or a class: it is called with ``top= right= bottom= left=``, and its ``rotate()`` is checked.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> check.rotate(lambda tile: (tile << 1) & 15).failure.hint
    'the last wire is lost: what leaves at one end comes in at the other'
    """
    return _run(_wires.Rotate(), fn, time_limit, memory_limit, weights, seed, progress)


def beams(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks the light of MyPhoton: ``fn(board)`` returns the sides of each tile that light crosses.

    * ``fn``: the function. ``board`` is ``(H, W)`` uint8 with the codes of ``gridwright.photon.Tile`` (sensors never
      lit). The answer is ``(H, W)`` with the bits N=1 E=2 S=4 W=8: the sides by which light enters or leaves the tile.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> import numpy as np
    >>> report = check.beams(lambda board: np.zeros_like(board))
    >>> print(report.failure.reason)
    at (0, 0), tile '.': got 0 (none), expected 10 (EW)
    """
    return _run(_light.Beams(), fn, time_limit, memory_limit, weights, seed, progress)


def can_select(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks which tiles of MyPhoton may be picked up: ``fn(board, row, col)`` is true only for hardware.

    Hardware is mirrors, T-mirrors and beam splitters.

    * ``fn``: the function; ``board`` as in ``beams``. A function of two arguments is called as
      ``fn(board, (row, col))``, one of four arguments as in the source document, ``fn(board, x, y, first)``; if
      ``first`` is false, an empty tile may be selected too.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> from gridwright.photon import Tile
    >>> check.can_select(lambda board, row, col: board[row, col] != Tile.WALL).failure.hint
    'everything but walls is selected: only mirrors, T-mirrors and splitters move'
    """
    return _run(_light.CanSelect(), fn, time_limit, memory_limit, weights, seed, progress)


def swap(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks the exchange of two tiles of MyPhoton: ``fn(board, one, other)``, with cells ``(row, col)``.

    * ``fn``: the function; ``board`` as in ``beams``, changed in place, or a changed copy is returned. A function of
      five arguments is called as in the source document, ``fn(board, x1, y1, x2, y2)``.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> def swap(board, one, other):
    ...     board[one] = board[other]
    ...     board[other] = board[one]
    >>> check.swap(swap).failure.hint
    'one tile is lost: keep it in a variable, or write a, b = b, a'
    """
    return _run(_light.Swap(), fn, time_limit, memory_limit, weights, seed, progress)


def parse(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks how MyPhoton reads levels: ``fn(text)`` returns the board.

    For a malformed level the function must raise an exception.

    * ``fn``: the function. ``text`` begins with width and height; each tile takes two characters. The answer is
      ``(H, W)`` with the codes of ``gridwright.photon.Tile``, or rows of signs such as ``"L>"`` and ``"."``.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> def parse(text):
    ...     size, *rows = text.splitlines()
    ...     return [row.split() for row in rows]
    >>> check.parse(parse).failure.part
    'broken worlds'
    """
    return _run(_light.Parse(), fn, time_limit, memory_limit, weights, seed, progress)


def block(
    cls: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks the rolling block of Bloxorz: ``cls(row, col)`` makes a standing block.

    * ``cls``: the class. It has ``left() right() up() down()``, which change the block or return a new one;
      ``positions()``, the cells under the block in any order; and ``is_standing()`` (``isStanding`` is accepted too),
      as methods or attributes. Cells are ``(row, col)`` or objects with ``x`` and ``y``. A class of one argument gets a
      position with ``row``, ``col``, ``x``, ``y``, ``dx`` and ``dy``, as in the source document.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> check.block(object).failure.reason
    'raised TypeError: object() takes no arguments'
    """
    return _run(_blocks.Block(), cls, time_limit, memory_limit, weights, seed, progress)


def terrain(
    cls: Callable[[str], Any],
    *,
    file: bool = False,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks the terrain of Bloxorz: ``cls(text)`` reads a level.

    * ``cls``: the class. It has ``start target width height``, as methods or attributes; ``at(cell)``, which returns 2
      for a tile, 1 for a light tile and 0 for none; and ``can_hold(block)`` (``canHold`` is accepted too). ``cell`` is
      a tuple ``(row, col)`` that also has ``x`` and ``y``; ``block`` has ``positions()`` and ``is_standing()``.
    * ``file``: whether the class gets the path of a file instead of the text, as in the source document. Default
      ``False``.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> check.terrain(str).failure.reason
    'it has no can_hold'
    """
    _truth("file", file)
    return _run(_blocks.Terrain(file), cls, time_limit, memory_limit, weights, seed, progress)


def solve(
    fn: Callable[[str], Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks a solver of Bloxorz: ``fn(text)`` returns a shortest solution as a string of the keys l, u, r, d.

    Levels have tiles, light tiles, start and target, and neither switches nor bridges.

    * ``fn``: the function; it returns ``None`` if the target cannot be reached.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> check.solve(lambda text: "rr").score
    0.0
    """
    return _run(_blocks.Solve(), fn, time_limit, memory_limit, weights, seed, progress)


def parametric_line(
    cls: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks the lines of Linear Domination: ``cls(tail, head)`` is the line between two cells.

    * ``cls``: the class; cells are ``(row, col)``. A class of four arguments gets both numbers of the tail, then those
      of the head. It has ``vector``, ``vector_normalized`` (not checked for a line of zero length) and ``midpoint``, as
      methods or attributes, and ``barycentric_coordinate(t)``; the source document's names are accepted too. Points are
      the centers of cells, at + 0.5.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> check.parametric_line(lambda tail, head: None).failure.reason
    'it has no vector'
    """
    return _run(_lines.ParametricLine(), cls, time_limit, memory_limit, weights, seed, progress)


def trace_line(
    fn: Callable[..., Any],
    *,
    method: str = "amanatides-woo",
    ordered: bool = True,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks line tracing: ``fn(tail, head)`` lists the cells that a segment crosses, from tail to head.

    * ``fn``: the function. ``tail`` and ``head`` are tuples ``(row, col)`` of integers of at least 0, and the segment
      runs between the centers of these cells. A function of four arguments is called as ``fn(row, col, row, col)``. The
      answer is a list of cells or an ``(n, 2)`` array.
    * ``method``: a method of ``gridwright.tracing`` other than ``"wu"``. ``"amanatides-woo"`` (the default) expects the
      cells whose interior is crossed, and steps diagonally through corners.
    * ``ordered``: whether the cells must come in order. Default ``True``.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> report = check.trace_line(lambda tail, head: [tail, head])
    >>> print(report.failure.call, report.failure.reason, sep="\\n")
    yours((0, 0), (0, 0))
    (0, 0) is in the answer more than once
    """
    _truth("ordered", ordered)
    _choice("method", method, _lines.METHODS)
    return _run(_lines.TraceLine(method, ordered), fn, time_limit, memory_limit, weights, seed, progress)


def is_play_valid(
    fn: Callable[..., Any],
    *,
    rules: str = "document",
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks the rules of Linear Domination: ``fn(size, lookback, plays, index)`` returns whether a play is legal.

    * ``fn``: the function. ``plays`` is a list of ``(row, col, row, col)``, tail and head, 0-based; ``index`` is that
      of the play to judge, the last one. Ends may lie off the board. The answer is a bool.
    * ``rules``: ``"document"`` (the default; only the two rules that the document states), ``"standard"`` or
      ``"uccs2023"``, as in ``gridwright.domination``.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> report = check.is_play_valid(lambda size, lookback, plays, index: True)
    >>> print(report.score, report.failures[-1].reason)
    0.0 got True for play ..., which is ...
    """
    _choice("rules", rules, ("document", "standard", "uccs2023"))
    return _run(_lines.IsPlayValid(rules), fn, time_limit, memory_limit, weights, seed, progress)


def counts(
    fn: Callable[..., Any],
    *,
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks the counting of Linear Domination: ``fn(board)`` returns the numbers of cells of X and of O.

    * ``fn``: the function; ``board`` is ``(H, W)`` uint8, 0 empty, 1 X, 2 O. A function of two arguments is called as
      in the source document, ``fn(board, color)``, with rows of ``" "``, ``"X"`` and ``"O"``, and returns one number.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> check.counts(lambda board: ((board == 2).sum(), (board == 1).sum())).failure.hint
    'X and O are swapped'
    """
    return _run(_lines.Counts(), fn, time_limit, memory_limit, weights, seed, progress)


def output(
    program: Callable[..., Any] | Sequence[str | os.PathLike[str]],
    *,
    rules: str = "document",
    time_limit: float = 2.0,
    memory_limit: int = 1024,
    weights: Mapping[str, float] | None = None,
    seed: int | None = None,
    progress: Any = None,
) -> Report:
    """Checks the whole program of Linear Domination: from the text of a game to the board and the counts.

    An empty cell may be a period or a space.

    * ``program``: a function ``fn(text)`` that returns the text of the output, a function
      ``fn(input_path, output_path)`` that writes a file, or a command in any language, such as ``["./a.out"]``, to
      which both paths are appended.
    * ``rules``: as in ``is_play_valid``.
    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, at least 0; other parts have weight 1.
    * ``seed``: 0 to 2^64 - 1, such as ``for_student`` returns, for other random cases; ``None`` for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update`` such as tqdm's.

    >>> from gridwright import check
    >>> check.output(lambda text: text).failure.part
    'no plays'
    """
    _choice("rules", rules, ("document", "standard", "uccs2023"))
    return _run(_lines.Output(rules), program, time_limit, memory_limit, weights, seed, progress)
