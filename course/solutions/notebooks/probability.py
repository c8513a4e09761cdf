"""Solutions for the notebook on probability."""

from itertools import combinations

import numpy as np


def chances(game):
    cells = [tuple(cell) for cell in np.argwhere(game.hidden).tolist()]
    fitting = [world for world in combinations(cells, game.geese) if fits(game.view, world)]  # noqa: F821 - from the notebook
    chance = np.zeros(game.shape)
    for world in fitting:
        for cell in world:
            chance[cell] += 1 / len(fitting)
    return chance


def estimate(game, draws, rng):
    cells = [tuple(cell) for cell in np.argwhere(game.hidden).tolist()]
    hits, kept = np.zeros(game.shape), 0
    for _ in range(draws):
        world = [cells[k] for k in rng.choice(len(cells), game.geese, replace=False)]
        if fits(game.view, world):  # noqa: F821 - from the notebook
            kept += 1
            for cell in world:
                hits[cell] += 1
    return hits / kept
