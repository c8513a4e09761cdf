"""Checks the parts of the public API on which users rely: names, argument order, shapes and dtypes."""

from __future__ import annotations

import functools
import inspect
import re
from enum import IntEnum

import games
import gridwright as gw
import numpy as np
import pytest
from conftest import ROOT

U8, I32, F64, BOOL = np.uint8, np.int32, np.float64, np.bool_


def is_array(array, dtype, *shape):
    assert isinstance(array, np.ndarray)
    assert array.dtype == dtype, array.dtype
    assert array.ndim == len(shape), array.shape
    assert all(size is None or found == size for found, size in zip(array.shape, shape, strict=True)), array.shape
    assert array.flags.c_contiguous


FOLDERS = {
    "photon": "MyPhoton",
    "lightemall": "LightEmAll",
    "bloxorz": "Bloxorz",
    "geese": "GeeseSpotter",
    "domination": "LinearDomination",
}
"""Maps the name of a game to the name of its class. More games may be added."""


def test_games_statuses_and_errors_are_unchanged():
    assert FOLDERS.items() <= {name: kind.__name__ for name, kind in gw.GAMES.items()}.items()
    assert [int(gw.Status[name]) for name in ("OPEN", "WON", "LOST", "DRAWN")] == [0, 1, -1, 2]
    for error in (gw.LevelError, gw.MoveError, gw.IllegalMoveError):
        assert issubclass(error, ValueError)
    assert issubclass(gw.IllegalMoveError, gw.MoveError)
    assert issubclass(gw.SearchLimitError, RuntimeError)


def test_every_game_has_the_common_members(kind, tmp_path):
    rank = games.of(kind).RANK
    assert isinstance(kind.levels(), tuple)
    game = kind.level(kind.levels()[0])
    assert len(game.bounds) == rank
    is_array(game.board, U8, game.height, game.width)
    is_array(game.legal_moves(), I32, None, rank)
    is_array(game.moves, I32, 0, rank)
    is_array(game.legal_mask(), BOOL, *game.bounds)
    assert inspect.signature(kind.generate).parameters["seed"].default is None
    answers = ("hint", "explain", "solve", "play_on", "controls", "perft")
    for member in ("svg", "save_image", "animate", "widget", "batch", "copy", "undo", "redo", "reset", *answers):
        assert callable(getattr(game, member)), member
    assert issubclass(next(code for code in vars(getattr(gw, kind.NAME)).values() if _is_codes(code)), int)
    game.save(tmp_path / "a.txt")
    assert kind.load(tmp_path / "a.txt") == game


def test_every_game_has_the_methods_that_the_docs_list(kind):
    listed = re.findall(r"^\| `(\w+)\(", (ROOT / "docs" / "extend.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert tuple(listed) == games.EXTRAS
    missing = [name for name in listed if not hasattr(kind, name)]
    assert not missing or (missing == ["solution"] and "_answer" in vars(kind.CONTROLS))


def test_a_game_can_be_saved_to_a_file_with_a_very_long_name(tmp_path):
    path = tmp_path / ("\N{GRINNING FACE}" * 62 + ".txt")  # 252 bytes; file systems allow 255
    for _ in range(2):
        gw.Bloxorz.level("level01").save(path)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def _is_codes(thing) -> bool:
    return inspect.isclass(thing) and issubclass(thing, int) and hasattr(thing, "__members__")


def parameters(function) -> list[str]:
    return [
        f"{'*' if parameter.kind is parameter.KEYWORD_ONLY else ''}{name}"
        for name, parameter in inspect.signature(function).parameters.items()
    ]


def test_the_api_of_myphoton_is_unchanged():
    found = parameters(gw.MyPhoton.generate)
    assert found[:2] == ["height", "width"]
    assert {"*lasers", "*sensors", "*mirrors", "*splitters", "*tmirrors", "*walls", "*seed"} <= set(found)
    game = gw.MyPhoton.generate(8, 9, lasers=1, sensors=2, mirrors=2, splitters=1, tmirrors=1, walls=0.1, seed=3)
    assert game.shape == (8, 9)
    assert not game.is_solved
    is_array(game.beams, U8, 8, 9)
    is_array(game.lit, BOOL, 8, 9)
    for places in (game.sensors, game.lasers, game.hardware):
        assert places.shape[1] == 2
    assert (len(game.sensors), len(game.lasers), len(game.hardware)) == (2, 1, 4)
    heads = game.trace()
    assert list(heads) == ["row", "col", "heading", "order", "parent"]
    assert len({len(column) for column in heads.values()}) == 1
    solution = game.solve()
    assert solution is not None
    assert game.count_solutions(most=2) in (1, 2)
    piece = tuple(game.hardware[0])
    assert game.can_select(piece)
    assert not game.can_select(tuple(game.lasers[0]))
    for move in solution:
        a, b = tuple(move[:2]), tuple(move[2:])
        assert game.can_swap(a, b)
        game.swap(a, b)
    assert game.is_solved
    tiles = gw.photon.Tile
    assert (tiles.EMPTY, tiles.WALL, tiles.MIRROR_DOWN, tiles.MIRROR_UP) == (0, 1, 2, 3)
    assert (tiles.SPLITTER_DOWN, tiles.SPLITTER_UP, tiles.TMIRROR_N, tiles.TMIRROR_W) == (4, 5, 6, 9)
    assert (tiles.LASER_N, tiles.LASER_W, tiles.SENSOR_N, tiles.SENSOR_W) == (10, 13, 14, 17)
    example = gw.MyPhoton.level("example")
    assert len(example.lasers) == 3
    assert len(example.sensors) == 5
    assert len(example.hardware) == 3
    assert example.lit.sum() == 2


def test_the_api_of_lightemall_is_unchanged():
    found = parameters(gw.LightEmAll.generate)
    assert found[:2] == ["height", "width"]
    assert {"*method", "*bias", "*hexagonal", "*wrap", "*limited_radius", "*unique", "*scramble", "*seed"} <= set(found)
    game = gw.LightEmAll.generate(7, 5, seed=1)
    assert game.shape == (7, 5)
    is_array(game.wires, U8, 7, 5)
    is_array(game.powered, BOOL, 7, 5)
    is_array(game.distance, I32, 7, 5)
    is_array(game.tree, I32, 34, 2)
    assert tuple(game.station) == (0, 0)
    turns = game.solve()
    is_array(turns, U8, 7, 5)
    for row, col in np.argwhere(turns):
        game.rotate((row, col), turns=int(turns[row, col]))
    assert game.is_solved
    assert game.count_solutions(most=2) >= 1
    assert game.score == turns.sum()
    solved = gw.LightEmAll.generate(7, 5, scramble=False, limited_radius=True, seed=2)
    assert solved.radius >= 1
    moving = gw.LightEmAll("1 3\n2a1\nstation 0 0")
    moving.move_station("E")
    assert tuple(moving.station) == (0, 1)
    for method in ("kruskal", "rows", "columns", "wilson"):
        assert gw.LightEmAll.generate(6, 6, method=method, seed=1).shape == (6, 6)
    assert gw.LightEmAll.generate(6, 5, hexagonal=True, wrap=True, unique=False, seed=1).solve() is not None
    rows = gw.LightEmAll.generate(6, 8, method="rows", seed=1)
    assert tuple(rows.station) == (3, 4)
    again = gw.LightEmAll.from_wires(game.wires, station=(0, 0))
    assert again.powered.all()


def test_the_api_of_bloxorz_is_unchanged():
    found = parameters(gw.Bloxorz.generate)
    assert found[:2] == ["height", "width"]
    assert {"*min_moves", "*seed"} <= set(found)
    game = gw.Bloxorz.level("level01")
    game.play("r")
    assert game.solve() == "rdrrrd"
    is_array(game.hint(), I32, 1)
    assert game.hint().tolist() == [2]
    assert isinstance(game.bridges, dict)
    assert (game.falls, game.rolls) == (0, 1)
    is_array(game.block, I32, 2, 2)
    graph = game.state_graph()
    for name in ("indptr", "indices", "key", "depth", "distance"):
        assert isinstance(getattr(graph, name), np.ndarray)
    made = gw.Bloxorz.generate(7, 7, min_moves=8, seed=1)
    assert made.shape == (7, 7)
    assert len(made.solve()) >= 8


def test_the_api_of_geesespotter_is_unchanged():
    found = parameters(gw.GeeseSpotter.generate)
    assert found[:3] == ["height", "width", "geese"]
    assert {"*safe", "*no_guess", "*seed"} <= set(found)
    game = gw.GeeseSpotter.generate(6, 8, 7, safe=(2, 3), seed=1)
    assert game.shape == (6, 8)
    assert game.view.dtype == np.dtype("U1")
    assert (game.view == "*").all()
    is_array(game.secret, U8, 6, 8)
    assert ((game.secret & 0x0F) == 9).sum() == 7
    assert (game.board == 0x20).all()
    assert game.mark((0, 0)) == 0
    assert game.show((0, 0)) == 1
    assert game.mark((0, 0)) == 0
    assert game.show((2, 3)) == 0
    assert game.view[2, 3] == "0"
    assert game.mark((2, 3)) == 2
    chances = game.probabilities()
    is_array(chances, F64, 6, 8)
    hint = game.hint()
    assert len(tuple(hint)) == 2
    game.explain(tuple(hint))
    assert game.three_bv >= 1
    assert game.min_shows >= 1
    geese = gw.geese
    board = geese.create_board(5, 3)
    is_array(board, U8, 3, 5)
    geese.spread_geese(board, 4, seed=1)
    assert (board == 9).sum() == 4
    geese.compute_neighbours(board)
    geese.hide_board(board)
    assert (board & 0x20).all()
    assert (geese.marked_bit(), geese.hidden_bit(), geese.value_mask()) == (0x10, 0x20, 0x0F)
    assert (geese.x_dim_max(), geese.y_dim_max()) == (60, 20)
    assert geese.mark(board, 0, 0) == 0
    assert geese.reveal(board, 0, 0) == 1
    assert geese.is_game_won(board) is False


def test_the_api_of_lineardomination_is_unchanged():
    found = parameters(gw.LinearDomination.generate)
    assert found[:3] == ["size", "lookback", "plays"]
    game = gw.LinearDomination.empty(8, 3)
    verdict = game.draw((0, 0), (3, 5))
    assert verdict == gw.domination.Verdict.LEGAL
    assert game.draw((0, 0), (9, 9)) == gw.domination.Verdict.OUT_OF_BOARD
    assert {"LEGAL", "OUT_OF_BOARD", "SAME_MIDPOINT", "PERPENDICULAR"} <= set(gw.domination.Verdict.__members__)
    assert set(np.unique(game.board)) <= {0, 1, 2}
    assert len(game.counts) == 2
    assert sum(game.counts) == (game.board > 0).sum()
    is_array(game.plays, I32, None, 4)
    assert len(game.verdicts) == len(game.plays)
    assert game.to_move == gw.domination.Color.X
    for player in ("greedy", "minimax", "mcts"):
        move = game.suggest(player=player)
        assert game.is_legal(*np.ravel(move).tolist())
    line = gw.domination.ParametricLine((0, 0), (3, 4))
    assert np.allclose(line.vector, (3, 4))
    assert np.allclose(line.vector_normalized, (0.6, 0.8))
    assert np.allclose(line.midpoint, (2.0, 2.5))
    assert np.allclose(line.barycentric_coordinate(0.5), line.midpoint)
    made = gw.LinearDomination.generate(8, 3, 10, seed=4)
    assert len(made.plays) == 10
    assert callable(gw.domination.run_game)


def test_the_api_of_graph_is_unchanged():
    graph = gw.graph
    union = graph.UnionFind(4)
    union.union(0, 1)
    assert union.connected(0, 1)
    assert union.find(0) == union.find(1)
    assert len(union.parents) == 4
    assert union.components == 3
    edges = graph.grid_edges(3, 4)
    is_array(edges, I32, 17, 2)
    weights = np.arange(17)[::-1].copy()
    taken = graph.kruskal(12, edges, weights)
    assert len(taken) == 11
    steps = graph.kruskal_steps(12, edges, weights)
    assert list(steps) == ["edge", "accepted", "root_u", "root_v"]
    assert all(len(column) for column in steps.values())
    tree = edges[taken]
    order, parent, depth = graph.bfs(12, tree, 0)
    assert len(order) == len(parent) == len(depth) == 12
    assert graph.diameter(12, tree) >= 5
    is_array(graph.random_spanning_tree(3, 4, method="wilson", bias=0.0, seed=1), I32, 11, 2)


def test_the_api_of_tracing_is_unchanged():
    tracing = gw.tracing
    cells = tracing.trace((0, 0), (3, 5))
    is_array(cells, I32, None, 2)
    assert cells[0].tolist() == [0, 0]
    assert cells[-1].tolist() == [3, 5]
    for method in ("amanatides-woo", "bresenham", "supercover", "dda", "wu"):
        tracing.trace((0, 0), (3, 5), method=method)
    steps = tracing.trace_steps((0, 0), (3, 5))
    assert list(steps) == ["row", "col", "t_max_row", "t_max_col", "axis"]
    assert all(len(column) for column in steps.values())
    segments = np.array([[0, 0, 3, 5], [2, 2, 2, 2]])
    many, offsets = tracing.trace_many(segments, "amanatides-woo")
    is_array(many, I32, offsets[-1], 2)
    assert len(offsets) == 3
    board = np.zeros((6, 6), dtype=U8)
    tracing.paint(board, segments, np.array([1, 2], dtype=U8), "amanatides-woo")
    assert board[2, 2] == 2
    assert tracing.coverage((6, 6), segments).shape == (6, 6)


def test_the_api_of_the_environments_is_unchanged():
    gymnasium = pytest.importorskip("gymnasium")
    for name in ("MyPhoton", "LightEmAll", "Bloxorz", "GeeseSpotter"):
        environment = gymnasium.make(f"gridwright.envs:gridwright/{name}-v0")
        observation, info = environment.reset(seed=1)
        assert environment.observation_space.contains(observation)
        assert "action_mask" in info
    assert callable(gw.envs.linear_domination.env)


def test_status_is_an_int_enum():
    assert issubclass(gw.Status, IntEnum)


# The positional parameters in order and, after ``*``, the keyword-only parameters. More parameters may be added.
PARAMETERS = {
    "MyPhoton.generate": "height width * lasers sensors mirrors splitters tmirrors walls seed",
    "MyPhoton.swap": "a b",
    "MyPhoton.solve": "max_swaps limit",
    "MyPhoton.count_solutions": "most * limit",
    "LightEmAll.generate": "height width * method bias hexagonal wrap limited_radius unique scramble seed",
    "LightEmAll.from_wires": "mask station",
    "LightEmAll.rotate": "cell turns",
    "LightEmAll.solve": "minimize",
    "LightEmAll.count_solutions": "most * limit",
    "Bloxorz.generate": "height width * min_moves seed",
    "GeeseSpotter.generate": "height width geese * safe no_guess seed",
    "LinearDomination.empty": "size lookback",
    "LinearDomination.generate": "size lookback plays seed",
    "LinearDomination.draw": "tail head",
    "LinearDomination.suggest": "player",
    "geese.create_board": "x_dim y_dim",
    "geese.spread_geese": "board num_geese seed",
    "domination.run_game": "input_path output_path",
    "graph.UnionFind": "n",
    "graph.grid_edges": "height width * hexagonal wrap",
    "graph.kruskal": "nodes edges weights",
    "graph.random_spanning_tree": "height width * method bias seed",
    "graph.bfs": "nodes edges source",
    "graph.diameter": "nodes edges",
    "tracing.trace": "tail head method * origin transform",
    "tracing.trace_many": "segments method",
    "tracing.paint": "board segments values method * clip",
    "tracing.coverage": "shape segments",
    "tracing.lengths": "segments shape * origin transform",
    "tracing.system_matrix": "shape segments",
    "tracing.parallel_beam": "shape angles detectors",
    "tracing.first_hit": "blocked segments",
    "tracing.visible": "blocked cell radius",
    "Batch": "game_or_generator n seed",
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_parameters_keep_their_names_and_order(name):
    thing = functools.reduce(getattr, name.split("."), gw)
    given = inspect.signature(thing).parameters.values()
    placed = [each.name for each in given if each.kind is not each.KEYWORD_ONLY and each.name != "self"]
    positional, named = (part.split() for part in PARAMETERS[name].partition("*")[::2])
    assert placed[: len(positional)] == positional
    assert set(named) <= {each.name for each in given if each.kind is each.KEYWORD_ONLY}


def test_the_error_for_a_value_that_is_not_a_move_shows_the_value(kind):
    game = kind.level(kind.levels()[0])
    rank, before = len(game.bounds), game.text
    if rank == 1:
        expected = "must be an integer.*, got "
        wrong = {"None": None, r"\[0\]": [0]}
    else:
        expected = rf"a move must be {rank} integers \(.*\), got "
        wrong = {"None": None, r".*; write \*move": (0,) * rank, rf"'{'x' * rank}' \(str\)$": "x" * rank}
    for found, value in wrong.items():
        for call in (game.play, game.is_legal):
            with pytest.raises(gw.errors.MoveTypeError, match=expected + found):
                call(value)
            # A single integer of any type is read as one coordinate, which is too few.
            for one in (0, np.int64(0), np.array(0)) if rank > 1 else ():
                with pytest.raises(gw.MoveError, match=rf"^a move must have {rank} coordinates \(.*\), got 1$"):
                    call(one)
    assert game.text == before
