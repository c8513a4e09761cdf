"""The pictures of Bloxorz: from above or in three dimensions, a roll in pieces, the graph of the states."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..bloxorz import Tile
from ..errors import MoveError
from ..progress import Teller
from .animate import Animation, legal, rows_of
from .bloxorz3d import cuboids, mix, scene
from .svg import Picture
from .theme import Theme
from .theme import theme as find_theme

__all__ = ["caption", "film", "glyphs", "graph_picture", "picture", "rolling"]

_UNDER = 15
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


def _letters(game: Any) -> list[str]:
    return game.text.splitlines()[: game.height]  # type: ignore[no-any-return]


def glyphs(game: Any) -> list[list[tuple[str, str]]]:
    """Tiles as in the notation, ``#`` the block or the cube in control, ``+`` the other cube."""
    rows = []
    for letters, codes in zip(_letters(game), game.board.tolist(), strict=True):
        row = []
        for letter, code in zip(letters, codes, strict=True):
            if code & Tile.BLOCK:
                row.append(("#", "red"))
            elif code & Tile.OTHER_CUBE:
                row.append(("+", "red"))
            else:
                row.append(("o" if letter == "S" else letter, _ROLES[Tile(code)]))
        rows.append(row)
    return rows


def caption(game: Any, move: Any) -> str:
    """Says which way the block rolls."""
    key = "lurds".index("s" if move[0] == " " else move[0].lower()) if isinstance(move[0], str) else int(move[0])
    return ("left", "up", "right", "down", "the other cube")[key]


def _describe(game: Any) -> str:
    cells = " and ".join(f"row {row}, column {col}" for row, col in game.block.tolist())
    how = "split" if game.is_split else "standing" if len(game.block) == 1 else "lying"
    row, col = game.target
    words = f"The block is {how} on {cells}; the target is at row {row}, column {col}."
    on = [letter for letter, state in game.bridges.items() if state]
    if game.bridges:
        words += f" Bridges that are on: {', '.join(on) or 'none'}."
    return words + (" Solved." if game.is_solved else "")


def picture(game: Any, theme: Theme, size: float, *, view: str = "flat") -> Picture:
    """Draws the terrain from above, or with ``view="3d"`` by an orthogonal camera."""
    if view == "3d":
        return scene(game, _letters(game), theme, size, _describe(game))
    if view != "flat":
        raise ValueError(f"view {view!r}, wanted 'flat' or '3d'")
    height, width = game.shape
    pad = size / 2
    out = Picture(
        width * size + 2 * pad,
        height * size + 2 * pad,
        theme,
        title=f"Bloxorz, {height} rows and {width} columns",
        description=_describe(game),
        corner=size / 4,
    )
    out.grid(pad, pad, size, game.shape)
    for row, (letters, codes) in enumerate(zip(_letters(game), game.board.tolist(), strict=True)):
        for col, (letter, code) in enumerate(zip(letters, codes, strict=True)):
            _tile(out, pad + col * size, pad + row * size, size, Tile(code & _UNDER), letter)
    _block(out, game, pad, size)
    return out


def _tile(out: Picture, x: float, y: float, size: float, tile: Tile, letter: str) -> None:
    theme = out.theme
    if tile == Tile.NONE:
        return
    gap = size * 0.03
    box = (x + gap, y + gap, size - 2 * gap, size - 2 * gap)
    middle = (x + size / 2, y + size / 2)
    edge: dict[str, Any] = {"stroke": theme.tile_edge, "stroke_width": size * 0.03, "rx": size * 0.1}
    if tile == Tile.BRIDGE_OFF:
        out.rect(*box, fill="none", stroke_dasharray=f"{size * 0.1:.1f} {size * 0.08:.1f}", **edge)
        out.text(*middle, letter, size=size * 0.38, fill=theme.muted)
        return
    if tile == Tile.BRIDGE_ON:
        out.rect(*box, fill=theme.sky, **{**edge, "stroke": theme.blue})
        for k in (1, 2):
            across = y + size * k / 3
            out.line(x + 2 * gap, across, x + size - 2 * gap, across, stroke=theme.blue, stroke_width=size * 0.02)
        out.text(*middle, letter, size=size * 0.38, fill="#12202e", font_weight="bold")
        return
    if tile == Tile.LIGHT:
        out.rect(*box, fill=theme.orange, fill_opacity=0.55, **{**edge, "stroke": theme.orange})
        cut = size * 0.28
        out.line(x + cut, y + cut, x + size - cut, y + size - cut, stroke=theme.orange, stroke_width=size * 0.04)
        out.line(x + cut, y + size - cut, x + size - cut, y + cut, stroke=theme.orange, stroke_width=size * 0.04)
        return
    out.rect(*box, fill=theme.tile, **edge)
    if tile == Tile.TARGET:
        out.rect(x + size * 0.14, y + size * 0.14, size * 0.72, size * 0.72, rx=size * 0.08, fill=theme.night)
        inner: dict[str, Any] = {"stroke": theme.green, "stroke_width": size * 0.06}
        out.rect(x + size * 0.14, y + size * 0.14, size * 0.72, size * 0.72, rx=size * 0.08, fill="none", **inner)
    elif tile in (Tile.SWITCH_SOFT, Tile.SWITCH_HEAVY, Tile.SPLITTER):
        ring: dict[str, Any] = {"fill": "none", "stroke": theme.purple, "stroke_width": size * 0.07}
        if tile == Tile.SWITCH_SOFT:
            out.circle(*middle, size * 0.33, **ring)
        elif tile == Tile.SWITCH_HEAVY:
            out.rect(x + size * 0.18, y + size * 0.18, size * 0.64, size * 0.64, **ring)
        else:
            for side in (-1, 1):
                at = middle[0] + side * size * 0.1
                sweep = 1 if side > 0 else 0
                r = size * 0.26
                top, bottom = middle[1] - r, middle[1] + r
                out.path(f"M {at:.2f} {top:.2f} A {r:.2f} {r:.2f} 0 0 {sweep} {at:.2f} {bottom:.2f}", **ring)
        out.text(*middle, letter, size=size * 0.34, fill=theme.ink, font_weight="bold")


def _block(out: Picture, game: Any, pad: float, size: float) -> None:
    cells = game.block.tolist()
    if game.is_split:
        for k, (row, col) in enumerate(cells):
            _slab(out, pad + col * size, pad + row * size, size, size, size, control=k == 0, standing=False)
        return
    rows, cols = zip(*cells, strict=True)
    x, y = pad + min(cols) * size, pad + min(rows) * size
    wide, high = (max(cols) - min(cols) + 1) * size, (max(rows) - min(rows) + 1) * size
    _slab(out, x, y, wide, high, size, control=True, standing=len(cells) == 1)


def _slab(
    out: Picture, x: float, y: float, wide: float, high: float, size: float, *, control: bool, standing: bool
) -> None:
    theme = out.theme
    gap = size * 0.09
    out.rect(
        x + gap,
        y + gap,
        wide - 2 * gap,
        high - 2 * gap,
        rx=size * 0.12,
        fill=theme.red,
        fill_opacity=0.92 if control else 0.5,
        stroke=theme.ink,
        stroke_width=size * 0.04,
    )
    if standing:
        inset = size * 0.26
        square = (x + inset, y + inset, size - 2 * inset, size - 2 * inset)
        out.rect(*square, rx=size * 0.06, fill="none", stroke=theme.ink, stroke_width=size * 0.04)
    else:
        shine = {"stroke": "#ffffff", "stroke_opacity": 0.5, "stroke_width": size * 0.05, "stroke_linecap": "round"}
        out.line(x + 2.2 * gap, y + 2.2 * gap, x + wide - 2.2 * gap, y + 2.2 * gap, **shine)


def _key(game: Any, move: Any) -> int:
    """The number of a key that may be pressed now."""
    trial = game.copy()
    trial.play(*(move if isinstance(move, tuple) else (move,)))
    if len(trial.moves) != len(game.moves) + 1:
        raise MoveError(f"keys {move!r}, wanted one key")
    return int(trial.moves[-1, 0])


def rolling(game: Any, key: Any, steps: int = 6, *, theme: str | Theme = "light", size: float = 40) -> list[Picture]:
    """Draws a key in pieces, in three dimensions: ``steps`` pictures, the last of which is the position after the key.

    The block turns over its edge, then bridges open or close; one that falls sinks before it is back at the start. The
    game itself stays as it was.

    >>> import gridwright as gw
    >>> len(rolling(gw.Bloxorz.level("level01"), "r", 4))
    4
    """
    if steps < 1:
        raise ValueError(f"{steps} steps, wanted 1 or more")
    key, found = _key(game, key), find_theme(theme)
    after = game.copy()
    after.play(key)
    falls = after.falls > game.falls
    cells, split = game.block.tolist(), game.is_split
    changed = {letter: on for letter, on in after.bridges.items() if on != game.bridges[letter] and not falls}
    pictures = []
    for step in range(1, steps):
        part = step / steps
        # A fall takes half of the time; bridges move in the second half of a roll.
        turn = min(1.0, 2 * part) if falls else part
        sink = max(0.0, 2 * part - 1) ** 2 * 3 if falls else 0.0
        late = max(0.0, 2 * part - 1)
        opening = {letter: late if on else 1 - late for letter, on in changed.items()}
        angle = math.pi / 2 * turn if key < 4 else 0.0
        pose = cuboids(cells, split=split, key=key, angle=angle, sink=sink)
        # Falling to the left or the back it disappears behind the tiles.
        behind = sink > 0 and key < 2
        words = _describe(game)
        drawn = scene(game, _letters(game), found, size, words, pose=pose, opening=opening, behind=behind)
        pictures.append(drawn)
    return [*pictures, scene(after, _letters(after), found, size, _describe(after))]


def film(
    game: Any,
    keys: Any = None,
    *,
    steps: int = 5,
    theme: str | Theme = "light",
    size: float | None = None,
    seconds: float | None = None,
    progress: Any = None,
) -> Animation:
    """Shows keys as a block that rolls, in three dimensions: those given, or those of a shortest solution.

    ``progress`` is told the keys drawn.

    >>> import gridwright as gw
    >>> film(gw.Bloxorz.level("level01"), steps=3)
    Animation of 22 frames
    """
    copy = game.copy()
    if keys is None:
        keys = copy.solution()
        if keys is None:
            raise ValueError("no solution from here, wanted keys or a position that can be won")
    found = find_theme(theme)
    size = size or max(4.0, min(40.0, 640 / max(game.shape)))
    pictures, captions = [scene(copy, _letters(copy), found, size, _describe(copy))], ["start"]
    rows = rows_of(copy, keys)
    for index, row in Teller(progress).each(enumerate(rows, 1)):
        pictures += rolling(copy, legal(copy, row), steps, theme=found, size=size)
        captions += [f"{index} of {len(rows)}: {caption(copy, row)}"] * steps
        copy.play(*row)
    return Animation(pictures, captions, seconds=seconds or 0.35 / steps, title=f"Bloxorz, {len(rows)} moves")


def graph_picture(graph: Any, theme: Theme, *, width: float = 760, height: float = 420) -> Picture:
    """Draws a graph of states: a column a depth, the nearest to the target on top, a shortest solution thick.

    The colour of a state goes from sky (far from the target) to green (won); dead states are grey.
    """
    depth, distance = graph.depth, graph.distance
    n, columns = len(depth), int(depth.max()) + 1
    longest = max(1, int(distance.max()))
    pad = 26.0
    counts = np.bincount(depth, minlength=columns)
    out = Picture(
        width,
        height,
        theme,
        title=f"The states of a level of Bloxorz, {n} of them",
        description=f"{n} states in {columns} layers, {len(graph.solved)} won, {len(graph.dead)} dead.",
        corner=10,
    )
    # Within a column by distance, the dead ones at the bottom.
    order = np.lexsort((np.arange(n), np.where(distance < 0, longest + 1, distance), depth))
    rank = np.empty(n, dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    rank[order] = np.arange(n) - starts[depth[order]]
    across = (width - 2 * pad) / max(1, columns - 1)
    down = (height - 2 * pad - 14) / max(1, int(counts.max()) - 1)
    down = min(down, 22.0)
    x = pad + depth * across if columns > 1 else np.full(n, width / 2)
    y = height / 2 - 7 + (rank - (counts[depth] - 1) / 2) * down
    source = np.repeat(np.arange(n), np.diff(graph.indptr))
    forward = depth[graph.indices] >= depth[source]
    lines = [
        f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}"
        for a, b, c, d in zip(
            x[source][forward],
            y[source][forward],
            x[graph.indices][forward],
            y[graph.indices][forward],
            strict=True,
        )
    ]
    thin = max(0.12, min(0.8, 400 / max(1, len(lines))))
    out.path("".join(lines), fill="none", stroke=theme.tile_edge, stroke_width=thin)
    state = 0
    way = [0]
    while distance[state] > 0 or (distance[state] == 0 and graph.indptr[state] < graph.indptr[state + 1]):
        targets = graph.indices[graph.indptr[state] : graph.indptr[state + 1]]
        ahead = [int(to) for to in targets if 0 <= distance[to] < distance[state]]
        twins = [int(to) for to in targets if distance[to] == distance[state] and int(to) not in way]
        if not (ahead or twins):
            break
        state = (ahead or twins)[0]
        way.append(state)
    if len(way) > 1:
        points = " L ".join(f"{x[node]:.1f} {y[node]:.1f}" for node in way)
        out.path(f"M {points}", fill="none", stroke=theme.red, stroke_width=3, stroke_linejoin="round")
    r = max(0.7, min(4.5, 0.42 * down, 0.42 * across))
    for node in range(n):
        far = distance[node] / longest
        fill = theme.muted if distance[node] < 0 else mix(theme.green, theme.sky, float(far) ** 0.7)
        out.circle(float(x[node]), float(y[node]), r, fill=fill)
    out.circle(float(x[0]), float(y[0]), max(5.0, r), fill="none", stroke=theme.ink, stroke_width=2)
    for node in graph.solved.tolist():
        out.circle(float(x[node]), float(y[node]), max(5.0, r), fill="none", stroke=theme.green, stroke_width=2.5)
    unit = "rolls" if graph.minimize == "rolls" else "keys"
    words = f"{n} states · {len(graph.dead)} dead · " + (
        f"solved in {int(distance[0])} {unit}" if distance[0] >= 0 else "no solution"
    )
    out.text(width / 2, height - 14, words, size=13, fill=theme.ink)
    return out
