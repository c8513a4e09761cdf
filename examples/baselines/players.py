"""The players that agents are compared with: random legal play, a simple heuristic, and the exact solver.

The heuristics look one move ahead. In Bloxorz, the move brings the block as close to the target as possible. In
LightEmAll, the move powers as many tiles as possible. In MyPhoton, the move lights as many sensors as possible and,
among equally good moves, as many cells as possible. In GeeseSpotter, the move shows the field with the least risk,
estimated from one shown number at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from settings import MovesMade, Setting


def blocks(game: Any) -> float:
    """Returns the negative of the distance, in rows plus columns, from the target to the farther cube of the block."""
    return -float(np.abs(game.block - np.array(game.target)).sum(1).max())


def light(game: Any) -> float:
    """Returns the number of lit sensors, plus the share of cells that beams cross."""
    return float(game.lit.sum()) + float((game.beams > 0).mean())


def power(game: Any) -> float:
    """Returns the number of powered tiles."""
    return float(game.powered.sum())


SCORES: dict[str, Callable[[Any], float]] = {"bloxorz": blocks, "photon": light, "lightemall": power}


Chooser = Callable[[Any, np.ndarray, np.random.Generator], Any]
"""A player: ``player(game, moves, rng)`` returns a move; ``moves`` are rows of ``game.legal_moves()``."""


def ahead(score: Callable[[Any], float]) -> Chooser:
    """Returns the player that makes the move that leads to the highest score, chosen at random among equal scores."""

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
    """Returns the move that shows the hidden field with the least risk, chosen at random among equal risks.

    The risk of a field next to the number 0 is 0. The risk of any other field is the maximum of the average chance of a
    goose and of the chances that each number next to the field gives on its own.
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
    """Returns the player called ``name`` (``"random"``, ``"heuristic"`` or ``"exact"``) for the game of ``task``."""
    if name == "random":
        return lambda game, moves, rng: rng.choice(moves)
    if name == "exact":
        return lambda game, moves, rng: exact(game)
    return careful if task.kind.NAME == "geese" else ahead(SCORES[task.kind.NAME])


def solves(task: Setting, puzzles: list[Any], name: str, seed: int) -> float:
    """Returns the share of the puzzles that a player solves.

    Like agents, the player may choose only among the moves that `MovesMade` leaves, but `careful` and `exact` ignore
    this restriction.
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
