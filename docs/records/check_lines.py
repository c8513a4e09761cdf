"""Checks lines.csv. Usage: python check_lines.py [SIZE]

Every row: the closed form for the segments through corners, and sums over vectors for the other counts. Rows up to SIZE
(default 64): the traversal in floating point against the exact cells. Rows up to 12: all segments one by one.
"""

import csv
import sys
from itertools import product
from math import gcd, sqrt
from pathlib import Path


def through_corner(n):
    """Counts the segments through a corner by the formula of Theorem 2 in lines.md."""
    total, j = 0, 0
    while 2**j < n:
        pairs = []
        for step in (2**j, 2 ** (j + 1)):
            whole, rest = divmod(n, step)
            pairs.append(rest * (whole + 1) ** 2 + (step - rest) * whole**2)
        total += (pairs[0] - pairs[1]) ** 2
        j += 1
    return total


def exact(down, right):
    """Returns the cells whose interior a segment from (0, 0) crosses, in order."""
    cells, (row, col) = [(0, 0)], (0, 0)
    while (row, col) != (down, right):  # compares (2 row + 1) / down with (2 col + 1) / right
        first = (2 * row + 1) * right - (2 * col + 1) * down
        row, col = row + (first <= 0), col + (first >= 0)
        cells.append((row, col))
    return cells


def floating(down, right):
    """Returns the cells of the traversal of Amanatides and Woo with sums in floating point."""
    length = sqrt(down * down + right * right)
    cells, row, col = [(0, 0)], 0, 0
    next_row, next_col = 0.5 / (down / length), 0.5 / (right / length)
    while (row, col) != (down, right):
        tie = next_row == next_col
        by_row, by_col = tie or next_row < next_col, tie or next_row > next_col
        if (by_row and row == down) or (by_col and col == right):
            return cells  # the traversal missed the end
        if by_row:
            row, next_row = row + 1, next_row + 1.0 / (down / length)
        if by_col:
            col, next_col = col + 1, next_col + 1.0 / (right / length)
        cells.append((row, col))
    return cells


def one_by_one(n):
    """Counts the segments through a corner, and those through the center of a third cell, one by one."""
    corner = center = 0
    for a, b, c, d in product(range(n), repeat=4):
        down, right = abs(c - a), abs(d - b)
        common = gcd(down, right)
        center += common > 1
        # Twice the coordinates of a corner are odd numbers.
        odd = [(i, j) for i in range(1, 2 * down, 2) for j in range(1, 2 * right, 2)]
        corner += any(i * right == j * down for i, j in odd)
    return corner, center


def main(most):
    rows, traced, wrong = 0, 0, {}
    for row in csv.DictReader(Path(__file__).with_name("lines.csv").open()):
        n = int(row["size"])
        segments = n**4 - n**2
        corners = center = off = off_corner = 0
        for down, right in product(range(1, n), repeat=2):
            common = gcd(down, right)
            weight = 4 * (n - down) * (n - right)
            at_corner = down // common % 2 == 1 and right // common % 2 == 1
            corners += weight * common * at_corner
            center += weight * (common > 1)
            if n <= most:
                if (down, right) not in wrong:
                    wrong[down, right] = floating(down, right) != exact(down, right)
                off += weight * wrong[down, right]
                off_corner += weight * (wrong[down, right] and at_corner)
        center += sum(4 * n * (n - length) for length in range(2, n))
        assert (int(row["segments"]), int(row["through_corner"])) == (segments, through_corner(n)), row
        assert (int(row["corners"]), int(row["through_center"])) == (corners, center), row
        assert n & (n - 1) or 3 * through_corner(n) == segments, "a third for powers of two"
        if n <= most:
            assert (int(row["float_wrong"]), int(row["float_wrong_through_corner"])) == (off, off_corner), row
            traced += 1
        assert n > 12 or one_by_one(n) == (through_corner(n), center), row
        for name in ("through_corner", "through_center", "float_wrong"):
            assert abs(float(row[f"share_{name}"]) - int(row[name]) / segments) < 1e-8, row
        rows += 1
    print(f"lines: counts of {rows} rows computed again, {traced} of them traced in floating point, no difference")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 64)
