"""Imports of packages that gridwright works without."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["require"]


def require(module: str, sentence: str) -> Any:
    """Imports a module of another package.

    * ``module``: the full name of the module.
    * ``sentence``: the message of the ``ImportError`` if the module cannot be imported: what needs which package, and
      the command that installs it.

    >>> require("nosuch.module", "pictures need nosuch: pip install nosuch")
    Traceback (most recent call last):
    ImportError: pictures need nosuch: pip install nosuch
    """
    try:
        return import_module(module)
    except ImportError:
        raise ImportError(sentence) from None
