"""Tests that hostile code earns no points, changes nothing in the grader's process and cannot end that process."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from itertools import count, permutations
from pathlib import Path

import numpy as np
import pytest
from conftest import needs
from gridwright import check, graph
from gridwright.check.worker import can_fork

JUDGE = importlib.import_module("gridwright.check.judge")
FORKS = pytest.mark.skipif(not can_fork(), reason="needs a system that can fork processes")

OURS = graph.diameter  # a global, as in a notebook; workers must disable it as well


class ErrorWithoutText(Exception):
    def __str__(self):
        raise RuntimeError("this error has no text")

    __repr__ = __str__


class UnprintableObject:
    def __repr__(self):
        raise ErrorWithoutText


def raises(error):
    raise error


def forged(nodes, edges):
    """Writes a forged answer to every open file descriptor from 3 to 63."""
    for number in range(3, 64):
        with contextlib.suppress(OSError):
            os.write(number, b"\x00\x00\x00\x00\x00\x00\x00\x02[]")
    return 0


def reads_frames(nodes, edges):
    frame = sys._getframe()
    while frame is not None:
        for name, value in frame.f_locals.items():
            if name == "expected" and isinstance(value, int):
                return value
        frame = frame.f_back
    return 0


def replaces_compare(nodes, edges):
    import gridwright.check.graphs as ours

    ours.Diameter.compare = lambda *_: None
    ours.Diameter.expect = lambda *_: 0
    return 0


def imports_again(nodes, edges):
    for name in [name for name in sys.modules if name.startswith("gridwright")]:
        del sys.modules[name]
    import gridwright

    return gridwright.graph.diameter(nodes, edges)


def forks_forever(nodes, edges):
    while True:
        os.fork()


def starts_programs(nodes, edges):
    return int(subprocess.check_output([sys.executable, "-c", "print(1)"]))


def removes_files(nodes, edges):
    os.remove(__file__)
    return 0


def writes_files(nodes, edges):
    with open(__file__ + ".spoiled", "w") as file:
        file.write("spoiled")
    return 0


def moves_a_file_out(nodes, edges):
    os.rename(tempfile.mkstemp()[1], __file__ + ".spoiled")
    return 0


def creates_a_link(nodes, edges):
    os.symlink(tempfile.mkstemp()[1], __file__ + ".spoiled")
    return 0


def truncates_files(nodes, edges):
    os.truncate(__file__, os.path.getsize(__file__))
    return 0


def closes_everything(nodes, edges):
    os.closerange(0, 4096)
    return 0


ATTACKS = {
    "calls gridwright": (lambda nodes, edges: OURS(nodes, edges), "not available to code that is judged"),
    "imports gridwright again": (imports_again, "not available to code that is judged"),
    "reads frames": (reads_frames, "expected"),
    "replaces the comparison": (replaces_compare, "expected"),
    "forges answers": (forged, ""),
    "ends the process": (lambda nodes, edges: os._exit(0), "ended the process that it runs in, with status 0"),
    "kills its parent": (lambda nodes, edges: os.kill(os.getppid(), signal.SIGKILL), "not allowed in code"),
    "kills its process group": (lambda nodes, edges: os.killpg(0, signal.SIGKILL), "not allowed in code"),
    "forks": (forks_forever, "not allowed in code"),
    "starts programs": (starts_programs, "not allowed in code"),
    "removes files": (removes_files, "code that is judged may write only in"),
    "writes files": (writes_files, "code that is judged may write only in"),
    "moves a file out of its directory": (moves_a_file_out, "code that is judged may write only in"),
    "creates a link outside its directory": (creates_a_link, "code that is judged may write only in"),
    "reads memory": (lambda nodes, edges: Path("/proc/self/mem").read_bytes(), "may not open /proc/self/mem"),
    "truncates files": (truncates_files, "code that is judged may write only in"),
    "closes every file": (closes_everything, ""),
    "lists all objects": (lambda nodes, edges: len(gc.get_objects()), "not allowed in code"),
    "uses all memory": (lambda nodes, edges: len([np.empty(1 << 24) for _ in count()]), "needs more memory"),
    "prints without end": (lambda nodes, edges: [print("x" * 10**6) for _ in count()], "did not finish"),
    "searches a long iterator in C code": (lambda nodes, edges: max(permutations(range(13))), "did not finish"),
    "sums a long range in C code": (lambda nodes, edges: sum(range(10**13)), "did not finish"),
    "sleeps": (lambda nodes, edges: time.sleep(1000), "did not finish"),
    "returns a huge number": (lambda nodes, edges: 10**5000, "a number of 16610 bits"),
    "returns an infinite iterator": (lambda nodes, edges: count(), "expected a whole number"),
    "raises an error without text": (lambda nodes, edges: raises(ErrorWithoutText()), "its text cannot be read"),
    "returns an object whose repr raises": (lambda nodes, edges: UnprintableObject(), "whose repr raises"),
    "raises an error with control characters": (
        lambda nodes, edges: raises(ValueError("\x1b[2J\x00\ud800")),
        "raised ValueError",
    ),
    "exits": (lambda nodes, edges: sys.exit(3), "raised SystemExit: 3"),
    "raises KeyboardInterrupt": (lambda nodes, edges: raises(KeyboardInterrupt()), "raised KeyboardInterrupt"),
}


@FORKS
@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_earn_nothing(name):
    attack, words = ATTACKS[name]
    report = check.diameter(attack, time_limit=0.4, memory_limit=256)
    assert not report.passed
    assert report.score == 0, report
    assert words in report.failure.reason, report
    # The report can be encoded as UTF-8, and all its characters except newlines are printable.
    assert str(report).encode()
    assert all(character.isprintable() or character == "\n" for character in str(report)), report
    assert report.svg().encode()
    assert os.path.exists(__file__)
    assert not os.path.exists(__file__ + ".spoiled")


@FORKS
def test_the_report_on_a_long_line_or_name_is_short():
    long = "x" * 50_000

    def output(text):
        size = int(text.split()[0])
        return "\n".join([". " * size] * size + [long])

    for report in (
        check.print_board(lambda board, x_dim, y_dim: print(long)),
        check.output(output),
        check.output(lambda text: long),
        check.parse(lambda text: [[long for _ in row.split()] for row in text.splitlines()[1:]]),
    ):
        assert not report.passed
        assert len(str(report)) < 5_000
        assert any("xxx" in failure.reason for failure in report.failures)


@FORKS
def test_code_may_write_temporary_files():
    def writes(nodes, edges):
        with tempfile.NamedTemporaryFile("w+", delete=False) as file:
            file.write("one")
            file.flush()
            file.truncate(0)
            os.truncate(file.fileno(), 0)
            os.rename(file.name, file.name + ".moved")
            os.symlink(file.name + ".moved", file.name)
        raise LookupError("every change was allowed")

    assert check.diameter(writes).failure.reason.startswith("raised LookupError: every change was allowed")


@FORKS
def test_a_check_leaves_the_state_of_the_grader_as_it_was():
    def spoils(nodes, edges):
        sys.stdout = sys.stderr = None
        os.chdir("/")
        os.environ["SPOILED"] = "yes"
        sys.setrecursionlimit(77)
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002
        for _ in range(20):
            threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
        check.diameter = None
        return 0

    def state():
        found = sys.stdin, sys.stdout, sys.stderr, os.getcwd(), dict(os.environ), sys.getrecursionlimit()
        random_states = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
        return *found, random_states, threading.active_count(), sys.unraisablehook

    before = state()
    assert check.diameter(spoils).score == 0
    assert state() == before
    assert check.diameter is not None


def test_a_check_in_place_restores_the_state_of_the_grader(monkeypatch):
    monkeypatch.setattr(JUDGE, "can_fork", lambda: False)

    def spoils(nodes, edges):
        sys.stdout = sys.stderr = None
        os.environ["SPOILED"] = "yes"
        os.environ.pop("PATH", None)
        sys.setrecursionlimit(500)
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002
        edges.clear()
        return 0

    def state():
        found = sys.stdin, sys.stdout, sys.stderr, os.getcwd(), dict(os.environ), sys.getrecursionlimit()
        random_states = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
        return *found, random_states, sys.unraisablehook

    before = state()
    report = check.diameter(spoils)
    assert not report.passed
    assert state() == before
    assert any("inside this process" in note for note in report.notes)


@needs("threads")
def test_checks_in_threads_restore_the_streams(monkeypatch):
    monkeypatch.setattr(JUDGE, "can_fork", lambda: False)
    before = sys.stdout, sys.stderr, sys.unraisablehook
    found = []
    work = [
        threading.Thread(target=lambda: found.append(check.rotate(lambda tile: (tile << 1 | tile >> 3) & 15)))
        for _ in range(4)
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join(100)
    assert [report.passed for report in found] == [True] * 4
    assert (sys.stdout, sys.stderr, sys.unraisablehook) == before


@FORKS
def test_checks_in_several_threads_pass_correct_code():
    found = []
    work = [
        threading.Thread(target=lambda: found.append(check.rotate(lambda tile: (tile << 1 | tile >> 3) & 15).passed))
        for _ in range(4)
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join(100)
    assert found == [True] * 4


@FORKS
def test_a_check_leaves_neither_a_process_nor_an_open_file_behind(tmp_path):
    def resources() -> list[set[str]]:
        tasks = Path("/proc/self/task")
        children = {child for task in tasks.glob("*/children") for child in task.read_text().split()}
        return [children, set(os.listdir("/proc/self/fd")) if tasks.is_dir() else set()]

    before = resources()
    check.diameter(lambda nodes, edges: time.sleep(100), time_limit=0.2)
    check.diameter(lambda nodes, edges: os._exit(3))
    after = resources()
    # A process that another test started, such as a browser, may have ended during the checks.
    assert after[0] <= before[0]
    assert len(after[1]) == len(before[1])


@FORKS
def test_a_failed_fork_leaves_no_file_behind(tmp_path, monkeypatch):
    def refused():
        raise BlockingIOError("no process is left")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(os, "fork", refused)
    with pytest.raises(BlockingIOError, match="no process is left"):
        check.diameter(lambda nodes, edges: 0)
    assert not list(tmp_path.iterdir())


@FORKS
def test_code_that_exits_when_its_name_is_read_fails():
    grader = os.getpid()

    class Named(type):
        @property
        def __name__(cls):
            if os.getpid() != grader:
                os._exit(3)
            return "Named"

    class Ends(metaclass=Named):
        pass

    report = check.block(Ends)
    assert report.score == 0
    assert report.failure.reason == "ended the processes in which it is judged"


@FORKS
def test_trivial_answers_earn_nothing():
    for report in (
        check.diameter(lambda nodes, edges: nodes - 1),
        check.diameter(lambda nodes, edges: 3),
        check.is_play_valid(lambda size, lookback, plays, index: True),
        check.is_play_valid(lambda size, lookback, plays, index: False),
        check.power(lambda wires, station: np.ones_like(wires)),
        check.union_find(OneSet),
        check.kruskal(lambda nodes, edges: edges),
        check.bfs(lambda graph, source: [0] * len(graph)),
        check.clean_board(lambda board: None),
        check.is_game_won(lambda board: True),
        check.is_game_won(lambda board: False),
        check.compute_neighbours(lambda board: None),
        check.can_select(lambda board, row, col: True),
        check.solve(lambda text: None),
    ):
        assert not report.passed
        assert report.score == 0, report


class OneSet:
    def __init__(self, n):
        pass

    def find(self, x):
        return 0

    def union(self, a, b):
        pass
