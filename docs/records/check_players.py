"""Checks players.csv (counts, and one game per row) and lookahead.csv (counts). Usage: python check_players.py

How often a policy wins cannot be checked without the policy. What can be checked is that the counts of a row are
possible and add up, that the game of the row is played by the rules and won or lost as the row says, and that the
player never loses while single numbers prove a field safe. The shares are printed with their standard
errors.
"""

import csv
from math import sqrt
from pathlib import Path

HERE = Path(__file__).parent


def near(height, width):
    """Returns the neighbors of each cell."""
    cells = [(row, col) for row in range(height) for col in range(width)]
    return {
        (r, c): [(y, x) for y, x in cells if (y, x) != (r, c) and max(abs(y - r), abs(x - c)) == 1] for r, c in cells
    }


def deduce(near, seen, safe, geese, work):
    """Adds to the safe cells and the geese what single numbers imply, beginning with the cells of `work`."""
    while work:
        cell = work.pop()
        if cell not in seen:
            continue
        hidden = [other for other in near[cell] if other not in seen and other not in safe and other not in geese]
        need = seen[cell] - sum(other in geese for other in near[cell])
        assert 0 <= need <= len(hidden)
        if hidden and need in (0, len(hidden)):
            (geese if need else safe).update(hidden)
            work += [number for other in hidden for number in near[other]]


def replay(row):
    """Replays the game of a row; returns whether the game is won."""
    height, width, number = (int(row[name]) for name in ("height", "width", "geese"))
    beside = near(height, width)
    bits = f"{int(row['board'], 16):0{height * width}b}"
    board = {cell for cell, bit in zip(beside, bits, strict=True) if bit == "1"}
    shows = [tuple(map(int, text.split(","))) for text in row["shows"].split()]
    first = (0, 0) if row["start"] == "safe" else (3, 3) if width == 30 else (2, 2)
    assert len(board) == number
    assert shows[0] == first
    assert first not in board
    assert row["start"] == "safe" or not board & set(beside[first])
    seen, safe, geese = {}, set(), set()
    for shown_before, cell in enumerate(shows):
        assert cell not in seen, f"{cell} is shown twice"
        # The field shown may be safe for a reason other than a single number; then showing it is no risk.
        assert not safe or cell not in board, f"{cell} is a goose, though {min(safe)} is certainly safe"
        if cell in board:
            assert shown_before == len(shows) - 1, "the game goes on after a goose"
            return False
        # A zero also shows its neighbors, but a zero among them shows no further fields.
        shown = [cell] if any(other in board for other in beside[cell]) else [cell, *beside[cell]]
        seen.update((other, sum(goose in board for goose in beside[other])) for other in shown)
        safe -= seen.keys()
        deduce(beside, seen, safe, geese, [number for other in shown for number in (other, *beside[other])])
    assert len(seen) + len(board) == len(beside), "the game stops before its end"
    return True


def main():
    # By board and start: paired games, wins of each player, wins by only one of them; games and wins in lookahead.csv.
    totals = {}
    won = 0
    rows = list(csv.DictReader((HERE / "players.csv").open()))
    for row in rows:
        games, wins, deep, only, only_deep = map(int, list(row.values())[5:10])
        assert wins - only == deep - only_deep >= 0, row["block"]
        assert wins + only_deep <= games, row["block"]
        assert replay(row) == bool(int(row["won"])), row["block"]
        won += int(row["won"])
        total = totals.setdefault(tuple(row.values())[:4], [0] * 7)
        total[:5] = map(sum, zip(total, (games, wins, deep, only, only_deep), strict=False))
    for row in csv.DictReader((HERE / "lookahead.csv").open()):
        assert 0 <= int(row["wins"]) <= int(row["games"]), row
        total = totals[tuple(row.values())[:4]]
        total[5:] = total[5] + int(row["games"]), total[6] + int(row["wins"])
    print(f"players: {len(rows)} games replayed, {won} of them won, all by the rules")
    for (height, width, geese, start), (n, wins, deep, only, only_deep, more, more_wins) in totals.items():
        share, gain = (wins + more_wins) / (n + more), (deep - wins) / n
        error = sqrt(share * (1 - share) / (n + more))
        # The difference over n paired games is a mean of values -1, 0 and 1.
        spread = (only_deep + only) / n - gain**2
        # The share of deep is that of lookahead on all boards, plus the difference on some of them: the errors are
        # added as squares, with the covariance of the wins of lookahead and the differences on the paired boards.
        both = error**2 + spread / n + 2 * (-only / n - wins / n * gain) / (n + more)
        print(
            f"{height} x {width}, {geese} geese, {start}: lookahead {share:.3%} +- {error:.3%} of {n + more}; deep "
            f"{gain:+.3%} +- {sqrt(spread / n):.3%} of {n}, {share + gain:.3%} +- {sqrt(max(both, 0)):.3%} together"
        )


if __name__ == "__main__":
    main()
