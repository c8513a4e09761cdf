"""Tests of Bloxorz through the public API: rules, keys, the solver, the generator, state graphs and pictures."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections import deque

import gridwright as gw
import numpy as np
import pytest
from gridwright.bloxorz import Block, Bloxorz, Terrain, Tile
from hypothesis import given
from hypothesis import strategies as st


def test_tile_codes_are_0_to_8_and_the_flags_are_16_and_32():
    assert Tile(3) is Tile.TARGET
    assert [code.value for code in Tile] == [*range(9), 16, 32]


def test_a_block_reproduces_the_session_of_the_source_document():
    b = Block(4, 3)
    assert str(b) == "Block{Pos(x=3, y=4)}"
    b.right()
    assert str(b) == "Block{Pos(x=4, y=4),Pos(x=5, y=4)}"
    assert b.is_standing() is False
    b.right()
    assert str(b) == "Block{Pos(x=6, y=4)}"
    assert b.is_standing() is True
    assert b.positions() == [(4, 6)]
    b.down()
    assert str(b) == "Block{Pos(x=6, y=5),Pos(x=6, y=6)}"
    assert b.positions() == [(5, 6), (6, 6)]
    assert b.is_standing() is False
    b.right()
    assert str(b) == "Block{Pos(x=7, y=5),Pos(x=7, y=6)}"
    b.right()
    assert str(b) == "Block{Pos(x=8, y=5),Pos(x=8, y=6)}"
    b.down()
    assert str(b) == "Block{Pos(x=8, y=7)}"
    assert b.is_standing() is True


def test_a_terrain_reproduces_the_session_of_the_source_document():
    t = Terrain(Bloxorz.level("level01").text)
    assert (t.width, t.height) == (10, 6)
    assert t.start == (1, 1)
    assert t.target == (4, 7)
    assert t.at((1, 2)) == 2
    b = Block(1, 4)
    assert t.can_hold(b) is True
    b.right()
    assert str(b) == "Block{Pos(x=5, y=1),Pos(x=6, y=1)}"
    assert t.can_hold(b) is False
    assert t.at((1, 5)) == 2
    assert t.at((1, 6)) == 0
    assert t.at((-1, -1)) == t.at((10**20, 0)) == 0


def test_the_level_file_as_printed_in_the_source_document_is_level01():
    printed = "000\noS0000\n000000000\n-000000000\n-----o0Too\n------000\n"
    assert Bloxorz(printed) == Bloxorz.level("level01")


def test_a_terrain_has_2_for_firm_1_for_light_and_0_for_missing_tiles():
    t = Terrain("So.aT\n-bA\n#AOa\n#AOb\n%b")
    assert [t.at((0, col)) for col in range(5)] == [2, 2, 1, 0, 2]
    assert [t.at((1, col)) for col in range(3)] == [0, 2, 2]
    assert not t.can_hold(Block(0, 2))
    lying = Block(0, 0)
    lying.right()
    assert t.can_hold(lying)


@given(st.lists(st.sampled_from(["left", "right", "up", "down"]), max_size=60))
def test_opposite_rolls_in_reverse_order_return_a_block_to_its_start(directions):
    block = Block(0, 0)
    back = {"left": "right", "right": "left", "up": "down", "down": "up"}
    for direction in directions:
        getattr(block, direction)()
        cells = block.positions()
        assert len(cells) == (1 if block.is_standing() else 2)
        assert cells == sorted(cells, key=lambda cell: (cell[1], cell[0]))
    for direction in reversed(directions):
        getattr(block, back[direction])()
    assert block == Block(0, 0)


def test_play_accepts_a_letter_a_number_or_several_letters():
    game = Bloxorz.level("level01")
    game.play("r")
    game.play(2)
    game.play("drrrd")
    assert game.is_solved
    assert game.status == gw.Status.WON
    assert game.moves.ravel().tolist() == [2, 2, 3, 2, 2, 2, 3]
    assert len(game.legal_moves()) == 0
    with pytest.raises(gw.IllegalMoveError, match=r"the game is over \(won\)"):
        game.play("l")


def test_if_one_of_several_keys_is_refused_none_is_played():
    game = Bloxorz.level("level01")
    game.play("rr")
    game.undo()
    before = (game.text, game.moves.tolist(), game.undone.tolist())
    for keys in ("rs", "rrs", "lxs", "rdrrrdl"):
        with pytest.raises(gw.MoveError):
            game.play(keys)
        assert (game.text, game.moves.tolist(), game.undone.tolist()) == before
    assert game.is_legal("rdrrrd")
    assert not game.is_legal("rs")
    with pytest.raises(gw.MoveError, match="key 2 must be l, u, r, d or s, got 'x'"):
        game.play("lx")


def test_a_fall_restores_the_start_of_the_level_and_is_counted():
    game = Bloxorz("SoAaaT\nooo\n#AOa")
    game.play("r")
    assert game.bridges == {"a": True}
    game.play("lu")
    assert game.falls == 1
    assert game.bridges == {"a": False}
    assert game.block.tolist() == [[0, 0]]
    assert game == Bloxorz(game.text)
    assert game.status == gw.Status.OPEN
    assert game.undo()
    assert game.falls == 0


def test_a_splitter_splits_the_block_and_s_switches_cubes():
    game = Bloxorz.level("level24")
    game.play("r")
    assert not game.is_split
    assert not game.is_legal("s")
    game.play("r")
    assert game.is_split
    assert len(game.block) == 2
    assert game.is_legal("s")
    first, second = game.block.tolist()
    board = game.board
    assert board[tuple(first)] & Tile.BLOCK
    assert board[tuple(second)] & Tile.OTHER_CUBE
    game.play("s")
    assert game.block.tolist() == [second, first]
    assert game == Bloxorz(game.text)


def test_a_switch_applies_its_definitions_in_file_order():
    def after(definition: str, start: str = "") -> bool:
        game = Bloxorz(f"oSoA\noooo\n---a\n--oT\n{definition}\n{start}".strip())
        game.play("r")
        return game.bridges["a"]

    assert after("#AOa") is after("#A0a") is after("#AO+a") is True
    assert after("#AO-a") is after("#AO-a", "%a") is after("#AOa", "%a") is False
    assert after("#AXa") is False  # a lying block does not press a heavy switch
    assert after("#AOa\n#AOa") is False  # both definitions apply, and the second undoes the first
    assert after("#AO-a\n#AOa", "%a") is True  # the first turns off the bridge, the second toggles it
    assert after("#AOa\n#AO-a", "%a") is False


def test_two_switches_under_one_block_fire_left_to_right_or_bottom_to_top():
    row = Bloxorz("SAB\n--a\n-oT\n#AO+a\n#BO-a")
    row.play("r")
    assert row.bridges["a"] is False  # the left switch fires first
    column = Bloxorz("So\nAo\nBa\n-T\n#AO+a\n#BO-a")
    column.play("d")
    assert column.bridges["a"] is True  # the lower switch fires first
    twice = Bloxorz("SAA\n--a\n-oT\n#AOa")
    twice.play("r")
    assert twice.bridges["a"] is False  # switch A fires twice


def test_a_light_tile_breaks_under_a_standing_block_but_not_under_a_lying_block():
    game = Bloxorz("So...\noo..T")
    game.play("r")
    game.play("r")
    assert game.falls == 1
    lying = Bloxorz("S..oo\noo..T")
    lying.play("r")
    assert lying.falls == 0


def plain_search(level: str) -> int | None:
    """Returns the fewest rolls that solve a level, by 0-1 breadth-first search; ``None`` if there is no solution."""
    start = Bloxorz.level(level)
    seen = {start.text: 0}
    queue = deque([start.text])
    while queue:
        text = queue.popleft()
        if Bloxorz(text).is_solved:
            return seen[text]
        for row in Bloxorz(text).legal_moves():
            game = Bloxorz(text)
            game.play(*row)
            cost = seen[text] + (row[0] < 4)
            if not game.falls and (game.text not in seen or cost < seen[game.text]):
                seen[game.text] = cost
                (queue.append if row[0] < 4 else queue.appendleft)(game.text)
    return None


@pytest.mark.parametrize("level", ["level01", "level19", "level15", "level24", "level08"])
def test_solve_finds_as_few_rolls_as_a_plain_search(level):
    keys = Bloxorz.level(level).solve()
    assert sum(key != "s" for key in keys) == plain_search(level)


@pytest.mark.parametrize("level", Bloxorz.levels())
def test_solutions_win_when_replayed(level):
    game = Bloxorz.level(level)
    rolls, keys = game.solve(), game.solve(minimize="keys")
    assert len(keys) <= len(rolls)
    assert sum(key != "s" for key in rolls) <= sum(key != "s" for key in keys)
    for solution in (rolls, keys):
        trial = game.copy()
        trial.play(solution)
        assert trial.is_solved
        assert trial.falls == 0
    hinted = game.copy()
    for count in range(len(rolls)):
        assert hinted.status == gw.Status.OPEN, count
        hint = hinted.hint()
        assert (hint.shape, hint.dtype) == ((1,), np.int32)
        assert hint.tolist() in hinted.legal_moves().tolist()
        hinted.play(*hint)
    assert hinted.is_solved
    assert hinted.hint() is None


def test_solve_returns_none_without_a_solution_and_raises_at_the_limit():
    assert Bloxorz("So\n--\nT-").solve() is None
    assert Bloxorz("So\n--\nT-").hint() is None
    with pytest.raises(gw.SearchLimitError, match="limit reached after 5 states; nothing is proved"):
        Bloxorz.level("level13").solve(limit=5)
    with pytest.raises(ValueError, match="minimize must be 'rolls' or 'keys', got 'luck'"):
        Bloxorz.level("level01").solve(minimize="luck")


def test_progress_is_reported_and_errors_of_its_callback_propagate():
    seen: list[int] = []
    big = "\n".join(["S" + "o" * 299] + ["o" * 300] * 298 + ["o" * 300, "-" * 302 + "T"])
    Bloxorz(big).solve(progress=seen.append)
    assert seen
    assert seen == sorted(seen)

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Bloxorz(big).solve(progress=stop)
    with pytest.raises(TypeError, match="progress must be a callable or an object with an update method, got 3"):
        Bloxorz(big).solve(progress=3)


def test_the_board_has_the_code_of_each_tile():
    game = Bloxorz("oS.AB\nCabTo\n#AOa\n#BXb\n#CS 2 0 4 1\n%b")
    plain = game.board & 15
    assert plain.dtype == np.uint8
    names = [[Tile(int(code)).name for code in row] for row in plain]
    assert names == [
        ["TILE", "TILE", "LIGHT", "SWITCH_SOFT", "SWITCH_HEAVY"],
        ["SPLITTER", "BRIDGE_OFF", "BRIDGE_ON", "TARGET", "TILE"],
    ]


@given(st.text(alphabet="oS.TAabB-0#%@XO+ 12*=\n", max_size=60))
def test_any_text_is_read_or_rejected_with_a_line_and_a_column(text):
    try:
        game = Bloxorz(text)
    except gw.LevelError as error:
        assert min(error.line, error.column) >= 1  # noqa: PT017 - the text may be valid
    else:
        assert Bloxorz(game.text) == game


def test_the_edges_of_the_state_graph_agree_with_the_legal_moves():
    for name in ("level01", "level15", "level24", "level33"):
        start = Bloxorz.level(name)
        graph = start.state_graph()
        assert (graph.indptr.dtype, graph.indices.dtype, graph.key.dtype) == (np.int64, np.int32, np.uint8)
        assert (graph.depth.dtype, graph.distance.dtype, graph.block.dtype) == (np.int32, np.int32, np.int32)
        n = len(graph)
        assert graph.block.shape == (n, 2, 2)
        assert graph.indptr.shape == (n + 1,)
        assert graph.indptr[-1] == len(graph.indices) == len(graph.key)
        assert graph.position(0) == start
        assert graph.distance[0] == sum(key != "s" for key in start.solve())
        assert all(graph.position(int(state)).is_solved for state in graph.solved)
        for state in range(0, n, max(1, n // 40)):
            game = graph.position(state)
            assert graph.find(game) == state
            assert len(game.block) == len({tuple(cell) for cell in graph.block[state].tolist()})
            solution = game.solve()
            rolls = -1 if solution is None else sum(key != "s" for key in solution)
            assert graph.distance[state] == rolls
            expected = []
            for row in game.legal_moves():
                trial = game.copy()
                trial.play(*row)
                if not trial.falls:
                    expected.append((int(row[0]), graph.find(trial)))
            edges = slice(graph.indptr[state], graph.indptr[state + 1])
            assert expected == list(zip(graph.key[edges].tolist(), graph.indices[edges].tolist(), strict=True))
    assert len(Bloxorz.level("level15").state_graph().dead) == 39
    with pytest.raises(IndexError, match="state must be between 0 and 88, got 89"):
        Bloxorz.level("level01").state_graph().position(89)
    with pytest.raises(LookupError, match="cannot be reached"):
        Bloxorz.level("level01").state_graph().find(Bloxorz.level("level19"))


def test_hints_solve_a_level_from_its_solvable_positions():
    graph = Bloxorz.level("level24").state_graph()
    for state in range(0, len(graph), 97):
        game = graph.position(state)
        for _ in range(int(graph.distance[state]) * 2 + 2):
            hint = game.hint()
            if hint is None:
                break
            game.play(*hint)
        assert game.is_solved == (graph.distance[state] >= 0)


def test_shortest_solutions_are_counted():
    game = Bloxorz.level("level01")
    keys = [""]
    for _ in game.solve():
        keys = [word + key for word in keys for key in "lurd"]
    count = 0
    for word in keys:
        trial = game.copy()
        for key in word:
            trial.play(key)
            if trial.falls or trial.is_solved:
                break
        count += trial.is_solved and not trial.falls and len(trial.moves) == len(word)
    assert game.count_shortest() == count == 3
    assert Bloxorz("So\n--\nT-").count_shortest() == 0

    def open_board(n: int) -> Bloxorz:
        return Bloxorz("\n".join(["S" + "o" * n, *["o" * (n + 1)] * (n - 1), "o" * n + "T"]))

    assert open_board(120).count_shortest() > 2**64
    with pytest.raises(gw.SearchLimitError, match=r"must be fewer than 2\^128 to be counted"):
        open_board(300).count_shortest()


def test_a_generated_level_has_the_requested_shape_and_number_of_rolls():
    seen, levels = [], []
    game = Bloxorz.generate(7, 9, min_moves=30, seed=4, progress=seen.append, watch=levels.append)
    assert isinstance(game, Bloxorz)
    assert game.shape == (7, 9)
    assert sum(key != "s" for key in game.solve()) >= 30
    assert game == Bloxorz.generate(7, 9, min_moves=30, seed=4)
    assert game != Bloxorz.generate(7, 9, min_moves=30, seed=5)
    lengths = [sum(key != "s" for key in level.solve()) for level in levels]
    assert lengths[-1] >= 30 > lengths[0]
    assert seen == sorted(seen)
    with pytest.raises(gw.SearchLimitError, match="no level with min_moves 500 found with effort 50000"):
        Bloxorz.generate(4, 4, min_moves=500, seed=1, effort=50_000)
    with pytest.raises(
        gw.SearchLimitError, match=r"no level with min_moves 500 and max_moves 600 found .*; the nearest"
    ):
        Bloxorz.generate(4, 4, min_moves=500, max_moves=600, seed=1, effort=50_000)
    with pytest.raises(gw.SearchLimitError, match="limit reached after 1000 states"):
        Bloxorz.generate(8, 8, seed=1, limit=1000)
    with pytest.raises(
        ValueError, match="height and width must leave room to roll, at least 1 x 4 or 2 x 3, got 2 x 2"
    ):
        Bloxorz.generate(2, 2)
    with pytest.raises(ValueError, match="light must be between 0 and 1, got nan$"):
        Bloxorz.generate(5, 5, light=float("nan"))
    with pytest.raises(TypeError, match="watch must be a callable or None, got 3"):
        Bloxorz.generate(5, 5, watch=3)

    def fail(_: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        Bloxorz.generate(5, 5, watch=fail)


def test_a_generated_level_takes_no_more_rolls_than_requested():
    for seed in range(20):
        for least, most in ((4, 4), (7, 9), (15, 18)):
            game = Bloxorz.generate(6, 7, min_moves=least, max_moves=most, seed=seed)
            assert least <= sum(key != "s" for key in game.solve()) <= most
    for seed in range(20):
        # No level is won at its start, even if ``min_moves`` is 0.
        free = Bloxorz.generate(2, 3, min_moves=0, seed=seed)
        assert free.solve()
        assert Bloxorz(free.text) == free
    short = Bloxorz.generate(6, 7, max_moves=8, seed=1, effort=100_000)
    assert sum(key != "s" for key in short.solve()) == 8


def test_new_levels_on_larger_boards_need_more_rolls():
    for text, least, most in (
        ("Soo\nooo\nooT", 4, 6),
        ("\n".join(["S" + 9 * "o", *7 * [10 * "o"], 9 * "o" + "T"]), 11, 13),
    ):
        controls = Bloxorz(text).controls()
        for seed in range(20):
            assert controls.new(seed)
            assert least <= sum(key != "s" for key in controls.game.solve()) <= most


GENERATED = """oooo-A
ooa-oo
oo--oo
Soooo-
T-----
#AOa
"""


def test_a_seed_generates_the_recorded_level():
    """The level of a seed may change only with a major version (before 1.0, with a minor version)."""
    assert Bloxorz.generate(5, 6, min_moves=20, seed=1).text == GENERATED


def test_while_one_cube_falls_behind_the_terrain_the_other_is_drawn_in_front():
    from gridwright.draw import rolling as drawing

    game = Bloxorz.level("level05")
    game.play("rr")
    assert game.is_split
    for picture in drawing.rolling(game, "u", 6)[:-1]:
        _, _, block = picture.render().partition('<g data-id="block">')
        faces = block.partition("</g>")[0].count("<polygon")
        assert faces >= 3, "the three visible faces of the cube that stays must be drawn"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_rolls_in_three_dimensions_end_in_the_picture_of_the_new_position(theme):
    from gridwright.draw import rolling as drawing

    game = Bloxorz.level("level24")
    shapes = {len(game.svg(view="3d", theme=theme))}
    for keys in ("r", "r", "s"):
        pictures = drawing.rolling(game, keys, 4, theme=theme)
        assert len(pictures) == 4
        assert len({(picture.width, picture.height) for picture in pictures}) == 1
        assert len({picture.render() for picture in pictures}) == (2 if keys == "s" else 4)
        game.play(keys)
        assert pictures[-1].render() == game.svg(view="3d", theme=theme, size=40)
        shapes.add(len(game.svg(view="3d", theme=theme)))
    assert len(shapes) > 2
    fallen = drawing.rolling(Bloxorz("So\nT-"), "r", 6, theme=theme)
    assert len(fallen) == 6
    with pytest.raises(ValueError, match="view must be 'flat' or '3d', got 'up'"):
        game.svg(view="up")
    with pytest.raises(ValueError, match="steps must be between 1 and 100, got 0"):
        drawing.rolling(game, "r", 0)
    with pytest.raises(ValueError, match="size must be between 1 and 1000, got 0"):
        drawing.rolling(game, "r", size=0)
    for steps in (0, 101):
        with pytest.raises(ValueError, match=f"steps must be between 1 and 100, got {steps}"):
            drawing.film(game, "", steps=steps)
    assert drawing.film(game, "u", steps=100).seconds == 0.01


def test_the_state_graph_can_be_drawn_and_converted_to_networkx():
    import networkx

    graph = Bloxorz.level("level15").state_graph()
    converted = graph.to_networkx()
    assert converted.number_of_nodes() == len(graph)
    distance = networkx.single_source_shortest_path_length(converted.reverse(), int(graph.solved[0]))
    assert all(distance[node] >= data["distance"] for node, data in converted.nodes(data=True) if node in distance)
    assert sum(data["dead"] for _, data in converted.nodes(data=True)) == 39
    assert graph.svg().count("<circle") >= len(graph)
    assert 'width="300" height="200"' in graph.svg(width=300, height=200)
    with pytest.raises(ValueError, match=r"width must be between 100 and 10000, got 99"):
        graph.svg(width=99)
    assert gw.Bloxorz("SooT").state_graph()._repr_mimebundle_()["text/plain"] == "3 states, 3 edges, 0 dead"


def test_the_thick_line_of_a_state_graph_is_a_shortest_solution():
    from gridwright.draw.bloxorz import _shortest_path

    splitters = [Bloxorz.generate(4, 5, seed=seed, splitters=2, effort=20_000) for seed in range(20)]
    for game in [*(Bloxorz.level(name) for name in Bloxorz.levels()), *splitters]:
        for minimize in ("rolls", "keys"):
            graph = game.state_graph(minimize=minimize)
            path = _shortest_path(graph)
            rolls = 0
            for state, to in itertools.pairwise(path):
                edges = slice(graph.indptr[state], graph.indptr[state + 1])
                keys = graph.key[edges][graph.indices[edges] == to]
                assert len(keys)
                rolls += minimize == "keys" or 4 not in keys
            assert rolls == graph.distance[0]
            assert graph.distance[path[-1]] == 0
            assert len(set(path)) == len(path)


def test_the_space_bar_switches_cubes():
    game = gw.Bloxorz.level("level24")
    while len(game.block) != 2 or abs(game.block[0] - game.block[1]).sum() == 1:
        game.play(*game.hint())
    assert game.is_legal(" ")
    other = game.copy()
    game.play(" ")
    other.play("s")
    assert game == other
    assert len(other.animate(" s")) == 3


def test_blocks_are_copied_and_pickled():
    block = Block(2, 3)
    for roll in (lambda: None, block.right, block.down, block.down, block.left):
        roll()
        for again in (copy.copy(block), copy.deepcopy(block), pickle.loads(pickle.dumps(block))):
            assert again == block
            assert again.positions() == block.positions()
            again.up()
            assert again != block
    with pytest.raises(ValueError, match="must be one cell or two neighboring cells"):
        block.__setstate__([(0, 0), (3, 3)])
    terrain = gw.bloxorz.Terrain(gw.Bloxorz.level("level01").text)
    assert copy.deepcopy(terrain) == copy.copy(terrain) == terrain


def test_the_str_of_a_terrain_is_its_text_and_a_file_name_is_refused_with_advice():
    text = gw.Bloxorz.level("level19").text
    terrain = Terrain(text)
    assert str(terrain) == text
    assert eval(repr(terrain), {"Terrain": Terrain}) == terrain
    assert pickle.loads(pickle.dumps(terrain)) == terrain
    assert Terrain("\ufeff" + text) == terrain
    with pytest.raises(
        gw.LevelError, match=r'to read a file, pass its content: Terrain\(open\("level01.txt"\).read\(\)\)'
    ):
        Terrain("level01.txt")
    with pytest.raises(gw.LevelError) as caught:
        Terrain("So?T")
    assert "file" not in str(caught.value)


def test_rolls_counts_the_keys_that_roll_the_block():
    game = gw.Bloxorz.level("level24")
    counted = 0
    for key in game.solve():
        game.play(key)
        counted += key != "s"
        assert game.rolls == counted
    assert counted == 15 < len(game.moves)
    assert pickle.loads(pickle.dumps(game)).rolls == 15
    while game.undo():
        assert game.rolls == int((game.moves != 4).sum())
    assert game.rolls == 0
    assert game.redo()
    assert game.rolls == 1
    fallen = gw.Bloxorz.level("level01")
    fallen.play("lrr")
    assert (fallen.falls, fallen.rolls) == (1, 3)


BAD_ARGUMENTS = {
    "solve minimize type": (lambda g: g.solve(minimize=3), TypeError, "minimize must be a str, got 3 (int)"),
    "solve minimize None": (lambda g: g.solve(minimize=None), TypeError, "minimize must be a str, got None"),
    "solve limit below 0": (lambda g: g.solve(limit=-1), ValueError, "limit must be between 0 and 2^64 - 1, got -1"),
    "hint limit type": (lambda g: g.hint(limit="5"), TypeError, "limit must be an integer, got '5' (str)"),
    "count limit float": (
        lambda g: g.count_shortest(limit=1.5),
        TypeError,
        "limit must be an integer, got 1.5 (float)",
    ),
    "graph minimize": (
        lambda g: g.state_graph(minimize="x"),
        ValueError,
        "minimize must be 'rolls' or 'keys', got 'x'",
    ),
    "generate height": (lambda g: g.generate(65, 5), ValueError, "height must be between 1 and 64, got 65"),
    "generate width": (lambda g: g.generate(5, 10**30), ValueError, f"width must be between 1 and 64, got {10**30}"),
    "generate width type": (lambda g: g.generate(5, "5"), TypeError, "width must be an integer, got '5' (str)"),
    "generate bridges": (
        lambda g: g.generate(5, 5, bridges=13),
        ValueError,
        "bridges must be between 0 and 12, got 13",
    ),
    "generate min_moves": (
        lambda g: g.generate(5, 5, min_moves=-1),
        ValueError,
        "min_moves must be between 0 and 2^32 - 1, got -1",
    ),
    "generate max_moves": (
        lambda g: g.generate(5, 5, min_moves=7, max_moves=6),
        ValueError,
        "max_moves must be at least min_moves 7, got 6",
    ),
    "generate max_moves alone": (
        lambda g: g.generate(5, 5, max_moves=0),
        ValueError,
        "max_moves must be at least 1, got 0",
    ),
    "generate switches and splitters": (
        lambda g: g.generate(5, 5, switches=20, splitters=5),
        ValueError,
        "switches + splitters must be between 0 and 24, got 25",
    ),
    "generate light": (lambda g: g.generate(5, 5, light=2), ValueError, "light must be between 0 and 1, got 2"),
    "generate light type": (lambda g: g.generate(5, 5, light="x"), TypeError, "light must be a number, got 'x' (str)"),
    "generate effort": (
        lambda g: g.generate(5, 5, effort=0),
        ValueError,
        "effort must be between 1 and 2^64 - 1, got 0",
    ),
    "generate seed": (
        lambda g: g.generate(5, 5, seed=1.0),
        TypeError,
        "seed must be an integer or None, got 1.0 (float)",
    ),
    "block row": (lambda _: Block("a", 1), TypeError, "row must be an integer, got 'a' (str)"),
    "block col": (lambda _: Block(1, 2**40), ValueError, f"col must be between -2^30 and 2^30, got {2**40}"),
    "terrain text": (lambda _: Terrain(5), TypeError, "text must be a str, got 5 (int)"),
    "terrain at": (
        lambda g: Terrain(g.text).at((1,)),
        gw.MoveError,
        "cell must be a cell (row, col), got (1,) (tuple)",
    ),
    "terrain can_hold": (lambda g: Terrain(g.text).can_hold(3), TypeError, "block must be a Block, got 3 (int)"),
    "play s": (lambda g: g.play("s"), gw.IllegalMoveError, "cannot switch cubes: the block is not split"),
    "animate key": (lambda g: g.animate("rrq"), gw.MoveError, "key 3 must be l, u, r, d or s, got 'q'"),
    "animate steps": (
        lambda g: g.animate("r", view="flat", steps=2),
        ValueError,
        "steps must be 1 unless view is '3d'",
    ),
    "play key": (lambda g: g.play("rq"), gw.MoveError, "key 2 must be l, u, r, d or s, got 'q'"),
}


@pytest.mark.parametrize("name", BAD_ARGUMENTS)
def test_errors_name_the_bad_argument_and_the_game_does_not_change(name):
    call, kind, sentence = BAD_ARGUMENTS[name]
    game = gw.Bloxorz.level("level01")
    game.play("r")
    game.undo()
    before = (game.text, game.moves.tolist(), game.undone.tolist())
    with pytest.raises(kind) as caught:
        call(game)
    assert sentence in str(caught.value)
    assert "Core" not in str(caught.value)
    assert (game.text, game.moves.tolist(), game.undone.tolist()) == before


@pytest.mark.parametrize("level", Bloxorz.levels())
def test_playing_the_explanations_solves_every_level(level):
    game = Bloxorz.level(level)
    difficulty = game.difficulty()
    used: dict[str, int] = {}
    while not game.is_solved:
        before = (game.text, len(game.moves))
        reason = game.explain()
        assert (game.text, len(game.moves)) == before
        assert reason.moves.shape[1] == 1
        assert len(reason.moves)
        assert all(cells.shape[1] == 2 for cells in reason.cells.values())
        keys = "".join("lurds"[key] for key in reason.moves.ravel())
        assert keys in reason.sentence or reason.rule == "straight"
        assert reason.sentence.endswith(".")
        used[reason.rule] = used.get(reason.rule, 0) + 1
        game.play(keys)
    assert game.falls == 0
    assert dict(difficulty.rules) == used
    assert difficulty.measures["rolls"] <= game.rolls
    over = game.explain()
    assert len(over.moves) == 0
    assert "solved" in over.sentence


def test_an_explanation_has_cells_and_is_drawn_with_them():
    game = Bloxorz.level("level01")
    reason = game.explain()
    assert reason.cells["because"].tolist() == [[1, 1]]
    assert reason.cells["so"].tolist() == [[4, 7]]
    bundle = reason._repr_mimebundle_()
    assert reason.sentence in bundle["text/plain"]
    assert reason.svg() != game.svg()
    reason.game.play("r")
    assert game.rolls == 0


def test_a_switch_is_a_landmark_if_every_solution_crosses_its_bridge():
    reason = Bloxorz.level("level19").explain()
    assert (reason.rule, reason.cells["so"].tolist()) == ("landmark", [[2, 2]])
    assert reason.sentence == (
        "Every solution crosses bridge a, which needs soft switch A; "
        "a shortest one uses it at (2, 2) after 2 rolls: ur."
    )


def test_a_bridge_needs_a_switch_only_if_nothing_else_turned_it_on():
    # Bridge b is on, and the switch turns it off or leaves it on; in the last level the switch turns bridge a off, and
    # the splitter puts a cube on it.
    needs_a = "Every solution crosses bridge a, which needs soft switch A; "
    for text, start in (
        ("ooo-S\nooTab\nooooA\n#AO+a\n#AO-b\n%b", needs_a),
        ("oooSo\n-oaAo\nooboT\n#AO+a\n#AO+b\n%b", needs_a),
        ("ooa.o\noBoTA\nooa.o\nAo-DS\n#AO-a\n#BX-a\n#DS 1 2 2 0\n@ 4 0\n", "Every solution uses soft switch A, "),
    ):
        assert Bloxorz(text).explain().sentence.startswith(start), text


def test_the_next_switch_is_the_first_one_that_any_shortest_solution_uses():
    game = Bloxorz.level("level22")
    reason = game.explain()
    assert (reason.rule, str(reason)) == (
        "landmark",
        "Every solution uses soft switch A, which turns on bridge a (now off); "
        "a shortest one uses it at (3, 3) after 3 rolls: rdd.",
    )
    # A path that is part of no shortest solution may use the switch sooner.
    game = Bloxorz.level("level27")
    game.play(game.solve()[:23])
    assert game.explain().sentence.endswith("; a shortest one uses it at (5, 9) after 4 rolls: urdl.")
    rolls = len(game.solve())
    game.play("lr")
    assert len(game.solve()) > rolls - 2


def test_the_rule_search_says_how_far_the_landmarks_of_shortest_solutions_are():
    searches = [reason for level in Bloxorz.levels() if (reason := Bloxorz.level(level).explain()).rule == "search"]
    assert searches
    for reason in searches:
        assert reason.sentence.startswith("No shortest solution comes to a landmark within 8 rolls: only a search of ")


def test_a_switch_with_several_tiles_is_named_without_a_claim_about_one_tile():
    text = "BoBaobA\naoAo.-o\nTBoaSA-\n#AX+a\n#BO-b\n%a"
    reason = Bloxorz(text).explain()
    assert reason.sentence.startswith(
        "Every solution uses soft switch B, which turns off bridge b (now off); a shortest one uses it at (2, 1) after "
    )
    assert reason.cells["so"].tolist() == [[2, 1]]
    other = Bloxorz(text.replace("TBoa", "Tooa"))
    assert other.solve() is not None


def test_dead_ends_hold_on_the_way_to_the_next_landmark():
    game = Bloxorz.level("level40")
    game.play(game.solve()[:9])
    assert game.explain().sentence.startswith(
        "On the way to the next landmark, do not roll right when lying on (7, 7) and (7, 8): no solution is left after "
        "that. "
    )
    # A shortest solution rolls down from (0, 1) later, with bridge a on.
    game = Bloxorz("aSoA\nTbba\nBBo-\n#AOa\n#BOa\n#BOb\n%b\n")
    assert game.explain().sentence.startswith(
        "On the way to the next landmark, do not roll down when standing on (0, 1): "
    )
    # The only dead end on the way is to roll right at (2, 1), but the path does so when it comes to (2, 1) again.
    reason = Bloxorz(".CaaC\nA.SbT\n.CBaC\n#AS 4 1 1 1\n#BOa\n#CXb\n%b\n@ 2 2\n%=ab").explain()
    assert reason.rule == "deadend"
    assert reason.sentence == (
        "On the way to the next landmark, a wrong roll leaves no solution. Every solution uses soft switch B, which "
        "toggles bridge a (now on); a shortest one uses it at (2, 2) after 6 rolls: uldudr."
    )


def test_a_dead_end_of_a_split_block_names_the_cube_in_control():
    game = Bloxorz.level("level05")
    game.play("rr")
    assert game.explain().sentence == (
        "On the way to the next landmark, do not roll right when controlling the cube on (3, 1), with the other on "
        "(3, 3): no solution is left after that. In every solution, the block is at some point lying on (3, 0) and "
        "(3, 1); that is 3 rolls away: lsll."
    )


def test_explanations_of_dead_positions_suggest_a_fall():
    graph = Bloxorz.level("level15").state_graph()
    for state in graph.dead[::5]:
        dead = graph.position(int(state))
        assert dead.hint() is None
        reason = dead.explain()
        assert reason.rule == "deadend"
        dead.play("".join("lurds"[key] for key in reason.moves.ravel()))
        assert dead.falls == 1
        assert dead.solve() is not None
    hopeless = Bloxorz("So\n--\nT-").explain()
    assert (hopeless.sentence, len(hopeless.moves)) == ("There is no solution from here, and no fall leads to one.", 0)
    with pytest.raises(ValueError, match="the level has no solution from here"):
        Bloxorz("So\n--\nT-").difficulty()


def test_a_cell_is_explained_by_its_role_in_the_solutions():
    game = Bloxorz.level("level01")
    assert "is on (1, 1) now" in game.explain((1, 1)).sentence
    always = game.explain(game.target)
    assert (always.rule, len(always.moves)) == ("landmark", 7)
    words = {game.explain((row, col)).rule for row in range(6) for col in range(10)}
    assert words == {"straight", "landmark", "deadend", "search"}
    assert game.explain(np.array([0, 9])).sentence == "No solution takes the block over (0, 9)."
    with pytest.raises(gw.MoveError, match="cell must be a cell of the 6 x 10 board"):
        game.explain((6, 0))


@pytest.mark.parametrize(("grade", "name"), list(enumerate(gw.insight.GRADES, 1)))
def test_a_generated_level_has_the_requested_difficulty(grade, name):
    for seed in range(8):
        game = Bloxorz.generate(6, 8, difficulty=name, seed=seed)
        difficulty = game.difficulty()
        assert (difficulty.grade, difficulty.name) == (grade, name)
        assert game == Bloxorz.generate(6, 8, difficulty=grade, seed=seed)
        assert difficulty.measures["rolls"] == sum(key != "s" for key in game.solve())
        effort = difficulty.measures["rolls"] * difficulty.measures["positions"] * (difficulty.measures["traps"] + 1)
        assert difficulty.measures["effort"] == effort
        assert np.searchsorted([500, 3000, 15000, 75000], effort, side="right") + 1 == grade
    with pytest.raises(gw.SearchLimitError, match="no level of grade 5 found with effort 1000"):
        Bloxorz.generate(3, 3, difficulty=5, effort=1000, seed=1)
    with pytest.raises(ValueError, match="difficulty must be between 1 and 5, got 6"):
        Bloxorz.generate(6, 8, difficulty=6)


def test_a_blank_level_has_only_a_start_and_a_target():
    game = Bloxorz.blank(3, 4)
    assert game.text == "S---\n----\n---T\n"
    assert game.solve() is None
    for shape, sentence in (
        ((0, 3), "height must be between 1 and"),
        ((1, 1), "at least 2"),
        ((3, "4"), "width must be"),
        ((2**26, 2**26), r"height \* width must be between 1 and 67108864"),
    ):
        with pytest.raises((ValueError, TypeError), match=sentence):
            Bloxorz.blank(*shape)


def test_the_first_hint_gives_a_reason_and_the_second_plays_the_move():
    controls = Bloxorz.level("level19").controls()
    assert controls.hint()
    sentence = controls.message
    assert sentence == (
        "Roll up. Every solution crosses bridge a, which needs soft switch A; a shortest one uses it at (2, 2) after 2 "
        "rolls."
    )
    assert controls.marks()["because"] == ((2, 2),)
    assert controls.hint()
    assert controls.game.moves.ravel().tolist() == [1]
    assert controls.difficulties == gw.insight.GRADES
    grades = [gw.insight.grade(level.grade) for level in controls.levels]
    assert grades == sorted(grades)
    assert min(np.bincount(grades)[1:]) >= 5
    assert controls.new(3, "easy")
    assert controls.game.difficulty().name == "easy"


def test_par_of_a_start_in_mid_play_counts_a_fall_to_the_start_of_the_level():
    level = Bloxorz.level("level06").text
    controls = Bloxorz(level + "@ 1 3\n").controls()
    assert len(controls.game.solve()) == 26
    assert controls.optimum == 23
    for key in "l" + Bloxorz(level).solve():
        controls.key(key)
    assert controls.game.falls == 1
    assert controls.message.startswith("You won in 23 rolls: it cannot be done in fewer.")
    dead = Bloxorz.level("level15").state_graph()
    dead = dead.position(int(dead.dead[0]))
    assert dead.solve() is None
    assert dead.controls().optimum == 14
    # There is no par if neither the position nor the start of the level has a solution.
    assert Bloxorz("So\n--\nT-\n@ 1 0").controls().optimum is None


def test_play_on_solves_the_level_from_the_current_position():
    game = Bloxorz.level("level24")
    game.play("r")
    assert game.play_on(minimize="keys")
    assert game.is_solved
    assert len(game.moves) == 16
    assert game.play_on()
    assert len(game.moves) == 16
    hopeless = Bloxorz("So\n--\nT-")
    assert not hopeless.play_on()
    assert len(hopeless.moves) == 0
