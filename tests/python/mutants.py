"""Plants mistakes in correct solutions, one at a time, and counts how many of them the checks find.

``python tests/python/mutants.py 500`` plants 500 mistakes. A mistake is a small change to the syntax tree: another
comparison, number, bool, operator, condition or returned value, a pair in reverse order, or a dropped operand or
statement. A change is left out if the code still behaves like the correct solution on many random cases (see
``equal``), which are drawn independently of the cases of the checks.
"""

from __future__ import annotations

import ast
import copy
import inspect
import random
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, product
from typing import Any

import numpy as np
import solutions
from gridwright import check
from gridwright.photon import Tile

CODES = {int(tile): tile.name for tile in Tile}
CLASSES = {"union_find": "UnionFind", "block": "Block", "terrain": "Terrain", "parametric_line": "ParametricLine"}

COMPARED = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OPERATED = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd, ast.BitXor),
    ast.BitXor: (ast.BitOr,),
    ast.LShift: (ast.RShift,),
}


def changes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yields copies of ``tree``, each with one small change, which may have no effect."""
    nodes = list(ast.walk(tree))
    for at, node in enumerate(nodes):

        def changed(edit: Callable[[Any], None], at: int = at) -> ast.AST:
            other = copy.deepcopy(tree)
            edit(list(ast.walk(other))[at])
            return ast.fix_missing_locations(other)

        if isinstance(node, ast.Compare):
            for kind in COMPARED.get(type(node.ops[0]), ()):
                yield changed(lambda n, kind=kind: n.ops.__setitem__(0, kind()))
        if isinstance(node, ast.BinOp | ast.AugAssign):
            for kind in OPERATED.get(type(node.op), ()):
                yield changed(lambda n, kind=kind: setattr(n, "op", kind()))
        if isinstance(node, ast.BoolOp):
            kind = ast.Or if isinstance(node.op, ast.And) else ast.And
            yield changed(lambda n, kind=kind: setattr(n, "op", kind()))
            for drop in range(len(node.values)):
                yield changed(lambda n, drop=drop: n.values.pop(drop))
        if isinstance(node, ast.Constant) and isinstance(node.value, int) and not isinstance(node.value, bool):
            for value in {node.value + 1, node.value - 1, 0} - {node.value}:
                yield changed(lambda n, value=value: setattr(n, "value", value))
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield changed(lambda n: setattr(n, "value", not n.value))
        if isinstance(node, ast.If | ast.IfExp):
            yield changed(lambda n: setattr(n, "test", ast.Constant(True)))
            yield changed(lambda n: setattr(n, "test", ast.Constant(False)))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            # A second `not` in front of the operand cancels the first.
            yield changed(lambda n: setattr(n, "operand", ast.UnaryOp(ast.Not(), n.operand)))
        if isinstance(node, ast.Return) and node.value is not None:
            yield changed(lambda n: setattr(n, "value", None))
        if isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.ctx, ast.Load):
            yield changed(lambda n: n.elts.reverse())
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list) and not isinstance(node, ast.ClassDef | ast.Module):
                for drop, statement in enumerate(block):
                    if not isinstance(statement, ast.FunctionDef | ast.Pass):
                        yield changed(lambda n, f=field, d=drop: getattr(n, f).__setitem__(d, ast.Pass()))


class Late(BaseException):
    """Raised inside code that does not end in time."""


def within(seconds: float, work: Callable[[], Any]) -> Any:
    """Returns the result of a call, the class name of its exception, or ``"late"`` if the call did not end in time."""
    armed = True

    def on_alarm(*_: Any) -> None:
        nonlocal armed
        if armed:
            raise Late

    before = signal.signal(signal.SIGALRM, on_alarm)
    # The alarm repeats, because an exception raised by its handler in a callback of the garbage collector is dropped.
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)
    try:
        answer = work()
        armed = False
        return answer
    except Late:
        armed = False
        return "late"
    except Exception as error:
        return type(error).__name__
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _geese(draw: random.Random, codes: list[int]) -> tuple[int, int, list[int]]:
    width, height = draw.randint(1, 5), draw.randint(1, 4)
    return width, height, [draw.choice(codes) for _ in range(width * height)]


def _graph(draw: random.Random) -> tuple[int, list[tuple[int, int, int]]]:
    nodes = draw.randint(1, 7)
    pairs = [pair for pair in combinations(range(nodes), 2) if draw.random() < 0.5]
    draw.shuffle(pairs)
    return nodes, [
        (u, v, draw.randint(-5, 5)) if draw.random() < 0.5 else (v, u, draw.randint(-5, 5)) for u, v in pairs
    ]


def _near(nodes: int, edges: Any) -> dict[int, list[int]]:
    near: dict[int, list[int]] = {node: [] for node in range(nodes)}
    for u, v, *_ in edges:
        near[u].append(v)
        near[v].append(u)
    return near


def _tree(draw: random.Random) -> dict[int, list[int]]:
    nodes = draw.randint(1, 9)
    names = draw.sample(range(nodes), nodes)
    return _near(nodes, [(names[node], names[draw.randrange(node)]) for node in range(1, nodes)])


def observe(name: str, thing: Any, draw: random.Random) -> Any:
    """Runs a solution on one random case; returns its result or effect as a value that can be compared."""
    flat = [0, 9]
    covered = [cover | value for cover in (0, 0x20, 0x30) for value in (0, 1, 2, 9)]
    if name in ("compute_neighbours", "hide_board"):
        width, height, board = _geese(draw, flat if name[0] == "c" else list(range(10)))
        thing(board, width, height)
        return board
    if name == "create_board":
        return list(thing(draw.randint(1, 9), draw.randint(1, 9)))
    if name == "clean_board":
        _, _, board = _geese(draw, covered)
        thing(board)
        return board
    if name == "is_game_won":
        return bool(
            thing(*(lambda w, h, b: (b, w, h))(*_geese(draw, [1, 0, 0x29, 0x39, draw.choice([0x20, 0x31, 1])])))
        )
    if name == "mark":
        width, height, board = _geese(draw, covered)
        return thing(board, width, height, draw.randrange(width), draw.randrange(height)), board
    if name == "reveal":
        width, height, geese = _geese(draw, [0, 0, 0, 9])
        solutions.compute_neighbours(geese, width, height)
        board = np.array([v | draw.choice([0, 0x20, 0x30]) for v in geese], np.uint8).reshape(height, width)
        return int(thing(board, draw.randrange(height), draw.randrange(width))), board.tolist()
    if name == "union_find":
        nodes = draw.randint(1, 7)
        sets = thing(nodes)
        for _ in range(draw.randint(0, 9)):
            sets.union(draw.randrange(nodes), draw.randrange(nodes))
        names = [sets.find(node) for node in range(nodes)]
        return [names.index(each) for each in names]
    if name == "kruskal":
        nodes, edges = _graph(draw)
        taken = thing(nodes, edges)
        ours = solutions.kruskal(nodes, edges)
        sets = solutions.UnionFind(nodes)
        loops = 0
        for u, v, _ in taken:
            loops += sets.find(u) == sets.find(v)
            sets.union(u, v)
        known = all(edge in edges for edge in taken)
        return loops, known, len(taken) - len(ours), sum(e[2] for e in taken) - sum(e[2] for e in ours)
    if name == "bfs":
        nodes, edges = _graph(draw)
        return dict(sorted(thing(_near(nodes, edges), draw.randrange(nodes)).items()))
    if name in ("diameter", "radius"):
        return thing(_tree(draw))
    if name == "power":
        height, width = draw.randint(1, 4), draw.randint(1, 4)
        wires = np.array([[draw.choice([15, 15, draw.randrange(16)]) for _ in range(width)] for _ in range(height)])
        found = thing(wires, (draw.randrange(height), draw.randrange(width)), draw.randint(1, 6))
        return [[bool(x) for x in row] for row in found]
    if name == "rotate":
        return thing(draw.randrange(16))
    if name in ("beams", "can_select"):
        height, width = draw.randint(1, 4), draw.randint(1, 4)
        codes = [*CODES, *([int(Tile.EMPTY)] * 8), int(Tile.LASER_E), int(Tile.LASER_S)]
        board = np.array([[draw.choice(codes) for _ in range(width)] for _ in range(height)])
        if name == "beams":
            return thing(board)
        return bool(thing(board, draw.randrange(height), draw.randrange(width)))
    if name == "swap":
        board = np.arange(12).reshape(3, 4)
        one, other = ((draw.randrange(3), draw.randrange(4)) for _ in range(2))
        thing(board, one, other)
        return board.tolist()
    if name == "parse":
        tiles = [".", "W", *(k + d for k in "LST" for d in "<>^v"), *(k + d for k in "MB" for d in "/\\")]
        height, width = draw.randint(1, 4), draw.randint(1, 4)
        rows = [[draw.choice(tiles) for _ in range(width)] for _ in range(height)]
        if draw.random() < 0.3:
            rows[-1][-1] = draw.choice(["X", "L", "M>", "T/", "S", "B", "LL"])
        lines = "\n".join("".join(tile.ljust(2) for tile in row).rstrip() for row in rows)
        found = within(1, lambda: thing(f"{width} {height}\n{lines}"))
        return found if isinstance(found, list) else "raised"
    if name == "block":
        block = thing(draw.randint(0, 5), draw.randint(0, 5))
        seen = []
        for _ in range(draw.randint(0, 6)):
            seen.append((sorted(block.positions()), bool(block.is_standing())))
            getattr(block, draw.choice(["left", "right", "up", "down"]))()
        return seen, sorted(block.positions()), bool(block.is_standing())
    if name in ("terrain", "solve"):
        height, width = draw.randint(1, 5), draw.randint(2, 6)
        signs = [[draw.choice("oooo.-") for _ in range(width)] for _ in range(height)]
        start, target = draw.sample(list(product(range(height), range(width))), 2)
        signs[start[0]][start[1]], signs[target[0]][target[1]] = "S", "T"
        text = "\n".join(map("".join, signs))
        if name == "solve":
            keys = thing(text)
            ours = solutions.solve(text)
            return keys == ours or (
                keys is not None and ours is not None and len(keys) == len(ours) and _wins(text, keys)
            )
        terrain = thing(text)
        cells = list(product(range(-1, height + 1), range(-1, width + 1)))
        block = solutions.Block(0, 0)
        holds = []
        for r, c in cells:
            for block.cells in ([(r, c)], [(r, c), (r, c + 1)], [(r, c), (r + 1, c)]):
                holds.append(bool(terrain.can_hold(block)))
        at = [terrain.at(cell) for cell in cells]
        return terrain.start(), terrain.target(), terrain.width(), terrain.height(), at, holds
    if name == "parametric_line":
        ends = [draw.randint(0, 6) for _ in range(4)]
        line = thing(*ends)
        unit = tuple(round(x, 9) for x in line.vector_normalized) if ends[:2] != ends[2:] else None
        at = [tuple(round(x, 9) for x in line.barycentric_coordinate(t)) for t in (0, 0.3, 1, 2)]
        return line.vector, unit, line.midpoint, at
    if name == "trace_line":
        return list(thing(*((draw.randint(0, 7), draw.randint(0, 7)) for _ in range(2))))
    if name == "is_play_valid":
        size = draw.randint(1, 5)
        plays = [
            tuple(draw.randint(-(draw.random() < 0.1), size - (draw.random() < 0.9)) for _ in range(4))
            for _ in range(4)
        ]
        return bool(thing(size, draw.randint(0, 3), plays, draw.randrange(4)))
    if name == "counts":
        return tuple(thing([[draw.randrange(3) for _ in range(draw.randint(1, 4))] for _ in range(draw.randint(1, 4))]))
    if name == "output":
        size = draw.randint(1, 5)
        plays = [[draw.randint(1, size) for _ in range(4)] for _ in range(draw.randint(0, 6))]
        return thing(f"{size} {draw.randint(0, 3)}\n" + "\n".join(" ".join(map(str, play)) for play in plays))
    raise KeyError(name)


def _wins(text: str, keys: str) -> bool:
    terrain = solutions.Terrain(text)
    block = solutions.Block(*terrain.start())
    for key in keys:
        {"l": block.left, "r": block.right, "u": block.up, "d": block.down}[key]()
        if not terrain.can_hold(block):
            return False
    return block.cells == [terrain.target()]


def equal(name: str, mutant: Any, right: Any, cases: int = 400) -> bool:
    """Returns whether a mutant behaves like the correct solution on ``cases`` random cases."""
    for case in range(cases):
        ours = within(1.0, partial(observe, name, right, random.Random(case)))
        theirs = within(0.3, partial(observe, name, mutant, random.Random(case)))
        if repr(ours) != repr(theirs):
            return False
    return True


NAMES = [
    name
    for name in check.__all__
    if name.islower() and name not in ("for_student", "console", "print_board", "spread_geese")
]


def planted(count: int, seed: int = 0) -> Iterator[tuple[str, str, Any]]:
    """Yields up to ``count`` mutants as ``(check, source, function or class)``, spread evenly over the solutions."""
    draw = random.Random(seed)
    pools = {}
    for name in NAMES:
        function = CLASSES.get(name, name)
        trees = list(changes(ast.parse(inspect.getsource(getattr(solutions, function)))))
        draw.shuffle(trees)
        pools[name] = trees
    made = 0
    while made < count and any(pools.values()):
        for name, trees in pools.items():
            while trees and made < count:
                source = ast.unparse(trees.pop())
                function = CLASSES.get(name, name)
                space = {key: value for key, value in vars(solutions).items() if key != function} | {"CODES": CODES}
                exec(compile(source, f"<mutant of {name}>", "exec"), space)
                if not equal(name, space[function], getattr(solutions, function)):
                    made += 1
                    yield name, source, space[function]
                    break


def main(count: int) -> float:
    """Prints the mistakes that the checks did not find, and returns the share of the mistakes that they found."""
    solutions.CODES = CODES
    found = made = 0
    for name, source, thing in planted(count):
        made += 1
        report = getattr(check, name)(thing, time_limit=0.5)
        found += not report.passed
        if report.passed:
            print(f"--- not found: {name}\n{source}\n", flush=True)
        if made % 50 == 0:
            print(f"{found} of {made} found", flush=True)
    print(f"{found} of {made} mistakes found: {found / made:.1%}")
    return found / made


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500) < 0.95)
