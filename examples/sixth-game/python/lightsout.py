"""Lights Out: press a field, and it and its four neighbours change between light and dark.

>>> import gridwright as gw
>>> game = gw.LightsOut.level("level01")
>>> game.play(1, 1)
>>> game.is_solved
True
"""

from __future__ import annotations

from enum import IntEnum

from . import _core
from .game import GridGame

__all__ = ["LightsOut", "Tile"]


class Tile(IntEnum):
    """Codes of ``LightsOut.board``."""

    DARK = 0
    LIGHT = 1


class LightsOut(GridGame, _core.LightsOut):
    """A position of Lights Out, with its history: rows of ``#`` light and ``.`` dark. A move is ``(row, col)``."""

    NAME = "lightsout"
