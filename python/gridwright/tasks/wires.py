"""Tasks about LightEmAll: the tiles that have power, and the turns that bring power to every tile."""

from __future__ import annotations

from functools import cache
from typing import Any

from ..lightemall import LightEmAll, Tile
from . import answers
from .choices import Choices
from .task import RIGHT, Posed, Score, cells_text, line_of, share_of_cells

__all__ = ["board_text", "powered", "turned", "turns"]

_SIDES = "".join(side.name for side in (Tile.N, Tile.E, Tile.S, Tile.W))


@cache
def turned(mask: int, turns: int) -> int:
    """Returns the mask of a tile after clockwise quarter turns, computed by the engine.

    * ``mask``: the wires of the tile, 0 to 15.
    * ``turns``: the number of quarter turns.
    """
    board = LightEmAll.from_wires([[mask, 0]])
    board.rotate((0, 0), turns)
    return int(board.wires[0, 0])


def board_text(game: Any) -> str:
    """Returns the board as text, with each tile written as the sides to which its wires lead.

    * ``game``: the position.
    """
    height, width = game.shape
    names = ["".join(side for k, side in enumerate(_SIDES) if mask >> k & 1) or "-" for mask in range(16)]
    rows = [" ".join(f"{names[mask]:<4}" for mask in row).rstrip() for row in game.wires.tolist()]
    row, col = game.station
    return "\n".join(
        [
            f"A board of {height} rows and {width} columns of tiles. Cells are (row, col), counted from (0, 0) at the "
            "top left.",
            "Each tile is written as the sides that its wires lead to: N up, E right, S down, W left.",
            "Two neighboring tiles are connected if each has a wire to the other.",
            f"The power station is on tile ({row}, {col}). A tile has power if connections lead from the station to "
            "it; the tile of the station has power.",
            "",
            *rows,
            "",
        ]
    )


def powered(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``powered``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    size = 3 + grade
    while True:
        # The board is a tree of wires in which some tiles are turned at random.
        board = LightEmAll.generate(size, size, scramble=False, seed=choices.word()).wires.tolist()
        for place in choices.sample(range(size * size), grade + 1):
            row, col = divmod(place, size)
            board[row][col] = turned(board[row][col], 1 + choices.below(3))
        game = LightEmAll.from_wires(board, (choices.below(size), choices.below(size)))
        count = int(game.powered.sum())
        # If almost no tile or almost every tile has power, the answer is easy to guess.
        if size <= count <= size * size - size:
            break
    expected = frozenset((int(row), int(col)) for row, col in zip(*game.powered.nonzero(), strict=True))
    question = board_text(game) + "Which tiles have power? List every cell once, in any order."

    def judge(answer: str) -> Score:
        return share_of_cells(expected, answers.cells(answer, {"powered", "power", "have"}))

    facts = {"board": game.text, "powered": count}
    return Posed(
        question, line_of("(row, col), (row, col), ..."), cells_text(expected), judge, lambda: _dark(game), facts
    )


def _dark(game: Any) -> str:
    """Returns a picture of the board without power, as SVG text."""
    return str(game.svg(theme="light", reach=-1, axes=True))


def turns(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``turns``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    game = LightEmAll.generate(6, 6, difficulty=grade, seed=choices.word())
    height, width = game.shape
    found, wires = game.solve(), game.wires.tolist()
    expected = game.solved_wires
    assert found is not None
    assert expected is not None
    goal = expected.tolist()
    places = [(row, col) for row in range(height) for col in range(width)]
    before = sum(wires[row][col] == goal[row][col] for row, col in places)
    question = board_text(game) + (
        "Turn tiles so that every tile has power; exactly one arrangement of wires does it. For each tile, give the "
        "number of clockwise quarter turns, 0 to 3: one line of digits per row, from the top, digits separated by "
        "spaces. The station stays on its cell."
    )

    def judge(answer: str) -> Score:
        given = answers.grid(answer, height, width, 3)
        right = sum(turned(wires[row][col], given[row][col]) == goal[row][col] for row, col in places)
        if right == len(places):
            return RIGHT
        value = max(0, right - before) / (len(places) - before)
        return Score(value, f"Correct tiles: {right} of {len(places)}; before the turns: {before}.")

    solution = "\n" + "\n".join(" ".join(map(str, row)) for row in found.tolist())
    facts = {"board": game.text, "right_before": before}
    form = f"End with a line that says Answer: and, below it, the {height} lines of {width} digits."
    return Posed(question, form, solution, judge, lambda: str(game.svg(theme="light", axes=True)), facts)
