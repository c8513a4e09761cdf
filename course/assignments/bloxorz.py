# %% [markdown]
# # Assignment: Bloxorz
#
# A block of 1 x 1 x 2 rolls over a terrain with holes. The block falls if any part of it has no tile below it. You win
# when the block stands upright on the target. You write the block, the terrain, and the loop of the game. For extra
# credit, you add a solver, bridges, a block that splits, and a three-dimensional drawing.
#
# *About 6 hours · first or second programming course · 100 points, and 35 of extra credit.*
#
# **How to work.** Write your code in place of `YOUR CODE HERE`, and run the cell below your code. That cell shows a
# case on which your code is wrong, the expected and the actual result, and the points. You may run it as often as you
# like, and you may add cells. The grader draws other random cases.

# %% setup="start"
import gridwright as gw
import numpy as np
from gridwright import check

SEED = None  # the grader draws other random cases


# %% [markdown]
# Enter your name or student number. A level of your own is generated from it.

# %%
STUDENT = ""

# %% setup="boards"
seed = check.for_student(STUDENT or "nobody", key="bloxorz")
mine = gw.Bloxorz.generate(6, 8, min_moves=8, max_moves=14, switches=0, bridges=0, splitters=0, seed=seed)
my_text = mine.text


# %% setup="agree"


# %% setup="levels"
class Played:
    """A level after some keys, with the result that the student's function must return."""

    def __init__(self, game, keys):
        self.text, self.keys, self.game, moves = game.text, "", game.copy(), 0
        for key in keys:
            if self.game.is_solved:
                self.keys += key  # a key after the win must be ignored
            elif key != "s" or self.game.is_legal(4):  # "s" is legal only while the block is split
                self.game.play(key)
                self.keys += key
                moves += 1
        self.result = (moves, self.game.falls, self.game.is_solved)

    def __repr__(self):
        return f"{self.text}\nkeys {self.keys!r}"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": repr(self), "text/html": f"{self.game.svg()}<pre>{self}</pre>"}


def playthroughs(names, count):
    """Yields, for each level, playthroughs of a solution, of random keys, and of random keys before a solution."""
    rng = np.random.default_rng(SEED)
    for name in names:
        game = gw.Bloxorz.level(name)
        yield Played(game, game.solve())
        letters = list("lurd" + "s" * ("s" in game.solve()))
        for _ in range(count):
            yield Played(game, "".join(rng.choice(letters, 12)))
        yield Played(game, "".join(rng.choice(list("lurd"), 3)) + game.solve())


# %% [markdown]
# ## The game
#
# Arrow keys or swipes roll the block; Enter plays the next key of a solution. The film shows a solution of another
# level.

# %%
gw.Bloxorz.level("level01").widget()

# %%
level = gw.Bloxorz.level("level03")
level.animate(level.solve())

# %% [markdown]
# ## 1. The block (30 points)
#
# `Block(row, col)` creates a block that stands upright on a cell. `left()`, `right()`, `up()` and `down()` roll the
# block. `positions()` returns a list of the one or two cells `(row, col)` that the block covers, and `is_standing()`
# returns whether it covers only one cell. For example, `Block(4, 3)` covers (4, 3). After `right()`, the block covers
# (4, 4) and (4, 5); after another `right()`, it stands on (4, 6); and after `down()`, it covers (5, 6) and (6, 6).


# %% solution="block"
class Block:
    def __init__(self, row, col):
        ### BEGIN SOLUTION
        self.cells = [(row, col)]
        ### END SOLUTION

    def positions(self):
        ### BEGIN SOLUTION
        return self.cells
        ### END SOLUTION

    def is_standing(self):
        ### BEGIN SOLUTION
        return len(self.cells) == 1
        ### END SOLUTION

    def left(self):
        ### BEGIN SOLUTION
        self.roll(0, -1)
        ### END SOLUTION

    def right(self):
        ### BEGIN SOLUTION
        self.roll(0, 1)
        ### END SOLUTION

    def up(self):
        ### BEGIN SOLUTION
        self.roll(-1, 0)
        ### END SOLUTION

    def down(self):
        ### BEGIN SOLUTION
        self.roll(1, 0)
        ### END SOLUTION

    ### BEGIN SOLUTION
    def roll(self, dr, dc):
        first, last = self.cells[0], self.cells[-1]
        ahead = last if dr + dc > 0 else first
        if self.is_standing():
            self.cells = sorted((first[0] + k * dr, first[1] + k * dc) for k in (1, 2))
        elif (first[0] == last[0]) == (dr == 0):  # the block rolls along its length
            self.cells = [(ahead[0] + dr, ahead[1] + dc)]
        else:
            self.cells = [(row + dr, col + dc) for row, col in self.cells]

    ### END SOLUTION


# %% check="block" points=30
check.block(Block, seed=SEED).points(30)

# %% [markdown]
# ## 2. The terrain (30 points)
#
# `Terrain(text)` reads a level: one line per row, `o` for a tile, `.` for a **light tile**, `-` for no tile, `S` for
# the start and `T` for the target. Lines may have different lengths. A terrain has these methods:
#
# * `start()` and `target()` return cells `(row, col)`.
# * `width()` returns the length of the longest line, and `height()` the number of lines.
# * `at(cell)` returns 2 for a tile (including start and target), 1 for a light tile, and 0 for no tile or a cell
#   outside the text.
# * `can_hold(block)` returns whether the terrain holds a block: every cell below the block has a tile, and a block that
#   stands upright is not on a light tile.

# %%
print(gw.Bloxorz.level("level03").text)


# %% solution="terrain"
class Terrain:
    def __init__(self, text):
        ### BEGIN SOLUTION
        self.tiles, self.symbols = {}, {}
        lines = text.split("\n")
        self._height, self._width = len(lines), max(map(len, lines))
        for row, line in enumerate(lines):
            for col, symbol in enumerate(line):
                if symbol != "-":
                    self.tiles[row, col] = 1 if symbol == "." else 2
                    self.symbols[symbol] = (row, col)
        ### END SOLUTION

    def start(self):
        ### BEGIN SOLUTION
        return self.symbols["S"]
        ### END SOLUTION

    def target(self):
        ### BEGIN SOLUTION
        return self.symbols["T"]
        ### END SOLUTION

    def width(self):
        ### BEGIN SOLUTION
        return self._width
        ### END SOLUTION

    def height(self):
        ### BEGIN SOLUTION
        return self._height
        ### END SOLUTION

    def at(self, cell):
        ### BEGIN SOLUTION
        return self.tiles.get((cell[0], cell[1]), 0)
        ### END SOLUTION

    def can_hold(self, block):
        ### BEGIN SOLUTION
        least = 2 if block.is_standing() else 1
        return all(self.at(cell) >= least for cell in block.positions())
        ### END SOLUTION


# %% check="terrain" points=30
check.terrain(Terrain, seed=SEED).points(30)

# %% [markdown]
# ## 3. A move (10 points)
#
# `make_move(block, key)` rolls a block in the direction of a key: `l`, `u`, `r` or `d`. The check calls `cells_after`
# to find out where the block is after some keys.


# %% solution="make_move"
def make_move(block, key):
    ### BEGIN SOLUTION
    {"l": block.left, "u": block.up, "r": block.right, "d": block.down}[key]()
    ### END SOLUTION


def cells_after(keys):
    """Returns the cells that a block covers after some keys, if it starts upright on (5, 5)."""
    block = Block(5, 5)
    for key in keys:
        make_move(block, key)
    return sorted(block.positions())


# %% check="make_move" points=10
def rolled(keys):
    block = gw.bloxorz.Block(5, 5)
    for key in keys:
        getattr(block, {"l": "left", "u": "up", "r": "right", "d": "down"}[key])()
    return sorted(map(tuple, block.positions()))


keys = [
    "l",
    "u",
    "r",
    "d",
    *("".join(np.random.default_rng(n + (SEED or 0)).choice(list("lurd"), 2 + n)) for n in range(12)),
]
agree(lambda case: [tuple(cell) for cell in cells_after(case)], keys, rolled, 10)

# %% [markdown]
# ## 4. A level (20 points)
#
# `play_level(text, keys)` plays keys on a level and returns `(moves, falls, won)`: how many moves were made, how often
# the block fell, and whether the game was won. Keys after the win are ignored. After a fall, the block stands upright
# on the start again, and the moves made so far still count.


# %% solution="play_level"
def play_level(text, keys):
    ### BEGIN SOLUTION
    terrain = Terrain(text)
    block, moves, falls = Block(*terrain.start()), 0, 0
    for key in keys:
        make_move(block, key)
        moves += 1
        if block.positions() == [terrain.target()]:
            return moves, falls, True
        if not terrain.can_hold(block):
            block, falls = Block(*terrain.start()), falls + 1
    return moves, falls, False
    ### END SOLUTION


# %% check="play_level" points=20
levels = ["level02", "level01", "level03", "level06", "level07", "level10"]
agree(lambda case: tuple(play_level(case.text, case.keys)), list(playthroughs(levels, 4)), lambda case: case.result, 20)

# %% [markdown]
# ## 5. Your own level (10 points)
#
# This level was generated from your name, and `my_text` is its text. Write down keys that solve the level without a
# fall. A solution earns 5 points, or 10 if no other solution is shorter.

# %%
mine.widget()

# %% solution="my_keys"
my_keys = ""


### BEGIN SOLUTION
def shortest(text):
    terrain = Terrain(text)
    start = (terrain.start(),)
    paths = {start: ""}
    queue = [start]
    for cells in queue:  # breadth-first search: the list grows during the loop
        if cells == (terrain.target(),):
            return paths[cells]
        for key in "lurd":
            block = Block(0, 0)
            block.cells = list(cells)
            make_move(block, key)
            after = tuple(block.positions())
            if after not in paths and terrain.can_hold(block):
                paths[after] = paths[cells] + key
                queue.append(after)
    return None


my_keys = shortest(my_text)
### END SOLUTION

# %% check="my_keys" points=10
game = mine.copy()
game.reset()  # without the keys that were played on the board above
best = len(game.solve())
for key in my_keys:
    if not game.is_solved:
        game.play(key)
display(game)
extra = len(my_keys) - best
more = f"{extra} more roll{'s' * (extra != 1)} than needed" if extra else "the fewest rolls"
print("not solved without a fall" if not game.is_solved or game.falls else f"solved with {more}")
(10 if extra == 0 else 5) if game.is_solved and not game.falls else 0

# %% [markdown]
# ## Extra credit: a solver (10 points)
#
# `solve(text)` returns a shortest string of keys that solves a level, or `None` if the target cannot be reached. The
# film shows how a search spreads over the positions of the block, in order of their distance from the start.

# %%
from gridwright.draw import films

films.state_space(gw.Bloxorz.level("level01"))


# %% solution="solve"
def solve(text):
    ### BEGIN SOLUTION
    return shortest(text)
    ### END SOLUTION


# %% check="solve" points=10
check.solve(solve, seed=SEED).points(10)

# %% [markdown]
# ## Extra credit: bridges (10 points)
#
# In a level with bridges, a capital letter other than `S` and `T` is a **switch**, and a lowercase letter other than
# `o` is a **bridge**. A bridge is a tile while it is on, and no tile while it is off. The lines below the board
# describe the switches and bridges:
#
# * `#AOa`: the soft switch A toggles the bridge a when any part of the block lands on A.
# * `#BXb`: the heavy switch B toggles the bridge b when the block lands upright on B.
# * `#AO+h` and `#AO-h`: the switch A turns the bridge h on or off instead of toggling it.
# * `%h`: the bridge h is on at the start. All other bridges are off.
#
# A switch may have several lines. The block falls if it lands on a bridge that is off, but not if a bridge below it
# turns off. After a fall, all bridges are as they were at the start.
#
# `play_bridges(text, keys)` returns the same three values as `play_level`.

# %%
print(gw.Bloxorz.level("level09").text)


# %% solution="play_bridges"
def play_bridges(text, keys):
    ### BEGIN SOLUTION
    return Machine(text).play(keys)
    ### END SOLUTION


### BEGIN SOLUTION
class Machine:
    """A level with switches, bridges and splitters."""

    def __init__(self, text):
        lines = text.split("\n")
        self.rows = [line for line in lines if line and line[0] not in "#%"]
        self.rules = [line for line in lines if line[:1] == "#"]
        self.on = {line[1] for line in lines if line[:1] == "%"}
        symbols = {symbol: (r, c) for r, row in enumerate(self.rows) for c, symbol in enumerate(row)}
        self.start, self.target = symbols["S"], symbols["T"]

    def symbol(self, cell):
        row, col = cell
        inside = 0 <= row < len(self.rows) and 0 <= col < len(self.rows[row])
        return self.rows[row][col] if inside else "-"

    def holds(self, cells, standing):
        for cell in cells:
            symbol = self.symbol(cell)
            if symbol == "-" or (symbol == "." and standing):
                return False
            if symbol.islower() and symbol != "o" and symbol not in self.bridges:
                return False
        return True

    def again(self):
        self.bridges, self.cells, self.split = set(self.on), [self.start], False

    def press(self, cells):
        standing = len(self.cells) == 1 and not self.split
        for rule in self.rules:
            if rule[1] not in {self.symbol(cell) for cell in cells} or rule[1] in "ST":
                continue
            if rule[2] == "S":
                if standing:
                    x1, y1, x2, y2 = map(int, rule[3:].split())
                    self.cells, self.split = [(y1, x1), (y2, x2)], True
            elif rule[2] in "O0o" or standing:
                for letter in rule[3:].strip("+-"):
                    if rule[3] == "+":
                        self.bridges |= {letter}
                    elif rule[3] == "-":
                        self.bridges -= {letter}
                    else:
                        self.bridges ^= {letter}

    def play(self, keys):
        self.again()
        moves = falls = 0
        for key in keys:
            moves += 1
            if key == "s":
                self.cells.reverse()
                continue
            dr, dc = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}[key]
            if self.split:
                row, col = self.cells[0]
                self.cells[0] = (row + dr, col + dc)
                touched = self.cells[:1]
                safe = self.holds(touched, False)
            else:
                block = Block(0, 0)
                block.cells = sorted(self.cells)
                make_move(block, key)
                self.cells = touched = list(block.positions())
                safe = self.holds(touched, len(touched) == 1)
            if safe:
                self.press(touched)
                (r1, c1), (r2, c2) = self.cells[0], self.cells[-1]
                if self.split and abs(r1 - r2) + abs(c1 - c2) == 1:
                    # The cubes join into a block that lies flat.
                    self.cells, self.split = sorted(self.cells), False
            else:
                self.again()
                falls += 1
            if self.cells == [self.target]:
                return moves, falls, True
        return moves, falls, False


### END SOLUTION

# %% check="play_bridges" points=10
levels = ["level04", "level09", "level14", "level08", "level15"]
agree(
    lambda case: tuple(play_bridges(case.text, case.keys)), list(playthroughs(levels, 4)), lambda case: case.result, 10
)

# %% [markdown]
# ## Extra credit: a block that splits (10 points)
#
# The line `#CS 10 1 10 7` makes C a **splitter**: a block that lands upright on C is split into two cubes. The line
# gives the cells of the two cubes, each as `x y`. The keys `l`, `u`, `r` and `d` move the cube in control, which is the
# first cube after a split. The key `s` switches control to the other cube and counts as a move. A cube presses only
# soft switches, and may stand on light tiles. When the cubes are side by side, they become one block again.
#
# `play_split(text, keys)` returns the same three values as `play_level`.

# %%
level = gw.Bloxorz.level("level05")
level.animate(level.solve())


# %% solution="play_split"
def play_split(text, keys):
    ### BEGIN SOLUTION
    return Machine(text).play(keys)
    ### END SOLUTION


# %% check="play_split" points=10
levels = ["level05", "level24", "level29", "level31"]
agree(lambda case: tuple(play_split(case.text, case.keys)), list(playthroughs(levels, 3)), lambda case: case.result, 10)

# %% [markdown]
# ## Extra credit: three dimensions (5 points, graded by hand)
#
# Draw a position in three dimensions, with the block as a solid on the tiles. With an orthographic camera, every tile
# has the same four-sided shape, and a block that is drawn after the tiles appears on top of them. Use matplotlib, SVG,
# or any other tool.

# %% answer="three_dimensions" points=5
### BEGIN SOLUTION
import matplotlib.pyplot as plt


def corners(cells, z):
    """Returns the corners of the rectangle around some cells, at height `z`, as points in the picture."""
    rows, cols = [row for row, _ in cells], [col for _, col in cells]
    around = [
        (min(rows), min(cols)),
        (min(rows), max(cols) + 1),
        (max(rows) + 1, max(cols) + 1),
        (max(rows) + 1, min(cols)),
    ]
    return [(col - 0.3 * row, -0.6 * row + 0.8 * z) for row, col in around]


def draw(terrain, block):
    _, axes = plt.subplots(figsize=(6, 3))
    for cell in sorted(terrain.tiles):
        axes.fill(*zip(*corners([cell], 0)), fc="0.8", ec="0.4")
    cells, tall = block.positions(), 2 if block.is_standing() else 1
    below, above = corners(cells, 0), corners(cells, tall)
    for one, other in ((2, 3), (1, 2)):  # the two sides that the camera sees
        axes.fill(*zip(below[one], below[other], above[other], above[one]), fc="#8a5a2b", ec="black")
    axes.fill(*zip(*above), fc="#c98b4b", ec="black")
    axes.set_aspect("equal")
    axes.axis("off")


draw(Terrain(gw.Bloxorz.level("level01").text), Block(1, 1))
### END SOLUTION
