"""Tasks as lines of JSON, with a card that says what they are."""

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
    """Returns a task as a dict of types that JSON has: ``name``, ``seed``, ``difficulty``, ``question``, ``solution``
    and ``metadata``.

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
    """Iterates over tasks, one kind after another; each is made when it is asked for.

    * ``names``: the kinds, some of ``tasks.names()``, or one of them; ``None`` (the default) for all.
    * ``count``: the number of tasks of each kind, an integer from 1 to 10^9. Default 100.
    * ``difficulty``: a grade from 1 to 5 or its name; ``None`` (the default) for all grades in turn.
    * ``seed``: the seed of the first task of each kind, an integer from 0 to 2^63; the others follow. Default 0.

    Raises ``ValueError`` for an argument out of bounds and ``TypeError`` for a wrong type.

    >>> from gridwright import tasks
    >>> [task.difficulty for task in tasks.each("line", count=7)]
    [1, 2, 3, 4, 5, 1, 2]
    """
    return _tasks(*_read(names, count, difficulty, seed))


def _tasks(kinds: list[Kind], count: int, seed: int, grade: int | None) -> Iterator[Task]:
    """Makes the tasks of each kind, with seeds that follow one another."""
    return (make(kind.name, seed + k, grade or 1 + k % 5) for kind in kinds for k in range(count))


def _read(
    names: str | Iterable[str] | None, count: int, difficulty: int | str | None, seed: int
) -> tuple[list[Kind], int, int, int | None]:
    """Reads the arguments that describe a set of tasks."""
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
    """Writes tasks as lines of JSON, ``tasks.jsonl``, with a card, ``README.md``; returns the number of tasks.

    * ``folder``: where the two files go; it is created if it does not exist.
    * ``names``: the kinds, some of ``names()``, or one of them; ``None`` (the default) for all.
    * ``count``: the number of tasks of each kind, an integer from 1 to 10^9. Default 100.
    * ``difficulty``: a grade from 1 to 5 or its name; ``None`` (the default) for all grades in turn.
    * ``seed``: the seed of the first task of each kind, an integer from 0 to 2^63; the others follow. Default 0.
    * ``images``: whether each line also holds the picture. Default ``False``.
    * ``progress``: a callable that receives the number of tasks so far, or an object with ``update``, such as a tqdm
      bar; ``None`` by default.

    Raises ``ValueError`` for an argument out of bounds and ``TypeError`` for a wrong type; nothing is written then.
    Raises ``OSError`` if a file cannot be written.

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
    write(place / "README.md", _card(*plan))
    return len(lines)


def _card(kinds: list[Kind], count: int, seed: int, grade: int | None) -> str:
    """Returns a description of a set of tasks in Markdown."""
    grades = "grades 1 to 5 in turn" if grade is None else f"grade {grade}"
    seeds = f"seeds {seed} to {seed + count - 1}" if count > 1 else f"seed {seed}"
    names = " ".join(kind.name for kind in kinds)
    again = f"gridwright tasks {names} --count {count} --seed {seed}"
    again += "" if grade is None else f" --difficulty {grade}"
    rows = [f"| `{kind.name}` | {kind.world} | {kind.asks} | {kind.grades} | {kind.credit} |" for kind in kinds]
    return "\n".join(
        [
            "# Tasks of gridwright",
            "",
            f"{counted(count * len(kinds), 'puzzle')} in words, {count:,} of each kind, with exact solutions. Made by "
            f"gridwright {__version__}, {seeds}, {grades}. The command below makes the same tasks on every machine:",
            "",
            f"    {again} --output FOLDER",
            "",
            "Each line of `tasks.jsonl` is an object with `name`, `seed`, `difficulty`, `question`, `solution` and "
            "`metadata`, and `image_svg` if pictures were asked for. `solution` is one right answer; there may be "
            "others, so grade with `gridwright.tasks.make(name, seed, difficulty).check(text)`, which accepts all of "
            "them and, for most kinds, gives partial credit. Do not show `solution` or `metadata` to whoever is "
            "tested.",
            "",
            "| kind | world | asks for | grades 1 to 5 | credit for a wrong answer |",
            "|---|---|---|---|---|",
            *rows,
            "",
        ]
    )
