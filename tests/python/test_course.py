"""Tests of ``course/``: the handouts, and the grading of right, partly right, wrong and hostile answers.

``make course-test`` installs nbgrader and otter-grader, which are large, in an environment of their own and sets
``GRIDWRIGHT_COURSE_PYTHON`` to its interpreter. Without that variable, the tests that need these tools are skipped.
"""

from __future__ import annotations

import csv
import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import gridwright as gw
import nbformat
import numpy as np
import pytest
from conftest import ROOT, needs

pytest.importorskip("jupytext")  # required by handout.py

pytestmark = [needs("processes"), pytest.mark.filterwarnings("ignore")]

COURSE = ROOT / "course"
TOOLS = os.environ.get("GRIDWRIGHT_COURSE_PYTHON", "")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(gw.__file__).parents[1])}
KEY = "a secret of the tests"


def load(name, folder=COURSE):
    """Imports the script ``name`` from a folder, by default ``course/``."""
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


HANDOUT = load("handout")
JUDGE = load("judge")
NAMES = HANDOUT.names()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Returns a folder with the output of ``course/handout.py``."""
    out = tmp_path_factory.mktemp("course")
    HANDOUT.make(out, KEY)
    return out


def read(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))


def handed_in(made, path, name, answers):
    """Writes a copy of a released notebook in which answers, given by cell, replace the stubs; returns its path."""
    notebook = read(made / "release" / f"{name}.ipynb")
    known = set()
    for cell in notebook["cells"]:
        at = cell["metadata"].get("nbgrader", {}).get("grade_id")
        at = "student" if cell["source"] == 'STUDENT = ""' else at
        if at in answers:
            known.add(at)
            cell["source"] = answers[at]
    assert known == set(answers)
    Path(path).write_text(json.dumps(notebook), encoding="utf-8")
    return path


def answers_of(made, name):
    """Returns the source of each solution of an assignment, by the ID of its cell."""
    cells = read(made / "solutions" / f"{name}.ipynb")["cells"]
    marked = [(cell["metadata"].get("nbgrader", {}), cell["source"]) for cell in cells]
    return {marks["grade_id"]: source for marks, source in marked if marks.get("solution")}


def judged(made, path, name, tmp_path, **options):
    """Grades a notebook with ``judge.py`` in a separate process; returns the results by question."""
    results = tmp_path / "results.json"
    command = [sys.executable, COURSE / "judge.py", made / "nbgrader" / "tests" / f"{name}.json", path, results]
    command += [str(part) for option in options.items() for part in (f"--{option[0]}", option[1])]
    subprocess.run(list(map(str, command)), check=True, env=ENVIRONMENT, timeout=300, stdout=subprocess.DEVNULL)
    return {each["name"]: each for each in read(results)["questions"]}


# Answers to the assignment on MyPhoton.

WRONG = {
    "student": 'STUDENT = "wrong"',
    "can_select": "def can_select(board, row, col):\n    return True",
    "swap_tiles": "def swap_tiles(board, one, other):\n    board[one] = board[other]",
    "parse": "def parse(text):\n    return [row.split() for row in text.splitlines()[1:]]",
    "draw_board": "def draw_board(board):\n    return []",
    "beams": "def beams(board):\n    return board * 0",
    "is_puzzle_solved": "def is_puzzle_solved(board):\n    return False",
    "my_swaps": "my_swaps = [(0, 0, 1, 1)]",
    "my_level": "my_level = '3 3'",
}

HOSTILE = {
    # Replaces check functions, `agree`, and the score and points of every report.
    "student": """STUDENT = "mallory"
import gridwright.check as check
from gridwright.check import Report
Report.score = property(lambda report: 1.0)
Report.points = lambda report, most, display=True: most
check.can_select = check.beams = lambda *args, **more: Report("right", (), ())
agree = lambda *args, **more: 100""",
    # Prints points, and a message like the one that a kernel sends for a result.
    "can_select": """print(10)
print({"output_type": "execute_result", "data": {"text/plain": "10.0"}})
can_select = 10.0""",
    # Returns points that equal every number.
    "swap_tiles": """class Everything(float):
    def __eq__(self, other):
        return True
    __hash__ = None
def swap_tiles(board, one, other):
    return Everything(10)""",
    # Ends the interpreter: `parse` when its cell runs, `draw_board` when it is called.
    "parse": "import os\nos._exit(0)",
    "draw_board": """import os
def draw_board(board):
    os._exit(0)""",
    # Never returns.
    "beams": """def beams(board):
    while True:
        pass""",
    # Searches files and stack frames for the tests and the key.
    "is_puzzle_solved": """import glob, os, sys
def is_puzzle_solved(board):
    seen = []
    for folder in FOLDERS:
        for name in ("judge.py", "tests.json", "key.txt", "run.py"):
            try:
                seen.append(open(os.path.join(folder, name)).read())
            except OSError:
                pass
        try:
            seen += os.listdir(folder)
        except OSError:
            pass
    frame = sys._getframe()
    while frame is not None:
        seen += [value for value in frame.f_locals.values() if isinstance(value, str) and SECRET in value]
        frame = frame.f_back
    try:
        import readline

        seen.append("readline")
    except ImportError:
        pass
    if seen:
        raise RuntimeError("LEAKED " + str(seen)[:300])
    return True""",
    # Never ends.
    "my_swaps": "while True:\n    pass",
    # Starts a program.
    "my_level": "import subprocess\nmy_level = subprocess.check_output(['cat', '/etc/passwd']).decode()",
}


def hostile(*folders):
    """Returns the hostile answers; ``is_puzzle_solved`` searches the given folders."""
    found = dict(HOSTILE)
    given = f"FOLDERS = {[str(folder) for folder in folders]!r}\nSECRET = {KEY[:-1]!r} + {KEY[-1]!r}\n"
    found["is_puzzle_solved"] = given + found["is_puzzle_solved"]
    return found


def submissions(made, folder):
    """Writes a right, a partly right, a wrong and a hostile notebook; returns their paths by name."""
    folder.mkdir(parents=True, exist_ok=True)
    right = answers_of(made, "photon")
    half = {**WRONG, **{name: right[name] for name in ("can_select", "parse", "draw_board", "is_puzzle_solved")}}
    half["student"] = 'STUDENT = "half"'
    half["beams"] = right["beams"].replace("[turned, heading] if", "[turned] if")
    right["student"] = 'STUDENT = "right"'
    everything = {"right": right, "half": half, "wrong": WRONG, "hostile": hostile(COURSE, made / "nbgrader", folder)}
    return {name: handed_in(made, folder / f"{name}.ipynb", "photon", answers) for name, answers in everything.items()}


def check_points(points, total=105):
    """Checks the points that the four notebooks of ``submissions`` earned.

    * ``points``: the points of each notebook, by its name.
    * ``total``: the points that a right notebook earns.
    """
    assert points["right"] == total
    assert 40 < points["half"] < 80
    assert points["wrong"] <= 15
    assert points["hostile"] == 0


# The handouts.


@pytest.mark.parametrize("name", NAMES)
def test_a_release_contains_no_answer(made, name):
    for folder in ("release", "solutions"):
        nbformat.validate(nbformat.read(made / folder / f"{name}.ipynb", as_version=4))
    release, master = (read(made / path) for path in (f"release/{name}.ipynb", f"nbgrader/source/{name}/{name}.ipynb"))
    text = json.dumps(release)
    assert "SOLUTION" not in text
    assert "HIDDEN" not in text
    assert KEY not in text
    for cell in master["cells"]:
        for region in ("SOLUTION", "HIDDEN TESTS"):
            begins, ends = (cell["source"].count(f"### {word} {region}") for word in ("BEGIN", "END"))
            assert begins == ends
    assert all(not cell.get("outputs") for cell in release["cells"])
    # The tests that the graders run contain no solution either.
    tests = json.dumps(read(made / "nbgrader" / "tests" / f"{name}.json"))
    assert "SOLUTION" not in tests


@pytest.mark.parametrize("name", NAMES)
def test_points_add_up_to_100_plus_the_extra_credit(made, name):
    cells = read(made / "release" / f"{name}.ipynb")["cells"]
    extra, points = False, {False: 0, True: 0}
    for cell in cells:
        extra |= cell["source"].startswith("## Extra credit")
        points[extra] += cell["metadata"].get("nbgrader", {}).get("points", 0)
    assert points[False] == 100
    assert f"{points[True]} of extra credit" in "".join(cell["source"] for cell in cells[:1])


@pytest.mark.parametrize("name", NAMES)
def test_the_solutions_earn_all_points_and_the_release_earns_none(made, name, tmp_path):
    found = judged(made, made / "solutions" / f"{name}.ipynb", name, tmp_path, key=made / "key.txt", student="ada")
    assert {at: each["points"] for at, each in found.items()} == {at: each["most"] for at, each in found.items()}
    found = judged(made, made / "release" / f"{name}.ipynb", name, tmp_path, key=made / "key.txt", student="ada")
    assert {each["points"] for each in found.values()} == {0}


def test_right_bootstraps_fail_for_fewer_than_one_student_in_a_million(made):
    cells = read(made / "solutions" / "experiments.ipynb")["cells"]
    (source,) = [cell["source"] for cell in cells if "def nearly" in cell["source"]]
    rounds, normal, end, students, failures = set(), statistics.NormalDist(), -1.75, 500, 0.0
    names = {"np": np, "agree": lambda *_, **__: None, "bootstrap": lambda values, n: rounds.add(n) or (0, 0)}
    for seed in range(students):
        names["SEED"] = seed
        exec(source, names)
        for values in map(np.array, names["samples"]):
            names["nearly"](values)
            n, z = len(values), (values - values.mean()) / values.std()
            excess = ((z**4).mean() - 3) / n
            # An end is refused if fewer than 2.5% of the means lie on its side of the sample's mean, at least 1.75
            # standard errors away.
            for skew in np.array([1, -1]) * (z**3).mean() / n**0.5:
                # The Edgeworth expansion gives the expected share of these means, and the Chernoff bound the chance
                # that the share among the drawn means is below 2.5%.
                more = skew * (end**2 - 1) / 6 + excess * (end**3 - 3 * end) / 24
                more += skew**2 * (end**5 - 10 * end**3 + 15 * end) / 72
                share = normal.cdf(end) - normal.pdf(end) * more
                distance = 0.025 * np.log(0.025 / share) + 0.975 * np.log(0.975 / (1 - share))
                failures += np.exp(-min(rounds) * distance) if share > 0.025 else 1
    assert failures / students < 1e-6


CONSTANTS = {
    "manual_board": [[[2, 8]], [[4], [1]], [[2, 12], [2, 9]]],
    "scramble": [[[1, 3, 5], [7, 2, 15]]],
    "best_play": [(0, 0, 2, 1), (0, 1, 2, 0), (1, 3, 3, 0), (0, 0, 1, 2)],
    "bootstrap": [(-8.16, -7.84), (3.7, 5.3), (19.44, 20.56)],
}
"""Question -> constant answers, for the questions whose check compares a verdict on the answer, not the answer."""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("folder", ["release", "nbgrader/source/{}"])
@pytest.mark.parametrize("seed", [None, 5, 12345])
def test_constant_answers_earn_no_points_where_answers_are_compared(made, name, folder, seed):
    cells = read(made / folder.format(name) / f"{name}.ipynb")["cells"]
    marked = [(marks, cell["source"]) for cell in cells if (marks := cell["metadata"].get("nbgrader"))]
    names = {"STUDENT": "ada", "display": lambda *_: None}
    for marks, source in marked:
        if marks["locked"] and not marks["grade"]:
            exec(source, names)
    names["SEED"] = seed
    agree, given = names.get("agree"), []
    for marks, source in marked:
        question = marks["grade_id"].removesuffix("-check")
        if not marks["grade"] or "agree(" not in source:
            continue
        names["agree"] = lambda *args, **more: given.append((args, more))
        exec(source, names)
        (_, cases, expected, most), more = given.pop()
        answers = [expected(case) for case in cases]
        assert ("chance" in more) == (question in CONSTANTS), question
        if "chance" not in more:
            common = max(answers, key=answers.count)
            assert answers.count(common) < len(answers), question
            assert agree(lambda case, common=common: common, cases, expected, most) == 0, question
        names["agree"] = lambda *args, **more: given.append(agree(*args, **more))
        for constant in CONSTANTS.get(question, ()):
            names[question] = lambda *_, constant=constant: constant
            exec(source, names)
            assert given.pop() == 0, (question, constant)


def test_equal_right_answers_earn_no_points_unless_all_are_found():
    names = {"display": lambda *_: None}
    exec((ROOT / "course" / "agree.py").read_text(encoding="utf-8"), names)
    for answers, points in (([True, True], 5), ([True, False], 0), ([False, False], 0)):
        assert names["agree"](answers.__getitem__, [0, 1], lambda case: True, 5) == points


def test_two_students_get_different_boards(made):
    boards = set()
    for student in ("ada", "bob"):
        names = {"STUDENT": student}
        for source in read(made / "nbgrader" / "tests" / "photon.json")["setup"]:
            exec(source, names)
        boards.add(names["mine"].text)
    assert len(boards) == 2


def test_the_archives_contain_the_wheel_and_the_key_but_no_solution(made, tmp_path):
    wheel = tmp_path / "gridwright-1-any.whl"
    wheel.write_text("a wheel", encoding="utf-8")
    HANDOUT.make(tmp_path / "out", wheels=[wheel])
    key = (tmp_path / "out" / "key.txt").read_text(encoding="utf-8").strip()
    HANDOUT.make(tmp_path / "out", wheels=[wheel])  # the second call keeps the key of the first
    for tool in ("otter", "gradescope"):
        with zipfile.ZipFile(tmp_path / "out" / tool / "geese.zip") as archive:
            assert archive.read(f"wheels/{wheel.name}") == b"a wheel"
            assert archive.read("requirements.txt").decode().startswith("gridwright[teach]==1\n")
            assert archive.read("key.txt").decode() == key
            assert archive.getinfo("run_autograder").external_attr >> 16 & 0o111
            assert not any("BEGIN SOLUTION" in archive.read(name).decode() for name in archive.namelist())


# Grading.


def gradescope(made, folder, submission, name="photon"):
    """Runs the autograder of the Gradescope archive in a folder laid out as on Gradescope; returns the results."""
    for part in ("source", "submission", "results"):
        (folder / part).mkdir(parents=True)
    with zipfile.ZipFile(made / "gradescope" / f"{name}.zip") as archive:
        archive.extractall(folder / "source")
    (folder / "submission" / "anything.ipynb").write_bytes(submission.read_bytes())
    (folder / "submission_metadata.json").write_text(json.dumps({"users": [{"email": "ada@example.org"}]}))
    script = folder / "source" / "run_autograder"
    environment = {**ENVIRONMENT, "AUTOGRADER": str(folder), "PYTHON": sys.executable}
    subprocess.run(["bash", str(script)], check=True, env=environment, timeout=300, cwd="/")
    return read(folder / "results" / "results.json")


def test_gradescope_grades_four_notebooks(made, tmp_path):
    paths = submissions(made, tmp_path / "submitted")
    results = {name: gradescope(made, tmp_path / name, path) for name, path in paths.items()}
    check_points({name: sum(test["score"] for test in found["tests"]) for name, found in results.items()})
    assert all(sum(test["max_score"] for test in found["tests"]) == 105 for found in results.values())
    assert "'right'" in results["right"]["output"]
    half, bad = ({test["name"]: test for test in results[name]["tests"]} for name in ("half", "hostile"))
    assert 0 < half["beams-check"]["score"] < half["beams-check"]["max_score"]
    # The feedback contains the picture and the text of the report, but never the code of the check.
    assert "data:image/svg+xml;base64" in half["beams-check"]["output"]
    assert "expected" in half["beams-check"]["output"]
    shown = "".join(test["output"] for found in results.values() for test in found["tests"])
    assert "agree(" not in shown
    assert ".points(" not in shown
    assert "LEAKED" not in shown
    assert "must be a function" in bad["can_select-check"]["output"]
    assert "parse is not defined" in bad["parse-check"]["output"]
    assert "ended the process" in bad["parse-check"]["output"]
    assert "did not finish" in bad["beams-check"]["output"]
    assert "your code did not finish" in bad["my_swaps-check"]["output"]


def test_gradescope_gives_no_points_for_an_unreadable_notebook(made, tmp_path):
    broken = tmp_path / "broken.ipynb"
    broken.write_text("no notebook", encoding="utf-8")
    found = gradescope(made, tmp_path / "a", broken)
    assert sum(test["score"] for test in found["tests"]) == 0
    assert "the notebook cannot be read" in found["tests"][0]["output"]
    assert found["output"] == "No boards were drawn, because the notebook cannot be read."


def test_a_slow_cell_keeps_statements_on_the_line_of_a_bare_expression(made, tmp_path):
    answers = answers_of(made, "photon")
    answers["can_select"] = (
        "class Kinds:\n    all = 'mirror'\nkinds = Kinds(); import time; time.sleep(0.4)\n"
        + answers["can_select"].replace("    return", "    assert kinds.all == 'mirror'\n    return")
    )
    path = handed_in(made, tmp_path / "beside.ipynb", "photon", answers)
    found = judged(made, path, "photon", tmp_path)["can_select-check"]
    assert found["points"] == found["most"], found


def test_slow_cells_do_not_use_up_the_time_of_a_call(made, tmp_path):
    answers = answers_of(made, "photon")
    # An object has no literal, so the statement stays and runs in every process, for longer than a check allows a call.
    slow = "import time\nclass Slow:\n    def __init__(self):\n        time.sleep(2.3)\nslow = Slow()\n"
    answers["can_select"] = slow + answers["can_select"]
    path = handed_in(made, tmp_path / "slow.ipynb", "photon", answers)
    found = judged(made, path, "photon", tmp_path)
    assert {at: each["points"] for at, each in found.items()} == {at: each["most"] for at, each in found.items()}


def test_cells_that_take_too_long_together_are_reported(monkeypatch):
    monkeypatch.setattr("gridwright.check.worker._START", 2.0)
    one = "class Slow:\n    def __init__(self):\n        time.sleep(1.2)\nslow = Slow()"
    with pytest.raises(JUDGE.NoAnswer, match="your code did not start within 2 s"):
        settled("import time", one, one + "\nn = 1")


def test_slow_questions_leave_time_for_later_ones(made, monkeypatch):
    ends = []
    monkeypatch.setattr(JUDGE, "check", lambda *given: ends.append(given[-1].student.ends))
    tests = made / "nbgrader" / "tests" / "photon.json"
    began = time.monotonic()
    _, results = JUDGE.grade(tests, made / "release" / "photon.ipynb")
    assert len(ends) == len(results) > 5
    assert np.diff(ends) == pytest.approx(JUDGE.RESERVE)
    assert began <= ends[-1] - JUDGE.GRADING <= time.monotonic()
    # The time that the cells may take leaves some for the first question.
    assert JUDGE.SETTLING + len(ends) * JUDGE.RESERVE < JUDGE.GRADING


def test_a_check_ends_with_the_time_of_its_question(monkeypatch):
    for name, value in (("load", None), ("ends", 0.0)):
        monkeypatch.setattr(gw.check.judge.Check, name, value, raising=False)
    monkeypatch.setattr(gw.check.Report, "_display", None)
    code = JUDGE.StudentCells([], {})
    try:
        code.ends = time.monotonic() - 1
        names = JUDGE.Names({"check": gw.check, "counts": lambda board: (0, 0)}, code)
        cell = compile("report = check.counts(counts)", "<check>", "exec"), compile("report.points(10)", "", "eval")
        result = JUDGE.Result("counts", 10)
        JUDGE.check(cell, 10, result, names)
    finally:
        code.close()
    assert result.points == 0
    assert "was not tried, because the time for all cases ran out" in result.text


def test_cells_and_calls_that_take_too_long_in_total_are_reported(monkeypatch):
    monkeypatch.setattr(JUDGE, "LOADING", 1.0)
    code = JUDGE.StudentCells([JUDGE.Cell("<cell 1>", "while True:\n    pass"), JUDGE.Cell("<cell 2>", "n = 1")], {})
    try:
        code.ends = time.monotonic() + 0.5
        code.settle()
        assert code.cells[1].trouble == "your code took too long in total"
        with pytest.raises(JUDGE.NoAnswer, match="your code took too long in total"):
            code.stand_in("n")
    finally:
        code.close()


def test_a_board_that_is_scrambled_in_place_is_reported_and_not_damaged(made, tmp_path):
    answers = answers_of(made, "lightemall")
    answers["scramble"] = """def scramble(wires):
    for row in wires:
        for col, mask in enumerate(row):
            turns = random.randrange(4)
            row[col] = (mask << turns | mask >> (4 - turns)) & 15
    return wires"""
    found = judged(made, handed_in(made, tmp_path / "in_place.ipynb", "lightemall", answers), "lightemall", tmp_path)
    assert found["scramble-check"]["points"] == 0
    assert "the given board was changed" in found["scramble-check"]["text"]
    assert "[[1, 3, 5], [7, 2, 15]]" in found["scramble-check"]["text"]
    assert all(each["points"] == each["most"] for at, each in found.items() if at != "scramble-check")
    # In a notebook too, the student's own board stays as it is.
    names = {"STUDENT": "ada", "display": lambda *_: None}
    for cell in read(made / "solutions" / "lightemall.ipynb")["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        if marks.get("locked") and not marks["grade"]:
            exec(cell["source"], names)
        elif marks.get("grade_id") == "scramble-check":
            exec(answers["scramble"], names)
            exec(cell["source"], names)
    assert names["my_wires"] == names["mine"].wires.tolist()


def test_a_stand_in_changes_lists_as_the_function_does():
    source = """def change(board, rows, item):
    board[0][0] += 1
    board.append([])
    rows.append(set())
    return len(item)"""
    code = JUDGE.StudentCells([JUDGE.Cell("<cell 1>", source)], {})
    try:
        code.settle()
        change = code.stand_in("change")
        board, rows, item = [[1, 2], [3, 4]], [(1, 2)], (5, 6)
        for step in (1, 2):
            assert change(board, rows, item) == 2
            assert board == [[1 + step, 2], [3, 4], *[[]] * step]
        # A list that plain data cannot express stays as it was.
        assert rows == [(1, 2)]
    finally:
        code.close()


def settled(*sources, name="n"):
    """Runs cells with the given sources as a grader does; returns the cells and the value of a name, as plain data."""
    code = JUDGE.StudentCells([JUDGE.Cell(f"<cell {at}>", source) for at, source in enumerate(sources, 1)], {})
    try:
        code.settle()
        return code.cells, code.stand_in(name)
    finally:
        code.close()


SLOW_CELLS = {
    "a loop that counts": ("n = 0\nfor k in range(3):\n    sleep()\n    n += 1", 3),
    "a loop that fills a list": ("n = []\nfor k in range(3):\n    sleep()\n    n.append(k)", (0, 1, 2)),
    "a name that is assigned twice": ("n = [sleep()]\nn = n + n", (None, None)),
    "a list with two names": (
        "n = []\nalso = n\nfor k in range(2):\n    sleep()\n    n.append(k)\nalso.append(9)",
        (0, 1, 9),
    ),
    "a list that is part of another": (
        "n = [[1], [2]]\ndef best():\n    sleep()\n    return n[1]\nfound = best()\nfound.append(3)",
        ((1,), (2, 3)),
    ),
    "equal rows that are one list": (
        "def rows():\n    sleep()\n    return [[0]] * 2\nn = rows()\nn[0][0] = 1",
        ((1,), (1,)),
    ),
    "a call that changes a value without a literal": (
        "from collections import Counter\nn = Counter()\nn.update('oo')\nsleep()",
        (("o", 2),),
    ),
    "a slow call that changes a value without a literal": (
        "from collections import Counter\nn = Counter()\nn.update(['o' for k in range(2) if not sleep()])",
        (("o", 2),),
    ),
    "a call that changes a board": ("import numpy as np\nn = np.zeros(2)\nn.put(0, sleep() or 1)", (1, 0)),
    "a call that changes an object": (
        "class One:\n    n = 0\n    def go(self):\n        self.n += 1\n        sleep()\n"
        "one = One()\none.go()\nn = one.n",
        1,
    ),
    "a call that changes a class": (
        "class One:\n    n = 0\n    def go(self):\n        sleep()\n        One.n += 1\nOne().go()\nn = One.n",
        1,
    ),
    "a call that changes a default": (
        "def go(at=[]):\n    sleep()\n    at.append(1)\n    return at\ngo()\nn = go()",
        (1, 1),
    ),
    "a call that changes a closure": (
        "def count():\n    n = 0\n    def one():\n        nonlocal n\n        sleep()\n        n += 1\n"
        "        return n\n    return one\none = count()\none()\nn = one()",
        2,
    ),
    "a generator that goes on": (
        "def steps():\n    yield sleep()\n    yield 1\n    yield 2\nstep = steps()\nnext(step)\nn = next(step)",
        1,
    ),
    "a random generator": (
        "import random\nrandom.seed(1)\nn = [random.random() for k in range(2) if not sleep()]\nrandom.seed(1)\n"
        "n = [sleep() or random.random()]\nn = random.random() == random.Random(1).random()",
        False,
    ),
    "a name that is deleted": ("n = 1\ntry:\n    sleep()\nfinally:\n    del n\nn = 'n' in globals()", False),
    "an assertion that fails": ("n = 1\nassert sleep()\nn = 2", 1),
    "text on two lines": ("sleep()\nn = '''a\n!b'''", "a\n!b"),
    "a decorator": (
        "def twice(f):\n    sleep()\n    return lambda: 2 * f()\n@twice\ndef n():\n    return 1\nn = n()",
        2,
    ),
    "a value without a literal": ("n = float('nan') if sleep() else float('inf')\nn = n > 9", True),
    "a name that is a keyword": (
        "n = 1\ndef go():\n    sleep()\n    globals()['if'] = 1\ngo()\nn += globals()['if']",
        2,
    ),
    "annotations": ("n: int = sleep() or 1; also = 2\nn += also", 3),
}


@pytest.mark.parametrize("case", SLOW_CELLS)
def test_a_slow_cell_defines_the_right_values(monkeypatch, case):
    monkeypatch.setattr(JUDGE, "QUICK", 0.02)
    source, expected = SLOW_CELLS[case]
    (_, cell), value = settled("import time\ndef sleep():\n    time.sleep(0.03)", source)
    assert value == expected or list(value) == list(expected), cell.source


def test_slow_statements_with_a_known_effect_do_not_run_again():
    source = """import time
def slow(count):
    time.sleep(0.4)
    return count
print(slow(3),
      slow(4))
n = 0
for k in range(2):
    n += slow(k)
x, *n = n, slow(k) ; n += [(x, {1: 'one'})]
def line():
    return 1 / 0"""
    (cell,), value = settled(source)
    assert value == [1, [1, [[1, "one"]]]] or value == (1, (1, ((1, "one"),)))
    lines = cell.source.split("\n")
    assert lines[4:10] == ["", "", "n = 0", "n = 1; k = 1", "", "n = [1, (1, {1: 'one'})]; x = 1"]
    assert lines[:4] + lines[10:] == source.split("\n")[:4] + source.split("\n")[10:]


def test_in_a_cell_that_does_not_finish_only_the_endless_expression_is_left_out(monkeypatch):
    monkeypatch.setattr(JUDGE, "LOADING", 1.5)
    source = "n = [1]\nn.append(2)\ndef ever():\n    while True:\n        pass\never()\nn.append(3)"
    (_, cell, last), value = settled("k = 1", source, "n.append(3 + k)")
    assert value == (1, 2, 3, 4)
    assert cell.source == source.replace("\never()\n", "\n\n")
    assert cell.trouble == "your code did not finish within 1.5 s"
    assert not last.trouble
    (cell, last), value = settled(source.replace("\never()", "\nx = ever()"), "n = 5")
    assert cell.source == ""
    assert value == 5


def test_a_forged_answer_of_a_cell_earns_no_points_and_does_not_stop_the_grader(made, tmp_path):
    forge = """import sys, time
time.sleep(0.4)
frame = sys._getframe()
while "send" not in frame.f_locals:
    frame = frame.f_back
while True:
    frame.f_locals["reply"]({"count": frame.f_locals["count"], "value": 7})"""
    path = handed_in(made, tmp_path / "forge.ipynb", "photon", {"can_select": forge})
    assert {each["points"] for each in judged(made, path, "photon", tmp_path).values()} == {0}


def test_an_exception_of_a_cell_or_a_call_names_the_line_of_the_student(made, tmp_path):
    (cell, *_), _ = settled("k = 1\nj = k + i", "n = 1")
    assert cell.trouble == "raised NameError: name 'i' is not defined (line 2: j = k + i)"
    path = handed_in(made, tmp_path / "raises.ipynb", "photon", {"beams": "def beams(board):\n    return 1 / 0"})
    shown = judged(made, path, "photon", tmp_path)["beams-check"]["text"]
    assert "ZeroDivisionError: division by zero (line 2: return 1 / 0)" in shown


def test_a_cell_that_is_not_python_is_reported_with_its_line():
    (_, cell), _ = settled("n = 1", "x = 1\nif x\n    pass")
    assert cell.trouble == "the cell is not valid Python: expected ':' (line 2)"


def test_the_feedback_on_an_answer_that_is_long_or_not_plain_is_short_and_true(made, tmp_path):
    answers = answers_of(made, "domination")
    answers["display_board"] = "def display_board(board):\n    return ['X' * 10**6] * 3"
    answers["best_play"] = "def best_play(size, lookback, plays):\n    return {1, 2}"
    found = judged(made, handed_in(made, tmp_path / "long.ipynb", "domination", answers), "domination", tmp_path)
    shown = {name: found[f"{name}-check"]["text"] for name in ("display_board", "best_play")}
    assert len(shown["display_board"]) < 11_000
    assert "got:\n['XXX" in shown["display_board"]
    assert "your code gave a value of type set, expected numbers, text, or lists of these" in shown["best_play"]


def test_notebook_commands_are_removed_but_lines_of_an_expression_are_not():
    split = "def f(a, b):\n    return (\n        a\n        % b\n    ) != (\n        a\n        != b\n    )"
    text = "text = '''\n%d\n!\n'''"
    for source in (split, text):
        assert JUDGE.without_magic(source) == source
        commands = f"%matplotlib inline\n{source}\n!echo it's (\nif True:\n    %time f(1, 2)"
        assert JUDGE.without_magic(commands) == f"pass\n{source}\npass\nif True:\n    pass"
    assert JUDGE.without_magic("%%time\nx = 1\n%cd (\ny = (") == "pass\nx = 1\npass\ny = ("
    assert JUDGE.without_magic("x = 1 +\n% y") == "x = 1 +\n% y"
    for command in ("f?", "f??", "?f", "??f", "np.linalg.norm?", "%time?", "*int*?"):
        assert (
            JUDGE.without_magic(f"{source}\nif True:\n    {command}\ny = 1") == f"{source}\nif True:\n    pass\ny = 1"
        )
    assert JUDGE.without_magic("files = !ls '*\nx = %timeit -o f()\nd['a'] = !echo (") == (
        "files = []\nx = None\nd['a'] = []"
    )
    assert JUDGE.without_magic("if True:\n    %time x, y[0] = f(a=1), 2\n%time f(a == 1)") == (
        "if True:\n    x, y[0] = f(a=1), 2\npass"
    )
    for wrong in ("x = 1?", "f(a=1?", "a ! = b"):
        assert JUDGE.without_magic(wrong) == wrong
    notebook = {"cells": [{"cell_type": "code", "source": f"x = 1\r\n%cd\r\ny = '\u2028'\n{split}"}]}
    assert [cell.source for cell in JUDGE.cells_of(notebook, set())] == [f"x = 1\npass\ny = '\u2028'\n{split}"]


def test_the_name_of_a_student_may_be_annotated():
    for source in (
        'STUDENT: str = "bob"',
        'STUDENT = "bob"',
        'STUDENT: str\nSTUDENT = name = "bob"\nOTHER: str = "eve"',
    ):
        assert JUDGE.student_of([JUDGE.Cell("<cell 1>", source)]) == "bob"
    assert JUDGE.student_of([JUDGE.Cell("<cell 1>", "STUDENT: str")]) == ""


def test_checked_code_finds_no_source_of_a_checking_cell_in_memory(made, tmp_path):
    search = """import sys
def can_select(board, row, col):
    frame, part = sys._getframe().f_back, "check." + "can_select("
    while frame is not None:
        for value in frame.f_locals.values():
            if isinstance(value, str) and part in value:
                raise RuntimeError("LEAKED " + value)
        frame = frame.f_back
    return True"""
    path = handed_in(made, tmp_path / "search.ipynb", "photon", {"can_select": search})
    found = judged(made, path, "photon", tmp_path)["can_select-check"]
    assert "expected" in str(found)
    assert "LEAKED" not in str(found)


def test_annotations_of_a_cell_are_values_as_they_are_in_a_notebook():
    _, value = settled("def f(board: int):\n    return 1\nn = [f.__annotations__['board'] is int]")
    assert value in ([True], (True,))


def test_an_answer_of_none_is_not_reported_as_undefined(made, tmp_path):
    path = handed_in(made, tmp_path / "none.ipynb", "photon", {"my_swaps": "my_swaps = None"})
    results = judged(made, path, "photon", tmp_path)
    assert "my_swaps is not defined" not in str(results["my_swaps-check"])
    path = handed_in(made, tmp_path / "gone.ipynb", "photon", {"my_swaps": "pass"})
    assert "my_swaps is not defined" in str(judged(made, path, "photon", tmp_path)["my_swaps-check"])


# Grading with nbgrader and otter-grader.

TOOLED = pytest.mark.skipif(not TOOLS, reason="needs nbgrader and otter-grader: make course-test")


def tool(*command, cwd, **environment):
    """Runs the course environment's interpreter; fails if it exits with an error, and returns what it printed."""
    path = os.pathsep.join([str(Path(TOOLS).parent), os.environ["PATH"]])
    done = subprocess.run(
        [TOOLS, *map(str, command)],
        env={**ENVIRONMENT, "PATH": path, **environment},
        cwd=cwd,
        timeout=600,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@TOOLED
def test_nbgrader_grades_four_notebooks(made, tmp_path):
    root = tmp_path / "nbgrader"
    shutil.copytree(made / "nbgrader", root)
    tool("-m", "nbgrader", "generate_assignment", "photon", cwd=root)
    # The notebook that nbgrader generates equals the one in `release/`.
    theirs, ours = read(root / "release/photon/photon.ipynb"), read(made / "release/photon.ipynb")
    assert ["".join(cell["source"]) for cell in theirs["cells"]] == [cell["source"] for cell in ours["cells"]]
    for name, path in submissions(made, tmp_path / "submitted").items():
        (root / "submitted" / name / "photon").mkdir(parents=True)
        shutil.copy(path, root / "submitted" / name / "photon" / "photon.ipynb")
    tool("-m", "nbgrader", "autograde", "photon", cwd=root)
    tool("-m", "nbgrader", "generate_feedback", "photon", cwd=root)
    tool("-m", "nbgrader", "export", "--to", "grades.csv", cwd=root)
    with open(root / "grades.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    check_points({row["student_id"]: float(row["score"]) for row in rows})
    assert {float(row["max_score"]) for row in rows} == {105}
    feedback = {
        name: next((root / "feedback" / name).rglob("*.html")).read_text("utf-8") for name in ("half", "hostile")
    }
    assert "data:image/svg+xml;base64" in feedback["half"]
    assert "HIDDEN TESTS" not in feedback["half"]
    assert "RuntimeError: LEAKED" not in feedback["hostile"]


@TOOLED
def test_otter_grades_four_notebooks(made, tmp_path):
    totals = {}
    for name, path in submissions(made, tmp_path / "submitted").items():
        out = tmp_path / f"otter-{name}"
        out.mkdir()
        command = ["run", "-a", made / "otter" / "photon.zip", "-o", out, "--no-logo", path]
        python_path = os.pathsep.join([ENVIRONMENT["PYTHONPATH"], str(made / "otter")])
        tool("-m", "otter", *command, cwd=tmp_path, PYTHONPATH=python_path)
        tests = [test for test in read(out / "results.json")["tests"] if "score" in test]
        assert sum(test["max_score"] for test in tests) == 105
        totals[name] = sum(test["score"] for test in tests)
        shown = json.dumps(tests)
        assert "LEAKED" not in shown
        assert "raise AssertionError" not in shown
        if name == "half":
            assert "The smallest wrong case found" in shown
    check_points(totals)
