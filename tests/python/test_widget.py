"""The kernel's side of the board and of the widget: the messages that a page sends and receives."""

from __future__ import annotations

import base64
import gc
import re
import sys
import weakref
from types import SimpleNamespace

import games
import gridwright as gw
import pytest
from conftest import ROOT, starts
from games import gestures
from gridwright.draw import DARK, LIGHT, Theme, picture
from gridwright.play import edit as module_of_editor
from gridwright.play import widget as module
from gridwright.play.board import Board
from gridwright.play.marks import layer
from gridwright.status import Status


def bare(svg):
    """Returns a picture without its title and description, which a page receives separately."""
    return re.sub(r' aria-label="[^"]*"|<title>.*?</title>|<desc>.*?</desc>', "", svg)


def replaced(svg, changes):
    """Returns a picture with some of its pieces replaced."""
    for key, text in changes.items():
        found = re.findall(rf'^<\w+ data-id="{key}".*$', svg, re.MULTILINE)
        assert len(found) == 1, key
        svg = svg.replace(found[0], text)
    return svg


class Shown:
    """A simulated page, which applies every update to its picture, marks and state."""

    def __init__(self, game, **options) -> None:
        self.messages = []
        self.board = Board(game, self.hear, **options)
        self.game, self.controls = game, games.alone(game)
        self.svg, self.marks, self.state = "", "", {}
        self.say("hello")

    def hear(self, message) -> None:
        self.messages.append(message)
        assert message["kind"] == "update"
        self.svg = message.get("picture", self.svg)
        rolled = self.svg
        for changes in message.get("frames", ()):
            rolled = replaced(rolled, changes)
        self.svg = replaced(self.svg, message.get("changes", {}))
        # The frames of a rolling block end with the picture of the new position.
        assert "frames" not in message or rolled == self.svg
        self.marks = message.get("marks", self.marks)
        self.state.update(message["state"])

    def say(self, kind: str, **more) -> str:
        self.board.receive({"kind": kind, **more})
        return self.state["message"]

    def click(self, cell, **more) -> str:
        x, y = self.board.drawn.cells.center(*cell)
        return self.say("click", x=x, y=y, **more)


def drawn(game, **options) -> str:
    """Returns the picture that a new page shows of a game."""
    return Board(game, lambda _: None, **options).picture().render()


def perform(page, move) -> None:
    for what, target, *second in gestures(page.game, move):
        if what == "key":
            page.say("key", key=target)
        else:
            page.click(target, second=second[0])


def random_moves(game, n):
    """Yields up to ``n`` random legal moves of an open game, skipping moves that need a drag."""
    found, seed = 0, 0
    while found < n and seed < 10_000 and (move := game.sample_legal(seed)) is not None:
        seed += 1
        if all(what != "drag" for what, *_ in gestures(game, move)):
            found += 1
            yield [int(part) for part in move]


def test_gestures_play_legal_moves_in_every_game(kind):
    for game in starts(kind)[:6]:
        shadow = game.copy()
        page = Shown(game)
        assert page.board.game is game
        for move in random_moves(shadow, 6):
            shadow.play(*move)
            perform(page, move)
            assert game == shadow
            assert page.state["status"] == shadow.status.name
            assert bare(page.svg) == bare(drawn(shadow))


def test_a_page_is_sent_only_what_changed():
    game = gw.LightEmAll.generate(30, 30, seed=1)
    page = Shown(game)
    page.click((29, 29))
    page.messages.clear()
    page.click((29, 28))
    (message,) = page.messages
    assert "picture" not in message
    assert "c29-28" in message["changes"]
    assert len(str(message)) < len(page.svg) / 10
    assert "levels" not in message["state"]
    assert bare(page.svg) == bare(drawn(game))
    # No picture is sent when the pointer leaves the board.
    page.say("leave")
    assert "picture" not in page.messages[-1]
    assert not page.messages[-1].get("changes")


def test_all_pages_of_a_game_show_one_state(kind):
    game = starts(kind)[0]
    one, other = Shown(game), Shown(game, theme="dark")
    perform(one, [int(n) for n in game.sample_legal(1)])
    assert bare(one.svg) == bare(drawn(game))
    assert bare(other.svg) == bare(drawn(game, theme="dark"))
    assert one.state["scores"] == other.state["scores"]
    other.say("undo")
    assert bare(one.svg) == bare(drawn(game))


def test_buttons_undo_redo_and_restart(kind):
    game = starts(kind)[0]
    page = Shown(game)
    assert page.say("undo") == "There is nothing to undo."
    assert not page.state["undo"]
    perform(page, next(random_moves(game, 1)))
    played = game.copy()
    assert page.state["undo"]
    page.say("undo")
    assert game == kind.level(kind.levels()[0])
    assert page.state["redo"]
    page.say("redo")
    assert game == played
    page.say("restart")
    assert len(game.moves) == 0
    assert page.state["seconds"] == 0
    assert not page.state["running"]


def test_an_answer_plays_in_steps_of_any_size(kind):
    game = starts(kind)[0]
    page = Shown(game)
    page.say("next_level")
    page.say("solve")
    assert page.state["solving"]
    step = page.state["step"]
    page.say("steps", step=step + 1, moves=1)  # only a request for the current step counts
    assert len(game.moves) == 0
    page.say("steps", step=step, moves=1)
    played = len(game.moves)
    page.say("steps", step=step, moves=1)
    assert len(game.moves) == played > 0
    while page.state["solving"]:
        page.say("steps", step=page.state["step"], moves=50)
    assert page.state["status"] != "OPEN"
    page.say("restart")
    page.say("finish")
    assert page.state["status"] != "OPEN"


def test_levels_and_seeds_change_the_game_itself(kind):
    game = starts(kind)[0]
    page = Shown(game)
    name = page.state["levels"][-1][0]
    assert page.say("level", name=name) == ""
    assert game == kind.level(name)
    assert page.state["level"] == name
    assert "No level" in page.say("level", name="nowhere")
    assert game == kind.level(name)
    page.say("level", name=page.state["levels"][0][0])
    largest = 2**64 - 1  # a browser would round it as a number
    page.say("new", seed=str(largest))
    assert page.state["seed"] == str(largest)
    page.say("new", seed="5")
    first = game.text
    assert page.state["seed"] == "5"
    page.say("new", seed=None)
    assert page.state["seed"] is not None
    page.say("new", seed=5)
    assert game.text == first
    assert page.say("new", seed="abc").startswith("The seed must be a whole number")
    assert game.text == first


def test_invalid_messages_are_answered_with_a_sentence(kind):
    game = starts(kind)[0]
    page = Shown(game)
    before = game.copy()
    for message in (
        {},
        {"kind": "dance"},
        {"kind": "click", "x": "left", "y": 3},
        {"kind": "click", "x": 3},
        {"kind": "drag", "path": [1, 2, 3]},
        {"kind": "drag", "path": "here"},
        {"kind": "key"},
        {"kind": "new", "seed": "no number"},
        {"kind": "new", "seed": -1},
        {"kind": "choose", "name": "weather", "value": "fine"},
        {"kind": "redo"},
        {"kind": "undo", "count": "many"},
    ):
        page.board.receive(message)
        assert page.state["message"], message
        assert game == before
    page.say("key", key="F13")
    page.say("click", x=-5, y=-5)
    page.say("click", x=1e300, y=float("nan"))
    page.say("drag", path=[float("inf"), 0, 0, 0])
    page.say("drag", path=[])
    assert game == before


def test_the_keys_of_a_page_are_those_of_the_level_on_the_board():
    page = Shown(gw.LightEmAll.level("level01"))
    names = {name for names, _ in page.state["keys"] for name in names.split(", ")}
    assert names == set(page.controls.keys)
    page.say("level", name="level06")
    assert page.game.hexagonal
    more = {name for names, _ in page.state["keys"] for name in names.split(", ")}
    assert more == set(page.controls.keys)
    assert more - names == {*"wedxza"}


def test_the_cursor_is_drawn_and_described(kind):
    game = starts(kind)[0]
    page = Shown(game)
    page.say("key", key="shift+down")
    page.say("key", key="shift+right")
    assert page.controls.cursor == (0, min(1, game.width - 1))
    assert page.marks.count('class="cursor"') == 2  # a light ring and a dark ring
    assert page.state["news"].startswith("row 0, column ")
    assert bare(page.svg) == bare(drawn(game))  # the cursor is not part of the picture


def test_moves_played_in_a_notebook_cell_are_sent_after_the_cell(kind):
    game = starts(kind)[0]
    widget = game.widget()
    sent = []
    widget._board._send = sent.append
    widget._on_message(widget, {"kind": "hello"}, [])
    game.play(*game.sample_legal(3))
    module._look_at_all_games()  # IPython calls this after each cell
    assert sent[-1]["state"]["undo"]
    count = len(sent)
    module._look_at_all_games()
    assert len(sent) == count


def test_wrong_arguments_leave_no_widget_behind():
    from ipywidgets.widgets.widget import _instances

    game = gw.Bloxorz.level("level01")
    before = len(_instances)
    for make in (game.widget, game.edit):
        for options in ({"size": 0}, {"theme": "pink"}, {"view": "none"} if make == game.widget else {"page": 3}):
            with pytest.raises((TypeError, ValueError), match="must be"):
                make(**options)
    assert len(_instances) == before


def test_calls_from_code_are_shown_at_once():
    game = gw.MyPhoton.level("level01")
    page = Shown(game)
    move = game.solution()[0].tolist()
    page.controls.click(move[:2])
    assert page.marks.count("<polygon") > 1
    page.controls.click(move[2:])
    assert (page.state["status"], page.state["outcome"]) == ("WON", "won")
    assert bare(page.svg) == bare(drawn(game))


def test_the_clock_runs_from_the_first_move_to_the_end():
    game = gw.Bloxorz.level("level01")
    page = Shown(game)
    assert not page.state["running"]
    for key in game.solve():
        assert page.state["status"] == "OPEN"
        page.say("key", key={"l": "left", "u": "up", "r": "right", "d": "down", "s": "space"}[key])
    assert page.state["status"] == "WON"
    assert page.state["next"] == "level02"
    assert not page.state["running"]
    assert 0 <= page.state["seconds"] < 60


def test_the_pieces_that_a_finger_can_drag_are_marked(kind):
    game = starts(kind)[0]
    page = Shown(game)
    handles = page.controls.handles()
    assert page.marks.count('class="grab"') == (1 if len(handles) == game.height * game.width else len(handles))


def test_a_swipe_within_a_cell_rolls_the_block_too():
    game = gw.Bloxorz.level("level01")
    for view in game.VIEWS:
        page = Shown(game, view=view)
        page.say("restart")
        page.say("drag", path=[50, 50, 55, 51, 64, 52])
        page.say("drag", path=[50, 50, 49, 120])
        assert game.moves.ravel().tolist() == [2, 3]


def test_the_theme_follows_the_page():
    game = gw.Bloxorz.level("level01")
    page = Shown(game)
    page.say("theme", dark=True)
    assert bare(page.svg) == bare(drawn(game, theme="dark"))
    fixed = Shown(game, theme="light", size=20)
    fixed.say("theme", dark=True)
    assert bare(fixed.svg) == bare(drawn(game, size=20))


def test_the_script_has_no_color_of_its_own():
    script = (ROOT / "python/gridwright/play/widget.js").read_text()
    assert not re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[;,)}\s])|\brgba?\(|\bhsl", script)
    colors = Shown(gw.Bloxorz.level("level01")).board.menu["colors"]
    for theme in (LIGHT, DARK):
        assert isinstance(theme, Theme)
        assert set(colors[theme.name].values()) <= set(vars(theme).values())
    assert set(re.findall(r"var\(--(\w+)\)", script)) == set(colors["light"])


def test_a_key_and_a_button_change_the_view(kind):
    game = kind.level("level01")
    page = Shown(game)
    flat = page.svg
    assert page.board.menu["views"] == list(kind.VIEWS)
    if len(kind.VIEWS) < 2:
        page.say("view")
        page.say("key", key="v")
        assert page.svg == flat
        return
    page.say("key", key="v")
    assert page.state["view"] == "3d"
    assert bare(page.svg) == bare(drawn(game, view="3d")) != bare(flat)
    page.say("key", key="right")
    page.say("drag", path=[50, 50, 40, 120])
    assert game.moves.ravel().tolist() == [2, 3]
    page.say("restart")
    page.click((int(game.block[0, 0]), game.width - 1))  # toward the right
    assert game.moves.ravel().tolist() == [2]
    page.say("view")
    assert bare(page.svg) == bare(drawn(game))
    with pytest.raises(ValueError, match="view must be 'flat' or '3d', got 'up'"):
        game.widget(view="up")


def test_the_block_rolls_in_three_dimensions():
    game = gw.Bloxorz("oSoaTo\nooAooo\n#AOa")
    page = Shown(game, view="3d")
    for key in ("right", "right", "left", "up", "down", "down"):  # every roll ends in a fall
        page.say("key", key=key)
        frames = page.messages[-1]["frames"]
        assert 4 <= len(frames) <= 10
        assert all(changes.keys() & {"block", "behind"} for changes in frames)  # "behind": a fall behind the terrain
        assert bare(page.svg) == bare(drawn(game, view="3d"))
    assert game.falls >= 2
    solved = Shown(gw.Bloxorz.level("level11"), view="3d")
    for move in solved.game.solution():  # no roll ends in a fall
        (key,) = games.keys(solved.game, move)
        solved.say("key", key=key)
        assert 4 <= len(solved.messages[-1]["frames"]) <= 10
        assert bare(solved.svg) == bare(drawn(solved.game, view="3d"))
    assert (solved.controls.status, solved.game.falls) == (Status.WON, 0)
    for what in ("undo", "redo", "restart", "view"):
        page.say(what)
        assert "frames" not in page.messages[-1] or what == "redo"
    page.say("key", key="right")  # in the flat view, the page moves the block without frames
    assert "frames" not in page.messages[-1]


def test_marks_lie_on_the_ground_of_the_view_in_three_dimensions():
    game = gw.Bloxorz.level("level44")
    page = Shown(game, view="3d")
    cells = page.board.drawn.cells
    assert all(cells.at(*cells.center(row, col)) == (row, col) for row in range(10) for col in range(14))
    assert cells.at(*cells.center(-1, 3)) is None
    page.say("hint")
    assert page.marks.count("<polygon") == 3 * len(page.controls.handles()) + 2 * 4
    x, y = cells.center(0, 8)
    page.say("hover", x=x, y=y)
    assert page.state["tip"].startswith("Soft switch A")
    page.say("key", key="shift+down")
    assert page.marks.count('class="cursor"') == 2


def test_a_repeated_key_that_arrives_after_the_end_is_ignored():
    page = Shown(gw.Bloxorz.level("level01"))
    page.say("key", key="enter")
    for _ in range(30):
        page.say("key", key="enter", repeat=True)
    assert page.controls.status == Status.WON
    assert page.controls.title == "Bloxorz level01"
    page.say("key", key="enter")
    assert page.controls.title == "Bloxorz level02"


def test_a_search_that_takes_too_long_ends_with_a_message(monkeypatch):
    game = gw.MyPhoton.generate(15, 15, lasers=3, sensors=6, mirrors=8, splitters=3, tmirrors=2, seed=2)
    page = Shown(game)
    monkeypatch.setattr(type(page.controls), "PATIENCE", 0.02)
    for button in ("hint", "solve"):
        assert page.say(button) == "Nothing was found in 0.02 seconds. Play on, or try again after a few moves."
        assert len(game.moves) == 0
        assert not page.state["solving"]
    assert game.status == gw.Status.OPEN


def test_a_page_receives_the_number_of_positions_shown():
    game = gw.Bloxorz.level("level01")
    page = Shown(game)
    before = page.state["position"]
    page.say("theme", dark=True)
    assert page.state["position"] == before
    page.say("key", key="right")
    page.say("undo")
    assert page.state["position"] == before + 2


def test_a_board_that_no_page_shows_is_not_drawn():
    page = Shown(gw.Bloxorz.level("level01"))
    page.say("hello")
    page.say("bye")
    page.controls.key("right")
    count = len(page.messages)
    assert page.state["scores"][0][1] == 1
    page.board.receive({"kind": "bye"})
    page.controls.key("right")
    assert len(page.messages) == count
    page.say("hello")
    assert page.state["scores"][0][1] == 2


def test_every_answer_contains_the_count_and_the_sender_of_its_message():
    page = Shown(gw.Bloxorz.level("level01"))
    for count, sender in ((4, "one"), (7, "other")):
        page.board.receive({"kind": "key", "key": "right", "count": count, "sender": sender})
        assert (page.messages[-1]["heard"], page.messages[-1]["sender"]) == (count, sender)
    page.controls.key("left")
    assert not {"heard", "sender"} & {*page.messages[-1]}


def test_an_answer_plays_at_one_speed_in_two_widgets_of_a_game():
    game = gw.Bloxorz.level("level01")
    one, other = Shown(game), Shown(game)
    one.say("solve")
    for played in (1, 2, 3):
        # Both pages ask for the next step before they hear that it was played.
        step = one.state["step"]
        assert other.state["step"] == step
        one.say("steps", step=step, moves=1)
        other.say("steps", step=step, moves=1)
        assert len(game.moves) == played


def test_pages_without_a_kernel_show_the_picture(kind, monkeypatch):
    game = starts(kind)[0]
    widget = game.widget()
    bundle = widget._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"]
    assert data["text/html"].startswith('<img src="data:image/svg+xml;base64,')
    assert data["text/plain"] == str(game)
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, **_: shown.append(data))
    widget._ipython_display_()
    assert f'data-gridwright-still="{widget.still}"' in shown[0]["text/html"]
    assert "<img" in shown[0]["text/html"]
    # A terminal prints only the plain text.
    assert shown[0]["text/plain"] == str(game)
    assert set(shown[1]) == {"application/vnd.jupyter.widget-view+json"}


def test_pages_without_a_kernel_show_the_picture_of_the_editor(kind, monkeypatch):
    editor = starts(kind)[0].editor()
    widget = module_of_editor.EditorWidget(editor)
    data, _ = widget._repr_mimebundle_()
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"]
    assert data["text/html"].startswith('<img src="data:image/svg+xml;base64,')
    assert data["text/plain"] == editor.text
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, **_: shown.append(data))
    widget._ipython_display_()
    assert f'data-gridwright-still="{widget.still}"' in shown[0]["text/html"]
    assert "<img" in shown[0]["text/html"]
    assert shown[0]["text/plain"] == editor.text
    assert set(shown[1]) == {"application/vnd.jupyter.widget-view+json"}


@pytest.mark.parametrize("make", ["widget", "edit"])
def test_a_closed_widget_shows_its_picture(make, monkeypatch):
    widget = getattr(gw.Bloxorz.level("level01"), make)()
    widget.close()
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, **_: shown.append(data))
    widget._ipython_display_()
    assert [set(data) for data in shown] == [{"text/html", "text/plain"}]


def test_the_picture_for_pages_without_a_kernel_is_that_of_the_widget():
    def still(widget) -> str:
        html = widget._repr_mimebundle_()[0]["text/html"]
        return base64.b64decode(re.search('base64,([^"]*)', html)[1]).decode()

    game = gw.Bloxorz.level("level01")
    assert still(game.widget(theme="dark")) == picture(game, theme="dark", axes=True).render()
    assert still(game.widget(view="3d", theme="light")) == picture(game, view="3d", axes=True).render()
    assert still(game.widget(size=50, theme="dark")) == picture(game, theme="dark", size=50, axes=True).render()
    assert still(game.edit(theme="dark", size=50)) == picture(game, theme="dark", size=50).render()
    widget = game.widget()
    for svg in (still(widget), still(game.edit())):
        assert "prefers-color-scheme:dark" in svg
        assert LIGHT.page in svg
        assert DARK.page in svg
    # A page shows the view to which a player has turned.
    widget._board.receive({"kind": "view"})
    assert still(widget) == still(game.widget(view="3d"))


@pytest.mark.parametrize("make", ["widget", "edit"])
def test_a_closed_widget_is_freed_and_no_longer_follows_its_game(make):
    game = gw.Bloxorz.level("level01")
    controls = game.controls()
    widget = getattr(game, make)()
    for kind in ("hello", "play"):
        widget._on_message(None, {"kind": kind, "sender": "page"}, [])
    board, freed = weakref.ref(widget._board), weakref.ref(widget)
    widget.close()
    assert not controls._listeners
    del widget
    gc.collect()
    assert freed() is None
    assert board() is None


def test_a_level_that_is_no_longer_played_in_an_editor_is_not_followed():
    widget = gw.Bloxorz.level("level01").edit()
    played = []
    for kind in ("play", "play", "edit", "play", "bye", "play"):
        widget._on_message(None, {"kind": kind, "sender": "page"}, [])
        if kind == "play":
            played.append(widget._players["page"].controls)
    assert [len(controls._listeners) for controls in played] == [0, 0, 0, 1]
    widget.close()
    assert not played[-1]._listeners


def test_colab_receives_the_address_of_the_widget_manager(monkeypatch):
    # A stub replaces Colab's module.
    enabled = []
    output = SimpleNamespace(
        enable_custom_widget_manager=lambda: enabled.append(True),
        _widgets=SimpleNamespace(_installed_url="https://example.org/manager.js"),
    )
    monkeypatch.setitem(sys.modules, "google.colab.output", output)
    data, metadata = gw.Bloxorz.level("level01").widget()._repr_mimebundle_()
    assert enabled
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "https://example.org/manager.js" in str(metadata)
    assert "svg" in str(data["text/html"])


def test_the_players_line_is_shown_before_the_opponent_replies_on_a_large_board():
    sent = []
    board = Board(gw.LinearDomination("24 3"), sent.append, size=20)
    board.receive({"kind": "hello", "count": 1})
    del sent[:]
    played = []
    board.controls.subscribe(lambda: played.append(len(board.game.moves)))
    board.receive({"kind": "drag", "path": [30, 30, 30, 90], "count": 2})
    assert played == [1, 2]
    first, last = sent
    assert "heard" not in first
    assert last["heard"] == 2
    assert first["changes"]
    assert last["changes"]
    assert first["state"]["message"] == "Greedy is looking for a line ..."
    assert last["state"]["message"].startswith("Greedy drew")


def test_on_a_small_board_a_line_and_the_reply_are_sent_together():
    sent = []
    board = Board(gw.LinearDomination("8 3"), sent.append, size=20)
    board.receive({"kind": "hello", "count": 1})
    del sent[:]
    board.receive({"kind": "drag", "path": [30, 30, 30, 90], "count": 2})
    assert len(sent) == 1
    assert len(board.game.moves) == 2


def test_errors_about_messages_are_full_sentences():
    page = Shown(gw.Bloxorz.level("level01"))
    assert page.say("level", name="herat") == 'No level "herat" of Bloxorz; did you mean "heart"?'
    assert page.say("dance").startswith("Kind must be the kind of a message to the board")
    assert page.say("dance").endswith("'dance'.")
    assert page.say("level") == "The page sent an incomplete message."
    path = "must be a list of coordinates x, y, x, y, ..., got"
    assert page.say("drag", path=[1, 2, 3]) == f"Path {path} [1, 2, 3]."
    assert page.say("drag", path="here") == f"Path {path} 'here'."
    assert page.say("hover", x=1, y=1, path=[1]) == f"Path {path} [1]."
    assert page.say("drag", path=[1, "left"]) == "A coordinate of path must be a number, got 'left'."
    assert page.say("click", x="left", y=3) == "X must be a number, got 'left'."
    assert page.say("undo", count="many") == "Count must be an integer, got 'many'."


def test_an_interrupted_reply_leaves_the_page_as_it_was(monkeypatch):
    page = Shown(gw.LinearDomination("24 3"), size=20)
    page.controls.choose("opponent", "greedy")
    before, state = page.svg, dict(page.state)

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(type(page.controls), "_suggest", interrupt)
    page.messages.clear()
    with pytest.raises(KeyboardInterrupt):
        page.board.receive({"kind": "drag", "path": [30, 30, 30, 90], "count": 2})
    first, last = page.messages
    assert first["changes"]
    assert last["heard"] == 2
    assert page.svg == before
    assert page.state["scores"] == state["scores"]
    assert page.state["message"] == state["message"]


def test_a_preview_outlines_cells_and_draws_no_line(kind, monkeypatch):
    game = kind.level(kind.levels()[0])
    monkeypatch.setattr(kind.CONTROLS, "marks", lambda _: {})
    empty = layer(game.controls(), picture(game))
    monkeypatch.setattr(kind.CONTROLS, "marks", lambda _: {"preview": ((0, 0), (0, 1))})
    drawn = layer(game.controls(), picture(game))
    assert drawn.count("<polygon") - empty.count("<polygon") == 2
    assert drawn.count("<line") == empty.count("<line")
