"""The editor of MyPhoton, in which every draft is a valid level."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..photon import LIT, MyPhoton, Tile, tile_words
from .protocol import Brush, Cell, Draft, Editor, Facts, Progress, known, member

__all__ = ["EDITOR", "MyPhotonEditor"]

_FACING = "NESW"


class MyPhotonEditor(Editor):
    """Builds levels of MyPhoton from the codes of ``gridwright.photon.Tile``.

    `Facts.shortest` is the fewest swaps that solve the level, and `Facts.ways` the number of placements of the hardware
    that light all sensors.

    >>> import gridwright as gw
    >>> from gridwright.photon import Tile
    >>> editor = gw.MyPhoton.blank(3, 4).editor()
    >>> editor.put((0, 0), Tile.LASER_E)
    >>> editor.put((2, 0), Tile.MIRROR_DOWN)
    >>> editor.put((2, 2), Tile.SENSOR_N)
    >>> str(editor.facts())
    'solvable in 1 swap, exactly 1 way, trivial'
    """

    QUESTIONS = ("ways", "shortest", "grade")
    UNIT = "swap"

    def _read(self, game: MyPhoton) -> Draft:
        return Draft(game.board & np.uint8(~LIT & 255))

    def _write(self, draft: Draft) -> str:
        height, width = draft.cells.shape
        rows = ("".join(_SYMBOLS[code] for code in row).rstrip() for row in draft.cells.tolist())
        return "\n".join([f"{width} {height}", *rows, ""])

    def _accepted(self, code: Any) -> int:
        return member(code, [*Tile, *(tile | LIT for tile in Tile if tile >= Tile.SENSOR_N)], "photon.Tile") & ~LIT

    @property
    def brushes(self) -> tuple[Brush, ...]:
        again = "; a click on one turns it"
        facing = {kind: tuple(Tile[f"{kind}_{side}"] for side in _FACING) for kind in ("TMIRROR", "LASER", "SENSOR")}
        return (
            Brush("empty", "an empty tile", (Tile.EMPTY,)),
            Brush("wall", "a wall, which stops light", (Tile.WALL,)),
            Brush("laser", f"a laser{again}", facing["LASER"]),
            Brush("sensor", f"a sensor{again}", facing["SENSOR"]),
            Brush("mirror", f"a mirror{again}", (Tile.MIRROR_UP, Tile.MIRROR_DOWN)),
            Brush("splitter", f"a beam splitter{again}", (Tile.SPLITTER_UP, Tile.SPLITTER_DOWN)),
            Brush("T-mirror", f"a T-mirror{again}", facing["TMIRROR"]),
        )

    def _turned(self, code: int) -> int:
        kind, _, side = Tile(code).name.partition("_")
        if side in ("UP", "DOWN"):
            return Tile[f"{kind}_{'DOWN' if side == 'UP' else 'UP'}"]
        return Tile[f"{kind}_{_FACING[(_FACING.index(side) + 1) % 4]}"] if side else code

    def _words(self, draft: Draft, cell: Cell) -> str:
        return tile_words(self._code_at(draft, cell))

    def _ways(self, game: MyPhoton, answers: dict[str, Any], progress: Progress) -> int:
        return game.count_solutions(self._most, progress=progress) if len(game.sensors) else 0

    def _shortest(self, game: MyPhoton, answers: dict[str, Any], progress: Progress) -> int | None:
        moves = None if answers.get("ways") == 0 else game.solve(progress=progress)
        return None if moves is None else len(moves)

    def _grade(self, game: MyPhoton, answers: dict[str, Any], progress: Progress) -> Any:
        return game.difficulty(progress=progress) if known(answers, "ways") else None

    def _facts(self, answers: dict[str, Any], *, complete: bool) -> Facts:
        if not any(code >= Tile.SENSOR_N for code in np.unique(self._draft.cells).tolist()):
            return Facts(unit=self.UNIT, remarks=("no sensors: nothing to solve",))
        return super()._facts(answers, complete=complete)


def _symbol(tile: Tile) -> str:
    """Returns a tile as two characters of the notation."""
    kind, _, side = tile.name.partition("_")
    letter = {"EMPTY": ".", "WALL": "W", "MIRROR": "M", "SPLITTER": "B", "TMIRROR": "T", "LASER": "L", "SENSOR": "S"}
    return letter[kind] + {"": " ", "UP": "/", "DOWN": "\\", "N": "^", "E": ">", "S": "v", "W": "<"}[side]


_SYMBOLS = {int(tile): _symbol(tile) for tile in Tile}

EDITOR = MyPhotonEditor
