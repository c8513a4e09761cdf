"""Lines with floats for ends: painted, measured, and followed to the first wall."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from gridwright import tracing

from .common import Row, missing, paired, peer, quick, script, span, times

SIZE = 1000

PEAK = """
import sys, scipy.sparse
import numpy as np
from gridwright import tracing
shape, angles = (512, 512), int(sys.argv[1])
rays = tracing.parallel_beam(shape, np.arange(angles) * np.pi / angles, 512)
def memory(name):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name))
before = memory("VmRSS")
matrix = tracing.system_matrix(shape, rays)
peak = memory("VmHWM") - before
own = matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes
print(peak * 1024 / own)
"""


def unasked(row: Row) -> Row:
    """A row for which nothing is specified."""
    return replace(row, met=None)


def rows() -> Iterator[Row]:
    """The rows of the specification of lines."""
    lines = quick(100_000, 2000)
    rng = np.random.default_rng(1)
    ends = rng.random((lines, 4)) * SIZE
    whole = rng.integers(0, SIZE, (lines, 4), dtype=np.int32)
    values = rng.integers(1, 256, lines).astype(np.uint8)
    board = np.zeros((SIZE, SIZE), dtype=np.uint8)
    numba = peer("numba")
    kernels = script("lines").kernels(numba) if numba else None

    def paint() -> None:
        tracing.paint(board, ends, values, origin="corner", threads=1)

    def paint_whole() -> None:
        tracing.paint(board, whole, values, threads=1)

    what = "paint 100,000 segments with random double ends on 1000x1000"
    ours, ints = paired(paint, paint_whole, rounds=9)
    reach = "<= 1.5x our own time for whole-number ends"
    yield Row(what, reach, span(ours), f"whole numbers {span(ints)}", f"{ours / ints:.2f} times", ours <= 1.5 * ints)
    if kernels:
        ours, theirs = paired(paint, lambda: kernels[0](board, ends, values), rounds=5)
        yield times(what, ">= 1x a numba traversal in floats", 1, ours, theirs, "numba")
    else:
        yield missing(what, ">= 1x a numba traversal in floats", "numba")
    features = peer("rasterio.features")
    if features:
        shapes = [
            ({"type": "LineString", "coordinates": [(b, a), (d, c)]}, int(value))
            for (a, b, c, d), value in zip(ends.tolist(), values.tolist(), strict=True)
        ]

        def rasterize() -> None:
            features.rasterize(shapes, out=board, all_touched=True)

        ours, theirs = paired(paint, rasterize, rounds=3)
        yield unasked(times(what, "", 0, ours, theirs, "rasterio.features.rasterize, one call"))
    else:
        yield missing(what, "", "rasterio")

    deep = rng.random((lines, 6)) * 256
    counts = np.zeros((256, 256, 256), np.uint32)
    what = "3-D: coverage of 100,000 segments through 256x256x256"
    if kernels:
        ours, theirs = paired(
            lambda: tracing.coverage((256, 256, 256), deep, origin="corner", threads=1),
            lambda: kernels[4](counts, deep),
            rounds=5,
        )
        yield times(what, ">= 1x a numba traversal in floats", 1, ours, theirs, "numba")
    blocked = rng.random((SIZE, SIZE)) < 0.1
    hits = np.empty(lines, np.int64)
    what = "first_hit on 100,000 rays, 1000x1000, 10 % blocked"
    if kernels:
        ours, theirs = paired(
            lambda: tracing.first_hit(blocked, ends, origin="corner"),
            lambda: kernels[3](blocked, ends, hits),
            rounds=9,
        )
        yield times(what, ">= 1x numba", 1, ours, theirs, "numba")

    small = rng.random((lines, 4)) * 512
    what = "lengths of 100,000 segments on 512x512"

    def lengths() -> None:
        tracing.lengths(small, origin="corner")

    if kernels:
        most = int((np.abs(np.floor(small[:, :2]) - np.floor(small[:, 2:])).sum(axis=1) + 1).sum())
        columns, found = np.empty(most, np.int64), np.empty(most)
        begins = np.empty(lines + 1, np.int64)
        ours, theirs = paired(lengths, lambda: kernels[1](small), rounds=1)
        yield times(what, ">= 5x a numba Siddon kernel that appends to lists", 5, ours, theirs, "numba")
        gc.collect()
        out = (np.empty((most + 1, 2), np.int32), np.empty(most + 1))
        into = paired(
            lambda: tracing.lengths(small, origin="corner", out=out),
            lambda: kernels[2](small, (512, 512), columns, found, begins, False),
            rounds=5,
        )
        yield times(what, ">= 1x one with output allocated before", 1, *into, "numba")
        del columns, found, out
    angles = quick(720, 12)
    rays = tracing.parallel_beam((512, 512), np.arange(angles) * np.pi / angles, 512)
    what = f"system matrix of 512x512, {angles} angles x 512 detectors"
    if kernels:
        most = tracing.system_matrix((512, 512), rays).nnz + len(rays)
        corner = rays + 0.5

        def theirs_fresh() -> None:
            # Arrays made anew, as for ours.
            columns, found, begins = np.empty(most, np.int32), np.empty(most), np.empty(len(rays) + 1, np.int64)
            kernels[2](corner, (512, 512), columns, found, begins, True)

        ours, theirs = paired(lambda: tracing.system_matrix((512, 512), rays), theirs_fresh, rounds=1)
        yield times(what, ">= 1x the numba Siddon kernel", 1, ours, theirs, "numba")
    peak = subprocess.run([sys.executable, "-c", PEAK, str(angles)], capture_output=True, text=True, check=True)
    share = float(peak.stdout)
    yield Row(what + ", peak memory", "<= 1.2x the bytes of the matrix", f"{share:.2f} times", "", "", share <= 1.2)
    transform = peer("skimage.transform")
    if transform:
        image = np.zeros((512, 512))
        image[128:384, 200:312] = 1
        some = quick(180, 12)
        degrees = np.arange(some) * 180 / some
        few = tracing.parallel_beam((512, 512), np.radians(degrees), 512)
        ours, theirs = paired(
            lambda: tracing.system_matrix((512, 512), few) @ image.ravel(),
            lambda: transform.radon(image, degrees),
            rounds=3,
        )
        what = f"one sinogram of {some} angles, the matrix built for it"
        yield unasked(times(what, "", 0, ours, theirs, "skimage radon"))
