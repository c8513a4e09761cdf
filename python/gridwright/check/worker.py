"""Runs submitted code, in its own process if possible: arguments go in and plain data comes out, nothing else.

Three processes take part. The *grader* computes the expected answers and compares the code's answers with them. Before
it computes the first expected answer, it forks a *fork server*, which never runs the submitted code. The fork server
forks one *worker* after another from its clean memory: a new one whenever the last one was killed or ended by itself,
and before a wrong case is tried again. A worker therefore finds no computed answer in its memory, and its parent is not
the grader. What a worker sends is read as JSON: an answer to compare, never a score.

This is not a sandbox: malicious code has the permissions of the user who runs it. A Python audit hook refuses attempts
to start processes, send signals, load shared libraries with ``ctypes``, open sockets, or write files outside the
temporary directory, but it does not see what native extension modules do.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import pickle
import select
import shutil
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
import types
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..words import readable
from .guard import (
    CRASH_SIGNALS,
    IN_BROWSER,
    Outcome,
    UnreadableAnswer,
    call,
    describe_exception,
    parameters,
    printed_by,
)

__all__ = ["IN_PLACE", "InPlace", "Isolated", "can_fork"]

IN_PLACE = (
    "the code ran inside this process, because this system cannot fork another process: the limits are less strict, "
    "and the code could have read the checker's memory"
)
"""The note in the report if the code was not isolated."""

_FORKING = threading.Lock()
_MAX_ANSWER = 1 << 26
"""The maximum number of bytes in an answer; a longer answer is refused."""
_START = 20.0
"""The maximum number of seconds that a process may take to start, including ``load``."""
_LENGTH = struct.Struct("!Q")
_ENDED = "ended the processes in which it is judged"
_CLOSED = "gridwright is not available to code that is judged"


def can_fork() -> bool:
    """Returns whether this system can fork a process: Linux and macOS can, Windows and browsers cannot."""
    return hasattr(os, "fork") and hasattr(socket, "send_fds") and not IN_BROWSER


def plain(value: Any) -> Any:
    """Converts an answer to JSON and back, with lists as tuples; raises ``UnreadableAnswer`` if JSON cannot hold it."""
    try:
        return tuples(json.loads(json.dumps(value)))
    except (TypeError, ValueError, RecursionError) as error:
        raise UnreadableAnswer(f"returned an answer that cannot be read: {readable(error, 200)}") from None


def tuples(value: Any) -> Any:
    """Converts the lists in an answer to tuples, at all depths, and makes its text ``readable``."""
    if isinstance(value, list):
        return tuple(map(tuples, value))
    if isinstance(value, str):
        return readable(value, 1 << 20)
    return value


def describe(submission: Any) -> tuple[str, int | None]:
    """Returns the name of the submitted function or class and its number of required arguments.

    The name is ``"yours"`` if the submission has no name or one that is not an identifier. The number is ``None`` if
    unknown or not fixed. Reading them may run submitted code.

    * ``submission``: the function or class that was handed in.
    """
    name = getattr(submission, "__name__", None)
    return (name if isinstance(name, str) and name.isidentifier() else "yours"), parameters(submission)


class InPlace:
    """Calls the code in this process, on systems that cannot fork another process.

    * ``invoke``: the method of the check that calls the code.
    * ``submission``: the function or class.
    * ``memory``: ignored, because this process is not limited.
    """

    note: str | None = IN_PLACE

    def __init__(self, invoke: Callable[[Any, Any], Any], submission: Any, memory: int) -> None:
        self._invoke, self._submission = invoke, submission
        self.name = "yours"
        self.form: int | None = None
        outcome = call(lambda: describe(submission), _START)
        if outcome.value is not None:
            self.name, self.form = outcome.value
        invoke.__self__.form = self.form  # type: ignore[attr-defined]

    def call(self, arguments: Any, seconds: float) -> Outcome:
        """Calls the code with one case.

        * ``arguments``: the case, which is copied.
        * ``seconds``: the time limit in seconds.
        """
        # A copy, as a pipe would make, so that the code cannot change the grader's case.
        copied = pickle.loads(pickle.dumps(arguments))
        outcome = call(lambda: plain(self._invoke(self._submission, copied)), seconds)
        return replace(outcome, changed=self._invoke.__self__.changed)  # type: ignore[attr-defined]

    def renew(self) -> None:
        """Does nothing: this process cannot be replaced."""

    def close(self) -> None:
        """Does nothing: no process was started."""


class Isolated:
    """Calls the code in a worker process, kills the worker after the time limit, and replaces a worker that has ended.

    If the check has a method ``load``, each worker first calls it with the submission, outside the time limit of cases.
    If it raises an exception, every case ends in this exception.

    * ``invoke``: the method of the check that calls the code.
    * ``submission``: the function or class.
    * ``memory``: MiB that the code may use beyond what its process starts with.
    """

    note: str | None = None

    def __init__(self, invoke: Callable[[Any, Any], Any], submission: Any, memory: int) -> None:
        self._check = invoke.__self__  # type: ignore[attr-defined]
        self._worker: socket.socket | None = None
        self.unstartable = ""
        """Why no process can be started; empty if one can."""
        self._count = 0
        self._folder = tempfile.mkdtemp(prefix="judged-")
        self._control, theirs = socket.socketpair()
        with _FORKING, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python 3.12 and later warn if a process with threads forks
            grader = os.getpid()
            try:
                self._fork_server = os.fork()
            except OSError:  # no process or memory is left
                self._control.close()
                theirs.close()
                shutil.rmtree(self._folder, ignore_errors=True)
                raise
            if self._fork_server == 0:
                try:
                    _serve_workers(theirs, invoke, submission, memory, self._folder)
                finally:
                    if os.getpid() != grader:
                        os._exit(0)
        theirs.close()
        self.name = "yours"
        self.form: int | None = None
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> str | None:
        """Requests a new worker; returns in words how the last one ended, or ``None`` if there is no new one."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None
        if self.unstartable:
            return None
        try:
            self._control.settimeout(_START)
            self._control.sendall(b"w")
            message, handles, _, _ = socket.recv_fds(self._control, 4, 1)
        except OSError:
            return None
        if len(message) != 4 or not handles:
            return None
        self._worker = socket.socket(fileno=handles[0])
        try:
            hello = self._answer(time.monotonic() + _START)
        except (EOFError, OSError, ValueError, RecursionError, UnreadableAnswer) as error:
            # The code ended or blocked its process before the first case, and would do so in every worker.
            self._worker.close()
            late = isinstance(error, TimeoutError)
            self.unstartable = f"did not start within {_START:g} s" if late else _ENDED
            self._worker = None
            return None
        if isinstance(hello, dict):
            name, form = hello.get("name"), hello.get("form")
            self.name = name if isinstance(name, str) and name.isidentifier() else "yours"
            self.form = form if isinstance(form, int) else None
            self._check.form = self.form
        status = struct.unpack("!i", message)[0]
        if status < 0:
            return f"was ended by signal {-status}" + (" (a crash in C code)" if -status in CRASH_SIGNALS else "")
        return f"ended the process that it runs in, with status {status}"

    def _answer(self, ends: float) -> Any:
        """Reads one message; raises ``TimeoutError`` at the time ``ends``, ``EOFError`` if the worker has ended."""
        assert self._worker is not None
        found = bytearray()
        size = _LENGTH.size
        length = None
        while len(found) < size:
            left = ends - time.monotonic()
            if left <= 0 or not select.select([self._worker], [], [], left)[0]:
                raise TimeoutError
            part = self._worker.recv(min(size - len(found), 1 << 20))
            if not part:
                raise EOFError
            found += part
            if length is None and len(found) == size:
                length = _LENGTH.unpack(found)[0]
                if length > _MAX_ANSWER:
                    raise UnreadableAnswer(f"returned an answer of {length} bytes, expected at most {_MAX_ANSWER}")
                found.clear()
                size = length
                if not length:
                    break
        return json.loads(found.decode("utf-8", "replace"))

    def call(self, arguments: Any, seconds: float) -> Outcome:
        """Sends one case to the worker and waits for its answer.

        * ``arguments``: the case.
        * ``seconds``: the time limit in seconds, after which the worker is killed.
        """
        if self._worker is None:
            return Outcome(None, self.unstartable or _ENDED)
        self._count += 1
        started = time.monotonic()
        trouble, late = None, False
        try:
            data = pickle.dumps((self._count, arguments))
            self._worker.settimeout(seconds)
            self._worker.sendall(_LENGTH.pack(len(data)) + data)
            reply = self._answer(started + seconds)
            if isinstance(reply, dict) and reply.get("count") == self._count:
                trouble = reply.get("trouble")
                printed = readable(reply.get("printed") or "")
                trouble = None if trouble is None else readable(trouble)
                return Outcome(
                    None if trouble else tuples(reply.get("value")),
                    trouble,
                    printed=printed,
                    seconds=time.monotonic() - started,
                    changed=reply.get("changed") is True,
                )
            trouble = "sent something that is not an answer to this case"
        except TimeoutError:
            trouble, late = f"did not finish within {seconds:g} s", True
        except UnreadableAnswer as error:
            trouble = str(error)
        except (ValueError, RecursionError):
            trouble = "sent something that is not an answer"
        except (EOFError, OSError):
            pass
        except BaseException:  # Ctrl-C
            self.close()
            raise
        ending = self._begin()
        words = trouble or ending or "ended the process that it runs in"
        return Outcome(None, words, late, ended=not late)

    def renew(self) -> None:
        """Replaces the worker with a fresh one."""
        self._begin()

    def close(self) -> None:
        """Ends the worker and the fork server, and removes their temporary directory."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None
        self._control.close()
        if self._fork_server:
            server, self._fork_server = self._fork_server, 0
            # The fork server is killed before it is waited for: until then, no other process can get its process id.
            for kill in (os.killpg, os.kill):
                with contextlib.suppress(OSError):
                    kill(server, signal.SIGKILL)
            with contextlib.suppress(OSError):
                os.waitpid(server, 0)
            shutil.rmtree(self._folder, ignore_errors=True)


# The code below runs in the fork server and in the workers.


def _serve_workers(
    control: socket.socket, invoke: Callable[[Any, Any], Any], submission: Any, memory: int, folder: str
) -> None:
    """Starts a worker at each request of the grader; returns when the grader closes the connection."""
    os.setsid()
    gc.freeze()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    _redirect_descriptors({control.fileno()})
    _disable_engines(submission)
    worker = 0
    while control.recv(1) == b"w":
        status = 0
        if worker:
            # A worker that has ended by itself keeps its exit status; one that is still running is killed.
            with contextlib.suppress(OSError):
                os.kill(worker, signal.SIGKILL)
            status = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
        theirs, mine = socket.socketpair()
        worker = os.fork()
        if worker == 0:
            theirs.close()
            _work(mine, invoke, submission, memory, folder)
            os._exit(0)
        mine.close()
        socket.send_fds(control, [struct.pack("!i", status)], [theirs.fileno()])
        theirs.close()
    if worker:
        os.kill(worker, signal.SIGKILL)


def _redirect_descriptors(kept: set[int]) -> None:
    """Redirects every open descriptor except ``kept`` to the null device, so that the code cannot use them."""
    null = os.open(os.devnull, os.O_RDWR)
    try:
        names = os.listdir("/proc/self/fd" if os.path.isdir("/proc/self/fd") else "/dev/fd")
        numbers = [int(name) for name in names]
    except (OSError, ValueError):
        numbers = list(range(256))
    for number in {0, 1, 2, *numbers} - kept - {null}:
        with contextlib.suppress(OSError):
            os.dup2(null, number)


def _refuse(*_: Any, **__: Any) -> Any:
    raise RuntimeError(_CLOSED)


def _disable_engines(submission: Any) -> None:
    """Disables the engines in this process, because they can compute every answer. Plain values stay usable."""
    core = sys.modules.get("gridwright._core")
    if core is None:
        return
    functions, keep = set(), {"__doc__", "__module__", "__class__", "__dict__", "__name__", "__qualname__"}
    for value in list(vars(core).values()):
        if isinstance(value, type):
            for name in set(vars(value)) - keep | {"__new__", "__init__"}:
                with contextlib.suppress(TypeError, AttributeError):
                    setattr(value, name, _refuse)
        elif isinstance(value, types.BuiltinFunctionType):
            functions.add(id(value))
    namespaces = [vars(module) for module in list(sys.modules.values()) if isinstance(module, types.ModuleType)]
    namespaces.append(getattr(submission, "__globals__", {}))
    for namespace in namespaces:
        for name, value in list(namespace.items()):
            if id(value) in functions:
                namespace[name] = _refuse
    for cell in getattr(submission, "__closure__", None) or ():
        with contextlib.suppress(ValueError):
            if id(cell.cell_contents) in functions:
                cell.cell_contents = _refuse


def _limit(memory: int) -> None:
    """Limits the memory of this process, files to 64 MiB, and core dumps to none.

    The memory is limited to ``memory`` MiB more than the process uses now or, without ``/proc``, to ``memory`` MiB in
    total.
    """
    try:
        import resource
    except ImportError:
        return
    used = 0
    with contextlib.suppress(OSError, ValueError), open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    limits = {"RLIMIT_AS": used + (memory << 20), "RLIMIT_FSIZE": 1 << 26, "RLIMIT_CORE": 0}
    for name, most in limits.items():
        if hasattr(resource, name):
            number = getattr(resource, name)
            hard = resource.getrlimit(number)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(number, (most, most))


_REFUSED = (
    "ctypes.",
    "gc.get_",
    "os.exec",
    "os.fork",
    "os.kill",
    "os.posix_spawn",
    "os.putenv",
    "os.spawn",
    "os.system",
    "pty.spawn",
    "resource.",
    "signal.pthread_kill",
    "socket.",
    "subprocess.Popen",
)
_CHANGES = (
    "os.chmod",
    "os.chown",
    "os.link",
    "os.mkdir",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.symlink",
    "os.truncate",
    "os.utime",
)
_CHANGES_BOTH = ("os.link", "os.rename")
"""The events of ``_CHANGES`` with two paths, both of which must be inside the temporary directory."""
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def _watch(folder: str) -> None:
    """Installs an audit hook that refuses what judged code does not need; a hook cannot be removed again."""
    home = os.path.realpath(folder) + os.sep

    def inside(path: Any) -> bool:
        try:
            # Includes the directory itself, which `tempfile.NamedTemporaryFile` reports as the path that it opens.
            return (os.path.realpath(os.fsdecode(path)) + os.sep).startswith(home)
        except (TypeError, ValueError):
            return False

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if isinstance(path, int):
                return
            written = isinstance(flags, int) and flags & _WRITES and os.fsdecode(path) != os.devnull
            if written and not inside(path):
                raise PermissionError(f"code that is judged may write only in {home}")
            if os.fsdecode(path).endswith("/mem"):
                raise PermissionError(f"code that is judged may not open {os.fsdecode(path)}")
        elif event == "import":
            name = str(arguments[0])
            if name.partition(".")[0] == "gridwright" or name == "_core":
                raise ImportError(_CLOSED)
        elif event == "os.truncate" and isinstance(arguments[0], int):
            return  # a file that is open already
        elif event.startswith(_CHANGES):
            # `os.symlink` creates a link at its second path; its first path is only the target of the link.
            paths = arguments[:2] if event in _CHANGES_BOTH else arguments[event == "os.symlink" :][:1]
            if not all(map(inside, paths)):
                raise PermissionError(f"code that is judged may write only in {home}")
        elif event.startswith(_REFUSED):
            raise PermissionError(f"{event} is not allowed in code that is judged")

    sys.addaudithook(hook)


def _work(pipe: socket.socket, invoke: Callable[[Any, Any], Any], submission: Any, memory: int, folder: str) -> None:
    """Answers one case after another until the grader closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _redirect_descriptors({pipe.fileno()})
    tempfile.tempdir = folder
    _limit(memory)
    import _posixsubprocess

    for module, names in ((_posixsubprocess, ("fork_exec",)), (signal, ("pidfd_send_signal",)), (os, ("pidfd_open",))):
        for name in names:
            if hasattr(module, name):
                setattr(module, name, _refuse)
    warnings.simplefilter("ignore")
    sys.setprofile(None)
    sys.settrace(None)
    receive, send = pipe.recv, pipe.sendall
    _watch(folder)

    def reply(message: dict[str, Any]) -> None:
        data = json.dumps(message).encode()
        send(_LENGTH.pack(len(data)) + data)

    def read(count: int) -> bytes:
        parts = bytearray()
        while len(parts) < count:
            part = receive(min(count - len(parts), 1 << 20))
            if not part:
                os._exit(0)
            parts += part
        return bytes(parts)

    sys.stdin, sys.stdout, sys.stderr = io.StringIO(), printed_by(), printed_by()
    failed, load = None, getattr(invoke.__self__, "load", None)  # type: ignore[attr-defined]
    try:
        if load is not None:
            load(submission)
    except BaseException as error:
        failed = error
    try:
        name, form = describe(submission)
    except BaseException:
        name, form = "yours", None
    invoke.__self__.form = form  # type: ignore[attr-defined]
    reply({"name": name, "form": form})
    while True:
        count, arguments = pickle.loads(read(_LENGTH.unpack(read(_LENGTH.size))[0]))
        tail = printed_by()
        sys.stdin, sys.stdout, sys.stderr = io.StringIO(), tail, printed_by()
        value, trouble = None, None
        try:
            if failed is not None:
                raise failed
            value = plain(invoke(submission, arguments))
        except UnreadableAnswer as error:
            trouble = readable(error)
        except MemoryError:
            trouble = f"needs more memory than {memory} MiB"
        except BaseException as error:
            trouble = describe_exception(error)
        try:
            changed = invoke.__self__.changed  # type: ignore[attr-defined]
            reply({"count": count, "value": value, "trouble": trouble, "printed": tail.text, "changed": changed})
        except ConnectionError:
            os._exit(0)
