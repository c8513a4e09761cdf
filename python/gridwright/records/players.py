"""Shares of Minesweeper boards that two policies win, on the same boards."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import geese
from .store import Record, Work

__all__ = ["PLAYERS"]

_HEIGHT, _WIDTH, _GEESE = 16, 30, 99
_FIRST = {"safe": (0, 0), "zero": (3, 3)}
"""The first field by the kind of start: free of a goose, or its neighbors too."""

_STEP = 500


def _sample(start: str, seed: int) -> dict[str, str]:
    """Returns one game of the deep player: the board, the fields that it shows, and whether it wins."""
    row, col = _FIRST[start]
    if start == "zero":
        game = geese.GeeseSpotter.generate(_HEIGHT, _WIDTH, _GEESE, safe=(row, col), seed=seed)
    else:
        boards = geese.boards(1000, _HEIGHT, _WIDTH, _GEESE, seed=seed)
        board = boards[np.flatnonzero(boards[:, row, col] & geese.value_mask() != 9)[0]]
        lines = "\n".join(" ".join(f"{field:02x}" for field in line) for line in board)
        game = geese.GeeseSpotter(f"{_HEIGHT} {_WIDTH} {_GEESE}\n{lines}\n")
    held = (game.secret & geese.value_mask() == 9).ravel()
    game.show((row, col))
    moves = game.play_on(policy="deep")
    shows = [(row, col), *((int(r), int(c)) for kind, r, c in moves.tolist() if kind == 0)]
    return {
        "board": f"{int(''.join('01'[bit] for bit in held.astype(int)), 2):0{_HEIGHT * _WIDTH // 4}x}",
        "shows": " ".join(f"{r},{c}" for r, c in shows),
        "won": str(int(game.is_solved)),
    }


def _work(key: tuple[Any, ...], state: Any) -> Work:
    start, block, games = key
    done, near, far, only_near, only_far = state or (0, 0, 0, 0, 0)
    while done < games:
        number = min(_STEP, games - done)
        seed = block * 1_000_000 + done
        won = [
            geese.play_many(
                number, _HEIGHT, _WIDTH, _GEESE, first=_FIRST[start], start=start, policy=policy, seed=seed, threads=1
            )
            for policy in ("lookahead", "deep")
        ]
        done += number
        near, far = near + int(won[0].sum()), far + int(won[1].sum())
        only_near, only_far = only_near + int((won[0] & ~won[1]).sum()), only_far + int((won[1] & ~won[0]).sum())
        if done < games:
            yield done / games, [done, near, far, only_near, only_far]
    counts = {"lookahead": near, "deep": far, "only_lookahead": only_near, "only_deep": only_far}
    yield 1.0, {**counts, **_sample(start, block)}


PLAYERS = Record(
    "players",
    "the expert boards that two policies of GeeseSpotter.hint win, and a game of the stronger one",
    ("start", "block", "games"),
    ("lookahead", "deep", "only_lookahead", "only_deep", "board", "shows", "won"),
    (("safe", 0, 1000), ("zero", 0, 1000)),
    tuple((start, block, 10_000) for block in range(1, 301) for start in _FIRST),
    _work,
)
