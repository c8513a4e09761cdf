"""One command line for all games: ``gridwright`` or ``python -m gridwright``."""

from __future__ import annotations

import argparse
import ast
import codecs
import inspect
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from . import GAMES, __version__
from .arguments import number, seed_of, shown
from .errors import InternalError, LevelError, MoveError, SearchLimitError
from .status import Status
from .words import counted, nearest

__all__ = ["main"]


class Refusal(Exception):
    """Raised to end the command with status 2; the exception's text is a message for the user."""


def _game_class(name: str) -> Any:
    for folder, kind in GAMES.items():
        if name.lower() in (folder, kind.__name__.lower()):
            return kind
    known = [*GAMES, *(kind.__name__ for kind in GAMES.values())]
    raise Refusal(f'no game "{name}"; {nearest(name, known)}')


def _level(kind: Any, name: str | None) -> Any:
    if name is None:
        # The first level in the list that a player sees.
        name = kind.level(kind.levels()[0]).controls().levels[0].name
    if name not in kind.levels() and ("/" in name or "." in name or Path(name).is_file()):
        return kind.load(name)
    return kind.level(name)


def _has_color() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def show(game: Any, *, color: bool | None = None) -> str:
    """Returns the plain picture of a game.

    * ``game``: a game of any kind.
    * ``color``: whether to add color codes; ``None`` (the default) adds them if the output is a terminal with colors.
    """
    from .draw import DARK, glyphs, ground, plain, text_grid

    if not (_has_color() if color is None else color):
        return plain(game)
    roles, grid = ground(game), text_grid(game)
    lines = []
    for y, row in enumerate(glyphs(game)):
        painted, x = [], 0
        for symbol, role in row:
            # A cell of one or two characters gets its own background color; everything else keeps the dark background.
            cell = grid.at(x, y, game.shape) if grid.wide <= 2 else None
            back = DARK.night if cell is None else getattr(DARK, roles[cell[0]][cell[1]])
            front = getattr(DARK, role)
            if cell is not None and back != DARK.night:
                front = DARK.letters_on(back)
            painted.append(f"\x1b[38;2;{_rgb(front)};48;2;{_rgb(back)}m{symbol}{' ' * (grid.wide == 1)}")
            x += len(symbol)
        lines.append("".join(painted) + "\x1b[0m")
    return "\n".join(lines)


def _rgb(color: str) -> str:
    return ";".join(str(int(color[at : at + 2], 16)) for at in (1, 3, 5))


# The command ``demo`` plays a level of every game to its end.


def _demo(options: argparse.Namespace) -> int:
    folder = Path(options.folder) if options.folder else Path(tempfile.mkdtemp(prefix="gridwright-"))
    folder.mkdir(parents=True, exist_ok=True)
    moving = _has_color() and not options.still
    for name, kind in GAMES.items():
        _demo_game(name, kind, folder, moving)
    print(f"Pictures and films are in {folder}. To play yourself: gridwright play")
    return 0


_DEMO_SECONDS = 1.0
"""The time in seconds that the moves of one game take in a terminal."""


def _demo_game(name: str, kind: Any, folder: Path, moving: bool) -> None:
    """Plays a game to its end and shows the positions: every one if ``moving`` and the board fits into the terminal."""
    import time

    controls = _demo_controls(kind)
    game = controls.game
    first = show(game)
    moving = moving and _fits(show(game, color=False))
    print(f"{_wrapped(f'== {controls.title}: {_summary(kind)}')}\n{first}\n")
    game.save_image(folder / f"{name}-start.svg")
    boards = [first] if moving else []
    for _ in _demo_moves(controls):
        if moving:
            boards.append(show(game))
    if moving:
        high = boards[0].count("\n") + 2
        for board in boards[1:]:
            # The cursor moves to the top of the board, so that the new board overwrites the old one.
            print(f"\x1b[{high}A{board}\n", flush=True)
            time.sleep(_DEMO_SECONDS / len(boards))
    else:
        print(f"{show(game)}\n")
    end = controls.message.partition(" Enter ")[0] or controls.status.name.lower()
    print(_wrapped(f"{end}  ({', '.join(map(str, controls.scores))})"))
    print(f"board: numpy {game.board.dtype} {game.board.shape}\n")
    game.save_image(folder / f"{name}-end.svg")
    game.animate().save(folder / f"{name}.html")


def _fits(board: str) -> bool:
    """Returns whether a board without colors and two more lines fit into the terminal.

    If not, the cursor cannot go back to the top of the board.
    """
    import shutil

    columns, lines = shutil.get_terminal_size()
    rows = board.split("\n")
    return len(rows) + 2 <= lines and max(map(len, rows)) <= columns


def _demo_controls(kind: Any) -> Any:
    """Returns the controls of a puzzle to show.

    The puzzle is the first that fits in a terminal, is not an endgame of a game for two players, and is not known to
    need three moves or fewer; if no puzzle qualifies, it is the first of all.
    """
    first = kind.level(kind.levels()[0]).controls()
    for level in first.levels:
        game = kind.level(level.name)
        if game.height > 16 or game.width > 20:
            continue
        controls = game.controls()
        if _opponents(controls) and level.grade:
            continue  # an endgame puzzle, which has only a few plays
        if (controls.optimum or 9) > 3:
            return controls
    return first


def _demo_moves(controls: Any) -> Iterator[None]:
    """Plays a game to its end and yields after each move.

    In a two-player game, hints are played against the strongest opponent.
    """
    if "minimax" in _opponents(controls):
        controls.choose("opponent", "minimax")
        while not controls.over:
            before = len(controls.game.moves)
            # The first hint shows a play, and the second makes it.
            controls.hint()
            controls.hint()
            if len(controls.game.moves) == before:
                return
            yield
        return
    controls.solve()
    while controls.solving:
        controls.step()
        yield


def _opponents(controls: Any) -> tuple[str, ...]:
    """Returns the opponents that a player can choose from; an empty tuple for a game for one player."""
    return next((one.choices for one in controls.settings if one.name == "opponent"), ())


def _wrapped(text: str) -> str:
    """Breaks a long line between words; the terminal itself would break it anywhere."""
    import shutil
    import textwrap

    return textwrap.fill(text, max(shutil.get_terminal_size().columns - 1, 20))


def _summary(kind: Any) -> str:
    """Returns what a game is about, from the first line of its module's docstring."""
    line = (sys.modules[kind.__module__].__doc__ or "").splitlines()[0]
    return line.partition(": ")[2]


# The other commands.


def _play(options: argparse.Namespace) -> int:
    game = None if options.game is None else _level(_game_class(options.game), options.level)
    if not options.typed and _has_screen():
        try:
            from .play.terminal import run
        except ImportError as error:
            print(f"gridwright: {error}; until then, type moves (help lists them)", file=sys.stderr)
        else:
            kind = None if game is None or options.level is not None else type(game)
            return run(game, kind)
    if game is None:
        names = "\n".join(f"  {name:12} {_summary(kind)}" for name, kind in GAMES.items())
        print(f"gridwright play GAME [LEVEL], with one of these games:\n{names}")
        return 0
    from .play.typed import play

    def prompt() -> None:
        if sys.stdin.isatty():
            print("> ", end="", flush=True)

    return play(game, _typed_lines(), prompt=prompt)


def _has_screen() -> bool:
    """Returns whether the terminal application can run: it draws on the standard error stream."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()
    return terminal and os.environ.get("TERM") != "dumb"


def _typed_lines() -> Iterator[str]:
    """Yields the lines of the input; if they end in a terminal, ends the line of the prompt."""
    yield from sys.stdin
    if sys.stdin.isatty():
        print()


def _solve(options: argparse.Namespace) -> int:
    kind = _game_class(options.game)
    game = _level(kind, options.level)
    controls = game.controls()
    controls.PATIENCE = float("inf")
    if any(one.name == "opponent" for one in controls.settings):
        raise Refusal(f"{kind.__name__} is a game for two players and has no solution")
    if controls.over:
        print(f"the game is over: {controls.status.name.lower()}")
        return 0
    start = game.copy()
    controls.solve()
    if not controls.solving:
        if not hasattr(game, "solution"):
            raise Refusal(f"{kind.__name__} has no solver")
        game.solution()  # raises an error if no search could prove that there is no solution
        print("no solution (proved)")
        return 1
    controls.finish()
    # If a move is one number, the answer is a string of keys; otherwise each move is described on a line of its own.
    print(start.solve() if len(game.bounds) == 1 else _moves_in_words(start, controls))
    print(f"{', '.join(map(str, controls.scores))}: {Status(game.status).name}\n{show(game)}")
    return 0 if game.is_solved else 1  # a guess in GeeseSpotter may lose


def _moves_in_words(game: Any, controls: Any) -> str:
    """Returns the moves that were played with the controls in words, and plays them in ``game``.

    There is one line per move as the scores count them.
    """
    from .draw import caption

    lines: list[str] = []
    for step in controls._steps([tuple(move) for move in controls.game.moves.tolist()]):
        captions = []
        for move in step:
            captions.append(caption(game, move))
            game.play(*move)
        lines += controls._in_words(captions)
    return "\n".join(lines)


def _generate(options: argparse.Namespace) -> int:
    kind = _game_class(options.game)
    if not hasattr(kind, "generate"):
        raise Refusal(f"{kind.__name__} has no generator")
    parameters = inspect.signature(kind.generate).parameters
    positional: list[Any] = []
    named: dict[str, Any] = {} if options.seed is None else {"seed": options.seed}
    for word in options.arguments:
        name, found, value = word.removeprefix("--").partition("=")
        if found and not word[:1].isdigit():
            name = name.replace("-", "_")
            if name in named:
                raise Refusal(f"{name} must be given once, got it again as {value[:40]}")
            named[name] = _value(value)
        else:
            positional.append(_value(word))
    hidden = ("progress", "watch", "threads")
    for name in named:
        if name not in parameters or name in hidden:
            known = [each for each in parameters if each not in hidden]
            raise Refusal(f"{kind.__name__} has no option {name}; {nearest(name, known)}")
    ordered = [each for each in parameters.values() if each.kind is not each.KEYWORD_ONLY and each.name != "seed"]
    missing = [
        each.name for each in ordered[len(positional) :] if each.default is each.empty and each.name not in named
    ]
    if missing or len(positional) > len(ordered):
        order = " ".join(
            each.name.upper() if each.default is each.empty else f"[{each.name.upper()}]" for each in ordered
        )
        got = "missing " + ", ".join(missing) if missing else f"got {counted(len(positional), 'word')}"
        raise Refusal(f"generate {kind.NAME} takes {order}, then options as name=value; {got}")
    for each, value in zip(ordered, positional, strict=False):
        if each.name in named:
            raise Refusal(f"{each.name} must be given once, got it again as {shown(named[each.name])}")
        if isinstance(value, bool) or not isinstance(value, int):
            raise Refusal(f"{each.name} must be a whole number, got {str(value)[:40]}")
    game = kind.generate(*positional, **named)
    if options.output:
        game.save(options.output)
    else:
        print(game.text, end="" if game.text.endswith("\n") else "\n")
    return 0


def _value(word: str) -> Any:
    """Reads a Python literal, such as a number or a tuple, or true, false or none; returns any other word unchanged."""
    try:
        return ast.literal_eval(word.capitalize() if word in ("true", "false", "none") else word)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return word


def _bench(options: argparse.Namespace) -> int:
    from .bench import rows

    for kind in [_game_class(options.game)] if options.game else GAMES.values():
        print(f"{kind.__name__} {kind.levels()[0]}")
        for what, value, unit in rows(kind):
            print(f"  {what:44} {value:10.3g} {unit}", flush=True)
    return 0


def _domination(options: argparse.Namespace) -> int:
    from .domination import run_game

    run_game(options.input, options.output, verbose=options.verbose, empty=options.empty)
    return 0


def _geese(options: argparse.Namespace) -> int:
    from .geese_console import main

    return main(options.seed)


def _contest(options: argparse.Namespace) -> int:
    from .contest import run

    try:
        table = run(
            options.bots,
            game=options.game,
            pairs=options.pairs,
            output=options.output,
            seed=options.seed or 0,
            seconds=options.seconds,
            anonymous=options.anonymous,
        ).table
    except InternalError:
        raise
    except RuntimeError as error:  # this system cannot run a contest
        raise Refusal(str(error)) from None
    width = max(len(row.bot) for row in table)
    for row in table:
        failed = f"  failed {counted(row.failures, 'time')}" if row.failures else ""
        failed += f", {counted(row.forfeits, 'game')} not played" if row.forfeits else ""
        failed += f": {row.trouble}" if row.trouble else ""
        print(f"{row.rank:3}  {row.bot:{width}}  {row.score:.3f} ± {row.error:.3f}{failed}")
    print(f"The table and films of the closest games: {Path(options.output) / 'index.html'}")
    return 0


def _tasks(options: argparse.Namespace) -> int:
    import json

    from . import tasks

    difficulty = options.difficulty
    if difficulty is not None and difficulty.isascii() and difficulty.isdigit():
        difficulty = int(difficulty)
    wanted: dict[str, Any] = {"count": options.count, "difficulty": difficulty, "seed": options.seed or 0}
    if options.output is not None:
        written = tasks.export(options.output, options.names or None, images=options.images, **wanted)
        print(f"{counted(written, 'task')} and a card: {Path(options.output)}")
        return 0
    for task in tasks.each(options.names or None, **wanted):
        print(json.dumps(tasks.record(task, images=options.images), ensure_ascii=False))
    return 0


def _levels(options: argparse.Namespace) -> int:
    kinds: list[Any] = [_game_class(options.game)] if options.game else list(GAMES.values())
    for kind in kinds:
        grades = {level.name: level.grade for level in kind.level(kind.levels()[0]).controls().levels}
        for name in kind.levels():
            game = kind.level(name)
            size = f"{game.height} x {game.width}"
            print(f"{kind.NAME:12} {name:20} {size:10} {grades.get(name, '')}".rstrip())
    return 0


_MAX_MINUTES = 10**9
"""The largest number of minutes that ``records --minutes`` accepts."""


def _records(options: argparse.Namespace) -> int:
    from .records import RECORDS, compare, run

    def tell(line: str) -> None:
        print(line, flush=True)

    folder = Path(options.folder)
    seconds = None if options.minutes is None else 60 * number("minutes", options.minutes, 0, _MAX_MINUTES)
    if options.name is None:
        for record in RECORDS.values():
            done, keys = len(record.read(folder)), len(record.small) + len(record.large)
            print(f"{record.name:14} {done:4} of {keys:4} rows in {folder}: {record.about}")
        return 0
    if options.name not in (*RECORDS, "all"):
        raise Refusal(f'no record "{options.name}"; {nearest(options.name, [*RECORDS, "all"])}')
    chosen = list(RECORDS.values()) if options.name == "all" else [RECORDS[options.name]]
    if options.verify:
        same = [compare(record, folder, tell) for record in chosen]
        return int(not all(same))
    for record in chosen:
        run(record, folder, small=options.small, seconds=seconds, tell=tell)
    return 0


def _seed(word: str) -> int:
    seed = seed_of(word)
    if seed is None:
        raise argparse.ArgumentTypeError(f"must be between 0 and 2^64 - 1, got {word[:40]}")
    return seed


class _Parser(argparse.ArgumentParser):
    """An argument parser whose error message is one sentence that names the argument or suggests known words."""

    def error(self, message: str) -> NoReturn:
        if message.startswith("argument command: invalid choice: "):
            word = ast.literal_eval(message.split(": ", 2)[2].partition(" (choose from ")[0])
            message = f'no command "{word}"; {nearest(word, COMMANDS)}'
        elif message.startswith("argument "):
            name, _, rest = message.removeprefix("argument ").partition(": ")
            for kind, expected in (("int", "a whole number"), ("float", "a number")):
                rest = rest.replace(f"invalid {kind} value: ", f"must be {expected}, got ")
            message = f"{name} {rest}"
        # `_in_order` puts "--" in front of words that are not options of a command.
        message = message.replace("unrecognized arguments: -- ", "unrecognized arguments: ")
        print(f"{self.prog}: {message}", file=sys.stderr)
        raise SystemExit(2)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="gridwright", description="Five grid worlds: play, solve, generate.")
    parser.add_argument("--version", action="version", version=f"gridwright {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="command", parser_class=_Parser)
    for name, (about, arguments, run) in COMMANDS.items():
        command = commands.add_parser(name, help=about, description=about, allow_abbrev=False)
        for argument, settings in arguments:
            command.add_argument(argument, **settings)
        command.set_defaults(run=run)
    return parser


def _in_order(words: list[str]) -> list[str]:
    """Returns the words of a command with the command's own options first, so that a user can write options anywhere.

    For ``generate``, any other option becomes a word of the form ``name=value``: ``--effort 100000`` becomes
    ``effort=100000``.
    """
    if not words or words[0] not in COMMANDS:
        return words
    own = {name: settings for name, settings in COMMANDS[words[0]][1] if name.startswith("-")}
    options: list[str] = []
    others: list[str] = []
    rest = words[1:]
    while rest:
        word = rest.pop(0)
        name, equals, _ = word.partition("=")
        if word == "--":
            others += rest
            break
        if name in own or word in ("-h", "--help"):
            options.append(word)
            if name in own and not equals and own[name].get("action") != "store_true" and rest:
                options.append(rest.pop(0))
        elif word.startswith("--") and words[0] != "generate":
            raise Refusal(f"{words[0]} has no option {name}; {nearest(name, [*own, '--help'])}")
        elif word.startswith("--"):
            others.append(word[2:] if equals else f"{word[2:]}={rest.pop(0) if rest else ''}")
        else:
            others.append(word)
    if words[0] == "generate":
        others.sort(key=lambda word: "=" in word)  # the game and the numbers come first
    # After "--", negative numbers are words, not options.
    return [words[0], *options, *(["--", *others] if others else [])]


_Arguments = list[tuple[str, dict[str, Any]]]
_GAME: tuple[str, dict[str, Any]] = ("game", {"help": "name of a game, such as bloxorz or LinearDomination"})
_SEED: tuple[str, dict[str, Any]] = (
    "--seed",
    {"type": _seed, "metavar": "SEED", "help": "a whole number; the same seed gives the same result"},
)

COMMANDS: dict[str, tuple[str, _Arguments, Callable[[argparse.Namespace], int]]] = {
    "demo": (
        "play a packaged level of each game to its end, show the boards, and write pictures and films",
        [
            ("--folder", {"help": "where pictures and films go (default: a new temporary folder)"}),
            ("--still", {"action": "store_true", "help": "show the start and the end only, even in a terminal"}),
        ],
        _demo,
    ),
    "play": (
        "play in the terminal, with the mouse, keys or typed moves",
        [
            ("game", {"nargs": "?", "help": "name of a game (default: a list of all games)"}),
            (
                "level",
                {
                    "nargs": "?",
                    "help": "a packaged level or a file (default: a list of levels; the first one if moves are typed)",
                },
            ),
            ("--typed", {"action": "store_true", "help": "typed moves, even in a terminal"}),
        ],
        _play,
    ),
    "solve": ("solve a level and show the end", [_GAME, ("level", {"help": "a packaged level or a file"})], _solve),
    "generate": (
        "make a new puzzle and print its text",
        [
            _GAME,
            ("arguments", {"nargs": "*", "default": [], "help": "sizes in order, then options as name=value"}),
            _SEED,
            ("--output", {"help": "a file instead of the screen"}),
        ],
        _generate,
    ),
    "geese": ("the console of the GeeseSpotter document", [_SEED], _geese),
    "levels": (
        "list the packaged levels with their sizes and grades",
        [("game", {"nargs": "?", "help": "this game only (default: all games)"})],
        _levels,
    ),
    "domination": (
        "the program of the Linear Domination document: reads N K and the plays, writes the board and the counts",
        [
            ("input", {"help": "a file with N K and the plays, row col row col, 1-based"}),
            ("output", {"help": "where the board and the counts go"}),
            ("--verbose", {"action": "store_true", "help": "print the board before the first play and after each"}),
            (
                "--empty",
                {"default": ".", "metavar": "CHARACTER", "help": "the character of an empty cell (default: .)"},
            ),
        ],
        _domination,
    ),
    "contest": (
        "let bots play against each other: a folder of Python files, each with a function play(view, seed)",
        [
            ("bots", {"help": "a folder of Python files"}),
            ("--game", {"default": "domination", "help": "what the bots play: domination (default) or geese"}),
            (
                "--pairs",
                {"type": int, "default": 200, "help": "openings per pair of bots, or boards per bot (default: 200)"},
            ),
            ("--output", {"default": "contest", "help": "where results and the page go (default: contest)"}),
            ("--seconds", {"type": float, "default": 1.0, "help": "seconds per move (default: 1)"}),
            ("--anonymous", {"action": "store_true", "help": "numbers instead of names on the page"}),
            _SEED,
        ],
        _contest,
    ),
    "records": (
        "compute the tables of docs/records, or continue an earlier run",
        [
            ("name", {"nargs": "?", "help": "which table, or all (default: a list of all tables)"}),
            ("--folder", {"default": "docs/records", "help": "where the tables are (default: docs/records)"}),
            ("--small", {"action": "store_true", "help": "only the rows that take seconds"}),
            (
                "--verify",
                {"action": "store_true", "help": "compute the rows of --small again and compare them with the tables"},
            ),
            ("--minutes", {"type": float, "help": "the time limit per table (default: no limit)"}),
        ],
        _records,
    ),
    "tasks": (
        "make puzzles in words with exact solutions, as lines of JSON",
        [
            ("names", {"nargs": "*", "help": "kinds of tasks (default: all)"}),
            ("--count", {"type": int, "default": 10, "help": "tasks of each kind (default: 10)"}),
            ("--difficulty", {"help": "a grade from 1 to 5 or its name (default: all in turn)"}),
            ("--images", {"action": "store_true", "help": "add the pictures as SVG text"}),
            ("--output", {"help": "a folder for tasks.jsonl and a card, instead of the screen"}),
            _SEED,
        ],
        _tasks,
    ),
    "bench": (
        "measure the speed of calls, batches and solvers on this machine",
        [("game", {"nargs": "?", "help": "this game only (default: all games)"})],
        _bench,
    ),
}

# Maps picture characters to ASCII; powered wires get heavier characters than other lines.
_ASCII = str.maketrans(
    dict(zip("·╵╶└╷│┌├╴┘─┴┐┤┬┼", ".',L,|r>'J-^7<Yt", strict=True))
    | dict(zip("•╹╺┗╻┃┏┣╸┛━┻┓┫┳╋", "*!=E!HF}=]=W)({#", strict=True))
    | {"█": "#", "●": "@", "○": "o", "★": "*", "☆": "x", "✔": "v", "×": "x", "∞": "oo", "±": "+-"}
)


def _as_ascii(error: UnicodeError) -> tuple[str, int]:
    """Returns similar ASCII characters for those that a terminal cannot show."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = error.object[error.start : error.end].translate(_ASCII)
    return found.encode("ascii", "replace").decode("ascii"), error.end


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit status.

    * ``arguments``: the words after ``gridwright``; ``None`` (the default) for those of this process.

    Raises ``SystemExit`` after ``--help`` or ``--version``, and for words that the argument parser refuses.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the process was started with this stream closed
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8", closefd=False))
    codecs.register_error("gridwright", _as_ascii)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):
            stream.reconfigure(errors="gridwright")  # type: ignore[union-attr]
    with suppress(AttributeError, TypeError, ValueError):
        # Bytes that cannot be decoded become a character that no command has, and a byte order mark is skipped.
        encoding = "utf-8-sig" if codecs.lookup(sys.stdin.encoding).name == "utf-8" else None
        sys.stdin.reconfigure(encoding=encoding, errors="replace")  # type: ignore[union-attr]
    parser = _parser()
    try:
        options = parser.parse_args(_in_order(list(sys.argv[1:] if arguments is None else arguments)))
        if options.command is None:
            parser.print_help()
            return 0
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except (Refusal, LevelError, MoveError, SearchLimitError, ValueError, TypeError, ImportError) as error:
        print(f"gridwright: {error}", file=sys.stderr)
    except BrokenPipeError:
        # The reader of the output is gone; without this redirection, Python would report another broken pipe at exit.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        name = f": {error.filename}" if error.filename else ""
        print(f"gridwright: {error.strerror or error}{name}", file=sys.stderr)
    except KeyboardInterrupt:
        print("gridwright: interrupted", file=sys.stderr)
        return 130
    return 2


if __name__ == "__main__":
    raise SystemExit(main())
