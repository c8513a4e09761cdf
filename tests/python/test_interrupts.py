"""Ctrl-C is answered within 100 ms on a quiet machine: members of each game are interrupted on a large board.

The bound here is twice that, because other tests run beside these and share the caches and execution units of a core.
Members of the extension are tried with nine million cells. Members written in Python are tried with a million,
because numpy handles no signals during an operation.
"""

from __future__ import annotations

import inspect
import subprocess
import sys

import gridwright as gw
import pytest
from conftest import needs

CODE = """
import contextlib, signal, sys, time
import games
import gridwright as gw

AFTER = 0.02  # seconds of work after which the signal comes
PATIENCE = 0.2
KIND = getattr(gw, sys.argv[1])
NAMES = sys.argv[2].split(",")


def measure(name, call):
    # Takes the least of up to three delays if the first is too long: other work may have kept the machine busy.
    found = [delay(call)]
    while found[-1] > PATIENCE and len(found) < 3:
        found.append(delay(call))
    if min(found) > PATIENCE:
        print(f"{name}: {min(found):.3f} s")


def delay(call):
    # Returns the seconds between a signal during a call and the handler of the signal; 0 if the call ended first.
    due, late = None, 0.0

    def interrupt(*_):
        nonlocal late
        # Processor time of this thread, but at least a tenth of the elapsed time, which includes waiting.
        late = max(time.thread_time() - due[0], (time.monotonic() - due[1]) / 10)
        raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, interrupt)
    try:
        due = time.thread_time() + AFTER, time.monotonic() + AFTER
        signal.setitimer(signal.ITIMER_REAL, AFTER)
        try:
            call()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        time.sleep(0)
    except KeyboardInterrupt:
        pass
    except (gw.SearchLimitError, MemoryError, TypeError, ValueError) as error:
        if isinstance(error, gw.LevelError):
            raise
        # The member refuses a board of this size.
    return late


# Each member is called once first, so that the time of its imports is not measured.
for name in NAMES:
    with contextlib.suppress(Exception):
        member = getattr(KIND.level(KIND.levels()[0]), name)
        if callable(member):
            member()
text = games.of(KIND).large(3000)
measure("()", lambda: KIND(text))
large, fair = KIND(text), KIND(games.of(KIND).large(1000))
core = getattr(gw._core, KIND.__name__)
for name in NAMES:
    # __str__, for example, is a member of object too, but what runs is the one written in Python.
    owner = next(kind for kind in KIND.__mro__ if name in vars(kind))
    game = large if owner in (core, object) else fair
    if callable(getattr(KIND, name)):
        measure(name, getattr(game, name))
    else:
        measure(name, lambda: getattr(game, name))


def puzzles():
    for seed in range(100):
        gw.MyPhoton.generate(15, 15, lasers=3, sensors=8, mirrors=6, splitters=3, tmirrors=3, unique=True, seed=seed)


loops = "1000 1000\\n" + ("f" * 1000 + "\\n") * 1000 + "station 0 0"
further = {
    "MyPhoton": {"generate(unique=True)": puzzles},
    # Every tile has four wires, so that a search from any tile visits the whole board.
    "LightEmAll": {"explain() with loops": lambda: gw.LightEmAll(loops).explain()},
    "GeeseSpotter": {"min_shows of an empty board": lambda: gw.GeeseSpotter.blank(1000, 1000).min_shows},
}
for name, call in further.get(sys.argv[1], {}).items():
    measure(name, call)
"""


def members(kind) -> list[str]:
    """Returns the names of some special methods, and of the public members that need no argument."""
    found = ["__repr__", "__str__", "__hash__", "__reduce__", "__getstate__", "__copy__"]
    for name, member in inspect.getmembers(kind):
        if name.startswith("_"):
            continue
        if callable(member):
            given = list(inspect.signature(member).parameters.values())
            bound = inspect.isfunction(member) or not isinstance(member, type(gw.Bloxorz.level))
            needed = given[1:] if bound and given and given[0].name == "self" else given
            kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
            if any(each.default is each.empty and each.kind not in kinds for each in needed):
                continue
            if isinstance(inspect.getattr_static(kind, name), (classmethod, staticmethod)):
                continue
        found.append(name)
    return [name for name in found if hasattr(kind, name)]


@needs("processes")
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no interval timers")
@pytest.mark.parametrize("name", gw.GAMES)
def test_every_member_of_a_large_board_answers_ctrl_c(name):
    kind = gw.GAMES[name]
    names = members(kind)
    assert {"board", "text", "solve", "explain", "svg", "moves"} <= {*names}
    path = f"import sys; sys.path[:0] = {[entry for entry in sys.path if entry]!r}\n"
    command = [sys.executable, "-c", path + CODE, kind.__name__, ",".join(names)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr[-2000:]


@needs("processes")
def test_the_c_interface_of_numpy_is_loaded_only_on_import():
    # An interrupt while it is being loaded would cause a panic.
    code = """
import gridwright as gw, numpy
del numpy._core.multiarray._ARRAY_API
print(gw.Bloxorz.level("level01").board.sum())
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert found.stdout.strip() == str(gw.Bloxorz.level("level01").board.sum())


@needs("threads")
def test_an_exception_from_progress_ends_work_on_another_thread():
    board = gw.LightEmAll.generate(1200, 1200, seed=1)
    text, reports = board.text, []

    def stop(done):
        reports.append(done)
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        board.solve(progress=stop)
    assert len(reports) == 1
    assert board.text == text
