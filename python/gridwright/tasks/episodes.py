"""The five games, played through text turn by turn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ..arguments import text as read_text
from ..domination import Color, LinearDomination
from ..errors import IllegalMoveError, MoveError
from ..geese import Action, GeeseSpotter
from ..lightemall import LightEmAll
from ..photon import MyPhoton
from ..status import Status
from ..words import counted
from . import answers, blocks, fields, light, lines, wires
from .answers import Unreadable
from .choices import Choices
from .task import RIGHT, Score, line_of

__all__ = ["EPISODES", "Episode"]


class Episode(ABC):
    """A game that is played through text; made by `episode`.

    * ``seed``: the seed of the episode, an integer from 0 to 2^64 - 1.
    * ``grade``: the grade, 1 to 5.

    The episode is over when the game ends or no turn is left. Until then, every text given to ``act`` costs at least
    one turn. Text without a move, or with a move that the rules do not allow, costs a turn and leaves the board
    unchanged.
    """

    world: str
    """The key of the game in ``gridwright.GAMES``."""

    def __init__(self, seed: int, grade: int) -> None:
        self.seed = seed
        """The seed, an integer."""
        self.difficulty = grade
        """The grade, 1 to 5."""
        self._game = self._made(Choices(seed, f"episode {self.world} {grade}"), grade)
        self.turns_left = self._budget()
        """The number of turns that are left."""
        self.prompt = "\n".join([self._board(), self._task(), self._form()])
        """The rules, the board at the start, the goal, and the form of a turn; constant during the episode."""
        self._log: list[tuple[str, str]] = []

    @property
    def game(self) -> Any:
        """A copy of the game in its current state. In GeeseSpotter, the copy reveals where the geese are."""
        return self._game.copy()

    @property
    def over(self) -> bool:
        """Whether the episode is over."""
        return self.turns_left == 0 or self._game.status != Status.OPEN

    @property
    def log(self) -> tuple[tuple[str, str], ...]:
        """The turns so far, as pairs of the text given to ``act`` and the reply."""
        return tuple(self._log)

    @property
    def score(self) -> Score:
        """The current score: 1.0 once the goal is reached, and at least 0 but less than 1 before that.

        In Linear Domination, the score is 0 until the game ends; it then depends on the lead in cells.
        """
        return self._score()

    def act(self, text: str) -> str:
        """Takes a turn and returns the reply: what happened, the board, and the turns left.

        * ``text``: any text; a move in it must have the form that ``prompt`` describes. Any other type raises
          ``TypeError``.

        In Bloxorz, and in GeeseSpotter once the game is over, the reply does not include the board. If the episode is
        already over, the reply only states this, and nothing changes.

        >>> from gridwright import tasks
        >>> play = tasks.episode("bloxorz", seed=1)
        >>> print(play.act("What now?").splitlines()[0])
        No move was read. The text holds something other than keys.
        >>> play.score.value, play.over
        (0.0, False)
        """
        read_text("text", text)
        if self.over:
            return "The episode is over."
        self.turns_left -= 1
        try:
            result = self._turn(text)
        except Unreadable as problem:
            result = f"No move was read. {problem}"
        except IllegalMoveError as error:
            result = f"This move is not allowed: {error.reason}."
        except MoveError:
            result = "This move is off the board."
        left = "The episode is over." if self.over else f"{counted(self.turns_left, 'turn')} left."
        reply = "\n".join([result, *self._rows(), left])
        self._log.append((text, reply))
        return reply

    def __repr__(self) -> str:
        return f"tasks.episode({self.world!r}, seed={self.seed}, difficulty={self.difficulty})"

    @abstractmethod
    def _made(self, choices: Choices, grade: int) -> Any: ...
    @abstractmethod
    def _budget(self) -> int: ...
    @abstractmethod
    def _board(self) -> str:
        """Returns the rules and the board."""

    @abstractmethod
    def _task(self) -> str:
        """Returns the goal and the number of turns."""

    @abstractmethod
    def _form(self) -> str:
        """Returns the sentence about the form of a turn."""

    @abstractmethod
    def _turn(self, text: str) -> str:
        """Plays the move that the text names, and returns a description of the result."""

    @abstractmethod
    def _score(self) -> Score: ...

    def _rows(self) -> list[str]:
        """Returns the rows of the board for a reply."""
        lines = self._board().split("\n")
        return lines[lines.index("") + 1 : -1]


class _Photon(Episode):
    world = "photon"

    def _made(self, choices: Choices, grade: int) -> Any:
        game = MyPhoton.generate(7, 7, swaps=2, difficulty=grade, seed=choices.word())
        self._fewest = 2
        return game

    def _budget(self) -> int:
        return 3 * self._fewest + 2

    def _board(self) -> str:
        return light.board_text(self._game)

    def _task(self) -> str:
        return (
            "Every laser shines. Light all sensors at the same time. A move takes a mirror, a splitter or a T-mirror "
            "to an empty cell, or exchanges two such pieces; pieces never turn. Make one move per turn, in "
            f"{counted(self.turns_left, 'turn')} at most; {self._fewest} moves are enough."
        )

    def _form(self) -> str:
        return line_of("(row, col), (row, col)")

    def _turn(self, text: str) -> str:
        self._game.swap(*answers.ends(text, {"mirror", "splitter", "piece", "pieces"}))
        places = list(zip(*(axis.tolist() for axis in self._game.lit.nonzero()), strict=True))
        lit = ", ".join(f"({row}, {col})" for row, col in places) or "none"
        return "All sensors are lit." if self._game.is_solved else f"Sensors lit: {lit}."

    def _score(self) -> Score:
        if self._game.is_solved:
            return RIGHT
        moves = self._game.solve()
        left = len(moves)
        value = max(0.0, 1 - left / self._fewest)
        before = counted(self._fewest, "move")
        return Score(value, f"The solution is {counted(left, 'move')} away; at the start it was {before} away.")


class _LightEmAll(Episode):
    world = "lightemall"

    def _made(self, choices: Choices, grade: int) -> Any:
        size = 2 + (grade + 1) // 2
        game = LightEmAll.generate(size, size + (grade + 1) % 2, unique=True, seed=choices.word())
        expected = game.solved_wires
        assert expected is not None
        self._expected = expected
        self._before = int((game.wires == expected).sum())
        return game

    def _budget(self) -> int:
        return 2 * (self._expected.size - self._before) + 2

    def _board(self) -> str:
        return wires.board_text(self._game)

    def _task(self) -> str:
        return (
            "Turn tiles until every tile has power; exactly one arrangement of wires does it. In each turn, name a "
            f"tile and its number of clockwise quarter turns, 1 to 3. You have {counted(self.turns_left, 'turn')}."
        )

    def _form(self) -> str:
        return line_of("row col turns")

    def _turn(self, text: str) -> str:
        row, col, turns = answers.numbers(text, 3)
        if not 1 <= turns <= 3:
            raise Unreadable("The number of quarter turns must be from 1 to 3.")
        for _ in range(turns):
            # The game is over as soon as all tiles have power, even between two quarter turns.
            if self._game.status == Status.OPEN:
                self._game.rotate((row, col))
        return f"Tiles with power: {int(self._game.powered.sum())} of {self._game.powered.size}."

    def _score(self) -> Score:
        if self._game.is_solved:
            return RIGHT
        right, all_ = int((self._game.wires == self._expected).sum()), self._expected.size
        value = max(0, right - self._before) / (all_ - self._before)
        return Score(value, f"Correct tiles: {right} of {all_}; at the start: {self._before}.")


class _Bloxorz(Episode):
    world = "bloxorz"

    def _made(self, choices: Choices, grade: int) -> Any:
        game, keys = blocks.level(choices, grade)
        self._fewest = len(keys)
        return game

    def _budget(self) -> int:
        return 3 * self._fewest + 3

    def _board(self) -> str:
        return blocks.board_text(self._game)

    def _rows(self) -> list[str]:
        return []

    def _task(self) -> str:
        return (
            "Roll the block until it stands upright on T. A block that falls is put back on S, and the keys after the "
            "fall do not count. Give one or more keys at a time; each key costs a turn, and you have "
            f"{counted(self.turns_left, 'turn')}."
        )

    def _form(self) -> str:
        return line_of("keys such as rrdl")

    def _turn(self, text: str) -> str:
        game = self._game
        # ``act`` has already counted one turn, for the first key.
        for k, key in enumerate(answers.keys(text)[: self.turns_left + 1]):
            self.turns_left -= k > 0
            falls = game.falls
            game.play(key)
            if game.falls > falls:
                return f"The block fell at key {k + 1}, {key}, and is back on S, upright on {self._place()}."
            if game.is_solved:
                return "The block stands on the target."
        return f"The block is on {self._place()}."

    def _place(self) -> str:
        cells = " and ".join(f"({row}, {col})" for row, col in self._game.block.tolist())
        return f"{cells}, in rows and columns counted from 0"

    def _score(self) -> Score:
        if self._game.is_solved:
            return RIGHT
        keys = self._game.solve()
        if keys is None:
            # After a fall, the block is back on the start, from which it can reach the target.
            return Score(0.0, "From here, the target cannot be reached without a fall.")
        value = max(0.0, 1 - len(keys) / self._fewest)
        before = counted(self._fewest, "roll")
        return Score(value, f"The target is {counted(len(keys), 'roll')} away; at the start it was {before} away.")


class _Geese(Episode):
    world = "geese"

    def _made(self, choices: Choices, grade: int) -> Any:
        game = GeeseSpotter.generate(6, 6, 7, difficulty=grade, flood=True, seed=choices.word())
        self._before = int((~game.hidden).sum())
        return game

    def _free(self) -> int:
        return int(self._game.hidden.size - self._game.geese)

    def _budget(self) -> int:
        return self._free() - self._before + 5

    def _board(self) -> str:
        return fields.board_text(self._game)

    def _task(self) -> str:
        return (
            "Show every field without a goose; showing a goose ends the game. Show one field per turn; a field with no "
            f"goose beside it shows its neighbors too. You have {counted(self.turns_left, 'turn')}."
        )

    def _form(self) -> str:
        return line_of("(row, col)")

    def _turn(self, text: str) -> str:
        row, col = answers.cell(text, {"safe", "show"})
        self._game.play(Action.SHOW, row, col)
        if self._game.status == Status.LOST:
            return "A goose! The game is lost."
        if self._game.status == Status.WON:
            return "All fields without a goose are shown: the game is won."
        return f"({row}, {col}) is free."

    def _rows(self) -> list[str]:
        # After the end of the game, the player needs no board to choose a move.
        return super()._rows() if self._game.status == Status.OPEN else []

    def _score(self) -> Score:
        if self._game.is_solved:
            return RIGHT
        lost = int(self._game.status == Status.LOST)
        shown = int((~self._game.hidden).sum()) - self._before - lost
        all_ = self._free() - self._before
        return Score(shown / all_, f"Free fields shown: {shown} of {all_}{', then a goose' if lost else ''}.")


class _Domination(Episode):
    world = "domination"

    def _made(self, choices: Choices, grade: int) -> Any:
        game = LinearDomination.generate(4, 49, seed=choices.word(), difficulty=grade)
        self._me = game.to_move
        self._best = lines.margin(game)
        return game

    def _budget(self) -> int:
        return 20

    def _board(self) -> str:
        return lines.board_text(self._game) + lines.plays_text(self._game)

    def _rows(self) -> list[str]:
        return str(self._game).split("\n")

    def _task(self) -> str:
        return (
            f"You are {self._me.name}, and it is your turn. The game ends when no legal play is left; passing is not "
            "allowed. The other player plays as well as possible. End with as many more cells than that player as you "
            f"can. Make one play per turn; you have {counted(self.turns_left, 'turn')}."
        )

    def _form(self) -> str:
        return line_of("(row, col), (row, col)")

    def _turn(self, text: str) -> str:
        game = self._game
        game.play(*(part for end in answers.ends(text) for part in end))
        if game.status != Status.OPEN:
            return self._end()
        best = lines.margin(game)
        reply = next(play for play in game.legal_moves().tolist() if lines.margin_after(game, play) == best)
        game.play(*reply)
        result = f"The other player drew a line from ({reply[0]}, {reply[1]}) to ({reply[2]}, {reply[3]})."
        return result if game.status == Status.OPEN else f"{result} {self._end()}"

    def _ahead(self) -> int:
        x, o = self._game.counts
        return int(x - o if self._me == Color.X else o - x)

    def _end(self) -> str:
        return f"No legal play is left. You are {lines.lead(self._ahead())}."

    def _score(self) -> Score:
        if self._game.status == Status.OPEN:
            return Score(0.0, "The game is not over.")
        ahead, all_ = self._ahead(), self._game.size**2
        if ahead >= self._best:
            return RIGHT
        value = (ahead + all_) / (self._best + all_)
        reason = f"{self._me.name} ended {lines.lead(ahead)}, and could have ended {lines.lead(self._best)}."
        return Score(value, reason)


EPISODES: dict[str, type[Episode]] = {
    kind.world: kind for kind in (_Photon, _LightEmAll, _Bloxorz, _Geese, _Domination)
}
"""Maps the key of each game in ``gridwright.GAMES`` to its class of episodes."""
