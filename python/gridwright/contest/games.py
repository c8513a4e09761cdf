"""The games of a contest: their rules, the view that a bot receives, and how a game is played.

The view of ``"domination"`` has ``board`` ((H, W) uint8: 0 empty, 1 the bot's cells, 2 the other bot's), ``plays``
((n, 4) int32, tail and head of each play so far), ``legal`` ((k, 4) int32, the plays allowed now), ``lookback`` and
``left``, the number of plays left, including the one asked for. The answer is a row of ``legal``: (row, col, row, col).

The view of ``"geese"`` has ``view`` ((H, W) of ``U1``: ``"*"`` hidden, ``"0"`` to ``"8"`` shown) and ``geese``, the
number of geese. The answer is the hidden field to show: (row, col). The middle field is shown at the start.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Protocol

from ..arguments import shown
from ..check.guard import UnreadableAnswer
from ..check.worker import Isolated
from ..domination import LinearDomination
from ..geese import Field, GeeseSpotter, value_mask
from ..status import Status

__all__ = ["CONTESTS", "Game", "Player"]

_FORFEIT = "failed in its last five games; this one was not played"


@dataclass(frozen=True)
class Game:
    """The record of a game, as stored in a line of ``games.jsonl``."""

    bots: tuple[str, ...]
    """The names of the bots in the order of the seats."""
    pair: int
    """The number of the opening or board, from 0."""
    points: tuple[float, ...]
    """By seat: 1 for a win, 0.5 for a draw, 0 for a loss."""
    margin: int | None
    """The difference in cells, or in ``"geese"`` the number of safe fields left hidden; ``None`` after a failure."""
    moves: tuple[tuple[int, ...], ...]
    """The moves after the opening."""
    failed: str | None = None
    """The bot that lost because of a failure, which ``trouble`` describes; ``None`` if no bot failed."""
    trouble: str | None = None
    """A sentence about the failure; ``None`` if no bot failed."""

    @classmethod
    def read(cls, line: dict[str, Any]) -> Game:
        """Reads a line of ``games.jsonl``.

        * ``line``: the parsed line, a dict.
        """
        lists = {name: tuple(line[name]) for name in ("bots", "points")}
        moves = tuple(tuple(int(x) for x in move) for move in line["moves"])
        return cls(**{**line, **lists, "moves": moves})

    @property
    def forfeit(self) -> bool:
        """Whether the game was lost without being played, after five failures in a row."""
        return self.trouble == f"{self.failed} {_FORFEIT}"

    def place(self) -> tuple[Any, ...]:
        """Returns a sort key: games are ordered by players, then by opening, then by seats."""
        return sorted(self.bots), self.pair, self.bots


class _Bot:
    """The program of a bot, which ``load`` compiles and runs in the bot's own process."""

    def __init__(self, name: str, text: str) -> None:
        self.__name__ = name if name.isidentifier() else "bot"
        self._text = text
        self._play: Any = None

    def load(self) -> None:
        space: dict[str, Any] = {"__name__": "bot"}
        try:
            # Reports of failures quote the file name, and the faulty line if there is a file of that name.
            # `<bot>` does not reveal whose program failed, and no file has that name.
            code = compile(self._text, "<bot>", "exec")
        except (SyntaxError, ValueError) as error:
            raise UnreadableAnswer(f"is not a Python program: {error}") from None
        exec(code, space)
        if not callable(space.get("play")):
            raise UnreadableAnswer("defines no function play(view, seed)")
        self._play = space["play"]

    def __call__(self, view: Any, seed: int) -> Any:
        return self._play(view, seed)


class Player:
    """A bot in a process of its own, with limits on time and memory.

    * ``name``: the name of the bot.
    * ``text``: the bot's program, Python source.
    * ``seconds``: the time limit of one move, in seconds.
    * ``memory``: MiB that the bot may use beyond what its process starts with.
    * ``unstartable``: why the program cannot be started, as an earlier ``Player`` found out; then no process is started
      and every move is a failure. Empty by default.
    """

    # `Isolated` sets `form` and reads `changed`, which matter only for a check.
    form: int | None = None
    changed = False

    def __init__(self, name: str, text: str, seconds: float, memory: int, unstartable: str = "") -> None:
        self.name, self._seconds, self.unstartable = name, seconds, unstartable
        self._process = None if unstartable else Isolated(self.invoke, _Bot(name, text), memory)
        if self._process is not None:
            self.unstartable = self._process.unstartable

    def load(self, bot: Any) -> None:
        """Runs the top level of the program; runs in each process of the bot, outside the time limit of moves.

        * ``bot``: the bot.
        """
        bot.load()

    def invoke(self, bot: Any, arguments: Any) -> Any:
        """Asks for a move; runs in the bot's process.

        * ``bot``: the function of the bot.
        * ``arguments``: the view and the seed.
        """
        view, seed = arguments
        answer = bot(SimpleNamespace(**view), seed)
        try:
            return [operator.index(x) for x in answer]
        except TypeError:
            raise UnreadableAnswer(f"answered {shown(answer)}, expected whole numbers") from None

    def ask(self, view: dict[str, Any], seed: int) -> tuple[tuple[int, ...] | None, str | None]:
        """Asks the bot for a move; returns ``(move, None)`` or ``(None, failure)``.

        The failure is worded to follow the bot's name.

        * ``view``: what the bot may see of the game.
        * ``seed``: the seed of the bot for this move.
        """
        if self._process is None:
            return None, self.unstartable
        outcome = self._process.call((view, seed), self._seconds)
        if outcome.trouble is not None:
            return None, outcome.trouble
        move = outcome.value
        if not isinstance(move, tuple) or not all(type(x) is int for x in move):
            # Not a value that `invoke` returns: the bot wrote to the pipe itself.
            return None, "sent something that is not an answer"
        return move, None

    def close(self) -> None:
        """Ends the bot's process."""
        if self._process is not None:
            self._process.close()


class Rules(Protocol):
    """The protocol of the games that a contest can play."""

    seats: int

    def start(self, pair: int, seed: int) -> Any: ...
    def play(self, players: list[Player], pair: int, seed: int) -> Game: ...
    def forfeited(self, seats: tuple[str, ...], pair: int, out: str) -> Game: ...


def _lost(seats: tuple[str, ...], pair: int, moves: list[tuple[int, ...]], out: str, trouble: str) -> Game:
    """Returns a game that ``out`` lost because of a failure."""
    points = tuple(0.0 if name == out else 1.0 for name in seats)
    return Game(seats, pair, points, None, tuple(moves), out, f"{out} {trouble}")


def _is_in(move: tuple[int, ...] | None, legal: Any) -> bool:
    """Returns whether a bot's answer is a legal move; ``move`` may have any length and numbers of any size."""
    if move is None or len(move) != legal.shape[1] or not all(0 <= x < 2**31 for x in move):
        return False
    return bool((legal == move).all(axis=1).any())


class _BaseRules:
    """The base class of the games that a contest can play."""

    def forfeited(self, seats: tuple[str, ...], pair: int, out: str) -> Game:
        """Returns a game that is lost without being played."""
        return _lost(seats, pair, [], out, _FORFEIT)


class Duel(_BaseRules):
    """Linear Domination on 8 x 8 with lookback 3: two random plays, then up to eighteen by the bots."""

    seats = 2
    plies = 20

    def start(self, pair: int, seed: int) -> Any:
        """Returns the opening of a pair of games."""
        return LinearDomination.generate(8, 3, 2, seed=seed * 2**20 + pair)

    def play(self, players: list[Player], pair: int, seed: int) -> Game:
        """Plays one game; the first of the players is X."""
        game = self.start(pair, seed)
        moves: list[tuple[int, ...]] = []
        seats = tuple(player.name for player in players)
        while (left := self.plies - len(game.plays)) > 0 and game.status == Status.OPEN:
            legal = game.legal_moves()
            if not len(legal):
                break
            turn = len(game.plays) % 2
            board = game.board
            # 3 - board swaps 1 and 2 for the second seat, so that a bot's own cells are always 1.
            view = {"board": board if turn == 0 else (3 - board) * (board > 0), "plays": game.plays, "legal": legal}
            move, trouble = players[turn].ask({**view, "lookback": game.lookback, "left": left}, 2 * pair + turn)
            if trouble is None and not _is_in(move, legal):
                trouble = f"answered {shown(move)}, which is not a legal play"
            if move is None or trouble is not None:
                return _lost(seats, pair, moves, seats[turn], trouble or "returned no answer")
            game.play(*move)
            moves.append(move)
        x, o = game.counts
        points = (0.5, 0.5) if x == o else (float(x > o), float(o > x))
        return Game(seats, pair, points, abs(x - o), tuple(moves))


class Fields(_BaseRules):
    """GeeseSpotter on 9 x 9 with 10 geese; the middle field, which has no goose beside it, is shown at the start."""

    seats = 1

    def start(self, pair: int, seed: int) -> Any:
        """Returns the board with number ``pair``, its middle field shown."""
        game = GeeseSpotter.generate(9, 9, 10, safe=(4, 4), seed=seed * 2**20 + pair)
        game.show((4, 4))
        return game

    def play(self, players: list[Player], pair: int, seed: int) -> Game:
        """Plays one board."""
        game, (player,) = self.start(pair, seed), players
        moves: list[tuple[int, ...]] = []
        while game.status == Status.OPEN:
            move, trouble = player.ask({"view": game.view, "geese": game.geese}, pair)
            if trouble is None and not (move is not None and len(move) == 2 and self._shows(game, move)):
                trouble = f"answered {shown(move)}, which is not a hidden field"
            if move is None or trouble is not None:
                return _lost((player.name,), pair, moves, player.name, trouble or "returned no answer")
            game.play(0, *move)
            moves.append((0, *move))
        left = int((game.hidden & (game.secret & value_mask() != Field.GOOSE)).sum())
        return Game((player.name,), pair, (float(game.status == Status.WON),), left, tuple(moves))

    @staticmethod
    def _shows(game: Any, move: tuple[int, ...]) -> bool:
        row, col = move
        return 0 <= row < game.height and 0 <= col < game.width and bool(game.hidden[row, col])


CONTESTS: dict[str, Rules] = {"domination": Duel(), "geese": Fields()}
"""The games that a contest can play, by name."""
