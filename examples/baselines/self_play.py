"""Self-play in Linear Domination: one network learns by playing both sides, then plays against the built-in players.

``python examples/baselines/self_play.py 1`` trains an agent with seed 1 and prints the ratings and scores.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable
from typing import Any

import gridwright as gw
import numpy as np
import ppo
from gridwright.envs.linear_domination import compare

SIZE, LOOKBACK, PLIES = 4, 3, 6
KOMI = -4.0  # cells added to O's count, to offset the advantage of moving last in games between strong players
STEPS, PAIRS, OPENING = 80_000, 20, 2
SWAPPED = np.array([0, 2, 1], np.uint8)


def seen(boards: np.ndarray, plies: np.ndarray) -> np.ndarray:
    """Returns three planes per game, ``(n, 3, N, N)``.

    The first plane has 255 on the cells of the player to move; the second has 255 on the cells of the opponent. Every
    cell of the third plane has the number of plies made times ``255 // PLIES``.

    * ``boards``: the board codes, ``(n, N, N)``; code 1 marks the cells of the player to move.
    * ``plies``: the number of plies made in each game, ``(n,)``.
    """
    made = np.broadcast_to((plies * (255 // PLIES))[:, None, None], boards.shape)
    return np.stack([(boards == 1) * 255, (boards == 2) * 255, made], axis=1).astype(np.uint8)


class Duel:
    """Many games, each of which an agent plays against itself after two random plays; implements ``ppo.Games``.

    The reward of a play is the change in the player's margin in cells, divided by 8. The reward of the last play of a
    game is 1 higher if the player wins and 1 lower if the player loses.
    """

    discount = -1.0  # what is good for the opponent is bad for the player

    def __init__(self, n: int = ppo.GAMES) -> None:
        starts = [gw.LinearDomination.generate(SIZE, LOOKBACK, OPENING, seed=i) for i in range(1000)]
        self.batch = gw.Batch(starts, n, max_steps=PLIES)
        self.bounds, self.spent = self.batch.bounds, 0.0
        self.plies, self.margin = np.zeros(n, int), np.zeros(n, int)

    def _observed(self) -> tuple[np.ndarray, np.ndarray]:
        first = (self.plies % 2 == 0)[:, None, None]
        boards = np.where(first, self.batch.board, SWAPPED[self.batch.board])
        return seen(boards, self.plies), self.batch.legal_mask.reshape(len(boards), -1).copy()

    def _margin(self) -> np.ndarray:
        board = self.batch.board
        return np.asarray((board == 1).sum((1, 2)) - (board == 2).sum((1, 2)))

    def reset(self, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Starts all games; returns planes and masks."""
        # With consecutive seeds, all games would start from the same few openings at about the same time.
        self.batch.reset(seed=np.random.default_rng(seed).integers(2**63, size=len(self.plies)).tolist())
        self.plies[:], self.margin = 0, self._margin()
        return self._observed()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, ...]:
        """Makes a play in each game; returns planes, masks, rewards, terminated and truncated."""
        begun = time.process_time()
        fresh = self.batch.terminated | self.batch.truncated
        side = np.where(self.plies % 2 == 0, 1, -1)
        self.batch.step_flat(actions)
        margin = self._margin()
        ended = self.batch.terminated | self.batch.truncated
        rewards = side * ((margin - self.margin) / 8 + np.sign(margin - KOMI) * ended)
        self.margin, self.plies = margin, np.where(fresh, 0, self.plies + 1)
        planes, masks = self._observed()
        self.spent += time.process_time() - begun
        return planes, masks, np.where(fresh, 0, rewards).astype(np.float32), ended, np.zeros_like(ended)


Chooser = Callable[[dict[str, Any], gw.LinearDomination, int], Any]


def learned(network: ppo.Network, params: Any) -> Chooser:
    """Returns a player that always makes the play to which the network assigns the highest probability."""
    chances = ppo._chances(network)

    def choose(observation: dict[str, Any], game: gw.LinearDomination, seed: int) -> int:
        planes = seen(observation["observation"][None], np.array([len(game.plays) - OPENING]))
        return int(np.argmax(chances(params, planes, observation["action_mask"][None].astype(bool))))

    return choose


def exact(_: Any, game: gw.LinearDomination, seed: int) -> Any:
    """Returns the play that minimax suggests; its depth is 2, or the number of plays left if this is at most 3."""
    left = OPENING + PLIES - len(game.plays)
    return game.suggest("minimax", depth=left if left <= 3 else 2)


def players() -> dict[str, Chooser]:
    """Returns the players that do not learn, by name."""
    return {
        "random": lambda _, game, seed: game.sample_legal(seed),
        "greedy": lambda _, game, seed: game.suggest("greedy"),
        "minimax": exact,
        "mcts": lambda _, game, seed: game.suggest(
            "mcts", playouts=1000, plies=OPENING + PLIES - len(game.plays), seed=seed
        ),
    }


def elo(scores: dict[tuple[str, str], float], anchor: str = "random") -> dict[str, float]:
    """Returns the Elo ratings that fit the scores best, by name.

    * ``scores``: maps each pair of players to the score of the first player, from 0 to 1. One draw is added to the
      ``2 * PAIRS`` games of each pair, which keeps the ratings finite.
    * ``anchor``: the player whose rating is 0.
    """
    names = sorted({name for pair in scores for name in pair})
    rating = dict.fromkeys(names, 0.0)
    games = 2 * PAIRS
    for _ in range(4000):
        slope = dict.fromkeys(names, 0.0)
        for (one, other), score in scores.items():
            observed = (score * games + 0.5) / (games + 1)
            error = observed - 1 / (1 + 10 ** ((rating[other] - rating[one]) / 400))
            slope[one] += error
            slope[other] -= error
        for name in names:
            rating[name] += 40 * slope[name]
    return {name: round(rating[name] - rating[anchor], 1) for name in names}


def result(seed: int) -> dict[str, Any]:
    """Trains an agent; returns the ratings of all players, the scores of all pairs, and data about the training."""
    games = _GAMES.setdefault("duel", Duel())
    network = ppo.Network(games.bounds)
    each = ppo.STEPS * ppo.GAMES
    updates = -(-STEPS // each)
    agent, learn = ppo.start(games, network, seed, updates), ppo.training_step(games)
    curve, seconds, spent = [], 0.0, 0.0
    for update in range(1, updates + 1):
        begun, games.spent = time.process_time(), 0.0
        agent = learn(agent)
        if update > 1:
            seconds, spent = seconds + time.process_time() - begun, spent + games.spent
        if update % 10 == 0 or update == updates:
            mine = learned(network, agent.state.params)
            score = compare(mine, players()["greedy"], 10, opening=OPENING, **OPTIONS).score
            curve.append([update * each, score])
    everyone = {**players(), "ppo": learned(network, agent.state.params)}
    scores = {
        (one, other): compare(everyone[one], everyone[other], PAIRS, seed=seed, opening=OPENING, **OPTIONS).score
        for one, other in itertools.combinations(everyone, 2)
    }
    return {
        "elo": elo(scores),
        "scores": {f"{one} {other}": score for (one, other), score in scores.items()},
        "steps": updates * each,
        "seconds": round(seconds, 2),
        "environment": round(spent / seconds, 4),
        "curve": curve,
    }


OPTIONS = {"size": SIZE, "lookback": LOOKBACK, "plies": PLIES, "komi": KOMI}
_GAMES: dict[str, Duel] = {}


def main(seed: str = "1") -> int:
    """Trains an agent with a seed and prints the ratings and scores."""
    found = result(int(seed))
    for name, rating in sorted(found["elo"].items(), key=lambda item: -item[1]):
        print(f"{name:8} {rating:7.1f}")
    print(found["scores"])
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
