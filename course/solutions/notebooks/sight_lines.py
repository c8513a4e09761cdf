"""Solutions for the notebook on sight lines."""

import numpy as np
from gridwright import tracing


def seen_from(walls, cell):
    seen = np.zeros(walls.shape, dtype=bool)
    for end in np.ndindex(walls.shape):
        between = tracing.trace(cell, end)[1:-1]
        seen[end] = not walls[tuple(between.T)].any()
    return seen


def sees_one(walls, a, b):
    return not any(walls[tuple(cell)] for cell in tracing.trace(a, b)[1:-1].tolist())
