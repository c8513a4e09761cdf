"""Five grid worlds with exact solvers, generators and levels, whose boards are numpy arrays.

>>> import gridwright as gw
>>> game = gw.Bloxorz.level("level01")
>>> game.play("r")
>>> game.solve()
'rdrrrd'
"""

import importlib as _importlib
from typing import Any as _Any

from . import bloxorz, domination, errors, geese, graph, lightemall, photon, tracing
from ._core import __version__
from .batch import Batch
from .bloxorz import Bloxorz
from .domination import LinearDomination
from .errors import IllegalMoveError, LevelError, MoveError, SearchLimitError
from .game import Game, GridGame
from .geese import GeeseSpotter
from .lightemall import LightEmAll
from .photon import MyPhoton
from .status import Status
from .sweep import sweep

GAMES: dict[str, type[GridGame]] = {
    "photon": MyPhoton,
    "lightemall": LightEmAll,
    "bloxorz": Bloxorz,
    "geese": GeeseSpotter,
    "domination": LinearDomination,
}
"""The games by their folder names."""

__all__ = [
    "GAMES",
    "Batch",
    "Bloxorz",
    "Game",
    "GeeseSpotter",
    "GridGame",
    "IllegalMoveError",
    "LevelError",
    "LightEmAll",
    "LinearDomination",
    "MoveError",
    "MyPhoton",
    "SearchLimitError",
    "Status",
    "__version__",
    "bloxorz",
    "domination",
    "errors",
    "geese",
    "graph",
    "lightemall",
    "photon",
    "sweep",
    "tracing",
]


_LAZY = ("check", "envs")
"""Modules that need Gymnasium or hypothesis, imported on first use."""


def __getattr__(name: str) -> _Any:
    if name in _LAZY:
        return _importlib.import_module(f"gridwright.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
