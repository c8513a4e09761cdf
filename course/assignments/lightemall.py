# %% [markdown]
# # Assignment: LightEmAll
#
# Tiles with wires cover a board, and one tile has the power station. A click turns a tile by a quarter turn. The game
# is won when every tile has power. Behind the game is a graph: tiles are nodes, wires that meet are edges, and a solved
# board is a **spanning tree**.
#
# *About 10 hours in two parts · data structures · 100 points, and 25 of extra credit.*
#
# **How to work.** Write your code in place of `YOUR CODE HERE`, and run the cell below your code. That cell shows a
# case on which your code is wrong, the expected and the actual result, and the points. You may run it as often as you
# like, and you may add cells. Your answers are graded on other cases of the same kind.

# %% setup="start"
import random

import gridwright as gw
import numpy as np
from gridwright import check

SEED = None  # the grader draws other random cases
N, E, S, W = 1, 2, 4, 8
STEPS = {N: (-1, 0), E: (0, 1), S: (1, 0), W: (0, -1)}
OPPOSITE = {N: S, E: W, S: N, W: E}


# %% [markdown]
# Enter your name or student number. A board of your own is generated from it.

# %%
STUDENT = ""

# %% setup="boards"
mine = gw.LightEmAll.generate(4, 4, seed=check.for_student(STUDENT or "nobody", key="lightemall"))
my_wires = mine.wires.tolist()


def drawn(count, height=4, width=5):
    """Yields scrambled boards, each followed by a solved copy."""
    for number in range(count):
        game = gw.LightEmAll.generate(height, width, seed=(SEED or 0) % 1000 + number)
        solved = game.copy()
        for move in solved.solution():
            solved.play(*move)
        yield game
        yield solved


# %% setup="agree"

# %% [markdown]
# ## The game
#
# A click turns a tile; the arrow keys move the station along the wires.

# %%
gw.LightEmAll.level("level04").widget()

# %% [markdown]
# A board is an array of small numbers, one per tile: the sum of the codes of the sides to which the tile has a wire.
# The codes are `N` = 1, `E` = 2, `S` = 4 and `W` = 8. Two neighbors are **connected** if both have a wire to the side
# that they share.

# %%
gw.LightEmAll.level("level04").wires

# %% [markdown]
# # Part 1
#
# ## 1. A piece (10 points)
#
# `GamePiece(top=, right=, bottom=, left=)` has the attributes `top`, `right`, `bottom` and `left`, each `True` if the
# piece has a wire to that side, otherwise `False`. `rotate()` turns the piece clockwise by a quarter turn, in place.


# %% solution="piece"
class GamePiece:
    def __init__(self, top=False, right=False, bottom=False, left=False):
        self.top, self.right, self.bottom, self.left = top, right, bottom, left

    def rotate(self):
        ### BEGIN SOLUTION
        self.top, self.right, self.bottom, self.left = self.left, self.top, self.right, self.bottom
        ### END SOLUTION


# %% check="piece" points=10
check.rotate(GamePiece, seed=SEED).points(10)

# %% [markdown]
# ## 2. A hand-made board (10 points)
#
# `manual_board(height, width)` returns the wires of a board on which all tiles are connected without a loop: for
# example, one vertical line in each column and a single horizontal bar through the middle. No wire may point off the
# board.


# %% solution="manual_board"
def manual_board(height, width):
    ### BEGIN SOLUTION
    rows = []
    for row in range(height):
        line = []
        for col in range(width):
            wires = N * (row > 0) + S * (row < height - 1)
            if row == height // 2:
                wires += W * (col > 0) + E * (col < width - 1)
            line.append(wires)
        rows.append(line)
    return rows
    ### END SOLUTION


# %% check="manual_board" points=10
def verdict(size):
    wires = np.asarray(manual_board(*size))
    if wires.shape != size:
        return f"a board of shape {wires.shape}"
    display(gw.LightEmAll.from_wires(wires)) if size == (3, 5) else None
    if sum(int(mask).bit_count() for mask in wires.ravel()) != 2 * (wires.size - 1):
        return "too many or too few wires"
    return "a tree" if gw.LightEmAll.from_wires(wires).is_solved else "not all tiles are connected"


sizes = [(1, 2), (2, 1), (2, 2), (1, 4), (3, 3), (3, 5), (4, 4), (5, 2)]
agree(verdict, sizes, lambda size: "a tree", 10, chance=1 / len(sizes))

# %% [markdown]
# ## 3. Scrambling the board (5 points)
#
# `scramble(wires)` returns a new board on which each tile is turned by 0, 1, 2 or 3 quarter turns, all equally likely.
# The function does not change the given board.


# %% solution="scramble"
def scramble(wires):
    ### BEGIN SOLUTION
    def turned(mask, turns):
        return (mask << turns | mask >> (4 - turns)) & 15

    return [[turned(int(mask), random.randrange(4)) for mask in row] for row in wires]
    ### END SOLUTION


# %% check="scramble" points=5
def turns_of(mask):
    return {(mask << k | mask >> (4 - k)) & 15 for k in range(4)}


def mixed(wires):
    found = []
    for _ in range(80):
        given = [list(row) for row in wires]
        found.append(scramble(given))
        if [list(row) for row in given] != wires:
            return "the given board was changed"
    for place, mask in np.ndenumerate(wires):
        if {found[n][place[0]][place[1]] for n in range(80)} != turns_of(int(mask)):
            return f"the tile at {place} must appear in all of its orientations and in no other form"
    return "mixed"


agree(mixed, [[[1, 3, 5], [7, 2, 15]], my_wires], lambda wires: "mixed", 5, chance=0)

# %% [markdown]
# ## 4. Power (15 points)
#
# `power(wires, station)` returns a board of bools, `True` for the tile of the station and for all tiles that are
# connected to it, directly or through other tiles. Use breadth-first search. The film shows how the power spreads.

# %%
from gridwright.draw import films

films.power(gw.LightEmAll.level("level04"))


# %% solution="power"
def power(wires, station):
    ### BEGIN SOLUTION
    return [[far >= 0 for far in row] for row in distances(wires, station)]
    ### END SOLUTION


### BEGIN SOLUTION
def distances(wires, station):
    height, width = len(wires), len(wires[0])
    far = [[-1] * width for _ in range(height)]
    far[station[0]][station[1]] = 0
    queue = [tuple(station)]
    for row, col in queue:  # the list grows during the loop
        for side, (dr, dc) in STEPS.items():
            r, c = row + dr, col + dc
            if 0 <= r < height and 0 <= c < width and far[r][c] < 0:
                if int(wires[row][col]) & side and int(wires[r][c]) & OPPOSITE[side]:
                    far[r][c] = far[row][col] + 1
                    queue.append((r, c))
    return far


### END SOLUTION

# %% check="power" points=15
check.power(power, seed=SEED).points(15)

# %% [markdown]
# ## 5. Moving the station (5 points)
#
# `can_move(wires, station, direction)` returns whether the station may move by one tile in the direction `"N"`, `"E"`,
# `"S"` or `"W"`: the station must stay on the board, and the wires of the two tiles must meet.


# %% solution="can_move"
def can_move(wires, station, direction):
    ### BEGIN SOLUTION
    side = {"N": N, "E": E, "S": S, "W": W}[direction]
    row, col = station[0] + STEPS[side][0], station[1] + STEPS[side][1]
    inside = 0 <= row < len(wires) and 0 <= col < len(wires[0])
    return bool(inside and wires[station[0]][station[1]] & side and wires[row][col] & OPPOSITE[side])
    ### END SOLUTION


# %% check="can_move" points=5
def moves_station(case):
    game, direction = case
    try:
        game.copy().move_station(direction)
    except gw.IllegalMoveError:
        return False
    return True


cases = [(game, direction) for game in list(drawn(30, 3, 3))[::2] for direction in "NESW"]
able = [case for case in cases if moves_station(case)]
unable = [case for case in cases if not moves_station(case)][: len(able)]
agree(
    lambda case: can_move(case[0].wires, case[0].station, case[1]),
    [case for both in zip(unable, able) for case in both],
    moves_station,
    5,
)

# %% [markdown]
# ## 6. The end of the game (5 points)
#
# `is_game_over(wires, station)` returns whether every tile has power.


# %% solution="is_game_over"
def is_game_over(wires, station):
    ### BEGIN SOLUTION
    return all(all(row) for row in power(wires, station))
    ### END SOLUTION


# %% check="is_game_over" points=5
agree(lambda game: is_game_over(game.wires, game.station), list(drawn(12)), lambda game: game.is_solved, 5)

# %% [markdown]
# # Part 2
#
# ## 7. Union and find (15 points)
#
# `UnionFind(n)` starts with n sets, one for each of the nodes 0 to n - 1. `find(node)` returns the representative of
# the node's set: it follows the links until it reaches a node that links to itself. `union(one, other)` joins the sets
# of two nodes. Why must `union` link the **representatives** and not the nodes?

# %%
films.forest(4, 4, seed=2)


# %% solution="union_find"
class UnionFind:
    def __init__(self, n):
        ### BEGIN SOLUTION
        self.link = list(range(n))
        ### END SOLUTION

    def find(self, node):
        ### BEGIN SOLUTION
        while self.link[node] != node:
            self.link[node] = self.link[self.link[node]]
            node = self.link[node]
        return node
        ### END SOLUTION

    def union(self, one, other):
        ### BEGIN SOLUTION
        self.link[self.find(one)] = self.find(other)
        ### END SOLUTION


# %% check="union_find" points=15
check.union_find(UnionFind, seed=SEED).points(15)

# %% [markdown]
# This film shows your own code at work: on the smallest case on which your code is wrong, or on a typical case if your
# code is right.

# %%
films.watch(UnionFind)

# %% [markdown]
# ## 8. Edges, and Kruskal's algorithm (20 points)
#
# `Edge(from_node, to_node, weight)` is an edge. `kruskal(nodes, edges)` takes the number of nodes and a list of edges
# in any order, and returns the edges of a minimum spanning tree: go through the edges from the lightest to the
# heaviest, and skip every edge that closes a loop. If the graph is not connected, return the edges of a minimum
# spanning forest.

# %%
films.kruskal(gw.LightEmAll.generate(4, 6, seed=1))


# %% solution="kruskal"
class Edge:
    def __init__(self, from_node, to_node, weight):
        self.from_node, self.to_node, self.weight = from_node, to_node, weight


def kruskal(nodes, edges):
    ### BEGIN SOLUTION
    sets, tree = UnionFind(nodes), []
    for edge in sorted(edges, key=lambda edge: edge.weight):
        if sets.find(edge.from_node) != sets.find(edge.to_node):
            sets.union(edge.from_node, edge.to_node)
            tree.append(edge)
    return tree
    ### END SOLUTION


# %% check="kruskal" points=20
check.kruskal(kruskal, edge=Edge, seed=SEED).points(20)

# %% [markdown]
# ## 9. Breadth-first search (10 points)
#
# `bfs(graph, source)` takes a dict that maps each node to the list of its neighbors, and returns a dict that maps each
# node that can be reached to its distance from the source, in edges.


# %% solution="bfs"
def bfs(graph, source):
    ### BEGIN SOLUTION
    depth, queue = {source: 0}, [source]
    for node in queue:  # the list grows during the loop
        for other in graph[node]:
            if other not in depth:
                depth[other] = depth[node] + 1
                queue.append(other)
    return depth
    ### END SOLUTION


# %% check="bfs" points=10
check.bfs(bfs, seed=SEED).points(10)

# %% [markdown]
# ## 10. Your own board (5 points)
#
# This board was generated from your name, and `my_wires` are its wires. By how many clockwise quarter turns must each
# tile be turned so that every tile has power? Write a list of four rows of numbers from 0 to 3.

# %%
mine.widget()

# %% solution="my_turns"
my_turns = []


### BEGIN SOLUTION
def turned(mask, turns):
    return (mask << turns | mask >> (4 - turns)) & 15


def solved(wires, board=(), turns=()):
    """Fits one tile after another to the wires of the tiles above and to the left; returns the turns, or None."""
    height, width = len(wires), len(wires[0])
    if len(board) == height * width:
        rows = [board[row * width : (row + 1) * width] for row in range(height)]
        done = all(all(row) for row in power(rows, (0, 0)))
        return [list(turns[row * width : (row + 1) * width]) for row in range(height)] if done else None
    row, col = divmod(len(board), width)
    up = bool(board[-width] & S) if row else False
    left = bool(board[-1] & E) if col else False
    for k in range(4):
        mask = turned(wires[row][col], k)
        fits = bool(mask & N) == up and bool(mask & W) == left
        if fits and not (row == height - 1 and mask & S) and not (col == width - 1 and mask & E):
            found = solved(wires, (*board, mask), (*turns, k))
            if found:
                return found
    return None


my_turns = solved(my_wires)
### END SOLUTION

# %% check="my_turns" points=5
board = mine.copy()
board.reset()  # without the turns that were made by clicking
for row, line in enumerate(my_turns):
    for col, turns in enumerate(line):
        if turns and not board.is_solved:
            board.rotate((row, col), int(turns))
display(board)
print("every tile has power" if board.is_solved else "not every tile has power")
5 if board.is_solved else 0

# %% [markdown]
# ## Extra credit: the diameter (5 points)
#
# On some boards, power reaches only a limited distance from the station. This distance depends on the **diameter** of
# the tree: the number of edges on a longest path. `diameter(graph)` takes a tree as a dict that maps each node to its
# neighbors, and returns the diameter. Search from any node; then search again from the node that was found last. Why is
# the depth of the second search the diameter?


# %% solution="diameter"
def diameter(graph):
    ### BEGIN SOLUTION
    first = bfs(graph, next(iter(graph)))
    return max(bfs(graph, max(first, key=first.get)).values())
    ### END SOLUTION


# %% check="diameter" points=5
check.diameter(diameter, seed=SEED).points(5)

# %% [markdown]
# ## Extra credit: the radius (5 points)
#
# `radius(graph)` returns half the diameter, rounded down, plus 1.


# %% solution="radius"
def radius(graph):
    ### BEGIN SOLUTION
    return diameter(graph) // 2 + 1
    ### END SOLUTION


# %% check="radius" points=5
check.radius(radius, seed=SEED).points(5)

# %% [markdown]
# ## Extra credit: power that fades (5 points)
#
# `power_within(wires, station, radius)` returns a board of bools, `True` for each tile that is connected to the station
# and at most `radius` tiles away from it along the wires.


# %% solution="power_within"
def power_within(wires, station, radius):
    ### BEGIN SOLUTION
    return [[0 <= far <= radius for far in row] for row in distances(wires, station)]
    ### END SOLUTION


# %% check="power_within" points=5
check.power(power_within, seed=SEED).points(5)

# %% [markdown]
# ## Extra credit: a bias (5 points)
#
# `biased_edges(height, width, bias)` returns the edges of a grid as `(u, v, weight)`, with random weights; the node in
# row r and column c is `r * width + c`. With `bias=0`, all orders of the edges by weight are equally likely. With
# `bias=1`, every horizontal edge is lighter than every vertical edge.


# %% solution="biased_edges"
def biased_edges(height, width, bias):
    ### BEGIN SOLUTION
    edges = []
    for row in range(height):
        for col in range(width):
            node = row * width + col
            if col < width - 1:
                edges.append((node, node + 1, random.random()))
            if row < height - 1:
                edges.append((node, node + width, random.random() + bias))
    return edges
    ### END SOLUTION


# %% check="biased_edges" points=5
def horizontal(bias, draws=30, side=8):
    """Returns the mean share of horizontal edges in the trees of ``draws`` boards, or what is wrong with the edges."""
    shares = []
    for _ in range(draws):
        edges = biased_edges(side, side, bias)
        pairs, weights = np.array([edge[:2] for edge in edges]), np.array([edge[2] for edge in edges], dtype=float)
        tree = pairs[gw.graph.kruskal(side * side, pairs, weights)]
        if len(edges) != 2 * side * (side - 1) or len(tree) != side * side - 1:
            return "not the edges of the grid"
        shares.append(np.mean(abs(tree[:, 1] - tree[:, 0]) == 1))
    return float(np.mean(shares))


fair, full = horizontal(0), horizontal(1)
print(f"share of horizontal edges: without bias {fair}; with a bias of 1: {full}")
# 0.04 is about 4.7 standard errors of the mean over 30 boards. With full bias, 56 of the 63 edges are horizontal.
5 * (isinstance(fair, float) and abs(fair - 0.5) < 0.04 and isinstance(full, float) and abs(full - 56 / 63) < 1e-9)

# %% [markdown]
# ## Extra credit: hexagons (5 points)
#
# On a board of hexagons, the odd rows, counted from 0, are shifted by half a tile to the right.
# `hexagon_neighbors(row, col, height, width)` returns a list of the neighbors of a tile, at most six, in any order.

# %%
gw.LightEmAll.generate(4, 5, hexagonal=True, seed=2)


# %% solution="hexagon_neighbors"
def hexagon_neighbors(row, col, height, width):
    ### BEGIN SOLUTION
    shift = row % 2
    near = [(row, col - 1), (row, col + 1)]
    near += [(r, c) for r in (row - 1, row + 1) for c in (col - 1 + shift, col + shift)]
    return [(r, c) for r, c in near if 0 <= r < height and 0 <= c < width]
    ### END SOLUTION


# %% check="hexagon_neighbors" points=5
def six(case):
    row, col, height, width = case
    edges, at = gw.graph.grid_edges(height, width, hexagonal=True).tolist(), row * width + col
    return sorted(divmod(a + b - at, width) for a, b in edges if at in (a, b))


cases = [(r, c, h, w) for h, w in ((1, 2), (2, 2), (3, 3), (4, 5)) for r in range(h) for c in range(w)]
agree(lambda case: sorted(tuple(cell) for cell in hexagon_neighbors(*case)), cases, six, 5)
