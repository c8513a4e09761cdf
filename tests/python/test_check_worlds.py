"""Tests of the checks on MyPhoton and LightEmAll: correct code passes, and wrong code fails on a small board."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
import solutions
from gridwright import Bloxorz, MyPhoton, check
from gridwright.check.blocks import Solve
from gridwright.photon import Tile

STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]


def leaving(tile, heading):
    """Returns whether light with a given heading enters a tile, and the headings of the light that leaves the tile."""
    name = Tile(tile).name
    down, up = [3, 2, 1, 0][heading], [1, 0, 3, 2][heading]
    if name == "EMPTY":
        return True, [heading]
    if name.startswith(("MIRROR", "SPLITTER")):
        turned = down if name.endswith("DOWN") else up
        return True, [turned] if name.startswith("MIRROR") else [turned, heading]
    if name.startswith("TMIRROR"):
        point = "NESW".index(name[-1])
        if heading == (point + 2) % 4:
            return True, [(point + 1) % 4, (point + 3) % 4]
        return (False, []) if heading == point else (True, [point])
    if name.startswith("SENSOR"):
        return heading == ("NESW".index(name[-1]) + 2) % 4, []
    return False, []


def beams(board, *, forget=""):
    height, width = board.shape
    sides = np.zeros((height, width), dtype=np.uint8)
    heads = []
    for row, col in np.argwhere((board >= Tile.LASER_N) & (board <= Tile.LASER_W)):
        heads.append((row, col, int(board[row, col]) - Tile.LASER_N))
    used = set()
    while heads:
        row, col, heading = heads.pop()
        row, col = row + STEPS[heading][0], col + STEPS[heading][1]
        inside = 0 <= row < height and 0 <= col < width
        if not inside and not (forget == "outer edge" and row >= 0 and col >= 0):
            continue
        if (row, col, heading) in used and forget != "used":
            continue
        used.add((row, col, heading))
        enters, ways = leaving(int(board[row, col]), heading)
        if forget == "straight" and Tile(int(board[row, col])).name.startswith("SPLITTER"):
            ways = ways[:1]
        if not enters and forget != "blocked":
            continue
        if forget != "entry side":
            sides[row, col] |= 1 << (heading + 2) % 4
        for way in ways:
            sides[row, col] |= 1 << way
            heads.append((row, col, way))
    return sides


def test_right_beams_pass():
    for function in (beams, lambda board: beams(board).tolist(), lambda board: beams(board).ravel().astype(float)):
        report = check.beams(function)
        assert report.passed, report


@pytest.mark.parametrize(
    ("forget", "tiles"), [("used", 6), ("straight", 3), ("blocked", 2), ("entry side", 2), ("outer edge", 2)]
)
def test_a_small_case_exposes_wrong_beams(forget, tiles):
    report = check.beams(lambda board: beams(board, forget=forget), time_limit=0.5)
    assert not report.passed
    size, *rows = report.failure.case.splitlines()
    width, height = map(int, size.split())
    assert width * height <= max(tiles, 9), report
    assert sum(len(row.replace(".", "").split()) > 0 for row in rows) <= tiles
    assert report.svg()


def power(wires, station, *, forget=""):
    height, width = wires.shape
    seen, work = {tuple(station)}, [tuple(station)]
    while work:
        row, col = work.pop(0)
        for side, (dr, dc) in enumerate(STEPS):
            r, c = row + dr, col + dc
            if forget == "wraps":
                r, c = r % height, c % width
            if not (0 <= r < height and 0 <= c < width) or (r, c) in seen:
                continue
            mine, theirs = wires[row, col] >> side & 1, wires[r, c] >> (side + 2) % 4 & 1
            if (mine and theirs) or (forget == "neighbor's wire" and mine) or (forget == "own wire" and theirs):
                seen.add((r, c))
                work.append((r, c))
    if forget == "station" and len(seen) == 1:
        seen = set()
    powered = np.zeros(wires.shape, dtype=bool)
    for cell in seen:
        powered[cell] = True
    return powered


def within(wires, station, radius, *, less=0):
    depth, work = {tuple(station): 0}, [tuple(station)]
    while work:
        row, col = work.pop(0)
        for side, (dr, dc) in enumerate(STEPS):
            cell = (row + dr, col + dc)
            inside = 0 <= cell[0] < wires.shape[0] and 0 <= cell[1] < wires.shape[1]
            if inside and cell not in depth and wires[row, col] >> side & wires[cell] >> (side + 2) % 4 & 1:
                depth[cell] = depth[row, col] + 1
                work.append(cell)
    return [[depth.get((r, c), 10**9) <= radius - less for c in range(wires.shape[1])] for r in range(wires.shape[0])]


def test_right_power_passes():
    for function in (power, within, lambda wires, station: power(wires, station).astype(int)):
        report = check.power(function)
        assert report.passed, report


@pytest.mark.parametrize(("forget", "tiles"), [("wraps", 3), ("neighbor's wire", 2), ("own wire", 2), ("station", 1)])
def test_a_small_case_exposes_wrong_power(forget, tiles):
    report = check.power(lambda wires, station: power(wires, station, forget=forget))
    assert not report.passed
    rows, _, _ = report.failure.case
    assert len(rows) * len(rows[0]) <= tiles, report
    assert report.svg()


def test_a_number_in_place_of_a_board_is_reported():
    report = check.power(lambda wires, station: 5)
    assert report.failure.reason == "returned 5, expected an array of bools of shape (1, 1)"


def test_the_legend_of_power_is_only_in_the_text_and_does_not_widen_the_picture():
    report = check.power(lambda wires, station: wires > 0)
    expected, got = (panel.size()[0] for panel in report.failure.panels)
    assert got < expected < 80
    assert "! has power" in str(report)
    assert "! has power" not in report.svg()


def test_a_small_case_exposes_a_wrong_radius():
    report = check.power(lambda wires, station, radius: within(wires, station, radius, less=1))
    assert not report.passed
    rows, _, radius = report.failure.case
    assert len(rows) * len(rows[0]) <= 4, report
    assert str(radius) in report.failure.call


def test_the_reported_call_of_a_function_that_turns_a_tile_runs():
    def numbered(tile):
        return (tile << 1) & 15

    def changing(tile):
        tile.top, tile.right = tile.left, tile.top

    def changing_by(tile, turns):
        tile.top, tile.right = tile.left, tile.top

    for fn in (numbered, changing, changing_by):
        for failure in check.rotate(fn).failures:
            names = {"check": check, fn.__name__: fn}
            setup, _, last = failure.call.rpartition("; ")
            exec(setup, names)
            mask = eval(last, names)
            wires = [name for side, name in enumerate(("top", "right", "bottom", "left")) if mask >> side & 1]
            assert f": {' and '.join(wires) or 'none'}, expected " in failure.reason


def test_the_reported_call_with_columns_of_pieces_runs():
    def power(board, row, col):
        for column in board:
            for piece in column:
                piece.powered = True

    report = check.power(power, pieces=True)
    names = {"check": check, "power": power}
    exec(report.failure.call, names)
    assert all(piece.powered for column in names["board"] for piece in column)
    ((row, col),) = [(piece.row, piece.col) for column in names["board"] for piece in column if piece.powerStation]
    assert report.failure.case[1] == (row, col)


def test_the_reported_call_of_a_class_of_tiles_runs():
    class Still:
        def __init__(self, top, right, bottom, left):
            self.top, self.right, self.bottom, self.left = top, right, bottom, left

        def rotate(self):
            return None

    report = check.rotate(Still)
    names = {"Still": Still}
    exec(report.failure.call, names)
    assert report.failure.call.endswith("; tile = tile.rotate() or tile")
    assert names["tile"].top


def read_signs(text, *, extra=False):
    """Returns the rows of a level as the signs of its tiles; with ``extra``, the last row has one tile too many."""
    width, height = map(int, text.split("\n")[0].split())
    rows = [[line[2 * col : 2 * col + 2].strip() for col in range(width)] for line in text.split("\n")[1:]]
    if not rows or len(rows) != height or {sign for row in rows for sign in row} - SIGNS:
        raise ValueError
    return [*rows[:-1], [*rows[-1], "."]] if extra else rows


SIGNS = {".", "W", "M/", "M\\", "B/", "B\\", *(kind + side for kind in "LST" for side in "^>v<")}


def test_a_parser_may_return_signs():
    assert check.parse(read_signs).passed
    report = check.parse(lambda text: read_signs(text, extra="\n" in text.partition("\n")[2]))
    assert "returned rows of [1, 2] tiles, expected one length" in [failure.reason for failure in report.failures]


@pytest.mark.parametrize("swapped", [True, False])
def test_a_hint_about_swapped_slants_is_given_only_if_they_are_swapped(swapped):
    def wrong(sign):
        if swapped:
            return sign.translate(str.maketrans("/\\", "\\/"))
        return "." if sign[0] == "M" else sign

    report = check.parse(lambda text: [list(map(wrong, row)) for row in read_signs(text)])
    assert not report.passed
    assert ("/ and \\ are swapped" in [failure.hint for failure in report.failures]) is swapped


@pytest.mark.parametrize(
    ("read", "reason"),
    [
        (lambda text: [["?"]], "at (0, 0), tile '.': got '?', expected EMPTY"),
        (lambda text: [[-1]], "at (0, 0), tile '.': got -1, expected EMPTY"),
        (lambda text: [[[0, 1]]], "returned an array of shape (1, 1, 2), expected (1, 1)"),
        (lambda text: [[[0], [0, 1]]], "returned [[[0], [0, 1]]], expected an array of tiles of shape (1, 2)"),
        (lambda text: [[0], [0, 0]], "returned rows of [1, 2] tiles, expected one length"),
    ],
)
def test_a_wrongly_parsed_level_is_described(read, reason):
    assert reason in [failure.reason for failure in check.parse(read).failures]


def test_a_number_that_is_not_a_mask_of_sides_is_reported():
    report = check.beams(lambda board: np.where(board < 2, 16, 0))
    assert report.failure.reason == "at (0, 0), tile '.': got 16 (not 0 to 15), expected 0 (none)"


def lenient(text, *, at, length):
    """Reads the tile of column c at character ``at * c``; tiles that do not exist become empty ones."""
    (size, *lines) = text.split("\n")
    width, height = map(int, size.split())
    if width < 1 or height < 1 or len(lines) != height or not read_signs(text):
        raise ValueError
    rows = [[line[at * col : at * col + length].strip() for col in range(width)] for line in lines]
    return [[sign if sign in SIGNS else "." for sign in row] for row in rows]


@pytest.mark.parametrize("length", [1, 2])
def test_a_hint_about_two_characters_per_tile_is_given_only_if_it_explains_the_tiles(length):
    assert check.parse(lambda text: lenient(text, at=2, length=2)).passed
    words = "each tile takes two characters"
    codes = {sign: MyPhoton(f"1 1\n{sign}").board[0, 0] & 31 for sign in SIGNS}
    for found in (codes, {sign: sign for sign in SIGNS}):
        narrow = check.parse(
            lambda text, found=found: [[found[sign] for sign in row] for row in lenient(text, at=1, length=length)]
        )
        assert any(failure.hint.startswith(words) for failure in narrow.failures), narrow
    for swapped in ({"T<": "T>", "T>": "T<"}, {"W": "."}):
        report = check.parse(lambda text, s=swapped: [[s.get(sign, sign) for sign in row] for row in read_signs(text)])
        assert not report.passed
        assert not any(failure.hint.startswith(words) for failure in report.failures), report


def test_a_parser_may_be_a_generator():
    def rows(text):
        yield from read_signs(text)

    assert check.parse(rows).passed
    for unread in (lambda text: iter(()), lambda text: None):
        assert "accepted the text" in " ".join(failure.reason for failure in check.parse(unread).failures)


class Swapped(solutions.Terrain):
    def at(self, cell):
        return super().at((cell[1], cell[0]))


class Narrow(solutions.Terrain):
    def width(self):
        return super().width() - 1


class Turned(solutions.Terrain):
    width, height = solutions.Terrain.height, solutions.Terrain.width


class AsWideAsTheFirstRow(solutions.Terrain):
    def __init__(self, text):
        super().__init__(text)
        self.first = len(text.partition("\n")[0])

    def at(self, cell):
        return super().at(cell) if cell[1] < self.first else 0


class WithoutStartAndTarget(solutions.Terrain):
    def at(self, cell):
        return 0 if tuple(cell) in (self.start(), self.target()) else super().at(cell)


@pytest.mark.parametrize(
    ("cls", "hints"),
    [
        (Swapped, {"rows and columns are swapped: x is the column"}),
        (Narrow, {"off by one: the largest index is not the size"}),
        (Turned, {"width and height are swapped"}),
        (AsWideAsTheFirstRow, {""}),
        (WithoutStartAndTarget, {"the start and the target are tiles too: at must return 2"}),
    ],
)
def test_hints_about_a_terrain_fit_all_cells(cls, hints):
    report = check.terrain(cls)
    assert {failure.hint for failure in report.failures} == hints, report


def test_a_solver_that_returns_an_answer_for_every_level_earns_nothing_for_levels_without_a_solution():
    parts = dict(Solve().parts(importlib.import_module("hypothesis.strategies")))
    levels = parts["with and without a solution"]
    assert 0 < sum(Bloxorz(level).solve() is None for level in levels) < len(levels)
    for answer, points in ((solutions.solve, 1), (lambda text: solutions.solve(text) or "", 0), (lambda text: None, 0)):
        scores = {part.name: part.score for part in check.solve(answer).parts if part.effective_weight}
        assert scores["with and without a solution"] == points


def test_a_parser_that_accepts_or_refuses_every_level_earns_nothing_for_malformed_levels():
    def accepts(text):
        try:
            return solutions.parse(text)
        except Exception:
            return [["."]]

    def refuses(text):
        raise ValueError

    for parser, points in ((solutions.parse, 1), (accepts, 0), (refuses, 0)):
        scores = {part.name: part.score for part in check.parse(parser).parts if part.effective_weight}
        assert scores["malformed and valid levels"] == points


def test_a_height_that_is_always_0_is_not_off_by_one():
    class Flat(solutions.Terrain):
        def height(self):
            return 0

    assert not any(failure.hint for failure in check.terrain(Flat).failures)
