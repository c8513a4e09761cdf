"""The command line, as processes and through a real pseudo-terminal."""

from __future__ import annotations

import os
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


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")
def test_play_with_keys_in_a_terminal():
    import pty

    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "gridwright", "play", "bloxorz", "level01"]
    process = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=environment)
    os.close(follower)
    seen = b""

    def read_until(sign: bytes) -> None:
        nonlocal seen
        end = time.monotonic() + 30
        while sign not in seen:
            assert time.monotonic() < end, seen
            if select.select([leader], [], [], 0.2)[0]:
                seen += os.read(leader, 65536)

    read_until(b"0 moves")
    assert b"\x1b[38;2;" in seen  # colours
    os.write(leader, b"\x1b[C")  # the right arrow
    read_until(b"1 moves")
    os.write(leader, b"\x7f")
    seen = b""
    read_until(b"0 moves")
    os.write(leader, b"x")
    read_until(b"no key 'x'")
    os.write(leader, b"\n" * 7)
    read_until(b"You won!")
    assert process.wait(timeout=30) == 0
    os.close(leader)
