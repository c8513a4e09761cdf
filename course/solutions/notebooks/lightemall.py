"""Solutions for the notebook on LightEmAll."""

from collections import deque

import numpy as np


def turned(mask, times):
    for _ in range(times % 4):
        mask = (mask << 1 & 15) | (mask >> 3)
    return mask


def power(wires, station):
    height, width = wires.shape
    on = np.zeros(wires.shape, dtype=bool)
    on[station] = True
    queue = deque([station])
    while queue:
        row, col = queue.popleft()
        for bit, back, r, c in (
            (1, 4, row - 1, col),
            (2, 8, row, col + 1),
            (4, 1, row + 1, col),
            (8, 2, row, col - 1),
        ):
            if 0 <= r < height and 0 <= c < width and not on[r, c] and wires[row, col] & bit and wires[r, c] & back:
                on[r, c] = True
                queue.append((r, c))
    return on


def my_diameter(nodes, edges):
    near = [[] for _ in range(nodes)]
    for u, v in edges:
        near[u].append(v)
        near[v].append(u)

    def farthest(source):
        steps = {source: 0}
        queue = deque([source])
        while queue:
            node = queue.popleft()
            for other in near[node]:
                if other not in steps:
                    steps[other] = steps[node] + 1
                    queue.append(other)
        return node, steps[node]

    return farthest(farthest(0)[0])[1]
