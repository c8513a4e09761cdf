"""Tests of GeeseSpotter through the public API: the functions of the source document, the game and the console."""

from __future__ import annotations

import io
import itertools
import os
import pickle
import re
import subprocess
import sys
from math import comb

import gridwright as gw
import numpy as np
import pytest
from conftest import IN_TAB, level, skip_without
from gridwright import GeeseSpotter, geese, geese_console
from gridwright.__main__ import main
from gridwright.draw import LIGHT
from hypothesis import given, settings
from hypothesis import strategies as st

SEED = 20267


def slow_count(board: np.ndarray) -> np.ndarray:
    """Returns the board that ``compute_neighbours`` should produce, computed with numpy by shifting a padded board."""
    padded = np.pad(board == 9, 1).astype(int)
    height, width = board.shape
    shifts = itertools.product(range(3), range(3))
    sums = sum(padded[r : r + height, c : c + width] for r, c in shifts if (r, c) != (1, 1))
    return np.where(board == 9, 9, sums).astype(np.uint8)


# Functions of the source document


def test_the_constants_equal_those_of_the_source_document():
    assert (geese.marked_bit(), geese.hidden_bit(), geese.value_mask()) == (0x10, 0x20, 0x0F)
    assert (geese.x_dim_max(), geese.y_dim_max()) == (60, 20)


def test_a_board_is_a_contiguous_array_of_bytes_in_row_major_order():
    board = geese.create_board(3, 2)
    assert board.shape == (2, 3)
    assert board.dtype == np.uint8
    assert board.flags.c_contiguous
    assert not board.any()
    assert board.ravel().base is not None
    board[0, 2] = 9
    assert board.ravel().tolist() == [0, 0, 9, 0, 0, 0]
    assert geese.clean_board(board) is None
    assert not board.any()
    for x_dim, y_dim, message in [
        (0, 5, "x_dim must"),
        (5, 0, "y_dim must"),
        (-1, 3, "x_dim must"),
        (2**62, 2**62, "x_dim"),
    ]:
        with pytest.raises(ValueError, match=message):
            geese.create_board(x_dim, y_dim)
    if not IN_TAB:  # a browser's Python has 32-bit addresses, so there y_dim itself is out of bounds
        with pytest.raises(MemoryError, match="a board of 1099511627776 x 65536"):
            geese.create_board(2**16, 2**40)
    with pytest.raises(TypeError, match=r"x_dim must be an integer, got 2\.5"):
        geese.create_board(2.5, 3)


def test_the_worked_example_of_the_source_document_is_reproduced(capsys):
    board = geese.create_board(4, 4)
    board[0, 2] = board[2, 1] = 9
    geese.compute_neighbours(board)
    assert board.tolist() == [[0, 1, 9, 1], [1, 2, 2, 1], [1, 9, 1, 0], [1, 1, 1, 0]]
    geese.hide_board(board)
    assert (board & 0x30 == 0x20).all()
    assert geese.reveal(board, 0, 0) == 0
    assert geese.reveal(board, (1, 2)) == 0
    assert geese.mark(board, 2, 1) == 0
    assert board[2, 1] == 0x39
    assert geese.reveal(board, 2, 1) == 1
    assert geese.mark(board, (0, 0)) == 2
    assert geese.reveal(board, 0, 1) == 2
    assert not geese.is_game_won(board)
    assert geese.reveal(board, 0, 2) == 9
    assert geese.print_board(board) is None
    assert capsys.readouterr().out == "019*\n122*\n*M**\n****\n"
    assert geese.mark(board, 2, 1) == 0
    assert board[2, 1] == 0x29


def test_revealing_a_zero_reveals_its_neighbors_but_not_their_neighbors(capsys):
    board = level(GeeseSpotter, "section72").secret
    assert geese.reveal(board, 3, 2) == 0
    geese.print_board(board)
    assert capsys.readouterr().out.splitlines() == ["******", "******", "*210**", "*100**", "*101**", "******"]
    assert geese.mark(board, 1, 3) == 0
    assert geese.reveal(board, 2, 3) == 2
    assert board[1, 3] & 0x30 == 0x30, "a marked neighbor must stay hidden and marked"
    assert board[1, 2] & 0x30 == 0
    assert board[0, 3] & 0x20


@given(st.integers(1, 40), st.integers(1, 40), st.floats(0, 1), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_neighbor_counts_agree_with_numpy(height, width, share, seed):
    board = geese.create_board(width, height)
    geese.spread_geese(board, int(share * board.size), seed)
    assert int((board == 9).sum()) == int(share * board.size)
    expected = slow_count(board)
    geese.compute_neighbours(board)
    assert (board == expected).all()


def test_neighbor_counts_of_a_large_board_agree_with_numpy():
    board = geese.create_board(1000, 1000)
    geese.spread_geese(board, 200_000, SEED)
    expected = slow_count(board)
    geese.compute_neighbours(board)
    assert (board == expected).all()


def test_spread_geese_places_as_many_geese_as_requested():
    for count in range(13):
        board = geese.create_board(4, 3)
        geese.spread_geese(board, count, SEED)
        assert int((board == 9).sum()) == count
    with pytest.raises(
        ValueError, match=r"num_geese must be between 0 and 12, the number of fields that are 0, got 13"
    ):
        geese.spread_geese(geese.create_board(4, 3), 13)
    pair = [geese.create_board(9, 9) for _ in range(2)]
    for board in pair:
        geese.spread_geese(board, 20, 5)
    assert (pair[0] == pair[1]).all()


def test_a_board_is_won_once_every_field_without_a_goose_is_revealed():
    full = geese.create_board(5, 5)
    geese.spread_geese(full, 25)
    geese.hide_board(full)
    assert geese.is_game_won(full)
    board = np.array([[0x01, 0x29, 0x21]], dtype=np.uint8)
    assert not geese.is_game_won(board)
    assert geese.reveal(board, 0, 2) == 0
    assert geese.is_game_won(board)


BOARD_FUNCTIONS = [
    geese.clean_board,
    geese.hide_board,
    geese.compute_neighbours,
    geese.is_game_won,
    geese.print_board,
    lambda board: geese.mark(board, 0, 0),
    lambda board: geese.reveal(board, 0, 0),
    lambda board: geese.spread_geese(board, 1),
]


@pytest.mark.parametrize("function", BOARD_FUNCTIONS)
def test_errors_describe_invalid_boards(function):
    for board, message in [
        (np.zeros((2, 2), dtype=np.int64), "int64"),
        ([[0, 0]], "list"),
        (None, "got None"),
        ("00", "str"),
    ]:
        with pytest.raises(TypeError, match=message):
            function(board)
    for board, message in [
        (np.zeros(4, dtype=np.uint8), r"shape \(height, width\), both at least 1, got \(4,\)$"),
        (np.zeros((0, 3), dtype=np.uint8), r"shape \(height, width\), both at least 1, got \(0, 3\)$"),
        (np.zeros((4, 4), dtype=np.uint8)[:, ::2], "C-contiguous"),
        (np.zeros((4, 3), dtype=np.uint8, order="F"), "C-contiguous"),
        (np.full((2, 2), 0x40, dtype=np.uint8), r"0x40 at \(0, 0\)"),
        (np.array([[0, 0], [0, 0x0A]], dtype=np.uint8), r"0x0a at \(1, 1\)"),
    ]:
        before = board.copy()
        with pytest.raises(ValueError, match=message):
            function(board)
        assert (board == before).all()


def test_functions_that_write_refuse_read_only_boards():
    board = np.zeros((2, 2), dtype=np.uint8)
    board.flags.writeable = False
    for function in BOARD_FUNCTIONS:
        if function in (geese.is_game_won, geese.print_board):
            function(board)
            continue
        with pytest.raises(ValueError, match="read-only"):
            function(board)
    with pytest.raises(ValueError, match="read-only"):
        geese.clean_board(board)


def test_compute_neighbours_refuses_hidden_fields():
    board = np.array([[0, 0x29]], dtype=np.uint8)
    with pytest.raises(ValueError, match=r"board must be revealed and unmarked .* got 0x29 at \(0, 1\)"):
        geese.compute_neighbours(board)


@pytest.mark.parametrize("cell", [(2, 0), (0, 2), (-1, 0), (10**30, 0), (0, "x"), (0.5, 0)])
def test_invalid_cells_are_refused(cell):
    board = geese.create_board(2, 2)
    for function in (geese.mark, geese.reveal):
        with pytest.raises(gw.MoveError):
            function(board, *cell)
        with pytest.raises(gw.MoveError):
            function(board, cell)
    assert not board.any()


def test_many_boards_are_valid_and_the_same_on_any_number_of_threads():
    made = geese.boards(300, 7, 9, 12, seed=SEED)
    assert made.shape == (300, 7, 9)
    assert (made & 0x30 == 0x20).all()
    for board in made & geese.value_mask():
        assert (board == slow_count(board)).all()
        assert int((board == 9).sum()) == 12
    assert (geese.boards(300, 7, 9, 12, seed=SEED, threads=3) == made).all()
    out = np.zeros_like(made)
    assert geese.boards(300, 7, 9, 12, seed=SEED, out=out) is out
    assert (out == made).all()
    corner = geese.boards(500, 4, 4, 12, safe=(0, 0), seed=SEED)
    assert (corner[:, 0, 0] == 0x20).all()
    with pytest.raises(
        ValueError, match="geese must be between 0 and 12, since the safe field and its neighbors stay free, got 13"
    ):
        geese.boards(1, 4, 4, 13, safe=(0, 0))
    with pytest.raises(ValueError, match=r"out must have shape \(2, 7, 9\), got \(2, 9, 7\)"):
        geese.boards(2, 7, 9, 12, out=np.zeros((2, 9, 7), dtype=np.uint8))
    with pytest.raises(MemoryError, match="boards of 7 x 9"):
        geese.boards(2**30 if IN_TAB else 2**50, 7, 9, 12)
    with pytest.raises(TypeError, match="int64"):
        geese.boards(1, 7, 9, 12, out=np.zeros((1, 7, 9), dtype=np.int64))


# The game


def test_show_and_mark_return_the_codes_of_the_source_document():
    game = level(GeeseSpotter, "section41")
    assert game.show((0, 0)) == geese.Code.DONE
    assert game.show((0, 1)) == game.mark((0, 0)) == geese.Code.REVEALED
    assert game.mark((2, 1)) == geese.Code.DONE
    assert game.show((2, 1)) == geese.Code.MARKED
    assert len(game.moves) == 2, "an action that changes nothing must not be recorded as a move"
    assert game.show((0, 2)) == geese.Code.GOOSE
    assert game.status == gw.Status.LOST
    with pytest.raises(gw.IllegalMoveError, match=r"the game is over \(lost\)"):
        game.show((3, 3))
    assert game.undo()
    assert (game.status, game.lives) == (gw.Status.OPEN, 1)
    for bad in [(4, 0), (0, -1), "00", 3, (0, 0, 0), (10**30, 0)]:
        with pytest.raises(gw.MoveError):
            game.show(bad)


def test_play_raises_for_an_action_that_would_change_nothing():
    game = level(GeeseSpotter, "marked")
    for move, reason in [
        ((0, 2, 1), "marked"),
        ((0, 0, 1), "already revealed"),
        ((1, 0, 0), "already revealed"),
        ((0, 0, 0), "no hidden, unmarked neighbor"),
    ]:
        before = game.text
        with pytest.raises(gw.IllegalMoveError, match=reason):
            game.play(*move)
        assert game.text == before


def test_showing_a_revealed_zero_shows_its_hidden_neighbors():
    game = level(GeeseSpotter, "section42")
    assert game.show((0, 0)) == 0
    assert game.show((0, 4)) == 0
    assert game.show((4, 1)) == 0
    assert game.show((4, 2)) == 2, "the code must be REVEALED although the neighbors are shown"
    assert str(game).splitlines() == ["00**1", "11***", "*****", "1110*", "0000*"]
    assert game.undo()
    assert str(game).splitlines()[3:] == ["111**", "000**"]


def test_a_board_full_of_geese_is_won_by_the_first_action():
    game = level(GeeseSpotter, "only_geese")
    assert game.status == gw.Status.OPEN
    assert game.hint() is None
    assert game.mark((0, 0)) == 0
    assert game.is_solved


def test_board_and_view_contain_only_what_a_player_may_know():
    game = level(GeeseSpotter, "marked")
    assert game.view.dtype == np.dtype("U1")
    assert game.view.tolist()[2] == ["*", "M", "*", "*"]
    assert int((game.view == "*").sum()) == int((game.view == "M").sum()) + 7
    assert game.board[2].tolist() == [0x20, 0x30, 0x20, 0x20]
    assert game.secret[2].tolist() == [0x21, 0x39, 0x21, 0x20]
    assert (game.hidden == (game.view == "*") | (game.view == "M")).all()
    lost = game.copy()
    lost.show((0, 2))
    assert lost.view[0, 2] == "9"
    assert lost.board[2].tolist() == [0x20, 0x30, 0x20, 0x20], "values must stay hidden after the end"


def seen(game: GeeseSpotter) -> tuple:
    """Returns the results of the public members of a game that must not depend on hidden values."""
    hint = game.hint()
    explanations = [game.explain(), *(game.explain(cell) for cell in np.ndindex(game.shape))]
    parts = [
        (found.rule, found.sentence, {k: v.tolist() for k, v in found.cells.items()}, found.moves.tolist())
        for found in explanations
    ]
    answer = game.solve()
    return (
        game.board.tolist(),
        game.view.tolist(),
        game.legal_moves().tolist(),
        game.legal_mask().tolist(),
        game.probabilities().tolist(),
        hint,
        game.hint(policy="safest"),
        game.hint(policy="progress"),
        parts,
        [repr(found) for found in explanations],
        [found.svg() for found in explanations[:2]],
        answer if answer is None else answer.tolist(),
        repr(game),
        str(game),
        game.svg(),
        game.svg(chances=True),
        game.status,
        game.geese,
    )


def test_hidden_values_do_not_leak():
    """For two different boards that look the same to the player, ``seen`` must return equal results."""
    rng = np.random.default_rng(SEED)
    pairs = 0
    for height, width, count in [(2, 3, 2), (3, 3, 2), (3, 3, 3), (1, 6, 2)]:
        groups: dict[str, list[GeeseSpotter]] = {}
        cells = list(np.ndindex(height, width))
        for chosen in itertools.combinations(range(height * width), count):
            board = geese.create_board(width, height)
            board.ravel()[list(chosen)] = 9
            geese.compute_neighbours(board)
            geese.hide_board(board)
            rows = "\n".join(" ".join(f"{field:02x}" for field in row) for row in board)
            for moves in ([(0, 0)], [(0, width - 1), (height - 1, 0)]):
                game = GeeseSpotter(f"{height} {width} {count}\n{rows}")
                for cell in moves:
                    if game.secret[cell] & 15 != 9 and game.status == gw.Status.OPEN:
                        game.show(cell)
                if game.status == gw.Status.OPEN:
                    game.mark(cells[-1])
                groups.setdefault(f"{moves} {game.board.tolist()}", []).append(game)
        for group in groups.values():
            if len(group) > 1:
                first, second = (group[k] for k in rng.choice(len(group), 2, replace=False))
                assert first != second
                assert seen(first) == seen(second)
                pairs += 1
    assert pairs > 20


def test_generated_boards_have_the_requested_geese_and_safe_field():
    game = GeeseSpotter.generate(16, 30, 99, safe=(3, 3), seed=SEED)
    assert game.shape == (16, 30)
    assert (game.geese, game.flood, game.status) == (99, False, gw.Status.OPEN)
    assert game.show((3, 3)) == 0
    assert game.secret[2:5, 2:5].tolist() == (slow_count(np.where(game.secret & 15 == 9, 9, 0))[2:5, 2:5]).tolist()
    assert game.board[3, 3] == 0
    assert GeeseSpotter.generate(5, 5, 5, seed=1) == GeeseSpotter.generate(5, 5, 5, seed=1)
    assert GeeseSpotter.generate(5, 5, 5, seed=1) != GeeseSpotter.generate(5, 5, 5, seed=2)
    assert GeeseSpotter.generate(5, 5, 5, flood=True, seed=1).text.startswith("5 5 5 flood\n")
    with pytest.raises(ValueError, match="geese must be between 0 and 25, got 26"):
        GeeseSpotter.generate(5, 5, 26)
    with pytest.raises(ValueError, match=r"geese must be between 0 and 16, since .* got 17"):
        GeeseSpotter.generate(5, 5, 17, safe=(2, 2))
    with pytest.raises(gw.MoveError, match=r"safe must be a cell of the 5 x 5 board, got \(5, 0\)"):
        GeeseSpotter.generate(5, 5, 5, safe=(5, 0))
    with pytest.raises(ValueError, match="height must be between 1 and"):
        GeeseSpotter.generate(0, 5, 0)


class Mine(GeeseSpotter):
    pass


def test_generate_copy_and_pickle_preserve_a_subclass():
    made = Mine.generate(4, 4, 2, seed=1)
    assert type(made) is Mine
    assert type(made.copy()) is type(pickle.loads(pickle.dumps(made))) is Mine


def test_boards_that_need_no_guess_are_won_by_safe_shows_alone():
    for seed in range(4):
        game = GeeseSpotter.generate(9, 9, 12, safe=(4, 4), no_guess=True, seed=seed)
        assert game.needs_no_guess((4, 4))
        assert game.show((4, 4)) == 0
        while game.status == gw.Status.OPEN:
            free = np.argwhere((game.probabilities() == 0) & game.hidden)
            assert len(free)
            assert game.show(free[0]) == 0
        assert game.is_solved
    with pytest.raises(gw.SearchLimitError, match="after 30 boards without one that is proved to need no guess"):
        GeeseSpotter.generate(6, 6, 25, safe=(0, 0), no_guess=True, seed=1, limit=30)


def test_copies_and_pickles_keep_the_number_of_lives():
    game = level(GeeseSpotter, "section41")
    for _ in range(3):
        game.show((0, 2))
        game.undo()
    game.show((0, 0))
    for other in (game.copy(), pickle.loads(pickle.dumps(game))):
        assert (other.lives, other.moves.tolist(), other) == (3, game.moves.tolist(), game)
    game.undo()
    game.show((0, 2))
    game.undo()
    assert pickle.loads(pickle.dumps(game)).lives == 4
    assert GeeseSpotter(game.text).lives == 0


def test_with_flood_no_neighbor_of_a_revealed_zero_stays_hidden():
    game = level(GeeseSpotter, "section72_flood")
    assert game.flood
    game.show((3, 2))
    assert int(game.hidden.sum()) < 16
    zeros = np.argwhere(game.board == 0)
    for row, col in zeros:
        assert not game.hidden[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2].any()
    assert game.min_shows == game.three_bv


@pytest.mark.parametrize(
    ("board", "shown", "cell"),
    [("1 3 2\n21 29 29", (0, 2), (0, 0)), ("2 4 3\n09 21 02 29\n01 21 22 29\n", None, (0, 3))],
)
def test_an_explanation_of_a_field_in_a_lost_game_advises_no_show(board, shown, cell):
    game = GeeseSpotter(board)
    if shown is not None:
        game.show(shown)
    assert game.status == gw.Status.LOST
    words = str(game.explain(cell))
    assert words.startswith(f"({cell[0]}, {cell[1]}) is not certain: a goose with a chance of ")
    assert not any(word in words for word in ("Show", "best guess"))


def test_openings_three_bv_and_min_shows_of_known_boards_are_correct():
    game = GeeseSpotter("4 4 2\n20 21 29 21\n21 22 22 21\n21 29 21 20\n21 21 21 20")
    # The 3BV counts the two openings and the four numbers next to no opening: (0, 3), (2, 0), (3, 0) and (3, 1).
    assert (game.openings, game.three_bv) == (2, 6)
    assert game.min_shows == 6
    empty = GeeseSpotter.generate(4, 4, 0)
    assert (empty.three_bv, empty.min_shows) == (1, 4)


# Probabilities, hints and explanations


def by_enumeration(game: GeeseSpotter) -> np.ndarray:
    """Returns the probability of a goose in each field, found by trying every placement on the hidden fields."""
    board, (height, width) = game.board, game.shape
    hidden = [cell for cell in np.ndindex(height, width) if board[cell] & 0x20]
    total, counts = 0, np.zeros(game.shape)
    for chosen in itertools.combinations(hidden, game.geese):
        trial = np.zeros(game.shape, dtype=np.uint8)
        for cell in chosen:
            trial[cell] = 9
        values = slow_count(trial)
        if (values[~game.hidden] == board[~game.hidden]).all():
            total += 1
            counts += trial == 9
    return counts / total


def test_probabilities_agree_with_enumeration():
    rng = np.random.default_rng(SEED)
    for _ in range(60):
        height, width = rng.integers(2, 5, 2)
        count = int(rng.integers(1, 5))
        game = GeeseSpotter.generate(height, width, min(count, height * width - 1), seed=int(rng.integers(2**32)))
        for _ in range(rng.integers(1, 5)):
            cell = (int(rng.integers(height)), int(rng.integers(width)))
            if game.status == gw.Status.OPEN and game.secret[cell] & 15 != 9:
                game.show(cell)
        found = game.probabilities()
        assert found.shape == game.shape
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, by_enumeration(game), rtol=0, atol=1e-12, err_msg=game.text)
        assert abs(found.sum() - game.geese) < 1e-10
        marked = game.copy()
        for row, col in np.argwhere(game.hidden)[:3]:
            if game.status == gw.Status.OPEN:
                marked.mark((row, col))
        assert (marked.probabilities() == found).all(), "marks must not change the probabilities"


def test_probabilities_of_a_long_chain_on_a_sparse_board_are_exact():
    # At the top, every other field of a chain of 2 x 89 hidden fields holds a goose; only the choice with the fewest
    # geese agrees with the number of geese. Given this choice, (2, 1) needs one more goose, at (1, 0) or (3, 0), and
    # (4, 0) needs one at (3, 0), (5, 0) or (5, 1). The weights of the impossible choices are larger by a factor of more
    # than 10^300.
    side, links, rest = 400, 89, 5
    geese_at, others = [], []
    numbers = [(2, 1), (4, 0)]
    for col in range(2, 4 * links + 2, 4):
        geese_at.append((2, col))
        others += [(2, col + 2), (0, col), (4, col)]
        numbers += [(2, col + 1), (1, col), (3, col)]
    numbers += [(2, col + 3) for col in range(2, 4 * links - 2, 4)]
    board = np.full((side, side), 0x20, np.uint8)
    board[:8, : 4 * links + 4] = 9
    for cell in [*geese_at, *others, (1, 0), (3, 0), (5, 0), (5, 1)]:
        board[cell] = 0x20
    secret = board == 9
    for cell in [*geese_at, (3, 0)]:
        secret[cell] = True
    for cell in numbers:
        secret[cell] = False
    counted = slow_count(np.where(secret, 9, 0))
    for cell in numbers:
        board[cell] = counted[cell]
    free = int((board == 0x20).sum()) - len(geese_at) - len(others) - 4
    found = geese.probabilities(board, int(secret.sum()) + rest)
    # The goose is at (1, 0), and one of the two fields at (5, 0) and (5, 1) holds another; or it is at (3, 0).
    with_two, with_one = 2 * comb(free, rest - 1), comb(free, rest)
    assert found[1, 0] == pytest.approx(with_two / (with_two + with_one), rel=1e-9)


def test_probabilities_of_an_array_ignore_hidden_values_and_errors_name_impossible_numbers():
    board = np.array([[0x20, 1, 0x20, 0x20, 0x20]], dtype=np.uint8)
    assert geese.probabilities(board, 2).tolist() == [[0.5, 0, 0.5, 0.5, 0.5]]
    board |= np.array([[0, 0, 0x19, 0, 0]], dtype=np.uint8)
    assert geese.probabilities(board, 2).tolist() == [[0.5, 0, 0.5, 0.5, 0.5]], "hidden values must not be read"
    with pytest.raises(
        ValueError, match=r"got the number 3 at \(0, 1\), which no placement of 1 goose explains"
    ) as error:
        geese.probabilities(np.array([[0x20, 3, 0x20]], dtype=np.uint8), 1)
    assert not isinstance(error.value, gw.LevelError), "an array has no line and column to report"
    with pytest.raises(ValueError, match=r"got the number 0 at \(0, 0\)"):
        geese.probabilities(np.array([[0, 0x20]], dtype=np.uint8), 1)
    with pytest.raises(ValueError, match="geese must be between 0 and 2, got 3"):
        geese.probabilities(np.array([[0x20, 0x20]], dtype=np.uint8), 3)
    with pytest.raises(TypeError, match="float64"):
        geese.probabilities(np.zeros((2, 2)), 1)


def test_probabilities_of_entangled_boards_raise_search_limit_error():
    rng = np.random.default_rng(SEED)
    board = np.where(rng.random((150, 150)) < 0.3, 9, 0).astype(np.uint8)
    count = int((board == 9).sum())
    board = slow_count(board)
    board[(board == 9) | ((np.add.outer(np.arange(150), np.arange(150)) % 2) == 0)] = 0x20
    with pytest.raises(gw.SearchLimitError, match="too entangled"):
        geese.probabilities(board, count)
    with pytest.raises(gw.SearchLimitError, match="limit reached after 100 states"):
        geese.probabilities(board, count, limit=100)


def marked_at_random(rng, side, geese_count, first, seed, share):
    """Returns a generated game in which the field ``first`` is shown and about a share of the others is marked."""
    game = GeeseSpotter.generate(side, side, geese_count, safe=first, seed=seed)
    game.show(first)
    for cell in np.argwhere(game.hidden):
        if game.status == gw.Status.OPEN and rng.random() < share:
            game.mark(cell)
    return game


def test_a_hint_returns_a_marked_field_only_if_no_unmarked_field_is_as_safe():
    game = GeeseSpotter("4 3 1 flood\n20 20 30\n20 31 21\n30 01 29\n00 01 21\n")
    # Numbers alone prove that (2, 0), which is marked, is safe; exact chances prove more.
    assert game.hint() == (0, 0)
    rng, guesses = np.random.default_rng(SEED), 0
    for seed in range(60):
        game = marked_at_random(rng, 5, 8, (2, 2), seed, 0.6)
        if game.status != gw.Status.OPEN:
            continue
        best, chances = game.hint(), game.probabilities()
        unmarked = game.hidden & (game.board != geese.Field.MARKED)
        guesses += chances[best] > 0
        if not unmarked[best]:
            assert not (chances[unmarked] <= chances[best] + 1e-12).any(), game.text
    assert guesses > 5


def test_a_guess_is_the_same_field_in_hints_and_explanations():
    game = GeeseSpotter("1 8 2\n20 21 39 21 20 20 21 29")
    assert game.hint() == (0, 0)
    assert "(0, 0) is the best guess" in game.explain((0, 0)).sentence
    assert "Show (0, 0) instead" in game.explain((0, 1)).sentence
    rng, guesses = np.random.default_rng(SEED), 0
    for seed in range(150):
        game = marked_at_random(rng, 4, 5, (0, 0), seed, 0.5)
        step = game.explain()
        if game.status == gw.Status.OPEN and step.rule == "guess":
            guesses += 1
            assert step.cells["so"].tolist() == [list(game.hint())], game.text
            controls = game.controls()
            controls.hint()
            assert str(game.hint()) in controls.message, game.text
    assert guesses > 5


def test_hints_show_safe_fields_first_and_usually_win():
    won = 0
    for seed in range(30):
        game = GeeseSpotter.generate(9, 9, 10, safe=(4, 4), seed=seed)
        game.show((4, 4))
        while game.status == gw.Status.OPEN:
            row, col = game.hint()
            assert game.is_legal(0, row, col)
            chances = game.probabilities()
            if (chances[game.hidden] == 0).any():
                assert chances[row, col] == 0
            game.show((row, col))
        assert game.hint() is None
        won += game.is_solved
    assert won >= 24


def test_solve_lists_safe_shows_and_play_on_finishes_the_game():
    game = GeeseSpotter.level("beginner")
    before = pickle.dumps(game)
    moves = game.solve()
    assert pickle.dumps(game) == before, "solve must not change the game"
    for move in moves.tolist():
        assert game.probabilities()[tuple(move[1:])] == 0
        game.play(*move)
    game.reset()
    moves = game.play_on()
    assert game.is_solved
    assert (game.moves == moves).all()
    assert len(game.play_on()) == len(game.solve()) == 0
    stuck = level(GeeseSpotter, "fifty_fifty")
    assert stuck.solve() is None, "None means that no hidden field is certain to be safe"
    assert len(stuck.play_on(guess=False)) == 0
    assert len(stuck.play_on()) >= 1
    assert stuck.status != gw.Status.OPEN
    with pytest.raises(ValueError, match="policy must be 'safest', 'progress', 'lookahead' or 'deep', got 'best'"):
        game.play_on(policy="best")
    lost = level(GeeseSpotter, "section41")
    lost.show((0, 2))
    assert lost.solve() is None


def test_play_on_unmarks_marked_fields_before_it_shows_them():
    game = GeeseSpotter.level("beginner")
    for row, col in np.argwhere(game.hidden):
        game.mark((row, col))
    moves = game.play_on(guess=False)
    assert game.is_solved
    assert (moves[:, 0] == 1).sum() == (moves[:, 0] == 0).sum()


EXPLAINED = "4 6 2\n00 00 00 00 00 00\n01 01 01 00 00 00\n21 29 21 01 01 01\n21 21 21 21 29 21"


def test_explanations_of_fields_have_a_rule_cells_and_moves():
    game = GeeseSpotter(EXPLAINED)
    found = game.explain((2, 1))
    assert found.rule == "count"
    assert found.moves.tolist() == [[1, 2, 1]]
    assert found.cells["so"].tolist() == [[2, 1]]
    assert "holds a goose" in str(found)
    assert [2, 1] not in found.cells["because"].tolist()
    assert {int(game.board[row, col]) for row, col in found.cells["because"].tolist()} <= {0, 1, geese.hidden_bit()}
    game.mark((2, 1))
    assert game.explain((2, 1)).moves.tolist() == [], "no move is left for a goose that is already marked"
    game.mark((2, 0))
    assert game.explain((2, 0)).moves.tolist() == [[1, 2, 0], [0, 2, 0]], "the wrong mark must be removed first"
    assert game.explain((0, 0)).sentence == "(0, 0) is revealed: it is the 0 at (0, 0)."
    assert "<img" in found._repr_mimebundle_()["text/html"]
    assert found.svg() != game.svg()
    guess = level(GeeseSpotter, "fifty_fifty")
    best = guess.hint()
    assert guess.explain(best).rule == guess.explain().rule == "guess"
    assert "50.0%" in guess.explain(best).sentence
    assert "50.0%" in guess.explain().sentence
    assert guess.explain().moves.shape == (0, 3)
    other = next(tuple(cell) for cell in np.argwhere(guess.hidden).tolist() if tuple(cell) != best)
    assert f"Show ({best[0]}, {best[1]}) instead" in guess.explain(other).sentence
    with pytest.raises(gw.MoveError):
        game.explain((9, 9))


SENTENCES = [
    # The move is to show the revealed zero again, which shows its hidden neighbors.
    ("2 2 0\n00 20\n20 20", "count", "The 0 at (0, 0) has no goose around it: (0, 1), (1, 0) and (1, 1) are safe."),
    (
        "1 4 1\n20 01 29 01",
        "count",
        "The 1 at (0, 3) needs a goose in every hidden field around it: (0, 2) holds a goose.",
    ),
    ("1 4 1\n20 01 39 01", "count", "The 1 at (0, 1) has its goose: (0, 0) is safe."),
    (
        "2 3 2\n29 22 29\n01 02 01",
        "subset",
        "Compare the 1 at (1, 0) with the 2 at (1, 1): (0, 2) holds a goose.",
    ),
    ("1 3 0\n20 20 20", "remaining", "All geese are found: (0, 0), (0, 1) and (0, 2) are safe."),
    ("1 2 2\n29 29", "remaining", "The remaining geese fill the hidden fields: (0, 0) and (0, 1) hold geese."),
    (
        "1 6 1\n29 01 20 20 20 20",
        "remaining",
        "The 1 at (0, 1) needs all remaining geese: (0, 3), (0, 4) and (0, 5) are safe.",
    ),
]


@pytest.mark.parametrize(("text", "rule", "sentence"), SENTENCES)
def test_explanations_by_count_subset_and_remaining_have_the_expected_sentence(text, rule, sentence):
    found = GeeseSpotter(text).explain()
    assert (found.rule, found.sentence) == (rule, sentence)
    assert len(found.cells["so"])
    assert len(found.moves)


def test_the_rule_count_leaves_out_the_fields_that_are_known_to_be_safe():
    found = GeeseSpotter("1 5 1\n29 01 20 00 00").explain((0, 0))
    assert found.sentence == (
        "The 0 at (0, 3) has no goose around it: (0, 2) is safe. "
        "The 1 at (0, 1) needs a goose in every other hidden field around it: (0, 0) holds a goose."
    )
    assert found.cells["because"].tolist() == [[0, 3], [0, 2], [0, 1]]
    needs = re.compile(r"at \((\d), (\d)\) needs a goose in every (other )?hidden field around it")
    others = set()
    for seed in range(200):
        game = GeeseSpotter.generate(3, 4, 3, safe=(0, 0), seed=seed)
        game.show((0, 0))
        hidden, geese_at = game.hidden, game.secret & 15 == geese.Field.GOOSE
        for cell in np.argwhere(hidden).tolist():
            for row, col, other in needs.findall(str(game.explain(cell))):
                near = np.s_[max(0, int(row) - 1) : int(row) + 2, max(0, int(col) - 1) : int(col) + 2]
                assert (geese_at[near] == hidden[near]).all() == (other == ""), (seed, cell)
                others.add(other)
    assert others == {"", "other "}


def test_the_rule_subset_names_the_marked_geese_on_which_it_relies():
    found = 0
    for seed in range(60):
        game = GeeseSpotter.generate(7, 8, 14, safe=(0, 0), seed=seed)
        game.show((0, 0))
        draw = np.random.default_rng(seed)
        while len((said := game.explain()).moves):
            because = [tuple(cell) for cell in said.cells["because"].tolist()]
            numbers = [cell for cell in because if not game.hidden[cell]]
            known = set(because) - set(numbers)
            assert all(game.board[cell] & geese.Field.MARKED and game.secret[cell] & 15 == 9 for cell in known)
            if said.rule == "subset":
                found += bool(known)
                assert 0 < len(numbers) == 2
                sets = [{cell for cell in game._around(*at) if game.hidden[cell]} - known for at in numbers]
                needs = [
                    int(game.board[at]) - sum(cell in known or game.board[cell] == 9 for cell in game._around(*at))
                    for at in numbers
                ]
                # All ways to place the geese that the two numbers still need agree on the fields that are decided.
                fields = sorted(sets[0] | sets[1])
                ways = [
                    way
                    for way in itertools.product((0, 1), repeat=len(fields))
                    if [sum(way[fields.index(cell)] for cell in each) for each in sets] == needs
                ]
                assert ways
                for cell in map(tuple, said.cells["so"].tolist()):
                    assert len({way[fields.index(cell)] for way in ways}) == 1, (seed, cell)
            for move in said.moves.tolist():
                if game.status == gw.Status.OPEN:
                    game.play(*move)
            hidden = np.argwhere(game.hidden)
            if game.status == gw.Status.OPEN and len(hidden) and draw.random() < 0.2:
                game.mark(tuple(hidden[draw.integers(len(hidden))]))  # a mark that may be wrong
    assert found > 10


def test_a_guess_is_explained_though_a_goose_is_certain():
    game = GeeseSpotter("1 6 2\n21 29 22 29 01 00")
    sentence = "No field is certainly safe. (0, 0) is the best guess: a goose with a chance of 33.3%."
    assert game.explain((0, 0)).sentence == sentence
    # The goose at (0, 7) is marked already.
    game = GeeseSpotter("1 10 2\n20 20 20 20 31 29 22 39 01 00")
    assert game.explain((0, 7)).rule == "count"
    assert game.explain().sentence.startswith("No field is certainly safe. The best guess is (0, 0): ")


def test_playing_the_explanations_wins_unless_the_grade_is_5():
    """Playing the moves of each explanation in turn wins the game unless it needs a guess, which means grade 5."""
    grades = set()
    for seed in range(40):
        game = GeeseSpotter.generate(8, 8, 10, safe=(0, 0), seed=seed)
        game.show((0, 0))
        difficulty = game.difficulty()
        grades.add(difficulty.grade)
        rules = set()
        while True:
            found = game.explain()
            if not len(found.moves):
                break
            rules.add(found.rule)
            assert found.game == game
            for move in found.moves.tolist():
                game.play(*move)
        assert game.is_solved == (difficulty.grade < 5), seed
        assert found.sentence.startswith("The game is over (won)." if game.is_solved else "No field is certainly safe.")
        if difficulty.grade < 5:
            assert rules == set(difficulty.rules), seed
    assert len(grades) >= 4


def test_difficulty_counts_the_first_show():
    first = GeeseSpotter.generate(9, 9, 10, safe=(4, 4), seed=3)
    shown = first.copy()
    shown.show((4, 4))
    graded = first.difficulty(first=(4, 4))
    assert graded.grade == shown.difficulty().grade
    assert graded.measures["shows"] == shown.difficulty().measures["shows"] + 1
    assert len(first.moves) == 0
    corner = GeeseSpotter("1 2 1\n29 21")
    assert corner.difficulty().rules == {"remaining": 1, "guess": 1}, "the first show hits the only goose"
    assert corner.difficulty(first=(0, 1)).grade == 1
    assert level(GeeseSpotter, "fifty_fifty").difficulty().grade == 5
    with pytest.raises(gw.MoveError, match="first must be a cell"):
        first.difficulty(first=(9, 0))


@pytest.mark.parametrize("grade", range(1, 6))
def test_generated_boards_have_the_requested_difficulty(grade):
    name = gw.insight.GRADES[grade - 1]
    for seed in range(100):
        game = GeeseSpotter.generate(9, 9, 10, difficulty=grade, seed=seed)
        assert game.difficulty().grade == grade
        assert (game.geese, game.status) == (10, gw.Status.OPEN)
        if seed < 5:
            assert game == GeeseSpotter.generate(9, 9, 10, difficulty=name, seed=seed)
            assert len(game.moves) == 0
            assert game.board[0, 0] == 0


def test_invalid_difficulties_are_refused():
    for difficulty in (0, 6, "extreme"):
        with pytest.raises(ValueError, match="difficulty must be"):
            GeeseSpotter.generate(9, 9, 10, difficulty=difficulty)
    with pytest.raises(TypeError, match="difficulty must be"):
        GeeseSpotter.generate(9, 9, 10, difficulty=2.5)
    with pytest.raises(ValueError, match="no_guess must be False for difficulty 5"):
        GeeseSpotter.generate(9, 9, 10, no_guess=True, difficulty=5)
    with pytest.raises(gw.SearchLimitError, match="limit reached after 20 boards without one of grade 5"):
        GeeseSpotter.generate(4, 4, 0, difficulty=5, limit=20)


def test_blank_boards_are_hidden_and_repr_states_size_geese_and_status():
    blank = GeeseSpotter.blank(3, 5)
    assert (blank.shape, blank.geese, blank.hidden.all()) == ((3, 5), 0, True)
    assert repr(blank) == "<GeeseSpotter 3x5, 0 geese, open>"
    game = level(GeeseSpotter, "section41")
    assert repr(game) == "<GeeseSpotter 4x4, 2 geese, open>"
    game.show((0, 2))
    assert repr(game) == "<GeeseSpotter 4x4, 2 geese, lost>"
    assert repr(level(Mine, "section41")).startswith("<Mine 4x4")
    with pytest.raises(ValueError, match="height must be between 1"):
        GeeseSpotter.blank(0, 5)


def test_packaged_levels_are_ordered_by_grade():
    listed = GeeseSpotter.level("beginner").controls().levels
    names = [level.name for level in listed]
    grades = [GeeseSpotter.level(name).difficulty().grade for name in names]
    assert grades == sorted(grades)
    assert [level.grade for level in listed] == [gw.insight.GRADES[grade - 1] for grade in grades]
    assert {name for name in GeeseSpotter.levels() if name.startswith("level")} <= set(names)
    assert all(grades.count(grade) >= 5 for grade in range(1, 6))
    for name in names:
        game = GeeseSpotter.level(name)
        graded = game.difficulty().grade
        while len(moves := game.explain().moves):
            for move in moves.tolist():
                game.play(*move)
        assert game.is_solved == (graded < 5), name


def test_play_many_returns_the_same_results_on_any_number_of_threads():
    won = geese.play_many(300, 9, 9, 10, seed=SEED, policy="progress")
    assert won.dtype == np.bool_
    assert won.shape == (300,)
    for threads in (3, 1000):
        assert (geese.play_many(300, 9, 9, 10, seed=SEED, policy="progress", threads=threads) == won).all()
    assert geese.play_many(300, 9, 9, 10, start="zero", first=(4, 4), seed=SEED).mean() > 0.85
    assert geese.play_many(50, 3, 3, 9, start="any").sum() == 0
    with pytest.raises(ValueError, match="start must be 'any', 'safe' or 'zero', got 'luck'"):
        geese.play_many(1, 9, 9, 10, start="luck")


# Pictures


def test_pictures_show_chances_and_the_geese_of_a_lost_game():
    game = level(GeeseSpotter, "marked")
    plain, heat = game.svg(), game.svg(chances=True)
    chances = game.probabilities()
    assert heat.count("<text") > plain.count("<text")
    assert f">{100 * chances[3, 0]:.0f}<" in heat
    lost = game.copy()
    lost.show((0, 2))
    assert "Lost" in lost.svg()
    # Each wing adds one subpath, which begins with M, to a path in the color of wings.
    wings = [path for path in re.findall(r"<path[^>]*>", lost.svg()) if LIGHT.goose_wing in path]
    assert sum(path.count("M") for path in wings) == 2, "the picture of a lost game must show both geese"
    assert LIGHT.goose_wing not in plain
    assert game.svg(theme="dark") != plain
    assert game.svg(axes=False) != plain


# The console

SECTION_42 = [
    ("Please enter the x dimension (max 60): ", "5"),
    ("Please enter the y dimension (max 20): ", "5"),
    ("Please enter the number of geese: ", "2"),
    ("Please enter the action ([S]how; [M]ark; [R]estart; [Q]uit): ", "S"),
    ("Please enter the x location: ", "0"),
    ("Please enter the y location: ", "0"),
    ("Please enter the action ([S]how; [M]ark; [R]estart; [Q]uit): ", "S"),
    ("Please enter the x location: ", "4"),
    ("Please enter the y location: ", "0"),
    ("Please enter the action ([S]how; [M]ark; [R]estart; [Q]uit): ", "S"),
    ("Please enter the x location: ", "1"),
    ("Please enter the y location: ", "4"),
    ("Please enter the action ([S]how; [M]ark; [R]estart; [Q]uit): ", "S"),
    ("Please enter the x location: ", "2"),
    ("Please enter the y location: ", "4"),
    ("Please enter the action ([S]how; [M]ark; [R]estart; [Q]uit): ", "q"),
]
BOARDS_42 = [
    "*****\n" * 5,
    "00***\n11***\n*****\n*****\n*****\n",
    "00**1\n11***\n*****\n*****\n*****\n",
    "00**1\n11***\n*****\n111**\n000**\n",
    "00**1\n11***\n*****\n1110*\n0000*\n",
]
TRANSCRIPT_42 = "Welcome to GeeseSpotter!\n"
for _k, (_prompt, _answer) in enumerate(SECTION_42):
    TRANSCRIPT_42 += f"{_prompt}{_answer}\n" + (BOARDS_42[_k // 3] if _k % 3 == 2 else "")

# Runs the console with a ``spread_geese`` that places the geese as in the transcript of the source document.
FIXED_GEESE = """
import sys
from gridwright import geese, geese_console
def spread(board, num_geese, seed=None):
    assert board.shape == (5, 5) and num_geese == 2
    board[2, 1] = board[1, 4] = 9
geese.spread_geese = spread
sys.exit(geese_console.main())
"""


def console(text: str | bytes, *arguments: str, code: str | None = None) -> subprocess.CompletedProcess[bytes]:
    skip_without("processes")
    command = [sys.executable, *(["-c", code] if code else ["-m", "gridwright", "geese"]), *arguments]
    raw = text if isinstance(text, bytes) else text.encode()
    return subprocess.run(command, input=raw, capture_output=True, timeout=60, check=False)


def on_a_terminal(text: str, *, code: str | None = None) -> tuple[str, int]:
    """Types text into the console through a pseudo-terminal; returns what the terminal showed and the exit status."""
    skip_without("processes")
    import pty

    master, slave = pty.openpty()
    command = [sys.executable, *(["-c", code] if code else ["-m", "gridwright", "geese", "--seed", "1"])]
    environment = {**os.environ, "TERM": "dumb"}
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment, close_fds=True)
    os.close(slave)
    screen = b""
    lines = text.splitlines(keepends=True)
    try:
        while True:
            try:
                chunk = os.read(master, 4096)
            except OSError:
                break
            if not chunk:
                break
            screen += chunk
            # Each line is typed once the prompt for it has appeared.
            if lines and screen.endswith(b": "):
                os.write(master, lines.pop(0).encode())
    finally:
        os.close(master)
        status = process.wait(timeout=60)
    return screen.decode().replace("\r\n", "\n"), status


def test_the_console_prints_the_transcript_of_section_42_on_a_terminal():
    typed = "".join(answer + "\n" for _, answer in SECTION_42)
    screen, status = on_a_terminal(typed, code=FIXED_GEESE)
    assert screen == TRANSCRIPT_42
    assert status == 0


def test_the_console_prints_the_transcript_of_section_42_through_a_pipe():
    typed = "".join(answer + "\n" for _, answer in SECTION_42)
    done = console(typed, code=FIXED_GEESE)
    answers = iter(answer for _, answer in SECTION_42)
    expected = re.sub(r"(: )\w+\n", lambda match: match[1] if next(answers) else "", TRANSCRIPT_42)
    assert done.stdout.decode() == expected
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_console_ends_quietly_wherever_the_input_ends(monkeypatch, capsys):
    typed = "5\n5\n2\nS\n0\n0\nM\n1\n1\n"
    for length in range(len(typed) + 1):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed[:length]))
        assert main(["geese", "--seed", "1"]) == 0, typed[:length]
        assert capsys.readouterr().err == ""
    done = console("5\n5\n2\nS\n0")
    assert (done.returncode, done.stderr) == (0, b"")
    screen, status = on_a_terminal("5\n\x04", code=None)
    assert status == 0
    assert "Traceback" not in screen


def test_the_console_asks_again_after_an_invalid_answer():
    typed = "x\n0\n61\n-3\n\n" + "9" * 5000 + "\n3\n21\n20.5\n2\n7\n-1\n6\nz\n\nshow\nq\n"
    done = console(typed)
    out = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert out.count("Please enter the x dimension") == 7
    assert out.count("Please enter the y dimension") == 3
    assert out.count("Please enter the number of geese") == 3
    assert out.count("Please enter the action") == 4
    assert "The number of geese must be from 0 to 6." in out
    assert "***\n***\n" in out
    for raw in (b"\xff\xfe\n" * 5, b"5\x00\n"):
        done = console(raw)
        assert (done.returncode, done.stderr) == (0, b""), raw


def test_numbers_consist_of_digits_and_may_share_a_line():
    out = console("1_0\n5 5 2\ns 0 0\nq\n", code=FIXED_GEESE).stdout.decode()
    assert out.count("Please enter a whole number.") == 1
    assert "00***\n11***\n" in out
    # An invalid answer discards the rest of its line.
    out = console("5 5 x 2\n2\nq\n", code=FIXED_GEESE).stdout.decode()
    assert out.count("Please enter a whole number.") == 1


def test_an_action_off_a_board_full_of_geese_does_not_win():
    out = console("2\n2\n4\ns\n7\n7\nm\n-1\n0\nq\n").stdout.decode()
    assert out.count("There is no field") == 2
    assert "You won" not in out


def test_leading_zeros_of_a_number_are_ignored():
    zeros = "0" * 30
    out = console(f"{zeros}5 +{zeros}5 {zeros}2\nm {zeros}3 {zeros}\ns {zeros}7 -{zeros}1\nq\n").stdout.decode()
    assert "There is no field at x 7 and y -1." in out
    assert "\n***M*\n" in out


def test_after_a_refused_action_the_console_prints_the_reason_and_the_board():
    script = "5\n5\n2\n" + "s\n9\n0\ns\n-1\n0\nm\n0\n0\ns\n0\n0\nm\n0\n0\ns\n0\n0\nm\n0\n0\ns\n4\n0\ns\n4\n0\nq\n"
    out = console(script, code=FIXED_GEESE).stdout.decode()
    assert "There is no field at x 9 and y 0." in out
    assert "There is no field at x -1 and y 0." in out
    assert "The field is marked; unmark it before you show it." in out
    assert "The field is already revealed and cannot be marked." in out
    assert "The field is already revealed." in out
    assert out.count("M****\n") == 2
    boards = re.findall(r"(?:[*M0-9]{5}\n){5}", out)
    assert len(boards) == 10, "the board must be printed at the start and after each of the nine actions"


def test_showing_a_goose_ends_the_game_and_starts_the_next():
    out = console("5\n5\n2\nS\n1\n2\n5\n5\n2\nR\n", code=FIXED_GEESE).stdout.decode()
    lost = "*****\n*****\n*9***\n*****\n*****\n"
    assert lost in out
    assert out.count("Please enter the x dimension") == 3
    assert out.index(lost) < out.rindex("Please enter the x dimension")


def test_a_win_shows_the_whole_board():
    out = console("2\n1\n2\nM\n0\n0\n").stdout.decode()
    assert "99\nYou spotted all geese! You won.\n" in out
    assert "You won" in out
    assert out.count("Please enter the x dimension") == 2
    won = console("1\n1\n0\nS\n0\n0\nQ\n").stdout.decode()
    assert "0\nYou spotted all geese! You won.\n" in won


def test_the_same_seed_places_the_same_geese():
    script = "9\n9\n20\n" + "".join(f"s\n{k}\n{k}\n" for k in range(9)) + "q\n"
    assert console(script, "--seed", "5").stdout == console(script, "--seed", "5").stdout


# Level texts, seeds and arguments


def test_level_errors_have_line_and_column():
    for text, place in [("1 2 1\n29 2a", (2, 4)), ("1 2 1\n29 11", (2, 4)), ("1 2 3\n29 29", (1, 5)), ("", (1, 1))]:
        with pytest.raises(gw.LevelError) as error:
            GeeseSpotter(text)
        assert (error.value.line, error.value.column) == place
    assert GeeseSpotter("1 2 1\n2921") == GeeseSpotter("1 2 1\n\n29 21\n") == GeeseSpotter("1  2 1\r\n29  21\r\n")


def test_seeds_reach_every_3_x_3_board_with_2_geese():
    boards = {GeeseSpotter.generate(3, 3, 2, seed=seed).text for seed in range(600)}
    assert len(boards) == comb(9, 2)


WRONG_ARGUMENTS = [
    (lambda game: game.hint(policy=3), TypeError, "policy must be a str"),
    (lambda game: game.hint(limit=-1), ValueError, "limit must be between 0 and"),
    (lambda game: game.probabilities(limit=1.5), TypeError, "limit must be an integer"),
    (lambda game: game.solve(limit="x"), TypeError, "limit must be an integer"),
    (lambda game: game.play_on(guess="no"), TypeError, "guess must be a bool"),
    (lambda game: game.explain("a1"), gw.MoveError, "cell must be a cell"),
    (lambda game: game.explain((0, 99)), gw.MoveError, "cell must be a cell of the 9 x 9 board"),
    (lambda game: game.explain(limit=2**64), ValueError, "limit must be between 0 and"),
    (lambda game: game.difficulty(first=3), gw.MoveError, "first must be a cell"),
    (lambda game: game.needs_no_guess((9, 9)), gw.MoveError, "cell must be a cell"),
    (lambda game: game.generate(3, 3, 1, no_guess=1), TypeError, "no_guess must be a bool"),
    (lambda game: game.generate(3, 3, 1, flood="yes"), TypeError, "flood must be a bool"),
    (lambda game: game.generate(3, 3, -1), ValueError, "geese must be between 0 and"),
    (lambda game: game.generate(3, 3, 1, limit=-1), ValueError, "limit must be between 0 and"),
    (lambda game: game.generate("a", 3, 1), TypeError, "height must be an integer, got 'a'"),
    (lambda game: game.generate(3, 3, 1, seed=-1), ValueError, "seed must be between 0 and"),
    (lambda game: geese.boards(-1, 3, 3, 1), ValueError, "n must be between 0 and"),
    (lambda game: geese.boards(1, 3, 3, 1, threads=-1), ValueError, "threads must be between 0 and 1024, got -1"),
    (lambda game: geese.play_many(1, 3, 3, 1, first=(3, 0)), gw.MoveError, "first must be a cell"),
    (lambda game: geese.play_many(1, 3, 3, 9), ValueError, "geese must be between 0 and 8, since the first field"),
    (lambda game: geese.play_many(None, 3, 3, 1), TypeError, "games must be an integer, got None"),
    (lambda game: geese.probabilities(game.board, 1.5), TypeError, "geese must be an integer"),
]


@pytest.mark.parametrize(("call", "kind", "sentence"), WRONG_ARGUMENTS)
def test_errors_name_the_wrong_argument(call, kind, sentence):
    game = GeeseSpotter.level("beginner")
    before = pickle.dumps(game)
    with pytest.raises(kind, match=re.escape(sentence)) as error:
        call(game)
    assert "Core" not in str(error.value)
    assert pickle.dumps(game) == before


def test_a_board_of_40000_fields_is_explained_within_the_default_limit():
    game = GeeseSpotter.generate(200, 200, 6000, safe=(0, 0), seed=1)
    game.show((0, 0))
    for move in game.copy().play_on(guess=False)[:300].tolist():
        game.play(*move)
    assert len(game.solve()) > 0
    assert game.explain().rule == "count"
    with pytest.raises(gw.SearchLimitError, match="limit reached after 50 states"):
        game.difficulty(limit=50)
    with pytest.raises(gw.SearchLimitError, match="limit reached after 50 states"):
        game.explain(limit=50)


def test_play_many_on_one_thread_reports_the_number_of_games_as_progress():
    reports = []
    geese.play_many(4000, 16, 30, 99, seed=SEED, threads=1, progress=reports.append)
    assert reports == sorted(reports)
    assert reports[-1] <= 4000


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_the_console_refuses_a_seed_out_of_bounds(seed, capsys):
    with pytest.raises(ValueError, match=r"^seed must be between 0 and 2\^64 - 1, got"):
        geese_console.main(seed)
    assert capsys.readouterr().out == ""
