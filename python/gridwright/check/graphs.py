"""Checks of union-find, Kruskal, breadth-first search, diameter and radius; each check accepts every right answer."""

from __future__ import annotations

import importlib
import itertools
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..words import counted
from .guard import UnreadableAnswer
from .judge import AllCases, Check, Mistake, Source, Wrong, WrongWithHint
from .panels import Graph, Panel
from .read import list_of, shown, truth_of, whole

__all__ = ["Bfs", "Diameter", "Kruskal", "Radius", "UnionFind"]

_ENDS = (("from_node", "to_node"), ("fromNode", "toNode"), ("u", "v"), ("source", "target"), ("a", "b"))
"""The pairs of attribute names that an edge object may have for its ends."""

# The worked example of the source document, with the nodes A to F numbered 0 to 5.
_EXAMPLE = (
    6,
    [(4, 2, 15), (2, 3, 25), (0, 1, 30), (1, 4, 35), (1, 2, 40), (5, 3, 50), (0, 4, 50), (1, 5, 50)],
)


def _reference() -> Any:
    """Returns ``gridwright.graph``, which computes the expected answers."""
    return importlib.import_module("gridwright.graph")


def _graphs(st: Any, least: int, most: int, many: int, weight: Any) -> Any:
    """Returns a strategy for graphs without loops or repeated edges: ``(nodes, [(u, v, weight), ...])``.

    The graphs have ``least`` to ``most`` nodes and at most ``many`` edges. If ``least`` is 9 or more, they also have at
    least as many edges as nodes.
    """

    def edges(nodes: int) -> Any:
        if nodes < 2:
            return st.just((nodes, []))
        node = st.integers(0, nodes - 1)
        edge = st.tuples(node, node, weight).filter(lambda each: each[0] != each[1])
        pair = lambda each: (min(each[:2]), max(each[:2]))  # noqa: E731
        low = 0 if least < 9 else nodes
        return st.tuples(st.just(nodes), st.lists(edge, min_size=low, max_size=many, unique_by=pair))

    return st.integers(least, most).flatmap(edges)


def _links(edges: Any) -> Any:
    return np.array([each[:2] for each in edges], dtype=np.int32).reshape(-1, 2)


def _neighbors(nodes: int, edges: Any) -> dict[int, list[int]]:
    neighbors: dict[int, list[int]] = {node: [] for node in range(nodes)}
    for u, v, *_ in edges:
        neighbors[u].append(v)
        neighbors[v].append(u)
    return {node: sorted(others) for node, others in neighbors.items()}


def _groups(nodes: int, edges: Any) -> list[int]:
    """Returns for each node the smallest node of its component."""
    found = _reference().UnionFind(nodes)
    for u, v, *_ in edges:
        found.union(u, v)
    least: dict[int, int] = {}
    return [least.setdefault(found.find(node), node) for node in range(nodes)]


class _EdgeWeights(tuple[int, ...]):
    """The sorted weights of a choice of edges; equal to any choice of edges with the same weights."""

    _edges: Any

    def __new__(cls, taken: Any, case: Any) -> _EdgeWeights:
        made = super().__new__(cls, sorted(case[1][at][2] for at in taken))
        made._edges = case[1]
        return made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple) or any(isinstance(at, str) for at in other):
            return False
        return tuple(self) == tuple(sorted(self._edges[at][2] for at in other))

    __hash__ = tuple.__hash__


class _Sets(tuple[int, ...]):
    """The sets according to ``find``; equal to an answer with these sets if ``connected`` agrees with ``find``."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple):
            return False
        # The expected answer is a tuple of sets, without the results of `connected`.
        sets, connections = other if isinstance(other[0], tuple) else (other, ())
        return tuple(self) == sets and all(have == (sets[u] == sets[v]) for u, v, have in connections)

    __hash__ = tuple.__hash__


class _Representatives:
    """The source document's union-find: two functions and a dict from the name of each node to its link."""

    def __init__(self, find: Any, union: Any, nodes: int) -> None:
        self._find, self._union = find, union
        self._names = self.names(nodes)
        self.link = {name: name for name in self._names}

    @staticmethod
    def names(nodes: int) -> list[str]:
        """Returns the names of the nodes: A to Z, or n0, n1, ... if there are more."""
        return [chr(65 + node) if nodes <= 26 else f"n{node}" for node in range(nodes)]

    def find(self, node: int) -> Any:
        return self._find(self.link, self._names[node])

    def union(self, a: Any, b: Any) -> None:
        self._union(self.link, a, b)


_MAX_CONNECTED = 12
"""The maximum number of nodes, from node 0 on, for which ``connected`` is called."""
_MAX_QUEUE = 100_000
"""The maximum length of the queue of a modeled search that visits nodes more than once."""
_HUES = ("sky", "yellow", "green", "purple", "orange", "tile_soft", "blue", "muted")


class UnionFind(Check):
    """Checks a union-find, which is a class or two functions.

    * ``roots``: whether ``union`` is only called with results of ``find``, as in the source document.
    """

    NAME = "union_find"
    ARGUMENT = "cls"
    ACCEPTED = "a class, or the functions find and union"

    def __init__(self, roots: bool) -> None:
        self._roots = roots
        self._two_functions = False

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "alone", [(1, []), (2, []), (3, [])]
        yield (
            "one union",
            [(2, [(0, 1)]), (2, [(1, 0)]), (3, [(0, 2)]), (3, [(2, 1)]), (2, [(0, 0)]), (2, [(0, 1), (1, 0)])],
        )
        yield "chains", [(n, [(i, i + 1) for i in range(n - 1)]) for n in (3, 4, 5)]
        yield "chains backward", [(n, [(i + 1, i) for i in reversed(range(n - 1))]) for n in (3, 4, 5)]
        ordered = list(itertools.permutations(range(3), 2))
        some = [(3, list(steps)) for count in (1, 2, 3) for steps in itertools.product(ordered, repeat=count)]
        yield "all ways to join 3 nodes in up to 3 steps", AllCases(some)
        yield "all ways to join 4 nodes in 3 steps, 0 and 1 or 3 and 2 first", AllCases(self._joins())
        yield "two groups", [(4, [(0, 1), (2, 3)]), (4, [(0, 1), (2, 3), (1, 3)]), (4, [(0, 1), (2, 3), (0, 2)])]
        yield "unions", (self._cases(st, 2, 7, 9), 80)
        yield "many unions", (self._cases(st, 30, 60, 80), 10)

    @staticmethod
    def _joins() -> list[tuple[int, list[tuple[int, int]]]]:
        """Returns the sequences of three unions that join four nodes into one set: (0, 1) first, or (3, 2) first.

        The sequences of the two kinds differ only in how the nodes are numbered. Both are tried because ``find`` is
        called for the nodes in order, and whether a mistake shows may depend on which node comes first.
        """
        found = []
        for later in itertools.product(itertools.permutations(range(4), 2), repeat=2):
            steps = [(0, 1), *later]
            if len(set(_groups(4, steps))) == 1:
                found += [(4, steps), (4, [(3 - a, 3 - b) for a, b in steps])]
        return found

    @staticmethod
    def _cases(st: Any, least: int, most: int, many: int) -> Any:
        def unions(nodes: int) -> Any:
            node = st.integers(0, nodes - 1)
            return st.tuples(st.just(nodes), st.lists(st.tuples(node, node), min_size=least // 3, max_size=many))

        return st.integers(least, most).flatmap(unions)

    def accepts(self, submission: Any) -> bool:
        return callable(submission) or (
            isinstance(submission, tuple) and len(submission) == 2 and all(map(callable, submission))
        )

    def runner(self, submission: Any) -> Any:
        self._two_functions = isinstance(submission, tuple)
        return super().runner(submission)

    def invoke(self, submission: Any, arguments: Any) -> Any:
        nodes, unions = arguments
        sets = (
            _Representatives(submission[0], submission[1], nodes)
            if isinstance(submission, tuple)
            else submission(nodes)
        )
        for u, v in unions:
            if self._roots or isinstance(sets, _Representatives):
                sets.union(sets.find(u), sets.find(v))
            else:
                sets.union(u, v)
        names = [sets.find(node) for node in range(nodes)]
        if any(name is None for name in names):
            raise UnreadableAnswer("find returned None, expected the name of a set (is a return missing?)")
        again = [sets.find(node) for node in reversed(range(nodes))][::-1]
        least: dict[Any, int] = {}
        try:
            changed = names != again
            groups = [least.setdefault(name, node) for node, name in enumerate(names)]
        except (TypeError, ValueError):  # a list has no hash, and the comparison of arrays has no single truth value
            raise UnreadableAnswer(
                f"find returned {shown(names[0])}, expected something that can be compared and hashed"
            ) from None
        if changed:
            raise UnreadableAnswer(f"find returned {shown(names)} for all nodes, and {shown(again)} when called again")
        connections = []
        if hasattr(sets, "connected"):
            connections = [
                (u, v, truth_of(sets.connected(u, v), f"connected({u}, {v})"))
                for u in range(min(nodes, _MAX_CONNECTED))
                for v in range(min(nodes, _MAX_CONNECTED))
            ]
        return groups, connections

    def expect(self, case: Any) -> Any:
        return tuple(_groups(case[0], case[1]))

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        names, connections = got
        nodes = case[0]
        if len(names) != nodes:
            raise ValueError("not an answer from `invoke`")
        for u in range(nodes):
            for v in range(u + 1, nodes):
                want, have = expected[u] == expected[v], names[u] == names[v]
                if want != have:
                    one, other = ("one set", "two sets") if want else ("two sets", "one set")
                    raise Wrong(f"{u} and {v} are in {one}, but find puts them in {other}", (u, v))
        for u, v, have in connections:
            if have != (expected[u] == expected[v]):
                hint = "a node is connected to itself" if u == v else ""
                sentence = f"connected({u}, {v}) returned {have}, expected {not have}"
                raise WrongWithHint(sentence, hint, ("connected", u, v))

    def constants(self) -> Any:
        return [lambda case, _: ((0,) * case[0], ()), lambda case, _: (tuple(range(case[0])), ())]

    def mistakes(self) -> list[Mistake]:
        def model(first: Any, second: Any, find: Any, order: str, tested: bool) -> Any:
            """Returns a model of a mistake: ``union(u, v)`` links ``first(link, u)`` and ``second(link, v)``.

            ``find(link, node)`` reads the sets. ``order`` names the end that stays: ``"first"``, ``"second"``, or
            ``"size"`` for the larger. If ``tested`` is ``True``, ``union`` does nothing if both ends have the same set.
            """

            def answer(case: Any, _: Any) -> Any:
                nodes, unions = case
                link, size = list(range(nodes)), [1] * nodes
                for u, v in unions:
                    if self._roots:
                        u, v = find(link, u), find(link, v)
                    if tested and find(link, u) == find(link, v):
                        continue
                    a, b = first(link, u), second(link, v)
                    if order == "second" or (order == "size" and size[a] < size[b]):
                        a, b = b, a
                    link[b] = a
                    size[a] += size[b]
                return read(link, find)

            return answer

        def read(link: list[int], find: Any) -> _Sets:
            least: dict[int, int] = {}
            return _Sets(least.setdefault(find(link, node), node) for node in range(len(link)))

        def element(_: list[int], x: int) -> int:
            return x

        def root(link: list[int], x: int) -> int:
            for _ in range(len(link) + 1):
                if link[x] == x:
                    return x
                x = link[x]
            raise RecursionError

        def one_link(link: list[int], x: int) -> int:
            return link[x]

        def two_links(link: list[int], x: int) -> int:
            return link[link[x]]

        def only_single(case: Any, _: Any) -> Any:
            link = list(range(case[0]))
            for u, v in case[1]:
                if self._roots:
                    u, v = root(link, u), root(link, v)
                if link[u] == u and link[v] == v:
                    link[u] = v
            return read(link, root)

        def only_nodes(case: Any, expected: Any) -> Any:
            shown = range(min(case[0], _MAX_CONNECTED))
            return expected, tuple((u, v, u == v) for u in shown for v in shown)

        halfway = "union joins an element with the other's representative: it has to join both representatives"
        once = "find follows one link: it has to go on until a node is its own representative"
        kinds = [
            ("union joins the elements: it has to join their representatives", element, element, root),
            (halfway, element, root, root),
            (halfway, root, element, root),
            (once, root, root, one_link),
            (once, one_link, one_link, one_link),
            ("find follows two links: it has to go on until a node is its own representative", root, root, two_links),
        ]
        return [
            *(
                (hint, model(first, second, find, order, tested))
                for hint, first, second, find in kinds
                for order in ("first", "second", "size")
                for tested in (False, True)
            ),
            ("union joins only nodes that are alone: sets have to be joined too", only_single),
            (
                "no sets are joined: union has to link representatives, and find has to follow the links",
                lambda case, _: _Sets(range(case[0])),
            ),
            ("all nodes are in one set: nodes never joined stay apart", lambda case, _: _Sets([0] * case[0])),
            ("connected compares the nodes and not their sets", only_nodes),
        ]

    def size(self, case: Any) -> Any:
        return len(case[1]), case[0], case[1]

    def spell(self, name: str, case: Any) -> str:
        nodes, unions = case
        if self._two_functions:
            names = _Representatives.names(nodes)
            calls = (f"union(links, find(links, {names[u]!r}), find(links, {names[v]!r})); " for u, v in unions)
            links = {name: name for name in names}
            return f"links = {links}; {''.join(calls)}[find(links, name) for name in links]"
        call = "sets.union(sets.find({}), sets.find({}))" if self._roots else "sets.union({}, {})"
        steps = "".join(f"; {call.format(u, v)}" for u, v in unions)
        return f"sets = {name}({nodes}){steps}; [sets.find(x) for x in range({nodes})]"

    def call(self, name: str, case: Any, where: Any) -> str:
        method, u, v = where if where and len(where) == 3 else (None, 0, 0)
        return self.spell(name, case) + (f"; sets.{method}({u}, {v})" if method else "")

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        nodes, unions = case
        edges = [(u, v, "", "thin") for u, v in unions]
        panels: list[Panel] = []
        for title, names in (("expected: the sets", expected), ("got", None if got is None else got[0])):
            if names is None:
                continue
            order = {name: at for at, name in enumerate(dict.fromkeys(names))}
            colors = [_HUES[order[name] % len(_HUES)] for name in names]
            labels = [f"set {order[name]}" for name in names]
            marks = frozenset((where or ())[-2:]) if title == "got" else frozenset()
            panels.append(Graph(title, nodes, edges, labels, colors, marks))
        return tuple(panels)


class Kruskal(Check):
    """Checks a minimum spanning tree, or a forest if the graph is not connected.

    * ``edge``: the class or function that makes an edge from two nodes and a weight; ``None`` (the default) for tuples.
    """

    NAME = "kruskal"
    # Several trees can be right, but all of them have the same weights, and hints compare only the weights.
    EXACT = True
    CHANGED = "the function changes the list of edges that it is given; this is not counted as wrong"

    def __init__(self, edge: Any = None) -> None:
        self._edge_class = edge

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "the example of the assignment", [_EXAMPLE]
        yield "no choice", [(1, []), (2, [(0, 1, 5)]), (3, [(0, 1, 2), (1, 2, 1)]), (3, [(2, 1, 1), (0, 2, 2)])]
        three = [(a, b, c) for a in (0, 1, 2) for b in (0, 1, 2) for c in (0, 1, 2)]
        yield "triangles", [(3, [(0, 1, a), (1, 2, b), (0, 2, c)]) for a, b, c in three]
        pairs = list(itertools.combinations(range(4), 2))
        some = [[pair for at, pair in enumerate(pairs) if bits >> at & 1] for bits in range(64)]
        yield "all graphs of 4 nodes", AllCases([(4, [(u, v, 1 + (u + v) % 2) for u, v in chosen]) for chosen in some])
        yield "below zero", [(3, [(0, 1, -1), (1, 2, -2), (0, 2, -3)]), (2, [(1, 0, -4)])]
        yield (
            "not connected",
            [(2, []), (3, [(1, 2, 3)]), (4, [(0, 1, 1), (2, 3, 1)]), (4, [(1, 2, 1), (2, 3, 1), (3, 1, 1)])],
        )
        yield "few weights", (_graphs(st, 1, 7, 12, st.integers(0, 2)), 60)
        yield "many weights", (_graphs(st, 1, 7, 12, st.integers(-50, 50)), 60)
        yield "large", (_graphs(st, 30, 60, 150, st.integers(0, 1000)), 10)

    def invoke(self, submission: Any, arguments: Any) -> Any:
        nodes, edges = arguments
        if self.form == 3:
            pairs = [tuple(each[:2]) for each in edges]
            kept, given = list(pairs), pairs
            answer = submission(nodes, pairs, [each[2] for each in edges])
        else:
            make = self._edge_class or (lambda u, v, weight: (u, v, weight))
            given = [make(*each) for each in edges]
            kept = list(given)
            answer = submission(given) if self.form == 1 else submission(nodes, given)
        try:
            return [self._edge(each, edges) for each in list_of(answer, "the answer", ordered=False)]
        finally:
            self.changed = len(kept) != len(given) or any(a is not b for a, b in zip(kept, given, strict=True))

    @staticmethod
    def _edge(each: Any, edges: Any) -> int | str:
        """Returns the index of an edge of the answer, or a sentence if the graph has no such edge."""
        if isinstance(each, int | np.integer) and not isinstance(each, bool):
            return (
                int(each)
                if 0 <= each < len(edges)
                else f"{shown(each)} is not the index of an edge: the graph has {counted(len(edges), 'edge')}"
            )
        for one, other in _ENDS:
            if hasattr(each, one) and hasattr(each, other):
                each = (getattr(each, one), getattr(each, other), *([each.weight] if hasattr(each, "weight") else []))
                break
        try:
            part = [whole(x, "the answer") for x in each]
        except TypeError:
            raise UnreadableAnswer(
                f"returned {shown(each)} as an edge, expected an index, (u, v) or (u, v, weight)"
            ) from None
        for at, (u, v, weight) in enumerate(edges):
            if {u, v} == set(part[:2]) and (len(part) == 2 or part[2:] == [weight]):
                return at
        if len(part) not in (2, 3):
            raise UnreadableAnswer(f"returned {shown(each)} as an edge, expected an index, (u, v) or (u, v, weight)")
        return f"{shown(each)} is not an edge of the graph"

    def expect(self, case: Any) -> Any:
        nodes, edges = case
        weights = np.array([each[2] for each in edges], dtype=np.int64)
        return tuple(int(at) for at in _reference().kruskal(nodes, _links(edges), weights))

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        nodes, edges = case
        taken: list[Any] = []
        joined = _reference().UnionFind(nodes)
        for each in got:
            if isinstance(each, str):
                raise Wrong(each)
            u, v, _ = edges[each]
            if each in taken:
                raise WrongWithHint(
                    f"the edge from {u} to {v} is in the answer twice", "an edge is taken more than once", each
                )
            if not joined.union(u, v):
                sentence = f"a cycle: {u} and {v} are connected before the edge between them is taken"
                raise Wrong(sentence, each)
            taken.append(each)
        if len(taken) < len(expected):
            groups, whole_groups = _groups(nodes, [edges[at] for at in taken]), _groups(nodes, edges)
            u, v = next((u, v) for u, v, _ in edges if groups[u] != groups[v] and whole_groups[u] == whole_groups[v])
            sentence = (
                f"returned {counted(len(taken), 'edge')}, expected {len(expected)}: {u} and {v} are connected in the "
                "graph but not by these edges"
            )
            raise Wrong(sentence)
        want, have = sum(edges[at][2] for at in expected), sum(edges[at][2] for at in taken)
        if want != have:
            heavy = next((at for at in taken if at not in expected), None)
            kind = "tree" if len(expected) == nodes - 1 else "forest"
            raise Wrong(f"got a spanning {kind} of weight {have}, expected weight {want}", heavy)

    @staticmethod
    def _greedy(case: Any, key: Any) -> list[int]:
        nodes, edges = case
        sets = _reference().UnionFind(nodes)
        order = sorted(range(len(edges)), key=lambda at: key(edges[at], at))
        return [at for at in order if sets.union(edges[at][0], edges[at][1])]

    def mistakes(self) -> list[Mistake]:
        def sorted_by(key: Any) -> Any:
            return lambda case, _: _EdgeWeights(self._greedy(case, key), case)

        def lightest(case: Any, _: Any) -> Any:
            return _EdgeWeights(sorted(range(len(case[1])), key=lambda at: case[1][at][2])[: case[0] - 1], case)

        def by_seen(takes: Any) -> Any:
            """Takes an edge if ``takes(ends, seen)``, where ``seen`` holds the ends of the edges taken before."""

            def model(case: Any, _: Any) -> Any:
                seen: set[int] = set()
                taken = []
                for at in sorted(range(len(case[1])), key=lambda at: case[1][at][2]):
                    ends = set(case[1][at][:2])
                    if takes(ends, seen):
                        seen |= ends
                        taken.append(at)
                return _EdgeWeights(taken, case)

            return model

        def without(left_out: Any) -> Any:
            """Takes no edge for whose weight ``left_out`` is true; these come last, so they exclude no other edge."""

            def model(case: Any, _: Any) -> Any:
                taken = self._greedy(case, lambda edge, at: (left_out(edge[2]), edge[2]))
                return _EdgeWeights([at for at in taken if not left_out(case[1][at][2])], case)

            return model

        unsorted = "the edges are not sorted by weight"
        return [
            ("the lightest n - 1 edges are taken: leave out those whose ends are connected already", lightest),
            (
                "every edge is taken: leave out those whose ends are connected already",
                lambda case, _: _EdgeWeights(range(len(case[1])), case),
            ),
            (
                "two ends that were both seen need not be connected: ask the union-find",
                by_seen(lambda ends, seen: not ends <= seen),
            ),
            (
                "an end that was seen does not exclude an edge: ask the union-find about both ends",
                by_seen(lambda ends, seen: not ends & seen),
            ),
            (
                "off by one: the code stops one edge too early; n nodes in c components need n - c edges",
                lambda case, expected: _EdgeWeights(expected[:-1], case),
            ),
            ("no edge is taken", lambda case, _: _EdgeWeights((), case)),
            ("edges of weight 0 are left out", without(lambda weight: weight == 0)),
            ("edges of weight 0 or less are left out", without(lambda weight: weight <= 0)),
            ("the heaviest edges come first: sort in ascending order", sorted_by(lambda edge, at: -edge[2])),
            (unsorted, sorted_by(lambda edge, at: at)),
            ("the edges are sorted by their ends: sort by weight", sorted_by(lambda edge, at: edge[:2])),
            ("the sign of the weights is lost: -3 is lighter than 1", sorted_by(lambda edge, at: abs(edge[2]))),
            ("the weights are sorted as text: '10' comes before '9'", sorted_by(lambda edge, at: str(edge[2]))),
        ]

    def constants(self) -> Any:
        return [
            lambda *_: (),
            lambda case, _: tuple(range(len(case[1]))),
            lambda case, _: tuple(range(min(case[0] - 1, len(case[1])))),
        ]

    def size(self, case: Any) -> Any:
        nodes, edges = case
        return len(edges), nodes, sum(abs(weight) for *_, weight in edges), edges

    def spell(self, name: str, case: Any) -> str:
        nodes, edges = case
        if self.form == 3:
            return f"{name}({nodes}, {[tuple(each[:2]) for each in edges]}, {[each[2] for each in edges]})"
        written = str([tuple(each) for each in edges])
        if self._edge_class is not None:
            named = getattr(self._edge_class, "__name__", "")
            written = f"[{named if named.isidentifier() else 'edge'}(*each) for each in {written}]"
        return f"{name}({written})" if self.form == 1 else f"{name}({nodes}, {written})"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        nodes, edges = case
        panels: list[Panel] = []
        for title, taken in (("expected (or any tree of the same weight)", expected), ("got", got)):
            if taken is None:
                continue
            kinds = ["tree" if at in taken else "thin" for at in range(len(edges))]
            if title == "got":
                if where is not None:
                    kinds[where] = "wrong"
                elif len(set(taken)) < len(expected):
                    kinds = ["missing" if at in expected and at not in taken else kind for at, kind in enumerate(kinds)]
            panels.append(Graph(title, nodes, [(u, v, str(w), kinds[at]) for at, (u, v, w) in enumerate(edges)]))
        return tuple(panels)


class Bfs(Check):
    """Checks a breadth-first search by its depths, its order, its parents or a path.

    * ``answer``: what the code returns: ``"depth"``, ``"order"``, ``"parent"`` or ``"path"``.
    """

    NAME = "bfs"
    CHANGED = "the function changes the graph that it is given; this is not counted as wrong"

    def __init__(self, answer: str) -> None:
        self._answer = answer
        # Several orders, parents and paths can be right; depths are unique.
        self.EXACT = answer == "depth"  # type: ignore[misc]

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        parts: list[tuple[str, Any]] = [("one node", [(1, [], 0)])]
        parts.append(
            ("neighbors", [(2, [(0, 1)], 0), (2, [(0, 1)], 1), (3, [(0, 1), (0, 2)], 0), (3, [(0, 1), (1, 2)], 0)])
        )
        parts.append(("not reached", [(2, [], 0), (3, [(0, 1)], 2), (4, [(0, 1), (2, 3)], 0)]))
        small = []
        for nodes in (3, 4):
            pairs = list(itertools.combinations(range(nodes), 2))
            for bits in range(1 << len(pairs)):
                edges = [pair for at, pair in enumerate(pairs) if bits >> at & 1]
                small += [(nodes, edges, source) for source in range(nodes)]
        parts.append(("all graphs of 3 and 4 nodes", AllCases(small)))
        long_way = (5, [(0, 1), (1, 2), (2, 3), (0, 4), (3, 4)], 0)
        short = [long_way, (4, [(0, 1), (1, 2), (2, 3), (1, 3)], 0), (4, [(0, 2), (0, 3), (2, 1), (1, 3)], 0)]
        parts.append(("the short path", short))
        parts.append(("graphs", (self._cases(st, 1, 7, 10), 80)))
        parts.append(("large graphs", (self._cases(st, 30, 60, 120), 10)))
        for name, source in parts:
            if self._answer != "path":
                yield name, source
            elif isinstance(source, tuple):
                yield name, (source[0].map(self._with_target), source[1])
            else:
                yield name, type(source)((*case, target) for case in source for target in range(case[0]))

    @staticmethod
    def _with_target(case: Any) -> Any:
        """Adds a target, which varies with the source and the number of edges, to a case drawn without one."""
        nodes, edges, source = case
        return (*case, (source * 7 + len(edges)) % nodes)

    @staticmethod
    def _cases(st: Any, least: int, most: int, many: int) -> Any:
        def source(graph: Any) -> Any:
            nodes, edges = graph
            return st.tuples(st.just(nodes), st.just([each[:2] for each in edges]), st.integers(0, nodes - 1))

        return _graphs(st, least, most, many, st.just(0)).flatmap(source)

    @property
    def _takes_edges(self) -> bool:
        """Whether the function takes the number of nodes and a list of edges instead of a dict of neighbors."""
        return self.form == (4 if self._answer == "path" else 3)

    def invoke(self, submission: Any, arguments: Any) -> Any:
        nodes, edges, *ends = arguments
        if self._takes_edges:
            given: Any = [tuple(each) for each in edges]
            kept: Any = list(given)
            answer = submission(nodes, given, *ends)
        else:
            given, kept = _neighbors(nodes, edges), _neighbors(nodes, edges)
            answer = submission(given, *ends)
        self.changed = given != kept
        if self._answer == "order":
            return [self._node(each, nodes) for each in list_of(answer, "the answer")]
        if self._answer == "path":
            return None if answer is None else [self._node(each, nodes) for each in list_of(answer, "the answer")]
        return self._by_node(answer, nodes)

    def _node(self, each: Any, nodes: int) -> int:
        """Reads a node of an order or a path."""
        node = whole(each, f"a node of the {self._answer}")
        if not 0 <= node < nodes:
            raise UnreadableAnswer(f"the {self._answer} has a node {node}, expected 0 to {nodes - 1}")
        return node

    def _by_node(self, answer: Any, nodes: int) -> list[int]:
        """Returns one number per node, -1 for a node that is not reached."""
        if isinstance(answer, Mapping):
            values = [answer.get(node) for node in range(nodes)]
            strange = [key for key in answer if key not in range(nodes)]
            if strange:
                raise UnreadableAnswer(f"returned a number for {shown(strange[0])}, which is not a node")
        else:
            values = list_of(answer, "the answer")
            if len(values) != nodes:
                raise UnreadableAnswer(f"returned {counted(len(values), 'number')}, expected {nodes}: one per node")
        found = []
        for value in values:
            none = value is None or (isinstance(value, float | np.floating) and math.isinf(value))
            found.append(-1 if none else whole(value, "the answer"))
        return found

    def expect(self, case: Any) -> Any:
        return tuple(_depths(*case[:3]))

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        if got is not None:
            got = list(got)
        getattr(self, f"_{self._answer}")(case, expected, got)

    @staticmethod
    def _depth(case: Any, expected: Any, got: Any) -> None:
        for node, (want, have) in enumerate(zip(expected, got, strict=True)):
            if want != have:
                words = "cannot be reached" if want < 0 else f"is {counted(want, 'edge')} away"
                distance = "no distance" if have == -1 else str(have)
                raise Wrong(f"node {node} {words}, got {distance}", [node])

    @staticmethod
    def _order(case: Any, expected: Any, got: Any) -> None:
        _, edges, source = case
        seen: dict[int, int] = {}
        for at, node in enumerate(got):
            if node in seen:
                raise Wrong(f"node {node} is in the order twice", [node])
            if expected[node] < 0:
                raise Wrong(f"node {node} is in the order, but cannot be reached from {source}", [node])
            seen[node] = at
        missing = [node for node, depth in enumerate(expected) if depth >= 0 and node not in seen]
        if missing:
            hint = "the source itself belongs to the order, as its first node" if missing == [source] and got else ""
            raise WrongWithHint(f"node {missing[0]} is missing from the order", hint, [missing[0]])
        neighbors = _neighbors(case[0], edges)
        queue = "take the node that has waited longest: use a queue, not a stack, and do not sort the nodes"
        for before, after in itertools.pairwise(got):
            if expected[before] > expected[after]:
                sentence = (
                    f"node {before}, {counted(expected[before], 'edge')} away, comes before node {after}, "
                    f"{expected[after]} away"
                )
                raise WrongWithHint(sentence, queue if got[0] == source else "the source comes first", [before, after])
            # Of two nodes of equal depth, the one whose earliest parent was taken first must come first.
            if expected[before] != expected[after]:
                continue
            above = expected[before] - 1
            first = [min(seen[n] for n in neighbors[x] if expected[n] == above) for x in (before, after)]
            if first[0] > first[1]:
                raise WrongWithHint(
                    f"node {after} was ahead of node {before} in the queue, but comes after it in the order",
                    queue,
                    [before, after],
                )

    @staticmethod
    def _parent(case: Any, expected: Any, got: Any) -> None:
        nodes, edges, source = case
        neighbors = _neighbors(nodes, edges)
        if len(got) != nodes:
            raise ValueError("not an answer from `invoke`")
        for node, (depth, parent) in enumerate(zip(expected, got, strict=True)):
            if node == source:
                if parent not in (-1, source):
                    raise Wrong(f"the source has the parent {parent}, expected none", [node])
            elif depth < 0:
                if parent != -1:
                    raise Wrong(f"node {node} cannot be reached, but has the parent {parent}", [node])
            elif parent not in neighbors[node]:
                wrong = "has no parent" if parent == -1 else f"has the parent {parent}, which is not a neighbor"
                raise Wrong(f"node {node} {wrong}", [node])
            elif expected[parent] != depth - 1:
                sentence = (
                    f"node {node}, {counted(depth, 'edge')} away, has the parent {parent}, {expected[parent]} away"
                )
                hint = "take nodes from a queue, not a stack, and keep the first parent of each node"
                raise WrongWithHint(sentence, hint, [node])

    @staticmethod
    def _path(case: Any, expected: Any, got: Any) -> None:
        nodes, edges, source, target = case
        far = expected[target]
        if got is None or not got:
            if far >= 0:
                raise Wrong(f"returned no path, but node {target} is {counted(far, 'edge')} away", [target])
            return
        if far < 0:
            raise Wrong(f"returned a path to node {target}, which cannot be reached", [target])
        neighbors = _neighbors(nodes, edges)
        if got[0] != source or got[-1] != target:
            turned = "the path is in the opposite order" if (got[-1], got[0]) == (source, target) else ""
            hint = turned or "the path begins with the source and ends with the target"
            raise WrongWithHint(
                f"the path goes from {got[0]} to {got[-1]}, expected {source} to {target}", hint, [got[0]]
            )
        for one, other in itertools.pairwise(got):
            if other not in neighbors[one]:
                raise Wrong(f"the path goes from {one} to {other}, which are not neighbors", [one, other])
        if len(got) - 1 != far:
            raise WrongWithHint(
                f"returned a path of {counted(len(got) - 1, 'edge')}, expected {far}",
                "take nodes from a queue, not a stack, and keep the first parent of each node",
                got,
            )

    def constants(self) -> Any:
        def none(case: Any, _: Any) -> Any:
            return tuple(0 if node == case[2] else -1 for node in range(case[0]))

        if self._answer == "depth":
            ones = lambda case, _: tuple(int(node != case[2]) for node in range(case[0]))  # noqa: E731
            return [
                none,
                ones,
                lambda case, _: (0,) * case[0],
                lambda case, _: (-1,) * case[0],
                lambda case, _: (1,) * case[0],
            ]
        if self._answer == "parent":
            from_source = lambda case, _: tuple(-1 if n == case[2] else case[2] for n in range(case[0]))  # noqa: E731
            return [lambda case, _: (-1,) * case[0], from_source, lambda case, _: (case[2],) * case[0]]
        if self._answer == "order":
            rest = lambda case, _: (case[2], *(n for n in range(case[0]) if n != case[2]))  # noqa: E731
            return [lambda case, _: tuple(range(case[0])), lambda case, _: (case[2],), rest]
        return [lambda *_: None, lambda case, _: tuple(case[2:4]), lambda case, _: (case[2],)]

    def mistakes(self) -> list[Mistake]:
        def marked_late(turned: bool) -> Any:
            """Returns a model of a search that marks a node when it leaves the queue, which may hold it twice."""

            def model(case: Any, _: Any) -> Any:
                nodes, edges, source = case
                neighbors, seen, queue = _neighbors(nodes, edges), set(), [source]
                for node in queue:
                    if len(queue) > _MAX_QUEUE:
                        raise RecursionError
                    seen.add(node)
                    near = reversed(neighbors[node]) if turned else neighbors[node]
                    queue += [other for other in near if other not in seen]
                return tuple(queue)

            return model

        def source_unmarked(turned: bool) -> Any:
            """Returns a model of a search that gives the source a parent when it meets the source again."""

            def model(case: Any, _: Any) -> Any:
                nodes, edges, source = case
                neighbors, parent, queue = _neighbors(nodes, edges), dict[int, int](), [source]
                for node in queue:
                    for other in reversed(neighbors[node]) if turned else neighbors[node]:
                        if other not in parent:
                            parent[other] = node
                            queue.append(other)
                return tuple(parent.get(node, -1) for node in range(nodes))

            return model

        if self._answer == "order":
            late = "mark a node when it enters the queue, not when it leaves"
            return [(late, marked_late(False)), (late, marked_late(True))]
        if self._answer == "parent":
            hint = "mark the source as seen before the search begins"
            return [(hint, source_unmarked(False)), (hint, source_unmarked(True))]
        if self._answer != "depth":
            return []

        def deep(turned: bool) -> Any:
            def model(case: Any, _: Any) -> Any:
                nodes, edges, source = case
                neighbors, depth, work = _neighbors(nodes, edges), {source: 0}, [source]
                while work:
                    node = work.pop()
                    for other in reversed(neighbors[node]) if turned else neighbors[node]:
                        if other not in depth:
                            depth[other] = depth[node] + 1
                            work.append(other)
                return tuple(depth.get(node, -1) for node in range(nodes))

            return model

        def recursive(case: Any, _: Any) -> Any:
            nodes, edges, source = case
            neighbors, depth = _neighbors(nodes, edges), {source: 0}

            def visit(node: int) -> None:
                for other in neighbors[node]:
                    if other not in depth:
                        depth[other] = depth[node] + 1
                        visit(other)

            visit(source)
            return tuple(depth.get(node, -1) for node in range(nodes))

        def from_zero(case: Any, _: Any) -> Any:
            return tuple(_depths(case[0], case[1], 0))

        def one_way(case: Any, _: Any) -> Any:
            """Returns the depths if edges are followed only from their first end to their second."""
            nodes, edges, source = case
            depth, work = {source: 0}, [source]
            for node in work:
                for u, v in edges:
                    if u == node and v not in depth:
                        depth[v] = depth[node] + 1
                        work.append(v)
            return tuple(depth.get(node, -1) for node in range(nodes))

        stack = "a stack instead of a queue: this is depth-first search; take the node that has waited longest"
        return [
            (stack, deep(False)),
            (stack, deep(True)),
            ("recursion searches depth-first: breadth-first search takes the nodes from a queue", recursive),
            ("the source is counted as 1 edge away: its distance is 0", lambda _, e: tuple(d + (d >= 0) for d in e)),
            ("a node that is not reached gets a distance of 0", lambda _, e: tuple(max(d, 0) for d in e)),
            ("the search starts from node 0, not from the source", from_zero),
            ("an edge leads both ways: add each end to the neighbors of the other", one_way),
            (
                "only the neighbors of the source are found: they have neighbors too",
                lambda _, e: tuple(d if d < 2 else -1 for d in e),
            ),
        ]

    def size(self, case: Any) -> Any:
        nodes, edges, *ends = case
        return nodes + len(edges), nodes, ends, edges

    def spell(self, name: str, case: Any) -> str:
        nodes, edges, *ends = case
        places = ", ".join(map(str, ends))
        return (
            f"{name}({nodes}, {edges}, {places})"
            if self._takes_edges
            else f"{name}({_neighbors(nodes, edges)}, {places})"
        )

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        nodes, edges, source, *_ = case
        drawn = [(u, v, "", "thin") for u, v in edges]
        colors = ["green" if node == source else "tile" for node in range(nodes)]
        far = [str(depth) if depth >= 0 else "none" for depth in expected]
        panels: list[Panel] = [Graph(f"expected: edges from node {source}", nodes, drawn, far, colors)]
        if got is not None:
            if self._answer in ("order", "path"):
                place = {node: at for at, node in reversed(list(enumerate(got)))}
                labels = [f"#{place[node]}" if node in place else "none" for node in range(nodes)]
            else:
                labels = ["none" if value == -1 else str(value) for value in got]
            titles = {
                "depth": "got",
                "order": "got: places in the order",
                "parent": "got: the parent of each node",
                "path": "got: places on the path",
            }
            panels.append(Graph(titles[self._answer], nodes, drawn, labels, colors, frozenset(where or ())))
        return tuple(panels)


def _depths(nodes: int, edges: Any, source: int) -> list[int]:
    found = _reference().bfs(nodes, _links(edges), source)
    return [int(each) for each in found.depth]


class Diameter(Check):
    """Checks the diameter of a tree, the number of edges of its longest path."""

    NAME = "diameter"
    UNIT = "counted in edges"

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "one node", [(1, [])]
        yield "paths", [(n, [(i, i + 1) for i in range(n - 1)]) for n in (2, 3, 4, 5)]
        yield "node 0 in the middle", [(3, [(1, 0), (0, 2)]), (5, [(1, 0), (2, 1), (0, 3), (3, 4)])]
        yield "stars", [(n, [(0, i) for i in range(1, n)]) for n in (4, 5)] + [(4, [(3, 0), (3, 1), (3, 2)])]
        yield "branches", [(5, [(0, 1), (1, 2), (2, 3), (2, 4)]), (6, [(0, 1), (1, 2), (2, 3), (1, 4), (4, 5)])]
        yield "all trees of 3 to 5 nodes", AllCases([case for n in (3, 4, 5) for case in _labeled_trees(n)])
        yield "trees", (self._trees(st, 1, 9), 80)
        yield "large trees", (self._trees(st, 40, 80), 10)

    @staticmethod
    def _trees(st: Any, least: int, most: int) -> Any:
        def tree(nodes: int) -> Any:
            parents = st.tuples(*(st.integers(0, node - 1) for node in range(1, nodes)))
            return parents.map(lambda found: (nodes, [(parent, node + 1) for node, parent in enumerate(found)]))

        return st.integers(least, most).flatmap(tree)

    def invoke(self, submission: Any, arguments: Any) -> Any:
        nodes, edges = arguments
        answer = (
            submission(_neighbors(nodes, edges))
            if self.form == 1
            else submission(nodes, [tuple(each) for each in edges])
        )
        return whole(answer, "the answer")

    def expect(self, case: Any) -> Any:
        nodes, edges = case
        return int(_reference().diameter(nodes, _links(edges)))

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        if expected != got:
            raise Wrong(f"returned {got}, expected {expected}, {self.UNIT}")

    def constants(self) -> Any:
        fixed = [lambda *_, k=k: k for k in range(10)]
        return [*fixed, lambda case, _: case[0] - 1, lambda case, _: case[0], lambda case, _: case[0] // 2 + 1]

    @staticmethod
    def _longest(case: Any) -> int:
        return int(_reference().diameter(case[0], _links(case[1])))

    def _from_diameter(self, longest: int) -> int:
        return longest

    def mistakes(self) -> list[Mistake]:
        def known(answer: Any) -> Any:
            return lambda case, _: self._from_diameter(answer(case))

        def from_zero(case: Any) -> int:
            return max(_depths(case[0], case[1], 0))

        def degrees(case: Any) -> int:
            return max(map(len, _neighbors(*case).values()))

        return [
            ("one search from node 0 is not enough: search again from the last node it found", known(from_zero)),
            (
                "the longest path from node 0 is doubled: search again from the last node found",
                known(lambda case: 2 * from_zero(case)),
            ),
            ("each edge of the path is counted twice", known(lambda case: 2 * self._longest(case))),
            (
                "half the longest path is counted: the diameter is its whole length",
                known(lambda case: self._longest(case) // 2),
            ),
            ("the number of nodes is not the diameter", known(lambda case: case[0])),
            (
                "the nodes of the path are counted: count its edges, of which there is one fewer",
                known(lambda case: self._longest(case) + 1),
            ),
            ("the number of edges of the whole tree is not the diameter", known(lambda case: case[0] - 1)),
            (
                "the second search begins at the node with the highest number, not at the last node found",
                known(lambda case: max(_depths(case[0], case[1], case[0] - 1))),
            ),
            ("the largest number of neighbors is not the diameter", known(degrees)),
            (
                "the smallest distance to a farthest node is not the diameter: the largest is",
                known(lambda case: (self._longest(case) + 1) // 2),
            ),
        ]

    def size(self, case: Any) -> Any:
        return case[0], case[1]

    def spell(self, name: str, case: Any) -> str:
        nodes, edges = case
        return f"{name}({_neighbors(nodes, edges)})" if self.form == 1 else f"{name}({nodes}, {edges})"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        nodes, edges = case
        longest = self._longest(case)
        depths = _depths(nodes, edges, 0)
        far = _depths(nodes, edges, depths.index(max(depths)))
        on_the_way = {node for node in range(nodes) if self._between(nodes, edges, node, far, longest)}
        drawn = [(u, v, "", "tree" if {u, v} <= on_the_way else "thin") for u, v in edges]
        title = f"a longest path has {counted(longest, 'edge')}" + self._title_end(expected, got)
        return (Graph(title, nodes, drawn),)

    def _title_end(self, expected: int, got: int | None) -> str:
        return "" if got is None else f"; got {got}"

    @staticmethod
    def _between(nodes: int, edges: Any, node: int, far: list[int], longest: int) -> bool:
        other = _depths(nodes, edges, far.index(max(far)))
        return far[node] + other[node] == longest


def _labeled_trees(nodes: int) -> list[tuple[int, list[tuple[int, int]]]]:
    """Returns all labeled trees with ``nodes`` nodes, decoded from their Prüfer codes."""
    found = []
    for code in itertools.product(range(nodes), repeat=nodes - 2):
        # A node of degree d occurs d - 1 times in the code; each entry is joined to the smallest remaining leaf.
        degree = [1 + code.count(node) for node in range(nodes)]
        edges = []
        for node in code:
            leaf = degree.index(1)
            edges.append((min(leaf, node), max(leaf, node)))
            degree[leaf] -= 1
            degree[node] -= 1
        u, v = (node for node in range(nodes) if degree[node] == 1)
        found.append((nodes, [*edges, (u, v)]))
    return found


class Radius(Diameter):
    """Checks the radius of the power station: half the diameter, rounded down, plus one."""

    NAME = "radius"
    UNIT = "the diameter // 2 + 1"

    def _from_diameter(self, longest: int) -> int:
        return longest // 2 + 1

    def expect(self, case: Any) -> Any:
        return self._from_diameter(self._longest(case))

    def mistakes(self) -> list[Mistake]:
        return [
            ("the diameter is returned: the radius is the diameter // 2 + 1", lambda case, _: self._longest(case)),
            (
                "the diameter is not halved: the radius is the diameter // 2 + 1",
                lambda case, _: self._longest(case) + 1,
            ),
            (
                "(the diameter + 1) // 2 is returned: the radius is the diameter // 2 + 1",
                lambda case, _: (self._longest(case) + 1) // 2,
            ),
            ("half is rounded up: the diameter // 2 + 1", lambda case, _: (self._longest(case) + 1) // 2 + 1),
            ("1 is missing: the radius is the diameter // 2 + 1", lambda case, _: self._longest(case) // 2),
            *super().mistakes(),
        ]

    def _title_end(self, expected: int, got: int | None) -> str:
        return f", so the radius is {expected}" + super()._title_end(expected, got)
