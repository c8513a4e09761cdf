"""The games in a terminal: an application with lists of games and levels and a board in color, for mouse and keyboard.

Needs ``gridwright[play]``. The application contains no rules of any game: all that a player does goes through
``game.controls()``, and the symbols and colors of a board come from ``gridwright.draw``.
"""

from __future__ import annotations

try:
    import textual  # noqa: F401
except ImportError:  # pragma: no cover
    raise ImportError("the terminal application needs textual: pip install 'gridwright[play]'") from None

from .app import GridwrightApp, run
from .board import Board
from .dialogs import Help, New, Settings
from .menus import Levels, Menu
from .play import Play

__all__ = ["Board", "GridwrightApp", "Help", "Levels", "Menu", "New", "Play", "Settings", "run"]
