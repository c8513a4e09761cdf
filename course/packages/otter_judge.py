"""A plugin for otter-grader: ``judge.py`` does the grading, so no submitted code runs in otter's kernel."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
from otter.plugins import AbstractOtterPlugin

SECONDS = 900
"""The time limit for one submission, in seconds."""


class Judge(AbstractOtterPlugin):
    """Grades a submission before otter runs it, hands otter an empty notebook, and fills in otter's results."""

    def before_execution(self, submission):
        source = Path(self.submission_path).parents[1] / "source"
        with tempfile.TemporaryDirectory() as folder:
            given, results = Path(folder) / "submission.ipynb", Path(folder) / "results.json"
            nbformat.write(submission, given)
            users = self.submission_metadata.get("users") or [{}]
            student = str(users[0].get("email") or users[0].get("id") or "")
            command = [sys.executable, source / "judge.py", source / "tests.json", given, results]
            command += ["--student", student, "--key", source / "key.txt"]
            subprocess.run([str(part) for part in command], check=True, timeout=SECONDS, stdout=subprocess.DEVNULL)
            self.found = json.loads(results.read_text(encoding="utf-8"))
        submission.cells = []
        return submission

    def after_grading(self, results):
        for question in self.found["questions"]:
            test = results.results[question["name"]]
            results.update_score(question["name"], question["points"])
            for case in test.test_case_results:
                case.passed = question["points"] == question["most"]
                case.message = question["text"]
        results.set_output(self.found["output"])
