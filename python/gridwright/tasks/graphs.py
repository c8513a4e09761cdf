"""Tasks about graphs: spanning trees, cycles and components."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from .. import graph as lab
from . import answers, pictures
from .choices import Choices
from .task import RIGHT, Posed, Score, line_of

__all__ = ["components", "cycle", "spanning_tree"]

_LETTERS = "ABCDEFGHIJKLMNOPQRST"
_NO_CYCLE = ("no", "none", "no cycle", "there is none", "there is no cycle", "acyclic")

Edge = tuple[int, int]


def _forest(choices: Choices, n: int, edges: list[Edge], count: int) -> list[Edge]:
    """Returns ``count`` edges: the given ones and random edges that each join two components."""
    sets = lab.UnionFind(n)
    found = list(edges)
    for u, v in found:
        sets.union(u, v)
    while len(found) < count:
        u, v = choices.below(n), choices.below(n)
        if sets.union(u, v):
            found.append((min(u, v), max(u, v)))
    return found


def _edges_text(names: str, edges: Sequence[Edge], weights: Sequence[int] | None = None) -> str:
    words = [f"{names[u]}-{names[v]}" + (f" {weights[k]}" if weights else "") for k, (u, v) in enumerate(edges)]
    return ", ".join(words)


def _head(names: str, edges: Sequence[Edge], weights: Sequence[int] | None = None) -> str:
    what = "undirected edges, each with its weight" if weights else "undirected edges"
    return f"A graph has the nodes {', '.join(names)} and these {what}:\n\n{_edges_text(names, edges, weights)}\n\n"


def spanning_tree(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``spanning_tree``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    n = 3 + 2 * grade
    names = _LETTERS[:n]
    tree = _forest(choices, n, [], n - 1)
    others = [pair for pair in combinations(range(n), 2) if pair not in set(tree)]
    edges = sorted(tree + choices.sample(others, min(len(others), n - 1 + grade)))
    weights = [1 + choices.below(9 + 3 * grade) for _ in edges]
    expected = sum(weights[k] for k in lab.kruskal(n, edges, weights).tolist())
    question = _head(names, edges, weights) + "What is the total weight of a minimum spanning tree?"

    def judge(answer: str) -> Score:
        given = answers.integer(answer, fillers={"mst", "has"})
        return RIGHT if given == expected else Score(0.0, f"The weight is not {given}.")

    facts = {"nodes": n, "edges": [list(pair) for pair in edges], "weights": weights}
    draw = lambda: pictures.graph(names, edges, weights)  # noqa: E731
    return Posed(question, line_of("a number"), str(expected), judge, draw, facts)


def cycle(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``cycle``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    n = 5 + 3 * grade
    names = _LETTERS[:n]
    ring: list[int] = []
    if choices.below(2):
        ring = choices.sample(range(n), choices.between(3, n - 2))
    pairs = list(zip(ring, [*ring[1:], *ring[:1]], strict=True))
    # With or without a cycle, the graph has n - 2 edges, so the number of edges does not reveal the answer.
    edges = sorted(_forest(choices, n, [(min(pair), max(pair)) for pair in pairs], n - 2))
    known = set(edges)
    question = _head(names, edges) + (
        "Does the graph have a cycle? If it has one, name the nodes of one cycle in order; if not, answer no."
    )

    def judge(answer: str) -> Score:
        given = answers.nodes(answer, names, _NO_CYCLE)
        if given is None:
            return Score(0.0, "There is a cycle.") if ring else RIGHT
        walk = [names.index(name) for name in given]
        if len(walk) < 3 or len(set(walk)) < len(walk):
            return Score(0.0, "A cycle has at least three nodes and visits each of them only once.")
        for u, v in zip(walk, [*walk[1:], walk[0]], strict=True):
            if (min(u, v), max(u, v)) not in known:
                return Score(0.0, f"{names[u]}-{names[v]} is not an edge.")
        return RIGHT

    solution = "-".join(names[node] for node in ring) if ring else "no"
    facts = {"nodes": n, "edges": [list(pair) for pair in edges], "cycle": len(ring)}
    draw = lambda: pictures.graph(names, edges, None)  # noqa: E731
    return Posed(question, line_of("the nodes of a cycle such as X-Y-Z, or no"), solution, judge, draw, facts)


def components(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``components``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    n = 4 + 3 * grade
    names = _LETTERS[:n]
    expected = choices.between(2, 2 + grade)
    tree = _forest(choices, n, [], n - expected)
    label = lab.UnionFind(n)
    for u, v in tree:
        label.union(u, v)
    inside = [pair for pair in combinations(range(n), 2) if pair not in set(tree) and label.connected(*pair)]
    # Up to `grade` edges are added inside components, so that the number of edges does not reveal the answer.
    edges = sorted(tree + choices.sample(inside, min(len(inside), choices.below(1 + grade))))
    question = _head(names, edges) + (
        "How many connected components does the graph have? A node without edges is a component of its own."
    )

    def judge(answer: str) -> Score:
        given = answers.integer(answer, fillers={"components", "component", "connected", "graph", "has", "there"})
        return RIGHT if given == expected else Score(0.0, f"The number of components is not {given}.")

    facts = {"nodes": n, "edges": [list(pair) for pair in edges]}
    draw = lambda: pictures.graph(names, edges, None)  # noqa: E731
    return Posed(question, line_of("a number"), str(expected), judge, draw, facts)
