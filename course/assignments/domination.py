# %% [markdown]
# # Assignment: Linear Domination
#
# Two players, X and O, take turns drawing lines on a board. A line takes every cell that it crosses. A line may neither
# have the same midpoint as any of the last K lines nor be perpendicular to any of them. The player with more cells at
# the end wins. You write the linear algebra behind the game, and then the whole program.
#
# *About 6 hours · first course in linear algebra · 100 points, and 10 of extra credit.*
#
# **How to work.** Write your code in place of `YOUR CODE HERE`, and run the cell below your code. That cell shows a
# case on which your code is wrong, the expected and the actual result, and the points. You may run it as often as you
# like, and you may add cells. Your answers are graded on other games of the same kind.

# %% setup="start"
import gridwright as gw
import numpy as np
from gridwright import check

SEED = None  # the grader draws other random cases


# %% [markdown]
# Enter your name or student number. A game of your own is generated from it.

# %%
STUDENT = ""

# %% setup="boards"
rng = np.random.default_rng(check.for_student(STUDENT or "nobody", key="domination"))
my_plays = [tuple(int(part) for part in play) for play in rng.integers(0, 7, (14, 4))]
mine = gw.LinearDomination(
    "\n".join(["7 2 document", *(" ".join(str(part + 1) for part in play) for play in my_plays)])
)


# %% setup="agree"

# %% [markdown]
# ## The game
#
# To draw a line, click its first cell and then its last. *Hint* suggests a play and explains it.

# %%
gw.LinearDomination.empty(8, 3).widget()

# %% [markdown]
# Cells are `(row, col)`, counted from (0, 0) at the top left. The cell (r, c) covers the square from r to r + 1 and
# from c to c + 1, so its **center** is (r + 0.5, c + 0.5). A line runs from the center of its tail cell to the center
# of its head cell.
#
# ## 1. A parametric line (20 points)
#
# `ParametricLine(tail, head)` has
#
# * `vector`: the vector from the tail to the head;
# * `vector_normalized`: the vector of length 1 in the same direction (for a line of length 0, any value is accepted);
# * `barycentric_coordinate(t)`: the point (1 - t) tail + t head, computed with the centers of the two cells;
# * `midpoint`: the point that `barycentric_coordinate(0.5)` returns.


# %% solution="parametric_line"
class ParametricLine:
    def __init__(self, tail, head):
        ### BEGIN SOLUTION
        self.tail_point = np.array(tail, dtype=float) + 0.5
        self.head_point = np.array(head, dtype=float) + 0.5
        self.vector = self.head_point - self.tail_point
        length = np.linalg.norm(self.vector)
        self.vector_normalized = self.vector / length if length else self.vector
        self.midpoint = self.barycentric_coordinate(0.5)
        ### END SOLUTION

    def barycentric_coordinate(self, t):
        ### BEGIN SOLUTION
        return (1 - t) * self.tail_point + t * self.head_point
        ### END SOLUTION


# %% check="parametric_line" points=20
check.parametric_line(ParametricLine, seed=SEED).points(20)

# %% [markdown]
# ## 2. The cells of a line (25 points)
#
# `trace_line(tail, head)` returns a list of the cells `(row, col)` whose interior the line crosses, from the tail to
# the head. The method of Amanatides and Woo walks from cell to cell. It keeps track of two distances along the line, to
# the next border between two rows and to the next border between two columns, and crosses the nearer border. If the
# line passes through a **corner**, it crosses both borders at once.

# %%
from gridwright.draw import films

films.line((0, 0), (4, 9))

# %% [markdown]
# Floating-point numbers that should be equal often are not: in Python, 0.1 + 0.2 is not equal to 0.3. Compare fractions
# as whole numbers (multiply both sides by the denominators), or choose a tolerance.


# %% solution="trace_line"
def trace_line(tail, head):
    ### BEGIN SOLUTION
    (row, col), rows, cols = tail, 0, 0
    dr, dc = abs(head[0] - row), abs(head[1] - col)
    down, right = (1 if head[0] > row else -1), (1 if head[1] > col else -1)
    cells = [(row, col)]
    while rows < dr or cols < dc:
        # The next border between rows is at (2 rows + 1) / (2 dr) of the way from the tail to the head, and the next
        # border between columns at (2 cols + 1) / (2 dc). The two fractions are compared as whole numbers.
        to_row, to_col = (2 * rows + 1) * dc, (2 * cols + 1) * dr
        if rows < dr and to_row <= to_col:
            row, rows = row + down, rows + 1
        if cols < dc and to_col <= to_row:
            col, cols = col + right, cols + 1
        cells.append((row, col))
    return cells
    ### END SOLUTION


# %% check="trace_line" points=25
check.trace_line(trace_line, seed=SEED).points(25)

# %% [markdown]
# ## 3. The rules (20 points)
#
# `is_play_valid(size, lookback, plays, index)` returns whether the play `plays[index]` is legal on a board of `size`
# rows and columns. A play is `(row, col, row, col)`: the cell of the tail, then the cell of the head. A play is legal
# if
#
# * both ends are on the board;
# * its midpoint differs from the midpoints of the `lookback` plays before it;
# * it is not perpendicular to any of these plays: the dot product of the two vectors is not 0.
#
# Illegal plays count among the `lookback` plays, too.


# %% solution="is_play_valid"
def is_play_valid(size, lookback, plays, index):
    ### BEGIN SOLUTION
    a, b, c, d = plays[index]
    if not all(0 <= part < size for part in (a, b, c, d)):
        return False
    for e, f, g, h in plays[max(0, index - lookback) : index]:
        if (a + c, b + d) == (e + g, f + h) or (c - a) * (g - e) + (d - b) * (h - f) == 0:
            return False
    return True
    ### END SOLUTION


# %% check="is_play_valid" points=20
check.is_play_valid(is_play_valid, seed=SEED).points(20)

# %% [markdown]
# ## 4. Counting (10 points)
#
# `counts(board)` takes an array with 0 for each empty cell, 1 for X and 2 for O. It returns two numbers: the number of
# cells of X and the number of cells of O.


# %% solution="counts"
def counts(board):
    ### BEGIN SOLUTION
    return sum(cell == 1 for row in board for cell in row), sum(cell == 2 for row in board for cell in row)
    ### END SOLUTION


# %% check="counts" points=10
check.counts(counts, seed=SEED).points(10)

# %% [markdown]
# ## 5. Displaying the board (5 points)
#
# `display_board(board)` returns a list of strings, one per row. Each cell becomes two characters: a space if it is
# empty, otherwise `X` or `O`, and then a space.


# %% solution="display_board"
def display_board(board):
    ### BEGIN SOLUTION
    return ["".join(" XO"[cell] + " " for cell in row) for row in board]
    ### END SOLUTION


# %% check="display_board" points=5
games = [gw.LinearDomination.generate(3 + n // 2, 2, 1 + n, seed=(SEED or 0) % 1000 + n) for n in range(10)]
rows = lambda game: ["".join(" XO"[cell] + " " for cell in row) for row in game.board.tolist()]
agree(lambda game: list(display_board(game.board)), games, rows, 5)

# %% [markdown]
# ## 6. The whole program (15 points)
#
# `run_game(text)` takes the text of a game and returns the text of the result.
#
# The first line of the input has the size N and the lookback K. The plays follow, with four numbers each: row and
# column of the tail, then row and column of the head, all **counted from 1**. X begins. An illegal play draws nothing,
# but it uses up the player's turn. The output has one line per row of the board, as in task 5 (for an empty cell, you
# may also write a period), and then a line such as `Player X: 5 cells; Player O: 3 cells`. The film shows the first
# plays of a game.

# %%
plays = gw.LinearDomination.level("first_lines").plays
gw.LinearDomination.empty(8, 3).animate(plays)


# %% solution="run_game"
def run_game(text):
    ### BEGIN SOLUTION
    size, lookback, *numbers = (int(word) for word in text.split())
    plays = [tuple(number - 1 for number in numbers[at : at + 4]) for at in range(0, len(numbers) - 3, 4)]
    board = [[0] * size for _ in range(size)]
    for index, (a, b, c, d) in enumerate(plays):
        if is_play_valid(size, lookback, plays, index):
            for row, col in trace_line((a, b), (c, d)):
                board[row][col] = index % 2 + 1
    x, o = counts(board)
    return "\n".join([*display_board(board), f"Player X: {x} cells; Player O: {o} cells"]) + "\n"
    ### END SOLUTION


# %% check="run_game" points=15
check.output(run_game, seed=SEED).points(15)

# %% [markdown]
# ## 7. Your own game (5 points)
#
# This game was generated from your name: fourteen random plays on a board of 7 by 7 cells, with K = 2. Which plays are
# legal? `my_plays` lists the plays, with rows and columns counted from 0. Write a list of fourteen values, each `True`
# or `False`.

# %%
my_plays

# %% solution="my_verdicts"
my_verdicts = []
### BEGIN SOLUTION
my_verdicts = [is_play_valid(7, 2, my_plays, index) for index in range(14)]
### END SOLUTION

# %% check="my_verdicts" points=5
legal = [int(verdict) == 0 for verdict in mine.verdicts]
same = sum(answer is expected for answer, expected in zip(my_verdicts, legal)) if len(my_verdicts) == 14 else 0
print(f"right: {same} of 14")
display(mine)
5 if same == 14 else 0

# %% [markdown]
# ## Extra credit: a player (10 points)
#
# `best_play(size, lookback, plays)` returns the play `(row, col, row, col)` that gains the most for the player whose
# turn it is after `plays`: one of the legal plays after which the lead over the other player is as large as possible.
# A line also takes the cells of the other player that it crosses. Boards have at most 5 by 5 cells.


# %% solution="best_play"
def best_play(size, lookback, plays):
    ### BEGIN SOLUTION
    board = [[0] * size for _ in range(size)]
    for index, (a, b, c, d) in enumerate(plays):
        if is_play_valid(size, lookback, plays, index):
            for row, col in trace_line((a, b), (c, d)):
                board[row][col] = index % 2 + 1
    color = len(plays) % 2 + 1
    cells = [(row, col) for row in range(size) for col in range(size)]
    best = None
    for tail in cells:
        for head in cells:
            play = (*tail, *head)
            if is_play_valid(size, lookback, [*plays, play], len(plays)):
                gain = sum((board[r][c] != color) + (board[r][c] == 3 - color) for r, c in trace_line(tail, head))
                if best is None or gain > best[0]:
                    best = gain, play
    return best[1]
    ### END SOLUTION


# %% check="best_play" points=10
def lead_after(game, play):
    """Returns the lead of the player who makes `play`, after this play."""
    after = game.copy()
    after.play(*map(int, play))
    x, o = after.counts
    return int(x - o) if len(game.plays) % 2 == 0 else int(o - x)


games = [
    gw.LinearDomination.generate(3 + n % 3, 2, n, rules="document", seed=(SEED or 0) % 1000 + n) for n in range(12)
]
games = [game for game in games if game.suggest() is not None]
leads = [lead_after(game, game.suggest()) for game in games]
best = [
    play for game, lead in zip(games, leads) for play in game.legal_moves().tolist() if lead_after(game, play) == lead
]
agree(
    lambda game: lead_after(game, best_play(game.height, 2, [tuple(play) for play in game.plays.tolist()])),
    games,
    lambda game: lead_after(game, game.suggest()),
    10,
    chance=max(map(best.count, best)) / len(games),
)
