"""Tests of the checks on graphs: correct code passes however it breaks ties, and wrong code fails on a small graph."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
import solutions
from conftest import remarks
from gridwright import check


class Sets:
    """A union-find structure with the mistake named by ``forget``, or a correct one if ``forget`` is empty."""

    forget = ""

    def __init__(self, n):
        self.link = list(range(n))
        self.rank = [0] * n

    def find(self, x):
        if self.forget == "one link":
            return self.link[x]
        if self.link[x] != x:
            if self.forget == "compression":
                self.link[x] = self.link[self.link[x]]
                return self.link[x]
            self.link[x] = self.find(self.link[x])
        return self.link[x]

    def union(self, a, b):
        if self.forget == "roots":
            self.link[a] = b
            return
        a, b = self.find(a), self.find(b)
        if self.forget == "rank" and self.rank[a] == self.rank[b] == 1:
            return
        if a != b:
            self.link[b] = a
            self.rank[a] = max(self.rank[a], self.rank[b] + 1)


@pytest.mark.parametrize(("forget", "unions"), [("one link", 2), ("compression", 4), ("roots", 2), ("rank", 3)])
def test_a_small_case_exposes_wrong_sets(forget, unions):
    report = check.union_find(type("Mine", (Sets,), {"forget": forget}), time_limit=0.5)
    assert not report.passed
    assert len(report.failure.case[1]) <= unions, report
    assert report.svg()


def test_right_sets_pass():
    class Names:
        """A union-find structure whose ``find`` returns a string: the name of a set need not be a node."""

        def __init__(self, n):
            self.names = [f"set {x}" for x in range(n)]

        def find(self, x):
            return self.names[x]

        def union(self, a, b):
            old, new = self.names[a], self.names[b]
            self.names = [new if name == old else name for name in self.names]

        def connected(self, a, b):
            return self.names[a] == self.names[b]

    class OnlyRoots(Sets):
        def union(self, a, b):
            self.link[a] = b

    for cls in (Sets, Names):
        report = check.union_find(cls)
        assert report.passed, report
    assert check.union_find(OnlyRoots, roots=True).passed
    assert not check.union_find(OnlyRoots).passed


@pytest.mark.parametrize(
    ("connected", "call", "hint"),
    [
        (lambda sets, a, b: True, "connected(0, 1)", ""),
        (lambda sets, a, b: a == b, "connected(0, 1)", "connected compares the nodes and not their sets"),
        (lambda sets, a, b: a == b or (a < b and sets.find(a) == sets.find(b)), "connected(1, 0)", ""),
        (lambda sets, a, b: sets.find(a) != sets.find(b), "connected(0, 0)", "a node is connected to itself"),
    ],
)
def test_a_wrong_connected_method_is_not_blamed_on_union(connected, call, hint):
    report = check.union_find(type("Wrong", (Sets,), {"connected": connected}))
    assert {failure.hint for failure in report.failures} == {hint}, report
    assert report.failure.call.endswith(f"; sets.{call}"), report
    assert report.failure.reason.startswith(f"{call} returned"), report
    assert report.svg()


def test_a_wrong_connected_method_is_reported():
    class Wrong(Sets):
        def connected(self, a, b):
            return a != b and self.find(a) == self.find(b)

    assert "connected(0, 0) returned False, expected True" in check.union_find(Wrong).failure.reason


def kruskal(nodes, edges, *, key=lambda edge: edge[2], cycles=False, stop=None):
    sets, taken = Sets(nodes), []
    for u, v, weight in sorted(edges, key=key) if key else edges:
        if cycles or sets.find(u) != sets.find(v):
            sets.union(u, v)
            taken.append((u, v, weight))
        if stop is not None and len(taken) == nodes - stop:
            break
    return taken


def by_components(nodes, edges):
    """Returns a minimum spanning forest by Prim's algorithm, which breaks ties differently from ``kruskal``."""
    seen, taken = set(), []
    for start in range(nodes):
        seen.add(start)
        while ahead := [edge for edge in edges if (edge[0] in seen) != (edge[1] in seen)]:
            u, v, _ = min(reversed(ahead), key=lambda edge: edge[2])
            seen |= {u, v}
            taken.append((v, u))
    return taken


def test_right_trees_pass_in_any_order_and_form():
    for function in (
        kruskal,
        by_components,
        lambda nodes, edges: kruskal(nodes, edges[::-1]),
        lambda nodes, edges: np.array(kruskal(nodes, edges)),
        lambda nodes, edges: {(u, v) for u, v, _ in kruskal(nodes, edges)},
        lambda nodes, edges: [edges.index(edge) for edge in kruskal(nodes, edges)],
        lambda nodes, pairs, weights: kruskal(nodes, [(*pair, w) for pair, w in zip(pairs, weights, strict=True)]),
    ):
        report = check.kruskal(function)
        assert report.passed, report
        assert not remarks(report)


@pytest.mark.parametrize(
    ("function", "edges", "words"),
    [
        (lambda nodes, edges: kruskal(nodes, edges, cycles=True), 3, "a cycle"),
        (lambda nodes, edges: kruskal(nodes, edges, key=None), 3, "a spanning tree of weight"),
        (lambda nodes, edges: kruskal(nodes, edges, key=lambda edge: -edge[2]), 3, "a spanning tree of weight"),
        (lambda nodes, edges: kruskal(nodes, edges, key=lambda edge: abs(edge[2])), 3, "a spanning tree of weight"),
        (lambda nodes, edges: kruskal(nodes, edges, stop=2), 3, "are connected in the graph but not"),
        (lambda nodes, edges: kruskal(nodes, [edge for edge in edges if edge[2]]), 2, "are connected in the graph"),
        (lambda nodes, edges: kruskal(nodes, edges) * 2, 1, "is in the answer twice"),
        (lambda nodes, edges: [(0, 0)], 0, "is not an edge of the graph"),
        (lambda nodes, edges: [99], 0, "is not the index of an edge"),
        (lambda nodes, edges: None, 0, "expected a list (is a return missing?)"),
        (lambda nodes, edges: [None], 0, "expected an index, (u, v) or (u, v, weight)"),
        (lambda nodes, edges: [edges[0]], 0, "raised IndexError"),
    ],
)
def test_a_small_case_exposes_wrong_trees(function, edges, words):
    report = check.kruskal(function)
    assert not report.passed
    assert len(report.failure.case[1]) <= edges, report
    assert words in report.failure.reason
    assert report.svg()


def test_an_endless_loop_is_reported():
    def endless(nodes, edges):
        taken = []
        while len(taken) < nodes - 1:  # a forest of several trees never has that many edges
            taken = kruskal(nodes, edges)
        return taken

    report = check.kruskal(endless, time_limit=0.5)
    assert report.failure.case == (2, [])
    assert "did not finish within 0.5 s" in report.failure.reason


def test_a_function_may_change_its_arguments():
    def eats(nodes, edges):
        edges.sort(key=lambda edge: edge[2])
        taken = kruskal(nodes, edges)
        edges.clear()
        return taken

    report = check.kruskal(eats)
    assert report.passed, report
    assert "changes the list of edges" in remarks(report)[0]


def search(near, source, *, stack=False, late=False):
    order, depth, parent = [], {source: 0}, {source: None}
    seen, work = {source}, deque([source])
    while work:
        node = work.pop() if stack else work.popleft()
        order.append(node)
        for other in near[node]:
            if other not in seen or (late and depth.get(other, 0) == depth[node] + 1 and other not in order):
                seen.add(other)
                depth[other], parent[other] = depth[node] + 1, node
                work.append(other)
    return order, depth, parent


def test_right_searches_pass():
    assert check.bfs(lambda near, source: search(near, source)[1]).passed
    assert check.bfs(lambda near, source: search(near, source)[0], answer="order").passed
    assert check.bfs(lambda near, source: search(near, source)[2], answer="parent").passed
    backward = check.bfs(
        lambda near, source: search({node: others[::-1] for node, others in near.items()}, source)[0], answer="order"
    )
    assert backward.passed, backward

    def with_edges(nodes, edges, source):
        near = {node: [] for node in range(nodes)}
        for u, v in edges:
            near[u].append(v)
            near[v].append(u)
        depth = search(near, source)[1]
        return np.array([depth.get(node, np.inf) for node in range(nodes)])

    assert check.bfs(with_edges).passed


@pytest.mark.parametrize(
    ("function", "answer", "size"),
    [
        (lambda near, source: search(near, source, stack=True)[1], "depth", 10),
        (lambda near, source: search(near, source, stack=True)[0], "order", 9),
        (lambda near, source: search(near, source, stack=True)[2], "parent", 10),
        (lambda near, source: search(near, source, late=True)[0], "order", 8),
        (lambda near, source: {node: depth + 1 for node, depth in search(near, source)[1].items()}, "depth", 1),
        (lambda near, source: search(near, source)[0][1:], "order", 1),
        (lambda near, source: search(near, 0)[0], "order", 3),
        (lambda near, source: [0] * len(near), "depth", 2),
        (lambda near, source: [0], "depth", 2),
        (lambda near, source: {node: near[node][0] for node in near}, "parent", 1),
        (lambda near, source: None, "depth", 1),
        (lambda near, source: {"A": 0}, "depth", 1),
    ],
)
def test_a_small_case_exposes_wrong_searches(function, answer, size):
    report = check.bfs(function, answer=answer)
    assert not report.passed
    nodes, edges, _ = report.failure.case
    assert nodes + len(edges) <= size, report
    assert report.svg()


def far(near, start):
    depth = search(near, start)[1]
    end = max(depth, key=depth.get)
    return end, depth[end]


def test_right_diameters_pass_and_a_small_case_exposes_wrong_ones():
    assert check.diameter(lambda near: far(near, far(near, 0)[0])[1]).passed

    def with_edges(nodes, edges):
        near = {node: [] for node in range(nodes)}
        for u, v in edges:
            near[u].append(v)
            near[v].append(u)
        return np.int64(far(near, far(near, 0)[0])[1])

    assert check.diameter(with_edges).passed
    for wrong, nodes in (
        (lambda near: far(near, 0)[1], 3),
        (lambda near: far(near, far(near, 0)[0])[1] + 1, 1),
        (lambda near: far(near, 0)[1] * 2, 2),
        (lambda near: len(near) - 1, 4),
        (lambda near: str(len(near)), 1),
    ):
        report = check.diameter(wrong)
        assert not report.passed
        assert report.failure.case[0] <= nodes, report
        assert report.svg()


def test_an_unknown_kind_of_answer_of_bfs_is_refused():
    with pytest.raises(ValueError, match="answer must be 'depth', 'order', 'parent' or 'path', got 'way'"):
        check.bfs(search, answer="way")


@pytest.mark.parametrize("kind", [dict, dict.fromkeys, set, frozenset])
def test_an_order_or_a_path_must_be_a_list(kind):
    right = solutions.bfs
    report = check.bfs(lambda graph, source: kind(right(graph, source)), answer="order")
    assert (report.score, report.failure.reason) == (0, f"the answer is {kind({0: 0})!r}, expected a list")

    def path(graph, source, target):
        found = solutions.bfs_path(graph, source, target)
        return None if found is None else kind(dict.fromkeys(found))

    assert ", expected a list" in check.bfs(path, answer="path").failure.reason
    for kept in (list, tuple, iter, dict.keys):
        assert check.bfs(lambda graph, source, kept=kept: kept(right(graph, source)), answer="order").passed


def test_the_hint_about_a_node_that_is_listed_twice_explains_the_order():
    def marked_late(graph, source):
        seen, queue = set(), [source]
        for node in queue:
            seen.add(node)
            queue += [other for other in graph[node] if other not in seen]
        return queue

    def source_again(graph, source):
        return [*solutions.bfs(graph, source), source]

    hints = {failure.hint for failure in check.bfs(marked_late, answer="order").failures}
    assert hints == {"mark a node when it enters the queue, not when it leaves"}
    report = check.bfs(source_again, answer="order")
    assert report.failure.reason == "node 0 is in the order twice"
    assert not any(failure.hint for failure in report.failures)


def test_hints_about_the_source_of_a_search_explain_all_wrong_answers():
    def unmarked(graph, source):
        parent, queue = {}, [source]
        for node in queue:
            for other in graph[node]:
                if other not in parent:
                    parent[other] = node
                    queue.append(other)
        return parent

    def hints(function, answer):
        return {failure.hint for failure in check.bfs(function, answer=answer).failures}

    assert hints(unmarked, "parent") == {"mark the source as seen before the search begins"}
    # How many cases are tried depends on the time, so another hint may fit the answers.
    first_neighbor = hints(lambda graph, source: {node: (near or [-1])[0] for node, near in graph.items()}, "parent")
    assert not [hint for hint in first_neighbor if "source" in hint]
    without_source = "the source itself belongs to the order, as its first node"
    assert hints(lambda graph, source: list(solutions.bfs(graph, source))[1:], "order") == {"", without_source}
    assert without_source not in hints(lambda graph, source: list(solutions.bfs(graph, source))[:-1], "order")


@pytest.mark.parametrize(
    ("function", "hint", "radius_hint"),
    [
        (lambda d: 2 * d, "each edge of the path is counted twice", None),
        (
            lambda d: d // 2,
            "half the longest path is counted: the diameter is its whole length",
            "1 is missing: the radius is the diameter // 2 + 1",
        ),
        (lambda d: d + 1, None, "the diameter is not halved: the radius is the diameter // 2 + 1"),
    ],
)
def test_hints_about_a_diameter_explain_all_wrong_answers(function, hint, radius_hint):
    for tested, expected in ((check.diameter, hint), (check.radius, radius_hint)):
        report = tested(lambda graph: function(solutions.diameter(graph)))
        assert expected is None or {failure.hint for failure in report.failures} == {expected}, report


def test_hints_about_trees_agree_with_the_answers_of_all_parts():
    hints = {failure.hint for failure in check.kruskal(lambda n, edges: kruskal_by(n, edges, lambda e: e[1])).failures}
    assert "the heaviest edges come first: sort in ascending order" not in hints
    report = check.kruskal(lambda nodes, edges: kruskal_by(nodes, edges, lambda edge: -edge[2]))
    assert {failure.hint for failure in report.failures} == {"the heaviest edges come first: sort in ascending order"}


def kruskal_by(nodes, edges, key):
    """Returns the edges that Kruskal takes if it goes through them in the order of ``key``."""
    order = sorted(edges, key=key)
    return [order[at] for *_, at in solutions.kruskal(nodes, [(u, v, at) for at, (u, v, _) in enumerate(order)])]


def test_the_hint_about_the_smallest_eccentricity_explains_all_wrong_answers():
    def smallest(graph):
        return min(max(solutions.bfs(graph, node).values()) for node in graph)

    hint = "the smallest distance to a farthest node is not the diameter: the largest is"
    assert {failure.hint for failure in check.diameter(smallest).failures} == {hint}
    hint = "(the diameter + 1) // 2 is returned: the radius is the diameter // 2 + 1"
    assert {failure.hint for failure in check.radius(smallest).failures} == {hint}


def test_the_reported_call_of_find_and_union_runs():
    def find(links, name):
        return links[name]  # follows only one link

    def union(links, one, other):
        links[other] = one

    call, _, answer = check.union_find((find, union)).failure.call.rpartition("; ")
    names = {"find": find, "union": union}
    exec(call, names)
    assert len(set(eval(answer, names))) > 1
    assert names["links"].keys() == {"A", "B", "C"}


def test_the_reason_names_a_node_outside_the_graph():
    for answer, search_from in (("order", lambda graph, source: [9]), ("path", lambda graph, source, target: [9])):
        report = check.bfs(search_from, answer=answer)
        assert report.failure.reason == f"the {answer} has a node 9, expected 0 to 0"


class Names:
    def __init__(self, n):
        self.names = list(range(n))

    def find(self, node):
        return self.names[node]

    def union(self, u, v):
        old, new = self.names[u], self.names[v]
        self.names = [new if name == old else name for name in self.names]


class ConnectedTakesOne(Names):
    def connected(self, node):
        return True


class FindsArrays(Names):
    def find(self, node):
        return np.array([self.names[node]] * 2)


def test_an_error_in_connected_is_not_blamed_on_find():
    assert check.union_find(Names).passed
    reason = check.union_find(ConnectedTakesOne).failure.reason
    assert reason.startswith("raised TypeError: "), reason
    assert "connected" in reason
    reason = check.union_find(FindsArrays).failure.reason
    assert reason == "find returned array([0, 0]), expected something that can be compared and hashed"


def test_the_reason_shows_a_number_below_minus_1():
    def depths(graph, source):
        return [0 if node == source else -5 for node in graph]

    assert check.bfs(depths).failure.reason == "node 1 cannot be reached, got -5"
    reasons = {failure.reason for failure in check.bfs(depths, answer="parent").failures}
    assert "node 1 has the parent -5, which is not a neighbor" in reasons


class Edge:
    def __init__(self, u, v, weight):
        self.u, self.v, self.weight = u, v, weight


def test_the_reported_call_with_edge_objects_runs():
    def lightest(nodes, edges):
        return sorted(edges, key=lambda edge: edge.weight)[: nodes - 1]

    failure = check.kruskal(lightest, edge=Edge).failure
    assert failure.call.startswith("lightest(4, [Edge(*each) for each in [("), failure.call
    assert len(eval(failure.call, {"lightest": lightest, "Edge": Edge})) == 3


def kruskal_with(takes):
    """Returns a function that takes the edges from light to heavy for which ``takes(sets, edge, seen)`` is true."""

    def fn(nodes, edges):
        sets, seen, taken = Sets(nodes), set(), []
        for edge in sorted(edges, key=lambda edge: edge[2]):
            if sets.find(edge[0]) != sets.find(edge[1]) and takes(edge, seen):
                sets.union(edge[0], edge[1])
                seen.update(edge[:2])
                taken.append(edge)
        return taken

    return fn


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (
            kruskal_with(lambda edge, seen: not seen & set(edge[:2])),
            "an end that was seen does not exclude an edge: ask the union-find about both ends",
        ),
        (kruskal_with(lambda edge, seen: edge[2] != 0), "edges of weight 0 are left out"),
        (kruskal_with(lambda edge, seen: edge[2] > 0), "edges of weight 0 or less are left out"),
        (lambda nodes, edges: [], "no edge is taken"),
        (lambda nodes, edges: kruskal(nodes, edges)[:-1], "off by one: the code stops one edge too early"),
    ],
)
def test_the_hint_about_missing_edges_explains_all_wrong_answers(function, hint):
    report = check.kruskal(function)
    assert not report.passed
    assert all(failure.hint.startswith(hint) for failure in report.failures), report


def test_hints_about_a_search_name_no_mistake_that_it_need_not_have():
    def nearest_last(graph, source, target):
        """Has a queue, but writes the parent of a node again when it meets the node again."""
        parent, done, queue = {}, set(), deque([source])
        while queue:
            node = queue.popleft()
            for other in graph[node] if node not in done else ():
                if other not in done:
                    parent[other] = node
                    queue.append(other)
            done.add(node)
        path = [target]
        while path[-1] != source and path[-1] in parent:
            path.append(parent[path[-1]])
        return path[::-1] if path[-1] == source else None

    def in_sorted_order(graph, source):
        return [source, *sorted(set(search(graph, source)[0]) - {source})]

    for function, answer in ((nearest_last, "path"), (in_sorted_order, "order")):
        report = check.bfs(function, answer=answer)
        assert not report.passed
        for failure in report.failures:
            assert failure.hint.startswith("take "), report
            assert "a stack instead of" not in failure.hint
