"""Tests of ``gridwright.graph``; some results are compared with scipy and networkx, if installed."""

from __future__ import annotations

import copy
import math
import pickle
import subprocess
import sys
from pathlib import Path

import gridwright as gw
import numpy as np
import pytest
from gridwright import graph
from hypothesis import given, settings
from hypothesis import strategies as st

NAMES = "ABCDEF"
EXAMPLE = [("EC", 15), ("CD", 25), ("AB", 30), ("BE", 35), ("BC", 40), ("FD", 50), ("AE", 50), ("BF", 50)]
EDGES = [tuple(NAMES.index(end) for end in name) for name, _ in EXAMPLE]
WEIGHTS = [weight for _, weight in EXAMPLE]


def test_the_worked_example_of_the_source_document_is_reproduced():
    taken = graph.kruskal(6, EDGES, WEIGHTS)
    assert [EXAMPLE[i][0] for i in taken] == ["EC", "CD", "AB", "BE", "FD"]
    steps = graph.kruskal_steps(6, EDGES, WEIGHTS, parents=True)
    assert steps["edge"].tolist() == [0, 1, 2, 3, 4, 5]
    assert steps.accepted.tolist() == [True, True, True, True, False, True]
    roots = [NAMES[u] + NAMES[v] for u, v in zip(steps.root_u, steps.root_v, strict=True)]
    assert roots == ["EC", "ED", "AB", "AE", "EE", "FE"]
    maps = ["".join(NAMES[p] for p in row) for row in steps["parents"].tolist()]
    # The last map in the source document links F to D instead of the representative E; the sets are the same.
    assert maps == ["ABEDEF", "ABEEEF", "AAEEEF", "EAEEEF", "EAEEEF", "EAEEEE"]
    sets = graph.UnionFind(6, strategy="size")
    for (u, v), accepted in zip(EDGES, [True] * 4 + [False, True], strict=False):
        assert sets.union(u, v) is accepted
    assert "".join(NAMES[p] for p in sets.parents) == "EAEEEE"
    assert sets.components == 1
    assert graph.prim(6, EDGES, WEIGHTS).tolist() == [2, 3, 0, 1, 5]
    edges, rounds = graph.boruvka(6, EDGES, WEIGHTS)
    assert sorted(edges.tolist()) == [0, 1, 2, 3, 5]
    assert rounds.tolist() == sorted(rounds.tolist())


@st.composite
def graphs(draw):
    nodes = draw(st.integers(1, 12))
    ends = st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1))
    edges = draw(st.lists(ends, max_size=30))
    weights = draw(st.lists(st.integers(-4, 4), min_size=len(edges), max_size=len(edges)))
    return nodes, edges, weights


def plain_kruskal(nodes, edges, weights):
    label = list(range(nodes))
    taken = []
    for i in sorted(range(len(edges)), key=lambda i: weights[i]):
        a, b = label[edges[i][0]], label[edges[i][1]]
        if a != b:
            taken.append(i)
            label = [b if x == a else x for x in label]
    return taken


KINDS = ["i1", "i2", "i4", "i8", "f2", "f4", "f8", "g", ">f8", ">i4"]


@settings(deadline=None)
@given(graphs(), st.sampled_from(KINDS))
def test_spanning_trees_agree_with_a_plain_kruskal(case, kind):
    nodes, edges, weights = case
    expected = plain_kruskal(nodes, edges, weights)
    found = graph.kruskal(nodes, np.array(edges, dtype="i8").reshape(-1, 2), np.array(weights, dtype=kind))
    assert found.dtype == np.int32
    assert found.tolist() == expected
    steps = graph.kruskal_steps(nodes, edges, weights)
    assert steps.edge[steps.accepted].tolist() == expected
    assert sorted(graph.prim(nodes, edges, weights, nodes - 1).tolist()) == sorted(expected)
    assert sorted(graph.boruvka(nodes, edges, weights)[0].tolist()) == sorted(expected)


@settings(deadline=None)
@given(graphs())
def test_strategies_agree_on_the_sets(case):
    nodes, edges, _ = case
    finds = [graph.UnionFind(nodes, strategy=name) for name in ("naive", "compression", "size", "both")]
    for u, v in edges:
        assert len({find.union(u, v) for find in finds}) == 1
    for node in range(nodes):
        assert len({find.connected(0, node) for find in finds}) == 1
    assert len({find.components for find in finds}) == 1
    for find in finds:
        roots = {find.find(node) for node in range(nodes)}
        assert len(roots) == find.components
        assert all(find.parents[root] == root for root in roots)


def test_the_naive_strategy_follows_the_most_links():
    def follows(strategy):
        find = graph.UnionFind(3000, strategy=strategy)
        for node in range(2999, 0, -1):
            find.union(node - 1, node)
        for node in range(3000):
            find.find(node)
        return find.follows

    assert follows("naive") > 50 * follows("compression")
    assert follows("both") <= follows("size") < follows("naive")


@settings(deadline=None)
@given(graphs(), st.integers(0, 11))
def test_bfs_and_dfs_reach_the_same_nodes(case, source):
    nodes, edges, _ = case
    source %= nodes
    wide, deep = graph.bfs(nodes, edges, source), graph.dfs(nodes, edges, source)
    assert sorted(wide.order.tolist()) == sorted(deep.order.tolist())
    order, _, depth = wide
    assert order[0] == source
    for found in (wide, deep):
        for node in found.order.tolist():
            path = graph.path(found.parent, node)
            assert (path[0], path[-1], len(path) - 1) == (source, node, found.depth[node])
            if node != source:
                edge = edges[found.came_from[node]]
                assert set(edge) == {int(found.parent[node]), node}
    assert all(depth[node] <= deep.depth[node] for node in order)
    assert (depth >= 0).sum() == len(order)


def test_errors_name_the_bad_input():
    for call, sentence in [
        (lambda: graph.kruskal(2, [(0, 2)], [1]), r"edges must join nodes between 0 and 1, got \(0, 2\) at index 0"),
        (lambda: graph.kruskal(2, [(0, -1)], [1]), "edges must join nodes between 0 and"),
        (lambda: graph.kruskal(0, [(0, 1)], [1]), r"edges must be empty for a graph without nodes, got \(0, 1\)"),
        (lambda: graph.to_scipy(0, [(0, 1)]), r"edges must be empty for a graph without nodes, got \(0, 1\)"),
        (lambda: graph.path(np.zeros(0, int), 0), r"parent must hold at least one node, got shape \(0,\)"),
        (lambda: graph.kruskal(2, np.array([(0, 2**40)]), [1]), "edges must join nodes between 0 and"),
        (lambda: graph.kruskal(2, [(0, 1)], [1, 2]), "weights must hold one number per edge, 1 in all, got 2"),
        (lambda: graph.kruskal(2, [(0, 1)], [math.nan]), "weights must be numbers, got nan at index 0"),
        (lambda: graph.kruskal(2, [(0, 1)], np.array([math.nan], "f2")), "weights must be numbers, got nan at index 0"),
        (lambda: graph.kruskal(-1, [], []), "nodes must be between 0 and 2\\^31 - 1, got -1"),
        (lambda: graph.bfs(2, [], 2), "source must be between 0 and 1, got 2"),
        (lambda: graph.prim(2, [], [], -1), "source must be between 0 and 1, got -1"),
        (lambda: graph.diameter(2, []), "edges must connect all 2 nodes, got only 1 connected with node 0"),
        (lambda: graph.grid_edges(0, 3), "height must be between 1 and 67108864, got 0"),
        (lambda: graph.grid_edges(3, 3, hexagonal=True, wrap=True), "height must be even if hexagons wrap, got 3"),
        (
            lambda: graph.random_spanning_tree(3, 3, method="luck"),
            "method must be 'kruskal', .* or 'fractal', got 'luck'",
        ),
        (lambda: graph.random_spanning_tree(3, 3, bias=1), "bias must be greater than -1 and less than 1, got 1$"),
        (lambda: graph.random_spanning_tree(3, 3, bias=1.5), "bias must be greater than -1 and less than 1, got 1.5"),
        (lambda: graph.UnionFind(3, strategy="luck"), "strategy must be 'naive', .* or 'both', got 'luck'"),
        (lambda: graph.UnionFind(-1), "n must be between 0 and 2\\^31 - 1, got -1"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            call()
    for call, sentence in [
        (lambda: graph.kruskal(2, [(0, 1)], ["x"]), r"weights must be numbers of shape \(m,\), got <U1"),
        (lambda: graph.kruskal(2, [(0, 1)], [1j]), "weights must be numbers .*, got complex128"),
        (lambda: graph.kruskal(2, [(0.0, 1.0)], [1]), r"edges must be integers of shape \(m, 2\), got float64"),
    ]:
        with pytest.raises(TypeError, match=sentence):
            call()
    with pytest.raises(IndexError, match="node must be between 0 and 2, got 3"):
        graph.UnionFind(3).find(3)


@pytest.mark.parametrize("huge", [2**63, 10**30, -(10**30)])
def test_huge_numbers_are_refused_with_a_message(huge):
    shown = rf"{huge}\b"
    for call in [
        lambda: graph.kruskal(huge, [(0, 1)], [1]),
        lambda: graph.kruskal_steps(huge, [(0, 1)], [1]),
        lambda: graph.prim(2, [(0, 1)], [1], huge),
        lambda: graph.boruvka(huge, [], []),
        lambda: graph.bfs(2, [(0, 1)], huge),
        lambda: graph.dfs(huge, [(0, 1)], 0),
        lambda: graph.diameter(huge, []),
        lambda: graph.path([-1, 0], huge),
        lambda: graph.grid_edges(huge, 3),
        lambda: graph.grid_weights(3, huge, seed=1),
        lambda: graph.grid_weights(3, 3, seed=huge if huge < 0 else huge * 2),
        lambda: graph.random_spanning_tree(huge, huge),
        lambda: graph.UnionFind(huge),
        lambda: gw.LightEmAll.generate(huge, 3),
        lambda: gw.LightEmAll.generate_many(huge, 3, 3),
        lambda: gw.LightEmAll.from_wires([[2, 8]], radius=huge),
    ]:
        with pytest.raises(ValueError, match=r" must be between .*, got "):
            call()
    with pytest.raises(ValueError, match=shown):
        graph.bfs(2, [(0, 1)], huge)
    with pytest.raises(IndexError, match=shown):
        graph.UnionFind(3).find(huge)
    with pytest.raises(IndexError, match="^node must be the index of a node, got 0 for a union-find without nodes$"):
        graph.UnionFind(0).find(0)
    with pytest.raises(TypeError, match=r"^node must be an integer, got 'x' \(str\)$"):
        graph.UnionFind(0).find("x")
    with pytest.raises(ValueError, match="^parents must be between 0 and 1, got -1 at index 1$"):
        gw._core.union_find_from_parents(np.array([0, -1], np.int32), "both", 0)
    with pytest.raises(ValueError, match="edges must be integers .* up to 64 bits, got 1180591620717411303424"):
        graph.kruskal(2, [(0, 2**70)], [1])
    with pytest.raises(ValueError, match="bias must be between -1.797e308 and 1.797e308, got an integer of 1329 bits"):
        graph.random_spanning_tree(3, 3, bias=10**400)
    pytest.importorskip("scipy")
    with pytest.raises(ValueError, match=f"nodes must be between 0 and .* got {shown}"):
        graph.to_scipy(huge, [])
    pytest.importorskip("networkx")
    with pytest.raises(ValueError, match=f"nodes must be between 0 and .* got {shown}"):
        graph.to_networkx(huge, [])


def test_arguments_of_wrong_types_are_refused():
    for call in [
        lambda: graph.kruskal(2.5, [(0, 1)], [1]),
        lambda: graph.bfs(2, [(0, 1)], "0"),
        lambda: graph.grid_edges(3, 2.0),
        lambda: graph.path([-1, 0], 1.0),
        lambda: graph.UnionFind(3).union(1.0, 2),
    ]:
        with pytest.raises(TypeError):
            call()
    with pytest.raises(TypeError, match="^seed must be an integer, got None$"):
        graph.grid_weights(3, 3, seed=None)
    with pytest.raises(TypeError, match=r"parent must be integers of shape \(n,\), got float64"):
        graph.path([-1.0, 0.0], 1)
    with pytest.raises(ValueError, match="parent must be between -1 and 1, got 9 at index 1"):
        graph.path([-1, 9], 1)


def test_arrays_need_not_be_contiguous():
    edges = np.array([[0, 1, 2, 3], [1, 2, 3, 0]]).T
    assert graph.kruskal(4, edges, np.arange(8)[::2]).tolist() == [0, 1, 2]
    assert graph.kruskal(4, np.asfortranarray(edges.astype("i4")), np.arange(4.0)[::-1]).tolist() == [3, 2, 1]
    assert graph.diameter(4, edges[::-1]) == 2


SIDE = 700
CALLS = {
    "kruskal": lambda e, w, p: graph.kruskal(SIDE**2, e, w, progress=p),
    "kruskal_steps": lambda e, w, p: graph.kruskal_steps(SIDE**2, e, w, progress=p),
    "prim": lambda e, w, p: graph.prim(SIDE**2, e, w, progress=p),
    "boruvka": lambda e, w, p: graph.boruvka(SIDE**2, e, w, progress=p),
    "bfs": lambda e, w, p: graph.bfs(SIDE**2, e, 0, progress=p),
    "dfs": lambda e, w, p: graph.dfs(SIDE**2, e, 0, progress=p),
    "diameter": lambda e, w, p: graph.diameter(SIDE**2, e, progress=p),
    **{
        f"tree by {method}": lambda e, w, p, method=method: graph.random_spanning_tree(
            2 * SIDE, 2 * SIDE, method=method, seed=1, progress=p
        )
        for method in ("kruskal", "wilson", "dfs", "prim", "fractal")
    },
    "generate": lambda e, w, p: gw.LightEmAll.generate(4 * SIDE, 4 * SIDE, seed=1, progress=p),
    "unique": lambda e, w, p: gw.LightEmAll.generate(SIDE, SIDE, unique=True, seed=1, progress=p),
    "generate_many": lambda e, w, p: gw.LightEmAll.generate_many(20_000, 8, 8, seed=1, progress=p),
    "generate_many large": lambda e, w, p: gw.LightEmAll.generate_many(9, SIDE, SIDE, seed=1, progress=p),
    "solve": lambda e, w, p: gw.LightEmAll.generate(SIDE, SIDE, seed=1).solve(progress=p),
    "count_solutions": lambda e, w, p: gw.LightEmAll.generate(SIDE, SIDE, seed=1).count_solutions(progress=p),
}


@pytest.mark.parametrize("name", CALLS)
def test_long_calls_report_progress_and_end_if_the_callback_raises(name):
    class Enough(Exception):
        pass

    reports = []

    def progress(done):
        reports.append(done)
        raise Enough

    edges, weights = graph.grid_edges(SIDE, SIDE), graph.grid_weights(SIDE, SIDE, seed=1)
    with pytest.raises(Enough):
        CALLS[name](edges, weights, progress)
    assert len(reports) == 1


def test_solve_reports_progress_from_the_first_step():
    reports = []
    gw.LightEmAll.generate(SIDE, SIDE, seed=1).solve(progress=reports.append)
    assert reports[0] == 1
    assert reports == sorted(reports)
    assert len(reports) > 2


def test_zero_negative_and_infinite_weights_are_ordered_correctly():
    assert graph.kruskal(3, [(0, 1), (1, 2), (0, 2)], [0, 0, -1]).tolist() == [2, 0]
    assert graph.kruskal(3, [(0, 1), (1, 2), (0, 2)], np.array([0, 2**64 - 1, 1], "u8")).tolist() == [0, 2]
    assert graph.kruskal(3, [(0, 1), (1, 2), (0, 2)], [math.inf, -math.inf, 0.0]).tolist() == [1, 2]


@pytest.mark.parametrize("shape", [{}, {"hexagonal": True}, {"wrap": True}, {"hexagonal": True, "wrap": True}])
@pytest.mark.parametrize("bias", [0.0, 0.7])
def test_random_spanning_tree_and_generate_use_the_edges_that_kruskal_takes(shape, bias):
    edges = graph.grid_edges(150, 140, **shape)
    weights = graph.grid_weights(150, 140, bias=bias, seed=5, **shape)
    assert weights.dtype == np.uint32
    taken = edges[graph.kruskal(150 * 140, edges, weights)]
    assert np.array_equal(taken, graph.random_spanning_tree(150, 140, bias=bias, seed=5, **shape))
    game = gw.LightEmAll.generate(150, 140, bias=bias, seed=5, hexagonal="hexagonal" in shape, wrap="wrap" in shape)
    assert np.array_equal(game.tree, taken)


@pytest.mark.parametrize("method", ["kruskal", "wilson", "dfs", "prim", "fractal"])
def test_random_spanning_trees_reach_every_node(method):
    for shape in ({}, {"hexagonal": True}, {"wrap": True}):
        tree = graph.random_spanning_tree(12, 14, method=method, seed=3, **shape)
        assert tree.shape == (167, 2)
        assert tree.dtype == np.int32
        edges = {frozenset(edge) for edge in graph.grid_edges(12, 14, **shape).tolist()}
        assert {frozenset(edge) for edge in tree.tolist()} <= edges
        assert (graph.bfs(168, tree, 0).depth >= 0).all()
        assert np.array_equal(tree, graph.random_spanning_tree(12, 14, method=method, seed=3, **shape))


@settings(max_examples=25, deadline=None)
@given(graphs())
def test_scipy_and_networkx_agree(case):
    sparse = pytest.importorskip("scipy.sparse")
    networkx = pytest.importorskip("networkx")
    nodes, edges, weights = case
    weights = [weight + 5 for weight in weights]  # scipy treats a weight of 0 as a missing edge
    total = sum(weights[i] for i in graph.kruskal(nodes, edges, weights))
    tree = sparse.csgraph.minimum_spanning_tree(graph.to_scipy(nodes, edges, weights))
    assert tree.sum() == total
    tree = networkx.minimum_spanning_tree(graph.to_networkx(nodes, edges, weights))
    assert tree.size(weight="weight") == total
    lengths = networkx.single_source_shortest_path_length(graph.to_networkx(nodes, edges), 0)
    depth = graph.bfs(nodes, edges, 0).depth
    assert {node: int(d) for node, d in enumerate(depth) if d >= 0} == dict(lengths)


@pytest.mark.parametrize("dtype", [*np.typecodes["AllInteger"], *np.typecodes["Float"], "?", ">f2", ">f4"])
def test_weights_of_every_numeric_dtype_reach_scipy_and_networkx(dtype):
    sparse = pytest.importorskip("scipy.sparse")
    networkx = pytest.importorskip("networkx")
    edges, weights = [(0, 1), (1, 2), (0, 1)], np.array([1, 1, 0], dtype)
    found = graph.to_scipy(3, edges, weights)
    assert found.dtype == (np.float32 if weights.dtype.type is np.float16 else weights.dtype.type)
    assert found.toarray().astype(float).tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0]]
    assert sparse.csgraph.minimum_spanning_tree(found).sum() == 1
    assert networkx.minimum_spanning_tree(graph.to_networkx(3, edges, weights)).size(weight="weight") == 1


def test_edges_of_a_board_are_in_order():
    assert graph.grid_edges(2, 3).tolist() == [[0, 1], [0, 3], [1, 2], [1, 4], [2, 5], [3, 4], [4, 5]]
    assert graph.grid_edges(2, 2, hexagonal=True).tolist() == [[0, 1], [0, 2], [1, 3], [1, 2], [2, 3]]
    assert len(graph.grid_edges(3, 4, wrap=True)) == 24
    assert graph.grid_edges(1, 1).shape == (0, 2)
    assert graph.diameter(12, graph.grid_edges(3, 4)) == 5


def test_captions_of_graph_films_count_edges_parts_and_tiles():
    from gridwright.draw import films

    for shape in ({}, {"hexagonal": True}, {"wrap": True}):
        game = gw.LightEmAll.generate(6, 6, seed=1, **shape)
        film = films.kruskal(game, frames=12)
        assert len(film) == 12
        assert film.captions[0] == "0 edges, 36 parts"
        assert film.captions[-1] == "35 edges, 1 part"
    with pytest.raises(ValueError, match="game must be a generated board"):
        films.kruskal(gw.LightEmAll.level("level01"))
    film = films.union_find(6, EDGES, WEIGHTS, names=NAMES)
    assert film.captions[-2:] == ("B-C: refused: it would close a loop", "F-D: taken")
    with pytest.raises(ValueError, match="names must hold 6 names, one per node, got 2"):
        films.union_find(6, EDGES, WEIGHTS, names="AB")
    for names, got in (("ABCDEFGH", "8"), (list("ABCDEFGH"), "more")):
        with pytest.raises(ValueError, match=f"names must hold 6 names, one per node, got {got}"):
            films.union_find(6, EDGES, WEIGHTS, names=names)
    solved = gw.LightEmAll.generate(6, 6, scramble=False, seed=1)
    film = films.power(solved)
    assert len(film) == solved.distance.max() + 1
    assert film.captions[-1] == f"36 tiles within distance {solved.distance.max()}"


def test_the_repr_of_a_union_find_counts_nodes_and_sets():
    sets = gw.graph.UnionFind(5)
    sets.union(1, 2)
    assert repr(sets) == "<UnionFind of 5 nodes in 4 sets, strategy 'both'>"
    assert repr(gw.graph.UnionFind(1)) == "<UnionFind of 1 node in 1 set, strategy 'both'>"


def test_copies_of_a_union_find_are_independent():
    sets = graph.UnionFind(4)
    sets.union(0, 1)
    for again in (copy.copy(sets), copy.deepcopy(sets)):
        again.union(2, 3)
        assert (again.components, sets.components) == (2, 3)
        assert again.strategy == sets.strategy


@pytest.mark.parametrize("strategy", ["naive", "compression", "size", "both"])
def test_a_union_find_pickles(strategy):
    sets = graph.UnionFind(9, strategy=strategy)
    for u, v in [(0, 1), (2, 3), (1, 3), (5, 8), (8, 0)]:
        sets.union(u, v)
    again = pickle.loads(pickle.dumps(sets))
    assert repr(again) == repr(sets)
    assert (again.components, again.follows, again.strategy) == (sets.components, sets.follows, strategy)
    assert again.parents.tolist() == sets.parents.tolist()
    # The sizes of the sets are restored too, so both union-finds link the same representatives from here on.
    for u, v in [(4, 0), (6, 7), (7, 4)]:
        assert again.union(u, v) == sets.union(u, v)
        assert again.parents.tolist() == sets.parents.tolist()
    assert again.follows == sets.follows


def test_calls_that_need_too_much_memory_raise_and_the_process_continues():
    """In a limited address space, each call raises ``MemoryError``; afterward a level can still be solved."""
    code = """
import resource, sys
import numpy as np
import gridwright as gw
board = gw.LightEmAll.generate(1500, 1500, seed=1)
soft = int(next(line for line in open("/proc/self/status") if line.startswith("VmSize")).split()[1]) * 1024
resource.setrlimit(resource.RLIMIT_AS, (soft + (64 << 20), resource.getrlimit(resource.RLIMIT_AS)[1]))
calls = {
    "UnionFind": lambda: gw.graph.UnionFind(2**31 - 1),
    "grid_edges": lambda: gw.graph.grid_edges(8192, 8192),
    "grid_weights": lambda: gw.graph.grid_weights(8192, 8192, seed=1),
    "kruskal": lambda: gw.graph.kruskal(2 * 10**9, [[0, 1]], [1.0]),
    "kruskal_steps": lambda: gw.graph.kruskal_steps(2 * 10**9, [[0, 1]], [1.0]),
    "prim": lambda: gw.graph.prim(2 * 10**9, [[0, 1]], [1.0]),
    "boruvka": lambda: gw.graph.boruvka(2 * 10**9, [[0, 1]], [1.0]),
    "bfs": lambda: gw.graph.bfs(2 * 10**9, [[0, 1]], 0),
    "dfs": lambda: gw.graph.dfs(2 * 10**9, [[0, 1]], 0),
    "diameter": lambda: gw.graph.diameter(2 * 10**9, [[0, 1]]),
    "random_spanning_tree": lambda: gw.graph.random_spanning_tree(8192, 8192, method="dfs", seed=1),
    "generate_many": lambda: gw.LightEmAll.generate_many(10**7, 30, 30, seed=1),
    "blank": lambda: gw.LightEmAll.blank(8192, 8192),
    "solve": lambda: board.solve(),
    "fewest": lambda: board.solve("turns"),
}
for name, call in calls.items():
    try:
        call()
    except MemoryError as error:
        assert "not enough memory" in str(error), (name, error)
    else:
        raise SystemExit(f"{name} raised nothing")
assert gw.LightEmAll.level("level01").solve() is not None
print("alive")
"""
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc")
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert ran.stdout == "alive\n", ran.stderr[-2000:]
