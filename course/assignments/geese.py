# %% [markdown]
# # Assignment: GeeseSpotter
#
# Geese hide on a board of fields. A goose dirties its neighborhood, so an attentive observer of a field can tell how
# many of its up to eight neighbors hold a goose. Find all fields without a goose, and do not disturb any goose. You
# write the functions of the game; the loop that asks the player for actions and calls your functions is given.
#
# *4 to 8 hours · first programming course · 100 points, and 10 of extra credit.*
#
# **How to work.** Write your code in place of `YOUR CODE HERE`, and run the cell below your code. That cell shows a
# small board on which your code is wrong, the expected and the actual result, and the points. You may run it as often
# as you like, and you may add cells. Your answers are graded on other boards of the same kind.

# %% setup="start"
import gridwright as gw
import numpy as np
from gridwright import check

SEED = None  # the grader draws other random cases


# %% [markdown]
# Enter your name or student number. A board of your own is generated from it.

# %%
STUDENT = ""

# %% setup="boards"
seed = check.for_student(STUDENT or "nobody", key="geese")
mine = gw.GeeseSpotter.generate(5, 5, 4, safe=(2, 2), no_guess=True, seed=seed)
mine.show((2, 2))
my_view = mine.view.tolist()

# %% [markdown]
# ## The game
#
# A click shows a field, and a right click or a long press marks it. *Hint* suggests a step that can be justified, and
# explains it.

# %%
gw.GeeseSpotter.generate(8, 8, 8, safe=(4, 4), seed=3).widget()

# %% [markdown]
# ## The board
#
# A board is a **one-dimensional** list of bytes, row after row: the field in column `x` and row `y` of a board that is
# `x_dim` fields wide is `board[y * x_dim + x]`. Each byte holds three things:
#
# | bits | mask | meaning |
# |---|---|---|
# | 0 to 3 | `0x0F` | the value: 0 to 8 neighboring geese, or 9 for a goose |
# | 4 | `0x10` | the field is marked |
# | 5 | `0x20` | the field is hidden |
#
# So `0x22` is a hidden field with two geese around it, and `0x39` is a goose that is hidden and marked. Test bits with
# `&`, set them with `|`, toggle them with `^`, and put parentheses around each of these operations.

# %%
game = gw.GeeseSpotter.level("beginner")
game.show((0, 0))
print([f"{int(field):#04x}" for field in game.board.ravel()[:12]])
game

# %% [markdown]
# ## 1. A new board (5 points)
#
# `create_board(x_dim, y_dim)` returns a new board of zeros.


# %% solution="create_board"
def create_board(x_dim, y_dim):
    ### BEGIN SOLUTION
    return [0] * (x_dim * y_dim)
    ### END SOLUTION


# %% check="create_board" points=5
check.create_board(create_board, seed=SEED).points(5)

# %% [markdown]
# ## 2. Clearing a board (5 points)
#
# `clean_board(board)` sets every field to 0 and returns nothing. (In C++, the function frees the memory instead.)


# %% solution="clean_board"
def clean_board(board):
    ### BEGIN SOLUTION
    for i in range(len(board)):
        board[i] = 0
    ### END SOLUTION


# %% check="clean_board" points=5
check.clean_board(clean_board, seed=SEED).points(5)

# %% [markdown]
# ## 3. Printing (10 points)
#
# `print_board(board, x_dim, y_dim)` prints one line per row, with one character per field: `M` if the field is marked,
# `*` if it is hidden but not marked, otherwise its value. There are no spaces.


# %% solution="print_board"
def print_board(board, x_dim, y_dim):
    ### BEGIN SOLUTION
    for y in range(y_dim):
        line = ""
        for x in range(x_dim):
            field = board[y * x_dim + x]
            line += "M" if field & 0x10 else "*" if field & 0x20 else str(field & 0x0F)
        print(line)
    ### END SOLUTION


# %% check="print_board" points=10
check.print_board(print_board, seed=SEED).points(10)

# %% [markdown]
# ## 4. Hiding (10 points)
#
# `hide_board(board, x_dim, y_dim)` hides all fields and keeps their values.


# %% solution="hide_board"
def hide_board(board, x_dim, y_dim):
    ### BEGIN SOLUTION
    for i in range(x_dim * y_dim):
        board[i] |= 0x20
    ### END SOLUTION


# %% check="hide_board" points=10
check.hide_board(hide_board, seed=SEED).points(10)

# %% [markdown]
# ## 5. Marking (10 points)
#
# `mark(board, x_dim, y_dim, x_loc, y_loc)` toggles the mark of a hidden field and returns 0. If the field is revealed,
# the function leaves the board unchanged and returns 2.


# %% solution="mark"
def mark(board, x_dim, y_dim, x_loc, y_loc):
    ### BEGIN SOLUTION
    i = y_loc * x_dim + x_loc
    if not board[i] & 0x20:
        return 2
    board[i] ^= 0x10
    return 0
    ### END SOLUTION


# %% check="mark" points=10
check.mark(mark, seed=SEED).points(10)

# %% [markdown]
# ## 6. The geese (5 points)
#
# `spread_geese(board, x_dim, y_dim, num_geese)` puts a 9 into each of `num_geese` different fields of an empty board.
# The fields are chosen at random, and every field is equally likely.

# %% solution="spread_geese"
import random


def spread_geese(board, x_dim, y_dim, num_geese):
    ### BEGIN SOLUTION
    for place in random.sample(range(x_dim * y_dim), num_geese):
        board[place] = 9
    ### END SOLUTION


# %% check="spread_geese" points=5
check.spread_geese(spread_geese, seed=SEED).points(5)

# %% [markdown]
# ## 7. The numbers (20 points)
#
# `compute_neighbours(board, x_dim, y_dim)` takes a board of zeros and nines. Into each field without a goose, it writes
# the number of geese among the up to eight neighbors of the field. *Hint:* write a function that turns `x` and `y` into
# an index, and work with coordinates.


# %% solution="compute_neighbours"
def compute_neighbours(board, x_dim, y_dim):
    ### BEGIN SOLUTION
    for y in range(y_dim):
        for x in range(x_dim):
            if board[y * x_dim + x] != 9:
                count = 0
                for ny in range(max(0, y - 1), min(y_dim, y + 2)):
                    for nx in range(max(0, x - 1), min(x_dim, x + 2)):
                        count += board[ny * x_dim + nx] == 9
                board[y * x_dim + x] = count
    ### END SOLUTION


# %% check="compute_neighbours" points=20
check.compute_neighbours(compute_neighbours, seed=SEED).points(20)

# %% [markdown]
# ## 8. The end of the game (10 points)
#
# `is_game_won(board, x_dim, y_dim)` returns whether all fields without a goose are revealed.


# %% solution="is_game_won"
def is_game_won(board, x_dim, y_dim):
    ### BEGIN SOLUTION
    for field in board:
        if field & 0x0F != 9 and field & 0x20:
            return False
    return True
    ### END SOLUTION


# %% check="is_game_won" points=10
check.is_game_won(is_game_won, seed=SEED).points(10)

# %% [markdown]
# ## 9. Revealing (20 points)
#
# `reveal(board, x_dim, y_dim, x_loc, y_loc)` reveals a field and returns a code:
#
# * 1 if the field is marked; the board is left unchanged;
# * 2 if the field was revealed before;
# * 9 if the field holds a goose, which is now revealed;
# * 0 otherwise.
#
# If an unmarked field has the value 0, its unmarked neighbors are revealed too, even if the field itself was revealed
# before. The function goes **no further**: if a neighbor also has the value 0, the neighbors of that neighbor stay
# hidden. In the picture, the field in row 2 and column 3 was revealed; the zeros around it revealed nothing more.

# %%
example = gw.GeeseSpotter(
    "6 6 2\n"
    + "29 21 20 20 20 20\n21 21 20 20 20 20\n20 20 20 20 20 20\n20 20 20 20 20 20\n20 20 20 20 21 21\n20 20 20 20 21 29"
)
example.show((2, 3))
example


# %% solution="reveal"
def reveal(board, x_dim, y_dim, x_loc, y_loc):
    ### BEGIN SOLUTION
    i = y_loc * x_dim + x_loc
    if board[i] & 0x10:
        return 1
    code = 0 if board[i] & 0x20 else 2
    board[i] &= 0x0F
    if board[i] == 9 and code == 0:
        return 9
    if board[i] == 0:
        for y in range(max(0, y_loc - 1), min(y_dim, y_loc + 2)):
            for x in range(max(0, x_loc - 1), min(x_dim, x_loc + 2)):
                if not board[y * x_dim + x] & 0x10:
                    board[y * x_dim + x] &= 0x0F
    return code
    ### END SOLUTION


# %% check="reveal" points=20
check.reveal(reveal, seed=SEED).points(20)

# %% [markdown]
# ## Play your own game
#
# This cell has the loop of the game, which calls your functions. When all your functions are right, remove the `#`
# before `play()` and run the cell.


# %%
def play(x_dim=6, y_dim=5, num_geese=4):
    board = create_board(x_dim, y_dim)
    spread_geese(board, x_dim, y_dim, num_geese)
    compute_neighbours(board, x_dim, y_dim)
    hide_board(board, x_dim, y_dim)
    while True:
        print_board(board, x_dim, y_dim)
        action, *place = input("[S]how x y, [M]ark x y or [Q]uit: ").split() or " "
        if action in "qQ":
            return
        if len(place) != 2:
            continue
        x, y = map(int, place)
        code = mark(board, x_dim, y_dim, x, y) if action in "mM" else reveal(board, x_dim, y_dim, x, y)
        if code == 9 or is_game_won(board, x_dim, y_dim):
            print("You disturbed a goose." if code == 9 else "You found all the geese.")
            return


# play()

# %% [markdown]
# ## 10. Your own board (5 points)
#
# This board was generated from your name, and holds 4 geese. Which hidden fields are **certainly** safe? Write down all
# of these fields as a list of `(row, col)`. A field is certainly safe if no placement of 4 geese that agrees with the
# numbers has a goose in this field. `my_view` is the board of the picture, as a list of lists.

# %%
mine

# %% solution="my_safe"
my_safe = []
### BEGIN SOLUTION
from itertools import combinations


def certainly_safe(view, count):
    cells = [(row, col) for row in range(len(view)) for col in range(len(view[0]))]
    hidden = [cell for cell in cells if view[cell[0]][cell[1]] == "*"]
    numbers = {
        (row, col): (int(view[row][col]), [(r, c) for r, c in cells if max(abs(r - row), abs(c - col)) == 1])
        for row, col in cells
        if (row, col) not in hidden
    }
    possible = set()
    for flock in combinations(hidden, count):
        if all(sum(cell in flock for cell in near) == number for number, near in numbers.values()):
            possible.update(flock)
    return [cell for cell in hidden if cell not in possible]


my_safe = certainly_safe(my_view, 4)
### END SOLUTION

# %% check="my_safe" points=5
chances = np.where(mine.view == "*", mine.probabilities(), 1.0)
safe = {(int(row), int(col)) for row, col in np.argwhere(chances == 0)}
named = {(int(row), int(col)) for row, col in my_safe}
print(
    f"certainly safe fields that you named: {len(named & safe)}; not certainly safe: {len(named - safe)}; "
    f"missing: {len(safe - named)}"
)
5 if named == safe else 0

# %% [markdown]
# ## Extra credit: the whole program (10 points)
#
# `program()` is the game on the console, as the document of your course describes it: it asks for the dimensions and
# the number of geese, prints the board after each action, and begins a new game after a win or a loss, until the player
# quits. The cell below `program()` compares the dialogue with the expected dialogue, on boards on which chance plays no
# part. To check a program in another language, pass its command: `check.console(["./a.out"])`.
#
# ```
# Welcome to GeeseSpotter!
# Please enter the x dimension (max 60): 5
# Please enter the y dimension (max 20): 5
# Please enter the number of geese: 2
# *****
# ...
# Please enter the action ([S]how; [M]ark; [R]estart; [Q]uit): S
# Please enter the x location: 0
# Please enter the y location: 0
# ```


# %% solution="program"
def program():
    ### BEGIN SOLUTION
    print("Welcome to GeeseSpotter!")
    while one_game():
        pass
    ### END SOLUTION


### BEGIN SOLUTION
def one_game():
    """Plays one game; returns whether to start another game."""
    x_dim = int(input("Please enter the x dimension (max 60): "))
    y_dim = int(input("Please enter the y dimension (max 20): "))
    num_geese = int(input("Please enter the number of geese: "))
    board = create_board(x_dim, y_dim)
    spread_geese(board, x_dim, y_dim, num_geese)
    compute_neighbours(board, x_dim, y_dim)
    hide_board(board, x_dim, y_dim)
    print_board(board, x_dim, y_dim)
    while True:
        action = input("Please enter the action ([S]how; [M]ark; [R]estart; [Q]uit): ")
        if action in ("Q", "q"):
            return False
        if action in ("R", "r"):
            return True
        if action not in ("S", "s", "M", "m"):
            continue
        x = int(input("Please enter the x location: "))
        y = int(input("Please enter the y location: "))
        if action in ("M", "m"):
            if mark(board, x_dim, y_dim, x, y) == 2:
                print("Field already revealed")
        else:
            code = reveal(board, x_dim, y_dim, x, y)
            if code == 9:
                print_board(board, x_dim, y_dim)
                print("You disturbed a goose! You lost!")
                return True
        print_board(board, x_dim, y_dim)
        if is_game_won(board, x_dim, y_dim):
            print("You won!")
            return True


### END SOLUTION

# %% check="program" points=10
check.console(program, seed=SEED).points(10)
