"""Grades the notebook in Gradescope's folder ``submission/`` and writes ``results/results.json``."""

import html
import json
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent
sys.path.insert(0, str(SOURCE))

import judge  # noqa: E402  # the archive holds judge.py next to this file


def graded(root: Path) -> dict:
    """Grades the submission in Gradescope's folder `root`; returns the results in the form that Gradescope reads."""
    notebooks = sorted((root / "submission").glob("*.ipynb"))
    if len(notebooks) != 1:
        return {"score": 0, "output": f"expected exactly one notebook, got {len(notebooks)}"}
    student = ""
    about = root / "submission_metadata.json"
    if about.exists():
        users = json.loads(about.read_text(encoding="utf-8")).get("users") or [{}]
        student = str(users[0].get("email") or users[0].get("id") or "")
    named, results = judge.grade(SOURCE / "tests.json", notebooks[0], student, SOURCE / "key.txt")
    return {
        "output": judge.drawn_for(named),
        "tests": [
            {
                "name": result.name,
                "score": result.points,
                "max_score": result.most,
                "output": f"{result.html}\n<pre>{html.escape(result.text)}</pre>",
                "output_format": "html",
                "visibility": "visible",
            }
            for result in results
        ],
    }


if __name__ == "__main__":
    root = Path(sys.argv[1])
    (root / "results").mkdir(exist_ok=True)
    (root / "results" / "results.json").write_text(json.dumps(graded(root)), encoding="utf-8")
