"""Checks komi.csv: minimax and random means by plain recursion. Usage: python check_komi.py [POSITIONS]

A row is computed again if the number of plays on the board, raised to the power of the number of plies, is at most
POSITIONS (default 3,000,000). If POSITIONS is 3,000,000 or more, the estimate of each remaining row is compared with
the mean of 2000 random games; the two may differ by at most five standard errors.
"""

import csv
import random
import sys
from functools import cache
from itertools import product
from pathlib import Path


def cells(play):
    """Returns the cells whose interior the segment between two cell centers crosses."""
    a, b, c, d = play
    down, right = c - a, d - b
    found = set()
    for row in range(min(a, c), max(a, c) + 1):
        for col in range(min(b, d), max(b, d) + 1):
            if 2 * abs(down * (col - b) - right * (row - a)) < abs(down) + abs(right) or down == right == 0:
                found.add((row, col))
    return frozenset(found)


def refused(rules, new, old):
    """Returns whether the play ``new`` is illegal because of the earlier play ``old``."""
    (a, b, c, d), (e, f, g, h) = new, old
    if (a + c, b + d) == (e + g, f + h) or (c - a) * (g - e) + (d - b) * (h - f) == 0:
        return True
    return rules == "uccs2023" and ((a, b) == (e, f) or (c, d) == (g, h))


def solver(rules, size, lookback):
    """Returns the number of plays, a function that solves a position, and a function that plays random games.

    The solver returns the margin of the player to move under best play and its mean under random play. The simulator
    returns the mean of O's cells minus X's cells at the end of a game, and the standard error of this mean.
    """
    plays = [p for p in product(range(size), repeat=4) if rules != "standard" or p[:2] != p[2:]]
    crossed = {p: cells(p) for p in plays}
    clash = {p: {q for q in plays if refused(rules, q, p)} for p in plays}

    def legal(window):
        return [p for p in plays if not any(p in clash[q] for q in window)]

    @cache
    def solve(own, other, window, left):
        choices = legal(window) if left else []
        if not choices:
            return len(own) - len(other), len(own) - len(other)
        best, total = -size * size, 0.0
        for p in choices:
            after = ((p, *window)[:lookback] if lookback else ()) if left > 1 else ()
            value, mean = solve(other - crossed[p], own | crossed[p], after, left - 1)
            best, total = max(best, -value), total - mean
        return best, total / len(choices)

    def simulate(plies, games=2000):
        margins, chance = [], random.Random(1)
        for _ in range(games):
            own, other, window, turn = frozenset(), frozenset(), (), 0
            while turn < plies and (choices := legal(window)):
                p = chance.choice(choices)
                own, other = other - crossed[p], own | crossed[p]
                window = (p, *window)[:lookback] if lookback else ()
                turn += 1
            margins.append((len(own) - len(other)) * (-1 if turn % 2 == 0 else 1))
        mean = sum(margins) / games
        return mean, (sum((m - mean) ** 2 for m in margins) / games / games) ** 0.5

    return len(plays), solve, simulate


def main(positions):
    checked, compared, made = 0, 0, None
    for row in csv.DictReader(Path(__file__).with_name("komi.csv").open()):
        rules, size, lookback, plies = row["rules"], int(row["size"]), int(row["lookback"]), int(row["plies"])
        if made != (rules, size, lookback):
            made = rules, size, lookback
            count, solve, simulate = solver(*made)
        estimate, error = float(row["random_estimate"]), float(row["random_error"])
        assert (row["random_mean"] != "") == (plies <= (6 if size < 4 else 4)), row  # as komi.md says
        if max(count, 2) ** plies <= positions:
            value, mean = solve(frozenset(), frozenset(), (), plies)
            assert int(row["komi"]) == -value, row
            assert row["random_mean"] == "" or abs(float(row["random_mean"]) + mean) < 1e-5, row
            assert abs(estimate + mean) <= 5 * error + 1e-9, row
            checked += 1
        elif positions >= 3_000_000:
            mean, wide = simulate(plies)
            assert abs(estimate - mean) <= 5 * (error**2 + wide**2) ** 0.5 + 1e-9, (row, mean, wide)
            compared += 1
    print(f"komi: {checked} rows computed again, {compared} rows compared with random games, no difference")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3_000_000)
