"""Checks of union-find, Kruskal, breadth-first search and the diameter: judged by what is right, not by one order."""

from __future__ import annotations

import importlib
import itertools
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from .guard import Odd, parameters
from .judge import Check, Source, Wrong
from .panels import Graph, Panel
from .read import list_of, shown, truth_of, whole

__all__ = ["Bfs", "Diameter", "Kruskal", "UnionFind"]

# The worked example of the source document, A to F = 0 to 5.
_EXAMPLE = (
    6,
    [(4, 2, 15), (2, 3, 25), (0, 1, 30), (1, 4, 35), (1, 2, 40), (5, 3, 50), (0, 4, 50), (1, 5, 50)],
)


def _lab() -> Any:
    return importlib.import_module("gridwright.graph")


def _graphs(st: Any, least: int, most: int, many: int, weight: Any) -> Any:
    """Graphs with no edge twice and none from a node to itself, as ``(nodes, [(u, v, weight), ...])``."""

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


def _near(nodes: int, edges: Any) -> dict[int, list[int]]:
    near: dict[int, list[int]] = {node: [] for node in range(nodes)}
    for u, v, *_ in edges:
        near[u].append(v)
        near[v].append(u)
    return {node: sorted(others) for node, others in near.items()}


def _groups(nodes: int, edges: Any) -> list[int]:
    """The smallest node of each node's component."""
    found = _lab().UnionFind(nodes)
    for u, v, *_ in edges:
        found.union(u, v)
    least: dict[int, int] = {}
    return [least.setdefault(found.find(node), node) for node in range(nodes)]


_HUES = ("sky", "yellow", "green", "purple", "orange", "tile_soft", "blue", "muted")


class UnionFind(Check):
    """A structure of sets that are joined."""

    NAME = "union_find"

    def __init__(self, roots: bool) -> None:
        self._roots = roots

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "alone", [(1, []), (2, []), (3, [])]
        yield (
            "one union",
            [(2, [(0, 1)]), (2, [(1, 0)]), (3, [(0, 2)]), (3, [(2, 1)]), (2, [(0, 0)]), (2, [(0, 1), (1, 0)])],
        )
        yield "chains", [(n, [(i, i + 1) for i in range(n - 1)]) for n in (3, 4, 5)]
        yield "chains backwards", [(n, [(i + 1, i) for i in reversed(range(n - 1))]) for n in (3, 4, 5)]
        yield "two groups", [(4, [(0, 1), (2, 3)]), (4, [(0, 1), (2, 3), (1, 3)]), (4, [(0, 1), (2, 3), (0, 2)])]
        yield "unions", (self._cases(st, 2, 7, 9), 80)
        yield "many unions", (self._cases(st, 30, 60, 80), 10)

    @staticmethod
    def _cases(st: Any, least: int, most: int, many: int) -> Any:
        def unions(nodes: int) -> Any:
            node = st.integers(0, nodes - 1)
            return st.tuples(st.just(nodes), st.lists(st.tuples(node, node), min_size=least // 3, max_size=many))

        return st.integers(least, most).flatmap(unions)

    def put(self, person: Any, case: Any) -> Any:
        nodes, unions = case
        sets = person(nodes)
        for u, v in unions:
            if self._roots:
                sets.union(sets.find(u), sets.find(v))
            else:
                sets.union(u, v)
        names = [sets.find(node) for node in range(nodes)]
        if any(name is None for name in names):
            raise Odd("find gave None, expected the name of a set (is a return missing?)")
        again = [sets.find(node) for node in reversed(range(nodes))][::-1]
        try:
            if names != again:
                raise Odd(f"find gave {shown(names)} for all nodes, and {shown(again)} when asked again")
            told = {}
            if hasattr(sets, "connected"):
                told = {
                    (u, v): truth_of(sets.connected(u, v), f"connected({u}, {v})")
                    for u in range(min(nodes, 12))
                    for v in range(min(nodes, 12))
                }
            least: dict[Any, int] = {}
            return [least.setdefault(name, node) for node, name in enumerate(names)], told
        except TypeError:
            raise Odd(f"find gave {shown(names[0])}, expected something that can be compared and hashed") from None

    def expect(self, case: Any) -> Any:
        return _groups(case[0], case[1])

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        names, told = got
        nodes = case[0]
        for u in range(nodes):
            for v in range(u + 1, nodes):
                want, have = expected[u] == expected[v], names[u] == names[v]
                if want != have:
                    one, other = ("one set", "two sets") if want else ("two sets", "one set")
                    raise Wrong(f"{u} and {v} are in {one}, and find tells {other}", (u, v))
        for (u, v), have in told.items():
            if have != (expected[u] == expected[v]):
                raise Wrong(f"connected({u}, {v}) gave {have}, expected {not have}", (u, v))

    def size(self, case: Any) -> Any:
        return len(case[1]), case[0], case[1]

    def spell(self, name: str, case: Any) -> str:
        nodes, unions = case
        call = "sets.union(sets.find({}), sets.find({}))" if self._roots else "sets.union({}, {})"
        steps = "".join(f"; {call.format(u, v)}" for u, v in unions)
        return f"sets = {name}({nodes}){steps}; [sets.find(x) for x in range({nodes})]"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        nodes, unions = case
        edges = [(u, v, "", "thin") for u, v in unions if u != v]
        panels: list[Panel] = []
        for title, names in (("expected: the sets", expected), ("got", None if got is None else got[0])):
            if names is None:
                continue
            order = {name: at for at, name in enumerate(dict.fromkeys(names))}
            colors = [_HUES[order[name] % len(_HUES)] for name in names]
            labels = [f"set {order[name]}" for name in names]
            marks = frozenset(where or ()) if title == "got" else frozenset()
            panels.append(Graph(title, nodes, edges, labels, colors, marks))
        return tuple(panels)


class Kruskal(Check):
    """A spanning tree of least weight, or a forest where the graph is in parts."""

    NAME = "kruskal"

    def __init__(self) -> None:
        self._form = 2
        self._lent: tuple[Any, Any] | None = None

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "the example of the document", [_EXAMPLE]
        yield "no choice", [(1, []), (2, [(0, 1, 5)]), (3, [(0, 1, 2), (1, 2, 1)]), (3, [(2, 1, 1), (0, 2, 2)])]
        three = [(a, b, c) for a in (0, 1, 2) for b in (0, 1, 2) for c in (0, 1, 2)]
        yield "triangles", [(3, [(0, 1, a), (1, 2, b), (0, 2, c)]) for a, b, c in three]
        yield "below zero", [(3, [(0, 1, -1), (1, 2, -2), (0, 2, -3)]), (2, [(1, 0, -4)])]
        yield (
            "in parts",
            [(2, []), (3, [(1, 2, 3)]), (4, [(0, 1, 1), (2, 3, 1)]), (4, [(1, 2, 1), (2, 3, 1), (3, 1, 1)])],
        )
        yield "few weights", (_graphs(st, 1, 7, 12, st.integers(0, 2)), 60)
        yield "many weights", (_graphs(st, 1, 7, 12, st.integers(-50, 50)), 60)
        yield "large", (_graphs(st, 30, 60, 150, st.integers(0, 1000)), 10)

    def put(self, person: Any, case: Any) -> Any:
        nodes, edges = case
        self._form = 3 if parameters(person, 2) == 3 else 2
        if self._form == 3:
            pairs = [each[:2] for each in edges]
            self._lent = (list(pairs), pairs)
            answer = person(nodes, pairs, [each[2] for each in edges])
        else:
            lent = [tuple(each) for each in edges]
            self._lent = (list(lent), lent)
            answer = person(nodes, lent)
        return [self._edge(each, edges) for each in list_of(answer, "it")]

    @staticmethod
    def _edge(each: Any, edges: Any) -> int | str:
        """The index of an edge that was answered, or a sentence about it."""
        if isinstance(each, int | np.integer) and not isinstance(each, bool):
            return int(each) if 0 <= each < len(edges) else f"{each} is the index of no edge: there are {len(edges)}"
        try:
            part = [whole(x, "the answer") for x in each]
        except TypeError:
            raise Odd(f"gave {shown(each)} as an edge, expected an index, (u, v) or (u, v, weight)") from None
        for at, (u, v, weight) in enumerate(edges):
            if {u, v} == set(part[:2]) and (len(part) == 2 or part[2:] == [weight]):
                return at
        if len(part) not in (2, 3):
            raise Odd(f"gave {shown(each)} as an edge, expected an index, (u, v) or (u, v, weight)")
        return f"{shown(each)} is no edge of the graph"

    def changed(self) -> str | None:
        if self._lent is not None and self._lent[0] != self._lent[1]:
            return "it changes the list of edges that it is lent; that is not counted as wrong"
        return None

    def expect(self, case: Any) -> Any:
        nodes, edges = case
        weights = np.array([each[2] for each in edges], dtype=np.int64)
        return [int(at) for at in _lab().kruskal(nodes, _links(edges), weights)]

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        nodes, edges = case
        taken: list[Any] = []
        for each in got:
            if isinstance(each, str):
                raise Wrong(each)
            u, v, _ = edges[each]
            if each in taken:
                raise Wrong(f"the edge from {u} to {v} was given twice", each)
            groups = _groups(nodes, [edges[at] for at in taken])
            if groups[u] == groups[v]:
                raise Wrong(f"a cycle: {u} and {v} are connected before the edge between them is taken", each)
            taken.append(each)
        if len(taken) < len(expected):
            groups, whole_groups = _groups(nodes, [edges[at] for at in taken]), _groups(nodes, edges)
            u, v = next((u, v) for u, v, _ in edges if groups[u] != groups[v] and whole_groups[u] == whole_groups[v])
            sentence = (
                f"{len(taken)} edges, expected {len(expected)}: {u} and {v} are connected in the graph and not in it"
            )
            raise Wrong(sentence, None)
        want, have = sum(edges[at][2] for at in expected), sum(edges[at][2] for at in taken)
        if want != have:
            dear = next((at for at in taken if at not in expected), None)
            raise Wrong(f"a spanning tree of weight {have}, and there is one of {want}", dear)

    def size(self, case: Any) -> Any:
        nodes, edges = case
        return len(edges), nodes, sum(abs(weight) for *_, weight in edges), edges

    def spell(self, name: str, case: Any) -> str:
        nodes, edges = case
        if self._form == 3:
            return f"{name}({nodes}, {[each[:2] for each in edges]}, {[each[2] for each in edges]})"
        return f"{name}({nodes}, {[tuple(each) for each in edges]})"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        nodes, edges = case
        panels: list[Panel] = []
        for title, taken in (("expected (or one as light)", expected), ("got", got)):
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
    """Breadth-first search: distances, an order, or where each node was reached from."""

    NAME = "bfs"

    def __init__(self, answer: str) -> None:
        self._answer = answer
        self._form = 2

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "one node", [(1, [], 0)]
        yield "neighbours", [(2, [(0, 1)], 0), (2, [(0, 1)], 1), (3, [(0, 1), (0, 2)], 0), (3, [(0, 1), (1, 2)], 0)]
        yield "not reached", [(2, [], 0), (3, [(0, 1)], 2), (4, [(0, 1), (2, 3)], 0)]
        yield "cycles", [(3, [(0, 1), (1, 2), (0, 2)], 0), (4, [(0, 1), (1, 2), (2, 3), (0, 3)], 0)]
        long_way = (5, [(0, 1), (1, 2), (2, 3), (0, 4), (3, 4)], 0)
        yield (
            "the short way",
            [long_way, (4, [(0, 1), (1, 2), (2, 3), (1, 3)], 0), (4, [(0, 2), (0, 3), (2, 1), (1, 3)], 0)],
        )
        yield "graphs", (self._cases(st, 1, 7, 10), 80)
        yield "large graphs", (self._cases(st, 30, 60, 120), 10)

    @staticmethod
    def _cases(st: Any, least: int, most: int, many: int) -> Any:
        def source(graph: Any) -> Any:
            nodes, edges = graph
            return st.tuples(st.just(nodes), st.just([each[:2] for each in edges]), st.integers(0, nodes - 1))

        return _graphs(st, least, most, many, st.just(0)).flatmap(source)

    def put(self, person: Any, case: Any) -> Any:
        nodes, edges, source = case
        self._form = 3 if parameters(person, 2) == 3 else 2
        if self._form == 3:
            answer = person(nodes, [tuple(each) for each in edges], source)
        else:
            answer = person(_near(nodes, edges), source)
        if self._answer == "order":
            return [self._node(each, nodes) for each in list_of(answer, "it")]
        return self._by_node(answer, nodes)

    @staticmethod
    def _node(each: Any, nodes: int) -> int:
        node = whole(each, "the order")
        if not 0 <= node < nodes:
            raise Odd(f"the order has a node {node}, expected 0 to {nodes - 1}")
        return node

    def _by_node(self, answer: Any, nodes: int) -> list[int]:
        """A number a node, -1 for none."""
        if isinstance(answer, Mapping):
            values = [answer.get(node) for node in range(nodes)]
            strange = [key for key in answer if key not in range(nodes)]
            if strange:
                raise Odd(f"gave a number for {shown(strange[0])}, which is no node")
        else:
            values = list_of(answer, "it")
            if len(values) != nodes:
                raise Odd(f"gave {len(values)} numbers, expected {nodes}: one a node")
        found = []
        for value in values:
            none = value is None or (isinstance(value, float | np.floating) and math.isinf(value))
            found.append(-1 if none else whole(value, "it"))
        return found

    def expect(self, case: Any) -> Any:
        nodes, edges, source = case
        return _depths(nodes, edges, source)

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        getattr(self, f"_{self._answer}")(case, expected, got)

    @staticmethod
    def _depth(case: Any, expected: Any, got: Any) -> None:
        for node, (want, have) in enumerate(zip(expected, got, strict=True)):
            if want != have:
                words = "is not reached" if want < 0 else f"is {want} edges away"
                told = "not reached" if have < 0 else f"{have} edges"
                raise Wrong(f"node {node} {words}, and it told {told}", {node})

    @staticmethod
    def _order(case: Any, expected: Any, got: Any) -> None:
        _, edges, source = case
        seen: dict[int, int] = {}
        for at, node in enumerate(got):
            if node in seen:
                raise Wrong(f"node {node} came twice", {node})
            if expected[node] < 0:
                raise Wrong(f"node {node} came, and it is not reached from {source}", {node})
            seen[node] = at
        missing = [node for node, depth in enumerate(expected) if depth >= 0 and node not in seen]
        if missing:
            raise Wrong(f"node {missing[0]} never came", {missing[0]})
        near = _near(case[0], edges)
        for before, after in itertools.pairwise(got):
            if expected[before] > expected[after]:
                sentence = (
                    f"node {before}, {expected[before]} edges away, came before node {after}, {expected[after]} away"
                )
                raise Wrong(sentence, {before, after})
            # Among equals the one whose neighbour was taken first waits in front.
            if expected[before] != expected[after]:
                continue
            above = expected[before] - 1
            first = [min(seen[n] for n in near[x] if expected[n] == above) for x in (before, after)]
            if first[0] > first[1]:
                raise Wrong(f"node {after} waited in front of node {before}, and came after it", {before, after})

    @staticmethod
    def _parent(case: Any, expected: Any, got: Any) -> None:
        nodes, edges, source = case
        near = _near(nodes, edges)
        for node, (depth, parent) in enumerate(zip(expected, got, strict=True)):
            if node == source:
                if parent not in (-1, source):
                    raise Wrong(f"the source came from {parent}, expected none", {node})
            elif depth < 0:
                if parent != -1:
                    raise Wrong(f"node {node} is not reached, and it came from {parent}", {node})
            elif parent not in near[node]:
                whence = f"{parent}, which is no neighbour" if parent >= 0 else "nowhere"
                raise Wrong(f"node {node} came from {whence}", {node})
            elif expected[parent] != depth - 1:
                sentence = f"node {node}, {depth} edges away, came from {parent}, which is {expected[parent]} away"
                raise Wrong(sentence, {node})

    def size(self, case: Any) -> Any:
        nodes, edges, source = case
        return nodes + len(edges), nodes, source, edges

    def spell(self, name: str, case: Any) -> str:
        nodes, edges, source = case
        return f"{name}({nodes}, {edges}, {source})" if self._form == 3 else f"{name}({_near(nodes, edges)}, {source})"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        nodes, edges, source = case
        drawn = [(u, v, "", "thin") for u, v in edges]
        colors = ["green" if node == source else "tile" for node in range(nodes)]
        far = [str(depth) if depth >= 0 else "none" for depth in expected]
        panels: list[Panel] = [Graph(f"expected: edges from node {source}", nodes, drawn, far, colors)]
        if got is not None:
            if self._answer == "order":
                place = {node: at for at, node in reversed(list(enumerate(got)))}
                labels = [f"#{place[node]}" if node in place else "none" for node in range(nodes)]
            else:
                labels = [str(value) if value >= 0 else "none" for value in got]
            title = {"depth": "got", "order": "got: places in the order", "parent": "got: where each came from"}
            panels.append(Graph(title[self._answer], nodes, drawn, labels, colors, frozenset(where or ())))
        return tuple(panels)


def _depths(nodes: int, edges: Any, source: int) -> list[int]:
    found = _lab().bfs(nodes, _links(edges), source)
    depth = found["depth"] if isinstance(found, Mapping) else found[2]
    return [int(each) for each in depth]


class Diameter(Check):
    """The longest of the shortest ways of a tree."""

    NAME = "diameter"

    def __init__(self) -> None:
        self._form = 2

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "one node", [(1, [])]
        yield "paths", [(n, [(i, i + 1) for i in range(n - 1)]) for n in (2, 3, 4, 5)]
        yield "node 0 in the middle", [(3, [(1, 0), (0, 2)]), (5, [(1, 0), (2, 1), (0, 3), (3, 4)])]
        yield "stars", [(n, [(0, i) for i in range(1, n)]) for n in (4, 5)] + [(4, [(3, 0), (3, 1), (3, 2)])]
        yield "branches", [(5, [(0, 1), (1, 2), (2, 3), (2, 4)]), (6, [(0, 1), (1, 2), (2, 3), (1, 4), (4, 5)])]
        yield "trees", (self._trees(st, 1, 9), 80)
        yield "large trees", (self._trees(st, 40, 80), 10)

    @staticmethod
    def _trees(st: Any, least: int, most: int) -> Any:
        def tree(nodes: int) -> Any:
            parents = st.tuples(*(st.integers(0, node - 1) for node in range(1, nodes)))
            return parents.map(lambda found: (nodes, [(parent, node + 1) for node, parent in enumerate(found)]))

        return st.integers(least, most).flatmap(tree)

    def put(self, person: Any, case: Any) -> Any:
        nodes, edges = case
        self._form = 1 if parameters(person, 2) == 1 else 2
        answer = person(_near(nodes, edges)) if self._form == 1 else person(nodes, [tuple(each) for each in edges])
        return whole(answer, "it")

    def expect(self, case: Any) -> Any:
        nodes, edges = case
        return int(_lab().diameter(nodes, _links(edges)))

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        if expected != got:
            raise Wrong(f"gave {got}, expected {expected}, counted in edges")

    def size(self, case: Any) -> Any:
        return case[0], case[1]

    def spell(self, name: str, case: Any) -> str:
        nodes, edges = case
        return f"{name}({_near(nodes, edges)})" if self._form == 1 else f"{name}({nodes}, {edges})"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        nodes, edges = case
        depths = _depths(nodes, edges, 0)
        far = _depths(nodes, edges, depths.index(max(depths)))
        on_the_way = {node for node in range(nodes) if self._between(nodes, edges, node, far, expected)}
        drawn = [(u, v, "", "tree" if {u, v} <= on_the_way else "thin") for u, v in edges]
        title = f"a longest way has {expected} edges" + ("" if got is None else f"; got {got}")
        return (Graph(title, nodes, drawn),)

    @staticmethod
    def _between(nodes: int, edges: Any, node: int, far: list[int], longest: int) -> bool:
        other = _depths(nodes, edges, far.index(max(far)))
        return far[node] + other[node] == longest
