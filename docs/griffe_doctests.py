"""Puts the examples of docstrings into code blocks, so that ``>>>`` is no quotation."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"(?:^[ ]*>>> .*\n?(?:^(?![ ]*>>> )[ ]*\S.*\n?)*)+", re.M)


class Doctests(griffe.Extension):
    """Called for every object that has documentation."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Fences the examples of one docstring."""
        if obj.docstring and "```" not in obj.docstring.value:
            obj.docstring.value = _EXAMPLE.sub(
                lambda found: "\n```pycon\n" + found[0].strip() + "\n```\n", obj.docstring.value
            )
