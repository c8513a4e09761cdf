"""Telling how far a long call is, in either way that people know: a callable, or an object like tqdm's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

__all__ = ["Teller"]

_Item = TypeVar("_Item")


class Teller:
    """Calls ``progress`` with all that is done, or its ``update`` with what is new.

    >>> seen = []
    >>> tell = Teller(seen.append)
    >>> tell.add(2), tell.add(3), seen
    (None, None, [2, 5])
    """

    def __init__(self, progress: Any) -> None:
        self._update = getattr(progress, "update", None)
        if progress is not None and self._update is None and not callable(progress):
            raise TypeError(f"progress of type {type(progress).__name__}, wanted a callable or an object with update")
        self._progress, self._count = progress, 0

    def add(self, new: int) -> None:
        """Says that so much more is done."""
        self._count += new
        if self._progress is None or not new:
            return
        if self._update is not None:
            self._update(new)
        else:
            self._progress(self._count)

    def each(self, items: Iterable[_Item]) -> Iterator[_Item]:
        """Hands out items; each is told as done when the next one is asked for.

        >>> seen = []
        >>> list(Teller(seen.append).each("ab")), seen
        (['a', 'b'], [1, 2])
        """
        for item in items:
            yield item
            self.add(1)
