"""Bloxorz: batched keys, the solver, the graph."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator

import gridwright as gw
import numpy as np

from .common import Row, best, paired, rate, span, speed


def rows() -> Iterator[Row]:
    """Yields the measurements of Bloxorz with the values to reach."""
    game, n = gw.Bloxorz.level("level01"), 4096
    batch = game.batch(n, seed=1, mask=False, threads=1)
    actions = [np.random.default_rng(k).integers(0, 4, (n, 1)) for k in range(8)]
    seconds = best(lambda: [batch.step(action) for action in actions], 101)
    yield speed("batched keys through numpy, with board", ">= 50M/s per core", 50e6, 8 * n, seconds, "keys")
    levels = [gw.Bloxorz.level(name) for name in gw.Bloxorz.levels()]
    solve, graph = paired(
        lambda: [game.solve() for game in levels], lambda: [game.state_graph() for game in levels], rounds=5
    )
    yield Row(
        f"our {len(levels)} levels, one shortest solution each / the whole graph of each",
        "2 ms / 5 ms for the 33 of the original game, which are not in the project",
        f"{span(solve)} / {span(graph)}",
    )
    yield many_bridges()
    yield from longest()


# The notation has letters for 25 bridges only. Sixteen of these 24 can be switched freely; the switches of the others
# and the target are out of reach, so that the proof visits all states, about ten million.
MANY = """
import json, resource, time
import gridwright as gw
letters, bridges = "ABCDEFGHIJKLMNOPQRUVWXYZ", "abcdefghijklmnpqrstuvwxy"
top = "S" + "".join(letters[:16]) + "o"
wall = "-" * (len(top) + 1)
text = "\\n".join(
    [top, "o" * len(top), "o" * len(top), wall + bridges[16:] + letters[16:] + "".join(bridges[:16]) + "T"]
    + [f"#{switch}O{bridge}" for switch, bridge in zip(letters, bridges)]
)
game, seen = gw.Bloxorz(text), [0]
gw.Bloxorz.level("level01").solve()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.process_time()
assert game.solve(progress=seen.append) is None
seconds = time.process_time() - start
bytes_used = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
print(json.dumps([seen[-1], seconds, bytes_used]))
"""


def many_bridges() -> Row:
    """Measures states per second and bytes per state, in a process of its own for its peak memory."""
    done = subprocess.run([sys.executable, "-c", MANY], capture_output=True, text=True, check=True)
    states, seconds, memory = json.loads(done.stdout)
    return Row(
        f"24 bridges, the proof that there is no solution: {states / 1e6:.1f} M states",
        ">= 5M/s per core, <= 24 bytes per state",
        f"{rate(states / seconds, 'states')}, {memory / states:.0f} bytes per state",
        "",
        f"{states / seconds / 5e6:.2f} of it",
        states / seconds >= 5e6 and memory / states <= 24,
    )


def longest(seconds: float = 60) -> Iterator[Row]:
    """Yields the longest levels of the generator within a minute of processor time, for one seed."""
    plain = {"switches": 0, "bridges": 0, "splitters": 0, "light": 0}
    for what, shape, options, least in (
        ("8 x 8 without switches", (8, 8), plain, 79),
        ("10 x 15 with all elements", (10, 15), {"switches": 4, "bridges": 4}, 130),
    ):
        effort = 20_000_000
        start = time.process_time()
        gw.Bloxorz.generate(*shape, seed=0, effort=effort, **options)
        effort = int(effort * (seconds - 5) / (time.process_time() - start))
        start = time.process_time()
        game = gw.Bloxorz.generate(*shape, seed=1, effort=effort, **options)
        spent = time.process_time() - start
        rolls = sum(key != "s" for key in game.solve())
        yield Row(
            f"generator, {what}, {spent:.0f} s",
            f">= {least} rolls in 60 s",
            f"{rolls} rolls",
            "79 by annealing" if least == 79 else "129 the longest of the original game",
            f"{rolls / least:.2f} of it",
            rolls >= least,
        )
