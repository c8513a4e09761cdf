"""The command line, as processes and through a real pseudo-terminal."""

from __future__ import annotations

import codecs
import io
import os
import re
import select
import subprocess
import sys
import time

import gridwright as gw
import pytest
from gridwright.__main__ import main


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gridwright", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120, check=False)


def test_demo_plays_and_solves_every_game(tmp_path):
    done = run("demo", "--folder", str(tmp_path))
    assert done.returncode == 0, done.stderr
    for name, kind in gw.GAMES.items():
        assert f"== {kind.__name__}" in done.stdout
        for part in ("start", "end"):
            path = tmp_path / f"{name}-{part}.svg"
            assert str(path) in done.stdout
            assert path.read_text().startswith("<svg")
    assert "WON" in done.stdout
    assert "uint8" in done.stdout


def test_levels(capsys):
    assert main(["levels"]) == 0
    everything = capsys.readouterr().out
    for name, kind in gw.GAMES.items():
        assert main(["levels", name]) == 0
        listed = capsys.readouterr().out
        assert listed in everything
        assert [line.split()[1] for line in listed.splitlines()] == list(kind.levels())


def test_bench(capsys):
    assert main(["bench", "bloxorz"]) == 0
    out = capsys.readouterr().out
    assert "play and undo" in out
    assert "M/s" in out


def test_solve(capsys, tmp_path):
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
        (["solve", "bloxors", "level01"], "no game 'bloxors', wanted one like bloxorz"),
        (["solve", "bloxorz", "levle01"], "no level 'levle01' of Bloxorz, wanted one like level01"),
        (["solve", "bloxorz", "no/such/file.txt"], "no such file, wanted one with a level: no/such/file.txt"),
        (["play", "chess"], "no game 'chess', wanted one"),
        (["levels", "bloxor"], "no game 'bloxor', wanted one like bloxorz"),
    ],
)
def test_wrong_words_give_one_sentence(arguments, sentence, capsys):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"gridwright: {sentence}")
    assert captured.err.count("\n") == 1


def test_an_unknown_command_names_the_nearest(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["slove"])
    assert caught.value.code == 2
    assert "no command 'slove', wanted one like solve" in capsys.readouterr().err


def test_no_command_shows_the_help(capsys):
    assert main([]) == 0
    assert "demo" in capsys.readouterr().out


def test_play_with_typed_moves():
    done = run("play", "bloxorz", "level01", text="r\nfly\n9\nundo\nundo\nredo\nreset\n\nhelp\nrrdrrrd\n")
    assert done.returncode == 0, done.stderr
    assert "key 'f' at place 1, wanted one of l, u, r, d, s" in done.stdout
    assert "key 9, wanted 0 to 4" in done.stdout
    assert "nothing to undo" in done.stdout
    assert "take the last move back" in done.stdout
    assert done.stdout.rstrip().endswith("You won!")
    assert run("play", "bloxorz", text="r\n").returncode == 0  # the input ends
    assert run("play", "bloxorz", text="quit\n").returncode == 0
    assert "You won!" in run("play", "bloxorz", text="hint\n" * 7).stdout


class Screen:
    """As much of a terminal as the game uses: what a player sees now, not all that was ever written."""

    def __init__(self) -> None:
        self.lines = [""]
        self.row = self.col = 0
        self.rest = ""

    def write(self, text: str) -> None:
        # What was read may end within a sign of several letters.
        text, self.rest = re.fullmatch(r"(.*?)(\x1b(?:\[[0-9;]*)?)?", self.rest + text, re.DOTALL).groups("")
        for piece in re.findall(r"\x1b\[[0-9;]*[A-Za-z]|.", text, re.DOTALL):
            if piece == "\x1b[H":
                self.row = self.col = 0
            elif piece == "\x1b[K":
                self.lines[self.row] = self.lines[self.row][: self.col]
            elif piece == "\x1b[J":
                self.lines[self.row] = self.lines[self.row][: self.col]
                del self.lines[self.row + 1 :]
            elif piece == "\r":
                self.col = 0
            elif piece == "\n":
                self.row += 1
                self.lines += [""] * (self.row + 1 - len(self.lines))
            elif piece.startswith("\x1b"):
                assert piece.endswith("m"), piece  # colours
            else:
                line = self.lines[self.row].ljust(self.col)
                self.lines[self.row] = line[: self.col] + piece + line[self.col + 1 :]
                self.col += 1


class Terminal:
    """A game in a pseudo-terminal of 24 lines."""

    def __init__(self, *arguments: str, **variables: str) -> None:
        import pty

        self.leader, follower = pty.openpty()
        environment = {**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **variables}
        environment.pop("NO_COLOR", None)
        command = [sys.executable, "-m", "gridwright", "play", *arguments]
        self.process = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=environment)
        os.close(follower)
        self.screen, self.seen = Screen(), ""
        self.decode = codecs.getincrementaldecoder("utf-8")().decode

    def press(self, keys: str, *signs: str) -> list[str]:
        """Presses keys and waits until the screen shows all signs; gives its lines."""
        os.write(self.leader, keys.encode())
        end = time.monotonic() + 30
        while not all(any(sign in line for line in self.screen.lines) for sign in signs):
            assert time.monotonic() < end, (signs, self.screen.lines)
            if select.select([self.leader], [], [], 0.2)[0]:
                text = self.decode(os.read(self.leader, 65536))
                self.seen += text
                self.screen.write(text)
        return self.screen.lines

    def end(self) -> int:
        status = self.process.wait(timeout=30)
        os.close(self.leader)
        return status


unix = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")


@unix
def test_play_with_keys_in_a_terminal():
    terminal = Terminal("bloxorz", "level08")
    game = gw.Bloxorz.level("level08")

    def picture() -> list[str]:
        return str(game).splitlines()

    height = game.height
    lines = terminal.press("", "0 moves", "q leaves")
    assert "\x1b[38;2;" in terminal.seen
    assert lines[:height] == picture()
    for keys, said in (("\x1b[C", "r"), ("\x1bOC", "r"), (" ", "s"), ("s", "s"), ("\x1b[A", "u")):
        game.play(said)
        lines = terminal.press(keys, f"{len(game.moves)} moves")
        # One board, at the top, and nothing left of those before.
        assert lines == [*picture(), f"{len(game.moves)} moves, falls {game.falls}", ""]
    game.undo()
    assert terminal.press("\x7f", "4 moves")[:height] == picture()
    terminal.press("x", "no key 'x'")
    game.play(*game.hint())
    assert terminal.press("\n", "5 moves")[:height] == picture()
    terminal.press("\r" * 30, "You won!")
    assert terminal.end() == 0


@unix
def test_a_player_leaves_with_q():
    terminal = Terminal("bloxorz")
    terminal.press("", "0 moves")
    terminal.press("q")
    assert terminal.end() == 0


@unix
def test_typed_moves_redraw_the_screen_too():
    terminal = Terminal("photon", "example")
    game = gw.MyPhoton.level("example")
    terminal.press("", "0 moves", "> ")
    first = tuple(int(number) for number in game.legal_moves()[0])
    game.play(*first)
    lines = terminal.press(" ".join(map(str, first)) + "\n", "1 moves", "> ")
    rows = [line[len(str(game.height - 1)) + 1 :] for line in lines[1 : game.height + 1]]
    assert rows == str(game).splitlines()
    assert sum("moves" in line for line in lines) == 1
    terminal.press("no move\n", "wanted")
    terminal.press("quit\n")
    assert terminal.end() == 0


@unix
@pytest.mark.parametrize(("level", "variables"), [("level01", {"TERM": "dumb"}), ("level01", {"LINES": "6"})])
def test_a_terminal_that_cannot_redraw_gets_lines(level, variables):
    terminal = Terminal("bloxorz", level, **variables)
    terminal.press("", "0 moves")
    lines = terminal.press("r", "1 moves")
    assert "\x1b[H" not in terminal.seen
    assert sum("moves" in line for line in lines) == 2
    terminal.press("q")
    assert terminal.end() == 0


def test_hints_are_played_in_every_game(capsys, monkeypatch):
    for name, kind in gw.GAMES.items():
        monkeypatch.setattr("sys.stdin", io.StringIO("hint\nquit\n"))
        assert main(["play", name]) == 0
        out = capsys.readouterr().out
        assert "1 moves" in out, name
        assert f"{kind.level(kind.levels()[0]).height - 1} " in out or len(kind.level(kind.levels()[0]).bounds) == 1
