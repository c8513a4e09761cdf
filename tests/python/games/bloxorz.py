"""What the tests of all games need for Bloxorz; ``games/__init__.py`` describes each name."""

from __future__ import annotations

from typing import Any

import gridwright as gw

RANK = 1


def position() -> Any:
    return gw.Bloxorz.level("level01")


def large(side: int) -> str:
    return "S" + "o" * (side - 1) + "\n" + ("o" * side + "\n") * (side - 2) + "o" * (side - 1) + "T\n"


def bridges():
    """Returns a level with 14 switches, each of which toggles its own bridge, and therefore with millions of states."""
    rows = [["o"] * 40 for _ in range(24)]
    lines = []
    for k, letter in enumerate("ABCDEFGHIJKLMN"):
        rows[3 + k][2 * k], rows[3 + k][2 * k + 8] = letter, letter.lower()
        lines.append(f"#{letter}O{letter.lower()}")
    rows[0][0], rows[23][39] = "S", "T"
    for row, col in ((22, 38), (22, 39), (23, 38)):
        rows[row][col] = "-"  # the target cannot be reached, so a search visits all states
    return gw.Bloxorz("\n".join(["".join(row) for row in rows] + lines))


RULES = ("straight", "landmark", "deadend", "search")

GRADED: dict[str, Any] = {"height": 6, "width": 8}

PROGRESS = {
    "Bloxorz.generate": lambda p, _: gw.Bloxorz.generate(8, 10, effort=10_000_000, seed=1, progress=p),
    "Bloxorz.solve": lambda p, _: bridges().solve(progress=p),
    "Bloxorz.solution": lambda p, _: bridges().solution(progress=p),
    "Bloxorz.hint": lambda p, _: bridges().hint(progress=p),
    "Bloxorz.difficulty": lambda p, _: bridges().difficulty(progress=p),
    "Bloxorz.explain": lambda p, _: bridges().explain(progress=p),
    "Bloxorz.play_on": lambda p, _: bridges().play_on(progress=p),
    "Bloxorz.count_shortest": lambda p, _: bridges().count_shortest(progress=p),
    "Bloxorz.state_graph": lambda p, _: bridges().state_graph(progress=p),
    "Bloxorz.perft": lambda p, _: bridges().perft(20, progress=p),
    "Bloxorz.animate": lambda p, _: gw.Bloxorz.level("level01").animate("rrdrrrd", view="3d", steps=2, progress=p),
}

EPISODES: dict[str, Any] = {"generator": [gw.Bloxorz("SoooT\nooooo"), gw.Bloxorz("ToooS\no.ooo")]}

LEVEL = "level05"

STEPS = ((0, -1), (-1, 0), (0, 1), (1, 0))


def meanings() -> list[Any]:
    terrain = gw.Bloxorz("SoooT\n.oabA\nooBCo\nooooo\n#AOa\n#BXa\n#BXb\n#CS 0 0 4 3\n%b")
    lying = terrain.copy()
    lying.play("r")
    cells = ((0, 0), (0, 1), (0, 4), (1, 0), (1, 2), (1, 3), (1, 4), (2, 2), (2, 3))
    return [*((terrain, cell, {}) for cell in cells), (lying, (0, 1), {})]


def pointer(game: Any, move: Any) -> list[tuple[Any, ...]]:
    """Returns a click next to the block, on the side to which it rolls, or on the other cube to switch cubes."""
    block = game.block.tolist()
    if move[0] == 4:
        return [("click", tuple(block[1]), False)]
    down, across = STEPS[move[0]]
    row, col = max(block[:1] if game.is_split else block, key=lambda cell: cell[0] * down + cell[1] * across)
    return [("click", (row + down, col + across), False)]


def keys(game: Any, move: Any) -> list[str]:
    return [("left", "up", "right", "down", "space")[move[0]]]
