"""What the tests of the pages share: a server, a real browser, and a visitor whose network requests are checked."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "python"), str(ROOT / "tab")]

import pages  # noqa: E402
from browser import open_browser  # noqa: E402

START_TIMEOUT = 120_000
"""Milliseconds that Python may take to start in a page: a shared machine can be slow, and no test checks the speed."""


class Served:
    """The built pages, served on a free port until ``close``."""

    def __init__(self) -> None:
        self.server = pages.server(pages.SITE)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Stops the server, so that nothing answers at its address anymore."""
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    made = Served()
    yield made
    made.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened


@pytest.fixture
def visit(browser: Any, served: Served) -> Iterator[Any]:
    """Yields a function that opens a page as a new visitor.

    At the end of the test, fails on any request to another host and on any error in a script.
    """
    contexts, foreign, errors = [], [], []

    def go(path: str, **options: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1000, "height": 900}, **options})
        contexts.append(context)
        context.on("request", lambda asked: foreign.append(asked.url) if not _near(asked.url, served.address) else None)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(served.address + path)
        return page

    yield go
    for context in contexts:
        context.close()
    assert not foreign
    assert not errors


def _near(url: str, address: str) -> bool:
    return url.startswith((address, "data:", "blob:", "about:"))
