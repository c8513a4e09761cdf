"""Functions for the tests of sweeps, in a module that worker processes can import."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import gridwright as gw


def geese(seed: int) -> dict[str, Any]:
    """Generates a board and returns its 3BV, the code that revealing its first field returns, and a name."""
    game = gw.GeeseSpotter.generate(5, 6, 7, seed=seed)
    return {"three_bv": game.three_bv, "code": int(game.show((0, 0))), "name": f"board {seed}"}


def dies_once(seed: int) -> int:
    """Returns the square of the seed, except that the first call with seed 5 ends its process."""
    mark = Path(os.environ["SWEEP_MARK"])
    if seed == 5 and not mark.exists():
        mark.touch()
        os._exit(3)
    return seed * seed


def dies_always(seed: int) -> int:
    """Returns the square of the seed, except that each call with seed 5 ends its process."""
    if seed == 5:
        os._exit(3)
    return seed * seed


def raises(seed: int) -> int:
    """Returns the seed; raises ``KeyError`` if the seed is 3."""
    if seed == 3:
        raise KeyError("seed 3")
    return seed


def record(seed: int) -> None:
    """Appends the seed to the file whose path is in the environment variable ``SWEEP_MARK``."""
    with open(os.environ["SWEEP_MARK"], "a") as file:
        file.write(f"{seed}\n")


def returns_a_lock(seed: int) -> Any:
    """Records the call and returns an object that cannot be pickled."""
    record(seed)
    return threading.Lock()


class LostError(Exception):
    """An exception that is pickled without its second argument and therefore cannot be unpickled."""

    def __init__(self, what: str, where: str) -> None:
        super().__init__(what)
        self.where = where


def raises_a_lost_error(seed: int) -> None:
    """Records the call and raises an exception that cannot be unpickled."""
    record(seed)
    raise LostError("what", "where")
