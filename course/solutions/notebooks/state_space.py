"""Solutions for the notebook on the state space."""

from collections import deque


def depths(graph, source):
    steps = {source: 0}
    queue = deque([source])
    while queue:
        node = queue.popleft()
        for other in graph[node]:
            if other not in steps:
                steps[other] = steps[node] + 1
                queue.append(other)
    return steps
