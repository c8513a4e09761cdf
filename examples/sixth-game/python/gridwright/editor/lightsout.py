"""The editor of Lights Out, in which every draft is a valid board."""

from __future__ import annotations

from typing import Any

from ..lightsout import LightsOut, Tile
from .protocol import Brush, Cell, Draft, Editor, Progress, known, member

__all__ = ["EDITOR", "LightsOutEditor"]


class LightsOutEditor(Editor):
    """Builds boards of Lights Out from the codes of ``gridwright.lightsout.Tile``.

    `Facts.shortest` is the smallest number of presses that solves the board.

    >>> import gridwright as gw
    >>> editor = gw.LightsOut.blank(1, 3).editor()
    >>> editor.paint([(0, 0), (0, 1)], gw.lightsout.Tile.LIGHT)
    >>> editor.rows, str(editor.facts())
    (('##.',), 'solvable in 1 move, trivial')
    """

    QUESTIONS = ("shortest", "grade")

    def _read(self, game: LightsOut) -> Draft:
        return Draft(game.board)

    def _write(self, draft: Draft) -> str:
        return "".join("".join(".#"[code] for code in row) + "\n" for row in draft.cells.tolist())

    def _rows(self, draft: Draft) -> tuple[str, ...]:
        return tuple(self._write(draft).splitlines())

    def _accepted(self, code: Any) -> int:
        return member(code, Tile, "lightsout.Tile")

    @property
    def brushes(self) -> tuple[Brush, ...]:
        return Brush("dark", "a dark field", (Tile.DARK,)), Brush("light", "a light", (Tile.LIGHT,))

    def _words(self, draft: Draft, cell: Cell) -> str:
        return Tile(self._code_at(draft, cell)).name.lower()

    def _shortest(self, game: LightsOut, answers: dict[str, Any], progress: Progress) -> int | None:
        presses = game.solve(progress=progress)
        return None if presses is None else len(presses)

    def _grade(self, game: LightsOut, answers: dict[str, Any], progress: Progress) -> Any:
        return None if known(answers, "shortest") is None else game.difficulty(progress=progress)


EDITOR = LightsOutEditor
