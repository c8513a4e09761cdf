"""Tests of films of algorithms: pseudocode, quizzes, the reader's own answers, and themes."""

from __future__ import annotations

import copy
import io
import pickle
import re
import xml.etree.ElementTree as ElementTree

import gridwright as gw
import numpy as np
import pytest
from browser import open_browser
from gridwright import graph, tracing
from gridwright.draw import DARK, LIGHT, Animation, films, foreign, use_theme
from gridwright.draw.svg import Cells
from gridwright.draw.theme import contrast
from test_animate import SVG, shown_at
from test_pictures import ATTACKS

EDGES = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (2, 5)]
WEIGHTS = [1, 3, 2, 4, 5, 6]

FILMS = {
    "chances": lambda: films.chances(gw.GeeseSpotter.level("beginner"), moves=12),
    "diameter": lambda: films.diameter(gw.LightEmAll.generate(4, 5, seed=3)),
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


def highlighted(film, frame: int) -> list[str]:
    """Returns the lines of pseudocode that are highlighted in a frame of the film's SVG."""
    root = ElementTree.fromstring(shown_at(film.svg(), frame))
    texts = [part.text for part in root.iter(f"{SVG}text") if part.get("class") == "line"]
    assert texts == [line.strip() for line in film.code]
    return [texts[int(part.get("data-line")) - 1] for part in root.iter() if part.get("data-line")]


@pytest.mark.parametrize("name", FILMS)
def test_a_film_shows_its_pseudocode_with_the_current_lines_highlighted(name):
    film = FILMS[name]()
    assert 5 <= len(film.code) <= 12
    assert max(map(len, film.code)) <= 52, "lines must fit beside a picture"
    assert len(film.lines) == len(film)
    assert all(film.lines)
    for frame in {0, len(film) // 2, len(film) - 1}:
        assert highlighted(film, frame) == [film.code[line - 1].strip() for line in film.lines[frame]]
        assert 'class="line"' in film.frame(frame)


def test_the_highlighted_lines_follow_the_steps_of_the_algorithm():
    edges, weights = graph.grid_edges(3, 4), graph.grid_weights(3, 4, seed=1)
    film = films.forest(3, 4, weights=weights)
    for frame, accepted in enumerate(graph.kruskal_steps(12, edges, weights)["accepted"], 1):
        assert ("T ← T ∪ {(u, v)}" in highlighted(film, frame)) == accepted
    film = films.line((1, 1), (6, 12))
    for frame, axis in enumerate(tracing.trace_steps((1, 1), (6, 12))["axis"][1:].tolist()):
        expected = ("to the next row", "to the next column", "else: both")[axis]
        assert any(line.startswith(expected) for line in highlighted(film, frame))
    film = FILMS["chances"]()
    for frame, words in enumerate(film.captions[:-1]):
        assert ("if p[f] = 0: f is certainly free" in highlighted(film, frame)) == ("certainly free" in words)
    assert "follow from[]" in highlighted(films.state_space(gw.Bloxorz.level("level01")), 8)[0]


@pytest.mark.parametrize("strategy", ["naive", "size", "compression", "both"])
def test_the_pseudocode_of_union_find_agrees_with_the_engine(strategy):
    film = FILMS[f"union_find {strategy}"]()
    code = "\n".join(film.code)
    assert ("size[a] < size[b]" in code) == (strategy in ("size", "both"))
    assert ("parent[x] ← find(parent[x])" in code) == (strategy in ("compression", "both"))
    # `find` and the loop below follow the pseudocode, and must produce the same parents as the engine.
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


def test_the_answers_of_a_quiz_are_the_next_steps_of_the_engine():
    edges, weights = graph.grid_edges(3, 4), np.random.default_rng(3).permutation(17)
    answers = films.forest(3, 4, weights=weights).predict().answers
    order = graph.kruskal_steps(12, edges, weights)["edge"]
    assert answers == [[f"edge {u}-{v}"] for u, v in edges[order].tolist()]
    # If several edges have the lowest weight, each of them is a right answer.
    assert len(films.forest(2, 2, weights=[1, 1, 1, 1]).predict().answers[0]) == 4
    cells = tracing.trace((1, 1), (6, 12))
    assert films.line((1, 1), (6, 12)).predict().answers == [
        [f"cell ({row}, {col})"] for row, col in cells[1:].tolist()
    ]
    game = gw.LightEmAll.generate(5, 6, scramble=False, seed=1)
    for depth, names in enumerate(films.power(game).predict().answers, 1):
        assert sorted(names) == sorted(f"tile ({r}, {c})" for r, c in np.argwhere(game.distance == depth).tolist())
    game = gw.MyPhoton.level("example")
    steps = game.trace()
    answers = films.light(game).predict().answers
    for row, col, names in zip(steps["row"].tolist(), steps["col"].tolist(), answers, strict=True):
        assert f"tile ({row}, {col})" in names
    game = gw.GeeseSpotter.level("beginner")
    first = films.chances(game, moves=3).predict().answers[0]
    chances = np.where(game.view == "*", game.probabilities(), 2)
    assert sorted(first) == sorted(f"field ({r}, {c})" for r, c in np.argwhere(chances <= chances.min()).tolist())
    game = gw.Bloxorz.level("level01")
    answers = films.state_space(game).predict().answers
    firsts = _first_upright(gw.bloxorz.Terrain(game.text))
    assert [sorted(names) for names in answers] == [
        sorted(f"cell ({row}, {col})" for (row, col), at in firsts.items() if at == depth)
        for depth in sorted(set(firsts.values()) - {0})
    ]
    film = films.union_find(6, EDGES, WEIGHTS, names="ABCDEF")
    assert len(film.predict().answers) == 5
    assert film.predict().answers[0] == ["node B"]


def _first_upright(terrain) -> dict[tuple[int, int], int]:
    """Maps each cell to the fewest rolls after which the block stands upright on the cell.

    Cells that need more rolls than the target are left out.
    """
    start = gw.bloxorz.Block(*terrain.start)
    seen, layer, found = {str(start)}, [start], {terrain.start: 0}
    for depth in range(1, 100):
        following = []
        for block in layer:
            for direction in ("left", "up", "right", "down"):
                after = copy.copy(block)
                getattr(after, direction)()
                if terrain.can_hold(after) and str(after) not in seen:
                    seen.add(str(after))
                    following.append(after)
                    if after.is_standing():
                        found.setdefault(tuple(after.positions()[0]), depth)
        if terrain.target in found:
            return found
        layer = following
    raise AssertionError("the target cannot be reached")


@pytest.mark.parametrize("shape", [{}, {"hexagonal": True}, {"wrap": True}])
def test_the_film_of_the_diameter_ends_with_a_longest_path(shape):
    game = gw.LightEmAll.generate(6, 6, seed=2, **shape)
    reported = []
    film = films.diameter(game, progress=reported.append)
    assert reported[-1] == len(film)
    length = graph.diameter(36, game.tree)
    assert film.captions[-1] == f"a longest path: {length} edges"
    first = max(graph.bfs(36, game.tree, 0).depth.tolist())
    assert len(film) == first + length + 3
    for depth, names in enumerate(film.predict().answers[:first], 1):
        tiles = np.flatnonzero(graph.bfs(36, game.tree, 0).depth == depth)
        assert names == [f"tile ({tile // 6}, {tile % 6})" for tile in tiles.tolist()]
    with pytest.raises(ValueError, match="game must be a generated board of at most 400 tiles"):
        films.diameter(gw.LightEmAll.level("level01"))


def test_predict_refuses_films_without_places_to_click():
    game = gw.LightEmAll.generate(3, 3, seed=1)
    weights = graph.grid_weights(3, 3, seed=1)
    for film in (films.kruskal(game), game.animate(), films.forest(3, 3, weights=weights)):
        with pytest.raises(ValueError, match="predict needs a film of chances, diameter, forest"):
            film.predict()


def test_a_line_that_a_tolerance_cuts_short_does_not_claim_to_reach_the_head():
    ends = ((2.704, 0.092), (0.153, 3.248))
    full = films.line(*ends, "amanatides-woo-float", origin="corner")
    short = films.line(*ends, "amanatides-woo-float", origin="corner", tolerance=1.0)
    assert full.captions[-1] == "in (0, 3): the head is reached, 6 cells in all"
    assert short.captions[-1] == "in (0, 2): the tolerance ends the line before the head, 3 cells in all"


def test_an_answer_to_a_level_without_a_solution_highlights_no_line_of_the_search():
    film = films.state_space(gw.Bloxorz("SoT-"), own="r")
    assert (film.lines[-1], film.captions[-1]) == ((), "yours: 1 move, not solved; no solution")


def test_an_answer_is_shown_beside_the_correct_one():
    edges, weights = graph.grid_edges(3, 4), np.random.default_rng(3).permutation(17)
    tree = graph.kruskal(12, edges, weights).tolist()
    right = films.forest(3, 4, weights=weights, own=tree)
    assert len(right) == 12
    assert not any("not the lightest" in words or "loop" in words for words in right.captions)
    assert "your answer" in right.frame(3)
    # If all weights are equal, any order of the edges is right.
    assert not any("lightest" in words for words in films.forest(2, 2, weights=[1] * 4, own=[3, 2, 1]).captions)
    wrong = films.forest(3, 4, weights=weights, own=[*tree[:4], *tree[:4][::-1], *range(9)])
    assert next(at for at, words in enumerate(wrong.captions) if "closes a loop" in words) == 5
    assert len(wrong) == 18
    late = films.forest(1, 3, weights=[2, 1], own=[0, 1])
    assert late.captions[2] == "yours: edge 1-2, weight 1, taken too late; correct: edge 0-1, weight 2"
    late = films.forest(2, 2, weights=[1, 2, 3, 4], own=[0, 0, 1, 2])
    assert [words.partition(";")[0].partition("weight ")[2] for words in late.captions[1:]] == [
        "1",
        "1, closes a loop",
        "2, taken too late",
        "3, taken too late",
    ]
    for own in ([17], [-1], list(range(17)) * 2):
        with pytest.raises(ValueError, match="own must be at most 17 indices of edges from 0 to 16"):
            films.forest(3, 4, weights=weights, own=own)
    assert films.forest(3, 4, weights=weights, own=tree, strategy="both").captions == right.captions
    with pytest.raises(ValueError, match="^strategy must be 'both' or None with own, got 'naive'$"):
        films.forest(3, 4, weights=weights, own=tree, strategy="naive")
    game = gw.LightEmAll.generate(5, 6, seed=1)
    film = films.kruskal(game, own=game.tree)
    assert film.captions[-1] == "29 edges, 1 part; yours: 29 edges, 1 part"
    assert film.lines[-1] == (6,)
    film = films.kruskal(game, own=game.tree[:3].tolist() * 2, frames=5)
    assert film.captions[-1] == "29 edges, 1 part; yours: 6 edges, 27 parts, 3 close loops"
    with pytest.raises(ValueError, match="own must be at most 30 pairs of cell indices from 0 to 29"):
        films.kruskal(game, own=[(0, 30)])
    cells = tracing.trace((1, 1), (6, 12))
    assert not any("incorrect" in words for words in films.line((1, 1), (6, 12), own=cells).captions)
    film = films.line((1, 1), (6, 12), own=cells[:3][::-1])
    assert film.captions[0] == "yours: (2, 2), incorrect; correct: (1, 1)"
    assert film.captions[-1] == "yours: no cell; correct: (6, 12)"
    assert film._frames[1].description == "Your answer: 2 cells, 1 incorrect. Correct answer: 2 cells, 0 incorrect."
    game = gw.Bloxorz.level("level01")
    film = films.state_space(game, own=game.solve())
    assert film.captions[-2:] == ("a shortest solution: 7 moves", "yours: 7 moves; a shortest solution: 7 moves")
    assert films.state_space(game, own="dd").captions[-1].startswith("yours: 2 moves, not solved")
    with pytest.raises(gw.MoveError) as wrong_key:
        films.state_space(game, own="x")
    assert not isinstance(wrong_key.value, TypeError)
    with pytest.raises(TypeError, match="own must be moves that can be played: .* got int"):
        films.state_space(game, own=5)
    with pytest.raises(ValueError, match="predict needs a film of"):
        films.forest(1, 1).predict()


def sides_of(drawn: str, cells: Cells) -> list[tuple[int, int, int]]:
    """Returns row, column and side of all wires in path commands, which go from a center to a side or to a center."""
    number = r"(-?[\d.]+)"
    halves = [[float(x) for x in one] for one in re.findall(rf"M{number} {number}l{number} {number}", drawn)]
    # A wire that leaves the board ends beyond its border.
    assert all(0.7 < np.hypot(dx, dy) / cells.size < 0.8 for *_, dx, dy in halves)
    for x1, y1, x2, y2 in re.findall(rf"M{number} {number}L{number} {number}", drawn):
        x1, y1, x2, y2 = (float(x) for x in (x1, y1, x2, y2))
        assert abs(np.hypot(x2 - x1, y2 - y1) / cells.size - 1) < 0.01
        halves += [[x1, y1, x2 - x1, y2 - y1], [x2, y2, x1 - x2, y1 - y2]]
    sides, first = (6, 30) if cells.hexagonal else (4, 0)
    found = []
    for x, y, dx, dy in halves:
        turn = (np.degrees(np.arctan2(dx, -dy)) - first) * sides / 360
        assert abs(turn - round(turn)) < 0.01
        found.append((*cells.at(x, y), round(turn) % sides))
    return sorted(found)


@pytest.mark.parametrize("size", [(2, 2), (4, 4), (2, 5), (4, 2), (6, 3)])
@pytest.mark.parametrize("hexagonal", [False, True])
def test_films_of_a_board_with_joined_borders_draw_its_wires(size, hexagonal):
    for seed in range(4):
        game = gw.LightEmAll.generate(*size, seed=seed, hexagonal=hexagonal, wrap=True)
        wires = game.solved_wires.tolist()
        expected = [
            (row, col, side)
            for row, line in enumerate(wires)
            for col, code in enumerate(line)
            for side in range(6)
            if code >> side & 1
        ]
        kruskal, diameter = films.kruskal(game), films.diameter(game)
        drawn = [str(film._frames[-1].parts) for film in (kruskal, diameter)]
        assert sides_of(drawn[0], Cells(16, 16, 32, size, hexagonal)) == expected
        assert sides_of(drawn[1], Cells(20, 20, 40, size, hexagonal)) == expected


def test_an_answer_with_tiles_that_are_not_neighbors_is_drawn_dashed_and_counted():
    game = gw.LightEmAll.generate(3, 3, seed=1)
    film = films.kruskal(game, own=[(0, 1), (1, 2), (0, 2)])
    assert "Your answer: 3 edges, 7 parts, 1 closes a loop, 1 joins tiles that are not neighbors; 3 edges in all." in (
        film.description
    )
    assert "Correct answer: 8 edges, 1 part; 8 edges in all." in film.description
    assert film.frame(3).count("stroke-dasharray") == 1
    assert "stroke-dasharray" not in film.frame(2)
    film = films.kruskal(gw.LightEmAll.generate(1, 5, seed=1), own=[(0, 4), (1, 3)])
    assert film.captions[2] == "2 edges, 3 parts; yours: 2 edges, 3 parts, 2 join tiles that are not neighbors"
    for ends in ("M32 32L160 32", "M64 32L128 32"):
        assert ends in film.frame(2)
    # Opposite borders are joined, so the ends of a row of five are neighbors.
    game = gw.LightEmAll.generate(1, 5, seed=1, wrap=True)
    assert "neighbors" not in films.kruskal(game, own=[(0, 4), (3, 4)]).captions[2]


def test_the_key_of_the_film_of_a_search_fits_into_the_picture():
    for film in (
        films.state_space(gw.Bloxorz("SooT"), own="rr"),
        films.state_space(gw.Bloxorz("SooT")),
        films.state_space(gw.Bloxorz("SoT-"), own="r"),
    ):
        last = film._frames[-1]
        key = re.findall(r'<text x="([\d.]+)"[^>]*text-anchor="start"[^>]*>([^<]+)<', str(last.parts))
        assert len(key) >= 4
        assert all(float(x) + 7.2 * len(words) < last.width for x, words in key)
        assert {frame.width for frame in film._frames} == {last.width}


@pytest.fixture(scope="module")
def browser():
    with open_browser() as browser:
        yield browser


class Quiz:
    """A film as a quiz, on a page in a real browser."""

    def __init__(self, browser, film, tmp_path, **options):
        self.film = film.predict()
        self.film.save(tmp_path / "quiz.html")
        self.page = browser.new_page(viewport={"width": 1100, "height": 800}, **options)
        self.errors = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto((tmp_path / "quiz.html").as_uri())
        self.host = self.page.locator(".gridwright-animation > div")
        self.host.wait_for()

    def state(self) -> tuple[int, int, int]:
        """Returns the number of the frame, the number of right answers and the number of all answers."""
        return tuple(int(self.host.get_attribute(f"data-{name}")) for name in ("frame", "score", "tries"))

    def at(self, name: str) -> tuple[float, float]:
        """Returns the center of the place ``name`` on the page, in pixels."""
        box = self.page.get_by_role("button", name=name, exact=True).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def text(self, name: str) -> str:
        return self.page.locator(f"#{name}").text_content().strip()


def test_steps_are_predicted_with_the_mouse(browser, tmp_path):
    quiz = Quiz(browser, films.forest(3, 4, seed=3), tmp_path)
    right = [names[0] for names in quiz.film.answers]
    assert quiz.state() == (0, 0, 0)
    assert "Which edge is looked at next?" in quiz.text("question")
    quiz.page.mouse.click(*quiz.at(right[0]))
    assert quiz.state() == (1, 1, 1)
    assert quiz.text("question").startswith(f"Right: {right[0]}.")
    # After a wrong answer, the page names the right place, and another click changes nothing.
    quiz.page.mouse.click(*quiz.at(right[2]))
    assert quiz.state() == (1, 1, 2)
    assert quiz.text("question") == f"Not {right[2]}. It is {right[1]}."
    quiz.page.mouse.click(*quiz.at(right[1]))
    assert quiz.state() == (1, 1, 2)
    quiz.page.locator("#on").click()
    assert quiz.state() == (2, 1, 2)
    quiz.page.locator("#tell").click()
    assert quiz.text("question") == f"It is {right[2]}."
    quiz.page.locator("#on").click()
    for name in right[3:]:
        quiz.page.mouse.click(*quiz.at(name))
    count = len(right)
    assert quiz.state() == (count, count - 2, count)
    assert quiz.text("question").endswith(f"You predicted {count - 2} of {count} steps.")
    assert quiz.text("score") == f"{count - 2} of {count} right, 0 to come"
    quiz.page.locator("#again").click()
    assert quiz.state() == (0, 0, 0)
    assert not quiz.errors
    quiz.page.close()


def test_steps_are_predicted_with_the_keyboard(browser, tmp_path):
    quiz = Quiz(browser, films.line((0, 0), (2, 4)), tmp_path)
    quiz.page.keyboard.press("Tab")
    quiz.page.keyboard.press("Control+Enter")  # a shortcut of the browser, which the quiz ignores
    assert quiz.state() == (0, 0, 0)
    place = (0, 0)
    focused = "() => document.querySelector('.gridwright-animation > div').shadowRoot.activeElement"
    for at, (name,) in enumerate(quiz.film.answers, 1):
        row, col = (int(part) for part in re.findall(r"\d+", name))
        for key, steps in (("ArrowDown", row - place[0]), ("ArrowRight", col - place[1])):
            for _ in range(steps):
                quiz.page.keyboard.press(key)
        assert quiz.page.evaluate(f"({focused})().getAttribute('aria-label')") == name
        quiz.page.keyboard.press("Enter" if at % 2 else "Space")
        assert quiz.state() == (at, at, at)
        place = row, col
    assert not quiz.errors
    # A wrong answer moves the focus to "Next". Pressing "Next" moves the focus back to the board.
    quiz.page.locator("#again").click()
    quiz.page.keyboard.press("Shift+Tab")
    quiz.page.keyboard.press("Shift+Tab")
    quiz.page.keyboard.press("Enter")
    assert quiz.state() == (0, 0, 1)
    assert quiz.page.evaluate(f"({focused})().id") == "on"
    quiz.page.keyboard.press("Enter")
    assert quiz.state() == (1, 0, 1)
    assert quiz.page.evaluate(f"({focused})().getAttribute('role')") == "button"
    # When "Next" is pressed for the last time, it disappears, and the focus moves to "Start again".
    while quiz.page.locator("#tell").is_visible():
        quiz.page.locator("#tell").click()
        quiz.page.keyboard.press("Enter")
    assert quiz.page.evaluate(f"({focused})().id") == "again"
    quiz.page.close()


REACHED = """() => {
  const root = document.querySelector('.gridwright-animation > div').shadowRoot;
  const places = [...root.querySelectorAll('.place')];
  const press = (place, key) => {
    place.focus();
    place.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
    return root.activeElement;
  };
  const arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
  const next = new Map(places.map((place) => [place, arrows.map((key) => press(place, key))]));
  return places.map((start) => {
    const found = new Set([start]);
    for (const place of found) for (const other of next.get(place)) found.add(other);
    return places.length - found.size;
  });
}"""


def test_all_places_of_a_quiz_can_be_reached_with_the_arrow_keys(browser, tmp_path):
    sizes = [(1, 5), (2, 2), (3, 3), (5, 4), (9, 2)]
    quizzes = [
        *(films.forest(*size, hexagonal=hexagonal, seed=1) for size in sizes for hexagonal in (False, True)),
        *(films.diameter(gw.LightEmAll.generate(5, 4, hexagonal=each, seed=1)) for each in (False, True)),
        films.union_find(6, EDGES, WEIGHTS),
        *(FILMS[name]() for name in ("chances", "light", "line", "power", "state_space")),
    ]
    for film in quizzes:
        quiz = Quiz(browser, film, tmp_path)
        missed = quiz.page.evaluate(REACHED)
        assert len(missed) == len(quiz.film._places)
        assert not any(missed), (film.title, missed)
        assert not quiz.errors
        quiz.page.close()


def test_a_key_answers_for_the_place_with_the_focus(browser, tmp_path):
    quiz = Quiz(browser, films.line((0, 0), (2, 4)), tmp_path)
    right = quiz.film.answers[0][0]
    assert right == "cell (0, 1)"
    quiz.page.get_by_role("button", name=right, exact=True).focus()
    quiz.page.keyboard.press("Enter")
    assert quiz.state() == (1, 1, 1)
    quiz.page.get_by_role("button", name="cell (2, 3)", exact=True).focus()
    quiz.page.keyboard.press("ArrowRight")
    focused = "document.querySelector('.gridwright-animation > div').shadowRoot.activeElement"
    assert quiz.page.evaluate(f"{focused}.getAttribute('aria-label')") == "cell (2, 4)"
    assert not quiz.errors
    quiz.page.close()


def test_steps_are_predicted_by_touch_on_a_narrow_page(browser, tmp_path):
    game = gw.LightEmAll.generate(4, 5, scramble=False, seed=1)
    quiz = Quiz(browser, films.power(game), tmp_path, has_touch=True)
    quiz.page.set_viewport_size({"width": 390, "height": 800})
    for at, names in enumerate(quiz.film.answers, 1):
        quiz.page.get_by_role("button", name=names[0], exact=True).scroll_into_view_if_needed()
        quiz.page.touchscreen.tap(*quiz.at(names[0]))
        assert quiz.state() == (at, at, at)
    # On a narrow page, the pseudocode is below the picture, and nothing is wider than the page.
    film, code = (quiz.page.locator(f"svg.{name}").bounding_box() for name in ("film", "code"))
    assert code["y"] >= film["y"] + film["height"]
    assert quiz.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert not quiz.errors
    quiz.page.close()


def test_the_player_shows_the_pseudocode_beside_or_below_the_film(browser, tmp_path):
    film = films.forest(3, 4, seed=3)
    film.save(tmp_path / "film.html")
    page = browser.new_page(viewport={"width": 1200, "height": 700}, reduced_motion="reduce")
    page.goto((tmp_path / "film.html").as_uri())
    for width, beside in ((1200, True), (420, False)):
        page.set_viewport_size({"width": width, "height": 900})
        picture, code = (page.locator(f"svg.{name}").bounding_box() for name in ("film", "code"))
        assert (code["x"] >= picture["x"] + picture["width"]) == beside
        assert (code["y"] >= picture["y"] + picture["height"]) != beside
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    for frame in range(len(film)):
        page.locator("#at").fill(str(frame))
        lines = page.locator("svg.code [data-line]:visible")
        assert [int(lines.nth(k).get_attribute("data-line")) for k in range(lines.count())] == list(film.lines[frame])
        spoken = page.locator("#at").get_attribute("aria-valuetext")
        assert spoken.startswith(film.captions[frame])
        assert f"line {film.lines[frame][0]}: {film.code[film.lines[frame][0] - 1].strip()}" in spoken
    page.close()


def test_a_quiz_without_scripts_shows_a_still_picture_that_does_not_reveal_the_next_step(browser, tmp_path):
    film = films.line((0, 0), (2, 4)).predict()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    film.save(tmp_path / "quiz.html")
    page.goto((tmp_path / "quiz.html").as_uri())
    assert page.locator("img").count() == 1
    early = page.locator("img").screenshot()
    page.wait_for_timeout(1500)
    assert page.locator("img").screenshot() == early
    context.close()
    assert "next over" not in film.svg()


@pytest.mark.filterwarnings("ignore")  # the notebook tools issue warnings
def test_quizzes_in_a_notebook_keep_separate_scores(browser, tmp_path):
    client, exporters = pytest.importorskip("nbclient"), pytest.importorskip("nbconvert")
    nbformat = pytest.importorskip("nbformat")
    code = "from gridwright.draw import films\nfilms.line((0, 0), (2, 4)).predict()"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for _ in range(2)])
    client.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    text, _ = exporters.HTMLExporter().from_notebook_node(notebook)
    (tmp_path / "notebook.html").write_text(text, encoding="utf-8")
    page = browser.new_page(viewport={"width": 900, "height": 1200})
    page.goto((tmp_path / "notebook.html").as_uri(), wait_until="domcontentloaded")
    quizzes = page.locator(".gridwright-animation > div")
    quizzes.nth(1).wait_for()
    for name in ("cell (0, 1)", "cell (2, 4)"):
        quizzes.nth(1).get_by_role("button", name=name, exact=True).click()
    assert [quizzes.nth(k).get_attribute("data-tries") for k in (0, 1)] == ["0", "2"]
    assert quizzes.nth(1).get_attribute("data-score") == "1"
    page.close()


class Careless:
    """A union-find with a fault: ``find`` follows only one link."""

    def __init__(self, n):
        self.link = list(range(n))

    def find(self, x):
        return self.link[x]

    def union(self, a, b):
        self.link[self.find(b)] = self.find(a)


THEMED = {
    "own": lambda: films.state_space(gw.Bloxorz.level("level01"), own="rdrrdrr"),
    "predict": lambda: films.forest(3, 4, seed=3).predict(),
    "chances": lambda: films.chances(gw.GeeseSpotter.level("beginner"), moves=3),
    "watch": lambda: films.watch(Careless),
    "animate": lambda: gw.LightEmAll.generate(4, 5, seed=1).animate([(0, 1, 0)]),
}

PAINTS = """() => {
  const root = document.querySelector('.gridwright-animation > div').shadowRoot;
  const parts = [...root.querySelectorAll('svg.film *, svg.code *, p, .bar, .bar :not(input)')];
  return parts.filter((part) => part.tagName !== 'g' && !part.closest('[display=none]')).map((part) => {
    const {fill, stroke, color, backgroundColor, borderColor} = getComputedStyle(part);
    // The id of a pattern depends on its colors, which are compared as those of its shapes.
    const look = fill.replace(/-[0-9a-f]{8}"/, '"');
    return [part.tagName, look, stroke, color, backgroundColor, borderColor].join();
  }).sort();
}"""

LETTERS = """() => {
  const root = document.querySelector('.gridwright-animation > div').shadowRoot;
  const look = (part) => getComputedStyle(part);
  const on = (letters, ground) => [...root.querySelectorAll(letters)].map((part) =>
    [look(part).fill, look(root.querySelector(ground)).fill]);
  return [
    [look(document.body).color, look(document.body).backgroundColor],
    ...[...root.querySelectorAll('button')].map((part) => [look(part).color, look(part).backgroundColor]),
    ...on('.caption', 'svg.film > rect'), ...on('svg.code text', 'svg.code > g > rect'),
  ];
}"""


def code_of(color: str) -> str:
    """Returns a CSS color such as ``rgb(1, 2, 3)`` in hexadecimal notation, ``#010203``."""
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", color))


@pytest.mark.parametrize("name", THEMED)
def test_a_film_follows_the_color_scheme_of_its_page(browser, tmp_path, name):
    pages = {}
    for theme in (None, "light", "dark"):
        use_theme(theme)
        try:
            THEMED[name]().save(tmp_path / f"{theme}.html")
        finally:
            use_theme(None)
        pages[theme] = browser.new_page(viewport={"width": 1100, "height": 800}, reduced_motion="reduce")
        pages[theme].goto((tmp_path / f"{theme}.html").as_uri())
        pages[theme].locator(".gridwright-animation > div").wait_for()
    page, found = pages[None], []
    # After each change of the color scheme, the open page has the colors of a page made with only the matching theme.
    for look in ("dark", "light", "dark"):
        page.emulate_media(color_scheme=look)
        found.append(page.evaluate(PAINTS))
        assert found[-1] == pages[look].evaluate(PAINTS)
        letters = page.evaluate(LETTERS)
        assert letters == pages[look].evaluate(LETTERS)
        assert all(contrast(code_of(one), code_of(other)) >= 4.5 for one, other in letters)
        assert code_of(letters[0][1]) == (DARK if look == "dark" else LIGHT).page
    assert found[0] == found[2] != found[1]
    # A file with both themes is only slightly larger than a file with one.
    sizes = [(tmp_path / f"{theme}.html").stat().st_size for theme in (None, "light")]
    assert sizes[0] < 1.1 * sizes[1] + 2000
    for one in pages.values():
        one.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_film_in_a_notebook_follows_the_theme_of_the_notebook(browser, scripts):
    from PIL import Image

    context = browser.new_context(java_script_enabled=scripts, reduced_motion="reduce")
    page = context.new_page()
    html = films.forest(2, 3, seed=1)._repr_mimebundle_()["text/html"]
    shown = "svg.film" if scripts else "img"
    for mode, look in (
        ('data-jp-theme-light="false"', DARK),
        ('data-jp-theme-light="true"', LIGHT),
        ('class="vscode-dark"', DARK),
        ('data-md-color-scheme="slate"', DARK),
        ('style="color-scheme:dark"', DARK),
        ("", LIGHT),
    ):
        page.set_content(f"<body {mode}>{html}")
        drawn = Image.open(io.BytesIO(page.locator(shown).first.screenshot())).convert("RGB")
        assert "#{:02x}{:02x}{:02x}".format(*drawn.getpixel((drawn.width // 2, 2))) == look.page, mode
    context.close()


def test_films_with_a_chosen_theme_and_films_of_bitmaps_do_not_follow_the_page():
    board = gw.LightEmAll.generate(101, 100, seed=1)
    automatic = board.animate([(0, 1, 0)]).fragment()
    assert automatic == board.animate([(0, 1, 0)], theme="light").fragment()
    assert "color-scheme" not in films.line((0, 0), (2, 3), theme="dark").html()
    # Without a chosen theme, SVG files are light.
    assert films.line((0, 0), (2, 3)).svg() == films.line((0, 0), (2, 3), theme="light").svg()


def test_svg_from_elsewhere_runs_and_loads_nothing_in_a_page(browser, monkeypatch):
    """The attacks set a canary and send requests only in the last page, which embeds them unchanged."""
    attacks = "".join(ATTACKS).replace("alert(1)", "top.canary=1")
    attacks += '<animate attributeName="x" dur="0.01s" repeatCount="3" onbegin="top.canary=1" onrepeat="top.canary=1"/>'
    frame = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="top.canary=1">{attacks}<path/></svg>'
    words = "</title></svg><img src=x onerror=top.canary=1><script>top.canary=1</script>"
    film = Animation([frame, frame], [words, words], title=words, description=words, code=[words], lines=[1, 1])
    evil = type(words, (gw.Bloxorz,), {})(gw.Bloxorz.level("level01").text)
    safe = [film.html(), film.fragment(), evil.animate("rr").html()]
    safe += [evil._repr_mimebundle_()["text/html"], evil.svg(), film.svg()]
    # The player runs no foreign code even if the SVG is not cleaned beforehand.
    monkeypatch.setattr(foreign, "_clean", lambda _: None)
    safe.append(Animation([frame, frame]).fragment())
    for html, runs in [*((html, False) for html in safe), (f"<body>{frame}", True)]:
        page, asked = browser.new_page(), []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.set_content(html)
        page.wait_for_timeout(300)
        assert page.locator("svg,img").count() > 0
        assert page.evaluate("'canary' in window") == runs
        assert any("example.org" in url for url in asked) == runs
        page.close()


def test_the_film_of_chances_always_shows_a_field_with_the_lowest_chance():
    guesses = 0
    for seed in range(12, 36):
        game = gw.GeeseSpotter.generate(6, 7, 11, seed=seed)
        film = films.chances(game)
        for names, caption in zip(film.predict().answers, film.captions[:-1], strict=True):
            hidden = np.where(game.view == "*", game.probabilities(), 2)
            lowest = np.argwhere(hidden <= hidden.min() + 1e-12).tolist()
            assert names == [f"field ({row}, {col})" for row, col in lowest]
            shown = [int(number) for number in re.findall(r"\d+", caption)[:2]]
            assert shown in lowest
            guesses += "guess" in caption
            game.show(shown)
        assert film.captions[-1].startswith("won" if game.status == gw.Status.WON else "lost")
    assert guesses > 30


def test_an_option_that_a_film_sets_itself_is_refused():
    with pytest.raises(TypeError, match=r"^chances must not be given, got bool: the film always shows them$"):
        films.chances(gw.GeeseSpotter.level("level01"), chances=True)
    with pytest.raises(TypeError, match=r"^heads must not be given, got int: the film shows one more in each frame$"):
        films.light(gw.MyPhoton.level("example"), heads=2)


def test_the_film_of_chances_unmarks_a_marked_field_before_it_is_shown():
    game = gw.GeeseSpotter.generate(4, 4, 2, seed=3)
    for cell in np.ndindex(4, 4):
        game.mark(cell)
    film = films.chances(game)
    assert film.captions[0].startswith("unmark and show (")
    assert len(film.predict().answers[0]) == 16
    assert film.captions[-1].startswith(("won", "lost"))


def test_the_film_of_chances_of_a_board_full_of_geese_has_one_frame():
    assert films.chances(gw.GeeseSpotter("1 2 2\n29 29")).captions == ("only geese are hidden",)


@pytest.mark.parametrize("strategy", ["naive", "compression", "size", "both"])
def test_captions_of_the_film_of_a_forest_name_the_roots_of_the_drawn_trees(strategy):
    edges, weights = graph.grid_edges(3, 4), np.random.default_rng(5).permutation(17) + 1
    film = films.forest(3, 4, weights=weights, strategy=strategy)
    sets = graph.UnionFind(12, strategy=strategy)
    captions = []
    for edge in np.argsort(weights)[: len(film) - 1]:
        u, v = edges[edge].tolist()
        captions.append(f"edge {u}-{v}, weight {weights[edge]}, roots {sets.find(u)} and {sets.find(v)}")
        sets.union(u, v)
    assert [caption.partition(":")[0] for caption in film.captions[1:]] == captions


def test_captions_of_the_film_of_a_forest_tell_weights_apart():
    film = films.forest(1, 3, weights=[1000002, 1000001], own=[0, 1])
    assert film.captions[1] == ("yours: edge 0-1, weight 1000002, not the lightest; correct: edge 1-2, weight 1000001")
    for weights, words in (
        ([879318695, 2472490380], ("879318695", "2472490380")),
        ([0.3, 0.1 + 0.2], ("0.3", "0.30000000000000004")),
        (np.array([0.1, 0.25], np.float32), ("0.1", "0.25")),
        ([1.0, 1e22], ("1", "1e+22")),
        ([False, True], ("0", "1")),
        (np.array([2**64 - 2, 2**64 - 1], np.uint64), (str(2**64 - 2), str(2**64 - 1))),
    ):
        film = films.forest(1, 3, weights=weights)
        assert [re.search("weight (.*), roots", caption)[1] for caption in film.captions[1:]] == list(words)


def test_the_film_of_a_forest_writes_weights_on_edges_only_if_they_fit():
    assert ">872</text>" in films.forest(1, 3, weights=[871, 872]).frame(2)
    assert ">8725</text>" not in films.forest(1, 3, weights=[871, 8725]).frame(2)


def test_the_quiz_on_the_film_of_power_asks_only_about_tiles_with_power():
    game = gw.LightEmAll.from_wires([[2, 10, 10, 10, 8]], radius=1)
    assert game.powered.tolist() == [[True, True, True, True, False]]
    assert films.power(game).predict().answers == [["tile (0, 1)"], ["tile (0, 2)"], ["tile (0, 3)"]]
    assert films.power(game, frames=2).predict().answers == [["tile (0, 1)", "tile (0, 2)", "tile (0, 3)"]]


@pytest.mark.parametrize("name", FILMS)
def test_copies_and_pickles_of_a_film_look_like_the_film_and_ask_its_questions(name):
    film = FILMS[name]()
    for other in (copy.copy(film), copy.deepcopy(film), pickle.loads(pickle.dumps(film))):
        assert other.html() == film.html()
        assert (other.prediction is None) == (film.prediction is None)
        if film.prediction is not None:
            quiz = film.predict()
            for same in (other.predict(), copy.deepcopy(quiz), pickle.loads(pickle.dumps(other)).predict()):
                assert same.answers == quiz.answers
                assert same.html() == quiz.html()


def test_a_pickle_of_a_film_stores_each_piece_of_its_pictures_once():
    film = films.forest(8, 8)
    assert len(pickle.dumps(film)) < 1_500_000  # 6 MB if each picture is stored with all its pieces
