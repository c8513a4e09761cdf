"""The state of the puzzle on the board besides its position: its name, its seed, the clock and the hints used."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..arguments import flag, number, seed_of, whole
from ..errors import SearchLimitError
from .values import Refusal


@dataclass
class Puzzle:
    """The state of a puzzle besides its position, kept so that ``Controls.undo`` can return to the puzzle."""

    name: str = ""
    """The name of the packaged level; empty if the puzzle is not a packaged level."""
    seed: int | None = None
    """The seed of a puzzle that ``Controls.new`` made; ``None`` for any other puzzle."""
    hints: int = 0
    """The number of hints shown."""
    assisted: bool = False
    """Whether a solution has been played for the player since the last restart."""
    answered: bool = False
    """Whether the moves that a restart took back may be those of a solution that was played for the player."""
    clock: float = 0.0
    """The seconds counted until the clock was last stopped."""
    since: float | None = None
    """The value of ``time.monotonic`` when the clock was started; ``None`` while the clock is stopped."""
    groups: dict[int, int] = field(default_factory=dict)
    """Actions that played several moves: the number of moves after the action -> the number before it."""
    restarted: int = 0
    """The number of moves that the last restart took back; undo plays them again."""
    skipped: int = 0
    """The number of undone moves when the next puzzle was started; redo leads to that puzzle and leaves them undone."""
    optimum: int | None = None
    """The fewest moves that win from the start; ``None`` if unknown."""
    optimum_known: bool = False
    """Whether `optimum` has been searched for."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Further state that the controls of one game keep, by name."""
    state: Any = None
    """The state of the game while another puzzle is on the board; otherwise ``None``."""

    @property
    def seconds(self) -> float:
        """The seconds since the first move, without the time during which the clock was stopped."""
        return self.clock + (0.0 if self.since is None else time.monotonic() - self.since)

    def start_clock(self) -> None:
        """Starts the clock if it is stopped."""
        if self.since is None:
            self.since = time.monotonic()

    def stop_clock(self) -> None:
        """Stops the clock."""
        self.clock, self.since = self.seconds, None

    def put_away(self, game: Any) -> Puzzle:
        """Stops the clock, stores the state of the game, and returns this puzzle.

        * ``game``: the game that is played.
        """
        self.stop_clock()
        self.state = game.__getstate__()
        return self

    def take_out(self, game: Any) -> None:
        """Restores the game to the stored state.

        * ``game``: the game that is played.
        """
        attributes = self.state[3]
        # Private attributes that the stored state lacks, such as the record of how the replaced puzzle was generated,
        # are dropped. Public attributes, which the user has set, stay.
        for name in [name for name in vars(game) if name.startswith("_") and name not in attributes]:
            delattr(game, name)
        game.__setstate__(self.state)
        self.state = None

    def keep(self) -> dict[str, Any]:
        """Returns the parts of this state that `restored` reads, as values that JSON can represent."""
        names = ("seed", "hints", "assisted", "answered", "restarted")
        kept = {name: getattr(self, name) for name in names}
        return {**kept, "clock": self.seconds, "groups": list(self.groups.items())}

    @classmethod
    def restored(cls, kept: dict[str, Any], name: str, moves: int, undone: int) -> Puzzle:
        """Returns the state of a puzzle whose clock is stopped; an invalid value raises an error.

        * ``kept``: what `keep` returned.
        * ``name``: the name of the packaged level; empty if the puzzle is not a packaged level.
        * ``moves``: the number of moves, undone moves included.
        * ``undone``: the number of undone moves.
        """
        return cls(
            name=name,
            seed=None if kept["seed"] is None else whole("seed", kept["seed"], 0),
            hints=whole("hints", kept["hints"], 0),
            assisted=flag("assisted", kept["assisted"]),
            answered=flag("answered", kept["answered"]),
            clock=number("clock", kept["clock"], 0, 1e9),
            groups={
                whole("the end of a group", end, 1, moves): whole("the start of a group", start, 0, end - 1)
                for end, start in kept["groups"]
            },
            restarted=whole("restarted", kept["restarted"], 0, undone),
        )


_NAMES: dict[Any, dict[str, str]] = {}
"""Game class -> {text of a packaged level: its name}."""


def level_name(game: Any) -> str:
    """Returns the name of the packaged level whose text a game started from; empty if there is no such level.

    * ``game``: a game of any kind.
    """
    kind = type(game)
    if kind not in _NAMES:
        _NAMES[kind] = {kind.level(name).text: name for name in kind.levels()}
    start = game.copy()
    start.reset()
    return _NAMES[kind].get(start.text, "")


def read_seed(typed: int | str | None) -> int:
    """Reads a seed that a player typed; returns a random one below a million if nothing was typed.

    * ``typed``: an integer, or its digits as text, from 0 to 2^64 - 1; ``None`` or empty text if nothing was typed.
      Anything else raises ``Refusal`` with a sentence for the player.
    """
    if typed is None or typed == "":
        return random.randrange(1_000_000)
    text = str(typed).strip()
    seed = seed_of(text)
    if seed is None:
        raise Refusal(f"The seed must be a whole number from 0 to 2^64 - 1, got {text[:40]!r}.")
    return seed


def patience(seconds: float) -> Callable[[int], None]:
    """Returns a progress callback that ends a search by raising ``SearchLimitError`` after a given time.

    * ``seconds``: the time in seconds, more than 0.
    """
    end = time.monotonic() + seconds

    def look(_: int) -> None:
        if time.monotonic() > end:
            raise SearchLimitError(f"nothing found in {seconds:g} s")

    return look
