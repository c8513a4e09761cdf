"""Trains sb3-contrib's MaskablePPO to roll the block of Bloxorz to its target.

After ``pip install 'gridwright[envs]' sb3-contrib``, run ``python examples/train_maskable_ppo.py [LEVEL [STEPS]]``. The
script takes about a minute on one core. It prints how often random legal moves, the untrained policy and the trained
policy reach the target within twice the fewest moves.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import gridwright as gw
import numpy as np
import torch
from gridwright.envs.sb3 import GridVecEnv
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

SEED = 1


class OneHot(BaseFeaturesExtractor):
    """Features of a board: for each cell and each code, 1 if the cell has the code, otherwise 0."""

    def __init__(self, space: object) -> None:
        cells = int(np.prod(space.shape))
        self.codes = 1 + max(gw.bloxorz.Tile)  # codes of cells under the other cube are clamped to the largest code
        super().__init__(space, features_dim=cells * self.codes)

    def forward(self, boards: torch.Tensor) -> torch.Tensor:
        """Returns the features of boards, an array of shape ``(n, cells * codes)``."""
        return torch.nn.functional.one_hot(boards.long().clamp(max=self.codes - 1), self.codes).flatten(1).float()


def success(choose: Callable[[np.ndarray, np.ndarray], np.ndarray], level: str, most: int, games: int = 1000) -> float:
    """Plays ``games`` episodes of at most ``most`` moves and returns the share of episodes that reach the target."""
    env = GridVecEnv("Bloxorz", games, level=level, max_steps=most)
    boards, reached, going = env.reset(), np.zeros(games, dtype=bool), np.ones(games, dtype=bool)
    while going.any():
        boards, rewards, dones, _ = env.step(choose(boards, env.action_masks()))
        reached |= going & (rewards > 0)
        going &= ~dones
    return float(reached.mean())


def main(level: str = "level01", steps: int = 81_920) -> int:
    """Trains for at least ``steps`` steps and prints how often the target is reached before and after training.

    Returns the exit status: 0 if the trained policy is better than random moves, otherwise 1.
    """
    torch.set_num_threads(1)
    best = len(gw.Bloxorz.level(level).solve(minimize="keys") or "")
    most = 2 * best
    env = GridVecEnv("Bloxorz", 64, level=level, max_steps=200, rewards=(1.0, -1.0, 0.0, -0.01, 0.0))
    model = MaskablePPO(
        "MlpPolicy",
        env,
        policy_kwargs={"features_extractor_class": OneHot, "net_arch": [64, 64]},
        n_steps=64,
        batch_size=512,
        learning_rate=1e-3,
        ent_coef=0.01,
        seed=SEED,
        device="cpu",
    )
    rng = np.random.default_rng(SEED)

    def at_random(boards: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return (rng.random(masks.shape) * masks).argmax(axis=1)

    def policy(boards: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return model.predict(boards, action_masks=masks)[0]

    lucky, untrained = success(at_random, level, most), success(policy, level, most)
    start = time.process_time()
    model.learn(steps)
    spent, done = time.process_time() - start, model.num_timesteps
    trained = success(policy, level, most)
    print(f"{level}, {best} moves at best: share of 1000 episodes that reach the target within {most} moves:")
    print(f"  random legal moves {lucky:.1%}, before training {untrained:.1%}, after {done:,} steps {trained:.1%}")
    print(f"  {spent:.0f} s of CPU time, {done / spent:,.0f} steps/s including learning")
    return 0 if trained > lucky else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2], *map(int, sys.argv[2:3])))
