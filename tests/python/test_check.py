"""Tests of ``gridwright.check``: correct code passes, wrong code fails on a small case, and no check hangs."""

from __future__ import annotations

import importlib
import itertools
import linecache
import math
import re
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest
from conftest import needs
from gridwright import check
from gridwright.check.guard import call

JUDGE = importlib.import_module("gridwright.check.judge")


class Block:
    """A correct block as a student may write it; each subclass introduces a mistake."""

    def __init__(self, row, col):
        self.a = self.b = (row, col)

    def roll(self, dr, dc):
        (r1, c1), (r2, c2) = sorted((self.a, self.b))
        if self.a == self.b:
            self.a, self.b = (r1 + dr, c1 + dc), (r1 + 2 * dr, c1 + 2 * dc)
        elif (r1 == r2) == (dr == 0):
            ahead = (r2, c2) if dr + dc > 0 else (r1, c1)
            self.a = self.b = (ahead[0] + dr, ahead[1] + dc)
        else:
            self.a, self.b = (r1 + dr, c1 + dc), (r2 + dr, c2 + dc)

    def left(self):
        self.roll(0, -1)

    def right(self):
        self.roll(0, 1)

    def up(self):
        self.roll(-1, 0)

    def down(self):
        self.roll(1, 0)

    def positions(self):
        return [self.a] if self.a == self.b else [self.b, self.a]

    def is_standing(self):
        return self.a == self.b


class StandsUpInTheWrongPlace(Block):
    def up(self):
        (r1, c1), (r2, _) = sorted((self.a, self.b))
        if r1 != r2:
            self.a = self.b = (r2 - 1, c1)
        else:
            self.roll(-1, 0)


class NeverFallsOver(Block):
    def down(self):
        row, col = self.a
        self.a, self.b = (row + 1, col), (row + 1, col)


class ListsTheCellTwice(Block):
    def positions(self):
        return [self.a, self.b]


class AlwaysStands(Block):
    def is_standing(self):
        return True


class ForgetsToReturn(Block):
    def positions(self):
        self.a  # noqa: B018


class HasNoPositions:
    def __init__(self, row, col):
        pass


class FallsFarAway(Block):
    def up(self):
        self.a = self.b = (-1000, 7)


class RaisesWhenLying(Block):
    def left(self):
        if self.a != self.b:
            raise NotImplementedError("lying")
        self.roll(0, -1)


class Endless(Block):
    def right(self):
        while True:
            self.roll(0, 0)


class EndlessAndCatchesExceptions(Block):
    def right(self):
        while True:
            try:
                while True:
                    self.roll(0, 0)
            except Exception:
                pass


class Quits(Block):
    def left(self):
        sys.exit(3)


class RecursesForever(Block):
    def left(self):
        self.left()


class Prints(Block):
    def left(self):
        print("rolling " * 1000)
        self.roll(0, -2)


@pytest.mark.parametrize(
    ("cls", "rolls", "words"),
    [
        (StandsUpInTheWrongPlace, 2, "positions() returned [("),
        (NeverFallsOver, 1, "after 'd' positions()"),
        (ListsTheCellTwice, 0, "expected each cell once"),
        (AlwaysStands, 1, "is_standing() returned True, expected False"),
        (ForgetsToReturn, 0, "is a return missing?"),
        (HasNoPositions, 0, "'HasNoPositions' object has no attribute 'positions'"),
        (FallsFarAway, 1, "positions() returned [(-1000, 7)], expected ["),
        (RaisesWhenLying, 2, "raised NotImplementedError: lying (line"),
        (Endless, 1, "did not finish within 0.3 s"),
        (EndlessAndCatchesExceptions, 1, "did not finish within 0.3 s"),
        (Quits, 1, "raised SystemExit: 3"),
        (RecursesForever, 1, "raised RecursionError"),
        (Prints, 1, "positions() returned"),
    ],
)
def test_a_small_case_exposes_wrong_blocks(cls, rolls, words, capsys):
    report = check.block(cls, time_limit=0.3)
    assert not report.passed
    assert len(report.failure.case[1]) == rolls, report
    assert words in report.failure.reason
    assert 0 <= report.score < 1
    assert capsys.readouterr().out == ""
    assert ("rolling" in report.failure.printed) == (cls is Prints)
    assert len(report.failure.printed) <= 2000


def test_the_drawn_answer_omits_a_block_that_is_far_away():
    before, expected, got = check.block(FallsFarAway).failure.panels
    assert "#" in "".join(expected.text()[1:])
    assert "#" in "".join(before.text()[1:])
    assert "#" not in "".join(got.text()[1:])


def test_right_blocks_pass():
    class Frozen:
        """An immutable block: each roll returns a new block, and ``positions`` is a property, not a method."""

        def __init__(self, row, col, cells=None):
            self._cells = cells or ((row, col),)

        def _roll(self, key):
            block = Block(*self._cells[0])
            block.a, block.b = self._cells[0], self._cells[-1]
            getattr(block, key)()
            return Frozen(0, 0, tuple({block.a, block.b}))

        def left(self):
            return self._roll("left")

        def right(self):
            return self._roll("right")

        def up(self):
            return self._roll("up")

        def down(self):
            return self._roll("down")

        @property
        def positions(self):
            return list(self._cells)

        def isStanding(self):
            return len(self._cells) == 1

    for cls in (Block, Frozen):
        report = check.block(cls)
        assert report.passed, report
        assert report
        assert report.score == 1.0
        assert report.points(8, display=False) == 8
        report.raise_if_wrong()


def test_a_report_can_be_displayed_saved_and_raised(tmp_path):
    report = check.block(NeverFallsOver)
    text = str(report)
    assert repr(report) == text
    assert "block: not right yet, score 0." in text
    assert re.search(r"- one roll +3 of 4", text)
    assert "expected" in text
    assert "got" in text
    assert "[#]" in text or "[.]" in text
    assert report.failure.call == "block = NeverFallsOver(2, 2); block.down(); block.positions()"
    bundle = report._repr_mimebundle_()
    assert bundle["text/plain"] == text
    assert bundle["text/html"].startswith('<img src="data:image/svg+xml;base64,')
    for theme in ("light", "dark"):
        picture = ET.fromstring(report.svg(theme=theme))
        assert picture.tag.endswith("svg")
    report.save_image(tmp_path / "wrong.png")
    assert (tmp_path / "wrong.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"path must end in .svg or .png"):
        report.save_image(tmp_path / "wrong.doc")
    with pytest.raises(TypeError, match=r"path must be a path, got 3 \(int\)"):
        report.save_image(3)
    with pytest.raises(TypeError, match="^display must be a bool, got 1 .int.$"):
        report.points(10, display=1)
    with pytest.raises(check.WrongAnswer) as caught:
        report.raise_if_wrong()
    assert isinstance(caught.value, AssertionError)
    assert text in str(caught.value)
    assert caught.value.report is report


def test_the_report_of_a_check_with_one_case_mentions_the_only_case():
    report = check.console(lambda: print("Hello"), dialogues=[("\n", "Hello\n")])
    assert str(report).splitlines()[0] == "console: right in the only case"


def test_a_check_finds_the_same_score_and_case_in_every_run():
    reports = [check.block(AlwaysStands) for _ in range(2)]
    assert reports[0].score == reports[1].score
    assert reports[0].failure.case == reports[1].failure.case


def test_answers_that_differ_between_calls_are_reported():
    count = iter(range(10**9))

    class ChangesItsAnswer(Block):
        def is_standing(self):
            # Only the tenth answer of each process is wrong.
            return (self.a == self.b) != (next(count) == 9)

    report = check.block(ChangesItsAnswer)
    assert not report.passed
    assert "was wrong after other calls and right when called first" in report.failure.reason
    assert "kept from call to call" in report.failure.hint


@needs("threads")
def test_a_check_works_outside_the_main_thread():
    found = []
    thread = threading.Thread(target=lambda: found.append(check.block(Endless, time_limit=0.3)))
    thread.start()
    thread.join(60)
    assert "did not finish" in found[0].failure.reason


@needs("threads")
def test_code_that_cannot_be_stopped_is_left_running(monkeypatch):
    monkeypatch.setattr(JUDGE, "can_fork", lambda: False)
    started = time.monotonic()
    outcome = call(lambda: time.sleep(40), 0.1)
    assert time.monotonic() - started < 30
    assert outcome.stuck
    assert outcome.trouble == "did not finish within 0.1 s and could not be stopped"

    class Sleeps(Block):
        def left(self):
            time.sleep(40)

    report = check.block(Sleeps, time_limit=0.1)
    assert "could not be stopped" in report.failure.reason
    assert any("start the interpreter" in note for note in report.notes)
    assert any("inside this process" in note for note in report.notes)


def test_wrong_arguments_of_a_check_raise_errors():
    with pytest.raises(TypeError, match="cls must be a class, got 3 .int."):
        check.block(3)
    for wrong in (0, -1, float("nan"), 1e9):
        with pytest.raises(ValueError, match="time_limit"):
            check.block(Block, time_limit=wrong)


@pytest.mark.parametrize("kind", [np.int16, np.int32, np.uint64, np.float32])
def test_options_may_be_numpy_numbers(kind: type):
    whole = kind if kind is not np.float32 else int
    # 4096 MiB is 2^32 bytes, which overflows a 32-bit integer.
    limits = {"time_limit": kind(2), "memory_limit": whole(4096), "seed": whole(7), "weights": {"one roll": kind(2)}}
    report = check.block(Block, **limits)
    assert report.passed, report
    assert {part.name: part.weight for part in report.parts}["one roll"] == 2


@pytest.mark.parametrize(
    ("wrong", "kind", "sentence"),
    [
        (0, ValueError, "be greater than 0 and at most 3600 seconds, got 0"),
        (3601, ValueError, "be greater than 0 and at most 3600 seconds, got 3601"),
        (float("nan"), ValueError, "be a finite number, got nan"),
        ("2", TypeError, "be a number, got '2' (str)"),
        (True, TypeError, "be a number, got True (bool)"),
    ],
)
def test_a_wrong_time_limit_raises_an_error(wrong: Any, kind: type, sentence: str):
    with pytest.raises(kind, match="^" + re.escape(f"time_limit must {sentence}") + "$"):
        check.block(Block, time_limit=wrong)


def test_large_weights_do_not_overflow_the_score():
    parts = (check.Part("a", 1, 1, weight=1e308), check.Part("b", 1, 2, weight=1e308))
    report = check.Report("block", parts, check.block(NeverFallsOver).failures)
    assert report.score == 0.75


def test_the_docstring_of_each_check_describes_every_option():
    items = " ".join(check.Options.__doc__.split("\n\n")[1].split())
    assert "the usual ones." in items
    checks = [found for found in map(vars(check).get, check.__all__) if hasattr(found, "__signature__")]
    assert len(checks) == 29
    for function in checks:
        assert items in " ".join(function.__doc__.split()), function.__name__


@pytest.mark.parametrize(
    ("wrong", "kind", "sentence"),
    [
        (float("inf"), ValueError, "be finite and at least 0, got inf"),
        (-1, ValueError, "be finite and at least 0, got -1"),
        pytest.param(10**5000, ValueError, "be finite and at least 0, got an integer of 16610 bits", id="huge"),
        ("2", TypeError, "be a number, got '2' (str)"),
        (True, TypeError, "be a number, got True (bool)"),
        (None, TypeError, "be a number, got None"),
    ],
)
def test_weights_and_points_must_be_finite_and_at_least_0(wrong: Any, kind: type, sentence: str):
    report = check.block(Block)
    with pytest.raises(kind, match="^" + re.escape(f"weights['one roll'] must {sentence}") + "$"):
        check.block(Block, weights={"one roll": wrong})
    with pytest.raises(kind, match="^" + re.escape(f"most must {sentence}") + "$"):
        report.points(wrong, display=False)


def test_the_error_for_a_missing_hypothesis_says_how_to_install_it():
    code = (
        "import sys\n"
        "sys.modules['hypothesis'] = None\n"
        "from gridwright import check\n"
        "try:\n"
        "    check.block(object)\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "gridwright.check needs hypothesis: pip install 'gridwright[teach]'"


def test_a_check_whose_time_runs_out_reports_the_rest_as_wrong(monkeypatch):
    def slow(board):
        time.sleep(0.02)
        return tuple(int((board == code).sum()) for code in (1, 2))

    monkeypatch.setattr(check.judge.Check, "ends", time.monotonic() + 1.0)
    report = check.counts(slow)
    assert 0 < sum(part.passed for part in report.parts) < sum(part.total for part in report.parts)
    assert {failure.reason for failure in report.failures} == {"was not tried, because the time for all cases ran out"}


def test_a_case_that_was_not_tried_is_not_reported_in_place_of_a_wrong_answer(monkeypatch):
    def wrong_on_large_boards(board):
        black, white = (int((board == code).sum()) for code in (1, 2))
        return (black, white) if len(board) < 5 else (black + 9, white)

    # No time is left after 25 of the 50 random boards; some of the others are smaller than the wrong ones.
    ends = itertools.chain(itertools.repeat(math.inf, 3 + 81 + 25), itertools.repeat(0.0))
    monkeypatch.setattr(check.judge.Check, "ends", property(lambda _: next(ends)))
    report = check.counts(wrong_on_large_boards)
    assert len(report.failure.case) >= 5
    assert re.match(r"returned \d+ for X", report.failure.reason)


def test_ctrl_c_ends_a_check():
    code = (
        "import os, signal, threading\n"
        "from gridwright import check\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore SIGINT\n"
        "class Endless:\n"
        "    def __init__(self, row, col):\n"
        "        while True: pass\n"
        "threading.Timer(2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    check.block(Endless, time_limit=60)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', *(each.name for each in threading.enumerate()))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=50)
    assert done.stdout == "interrupted MainThread\n"


def test_the_text_of_a_report_shortens_a_long_call():
    report = check.compute_neighbours(lambda board, xdim, ydim: None)
    i = next(i for i, failure in enumerate(report.failures) if len(failure.call) > 1000)
    assert f"(failures[{i}].call of this report is the whole call)" in str(report)
    assert max(map(len, str(report).splitlines())) < 500


def test_a_report_without_a_picture_has_no_consecutive_empty_lines():
    assert "\n\n\n" not in str(check.parse(lambda text: None))


def test_an_error_in_an_edited_module_is_quoted_with_the_new_line(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "edited_between_checks.py"
    file.write_text("def lengths(nodes, edges):\n    return 1 // 0\n")
    module = importlib.import_module(file.stem)
    assert "(line 2: return 1 // 0)" in check.diameter(module.lengths).failure.reason
    assert linecache.getline(str(file), 2)  # as a traceback in the same process does
    file.write_text("def lengths(nodes, edges):\n    return [][nodes]\n")
    importlib.reload(module)
    assert "(line 2: return [][nodes])" in check.diameter(module.lengths).failure.reason
    monkeypatch.delitem(sys.modules, file.stem)
