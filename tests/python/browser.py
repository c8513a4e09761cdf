"""A real JupyterLab and a real browser for the tests: started once, seen through playwright."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

WANTED = "the browser tests want chromium: apt-get install --no-install-recommends chromium fonts-dejavu-core"
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
    """The path of the browser; in CI a missing one fails the tests, elsewhere they are left out and say why."""
    names = [os.environ.get("GRIDWRIGHT_CHROMIUM", ""), "/usr/bin/chromium", "chromium", "chromium-browser"]
    for name in [*names, "google-chrome"]:
        found = shutil.which(name)
        if found:
            return found
    if os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(WANTED)
    pytest.skip(WANTED)


@contextmanager
def open_browser() -> Iterator[Any]:
    """A browser of playwright's."""
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


class Lab:
    """A running JupyterLab and the folder that it shows."""

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
        """Runs all cells and waits until the kernel has done them."""
        page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
        page.wait_for_function(_IDLE, timeout=60_000)

    def kernel(self) -> Any:
        """A client of the kernel that started last."""
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
    """What an expression is in the kernel, as JSON has it."""
    # Silent: a question of the tests is no cell, and must not make the widgets look.
    code = f"__import__('json').dumps({expression})"
    reply = client.execute("", silent=True, user_expressions={"it": code}, reply=True, timeout=30)
    answer = reply["content"]["user_expressions"]["it"]
    assert answer["status"] == "ok", answer
    return json.loads(json.loads("[" + _python_string(answer["data"]["text/plain"]) + "]")[0])


def _python_string(text: str) -> str:
    import ast

    return json.dumps(ast.literal_eval(text))


@contextmanager
def open_lab(folder: Path) -> Iterator[Lab]:
    """Starts JupyterLab on a folder, with all its own files in there too."""
    chromium()
    token, port = "gridwright", _free_port()
    settings = folder / "lab-settings" / "@jupyterlab" / "notebook-extension"
    settings.mkdir(parents=True)
    notices = folder / "lab-settings" / "@jupyterlab" / "apputils-extension"
    notices.mkdir()
    (notices / "notification.jupyterlab-settings").write_text('{"fetchNews": "false", "checkForUpdates": false}')
    # Cells out of sight stay in the page, so that the tests find them.
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
