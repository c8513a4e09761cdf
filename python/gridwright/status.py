"""The status of a game."""

from enum import IntEnum

from . import _core

__all__ = ["Status"]

_NUMBERS = _core.statuses()


class Status(IntEnum):
    """The status of a game: open, won, lost or drawn. With two players, WON and LOST refer to the first player.

    >>> import gridwright as gw
    >>> gw.Bloxorz.level("level01").status
    <Status.OPEN: 0>
    """

    OPEN = _NUMBERS["OPEN"]
    WON = _NUMBERS["WON"]
    LOST = _NUMBERS["LOST"]
    DRAWN = _NUMBERS["DRAWN"]
