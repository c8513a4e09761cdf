"""Shares of Minesweeper boards that policies win: two policies on the same boards, the faster one on many more."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import geese
from .store import Record, Work

__all__ = ["LOOKAHEAD", "PLAYERS"]

_EXPERT = (16, 30, 99)
_BOARDS = ((8, 8, 10), (9, 9, 10), (16, 16, 40), _EXPERT)
_STARTS = ("safe", "zero")

_STEP = 500
"""The number of boards per call, after which the state can be saved."""

_FIRST_SEED = 1_000_000_000
"""The first seed of ``LOOKAHEAD``, beyond all seeds of ``PLAYERS``, so that the boards of the two are independent."""


def _first(board: tuple[int, int, int], start: str) -> tuple[int, int]:
    """Returns the field shown first: a corner if only that field is sure to be free (``"safe"``), a field near a corner
    if its neighbors are free too (``"zero"``).
    """
    if start == "safe":
        return (0, 0)
    return (3, 3) if board == _EXPERT else (2, 2)


def _sample(board: tuple[int, int, int], start: str, seed: int) -> dict[str, str]:
    """Returns one game of the policy ``"deep"``: the board, the fields that the policy shows, and whether it wins."""
    height, width, number = board
    row, col = _first(board, start)
    if start == "zero":
        game = geese.GeeseSpotter.generate(height, width, number, safe=(row, col), seed=seed)
    else:
        # `generate` would keep the neighbors free too. Instead, of 1000 boards, the first with no goose on the first
        # field is taken.
        boards = geese.boards(1000, height, width, number, seed=seed)
        chosen = boards[np.flatnonzero(boards[:, row, col] & geese.value_mask() != 9)[0]]
        lines = "\n".join(" ".join(f"{field:02x}" for field in line) for line in chosen)
        game = geese.GeeseSpotter(f"{height} {width} {number}\n{lines}\n")
    has_goose = (game.secret & geese.value_mask() == 9).ravel()
    game.show((row, col))
    moves = game.play_on(policy="deep")
    shows = [(row, col), *((int(r), int(c)) for kind, r, c in moves.tolist() if kind == 0)]
    # "board": one bit per field in row-major order, set for a goose, written in hexadecimal.
    return {
        "board": f"{int(''.join('01'[bit] for bit in has_goose.astype(int)), 2):0{-(-height * width // 4)}x}",
        "shows": " ".join(f"{r},{c}" for r, c in shows),
        "won": str(int(game.is_solved)),
    }


def _won(key: tuple[Any, ...], policy: str, number: int, seed: int) -> np.ndarray[Any, Any]:
    """Returns for each of ``number`` boards whether a policy wins it."""
    height, width, hidden, start = key[:4]
    first = _first((height, width, hidden), start)
    won: np.ndarray[Any, Any] = geese.play_many(
        number, height, width, hidden, first=first, start=start, policy=policy, seed=seed, threads=1
    )
    return won


def _pairs(key: tuple[Any, ...], state: Any) -> Work:
    height, width, hidden, start, block, games = key
    done, lookahead, deep, only_lookahead, only_deep = state or (0, 0, 0, 0, 0)
    while done < games:
        number = min(_STEP, games - done)
        seed = block * 1_000_000 + done
        by_lookahead, by_deep = (_won(key, policy, number, seed) for policy in ("lookahead", "deep"))
        done += number
        lookahead, deep = lookahead + int(by_lookahead.sum()), deep + int(by_deep.sum())
        only_lookahead += int((by_lookahead & ~by_deep).sum())
        only_deep += int((by_deep & ~by_lookahead).sum())
        if done < games:
            yield done / games, [done, lookahead, deep, only_lookahead, only_deep]
    counts = {
        "lookahead": lookahead,
        "deep": deep,
        "only_lookahead": only_lookahead,
        "only_deep": only_deep,
    }
    yield 1.0, {**counts, **_sample((height, width, hidden), start, block)}


def _alone(key: tuple[Any, ...], state: Any) -> Work:
    block, games = key[4:]
    done, wins = state or (0, 0)
    while done < games:
        number = min(_STEP, games - done)
        wins += int(_won(key, "lookahead", number, _FIRST_SEED + block * 1_000_000 + done).sum())
        done += number
        if done < games:
            yield done / games, [done, wins]
    yield 1.0, {"wins": wins}


def _blocks(blocks: range, games: int, boards: tuple[tuple[int, int, int], ...]) -> tuple[tuple[Any, ...], ...]:
    return tuple((*board, start, block, games) for block in blocks for board in boards for start in _STARTS)


_KEY = ("height", "width", "geese", "start", "block", "games")

PLAYERS = Record(
    "players",
    "how many boards each of two policies of GeeseSpotter.hint wins, and a game of the stronger one",
    _KEY,
    ("lookahead", "deep", "only_lookahead", "only_deep", "board", "shows", "won"),
    _blocks(range(1), 1000, _BOARDS),
    (*_blocks(range(1, 3), 10_000, _BOARDS), *_blocks(range(3, 301), 10_000, (_EXPERT,))),
    _pairs,
)

LOOKAHEAD = Record(
    "lookahead",
    "how many boards GeeseSpotter.hint wins with policy='lookahead', on more boards than the record 'players' has",
    _KEY,
    ("wins",),
    _blocks(range(1), 1000, _BOARDS),
    (*_blocks(range(1, 11), 100_000, _BOARDS), *_blocks(range(11, 31), 100_000, (_EXPERT,))),
    _alone,
)
