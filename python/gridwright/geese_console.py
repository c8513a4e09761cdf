"""The console of the GeeseSpotter document, section 4.2: ``gridwright geese``."""

from __future__ import annotations

import re
from contextlib import suppress

from . import geese
from .arguments import whole

__all__ = ["main"]

_ACTION = "Please enter the action ([S]how; [M]ark; [R]estart; [Q]uit): "

_WHOLE = re.compile(r"[+-]?[0-9]+", re.ASCII)


class _Quit(Exception):
    """Raised when the player quits."""


class _Restart(Exception):
    """Raised when the player asks for a new game."""


def main(seed: int | None = None) -> int:
    """Plays games one after the other until the player quits or the input ends, and returns the exit status 0.

    * ``seed``: an integer from 0 to 2^64 - 1, which makes the boards reproducible: game k has the seed ``seed + k``,
      modulo 2^64. ``None`` (the default) draws a seed. Raises ``ValueError`` for any other number.
    """
    seed = None if seed is None else whole("seed", seed, 0)
    print("Welcome to GeeseSpotter!")
    reader = _InputReader()
    games = 0
    try:
        while True:
            with suppress(_Restart):
                _game(reader, None if seed is None else (seed + games) % 2**64)
            games += 1
    except _Quit:
        pass
    except EOFError:
        # The prompt does not end its line; end that line before the shell writes its own prompt.
        print()
    return 0


def _game(reader: _InputReader, seed: int | None) -> None:
    """Plays one game: reads the size of the board and the number of geese, then actions until the game ends."""
    x_max, y_max = geese.x_dim_max(), geese.y_dim_max()
    x_dim = reader.number(f"Please enter the x dimension (max {x_max}): ", 1, x_max, "The x dimension")
    y_dim = reader.number(f"Please enter the y dimension (max {y_max}): ", 1, y_max, "The y dimension")
    num_geese = reader.number("Please enter the number of geese: ", 0, x_dim * y_dim, "The number of geese")
    board = geese.create_board(x_dim, y_dim)
    geese.spread_geese(board, num_geese, seed)
    geese.compute_neighbours(board)
    geese.hide_board(board)
    geese.print_board(board)
    while True:
        action = reader.action()
        if action == "Q":
            raise _Quit
        if action == "R":
            raise _Restart
        x = reader.number("Please enter the x location: ")
        y = reader.number("Please enter the y location: ")
        if not (0 <= x < x_dim and 0 <= y < y_dim):
            # No field was shown or marked, so the game is not won: not even if all fields hold geese, in which case
            # `is_game_won` is true from the start.
            print(f"There is no field at x {x} and y {y}.")
            geese.print_board(board)
            continue
        lost = False
        if action == "M":
            if geese.mark(board, y, x) == geese.Code.REVEALED:
                print("The field is already revealed and cannot be marked.")
        else:
            before = board.copy()
            code = geese.reveal(board, y, x)
            lost = code == geese.Code.GOOSE
            if code == geese.Code.MARKED:
                print("The field is marked; unmark it before you show it.")
            elif code == geese.Code.REVEALED and (board == before).all():
                print("The field is already revealed.")
        if lost:
            geese.print_board(board)
            print("You disturbed a goose! You lost.")
            return
        if geese.is_game_won(board):
            board &= geese.value_mask()
            geese.print_board(board)
            print("You spotted all geese! You won.")
            return
        geese.print_board(board)


class _InputReader:
    """Reads the answers of the player; one line may contain several answers."""

    def __init__(self) -> None:
        self._words: list[str] = []

    def action(self) -> str:
        """Asks for an action until the answer is one of the four letters."""
        while True:
            word = self._ask(_ACTION).upper()
            if word in ("S", "M", "R", "Q"):
                return word
            self._words.clear()
            print("Please answer S, M, R or Q.")

    def number(self, prompt: str, least: int | None = None, most: int | None = None, name: str = "") -> int:
        """Asks for a number until the answer is a whole number within the bounds, if there are any."""
        while True:
            word = self._ask(prompt)
            number = None
            if _WHOLE.fullmatch(word):
                # Longer numbers are cut off after 19 digits, which leaves them far out of bounds.
                digits = word.lstrip("+-0")[:19] or "0"
                number = -int(digits) if word[0] == "-" else int(digits)
            if number is None:
                print("Please enter a whole number.")
            elif least is not None and most is not None and not least <= number <= most:
                print(f"{name} must be from {least} to {most}.")
            else:
                return number
            self._words.clear()

    def _ask(self, prompt: str) -> str:
        """Shows a prompt and returns the next word, ``""`` for a blank line; raises ``EOFError`` if the input ends."""
        if self._words:
            word = self._words.pop(0)
            print(f"{prompt}{word}")
            return word
        self._words = input(prompt).split()
        return self._words.pop(0) if self._words else ""
