"""The base class of the kernel's boards and editors, which answer messages from a page.

A page first sends ``{"kind": "hello"}`` and receives the complete view; after that, it receives only what changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ..arguments import shown
from ..draw import Picture
from ..draw import theme as read_theme
from ..draw.page import image

__all__ = ["PageView", "Send", "changed", "grouped", "read_number", "read_path"]

Send = Callable[[dict[str, Any]], None]

_Number = TypeVar("_Number", float, int)


def changed(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """Returns the items of a state that differ from those of an earlier state.

    * ``before``: the earlier state.
    * ``now``: the current state.

    >>> changed({"a": 1, "b": 2}, {"a": 1, "b": 3})
    {'b': 3}
    """
    return {name: value for name, value in now.items() if name not in before or before[name] != value}


def grouped(keys: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Returns lines ``[keys, what they do]``; keys with the same effect share a line.

    * ``keys``: pairs of a key and what it does.

    >>> grouped([("up", "roll"), ("z", "undo"), ("w", "roll")])
    [['up, w', 'roll'], ['z', 'undo']]
    """
    names: dict[str, list[str]] = {}
    for key, does in keys:
        names.setdefault(does, []).append(key)
    return [[", ".join(listed), does] for does, listed in names.items()]


def read_number(name: str, value: Any, kind: type[_Number]) -> _Number:
    """Reads a number from a message.

    * ``name``: the name of the number, which begins the message of an error.
    * ``value``: what the message holds; ``ValueError`` for anything that ``kind`` cannot convert.
    * ``kind``: ``float``, or ``int`` for an integer.

    >>> read_number("x", "left", float)
    Traceback (most recent call last):
    ValueError: x must be a number, got 'left'
    >>> read_number("height", 5.5, int)
    Traceback (most recent call last):
    ValueError: height must be an integer, got 5.5
    """
    try:
        found = kind(value)
        if kind is int and found != float(value):
            raise ValueError("int() drops the fraction of a float")
        return found
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be {'an integer' if kind is int else 'a number'}, got {shown(value)}") from None


def read_path(name: str, values: Any) -> list[tuple[float, float]]:
    """Reads a path from a message: the coordinates of its points in one list, ``x, y, x, y, ...``.

    * ``name``: the name of the path, which begins the message of an error.
    * ``values``: what the message holds; ``ValueError`` unless it is a list of an even number of numbers.

    >>> read_path("path", [1, 2, 3, 4.5])
    [(1.0, 2.0), (3.0, 4.5)]
    """
    if not isinstance(values, list | tuple) or len(values) % 2:
        raise ValueError(f"{name} must be a list of coordinates x, y, x, y, ..., got {shown(values)}")
    numbers = [read_number(f"a coordinate of {name}", value, float) for value in values]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


class PageView:
    """One view for one page, or for several pages that show the same view; a subclass answers the messages.

    * ``send``: a callable that sends each message, a dict, to the page.
    * ``theme``: ``"light"`` or ``"dark"``; ``None`` follows the page.
    """

    def __init__(self, send: Send, theme: str | None) -> None:
        self._send = send
        if theme is not None:
            read_theme(theme)  # raises for an unknown theme, even for an empty string
        self._theme = theme
        self._dark = False
        self._heard: dict[str, Any] = {}
        """The number and the sender of the last message, which the answer repeats: it goes to all views of a widget."""
        self._drawn: Picture | None = None
        self._marks = ""
        self._state: dict[str, Any] = {}
        self._seen: Any = None
        self.position = 0
        """The number of positions shown so far, from which a page can tell that the position has changed."""

    @property
    def drawn(self) -> Picture | None:
        """The picture that the page shows; ``None`` before the first one."""
        return self._drawn

    @property
    def _theme_name(self) -> str:
        return self._theme or ("dark" if self._dark else "light")

    def still(self, words: str) -> str:
        """Returns HTML for the current picture, in the chosen theme or else in that of the page around it.

        * ``words``: the alternative text, for screen readers.
        """
        return image(lambda theme: self._draw(theme).render(), words, self._theme)

    def _draw(self, theme: str | None) -> Picture:
        """Returns the current picture; ``theme`` is the name of a theme, or ``None`` for the one that is set."""
        raise NotImplementedError

    def _answer(self, event: dict[str, Any]) -> None:
        """Performs what a message requests; raises an error if the message is invalid."""
        raise NotImplementedError

    def _greet(self, event: dict[str, Any]) -> None:
        """Answers ``hello``: forgets what was sent to the page, so that the next update is complete."""
        self._dark = bool(event.get("dark", self._dark))
        self._drawn, self._state, self._marks = None, {}, ""

    def _handle(self, event: dict[str, Any]) -> str:
        """Answers a message; returns a sentence about what is wrong with the message, or an empty string."""
        try:
            count = read_number("count", event.get("count", 0), int)
            self._heard = {"heard": count, "sender": str(event.get("sender", ""))}
            self._answer(event)
        except (ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
            sentence = str(error) if isinstance(error, ValueError) else "The page sent an incomplete message"
            return sentence[:1].upper() + sentence[1:] + ("" if sentence.endswith((".", "?")) else ".")
        return ""

    def _count(self, position: Any) -> None:
        """Counts a position if it differs from the last one."""
        if position != self._seen:
            self._seen, self.position = position, self.position + 1

    def _show(self, message: dict[str, Any], drawn: Picture, marks: str, state: dict[str, Any]) -> None:
        """Sends a message with the parts of the picture, of the marks on it and of the state that have changed."""
        before, self._drawn = self._drawn, drawn
        changes = None if before is None else drawn.changes(before)
        if changes is None:
            message["picture"] = drawn.render()
        elif changes:
            message["changes"] = changes
        if marks != self._marks or "picture" in message:
            message["marks"] = self._marks = marks
        message["state"] = changed(self._state, state)
        self._state = state
        self._send({"kind": "update", **message})
