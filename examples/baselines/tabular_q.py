"""Tabular Q-learning for Bloxorz: the table of ``examples/learn_bloxorz.py``, learned from many puzzles at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from gridwright.envs.wrappers.vector import OneHotObservation
from settings import Setting, solved

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import learn_bloxorz

STEPS, GAMES, LEVELS = 4000, 64, 16


def result(task: Setting, seed: int) -> dict[str, Any]:
    """Learns from the first ``LEVELS`` training puzzles; tests the table on these and on the evaluation puzzles."""
    train = task.puzzles("train")[:LEVELS]
    curve: list[list[float]] = []

    def player(table: learn_bloxorz.Table) -> Any:
        rng = np.random.default_rng(seed)

        def choose(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
            # One move in twenty is random, so that the player does not get stuck on boards that are new to the table.
            rows = table.index(planes)
            drawn = (rng.random(masks.shape) * masks).argmax(axis=1)
            return np.where(rng.random(len(rows)) < 0.05, drawn, table.best(rows, masks))

        return choose

    def watch(step: int, table: learn_bloxorz.Table) -> None:
        if step % (STEPS // 10) == 0:
            curve.append([step * GAMES, solved(task, train, player(table))[0]])

    table = learn_bloxorz.learn(train, steps=STEPS, envs=GAMES, seed=seed, wrap=OneHotObservation, watch=watch)
    test = solved(task, task.puzzles("test"), player(table))[0]
    return {
        "solved": test,
        "train": curve[-1][1],
        "steps": STEPS * GAMES,
        "boards": len(table.rows),
        "curve": curve,
    }
