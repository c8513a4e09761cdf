"""Instruction counts: callgrind's files are read correctly, and a path whose count grew too much fails the check."""

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


def test_only_what_the_extension_itself_executes_counts(tmp_path: Path) -> None:
    dump = tmp_path / "out.2"
    dump.write_text(DUMP)
    assert instructions.counted(dump) == 49


def test_a_path_that_grows_by_more_than_a_twentieth_fails(capsys: pytest.CaptureFixture[str]) -> None:
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


def test_the_file_has_one_line_per_path() -> None:
    names = [name for name, _, _ in instructions.paths()]
    assert names == list(instructions.parsed(instructions.FILE.read_text(encoding="utf-8")))


@pytest.mark.skipif(
    platform.machine() != "x86_64" or shutil.which("valgrind") is None, reason="needs valgrind on x86_64"
)
def test_the_check_ends_with_1_if_a_path_executes_more_than_recorded(tmp_path: Path) -> None:
    shutil.copy(SCRIPT, tmp_path)
    path = "LightEmAll: 200x200 from its text"

    def ended(count: int) -> subprocess.CompletedProcess[str]:
        (tmp_path / "instructions.txt").write_text(instructions.formatted({path: count}), encoding="utf-8")
        command = [sys.executable, str(tmp_path / SCRIPT.name), "--only", path]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    first = ended(1)
    assert first.returncode == 1, first
    count = int(first.stdout.split()[0].replace(",", ""))
    assert ended(count).returncode == 0
    planted = ended(int(count / 1.06))
    assert planted.returncode == 1, planted
    assert f"{path}: " in planted.stderr
    assert "paths that grew or have no count: 1 of 1; compare with instructions.txt of commit " in planted.stderr
