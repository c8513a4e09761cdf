"""The judge: tries listed cases from small to large, then random ones, and finds the smallest wrong case per part."""

from __future__ import annotations

import contextlib
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ..arguments import wrong_type
from ..optional import require
from ..progress import ProgressReporter
from .guard import Outcome, UnreadableAnswer
from .hints import of_answers, of_trouble
from .options import Options, Settings
from .panels import Panel
from .report import Failure, Part, Report
from .worker import InPlace, Isolated, can_fork

__all__ = ["AllCases", "Check", "Mistake", "Source", "Wrong", "WrongWithHint", "judge", "strategies"]

Source = Sequence[Any] | Any
"""The cases of a part: a list, or ``(strategy, count)``, a hypothesis strategy and the number of cases to draw."""

Mistake = tuple[str, Callable[[Any, Any], Any]]
"""A hint, and a function ``(case, expected)`` that returns the answer of code with this mistake."""


class Wrong(Exception):
    """Raised if an answer is wrong.

    * ``sentence``: what is wrong with the answer: lower case, no period.
    * ``where``: the place that the picture marks, in whatever form ``Check.panels`` reads; ``None``, the default, marks
      nothing.
    """

    hint = ""

    def __init__(self, sentence: str, where: Any = None) -> None:
        super().__init__(sentence)
        self.where = where


class WrongWithHint(Wrong):
    """A ``Wrong`` that also carries a hint.

    * ``sentence``: what is wrong with the answer: lower case, no period.
    * ``hint``: the kind of mistake in a few words; empty for no hint.
    * ``where``: the place that the picture marks; ``None``, the default, marks nothing.
    """

    def __init__(self, sentence: str, hint: str, where: Any = None) -> None:
        super().__init__(sentence, where)
        self.hint = hint


def strategies() -> Any:
    """Returns ``hypothesis.strategies``; raises an ``ImportError`` that says what to install."""
    return require("hypothesis.strategies", "gridwright.check needs hypothesis: pip install 'gridwright[teach]'")


class Check(ABC):
    """The base class of all checks: the cases, how the code is called with them, how answers are compared and drawn.

    ``invoke`` runs in the process of the submitted code, everything else in that of the grader. ``invoke``
    returns plain values: numbers, bools, text, ``None``, and lists of these, which arrive as tuples.
    """

    NAME: ClassVar[str]
    """The name of the check's function in ``gridwright.check``."""
    ARGUMENT: ClassVar[str] = "fn"
    """The name of the argument that takes the submitted code."""
    ACCEPTED: ClassVar[str] = "a function"
    """What the submitted code may be, for the message of the error if it is something else."""
    CHANGED: ClassVar[str] = "the code changes what it is given; this is not counted as wrong"
    """The note in the report if the code changes its arguments."""
    EXACT: ClassVar[bool] = True
    """Whether each case has exactly one right answer."""
    form: int | None = None
    """The number of arguments that the submission's function requires; ``None`` if unknown or not fixed."""
    changed = False
    """Whether the code changed its arguments; ``invoke`` sets it."""
    ends: float = math.inf
    """The time, as ``time.monotonic`` counts it, from which on the code is not called: further cases are wrong."""

    @abstractmethod
    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        """Yields the parts of the check: each part's name and its cases.

        * ``st``: the module ``hypothesis.strategies``.
        """

    def arguments(self, case: Any) -> Any:
        """Returns what ``invoke`` receives for a case: the case without its answer. By default the case itself.

        * ``case``: a case of one of the parts.
        """
        return case

    @abstractmethod
    def invoke(self, submission: Any, arguments: Any) -> Any:
        """Calls the submitted code and returns its answer; raises ``UnreadableAnswer`` if the answer cannot be read.

        * ``submission``: the function, class or command that is checked.
        * ``arguments``: what ``arguments(case)`` returned.
        """

    @abstractmethod
    def expect(self, case: Any) -> Any:
        """Returns the expected answer.

        * ``case``: a case of one of the parts.
        """

    @abstractmethod
    def compare(self, case: Any, expected: Any, got: Any) -> None:
        """Raises ``Wrong`` if an answer is not right.

        * ``case``: the case.
        * ``expected``: what ``expect(case)`` returned.
        * ``got``: what ``invoke`` returned, with lists converted to tuples.
        """

    @abstractmethod
    def size(self, case: Any) -> Any:
        """Returns a sort key that orders cases from small to large: a tuple that begins with a number.

        * ``case``: a case of any part; the keys of all parts must be comparable.
        """

    @abstractmethod
    def spell(self, name: str, case: Any) -> str:
        """Returns the call as Python code that can be pasted, or in words if no such code exists, as for a program.

        * ``name``: the name of the submission's function in that code.
        * ``case``: the case.
        """

    def call(self, name: str, case: Any, where: Any) -> str:
        """Returns the call that a failure shows. By default, what ``spell`` returns.

        * ``name``: the name of the submission's function in that code.
        * ``case``: the case.
        * ``where``: the place of the mistake, from ``Wrong.where``; ``None`` for no place.
        """
        return self.spell(name, case)

    @abstractmethod
    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        """Returns the drawings of a case.

        * ``case``: the case.
        * ``expected``: the expected answer.
        * ``got``: the answer of the code, ``None`` if there is none.
        * ``where``: the place to mark, from ``Wrong.where``; ``None`` for no place.
        """

    def plain(self, case: Any) -> Any:
        """Returns a case as plain Python values, as ``Failure.case`` shows it. By default the case itself.

        * ``case``: the case.
        """
        return case

    def accepts(self, submission: Any) -> bool:
        """Returns whether this check accepts an object as code: by default, anything callable.

        * ``submission``: what was handed in.
        """
        return callable(submission)

    def runner(self, submission: Any) -> Any:
        """Returns the class that runs the code: in a process of its own if the system can fork.

        * ``submission``: what was handed in.
        """
        return Isolated if can_fork() else InPlace

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        """Returns functions ``(case, expected)`` that answer without solving the problem.

        The share of cases that the best of them gets right earns no credit.
        """
        return ()

    def mistakes(self) -> Sequence[Mistake]:
        """Returns the known mistakes, which are recognized by their answers."""
        return ()


class AllCases(list[Any]):
    """All cases of certain sizes; if one of them is wrong, the search for smaller wrong cases is kept short."""


class _FoundWrong(Exception):
    """Raised to report a wrong case to hypothesis, which then looks for a smaller one."""


class _SearchEnded(BaseException):
    """Raised to end a search at once; not an ``Exception``, which hypothesis would take for a wrong case."""


class _CallbackError(BaseException):
    """Wraps an exception of the progress callback, so that hypothesis does not take it for a wrong case."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


_SHRINKING = 5.0
"""The maximum number of seconds of shrinking per part, unless the caller of ``judge`` sets another limit."""
_SHORT = 0.3
"""The maximum number of seconds of shrinking a part if a small wrong case is already known."""
_FAR_SMALLER = 4
"""Shrinking a part is cut short if a listed wrong case is smaller than all wrong cases of the part by this factor."""
_MAX_LATE = 3
"""The remaining cases are skipped after this many calls that run out of time."""
_MAX_ENDED = 12
"""The remaining cases are skipped after this many calls that end their process."""
_MAX_LATE_SHRUNK = 8
"""The shrinking of a part ends once more calls than this have run out of time or ended their process."""
_UNTRIED = "was not tried, because the time for all cases ran out"
"""The reason why a case is wrong for which no time was left."""
_MAX_CONSTANT = 1000
"""The maximum number of cases of a part on which the answers of ``constants`` are tried."""


@dataclass
class _TriedCase:
    """A case that was tried."""

    case: Any
    expected: Any
    outcome: Outcome
    reason: str | None
    where: Any = None
    hint: str = ""


@dataclass
class _PartState:
    """The state of a part while it is checked."""

    name: str
    strategy: Any = None
    count: int = 0
    tried: list[_TriedCase] = field(default_factory=list)
    untried: int = 0
    shrunk: list[_TriedCase] = field(default_factory=list)

    @property
    def wrong(self) -> list[_TriedCase]:
        return [each for each in self.tried if each.reason is not None]


class _Trial:
    """One run of a check on one implementation."""

    def __init__(self, check: Check, runner: InPlace | Isolated, settings: Settings, shrinking: float) -> None:
        self.check, self.runner, self.settings, self.shrinking = check, runner, settings, shrinking
        self.reporter = ProgressReporter(settings.progress)
        self.late = self.ended = 0
        self.stuck = False
        self.slowest = 0.0
        self.notes: dict[str, None] = {}

    @property
    def over(self) -> bool:
        """Whether no further call makes sense: the time of the check has run out, or a call cannot be stopped."""
        return self.stuck or time.monotonic() >= self.check.ends

    def attempt(self, case: Any, limit: float | None = None) -> _TriedCase:
        """Tries a case. The expected answer is computed after the call, so that the submitted code cannot find it."""
        check = self.check
        outcome = Outcome(None, _UNTRIED)
        if time.monotonic() < check.ends:
            outcome = self.runner.call(check.arguments(case), self.settings.time_limit if limit is None else limit)
        try:
            self.reporter.add(1)
        except Exception as error:
            raise _CallbackError(error) from None
        if outcome.changed:
            self.notes[check.CHANGED] = None
        expected = check.expect(case)
        if outcome.trouble is not None:
            return _TriedCase(case, expected, outcome, outcome.trouble)
        try:
            check.compare(case, expected, outcome.value)
        except Wrong as wrong:
            return _TriedCase(case, expected, outcome, str(wrong), wrong.where, wrong.hint)
        except UnreadableAnswer as error:
            return _TriedCase(case, expected, Outcome(None, str(error)), str(error))
        except Exception:  # not a value that `invoke` returns: the submitted code wrote to the pipe itself
            words = "sent something that is not an answer"
            return _TriedCase(case, expected, Outcome(None, words), words)
        return _TriedCase(case, expected, outcome, None)

    def record(self, part_state: _PartState, case: Any) -> None:
        """Tries a case and records it.

        If too many calls timed out or ended their process, or if a call cannot be stopped, counts the case as untried
        instead.
        """
        if self.stuck or self.late >= _MAX_LATE or self.ended >= _MAX_ENDED:
            part_state.untried += 1
            return
        found = self.attempt(case)
        part_state.tried.append(found)
        if found.reason is None:
            self.slowest = max(self.slowest, found.outcome.seconds)
        self.late += found.outcome.timed_out
        self.ended += found.outcome.ended
        self.stuck = found.outcome.stuck

    def shrink(self, part_state: _PartState, seconds: float) -> None:
        """Looks for smaller wrong cases of a strategy, and keeps every wrong case that it tries."""
        from hypothesis import Phase, Verbosity, given, settings
        from hypothesis.errors import HypothesisException

        ends = time.monotonic() + seconds
        # A short limit keeps the search fast; the smallest case is tried again with the full limit.
        limit = min(self.settings.time_limit, max(20 * self.slowest, 0.15))
        late = [0]

        @settings(_search_settings(300), phases=[Phase.generate, Phase.shrink], verbosity=Verbosity.quiet)
        @given(part_state.strategy)
        def run(case: Any) -> None:
            if self.over or late[0] > _MAX_LATE_SHRUNK or time.monotonic() > ends:
                raise _SearchEnded
            found = self.attempt(case, limit)
            self.stuck = found.outcome.stuck
            late[0] += found.outcome.timed_out or found.outcome.ended
            if found.reason is not None:
                part_state.shrunk.append(found)
                raise _FoundWrong

        with contextlib.suppress(_SearchEnded, _FoundWrong, HypothesisException):
            run()


def _search_settings(count: int) -> Any:
    from hypothesis import HealthCheck, settings

    return settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


def _explore(source: Any, count: int, seed: int | None, see: Callable[[Any], None]) -> None:
    """Passes up to ``count`` cases of ``source`` to ``see``: the same cases whenever code and seed are the same.

    Hypothesis draws some numbers from the constants in loaded local modules, including the module of the submitted
    code. Numbers that occur in the code are therefore more likely to be tried, but the cases of two submissions may
    differ slightly.
    """
    import hypothesis
    from hypothesis import Phase, given, settings

    @settings(_search_settings(count), phases=[Phase.generate])
    @given(source)
    def run(case: Any) -> None:
        see(case)

    (run if seed is None else hypothesis.seed(seed)(run))()


def judge(check: Check, submission: Any, options: Options, *, shrinking: float | None = None) -> Report:
    """Tries the cases of a check, searches for the smallest wrong case of each part, and returns the report.

    * ``check``: the check to run.
    * ``submission``: the submitted code; ``TypeError`` if the check does not accept it.
    * ``options``: the options that the caller of the check gave; ``TypeError`` or ``ValueError`` for a wrong one.
    * ``shrinking``: the time limit in seconds, per part, of the search for a smaller wrong case; ``None``, the default,
      for 5.
    """
    if not check.accepts(submission):
        raise wrong_type(check.ARGUMENT, check.ACCEPTED, submission)
    for name in options:
        if name not in Options.__annotations__:
            raise TypeError(f"{check.NAME}() got an unexpected keyword argument {name!r}")
    parts = list(check.parts(strategies()))
    settings = Settings(**options).validated([name for name, _ in parts])
    runner = check.runner(submission)(check.invoke, submission, settings.memory_limit)
    try:
        return _report(_Trial(check, runner, settings, _SHRINKING if shrinking is None else shrinking), parts)
    except _CallbackError as ended:
        raise ended.error from None
    finally:
        runner.close()


def _report(trial: _Trial, parts: Sequence[tuple[str, Source]]) -> Report:
    check = trial.check
    part_states = []
    listed: list[tuple[Any, int, Any]] = []
    exhaustive = []
    for name, source in parts:
        part_state = _PartState(name)
        part_states.append(part_state)
        if isinstance(source, tuple):
            part_state.strategy, part_state.count = source
        else:
            listed += [(check.size(case), len(part_states) - 1, case) for case in source]
            if isinstance(source, AllCases):
                exhaustive.append(part_state)
    # Cases are tried from small to large across all parts, so that the first calls that do not finish are small.
    for _, at, case in sorted(listed, key=lambda each: each[:2]):
        trial.record(part_states[at], case)
    for part_state in part_states:
        if part_state.strategy is not None:
            see = lambda case, part_state=part_state: trial.record(part_state, case)  # noqa: E731
            _explore(part_state.strategy, part_state.count, trial.settings.seed, see)
    known = any(part_state.wrong for part_state in exhaustive)
    smallest = min((_smallest(check, each) for each in part_states if each.strategy is None), default=math.inf)
    for part_state in part_states:
        if part_state.wrong and part_state.strategy is not None and not trial.over:
            hopeless = _FAR_SMALLER * smallest <= _smallest(check, part_state)
            trial.shrink(part_state, _SHORT if known or hopeless else trial.shrinking)
            known = True
    counted = [_part(trial, part_state) for part_state in part_states]
    hint_of = _hints(check, part_states)
    common = _common(part_states, hint_of)
    failures = [_failure(trial, part_state, common, hint_of) for part_state in part_states if part_state.wrong]
    failures.sort(key=lambda both: both[0])
    notes, untried = list(trial.notes), any(part_state.untried for part_state in part_states)
    if trial.stuck:
        notes.append("a call is still running and takes time from all others; restart the interpreter or kernel")
    elif trial.late >= _MAX_LATE and untried:
        notes.append(f"after {_MAX_LATE} calls that did not finish, the other cases were not tried and count as wrong")
    if trial.ended >= _MAX_ENDED and untried:
        notes.append(
            f"after {_MAX_ENDED} calls that ended their process, the other cases were not tried and count as wrong"
        )
    if trial.runner.note:
        notes.append(trial.runner.note)
    return Report(check.NAME, tuple(counted), tuple(failure for _, failure in failures), tuple(notes))


def _smallest(check: Check, part_state: _PartState) -> float:
    """Returns the first number of the size of the smallest wrong case of a part; infinity if there is none."""
    return min((check.size(each.case)[0] for each in part_state.wrong), default=math.inf)


def _part(trial: _Trial, part_state: _PartState) -> Part:
    """Returns a part with the number of right answers and the share that the best of ``constants`` gets right."""
    check = trial.check
    sample = part_state.tried[:_MAX_CONSTANT]
    most = 0
    for constant in check.constants():
        right = 0
        for each in sample:
            with contextlib.suppress(Exception):
                check.compare(each.case, each.expected, constant(each.case, each.expected))
                right += 1
        most = max(most, right)
    total = len(part_state.tried) + part_state.untried
    share = most / len(sample) if sample else 0.0
    weight = float((trial.settings.weights or {}).get(part_state.name, 1))
    return Part(part_state.name, len(part_state.tried) - len(part_state.wrong), total, share, weight)


def _rows(tried: Iterable[_TriedCase]) -> list[tuple[Any, Any, Any]]:
    return [(each.case, each.expected, each.outcome.value) for each in tried]


def _hints(check: Check, part_states: Sequence[_PartState]) -> Callable[[Sequence[_TriedCase]], str]:
    """Returns a function from some wrong answers to the hint of a mistake that explains them, empty if there is none.

    A part of the check may hold only cases that two mistakes answer in the same way, so a hint must agree with the
    answers of all parts. If each case has exactly one right answer, a known mistake need not explain all wrong answers
    of other parts: there may be a second one.
    """
    known = check.mistakes()
    right = _rows(each for part_state in part_states for each in part_state.tried if each.reason is None)
    others = _rows(each for part_state in part_states for each in part_state.wrong if each.outcome.trouble is None)
    return lambda wrong: of_answers(known, _rows(wrong), right, others, exact=check.EXACT)


def _common(part_states: Sequence[_PartState], hint_of: Callable[[Sequence[_TriedCase]], str]) -> str:
    """Returns the hint of a mistake that explains the wrong answers of every part; empty if there is none."""
    wrong = [each for part_state in part_states for each in part_state.wrong]
    if not wrong or any(each.outcome.trouble is not None for each in wrong):
        return ""
    return hint_of(wrong)


def _failure(
    trial: _Trial, part_state: _PartState, common: str, hint_of: Callable[[Sequence[_TriedCase]], str]
) -> tuple[Any, Failure]:
    """Returns the size and the failure of a part's smallest wrong case that is wrong again when it is retried.

    If no retried case is wrong again, or none can be retried, the failure is that of the smallest wrong case. A case
    that was not tried counts only if the part has no other wrong case.
    """
    check = trial.check
    cases = part_state.wrong + part_state.shrunk
    cases.sort(key=lambda each: (each.reason == _UNTRIED, check.size(each.case)))
    found = cases[0]
    again: _TriedCase | None = None
    hint = ""
    for each in cases[:20]:
        if not trial.over:
            trial.runner.renew()  # may use up the time
        if trial.over:
            break
        again = trial.attempt(each.case)
        if again.reason is not None:
            found = again
            break
    if again is not None and again.reason is None:
        twice = trial.attempt(found.case)
        hint = "something is kept from call to call: a global, an attribute of the class, or a default argument"
        reason = f"was wrong after other calls and right when called first: {found.reason}"
        if twice.reason is None and found.outcome.timed_out:
            reason, hint = "takes about as long as the time limit", ""
    else:
        reason = found.reason or ""
        if found.outcome.trouble is not None:
            hint = of_trouble(found.outcome.trouble)
        else:
            wrong = [each for each in part_state.wrong if each.outcome.trouble is None]
            hint = common or hint_of([*wrong, found]) or found.hint
    case, got = found.case, found.outcome.value if found.outcome.trouble is None else None
    name = trial.runner.name
    try:
        panels = check.panels(case, found.expected, got, found.where)
    except Exception:  # the answer is not a value that `invoke` returns
        panels = check.panels(case, found.expected, None, None)
    failure = Failure(
        part_state.name,
        check.plain(case),
        check.call(name, case, found.where),
        reason,
        hint,
        found.outcome.printed,
        panels,
    )
    return check.size(case), failure
