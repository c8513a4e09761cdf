"""Right and wrong answers to tasks, in many forms, and simple solvers that share no code with the package.

``python tests/python/task_attempts.py 10000`` checks at least 10,000 answers to tasks of each kind, counts the answers
that are graded incorrectly, and prints up to three wrong answers that were accepted and three right ones that were
refused. Further arguments select kinds.
"""

from __future__ import annotations

import random
import sys
from collections import deque
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

from gridwright import tasks

Cell = tuple[int, int]
STEPS = {"^": (-1, 0), ">": (0, 1), "v": (1, 0), "<": (0, -1)}
BACK = dict(zip("^>v<", "v<^>", strict=True))
MIRRORS = {"/": dict(zip("^>v<", ">^<v", strict=True)), "\\": dict(zip("^>v<", "<v>^", strict=True))}


# Light


def photon_board(text: str) -> dict[Cell, str]:
    rows = text.split("\n")[1:-1]
    return {(r, c): row[2 * c : 2 * c + 2].strip() for r, row in enumerate(rows) for c in range((len(row) + 1) // 2)}


def light(board: dict[Cell, str]) -> tuple[set[Cell], set[Cell]]:
    """Returns the cells that light passes through and the lit sensors."""
    todo = [(cell, tile[1]) for cell, tile in board.items() if tile[0] == "L"]
    seen, passed, lit = set(), set(), set()
    while todo:
        (row, col), heading = todo.pop()
        down, across = STEPS[heading]
        cell = (row + down, col + across)
        tile = board.get(cell, "W")
        if (cell, heading) in seen or tile[0] in "WL":
            continue
        seen.add((cell, heading))
        if tile[0] == "S":
            if tile[1] == BACK[heading]:
                lit.add(cell)
            continue
        headings = [heading]
        if tile[0] == "M":
            headings = [MIRRORS[tile[1]][heading]]
        elif tile[0] == "B":
            headings = [heading, MIRRORS[tile[1]][heading]]
        elif tile[0] == "T":
            if heading == tile[1]:
                continue
            sides = [one for one in "^>v<" if one not in (heading, tile[1])]
            headings = sides if heading == BACK[tile[1]] else [tile[1]]
        passed.add(cell)
        todo += [(cell, one) for one in headings]
    return passed, lit


def lights_all(text: str, ends: tuple[Cell, Cell]) -> bool:
    board = photon_board(text)
    first, second = ends
    if not all(end in board and board[end][0] in "MBT." for end in ends) or board[first] == board[second] == ".":
        return False
    board[first], board[second] = board[second], board[first]
    sensors = {cell for cell, tile in board.items() if tile[0] == "S"}
    return light(board)[1] == sensors


# Wires


def wires_board(text: str) -> tuple[list[list[int]], Cell]:
    lines = text.split("\n")
    height = int(lines[0].split()[0])
    row, col = map(int, lines[height + 1].split()[1:])
    return [[int(sign, 16) for sign in line] for line in lines[1 : height + 1]], (row, col)


def powered(wires: list[list[int]], station: Cell) -> set[Cell]:
    seen, todo = {station}, [station]
    while todo:
        row, col = todo.pop()
        for bit, (down, across) in enumerate(STEPS.values()):
            r, c = row + down, col + across
            inside = 0 <= r < len(wires) and 0 <= c < len(wires[0])
            if inside and (r, c) not in seen and wires[row][col] >> bit & 1 and wires[r][c] >> (bit + 2) % 4 & 1:
                seen.add((r, c))
                todo.append((r, c))
    return seen


def powers_all(text: str, turns: list[list[int]]) -> bool:
    wires, station = wires_board(text)
    for row, line in enumerate(turns):
        for col, number in enumerate(line):
            mask = wires[row][col]
            wires[row][col] = (mask << number | mask >> (4 - number)) & 15
    return len(powered(wires, station)) == len(wires) * len(wires[0])


# Graphs


def tree_weight(n: int, edges: list[list[int]], weights: list[int]) -> int:
    """Returns the weight of a minimum spanning tree, by Prim's algorithm with a linear search for the lightest edge."""
    inside, total = {0}, 0
    while len(inside) < n:
        best = min(
            (weight, u, v) for (u, v), weight in zip(edges, weights, strict=True) if (u in inside) != (v in inside)
        )
        total += best[0]
        inside |= set(best[1:])
    return total


def components(n: int, edges: list[list[int]]) -> int:
    label = list(range(n))
    for u, v in edges:
        old, new = label[u], label[v]
        label = [new if one == old else one for one in label]
    return len(set(label))


def is_cycle(edges: list[list[int]], walk: str) -> bool:
    nodes = ["ABCDEFGHIJKLMNOPQRST".index(name) for name in walk]
    pairs = list(zip(nodes, nodes[1:] + nodes[:1], strict=True))
    known = {tuple(pair) for pair in edges}
    return len(set(nodes)) == len(nodes) >= 3 and all((min(pair), max(pair)) in known for pair in pairs)


# Blocks


def rolled(block: tuple[Cell, ...], key: str) -> tuple[Cell, ...]:
    down, across = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}[key]
    rows, cols = [cell[0] for cell in block], [cell[1] for cell in block]
    if len(block) == 1:
        ((row, col),) = block
        return tuple(sorted(((row + down, col + across), (row + 2 * down, col + 2 * across))))
    lengthwise = (rows[0] == rows[1] and across) or (cols[0] == cols[1] and down)
    if lengthwise:
        row, col = (max if down + across > 0 else min)(block)
        return ((row + down, col + across),)
    return tuple((row + down, col + across) for row, col in block)


class Terrain:
    def __init__(self, text: str) -> None:
        self.tiles = {(r, c): tile for r, row in enumerate(text.split()) for c, tile in enumerate(row)}
        self.start = next(cell for cell, tile in self.tiles.items() if tile == "S")
        self.target = next(cell for cell, tile in self.tiles.items() if tile == "T")

    def supports(self, block: tuple[Cell, ...]) -> bool:
        tiles = [self.tiles.get(cell, "-") for cell in block]
        return "-" not in tiles and tiles != ["."]

    def first_fall(self, keys: str) -> int | None:
        block: tuple[Cell, ...] = (self.start,)
        for k, key in enumerate(keys, 1):
            block = rolled(block, key)
            if not self.supports(block):
                return k
        return None

    def wins(self, keys: str) -> bool:
        block: tuple[Cell, ...] = (self.start,)
        for key in keys:
            if block == (self.target,):
                return False
            block = rolled(block, key)
            if not self.supports(block):
                return False
        return block == (self.target,)

    def fewest(self) -> int:
        seen, todo = {(self.start,): 0}, deque([(self.start,)])
        while todo:
            block: tuple[Cell, ...] = todo.popleft()
            if block == (self.target,):
                return seen[block]
            for key in "lurd":
                after = rolled(block, key)
                if self.supports(after) and after not in seen:
                    seen[after] = seen[block] + 1
                    todo.append(after)
        raise AssertionError("no solution")


# Geese


@lru_cache(maxsize=64)
def goose_chances(view: tuple[str, ...], geese: int) -> dict[Cell, Fraction]:
    """Returns the chance of a goose in each hidden field, by counting the placements that agree with the numbers."""
    cells = {(r, c): sign for r, row in enumerate(view) for c, sign in enumerate(row)}
    hidden = [cell for cell, sign in cells.items() if sign == "*"]
    near = {
        cell: {other for other in hidden if max(abs(cell[0] - other[0]), abs(cell[1] - other[1])) == 1}
        for cell, sign in cells.items()
        if sign != "*"
    }
    total, counts = 0, dict.fromkeys(hidden, 0)
    for chosen in combinations(hidden, geese):
        laid = set(chosen)
        if all(len(around & laid) == int(cells[cell]) for cell, around in near.items()):
            total += 1
            for cell in chosen:
                counts[cell] += 1
    return {cell: Fraction(count, total) for cell, count in counts.items()}


# Lines


@lru_cache(maxsize=4096)
def crossed_from_origin(down: int, across: int) -> frozenset[Cell]:
    """Returns the cells whose interior the segment from (0, 0) to (down, across) crosses."""
    found = set()
    for row in range(min(0, down), max(0, down) + 1):
        for col in range(min(0, across), max(0, across) + 1):
            low, high = Fraction(0), Fraction(1)  # the interval of the segment's parameter inside the cell
            for delta, at in ((down, row), (across, col)):
                if delta == 0:
                    low, high = (low, high) if at == 0 else (Fraction(1), Fraction(0))
                    continue
                ends = sorted((Fraction(2 * at - 1, 2 * delta), Fraction(2 * at + 1, 2 * delta)))
                low, high = max(low, ends[0]), min(high, ends[1])
            if low < high:
                found.add((row, col))
    return frozenset(found)


def crossed(tail: Cell, head: Cell) -> frozenset[Cell]:
    row, col = tail
    return frozenset((row + r, col + c) for r, c in crossed_from_origin(head[0] - row, head[1] - col))


class Lines:
    """A position of Linear Domination, replayed from its text."""

    def __init__(self, text: str) -> None:
        first, *rest = text.strip().split("\n")
        self.size, self.lookback = (int(word) for word in first.split()[:2])
        self.board: dict[Cell, int] = {}
        self.plays: list[tuple[Cell, Cell]] = []
        for line in rest:
            row, col, row2, col2 = (int(word) - 1 for word in line.split())
            self.draw((row, col), (row2, col2))

    def draw(self, tail: Cell, head: Cell) -> None:
        for cell in crossed(tail, head):
            self.board[cell] = len(self.plays) % 2
        self.plays.append((tail, head))

    def verdict(self, tail: Cell, head: Cell) -> str:
        if not all(0 <= part < self.size for part in (*tail, *head)):
            return "off the board"
        recent = self.plays[max(0, len(self.plays) - self.lookback) :]
        direction = (head[0] - tail[0], head[1] - tail[1])
        if any((a[0] + b[0], a[1] + b[1]) == (tail[0] + head[0], tail[1] + head[1]) for a, b in recent):
            return "same midpoint"
        if any((b[0] - a[0]) * direction[0] + (b[1] - a[1]) * direction[1] == 0 for a, b in recent):
            return "perpendicular"
        return "legal" if tail != head else "no length"

    def gain(self, tail: Cell, head: Cell) -> int:
        mine = len(self.plays) % 2
        return sum({mine: 0, None: 1}.get(self.board.get(cell), 2) for cell in crossed(tail, head))

    def most(self) -> int:
        cells = [(row, col) for row in range(self.size) for col in range(self.size)]
        return max(self.gain(a, b) for a in cells for b in cells if self.verdict(a, b) == "legal")


# Whether a value is right


def checker(task: tasks.Task) -> Callable[[Any], bool]:
    """Returns a function that decides, without the package, whether a value is a right answer to a task."""
    facts, name = task.metadata, task.name
    if name in ("beam", "sensors"):
        expected = light(photon_board(facts["board"]))[name == "sensors"]
        return lambda value: set(value) == expected
    if name == "swap":
        return lambda value: lights_all(facts["board"], value)
    if name == "powered":
        live = powered(*wires_board(facts["board"]))
        return lambda value: set(value) == live
    if name == "turns":
        return lambda value: powers_all(facts["board"], value)
    if name == "spanning_tree":
        weight = tree_weight(facts["nodes"], facts["edges"], facts["weights"])
        return lambda value: value == weight
    if name == "components":
        parts = components(facts["nodes"], facts["edges"])
        return lambda value: value == parts
    if name == "cycle":
        # A graph is a forest if and only if it has as many edges as nodes minus components.
        acyclic = len(facts["edges"]) == facts["nodes"] - components(facts["nodes"], facts["edges"])
        return lambda value: acyclic if value == "no" else is_cycle(facts["edges"], value)
    if name == "roll":
        return lambda value: Terrain(facts["board"]).wins(value)
    if name == "fewest_rolls":
        fewest = Terrain(facts["board"]).fewest()
        return lambda value: value == fewest
    if name == "fall":
        fallen = Terrain(facts["board"]).first_fall(facts["keys"]) or "no"
        return lambda value: value == fallen
    if name in ("safe_field", "best_guess", "goose_chance"):
        chances = goose_chances(tuple(facts["view"]), facts["geese"])
        if name == "goose_chance":
            return lambda value: value == chances[tuple(facts["cell"])]
        least = 0 if name == "safe_field" else min(chances.values())
        return lambda value: chances.get(value) == least
    if name == "line":
        inside = crossed(tuple(facts["tail"]), tuple(facts["head"]))
        return lambda value: set(value) == inside
    game = Lines(facts["board"])
    if name == "legal_play":
        play = facts["play"]
        verdict = game.verdict((play[0], play[1]), (play[2], play[3]))
        return lambda value: value == verdict
    if name == "best_play":
        most = game.most()
        return lambda value: game.verdict(*value) == "legal" and game.gain(*value) == most
    return lambda value: game.verdict(*value) == "legal" and _margin(game, value) == facts["margin"]


def _margin(game: Lines, play: tuple[Cell, Cell]) -> int:
    """Returns the final margin of the player who makes ``play`` if both players then play perfectly, found by
    exhaustive search.

    The search is short, because every play rules out many later ones.
    """
    board, plays = dict(game.board), list(game.plays)
    game.draw(*play)
    cells = [(row, col) for row in range(game.size) for col in range(game.size)]
    # A line and its reverse cross the same cells and rule out the same plays, so only one of them is tried.
    legal = [(a, b) for a, b in combinations(cells, 2) if game.verdict(a, b) == "legal"]
    if legal:
        found = -max(_margin(game, one) for one in legal)
    else:
        found = sum(1 if owner == len(plays) % 2 else -1 for owner in game.board.values())
    game.board, game.plays = board, plays
    return found


# Forms of answers


def cell_forms(cell: Cell, rng: random.Random) -> str:
    row, col = cell
    forms = (f"({row}, {col})", f"[{row},{col}]", f"( {row} , {col} )", f"{row}, {col}", f"{row} {col}")
    forms += (
        f"row {row}, column {col}",
        f"Row {row}, Col {col}",
        f'{{"row": {row}, "col": {col}}}',
        f"`({row}, {col})`",
    )
    return rng.choice((*forms, f"$({row}, {col})$", f"({row};{col})"))


def cells_forms(value: frozenset[Cell], rng: random.Random) -> str:
    cells = rng.sample(sorted(value), len(value))
    pairs = [f"({row}, {col})" for row, col in cells]
    pick = rng.randrange(7)
    if pick == 0:
        return "[" + ", ".join(f"[{row}, {col}]" for row, col in cells) + "]"
    if pick == 1:
        return "\n".join(pairs)
    if pick == 2:
        return "; ".join(f"{row},{col}" for row, col in cells)
    if pick == 3 and len(pairs) > 1:
        return ", ".join(pairs[:-1]) + f" and {pairs[-1]}"
    if pick == 4:
        return "{" + ", ".join(pairs) + "}"
    if pick == 5:
        return "\n".join(f"- {pair}" for pair in pairs)
    return rng.choice((", ", " ", ",", "; ")).join([*pairs, pairs[0]])


def ends_forms(value: tuple[Cell, Cell], rng: random.Random) -> str:
    (row, col), (row2, col2) = value if rng.random() < 0.7 else value[::-1]
    one, two = f"({row}, {col})", f"({row2}, {col2})"
    forms = (f"{one}, {two}", f"{one} {two}", f"{one} to {two}", f"{one} -> {two}", f"from {one} to {two}")
    forms += (f"{row} {col} {row2} {col2}", f"({row}, {col}, {row2}, {col2})", f"[[{row}, {col}], [{row2}, {col2}]]")
    return rng.choice((*forms, f"{one} and {two}", f"{one}–{two}", f"{row}, {col}, {row2}, {col2}", f"{one} → {two}"))


def integer_forms(value: int, rng: random.Random) -> str:
    return rng.choice(
        (str(value), f"{value}.", f"**{value}**", f"{value}.0", f"{value - 1} + 1 = {value}", f"weight = {value}")
    )


def fall_forms(value: int | str, rng: random.Random) -> str:
    if value == "no":
        return rng.choice(("no", "No.", "NO", "never", "none", "it never falls"))
    return rng.choice((str(value), f"roll {value}", f"at roll {value}", f"{value}.", f"the {value}th roll"))


def fraction_forms(value: Fraction, rng: random.Random) -> str:
    p, q, k = value.numerator, value.denominator, rng.randint(2, 9)
    forms = [f"{p}/{q}", f"{p} / {q}", f"{k * p}/{k * q}", f"\\frac{{{p}}}{{{q}}}", f"{k * p}/{k * q} = {p}/{q}"]
    forms += [f"{p} out of {q}", f"{p}/{q} (about {float(value):.3f})", f"{p}/{q} ≈ {float(value):.2f}", f"{p}⁄{q}"]
    forms += [f"{p}/{q}, approximately {float(100 * value):.1f}%", f"about {int(100 * value)}%, {p}/{q}"]
    if 10**9 % q == 0:
        exact = f"{float(value):.9f}".rstrip("0").rstrip(".")
        forms += [exact, exact.removeprefix("0") or "0", f"{float(100 * value):.7f}".rstrip("0").rstrip(".") + "%"]
    return rng.choice(forms)


KEY_WORDS = {"l": "left", "u": "up", "r": "right", "d": "down"}


def keys_forms(value: str, rng: random.Random) -> str:
    arrows = "".join("←↑→↓"["lurd".index(key)] for key in value)
    words = [KEY_WORDS[key] for key in value]
    forms = (value, value.upper(), " ".join(value), ", ".join(value), "-".join(value), " -> ".join(value), arrows)
    forms += (" ".join(words), ", ".join(words).title(), str(list(value)), f'"{value}"', " → ".join(value))
    return rng.choice((*forms, "\n".join(value)))


def word_forms(value: str, rng: random.Random) -> str:
    return rng.choice((value, value.upper(), value.title(), f'"{value}"', f"{value}.", f"the play is {value}"))


def nodes_forms(value: str, rng: random.Random) -> str:
    if value == "no":
        return rng.choice(("no", "No.", "NO", "none", "no cycle", "There is no cycle."))
    at = rng.randrange(len(value))
    value = value[at:] + value[:at]
    value = value if rng.random() < 0.5 else value[::-1]
    forms = ("-".join(value), ", ".join(value), " ".join(value), value, "-".join(value + value[0]))
    edges = ", ".join(f"{a}-{b}" for a, b in zip(value, value[1:] + value[0], strict=True))
    return rng.choice((*forms, " -> ".join(value + value[0]), str(list(value)), edges, "-".join(value.lower())))


def grid_forms(value: list[list[int]], rng: random.Random) -> str:
    rows = [" ".join(map(str, row)) for row in value]
    forms = ("\n".join(rows), "\n".join("".join(map(str, row)) for row in value), str(value))
    return rng.choice((*forms, "\n".join(", ".join(map(str, row)) for row in value), " / ".join(rows)))


def solution_value(task: tasks.Task) -> Any:
    """Returns the solution of a task as a value of the type that the functions in `FORMS` take."""
    text = task.solution
    kind = FORMS[task.name]
    if kind in (cells_forms, ends_forms, cell_forms):
        numbers = [int(word) for word in text.replace("(", " ").replace(")", " ").replace(",", " ").split()]
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
        return frozenset(pairs) if kind is cells_forms else tuple(pairs) if kind is ends_forms else pairs[0]
    if kind is fraction_forms:
        return Fraction(text)
    if kind is grid_forms:
        return [[int(digit) for digit in line.split()] for line in text.strip().split("\n")]
    if kind is integer_forms or (kind is fall_forms and text != "no"):
        return int(text)
    return text.replace("-", "") if kind is nodes_forms else text


def another_value(value: Any, task: tasks.Task, rng: random.Random) -> Any:
    """Returns a random value of the same type as ``value``, often similar to ``value``."""
    kind = FORMS[task.name]
    if kind is cells_forms:
        cells = set(value)
        if rng.random() < 0.6:
            row, col = rng.choice(sorted(cells))
            cells ^= {(row + rng.randint(-1, 1), col + rng.randint(-1, 1))}
        if rng.random() < 0.5 and len(cells) > 1:
            cells.discard(rng.choice(sorted(cells)))
        return frozenset(cells or {(0, 0)})
    if kind in (cell_forms, ends_forms):
        size = 9 if rng.random() < 0.2 else 6
        cells = [(rng.randint(-1, size), rng.randint(-1, size)) for _ in range(2)]
        if kind is cell_forms:
            return cells[0]
        first = value[rng.randrange(2)] if rng.random() < 0.5 else cells[1]
        return (first, cells[0]) if first != cells[0] else (first, (cells[0][0] + 1, cells[0][1]))
    if kind is integer_forms:
        return rng.choice((value + 1, value - 1, -value, 10 * value, value + rng.randint(-9, 9), 0))
    if kind is fall_forms:
        return rng.choice(["no", *range(1, 15)])
    if kind is fraction_forms:
        near = (1 - value, value / 2, Fraction(value.numerator + 1, value.denominator), Fraction(1, 2))
        return rng.choice(
            (*near, Fraction(rng.randint(0, 9), rng.randint(1, 20)), Fraction(value).limit_denominator(5) / 2)
        )
    if kind is keys_forms:
        pick = rng.randrange(4)
        if pick == 0:
            return value[:-1] or "l"
        if pick == 1:
            return value + rng.choice("lurd")
        at = rng.randrange(len(value))
        return value[:at] + rng.choice("lurd") + value[at + 1 :]
    if kind is word_forms:
        return rng.choice(("legal", "off the board", "same midpoint", "perpendicular"))
    if kind is nodes_forms:
        letters = "ABCDEFGHIJKLMNOPQRST"[: task.metadata["nodes"]]
        return rng.choice(("no", "".join(rng.sample(letters, rng.randint(3, 6)))))
    rows = [list(row) for row in value]
    for _ in range(rng.choice((1, 1, 1, 2, 9))):
        row = rng.choice(rows)
        row[rng.randrange(len(row))] = rng.randint(0, 3)
    return rows


FORMS: dict[str, Callable[[Any, random.Random], str]] = {
    **dict.fromkeys(("beam", "sensors", "powered", "line"), cells_forms),
    **dict.fromkeys(("swap", "best_play", "endgame"), ends_forms),
    **dict.fromkeys(("spanning_tree", "components", "fewest_rolls"), integer_forms),
    **dict.fromkeys(("safe_field", "best_guess"), cell_forms),
    "turns": grid_forms,
    "cycle": nodes_forms,
    "roll": keys_forms,
    "fall": fall_forms,
    "goose_chance": fraction_forms,
    "legal_play": word_forms,
}
"""Maps each kind of task to a function that writes a value as text in a random form."""

SCRIPTS = ("０１２３４５６７８９", "٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९")


def wrapped(body: str, rng: random.Random) -> str:
    """Returns an answer with text around it, as a language model might write it."""
    if "\n" in body:
        forms = (f"Answer:\n{body}", f"Answer:\n```\n{body}\n```", f"<answer>\n{body}\n</answer>", body)
        return rng.choice((*forms, f"I tried 3 of 5 ways.\n\n**Answer:**\n{body}\n\nIt follows from the rules."))
    forms = (
        body,
        f"Answer: {body}",
        f"answer:{body}",
        f"**Answer:** {body}",
        f"**Answer: {body}**",
        f"Final Answer: {body}",
        f"The answer is {body}",
        f"The answer is: {body}",
        f"  ANSWER :   {body}  ",
        f"\\boxed{{{body}}}",
        f"Answer: \\boxed{{{body}}}",
        f"<answer>{body}</answer>",
        f"<think>Is it (0, 0) or (1, 1)? 3 + 4 = 7, not 8.</think>\n<answer> {body} </answer>",
        f"```\n{body}\n```",
        f"Answer:\n{body}",
        f"Answer:\n```\n{body}\n```",
        f"First I look at (0, 0), which is not it. There are 17 ways.\n\nAnswer: {body}",
        f"Answer: {body}\n\nThis follows from 3 + 4 = 7, and not from (1, 1).",
        f"> Answer: {body}",
        f"### Answer\nThe answer is {body}",
    )
    text = rng.choice(forms)
    if rng.random() < 0.1:
        text = text.translate(str.maketrans("0123456789", rng.choice(SCRIPTS)))
    return text


def hostile(right: str, wrong: str, rng: random.Random) -> str:
    """Returns text that must not be graded as right, such as a hedge, a contradiction or an empty string."""
    one, two = (right, wrong) if rng.random() < 0.5 else (wrong, right)
    forms = (
        "",
        " \n\t ",
        "Answer:",
        "I do not know.",
        f"Answer: {one}\nAnswer: {two}",
        f"Answer: {one}\n\nAnswer: {two}\n",
        f"Answer: {one} or {two}",
        f"Answer: either {one} or {two}",
        f"Answer: {one}\nor {two}",
        f"Answer: {one}, or else {two}",
        f"Answer: {right} or not {right}",
        f"Answer: not {right}",
        f"The answer is not {right}.",
        f"It is {one}, maybe {two}.",
        f"Answer: {right} (perhaps)",
        f"\\boxed{{{one}}} \\boxed{{{two}}}",
        f"<answer>{one}</answer><answer>{two}</answer>",
        f"<answer>{one} | or | {two}</answer>",
        f"Answer: all but {right}",
        f"Answer: {right}? No.",
        f"{one} {two} yes no legal perpendicular",
        f"Answer: anything, such as {right}",
        f"Answer: not\n{right}",
        f"I do not think that the answer is {right}.",
        f"I don't believe the answer is {right}",
        f"Wrong answer: {right}",
        f"If it were so easy, the answer is {right}",
        f"Answer: {right}, which is wrong",
        f"Answer: {right}\nNo, wait.",
        f"Answer: !{right}",
        f"Answer: ~{right}",
        f"Answer: - {wrong}",
        f"Answer: {right}, {wrong}",
        f"Answer: {wrong} {right}",
        f"Answer: {right}/{wrong}",
        f"Answer: {right} = {wrong}",
        f"Answer: {wrong} = {right}",
        f"Answer: {right} - {wrong}",
        f"Answer: {one}, about {two}",
        f"Answer: {one} ≈ {two}",
        f"Answer: {one} (approximately {two})",
        f"Answer: {one} or about {two}",
        "Answer: " + ", ".join(f"({row}, {col})" for row in range(-1, 10) for col in range(-1, 10)),
        "Answer: yes/no",
        "x" * 100_001 + f"\nAnswer: {right}",
        "Answer: " + "9" * 5000,
        "(" * 500 + f" {wrong}",
        f"Answer: {right} ± 1",
        f"Answer: the opposite of {right}",
        "Answer: \u202e\u0000\ufffd",
    )
    return rng.choice(forms)


def misrounded(right: Fraction, wrong: Fraction, rng: random.Random) -> str:
    """Returns a number beside "about" and a second number that is not its rounded value."""
    p, q = right.numerator, right.denominator
    pairs = [(right, f"{float(wrong):.2f}"), (right, f"{float(100 * wrong):.0f}%"), (wrong, f"{float(right):.2f}")]
    one, two = rng.choice([*pairs, (wrong, right), (p, f"{rng.randint(1, 9)}/{q}")])
    return f"Answer: {one}{rng.choice((', about ', ' or about ', ' ≈ ', ' (approximately '))}{two}"


def attempts(task: tasks.Task, n: int, rng: random.Random) -> Iterator[tuple[str, bool]]:
    """Yields ``n`` pairs of an answer and whether the answer is right."""
    form, is_right = FORMS[task.name], checker(task)
    value = solution_value(task)
    assert is_right(value), task
    for _ in range(n):
        pick = rng.random()
        other = another_value(value, task, rng)
        if pick < 0.4:
            yield wrapped(form(value, rng), rng), True
        elif pick < 0.8:
            yield wrapped(form(other, rng), rng), is_right(other)
        else:
            # A list of all right cells that repeats some of them is right, so `other` must not be a subset of `value`.
            # A rounded value beside the right fraction is right, so `other` must not be near `value`.
            while (
                is_right(other)
                or (form is cells_forms and other < value)
                or (form is fraction_forms and abs(other - value) < Fraction(1, 10))
            ):
                other = another_value(value, task, rng)
            if form is fraction_forms and rng.random() < 0.5:
                yield misrounded(value, other, rng), False
            else:
                yield hostile(form(value, rng), form(other, rng), rng), False


def run(name: str, n: int, seed: int = 0, each: int = 50, hardest: int = 5) -> tuple[list[Any], list[Any]]:
    """Checks at least ``n`` answers to tasks of one kind, ``each`` answers per task.

    Returns the wrong answers that were accepted and the right answers that were refused. The grades of the tasks are 1
    to ``hardest`` in turn.
    """
    rng = random.Random(f"{name} {seed}")
    accepted, refused = [], []
    for k in range(-(-n // each)):
        task = tasks.make(name, seed + k, 1 + k % hardest)
        for text, right in attempts(task, each, rng):
            score = task.check(text)
            assert 0 <= score.value <= 1, score
            if score.right != right:
                (refused if right else accepted).append((task, text, score))
    return accepted, refused


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    for kind in sys.argv[2:] or tasks.names():
        hard = {"endgame": 1, "best_play": 3, "turns": 3, "swap": 4}.get(kind, 4)
        wrong, missed = run(kind, count, hardest=hard)
        print(
            f"{kind:14} at least {count} answers, {len(wrong)} wrong ones accepted, {len(missed)} right ones refused",
            flush=True,
        )
        for task, text, score in [*wrong[:3], *missed[:3]]:
            print("   ", repr(task), repr(text[:150]), "|", task.solution[:40], "|", score)
