"""Checks net_estimates.csv and net.csv by random samples. Usage: python check_net_estimates.py [SAMPLES] [SIZE]

For each board of at most SIZE rows (default 14), draws SAMPLES (default 400) random trees by Wilson's method and counts
all solutions of each: the share with one solution must agree within four and a half standard errors.
"""

import csv
import random
import sys
from collections import defaultdict
from itertools import product
from pathlib import Path

HERE = Path(__file__).parent


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
        self.beside = {c: [d for d in self.next[c] if d in inside] for c in self.cells}

    def tiles(self, wires):
        return tuple(tile(tuple((min(c, d), max(c, d)) in wires for d in self.next[c])) for c in self.cells)

    def wilson(self, chance):
        """Returns a random spanning tree, made of loop-erased random walks to the tree built so far."""
        way, done = {}, {self.cells[0]}
        for start in self.cells:
            c = start
            while c not in done:
                way[c] = c = chance.choice(self.beside[c])
            c = start
            while c not in done:
                done.add(c)
                c = way[c]
        return {(min(c, way[c]), max(c, way[c])) for c in self.cells[1:]}

    def solutions(self, tiles):
        """Counts the spanning trees with these tiles, cell by cell. A state records which open wires are connected."""
        states = {frozenset(): 1}
        for c, shape in zip(self.cells, tiles, strict=True):
            following = defaultdict(int)
            turns = {shape[i:] + shape[:i] for i in range(len(shape))}
            for (state, count), mask in product(states.items(), turns):
                # A state is a set of components, each the set of its open wires.
                out = {(c, d) for d, on in zip(self.next[c], mask, strict=True) if on and c < d}
                into = {(d, c) for d, on in zip(self.next[c], mask, strict=True) if on and d < c}
                met = [part for part in state if any(d == c for _, d in part)]
                here = [wire for part in met for wire in part if wire[1] == c]
                if set(here) != into or len(met) != len(into) or any(d not in self.beside[c] for _, d in out):
                    continue
                joined = frozenset(out.union(*met) - into)
                rest = state.difference(met)
                if joined or (not rest and c == self.cells[-1]):
                    following[rest | {joined} if joined else rest] += count
            states = following
        return sum(states.values())


def main(samples, most):
    chance, rows = random.Random(1), 0

    def compare(shape, height, width, share, error):
        board = Board(shape, height, width)
        unique = sum(board.solutions(board.tiles(board.wilson(chance))) == 1 for _ in range(samples))
        wide = max(share * (1 - share), 1 / samples) / samples
        assert abs(unique / samples - share) <= 4.5 * (wide + error**2) ** 0.5, (shape, height, width, unique, samples)

    for row in csv.DictReader((HERE / "net.csv").open()):
        if int(row["height"]) <= most:
            compare(row["shape"], int(row["height"]), int(row["width"]), float(row["share"]), 0)
            rows += 1
    for row in csv.DictReader((HERE / "net_estimates.csv").open()):
        share, sampled = int(row["unique"]) / int(row["sampled"]), int(row["sampled"])
        assert abs(float(row["share"]) - share) < 1e-6, row
        assert abs(float(row["error"]) - (share * (1 - share) / sampled) ** 0.5) < 1e-6, row
        assert (row["below"] == "") if share else abs((1 - float(row["below"])) ** sampled - 0.05) < 0.01, row
        if int(row["size"]) <= most:
            compare(row["shape"], int(row["size"]), int(row["size"]), share, float(row["error"]))
            rows += 1
    print(f"net_estimates: {rows} shares agree with {samples} random trees each")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]), *(400, 14)[len(sys.argv) - 1 :])
