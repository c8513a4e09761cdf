"""Bloxorz: batched keys, the solver, the graph."""

from __future__ import annotations

from collections.abc import Iterator

import gridwright as gw
import numpy as np

from .common import Row, best, paired, rate, span, speed


def rows() -> Iterator[Row]:
    """The rows of ``spec/bloxorz``."""
    game, n = gw.Bloxorz.level("level01"), 4096
    batch = game.batch(n, seed=1, mask=False, threads=1)
    actions = [np.random.default_rng(k).integers(0, 4, (n, 1)) for k in range(8)]
    seconds = best(lambda: [batch.step(action) for action in actions], 101)
    yield speed("batched keys through numpy, with board", ">= 50M/s a core", 50e6, 8 * n, seconds, "keys")
    levels = [gw.Bloxorz.level(name) for name in gw.Bloxorz.levels()]
    solve, graph = paired(
        lambda: [game.solve() for game in levels], lambda: [game.state_graph() for game in levels], rounds=5
    )
    yield Row(
        f"our {len(levels)} levels, a shortest solution of each / the whole graph of each",
        "2 ms / 5 ms for the 33 of the original game, which are not in the project",
        f"{span(solve)} / {span(graph)}",
    )
    # Forty bridges do not fit the notation's letters; many switches in a wide terrain give as many states.
    count = 20
    letters = "ABCDEFGHIJKLMNOPQRUVWXYZ"[:count]
    bridges = "abcdefghijklmnpqrstuvwxyz"[:count]
    top = "S" + "".join(f"o{letter}" for letter in letters) + "oo"
    text = "\n".join(
        [top, "o" * len(top), "o" * len(top), "-" * (len(top) + 1) + "".join(bridges) + "T"]
        + [f"#{switch}O{bridge}" for switch, bridge in zip(letters, bridges, strict=True)]
    )
    seen: list[int] = [0]
    limit = 4_000_000

    def search() -> None:
        try:
            gw.Bloxorz(text).solve(limit=limit, progress=lambda spent: seen.append(spent))
        except gw.SearchLimitError:
            seen.append(limit)

    seconds = best(search, 3)
    yield Row(
        f"states per second, {count} switches and bridges",
        ">= 5M/s a core",
        rate(seen[-1] / seconds, "states"),
        "",
        f"{seen[-1] / seconds / 5e6:.2f} of it",
        seen[-1] / seconds >= 5e6,
    )
