"""Tests of MyPhoton through the public API; light is compared with that of a slow tracer written in Python."""

from __future__ import annotations

import functools
import itertools
import math
import pickle
import re
import xml.etree.ElementTree as ET

import gridwright as gw
import numpy as np
import pytest
from gridwright.insight import GRADES
from gridwright.photon import LIT, MyPhoton, Tile, trace_many
from hypothesis import given, settings
from hypothesis import strategies as st

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
DOWN = {0: 3, 1: 2, 2: 1, 3: 0}
UP = {0: 1, 1: 0, 2: 3, 3: 2}


def headings_out(tile: Tile, heading: int) -> list[int] | None:
    """Returns the headings in which light leaves a tile that it entered with ``heading``.

    The list is empty if the tile is a sensor that the light turns on; ``None`` means that the tile blocks the light.
    """
    family, _, side = tile.name.partition("_")
    if family == "EMPTY":
        return [heading]
    if family in ("MIRROR", "SPLITTER"):
        turned = (DOWN if side == "DOWN" else UP)[heading]
        return [turned] if family == "MIRROR" else [turned, heading]
    if family == "TMIRROR":
        point = "NESW".index(side)
        if heading == point:
            return None
        return [(point + 1) % 4, (point + 3) % 4] if heading == (point + 2) % 4 else [point]
    if family == "SENSOR" and heading == ("NESW".index(side) + 2) % 4:
        return []
    return None


def plain_light(board: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the arrays ``lit`` and ``beams`` of a board, computed as in the pseudocode of the source document."""
    beams = np.zeros(board.shape, dtype=np.uint8)
    lit = np.zeros(board.shape, dtype=bool)
    heads, used = [], set()
    for row, col in np.argwhere((board & 31 >= Tile.LASER_N) & (board & 31 <= Tile.LASER_W)).tolist():
        heading = int(board[row, col]) - Tile.LASER_N
        heads.append((row + STEPS[heading][0], col + STEPS[heading][1], heading))
    while heads:
        head = heads.pop()
        row, col, heading = head
        if head in used or not (0 <= row < board.shape[0] and 0 <= col < board.shape[1]):
            continue
        used.add(head)
        out = headings_out(Tile(int(board[row, col]) & ~LIT), heading)
        if out is None:
            continue
        beams[row, col] |= 1 << (heading + 2) % 4
        lit[row, col] |= not out
        for onward in out:
            beams[row, col] |= 1 << onward
            heads.append((row + STEPS[onward][0], col + STEPS[onward][1], onward))
    return lit, beams


def game_on(board: np.ndarray) -> MyPhoton:
    """Returns a game with the given board, whose level text is written without the engine."""
    marks = {0: ".", 1: "W", 2: "M\\", 3: "M/", 4: "B\\", 5: "B/"}
    for letter, first in (("T", 6), ("L", 10), ("S", 14)):
        marks.update({first + k: letter + "^>v<"[k] for k in range(4)})
    rows = ["".join(marks[code] for code in row) for row in (board & ~np.uint8(LIT)).tolist()]
    return MyPhoton(f"{board.shape[1]} {board.shape[0]}\n" + "\n".join(rows))


boards = st.tuples(st.integers(1, 7), st.integers(1, 7), st.integers(0, 2**32), st.floats(0.2, 1)).map(
    lambda spec: np.where(
        np.random.default_rng(spec[2]).random(spec[:2]) < spec[3],
        0,
        np.random.default_rng(spec[2] + 1).integers(0, 18, spec[:2]),
    ).astype(np.uint8)
)


@given(boards)
@settings(max_examples=150, deadline=None)
def test_light_agrees_with_a_slow_tracer(board):
    game = game_on(board)
    lit, beams = plain_light(board)
    assert (game.beams == beams).all()
    assert (game.lit == lit).all()
    assert (game.board == board + LIT * lit).all()
    many = trace_many(board[None], beams=True)
    assert (many[0][0] == lit).all()
    assert (many[1][0] == beams).all()


@given(boards, st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_light_after_moves_agrees_with_a_slow_tracer(board, seed):
    game = game_on(board)
    for k in range(8):
        move = game.sample_legal(seed + k)
        if move is None:
            break
        game.play(*move)
        lit, beams = plain_light(game.board)
        assert (game.beams == beams).all()
        assert (game.lit == lit).all()


def test_arrays_have_the_documented_types():
    game = MyPhoton.level("example")
    assert game.beams.dtype == np.uint8
    assert game.beams.shape == game.lit.shape == game.board.shape == game.shape == (15, 15)
    assert game.lit.dtype == np.bool_
    for cells, count in ((game.sensors, 5), (game.lasers, 3), (game.hardware, 3)):
        assert cells.shape == (count, 2)
        assert cells.dtype == np.int32
        assert cells.tolist() == sorted(cells.tolist())
    assert all(Tile.SENSOR_N <= game.board[row, col] & 31 <= Tile.SENSOR_W for row, col in game.sensors)
    assert all(Tile.LASER_N <= game.board[row, col] <= Tile.LASER_W for row, col in game.lasers)
    before = game.beams
    for array in (game.beams, game.lit, game.sensors, game.lasers, game.hardware):
        array.fill(1)
    assert (game.beams == before).all()


def test_the_example_behaves_as_in_the_source_document():
    game = MyPhoton.level("example")
    kinds = sorted(Tile(game.board[row, col]).name.partition("_")[0] for row, col in game.hardware.tolist())
    assert kinds == ["MIRROR", "SPLITTER", "TMIRROR"]
    assert sum(col == 0 for _, col in game.lasers.tolist()) == 1
    assert game.lit.sum() == 2
    splitter = next(cell for cell in game.hardware.tolist() if Tile(game.board[tuple(cell)]).name.startswith("SPL"))
    game.swap(splitter, (splitter[0], splitter[1] + 1))
    assert game.lit.sum() == 3
    game.undo()
    moves = game.solve()
    assert len(moves) == 3
    for move in moves:
        assert not game.is_solved
        game.play(*move)
    assert game.is_solved
    assert game.lit.sum() == 5


def has_a_loop(game: MyPhoton) -> bool:
    """Returns whether light runs in a loop, by looking for a cycle of heads; a head is a cell and a heading."""
    board = game.board
    steps = game.trace()
    heads = set(zip(*(steps[name].tolist() for name in ("row", "col", "heading")), strict=True))
    onward = {
        (row, col, heading): {
            (row + STEPS[out][0], col + STEPS[out][1], out)
            for out in headings_out(Tile(int(board[row, col]) & ~LIT), heading) or []
        }
        & heads
        for row, col, heading in heads
    }
    # Removes heads that lead to no other head, until only loops and the heads that lead to them are left, if any.
    while ends := {head for head, out in onward.items() if not out}:
        onward = {head: out - ends for head, out in onward.items() if head not in ends}
    return bool(onward)


def test_light_runs_in_a_loop_in_the_levels_splitters_and_cycle():
    assert has_a_loop(MyPhoton.level("splitters"))
    assert has_a_loop(MyPhoton.level("cycle"))
    assert not has_a_loop(MyPhoton.level("simple-splitter"))


def test_threeway_needs_one_beam_split_in_three():
    game = MyPhoton.level("threeway")
    assert len(game.lasers) == 1
    assert len(game.sensors) == 3
    assert game.count_solutions() == 1
    splitting = [cell for cell in game.hardware.tolist() if game.board[tuple(cell)] >= Tile.SPLITTER_DOWN]
    assert len(splitting) == 2
    for row, col in splitting:
        # If a mirror of either slant replaces a piece that splits light, the puzzle has no solution.
        for slant in (Tile.MIRROR_DOWN, Tile.MIRROR_UP):
            board = game.board
            board[row, col] = slant
            assert game_on(board).solve() is None


def test_levels_with_sensors_can_be_solved():
    for name in MyPhoton.levels():
        game = MyPhoton.level(name)
        if not len(game.sensors):
            assert game.status == gw.Status.OPEN, name
            assert game.solve() is None
            continue
        assert not game.is_solved, name
        moves = game.solve(fewest=name not in ("sensors", "izaaks"))
        assert moves, name
        for move in moves:
            game.play(*move)
        assert game.is_solved, name
        game.reset()
        if name.startswith("level"):
            assert game.count_solutions() == 1, name


def test_a_swap_takes_two_cells_in_any_order_and_an_illegal_swap_raises():
    game = MyPhoton("4 2\nM/M\\. W\nM/S>L>.")
    assert game.can_select((0, 0))
    assert not game.can_select((0, 2))
    assert game.can_swap((0, 0), (0, 1))
    assert game.can_swap((0, 1), (0, 0))
    assert game.can_swap((0, 2), (0, 1))
    assert not game.can_swap((0, 0), (1, 0))
    assert not game.can_swap((0, 0), (0, 0))
    assert not game.can_swap((0, 0), (1, 1))
    game.swap((0, 1), (0, 0))
    assert game.moves.tolist() == [[0, 0, 0, 1]]
    game.swap(np.array([0, 2]), [0, 1])
    assert game.moves.tolist()[1] == [0, 1, 0, 2]
    assert game.board[0].tolist() == [2, 0, 3, 1]
    text = game.text
    for a, b, reason in (
        ((0, 3), (0, 0), r"\(0, 3\) must hold a mirror, a splitter or a T-mirror, got a wall"),
        ((0, 0), (1, 2), r"\(1, 2\) must be empty or hold a mirror, a splitter or a T-mirror, got a laser"),
        ((0, 1), (1, 3), r"\(0, 1\) must hold a mirror, a splitter or a T-mirror, got nothing"),
        ((0, 2), (1, 0), "the two pieces must differ, got equal pieces on"),
        ((0, 0), (0, 0), r"the two cells must differ, got \(0, 0\) twice"),
    ):
        with pytest.raises(gw.IllegalMoveError, match=reason):
            game.swap(a, b)
    with pytest.raises(gw.IllegalMoveError, match="must name the cells in row-major order"):
        game.play(0, 2, 0, 0)
    for a in ((-1, 0), (0, 4), (10**30, 0), (0, 1.5), (0,), "ab", None):
        with pytest.raises(gw.MoveError):
            game.can_select(a)
        with pytest.raises(gw.MoveError):
            game.swap(a, (0, 0))
        with pytest.raises(gw.MoveError):
            game.can_swap((0, 0), a)
    assert game.text == text


def test_trace_lists_each_head_with_its_parent():
    game = MyPhoton("5 3\nL>.B\\.S<\n. . . . .\n. . S^. .")
    steps = game.trace()
    assert list(steps) == ["row", "col", "heading", "order", "parent"]
    rows = list(zip(*(column.tolist() for column in steps.values()), strict=True))
    assert rows == [
        (0, 1, 1, 0, -1),
        (0, 2, 1, 1, 0),
        (0, 3, 1, 2, 1),
        (1, 2, 2, 3, 1),
        (0, 4, 1, 4, 2),
        (2, 2, 2, 5, 3),
    ]
    assert all(column.dtype == np.int32 for column in steps.values())
    assert all(len(column) == 0 for column in MyPhoton("1 1\n.").trace().values())


def test_trace_many_takes_boards_of_any_integer_type():
    game = MyPhoton.level("example")
    stack = np.stack([game.board] * 3)
    for kind in (np.uint8, np.int64, np.uint16, np.int8):
        assert (trace_many(stack.astype(kind)) == game.lit).all()
    assert (trace_many(np.asfortranarray(stack)) == game.lit).all()
    assert (trace_many(stack[::2, :, :]) == game.lit).all()
    assert (trace_many([game.board.tolist()]) == game.lit).all()
    lit, beams = trace_many(stack, beams=True)
    assert lit.dtype == np.bool_
    assert beams.dtype == np.uint8
    assert (beams == game.beams).all()
    assert trace_many(np.zeros((0, 3, 4), dtype=np.uint8)).shape == (0, 3, 4)
    with pytest.raises(ValueError, match=r"^boards must have at most 67108864 cells each, got 1 \* 67108865$"):
        trace_many(np.zeros((1, 1, 2**26 + 1), dtype=np.uint8))
    assert trace_many(np.zeros((2, 0, 4), dtype=np.uint8)).shape == (2, 0, 4)
    with pytest.raises(
        ValueError, match=r"boards must be integers of shape \(n, height, width\), got uint8 of shape \(15, 15\)"
    ):
        trace_many(game.board)
    with pytest.raises(TypeError, match="boards must be integers .*, got float64"):
        trace_many(stack.astype(float))
    with pytest.raises(ValueError, match=r"boards must hold the codes 0 to 17, .* got -1"):
        trace_many(stack.astype(np.int16) - 1)
    stack[1, 2, 3] = 18
    with pytest.raises(ValueError, match=r"boards must hold the codes .* got 18 in board 1 at row 2, column 3"):
        trace_many(stack)


def placements(game: MyPhoton) -> list[np.ndarray]:
    """Returns every board that results from placing the hardware of a game on cells that may hold it."""
    board = game.board & ~np.uint8(LIT)
    cells = np.argwhere(board <= Tile.TMIRROR_W)
    cells = cells[[board[tuple(cell)] != Tile.WALL for cell in cells]]
    kinds = [board[tuple(cell)] for cell in game.hardware]
    found = []
    for order in set(itertools.permutations(kinds)):
        for chosen in itertools.combinations(cells.tolist(), len(kinds)):
            trial = board.copy()
            trial[tuple(cells.T)] = 0
            for cell, kind in zip(chosen, order, strict=True):
                trial[tuple(cell)] = kind
            found.append(trial)
    return found


def test_counts_of_solutions_agree_with_brute_force():
    seen = set()
    for seed in range(25):
        game = MyPhoton.generate(5, 5, sensors=1 + seed % 2, mirrors=1, tmirrors=seed % 2, splitters=1, seed=seed)
        boards = np.array(placements(game))
        lit = trace_many(boards)
        sensors = (boards >= Tile.SENSOR_N).sum(axis=(1, 2))
        expected = int((lit.sum(axis=(1, 2)) == sensors).sum())
        assert game.count_solutions(2**64 - 1) == expected, game.text
        assert game.count_solutions(most=3) == min(expected, 3)
        assert game.count_solutions() == min(expected, 2)
        seen.add(expected)
    assert len(seen) > 5


def test_counts_of_solutions_are_multinomial_if_every_placement_is_a_solution():
    # All pieces are in the second row, which the light does not enter, so the sensor is always lit. The largest count
    # does not fit in 64 bits.
    tiles = 80
    for mirrors, splitters in ((0, 0), (1, 0), (2, 1), (40, 0), (77, 2), (78, 0), (79, 0), (80, 0), (3, 76), (60, 20)):
        row = ["M/"] * mirrors + ["B/"] * splitters + ["."] * (tiles - mirrors - splitters)
        head = ["L>", "S<"] + ["W"] * (tiles - 2)
        text = f"{tiles} 2\n" + "\n".join("".join(tile.ljust(2) for tile in line) for line in (head, row)) + "\n"
        expected = math.comb(tiles, mirrors) * math.comb(tiles - mirrors, splitters)
        assert gw.MyPhoton(text).count_solutions(2**64 - 1) == min(expected, 2**64 - 1), (mirrors, splitters)


def test_searches_that_alternate_between_orders_agree_with_the_count():
    tiles = [".", "W", "M/", "M\\", "B/", "B\\", "T^", "T>", "Tv", "T<", "L^", "L>", "Lv", "L<", "S^", "S>", "Sv", "S<"]
    rng = np.random.default_rng(5)
    seen = {True: 0, False: 0}
    for _ in range(6000):
        codes = np.zeros(30, dtype=int)
        parts = [rng.integers(low, high, n) for low, high, n in ((10, 14, 2), (14, 18, 4), (2, 10, 5), (1, 2, 1))]
        codes[: sum(map(len, parts))] = np.concatenate(parts)
        rows = rng.permutation(codes).reshape(5, 6)
        game = gw.MyPhoton("6 5\n" + "\n".join(" ".join(tiles[code].ljust(2) for code in row) for row in rows))
        try:
            game.solve(fewest=False, limit=64)
        except gw.SearchLimitError:
            # The search needs more than its first run of 64 nodes, so it alternates between the plain order and random
            # orders.
            moves = game.solve(fewest=False)
            assert (moves is not None) == (game.count_solutions(1) > 0), game.text
            seen[moves is not None] += 1
            for move in moves or ():
                game.play(*move)
            assert moves is None or game.status == gw.Status.WON
    assert min(seen.values()) > 0, seen
    assert sum(seen.values()) > 20, seen


def test_solve_obeys_its_limits_and_hint_returns_the_first_swap_of_solve():
    game = MyPhoton.level("izaaks")
    assert game.solve(1) is None
    assert game.solve(max_swaps=0) is None
    with pytest.raises(gw.SearchLimitError, match="limit reached after 5 nodes"):
        game.solve(limit=5)
    with pytest.raises(gw.SearchLimitError):
        game.count_solutions(limit=5)
    with pytest.raises(ValueError, match=r"max_swaps must be between 0 and 2\^64 - 1, got -1"):
        game.solve(-1)
    for wrong in (1.5, "two"):
        with pytest.raises(TypeError, match=f"max_swaps must be an integer, got {wrong!r}"):
            game.solve(wrong)
    with pytest.raises(TypeError, match="fewest must be a bool, got 1"):
        game.solve(fewest=1)
    easy = MyPhoton.level("cycle")
    before = easy.text
    assert easy.solve(2**64 - 1) == easy.solve()
    assert easy.hint().dtype == np.int32
    assert easy.hint().tolist() == list(easy.solve()[0])
    assert easy.text == before
    assert len(easy.moves) == 0
    easy.play(*easy.hint())
    assert easy.solve() == []
    assert easy.hint() is None
    assert easy.solution().shape == (0, 4)
    reports = []
    MyPhoton.level("sensors").solve(fewest=False, progress=reports.append)
    assert reports
    assert reports == sorted(reports)
    assert MyPhoton("3 1\nL<. S<").solve() is None
    assert MyPhoton("3 1\nL<. S<").hint() is None
    assert MyPhoton("3 1\nL>. .").hint() is None


def test_generate_places_all_requested_pieces():
    game = MyPhoton.generate(30, 30, lasers=4, sensors=4, mirrors=40, seed=1)
    assert len(game.hardware) == 42
    assert not game.is_solved


def test_generate_obeys_its_arguments():
    game = MyPhoton.generate(9, 11, lasers=2, sensors=4, mirrors=2, splitters=2, tmirrors=1, walls=0.05, seed=5)
    assert game == MyPhoton.generate(9, 11, lasers=2, sensors=4, mirrors=2, splitters=2, tmirrors=1, walls=0.05, seed=5)
    assert game.shape == (9, 11)
    assert (len(game.lasers), len(game.sensors), len(game.hardware)) == (2, 4, 5)
    assert not game.is_solved
    assert game.solve(fewest=False)
    unique = MyPhoton.generate(7, 7, unique=True, swaps=3, seed=np.int64(4))
    assert unique.count_solutions() == 1
    assert len(unique.solve()) == 3
    assert MyPhoton.generate(6, 6).shape == (6, 6)
    for arguments, reason in (
        ({"lasers": 0}, "lasers must be at least 1, got 0"),
        ({"walls": 2}, "walls must be between 0 and 1, got 2"),
        ({"walls": 1e300}, r"walls must be between 0 and 1, got 1e\+300$"),
        ({"walls": float("nan")}, "walls must be between 0 and 1, got nan$"),
        ({"mirrors": -1}, "mirrors must be between 0 and .*, got -1"),
        ({"sensors": 10**30}, "sensors must be between 0 and .*, got 1000000000000000000000000000000"),
        ({"sensors": 10**9}, "must be less than 49, the number of cells, got 1000000005"),
        ({"swaps": 0}, "swaps must be between 1 and .*, got 0"),
        ({"swaps": 2**31, "limit": 10}, "swaps must be between 1 and 4, the number of pieces, got 2147483648"),
        ({"seed": -1}, r"seed must be between 0 and 2\^64 - 1, got -1"),
    ):
        with pytest.raises(ValueError, match=reason):
            MyPhoton.generate(7, 7, **arguments)
    for arguments, reason in (
        ({"unique": 1}, "unique must be a bool, got 1"),
        ({"walls": "x"}, "walls must be a number, got 'x'"),
        ({"lasers": 1.5}, "lasers must be an integer, got 1.5"),
        ({"seed": "x"}, "seed must be an integer or None, got 'x'"),
        ({"limit": "x"}, "limit must be an integer, got 'x'"),
    ):
        with pytest.raises(TypeError, match=reason):
            MyPhoton.generate(7, 7, **arguments)
    with pytest.raises(ValueError, match=r"height must be between 1 and .*, got 0"):
        MyPhoton.generate(0, 7)
    with pytest.raises(ValueError, match=r"height must be between 1 and .*, got -3"):
        MyPhoton.generate(-3, 7)
    with pytest.raises(gw.SearchLimitError, match="no puzzle that meets all demands was found among"):
        MyPhoton.generate(4, 4, sensors=7, seed=1)
    with pytest.raises(gw.SearchLimitError):
        MyPhoton.generate(9, 9, unique=True, swaps=4, seed=1, limit=3)


def test_tile_codes_have_the_documented_values():
    assert [tile.value for tile in Tile] == list(range(18))
    assert LIT == 32
    assert Tile.LASER_W == 13
    assert pickle.loads(pickle.dumps(Tile.WALL)) is Tile.WALL


def test_pictures_show_light_and_state():
    game = MyPhoton.level("example")
    root = ET.fromstring(game.svg())
    words = "".join(root.itertext())
    assert words.count(" lit") == 2
    assert words.count(" dark") == 3
    assert game.svg(theme="dark") != game.svg()
    assert game.svg(selected=tuple(game.hardware[0])) != game.svg()
    heads = len(game.trace()["row"])
    frames = [game.svg(heads=k) for k in range(heads + 1)]
    assert len(set(frames)) > heads / 2, "most heads must change the picture"
    assert frames[-1] == game.svg() == game.svg(heads=heads + 1)
    assert frames[0] == game.svg(heads=-1)
    assert "●" in str(game)
    assert "○" in str(game)
    for name in MyPhoton.levels():
        ET.fromstring(MyPhoton.level(name).svg())
        assert len({len(line) for line in str(MyPhoton.level(name)).splitlines()}) == 1, name


def test_limits_out_of_bounds_are_refused():
    game = MyPhoton.level("cycle")
    for name, value in itertools.product(("limit", "most"), (-1, 10**30)):
        with pytest.raises(ValueError, match=rf"{name} must be between 0 and 2\^64 - 1, got {value}"):
            game.count_solutions(**{name: value})
    with pytest.raises(TypeError, match="most must be an integer, got None"):
        game.count_solutions(None)


def test_blank_boards_are_empty_and_have_the_given_size():
    game = MyPhoton.blank(3, 5)
    assert game.shape == (3, 5)
    assert not game.board.any()
    assert game.status == gw.Status.OPEN
    with pytest.raises(ValueError, match=r"height must be between 1 and .*, got 0"):
        MyPhoton.blank(0, 3)
    with pytest.raises(TypeError, match="width must be an integer, got 'x'"):
        MyPhoton.blank(3, "x")
    for make in (MyPhoton.blank, MyPhoton.generate):
        with pytest.raises(ValueError, match=r"height \* width must be between 1 and 67108864"):
            make(2**26, 2**26)


def test_a_batch_raises_if_there_is_no_puzzle():
    make = functools.partial(MyPhoton.generate, 4, 4, sensors=7)
    with pytest.raises(gw.SearchLimitError, match="no puzzle that meets all demands was found"):
        gw.Batch(make, 2, seed=0)
    batch = gw.Batch(functools.partial(MyPhoton.generate, 6, 6), 3, seed=5)
    assert [batch.game(i).text for i in range(3)] == [MyPhoton.generate(6, 6, seed=5 + i).text for i in range(3)]


def test_unique_puzzles_with_two_splitters_have_one_solution():
    for seed in (53, 96):
        game = MyPhoton.generate(6, 6, sensors=3, splitters=2, unique=True, seed=seed)
        assert game.count_solutions() == 1


RULES = ("direct", "forced", "shared", "spare", "trial", "search")


def test_explanations_solve_levels_that_need_no_search():
    seen = set()
    for name in MyPhoton.levels():
        game = MyPhoton.level(name)
        if name == "sensors" or not len(game.sensors):
            continue
        rules = game.difficulty().rules
        assert list(rules) == [rule for rule in RULES if rule in rules]
        played = 0
        while "search" not in rules and not game.is_solved:
            reason = game.explain()
            assert reason.moves.shape == (1, 4), name
            assert reason.rule in rules, name
            seen.add(reason.rule)
            game.play(*reason.moves[0])
            played += 1
            assert played < 40, name
        if "search" in rules:
            assert len(game.explain().moves) == 1
    assert seen >= {"direct", "shared", "trial"}


def test_explanations_describe_what_they_mark():
    game = MyPhoton("4 3\nL>. . .\nM\\. . .\n. . S^.")
    reason = game.explain()
    assert reason.rule == "direct"
    assert str(reason) == (
        "Light already reaches (0, 2), and can go on to the sensor at (2, 2) in only one way: by a mirror \\ on "
        "(0, 2), over the empty tile (1, 2)."
    )
    assert reason.moves.tolist() == [[1, 0, 0, 2]]
    assert reason.moves.dtype == np.int32
    assert {role: cells.tolist() for role, cells in reason.cells.items()} == {
        "because": [[2, 2], [1, 2]],
        "so": [[0, 2]],
    }
    marked = reason.svg()
    assert marked.count("<polygon") == game.svg().count("<polygon") + 3
    assert reason._repr_mimebundle_()["text/plain"] == str(reason)
    assert game.explain((0, 2)).rule == "direct"
    assert game.explain((2, 2)).moves.tolist() == [[1, 0, 0, 2]]
    away = game.explain((0, 3))
    assert (away.rule, len(away.moves)) == ("search", 0)
    assert "No rule finds anything about (0, 3)" in str(away)
    game.play(*reason.moves[0])
    assert "solved" in str(game.explain())
    assert game.explain().moves.shape == (0, 4)
    assert str(game.explain((0, 2))).endswith("This is already the case.")
    with pytest.raises(gw.MoveError, match="cell must be a cell of the 3 x 4 board"):
        game.explain((3, 0))
    assert "no solution" in str(MyPhoton("3 1\nL<. S<").explain())
    assert "no sensors" in str(MyPhoton("3 1\nL>M/.").explain())


def test_explanations_say_that_light_already_reaches_a_cell_only_if_it_does():
    game = MyPhoton.level("level07")
    game.play(3, 4, 4, 2)
    assert not game.beams[4, 6]
    assert str(game.explain()) == (
        "Light needs no piece except those of earlier steps to reach (4, 6), and can go on to the sensor at (7, 6) in "
        "only one way: by a mirror \\ on (4, 6), over the empty tiles (6, 6) and (5, 6)."
    )
    counts = {"already reaches": 0, "needs no piece except": 0}
    for seed in range(150):
        rng = np.random.default_rng(seed)
        game = MyPhoton.generate(6, 7, sensors=1 + seed % 3, seed=seed)
        for _ in range(4):
            for cell in [None, *map(tuple, [*game.sensors.tolist(), *game.hardware.tolist()])]:
                found = re.match(
                    r"Light (already reaches|needs no piece except)\D+(\d+), (\d+)", str(game.explain(cell))
                )
                if found:
                    counts[found[1]] += 1
                    if found[1] == "already reaches":
                        assert game.beams[int(found[2]), int(found[3])], (game.text, cell)
            if game.is_solved:
                break
            game.play(*game.sample_legal(int(rng.integers(1 << 40))))
    assert min(counts.values()) >= 5


def test_an_explanation_of_the_only_sensor_mentions_no_others():
    reason = MyPhoton.generate(7, 7, sensors=1, seed=409).explain()
    assert reason.rule == "shared"
    assert "in 9 ways. All but one leave pieces that cannot light it. The remaining way" in str(reason)
    assert "All but one leave pieces that cannot light all sensors." in str(MyPhoton.level("example").explain())


def test_a_piece_in_the_way_of_the_light_is_spare_and_must_move():
    # The mirror \ is where it must be, but the mirror / is on a cell that light must cross.
    game = MyPhoton("5 3\nL>. . M\\.\n. . . M/.\n. . . S^W")
    reason = game.explain()
    assert reason.rule == "spare"
    assert "The mirror / on (1, 3) must move" in str(reason)
    assert reason.cells["so"].tolist() == [[1, 3]]
    game.play(*reason.moves[0])
    assert game.is_solved


@pytest.mark.parametrize("seed", range(1, 9))
def test_an_explanation_without_a_move_already_holds_or_waits_for_an_earlier_step(seed):
    game = MyPhoton.generate(6, 6, unique=True, mirrors=2, splitters=2, tmirrors=2, sensors=3, seed=seed)
    solved = game.copy()
    solved.play_on()
    while not game.is_solved:
        for cell in np.ndindex(game.shape):
            reason = game.explain(cell)
            if len(reason.moves) or str(reason).startswith("No rule finds"):
                continue
            places = tuple(np.concatenate([reason.cells["so"], reason.cells["because"][1:]]).T)
            holds = np.array_equal(game.board[places] % LIT, solved.board[places] % LIT)
            assert str(reason).endswith("This is already the case." if holds else "An earlier step must come first.")
        game.play(*game.explain().moves[0])


def test_no_move_is_explained_for_a_cell_of_a_contradictory_puzzle():
    game = MyPhoton("4 4\nB\\. . M/\n. L>. S^\n. . . .\nL^W . S<")
    assert str(game.explain()) == "This puzzle has no solution."
    assert all(len(game.explain(cell).moves) == 0 for cell in np.ndindex(game.shape))


def test_a_piece_that_must_move_may_have_to_wait_for_an_earlier_step():
    # Light must cross the empty tile (3, 1), and the splitter is needed on the other empty tile, (1, 1).
    game = MyPhoton("3 5\nW W W\nS>. W\nW B\\W\nW . W\nW L^W")
    reason = game.explain((2, 1))
    assert (reason.rule, len(reason.moves)) == ("spare", 0)
    assert str(reason).startswith("The splitter \\ on (2, 1) must move")
    assert str(reason).endswith("An earlier step must come first.")
    assert reason.cells["so"].tolist() == [[2, 1]]


def test_difficulty_does_not_depend_on_the_swaps_made():
    game = MyPhoton.generate(8, 8, difficulty=3, seed=2)
    graded = game.difficulty()
    assert (graded.grade, graded.name) == (3, "medium")
    assert graded.rules["trial"] == 1
    assert graded.measures["swaps"] == len(game.solve())
    for _ in range(5):
        game.play(*game.sample_legal(7))
    assert game.difficulty().grade == 3
    assert MyPhoton("3 1\nL<. S<").difficulty() is None
    assert MyPhoton("3 1\nL>. .").difficulty() is None
    with pytest.raises(gw.SearchLimitError):
        MyPhoton.level("izaaks").difficulty(limit=3)


@pytest.mark.parametrize("grade", range(1, 6))
def test_puzzles_have_the_requested_difficulty(grade):
    for seed in range(12):
        game = MyPhoton.generate(8, 8, difficulty=grade, seed=seed)
        assert game.difficulty().grade == grade
        assert not game.is_solved
    assert game == MyPhoton.generate(8, 8, difficulty=GRADES[grade - 1], seed=11)
    if grade == 5:
        assert game.count_solutions() == 1


def test_invalid_difficulties_are_refused():
    with pytest.raises(ValueError, match="difficulty must be between 1 and 5, got 6"):
        MyPhoton.generate(8, 8, difficulty=6)
    with pytest.raises(ValueError, match="difficulty must be 1 to 5 or one of 'trivial'"):
        MyPhoton.generate(8, 8, difficulty="harsh")
    with pytest.raises(TypeError, match=r"difficulty must be an integer or a str, got 1.5"):
        MyPhoton.generate(8, 8, difficulty=1.5)
    batch = gw.Batch(functools.partial(MyPhoton.generate, 7, 7, difficulty="easy"), 2, seed=1)
    assert [batch.game(i).difficulty().name for i in range(2)] == ["easy", "easy"]


def test_levels_without_sensors_are_packaged_but_not_in_the_menu():
    controls = MyPhoton.level("level01").controls()
    assert {level.name for level in controls.levels} == {
        name for name in MyPhoton.levels() if len(MyPhoton.level(name).sensors)
    }
    assert {"empty", "walls", "simple-laser"} <= set(MyPhoton.levels())


def test_numbered_levels_are_ordered_by_difficulty():
    grades = [MyPhoton.level(name).difficulty().grade for name in MyPhoton.levels() if name.startswith("level")]
    assert grades == sorted(grades)
    assert all(grades.count(grade) >= 5 for grade in range(1, 6))
