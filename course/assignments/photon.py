# %% [markdown]
# # Assignment: MyPhoton
#
# MyPhoton is a puzzle of lasers and logic. Lasers shine across a board; mirrors turn the light, while beam splitters
# and T-mirrors divide it. The player moves the **hardware** (mirrors, splitters, T-mirrors) to other tiles until every
# sensor is lit. You write the parts of the game that work behind the scenes: what the tiles do to light, how the light
# spreads, what a player may move, and how a level is read.
#
# *About 6 hours · second programming course · 100 points, and 5 of extra credit.*
#
# **How to work.** Write your code in place of `YOUR CODE HERE`, and run the cell below your code. That cell shows a
# case on which your code is wrong, the expected and the actual result, and the points. You may run it as often as you
# like, and you may add cells. Your answers are graded on other boards of the same kind.

# %% setup="start"
import gridwright as gw
import numpy as np
from gridwright import check
from gridwright.photon import Tile

SEED = None  # the grader draws other random cases


# %% [markdown]
# Enter your name or student number. A board of your own is generated from it.

# %%
STUDENT = ""

# %% setup="boards"
mine = gw.MyPhoton.generate(7, 7, difficulty=1, seed=check.for_student(STUDENT or "nobody", key="photon"))
my_board = mine.board & 31

# %% setup="agree"

# %% [markdown]
# ## The game
#
# To move a piece, click the piece and then the tile to which it should go. *Hint* shows the easiest move that can be
# justified, and explains it.

# %%
gw.MyPhoton.level("example").widget()

# %% [markdown]
# ## The tiles
#
# A board is an array of codes, members of `Tile`.
#
# | symbol | tile | light |
# |---|---|---|
# | `.` | empty | passes |
# | `W` | wall | stops |
# | `M\` `M/` | mirror | turns by 90 degrees, on both sides |
# | `B\` `B/` | beam splitter | turns as at a mirror, and also goes straight on |
# | `T^` `T>` `Tv` `T<` | T-mirror; the arrow shows where its point is | from the point: splits to both sides; from a side: turns to the point; from the back: stops |
# | `L^` `L>` `Lv` `L<` | laser | starts in the direction of the arrow; light that enters the tile stops |
# | `S^` `S>` `Sv` `S<` | sensor; the arrow shows where its opening is | stops; through the opening: lights the sensor |

# %%
for tile in Tile:
    print(f"{int(tile):3} {tile.name}", end="\n" if tile % 4 == 1 else "\t")

# %% [markdown]
# ## 1. What may be moved (10 points)
#
# `can_select(board, row, col)` returns whether the tile is hardware, because only hardware may be moved.


# %% solution="can_select"
def can_select(board, row, col):
    ### BEGIN SOLUTION
    return Tile.MIRROR_DOWN <= board[row, col] <= Tile.TMIRROR_W
    ### END SOLUTION


# %% check="can_select" points=10
check.can_select(can_select, seed=SEED).points(10)

# %% [markdown]
# ## 2. Moving hardware (10 points)
#
# `swap_tiles(board, one, other)` swaps the tiles at `one` and `other`, both `(row, col)`, in place.


# %% solution="swap_tiles"
def swap_tiles(board, one, other):
    ### BEGIN SOLUTION
    board[one], board[other] = board[other], board[one]
    ### END SOLUTION


# %% check="swap_tiles" points=10
check.swap(swap_tiles, seed=SEED).points(10)

# %% [markdown]
# ## 3. Reading a level (20 points)
#
# A level is a string. Its first line holds the width and the height; the rows follow. Each tile takes **two
# characters**, of which the second may be a space: `"W Lv. "` is a wall, a laser that shines down, and an empty tile.
# Spaces at the end of a row may be missing. `parse(text)` returns the rows as lists of symbols such as `"W"`, `"Lv"`
# and `"."`. If a level is malformed (no size, a missing row, an unknown symbol), `parse` must raise a `ValueError`.
# Code that is right in all other cases, but accepts malformed levels, earns only 15 points.

# %%
print(gw.MyPhoton.level("simple-mirror").text)


# %% solution="parse"
def parse(text):
    ### BEGIN SOLUTION
    lines = text.split("\n")
    width, height = (int(word) for word in lines[0].split())
    if width < 1 or height < 1 or len(lines) <= height:
        raise ValueError("no size, or missing rows")
    rows = []
    for line in lines[1 : height + 1]:
        line = line.ljust(2 * width)
        row = [line[2 * col : 2 * col + 2].strip() for col in range(width)]
        for symbol in row:
            known = symbol in (".", "W") or (
                len(symbol) == 2
                and symbol[1] in {"M": "/\\", "B": "/\\"}.get(symbol[0], "<>^v")
                and symbol[0] in "MBTLS"
            )
            if not known:
                raise ValueError(f"unknown symbol: {symbol!r}")
        rows.append(row)
    return rows
    ### END SOLUTION


# %% check="parse" points=20
report = check.parse(parse, seed=SEED)
report.points(15) + 5 * report.passed

# %% [markdown]
# ## 4. Drawing the board (10 points)
#
# `draw_board(board)` returns the symbols of the tiles, row by row: a list of lists of strings such as `"W"`, `"Lv"` and
# `"."`.


# %% solution="draw_board"
def draw_board(board):
    ### BEGIN SOLUTION
    symbols = [".", "W", "M\\", "M/", "B\\", "B/"]
    symbols += [kind + arrow for kind in "TLS" for arrow in "^>v<"]
    return [[symbols[code] for code in row] for row in board]
    ### END SOLUTION


# %% check="draw_board" points=10
games = [
    gw.MyPhoton.level(name) for name in ("simple-laser", "simple-splitter", "simple-tmirror", "tmirrors", "example")
]
games += [gw.MyPhoton.generate(6, 7, lasers=2, tmirrors=3, seed=(SEED or 0) % 1000 + n) for n in range(10)]


def lines_of(rows):
    return "\n".join(" ".join(f"{symbol:2}" for symbol in row) for row in rows)


def right(game):
    lines = [line.ljust(2 * game.width) for line in game.text.splitlines()[1:]]
    return lines_of([[line[2 * col : 2 * col + 2].strip() for col in range(game.width)] for line in lines])


agree(lambda game: lines_of(draw_board(game.board & 31)), games, right, 10)

# %% [markdown]
# ## 5. The light (35 points)
#
# Light in a tile consists of up to four **laserlets**, which lead from the center to the north, east, south and west
# sides. Light that crosses a tile from west to east has the laserlets W and E; light that a mirror turns from west to
# south has W and S.
#
# To follow the light, keep a set of **heads**. A head is a piece of light that has a heading and is about to enter a
# tile.
#
# ```
# heads = one head per laser
# used = an empty set
# while there are heads:
#     take a head out of the set
#     if the head is not used:
#         add the head to the used heads
#         let the head enter its tile: add its laserlets, and add the heads that leave the tile
# ```
#
# The film shows these steps. Why keep a set of used heads? Because light can run in a loop.

# %%
from gridwright.draw import films

films.light(gw.MyPhoton.level("cycle"))

# %% [markdown]
# `beams(board)` returns an array with the same shape as the board, with the laserlets of each tile as bits: N=1, E=2,
# S=4, W=8. Light that a tile stops leaves no laserlet in this tile, except in a sensor, which has the bit of its
# opening if light enters through the opening. A laser shines from its own tile into the next and has no laserlets
# itself.
#
# *Hint.* First write what a tile does: a function, or a class for each kind of tile, that takes the heading of the
# light and returns the headings of the light that leaves. A splitter is a mirror that also lets light pass straight
# through.

# %% solution="beams"
STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]  # the headings N, E, S, W


def leave(code, heading):
    """Returns the headings of the light that leaves a tile, or None if the light cannot enter the tile."""
    ### BEGIN SOLUTION
    if code == Tile.EMPTY:
        return [heading]
    if code in (Tile.MIRROR_DOWN, Tile.SPLITTER_DOWN):
        turned = 3 - heading
    elif code in (Tile.MIRROR_UP, Tile.SPLITTER_UP):
        turned = heading ^ 1
    elif Tile.TMIRROR_N <= code <= Tile.TMIRROR_W:
        point = code - Tile.TMIRROR_N
        if heading == (point + 2) % 4:
            return [(point + 1) % 4, (point + 3) % 4]
        return None if heading == point else [point]
    elif code >= Tile.SENSOR_N:
        return [] if (heading + 2) % 4 == code - Tile.SENSOR_N else None
    else:
        return None
    return [turned, heading] if code >= Tile.SPLITTER_DOWN else [turned]
    ### END SOLUTION


def beams(board):
    ### BEGIN SOLUTION
    height, width = board.shape
    sides = np.zeros((height, width), dtype=int)
    heads = [
        (row, col, int(board[row, col]) - int(Tile.LASER_N))
        for row in range(height)
        for col in range(width)
        if Tile.LASER_N <= board[row, col] <= Tile.LASER_W
    ]
    used = set()
    while heads:
        row, col, heading = heads.pop()
        row, col = row + STEPS[heading][0], col + STEPS[heading][1]
        if not (0 <= row < height and 0 <= col < width) or (row, col, heading) in used:
            continue
        used.add((row, col, heading))
        out = leave(int(board[row, col]), heading)
        if out is not None:
            sides[row, col] |= 1 << (heading + 2) % 4
            for leaving in out:
                sides[row, col] |= 1 << leaving
                heads.append((row, col, leaving))
    return sides
    ### END SOLUTION


# %% check="beams" points=35
check.beams(beams, seed=SEED).points(35)

# %% [markdown]
# ## 6. The end of the game (10 points)
#
# `is_puzzle_solved(board)` returns whether every sensor is lit. Use `beams`.


# %% solution="is_puzzle_solved"
def is_puzzle_solved(board):
    ### BEGIN SOLUTION
    lit = beams(board)
    sensors = board >= Tile.SENSOR_N
    return bool((lit[sensors] > 0).all())
    ### END SOLUTION


# %% check="is_puzzle_solved" points=10
ends = []
for n in range(12):
    game = gw.MyPhoton.generate(5 + n // 4, 6 + n // 4, sensors=1 + n // 4, seed=(SEED or 0) % 1000 + n)
    solved = game.copy()
    for move in game.solve():
        solved.play(*move)
    ends += [game, solved]
agree(lambda game: is_puzzle_solved(game.board & 31), ends, lambda game: game.is_solved, 10)

# %% [markdown]
# ## 7. Your own puzzle (5 points)
#
# This board was generated from your name, and `my_board` holds its codes. Solve the puzzle, by hand or with a program
# of your own, and write down the swaps as a list of `(row, col, row, col)`. In the grader, your code cannot use
# gridwright's own `solve`.

# %%
mine.widget()

# %% solution="my_swaps"
my_swaps = []


### BEGIN SOLUTION
def solve(board):
    pieces = [(r, c) for r, c in np.ndindex(board.shape) if can_select(board, r, c)]
    empty = [(r, c) for r, c in np.ndindex(board.shape) if board[r, c] == Tile.EMPTY]
    queue = [(board, [])]
    for board, swaps in queue:  # breadth-first search: the list grows during the loop
        if is_puzzle_solved(board):
            return swaps
        lit = beams(board) > 0
        places = [(r, c) for r, c in np.ndindex(board.shape) if can_select(board, r, c)]
        for one in places:
            # Only swaps with a lit tile are tried, because most other swaps do not change the light.
            for other in empty + pieces:
                if other != one and (lit[other] or lit[one]):
                    following = board.copy()
                    swap_tiles(following, one, other)
                    queue.append((following, [*swaps, (*one, *other)]))
    return []


my_swaps = solve(my_board)
### END SOLUTION

# %% check="my_swaps" points=5
board = mine.copy()
board.reset()  # without the swaps that were made by clicking
for swap in my_swaps:
    board.play(*swap)
print("every sensor is lit" if board.is_solved else "not every sensor is lit")
display(board)
5 if board.is_solved else 0

# %% [markdown]
# ## Extra credit: a level of your own (5 points)
#
# Write a level, in the format of section 3, that can be solved and needs at least two swaps.

# %% solution="my_level"
my_level = ""
### BEGIN SOLUTION
my_level = r"""7 6
W W W W W W W
W . M\. . . W
L>. . . . . W
W M\. . . . W
W . . . . . S<
W W W W W W W
"""
### END SOLUTION

# %% check="my_level" points=5
level = gw.MyPhoton(my_level)
needed = level.solve(limit=2_000_000)
display(level)
swaps = "" if needed is None else f"{len(needed)} swap{'s' * (len(needed) != 1)}"
print("the level cannot be solved" if needed is None else f"a shortest solution has {swaps}")
5 if needed is not None and len(needed) >= 2 else 0
