"""Environments for learning: Gymnasium for the one-player games, PettingZoo for Linear Domination.

Importing this module registers the id ``gridwright/Name-v0`` for each name in the table ``WORLDS``, for use with
``gymnasium.make`` and ``gymnasium.make_vec``. ``gymnasium.make("gridwright.envs:gridwright/Bloxorz-v0")`` imports the
module and makes the environment in one call.

``gridwright.envs.linear_domination.env()`` needs PettingZoo. ``pip install 'gridwright[envs]'`` installs Gymnasium and
PettingZoo.

>>> import gridwright.envs, gymnasium
>>> env = gymnasium.make("gridwright/Bloxorz-v0")
>>> env.action_space, env.observation_space.shape
(Discrete(5), (6, 10))
"""

from __future__ import annotations

import importlib
from typing import Any

try:
    import gymnasium
except ImportError:
    raise ImportError("environments need Gymnasium: pip install 'gridwright[envs]'") from None

from .single import GridEnv
from .vector import GridVectorEnv
from .worlds import WORLDS, World

__all__ = ["WORLDS", "GridEnv", "GridVectorEnv", "World"]


def _register() -> None:
    for name in WORLDS:
        id = f"gridwright/{name}-v0"
        if id not in gymnasium.registry:
            gymnasium.register(
                id,
                entry_point="gridwright.envs.single:GridEnv",
                vector_entry_point="gridwright.envs.vector:GridVectorEnv",
                kwargs={"world": name},
            )


_register()


def __getattr__(name: str) -> Any:
    # Imported on first use, because it needs PettingZoo.
    if name == "linear_domination":
        return importlib.import_module(f"{__name__}.linear_domination")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
