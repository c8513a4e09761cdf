"""Checks bloxorz.csv and bloxorz_light.csv by breadth-first search. Usage: python check_bloxorz.py [FLOORS]

Every row: the histograms count all floors (and, by Burnside's lemma, all floors up to symmetry), and the example needs
as many rolls as the row says, from its start to its target. Rows of rectangles that have at most FLOORS floors in all
(default 65,536): every floor is searched from every start.
"""

import csv
import sys
from itertools import product
from pathlib import Path


def rolls_from(floor, light, start):
    """Returns the fewest rolls from standing on a cell to standing on each other cell. A block is a tuple of cells."""

    def rests(block):
        return all(cell in floor for cell in block) and not (len(block) == 1 and block[0] in light)

    found, layer, seen, rolls = {}, [(start,)], {(start,)}, 0
    while layer:
        if rolls:
            found.update((block[0], rolls) for block in layer if len(block) == 1)
        rolls += 1
        following = []
        for block in layer:
            (top, left), (bottom, right) = block[0], block[-1]
            if len(block) == 1:
                moved = [
                    ((top, left + 1), (top, left + 2)),
                    ((top, left - 2), (top, left - 1)),
                    ((top + 1, left), (top + 2, left)),
                    ((top - 2, left), (top - 1, left)),
                ]
            elif left != right:
                moved = [((top, right + 1),), ((top, left - 1),)]
                moved += [((top + by, left), (top + by, right)) for by in (1, -1)]
            else:
                moved = [((bottom + 1, left),), ((top - 1, left),)]
                moved += [((top, left + by), (bottom, left + by)) for by in (1, -1)]
            following += [other for other in moved if other not in seen and rests(other)]
            seen.update(following)
        layer = list(dict.fromkeys(following))
    return found


def images(height, width):
    """Yields the symmetries of a rectangle, as functions of a cell."""
    for down, right, turn in product((False, True), (False, True), (False, True)[: 1 + (height == width)]):

        def image(cell, down=down, right=right, turn=turn):
            row, col = (height - 1 - cell[0] if down else cell[0]), (width - 1 - cell[1] if right else cell[1])
            return (col, row) if turn else (row, col)

        yield image


def main(most):
    for name, kinds in (("bloxorz", 2), ("bloxorz_light", 3)):
        rows = searched = 0
        for row in csv.DictReader(Path(__file__).with_name(f"{name}.csv").open()):
            height, width, rolls = int(row["height"]), int(row["width"]), int(row["rolls"])
            cells = list(product(range(height), range(width)))
            one, every = (
                {int(r): int(n) for r, n in (part.split(":") for part in row[column].split())}
                for column in ("histogram", "histogram_with_images")
            )
            assert rolls == max(one) == max(every), row
            assert [int(row["floors"]), int(row["floors_with_images"])] == [one[rolls], every[rolls]]
            # Burnside: the mean number of floors that a symmetry leaves unchanged.
            fixed, group = 0, list(images(height, width))
            for image in group:
                left, cycles = set(cells), 0
                while left:
                    cell, cycles = left.pop(), cycles + 1
                    while (cell := image(cell)) in left:
                        left.remove(cell)
                fixed += kinds**cycles
            assert sum(every.values()) == kinds ** len(cells), row
            assert sum(one.values()) * len(group) == fixed, row
            if rolls:
                sign = dict(zip(cells, row["example"].replace("/", ""), strict=True))
                floor, light = {c for c in cells if sign[c] != "-"}, {c for c in cells if sign[c] == "."}
                start, target = (next(c for c in cells if sign[c] == s) for s in "ST")
                assert rolls_from(floor, light, start)[target] == rolls, row
            if kinds ** len(cells) <= most:
                counts = {}
                for kind in product(range(kinds), repeat=len(cells)):
                    floor = {c for c, k in zip(cells, kind, strict=True) if k}
                    light = {c for c, k in zip(cells, kind, strict=True) if k == 2}
                    lengths = [n for s in floor - light for n in rolls_from(floor, light, s).values()]
                    counts[max(lengths, default=0)] = counts.get(max(lengths, default=0), 0) + 1
                assert counts == every, row
                searched += 1
            rows += 1
        print(f"{name}: {rows} rows are consistent, {searched} of them searched again, no difference")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 65_536)
