"""Bloxorz: the solver and the graph of states."""

from __future__ import annotations

from collections.abc import Iterator

import gridwright as gw

from .common import Row, compare, script, times


def rows() -> Iterator[Row]:
    """Yields the rows of Bloxorz."""
    games = [gw.Bloxorz.level(name) for name in gw.Bloxorz.levels()]
    search = script("bloxorz").plain_solution
    texts = [game.text for game in games]
    for game, text in zip(games, texts, strict=True):
        assert search(text) == sum(key != "s" for key in game.solve())
    yield compare(
        f"shortest solutions of the {len(games)} packaged levels",
        ">= 80",
        "breadth-first search in plain Python",
        lambda: [game.solve() for game in games for _ in range(20)],
        lambda: [search(text) for text in texts],
        per=(20, 1),
    )
    yield times(
        f"the graph of all states of the {len(games)} packaged levels",
        "<= 3.5",
        "the shortest solutions of these levels",
        lambda: [game.state_graph() for game in games],
        lambda: [game.solve() for game in games],
        rounds=15,
    )


def facts() -> Iterator[str]:
    """Yields the solution lengths of levels generated with a fixed effort, which are the same on every machine."""
    for what, shape, options in (
        ("8x8 without switches", (8, 8), {"switches": 0, "bridges": 0, "splitters": 0, "light": 0}),
        ("10x15 with all elements", (10, 15), {"switches": 4, "bridges": 4}),
    ):
        effort = 5_000_000
        game = gw.Bloxorz.generate(*shape, seed=1, effort=effort, **options)
        rolls = sum(key != "s" for key in game.solve())
        yield f"Bloxorz generator, {what}, effort {effort:,}: {rolls} rolls"
