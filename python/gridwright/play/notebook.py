"""The base class of the widgets in a notebook; needs ``gridwright[notebook]``."""

from __future__ import annotations

import secrets
from html import escape
from typing import Any

try:
    import anywidget
    import traitlets
except ImportError:  # pragma: no cover
    raise ImportError("a widget needs anywidget: pip install 'gridwright[notebook]'") from None

__all__ = ["NotebookWidget"]


class NotebookWidget(anywidget.AnyWidget):
    """A widget with a picture for pages without a kernel, such as exported and reopened notebooks.

    * ``menu``: everything that the page needs and that never changes: names, words and colors.
    """

    menu = traitlets.Dict(help="everything that never changes: names, words and colors").tag(sync=True)
    still = traitlets.Unicode(help="name of the picture that the page shows if no kernel runs").tag(sync=True)

    def __init__(self, menu: dict[str, Any]) -> None:
        super().__init__(menu=menu, still=secrets.token_hex(8))
        self.on_msg(self._on_message)

    def _on_message(self, _: Any, content: Any, buffers: Any) -> None:
        """Handles a message from a page."""
        raise NotImplementedError

    def _picture(self) -> tuple[str, str]:
        """Returns the current picture as HTML and as plain text."""
        raise NotImplementedError

    def _ipython_display_(self) -> None:
        """Displays a picture for pages without a kernel and, below it, the widget, which hides the picture."""
        from IPython.display import display

        picture, words = self._picture()
        still = f'<div data-gridwright-still="{escape(self.still)}">{picture}</div>'
        display({"text/html": still, "text/plain": words}, raw=True)  # type: ignore[no-untyped-call]
        if self.comm is None:  # the widget was closed
            return
        data, metadata = _bundle(super()._repr_mimebundle_())
        # A page that cannot show the widget shows the picture alone, and a terminal prints the text once.
        data.pop("text/plain", None)
        display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Returns the widget, with the picture and the text for pages in which no kernel runs."""
        data, metadata = _bundle(super()._repr_mimebundle_(**options))
        picture, words = self._picture()
        return {**data, "text/html": picture, "text/plain": words}, metadata


def _bundle(found: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the data and the metadata of a bundle, which consists of both or of the data alone."""
    return found if isinstance(found, tuple) else (found or {}, {})
