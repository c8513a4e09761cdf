"""Tests of animations: the merged picture of all frames, the page with the player, files, and the cells of pictures."""

from __future__ import annotations

import copy
import io
import itertools
import pickle
import random
import re
import xml.etree.ElementTree as ElementTree

import gridwright as gw
import numpy as np
import pytest
from conftest import ROOT, starts
from gridwright.draw import LIGHT, Animation, Picture, picture, png
from gridwright.draw.svg import Cells
from gridwright.draw.theme import BOTH, rgb
from PIL import Image

SCRIPTS = ("film", "player", "predict")
SVG = "{http://www.w3.org/2000/svg}"


def pixels(source: str) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png(source, scale=1))).convert("RGB"))


def played(game, plays: int = 5):
    """Returns a copy of a game after at most ``plays`` random legal moves."""
    game = game.copy()
    for seed in range(plays):
        move = game.sample_legal(seed)
        if move is None:
            break
        game.play(*move)
    return game


def shown_at(source: str, frame: int) -> str:
    """Returns the merged picture as the player shows it at one frame, without the groups of other frames."""
    root = ElementTree.fromstring(source)
    for parent in list(root.iter()):
        for child in list(parent):
            runs = child.get("data-f")
            if runs is None:
                continue
            pairs = [tuple(map(int, (run + "-" + run).split("-")[:2])) for run in runs.split()]
            assert pairs == sorted(pairs)
            if any(low <= frame <= high for low, high in pairs):
                child.attrib.pop("display", None)
                child.remove(child.find(f"{SVG}animate"))
            else:
                parent.remove(child)
    return ElementTree.tostring(root, encoding="unicode")


def test_the_merged_picture_shows_every_frame_as_it_was_drawn(kind):
    game = played(starts(kind)[0])
    film = game.animate()
    assert len(film) == len(game.moves) + 1
    merged = film.svg()
    replay = game.copy()
    replay.reset()
    for index in range(len(film)):
        expected = pixels(film.frame(index))
        assert np.array_equal(pixels(shown_at(merged, index)), expected), index
        alone = pixels(replay.svg())
        left = (expected.shape[1] - alone.shape[1]) // 2
        assert np.abs(expected[: alone.shape[0], left : left + alone.shape[1]].astype(int) - alone).mean() < 4
        replay.redo()


def test_the_timing_of_the_merged_picture_agrees_with_the_frames(kind):
    playable = [game for game in starts(kind) if len(game.legal_moves())]
    film = played(playable[-1]).animate(seconds=0.5)
    root = ElementTree.fromstring(film.svg())
    groups = [group for group in root.iter() if group.get("data-f")]
    assert groups
    for group in groups:
        timing = group.find(f"{SVG}animate")
        total = round(float(timing.get("dur").removesuffix("s")) / 0.5)
        assert total == len(film) + 2  # the last frame is shown for 1.5 seconds
        times = [float(word) for word in timing.get("keyTimes").split(";")]
        values = timing.get("values").split(";")
        assert times[0] == 0
        assert len(times) == len(values)
        runs = [tuple(map(int, (run + "-" + run).split("-")[:2])) for run in group.get("data-f").split()]
        for frame in range(len(film)):
            state = values[max(k for k, time in enumerate(times) if time * total <= frame + 0.5)]
            assert (state == "inline") == any(low <= frame <= high for low, high in runs)
        assert (group.get("display") == "none") == (runs[0][0] > 0)


def test_random_frames_are_recovered_from_the_merged_picture():
    rng = random.Random(7)
    shapes = [f'<rect x="{3 * k}" y="{k}" width="9" height="9" fill="#{k}{k}8"/>' for k in range(10)]
    for _ in range(20):
        frames = []
        for _ in range(12):
            frame = Picture(40, 24, LIGHT, title="Boxes", description="Boxes.")
            for shape in rng.sample(shapes, rng.randrange(10)):
                grouped = rng.random() < 0.4
                if grouped:
                    frame.begin(**rng.choice([{"transform": "translate(1 2)"}, {"opacity": 0.5}]))
                frame.add(shape)
                if grouped:
                    frame.end()
            frames.append(frame)
        film = Animation(frames)
        merged = film.svg()
        for index, frame in enumerate(frames):
            assert np.array_equal(pixels(shown_at(merged, index)), pixels(frame.render()))


def test_parts_that_do_not_change_are_stored_once():
    game = gw.Bloxorz.level("level24")
    film = game.animate("rl" * 40)
    assert len(film) == 81
    assert len(film.svg()) < 4 * len(game.svg()) + 250 * len(film)
    assert len(film.svg()) < 0.1 * sum(len(film.frame(k)) for k in range(len(film)))


def test_animating_moves_does_not_change_the_game():
    game = gw.Bloxorz.level("level01")
    game.play("r")
    film = game.animate(game.solve())
    assert film.captions[:2] == ("start", "1 of 6: right")
    assert len(game.moves) == 1
    assert len(game.animate(np.array([[3], [2]]))) == 3
    assert len(game.animate()) == 2
    with pytest.raises(gw.MoveError):
        game.animate("rq")


def test_a_film_shows_one_position_even_if_another_thread_plays(kind, monkeypatch):
    game = kind.level(kind.levels()[0])
    made = kind.copy

    def interrupted(self):
        copied = made(self)
        if self is game:
            # What another thread may do after the copy is made.
            self.play(*self.sample_legal(1))
        return copied

    monkeypatch.setattr(kind, "copy", interrupted)
    assert game.animate().captions == ("start",)


def test_copies_and_pickles_of_a_film_look_like_the_film(tmp_path):
    film = gw.Bloxorz.level("level01").animate("rr")
    for name, other in (
        ("copy", copy.copy(film)),
        ("deepcopy", copy.deepcopy(film)),
        ("pickle", pickle.loads(pickle.dumps(film))),
    ):
        assert other.html() == film.html()
        assert other.svg() == film.svg()
        assert "light-dark" not in other.frame(0)
        other.save(tmp_path / f"{name}.png")
        with Image.open(tmp_path / f"{name}.png") as image:
            assert image.convert("RGB").getpixel((2, 2)) == rgb(LIGHT.page)
    assert pickle.loads(pickle.dumps(BOTH)) is BOTH


def test_the_page_refers_to_no_other_file():
    page = gw.Bloxorz.level("level01").animate("rrd").html()
    assert page.startswith("<!doctype html>")
    assert "<title>Bloxorz, 3 moves</title>" in page
    outside = re.findall(r"(?:https?:)?//[a-z][^\s\"'<]*", re.sub(r"base64,[^\"]*", "", page))
    assert not outside
    assert re.search(r'<img src="data:image/svg\+xml;base64,[^"]+" alt="Bloxorz, 3 moves"', page)


def test_films_and_games_are_saved_in_the_format_that_the_file_extension_names(tmp_path):
    game = gw.Bloxorz.level("level01")
    game.play("rrd")
    film = game.animate(seconds=0.25)
    for ending in ("html", "svg", "gif", "png"):
        film.save(tmp_path / f"film.{ending}")
    game.save_image(tmp_path / "game.gif")
    game.save_image(tmp_path / "game.apng")
    for name in ("film.gif", "film.png", "game.gif", "game.apng"):
        with Image.open(tmp_path / name) as image:
            assert image.n_frames == 4, name
            image.seek(3)
            last = np.asarray(image.convert("RGB")).astype(int)
        expected = pixels(film.frame(3)).astype(int)
        assert np.abs(last - expected).mean() < (0.5 if name.endswith("gif") else 0.01), name
    assert "<animate" in (tmp_path / "film.svg").read_text()
    assert film.html() == (tmp_path / "film.html").read_text()
    game.reset()
    game.save_image(tmp_path / "still.gif")
    with pytest.raises(ValueError, match=r"path must end in .html, .svg, .gif, .png or .apng, got '.*[.]mp4'"):
        film.save("film.mp4")


def test_wrong_arguments_of_an_animation_are_named_in_the_error():
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"><g><rect width="1"/></g></svg>'
    assert "<rect" in Animation([svg, svg]).svg()
    for frames, options, sentence in (
        ([], {}, "frames must hold at least 1 picture, got 0"),
        (["<svg"], {}, "frames must be SVG strings, got one that does not parse"),
        (["<p/>"], {}, "frames must be SVG strings, got one whose root is not an svg element"),
        ([svg], {"code": ["a", "b"], "lines": [3]}, "lines must be between 1 and 2, got 3"),
        ([svg], {"code": ["a", "b"], "lines": [1, 1]}, "lines must hold 1 entry, one per frame, got more"),
        ([svg], {"code": ["a", "b"]}, "lines must hold 1 entry, one per frame, got 0"),
        ([svg], {"lines": [1]}, "lines must be empty without code, got at least 1 entry"),
        ([svg], {"code": ["a\nb"], "lines": [1]}, r"code must be lines without line breaks, got 'a\\nb'"),
        ([svg], {"code": ["a"] * 1001, "lines": [1]}, "code must be at most 1000 lines, got more"),
        ([svg], {"code": ["a"], "lines": [[1] * 1001]}, "lines must be at most 1000 numbers per frame, got more"),
        ([svg], {"captions": ["a", "b"]}, "captions must hold 1 string, one per frame, got more"),
        *(
            ([svg], {name: value, **more}, f"{name} must be encodable as UTF-8")
            for name, value, more in (
                ("captions", ["\ud800"], {}),
                ("title", "\ud800", {}),
                ("description", "\ud800", {}),
                ("code", ["\ud800"], {"lines": [1]}),
            )
        ),
        (["\ud800"], {}, "frames must be encodable as UTF-8"),
        ([svg], {"seconds": 0}, "seconds must be between 0.01 and 60, got 0"),
        (
            [svg.replace("<rect", "<g>" * 2000 + "</g>" * 2000 + "<rect")],
            {},
            "frames must nest elements at most 100 deep",
        ),
        ([svg.replace('"4"', '"0"')], {}, "frames must have a width and a height"),
        ([svg.replace('"4"', '"."')], {}, "frames must have a width and a height"),
        ([svg.replace("width", 'viewBox="0 0 -4 3" width', 1)], {}, "frames must have a width and a height"),
    ):
        with pytest.raises(ValueError, match=sentence):
            Animation(frames, **options)
    for frames in ([3], range(3, 10**12)):
        with pytest.raises(TypeError, match="frames must be Pictures or SVG strings, got 3"):
            Animation(frames)


def test_a_piece_can_be_an_element_without_attributes():
    drawn = Picture(4, 3, LIGHT, title="", description="")
    with drawn.piece("dot"):
        drawn.shape("g")
    assert drawn.parts[-1] == '<g data-id="dot"><g/></g>'


def test_sizes_of_frames_are_read_in_every_number_format_of_svg():
    for box in ("0 0 40 3e1", "0,0,4e+1,30.", "-1.5-2 40 +30"):
        film = Animation([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"/>'])
        assert (film.width, film.height) == (40, 30)


def test_a_picture_refuses_a_wrong_path():
    drawn = picture(gw.Bloxorz.level("level01"))
    with pytest.raises(TypeError, match="path must be a path, got 5 .int."):
        drawn.save(5)
    with pytest.raises(ValueError, match="path must end in .svg or .png, got 'a.gif'"):
        drawn.save("a.gif")


def test_every_picture_has_cells_and_a_description(kind):
    for game in starts(kind):
        for theme in ("light", "dark"):
            drawn = picture(game, theme=theme)
            assert drawn.title
            assert len(drawn.description) > 20
            assert drawn.cells is not None
            height, width = game.shape
            for row in {0, height // 2, height - 1}:
                for col in {0, width // 2, width - 1}:
                    x, y = drawn.cells.center(row, col)
                    assert drawn.cell_at(x, y) == (row, col)
                    for corner_x, corner_y in drawn.outline(row, col, 0.05):
                        assert drawn.cell_at(corner_x, corner_y) == (row, col)
                        assert 0 <= corner_x <= drawn.width
                        assert 0 <= corner_y <= drawn.height
            assert drawn.cell_at(-1, -1) is None


def test_a_point_belongs_to_the_hexagon_with_the_nearest_center():
    cells = Cells(3, 4, 20, (5, 6), hexagonal=True)
    rng = random.Random(1)
    centers = {(row, col): cells.center(row, col) for row in range(-1, 6) for col in range(-1, 7)}
    for _ in range(2000):
        x, y = rng.uniform(3, 130), rng.uniform(4, 100)
        nearest = min(centers, key=lambda cell: (centers[cell][0] - x) ** 2 + (centers[cell][1] - y) ** 2)
        inside = 0 <= nearest[0] < 5 and 0 <= nearest[1] < 6
        assert cells.at(x, y) == (nearest if inside else None)


def test_the_scripts_use_only_their_own_element_and_load_nothing():
    """Each script finds its element by ``currentScript`` and loads nothing, as VS Code and Colab require."""
    film, player, predict = ((ROOT / f"python/gridwright/draw/{name}.js").read_text() for name in SCRIPTS)
    scripts = [re.sub(r"^ *//.*$", "", text, flags=re.M) for text in (film + player, film + predict)]
    for script in scripts:
        assert script.count("document.currentScript.parentElement") == 1
        used = set(re.findall(r"document\.(\w+)", script))
        assert used <= {"currentScript", "createElement", "createElementNS", "importNode"}
        assert "innerHTML = quiz" not in script
    widget = (ROOT / "python/gridwright/play/widget.js").read_text()
    for script in (*scripts, widget):
        assert not re.search(r"fetch\(|XMLHttpRequest|import\s*\(|^import |https?://|\burl\(", script, flags=re.M)


def test_a_large_board_of_geese_takes_few_bytes():
    game = gw.GeeseSpotter.generate(16, 30, 99, safe=(8, 15), seed=1)
    one = len(game.svg())
    assert one < 80 * game.board.size
    game.show((8, 15))
    root = ElementTree.fromstring(game.svg())
    # A row has a few shapes, not one per field, and every pattern that fills a shape is defined.
    assert len(list(root.iter())) < 12 * game.height + 2 * game.width
    fills = {part.get("fill", "") for part in root.iter()}
    names = {f"url(#{pattern.get('id')})" for pattern in root.iter(f"{SVG}pattern")}
    assert names == {fill for fill in fills if fill.startswith("url")}
    assert root.findtext(f"{SVG}title").startswith("GeeseSpotter, 16 rows")
    assert "480 fields" in root.findtext(f"{SVG}desc")


def test_animating_wrong_moves_raises_move_error_and_does_not_change_the_game(kind):
    game = kind.level(kind.levels()[0])
    before, rank = game.copy(), len(game.bounds)
    wrong = (b"x", bytearray(b"x"), 5, 1.5, object(), {"a": 1}, np.array(3), [None], [b"x"], "x", "q9", [["r", "r"]])
    numbers = ([[99] * rank], [[-1] * rank], [[0.5] * rank], [[0] * (rank + 1)], [[0] * (rank - 1)], [[10**30] * rank])
    for moves in (*wrong, *numbers):
        with pytest.raises(gw.MoveError, match="must (be|have)"):
            game.animate(moves)
    with pytest.raises(gw.MoveError, match="moves must hold at most 1,000,000 moves, got more"):
        game.animate(itertools.repeat([0] * rank))
    assert game == before


def test_keys_are_letters_or_numbers_singly_or_in_groups():
    game = gw.Bloxorz.level("level01")
    expected = game.animate("rrD").captions
    for keys in (["rr", "d"], [2, 2, 3], [[2], [2], [3]], np.array([[2], [2], [3]]), np.array([2, 2, 3]), iter("rrd")):
        assert game.animate(keys).captions == expected
    rolled = game.animate("rrd", view="3d", steps=2)
    for keys in (["rr", "d"], [2, 2, 3], np.array([[2], [2], [3]])):
        assert game.animate(keys, view="3d", steps=2).captions == rolled.captions
    for keys in (b"rr", 3, "rx", [[9]], [None]):
        with pytest.raises(gw.MoveError, match="must (be|have)"):
            game.animate(keys, view="3d", steps=2)
    with pytest.raises(gw.IllegalMoveError, match="cannot switch cubes"):
        game.animate("rs", view="3d", steps=2)
