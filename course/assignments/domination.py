# %% [markdown]
# # Assignment: Linear Domination
#
# Two players draw lines on a board in turn, X and O. A line takes every cell that it crosses. A line may not have the same midpoint as one of the
# last K lines, nor be perpendicular to one of them. Whoever has more cells at the end wins. You write the linear algebra behind the game, and then the
# whole program.
#
# *About 6 hours · first course in linear algebra · 100 points, and 10 of extra credit.*
#
# **How to work.** Write your code where it says `YOUR CODE HERE`, and run the cell below your code: that cell shows the
# smallest case on which your code is wrong, the expected and the actual result, and the points. Run it as often as you
# like. You may add cells. Your answers are graded with other games of the same kind.

# %% setup="start"
import gridwright as gw
import numpy as np
from gridwright import check

SEED = None  # the grader draws other random cases


# %% [markdown]
# Your name or student number: the games that are generated from it are yours alone.

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
# Click a cell, then another. *Hint* suggests a play, and why.

# %%
gw.LinearDomination.empty(8, 3).widget()

# %% [markdown]
# Cells are `(row, col)`, from (0, 0) at the top left. The cell (r, c) covers the square from r to r + 1 and from c to c + 1, and a line runs from the
# **center** of its tail cell to the center of its head cell: from (r + 0.5, c + 0.5).
#
# ## 1. A parametric line (20 points)
#
# `ParametricLine(tail, head)` has
#
# * `vector`: from the tail to the head; `vector_normalized`: the same direction with length 1 (not asked for a line of length 0);
# * `barycentric_coordinate(t)`: the point (1 - t) tail + t head, with the centers of the cells;
# * `midpoint`: the barycentric coordinate of one half.


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
# `trace_line(tail, head)` lists the cells `(row, col)` whose interior the line crosses, from the tail to the head. The method of Amanatides and Woo walks from
# cell to cell: it keeps track of how far along the line the next border of a row is, and the next border of a column, and steps over the nearer one. Where
# the line meets a **corner** it steps over both.

# %%
from gridwright.draw import films

films.line((0, 0), (4, 9))

# %% [markdown]
# Floating point numbers that should be equal often are not: 0.1 + 0.2 is not 0.3. Compare fractions as whole numbers (multiply both sides by the denominators), or
# think about a tolerance.


# %% solution="trace_line"
def trace_line(tail, head):
    ### BEGIN SOLUTION
    (row, col), rows, cols = tail, 0, 0
    dr, dc = abs(head[0] - row), abs(head[1] - col)
    down, right = (1 if head[0] > row else -1), (1 if head[1] > col else -1)
    cells = [(row, col)]
    while rows < dr or cols < dc:
        # The next border of a row is (2 rows + 1) / (2 dr) of the way ahead, that of a column (2 cols + 1) / (2 dc).
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
# `is_play_valid(size, lookback, plays, index)` judges the play `plays[index]`, `(row, col, row, col)` from tail to head, on a board of `size` rows and
# columns. It is legal if
#
# * both ends are on the board;
# * its midpoint is not that of any of the last `lookback` plays;
# * it is not perpendicular to any of them: the dot product of the two vectors is not 0.
#
# The last plays include those that were illegal themselves.


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
# `counts(board)` gets an array of 0 for an empty cell, 1 for X and 2 for O, and returns the number of cells of X and that of O.


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
# `display_board(board)` returns a list of texts, one per row: for each cell a space, `X` or `O`, and a space after it.


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
# `run_game(text)` gets the text of a game and returns the text of the result.
#
# The first line of the input holds the size N and the lookback K; then come the plays, four numbers each, tail row and column, head row and column,
# **counted from 1**. X begins. An illegal play is ignored, and it is still the other player's turn next. The output holds the board, a line per
# row as in task 5 (an empty cell may be a period, too), and the line `Player X: 5 cells; Player O: 3 cells`.

# %%
gw.LinearDomination.level("first_lines").animate()


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
# This game is yours alone: fourteen plays at random on a board of 7 by 7 cells, with K = 2. Which of them are legal? `my_plays` lists them, counted
# from 0. Write a list of fourteen values, each `True` or `False`.

# %%
my_plays

# %% solution="my_verdicts"
my_verdicts = []
### BEGIN SOLUTION
my_verdicts = [is_play_valid(7, 2, my_plays, index) for index in range(14)]
### END SOLUTION

# %% check="my_verdicts" points=5
legal = [int(verdict) == 0 for verdict in mine.verdicts]
same = sum(told is true for told, true in zip(my_verdicts, legal)) if len(my_verdicts) == 14 else 0
print(f"right: {same} of 14")
display(mine)
5 if same == 14 else 0

# %% [markdown]
# ## Extra credit: a player (10 points)
#
# `best_play(size, lookback, plays)` returns the play `(row, col, row, col)` that gains most for the player whose turn it is after `plays`: of all legal plays,
# one that makes the lead over the other player as large as possible. A line recolors cells of the other player. Boards have at most 5 by 5 cells.


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
    """The lead of the player who made a play, after it."""
    after = game.copy()
    after.play(*map(int, play))
    x, o = after.counts
    return int(x - o) if len(game.plays) % 2 == 0 else int(o - x)


games = [
    gw.LinearDomination.generate(3 + n % 3, 2, n, rules="document", seed=(SEED or 0) % 1000 + n) for n in range(12)
]
games = [game for game in games if game.suggest() is not None]
agree(
    lambda game: lead_after(game, best_play(game.height, 2, [tuple(play) for play in game.plays.tolist()])),
    games,
    lambda game: lead_after(game, game.suggest()),
    10,
)
