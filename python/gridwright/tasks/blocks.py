"""Tasks about Bloxorz: rolling the block to the target, the fewest rolls, and predicting when the block falls."""

from __future__ import annotations

from typing import Any

from ..bloxorz import Bloxorz
from ..errors import IllegalMoveError
from ..words import counted
from . import answers
from .choices import Choices
from .task import RIGHT, Posed, Score, line_of

__all__ = ["board_text", "fall", "fewest_rolls", "level", "roll"]

_ROLLS = {1: (3, 5), 2: (6, 8), 3: (9, 12), 4: (13, 17), 5: (18, 24)}
"""Grade -> the minimum and maximum number of rolls of a shortest solution."""

_RULES = (
    "A block of two cubes stands upright on S and covers one cell; it rolls over its edge in four directions: l left, "
    "u up, r right, d down. From standing, a roll lays it on the next two cells in that direction. From lying, a roll "
    "along its length stands it upright on the next cell, and a roll sideways moves both cubes by one cell. Every cube "
    "must be on a tile: the block falls if a cube is on `-` or off the board{light}."
)

_LIGHT = ", or if it stands upright on `.`, a light tile, which carries it only while it lies"


def board_text(game: Any) -> str:
    """Returns the board and the rules for rolling the block, as text.

    * ``game``: the position.
    """
    height, width = game.shape
    rows = [row for row in game.text.split("\n") if row]
    return "\n".join(
        [
            f"A board of {height} rows and {width} columns: `o` tile, `-` nothing, `S` start, `T` target"
            + (", `.` light tile." if "." in game.text else "."),
            _RULES.format(light=_LIGHT if "." in game.text else ""),
            "",
            *rows,
            "",
        ]
    )


def level(choices: Choices, grade: int) -> tuple[Any, str]:
    """Returns a level of plain tiles, with one light tile at grade 2, and a shortest solution.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    least, most = _ROLLS[grade]
    height, width = 3 + grade // 2, 5 + (grade + 1) // 2
    if grade > 2:
        # Random boards rarely have long solutions, so the generator searches for a board that has one.
        plain: dict[str, Any] = {"switches": 0, "bridges": 0, "splitters": 0, "light": 0.0}
        made = Bloxorz.generate(height, width, min_moves=least, max_moves=most, seed=choices.word(), **plain)
        return made, made.solve() or ""
    cells = height * width
    while True:
        tiles = ["o"] * cells
        holes = cells // 5 + choices.below(1 + cells // 6)
        places = choices.sample(range(cells), holes + 2 + grade // 2)
        for place in places[:holes]:
            tiles[place] = "-"
        for place in places[holes + 2 :]:
            tiles[place] = "."
        tiles[places[holes]], tiles[places[holes + 1]] = "S", "T"
        text = "\n".join("".join(tiles[row * width : (row + 1) * width]) for row in range(height))
        game = Bloxorz(text)
        keys = game.solve()
        if keys is not None and least <= len(keys) <= most:
            return game, keys


def _draw(game: Any) -> str:
    return str(game.svg(theme="light"))


def roll(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``roll``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    game, shortest = level(choices, grade)
    question = board_text(game) + (
        "Roll the block so that it stands upright on T after the last roll, without falling. Any number of rolls will "
        "do. Give the keys in order."
    )

    def judge(answer: str) -> Score:
        keys = answers.keys(answer)
        after = game.copy()
        for k, key in enumerate(keys, 1):
            try:
                after.play(key)
            except IllegalMoveError:
                return Score(0.0, f"The block stands on the target after roll {k - 1}, and the keys go on.")
            if after.falls:
                return Score(0.0, f"The block falls at roll {k}.")
        if after.is_solved:
            return RIGHT
        rest = after.solve()
        if rest is None:
            return Score(0.0, "From its last position, the block cannot reach the target.")
        value = max(0.0, 1 - len(rest) / len(shortest))
        away, before = counted(len(rest), "roll"), counted(len(shortest), "roll")
        return Score(value, f"The target is {away} away; at the start it was {before} away.")

    facts = {"board": game.text, "rolls": len(shortest)}
    return Posed(question, line_of("keys such as rrdl"), shortest, judge, lambda: _draw(game), facts)


def fewest_rolls(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``fewest_rolls``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    game, shortest = level(choices, grade)
    question = board_text(game) + (
        "What is the minimum number of rolls after which the block can stand upright on T, without falling?"
    )

    def judge(answer: str) -> Score:
        given = answers.integer(answer, fillers={"needs", "needed", "block"})
        return RIGHT if given == len(shortest) else Score(0.0, f"The minimum number is not {given}.")

    return Posed(question, line_of("a number"), str(len(shortest)), judge, lambda: _draw(game), {"board": game.text})


_NEVER = (
    "no",
    "never",
    "none",
    "it does not fall",
    "it doesn't fall",
    "does not fall",
    "no it does not fall",
    "it never falls",
)


def fall(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``fall``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    length = 4 + 2 * grade
    while True:
        found = _walk(choices, grade, length)
        if found is not None:
            game, keys, fallen = found
            break
    question = board_text(game) + (
        f"The keys {keys} are pressed one after the other. At which roll does the block fall for the first time, "
        "counted from 1? If it never falls, answer no."
    )

    def judge(answer: str) -> Score:
        given = answers.integer(answer, _NEVER, {"falls", "block", "fall"}, ordinal=True)
        if given == fallen:
            return RIGHT
        return Score(0.0, "The block falls." if given is None else f"The block does not first fall at roll {given}.")

    facts = {"board": game.text, "keys": keys}
    form = line_of("the number of the roll, or no")
    return Posed(question, form, str(fallen or "no"), judge, lambda: _draw(game), facts)


def _walk(choices: Choices, grade: int, length: int) -> tuple[Any, str, int | None] | None:
    """Returns a board, keys, and the number of the roll at which the block first falls (``None`` if it never falls).

    Rolls are counted from 1. Returns ``None`` instead of the tuple if no key is suitable at some step of the walk.
    """
    height, width = 3 + grade // 2, 5 + grade // 2
    cells = height * width
    tiles = ["o"] * cells
    for place in choices.sample(range(cells), cells // 6 + 1):
        tiles[place] = "-"
    for place in choices.sample(range(cells), grade // 2):
        tiles[place] = "."
    start, target = choices.sample(range(cells), 2)
    tiles[start], tiles[target] = "S", "T"
    game = Bloxorz("\n".join("".join(tiles[row * width : (row + 1) * width]) for row in range(height)))
    fallen = 1 + choices.below(length) if choices.below(2) else None
    walker = game.copy()
    keys = ""
    for k in range(1, length + 1):
        if fallen is not None and k > fallen:
            keys += choices.one_of("lurd")
            continue
        for key in choices.sample("lurd", 4):
            walker.play(key)
            if (walker.falls > 0) == (k == fallen) and not walker.is_solved:
                keys += key
                break
            walker.undo()
        else:
            return None
    return game, keys, fallen
