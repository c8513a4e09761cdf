"""The picture of Bloxorz in three dimensions, in parallel projection: tiles are slabs, the block is a rolling cuboid.

In world coordinates, x is the column, y is the row, and z points up; the upper side of the terrain is at z = 0.
The camera looks from the front and a little from the right, so that front and right sides are visible.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..arguments import number as read_number
from ..arguments import shown, whole
from ..bloxorz import Tile
from ..bloxorz_switches import letters, switches
from ..errors import MoveError
from ..words import dimensions
from .svg import Cells, Picture, number
from .theme import Theme, mix
from .theme import theme as find_theme

__all__ = ["Pose", "cuboids", "describe", "rolling", "scene"]

Point = tuple[float, float, float]

_YAW, _PITCH = math.radians(20), math.radians(48)
_S, _C, _SP, _CP = math.sin(_YAW), math.cos(_YAW), math.sin(_PITCH), math.cos(_PITCH)
_TO_CAMERA = (_S * _CP, _C * _CP, _SP)
_LIGHT = (-0.36, 0.24, 0.9)
_THICK = 0.24
"""Height of a slab."""
_GAP = 0.025
"""Half the gap between slabs."""

# The corners of each side of a box: bit 0 of a corner is its x, bit 1 its y, bit 2 its z.
_SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def _shaded(theme: Theme, color: str, normal: Point) -> str:
    """Returns the color of a face: lighter the more it faces the light, darker the more it is turned away."""
    # The cosine of the angle to the light. At 0.55, a face keeps its color. Horizontal faces are above this value and
    # get some light; upright faces are below it and get some shadow.
    lit = sum(a * b for a, b in zip(normal, _LIGHT, strict=True))
    if lit > 0.55:
        return mix(color, theme.lit, 0.16 * (lit - 0.55))
    return mix(color, theme.shade, 0.62 * (0.55 - lit))


@dataclass(frozen=True)
class Pose:
    """Boxes that are drawn as the block."""

    boxes: tuple[tuple[tuple[Point, ...], bool], ...]
    """The eight corners of each box, and whether the box is the block or the cube in control."""


def _box(x: float, y: float, z: float, wide: float, deep: float, high: float) -> tuple[Point, ...]:
    return tuple((x + wide * (k & 1), y + deep * (k >> 1 & 1), z + high * (k >> 2)) for k in range(8))


def _turned(box: Sequence[Point], key: int, angle: float) -> tuple[Point, ...]:
    """Returns the corners of a box on the ground, turned by ``angle`` about its lower edge on the side of ``key``."""
    axis = 0 if key in (0, 2) else 1
    ahead = 1 if key >= 2 else -1
    places = [corner[axis] for corner in box]
    edge = max(places) if ahead > 0 else min(places)
    cos, sin = math.cos(angle), math.sin(angle)
    turned = []
    for corner in box:
        along, up = (corner[axis] - edge) * ahead, corner[2]
        place = edge + ahead * (along * cos + up * sin)
        height = up * cos - along * sin
        turned.append((place, corner[1], height) if axis == 0 else (corner[0], place, height))
    return tuple(turned)


def cuboids(cells: Sequence[Sequence[int]], *, split: bool, key: int = 4, angle: float = 0, sink: float = 0) -> Pose:
    """Returns the block as cuboids, rolled by an angle.

    * ``cells``: the cells of the block; of a split block, the cube in control comes first.
    * ``split``: whether the block is split into two cubes.
    * ``key``: the direction in which the block rolls, 0 to 3 for left, up, right, down; 4 (the default) for none.
    * ``angle``: the angle of the roll in radians, 0 by default.
    * ``sink``: how far the block has sunk, in cells; 0 by default.
    """
    if split:
        boxes = [(_box(col, row, 0, 1, 1, 1), k == 0) for k, (row, col) in enumerate(cells)]
    else:
        rows, cols = zip(*cells, strict=True)
        wide, deep = max(cols) - min(cols) + 1, max(rows) - min(rows) + 1
        boxes = [(_box(min(cols), min(rows), 0, wide, deep, 2 if len(cells) == 1 else 1), True)]
    if key < 4 and angle:
        boxes[0] = (_turned(boxes[0][0], key, angle), True)
    if sink:
        boxes[0] = (tuple((x, y, z - sink) for x, y, z in boxes[0][0]), True)
    return Pose(tuple(boxes))


@dataclass(frozen=True)
class _Camera:
    """Maps world coordinates to points of the picture."""

    size: float
    left: float
    top: float

    def at(self, point: Point) -> tuple[float, float]:
        x, y, z = point
        across, down = _C * x - _S * y, (_S * x + _C * y) * _SP - z * _CP
        return across * self.size + self.left, down * self.size + self.top


class _Scene:
    """Adds shapes, given in world coordinates, to a picture."""

    def __init__(self, camera: _Camera, out: Picture) -> None:
        self.size, self.at, self.out = camera.size, camera.at, out

    def face(self, points: Iterable[Point], **named: Any) -> None:
        self.out.polygon([self.at(point) for point in points], **named)

    def flat(self, x0: float, y0: float, x1: float, y1: float, z: float = 0, **named: Any) -> None:
        self.face([(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)], **named)

    def arc(self, x: float, y: float, r: float, start: float, stop: float, **named: Any) -> None:
        """Draws an arc on the ground; ``start`` and ``stop`` are angles in turns, clockwise from the right."""
        steps = max(4, round(abs(stop - start) * 28))
        turns = [2 * math.pi * (start + (stop - start) * k / steps) for k in range(steps + 1)]
        points = [self.at((x + r * math.cos(turn), y + r * math.sin(turn), 0)) for turn in turns]
        words = " L ".join(f"{number(px)} {number(py)}" for px, py in points)
        self.out.path(f"M {words}", fill="none", stroke_linecap="round", stroke_linejoin="round", **named)

    def letter(self, x: float, y: float, letter: str, fill: str, *, size: float = 0.4) -> None:
        """Draws a letter that lies on the ground."""
        px, py = self.at((x, y, 0))
        matrix = " ".join(number(value) for value in (_C, _S * _SP, -_S, _C * _SP, px, py))
        self.out.begin(transform=f"matrix({matrix})")
        self.out.text(0, 0, letter, size=size * self.size, fill=fill, font_weight="bold")
        self.out.end()


def scene(
    game: Any,
    theme: Theme,
    size: float,
    *,
    pose: Pose | None = None,
    opening: dict[str, float] | None = None,
    behind: bool = False,
) -> Picture:
    """Draws a position in parallel projection.

    * ``game``: a ``Bloxorz``.
    * ``theme``: the colors, a ``Theme``.
    * ``size``: the width in pixels, 1 to 1000, of a cell in the flat view; in three dimensions, the edges of a cell
      are 0.92 times as long before the projection.
    * ``pose``: the cuboids drawn in place of the block; ``None`` (the default) draws the block in its current position.
    * ``opening``: a dict from the letters of bridges to how far open they are drawn, from 0 (off) to 1 (on); bridges
      without an entry are drawn off or on, as in the game. Default ``None``.
    * ``behind``: whether the block, or the cube in control, is drawn behind the terrain. Default ``False``.
    """
    codes = (game.board & 15).tolist()
    camera, out = _view(game, codes, theme, size * 0.92)
    draw = _Scene(camera, out)
    height, width = game.shape
    if pose is None:
        pose = cuboids(game.block.tolist(), split=game.is_split)
    symbols = letters(game)
    marks = {cell: f"{one.letter}{k}" for one in switches(game).values() for k, cell in enumerate(one.targets, 1)}
    # The cube that is not in control stands on its tile, so it is always in front of the terrain.
    with out.piece("behind"):
        _block(draw, [box for box in pose.boxes if behind and box[1]])
    for row in range(height):
        for col in range(width):
            tile, letter = codes[row][col], symbols[row][col]
            if tile != Tile.NONE:
                part = (opening or {}).get(letter, float(tile == Tile.BRIDGE_ON))
                out.put(f"c{row}-{col}", _cell(camera, theme, row, col, tile, letter, part, marks.get((row, col), "")))
    with out.piece("block"):
        _block(draw, [box for box in pose.boxes if not (behind and box[1])])
    return out


def _view(game: Any, codes: list[list[int]], theme: Theme, size: float) -> tuple[_Camera, Picture]:
    """Returns the camera and an empty picture that has room for a block standing on any tile."""
    height, width = game.shape
    tiles = [(row, col) for row, line in enumerate(codes) for col, code in enumerate(line) if code]
    corners = [(col + k % 2, row + k // 2, z) for row, col in tiles for k in range(4) for z in (-_THICK, 2)]
    places = [_Camera(size, 0, 0).at(corner) for corner in corners]
    pad = size * 0.45
    camera = _Camera(size, pad - min(x for x, _ in places), pad - min(y for _, y in places))
    out = Picture(
        max(x for x, _ in places) + camera.left + pad,
        max(y for _, y in places) + camera.top + pad,
        theme,
        title=f"Bloxorz in three dimensions, {dimensions(height, width)}",
        description=describe(game),
        corner=size / 4,
    )
    slant = (_C * size, _S * _SP * size, -_S * size, _C * _SP * size)
    out.cells = Cells(camera.left, camera.top, size, game.shape, slant=slant, lift=_CP * size)
    return camera, out


@lru_cache(maxsize=1 << 12)
def _cell(camera: _Camera, theme: Theme, row: int, col: int, tile: int, letter: str, part: float, mark: str) -> str:
    """Returns a tile as an element; cached, because nearly all tiles stay as they are while the block rolls."""
    out = Picture(0, 0, theme, title="", description="")
    out.parts.clear()
    draw = _Scene(camera, out)
    with out.piece(f"c{row}-{col}"):
        if tile in (Tile.BRIDGE_OFF, Tile.BRIDGE_ON):
            _bridge(draw, row, col, letter, part)
        else:
            _tile(draw, row, col, Tile(tile), letter)
        if mark:
            draw.letter(col + 0.78, row + 0.82, mark, theme.ink, size=0.24)
    return out.parts[0]


def _block(draw: _Scene, boxes: Iterable[tuple[tuple[Point, ...], bool]]) -> None:
    theme = draw.out.theme
    # Boxes farther from the camera are drawn first.
    for box, control in sorted(boxes, key=lambda one: sum(_S * x + _C * y for x, y, _ in one[0])):
        _cuboid(draw, box, theme.block if control else theme.cube)


def _slab(draw: _Scene, row: int, col: int, color: str, edge: str, *, part: float = 1, thick: float = _THICK) -> None:
    """Draws a slab whose upper side is at z = 0; ``part`` is the share of its width that is drawn."""
    x0, x1, y0, y1 = col + _GAP, col + 1 - _GAP, row + _GAP, row + 1 - _GAP
    inset = (1 - part) * (x1 - x0) / 2
    x0, x1 = x0 + inset, x1 - inset
    front = [(x0, y1, 0), (x1, y1, 0), (x1, y1, -thick), (x0, y1, -thick)]
    right = [(x1, y0, 0), (x1, y1, 0), (x1, y1, -thick), (x1, y0, -thick)]
    draw.face(front, fill=_shaded(draw.out.theme, color, (0, 1, 0)))
    draw.face(right, fill=_shaded(draw.out.theme, color, (1, 0, 0)))
    draw.flat(x0, y0, x1, y1, fill=color, stroke=edge, stroke_width=draw.size * 0.025)


def _bridge(draw: _Scene, row: int, col: int, letter: str, part: float) -> None:
    theme = draw.out.theme
    middle = (col + 0.5, row + 0.5)
    if part < 1:
        inset = 0.1
        dash = f"{number(draw.size * 0.09)} {number(draw.size * 0.09)}"
        style: dict[str, Any] = {
            "fill": "none",
            "stroke": theme.muted,
            "stroke_width": draw.size * 0.03,
            "stroke_dasharray": dash,
        }
        draw.flat(col + inset, row + inset, col + 1 - inset, row + 1 - inset, **style)
    if part > 0:
        _slab(draw, row, col, theme.bridge, theme.bridge_edge, part=part, thick=0.14)
        if part == 1:
            for k in (0.25, 0.75):
                ends = [draw.at((col + k, row + _GAP * 2, 0)), draw.at((col + k, row + 1 - _GAP * 2, 0))]
                draw.out.line(*ends[0], *ends[1], stroke=theme.bridge_edge, stroke_width=draw.size * 0.04)
    if part in (0, 1):
        draw.letter(*middle, letter, theme.letters_on(theme.bridge) if part else theme.muted)


def _tile(draw: _Scene, row: int, col: int, tile: Tile, letter: str) -> None:
    theme = draw.out.theme
    x, y = col + 0.5, row + 0.5
    if tile == Tile.LIGHT:
        _slab(draw, row, col, theme.fragile, theme.fragile_edge, thick=0.1)
        for dx in (-0.22, 0.22):
            ends = [draw.at((x - dx, y - 0.22, 0)), draw.at((x + dx, y + 0.22, 0))]
            draw.out.line(*ends[0], *ends[1], stroke=theme.fragile_edge, stroke_width=draw.size * 0.05)
        return
    shade = 0.5 if (row + col) % 2 else 0.0
    _slab(draw, row, col, mix(theme.tile, theme.tile_soft, shade), theme.tile_edge)
    if tile == Tile.TARGET:
        _hole(draw, row, col)
    elif tile in (Tile.SWITCH_SOFT, Tile.SWITCH_HEAVY, Tile.SPLITTER):
        style: dict[str, Any] = {"stroke": theme.switch, "stroke_width": draw.size * 0.075}
        if tile == Tile.SWITCH_SOFT:
            draw.arc(x, y, 0.33, 0, 1, **style)
        elif tile == Tile.SWITCH_HEAVY:
            draw.flat(x - 0.31, y - 0.31, x + 0.31, y + 0.31, fill="none", stroke_linejoin="round", **style)
        else:
            draw.arc(x - 0.07, y, 0.29, 0.27, 0.73, **style)
            draw.arc(x + 0.07, y, 0.29, -0.23, 0.23, **style)
        draw.letter(x, y, letter, theme.ink, size=0.36)


def _hole(draw: _Scene, row: int, col: int) -> None:
    """Draws the target: a hole with visible walls at the back and on the left, and a rim."""
    theme = draw.out.theme
    x0, x1, y0, y1 = col + 0.11, col + 0.89, row + 0.11, row + 0.89
    draw.flat(x0, y0, x1, y1, fill=theme.night)
    back = [(x0, y0, 0), (x1, y0, 0), (x1, y0, -_THICK), (x0, y0, -_THICK)]
    left = [(x0, y0, 0), (x0, y1, 0), (x0, y1, -_THICK), (x0, y0, -_THICK)]
    draw.face(back, fill=mix(theme.tile, theme.night, 0.45))
    draw.face(left, fill=mix(theme.tile, theme.night, 0.6))
    rim: dict[str, Any] = {
        "fill": "none",
        "stroke": theme.target,
        "stroke_width": draw.size * 0.06,
        "stroke_linejoin": "round",
    }
    draw.flat(x0, y0, x1, y1, **rim)


def _cuboid(draw: _Scene, box: Sequence[Point], color: str) -> None:
    theme = draw.out.theme
    edge = {"stroke": mix(color, theme.shade, 0.7), "stroke_width": draw.size * 0.03, "stroke_linejoin": "round"}
    for side in _SIDES:
        a, b, _, d = (box[k] for k in side)
        u, v = ([q - p for p, q in zip(a, other, strict=True)] for other in (b, d))
        # The cross product of two edges. The order of the corners in `_SIDES` makes it point inward.
        inward = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        length = math.sqrt(sum(part * part for part in inward))
        normal = (-inward[0] / length, -inward[1] / length, -inward[2] / length)
        if sum(one * other for one, other in zip(normal, _TO_CAMERA, strict=True)) > 1e-6:
            draw.face([box[k] for k in side], fill=_shaded(theme, color, normal), **edge)


def describe(game: Any) -> str:
    """Returns a description of the position in sentences.

    * ``game``: a ``Bloxorz``, or the sketch of an editor's draft, which may have no start or no target yet.
    """
    cells = " and ".join(f"row {row}, column {col}" for row, col in game.block.tolist())
    how = "split" if game.is_split else "standing" if len(game.block) == 1 else "lying"
    words = f"The block is {how} on {cells}; " if cells else "There is no start; "
    if game.target is None:
        words += "there is no target."
    else:
        row, col = game.target
        words += f"the target is at row {row}, column {col}."
    on = [letter for letter, state in game.bridges.items() if state]
    if game.bridges:
        words += f" Bridges that are on: {', '.join(on) or 'none'}."
    words += "".join(f" {letter} is a {one.words}." for letter, one in switches(game).items())
    return words + (" Solved." if game.is_solved else "")


MAX_STEPS = 100
"""The largest number of pictures for one roll."""


def _key(game: Any, move: Any) -> int:
    """Returns the number of a key.

    Raises ``MoveError`` for several keys, and what ``play`` raises if it refuses the key.
    """
    trial = game.copy()
    trial.play(*(move if isinstance(move, tuple) else (move,)))
    if len(trial.moves) != len(game.moves) + 1:
        raise MoveError(f"key must be a single key, got {shown(move)}")
    return int(trial.moves[-1, 0])


def rolling(
    game: Any, key: Any, steps: int = 6, *, theme: str | Theme | None = None, size: float = 40
) -> list[Picture]:
    """Draws a roll as several pictures in three dimensions; the last one shows the position after the roll.

    The block turns about its lower edge; bridges open or close in the second half of the roll. A falling block sinks,
    and is back at the start in the last picture.

    * ``game``: a ``Bloxorz``, which is not changed.
    * ``key``: one key, a letter or a number as ``play`` takes it; raises ``MoveError`` for several keys, and what
      ``play`` raises if it refuses the key.
    * ``steps``: the number of pictures, 1 to 100; 6 by default.
    * ``theme``: ``"light"``, ``"dark"`` or a ``Theme``; ``None`` (the default) is the theme of `use_theme`.
      ``ValueError`` for any other name.
    * ``size``: the width in pixels, 1 to 1000, of a cell in the flat view, as for `scene`; 40 by default.

    >>> import gridwright as gw
    >>> len(rolling(gw.Bloxorz.level("level01"), "r", 4))
    4
    """
    steps = whole("steps", steps, 1, MAX_STEPS)
    size = read_number("size", size, 1, 1000)
    key, found = _key(game, key), find_theme(theme)
    after = game.copy()
    after.play(key)
    falls = after.falls > game.falls
    cells, split = game.block.tolist(), game.is_split
    changed = {letter: on for letter, on in after.bridges.items() if on != game.bridges[letter] and not falls}
    pictures = []
    for step in range(1, steps):
        part = step / steps
        # A block that falls turns in the first half and sinks in the second; bridges move in the second half of a roll.
        turn = min(1.0, 2 * part) if falls else part
        sink = max(0.0, 2 * part - 1) ** 2 * 3 if falls else 0.0
        late = max(0.0, 2 * part - 1)
        opening = {letter: late if on else 1 - late for letter, on in changed.items()}
        angle = math.pi / 2 * turn if key < 4 else 0.0
        pose = cuboids(cells, split=split, key=key, angle=angle, sink=sink)
        # A block that falls to the left or to the back disappears behind the tiles.
        behind = sink > 0 and key < 2
        pictures.append(scene(game, found, size, pose=pose, opening=opening, behind=behind))
    return [*pictures, scene(after, found, size)]
