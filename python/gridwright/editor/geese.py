"""The editor of GeeseSpotter: geese are placed and fields are opened; the numbers follow from the geese."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..arguments import whole
from ..controls import Setting
from ..geese import Field, GeeseSpotter, compute_neighbours
from .protocol import Brush, Cell, Draft, Editor, Facts, Progress

__all__ = ["EDITOR", "GeeseSpotterEditor"]

_GOOSE = Field.GOOSE | Field.HIDDEN


class GeeseSpotterEditor(Editor):
    """Builds boards of GeeseSpotter from the codes of ``gridwright.geese.Field``.

    A code with ``Field.GOOSE`` in its low four bits places a goose, which is always hidden. A smaller number in these
    bits is ignored, because the numbers are computed from the geese; the field is open from the start unless the code
    has ``Field.HIDDEN`` or ``Field.MARKED``.

    `Facts.solvable` is whether the board can be won without a guess from the open fields or, if all fields are hidden,
    after a first show in the top left corner. `Facts.shortest` is the fewest shows that win the level for a player who
    knows where the geese are (``None`` if the level cannot be won without a guess).

    >>> import gridwright as gw
    >>> from gridwright.geese import Field
    >>> editor = gw.GeeseSpotter.blank(3, 4).editor()
    >>> editor.put((2, 3), Field.GOOSE)
    >>> editor.put((0, 0), 0)
    >>> editor.rows[0], str(editor.facts())
    ('00 20 20 20', 'solvable in 2 shows without a guess, trivial')
    """

    QUESTIONS = ("logic", "grade")
    UNIT = "show"
    LOOK = {"secret": True}  # noqa: RUF012 - a class variable of the base class

    _EMPTY = int(Field.HIDDEN)

    def _read(self, game: GeeseSpotter) -> Draft:
        cells = game.secret
        geese = cells & 15 == Field.GOOSE
        return Draft(np.where(geese, cells | Field.HIDDEN, cells & 0x30).astype(np.uint8), game.flood)

    def _secret(self, draft: Draft) -> npt.NDArray[np.uint8]:
        """Returns the fields of a draft with their numbers."""
        values: npt.NDArray[np.uint8] = draft.cells & np.uint8(15)
        compute_neighbours(values)
        values |= draft.cells & np.uint8(0x30)
        return values

    def _write(self, draft: Draft) -> str:
        height, width = draft.cells.shape
        geese = int((draft.cells & 15 == Field.GOOSE).sum())
        rows = (" ".join(f"{field:02x}" for field in row) for row in self._secret(draft).tolist())
        return "\n".join([f"{height} {width} {geese}{' flood' if draft.more else ''}", *rows, ""])

    def _accepted(self, code: Any) -> int:
        number = whole("code", code, 0, Field.HIDDEN | Field.MARKED | Field.GOOSE)
        value = number & 15
        if value > Field.GOOSE:
            raise ValueError(f"code must have a value from 0 to {int(Field.GOOSE)} in its low four bits, got {number}")
        if value == Field.GOOSE:
            return number | Field.HIDDEN
        return (number | Field.HIDDEN if number & Field.MARKED else number) & 0x30

    def _code_at(self, draft: Draft, cell: Cell) -> int:
        return int(self._secret(draft)[cell])

    @property
    def brushes(self) -> tuple[Brush, ...]:
        return (
            Brush("field", "a hidden field without a goose", (Field.HIDDEN,)),
            Brush("goose", "a hidden goose", (_GOOSE,)),
            Brush("open", "a field that is open from the start", (0,)),
        )

    def _settings(self, draft: Draft) -> list[Setting]:
        return [Setting("flood", "a zero opens its whole region", "on" if draft.more else "off", ("off", "on"))]

    def _choose(self, draft: Draft, name: str, value: str) -> Draft:
        return draft._replace(more=value == "on")

    def _words(self, draft: Draft, cell: Cell) -> str:
        code = self._code_at(draft, cell)
        value = code & 15
        words = "a goose" if value == Field.GOOSE else f"{value}, {'hidden' if code & Field.HIDDEN else 'open'}"
        return f"{words}, marked" if code & Field.MARKED else words

    def _logic(self, game: GeeseSpotter, answers: dict[str, Any], progress: Progress) -> tuple[bool, int]:
        shows = game._min_shows_left()
        if not shows:
            return True, 0
        if game.hidden.all():
            return game.needs_no_guess((0, 0), progress=progress), shows
        game.play_on(guess=False, progress=progress)
        return game.is_solved, shows

    def _grade(self, game: GeeseSpotter, answers: dict[str, Any], progress: Progress) -> Any:
        # Grades a fresh game, because `_logic` may have played moves in `game`.
        return self._kind(self.text).difficulty(progress=progress)

    def _facts(self, answers: dict[str, Any], *, complete: bool) -> Facts:
        logic, shows = answers.get("logic", (None, None))
        hidden = (self._draft.cells & Field.HIDDEN != 0).all()
        how = "without a guess" + (" from (0, 0)" if hidden and shows != 0 else "")
        shortest, grade = (shows if logic else None), answers.get("grade")
        return Facts(logic, shortest, grade=grade, unit=self.UNIT, condition=how, complete=complete)


EDITOR = GeeseSpotterEditor
