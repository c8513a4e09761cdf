"""Measures the engines on this machine, for ``gridwright bench``. Other libraries are measured in ``benches/``."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from .arguments import function, game_class, number, whole

__all__ = ["measure", "rows"]


def measure(work: Callable[[], object], *, least: float = 0.05, repeats: int = 5) -> float:
    """Returns how many seconds one call takes: the median of ``repeats`` runs of at least ``least`` seconds each.

    * ``work``: a callable without arguments.
    * ``least``: the least number of seconds per run, 0 to 3600; 0.05 by default.
    * ``repeats``: the number of runs, 1 to 1000; 5 by default.

    >>> 0 < measure(lambda: sum(range(100)), least=0.001) < 0.1
    True
    """
    function("work", work)
    least, repeats = number("least", least, 0, 3600), whole("repeats", repeats, 1, 1000)
    count = 1
    found: list[float] = []
    while len(found) < repeats:
        start = time.perf_counter()
        for _ in range(count):
            work()
        spent = time.perf_counter() - start
        if spent < least:
            count = max(count * 2, int(count * least / max(spent, 1e-9) * 1.2))
        else:
            found.append(spent / count)
    return statistics.median(found)


def rows(kind: Any, *, n: int = 4096) -> Iterator[tuple[str, float, str]]:
    """Measures one game and yields the name, the value and the unit of each measurement.

    * ``kind``: the class of a game.
    * ``n``: the number of games in the batch that is measured, 1 to 2^20; 4096 by default.
    """
    return _rows(game_class("kind", kind), whole("n", n, 1, 1 << 20))


def _rows(kind: Any, n: int) -> Iterator[tuple[str, float, str]]:
    game = next(game for game in map(kind.level, kind.levels()) if game.sample_legal(0) is not None)
    move = game.sample_legal(0)

    def there_and_back() -> None:
        game.play(*move)
        game.undo()

    yield "getter (status)", measure(lambda: game.status) * 1e9, "ns"
    yield "board as an array", measure(lambda: game.board) * 1e9, "ns"
    yield "play and undo", measure(there_and_back) * 1e9, "ns"
    yield "legal moves as an array", measure(game.legal_moves) * 1e9, "ns"
    yield "copy", measure(game.copy) * 1e9, "ns"
    batch = game.batch(n, seed=1, max_steps=50)
    # Each step gets its own actions, because an action may be legal only once.
    step = measure(lambda: batch.step(batch.sample_legal()))
    yield f"batch of {n}, drawing actions and stepping", n / step / 1e6, "M/s"
    if hasattr(game, "solution"):
        name = next(name for name in reversed(kind.levels()) if kind.level(name).solution() is not None)
        yield f"solve {name}", measure(kind.level(name).solution, repeats=3) * 1e3, "ms"
