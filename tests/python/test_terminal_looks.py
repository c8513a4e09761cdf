"""What the terminal application looks like: every screen is as stored (dark, light, narrow) and has enough contrast.

``GRIDWRIGHT_GOLDEN=1 pytest tests/python/test_terminal_looks.py`` rewrites the screens in ``tests/terminal``.
"""

from __future__ import annotations

import asyncio
import os
from importlib.metadata import version
from itertools import groupby
from typing import Any

import games
import gridwright as gw
import pytest
from conftest import ROOT
from gridwright.draw.theme import contrast
from gridwright.solved import MemoryStorage, use_storage

pytest.importorskip("textual")

from gridwright.play.terminal import GridwrightApp
from textual.containers import Vertical
from textual.widgets import Input

FOLDER = ROOT / "tests/terminal"

WIDE, NARROW = (100, 34), (60, 24)

DARK_KEYS: tuple[str, ...] = ()
LIGHT_KEYS = ("f10",)

MODES = {"dark": (WIDE, DARK_KEYS), "light": (WIDE, LIGHT_KEYS), "narrow": (NARROW, DARK_KEYS)}


@pytest.fixture(autouse=True)
def _fresh_storage():
    use_storage(MemoryStorage())
    yield
    use_storage(None)


def level(name: str) -> Any:
    kind = gw.GAMES[name]
    names = [each.name for each in kind.level(kind.levels()[0]).controls().levels]
    return kind.level(getattr(games.of(name), "LEVEL", names[2]))


def lines_of_both_players() -> Any:
    game = gw.LinearDomination.empty(12, 3)
    for seed in range(4):
        game.play(*game.sample_legal(seed))
    return game


SCREENS: dict[str, tuple[Any, tuple[str, ...]]] = {
    **{name: (lambda name=name: GridwrightApp(level(name)), ("f5",)) for name in gw.GAMES},
    "hexagons": (lambda: GridwrightApp(gw.LightEmAll.generate(5, 6, hexagonal=True, seed=2)), ("f5", "shift+right")),
    "lines": (lambda: GridwrightApp(lines_of_both_players()), ("enter", "right", "right", "right", "down", "down")),
    "chances": (lambda: GridwrightApp(gw.GeeseSpotter("1 4 1\n20 01 29 01")), ("c",)),
    "games": (GridwrightApp, ()),
    "levels": (lambda: GridwrightApp(kind=gw.Bloxorz), ("down",)),
    "help": (lambda: GridwrightApp(level("lightemall")), ("f1",)),
    "settings": (lambda: GridwrightApp(level("domination")), ("f4",)),
    "new": (lambda: GridwrightApp(level("bloxorz")), ("f3",)),
}
"""Per screen: a function that makes the application, and the keys that lead to the screen."""

Look = tuple[str, str, str]
"""The color of a character, the color of its background, and its other attributes, such as ``bold``."""


def screen(name: str, mode: str) -> tuple[list[list[tuple[str, Look]]], Any]:
    """Returns the characters of a screen, each with its look, and the region of a window over the board, if any."""
    make, keys = SCREENS[name]
    size, first = MODES[mode]

    async def run() -> Any:
        app = make()
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await pilot.press(*first, *keys)
            await pilot.pause()
            for field in app.screen.query(Input):
                field.cursor_blink = False  # the cursor is shown at all times
            await pilot.pause()
            rows = []
            for strip in app.screen._compositor.render_strips()[: size[1]]:
                row = []
                for segment in strip:
                    style = segment.style
                    colors = [style and part and part.get_truecolor().hex for part in (style.color, style.bgcolor)]
                    more = "bold " * bool(style.bold) + "underlined" * bool(style.underline)
                    row += [(sign, (str(colors[0]), str(colors[1]), more.strip())) for sign in segment.text]
                rows.append(row[: size[0]])
            windows = app.screen.query(".window").results(Vertical)
            return rows, next((window.region for window in windows), None)

    return asyncio.run(run())


def stored(rows: list[list[tuple[str, Look]]]) -> str:
    """Returns a screen as it is stored: its text, then the line and the columns of each visible run of equal looks."""
    text = ["".join(sign for sign, _ in row).rstrip() for row in rows]
    looks = []
    for y, row in enumerate(rows):
        x = 0
        for look, same in groupby(row, key=lambda one: one[1]):
            run = "".join(sign for sign, _ in same)
            if run.strip() or look[1] != row[0][1][1]:
                looks.append(f"{y},{x}-{x + len(run) - 1} {look[0]} on {look[1]} {look[2]}".rstrip())
            x += len(run)
    return "\n".join([*text, "", "Colors by line and columns:", *looks, ""])


@pytest.mark.skipif(version("textual").partition(".")[0] != "8", reason="the screens show the frames of textual 8")
@pytest.mark.parametrize("mode", list(MODES))
@pytest.mark.parametrize("name", list(SCREENS))
def test_screens_look_as_stored(name: str, mode: str):
    rows, _ = screen(name, mode)
    file, seen = FOLDER / f"{name}_{mode}.txt", stored(rows)
    if os.environ.get("GRIDWRIGHT_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(seen, encoding="utf-8")
    assert seen == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("mode", list(MODES))
@pytest.mark.parametrize("name", list(SCREENS))
def test_all_text_of_a_screen_can_be_read(name: str, mode: str):
    rows, window = screen(name, mode)
    seen = 0
    for y, row in enumerate(rows):
        for x, (sign, (front, back, _)) in enumerate(row):
            # Behind a window, the board is dimmed on purpose; frames and scroll bars are not text.
            if (window is not None and not window.contains(x, y)) or not (sign.isalnum() or sign in "*.@#+"):
                continue
            assert contrast(front, back) >= 4.49, (sign, front, back, "".join(sign for sign, _ in row))
            seen += 1
    assert seen > 40
