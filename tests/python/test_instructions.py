"""Tests the instruction counts: callgrind's files are read correctly, and a count that grew too much is a failure."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import needs

pytestmark = needs("processes")

SCRIPT = Path(__file__).parents[2] / "benches" / "instructions.py"
spec = importlib.util.spec_from_file_location("instructions", SCRIPT)
assert spec is not None
assert spec.loader is not None
instructions = importlib.util.module_from_spec(spec)
spec.loader.exec_module(instructions)

DUMP = """version: 1
totals: 1000

ob=(1) /usr/lib/libc.so.6
fn=(1) malloc
0 300
cob=(2) /somewhere/_core.abi3.so
cfn=(2) gridwright::trace
calls=1 0
0 555
ob=(2)
fn=(2)
0 40
+3 2
cob=(1)
cfn=(1)
calls=9 0
* 500
* 7
ob=(1)
fn=(1)
0 11
"""


def test_only_instructions_of_the_extension_are_counted(tmp_path: Path) -> None:
    dump = tmp_path / "out.2"
    dump.write_text(DUMP)
    assert instructions.counted(dump) == 49


def test_a_path_that_grows_by_more_than_five_percent_fails(capsys: pytest.CaptureFixture[str]) -> None:
    text = instructions.formatted({"one path": 1000, "another path": 2_000_000})
    assert instructions.parsed(text) == {"one path": 1000, "another path": 2_000_000}
    assert instructions.check({"one path": 1050, "another path": 1}, text) == 0
    assert "another path: 1, 100.0% less than 2,000,000" in capsys.readouterr().out
    assert instructions.check({"one path": 1051, "another path": 2_000_000}, text) == 1
    output = capsys.readouterr().err
    assert "one path: 1,051, 5.1% more than 1,000" in output
    assert "paths that grew or have no count: 1 of 2; compare with instructions.txt of commit " in output
    assert instructions.check({"a new path": 1}, text) == 1
    assert instructions.check({"one path": 1000}, "") == 1


def test_the_file_has_a_count_for_each_path() -> None:
    names = [name for name, _, _ in instructions.paths()]
    assert names == list(instructions.parsed(instructions.FILE.read_text(encoding="utf-8")))


@pytest.mark.skipif(
    platform.machine() != "x86_64" or shutil.which("valgrind") is None, reason="needs valgrind on x86_64"
)
def test_the_exit_status_is_1_if_a_path_executes_more_instructions_than_recorded(tmp_path: Path) -> None:
    shutil.copy(SCRIPT, tmp_path)
    path = "LightEmAll: 200x200 from its text"

    def run_with(count: int) -> subprocess.CompletedProcess[str]:
        (tmp_path / "instructions.txt").write_text(instructions.formatted({path: count}), encoding="utf-8")
        command = [sys.executable, str(tmp_path / SCRIPT.name), "--only", path]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    first = run_with(1)
    assert first.returncode == 1, first
    count = int(first.stdout.split()[0].replace(",", ""))
    assert run_with(count).returncode == 0
    grown = run_with(int(count / 1.06))
    assert grown.returncode == 1, grown
    assert f"{path}: " in grown.stderr
    assert "paths that grew or have no count: 1 of 1; compare with instructions.txt of commit " in grown.stderr
