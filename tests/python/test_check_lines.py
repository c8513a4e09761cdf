"""Tests of the checks on lines and plays: correct code passes, and wrong code fails on a small case."""

from __future__ import annotations

import functools
import math
import sys
import time
import xml.etree.ElementTree as ET
from fractions import Fraction

import numpy as np
import pytest
from conftest import needs
from gridwright import check, tracing
from gridwright.check.judge import Wrong
from gridwright.check.lines import IsPlayValid, TraceLine
from gridwright.draw import LIGHT
from gridwright.draw.svg import Picture, distance


def walk(tail, head, *, corners=True, off=0, stop_short=False):
    """Returns the cells of a line, found exactly by Amanatides and Woo's algorithm; the options introduce mistakes."""
    (row, col), (dr, dc) = tail, (head[0] - tail[0], head[1] - tail[1])
    step_row, step_col = (dr > 0) - (dr < 0), (dc > 0) - (dc < 0)
    never = Fraction(10**9)
    delta_row = abs(Fraction(1, dr)) if dr else never
    delta_col = abs(Fraction(1, dc)) if dc else never
    max_row, max_col = delta_row / 2 + off, delta_col / 2
    cells = [(row, col)]
    while (row, col) != tuple(head) and len(cells) < 5000:
        if max_row == max_col and corners:
            row, col = row + step_row, col + step_col
            max_row, max_col = max_row + delta_row, max_col + delta_col
        elif max_row < max_col:
            row, max_row = row + step_row, max_row + delta_row
        else:
            col, max_col = col + step_col, max_col + delta_col
        cells.append((row, col))
    return cells[:-1] if stop_short and len(cells) > 1 else cells


def dda(tail, head):
    steps = max(abs(head[0] - tail[0]), abs(head[1] - tail[1]), 1)
    return [tuple(round(a + (b - a) * i / steps) for a, b in zip(tail, head, strict=True)) for i in range(steps + 1)]


def test_right_tracers_pass():
    for tracer in (
        walk,
        lambda r1, c1, r2, c2: np.array(walk((r1, c1), (r2, c2)), dtype=np.int16),
        lambda tail, head: (cell for cell in walk(tail, head)),
    ):
        report = check.trace_line(tracer)
        assert report.passed, report
    assert check.trace_line(lambda tail, head: set(walk(tail, head)), ordered=False)


@pytest.mark.parametrize(
    ("tracer", "length"),
    [
        (lambda tail, head: walk(tail, head, corners=False), 2),
        (lambda tail, head: walk(tail, head, stop_short=True), 1),
        (lambda tail, head: walk(tail, head, off=Fraction(1, 1000)), 2),
        (lambda tail, head: walk(head, tail), 1),
        (lambda tail, head: set(walk(tail, head)), 2),
        (dda, 3),
        (lambda tail, head: tracing.trace(tail, head, "supercover"), 2),
        (lambda tail, head: [(c, r) for r, c in walk(tail, head)], 1),
        (lambda tail, head: None, 0),
        (lambda tail, head: 5, 0),
        (lambda tail, head: "line", 0),
        (lambda tail, head: [(r + 0.5, c) for r, c in walk(tail, head)], 0),
        (lambda tail, head: [tail, *walk(tail, head)], 0),
        (lambda tail, head: iter(lambda: tail, None), 0),
        (lambda tail, head: walk(tail, head)[9], 0),
    ],
)
def test_a_small_case_exposes_wrong_tracers(tracer, length):
    report = check.trace_line(tracer)
    assert not report.passed
    (r1, c1), (r2, c2) = report.failure.case
    assert abs(r1 - r2) + abs(c1 - c2) <= length, report
    assert report.svg()
    assert "expected" in str(report)


def test_a_small_case_exposes_a_missing_tolerance():
    def in_floats(tail, head):
        (row, col), (end_row, end_col) = tail, head
        length = math.hypot(end_row - row, end_col - col) or 1.0
        steps = [(end_row > row) - (end_row < row), (end_col > col) - (end_col < col)]
        across = [abs(end_row - row) / length, abs(end_col - col) / length]
        deltas = [1 / part if part else math.inf for part in across]
        nexts = [0.5 / part if part else math.inf for part in across]
        cells = [(row, col)]
        while (row, col) != head and len(cells) < 1000:
            axes = [axis for axis in (0, 1) if nexts[axis] == min(nexts)]
            row, col = row + steps[0] * (0 in axes), col + steps[1] * (1 in axes)
            for axis in axes:
                nexts[axis] += deltas[axis]
            cells.append((row, col))
        return cells

    report = check.trace_line(in_floats)
    assert not report.passed
    assert sum(abs(a - b) for a, b in zip(*report.failure.case, strict=True)) <= 4, report


def judge(size, lookback, plays, index, *, forget=""):
    """Returns whether a play is valid under the rules ``"uccs2023"``; ``forget`` names a mistake to introduce."""
    sr, sc, er, ec = plays[index]
    inside = all(0 <= part < size + (forget == "the last row") for part in (sr, sc, er, ec))
    if not inside and forget != "the board":
        return False
    first = max(0, index - lookback) if forget != "the window" else 0
    for a, b, c, d in plays[first + (forget == "off by one") : index]:
        same = (a + c, b + d) == (sr + er, sc + ec)
        if forget == "halves":
            same = ((a + c) // 2, (b + d) // 2) == ((sr + er) // 2, (sc + ec) // 2)
        across = (c - a) * (er - sr) + (d - b) * (ec - sc) == 0
        ends = (a, b) == (sr, sc) or (c, d) == (er, ec)
        if forget == "and":
            if same and across:
                return False
        elif same or (across and forget != "perpendicular") or (ends and forget != "ends"):
            return False
    return True


def test_right_rules_pass():
    # The default rules are those of the source document, which do not forbid equal tails or heads.
    assert check.is_play_valid(functools.partial(judge, forget="ends")).passed
    assert not check.is_play_valid(judge).passed
    assert check.is_play_valid(judge, rules="uccs2023").passed
    assert check.is_play_valid(lambda *parts: np.bool_(judge(*parts)), rules="uccs2023").passed
    assert check.is_play_valid(lambda *parts: int(judge(*parts)), rules="uccs2023").passed

    def standard(size, lookback, plays, index):
        legal = []
        for sr, sc, er, ec in plays[: index + 1]:
            fine = all(0 <= part < size for part in (sr, sc, er, ec)) and (sr, sc) != (er, ec)
            for a, b, c, d in legal[len(legal) - min(lookback, len(legal)) :]:
                same = (a + c, b + d) == (sr + er, sc + ec)
                fine = fine and not same and (c - a) * (er - sr) + (d - b) * (ec - sc) != 0
            if fine:
                legal.append((sr, sc, er, ec))
        return fine

    assert check.is_play_valid(standard, rules="standard").passed


@pytest.mark.parametrize(
    ("forget", "plays"),
    [
        ("the board", 1),
        ("the last row", 1),
        ("the window", 2),
        ("off by one", 2),
        ("halves", 2),
        ("perpendicular", 2),
        ("ends", 2),
        ("and", 2),
    ],
)
def test_a_small_case_exposes_wrong_rules(forget, plays):
    report = check.is_play_valid(lambda *parts: judge(*parts, forget=forget), rules="uccs2023")
    assert not report.passed
    size, _, found = report.failure.case
    assert len(found) <= plays, report
    assert size <= 5
    assert report.svg()


def test_none_is_a_wrong_answer_and_unknown_rules_are_refused():
    report = check.is_play_valid(lambda *parts: None)
    assert "expected True or False (is a return missing?)" in report.failure.reason
    report = check.is_play_valid(lambda *parts: parts[2].clear())
    assert not report.passed
    with pytest.raises(ValueError, match="rules must be 'document', 'standard' or 'uccs2023', got 'house'"):
        check.is_play_valid(judge, rules="house")


def touched(tail, head):
    """Returns the cells that a segment touches, by Manhattan distance from the tail; ties are in row-major order."""
    (r1, c1), (r2, c2) = tail, head
    rows, cols = range(min(r1, r2), max(r1, r2) + 1), range(min(c1, c2), max(c1, c2) + 1)
    far = abs(r2 - r1) + abs(c2 - c1)
    cells = [(r, c) for r in rows for c in cols if 2 * abs((r2 - r1) * (c - c1) - (c2 - c1) * (r - r1)) <= far]
    return sorted(cells, key=lambda cell: abs(cell[0] - r1) + abs(cell[1] - c1))


def test_cells_beside_a_corner_may_come_in_any_order():
    assert check.trace_line(touched, method="supercover").passed
    assert check.trace_line(lambda tail, head: touched(head, tail)[::-1], method="supercover").passed
    assert not check.trace_line(lambda tail, head: touched(head, tail), method="supercover").passed
    with pytest.raises(ValueError, match="method must be .*'supercover', got 'wu'"):
        check.trace_line(touched, method="wu")


def rounded(tail, head):
    """Returns the cells nearest to evenly spaced points of a segment, as the tracing method ``"dda"`` does."""
    far = max(abs(head[0] - tail[0]), abs(head[1] - tail[1]))
    if far == 0:
        return [tail]
    return [
        tuple((2 * (a * (far - k) + b * k) + far) // (2 * far) for a, b in zip(tail, head, strict=True))
        for k in range(far + 1)
    ]


def row_first(tail, head):
    """Returns the cells whose interior a segment crosses and, at each corner on it, also the cell in the next row."""
    cells = [tail]
    (r, c), (r2, c2) = tail, head
    rows, cols = abs(r2 - r), abs(c2 - c)
    down, across = (r2 > r) - (r2 < r), (c2 > c) - (c2 < c)
    row = col = 1
    while (r, c) != head:
        # The segment crosses the next border between rows at the fraction `row / (2 * rows)` of its length, and the
        # next border between columns at the fraction `col / (2 * cols)`.
        if cols == 0 or (rows and row * cols <= col * rows):
            r, row = r + down, row + 2
        else:
            c, col = c + across, col + 2
        cells.append((r, c))
    return cells


def test_hints_about_the_cells_of_a_line_fit_the_method():
    assert "steps diagonally" in check.trace_line(row_first).failure.hint
    assert "rounded steps" in check.trace_line(rounded).failure.hint
    assert "rounded steps" in check.trace_line(rounded, method="supercover").failure.hint

    def thin(tail, head):
        """Returns the cells whose interior the segment crosses."""
        (r1, c1), (r2, c2) = tail, head
        far = abs(r2 - r1) + abs(c2 - c1)
        cells = touched(tail, head)
        return [(r, c) for r, c in cells if 2 * abs((r2 - r1) * (c - c1) - (c2 - c1) * (r - r1)) < far or not far]

    hint = check.trace_line(thin, method="supercover").failure.hint
    assert hint == "cells that the line only touches at a corner are missing"
    for method in ("supercover", "bresenham", "dda"):
        assert "diagonally" not in check.trace_line(row_first, method=method).failure.hint
    # In floats, rounding can make the expected line itself miss a corner and step to the next row or column first.
    for wrong in (row_first, touched):
        report = check.trace_line(wrong, method="amanatides-woo-float")
        assert not report.passed
        assert not any("corner" in failure.hint for failure in report.failures), report
    assert check.trace_line(rounded, method="dda").passed
    assert "near a corner" not in check.trace_line(rounded, method="bresenham").failure.hint


def test_a_verdict_names_only_legal_plays_under_the_standard_rules():
    plays = [(1, 1, 1, 3), (0, 1, 2, 3), (2, 1, 0, 3)]
    assert IsPlayValid("standard")._verdict((5, 2, plays)) == "has the same midpoint as play 0"
    assert IsPlayValid("document")._verdict((5, 2, plays)) == "has the same midpoint as play 1"


def test_a_report_explains_why_a_play_is_illegal():
    text = str(check.is_play_valid(lambda *_: True))
    for reason in (
        "play 0 (A to B) is off the board, whose rows and columns are 0 to 0: expected False, got True",
        "got True for play 1, which has the same midpoint as play 0",
        "got True for play 1, which is perpendicular to play 0",
    ):
        assert reason in text
    assert "which has the same tail as an earlier play" in str(check.is_play_valid(lambda *_: True, rules="uccs2023"))


def test_the_picture_of_a_play_off_the_board_shows_both_ends():
    report = check.is_play_valid(lambda *_: True)
    assert report.failure.call.startswith("yours(1, 0, [(")
    (panel,) = report.failure.panels
    assert sorted(sign for row in panel.cells for sign in row if sign in "AB") == ["A", "B"]
    for start, end, _ in panel.lines:
        assert all(0 <= at < len(panel.cells) for at in (*start, *end))


@pytest.mark.parametrize("wrong", [functools.partial(walk, stop_short=True), dda])
def test_no_line_of_a_picture_crosses_the_numbers_of_the_cells(wrong):
    for failure in check.trace_line(wrong).failures:
        for panel in failure.panels:
            side = panel.size()[0]
            out = Picture(side, side, LIGHT, title="", description="")
            panel.draw(out, 0, 0)
            tree = ET.fromstring(out.render())
            (line,) = tree.iter("{http://www.w3.org/2000/svg}line")
            ends = [[float(line.get(axis + end)) for axis in "xy"] for end in "12"]
            numbers = [text for text in tree.iter("{http://www.w3.org/2000/svg}text") if text.text.isdecimal()]
            assert len(numbers) == len({sign for row in panel.cells for sign in row if sign != "."})
            for text in numbers:
                # The baseline of the text is 0.36 of the font size below its middle.
                size = float(text.get("font-size"))
                middle = float(text.get("x")), float(text.get("y")) - 0.36 * size
                assert distance(middle, *ends) > 0.36 * size + float(line.get("stroke-width")) / 2


@pytest.mark.parametrize("between", ["", "|", "."])
def test_cells_of_the_output_must_be_followed_by_spaces(between):
    def blank(text):
        size = int(text.split()[0])
        return "\n".join([between.join(["."] * size + [""])] * size + ["Player X: 0 cells; Player O: 0 cells"])

    failure = check.output(blank).failure
    assert failure.case == ("1 0\n" if between else "2 0\n")
    assert "row 1, column 1: got" in failure.reason
    assert failure.hint == "each cell must be followed by a space"


@needs("processes")
@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os, sys; os.mkdir(sys.argv[2])", "wrote no file at the output path"),
        ("import os, sys; os.mkfifo(sys.argv[2])", "wrote no file at the output path"),
        ("import os, sys; os.symlink('/dev/zero', sys.argv[2])", "wrote no file at the output path"),
        ("import sys; open(sys.argv[2], 'w').write('\\0')", "row 1, column 1: got '\ufffd', expected '.'"),
    ],
)
def test_a_command_that_writes_no_text_file_fails(code, words):
    failure = check.output([sys.executable, "-c", code], time_limit=20).failure
    assert failure.reason == words
    assert failure.call.endswith(", with '1 0\\n' in the input file")


def test_a_long_wrong_answer_is_compared_quickly():
    started = time.monotonic()
    answer = tuple((row, col) for row in range(300) for col in range(300))
    line = TraceLine("amanatides-woo", True)
    with pytest.raises(Wrong, match="belongs to the line, but is not in the answer"):
        line.compare(((0, 0), (400, 1)), line.expect(((0, 0), (400, 1))), answer[1:])
    assert time.monotonic() - started < 2


class Line:
    """A correct line between two cells, unless ``start`` or ``middle`` is changed."""

    start = 0.5

    def __init__(self, tail, head):
        self.tail, self.head = np.array(tail) + self.start, np.array(head) + self.start
        self.vector = self.head - self.tail
        self.vector_normalized = self.vector / (np.hypot(*self.vector) or 1)
        self.midpoint = self.middle()

    def middle(self):
        return (self.tail + self.head) / 2

    def barycentric_coordinate(self, t):
        return (1 - t) * self.tail + t * self.head


class FromCorners(Line):
    start = 0


class HalfTheVector(Line):
    def middle(self):
        return self.vector / 2


def test_the_hint_to_add_a_half_is_given_only_if_all_points_are_shifted():
    def hints(cls):
        return {failure.hint for failure in check.parametric_line(cls).failures}

    assert check.parametric_line(Line).passed
    assert hints(FromCorners) == {"points are the centers of cells: add 0.5 to row and column"}
    assert hints(HalfTheVector) == {"the midpoint is half the sum of both ends, not half their difference"}
