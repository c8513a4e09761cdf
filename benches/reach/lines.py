"""Lines with float ends: painting, coverage, first hits, lengths, and tomography."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
from gridwright import tracing

from .common import Row, compare, keep_memory, missing, peer, quick, script, times

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


def rows() -> Iterator[Row]:
    """Yields the rows of lines with float ends, including tomography."""
    lines = quick(100_000, 2000)
    rng = np.random.default_rng(1)
    ends = rng.random((lines, 4)) * SIZE
    whole = rng.integers(0, SIZE, (lines, 4), dtype=np.int32)
    values = rng.integers(1, 256, lines).astype(np.uint8)
    board = np.zeros((SIZE, SIZE), dtype=np.uint8)
    numba = peer("numba")
    # Kernels 0 to 4: paint, lengths into new lists, lengths into given arrays, first hits, coverage in 3-D.
    kernels = script("lines").kernels(numba) if numba else None

    def paint() -> None:
        tracing.paint(board, ends, values, origin="corner", threads=1)

    def paint_whole() -> None:
        tracing.paint(board, whole, values, threads=1)

    what = "paint 100,000 segments with random float ends on 1000x1000"
    yield times(what, "<= 1.5", "as many segments with random integer ends", paint, paint_whole)
    if not numba:
        yield missing(what, ">= 1", "a numba traversal in floats")
    else:
        yield compare(what, ">= 1", "a numba traversal in floats", paint, lambda: kernels[0](board, ends, values))
    features = peer("rasterio.features")
    if features:
        shapes = [
            ({"type": "LineString", "coordinates": [(b, a), (d, c)]}, int(value))
            for (a, b, c, d), value in zip(ends.tolist(), values.tolist(), strict=True)
        ]

        def rasterize() -> None:
            features.rasterize(shapes, out=board, all_touched=True)

        yield compare(what, "", "rasterio.features.rasterize, one call", paint, rasterize, rounds=3)
    else:
        yield missing(what, "", "rasterio")

    deep = rng.random((lines, 6)) * 256
    counts = np.zeros((256, 256, 256), np.uint32)
    what = "3-D: coverage of 100,000 segments through 256x256x256"
    if kernels:
        yield compare(
            what,
            ">= 1",
            "a numba traversal in floats",
            lambda: tracing.coverage((256, 256, 256), deep, origin="corner", threads=1),
            lambda: kernels[4](counts, deep),
            rounds=5,
        )
    else:
        yield missing(what, ">= 1", "a numba traversal in floats")
    blocked = rng.random((SIZE, SIZE)) < 0.1
    hits = np.empty(lines, np.int64)
    what = "first_hit on 100,000 rays, 1000x1000, 10% blocked"
    if kernels:
        yield compare(
            what,
            ">= 1",
            "a numba traversal in floats",
            lambda: tracing.first_hit(blocked, ends, origin="corner"),
            lambda: kernels[3](blocked, ends, hits),
        )
    else:
        yield missing(what, ">= 1", "a numba traversal in floats")

    small = rng.random((lines, 4)) * 512
    what = "lengths of 100,000 segments on 512x512"

    def lengths() -> None:
        tracing.lengths(small, origin="corner")

    if kernels:
        most = int((np.abs(np.floor(small[:, :2]) - np.floor(small[:, 2:])).sum(axis=1) + 1).sum())
        columns, found = np.empty(most, np.int64), np.empty(most)
        begins = np.empty(lines + 1, np.int64)
        yield compare(
            what, ">= 5", "a numba Siddon kernel that appends to lists", lengths, lambda: kernels[1](small), rounds=3
        )
        gc.collect()
        out = (np.empty((most + 1, 2), np.int32), np.empty(most + 1))
        yield compare(
            f"{what} into out=",
            ">= 1",
            "a numba Siddon kernel with preallocated output",
            lambda: tracing.lengths(small, origin="corner", out=out),
            lambda: kernels[2](small, (512, 512), columns, found, begins, False),
            rounds=5,
        )
        del columns, found, out
    else:
        yield missing(what, ">= 5", "a numba Siddon kernel that appends to lists")
        yield missing(f"{what} into out=", ">= 1", "a numba Siddon kernel with preallocated output")
    angles = quick(720, 12)
    rays = tracing.parallel_beam((512, 512), np.arange(angles) * np.pi / angles, 512)
    what = f"system matrix of 512x512, {angles} angles x 512 detectors"
    if kernels:
        most = tracing.system_matrix((512, 512), rays).nnz + len(rays)
        corner = rays + 0.5

        def theirs_fresh() -> None:
            # New arrays for each call, because `system_matrix` allocates new arrays too.
            columns, found, begins = np.empty(most, np.int32), np.empty(most), np.empty(len(rays) + 1, np.int64)
            kernels[2](corner, (512, 512), columns, found, begins, True)

        keep_memory()
        yield compare(
            f"{what}, into reused memory",
            ">= 1",
            "the numba Siddon kernel, new arrays",
            lambda: tracing.system_matrix((512, 512), rays),
            theirs_fresh,
            rounds=7,
        )
    else:
        yield missing(f"{what}, into reused memory", ">= 1", "the numba Siddon kernel, new arrays")
    peak = subprocess.run([sys.executable, "-c", PEAK, str(angles)], capture_output=True, text=True, check=True)
    share = float(peak.stdout)
    yield Row(f"{what}, peak memory", "the bytes of the matrix", "<= 1.2", [share], "times")
    transform = peer("skimage.transform")
    some = quick(180, 12)
    what = f"one sinogram of {some} angles, including the construction of the matrix"
    if transform:
        image = np.zeros((512, 512))
        image[128:384, 200:312] = 1
        degrees = np.arange(some) * 180 / some
        few = tracing.parallel_beam((512, 512), np.radians(degrees), 512)
        yield compare(
            what,
            "",
            "skimage radon",
            lambda: tracing.system_matrix((512, 512), few) @ image.ravel(),
            lambda: transform.radon(image, degrees),
            rounds=3,
        )
    else:
        yield missing(what, "", "skimage radon")
