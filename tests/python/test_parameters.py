"""Checks that every parameter of every public callable is documented, and that every public callable has an example.

A parameter is documented by a list item, ``* ``name``: ...``, in the docstring of its function, or of its class if it
is a parameter of the constructor. A field of a data class or named tuple may instead be documented by a string below
the field. An example may be in the docstring of the callable, of its class, or of its module.
"""

from __future__ import annotations

import ast
import enum
import importlib
import inspect
import itertools
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import gridwright as gw
import pytest

NEEDS = {"gridwright.envs.sb3": "stable_baselines3", "gridwright.tasks.datasets": "reasoning_gym"}
"""Maps a module to the optional package that it imports."""

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(gw.__path__, "gridwright.")
    if not module.name.endswith(("__main__", "_core")) and not module.name.startswith("gridwright.play.terminal")
)

PUBLIC = (
    *("gridwright", "gridwright.check", "gridwright.contest", "gridwright.controls", "gridwright.draw"),
    *("gridwright.draw.films", "gridwright.editor", "gridwright.envs", "gridwright.envs.linear_domination"),
    *("gridwright.envs.sb3", "gridwright.graph", "gridwright.insight", "gridwright.sweep", "gridwright.tasks"),
    "gridwright.tracing",
    *(f"gridwright.{name}" for name in gw.GAMES),
)
"""The modules whose functions and classes users call. Every public callable of these modules must have an example."""

CONVENTIONS = {"self", "cls", "mv", "st", "case", "expected", "got", "where"}
"""Parameters with the same meaning in all functions, which need no documentation: ``mv``, for example, is a move."""


def _module(name: str) -> Any:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    return importlib.import_module(name)


def _parameters(thing: Any, documented: set[str]) -> list[str]:
    """Returns the parameters that must be documented.

    Leaves out ``**options`` if individual options are documented, that is, names that are not in the signature.
    """
    if inspect.isclass(thing) and not any({"__init__", "__new__"} & set(vars(kind)) for kind in _classes(thing)):
        return []
    try:
        found = inspect.signature(thing).parameters
    except (TypeError, ValueError):
        return []
    named = bool(documented - set(found))
    return [
        name
        for name, one in found.items()
        if name not in CONVENTIONS and not name.startswith("_") and not (one.kind is one.VAR_KEYWORD and named)
    ]


def _classes(kind: type) -> list[type]:
    """Returns a class and its bases, without those that the package does not define."""
    return [one for one in kind.__mro__ if one.__module__.startswith("gridwright")]


def _documented(text: str) -> set[str]:
    """Returns the names with which the list items of a docstring begin."""
    # Docstrings of the extension have single backticks, as is usual in Rust.
    heads = re.findall(r"^ *\* (`+\w+`+(?:, `+\w+`+)*):", text, re.MULTILINE)
    return {name for head in heads for name in re.findall(r"\w+", head)}


def _fields(kind: type) -> set[str] | None:
    """Returns the fields that have a string below them, or ``None`` if the class is not a data class or named tuple."""
    if not (hasattr(kind, "__dataclass_fields__") or hasattr(kind, "_fields")):
        return None
    bodies = [ast.parse(inspect.getsource(one)).body[0].body for one in _classes(kind)]  # type: ignore[attr-defined]
    return {
        one.target.id
        for body in bodies
        for one, below in itertools.pairwise(body)
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
    }


def _own(kind: type) -> Iterator[tuple[str, Any]]:
    """Yields the name of each public method that the class itself defines, and the method."""
    for name, value in vars(kind).items():
        member = getattr(kind, name, None)
        if (
            not name.startswith("_")
            and callable(member)
            and not inspect.isclass(member)
            and not isinstance(value, type)
        ):
            yield name, member


def _callables(module: Any) -> Iterator[tuple[str, Any, str]]:
    """Yields the name of each public callable, the callable, and the text that must document its parameters."""
    for name in getattr(module, "__all__", ()):
        thing = getattr(module, name)
        home = getattr(thing, "__module__", "") or ""
        if not callable(thing) or not home.startswith("gridwright"):
            continue
        if not inspect.isclass(thing):
            yield name, thing, inspect.getdoc(thing) or ""
        elif not issubclass(thing, enum.Enum | BaseException) and not getattr(thing, "_is_protocol", False):
            yield name, thing, "\n".join(inspect.getdoc(one) or "" for one in _classes(thing))
            for member, method in _own(thing):
                yield f"{name}.{member}", method, inspect.getdoc(method) or ""


@pytest.mark.parametrize("name", ["gridwright", *MODULES])
def test_every_parameter_is_documented(name):
    missing = []
    for path, thing, text in _callables(_module(name)):
        fields = _fields(thing) if inspect.isclass(thing) else None
        known = _documented(text) | (fields or set())
        gone = [one for one in _parameters(thing, known) if one not in known]
        missing += [f"{path}: {', '.join(gone)}"] if gone else []
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_callable_has_an_example(name):
    module = _module(name)
    missing = []
    for path, _, text in _callables(module):
        owner = getattr(module, path.partition(".")[0])
        texts = (text, inspect.getdoc(owner) or "", inspect.getdoc(module) or "")
        if not any(">>>" in one for one in texts):
            missing.append(path)
    assert not missing, ", ".join(missing)
