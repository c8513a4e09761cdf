"""The colors of pictures: contrast, color vision, and the theme as the only place where colors are defined."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import games
import gridwright as gw
import numpy as np
import pytest
from conftest import ROOT, needs, starts
from gridwright.draw import DARK, LIGHT, picture, png, theme
from gridwright.draw.theme import contrast, looks, luminance, mix, pair
from PIL import Image

THEMES = (LIGHT, DARK)
SVG = "{http://www.w3.org/2000/svg}"
ACCENTS = ("blue", "sky", "green", "yellow", "orange", "red", "purple")

TEXTS = [
    *((letter, ground) for letter in ("ink", "muted") for ground in ("page", "tile", "tile_soft", "hollow")),
    *(("ink", ground) for ground in ("sure", "alarm")),
]
"""Pairs of theme attributes: the color of letters and the color of their background."""

MARKS = [
    *((accent, "page") for accent in ACCENTS),
    *(("tile_edge", ground) for ground in ("page", "night", "hollow")),
    *(
        (light, "night")
        for light in ("glow", "power", "wire", "glass", "casing", "laser", "sensor", "star", "star_edge")
    ),
    *(("bridge_edge", ground) for ground in ("page", "bridge")),
    *(("fragile_edge", ground) for ground in ("page", "fragile")),
    *(("target", ground) for ground in ("night", "tile")),
    *(("flag", ground) for ground in ("tile", "hollow")),
    ("block_edge", "block"),
    ("goose_line", "goose_halo"),
    ("switch", "tile"),
    ("goose_bill", "hollow"),
]
"""Pairs of theme attributes: the color of a meaningful mark and the color of its background."""

EITHER = [
    (("block", "block_edge"), "tile"),
    (("goose_line", "goose_halo"), "tile"),
    (("goose_line", "goose_halo"), "hollow"),
    (("cube", "block_edge"), "tile"),
]
"""Two colors of a shape and the color of its background, with which at least one of the two must contrast."""


def reference(color: str) -> float:
    """Returns the relative luminance of a color as WCAG 2.1 defines it, computed independently of the package."""
    total = 0.0
    for weight, at in ((0.2126, 1), (0.7152, 3), (0.0722, 5)):
        part = int(color[at : at + 2], 16) / 255
        total += weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
    return total


def ratio(one: str, other: str) -> float:
    low, high = sorted((reference(one), reference(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", THEMES, ids=lambda look: look.name)
def test_texts_and_marks_have_the_contrast_that_wcag_aa_requires(look):
    for letter, ground in TEXTS:
        assert ratio(getattr(look, letter), getattr(look, ground)) >= 4.5, (letter, ground)
    for value, digit in enumerate(look.digits, 1):
        assert ratio(digit, look.hollow) >= 4.5, value
    for mark, ground in MARKS:
        assert ratio(getattr(look, mark), getattr(look, ground)) >= 3, (mark, ground)
    for parts, ground in EITHER:
        assert max(ratio(getattr(look, one), getattr(look, ground)) for one in parts) >= 3, (parts, ground)
    # Powered wires are brighter than unpowered wires, along the whole gradient.
    for share in np.linspace(0, 1, 13):
        assert ratio(mix(look.glow, look.power, share), look.wire) >= 1.5
        assert reference(mix(look.glow, look.power, share)) > reference(look.wire)


def test_letters_are_legible_on_any_fill():
    for look in THEMES:
        for value in range(0, 256, 5):
            for fill in (
                f"#{value:02x}{value:02x}{value:02x}",
                f"#{value:02x}80{255 - value:02x}",
                f"#ff{value:02x}00",
            ):
                assert ratio(look.letters_on(fill), fill) >= 4.5, fill
        heats = [reference(look.heat(share)) for share in np.linspace(0, 1, 21)]
        assert heats == sorted(heats, reverse=True)


def test_contrast_and_luminance_agree_with_wcag():
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)
    chance = np.random.default_rng(1)
    for red, green, blue in chance.integers(0, 256, (200, 3)).tolist():
        color = f"#{red:02x}{green:02x}{blue:02x}"
        assert luminance(color) == pytest.approx(reference(color))


def pixels(source: str, scale: float = 1) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png(source, scale=scale))).convert("RGB"))


def played(game, plays: int = 12):
    game = game.copy()
    for seed in range(plays):
        move = game.sample_legal(seed)
        if move is None:
            break
        game.play(*move)
    return game


@pytest.mark.parametrize("look", THEMES, ids=lambda look: look.name)
def test_every_text_of_a_picture_contrasts_with_its_background(kind, look):
    """Compares the color of each text with the pixel behind its middle in the same picture without texts."""
    options = [{}, *getattr(games.of(kind), "PICTURES", ())]
    for game in [*starts(kind)[:4], played(starts(kind)[0]), kind.level(kind.levels()[-1])]:
        if game.height * game.width > 400:
            continue
        for option in options:
            drawn = picture(game, theme=look, size=40, **option)
            source = drawn.render()
            behind = pixels(re.sub(r"<text.*?</text>", "", source))
            root = ElementTree.fromstring(source)
            moved = {}
            for group in root.iter(f"{SVG}g"):
                found = re.fullmatch(r"translate\((\S+) (\S+)\) scale\((\S+)\)", group.get("transform", ""))
                if found and group.get("data-id") is None:
                    moved.update(dict.fromkeys(group.iter(f"{SVG}g"), tuple(map(float, found.groups()))))
            for parent in root.iter():
                # The text of a group with its own transform is skipped: a view in three dimensions slants the text.
                if parent.tag not in (f"{SVG}g", f"{SVG}svg") or parent.get("transform") is not None:
                    continue
                left, top, scale = moved.get(parent, (0.0, 0.0, 1.0))
                for text in parent.findall(f"{SVG}text"):
                    # One text element may draw the same digit at several x coordinates.
                    for at in text.get("x").split():
                        words = text.text if " " not in text.get("x") else text.text[:1]
                        size = float(text.get("font-size")) * scale
                        x, y = left + float(at) * scale, top + float(text.get("y")) * scale - 0.36 * size
                        if text.get("text-anchor") == "start":
                            x += 0.3 * size * len(words)
                        if text.get("text-anchor") == "end":
                            x -= 0.3 * size * len(words)
                        spot = behind[round(y), min(round(x), behind.shape[1] - 1)]
                        ground = "#" + "".join(f"{part:02x}" for part in spot.tolist())
                        assert ratio(text.get("fill"), ground) >= 4.4, (words, text.get("fill"), ground)


# The matrices of Machado, Oliveira and Fernandes (2009) for color-vision deficiencies of severity 1, in linear RGB.
VISION = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def lightness(image: np.ndarray, vision: str) -> np.ndarray:
    """Returns the CIE lightness, 0 to 100, of an image as a person with a color-vision deficiency sees it."""
    part = image / 255.0
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ np.array(VISION[vision]).T, 0, 1)
    luminous = seen @ np.array([0.2126, 0.7152, 0.0722])
    return np.where(luminous > 0.008856, 116 * np.cbrt(luminous) - 16, 903.3 * luminous)


def cell_of(game, cell, look, **options) -> np.ndarray:
    drawn = picture(game, theme=look, size=40, **options)
    x, y = drawn.cells.center(*cell)
    image = pixels(drawn.render())
    return image[round(y) - 20 : round(y) + 20, round(x) - 20 : round(x) + 20]


@pytest.mark.parametrize("vision", sorted(VISION))
@pytest.mark.parametrize("look", THEMES, ids=lambda look: look.name)
def test_meanings_differ_in_lightness_or_shape_for_every_color_vision_deficiency(look, vision):
    # The cells in a list have different meanings, so any two of them must differ in lightness or shape.
    for name, things in ((name, meanings()) for name, meanings in games.every("meanings").items()):
        seen = [lightness(cell_of(game, cell, look, **options), vision) for game, cell, options in things]
        for one in range(len(seen)):
            for other in range(one):
                # In more than 1.5% of the pixels, the lightness must differ by more than 20.
                share = (np.abs(seen[one] - seen[other]) > 20).mean()
                assert share > 0.015, (name, things[one][1], things[other][1], share)


def test_no_color_is_defined_outside_the_theme():
    for path in (ROOT / "python/gridwright").rglob("*"):
        if path.suffix in (".py", ".js") and path.name != "theme.py":
            code = re.sub(r'""".*?"""', "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            found = re.findall(r"[\"':]\s*#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b", code)
            assert not found, (path.name, found)


def test_a_theme_accepts_only_colors():
    with pytest.raises(ValueError, match="ink must be a color of the form #rrggbb, got 'red'"):
        replace(LIGHT, ink="red")
    with pytest.raises(ValueError, match="page must be a color"):
        replace(LIGHT, page='#fff"/><script>alert(1)</script>')
    with pytest.raises(ValueError, match="digits must be 8 colors, got 1"):
        replace(LIGHT, digits=("#000000",))
    for digits in (list(LIGHT.digits), 8, None):
        with pytest.raises(TypeError, match="digits must be a tuple of 8 colors, got "):
            replace(LIGHT, digits=digits)
    with pytest.raises(ValueError, match="theme must be 'light' or 'dark', got 'drak'; did you mean \"dark\""):
        theme("drak")
    with pytest.raises(TypeError, match="theme must be a name or a Theme, got "):
        theme(3)
    mine = replace(DARK, name="mine", page="#000000")
    assert 'fill="#000000"' in gw.Bloxorz.level("level01").svg(theme=mine)


def test_a_pair_of_upper_case_colors_has_two_looks():
    light, dark = "#FFFFFF", "#ABCDEF"
    assert looks(pair(light, dark)) == (light, dark)
    assert mix(pair(light, dark), "#000000", 1) == "#000000"


@needs("processes")
def test_a_game_can_be_drawn_after_the_module_of_pictures_is_reloaded():
    code = "import importlib; import gridwright as gw; from gridwright import draw; importlib.reload(draw)"
    code += "; print(gw.Bloxorz.level('level01').svg(theme='dark')[:4])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("<svg\n", "")


def test_use_theme_applies_to_every_picture():
    from gridwright import check, tracing
    from gridwright.draw import films, use_theme

    def shown() -> list[str]:
        game = gw.LightEmAll.level("level01")
        report = check.compute_neighbours(lambda board: None)
        return [
            game.svg(),
            game.animate().svg(),
            films.power(game).svg(),
            films.forest(2, 2).svg(),
            tracing.draw_steps((0, 0), (1, 2)).render(),
            gw.Bloxorz.level("level01").state_graph().svg(),
            report.svg(),
        ]

    light = shown()
    try:
        use_theme("dark")
        for before, after in zip(light, shown(), strict=True):
            assert LIGHT.page in before
            assert DARK.page in after
            assert LIGHT.page not in after
    finally:
        use_theme(None)
    assert shown() == light
