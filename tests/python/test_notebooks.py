"""Every notebook runs from top to bottom in its own kernel, in less than 30 s, and is stored without what it prints."""

from __future__ import annotations

import time

import gridwright as gw
import nbformat
import pytest
from conftest import ROOT
from nbclient import NotebookClient

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the kernel's tools

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_as_it_should_be(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    words = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert words[0].source.startswith("# ")
    assert notebook.cells[0] is words[0]
    assert words[-1].source.startswith("## Exercises")
    assert words[-1].source.count("\n1. ") == 1
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
def test_a_notebook_runs(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    began = time.perf_counter()
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    print(f"{path.stem}: {time.perf_counter() - began:.1f} s")
    errors = [out for cell in notebook.cells for out in cell.get("outputs", []) if out.output_type == "stream"]
    assert not [out.text for out in errors if out.name == "stderr"]
    shown = [out for cell in notebook.cells for out in cell.get("outputs", []) if "data" in out]
    assert any("image/svg+xml;base64" in str(out.data.get("text/html", "")) for out in shown)
