"""How a game stands."""

from enum import IntEnum

from . import _core

__all__ = ["Status"]

_NUMBERS = _core.statuses()


class Status(IntEnum):
    """How a game stands: open, won, lost or drawn. In a game of two, WON and LOST are those of the first player.

    >>> import gridwright as gw
    >>> gw.Bloxorz.level("level01").status
    <Status.OPEN: 0>
    """

    OPEN = _NUMBERS["OPEN"]
    WON = _NUMBERS["WON"]
    LOST = _NUMBERS["LOST"]
    DRAWN = _NUMBERS["DRAWN"]
