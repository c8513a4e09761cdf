"""Attacks on the package. ``ATTACKS`` maps each attack that once exposed a fault to the tests that repeat it."""

from __future__ import annotations

import ast
import contextlib
import ctypes
import io
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import gridwright as gw
import numpy as np
import pytest
from conftest import IN_TAB, ROOT, level, needs
from gridwright import _core, check, errors, files, records, solved, tasks
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

NAMES = ("board", "legal_mask", "legal_bits", "reward", "terminated", "truncated", "illegal")

needs_fork = pytest.mark.skipif(not hasattr(os, "fork") or IN_TAB, reason="this system cannot fork")
ignores_fork_warning = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


def contents(batch: gw.Batch) -> list[Any]:
    """Returns the contents of a batch: its arrays and the saved state of its engine."""
    arrays = [None if (array := getattr(batch, name)) is None else array.tolist() for name in NAMES]
    return [arrays, batch.engine.save()]


def agrees(batch: gw.Batch, places: range) -> bool:
    """Returns whether the boards and masks of a batch match its games at the given indices."""
    for i in places:
        game = batch.game(i)
        if (batch.board[i] != game.board).any():
            return False
        if batch.legal_mask is not None and (batch.legal_mask[i] != game.legal_mask()).any():
            return False
        if batch.legal_bits is not None:
            bits = np.packbits(game.legal_mask().ravel(), bitorder="little")
            if (batch.legal_bits[i] != bits).any():
                return False
    return True


class Interrupt(BaseException):
    """A ``BaseException`` that interrupts a call, as ``KeyboardInterrupt`` does."""


def interrupted_at(place: int, call: Callable[[], Any], inside: str) -> bool:
    """Makes a call and interrupts it before its bytecode instruction number ``place``.

    Counts only the instructions of files with ``inside`` in their names, from 0. Returns whether the call reached
    that instruction. Python handles a signal between two instructions, so the caller tries each ``place`` in turn.
    """
    left = place

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if inside not in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            left -= 1
            if left < 0:
                raise Interrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except Interrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def fresh(batch: gw.Batch) -> dict[str, Any]:
    """Returns new arrays to pass to ``step_into``."""
    masks = batch.legal_mask if batch.legal_bits is None else batch.legal_bits
    return {
        "board": np.zeros_like(batch.board),
        "mask": None if masks is None else np.zeros_like(masks),
        "reward": np.zeros(batch.n),
        "terminated": np.zeros(batch.n, bool),
        "truncated": np.zeros(batch.n, bool),
    }


CALLS: dict[str, Callable[[gw.Batch], Any]] = {
    "step": lambda batch: batch.step(np.array([[2], [0], [1]])),
    "step with a list": lambda batch: batch.step([[2], [0], [1]]),
    "step_flat": lambda batch: batch.step_flat([2, 0, 1]),
    "step_into": lambda batch: batch.step_into([[2], [0], [1]], **fresh(batch)),
    "reset": lambda batch: batch.reset(),
    "reset with a mask": lambda batch: batch.reset(np.array([True, False, True])),
    "reset with a seed": lambda batch: batch.reset(seed=8),
    "reset with seeds": lambda batch: batch.reset(seed=[4, None, 5]),
    "reset with a mask and a seed": lambda batch: batch.reset(np.array([True, False, True]), seed=3),
    "set_game": lambda batch: batch.set_game(1, gw.Bloxorz.level("level01")),
    "set_state": lambda batch: batch.set_state(gw.Batch(gw.Bloxorz.level("level01"), 3, mask=False).get_state()),
    "sample_legal": lambda batch: batch.sample_legal(),
    "keep_masks": lambda batch: batch.keep_masks(),
}


@needs("signals")
@pytest.mark.parametrize("mask", [True, "bits", False])
@pytest.mark.parametrize("name", CALLS)
def test_a_batch_call_that_is_interrupted_anywhere_does_all_or_nothing(name, mask):
    def made() -> gw.Batch:
        batch = gw.Batch(gw.Bloxorz.level("level01"), 3, seed=1, mask=mask)
        for _ in range(3):
            batch.step(batch.sample_legal())
        return batch

    untouched, done = made(), made()
    CALLS[name](done)
    outcomes = [contents(untouched), contents(done)]
    for place in range(10_000):
        batch = made()
        if not interrupted_at(place, lambda batch=batch: CALLS[name](batch), "batch.py"):
            break
        found = contents(batch)
        assert found in outcomes, (place, found)
        assert agrees(batch, range(3)), place
        batch.step(batch.sample_legal())
        assert agrees(batch, range(3)), place
    assert place > 1
    assert contents(batch) == outcomes[1]


@contextlib.contextmanager
def ringing(seconds: float) -> Iterator[None]:
    """Raises ``Interrupt`` from a signal handler after ``seconds`` seconds, unless the block ends first."""

    def ring(*_: object) -> None:
        raise Interrupt

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@needs("threads")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timer")
@pytest.mark.parametrize("threads", [1, 2])
def test_long_batch_calls_are_interrupted_and_do_all_or_nothing(threads):
    make = partial(gw.GeeseSpotter.generate, 20, 20, 60)
    batch = gw.Batch(make, 15_000, seed=1, threads=threads, autoreset="same_step")
    actions = batch.sample_legal()
    state = batch.get_state()
    calls: list[tuple[str, Callable[[], Any]]] = [
        ("reset", batch.reset),
        ("seed", lambda: batch.reset(seed=5)),
        ("set_state", lambda: batch.set_state(state)),
        ("step", lambda: batch.step(actions)),
        ("into", lambda: batch.step_into(actions, **fresh(batch))),
    ]
    rng = random.Random(1)
    interrupts = 0
    for _ in range(20):
        if interrupts > 4:
            break
        for name, call in calls:
            arrays = {word: getattr(batch, word) for word in NAMES if getattr(batch, word) is not None}
            copies = {word: array.copy() for word, array in arrays.items()}
            clocks = batch.engine.save()[1]
            # A call may finish before the signal arrives: its duration depends on the machine.
            with contextlib.suppress(Interrupt), ringing(rng.uniform(0.001, 0.1)):
                call()
                continue
            interrupts += 1
            assert agrees(batch, range(0, 15_000, 997)), name
            if batch.engine.save()[1] == clocks:
                assert all((getattr(batch, word) == copies[word]).all() for word in arrays), name
    assert interrupts > 1


@needs("threads")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timer")
def test_making_a_large_batch_can_be_interrupted():
    game = level(gw.LinearDomination, "long_lookback")
    with pytest.raises(Interrupt), ringing(0.1):
        gw.Batch(game, 3_000, mask="bits")
    with pytest.raises(Interrupt), ringing(0.1):
        gw.Batch(partial(gw.GeeseSpotter.generate, 30, 30, 100), 10**6)


@needs("threads")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timer")
def test_graph_calls_with_two_billion_nodes_can_be_interrupted():
    few = np.array([[0, 1]], np.int32)
    calls: list[Callable[[], Any]] = [
        lambda: gw.graph.UnionFind(2**31 - 1),
        lambda: gw.graph.kruskal(2**31 - 1, few, [1.0]),
        lambda: gw.graph.bfs(2**31 - 2, few, 0),
    ]
    for call in calls:
        # On a machine with little memory, the call fails before the signal arrives.
        with pytest.raises((Interrupt, MemoryError)), ringing(0.1):
            call()


@needs("threads")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timer")
def test_a_signal_handler_that_uses_batches_gets_answers_or_errors():
    batch = gw.Batch(partial(gw.GeeseSpotter.generate, 20, 20, 60), 20_000, seed=1)
    other = gw.Bloxorz.level("level01").batch(2)
    answers = []

    def use(*_: object) -> None:
        other.step([2, 2])
        other.reset()
        try:
            answers.append(batch.game(0).shape)
        except RuntimeError as error:
            answers.append(str(error))

    before = signal.signal(signal.SIGALRM, use)
    signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
    try:
        for _ in range(8):
            batch.reset()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    refused = "the batch cannot be used by a signal handler or finalizer that interrupts a call on it"
    assert set(answers) <= {(20, 20), refused}
    assert answers


@needs_fork
@ignores_fork_warning
def test_a_child_forked_during_a_step_uses_the_batch():
    batch = gw.Batch(partial(gw.GeeseSpotter.generate, 10, 10, 10), 5_000, seed=1, threads=2)
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            batch.step(batch.sample_legal())

    worker = threading.Thread(target=work)
    worker.start()
    try:
        for _ in range(10):
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    signal.alarm(60)  # ends a child that hangs
                    good = agrees(batch, range(0, 5_000, 499))
                    batch.step(batch.sample_legal())
                    batch.reset(seed=3)
                    good &= agrees(batch, range(0, 5_000, 499))
                    status = 0 if good else 2
                finally:
                    os._exit(status)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        worker.join()
    assert agrees(batch, range(0, 5_000, 499))


@needs("threads")
def test_threads_share_a_batch():
    batch = gw.Batch(partial(gw.GeeseSpotter.generate, 10, 10, 10), 300, seed=1, threads=1)
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        rng = random.Random(seed)
        try:
            for _ in range(40):
                rng.choice(
                    [
                        lambda: batch.step(batch.sample_legal()),
                        lambda: batch.reset(seed=rng.randrange(100)),
                        lambda: batch.set_state(batch.get_state()),
                        lambda: batch.set_game(rng.randrange(300), batch.game(rng.randrange(300))),
                        lambda: batch.clone().step(batch.sample_legal()),
                    ]
                )()
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    assert not failures
    assert agrees(batch, range(0, 300, 7))


@pytest.fixture
def patient() -> Iterator[None]:
    """Makes Python switch threads only when the running thread releases the GIL or has held it for 0.1 seconds."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.1)
    yield
    sys.setswitchinterval(before)


@needs("threads")
@pytest.mark.parametrize("name", ["step", "step_flat", "step_into"])
def test_actions_that_another_thread_changes_during_a_step_are_read_once(name, patient):
    # The batch has 600 games, because numpy does not release the GIL while it copies 500 or fewer items.
    batch = gw.Batch(gw.LinearDomination.empty(8, 3), 600, seed=1, threads=1)
    state, good = batch.get_state(), batch.sample_legal()
    if name == "step_flat":
        good = np.ravel_multi_index(tuple(good.T), batch.bounds)
    actions, wrong = good.copy(), np.full_like(good, 10**6)
    step = partial(batch.step_into, **fresh(batch)) if name == "step_into" else getattr(batch, name)

    def found() -> int:
        return hash((batch.board.tobytes(), batch.legal_mask.tobytes(), tuple(batch.engine.save()[1])))

    untouched = found()
    step(good)
    done = found()
    batch.set_state(state)
    assert found() == untouched != done
    writes, stop, pauses = 0, threading.Event(), random.Random(1)

    def write() -> None:
        nonlocal writes
        while not stop.is_set():
            # Both copies release the GIL.
            np.copyto(actions, wrong)
            np.copyto(actions, good)
            writes += 1

    writer = threading.Thread(target=write)
    writer.start()
    stepped, changed = 0, 0
    # On a busy machine, hundreds of steps may pass before the writer runs during one of them.
    end = time.monotonic() + 60
    try:
        while changed <= 5 and time.monotonic() < end:
            began = writes
            try:
                step(actions)
            except gw.MoveError:
                assert found() == untouched
                # The writer may be between its two copies. A refused step releases the GIL only briefly, so this pause
                # lets the writer run.
                time.sleep(pauses.uniform(0, 0.001))
                continue
            # With the GIL, the writer can run only while the step has released it.
            changed += writes > began
            stepped += 1
            assert found() == done
            batch.set_state(state)
    finally:
        stop.set()
        writer.join()
    assert stepped
    assert changed


class Changing:
    """Actions that may differ each time they are read."""

    def __init__(self, versions: list[Any]) -> None:
        self.versions, self.reads = versions, 0

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        version = self.versions[min(self.reads, len(self.versions) - 1)]
        self.reads += 1
        return np.array(version, dtype)

    def __len__(self) -> int:
        return len(self.__array__())

    def __getitem__(self, place: Any) -> Any:
        return self.__array__()[place]


class Sly(int):
    """An integer whose value differs each time it is read."""

    def __int__(self) -> int:
        self.reads = getattr(self, "reads", 0) + 1
        return int.__add__(self, self.reads)

    __index__ = __trunc__ = __int__


class Misleading(np.ndarray):
    """An array that reports a wrong shape."""

    @property
    def shape(self) -> Any:
        return (2, 1)


readings = st.lists(st.one_of(st.integers(-1, 6), st.integers(0, 6).map(Sly)), min_size=1, max_size=3)


@given(st.lists(readings, min_size=1, max_size=4), st.sampled_from(["changing", "sly", "misleading"]), st.booleans())
@settings(max_examples=300, deadline=None, derandomize=True)
def test_actions_that_change_whenever_they_are_read_make_one_step_or_none(versions, how, flat):
    start = gw.Bloxorz.level("level01")
    batch = start.batch(2)
    actions: Any = {
        "changing": lambda: Changing(versions),
        "sly": lambda: versions[0],
        "misleading": lambda: np.array([int(one) for one in versions[0]]).view(Misleading),
    }[how]()
    outcomes = [contents(batch)]
    for one in range(5):
        for other in range(5):
            copy = start.batch(2)
            copy.step([one, other])
            outcomes.append(contents(copy))
    try:
        (batch.step_flat if flat else batch.step)(actions)
    except (ValueError, TypeError, IndexError):
        assert contents(batch) == outcomes[0]
    assert contents(batch) in outcomes
    assert agrees(batch, range(2))


def test_misaligned_actions_are_accepted():
    batch = gw.Bloxorz.level("level01").batch(2)
    actions = np.zeros(17, np.uint8)[1:].view(np.int64)
    actions[:] = 2
    assert not actions.flags.aligned
    for step in (batch.step, batch.step_flat):
        before = batch.board.copy()
        step(actions)
        assert (batch.board != before).any()


def test_buffers_that_share_memory_are_refused():
    game = gw.Bloxorz.level("level01")
    flags = np.zeros(2, bool)
    foreign = bytearray(64)
    numbers = (ctypes.c_bool * 2)()
    pairs = [
        (flags, flags),
        (flags, flags[:]),
        (np.frombuffer(foreign, bool, 2), np.frombuffer(foreign, bool, 2, offset=1)),
        (np.frombuffer(memoryview(foreign), bool, 2), np.frombuffer(memoryview(foreign), bool, 2)),
        (np.ctypeslib.as_array(numbers), np.frombuffer(numbers, bool, 2)),
    ]
    for one, other in pairs:
        with pytest.raises(ValueError, match="truncated must|terminated must"):
            gw.Batch(game, 2, buffers={"terminated": one, "truncated": other})
        batch = game.batch(2)
        before = contents(batch)
        with pytest.raises(ValueError, match="truncated must|terminated must"):
            batch.step_into([2, 2], batch.board, batch.legal_mask, batch.reward, one, other)
        assert contents(batch) == before
        assert batch.terminated is not one
    apart = [np.frombuffer(foreign, bool, 2, offset=place) for place in (0, 2)]
    gw.Batch(game, 2, buffers={"terminated": apart[0], "truncated": apart[1]}).step([2, 2])


def test_errors_name_a_misaligned_buffer_and_buffers_of_a_wrong_type():
    game = gw.Bloxorz.level("level01")
    misaligned = np.zeros(17, np.uint8)[1:].view(np.float64)
    with pytest.raises(ValueError, match="^reward must be aligned"):
        gw.Batch(game, 2, buffers={"reward": misaligned})
    with pytest.raises(TypeError, match="^buffers must be a dict of arrays or None, got 1j"):
        gw.Batch(game, 2, buffers=1j)


@pytest.mark.parametrize("make", ["make", "make_vec"])
def test_errors_name_options_of_a_wrong_type(make):
    gymnasium = pytest.importorskip("gymnasium")
    import gridwright.envs  # noqa: F401

    environment = getattr(gymnasium, make)("gridwright/Bloxorz-v0")
    environment.reset(seed=1, options={})
    with pytest.raises(TypeError, match="^options must be a dict or None, got 3"):
        environment.reset(options=3)


def run(code: str) -> subprocess.CompletedProcess[str]:
    """Runs Python code in a separate process."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)


def test_large_pictures_and_films_are_drawn_or_refused():
    assert str(gw.LinearDomination("8192 1")).count("\n") >= 8191
    from gridwright.draw import films

    assert len(films.line((0, 0), (199, 150)).captions) > 200
    with pytest.raises(ValueError, match="^head must be less than 200 cells from tail, got 100000$"):
        films.line((0, 0), (10**5, 7))
    with pytest.raises(ValueError, match="^nodes must be between 1 and 200"):
        films.union_find(2**63, [(0, 1)], [1])
    with pytest.raises(ValueError, match="^edges must hold at most 1000 edges, got 1001"):
        films.union_find(2, [(0, 1)] * 1001, [1] * 1001)


def test_a_greedy_suggestion_does_not_list_the_vectors_of_the_board():
    resource = pytest.importorskip("resource")
    game = gw.LinearDomination("1500 1")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert game.suggest() is not None
    # A list of the nine million vectors between cells of the board would take at least 72 MB.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 70_000


@needs("processes")
@pytest.mark.parametrize("words", ["solve bloxorz level01", "generate photon 5 5", "levels"])
def test_the_command_line_writes_to_an_ascii_terminal(words, tmp_path):
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": "ascii",
    }
    command = [sys.executable, "-m", "gridwright", *words.split()]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()


@needs("processes")
def test_the_import_loads_no_module_for_processes_or_networking():
    code = """
import sys
import numpy
before = set(sys.modules)
import gridwright
new = {name.partition(".")[0] for name in set(sys.modules) - before} - {"gridwright"}
print(*sorted(new & {"multiprocessing", "socket", "asyncio", "ssl", "subprocess", "concurrent"}))
"""
    done = run(code)
    assert (done.returncode, done.stdout.strip()) == (0, "")


@needs_fork
@ignores_fork_warning
def test_this_package_does_not_crash_the_process_on_a_tampered_pickle():
    """numpy's ``dtype.__setstate__`` crashes the process on some states. A crash is accepted if the pickle also
    crashes the process without this package.
    """
    games = [kind.level(kind.levels()[0]) for kind in gw.GAMES.values()]
    for game in games:
        game.play(*game.sample_legal(1))
    objects = [*games, gw.Batch(gw.Bloxorz.level("level01"), 2), gw.graph.UnionFind(5)]
    rng = random.Random(3)
    for one in objects:
        good = pickle.dumps(one, 4)
        texts = []
        for _ in range(150):
            text = bytearray(good)
            text[rng.randrange(len(text))] = rng.randrange(256)
            texts.append(bytes(text))
        start = 0
        while start < len(texts):
            last, status = load_in_child(texts[start:], pickle.Unpickler)
            if status == 0:
                break
            start += last
            assert load_in_child(texts[start : start + 1], WithoutPackage)[1] != 0, (type(one).__name__, texts[start])
            start += 1


class Inert:
    """Replaces every class and function of this package when ``WithoutPackage`` reads a pickle."""

    def __new__(cls, *_: Any, **__: Any) -> Inert:
        return object.__new__(cls)

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __setstate__(self, state: object) -> None:
        pass


class WithoutPackage(pickle.Unpickler):
    """Reads a pickle without calling any code of this package."""

    def find_class(self, module: str, name: str) -> Any:
        return Inert if module.startswith("gridwright") else super().find_class(module, name)


def load_in_child(texts: list[bytes], reader: type[pickle.Unpickler]) -> tuple[int, int]:
    """Loads pickles in a child process. Returns the index of the last pickle that the child began to load, and the wait
    status of the child.
    """
    came, goes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            import resource

            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(100)
            for k, text in enumerate(texts):
                os.write(goes, k.to_bytes(4, "big"))
                try:
                    found = reader(io.BytesIO(text)).load()
                    repr(found)
                    if isinstance(found, gw.Batch):
                        found.step(found.sample_legal())
                    elif isinstance(found, gw.GridGame):
                        found.board, found.moves, found.copy()
                except errors.InternalError:
                    raise
                except Exception:
                    pass
        except BaseException:
            os._exit(3)
        os._exit(0)
    os.close(goes)
    with os.fdopen(came, "rb") as pipe:
        places = pipe.read()
    status = os.waitpid(child, 0)[1]
    return int.from_bytes(places[-4:], "big"), status


INTERNAL = "internal error in gridwright, please report it: planted by a test"


def check_panic(plant: Callable[[], Any], uses: list[Callable[[], Any]], name: str) -> None:
    """Calls ``plant``, which panics in a method of an object. Checks that the call raises an error that asks for a
    report, and that all later ``uses`` of the object, called ``name`` in messages, are refused.
    """
    with pytest.raises(RuntimeError, match=f"^{INTERNAL}$"):
        plant()
    for use in uses:
        with pytest.raises(RuntimeError, match=f"^{name} was left unusable by an internal error in an earlier call$"):
            use()


def test_a_panic_in_any_function_raises_internal_error():
    """PyO3 catches a panic in any binding and raises its own exception class, which this package renames to
    ``InternalError``.
    """
    with pytest.raises(RuntimeError, match=f"^{INTERNAL}$") as caught:
        _core._panic()
    assert type(caught.value) is gw.errors.InternalError
    # A worker process sends the error to its parent as a pickle.
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (gw.errors.InternalError, str(caught.value))


def work_within(seconds: float) -> float:
    """Returns the processor time in seconds that this process uses while this thread sleeps for ``seconds`` seconds."""
    began = time.process_time()
    time.sleep(seconds)
    return time.process_time() - began


@needs("threads")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timer")
def test_a_panic_in_a_handler_or_callback_leaves_the_interrupted_object_usable():
    def panic(*_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)  # a second alarm would interrupt the handling of the first
        _core._panic()

    batch = gw.Batch(partial(gw.GeeseSpotter.generate, 20, 20, 60), 20_000, seed=1)
    before = signal.signal(signal.SIGALRM, panic)
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
    try:
        with pytest.raises(gw.errors.InternalError, match=f"^{INTERNAL}$"):
            all(batch.reset() is None for _ in range(50))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    batch.step(batch.sample_legal())
    assert agrees(batch, range(0, 20_000, 997))
    game = gw.Bloxorz.level("level01")
    with pytest.raises(gw.errors.InternalError, match=f"^{INTERNAL}$"):
        game.perft(12, progress=panic)
    assert game.solve() == "rrdrrrd"
    # For a large board, `solve` searches on a separate thread. That thread must end too, although the whole search
    # would take longer than the minute that this test waits.
    pieces = {"lasers": 4, "sensors": 12, "mirrors": 8, "splitters": 8, "tmirrors": 8}
    large = gw.MyPhoton.generate(400, 400, **pieces, seed=1)
    text = large.text
    with pytest.raises(gw.errors.InternalError, match=f"^{INTERNAL}$"):
        large.solve(progress=panic)
    end = time.monotonic() + 60
    while work_within(0.2) > 0.1:
        assert time.monotonic() < end
    assert large.text == text


def test_a_panic_in_a_game_breaks_that_game_only(kind):
    game = kind.level(kind.levels()[0])
    other = game.copy()
    move = game.sample_legal(1)
    uses = [lambda: game.play(*move), game.undo, game.reset, game.legal_moves, game.legal_mask, lambda: game.board]
    uses += [lambda: game.text, lambda: game.status, game.copy, lambda: pickle.dumps(game), lambda: game.perft(1)]
    uses += [lambda: game == other, lambda: other == game, lambda: game.batch(2), game.solve, game.svg]
    check_panic(game._panic, uses, "the game")
    other.play(*move)
    assert other.undo()
    assert other == kind(other.text)


@pytest.mark.parametrize("long", [False, True])
def test_a_panic_in_a_batch_breaks_that_batch_only(long):
    batch = gw.Bloxorz.level("level01").batch(3)
    other, state = batch.clone(), batch.get_state()
    uses = [lambda: batch.step([2, 2, 2]), batch.reset, batch.sample_legal, batch.get_state, batch.clone]
    uses += [lambda: batch.set_state(state), lambda: batch.game(0), lambda: pickle.dumps(batch)]
    check_panic(lambda: batch.engine._panic(long), uses, "the batch")
    other.step([2, 2, 2])
    other.set_state(state)
    assert agrees(other, range(3))


def test_a_panic_in_a_union_find_breaks_that_union_find_only():
    sets = gw.graph.UnionFind(4)
    other = sets.__copy__()
    uses = [lambda: sets.find(1), lambda: sets.union(0, 1), lambda: sets.parents, lambda: len(sets), sets.__copy__]
    check_panic(sets._panic, [*uses, lambda: repr(sets), lambda: pickle.dumps(sets)], "the union-find")
    assert other.union(0, 1)


class Failing:
    """An argument that raises an error when it is read."""

    def __init__(self, error: BaseException) -> None:
        self.error, self.reads = error, 0

    def __index__(self) -> int:
        self.reads += 1
        raise self.error


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), Interrupt(), SystemExit(3), ValueError("planted"), TypeError("planted")]
)
def test_an_argument_that_raises_is_read_once_and_its_error_propagates(kind, error):
    game = kind.level(kind.levels()[0])
    before = shown_state(game)
    for call in (game.play, game.is_legal):
        failing = Failing(error)
        # A TypeError from `__index__` means that the value is not an integer. The game then raises its own error
        # instead, which is also a TypeError.
        with pytest.raises(errors.MoveTypeError if isinstance(error, TypeError) else type(error)) as raised:
            call(failing, *[0] * (len(game.bounds) - 1))
        assert failing.reads == 1
        assert raised.value is error or isinstance(error, TypeError)
        assert shown_state(game) == before


def test_a_pickle_with_too_many_undone_moves_undoes_all_moves(kind):
    game = kind.level(kind.levels()[0])
    start = game.text
    game.play(*game.sample_legal(1))
    text, moves, _, attributes = game.__getstate__()
    # In a browser's Python, sizes have 32 bits, and numbers of 2**32 or more are refused.
    for undone in (2**31, 2**32 - 1) if IN_TAB else (2**40, 2**63):
        # A loop that ran `undone` times would take hours.
        game.__setstate__((text, moves, undone, attributes))
        assert game.text == start
        assert game.undone.tolist() == moves.tolist()
    with pytest.raises((OverflowError, ValueError, TypeError)):
        game.__setstate__((text, moves, 2**64, attributes))
    assert game.undone.tolist() == moves.tolist()


@needs("a disk that can be full")
@pytest.mark.parametrize("at", ["write", "close", "replace", "full", "signal"])
def test_a_save_that_fails_leaves_the_old_file_and_nothing_beside_it(at, tmp_path, monkeypatch):
    game = gw.LightEmAll.generate(60, 60, seed=1)
    film = gw.Bloxorz.level("level01").animate("rr")
    report = check.block(lambda *_: None)
    saves = {"game.txt": game.save, "game.svg": game.save_image, "film.html": film.save, "film.gif": film.save}
    saves |= {"report.svg": report.save_image, "report.png": report.save_image}
    saves["tasks.jsonl"] = lambda path: tasks.export(path.parent, "line", count=3)
    saves["result.txt"] = lambda path: gw.domination.run_game(tmp_path / "plays.txt", path)
    row = records.Record(
        "table", "a row", ("n",), ("square",), ((3,),), (), lambda key, kept: iter([(1.0, {"square": 10**200})])
    )
    saves["table.csv"] = lambda path: records.run(row, path.parent, tell=lambda line: None)
    # The last line of the sweep's file is cut short, so the next sweep first writes the complete lines again.
    sweep = tmp_path / "sweep.jsonl"
    gw.sweep(abs, 2000, file=sweep)
    sweep.write_bytes(sweep.read_bytes()[:-3])
    good = {**dict.fromkeys((*saves, "README.md", "solved.json"), b"good"), sweep.name: sweep.read_bytes()}
    saves[sweep.name] = lambda path: gw.sweep(abs, 2000, file=path)
    good["plays.txt"] = b"20 2\n3 1 1 4\n"
    for name, data in good.items():
        (tmp_path / name).write_bytes(data)

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    if at == "replace":
        monkeypatch.setattr(os, "replace", fail)
    elif at == "full":
        resource = pytest.importorskip("resource")
        # The operating system writes the first 100 bytes and refuses the rest.
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
        before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    else:

        class Torn(io.FileIO):
            """A file that fails after half of its data is written, or that fails to close."""

            def write(self, data: Any) -> int:
                if at in ("write", "signal"):
                    super().write(bytes(data)[: len(data) // 2])
                    if at == "signal":
                        raise KeyboardInterrupt
                    fail()
                return super().write(data)

            def close(self) -> None:
                was = self.closed
                super().close()
                if at == "close" and not was:
                    fail()

        monkeypatch.setattr(files, "open", lambda path, mode: Torn(path, mode.replace("b", "")), raising=False)
    try:
        for name, save in saves.items():
            with pytest.raises(
                KeyboardInterrupt if at == "signal" else OSError, match=r"^$|No space left|File too large"
            ):
                save(tmp_path / name)
        # Storing the solved levels ignores disk errors, but not Ctrl-C.
        with pytest.raises(KeyboardInterrupt) if at == "signal" else contextlib.nullcontext():
            solved.FileStorage(tmp_path / "solved.json").write("new" * 100)
    finally:
        if at == "full":
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, before)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == good


@needs("a folder that can be deleted")
@pytest.mark.parametrize("how", ["refused", "missing", "a file", "a folder", "gone"])
def test_the_error_of_a_refused_write_names_what_the_user_named(how, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path, error, words = Path("level.txt"), PermissionError, "Permission denied: 'level.txt'"
    if how == "refused":

        def refuse(path: Path, mode: str) -> None:
            raise PermissionError(13, "Permission denied", str(path))

        # The superuser, who may run the tests, may write everywhere.
        monkeypatch.setattr(files, "open", refuse, raising=False)
    elif how == "missing":
        path, error, words = path / "x.txt", FileNotFoundError, f"no such folder: '{tmp_path / path}'"
    elif how == "a file":
        path.write_text("")
        path, error, words = path / "x.txt", NotADirectoryError, "Not a directory: 'level.txt/x.txt'"
    elif how == "a folder":
        path.mkdir()
        error, words = IsADirectoryError, "Is a directory: 'level.txt'"
    else:
        folder = tmp_path / "folder"
        folder.mkdir()
        monkeypatch.chdir(folder)
        folder.rmdir()
        error, words = FileNotFoundError, "no such folder: '.'"
    with pytest.raises(error, match=re.escape(words) + "$"):
        gw.Bloxorz.level("level01").save(path)


ATTACKS: dict[int, tuple[str, ...]] = {
    1: ("test_batch.test_states_of_another_size_or_kind_are_refused_and_change_nothing",),
    2: ("test_check_hostile.test_attacks_earn_nothing",),
    3: ("test_check_hostile.test_checks_in_threads_restore_the_streams",),
    4: ("test_memory.test_no_call_kills_the_process_when_memory_is_scarce",),
    5: (
        "test_abuse.test_actions_that_another_thread_changes_during_a_step_are_read_once",
        "test_abuse.test_actions_that_change_whenever_they_are_read_make_one_step_or_none",
    ),
    6: ("test_abuse.test_a_signal_handler_that_uses_batches_gets_answers_or_errors",),
    7: (
        "test_abuse.test_long_batch_calls_are_interrupted_and_do_all_or_nothing",
        "test_interrupts.test_every_member_of_a_large_board_responds_to_ctrl_c",
    ),
    8: ("test_check_hostile.test_attacks_earn_nothing",),
    9: ("test_pictures.test_svg_from_elsewhere_only_draws",),
    10: ("test_abuse.test_a_save_that_fails_leaves_the_old_file_and_nothing_beside_it",),
    11: ("test_abuse.test_a_batch_call_that_is_interrupted_anywhere_does_all_or_nothing",),
    12: ("test_abuse.test_a_pickle_with_too_many_undone_moves_undoes_all_moves",),
    13: ("test_abuse.test_a_child_forked_during_a_step_uses_the_batch",),
    14: ("test_abuse.test_an_argument_that_raises_is_read_once_and_its_error_propagates",),
    15: (
        "test_abuse.test_a_sweep_refuses_wrong_seeds_before_it_calls_the_function",
        "test_abuse.test_a_sweep_restarts_a_file_cut_within_its_first_line",
    ),
    16: (
        "test_abuse.test_large_pictures_and_films_are_drawn_or_refused",
        "test_abuse.test_a_greedy_suggestion_does_not_list_the_vectors_of_the_board",
    ),
    17: ("test_abuse.test_copies_and_pickles_of_a_union_find_behave_like_the_original",),
    18: (
        "test_abuse.test_misaligned_actions_are_accepted",
        "test_abuse.test_errors_name_a_misaligned_buffer_and_buffers_of_a_wrong_type",
        "test_abuse.test_errors_name_options_of_a_wrong_type",
    ),
    19: ("test_domination.test_the_standard_rules_check_for_zero_length_last",),
    20: ("test_abuse.test_the_command_line_writes_to_an_ascii_terminal",),
    21: ("test_abuse.test_buffers_that_share_memory_are_refused",),
    22: ("test_check_hostile.test_a_check_leaves_the_state_of_the_grader_as_it_was",),
    23: ("test_check_hostile.test_attacks_earn_nothing",),
    24: (
        "test_abuse.test_the_import_loads_no_module_for_processes_or_networking",
        "test_abuse.test_this_package_does_not_crash_the_process_on_a_tampered_pickle",
    ),
}
"""Maps the number of each attack that exposed a fault to the names of the tests that repeat it."""


def test_every_attack_that_exposed_a_fault_has_a_test():
    assert list(ATTACKS) == list(range(1, 25))
    for test in {test for tests in ATTACKS.values() for test in tests}:
        module, _, name = test.partition(".")
        tree = ast.parse((Path(__file__).parent / f"{module}.py").read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, test


APPENDED = {"sweep.py": 1, "contest/__init__.py": 1}
"""Maps a module to the number of its calls that append to a file, whose reader detects a line that was cut short."""

SCRATCH = {"check/lines.py": 1, "check/blocks.py": 1}
"""Maps a module to the number of its calls that write a temporary file for a checked function to read."""


def test_only_files_py_and_the_listed_modules_write_files():
    found: dict[str, int] = {}
    package = Path(gw.__file__).parent
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and name != "files.py":
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                modes = [each.value for each in node.args if isinstance(each, ast.Constant)]
                modes += [each.value.value for each in node.keywords if isinstance(each.value, ast.Constant)]
                opened = called in ("open", "fdopen") and any(
                    re.fullmatch(r"[rwaxbt+]*[wax+][bt]*", str(m)) for m in modes
                )
                if opened or called in ("write_text", "write_bytes", "savetxt", "savez", "tofile"):
                    found[name] = found.get(name, 0) + 1
    assert found == APPENDED | SCRATCH


def test_a_sweep_refuses_wrong_seeds_before_it_calls_the_function():
    calls: list[int] = []
    for seeds in ([-1, 2**63], [5, -(2**63) - 1], [2**64], 2**63, -1, 10**9 + 1):
        with pytest.raises(ValueError, match=r"^seeds must"):
            gw.sweep(lambda seed: calls.append(seed), seeds)
    assert calls == []


@pytest.mark.parametrize("length", [0, 1, 10, 22])
def test_a_sweep_restarts_a_file_cut_within_its_first_line(length, tmp_path):
    file = tmp_path / "sweep.jsonl"
    whole = gw.sweep(abs, 5, file=file)
    text = file.read_bytes()
    assert length < text.index(b"\n")
    file.write_bytes(text[:length])
    for _ in range(2):
        assert gw.sweep(abs, 5, file=file)["value"].tolist() == whole["value"].tolist()


@pytest.mark.parametrize("data", [b"my notes", b"{", b"\xff\xfe\n", b"1\n"])
def test_a_sweep_does_not_overwrite_other_files(data, tmp_path):
    file = tmp_path / "notes.txt"
    file.write_bytes(data)
    if data == b"{":  # could be a sweep's file cut after one byte, so the sweep starts the file again
        assert len(gw.sweep(abs, 3, file=file)["seed"]) == 3
        return
    with pytest.raises(ValueError, match="file must be a file of a sweep or not exist, got"):
        gw.sweep(abs, 3, file=file)
    assert file.read_bytes() == data


@pytest.mark.parametrize("strategy", ["naive", "compression", "size", "both"])
def test_copies_and_pickles_of_a_union_find_behave_like_the_original(strategy):
    sets = gw.graph.UnionFind(300, strategy=strategy)
    rng = random.Random(2)
    for _ in range(200):
        sets.union(rng.randrange(300), rng.randrange(300))
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(sets, protocol))
        pairs = [(rng.randrange(300), rng.randrange(300)) for _ in range(50)]
        for each in (sets.__copy__(), again):
            original = sets.__copy__()
            for _ in range(2):
                assert repr(each) == repr(original)
                assert each.parents.tolist() == original.parents.tolist()
                assert each.follows == original.follows
                assert [each.union(*pair) for pair in pairs] == [original.union(*pair) for pair in pairs]


def test_the_release_workflow_pins_actions_to_commits_and_expands_no_expression_in_a_script():
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    actions = re.findall(r"uses: (\S+)", text)
    assert actions
    for action in actions:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action), action
    for line in text.splitlines():
        # Scripts begin after "run:". Expressions may appear only in the values of other YAML keys.
        if "${{" in line:
            assert re.match(r"\s*(- )?[\w-]+: ", line), line
            assert not re.match(r"\s*(- )?run:", line), line


# Values to try as moves, indices and seeds. Most of them are invalid.
numbers = st.one_of(
    st.integers(-2, 8), st.sampled_from([-(2**63), 2**31, 2**63, 2**64, 2**70]), st.just(None), st.just(1.5)
)
places = st.integers(0, 1)


def shown_state(one: Any) -> Any:
    """Returns the observable state of a game or batch."""
    if isinstance(one, gw.Batch):
        return contents(one)
    return one.text, one.board.tolist(), one.moves.tolist(), pickle.dumps(one)


REFUSED = (ValueError, TypeError, IndexError, RuntimeError)
"""The exceptions that an invalid call may raise, except ``InternalError``, which is a ``RuntimeError``."""


class Pairs(RuleBasedStateMachine):
    """Calls methods of two games and three batches. Checks that a call that raises changes nothing, and that any other
    call changes only its own object.
    """

    @initialize(name=st.sampled_from(list(gw.GAMES)), seed=st.integers(0, 99))
    def begin(self, name: str, seed: int) -> None:
        kind = gw.GAMES[name]
        self.games = [kind.level(one) for one in (kind.levels()[0], kind.levels()[-1])]
        # The third batch is of Bloxorz, so that batches of the other games are also given states of Bloxorz.
        self.batches = [gw.Batch(kind.level(kind.levels()[0]), n, seed) for n in (2, 3)]
        self.batches.append(gw.Batch(gw.Bloxorz.level("level02"), 2, seed))
        self.states = [batch.get_state() for batch in self.batches]

    def call(self, changed: Any, work: Callable[[], Any]) -> None:
        objects = [*self.games, *self.batches]
        before = [shown_state(one) for one in objects]
        try:
            work()
        except errors.InternalError:
            raise
        except REFUSED:
            changed = None
        for one, then in zip(objects, before, strict=True):
            if one is not changed:
                assert shown_state(one) == then
        for batch in self.batches:
            assert agrees(batch, range(batch.n))

    @rule(which=places, parts=st.lists(numbers, max_size=5))
    def play(self, which: int, parts: list[Any]) -> None:
        self.call(self.games[which], lambda: self.games[which].play(*parts))

    @rule(which=places, seed=st.integers(0, 2**40))
    def play_legal(self, which: int, seed: int) -> None:
        move = self.games[which].sample_legal(seed)
        if move is not None:
            self.call(self.games[which], lambda: self.games[which].play(*move))

    @rule(which=places, name=st.sampled_from(["undo", "redo", "reset"]))
    def back(self, which: int, name: str) -> None:
        self.call(self.games[which], getattr(self.games[which], name))

    @rule(which=places, undone=numbers, moves=st.lists(st.lists(numbers, max_size=4), max_size=3))
    def load_tampered(self, which: int, undone: Any, moves: Any) -> None:
        text = self.games[1 - which].text
        self.call(self.games[which], lambda: self.games[which].__setstate__((text, moves, undone, {})))

    @rule(which=st.integers(0, 2), actions=st.lists(st.lists(numbers, max_size=4), max_size=3))
    def step(self, which: int, actions: Any) -> None:
        self.call(self.batches[which], lambda: self.batches[which].step(actions))

    @rule(which=st.integers(0, 2))
    def step_legal(self, which: int) -> None:
        batch = self.batches[which]
        actions = batch.sample_legal(3)
        self.call(batch, lambda: batch.step(actions))

    @rule(which=st.integers(0, 2), seed=st.one_of(numbers, st.lists(numbers, max_size=3)), marked=st.booleans())
    def reset(self, which: int, seed: Any, marked: bool) -> None:
        batch = self.batches[which]
        mask = np.arange(batch.n) % 2 == 0 if marked else None
        self.call(batch, lambda: batch.reset(mask, seed=seed))

    @rule(to=st.integers(0, 2), of=st.integers(0, 2))
    def set_state(self, to: int, of: int) -> None:
        self.call(self.batches[to], lambda: self.batches[to].set_state(self.states[of]))

    @rule(which=st.integers(0, 2), place=numbers, game=places)
    def set_game(self, which: int, place: Any, game: int) -> None:
        self.call(self.batches[which], lambda: self.batches[which].set_game(place, self.games[game]))

    @rule(which=st.integers(0, 2), shared=st.booleans(), wrong=st.booleans())
    def step_into(self, which: int, shared: bool, wrong: bool) -> None:
        batch = self.batches[which]
        arrays = fresh(batch)
        if shared:
            arrays["truncated"] = arrays["terminated"]
        actions = batch.sample_legal(5)[: -1 if wrong else None]
        self.call(batch, lambda: batch.step_into(actions, **arrays))


class EnvironmentPairs(RuleBasedStateMachine):
    """Calls methods of three single and three vector environments. Checks that a call that raises changes nothing, and
    that any other call changes only its own environment.
    """

    @initialize(name=st.sampled_from(["Bloxorz", "MyPhoton", "LightEmAll", "GeeseSpotter"]), mode=st.booleans())
    def begin(self, name: str, mode: bool) -> None:
        gymnasium = pytest.importorskip("gymnasium")
        import gridwright.envs  # noqa: F401

        names = [f"gridwright/{one}-v0" for one in (name, name, "Bloxorz")]
        modes = gymnasium.vector.AutoresetMode
        vectors = {"num_envs": 2, "autoreset_mode": modes.SAME_STEP if mode else modes.DISABLED}
        singles = [gymnasium.make(one).unwrapped for one in names]
        self.environments = [*singles, *(gymnasium.make_vec(one, **vectors).unwrapped for one in names)]
        for seed, each in enumerate(self.environments):
            each.reset(seed=seed)
        self.states = [each.get_state() for each in self.environments]

    def shown(self, one: Any) -> list[Any]:
        ended = one._ended.tolist() if hasattr(one, "_ended") else None
        return [contents(one._batch), ended, one.action_masks().tolist()]

    def call(self, changed: Any, work: Callable[[], Any]) -> None:
        before = [self.shown(one) for one in self.environments]
        try:
            work()
        except errors.InternalError:
            raise
        except REFUSED:
            changed = None
        for one, then in zip(self.environments, before, strict=True):
            if one is not changed:
                assert self.shown(one) == then

    @rule(
        which=st.integers(0, 5), action=st.one_of(numbers, st.lists(st.one_of(numbers, st.lists(numbers)), max_size=3))
    )
    def step(self, which: int, action: Any) -> None:
        one = self.environments[which]
        self.call(one, lambda: one.step(action))

    @rule(which=st.integers(0, 5))
    def step_legal(self, which: int) -> None:
        one = self.environments[which]
        if which < 3:
            one.action_space.seed(5)
            self.call(one, lambda: one.step(one.action_space.sample()))
        else:
            self.call(one, lambda: one.step(one.sample_legal(5)))

    @rule(which=st.integers(0, 5), seed=st.one_of(numbers, st.lists(numbers, max_size=3)), options=st.integers(0, 3))
    def reset(self, which: int, seed: Any, options: int) -> None:
        one = self.environments[which]
        chosen = [None, 3, {"reset_mask": np.array([True, False])}, {"reset_mask": [1]}][options]
        self.call(one, lambda: one.reset(seed=seed, options=chosen))

    @rule(to=st.integers(0, 5), of=st.integers(0, 5), tampered=st.integers(0, 3))
    def set_state(self, to: int, of: int, tampered: int) -> None:
        state = self.states[of]
        if isinstance(state, tuple):
            state = [state, (state[0], state[1][:1]), (state[0], "no"), (None, state[1])][tampered]
        self.call(self.environments[to], lambda: self.environments[to].set_state(state))

    @rule(of=st.integers(0, 5))
    def clone(self, of: int) -> None:
        one = self.environments[of]

        def work() -> None:
            one.clone().step(one.clone().action_space.sample())
            pickle.loads(pickle.dumps(one)).reset(seed=1)

        self.call(None, work)


class FilmPairs(RuleBasedStateMachine):
    """Calls methods of two games and of a film of each. Checks that no call changes a film, and that a call on one game
    does not change the other game.
    """

    @initialize(names=st.lists(st.sampled_from(list(gw.GAMES)), min_size=2, max_size=2))
    def begin(self, names: list[str]) -> None:
        self.games = [gw.GAMES[name].level(gw.GAMES[name].levels()[0]) for name in names]
        for seed, game in enumerate(self.games):
            if (move := game.sample_legal(seed)) is not None:
                game.play(*move)
        self.films = [game.animate() for game in self.games]

    def call(self, changed: Any, work: Callable[[], Any]) -> None:
        games = [shown_state(game) for game in self.games]
        films = [film.html() for film in self.films]
        try:
            work()
        except errors.InternalError:
            raise
        except (*REFUSED, OSError):
            pass
        assert [film.html() for film in self.films] == films
        for game, then in zip(self.games, games, strict=True):
            if game is not changed:
                assert shown_state(game) == then

    @rule(which=places, seed=st.integers(0, 2**40))
    def play(self, which: int, seed: int) -> None:
        game = self.games[which]
        if (move := game.sample_legal(seed)) is not None:
            self.call(game, lambda: game.play(*move))

    @rule(which=places, name=st.sampled_from(["undo", "redo", "reset"]))
    def back(self, which: int, name: str) -> None:
        self.call(self.games[which], getattr(self.games[which], name))

    @rule(which=places, moves=st.lists(st.lists(numbers, max_size=4), max_size=3), seconds=numbers)
    def animate(self, which: int, moves: Any, seconds: Any) -> None:
        self.call(None, lambda: self.games[which].animate(moves, seconds=seconds))

    @rule(which=places, i=numbers)
    def frame(self, which: int, i: Any) -> None:
        self.call(None, lambda: self.films[which].frame(i))

    @rule(which=places, name=st.sampled_from(["nowhere/film.html", "film.doc", "film.gif", ""]))
    def save(self, which: int, name: str) -> None:
        def fail(_: object) -> None:
            raise ValueError

        self.call(None, lambda: self.films[which].save(name, progress=fail))


FilmPairs.TestCase.settings = settings(max_examples=10, stateful_step_count=10, deadline=None, derandomize=True)
TestFilmPairs = FilmPairs.TestCase


EnvironmentPairs.TestCase.settings = settings(max_examples=12, stateful_step_count=12, deadline=None, derandomize=True)
TestEnvironmentPairs = EnvironmentPairs.TestCase


Pairs.TestCase.settings = settings(max_examples=12, stateful_step_count=15, deadline=None, derandomize=True)
TestPairs = Pairs.TestCase


@needs("processes")
def test_a_small_address_space_causes_memory_errors_and_no_crash():
    pytest.importorskip("resource")
    done = run("""
import resource
import numpy as np
import gridwright as gw
from functools import partial
game, large = gw.Bloxorz.level("level01"), gw.LightEmAll.generate(1000, 1000, seed=1)
batch = gw.Batch(partial(gw.GeeseSpotter.generate, 16, 16, 40), 2000, seed=1, threads=1)
actions, state = batch.sample_legal(), batch.get_state()
soft = int(next(line for line in open("/proc/self/status") if line.startswith("VmSize")).split()[1]) * 1024
resource.setrlimit(resource.RLIMIT_AS, (soft + (48 << 20), resource.getrlimit(resource.RLIMIT_AS)[1]))
segments = np.zeros((4, 4), np.int32) + [0, 0, 10**6, 10**6]
refused = {
    "Batch": lambda: gw.Batch(game, 10**8),
    "40 batches": lambda: [gw.Batch(game, 50_000) for _ in range(40)],
    "mask": lambda: gw.Batch(gw.LinearDomination.empty(30, 3), 2000),
    "UnionFind": lambda: gw.graph.UnionFind(2**31 - 1),
    "blank": lambda: gw.LightEmAll.blank(8192, 8192),
    "legal_mask": lambda: gw.LinearDomination.empty(120, 3).legal_mask(),
    "coverage": lambda: gw.tracing.coverage((8192, 8192), segments),
    "trace_many": lambda: gw.tracing.trace_many(np.repeat(segments, 20, axis=0)),
}
for name, call in refused.items():
    try:
        call()
    except MemoryError:
        pass
    else:
        print(name, "raised nothing")
batch.step(actions)
batch.set_state(state)
print(all((batch.board[i] == batch.game(i).board).all() for i in range(0, 2000, 99)), game.solve())
""")
    assert (done.returncode, done.stdout) == (0, "True rrdrrrd\n"), done.stderr[-2000:]


SMALL_STACK = """
import threading
import gridwright as gw

n = 1000
groups = gw.LightEmAll(f"2 {n} wrap\\n6{'e' * (n - 2)}c\\n{'1' * n}\\nstation 0 0\\n")
lines = gw.LightEmAll.generate(45, 45, seed=1, scramble=False).text.split("\\n")
lines[1] = format(int(lines[1][0], 16) | 1, "x") + lines[1][1:]  # adds one spare wire end
spare = gw.LightEmAll("\\n".join(lines))
cycle = ["W W W W W W SvW W W W W ", "W L>M/W W L>B\\\\W W L>M\\\\S<", "W W S^W W W W W W W S^W "]
cycles = gw.MyPhoton(f"12 {3 * 300}\\n" + "\\n".join(cycle * 300) + "\\n")

def solve(game, *how, **options):
    try:
        print(len(game.solve(*how, **options)))
    except gw.SearchLimitError:
        print("limit")

threading.stack_size(256 << 10)
for call in (
    lambda: solve(groups, "turns", limit=10**5),
    lambda: solve(spare, limit=10**9),
    lambda: solve(cycles, fewest=False),
):
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
"""


@needs("processes")
def test_searches_of_many_parts_need_little_stack():
    done = subprocess.run([sys.executable, "-c", SMALL_STACK], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    assert done.stdout.split() == ["limit", "45", "600"], done.stdout
