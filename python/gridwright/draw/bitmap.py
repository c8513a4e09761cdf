"""Boards that are too large for shapes, as one bitmap in which each cell is a small square of pixels.

The file of a game may have ``paint(game, theme, side)``, which returns the colors of all pixels as a uint8 array of
shape ``(H * side, W * side, 3)``. If a board has more cells than a bitmap may have pixels, some rows and columns are
left out, as in `sprites`. Without ``paint``, each symbol of ``glyphs`` becomes a square in the color of its role.
"""

from __future__ import annotations

import base64
import importlib
import struct
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ..words import dimensions
from .svg import Cells, Picture
from .theme import BOTH, LIGHT, Theme, rgb

__all__ = ["MAX_CELLS", "Pixels", "beside", "bitmap", "check_cells", "encode", "near", "sprites"]

MAX_CELLS = 10_000
"""Boards with more cells are drawn as bitmaps."""

_MAX_PIXELS = 1 << 22
"""The approximate maximum number of pixels. If a board has more cells, `sprites` leaves out some rows and columns."""

Pixels = npt.NDArray[np.uint8]


def check_cells(game: Any) -> None:
    """Raises ``ValueError`` for a board that is drawn as a bitmap, because bitmaps ignore the options that films use.

    * ``game``: a game of any kind.

    >>> import gridwright as gw
    >>> check_cells(gw.LightEmAll.blank(101, 100))
    Traceback (most recent call last):
        ...
    ValueError: game must have at most 10,000 cells, got 10,100
    """
    cells = game.height * game.width
    if cells > MAX_CELLS:
        raise ValueError(f"game must have at most {MAX_CELLS:,} cells, got {cells:,}")


def sprites(codes: npt.NDArray[Any], draw: Callable[[int, Pixels], None], side: int) -> Pixels:
    """Returns a board as ``(H * side, W * side, 3)`` uint8 pixels, each code as a small picture that is drawn once.

    Of a board of more than 2^22 cells, only every k-th row and column is shown, with the smallest sufficient k.

    * ``codes``: ``(H, W)`` whole numbers from 0 to at most a few thousand.
    * ``draw``: called with each code that occurs and a ``(side, side, 3)`` uint8 array to fill.
    * ``side``: pixels per cell.
    """
    stride = int(np.ceil((codes.size / _MAX_PIXELS) ** 0.5))
    if stride > 1:
        codes = codes[::stride, ::stride]
    height, width = codes.shape
    counts = np.bincount(codes.ravel().astype(np.intp))
    table = np.zeros((len(counts), side, side, 3), dtype=np.uint8)
    for code in np.flatnonzero(counts).tolist():
        draw(code, table[code])
    # (H, W, side, side, 3) -> (H, side, W, side, 3): lines of pixels instead of cells.
    cells = table[codes]
    pixels: Pixels = cells.swapaxes(1, 2).reshape(height * side, width * side, 3)
    return pixels


def encode(pixels: Pixels) -> bytes:
    """Returns pixels as the bytes of a PNG file.

    * ``pixels``: the colors, ``(H, W, 3)`` uint8.

    >>> encode(np.zeros((1, 1, 3), dtype=np.uint8))[:4]
    b'\\x89PNG'
    """
    height, width, _ = pixels.shape

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    # Every line begins with the number of its filter: 0 is no filter.
    lines = np.zeros((height, 1 + 3 * width), dtype=np.uint8)
    lines[:, 1:] = pixels.reshape(height, 3 * width)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines.tobytes(), 6)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def bitmap(game: Any, theme: Theme, size: float) -> Picture:
    """Draws a board as one bitmap.

    * ``game``: a game of any kind.
    * ``theme``: the colors, a ``Theme``.
    * ``size``: the width of a cell in pixels, which may be below 1.
    """
    if theme is BOTH:
        theme = LIGHT  # pixels have one color, which does not follow the page
    height, width = game.shape
    module = importlib.import_module(f"{__package__}.{game.NAME}")
    side = max(1, min(8, int((_MAX_PIXELS / (height * width)) ** 0.5)))
    if hasattr(module, "paint"):
        pixels = module.paint(game, theme, side)
    else:
        colors = [[rgb(getattr(theme, role)) for _, role in row] for row in module.glyphs(game)]
        pixels = np.array(colors, dtype=np.uint8).repeat(side, axis=0).repeat(side, axis=1)
    hexagonal = bool(getattr(game, "hexagonal", False))
    if hexagonal:
        pixels = _shifted(pixels, side, rgb(theme.page))
    pad = 12.0
    name = type(game).__name__
    cells = Cells(pad, pad, size, game.shape, hexagonal)
    wide, high = cells.extent
    out = Picture(
        wide + 2 * pad,
        high + 2 * pad,
        theme,
        title=f"{name}, {dimensions(height, width)}",
        description=f"A board of {height * width:,} cells, drawn as a bitmap; {game.status.name.lower()}.",
        corner=pad,
    )
    out.cells = cells
    with out.piece("board"):
        source = base64.b64encode(encode(np.ascontiguousarray(pixels))).decode("ascii")
        # In the bitmap, each row of hexagons is as high as the distance between two rows, centered on its hexagons.
        pitch = cells.center(1, 0)[1] - cells.center(0, 0)[1]
        box = {"x": pad, "y": cells.center(0, 0)[1] - pitch / 2, "width": wide, "height": height * pitch}
        sharp = "image-rendering:pixelated" if size >= side else None
        link = f"data:image/png;base64,{source}"
        out.shape("image", **box, preserveAspectRatio="none", href=link, style=sharp)
    return out


def _shifted(pixels: Pixels, side: int, ground: tuple[int, int, int]) -> Pixels:
    """Returns the pixels with odd rows of cells, each ``side`` pixels high, moved half a cell to the right."""
    height, width, _ = pixels.shape
    half = side // 2
    wider = np.empty((height, width + half, 3), dtype=np.uint8)
    wider[:] = ground
    odd = np.arange(height) // side % 2 == 1
    wider[~odd, :width] = pixels[~odd]
    wider[odd, half:] = pixels[odd]
    return wider


def near(values: npt.NDArray[Any], outside: int) -> npt.NDArray[np.int64]:
    """Returns the values of each cell and of its eight neighbors, ``(H, W, 9)`` int64, row by row.

    * ``values``: ``(H, W)`` whole numbers.
    * ``outside``: the value of cells outside the board.

    >>> near(np.array([[1, 2]]), 0)[0, 1].tolist()
    [0, 0, 0, 1, 2, 0, 0, 0, 0]
    """
    wide = np.pad(values.astype(np.int64), 1, constant_values=outside)
    height, width = values.shape
    return np.stack([wide[i : i + height, j : j + width] for i in range(3) for j in range(3)], axis=2)


def beside(values: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Returns, for each cell, which lines of its neighbors end at it: ``(H, W, 4)`` int64, clockwise from the top.

    A cell has lines to some of its four sides. The entry for a neighbor is 0 if it has no line to the side that the
    two cells share, 1 plus the color of its lines if it has one, and -1 if there is no neighbor.

    * ``values``: ``(H, W)`` int64, at least 0. The low four bits are the sides to which the cell has lines, clockwise
      from the top; the higher bits are the color.

    >>> beside(np.array([[2 + 16 * 5, 8]]))[0].tolist()
    [[-1, 1, -1, -1], [-1, -1, -1, 6]]
    """
    # Of the nine cells that `near` lists, these are above, to the right, below and to the left. The cell above shares
    # its lower side with this cell, and so on: the bits of the shared sides are 4, 8, 1 and 2.
    found = near(values, -1)[..., [1, 5, 7, 3]]
    return np.where(found < 0, found, np.where(found & [4, 8, 1, 2] != 0, 1 + (found >> 4), 0))
