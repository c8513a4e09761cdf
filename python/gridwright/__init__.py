"""Five grid worlds whose boards are numpy arrays, with exact solvers, generators and levels.

>>> import gridwright as gw
>>> game = gw.Bloxorz.level("level01")
>>> game.play("r")
>>> game.solve()
'rdrrrd'
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from ._core import __version__
from .sweep import sweep

if _TYPE_CHECKING:
    from . import bloxorz, domination, errors, geese, graph, lightemall, photon, tracing
    from .batch import Batch
    from .bloxorz import Bloxorz
    from .domination import LinearDomination
    from .errors import IllegalMoveError, LevelError, MoveError, SearchLimitError
    from .game import Game, GridGame
    from .geese import GeeseSpotter
    from .lightemall import LightEmAll
    from .photon import MyPhoton
    from .status import Status

    GAMES: dict[str, type[GridGame]]

_GAMES = {
    "photon": "MyPhoton",
    "lightemall": "LightEmAll",
    "bloxorz": "Bloxorz",
    "geese": "GeeseSpotter",
    "domination": "LinearDomination",
}
"""Maps the folder name of a game to the name of its class; ``GAMES`` has the classes themselves as values."""

_HOMES = {
    **{kind: name for name, kind in _GAMES.items()},
    "Batch": "batch",
    "Game": "game",
    "GridGame": "game",
    "IllegalMoveError": "errors",
    "LevelError": "errors",
    "MoveError": "errors",
    "SearchLimitError": "errors",
    "Status": "status",
}
"""Maps a public name to the module that defines it; the module is imported when the name is first used."""

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

_OPTIONAL = ("check", "envs", "tasks")
"""Modules that ``from gridwright import *`` leaves out: they need Gymnasium or hypothesis, or serve few users."""


def __getattr__(name: str) -> _Any:
    # Python calls this function for a name that the module does not define yet (PEP 562). The value is stored in the
    # module, so that the next use of the name does not call this function again.
    import importlib

    if name == "GAMES":
        found: _Any = {folder: __getattr__(kind) for folder, kind in _GAMES.items()}
    elif name in _HOMES:
        found = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    elif name in _OPTIONAL or name in __all__:
        found = importlib.import_module(f"{__name__}.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_OPTIONAL})
