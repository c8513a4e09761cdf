"""Seeded random choices, drawn from the random number generator of the engines."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import TypeVar

from .. import _core

__all__ = ["Choices"]

_Item = TypeVar("_Item")

_BLOCK = 64
"""The number of 64-bit words requested from the generator at a time."""


class Choices:
    """A stream of random choices; equal arguments make equal streams on every platform.

    * ``seed``: an integer from 0 to 2^64 - 1.
    * ``label``: a name for the stream; streams with different labels are independent of each other.

    >>> choices = Choices(1, "example")
    >>> [choices.below(6) for _ in range(5)]
    [2, 2, 5, 0, 3]
    """

    def __init__(self, seed: int, label: str) -> None:
        self._seed, self._stream = seed, zlib.crc32(label.encode())
        self._words: list[int] = []
        self._blocks = 0

    def word(self) -> int:
        """Returns 64 random bits, which can seed a generator."""
        if not self._words:
            # The lower 32 bits of the stream number are the checksum of the label; the upper bits count the blocks.
            self._words = _core.random_words(self._seed, self._stream | self._blocks << 32, _BLOCK)
            self._words.reverse()
            self._blocks += 1
        return self._words.pop()

    def below(self, n: int) -> int:
        """Returns an integer from 0 to n - 1.

        * ``n``: the number of choices, from 1 to 2^32. All are equally likely, up to a relative error of 2^-32.
        """
        # The upper half of the 128-bit product is the word, scaled from 0..2^64 - 1 to 0..n - 1.
        return self.word() * n >> 64

    def between(self, least: int, most: int) -> int:
        """Returns a random integer between two bounds.

        * ``least``, ``most``: the bounds, both included; ``most`` must be at least ``least``.
        """
        return least + self.below(most - least + 1)

    def one_of(self, items: Sequence[_Item]) -> _Item:
        """Returns a random item.

        * ``items``: what to choose from, at least one item.
        """
        return items[self.below(len(items))]

    def sample(self, items: Sequence[_Item], n: int) -> list[_Item]:
        """Returns a random sample without replacement, in random order.

        * ``items``: what to choose from.
        * ``n``: the size of the sample, 0 to ``len(items)``.
        """
        found = list(items)
        for i in range(n):
            j = i + self.below(len(found) - i)  # Fisher-Yates, stopped after n items
            found[i], found[j] = found[j], found[i]
        return found[:n]
