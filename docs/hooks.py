"""What the site shows and no file holds: the gallery, the pages of the repository, the notebooks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gridwright as gw
from gridwright import check
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
SHOWN = 8


def _cross(board: Any) -> None:
    height, width = board.shape
    for row in range(height):
        for col in range(width):
            if board[row, col] != 9:
                near = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
                board[row, col] = sum(0 <= r < height and 0 <= c < width and board[r, c] == 9 for r, c in near)


class _Sets:
    def __init__(self, n: int) -> None:
        self.link = list(range(n))

    def find(self, x: int) -> int:
        while self.link[x] != x:
            x = self.link[x]
        return x

    def union(self, a: int, b: int) -> None:
        self.link[a] = b


def _cheapest(nodes: int, edges: Any) -> Any:
    return sorted(edges, key=lambda edge: edge[2])[: nodes - 1]


def _stack(graph: Any, source: int) -> Any:
    depth, work = {source: 0}, [source]
    while work:
        node = work.pop()
        for other in graph[node]:
            if other not in depth:
                depth[other] = depth[node] + 1
                work.append(other)
    return depth


def _no_corners(tail: Any, head: Any) -> Any:
    return gw.tracing.trace(tail, head, "supercover")


def _one_way(wires: Any, station: Any) -> Any:
    return wires > 0


REPORTS = {
    "compute_neighbours": ("forgets the diagonals", lambda: check.compute_neighbours(_cross)),
    "union_find": ("joins nodes, not representatives", lambda: check.union_find(_Sets)),
    "kruskal": ("takes the lightest edges, cycles or not", lambda: check.kruskal(_cheapest)),
    "bfs": ("uses a stack", lambda: check.bfs(_stack)),
    "trace_line": ("steps around corners", lambda: check.trace_line(_no_corners)),
    "power": ("powers whatever has a wire", lambda: check.power(_one_way)),
}


def on_config(config: Any) -> Any:
    """Lists the notebooks, those that there are."""
    found = [f"notebooks/{path.name}" for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
    if found and not any("Notebooks" in entry for entry in config.nav):
        config.nav.insert(-2, {"Notebooks": found})
    return config


@event_priority(100)  # before the plugins that render notebooks and references
def on_files(files: Any, config: Any) -> Any:
    """Adds what is made from the package and what stands elsewhere in the repository."""
    for name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, name.lower(), content=text))
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        files.append(File(f"notebooks/{path.name}", str(ROOT), config.site_dir, config.use_directory_urls))
    page = ["# Gallery", "", "Made from the package as the site is built."]
    for name, kind in gw.GAMES.items():
        page += ["", f"## {kind.__name__}", "", (kind.__doc__ or "").split("\n")[0], ""]
        small = [level for level in kind.levels() if max(kind.level(level).shape) <= 30]
        for level in small[:: max(1, len(small) // SHOWN)][:SHOWN]:
            where = f"gallery/{name}-{level}.svg"
            files.append(File.generated(config, where, content=kind.level(level).svg(size=18)))
            page.append(f'![{kind.__name__}, {level}]({where} "{level}")')
    page += ["", "## What students see", ""]
    for name, (words, report) in REPORTS.items():
        files.append(File.generated(config, f"gallery/report-{name}.svg", content=report().svg()))
        page += [f"`check.{name}`, of code that {words}:", "", f"![{name}](gallery/report-{name}.svg)", ""]
    files.append(File.generated(config, "gallery.md", content="\n".join(page) + "\n"))
    return files
