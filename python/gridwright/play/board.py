"""The kernel's half of a playable board: messages of a page go to the controls, and changes go back to the page.

`Board` needs no notebook: in a widget it sends through the kernel's channel, in the browser tab through a function of
its own. A page first sends ``{"kind": "hello"}``; from then on it gets only what changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from ..controls import Controls, Entry
from ..draw import Picture, between, picture
from ..errors import MoveError
from ..status import Status
from .marks import layer, page_colors

__all__ = ["Board"]

Send = Callable[[dict[str, Any]], None]

_LEAST = 320
"""Width in pixels that a small board is enlarged to, with cells of at most 72 pixels."""

# Kinds of messages that carry nothing else; each is a method of `Controls`.
_WORDS = ("undo", "redo", "restart", "hint", "solve", "finish", "next_level")


class Board:
    """One view of a game for one page, or for several pages that show the same view.

    * ``game``: the game that is shown and played.
    * ``send``: a callable that takes each message, a dict, to the page.
    * ``size``: the width of a cell in pixels, 1 to 1000; by default that of ``picture``, larger on small boards.
    * ``theme``: ``"light"`` or ``"dark"``; ``None`` (the default) follows the page.
    * ``view``: one of ``game.VIEWS``, by default the first; ``ValueError`` for another one.

    >>> import gridwright as gw
    >>> sent = []
    >>> board = Board(gw.Bloxorz.level("level01"), sent.append)
    >>> board.receive({"kind": "hello"})
    >>> board.receive({"kind": "key", "key": "right"})
    >>> sent[-1]["state"]["scores"]
    [['rolls', 1, None], ['falls', 0, None], ['par', 7, None]]
    """

    def __init__(
        self, game: Any, send: Send, *, size: float | None = None, theme: str | None = None, view: str | None = None
    ) -> None:
        if view is not None and view not in game.VIEWS:
            raise ValueError(f"view must be one of {', '.join(game.VIEWS) or 'no views'}, got {view!r}")
        self.game = game
        self.controls: Controls = game.controls()
        self._send = send
        self._view = view or next(iter(game.VIEWS), "")
        self._size = size
        self._theme = theme
        self._dark = False
        self._heard = 0
        self._step = 0
        self._answering = False
        self._views = 0  # places in the page that show this board
        self._drawn: Picture | None = None
        self._played = 0
        self._state: dict[str, Any] = {}
        self._marks = ""
        self.position = 0
        """Number of positions shown so far: a page learns from it that the position has changed."""
        self._seen: Any = None
        self.picture()  # an unknown theme or size fails here and not in the page
        self.controls.subscribe(self.refresh)

    @property
    def menu(self) -> dict[str, Any]:
        """What a page needs once, because it never changes: names, words and colors."""
        controls = self.controls
        names = [*controls.keys, *(["v"] if self.game.VIEWS else []), "?"]
        return {
            "game": type(self.game).__name__,
            "second": controls.SECOND,
            "third": controls.THIRD,
            "views": list(self.game.VIEWS),
            "difficulties": list(controls.difficulties),
            "goal": controls.GOAL,
            "help": f"{controls.help().removeprefix(controls.GOAL)} ? lists the keys and signs.".strip(),
            "keys": names,
            "words": self._help(),
            "hover": controls.HOVER,
            "modes": [_mode(controls.SECOND), _mode(controls.THIRD)],
            "colors": {name: page_colors(name) for name in ("light", "dark")},
            "fixed": self._theme or "",
        }

    @property
    def drawn(self) -> Picture | None:
        """The picture that the page shows; ``None`` before the first one."""
        return self._drawn

    def _help(self) -> list[list[str]]:
        """Returns what each key does; keys that do the same share a line."""
        words: dict[str, list[str]] = {}
        for name, does in self.controls.keys.items():
            words.setdefault(does, []).append(name)
        if self.game.VIEWS:
            words["change the view"] = ["v"]
        return [[", ".join(names), does] for does, names in words.items()]

    def picture(self) -> Picture:
        """Returns the picture of the position as a page shows it."""
        return picture(self.game, axes=True, **self._look())

    def refresh(self) -> None:
        """Sends what has changed since the last message."""
        if self._answering and not self.controls.busy:
            return
        self._update({})

    def receive(self, event: dict[str, Any]) -> None:
        """Does what a page asks for; a message that makes no sense changes nothing and is answered by a sentence.

        * ``event``: the message, a dict whose ``kind`` tells what happened.
        """
        self._answering = True  # one update for each message, however often the controls report a change meanwhile
        try:
            self._heard = int(event.get("count", 0))
            self._answer(event)
        except (MoveError, ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
            self.controls.message = str(error) if isinstance(error, ValueError) else "The page sent half a message."
        finally:
            self._answering = False
        self._update({"heard": self._heard})

    def _answer(self, event: dict[str, Any]) -> None:
        controls, kind = self.controls, event["kind"]
        if kind == "hello":
            self._views += 1
            self._dark = bool(event.get("dark", self._dark))
            self._drawn, self._state, self._marks = None, {}, ""
        elif kind == "bye":
            self._views = max(0, self._views - 1)
        elif kind in _WORDS:
            getattr(controls, kind)()
        elif kind == "click":
            cell = self._cell(event["x"], event["y"])
            if cell is not None:
                controls.click(cell, bool(event.get("second")), third=bool(event.get("third")))
        elif kind == "drag":
            controls.drag(self._path([float(number) for number in event["path"]]))
        elif kind == "hover":
            path = [float(number) for number in event.get("path", ())]
            controls.hover(self._cell(event["x"], event["y"]), self._cell(*path) if path else None)
        elif kind == "leave":
            controls.hover(None)
        elif kind == "focus":
            controls.focus()
        elif kind == "key":
            if event["key"] == "v" and self.game.VIEWS:
                self._turn()
            else:
                controls.key(str(event["key"]))
        elif kind == "view":
            self._turn()
        elif kind == "steps":
            # A page whose answer is late may ask for the same steps twice: only the first request counts.
            if event["step"] == self._step and controls.solving:
                self._step += 1
                controls.step(min(1000, max(1, int(event["moves"]))))
        elif kind == "level":
            controls.level(str(event["name"]))
        elif kind == "new":
            controls.new(str(event.get("seed") or "") or None, event.get("difficulty") or None)
        elif kind == "choose":
            controls.choose(str(event["name"]), str(event["value"]))
        elif kind == "theme":
            self._dark = bool(event["dark"])
        else:
            raise ValueError(f"kind must be a message that the board knows, got {kind!r}")

    def _turn(self) -> None:
        """Shows the next of the game's views."""
        views = self.game.VIEWS
        if views:
            self._view = views[(views.index(self._view) + 1) % len(views)]

    # From points of the picture to cells.

    def _cell(self, x: Any, y: Any) -> tuple[int, int] | None:
        drawn = self._drawn
        return None if drawn is None else drawn.cell_at(float(x), float(y))

    def _path(self, numbers: list[float]) -> list[tuple[float, float]]:
        """Returns points of the picture, ``x, y, x, y, ...``, as places (row, col) whose whole numbers are centers."""
        cells = None if self._drawn is None else self._drawn.cells
        if cells is None or not all(map(math.isfinite, numbers)):
            return []
        path: list[tuple[float, float]] = []
        for x, y in zip(numbers[::2], numbers[1::2], strict=True):
            cell = cells.at(x, y)
            row, col = cells.place(x, y)
            path.append((row - 0.5, col - 0.5) if cell is None else (cell[0] + 0.0, cell[1] + 0.0))
        if path and path[0] == path[-1]:
            # A short swipe stays in one cell; a quarter of its way keeps the direction, for games that follow it.
            (row, col), (to_row, to_col) = cells.place(*numbers[:2]), cells.place(*numbers[-2:])
            path[-1] = (path[-1][0] + (to_row - row) / 4, path[-1][1] + (to_col - col) / 4)
        return path

    # What the page is told.

    def _look(self) -> dict[str, Any]:
        """Options of the picture."""
        view: dict[str, Any] = {"view": self._view} if self._view else {}
        size, side = self._size, max(self.game.shape)
        if size is None and 40 * side < _LEAST:
            size = min(72.0, _LEAST / side)
        return {"theme": self._theme or ("dark" if self._dark else "light"), "size": size, **view}

    def _update(self, message: dict[str, Any]) -> None:
        """Sends the parts of the picture and of the state that have changed."""
        if not self._views:
            return
        controls = self.controls
        mark = (len(self.game.moves), len(self.game.undone), int(controls.status), self.game.text)
        if mark != self._seen:
            self._seen, self.position = mark, self.position + 1
        before, drawn = self._drawn, self.picture()
        self._drawn = drawn
        changes = None if before is None else drawn.changes(before)
        if changes is None:
            message["picture"] = drawn.render()
        elif changes:
            message["changes"] = changes
        marks = layer(controls, drawn)
        if marks != self._marks or "picture" in message:
            message["marks"] = self._marks = marks
        if frames := self._frames(before, drawn):
            message["frames"] = frames
        elif controls.motion is not None:
            message["motion"] = self._motion(drawn)
        state = self._page_state(drawn)
        message["state"] = {
            name: value for name, value in state.items() if name not in self._state or self._state[name] != value
        }
        self._state = state
        self._send({"kind": "update", **message})

    def _frames(self, before: Picture | None, drawn: Picture) -> list[dict[str, str]]:
        """Returns the pieces that differ at each step from the last picture to this one; empty for a change at once."""
        played, self._played = self._played, len(self.game.moves)
        if before is None or self._played != played + 1:
            return []
        between_them = between(self.game, **self._look())
        frames = [one.changes(last) for last, one in pairwise([before, *between_them, drawn])] if between_them else []
        return [] if None in frames else frames  # type: ignore[return-value]

    def _motion(self, drawn: Picture) -> dict[str, Any]:
        motion, cells = self.controls.motion, drawn.cells
        assert motion is not None
        assert cells is not None
        return {
            "kind": motion.kind,
            "ids": [f"c{row}-{col}" for row, col in motion.cells],
            "angle": motion.angle,
            "step": [motion.step[1] * cells.size, motion.step[0] * cells.size],
        }

    def _page_state(self, drawn: Picture) -> dict[str, Any]:
        controls = self.controls
        following = controls.following if controls.name else None
        return {
            "status": controls.status.name,
            "title": controls.title,
            "message": controls.message,
            "news": controls.news,
            "tip": controls.tip,
            "scores": [list(score) for score in controls.scores],
            "undo": controls.can_undo and not controls.back,
            "back": controls.back,
            "redo": controls.can_redo,
            "seconds": round(controls.seconds, 1),
            "running": controls.running,
            "solving": controls.solving,
            "step": self._step,
            "position": self.position,
            "view": self._view,
            "level": controls.name,
            "seed": controls.seed,
            "next": following if controls.status == Status.WON else None,
            "levels": [list(each) for each in controls.levels],
            "legend": [[entry.sign, entry.words, _box(drawn, entry)] for entry in controls.legend()],
            "par": "" if controls.optimum is None else f"par: the fewest {controls.COUNT}s in which it can be solved",
            "settings": [list(each) for each in controls.settings],
            "words": f"{drawn.title}. {drawn.description}",
        }


def _mode(words: str) -> str:
    """Returns the sentence about a switch that makes every click one of another kind; empty without such a kind."""
    return f"While this is on, each click or touch does this: {words}." if words else ""


def _box(drawn: Picture, entry: Entry) -> list[float] | None:
    """Returns where the picture shows a sign of the legend: x, y, width and height; ``None`` if it does not."""
    if not entry.cells or drawn.cells is None:
        return None
    corners = drawn.outline(*entry.cells[0])
    (left, right), (top, bottom) = ((min(side), max(side)) for side in zip(*corners, strict=True))
    return [round(number, 1) for number in (left, top, right - left, bottom - top)]
