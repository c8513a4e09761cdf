#!/usr/bin/env python3
"""Builds the pages that run the package in a browser, as folders of static files: ``python tab/pages.py COMMAND``.

===== ===================================================================================================
play  builds ``build/tab/play``: the games
lab   builds ``build/tab/lab``: JupyterLite with the notebooks and the assignments
serve serves ``build/tab`` on this machine until Ctrl-C; an argument sets the port, 8000 by default
===== ===================================================================================================

``play`` and ``lab`` require the wheel that ``build.py wheel`` builds. ``play`` also requires gridwright, which draws
the first pictures. ``lab`` also requires jupytext, which reads the assignments.
"""

from __future__ import annotations

import functools
import hashlib
import html
import http.server
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import build

SITE = build.ROOT / "build" / "tab"


def fill(path: Path, **values: str) -> None:
    """Replaces ``%NAME%`` in a file with the value of the argument ``NAME``, for each name in ``values``."""
    text = path.read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"%{name}%", value)
    path.write_text(text, encoding="utf-8")


def first_pictures(folder: Path) -> tuple[str, str]:
    """Draws the first level of each game into ``folder``; returns HTML for the links to the games and for the pictures.

    The page shows a picture until Python is ready, so the picture must show the level that the board opens first.
    """
    import gridwright as gw

    links, pictures = [], []
    folder.mkdir()
    for name, kind in gw.GAMES.items():
        levels = [level.name for level in kind.level(kind.levels()[0]).controls().levels] or kind.levels()
        game = kind.level(levels[0])
        for theme in ("light", "dark"):
            (folder / f"{name}-{theme}.svg").write_text(game.svg(theme=theme), encoding="utf-8")
        links.append(f'<a href="#{name}">{html.escape(kind.__name__)}</a>')
        pictures.append(
            f'<picture data-place="{name}/{levels[0]}">'
            f'<source srcset="first/{name}-dark.svg" media="(prefers-color-scheme: dark)">'
            f'<img src="first/{name}-light.svg" loading="lazy" alt="{html.escape(kind.__name__)}, the first level">'
            "</picture>"
        )
    return "\n".join(links), "\n".join(pictures)


def files_of(folder: Path) -> list[str]:
    """Returns the paths of all files in a folder, relative to the folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def size_of(folder: Path) -> float:
    """Returns the size of a folder's files in megabytes."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def make_play() -> None:
    """Builds the page with the games."""
    folder = SITE / "play"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(build.HERE / "play", folder)
    for name in ("widget.js", "editor.js"):
        shutil.copyfile(build.ROOT / "python" / "gridwright" / "play" / name, folder / name)
    build.lay_out(folder / "pyodide", [])
    (folder / "pyodide" / "pyodide.mjs").unlink()  # used by Node.js, not by the page
    games, pictures = first_pictures(folder / "first")
    more = '<a href="../lab/lab/index.html">Notebooks</a> <a href="../">Documentation</a>'
    fill(folder / "index.html", GAMES=games, PICTURES=pictures, MORE=more, SIZE=f"{size_of(folder):.0f}")
    # All files share one version: if any file changes, the service worker fetches all files again, so that it never
    # mixes files of two versions.
    kept = [name for name in files_of(folder) if name != "service.js"]
    digest = hashlib.sha256()
    for name in kept:
        digest.update(name.encode() + (folder / name).read_bytes())
    fill(folder / "service.js", VERSION=digest.hexdigest()[:16], FILES=json.dumps(["./", *kept], indent=2))
    print(f"{folder.relative_to(build.ROOT)}  {size_of(folder):.1f} MB")


def make_lab() -> None:
    """Builds the page with the notebooks."""
    folder, work = SITE / "lab", build.STORE / "lab"
    program = build.jupyterlite()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    notebooks = work / "notebooks"
    shutil.copytree(build.ROOT / "notebooks", notebooks, ignore=shutil.ignore_patterns("*.toml", ".*", "__pycache__"))
    # `records.ipynb` reads the tables of records from the folder `records`.
    (notebooks / "records").mkdir()
    for table in (build.ROOT / "docs" / "records").glob("*.csv"):
        shutil.copyfile(table, notebooks / "records" / table.name)
    shutil.copyfile(build.ROOT / "docs" / "records.ipynb", notebooks / "records.ipynb")
    build.run(sys.executable, build.ROOT / "course" / "handout.py", notebooks / "assignments", "--release")
    # The kernel loads Pyodide and packages from `static/pyodide` and nowhere else.
    kernel = {"pyodideUrl": "./static/pyodide/pyodide.js", "disablePyPIFallback": True}
    settings = {"litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel}, "appName": "Gridwright"}
    configuration = {"jupyter-lite-schema-version": 0, "jupyter-config-data": settings}
    (work / "jupyter-lite.json").write_text(json.dumps(configuration), encoding="utf-8")
    # Without windowing, all cells of a notebook stay in the document, so that the browser's search finds them and a
    # board keeps working after it scrolls out of view.
    (work / "overrides.json").write_text(
        json.dumps({"@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"}}), encoding="utf-8"
    )
    shutil.rmtree(folder, ignore_errors=True)
    options = ["--lite-dir", work, "--contents", notebooks, "--output-dir", folder, "--no-sourcemaps"]
    options += ["--apps", "lab", "--apps", "repl", "--no-unused-shared-packages"]
    build.run(program, "build", *options, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    packages = [*build.KERNEL, *build.NOTEBOOKS]
    build.lay_out(folder / "static" / "pyodide", packages, with_gridwright=build.ON_DEMAND)
    print(f"{folder.relative_to(build.ROOT)}  {size_of(folder):.1f} MB")


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files with the media types that browsers expect, and logs nothing."""

    extensions_map: ClassVar[dict[str, str]] = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".whl": "application/zip",
    }

    def log_message(self, format: str, *args: object) -> None:
        """Writes no log."""


class Server(http.server.ThreadingHTTPServer):
    """A server that reports no errors, because browsers often close a connection in the middle of a file."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Writes no traceback."""


def server(folder: Path, port: int = 0) -> Server:
    """Returns a server that serves a folder to this machine only; port 0 selects a free port."""
    handler = functools.partial(Handler, directory=str(folder))
    return Server(("127.0.0.1", port), handler)


def serve(port: int) -> None:
    """Serves the pages until Ctrl-C."""
    with server(SITE, port) as running:
        print(f"http://127.0.0.1:{running.server_port}/play/  (Ctrl-C stops the server)", flush=True)
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            print()


def main(arguments: list[str]) -> None:
    """Runs the command that the first argument names.

    If the command is unknown, the program prints the help and exits with status 1. It also exits with status 1 if a
    called program fails, and with status 3 if something that the command needs cannot be fetched or installed.
    """
    name, *rest = arguments or ["help"]
    with build.failures():
        if name == "play":
            make_play()
        elif name == "lab":
            make_lab()
        elif name == "serve":
            serve(int(rest[0]) if rest else 8000)
        else:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
