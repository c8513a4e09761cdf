"""Checks players.csv: the counts, and the game of each row, shown again field by field. Usage: python check_players.py

How often a policy wins cannot be checked without the policy. What can be: that the counts of a row are possible and
add up, that the game of the row is played by the rules and won or lost as the row says, and that the player never loses
where the logic of single numbers gives it a safe field.
"""

import csv
from math import sqrt
from pathlib import Path

HEIGHT, WIDTH, GEESE = 16, 30, 99
FIRST = {"safe": (0, 0), "zero": (3, 3)}
CELLS = [(row, col) for row in range(HEIGHT) for col in range(WIDTH)]
NEAR = {(r, c): [(y, x) for y, x in CELLS if (y, x) != (r, c) and max(abs(y - r), abs(x - c)) == 1] for r, c in CELLS}


def deduce(seen, safe, geese, work):
    """Adds to the safe cells and the geese what single numbers imply, beginning with the cells of `work`."""
    while work:
        cell = work.pop()
        if cell not in seen:
            continue
        hidden = [other for other in NEAR[cell] if other not in seen and other not in safe and other not in geese]
        need = seen[cell] - sum(other in geese for other in NEAR[cell])
        assert 0 <= need <= len(hidden)
        if hidden and need in (0, len(hidden)):
            (geese if need else safe).update(hidden)
            work += [number for other in hidden for number in NEAR[other]]


def replay(row):
    """Shows the fields of a row again; returns whether the game is won."""
    bits = f"{int(row['board'], 16):0{HEIGHT * WIDTH}b}"
    board = {cell for cell, bit in zip(CELLS, bits, strict=True) if bit == "1"}
    shows = [tuple(map(int, text.split(","))) for text in row["shows"].split()]
    first = FIRST[row["start"]]
    assert len(board) == GEESE
    assert shows[0] == first
    assert first not in board
    assert row["start"] == "safe" or not board & set(NEAR[first])
    seen, safe, geese = {}, set(), set()
    for number, cell in enumerate(shows):
        assert cell not in seen, f"{cell} is shown twice"
        # The field shown may be certain for another reason than a single number; it is never a risk then.
        assert not safe or cell not in board, f"{cell} is a goose, though {min(safe)} is certainly safe"
        if cell in board:
            assert number == len(shows) - 1, "the game goes on after a goose"
            return False
        # A zero shows its neighbors too, and goes no further.
        shown = [cell] if any(other in board for other in NEAR[cell]) else [cell, *NEAR[cell]]
        seen.update((other, sum(near in board for near in NEAR[other])) for other in shown)
        safe -= seen.keys()
        deduce(seen, safe, geese, [near for other in shown for near in (other, *NEAR[other])])
    assert len(seen) + GEESE == len(CELLS), "the game stops before its end"
    return True


def main():
    totals = {start: [0] * 4 for start in FIRST}
    won = 0
    rows = list(csv.DictReader(Path(__file__).with_name("players.csv").open()))
    for row in rows:
        games, near, far, only_near, only_far = (
            int(row[name]) for name in ("games", "lookahead", "deep", "only_lookahead", "only_deep")
        )
        assert near - only_near == far - only_far >= 0, row["block"]
        assert near + only_far <= games, row["block"]
        totals[row["start"]] = [
            sum(pair) for pair in zip(totals[row["start"]], (games, far, only_near, only_far), strict=True)
        ]
        assert replay(row) == bool(int(row["won"])), row["block"]
        won += int(row["won"])
    print(f"players: {len(rows)} games replayed, {won} of them won, all by the rules")
    for start, (games, far, only_near, only_far) in totals.items():
        # Of n paired games the difference is a mean of -1, 0 and 1.
        share, more = far / games, (only_far - only_near) / games
        error = sqrt(max((only_far + only_near) / games - more**2, 0) / games)
        print(
            f"players, {start}: {games} games, deep wins {share:.3%} +- {sqrt(share * (1 - share) / games):.3%}, "
            f"{more:+.4%} +- {error:.4%} beside lookahead"
        )


if __name__ == "__main__":
    main()
