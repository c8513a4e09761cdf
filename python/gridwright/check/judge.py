"""The judge: tries cases from small to large, and looks for the smallest one that is wrong."""

from __future__ import annotations

import contextlib
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from ..progress import Teller
from .guard import Outcome, call
from .panels import Panel
from .report import Failure, Part, Report

__all__ = ["Check", "Source", "Wrong", "strategies"]

Source = Sequence[Any] | Any
"""Cases: a list, or a strategy of hypothesis with the number of cases as ``(strategy, count)``."""


class Wrong(Exception):
    """What is wrong with an answer; ``where`` is passed to the picture."""

    def __init__(self, sentence: str, where: Any = None) -> None:
        super().__init__(sentence)
        self.where = where


def strategies() -> Any:
    """Returns ``hypothesis.strategies``; raises ``ImportError`` with what to install."""
    try:
        import hypothesis.strategies as st
    except ImportError:
        raise ImportError("gridwright.check needs hypothesis: pip install 'gridwright[teach]'") from None
    return st


class Check(ABC):
    """What is checked: where the cases come from, how they are put, when an answer is right, how it is drawn."""

    NAME: ClassVar[str]

    @abstractmethod
    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        """Names the aspects with their cases."""

    @abstractmethod
    def put(self, person: Any, case: Any) -> Any:
        """Calls the person's code with a case and reads the answer. Runs guarded; raises ``Odd``."""

    @abstractmethod
    def expect(self, case: Any) -> Any:
        """Returns our answer."""

    @abstractmethod
    def compare(self, case: Any, expected: Any, got: Any) -> None:
        """Raises ``Wrong`` where an answer is not right."""

    @abstractmethod
    def size(self, case: Any) -> Any:
        """Orders cases from small to large."""

    @abstractmethod
    def spell(self, name: str, case: Any) -> str:
        """Writes the call as it can be pasted."""

    @abstractmethod
    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        """Draws a case; ``got`` is ``None`` if there is no answer."""

    def plain(self, case: Any) -> Any:
        """Returns a case as plain Python values."""
        return case

    def changed(self) -> str | None:
        """Returns what the person's code changed although it must not."""
        return None


class _Enough(Exception):
    """Ends a search of hypothesis at a case that is wrong."""


class _Ended(BaseException):
    """What the watcher raised, in a shape that hypothesis does not take for a wrong case."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


_MOST_LATE = 3
_MOST_LATE_SHRUNK = 8


class _Trial:
    """One run of a check over one implementation."""

    def __init__(self, check: Check, person: Any, time_limit: float, progress: Any = None) -> None:
        self.check, self.person, self.limit = check, person, time_limit
        self.teller = Teller(progress)
        self.late = 0
        self.stuck = False
        self.slowest = 0.0
        self.notes: dict[str, None] = {}
        self.wrong: list[Any] = []

    def attempt(self, case: Any, limit: float | None = None) -> tuple[Outcome, str | None, Any, Any]:
        """Returns the outcome, a sentence if it is wrong, where, and our answer."""
        expected = self.check.expect(case)
        outcome = call(lambda: self.check.put(self.person, case), self.limit if limit is None else limit)
        try:
            self.teller.add(1)
        except Exception as error:
            raise _Ended(error) from None
        changed = self.check.changed()
        if changed:
            self.notes[changed] = None
        if outcome.trouble is not None:
            return outcome, outcome.trouble, None, expected
        try:
            self.check.compare(case, expected, outcome.value)
        except Wrong as wrong:
            return outcome, str(wrong), wrong.where, expected
        return outcome, None, None, expected

    def beyond(self, case: Any) -> tuple[Outcome, str | None, Any, Any]:
        """Records that a case could not be stopped."""
        reason = f"did not finish within {self.limit:g} s and could not be stopped"
        return Outcome(), reason, None, self.check.expect(case)

    def see(self, case: Any) -> bool:
        """Tries a case of the battery; says whether it is right."""
        if self.stuck or self.late >= _MOST_LATE:
            return False
        outcome, reason, _, _ = self.attempt(case)
        if reason is None:
            self.slowest = max(self.slowest, outcome.seconds)
            return True
        self.late += outcome.timed_out
        self.stuck = outcome.stuck
        self.wrong.append(case)
        return False

    def shrink(self, source: Any, seconds: float) -> None:
        """Looks for smaller wrong cases of a strategy, and notes each."""
        from hypothesis import Phase, Verbosity, given, settings
        from hypothesis.errors import HypothesisException

        ends = time.monotonic() + seconds
        # What takes long is told by a short limit here; the smallest case is tried again with the whole one.
        limit = min(self.limit, max(20 * self.slowest, 0.15))
        late = [0]

        @settings(_quiet(300), phases=[Phase.generate, Phase.shrink], verbosity=Verbosity.quiet)
        @given(source)
        def run(case: Any) -> None:
            if self.stuck or late[0] > _MOST_LATE_SHRUNK or time.monotonic() > ends:
                return
            outcome, reason, _, _ = self.attempt(case, limit)
            self.stuck = outcome.stuck
            late[0] += outcome.timed_out
            if reason is not None:
                self.wrong.append(case)
                raise _Enough

        # The second one when the time was up, and a wrong case was not tried again.
        with contextlib.suppress(_Enough, HypothesisException):
            run()


def _quiet(count: int) -> Any:
    from hypothesis import HealthCheck, settings

    return settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


def _explore(source: Any, count: int, see: Callable[[Any], bool]) -> list[bool]:
    """Tries ``count`` cases of a strategy: the same in each run of the same code.

    Hypothesis draws a few numbers from the constants of the modules that are loaded and not installed, the checked one
    among them: the numbers that code tests for are tried, and two persons' cases may differ a little.
    """
    from hypothesis import Phase, given, settings

    seen: list[bool] = []

    @settings(_quiet(count), phases=[Phase.generate])
    @given(source)
    def run(case: Any) -> None:
        seen.append(see(case))

    run()
    return seen


def judge(check: Check, person: Any, *, time_limit: float, seconds: float, progress: Any = None) -> Report:
    """Runs a check: the battery, then the search for the smallest wrong case; ``progress`` is told the cases tried."""
    if not callable(person):
        raise TypeError(f"{check.NAME} must be given a function or class, got {type(person).__name__}")
    if not 0 < time_limit <= 3600:
        raise ValueError(f"time_limit must be greater than 0 and at most 3600 seconds, got {time_limit!r}")
    st = strategies()
    try:
        return _report(_Trial(check, person, time_limit, progress), st, seconds)
    except _Ended as ended:
        raise ended.error from None


def _report(trial: _Trial, st: Any, seconds: float) -> Report:
    check = trial.check
    parts, doubtful = [], []
    for name, source in check.parts(st):
        if isinstance(source, tuple):
            strategy, count = source
            seen = _explore(strategy, count, trial.see)
            if not all(seen):
                doubtful.append(strategy)
        else:
            seen = [trial.see(case) for case in sorted(source, key=check.size)]
        parts.append(Part(name, sum(seen), len(seen)))
    if doubtful and not trial.stuck:
        trial.shrink(doubtful[0], seconds)  # the parts go from small to large
    failure = _failure(trial, getattr(trial.person, "__name__", type(trial.person).__name__)) if trial.wrong else None
    notes = list(trial.notes)
    if trial.stuck:
        notes.append("a call is still running and takes time from all others; start the interpreter or kernel anew")
    elif trial.late >= _MOST_LATE:
        notes.append(f"after {_MOST_LATE} calls that did not finish, the cases left over counted as wrong, untried")
    return Report(check.NAME, tuple(parts), failure, tuple(notes))


def _failure(trial: _Trial, name: str) -> Failure:
    check = trial.check
    name = name if name.isidentifier() else "yours"
    first: Failure | None = None
    # Where a call is stuck it is the last one, and is not tried again.
    for case in trial.wrong[-1:] if trial.stuck else sorted(trial.wrong, key=check.size):
        outcome, reason, where, expected = trial.beyond(case) if trial.stuck else trial.attempt(case)
        if reason is not None:
            got = outcome.value if outcome.trouble is None else None
            panels = check.panels(case, expected, got, where)
            return Failure(check.plain(case), check.spell(name, case), reason, outcome.printed, panels)
        first = first or Failure(
            check.plain(case),
            check.spell(name, case),
            "was wrong once and right when tried again: the answer changes from call to call, or takes about as long "
            "as the time limit",
            outcome.printed,
            check.panels(case, expected, outcome.value, None),
        )
    assert first is not None
    return first
