"""Laws of all editors, for example that every change can be undone, and tests of the editors of individual games."""

from __future__ import annotations

import itertools
import random
from typing import Any

import gridwright as gw
import numpy as np
import pytest
from conftest import level, starts
from gridwright import bloxorz, geese, lightemall, photon
from gridwright.draw import picture
from gridwright.editor import Editor, Facts, open_editor
from gridwright.play.editing import EditorBoard
from hypothesis import given
from hypothesis import strategies as st


def blank(game: Any) -> Any:
    """Returns a blank game of the same size and kind as a given game."""
    options = {"hexagonal": True} if getattr(game, "hexagonal", False) else {}
    return type(game).blank(*game.shape, **options)


def rebuilt(game: Any) -> Editor:
    """Redraws a level in a blank editor, using only public attributes of the game; returns the editor."""
    editor = blank(game).editor()
    cells = [(row, col) for row in range(game.height) for col in range(game.width)]
    if isinstance(game, gw.LinearDomination):
        for name, value in (("lookback", str(game.lookback)), ("rules", game.rules)):
            _choose(editor, name, value)
        for play in game.plays.tolist():
            editor.connect([tuple(play[:2]), tuple(play[2:])])
    elif isinstance(game, gw.GeeseSpotter):
        _choose(editor, "flood", "on" if game.flood else "off")
        for cell in cells:
            editor.put(cell, int(game.secret[cell]))
    elif isinstance(game, gw.LightEmAll):
        for cell in cells:
            editor.put(cell, int(game.wires[cell]))
        editor.put(game.station, lightemall.Tile.STATION)
        _choose(editor, "wrap", "on" if game.wrap else "off")
        _choose(editor, "radius", str(game.initial_radius or "no limit"))
    elif isinstance(game, gw.Bloxorz):
        _draw_bloxorz(editor, game)
    else:
        for cell in cells:
            editor.put(cell, int(game.board[cell]))
    return editor


def _choose(editor: Editor, name: str, value: str) -> None:
    """Chooses a value of a setting; writes a number that is missing from the menu into the text, as a person would."""
    choices = next(setting.choices for setting in editor.settings if setting.name == name)
    if value in choices:
        editor.choose(name, value)
    elif name == "radius":
        first, *rest = editor.text.splitlines()
        editor.read("\n".join([f"{first} radius={value}", *rest]))
    else:
        first, *rest = editor.text.splitlines()
        size, _, *rules = first.split()
        editor.read("\n".join([" ".join([size, value, *rules]), *rest]))


def _draw_bloxorz(editor: Editor, game: Any) -> None:
    rows, lines = game.text.splitlines()[: game.height], game.text.splitlines()[game.height :]
    for row, signs in enumerate(rows):
        for col, sign in enumerate(signs):
            code = int(game.board[row, col])
            plain = sign in "-o.ST"
            editor.put((row, col), bloxorz.Tile.BLOCK if sign == "S" else code, None if plain else sign)
    where = {sign: (row, col) for row, signs in enumerate(rows) for col, sign in enumerate(signs)}
    for line in lines:
        if not line.startswith("#"):
            continue
        letter, kind, rest = line[1], line[2], line[3:]
        if kind == "S":
            x, y, other_x, other_y = map(int, rest.split())
            editor.connect([where[letter], (y, x)])
            editor.connect([where[letter], (other_y, other_x)])
        else:
            how = {"+": "on", "-": "off"}.get(rest[0], "toggle")
            editor.connect([where[letter], where[rest[-1]]], how)


def random_change(editor: Editor, chance: random.Random) -> None:
    """Tries a random change of a kind that a person might make; checks that a refused change has no effect."""
    height, width = editor.shape
    cell = (chance.randrange(height), chance.randrange(width))
    other = (chance.randrange(height), chance.randrange(width))
    brush = chance.choice(editor.brushes)
    what = chance.randrange(9)
    before = editor.text, editor.problems
    try:
        if what < 4 and brush.codes:
            editor.press(cell, brush)
        elif what < 4:
            editor.connect(editor.trail([cell, other]), brush.how)
        elif what == 4:
            editor.turn(cell)
        elif what == 5 and editor.settings:
            setting = chance.choice(editor.settings)
            editor.choose(setting.name, chance.choice(setting.choices))
        elif what == 6:
            size = chance.randrange(1, 7)
            editor.resize(size, size if editor.SQUARE else chance.randrange(1, 7))
        elif what == 7 and brush.codes:
            editor.paint([cell, other], brush.codes[-1])
    except (ValueError, TypeError):
        assert (editor.text, editor.problems) == before


@pytest.mark.parametrize("seed", range(12))
def test_every_draft_is_a_level_or_has_problems_and_can_be_undone(kind, seed):
    chance = random.Random(seed)
    editor = kind.blank(4, 4).editor()
    seen = [editor.text]
    for _ in range(60):
        random_change(editor, chance)
        problems = editor.problems
        height, width = editor.shape
        for problem in problems:
            assert problem.sentence.endswith(".")
            assert problem.sentence[0].isupper()
            assert all(0 <= row < height and 0 <= col < width for row, col in problem.cells)
        if problems:
            with pytest.raises(gw.LevelError, match=r"\w"):
                _ = editor.game
            with pytest.raises(gw.LevelError):
                kind(editor.text)
        else:
            assert editor.game.text == editor.text
            assert editor.game.shape == editor.shape
        assert len(editor.rows) == height
        assert picture(editor.sketch(), **editor.LOOK).cells.shape == editor.shape
        if editor.text != seen[-1]:
            seen.append(editor.text)
    texts = [editor.text]
    while editor.undo():
        texts.append(editor.text)
    assert texts[-1] == seen[0]
    assert not editor.can_undo
    again = [editor.text]
    while editor.redo():
        again.append(editor.text)
    assert again == texts[::-1]
    assert not editor.can_redo


def test_every_small_level_can_be_redrawn_in_a_blank_editor(kind):
    for game in starts(kind):
        editor = rebuilt(game)
        assert not editor.problems
        assert editor.text == game.text
        assert open_editor(game).text == game.text


def test_a_cell_has_the_code_that_was_put_there(kind):
    game = kind.level(kind.levels()[0])
    editor = game.editor()
    for brush in editor.brushes:
        for code in brush.codes:
            editor.put((0, 0), code)
            assert editor.code((0, 0)) & code == code
            assert editor.describe((0, 0)).startswith("row 0, column 0: ")
            assert picture(editor.sample(code), **editor.LOOK).cells is not None


def test_an_editor_makes_new_games_and_leaves_the_original_unchanged(kind):
    game = kind.level(kind.levels()[0])
    text = game.text
    editor = game.editor()
    for brush in editor.brushes:
        if brush.codes:
            editor.press((0, 1), brush)
    assert game.text == text
    editor.read(text)
    assert editor.game == game
    assert editor.game is not editor.game


def test_facts_agree_with_the_solvers(kind):
    for game in starts(kind):
        if game.height * game.width > 200:
            continue
        facts = game.editor().facts(5)
        if not facts.complete:
            continue
        if isinstance(game, gw.Bloxorz):
            keys = game.solve()
            assert facts.solvable == (keys is not None)
            assert facts.shortest == len(keys.replace("s", ""))
            assert facts.ways == min(1000, game.count_shortest())
        elif isinstance(game, gw.MyPhoton) and len(game.sensors):
            assert facts.shortest == len(game.solve())
            assert facts.ways == game.count_solutions(1000)
        elif isinstance(game, gw.LightEmAll):
            assert facts.ways == game.count_solutions(1000)
            if game.radius is None:
                assert facts.shortest == game.controls().optimum
        elif isinstance(game, gw.GeeseSpotter):
            assert facts.shortest in (None, game._min_shows_left())
            other = game.copy()
            if game.hidden.all() and facts.shortest != 0:
                other.show((0, 0))
            if other.status == gw.Status.OPEN:
                other.play_on(guess=False)
            assert facts.solvable == (facts.shortest == 0 or other.is_solved)
        if facts.grade is not None:
            assert facts.grade == game.difficulty()
        assert facts.unique == (None if facts.ways is None else facts.ways == 1)


def test_an_editor_without_questions_knows_no_facts(kind, monkeypatch):
    monkeypatch.delattr(type(kind.level(kind.levels()[0]).editor()), "QUESTIONS")
    facts = kind.level(kind.levels()[0]).editor().facts()
    assert (facts.solvable, facts.shortest, facts.ways, facts.grade, facts.complete) == (*[None] * 4, True)


def test_unsolvable_boards_are_reported():
    for text in ("So-oT", "SooooT"):
        facts = gw.Bloxorz(text).editor().facts(5)
        assert (facts.solvable, facts.shortest, facts.grade, facts.complete) == (False, None, None, True)
        assert str(facts) == "not solvable"
    assert str(gw.MyPhoton("3 1\nL<. S<").editor().facts(5)) == "not solvable"
    assert str(gw.LightEmAll("1 2\n11\nstation 0 0").editor().facts(5)).startswith("solvable")
    assert str(gw.LightEmAll("1 3\n111\nstation 0 0").editor().facts(5)) == "not solvable"
    # Showing (0, 0) reveals a 1, after which no hidden field is certain.
    assert str(level(gw.GeeseSpotter, "section72").editor().facts(5)).startswith("not solvable without a guess")


def test_facts_of_a_board_with_loops_and_a_limited_radius_tell_only_whether_it_can_be_won():
    for text, sentence, connected in (
        ("1 6 wrap radius=2\nffffff\nstation 0 0\n", "not solvable", 1),
        ("4 4 wrap radius=3\nffff\nffff\nffff\nffff\nstation 0 0\n", "not solvable", 1),
        # Of the 27 ways to connect all tiles, 25 win.
        ("2 3 radius=3\n6fe\n3a9\nstation 0 0\n", "solvable, fiendish", 27),
        # A tree always wins with the station in its middle.
        ("1 2 radius=0\n11\nstation 0 0\n", "solvable, exactly 1 way, trivial", 1),
        ("1 3 radius=3\n111\nstation 0 0\n", "not solvable", 0),
    ):
        game = gw.LightEmAll(text)
        assert game.count_solutions(1000) == connected
        facts = game.editor().facts(5)
        assert (str(facts), facts.complete) == (sentence, True)
        assert facts.solvable == (game.solve() is not None)


def test_facts_of_a_board_full_of_geese_count_no_shows():
    # One mark wins the first board; the second one is won at the start.
    for text in ("2 2 4\n29 29\n29 29\n", "2 2 4\n29 29\n29 39\n"):
        facts = gw.GeeseSpotter(text).editor().facts(5)
        assert str(facts) == "solvable in 0 shows without a guess, trivial"
        assert facts.complete


def crowded() -> Any:
    """Returns a level with so many states that a complete search takes more than a second."""
    rows = [["o"] * 40 for _ in range(24)]
    lines = []
    for k, letter in enumerate("ABCDEFGHIJKLMN"):
        rows[3 + k][2 * k], rows[3 + k][2 * k + 8] = letter, letter.lower()
        lines.append(f"#{letter}O{letter.lower()}")
    rows[0][0], rows[23][39] = "S", "T"
    for row, col in ((22, 38), (22, 39), (23, 38)):
        rows[row][col] = "-"
    return gw.Bloxorz("\n".join(["".join(row) for row in rows] + lines))


def test_facts_continue_where_the_last_call_stopped(monkeypatch):
    editor = gw.Bloxorz.level("level10").editor()
    assert editor.facts(0) == Facts(unit="roll", complete=False)
    # A search that ran out of time is not restarted with less time, and known facts are kept.
    calls = []
    real = type(editor)._ways

    def slow(self, game, answers, progress):
        calls.append(1)
        if len(calls) == 1:
            raise gw.SearchLimitError("the time is up")
        return real(self, game, answers, progress)

    monkeypatch.setattr(type(editor), "_ways", slow)
    first = editor.facts(5)
    assert (first.shortest, first.ways, first.complete) == (19, None, False)
    assert str(first).endswith("still searching")
    second = editor.facts(1)
    assert len(calls) == 1
    assert second.grade is not None  # known, although the search for the ways, which comes first, is not finished
    third = editor.facts(50)
    assert (third.ways, third.complete, len(calls)) == (2, True, 2)
    # The facts about a draft are still known after a change is made and undone.
    editor.put((0, 0), bloxorz.Tile.LIGHT)
    editor.undo()
    assert editor.facts(0) == third


def test_a_search_ends_when_its_time_is_up():
    facts = crowded().editor().facts(0.1)
    assert not facts.complete
    assert facts.solvable is None


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=8))
def test_wires_of_lightemall_are_drawn_along_any_path(cells):
    editor = gw.LightEmAll.blank(4, 4).editor()
    path = editor.trail(cells)
    if len(path) < 2:
        return
    editor.connect(path)
    wires = np.array([[int(sign, 16) for sign in row] for row in editor.rows])
    # Every wire continues in the neighboring tile: none leaves the board or ends between two tiles.
    assert ((wires[:, :-1] & 2 > 0) == (wires[:, 1:] & 8 > 0)).all()
    assert ((wires[:-1] & 4 > 0) == (wires[1:] & 1 > 0)).all()
    assert not (wires[0] & 1).any()
    assert not (wires[-1] & 4).any()
    assert not (wires[:, 0] & 8).any()
    assert not (wires[:, -1] & 2).any()
    editor.connect(path, "cut")
    assert set("".join(editor.rows)) == {"0"}


def test_hexagons_are_joined_to_their_neighbors():
    editor = gw.LightEmAll.blank(4, 4, hexagonal=True).editor()
    editor.choose("wrap", "on")
    bits = [1, 2, 4, 8, 16, 32]
    for cell in ((1, 1), (2, 1)):
        for other in np.ndindex(4, 4):
            editor.read(gw.LightEmAll.blank(4, 4, hexagonal=True, wrap=True).text)
            try:
                editor.connect([cell, other])
            except ValueError:
                continue
            one, two = editor.code(cell) & 63, editor.code(other) & 63
            assert one in bits
            assert two == bits[(bits.index(one) + 3) % 6]
            # In the engine, power flows from one tile to the other.
            editor.put(cell, 128)
            assert editor.game.powered[other]


@pytest.mark.parametrize("hexagonal", [False, True])
@pytest.mark.parametrize("shape", [(2, 3), (4, 2), (2, 2), (2, 1)])
def test_tiles_of_a_small_board_that_wraps_are_joined_inside_the_board_and_cut_on_all_sides(shape, hexagonal):
    blank = gw.LightEmAll.blank(*shape, hexagonal=hexagonal)
    cells = [*np.ndindex(*shape)]
    for cell, other in itertools.permutations(cells, 2):
        plain, wrapped = blank.editor(), blank.editor()
        wrapped.choose("wrap", "on")
        try:
            plain.connect([cell, other])
        except ValueError:
            continue
        wrapped.connect([cell, other])
        assert wrapped.rows == plain.rows
        for at in (cell, other):
            wrapped.put(at, 63 if hexagonal else 15)
        wrapped.put(cell, 128)
        assert wrapped.game.powered[other]
        wrapped.connect([other, cell], "cut")
        assert not wrapped.game.powered[other]
    wrapped.read("2 3 wrap\n400\n100\nstation 0 0")
    wrapped.connect([(0, 0), (1, 0)], "cut")
    assert wrapped.rows == ("000", "000")


def test_a_tile_of_a_narrow_board_that_wraps_is_not_joined_to_itself():
    for shape in ((1, 3), (3, 1), (1, 1)):
        editor = gw.LightEmAll.blank(*shape, wrap=True).editor()
        rows = editor.rows
        with pytest.raises(
            ValueError, match=r"^cells must each be a neighbor of the one before, got \(0, 0\) and \(0, 0\)$"
        ):
            editor.connect([(0, 0), (0, 0)])
        assert editor.rows == rows
        assert editor.trail([(0, 0), (0, 0)]) == [(0, 0)]


def test_bloxorz_letters_and_wires_are_kept_valid_while_drawing():
    editor = gw.Bloxorz("SooooT\noooooo").editor()
    tile = bloxorz.Tile
    editor.put((0, 1), tile.SWITCH_SOFT)
    editor.put((1, 1), tile.SWITCH_HEAVY)
    editor.paint([(0, 3), (1, 3)], tile.BRIDGE_OFF)
    editor.put((1, 5), tile.BRIDGE_ON)
    assert editor.rows == ("SAoaoT", "oBoaob")
    with pytest.raises(ValueError, match=r"cells must lead from switch A to a bridge, got \(0, 4\): a tile"):
        editor.connect([(0, 1), (0, 4)])
    seen = []
    for _ in range(4):
        editor.connect([(1, 3), (0, 1)])
        seen.append(editor.text.splitlines()[2:])
    assert seen == [["#AOa", "%b"], ["#AO+a", "%b"], ["#AO-a", "%b"], ["%b"]]
    editor.connect([(0, 1), (0, 3)])
    editor.connect([(1, 1), (1, 5)], "off")
    assert editor.text.splitlines()[2:] == ["#AOa", "#BX-b", "%b"]
    assert [does for _, _, does in editor.wires] == ["toggles bridge a", "turns off bridge b"]
    # Connecting two bridges, or two switches of the same kind, merges them.
    editor.connect([(0, 3), (1, 5)])
    editor.put((1, 0), tile.SWITCH_SOFT)
    editor.connect([(0, 1), (1, 0)])
    assert editor.text.splitlines() == ["SAoaoT", "ABoaoa", "#AOa", "#BX-a"]
    with pytest.raises(
        ValueError, match=r"cells must lead from switch A to a bridge, got \(1, 1\): heavy switch B, turns off"
    ):
        editor.connect([(0, 1), (1, 1)])
    for _ in range(3):
        editor.undo()
    # Turning on one tile of a bridge turns on all its tiles, and removing a bridge removes its wires.
    editor.put((0, 3), tile.BRIDGE_ON)
    assert editor.code((1, 3)) == tile.BRIDGE_ON
    editor.paint([(0, 3), (1, 3)], tile.TILE)
    assert editor.text.splitlines()[2:] == ["#BX-b", "%b"]
    assert [str(problem) for problem in editor.problems] == ["Switch A at (0, 1) does nothing: connect it to a bridge."]
    # A splitter that replaces a switch keeps no wires of the switch and needs two cells where the cubes appear.
    editor.put((1, 1), tile.SPLITTER)
    editor.connect([(1, 1), (0, 0)])
    assert str(editor.problems[1]) == (
        "Splitter B at (1, 1) needs one more cell where a cube appears: connect it to that cell."
    )
    editor.connect([(1, 1), (1, 0)])
    assert str(editor.problems[1]) == (
        "Splitter B at (1, 1) puts the cubes on (0, 0) and (1, 0), which must not be neighbors."
    )
    editor.connect([(1, 1), (1, 5)])  # a third cell replaces the first cell
    assert [str(problem)[:6] for problem in editor.problems] == ["Switch"]
    assert editor.text.splitlines()[2:] == ["#BS 0 1 5 1", "%b"]
    editor.connect([(1, 1), (1, 5)])  # connecting the splitter to a cell again removes the connection
    assert len(editor.problems) == 2
    editor.undo()
    editor.put((1, 0), tile.NONE)
    assert str(editor.problems[1]) == "Splitter B at (1, 1) puts a cube on (1, 0), which has no tile."
    editor.put((1, 1), tile.TILE)
    assert editor.text.splitlines()[2:] == ["%b"]


def test_the_description_of_a_draft_reports_a_missing_start_or_target():
    editor = gw.Bloxorz("SoT").editor()
    editor.put((0, 0), gw.bloxorz.Tile.TILE)
    assert picture(editor.sketch()).description == "There is no start; the target is at row 0, column 2."
    editor.put((0, 2), gw.bloxorz.Tile.TILE)
    assert picture(editor.sketch()).description == "There is no start; there is no target."


def test_running_out_of_letters_is_reported():
    editor = gw.Bloxorz.blank(3, 60).editor()
    places = [(1, 2 * k) for k in range(25)]
    for place in places:
        editor.put(place, bloxorz.Tile.BRIDGE_OFF)
    text = editor.text
    with pytest.raises(ValueError, match="all 25 letters for bridges are used"):
        editor.put((1, 56), bloxorz.Tile.BRIDGE_OFF)
    assert editor.text == text
    assert gw.Bloxorz.blank(2, 3).editor().rows == ("S--", "--T")


def test_invalid_messages_are_answered_with_a_sentence(kind):
    state: dict[str, Any] = {}
    board = EditorBoard(starts(kind)[0].editor(), lambda message: state.update(message["state"]))
    board.receive({"kind": "hello"})
    before = board.editor.text
    for message in (
        {},
        {"kind": "dance"},
        {"kind": ["key"]},
        {"kind": "brush"},
        {"kind": "brush", "index": "red"},
        {"kind": "brush", "index": float("inf")},
        {"kind": "stroke"},
        {"kind": "stroke", "path": [1, 2, 3]},
        {"kind": "stroke", "path": "here"},
        {"kind": "stroke", "path": [1, None]},
        {"kind": "key"},
        {"kind": "theme"},
        {"kind": "action"},
        {"kind": "action", "name": "receive"},
        {"kind": "choose", "name": "weather", "value": "fine"},
        {"kind": "choose", "name": []},
        {"kind": "resize", "height": 0, "width": 4},
        {"kind": "resize", "height": 4, "width": "wide"},
        {"kind": "resize", "height": 10**30, "width": 10**30},
        {"kind": "text"},
        {"kind": "text", "text": "no level"},
        {"kind": "facts", "seconds": "few"},
        {"kind": "facts", "seconds": -1},
        {"kind": "facts", "seconds": float("nan")},
        {"kind": "save", "name": ""},
        {"kind": "save", "name": "../level.txt"},
        {"kind": "save", "name": "\0"},
        {"kind": "save", "name": "a" * 5000},
        {"kind": "undo"},
        {"kind": "undo", "count": "many"},
        {"kind": "redo"},
    ):
        board.receive(message)
        assert state["message"], message
        assert board.editor.text == before, message
        assert not board.editor.can_undo, message
    for path in ([], [-5, -5], [1e300, 3], [float("nan"), 3], [float("inf"), 0, 0, 0]):
        board.receive({"kind": "stroke", "path": path})
        assert board.editor.text == before, path


def test_a_canceled_drag_changes_nothing():
    sent: list[dict[str, Any]] = []
    board = EditorBoard(gw.MyPhoton.blank(3, 3).editor(), sent.append)
    board.receive({"kind": "hello"})
    board.receive({"kind": "brush", "index": 1})
    board.receive({"kind": "stroke", "path": [20, 20, 100, 20], "live": True})
    assert board.editor.rows[0] == "W W W"
    board.receive({"kind": "stroke", "path": [], "live": True})  # the message that a page sends if a touch is canceled
    assert board.editor.rows[0] == ". . ."
    assert sent[-1]["state"].get("message", "") == ""


@pytest.mark.parametrize("canceled", [False, True])
def test_a_drag_that_changes_nothing_leaves_redo_as_it_was(canceled):
    editor = gw.Bloxorz("SooT\nooo-\noooo").editor()
    board = EditorBoard(editor, lambda message: None)
    board.receive({"kind": "hello"})
    before = editor.text

    def drag(*cells: tuple[int, int], live: bool = True) -> None:
        path = [part for cell in cells for part in board.drawn.cells.center(*cell)]
        board.receive({"kind": "stroke", "path": path, "live": live})

    def there_and_back() -> None:
        board.receive({"kind": "brush", "index": [brush.name for brush in editor.brushes].index("start")})
        drag((0, 0), (1, 1))
        assert editor.text != before
        drag((0, 0), (1, 1), (2, 2))
        drag(live=True) if canceled else drag((0, 0), (1, 1), (0, 0), live=False)
        assert editor.text == before

    there_and_back()
    assert (editor.can_undo, editor.can_redo) == (False, False)
    editor.put((2, 3), bloxorz.Tile.LIGHT)
    real = editor.text
    editor.undo()
    there_and_back()
    assert editor.redo()
    assert editor.text == real
    # A drag that changes something replaces what redo would repeat.
    editor.undo()
    drag((0, 0), (1, 1))
    drag((0, 0), (1, 2), live=False)
    assert (editor.steps, editor.can_redo) == (1, False)


def test_a_change_from_elsewhere_during_a_drag_stays():
    editor = gw.MyPhoton.blank(3, 3).editor()
    board = EditorBoard(editor, lambda message: None)
    board.receive({"kind": "hello"})
    board.receive({"kind": "brush", "index": 1})
    board.receive({"kind": "stroke", "path": [20, 20, 60, 20], "live": True})
    editor.put((2, 2), photon.Tile.WALL)
    board.receive({"kind": "stroke", "path": [20, 20, 100, 20]})
    assert editor.rows == ("W W W", ". . .", ". . W")


def test_the_palette_shows_tiles_of_the_shape_used_on_the_board():
    state: dict[str, Any] = {}
    board = EditorBoard(gw.LightEmAll.blank(2, 2).editor(), lambda message: state.update(message["state"]))
    board.receive({"kind": "hello"})
    squares = state["icons"]
    board.receive({"kind": "text", "text": gw.LightEmAll.blank(2, 2, hexagonal=True).text})
    assert state["icons"] != squares
    board.receive({"kind": "undo"})
    assert state["icons"] == squares


def test_a_drag_is_one_step_even_if_its_first_part_leaves_the_text_unchanged():
    editor = gw.Bloxorz.blank(3, 6).editor()
    editor.put((1, 1), bloxorz.Tile.SWITCH_HEAVY)
    editor.put((1, 2), bloxorz.Tile.SWITCH_HEAVY)
    steps = editor.steps
    board = EditorBoard(editor, lambda message: None)
    board.receive({"kind": "hello"})
    board.receive({"kind": "brush", "index": [brush.name for brush in editor.brushes].index("soft")})
    places = [board.drawn.cells.center(1, col) for col in (1, 2, 3)]
    for ends, live in ((places[:2], True), (places, True), (places, False)):
        board.receive({"kind": "stroke", "path": [part for place in ends for part in place], "live": live})
    assert editor.steps == steps + 1


@pytest.mark.parametrize("released", [False, True])
def test_a_stroke_after_a_refused_drag_leaves_what_the_drag_drew(released):
    editor = gw.Bloxorz.blank(2, 26).editor()
    board = EditorBoard(editor, lambda message: None)
    board.receive({"kind": "hello"})
    names = [brush.name for brush in editor.brushes]

    def stroke(*cells: tuple[int, int], live: bool) -> None:
        path = [part for cell in cells for part in board.drawn.cells.center(*cell)]
        board.receive({"kind": "stroke", "path": path, "live": live})

    board.receive({"kind": "brush", "index": names.index("soft")})
    stroke((1, 0), (1, 23), live=True)
    drawn, steps = editor.rows[1], editor.steps
    stroke((1, 0), (1, 24), live=not released)  # there are letters for 24 switches
    assert (editor.rows[1], editor.steps) == (drawn, steps)
    if not released:
        stroke(live=True)  # a canceled drag
        assert editor.steps == 0
        return
    board.receive({"kind": "brush", "index": names.index("light")})
    stroke((0, 3), live=False)
    assert (editor.rows[1], editor.steps) == (drawn, steps + 1)


def test_a_drag_that_comes_back_onto_the_board_elsewhere_draws_no_wires():
    sent: list[dict[str, Any]] = []
    editor = gw.LightEmAll.blank(4, 4).editor()
    board = EditorBoard(editor, sent.append)
    board.receive({"kind": "hello"})
    board.receive({"kind": "brush", "index": [brush.name for brush in editor.brushes].index("wires")})
    assert editor.trail([(0, 0), (3, 3)]) == [(0, 0)]
    board._wire([(0, 0), (3, 3)], editor.brushes[board._brush])
    assert editor.steps == 0


def test_keys_without_a_meaning_do_nothing():
    sent: list[dict[str, Any]] = []
    board = EditorBoard(gw.MyPhoton.blank(3, 3).editor(), sent.append)
    board.receive({"kind": "hello"})
    for key in ("3", "0", "²", "9" * 5000, "x"):
        board.receive({"kind": "key", "key": key})
        assert sent[-1]["state"].get("message", "") == "", key
    assert board._brush == 2  # "3" selected the third brush, and the other keys changed nothing


def test_a_level_with_a_problem_cannot_be_played():
    sent: list[dict[str, Any]] = []
    editor = gw.Bloxorz("SoooT").editor()
    board = EditorBoard(editor, sent.append)
    board.receive({"kind": "hello"})
    editor.put((0, 4), bloxorz.Tile.NONE)
    board.receive({"kind": "play"})
    assert sent[-1]["state"]["message"] == str(editor.problems[0])


def test_undo_during_a_drag_takes_back_only_the_drag():
    board = EditorBoard(gw.MyPhoton.blank(3, 3).editor(), lambda message: None)
    board.receive({"kind": "hello"})
    board.receive({"kind": "brush", "index": 1})
    board.receive({"kind": "stroke", "path": [20, 100]})
    before = board.editor.rows
    board.receive({"kind": "stroke", "path": [20, 20, 100, 20], "live": True})
    board.receive({"kind": "undo"})
    assert board.editor.rows == before
    board.receive({"kind": "stroke", "path": [20, 20, 100, 20]})
    assert (board.editor.rows[0], board.editor.rows[1:]) == ("W W W", before[1:])


def test_numbers_are_recounted_after_every_change():
    editor = gw.GeeseSpotter.blank(3, 3).editor()
    field = geese.Field
    editor.put((1, 1), field.GOOSE)
    editor.put((0, 0), 7)
    editor.put((2, 2), field.MARKED | field.HIDDEN)
    assert editor.rows == ("01 21 21", "21 29 21", "21 21 31")
    assert editor.describe((2, 2)) == "row 2, column 2: 1, hidden, marked"
    assert editor.game.view.tolist()[2] == ["*", "*", "M"]


def test_clearing_an_end_of_a_play_of_linear_domination_removes_the_play():
    editor = gw.LinearDomination.blank(5).editor()
    editor.connect([(0, 0), (4, 1)])
    editor.connect([(2, 0), (2, 4)])
    editor.connect([(0, 9), (4, 4)])
    assert str(editor.facts(5)).startswith("X 4, O 5, 1 play refused, O to move, best: ")
    editor.put((2, 0), 0)
    assert len(editor.game.plays) == 2
    editor.put((4, 4), 0)
    editor.put((4, 4), 0)
    assert editor.game.plays.tolist() == [[0, 0, 4, 1]]


BAD = [
    (lambda e: e.put((9, 9), 0), ValueError, "cell must be a cell of the 2 x 3 board, got (9, 9)"),
    (lambda e: e.put(3, 0), TypeError, "cell must be a cell (row, col), got 3 (int)"),
    (lambda e: e.put((0, 0), 99), ValueError, "code must be "),
    (lambda e: e.put((0, 0), "wall"), TypeError, "code must be an integer, got 'wall' (str)"),
    (lambda e: e.put((0, 0), 0, 5), (TypeError, ValueError), "name must be "),
    (lambda e: e.paint(7, 0), TypeError, "cells must be a sequence of cells (row, col), got 7 (int)"),
    (lambda e: e.paint(range(10**12), 0), TypeError, "each of cells must be a cell (row, col), got 0 (int)"),
    (lambda e: e.resize(0, 3), ValueError, "height must be between 1 and 1000, got 0"),
    (lambda e: e.resize(3, 2.5), TypeError, "width must be an integer, got 2.5 (float)"),
    (lambda e: e.connect([(0, 0)]), ValueError, "cells must hold at least 2 cells, got 1"),
    (lambda e: e.connect([(0, 0), (0, 1)], "nohow"), ValueError, "how must be "),
    (lambda e: e.choose("color", "red"), ValueError, "name must be "),
    (lambda e: e.facts(-1), ValueError, "seconds must be between 0 and 3600, got -1"),
    (lambda e: e.facts("1"), TypeError, "seconds must be a number, got '1' (str)"),
    (lambda e: e.facts(float("nan")), ValueError, "seconds must be between 0 and 3600, got nan"),
    (lambda e: e.read("?"), gw.LevelError, "line 1"),
    (lambda e: e.read(5), TypeError, "text must be a str, got 5 (int)"),
]


@pytest.mark.parametrize("game", [gw.Bloxorz, gw.LinearDomination])
def test_a_bool_is_refused_as_a_coordinate(game):
    editor = game.blank(3, 3).editor()
    with pytest.raises(TypeError, match=r"^each of cells must be a cell \(row, col\), got \(0, True\) \(tuple\)$"):
        editor.connect([(0, 0), (0, True)])


@pytest.mark.parametrize("case", range(len(BAD)))
def test_a_bad_argument_is_named_and_changes_nothing(kind, case):
    call, error, sentence = BAD[case]
    square = kind is gw.LinearDomination
    editor = kind.blank(3 if square else 2, 3).editor()
    sentence = sentence.replace("2 x 3", "3 x 3") if square else sentence
    if sentence.startswith(("cells must hold at least", "how")) and all(brush.codes for brush in editor.brushes):
        sentence = f"cells cannot be connected in {kind.__name__}"
    before = editor.text
    with pytest.raises(error) as caught:
        call(editor)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)
    assert editor.text == before
    assert not editor.can_undo


def test_settings_accept_only_their_choices(kind):
    editor = kind.blank(2, 2).editor()
    for setting in editor.settings:
        with pytest.raises(ValueError, match="value must be "):
            editor.choose(setting.name, "purple")
        for value in setting.choices:
            editor.choose(setting.name, value)
            assert {one.name: one.value for one in editor.settings}[setting.name] == value


def test_a_radius_of_zero_is_a_limit():
    editor = gw.LightEmAll("1 2 radius=0\n28\nstation 0 0").editor()
    (setting,) = [one for one in editor.settings if one.name == "radius"]
    assert (setting.value, setting.choices[:3]) == ("0", ("no limit", "0", "1"))
    editor.choose("radius", "no limit")
    assert editor.text.splitlines()[0] == "1 2"
    editor.undo()
    assert editor.text.splitlines()[0] == "1 2 radius=0"


def test_the_editor_and_the_game_name_tiles_alike():
    game = gw.MyPhoton.level("example")
    for row, col in np.ndindex(*game.shape):
        words = game.editor().describe((row, col))
        assert game.controls().describe((row, col)).startswith(words)


def test_the_editor_and_the_game_name_the_sides_of_wires_alike():
    for text in ("1 2\n28\nstation 0 0", "2 1 hex\n08\n01\nstation 0 0"):
        game = gw.LightEmAll(text)
        contents = game.controls().describe((0, 0)).partition(";")[0]
        assert game.editor().describe((0, 0)).startswith(contents)


def test_a_click_needs_a_brush_with_codes():
    editor = gw.Bloxorz.level("level01").editor()
    text = editor.text
    with pytest.raises(ValueError, match="brush must have codes, got 'wire', which has none"):
        editor.press((0, 0), editor.brushes[-1])
    with pytest.raises(TypeError, match="brush must be an instance of Brush, got int"):
        editor.press((0, 0), 5)
    assert editor.text == text


def test_an_endless_iterator_of_cells_is_refused():
    editor = gw.LightEmAll.blank(2, 2).editor()
    for change in (lambda: editor.paint(itertools.repeat((0, 0)), 1), lambda: editor.connect(itertools.repeat((0, 0)))):
        with pytest.raises(ValueError, match="cells must hold at most 1,000,000 cells, got more"):
            change()


def test_a_board_is_scrambled_by_a_seed():
    text = gw.LightEmAll.generate(4, 5, scramble=False, seed=1).text
    first, second, other = (gw.LightEmAll(text).editor() for _ in range(3))
    for editor, seed in ((first, 7), (second, 7), (other, 8)):
        editor.scramble(seed=seed)
    assert first.text == second.text != other.text
    assert text != first.text
    first.undo()
    assert first.text == text
    for seed in (-1, 2**64, 1.5, "x", True):
        with pytest.raises((TypeError, ValueError), match="^seed must be"):
            first.scramble(seed=seed)
        assert first.text == text
