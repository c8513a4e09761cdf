"""Numba kernels that trace lines between float ends in float arithmetic, as users of numba would write them."""

from __future__ import annotations

import math
from typing import Any


def kernels(numba: Any) -> Any:
    """Returns the kernels ``paint``, ``lengths_appended``, ``lengths_into``, ``first_hit`` and ``count3``.

    The kernels implement the traversal of Amanatides and Woo, and Siddon's method for the length of a line in each
    cell. ``numba`` is the imported module.
    """
    import numpy as np

    # `examples/lines_beside_others.py` has a variant of this kernel that lists cells, because that script must run
    # without the repository. The kernels share no function for a step, as is usual in such code.
    @numba.njit
    def paint(board, segments, values):
        for i in range(len(segments)):
            y, x, to_y, to_x = segments[i]
            row, col = math.floor(y), math.floor(x)
            last_row, last_col = math.floor(to_y), math.floor(to_x)
            dy, dx = to_y - y, to_x - x
            step_row, step_col = (1 if dy > 0 else -1), (1 if dx > 0 else -1)
            pace_row = abs(1 / dy) if dy != 0 else np.inf
            pace_col = abs(1 / dx) if dx != 0 else np.inf
            next_row = ((row + (dy > 0)) - y) / dy if dy != 0 else np.inf
            next_col = ((col + (dx > 0)) - x) / dx if dx != 0 else np.inf
            board[row, col] = values[i]
            for _ in range(abs(last_row - row) + abs(last_col - col)):
                if next_row < next_col:
                    row += step_row
                    next_row += pace_row
                else:
                    col += step_col
                    next_col += pace_col
                if 0 <= row < board.shape[0] and 0 <= col < board.shape[1]:
                    board[row, col] = values[i]

    @numba.njit
    def lengths_appended(segments):
        cells, found = [(0, 0) for _ in range(0)], [0.0 for _ in range(0)]
        for i in range(len(segments)):
            y, x, to_y, to_x = segments[i]
            row, col = math.floor(y), math.floor(x)
            last_row, last_col = math.floor(to_y), math.floor(to_x)
            dy, dx = to_y - y, to_x - x
            length = math.sqrt(dy * dy + dx * dx)
            step_row, step_col = (1 if dy > 0 else -1), (1 if dx > 0 else -1)
            pace_row = abs(1 / dy) if dy != 0 else np.inf
            pace_col = abs(1 / dx) if dx != 0 else np.inf
            next_row = ((row + (dy > 0)) - y) / dy if dy != 0 else np.inf
            next_col = ((col + (dx > 0)) - x) / dx if dx != 0 else np.inf
            t = 0.0
            for _ in range(abs(last_row - row) + abs(last_col - col)):
                cells.append((row, col))
                if next_row < next_col:
                    found.append((next_row - t) * length)
                    t = next_row
                    row += step_row
                    next_row += pace_row
                else:
                    found.append((next_col - t) * length)
                    t = next_col
                    col += step_col
                    next_col += pace_col
            cells.append((row, col))
            found.append((1 - t) * length)
        return cells, found

    @numba.njit
    def lengths_into(segments, shape, columns, found, begins, clip):
        """Writes row-major cell indices and lengths into arrays, which must be large enough.

        Returns the number of cells.
        """
        height, width = shape
        n = 0
        for i in range(len(segments)):
            y, x, to_y, to_x = segments[i]
            dy, dx = to_y - y, to_x - x
            length = math.sqrt(dy * dy + dx * dx)
            begins[i] = n
            t, end = 0.0, 1.0
            if clip:
                for a, d, size in ((y, dy, height), (x, dx, width)):
                    if d != 0:
                        one, other = -a / d, (size - a) / d
                        t, end = max(t, min(one, other)), min(end, max(one, other))
                    elif a < 0 or a >= size:
                        end = -1.0
            if t >= end:
                continue
            row, col = math.floor(y + t * dy), math.floor(x + t * dx)
            row, col = min(max(row, 0), height - 1), min(max(col, 0), width - 1)
            step_row, step_col = (1 if dy > 0 else -1), (1 if dx > 0 else -1)
            pace_row = abs(1 / dy) if dy != 0 else np.inf
            pace_col = abs(1 / dx) if dx != 0 else np.inf
            next_row = ((row + (dy > 0)) - y) / dy if dy != 0 else np.inf
            next_col = ((col + (dx > 0)) - x) / dx if dx != 0 else np.inf
            while True:
                soon = min(next_row, next_col, end)
                columns[n] = row * width + col
                found[n] = (soon - t) * length
                n += 1
                if soon >= end:
                    break
                t = soon
                if next_row < next_col:
                    row += step_row
                    next_row += pace_row
                else:
                    col += step_col
                    next_col += pace_col
                if not (0 <= row < height and 0 <= col < width):
                    break
        begins[len(segments)] = n
        return n

    @numba.njit
    def first_hit(blocked, segments, hits):
        height, width = blocked.shape
        for i in range(len(segments)):
            y, x, to_y, to_x = segments[i]
            row, col = math.floor(y), math.floor(x)
            last_row, last_col = math.floor(to_y), math.floor(to_x)
            dy, dx = to_y - y, to_x - x
            step_row, step_col = (1 if dy > 0 else -1), (1 if dx > 0 else -1)
            pace_row = abs(1 / dy) if dy != 0 else np.inf
            pace_col = abs(1 / dx) if dx != 0 else np.inf
            next_row = ((row + (dy > 0)) - y) / dy if dy != 0 else np.inf
            next_col = ((col + (dx > 0)) - x) / dx if dx != 0 else np.inf
            hits[i] = -1
            for _ in range(abs(last_row - row) + abs(last_col - col) + 1):
                if 0 <= row < height and 0 <= col < width and blocked[row, col]:
                    hits[i] = row * width + col
                    break
                if next_row < next_col:
                    row += step_row
                    next_row += pace_row
                else:
                    col += step_col
                    next_col += pace_col

    @numba.njit
    def count3(counts, segments):
        for i in range(len(segments)):
            z, y, x, to_z, to_y, to_x = segments[i]
            k, j, h = math.floor(z), math.floor(y), math.floor(x)
            steps = abs(math.floor(to_z) - k) + abs(math.floor(to_y) - j) + abs(math.floor(to_x) - h)
            dz, dy, dx = to_z - z, to_y - y, to_x - x
            sz, sy, sx = (1 if dz > 0 else -1), (1 if dy > 0 else -1), (1 if dx > 0 else -1)
            pz, py, px = abs(1 / dz), abs(1 / dy), abs(1 / dx)
            nz, ny, nx = ((k + (dz > 0)) - z) / dz, ((j + (dy > 0)) - y) / dy, ((h + (dx > 0)) - x) / dx
            counts[k, j, h] += 1
            for _ in range(steps):
                if nz < ny:
                    if nz < nx:
                        k += sz
                        nz += pz
                    else:
                        h += sx
                        nx += px
                elif ny < nx:
                    j += sy
                    ny += py
                else:
                    h += sx
                    nx += px
                if 0 <= k < counts.shape[0] and 0 <= j < counts.shape[1] and 0 <= h < counts.shape[2]:
                    counts[k, j, h] += 1

    return paint, lengths_appended, lengths_into, first_hit, count3
