"""Checks minesweeper.csv by recursion over all that a player may know. Usage: python check_minesweeper.py [BOARDS]

For rows with at most BOARDS boards (default 2000), the boards that perfect play wins after each first field are counted
again. In all rows, the number of boards and the best first fields are checked, and that "lookahead" wins no more boards
than perfect play.
"""

import csv
import sys
from collections import defaultdict
from itertools import combinations
from math import comb
from pathlib import Path


class Perfect:
    """Perfect play on one board size and number of geese."""

    def __init__(self, height, width, geese):
        self.cells = [(row, col) for row in range(height) for col in range(width)]
        self.boards = [frozenset(chosen) for chosen in combinations(self.cells, geese)]
        self.near = {
            (r, c): [(y, x) for y, x in self.cells if (y, x) != (r, c) and max(abs(y - r), abs(x - c)) == 1]
            for r, c in self.cells
        }
        self.known = {}

    def number(self, board, cell):
        return sum(other in board for other in self.near[cell])

    def after(self, boards, shown, cell):
        """Returns how many boards are won if this cell is shown next."""
        parts = defaultdict(list)
        for board in boards:
            if cell not in board:
                parts[self.number(board, cell)].append(board)
        return sum(self.wins(part, shown | {cell}) for part in parts.values())

    def wins(self, boards, shown):
        """Returns how many boards are won; ``boards`` has all boards that agree with what the shown cells reveal."""
        if len(boards) == 1:
            return 1
        # What a player knows is which cells are shown, and their numbers, which are the same on all of the boards.
        seen = frozenset((cell, self.number(boards[0], cell)) for cell in shown)
        if seen not in self.known:
            hidden = [cell for cell in self.cells if cell not in shown]
            alive = {cell: sum(cell not in board for board in boards) for cell in hidden}
            certain = [cell for cell in hidden if alive[cell] == len(boards)]
            best = 0
            # A cell that is certain to be safe costs nothing and gives information, so no other cell is better.
            for cell in certain[:1] or sorted(hidden, key=lambda cell: -alive[cell]):
                if alive[cell] > best:
                    best = max(best, self.after(boards, shown, cell))
            self.known[seen] = best
        return self.known[seen]


def main(most):
    rows = again = 0
    for row in csv.DictReader(Path(__file__).with_name("minesweeper.csv").open()):
        height, width, geese = int(row["height"]), int(row["width"]), int(row["geese"])
        wins = {}
        for part in row["wins_by_first"].split():
            place, count = part.split(":")
            wins[tuple(map(int, place.split(",")))] = int(count)
        best = [cell for cell, count in wins.items() if count == int(row["wins"])]
        assert int(row["boards"]) == comb(height * width, geese)
        assert int(row["wins"]) == max(wins.values())
        assert row["best_first"] == " ".join(f"{r},{c}" for r, c in best), row
        assert 0 < int(row["lookahead"]) <= int(row["wins"]), row
        if (height, width, geese) == (4, 4, 4):
            assert (int(row["wins"]), int(row["boards"])) == (961, 1820), "the published value"
        # Every field is the image, under a symmetry of the board, of a field that the row of the file lists.
        images = set()
        for r, c in wins:
            places = {(y, x) for y in (r, height - 1 - r) for x in (c, width - 1 - c)}
            images |= places | ({(x, y) for y, x in places} if height == width else set())
        assert len(images) == height * width, row
        if int(row["boards"]) <= most:
            play = Perfect(height, width, geese)
            assert {cell: play.after(play.boards, frozenset(), cell) for cell in wins} == wins, row
            again += 1
        rows += 1
    print(f"minesweeper: {rows} rows are consistent, {again} of them computed again, no difference")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
