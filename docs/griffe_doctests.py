"""Fences the examples of docstrings, and hides what a reader of the reference does not use."""

from __future__ import annotations

import inspect
import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"(?:^[ ]*>>> .*\n?(?:^(?![ ]*>>> )[ ]*\S.*\n?)*)+", re.M)

_BUILT_IN = {inspect.getdoc(kind) for kind in (bool, dict, float, frozenset, int, list, set, str, tuple)}


class Doctests(griffe.Extension):
    """The extension that griffe calls for every object and for the members of every class."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Fences the examples of one docstring; special methods lose their docstring, and so their entry."""
        # A constant that griffe reads from the imported module gets the docstring of its type if it has none.
        if obj.name.startswith("__") or (obj.docstring and inspect.cleandoc(obj.docstring.value) in _BUILT_IN):
            obj.docstring = None
        if obj.docstring and "```" not in obj.docstring.value:
            obj.docstring.value = _EXAMPLE.sub(
                lambda found: "\n```pycon\n" + found[0].strip() + "\n```\n", obj.docstring.value
            )

    def on_class_members(self, *, cls: Any, **_: Any) -> None:
        """Removes the controls of a game, which have a page of their own."""
        cls.members.pop("CONTROLS", None)
