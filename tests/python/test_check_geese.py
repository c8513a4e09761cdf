"""Tests of the checks on GeeseSpotter: correct code passes, and wrong code fails on a small board."""

from __future__ import annotations

import random

import numpy as np
import pytest
from gridwright import check

AROUND = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]


def count(board, *, around=AROUND, rows=None, cols=None):
    height, width = board.shape
    for row in range(rows(height) if rows else height):
        for col in range(cols(width) if cols else width):
            if board[row, col] != 9:
                near = [(row + r, col + c) for r, c in around]
                board[row, col] = sum(0 <= r < height and 0 <= c < width and board[r, c] == 9 for r, c in near)


def count_flat(board, x_dim, y_dim):
    """Counts geese with the arguments of the source document: a one-dimensional board, its width and its height."""
    for place in range(x_dim * y_dim):
        if board[place] == 9:
            continue
        y, x = divmod(place, x_dim)
        board[place] = sum(
            0 <= x + dx < x_dim and 0 <= y + dy < y_dim and board[(y + dy) * x_dim + x + dx] == 9 for dy, dx in AROUND
        )


def wraps_at_the_row_end(board, x_dim, y_dim):
    for place in range(x_dim * y_dim):
        if board[place] != 9:
            near = [place + dy * x_dim + dx for dy, dx in AROUND]
            board[place] = sum(0 <= other < x_dim * y_dim and board[other] == 9 for other in near)


def wraps_from_below_zero(board):
    height, width = board.shape
    for row in range(height):
        for col in range(width):
            if board[row, col] != 9:
                near = [(row + r, col + c) for r, c in AROUND]
                board[row, col] = sum(r < height and c < width and board[r, c] == 9 for r, c in near)


def counts_what_it_wrote(board):
    height, width = board.shape
    for row in range(height):
        for col in range(width):
            if board[row, col] != 9:
                near = [(row + r, col + c) for r, c in AROUND]
                board[row, col] = sum(0 <= r < height and 0 <= c < width and board[r, c] > 0 for r, c in near)


def adds_to_the_geese(board):
    for row, col in np.argwhere(board == 9):
        board[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2] += 1


def returns_floats(board):
    count(board)
    return board.astype(float)


def returns_halves(board):
    return board + 0.5


def never_ends(board):
    row = 0
    while row < board.shape[0]:
        pass


def test_right_counts_pass():
    def returns_a_new_board(board):
        made = board.astype(np.int64)
        count(made)
        board[:] = 77  # the function may overwrite its argument
        return made

    def returns_lists(board):
        count(board)
        return board.tolist()

    for function in (count, count_flat, returns_a_new_board, returns_floats, returns_lists):
        report = check.compute_neighbours(function)
        assert report.passed, report


@pytest.mark.parametrize(
    ("function", "fields"),
    [
        (lambda board: count(board, around=[(0, 1), (0, -1), (1, 0), (-1, 0)]), 4),
        (lambda board: count(board, around=AROUND[1:]), 4),
        (lambda board: count(board, rows=lambda height: height - 1), 2),
        (lambda board: count(board, cols=lambda width: width - 1), 2),
        (wraps_at_the_row_end, 4),
        (wraps_from_below_zero, 3),
        (counts_what_it_wrote, 3),
        (adds_to_the_geese, 1),
        (returns_halves, 1),
        (never_ends, 1),
        (lambda board: board.fill(0), 1),
        (lambda board: board[0, 1], 1),
        (lambda board: board.reshape(-1)[:1], 2),
        (lambda board: "counted", 1),
    ],
)
def test_a_small_case_exposes_wrong_counts(function, fields):
    report = check.compute_neighbours(function, time_limit=0.3)
    assert not report.passed
    assert len(report.failure.case) * len(report.failure.case[0]) <= fields, report
    assert report.svg()


def reveal(board, row, col, *, forget=""):
    field = board[row, col]
    if field & 0x10 and forget != "marked":
        return 1
    if not field & 0x20:
        if field & 15 or forget == "again":
            return 2
        code = 2
    else:
        board[row, col] &= 0x0F
        code = 9 if field & 15 == 9 else 0
        if code and forget == "code":
            return 1
    if not board[row, col] & 15:
        for r, c in AROUND:
            r, c = row + r, col + c
            inside = 0 <= r < board.shape[0] and 0 <= c < board.shape[1]
            if inside and (not board[r, c] & 0x10 or forget == "marked neighbors"):
                if forget == "chain" and board[r, c] & 0x20:
                    reveal(board, r, c, forget=forget)
                board[r, c] &= 0x0F
    return code


def reveal_flat(board, x_dim, y_dim, x_loc, y_loc):
    return reveal(board.reshape(y_dim, x_dim), y_loc, x_loc)


def test_right_reveals_pass():
    def returns_the_board(board, row, col):
        return reveal(board, row, col), board

    for function in (reveal, reveal_flat, returns_the_board):
        report = check.reveal(function)
        assert report.passed, report


@pytest.mark.parametrize(
    ("forget", "fields"),
    [("marked", 1), ("again", 2), ("code", 1), ("chain", 3), ("marked neighbors", 3)],
)
def test_a_small_case_exposes_wrong_reveals(forget, fields):
    report = check.reveal(lambda board, row, col: reveal(board, row, col, forget=forget))
    assert not report.passed
    rows, _, _ = report.failure.case
    assert len(rows) * len(rows[0]) <= fields, report
    assert report.svg()


def test_a_small_case_exposes_swapped_coordinates():
    report = check.reveal(lambda board, x_dim, y_dim, x, y: reveal(board.reshape(x_dim, y_dim), x, y))
    assert not report.passed
    rows, _, _ = report.failure.case
    assert len(rows) * len(rows[0]) <= 4, report


def mark(board, row, col):
    if not board[row, col] & 0x20:
        return 2
    board[row, col] ^= 0x10
    return 0


def test_right_marks_pass_and_a_small_case_exposes_wrong_ones():
    assert check.mark(mark).passed
    assert check.mark(lambda board, x_dim, y_dim, x, y: mark(board.reshape(y_dim, x_dim), y, x)).passed

    def sets(board, row, col):
        board[row, col] |= 0x10
        return 0

    def always(board, row, col):
        board[row, col] ^= 0x10
        return 0 if board[row, col] & 0x20 else 2

    def swapped(board, row, col):
        return mark(board, col, row)

    for wrong, fields in ((sets, 1), (always, 1), (swapped, 2), (lambda board, row, col: None, 1)):
        report = check.mark(wrong)
        assert not report.passed
        rows, _, _ = report.failure.case
        assert len(rows) * len(rows[0]) <= fields, report
    assert "is a return missing?" in report.failure.reason


def test_a_code_returned_as_text_is_wrong():
    report = check.reveal(lambda board, row, col: str(reveal(board, row, col)))
    assert report.score == 0
    assert "expected a whole number" in report.failure.reason


def test_the_reported_call_runs():
    def counts_nothing(board, x_dim, y_dim):
        assert board.shape == (x_dim * y_dim,)

    def shows_nothing(board, x_dim, y_dim, x_loc, y_loc):
        assert board.shape == (x_dim * y_dim,)
        return 0

    for report, function in (
        (check.compute_neighbours(counts_nothing), counts_nothing),
        (check.reveal(shows_nothing), shows_nothing),
        (check.mark(shows_nothing), shows_nothing),
        (check.reveal(lambda board, row, col: 5), lambda board, row, col: 5),
    ):
        assert report.failure.call.startswith("board = np.array([[")
        exec(report.failure.call, {"np": np, "yours": function, function.__name__: function})


def test_the_hint_for_clean_board_does_not_name_the_number_that_stays():
    report = check.clean_board(lambda board: board.fill(1))
    assert report.failure.hint == "Python frees memory by itself; set every field to 0"


def test_the_reported_call_of_a_function_without_parameters_flattens_the_board_once():
    call = check.clean_board(lambda: None).failure.call
    assert call == "board = np.array([[0]], dtype=np.uint8).ravel(); yours(board); board"


def test_the_reported_call_reproduces_a_partly_cleared_board():
    def clear_one(board):
        assert board.shape == (board.size,)
        board[0] = 0

    report = check.clean_board(clear_one)
    assert report.failure.reason == "a field is not 0 after the call, expected every field to be 0"
    names = {"np": np, "clear_one": clear_one}
    exec(report.failure.call, names)
    assert names["board"].tolist() == [0, 9, 1, 1]


def test_rows_without_fields_are_reported_with_their_sizes():
    report = check.create_board(lambda x_dim, y_dim: [[]] * y_dim)
    reasons = [failure.reason for failure in report.failures]
    assert reasons[:2] == ["returned 1 row of 0, expected 1 row of 1", "returned 2 rows of 0, expected 2 rows of 1"]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda board: (0, None), "returned (0, None), expected a code or the pair (code, board)"),
        (lambda board: (None, board), "returned (None, array("),
        (lambda board: None, "returned None, expected a code, a whole number (is a return missing?)"),
    ],
)
def test_an_answer_that_contains_none_is_shown_in_full(answer, words):
    for judged in (check.mark, check.reveal):
        reason = judged(lambda board, row, col: answer(board)).failure.reason
        assert reason.startswith(words), reason


KEPT: list[int] = []
BUFFER = np.zeros(60 * 20, dtype=np.uint8)


def keeps_its_board(x_dim, y_dim):
    KEPT[:] = [0] * (x_dim * y_dim)
    return KEPT


@pytest.mark.parametrize(
    ("create", "reason", "hint"),
    [
        (keeps_its_board, "the boards of two calls are the same object", "one board is kept from call to call"),
        (lambda x, y: BUFFER[: x * y], "the boards of two calls are the same object", "one board is kept from call"),
        (lambda x, y: [[0] * x] * y, "two rows are the same object", "[[0] * width] * height repeats one row"),
        (lambda x, y: [(0,) * x for _ in range(y)], "a row is (0,), expected a list that can be changed", ""),
    ],
)
def test_boards_that_share_lists_or_cannot_be_changed_are_wrong(create, reason, hint):
    failure = check.create_board(create).failure
    assert failure.reason == reason
    assert failure.hint.startswith(hint)


def test_the_name_of_the_exhaustive_part_lists_the_board_sizes():
    names = [part.name for part in check.compute_neighbours(lambda board: None).parts]
    assert "all boards of 2 x 2, 2 x 3 and 3 x 2 fields" in names


def test_a_revealed_goose_is_not_taken_for_a_hidden_field():
    def compares_counts(board):
        return int((board & 0x20 > 0).sum()) == int((board & 0x0F == 9).sum())

    failure = check.is_game_won(compares_counts).failure
    assert failure.case in ([[9, 0x20]], [[0x20, 9]], [[9], [0x20]], [[0x20], [9]], [[9]]), failure


def test_hints_about_the_number_and_the_places_of_geese_fit_all_calls():
    def hints(place):
        def spread(board, x_dim, y_dim, num_geese):
            for at in place(x_dim * y_dim, num_geese):
                board[at] = 9

        return [failure.hint for failure in check.spread_geese(spread).failures]

    twice = "a field is drawn twice: draw again if it has a goose already"
    same = "the places are the same in each call: "
    last = "the last field is never drawn, or a seed is set inside the function"
    assert not any(hints(lambda fields, count: random.sample(range(fields), max(0, count - 1))))
    assert twice in hints(lambda fields, count: [random.randrange(fields) for _ in range(count)])
    assert hints(lambda fields, count: random.sample(range(fields - (count < fields)), count)) == [same + last]
    assert hints(lambda fields, count: random.Random(3).sample(range(fields), count))[0].startswith(same)
