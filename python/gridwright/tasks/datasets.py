"""Offers every kind of task as a dataset of Reasoning Gym; requires ``gridwright[reasoning]``.

Importing this module registers the datasets under names such as ``gridwright_beam``, each with a curriculum over the
grades.

>>> import reasoning_gym
>>> import gridwright.tasks.datasets
>>> data = reasoning_gym.create_dataset("gridwright_spanning_tree", size=2, seed=7, max_difficulty=2)
>>> entry = data[0]
>>> data.score_answer(f"Answer: {entry['answer']}", entry)
1.0
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

try:
    from reasoning_gym.coaching import BaseCurriculum, RangeAttributeDefinition
    from reasoning_gym.dataset import ProceduralDataset
    from reasoning_gym.factory import DATASETS, register_dataset
except ImportError:
    message = "datasets need Python 3.11 or later and reasoning-gym: pip install 'gridwright[reasoning]'"
    raise ImportError(message) from None

from ..arguments import instance, place, shown, whole, wrong_type
from ..arguments import text as read_text
from ..insight import GRADES
from .choices import Choices
from .kinds import KINDS, make
from .task import Task

__all__ = ["CLASSES", "TaskConfig", "TaskCurriculum", "TaskDataset"]


@dataclass
class TaskConfig:
    """The configuration of a dataset."""

    min_difficulty: int = 1
    """The lowest grade, 1 to 5."""
    max_difficulty: int = 5
    """The highest grade, ``min_difficulty`` to 5. The grade of each entry is random, from the lowest to the highest."""
    seed: int | None = None
    """An integer from 0 to 2^63 - 1 that determines all entries, or ``None`` for a random seed."""
    size: int = 500
    """The number of entries, at least 1."""

    def validate(self) -> None:
        """Raises ``ValueError`` for a number out of bounds and ``TypeError`` for a wrong type."""
        least = whole("min_difficulty", self.min_difficulty, 1, len(GRADES))
        whole("max_difficulty", self.max_difficulty, least, len(GRADES))
        whole("size", self.size, 1)
        if self.seed is not None:
            whole("seed", self.seed, 0, 2**63 - 1)


class TaskDataset(ProceduralDataset):  # type: ignore[misc]
    """A dataset of tasks of one kind; `CLASSES` holds the subclass for each kind.

    * ``config``: a `TaskConfig`.
    """

    KIND: str
    """The name of the kind, one of ``tasks.names()``."""

    def __init__(self, config: TaskConfig) -> None:
        instance("config", config, TaskConfig)
        config.validate()
        super().__init__(config=config, seed=config.seed, size=config.size)

    def task(self, idx: int) -> Task:
        """Returns the task of an entry.

        * ``idx``: the index of the entry, 0 to size - 1; any other integer raises ``IndexError``.
        """
        seed = self.seed + place("idx", idx, self.size)
        span = self.config.max_difficulty - self.config.min_difficulty + 1
        grade = self.config.min_difficulty + Choices(seed, "reasoning gym").below(span)
        return make(self.KIND, seed, grade)

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """Returns an entry: ``question``, ``answer`` and ``metadata``, as Reasoning Gym expects them."""
        task = self.task(idx)
        more = {
            "source_dataset": f"gridwright_{self.KIND}",
            "source_index": idx,
            "difficulty": {"difficulty": (self.config.min_difficulty, self.config.max_difficulty)},
            "task": task.metadata,
        }
        return {"question": task.question, "answer": task.solution.strip(), "metadata": more}

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Returns the value of the score that ``Task.check`` gives to an answer, or 0.0 if the answer is ``None``.

        * ``answer``: the whole text of an answer, or only the answer itself.
        * ``entry``: an entry of a dataset of this kind; an entry of another kind raises ``ValueError``, and anything
          that is not an entry raises ``TypeError``.
        """
        try:
            made = entry["metadata"]["task"]
            kind, seed, grade = made["name"], made["seed"], made["difficulty"]
        except (TypeError, ValueError, KeyError, IndexError):
            raise wrong_type("entry", "an entry of the dataset", entry) from None
        if kind != self.KIND:
            raise ValueError(f"entry must be of the kind {self.KIND!r}, got {shown(kind)}")
        if answer is None:
            return 0.0
        return make(self.KIND, seed, grade).check(read_text("answer", answer)).value


class TaskCurriculum(BaseCurriculum):  # type: ignore[misc]
    """A curriculum through the grades, from trivial to fiendish."""

    def __init__(self) -> None:
        super().__init__(type(self).__name__, TaskConfig)
        self._define_attributes(
            RangeAttributeDefinition(
                name="difficulty",
                levels=list(range(1, len(GRADES) + 1)),
                description="The grade of the tasks, 1 to 5",
                lower_field_name="min_difficulty",
                upper_field_name="max_difficulty",
            )
        )


def _class(name: str) -> type[TaskDataset]:
    about = f"Tasks of the kind ``{name}``: {KINDS[name].asks}."
    return type(f"{name.title().replace('_', '')}Dataset", (TaskDataset,), {"KIND": name, "__doc__": about})


CLASSES: dict[str, type[TaskDataset]] = {name: _class(name) for name in KINDS}
"""Maps the name of each kind to its dataset class."""

for _name, _made in CLASSES.items():
    if f"gridwright_{_name}" not in DATASETS:
        register_dataset(f"gridwright_{_name}", _made, TaskConfig, TaskCurriculum)
