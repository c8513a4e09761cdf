"""An editor in a bare page of a real browser, driven by mouse, touch and keys; the test process acts as the kernel."""

from __future__ import annotations

import json
from typing import Any

import games
from browser import Page, shown_width
from gridwright.draw import picture


class EditorPage(Page):
    """The widget of an editor in a page, with methods that select brushes, click buttons and play the level."""

    def __init__(self, browser: Any, editor: Any, *, dark: bool = False, touch: bool = False, **options: Any) -> None:
        from gridwright.play.edit import EditorWidget

        self._open(browser, touch, **{"height": 1100, **options})
        self.widget = EditorWidget(editor)
        self.widget.send = lambda message, *_: self.sent.append(message)  # type: ignore[method-assign]
        self.widget._board._send = self.sent.append
        self.editor = editor
        self.board = self.widget._board
        self._load(self.widget._esm, lambda: self.widget.menu, dark=dark)
        self.host = self.page.locator(".gridwright-editor")
        self.place = self.host.locator("#all #board")
        self.place.locator("svg").wait_for()

    def _answer(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        if not self.alive:
            return []
        self.widget._on_message(self.widget, message, [])
        answers = json.loads(json.dumps(self.sent))
        self.sent.clear()
        return answers

    def brush(self, name: str) -> None:
        """Selects a brush with a click in the palette."""
        self.host.locator(f"#palette [data-brush='{name}']").click()
        at = [brush.name for brush in self.editor.brushes].index(name)
        self.wait(lambda: self.board._brush == at)

    def button(self, name: str) -> None:
        """Clicks the button with the id ``name``."""
        self.host.locator(f"#{name}").click()

    def wait_for_facts(self, *words: str) -> None:
        """Waits until the facts contain all of ``words``."""
        self.wait(lambda: all(word in self.text("facts") for word in words))

    def win(self, game: Any, moves: Any) -> None:
        """Plays ``moves`` with the mouse and keys on the board that "Play it" opened, and repeats them on ``game``."""
        board = self.host.locator(".gridwright-widget #board")
        for move in moves:
            for what, where, *second in games.gestures(game, move):
                if what == "key":
                    board.press(" " if where == "space" else f"Arrow{where.capitalize()}")
                    continue
                drawn = picture(game)
                x, y = drawn.cells.center(*where)
                scale = shown_width(board) / drawn.width
                board.click(position={"x": x * scale, "y": y * scale}, button="right" if second[0] else "left")
            game.play(*move)
