"""Solutions for the notebook on Kruskal's algorithm."""


class Sets:
    def __init__(self, n):
        self.parents = list(range(n))
        self.sizes = [1] * n

    def find(self, node):
        root = node
        while self.parents[root] != root:
            root = self.parents[root]
        while self.parents[node] != root:
            self.parents[node], node = root, self.parents[node]
        return root

    def union(self, u, v):
        u, v = self.find(u), self.find(v)
        if u == v:
            return False
        if self.sizes[u] > self.sizes[v]:
            u, v = v, u
        self.parents[u] = v
        self.sizes[v] += self.sizes[u]
        return True


def my_tree(nodes, edges, weights):
    parts = list(range(nodes))

    def find(node):
        while parts[node] != node:
            node = parts[node]
        return node

    taken = []
    for edge in sorted(range(len(edges)), key=lambda edge: weights[edge]):
        u, v = (find(int(node)) for node in edges[edge])
        if u != v:
            parts[u] = v
            taken.append(edge)
    return taken
