"""The table of a contest: the results of each bot, with the error of its score."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

from .games import Game

__all__ = ["Contest", "Row", "ranked"]


@dataclass(frozen=True)
class Row:
    """A row of the table: one bot and its results."""

    rank: int
    """The place in the table, from 1; bots with equal scores share a place."""
    bot: str
    """The name of the bot."""
    games: int
    """The number of the bot's games, including those that were not played."""
    score: float
    """The mean of the bot's points per game, 0 to 1."""
    error: float
    """Two standard errors of ``score``."""
    wins: int
    """The number of games the bot won."""
    draws: int
    """The number of draws."""
    losses: int
    """The number of games the bot lost, including those lost because of a failure or without being played."""
    failures: int
    """The number of games the bot played and lost because of a failure."""
    trouble: str | None
    """A sentence about the bot's first failure; ``None`` if the bot never failed."""
    forfeits: int
    """The number of games the bot lost without playing them, after five failures in a row."""


@dataclass(frozen=True)
class Contest:
    """The result of a contest."""

    game: str
    """The name of the game, its key in ``gridwright.GAMES``."""
    pairs: int
    """The number of openings per pair of bots, or of boards per bot."""
    table: tuple[Row, ...]
    """The rows of the table, best bot first."""
    games: tuple[Game, ...]
    """The records of the games, in the order of ``Game.place``."""


def ranked(bots: list[str], games: list[Game]) -> tuple[Row, ...]:
    """Returns the table, best bot first.

    The error of a score is computed over units: pairs of games with exchanged seats, or boards.

    * ``bots``: the names of the bots.
    * ``games``: the games they played.
    """
    points: dict[str, dict[object, list[float]]] = {bot: defaultdict(list) for bot in bots}
    for game in games:
        for bot, scored in zip(game.bots, game.points, strict=True):
            points[bot][tuple(sorted(game.bots)), game.pair].append(scored)
    rows = []
    for bot in bots:
        own = [game for game in games if bot in game.bots]
        each = [scored for unit in points[bot].values() for scored in unit]
        units = [sum(unit) / len(unit) for unit in points[bot].values()]
        score = sum(each) / len(each) if each else 0.0
        failures = [game for game in own if game.failed == bot and not game.forfeit]
        first = min(failures, key=Game.place, default=None)
        rows.append(
            Row(
                0,
                bot,
                len(own),
                score,
                two_errors(units),
                sum(scored == 1 for scored in each),
                sum(scored == 0.5 for scored in each),
                sum(scored == 0 for scored in each),
                len(failures),
                first.trouble if first else None,
                sum(game.failed == bot and game.forfeit for game in own),
            )
        )
    rows.sort(key=lambda row: (-row.score, row.bot))
    # Equal scores share a rank.
    ranks: dict[float, int] = {}
    for place, row in enumerate(rows, 1):
        ranks.setdefault(row.score, place)
    return tuple(Row(ranks[row.score], *list(vars(row).values())[1:]) for row in rows)


def two_errors(values: list[float]) -> float:
    """Returns two standard errors of the mean of values from 0 to 1.

    * ``values``: the mean points of n units; the result for fewer than two values is 1.

    If all values are equal, their spread is zero although the mean is not known exactly. The result is then
    ``2 / (n + 4)``, the distance from a mean of 0 or 1 to the center of the interval of Agresti and Coull.

    >>> round(two_errors([0, 1, 1, 0]), 4)
    0.5774
    >>> two_errors([1] * 96)
    0.02
    """
    if len(values) < 2:
        return 1.0
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return max(2 * math.sqrt(spread / len(values)), 2 / (len(values) + 4) if spread == 0 else 0.0)
