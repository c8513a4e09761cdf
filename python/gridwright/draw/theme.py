"""Colors of all pictures by role, in a light and a dark theme.

Text has a contrast of at least 4.5:1 with its background; lines and symbols that carry a meaning have at least 3:1
(WCAG 2.1 AA). No meaning depends on hue alone: marks with different meanings also differ in lightness or shape.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

from ..arguments import choice, shown, wrong_type

__all__ = [
    "BOTH",
    "DARK",
    "LIGHT",
    "Theme",
    "contrast",
    "film_theme",
    "is_chosen",
    "looks",
    "luminance",
    "mix",
    "pair",
    "rgb",
    "theme",
    "use_theme",
]

_COLOR = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)
_PAIR = re.compile(r"light-dark\((#[0-9a-f]{6}),(#[0-9a-f]{6})\)", re.IGNORECASE)


@dataclass(frozen=True)
class Theme:
    """Named colors, each ``#rrggbb``; a drawing uses only these and mixtures of them.

    Raises ``ValueError`` if a color has any other form or ``digits`` does not hold eight colors, and ``TypeError`` if
    ``digits`` is not a tuple.

    >>> LIGHT.name, DARK.ink == LIGHT.ink
    ('light', False)
    """

    name: str
    """The name of the theme."""

    # Backgrounds.
    page: str
    """Behind everything."""
    tile: str
    """A tile, a wall or a hidden field."""
    tile_soft: str
    """A cell lighter than ``tile``, and the background of panels."""
    hollow: str
    """A cell that has been revealed."""
    night: str
    """Background of light and wires: dark in both themes."""

    # Lines and letters.
    ink: str
    """Lines and letters."""
    muted: str
    """Lines and letters that matter less."""
    tile_edge: str
    """Border of a cell; stands out from the page and from ``night``."""
    faint: str
    """Grid lines that carry no meaning."""
    shine: str
    """The lit edge of a raised tile."""
    on_bright: str
    """Letters on a bright fill."""
    on_deep: str
    """Letters on a dark fill."""

    lit: str
    """Light, mixed into the faces of objects in three dimensions."""
    shade: str
    """Shadow, mixed into the faces of objects in three dimensions."""

    # Accents: categories, and marks on the page.
    blue: str
    """Blue for a category or a mark on the page."""
    sky: str
    """Light blue for a category or a mark on the page."""
    green: str
    """Green for a category or a mark on the page; marks what is right."""
    yellow: str
    """Yellow for a category or a mark on the page."""
    orange: str
    """Orange for a category or a mark on the page."""
    red: str
    """Red for a category or a mark on the page; marks what is wrong."""
    purple: str
    """Purple for a category or a mark on the page."""

    # Light and hardware on ``night``.
    glow: str
    """Light, and the wires on the tile of the power station."""
    power: str
    """A powered wire farthest from the station, where the gradient from ``glow`` ends; brighter than ``wire``."""
    wire: str
    """A wire without power."""
    floor: str
    """Grid lines on ``night``."""
    glass: str
    """The bright face of mirrors and T-mirrors, and the lines of splitters."""
    metal: str
    """The body of a T-mirror."""
    casing: str
    """The edge of mirrors and T-mirrors, the tint of splitters, and the plate under a piece that can be moved."""
    laser: str
    """The body of a laser."""
    sensor: str
    """The body of a sensor."""
    star: str
    """The power station."""
    star_edge: str
    """Outline of the power station, and marks such as the ring around a selected piece."""

    # Bloxorz.
    block: str
    """The block, or the cube in control."""
    block_edge: str
    """Outline of the block."""
    cube: str
    """The cube that is not in control."""
    bridge: str
    """A bridge that is on."""
    bridge_edge: str
    """Outline of a bridge."""
    fragile: str
    """A tile that breaks under a standing block."""
    fragile_edge: str
    """Outline of a fragile tile."""
    switch: str
    """The symbol of a switch."""
    target: str
    """The target."""

    # GeeseSpotter.
    flag: str
    """The flag on a marked field."""
    goose_body: str
    """Body of a goose."""
    goose_wing: str
    """Wing of a goose."""
    goose_line: str
    """Outline and head of a goose."""
    goose_halo: str
    """Outline around a goose, so that its dark lines stand out from a dark background."""
    goose_cheek: str
    """Cheek of a goose."""
    goose_bill: str
    """Bill of a goose."""
    alarm: str
    """Background of a field on which a goose was shown."""
    sure: str
    """Background of a field that certainly holds no goose."""
    heat_low: str
    """The low end of heat maps, light."""
    heat_high: str
    """The high end of heat maps, dark: lightness alone distinguishes the ends."""
    digits: tuple[str, ...]
    """The numbers 1 to 8 on ``hollow``, eight colors."""

    # Linear Domination.
    player_x: str
    """The cells of player X."""
    player_o: str
    """The cells of player O."""

    def __post_init__(self) -> None:
        if not isinstance(self.digits, tuple):
            # A list would make the theme unhashable, and drawn tiles are cached by theme.
            raise wrong_type("digits", "a tuple of 8 colors", self.digits)
        for each in fields(self):
            if each.name == "name":
                continue
            value = getattr(self, each.name)
            for color in value if each.name == "digits" else (value,):
                if not isinstance(color, str) or not _COLOR.fullmatch(color):
                    raise ValueError(f"{each.name} must be a color of the form #rrggbb, got {shown(color)}")
        if len(self.digits) != 8:
            raise ValueError(f"digits must be 8 colors, got {len(self.digits)}")

    def letters_on(self, fill: str) -> str:
        """Returns ``on_bright`` or ``on_deep``, whichever has the greater contrast with ``fill``.

        * ``fill``: a color ``#rrggbb``.

        >>> LIGHT.letters_on("#ffffff") == LIGHT.on_bright
        True
        """
        return max((self.on_bright, self.on_deep), key=lambda color: contrast(color, fill))

    def heat(self, share: float) -> str:
        """Returns the color of a share, from ``heat_low`` to ``heat_high``.

        * ``share``: 0 for the lowest color, 1 for the highest; shares outside 0 to 1 are clamped.

        >>> LIGHT.heat(0) == LIGHT.heat_low, LIGHT.heat(2) == LIGHT.heat_high
        (True, True)
        """
        return mix(self.heat_low, self.heat_high, min(1.0, max(0.0, share)))


def rgb(color: str) -> tuple[int, int, int]:
    """Returns the channels of a color.

    * ``color``: a color ``#rrggbb``.

    >>> rgb("#0072b2")
    (0, 114, 178)
    """
    value = int(color[1:], 16)
    return value >> 16, value >> 8 & 255, value & 255


def luminance(color: str) -> float:
    """Returns the relative luminance of a color as WCAG 2.1 defines it, between 0 and 1.

    * ``color``: a color ``#rrggbb``.

    >>> luminance("#ffffff"), luminance("#000000")
    (1.0, 0.0)
    """
    parts = [part / 255 for part in rgb(color)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return round(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2], 12)


def contrast(one: str, other: str) -> float:
    """Returns the contrast ratio of two colors as WCAG 2.1 defines it, between 1 and 21.

    * ``one``, ``other``: the two colors ``#rrggbb``, in either order.

    >>> round(contrast("#000000", "#ffffff"), 3)
    21.0
    """
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def pair(light: str, dark: str) -> str:
    """Returns the color that is ``light`` on a light page and ``dark`` on a dark one, in the syntax of CSS.

    * ``light``: the color ``#rrggbb`` on a light page.
    * ``dark``: the color ``#rrggbb`` on a dark page.

    >>> pair("#ffffff", "#000000"), pair("#0072b2", "#0072b2")
    ('light-dark(#ffffff,#000000)', '#0072b2')
    """
    return light if light == dark else f"light-dark({light},{dark})"


def looks(color: str) -> tuple[str, str]:
    """Returns how a color looks on a light page and on a dark one: the inverse of `pair`.

    * ``color``: a color ``#rrggbb``, or a pair as `pair` returns it.

    >>> looks("light-dark(#ffffff,#000000)"), looks("#0072b2")
    (('#ffffff', '#000000'), ('#0072b2', '#0072b2'))
    """
    found = _PAIR.fullmatch(color)
    return (found[1], found[2]) if found else (color, color)


def mix(one: str, other: str, share: float) -> str:
    """Returns a color between two colors.

    If a color is a `pair`, the colors for light pages and for dark pages are mixed separately.

    * ``one``: the first color, ``#rrggbb`` or a `pair`.
    * ``other``: the second color, ``#rrggbb`` or a `pair`.
    * ``share``: how much of the second color is in the mixture, 0 to 1.

    >>> mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    if "(" in one or "(" in other:
        return pair(*(mix(*colors, share) for colors in zip(looks(one), looks(other), strict=True)))
    parts = (int(a * (1 - share) + b * share + 0.5) for a, b in zip(rgb(one), rgb(other), strict=True))
    return "#" + "".join(f"{min(255, max(0, part)):02x}" for part in parts)


LIGHT = Theme(
    name="light",
    page="#fbfaf7",
    tile="#d9dde3",
    tile_soft="#eceef1",
    hollow="#f1efe9",
    night="#20242b",
    ink="#22272e",
    muted="#545d69",
    tile_edge="#808995",
    faint="#b9c0ca",
    shine="#ffffff",
    on_bright="#000000",
    on_deep="#ffffff",
    lit="#ffffff",
    shade="#000000",
    blue="#0072b2",
    sky="#3a92c8",
    green="#008563",
    yellow="#8f7c00",
    orange="#b26f00",
    red="#c64f00",
    purple="#9c4a86",
    glow="#ffe45c",
    power="#c9a227",
    wire="#78828f",
    floor="#4a525d",
    glass="#f4f8fb",
    metal="#c9d6e2",
    casing="#4aa3df",
    laser="#e8702a",
    sensor="#2fc59a",
    star="#56c4f0",
    star_edge="#ffb13d",
    block="#d55e00",
    block_edge="#22272e",
    cube="#f0c39d",
    bridge="#8fcdf0",
    bridge_edge="#0072b2",
    fragile="#f6d8a0",
    fragile_edge="#9c6200",
    switch="#9c4a86",
    target="#008563",
    flag="#c64f00",
    goose_body="#9a7b5f",
    goose_wing="#735943",
    goose_line="#22272e",
    goose_halo="#f1efe9",
    goose_cheek="#ffffff",
    goose_bill="#b26f00",
    alarm="#f0bf9c",
    sure="#bfe9d6",
    heat_low="#fff3b0",
    heat_high="#8a1c12",
    digits=("#00609a", "#006b4f", "#a84300", "#85386f", "#7a5000", "#23607f", "#22272e", "#22272e"),
    player_x="#3f9bd1",
    player_o="#f0c05a",
)

DARK = Theme(
    name="dark",
    page="#15181d",
    tile="#3a414c",
    tile_soft="#434a56",
    hollow="#1c2027",
    night="#0e1116",
    ink="#eef1f5",
    muted="#b6bfca",
    tile_edge="#77818f",
    faint="#4d5663",
    shine="#8d97a5",
    on_bright="#000000",
    on_deep="#ffffff",
    lit="#ffffff",
    shade="#000000",
    blue="#4aa3df",
    sky="#7cc7f2",
    green="#2fc59a",
    yellow="#f2dc4a",
    orange="#f2b134",
    red="#f58a52",
    purple="#d98fbd",
    glow="#ffe45c",
    power="#c9a227",
    wire="#6f7987",
    floor="#343b45",
    glass="#f4f8fb",
    metal="#c9d6e2",
    casing="#4aa3df",
    laser="#f07b3f",
    sensor="#2fc59a",
    star="#56c4f0",
    star_edge="#ffb13d",
    block="#f07b3f",
    block_edge="#2a1206",
    cube="#f3c9ae",
    bridge="#2d5f80",
    bridge_edge="#7cc7f2",
    fragile="#6b4e17",
    fragile_edge="#f2b134",
    switch="#e3a3cb",
    target="#2fc59a",
    flag="#f58a52",
    goose_body="#b0906f",
    goose_wing="#856a50",
    goose_line="#12161c",
    goose_halo="#b6bfca",
    goose_cheek="#ffffff",
    goose_bill="#f2b134",
    alarm="#7a3b1c",
    sure="#1f6b52",
    heat_low="#fff3b0",
    heat_high="#8a1c12",
    digits=("#6fb7ea", "#45cfa5", "#f58a52", "#e3a3cb", "#f2b134", "#7cc7f2", "#eef1f5", "#eef1f5"),
    player_x="#2f78b0",
    player_o="#d9a63c",
)

_THEMES = {"light": LIGHT, "dark": DARK}


class _Both(Theme):
    """A theme in which each color is a `pair`."""

    def __post_init__(self) -> None:
        """Checks nothing: the colors are those of two themes that have been checked."""

    def letters_on(self, fill: str) -> str:
        light, dark = looks(fill)
        return pair(LIGHT.letters_on(light), DARK.letters_on(dark))

    def __reduce__(self) -> str:
        """Makes copies and pickles refer to ``BOTH`` by its name: films and bitmaps compare themes with ``is``."""
        return "BOTH"


BOTH = _Both(
    name="both",
    digits=tuple(map(pair, LIGHT.digits, DARK.digits)),
    **{
        each.name: pair(getattr(LIGHT, each.name), getattr(DARK, each.name))
        for each in fields(Theme)
        if each.name not in ("name", "digits")
    },
)
"""The light and the dark theme in one, for films: ``Animation`` writes both to HTML, and the light one elsewhere."""


_chosen: Theme | None = None


def use_theme(name: str | Theme | None) -> None:
    """Sets the theme of all pictures, films and reports for which no theme is given.

    * ``name``: ``"light"``, ``"dark"`` or a ``Theme``; ``ValueError`` for any other name. ``None`` restores the
      default: files are light, but games, films and reports in a notebook, and films in HTML files, follow the theme of
      the page.

    >>> import gridwright as gw
    >>> use_theme("dark")
    >>> gw.Bloxorz.level("level01").svg() == gw.Bloxorz.level("level01").svg(theme="dark")
    True
    >>> use_theme(None)
    """
    global _chosen
    _chosen = None if name is None else theme(name)


def is_chosen() -> bool:
    """Returns whether `use_theme` has set a theme."""
    return _chosen is not None


def theme(name: str | Theme | None = None) -> Theme:
    """Returns a theme by its name.

    * ``name``: ``"light"``, ``"dark"`` or a ``Theme``, which is returned unchanged; ``ValueError`` for any other name.
      ``None`` (the default) is the theme that `use_theme` set, or else the light one.

    >>> theme("dark").name
    'dark'
    """
    if name is None:
        return _chosen or LIGHT
    if isinstance(name, Theme):
        return name
    if not isinstance(name, str):
        raise wrong_type("theme", "a name or a Theme", name)
    return _THEMES[choice("theme", name, _THEMES)]


def film_theme(name: str | Theme | None = None) -> Theme:
    """Returns the theme of a film.

    * ``name``: ``"light"``, ``"dark"`` or a ``Theme``, which is returned unchanged; ``ValueError`` for any other name.
      ``None`` (the default) is the theme that `use_theme` set, or else ``BOTH``.

    >>> film_theme("dark").name, film_theme().name
    ('dark', 'both')
    """
    return BOTH if name is None and not is_chosen() else theme(name)
