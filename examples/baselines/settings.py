"""The settings of the baselines: puzzles for training and for evaluation, and the games that agents learn in."""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gridwright as gw
import gridwright.envs
import gymnasium
import numpy as np
from gridwright.envs.wrappers import vector

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "baselines"
"""Where generated puzzles and checkpoints are kept between runs."""

GRADES = ("easy", "medium", "hard")
"""The three settings of each world: grades 2, 3 and 4 of ``difficulty=``."""

FIRST = {"train": 0, "test": 1_000_000}
"""The first generator seed of the puzzles for training and of those for evaluation."""

Player = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""What plays: ``player(planes, masks)`` returns an action per game."""


@dataclass(frozen=True)
class Setting:
    """A world at a grade."""

    world: str
    """The name of the environment, ``Bloxorz`` in ``gridwright/Bloxorz-v0``."""
    grade: str
    size: tuple[int, ...]
    """The first arguments of ``generate``."""
    max_steps: int
    """The number of moves after which a puzzle counts as not solved."""
    steps: int
    """The number of steps that an agent is trained for."""
    kinds: int | None = None
    """How many values of the first coordinate of a move are used; ``None`` for all."""
    wrapper: Any = field(default=vector.DistanceReward)
    train: int = 1024
    """The number of puzzles for training."""
    test: int = 100
    """The number of puzzles for evaluation."""

    @property
    def kind(self) -> Any:
        """The class of the game."""
        return getattr(gw, self.world)

    def puzzles(self, part: str) -> list[Any]:
        """Returns the puzzles for ``"train"`` or ``"test"``; the latter have none that is also among the former."""
        return _puzzles(self.world, self.grade, self.size, part, getattr(self, part))


@functools.lru_cache
def _puzzles(world: str, grade: str, size: tuple[int, ...], part: str, count: int) -> list[Any]:
    kind = getattr(gw, world)
    path = KEPT / f"{kind.NAME}-{grade}-{part}-{'x'.join(map(str, size))}-{count}.json"
    if path.exists():
        return [kind(text) for text in json.loads(path.read_text())]
    known = {game.text for game in setting(kind.NAME, grade).puzzles("train")} if part == "test" else set()
    found: list[Any] = []
    seed = FIRST[part]
    while len(found) < count:
        game = kind.generate(*size, difficulty=grade, seed=seed)
        seed += 1
        if game.text not in known:
            found.append(game)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([game.text for game in found]))
    return found


SETTINGS: dict[str, dict[str, Any]] = {
    "geese": {"world": "GeeseSpotter", "size": (5, 5, 4), "max_steps": 40, "steps": 120_000, "kinds": 1}
    | {"wrapper": vector.ChanceReward, "train": 512},
    "photon": {"world": "MyPhoton", "size": (5, 5), "max_steps": 20, "steps": 80_000, "train": 2048},
    "bloxorz": {"world": "Bloxorz", "size": (4, 6), "max_steps": 100, "steps": 40_000, "train": 16},
    "lightemall": {"world": "LightEmAll", "size": (4, 4), "max_steps": 100, "steps": 40_000, "kinds": 1, "train": 128},
}
"""The settings by the folder name of the game, without the grade."""


def setting(name: str, grade: str) -> Setting:
    """Returns the setting of a world, by the folder name of its game, at a grade in ``GRADES``."""
    return Setting(grade=grade, **SETTINGS[name])


class Puzzles:
    """Puzzles that are played at once, as ``ppo.Games`` describes; remembers the time that it takes."""

    discount = 0.0
    """The shaped reward of a move is its advantage under best play: nothing that follows has to be counted."""

    def __init__(self, task: Setting, n: int) -> None:
        self.n = n
        self.use(task, task.puzzles("train"))

    def use(self, task: Setting, puzzles: Sequence[Any], *, shaped: bool = True) -> None:
        """Goes on with other puzzles of the same size.

        ``shaped`` is whether rewards are those of the wrapper, and not 1 for a win and -1 for a loss.
        """
        envs = gymnasium.make_vec(
            f"gridwright/{task.world}-v0", self.n, generator=puzzles, max_steps=task.max_steps, actions="discrete"
        )
        self.batch = envs.unwrapped.batch
        self.bounds = self.batch.bounds
        if task.kinds is not None:
            self.bounds = (task.kinds, *self.bounds[1:])
        self.actions = int(np.prod(self.bounds))
        self.envs = vector.OneHotObservation(task.wrapper(envs) if shaped else envs)
        self.spent = 0.0
        self._ends = [0, 0]

    def reset(self, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Starts all games; returns planes and masks."""
        planes, infos = self.envs.reset(seed=seed)
        return planes, self._masks(infos)

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, ...]:
        """Makes a move in each game; returns planes, masks, rewards, terminated, truncated."""
        begun = time.process_time()
        planes, rewards, terminated, truncated, infos = self.envs.step(actions)
        self._ends[0] += int((terminated & (self.batch.reward > 0)).sum())
        self._ends[1] += int((terminated | truncated).sum())
        found = planes, self._masks(infos), rewards.astype(np.float32), terminated, truncated
        self.spent += time.process_time() - begun
        return found

    def _masks(self, infos: dict[str, Any]) -> np.ndarray:
        return infos["action_mask"][:, : self.actions].astype(bool)

    def won(self) -> float:
        """Returns the share of the episodes won among those that ended since the last call."""
        won, ended = self._ends
        self._ends = [0, 0]
        return won / max(ended, 1)


def solved(task: Setting, puzzles: Sequence[Any], player: Player) -> tuple[float, float]:
    """Returns the share of the puzzles that a player solves, and how many moves it then makes for each of the best.

    The second number is ``nan`` if nothing is solved, or if the world has no fewest moves.
    """
    games = Puzzles(task, len(puzzles))
    games.use(task, puzzles, shaped=False)
    planes, masks = games.reset(0)
    going = np.ones(len(puzzles), bool)
    took = np.zeros(len(puzzles), int)
    for count in range(1, task.max_steps + 1):
        # A game that has ended starts anew, and is not counted.
        planes, masks, rewards, terminated, truncated = games.step(player(planes, masks))
        took[going & terminated & (rewards > 0)] = count
        going &= ~(terminated | truncated)
        if not going.any():
            break
    distance = gw.envs.WORLDS[task.world].distance
    best = [] if distance is None else [distance(puzzles[i], None) for i in np.flatnonzero(took)]
    return float((took > 0).mean()), float(took.sum() / sum(best)) if best else float("nan")
