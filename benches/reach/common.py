"""Helpers for the measurements: two pieces of work measured in turn, rows of ratios, and peers that may be missing."""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import os
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

Work = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """One line of a table: ratios that compare gridwright with a baseline, usually one ratio per round."""

    work: str
    """What is measured."""
    baseline: str
    """The peer, the limit or the other work with which gridwright is compared."""
    goal: str = ""
    """The goal for the median, such as ``>= 20``; empty if there is none."""
    ratios: Sequence[float] = ()
    """The ratios that ``kind`` describes; empty if nothing was measured."""
    kind: str = "peer"
    """What a ratio is.

    * ``peer``: how many times as fast as the peer gridwright is, or the memory of the peer divided by that of
      gridwright.
    * ``limit``: the speed of gridwright as a share of the speed of the limit, work that no implementation can avoid.
    * ``times``: the time or memory of gridwright divided by that of the baseline; lower is better.
    """
    note: str = ""
    """A remark, such as the reason why there is no figure."""

    @property
    def middle(self) -> float:
        """The median of the ratios."""
        return statistics.median(self.ratios)

    @property
    def met(self) -> bool | None:
        """Whether ``goal`` was met; ``None`` if there is no goal or nothing was measured."""
        if not self.goal or not self.ratios:
            return None
        sign, number = self.goal.split()
        return self.middle >= float(number) if sign == ">=" else self.middle <= float(number)

    def plain(self) -> dict[str, Any]:
        """Returns the row as a dict for JSON."""
        return asdict(self)


def keep_memory() -> None:
    """Makes this process keep freed memory instead of returning it to the system, if the C library has ``mallopt``.

    By default, the memory of large arrays goes back to the system, which has to clear the pages before they are used
    again. Clearing gigabytes takes between half and four times as long as the measured work, depending on what else is
    in memory.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        most_mapped, trim_threshold = -4, -1  # M_MMAP_MAX and M_TRIM_THRESHOLD in malloc.h
        mallopt(most_mapped, 0)
        mallopt(trim_threshold, -1)


def turns(ours: Work, other: Work, rounds: int = 7) -> list[tuple[float, float]]:
    """Runs two pieces of work one after the other in each round; returns a pair of times in seconds for each round.

    An extra first round warms up and is not returned. Times are processor times of this process, which do not grow
    while other processes run.
    """
    found = []
    for number in range(quick(rounds, 1) + 1):
        marks = [time.process_time()]
        for work in (ours, other):
            work()
            marks.append(time.process_time())
        if number:
            found.append((max(marks[1] - marks[0], 1e-9), max(marks[2] - marks[1], 1e-9)))
    return found


def compare(
    work: str, goal: str, peer: str, ours: Work, other: Work, *, rounds: int = 7, per: tuple[float, float] = (1, 1)
) -> Row:
    """Measures how many times as fast ``ours`` is as ``other``, the work of the peer.

    ``per`` has the numbers of units of work in one call to ``ours`` and in one call to ``other``.
    """
    found = [(theirs / per[1]) / (own / per[0]) for own, theirs in turns(ours, other, rounds)]
    return Row(work, peer, goal, found)


def times(work: str, goal: str, other: str, ours: Work, theirs: Work, *, rounds: int = 7) -> Row:
    """Measures the time of ``ours`` divided by the time of ``theirs``; lower is better."""
    return Row(work, other, goal, [own / one for own, one in turns(ours, theirs, rounds)], "times")


def missing(work: str, goal: str, name: str) -> Row:
    """Returns a row without ratios for a peer that cannot be imported."""
    return Row(work, name, goal, note="not measured: the peer cannot be imported")


def quick(count: int, few: int) -> int:
    """Returns ``count``, or ``few`` if the environment variable ``GRIDWRIGHT_BENCH_QUICK`` is set."""
    return few if os.environ.get("GRIDWRIGHT_BENCH_QUICK") else count


def tail(found: Sequence[float]) -> float:
    """Returns the 99th percentile of the values."""
    return sorted(found)[int(len(found) * 0.99)]


def peer(name: str) -> Any:
    """Imports a peer; returns ``None`` if it cannot be imported."""
    try:
        return importlib.import_module(name)
    except Exception:  # some peers are installed but cannot be loaded
        return None


def script(name: str) -> Any:
    """Loads ``benches/python/<name>.py``, which contains code of the peers."""
    path = Path(__file__).parents[1] / "python" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"bench_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
