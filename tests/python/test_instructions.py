"""The counts of instructions: how callgrind's files are read, and that a path that grew fails the check."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from conftest import needs

pytestmark = needs("processes")

HERE = Path(__file__).parents[2] / "benches" / "instructions.py"
spec = importlib.util.spec_from_file_location("instructions", HERE)
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
    text = instructions.write({"one path": 1000, "another path": 2_000_000})
    assert instructions.written(text) == {"one path": 1000, "another path": 2_000_000}
    assert instructions.check({"one path": 1050, "another path": 1}, text) == 0
    assert "another path: 1, 100.0 % less than 2,000,000" in capsys.readouterr().out
    assert instructions.check({"one path": 1051, "another path": 2_000_000}, text) == 1
    told = capsys.readouterr().err
    assert "one path: 1,051, 5.1 % more than 1,000" in told
    assert "1 of 2 paths grew: compare with instructions.txt of commit " in told
    assert instructions.check({"a new path": 1}, text) == 1
    assert instructions.check({"one path": 1000}, "") == 1


def test_the_file_has_one_line_per_path() -> None:
    names = [name for name, _, _ in instructions.paths()]
    assert names == list(instructions.written(instructions.FILE.read_text(encoding="utf-8")))
