"""Every public callable and every argument: a bad value is answered by one sentence that names the argument.

The table holds one valid call of each callable. Each of its arguments is then replaced by values of a wrong type, below
and above every bound, and NaN: the call must raise an exception of ours, in one sentence that names the argument, and
leave the object unchanged.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from typing import Any

import games
import gridwright as gw
import numpy as np
import pytest
from gridwright import graph, tracing
from gridwright.editor import Editor


def _editor() -> Any:
    return gw.Bloxorz("SAooT\noooao\n#AOa").editor()


EDGES = np.array([[0, 1], [1, 2], [2, 3]], dtype=np.int32)
GRID = np.zeros((4, 5), np.uint8)

# What makes the object (None: a function), the name, the arguments of a valid call.
CALLS: list[tuple[Callable[[], Any] | None, Any, dict[str, Any]]] = [
    *(
        (make, name, arguments)
        for make in games.every("position").values()
        for name, arguments in (
            ("perft", {"depth": 1, "limit": 10**6}),
            ("sample_legal", {"seed": 1}),
            ("batch", {"n": 2, "seed": 1}),
            ("svg", {"size": 20, "theme": "dark"}),
        )
    ),
    *(row for rows in games.every("CALLS").values() for row in rows),
    (_editor, "put", {"cell": (0, 3), "code": 5, "name": "B"}),
    (_editor, "paint", {"cells": [(0, 3), (1, 0)], "code": 5, "name": "B"}),
    (_editor, "turn", {"cell": (0, 3)}),
    (_editor, "connect", {"cells": [(0, 1), (1, 3)], "how": "off"}),
    (_editor, "resize", {"height": 4, "width": 5}),
    (_editor, "facts", {"seconds": 1.0}),
    (_editor, "code", {"cell": (0, 3)}),
    (_editor, "describe", {"cell": (0, 3)}),
    (_editor, "sample", {"code": 5}),
    (
        None,
        gw.Batch,
        {
            "game": gw.Bloxorz.level("level01"),
            "n": 2,
            "seed": 1,
            "autoreset": "disabled",
            "max_steps": 5,
            "rewards": (1, 0, 0, 0, 0),
            "mask": True,
            "threads": 1,
        },
    ),
    (None, graph.UnionFind, {"n": 4}),
    (None, graph.grid_edges, {"height": 3, "width": 3, "hexagonal": False, "wrap": False}),
    (None, graph.kruskal, {"nodes": 4, "edges": EDGES, "weights": np.ones(3)}),
    (None, graph.bfs, {"nodes": 4, "edges": EDGES, "source": 0}),
    (None, graph.diameter, {"nodes": 4, "edges": EDGES}),
    (None, graph.random_spanning_tree, {"height": 3, "width": 3, "method": "wilson", "bias": 0.0, "seed": 1}),
    (None, tracing.trace, {"tail": (0, 0), "head": (2, 3), "method": "amanatides-woo"}),
    (None, tracing.trace_many, {"segments": np.array([[0, 0, 2, 3]]), "method": "bresenham"}),
    (None, tracing.coverage, {"shape": (4, 5), "segments": np.array([[0, 0, 2, 3]])}),
    (None, tracing.paint, {"board": GRID, "segments": np.array([[0, 0, 2, 3]]), "values": 1}),
    (None, gw.sweep, {"function": abs, "seeds": 3, "chunk": 1}),
]

WRONG = (object(), "no such word", -(2**70), 2**70, math.nan, 1.5, (), b"x")
"""Values that no argument takes; a value that one does take is allowed to pass."""

OURS = (ValueError, TypeError, gw.SearchLimitError, MemoryError, IndexError)


def _names(call: tuple[Any, Any, dict[str, Any]]) -> str:
    make, what, _ = call
    if make is None:
        return getattr(what, "__qualname__", repr(what))
    return f"{type(make()).__name__}.{what}"


def _state(owner: Any) -> tuple[str, Any]:
    """What a refused call must leave as it was: the position, and the moves of a game."""
    return owner.text, None if isinstance(owner, Editor) else owner.moves.tolist()


def _changing(owner: Any) -> tuple[str, ...]:
    """The calls that change their object if a value is taken."""
    if isinstance(owner, Editor):
        return "put", "paint", "turn", "connect", "resize"
    return getattr(games.of(owner), "PLAYS", ())


@pytest.mark.parametrize("call", CALLS, ids=_names)
def test_bad_arguments_are_named_and_change_nothing(call):
    make, what, arguments = call
    for name, valid in arguments.items():
        for wrong in WRONG:
            owner = None if make is None else make()
            before = None if owner is None else _state(owner)
            work = what if owner is None else getattr(owner, what)
            case = f"{_names(call)}({name}={wrong!r})"
            try:
                work(**{**arguments, name: wrong})
            except OURS as error:
                sentence = str(error)
                assert name in sentence or (isinstance(valid, tuple | np.ndarray) and name.rstrip("s") in sentence), (
                    f"{case}: {sentence}"
                )
                assert "\n" not in sentence, f"{case}: {sentence}"
                assert len(sentence) < 400, f"{case}: {sentence}"
                assert not re.search(r"\w+Core\b|wanted|'NoneType'|cannot be (converted|interpreted)", sentence), (
                    sentence
                )
                assert not sentence.endswith("."), f"{case}: {sentence}"
            else:
                # A value that is taken although it looks wrong, such as a number of words for a path, must be sensible.
                assert wrong in (1.5, "no such word", ()) or isinstance(wrong, bytes | int), f"{case} was accepted"
            if owner is not None and before is not None and what not in _changing(owner):
                assert _state(owner) == before, case


@pytest.mark.parametrize("call", CALLS, ids=_names)
def test_the_valid_call_of_the_table_works(call):
    make, what, arguments = call
    (what if make is None else getattr(make(), what))(**arguments)


def test_errors_show_the_public_class():
    for kind in gw.GAMES.values():
        with pytest.raises(TypeError, match=rf"{kind.__name__}\b") as caught:
            kind()
        assert "Core" not in str(caught.value)
        assert "Core" not in (inspect.getdoc(kind) or "")
        assert not any("Core" in base.__name__ for base in kind.__mro__)
