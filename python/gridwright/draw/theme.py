"""The colours of all pictures, light and dark. Meaning never hangs on colour alone, and the accents are told apart with
every kind of colour vision (after Okabe and Ito)."""

from __future__ import annotations

from dataclasses import dataclass

from ..game import nearest

__all__ = ["DARK", "LIGHT", "Theme", "theme"]


@dataclass(frozen=True)
class Theme:
    """Named colours; a drawing uses no others."""

    name: str
    page: str
    """Behind everything."""
    tile: str
    """A cell that carries something."""
    tile_edge: str
    tile_soft: str
    """A lighter kind of cell."""
    hollow: str
    """A cell that is not there, or closed."""
    ink: str
    """Lines and letters."""
    muted: str
    """Lines and letters that matter less."""
    blue: str
    sky: str
    green: str
    yellow: str
    orange: str
    red: str
    purple: str
    glow: str
    """Light on a dark ground."""
    night: str
    """Ground under light: dark in both themes."""


LIGHT = Theme(
    name="light",
    page="#fbfaf7",
    tile="#d9dde3",
    tile_edge="#aab2bd",
    tile_soft="#eceef1",
    hollow="#f1efe9",
    ink="#22272e",
    muted="#7a838f",
    blue="#0072b2",
    sky="#56b4e9",
    green="#009e73",
    yellow="#e6c700",
    orange="#e69f00",
    red="#d55e00",
    purple="#b5608f",
    glow="#ffe45c",
    night="#2b3038",
)

DARK = Theme(
    name="dark",
    page="#15181d",
    tile="#3a414c",
    tile_edge="#555e6b",
    tile_soft="#4c5563",
    hollow="#1c2027",
    ink="#eef1f5",
    muted="#9aa4b2",
    blue="#4aa3df",
    sky="#7cc7f2",
    green="#2fc59a",
    yellow="#f2dc4a",
    orange="#f2b134",
    red="#f07b3f",
    purple="#d98fbd",
    glow="#ffe45c",
    night="#0e1116",
)

_THEMES = {"light": LIGHT, "dark": DARK}


def theme(name: str | Theme) -> Theme:
    """Finds a theme by its name.

    >>> theme("dark").name
    'dark'
    """
    if isinstance(name, Theme):
        return name
    if name not in _THEMES:
        raise ValueError(f"theme {name!r}, {nearest(name, list(_THEMES))}")
    return _THEMES[name]
