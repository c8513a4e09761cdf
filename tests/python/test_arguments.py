"""Checks that a bad argument of a public callable raises an error with one sentence that names the argument.

``found`` looks for the public callables in ``MODULES``. ``EXEMPT``, ``ELSEWHERE`` and ``INSIDE`` list the callables and
modules that are left out, with the reasons. ``VALID`` maps the name of a parameter to a valid value, and ``CALLS`` has
the values for callables that need different ones. The tests replace one argument at a time with values of a wrong
type, dtype or shape, with values out of bounds, and with read-only arrays. The call must raise one of the exceptions in
``OURS`` with one sentence that names the argument, and must leave the object unchanged. A new public callable is tested
automatically; a new parameter without a valid value is an error.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import math
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import games
import gridwright as gw
import numpy as np
import pytest
from conftest import IN_TAB, ROOT
from gridwright import (
    bench,
    bloxorz,
    check,
    contest,
    controls,
    domination,
    draw,
    editor,
    envs,
    graph,
    insight,
    records,
    solved,
    tasks,
    tracing,
)
from gridwright.draw import films
from gridwright.envs import linear_domination, wrappers
from gridwright.records import store


def _optional(name: str) -> Any:
    """Returns a module that needs an optional library, or ``None`` if the library is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


datasets = _optional("gridwright.tasks.datasets")
widget, edit = _optional("gridwright.play.widget"), _optional("gridwright.play.edit")
terminal = _optional("gridwright.play.terminal")

EDGES = np.array([[0, 1], [1, 2], [2, 3]], dtype=np.int32)
SEGMENTS = np.array([[0, 0, 2, 3]])
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>'


class Accepting:
    """A valid value, and further values that look wrong but are accepted."""

    def __init__(self, valid: Any, *accepted: Any) -> None:
        self.valid, self.accepted = valid, accepted


class Written(Accepting):
    """An array that the call writes to. Each call receives a fresh copy."""


class OfAnyShape(Written):
    """An array of any shape that the call writes to."""


class Exactly(Accepting):
    """A valid value, and all wrong values to try."""

    def __init__(self, valid: Any, *wrong: Any) -> None:
        super().__init__(valid)
        self.wrong = wrong


WORD, BYTES = "no such word", b"x"
TEXT = Accepting("text", WORD)
CELL = (0, 0)
IMAGE = Exactly("picture.svg", object(), 5, 1.5, (), BYTES, "picture.doc")
PATH = Exactly("nowhere", object(), 5, 1.5, (), BYTES)
GAME = Exactly(games.of("bloxorz").position(), object(), WORD, 5, 1.5, None)
BOARD = np.full((4, 5), 32, np.uint8)

VALID: dict[str, Any] = {
    # Sizes, counts and bounds.
    **dict.fromkeys(("height", "width", "x_dim", "y_dim", "size"), 4),
    **dict.fromkeys(("n", "nodes", "depth", "plies", "playouts", "games", "frames", "steps", "chunk", "most"), 2),
    **dict.fromkeys(("lasers", "sensors", "mirrors", "splitters", "tmirrors", "switches", "bridges"), 1),
    **dict.fromkeys(("down", "across", "i", "index", "source", "target", "state", "node", "u", "v", "turns"), 1),
    **dict.fromkeys(("row", "col", "geese", "num_geese", "lookback", "plays", "threads", "min_moves"), 1),
    "limit": 10**6,
    "max_moves": 9,
    "effort": 10**5,
    "seed": 1,
    "max_swaps": 3,
    "max_steps": 5,
    "pool": 2,
    "swaps": 1,
    **dict.fromkeys(("walls", "light", "bias", "t", "tolerance"), 0.0),
    **dict.fromkeys(("seconds", "scale", "radius"), 1.0),
    # Booleans and strings.
    **dict.fromkeys(("unique", "hexagonal", "wrap", "limited_radius", "no_guess", "flood", "guess"), False),
    **dict.fromkeys(("scramble", "beams", "parents", "clip", "second", "third", "fewest", "verbose"), True),
    "method": "kruskal",
    "strategy": "both",
    "origin": "center",
    "policy": "safest",
    "player": "greedy",
    "rules": "standard",
    "autoreset": "disabled",
    "start": "safe",
    "minimize": "rolls",
    "direction": "N",
    "difficulty": Exactly("easy", object(), WORD, 1.5, 0, 6, 2**70, (), BYTES),
    "theme": Exactly("dark", object(), WORD, 5, ()),
    "label": TEXT,
    "name": "level01",
    "empty": ".",
    "options": None,
    **dict.fromkeys(("title", "description"), Exactly(None, object(), 5, ())),
    # Cells, arrays and files.
    **dict.fromkeys(("cell", "a", "b", "tail", "head", "safe", "first", "station", "grabbed"), CELL),
    "edges": EDGES,
    "weights": np.ones(3),
    "segments": SEGMENTS,
    "board": BOARD,
    "boards": BOARD[None] * 0,
    "mask": np.array([[2, 12], [2, 9]]),
    "parent": np.array([-1, 0, 1]),
    "counts": np.ones((3, 4)),
    "blocked": np.zeros((4, 5), bool),
    "angles": np.zeros(2),
    "detectors": np.arange(3.0),
    "shape": Exactly((4, 5), object(), 5, WORD, (-1, 2), (1.5, 2), (True, 2), (2, np.True_), (1,), (2**70, 1)),
    "game": GAME,
    "game_or_generator": GAME,
    "transform": Exactly((1, 0, 0, 0, 1, 0), object(), 5, WORD, (1, 2), (math.nan,) * 6, ("a",) * 6),
    **dict.fromkeys(("path", "file", "input_path", "output_path"), PATH),
    **dict.fromkeys(("progress", "watch"), Exactly(None, object(), 5, WORD)),
    "moves": Exactly([], object(), 5, BYTES),
    "own": Exactly(None, object(), 5, WORD),
    "text": Exactly(None, object(), 5, 1.5, (), BYTES),
}
"""Maps the name of a parameter to a valid value."""


def _example(name: str) -> Callable[[], Any]:
    return games.of(name).position


def _batch() -> Any:
    return gw.Bloxorz.level("level01").batch(2, mask=False)


def _dataset() -> Any:
    return datasets.CLASSES["line"](datasets.TaskConfig(seed=1, size=2))


def _editor() -> Any:
    return gw.Bloxorz("SAooT\noooao\n#AOa").editor()


def _started(env: Any) -> Any:
    env.reset(seed=1)
    return env


def _inner(name: str) -> Any:
    return envs.GridEnv("GeeseSpotter" if name == "ChanceReward" else "Bloxorz")


def _wrapped(name: str) -> Any:
    return _started(getattr(wrappers, name)(_inner(name)))


OWNERS: dict[Any, Callable[[], Any]] = {
    **{kind: _example(name) for name, kind in gw.GAMES.items()},
    gw.Batch: _batch,
    graph.UnionFind: lambda: graph.UnionFind(4),
    controls.Controls: lambda: gw.GeeseSpotter.level("level01").controls(),
    editor.Editor: _editor,
    bloxorz.StateGraph: lambda: gw.Bloxorz.level("level01").state_graph(),
    bloxorz.Terrain: lambda: bloxorz.Terrain(gw.Bloxorz.level("level01").text),
    domination.ParametricLine: lambda: domination.ParametricLine((0, 0), (2, 3)),
    draw.Animation: lambda: draw.Animation([SVG]),
    envs.GridEnv: lambda: _started(envs.GridEnv("Bloxorz")),
    envs.GridVectorEnv: lambda: _started(envs.GridVectorEnv(2, "Bloxorz")),
    **{getattr(wrappers, name): functools.partial(_wrapped, name) for name in wrappers.__all__},
    linear_domination.RawEnv: lambda: _started(linear_domination.raw_env(size=3)),
    tasks.Task: lambda: tasks.make("line", 1),
    tasks.Episode: lambda: tasks.episode("bloxorz", 1),
    insight.Explanation: lambda: gw.Bloxorz.level("level01").explain(),
    solved.FileStorage: lambda: solved.FileStorage("solved.json"),
    solved.MemoryStorage: solved.MemoryStorage,
    **({datasets.TaskDataset: _dataset} if datasets else {}),
}
"""Maps each class whose methods are tested to a function that creates an instance."""

LINES = {"method": "amanatides-woo", "tail": Exactly((0, 0), object(), 5, WORD, ("a", 0), (math.nan, 0), (0,))}
LINES["head"] = Exactly((2, 3), object(), 5, WORD, ("a", 0), (math.inf, 0), (0,))
POINTS = Exactly([(0, 0), (1, 1)], object(), 5, [(1,)], [("a", 0)], [(math.nan, 0)])
OFF_BOARD = {key: Accepting(CELL, (-1, 0), (999, 999)) for key in ("tail", "head")}
ANYWHERE = {key: Accepting(value, (-1, 0), (999, 999)) for key, value in (("tail", CELL), ("head", (2, 3)))}
CELLS = Exactly([(0, 1), (0, 2)], object(), 5, [(1,)], [("a", 0)], [(99, 0)])

MODE = Exactly(None, object(), WORD, 5)
REWARDS = Exactly((1, 0, 0, 0, 0), object(), 5, (1, 2), ("a",) * 5, (math.nan,) * 5)
ENVS = (envs.GridEnv, envs.GridVectorEnv)
ENV = {"world": Exactly("Bloxorz", object(), WORD, 5), "level": Exactly(None, object(), WORD, 5), "render_mode": MODE}
ENV |= {"generator": Exactly(None, object(), 5), "size": Exactly(None, object(), 5, (1,)), "pool": None}
ENV |= {"max_steps": Exactly("default", object(), WORD, 0, 1.5), "rewards": REWARDS, "actions": MODE}
ENV |= {"mask_in_observation": True, "mask": True}


def _agent(observation: Any, game: Any, seed: int) -> Any:
    return game.sample_legal(seed)


CHECKED: dict[str, Any] = {
    **dict.fromkeys(("fn", "cls", "program"), Exactly(lambda *given: None, object(), 5, WORD, ())),
    "time_limit": 0.5,
    "memory_limit": 256,
    "weights": Exactly(None, object(), 5, WORD, {"nowhere": 1}),
    "edge": Exactly(None, object(), 5, WORD),
    **dict.fromkeys(("roots", "pieces", "file"), False),
    "ordered": True,
    "rules": "document",
    "method": "amanatides-woo",
    "answer": "depth",
    "dialogues": Exactly([("a", "b")], object(), 5, WORD, [], [("a", 1)]),
}
"""Maps the name of a parameter of ``gridwright.check`` functions to a valid value."""


def _checked(function: Any) -> dict[str, Any]:
    return {key: value for key, value in CHECKED.items() if key in inspect.signature(function).parameters}


TASKS = {
    "names": Exactly("line", object(), WORD, 5, BYTES, [], [WORD], [5]),
    "count": Exactly(2, object(), WORD, 1.5, 0),
}

RECORD = {
    "record": Exactly(store.Record("none", "has no rows", ("key",), ("value",), (), (), lambda *_: iter(())), 5, WORD),
    "folder": Exactly("folder", object(), 5, 1.5, (), BYTES),
    "tell": Exactly(str, object(), WORD, 5, None),
}
APPLICATION = {"game": Exactly(GAME.valid, object(), WORD, 5), "kind": Exactly(gw.Bloxorz, object(), WORD, 5, int)}

CALLS: dict[str, dict[str, Any]] = {
    "Batch": {"mask": Exactly(True, object(), WORD, 1.5, ()), "n": 2, "seed": 1, "max_steps": 5, "pool": None}
    | {"rewards": REWARDS}
    | {"buffers": Exactly({}, 5, {WORD: np.zeros(2)})},
    "Batch.reset": {"mask": np.zeros(2, bool), "seed": Exactly(1, object(), WORD, -1, 2**64, 1.5, [1, 2, 3], [-1, 0])},
    "Batch.step": {"actions": np.array([[2], [0]])},
    "Batch.step_flat": {"actions": np.array([2, 0])},
    "Batch.step_into": {"actions": np.array([[2], [0]]), "mask": Exactly(None, object(), 5, np.zeros((2, 5)))}
    | {"board": Written(np.zeros((2, 6, 10), np.uint8)), "reward": Written(np.zeros(2))}
    | dict.fromkeys(("terminated", "truncated"), Written(np.zeros(2, bool))),
    "Batch.set_state": {"state": Exactly(_batch().get_state(), object(), WORD, 5, None)},
    "Batch.set_game": {"game": GAME},
    "sweep": {"function": Exactly(abs, object(), WORD, 5, None), "executor": None}
    | {
        "seeds": Exactly(3, object(), WORD, -1, 1.5, [1.5], [2**64, -1]),
        "file": Exactly(None, object(), 5, 1.5, (), BYTES),
    },
    "photon.trace_many": {"boards": np.zeros((2, 3, 4), np.uint8)},
    "Bloxorz.animate": {"moves": Exactly("rr", 5, b"x", [(1, 2)]), "steps": 1},
    **{f"{kind.__name__}.save_image": {"path": IMAGE} for kind in gw.GAMES.values()},
    **{f"{kind.__name__}.load": {"path": Exactly(kind.NAME, *PATH.wrong)} for kind in gw.GAMES.values()},
    **{
        kind.__name__: {"text": Exactly(OWNERS[kind]().text, object(), 5, 1.5, (), BYTES)} for kind in gw.GAMES.values()
    },
    "draw.save_image": {"path": IMAGE},
    "Bloxorz.generate": {"min_moves": 3, "difficulty": None, "switches": 0, "bridges": 0, "splitters": 0, "width": 5},
    "StateGraph.find": {"game": GAME},
    "Terrain": {"text": Exactly("SooT", object(), WORD, 5, 1.5)},
    "Terrain.at": {"cell": Accepting(CELL, (-1, 0), (999, 999), (2**70, 0))},
    "Terrain.can_hold": {"block": Exactly(bloxorz.Block(1, 1), object(), WORD, 5, None)},
    "ParametricLine": ANYWHERE,
    "geese.boards": {"n": 2, "out": Written(np.zeros((2, 4, 4), np.uint8)), "geese": 2},
    "geese.play_many": {"geese": 2},
    **{f"geese.{name}": {"board": OfAnyShape(BOARD)} for name in ("clean_board", "hide_board")},
    "geese.compute_neighbours": {"board": OfAnyShape(np.zeros((4, 5), np.uint8))},
    **{f"geese.{name}": {"board": OfAnyShape(BOARD), "col": 1, "row": 1} for name in ("mark", "reveal")},
    "geese.is_game_won": {"board": np.zeros((4, 5), np.uint8)},
    "geese.spread_geese": {"board": OfAnyShape(np.zeros((4, 5), np.uint8))},
    "LightEmAll.from_wires": {"radius": 1, "limited_radius": False},
    "LightEmAll.solve": {"minimize": "turns"},
    "LightEmAll.move_key": {"key": "E"},
    "LightEmAll.generate": {"difficulty": None},
    "MyPhoton.swap": dict(zip("ab", map(tuple, OWNERS[gw.MyPhoton]().hardware[:2].tolist()), strict=True)),
    "MyPhoton.generate": {"height": 7, "width": 7, "unique": False, "swaps": None, "difficulty": None},
    "GeeseSpotter.generate": {"difficulty": None},
    "LinearDomination.generate": {"difficulty": None, "plays": 1},
    **{f"LinearDomination.{name}": OFF_BOARD for name in ("draw", "judge")},
    "LinearDomination.blank": {"width": 4},
    "UnionFind": {"n": 4},
    **{key: {"nodes": 4} for key in ("bfs", "dfs", "prim", "kruskal", "kruskal_steps", "boruvka", "diameter")},
    **{key: {"nodes": 4} for key in ("to_networkx", "to_scipy")},
    "kruskal_steps": {"nodes": 4, "strategy": "size"},
    **{f"tracing.{name}": LINES for name in ("trace", "trace_steps", "cell_count")},
    "tracing.draw_steps": {**LINES, "size": 20.0},
    "tracing.trace_many": {"method": "amanatides-woo", "transform": None}
    | {"out": Written(np.zeros((9, 2), np.int32))},
    "tracing.paint": {"method": "bresenham", "values": np.array([1]), "board": OfAnyShape(np.zeros((4, 5), np.uint8))}
    | {"transform": None},
    "tracing.coverage": {"method": "bresenham", "transform": None},
    "tracing.cell_count": {"method": "supercover"},
    "tracing.lengths": {"out": Exactly(None, object(), 5, (np.zeros((9, 2), np.int64), np.zeros(9)))},
    "tracing.draw_coverage": {"size": 20.0},
    "tracing.draw_methods": {
        "size": 20.0,
        "tail": LINES["tail"],
        "head": LINES["head"],
        "one": "supercover",
        "two": "bresenham",
    },
    "tracing.fan_beam": {"source": 10.0, "detector": 5.0},
    "Animation": {
        "frames": Exactly([SVG], object(), 5, [5], [WORD], []),
        "captions": Exactly([], object(), 5, ["a", "b"]),
        "code": Exactly([], object(), 5, WORD, [5]),
        "lines": Exactly([], object(), 5, WORD, [1]),
    },
    "Animation.frame": {"index": 0},
    "Animation.save": {"path": IMAGE},
    "draw.caption": {"move": Exactly((2,), object(), 5, (-1,), (object(),))},
    **{f"draw.{name}": {"size": 20.0} for name in ("picture", "between")},
    "draw.png": {"source": Exactly(SVG, object(), 5, WORD), "scale": 1.0},
    "draw.theme": {"name": Exactly("dark", object(), WORD, 5)},
    "draw.use_theme": {"name": Exactly("light", object(), WORD, 5)},
    "films.chances": {"game": Exactly(OWNERS[gw.GeeseSpotter](), object(), GAME.valid), "moves": 2},
    "films.kruskal": {"game": Exactly(OWNERS[gw.LightEmAll](), object(), GAME.valid), "size": 20.0},
    "films.diameter": {"game": Exactly(OWNERS[gw.LightEmAll](), object(), GAME.valid)},
    "films.power": {"game": Exactly(gw.LightEmAll.blank(2, 2), object(), GAME.valid), "size": 20.0},
    "films.light": {"game": Exactly(OWNERS[gw.MyPhoton](), object(), GAME.valid)},
    "films.line": LINES,
    "films.state_space": {"limit": 100},
    "films.forest": {"strategy": "size", "weights": None},
    "films.union_find": {"strategy": "size", "nodes": 4, "names": None},
    "Controls.key": {"name": Accepting("h", WORD)},
    "Controls.move_cursor": dict.fromkeys(("down", "across"), Accepting(1, -(2**70), 2**70)),
    "Controls.choose": {"name": "chances", "value": "on"},
    "Controls.drag": {"path": POINTS},
    "Controls.new": {"seed": Exactly(1, object(), 1.5, -1, 2**64)},
    "Controls.restore": {"state": Exactly(gw.GeeseSpotter.level("level01").controls().state, object(), WORD, 5)},
    "Controls.subscribe": {"listener": Exactly(print, object(), WORD, 5)},
    "GridEnv": ENV,
    "GridVectorEnv": {**ENV, "num_envs": 2, "copy": True, "autoreset_mode": Exactly("NextStep", object(), WORD, 5)},
    "GridEnv.step": {"action": Exactly(2, object(), WORD, 1.5, -1, 99)},
    "GridVectorEnv.step": {"actions": Exactly([2, 2], object(), WORD, [1.5, 1.5], [-1, 99], [1])},
    **{name: {"env": Exactly(_inner(name), object(), WORD, 5, None)} for name in wrappers.__all__},
    "DistanceReward": {"env": Exactly(_inner("DistanceReward"), object(), 5), "discount": 0.9},
    **{
        f"{name}.step": {"action": Exactly(2, object(), WORD, 1.5, -1, 999)} for name in wrappers.__all__ if "R" in name
    },
    "RawEnv": {"start": Exactly(None, object(), WORD, 5), "illegal": "lose", "komi": 0.5, "render_mode": MODE},
    **{f"RawEnv.{name}": {"agent": "player_0"} for name in ("action_space", "observation_space", "observe")},
    "RawEnv.agent_iter": {"max_iter": Accepting(5, -(2**70), 2**70)},
    "RawEnv.last": {"observe": True},
    "RawEnv.step": {"action": Exactly(5, object(), WORD, 1.5, -1, 999)},
    "linear_domination.compare": dict.fromkeys(("one", "other"), Exactly(_agent, object(), WORD, 5))
    | {"pairs": 1, "opening": 1},
    **{f"{kind.__name__}.set_state": {"state": Exactly(OWNERS[kind]().get_state(), 5, WORD)} for kind in ENVS},
    "GridVectorEnv.reset": {"options": Exactly(None, 5)},
    "Editor.put": {"cell": (0, 3), "code": 5, "name": "B"},
    "Editor.paint": {"cells": CELLS, "code": 5, "name": "B"},
    "Editor.connect": {"cells": Exactly([(0, 1), (1, 3)], object(), 5, [(1,)], [("a", 0)]), "how": "off"},
    "Editor.facts": {"seconds": 1.0},
    "Editor.code": {"cell": (0, 3)},
    **{f"check.{name}": _checked(getattr(check, name)) for name in check.__all__ if name.islower()},
    "films.watch": {
        "code": Exactly(type("Sets", (), {}), object(), 5, WORD),
        "theme": Exactly(None, object(), WORD, 5, ()),
    },
    "check.for_student": dict.fromkeys(("student", "key"), Exactly("ada", object(), BYTES, 5, (), "")),
    "Editor.sample": {"code": 5},
    "MemoryStorage.write": {"text": TEXT},
    "FileStorage.write": {"text": TEXT},
    "solved.use_storage": {"storage": Exactly(solved.MemoryStorage(), object(), WORD, 5)},
    "solved.solved": {"game": TEXT},
    "solved.record": {"game": TEXT, "level": TEXT, "moves": 9, "optimum": 7},
    # The folder "bots" has two bots: a single bot would have no opponent.
    "contest.run": {"bots": Exactly("bots", object(), WORD, 5, 1.5, ()), "game": "domination", "pairs": 1, "memory": 64}
    | {"output": Exactly("contest", object(), 5, 1.5, (), BYTES), "anonymous": False},
    "Task.check": {"answer": Exactly("text", object(), BYTES, 5, None)},
    "Episode.act": {"text": Exactly("r", object(), BYTES, 5, None)},
    "tasks.make": {"name": "line"},
    "tasks.episode": {"game": Exactly("bloxorz", object(), WORD, 5)},
    "tasks.record": {"task": Exactly(tasks.make("line", 1), object(), WORD, 5, None), "images": False},
    "bench.measure": {"work": Exactly(int, object(), WORD, 5, None), "least": 0.0, "repeats": 1},
    "bench.rows": {"kind": Exactly(gw.Bloxorz, object(), WORD, 5, int, GAME.valid)},
    **dict.fromkeys(("records.run", "records.compare"), RECORD),
    "records.run": {**RECORD, "small": True, "seconds": 1.0, "clock": Exactly(float, object(), WORD, 5, None)},
    "TaskDataset": {"config": Exactly(datasets and datasets.TaskConfig(seed=1), object(), WORD, 5, None)},
    "TaskDataset.task": {"idx": 1},
    "TaskDataset.score_answer": {
        "answer": Exactly("text", object(), BYTES, 5),
        "entry": Exactly(_dataset()[0] if datasets else None, object(), WORD, 5, None, {}, {"metadata": {}}),
    },
    "GameWidget": {"size": 20.0, "view": Exactly("3d", object(), WORD, 5)},
    "EditorWidget": {"editor": Exactly(_editor(), object(), WORD, 5, None), "size": 20.0, "page": TEXT},
    "GridwrightApp": APPLICATION,
    "tasks.each": TASKS,
    "tasks.export": {**TASKS, "folder": Exactly("folder", object(), 5, 1.5, (), BYTES), "images": False},
}
"""Maps the name of a callable to the valid arguments that differ from those in ``VALID``."""

MODULES = (
    ("", gw),
    ("", graph),
    *((f"{name}.", getattr(gw, name)) for name in gw.GAMES),
    ("tracing.", tracing),
    ("insight.", insight),
    ("controls.", controls),
    ("draw.", draw),
    ("films.", films),
    ("editor.", editor),
    ("envs.", envs),
    ("linear_domination.", linear_domination),
    ("wrappers.", wrappers),
    ("check.", check),
    ("contest.", contest),
    ("solved.", solved),
    ("tasks.", tasks),
    ("bench.", bench),
    ("records.", records),
    *(("", module) for module in (datasets, widget, edit, terminal and terminal.app) if module),
)
"""The public modules, each with the prefix of its functions in ``TABLE``."""

EXEMPT = {
    "Controls": "created by game.controls()",
    "Editor": "created by game.editor()",
    "Task": "created by tasks.make()",
    "Episode": "created by tasks.episode()",
    "StateGraph": "created by Bloxorz.state_graph()",
    "Picture": "created by the functions that draw the games",
    "Picture.": "called by the functions that draw the games",
    "Game": "a protocol for type hints",
    "Game.": "a protocol for type hints",
    "GridGame": "a base class; its methods are tested on every game",
    "GridGame.": "a base class; its methods are tested on every game",
    ".widget": "needs anywidget; test_widget.py tests its options",
    ".edit": "needs anywidget; its options are those of EditorWidget",
    "controls.refuse": "called by subclasses of Controls with their own sentences",
    "Controls.level": "raises LevelError; tested by test_controls.py",
    "Editor.read": "raises LevelError with a line and column; tested by test_editor.py",
    "Editor.press": "takes one of the editor's brushes; tested by test_editor.py",
    "Editor.trail": "called by front ends with the cells of a drag",
    "Editor.choose": "the editor of Bloxorz has no settings; test_editor.py tests the other editors",
    **{f"{name}.": "called by Gymnasium" for name in ("OneHotObservation", "BitsObservation")},
    "linear_domination.Agent": "a type for annotations",
    "Storage": "a protocol for type hints",
    "Storage.": "a protocol for type hints",
    "run": "runs GridwrightApp, whose arguments are tested",
    "GridwrightApp.": "called by Textual; test_terminal.py presses keys",
    "EditorWidget.": "called by IPython without arguments",
    "GameWidget.": "called by IPython without arguments",
}
if IN_TAB:
    EXEMPT["contest.run"] = "needs processes"
"""Maps each callable that is not tested here to the reason.

A key is a whole name, a prefix that ends with a dot, or a suffix that begins with a dot.
"""

SKIPPED = {"self", "mv"}
"""Parameters that are not tested here: ``mv`` is the move of ``play``, for which test_laws.py has many wrong values."""


def _record(thing: type) -> bool:
    """Returns whether a class only stores its arguments: an exception, enumeration, named tuple, dict or data class."""
    return issubclass(thing, (BaseException, int, tuple, dict)) or hasattr(thing, "__dataclass_fields__")


def _exempt(name: str) -> bool:
    """Returns whether ``EXEMPT`` lists a callable."""
    return any(
        name == key or (key.endswith(".") and name.startswith(key)) or (key[0] == "." and name.endswith(key))
        for key in EXEMPT
    )


def found() -> Iterator[tuple[str, Any, Any]]:
    """Yields, for each public callable, its name in ``TABLE``, the class of the object that its calls need or ``None``,
    and the callable.
    """
    seen: set[int] = set()
    for prefix, module in MODULES:
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.ismodule(thing) or not callable(thing) or id(thing) in seen:
                continue
            seen.add(id(thing))
            if not inspect.isclass(thing):
                yield f"{prefix}{name}", None, thing
                continue
            if not _record(thing) or thing in OWNERS:
                if not _record(thing):
                    yield name, None, thing
                for member in _members(thing):
                    own = getattr(thing, member)
                    foreign = not (getattr(own, "__module__", None) or "gridwright").startswith("gridwright")
                    if callable(own) and not inspect.isclass(own) and not foreign:
                        yield f"{name}.{member}", None if inspect.ismethod(own) else thing, own


def _members(kind: type) -> list[str]:
    """Returns the sorted public names of a class that the package or a builtin base class defines.

    Names that ipywidgets defines are left out, because looking up some of them raises warnings.
    """
    ours = (vars(base) for base in kind.__mro__ if base.__module__.split(".")[0] in ("gridwright", "builtins"))
    return sorted({name for names in ours for name in names if name[0] != "_"} - set(dir(object)))


def _table() -> dict[str, tuple[Any, Any, dict[str, Any]]]:
    """Returns the table. It maps the name of a callable to the class of the object that its calls need or ``None``, the
    callable, and its valid arguments.
    """
    rows = {}
    for name, owner, thing in found():
        if _exempt(name):
            continue
        parameters = inspect.signature(thing).parameters.values()
        # ``**options`` are passed on to another callable, which has its own row in the table.
        names = [
            one.name for one in parameters if one.kind is not inspect.Parameter.VAR_KEYWORD and one.name not in SKIPPED
        ]
        own = {**CALLS.get(name, {}), **_of_game(name)}
        assert set(own) <= set(names), f"{name} has no parameters {set(own) - set(names)}"
        missing = [key for key in names if key not in own and key not in VALID]
        assert not missing, f"{name}: no valid value for {', '.join(missing)}"
        if names:
            rows[name] = owner, thing, {key: own.get(key, VALID[key] if key not in own else None) for key in names}
    return rows


def _of_game(name: str) -> dict[str, Any]:
    """Returns the valid arguments that the module of a game in ``games`` has for one of the game's callables."""
    for game, kind in gw.GAMES.items():
        if name.startswith((f"{kind.__name__}.", f"{game}.")):
            return getattr(games.of(game), "ARGUMENTS", {}).get(name.split(".")[1], {})
    return {}


TABLE = _table()


def _valid(value: Any) -> Any:
    if isinstance(value, Written):
        return value.valid.copy()
    return value.valid if isinstance(value, Accepting) else value


def _wrong(value: Any) -> Iterator[Any]:
    """Returns wrong values for an argument, chosen by the type of its valid value."""
    accepted = value.accepted if isinstance(value, Accepting) else ()
    valid = value.valid if isinstance(value, Accepting) else value
    if isinstance(value, Exactly):
        found: tuple[Any, ...] = value.wrong
    elif isinstance(valid, bool):
        found = (object(), WORD, BYTES, 1.5, (), 2)
    elif isinstance(valid, int):
        found = (object(), WORD, BYTES, 1.5, True, np.True_, math.nan, (), -(2**70), 2**70)
    elif isinstance(valid, float):
        found = (object(), WORD, BYTES, True, np.True_, (), math.nan, 2**2000)
    elif isinstance(valid, str):
        found = (object(), WORD, BYTES, 5, 1.5, ())
    elif isinstance(valid, tuple):
        found = (
            object(),
            WORD,
            BYTES,
            5,
            1.5,
            (),
            (0,),
            (0, 0, 0),
            ("a", 0),
            (0.5, 0),
            (True, 0),
            (0, np.True_),
            (-1, 0),
            (999, 999),
            (2**70, 0),
        )
    elif isinstance(valid, np.ndarray):
        found = (object(), WORD, valid.astype(complex), valid[None, None], np.full(valid.shape, "a"))
        if isinstance(value, Written):
            frozen = valid.copy()
            frozen.flags.writeable = False
            found += (frozen, valid[..., ::-1], valid.astype(np.float32), valid.tolist())
            if not isinstance(value, OfAnyShape):
                found += (valid[:1],)
    else:
        assert valid is None, f"no wrong values for {valid!r}"
        found = (object(), WORD, BYTES, 1.5, ())
    return (one for one in found if not any(one is other or _equal(one, other) for other in accepted))


def _equal(one: Any, other: Any) -> bool:
    return type(one) is type(other) and isinstance(one, str | int | float | bytes | tuple) and one == other


OURS = (ValueError, TypeError, IndexError, gw.SearchLimitError)

INTERNAL = re.compile(
    r"\w+Core\b|wanted|NoneType|cannot be (converted|interpreted)|object is not|not supported between|has no attribute"
    r"|unexpected keyword|could not convert|must be real|operand|invalid literal|subscriptable|not iterable|unhashable"
    r"|inhomogeneous|positional argument|unpack|broadcast|setting an array|unsupported|buffer source"
)
"""Wording of Python, numpy and PyO3, or of an earlier style, that no message may contain."""


def _state(owner: Any) -> Any:
    """Returns the state of an object that a failed call must not change."""
    if owner is None:
        return None
    if isinstance(owner, controls.Controls):
        return owner.game.text, owner.marks(), owner.seed, len(owner.game.moves)
    if isinstance(owner, gw.Batch):
        return owner.board.tolist(), owner.reward.tolist(), [owner.game(i).text for i in range(owner.n)]
    if isinstance(owner, graph.UnionFind):
        return owner.parents.tolist()
    text = getattr(owner, "text", None)
    return text, owner.moves.tolist() if hasattr(owner, "moves") else None


ALSO = {"cell": "row", "row": "cell", "col": "cell", "key": "direction"}
ALSO |= {"generator": "game", "name": "theme", "size": "height", "code": "lines"}
"""Maps the name of an argument to another name that some messages use, such as ``cell`` to ``row``."""


def _named(name: str, sentence: str) -> bool:
    # A message may also name an item, such as "actions[0]", or use the singular, such as "board" for "boards".
    other = ALSO.get(name, name)
    if name == "moves" and sentence.startswith("key "):
        return True
    return (
        name in sentence
        or name.rstrip("s") in sentence
        or sentence.startswith((f"{other} must be", f"{other} must hold"))
    )


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / PATH.valid).write_text("3 1\n")
    for kind in gw.GAMES.values():
        (tmp_path / kind.NAME).write_text(kind.level(kind.levels()[0]).text)
    (tmp_path / "bots").mkdir()
    for name in ("first", "second"):
        (tmp_path / "bots" / f"{name}.py").write_text("def play(view, seed):\n    return view.legal[0]\n")
    yield
    draw.use_theme(None)
    solved.use_storage(None)


def _call(owner: Any, thing: Any, given: dict[str, Any]) -> Any:
    """Calls a function or, if ``owner`` is not ``None``, the method of ``owner`` that has the function's name."""
    parameters = inspect.signature(thing).parameters
    first = [given.pop(key) for key in list(given) if parameters[key].kind is inspect.Parameter.POSITIONAL_ONLY]
    return (thing if owner is None else getattr(owner, thing.__name__))(*first, **given)


def _bad_sentence(case: str, key: str, error: Exception) -> Iterator[str]:
    """Yields a sentence for each fault in the message of an error."""
    sentence = str(error)
    if not isinstance(error, gw.LevelError) and not _named(key, sentence):
        yield f"{case}: the message does not name the argument: {sentence:.400}"
    if len(sentence) > 400 or INTERNAL.search(sentence) or "\n" in sentence or re.search(r"[^.][.]$", sentence):
        yield f"{case}: the message is badly worded: {sentence:.400}"


def _trials(
    name: str, values: Callable[[str, Any], Iterable[Any]]
) -> Iterator[tuple[str, Any, Exception | None, bool]]:
    """Calls a callable of the table with one argument replaced at a time.

    ``values(key, valid)`` returns the values to try for the argument ``key``. Yields for each call the name of the
    argument, the value, the exception that the call raised or ``None``, and whether a call that raised an exception
    changed the object.
    """
    kind, thing, arguments = TABLE[name]
    make = (lambda: None) if kind is None else OWNERS[kind]
    owner = make()
    before = _state(owner)
    for key, valid in arguments.items():
        for value in values(key, valid):
            given = {other: _valid(one) for other, one in arguments.items()}
            try:
                _call(owner, thing, {**given, key: value})
            except Exception as error:
                yield key, value, error, _state(owner) != before
            else:
                yield key, value, None, False
                owner = make()


@pytest.mark.parametrize("name", TABLE)
def test_bad_arguments_are_named_in_the_error_and_change_nothing(name):
    problems = []
    for key, wrong, error, changed in _trials(name, lambda _, valid: _wrong(valid)):
        case = f"{name}({key}={wrong!r:.60})"
        if error is None:
            problems.append(f"{case} was accepted")
        elif isinstance(error, OURS):
            problems += _bad_sentence(case, key, error)
            if changed:
                problems.append(f"{case} changed the object")
        else:
            problems.append(f"{case} raised {type(error).__name__}: {error}")
    assert not problems, "\n".join(problems)


LONG = "x" * (10**4 if IN_TAB else 10**5)
"""A string that is too long for a file name. The file system of a browser's Python splits paths with a regular
expression that takes quadratic time: with 10^5 letters, each access to a file takes half a minute."""

HOSTILE: tuple[Any, ...] = (
    *(
        [[1], [1, 2]],
        [[]],
        {},
        {1, 2},
        frozenset({1, 2}),
        range(min(10**12, sys.maxsize)),
        10**5000,
        "\0",
        "\ud800",
        "a\nb",
        LONG,
        1j,
    ),
    *(np.zeros((4, 5)), np.zeros((0, 4)), np.array(["a", "b"]), np.array(None), np.array([None, 1], object)),
    *(np.zeros(3, [("a", int)]), np.zeros((4, 5), ">i4"), np.zeros((4, 5), np.float16)[::-1, ::-1]),
)
"""Values that few arguments accept, and for which numpy and Python raise errors with their own messages."""

TOO_MUCH = {"SearchLimitError", "MemoryError", "FileNotFoundError", "IsADirectoryError", "OSError", "PermissionError"}
"""Exceptions whose messages are not tested: work or memory exceeds a limit, or the system rejects a file name."""


# The checks, `contest.run` and `films.watch` are left out, because many of their calls start processes.
@pytest.mark.parametrize(
    "name",
    [
        name
        for name in TABLE
        if name == "check.for_student" or not name.startswith(("check.", "contest.", "films.watch"))
    ],
)
def test_hostile_arguments_are_accepted_or_named_in_the_error(name):
    problems = []
    for key, hostile, error, changed in _trials(name, lambda *_: HOSTILE):
        case = f"{name}({key}={type(hostile).__name__})"
        if error is not None and type(error).__name__ not in TOO_MUCH:
            problems += _bad_sentence(case, key, error)
        if changed:
            problems.append(f"{case} changed the object")
    assert not problems, "\n".join(problems)


NO_VALID_CALL = {
    "LinearDomination.difficulty": "needs a position near the end of a game",
    "LightEmAll.move_station": "needs wires toward the north",
    "LightEmAll.move_key": "needs wires toward the east",
}
"""Maps each callable that is not called with valid arguments here to the reason."""


@pytest.mark.parametrize("name", TABLE)
def test_valid_arguments_of_the_table_are_accepted(name):
    kind, thing, arguments = TABLE[name]
    if name in NO_VALID_CALL:
        pytest.skip(NO_VALID_CALL[name])
    owner = None if kind is None else OWNERS[kind]()
    _call(owner, thing, {key: _valid(value) for key, value in arguments.items()})


def test_the_table_has_only_names_that_exist_and_are_used():
    names = {name for name, _, _ in found()}
    modules = {"TaskDataset": datasets, "GameWidget": widget, "EditorWidget": edit, "GridwrightApp": terminal}
    missing = {name for name, module in modules.items() if not module}  # their libraries are not installed
    assert not {name for name in CALLS if name.split(".")[0] not in missing} - names
    for key in (key for key in EXEMPT if key.split(".")[0] not in missing):
        assert any(name == key or name.startswith(key) or name.endswith(key) for name in names), key
    assert {key for _, _, arguments in TABLE.values() for key in arguments} >= set(VALID)


ELSEWHERE = {
    **{
        f"gridwright.envs.wrappers.vector.{name}": "like the wrapper of single environments; tested by test_wrappers.py"
        for name in wrappers.__all__
    },
    **{
        f"gridwright.editor.{name}.{kind.__name__}Editor": "created by game.editor(); the methods of Editor are tested"
        for name, kind in gw.GAMES.items()
    },
    "gridwright.play.board.Board": "receives messages from a page; test_widget.py sends malformed ones",
    "gridwright.play.editing.EditorBoard": "receives messages from a page; test_editor.py sends some",
    "gridwright.contest.games.Player": "created by contest.run()",
    "gridwright.contest.table.ranked": "called by contest.run()",
}
"""Maps each callable of the API reference that ``found`` does not yield to the reason. A class for which ``_record``
returns true needs no reason."""


def _reference() -> Iterator[tuple[str, Any]]:
    """Yields the full name of each callable that the API reference documents, and the callable."""
    for page in sorted((ROOT / "docs" / "api").glob("*.md")):
        for name in re.findall(r"^::: (gridwright[\w.]*)", page.read_text(encoding="utf-8"), re.MULTILINE):
            try:
                module, names = importlib.import_module(name), None
            except ModuleNotFoundError:
                home, _, one = name.rpartition(".")
                module, names = importlib.import_module(home), [one]
            for one in names or module.__all__:
                if callable(thing := getattr(module, one)):
                    yield f"{module.__name__}.{one}", thing


def test_every_callable_of_the_reference_is_in_the_table_or_has_a_reason():
    tried = {id(thing) for _, _, thing in found()}
    missing = [
        name
        for name, thing in _reference()
        if id(thing) not in tried and not (inspect.isclass(thing) and _record(thing)) and name not in ELSEWHERE
    ]
    assert not missing, ", ".join(missing)
    assert set(ELSEWHERE) <= {name for name, _ in _reference()}


CHECKED_BEFORE = "called by `gridwright.draw`, which validates the arguments: rows draw.*, *.svg and *.save_image"
BY_CHECKS = "called by the checks with their own objects or with an answer; tested by test_check_*.py"
BY_TASKS = "used to create and score tasks; tasks.make and Task.check validate the arguments"
BY_PAGES = "called with messages from the widget and the browser tab; test_widget.py sends malformed ones"

SCREENS = ("board", "dialogs", "menus", "play")

INSIDE = {
    "gridwright.arguments": "reads arguments, so all rows of the table test it",
    "gridwright.bloxorz_switches": "takes a valid game, for controls and pictures",
    **dict.fromkeys(
        (
            f"gridwright.check.{name}"
            for name in [
                "blocks",
                "fields",
                "graphs",
                "guard",
                "hints",
                "judge",
                "light",
                "lines",
                "options",
                "panels",
                "program",
                "read",
                "watching",
                "wires",
                "worker",
            ]
        ),
        BY_CHECKS,
    ),
    **dict.fromkeys(("gridwright.contest.games", "gridwright.contest.table"), "called by contest.run()"),
    "gridwright.contest.page": "called by contest.run()",
    **dict.fromkeys(
        (
            f"gridwright.draw.{name}"
            for name in (
                *gw.GAMES,
                *["bitmap", "bloxorz3d", "foreign", "page", "pseudocode", "rolling", "svg", "text", "theme", "tracing"],
            )
        ),
        CHECKED_BEFORE,
    ),
    "gridwright.draw.predict": "used by film.predict(), which takes no arguments",
    **dict.fromkeys(
        ("gridwright.draw.films.beside", "gridwright.draw.films.lines"), "called by the functions of the rows films.*"
    ),
    **dict.fromkeys((f"gridwright.editor.{name}" for name in gw.GAMES), "created by game.editor(), see `ELSEWHERE`"),
    "gridwright.envs.frames": "draws the frames of the environments",
    "gridwright.envs.sb3": "needs Stable-Baselines3; tested by test_sb3.py",
    "gridwright.envs.wrappers.vector": "like the wrappers of single environments; tested by test_wrappers.py",
    "gridwright.files": "called with paths that have been validated",
    "gridwright.game": "reads the file for `load`: the rows *.load test it",
    "gridwright.geese_console": "a program; its argument is the list of words of a command line",
    **dict.fromkeys((f"gridwright.play.{name}" for name in ["board", "editing", "marks", "page"]), BY_PAGES),
    "gridwright.play.notebook": "the base class of GameWidget and EditorWidget, which are in the table",
    "gridwright.play.typed": "reads typed commands; test_command_line.py types invalid ones",
    **dict.fromkeys(
        ("gridwright.play.terminal", *(f"gridwright.play.terminal.{name}" for name in SCREENS)),
        "screens; test_terminal.py presses keys",
    ),
    "gridwright.optional": "imports optional packages; test_structure.py hides them",
    "gridwright.progress": "reads the argument `progress`: the rows with this argument test it",
    "gridwright.records.store": "`Work` is a type for annotations",
    "gridwright.segments": "reads the arguments of gridwright.tracing: the rows tracing.* test it",
    **dict.fromkeys(
        (
            f"gridwright.tasks.{name}"
            for name in [
                "answers",
                "blocks",
                "choices",
                "fields",
                "graphs",
                "light",
                "lines",
                "pictures",
                "wires",
            ]
        ),
        BY_TASKS,
    ),
    "gridwright.words": "builds sentences",
}
"""Maps each module with callables that ``_untried`` yields to the reason. Most of these modules are internal."""


def _untried() -> Iterator[tuple[str, str]]:
    """Yields the module and the name of each callable of a module's ``__all__`` that ``found`` does not yield.

    The classes in ``OWNERS``, those for which ``_record`` returns true, and functions imported from another module are
    left out.
    """
    tried = {id(thing) for _, _, thing in found()} | {id(kind) for kind in OWNERS}
    for info in pkgutil.walk_packages(gw.__path__, "gridwright."):
        if any(part.startswith("_") for part in info.name.split(".")):
            continue
        module = _optional(info.name)
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            record = inspect.isclass(thing) and _record(thing)
            # An imported function belongs to the module that defines it.
            home = getattr(thing, "__module__", info.name) == info.name or not inspect.isroutine(thing)
            if callable(thing) and home and not record and id(thing) not in tried:
                yield info.name, name


def test_every_callable_of_every_module_is_in_the_table_or_has_a_reason():
    untried = list(_untried())
    missing = [f"{module}.{name}" for module, name in untried if module not in INSIDE]
    assert not missing, ", ".join(missing)
    stale = set(INSIDE) - {module for module, _ in untried}
    assert stale <= {name for name in INSIDE if _optional(name) is None}, stale


@pytest.mark.parametrize("name", TABLE)
def test_values_listed_as_accepted_are_accepted(name):
    kind, thing, arguments = TABLE[name]
    for key, value in arguments.items():
        for accepted in value.accepted if type(value) is Accepting else ():
            given = {other: _valid(one) for other, one in arguments.items()}
            _call(None if kind is None else OWNERS[kind](), thing, {**given, key: accepted})


@pytest.mark.parametrize(
    ("kind", "method", "name", "arguments"),
    [
        ("geese", "hint", "policy", ()),
        ("lightemall", "rotate", "turns", (CELL,)),
        ("lightemall", "count_solutions", "most", ()),
        ("photon", "count_solutions", "most", ()),
        ("domination", "display_board", "empty", ()),
        ("domination", "report", "empty", ()),
        ("domination", "empty", "rules", (3, 2)),
        ("domination", "suggest", "player", ()),
        ("domination", "suggest", "depth", ()),
        ("domination", "suggest", "playouts", ()),
        ("domination", "suggest", "plies", ()),
        ("domination", "random_games", "plies", (2,)),
        ("domination", "random_games", "threads", (2,)),
    ],
)
def test_none_is_refused_if_the_default_is_another_value(kind, method, name, arguments):
    with pytest.raises(TypeError, match=rf"^{name} must be .*, got None"):
        getattr(games.of(kind).position(), method)(*arguments, **{name: None})


def test_a_union_find_refuses_none_as_its_strategy():
    with pytest.raises(TypeError, match=r"^strategy must be .*, got None"):
        graph.UnionFind(3, strategy=None)
