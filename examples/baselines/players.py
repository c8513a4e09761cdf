"""The players that agents are compared with: random legal play, a simple heuristic, and the exact solver.

A heuristic sees one move ahead and no further. Bloxorz: the cells between block and target. LightEmAll: powered tiles.
MyPhoton: lit sensors, then lit cells. GeeseSpotter: the field whose shown neighbors have the fewest geese left per
hidden field, one number at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from settings import Setting


def blocks(game: Any) -> float:
    """Returns the negative distance in cells between block and target."""
    return -float(np.abs(game.block - np.array(game.target)).sum(1).max())


def light(game: Any) -> float:
    """Returns the number of lit sensors, and as a fraction the share of the cells that beams cross."""
    return float(game.lit.sum()) + float((game.beams > 0).mean())


def power(game: Any) -> float:
    """Returns the number of powered tiles."""
    return float(game.powered.sum())


SCORES: dict[str, Callable[[Any], float]] = {"bloxorz": blocks, "photon": light, "lightemall": power}


def ahead(score: Callable[[Any], float], kinds: int | None) -> Callable[[Any, np.random.Generator], Any]:
    """Returns the player that makes the move with the best score after it, a random one among equals."""

    def choose(game: Any, rng: np.random.Generator) -> Any:
        moves = [move for move in game.legal_moves() if kinds is None or move[0] < kinds]
        found = []
        for move in moves:
            game.play(*move)
            found.append(1e9 if game.is_solved else score(game))
            game.undo()
        best = np.flatnonzero(np.array(found) == max(found))
        return moves[rng.choice(best)]

    return choose


def careful(game: Any, rng: np.random.Generator) -> Any:
    """Shows the hidden field that looks safest beside any one number; far from all numbers, the average chance."""
    hidden, board = game.hidden, game.board
    risk = np.where(hidden, game.geese / hidden.sum(), np.inf)
    certain = np.zeros_like(hidden)
    for row, col in np.argwhere(~hidden):
        near = np.s_[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2]
        covered = hidden[near]
        if covered.any():
            chance = (int(board[row, col]) & 15) / covered.sum()
            risk[near] = np.where(covered, np.maximum(risk[near], chance) if chance else 0.0, risk[near])
            certain[near] |= covered & (chance == 0)
    risk[certain] = 0.0
    best = np.argwhere(risk == risk.min())
    return (0, *rng.choice(best))


def at_random(game: Any, rng: np.random.Generator, kinds: int | None) -> Any:
    """Returns a random legal move."""
    moves = game.legal_moves()
    return rng.choice(moves if kinds is None else moves[moves[:, 0] < kinds])


def exact(game: Any) -> Any:
    """Returns the next move of a shortest solution; in GeeseSpotter the best show that the engine knows."""
    if hasattr(game, "probabilities"):
        return (0, *game.hint())
    return game.hint()


def player(name: str, task: Setting) -> Callable[[Any, np.random.Generator], Any]:
    """Returns the player ``"random"``, ``"heuristic"`` or ``"exact"`` of a world: ``player(game, rng)`` is a move."""
    if name == "random":
        return lambda game, rng: at_random(game, rng, task.kinds)
    if name == "exact":
        return lambda game, rng: exact(game)
    return careful if task.kind.NAME == "geese" else ahead(SCORES[task.kind.NAME], task.kinds)


def solves(task: Setting, puzzles: list[Any], name: str, seed: int) -> float:
    """Returns the share of the puzzles that a player solves."""
    choose, rng, won = player(name, task), np.random.default_rng(seed), 0
    for puzzle in puzzles:
        game = puzzle.copy()
        for _ in range(task.max_steps):
            if game.status:
                break
            game.play(*choose(game, rng))
        won += game.is_solved
    return won / len(puzzles)
