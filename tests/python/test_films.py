"""Films of algorithms: the pseudocode beside the frames, and the lines that are lit."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import gridwright as gw
import numpy as np
import pytest
from gridwright import graph, tracing
from gridwright.draw import films
from test_animate import SVG, shown_at

EDGES = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (2, 5)]
WEIGHTS = [1, 3, 2, 4, 5, 6]

FILMS = {
    "chances": lambda: films.chances(gw.GeeseSpotter.level("beginner"), moves=12),
    "forest": lambda: films.forest(3, 4, seed=3),
    "light": lambda: films.light(gw.MyPhoton.level("example")),
    "line": lambda: films.line((1, 1), (6, 12)),
    "power": lambda: films.power(gw.LightEmAll.generate(5, 6, scramble=False, seed=1)),
    "state_space": lambda: films.state_space(gw.Bloxorz.level("level01")),
    **{
        f"kruskal {method}": lambda method=method: films.kruskal(gw.LightEmAll.generate(4, 5, method=method, seed=1))
        for method in ("kruskal", "prim", "dfs", "wilson", "fractal", "rows", "columns")
    },
    **{
        f"union_find {strategy}": lambda strategy=strategy: films.union_find(6, EDGES, WEIGHTS, strategy=strategy)
        for strategy in ("naive", "size", "compression", "both")
    },
}


def lit(film, frame: int) -> list[str]:
    """Returns the lines of pseudocode that are marked in a frame of the merged picture."""
    root = ElementTree.fromstring(shown_at(film.svg(), frame))
    texts = [part.text for part in root.iter(f"{SVG}text") if part.get("class") == "line"]
    assert texts == [line.strip() for line in film.code]
    return [texts[int(part.get("data-line")) - 1] for part in root.iter() if part.get("data-line")]


@pytest.mark.parametrize("name", FILMS)
def test_a_film_shows_its_pseudocode_with_the_current_lines_lit(name):
    film = FILMS[name]()
    assert 5 <= len(film.code) <= 12
    assert max(map(len, film.code)) <= 52, "lines must fit beside a picture"
    assert len(film.lines) == len(film)
    assert all(film.lines)
    for frame in {0, len(film) // 2, len(film) - 1}:
        assert lit(film, frame) == [film.code[line - 1].strip() for line in film.lines[frame]]
        assert 'class="line"' in film.frame(frame)


def test_the_lit_lines_follow_the_steps_of_the_algorithm():
    edges, weights = graph.grid_edges(3, 4), graph.grid_weights(3, 4, seed=1)
    film = films.forest(3, 4, weights=weights)
    for frame, accepted in enumerate(graph.kruskal_steps(12, edges, weights)["accepted"], 1):
        assert ("T ← T ∪ {(u, v)}" in lit(film, frame)) == accepted
    film = films.line((1, 1), (6, 12))
    for frame, axis in enumerate(tracing.trace_steps((1, 1), (6, 12))["axis"][1:].tolist()):
        wanted = ("to the next row", "to the next column", "else: both")[axis]
        assert any(line.startswith(wanted) for line in lit(film, frame))
    film = FILMS["chances"]()
    for frame, words in enumerate(film.captions[:-1]):
        assert ("if p[f] = 0: f is certainly free" in lit(film, frame)) == ("certainly free" in words)
    assert "follow from[]" in lit(films.state_space(gw.Bloxorz.level("level01")), 8)[0]


@pytest.mark.parametrize("strategy", ["naive", "size", "compression", "both"])
def test_the_pseudocode_of_union_find_does_what_the_engine_does(strategy):
    film = FILMS[f"union_find {strategy}"]()
    code = "\n".join(film.code)
    assert ("size[a] < size[b]" in code) == (strategy in ("size", "both"))
    assert ("parent[x] ← find(parent[x])" in code) == (strategy in ("compression", "both"))
    # What it says about the link, done here, gives the engine's links.
    sets = graph.UnionFind(6, strategy=strategy)
    parent, size = list(range(6)), [1] * 6

    def find(x: int) -> int:
        if strategy in ("naive", "size"):
            while parent[x] != x:
                x = parent[x]
            return x
        if parent[x] != x:
            parent[x] = find(parent[x])
        return parent[x]

    for edge in np.argsort(WEIGHTS):
        sets.union(*EDGES[edge])
        a, b = (find(node) for node in EDGES[edge])
        if a != b:
            if strategy in ("size", "both") and size[a] < size[b]:
                a, b = b, a
            parent[b], size[a] = a, size[a] + size[b]
        assert sets.parents.tolist() == parent
