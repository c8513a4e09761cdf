"""Solutions for the notebook on Lights Out."""

import numpy as np


def my_solve(A, b):
    rows = np.column_stack([A, b]) % 2
    n, pivots = len(A), []
    for col in range(n):
        found = [row for row in range(len(pivots), n) if rows[row, col]]
        if not found:
            continue
        top = len(pivots)
        rows[[top, found[0]]] = rows[[found[0], top]]
        for row in range(n):
            if row != top and rows[row, col]:
                rows[row] ^= rows[top]
        pivots.append(col)
    if rows[len(pivots) :, n].any():
        return None, n - len(pivots)
    x = np.zeros(n, int)
    x[pivots] = rows[: len(pivots), n]
    return x, n - len(pivots)
