"""What the measurements share: paired runs, rows, peers that may be missing."""

from __future__ import annotations

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
    """One line of the table."""

    work: str
    reach: str
    ours: str
    beside: str = ""
    ratio: str = ""
    met: bool | None = None
    """Whether what the specification wants was reached; ``None`` where it wants nothing."""

    def plain(self) -> dict[str, Any]:
        """The row as JSON takes it."""
        return asdict(self)


def paired(*works: Work, rounds: int = 7, wall: bool = False) -> list[float]:
    """Seconds of each work: medians over rounds in which all are done one after the other, after one that warms up.

    Times are those of this process's processors, which other people's work does not stretch; of the clock with
    ``wall``.
    """
    clock = time.perf_counter if wall else time.process_time
    found: list[list[float]] = [[] for _ in works]
    for number in range(rounds + 1):
        for work, times in zip(works, found, strict=True):
            start = clock()
            work()
            if number:
                times.append(clock() - start)
    return [max(statistics.median(times), 1e-9) for times in found]


def quick(count: int, few: int) -> int:
    """How often to do something: ``few`` where ``GRIDWRIGHT_BENCH_QUICK`` is set, which only tells that all works."""
    return few if os.environ.get("GRIDWRIGHT_BENCH_QUICK") else count


def middle(found: Sequence[float]) -> float:
    """The median."""
    return statistics.median(found)


def tail(found: Sequence[float]) -> float:
    """The 99th percentile: one in a hundred is at least as long."""
    return sorted(found)[int(len(found) * 0.99)]


def best(work: Work, rounds: int = 7) -> float:
    """The median of one work alone."""
    return paired(work, rounds=rounds)[0]


def peer(name: str) -> Any:
    """Imports a peer; ``None`` where it is missing."""
    try:
        return importlib.import_module(name)
    except Exception:  # some are installed and still cannot be loaded
        return None


def script(name: str) -> Any:
    """Loads ``benches/python/<name>.py`` for the peers' side that it holds."""
    path = Path(__file__).parents[1] / "python" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"bench_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rate(value: float, unit: str = "") -> str:
    """Writes a number per second as people read it."""
    for scale, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= scale:
            return f"{value / scale:.3g} {sign}{unit}/s"
    return f"{value:.3g} {unit}/s"


def span(seconds: float) -> str:
    """Writes a time as people read it."""
    for scale, sign in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {sign}"
    return f"{seconds * 1e9:.3g} ns"


def speed(work: str, reach: str, least: float, count: float, seconds: float, unit: str, beside: str = "") -> Row:
    """A row of things done per second, at least so many."""
    return Row(
        work,
        reach,
        rate(count / seconds, unit),
        beside,
        f"{count / seconds / least:.2f} of it",
        count / seconds >= least,
    )


def within(work: str, reach: str, most: float, seconds: float, beside: str = "") -> Row:
    """A row of a time, at most so long."""
    return Row(work, reach, span(seconds), beside, f"{most / seconds:.2f} of it", seconds <= most)


def times(work: str, reach: str, least: float, ours: float, theirs: float, name: str) -> Row:
    """A row of how many times faster than a peer, at least so many."""
    ratio = theirs / ours
    return Row(work, reach, span(ours), f"{name} {span(theirs)}", f"{ratio:.1f} times", ratio >= least)


def missing(work: str, reach: str, name: str) -> Row:
    """A row that could not be measured for want of a peer."""
    return Row(work, reach, "", f"{name} is not installed")
