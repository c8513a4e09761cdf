"""Tasks about lines: the cells that a line crosses, and the plays of Linear Domination."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..domination import Color, LinearDomination, Verdict
from ..errors import MoveError
from ..status import Status
from ..tracing import trace
from ..words import counted
from . import answers, pictures
from .choices import Choices
from .task import RIGHT, Posed, Score, cells_text, line_of, share_of_cells

__all__ = ["best_play", "board_text", "endgame", "lead", "legal_play", "line", "margin", "margin_after", "plays_text"]

_CROSSES = (
    "A line runs from the center of one cell, its tail, to the center of another cell, its head. It crosses the cells "
    "whose interior it runs through; where it passes exactly through a corner, the two cells that it only touches "
    "there do not count."
)


def line(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``line``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    size = 3 + 3 * grade
    while True:
        tail, head = ((choices.below(size), choices.below(size)) for _ in range(2))
        down, across = abs(tail[0] - head[0]), abs(tail[1] - head[1])
        if down and across and down != across and max(down, across) >= size // 2:
            break
    expected = frozenset((row, col) for row, col in trace(tail, head).tolist())
    question = (
        f"A grid has {size} rows and {size} columns. Cells are (row, col), counted from (0, 0) at the top left. "
        f"{_CROSSES}\nWhich cells does the line from ({tail[0]}, {tail[1]}) to ({head[0]}, {head[1]}) cross? Count "
        "both ends. List every cell once, in any order."
    )

    def judge(answer: str) -> Score:
        return share_of_cells(expected, answers.cells(answer, {"crosses", "crossed"}))

    facts = {"size": size, "tail": list(tail), "head": list(head), "cells": len(expected)}
    draw = lambda: pictures.segment((size, size), tail, head)  # noqa: E731
    return Posed(question, line_of("(row, col), (row, col), ..."), cells_text(expected), judge, draw, facts)


def board_text(game: Any) -> str:
    """Returns the board and the rules for taking cells, as text.

    * ``game``: the position.
    """
    return "\n".join(
        [
            f"Two players, X and O, take turns drawing lines on a board of {game.size} rows and {game.size} columns. "
            f"Cells are (row, col), counted from (0, 0) at the top left. {_CROSSES} The player who draws a line takes "
            "all cells that it crosses, those of the other player too.",
            "`X` and `O` are cells of the players, `.` is a free cell.",
            "",
            str(game),
            "",
        ]
    )


def plays_text(game: Any) -> str:
    """Returns the rules for a legal play, and the earlier plays to which these rules refer, as text.

    * ``game``: the position.
    """
    plays = game.plays.tolist()
    recent = plays[len(plays) - min(len(plays), game.lookback) :]
    listed = [f"({row}, {col}) to ({row2}, {col2})" for row, col, row2, col2 in recent]
    if len(recent) == 1:
        which = "the last play"
    else:
        which = "any of " + ("the plays so far" if len(recent) == len(plays) else f"the last {len(recent)} plays")
    return (
        "A play must stay on the board. It must not have the same midpoint as, or be perpendicular to, "
        f"{which}, from tail to head: {'; '.join(listed)}.\n"
    )


_VERDICTS = {
    Verdict.LEGAL: "legal",
    Verdict.OUT_OF_BOARD: "off the board",
    Verdict.SAME_MIDPOINT: "same midpoint",
    Verdict.PERPENDICULAR: "perpendicular",
}
_FORMS = {"legal": (), "off the board": ("off board", "out of the board"), "same midpoint": (), "perpendicular": ()}


def _game(choices: Choices, grade: int) -> Any:
    return LinearDomination.generate(4 + grade, 1 + grade, 2 + 2 * grade, choices.word())


def legal_play(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``legal_play``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    game = _game(choices, grade)
    size = game.size
    expected = choices.one_of(tuple(_VERDICTS))
    tries = 0
    while True:
        # A line that leaves the board ends at most two cells beyond the border of the board.
        over = 2 if expected == Verdict.OUT_OF_BOARD else 0
        tail = (choices.below(size), choices.below(size))
        head = (choices.between(-over, size - 1 + over), choices.between(-over, size - 1 + over))
        if tail != head and game.judge(tail, head)[0] == expected:
            break
        tries += 1
        if tries % 200 == 0:
            game = _game(choices, grade)
    question = (
        board_text(game)
        + plays_text(game)
        + (
            f"{game.to_move.name} draws from ({tail[0]}, {tail[1]}) to ({head[0]}, {head[1]}). Is this play legal? "
            "Answer with the first of these that holds: off the board, same midpoint, perpendicular, legal."
        )
    )

    def judge(answer: str) -> Score:
        given = answers.choice(answer, _FORMS)
        return RIGHT if given == _VERDICTS[expected] else Score(0.0, f"The verdict is not {given}.")

    facts = {"board": game.text, "play": [*tail, *head]}
    form = line_of("off the board, same midpoint, perpendicular or legal")
    return Posed(question, form, _VERDICTS[expected], judge, lambda: _draw(game), facts)


def _draw(game: Any) -> str:
    return str(game.svg(theme="light"))


def _refused(game: Any, tail: answers.Cell, head: answers.Cell) -> Score | None:
    """Returns a score of 0 with the reason for an illegal play, or ``None`` for a legal play."""
    try:
        verdict, _ = game.judge(tail, head)
    except MoveError:
        verdict = Verdict.OUT_OF_BOARD
    if verdict == Verdict.LEGAL:
        return None
    return Score(0.0, f"The play is not legal: {_VERDICTS[verdict]}.")


def best_play(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``best_play``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    while True:
        game = _game(choices, grade)
        play = game.suggest("greedy")
        if play is not None:
            break
    tail, head = play[:2], play[2:]
    most = game.gain(tail, head)
    mine, other = game.to_move.name, "O" if game.to_move == Color.X else "X"
    question = (
        board_text(game)
        + plays_text(game)
        + (
            f"{mine} is to move. A play gains 1 for each free cell and 2 for each cell of {other} that it takes, and "
            f"nothing for cells that {mine} already has. Which legal play gains most? Name its tail and its head."
        )
    )

    def judge(answer: str) -> Score:
        first, second = answers.ends(answer)
        refused = _refused(game, first, second)
        if refused is not None:
            return refused
        gain = game.gain(first, second)
        return RIGHT if gain == most else Score(gain / most, f"This play gains {gain}, and the best play gains {most}.")

    facts = {"board": game.text, "gain": most}
    solution = f"({tail[0]}, {tail[1]}), ({head[0]}, {head[1]})"
    return Posed(question, line_of("(row, col), (row, col)"), solution, judge, lambda: _draw(game), facts)


def margin(game: Any) -> int:
    """Returns the lead of the player to move after perfect play by both players, in cells; negative if behind.

    * ``game``: the position.
    """
    if game.status != Status.OPEN:
        x, o = game.counts
        return int(x - o if game.to_move == Color.X else o - x)
    return int(game.difficulty().measures["margin"])


def lead(cells: int) -> str:
    """Returns the lead of a player in words.

    * ``cells``: the number of cells of the player minus the number of cells of the other player.

    >>> lead(1), lead(-2), lead(0)
    ('1 cell ahead', '2 cells behind', 'level')
    """
    return f"{counted(abs(cells), 'cell')} {'ahead' if cells > 0 else 'behind'}" if cells else "level"


def margin_after(game: Any, play: Sequence[int]) -> int:
    """Returns the `margin` for the player to move if that player makes the given play.

    * ``game``: the position.
    * ``play``: the play, ``(row, col, row, col)``.
    """
    game.play(*play)
    found = -margin(game)
    game.undo()
    return found


def endgame(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``endgame``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    game = LinearDomination.generate(4, 49, seed=choices.word(), difficulty=grade)
    best, mine = margin(game), game.to_move.name
    row, col, row2, col2 = next(play for play in game.legal_moves().tolist() if margin_after(game, play) == best)
    question = (
        board_text(game)
        + plays_text(game)
        + (
            f"{mine} is to move. The game ends when no legal play is left; passing is not allowed. Each player wants "
            "to end with as many more cells than the other as possible. Which play is best for "
            f"{mine} if both play as well as possible until the end? Name its tail and its head."
        )
    )

    def judge(answer: str) -> Score:
        first, second = answers.ends(answer)
        refused = _refused(game, first, second)
        if refused is not None:
            return refused
        end = margin_after(game.copy(), (*first, *second))
        if end == best:
            return RIGHT
        worst = min(margin_after(game, play) for play in game.legal_moves().tolist())
        value = (end - worst) / (best - worst)
        return Score(value, f"{mine} ends {lead(end)} with this play, and {lead(best)} with the best play.")

    facts = {"board": game.text, "margin": best}
    solution = f"({row}, {col}), ({row2}, {col2})"
    return Posed(question, line_of("(row, col), (row, col)"), solution, judge, lambda: _draw(game), facts)
