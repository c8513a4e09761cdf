"""Adds to the site the pages that run in a browser, play/ and lab/, and the "Try it" links that lead to lab/."""

from __future__ import annotations

import doctest
import re
import shutil
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[1]
BUILT = ROOT / "build" / "tab"
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n", re.M | re.S)


def has_lab() -> bool:
    """Returns whether the notebooks were built for the browser; without them, examples have no "Try it" link."""
    return (BUILT / "lab").is_dir()


def root_of(page: Any) -> str:
    """Returns the relative path from a page to the root of the site."""
    return "../" * page.url.count("/")


def without_missing(markdown: str) -> str:
    """Removes the links and buttons that lead to pages that were not built."""
    for name in ("play", "lab"):
        if not (BUILT / name).is_dir():
            markdown = re.sub(
                rf"(?<!!)\[((?:!\[[^]]*\]\([^)]*\)|[^][])*)\]\({name}/\)(\{{[^}}]*\}})?", _label, markdown
            )
    return markdown


def _label(link: re.Match[str]) -> str:
    """Returns the replacement for a link: its label, or an empty string for a button."""
    return "" if link[2] else link[1]


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Adds to examples a link that runs them in the browser, and removes links to pages that were not built."""
    markdown = without_missing(markdown)
    if not has_lab() or page.file.src_uri.startswith("api/"):
        return markdown
    start = ["import gridwright as gw\n", "import numpy as np\n"]

    def linked(match: re.Match[str]) -> str:
        statements = doctest.DocTestParser().get_examples(match[1])
        if not statements:
            return match[0]
        whole = "".join([*start, *(each.source for each in statements)])
        # Later examples of a page use the names that the earlier ones define. A statement that raises would stop them.
        start.extend(each.source for each in statements if each.exc_msg is None)
        link = f"{root_of(page)}lab/repl/index.html?kernel=python&amp;execute=1&amp;code={quote(whole)}"
        return f'{match[0]}\n<a class="try" href="{link}">Try it</a>\n'

    return EXAMPLE.sub(linked, markdown)


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Adds links to the page of a notebook: to download it and, if ``lab/`` has it, to run it in the browser."""
    path = Path(page.file.src_uri)
    if path.suffix != ".ipynb":
        return html
    up = root_of(page)
    links = [f'<a href="{up}{path.as_posix()}" download>Download</a>']
    if (BUILT / "lab" / "files" / path.name).is_file():
        links.insert(0, f'<a href="{up}lab/lab/index.html?path={quote(path.name)}">Run it in this browser</a>')
    return f'<p class="try">{" · ".join(links)}</p>\n{html}'


def on_post_build(config: Any) -> None:
    """Copies the built pages and the stored notebooks into the site."""
    site = Path(config.site_dir)
    for path in [*(ROOT / "notebooks").glob("*.ipynb"), ROOT / "docs" / "records.ipynb"]:
        copy = site / path.relative_to(ROOT)
        copy.parent.mkdir(exist_ok=True)
        shutil.copyfile(path, copy)
    for name in ("play", "lab"):
        if (BUILT / name).is_dir():
            shutil.copytree(BUILT / name, site / name, dirs_exist_ok=True)
        else:
            print(f"*** the site has no {name}/: `make pages` builds it", file=sys.stderr)
