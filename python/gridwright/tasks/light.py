"""Tasks about MyPhoton: following the light and redirecting it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import IllegalMoveError, MoveError
from ..photon import LIT, MyPhoton, Tile, trace_many
from . import answers
from .choices import Choices
from .task import RIGHT, Posed, Score, cells_text, line_of, share_of_cells

__all__ = ["beam", "board_text", "sensors", "swap"]

_SYMBOLS = {
    "W": "`W` is a wall, which blocks light.",
    "L": "`L` is a laser; it shines the way its arrow points (`^` up, `>` right, `v` down, `<` left) and blocks other "
    "light.",
    "M": "`M/` and `M\\` are mirrors, drawn as they slant; both sides turn light by 90 degrees.",
    "B": "`B/` and `B\\` are splitters: light turns as at a mirror, and also goes straight on.",
    "T": "`T` is a T-mirror, whose arrow shows where its point faces. Light that hits the point leaves to both sides; "
    "light that comes from a side leaves the way the point faces; light that hits the back is blocked.",
    "S": "`S` is a sensor, open on the side of its arrow: light that comes in through the opening lights it; other "
    "light is blocked.",
}

_COORDINATES = "Cells are (row, col), counted from (0, 0) at the top left."


def board_text(game: MyPhoton) -> str:
    """Returns the board, written in symbols of one or two characters, and the meaning of its symbols, as text.

    * ``game``: the position.
    """
    height, width = game.shape
    rows = [[line[2 * col : 2 * col + 2].strip() for col in range(width)] for line in game.text.split("\n")[1:-1]]
    used = {tile[0] for row in rows for tile in row}
    legend = [meaning for symbol, meaning in _SYMBOLS.items() if symbol in used]
    return "\n".join(
        [
            f"A board of {height} rows and {width} columns. {_COORDINATES}",
            "`.` is an empty cell. " + " ".join(legend) + " The edge of the board blocks light.",
            "",
            *(" ".join(f"{tile:<2}" for tile in row).rstrip() for row in rows),
            "",
        ]
    )


_PIECES = {1: "MM", 2: "MMM", 3: "MMMB", 4: "MMMMBB", 5: "MMMMBBTT"}
"""Grade -> the letters of the pieces; a letter that occurs k times is k times as likely as one that occurs once."""


def _scatter(choices: Choices, grade: int, lasers: int, sensors: int) -> list[list[str]]:
    """Returns the symbols of a board with lasers, sensors, walls and pieces at random places."""
    size = 4 + grade
    places = choices.sample(range(size * size), lasers + sensors + size + size * size // 6)
    tiles = ["." for _ in range(size * size)]
    for k, place in enumerate(places):
        if k < lasers:
            tiles[place] = "L" + choices.one_of("^>v<")
        elif k < lasers + sensors:
            tiles[place] = "S" + choices.one_of("^>v<")
        elif k < lasers + sensors + size // 2:
            tiles[place] = "W"
        else:
            kind = choices.one_of(_PIECES[grade])
            tiles[place] = kind + choices.one_of("^>v<" if kind == "T" else "/\\")
    return [tiles[row * size : (row + 1) * size] for row in range(size)]


def _game(tiles: list[list[str]]) -> MyPhoton:
    size = len(tiles)
    return MyPhoton(f"{size} {size}\n" + "\n".join(" ".join(row) for row in tiles) + "\n")


def _dark(game: MyPhoton) -> str:
    """Returns a picture of the board with its lasers off, as SVG text."""
    return game.svg(theme="light", heads=0, axes=True)


def beam(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``beam``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    fits: list[int] = []
    while not fits:
        # The light of most lasers reaches few pieces, so many lasers are tried at once, each on its own copy of the
        # board.
        tiles = _scatter(choices, grade, 0, 0)
        bare = _game(tiles).board
        places = choices.sample(_places(bare == Tile.EMPTY), 12)
        trials = [(row, col, facing) for row, col in places for facing in range(4)]
        boards = np.repeat(bare[None], len(trials), axis=0)
        for k, (row, col, facing) in enumerate(trials):
            boards[k, row, col] = Tile.LASER_N + facing
        lit = trace_many(boards, beams=True)[1] != 0
        # On these boards, codes above that of a wall are those of pieces that turn or split light and of the laser,
        # whose own cell is never lit.
        met = (lit & (boards > Tile.WALL)).sum(axis=(1, 2))
        fits = np.flatnonzero((met >= grade) & (lit.sum(axis=(1, 2)) >= 4 + 2 * grade)).tolist()
    chosen = choices.one_of(fits)
    row, col, facing = trials[chosen]
    tiles[row][col] = "L" + "^>v<"[facing]
    game = _game(tiles)
    expected = frozenset(_places(game.beams))
    question = (
        board_text(game)
        + "The laser shines. Which cells does its light pass through? Count empty cells, and pieces that turn or "
        "split the light; do not count the laser, walls, or pieces that block all light that reaches them. List every "
        "cell once, in any order."
    )

    def judge(answer: str) -> Score:
        return share_of_cells(expected, answers.cells(answer, {"light", "passes", "beam"}))

    facts = {"board": game.text, "cells": len(expected)}
    return Posed(
        question, line_of("(row, col), (row, col), ..."), cells_text(expected), judge, lambda: _dark(game), facts
    )


def _places(mask: Any) -> list[tuple[int, int]]:
    return [(int(row), int(col)) for row, col in zip(*mask.nonzero(), strict=True)]


def sensors(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``sensors``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    while True:
        game = _game(_scatter(choices, grade, 1 + grade // 2, 3 + grade))
        lit = int(game.lit.sum())
        if 1 <= lit < 3 + grade:
            break
    expected = frozenset(_places(game.lit))
    question = (
        board_text(game)
        + "Every laser shines. Which sensors are lit? At least one is. List the cell of every lit sensor once, in any "
        "order."
    )

    def judge(answer: str) -> Score:
        return share_of_cells(expected, answers.cells(answer, {"sensor", "sensors", "lit"}))

    facts = {"board": game.text, "sensors": len(game.sensors), "lit": lit}
    return Posed(
        question, line_of("(row, col), (row, col), ..."), cells_text(expected), judge, lambda: _dark(game), facts
    )


def swap(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``swap``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    size = 6 + grade // 3
    game = MyPhoton.generate(size, size, swaps=1, difficulty=grade, seed=choices.word())
    row, col, row2, col2 = (game.solve(max_swaps=1) or [])[0]
    question = (
        board_text(game)
        + "Every laser shines. One move can light all sensors at once. A move takes a mirror, a splitter or a T-mirror "
        "to an empty cell, or exchanges two such pieces; pieces never turn. Which move does it? Name its two cells."
    )
    before = int(game.lit.sum())

    def judge(answer: str) -> Score:
        first, second = answers.ends(answer, {"mirror", "splitter", "piece", "pieces"})
        after = game.copy()
        try:
            after.swap(first, second)
        except IllegalMoveError as error:
            return Score(0.0, f"This move is not allowed: {error.reason}.")
        except MoveError:
            return Score(0.0, "A cell of the move is off the board.")
        if after.is_solved:
            return RIGHT
        lit, all_ = int((after.board & LIT != 0).sum()), len(game.sensors)
        value = max(0, lit - before) / (all_ - before)
        return Score(value, f"Sensors lit after this move: {lit} of {all_}; before the move: {before}.")

    facts = {"board": game.text, "sensors": len(game.sensors), "lit": before}
    solution = f"({row}, {col}), ({row2}, {col2})"
    return Posed(question, line_of("(row, col), (row, col)"), solution, judge, lambda: _dark(game), facts)
