"""Records the steps of submitted code as it runs, in a separate process if the system can fork one."""

from __future__ import annotations

import linecache
import math
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping
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

_SHRINKING = 2.0
"""The maximum time in seconds of the search for a wrong case with fewer nodes."""

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


def _marks(value: Any, nodes: int) -> dict[int, bool | None] | None:
    """Returns the marks that a set, dict or list holds, by node; ``None`` if it holds anything else, such as a graph.

    The nodes in a set are marked. A node that is a key of a dict or an index of a list is marked unless its value is
    ``False``, -1 or infinity; if the value is ``None``, so is the mark.
    """
    if isinstance(value, set):
        value = dict.fromkeys(value, True)
    elif isinstance(value, list):
        if not all(x is None or type(x) in (bool, int, float) for x in value):
            return None
        value = dict(enumerate(value))
    if not all(type(node) is int and 0 <= node < nodes for node in value):
        return None
    if any(isinstance(x, list | set | dict) for x in value.values()):
        return None
    blank = {node for node, x in value.items() if x is False or (type(x) in (int, float) and x in (-1, math.inf))}
    return {node: None if x is None else node not in blank for node, x in value.items()}


def _seen(rows: list[Any], queues: list[list[int] | None], nodes: int, source: int) -> list[list[int] | None]:
    """Returns the nodes seen after each step: those that any variable marks; ``None`` if no variable has marks.

    Only a variable that never loses a marked node has marks. When the queue first holds nodes, it marks only these and
    the source; if the queue is unknown, it does not mark all nodes at once.

    * ``rows``: the steps; each begins with the lists and with the marks, both by name.
    * ``queues``: the queue after each step; all ``None`` if it is unknown.
    * ``nodes``: the number of nodes.
    * ``source``: the node from which distances are counted.
    """
    start = next((at for at, queue in enumerate(queues) if queue), 0)
    waiting = queues[start]
    found: dict[int, set[int]] = {}
    for name in dict.fromkeys(name for row in rows for name in row[1]):
        marks = {at: row[1][name] for at, row in enumerate(rows) if name in row[1]}
        if None in marks.values():
            continue
        # The source has no parent, so its mark may be `None`. If that of another node is too, such nodes are not seen.
        blank = any(mark is None and node != source for each in marks.values() for node, mark in each.items())
        known = (True,) if blank else (True, None)
        seen = {at: {node for node, mark in each.items() if mark in known} for at, each in marks.items()}
        # A list of which no index is ever unmarked holds something else, such as the order of the visits.
        if all(name in rows[at][0] and len(seen[at]) == len(marks[at]) for at in seen):
            continue
        first = next((each for at, each in seen.items() if at >= start and (waiting or each)), set())
        fits = first <= {source, *waiting} if waiting else len(first) < nodes or nodes == 1
        if fits and all(one <= other for one, other in pairwise(seen.values())):
            for at, each in seen.items():
                found[at] = found.get(at, set()) | each
    if not found:
        return [None] * len(rows)
    # While no variable with marks is in scope, as at the end of the function, the nodes seen are those of before.
    for at in range(len(rows)):
        found.setdefault(at, found.get(at - 1, set()))
    return [sorted(found[at]) for at in range(len(rows))]


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
            return list(value) if all(type(x) is int and 0 <= x < nodes for x in value) else None

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
                lists = {name: nodes_in(value) for name, value in values.items() if isinstance(value, list | deque)}
                deques.update(name for name in lists if isinstance(values[name], deque))
                marks = {n: _marks(v, nodes) for n, v in values.items() if isinstance(v, set | dict | list)}
                now = next((v for v in reversed(values.values()) if type(v) is int and 0 <= v < nodes), -1)
                state = [lists, marks, now]
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
        queues = [None if queue is None else row[0].get(queue, []) for row in rows]
        steps: list[Any] = []
        for waiting, seen, (_, _, *rest) in zip(queues, _seen(rows, queues, nodes, ends[0]), rows, strict=True):
            step = [waiting, seen, *rest]
            if not steps or steps[-1][:3] != step[:3]:
                steps.append(step)
        return steps if trouble is None else [*steps, [*steps[-1][:3], trouble, ran]]


def _runner(recorder: Any, submission: Any) -> Any:
    return (Isolated if can_fork() else InPlace)(recorder.invoke, submission, 1024)


def _judge(check: Any, submission: Any) -> Any:
    return judge(check, submission, {"time_limit": 0.5}, shrinking=1.0)


def _fewer_nodes(case: Any, *, graph: bool) -> Iterator[Any]:
    """Yields cases with fewer nodes, the fewest first: nodes without pairs are left out, or nodes are merged.

    * ``case``: ``(nodes, pairs, *ends)``.
    * ``graph``: whether pairs are the edges of a graph without loops or repeated edges.
    """
    nodes, pairs, *ends = case
    used = sorted({*ends, *(node for pair in pairs for node in pair)})
    renumbered = {node: at for at, node in enumerate(used)}
    for count in range(1, nodes):
        merged = {node: node % count for node in used}
        for at in (renumbered, merged) if count == len(used) else (merged,):
            fewer = [(at[u], at[v]) for u, v in pairs]
            if graph:
                fewer = list({frozenset(pair): pair for pair in fewer if pair[0] != pair[1]}.values())
            yield (count, fewer, *(at[end] for end in ends))


def _smallest(check: Any, submission: Any, case: Any, *, graph: bool) -> Any:
    """Returns a wrong case with as few nodes as can be found, and then with as few pairs.

    The large random cases of a check have at least 30 nodes, and are shrunk to fewer pairs first.

    * ``check``: the check that found ``case``.
    * ``submission``: the class or function.
    * ``case``: a wrong case.
    * ``graph``: whether pairs are the edges of a graph without loops or repeated edges.
    """
    runner = _runner(check, submission)
    deadline = time.monotonic() + _SHRINKING

    def wrong(case: Any) -> bool:
        outcome = runner.call(case, 0.5)
        try:
            check.compare(case, check.expect(case), outcome.value)
        except Exception:  # `Wrong`, `UnreadableAnswer`, or no answer at all
            return True
        return outcome.trouble is not None

    def smaller(case: Any) -> bool:
        return time.monotonic() < deadline and wrong(case)

    found, before = case, None
    try:
        while found != before:
            before = found
            found = next(filter(smaller, _fewer_nodes(found, graph=graph)), found)
            for at in reversed(range(len(found[1]))):
                fewer = (found[0], [*found[1][:at], *found[1][at + 1 :]], *found[2:])
                found = fewer if smaller(fewer) else found
        runner.renew()  # the code may be wrong only after other calls
        return found if wrong(found) else case
    finally:
        runner.close()


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
        nodes, unions = _smallest(_FindAndUnion(False), submission, failure.case, graph=False)
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
    the nodes in the queue and the nodes seen (``None`` if unknown), the current node (-1 if unknown), and the line that
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
        return _smallest(Bfs(kind), kinds[kind], failure.case, graph=True), True
    usual = (7, [(0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 5), (5, 6)], 0)
    return (*usual, 6) if kind == "path" else usual, False
