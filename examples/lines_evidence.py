"""Tests the tracing of lines with float ends against exact fractions and against the reversed lines.

``python examples/lines_evidence.py [SEGMENTS] [ORACLE]`` traces ``SEGMENTS`` adversarial segments (10^7 by default,
rounded up to a multiple of 10^5) forward and reversed. It also traces ``ORACLE`` of the segments (10^6 by default, at
most half of all segments) with exact fractions, and compares clipped counts, lengths and first hits with the traced
cells. It prints the numbers of differences, all of which must be 0. It takes about ten minutes on two processors.
"""

from __future__ import annotations

import itertools
import math
import multiprocessing
import sys
import time
from fractions import Fraction
from typing import Any

import numpy as np
from gridwright import tracing

PIECE = 100_000
KINDS = (
    "on borders",
    "on centers",
    "one ulp from a border",
    "one ulp from a center",
    "nearly perpendicular to an axis",
    "tiny mixed with borders and centers",
    "equal ends",
    "decimals of one or three places",
    "tiny mixed with uniformly random",
    "exact and rounded diagonals",
    "uniformly random",
)
"""The kinds of segments. The names apply to the origin "center"; the origin "corner" exchanges borders and centers."""


def crossed(tail: list[float], head: list[float], corner: bool) -> list[list[int]]:
    """Returns the cells of the thin line from ``tail`` to ``head``, computed from the definition in exact fractions.

    ``corner`` is true for the origin "corner", in which borders are at integers, and false for the origin "center", in
    which borders are at half-integers.
    """
    shift = 0 if corner else Fraction(1, 2)
    a, b = ([Fraction(x) + shift for x in end] for end in (tail, head))
    times = {Fraction(0), Fraction(1)}
    for x, y in zip(a, b, strict=True):
        if x != y:
            inside = range(math.floor(min(x, y)), math.floor(max(x, y)) + 1)
            times |= {t for t in ((k - x) / (y - x) for k in inside) if 0 < t < 1}
    cells: list[list[int]] = []
    for before, after in itertools.pairwise(sorted(times)):
        t = (before + after) / 2
        cell = [math.floor(x + t * (y - x)) for x, y in zip(a, b, strict=True)]
        if not cells or cells[-1] != cell:
            cells.append(cell)
    return cells


def adversarial(rng: np.random.Generator, count: int, rank: int, size: int) -> tuple[Any, Any]:
    """Returns ``count`` segments of random kinds, ``(count, 2 * rank)``, and the index in ``KINDS`` of each segment.

    ``rank`` is the number of coordinates of an end. Most coordinates are between ``-size`` and ``size``.
    """
    kinds = rng.integers(0, len(KINDS), count)
    shape = (count, 2 * rank)
    whole = rng.integers(-size, size + 1, shape).astype(float)
    # `sign` determines only the direction of `nextafter`: its values are far beyond every end.
    borders, sign = whole + 0.5, rng.choice([-(9.0**9), 9.0**9], shape)
    tiny = rng.choice([5e-324, -5e-324, 1e-310, -1e-300, 2.0**-60, -0.0, 1e-17], shape)
    spread = rng.uniform(-size, size, shape)
    decimals = np.where(rng.random(shape) < 0.5, np.round(spread, 1), np.round(spread, 3))
    flat = spread.copy()
    axis = rng.integers(0, rank, count)
    flat[np.arange(count), rank + axis] = np.nextafter(
        flat[np.arange(count), axis], flat[np.arange(count), axis] + rng.choice([-1, 0, 1], count)
    )
    same = np.where(rng.random(shape) < 0.5, borders, decimals)
    same[:, rank:] = same[:, :rank]
    diagonal = rng.choice([0.1, 0.25, 0.7, 1e-9], (count, 1)) + whole
    diagonal[:, rank:] = diagonal[:, :rank] + rng.integers(-size, size + 1, (count, 1)) * rng.choice(
        [-1, 1], (count, rank)
    )
    # Borders are at integers with the origin "corner", and at half-integers with "center"; a mixture covers both.
    halves = np.where(rng.random(shape) < 0.5, whole, borders)
    mixed = np.where(rng.random(shape) < 0.4, tiny, spread)
    table = [
        borders,
        whole,
        np.nextafter(borders, sign),
        np.nextafter(whole, sign),
        flat,
        np.where(rng.random(shape) < 0.5, tiny, np.where(whole == 0, tiny, halves)),
        same,
        decimals,
        mixed,
        diagonal,
        spread,
    ]
    ends = np.choose(kinds[:, None], table)
    # One segment in ten, of any kind, begins on a border or a center instead.
    other = rng.random(count) < 0.1
    ends[other, :rank] = halves[other, :rank]
    return ends, kinds


def piece(task: tuple[int, int]) -> tuple[int, int, int, list[Any]]:
    """Checks ``PIECE`` segments; ``task`` is a seed and the number of segments that are checked with exact fractions.

    Returns the number of segments, the number of segments checked with exact fractions, the number of cells, and the
    differences.
    """
    seed, asked = task
    rng = np.random.default_rng(seed)
    # One piece in ten is in three dimensions, namely the pieces with the seeds 1, 11, 21, ...
    rank = 2 + seed % 2 * (seed % 5 == 1)
    corner = bool(seed // 2 % 2)
    origin = "corner" if corner else "center"
    size = 3 if asked else int(rng.choice([3, 3, 3, 3, 10, 10, 40]))
    ends, kinds = adversarial(rng, PIECE, rank, size)
    wrong = []
    cells, offsets = tracing.trace_many(ends, origin=origin)
    back, back_offsets = tracing.trace_many(ends[:, [*range(rank, 2 * rank), *range(rank)]], origin=origin)
    lengths = np.diff(offsets)
    if not np.array_equal(offsets, back_offsets):
        wrong.append(("reversed", seed, "different numbers of cells"))
    else:
        # Row i of a forward trace is row (first + last - i) of the reversed trace.
        order = np.repeat(offsets[:-1] + offsets[1:] - 1, lengths) - np.arange(len(cells))
        bad = np.flatnonzero((cells != back[order]).any(axis=1))
        wrong += [("reversed", seed, ends[k].tolist()) for k in np.unique(np.searchsorted(offsets, bad, "right")) - 1]
    shape = (size, size + 1, size)[:rank]
    counts = tracing.coverage(shape, ends, origin=origin, clip=True)
    inside = ((cells >= 0) & (cells < shape)).all(axis=1)
    expected = np.zeros(shape, np.int64)
    np.add.at(expected, tuple(cells[inside].T), 1)
    if not np.array_equal(counts, expected):
        wrong.append(("clipped", seed, "different counts"))
    listed, measured_offsets, found = tracing.lengths(ends, origin=origin)
    whole = np.hypot.reduce(ends[:, :rank] - ends[:, rank:], axis=1)
    if not (np.array_equal(listed, cells) and np.array_equal(measured_offsets, offsets)):
        wrong.append(("measured", seed, "different cells"))
    elif (np.abs(np.add.reduceat(found, offsets[:-1]) - whole) > 64 * np.spacing(whole)).any():
        wrong.append(("measured", seed, "different sums of lengths"))
    blocked = rng.random(shape) < 0.2
    met = blocked[tuple(cells[inside].T)]
    first = np.full(len(ends), -1)
    # numpy keeps the last value for a repeated index, which is the first hit because the order is reversed.
    first[np.repeat(np.arange(len(ends)), lengths)[inside][met][::-1]] = np.ravel_multi_index(
        tuple(cells[inside][met].T), shape
    )[::-1]
    if not np.array_equal(tracing.first_hit(blocked, ends, origin=origin), first):
        wrong.append(("hit", seed, "different first hits"))
    for k in range(asked):
        row = ends[k].tolist()
        if cells[offsets[k] : offsets[k + 1]].tolist() != crossed(row[:rank], row[rank:], corner):
            wrong.append((KINDS[kinds[k]], seed, row))
    return PIECE, asked, len(cells), wrong


def main() -> None:
    """Traces all segments and prints the number of differences of each kind; exits with status 1 if there are any."""
    total = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
    oracle = int(float(sys.argv[2])) if len(sys.argv) > 2 else 1_000_000
    pieces = -(-total // PIECE)
    # Half of the segments of each piece are checked with exact fractions, until `oracle` segments are checked.
    asked = [min(PIECE, max(0, oracle - k * PIECE // 2)) if k * PIECE // 2 < oracle else 0 for k in range(pieces)]
    asked = [min(part, PIECE // 2) for part in asked]
    began, segments, checked, cells, wrong = time.time(), 0, 0, 0, []
    with multiprocessing.get_context("spawn").Pool() as pool:
        for done, given, met, found in pool.imap_unordered(piece, enumerate(asked)):
            segments, checked, cells = segments + done, checked + given, cells + met
            wrong += found
            print(
                f"\r{segments:,} segments, {checked:,} checked with exact fractions, {len(wrong)} differences",
                end="",
                flush=True,
            )
    print(f"\n{cells:,} cells in {time.time() - began:.0f} s; kinds: {', '.join(KINDS)}")
    print(f"differences from the oracle: {sum(kind in KINDS for kind, *_ in wrong)} of {checked:,}")
    print(f"differences between forward and reversed: {sum(kind == 'reversed' for kind, *_ in wrong)} of {segments:,}")
    clipped = sum(kind == "clipped" for kind, *_ in wrong)
    print(f"pieces whose clipped counts differ from the traced cells: {clipped}")
    print(f"pieces whose lengths differ from the traced cells: {sum(kind == 'measured' for kind, *_ in wrong)}")
    print(f"pieces whose first hits differ from the traced cells: {sum(kind == 'hit' for kind, *_ in wrong)}")
    for line in wrong[:20]:
        print(line)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
