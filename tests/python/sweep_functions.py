"""What the workers of the sweeps' tests do: importable, so that other processes find it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import gridwright as gw


def geese(seed: int) -> dict[str, Any]:
    """Lays a board."""
    game = gw.GeeseSpotter.generate(5, 6, 7, seed=seed)
    return {"three_bv": game.three_bv, "code": int(game.show((0, 0))), "name": f"board {seed}"}


def dies_once(seed: int) -> int:
    """Kills its worker at seed 5, the first time."""
    mark = Path(os.environ["SWEEP_MARK"])
    if seed == 5 and not mark.exists():
        mark.touch()
        os._exit(3)
    return seed * seed


def dies_always(seed: int) -> int:
    """Kills its worker at seed 5."""
    if seed == 5:
        os._exit(3)
    return seed * seed


def raises(seed: int) -> int:
    """Fails at seed 3."""
    if seed == 3:
        raise KeyError("seed 3")
    return seed
