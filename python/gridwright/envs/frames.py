"""Frames of ``render_mode="rgb_array"``: the pictures of the games, assembled from cells that were drawn earlier."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import draw
from ..draw.theme import Theme, theme
from ..optional import require

__all__ = ["pixels"]

Pixels = npt.NDArray[np.uint8]

# The possible widths of a cell in pixels. Multiples of 12 leave margins of whole pixels, so that equal cells have equal
# pixels.
_SIDES = (24, 12)

# Frames assembled from cells are at most about this wide and high.
_MAX_PIXELS = 640

# The largest number of cells kept for one kind of frame, about 14 MB at most. When there are more, only the cells of
# the current frame are kept.
_MAX_TILES = 8192


def pixels(game: Any) -> Pixels:
    """Returns the picture of a game, ``(height, width, 3)`` uint8.

    Cells are 24 pixels wide, or 12 on boards of more than 26 rows or columns. Cells that look like one drawn before are
    copied, and only the part of the picture that holds the new cells is drawn. Pictures of boards of more than 53 rows
    or columns, and of games for which ``draw.looks`` returns ``None``, have the size that ``draw.picture`` chooses, and
    are drawn as a whole.

    * ``game``: a game of any kind.
    """
    height, width = game.shape
    side = next((side for side in _SIDES if side * max(height, width) <= _MAX_PIXELS), None)
    found = None if side is None else draw.looks(game)
    if side is None or found is None:
        return _drawn(draw.svg(game))
    margin, cells = found
    store = _store(game.NAME, game.shape, side, margin, theme(None))
    looks = [cell.tobytes() for cell in cells.reshape(height * width, -1)]
    # Environments in several threads share a store, so tiles are never removed from its dict; a full dict is replaced.
    kept = store.tiles
    new = [place for place, look in enumerate(looks) if look not in kept]
    if store.frame is None:
        picture = draw.picture(game, size=side)
        whole = _drawn(picture.render())
        assert picture.cells is not None
        if picture.cells.x % 1 or picture.cells.y % 1:
            return whole  # a switch list wider than the board shifts the board by a fraction of a pixel
        # The frame is set last, because other threads use the store once its frame is set.
        store.top, store.left, store.frame = int(picture.cells.y), int(picture.cells.x), whole
        _keep(kept, looks, range(len(looks)), whole[store.top :, store.left :], (0, 0), side, width)
    elif new:
        # A rectangle that holds all new cells and a margin of one cell, because the edge of a picture blurs lines.
        rows, cols = np.divmod(new, width)
        row, col = int(rows.min()) - 1, int(cols.min()) - 1
        high, wide = (int(rows.max()) - row + 2) * side, (int(cols.max()) - col + 2) * side
        box = (
            f'viewBox="{store.left + col * side} {store.top + row * side} {wide} {high}" width="{wide}" height="{high}"'
        )
        part = _drawn(re.sub(r'viewBox="[^"]*" width="[^"]*" height="[^"]*"', box, draw.svg(game, size=side), count=1))
        _keep(kept, looks, new, part, (row, col), side, width)
    if len(kept) > _MAX_TILES:
        store.tiles = {look: kept[look] for look in looks}
    frame: Pixels = store.frame.copy()
    tiles = np.stack([kept[look] for look in looks]).reshape(height, width, side, side, 3)
    inner = frame[store.top : store.top + height * side, store.left : store.left + width * side]
    # (H, W, side, side, 3) -> (H, side, W, side, 3): rows of pixels instead of cells.
    inner[:] = tiles.swapaxes(1, 2).reshape(inner.shape)
    return frame


def _drawn(svg: str) -> Pixels:
    pillow = require("PIL.Image", "frames need pillow: pip install 'gridwright[images]'")
    with pillow.open(io.BytesIO(draw.png(svg, scale=1.0))) as image:
        return np.array(image.convert("RGB"), dtype=np.uint8)


class _Store:
    """The cells of one kind of frame by their looks, and one whole frame, whose margin is that of every such frame."""

    def __init__(self) -> None:
        self.tiles: dict[bytes, Pixels] = {}
        self.frame: Pixels | None = None
        self.top = self.left = 0


def _keep(
    tiles: dict[bytes, Pixels],
    looks: list[bytes],
    new: Iterable[int],
    part: Pixels,
    corner: tuple[int, int],
    side: int,
    width: int,
) -> None:
    """Copies the ``new`` cells into ``tiles`` from ``part``, a piece of a frame whose top left cell is ``corner``."""
    for place in new:
        row, col = divmod(place, width)
        y, x = (row - corner[0]) * side, (col - corner[1]) * side
        tiles[looks[place]] = part[y : y + side, x : x + side].copy()


@functools.lru_cache(maxsize=16)
def _store(name: str, shape: tuple[int, int], side: int, margin: str, colors: Theme) -> _Store:
    """Returns the store of one kind of frame, empty at first; the arguments serve only as the key of the cache."""
    return _Store()
