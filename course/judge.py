"""Grades a notebook that was handed in, without running any of its code in the grader's process.

    python judge.py TESTS.json SUBMISSION.ipynb RESULTS.json [--student NAME] [--key FILE]

``TESTS.json`` comes from ``handout.py``. It holds what the assignment provides (imports, boards) and the checking
cells, but no solutions. The student's cells run in separate processes, started by ``gridwright.check``. For each name
that these cells define, the checking cells get a stand-in: a function or class that calls the student's function or
class in such a process, or a value made of plain numbers, strings and lists. A cell that ends its process, never ends,
replaces a check or prints points therefore affects only the questions that depend on this cell.

The student's code may read the files of Python and its packages, and its own temporary files, but neither the file of
the tests nor other submissions. While a check calls it, hostile code can find the compiled code of that checking cell
in its memory, but not the source of the cell, other cells, the expected answers or the secret of the course.
"""

import argparse
import ast
import builtins
import contextlib
import html
import inspect
import io
import json
import linecache
import math
import os
import pickle
import random
import re
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

import gridwright as gw
import numpy as np
from gridwright.check import Report
from gridwright.check.guard import GRADERS, UnreadableAnswer, describe_exception, parameters
from gridwright.check.judge import Check
from gridwright.check.worker import Isolated, can_fork
from gridwright.words import readable

LOADING = 10.0
"""The time limit of a cell, in seconds."""
QUICK = 0.3
"""A cell that runs for at least this many seconds is shortened, because every process of a check runs it again.

In such a cell, a statement is slow if it runs for a tenth of this time or longer."""
CALLING = 5.0
"""The time limit of a call from a checking cell, in seconds."""
SETTLING = 240.0
"""The time limit of all cells together when they first run, in seconds."""
GRADING = 720.0
"""The time limit of a submission, in seconds; the grading tools allow 900."""
RESERVE = 25.0
"""The part of that time that is kept for each later question, in seconds."""
MOST_COMMANDS = 100
"""The maximum number of notebook commands in a cell; further ones are errors."""
COMMAND = re.compile(r"^(\s*)([%!?].*|%{0,2}[\w.*\[\]-]+\?\??\s*)$")
"""A line that is a notebook command: its indentation, and the command."""
TIMED = re.compile(r"^(\s*)%time\s+([\w\s,.*\[\]]+=[^=].*)$")
"""A line that times an assignment: its indentation, and the assignment."""
RESULT = re.compile(r"^([^=]*[\w\])]\s*=\s*)([%!]).*$")
"""A line that assigns the result of a notebook command: the part before the command, and its first character."""
LONGEST = 10_000
"""The maximum number of characters of the text that a checking cell prints, which may quote a long answer."""
MEMORY = 1024
"""The memory that the student's code may use in addition to Python and the package, in MiB."""

UNWATCHED = frozenset({"_curses", "_dbm", "_gdbm", "_tkinter", "readline"})
"""Modules that open files without raising an event for Python's audit hooks."""

GRADERS.extend((__file__, "<setup>", "<check>"))


class NoAnswer(Exception):
    """Raised if the student's code returns no usable answer; the message is for the student."""


@dataclass
class Result:
    """The result of one question: ``points`` out of ``most``."""

    name: str
    most: float
    points: float = 0.0
    shown: list[dict[str, str]] = field(default_factory=list)
    """What the check displayed, as MIME bundles."""

    @property
    def text(self) -> str:
        """The feedback as text."""
        return "\n\n".join(each["text/plain"] for each in self.shown)

    @property
    def html(self) -> str:
        """The feedback as HTML, with its pictures."""
        return "\n".join(
            each.get("text/html") or f"<pre>{html.escape(each['text/plain'])}</pre>" for each in self.shown
        )


# The student's cells.


@dataclass
class Cell:
    """A cell that a student wrote."""

    file: str
    source: str
    trouble: str = ""

    def run(self, names: dict[str, Any]) -> None:
        """Runs the cell in this process; raises what the cell raises."""
        exec(compile(self.source, self.file, "exec"), names)


def without_magic(source: str) -> str:
    """Returns a cell in which notebook commands do nothing but assign values to variables.

    A line that begins with ``%``, ``!`` or ``?``, and a name with ``?`` at its end, become ``pass``. ``x = !command``
    assigns an empty list, ``x = %command`` assigns ``None``, and ``%time x = f()`` becomes the assignment. Python
    accepts such a line inside brackets and strings, so only lines at which it reports an error are commands.
    """
    lines = source.split("\n")
    for _ in range(MOST_COMMANDS):
        try:
            ast.parse("\n".join(lines))
        except SyntaxError as error:
            at = (error.lineno or 0) - 1
            if 0 <= at < len(lines):
                line = lines[at]
                lines[at] = COMMAND.sub(r"\1pass", TIMED.sub(r"\1\2", line))
                lines[at] = RESULT.sub(lambda found: found[1] + ("[]" if found[2] == "!" else "None"), lines[at])
                if lines[at] != line:
                    continue
        except (ValueError, RecursionError, MemoryError):
            pass
        break
    return "\n".join(lines)


def units(source: str) -> Iterator[tuple[int, int, bool]]:
    """Yields the statements of a cell: the first line, counted from 0, the line after the last, and ``bare``.

    ``bare`` is ``True`` for a bare expression, such as a call that prints or draws. Statements that share a line are
    one unit.
    """
    found: list[tuple[int, int, bool]] = []
    for node in ast.parse(source).body:
        first = min(each.lineno for each in [node, *getattr(node, "decorator_list", [])]) - 1
        bare = isinstance(node, ast.Expr)
        if found and first < found[-1][1]:
            before = found.pop()
            first, bare = before[0], before[2] and bare
        found.append((first, node.end_lineno or node.lineno, bare))
    yield from found


class Snapshot(pickle.Pickler):
    """A value with everything that is reachable from it, as bytes that change whenever any of it changes.

    What modules hold is not included. Raises an exception if the state of the value cannot be read, as for a generator.
    """

    def __init__(self, value: Any) -> None:
        written = io.BytesIO()
        super().__init__(written, 4)
        self.dump(value)
        self.value, self.bytes = value, written.getvalue()

    def reducer_override(self, value: Any) -> Any:
        """Writes a function, a class, or a value that pickle refuses: its place in memory, and what is stored in it."""
        state: Any = None
        if value is len:
            return NotImplemented
        if isinstance(value, FunctionType):
            state = [id(value.__code__), value.__defaults__, value.__kwdefaults__, value.__closure__, vars(value)]
        elif isinstance(value, CellType):
            with contextlib.suppress(ValueError):  # an empty cell
                state = [value.cell_contents]
        elif isinstance(value, type):
            state = dict(vars(value)) if value.__module__ == "__main__" else None
        elif not isinstance(value, ModuleType):
            kind = type(value)
            try:
                found = value.__reduce_ex__(4)
            except Exception:
                if kind.__module__ == "__main__" or hasattr(kind, "__next__"):
                    raise
                found = None
            if isinstance(found, tuple):
                return found
            state = [getattr(value, name, None) for name in ("__dict__", "__wrapped__", "fget")]
        # `len` is never called, because nothing is ever read back; pickle only requires some function before the place.
        return len, (id(value),), state


def snapshots(names: Mapping[str, Any]) -> dict[str, Snapshot] | None:
    """Returns the values of all names and of the global random generators, or ``None`` if one cannot be read."""
    with contextlib.suppress(BaseException):
        generators = {"random.getstate": random.getstate, "numpy.random.get_state": np.random.get_state}
        everything = {**names, **generators}
        return {name: Snapshot(value) for name, value in everything.items() if name != "__builtins__"}
    return None


def effects(before: dict[str, Snapshot] | None, after: dict[str, Snapshot] | None) -> str | None:
    """Returns assignments, on one line, that change the names as a statement did; ``None`` if no literals can do it.

    * ``before``, ``after``: the values before and after the statement.
    """
    if before is None or after is None or before.keys() - after.keys():
        return None
    changed = {
        name: new.value
        for name, new in after.items()
        if name not in before or new.value is not before[name].value or new.bytes != before[name].bytes
    }
    with contextlib.suppress(Exception):
        # A literal is a new object, so it cannot replace a list that is part of another value.
        places = [place for value in changed.values() for place in containers(value)]
        shared = {place for name in after.keys() - changed.keys() for place in after[name].memo.copy()}
        text = "; ".join(f"{name} = {value!a}" for name, value in changed.items())
        made: dict[str, Any] = {}
        exec(text, made)  # fails for a value such as `nan`, or a name that is not an identifier
        same = all(made[name] == value for name, value in changed.items())
        if same and len(text) <= 100_000 and len(places) == len({*places} - shared):
            return text
    return None


def containers(value: Any) -> Iterator[int]:
    """Yields the place of each list, set and dict in a value; raises ``ValueError`` if a literal cannot express it."""
    if type(value) in (list, tuple, set, dict):
        if type(value) is not tuple:
            yield id(value)
        for each in value.items() if type(value) is dict else value:
            yield from containers(each)
    elif type(value) not in (bool, int, float, str, bytes, type(None)):
        raise ValueError


def cells_of(notebook: Mapping[str, Any], given: set[str]) -> Iterator[Cell]:
    """Yields the code cells of a notebook that the student wrote.

    These are the cells that are neither graded nor locked, and whose source is not in ``given``.
    """
    for number, cell in enumerate(notebook.get("cells", []), 1):
        if cell.get("cell_type") != "code":
            continue
        source = cell.get("source", "")
        source = "".join(source) if isinstance(source, list) else str(source)
        source = re.sub("\r\n?", "\n", source)  # as Python reads it
        marks = cell.get("metadata", {}).get("nbgrader", {})
        ours = isinstance(marks, dict) and (marks.get("grade") is True or marks.get("locked") is True)
        if not ours and source.strip() not in given:
            yield Cell(f"<cell {number}>", without_magic(source))


def student_of(cells: list[Cell]) -> str:
    """Returns the last string that the student's cells assign to ``STUDENT``; an empty string by default."""
    found = ""
    for cell in cells:
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            for node in ast.parse(cell.source).body:
                if not isinstance(node, ast.Assign | ast.AnnAssign):
                    continue
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if (
                    any(isinstance(target, ast.Name) and target.id == "STUDENT" for target in targets)
                    and isinstance(node.value, ast.Constant)
                    and isinstance(node.value.value, str)
                ):
                    found = node.value.value
    return found


def readable_folders() -> tuple[str, ...]:
    """Returns the paths that the student's code may read: Python, packages, gridwright, time zones and two devices."""
    kept = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    kept |= {path for path in sys.path if os.path.basename(path) in ("site-packages", "dist-packages")}
    kept |= {os.path.dirname(gw.__file__), "/usr/share/zoneinfo", "/dev/null", "/dev/urandom"}
    return tuple(os.path.realpath(path) for path in kept if path)


class StudentCells:
    """The cells of a student, and the names that they define."""

    def __init__(self, cells: list[Cell], given: Mapping[str, Any]) -> None:
        self.cells = cells
        self.given = given
        self.grader = os.getpid()
        self.form: int | None = None
        self.changed = False
        self.ends = math.inf  # no request is sent after this time, as `time.monotonic` counts it
        self.settled = False
        self._names: dict[str, Any] | None = None
        self._process = self._begin()

    def _begin(self) -> Isolated:
        # Descriptions of exceptions take source lines from `linecache.cache`, because a cell has no file.
        for cell in self.cells:
            linecache.cache[cell.file] = (len(cell.source), None, cell.source.splitlines(True), cell.file)
        return Isolated(self.handle, None, MEMORY)

    def judged(self) -> bool:
        """Returns whether the current process runs the student's code."""
        return os.getpid() != self.grader

    # The methods below run in processes of the student's code.

    def enclose(self) -> None:
        """Restricts what this process may read to the files of Python, its packages and the temporary folder."""
        kept, own = readable_folders(), os.path.realpath(tempfile.gettempdir()) + os.sep

        def ours(path: Any) -> bool:
            where = os.getcwd() if path is None else os.path.realpath(os.fsdecode(path))
            return where in kept or where.startswith(tuple(folder + os.sep for folder in kept))

        def hook(event: str, arguments: tuple[Any, ...]) -> None:
            if event in ("open", "os.listdir", "os.scandir", "glob.glob", "glob.glob/2"):
                path = arguments[0]
                if not isinstance(path, int) and not ours(path) and not os.path.realpath(path or "").startswith(own):
                    raise PermissionError("graded code may read only the files of Python and its packages")
            elif event == "import" and arguments[0] in UNWATCHED:
                raise ImportError(f"{arguments[0]} is not available to graded code")
            elif event == "import" and len(arguments) > 1 and arguments[1] and not ours(arguments[1]):
                raise ImportError("graded code must not load extension modules of its own")
            elif event.startswith("sqlite3."):
                raise PermissionError(f"{event} is not available to graded code")

        sys.addaudithook(hook)

    def begin(self) -> dict[str, Any]:
        """Returns the names in this process; the first call in each process restricts the process."""
        if self._names is None:
            self.enclose()
            self._names = dict(self.given, __name__="__main__")
        return self._names

    def names(self) -> dict[str, Any]:
        """Returns the names that the cells define; the first call in each process runs the cells."""
        if self._names is None:
            names = self.begin()
            for cell in self.cells:
                if cell.source:
                    with contextlib.suppress(BaseException):
                        cell.run(names)
        return self.begin()

    def load(self, _: Any) -> None:
        """Runs the cells when a process starts, so that the time limit of a call does not include them."""
        if self.settled:
            self.names()

    def run(self, number: int, source: str | ast.Module) -> str:
        """Runs a cell, or a part of it; returns a description of the exception that ends it, or an empty string."""
        try:
            exec(compile(source, self.cells[number].file, "exec"), self.begin())
        except BaseException as error:
            return describe_exception(error)
        return ""

    def step(self, number: int, source: str, first: int, last: int) -> list[str | None]:
        """Runs the statements of a cell on the lines from ``first`` up to but not including ``last``.

        Returns the exception, as ``run`` does, and what may replace slow statements, as ``effects`` does.
        """
        body = [node for node in ast.parse(source).body if first < node.lineno <= last]
        before = snapshots(self.begin())
        began = time.perf_counter()
        trouble = self.run(number, ast.Module(body, []))
        slow = time.perf_counter() - began >= QUICK / 10
        return [trouble, effects(before, snapshots(self.begin())) if slow else None]

    def handle(self, _: Any, request: Any) -> Any:
        """Handles a request from the grader: runs a cell, describes the value of a name, or calls a function."""
        kind, *rest = request
        if kind == "run":
            return self.run(*rest)
        if kind == "step":
            return self.step(*rest)
        names = self.names()
        if kind == "name":
            if rest[0] not in names:
                return ["missing", None]
            value = names[rest[0]]
            if isinstance(value, type):
                return ["class", parameters(value)]
            if callable(value):
                return ["function", parameters(value)]
            return ["value", plain(value)]
        name, arguments, keywords = rest
        before = [*map(listed, arguments)]
        answer = plain(names[name](*arguments, **keywords))
        # A call in a notebook may change the lists that it is given. The stand-in makes the same changes.
        pairs = zip(before, map(listed, arguments), strict=True)
        return [answer, [None if new == old else new for old, new in pairs]]

    # The methods below run in the grader.

    def ask(self, *request: Any, seconds: float = CALLING) -> Any:
        """Sends a request to a student process and returns the answer; raises ``NoAnswer`` on failure or timeout."""
        if time.monotonic() >= self.ends:
            raise NoAnswer("your code took too long in total")
        outcome = self._process.call(request, seconds)
        if outcome.trouble is not None:
            raise NoAnswer(f"your code {outcome.trouble}")
        return outcome.value

    def settle(self) -> None:
        """Runs each cell, and stores the source that every process of a check runs again: shortened for slow cells."""
        for number, cell in enumerate(self.cells):
            source, cell.source = cell.source, ""
            try:
                ast.parse(source)
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                words = str(error).replace("<unknown>, ", "")  # the file that `ast.parse` names
                cell.trouble = f"the cell is not valid Python: {readable(words, 200)}"
                continue
            began = time.monotonic()
            try:
                cell.trouble = str(self.ask("run", number, source, seconds=LOADING))
                cell.source = source
            except NoAnswer as ended:
                cell.trouble = str(ended)
            if not cell.source or time.monotonic() - began >= QUICK:
                self._again(number)
                cell.source = self._shortened(number, source, not cell.source)
        self._process.close()
        self.settled = True
        self._process = self._begin()

    def _shortened(self, number: int, source: str, ended: bool) -> str:
        """Returns a cell in which assignments of literals replace slow statements if they have the same effect.

        A replacement starts on the first line of its statement, so line numbers do not change. The cell runs once more,
        in a process in which the cells before it have run.

        * ``ended``: whether the cell did not finish, or ended its process, when it ran as a whole. Then a bare
          expression at which this happens again is left out; most of them only print or draw. If it happens at another
          statement, the result is an empty string.
        """
        lines, cell = source.split("\n"), self.cells[number]
        ends, kept = time.monotonic() + 6 * LOADING, 0.0
        for first, last, bare in units(source):
            began = time.monotonic()
            left = min(LOADING - kept, ends - began)
            try:
                trouble, text = self.ask("step", number, source, first, last, seconds=left)
            except (NoAnswer, TypeError, ValueError):  # hostile code can send an answer of any form
                drop = ended and bare and left > 0
                cell.source = "\n".join(lines[:first]) if drop else "" if ended else source
                self._again(number + 1)
                if not drop:
                    return cell.source
                trouble, text = "", ""
            if text is None:
                kept += time.monotonic() - began
            else:
                lines[first:last] = [str(text)] + [""] * (last - first - 1)
                if trouble:  # the statements after this one did not run, and must not run now that it is replaced
                    del lines[last:]
            if trouble:
                break
        return "\n".join(lines)

    def _again(self, end: int) -> None:
        """Runs the cells before ``end`` in a fresh process."""
        self._process.renew()
        for number in range(end):
            with contextlib.suppress(NoAnswer):
                self.ask("run", number, self.cells[number].source, seconds=LOADING)

    def close(self) -> None:
        """Ends all processes."""
        self._process.close()

    def stand_in(self, name: str) -> Any:
        """Returns a stand-in for a name that the cells define: a function, a class or a plain value.

        Raises ``KeyError`` if the cells do not define the name, and ``NoAnswer`` if its value cannot be read.
        """
        kind, rest = self.ask("name", name, seconds=LOADING)
        if kind == "missing":
            raise KeyError(name)
        if kind == "value":
            return rest
        count = rest if isinstance(rest, int) and 0 <= rest < 20 else None
        one = inspect.Parameter
        places = [one("rest", one.VAR_POSITIONAL)]
        if count is not None:
            places = [one(f"argument{at}", one.POSITIONAL_OR_KEYWORD) for at in range(count)]

        def call(*arguments: Any, **keywords: Any) -> Any:
            if self.judged():
                return self.names()[name](*arguments, **keywords)
            answer, changed = self.ask("call", name, arguments, keywords)
            for old, new in zip(arguments, changed, strict=True):
                if isinstance(old, list) and new is not None:
                    old[:] = lists(new)
            return answer

        call.__name__ = call.__qualname__ = name
        call.__signature__ = inspect.Signature(places)  # type: ignore[attr-defined]
        if kind == "function":
            return call
        made = type(name, (), {"__new__": lambda cls, *rest, **more: call(*rest, **more)})
        made.__signature__ = inspect.Signature(places)  # type: ignore[attr-defined]
        return made


def plain(value: Any) -> Any:
    """Returns a value as numbers, strings, ``None`` or lists of these; dicts become lists of pairs.

    Raises ``UnreadableAnswer`` for a value of any other type.
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return [[plain(key), plain(each)] for key, each in value.items()]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    found = readable(type(value).__name__, 60)
    raise UnreadableAnswer(f"gave a value of type {found}, expected numbers, text, or lists of these")


def listed(value: Any) -> list[Any] | None:
    """Returns a list as ``plain`` does; ``None`` for any other value, and for a list that ``plain`` refuses."""
    with contextlib.suppress(UnreadableAnswer):
        return plain(value) if isinstance(value, list) else None
    return None


def lists(value: Any) -> Any:
    """Returns a value with lists in place of tuples, at all depths."""
    return [*map(lists, value)] if isinstance(value, tuple) else value


# The checking cells.


class Names(dict[str, Any]):
    """The names available to a checking cell: first the given names, then stand-ins for the student's names."""

    def __init__(self, given: dict[str, Any], student: StudentCells) -> None:
        super().__init__(given)
        self.given, self.student = given, student

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name):
            raise KeyError(name)
        try:
            found = self.student.stand_in(name)
        except KeyError:
            troubles = [f"{cell.file[1:-1]}: {cell.trouble}" for cell in self.student.cells if cell.trouble]
            raise NoAnswer("\n".join([f"{name} is not defined", *troubles])) from None
        self[name] = found
        return found


def bundle(thing: Any) -> dict[str, str]:
    """Returns what a notebook would display for a value, by MIME type."""
    if hasattr(thing, "_repr_mimebundle_"):
        found = thing._repr_mimebundle_()
        found = found[0] if isinstance(found, tuple) else found
        return {kind: text for kind, text in found.items() if kind in ("text/html", "text/plain")}
    return {"text/plain": thing if isinstance(thing, str) else repr(thing)}


def compiled(tests: Path, name: str) -> tuple[CodeType, CodeType]:
    """Returns the code of a question's checking cell: its statements, and the expression for the points at its end.

    A check calls the student's code in a process that is forked while the cell runs, so this code can see the
    variables of all functions that run at that time. None of them holds the source of the cell.
    """
    body = ast.parse(next(each["source"] for each in load(tests)["questions"] if each["name"] == name))
    last = body.body.pop()
    assert isinstance(last, ast.Expr), "a checking cell must end in an expression for the points"
    return compile(body, "<check>", "exec"), compile(ast.Expression(last.value), "<check>", "eval")


def check(cell: tuple[CodeType, CodeType], most: float, result: Result, names: Names) -> None:
    """Runs a checking cell; stores in ``result`` the points, from 0 to ``most``, and what the cell displays."""
    printed = io.StringIO()

    def show(*things: Any) -> None:
        if printed.getvalue():
            result.shown.append({"text/plain": readable(printed.getvalue().rstrip("\n"), LONGEST)})
            printed.seek(0)
            printed.truncate()
        result.shown.extend(bundle(thing) for thing in things)

    # The cell and the given functions look up `display` in different dicts.
    names["display"] = names.given["display"] = show
    # Outside a notebook, a report prints itself as text. Here, the report is stored with its pictures.
    Report._display = lambda report: show(report)  # type: ignore[method-assign]
    # The processes of a check run the student's cells before the first case.
    Check.load = lambda *_: names.student.load(None)  # type: ignore[attr-defined]
    Check.ends = names.student.ends
    try:
        with contextlib.redirect_stdout(printed):
            exec(cell[0], names)
            points = eval(cell[1], names)
        result.points = round(min(most, max(0.0, float(points))), 2)
    except NoAnswer as trouble:
        print(trouble, file=printed)
    except Exception as error:
        # Only the message of the exception is shown, never the source of the check.
        print(readable(f"the answer cannot be graded: {type(error).__name__}: {error}", 500), file=printed)
    show()


def load(tests: Path) -> dict[str, Any]:
    """Reads the tests of an assignment."""
    found: dict[str, Any] = json.loads(tests.read_text(encoding="utf-8"))
    return found


def grade(tests: Path, submission: Path, student: str = "", key: Path | None = None) -> tuple[str | None, list[Result]]:
    """Grades a notebook; returns the name for which its boards were made, and the results in the order of the cells.

    The name is the text that the notebook assigns to ``STUDENT``; ``None`` if the notebook cannot be read.

    * ``tests``: the path of the file ``TESTS.json``.
    * ``submission``: the path of the notebook; a file that is not a notebook gets 0 points for every question.
    * ``student``: the name by which the grading tool knows the student; by default, the name in the notebook.
    * ``key``: a file with the secret of the course, from which the random cases of each student are drawn. Without a
      key, the cases are the ones that the notebook shows to all students.

    Raises ``RuntimeError`` if this system cannot fork a process, and ``OSError`` if a file cannot be opened.
    """
    if not can_fork():
        raise RuntimeError("grading needs a system that can fork a process: Linux or macOS")
    parts = load(tests)
    questions = [(each["name"], each["most"]) for each in parts["questions"]]
    setup, given = parts["setup"], set(parts["given"])
    # The tests must not be in memory when the student's processes start, because a forked process copies the memory.
    del parts
    try:
        notebook = json.loads(submission.read_text(encoding="utf-8"))
        cells = list(cells_of(notebook, given))
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        words = {"text/plain": f"the notebook cannot be read: {readable(error, 200)}"}
        return None, [Result(name, most, shown=[words]) for name, most in questions]
    named = student_of(cells)
    names: dict[str, Any] = {"__name__": "__main__", "STUDENT": named, "display": lambda *_: None}
    with contextlib.redirect_stdout(io.StringIO()):
        for source in setup:
            exec(compile(source, "<setup>", "exec"), names)
    if key is not None:
        # No variable holds the secret, because the student's code can see the variables of all functions that run here.
        names["SEED"] = gw.check.for_student(student or named or "nobody", key=key.read_text(encoding="utf-8").strip())
    code = StudentCells(cells, names)
    results: list[Result] = []
    began = time.monotonic()
    try:
        code.ends = began + SETTLING
        code.settle()
        for name, most in questions:
            later = len(questions) - len(results) - 1
            code.ends = began + GRADING - later * RESERVE
            result = Result(name, most)
            check(compiled(tests, name), most, result, Names(names, code))
            results.append(result)
    finally:
        code.close()
    return named, results


def drawn_for(student: str | None) -> str:
    """Returns the sentence that tells the graders of a submission for which name its boards were drawn.

    * ``student``: the first result of ``grade``.
    """
    if student is None:
        return "No boards were drawn, because the notebook cannot be read."
    if student:
        return f"The boards were drawn for {student!r}."
    return "STUDENT is empty, so the boards were drawn for 'nobody'."


def main() -> None:
    parser = argparse.ArgumentParser(description="grades a notebook")
    parser.add_argument("tests", type=Path)
    parser.add_argument("submission", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--student", default="")
    parser.add_argument("--key", type=Path)
    options = parser.parse_args()
    named, results = grade(options.tests, options.submission, options.student, options.key)
    rows = [{**asdict(result), "text": result.text, "html": result.html} for result in results]
    options.results.write_text(json.dumps({"output": drawn_for(named), "questions": rows}), encoding="utf-8")
    for result in results:
        print(f"{result.name:24} {result.points:6.2f} of {result.most:g}")


if __name__ == "__main__":
    main()
