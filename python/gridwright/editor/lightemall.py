"""The editor of LightEmAll: wires are drawn from tile to tile, then all tiles are turned at random."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..arguments import whole
from ..controls import Setting
from ..lightemall import SIDES, Hexagon, LightEmAll, Tile, offsets
from .protocol import Brush, Cell, Draft, Editor, Facts, Problem, Progress, known

__all__ = ["EDITOR", "LightEmAllEditor"]

_UNLIMITED = "no limit"


class _Board(NamedTuple):
    station: Cell
    hexagonal: bool
    wrap: bool
    radius: int | None


class LightEmAllEditor(Editor):
    """Builds boards of LightEmAll from masks of wires, the bits of ``gridwright.lightemall.Tile`` or ``Hexagon``.

    ``put`` with ``Tile.STATION`` alone moves the station and keeps the wires of the tile. ``connect`` joins each cell
    to the next one, which must be its neighbor; ``how="cut"`` removes the wires between them. If opposite
    borders of a small board are joined, two tiles may meet on several sides: they are joined inside the board if they
    meet there, and cut on all these sides. `scramble` turns all tiles at random.

    `Facts.ways` is the number of ways to turn the tiles so that all are connected (``None`` on boards with a limited
    radius and more wire ends than a tree needs, where some of these ways may not win). `Facts.shortest` is the fewest
    turns that connect all tiles, counterclockwise turns allowed (``None`` on boards with a limited radius).

    >>> import gridwright as gw
    >>> editor = gw.LightEmAll.blank(2, 2).editor()
    >>> editor.connect([(0, 0), (0, 1), (1, 1), (1, 0)])
    >>> editor.rows
    ('2c', '29')
    >>> editor.turn((0, 0))
    >>> str(editor.facts())
    'solvable in 1 turn, exactly 1 way, trivial'
    """

    WIRES = ("join", "cut")
    ACTIONS = {"scramble": "turn all tiles at random"}  # noqa: RUF012 - a class variable of the base class
    QUESTIONS = ("ways", "shortest", "grade")
    UNIT = "turn"

    def _read(self, game: LightEmAll) -> Draft:
        return Draft(game.wires, _Board(game.station, game.hexagonal, game.wrap, game.initial_radius))

    def _write(self, draft: Draft) -> str:
        (row, col), hexagonal, wrap, radius = draft.more
        height, width = draft.cells.shape
        named = " hex" * hexagonal + " wrap" * wrap + ("" if radius is None else f" radius={radius}")
        digits = 2 if hexagonal else 1
        rows = ("".join(f"{mask:0{digits}x}" for mask in line) for line in draft.cells.tolist())
        return "\n".join([f"{height} {width}{named}", *rows, f"station {row} {col}", ""])

    def _problems(self, draft: Draft) -> list[Problem]:
        height, _ = draft.cells.shape
        if draft.more.hexagonal and draft.more.wrap and height % 2:
            return [Problem("Hexagons need an even number of rows for opposite borders to be joined: add a row.")]
        return []

    def _sketch(self, draft: Draft) -> Any:
        # Borders that cannot be joined are drawn as plain borders.
        fits = not self._problems(draft)
        return super()._sketch(draft if fits else draft._replace(more=draft.more._replace(wrap=False)))

    @property
    def _full(self) -> int:
        return 63 if self._draft.more.hexagonal else 15

    def _accepted(self, code: Any) -> int:
        number = whole("code", code, 0, 255)
        legend = "Hexagon" if self._draft.more.hexagonal else "Tile"
        if number & ~(self._full | Tile.STATION):
            raise ValueError(f"code must be made of wires and STATION of lightemall.{legend}, got {number}")
        return number

    def _code_at(self, draft: Draft, cell: Cell) -> int:
        return int(draft.cells[cell]) | (Tile.STATION if draft.more.station == cell else 0)

    def _put(self, draft: Draft, cell: Cell, code: int, name: str | None) -> Draft:
        if code & Tile.STATION:
            draft = draft._replace(more=draft.more._replace(station=cell))
        return draft if code == Tile.STATION else super()._put(draft, cell, code & ~Tile.STATION, name)

    def _without_flags(self, code: int) -> int:
        return code & ~Tile.STATION

    def _turned(self, code: int) -> int:
        mask, full = code & self._full, self._full
        turned = mask << 1
        return (turned & full) | (turned > full) | (code & Tile.STATION)

    def _sample(self, code: int) -> Draft:
        hexagonal = self._draft.more.hexagonal
        # The station is put beside the cell that is shown.
        draft = self._put(self._read(self._kind.blank(1, 2, hexagonal=hexagonal)), (0, 1), Tile.STATION, None)
        return self._put(draft, (0, 0), code, None)

    def _beside(self, draft: Draft, cell: Cell, other: Cell) -> list[int]:
        """Returns the sides of a cell on which another cell lies, those across a joined border last."""
        (row, col), (height, width) = cell, draft.cells.shape
        found, across_border = [], []
        for side, (down, across) in enumerate(offsets(row, draft.more.hexagonal)):
            there = (row + down, col + across)
            if there == other:
                found.append(side)
            # On a wrapping board of one row or column, a tile is not its own neighbor.
            elif draft.more.wrap and (there[0] % height, there[1] % width) == other != cell:
                across_border.append(side)
        return found + across_border

    def _connect(self, draft: Draft, cells: list[Cell], how: str | None) -> Draft:
        masks = draft.cells.copy()
        sides = 6 if draft.more.hexagonal else 4
        for cell, other in pairwise(cells):
            found = self._beside(draft, cell, other)
            if not found:
                raise ValueError(f"cells must each be a neighbor of the one before, got {cell} and {other}")
            for side in found if how == "cut" else found[:1]:
                for at, bit in ((cell, 1 << side), (other, 1 << (side + sides // 2) % sides)):
                    masks[at] = masks[at] & (self._full & ~bit) if how == "cut" else masks[at] | bit
        return draft._replace(cells=masks)

    def trail(self, cells: list[Cell]) -> list[Cell]:
        found = cells[:1]
        for cell in cells[1:]:
            last = found[-1]
            if not self._beside(self._draft, last, cell):
                # A diagonal step goes through the cell in the row of `last` and the column of `cell`.
                between = (last[0], cell[1])
                if not (self._beside(self._draft, last, between) and self._beside(self._draft, between, cell)):
                    continue
                found.append(between)
            found.append(cell)
        return found

    def _resized(self, draft: Draft, height: int, width: int) -> Draft:
        row, col = draft.more.station
        station = (min(row, height - 1), min(col, width - 1))
        return super()._resized(draft, height, width)._replace(more=draft.more._replace(station=station))

    def scramble(self, seed: int | None = None) -> None:
        """Turns every tile a random number of times, as one change.

        * ``seed``: an integer from 0 to 2^64 - 1; equal seeds give equal turns. ``None`` (the default) for a random
          seed.

        >>> import gridwright as gw
        >>> editor = gw.LightEmAll("1 2\\n28\\nstation 0 0").editor()
        >>> editor.scramble(seed=3)
        >>> editor.game.is_solved
        False
        """
        chance = random.Random(None if seed is None else whole("seed", seed, 0))
        draft = self._draft
        cells = draft.cells.copy()
        sides = 6 if draft.more.hexagonal else 4
        # A board that is still solved is scrambled again, up to 20 attempts in all: some boards stay solved however
        # their tiles are turned.
        for _ in range(20):
            for at in np.ndindex(*cells.shape):
                mask = int(cells[at])
                for _ in range(chance.randrange(sides)):
                    mask = self._turned(mask)
                cells[at] = mask
            scrambled = draft._replace(cells=cells)
            if self._problems(scrambled) or not self._kind(self._write(scrambled)).is_solved:
                break
        self._change(scrambled)

    @property
    def brushes(self) -> tuple[Brush, ...]:
        names = Hexagon if self._draft.more.hexagonal else Tile
        end, full = next(iter(names)), self._full
        shapes = {"end": end, "straight": end | end << (3 if full == 63 else 2), "corner": end | end << 1}
        shapes |= {"fork": end | end << 1 | end << 2, "all": full}
        found = [Brush("no wires", "a tile without wires", (0,)), Brush("wires", "wires from tile to tile", how="join")]
        found.append(Brush("cut", "removes the wires between tiles", how="cut"))
        found.append(Brush("turn", "turns a tile clockwise", turns=True))
        found.append(Brush("station", "the power station", (Tile.STATION,), single=True))
        for name, mask in shapes.items():
            found.append(Brush(name, "a tile with these wires; a click on one turns it", self._looks(int(mask))))
        return tuple(found)

    def _looks(self, mask: int) -> tuple[int, ...]:
        """Returns a mask in all its orientations."""
        found = [mask]
        while (turned := self._turned(found[-1])) != mask:
            found.append(turned)
        return tuple(found)

    def _settings(self, draft: Draft) -> list[Setting]:
        radius = draft.more.radius
        now = _UNLIMITED if radius is None else str(radius)
        numbers = tuple(str(number) for number in sorted({*range(1, 33), *([] if radius is None else [radius])}))
        return [
            Setting("wrap", "opposite borders are joined", "on" if draft.more.wrap else "off", ("off", "on")),
            Setting("radius", "the number of links that power reaches from the station", now, (_UNLIMITED, *numbers)),
        ]

    def _choose(self, draft: Draft, name: str, value: str) -> Draft:
        if name == "wrap":
            return draft._replace(more=draft.more._replace(wrap=value == "on"))
        return draft._replace(more=draft.more._replace(radius=None if value == _UNLIMITED else int(value)))

    def _words(self, draft: Draft, cell: Cell) -> str:
        code = self._code_at(draft, cell)
        names = Hexagon if draft.more.hexagonal else Tile
        sides = [SIDES[bit.name] for bit in names if code & bit & self._full]
        words = f"wires {', '.join(sides)}" if sides else "no wires"
        return words + ("; the station" if code & Tile.STATION else "")

    @property
    def _has_far_wirings(self) -> bool:
        """Whether the draft may have wirings that connect all tiles, but not within the radius: never trees."""
        ends = int(np.unpackbits(self._draft.cells).sum())
        return self._draft.more.radius is not None and ends > 2 * (self._draft.cells.size - 1)

    def _ways(self, game: LightEmAll, answers: dict[str, Any], progress: Progress) -> int:
        if self._has_far_wirings:
            # `count_solutions` ignores the radius, so here the answer is only whether there is a solution.
            return int(game.solve(progress=progress) is not None)
        return game.count_solutions(self._most, progress=progress)

    def _shortest(self, game: LightEmAll, answers: dict[str, Any], progress: Progress) -> int | None:
        if not known(answers, "ways") or game.radius is not None:
            return None
        turns = game.solve("turns", progress=progress)
        if turns is None:
            return None
        sides = 6 if game.hexagonal else 4
        return int(np.minimum(turns % sides, -turns.astype(np.int64) % sides).sum())

    def _grade(self, game: LightEmAll, answers: dict[str, Any], progress: Progress) -> Any:
        return game.difficulty(progress=progress) if known(answers, "ways") else None

    def _facts(self, answers: dict[str, Any], *, complete: bool) -> Facts:
        facts = super()._facts(answers, complete=complete)
        return replace(facts, ways=None) if self._has_far_wirings else facts


EDITOR = LightEmAllEditor
