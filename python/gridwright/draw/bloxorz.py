"""Pictures of Bloxorz: plain text, the terrain from above with a legend of its switches, and the graph of states."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..arguments import choice, number, shown
from ..bloxorz import Tile
from ..bloxorz_switches import Switch, letters, switches
from ..words import counted, dimensions
from .bitmap import Pixels, near, sprites
from .bloxorz3d import describe, rolling, scene
from .svg import Picture
from .text import numbers
from .theme import Theme, mix, rgb

__all__ = [
    "between",
    "caption",
    "glyphs",
    "graph_picture",
    "ground",
    "legend",
    "looks",
    "paint",
    "picture",
    "stands_on",
]

_UNDER = 15
"""The bits of a code that name the tile; higher bits are the block and the other cube."""

_ROLES = {
    Tile.NONE: "muted",
    Tile.TILE: "ink",
    Tile.LIGHT: "orange",
    Tile.TARGET: "green",
    Tile.SWITCH_SOFT: "purple",
    Tile.SWITCH_HEAVY: "purple",
    Tile.SPLITTER: "purple",
    Tile.BRIDGE_OFF: "muted",
    Tile.BRIDGE_ON: "sky",
}

# Symbols of the block and of the other cube. The second of each pair is for a bridge turned off beneath them.
_STANDING, _LYING, _OTHER = ("@", "&"), ("#", "%"), ("+", "~")

LEGEND_SIZE = 12.0
LEGEND_ROW = 19.0


_GROUNDS = {Tile.NONE: "page", Tile.LIGHT: "fragile", Tile.BRIDGE_OFF: "page", Tile.BRIDGE_ON: "bridge"}


def ground(game: Any) -> list[list[str]]:
    """Returns the role of each cell's background color, a field of `Theme`: block, cube, bridge, fragile, tile or page.

    * ``game``: a ``Bloxorz``.
    """
    rows = []
    for codes in game.board.tolist():
        found = []
        for code in codes:
            role = "block" if code & Tile.BLOCK else "cube" if code & Tile.OTHER_CUBE else None
            found.append(role or _GROUNDS.get(Tile(code & _UNDER), "tile"))
        rows.append(found)
    return rows


def paint(game: Any, theme: Theme, side: int) -> Pixels:
    """Returns the board as pixels.

    * ``game``: a ``Bloxorz``.
    * ``theme``: the colors, a ``Theme``.
    * ``side``: the width of a cell in pixels, at least 1.
    """
    colors = {Tile.TARGET: theme.target, Tile.SWITCH_SOFT: theme.switch, Tile.SWITCH_HEAVY: theme.switch}
    colors[Tile.SPLITTER] = theme.switch

    def draw(code: int, out: Pixels) -> None:
        tile = Tile(code & _UNDER)
        out[:] = rgb(getattr(theme, _GROUNDS.get(tile, "tile")))
        inner = slice(side // 4, max(1, side - side // 4))
        if tile in colors:
            out[inner, inner] = rgb(colors[tile])
        if code & (Tile.BLOCK | Tile.OTHER_CUBE):
            out[:] = rgb(theme.block if code & Tile.BLOCK else theme.cube)

    return sprites(game.board, draw, side)


def looks(game: Any) -> tuple[str, npt.NDArray[np.int64]]:
    """Returns what the margin of the flat picture depends on, and what each cell depends on as ``(H, W, k)`` int64.

    * ``game``: a ``Bloxorz``.
    """
    # The list of switches below the board and the letters on the cells depend on the level: on the text without the
    # lines that say where the block is (@) and which bridges are on (%).
    level = "\n".join(line for line in game.text.splitlines() if line[:1] not in "@%")
    # Which part of the block covers a cell: it stands on one cell, lies on two, or is split, with one cube in control.
    block = np.zeros(game.shape, dtype=np.int64)
    for k, (row, col) in enumerate(game.block.tolist()):
        block[row, col] = 1 + k + 2 * len(game.block) + 8 * game.is_split
    places = np.arange(block.size).reshape(*game.shape, 1)
    return level, np.concatenate([near(game.board, -1), near(block, 0), places], axis=2)


def legend(game: Any) -> list[tuple[str, str]]:
    """Returns the main symbols of the plain picture, with their meanings.

    * ``game``: a ``Bloxorz``.
    """
    codes = {int(code) & _UNDER for code in np.unique(game.board)}
    found = [("@", "the standing block"), ("#", "the lying block")]
    if any(one.kind == "splitter" for one in switches(game).values()):
        found += [("#", "after a split: the cube in control"), ("+", "the other cube")]
    found += [("T", "target: stand on it"), ("o", "tile")]
    if Tile.LIGHT in codes:
        found.append((".", "light tile: breaks under a standing block"))
    if game.bridges:
        found += [("a=", "a bridge that is on"), ("a", "a bridge that is off")]
    for letter, one in switches(game).items():
        places = " and ".join(f"({row}, {col})" for row, col in one.targets)
        found.append((letter, f"splitter: cubes appear at {places}" if places else one.words))
    return found


def glyphs(game: Any) -> list[list[tuple[str, str]]]:
    """Returns two symbols per cell: the tile as in the notation, and the block, or ``=`` for a bridge that is on.

    A standing block is ``@``; a lying block, or the cube in control, is ``#``; the other cube is ``+``. On a bridge
    that has been turned off beneath the block or cube, these symbols are ``&``, ``%`` and ``~``.

    * ``game``: a ``Bloxorz``.
    """
    standing = not game.is_split and len(game.block) == 1
    rows = []
    for symbols, codes in zip(letters(game), game.board.tolist(), strict=True):
        row = []
        for letter, code in zip(symbols, codes, strict=True):
            tile = Tile(code & _UNDER)
            off = tile == Tile.BRIDGE_OFF
            symbol = "o" if letter == "S" else letter
            if code & Tile.BLOCK:
                row += [(symbol, "red"), ((_STANDING if standing else _LYING)[off], "red")]
            elif code & Tile.OTHER_CUBE:
                row += [(symbol, "red"), (_OTHER[off], "red")]
            else:
                row += [(symbol, _ROLES[tile]), ("=" if tile == Tile.BRIDGE_ON else " ", _ROLES[tile])]
        rows.append(row)
    return rows


def caption(game: Any, move: Any) -> str:
    """Returns in words what a key does.

    * ``game``: a ``Bloxorz``.
    * ``move``: a sequence of one key, which is a number or a letter.
    """
    # The order of the keys is left, up, right, down, switch; a space is another name for the last.
    letters = [*"lurds"]
    parts = [letters.index(part.lower().replace(" ", "s")) if isinstance(part, str) else part for part in move]
    return ("left", "up", "right", "down", "the other cube")[numbers(game, parts)[0]]


def stands_on(game: Any) -> tuple[int, int] | None:
    """Returns the cell of the standing block, or ``None`` if the block lies or is split.

    * ``game``: a ``Bloxorz``.
    """
    cells = game.block.tolist()
    return (cells[0][0], cells[0][1]) if len(cells) == 1 else None


def picture(
    game: Any,
    theme: Theme,
    size: float,
    *,
    view: str = "flat",
    legend: bool = True,
    highlight: str | None = None,
    axes: bool = False,
) -> Picture:
    """Draws the terrain and the block.

    The view in three dimensions has no legend, no rings, and no row or column numbers.

    * ``game``: a ``Bloxorz``.
    * ``theme``: the colors, a ``Theme``.
    * ``size``: the width of a cell in pixels, 1 to 1000.
    * ``view``: ``"flat"`` (the default), from above, or ``"3d"``, in parallel projection; ``ValueError`` for any
      other.
    * ``legend``: whether the switches are listed below the board, with what each one does. Default ``True``.
    * ``highlight``: the letter of a switch; its bridges, or the places where its cubes appear, get rings. ``None`` (the
      default) for no rings; ``ValueError`` for any other letter.
    * ``axes``: whether rows and columns are numbered. Default ``False``.
    """
    rules = switches(game)
    if highlight is not None:
        if not rules:
            raise ValueError(f"highlight must be None, because the level has no switches, got {shown(highlight)}")
        choice("highlight", highlight, rules)
    if choice("view", view, ("flat", "3d")) == "3d":
        return scene(game, theme, size)
    height, width = game.shape
    pad = max(size * 0.75, 20.0) if axes else size / 2
    wide = width * size + 2 * pad
    rows = _legend_rows(rules, wide - 2 * pad) if legend else []
    wide = max(wide, max((sum(_entry_width(one) for one in row) for row in rows), default=0) + 2 * pad)
    out = Picture(
        wide,
        height * size + 2 * pad + (len(rows) * LEGEND_ROW + 4 if rows else 0),
        theme,
        title=f"Bloxorz, {dimensions(height, width)}",
        description=describe(game),
        corner=size / 4,
    )
    left = (wide - width * size) / 2
    out.grid(left, pad, size, game.shape)
    if axes:
        out.axes()
    for row, (symbols, codes) in enumerate(zip(letters(game), game.board.tolist(), strict=True)):
        for col, (letter, code) in enumerate(zip(symbols, codes, strict=True)):
            if code & _UNDER != Tile.NONE:
                with out.piece(f"c{row}-{col}"):
                    _tile(out, left + col * size, pad + row * size, size, Tile(code & _UNDER), letter)
    for one in rules.values():
        for k, (row, col) in enumerate(one.targets, 1):
            x, y = left + (col + 0.97) * size, pad + (row + 0.84) * size
            look: dict[str, Any] = {"fill": theme.ink, "text_anchor": "end", "font_weight": "bold"}
            out.text(x, y, f"{one.letter}{k}", size=size * 0.26, **look)
    with out.piece("block", "move"):
        _block(out, game, left, pad, size)
    if highlight is not None:
        _highlight(out, game, rules, highlight)
    y = pad + height * size + pad / 2 + LEGEND_ROW / 2
    for entries in rows:
        x = pad
        for one in entries:
            _entry(out, one, x, y)
            x += _entry_width(one)
        y += LEGEND_ROW
    return out


def between(game: Any, theme: Theme, size: float, *, view: str = "flat") -> list[Picture]:
    """Draws the last roll as several pictures, without the position after it.

    Returns an empty list for the view from above, in which the page moves the block itself.

    * ``game``: a ``Bloxorz`` in which at least one key has been played.
    * ``theme``: the colors, a ``Theme``.
    * ``size``: the width of a cell in pixels, 1 to 1000.
    * ``view``: ``"flat"`` (the default), from above, or ``"3d"``, in parallel projection; ``ValueError`` for
      any other.
    """
    if choice("view", view, ("flat", "3d")) != "3d":
        return []
    before = game.copy()
    before.undo()
    return rolling(before, int(game.moves[-1, 0]), 6, theme=theme, size=size)[:-1]


def _entry_width(one: Switch) -> float:
    return 24 + 0.6 * LEGEND_SIZE * len(one.words) + 16


def _legend_rows(rules: dict[str, Switch], wide: float) -> list[list[Switch]]:
    """Returns the switches in rows that fit a width."""
    rows: list[list[Switch]] = []
    used = 0.0
    for one in rules.values():
        if not rows or used + _entry_width(one) > wide:
            rows.append([])
            used = 0.0
        rows[-1].append(one)
        used += _entry_width(one)
    return rows


def _entry(out: Picture, one: Switch, x: float, y: float) -> None:
    """Draws an entry of the legend: the symbol of the switch, and what it does."""
    out.rect(x, y - 9, 18, 18, rx=3, fill=out.theme.tile)
    kind = {"soft": Tile.SWITCH_SOFT, "heavy": Tile.SWITCH_HEAVY, "splitter": Tile.SPLITTER}[one.kind]
    _switch(out, x + 9, y, 18, kind, one.letter)
    out.text(x + 24, y, one.words, size=LEGEND_SIZE, fill=out.theme.ink, text_anchor="start")


def _highlight(out: Picture, game: Any, rules: dict[str, Switch], letter: str) -> None:
    """Draws rings around the cells that a switch acts on."""
    for row, col in rules[letter].cells(letters(game)):
        out.polygon(out.outline(row, col, 0.02), fill="none", stroke=out.theme.orange, stroke_width=_size(out) * 0.12)
        out.polygon(out.outline(row, col, 0.02), fill="none", stroke=out.theme.ink, stroke_width=_size(out) * 0.03)


def _size(out: Picture) -> float:
    return out.cells.size if out.cells else 0.0


def _tile(out: Picture, x: float, y: float, size: float, tile: Tile, letter: str) -> None:
    theme = out.theme
    gap = size * 0.03
    box = (x + gap, y + gap, size - 2 * gap, size - 2 * gap)
    middle = (x + size / 2, y + size / 2)
    edge: dict[str, Any] = {"stroke": theme.tile_edge, "stroke_width": size * 0.03, "rx": size * 0.1}
    if tile == Tile.BRIDGE_OFF:
        dashes = f"{size * 0.1:.1f} {size * 0.08:.1f}"
        out.rect(*box, fill="none", stroke_dasharray=dashes, **{**edge, "stroke": theme.muted})
        out.text(*middle, letter, size=size * 0.38, fill=theme.muted)
        return
    if tile == Tile.BRIDGE_ON:
        out.rect(*box, fill=theme.bridge, **{**edge, "stroke": theme.bridge_edge, "stroke_width": size * 0.05})
        for k in (0.2, 0.8):
            across = y + size * k
            ends = (x + 2 * gap, across, x + size - 2 * gap, across)
            out.line(*ends, stroke=theme.bridge_edge, stroke_width=size * 0.04)
        out.text(*middle, letter, size=size * 0.38, fill=theme.letters_on(theme.bridge), font_weight="bold")
        return
    if tile == Tile.LIGHT:
        out.rect(*box, fill=theme.fragile, **{**edge, "stroke": theme.fragile_edge})
        cut = size * 0.28
        cross: dict[str, Any] = {"stroke": theme.fragile_edge, "stroke_width": size * 0.05}
        out.line(x + cut, y + cut, x + size - cut, y + size - cut, **cross)
        out.line(x + cut, y + size - cut, x + size - cut, y + cut, **cross)
        return
    out.rect(*box, fill=theme.tile, **edge)
    if tile == Tile.TARGET:
        inner: dict[str, Any] = {"stroke": theme.target, "stroke_width": size * 0.06, "fill": theme.night}
        out.rect(x + size * 0.14, y + size * 0.14, size * 0.72, size * 0.72, rx=size * 0.08, **inner)
    elif tile in (Tile.SWITCH_SOFT, Tile.SWITCH_HEAVY, Tile.SPLITTER):
        _switch(out, *middle, size, tile, letter)


def _switch(out: Picture, x: float, y: float, size: float, tile: Tile, letter: str) -> None:
    """Draws the symbol of a switch around a point: a ring for soft, a square for heavy, two halves for a splitter."""
    ring: dict[str, Any] = {"fill": "none", "stroke": out.theme.switch, "stroke_width": size * 0.07}
    if tile == Tile.SWITCH_SOFT:
        out.circle(x, y, size * 0.33, **ring)
    elif tile == Tile.SWITCH_HEAVY:
        out.rect(x - size * 0.32, y - size * 0.32, size * 0.64, size * 0.64, **ring)
    else:
        r = size * 0.26
        for side, sweep in ((-1, 0), (1, 1)):
            at = x + side * size * 0.1
            out.path(f"M {at:.2f} {y - r:.2f} A {r:.2f} {r:.2f} 0 0 {sweep} {at:.2f} {y + r:.2f}", **ring)
    out.text(x, y, letter, size=size * 0.34, fill=out.theme.ink, font_weight="bold")


def _block(out: Picture, game: Any, left: float, top: float, size: float) -> None:
    cells = game.block.tolist()
    symbols, codes = letters(game), game.board.tolist()
    split, standing = game.is_split, len(cells) == 1
    # A level that is being built may have no start yet.
    groups = [[cell] for cell in cells] if split or not cells else [cells]
    for k, group in enumerate(groups):
        rows, cols = zip(*group, strict=True)
        x, y = left + min(cols) * size, top + min(rows) * size
        wide, high = (max(cols) - min(cols) + 1) * size, (max(rows) - min(rows) + 1) * size
        _slab(out, x, y, wide, high, size, control=k == 0, standing=standing)
        fill = out.theme.block if k == 0 else out.theme.cube
        for row, col in group:
            symbol = _covered(Tile(codes[row][col] & _UNDER), symbols[row][col])
            at = (left + (col + 0.5) * size, top + (row + 0.5) * size)
            out.text(*at, symbol, size=size * 0.3, fill=out.theme.letters_on(fill), font_weight="bold")


def _covered(tile: Tile, letter: str) -> str:
    """Returns the text on the block that shows which tile is beneath it."""
    if tile == Tile.LIGHT:
        return "×"
    if tile == Tile.BRIDGE_OFF:
        return f"({letter})"
    return "" if tile == Tile.TILE else letter


def _slab(
    out: Picture, x: float, y: float, wide: float, high: float, size: float, *, control: bool, standing: bool
) -> None:
    theme = out.theme
    gap = size * 0.09
    look: dict[str, Any] = {"stroke": theme.block_edge, "stroke_width": size * 0.05}
    dashes = None if control else f"{size * 0.12:.1f} {size * 0.08:.1f}"
    fill = theme.block if control else theme.cube
    box = (x + gap, y + gap, wide - 2 * gap, high - 2 * gap)
    out.rect(*box, rx=size * 0.12, fill=fill, **look, stroke_dasharray=dashes)
    if standing:
        inset = size * 0.22
        square = (x + inset, y + inset, size - 2 * inset, size - 2 * inset)
        out.rect(*square, rx=size * 0.06, fill="none", **look)
    elif wide != high:
        # A line across the block where its two cubes meet.
        if wide > high:
            out.line(x + size, y + gap, x + size, y + high - gap, **look)
        else:
            out.line(x + gap, y + size, x + wide - gap, y + size, **look)


def graph_picture(graph: Any, theme: Theme, *, width: float = 760, height: float = 420) -> Picture:
    """Draws a graph of states: one column per depth, with the states nearest to the target on top.

    A shortest solution is drawn as a thick line. The color of a state goes from ``sky`` (far from the target) to
    ``ink`` (won); dead states are hollow.

    * ``graph``: the graph, as ``Bloxorz.state_graph`` returns it.
    * ``theme``: the colors, a ``Theme``.
    * ``width``: the width in pixels, 100 to 10,000; 760 by default.
    * ``height``: the height in pixels, 100 to 10,000; 420 by default.
    """
    for name, value in (("width", width), ("height", height)):
        number(name, value, 100, 10_000)
    depth, distance = graph.depth, graph.distance
    n, columns = len(depth), int(depth.max()) + 1
    longest = max(1, int(distance.max()))
    pad = 26.0
    counts = np.bincount(depth, minlength=columns)
    out = Picture(
        width,
        height,
        theme,
        title=f"The state graph of a Bloxorz level, {counted(n, 'state')}",
        description=f"{counted(n, 'state')} in {counted(columns, 'layer')}, "
        f"{len(graph.solved):,} won, {len(graph.dead):,} dead.",
        corner=10,
    )
    # Each column is sorted by distance; dead states (distance -1) go to the bottom.
    order = np.lexsort((np.arange(n), np.where(distance < 0, longest + 1, distance), depth))
    rank = np.empty(n, dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    rank[order] = np.arange(n) - starts[depth[order]]
    across = (width - 2 * pad) / max(1, columns - 1)
    down = min((height - 2 * pad - 14) / max(1, int(counts.max()) - 1), 22.0)
    x = pad + depth * across if columns > 1 else np.full(n, width / 2)
    y = height / 2 - 7 + (rank - (counts[depth] - 1) / 2) * down
    source = np.repeat(np.arange(n), np.diff(graph.indptr).astype(np.intp))
    # Edges back to an earlier layer are left out, because they would hide the other edges.
    forward = depth[graph.indices] >= depth[source]
    ends = (x[source], y[source], x[graph.indices], y[graph.indices])
    rows = zip(*(column[forward] for column in ends), strict=True)
    lines = [f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}" for a, b, c, d in rows]
    thin = max(0.12, min(0.8, 400 / max(1, len(lines))))
    out.path("".join(lines), fill="none", stroke=theme.tile_edge, stroke_width=thin)
    path = _shortest_path(graph)
    if len(path) > 1:
        points = " L ".join(f"{x[node]:.1f} {y[node]:.1f}" for node in path)
        out.path(f"M {points}", fill="none", stroke=theme.red, stroke_width=3, stroke_linejoin="round")
    r = max(0.7, min(4.5, 0.42 * down, 0.42 * across))
    for node in range(n):
        if distance[node] < 0:
            look: dict[str, Any] = {"fill": theme.page, "stroke": theme.muted, "stroke_width": r * 0.35}
        else:
            look = {"fill": mix(theme.ink, theme.sky, float(distance[node] / longest) ** 0.7)}
        out.circle(float(x[node]), float(y[node]), r, **look)
    out.circle(float(x[0]), float(y[0]), max(5.0, r), fill="none", stroke=theme.ink, stroke_width=2)
    for node in graph.solved.tolist():
        out.circle(float(x[node]), float(y[node]), max(5.0, r), fill="none", stroke=theme.green, stroke_width=2.5)
    unit = "roll" if graph.minimize == "rolls" else "key"
    end = f"solved in {counted(int(distance[0]), unit)}" if distance[0] >= 0 else "no solution"
    words = f"{counted(n, 'state')} · {len(graph.dead):,} dead · {end}"
    out.text(width / 2, height - 14, words, size=13, fill=theme.ink)
    return out


def _shortest_path(graph: Any) -> list[int]:
    """Returns the states of one shortest solution from state 0, or only state 0 if there is no solution."""
    distance = graph.distance
    state, path = 0, [0]
    while distance[state] > 0:
        targets = graph.indices[graph.indptr[state] : graph.indptr[state + 1]].tolist()
        ahead = [to for to in targets if 0 <= distance[to] < distance[state]]
        # If no key leads nearer, a roll of the other cube does. Switching to that cube costs no roll; its key is last.
        state = (ahead or targets[-1:])[0]
        path.append(state)
    return path
