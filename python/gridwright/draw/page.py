"""Pictures and films in a page: colors that follow the light or dark look of the page."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from html import escape

from .theme import is_chosen, looks, pair

__all__ = ["STYLE", "Palette", "following", "image", "light_look"]

_COLOR = re.compile(r'(?<==")#[0-9a-f]{6}(?=")')
_HASH = re.compile(r'(?<=-)[0-9a-f]{8}(?=["\)])')
"""Matches the part of an id that depends on the colors of the element."""

_PAIR = re.compile(r"light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\)")

# An image can depend on one property of its page, color-scheme, which few pages set. The rules below set color-scheme
# for the images of this package, according to the attributes and classes by which JupyterLab, exported notebooks,
# VS Code, marimo and the documentation indicate their theme.
_DARK_PAGES = (
    '[data-jp-theme-light="false"]',
    ".vscode-dark",
    "html.dark",
    'html[theme="dark"]',
    '[data-md-color-scheme="slate"]',
)
_LIGHT_PAGES = ('[data-jp-theme-light="true"]', ".vscode-light", "html.light", '[data-md-color-scheme="default"]')
STYLE = "".join(
    f":is({','.join(pages)}) .gridwright{{color-scheme:{scheme}}}"
    for scheme, pages in (("light", _LIGHT_PAGES), ("dark", _DARK_PAGES))
)
"""CSS rules that make the images and films in a page light or dark like the page."""


class Palette:
    """Short names for the colors in SVG text that differ between a light and a dark page.

    >>> palette = Palette()
    >>> palette.named('<rect fill="light-dark(#ffffff,#000000)" stroke="#0072b2"/>')
    '<rect fill="var(--c0)" stroke="#0072b2"/>'
    >>> palette.style("svg")
    'svg{--c0:#ffffff}@media(prefers-color-scheme:dark){svg{--c0:#000000}}'
    >>> palette.inside(":host")
    ':host{--c0:#ffffff}@supports(color:light-dark(red,red)){:host{--c0:light-dark(#ffffff,#000000)}}'
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def named(self, text: str) -> str:
        """Returns SVG text with the names in place of its pairs of colors.

        * ``text``: SVG text.
        """
        return _PAIR.sub(lambda found: f"var({self._names.setdefault(found[0], f'--c{len(self._names)}')})", text)

    def _rule(self, selector: str, color: Callable[[str], str]) -> str:
        return f"{selector}{{{';'.join(f'{name}:{color(found)}' for found, name in self._names.items())}}}"

    def style(self, selector: str) -> str:
        """Returns CSS rules that define the names according to ``prefers-color-scheme``; empty if there are no names.

        * ``selector``: the CSS selector of the elements that use the names.
        """
        if not self._names:
            return ""
        light, dark = (self._rule(selector, lambda color, at=at: looks(color)[at]) for at in (0, 1))  # type: ignore[misc]
        return f"{light}@media(prefers-color-scheme:dark){{{dark}}}"

    def inside(self, selector: str) -> str:
        """Returns CSS rules that define the names according to ``color-scheme``; empty if there are no names.

        * ``selector``: the CSS selector of the element whose ``color-scheme`` decides.
        """
        if not self._names:
            return ""
        # A browser without the function `light-dark` shows the light colors.
        light, both = self._rule(selector, lambda color: looks(color)[0]), self._rule(selector, str)
        return f"{light}@supports(color:light-dark(red,red)){{{both}}}"

    def document(self, svg: str) -> str:
        """Returns SVG text with the names in place of its pairs of colors, and with the rules that define the names.

        * ``svg``: SVG text with one root element.
        """
        head, end, rest = self.named(svg).partition(">")
        return f"{head}{end}<style>{self.style('svg')}</style>{rest}"


def light_look(text: str) -> str:
    """Returns text in which each pair of colors is replaced by the light color.

    * ``text``: text with colors in it, such as SVG.

    >>> light_look('<rect fill="light-dark(#ffffff,#000000)"/>')
    '<rect fill="#ffffff"/>'
    """
    return _PAIR.sub(lambda found: looks(found[0])[0], text)


def following(light: str, dark: str) -> str:
    """Returns SVG that is light or dark like the page around it.

    If the two pictures differ in more than colors and ids that depend on them, the light one is returned.

    * ``light``: the SVG text of a picture in the light theme.
    * ``dark``: the SVG text of that picture in the dark theme.

    >>> text = following('<svg><rect fill="#ffffff"/></svg>', '<svg><rect fill="#000000"/></svg>')
    >>> print(text.replace("</style>", "</style>\\n"))
    <svg><style>svg{--c0:#ffffff}@media(prefers-color-scheme:dark){svg{--c0:#000000}}</style>
    <rect fill="var(--c0)"/></svg>
    """
    one, other = (_HASH.sub("", _COLOR.sub("", text)) for text in (light, dark))
    if one != other:
        return light
    darks = iter(_COLOR.findall(dark))
    return Palette().document(_COLOR.sub(lambda found: pair(found[0], next(darks)), light))


def image(svg: Callable[[str | None], str], words: str, theme: str | None = None) -> str:
    """Returns HTML for a picture in a notebook: in the theme that is given or set, or else in that of the page.

    * ``svg``: called with the name of a theme, or ``None`` for the one that is set; returns the picture as SVG text.
    * ``words``: the alternative text, for screen readers.
    * ``theme``: the name of a theme; ``None`` (the default) for the one that `use_theme` set.
    """
    fixed = theme is not None or is_chosen()
    text = svg(theme) if fixed else following(svg("light"), svg("dark"))
    source = base64.b64encode(text.encode()).decode()
    style = "" if fixed else f"<style>{STYLE}</style>"
    alt = escape(words)
    return (
        f'<img src="data:image/svg+xml;base64,{source}" alt="{alt}" class="gridwright" style="max-width:100%">{style}'
    )
