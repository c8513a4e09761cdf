"""Records the steps of submitted code as it runs, in a separate process if the system can fork one."""

from __future__ import annotations

import linecache
import sys
import time
from collections import deque
from collections.abc import Mapping
from functools import wraps
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from ..words import readable
from .graphs import Bfs, UnionFind, _depths, _groups, _neighbors
from .guard import UnreadableAnswer, describe_exception, parameters
from .judge import AllCases, judge
from .worker import InPlace, Isolated, can_fork

__all__ = ["search_steps", "union_steps"]

_MAX = 200
"""The maximum number of steps that are recorded."""

_SECONDS = 4.0
"""The time in seconds after which a search is stopped; the steps recorded until then are kept."""


class _Unions:
    """Performs some unions, then reads the links and the sets."""

    form: int | None = None
    changed = False

    def invoke(self, submission: Any, arguments: Any) -> Any:
        nodes, unions = arguments
        sets = submission(nodes)
        before = self._rows(sets, nodes)
        for u, v in unions:
            sets.union(u, v)
        links = self._links(before, self._rows(sets, nodes))
        names = [sets.find(node) for node in range(nodes)]
        least: dict[Any, int] = {}
        return links, [least.setdefault(name, node) for node, name in enumerate(names)]

    @staticmethod
    def _rows(sets: Any, nodes: int) -> dict[str, list[int]]:
        """Returns the attributes that hold one node for each node, by name."""
        rows = {}
        for name, value in vars(sets).items() if hasattr(sets, "__dict__") else ():
            row = [value.get(node) for node in range(nodes)] if isinstance(value, dict) else value
            if isinstance(row, list) and len(row) == nodes and all(type(x) is int and 0 <= x < nodes for x in row):
                rows[name] = list(row)
        return rows

    @staticmethod
    def _links(before: dict[str, list[int]], now: dict[str, list[int]]) -> list[int] | None:
        """Returns the links of the nodes; ``None`` if no attribute is likely to hold them.

        They are in the attribute that links every node to itself before the first union. The name decides if there are
        several such attributes or none.
        """
        alone = [name for name in now if before.get(name) == list(range(len(now[name])))]
        likely = [n for n in alone or now if any(part in n.lower() for part in ("link", "parent", "rep", "root"))]
        return next((now[name] for name in (*likely, *alone)), None)


class _Stop(BaseException):
    """Raised to end the search once the maximum number of steps is recorded or the time is up."""


def _queue(rows: list[dict[str, list[int] | None]], deques: set[str], source: int) -> str | None:
    """Returns the name of the variable that holds the queue; ``None`` if it is unknown or holds anything but nodes.

    A queue is a deque, or a list that begins with the source and loses nodes later: a list that only grows may be the
    order of the visits, and a list that never holds the source alone may be the distances or the neighbors of a node.

    * ``rows``: after each step, the contents of the lists and deques by name; ``None`` for contents other than nodes.
    * ``deques``: the names of the deques.
    * ``source``: the node from which distances are counted.
    """
    ranks = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        values = [row[name] or [] for row in rows if name in row]
        loses = any(new[: len(old)] != old for old, new in pairwise(values))
        begins = next(filter(None, values), None) == [source]
        if name in deques or (loses and begins):
            ranks[name] = loses, begins
    best = max(ranks, key=lambda name: ranks[name], default=None)
    return None if best is None or any(row.get(best, []) is None for row in rows) else best


class _Search:
    """Calls a search and records a step after each line that changes its queue, seen nodes or current node."""

    form: int | None = None
    changed = False

    def invoke(self, submission: Any, arguments: Any) -> Any:
        nodes, edges, *ends = arguments
        rows: list[Any] = []  # steps with all lists and deques, because only the complete run tells which is the queue
        deques: set[str] = set()
        trouble: str | None = None
        ran = 0  # the number of the line that ran last; 0 before the first one
        file = getattr(getattr(submission, "__code__", None), "co_filename", "")
        linecache.checkcache(file)  # the process may have read the file before it was edited
        here, deadline = sys._getframe(), time.monotonic() + _SECONDS

        def nodes_in(value: Any) -> list[int] | None:
            if isinstance(value, list | deque | set | dict) and all(type(x) is int and 0 <= x < nodes for x in value):
                return list(value)
            return None

        def variables(frame: Any) -> dict[str, Any]:
            """Returns the local variables of a function and of those that called it, its own last."""
            found: dict[str, Any] = {}
            while frame is not None and frame is not here:
                if frame.f_code.co_filename == file:
                    found = {**frame.f_locals, **found}
                frame = frame.f_back
            return found

        def trace(frame: Any, event: str, argument: Any) -> Any:
            if frame.f_code.co_filename != file:
                return None
            nonlocal ran, trouble
            if event in ("line", "return"):
                # Python reports a line before the line runs, so a change found now was made by the previous line.
                number, ran = ran or frame.f_lineno, frame.f_lineno
                values = variables(frame)
                found = {name: nodes_in(value) for name, value in values.items()}
                lists = {name: found[name] for name, value in values.items() if isinstance(value, list | deque)}
                deques.update(name for name in lists if isinstance(values[name], deque))
                seen = [v for n, v in found.items() if v is not None and isinstance(values[n], set | dict)]
                # A set or dict that holds all nodes in order is taken for the graph if there is another set or dict.
                seen = [v for v in seen if len(v) <= nodes and v != list(range(nodes))] or seen[-1:]
                now = next((v for v in reversed(values.values()) if type(v) is int and 0 <= v < nodes), -1)
                state = [lists, sorted({x for v in seen for x in v}), now]
                if not rows or rows[-1][:3] != state:
                    line = linecache.getline(file, number).strip()
                    rows.append([*state, readable(line, 80), number])
                if time.monotonic() > deadline:
                    trouble = f"did not finish within {_SECONDS:g} s"
                elif len(rows) >= _MAX:
                    trouble = f"did not finish within {_MAX} steps"
                if trouble:
                    raise _Stop
            return trace

        sys.settrace(trace)
        try:
            if self.form == 2 + len(ends):
                submission(nodes, [tuple(each) for each in edges], *ends)
            else:
                submission(_neighbors(nodes, edges), *ends)
        except _Stop:
            pass
        except (Exception, SystemExit) as error:
            trouble = describe_exception(error)
        finally:
            sys.settrace(None)
        if not rows:
            raise UnreadableAnswer(trouble or "cannot be watched line by line: only plain Python functions can")
        queue = _queue([row[0] for row in rows], deques, ends[0])
        steps: list[Any] = []
        for lists, *rest in rows:
            step = [None if queue is None else lists.get(queue, []), *rest]
            if not steps or steps[-1][:3] != step[:3]:
                steps.append(step)
        return steps if trouble is None else [*steps, [*steps[-1][:3], trouble, ran]]


def _runner(recorder: Any, submission: Any) -> Any:
    return (Isolated if can_fork() else InPlace)(recorder.invoke, submission, 1024)


def _judge(check: Any, submission: Any) -> Any:
    return judge(check, submission, {"time_limit": 0.5}, shrinking=1.0)


class _FindAndUnion(UnionFind):
    """Checks only what a film shows: ``connected`` is not called."""

    def invoke(self, submission: Any, arguments: Any) -> Any:
        def made(nodes: int) -> Any:
            sets = submission(nodes)
            return SimpleNamespace(find=sets.find, union=sets.union)

        return super().invoke(made, arguments)


def union_steps(submission: Any) -> tuple[int, list[tuple[int, int]], list[dict[str, Any]], str]:
    """Returns the node count, the unions, the states, and where the code is wrong, empty if it is right.

    There is a state before the first union, and one after each union. A state is a dict: ``links`` holds the link of
    each node, ``sets`` the smallest node of each node's set, ``expected`` the correct ``sets``, and ``trouble`` what
    went wrong in the call. ``links`` and ``sets`` are ``None`` if unknown, and ``trouble`` if nothing went wrong.

    * ``submission``: a class with ``union`` and ``find``.
    """
    nodes, unions, wrong = 6, [(0, 1), (2, 3), (4, 5), (1, 3), (5, 0)], ""
    failure = _judge(_FindAndUnion(False), submission).failure
    if failure is not None:
        nodes, unions = failure.case
        wrong = "where it is wrong"
        if _judge(_FindAndUnion(True), submission).passed:
            wrong += " unless union is called with representatives"
    unions = [(u, v) for u, v in unions]
    runner = _runner(_Unions(), submission)
    steps = []
    try:
        for count in range(len(unions) + 1):
            outcome = runner.call((nodes, unions[:count]), 1.0)
            links, sets = outcome.value if outcome.trouble is None else (None, None)
            expected = _groups(nodes, unions[:count])
            steps.append({"links": links, "sets": sets, "expected": expected, "trouble": outcome.trouble})
    finally:
        runner.close()
    return nodes, unions, steps, wrong


def search_steps(submission: Any) -> tuple[int, Any, int, list[Any], str | None, list[int], bool]:
    """Returns the node count, edges, source, steps, trouble, correct distances, and whether the code is wrong.

    ``trouble`` is the reason if there are no steps, otherwise ``None``. A step is ``(queue, seen, now, line, number)``:
    the nodes in the queue (``None`` if unknown), the nodes seen, the current node (-1 if unknown), and the line that
    ran, with its number. If the call raised an exception or did not finish, ``line`` of the last step says so.

    * ``submission``: a function that ``check.bfs`` accepts, whichever of the answers it returns.
    """
    case, wrong = _search_case(submission)
    runner = _runner(_Search(), submission)
    try:
        outcome = runner.call(case, 5.0)
    finally:
        runner.close()
    steps = [] if outcome.trouble is not None else list(outcome.value)
    return *case[:3], steps, outcome.trouble, _depths(*case[:3]), wrong


class _SmallBfs(Bfs):
    """Checks all small graphs and nothing else, which tells the kinds of answers apart."""

    def parts(self, st: Any) -> list[tuple[str, Any]]:
        return [(name, cases) for name, cases in super().parts(st) if isinstance(cases, AllCases)]


def _search_case(submission: Any) -> tuple[Any, bool]:
    """Returns the smallest case on which a search is wrong, or a typical case if it is right, and whether it is wrong.

    * ``submission``: the search; the kind of its answers is the one that is right most often.
    """

    @wraps(submission)
    def listed(*arguments: Any) -> Any:
        answer = submission(*arguments)
        # The keys of a dict of distances may be in a right order, even if the distances are wrong.
        return None if isinstance(answer, Mapping) else answer

    kinds = {"depth": submission, "parent": submission, "order": listed}
    if parameters(submission) != 2:
        kinds["path"] = listed
    kind = max(kinds, key=lambda kind: sum(part.passed for part in _judge(_SmallBfs(kind), kinds[kind]).parts))
    failure = _judge(Bfs(kind), kinds[kind]).failure
    if failure is not None:
        return failure.case, True
    usual = (7, [(0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 5), (5, 6)], 0)
    return (*usual, 6) if kind == "path" else usual, False
