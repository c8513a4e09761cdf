"""The configuration of nbgrader: ``judge.py`` does the grading, so no submitted code runs in nbgrader's processes."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
from nbgrader import preprocessors
from nbgrader.preprocessors import NbGraderPreprocessor

HERE = Path(__file__).resolve().parent
SECONDS = 900
"""The time limit for one submission, in seconds."""


class Judge(NbGraderPreprocessor):
    """Replaces nbgrader's ``Execute``: writes the points and the feedback into the checking cells."""

    def preprocess(self, nb, resources):
        about = resources["nbgrader"]
        with tempfile.TemporaryDirectory() as folder:
            submission, results = Path(folder) / "submission.ipynb", Path(folder) / "results.json"
            nbformat.write(nb, submission)
            command = [sys.executable, HERE / "judge.py", HERE / "tests" / f"{about['notebook']}.json"]
            command += [submission, results, "--student", about["student"], "--key", HERE / "key.txt"]
            subprocess.run([str(part) for part in command], check=True, timeout=SECONDS, stdout=subprocess.DEVNULL)
            found = {each["name"]: each for each in json.loads(results.read_text(encoding="utf-8"))["questions"]}
        for cell in nb.cells:
            result = found.get(cell.metadata.get("nbgrader", {}).get("grade_id"))
            if cell.cell_type == "code":
                cell.outputs = []
            if result is not None:
                points = {"text/plain": repr(result["points"])}
                cell.outputs = [nbformat.v4.new_output("display_data", data=each) for each in result["shown"]]
                cell.outputs.append(nbformat.v4.new_output("execute_result", data=points, execution_count=1))
        return nb, resources


c = get_config()
c.CourseDirectory.root = str(HERE)
c.CourseDirectory.course_id = "gridwright"
c.Autograde.autograde_preprocessors = [
    Judge,
    preprocessors.IgnorePattern,
    preprocessors.LimitOutput,
    preprocessors.SaveAutoGrades,
    preprocessors.AssignLatePenalties,
    preprocessors.CheckCellMetadata,
]
# The feedback shows the checking cells without their hidden tests, and the output of these cells.
c.GenerateFeedback.preprocessors = [
    preprocessors.GetGrades,
    preprocessors.ClearHiddenTests,
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
