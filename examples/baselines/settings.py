"""The settings of the baselines: puzzles for training and for evaluation, and the games that agents learn in."""

from __future__ import annotations

import contextlib
import dataclasses
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
from gridwright.arguments import choice
from gridwright.envs.wrappers import vector
from gridwright.files import write

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "baselines"
"""The folder in which generated puzzles and checkpoints are kept between runs."""

GRADES = ("easy", "medium", "hard")
"""The grades of the settings of each game, which correspond to ``difficulty=`` 2, 3 and 4."""

FIRST = {"train": 0, "test": 1_000_000, "validation": 2_000_000}
"""The first generator seed of the puzzles for training, for evaluation, and for choosing these settings."""

WORST = 0.02
"""The loss at which shaped rewards are clipped, about two lost steps: an agent cannot tell larger losses apart."""

Player = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""A player: ``player(planes, masks)`` returns one action per game."""


@dataclass(frozen=True)
class Setting:
    """The puzzles of one game at one grade, and how agents are trained on them."""

    world: str
    """The name of the environment, such as ``Bloxorz`` for ``gridwright/Bloxorz-v0``."""
    grade: str
    """A grade in ``GRADES``."""
    size: tuple[int, ...]
    """The first arguments of ``generate``."""
    max_steps: int
    """The number of moves after which a puzzle counts as not solved."""
    steps: int
    """The number of steps for which an agent is trained."""
    kinds: int | None = None
    """The number of values that the first coordinate of a move may have; ``None`` for all values."""
    wrapper: Any = field(default=vector.DistanceReward)
    """The wrapper that shapes the rewards in training."""
    train: int = 4096
    """The number of puzzles for training."""
    test: int = 100
    """The number of puzzles for evaluation."""
    validation: int = 100
    """The number of puzzles on which these settings were chosen."""
    midway: int = 0
    """For each puzzle, the number of positions on the path to its solution in which training episodes start as well."""
    episode: int | None = None
    """The number of moves after which a training episode ends; ``None`` for ``max_steps``."""

    def __post_init__(self) -> None:
        choice("grade", self.grade, GRADES)

    @property
    def kind(self) -> Any:
        """The class of the game."""
        return getattr(gw, self.world)

    def puzzles(self, part: str) -> list[Any]:
        """Returns the puzzles of a part, which is a key of ``FIRST``; no puzzle for evaluation is in another part."""
        return _puzzles(self.world, self.grade, self.size, part, getattr(self, part))

    def starts(self) -> list[Any]:
        """Returns the positions in which training episodes start."""
        return _starts(self)


@functools.lru_cache
def _puzzles(world: str, grade: str, size: tuple[int, ...], part: str, count: int) -> list[Any]:
    kind = getattr(gw, world)
    path = KEPT / f"{kind.NAME}-{grade}-{part}-{'x'.join(map(str, size))}-{count}.json"
    if path.exists():
        return [kind(text) for text in json.loads(path.read_text())]
    task = setting(kind.NAME, grade)
    known = {game.text for other in ("train", "validation") if part == "test" for game in task.puzzles(other)}
    found: list[Any] = []
    seed = FIRST[part]
    while len(found) < count:
        with contextlib.suppress(gw.SearchLimitError):  # raised if this seed yields no puzzle of the grade
            game = kind.generate(*size, difficulty=grade, seed=seed)
            if game.text not in known:
                found.append(game)
        seed += 1
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, json.dumps([game.text for game in found]))
    return found


@functools.lru_cache
def _starts(task: Setting) -> list[Any]:
    rng = np.random.default_rng(0)
    found = list(task.puzzles("train"))
    found += [task.kind(nearer(game, rng).text) for game in task.puzzles("train") for _ in range(task.midway)]
    return [found[i] for i in rng.permutation(len(found))]


def nearer(puzzle: Any, rng: np.random.Generator) -> Any:
    """Returns a random position on the path to a puzzle's solution; in LightEmAll, tiles are turned in random order."""
    game = puzzle.copy()
    if game.NAME == "lightemall":
        tiles = np.argwhere(turns := game.solve())
        for row, col in tiles[rng.permutation(len(tiles))[: rng.integers(len(tiles))]]:
            for _ in range(turns[row, col]):
                game.play(0, row, col)
    else:
        keys = game.solve(minimize="keys")
        game.play(keys[: rng.integers(len(keys))])
    return game


SETTINGS: dict[str, dict[str, Any]] = {
    "geese": {"world": "GeeseSpotter", "size": (5, 5, 4), "max_steps": 40, "steps": 100_000, "kinds": 1}
    | {"wrapper": vector.ChanceReward, "train": 512},
    "photon": {"world": "MyPhoton", "size": (5, 5), "max_steps": 20, "steps": 100_000, "train": 16384},
    "bloxorz": {"world": "Bloxorz", "size": (3, 5), "max_steps": 100, "steps": 200_000, "train": 64}
    | {"midway": 8, "episode": 8},
    "lightemall": {"world": "LightEmAll", "size": (4, 4), "max_steps": 100, "steps": 200_000, "kinds": 1}
    | {"train": 2048, "midway": 2, "episode": 10},
}
"""The arguments of `Setting` except the grade, by the ``NAME`` of the game."""


def setting(name: str, grade: str) -> Setting:
    """Returns the setting of the game whose ``NAME`` is ``name``, at a grade in ``GRADES``.

    Raises ``ValueError`` for any other grade: some games have too few puzzles of other grades in the size used here, so
    the search for them would not end.
    """
    task = Setting(grade=grade, **SETTINGS[name])
    # There are only 115 medium boards of GeeseSpotter of this size, some of which must be left for evaluation.
    return dataclasses.replace(task, train=48, validation=16) if (name, grade) == ("geese", "medium") else task


class MovesMade:
    """The moves of an episode, by the board on which they were made.

    No move is repeated on the same board while other legal moves are left. An agent sees the board but not the previous
    boards, so it could otherwise repeat the same moves forever.
    """

    def __init__(self) -> None:
        self._made: dict[bytes, list[int]] = {}

    def add(self, board: np.ndarray, action: int) -> None:
        """Adds a move, as a flat action, and the board on which it was made."""
        self._made.setdefault(board.tobytes(), []).append(action)

    def left(self, board: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Returns the mask ``legal`` of flat actions without those made on this board, or ``legal`` if none is left."""
        again = self._made.get(board.tobytes())
        if again is None:
            return legal
        left = legal.copy()
        left[again] = False
        return left if left.any() else legal


class Puzzles:
    """Puzzles that are played in parallel, with the masks of `MovesMade`; implements ``ppo.Games``.

    ``spent`` is the processor time, in seconds, of all steps since ``spent`` was last set to 0.
    """

    discount = 0.0
    """0, because the shaped reward judges a move by exact distances or chances, so later rewards need not be added."""

    def __init__(self, task: Setting, n: int, puzzles: Sequence[Any] | None = None) -> None:
        self.n = n
        self.use(task, puzzles)

    def use(self, task: Setting, puzzles: Sequence[Any] | None = None) -> None:
        """Continues with other puzzles of the same size.

        If ``puzzles`` are given, the rewards are 1 for a win and -1 for a loss. If ``puzzles`` is ``None``, the games
        are training episodes with shaped rewards.
        """
        training = puzzles is None
        envs = gymnasium.make_vec(
            f"gridwright/{task.world}-v0",
            self.n,
            generator=task.starts() if training else puzzles,
            max_steps=(training and task.episode) or task.max_steps,
            actions="discrete",
        )
        self.batch = envs.unwrapped.batch
        self.bounds = self.batch.bounds
        if task.kinds is not None:
            self.bounds = (task.kinds, *self.bounds[1:])
        self.actions = int(np.prod(self.bounds))
        self.shaped = training and task.wrapper is vector.DistanceReward
        self.beams = task.world == "MyPhoton"
        self.envs = vector.OneHotObservation(task.wrapper(envs) if training else envs)
        self.spent = 0.0
        self._ends = [0, 0]

    def reset(self, seed: int | None) -> tuple[np.ndarray, np.ndarray]:
        """Starts all games; returns planes and masks.

        Each game plays the puzzles in turn, starting with a puzzle that ``seed`` determines. If ``seed`` is ``None``,
        game i starts with puzzle i.
        """
        # If neighboring games began with neighboring puzzles, all games would play the same puzzles at about the same
        # time.
        starts = 0 if seed is None else np.random.default_rng(seed).integers(2**63, size=self.n).tolist()
        planes, infos = self.envs.reset(seed=starts)
        self._made = [MovesMade() for _ in range(self.n)]
        self._fresh = np.zeros(self.n, bool)
        return self._seen(planes), self._masks(infos)

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, ...]:
        """Makes a move in each game; returns planes, masks, rewards, terminated, truncated."""
        begun = time.process_time()
        for made, board, action in zip(self._made, self.batch.board, actions.tolist(), strict=True):
            made.add(board, action)
        for i in np.flatnonzero(self._fresh):  # this step starts a new episode
            self._made[i] = MovesMade()
        planes, rewards, terminated, truncated, infos = self.envs.step(actions)
        if self.shaped:
            # Clipped rewards range from -1 to 0, where 0 is the reward of a best move. Without clipping, a move that
            # makes a puzzle unsolvable would cost up to fifty times as much as two lost steps, and a fall that restarts
            # an unsolvable level of Bloxorz would gain as much. Both would hide what the agent can learn from single
            # steps.
            rewards = np.clip(rewards / WORST, -1.0, 0.0)
        self._ends[0] += int((terminated & (self.batch.reward > 0)).sum())
        self._ends[1] += int((terminated | truncated).sum())
        self._fresh = terminated | truncated
        found = self._seen(planes), self._masks(infos), rewards.astype(np.float32), terminated, truncated
        self.spent += time.process_time() - begun
        return found

    def _seen(self, planes: np.ndarray) -> np.ndarray:
        if not self.beams:
            return planes
        # There is one plane for each of the four sides of a cell, with 1 in each cell whose side is crossed by light.
        beams = np.stack([self.batch.game(i).beams for i in range(self.n)])
        sides = (beams[:, None] >> np.arange(4, dtype=np.uint8)[:, None, None]) & 1
        return np.concatenate([planes, sides.astype(np.uint8)], axis=1)

    def _masks(self, infos: dict[str, Any]) -> np.ndarray:
        masks: np.ndarray = infos["action_mask"][:, : self.actions].astype(bool)
        for mask, made, board in zip(masks, self._made, self.batch.board, strict=True):
            mask[:] = made.left(board, mask)
        return masks

    def won(self) -> float:
        """Returns the share of the episodes that were won among those that ended since the last call."""
        won, ended = self._ends
        self._ends = [0, 0]
        return won / max(ended, 1)


def solved(task: Setting, puzzles: Sequence[Any], player: Player) -> tuple[float, float]:
    """Returns the share of puzzles that a player solves, and the ratio of the player's moves to the fewest moves.

    The ratio counts only solved puzzles. It is ``nan`` if no puzzle is solved or if the fewest moves are not known.
    """
    games = Puzzles(task, len(puzzles), puzzles)
    planes, masks = games.reset(None)
    going = np.ones(len(puzzles), bool)
    took = np.zeros(len(puzzles), int)
    for count in range(1, task.max_steps + 1):
        # A game that has ended starts again, but its second episode is not counted.
        planes, masks, rewards, terminated, truncated = games.step(player(planes, masks))
        took[going & terminated & (rewards > 0)] = count
        going &= ~(terminated | truncated)
        if not going.any():
            break
    distance = gw.envs.WORLDS[task.world].distance
    best = [] if distance is None else [distance(puzzles[i], None) for i in np.flatnonzero(took)]
    return float((took > 0).mean()), float(took.sum() / sum(best)) if best else float("nan")
