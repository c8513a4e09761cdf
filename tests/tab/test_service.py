"""Tests of the service worker of ``play/`` in a real browser, with small pages that have few files."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pages
import pytest
from conftest import ROOT, Served

FILES = ("app.js", "host.py")


def publish(folder: Path, version: str, age: int = 0) -> None:
    """Writes a page whose files contain the name of their version and are ``age`` days old."""
    folder.mkdir(exist_ok=True, parents=True)
    for name in ("index.html", *FILES):
        (folder / name).write_text(version, encoding="utf-8")
    shutil.copyfile(ROOT / "tab" / "play" / "service.js", folder / "service.js")
    pages.fill(folder / "service.js", VERSION=version, FILES=json.dumps(["./", *FILES]))
    then = time.time() - age * 86400
    for path in folder.iterdir():
        os.utime(path, (then, then))


def install(page: Any, version: str) -> None:
    """Registers the service worker of a page, and waits until the worker of ``version`` is active."""
    page.evaluate("navigator.serviceWorker.register('service.js').then((found) => found.update())")
    end = time.monotonic() + 20
    while True:
        names = page.evaluate("caches.keys()")
        state = page.evaluate("""navigator.serviceWorker.getRegistration().then(
            ({ installing, waiting, active }) => installing || waiting ? "new" : active.state)""")
        if state == "activated" and any(name.endswith(version) for name in names):
            return
        assert time.monotonic() < end, (state, names)
        page.wait_for_timeout(50)


def shown(page: Any) -> list[str]:
    """Returns the contents of the files that a page receives."""
    return [page.evaluate("name => fetch(name).then((answer) => answer.text())", name) for name in FILES]


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_a_new_version_replaces_files_that_the_browser_has_cached(page, tmp_path):
    # If a file has been unchanged for a month, the browser keeps it for some days before it asks the server again.
    publish(tmp_path / "play", "first", age=30)
    server = Served(tmp_path)
    page.goto(server.address + "play/")
    assert shown(page) == ["first"] * 2
    install(page, "first")
    publish(tmp_path / "play", "second")
    install(page, "second")
    page.reload()
    assert shown(page) == ["second"] * 2
    server.close()
    assert shown(page) == ["second"] * 2


def test_two_copies_of_the_page_open_offline(page, tmp_path):
    for name in ("one", "two"):
        publish(tmp_path / name / "play", name, age=30)
    server = Served(tmp_path)
    for name in ("one", "two"):
        page.goto(f"{server.address}{name}/play/")
        install(page, name)
    # A new version removes the earlier version of its own copy only.
    publish(tmp_path / "two" / "play", "newer")
    install(page, "newer")
    assert len(page.evaluate("caches.keys()")) == 2
    server.close()
    for folder, version in (("one", "one"), ("two", "newer")):
        page.goto(f"{server.address}{folder}/play/")
        assert shown(page) == [version] * 2
