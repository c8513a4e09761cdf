"""Lines with integer ends, as in Linear Domination."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from gridwright import tracing

from .common import Row, compare, missing, peer, script

SIZE, LINES = 1000, 100_000


def rows() -> Iterator[Row]:
    """Yields the row on lines with integer ends; ``benches/limits.rs`` measures masks of legal plays."""
    rng = np.random.default_rng(1)
    segments = rng.integers(0, SIZE, (LINES, 4), dtype=np.int32)
    values = rng.integers(1, 256, LINES).astype(np.uint8)
    board = np.zeros((SIZE, SIZE), dtype=np.uint8)
    what, numba = "paint 100,000 segments with random integer ends on 1000x1000", peer("numba")
    if not numba:
        yield missing(what, ">= 1.5", "an exact numba kernel")
        return
    kernel = script("domination").numba_kernel(numba)
    yield compare(
        what,
        ">= 1.5",
        "an exact numba kernel",
        lambda: tracing.paint(board, segments, values, threads=1),
        lambda: kernel(board, segments, values),
    )
