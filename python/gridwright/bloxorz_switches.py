"""The switches of a Bloxorz level, read from its notation, and their effects in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Switch", "letters", "switches"]


@dataclass
class Switch:
    """A switch, and what it does when the block lands on it."""

    letter: str
    """The letter of the switch in the notation."""
    kind: str
    """``"soft"`` (any part of the block triggers it), ``"heavy"`` (only the standing block does) or ``"splitter"``."""
    effects: list[tuple[str, str]] = field(default_factory=list)
    """Pairs ``(verb, letter of a bridge)``, in order; the verb is ``"toggles"``, ``"turns on"`` or ``"turns off"``."""
    targets: list[tuple[int, int]] = field(default_factory=list)
    """The cells where a splitter puts the cubes, the cell of the cube in control first; empty for other switches."""

    @property
    def name(self) -> str:
        """What the switch is called: ``"soft switch"``, ``"heavy switch"`` or ``"splitter"``."""
        return self.kind if self.kind == "splitter" else f"{self.kind} switch"

    def cells(self, rows: list[str]) -> tuple[tuple[int, int], ...]:
        """Returns the cells that the switch acts on: those of its bridges, or the cells where the cubes appear.

        * ``rows``: the rows of tiles, as `letters` returns them.
        """
        bridges = (bridge for _, bridge in self.effects)
        places = (
            (r, c) for bridge in bridges for r, row in enumerate(rows) for c, at in enumerate(row) if at == bridge
        )
        return (*self.targets, *places)

    @property
    def words(self) -> str:
        """What the switch does, as a phrase."""
        if self.kind == "splitter":
            return f"{self.name}: cubes appear at {self.letter}1 and {self.letter}2"
        return f"{self.name}: " + (", ".join(f"{what} {bridge}" for what, bridge in self.effects) or "nothing")


def switches(game: Any) -> dict[str, Switch]:
    """Returns the switches and splitters of a level by letter, read from its notation.

    * ``game``: a ``Bloxorz``.

    >>> import gridwright as gw
    >>> for letter, switch in switches(gw.Bloxorz.level("level44")).items():
    ...     print(letter, switch.words)
    A soft switch: toggles b
    B heavy switch: toggles a
    C soft switch: turns off b, toggles c
    D splitter: cubes appear at D1 and D2
    """
    found: dict[str, Switch] = {}
    for line in game.text.splitlines()[game.height :]:
        if not line.startswith("#") or len(line) < 3:
            continue
        letter, kind, rest = line[1], line[2].upper(), line[3:]
        if kind == "S":
            x1, y1, x2, y2 = (int(word) for word in rest.split())
            found[letter] = Switch(letter, "splitter", targets=[(y1, x1), (y2, x2)])
            continue
        switch = found.setdefault(letter, Switch(letter, "heavy" if kind == "X" else "soft"))
        verb = {"+": "turns on", "-": "turns off"}.get(rest[:1], "toggles")
        switch.effects.append((verb, rest.lstrip("+-").strip()))
    return dict(sorted(found.items()))


def letters(game: Any) -> list[str]:
    """Returns the rows of tiles of a level in the notation, in which each switch and bridge is a letter.

    * ``game``: a ``Bloxorz``.
    """
    return game.text.splitlines()[: game.height]  # type: ignore[no-any-return]
