"""The switches of a Bloxorz level in words, read from its notation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Switch", "describe", "letters", "switches"]


@dataclass
class Switch:
    """What a switch does when the block lands on it."""

    letter: str
    kind: str
    """``"soft"`` (any part of the block), ``"heavy"`` (the standing block) or ``"splitter"``."""
    effects: list[tuple[str, str]] = field(default_factory=list)
    """Pairs of ``"toggles"``, ``"turns on"`` or ``"turns off"`` and the letter of a bridge, in order."""
    targets: list[tuple[int, int]] = field(default_factory=list)
    """Where a splitter puts the cubes, the one in control first."""

    @property
    def words(self) -> str:
        """What the switch does, as a phrase."""
        if self.kind == "splitter":
            return f"splitter: cubes appear at {self.letter}1 and {self.letter}2"
        return f"{self.kind} switch: " + (", ".join(f"{what} {bridge}" for what, bridge in self.effects) or "nothing")


def switches(game: Any) -> dict[str, Switch]:
    """Returns the switches and splitters of a level by letter, read from its notation.

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
        one = found.setdefault(letter, Switch(letter, "heavy" if kind == "X" else "soft"))
        verb = {"+": "turns on", "-": "turns off"}.get(rest[:1], "toggles")
        one.effects.append((verb, rest.lstrip("+-").strip()))
    return dict(sorted(found.items()))


def letters(game: Any) -> list[str]:
    """Returns the rows of tiles as the notation has them."""
    return game.text.splitlines()[: game.height]  # type: ignore[no-any-return]


def describe(game: Any) -> str:
    """Returns the position in sentences."""
    cells = " and ".join(f"row {row}, column {col}" for row, col in game.block.tolist())
    how = "split" if game.is_split else "standing" if len(game.block) == 1 else "lying"
    row, col = game.target
    words = f"The block is {how} on {cells}; the target is at row {row}, column {col}."
    on = [letter for letter, state in game.bridges.items() if state]
    if game.bridges:
        words += f" Bridges that are on: {', '.join(on) or 'none'}."
    words += "".join(f" {letter} is a {one.words}." for letter, one in switches(game).items())
    return words + (" Solved." if game.is_solved else "")
