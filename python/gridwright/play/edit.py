"""The level editor in a notebook; needs ``gridwright[notebook]``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

try:
    import anywidget
    import traitlets
except ImportError:  # pragma: no cover
    raise ImportError("the editor needs anywidget: pip install 'gridwright[notebook]'") from None

from ..arguments import text
from ..draw import picture
from ..editor import Editor
from .board import Board
from .editing import EditorBoard

__all__ = ["EditorWidget"]

_HERE = Path(__file__).parent


def _script() -> str:
    """Returns the scripts of the board and of the editor as one module, because a widget has one file."""
    board, editor = ((_HERE / name).read_text(encoding="utf-8") for name in ("widget.js", "editor.js"))
    kept = [line for line in board.splitlines() if not line.startswith("export ")]
    kept += [line for line in editor.splitlines() if not line.startswith("import ")]
    return "\n".join([*kept, ""])


class EditorWidget(anywidget.AnyWidget):
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

    menu = traitlets.Dict(help="everything that never changes: palette, names, words and colors").tag(sync=True)

    def __init__(
        self, editor: Editor, *, size: float | None = None, theme: str | None = None, page: str = "play/"
    ) -> None:
        # The arguments are read first, because a widget, once made, stays registered with its page.
        board = EditorBoard(editor, self.send, size=size, theme=theme)
        menu = {**board.menu, "page": text("page", page), "download": False}
        super().__init__()
        self.editor, self._board = editor, board
        self._players: dict[str, Board] = {}
        """The sender, which names a view of this widget -> the board on which the level is played in that view."""
        self._options: dict[str, Any] = {"size": size, "theme": theme}
        self.menu = menu
        self.on_msg(self._on_message)

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
            player = self._players[sender] = Board(self.editor.game, partial(self._tell, sender), **self._options)
            self._board.receive({**event, "kind": "quiet"})
            self.send({"kind": "play", "sender": sender, "menu": player.menu})
        else:
            if kind in ("edit", "bye"):
                self._players.pop(sender, None)
            self._board.receive({**event, "kind": "quiet"} if kind == "edit" else event)

    def _tell(self, sender: str, message: dict[str, Any]) -> None:
        self.send({"kind": "player", "sender": sender, "message": message})

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Returns the widget, with the picture and the text for pages in which no kernel runs."""
        bundle = super()._repr_mimebundle_(**options)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        if data is not None:
            drawn = picture(self.editor.sketch(), **self.editor.LOOK)
            data.update({**drawn._repr_mimebundle_(), "text/plain": self.editor.text})
        return bundle
