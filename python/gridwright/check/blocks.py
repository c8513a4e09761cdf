"""Checks of Bloxorz: the rolling block, the terrain and the solver."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from .. import bloxorz as _bloxorz
from ..words import counted
from .guard import UnreadableAnswer
from .judge import AllCases, Check, Mistake, Source, Wrong, WrongWithHint
from .panels import Board, ColoredBoard, Panel
from .read import Cell, attribute, cell_of, cells_of, list_of, shown, truth_of, whole

__all__ = ["Block", "Solve", "Terrain"]

_ROLLS = {"l": "left", "u": "up", "r": "right", "d": "down"}
_STEPS = {"l": (0, -1), "u": (-1, 0), "r": (0, 1), "d": (1, 0)}
_NEAR = 12
"""Cells more than this number of rows or columns away from the first cell of the correct block are not drawn."""


class Block(Check):
    """Checks the cells of a block at the start and after each roll, and whether it stands."""

    NAME = "block"
    ARGUMENT = "cls"
    ACCEPTED = "a class"

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "where it starts", [((0, 0), ""), ((1, 1), ""), ((3, 4), "")]
        yield "one roll", [((2, 2), key) for key in "lurd"]
        for count, word in ((2, "two"), (3, "three")):
            yield (
                f"all ways to roll {word} times",
                AllCases([((3, 3), "".join(keys)) for keys in itertools.product("lurd", repeat=count)]),
            )
        place = st.tuples(st.integers(0, 9), st.integers(0, 9))
        yield "many rolls", (st.tuples(place, st.text("lurd", min_size=3, max_size=30)), 60)

    def invoke(self, submission: Any, arguments: Any) -> Any:
        (row, col), keys = arguments
        block = submission(row, col) if self.form != 1 else submission(Cell(row, col))
        seen = [self._look(block)]
        for key in keys:
            block_after = getattr(block, _ROLLS[key])()
            if block_after is not None:  # an immutable block returns a new one
                block = block_after
            seen.append(self._look(block))
        return seen

    @staticmethod
    def _look(block: Any) -> tuple[list[tuple[int, int]], bool]:
        cells = cells_of(attribute(block, "positions"), "positions()", ordered=False)
        if len(set(cells)) != len(cells):
            raise UnreadableAnswer(f"positions() returned {cells}, expected each cell once")
        name = next((name for name in ("is_standing", "isStanding") if hasattr(block, name)), "is_standing")
        return sorted(cells), truth_of(attribute(block, name), f"{name}()")

    def expect(self, case: Any) -> Any:
        (row, col), keys = case
        block = _bloxorz.Block(row, col)
        seen = [self._right_answer(block)]
        for key in keys:
            getattr(block, _ROLLS[key])()
            seen.append(self._right_answer(block))
        return tuple(seen)

    @staticmethod
    def _right_answer(block: Any) -> Any:
        return tuple(sorted((int(r), int(c)) for r, c in block.positions())), bool(block.is_standing())

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        for at, ((cells, standing), (cells2, standing2)) in enumerate(zip(expected, got, strict=True)):
            after = f"after {case[1][:at]!r}" if at else "at the start"
            if cells != cells2:
                raise Wrong(f"{after} positions() returned {list(cells2)}, expected {list(cells)} in any order", at)
            if standing != standing2:
                raise Wrong(f"{after} is_standing() returned {standing2}, expected {standing}", at)

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        def still(case: Any, _: Any) -> Any:
            return (((tuple(case[0]),), True),) * (len(case[1]) + 1)

        return [still]

    def mistakes(self) -> Sequence[Mistake]:
        def rolled(step: Callable[[Any, int, int], Any], steps: dict[str, tuple[int, int]] = _STEPS) -> Any:
            def model(case: Any, _: Any) -> Any:
                cells: Any = (tuple(case[0]),)
                seen = [(cells, True)]
                for key in case[1]:
                    cells = tuple(sorted(set(step(cells, *steps[key]))))
                    seen.append((cells, len(cells) == 1))
                return tuple(seen)

            return model

        def right(cells: Any, dr: int, dc: int) -> Any:
            (r1, c1), (r2, c2) = cells[0], cells[-1]
            if len(cells) == 1:
                return (r1 + dr, c1 + dc), (r1 + 2 * dr, c1 + 2 * dc)
            if (r1 == r2) == (dr == 0):  # a block rolled along its length stands up beyond its front end
                return ((r2 + dr, c2 + dc) if dr + dc > 0 else (r1 + dr, c1 + dc),)
            return (r1 + dr, c1 + dc), (r2 + dr, c2 + dc)

        def half(cells: Any, dr: int, dc: int) -> Any:
            """Rolls a standing block so that it still covers the cell on which it stood."""
            if len(cells) == 1:
                return cells[0], (cells[0][0] + dr, cells[0][1] + dc)
            return right(cells, dr, dc)

        def short(cells: Any, dr: int, dc: int) -> Any:
            """Lets a lying block stand up one cell short of the right cell."""
            found = right(cells, dr, dc)
            return ((found[0][0] - dr, found[0][1] - dc),) if len(cells) == 2 and len(found) == 1 else found

        def far(cells: Any, dr: int, dc: int) -> Any:
            found = right(cells, dr, dc)
            return ((found[0][0] + dr, found[0][1] + dc),) if len(cells) == 2 and len(found) == 1 else found

        def slides(cells: Any, dr: int, dc: int) -> Any:
            return tuple((r + dr, c + dc) for r, c in cells)

        def never_up(cells: Any, dr: int, dc: int) -> Any:
            return right(cells, dr, dc) if len(cells) == 1 else slides(cells, dr, dc)

        def always_up(cells: Any, dr: int, dc: int) -> Any:
            if len(cells) == 1:
                return right(cells, dr, dc)
            (r1, c1), (r2, c2) = cells
            return ((r2 + dr, c2 + dc) if dr + dc > 0 else (r1 + dr, c1 + dc),)

        swapped = {"l": (-1, 0), "r": (1, 0), "u": (0, -1), "d": (0, 1)}
        mirrored = {"l": (0, -1), "r": (0, 1), "u": (1, 0), "d": (-1, 0)}
        turned = {"l": (0, 1), "r": (0, -1), "u": (-1, 0), "d": (1, 0)}
        return [
            ("a standing block falls onto the next two cells: it leaves its own cell", rolled(half)),
            ("a lying block stands up on the first cell beyond its end, not on the end itself", rolled(short)),
            ("a lying block stands up on the first cell beyond its end, not on the second", rolled(far)),
            ("the block slides as if it were one cube: it is two cubes long, and falls over", rolled(slides)),
            ("a lying block never stands up: it does when it rolls along its length", rolled(never_up)),
            ("a lying block always stands up: it stays lying when it rolls across its length", rolled(always_up)),
            ("rows and columns are swapped: left and right change the column", rolled(right, swapped)),
            ("up and down are swapped: row 0 is at the top", rolled(right, mirrored)),
            ("left and right are swapped", rolled(right, turned)),
            ("is_standing is inverted", lambda _, e: tuple((cells, not standing) for cells, standing in e)),
            (
                "is_standing is always True: a block stands if it occupies one cell",
                lambda _, e: tuple((cells, True) for cells, _ in e),
            ),
            (
                "is_standing is always False: a block stands if it occupies one cell",
                lambda _, e: tuple((cells, False) for cells, _ in e),
            ),
        ]

    def size(self, case: Any) -> Any:
        (row, col), keys = case
        return len(keys), row + col, row, col, keys

    def spell(self, name: str, case: Any) -> str:
        (row, col), keys = case
        rolls = "; ".join(f"block.{_ROLLS[key]}()" for key in keys)
        place = f"Pos(x={col}, y={row})" if self.form == 1 else f"{row}, {col}"
        return f"block = {name}({place})" + (f"; {rolls}" if rolls else "") + "; block.positions()"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        at = len(expected) - 1 if where is None else where
        shown = [("before", set(expected[at - 1][0]))] if at else []
        shown.append(("expected", set(expected[at][0])))
        if got is not None:
            shown.append(("got", set(got[at][0])))
        here = min(expected[at][0])
        # A cell far away is not drawn; `Failure.reason` says where it is.
        every = [
            (r, c) for _, cells in shown for r, c in cells if abs(r - here[0]) <= _NEAR and abs(c - here[1]) <= _NEAR
        ]
        top, left = min(r for r, _ in every) - 1, min(c for _, c in every) - 1
        high, wide = max(r for r, _ in every) + 2 - top, max(c for _, c in every) + 2 - left
        panels = []
        for title, cells in shown:
            full = {(r - top, c - left) for r, c in cells}
            symbols = [["#" if (r, c) in full else "." for c in range(wide)] for r in range(high)]
            colors = [["sky" if (r, c) in full else "tile_soft" for c in range(wide)] for r in range(high)]
            wrong = (
                frozenset((r - top, c - left) for r, c in cells ^ set(expected[at][0]))
                if title == "got"
                else frozenset()
            )
            wrong = frozenset((r, c) for r, c in wrong if 0 <= r < high and 0 <= c < wide)
            corner = f"{title} (top left is {top}, {left})" if title == "before" or not at else title
            panels.append(ColoredBoard(corner, symbols, colors, marked=wrong, first=min(wrong, default=None)))
        return tuple(panels)


class _PlacedBlock:
    """A block at rest, with the methods that a terrain's ``can_hold`` calls."""

    def __init__(self, cells: Any) -> None:
        self.cells = [Cell(*cell) for cell in cells]

    def positions(self) -> list[Cell]:
        return list(self.cells)

    def is_standing(self) -> bool:
        return len(self.cells) == 1

    isStanding = is_standing


def _level(rows: Any) -> str:
    return "\n".join("".join(row) for row in rows)


class Terrain(Check):
    """Checks how a level is read: its size, its tiles, and whether it holds a block.

    * ``file``: whether the code takes the path of a file instead of the text.
    """

    NAME = "terrain"
    ARGUMENT = "cls"
    ACCEPTED = "a class"
    _LEVEL = "ooo\noSoooo\nooooooooo\n-ooooooooo\n-----ooToo\n------ooo"

    def __init__(self, file: bool) -> None:
        self._file = file

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        small = ["ST", "S\nT", "SoT", "oST\n-o-", "TS\no", "So\noT", "S-T\nooo", "o-S\noT"]
        light = ["S.T", ".ST\n...", "S..\n.oT", "oST\n-.o"]
        yield "small terrains", small
        yield "light tiles", light
        yield "the level of the document", [self._LEVEL]
        yield "rows of different lengths", ["S\nooT", "ooo\nST", "o\noo\nooST", "-o\nSooo\nT"]
        tile = st.sampled_from("ooo.-")
        rows = st.tuples(st.integers(2, 5), st.integers(2, 6), st.integers(0, 29), st.integers(1, 29)).flatmap(
            lambda drawn: st.lists(
                st.lists(tile, min_size=drawn[1], max_size=drawn[1]), min_size=drawn[0], max_size=drawn[0]
            ).map(lambda rows: self._with_start_and_target(rows, drawn[2], drawn[3]))
        )
        yield "terrains", (rows, 50)

    @staticmethod
    def _with_start_and_target(rows: Any, start: int, step: int) -> str:
        rows = [list(row) for row in rows]
        fields = len(rows) * len(rows[0])
        at = start % fields
        to = (at + 1 + step % (fields - 1)) % fields
        rows[at // len(rows[0])][at % len(rows[0])] = "S"
        rows[to // len(rows[0])][to % len(rows[0])] = "T"
        return _level(rows)

    @staticmethod
    def _asked(text: str) -> tuple[list[tuple[int, int]], list[list[tuple[int, int]]]]:
        """Returns the cells for which ``at`` is called, on and around the board, and the blocks for ``can_hold``."""
        rows = text.split("\n")
        high, wide = len(rows), max(map(len, rows))
        cells = [(r, c) for r in range(-1, high + 1) for c in range(-1, wide + 1)]
        blocks = [[cell] for cell in cells]
        for r, c in cells:
            blocks += [[(r, c), (r, c + 1)], [(r, c), (r + 1, c)]]
        return cells, blocks

    def invoke(self, submission: Any, arguments: Any) -> Any:
        if not self._file:
            return self._answers(submission(arguments), arguments)
        # The code may leave the file open, which keeps some systems from removing it.
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            file = Path(folder, "level.txt")
            file.write_text(arguments + "\n")
            return self._answers(submission(str(file)), arguments)

    def _answers(self, terrain: Any, text: str) -> Any:
        cells, blocks = self._asked(text)
        holds = getattr(terrain, "can_hold", None) or getattr(terrain, "canHold", None)
        if holds is None:
            raise UnreadableAnswer("the terrain has no method can_hold")
        return (
            cell_of(attribute(terrain, "start"), "start"),
            cell_of(attribute(terrain, "target"), "target"),
            whole(attribute(terrain, "width"), "width"),
            whole(attribute(terrain, "height"), "height"),
            [whole(terrain.at(Cell(*cell)), f"at({cell})") for cell in cells],
            [truth_of(holds(_PlacedBlock(block)), f"can_hold of a block on {block}") for block in blocks],
        )

    def expect(self, case: Any) -> Any:
        rows = case.split("\n")
        tile = {(r, c): symbol for r, row in enumerate(rows) for c, symbol in enumerate(row) if symbol != "-"}
        place = {symbol: cell for cell, symbol in tile.items() if symbol in "ST"}
        cells, blocks = self._asked(case)
        strength = {cell: 1 if tile.get(cell) == "." else 2 if cell in tile else 0 for cell in cells}
        holds = [all(strength.get(cell, 0) for cell in b) and (len(b) == 2 or strength[b[0]] == 2) for b in blocks]
        at = tuple(strength[cell] for cell in cells)
        return place["S"], place["T"], max(map(len, rows)), len(rows), at, tuple(holds)

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        for name, want, have in zip(("start", "target", "width", "height"), expected[:4], got[:4], strict=True):
            if want != have:
                raise Wrong(f"{name} is {have}, expected {want}")
        cells, blocks = self._asked(case)
        right, read = (dict(zip(cells, answers[4], strict=True)) for answers in (expected, got))
        wrong = [cell for cell in cells if right[cell] != read[cell]]
        if wrong:
            cell = wrong[0]
            sentence = f"at({cell}) returned {read[cell]}, expected {right[cell]}"
            raise WrongWithHint(sentence, self._why(case, right, read, wrong), [cell])
        held = [each for each in zip(blocks, expected[5], got[5], strict=True) if each[1] != each[2]]
        if held:
            block, want, have = held[0]
            lying = "lying" if len(block) == 2 else "standing"
            sentence = (
                f"can_hold of the block {lying} on {' and '.join(map(str, block))} returned {have}, expected {want}"
            )
            # The hint must fit all wrong answers about blocks that stand, or lie, as this one does.
            hints = {self._explain_hold(right, each, got) for each, _, got in held if len(each) == len(block)}
            raise WrongWithHint(sentence, hints.pop() if len(hints) == 1 else "", block)

    @staticmethod
    def _why(case: str, right: Any, read: Any, wrong: Any) -> str:
        symbols = {(r, c): symbol for r, row in enumerate(case.split("\n")) for c, symbol in enumerate(row)}
        found = [(symbols.get(cell, ""), read[cell]) for cell in wrong]
        if all(have == right.get(cell[::-1], 0) for cell, have in read.items()):
            return "rows and columns are swapped: x is the column"
        if sorted(found) == [("S", 0), ("T", 0)]:
            return "the start and the target are tiles too: at must return 2"
        if found[0][0] == ".":
            return "a period is a light tile: at must return 1"
        if not found[0][0]:
            return "outside the text there is no tile: at must return 0; a negative index counts from the end"
        return ""

    @staticmethod
    def _explain_hold(strength: Any, block: Any, have: bool) -> str:
        values = [strength.get(cell, 0) for cell in block]
        if have and len(block) == 2 and 0 in values and any(values):
            return "half of the block on a tile is not enough: every cell under the block must be a tile"
        if have and values == [1]:
            return "a block that stands on a light tile breaks it"
        if not have and 1 in values:
            return "a lying block may rest on light tiles"
        return "a cell under the block has no tile: look at each cell of positions()" if have else ""

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        return []

    def mistakes(self) -> Sequence[Mistake]:
        def holds(answer: Callable[[bool], bool]) -> Callable[[Any, Any], Any]:
            return lambda _, e: (*e[:5], tuple(map(answer, e[5])))

        def first_row(case: Any, e: Any) -> Any:
            return (*e[:2], len(case.split("\n")[0]), *e[3:])

        def smaller(width: int, height: int) -> Callable[[Any, Any], Any]:
            return lambda _, e: (*e[:2], e[2] - width, e[3] - height, *e[4:])

        turned = "x is the column and y the row: they are swapped"
        return [
            (turned, lambda _, e: (e[0][::-1], e[1][::-1], *e[2:])),
            (turned, lambda _, e: (e[0][::-1], *e[1:])),
            (turned, lambda _, e: (e[0], e[1][::-1], *e[2:])),
            ("width and height are swapped", lambda _, e: (*e[:2], e[3], e[2], *e[4:])),
            ("rows may differ in length: the width is that of the longest", first_row),
            *(("off by one: the largest index is not the size", smaller(*by)) for by in ((1, 0), (0, 1), (1, 1))),
            ("can_hold is inverted", holds(lambda held: not held)),
            ("can_hold is always True: look at each cell of positions()", holds(lambda _: True)),
            ("can_hold is always False: a block may lie wherever both its cells have a tile", holds(lambda _: False)),
        ]

    def size(self, case: Any) -> Any:
        return len(case), case

    def spell(self, name: str, case: Any) -> str:
        return f"terrain = {name}({case!r})" if not self._file else f"terrain = {name}(path)  # a file of {case!r}"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        rows = case.split("\n")
        wide = max(map(len, rows))
        inside = [cell for cell in where or () if 0 <= cell[0] < len(rows) and 0 <= cell[1] < wide]
        return (terrain_board(case, "the terrain", frozenset(inside)),)


def terrain_board(text: str, title: str, marked: frozenset[tuple[int, int]] = frozenset()) -> Board:
    """Returns a level as a ``Board``, one character per cell.

    * ``text``: the level.
    * ``title``: the text above the board.
    * ``marked``: the cells that are marked; none by default.
    """
    rows = text.split("\n")
    wide = max(map(len, rows))
    hues = {"-": "page", ".": "tile_soft", " ": "page"}
    colors = [[hues.get(symbol, "tile") for symbol in row.ljust(wide)] for row in rows]
    return Board(title, [list(row.ljust(wide)) for row in rows], colors, marked=marked)


class Solve(Check):
    """Checks that a solution is a shortest one."""

    NAME = "solve"
    EXACT = False

    def parts(self, st: Any) -> Iterable[tuple[str, Source]]:
        yield "two rolls", ["SooT", "S\no\no\nT", "TooS", "T\no\no\nS"]
        yield "around corners", ["Soo-\n-ooo\n-ooT\n-ooo", "oooo\noSoo\noooo\noooT", "Sooo\noooo\nooTo\noooo"]
        light = ["S.oT", "S..T\n....", "S.ooooT", "oooooo\nS....T\noooooo", "S.o\n.o.\no.T", "Sooo\n..oo\n..oT\noooo"]
        yield "light tiles", light
        unsolvable = ["ST", "SoT", "So\noT", "S--T", "S.T"]
        # The code earns the points of this part only if it can tell the two kinds of levels apart.
        solvable = ["ST\noo\noo", "SoT\nooo\nooo", "Soo\noTo\nooo\nooo", "S--T\noooo\noooo", "S.T\nooo\nooo"]
        yield "with and without a solution", [*unsolvable, *solvable]
        yield "the level of the document", [Terrain._LEVEL]
        tile = st.sampled_from("ooooo.-")
        rows = st.tuples(st.integers(2, 5), st.integers(3, 6), st.integers(0, 29), st.integers(1, 29)).flatmap(
            lambda drawn: st.lists(
                st.lists(tile, min_size=drawn[1], max_size=drawn[1]), min_size=drawn[0], max_size=drawn[0]
            ).map(lambda rows: Terrain._with_start_and_target(rows, drawn[2], drawn[3]))
        )
        yield "terrains", (rows, 60)

    def invoke(self, submission: Any, arguments: Any) -> Any:
        answer = submission(arguments)
        if answer is None or answer is False:
            return None
        keys = answer if isinstance(answer, str) else "".join(str(key)[:10] for key in list_of(answer, "the answer"))
        if len(keys) > 10_000:
            raise UnreadableAnswer(f"returned {len(keys)} keys, expected a shortest solution")
        return keys

    def expect(self, case: Any) -> Any:
        return _bloxorz.Bloxorz(case).solve()

    def compare(self, case: Any, expected: Any, got: Any) -> None:
        if got is None:
            if expected is not None:
                raise Wrong(f"returned None, but there is a solution: {expected!r}")
            return
        if not isinstance(got, str):
            raise ValueError("not an answer from `invoke`")
        strange = next((key for key in got if key not in "lurd"), None)
        if strange is not None:
            raise WrongWithHint(f"returned {shown(got)}, with the key {strange!r}", "the keys are l, u, r and d")
        if expected is None:
            raise WrongWithHint(
                f"returned {shown(got)}, but there is no solution", "return None if the target cannot be reached"
            )
        at, ended = self._played(case, got)
        if ended is not None:
            raise Wrong(ended, at)
        if len(got) != len(expected):
            sentence = f"returned {counted(len(got), 'roll')}, expected {len(expected)}: {expected!r}"
            raise WrongWithHint(sentence, "breadth-first search finds a shortest path: a queue, not a stack")

    @staticmethod
    def _played(case: str, keys: str) -> tuple[Any, str | None]:
        """Plays the keys; returns the cells of the block and what is wrong, or ``(None, None)`` if nothing is."""
        game = _bloxorz.Bloxorz(case)
        for count, key in enumerate(keys, 1):
            falls = game.falls
            game.play(key)
            cells = [tuple(map(int, cell)) for cell in game.block]
            if game.falls > falls:
                return cells, f"after {shown(keys[:count])} the block has fallen"
            if game.is_solved and count < len(keys):
                return (
                    cells,
                    f"after {shown(keys[:count])} the target is reached, but {counted(len(keys) - count, 'key')} "
                    f"{'remains' if len(keys) - count == 1 else 'remain'}",
                )
        if not game.is_solved:
            return [
                tuple(map(int, cell)) for cell in game.block
            ], f"after {shown(keys)} the block does not stand on the target"
        return None, None

    def constants(self) -> Sequence[Callable[[Any, Any], Any]]:
        return [lambda *_: None, lambda *_: "", *(lambda *_, key=key: key for key in ("rr", "dd", "r", "d"))]

    def size(self, case: Any) -> Any:
        return len(case), case

    def spell(self, name: str, case: Any) -> str:
        return f"{name}({case!r})"

    def panels(self, case: Any, expected: Any, got: Any, where: Any) -> tuple[Panel, ...]:
        rows = case.split("\n")
        wide = max(map(len, rows))
        inside = frozenset((r, c) for r, c in where or () if 0 <= r < len(rows) and 0 <= c < wide)
        title = (
            "there is no solution"
            if expected is None
            else f"expected {expected!r} or any other solution of the same length"
        )
        return (terrain_board(case, title, inside),)
