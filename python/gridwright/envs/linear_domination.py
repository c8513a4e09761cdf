"""Linear Domination for two players, as a PettingZoo environment whose agents take turns.

>>> from gridwright.envs import linear_domination
>>> env = linear_domination.env(size=8, lookback=3, plies=20)
>>> env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.last()
>>> observation["observation"].shape, observation["action_mask"].shape
((8, 8), (4096,))
>>> env.step(int(observation["action_mask"].argmax()))
>>> env.agent_selection
'player_1'
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

try:
    from pettingzoo import AECEnv
except ImportError:
    raise ImportError("Linear Domination needs PettingZoo: pip install 'gridwright[envs]'") from None

from ..arguments import choice, flag, integer, number, sequence, shown, whole, wrong_type
from ..batch import Batch, volume
from ..domination import LinearDomination
from ..errors import IllegalMoveError, MoveError, MoveTypeError
from ..progress import ProgressReporter
from . import worlds

__all__ = ["Agent", "Comparison", "RawEnv", "compare", "env", "raw_env"]

Agent = Callable[[dict[str, npt.NDArray[Any]], LinearDomination, int], Any]
"""A player: ``agent(observation, game, seed)`` returns an action or the four coordinates of a move."""

# Maps codes to those that the second player sees: each player sees its own cells as 1.
_SWAPPED = np.array([0, 2, 1], dtype=np.uint8)


class RawEnv(AECEnv[str, dict[str, npt.NDArray[Any]], int]):  # type: ignore[misc] # has no types for mypy
    """Linear Domination with a limit on the number of plies.

    ``player_0`` is X and begins, unless it is O's turn in ``start``. An observation is a dict of ``observation``
    ``(N, N)`` uint8, 1 for the player's own cells and 2 for the opponent's, and ``action_mask`` ``(N**4,)`` int8, all
    zeros for the player who is not to move. An action is the row-major index of ``(row, col, row, col)``, tail and
    head. The game ends after ``plies`` plays or if no legal play is left. ``player_0`` wins if ``margin``, the cells of
    ``player_0`` minus those of ``player_1`` and minus ``komi``, is above 0, and loses if ``margin`` is below 0. The
    reward is +1 for a win, -1 for a loss and 0 for a draw. Moving last is a great advantage, so swap seats, as
    ``compare`` does, or set ``komi`` below 0 for an even number of plies.

    * ``size``: the number N of rows and columns of the empty board, 2 to 215, by default 8; a mask has N^4 entries, at
      most 2^31.
    * ``lookback``: the number of plays that the rules look back at, 0 to 2^31 - 1, by default 3.
    * ``plies``: the largest number of plays per game, at least 1, by default 20.
    * ``komi``: the cells added to the count of ``player_1``; a finite number, by default 0.
    * ``start``: the position from which games begin, with a legal play and at most 215 rows; ``size`` and ``lookback``
      are then ignored. ``None`` (the default) for the empty board of ``size`` and ``lookback``.
    * ``illegal``: the effect of a play that the mask rules out. ``"lose"`` ends the game with -1 for the player and +1
      for the opponent (0 with PettingZoo's ``TerminateIllegalWrapper``); ``"raise"`` (the default) raises
      ``IllegalMoveError`` and changes nothing.
    * ``render_mode``: ``"rgb_array"``, ``"ansi"``, ``"human"`` or ``None`` (the default).

    ``step``, ``last``, ``observe``, ``state``, ``margin`` and ``agent_iter`` raise ``RuntimeError`` before the first
    ``reset``.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "linear_domination_v0",
        "render_modes": ["rgb_array", "ansi", "human"],
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        size: int = 8,
        lookback: int = 3,
        plies: int = 20,
        komi: float = 0.0,
        *,
        start: LinearDomination | None = None,
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(start, LinearDomination | None):
            raise wrong_type("start", "a LinearDomination or None", start)
        first = LinearDomination.empty(size, lookback) if start is None else start
        if first.height**4 > worlds.MAX_MASKS:
            most = math.isqrt(math.isqrt(worlds.MAX_MASKS))
            name = "size" if start is None else "start"
            bound = f"be at most {most}" if start is None else f"have at most {most} rows"
            raise ValueError(f"{name} must {bound}, because masks have N^4 entries, got {first.height}")
        if first.status:
            if start is None:
                raise ValueError(f"size must be at least 2, because one cell has no legal play, got {first.height}")
            outcome = first.status.name.lower()
            raise ValueError(f"start must be open with a legal play, got a position that is {outcome}")
        self.illegal = choice("illegal", illegal, ("raise", "lose"))
        self.size, self.plies, self.komi = first.height, whole("plies", plies, 1), number("komi", komi)
        self.render_mode = worlds.checked_mode(render_mode, self.metadata["render_modes"])
        self._batch = Batch(first, 1, autoreset="disabled", mask=False)
        self._engine = self._batch.engine
        self._first = len(first.plays) % 2
        self.possible_agents = ["player_0", "player_1"]
        self.agents = list(self.possible_agents)
        moves = volume(self._batch.bounds)
        observation = spaces.Dict(
            {
                "action_mask": spaces.Box(0, 1, (moves,), np.int8),
                "observation": spaces.Box(0, 2, first.shape, np.uint8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation)
        self.action_spaces = {agent: spaces.Discrete(moves) for agent in self.possible_agents}
        self._nothing = np.zeros(moves, dtype=np.int8)
        self._nothing.flags.writeable = False
        self._turn = -1

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the observation space of an agent, the same object at every call.

        * ``agent``: ``"player_0"`` or ``"player_1"``; ``ValueError`` for any other agent.
        """
        return self.observation_spaces[choice("agent", agent, self.possible_agents)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the action space of an agent, the same object at every call.

        * ``agent``: ``"player_0"`` or ``"player_1"``; ``ValueError`` for any other agent.
        """
        return self.action_spaces[choice("agent", agent, self.possible_agents)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game.

        * ``seed``: an integer from 0 to 2^64 - 1 for the action spaces, or ``None``; the game itself has no randomness.
        * ``options``: a dict or ``None``; ignored.
        """
        if options is not None and not isinstance(options, Mapping):
            raise wrong_type("options", "a dict or None", options)
        if seed is not None:
            for i, space in enumerate(self.action_spaces.values()):
                space.seed(whole("seed", seed, 0) + i)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._turn, self._made = self._first, 0
        self.agent_selection = self.possible_agents[self._turn]
        self._board, info = self._engine.reset_one(None)
        self._mask = info["action_mask"]

    def _idle(self, what: str) -> RuntimeError:
        when = "" if self.agents else ": the game is over"
        return RuntimeError(f"reset() must be called before {what}{when}")

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """Iterates over the agents in turn until the game is over for both.

        * ``max_iter``: the largest number of agents to yield, 2^63 by default.
        """
        if self._turn < 0 and self.agents:
            raise self._idle("agent_iter()")
        return super().agent_iter(integer("max_iter", max_iter))

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Returns observation, reward, terminated, truncated and info of the agent whose turn it is.

        * ``observe``: whether to return the observation; if not, ``None`` takes its place. Default ``True``.

        Raises ``RuntimeError`` before the first ``reset`` and once ``agents`` is empty.
        """
        if self._turn < 0:
            raise self._idle("last()")
        agent = self.agent_selection
        seen = self.observe(agent) if flag("observe", observe) else None
        terminated, truncated = self.terminations[agent], self.truncations[agent]
        return seen, self._cumulative_rewards[agent], terminated, truncated, self.infos[agent]

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """Returns the observation of an agent in fresh arrays.

        * ``agent``: ``"player_0"`` or ``"player_1"``; ``ValueError`` for any other agent.
        """
        if self._turn < 0 and self.agents:
            raise self._idle("observe()")
        choice("agent", agent, self.possible_agents)
        mask = self._mask if agent == self.agent_selection else self._nothing
        board = self._board.copy() if agent == "player_0" else _SWAPPED[self._board]
        return {"action_mask": mask.copy(), "observation": board}

    def step(self, action: int | None) -> None:
        """Makes the play of the agent whose turn it is.

        * ``action``: an integer from 0 to N^4 - 1, or ``None`` for an agent whose game is over. Any other action
          of such an agent raises ``ValueError``.

        Raises ``RuntimeError`` before the first ``reset`` and once ``agents`` is empty, ``MoveError`` if ``action`` is
        not such an integer during the game, and ``IllegalMoveError`` for an illegal play if ``illegal`` is ``"raise"``.
        """
        if self._turn < 0:
            raise self._idle("step()")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            if not self.agents:
                self._turn = -1
            return
        if type(action) is not int or not 0 <= action < len(self._mask):
            action = self._checked(action)
        if not self._mask[action]:
            if self.illegal == "raise":
                move = tuple(int(part) for part in np.unravel_index(action, self._batch.bounds))
                raise IllegalMoveError(f"action must be one that the mask allows, got {action}", move, "masked")
            self._finish(-1.0 if agent == "player_0" else 1.0)
            return
        self._board, _, over, _, info = self._engine.step_one(action)
        self._mask = info["action_mask"]
        self._made += 1
        self._turn = 1 - self._turn
        self.agent_selection = self.possible_agents[self._turn]
        self._cumulative_rewards[agent] = 0.0
        if over or self._made >= self.plies:
            margin = self.margin
            self._finish(float((margin > 0) - (margin < 0)))

    def _checked(self, action: Any) -> int:
        try:
            # numpy before 2.4 accepts its own booleans as indices, with a warning.
            found = None if isinstance(action, bool | np.bool_) else operator.index(action)
        except TypeError:
            found = None
        if found is None or not 0 <= found < len(self._mask):
            error = MoveTypeError if found is None else MoveError
            raise error(f"action must be an integer between 0 and {len(self._mask) - 1}, got {shown(action)}")
        return found

    def _finish(self, won: float) -> None:
        self.rewards = {"player_0": won, "player_1": -won}
        self.terminations = dict.fromkeys(self.agents, True)
        self._mask = self._nothing
        self._accumulate_rewards()

    @property
    def margin(self) -> float:
        """The cells of ``player_0`` minus those of ``player_1`` and minus the komi."""
        counts = np.bincount(self._seen("margin").ravel(), minlength=3)
        return float(counts[1]) - float(counts[2]) - self.komi

    @property
    def game(self) -> LinearDomination:
        """A copy of the game."""
        found: LinearDomination = self._batch.game(0)
        return found

    def state(self) -> npt.NDArray[np.uint8]:
        """Returns the board as X sees it: a fresh ``(N, N)`` uint8 array."""
        board: npt.NDArray[np.uint8] = self._seen("state()").copy()
        return board

    def _seen(self, what: str) -> npt.NDArray[np.uint8]:
        """Returns the board as X sees it; ``what`` names the caller in the error before the first ``reset``."""
        if self._turn < 0 and self.agents:
            raise self._idle(what)
        board: npt.NDArray[np.uint8] = self._board
        return board

    def render(self) -> Any:
        """Returns a picture: uint8 ``(H, W, 3)`` for ``rgb_array``, text for ``ansi``.

        Prints the text for ``human``. Returns ``None`` for ``human`` and without a render mode.
        """
        if self.render_mode == "human":
            print(worlds.frame(self.game, "ansi"))
            return None
        return worlds.frame(self.game, self.render_mode)

    def close(self) -> None:
        """Does nothing: there is no window."""

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_engine"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._engine = self._batch.engine


def raw_env(**options: Any) -> RawEnv:
    """Returns the environment in which an illegal play raises ``IllegalMoveError``.

    * ``options``: those of ``RawEnv``.
    """
    return RawEnv(**options)


def env(**options: Any) -> RawEnv:
    """Returns the environment in which an illegal play loses the game, without the slower wrappers of PettingZoo.

    * ``options``: those of ``RawEnv``.
    """
    return RawEnv(**{"illegal": "lose", **options})


@dataclass(frozen=True)
class Comparison:
    """The result of one agent against another in pairs of games."""

    wins: int
    """The number of games that the first agent won."""
    draws: int
    """The number of draws."""
    losses: int
    """The number of games that the first agent lost."""
    margin: float
    """The mean margin per game: the first agent's cells minus the other's; ``komi`` counts for ``player_1``."""

    @property
    def score(self) -> float:
        """The share of the games won, with a draw counted as one half: 0.5 between equals."""
        return (self.wins + self.draws / 2) / (self.wins + self.draws + self.losses)


def compare(
    one: Agent,
    other: Agent,
    pairs: int,
    *,
    seed: int = 0,
    opening: int = 0,
    progress: Any = None,
    **options: Any,
) -> Comparison:
    """Compares two agents in pairs of games with exchanged seats.

    Both games of a pair have the same seeds turn by turn and begin with the same random plays, so the score of an agent
    against itself is exactly 0.5.

    * ``one``, ``other``: the agents, called as ``agent(observation, game, seed)``; each returns an action or the four
      coordinates of a move; ``MoveError`` for anything else. The observation is that of ``RawEnv``, the game is a copy
      to look ahead with, and the seed is an integer for random choices.
    * ``pairs``: the number of pairs, at least 1.
    * ``seed``: an integer from 0 to 2^64 - 1. Default 0.
    * ``opening``: the number of random plays at the start of each game, not counted in ``plies``; at least 0 (the
      default); ``ValueError`` if these plays leave no legal play. If the agents are deterministic and ``opening`` is 0,
      all pairs are equal.
    * ``progress``: a callable that receives the number of pairs played, or an object with ``update``, such as a tqdm
      bar. Default ``None``.
    * ``options``: those of ``env``.

    >>> from gridwright.envs.linear_domination import compare
    >>> def random(observation, game, seed):
    ...     return game.sample_legal(seed)
    >>> def greedy(observation, game, seed):
    ...     return game.suggest("greedy")
    >>> compare(greedy, random, 10, opening=2, plies=10)
    Comparison(wins=20, draws=0, losses=0, margin=35.15)
    >>> compare(random, random, 10).score
    0.5
    """
    for name, agent in (("one", one), ("other", other)):
        if not callable(agent):
            raise wrong_type(name, "a callable of observation, game and seed", agent)
    pairs, seed, opening = whole("pairs", pairs, 1), whole("seed", seed, 0), whole("opening", opening, 0)
    empty = env(**options).game
    wins = draws = losses = 0
    total = 0.0
    for pair in ProgressReporter(progress).each(range(pairs)):
        start, chance = empty.copy(), np.random.default_rng((seed, pair, 0))
        for _ in range(opening):
            move = start.sample_legal(int(chance.integers(2**63)))
            if move is None:
                break
            start.play(*move)
        if start.status:
            raise ValueError(f"opening must leave a legal play, got {opening}")
        margins = []
        for side, seats in ((1, (one, other)), (-1, (other, one))):
            game = env(**{**options, "start": start})
            game.reset()
            chance = np.random.default_rng((seed, pair, 1))
            for agent in game.agent_iter():
                observation, _, over, _, _ = game.last()
                if over:
                    break
                play = seats[game.possible_agents.index(agent)]
                game.step(_number(play(observation, game.game, int(chance.integers(2**63))), game))
            won = side * game.rewards["player_0"]
            wins, draws, losses = wins + (won > 0), draws + (won == 0), losses + (won < 0)
            margins.append(side * game.margin)
        total += sum(margins)
    return Comparison(wins, draws, losses, total / (2 * pairs))


def _number(action: Any, game: RawEnv) -> Any:
    """Returns the index of an action that may be the four coordinates of a move."""
    if not isinstance(action, Sequence) and np.ndim(action) != 1:
        return action
    bounds = game._batch.bounds
    try:
        # `operator.index` accepts Python's booleans as coordinates, and numpy's before numpy 2.4.
        move: list[Any] = [
            None if isinstance(part, bool | np.bool_) else part for part in sequence("action", action, "a move", 4)
        ]
        return int(np.ravel_multi_index([operator.index(part) for part in move], bounds))
    except (TypeError, ValueError):
        raise MoveError(
            f"an agent must return a move in the box {bounds} or the index of such a move, got {shown(action)}"
        ) from None
