"""A game in the terminal: single keys where a game has them and the terminal gives them, typed moves otherwise."""

from __future__ import annotations

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
    "hint": "play the next move of a solution",
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
        reader = _read_keys() if single else _read_lines(game)
        print(_help(game, keys, single))
        print(_screen(game, show))
        for said in reader:
            if said == "quit":
                return 0
            message = _do(game, keys, said, single)
            print(_screen(game, show))
            if message:
                print(message)
            if game.status != Status.OPEN:
                print({Status.WON: "You won!", Status.LOST: "You lost.", Status.DRAWN: "Drawn."}[game.status])
                if game.is_solved or not single:
                    return 0
    return 0


def _screen(game: Any, show: Callable[[Any], str]) -> str:
    extra = "".join(f", {name} {getattr(game, name)}" for name in ("falls", "score", "lives") if hasattr(game, name))
    return f"\n{show(game)}\n{len(game.moves)} moves{extra}"


def _help(game: Any, keys: dict[str, tuple[Any, ...]], single: bool) -> str:
    if single:
        names = {" ": "space", **{arrow: arrow for arrow in ("up", "down", "left", "right")}}
        shown = " ".join(names.get(key, key) for key in keys)
        return f"keys: {shown}; backspace takes back, Enter plays a hint, q leaves"
    axes = ", ".join(f"0..{bound - 1}" for bound in game.bounds)
    moves = f"a move: {len(game.bounds)} numbers ({axes})" + (f" or keys among {' '.join(keys)}" if keys else "")
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
    if not hasattr(game, "solution"):
        return "this game gives no hints"
    moves = game.solution()
    if moves is None or not len(moves):
        return "no solution from here; undo or reset"
    game.play(*moves[0].tolist())
    return ""


def _read_lines(game: Any) -> Iterator[str]:
    while True:
        sys.stdout.write("> ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()


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
