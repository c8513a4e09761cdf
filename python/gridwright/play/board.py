"""The kernel's side of a playable board: messages from a page go to the controls, and changes go back to the page.

`Board` needs no notebook: in a widget, it sends through the kernel's channel, and in a browser tab, through a function
of the tab.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from ..arguments import choice, shown
from ..arguments import game as read_game
from ..controls import Controls, Entry
from ..draw import Picture, between, picture
from ..status import Status
from .marks import layer, page_colors
from .page import PageView, Send, grouped, read_number, read_path

__all__ = ["Board"]

_LEAST = 320
"""The length in pixels to which the longer side of a small board is enlarged; its cells are at most 72 pixels wide."""

# Kinds of messages without further data; each is the name of a method of `Controls`.
_WORDS = ("undo", "redo", "restart", "hint", "solve", "finish", "next_level")


class Board(PageView):
    """One view of a game for one page, or for several pages that show the same view.

    * ``game``: the game that is shown and played.
    * ``send``: a callable that sends each message, a dict, to the page.
    * ``size``: the width of a cell in pixels, 1 to 1000; by default that of ``picture``, larger on small boards.
    * ``theme``: ``"light"`` or ``"dark"``; ``None`` (the default) follows the page.
    * ``view``: one of ``game.VIEWS``, by default the first; ``ValueError`` for any other.

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
        read_game("game", game)
        if view is not None:
            choice("view", view, game.VIEWS)
        super().__init__(send, theme)
        self.game = game
        self.controls: Controls = game.controls()
        self.view: str = view or next(iter(game.VIEWS), "")
        """The view that is shown, one of ``game.VIEWS``; empty if the game has none."""
        self._size = size
        self._answering = False
        self._viewers = 0  # the number of places in pages that show this board
        self._played = 0
        self.picture()  # raises for an invalid size here, before a page is involved
        self.close = self.controls.subscribe(self.refresh)
        """Ends the updates that follow actions on other boards of this game."""

    @property
    def menu(self) -> dict[str, Any]:
        """What a page needs once, because it never changes: names, words and colors."""
        controls = self.controls
        return {
            "game": type(self.game).__name__,
            "second": controls.SECOND,
            "third": controls.THIRD,
            "views": list(self.game.VIEWS),
            "difficulties": list(controls.difficulties),
            "goal": controls.GOAL,
            "help": f"{controls.help().removeprefix(controls.GOAL)} ? lists the keys and symbols.".strip(),
            "hover": controls.HOVER,
            "modes": [_mode(controls.SECOND), _mode(controls.THIRD)],
            "colors": {name: page_colors(name) for name in ("light", "dark")},
            "fixed": self._theme or "",
        }

    def picture(self) -> Picture:
        """Returns the picture of the position as a page shows it."""
        return self._draw(self._theme_name)

    def _draw(self, theme: str | None) -> Picture:
        return picture(self.game, axes=True, **{**self._look(), "theme": theme})

    def refresh(self) -> None:
        """Sends what has changed since the last message."""
        if self._answering and not self.controls.busy:
            return
        self._update({})

    def receive(self, event: dict[str, Any]) -> None:
        """Handles a message from a page; an invalid one changes nothing and is answered with a sentence.

        * ``event``: the message, a dict whose ``kind`` names what happened.
        """
        self._answering = True  # one update per message, however often the controls report a change
        try:
            if trouble := self._handle(event):
                self.controls.message = trouble
        finally:
            self._answering = False
            self._update({**self._heard})  # also after Ctrl-C, so that the page does not wait for an answer

    def _answer(self, event: dict[str, Any]) -> None:
        controls, kind = self.controls, event["kind"]
        if kind == "hello":
            self._viewers += 1
            self._greet(event)
        elif kind == "bye":
            self._viewers = max(0, self._viewers - 1)
        elif kind in _WORDS:
            getattr(controls, kind)()
        elif kind == "click":
            cell = self._cell(event["x"], event["y"])
            if cell is not None:
                controls.click(cell, bool(event.get("second")), third=bool(event.get("third")))
        elif kind == "drag":
            controls.drag(self._places(read_path("path", event["path"])))
        elif kind == "hover":
            start = read_path("path", event.get("path", ()))[:1]
            controls.hover(self._cell(event["x"], event["y"]), self._cell(*start[0]) if start else None)
        elif kind == "leave":
            controls.hover(None)
        elif kind == "focus":
            controls.focus()
        elif kind == "key":
            if event.get("repeat") and controls.status != Status.OPEN:
                return
            if event["key"] == "v" and self.game.VIEWS:
                self._turn()
            else:
                controls.key(str(event["key"]))
        elif kind == "view":
            self._turn()
        elif kind == "steps":
            # A page may request the same steps twice if the answer is late, and several pages may show the game: only
            # the first request counts.
            if event["step"] == controls.stepped and controls.solving:
                controls.step(min(1000, max(1, read_number("moves", event["moves"], int))))
        elif kind == "level":
            controls.level(str(event["name"]))
        elif kind == "new":
            controls.new(str(event.get("seed") or "") or None, event.get("difficulty") or None)
        elif kind == "choose":
            controls.choose(str(event["name"]), str(event["value"]))
        elif kind == "theme":
            self._dark = bool(event["dark"])
        else:
            raise ValueError(f"kind must be the kind of a message to the board, got {shown(kind)}")

    def _turn(self) -> None:
        """Shows the next of the game's views."""
        views = self.game.VIEWS
        if views:
            self.view = views[(views.index(self.view) + 1) % len(views)]

    # From points of the picture to cells.

    def _cell(self, x: Any, y: Any) -> tuple[int, int] | None:
        drawn, x, y = self._drawn, read_number("x", x, float), read_number("y", y, float)
        return None if drawn is None else drawn.cell_at(x, y)

    def _places(self, points: list[tuple[float, float]]) -> list[tuple[float, float]]:
        """Returns points ``(x, y)`` of the picture as places ``(row, col)``; cell centers are at whole numbers."""
        cells = None if self._drawn is None else self._drawn.cells
        if cells is None or not all(math.isfinite(x) and math.isfinite(y) for x, y in points):
            return []
        path: list[tuple[float, float]] = []
        for x, y in points:
            cell = cells.at(x, y)
            row, col = cells.place(x, y)
            path.append((row - 0.5, col - 0.5) if cell is None else (cell[0] + 0.0, cell[1] + 0.0))
        if path and path[0] == path[-1]:
            # A short swipe stays in one cell. A quarter of its length is added to the end, so that games can read its
            # direction.
            (row, col), (to_row, to_col) = cells.place(*points[0]), cells.place(*points[-1])
            path[-1] = (path[-1][0] + (to_row - row) / 4, path[-1][1] + (to_col - col) / 4)
        return path

    # Output.

    def _look(self) -> dict[str, Any]:
        """Returns the options of the picture."""
        view: dict[str, Any] = {"view": self.view} if self.view else {}
        size, side = self._size, max(self.game.shape)
        if size is None and 40 * side < _LEAST:
            size = min(72.0, _LEAST / side)
        return {"theme": self._theme_name, "size": size, **view}

    def _update(self, message: dict[str, Any]) -> None:
        """Sends the parts of the picture and of the state that have changed."""
        if not self._viewers:
            return
        controls = self.controls
        self._count((len(self.game.moves), len(self.game.undone), int(controls.status), self.game.text))
        drawn = self.picture()
        if frames := self._frames(self._drawn, drawn):
            message["frames"] = frames
        elif controls.motion is not None:
            message["motion"] = self._motion(drawn)
        self._show(message, drawn, layer(controls, drawn), self._page_state(drawn))

    def _frames(self, before: Picture | None, drawn: Picture) -> list[dict[str, str]]:
        """Returns the pieces that change in each frame of the move just played; empty if the move has no frames."""
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
        return {
            "status": controls.status.name,
            "outcome": controls.outcome,
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
            "step": controls.stepped,
            "position": self.position,
            "view": self.view,
            "level": controls.name,
            # As text: a number above 2^53 is not exact in a browser.
            "seed": None if controls.seed is None else str(controls.seed),
            "next": controls.upcoming,
            "levels": [list(each) for each in controls.levels],
            "legend": [[entry.symbol, entry.words, _box(drawn, entry)] for entry in controls.legend()],
            "par": _par(controls),
            "settings": [list(each) for each in controls.settings],
            "keys": grouped([*controls.keys.items(), *([("v", "change the view")] if self.game.VIEWS else [])]),
            "words": f"{drawn.title}. {drawn.description}",
        }


def _par(controls: Controls) -> str:
    """Returns what par means, or an empty string for a puzzle without par."""
    if controls.par is None:
        return ""
    if controls.optimum is None:
        return f"par: the {controls.COUNT}s of the solution that is offered"
    return f"par: the fewest {controls.COUNT}s that solve this puzzle"


def _mode(words: str) -> str:
    """Returns the sentence about a switch that turns every click into another kind; empty if ``words`` is empty."""
    return f"In this mode, a click or touch on a cell does the following: {words}." if words else ""


def _box(drawn: Picture, entry: Entry) -> list[float] | None:
    """Returns where the picture shows a symbol of the legend: x, y, width and height; ``None`` if it shows none."""
    if not entry.cells or drawn.cells is None:
        return None
    corners = drawn.outline(*entry.cells[0])
    (left, right), (top, bottom) = ((min(side), max(side)) for side in zip(*corners, strict=True))
    return [round(number, 1) for number in (left, top, right - left, bottom - top)]
