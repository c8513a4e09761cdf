"""Tests of the command line, called as a function, run as a process, and used in a pseudo-terminal."""

from __future__ import annotations

import io
import os
import re
import select
import signal
import subprocess
import sys
import time

import games
import gridwright as gw
import numpy as np
import pytest
from conftest import skip_without
from gridwright import __main__
from gridwright.__main__ import main
from gridwright.controls import Action, Controls, Verb
from gridwright.play import typed
from gridwright.solved import MemoryStorage, use_storage


@pytest.fixture(autouse=True)
def _fresh_storage(monkeypatch):
    monkeypatch.setenv("GRIDWRIGHT_SOLVED", "")
    use_storage(MemoryStorage())
    yield
    use_storage(None)


def run(*arguments: str, text: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    skip_without("processes")
    command = [sys.executable, "-m", "gridwright", *arguments]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", **variables}
    return subprocess.run(
        command, input=text, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False, env=environment
    )


def test_demo_plays_every_game_to_its_end(tmp_path):
    done = run("demo", "--folder", str(tmp_path))
    assert done.returncode == 0, done.stderr
    parts = re.split(r"^== ", done.stdout, flags=re.M)[1:]
    assert len(parts) == len(gw.GAMES)
    for (name, kind), part in zip(gw.GAMES.items(), parts, strict=True):
        assert part.startswith(kind.__name__)
        assert re.search(r"You won|wins|[Dd]rawn", part), part
        for file in ("-start.svg", "-end.svg"):
            assert (tmp_path / f"{name}{file}").read_text().startswith("<svg")
        assert "data:image/svg" in (tmp_path / f"{name}.html").read_text()
    assert "All agreed plays have been made" in parts[list(gw.GAMES).index("domination")]
    assert str(tmp_path) in done.stdout


def test_levels_lists_every_level_with_size_and_grade(capsys):
    assert main(["levels"]) == 0
    everything = capsys.readouterr().out
    for name, kind in gw.GAMES.items():
        assert main(["levels", name]) == 0
        listed = capsys.readouterr().out
        assert listed in everything
        assert [line.split()[1] for line in listed.splitlines()] == list(kind.levels())
        level = kind.level("level07")
        line = next(line for line in listed.splitlines() if " level07 " in line)
        assert line.split()[2:] == [str(level.height), "x", str(level.width), level.difficulty().name]


def test_bench_prints_speeds(capsys):
    assert main(["bench", "photon"]) == 0
    out = capsys.readouterr().out
    assert "play and undo" in out
    assert "M/s" in out
    solved = next(line.split()[1] for line in out.splitlines() if line.split()[0] == "solve")
    assert gw.MyPhoton.level(solved).solution() is not None


def test_solve_prints_a_solution_or_reports_that_none_exists(capsys, tmp_path):
    assert main(["solve", "bloxorz", "level01"]) == 0
    out = capsys.readouterr().out
    assert "rrdrrrd" in out
    assert "WON" in out
    path = tmp_path / "mine.txt"
    path.write_text("So\n--\nT-")
    assert main(["solve", "Bloxorz", str(path)]) == 1
    assert "no solution (proved)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["solve", "bloxors", "level01"], 'no game "bloxors"; did you mean "bloxorz"'),
        (["solve", "bloxorz", "levle01"], 'no level "levle01" of Bloxorz; did you mean "level01"'),
        (["solve", "bloxorz", "no/such/file.txt"], "no such file: no/such/file.txt"),
        (["play", "chess"], 'no game "chess"; expected one of photon'),
        (["levels", "bloxor"], 'no game "bloxor"; did you mean "bloxorz"'),
        (["generate", "geese", "a", "b", "c"], "height must be a whole number, got a"),
        (["contest", "bots", "--game", "chess"], "game must be 'domination' or 'geese', got 'chess'"),
        (
            ["generate", "geese", "9", "9"],
            "generate geese takes HEIGHT WIDTH GEESE, then options as name=value; missing",
        ),
        (["generate", "geese", "9", "9", "10", "11"], "generate geese takes HEIGHT WIDTH GEESE"),
        (["generate", "domination", "5"], "generate domination takes SIZE LOOKBACK [PLAYS], then options"),
        (["generate", "domination", "5", "2", "4", "1"], "generate domination takes SIZE LOOKBACK [PLAYS], then"),
        (["generate", "geese", "9", "9", "10", "width=8"], "width must be given once, got it again as 8"),
        (["records", "komi", "--minutes", "-1"], "minutes must be between 0 and 1000000000, got -1.0"),
        (["records", "--minutes", "nan"], "minutes must be between 0 and 1000000000, got nan"),
        (["generate", "geese", "9", "9", "10", "safee=1"], 'GeeseSpotter has no option safee; did you mean "safe"'),
        (["solve", "domination", "empty"], "LinearDomination is a game for two"),
    ],
)
def test_wrong_arguments_print_one_sentence(arguments, sentence, capsys):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"gridwright: {sentence}")
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["contest", "bots", "--pairs", "x"], "gridwright contest: --pairs must be a whole number, got 'x'"),
        (["records", "--minutes", "x"], "gridwright records: --minutes must be a number, got 'x'"),
        (["play's"], 'gridwright: no command "play\'s"; did you mean "play"?'),
        (["generate"], "gridwright generate: the following arguments are required: game"),
    ],
)
def test_usage_errors_print_one_sentence(arguments, sentence, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert capsys.readouterr().err == f"{sentence}\n"


def test_a_contest_on_a_system_that_cannot_fork_is_refused(monkeypatch, capsys):
    monkeypatch.setattr("gridwright.contest.can_fork", lambda: False)
    assert main(["contest", "bots"]) == 2
    assert capsys.readouterr().err.startswith("gridwright: a contest needs a system that can fork processes")


def test_the_message_about_an_unknown_command_suggests_a_similar_one(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["slove"])
    assert caught.value.code == 2
    assert 'no command "slove"; did you mean "solve"' in capsys.readouterr().err


def test_no_command_shows_the_help(capsys):
    assert main([]) == 0
    assert "demo" in capsys.readouterr().out


@pytest.mark.parametrize("seed", ["x", "-1", "1.5", str(2**64), "²", "1_0"])
def test_a_wrong_seed_is_refused_before_anything_is_printed(seed, capsys):
    for words in (["generate", "geese", "9", "9", "10", "--seed", seed], ["geese", "--seed", seed]):
        with pytest.raises(SystemExit) as caught:
            main(words)
        assert caught.value.code == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "--seed must be between 0 and 2^64 - 1, got" in captured.err


def test_options_of_generate_can_appear_anywhere(capsys):
    texts = set()
    for words in (
        "generate bloxorz 5 6 --seed 3 effort=20000",
        "generate --seed 3 bloxorz 5 6 effort=20000",
        "generate bloxorz effort=20000 5 --seed=3 6",
        "generate bloxorz --effort 20000 5 6 --seed 3",
        "generate bloxorz 5 --effort=20000 --seed 3 6",
        "generate bloxorz 5 6 effort=20000 --seed 0000000000000000000000003",
    ):
        assert main(words.split()) == 0
        texts.add(capsys.readouterr().out)
    assert len(texts) == 1
    assert gw.Bloxorz(texts.pop()).shape == (5, 6)
    assert main(["generate", "domination", "5", "2", "4", "--seed", "3"]) == 0
    assert main(["generate", "domination", "5", "2", "plays=4", "--seed", "3"]) == 0
    game = gw.LinearDomination.generate(5, 2, 4, seed=3)
    assert capsys.readouterr().out == 2 * game.text


def test_a_value_that_is_not_a_number_is_named(capsys):
    assert main(["generate", "bloxorz", "3", "4", "light={[]: 1}"]) == 2
    assert "light must be a number, got '{[]: 1}' (str)" in capsys.readouterr().err


def test_a_command_whose_pipe_is_closed_ends_without_a_message():
    command = f"{sys.executable} -m gridwright levels | head -1"
    skip_without("processes")
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("play bloxorz <&-", 0),
        ("geese <&-", 0),
        ("levels >&-", 0),
        ("--help >&-", 0),
        ("solve bloxorz level01 >&-", 0),
        ("play bloxorz <&- >&- 2>&-", 0),
        ("solve bloxorz level99 2>&-", 2),
        ("dance 2>&-", 2),
    ],
)
def test_a_closed_stream_is_empty_or_ignored(words, status):
    skip_without("processes")
    command = f"{sys.executable} -X dev -m gridwright {words}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (status, "")
    assert "gridwright: " not in done.stdout


@pytest.mark.parametrize("name", sorted(gw.GAMES))
def test_play_writes_only_ascii_to_terminals_that_support_nothing_else(name):
    kind = gw.GAMES[name]
    done = run("play", name, "--typed", text="help\nsolve\n", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert "?" not in done.stdout.replace("?)", ""), kind


def test_power_is_visible_in_ascii():
    output = run("play", "lightemall", "level01", text="", PYTHONIOENCODING="ascii").stdout
    assert "[#]" in output
    assert "Y" not in output.splitlines()[3]


# Typed moves.


def say_all(game, *lines: str) -> list[str]:
    """Plays a game from typed lines and returns all messages. The first two are the board and its scores."""
    messages: list[str] = []
    assert typed.play(game, lines, say=messages.append) == 0
    return messages


def test_a_game_without_settings_shows_a_message():
    for line in ("set", "set opponent greedy"):
        assert say_all(gw.Bloxorz.level("level01"), line)[2:] == ["this game has no settings"]


def test_keys_after_one_that_shows_a_message_are_not_played():
    game = gw.Bloxorz.level("level01")
    messages = say_all(game, "rrrdd")
    assert messages[-1] == "You fell off; back to the start. This was key 3; 2 keys after it were not played."
    assert (game.rolls, game.falls) == (3, 1)
    messages = say_all(gw.Bloxorz.level("level01"), "rrdrrrdr")
    assert messages[-1].endswith("This was key 7; 1 key after it was not played.")
    # The first h shows a hint, and the second h plays it.
    game = gw.Bloxorz.level("level01")
    say_all(game, "hh")
    assert game.rolls == 1


def test_words_that_a_command_does_not_take_are_refused():
    game = gw.Bloxorz.level("level01")
    messages = say_all(game, "rr", "undo 2", "hint please", "board now")
    assert messages[-3:] == [
        "undo takes no further words, got 2",
        "hint takes no further words, got please",
        "board takes no further words, got now",
    ]
    assert game.rolls == 2


def test_restart_and_set_report_the_result():
    assert say_all(gw.Bloxorz.level("level01"), "restart")[-1] == "nothing has changed"
    assert say_all(gw.GeeseSpotter.level("level01"), "set chances off")[-1] == "chances off"


def test_new_accepts_a_difficulty_without_a_seed_and_shows_the_seed():
    game = gw.LightEmAll.level("level10")
    messages = say_all(game, "new easy")
    (title,) = [line for line in messages if line.startswith("LightEmAll")]
    assert "seed" in title
    assert game.difficulty().name == "easy"
    messages = say_all(gw.MyPhoton.level("level01"), "new 7 hard")
    advice = "choose another grade, or start from a larger level"
    assert messages[-1] == f"No hard puzzle of 6 rows and 6 columns was found: {advice}."


def test_solve_reports_that_no_solution_exists_only_if_that_is_proved(tmp_path, capsys):
    wires = gw.LightEmAll.generate(66, 66, seed=1).wires.copy()
    wires[20:30, 20:30] = 15
    gw.LightEmAll.from_wires(wires, (0, 0)).save(tmp_path / "loops.txt")
    assert main(["solve", "lightemall", str(tmp_path / "loops.txt")]) == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert "at most 4096 tiles" in written.err
    (tmp_path / "none.txt").write_text("S-T")
    assert main(["solve", "bloxorz", str(tmp_path / "none.txt")]) == 1
    assert capsys.readouterr().out == "no solution (proved)\n"


def test_solve_marks_a_goose_on_a_board_full_of_geese(tmp_path, capsys):
    (tmp_path / "full.txt").write_text("1 2 2\n29 29\n")
    assert main(["solve", "geese", str(tmp_path / "full.txt")]) == 0
    assert capsys.readouterr().out.startswith("mark (0, 0)\n")


def test_solve_has_status_1_if_a_guess_loses(tmp_path, capsys):
    (tmp_path / "guess.txt").write_text("1 2 1\n29 21\n")
    assert main(["solve", "geese", str(tmp_path / "guess.txt")]) == 1
    assert "LOST" in capsys.readouterr().out


def test_solve_says_that_a_wrong_mark_is_removed(tmp_path, capsys):
    (tmp_path / "marked.txt").write_text("1 4 1\n30 00 21 29\n")
    assert main(["solve", "geese", str(tmp_path / "marked.txt")]) == 0
    assert capsys.readouterr().out.splitlines()[:3] == ["show (0, 2)", "unmark (0, 0)", "show (0, 0)"]


@pytest.mark.parametrize(
    "make", [lambda: gw.LightEmAll.level("level03"), lambda: gw.LightEmAll.generate(4, 4, hexagonal=True, seed=3)]
)
def test_solve_lists_as_many_moves_as_it_counts(make, tmp_path, capsys):
    game = make()
    game.save(tmp_path / "board.txt")
    assert main(["solve", "lightemall", str(tmp_path / "board.txt")]) == 0
    output = capsys.readouterr().out
    turns = re.findall(r"^turn \((\d), (\d)\)( back)?$", output, re.MULTILINE)
    assert f"moves {len(turns)}," in output
    assert any(back for *_, back in turns)
    for row, col, back in turns:
        game.rotate((int(row), int(col)), -1 if back else 1)
    assert game.is_solved


def test_the_sign_for_plus_or_minus_is_visible_in_ascii():
    main(["levels", "geese"])  # registers the replacements
    assert "0.500 ± 1.000".encode("ascii", "gridwright") == b"0.500 +- 1.000"


def test_the_demo_is_animated_only_if_the_board_fits_into_the_terminal(monkeypatch):
    board = "\n".join(["ab"] * 8)
    monkeypatch.setenv("COLUMNS", "2")
    monkeypatch.setenv("LINES", "10")
    assert __main__._fits(board)
    monkeypatch.setenv("LINES", "9")
    assert not __main__._fits(board)
    monkeypatch.setenv("LINES", "10")
    monkeypatch.setenv("COLUMNS", "1")
    assert not __main__._fits(board)


def test_the_help_shows_settings_only_for_a_game_that_has_some():
    assert any("as in: set chances on" in line for line in say_all(gw.GeeseSpotter.level("level01"), "help"))
    assert not any(line.startswith("set ") for line in say_all(gw.Bloxorz.level("level01"), "help"))


def test_an_empty_line_starts_the_next_level_only_after_a_packaged_level_is_won():
    assert "level02" in "\n".join(say_all(gw.Bloxorz.level("level01"), "rrdrrrd", ""))
    lost = gw.GeeseSpotter("1 3 1\n21 29 21")
    for game, line in ((gw.Bloxorz("SooT"), "rr"), (lost, "show 0 1")):
        messages = say_all(game, line)
        assert game.status in (gw.Status.WON, gw.Status.LOST)
        assert say_all(game.copy(), "", "")[2:] == []
        assert len(messages) > 2


def test_a_setting_without_a_choice_lists_the_choices():
    messages = say_all(gw.LinearDomination.level("empty"), "set side", "set side Y")[2:]
    assert messages == ["side must be one of X, O", "side must be one of X, O, got Y"]


def test_every_game_can_be_played_with_typed_words():
    bloxorz = gw.Bloxorz.level("level01")
    assert "You won in 7 rolls" in say_all(bloxorz, "rrdr", "rrd")[-1]
    photon = gw.MyPhoton.level("cycle")
    swap = " ".join(map(str, photon.solve()[0]))
    assert "You won" in say_all(photon, f"swap {swap}")[-1]
    tiles = gw.LightEmAll.level("level01")
    words = [f"turn {row} {col}" if kind == 0 else "" for kind, row, col in tiles.solution().tolist()]
    assert "You won" in say_all(tiles, *words)[-1]
    geese = gw.GeeseSpotter("1 3 1\n21 29 21")
    assert "You won" in say_all(geese, "mark 0 1", "show (0, 0)", "show 0,2")[-1]
    lines = gw.LinearDomination.level("empty")
    messages = say_all(lines, "set plies 10", "set opponent greedy", *[f"draw 0 {k} 7 {7 - k}" for k in range(8)])
    assert lines.counts[0] > 0
    assert any("Greedy drew" in one for one in messages)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("tasks --sed 3", 'tasks has no option --sed; did you mean "--seed"?'),
        ("demo --bogus", "demo has no option --bogus; expected one of --folder, --still, --help"),
        ("levels --all", "levels has no option --all; expected one of --help"),
        ("generate geese 5 5 3 seed=1 seed=2", "seed must be given once, got it again as 2"),
        ("generate geese 5 5 3 --seed 1 seed=2", "seed must be given once, got it again as 2"),
        ("generate geese 5 5 3 sed=1", 'GeeseSpotter has no option sed; did you mean "seed"?'),
    ],
)
def test_a_wrong_option_is_named(words, sentence, capsys):
    assert main(words.split()) == 2
    assert capsys.readouterr().err == f"gridwright: {sentence}\n"


def test_headings_of_the_demo_fit_into_a_narrow_terminal(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["demo", "--still", "--folder", str(tmp_path)]) == 0
    headings = [line for line in capsys.readouterr().out.splitlines() if line.startswith("== ")]
    assert len(headings) == len(gw.GAMES)
    assert max(map(len, headings)) < 60


@pytest.mark.parametrize("name", sorted(gw.GAMES))
@pytest.mark.parametrize(
    "line",
    [
        *("--5 0 0", "²", "9" * 5000, "turn ² 0", "show 3", "swap 1 2 3", "draw a b c d", "station", "station q"),
        *("\x00", "?", "turn -1 0", "show 0 " + "9" * 5000, "level", "level nope", "new x y z", "set a b", "hlep"),
        *("\x1b[31m", "new \x1b[31m", "show \x07 1", "{0}", "%s", "1_0 0", "swap 0 0 0 0"),
    ],
)
def test_a_typo_is_answered_in_one_line_and_changes_nothing(name, line):
    game = gw.GAMES[name].level(gw.GAMES[name].levels()[0])
    before = game.copy()
    messages = say_all(game, line, "help")
    assert game == before
    assert messages[2].isprintable()
    assert len(messages[2]) < 200
    assert messages[-1].startswith("symbols: ")


def test_the_message_about_a_typo_repeats_the_typed_words():
    geese = gw.GeeseSpotter.level("level01")
    messages = say_all(geese, "show a b", "level nope", "new 7 harder")
    assert [one.rpartition(" got ")[2] for one in (messages[2], messages[4])] == ["a b", "7 harder"]
    assert messages[3].startswith("no level nope; ")


def test_leading_zeros_do_not_count_as_digits():
    game = gw.GeeseSpotter.level("level01")
    say_all(game, "mark 0000000000001 +000000000002")
    assert game.moves[:, 1:].tolist() == [[1, 2]]
    assert say_all(game, "mark 0000009999999999 0")[-1] == "row must be between 0 and 4, got 0000009999999999"


def test_help_explains_each_word_with_an_example():
    for name, kind in gw.GAMES.items():
        game = kind.level(kind.levels()[0])
        text = "\n".join(say_all(game, "help"))
        for verb in game.controls().VERBS.values():
            assert verb.example in text
            assert verb.words in text
        if not game.controls().VERBS:
            assert "rrdr" in text, name
        # Each example is a valid command.
        for verb in game.controls().VERBS.values():
            assert "not understood" not in say_all(kind.level(kind.levels()[0]), verb.example)[-1]


def test_a_game_without_solver_and_generator_is_shown_and_typed(kind, monkeypatch, tmp_path, capsys):
    games.strip(kind, monkeypatch)
    name, level = kind.__name__, kind.levels()[0]
    for command, what in ((("solve", name, level), "solver"), (("generate", name, "3", "3"), "generator")):
        assert main(command) == 2
        assert capsys.readouterr() == ("", f"gridwright: {name} has no {what}\n")
    __main__._demo_game(kind.NAME, kind, tmp_path, False)
    assert "This game has no solver." in capsys.readouterr().out
    monkeypatch.setattr("gridwright.play.typed.legend", lambda game: [])
    answers = say_all(kind.level(level), "fly", "help", "hint", "solve", "new", "undo")
    assert "not understood: fly (try: undo, hint, help, quit)" in answers
    assert not [line for line in answers if line.startswith("symbols")]
    (line,) = [line for line in answers if "play a new puzzle" in line]
    assert line.endswith("as in: new, new 7 (seed)")
    assert answers[-4:-1] == [f"This game has no {what}." for what in ("hints", "solver", "generator")]


def test_the_example_of_typed_letters_consists_of_keys_of_the_game(monkeypatch):
    class Waits(Controls):
        def _actions(self):
            return {**super()._actions(), **dict.fromkeys("xy", Action("wait", self.restart))}

    monkeypatch.setattr(gw.Bloxorz, "CONTROLS", Waits)
    answers = say_all(gw.Bloxorz.level("level01"), "fly", "help", "xy")
    assert "not understood: fly (try: xy, undo, hint, help, quit)" in answers
    assert [line.split() for line in answers if line.startswith("xy ")] == [["xy", "x,", "y:", "wait"]]
    assert answers[-1] == "nothing has changed"


def test_a_lost_game_can_be_undone_and_won():
    game = gw.GeeseSpotter("1 3 1\n21 29 21")
    messages = say_all(game, "show 0 1", "undo", "show 0 0", "show 0 2")
    assert any("A goose!" in one for one in messages)
    assert "You won" in messages[-1]


def test_a_line_of_no_length_can_be_typed_if_the_rules_allow_it():
    game = gw.LinearDomination.empty(1, 2, rules="document")
    messages = say_all(game, "set opponent person", "draw 0 0 0 0")
    assert game.moves.tolist() == [[0, 0, 0, 0]]
    assert "No legal line is left: X wins, 1 to 0." in messages
    for other in (gw.LinearDomination.empty(3, 2), gw.MyPhoton.level("example")):
        word, verb = next((word, verb) for word, verb in other.controls().VERBS.items() if verb.action == "pair")
        messages = say_all(other, f"{word} 1 1 1 1")
        assert messages[-1] == f"{word} takes two different cells, as in: {verb.example}"
        assert len(other.moves) == 0


def test_a_pair_of_equal_cells_is_refused_if_a_move_is_not_two_cells(monkeypatch):
    verb = Verb("pair", "join two cells", "join 0 0 0 1")
    monkeypatch.setattr(gw.Bloxorz.CONTROLS, "VERBS", {"join": verb})
    messages = say_all(gw.Bloxorz.level("level01"), "join 1 1 1 1")
    assert messages[-1] == "join takes two different cells, as in: join 0 0 0 1"


def test_the_station_moves_by_letters_on_squares_and_hexagons():
    tiles = gw.LightEmAll("1 3\n2a1\nstation 0 0")
    say_all(tiles, "station r")
    assert tiles.station == (0, 1)
    assert say_all(tiles, "station left")[-1].startswith("moves 2, ")
    assert tiles.station == (0, 0)
    messages = say_all(tiles, "station robot")
    assert messages[-1] == "station takes one of u d l r, got robot"
    assert tiles.station == (0, 0)
    wires = np.full((3, 3), 63)
    wires[0, 0] = 0  # keeps the board unsolved; (1, 1) still has six neighbors
    for key, direction in gw.LightEmAll.HEXAGON_KEYS.items():
        hexagons = gw.LightEmAll.from_wires(wires, (1, 1), hexagonal=True)
        neighbor = hexagons.beside(direction)
        say_all(hexagons, f"station {key}")
        assert hexagons.station == neighbor


def test_coordinates_are_beside_the_board():
    game = gw.MyPhoton.level("example")
    board = say_all(game)[0].splitlines()
    rows = [line for line in board if re.match(r" *\d+ \S", line)]
    assert [int(line.split()[0]) for line in rows][-game.height :] == list(range(game.height))
    # The digits of 14 are above column 14, one below the other.
    at = rows[-1].index("█") + 14 * 2
    assert board[0][at] == "1"
    assert board[1][at] == "4"


def test_typed_words_show_hints_solve_and_change_levels():
    messages = say_all(gw.LightEmAll.level("level01"), "hint", "hint", "solve", "", "levels", "level level03", "new 7")
    text = "\n".join(messages)
    assert "look at" in text
    assert "You won" in text
    assert "level02" in text
    assert any(one.startswith("level16") for one in messages)
    assert messages[-1].startswith("moves 0")


def test_lines_from_a_pipe_are_typed_moves():
    done = run("play", "bloxorz", "level01", text="r\nfly\nundo\nundo\nrrdrrrd\n")
    assert done.returncode == 0, done.stderr
    assert "not understood: fly" in done.stdout
    assert "There is nothing to undo." in done.stdout
    assert "You won in 7 rolls" in done.stdout
    assert run("play", "bloxorz", text="r").returncode == 0  # the last line has no line break
    assert "photon" in run("play").stdout
    skip_without("processes")
    raw = subprocess.run(
        [sys.executable, "-m", "gridwright", "play", "bloxorz"], input=b"\xff\xfe\nr\n", capture_output=True, timeout=60
    )
    assert raw.returncode == 0
    assert b"rolls 1" in raw.stdout


@pytest.mark.parametrize(
    ("words", "typed_bytes", "output", "refusals"),
    [
        ("play bloxorz level01", b"rr\n\xe2", "rolls 2", 1),
        ("play bloxorz level01", b"rr\n\xff\ndrrrd\n", "You won in 7 rolls", 1),
        ("play bloxorz level01", b"\xef\xbb\xbfrr\n", "rolls 2", 0),
        ("geese --seed 1", b"\xef\xbb\xbf3\n3\n1\n\xe2", "Please answer S, M, R or Q.", 1),
    ],
)
def test_bytes_that_cannot_be_decoded_cost_only_their_line(words, typed_bytes, output, refusals):
    skip_without("processes")
    command = [sys.executable, "-m", "gridwright", *words.split()]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(command, input=typed_bytes, capture_output=True, timeout=60, check=True, env=environment)
    text = done.stdout.decode()
    assert output in text
    assert len(re.findall("not understood|Please answer", text)) == refusals


def test_a_label_of_a_cell_is_in_a_table_below_the_board():
    messages = say_all(gw.GeeseSpotter("1 4 1\n20 01 29 01"), "set chances on", "board", "set chances off")
    assert messages[3] == messages[6] == "      0   1   2   3\n  0   0   . 100   ."
    assert len(messages) == 2 + 3 + 3 + 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no names for descriptors")
def test_a_result_can_be_written_to_an_open_descriptor(tmp_path):
    skip_without("processes")
    (tmp_path / "in.txt").write_text("4 2\n3 1 1 4\n1 1 3 2\n")
    gw.domination.run_game(tmp_path / "in.txt", tmp_path / "expected.txt")
    expected = (tmp_path / "expected.txt").read_text()
    for words in (
        "/dev/stdout | cat",
        "/dev/stdout >> log && cat log",
        "/dev/fd/3 3> new && cat new",
        "/proc/self/fd/1 | cat" if os.path.exists("/proc/self/fd") else "/dev/fd/1 | cat",
        ">(cat) | cat",
    ):
        (tmp_path / "log").write_text("log line\n")
        command = f"{sys.executable} -m gridwright domination in.txt {words}"
        done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert (done.stdout.removeprefix("log line\n"), done.stderr) == (expected, ""), words
        assert done.stdout.startswith("log line") == ("log" in words)


# Pseudo-terminals.


class Terminal:
    """A command that runs in a pseudo-terminal of 30 lines and 100 columns."""

    def __init__(self, *arguments: str, stderr: int | None = None, **variables: str) -> None:
        skip_without("processes")
        import fcntl
        import pty
        import struct
        import termios

        self.leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **variables}
        environment.pop("NO_COLOR", None)
        command = [sys.executable, "-m", "gridwright", *arguments]
        errors = follower if stderr is None else stderr
        self.process = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=errors, env=environment)
        os.close(follower)
        self.seen = ""

    def press(self, keys: str, *texts: str) -> str:
        """Presses keys and returns the output since the first key.

        Waits until the output holds all of ``texts``, or until the command ends.
        """
        start = len(self.seen)
        os.write(self.leader, keys.encode())
        end = time.monotonic() + 60
        while not all(text in self.seen[start:] for text in texts):
            assert time.monotonic() < end, (texts, self.seen[start:])
            if select.select([self.leader], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.leader, 65536).decode("utf-8", "replace")
                except OSError:
                    break
        return self.seen[start:]

    def end(self) -> int:
        while self.process.poll() is None:
            if select.select([self.leader], [], [], 0.2)[0]:
                try:
                    os.read(self.leader, 65536)
                except OSError:
                    break
        status = self.process.wait(timeout=60)
        os.close(self.leader)
        return status


unix = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals exist only on Unix")


@unix
def test_the_application_runs_in_a_terminal():
    pytest.importorskip("textual")
    terminal = Terminal("play", "bloxorz", "level01")
    terminal.press("", "level01", "rolls 0", "Help")
    terminal.press("\x1b[C", "rolls 1")
    terminal.press("\x11")
    assert terminal.end() == 0


@unix
def test_typed_moves_win_a_level_in_a_terminal():
    terminal = Terminal("play", "photon", "cycle", "--typed")
    terminal.press("", "sensors lit 0 of 1", "> ")
    swap = " ".join(map(str, gw.MyPhoton.level("cycle").solve()[0]))
    terminal.press(f"swap {swap}\n", "You won in 1 swap", "> ")
    terminal.press("quit\n")
    assert terminal.end() == 0


@unix
@pytest.mark.parametrize("options", [{"stderr": subprocess.DEVNULL}, {"TERM": "dumb"}])
def test_moves_are_typed_if_the_application_cannot_draw(options):
    terminal = Terminal("play", "bloxorz", "level01", **options)
    terminal.press("", "rolls 0", "> ")
    # Ctrl-D ends the input; the prompt of the shell gets a line of its own.
    assert terminal.press("\x04", "\n") == "\r\n"
    assert terminal.end() == 0


@unix
def test_a_terminal_is_restored_if_the_application_is_terminated():
    pytest.importorskip("textual")
    terminal = Terminal("play", "bloxorz", "level01")
    terminal.press("", "level01", "rolls 0")
    terminal.process.send_signal(signal.SIGTERM)
    seen = terminal.press("", "\x1b[?1049l")
    assert "\x1b[?1000l" in seen
    assert terminal.end() == 128 + signal.SIGTERM


@unix
def test_the_demo_is_animated_in_color_in_a_terminal(tmp_path):
    terminal = Terminal("demo", "--folder", str(tmp_path))
    seen = terminal.press("", "Pictures and films are in")
    assert "\x1b[38;2;" in seen
    assert len(re.findall(r"\x1b\[\d+A", seen)) > 20
    assert terminal.end() == 0


def test_typed_words_are_read_from_standard_input(capsys, monkeypatch):
    for name in gw.GAMES:
        monkeypatch.setattr("sys.stdin", io.StringIO("hint\nhint\nquit\n"))
        assert main(["play", name]) == 0
        assert "hints 1" in capsys.readouterr().out, name
