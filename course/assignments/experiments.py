# %% [markdown]
# # Assignment: which player is better?
#
# Two programs play the same game. The first program wins 83 of 100 games, the second 78. Is the first program better,
# or was it just lucky? You write the tools that answer such questions, a player of your own, and a short report.
#
# *About 5 hours · any course with some programming and some statistics · 100 points, and 5 of extra credit.*
#
# **How to work.** Write your code in place of `YOUR CODE HERE`, and run the cell below your code. That cell tests your
# code on a few examples or games, and shows the points. You may run it as often as you like, and you may add cells.
# Your answers are graded on more examples of the same kind.

# %% setup="start"
import gridwright as gw
import numpy as np
from gridwright import check, geese

SEED = None  # the grader draws other random cases


# %% [markdown]
# Enter your name or student number. The boards of your experiment are generated from it.

# %%
STUDENT = ""

# %% setup="boards"
seed = check.for_student(STUDENT or "nobody", key="experiments")
# The results of two policies on the same 400 boards of 9 by 9 fields with 16 geese: 1 for a win, 0 for a loss.
mine_first = geese.play_many(400, 9, 9, 16, policy="lookahead", seed=seed).astype(int).tolist()
mine_second = geese.play_many(400, 9, 9, 16, policy="safest", seed=seed).astype(int).tolist()


# %% setup="agree"

# %% [markdown]
# ## The game
#
# In GeeseSpotter, a player shows fields and must not show a goose. The number in a shown field is the number of geese
# among its up to eight neighbors. Sometimes no field is certain to be safe, and the player has to guess, so luck plays
# a part. The film shows the chance of a goose in each field.

# %%
from gridwright.draw import films

game = gw.GeeseSpotter.generate(8, 8, 10, safe=(0, 0), seed=11)
game.show((0, 0))
films.chances(game)

# %% [markdown]
# ## 1. A mean and its error (15 points)
#
# `share(values)` returns the mean of a list of n numbers and **two standard errors** of the mean: twice the sample
# standard deviation (with n - 1 in the denominator) divided by the square root of n. With about 95% confidence, the
# true mean lies within this distance of the mean of the list. The list has at least two numbers.


# %% solution="share"
def share(values):
    ### BEGIN SOLUTION
    return np.mean(values), 2 * np.std(values, ddof=1) / len(values) ** 0.5
    ### END SOLUTION


# %% check="share" points=15
def rounded(numbers):
    return tuple(round(float(number), 6) for number in numbers)


known = [([1, 1, 0, 0], (0.5, 0.57735)), ([2, 4], (3, 2)), ([5, 5, 5], (5, 0))]
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(SEED)
for n in (2, 3, 10, 100):
    values = rng.integers(0, 2 + n % 3, n).astype(float)
    known.append((values.tolist(), rounded((values.mean(), 2 * values.std(ddof=1) / np.sqrt(n)))))
### END HIDDEN TESTS
agree(lambda case: rounded(share(case[0])), known, lambda case: rounded(case[1]), 15)

# %% [markdown]
# ## 2. The same boards (20 points)
#
# Some boards are easy for both players. Therefore, let both players play the **same** boards, and compare their results
# board by board: `paired(first, second)` takes the results of both players, and returns the mean of the differences
# first - second and two standard errors of this mean.
#
# **Predict** before you run the last cell of this task: is the error smaller or larger than the error for two
# independent samples?


# %% solution="paired"
def paired(first, second):
    ### BEGIN SOLUTION
    return share([a - b for a, b in zip(first, second)])
    ### END SOLUTION


# %% check="paired" points=20
def rounded(numbers):
    return tuple(round(float(number), 6) for number in numbers)


known = [(([3, 1, 2], [1, 1, 1]), (1, 1.154701)), (([1, 0], [0, 1]), (0, 2)), (([1, 2, 3], [3, 4, 5]), (-2, 0))]
### BEGIN HIDDEN TESTS
rng = np.random.default_rng(SEED)
for n in (2, 5, 20, 200):
    first, second = rng.integers(0, 4, (2, n)).astype(float)
    difference = first - second
    answer = difference.mean(), 2 * difference.std(ddof=1) / np.sqrt(n)
    known.append(((first.tolist(), second.tolist()), answer))
### END HIDDEN TESTS
agree(lambda case: rounded(paired(*case[0])), known, lambda case: rounded(case[1]), 20)

# %%
print("paired:     ", *paired(mine_first, mine_second))
errors = [share(values)[1] for values in (mine_first, mine_second)]
print("independent:", np.mean(mine_first) - np.mean(mine_second), np.hypot(*errors))

# %% [markdown]
# ## 3. What can be concluded (10 points)
#
# `conclude(difference, error)` judges by the interval from difference - error to difference + error. It returns
# `"undecided"` if the interval, including its ends, contains 0. Otherwise, it returns `"first"` if the first player is
# better, and `"second"` if the second player is better.


# %% solution="conclude"
def conclude(difference, error):
    ### BEGIN SOLUTION
    return "first" if difference > error else "second" if difference < -error else "undecided"
    ### END SOLUTION


# %% check="conclude" points=10
known = [((0.05, 0.02), "first"), ((-0.05, 0.02), "second"), ((0.01, 0.02), "undecided"), ((0.02, 0.02), "undecided")]
### BEGIN HIDDEN TESTS
known += [
    ((-0.02, 0.02), "undecided"),
    ((0, 0), "undecided"),
    ((3, 0), "first"),
    ((-3, 0), "second"),
    ((-1, 5), "undecided"),
]
### END HIDDEN TESTS
agree(lambda case: conclude(*case[0]), known, lambda case: case[1], 10)

# %% [markdown]
# ## 4. Your own experiment (5 points)
#
# `mine_first` and `mine_second` are the results of two policies on the same 400 boards, which were generated from your
# name: 1 for a win, 0 for a loss. Write down the mean difference, its error (two standard errors), and your conclusion.

# %% solution="my_experiment"
my_difference, my_error, my_conclusion = 0, 0, ""
### BEGIN SOLUTION
my_difference, my_error = map(float, paired(mine_first, mine_second))
my_conclusion = conclude(my_difference, my_error)
### END SOLUTION

# %% check="my_experiment" points=5
right = np.allclose((my_difference, my_error), paired(mine_first, mine_second))
right = bool(right) and my_conclusion == conclude(my_difference, my_error)
print("your answer agrees with your functions" if right else "your answer does not agree with your functions")
### BEGIN HIDDEN TESTS
difference = np.array(mine_first, dtype=float) - mine_second
mean, error = difference.mean(), 2 * difference.std(ddof=1) / 20
word = "first" if mean > error else "second" if mean < -error else "undecided"
right = abs(my_difference - mean) < 1e-6 and abs(my_error - error) < 1e-6 and my_conclusion == word
print("your answer agrees with the results" if right else "your answer does not agree with the results")
### END HIDDEN TESTS
print(f"you wrote {my_difference:.4f} ± {my_error:.4f}, {my_conclusion}")
5 * right

# %% [markdown]
# ## 5. How many games? (5 points)
#
# `sample_size(deviation, error)` returns the smallest number of games for which two standard errors are at most
# `error`, if the results of single games have the standard deviation `deviation`. By what factor must the number of
# games grow to halve the error?


# %% solution="sample_size"
def sample_size(deviation, error):
    ### BEGIN SOLUTION
    import math

    return math.ceil((2 * deviation / error) ** 2 - 1e-9)
    ### END SOLUTION


# %% check="sample_size" points=5
known = [((0.5, 0.25), 16), ((1, 0.125), 256), ((3, 4), 3)]
### BEGIN HIDDEN TESTS
known += [((0.5, 0.125), 64), ((1, 3), 1), ((2, 1.5), 8), ((0.25, 0.015625), 1024), ((7, 0.5), 784)]
### END HIDDEN TESTS
agree(lambda case: sample_size(*case[0]), known, lambda case: case[1], 5)

# %% [markdown]
# ## 6. The bootstrap (15 points)
#
# If there is no formula for the error, resample the data. `bootstrap(values, rounds)` draws `rounds` samples from
# `values` **with replacement**, each as large as `values`, computes the mean of each sample, and returns the 2.5th and
# 97.5th percentiles of these means. The check compares the percentiles with the ends of the interval of two standard
# errors around the mean, with which they should nearly agree.


# %% solution="bootstrap"
def bootstrap(values, rounds):
    ### BEGIN SOLUTION
    means = np.random.default_rng().choice(values, (rounds, len(values))).mean(axis=1)
    return np.percentile(means, 2.5), np.percentile(means, 97.5)
    ### END SOLUTION


# %% check="bootstrap" points=15
def nearly(values):
    """Returns the distances of the bootstrap interval's ends from the mean, in standard errors, rounded to halves."""
    values = np.array(values, dtype=float)
    one = values.std() / np.sqrt(len(values))
    return tuple(round(2 * (float(end) - values.mean()) / one) / 2 for end in bootstrap(values.tolist(), 10000))


rng = np.random.default_rng(SEED)
# No sample has a long tail or only a few different values, because even right percentiles might not agree then. The
# means of the samples are far apart, so a constant answer is right for at most one of them.
samples = [rng.normal(20, 2, 50).tolist(), rng.integers(0, 10, 50).tolist(), (rng.uniform(0, 1, 50) ** 2).tolist()]
samples += [rng.uniform(k, k + 2, 50).tolist() for k in (-9, -6, -3)]
agree(nearly, samples, lambda values: (-2.0, 2.0), 15, chance=1 / len(samples))

# %% [markdown]
# ## 7. A player of your own (20 points)
#
# `choose(view, left)` takes the board as a player sees it and the number of geese. `view` is a list of rows, with `"*"`
# for each hidden field and `"0"` to `"8"` for each shown field. The function returns the field `(row, col)` to show
# next. Boards have 5 by 5 fields and 4 geese. Your player plays 30 boards. It earns all points if it wins at least as
# many boards as the solver of gridwright, and none if it wins no more boards than random play.
#
# *Hint.* The 4 geese can be placed on the hidden fields in so few ways that you can try all placements. Keep the
# placements that agree with the numbers.


# %% solution="choose"
def choose(view, left):
    ### BEGIN SOLUTION
    from itertools import combinations

    cells = [(row, col) for row in range(len(view)) for col in range(len(view[0]))]
    hidden = [cell for cell in cells if view[cell[0]][cell[1]] == "*"]
    rules = []
    for row, col in cells:
        if (row, col) not in hidden:
            near = frozenset(cell for cell in hidden if max(abs(cell[0] - row), abs(cell[1] - col)) == 1)
            rules.append((int(view[row][col]), near))
    count = dict.fromkeys(hidden, 0)
    for flock in map(frozenset, combinations(hidden, left)):
        if all(len(near & flock) == number for number, near in rules):
            for cell in flock:
                count[cell] += 1
    return min(hidden, key=count.get)
    ### END SOLUTION


# %% check="choose" points=20
class Lost:
    """A lost game: the board just before a goose was shown, the cell of the goose, and the safest field."""

    def __init__(self, game, cell):
        self.game, self.cell = game, cell
        chances = np.where(game.view == "*", game.probabilities(), 1.0)
        self.best = tuple(int(part) for part in np.unravel_index(chances.argmin(), chances.shape))
        self.words = f"a goose was shown at {cell}; the chance of a goose at {self.best} was {chances.min():.0%}"


def played(game, player):
    """Plays a board; returns whether it was won, and a `Lost`, a message about a wrong answer, or None."""
    while game.status == gw.Status.OPEN:
        cell = tuple(int(part) for part in player(game))
        before = game.copy()
        try:
            code = game.show(cell)
        except gw.MoveError:
            return False, f"{cell} is not a field of the board"
        if code == 9:
            return False, Lost(before, cell)
        if code == 2:
            return False, f"{cell} is already shown"
    return game.status == gw.Status.WON, None


def at_random(game):
    return rng.permutation(np.argwhere(game.view == "*"))[0]


rng = np.random.default_rng(SEED)
boards = []
for n in range(30):
    board = gw.GeeseSpotter.generate(5, 5, 4, safe=(2, 2), seed=(SEED or 0) % 10**9 + n)
    board.show((2, 2))
    boards.append(board)
wins = {}
for name, player in {
    "you": lambda game: choose(game.view.tolist(), 4),
    "the solver": lambda game: game.hint(),
    "random play": at_random,
}.items():
    results, mistake = [], None
    for board in boards:
        try:
            won, why = played(board.copy(), player)
        except Exception as error:
            won, why = False, f"{type(error).__name__}: {error}"
        results.append(won)
        if isinstance(why, str):
            mistake = why
            break  # the player does not work yet
        if mistake is None and why is not None:
            mistake = why
    wins[name] = sum(results)
    print(f"{name}: {wins[name]} of {len(boards)} boards won")
    if name == "you" and mistake is not None:
        display(mistake.game if isinstance(mistake, Lost) else mistake)
        print(mistake.words if isinstance(mistake, Lost) else "")
span = max(1, wins["the solver"] - wins["random play"])
round(20 * max(0.0, min(1.0, (wins["you"] - wins["random play"]) / span)), 2)

# %% [markdown]
# ## 8. Your report (10 points, graded by hand)
#
# Compare your player on enough games with a second player of your own, or with a policy of the package:
# `geese.play_many(games, 5, 5, 4, first=(2, 2), start="zero", policy="safest", seed=...)` plays the same boards that
# `geese.boards(games, 5, 5, 4, safe=(2, 2), seed=...)` returns.
#
# Answer in at most two hundred words: Which question did you ask? How many games did you play, and why that many? What
# are the results, with their errors? What can be concluded, and what can **not** be concluded?

# %% [markdown] answer="report" points=10
# *A report that earns all points* states the question before the numbers, compares the two players on the same boards,
# explains how the number of games follows from the difference to be detected, gives two standard errors, draws only
# conclusions that the interval supports, and states to which boards the result applies.

# %% [markdown]
# ## Extra credit: many comparisons (5 points)
#
# Suppose that twenty new players are compared with an old player, and that all of them are equally good. Each
# comparison still finds a difference with a probability of 5%. `false_alarm(comparisons)` returns the probability that
# at least one of `comparisons` independent comparisons finds a difference.


# %% solution="false_alarm"
def false_alarm(comparisons):
    ### BEGIN SOLUTION
    return 1 - 0.95**comparisons
    ### END SOLUTION


# %% check="false_alarm" points=5
known = [(0, 0.0), (1, 0.05), (2, 0.0975)]
### BEGIN HIDDEN TESTS
known += [(comparisons, 1 - 0.95**comparisons) for comparisons in (3, 10, 20, 100)]
### END HIDDEN TESTS
agree(lambda case: round(float(false_alarm(case[0])), 6), known, lambda case: round(case[1], 6), 5)
