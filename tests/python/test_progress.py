"""Every call that can take over a second tells its progress, to a callback and to an object like tqdm's, and stops."""

from __future__ import annotations

import contextlib
import inspect
from functools import cache

import gridwright as gw
import numpy as np
import pytest
from gridwright import check, domination, geese, graph, photon, tracing
from gridwright.draw import films


def mirrors():
    return gw.MyPhoton.generate(15, 15, lasers=3, sensors=6, mirrors=8, splitters=3, tmirrors=2, seed=2)


def wires():
    return gw.LightEmAll.generate(1500, 1500, seed=1)


def bridges():
    """Millions of states: 14 switches, each with a bridge of its own."""
    rows = [["o"] * 40 for _ in range(24)]
    lines = []
    for k, letter in enumerate("ABCDEFGHIJKLMN"):
        rows[3 + k][2 * k], rows[3 + k][2 * k + 8] = letter, letter.lower()
        lines.append(f"#{letter}O{letter.lower()}")
    rows[0][0], rows[23][39] = "S", "T"
    for row, col in ((22, 38), (22, 39), (23, 38)):
        rows[row][col] = "-"  # the target cannot be reached: all states are looked at
    return gw.Bloxorz("\n".join(["".join(row) for row in rows] + lines))


def entangled(size=40):
    """A field of which two fifths are seen at random: hardly any of it falls apart."""
    count = 7 * size * size // 20
    board = geese.boards(1, size, size, count, seed=1)[0]
    free = (board & geese.value_mask() != 9) & (np.random.default_rng(1).random(board.shape) < 0.4)
    board[free] &= geese.value_mask()
    rows = "\n".join(" ".join(f"{field:02x}" for field in row) for row in board.tolist())
    return gw.GeeseSpotter(f"{size} {size} {count}\n{rows}\n")


def logical():
    return gw.GeeseSpotter.generate(100, 100, 2000, safe=(8, 15), no_guess=True, seed=1)


def lines():
    return gw.LinearDomination.empty(24, 3)


@cache
def weighted():
    """A million nodes: their number, edges and weights."""
    return 1_000_000, graph.grid_edges(1000, 1000), graph.grid_weights(1000, 1000, seed=1)


def boards():
    return np.tile(gw.MyPhoton.level("example").board, (200_000, 1, 1))


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


def report(progress, folder):
    plays = "\n".join("1 1 2 3" for _ in range(200_000))
    (folder / "in.txt").write_text(f"8 3\n{plays}\n")
    domination.run_game(folder / "in.txt", folder / "out.txt", progress=progress)


def checked(name):
    return lambda p, _: getattr(check, name)(lambda *_: None, progress=p)


CALLS = {
    "MyPhoton.generate": lambda p, _: gw.MyPhoton.generate(
        20, 20, lasers=3, sensors=8, mirrors=8, unique=True, seed=1, progress=p
    ),
    "MyPhoton.solve": lambda p, _: mirrors().solve(progress=p),
    "MyPhoton.solution": lambda p, _: mirrors().solution(progress=p),
    "MyPhoton.hint": lambda p, _: mirrors().hint(progress=p),
    "MyPhoton.count_solutions": lambda p, _: mirrors().count_solutions(10**9, progress=p),
    "MyPhoton.play_on": lambda p, _: mirrors().play_on(progress=p),
    "MyPhoton.difficulty": lambda p, _: mirrors().difficulty(progress=p),
    "MyPhoton.explain": lambda p, _: mirrors().explain(progress=p),
    "MyPhoton.perft": lambda p, _: gw.MyPhoton.level("example").perft(9, progress=p),
    "LightEmAll.generate": lambda p, _: gw.LightEmAll.generate(4000, 4000, seed=1, progress=p),
    "LightEmAll.generate_many": lambda p, _: gw.LightEmAll.generate_many(20_000, 20, 20, seed=1, progress=p),
    "LightEmAll.solve": lambda p, _: wires().solve(progress=p),
    "LightEmAll.solution": lambda p, _: wires().solution(progress=p),
    "LightEmAll.count_solutions": lambda p, _: wires().count_solutions(10**9, progress=p),
    "LightEmAll.play_on": lambda p, _: wires().play_on(progress=p),
    "LightEmAll.hint": lambda p, _: wires().hint(progress=p),
    "LightEmAll.difficulty": lambda p, _: wires().difficulty(progress=p),
    "LightEmAll.explain": lambda p, _: wires().explain(progress=p),
    "LightEmAll.perft": lambda p, _: gw.LightEmAll.generate(6, 6, seed=1).perft(9, progress=p),
    "Bloxorz.generate": lambda p, _: gw.Bloxorz.generate(8, 10, effort=10_000_000, seed=1, progress=p),
    "Bloxorz.solve": lambda p, _: bridges().solve(progress=p),
    "Bloxorz.solution": lambda p, _: bridges().solution(progress=p),
    "Bloxorz.hint": lambda p, _: bridges().hint(progress=p),
    "Bloxorz.difficulty": lambda p, _: bridges().difficulty(progress=p),
    "Bloxorz.explain": lambda p, _: bridges().explain(progress=p),
    "Bloxorz.play_on": lambda p, _: bridges().play_on(progress=p),
    "Bloxorz.count_shortest": lambda p, _: bridges().count_shortest(progress=p),
    "Bloxorz.state_graph": lambda p, _: bridges().state_graph(progress=p),
    "Bloxorz.perft": lambda p, _: bridges().perft(20, progress=p),
    "GeeseSpotter.generate": lambda p, _: gw.GeeseSpotter.generate(
        120, 120, 2880, safe=(8, 15), no_guess=True, seed=1, progress=p
    ),
    "GeeseSpotter.solve": lambda p, _: entangled().solve(progress=p),
    "GeeseSpotter.play_on": lambda p, _: entangled().play_on(progress=p),
    "GeeseSpotter.difficulty": lambda p, _: entangled().difficulty(progress=p),
    "GeeseSpotter.hint": lambda p, _: entangled().hint(progress=p),
    "GeeseSpotter.explain": lambda p, _: entangled().explain((0, 0), progress=p),
    "GeeseSpotter.probabilities": lambda p, _: entangled().probabilities(progress=p),
    "GeeseSpotter.needs_no_guess": lambda p, _: gw.GeeseSpotter.generate(
        200, 200, 4000, safe=(0, 0), seed=1
    ).needs_no_guess((0, 0), progress=p),
    "GeeseSpotter.perft": lambda p, _: entangled().perft(9, progress=p),
    "geese.boards": lambda p, _: geese.boards(300_000, 16, 30, 99, seed=1, threads=1, progress=p),
    "geese.play_many": lambda p, _: geese.play_many(20_000, 9, 9, 10, seed=1, progress=p),
    "geese.probabilities": lambda p, _: geese.probabilities(entangled().board, 560, progress=p),
    "LinearDomination.generate": lambda p, _: gw.LinearDomination.generate(40, 3, 1_000_000, 1, progress=p),
    "LinearDomination.suggest": lambda p, _: lines().suggest("minimax", progress=p),
    "LinearDomination.hint": lambda p, _: lines().hint(progress=p),
    "LinearDomination.explain": lambda p, _: lines().explain(progress=p),
    "LinearDomination.solve": lambda p, _: lines().solve(3, progress=p),
    "LinearDomination.play_on": lambda p, _: lines().play_on(3, progress=p),
    "LinearDomination.outlook": lambda p, _: lines().outlook(3, progress=p),
    "LinearDomination.random_games": lambda p, _: lines().random_games(50_000, seed=1, threads=1, progress=p),
    "LinearDomination.perft": lambda p, _: lines().perft(9, progress=p),
    "domination.run_game": report,
    "graph.kruskal": lambda p, _: graph.kruskal(*weighted(), progress=p),
    "graph.kruskal_steps": lambda p, _: graph.kruskal_steps(*weighted(), progress=p),
    "graph.prim": lambda p, _: graph.prim(*weighted(), progress=p),
    "graph.boruvka": lambda p, _: graph.boruvka(*weighted(), progress=p),
    "graph.bfs": lambda p, _: graph.bfs(*weighted()[:2], 0, progress=p),
    "graph.dfs": lambda p, _: graph.dfs(*weighted()[:2], 0, progress=p),
    "graph.diameter": lambda p, _: graph.diameter(*weighted()[:2], progress=p),
    "graph.random_spanning_tree": lambda p, _: graph.random_spanning_tree(2000, 2000, seed=1, progress=p),
    "gw.sweep": lambda p, _: gw.sweep(square, 100, progress=p),
    "photon.trace_many": lambda p, _: photon.trace_many(boards(), progress=p),
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
    "films.line": lambda p, _: films.line((0, 0), (3, 5), progress=p),
    "game.animate": lambda p, _: gw.Bloxorz.level("level01").animate("rrdrrrd", progress=p),
    "Bloxorz.animate": lambda p, _: gw.Bloxorz.level("level01").animate("rrdrrrd", view="3d", steps=2, progress=p),
    **{f"check.{name}": checked(name) for name in check.__all__ if name.islower()},
    "Animation.save": film,
    "game.save_image": picture,
}
"""The calls by the names that people know them by."""


QUICK = {"GeeseSpotter.hint", "GeeseSpotter.needs_no_guess"}
"""Those that answered without any work that is counted, on all boards that were tried."""

LONG = [name for name in CALLS if name not in QUICK]


class Enough(Exception):
    pass


class Bar:
    """Like tqdm's, told what is new; it has seen enough after three times, so that no call takes long here."""

    def __init__(self) -> None:
        self.told: list[int] = []

    def update(self, new: int) -> None:
        self.told.append(new)
        if len(self.told) >= 3 and sum(self.told):
            raise Enough


@pytest.mark.parametrize("name", LONG)
def test_a_long_call_tells_its_progress(name, tmp_path):
    bar, said = Bar(), Bar()
    for progress in (bar, said.update):
        with contextlib.suppress(Enough, gw.SearchLimitError):
            CALLS[name](progress, tmp_path)
    assert bar.told
    assert min(bar.told) >= 0
    assert sum(bar.told) > 0
    assert said.told
    assert said.told == sorted(said.told), "a callback is told all that is done"


@pytest.mark.parametrize("name", LONG)
def test_a_long_call_ends_where_its_watcher_raises(name, tmp_path):
    def stop(_):
        raise Enough

    with pytest.raises(Enough):
        CALLS[name](stop, tmp_path)


@pytest.mark.parametrize("name", sorted(QUICK))
def test_a_quick_call_may_be_watched_too(name, tmp_path):
    CALLS[name](Bar(), tmp_path)


@pytest.mark.parametrize("name", CALLS)
def test_a_watcher_of_a_wrong_type_is_refused(name, tmp_path):
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
    for module in (geese, graph, domination, photon, tracing, check, films):
        for name in module.__all__:
            member = getattr(module, name)
            if inspect.isfunction(member) and "progress" in _parameters(member):
                found.add(f"{module.__name__.rpartition('.')[2]}.{name}")
    assert "progress" in _parameters(gw.sweep)
    assert found | {"gw.sweep"} == set(CALLS)


def _parameters(member) -> set[str]:
    try:
        return set(inspect.signature(member).parameters)
    except ValueError:  # a part of Python's own
        return set()
