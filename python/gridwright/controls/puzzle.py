"""The puzzle on the board: what is remembered of it, its clock, and how a player asks for another one."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..errors import SearchLimitError
from .values import Refusal


@dataclass
class Puzzle:
    """What is remembered of the puzzle on the board; taken back together with it."""

    name: str = ""
    """Name of the packaged level, if it is one."""
    seed: int | None = None
    """Seed of a new puzzle."""
    hints: int = 0
    """How many hints the player has asked for."""
    assisted: bool = False
    """Whether a solution was played for the player."""
    clock: float = 0.0
    """Seconds until the clock was last stopped."""
    since: float | None = None
    """When the clock was started; ``None`` while it stands."""
    groups: dict[int, int] = field(default_factory=dict)
    """Where one action played several moves: the number of moves after it -> before it."""
    restarted: int = 0
    """How many moves the last restart took back; undo plays them again."""
    optimum: int | None = None
    """The fewest moves from the start; ``None`` if that is not known."""
    optimum_known: bool = False
    """Whether `optimum` was looked for."""
    extra: dict[str, Any] = field(default_factory=dict)
    """What the controls of one game remember of it."""
    state: Any = None
    """State of the game while another puzzle is on the board."""

    @property
    def seconds(self) -> float:
        """Seconds since the first move, without those in which the clock stood."""
        return self.clock + (0.0 if self.since is None else time.monotonic() - self.since)

    def start_clock(self) -> None:
        """Starts the clock if it stands."""
        if self.since is None:
            self.since = time.monotonic()

    def stop_clock(self) -> None:
        """Stops the clock."""
        self.clock, self.since = self.seconds, None

    def put_away(self, game: Any) -> Puzzle:
        """Stops the clock, remembers the state of the game, and returns itself."""
        self.stop_clock()
        self.state = game.__getstate__()
        return self

    def take_out(self, game: Any) -> None:
        """Puts the state that was remembered into the game."""
        attributes = self.state[3]
        # What the puzzle on the board remembered of its making goes; what its player has put there stays.
        for name in [name for name in vars(game) if name.startswith("_") and name not in attributes]:
            delattr(game, name)
        game.__setstate__(self.state)
        self.state = None


_NAMES: dict[Any, dict[str, str]] = {}
"""Names of the packaged levels of each game class by their texts."""


def level_name(game: Any) -> str:
    """Returns the name of the packaged level that a game started from, found by its text; empty if it is none."""
    kind = type(game)
    if kind not in _NAMES:
        _NAMES[kind] = {kind.level(name).text: name for name in kind.levels()}
    start = game.copy()
    start.reset()
    return _NAMES[kind].get(start.text, "")


def read_seed(typed: int | str | None) -> int:
    """Reads a seed as a player types it; draws one if nothing is typed."""
    if typed is None or typed == "":
        return random.randrange(1_000_000)
    text = str(typed).strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 20 and int(text) < 2**64):
        raise Refusal(f"The seed must be a whole number from 0 to {2**64 - 1}, got {text[:40]!r}.")
    return int(text)


def patience(seconds: float) -> Callable[[int], None]:
    """Watches a search and ends it by ``SearchLimitError`` when the player has waited long enough."""
    end = time.monotonic() + seconds

    def look(_: int) -> None:
        if time.monotonic() > end:
            raise SearchLimitError(f"nothing found in {seconds:g} s")

    return look
