"""Pictures in a page: images whose colors follow the page, between light and dark."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from html import escape

from .theme import is_chosen

__all__ = ["following", "image"]

_COLOR = re.compile(r'(?<==")#[0-9a-f]{6}(?=")')

# An image has no look at its page but for the property color-scheme, which few pages set. The attributes by which
# JupyterLab and exported notebooks, VS Code, marimo and the documentation tell their theme set it for our images.
_DARK_PAGES = (
    '[data-jp-theme-light="false"]',
    ".vscode-dark",
    "html.dark",
    'html[theme="dark"]',
    '[data-md-color-scheme="slate"]',
)
_LIGHT_PAGES = ('[data-jp-theme-light="true"]', ".vscode-light", "html.light", '[data-md-color-scheme="default"]')
_STYLE = "".join(
    f":is({','.join(pages)}) img.gridwright{{color-scheme:{scheme}}}"
    for scheme, pages in (("light", _LIGHT_PAGES), ("dark", _DARK_PAGES))
)


def following(light: str, dark: str) -> str:
    """Returns one SVG text that is light or dark like the page around it.

    ``light`` and ``dark`` are one picture in both themes. If they differ in more than colors, the light one is
    returned.

    >>> text = following('<svg><rect fill="#ffffff"/></svg>', '<svg><rect fill="#000000"/></svg>')
    >>> print(text.replace("</style>", "</style>\\n"))
    <svg><style>svg{--c0:#ffffff}@media(prefers-color-scheme:dark){svg{--c0:#000000}}</style>
    <rect fill="var(--c0)"/></svg>
    """
    if _COLOR.sub("", light) != _COLOR.sub("", dark):
        return light
    names: dict[tuple[str, str], str] = {}
    darks = iter(_COLOR.findall(dark))

    def name(found: re.Match[str]) -> str:
        pair = found[0], next(darks)
        return pair[0] if pair[0] == pair[1] else f"var({names.setdefault(pair, f'--c{len(names)}')})"

    head, end, rest = _COLOR.sub(name, light).partition(">")
    looks = [";".join(f"{key}:{pair[at]}" for pair, key in names.items()) for at in (0, 1)]
    style = f"<style>svg{{{looks[0]}}}@media(prefers-color-scheme:dark){{svg{{{looks[1]}}}}}</style>"
    return head + end + style + rest


def image(svg: Callable[[str | None], str], words: str) -> str:
    """Returns HTML for a picture in a notebook: in the theme that `use_theme` set, otherwise in that of the page.

    * ``svg``: called with the name of a theme, or ``None`` for the one that is set; returns the picture as SVG text.
    * ``words``: what is read to those who cannot see it.
    """
    fixed = is_chosen()
    text = svg(None) if fixed else following(svg("light"), svg("dark"))
    source = base64.b64encode(text.encode()).decode()
    style = "" if fixed else f"<style>{_STYLE}</style>"
    alt = escape(words)
    return (
        f'<img src="data:image/svg+xml;base64,{source}" alt="{alt}" class="gridwright" style="max-width:100%">{style}'
    )
