"""The editor of Bloxorz: tiles, switches and bridges by their letters, and the wires between them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arguments import shown, text
from ..bloxorz import Bloxorz, Tile
from .protocol import Brush, Cell, Draft, Editor, Problem, Progress, known, member, written

__all__ = ["EDITOR", "BloxorzEditor"]

_PLAIN = {Tile.NONE: "-", Tile.TILE: "o", Tile.LIGHT: ".", Tile.TARGET: "T", Tile.BLOCK: "S"}
_KINDS = {Tile.SWITCH_SOFT: "O", Tile.SWITCH_HEAVY: "X", Tile.SPLITTER: "S"}
_BRIDGES = (Tile.BRIDGE_OFF, Tile.BRIDGE_ON)
_CAPITALS = "ABCDEFGHIJKLMNOPQRUVWXYZ"
_SMALL = "abcdefghijklmnpqrstuvwxyz"

_PREFIXES = {"toggle": ("",), "on": ("+",), "off": ("-",), "nothing": ("", "")}
"""Action of a wire -> the characters before the letter of the bridge, for each line of the wire in the notation."""

_DOES = {"toggle": "toggles", "on": "turns on", "off": "turns off", "nothing": "toggles twice"}

_NAMES = {
    Tile.NONE: "nothing",
    Tile.TILE: "a tile",
    Tile.LIGHT: "a light tile",
    Tile.TARGET: "the target",
    Tile.BLOCK: "the start",
}

_KIND_NAMES = {"O": "soft switch", "X": "heavy switch", "S": "splitter"}


class _Parts(NamedTuple):
    """The meaning of the letters on the board. The dictionaries are never changed in place."""

    kinds: dict[str, str]
    """The kind of each switch by its letter: O soft, X heavy, S splitter."""
    wires: dict[tuple[str, str], str]
    """``(switch, bridge)`` -> the action of the switch on the bridge."""
    places: dict[str, tuple[Cell, ...]]
    """The cells on which each splitter puts the cubes, by its letter."""
    on: frozenset[str]
    """The bridges that are on at the start."""


@dataclass(frozen=True)
class _Sketch:
    """An unfinished level, with the game attributes that a picture needs."""

    text: str
    board: npt.NDArray[np.uint8]
    block: npt.NDArray[np.int64]
    target: Cell | None
    bridges: dict[str, bool]

    NAME = Bloxorz.NAME
    is_split = False
    is_solved = False

    @property
    def shape(self) -> tuple[int, int]:
        height, width = self.board.shape
        return height, width

    @property
    def height(self) -> int:
        return self.shape[0]

    @property
    def width(self) -> int:
        return self.shape[1]


class BloxorzEditor(Editor):
    """Builds levels of Bloxorz from the codes of ``gridwright.bloxorz.Tile``; ``Tile.BLOCK`` is the start.

    Moving the start or the target leaves a tile in its old cell. Switches and bridges have letters. Without a ``name``,
    a switch put on a switch keeps the letter of the cell, and so does a bridge put on a bridge. Otherwise a switch gets
    a new letter, and a bridge gets the letter of a neighboring bridge in the same state, or else a new one. Changing
    the kind of a switch or the state of a bridge changes all tiles with its letter.

    ``connect`` takes a switch and a bridge; ``how`` is ``"toggle"``, ``"on"``, ``"off"`` or ``"none"``, and ``None``
    moves on to the next of these. From a splitter, ``connect`` sets a cell where a cube appears, or removes that cell
    if it was set or ``how`` is ``"none"``; a third cell replaces the first one. Between two bridges, or two switches of
    one kind, ``connect`` gives all tiles of the second one the letter of the first one.

    `Facts.shortest` is the fewest rolls, and `Facts.ways` the number of solutions with that many rolls and, among
    these, the fewest keys. A game in progress is read as its level, without the moves made.

    >>> import gridwright as gw
    >>> from gridwright.bloxorz import Tile
    >>> editor = gw.Bloxorz("SooooT").editor()
    >>> editor.put((0, 1), Tile.SWITCH_SOFT)
    >>> editor.put((0, 4), Tile.BRIDGE_OFF)
    >>> [str(problem) for problem in editor.problems]  # doctest: +NORMALIZE_WHITESPACE
    ['Switch A at (0, 1) does nothing: connect it to a bridge.',
     'Bridge a at (0, 4) is off and no switch turns it on: connect a switch to it.']
    >>> editor.connect([(0, 1), (0, 4)], "on")
    >>> editor.text.splitlines()
    ['SAooaT', '#AO+a']
    """

    WIRES = ("toggle", "on", "off", "none")
    UNIT = "roll"
    QUESTIONS = ("shortest", "ways", "grade")
    LOOK = {"legend": False}  # noqa: RUF012 - a class variable of the base class

    _EMPTY = ord("-")

    def _read(self, game: Bloxorz) -> Draft:
        level = game.text.splitlines()
        rows = level[: game.height]
        kinds: dict[str, str] = {}
        wires: dict[tuple[str, str], str] = {}
        places: dict[str, tuple[Cell, ...]] = {}
        on = set()
        for line in level[game.height :]:
            if line.startswith("#"):
                letter, kind = line[1], line[2]
                kinds[letter] = kind
                if kind == "S":
                    col, row, other_col, other_row = (int(word) for word in line[3:].split())
                    places[letter] = ((row, col), (other_row, other_col))
                else:
                    does = {"+": "on", "-": "off"}.get(line[3], "toggle")
                    # A wire that does nothing is written as two toggles.
                    wires[letter, line[-1]] = "nothing" if (letter, line[-1]) in wires else does
            elif line.startswith("%") and not line.startswith("%="):
                on.add(line[1])
        cells = np.frombuffer("".join(rows).encode("ascii"), np.uint8).reshape(game.height, game.width).copy()
        return Draft(cells, _Parts(kinds, wires, places, frozenset(on)))

    def _write(self, draft: Draft) -> str:
        kinds, wires, places, on = draft.more
        lines = list(self._rows(draft))
        for letter, kind in sorted(kinds.items()):
            if kind == "S":
                if len(places.get(letter, ())) == 2:
                    (row, col), (other_row, other_col) = places[letter]
                    lines.append(f"#{letter}S {col} {row} {other_col} {other_row}")
                continue
            for (switch, bridge), does in sorted(wires.items()):
                if switch == letter:
                    lines += [f"#{letter}{kind}{prefix}{bridge}" for prefix in _PREFIXES[does]]
        return "\n".join([*lines, *(f"%{letter}" for letter in sorted(on)), ""])

    def _rows(self, draft: Draft) -> tuple[str, ...]:
        return tuple(row.tobytes().decode("ascii") for row in draft.cells)

    def _cells_of(self, draft: Draft, symbol: str) -> tuple[Cell, ...]:
        return tuple((row, col) for row, col in np.argwhere(draft.cells == ord(symbol)).tolist())

    def _problems(self, draft: Draft) -> list[Problem]:
        kinds, wires, places, on = draft.more
        found = []
        if not self._cells_of(draft, "S"):
            found.append(Problem("There is no start: put the block on the board."))
        if not self._cells_of(draft, "T"):
            found.append(Problem("There is no target: put one on the board."))
        for letter, kind in sorted(kinds.items()):
            cells = self._cells_of(draft, letter)
            if kind == "S":
                found += self._splitter_problems(draft, letter, cells, places.get(letter, ()))
            elif not any(switch == letter for switch, _ in wires):
                found.append(Problem(f"Switch {letter} at {cells[0]} does nothing: connect it to a bridge.", cells))
        for letter in sorted({chr(symbol) for symbol in np.unique(draft.cells).tolist()} & set(_SMALL)):
            if letter not in on and not any(bridge == letter for _, bridge in wires):
                cells = self._cells_of(draft, letter)
                sentence = f"Bridge {letter} at {cells[0]} is off and no switch turns it on: connect a switch to it."
                found.append(Problem(sentence, cells))
        return found

    def _splitter_problems(
        self, draft: Draft, letter: str, cells: tuple[Cell, ...], places: tuple[Cell, ...]
    ) -> list[Problem]:
        named = f"Splitter {letter} at {cells[0]}"
        if len(places) < 2:
            needed = "two cells where the cubes appear: connect it to them."
            if places:
                needed = "one more cell where a cube appears: connect it to that cell."
            return [Problem(f"{named} needs {needed}", cells)]
        for place in places:
            if draft.cells[place] == ord("-"):
                return [Problem(f"{named} puts a cube on {place}, which has no tile.", (*cells, place))]
        (row, col), (other_row, other_col) = places
        if abs(row - other_row) + abs(col - other_col) < 2:
            sentence = f"{named} puts the cubes on {places[0]} and {places[1]}, which must not be neighbors."
            return [Problem(sentence, (*cells, *places))]
        return []

    def _accepted(self, code: Any) -> int:
        known = {*Tile, Tile.TILE | Tile.BLOCK} - {Tile.OTHER_CUBE}
        accepted = member(code, known, "bloxorz.Tile without OTHER_CUBE")
        return Tile.BLOCK if accepted & Tile.BLOCK else accepted

    def _name(self, name: Any, code: int) -> str:
        letters = _CAPITALS if code in _KINDS else _SMALL if code in _BRIDGES else ""
        found = text("name", name)
        if not letters:
            raise ValueError(f"name must be None, got {shown(found)}: only switches and bridges have letters")
        if len(found) != 1 or found not in letters:
            what = "A to Z other than S and T" if code in _KINDS else "a to z other than o"
            raise ValueError(f"name must be a letter {what}, got {shown(found)}")
        return found

    def _code_at(self, draft: Draft, cell: Cell) -> int:
        symbol = chr(draft.cells[cell])
        if symbol in draft.more.kinds:
            return next(code for code, kind in _KINDS.items() if kind == draft.more.kinds[symbol])
        plain = next((code for code, other in _PLAIN.items() if other == symbol), None)
        return (Tile.BRIDGE_ON if symbol in draft.more.on else Tile.BRIDGE_OFF) if plain is None else plain

    def _put(self, draft: Draft, cell: Cell, code: int, name: str | None) -> Draft:
        cells, parts = draft.cells, draft.more
        symbol = _PLAIN.get(Tile(code))
        if symbol is None:
            symbol = name or self._letter(draft, cell, code)
        if symbol in "ST":
            cells = np.where(cells == ord(symbol), np.uint8(ord("o")), cells)
        if code in _KINDS:
            kind = _KINDS[Tile(code)]
            if "S" in (kind, parts.kinds.get(symbol, kind)) and parts.kinds.get(symbol) != kind:
                # A splitter has places and no wires; a switch has wires and no places.
                wires = {ends: does for ends, does in parts.wires.items() if ends[0] != symbol}
                places = {letter: at for letter, at in parts.places.items() if letter != symbol}
                parts = parts._replace(wires=wires, places=places)
            parts = parts._replace(kinds={**parts.kinds, symbol: kind})
        elif code in _BRIDGES:
            parts = parts._replace(on=parts.on | {symbol} if code == Tile.BRIDGE_ON else parts.on - {symbol})
        return self._swept(Draft(written(cells, cell, ord(symbol)), parts))

    def _letter(self, draft: Draft, cell: Cell, code: int) -> str:
        """Chooses the letter of a switch or bridge that is put without a name."""
        letters = _CAPITALS if code in _KINDS else _SMALL
        here = chr(draft.cells[cell])
        if here in letters:
            return here
        row, col = cell
        height, width = draft.cells.shape
        if code in _BRIDGES:
            for at in ((row, col - 1), (row, col + 1), (row - 1, col), (row + 1, col)):
                if 0 <= at[0] < height and 0 <= at[1] < width and self._code_at(draft, at) == code:
                    return chr(draft.cells[at])
        used = {chr(symbol) for symbol in np.unique(draft.cells).tolist()}
        free = next((letter for letter in letters if letter not in used), None)
        if free is None:
            what = "switches" if code in _KINDS else "bridges"
            raise ValueError(f"cannot put {Tile(code).name}: all {len(letters)} letters for {what} are used")
        return free

    def _swept(self, draft: Draft) -> Draft:
        """Returns a draft without letters that are no longer on the board and without splitter places off the board."""
        used = {chr(symbol) for symbol in np.unique(draft.cells).tolist()}
        kinds, wires, places, on = draft.more
        height, width = draft.cells.shape
        inside = {
            letter: tuple(at for at in cells if at[0] < height and at[1] < width) for letter, cells in places.items()
        }
        parts = _Parts(
            {letter: kind for letter, kind in kinds.items() if letter in used},
            {ends: does for ends, does in wires.items() if used.issuperset(ends)},
            {letter: cells for letter, cells in inside.items() if letter in used and cells},
            on & used,
        )
        return draft._replace(more=parts)

    def _resized(self, draft: Draft, height: int, width: int) -> Draft:
        return self._swept(super()._resized(draft, height, width))

    def _connect(self, draft: Draft, cells: list[Cell], how: str | None) -> Draft:
        tail, head = cells[0], cells[-1]
        parts = draft.more
        if chr(draft.cells[head]) in parts.kinds and chr(draft.cells[tail]) in _SMALL:
            tail, head = head, tail
        switch, other = chr(draft.cells[tail]), chr(draft.cells[head])
        kind = parts.kinds.get(switch)
        if kind == "S":
            if how not in (None, "none"):
                raise ValueError(f"how must be None or 'none' for a splitter, got {how!r}")
            places = parts.places.get(switch, ())
            rest = tuple(at for at in places if at != head)
            new = rest if head in places or how == "none" else (*rest, head)[-2:]
            return draft._replace(more=parts._replace(places={**parts.places, switch: new}))
        if {switch, other} <= set(_SMALL) or (kind and kind == parts.kinds.get(other)):
            return self._joined(draft, switch, other, how)
        if kind is None:
            raise ValueError(f"cells must lead from a switch or splitter, got {tail}: {self._words(draft, tail)}")
        if other not in _SMALL:
            tile = self._words(draft, head)
            raise ValueError(f"cells must lead from switch {switch} to a bridge, got {head}: {tile}")
        if how is None:
            now = parts.wires.get((switch, other), "none")
            how = self.WIRES[(self.WIRES.index(now) + 1) % 4] if now in self.WIRES else "toggle"
        wires = {ends: does for ends, does in parts.wires.items() if ends != (switch, other)}
        if how != "none":
            wires[switch, other] = how
        return draft._replace(more=parts._replace(wires=wires))

    def _joined(self, draft: Draft, letter: str, other: str, how: str | None) -> Draft:
        """Returns a draft in which the tiles and wires of ``other`` have become those of ``letter``."""
        if how is not None:
            raise ValueError(f"how must be None between two tiles of the same kind, got {how!r}")
        wires = dict(draft.more.wires)
        for (switch, bridge), does in draft.more.wires.items():
            if other in (switch, bridge):
                ends = (letter if switch == other else switch, letter if bridge == other else bridge)
                wires.setdefault(ends, does)
        cells = np.where(draft.cells == ord(other), np.uint8(ord(letter)), draft.cells)
        return self._swept(Draft(cells, draft.more._replace(wires=wires)))

    def _wires(self, draft: Draft) -> list[tuple[Cell, Cell, str]]:
        _, wires, places, _ = draft.more
        found = []
        for (switch, bridge), does in sorted(wires.items()):
            heads = self._cells_of(draft, bridge)
            for tail in self._cells_of(draft, switch):
                nearest = min(heads, key=partial(math.dist, tail))
                found.append((tail, nearest, f"{_DOES[does]} bridge {bridge}"))
        for letter, heads in sorted(places.items()):
            for tail in self._cells_of(draft, letter):
                found += [(tail, head, f"puts cube {k} on {head}") for k, head in enumerate(heads, 1)]
        return found

    @property
    def brushes(self) -> tuple[Brush, ...]:
        return (
            Brush("nothing", "no tile", (Tile.NONE,)),
            Brush("tile", "a tile", (Tile.TILE,)),
            Brush("light", "a light tile, which breaks under a standing block", (Tile.LIGHT,)),
            Brush("start", "the block at the start", (Tile.BLOCK,), single=True),
            Brush("target", "the target", (Tile.TARGET,), single=True),
            Brush("soft", "a soft switch, pressed by any part of the block", (Tile.SWITCH_SOFT,)),
            Brush("heavy", "a heavy switch, pressed only by the standing block", (Tile.SWITCH_HEAVY,)),
            Brush("splitter", "a splitter, which makes two cubes", (Tile.SPLITTER,)),
            Brush("bridge", "a bridge; a click on one changes whether it is on at the start", _BRIDGES),
            Brush(
                "wire",
                "from a switch to a bridge (repeat for toggle, on, off, none), from a splitter to a cell, or between "
                "two bridges or two switches of one kind, which become one",
            ),
        )

    def _sketch(self, draft: Draft) -> Any:
        if not self._problems(draft):
            return super()._sketch(draft)
        height, width = draft.cells.shape
        board = np.empty((height, width), dtype=np.uint8)
        for at in np.ndindex(height, width):
            code = self._code_at(draft, at)
            board[at] = Tile.TILE | Tile.BLOCK if code == Tile.BLOCK else code
        start = np.argwhere(draft.cells == ord("S"))
        target = next(iter(self._cells_of(draft, "T")), None)
        used = {chr(symbol) for symbol in np.unique(draft.cells).tolist()} & set(_SMALL)
        bridges = {letter: letter in draft.more.on for letter in sorted(used)}
        return _Sketch(self._write(draft), board, start, target, bridges)

    def _sample(self, code: int) -> Draft:
        return self._put(
            Draft(np.full((1, 1), ord("-"), dtype=np.uint8), _Parts({}, {}, {}, frozenset())), (0, 0), code, None
        )

    def _words(self, draft: Draft, cell: Cell) -> str:
        code, symbol = self._code_at(draft, cell), chr(draft.cells[cell])
        if symbol in draft.more.kinds:
            does = [
                f"{_DOES[how]} bridge {bridge}"
                for (switch, bridge), how in sorted(draft.more.wires.items())
                if switch == symbol
            ]
            does += [f"puts a cube on {at}" for at in draft.more.places.get(symbol, ())]
            return f"{_KIND_NAMES[draft.more.kinds[symbol]]} {symbol}, {', '.join(does) or 'not connected'}"
        return _NAMES.get(Tile(code), f"bridge {symbol}, {'on' if code == Tile.BRIDGE_ON else 'off'}")

    def _shortest(self, game: Bloxorz, answers: dict[str, Any], progress: Progress) -> int | None:
        keys = game.solve(progress=progress)
        return None if keys is None else len(keys) - keys.count("s")

    def _ways(self, game: Bloxorz, answers: dict[str, Any], progress: Progress) -> int:
        if known(answers, "shortest") is None:
            return 0
        return min(self._most, game.count_shortest(progress=progress))

    def _grade(self, game: Bloxorz, answers: dict[str, Any], progress: Progress) -> Any:
        return None if known(answers, "shortest") is None else game.difficulty(progress=progress)


EDITOR = BloxorzEditor
