"""Solutions for the notebook on probability."""

from itertools import combinations

import numpy as np


def chances(game):
    cells = [tuple(cell) for cell in np.argwhere(game.hidden).tolist()]
    fitting = [world for world in combinations(cells, game.geese) if fits(game.view, world)]  # noqa: F821 - of the notebook
    chance = np.zeros(game.shape)
    for world in fitting:
        for cell in world:
            chance[cell] += 1 / len(fitting)
    return chance
