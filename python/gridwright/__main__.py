"""One command line for all games: ``gridwright`` or ``python -m gridwright``."""

from __future__ import annotations

import argparse
import ast
import inspect
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from . import GAMES, __version__
from .errors import LevelError, MoveError, SearchLimitError
from .words import nearest

__all__ = ["main"]


class Refusal(Exception):
    """A sentence for the user; the command ends with status 2."""


def _game_class(name: str) -> Any:
    for folder, kind in GAMES.items():
        if name.lower() in (folder, kind.__name__.lower()):
            return kind
    known = [*GAMES, *(kind.__name__ for kind in GAMES.values())]
    raise Refusal(f"no game {name!r}; {nearest(name, known)}")


def _level(kind: Any, name: str | None) -> Any:
    if name is None:
        name = kind.levels()[0]
    if name not in kind.levels() and ("/" in name or "." in name or Path(name).is_file()):
        return kind.load(name)
    return kind.level(name)


def _colour() -> bool:
    import os

    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def show(game: Any, *, colour: bool | None = None) -> str:
    """Gives the plain picture of a game, in the colours of its signs where the terminal has them."""
    from .draw import DARK, glyphs

    if not (_colour() if colour is None else colour):
        return str(game)
    rows = []
    for row in glyphs(game):
        painted = []
        for sign, role in row:
            value = getattr(DARK, role).lstrip("#")
            red, green, blue = (int(value[k : k + 2], 16) for k in (0, 2, 4))
            painted.append(f"\x1b[38;2;{red};{green};{blue}m{sign}")
        rows.append("".join(painted) + "\x1b[0m")
    return "\n".join(rows)


def _demo(options: argparse.Namespace) -> int:
    folder = Path(options.folder) if options.folder else Path(tempfile.mkdtemp(prefix="gridwright-"))
    folder.mkdir(parents=True, exist_ok=True)
    for name, kind in GAMES.items():
        game = getattr(kind, "_demo_game", lambda kind=kind: kind.level(kind.levels()[0]))()
        print(f"== {kind.__name__}\n{show(game)}\n")
        start = folder / f"{name}-start.svg"
        game.save_image(start)
        moves = _solution(game)
        for move in moves:
            game.play(*move)
        print(f"{len(moves)} moves later, {game.status.name}:\n{show(game)}\n")
        print(f"the board as a numpy array, {game.board.dtype} {game.board.shape}:\n{game.board}\n")
        end = folder / f"{name}-end.svg"
        game.save_image(end)
        print(f"pictures: {start} and {end}\n")
    return 0


def _solution(game: Any) -> list[tuple[int, ...]]:
    """The moves of a solution, or of a few plays where a game has none."""
    if not hasattr(game, "solution"):
        return []
    found = game.solution()
    return [] if found is None else [tuple(row) for row in found.tolist()]


def _play(options: argparse.Namespace) -> int:
    from .terminal import play

    game = _level(_game_class(options.game), options.level)
    return play(game, show)


def _solve(options: argparse.Namespace) -> int:
    kind = _game_class(options.game)
    game = _level(kind, options.level)
    if not hasattr(game, "solve"):
        raise Refusal(f"{kind.__name__} is a game of two and has no solution, wanted a puzzle")
    # On a copy: where a game is played against chance, to solve is to play on.
    found = game.copy().solve()
    if found is None:
        print("no solution (proved)")
        return 1
    print(found)
    moves = _solution(game)
    for move in moves:
        game.play(*move)
    print(f"{len(moves)} moves, then {game.status.name}:\n{show(game)}")
    return 0


def _generate(options: argparse.Namespace) -> int:
    kind = _game_class(options.game)
    if not hasattr(kind, "generate"):
        raise Refusal(f"{kind.__name__} has no generator yet, wanted one of the other games")
    signature = inspect.signature(kind.generate)
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for word in options.arguments:
        name, found, value = word.partition("=")
        if found:
            named[name.replace("-", "_")] = _value(value)
        else:
            positional.append(_value(word))
    if options.seed is not None:
        named["seed"] = options.seed
    try:
        signature.bind(*positional, **named)
    except TypeError as error:
        wanted = ", ".join(
            each.name if each.default is each.empty else f"{each.name}={each.default!r}"
            for each in signature.parameters.values()
            if each.name not in ("progress", "watch")
        )
        raise Refusal(f"{error}, wanted {wanted}") from None
    game = kind.generate(*positional, **named)
    if options.output:
        game.save(options.output)
    else:
        print(game.text, end="" if game.text.endswith("\n") else "\n")
    return 0


def _bench(options: argparse.Namespace) -> int:
    from .bench import rows

    for kind in [_game_class(options.game)] if options.game else GAMES.values():
        print(f"{kind.__name__} {kind.levels()[0]}")
        for what, number, unit in rows(kind):
            print(f"  {what:44} {number:10.3g} {unit}", flush=True)
    return 0


def _domination(options: argparse.Namespace) -> int:
    from .domination import run_game

    run_game(options.input, options.output, verbose=options.verbose)
    return 0


def _value(word: str) -> Any:
    try:
        return ast.literal_eval(word.capitalize() if word in ("true", "false", "none") else word)
    except (ValueError, SyntaxError):
        return word


def _geese(options: argparse.Namespace) -> int:
    from .geese_console import main

    return main(options.seed)


def _levels(options: argparse.Namespace) -> int:
    kinds: list[Any] = [_game_class(options.game)] if options.game else list(GAMES.values())
    for kind in kinds:
        for name in kind.levels():
            game = kind.level(name)
            print(f"{kind.NAME:12} {name:20} {game.height} x {game.width}")
    return 0


class _Parser(argparse.ArgumentParser):
    """Answers a wrong word with one sentence that has the nearest right ones."""

    def error(self, message: str) -> NoReturn:
        if message.startswith("argument command: invalid choice: "):
            word = message.split("'")[1]
            message = f"no command {word!r}; {nearest(word, COMMANDS)}"
        print(f"{self.prog}: {message}", file=sys.stderr)
        raise SystemExit(2)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="gridwright", description="Five grid worlds: play, solve, generate.")
    parser.add_argument("--version", action="version", version=f"gridwright {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command", parser_class=_Parser)
    for name, (about, arguments, run) in COMMANDS.items():
        command = commands.add_parser(name, help=about, description=about)
        for argument, settings in arguments:
            command.add_argument(argument, **settings)
        command.set_defaults(run=run)
    return parser


_Arguments = list[tuple[str, dict[str, Any]]]
_GAME: tuple[str, dict[str, Any]] = ("game", {"help": "folder or class name, such as bloxorz"})

COMMANDS: dict[str, tuple[str, _Arguments, Callable[[argparse.Namespace], int]]] = {
    "demo": (
        "play and solve a packaged level of each game, print the boards, write the pictures",
        [("--folder", {"help": "where the pictures go (default: a new temporary folder)"})],
        _demo,
    ),
    "play": (
        "play in the terminal, by keys or by typed moves",
        [_GAME, ("level", {"nargs": "?", "help": "a packaged level or a file (default: the first level)"})],
        _play,
    ),
    "solve": ("solve a level and show the end", [_GAME, ("level", {"help": "a packaged level or a file"})], _solve),
    "generate": (
        "make a new puzzle and print its text",
        [
            _GAME,
            ("arguments", {"nargs": "*", "help": "those of generate: sizes in order, options as name=value"}),
            ("--seed", {"type": int, "help": "the same seed gives the same puzzle"}),
            ("--output", {"help": "a file instead of the screen"}),
        ],
        _generate,
    ),
    "geese": (
        "the console of the GeeseSpotter document",
        [("--seed", {"type": int, "help": "the same seed gives the same boards"})],
        _geese,
    ),
    "levels": (
        "list the packaged levels",
        [("game", {"nargs": "?", "help": "of this game only"})],
        _levels,
    ),
    "domination": (
        "the program of the Linear Domination document: reads N K and plays, writes the board and the counts",
        [
            ("input", {"help": "a file with N K and plays, row col row col, 1-based"}),
            ("output", {"help": "where the board and the counts go"}),
            ("--verbose", {"action": "store_true", "help": "print the board before the first play and after each"}),
        ],
        _domination,
    ),
    "bench": (
        "measure the speed of calls, batches and solvers on this machine",
        [("game", {"nargs": "?", "help": "this game only"})],
        _bench,
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; gives the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return 0
    try:
        return options.run(options)  # type: ignore[no-any-return]
    except (Refusal, LevelError, MoveError, SearchLimitError, ValueError, TypeError, ImportError) as error:
        print(f"gridwright: {error}", file=sys.stderr)
    except OSError as error:
        name = f": {error.filename}" if error.filename else ""
        print(f"gridwright: {error.strerror or error}{name}", file=sys.stderr)
    except KeyboardInterrupt:
        print("gridwright: interrupted", file=sys.stderr)
        return 130
    return 2


if __name__ == "__main__":
    raise SystemExit(main())
