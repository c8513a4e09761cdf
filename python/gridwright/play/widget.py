"""The playable board in a notebook; needs ``gridwright[notebook]``."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from weakref import WeakSet

try:
    import traitlets
except ImportError:  # pragma: no cover
    raise ImportError("the widget needs anywidget: pip install 'gridwright[notebook]'") from None

from ..controls import Controls
from ..words import dimensions
from .board import Board
from .notebook import NotebookWidget

__all__ = ["GameWidget"]

_open: WeakSet[GameWidget] = WeakSet()


class GameWidget(NotebookWidget):
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

    # The text of the file: if this were its path, anywidget would keep every widget until the process ends.
    _esm = (Path(__file__).parent / "widget.js").read_text(encoding="utf-8")

    seen = traitlets.Int(
        help="number of the position that the page shows: marimo runs cells again if a page changes a value"
    ).tag(sync=True)

    def __init__(
        self, game: Any, *, size: float | None = None, theme: str | None = None, view: str | None = None
    ) -> None:
        # The arguments are read first, because a widget, once made, stays registered with its page.
        self.game, self._board = game, Board(game, self.send, size=size, theme=theme, view=view)
        super().__init__(self._board.menu)
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

    def close(self) -> None:
        """Closes the widget: it no longer follows its game, and all pages remove it."""
        if self.comm is not None:
            self._board.close()
        super().close()

    def _on_message(self, _: Any, content: Any, buffers: Any) -> None:
        self._board.receive(dict(content))

    def _picture(self) -> tuple[str, str]:
        words = f"{type(self.game).__name__} of {dimensions(*self.game.shape)}"
        return self._board.still(words), str(self.game)


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
