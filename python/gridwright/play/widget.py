"""The playable board in a notebook; needs ``gridwright[notebook]``."""

from __future__ import annotations

import secrets
from html import escape
from pathlib import Path
from typing import Any
from weakref import WeakSet

try:
    import anywidget
    import traitlets
except ImportError:  # pragma: no cover
    raise ImportError("the widget needs anywidget: pip install 'gridwright[notebook]'") from None

from ..controls import Controls
from .board import Board

__all__ = ["GameWidget"]

_open: WeakSet[GameWidget] = WeakSet()


class GameWidget(anywidget.AnyWidget):
    """The playable board of a game, with undo, redo, restart, hint, solve, levels and seeds.

    All widgets of one game share one state. ``controls`` plays the game from code.

    * ``game``: the game itself, not a copy: ``game.board`` in the next cell includes the moves made in the widget, and
      the widget shows the moves made by a cell once that cell has run.
    * ``size``: the width of a cell in pixels, 1 to 1000; by default chosen so that the board fits.
    * ``theme``: ``"light"`` or ``"dark"``; ``None`` (the default) follows the page.
    * ``view``: one of ``game.VIEWS``, by default the first; ``ValueError`` for any other.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> widget = game.widget()
    >>> widget.controls.key("right")
    True
    >>> game.moves.tolist()
    [[2]]
    """

    _esm = Path(__file__).parent / "widget.js"

    menu = traitlets.Dict(help="everything that never changes: names, words and colors").tag(sync=True)
    still = traitlets.Unicode(help="name of the picture that the page shows if no kernel runs").tag(sync=True)
    seen = traitlets.Int(
        help="number of the position that the page shows: marimo runs cells again if a page changes a value"
    ).tag(sync=True)

    def __init__(
        self, game: Any, *, size: float | None = None, theme: str | None = None, view: str | None = None
    ) -> None:
        # The arguments are read first, because a widget, once made, stays registered with its page.
        board = Board(game, self.send, size=size, theme=theme, view=view)
        super().__init__()
        self.game, self._board = game, board
        self.menu = self._board.menu
        self.still = secrets.token_hex(8)
        self.on_msg(self._on_message)
        _open.add(self)
        _watch_cells()

    @property
    def controls(self) -> Controls:
        """The controls of the game: clicks, keys, hints, levels."""
        return self._board.controls

    def refresh(self) -> None:
        """Shows the current position, even after moves made elsewhere."""
        self.controls.look()
        self._board.refresh()

    def _on_message(self, _: Any, content: Any, buffers: Any) -> None:
        self._board.receive(dict(content))

    def _ipython_display_(self) -> None:
        """Displays a picture for pages without a kernel and, below it, the widget, which hides the picture."""
        from IPython.display import display

        bundle = self._repr_mimebundle_()
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        if data is None:
            return
        if self._view_name is not None:
            display({"text/html": self._still(), "text/plain": str(self.game)}, raw=True)  # type: ignore[no-untyped-call]
            data.pop("text/html", None)
        display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]

    def _still(self) -> str:
        picture = self.game._repr_mimebundle_()["text/html"]
        return f'<div data-gridwright-still="{escape(self.still)}">{picture}</div>'

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Returns the widget, with the picture and the text for pages in which no kernel runs."""
        bundle = super()._repr_mimebundle_(**options)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        if data is not None:
            data.update(self.game._repr_mimebundle_())
        return bundle


def _look_at_all_games(*_: Any) -> None:
    for widget in list(_open):
        widget.controls.look()


def _watch_cells() -> None:
    """Makes every widget check after each cell whether its game was played in that cell."""
    try:
        from IPython import get_ipython
    except ImportError:  # marimo, or a plain program
        return
    shell = get_ipython()
    if shell is not None and _look_at_all_games not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _look_at_all_games)
