#!/usr/bin/env python3
"""Makes the handouts of a course from the sources in ``assignments/``: ``python course/handout.py [OUT] [options]``.

A source is a notebook in jupytext's percent format, with a mark on each cell that matters for grading:

=========================== ======================================================================================
``# %% setup="start"``      a locked cell that is handed out and that the grader runs, too; a cell with
                            ``setup="agree"`` is replaced by the code of ``agree.py``
``# %% solution="beams"``   a cell for the student's code: the part from BEGIN SOLUTION to END SOLUTION is not handed
                            out
``# %% check="beams"``      a locked cell that checks an answer and ends in an expression for the points, at most
                            ``points=``; the part from BEGIN HIDDEN TESTS to END HIDDEN TESTS is not handed out
``# %% [markdown] answer=`` a cell for prose (or code, without ``[markdown]``) that the teacher reads and grades
=========================== ======================================================================================

All other cells are handed out and not graded. The output is ``release/`` (for students), ``solutions/``, ``nbgrader/``
(a course directory with its configuration), ``otter/`` and ``gradescope/`` (each with one archive per assignment),
``README.md``, and ``key.txt``, the secret of the course.
"""

from __future__ import annotations

import argparse
import copy
import json
import re
import secrets
import shutil
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import jupytext

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "assignments"
STUB = "# YOUR CODE HERE\nraise NotImplementedError()"
"""The text with which nbgrader replaces a solution."""
TEXT_STUB = "YOUR ANSWER HERE"

Notebook = dict[str, Any]


def names() -> list[str]:
    """Returns the names of all assignments."""
    return sorted(path.stem for path in SOURCES.glob("*.py"))


def marks(cell: Mapping[str, Any]) -> dict[str, Any]:
    """Returns nbgrader's metadata for a cell, or an empty dict for a cell without a mark."""
    given = cell["metadata"]
    kinds = {"setup": "", "solution": "", "check": "-check", "answer": "-answer"}
    kind = next((kind for kind in kinds if kind in given), None)
    if kind is None:
        return {}
    found = {
        "schema_version": 3,
        "grade_id": given[kind] + kinds[kind],
        "grade": kind in ("check", "answer"),
        "solution": kind in ("solution", "answer"),
        "locked": kind in ("setup", "check"),
        "task": False,
        "cell_type": cell["cell_type"],
    }
    return {**found, "points": given["points"]} if found["grade"] else found


def master(name: str) -> Notebook:
    """Returns an assignment with its solutions and hidden tests, in nbgrader's format."""
    read = jupytext.read(SOURCES / f"{name}.py", fmt="py:percent")
    shared = (HERE / "agree.py").read_text(encoding="utf-8").partition("\n\n\n")[2].rstrip()
    cells: list[dict[str, Any]] = []
    for number, cell in enumerate(read.cells):
        found = marks(cell)
        made: dict[str, Any] = {
            "cell_type": cell["cell_type"],
            "id": found.get("grade_id", f"cell-{number}"),
            "metadata": {"nbgrader": found} if found else {},
            "source": cell["source"],
        }
        if found.get("grade_id") == "agree":
            made["source"] = shared
            made["metadata"]["jupyter"] = {"source_hidden": True}
        if cell["cell_type"] == "code":
            made |= {"execution_count": None, "outputs": []}
        cells.append(made)
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    about = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}


def without(source: str, region: str, stub: str) -> str:
    """Returns the source of a cell with a stub in place of each region of the given name, such as ``SOLUTION``."""
    lines: list[str] = []
    inside = False
    for line in source.split("\n"):
        if f"BEGIN {region}" in line:
            inside = True
            indent = re.match(r"\s*", line)[0]  # type: ignore[index]
            lines += [indent + row for row in stub.split("\n")] if stub else []
        elif f"END {region}" in line:
            inside = False
        elif not inside:
            lines.append(line)
    return "\n".join(lines)


def release(notebook: Notebook) -> Notebook:
    """Returns the notebook for students, without solutions and hidden tests."""
    made = copy.deepcopy(notebook)
    for cell in made["cells"]:
        found = cell["metadata"].get("nbgrader", {})
        if found.get("solution"):
            stub = STUB if cell["cell_type"] == "code" else TEXT_STUB
            source = without(cell["source"], "SOLUTION", stub)
            cell["source"] = source if source != cell["source"] else stub
        cell["source"] = without(cell["source"], "HIDDEN TESTS", "")
    return made


def solutions(notebook: Notebook) -> Notebook:
    """Returns the notebook with solutions that students may read after the deadline, without hidden tests."""
    made = copy.deepcopy(notebook)
    for cell in made["cells"]:
        kept = [row for row in cell["source"].split("\n") if not re.search(r"(BEGIN|END) SOLUTION", row)]
        cell["source"] = without("\n".join(kept), "HIDDEN TESTS", "")
    return made


def tests(name: str, notebook: Notebook) -> dict[str, Any]:
    """Returns what ``judge.py`` needs to grade an assignment: its given cells and its checks, without solutions."""
    setup, questions, given = [], [], []
    for cell, shown in zip(notebook["cells"], release(notebook)["cells"], strict=True):
        if cell["cell_type"] != "code":
            continue
        found = cell["metadata"].get("nbgrader", {})
        if found.get("grade") and not found["solution"]:
            questions.append({"name": found["grade_id"], "most": found["points"], "source": cell["source"]})
        elif found.get("locked"):
            setup.append(cell["source"])
        if not found.get("solution"):
            given.append(shown["source"].strip())
    return {"assignment": name, "setup": setup, "given": given, "questions": questions}


def text_of(content: Any) -> str:
    """Returns a notebook, or other plain data, as JSON that ends with a newline."""
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def write(path: Path, content: Any) -> None:
    """Writes a string unchanged, or other plain data as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else text_of(content), encoding="utf-8")


def pack(path: Path, files: Mapping[str, str | Path], wheels: Iterable[Path]) -> None:
    """Writes a zip archive; equal content produces equal bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    everything: dict[str, str | Path] = {**files, **{f"wheels/{wheel.name}": wheel for wheel in wheels}}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(everything.items()):
            about = zipfile.ZipInfo(name)
            about.compress_type = zipfile.ZIP_DEFLATED
            executable = name in ("run_autograder", "setup.sh")
            about.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(about, content.read_bytes() if isinstance(content, Path) else content)


def otter_test(name: str, points: float) -> str:
    """Returns the source of a test for otter-grader; ``otter_judge.py`` fills in the points and the feedback."""
    return f"""OK_FORMAT = False
from otter.test_files import test_case

name = {name!r}
points = {points!r}


@test_case(points={points!r})
def test_judged():
    raise AssertionError("not graded: otter_config.json must name the plugin")
"""


def make(out: Path, key: str = "", wheels: Iterable[Path] = ()) -> None:
    """Writes all handouts to the folder ``out``; an existing key in this folder is kept unless ``key`` is given.

    ``wheels`` are the wheels of gridwright that go into the archives.
    """
    kept = out / "key.txt"
    key = key or (kept.read_text(encoding="utf-8").strip() if kept.exists() else secrets.token_hex(16))
    for part in ("release", "solutions", "otter", "gradescope"):
        shutil.rmtree(out / part, ignore_errors=True)
    # The rest of nbgrader's folder stays: it may contain a gradebook and submissions.
    shutil.rmtree(out / "nbgrader" / "source", ignore_errors=True)
    write(kept, key + "\n")
    write(out / "README.md", (HERE / "README.md").read_text(encoding="utf-8"))
    wheels, packages, judge = list(wheels), HERE / "packages", HERE / "judge.py"
    for name in names():
        notebook = master(name)
        judged = text_of(tests(name, notebook))
        write(out / "release" / f"{name}.ipynb", release(notebook))
        write(out / "solutions" / f"{name}.ipynb", solutions(notebook))
        write(out / "nbgrader" / "source" / name / f"{name}.ipynb", notebook)
        write(out / "nbgrader" / "tests" / f"{name}.json", judged)
        common: dict[str, str | Path] = {"judge.py": judge, "tests.json": judged, "key.txt": key}
        common |= {file: packages / file for file in ("run_autograder", "setup.sh")}
        # The requirement pins the version of the wheel, so that pip does not install another version.
        version = re.match(r"gridwright-([^-]+)-", wheels[0].name) if wheels else None
        needs = f"gridwright[teach]{f'=={version[1]}' if version else ''}\n"
        ours = {"run.py": packages / "gradescope.py", "requirements.txt": needs}
        pack(out / "gradescope" / f"{name}.zip", common | ours, wheels)
        ours = {"run.py": packages / "otter_run.py", "requirements.txt": needs + "otter-grader[grading,plugins]\n"}
        ours |= {file: packages / file for file in ("otter_judge.py", "otter_config.json")}
        for question in json.loads(judged)["questions"]:
            ours[f"tests/{question['name']}.py"] = otter_test(question["name"], question["most"])
        pack(out / "otter" / f"{name}.zip", common | ours, wheels)
    write(out / "otter" / "otter_judge.py", (packages / "otter_judge.py").read_text(encoding="utf-8"))
    write(out / "nbgrader" / "nbgrader_config.py", (packages / "nbgrader_config.py").read_text(encoding="utf-8"))
    write(out / "nbgrader" / "judge.py", judge.read_text(encoding="utf-8"))
    write(out / "nbgrader" / "key.txt", key + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="writes the handouts of all assignments")
    parser.add_argument("out", type=Path, nargs="?", default=HERE.parent / "build" / "course")
    parser.add_argument(
        "--key", default="", help="the secret of the course (default: the secret of an earlier run, or a random one)"
    )
    parser.add_argument("--wheels", type=Path, help="a folder with wheels of gridwright to put into the archives")
    parser.add_argument("--release", action="store_true", help="write only the notebooks for students, directly to OUT")
    options = parser.parse_args()
    if options.release:
        for name in names():
            write(options.out / f"{name}.ipynb", release(master(name)))
        return
    make(options.out, options.key, sorted(options.wheels.glob("gridwright-*.whl")) if options.wheels else ())
    print(f"{options.out}: {', '.join(names())}")


if __name__ == "__main__":
    main()
