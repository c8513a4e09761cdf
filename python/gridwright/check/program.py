"""Checks what programs in any language print in response to typed text, and runs them with limits."""

from __future__ import annotations

import builtins
import contextlib
import importlib
import io
import itertools
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..words import readable
from .guard import CRASH_SIGNALS, Outcome, UnreadableAnswer, put_back
from .judge import Check, Source, WrongWithHint
from .panels import Board, Panel
from .read import excerpt, printed_lines

__all__ = ["CommandRunner", "Console", "Program", "is_command"]


def is_command(submission: Any) -> bool:
    """Returns whether a submission is a command: a list or tuple of words, at least one.

    * ``submission``: what was handed in.

    >>> is_command(["python", "a.py"]), is_command("python a.py")
    (True, False)
    """
    return (
        isinstance(submission, list | tuple)
        and bool(submission)
        and all(isinstance(word, str | os.PathLike) for word in submission)
    )


_MAX_PRINTED = 1 << 20
"""The maximum number of bytes or characters of printed text that are read."""


class ProgramTimeout(Exception):
    """Raised if a program does not end in time."""


class Program:
    """A command with limits on time and memory; ``run`` types into it and returns what it printed.

    * ``words``: the command and its arguments.
    * ``memory``: MiB that the program may use.
    """

    def __init__(self, words: Sequence[str | os.PathLike[str]], memory: int) -> None:
        self._words = [os.fspath(word) for word in words]
        self._memory = memory
        self.seconds = 2.0

    def _limit(self) -> None:
        import resource

        # Printed text goes to a file, which may grow to 64 MiB.
        for number, most in ((resource.RLIMIT_AS, self._memory << 20), (resource.RLIMIT_FSIZE, 1 << 26)):
            hard = resource.getrlimit(number)[1]
            least = most if hard == resource.RLIM_INFINITY else min(most, hard)
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(number, (least, least))

    def run(self, arguments: Iterable[str], typed: str) -> str:
        """Runs the program once and returns what it printed.

        Raises ``UnreadableAnswer`` if the program cannot be started or is ended by a signal, and ``ProgramTimeout`` if
        it runs for too long.

        * ``arguments``: further arguments of the command.
        * ``typed``: the text that is typed into the program.
        """
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as keys:
            keys.write(typed.encode(errors="surrogatepass"))
            keys.seek(0)
            more: dict[str, Any] = {"preexec_fn": self._limit, "start_new_session": True} if os.name == "posix" else {}
            try:
                child = subprocess.Popen(
                    [*self._words, *arguments], stdin=keys, stdout=out, stderr=subprocess.DEVNULL, **more
                )
            except (OSError, ValueError, subprocess.SubprocessError) as error:
                raise UnreadableAnswer(f"cannot be started: {readable(error, 200)}") from None
            try:
                status = child.wait(self.seconds)
            except subprocess.TimeoutExpired:
                raise ProgramTimeout from None
            finally:
                # The whole process group is killed, so that what the program started ends too.
                if os.name == "posix":
                    with contextlib.suppress(OSError):
                        os.killpg(child.pid, signal.SIGKILL)
                child.kill()
                child.wait()
            if status < 0:
                crash = " (a crash)" if -status in CRASH_SIGNALS else ""
                raise UnreadableAnswer(f"was ended by signal {-status}{crash}")
            out.seek(0)
            return readable(out.read(_MAX_PRINTED).decode("utf-8", "replace"), _MAX_PRINTED)


@contextlib.contextmanager
def typing(text: str) -> Iterator[None]:
    """Makes ``input`` read the given text, even in a notebook, whose own ``input`` asks the browser."""

    def ask(prompt: object = "") -> str:
        print(prompt, end="")
        line = sys.stdin.readline()
        if not line:
            raise EOFError("EOF when reading a line")
        return line.removesuffix("\n")

    kept = sys.stdin, builtins.input
    sys.stdin, builtins.input = io.StringIO(text), ask
    try:
        yield
    finally:
        sys.stdin, builtins.input = kept


class CommandRunner:
    """Runs a command for each case, within the limits that the system enforces.

    * ``invoke``: the method of the check that runs a case.
    * ``submission``: the command, a list or tuple of words.
    * ``memory``: MiB that the program may use.
    """

    note: str | None = None
    form: int | None = None

    def __init__(self, invoke: Any, submission: Any, memory: int) -> None:
        self._invoke, self._program = invoke, Program(submission, memory)
        self.name = os.path.basename(os.fspath(submission[-1])) or "program"

    def call(self, arguments: Any, seconds: float) -> Outcome:
        """Runs one case and returns its outcome.

        * ``arguments``: the case.
        * ``seconds``: the time limit in seconds.
        """
        self._program.seconds = seconds
        started = time.monotonic()
        try:
            return Outcome(self._invoke(self._program, arguments), seconds=time.monotonic() - started)
        except ProgramTimeout:
            return Outcome(None, f"did not finish within {seconds:g} s", True)
        except UnreadableAnswer as error:
            return Outcome(None, str(error))

    def renew(self) -> None:
        """Does nothing: each case has a process of its own."""

    def close(self) -> None:
        """Does nothing: nothing is open."""


_PROMPTS = (
    "Welcome to GeeseSpotter!",
    "Please enter the x dimension (max 60):",
    "Please enter the y dimension (max 20):",
    "Please enter the number of geese:",
    "Please enter the action ([S]how; [M]ark; [R]estart; [Q]uit):",
    "Please enter the x location:",
    "Please enter the y location:",
)


def _typed(*words: object) -> str:
    return "\n".join(map(str, words)) + "\n"


class Console(Check):
    """Checks what an interactive program prints in response to typed text.

    * ``dialogues``: pairs of what is typed and what must be printed; ``None`` for those of GeeseSpotter.
    """

    NAME = "console"
    ARGUMENT = "program"
    ACCEPTED = "a function or a command"

    def __init__(self, dialogues: Sequence[tuple[str, str]] | None) -> None:
        self._dialogues = None if dialogues is None else dict(dialogues)

    def accepts(self, submission: Any) -> bool:
        return callable(submission) or is_command(submission)

    def runner(self, submission: Any) -> Any:
        return CommandRunner if is_command(submission) else super().runner(submission)

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        if self._dialogues is not None:
            yield "dialogues", list(self._dialogues)
            return
        yield "setting up", [_typed(x, y, n, "Q") for x, y, n in ((1, 1, 0), (3, 2, 0), (2, 3, 1), (5, 5, 2))]
        yield (
            "showing",
            [
                _typed(5, 5, 0, "S", 0, 0, "Q"),
                _typed(5, 5, 0, "S", 4, 0, "S", 1, 4, "Q"),
                _typed(6, 3, 0, "S", 1, 1, "S", 0, 0, "Q"),
            ],
        )
        yield (
            "marking",
            [
                _typed(4, 2, 3, "M", 1, 0, "Q"),
                _typed(4, 2, 3, "M", 3, 1, "M", 3, 1, "Q"),
                _typed(5, 5, 0, "M", 0, 0, "S", 0, 0, "Q"),
                _typed(5, 5, 0, "M", 1, 1, "S", 0, 0, "Q"),
            ],
        )
        yield "a goose", [_typed(2, 2, 4, "S", 0, 0, 1, 1, 0, "Q"), _typed(3, 1, 3, "S", 2, 0, 2, 1, 0, "Q")]
        yield "a win", [_typed(3, 3, 0, "S", 1, 1, 1, 2, 0, "Q"), _typed(1, 1, 0, "S", 0, 0, 3, 1, 0, "Q")]
        yield "a restart", [_typed(2, 2, 0, "R", 3, 1, 0, "Q"), _typed(5, 5, 0, "S", 0, 0, "R", 1, 1, 0, "Q")]

    def invoke(self, submission: Any, arguments: Any) -> Any:
        if isinstance(submission, Program):
            return submission.run([], arguments)
        page = io.StringIO()
        with typing(arguments), contextlib.redirect_stdout(page), contextlib.suppress(SystemExit, EOFError):
            submission()
        return page.getvalue()[:_MAX_PRINTED]

    def expect(self, case: Any) -> Any:
        if self._dialogues is not None:
            # What the program prints passes through `readable`, so the expected text must too: otherwise, characters
            # that `readable` replaces would differ.
            return tuple(printed_lines(readable(self._dialogues[case], _MAX_PRINTED)))
        main = importlib.import_module("gridwright.geese_console").main
        page = io.StringIO()
        with put_back(), typing(case):
            sys.stdout = page
            main(0)
        return tuple(self._prompts_and_rows(page.getvalue()))

    @staticmethod
    def _prompts_and_rows(text: str) -> list[str]:
        """Returns the prompts and board rows of the source document in order, without the program's own sentences."""
        found: list[str] = []
        for line in text.split("\n"):
            rest = line.strip()
            while rest:
                prompt = next((prompt for prompt in _PROMPTS if rest.startswith(prompt)), None)
                if prompt is None:
                    break
                found.append(prompt)
                rest = rest[len(prompt) :].strip()
            # Text that follows a prompt and is longer than the widest board is not a row of a board.
            if rest and set(rest) <= set("*M0123456789") and not (rest != line.strip() and len(rest) > 60):
                found.append(rest)
        return found

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        have = printed_lines(got) if self._dialogues is not None else self._prompts_and_rows(got)
        # If the caller gave no dialogues, the program's own sentences do not count.
        unit = "line" if self._dialogues is not None else "prompt or board row"
        for at, (one, other) in enumerate(itertools.zip_longest(expected, have)):
            if one != other:
                found = "nothing" if other is None else excerpt(other, one or "")
                want = "nothing more" if one is None else excerpt(one, other or "")
                raise WrongWithHint(
                    f"{unit} {at + 1}: got {found}, expected {want}", self._why(one, other, expected, have), at
                )

    @staticmethod
    def _why(one: str | None, other: str | None, expected: Any, have: Any) -> str:
        if not have:
            return "nothing is printed, or what is printed is not flushed"
        if one is None:
            return "the program keeps printing after the end of the dialogue"
        if other is None:
            return "the program ends before the dialogue does"
        if one.lower().replace(" ", "") == other.lower().replace(" ", ""):
            return "only spaces or capital letters differ"
        if len(have) < len(expected) and other in expected:
            return "a line is left out"
        return ""

    def size(self, case: Any) -> Any:
        return len(case.split()), len(case), case

    def spell(self, name: str, case: Any) -> str:
        return f"{name}, with {' '.join(case.split())!r} typed"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        panels: list[Panel] = []
        shown = (
            None if got is None else printed_lines(got) if self._dialogues is not None else self._prompts_and_rows(got)
        )
        for title, lines in (("expected", expected), ("got", shown)):
            if lines is not None:
                first = max(0, (where or 0) - 6)
                rows = [[line[:70]] for line in lines[first : first + 14]] or [[" "]]
                mark = (
                    (where - first, 0) if title == "got" and where is not None and where - first < len(rows) else None
                )
                panels.append(Lines(title, rows, first=mark))
        return tuple(panels)


class Lines(Board):
    """Lines of text as a panel of a report, each line as one wide cell."""

    def size(self) -> tuple[float, float]:
        """Returns the width and height in pixels."""
        wide = max(len(row[0]) for row in self.cells)
        return max(7.4 * wide + 12, 7.5 * len(self.title)), 22 + 19.0 * len(self.cells)

    def draw(self, out: Any, x: float, y: float) -> None:
        """Draws the lines.

        * ``out``: the picture to draw on.
        * ``x``: the left edge in pixels.
        * ``y``: the upper edge in pixels.
        """
        theme = out.theme
        out.text(x, y + 11, self.title, size=13, fill=theme.muted, text_anchor="start")
        for at, row in enumerate(self.cells):
            fill = theme.red if self.first == (at, 0) else theme.ink
            style = {"size": 12, "font_family": "DejaVu Sans Mono, monospace"}
            out.text(x, y + 32 + 19 * at, row[0], fill=fill, text_anchor="start", **style)
