"""Checks net.csv. Usage: python check_net.py [TREES]

Every row: the number of spanning trees by Kirchhoff's determinant. Rows of at most TREES trees (default 110,000): all
trees are listed and grouped by their tiles, and those that share their tiles with no other tree are counted.
"""

import csv
import sys
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path


def sides(shape, row):
    """Returns the steps to a cell's neighbors, clockwise; odd rows of hexagons are shifted right by half a cell."""
    if shape == "square":
        return [(-1, 0), (0, 1), (1, 0), (0, -1)]
    odd = row % 2
    return [(-1, odd), (0, 1), (1, odd), (1, odd - 1), (0, -1), (-1, odd - 1)]


def tile(mask):
    """Returns the wires of a cell up to rotation."""
    return min(mask[i:] + mask[:i] for i in range(len(mask)))


class Board:
    def __init__(self, shape, height, width):
        self.cells = list(product(range(height), range(width)))
        self.next = {c: [(c[0] + y, c[1] + x) for y, x in sides(shape, c[0])] for c in self.cells}
        inside = set(self.cells)
        self.edges = [(c, d) for c in self.cells for d in self.next[c] if c < d and d in inside]
        self.beside = {c: [d for d in self.next[c] if d in inside] for c in self.cells}

    def tiles(self, wires):
        return tuple(tile(tuple((min(c, d), max(c, d)) in wires for d in self.next[c])) for c in self.cells)

    def kirchhoff(self):
        """Returns the number of spanning trees: a minor of the Laplacian."""
        order = {c: i for i, c in enumerate(self.cells[1:])}
        matrix = [[Fraction(0)] * len(order) for _ in order]
        for c, i in order.items():
            matrix[i][i] = Fraction(len(self.beside[c]))
            for d in self.beside[c]:
                if d in order:
                    matrix[i][order[d]] = Fraction(-1)
        trees = Fraction(1)
        for i, row in enumerate(matrix):
            trees *= row[i]
            for other in matrix[i + 1 :]:
                if factor := other[i] / row[i]:
                    other[i:] = [a - factor * b for a, b in zip(other[i:], row[i:], strict=True)]
        return int(trees)

    def all_trees(self):
        """Yields all spanning trees: each edge is both taken, if it joins two parts, and left out."""

        def grow(at, part, wires):
            if len(wires) == len(self.cells) - 1:
                yield frozenset(wires)
            elif len(self.edges) - at >= len(self.cells) - 1 - len(wires):
                c, d = self.edges[at]
                if part[c] != part[d]:
                    joined = {e: part[c] if p == part[d] else p for e, p in part.items()}
                    yield from grow(at + 1, joined, [*wires, (c, d)])
                yield from grow(at + 1, part, wires)

        return grow(0, {c: c for c in self.cells}, [])


def main(most):
    rows = listed = 0
    for row in csv.DictReader(Path(__file__).with_name("net.csv").open()):
        board = Board(row["shape"], int(row["height"]), int(row["width"]))
        trees, unique = int(row["trees"]), int(row["unique"])
        assert trees == board.kirchhoff(), row
        assert abs(float(row["share"]) - unique / trees) < 1e-9, row
        if trees <= most:
            found = Counter(board.tiles(wires) for wires in board.all_trees())
            assert [sum(found.values()), list(found.values()).count(1)] == [trees, unique], row
            listed += 1
        rows += 1
    print(f"net: {rows} determinants, {listed} boards with all their trees, no difference")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 110_000)
