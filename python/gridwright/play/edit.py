"""The level editor in a notebook; needs ``gridwright[notebook]``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from ..arguments import text
from ..editor import Editor
from ..words import dimensions
from .board import Board
from .editing import EditorBoard
from .notebook import NotebookWidget

__all__ = ["EditorWidget"]

_HERE = Path(__file__).parent


def _script() -> str:
    """Returns the scripts of the board and of the editor as one module, because a widget has one file."""
    board, editor = ((_HERE / name).read_text(encoding="utf-8") for name in ("widget.js", "editor.js"))
    kept = [line for line in board.splitlines() if not line.startswith("export ")]
    kept += [line for line in editor.splitlines() if not line.startswith("import ")]
    return "\n".join([*kept, ""])


class EditorWidget(NotebookWidget):
    """The editor of a level: palette, board, problems and facts; "Play it" replaces the editor with the playable level.

    "Save" writes the level into the working directory of the kernel.

    * ``editor``: the `Editor` itself, not a copy: ``editor.game`` in the next cell is the level drawn in the widget.
    * ``size``: the width of a cell in pixels, 1 to 1000; by default chosen so that the board fits.
    * ``theme``: ``"light"`` or ``"dark"``; ``None`` (the default) follows the page.
    * ``page``: the address of the page that the links made by "Share" open, ``"play/"`` by default.

    >>> import gridwright as gw
    >>> widget = gw.Bloxorz.blank(3, 4).edit()
    >>> widget.editor.rows
    ('S---', '----', '---T')
    """

    _esm = _script()

    def __init__(
        self, editor: Editor, *, size: float | None = None, theme: str | None = None, page: str = "play/"
    ) -> None:
        self._players: dict[str, Board] = {}
        """The sender, which names a view of this widget -> the board on which the level is played in that view."""
        # The arguments are read first, because a widget, once made, stays registered with its page.
        self.editor, self._board = editor, EditorBoard(editor, self.send, size=size, theme=theme)
        self._options: dict[str, Any] = {"size": size, "theme": theme}
        super().__init__({**self._board.menu, "page": text("page", page), "download": False})

    def refresh(self) -> None:
        """Shows the current draft, including changes made elsewhere."""
        self._board.refresh()

    def _on_message(self, _: Any, content: Any, buffers: Any) -> None:
        event = dict(content)
        kind, sender = event.get("kind"), str(event.get("sender", ""))
        if kind == "player":
            if sender in self._players:
                self._players[sender].receive(dict(event.get("event", {})))
        elif kind == "play" and not self.editor.problems:
            self._drop(sender)
            player = self._players[sender] = Board(self.editor.game, partial(self._tell, sender), **self._options)
            self._board.receive({**event, "kind": "quiet"})
            self.send({"kind": "play", "sender": sender, "menu": player.menu})
        else:
            if kind in ("edit", "bye"):
                self._drop(sender)
            self._board.receive({**event, "kind": "quiet"} if kind == "edit" else event)

    def close(self) -> None:
        """Closes the widget: all pages remove it, and the levels that are played in it."""
        for sender in list(self._players):
            self._drop(sender)
        super().close()

    def _drop(self, sender: str) -> None:
        if sender in self._players:
            self._players.pop(sender).close()

    def _tell(self, sender: str, message: dict[str, Any]) -> None:
        self.send({"kind": "player", "sender": sender, "message": message})

    def _picture(self) -> tuple[str, str]:
        return self._board.still(f"Editor, {dimensions(*self.editor.shape)}"), self.editor.text
