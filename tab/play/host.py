"""The Python side of the page, which runs in a web worker: one game on one board, and the handling of messages.

The board is the one that notebooks use, ``gridwright.play.board.Board``, with the same messages and the same
``widget.js``. This file adds links, saved games, the editor, animations and pictures.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import gridwright as gw
from gridwright.controls import Controls
from gridwright.play.board import Board
from gridwright.play.editing import EditorBoard
from gridwright.solved import use_storage
from gridwright.words import counted

Send = Callable[[str], None]


class Progress:
    """Stores the list of solved levels in the browser: the page saves each text that ``write`` receives.

    ``text`` is the list that the page has stored; ``send`` is called with JSON for the page.
    """

    def __init__(self, text: str, send: Send) -> None:
        self.text, self.send = text, send

    def read(self) -> str:
        """Returns the text that was written last or, if the page has sent a newer one, the text that it has stored."""
        return self.text

    def write(self, text: str) -> None:
        """Replaces the text and sends it to the page, which saves it."""
        self.text = text
        self.send(json.dumps({"kind": "solved", "text": text}))


class Host:
    """Handles the page's messages.

    ``send`` is called with JSON for the page; ``solved`` is the stored list of solved levels.
    """

    def __init__(self, send: Send, solved: str) -> None:
        self.send = send
        self.board: Board | None = None
        self.drawing: EditorBoard | None = None
        self.progress = Progress(solved, send)
        use_storage(self.progress)

    def answer(self, asked: str) -> str:
        """Handles ``asked``, a JSON message ``{"ask": name, ...}`` from the page, and returns the answer as JSON."""
        event = json.loads(asked)
        try:
            return json.dumps({"value": getattr(self, f"ask_{event.pop('ask')}")(**event)})
        except (ValueError, TypeError, gw.SearchLimitError) as error:
            return json.dumps({"error": str(error)})

    def ask_place(self, game: str, level: str, text: str) -> dict[str, str]:
        """Returns what a link names, as ``ask_where`` writes it: the game, and its level or starting text.

        If ``game`` is empty, the first game that can read ``text`` is used.
        """
        return _place(_made(game, level, text).controls())

    def ask_start(
        self, game: str, level: str, text: str, moves: list[list[int]], dark: bool, state: str = ""
    ) -> dict[str, Any]:
        """Puts a game on the board: a packaged ``level``, a ``text``, or the first level if both are empty.

        The ``state`` of a saved game is restored. Without a state, or if the state does not fit, the ``moves`` are
        played up to the first illegal move. If ``game`` is empty, the first game that can read ``text`` is used.
        ``dark`` is ignored, because the board follows the theme of the page.
        """
        made = _made(game, level, text)
        restored = _restored(made, state) if state else None
        played = len(moves) if restored else 0
        for move in moves[played:]:
            try:
                made.play(*move)
            except (ValueError, TypeError):
                break
            played += 1
        self.board = Board(made, self._update, theme=None)
        return {
            "menu": self.board.menu,
            "game": made.NAME,
            "note": ""
            if played == len(moves)
            else f"Played {played} of {counted(len(moves), 'move')}: the next move cannot be played here.",
        }

    def ask_board(self, event: dict[str, Any]) -> None:
        """Passes a message from ``widget.js`` to the board."""
        if self.board is not None:
            self.board.receive(event)

    def ask_where(self) -> dict[str, Any]:
        """Returns the contents of a link: the game, its level or starting text, and the moves.

        ``state`` is the rest of a saved game, such as settings and hints.
        """
        game, controls = self._game(), self.board.controls  # type: ignore[union-attr]
        return {**_place(controls), "moves": game.moves.tolist(), "state": controls.state}

    def ask_solved(self, text: str) -> None:
        """Replaces the list of solved levels with the stored one, to which other tabs have added their results."""
        self.progress.text = text
        use_storage(self.progress)  # the list is read again
        if self.board is not None:
            self.board.refresh()

    def ask_edit(self) -> dict[str, Any]:
        """Opens the editor with the starting position of the game on the board; returns the menu of the editor."""
        start = self._game().copy()
        start.reset()
        self.drawing = EditorBoard(start.editor(), self._drawn)
        return self.drawing.menu

    def ask_draw(self, event: dict[str, Any]) -> None:
        """Passes a message from ``editor.js`` to the editor."""
        if self.drawing is not None:
            self.drawing.receive(event)

    def ask_drawn(self) -> dict[str, Any]:
        """Returns the drawn level as arguments of ``ask_start``, all except ``dark`` and ``state``."""
        if self.drawing is None:
            raise ValueError("nothing was drawn")
        editor = self.drawing.editor
        return {"game": editor.kind.NAME, "level": "", "text": editor.game.text, "moves": []}

    def ask_film(self) -> str:
        """Returns an HTML page that animates the moves played or, if no move has been played, a solution."""
        game = self._game()
        if len(game.moves):
            return str(game.animate().html())
        shown = game.copy()
        shown.controls().finish()
        if not len(shown.moves):
            raise ValueError("there is nothing to show: no move has been played")
        return str(shown.animate().html())

    def ask_picture(self, dark: bool) -> str:
        """Returns the position as SVG, in the view of the board and in dark colors if ``dark`` is true."""
        game, view = self._game(), self.board.view  # type: ignore[union-attr]
        return str(game.svg(theme="dark" if dark else "light", **({"view": view} if view else {})))

    def _game(self) -> Any:
        if self.board is None:
            raise ValueError("no game is on the board")
        return self.board.game

    def _update(self, message: dict[str, Any]) -> None:
        self.send(json.dumps({"kind": "board", "message": message}))

    def _drawn(self, message: dict[str, Any]) -> None:
        self.send(json.dumps({"kind": "drawing", "message": message}))


def _restored(game: Any, state: str) -> Controls | None:
    """Restores a saved state of play; returns the controls of the game, or ``None`` if the state does not fit."""
    controls: Controls = game.controls()
    try:
        controls.restore(state)
    except (ValueError, TypeError):
        return None
    return controls


def _place(controls: Controls) -> dict[str, str]:
    """Returns a game, and its level or starting text, as arguments of ``ask_start``."""
    start = controls.game.copy()
    start.reset()
    return {"game": start.NAME, "level": controls.name, "text": "" if controls.name else start.text}


def _made(game: str, level: str, text: str) -> Any:
    """Returns the game that ``ask_start`` puts on the board."""
    return _read(game, text) if text else _packaged(game, level)


def _packaged(name: str, level: str) -> Any:
    """Returns the packaged level ``level`` of a game or, if ``level`` is empty, the first level in the game's menu."""
    if name not in gw.GAMES:
        raise ValueError(f"game must be one of {', '.join(gw.GAMES)}, got {name!r}")
    kind = gw.GAMES[name]
    if level:
        return kind.level(level)
    made = kind.level(kind.levels()[0])
    first = made.controls().levels
    return kind.level(first[0].name) if first else made


def _read(name: str, text: str) -> Any:
    """Returns a position of the game ``name`` or, if ``name`` is empty, of the first game that can read ``text``."""
    if name:
        if name not in gw.GAMES:
            raise ValueError(f"game must be one of {', '.join(gw.GAMES)}, got {name!r}")
        return gw.GAMES[name](text)
    for kind in gw.GAMES.values():
        try:
            return kind(text)
        except ValueError:
            continue
    raise ValueError("text must be a position of one of the games, got text that none of them can read")
