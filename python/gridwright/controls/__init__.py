"""The controls of a game: clicks, drags, keys, hints, scores, new puzzles and levels.

`Controls` is the one protocol behind the notebook widget, the terminal and the browser tab. It is independent of
pixels, widgets and threads: a front end passes cells and the names of keys to `Controls`, draws the game with
`Controls.marks` and `Controls.labels` on top, and shows `Controls.scores` and `Controls.message` beside the board.

>>> import gridwright as gw
>>> game = gw.Bloxorz.level("level01")
>>> controls = game.controls()
>>> controls.key("right")
True
>>> game.moves.tolist(), controls.scores[0]
([[2]], Score(name='rolls', value=1, goal=None))

If the controls of a game differ from the defaults, the attribute ``CONTROLS`` of its class is a subclass of `Controls`.
"""

from .protocol import Controls, of_game
from .values import Action, Entry, Hint, Level, Motion, Score, Setting, Verb, refuse
from .values import Cell as Cell
from .values import Move as Move

__all__ = [
    "Action",
    "Controls",
    "Entry",
    "Hint",
    "Level",
    "Motion",
    "Score",
    "Setting",
    "Verb",
    "of_game",
    "refuse",
]
