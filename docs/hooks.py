"""Adds to the site what is not in ``docs``: the gallery, other pictures, pages of the repository, the notebooks."""

from __future__ import annotations

import contextlib
import doctest
import io
import sys
from pathlib import Path
from typing import Any

import gridwright as gw
from gridwright import check, draw
from gridwright.draw import films
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs"))
import members  # noqa: E402  # beside this file, which is not in a package

SHOWN = 6
"""The largest number of levels per game in the gallery."""

WORLDS = {
    "photon": ("example", "Move mirrors, splitters and T-mirrors until the lasers light every sensor."),
    "lightemall": ("level09", "Turn the wires until the power station powers every tile."),
    "bloxorz": ("level14", "Roll the block over bridges, switches and splitters until it stands on its target."),
    "geese": ("beginner", "Find the geese on a board by the numbers on the fields around them."),
    "domination": ("first_lines", "Two players draw lines in turn; each line takes the cells that it crosses."),
}
"""By game: the level that is shown in motion, and what the game is about."""

FILMS = {
    "forest": ("Kruskal and its union-find forest", lambda: films.forest(4, 5, seed=3)),
    "kruskal": ("Kruskal grows a board", lambda: films.kruskal(gw.LightEmAll.generate(6, 8, seed=1))),
    "power": ("Power spreads from the station, breadth first", lambda: films.power(_solved("lightemall", "level06"))),
    "light": ("Light is traced head by head", lambda: films.light(_solved("photon", "example"))),
    "state_space": (
        "The positions of a block, layer by layer, up to a shortest solution",
        lambda: films.state_space(gw.Bloxorz.level("level01")),
    ),
    "line": ("The traversal of Amanatides and Woo follows a line, cell by cell", lambda: films.line((1, 1), (6, 12))),
    "chances": ("The chance of a goose in each field", lambda: films.chances(gw.GeeseSpotter.level("beginner"))),
}
"""By function of ``films``: a caption, and a function that makes the film."""


def _moves(game: Any) -> Any:
    """Returns moves that demonstrate a game: a solution, or the moves that a player would make."""
    if isinstance(game, gw.GeeseSpotter):
        return game.copy().play_on()
    if isinstance(game, gw.LinearDomination):
        game, moves = game.copy(), []
        for _ in range(12):
            moves.append(game.suggest())
            game.play(*moves[-1])
        return moves
    return game.solution()


def _solved(name: str, level: str) -> Any:
    game = gw.GAMES[name].level(level)
    for move in game.solution():
        game.play(*move)
    return game


# Code that students might hand in. `REPORTS` names the mistake in each function or class.


def compute_neighbours(board: Any) -> None:
    height, width = board.shape
    for row in range(height):
        for col in range(width):
            if board[row, col] != 9:
                near = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
                board[row, col] = sum(0 <= r < height and 0 <= c < width and board[r, c] == 9 for r, c in near)


class Sets:
    def __init__(self, n: int) -> None:
        self.link = list(range(n))

    def find(self, x: int) -> int:
        return self.link[x]

    def union(self, a: int, b: int) -> None:
        self.link[self.find(b)] = self.find(a)


def kruskal(nodes: int, edges: Any) -> Any:
    return sorted(edges, key=lambda edge: edge[2])[: nodes - 1]


def bfs(graph: Any, source: int) -> Any:
    depth, work = {source: 0}, [source]
    while work:
        node = work.pop()
        for other in graph[node]:
            if other not in depth:
                depth[other] = depth[node] + 1
                work.append(other)
    return depth


def trace_line(tail: Any, head: Any) -> Any:
    return gw.tracing.trace(tail, head, "supercover")


def power(wires: Any, station: Any) -> Any:
    return wires > 0


REPORTS = {
    "compute_neighbours": ("forgets the diagonals", lambda: check.compute_neighbours(compute_neighbours)),
    "union_find": ("follows one link only", lambda: check.union_find(Sets)),
    "kruskal": ("takes the lightest edges, cycles or not", lambda: check.kruskal(kruskal)),
    "bfs": ("uses a stack", lambda: check.bfs(bfs)),
    "trace_line": ("steps around corners", lambda: check.trace_line(trace_line)),
    "power": ("powers whatever has a wire", lambda: check.power(power)),
}
"""By check: the mistake in the code above, and a function that makes the report on it."""


def _both(words: str, path: str) -> str:
    """Returns the Markdown of a picture that is stored in both themes; the page shows the version for its own theme."""
    return f"![{words}]({path}-light.svg#only-light)\n![{words}]({path}-dark.svg#only-dark)"


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Puts a moving picture and an overview of the members at the top of a game's page in the reference."""
    name = Path(page.file.src_uri).stem
    if not page.file.src_uri.startswith("api/") or name not in gw.GAMES:
        return markdown
    title, _, rest = markdown.partition("\n")
    kind = gw.GAMES[name]
    picture = _both(f"{kind.__name__}, {WORLDS[name][0]}, played", f"../gallery/{name}")
    return f"{title}\n\n{WORLDS[name][1]}\n\n{picture}\n\n{members.overview(kind)}\n{rest}"


def on_config(config: Any) -> Any:
    """Lists the notebooks in the navigation."""
    found = [f"notebooks/{path.name}" for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
    if found and not any("Notebooks" in entry for entry in config.nav):
        config.nav.insert(-2, {"Notebooks": found})
    return config


def _newspaper() -> list[Any]:
    """Returns the positions on the page of puzzles, each as left by the code before its solution."""
    text = (ROOT / "docs/newspaper.md").read_text(encoding="utf-8")
    parser, names, found = doctest.DocTestParser(), {"gw": gw}, []
    for section in text.split("\n## ")[1:]:
        with contextlib.redirect_stdout(io.StringIO()):
            for example in parser.get_examples(section.partition("<details")[0].replace("```", "")):
                exec(compile(example.source, "newspaper.md", "single"), names)
        found.append(names["game"].copy())
    return found


@event_priority(100)  # before the plugins that render notebooks and references
def on_files(files: Any, config: Any) -> Any:
    """Adds generated pictures and pages, and files from elsewhere in the repository."""
    for name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, name.lower(), content=text))
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        files.append(File(f"notebooks/{path.name}", str(ROOT), config.site_dir, config.use_directory_urls))
    # With a path relative to docs/ instead of the repository, the notebook would have the address of records/index.md.
    files.append(File("docs/records.ipynb", str(ROOT), config.site_dir, config.use_directory_urls))
    for number, game in enumerate(_newspaper(), 1):
        for theme in ("light", "dark"):
            picture = game.svg(size=30, theme=theme)
            files.append(File.generated(config, f"newspaper/{number}-{theme}.svg", content=picture))
    page = ["# Gallery", "", "Drawn by the package when the site is built."]
    for name, kind in gw.GAMES.items():
        shown, sentence = WORLDS[name]
        game = kind.level(shown)
        moves = _moves(game)
        for theme in ("light", "dark"):
            film = game.animate(moves, size=22, theme=theme)
            files.append(File.generated(config, f"gallery/{name}-{theme}.svg", content=film.svg()))
        page += [
            "",
            f"## {kind.__name__}",
            "",
            sentence,
            "",
            _both(f"{kind.__name__}, {shown}, played", f"gallery/{name}"),
            "",
        ]
        small = [level for level in kind.levels() if max(kind.level(level).shape) <= 30]
        for level in small[:: max(1, len(small) // SHOWN)][:SHOWN]:
            where = f"gallery/{name}-{level}.svg"
            files.append(File.generated(config, where, content=kind.level(level).svg(size=18)))
            page.append(f'![{kind.__name__}, {level}]({where} "{level}")')
    page += ["", "## Algorithms at work", ""]
    for name, (words, film) in FILMS.items():
        for theme in ("light", "dark"):
            draw.use_theme(theme)
            files.append(File.generated(config, f"gallery/film-{name}-{theme}.svg", content=film().svg()))
        draw.use_theme(None)
        page += [f"{words}: `films.{name}`", "", _both(words, f"gallery/film-{name}"), ""]
    page += ["", "## What students see", ""]
    for name, (words, report) in REPORTS.items():
        files.append(File.generated(config, f"gallery/report-{name}.svg", content=report().svg()))
        page += [f"`check.{name}` on code that {words}:", "", f"![{name}](gallery/report-{name}.svg)", ""]
    files.append(File.generated(config, "gallery.md", content="\n".join(page) + "\n"))
    return files
