"""The players that agents are compared with: random legal play, a simple heuristic, and the exact solver.

The heuristics look one move ahead and no further. In Bloxorz the block gets as close to the target as possible; in
LightEmAll as many tiles as possible are powered; in MyPhoton as many sensors as possible are lit and, among equals, as
many cells. In GeeseSpotter the field with the least risk is shown, judged by one shown number at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from settings import MovesMade, Setting


def blocks(game: Any) -> float:
    """Returns minus the distance, in rows plus columns, from the target to the farther cube of the block."""
    return -float(np.abs(game.block - np.array(game.target)).sum(1).max())


def light(game: Any) -> float:
    """Returns the number of lit sensors, plus the share of the cells that beams cross."""
    return float(game.lit.sum()) + float((game.beams > 0).mean())


def power(game: Any) -> float:
    """Returns the number of powered tiles."""
    return float(game.powered.sum())


SCORES: dict[str, Callable[[Any], float]] = {"bloxorz": blocks, "photon": light, "lightemall": power}


Chooser = Callable[[Any, np.ndarray, np.random.Generator], Any]
"""A player: ``player(game, moves, rng)`` returns a move; ``moves`` are rows of ``game.legal_moves()``."""


def ahead(score: Callable[[Any], float]) -> Chooser:
    """Returns the player that makes the move after which the score is best, choosing at random among equals."""

    def choose(game: Any, moves: np.ndarray, rng: np.random.Generator) -> Any:
        found = []
        for move in moves:
            game.play(*move)
            found.append(1e9 if game.is_solved else score(game))
            game.undo()
        best = np.flatnonzero(np.array(found) == max(found))
        return moves[rng.choice(best)]

    return choose


def careful(game: Any, moves: np.ndarray, rng: np.random.Generator) -> Any:
    """Returns the move that shows the hidden field with the least risk, chosen at random among equals.

    The risk of a field beside the number 0 is 0. Any other risk is the largest of the average chance of a goose and the
    chances that each number beside the field gives on its own.
    """
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


def exact(game: Any) -> Any:
    """Returns the move that ``hint`` suggests: the next move of a solution or, in GeeseSpotter, a show."""
    if hasattr(game, "probabilities"):
        return (0, *game.hint())
    return game.hint()


def player(name: str, task: Setting) -> Chooser:
    """Returns the player called ``name`` (``"random"``, ``"heuristic"`` or ``"exact"``) for the world of ``task``."""
    if name == "random":
        return lambda game, moves, rng: rng.choice(moves)
    if name == "exact":
        return lambda game, moves, rng: exact(game)
    return careful if task.kind.NAME == "geese" else ahead(SCORES[task.kind.NAME])


def solves(task: Setting, puzzles: list[Any], name: str, seed: int) -> float:
    """Returns the share of the puzzles that a player solves.

    The player gets the moves that `MovesMade` leaves, as agents do; `careful` and `exact` ignore them.
    """
    choose, rng, won = player(name, task), np.random.default_rng(seed), 0
    for puzzle in puzzles:
        game = puzzle.copy()
        made = MovesMade()
        for _ in range(task.max_steps):
            if game.status:
                break
            moves = game.legal_moves()
            if task.kinds is not None:
                moves = moves[moves[:, 0] < task.kinds]
            actions = np.ravel_multi_index(tuple(moves.T), game.bounds)
            legal = np.zeros(np.prod(game.bounds), bool)
            legal[actions] = True
            move = choose(game, moves[made.left(game.board, legal)[actions]], rng)
            made.add(game.board, int(np.ravel_multi_index(tuple(move), game.bounds)))
            game.play(*move)
        won += game.is_solved
    return won / len(puzzles)
