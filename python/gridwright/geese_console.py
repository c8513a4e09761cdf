"""The console of the GeeseSpotter document, section 4.2: ``gridwright geese``."""

from __future__ import annotations

from contextlib import suppress

from . import geese

__all__ = ["main"]

_ACTION = "Please enter the action ([S]how; [M]ark; [R]estart; [Q]uit): "


class _Quit(Exception):
    """The player leaves, or the input has ended."""


class _Restart(Exception):
    """A new game begins."""


def main(seed: int | None = None) -> int:
    """Plays games one after the other until the player quits or the input ends; gives the exit status 0.

    With ``seed`` the boards are the same each time: game k is laid from ``seed + k``.
    """
    print("Welcome to GeeseSpotter!")
    games = 0
    try:
        while True:
            with suppress(_Restart):
                _game(None if seed is None else seed + games)
            games += 1
    except _Quit:
        pass
    except EOFError:
        # The prompt stands alone on its line: end it before the shell writes its own.
        print()
    return 0


def _game(seed: int | None) -> None:
    """One game, from its dimensions to its end."""
    x_max, y_max = geese.x_dim_max(), geese.y_dim_max()
    x_dim = _number(f"Please enter the x dimension (max {x_max}): ", 1, x_max, "The x dimension")
    y_dim = _number(f"Please enter the y dimension (max {y_max}): ", 1, y_max, "The y dimension")
    num_geese = _number("Please enter the number of geese: ", 0, x_dim * y_dim, "The number of geese")
    board = geese.create_board(x_dim, y_dim)
    geese.spread_geese(board, num_geese, seed)
    geese.compute_neighbours(board)
    geese.hide_board(board)
    geese.print_board(board)
    while True:
        action = _action()
        if action == "Q":
            raise _Quit
        if action == "R":
            raise _Restart
        x = _number("Please enter the x location: ")
        y = _number("Please enter the y location: ")
        lost = False
        if not (0 <= x < x_dim and 0 <= y < y_dim):
            print(f"There is no field at x {x} and y {y}.")
        elif action == "M":
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


def _action() -> str:
    while True:
        word = _ask(_ACTION).strip().upper()
        if word in ("S", "M", "R", "Q"):
            return word
        print("Please answer S, M, R or Q.")


def _number(prompt: str, least: int | None = None, most: int | None = None, name: str = "") -> int:
    """Asks until the answer is a whole number within the bounds."""
    while True:
        word = _ask(prompt).strip()
        try:
            # Very long ones Python refuses to read; their beginning is as far off the board.
            number = int(word[:19] if word.lstrip("+-").isdecimal() else word[:99])
        except ValueError:
            number = None
        if number is None:
            print("Please enter a whole number.")
        elif least is not None and most is not None and not least <= number <= most:
            print(f"{name} must be from {least} to {most}.")
        else:
            return number


def _ask(prompt: str) -> str:
    """Shows a prompt and reads a line; ``EOFError`` at the end of the input."""
    try:
        return input(prompt)
    except UnicodeDecodeError:
        return ""
