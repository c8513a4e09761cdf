# ruff: noqa: PIE810, SIM102, SIM110 - plain code as a student writes it
"""Correct solutions for all checks except ``console``, written from the source documents without using gridwright.

They use plain loops, as a student would. ``mutants.py`` and ``test_check_hints.py`` plant mistakes in them.
"""

from __future__ import annotations

import random
from collections import deque


def create_board(x_dim, y_dim):
    board = []
    for _ in range(x_dim * y_dim):
        board.append(0)
    return board


def clean_board(board):
    for i in range(len(board)):
        board[i] = 0


def print_board(board, x_dim, y_dim):
    for y in range(y_dim):
        line = ""
        for x in range(x_dim):
            field = board[y * x_dim + x]
            if field & 0x10:
                line += "M"
            elif field & 0x20:
                line += "*"
            else:
                line += str(field & 0x0F)
        print(line)


def spread_geese(board, x_dim, y_dim, num_geese):
    laid = 0
    while laid < num_geese:
        place = random.randrange(0, x_dim * y_dim)
        if board[place] != 9:
            board[place] = 9
            laid += 1


def hide_board(board, x_dim, y_dim):
    for i in range(x_dim * y_dim):
        board[i] |= 0x20


def mark(board, x_dim, y_dim, x_loc, y_loc):
    i = y_loc * x_dim + x_loc
    if not board[i] & 0x20:
        return 2
    board[i] ^= 0x10
    return 0


def compute_neighbours(board, x_dim, y_dim):
    for y in range(y_dim):
        for x in range(x_dim):
            if board[y * x_dim + x] == 9:
                continue
            count = 0
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    ny = y + dy
                    nx = x + dx
                    if ny >= 0 and ny < y_dim and nx >= 0 and nx < x_dim:
                        if board[ny * x_dim + nx] == 9:
                            count += 1
            board[y * x_dim + x] = count


def reveal(board, row, col):
    height, width = board.shape
    if board[row, col] & 0x10:
        return 1
    code = 0
    if not board[row, col] & 0x20:
        code = 2
    board[row, col] &= 0x1F
    if board[row, col] == 9:
        return 2 if code == 2 else 9
    if board[row, col] == 0:
        for r in range(max(0, row - 1), min(height, row + 2)):
            for c in range(max(0, col - 1), min(width, col + 2)):
                if not board[r, c] & 0x10:
                    board[r, c] &= 0x1F
    return code


def is_game_won(board, x_dim, y_dim):
    for i in range(x_dim * y_dim):
        if board[i] & 0x0F != 9 and board[i] & 0x20:
            return False
    return True


class UnionFind:
    def __init__(self, n):
        self.link = list(range(n))
        self.size = [1] * n

    def find(self, x):
        while self.link[x] != x:
            x = self.link[x]
        return x

    def union(self, a, b):
        a = self.find(a)
        b = self.find(b)
        if a == b:
            return
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.link[b] = a
        self.size[a] += self.size[b]


def kruskal(nodes, edges):
    link = list(range(nodes))

    def find(x):
        while link[x] != x:
            x = link[x]
        return x

    taken = []
    for u, v, weight in sorted(edges, key=lambda edge: edge[2]):
        a = find(u)
        b = find(v)
        if a != b:
            link[a] = b
            taken.append((u, v, weight))
    return taken


def bfs(graph, source):
    depth = {source: 0}
    queue = deque([source])
    while queue:
        node = queue.popleft()
        for other in graph[node]:
            if other not in depth:
                depth[other] = depth[node] + 1
                queue.append(other)
    return depth


def bfs_path(graph, source, target):
    came = {source: None}
    queue = deque([source])
    while queue:
        node = queue.popleft()
        if node == target:
            way = []
            while node is not None:
                way.append(node)
                node = came[node]
            return way[::-1]
        for other in graph[node]:
            if other not in came:
                came[other] = node
                queue.append(other)
    return None


def diameter(graph):
    def farthest(start):
        depth = {start: 0}
        queue = [start]
        for node in queue:
            for other in graph[node]:
                if other not in depth:
                    depth[other] = depth[node] + 1
                    queue.append(other)
        return queue[-1], depth[queue[-1]]

    end, _ = farthest(0)
    _, longest = farthest(end)
    return longest


def radius(graph):
    return diameter(graph) // 2 + 1


def power(wires, station, radius):
    height, width = wires.shape
    depth = {station: 0}
    queue = [station]
    for row, col in queue:
        for bit, back, dr, dc in ((1, 4, -1, 0), (2, 8, 0, 1), (4, 1, 1, 0), (8, 2, 0, -1)):
            r = row + dr
            c = col + dc
            if r < 0 or r >= height or c < 0 or c >= width or (r, c) in depth:
                continue
            if wires[row, col] & bit and wires[r, c] & back:
                depth[r, c] = depth[row, col] + 1
                queue.append((r, c))
    powered = [[False] * width for _ in range(height)]
    for (row, col), far in depth.items():
        if far <= radius:
            powered[row][col] = True
    return powered


def rotate(tile):
    top, right, bottom, left = tile & 1, tile & 2, tile & 4, tile & 8
    turned = 0
    if top:
        turned |= 2
    if right:
        turned |= 4
    if bottom:
        turned |= 8
    if left:
        turned |= 1
    return turned


# Maps MyPhoton's codes to names such as ``MIRROR_DOWN``; the tests set this dict from ``gridwright.photon.Tile``.
CODES: dict[int, str] = {}
STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]


def beams(board):
    height, width = board.shape
    sides = [[0] * width for _ in range(height)]
    heads = []
    for row in range(height):
        for col in range(width):
            name = CODES[int(board[row, col])]
            if name.startswith("LASER"):
                heads.append((row, col, "NESW".index(name[-1])))
    used = set()
    while heads:
        row, col, heading = heads.pop()
        row += STEPS[heading][0]
        col += STEPS[heading][1]
        if row < 0 or row >= height or col < 0 or col >= width:
            continue
        if (row, col, heading) in used:
            continue
        used.add((row, col, heading))
        name = CODES[int(board[row, col])]
        back = (heading + 2) % 4
        if name == "EMPTY":
            out = [heading]
        elif name.startswith("MIRROR") or name.startswith("SPLITTER"):
            out = [3 - heading] if name.endswith("DOWN") else [heading ^ 1]
            if name.startswith("SPLITTER"):
                out.append(heading)
        elif name.startswith("TMIRROR"):
            point = "NESW".index(name[-1])
            if back == point:
                out = [(point + 1) % 4, (point + 3) % 4]
            elif heading == point:
                continue
            else:
                out = [point]
        elif name.startswith("SENSOR") and back == "NESW".index(name[-1]):
            out = []
        else:
            continue
        sides[row][col] |= 1 << back
        for way in out:
            sides[row][col] |= 1 << way
            heads.append((row, col, way))
    return sides


def can_select(board, row, col):
    name = CODES[int(board[row, col])]
    return name.startswith("MIRROR") or name.startswith("TMIRROR") or name.startswith("SPLITTER")


def swap(board, one, other):
    kept = board[one]
    board[one] = board[other]
    board[other] = kept


def parse(text):
    lines = text.split("\n")
    width, height = lines[0].split()
    width, height = int(width), int(height)
    if width < 1 or height < 1:
        raise ValueError("no size")
    rows = []
    for y in range(height):
        line = lines[1 + y].ljust(2 * width)
        row = []
        for x in range(width):
            tile = line[2 * x : 2 * x + 2].strip()
            if tile not in (".", "W"):
                if len(tile) != 2:
                    raise ValueError(tile)
                if tile[0] in "MB":
                    if tile[1] not in "/\\":
                        raise ValueError(tile)
                elif tile[0] not in "LST" or tile[1] not in "<>^v":
                    raise ValueError(tile)
            row.append(tile)
        rows.append(row)
    return rows


class Block:
    def __init__(self, row, col):
        self.cells = [(row, col)]

    def positions(self):
        return self.cells

    def is_standing(self):
        return len(self.cells) == 1

    def roll(self, dr, dc):
        if len(self.cells) == 1:
            row, col = self.cells[0]
            self.cells = [(row + dr, col + dc), (row + 2 * dr, col + 2 * dc)]
            self.cells.sort()
            return
        (r1, c1), (r2, c2) = self.cells
        along = (r1 == r2) if dr == 0 else (c1 == c2)
        if not along:
            self.cells = [(r1 + dr, c1 + dc), (r2 + dr, c2 + dc)]
        elif dr + dc > 0:
            self.cells = [(r2 + dr, c2 + dc)]
        else:
            self.cells = [(r1 + dr, c1 + dc)]

    def left(self):
        self.roll(0, -1)

    def right(self):
        self.roll(0, 1)

    def up(self):
        self.roll(-1, 0)

    def down(self):
        self.roll(1, 0)


class Terrain:
    def __init__(self, text):
        self.tiles = {}
        self._width = 0
        self._height = 0
        for y, line in enumerate(text.split("\n")):
            self._height = y + 1
            self._width = max(self._width, len(line))
            for x, sign in enumerate(line):
                if sign == "-":
                    continue
                self.tiles[y, x] = 1 if sign == "." else 2
                if sign == "S":
                    self._start = (y, x)
                if sign == "T":
                    self._target = (y, x)

    def start(self):
        return self._start

    def target(self):
        return self._target

    def width(self):
        return self._width

    def height(self):
        return self._height

    def at(self, cell):
        return self.tiles.get((cell[0], cell[1]), 0)

    def can_hold(self, block):
        least = 2 if block.is_standing() else 1
        for cell in block.positions():
            if self.at(cell) < least:
                return False
        return True


def solve(text):
    terrain = Terrain(text)
    start = [terrain.start()]
    seen = {tuple(start)}
    queue = deque([(start, "")])
    while queue:
        cells, keys = queue.popleft()
        if cells == [terrain.target()]:
            return keys
        for key in "lurd":
            block = Block(0, 0)
            block.cells = list(cells)
            {"l": block.left, "u": block.up, "r": block.right, "d": block.down}[key]()
            if terrain.can_hold(block) and tuple(block.cells) not in seen:
                seen.add(tuple(block.cells))
                queue.append((block.cells, keys + key))
    return None


class ParametricLine:
    def __init__(self, tail_x, tail_y, head_x, head_y):
        self.tail = (tail_x + 0.5, tail_y + 0.5)
        self.head = (head_x + 0.5, head_y + 0.5)
        self.vector = (head_x - tail_x, head_y - tail_y)
        length = (self.vector[0] ** 2 + self.vector[1] ** 2) ** 0.5
        if length > 0:
            self.vector_normalized = (self.vector[0] / length, self.vector[1] / length)
        self.midpoint = self.barycentric_coordinate(0.5)

    def barycentric_coordinate(self, t):
        return tuple((1 - t) * a + t * b for a, b in zip(self.tail, self.head))  # noqa: B905


def trace_line(tail, head):
    row, col = tail
    dr = abs(head[0] - row)
    dc = abs(head[1] - col)
    step_row = 1 if head[0] > row else -1
    step_col = 1 if head[1] > col else -1
    cells = [(row, col)]
    rows = cols = 0
    while rows < dr or cols < dc:
        # The line leaves this row at the fraction (2 * rows + 1) / (2 * dr) of its length, and this column at the
        # fraction (2 * cols + 1) / (2 * dc).
        before = (2 * rows + 1) * dc
        after = (2 * cols + 1) * dr
        if before <= after and rows < dr:
            row += step_row
            rows += 1
        if after <= before and cols < dc:
            col += step_col
            cols += 1
        cells.append((row, col))
    return cells


def is_play_valid(size, lookback, plays, index):
    sr, sc, er, ec = plays[index]
    for part in (sr, sc, er, ec):
        if part < 0 or part >= size:
            return False
    for i in range(max(0, index - lookback), index):
        a, b, c, d = plays[i]
        if a + c == sr + er and b + d == sc + ec:
            return False
        if (c - a) * (er - sr) + (d - b) * (ec - sc) == 0:
            return False
    return True


def counts(board):
    black = 0
    white = 0
    for row in board:
        for cell in row:
            if cell == 1:
                black += 1
            elif cell == 2:
                white += 1
    return black, white


def output(text):
    words = [int(word) for word in text.split()]
    size, lookback = words[0], words[1]
    plays = []
    for i in range(2, len(words), 4):
        plays.append(tuple(word - 1 for word in words[i : i + 4]))
    grid = [["."] * size for _ in range(size)]
    for index, play in enumerate(plays):
        if is_play_valid(size, lookback, plays, index):
            for row, col in trace_line(play[:2], play[2:]):
                grid[row][col] = "X" if index % 2 == 0 else "O"
    lines = ["".join(cell + " " for cell in row) for row in grid]
    black = sum(row.count("X") for row in grid)
    white = sum(row.count("O") for row in grid)
    lines.append(f"Player X: {black} cells; Player O: {white} cells")
    return "\n".join(lines) + "\n"
