"""Runs submitted code in this process, and restores what the code changes, such as streams and environment."""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import io
import linecache
import os
import random
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..words import readable

__all__ = [
    "CRASH_SIGNALS",
    "GRADERS",
    "IN_BROWSER",
    "Outcome",
    "UnreadableAnswer",
    "call",
    "describe_exception",
    "parameters",
    "printed_by",
    "put_back",
]

_KEPT = 2000
"""The number of characters kept from the end of printed text, by default."""
GRADERS = [__file__.rpartition("check")[0]]
"""The folder of gridwright, and the files of graders that add themselves: their frames are not submitted code."""
IN_BROWSER = sys.platform in ("emscripten", "wasi")
"""Whether this Python runs in WebAssembly, as in a browser, and so can start neither threads nor processes."""
CRASH_SIGNALS = frozenset(getattr(signal, f"SIG{name}", None) for name in ("ABRT", "BUS", "FPE", "ILL", "SEGV"))
"""The signals by which a system ends a program that crashes; their numbers differ between systems."""
_ONE_AT_A_TIME = threading.RLock()
"""Held during a call: streams, directory and random states belong to the process, so parallel calls would conflict."""


class UnreadableAnswer(Exception):
    """Raised if there is no answer, or none that can be read; the message says why."""


class _TimeLimit(BaseException):
    """Raised inside code that takes too long; not an ``Exception``, so that ``except Exception`` does not catch it."""


@dataclass(frozen=True)
class Outcome:
    """The result of a call: an answer, or the reason why there is none."""

    value: Any = None
    """The answer; ``None`` if there is none."""
    trouble: str | None = None
    """Why there is no answer, such as ``did not finish within 2 s``; ``None`` if there is an answer."""
    timed_out: bool = False
    """Whether the time ran out."""
    stuck: bool = False
    """Whether the code is still running and cannot be stopped."""
    printed: str = ""
    """The end of what the code printed."""
    seconds: float = 0.0
    """The seconds that the call took; may be 0 if there is no answer."""
    ended: bool = False
    """Whether the process of the code ended or was replaced for a reason other than the time limit."""
    changed: bool = False
    """Whether the code changed what it was given."""


class _Tail(io.TextIOBase):
    """Keeps the end of printed text, however long the text is."""

    def __init__(self, kept: int) -> None:
        self.text, self._kept = "", kept

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text = (self.text + text)[-self._kept :]
        return len(text)


def printed_by(kept: int = _KEPT) -> _Tail:
    """Returns a stream that keeps the last characters written to it.

    * ``kept``: the number of characters kept, at least 1; 2000 by default.
    """
    return _Tail(kept)


def parameters(function: Callable[..., Any]) -> int | None:
    """Returns the number of positional arguments that a function requires.

    Returns ``None`` if the function takes any number of them, or has no signature that can be read.

    * ``function``: a function or class.

    >>> parameters(lambda board, x, y=0: None)
    2
    """
    how: dict[str, Any] = {}
    if sys.version_info >= (3, 14):
        import annotationlib

        # From Python 3.14 on, annotations are evaluated on demand, and may name what does not exist.
        how["annotation_format"] = annotationlib.Format.STRING
    try:
        named = inspect.signature(function, **how).parameters.values()
    except Exception:  # an object may define a signature that raises anything
        return None
    if any(each.kind is each.VAR_POSITIONAL for each in named):
        return None
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.default is each.empty and each.kind in places for each in named)


def describe_exception(error: BaseException) -> str:
    """Returns a sentence about what was raised, and on which line of the submitted code.

    * ``error``: the exception.
    """
    try:
        words = readable(error, 500)
    except BaseException as worse:  # an exception whose own text raises
        words = f"its text cannot be read: {type(worse).__name__}"
    sentence = f"raised {readable(type(error).__name__, 100)}" + (f": {words}" if words else "")
    at, file = None, ""
    here = error.__traceback__
    while here is not None:  # `traceback` would collect every frame, and an endless recursion has many
        # The first frame outside the graders belongs to the submitted code; later ones may belong to libraries.
        name = here.tb_frame.f_code.co_filename
        if not name.startswith(tuple(GRADERS)):
            file = file or name
            at = here if name == file else at
        here = here.tb_next
    if at is None:
        return sentence
    linecache.checkcache(file)  # the process may have read the file before it was edited
    line = readable(linecache.getline(file, at.tb_lineno).strip(), 200)
    return f"{sentence} (line {at.tb_lineno}" + (f": {line}" if line else "") + ")"


def _ignore_depth(argument: Any) -> None:
    """Ignores a ``RecursionError`` that garbage collection deep in a recursion reports; passes on other exceptions."""
    if argument.exc_type is not RecursionError:
        sys.__unraisablehook__(argument)


@contextlib.contextmanager
def put_back() -> Iterator[None]:
    """On exit, restores streams, directory, environment, recursion limit, unraisable hook and random states."""
    streams = sys.stdin, sys.stdout, sys.stderr
    hook, depth, environment = sys.unraisablehook, sys.getrecursionlimit(), dict(os.environ)
    try:
        folder: str | None = os.getcwd()
    except OSError:
        folder = None
    python_state, numpy_state = random.getstate(), np.random.get_state()  # noqa: NPY002 - numpy's global generator
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
        sys.unraisablehook = hook
        sys.setrecursionlimit(depth)
        for name in set(os.environ) - set(environment):
            del os.environ[name]
        for name, value in environment.items():
            if os.environ.get(name) != value:
                os.environ[name] = value
        if folder is not None:
            with contextlib.suppress(OSError):
                os.chdir(folder)
        random.setstate(python_state)
        np.random.set_state(numpy_state)  # noqa: NPY002


def _stop(thread: threading.Thread, done: threading.Event) -> bool:
    """Raises an exception in a thread repeatedly until the thread ends or a second passes; returns whether it ended.

    Code inside one long C call cannot be ended in this way.
    """
    ends = time.monotonic() + 1.0
    while not done.is_set() and time.monotonic() < ends:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_TimeLimit))
        done.wait(0.02)
    return done.is_set()


class _Run:
    """Runs submitted code once and keeps its answer, or a sentence about why there is none."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.value: Any = None
        self.trouble: str | None = None
        # Callers wait for this event, not for the thread: Python 3.12 and earlier count a thread as ended once Ctrl-C
        # interrupts a wait for it.
        self.done = threading.Event()

    def __call__(self) -> None:
        try:
            self.value = self.work()
        except _TimeLimit:
            pass
        except UnreadableAnswer as error:
            self.trouble = readable(error)
        except BaseException as error:  # exit() too
            self.trouble = describe_exception(error)
        finally:
            self.done.set()


def _in_thread(run: _Run, seconds: float) -> tuple[bool, bool]:
    """Runs code in a thread of its own; returns whether it was late and whether it could not be stopped.

    Raises ``RuntimeError`` if the system cannot start threads.
    """
    started = time.monotonic()
    thread = threading.Thread(target=run, name="gridwright.check", daemon=True)
    thread.start()
    try:
        # Waits for short periods, because some systems respond to Ctrl-C only between waits.
        while not run.done.is_set() and (left := started + seconds - time.monotonic()) > 0:
            run.done.wait(min(left, 0.05))
    except BaseException:  # Ctrl-C stops the submitted code as well
        _stop(thread, run.done)
        raise
    late = not run.done.is_set()
    return late, late and not _stop(thread, run.done)


def _in_place(run: _Run, seconds: float) -> tuple[bool, bool]:
    """Runs code in the current thread; returns whether it was late, and ``False``, because it is no longer running.

    Code that never ends reaches a backward jump, the start of a function or the resumption of a generator again and
    again. Python calls ``watch`` at each of these, and after the deadline each call raises: a loop that catches
    everything ends too, because its jump back lies outside its ``try``. Only a single call of C code that never ends
    cannot be stopped.
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
            raise _TimeLimit

    monitoring.use_tool_id(tool, "gridwright.check")
    try:
        for kind in kinds:
            monitoring.register_callback(tool, kind, watch)
        monitoring.set_events(tool, events.JUMP | events.PY_START | events.PY_RESUME)
        # `watch` is disarmed as soon as the code has ended, because jumps and calls of this function trigger it too.
        try:
            run()
            armed = False
        except _TimeLimit:  # raised where `run` itself begins or ends
            armed = False
    finally:
        armed = False
        monitoring.set_events(tool, 0)
        for kind in kinds:
            monitoring.register_callback(tool, kind, None)
        monitoring.free_tool_id(tool)
    return late or time.monotonic() > ends, False


def call(work: Callable[[], Any], seconds: float) -> Outcome:
    """Runs submitted code in this process, within a time limit.

    The end of what the code prints is kept, and the state that ``put_back`` lists is restored. The code runs in a
    thread of its own: unlike a limit set with a signal, this works on Windows too, and in every thread of a notebook or
    a test. Code that does not end in time is stopped by an exception raised inside it. Code that cannot be stopped is
    left running, and ``stuck`` is ``True``.

    If no thread can be started, as in a browser's Python, the code runs in the current thread and is stopped from
    within. An endless loop or recursion is stopped too; a single call of C code that never ends, such as
    ``sum(itertools.count())``, is not, and the kernel has to be restarted. Outside a browser, running in the current
    thread requires Python 3.12; older versions raise ``RuntimeError`` if no thread can be started.

    * ``work``: a function without arguments that runs the code and returns its answer.
    * ``seconds``: the limit in seconds, more than 0.

    >>> call(lambda: 6 * 7, 1.0).value
    42
    >>> call(lambda: [][1], 1.0).trouble[:45]
    'raised IndexError: list index out of range (l'
    """
    run = _Run(work)
    tail = printed_by()
    with _ONE_AT_A_TIME, put_back(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sys.stdin, sys.stdout, sys.stderr = io.StringIO(), tail, printed_by()
        sys.unraisablehook = _ignore_depth
        started = time.monotonic()
        try:
            # Each failed attempt to start a thread leaves a thread state behind, over which later calls iterate, so in
            # a browser no attempt is made.
            late, stuck = (_in_place if IN_BROWSER else _in_thread)(run, seconds)
        except RuntimeError:
            if IN_BROWSER or not hasattr(sys, "monitoring"):
                raise
            late, stuck = _in_place(run, seconds)
    spent = time.monotonic() - started
    if late:
        sentence = f"did not finish within {seconds:g} s" + (" and could not be stopped" if stuck else "")
        return Outcome(None, sentence, True, stuck, readable(tail.text), spent)
    return Outcome(run.value, run.trouble, False, False, readable(tail.text), spent)
