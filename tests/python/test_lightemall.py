"""Tests of LightEmAll through the public API; counts of solutions are compared with a SAT solver, if installed."""

from __future__ import annotations

import copy
import itertools
import pickle
import re
from collections import deque
from functools import partial

import gridwright as gw
import numpy as np
import pytest
from gridwright import LightEmAll
from gridwright.lightemall import SIDES, Hexagon, Tile
from hypothesis import given, settings
from hypothesis import strategies as st


def sides(game, row, col):
    """Yields each side of a tile that borders a neighbor, with the neighbor's cell, computed without the engine."""
    height, width = game.shape
    if game.hexagonal:
        shift = row % 2
        steps = [(-1, shift), (0, 1), (1, shift), (1, shift - 1), (0, -1), (-1, shift - 1)]
    else:
        steps = [(-1, 0), (0, 1), (1, 0), (0, -1)]
    for side, (dr, dc) in enumerate(steps):
        r, c = row + dr, col + dc
        if game.wrap:
            r, c = r % height, c % width
        if 0 <= r < height and 0 <= c < width and (r, c) != (row, col):
            yield side, (r, c)


def plain_distance(game):
    wires, half = game.wires, 3 if game.hexagonal else 2
    found = np.full(game.shape, -1)
    found[game.station] = 0
    queue = deque([game.station])
    while queue:
        here = queue.popleft()
        for side, there in sides(game, *here):
            back = (side + half) % (2 * half)
            if wires[here] >> side & wires[there] >> back & 1 and found[there] < 0:
                found[there] = found[here] + 1
                queue.append(there)
    return found


@st.composite
def boards(draw):
    hexagonal, wrap = draw(st.booleans()), draw(st.booleans())
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    if hexagonal and wrap:
        height += height % 2
    cells = st.integers(0, 63 if hexagonal else 15)
    mask = draw(st.lists(cells, min_size=height * width, max_size=height * width))
    station = (draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1)))
    radius = draw(st.none() | st.integers(0, 6))
    mask = np.array(mask).reshape(height, width)
    return LightEmAll.from_wires(mask, station, hexagonal=hexagonal, wrap=wrap, radius=radius)


@settings(max_examples=150, deadline=None)
@given(boards(), st.integers(0, 2**32))
def test_power_follows_the_rules(game, seed):
    for step in range(6):
        distance = plain_distance(game)
        assert np.array_equal(game.distance, distance)
        assert game.distance.dtype == np.int32
        reach = distance >= 0
        if game.radius is not None:
            reach &= distance <= game.radius
            if (distance < 0).any():
                assert game.radius == game.initial_radius
        assert np.array_equal(game.powered, reach)
        assert game.is_solved == ((distance >= 0).all() and reach.all())
        board = game.board
        assert np.array_equal(board & 63, game.wires)
        assert np.array_equal(board & Tile.POWERED != 0, reach)
        assert np.argwhere(board & Tile.STATION).tolist() == [list(game.station)]
        again = LightEmAll(game.text)
        assert again == game
        assert np.array_equal(again.board, board)
        mv = game.sample_legal(seed + step)
        if mv is None:
            break
        game.play(*mv)


def test_tiles_are_rotated_by_turns_and_the_station_moves_by_directions():
    game = LightEmAll("2 2\n65\n30\nstation 0 0")
    game.rotate((0, 1), turns=3)
    assert game.turns == game.score == 3
    assert game.moves.tolist() == [[0, 0, 1]] * 3
    game.move_station("S")
    assert (game.station, game.turns, game.station_moves, game.score) == ((1, 0), 3, 1, 4)
    game.undo()
    assert (game.station, game.score) == ((0, 0), 3)
    game.move_key("down")
    assert game.station == (1, 0)
    with pytest.raises(gw.IllegalMoveError, match="has none on this side"):
        game.move_station("W")
    with pytest.raises(ValueError, match="direction must be 'N', 'E', 'S' or 'W', got 'NE'"):
        game.move_station("NE")
    with pytest.raises(TypeError, match=r"direction must be a str, got 1 \(int\)"):
        game.move_station(1)
    with pytest.raises(ValueError, match="turns must be between -1000000 and 1000000, got 10"):
        game.rotate((0, 0), 10**30)
    with pytest.raises(gw.MoveError, match=r"cell must be a cell of the 2 x 2 board, got \(2, 0\)"):
        game.rotate((2, 0))
    for wrong in [(2, 0, 0), (0, -1, 0), (0, 0, 10**30), (0, 0)]:
        with pytest.raises(gw.MoveError):
            game.play(*wrong)


def test_negative_turns_are_counterclockwise():
    for text, sides in (("2 2\n65\n30\nstation 0 0", 4), ("2 2 hex\n0605\n0300\nstation 0 0", 6)):
        for turns in (-1, -3, -sides - 1):
            game = LightEmAll(text)
            game.rotate((0, 1), turns)
            turned = game.wires
            assert game.turns == turns % sides
            game.rotate((0, 1), -turns)
            assert game.wires.tolist() == LightEmAll(text).wires.tolist()
            game.rotate((0, 1), turns % sides)
            assert np.array_equal(game.wires, turned)


def test_after_a_win_the_station_cannot_move_because_the_game_is_over():
    game = LightEmAll("1 2\n28\nstation 0 0")
    assert game.is_solved
    for direction in "NESW":
        with pytest.raises(gw.IllegalMoveError, match=r"the game is over \(won\)"):
            game.move_station(direction)


def test_solve_does_not_change_the_game_and_finds_the_fewest_turns():
    for seed in range(12):
        kind = {"hexagonal": seed % 2 == 1, "wrap": seed % 3 == 0}
        game = LightEmAll.generate(6, 6, seed=seed, **kind)
        text = game.text
        any_turns, fewest = game.solve(), game.solve(minimize="turns")
        assert game.text == text
        assert (any_turns.dtype, fewest.dtype) == (np.uint8, np.int8)
        sides = 6 if game.hexagonal else 4
        assert np.abs(fewest).sum() <= np.minimum(any_turns, sides - any_turns.astype(int)).sum()
        for (row, col), turns in np.ndenumerate(fewest):
            if not game.is_solved:
                game.rotate((row, col), int(turns))
        assert game.is_solved
    assert LightEmAll("1 3\n222\nstation 0 0").solve("turns") is None
    with pytest.raises(ValueError, match="minimize must be 'turns', got 'moves'"):
        LightEmAll.level("level01").solve("moves")


def test_play_on_plays_a_solution():
    game = LightEmAll.generate(7, 7, limited_radius=True, seed=5)
    assert game.play_on()
    assert game.is_solved
    stuck = LightEmAll("1 3\n222\nstation 0 0")
    assert not stuck.play_on()
    assert len(stuck.moves) == 0


def test_a_blank_board_has_no_wires():
    game = LightEmAll.blank(3, 4, hexagonal=True)
    assert game.hexagonal
    assert not game.wires.any()
    assert (game.shape, game.station, game.status) == ((3, 4), (0, 0), gw.Status.OPEN)
    with pytest.raises(ValueError, match="width must be between 1"):
        LightEmAll.blank(3, 0)


def test_rotate_makes_no_turn_if_the_game_would_be_won_before_the_last_one():
    game = LightEmAll("1 2\n21\nstation 0 0")
    before = game.text
    with pytest.raises(gw.IllegalMoveError, match="the game is over"):
        game.rotate((0, 1), 4)
    assert game.text == before
    assert len(game.moves) == 0
    game.rotate((0, 1), 3)
    assert game.is_solved


def test_hexagons_have_six_directions():
    game = LightEmAll.from_wires([[2, 20], [0, 32]], hexagonal=True)
    assert np.array_equal(game.distance, [[0, 1], [-1, 2]])
    game.rotate((1, 1), 6)
    star = LightEmAll.from_wires([[0, 4, 8], [2, 63, 16], [0, 1, 32]], station=(1, 1), hexagonal=True)
    assert star.distance.tolist() == [[-1, 1, 1], [1, 0, 1], [-1, 1, 1]]
    for key, name in LightEmAll.HEXAGON_KEYS.items():
        wires = np.full((4, 4), 63)
        wires[3, 3] = 0  # so that the game is never won
        full = LightEmAll.from_wires(wires, (1, 1), hexagonal=True)
        full.move_key(key)
        row, col = full.station
        dx = (col + 0.5 * (row % 2)) - 1.5
        assert (row - 1, np.sign(dx)) == (("N" in name) * -1 + ("S" in name), 1 if "E" in name else -1)


def test_the_fixed_boards_have_the_expected_wires_and_station():
    rows = LightEmAll.generate(5, 4, method="rows", scramble=False, seed=0)
    assert rows.station == (2, 2)
    assert rows.text.splitlines()[1:6] == ["2ae8", "2af8", "2af8", "2af8", "2ab8"]
    columns = LightEmAll.generate(3, 5, method="columns", seed=1)
    assert columns.station == (1, 2)
    assert columns.tree.shape == (14, 2)


@pytest.mark.parametrize("method", ["kruskal", "wilson", "dfs", "prim", "fractal", "rows", "columns"])
@pytest.mark.parametrize("shape", [{}, {"hexagonal": True}, {"wrap": True}, {"limited_radius": True}])
def test_generated_boards_are_reproducible_unsolved_and_solvable(method, shape):
    for seed in range(4):
        game = LightEmAll.generate(6, 7, method=method, seed=seed, **shape)
        assert game == LightEmAll.generate(6, 7, method=method, seed=seed, **shape)
        assert game.status == gw.Status.OPEN
        assert game.tree.shape == (41, 2)
        assert game.tree.dtype == np.int32
        ends = sum(bin(mask).count("1") for mask in game.wires.ravel().tolist())
        assert ends == 2 * 41
        trial = LightEmAll.from_wires(game.solved_wires, hexagonal=game.hexagonal, wrap=game.wrap)
        assert trial.is_solved
        if "limited_radius" in shape:
            assert game.radius == trial.diameter // 2 + 1
        turns = game.solve()
        assert turns.shape == (6, 7)
        assert turns.dtype == np.uint8
        moves = game.solution()
        assert int(turns.sum()) >= (moves[:, 0] == 0).sum()
        for mv in moves:
            game.play(*mv)
        assert game.is_solved
        assert game.score == len(moves)
    with pytest.raises(gw.IllegalMoveError, match=r"the game is over \(won\)"):
        game.rotate((0, 0))


def test_par_is_the_number_of_turns_of_the_only_solution():
    game = LightEmAll.generate(7, 7, unique=True, seed=1)
    assert game.count_solutions(5) == 1
    assert game.par == game.solve().sum() == LightEmAll(game.text).par
    game.play(0, 3, 3)
    assert game.par == game.copy().par == pickle.loads(pickle.dumps(game)).par
    assert np.array_equal(game.tree, pickle.loads(pickle.dumps(game)).tree)
    assert copy.deepcopy(game).moves.tolist() == [[0, 3, 3]]
    assert LightEmAll("1 2\n20\nstation 0 0").par is None
    assert LightEmAll("1 2\n20\nstation 0 0").tree is None


def test_copies_and_pickles_keep_par_and_a_game_read_from_text_computes_it():
    game = gw.LightEmAll.generate(6, 6, seed=3, limited_radius=True)
    game.rotate((0, 0))
    for again in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game)), game.copy()):
        assert again.par == game.par
        assert np.array_equal(again.tree, game.tree)
        assert np.array_equal(again.solved_wires, game.solved_wires)
    game.reset()
    read = gw.LightEmAll(game.text)
    assert read.tree is None
    assert read.par == read.solve().sum()
    unique = gw.LightEmAll.generate(9, 9, unique=True, seed=3)
    assert gw.LightEmAll(unique.text).par == unique.par
    assert gw.LightEmAll("1 2\n22\nstation 0 0").par == 2
    assert gw.LightEmAll("1 2\n20\nstation 0 0").par is None


def test_take_moves_position_and_history_and_leaves_a_board_of_one_tile():
    other, game = gw.LightEmAll.generate(3, 4, seed=1), gw.LightEmAll("1 1\n0\nstation 0 0")
    other.play(*other.legal_moves()[0])
    copy = other.copy()
    game._take(other)
    assert game == copy
    assert game.moves.tolist() == copy.moves.tolist()
    assert other.shape == (1, 1)


def test_a_board_of_one_tile_is_won():
    for shape in ({}, {"hexagonal": True}, {"wrap": True}, {"limited_radius": True}):
        game = LightEmAll.generate(1, 1, seed=3, **shape)
        assert game.is_solved
        assert game.wires.tolist() == [[0]]
        assert game.solve().tolist() == [[0]]
        assert game.par == 0
        assert len(game.legal_moves()) == 0


def test_solve_returns_none_without_a_solution_and_raises_at_the_limit():
    assert LightEmAll("1 3\n222\nstation 0 0").solve() is None
    assert LightEmAll("1 3\n222\nstation 0 0").solution() is None
    assert LightEmAll("1 3\n222\nstation 0 0").count_solutions() == 0
    with pytest.raises(gw.SearchLimitError, match="limit reached after 10 nodes; nothing is proved"):
        LightEmAll.generate(60, 60, seed=1).solve(limit=10)
    with pytest.raises(ValueError, match="no 2 x 2 board with exactly one solution found"):
        LightEmAll.generate(2, 2, wrap=True, unique=True, seed=1)


def test_loops_and_loose_ends_may_be_part_of_a_solution():
    game = LightEmAll.from_wires([[7, 12], [5, 9]])
    turns = game.solve()
    for (row, col), count in np.ndenumerate(turns):
        if not game.is_solved:
            game.rotate((row, col), int(count))
    assert game.is_solved


def brute_force_count(game):
    """Counts the solutions of a board of square tiles by trying all combinations of orientations."""
    count = 0
    masks = game.wires.ravel().tolist()
    options = []
    for mask in masks:
        seen = [mask]
        while (mask := (mask << 1 | mask >> 3) & 15) not in seen:
            seen.append(mask)
        options.append(seen)
    for choice in itertools.product(*options):
        count += LightEmAll.from_wires(np.array(choice).reshape(game.shape)).is_solved
    return count


@pytest.mark.parametrize("seed", range(6))
def test_counts_of_solutions_agree_with_brute_force(seed):
    game = LightEmAll.generate(2 + seed % 2, 3, seed=seed)
    assert game.count_solutions(10**6) == brute_force_count(game)


def sat_count(game, most):
    """Counts the solutions of a generated board with a SAT solver, up to ``most``.

    A generated board has just enough wires for a tree, so no solution has a loose end: clauses require that every wire
    meets a wire of the neighboring tile. If a model is not connected, further clauses require a wire out of each of its
    components, and the solver runs again.
    """
    solvers = pytest.importorskip("pysat.solvers")
    height, width = game.shape
    half = 3 if game.hexagonal else 2
    turns = {}
    variable = itertools.count(1)
    wire = {}
    with solvers.Glucose4() as sat:
        for cell in itertools.product(range(height), range(width)):
            mask = int(game.wires[cell])
            masks = [mask]
            while (mask := (mask << 1 | mask >> (2 * half - 1)) & ((1 << 2 * half) - 1)) not in masks:
                masks.append(mask)
            turns[cell] = {m: next(variable) for m in masks}
            names = list(turns[cell].values())
            sat.add_clause(names)
            for a, b in itertools.combinations(names, 2):
                sat.add_clause([-a, -b])
            for side in range(2 * half):
                wire[cell, side] = next(variable)
                for m, name in turns[cell].items():
                    sat.add_clause([-name, wire[cell, side] if m >> side & 1 else -wire[cell, side]])
        for cell in turns:
            near = dict(sides(game, *cell))
            for side in range(2 * half):
                if side in near:
                    other = wire[near[side], (side + half) % (2 * half)]
                    sat.add_clause([-wire[cell, side], other])
                else:
                    sat.add_clause([-wire[cell, side]])
        count = 0
        while count < most and sat.solve():
            model = set(sat.get_model())
            wires = np.zeros(game.shape, int)
            for cell, names in turns.items():
                wires[cell] = next(m for m, name in names.items() if name in model)
            trial = LightEmAll.from_wires(wires, hexagonal=game.hexagonal, wrap=game.wrap)
            apart = trial.distance < 0
            if not apart.any():
                count += 1
                sat.add_clause([-names[int(wires[cell])] for cell, names in turns.items()])
            else:
                left = set(turns)
                while left:
                    start = left.pop()
                    component, queue = {start}, [start]
                    while queue:
                        here = queue.pop()
                        for side, there in sides(game, *here):
                            if wires[here] >> side & 1 and there not in component:
                                component.add(there)
                                queue.append(there)
                    left -= component
                    # Some wire must lead out of each component.
                    sat.add_clause(
                        [wire[a, side] for a in component for side, b in sides(game, *a) if b not in component]
                    )
        return count


@pytest.mark.parametrize(
    ("size", "shape"),
    [(8, {}), (12, {}), (20, {}), (30, {}), (8, {"hexagonal": True}), (10, {"wrap": True}), (20, {"unique": True})],
)
def test_counts_of_solutions_agree_with_a_sat_solver(size, shape):
    for seed in range(2):
        game = LightEmAll.generate(size, size, seed=seed, **shape)
        assert game.count_solutions(4) == sat_count(game, 4)


def test_arguments_are_checked():
    for call, sentence in [
        (lambda: LightEmAll.generate(0, 3), "height must be between 1 and 67108864, got 0"),
        (lambda: LightEmAll.generate(10**30, 3), "height must be between 1 and 67108864, got 10"),
        (lambda: LightEmAll.generate(10**5, 10**5), r"height \* width must be between 1 and 67108864, got 100000"),
        (lambda: LightEmAll.generate(3, 3, method="luck"), "method must be 'kruskal', .* or 'columns', got 'luck'"),
        (lambda: LightEmAll.generate(3, 3, bias=-1), "bias must be greater than -1 and less than 1, got -1"),
        (lambda: LightEmAll.generate(3, 3, hexagonal=True, wrap=True), "height must be even if hexagons wrap, got 3"),
        (
            lambda: LightEmAll.generate(3, 3, method="rows", unique=True),
            "method must make a random tree if unique or difficulty is set, got a fixed board",
        ),
        (lambda: LightEmAll.generate(3, 3, seed=-1), "seed must be between 0 and 2\\^64 - 1, got -1"),
        (lambda: LightEmAll.from_wires([[16]]), r"mask must be between 0 and 15, got 16 at \(0, 0\)"),
        (lambda: LightEmAll.from_wires([[-1]]), "mask must be between 0 and 15, got -1"),
        (
            lambda: LightEmAll.from_wires([1, 2]),
            r"mask must be integers of shape \(height, width\), got int(64|32) of shape \(2,\)",
        ),
        (lambda: LightEmAll.from_wires([[1]], station=(0, 1)), "station must be a cell of the 1 x 1 board"),
        (lambda: LightEmAll.from_wires([[1, 1]], limited_radius=True), "mask must connect all tiles"),
        (lambda: LightEmAll.from_wires([[1, 1]], radius=-3), "radius must be between 0 and 67108864, got -3"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            call()
    for call, sentence in [
        (lambda: LightEmAll.generate("3", 3), r"height must be an integer, got '3' \(str\)"),
        (lambda: LightEmAll.generate(2, 2, hexagonal=1), r"hexagonal must be a bool, got 1 \(int\)"),
        (lambda: LightEmAll.generate(2, 2, bias="x"), r"bias must be a number, got 'x' \(str\)"),
        (lambda: LightEmAll.generate(2, 2, unique=None), "unique must be a bool, got None"),
        (lambda: LightEmAll.generate_many(2, 2, 2, scramble="no"), "scramble must be a bool"),
        (lambda: LightEmAll.from_wires([[1]], wrap=0), r"wrap must be a bool, got 0 \(int\)"),
        (lambda: LightEmAll.blank(2, 2, hexagonal="yes"), "hexagonal must be a bool"),
        (lambda: LightEmAll.level("level01").rotate((0, 0), 1.5), r"turns must be an integer, got 1.5 \(float\)"),
        (lambda: LightEmAll.level("level01").count_solutions("2"), "most must be an integer"),
        (lambda: LightEmAll.level("level01").solve(limit=1.5), "limit must be an integer"),
    ]:
        with pytest.raises(TypeError, match=sentence):
            call()


def test_ten_thousand_turns_are_undone_and_redone():
    game = LightEmAll.generate(300, 300, seed=4)
    turns = game.solve()
    for (row, col), count in np.ndenumerate(turns[:40]):
        game.rotate((row, col), int(count))
    before = game.text
    for _ in range(10_000):
        assert game.undo()
    for _ in range(10_000):
        assert game.redo()
    assert game.text == before


def test_generate_many_makes_the_boards_of_successive_seeds():
    boards = LightEmAll.generate_many(20, 5, 6, seed=3, limited_radius=True)
    assert boards.shape == (20, 5, 6)
    for i in range(20):
        assert np.array_equal(boards[i], LightEmAll.generate(5, 6, seed=3 + i, limited_radius=True).board)


def test_power_spreads_breadth_first():
    game = LightEmAll.generate(9, 9, scramble=False, seed=2)
    columns = game.spread()
    assert list(columns) == ["tile", "parent", "depth"]
    assert len(columns.tile) == 81
    assert np.array_equal(game.distance.ravel()[columns.tile], columns.depth)
    assert columns.parent[0] == -1
    assert np.array_equal(game.distance.ravel()[columns.parent[1:]] + 1, columns.depth[1:])
    with pytest.raises(AttributeError, match="no column 'row'; the columns are tile"):
        _ = columns.row


def test_pictures_show_wires_station_and_fading():
    game = LightEmAll.generate(4, 5, scramble=False, seed=2)
    svg = game.svg()
    assert svg.count("<polygon") == 1
    points = re.search(r'<polygon [^>]*points="([^"]+)"', svg).group(1).split()
    assert len(points) == 14  # the station is a star with seven points
    assert len(set(re.findall(r'stroke="(#[0-9a-f]{6})"', svg))) > 4
    scrambled = LightEmAll.generate(4, 5, hexagonal=True, seed=2)
    assert "of hexagons" in scrambled.svg(theme="dark")
    assert str(LightEmAll("2 2\n28\n21\nstation 0 0")) == "+-----+\n|[╺]╸ |\n| ╶ ╵ |\n+-----+"
    hexagons = (
        "+------------+",
        "|            |",
        "|    ★       |",
        "|     \\      |",
        "|      \\     |",
        "|       ●    |",
    )
    assert str(LightEmAll("2 1 hex\n04\n20\nstation 0 0")).splitlines()[:6] == list(hexagons)


def test_tile_bits_have_the_documented_values():
    assert [int(bit) for bit in Tile] == [1, 2, 4, 8, 64, 128]
    assert [int(bit) for bit in Hexagon] == [1, 2, 4, 8, 16, 32, 64, 128]
    assert Hexagon.NE | Hexagon.NW == 33


@settings(deadline=None)
@given(st.text(alphabet="0123456789abcdefhxwrp stanoiu=\n", max_size=40))
def test_any_text_is_read_or_refused_with_line_and_column(text):
    try:
        game = LightEmAll(text)
    except gw.LevelError as error:
        assert min(error.line, error.column) >= 1  # noqa: PT017 - either outcome is right
    else:
        assert LightEmAll(game.text) == game


def play(game, moves):
    for move in moves.tolist():
        if not game.is_solved:
            game.play(*move)


@pytest.mark.parametrize("name", LightEmAll.levels())
def test_playing_the_explanations_solves_every_level_of_at_most_400_tiles(name):
    game = LightEmAll.level(name)
    graded = game.difficulty()
    if game.height * game.width > 400:
        pytest.skip("the board has more than 400 tiles")
    rules = set()
    for _ in range(500):
        reason = game.explain()
        if reason.rule == "over":
            break
        assert len(reason.moves), reason
        assert reason.moves.dtype == np.int32
        assert reason.moves.shape[1] == 3
        rules.add(reason.rule)
        play(game, reason.moves)
    assert game.is_solved
    if "search" not in graded.rules:
        assert rules <= {"border", "agreed", "loop", "island", "trial", "station"}
    # No explanation uses a rule that is harder than all rules in the difficulty of the level.
    scale = ["border", "agreed", "loop", "island", "trial", "search"]
    hardest = max(scale.index(rule) for rule in graded.rules)
    assert all(scale.index(rule) <= hardest for rule in rules & set(scale))


def test_an_explanation_has_a_rule_cells_and_moves():
    game = LightEmAll("3 3\n1b4\n8f4\n2e2\nstation 1 1")
    reason = game.explain()
    assert reason.rule == "border"
    assert str(reason) == "Turn (0, 1) twice: no wire may leave the board upward."
    assert reason.cells["so"].tolist() == [[0, 1]]
    assert reason.moves.tolist() == [[0, 0, 1]] * 2
    text = game.text
    assert "stroke-dasharray" in game.explain((0, 0)).svg()
    assert game.text == text
    # The corner (0, 0) follows from its neighbor (0, 1). Once (0, 1) is turned correctly, its explanation has no moves.
    corner = game.explain((0, 0))
    assert corner.rule == "agreed"
    assert [0, 1] in corner.cells["because"].tolist()
    play(game, reason.moves)
    assert game.explain((0, 1)).moves.tolist() == []
    assert "is already turned correctly" in game.explain((0, 1)).sentence
    with pytest.raises(gw.MoveError, match="cell must be a cell of the 3 x 3 board"):
        game.explain((3, 0))


def test_the_sentence_of_each_rule_states_its_reason():
    sentences = {}
    for grade in range(1, 6):
        for seed in range(4):
            game = LightEmAll.generate(6, 6, difficulty=grade, seed=seed, limited_radius=seed % 2 == 1)
            while (reason := game.explain()).rule != "over":
                sentences.setdefault(reason.rule, reason.sentence)
                play(game, reason.moves)
    assert set(sentences) >= {"border", "agreed", "loop", "island", "trial"}
    assert "leave the board" in sentences["border"]
    assert "a wire to it" in sentences["agreed"]
    assert "would close a loop" in sentences["loop"]
    assert "cut off" in sentences["island"]
    assert "contradiction" in sentences["trial"]
    station = LightEmAll("1 5 radius=9\n2aaa8\nstation 0 0").explain()
    assert station.rule == "station"
    assert station.moves.tolist() == [[1, 0, 1]]
    assert LightEmAll("1 3\n222\nstation 0 0").explain().rule == "unsolvable"
    assert LightEmAll("1 2\n28\nstation 0 0").explain().rule == "over"
    # In a ring of eight tiles, the farthest tile is four links from the station, but the radius is three. After a turn
    # opens the ring, the tiles form a path, for which the radius is four: enough for a station in the middle.
    ring = LightEmAll.from_wires([[6, 10, 10, 12], [3, 10, 10, 9]], limited_radius=True)
    assert ring.radius == 3
    while (reason := ring.explain()).rule != "over":
        assert reason.rule in ("choice", "station")
        play(ring, reason.moves)
    assert ring.is_solved
    # Playing the explanations also wins a board with several solutions.
    boards = (LightEmAll.generate(8, 8, seed=seed) for seed in range(99))
    several = next(board for board in boards if board.count_solutions() > 1)
    rules = set()
    while (reason := several.explain()).rule != "over":
        rules.add(reason.rule)
        play(several, reason.moves)
    assert several.is_solved
    assert rules & {"choice", "agreed"}


@pytest.mark.parametrize("grade", [2, 3, 4])
def test_a_generated_board_has_the_requested_difficulty(grade):
    for seed in range(25):
        game = LightEmAll.generate(6, 6, difficulty=grade, seed=seed)
        found = game.difficulty()
        assert found.grade == grade
        assert game.count_solutions() == 1
        assert not game.is_solved
        assert game.tree.shape == (35, 2)
    again = LightEmAll.generate(6, 6, difficulty=gw.insight.GRADES[grade - 1], seed=24)
    assert again == game
    points = {"loop": 2, "island": 2, "trial": 3}
    assert found.measures["points"] == sum(points.get(rule, 0) * uses for rule, uses in found.rules.items())


@pytest.mark.parametrize(
    "text",
    [
        "3 5 wrap\nead23\n3c8c6\na4562\nstation 0 0",
        "4 3 wrap\n5e6\n52a\n449\n96a\nstation 0 0",
        "3 3 wrap\naa4\nb91\n919\nstation 0 0",
        LightEmAll.generate(4, 4, hexagonal=True, wrap=True, seed=3).text,
    ],
)
def test_the_difficulty_does_not_depend_on_how_the_tiles_are_turned_now(text):
    game, rng = LightEmAll(text), np.random.default_rng(7)
    expected = game.difficulty()
    for _ in range(40):
        game = LightEmAll(text)
        for cell in itertools.product(range(game.height), range(game.width)):
            for _ in range(rng.integers(6)):
                if not game.is_solved:
                    game.rotate(cell)
        found = game.difficulty()
        assert (found.grade, found.rules, found.measures) == (expected.grade, expected.rules, expected.measures)


def test_the_moves_of_explanations_of_an_unsolvable_board_lead_to_the_contradiction():
    for text in ("3 2 wrap\nb1\n34\n58\nstation 1 0", "2 3 wrap\n121\n7b4\nstation 0 0"):
        game = LightEmAll(text)
        assert game.count_solutions() == 0
        for _ in range(20):
            reason = game.explain()
            if reason.rule == "unsolvable":
                break
            play(game, reason.moves)
        assert reason.rule == "unsolvable"


def test_reasons_name_the_side_of_a_neighbor_that_lies_on_two_sides():
    assert str(LightEmAll("2 2 hex wrap\n1110\n0c02\nstation 0 0\n").explain((1, 1))) == (
        "(1, 1) is already turned correctly: a wire to (0, 1) on the lower left would cut off 2 tiles, a wire to "
        "(0, 1) on the upper left would cut off 2 tiles, (1, 0) on the left cannot have a wire to it, and (1, 0) on "
        "the right must have a wire to it. This depends on (0, 0): turning it twice would lead to a contradiction."
    )
    tile = r"\((\d), (\d)\)"
    sided = rf"{tile} (above|below|on the (?:upper |lower )?(?:left|right))\b"
    names = {"above": "N", "below": "S"} | {f"on the {side}": name for name, side in SIDES.items()}
    for (height, width, hexagonal), seed in itertools.product(
        ((1, 2, False), (2, 4, False), (3, 2, False), (2, 3, True), (4, 2, True), (4, 1, True)), range(20)
    ):
        game = LightEmAll.generate(height, width, hexagonal=hexagonal, wrap=True, seed=seed)
        for cell in np.ndindex(height, width):
            reason, _, key = str(game.explain(cell)).partition(" This depends on ")
            places = re.findall(sided, reason)
            assert len(set(places)) == len(places), reason
            assert len(places) == reason.count("a wire to (") + reason.count("have a wire to it"), reason
            edges = [(*map(str, cell), *place) for place in places]
            if "between them" in key:
                edges += re.findall(f"^{tile} and {sided}: ", key)
                assert len(edges) == len(places) + 1, key
            for row, col, beyond_row, beyond_col, place in edges:
                at = LightEmAll.from_wires(game.wires, (int(row), int(col)), hexagonal=hexagonal, wrap=True)
                assert at.beside(names[place]) == (int(beyond_row), int(beyond_col)), (reason, key)
    # On other boards all neighbors of a tile differ.
    for height, width, wrap in ((1, 5, True), (3, 3, True), (2, 2, False)):
        game = LightEmAll.generate(height, width, wrap=wrap, seed=1)
        assert not any(re.search(sided, str(game.explain(cell))) for cell in np.ndindex(height, width))


def test_difficulty_arguments_are_checked():
    with pytest.raises(ValueError, match="difficulty must be between 1 and 5, got 6"):
        LightEmAll.generate(4, 4, difficulty=6)
    with pytest.raises(TypeError, match="difficulty must be an integer or a str"):
        LightEmAll.generate(4, 4, difficulty=2.5)
    with pytest.raises(ValueError, match="method must make a random tree"):
        LightEmAll.generate(4, 4, difficulty=2, method="rows")
    with pytest.raises(ValueError, match="has none"):
        LightEmAll("1 3\n222\nstation 0 0").difficulty()
    assert LightEmAll.from_wires([[7, 12], [5, 9]]).difficulty().rules == {"search": 4}


def test_the_generation_of_a_rare_or_impossible_grade_ends_at_its_limits():
    reports = []
    with pytest.raises(gw.SearchLimitError, match="no 1 x 6 board of grade 4 found in 131072 attempts"):
        LightEmAll.generate(1, 6, difficulty="hard", seed=1, progress=reports.append)
    assert reports[-1] <= 2**24
    # Nearly every board of this kind needs a search. Each attempt then takes so many steps that the limit on steps is
    # reached after few attempts.
    with pytest.raises(gw.SearchLimitError, match=r"no 6 x 6 board of grade 2 found in \d{1,4} attempts"):
        LightEmAll.generate(6, 6, hexagonal=True, wrap=True, difficulty="easy", seed=3)
    for shape in ({"wrap": True}, {"hexagonal": True}):
        assert LightEmAll.generate(6, 6, **shape, difficulty=4, seed=1).difficulty().grade == 4


def test_a_batch_has_boards_of_the_requested_grade():
    batch = gw.Batch(partial(LightEmAll.generate, 5, 5, difficulty="easy"), 3, seed=7)
    assert [batch.game(i).difficulty().grade for i in range(3)] == [2, 2, 2]


def test_a_hint_is_the_next_move_as_an_array():
    game = LightEmAll.generate(5, 5, seed=8)
    while (hint := game.hint()) is not None:
        assert (hint.shape, hint.dtype) == ((3,), np.int32)
        game.play(*hint)
    assert game.is_solved
