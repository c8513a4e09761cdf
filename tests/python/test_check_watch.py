"""Tests of films of a reader's own code on its smallest wrong case, or on a typical case if the code is right."""

from __future__ import annotations

import itertools
import math
import re
from collections import defaultdict, deque

import pytest
import solutions
from gridwright.check import watching
from gridwright.draw import LIGHT, films


class JoinsElements(solutions.UnionFind):
    def union(self, a, b):
        self.link[a] = b


def depth_first(graph, source):
    found, stack = {source: 0}, [source]
    while stack:
        node = stack.pop()
        for other in graph[node]:
            if other not in found:
                found[other] = found[node] + 1
                stack.append(other)
    return found


def test_a_film_shows_a_union_find():
    right = films.watch(solutions.UnionFind)
    assert list(right.captions) == [
        "every node is alone",
        *(f"union({u}, {v})" for u, v in ((0, 1), (2, 3), (4, 5), (1, 3), (5, 0))),
    ]
    wrong = films.watch(JoinsElements)
    assert "where it is wrong" in wrong.title
    assert len(wrong.captions) <= 4
    assert "did not finish" in wrong.captions[-1] or "find is wrong" in wrong.captions[-1]


def test_a_film_shows_a_search():
    right = films.watch(solutions.bfs)
    # The caption of a change lists the contents of the queue after it.
    assert any(caption.startswith("waiting: 1, 2;") for caption in right.captions), right.captions
    # The line that changed the queue is highlighted in the code.
    at = next(k for k, caption in enumerate(right.captions) if caption.startswith("waiting: 1, 2;"))
    (line,) = right.lines[at]
    assert "append" in right.code[line - 1]
    assert right.captions[at].endswith(right.code[line - 1].strip())
    wrong = films.watch(depth_first)
    assert wrong.code[0] == "def depth_first(graph, source):"
    popped = [k for k, lines in enumerate(wrong.lines) if lines and "stack.pop()" in wrong.code[lines[0] - 1]]
    waiting = [re.findall(r"\d+", caption.partition(";")[0]) for caption in wrong.captions]
    assert popped
    assert all(len(waiting[k]) == len(waiting[k - 1]) - 1 for k in popped)
    assert "where it is wrong" in wrong.title
    assert any("stack.pop()" in caption or "for other" in caption for caption in wrong.captions), wrong.captions
    broken = films.watch(lambda graph, source: graph[99])
    assert "KeyError" in broken.captions[-1]


def search(graph, source):
    """Returns the order of a breadth-first search and the parents of the nodes."""
    order, parent, queue = [], {source: None}, deque([source])
    while queue:
        node = queue.popleft()
        order.append(node)
        for other in graph[node]:
            if other not in parent:
                parent[other] = node
                queue.append(other)
    return order, parent


def order_of(graph, source):
    return search(graph, source)[0]


def parents_of(graph, source):
    return search(graph, source)[1]


def path_to(graph, source, target):
    parent, path = parents_of(graph, source), [target]
    if target not in parent:
        return None
    while path[-1] != source:
        path.append(parent[path[-1]])
    return path[::-1]


def from_one(graph, source):
    """Returns wrong distances, in a dict whose keys are in the order of a correct search."""
    return {node: depth + 1 for node, depth in solutions.bfs(graph, source).items()}


def test_a_film_of_a_search_accepts_every_kind_of_answer():
    for right in (order_of, parents_of, path_to):
        film = films.watch(right)
        assert film.title == f"{right.__name__} from node 0"
        assert any(caption.startswith("waiting: 1, 2;") for caption in film.captions), film.captions
    for wrong in (
        lambda graph, source: order_of(graph, source)[::-1],
        lambda graph, source, target: (path_to(graph, source, target) or [])[::-1],
        from_one,
    ):
        assert "where it is wrong" in films.watch(wrong).title
    # The case shown is one on which the order is wrong: the answer is not judged as a list of distances.
    nodes, edges, *_ = watching.search_steps(lambda graph, source: order_of(graph, source)[::-1])
    assert (nodes, list(edges)) == (2, [(0, 1)])


def with_order(graph, source):
    """Has lists of distances and of visits beside a deque."""
    order, dist = [], [-1] * len(graph)
    dist[source] = 0
    queue = deque([source])
    while queue:
        node = queue.popleft()
        order.append(node)
        for other in graph[node]:
            if dist[other] == -1:
                dist[other] = dist[node] + 1
                queue.append(other)
    return [dist[node] for node in range(len(graph))]


def with_layers(graph, source):
    """Has a list that is bound anew for each layer, and one for the neighbors of each node."""
    dist, layer = {source: 0}, [source]
    while layer:
        following = []
        for node in layer:
            others = graph[node]
            for other in others:
                if other not in dist:
                    dist[other] = dist[node] + 1
                    following.append(other)
        layer = following
    return dist


def with_helper(graph, source):
    """Calls a helper that does not use the queue."""
    dist, queue = {source: 0}, [source]

    def reach(other, node):
        dist[other] = dist[node] + 1

    while queue:
        node = queue.pop(0)
        for other in graph[node]:
            if other not in dist:
                reach(other, node)
                queue.append(other)
    return [dist.get(node, -1) for node in range(len(graph))]


def with_pairs(graph, source):
    """Has a queue of pairs, which cannot be shown, and lists of nodes that are not queues."""
    visited, queue, dist = [source], [(source, 0)], {}
    while queue:
        node, dist[node] = queue.pop(0)
        others = graph[node]
        for other in others:
            if other not in visited:
                visited.append(other)
                queue.append((other, dist[node] + 1))
    return dist


def with_index(graph, source):
    """Has a list from which no node is removed, and that therefore does not tell which nodes wait."""
    dist, queue = {source: 0}, [source]
    for node in queue:
        for other in graph[node]:
            if other not in dist:
                dist[other] = dist[node] + 1
                queue.append(other)
    return dist


def queues(film):
    """Returns the contents of the queue in the captions, without repeats in a row; empty if none shows a queue."""
    found = [caption.partition(";")[0] for caption in film.captions if caption.startswith("waiting: ")]
    assert len(found) in (0, len(film))
    return [words.removeprefix("waiting: ") for at, words in enumerate(found) if words not in found[at - 1 : at]]


def test_a_film_of_a_search_shows_one_variable_as_the_queue():
    turns = ["none", "0", "none", "1", "1, 2", "2", "2, 3", "3", "3, 4", "4", "4, 5", "5", "none", "6", "none"]
    assert queues(films.watch(with_order)) == turns
    assert queues(films.watch(with_helper)) == turns
    assert queues(films.watch(with_layers)) == ["none", "0", "1, 2", "3, 4", "5", "6", "none"]
    for search in (with_pairs, with_index):
        film = films.watch(search)
        assert not queues(film)
        assert not any("waiting" in film.frame(at) for at in range(len(film)))


def with_flags(graph, source):
    """Has no set or dict of its own: lists tell which nodes are seen."""
    seen, parent = [False] * len(graph), [None] * len(graph)
    seen[source] = True
    order, queue = [], deque([source])
    while queue:
        node = queue.popleft()
        order.append(node)
        for other in graph[node]:
            if not seen[other]:
                seen[other], parent[other] = True, node
                queue.append(other)
    return order


def with_done(graph, source):
    seen, done, order = {source}, set(), []
    queue = deque([source])
    while queue:
        node = queue.popleft()
        order.append(node)
        for other in set(graph[node]):
            if other not in seen:
                seen.add(other)
                queue.append(other)
        done.add(node)
    return order


def from_edges(nodes, edges, source):
    """Builds sets of nodes and of neighbors, which are not the nodes seen, and a dict of distances for all nodes."""
    graph, names = defaultdict(list), set()
    for u, v in edges:
        graph[u].append(v)
        graph[v].append(u)
        names |= {u, v}
    dist = dict.fromkeys(names, math.inf)
    dist[source] = 0
    queue = [source]
    while queue:
        node = queue.pop(0)
        others = set(graph[node])
        for other in sorted(others):
            if dist[other] == math.inf:
                dist[other] = dist[node] + 1
                queue.append(other)
    return [dist.get(node, -1) for node in range(nodes)]


def with_parents(graph, source):
    """Has a dict of parents, in which the source has none, and sets of nodes for the layers."""
    parent, layer = {source: None}, {source}
    while layer:
        following = set()
        for node in layer:
            for other in graph[node]:
                if other not in parent:
                    parent[other] = node
                    following.add(other)
        layer = following
    return parent


def with_colors(graph, source):
    """Has a list that tells which nodes are seen, but not in a way that can be read."""
    color, order, queue = ["white"] * len(graph), [], deque([source])
    color[source] = "gray"
    while queue:
        node = queue.popleft()
        order.append(node)
        for other in graph[node]:
            if color[other] == "white":
                color[other] = "gray"
                queue.append(other)
    return order


def green(film):
    """Returns the nodes that are green in each frame, without repeats in a row."""
    rows = []
    for at in range(len(film)):
        drawn = re.findall(r'<circle [^>]*fill="([^"]*)"[^>]*/>\n<text [^>]*font-size="14"[^>]*>(\d+)<', film.frame(at))
        assert len(drawn) == 7
        rows.append([int(node) for color, node in drawn if color == LIGHT.green])
    return [row for at, row in enumerate(rows) if row not in rows[at - 1 : at]]


def test_a_film_of_a_search_shows_the_nodes_seen_and_no_others(monkeypatch):
    case = watching.search_steps(solutions.bfs)[:3]
    # The other searches are right too, and are not checked.
    monkeypatch.setattr(watching, "_search_case", lambda search: (case, False))
    for right in (solutions.bfs, with_order, with_flags, with_done, from_edges, with_parents):
        steps = [seen for _, seen, *_ in watching.search_steps(right)[3]]
        shown = [seen for at, seen in enumerate(steps) if seen not in steps[at - 1 : at]]
        assert shown == [tuple(range(count)) for count in range(8)], (right.__name__, shown)
    film = films.watch(with_flags, theme="light")
    assert green(film)[:6] == [[], [0], [], [0], [0, 1], [0]], green(film)
    assert "orange: waiting; green: seen;" in film.frame(0)
    film = films.watch(with_colors, theme="light")
    assert green(film) == [[]]
    assert not any("green" in film.frame(at) for at in range(len(film)))
    assert "orange: waiting; outside: the right distance" in film.frame(0)


def unreachable(graph, source):
    dist, queue = {source: 0}, [source]
    while queue:
        node = queue.pop(0)
        for other in graph[node]:
            if other not in dist:
                dist[other] = dist[node] + 1
                queue.append(other)
    return [dist[node] for node in range(len(graph))]


def endless(graph, source):
    queue = deque([source])
    while queue:
        node = queue[0]
    return node


def revisiting(graph, source):
    queue = deque([source])
    while queue:
        node = queue.popleft()
        queue.extend([*graph[node], source])
    return node


def test_a_film_shows_the_steps_before_an_exception_or_a_hang(monkeypatch):
    film = films.watch(unreachable)
    assert queues(film) == ["none", "0", "none"]
    assert film.captions[-1].startswith("waiting: none; raised KeyError: 1 (line ")
    (line,) = film.lines[-1]
    assert film.code[line - 1].strip() == "return [dist[node] for node in range(len(graph))]"
    monkeypatch.setattr(watching, "_SECONDS", 0.5)
    film = films.watch(endless)
    assert queues(film) == ["none", "0"]
    assert film.captions[-1] == "waiting: 0; did not finish within 0.5 s"
    film = films.watch(revisiting)
    assert film.captions[-1].endswith("; did not finish within 200 steps")
    assert len(film) <= 202


class Ranked:
    """Keeps ranks and links; the name of neither tells which are the links."""

    def __init__(self, n):
        self.heights = [0] * n
        self.boss = list(range(n))

    def find(self, x):
        while self.boss[x] != x:
            x = self.boss[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a != b:
            if self.heights[a] < self.heights[b]:
                a, b = b, a
            self.boss[b] = a
            self.heights[a] += self.heights[a] == self.heights[b]


class Labeled(Ranked):
    """Keeps a second list that begins like the links."""

    def __init__(self, n):
        self.members = list(range(n))
        self.parent = {x: x for x in range(n)}
        self.heights = [0] * n

    @property
    def boss(self):
        return self.parent


class Sized:
    """Keeps no links, but sizes that are valid nodes."""

    def __init__(self, n):
        self.sizes = [1] * n
        self.parts = [{x} for x in range(n)]

    def find(self, x):
        return next(min(part) for part in self.parts if x in part)

    def union(self, a, b):
        one, other = (next(part for part in self.parts if x in part) for x in (a, b))
        if one is not other:
            self.parts.remove(other)
            one |= other


def test_a_film_of_a_union_find_shows_the_links_and_not_ranks_or_sizes():
    for sets in (Ranked, Labeled):
        links = [step["links"] for step in watching.union_steps(sets)[2]]
        assert (links[0], links[1], links[-1]) == ((0, 1, 2, 3, 4, 5), (0, 0, 2, 3, 4, 5), (0, 0, 0, 2, 0, 4))
    assert not any(step["links"] for step in watching.union_steps(Sized)[2])


class Connected(solutions.UnionFind):
    def connected(self, a, b):
        return True


def test_a_film_of_a_union_find_calls_only_union_and_find():
    film = films.watch(Connected)
    assert (film.title, len(film)) == ("Connected on 6 nodes", 6)


def test_a_film_of_a_union_find_says_whether_it_works_with_representatives():
    assert films.watch(JoinsElements).title.endswith(", where it is wrong unless union is called with representatives")

    class FollowsOneLink(solutions.UnionFind):
        def find(self, x):
            return self.link[x]

    assert films.watch(FollowsOneLink).title.endswith(", where it is wrong")


class WrongWithMany(solutions.UnionFind):
    def union(self, a, b):
        if len(self.link) < 8:
            super().union(a, b)


class WrongWithVeryMany(solutions.UnionFind):
    def union(self, a, b):
        if len(self.link) < 40:
            super().union(a, b)


def wrong_with_many(graph, source):
    return {node: depth + (len(graph) > 8) for node, depth in solutions.bfs(graph, source).items()}


def too_near(graph, source):
    return {node: min(depth, 5) for node, depth in solutions.bfs(graph, source).items()}


def test_a_film_shows_a_case_with_few_nodes():
    nodes, unions, *_ = watching.union_steps(WrongWithMany)
    assert nodes == 8
    assert [u == v for u, v in unions] == [False]
    nodes, edges, *_ = watching.search_steps(too_near)
    assert (nodes, len(edges)) == (7, 6)


def test_nodes_and_labels_of_a_film_do_not_overlap():
    unions = films.watch(WrongWithVeryMany)
    assert unions.title == "WrongWithVeryMany on 40 nodes, where it is wrong"
    search = films.watch(wrong_with_many)
    assert len(re.findall(">∞<", search.frame(0))) == 8
    for shown in (unions, search):
        out, drawn = shown._frames[-1], shown.frame(len(shown) - 1)
        disks = [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="15"', drawn)]
        labels = [
            (float(x), float(y) - 4) for x, y in re.findall(r'<text x="([^"]+)" y="([^"]+)" [^>]*font-size="11"', drawn)
        ]
        assert len(disks) == len(labels) > 6
        assert min(math.dist(one, other) for one, other in itertools.combinations(disks, 2)) > 32
        # A label of up to two characters is at most 14 wide.
        assert min(math.dist(disk, label) for disk in disks for label in labels) > 15 + 7
        assert all(10 < x < out.width - 10 and 10 < y < out.height - 30 for x, y in labels)


def test_a_film_of_a_union_find_names_the_set_of_each_node():
    film = films.watch(solutions.UnionFind)
    for at, names in enumerate(("012345", "002345", "002245", "002244", "000044", "000000")):
        assert re.findall(r'font-size="11"[^>]*>(\d+)<', film.frame(at)) == list(names)
    assert "outside: the smallest node of the set" in film.frame(0)


def test_only_classes_and_functions_can_be_watched():
    with pytest.raises(TypeError, match="code must be a class or a function, got 3"):
        films.watch(3)
