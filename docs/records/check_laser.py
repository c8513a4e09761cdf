"""Checks laser.csv: traces boards with a tracer of its own. Usage: python check_laser.py [BOARDS]

Rows with at most BOARDS placements for all lasers and sensors together (default 700,000) are counted again. Every
example is searched breadth first, swap by swap: its only solution is as many swaps away as the row says.
"""

import csv
import sys
from collections import Counter
from itertools import combinations, product
from math import comb
from pathlib import Path

STEP = {"^": (-1, 0), ">": (0, 1), "v": (1, 0), "<": (0, -1)}
BACK = dict(zip("^>v<", "v<^>", strict=True))
BESIDE = {"^": "<>", "v": "<>", "<": "^v", ">": "^v"}
BEND = {"\\": dict(zip("^>v<", "<v>^", strict=True)), "/": dict(zip("^>v<", ">^<v", strict=True))}
PIECES = ("M\\", "M/", "B\\", "B/", "T^", "T>", "Tv", "T<")


def leaves(piece, heading):
    """Returns the headings with which light leaves a piece, by the heading with which the light enters."""
    kind, way = piece
    if kind == "M":
        return BEND[way][heading]
    if kind == "B":
        return BEND[way][heading] + heading
    if heading == BACK[way]:
        return BESIDE[way]
    return "" if heading == way else way


def is_lit(pieces, laser, sensor, height, width):
    """Returns whether the laser's light enters the open side of the sensor. Both are given as (cell, direction)."""
    heads, seen = [laser], {laser}
    while heads:
        (row, col), heading = heads.pop()
        cell = row + STEP[heading][0], col + STEP[heading][1]
        if cell == sensor[0] and heading == BACK[sensor[1]]:
            return True
        if cell in (sensor[0], laser[0]) or not (0 <= cell[0] < height and 0 <= cell[1] < width):
            continue
        for way in leaves(pieces[cell], heading) if cell in pieces else heading:
            if (cell, way) not in seen:
                seen.add((cell, way))
                heads.append((cell, way))
    return False


def check_example(row, height, width):
    tiles = [[line[3 * i :][:2] for i in range(width)] for line in row["example"].split("|")]
    cells = {(r, c): tiles[r][c] for r, c in product(range(height), range(width))}
    laser, sensor = (next((cell, t[1]) for cell, t in cells.items() if t[0] == kind) for kind in "LS")
    free = [cell for cell in cells if cell not in (laser[0], sensor[0])]
    start = tuple(cells[cell] if cells[cell] in PIECES else "" for cell in free)
    assert len(start) - start.count("") == int(row["pieces"])
    layer, seen, swaps, solutions = [start], {start}, 0, []
    while layer:
        following = []
        for board in layer:
            if is_lit({c: t for c, t in zip(free, board, strict=True) if t}, laser, sensor, height, width):
                solutions.append(swaps)
            for i, j in combinations(range(len(board)), 2):
                if board[i] != board[j]:
                    other = list(board)
                    other[i], other[j] = other[j], other[i]
                    if (other := tuple(other)) not in seen:
                        seen.add(other)
                        following.append(other)
        layer, swaps = following, swaps + 1
    assert solutions == [int(row["swaps"])], (row, solutions)


def main(most):
    rows = again = 0
    for row in csv.DictReader(Path(__file__).with_name("laser.csv").open()):
        height, width, pieces = int(row["height"]), int(row["width"]), int(row["pieces"])
        cells = list(product(range(height), range(width)))
        pairs, rows = 16 * len(cells) * (len(cells) - 1), rows + 1
        assert row["example"], row
        assert int(row["puzzles"]) == pairs * comb(7 + pieces, pieces), row
        check_example(row, height, width)
        if pairs * comb(len(cells) - 2, pieces) * 8**pieces <= most:
            found = Counter()
            for one, other, way, opening in product(cells, cells, STEP, STEP):
                if one != other:
                    free, lit, unlit = [cell for cell in cells if cell not in (one, other)], Counter(), Counter()
                    for places, kinds in product(combinations(free, pieces), product(PIECES, repeat=pieces)):
                        board = dict(zip(places, kinds, strict=True))
                        counts = lit if is_lit(board, (one, way), (other, opening), height, width) else unlit
                        counts[tuple(sorted(kinds))] += 1
                    once = [kinds for kinds, count in lit.items() if count == 1]
                    found.update(solvable=len(lit), unique=len(once), unique_starts=sum(unlit[kinds] for kinds in once))
            assert all(int(row[name]) == count for name, count in found.items()), (row, found)
            again += 1
    print(f"laser: {rows} rows, {again} of them counted again, all examples searched, no difference")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 700_000)
