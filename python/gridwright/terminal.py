"""A game in the terminal: single keys where a game has them and the terminal gives them, typed moves otherwise."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from .errors import MoveError, SearchLimitError
from .status import Status

__all__ = ["play"]

_WORDS = {
    "undo": "take the last move back",
    "redo": "make it again",
    "reset": "back to the start",
    "hint": "play the next move of a solution, or a good move",
    "help": "this list",
    "quit": "leave",
}
_SPECIAL = {
    "\x7f": "undo",
    "\x08": "undo",
    "\r": "hint",
    "\n": "hint",
    "?": "help",
    "q": "quit",
    "\x04": "quit",
    "": "quit",
}


def play(game: Any, show: Callable[[Any], str]) -> int:
    """Plays until the player leaves or the game is over; gives the exit status."""
    keys: dict[str, tuple[Any, ...]] = getattr(game, "KEYS", {})
    with _single_keys(bool(keys)) as single:
        reader = _read_keys() if single else _read_lines()
        _put(game, show, _help(game, keys, single, short=True), single)
        for said in reader:
            if said == "quit":
                return 0
            message = _do(game, keys, said, single)
            over = game.status != Status.OPEN
            if over:
                end = {Status.WON: "You won!", Status.LOST: "You lost.", Status.DRAWN: "Drawn."}[game.status]
                message = f"{message}\n{end}" if message else end
            _put(game, show, message, single)
            if over and (game.is_solved or not single):
                return 0
    return 0


def _put(game: Any, show: Callable[[Any], str], message: str, single: bool) -> None:
    """Shows the game anew: in the place of the picture before where the terminal can, below it otherwise."""
    counts = "".join(f", {name} {number}" for name, number in game._scores())
    lines = [*_numbered(game, show), f"{len(game.moves)} moves{counts}", *message.splitlines()]
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and _fits(lines):
        # From the top, each line and what is below it wiped as it is written: nothing flickers.
        sys.stdout.write("\x1b[H" + "".join(f"{line}\x1b[K\n" for line in lines) + "\x1b[J")
    else:
        sys.stdout.write("\n".join(["", *lines, ""]))
    sys.stdout.write("" if single else "> " if game.status == Status.OPEN else "\n")
    sys.stdout.flush()


def _fits(lines: list[str]) -> bool:
    return len(lines) < shutil.get_terminal_size().lines


def _numbered(game: Any, show: Callable[[Any], str]) -> list[str]:
    """The picture, with the numbers of rows and columns where moves name them."""
    lines, (height, width) = show(game).splitlines(), game.shape
    plain = str(game).splitlines()
    if len(game.bounds) == 1 or len(plain) != height or len({len(line) for line in plain}) > 1:
        return lines
    margin, step = len(str(height - 1)), -(-len(plain[0]) // width)
    ruler = "".join(str(col % 10).ljust(step) for col in range(width)).rstrip()
    return [f"{'':{margin}} {ruler}", *(f"{row:{margin}} {line}" for row, line in enumerate(lines))]


def _help(game: Any, keys: dict[str, tuple[Any, ...]], single: bool, *, short: bool = False) -> str:
    if single:
        names = {" ": "space", **{arrow: arrow for arrow in ("up", "down", "left", "right")}}
        shown = " ".join(names.get(key, key) for key in keys)
        return f"keys: {shown}; backspace takes back, Enter plays a hint, q leaves"
    axes = ", ".join(f"0..{bound - 1}" for bound in game.bounds)
    moves = f"a move: {len(game.bounds)} numbers ({axes})" + (f" or keys among {' '.join(keys)}" if keys else "")
    if short:
        return f"{moves}; or {', '.join(_WORDS)}"
    return "\n".join([moves, *(f"{word}: {about}" for word, about in _WORDS.items())])


def _do(game: Any, keys: dict[str, tuple[Any, ...]], said: str, single: bool) -> str:
    """Does what was said; gives a sentence where there is something to tell."""
    try:
        if said in ("undo", "redo"):
            return "" if getattr(game, said)() else f"nothing to {said}"
        if said == "reset":
            game.reset()
        elif said == "hint":
            return _hint(game)
        elif said == "help":
            return _help(game, keys, single)
        elif said in keys:
            game.play(*keys[said])
        elif single:
            return f"no key {said!r}; ? lists them"
        else:
            words = said.replace(",", " ").split()
            numbers = [int(word) if word.lstrip("-").isdigit() else word for word in words]
            game.play(*numbers)
    except (MoveError, SearchLimitError) as error:
        return str(error)
    return ""


def _hint(game: Any) -> str:
    if game.status != Status.OPEN:
        return "the game is over"
    if not game._can_hint():
        return "this game gives no hints"
    move = game._next_move()
    if move is None:
        return "no solution from here; undo or reset"
    game.play(*move)
    return ""


def _read_lines() -> Iterator[str]:
    for line in iter(sys.stdin.readline, ""):
        said = line.strip() or "help"
        yield "quit" if said == "q" else said


@contextmanager
def _single_keys(wanted: bool) -> Iterator[bool]:
    """Lets keys through one by one where the terminal can."""
    if not wanted or not sys.stdin.isatty():
        yield False
        return
    try:
        import termios
        import tty
    except ImportError:  # Windows: msvcrt reads single keys with no change of mode
        yield True
        return
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        yield True
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}


def _read_keys() -> Iterator[str]:
    read = _reader()
    while True:
        key = read()
        if key == "\x1b":
            key = _ARROWS.get(read(), "") if read() in "[O" else "?"
            if not key:
                continue
        yield _SPECIAL.get(key, key.lower())


def _reader() -> Callable[[], str]:
    with suppress(ImportError):
        import msvcrt

        return lambda: msvcrt.getwch()  # type: ignore[attr-defined,no-any-return,unused-ignore]
    return lambda: sys.stdin.read(1)
