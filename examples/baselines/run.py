"""Runs all baselines; writes their tables into ``docs/train.md`` and their learning curves to ``docs/train.svg``.

Run with ``python examples/baselines/run.py`` or ``make baselines``. Each result is a file in
``examples/baselines/results``, and a result that exists is not computed again. If the training of a PPO agent on
puzzles was interrupted, the training continues from the last checkpoint with new episodes. ``run.py table`` only writes
the tables and the curves from the existing results. ``run.py ppo-photon hard`` computes only the results whose names
contain both words.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import players
import tables
from gridwright.files import write
from settings import GRADES, KEPT, SETTINGS, Setting, setting

SEEDS = (1, 2, 3, 4, 5)


def ppo_result(name: str, grade: str, seed: int) -> dict[str, Any]:
    """Trains an agent, from its last checkpoint if there is one, and tests the agent on unseen and seen puzzles."""
    import ppo
    from flax import serialization
    from settings import Puzzles, solved

    task = setting(name, grade)
    games = _GAMES.setdefault(name, Puzzles(task, ppo.GAMES))
    network = ppo.Network(games.bounds)
    games.use(task)
    each = ppo.STEPS * ppo.GAMES
    updates = max(2, math.ceil(task.steps / each))  # the first update is not timed
    agent = ppo.start(games, network, seed, updates)
    learn = ppo.training_step(games)
    done, curve, seconds, spent = 0, [], 0.0, 0.0
    checkpoint = KEPT / f"ppo-{name}-{grade}-{seed}.msgpack"
    if checkpoint.exists():
        kept = serialization.msgpack_restore(checkpoint.read_bytes())
        agent = agent._replace(state=serialization.from_state_dict(agent.state, kept["state"]))
        done, curve = kept["done"], json.loads(kept["curve"])
        seconds, spent = kept["seconds"], kept["spent"]
    compiled = False
    while done < updates:
        begun, games.spent = time.process_time(), 0.0
        agent = learn(agent)
        if compiled:  # the first update in a process may include compilation
            seconds += time.process_time() - begun
            spent += games.spent
        compiled = True
        done += 1
        if done % 5 == 0 or done == updates:
            curve.append([done * each, round(games.won(), 4)])
            state = serialization.to_state_dict(agent.state)
            kept = {"state": state, "done": done, "curve": json.dumps(curve), "seconds": seconds, "spent": spent}
            write(checkpoint, serialization.msgpack_serialize(kept))
    player = ppo.policy(network, agent.state.params, seed)
    test, moves = solved(task, task.puzzles("test"), player)
    found = {
        "solved": test,
        "train": solved(task, task.puzzles("train")[:200], player)[0],
        "moves": None if math.isnan(moves) else round(moves, 3),
        "steps": updates * each,
        "seconds": round(seconds, 2),
        "environment": round(spent / seconds, 4),
        "curve": curve,
    }
    if grade == "easy":
        hard = setting(name, "hard")
        found["hard"] = solved(hard, hard.puzzles("test"), player)[0]
    return found


_GAMES: dict[str, Any] = {}
"""The `Puzzles` of each game, by name; they are reused because training steps are compiled for them."""


def jobs() -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """Yields the name of each result and the function that computes the result; the easy settings come first."""
    for grade in GRADES:
        for seed, name in itertools.product(SEEDS, SETTINGS):
            task = setting(name, grade)
            for player in ("random", "heuristic", "exact"):
                if player != "exact" or seed == SEEDS[0]:  # the exact player makes no random choices
                    yield f"{player}-{name}-{grade}-{seed}", functools.partial(simple_result, task, player, seed)
        for name in SETTINGS:
            for seed in SEEDS:
                if name == "bloxorz":
                    yield f"q-{name}-{grade}-{seed}", functools.partial(table_result, grade, seed)
                yield f"ppo-{name}-{grade}-{seed}", functools.partial(ppo_result, name, grade, seed)
        if grade == GRADES[0]:
            for seed in SEEDS:
                yield f"ppo-domination-{grade}-{seed}", functools.partial(duel_result, seed)


def simple_result(task: Setting, player: str, seed: int) -> dict[str, Any]:
    """Tests a player that does not learn."""
    return {"solved": players.solves(task, task.puzzles("test"), player, seed)}


def table_result(grade: str, seed: int) -> dict[str, Any]:
    """Trains an agent on puzzles of Bloxorz by tabular Q-learning, and tests the agent."""
    import tabular_q

    return tabular_q.result(setting("bloxorz", grade), seed)


def duel_result(seed: int) -> dict[str, Any]:
    """Trains an agent in Linear Domination by self-play, and lets all players play against each other."""
    import self_play

    return self_play.result(seed)


def main(*words: str) -> int:
    """Computes missing results, then writes the tables and the curves.

    * ``words``: only results whose names contain all of these words are computed; without words, all results are. If
      ``table`` is the only word, no result is computed.
    """
    if words != ("table",):
        tables.RESULTS.mkdir(exist_ok=True)
        for label, job in jobs():
            if all(word in label for word in words) and not tables.path(label).exists():
                begun = time.process_time()
                found = job()
                found["cpu"] = round(time.process_time() - begun, 2)
                write(tables.path(label), json.dumps(found) + "\n")
                print(label, {key: value for key, value in found.items() if key != "curve"}, flush=True)
    tables.write()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
