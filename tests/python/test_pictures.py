"""Tests of pictures and films: they show the whole position, their sizes are bounded, and foreign code is removed."""

from __future__ import annotations

import base64
import dataclasses
import importlib
import inspect
import io
import itertools
import math
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from typing import Any

import games
import gridwright as gw
import numpy as np
import pytest
from conftest import starts
from gridwright import tracing
from gridwright.draw import (
    DARK,
    LIGHT,
    Animation,
    between,
    caption,
    films,
    numbered,
    photon,
    picture,
    plain,
    png,
    replay,
)
from gridwright.draw.bitmap import MAX_CELLS
from gridwright.draw.films.lines import digits
from PIL import Image

SVG = "{http://www.w3.org/2000/svg}"


def pixels(source: str) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png(source, scale=1))).convert("RGB")).astype(int)


def rgb(color: str) -> tuple[int, ...]:
    return tuple(int(color[at : at + 2], 16) for at in (1, 3, 5))


# Plain text.


@pytest.mark.parametrize("level", ["level02", "level05", "level08", "level14"])
def test_different_states_of_bloxorz_print_differently(level):
    graph = gw.Bloxorz.level(level).state_graph()
    seen = {}
    for state in range(min(len(graph), 300)):
        game = graph.position(state)
        text = plain(game)
        assert seen.setdefault(text, game.text) == game.text, text


def test_the_orientation_of_the_block_and_the_state_of_a_bridge_are_visible():
    game = gw.Bloxorz("SoooT\nooaoA\n#AOa\n%a")
    assert plain(game).splitlines() == ["o@o o o T", "o o a=o A"]
    game.play("r")
    assert plain(game).splitlines()[0] == "o o#o#o T"
    off = gw.Bloxorz("SoooT\nooaoA\n#AOa")
    assert plain(off) != plain(gw.Bloxorz("SoooT\nooaoA\n#AOa\n%a"))
    assert off.svg() != gw.Bloxorz("SoooT\nooaoA\n#AOa\n%a").svg()


@pytest.mark.parametrize("hexagonal", [False, True])
def test_boards_of_tiles_print_the_whole_position(hexagonal):
    """Random boards have equal text only if their wires, power, stations and wrapping are equal."""
    rng = np.random.default_rng(1)
    seen: dict[str, object] = {}
    for _ in range(150):
        wires = rng.integers(0, 64 if hexagonal else 16, (2, 3))
        station = tuple(int(k) for k in (rng.integers(2), rng.integers(3)))
        wrap = bool(rng.integers(2)) and not hexagonal
        game = gw.LightEmAll.from_wires(wires, station, hexagonal=hexagonal, wrap=wrap)
        key = (wires.tobytes(), station, wrap, game.powered.tobytes())
        assert seen.setdefault(plain(game), key) == key
    assert len(seen) > 100


def test_wires_of_hexagonal_boards_print_as_diagonals():
    game = gw.LightEmAll("2 2 hex\n0408\n2001\nstation 0 0")
    lines = plain(game).splitlines()
    # The wire of (0, 0) runs to the lower right and meets the wire of (1, 0): they print as two adjacent backslashes.
    y, x = 2, lines[2].index("★")
    assert (lines[y + 1][x + 1], lines[y + 2][x + 2], lines[y + 3][x + 3]) == ("\\", "\\", "●")
    assert "○" in lines[2]
    with_power = gw.LightEmAll("1 2\n28\nstation 0 0")
    assert plain(with_power) == "+-----+\n|[╺]╸ |\n+-----+"


def test_row_and_column_numbers_are_at_their_cells(kind):
    from gridwright.draw import text_grid

    game = kind.level(kind.levels()[0])
    lines = numbered(game).splitlines()
    grid, margin = text_grid(game), len(str(game.height - 1)) + 1
    rulers = len(str(game.width - 1))
    for col in range(game.width):
        x = grid.place(0, col)[0] + margin
        number = "".join(lines[k][x : x + 1] or " " for k in range(rulers)).strip()
        assert number == str(col)
    for row in range(game.height):
        assert lines[rulers + grid.place(row, 0)[1]].startswith(str(row).rjust(margin - 1))


def test_blank_rows_are_numbered_at_the_bottom_too(monkeypatch):
    monkeypatch.setattr("gridwright.draw.plain", lambda game: "o" + "\n" * (game.height - 1))
    assert numbered(gw.Bloxorz.level("level01")).splitlines()[1:] == ["0 o", "1", "2", "3", "4", "5"]


def test_captions_name_the_move_and_its_cells():
    game = gw.MyPhoton.level("example")
    moves = game.solve()
    captions = []
    for move in moves:
        captions.append(caption(game, move))
        game.play(*move)
    assert all(re.fullmatch(r"(move \(\d+, \d+\) to|swap \(\d+, \d+\) with) \(\d+, \d+\)", words) for words in captions)
    assert caption(gw.LightEmAll.level("level01"), (0, 1, 2)) == "turn (1, 2)"


def test_captions_say_whether_a_mark_is_placed_or_removed():
    game = gw.GeeseSpotter("1 4 1\n30 00 21 29")
    game.mark((0, 3))
    game.play_on()
    captions = ("mark (0, 3)", "show (0, 2)", "unmark (0, 0)", "show (0, 0)")
    assert game.animate().captions == ("start", *(f"{k} of 4: {words}" for k, words in enumerate(captions, 1)))


def test_caption_refuses_arguments_that_are_not_moves():
    for game, moves in (
        (gw.Bloxorz.level("level01"), [("rd",), ("",), (1.7,), (1, 2, 3), (5,), (-1,)]),
        (gw.LightEmAll.level("level01"), [(0, -1, 0), (0, 99, 0), (0, 0), (2, 0, 0), (0, 0, 1.5)]),
        (gw.GeeseSpotter.level("level01"), [(2, 0, 0), (0, -1, 0), "show"]),
        (gw.MyPhoton.level("example"), [(0, 0, -1, 0), (0, 0)]),
        (gw.LinearDomination.level("level01"), [(0, 0, 0), (0.5, 0, 1, 1), range(10**9)]),
    ):
        for move in moves:
            with pytest.raises(TypeError, match="^move must be a move of the game, got "):
                caption(game, move)


def test_an_illegal_play_off_the_board_is_drawn_and_described():
    game = gw.LinearDomination("6 2\n")
    game.draw((-1, 0), (0, 0))
    assert game.animate().captions == ("start", "1 of 1: X from (-1, 0) to (0, 0): off the board")


# Shapes.


def test_walls_merge_along_rows_and_columns():
    game = gw.MyPhoton("5 5\nW W W W W\nW . . . W\nW . L> S<W\nW . M/. W\nW W W W W")
    for theme in (LIGHT, DARK):
        drawn = picture(game, theme=theme, size=40)
        image = pixels(drawn.render())
        for one, other in (((0, 1), (0, 2)), ((1, 0), (2, 0)), ((0, 0), (1, 0)), ((3, 4), (4, 4))):
            (x1, y1), (x2, y2) = drawn.cells.center(*one), drawn.cells.center(*other)
            assert tuple(image[round((y1 + y2) / 2), round((x1 + x2) / 2)]) == rgb(theme.tile), (one, other)
        # An edge separates a wall from the floor.
        (x1, y1), (x2, y2) = drawn.cells.center(0, 2), drawn.cells.center(1, 2)
        assert tuple(image[round((y1 + y2) / 2), round(x1)]) == rgb(theme.tile_edge)


def beyond_the_frame(game, theme) -> int:
    """Returns the number of pixels outside the board's frame that do not have the color of the page."""
    drawn = picture(game, theme=theme, size=40)
    image = pixels(drawn.render())
    wide, high = drawn.cells.extent
    left, top = drawn.cells.x, drawn.cells.y
    image[round(top) - 2 : round(top + high) + 2, round(left) - 2 : round(left + wide) + 2] = rgb(theme.page)
    corner = 12  # the rounded corners of the page are left out
    inner = image[corner:-corner, corner:-corner]
    return int((inner != np.array(rgb(theme.page))).any(axis=2).sum())


def test_wires_stop_at_the_frame_unless_the_board_wraps():
    everything = np.full((3, 4), 15)
    for theme in (LIGHT, DARK):
        assert beyond_the_frame(gw.LightEmAll.from_wires(everything), theme) == 0
        assert beyond_the_frame(gw.LightEmAll.from_wires(everything, wrap=True), theme) > 50
    # Only the tile of the station has power. The thin wires of tiles without power stop at the frame too.
    assert beyond_the_frame(gw.LightEmAll("2 2\n11\n44\nstation 0 0"), LIGHT) == 0


def test_powered_tiles_keep_their_colors_if_more_tiles_get_power():
    def colors(game) -> dict[str, str]:
        root = ElementTree.fromstring(game.svg())
        return {part.get("data-id"): part.get("stroke") for part in root.iter(f"{SVG}path") if part.get("data-id")}

    game = gw.LightEmAll("1 6\n2aa42a\nstation 0 0")
    before = colors(game)
    assert game.powered.sum() == 3
    game.rotate((0, 3))
    assert game.powered.sum() > 3
    after = colors(game)
    for col in range(3):
        assert before[f"c0-{col}"] == after[f"c0-{col}"]


def test_lines_do_not_cross_symbols_and_the_axes_are_numbered():
    for name in ("first_lines", "crowd", "corners"):
        game = gw.LinearDomination.level(name)
        drawn = picture(game, size=40, lines=8)
        source = drawn.render()
        root = ElementTree.fromstring(source)
        groups = {part.get("data-id"): part for part in root.iter() if part.get("data-id")}
        lines = [
            [float(line.get(key)) for key in ("x1", "y1", "x2", "y2")] for line in groups["lines"].iter(f"{SVG}line")
        ]
        assert lines
        plates = [(float(c.get("cx")), float(c.get("cy"))) for c in groups["symbols"] if c.get("class") != "symbol"]
        for symbol in groups["symbols"]:
            if symbol.get("class") != "symbol":
                continue
            if symbol.tag == f"{SVG}circle":
                x, y = float(symbol.get("cx")), float(symbol.get("cy"))
            else:
                numbers = [float(word) for word in re.findall(r"[\d.]+", symbol.get("d"))]
                x, y = sum(numbers[::2]) / 4, sum(numbers[1::2]) / 4
            for x1, y1, x2, y2 in lines:
                t = max(0, min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2)))
                away = math.hypot(x - x1 - t * (x2 - x1), y - y1 - t * (y2 - y1))
                # Unless the line passes the symbol at a distance, a plate below the symbol covers the line.
                covered = any(math.hypot(x - px, y - py) < 0.1 for px, py in plates)
                assert away > 40 * 0.15 * 0.8 * 1.41 or covered, (name, x, y, away)
        texts = [text.text for text in root.iter(f"{SVG}text")]
        assert str(game.size - 1) in texts
        assert texts.count("0") == 2


@pytest.mark.parametrize("size", [22, 27, 38, 60])
def test_row_numbers_of_three_digits_are_not_cut_off(size):
    drawn = pixels(gw.LightEmAll.generate(150, 3, seed=1).svg(axes=True, size=size))
    edge = drawn[20:-20, 0]
    assert (edge == edge[0]).all()


def test_the_legend_of_bloxorz_describes_what_switches_do():
    game = gw.Bloxorz("SooAoB\nooCoDo\nabcooT\noooooo\n#AOb\n#BXa\n#CO-b\n#COc\n#DS 0 0 4 3")
    text = " ".join(ElementTree.fromstring(game.svg()).itertext())
    for words in (
        "soft switch: toggles b",
        "heavy switch: toggles a",
        "turns off b, toggles c",
        "cubes appear at D1 and D2",
    ):
        assert words in text
    assert {"D1", "D2"} <= {one.text for one in ElementTree.fromstring(game.svg()).iter(f"{SVG}text")}
    assert {"D1", "D2"} <= {one.text for one in ElementTree.fromstring(game.svg(view="3d")).iter(f"{SVG}text")}
    assert "switch" not in " ".join(
        one.text or "" for one in ElementTree.fromstring(game.svg(legend=False)).iter(f"{SVG}text")
    )
    assert game.svg(highlight="B") != game.svg()
    with pytest.raises(ValueError, match="highlight must be .*, got"):
        game.svg(highlight="z")
    with pytest.raises(ValueError, match="^highlight must be None, because the level has no switches, got 'A'$"):
        gw.Bloxorz.level("level01").svg(highlight="A")


def test_an_id_names_one_element_whatever_pictures_share_a_page():
    found: dict[str, str] = {}

    def read(source: str) -> None:
        root = ElementTree.fromstring(source)
        named = {
            part.get("id"): ElementTree.tostring(part, encoding="unicode") for part in root.iter() if part.get("id")
        }
        assert set(re.findall(r'(?:url\(|href=")#([^")]*)', source)) <= named.keys()
        for key, element in named.items():
            assert found.setdefault(key, element) == element, key

    looks = (LIGHT, DARK, dataclasses.replace(LIGHT, tile=LIGHT.blue))
    for kind in gw.GAMES.values():
        drawing = inspect.signature(importlib.import_module(f"gridwright.draw.{kind.NAME}").picture).parameters.values()
        options = [{}, *({"view": view} for view in kind.VIEWS), *getattr(games.of(kind), "PICTURES", ())]
        options += [{one.name: not one.default} for one in drawing if isinstance(one.default, bool)]
        start = games.of(kind).position()
        game = start.copy()
        game.play(*game.sample_legal(1))
        for board, option in itertools.product((start, game), options):
            shown = [picture(board, theme=look, **option) for look in looks]
            for one in (*shown, Animation(shown), replay(board, theme="dark", **option)):
                read(one.svg() if isinstance(one, Animation) else one.render())


def test_a_picture_in_a_notebook_has_the_colors_of_both_themes(kind):
    game = games.of(kind).position()
    source = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', game._repr_mimebundle_()["text/html"])
    text = base64.b64decode(source[1]).decode()
    for look, colors in ((LIGHT, text), (DARK, text[text.index("prefers-color-scheme:dark") :])):
        assert set(re.findall(r'="(#[0-9a-f]{6})"', game.svg(theme=look))) <= set(re.findall("#[0-9a-f]{6}", colors))


def test_boards_of_two_themes_in_a_film_have_their_own_tiles():
    game = gw.GeeseSpotter.generate(5, 5, 4, safe=(2, 2), seed=1)
    game.show((2, 2))
    shown = [picture(game, theme=look) for look in (LIGHT, DARK)]
    still = re.sub("<animate[^>]*>", "", Animation(shown).svg()).replace(' display="none"', "")
    for one, other in ((0, 1), (1, 0)):
        frame = still.replace(f'data-f="{other}"', 'display="none"')
        # The corners of a picture are round, those of a film are not.
        inner = np.s_[10:-10, 10:-10]
        assert (pixels(frame)[inner] == pixels(shown[one].render())[inner]).all()


def test_the_changes_turn_the_old_picture_into_the_new_one(kind):
    for game in starts(kind):
        game = game.copy()
        move = game.sample_legal(3)
        if move is None:
            continue
        before = picture(game)
        assert picture(game).changes(before) == {}
        game.play(*move)
        after = picture(game)
        changed = after.changes(before)
        if changed is None:
            continue
        # Replacing the changed parts of `before` yields `after`, apart from the title and the description.
        text = before.render()
        for key, part in changed.items():
            old = before.parts[before.ids[key]]
            assert text.count(old) == 1
            assert f'data-id="{key}"' in part
            text = text.replace(old, part)
        words = re.compile(r"<title>.*?</desc>|aria-label=\"[^\"]*\"", re.DOTALL)
        assert words.sub("", text) == words.sub("", after.render())


def test_one_turn_changes_one_cell_of_the_picture():
    game = gw.LightEmAll.generate(40, 40, seed=1)
    before = picture(game)
    row, col = np.argwhere(~game.powered)[-1].tolist()
    game.rotate((row, col))
    changed = picture(game).changes(before)
    assert set(changed) == {f"c{row}-{col}"}
    assert sum(map(len, changed.values())) < 300


# Large boards.


@pytest.mark.parametrize(
    "game",
    [
        *(gw.GAMES[name](large(110)) for name, large in games.every("large").items()),
        gw.LightEmAll.generate(120, 110, seed=1, hexagonal=True),
    ],
    ids=lambda game: type(game).__name__,
)
def test_large_boards_are_drawn_as_one_bitmap(game):
    assert game.board.size > MAX_CELLS
    drawn = picture(game)
    source = drawn.render()
    assert source.count("<image") == 1
    assert len(source) < 400_000
    data = re.search(r'href="data:image/png;base64,([^"]+)"', source).group(1)
    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        side = image.height // game.height
        shift = side // 2 if getattr(game, "hexagonal", False) else 0  # odd rows of hexagons are shifted
        assert image.width == game.width * side + shift
        assert image.height % game.height == 0
        assert len(image.convert("RGB").getcolors(100_000)) > 1
    for cell in ((0, 0), (game.height - 1, game.width - 1), (50, 60)):
        assert drawn.cell_at(*drawn.cells.center(*cell)) == cell
    assert pixels(source).std() > 1


def test_a_large_board_in_three_dimensions_has_the_sizes_of_a_drawing():
    game = gw.Bloxorz.blank(101, 1000)
    assert game.svg(view="3d") == game.svg(view="3d", size=4)
    assert game.svg() == game.svg(size=1)
    assert game.svg(size=0.5) == game.svg(size=0.5, view="flat")
    with pytest.raises(ValueError, match="^size must be between 1 and 1000, got 0.5"):
        game.svg(view="3d", size=0.5)


def test_hexagons_of_a_bitmap_are_drawn_where_clicks_find_them():
    game = gw.LightEmAll.generate(120, 110, seed=1, hexagonal=True)
    for row, col in ((60, 55), (61, 55)):
        game = gw.LightEmAll(re.sub(r"station \d+ \d+", f"station {row} {col}", game.text))
        drawn = picture(game, size=8)
        x, y = drawn.cells.center(row, col)
        assert drawn.cell_at(x, y) == (row, col)
        seen = pixels(drawn.render())[round(y) - 1 : round(y) + 2, round(x) - 1 : round(x) + 2].reshape(-1, 3)
        assert "#" + "".join(f"{part:02x}" for part in np.median(seen, axis=0).astype(int)) == LIGHT.star


def test_the_largest_board_is_printed_and_drawn():
    game = gw.LinearDomination("8192 1")
    assert len(str(game)) == 8193 * 8192 - 1
    assert len(game.svg()) < 5_000_000


# Films.


def test_caption_and_labels_of_a_line_describe_the_same_step():
    film = films.line((0, 0), (4, 7))
    for index, words in enumerate(film.captions[:-1]):
        row, col = map(float, re.search(r"row ([\d.]+), column ([\d.]+)", words).groups())
        root = ElementTree.fromstring(film.frame(index))
        ends = [line for line in root.iter(f"{SVG}line") if line.get("y1") == line.get("y2")]
        bar = max(ends, key=lambda line: float(line.get("y1")))
        start, long = float(bar.get("x1")), float(bar.get("x2")) - float(bar.get("x1"))
        labels = {text.text: float(text.get("x")) for text in root.iter(f"{SVG}text")}
        for name, t in (("row", row), ("column", col)):
            if t <= 1:
                assert (labels[name] - start) / long == pytest.approx(t, abs=0.01), (index, name)
        here = tuple(map(int, re.search(r"in \((\d+), (\d+)\)", words).groups()))
        after = tuple(map(int, re.search(r"to \((\d+), (\d+)\)", words).groups()))
        assert here == tuple(tracing.trace((0, 0), (4, 7))[index].tolist())
        assert after == tuple(tracing.trace((0, 0), (4, 7))[index + 1].tolist())


def test_different_numbers_are_shown_differently():
    rng = np.random.default_rng(4)
    for one in rng.random(300).tolist():
        for other in (one, math.nextafter(one, 2), one + 1e-9, one / 3):
            shown = digits(one, other)
            assert (shown[0] == shown[1]) == (one == other)
            assert all(len(text.partition(".")[2]) >= 3 for text in shown)
    captions = films.line((0, 0), (3, 1), "amanatides-woo-float").captions
    values = [re.search(r"row ([\d.∞]+), column ([\d.∞]+)", words) for words in captions[:-1]]
    steps = tracing.trace_steps((0, 0), (3, 1), "amanatides-woo-float")
    for found, row, col in zip(values, steps["t_max_row"], steps["t_max_col"], strict=False):
        assert (found.group(1) == found.group(2)) == (row == col)


def test_the_size_of_a_film_of_a_line_grows_linearly():
    """The film of a line four times as long has about four times as many bytes, because each piece is stored once."""
    short, long = (len(films.line((0, 0), (n, n // 2 + 1)).svg()) for n in (40, 160))
    assert long < 5.5 * short
    with pytest.raises(ValueError, match="^head must be less than 200 cells from tail, got 200$"):
        films.line((0, 0), (0, 200))


@pytest.mark.parametrize(
    ("tail", "head", "options", "ends"),
    [
        ((0.5, 0.5), (1.5, 2.5), {"origin": "corner"}, ((0, 0), (1, 2))),
        ((0.5, 3.5), (2.5, 2.5), {"transform": (1, 0, 0, 0, -1, 4)}, ((0, 0), (1, 2))),
        ((3, 5), (4, 7), {}, ((0, 0), (1, 2))),
    ],
)
def test_films_of_shifted_or_transformed_lines_are_drawn_alike(tail: Any, head: Any, options: Any, ends: Any):
    """The line from ``tail`` to ``head`` with the options is drawn like the line between ``ends`` without options."""
    assert segments(films.line(tail, head, **options)) == segments(films.line(*ends))


def segments(film: Any) -> list[str]:
    """Returns the SVG lines and circles of all frames, which draw the segment, its ends and the bars."""
    return re.findall(r"<(?:line|circle)[^>]*>", film.svg())


def test_a_film_of_a_line_refuses_a_transform_that_cannot_be_inverted():
    with pytest.raises(ValueError, match="transform must"):
        films.line((0, 0), (1, 2), transform=(1, 1, 0, 1, 1, 0))


def test_a_film_of_a_line_can_start_between_the_centers_of_cells():
    quarter, whole = (segments(films.line((0, tail), (1, 2)))[0] for tail in (0.25, 0))
    starts = [float(re.search(r'x1="([\d.]+)"', one).group(1)) for one in (quarter, whole)]
    assert starts[0] - starts[1] == pytest.approx(0.25 * 48)


@pytest.mark.parametrize(
    ("game", "options", "sentence"),
    [
        (
            gw.LinearDomination.blank(4),
            {"preview": (0, 0, 9)},
            "preview must be a play (row, col, row, col), got (0, 0, 9)",
        ),
        (gw.LinearDomination.blank(4), {"preview": "x"}, "preview must be a play (row, col, row, col), got 'x'"),
        (gw.LinearDomination.blank(4), {"preview": (0, 0, 1, 0.5)}, "preview must be an integer, got 0.5"),
        (gw.MyPhoton.blank(2, 3), {"heads": "x"}, "heads must be an integer, got 'x'"),
        (gw.MyPhoton.blank(2, 3), {"selected": (2, 0)}, "selected must be a cell of the 2 x 3 board, got (2, 0)"),
        (gw.LightEmAll.blank(2, 2), {"reach": "x"}, "reach must be an integer, got 'x'"),
    ],
)
def test_wrong_options_of_pictures_are_named(game, options, sentence):
    with pytest.raises((ValueError, TypeError), match=re.escape(sentence)):
        game.svg(**options)


def test_a_preview_is_drawn_where_the_play_is_whatever_was_played_before():
    played = gw.LinearDomination.empty(6, 3)
    played.play(0, 0, 1, 3)
    for game in (gw.LinearDomination.blank(6), played):
        for y1, x1, y2, x2 in ((4, 1, 5, 5), (2, 2, 3, 5)):
            ends = f'<line x1="{48 * x1 + 60}" y1="{48 * y1 + 60}" x2="{48 * x2 + 60}" y2="{48 * y2 + 60}"'
            (dotted,) = re.findall(r"<line[^>]*stroke-dasharray[^>]*>", game.svg(size=48, preview=(y1, x1, y2, x2)))
            assert dotted.startswith(ends)
        for far in (25, 2**30, 2**70):
            assert game.svg(preview=(far, 0, 0, 0)) == game.svg()


def test_only_the_line_of_the_last_play_is_bold():
    def bold(game, **options) -> list[bool]:
        root = ElementTree.fromstring(game.svg(size=40, axes=False, **options))
        (group,) = (part for part in root.iter(f"{SVG}g") if part.get("data-id") == "lines")
        return [part.get("stroke-width") == "3.2" for part in group.iter(f"{SVG}line")]

    game = gw.LinearDomination.empty(6, 3)
    game.draw((1, 1), (4, 3))
    game.draw((3, 1), (1, 4))
    assert bold(game) == [False, True]
    game.draw((0, 0), (0, 100))  # too far off the board to be drawn
    assert bold(game) == [False, False]
    assert bold(game, lines=1) == []
    game.draw((3, 1), (1, 4))
    assert bold(game) == [False, True]
    assert bold(game, lines=0) == []


def test_there_are_no_pictures_between_positions_without_a_move():
    assert between(gw.Bloxorz.level("level01"), view="3d") == []


def test_options_of_pictures_between_positions_are_checked():
    game = gw.Bloxorz.level("level01")
    game.play("r")
    assert between(game) == between(game, view="flat") == []
    with pytest.raises(ValueError, match="^view must be 'flat' or '3d', got '2d'"):
        between(game, view="2d")
    with pytest.raises(TypeError, match='^pictures of Bloxorz have no option veiw; did you mean "view"'):
        between(game, veiw="3d")


def test_bitmaps_refuse_options_that_the_picture_does_not_have():
    large = gw.LightEmAll.blank(101, 100)
    assert "image" in large.svg(axes=True, size=0.5)
    with pytest.raises(TypeError, match="axis"):
        large.svg(axis=True)


def test_an_animation_can_have_an_empty_title_and_description():
    frames = [gw.Bloxorz.level("level01").svg()]
    assert (Animation(frames).title, Animation(frames).description) != ("", "")
    film = Animation(frames, title="", description="")
    assert (film.title, film.description) == ("", "")
    assert 'aria-label=""' in film.svg()


def test_errors_of_films_and_pictures_name_the_wrong_argument():
    bloxorz, tiles = gw.Bloxorz.level("level01"), gw.LightEmAll.level("level01")
    for call, error, sentence in (
        (lambda: films.chances(bloxorz), TypeError, "game must be an instance of GeeseSpotter, got Bloxorz"),
        (lambda: films.light(tiles), TypeError, "game must be an instance of MyPhoton, got LightEmAll"),
        (lambda: films.power(bloxorz), TypeError, "game must be an instance of LightEmAll, got Bloxorz"),
        (lambda: films.kruskal(bloxorz), TypeError, "game must be an instance of LightEmAll, got Bloxorz"),
        (
            lambda: films.union_find(2**63, [], []),
            ValueError,
            "nodes must be between 1 and 200, got 9223372036854775808",
        ),
        (lambda: films.union_find(0, [], []), ValueError, "nodes must be between 1 and 200, got 0"),
        (lambda: films.forest(10**9, 10**9), ValueError, "height must be between 1 and 100, got 1000000000"),
        (lambda: films.forest(20, 20), ValueError, "height times width must be at most 100 tiles, got 400"),
        (
            lambda: films.state_space(tiles, limit=5),
            gw.SearchLimitError,
            "limit reached after 5 positions: the game has more",
        ),
        *(
            (lambda film=film, large=large: film(large), ValueError, "game must have at most 10,000 cells, got 10,100")
            for film, large in (
                (films.power, gw.LightEmAll.blank(101, 100)),
                (films.light, gw.MyPhoton.blank(101, 100)),
                (films.chances, gw.GeeseSpotter.blank(101, 100)),
            )
        ),
        (lambda: films.power(tiles, frames=0), ValueError, "frames must be between 1 and 2000, got 0"),
        (lambda: tiles.svg(size="big"), TypeError, "size must be a number, got 'big' (str)"),
        (lambda: tiles.svg(size=0), ValueError, "size must be between 1 and 1000, got 0"),
        (lambda: tiles.svg(size=float("nan")), ValueError, "size must be between 1 and 1000"),
    ):
        with pytest.raises(error, match=re.escape(sentence)):
            call()


def test_nouns_in_captions_of_films_agree_with_their_numbers():
    film = films.state_space(gw.Bloxorz.level("level01"))
    assert film.captions[0] == "0 moves: 1 new position, 1 in all"
    assert film.captions[1].startswith("1 move: ")
    text = " ".join(ElementTree.fromstring(film.frame(len(film) - 1)).itertext())
    assert all(words in text for words in ("start", "this layer", "earlier", "solution"))


def test_numbers_of_steps_do_not_overlap_the_line():
    for head in ((3, 7), (7, 3), (0, 9), (5, 5), (2, 9)):
        drawn = tracing.draw_steps((0, 0), head, size=48)
        root = ElementTree.fromstring(drawn.render())
        line = max(root.iter(f"{SVG}line"), key=lambda one: one.get("stroke") == LIGHT.ink)
        x1, y1, x2, y2 = (float(line.get(key)) for key in ("x1", "y1", "x2", "y2"))
        cells = tracing.trace((0, 0), head)
        numbers = [text for text in root.iter(f"{SVG}text") if text.get("font-size") == "12.48"]
        assert [text.text for text in numbers] == [str(k) for k in range(len(cells))]
        for text in numbers:
            x, y = float(text.get("x")), float(text.get("y")) - 0.36 * 12.48
            t = max(0, min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2)))
            assert math.hypot(x - x1 - t * (x2 - x1), y - y1 - t * (y2 - y1)) > 7
        texts = [text.text for text in root.iter(f"{SVG}text")]
        assert str(max(head)) in texts
        assert any("t_max row" in (text or "") for text in texts)


@pytest.mark.parametrize("origin", ["center", "corner"])
def test_table_and_film_of_a_line_tell_whether_the_tolerance_ends_it_before_the_head(origin):
    method, last = "amanatides-woo-float", set()
    for head in ((3.7, 3.1), (3.7, 3.6), (2.2, 1.8)):
        for tolerance in (0.0, 0.3, 1.0):
            more: Any = {"tolerance": tolerance, "origin": origin}
            cells = tracing.trace((0.9, 0.9), head, method, **more).tolist()
            early = cells[-1] != np.floor(np.add(head, 0.5 if origin == "center" else 0)).tolist()
            root = ElementTree.fromstring(tracing.draw_steps((0.9, 0.9), head, method, **more).render())
            table = [text.text for text in root.iter(f"{SVG}text") if "Mono" in text.get("font-family", "")]
            words = "the tolerance ends the line before the head" if early else "the head is reached"
            assert table[-1].split()[-1] == ("end" if early else "head")
            assert words in films.line((0.9, 0.9), head, method, **more).captions[-1]
            last.add(early)
    assert last == {False, True}


# Foreign SVG.

ATTACKS = [
    "<script>alert(1)</script>",
    '<rect onload="alert(1)" width="1" height="1"/>',
    '<image href="x" onerror="alert(1)"/>',
    '<image href="https://example.org/x.png"/>',
    '<use href="https://example.org/x.svg#a"/>',
    '<use href="data:image/svg+xml;base64,AAAA"/>',
    '<a href="javascript:alert(1)"><rect width="1" height="1"/></a>',
    '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="alert(1)"/></p></foreignObject>',
    '<animate attributeName="x" onbegin="alert(1)"/>',
    '<set attributeName="href" to="javascript:alert(1)"/>',
    '<style>@import url("https://example.org/x.css");</style>',
    '<rect style="fill:url(https://example.org/x)" width="1" height="1"/>',
    '<rect fill="url(https://example.org/x)" width="1" height="1"/>',
    """<rect style="cursor:-webkit-image-set('https://example.org/x' 1x)" width="1" height="1"/>""",
    """<rect style="cursor:image-set('//example.org/x' 1x)" width="1" height="1"/>""",
    """<rect style="cursor:src('https://example.org/x')" width="1" height="1"/>""",
    '<image xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="https://example.org/x.png"/>',
    '<rect width="1" height="1" OnClick="alert(1)"/>',
    '<handler xmlns="http://www.w3.org/2001/xml-events">alert(1)</handler>',
]


@pytest.mark.parametrize("attack", ATTACKS)
def test_svg_from_elsewhere_only_draws(attack):
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert(1)">{attack}<circle r="3"/></svg>'
    )
    film = Animation([svg, svg], ["a", "b"])
    for text in (film.svg(), film.frame(0)):
        body = re.sub(r'<style class="still">.*?</style>', "", text)
        assert "<circle" in body
        for word in ("alert", "example.org", "javascript", "<script", "foreignObject", "onload", "onerror", "@import"):
            assert word not in body, (word, body)
    assert not re.search(r"alert|example\.org", film.html().replace(base64.b64encode(film.svg().encode()).decode(), ""))


def test_drawing_elements_of_foreign_svg_are_kept():
    parts = '<defs><linearGradient id="g"><stop offset="0" stop-color="#ff0000"/></linearGradient></defs>'
    parts += '<rect width="9" height="9" fill="url(#g)"/><use href="#g"/><image href="data:image/png;base64,AAAA"/>'
    text = Animation([f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{parts}</svg>']).svg()
    for word in ("linearGradient", 'fill="url(#g)"', 'href="#g"', "data:image/png;base64,AAAA"):
        assert word in text
    with pytest.raises(ValueError, match="without a document type"):
        Animation(['<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'])


def test_names_and_titles_are_escaped():
    evil = '"><img src=x onerror=alert(1)>'
    kind = type(evil, (gw.Bloxorz,), {})
    game = kind(gw.Bloxorz.level("level01").text)
    film = game.animate("rr")
    shown = [film.svg(), film.html(), film.fragment(), game._repr_mimebundle_()["text/html"], game.svg()]
    shown.append(Animation([game.svg()], [evil], title=evil, description=evil).svg())
    for text in shown:
        assert "<img src=x" not in text
    ElementTree.fromstring(film.svg())


def test_films_are_still_if_reduced_motion_is_preferred():
    svg = gw.Bloxorz.level("level01").animate("rr").svg()
    style = re.search(r"<style[^>]*>(.*?)</style>", svg).group(1)
    assert style.startswith("@media(prefers-reduced-motion:reduce)")
    assert "display:none!important" in style
    ElementTree.fromstring(svg)


def test_a_failed_save_leaves_the_old_picture(tmp_path):
    file = tmp_path / "game.svg"
    game = gw.Bloxorz.level("level01")
    game.save_image(file)
    before = file.read_bytes()
    with pytest.raises(ValueError, match="view must be"):
        game.save_image(file, view="up")
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["game.svg"]


def test_importing_the_package_loads_no_module_for_drawing():
    code = "import sys, gridwright; print([name for name in sys.modules if name.startswith('gridwright.draw')])"
    path = f"import sys; sys.path[:0] = {[entry for entry in sys.path if entry]!r}\n"
    done = subprocess.run([sys.executable, "-c", path + code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_heads_draw_light_that_leaves_the_board():
    game = gw.MyPhoton("3 1\nL>. . ")
    assert [game.svg(heads=heads) == game.svg() for heads in (0, 1, 2, 99)] == [False, False, True, True]
    # The mirror turns the light of the first head up, off the board; the second head is that of the other laser.
    game = gw.MyPhoton("4 2\nL>M/. . \nL>. . W ")
    assert not photon._first_heads(game, 0).any()
    assert photon._first_heads(game, 1).tolist() == [[0, 9, 0, 0], [0, 0, 0, 0]]
    assert photon._first_heads(game, 2).tolist() == [[0, 9, 0, 0], [0, 10, 0, 0]]
    rng = np.random.default_rng(3)
    symbols = [". "] * 8 + ["W ", "M/", "M\\", "B/", "B\\", *(kind + way for kind in "TLS" for way in "<>^v")]
    for _ in range(200):
        height, width = rng.integers(1, 6, 2).tolist()
        rows = ["".join(symbols[k] for k in rng.integers(len(symbols), size=width)) for _ in range(height)]
        game = gw.MyPhoton("\n".join([f"{width} {height}", *rows]))
        count = len(game.trace()["row"])
        drawn = [photon._first_heads(game, heads) for heads in range(count + 1)]
        assert (drawn[-1] == game.beams).all(), game.text
        assert all((before & ~after == 0).all() for before, after in itertools.pairwise(drawn)), game.text


def test_titles_of_traced_lines_name_the_points_in_full():
    for tail, head, names in (
        ((1234567, 3), (1234569, 5), "(1234567, 3) to (1234569, 5)"),
        ((1000000.25, 0), (1000001, 0.1), "(1000000.25, 0) to (1000001, 0.1)"),
    ):
        assert f"The line from {names}" in tracing.draw_steps(tail, head, "amanatides-woo").title
        assert f"The line from {names}" in tracing.draw_methods(tail, head, "amanatides-woo", "supercover").title


@pytest.mark.filterwarnings("error")
def test_numbers_of_a_heat_map_are_short_and_not_rounded_to_zero():
    for counts, title, mean in (
        ([[0.004, 0.001]], "0.001 to 0.004", "0.0025"),
        ([[3, 1234567]], "3 to 1234567", "617285"),
        ([[1e300, -2.0]], "-2 to 1e+300", "5e+299"),
        (np.full((2, 2), 1.7e308), "1.7e+308 to 1.7e+308", "1.7e+308"),
        (np.array([[0.5, 60000]], np.float16), "0.5 to 60000", "30000.2"),
        (np.array([[-(2**63)]]), "-9.22337e+18 to -9.22337e+18", "-9.22337e+18"),
        ([[0.0]], "0 to 0", "0"),
    ):
        found = tracing.draw_coverage(counts)
        assert found.title.endswith(f", {title}")
        assert found.description.endswith(f", the mean {mean}.")
    scale = tracing.draw_coverage([[1234567]])
    label = re.search(r'<text x="([\d.]+)"[^>]*>1234567<', scale.render())
    assert label
    assert float(label[1]) + 7 * 7.7 < scale.width


def test_nouns_in_titles_and_descriptions_agree_with_their_numbers():
    tile = gw.LightEmAll("1 1\n0\nstation 0 0")
    assert picture(tile).description == "1 of 1 tile powered; the station is at row 0, column 0. Solved."
    fields = gw.GeeseSpotter("1 2 1\n01 29")
    assert picture(fields).description == "1 of 2 fields hidden, 0 marked; there is 1 goose. Won."
    assert tracing.draw_coverage([[2]]).title == "Coverage of 1 row and 1 column, 2 to 2"
    title = tracing.draw_methods((0, 0), (0, 0)).title
    assert title == "The line from (0, 0) to (0, 0): amanatides-woo has 1 cell, bresenham has 1, 1 in common"
    assert films.line((0, 0), (0, 0))._frames[0].description == "1 of 1 cell crossed."
    assert films.forest(1, 2, seed=1).title == "Kruskal's algorithm, 1 row and 2 columns"
    assert films.kruskal(gw.LightEmAll.generate(1, 2, seed=1)).title == "A spanning tree grows, 1 row and 2 columns"
    assert films.chances(gw.GeeseSpotter("1 2 1\n01 29")).title == "Chances of a goose, 1 row and 2 columns"
