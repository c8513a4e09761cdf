"""Progress of long calls, reported to a callable or to an object with ``update``, such as a tqdm bar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from .arguments import reports

__all__ = ["ProgressReporter"]

_Item = TypeVar("_Item")


class ProgressReporter:
    """Reports progress: calls ``progress`` with the total so far, or ``progress.update`` with the increase.

    * ``progress``: a callable, an object with ``update``, or ``None`` for no reports; raises ``TypeError`` otherwise.

    >>> seen = []
    >>> tell = ProgressReporter(seen.append)
    >>> tell.add(2), tell.add(3), seen
    (None, None, [2, 5])
    """

    def __init__(self, progress: Any) -> None:
        self._update = reports("progress", progress)
        self._progress, self._count = progress, 0

    def add(self, new: int) -> None:
        """Reports progress.

        * ``new``: the number of units done since the last report; nothing is reported for 0.
        """
        self._count += new
        if self._progress is None or not new:
            return
        if self._update is not None:
            self._update(new)
        else:
            self._progress(self._count)

    def each(self, items: Iterable[_Item]) -> Iterator[_Item]:
        """Iterates over items and reports each as done when the next one is requested.

        * ``items``: any iterable.

        >>> seen = []
        >>> list(ProgressReporter(seen.append).each("ab")), seen
        (['a', 'b'], [1, 2])
        """
        for item in items:
            yield item
            self.add(1)
