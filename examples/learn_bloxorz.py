"""Learns a level of Bloxorz by tabular Q-learning in a vector environment, and compares the result with the optimum.

Run ``python examples/learn_bloxorz.py [LEVEL]``; the level is ``level01`` by default. The table of ``level01`` has
fewer than 100 positions, so no learning library is needed. For larger levels, use any library that accepts vector
environments of Gymnasium, with ``infos["action_mask"]`` if the library accepts masks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import gridwright as gw
import gridwright.envs
import gymnasium
import numpy as np


class Table:
    """The values of the actions on each board, one row per board; a row is added when a board is first seen.

    An action that has never been tried has the value of a win, 1, so that every action is tried.
    """

    def __init__(self, actions: int) -> None:
        self.rows: dict[bytes, int] = {}
        self.values = np.ones((1024, actions))

    def index(self, boards: np.ndarray) -> np.ndarray:
        """Returns the row of each board in the table, and adds rows for new boards."""
        found = [self.rows.setdefault(board.tobytes(), len(self.rows)) for board in boards]
        while len(self.rows) > len(self.values):
            self.values = np.concatenate([self.values, np.ones_like(self.values)])
        return np.array(found)

    def best(self, rows: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Returns the best legal action for each of ``rows``; ``masks`` marks the legal actions."""
        return np.where(masks, self.values[rows], -np.inf).argmax(axis=1)


def learn(
    level: str | list[gw.Bloxorz],
    *,
    steps: int = 1500,
    envs: int = 64,
    seed: int = 1,
    discount: float = 0.97,
    wrap: Callable[[Any], Any] = lambda env: env,
    watch: Callable[[int, Table], None] = lambda step, table: None,
) -> Table:
    """Returns a table learned by playing the move that looks best, except for a random move in one step out of ten.

    ``level`` is the name of a level or a list of levels of one size. ``steps`` is the number of steps that each of the
    ``envs`` environments makes. ``seed`` determines which steps are random and where episodes start. ``discount`` is
    the factor per step for later rewards. ``wrap`` takes the vector environment and returns a vector environment with
    other observations. ``watch`` is called after each step with the number of steps so far and the table.
    """
    options = {"level": level} if isinstance(level, str) else {"generator": level}
    env = wrap(gymnasium.make_vec("gridwright/Bloxorz-v0", envs, max_steps=200, **options))
    rng = np.random.default_rng(seed)
    table = Table(env.single_action_space.n)
    boards, infos = env.reset(seed=seed)
    rows, masks = table.index(boards), infos["action_mask"].astype(bool)
    fresh = np.zeros(envs, dtype=bool)  # marks environments whose next step is a reset, from which nothing is learned
    for step in range(steps):
        explore = rng.random(envs) < 0.1
        drawn = env.unwrapped.sample_legal(seed=step)
        actions = np.where(explore, drawn, table.best(rows, masks))
        boards, rewards, terminated, truncated, infos = env.step(actions)
        after, legal = table.index(boards), infos["action_mask"].astype(bool)
        ahead = np.where(legal, table.values[after], -np.inf).max(axis=1, initial=-np.inf)
        goals = rewards + discount * np.where(terminated, 0.0, ahead)
        real = ~fresh
        table.values[rows[real], actions[real]] += 0.9 * (goals - table.values[rows, actions])[real]
        rows, masks, fresh = after, legal, terminated | truncated
        watch(step + 1, table)
    return table


def play(table: Table, level: str, most: int = 200) -> int | None:
    """Returns the number of moves of the learned path; ``None`` if it does not reach the target in ``most`` moves."""
    env = gymnasium.make("gridwright/Bloxorz-v0", level=level, max_steps=most)
    board, info = env.reset(seed=0)
    for count in range(1, most + 1):
        action = table.best(table.index(board[None]), info["action_mask"][None].astype(bool))[0]
        board, _, terminated, truncated, info = env.step(action)
        if terminated:
            return count
        if truncated:
            return None
    return None


def main(level: str = "level01") -> int:
    """Prints the fewest moves, how often random play reaches the target in as many, and the number of learned moves.

    Returns the exit status: 0 if the learned moves reach the target, otherwise 1.
    """
    best = len(gw.Bloxorz.level(level).solve(minimize="keys") or "")
    env = gymnasium.make_vec("gridwright/Bloxorz-v0", 512, level=level, max_steps=best)
    env.reset(seed=0)
    lucky = sum(int(env.step(env.unwrapped.sample_legal())[2].sum()) for _ in range(best)) / 512
    table = learn(level)
    learned = play(table, level)
    print(f"{level}: {best} moves at best; random play reaches the target in as many moves in {lucky:.1%} of 512 games")
    found = "no solution" if learned is None else f"{learned} moves"
    print(f"learned: {found}, from {len(table.rows)} boards seen")
    return 0 if learned is not None else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
