"""The editor of Linear Domination: plays are set up one after another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..arguments import integer, shown, wrong_type
from ..controls import Setting
from ..domination import Color, LinearDomination, Verdict
from ..tracing import trace
from ..words import counted
from .protocol import Brush, Cell, Draft, Editor, Facts, Progress, member

__all__ = ["EDITOR", "LinearDominationEditor"]

Play = tuple[int, int, int, int]


class _Rules(NamedTuple):
    lookback: int
    rules: str
    plays: tuple[Play, ...]


class LinearDominationEditor(Editor):
    """Sets up plays of Linear Domination: ``connect`` makes a play from the first of ``cells`` to the last.

    The ends of a play may be off the board, with coordinates below 2^30 in absolute value. A play that the rules refuse
    is kept: it uses up its turn and colors nothing. ``put`` accepts only ``Color.EMPTY`` and removes the latest play
    that colors the cell or has an end in it.

    `Facts.remarks` states the number of cells of each player and the play that gains the most; `Facts.grade` is known
    only near the end of a game.

    >>> import gridwright as gw
    >>> editor = gw.LinearDomination.blank(4, lookback=2).editor()
    >>> editor.connect([(0, 0), (3, 1)])
    >>> editor.connect([(1, 0), (1, 3)])
    >>> editor.rows
    ('X...', 'OOOO', '.X..', '.X..')
    >>> editor.text.splitlines()
    ['4 2 standard', '1 1 4 2', '2 1 2 4']
    """

    WIRES = ("line",)
    QUESTIONS = ("best", "grade")
    UNIT = "play"
    SQUARE = True

    def _read(self, game: LinearDomination) -> Draft:
        plays = tuple((int(a), int(b), int(c), int(d)) for a, b, c, d in game.plays.tolist())
        return Draft(np.zeros(game.shape, dtype=np.uint8), _Rules(game.lookback, game.rules, plays))

    def _write(self, draft: Draft) -> str:
        lookback, rules, plays = draft.more
        named = "" if rules == "document" else f" {rules}"
        lines = (" ".join(str(part + 1) for part in play) for play in plays)
        return "\n".join([f"{draft.cells.shape[0]} {lookback}{named}", *lines, ""])

    def _rows(self, draft: Draft) -> tuple[str, ...]:
        return tuple(str(self._sketch(draft)).splitlines())

    def _accepted(self, code: Any) -> int:
        accepted = member(code, Color, "domination.Color")
        if accepted != Color.EMPTY:
            raise ValueError(f"code must be Color.EMPTY, got {accepted}: cells are colored by plays; see connect")
        return accepted

    def _code_at(self, draft: Draft, cell: Cell) -> int:
        return int(self._sketch(draft).board[cell])

    def _put(self, draft: Draft, cell: Cell, code: int, name: str | None) -> Draft:
        plays = draft.more.plays
        verdicts = self._sketch(draft).verdicts.tolist()
        for at in range(len(plays) - 1, -1, -1):
            tail, head = plays[at][:2], plays[at][2:]
            ends = cell in (tail, head)
            if ends or (verdicts[at] == Verdict.LEGAL and list(cell) in trace(tail, head).tolist()):
                return draft._replace(more=draft.more._replace(plays=plays[:at] + plays[at + 1 :]))
        return draft

    def _read_path(self, cells: Iterator[Any]) -> list[Cell]:
        found = []
        for cell in cells:
            try:
                row, col = (integer("cells", part) for part in cell)
            except (TypeError, ValueError):
                raise wrong_type("each of cells", "a cell (row, col)", cell) from None
            if max(abs(row), abs(col)) >= 2**30:
                raise ValueError(f"cells must have coordinates below 2^30 in absolute value, got {shown(cell)}")
            found.append((row, col))
        return found

    def _connect(self, draft: Draft, cells: list[Cell], how: str | None) -> Draft:
        return draft._replace(more=draft.more._replace(plays=(*draft.more.plays, (*cells[0], *cells[-1]))))

    def _resized(self, draft: Draft, height: int, width: int) -> Draft:
        if height != width:
            raise ValueError(f"width must equal height ({height}), because boards are square, got {width}")
        return super()._resized(draft, height, width)

    @property
    def brushes(self) -> tuple[Brush, ...]:
        return (
            Brush("take back", "takes back the latest play on a cell", (Color.EMPTY,), single=True),
            Brush("line", "a play, from its tail to its head"),
        )

    def _settings(self, draft: Draft) -> list[Setting]:
        lookback, rules, _ = draft.more
        # Small numbers, as in the source document, and the cell counts of boards from 4 x 4 to 11 x 11.
        numbers = tuple(str(number) for number in sorted({*range(13), *(n * n for n in range(4, 12)), lookback}))
        return [
            Setting("lookback", "plays that the rules look back at", str(lookback), numbers),
            Setting("rules", "rules", rules, ("standard", "document", "uccs2023")),
        ]

    def _choose(self, draft: Draft, name: str, value: str) -> Draft:
        return draft._replace(more=draft.more._replace(**{name: int(value) if name == "lookback" else value}))

    def _words(self, draft: Draft, cell: Cell) -> str:
        color = Color(self._code_at(draft, cell))
        return "empty" if color == Color.EMPTY else color.name

    def _best(self, game: LinearDomination, answers: dict[str, Any], progress: Progress) -> tuple[str, ...]:
        x, o = game.counts
        parts = [f"X {x}, O {o}"]
        refused = int((game.verdicts != Verdict.LEGAL).sum())
        if refused:
            parts.append(f"{counted(refused, 'play')} refused")
        found = game.hint(progress=progress)
        if found is None:
            return (*parts, "no legal play is left")
        row, col, head_row, head_col = found.tolist()
        gain = game.gain((row, col), (head_row, head_col))
        line = f"({row}, {col}) to ({head_row}, {head_col})"
        best = f"best: {line}, which gains {counted(gain, 'cell')} on the opponent"
        return (*parts, f"{game.to_move.name} to move", best)

    def _grade(self, game: LinearDomination, answers: dict[str, Any], progress: Progress) -> Any:
        try:
            return game.difficulty(progress=progress)
        except ValueError:
            # The end is too far away to be searched, or no legal play is left.
            return None

    def _facts(self, answers: dict[str, Any], *, complete: bool) -> Facts:
        grade, remarks = answers.get("grade"), answers.get("best", ())
        return Facts(grade=grade, unit=self.UNIT, remarks=remarks, complete=complete)


EDITOR = LinearDominationEditor
