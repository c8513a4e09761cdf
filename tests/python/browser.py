"""A real browser that playwright drives, with one board in a bare page or with a running JupyterLab."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

MISSING = "the browser tests need chromium: apt-get install --no-install-recommends chromium fonts-dejavu-core"
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str:
    """Returns the path of Chromium or Chrome; without a browser, tests fail in CI and are skipped elsewhere."""
    names = [os.environ.get("GRIDWRIGHT_CHROMIUM", ""), "/usr/bin/chromium", "chromium", "chromium-browser"]
    for name in [*names, "google-chrome"]:
        found = shutil.which(name)
        if found:
            return found
    if os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(MISSING)
    pytest.skip(MISSING)


@contextmanager
def open_browser() -> Iterator[Any]:
    """Yields a browser that playwright drives."""
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


_PAGE = """<!doctype html><meta charset="utf-8"><title>board</title>
<style>body{margin:12px;background:%(ground)s}</style><body%(mode)s><div id="place"></div>%(more)s
<script type="module">
const source = %(script)s;
const url = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
const {default: widget} = await import(url);
const listeners = new Set();
const values = {menu: await window.askMenu(), still: "still", seen: 0};
window.times = [];
window.model = {
  get: (name) => values[name],
  set: (name, value) => { values[name] = value; },
  save_changes: () => {},
  on: (name, call) => listeners.add(call),
  off: (name, call) => listeners.delete(call),
  send: async (message) => {
    const began = performance.now();
    for (const answer of await window.askKernel(message)) for (const call of listeners) call(answer);
    if (message.kind !== "hello") requestAnimationFrame(() => window.times.push(performance.now() - began));
  },
};
window.show = () => widget.render({model: window.model, el: document.getElementById("place")});
window.close = window.show();
</script>"""


def shown_width(board: Any) -> float:
    """Waits until the picture of a board is laid out; returns the width of the picture on the screen.

    JupyterLab lays out a cell again when the cell comes into view; for a moment, the width of its picture is 0.
    """
    return board.evaluate("""board => new Promise(done => {
        let last = 0, same = 0;
        const look = () => {
            const now = board.firstElementChild?.getBoundingClientRect().width ?? 0;
            same = now > 0 && now === last ? same + 1 : 0;
            last = now;
            same < 3 ? requestAnimationFrame(look) : done(now);
        };
        look();
    })""")


class Page:
    """One widget in a bare page of a real browser; the test process acts as the kernel."""

    def __init__(self, browser: Any, game: Any, *, dark: bool = False, touch: bool = False, **options: Any) -> None:
        from gridwright.play.board import Board

        more = options.pop("more", "")
        board_options = {name: options.pop(name) for name in ("size", "theme", "view") if name in options}
        self._open(browser, touch, **options)
        self.board = Board(game, self.sent.append, **board_options)
        self.game, self.controls = game, self.board.controls
        script = (ROOT / "python/gridwright/play/widget.js").read_text(encoding="utf-8")
        self._load(script, lambda: self.board.menu, dark=dark, more=more)
        self.host = self.page.locator(".gridwright-widget")
        self.place = self.host.locator("#board")
        self.place.locator("svg").wait_for()

    def _open(self, browser: Any, touch: bool, *, width: int = 900, height: int = 900, **options: Any) -> None:
        """Opens an empty page and collects the errors of its scripts in ``errors``."""
        viewport = {"width": width, "height": height}
        self.context = browser.new_context(viewport=viewport, has_touch=touch, **options)
        self.page = self.context.new_page()
        self._session = self.context.new_cdp_session(self.page)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(error.stack or str(error)))
        self.sent: list[dict[str, Any]] = []
        self.alive = True

    def _load(self, script: str, menu: Callable[[], Any], *, dark: bool, more: str = "") -> None:
        """Runs a widget's script in the page; ``_answer`` acts as the kernel."""
        self.page.expose_function("askMenu", menu)
        self.page.expose_function("askKernel", self._answer)
        page = _PAGE % {
            "ground": "#15181d" if dark else "#ffffff",
            "mode": ' data-jp-theme-light="false"' if dark else "",
            "script": json.dumps(script).replace("</", "<\\/"),
            "more": more,
        }
        self.page.set_content(page)

    def _answer(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        if not self.alive:
            return []
        self.board.receive(message)
        answers = self.sent[:]
        self.sent.clear()
        return answers

    def close(self) -> None:
        """Checks that no error was raised in the page, and closes it."""
        assert not self.errors
        self.context.close()

    def point(self, cell: tuple[int, int]) -> tuple[float, float]:
        """Returns the center of a cell, relative to the top left corner of the board."""
        drawn = self.board.drawn
        x, y = drawn.cells.center(*cell)
        scale = shown_width(self.place) / drawn.width
        return x * scale, y * scale

    def click(self, cell: tuple[int, int], button: str = "left") -> None:
        """Clicks a cell with the mouse."""
        self.place.scroll_into_view_if_needed()
        x, y = self.point(cell)
        self.place.click(position={"x": x, "y": y}, button=button)

    def at(self, cell: tuple[int, int]) -> tuple[float, float]:
        """Returns the center of a cell, relative to the top left corner of the window."""
        box = self.place.bounding_box()
        x, y = self.point(cell)
        return box["x"] + x, box["y"] + y

    def drag(self, path: list[tuple[int, int]]) -> None:
        """Drags the mouse from cell to cell along a path."""
        self.place.scroll_into_view_if_needed()
        self.page.mouse.move(*self.at(path[0]))
        self.page.mouse.down()
        for cell in path[1:]:
            self.page.mouse.move(*self.at(cell), steps=4)
        self.page.mouse.up()

    def tap(self, cell: tuple[int, int]) -> None:
        """Taps a cell with a finger."""
        self.place.scroll_into_view_if_needed()
        self.page.touchscreen.tap(*self.at(cell))

    def _touch(self, kind: str, points: list[tuple[float, float]]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def swipe(self, path: list[tuple[int, int]]) -> None:
        """Moves a finger from cell to cell along a path."""
        points = [self.at(cell) for cell in path]
        self._touch("touchStart", points[:1])
        for (x, y), (to_x, to_y) in pairwise(points):
            for k in range(1, 5):
                self._touch("touchMove", [(x + (to_x - x) * k / 4, y + (to_y - y) * k / 4)])
                self.page.wait_for_timeout(10)
        self._touch("touchEnd", [])

    def hold(self, cell: tuple[int, int]) -> None:
        """Holds a finger on a cell long enough for a long press."""
        point = self.at(cell)
        self._touch("touchStart", [point])
        self.page.wait_for_timeout(600)
        self._touch("touchEnd", [])

    def press(self, *keys: str) -> None:
        """Presses keys one after another; the focused element receives them."""
        for key in keys:
            self.page.keyboard.press(key)

    def focus(self) -> None:
        """Moves the focus to the board with the Tab key."""
        for _ in range(40):
            self.page.keyboard.press("Tab")
            if self.text("focused") == "board":
                return
        raise AssertionError("the Tab key never reached the board")

    def text(self, name: str) -> str:
        """Returns the text of the element with the id ``name``; for ``"focused"``, the id of the focused element."""
        if name == "focused":
            return str(self.host.evaluate("host => host.shadowRoot.activeElement?.id ?? ''"))
        return str(self.host.locator(f"#{name}").text_content())

    def show_again(self) -> tuple[Any, Any]:
        """Shows the widget a second time in the page; returns both views."""
        self.page.evaluate("() => { window.show(); }")
        views = self.page.locator("#place > div")
        views.nth(1).locator("#all #board svg").wait_for()
        return views.nth(0), views.nth(1)

    def hurry(self) -> None:
        """From now on, the clock by which the page's scripts measure time runs 20 times as fast."""
        self.page.evaluate("""() => {
            const now = performance.now.bind(performance), start = now();
            performance.now = () => start + 20 * (now() - start);
        }""")

    def wait(self, check: Callable[[], bool]) -> None:
        """Waits until ``check()`` is true, while the page keeps running."""
        end = time.monotonic() + 15
        while not check():
            assert time.monotonic() < end, (self.text("message"), self.errors)
            self.page.wait_for_timeout(15)


class Lab:
    """A running JupyterLab, which shows the files of ``folder``."""

    def __init__(self, folder: Path, port: int, token: str, process: subprocess.Popen[bytes]) -> None:
        self.folder, self.port, self.token, self.process = folder, port, token, process

    def open(self, browser: Any, name: str, *, width: int = 1200, height: int = 1000) -> Any:
        """Opens a notebook and waits for its kernel."""
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(f"http://127.0.0.1:{self.port}/lab/workspaces/w{time.monotonic_ns()}/tree/{name}?token={self.token}")
        page.wait_for_selector(".jp-Notebook", timeout=60_000)
        page.wait_for_function("window.jupyterapp !== undefined", timeout=60_000)
        page.wait_for_function(_IDLE, timeout=60_000)
        return page

    def run_all(self, page: Any) -> None:
        """Runs all cells and waits until the kernel has finished."""
        page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
        self.idle(page)

    def idle(self, page: Any) -> None:
        """Waits until the kernel has nothing to do."""
        page.wait_for_function(_IDLE, timeout=60_000)

    def kernel(self) -> Any:
        """Returns a client of the most recently started kernel."""
        from jupyter_client import BlockingKernelClient

        files = sorted((self.folder / "run").glob("kernel-*.json"), key=lambda file: file.stat().st_mtime)
        client = BlockingKernelClient(connection_file=str(files[-1]))
        client.load_connection_file()
        client.start_channels()
        client.wait_for_ready(timeout=30)
        return client


_IDLE = """() => {
  const panel = window.jupyterapp.shell.currentWidget;
  const kernel = panel && panel.sessionContext && panel.sessionContext.session && panel.sessionContext.session.kernel;
  return !!kernel && kernel.status === "idle" && kernel.connectionStatus === "connected";
}"""


def value(client: Any, expression: str) -> Any:
    """Returns the value of an expression in the kernel, transferred as JSON."""
    # The request is silent: unlike a cell, it must not make the widgets check whether their games were played.
    code = f"__import__('json').dumps({expression})"
    reply = client.execute("", silent=True, user_expressions={"value": code}, reply=True, timeout=30)
    answer = reply["content"]["user_expressions"]["value"]
    assert answer["status"] == "ok", answer
    return json.loads(json.loads("[" + _python_string(answer["data"]["text/plain"]) + "]")[0])


def _python_string(text: str) -> str:
    import ast

    return json.dumps(ast.literal_eval(text))


@contextmanager
def open_lab(folder: Path) -> Iterator[Lab]:
    """Yields a running JupyterLab that shows ``folder`` and also keeps its settings and other files there."""
    chromium()
    token, port = "gridwright", _free_port()
    settings = folder / "lab-settings" / "@jupyterlab" / "notebook-extension"
    settings.mkdir(parents=True)
    notices = folder / "lab-settings" / "@jupyterlab" / "apputils-extension"
    notices.mkdir()
    (notices / "notification.jupyterlab-settings").write_text('{"fetchNews": "false", "checkForUpdates": false}')
    # Without windowing, cells outside the window stay in the page, where the tests find them.
    (settings / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}')
    places = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "run",
        "JUPYTERLAB_SETTINGS_DIR": "lab-settings",
        "JUPYTERLAB_WORKSPACES_DIR": "lab-workspaces",
        "IPYTHONDIR": "ipython",
    }
    environment = {**os.environ, **{name: str(folder / place) for name, place in places.items()}}
    environment["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    command = [
        *(sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root", f"--port={port}"),
        *("--ServerApp.port_retries=0", f"--ServerApp.root_dir={folder}", f"--IdentityProvider.token={token}"),
        *("--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None"),
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    log = (folder / "lab.log").open("wb")
    process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    try:
        _wait(f"http://127.0.0.1:{port}/api?token={token}", process, folder / "lab.log")
        yield Lab(folder, port, token, process)
    finally:
        process.terminate()
        process.wait(timeout=30)
        log.close()


def _free_port() -> int:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def _wait(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            assert process.poll() is None, log.read_text()
            time.sleep(0.2)
    raise AssertionError(f"JupyterLab did not start: {log.read_text()}")
