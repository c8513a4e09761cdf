"""Tests of the look of the terminal application: the screens equal the stored ones and have enough contrast.

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
"""Maps the name of a screen to a function that makes the application and to the keys that open the screen."""

Look = tuple[str, str, str]
"""The color of a character, the color of its background, and its other attributes, such as ``bold``."""


def screen(name: str, mode: str) -> tuple[list[list[tuple[str, Look]]], Any]:
    """Returns the characters of a screen with their looks, and the region of the window over the board or ``None``."""
    make, keys = SCREENS[name]
    size, first = MODES[mode]

    async def run() -> Any:
        app = make()
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await pilot.press(*first, *keys)
            await pilot.pause()
            for field in app.screen.query(Input):
                field.cursor_blink = False  # keeps the cursor visible
            await pilot.pause()
            rows = []
            for strip in app.screen._compositor.render_strips()[: size[1]]:
                row = []
                for segment in strip:
                    style = segment.style
                    colors = [style and part and part.get_truecolor().hex for part in (style.color, style.bgcolor)]
                    more = "bold " * bool(style.bold) + "underlined" * bool(style.underline)
                    look = str(colors[0]), str(colors[1]), more.strip()
                    row += [(character, look) for character in segment.text]
                rows.append(row[: size[0]])
            windows = app.screen.query(".window").results(Vertical)
            return rows, next((window.region for window in windows), None)

    return asyncio.run(run())


def stored(rows: list[list[tuple[str, Look]]]) -> str:
    """Returns a screen as it is stored: the text, then the line, the columns and the look of each visible run."""
    text = ["".join(character for character, _ in row).rstrip() for row in rows]
    looks = []
    for y, row in enumerate(rows):
        x = 0
        for look, same in groupby(row, key=lambda one: one[1]):
            run = "".join(character for character, _ in same)
            if run.strip() or look[1] != row[0][1][1]:
                looks.append(f"{y},{x}-{x + len(run) - 1} {look[0]} on {look[1]} {look[2]}".rstrip())
            x += len(run)
    return "\n".join([*text, "", "Colors by line and columns:", *looks, ""])


@pytest.mark.skipif(version("textual").partition(".")[0] != "8", reason="the stored screens were made with Textual 8")
@pytest.mark.parametrize("mode", list(MODES))
@pytest.mark.parametrize("name", list(SCREENS))
def test_screens_equal_the_stored_ones(name: str, mode: str):
    rows, _ = screen(name, mode)
    file, seen = FOLDER / f"{name}_{mode}.txt", stored(rows)
    if os.environ.get("GRIDWRIGHT_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(seen, encoding="utf-8")
    assert seen == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("mode", list(MODES))
@pytest.mark.parametrize("name", list(SCREENS))
def test_all_text_of_a_screen_has_enough_contrast(name: str, mode: str):
    rows, window = screen(name, mode)
    checked = 0
    for y, row in enumerate(rows):
        for x, (character, (front, back, _)) in enumerate(row):
            # The board around a window is dimmed on purpose, and frames and scroll bars are not text.
            is_text = character.isalnum() or character in "*.@#+"
            if (window is not None and not window.contains(x, y)) or not is_text:
                continue
            assert contrast(front, back) >= 4.49, (character, front, back, "".join(one for one, _ in row))
            checked += 1
    assert checked > 40
