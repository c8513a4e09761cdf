"""Tests that the checks cover every function of the source documents and pass correct code with various signatures."""

from __future__ import annotations

import importlib
import itertools
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import numpy as np
import pytest
import solutions
from conftest import needs, remarks
from gridwright import check
from gridwright.check import read
from gridwright.check.guard import UnreadableAnswer, parameters
from gridwright.photon import Tile

JUDGE = importlib.import_module("gridwright.check.judge")

solutions.CODES = {int(tile): tile.name for tile in Tile}

REQUIRED = {
    "GeeseSpotter": "create_board clean_board print_board spread_geese hide_board mark compute_neighbours reveal "
    "is_game_won console",
    "LightEmAll": "union_find kruskal bfs diameter radius power rotate",
    "MyPhoton": "beams can_select swap parse",
    "Bloxorz": "block terrain solve",
    "Linear Domination": "parametric_line trace_line is_play_valid counts output",
}

CLASSES = {"union_find": solutions.UnionFind, "block": solutions.Block, "terrain": solutions.Terrain}
CLASSES["parametric_line"] = solutions.ParametricLine


def test_exactly_the_required_functions_have_a_check():
    required = {name for names in REQUIRED.values() for name in names.split()}
    not_checks = {"for_student"} | {name for name in check.__all__ if not name.islower()}
    assert required == set(check.__all__) - not_checks


@pytest.mark.parametrize("name", sorted({*" ".join(REQUIRED.values()).split()} - {"console"}))
def test_right_solutions_pass(name):
    report = getattr(check, name)(CLASSES.get(name) or getattr(solutions, name))
    assert report.passed, report
    assert report.score == 1
    assert not remarks(report)


def flat(function):
    """Adapts a function of a two-dimensional board to the source document's signature, in which the board is flat."""
    return lambda board, x_dim, y_dim, *rest: function(board.reshape(y_dim, x_dim), *rest[::-1])


def rows(function):
    """Adapts a function with the source document's signature to take a two-dimensional board instead of a flat one."""

    def on_rows(board, *rest):
        return function(board.reshape(-1), board.shape[1], board.shape[0], *rest[::-1])

    return on_rows


class Pos:
    def __init__(self, x, y):
        self.x, self.y = x, y


class KotlinBlock:
    """A block as in the source document, in which cells are objects with ``x`` and ``y``."""

    def __init__(self, p):
        self._block = solutions.Block(p.y, p.x)

    def positions(self):
        return [Pos(col, row) for row, col in self._block.positions()]

    def isStanding(self):
        return self._block.is_standing()

    def __getattr__(self, name):
        return getattr(self.__dict__["_block"], name)


class KotlinTerrain:
    def __init__(self, fname):
        with open(fname) as file:
            self._terrain = solutions.Terrain(file.read().rstrip("\n"))

    def start(self):
        return Pos(*self._terrain.start()[::-1])

    def target(self):
        return Pos(*self._terrain.target()[::-1])

    def width(self):
        return self._terrain.width()

    def height(self):
        return self._terrain.height()

    def at(self, p):
        return self._terrain.at((p.y, p.x))

    def canHold(self, b):
        strong = [self.at(p) for p in b.positions()]
        return min(strong) > (1 if b.isStanding() else 0)


class Edge:
    def __init__(self, fromNode, toNode, weight):
        self.fromNode, self.toNode, self.weight = fromNode, toNode, weight


def kruskal_of_edges(edges):
    nodes = 1 + max((max(edge.fromNode, edge.toNode) for edge in edges), default=0)
    chosen = solutions.kruskal(nodes, [(edge.fromNode, edge.toNode, edge.weight) for edge in edges])
    return [edge for edge in edges if (edge.fromNode, edge.toNode, edge.weight) in chosen]


def find(representatives, name):
    return name if representatives[name] == name else find(representatives, representatives[name])


def union(representatives, one, other):
    representatives[one] = other


class GamePiece:
    def __init__(self, left, right, top, bottom):
        self.left, self.right, self.top, self.bottom = left, right, top, bottom

    def rotate(self):
        self.top, self.right, self.bottom, self.left = self.left, self.top, self.right, self.bottom


def turn_piece(piece):
    piece.top, piece.right, piece.bottom, piece.left = piece.left, piece.top, piece.right, piece.bottom


def power_pieces(board, power_row, power_col, radius):
    wires = np.array([[int(column[r]) for column in board] for r in range(len(board[0]))])
    for r, line in enumerate(solutions.power(wires, (power_row, power_col), radius)):
        for c, powered in enumerate(line):
            board[c][r].powered = powered


def turn_piece_by(tile, turns):
    for _ in range(turns):
        turn_piece(tile)


def run_game(input_path, output_path):
    with open(input_path) as file, open(output_path, "w") as out:
        out.write(solutions.output(file.read()).replace(".", " "))


FORMS = {
    "create_board in two dimensions": lambda: check.create_board(
        lambda x_dim, y_dim: np.zeros((y_dim, x_dim), np.uint8)
    ),
    "print_board in two dimensions": lambda: check.print_board(lambda board: rows(solutions.print_board)(board)),
    "spread_geese in two dimensions": lambda: check.spread_geese(
        lambda board, num_geese: solutions.spread_geese(board.reshape(-1), *board.shape[::-1], num_geese)
    ),
    "hide_board in two dimensions": lambda: check.hide_board(lambda board: rows(solutions.hide_board)(board)),
    "mark in two dimensions": lambda: check.mark(lambda board, row, col: rows(solutions.mark)(board, row, col)),
    "compute_neighbours in two dimensions": lambda: check.compute_neighbours(
        lambda board: rows(solutions.compute_neighbours)(board)
    ),
    "reveal with the document's arguments": lambda: check.reveal(
        lambda board, x_dim, y_dim, x_loc, y_loc: flat(solutions.reveal)(board, x_dim, y_dim, x_loc, y_loc)
    ),
    "is_game_won in two dimensions": lambda: check.is_game_won(lambda board: rows(solutions.is_game_won)(board)),
    "union_find as two functions": lambda: check.union_find((find, union)),
    "union_find called only with roots": lambda: check.union_find(solutions.UnionFind, roots=True),
    "kruskal with edge objects": lambda: check.kruskal(kruskal_of_edges, edge=Edge),
    "bfs that returns a path": lambda: check.bfs(solutions.bfs_path, answer="path"),
    "bfs that returns an order": lambda: check.bfs(
        lambda graph, source: list(solutions.bfs(graph, source)), answer="order"
    ),
    "power without a radius": lambda: check.power(lambda wires, station: solutions.power(wires, station, 10**6)),
    "power of piece objects": lambda: check.power(power_pieces, pieces=True),
    "rotate that changes a piece": lambda: check.rotate(turn_piece),
    "rotate as a method": lambda: check.rotate(GamePiece),
    "rotate that changes a piece by several turns": lambda: check.rotate(turn_piece_by),
    "rotate by several turns": lambda: check.rotate(lambda tile, turns: (tile * 17 << turns % 4 >> 4) & 15),
    "can_select with the document's arguments": lambda: check.can_select(
        lambda board, x, y, first: solutions.can_select(board, y, x) or (not first and board[y, x] == Tile.EMPTY)
    ),
    "can_select with a cell": lambda: check.can_select(lambda board, cell: solutions.can_select(board, *cell)),
    "swap with the document's arguments": lambda: check.swap(
        lambda board, x1, y1, x2, y2: solutions.swap(board, (y1, x1), (y2, x2))
    ),
    "block as in the document": lambda: check.block(KotlinBlock),
    "terrain from a file": lambda: check.terrain(KotlinTerrain, file=True),
    "parametric_line with two cells": lambda: check.parametric_line(
        lambda tail, head: solutions.ParametricLine(*tail, *head)
    ),
    "trace_line with four numbers": lambda: check.trace_line(lambda a, b, c, d: solutions.trace_line((a, b), (c, d))),
    "counts by color": lambda: check.counts(lambda board, color: sum(row.count(color) for row in board)),
    "output with two files": lambda: check.output(run_game),
}


@pytest.mark.parametrize("form", FORMS)
def test_right_solutions_with_other_signatures_pass(form):
    report = FORMS[form]()
    assert report.passed, report


def test_a_check_of_a_terrain_from_a_file_leaves_no_file_behind(monkeypatch, tmp_path):
    monkeypatch.setattr(JUDGE, "can_fork", lambda: False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert FORMS["terrain from a file"]().passed
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("reads", "sentence"),
    [
        (lambda: read.whole(-(1 << 63), "n"), "n is a number of 64 bits, expected a number from -2^62 to 2^62"),
        (lambda: read.whole(bytearray(b"3"), "n"), "n is bytearray(b'3'), expected a whole number"),
        (lambda: read.number(bytearray(b"3"), "t"), "t is bytearray(b'3'), expected a number"),
        (lambda: read.list_of(np.array(3), "the answer"), "the answer is array(3), expected a list"),
        (lambda: read.cell_of(itertools.count(), "the head"), "the head is count(3), expected (row, col)"),
        (lambda: read.cell_of(b"ab", "the head"), "the head is b'ab', expected (row, col)"),
        (lambda: read.cell_of(np.array(3), "the head"), "the head is array(3), expected (row, col)"),
        (
            lambda: read.matrix_of([[1e300]], (1, 1), "fields"),
            "returned an array of fields that holds a value beyond 2^62",
        ),
        (
            lambda: read.matrix_of(np.array([[2**64 - 1]], np.uint64), (1, 1), "fields"),
            "returned an array of fields that holds a value beyond 2^62",
        ),
    ],
)
def test_answers_that_cannot_be_read_are_described(reads, sentence):
    with pytest.raises(UnreadableAnswer, match="^" + re.escape(sentence) + "$"):
        reads()


@needs("processes")
def test_the_console_may_be_a_command():
    report = check.console([sys.executable, "-m", "gridwright", "geese"], time_limit=20)
    assert report.passed, report


def echo():
    while line := input("> "):
        print(line.upper())


def test_the_console_may_be_a_function_with_dialogues(monkeypatch):
    dialogues = [("one\n", "> ONE\n> \n"), ("a\nb\n", "> A\n> B\n>\n")]
    report = check.console(echo, dialogues=dialogues)
    assert report.passed, report
    wrong = check.console(lambda: print(input()), dialogues=[("one\n", "ONE\n")])
    assert wrong.failure.reason == "line 1: got 'one', expected 'ONE'"
    assert wrong.failure.hint == "only spaces or capital letters differ"
    # In a notebook, the kernel replaces `input` with a function that asks in the browser.
    monkeypatch.setattr("builtins.input", lambda prompt="": 1 / 0)
    assert check.console(echo, dialogues=dialogues).passed
    assert not check.console(lambda: None).passed
    assert "raised ZeroDivisionError" in check.console(lambda: 1 // 0).failure.reason


def test_dialogues_with_two_outputs_for_the_same_input_are_refused():
    assert check.console(echo, dialogues=[("\n", ">"), ("\n", ">")]).passed
    with pytest.raises(ValueError, match="^dialogues must be pairs with one .* typed text, got two for 'a.n'$"):
        check.console(echo, dialogues=[("a\n", "> A\n>"), ("a\n", "> B\n>")])


def test_arguments_are_counted_without_evaluating_annotations():
    class BrokenSignature:
        @property
        def __signature__(self):
            raise NameError("name 'Missing' is not defined")

        def __call__(self, wires, station):
            return wires > 0

    assert parameters(BrokenSignature()) is None
    assert check.power(BrokenSignature()).failure.reason.startswith("the tile at ")
    space = {}
    source = "def answer(board: Missing, row: Missing, col: Missing): pass"
    exec(("" if sys.version_info >= (3, 14) else "from __future__ import annotations\n") + source, space)
    assert parameters(space["answer"]) == 3


def prints_windows_line_endings():
    print("Price:\u00a05 \x1b[1meuros", end="\r\n")
    print("bye", end="\r\n")


@pytest.mark.parametrize("printed", ["Price:\u00a05 \x1b[1meuros\nbye\n", "Price:\u00a05 \x1b[1meuros\r\nbye\r\n"])
def test_text_with_control_characters_passes_with_either_line_ending(printed):
    report = check.console(prints_windows_line_endings, dialogues=[("", printed)])
    assert report.passed, report


@needs("processes")
def test_a_command_may_print_windows_line_endings():
    code = "import sys; sys.stdout.buffer.write(b'hello\\r\\n\\r\\nbye\\r\\n')"
    report = check.console([sys.executable, "-c", code], dialogues=[("\ud800\n", "hello\n\nbye\n")], time_limit=20)
    assert report.passed, report


def test_text_that_is_neither_a_prompt_nor_a_board_row_is_ignored():
    def program():
        print("A sentence that the source document does not contain.")
        input("Please enter the x dimension: ")

    reason = check.console(program).failure.reason
    assert reason.startswith("prompt or board row 1: got nothing, expected 'Welcome to GeeseSpotter!'")


def test_long_lines_are_shortened_to_the_part_that_differs():
    # In a browser's Python on a busy machine, printing a million characters can exceed the default time limit.
    def difference(line, expected):
        return check.console(lambda: print(line), dialogues=[("", expected)], time_limit=60).failure.reason

    x, y = "x", "y"
    reason = difference(x * 500 + y * 10**6, x * 600 + "\n")
    assert reason == f"line 1: got '...{x * 20}{y * 60}...', expected '...{x * 80}...'"
    reason = difference(x * 10**6, "hello")
    assert reason == f"line 1: got '{x * 80}...', expected 'hello'"


@needs("processes")
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("name", ["ABRT", "BUS", "FPE", "ILL", "SEGV"])
def test_crash_signals_are_reported(name):
    number = int(signal.Signals[f"SIG{name}"])
    code = f"import os; os.kill(os.getpid(), {number})"
    reason = check.console([sys.executable, "-c", code], time_limit=20).failure.reason
    assert reason == f"was ended by signal {number} (a crash)"


@needs("processes")
def test_commands_that_do_not_start_or_do_not_end_fail(tmp_path):
    sleeping = [sys.executable, "-c", "import time; time.sleep(100)"]
    assert "did not finish within 0.5 s" in check.output(sleeping, time_limit=0.5).failure.reason
    assert "cannot be started" in check.output([str(tmp_path / "none")]).failure.reason
    printing = [sys.executable, "-c", "while True: print('x' * 10000)"]
    assert not check.console(printing, time_limit=1).passed


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_program_in_c_passes(tmp_path):
    code = r"""
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    static int p[1000][4];
    int main(int argc, char **argv) {
        FILE *in = fopen(argv[1], "r"), *out = fopen(argv[2], "w");
        int n, k, m = 0;
        static char g[64][64];
        memset(g, '.', sizeof g);
        if (fscanf(in, "%d %d", &n, &k) != 2) return 1;
        while (fscanf(in, "%d %d %d %d", &p[m][0], &p[m][1], &p[m][2], &p[m][3]) == 4) m++;
        for (int i = 0; i < m; i++) {
            int ok = 1, *q = p[i];
            for (int j = 0; j < 4; j++) ok &= q[j] >= 1 && q[j] <= n;
            for (int j = i > k ? i - k : 0; j < i; j++) {
                int *o = p[j];
                if (o[0] + o[2] == q[0] + q[2] && o[1] + o[3] == q[1] + q[3]) ok = 0;
                if ((o[2] - o[0]) * (q[2] - q[0]) + (o[3] - o[1]) * (q[3] - q[1]) == 0) ok = 0;
            }
            if (!ok) continue;
            int dr = q[2] - q[0], dc = q[3] - q[1];
            for (int r = 1; r <= n; r++)
                for (int c = 1; c <= n; c++) {
                    int lo_r = dr < 0 ? q[2] : q[0], hi_r = dr < 0 ? q[0] : q[2];
                    int lo_c = dc < 0 ? q[3] : q[1], hi_c = dc < 0 ? q[1] : q[3];
                    if (r < lo_r || r > hi_r || c < lo_c || c > hi_c) continue;
                    if (2 * abs(dr * (c - q[1]) - dc * (r - q[0])) < abs(dr) + abs(dc) || (!dr && !dc))
                        g[r][c] = i % 2 ? 'O' : 'X';
                }
        }
        int x = 0, o = 0;
        for (int r = 1; r <= n; r++) {
            for (int c = 1; c <= n; c++) {
                fprintf(out, "%c ", g[r][c]);
                x += g[r][c] == 'X';
                o += g[r][c] == 'O';
            }
            fprintf(out, "\n");
        }
        fprintf(out, "Player X: %d cells; Player O: %d cells\n", x, o);
        return 0;
    }
    """
    (tmp_path / "game.c").write_text(code)
    subprocess.run(["cc", "-o", tmp_path / "game", tmp_path / "game.c"], check=True)
    report = check.output([tmp_path / "game"], time_limit=10)
    assert report.passed, report
