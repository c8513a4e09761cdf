"""Editors that build levels, without a display. Each game has a module in this package, with its editor class as
``EDITOR``.

``game.editor()`` returns an `Editor` of a game, and ``game.edit()`` returns a widget that shows one in a notebook.
"""

from __future__ import annotations

import importlib
from typing import Any

from ..arguments import game as read_game
from .protocol import Brush, Editor, Facts, Problem

__all__ = ["Brush", "Editor", "Facts", "Problem", "open_editor"]


def open_editor(game: Any) -> Editor:
    """Returns a new editor whose draft is made from a game.

    * ``game``: a game of any kind, which is not changed.

    >>> import gridwright as gw
    >>> open_editor(gw.LightEmAll.blank(2, 2)).rows
    ('00', '00')
    """
    made: Editor = importlib.import_module(f"{__name__}.{read_game('game', game).NAME}").EDITOR(game)
    return made
