"""Fixtures for the tests of the pages: a server, a real browser, and a visitor whose network requests are checked."""

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
"""The time in milliseconds that Python may take to start in a page, long enough for a slow shared machine."""


class Served:
    """Serves a folder, by default the built pages, on a free port until ``close`` is called."""

    def __init__(self, folder: Path = pages.SITE) -> None:
        self.server = pages.server(folder)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Stops the server; later requests to its address fail."""
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    pages_server = Served()
    yield pages_server
    pages_server.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened


@pytest.fixture
def visit(browser: Any, served: Served) -> Iterator[Any]:
    """Yields a function that opens a page as a new visitor does, without stored data.

    After the test, the fixture checks that no page sent a request to another server and that no script had an error.
    """
    contexts, foreign, errors = [], [], []

    def open_page(path: str, **options: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1000, "height": 900}, **options})
        contexts.append(context)
        context.on(
            "request",
            lambda request: foreign.append(request.url) if not _is_local(request.url, served.address) else None,
        )
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(served.address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not foreign
    assert not errors


def _is_local(url: str, address: str) -> bool:
    return url.startswith((address, "data:", "blob:", "about:"))
