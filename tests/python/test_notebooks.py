"""Checks that every notebook is a complete lecture without stored outputs, runs, and has checks that work.

A task is a code cell that contains "# your turn". The next cell checks what the reader wrote: it must reject the
unfinished task and accept the solution in ``course/solutions/notebooks``.
"""

from __future__ import annotations

import ast
import re
import time

import gridwright as gw
import nbformat
import pytest
from conftest import ROOT
from nbclient import NotebookClient

pytestmark = pytest.mark.filterwarnings("ignore")  # warnings of the tools that run the kernel

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SOLUTIONS = ROOT / "course" / "solutions" / "notebooks"
TASK = "# your turn"
GOALS = re.compile(r"^\*\d+ minutes · .+ · you write: .+\*$", re.M | re.S)


def names(source: str) -> set[str]:
    """Returns the names of the functions and classes that a cell defines."""
    return {node.name for node in ast.parse(source).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def solution(stem: str, source: str) -> str:
    """Returns the imports in a notebook's solutions, and the definitions that a task asks for."""
    asked, text = names(source), (SOLUTIONS / f"{stem}.py").read_text(encoding="utf-8")
    kept = [
        ast.get_source_segment(text, node)
        for node in ast.parse(text).body
        if isinstance(node, (ast.Import, ast.ImportFrom)) or getattr(node, "name", None) in asked
    ]
    assert asked <= names(text), f"{stem}.py must define {asked - names(text)}"
    return "\n\n\n".join(kept)


def printed(cell) -> str:
    """Returns the output of a cell as text."""
    outputs = cell.get("outputs", [])
    return "".join(
        out.text if out.output_type == "stream" else out.get("data", {}).get("text/plain", "") for out in outputs
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_all_parts_of_a_lecture_and_no_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    words = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert words[0].source.startswith("# ")
    assert notebook.cells[0] is words[0]
    assert words[-1].source.startswith("## Exercises")
    assert words[-1].source.count("\n1. ") == 1
    assert GOALS.search(words[0].source), "the first cell must state the minutes, the level and what the reader writes"
    assert "**The question.**" in words[0].source
    assert sum("**Predict" in cell.source for cell in words) >= 2
    assert sum("**Write it.**" in cell.source for cell in words) >= 1
    assert any(TASK in cell.source for cell in codes)
    assert len(codes) >= 6
    assert all(not cell.outputs and cell.execution_count is None for cell in codes)
    everything = "".join(cell.source for cell in codes)
    assert "import gridwright" in everything or "from gridwright import" in everything
    if path.stem in gw.GAMES:
        name = gw.GAMES[path.stem].__name__
        assert f"gw.{name}" in everything
        assert ".widget()" in everything
        assert ".board" in everything


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_its_checks_accept_only_solutions(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    # Inserts the solution and another copy of the check after each task and its check.
    cells, checks = [], []
    for cell in notebook.cells:
        cells.append(cell)
        if len(cells) > 1 and cell.cell_type == "code" and TASK in cells[-2].source:
            solved, again = (
                nbformat.v4.new_code_cell(source) for source in (solution(path.stem, cells[-2].source), cell.source)
            )
            cells += [solved, again]
            checks.append((cell, again))
    notebook.cells = cells
    began = time.perf_counter()
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    print(f"{path.stem}: {time.perf_counter() - began:.1f} s")
    assert checks
    for handed_out, solved in checks:
        assert "not " in printed(handed_out), f"the check accepts the unfinished task: {handed_out.source}"
        assert "right" in printed(solved), printed(solved)
        assert "not " not in printed(solved), printed(solved)
    errors = [out for cell in notebook.cells for out in cell.get("outputs", []) if out.output_type == "stream"]
    assert not [out.text for out in errors if out.name == "stderr"]
    shown = [out for cell in notebook.cells for out in cell.get("outputs", []) if "data" in out]
    assert any("image/svg+xml;base64" in str(out.data.get("text/html", "")) for out in shown)


@pytest.mark.parametrize(("stem", "line"), [("geese", "geese.mark("), ("domination", ".draw((0, 0)")])
def test_a_cell_that_plays_prints_the_same_when_it_runs_again(stem, line, capsys):
    names: dict[str, object] = {}
    for cell in nbformat.read(ROOT / "notebooks" / f"{stem}.ipynb", as_version=4).cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
            first = capsys.readouterr().out
            if line in cell.source:
                break
    exec(cell.source, names)
    assert capsys.readouterr().out == first != ""
