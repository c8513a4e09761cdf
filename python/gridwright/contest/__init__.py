"""A contest of bots: each bot is a Python file with a function ``play(view, seed)`` and runs in its own process.

In the game ``"domination"``, every bot meets every other bot on the same openings, once from each seat; in ``"geese"``,
all bots play the same boards. A bot that raises an exception, answers with an illegal move, takes too long or ends its
process loses the game, and the failure is reported; the contest continues. After five failures in a row (in
``"domination"``, against the same opponent), a bot loses the remaining games without playing them. Results are appended
to a file line by line, so that a contest that was stopped can continue, and are shown on a page with the table and
films of the closest games.

>>> import pathlib, tempfile
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> _ = (folder / "first.py").write_text("def play(view, seed): return view.legal[0]")
>>> _ = (folder / "last.py").write_text("def play(view, seed): return view.legal[-1]")
>>> contest = run(folder, game="domination", pairs=2, output=folder / "results")
>>> [(row.bot, row.games) for row in contest.table]
[('first', 4), ('last', 4)]
"""

from __future__ import annotations

import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

from ..arguments import choice, flag, number, path, whole
from ..check.worker import can_fork
from ..files import write
from ..progress import ProgressReporter
from .games import CONTESTS, Game, Player
from .page import page
from .table import Contest, Row, ranked

__all__ = ["Contest", "Game", "Row", "run"]

_MAX_FAILURES = 5
"""The number of failures in a row after which a bot forfeits the rest of a match."""


def _bots(folder: Path) -> dict[str, str]:
    """Reads the bots of a folder: name -> program text."""
    if not folder.is_dir():
        raise ValueError(f'bots must be a folder of Python files, got "{folder}"')
    files = [file for file in sorted(folder.glob("*.py")) if file.is_file()]
    # Some editors begin a file with a byte order mark, which Python ignores in a file but not in a string.
    found = {file.stem: file.read_text(encoding="utf-8-sig", errors="replace") for file in files}
    if not found:
        raise ValueError(f'bots must be a folder of Python files, got "{folder}", which has none')
    return found


def _played(file: Path, head: dict[str, Any]) -> list[Game]:
    """Reads the games of an earlier run; raises ``ValueError`` if they are those of another contest."""
    if not file.exists():
        return []
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    found = []
    first: Any = None
    with suppress(ValueError):
        first = json.loads(lines[0]) if lines else None
    if first != head:
        raise ValueError(f'output must be a new folder or one of the same contest, got "{file}" of another contest')
    for line in lines[1:]:
        # If the earlier run was stopped while writing a line, the game of that line is played again.
        with suppress(ValueError, TypeError, KeyError):
            found.append(Game.read(json.loads(line)))
    return found


def run(
    bots: str | os.PathLike[str],
    *,
    game: str = "domination",
    pairs: int = 200,
    output: str | os.PathLike[str] = "contest",
    seed: int = 0,
    seconds: float = 1.0,
    memory: int = 512,
    threads: int = 0,
    anonymous: bool = False,
    progress: Any = None,
) -> Contest:
    """Plays a contest and writes ``index.html``, ``games.jsonl`` and the films of some games to a folder.

    * ``bots``: a folder; every ``*.py`` file in it is a bot that is named after the file and defines
      ``play(view, seed)``. ``gridwright.contest.games`` documents ``view``. Bots cannot use this package's engines.
    * ``game``: ``"domination"`` (the default) or ``"geese"``.
    * ``pairs``: the number of openings per pair of bots (each opening is played twice, with exchanged seats), or of
      boards per bot; 1 to 100,000, 200 by default.
    * ``output``: the folder for the results, created if needed; ``"contest"`` by default. If it holds games
      of the same contest (the same ``game``, ``seed`` and names of bots), they are not played again, even if a limit
      or the text of a bot has changed; their failures count toward the five in a row after which a bot plays no more.
      Games beyond ``pairs`` are kept in ``games.jsonl`` and not counted. Raises ``ValueError`` if it holds another
      contest or is a file.
    * ``seed``: 0 to 2^32, 0 by default; selects the openings or boards. The seed that ``play`` receives follows from
      the number of the opening or board and from the seat.
    * ``seconds``: the time limit of one move, 0.01 to 3600; 1 by default. The top level of a bot's file has a limit of
      20 seconds of its own; it runs when the bot's process starts: in each match, and again after a move that is late
      or ends the process. A bot that does not start at the beginning of a match is not started in later ones and loses
      their games.
    * ``memory``: MiB that one bot may use beyond what its process starts with, 16 to 65,536; 512 by default.
    * ``threads``: the number of matches played at a time, 1 to 1,024; 0 (the default) for one per core.
    * ``anonymous``: whether the page calls the bots "bot 1", "bot 2", ...; ``names.csv`` then lists their names.
      ``False`` by default.
    * ``progress``: a callable that receives the number of games played in this run, or an object with ``update``, such
      as a tqdm bar; ``None`` by default.

    Raises ``TypeError`` for an argument of the wrong type, and ``ValueError`` for one out of bounds or if ``bots`` is
    not a folder with at least one Python file (two for ``"domination"``). Needs a system that can fork processes, such
    as Linux or macOS; raises ``RuntimeError`` elsewhere, before anything is written.
    """
    rules = CONTESTS[choice("game", game, CONTESTS)]
    pairs, seed = whole("pairs", pairs, 1, 100_000), whole("seed", seed, 0, 2**32)
    seconds = number("seconds", seconds, 0.01, 3600)
    memory, threads = whole("memory", memory, 16, 65_536), whole("threads", threads, 0, 1024)
    anonymous, tell = flag("anonymous", anonymous), ProgressReporter(progress)
    if not can_fork():
        raise RuntimeError("a contest needs a system that can fork processes, such as Linux or macOS")
    programs = _bots(Path(path("bots", bots)))
    if len(programs) < rules.seats:
        raise ValueError(f"bots must be a folder of at least {rules.seats} Python files, got {len(programs)}")
    folder = Path(path("output", output))
    if folder.exists() and not folder.is_dir():
        raise ValueError(f'output must be a folder, got "{folder}"')
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "games.jsonl"
    head = {"contest": game, "bots": list(programs), "seed": seed}
    played = _played(file, head)
    # Rewritten without lines that were cut short; games beyond `pairs` stay for a later run with a larger `pairs`.
    write(file, "".join(json.dumps(line) + "\n" for line in [head, *(asdict(found) for found in played)]))
    games = [found for found in played if found.pair < pairs]
    done = {(found.bots, found.pair): found for found in games}
    lock = threading.Lock()
    stopped = threading.Event()
    unstartable = dict.fromkeys(programs, "")

    def meet(match: tuple[str, ...]) -> None:
        meetings = [(seats, pair) for pair in range(pairs) for seats in permutations(match)]
        if all(each in done for each in meetings):
            return
        failed = dict.fromkeys(match, 0)
        players: dict[str, Player] = {}
        try:
            for name in match:
                player = players[name] = Player(name, programs[name], seconds, memory, unstartable[name])
                # Another attempt, in another match, could take the full time again.
                unstartable[name] = player.unstartable
            for seats, pair in meetings:
                if stopped.is_set():
                    return
                out = next((name for name in seats if failed[name] >= _MAX_FAILURES), None)
                found = done.get((seats, pair)) or (
                    rules.forfeited(seats, pair, out) if out else rules.play([players[n] for n in seats], pair, seed)
                )
                for name in seats:
                    failed[name] = failed[name] + 1 if found.failed == name else 0
                if (seats, pair) in done:  # a game of an earlier run counts toward a forfeit, too
                    continue
                with lock:
                    games.append(found)
                    with open(file, "a", encoding="utf-8") as lines:
                        lines.write(json.dumps(asdict(found)) + "\n")
                    tell.add(1)
        finally:
            for player in players.values():
                player.close()

    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        try:
            for meeting in [pool.submit(meet, match) for match in combinations(programs, rules.seats)]:
                meeting.result()
        except BaseException:
            stopped.set()
            pool.shutdown(cancel_futures=True)
            raise
    contest = Contest(game, pairs, ranked(list(programs), games), tuple(sorted(games, key=Game.place)))
    page(contest, folder, rules, seed, anonymous)
    return contest
