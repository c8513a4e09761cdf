"""Scores three simple programs on all kinds of tasks, as a scale for the scores of other programs.

    python examples/score_tasks.py [TASKS PER KIND]

* random: an answer of the right form, drawn at random.
* greedy: a rule of thumb of a few lines, which looks at the puzzle but does not search or prove anything.
* exact: the solution of the engine.

Each cell of the table has the mean score and, in parentheses, the percentage of right answers; the last row has the
mean of each column. The tasks have the seeds 0, 1, 2, ... and the grades 1 to 5 in turn.
"""

import random
import sys

import gridwright as gw
from gridwright import tasks, tracing


def cell_text(cells):
    return ", ".join(f"({row}, {col})" for row, col in cells)


def game_of(task):
    """Returns the position that a task is about, or `None` for tasks on graphs, on lines and on geese."""
    kind = gw.GAMES.get(task.metadata["world"])
    return kind(task.metadata["board"]) if kind and "board" in task.metadata else None


def hidden_fields(task):
    view = task.metadata["view"]
    return [(row, col) for row, line in enumerate(view) for col, sign in enumerate(line) if sign == "*"]


# A program takes a task and a random number generator, and returns an answer. It reads `task.metadata`, which has the
# content of the question in a form that is easier for a program to read.


def random_answer(task, rng):
    facts, game = task.metadata, game_of(task)
    match task.name:
        case "beam" | "powered" | "line":
            height, width = game.shape if game is not None else (facts["size"],) * 2
            cells = [(row, col) for row in range(height) for col in range(width)]
            return cell_text(rng.sample(cells, len(cells) // 3))
        case "sensors":
            found = game.sensors.tolist()
            return cell_text(rng.sample(found, rng.randint(1, len(found))))
        case "swap" | "best_play" | "endgame":
            row, col, row2, col2 = rng.choice(game.legal_moves().tolist())
            return cell_text([(row, col), (row2, col2)])
        case "turns":
            return "\n" + "\n".join(" ".join(str(rng.randrange(4)) for _ in range(6)) for _ in range(6))
        case "spanning_tree":
            return str(sum(rng.sample(facts["weights"], facts["nodes"] - 1)))
        case "cycle":
            names = "ABCDEFGHIJKLMNOPQRST"[: facts["nodes"]]
            return rng.choice(["no", "-".join(rng.sample(names, 3))])
        case "components" | "fewest_rolls":
            return str(rng.randint(1, 12))
        case "roll":
            return "".join(rng.choices("lurd", k=rng.randint(1, 12)))
        case "fall":
            return rng.choice(["no", str(rng.randint(1, len(facts["keys"])))])
        case "safe_field" | "best_guess":
            return cell_text([rng.choice(hidden_fields(task))])
        case "goose_chance":
            return f"{rng.randint(1, 4)}/{rng.randint(5, 9)}"
        case "legal_play":
            return rng.choice(["legal", "off the board", "same midpoint", "perpendicular"])
    raise AssertionError(task.name)


def greedy_answer(task, rng):
    facts, game = task.metadata, game_of(task)
    match task.name:
        case "beam" | "sensors":
            straight = straight_light(game)
            return cell_text(
                [cell for cell, is_sensor in straight if is_sensor == (task.name == "sensors")] or [(0, 0)]
            )
        case "swap":
            # The answer is the best of ten random moves.
            moves = rng.sample(game.legal_moves().tolist(), 10)
            row, col, row2, col2 = max(moves, key=lambda move: lit_after(game, move))
            return cell_text([(row, col), (row2, col2)])
        case "powered":
            return cell_text(reached_by_one_side(game))
        case "turns":
            return "\n" + "\n".join(" ".join(map(str, row)) for row in turns_off_the_border(game))
        case "spanning_tree":
            return str(sum(sorted(facts["weights"])[: facts["nodes"] - 1]))
        case "cycle":
            return "no"
        case "components":
            return str(max(1, facts["nodes"] - len(facts["edges"])))
        case "roll":
            return toward_target(game)
        case "fewest_rolls":
            return str(round(distance(game.start, game.target) / 1.5))
        case "fall":
            # The answer is right for a single cube in place of the block.
            at, steps = list(game.start), {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}
            for number, key in enumerate(facts["keys"], 1):
                at = [at[0] + steps[key][0], at[1] + steps[key][1]]
                inside = 0 <= at[0] < game.height and 0 <= at[1] < game.width
                if not inside or not game.board[tuple(at)]:
                    return str(number)
            return "no"
        case "safe_field" | "best_guess":
            view = facts["view"]
            return cell_text([min(hidden_fields(task), key=lambda cell: numbers_around(view, cell))])
        case "goose_chance":
            return f"{facts['geese']}/{len(hidden_fields(task))}"
        case "line":
            return cell_text(tracing.trace(facts["tail"], facts["head"], "bresenham").tolist())
        case "legal_play":
            row, col = facts["play"][2:]
            return "legal" if 0 <= row < game.size and 0 <= col < game.size else "off the board"
        case "best_play" | "endgame":
            # The answer is the play with the longest line for `best_play`, and with the greatest gain for `endgame`.
            play = max(game.legal_moves().tolist(), key=lambda play: distance(play[:2], play[2:]))
            play = play if task.name == "best_play" else game.suggest("greedy")
            return cell_text([play[:2], play[2:]])
    raise AssertionError(task.name)


def exact_answer(task, rng):
    return task.solution


def distance(one, other):
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def straight_light(game):
    """Returns the cells in front of each laser, up to the first nonempty tile, and whether each cell is a sensor."""
    tile, found = gw.photon.Tile, []
    for row, col in game.lasers.tolist():
        down, across = ((-1, 0), (0, 1), (1, 0), (0, -1))[game.board[row, col] - tile.LASER_N]
        row, col = row + down, col + across
        while 0 <= row < game.height and 0 <= col < game.width:
            code = tile(game.board[row, col] & 31)
            found.append(((row, col), code >= tile.SENSOR_N))
            if code != tile.EMPTY:
                break
            row, col = row + down, col + across
    return found


def lit_after(game, move):
    after = game.copy()
    after.play(*move)
    return int(after.lit.sum())


def reached_by_one_side(game):
    """Returns the tiles that wires lead to from the station, whether or not a wire leads back."""
    todo, found = [game.station], {game.station}
    while todo:
        row, col = todo.pop()
        for bit, (down, across) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
            cell = (row + down, col + across)
            inside = 0 <= cell[0] < game.height and 0 <= cell[1] < game.width
            if inside and game.wires[row, col] >> bit & 1 and cell not in found:
                found.add(cell)
                todo.append(cell)
    return sorted(found)


def turns_off_the_border(game):
    """Returns, for each tile, the fewest turns after which no wire of the tile leaves the board."""
    rows = []
    for row in range(game.height):
        rows.append([])
        for col in range(game.width):
            outside = [row == 0, col == game.width - 1, row == game.height - 1, col == 0]
            mask = int(game.wires[row, col])
            for turns in range(4):
                turned = (mask << turns | mask >> (4 - turns)) & 15
                if not any(turned >> bit & 1 and out for bit, out in enumerate(outside)):
                    break
            rows[-1].append(turns)
    return rows


def toward_target(game):
    """Returns at most 20 rolls, each to the position nearest to the target among those not visited before."""
    keys, seen = "", {game.text}
    for _ in range(20):
        options = []
        for key in "lurd":
            after = game.copy()
            after.play(key)
            if not after.falls and after.text not in seen:
                far = max(distance(cell, after.target) for cell in after.block.tolist())
                options.append((far + len(after.block) - 1, key, after))
        if not options:
            break
        _, key, game = min(options, key=lambda option: option[:2])
        seen.add(game.text)
        keys += key
        if game.is_solved:
            break
    return keys or "r"


def numbers_around(view, cell):
    """Returns the sum of the numbers that are shown around a field."""
    around = [(cell[0] + down, cell[1] + across) for down in (-1, 0, 1) for across in (-1, 0, 1)]
    inside = [(row, col) for row, col in around if 0 <= row < len(view) and 0 <= col < len(view[0])]
    return sum(int(view[row][col]) for row, col in inside if view[row][col].isdigit())


PROGRAMS = {"random": random_answer, "greedy": greedy_answer, "exact": exact_answer}


def main(count):
    print(f"| kind | {' | '.join(PROGRAMS)} |")
    print("|---|" + "---|" * len(PROGRAMS))
    means = {program: [] for program in PROGRAMS}
    for name in tasks.names():
        made = list(tasks.each(name, count=count))
        cells = []
        for program, answer in PROGRAMS.items():
            rng = random.Random(f"{program} {name}")
            scores = [task.check(f"Answer: {answer(task, rng)}") for task in made]
            mean = sum(score.value for score in scores) / count
            means[program].append(mean)
            cells.append(f"{mean:.2f} ({100 * sum(score.right for score in scores) / count:.0f}%)")
        print(f"| `{name}` | {' | '.join(cells)} |", flush=True)
    print(f"| mean | {' | '.join(f'{sum(found) / len(found):.2f}' for found in means.values())} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
