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


def dead(graph, targets):
    before = {node: [] for node in graph}
    for node, following in graph.items():
        for other in following:
            before[other].append(node)
    alive, stack = set(targets), list(targets)
    while stack:
        for node in before[stack.pop()]:
            if node not in alive:
                alive.add(node)
                stack.append(node)
    return set(graph) - alive
