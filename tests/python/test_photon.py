"""MyPhoton through the public surface: light beside a plain tracer, swaps, the solver, the generator, pictures."""

from __future__ import annotations

import itertools
import pickle
import xml.etree.ElementTree as ET

import gridwright as gw
import numpy as np
import pytest
from gridwright.photon import LIT, MyPhoton, Tile, trace_many
from hypothesis import given, settings
from hypothesis import strategies as st

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
DOWN = {0: 3, 1: 2, 2: 1, 3: 0}
UP = {0: 1, 1: 0, 2: 3, 3: 2}


def goes_on(tile: Tile, heading: int) -> list[int] | None:
    """The headings by which light leaves a tile; ``None`` where it is blocked."""
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
    """Lit sensors and laserlets of a board, by the pseudocode of the source."""
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
        out = goes_on(Tile(int(board[row, col]) & ~LIT), heading)
        if out is None:
            continue
        beams[row, col] |= 1 << (heading + 2) % 4
        lit[row, col] |= not out
        for onward in out:
            beams[row, col] |= 1 << onward
            heads.append((row + STEPS[onward][0], col + STEPS[onward][1], onward))
    return lit, beams


def world(board: np.ndarray) -> MyPhoton:
    """Writes a board in the notation by hand and reads it."""
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
def test_light_is_as_the_plain_tracer_says(board):
    game = world(board)
    lit, beams = plain_light(board)
    assert (game.beams == beams).all()
    assert (game.lit == lit).all()
    assert (game.board == board + LIT * lit).all()
    many = trace_many(board[None], beams=True)
    assert (many[0][0] == lit).all()
    assert (many[1][0] == beams).all()


@given(boards, st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_light_is_up_to_date_after_moves(board, seed):
    game = world(board)
    for k in range(8):
        move = game.sample_legal(seed + k)
        if move is None:
            break
        game.play(*move)
        lit, beams = plain_light(game.board)
        assert (game.beams == beams).all()
        assert (game.lit == lit).all()


def test_the_arrays_of_the_contract():
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


def test_the_example_is_as_the_handout_tells():
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


def test_threeway_needs_one_beam_split_in_three():
    game = MyPhoton.level("threeway")
    assert len(game.lasers) == 1
    assert len(game.sensors) == 3
    assert game.count_solutions() == 1
    splitting = [cell for cell in game.hardware.tolist() if game.board[tuple(cell)] >= Tile.SPLITTER_DOWN]
    assert len(splitting) == 2
    for row, col in splitting:
        # With a plain mirror, of either slant, instead of a piece that splits there is no solution: proved.
        for slant in (Tile.MIRROR_DOWN, Tile.MIRROR_UP):
            board = game.board
            board[row, col] = slant
            assert world(board).solve() is None


def test_levels_can_be_solved_and_rise():
    difficulties = []
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
            difficulties.append(game.rate()["difficulty"])
    assert len(difficulties) >= 20
    third = len(difficulties) // 3
    assert max(difficulties[:third]) < min(difficulties[third:-third])
    assert max(difficulties[third:-third]) < min(difficulties[-third:])


def test_swaps_in_any_order_and_what_is_refused():
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
        ((0, 3), (0, 0), "a wall on"),
        ((0, 0), (1, 2), "a laser on"),
        ((0, 1), (1, 3), "nothing on"),
        ((0, 2), (1, 0), "equal pieces on"),
        ((0, 0), (0, 0), "twice"),
    ):
        with pytest.raises(gw.IllegalMoveError, match=reason):
            game.swap(a, b)
    with pytest.raises(gw.IllegalMoveError, match="the smaller cell first"):
        game.play(0, 2, 0, 0)
    for a in ((-1, 0), (0, 4), (10**30, 0), (0, 1.5), (0,), "ab", None):
        with pytest.raises(gw.MoveError):
            game.can_select(a)
        with pytest.raises(gw.MoveError):
            game.swap(a, (0, 0))
        with pytest.raises(gw.MoveError):
            game.can_swap((0, 0), a)
    assert game.text == text


def test_trace_tells_heads_with_their_parents():
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


def test_many_boards_of_any_integer_type():
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
    assert trace_many(np.zeros((2, 0, 4), dtype=np.uint8)).shape == (2, 0, 4)
    with pytest.raises(ValueError, match=r"boards of shape \(15, 15\), wanted \(n, height, width\)"):
        trace_many(game.board)
    with pytest.raises(TypeError, match="boards of type float64"):
        trace_many(stack.astype(float))
    with pytest.raises(ValueError, match="codes from -1 to"):
        trace_many(stack.astype(np.int16) - 1)
    stack[1, 2, 3] = 18
    with pytest.raises(ValueError, match="code 18 in board 1 at row 2, col 3, wanted 0 to 17, or 46 to 49"):
        trace_many(stack)


def placements(game: MyPhoton) -> list[np.ndarray]:
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


def test_solutions_are_counted_as_brute_force_counts_them():
    seen = set()
    for seed in range(25):
        game = MyPhoton.generate(5, 5, sensors=1 + seed % 2, mirrors=1, tmirrors=seed % 2, splitters=1, seed=seed)
        boards = np.array(placements(game))
        lit = trace_many(boards)
        sensors = (boards >= Tile.SENSOR_N).sum(axis=(1, 2))
        wanted = int((lit.sum(axis=(1, 2)) == sensors).sum())
        assert game.count_solutions(limit=None) == wanted, game.text
        assert game.count_solutions(limit=3) == min(wanted, 3)
        assert game.count_solutions() == min(wanted, 2)
        seen.add(wanted)
    assert len(seen) > 5


def test_solve_has_bounds_and_limits():
    game = MyPhoton.level("izaaks")
    assert game.solve(1) is None
    assert game.solve(max_swaps=0) is None
    with pytest.raises(gw.SearchLimitError, match="gave up after 5 nodes"):
        game.solve(limit=5)
    with pytest.raises(gw.SearchLimitError):
        game.count_solutions(nodes=5)
    for wrong in (-1, 1.5, "two"):
        with pytest.raises(ValueError, match=f"max_swaps {wrong!r}, wanted a whole number from 0"):
            game.solve(wrong)
    easy = MyPhoton.level("cycle")
    assert easy.solve(10**30) == easy.solve()
    assert easy.hint() == easy.solve()[0]
    easy.play(*easy.hint())
    assert easy.solve() == []
    assert easy.hint() is None
    assert easy.solution().shape == (0, 4)
    told = []
    MyPhoton.level("sensors").solve(fewest=False, progress=told.append)
    assert MyPhoton("3 1\nL<. S<").solve() is None
    assert MyPhoton("3 1\nL<. S<").rate() is None


def test_generate_with_more_pieces_than_can_all_be_lit():
    game = MyPhoton.generate(30, 30, lasers=4, sensors=4, mirrors=40, seed=1)
    assert len(game.hardware) == 42
    assert not game.is_solved


def test_generate_keeps_to_the_order():
    game = MyPhoton.generate(9, 11, lasers=2, sensors=4, mirrors=2, splitters=2, tmirrors=1, walls=0.05, seed=5)
    assert game == MyPhoton.generate(9, 11, lasers=2, sensors=4, mirrors=2, splitters=2, tmirrors=1, walls=0.05, seed=5)
    assert game.shape == (9, 11)
    assert (len(game.lasers), len(game.sensors), len(game.hardware)) == (2, 4, 5)
    assert not game.is_solved
    assert game.solve(fewest=False)
    alone = MyPhoton.generate(7, 7, unique=True, swaps=3, seed=np.int64(4))
    assert alone.count_solutions() == 1
    assert len(alone.solve()) == 3
    assert alone.rate()["swaps"] == 3
    assert MyPhoton.generate(6, 6).shape == (6, 6)
    for named, reason in (
        ({"lasers": 0}, "0 lasers"),
        ({"walls": 2}, "walls 2, wanted a chance from 0 to 1"),
        ({"walls": float("nan")}, "walls NaN"),
        ({"mirrors": -1}, "mirrors -1, wanted a whole number from 0"),
        ({"sensors": 10**30}, "sensors 1000000000000000000000000000000, wanted a whole number from 0"),
        ({"sensors": 10**9}, "on 49 cells, wanted fewer"),
        ({"swaps": 0}, "0 swaps"),
        ({"swaps": 2**31, "limit": 10}, "2147483648 swaps, wanted 1 to 4: no puzzle starts solved"),
        ({"seed": -1}, "seed -1"),
    ):
        with pytest.raises(ValueError, match=reason):
            MyPhoton.generate(7, 7, **named)
    with pytest.raises(ValueError, match="a board of height 0 and width 7"):
        MyPhoton.generate(0, 7)
    with pytest.raises(ValueError, match="height -3"):
        MyPhoton.generate(-3, 7)
    with pytest.raises(gw.SearchLimitError, match="no such puzzle among"):
        MyPhoton.generate(4, 4, sensors=7, seed=1)
    with pytest.raises(gw.SearchLimitError):
        MyPhoton.generate(9, 9, unique=True, swaps=4, seed=1, limit=3)


def test_the_codes_are_the_engines():
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
    assert len(set(frames)) > heads / 2, "a head that is blocked lays nothing, the others do"
    assert frames[-1] == game.svg() == game.svg(heads=heads + 1)
    assert frames[0] == game.svg(heads=-1)
    assert "●" in str(game)
    assert "○" in str(game)
    for name in MyPhoton.levels():
        ET.fromstring(MyPhoton.level(name).svg())
        assert len({len(line) for line in str(MyPhoton.level(name)).splitlines()}) == 1, name


def test_limits_beyond_all_bounds_are_refused():
    game = MyPhoton.level("cycle")
    for limits in ({"limit": -1}, {"limit": 10**30}, {"nodes": -1}, {"nodes": 10**30}):
        with pytest.raises(ValueError, match="wanted a whole number from 0"):
            game.count_solutions(**limits)
    assert game.count_solutions(None) == game.count_solutions(2**64 - 1)


def test_puzzles_with_one_solution_have_one_where_light_runs_in_circles():
    for seed in (53, 96):
        game = MyPhoton.generate(6, 6, sensors=3, splitters=2, unique=True, seed=seed)
        assert game.count_solutions() == 1
