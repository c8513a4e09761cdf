"""Functions that the tests of sweeps run in worker processes, which import this module."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import gridwright as gw


def geese(seed: int) -> dict[str, Any]:
    """Generates a board and returns three facts about it: two integers and a string."""
    game = gw.GeeseSpotter.generate(5, 6, 7, seed=seed)
    return {"three_bv": game.three_bv, "code": int(game.show((0, 0))), "name": f"board {seed}"}


def dies_once(seed: int) -> int:
    """Kills its worker the first time that the seed is 5; returns the square of the seed."""
    mark = Path(os.environ["SWEEP_MARK"])
    if seed == 5 and not mark.exists():
        mark.touch()
        os._exit(3)
    return seed * seed


def dies_always(seed: int) -> int:
    """Kills its worker whenever the seed is 5; returns the square of the seed."""
    if seed == 5:
        os._exit(3)
    return seed * seed


def raises(seed: int) -> int:
    """Raises ``KeyError`` if the seed is 3; returns the seed."""
    if seed == 3:
        raise KeyError("seed 3")
    return seed


def count(seed: int) -> None:
    """Appends the seed of a call to the file that the environment variable SWEEP_MARK names."""
    with open(os.environ["SWEEP_MARK"], "a") as file:
        file.write(f"{seed}\n")


def returns_a_lock(seed: int) -> Any:
    """Records the call and returns an object that cannot be pickled."""
    count(seed)
    return threading.Lock()


class LostError(Exception):
    """An exception that is pickled without its second argument and therefore cannot be unpickled."""

    def __init__(self, what: str, where: str) -> None:
        super().__init__(what)
        self.where = where


def raises_a_lost_error(seed: int) -> None:
    """Records the call and raises an exception that cannot be unpickled."""
    count(seed)
    raise LostError("what", "where")
