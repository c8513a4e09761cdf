"""Single calls from Python compared with an empty call, and ``import gridwright`` compared with ``import numpy``."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gridwright as gw

from .common import Row, quick, turns

ROOT = Path(__file__).parents[2]
PEER = ROOT / "benches/peers/empty_call"
MAX = 600.0
"""The time limit for building the peer, in seconds."""


def empty() -> Any:
    """Builds ``benches/peers/empty_call`` and returns an instance of its class, or ``None`` if the build fails."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    environment = {**os.environ, "PYO3_BUILD_EXTENSION_MODULE": "1", "PYO3_PYTHON": sys.executable}
    command = ["cargo", "build", "--quiet", "--release", "--target-dir", str(target / "peers")]
    try:
        subprocess.run(command, cwd=PEER, env=environment, check=True, timeout=MAX)
    except (OSError, subprocess.SubprocessError):
        return None
    library = {"win32": "empty_call.dll", "darwin": "libempty_call.dylib"}.get(sys.platform, "libempty_call.so")
    loader = importlib.machinery.ExtensionFileLoader("empty_call", str(target / "peers/release" / library))
    spec = importlib.util.spec_from_loader("empty_call", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module.Empty()


def swaps(play: Callable[..., Any], a: Any, b: Any) -> Callable[[], None]:
    """Returns a function that swaps two cells 20,000 times, which leaves the board unchanged."""

    def run() -> None:
        for _ in range(10_000):
            play(*a, *b)
            play(*b, *a)

    return run


def repeated(call: Callable[..., Any], *arguments: Any) -> Callable[[], None]:
    """Returns a function that makes 20,000 calls."""

    def run() -> None:
        for _ in range(20_000):
            call(*arguments)

    return run


def rows() -> Iterator[Row]:
    """Yields the rows that compare single calls with an empty method, then the row for the import.

    If a call returns arrays, the empty method returns new arrays too.
    """
    limit = empty()
    wires = gw.LightEmAll.generate(8, 8, seed=1)
    photon = gw.MyPhoton.level("example")
    a, b = tuple(photon.hardware[0].tolist()), (1, 1)
    engine = gw.Batch(gw.Bloxorz.level("level01"), 1, 1, threads=1).engine
    engine.reset_one(None, True, True)
    size = gw.Bloxorz.level("level01").shape
    works: tuple[tuple[str, Callable[[], None], str, Callable[[], None] | None], ...] = (
        ("LightEmAll.play", repeated(wires.play, 0, 3, 3), "", limit and repeated(limit.call, 0, 3, 3)),
        ("MyPhoton.play, a swap", swaps(photon.play, a, b), "", limit and swaps(limit.call, a, b)),
        ("LightEmAll.is_legal", repeated(wires.is_legal, 0, 3, 3), "", limit and repeated(limit.call, 0, 3, 3)),
        (
            "LightEmAll.board 8x8",
            repeated(type(wires).board.__get__, wires),
            " that returns a new 8x8 array",
            limit and repeated(limit.array, 8, 8),
        ),
        (
            "step of one environment, Bloxorz",
            repeated(engine.step_one, 1),
            " that returns a new board and a new mask",
            limit and repeated(limit.step, *size, 5),
        ),
    )
    for name, ours, arrays, other in works:
        work, baseline = f"one call from Python: {name}", f"an empty PyO3 method{arrays}"
        if other is None:
            yield Row(work, baseline, ">= 0.5", kind="limit", note="not measured: the peer could not be built")
        else:
            yield Row(work, baseline, ">= 0.5", [theirs / own for own, theirs in turns(ours, other, 15)], "limit")
    yield importing()


def importing() -> Row:
    """Measures the time of ``import gridwright`` as a multiple of the time of ``import numpy``, in fresh processes."""

    def spent(what: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", what], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    spent("import gridwright")
    found = []
    for _ in range(quick(15, 2)):
        # The time that Python takes to start is subtracted from both times.
        bare, own, numpy = spent("pass"), spent("import gridwright"), spent("import numpy")
        found.append((own - bare) / max(numpy - bare, 1e-3))
    return Row("import gridwright", "import numpy", "<= 1.3", found, "times")
