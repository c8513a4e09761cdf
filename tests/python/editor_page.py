"""An editor in a bare page of a real browser, drawn in by mouse, finger and keys; the kernel's half in this process."""

from __future__ import annotations

import json
from typing import Any

import games
from browser import Page
from gridwright.draw import picture

_PAGE = """<!doctype html><meta charset="utf-8"><title>editor</title>
<style>body{margin:12px;background:%(ground)s}</style><body%(mode)s><div id="place"></div>
<script type="module">
const url = URL.createObjectURL(new Blob([%(script)s], {type: "text/javascript"}));
const {default: widget} = await import(url);
const listeners = new Set();
const menu = await window.askMenu();
window.model = {
  get: (name) => menu,
  on: (name, call) => listeners.add(call),
  off: (name, call) => listeners.delete(call),
  send: async (message) => {
    for (const answer of await window.askKernel(message)) for (const call of listeners) call(answer);
  },
};
window.close = widget.render({model: window.model, el: document.getElementById("place")});
</script>"""


class EditorPage(Page):
    """The widget of an editor in a page: cells are clicked and dragged over, brushes and buttons pressed."""

    def __init__(self, browser: Any, editor: Any, *, dark: bool = False, touch: bool = False, **options: Any) -> None:
        from gridwright.play.edit import EditorWidget

        viewport = {"width": options.pop("width", 900), "height": options.pop("height", 1100)}
        self.context = browser.new_context(viewport=viewport, has_touch=touch, **options)
        self.page = self.context.new_page()
        self._session = self.context.new_cdp_session(self.page)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(error.stack or str(error)))
        self.sent: list[dict[str, Any]] = []
        self.alive = True
        self.widget = EditorWidget(editor)
        self.widget.send = lambda message, *_: self.sent.append(message)  # type: ignore[method-assign]
        self.widget._board._send = self.sent.append
        self.editor = editor
        self.board = self.widget._board
        self.page.expose_function("askMenu", lambda: self.widget.menu)
        self.page.expose_function("askKernel", self._answer)
        self.page.set_content(
            _PAGE
            % {
                "ground": "#15181d" if dark else "#ffffff",
                "mode": ' data-jp-theme-light="false"' if dark else "",
                "script": json.dumps(self.widget._esm).replace("</", "<\\/"),
            }
        )
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
        """Takes a brush of the palette by a click."""
        self.host.locator(f"#palette [data-brush='{name}']").click()
        at = [brush.name for brush in self.editor.brushes].index(name)
        self.wait(lambda: self.board._brush == at)

    def button(self, name: str) -> None:
        """Presses a button by its id."""
        self.host.locator(f"#{name}").click()

    def knows(self, *words: str) -> None:
        """Waits until the facts hold some words."""
        self.wait(lambda: all(word in self.text("facts") for word in words))

    def win(self, game: Any, moves: Any) -> None:
        """Plays the level that "Play it" has opened to its end, by mouse."""
        board = self.host.locator(".gridwright-widget #board")
        for move in moves:
            for what, where, *second in games.gestures(game, move):
                if what == "key":
                    board.press(" " if where == "space" else f"Arrow{where.capitalize()}")
                    continue
                drawn = picture(game)
                x, y = drawn.cells.center(*where)
                scale = board.evaluate("board => board.firstElementChild.getBoundingClientRect().width") / drawn.width
                board.click(position={"x": x * scale, "y": y * scale}, button="right" if second[0] else "left")
            game.play(*move)
