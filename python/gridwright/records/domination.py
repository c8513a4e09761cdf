"""The exact value of Linear Domination on small boards."""

from __future__ import annotations

import math
from typing import Any

from .. import _core, domination
from .store import Record, Work

__all__ = ["KOMI"]

_GAMES = 100_000
"""The number of random games in an estimate, the same as in the notebook ``komi``."""


def _work(key: tuple[Any, ...], state: Any) -> Work:
    rules, size, lookback, plies = key
    value = _core.domination_exact_margin(size, lookback, rules, plies, True)
    # The exact mean needs every position, so pruning does not help: with more plies than the limit below, the mean is
    # only estimated.
    mean = ""
    if plies <= (6 if size < 4 else 4):
        mean = f"{-_core.domination_exact_margin(size, lookback, rules, plies, False):.6f}"
    board = domination.LinearDomination.empty(size, lookback, rules=rules)
    x, o = board.random_games(_GAMES, plies=plies, seed=1).astype(int).T
    estimate, error = float((o - x).mean()), float((o - x).std()) / math.sqrt(_GAMES)
    yield (
        1.0,
        {
            "komi": -int(value),
            "random_mean": mean,
            "random_estimate": f"{estimate:.6f}",
            "random_error": f"{error:.6f}",
        },
    )


_KEYS = tuple(
    (rules, size, lookback, plies)
    for rules in ("standard", "uccs2023", "document")
    for size in (1, 2, 3, 4)
    for lookback in (0, 1, 2, 3, 8)
    for plies in range(1, 9)
)


def _is_large(key: tuple[Any, ...]) -> bool:
    _, size, lookback, plies = key
    return bool(size == 4 and plies >= 7 and lookback >= 1)


KOMI = Record(
    "komi",
    "the fair komi of perfect players, and the mean margin of random ones",
    ("rules", "size", "lookback", "plies"),
    ("komi", "random_mean", "random_estimate", "random_error"),
    tuple(key for key in _KEYS if not _is_large(key)),
    tuple(key for key in _KEYS if _is_large(key)),
    _work,
)
