"""Writes tasks as lines of JSON, with a card that describes them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import Any

from .._core import __version__
from ..arguments import choice, flag, instance, sequence, whole
from ..arguments import path as read_path
from ..files import write
from ..insight import grade as read_grade
from ..progress import ProgressReporter
from ..words import counted
from .kinds import KINDS, make
from .task import Kind, Task

__all__ = ["each", "export", "record"]


def record(task: Task, *, images: bool = False) -> dict[str, Any]:
    """Returns a task as a dict that JSON can represent.

    The keys are ``name``, ``seed``, ``difficulty``, ``question``, ``solution`` and ``metadata``.

    * ``task``: the task.
    * ``images``: whether to add ``image_svg``. Default ``False``.

    >>> from gridwright import tasks
    >>> sorted(record(tasks.make("line", seed=1)))
    ['difficulty', 'metadata', 'name', 'question', 'seed', 'solution']
    """
    instance("task", task, Task)
    found = {
        "name": task.name,
        "seed": task.seed,
        "difficulty": task.difficulty,
        "question": task.question,
        "solution": task.solution,
        "metadata": task.metadata,
    }
    return {**found, "image_svg": task.image_svg} if flag("images", images) else found


def each(
    names: str | Iterable[str] | None = None, *, count: int = 100, difficulty: int | str | None = None, seed: int = 0
) -> Iterator[Task]:
    """Returns an iterator over tasks, one kind after another. Each task is made when the iterator reaches it.

    * ``names``: one of ``tasks.names()``, or an iterable of several; ``None`` (the default) for all kinds.
    * ``count``: the number of tasks of each kind, an integer from 1 to 10^9. Default 100.
    * ``difficulty``: a grade from 1 to 5 or its name; ``None`` (the default) for all grades in turn.
    * ``seed``: the seed of the first task of each kind, an integer from 0 to 2^63. The next tasks have the seeds that
      follow it. Default 0.

    Raises ``ValueError`` for an unknown name or a number out of bounds, and ``TypeError`` for a wrong type.

    >>> from gridwright import tasks
    >>> [task.difficulty for task in tasks.each("line", count=7)]
    [1, 2, 3, 4, 5, 1, 2]
    """
    return _tasks(*_read(names, count, difficulty, seed))


def _tasks(kinds: list[Kind], count: int, seed: int, grade: int | None) -> Iterator[Task]:
    """Yields the tasks of each kind, with consecutive seeds."""
    return (make(kind.name, seed + k, grade or 1 + k % 5) for kind in kinds for k in range(count))


def _read(
    names: str | Iterable[str] | None, count: int, difficulty: int | str | None, seed: int
) -> tuple[list[Kind], int, int, int | None]:
    """Validates the arguments that describe a set of tasks; returns kinds, count, seed and grade."""
    if names is None:
        kinds = list(KINDS.values())
    else:
        chosen = [names] if isinstance(names, str) else sequence("names", names, "a name or several", len(KINDS))
        if len(chosen) > len(KINDS):
            raise ValueError(f"names must hold at most {len(KINDS)} names, got more")
        kinds = list(dict.fromkeys(KINDS[choice("names", name, KINDS)] for name in chosen))
        if not kinds:
            raise ValueError("names must hold at least one name, got none")
    grade = None if difficulty is None else read_grade(difficulty)
    return kinds, whole("count", count, 1, 10**9), whole("seed", seed, 0, 2**63), grade


def export(
    folder: str | os.PathLike[str],
    names: str | Iterable[str] | None = None,
    *,
    count: int = 100,
    difficulty: int | str | None = None,
    seed: int = 0,
    images: bool = False,
    progress: Any = None,
) -> int:
    """Writes tasks to ``tasks.jsonl``, one per line, and a card that describes them to ``README.md``.

    Returns the number of tasks.

    * ``folder``: the folder for the two files; it is created if it does not exist.
    * ``names``: one of ``tasks.names()``, or an iterable of several; ``None`` (the default) for all kinds.
    * ``count``: the number of tasks of each kind, an integer from 1 to 10^9. Default 100.
    * ``difficulty``: a grade from 1 to 5 or its name; ``None`` (the default) for all grades in turn.
    * ``seed``: the seed of the first task of each kind, an integer from 0 to 2^63. The next tasks have the seeds that
      follow it. Default 0.
    * ``images``: whether each line also holds the picture, as ``image_svg``. Default ``False``.
    * ``progress``: a callable that receives the number of tasks so far, or an object with ``update``, such as a tqdm
      bar; ``None`` (the default) for no reports.

    Raises ``ValueError`` for an unknown name or a number out of bounds, and ``TypeError`` for a wrong type, before
    anything is written. Raises ``OSError`` if a file cannot be written.

    >>> import tempfile
    >>> from gridwright import tasks
    >>> tasks.export(tempfile.mkdtemp(), ["line", "roll"], count=10)
    20
    """
    place, tell, drawn = read_path("folder", folder), ProgressReporter(progress), flag("images", images)
    plan = _read(names, count, difficulty, seed)
    lines = [json.dumps(record(task, images=drawn), ensure_ascii=False) + "\n" for task in tell.each(_tasks(*plan))]
    place.mkdir(parents=True, exist_ok=True)
    write(place / "tasks.jsonl", "".join(lines))
    write(place / "README.md", _card(*plan, images=drawn))
    return len(lines)


def _card(kinds: list[Kind], count: int, seed: int, grade: int | None, *, images: bool) -> str:
    """Returns a description of a set of tasks in Markdown."""
    grades = f"grade {grade or 1}" if grade or count == 1 else f"grades 1 to {min(count, 5)} in turn"
    seeds = f"seeds {seed} to {seed + count - 1}" if count > 1 else f"seed {seed}"
    names = " ".join(kind.name for kind in kinds)
    again = f"gridwright tasks {names} --count {count} --seed {seed}"
    again += ("" if grade is None else f" --difficulty {grade}") + (" --images" if images else "")
    rows = [f"| `{kind.name}` | {kind.world} | {kind.asks} | {kind.grades} | {kind.credit} |" for kind in kinds]
    return "\n".join(
        [
            "# Tasks of gridwright",
            "",
            f"{counted(count * len(kinds), 'puzzle')} in words, {count:,} of each kind, with exact solutions, made by "
            f"gridwright {__version__} with {seeds} and {grades}. With this version, the following command makes the "
            "same tasks on every machine:",
            "",
            f"    {again} --output FOLDER",
            "",
            "Each line of `tasks.jsonl` is an object with `name`, `seed`, `difficulty`, `question`, `solution` and "
            "`metadata`, and `image_svg` if pictures were requested. `solution` is one right answer; there may be "
            "others. To grade an answer, use `gridwright.tasks.make(name, seed, difficulty).check(text)`, which "
            "accepts every right answer and, for most kinds, gives partial credit. Do not show `solution` or "
            "`metadata` to the model that is tested.",
            "",
            "| kind | world | asks for | grades 1 to 5 | credit for a wrong answer |",
            "|---|---|---|---|---|",
            *rows,
            "",
        ]
    )
