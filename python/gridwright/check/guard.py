"""Calls a person's code so that it can neither hang, print, change nor end anything of ours."""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import io
import linecache
import sys
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Odd", "Outcome", "call", "parameters"]

_KEPT = 2000
_HERE = __file__.rpartition("guard")[0]


class Odd(Exception):
    """An answer that cannot be read; its sentence says what was found and what was expected."""


class _TimeUp(BaseException):
    """Raised inside code that takes too long. No ``Exception``, so that few programs catch it."""


@dataclass(frozen=True)
class Outcome:
    """What came of a call: an answer, or a sentence about why there is none."""

    value: Any = None
    trouble: str | None = None
    timed_out: bool = False
    stuck: bool = False
    """Whether the code is still running and cannot be stopped."""
    printed: str = ""
    seconds: float = 0.0


class _Tail(io.TextIOBase):
    """Keeps the end of what is printed, however much it is."""

    def __init__(self) -> None:
        self.text = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text = (self.text + text)[-_KEPT:]
        return len(text)


def parameters(function: Callable[..., Any], default: int) -> int:
    """Counts the arguments that a function must be given; ``default`` where that cannot be told.

    >>> parameters(lambda board, x, y=0: None, 1)
    2
    """
    try:
        named = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return default
    if any(each.kind is each.VAR_POSITIONAL for each in named):
        return default
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.default is each.empty and each.kind in places for each in named)


def _told(error: BaseException) -> str:
    """Returns what was raised, and in which line of the person's code."""
    sentence = f"raised {type(error).__name__}" + (f": {error}" if str(error) else "")
    at = None
    here = error.__traceback__
    while here is not None:  # by hand: the frames of an endless recursion are many
        if not here.tb_frame.f_code.co_filename.startswith(_HERE):
            at = here
        here = here.tb_next
    if at is None:
        return sentence
    line = linecache.getline(at.tb_frame.f_code.co_filename, at.tb_lineno).strip()
    return f"{sentence} (line {at.tb_lineno}" + (f": {line}" if line else "") + ")"


def _ignore_depth(argument: Any) -> None:
    """Drops what a collection of garbage at the bottom of an endless recursion complains of; passes on all else."""
    if argument.exc_type is not RecursionError:
        sys.__unraisablehook__(argument)


def _stop(thread: threading.Thread, done: threading.Event) -> bool:
    """Raises in a thread until it ends; says whether it did. Code inside one long call of C cannot be ended so."""
    ends = time.monotonic() + 1.0
    while not done.is_set() and time.monotonic() < ends:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_TimeUp))
        done.wait(0.02)
    return done.is_set()


class _Run:
    """Runs a person's code once and keeps its answer, or a sentence about why there is none."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.value: Any = None
        self.trouble: str | None = None
        # Waited for in place of the thread: Python 3.11 and earlier count a thread as ended once Ctrl-C interrupts a
        # wait for it.
        self.done = threading.Event()

    def __call__(self) -> None:
        try:
            self.value = self.work()
        except _TimeUp:
            pass
        except Odd as odd:
            self.trouble = str(odd)
        except BaseException as error:  # exit() too
            self.trouble = _told(error)
        finally:
            self.done.set()


def _in_thread(run: _Run, seconds: float) -> tuple[bool, bool]:
    """Runs code in a thread of its own; returns whether it was late and whether it could not be stopped.

    Raises ``RuntimeError`` if the system starts no threads.
    """
    started = time.monotonic()
    thread = threading.Thread(target=run, name="gridwright.check", daemon=True)
    thread.start()
    try:
        # In short pieces: some systems answer Ctrl-C between waits only.
        while not run.done.is_set() and (left := started + seconds - time.monotonic()) > 0:
            run.done.wait(min(left, 0.05))
    except BaseException:  # Ctrl-C stops the person's code as well
        _stop(thread, run.done)
        raise
    late = not run.done.is_set()
    return late, late and not _stop(thread, run.done)


def _in_place(run: _Run, seconds: float) -> tuple[bool, bool]:
    """Runs code in the current thread, watched from within; returns whether it was late, and ``False``.

    Code that never ends passes a backward jump, the start of a function or the resumption of a generator again and
    again. Python calls ``watch`` at each of these, and from the deadline on each of them raises: a loop that catches
    everything is left too, because its jump back lies outside of its ``try``. Only a single call of C code that never
    ends cannot be left.
    """
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]  # Python 3.12 and later
    events = monitoring.events
    kinds = (events.JUMP, events.PY_START, events.PY_RESUME)
    tool = next(number for number in (3, 4, 2, 1, 0) if monitoring.get_tool(number) is None)
    ends = time.monotonic() + seconds
    late, armed = False, True

    def watch(*_: Any) -> None:
        nonlocal late
        if armed and time.monotonic() > ends:
            late = True
            raise _TimeUp

    monitoring.use_tool_id(tool, "gridwright.check")
    try:
        for kind in kinds:
            monitoring.register_callback(tool, kind, watch)
        monitoring.set_events(tool, events.JUMP | events.PY_START | events.PY_RESUME)
        # Disarmed at once: the jumps and calls of this function are watched as well.
        try:
            run()
            armed = False
        except _TimeUp:  # raised where `run` itself begins or ends
            armed = False
    finally:
        armed = False
        monitoring.set_events(tool, 0)
        for kind in kinds:
            monitoring.register_callback(tool, kind, None)
        monitoring.free_tool_id(tool)
    return late or time.monotonic() > ends, False


def call(work: Callable[[], Any], seconds: float) -> Outcome:
    """Calls ``work``, which runs a person's code, within a limit of ``seconds``; what it prints is kept back.

    The code runs in a thread of its own: that works in every thread of a notebook or a test and on every system, where
    alarms do not. Code that does not end in time is stopped by an exception raised inside it; code that cannot be
    stopped so is left behind, and ``stuck`` says so.

    Where no thread can be started, as in a browser's Python, the code runs in the current thread and is stopped from
    within. An endless loop or recursion ends there as well; a single call of C code that never ends, such as
    ``sum(itertools.count())``, does not, and the kernel has to be restarted.

    >>> call(lambda: 6 * 7, 1.0).value
    42
    >>> call(lambda: [][1], 1.0).trouble[:45]
    'raised IndexError: list index out of range (l'
    """
    run = _Run(work)
    tail = _Tail()
    started = time.monotonic()
    hook = sys.unraisablehook
    with warnings.catch_warnings(), contextlib.redirect_stdout(tail):
        warnings.simplefilter("ignore")
        sys.unraisablehook = _ignore_depth
        try:
            try:
                late, stuck = _in_thread(run, seconds)
            except RuntimeError:
                if not hasattr(sys, "monitoring"):
                    raise
                late, stuck = _in_place(run, seconds)
        finally:
            sys.unraisablehook = hook
    spent = time.monotonic() - started
    if late:
        sentence = f"did not finish within {seconds:g} s" + (" and could not be stopped" if stuck else "")
        return Outcome(None, sentence, True, stuck, tail.text, spent)
    return Outcome(run.value, run.trouble, False, False, tail.text, spent)
