"""Tests of contests between bots: scores, seats, failing bots, resumed runs, and the page with the results."""

from __future__ import annotations

import json

import gridwright as gw
import pytest
from conftest import needs
from gridwright.__main__ import main
from gridwright.check.worker import Isolated
from gridwright.contest import run
from gridwright.contest.table import two_errors

pytestmark = needs("processes")

FIRST = "def play(view, seed):\n    return view.legal[0]\n"
LONGEST = """
import numpy as np

def play(view, seed):
    return view.legal[np.abs(view.legal[:, 2:] - view.legal[:, :2]).sum(axis=1).argmax()]
"""
RANDOM = """
import random

def play(view, seed):
    return random.Random(str((seed, view.left))).choice(view.legal.tolist())
"""
FORGES = """
import json, os, struct

calls = 0

def play(view, seed):
    global calls
    calls += 1
    data = json.dumps({"count": calls, "value": "left"}).encode()
    for number in range(3, 64):
        try:
            os.write(number, struct.pack("!Q", len(data)) + data)
        except OSError:
            pass
    return view.legal[0]
"""
WRONG = {
    "forges": FORGES,
    "long_answer": "def play(view, seed):\n    return range(10**5)\n",
    "hangs": "def play(view, seed):\n    while True: pass\n",
    "hangs_in_c": "def play(view, seed):\n    return sum(range(10**12))\n",
    "crashes": "import os\ndef play(view, seed):\n    os._exit(0)\n",
    "raises": "def play(view, seed):\n    return [][0]\n",
    "cheats": "import gridwright as gw\ndef play(view, seed):\n    return gw.LinearDomination.empty(8, 3).suggest()\n",
    "illegal": "def play(view, seed):\n    return 0, 0, 0, 0\n",
    "text": "def play(view, seed):\n    return 'first'\n",
    "broken": "def play(view, seed)\n    return 1\n",
    "empty": "",
    "memory": "def play(view, seed):\n    return [0] * 10**10\n",
    "off_board": "def play(view, seed):\n    return 10**30, -1, 0, 0\n",
}


def folder_of(tmp_path, **bots):
    folder = tmp_path / "bots"
    folder.mkdir()
    for name, text in bots.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def test_seats_are_exchanged_and_scores_add_up(tmp_path):
    bots = folder_of(tmp_path, first=FIRST, longest=LONGEST, random=RANDOM)
    reports = []
    contest = run(bots, pairs=4, output=tmp_path / "out", progress=reports.append)
    assert reports[-1] == len(contest.games) == 3 * 4 * 2
    assert sum(row.score * row.games for row in contest.table) == len(contest.games)
    for game in contest.games:
        assert sum(game.points) == 1
        assert any(other.bots == game.bots[::-1] and other.pair == game.pair for other in contest.games)
        # Replaying the moves leads to the recorded margin and points.
        board = gw.LinearDomination.generate(8, 3, 2, seed=game.pair)
        for move in game.moves:
            board.play(*move)
        x, o = board.counts
        assert abs(x - o) == game.margin
        assert game.points[0] == (0.5 if x == o else x > o)
        assert len(board.plays) == 20
    assert [row.score for row in contest.table] == sorted((row.score for row in contest.table), reverse=True)


def test_bots_in_a_one_player_contest_play_the_same_boards(tmp_path):
    by_rows = "def play(view, seed):\n    return [int(k[0]) for k in (view.view == '*').nonzero()]\n"
    by_columns = "def play(view, seed):\n    return [int(k[0]) for k in (view.view.T == '*').nonzero()][::-1]\n"
    contest = run(folder_of(tmp_path, rows=by_rows, columns=by_columns), game="geese", pairs=6, output=tmp_path / "out")
    for game in contest.games:
        board = gw.GeeseSpotter.generate(9, 9, 10, safe=(4, 4), seed=game.pair)
        board.show((4, 4))
        for move in game.moves:
            board.play(*move)
        assert board.status == (gw.Status.WON if game.points[0] else gw.Status.LOST)
        assert game.margin == (board.hidden & (board.secret & 15 != 9)).sum()
    assert {row.games for row in contest.table} == {6}


def test_a_bot_sees_the_cells_of_its_opponent_as_2_in_both_seats(tmp_path):
    looks = """
def play(view, seed):
    assert view.board.shape == (8, 8) and view.board.max() <= 2
    assert view.legal.shape[1] == view.plays.shape[1] == 4
    assert view.lookback == 3 and 1 <= view.left <= 18 and len(view.plays) == 20 - view.left
    if len(view.plays) in (3, 4):
        # The opponent made the last play, and its cells are 2 in the views from both seats.
        last = view.plays[-1]
        assert view.board[last[0], last[1]] == 2
    return view.legal[-1]
"""
    contest = run(folder_of(tmp_path, looks=looks, first=FIRST), pairs=2, output=tmp_path / "out")
    assert [row.failures for row in contest.table] == [0, 0], contest.table


@pytest.mark.parametrize("name", sorted(WRONG))
def test_a_failure_loses_the_game_but_does_not_stop_the_contest(tmp_path, name):
    bots = folder_of(tmp_path, **{name: WRONG[name], "random": RANDOM, "first": FIRST})
    contest = run(bots, pairs=1, output=tmp_path / "out", seconds=0.5, memory=256)
    rows = {row.bot: row for row in contest.table}
    assert rows[name].score == 0
    assert rows[name].failures == rows[name].games == 4
    assert rows[name].trouble.startswith(f"{name} ")
    assert len(rows[name].trouble) < 300
    assert rows["random"].failures == rows["first"].failures == 0
    assert len(contest.games) == 6


def test_an_answer_that_is_not_a_move_is_shown_by_its_repr(tmp_path):
    bots = folder_of(tmp_path, text="def play(view, seed): return '5'", nothing="def play(view, seed): return None")
    contest = run(bots, game="geese", pairs=1, output=tmp_path / "out")
    assert sorted(row.trouble for row in contest.table) == [
        "nothing answered None, expected whole numbers",
        "text answered '5', expected whole numbers",
    ]


def test_the_time_of_a_move_does_not_include_the_start_of_the_bot(tmp_path, monkeypatch):
    late = "import time\ntime.sleep(2.5)\n" + FIRST
    fails = "import time\ntime.sleep(2.5)\nmissing\n" + FIRST
    contest = run(folder_of(tmp_path, late=late, fails=fails), pairs=1, output=tmp_path / "out", seconds=2)
    assert [(row.bot, row.failures) for row in contest.table] == [("late", 0), ("fails", 2)]
    assert contest.table[1].trouble == "fails raised NameError: name 'missing' is not defined (line 3)"
    monkeypatch.setattr("gridwright.check.worker._START", 2.0)
    contest = run(tmp_path / "bots", game="geese", pairs=1, output=tmp_path / "geese")
    assert {row.trouble for row in contest.table} == {f"{name} did not start within 2 s" for name in ("late", "fails")}


def test_a_bot_that_does_not_start_is_not_started_in_later_matches(tmp_path, monkeypatch):
    monkeypatch.setattr("gridwright.check.worker._START", 1.0)
    started = []

    def isolated(invoke, bot, memory):
        started.append(bot.__name__)
        return Isolated(invoke, bot, memory)

    monkeypatch.setattr("gridwright.contest.games.Isolated", isolated)
    bots = folder_of(tmp_path, bad="while True: pass", first=FIRST, second=FIRST, third=FIRST)
    contest = run(bots, pairs=3, output=tmp_path / "out", threads=1)
    assert started.count("bad") == 1
    (row,) = [row for row in contest.table if row.bot == "bad"]
    assert (row.failures, row.forfeits, row.games) == (15, 3, 18)
    assert row.trouble == "bad did not start within 1 s"


def test_the_file_of_a_bot_may_begin_with_a_byte_order_mark(tmp_path):
    bots = folder_of(tmp_path, first=FIRST)
    (bots / "marked.py").write_text(FIRST, encoding="utf-8-sig")
    (bots / "folder.py").mkdir()
    contest = run(bots, pairs=1, output=tmp_path / "out")
    assert [(row.bot, row.failures) for row in contest.table] == [("first", 0), ("marked", 0)]


def test_a_bot_forfeits_its_games_after_five_failures_in_a_row(tmp_path):
    contest = run(
        folder_of(tmp_path, hangs=WRONG["hangs"], first=FIRST), pairs=20, output=tmp_path / "out", seconds=0.1
    )
    (row,) = [row for row in contest.table if row.bot == "hangs"]
    assert (row.games, row.losses, row.failures, row.forfeits) == (40, 40, 5, 35)
    assert "hangs did not finish" in row.trouble
    assert "<td>40<td>5<td>35<td>hangs did not finish" in (tmp_path / "out" / "index.html").read_text()
    troubles = [game.trouble for game in contest.games]
    assert sum("did not finish within 0.1 s" in words for words in troubles) == 5
    assert sum("this one was not played" in words for words in troubles) == 35


def test_a_contest_resumes_where_it_stopped(tmp_path):
    bots = folder_of(tmp_path, first=FIRST, random=RANDOM)
    whole = run(bots, pairs=3, output=tmp_path / "whole")
    part = run(bots, pairs=3, output=tmp_path / "part")
    file = tmp_path / "part" / "games.jsonl"
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines[:3], lines[3][: len(lines[3]) // 2]]))
    reports = []
    again = run(bots, pairs=3, output=tmp_path / "part", progress=reports.append)
    assert reports[-1] == 4
    assert again.games == part.games == whole.games
    with pytest.raises(ValueError, match="of another"):
        run(bots, pairs=3, output=tmp_path / "part", game="geese")
    file.write_bytes(b"\xff\xfe\n")
    with pytest.raises(ValueError, match="^output must be a new folder or one of the same contest"):
        run(bots, pairs=3, output=tmp_path / "part")


def test_a_continued_contest_remembers_failures(tmp_path):
    bots = folder_of(tmp_path, illegal=WRONG["illegal"], first=FIRST)
    whole = run(bots, pairs=5, output=tmp_path / "whole")
    assert sum("this one was not played" in game.trouble for game in whole.games) == 5
    # One contest was stopped after three games; the other is extended twice.
    run(bots, pairs=5, output=tmp_path / "part")
    file = tmp_path / "part" / "games.jsonl"
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:4]))
    assert run(bots, pairs=5, output=tmp_path / "part").games == whole.games
    for pairs in (2, 4, 5):
        extended = run(bots, pairs=pairs, output=tmp_path / "extended")
    assert extended.games == whole.games


def test_a_two_player_contest_needs_two_bots(tmp_path):
    with pytest.raises(ValueError, match="bots must be a folder of at least 2 Python files, got 1"):
        run(folder_of(tmp_path, first=FIRST), output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_run_with_fewer_pairs_keeps_the_games_of_a_longer_one(tmp_path):
    bots, out = folder_of(tmp_path, first=FIRST, random=RANDOM), tmp_path / "out"
    long = run(bots, pairs=3, output=out)
    lines = (out / "games.jsonl").read_text()
    short = run(bots, pairs=1, output=out)
    assert {game.pair for game in short.games} == {0}
    assert [row.games for row in short.table] == [2, 2]
    assert (out / "games.jsonl").read_text() == lines
    reports = []
    again = run(bots, pairs=3, output=out, progress=reports.append)
    assert not reports
    assert again == long


def test_the_page_escapes_names_shows_three_films_and_can_hide_names(tmp_path):
    bots = folder_of(tmp_path, **{"a&b": RANDOM, "first": FIRST, "longest": LONGEST})
    run(bots, pairs=2, output=tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text()
    assert "a&amp;b" in page
    assert "a&b" not in page
    assert page.count("<iframe") == 3
    for number in (1, 2, 3):
        assert "data:image/svg" in (tmp_path / "out" / f"film{number}.html").read_text()
    run(bots, pairs=2, output=tmp_path / "out", anonymous=True)
    page = (tmp_path / "out" / "index.html").read_text()
    assert "a&amp;b" not in page
    assert "longest" not in page
    assert "bot 3" in page
    assert (tmp_path / "out" / "names.csv").read_text().splitlines()[1] == "bot 1,a&b"


def test_a_failure_on_an_anonymous_page_reveals_no_name(tmp_path):
    bots = folder_of(tmp_path, broken=WRONG["broken"], longest=LONGEST)
    contest = run(bots, pairs=1, output=tmp_path / "out", anonymous=True)
    assert contest.table[1].trouble == "broken is not a Python program: expected ':' (<bot>, line 1)"
    page = (tmp_path / "out" / "index.html").read_text()
    assert "bot 1 is not a Python program" in page
    assert "broken" not in page


def test_a_failure_quotes_no_line_of_another_file(tmp_path):
    bots = folder_of(tmp_path, random="\n" * 50 + "def play(view, seed):\n    return [][0]\n", longest=LONGEST)
    contest = run(bots, pairs=1, output=tmp_path / "out")
    # The standard library also has a file random.py, whose line 52 must not be quoted.
    assert contest.table[1].trouble == "random raised IndexError: list index out of range (line 52)"


def test_the_command_prints_the_table_and_refuses_a_missing_folder(tmp_path, capsys):
    bots = folder_of(tmp_path, first=FIRST, raises=WRONG["raises"])
    out = tmp_path / "out"
    assert main(["contest", str(bots), "--pairs", "1", "--output", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "1  first" in shown
    assert "failed 2 times: raises raised IndexError" in shown
    assert json.loads((out / "games.jsonl").read_text().splitlines()[0])["contest"] == "domination"
    assert main(["contest", str(bots), "--pairs", "3", "--output", str(out)]) == 0
    assert "failed 5 times, 1 game not played: raises raised IndexError" in capsys.readouterr().out
    assert main(["contest", str(tmp_path / "nothing"), "--output", str(out)]) == 2
    assert "bots must be a folder" in capsys.readouterr().err


def test_two_errors_are_two_standard_errors_of_the_mean_and_never_0():
    assert two_errors([0.5]) == 1
    assert two_errors([0, 1] * 50) == pytest.approx(0.1, rel=0.01)
    assert 0 < two_errors([1] * 50) < 0.05


@pytest.mark.parametrize(
    ("name", "values"),
    {
        "bots": (object(), 5, "/nowhere", __file__),
        "game": (object(), 5, "bloxorz"),
        "pairs": (0, -1, 1.5, "x", 2**70),
        "output": (object(), 5, __file__),
        "seed": (-1, 2**70, None, 0.5),
        "seconds": (0, -1.0, float("nan"), "x", None),
        "memory": (15, 2**70, 1.5),
        "threads": (-1, 1025, None),
        "anonymous": (1, None, "yes"),
        "progress": (7,),
    }.items(),
)
def test_errors_name_the_wrong_argument(tmp_path, name, values):
    bots = folder_of(tmp_path, first=FIRST, random=RANDOM)
    for value in values:
        with pytest.raises((TypeError, ValueError), match=rf"^{name} must be "):
            run(**{"bots": bots, "output": tmp_path / "out", "pairs": 1, name: value})
    assert not (tmp_path / "out").exists()


def test_a_system_that_cannot_fork_is_reported_before_anything_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr("gridwright.contest.can_fork", lambda: False)
    with pytest.raises(RuntimeError, match="needs a system that can fork processes"):
        run(folder_of(tmp_path, first=FIRST), pairs=1, output=tmp_path / "out")
    assert not (tmp_path / "out").exists()
