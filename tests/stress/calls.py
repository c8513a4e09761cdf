"""Calls public functions with random arguments, and reports panics, hangs and growing memory.

    python tests/stress/calls.py [calls] [seed]

By default, the script makes 10,000 calls with seed 1. Before each call, it writes the call to ``last_call.txt``, which
after a crash names the call that caused the crash. The exit status is 1 if a call panicked or took longer than 20 s, or
if memory kept growing.
"""

from __future__ import annotations

import collections
import contextlib
import faulthandler
import gc
import inspect
import io
import os
import pickle
import random
import resource
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from typing import Any

import gridwright as gw
import numpy as np

LONG = 20.0
SKIPPED = {"main", "animate", "widget", "save_image", "to_networkx", "to_scipy"}
MODULES = [*(getattr(gw, name) for name in gw.GAMES), gw.graph, gw.tracing]


ODD = {"OverflowError", "SystemError", "AssertionError", "RecursionError", "ZeroDivisionError", "UnboundLocalError"}
"""Errors that no argument should cause. They are printed but are not failures, because numpy itself raises some."""


class TooLong(Exception):
    """Raised by the handler of the alarm signal if a call takes too long."""


def resident() -> float:
    """Returns the resident memory of this process in megabytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


class Caller:
    """Draws random calls and their arguments from one seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.texts = [kind.level(name).text for kind in gw.GAMES.values() for name in kind.levels()[:6]]
        self.games: list[Any] = [kind.level(kind.levels()[0]) for kind in gw.GAMES.values()]
        self.others: list[Any] = []
        self.functions = [
            (f"{module.__name__}.{name}", getattr(module, name))
            for module in MODULES
            for name in module.__all__
            if name not in SKIPPED and callable(getattr(module, name))
        ] + [("Batch", gw.Batch)]

    def integer(self) -> Any:
        r = self.rng
        plain = r.choice([0, 1, 2, 3, 4, 5, 7, 10, r.randrange(20), r.randrange(-3, 60)])
        odd = r.choice([-1, -(2**31), 2**31, 2**32, 2**63, 2**64, 2**70, -(2**70), 10**5, 10**7, np.uint8(3), True])
        return plain if r.random() < 0.9 else odd

    def text(self) -> str:
        r = self.rng
        text = r.choice(self.texts)
        if r.random() < 0.4:
            return text
        letters = list(text)
        for _ in range(r.randrange(1, 5)):
            at = r.randrange(len(letters) + 1)
            letters[at : at + r.randrange(3)] = r.choice(
                ["", "\n", " ", "9", "-", "#", "é", "\0", "\ud800", "o", "999999"]
            )
        return "".join(letters)

    def array(self) -> Any:
        r = self.rng
        shape = tuple(r.randrange(0, 7) for _ in range(r.randrange(0, 4)))
        dtype = r.choice([np.uint8, np.int32, np.int64, np.float64, bool, np.uint64, np.int8, object, "U3"])
        made = np.array([r.choice([0, 1, 2, 9, 15, 32, 255, -1]) for _ in range(int(np.prod(shape)))]).reshape(shape)
        with np.errstate(all="ignore"):
            made = made.astype(dtype)
        return r.choice([made, made.T, made[..., ::-1] if made.ndim else made])

    def anything(self) -> Any:
        r = self.rng
        return r.choice(
            [
                self.integer,
                self.integer,
                self.text,
                self.array,
                lambda: None,
                lambda: r.choice([0.0, -1.5, float("nan"), float("inf"), 1e300]),
                lambda: (self.integer(), self.integer()),
                lambda: [self.integer() for _ in range(r.randrange(6))],
                lambda: [(self.integer(), self.integer()) for _ in range(r.randrange(4))],
                lambda: r.choice(
                    ["r", "lurds", "N", "kruskal", "wilson", "bresenham", "wu", "standard", "keys", "", "x" * 50]
                ),
                lambda: r.choice(self.games),
                lambda: r.choice(self.others) if self.others else None,
                lambda: b"bytes",
                dict,
                lambda: len,
                lambda: object(),
            ]
        )()

    def fitting(self, name: str) -> Any:
        """Returns a plausible argument for the parameter ``name``, or any argument if the name is unknown."""
        r = self.rng
        if name in ("limit",):
            return r.choice([0, 1, 100, 2000])
        if name in ("progress",):
            return r.choice([None, lambda done: None])
        if name in ("path", "input_path", "output_path"):
            return r.choice(["here.txt", "there.txt", "missing/none.txt"])
        if name in ("text",):
            return self.text()
        if name in ("cell", "a", "b", "tail", "head", "station", "source_cell"):
            return (r.randrange(8), r.randrange(8))
        if name in ("board", "mask", "wires"):
            return np.array([[r.choice([0, 9]) for _ in range(5)] for _ in range(4)], dtype=np.uint8)
        if name in ("edges",):
            return np.array([[r.randrange(6), r.randrange(6)] for _ in range(8)], dtype=np.int32)
        if name in ("segments",):
            return np.array([[r.randrange(30) for _ in range(4)] for _ in range(5)], dtype=np.int32)
        if name in ("weights",):
            return np.array([r.random() for _ in range(8)])
        if name in ("nodes", "n", "height", "width", "size", "x_dim", "y_dim"):
            return r.randrange(1, 9)
        if name in ("depth",):
            return r.randrange(3)
        if name in ("values",):
            return np.array([1, 2, 1, 2, 1], dtype=np.uint8)
        if name in ("game",):
            return r.choice(self.games)
        return self.anything()

    def arguments(self, function: Any) -> tuple[list[Any], dict[str, Any]]:
        r = self.rng
        try:
            named = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            named = []
        wild = r.random() < 0.3
        places: list[Any] = []
        words: dict[str, Any] = {}
        for each in named:
            value = self.anything() if wild and each.name != "limit" else self.fitting(each.name)
            if each.kind is each.VAR_POSITIONAL:
                places += [self.integer() for _ in range(r.randrange(5))] if r.random() < 0.7 else [self.anything()]
            elif each.kind is each.VAR_KEYWORD:
                continue
            elif each.kind is each.KEYWORD_ONLY:
                if each.name == "limit" or r.random() < 0.3:
                    words[each.name] = value
            elif each.default is each.empty or r.random() < 0.4:
                if len(words) == 0:
                    places.append(value)
            elif each.kind is each.POSITIONAL_OR_KEYWORD and (each.name == "limit" or r.random() < 0.2):
                words[each.name] = value
        if r.random() < 0.05:
            places = places[: r.randrange(len(places) + 1)] + [self.anything()] * r.randrange(2)
        return places, words

    def target(self) -> tuple[str, Any]:
        r = self.rng
        kind = r.random()
        if kind < 0.15:
            return r.choice(self.functions)
        if kind < 0.2:
            owner: Any = r.choice(list(gw.GAMES.values()))
        elif kind < 0.3 and self.others:
            owner = r.choice(self.others)
        else:
            owner = r.choice(self.games)
        name = r.choice([name for name in dir(owner) if not name.startswith("_") and name not in SKIPPED])
        return f"{getattr(owner, '__name__', type(owner).__name__)}.{name}", (owner, name)

    def extra(self) -> tuple[str, Any]:
        """Returns a random call that ``target`` does not choose, such as pickling or comparing a game."""
        r = self.rng
        game = r.choice(self.games)
        return r.choice(
            [
                ("pickle", lambda: pickle.loads(pickle.dumps(game))),
                ("repr", lambda: (repr(game), str(game), game._repr_mimebundle_())),
                ("==", lambda: game == r.choice(self.games)),
                ("legal play", lambda: game.play(*(game.sample_legal(r.randrange(99)) or ()))),
                ("setstate", lambda: game.__setstate__((self.text(), self.array(), self.integer(), {}))),
            ]
        )


@contextlib.contextmanager
def time_limit() -> Iterator[None]:
    """Raises ``TooLong`` in a block that takes too long, and ends the process if that does not stop the block."""
    try:
        faulthandler.dump_traceback_later(3 * LONG, exit=True)
        signal.setitimer(signal.ITIMER_REAL, LONG)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()


def main() -> int:
    """Makes the calls and prints their outcomes; returns whether the run failed."""
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    hard = 8 << 30
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    folder = tempfile.mkdtemp(prefix="gridwright-calls-")
    log = open(os.path.join(os.getcwd(), "last_call.txt"), "w")  # noqa: SIM115
    os.chdir(folder)
    faulthandler.enable()

    def ring(*_: object) -> None:
        raise TooLong

    signal.signal(signal.SIGALRM, ring)
    warnings.simplefilter("ignore")
    caller = Caller(seed)
    outcomes: collections.Counter[str] = collections.Counter()
    panics, slow, odd, sizes = [], [], [], []
    started = time.monotonic()
    for done in range(calls):
        name, target = caller.extra() if caller.rng.random() < 0.08 else caller.target()
        if isinstance(target, tuple):
            owner, member = target
            log.seek(0)
            log.write(f"seed {seed} call {done}: {name}\n".ljust(200))
            log.flush()
            try:
                with time_limit():
                    target = getattr(owner, member)
            except TooLong:
                slow.append(name)
                continue
            except Exception as error:
                outcomes[type(error).__name__] += 1
                if isinstance(error, gw.errors.InternalError):
                    panics.append(f"{name}\n    {error!r}")
                continue
        places, words = caller.arguments(target) if callable(target) else ([], {})
        spelled = f"seed {seed} call {done}: {name}(*{places!r}, **{words!r})"[:3000]
        log.seek(0)
        log.write(spelled.ljust(3000) + "\n")
        log.flush()
        before = time.monotonic()
        try:
            with time_limit(), contextlib.redirect_stdout(io.StringIO()):
                value = target(*places, **words) if callable(target) else target
            outcomes["fine"] += 1
            if isinstance(value, tuple(gw.GAMES.values())) and value.height * value.width <= 4000:
                caller.games.append(value)
            elif type(value).__module__.startswith("gridwright") and not isinstance(value, int):
                caller.others.append(value)
        except TooLong:
            slow.append(spelled)
        except BaseException as error:
            outcomes[type(error).__name__] += 1
            if type(error).__name__ in ODD:
                odd.append(f"{spelled}\n    {error!r}")
            if isinstance(error, gw.errors.InternalError) or not isinstance(error, Exception):
                panics.append(f"{spelled}\n    {error!r}")
        if time.monotonic() - before > LONG / 4:
            slow.append(f"{time.monotonic() - before:.1f} s: {spelled}")
        if len(caller.games) > 40:
            caller.games = [kind.level(caller.rng.choice(kind.levels()[:9])) for kind in gw.GAMES.values()]
        del caller.others[:-20]
        if done % max(calls // 20, 1) == 0:
            value = None
            gc.collect()
            sizes.append(resident())
    spent = time.monotonic() - started
    print(f"{calls} calls, seed {seed}, {spent:.0f} s, {spent / calls * 1e6:.0f} us per call")
    print("outcomes:", dict(outcomes.most_common()))
    print("megabytes at each twentieth of the calls:", [round(size) for size in sizes])
    for title, found in (("PANICS", panics), ("SLOW", slow), ("ODD", odd)):
        print(title, len(found))
        for each in found[:20]:
            print("   ", each[:1500])
    half = len(sizes) // 2
    grew = len(sizes) > 10 and min(sizes[half:]) > 1.5 * max(sizes[1:half]) + 100
    print("memory grew" if grew else "memory did not grow")
    return bool(panics or grew or any(not each[0].isdigit() for each in slow))


if __name__ == "__main__":
    sys.exit(main())
