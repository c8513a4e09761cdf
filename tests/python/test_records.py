"""Tests the records: independent checkers, the tables that they check, and runs that are interrupted and continued."""

from __future__ import annotations

import ast
import csv
import json
import os
import subprocess
import sys

import pytest
from conftest import IN_TAB, ROOT, needs
from gridwright.__main__ import main
from gridwright.records import RECORDS, Record, compare, run

FOLDER = ROOT / "docs" / "records"
CHECKERS = sorted(FOLDER.glob("check_*.py"))
SAMPLE = {
    "check_komi": ["30000"],
    "check_net": ["3000"],
    "check_net_estimates": ["40", "8"],
    "check_bloxorz": ["1000"],
    "check_minesweeper": ["500"],
    "check_laser": ["50000"],
    "check_lines": ["20"],
    "check_players": [],
}
"""Maps a checker to arguments with which it takes only seconds."""

pytestmark = pytest.mark.skipif(IN_TAB, reason="needs the tables in the repository")


def test_every_record_has_a_table_a_page_and_a_checker():
    assert {path.stem for path in FOLDER.glob("*.csv")} == set(RECORDS)
    assert {path.stem for path in CHECKERS} == set(SAMPLE) == {name for name, *_ in WRONG}
    pages = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md"))
    checked = "".join(path.read_text(encoding="utf-8") for path in CHECKERS)
    for name, record in RECORDS.items():
        assert f"`{name}.csv`" in pages
        assert f"gridwright records {name}" in pages
        assert f"{name}.csv" in checked
        with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            assert next(csv.reader(file)) == [*record.key, *record.columns]
        rows = record.read(FOLDER)
        assert {tuple(map(str, key)) for key in record.small} <= set(rows), name


@pytest.mark.parametrize("path", CHECKERS, ids=lambda path: path.stem)
def test_a_checker_is_short_and_uses_the_standard_library_only(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 100
    modules = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            modules |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(node.module.partition(".")[0])
    assert modules <= set(sys.stdlib_module_names)


@needs("processes")
@pytest.mark.parametrize("path", CHECKERS, ids=lambda path: path.stem)
def test_a_checker_accepts_the_table(path):
    # Isolated mode ignores PYTHONPATH, the user's packages and the script's folder.
    command = [sys.executable, "-I", str(path), *SAMPLE[path.stem]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


WRONG = [
    ("check_komi", "komi.csv", "standard,3,1,2,3,", "standard,3,1,2,2,"),
    ("check_komi", "komi.csv", "standard,3,1,2,3,0.864030,", "standard,3,1,2,3,,"),
    ("check_net", "net.csv", "square,3,3,192,190,0.9895833333", "square,3,3,192,189,0.9843750000"),
    ("check_net_estimates", "net_estimates.csv", "square,8,40000,3", "square,8,40000,2"),
    ("check_bloxorz", "bloxorz.csv", "3,3,10,1,1,oTo", "3,3,10,1,1,Too"),
    ("check_minesweeper", "minesweeper.csv", "0,0:33 0,1:33 1,1:20", "0,0:33 0,1:33 1,1:21"),
    ("check_laser", "laser.csv", "3,3,1,9216,576,288,1728,1,", "3,3,1,9216,576,288,1728,2,"),
    ("check_laser", "laser.csv", "3840,240,96,288,", "3840,240,96,1,"),
    ("check_laser", "laser.csv", "L> .  M\\|.  S^ . \n2,3,2", "\n2,3,2"),
    ("check_lines", "lines.csv", "\n10,9900,3236,", "\n10,9900,3240,"),
    ("check_players", "players.csv", " 0,29 2,29 3,27 ", " 0,29 0,29 3,27 "),
]
"""For each checker: its name, a table, a string in the table, and a replacement that makes the table wrong."""


@needs("processes")
@pytest.mark.parametrize(("name", "table", "right", "wrong"), WRONG)
def test_a_checker_refuses_a_wrong_row(name, table, right, wrong, tmp_path):
    for path in (*FOLDER.glob("*.csv"), FOLDER / f"{name}.py"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    text = (tmp_path / table).read_text(encoding="utf-8")
    assert text.count(right) == 1
    (tmp_path / table).write_text(text.replace(right, wrong), encoding="utf-8")
    command = [sys.executable, "-I", str(tmp_path / f"{name}.py"), *SAMPLE[name]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "AssertionError" in done.stderr


def counting(stops: list[int]) -> Record:
    """Returns a record whose rows are sums, computed step by step.

    The computation raises ``KeyboardInterrupt`` at each step in ``stops`` and removes the step from the list.
    """

    def work(key, state):
        done, total = state or (0, 0)
        while done < key[0]:
            if done in stops:
                stops.remove(done)
                raise KeyboardInterrupt
            done, total = done + 1, total + done + 1
            if done < key[0]:
                yield done / key[0], [done, total]
        yield 1.0, {"total": total}

    return Record("sums", "sums", ("n",), ("total",), ((3,), (5,)), ((9,),), work)


def test_an_interrupted_run_continues_where_it_stopped(tmp_path):
    stops, lines = [4, 7], []
    record = counting(stops)
    with pytest.raises(KeyboardInterrupt):
        run(record, tmp_path, tell=lines.append)
    assert json.loads((tmp_path / "sums-5.partial.json").read_text()) == [4, 10]
    with pytest.raises(KeyboardInterrupt):
        run(record, tmp_path, tell=lines.append)
    assert [path.name for path in tmp_path.glob("*.json")] == ["sums-9.partial.json"]
    assert run(record, tmp_path, tell=lines.append)
    assert (tmp_path / "sums.csv").read_text() == "n,total\n3,6\n5,15\n9,45\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sums.csv"]
    assert len(lines) == 3
    run(record, tmp_path, tell=lines.append)
    assert len(lines) == 3, "finished rows must not be computed again"


def test_a_run_ends_when_its_time_is_up_and_a_later_run_continues_it(tmp_path):
    now = iter(range(0, 10_000, 25))
    lines: list[str] = []
    record = counting([])
    assert not run(record, tmp_path, seconds=300, tell=lines.append, clock=lambda: next(now))
    partial = [path.name for path in tmp_path.glob("*.partial.json")]
    assert len(partial) <= 1
    assert any("%" in line for line in lines)
    assert run(record, tmp_path, tell=lines.append)
    assert (tmp_path / "sums.csv").read_text() == "n,total\n3,6\n5,15\n9,45\n"


def test_a_comparison_finds_a_wrong_row(tmp_path):
    lines: list[str] = []
    (tmp_path / "sums.csv").write_text("n,total\n3,6\n5,14\n9,45\n")
    assert not compare(counting([]), tmp_path, lines.append)
    assert lines[0].startswith("sums 5: ")
    assert lines[1] == "sums: recomputed 2 rows, 1 different"
    assert (tmp_path / "sums.csv").read_text() == "n,total\n3,6\n5,14\n9,45\n"


def test_recomputed_rows_equal_those_of_the_tables(tmp_path):
    for name, keys in (("net", 9), ("minesweeper", 20), ("bloxorz", 8), ("bloxorz_light", 5), ("lines", 6)):
        record = RECORDS[name]
        few = Record(name, "", record.key, record.columns, record.small[:keys], (), record.work)
        assert compare(few, FOLDER, print), name


def test_a_state_does_not_change_after_it_was_yielded():
    # An interrupt may save the last state while the next one is being computed.
    for name, record in RECORDS.items():
        if name in ("bloxorz", "bloxorz_light", "minesweeper", "net", "lines"):
            for key in record.small[:6]:
                previous, text = None, "null"
                for _, state in record.work(key, None):
                    assert json.dumps(previous) == text, name
                    previous, text = state, json.dumps(state)


def test_the_command_lists_the_records_and_names_an_unknown_one(tmp_path, capsys):
    assert main(["records", "--folder", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("\n") == len(RECORDS)
    assert main(["records", "lines", "--folder", str(tmp_path), "--small", "--minutes", "0"]) == 0
    assert os.listdir(tmp_path) == []
    assert main(["records", "liens"]) == 2
    assert 'no record "liens"; did you mean "lines"' in capsys.readouterr().err


def test_the_command_verifies_the_tables(tmp_path, capsys):
    table = (FOLDER / "net.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    command = ["records", "net", "--folder", str(tmp_path), "--verify"]
    (tmp_path / "net.csv").write_text("".join(table), encoding="utf-8")
    assert main(command) == 0
    # Gives the first row the result of the second row.
    key = len(RECORDS["net"].key)
    first, second = (line.split(",") for line in table[1:3])
    (tmp_path / "net.csv").write_text(
        "".join([table[0], ",".join(first[:key] + second[key:]), *table[2:]]), encoding="utf-8"
    )
    assert main(command) == 1
    assert "1 different" in capsys.readouterr().out


@needs("processes")
@pytest.mark.filterwarnings("ignore")  # warnings of the tools that run the kernel
def test_the_notebook_runs_and_is_stored_without_outputs():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(ROOT / "docs" / "records.ipynb", as_version=4)
    nbformat.validate(notebook)
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in codes)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ROOT / "docs")}}).execute()
    shown = [out for cell in codes for out in cell.outputs if "data" in out]
    assert sum("image/png" in out.data for out in shown) == 6
    assert any("svg" in str(out.data) for out in shown), "the longest level must be drawn"
