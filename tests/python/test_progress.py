"""Checks that calls that can take over a second report progress to a callback or bar, and stop if it raises."""

from __future__ import annotations

import contextlib
import inspect
from functools import cache

import games
import gridwright as gw
import numpy as np
import pytest
from gridwright import check, graph, tasks, tracing
from gridwright.draw import films


@cache
def weighted():
    """Returns the number of nodes, the edges and the weights of a grid with a million nodes."""
    return 1_000_000, graph.grid_edges(1000, 1000), graph.grid_weights(1000, 1000, seed=1)


def segments(n):
    ends = np.random.default_rng(1).integers(0, 1000, (n, 4))
    return ends.astype(np.int32)


def square(seed):
    return seed * seed


def film(progress, folder):
    game = gw.Bloxorz.level("level01")
    game.animate(game.solve()).save(folder / "film.gif", progress=progress)


def picture(progress, folder):
    game = gw.Bloxorz.level("level01")
    game.play("rrdr")
    game.save_image(folder / "game.gif", progress=progress)


def checked(name):
    return lambda p, _: getattr(check, name)(lambda *_: None, progress=p)


CALLS = {
    **{name: call for calls in games.every("PROGRESS").values() for name, call in calls.items()},
    "graph.kruskal": lambda p, _: graph.kruskal(*weighted(), progress=p),
    "graph.kruskal_steps": lambda p, _: graph.kruskal_steps(*weighted(), progress=p),
    "graph.prim": lambda p, _: graph.prim(*weighted(), progress=p),
    "graph.boruvka": lambda p, _: graph.boruvka(*weighted(), progress=p),
    "graph.bfs": lambda p, _: graph.bfs(*weighted()[:2], 0, progress=p),
    "graph.dfs": lambda p, _: graph.dfs(*weighted()[:2], 0, progress=p),
    "graph.diameter": lambda p, _: graph.diameter(*weighted()[:2], progress=p),
    "graph.random_spanning_tree": lambda p, _: graph.random_spanning_tree(2000, 2000, seed=1, progress=p),
    "gw.sweep": lambda p, _: gw.sweep(square, 100, progress=p),
    "tracing.trace_many": lambda p, _: tracing.trace_many(segments(60_000), progress=p),
    "tracing.lengths": lambda p, _: tracing.lengths(segments(200_000), progress=p),
    "tracing.system_matrix": lambda p, _: tracing.system_matrix((1000, 1000), segments(200_000), progress=p),
    "tracing.first_hit": lambda p, _: tracing.first_hit(np.zeros((1000, 1000), bool), segments(500_000), progress=p),
    "tracing.paint": lambda p, _: tracing.paint(np.zeros((1000, 1000), np.uint8), segments(500_000), 1, progress=p),
    "tracing.coverage": lambda p, _: tracing.coverage((1000, 1000), segments(500_000), progress=p),
    "films.light": lambda p, _: films.light(gw.MyPhoton.level("example"), progress=p),
    "films.state_space": lambda p, _: films.state_space(gw.Bloxorz.level("level01"), progress=p),
    "films.kruskal": lambda p, _: films.kruskal(gw.LightEmAll.generate(5, 5, seed=1), progress=p),
    "films.union_find": lambda p, _: films.union_find(3, [(0, 1), (1, 2), (0, 2)], [1, 3, 2], progress=p),
    "films.power": lambda p, _: films.power(gw.LightEmAll.generate(5, 5, seed=1, scramble=False), progress=p),
    "films.forest": lambda p, _: films.forest(3, 3, seed=1, progress=p),
    "films.chances": lambda p, _: films.chances(gw.GeeseSpotter.generate(9, 9, 10, seed=1), progress=p),
    "films.watch": lambda p, _: films.watch(type("Sets", (), {}), progress=p),
    "films.diameter": lambda p, _: films.diameter(gw.LightEmAll.generate(5, 5, seed=1), progress=p),
    "films.line": lambda p, _: films.line((0, 0), (3, 5), progress=p),
    "game.animate": lambda p, _: gw.Bloxorz.level("level01").animate("rrdrrrd", progress=p),
    **{f"check.{name}": checked(name) for name in check.__all__ if name.islower() and name != "for_student"},
    "tasks.export": lambda p, folder: tasks.export(folder, "line", count=20, progress=p),
    "Animation.save": film,
    "game.save_image": picture,
}
"""Maps the public name of a call to a function that makes the call, given ``progress`` and a folder for files."""


QUICK = {name for names in games.every("QUICK").values() for name in names}
"""The names of calls that may return without reporting any work."""

LONG = [name for name in CALLS if name not in QUICK]


class Enough(Exception):
    pass


class Bar:
    """A progress bar like tqdm's, whose ``update`` takes increments.

    To save time, ``update`` raises an exception from its third call on if some work has been reported.
    """

    def __init__(self) -> None:
        self.reports: list[int] = []

    def update(self, new: int) -> None:
        self.reports.append(new)
        if len(self.reports) >= 3 and sum(self.reports):
            raise Enough


@pytest.mark.parametrize("name", LONG)
def test_a_long_call_reports_its_progress(name, tmp_path):
    bar, callback = Bar(), Bar()
    for progress in (bar, callback.update):
        with contextlib.suppress(Enough, gw.SearchLimitError):
            CALLS[name](progress, tmp_path)
    assert bar.reports
    assert min(bar.reports) >= 0
    assert sum(bar.reports) > 0
    assert callback.reports
    assert callback.reports == sorted(callback.reports), "a callback must receive the total work done so far"


@pytest.mark.parametrize("name", LONG)
def test_a_long_call_ends_if_progress_raises(name, tmp_path):
    class Stop:
        def update(self, _):
            raise Enough

    for progress in (Stop(), Stop().update):
        with pytest.raises(Enough):
            CALLS[name](progress, tmp_path)


@pytest.mark.parametrize("name", sorted(QUICK))
def test_a_quick_call_accepts_progress(name, tmp_path):
    CALLS[name](Bar(), tmp_path)


@pytest.mark.parametrize("name", CALLS)
def test_progress_of_a_wrong_type_is_refused(name, tmp_path):
    with pytest.raises(TypeError, match=r"progress must be a callable or an object with an update method"):
        CALLS[name](7, tmp_path)


def test_the_table_has_every_call_that_takes_progress():
    found = {"Animation.save"}
    for kind in gw.GAMES.values():
        for name, member in inspect.getmembers(kind):
            if not name.startswith("_") and callable(member) and "progress" in _parameters(member):
                shared = name == "save_image" or (name == "animate" and name not in vars(kind))
                found.add(f"game.{name}" if shared else f"{kind.__name__}.{name}")
            elif name == "solution":
                found.add(f"{kind.__name__}.{name}")
    for module in (*(getattr(gw, name) for name in gw.GAMES), graph, tracing, check, films, tasks):
        for name in module.__all__:
            member = getattr(module, name)
            if inspect.isfunction(member) and "progress" in _parameters(member):
                found.add(f"{module.__name__.rpartition('.')[2]}.{name}")
    assert "progress" in _parameters(gw.sweep)
    assert found | {"gw.sweep"} == set(CALLS)


def _parameters(member) -> set[str]:
    try:
        return set(inspect.signature(member).parameters)
    except ValueError:  # a builtin without a signature
        return set()
