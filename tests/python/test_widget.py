"""The widget, from the kernel's side: what a page may say, and what it is told."""

from __future__ import annotations

import sys
import time
from types import SimpleNamespace

import gridwright as gw
import pytest
from conftest import starts
from gridwright import widget as module
from gridwright.draw import picture

ARROWS = {"l": "ArrowLeft", "u": "ArrowUp", "r": "ArrowRight", "d": "ArrowDown", "s": " "}


def say(widget, kind: str, **more) -> str:
    """Sends what a page sends; gives the sentence that it answers with."""
    widget._on_message(widget, {"kind": kind, **more}, [])
    return widget.state["message"]


def click(widget, cell, **more) -> str:
    x, y = picture(widget.game).cells.center(*cell)
    return say(widget, "click", x=x, y=y, **more)


def gestures(game, move):
    """What a player does for a move: keys, or clicks with the second kind marked."""
    if len(move) == 1:
        return [("key", ARROWS["lurds"[move[0]]])]
    if len(move) == 3:
        return [("click", tuple(move[1:]), bool(move[0]))]
    return [("click", tuple(move[:2]), False), ("click", tuple(move[2:]), False)]


def perform(widget, move) -> None:
    for what, target, *second in gestures(widget.game, move):
        message = say(widget, "key", key=target) if what == "key" else click(widget, target, second=second[0])
        assert widget.game.status != gw.Status.OPEN or not message, message


def test_gestures_play_legal_moves_in_every_world(kind):
    for game in starts(kind)[:6]:
        shadow = game.copy()
        widget = game.widget()
        assert widget.game is game
        for seed in range(6):
            move = shadow.sample_legal(seed)
            if move is None:
                break
            shadow.play(*move)
            perform(widget, [int(n) for n in move])
            assert game == shadow
            assert widget.state["moves"] == len(shadow.moves)
            assert widget.state["status"] == shadow.status.name
            assert widget.picture == shadow.svg()


def test_buttons(kind):
    game = starts(kind)[0]
    widget = game.widget()
    assert say(widget, "undo") == "nothing to undo"
    assert not widget.state["undo"]
    perform(widget, [int(n) for n in game.sample_legal(1)])
    played = game.copy()
    assert widget.state["undo"]
    assert widget.state["running"] or game.status != gw.Status.OPEN
    say(widget, "undo")
    assert game == kind.level(kind.levels()[0])
    assert widget.state["redo"]
    say(widget, "redo")
    assert game == played
    say(widget, "restart")
    assert len(game.moves) == 0
    assert widget.state["seconds"] == 0
    assert not widget.state["running"]


def test_a_hint_and_a_solution_are_played_step_by_step(kind):
    game = starts(kind)[0]
    widget = game.widget()
    assert widget.menu["hints"]
    say(widget, "hint")
    assert len(game.moves) == 1
    say(widget, "restart")
    assert widget.menu["solves"] or hasattr(kind, "winner")  # a game of two has no solution
    if not widget.menu["solves"]:
        return
    say(widget, "solve")
    assert widget.state["solving"]
    steps = 0
    while widget.state["solving"]:
        assert say(widget, "next", step=widget.state["step"] + 1) == ""  # a late or doubled message does nothing
        say(widget, "next", step=widget.state["step"])
        steps += 1
        assert steps < 2000
    assert game.status != gw.Status.OPEN
    assert len(game.moves) in (steps, steps - 1)


def test_solving_stops_when_the_player_plays():
    game = gw.Bloxorz.level("level01")
    widget = game.widget()
    say(widget, "solve")
    say(widget, "next", step=0)
    say(widget, "key", key="ArrowLeft")
    assert not widget.state["solving"]
    say(widget, "solve")
    say(widget, "solve")
    assert not widget.state["solving"]


def test_levels_and_seeds_change_the_very_game(kind):
    game = starts(kind)[0]
    widget = game.widget()
    name = kind.levels()[-1]
    assert say(widget, "level", name=name) == ""
    assert game == kind.level(name)
    assert widget.game is game
    assert widget.state["level"] == name
    assert "no level" in say(widget, "level", name="nowhere")
    assert game == kind.level(name)
    if widget.menu["seeds"]:
        say(widget, "level", name=kind.levels()[0])
        assert say(widget, "new", seed=5) == ""
        first = game.text
        assert widget.state["seed"] == 5
        say(widget, "new", seed=None)
        assert widget.state["seed"] is not None
        say(widget, "new", seed=5)
        assert game.text == first


def test_what_a_page_may_not_say_is_answered_with_a_sentence(kind):
    game = starts(kind)[0]
    widget = game.widget()
    before = game.copy()
    for message in (
        {},
        {"kind": "dance"},
        {"kind": "click", "x": "left", "y": 3},
        {"kind": "click", "x": 3},
        {"kind": "drag", "path": [1, 2]},
        {"kind": "key", "key": "F13"},
        {"kind": "new", "seed": "no number"},
        {"kind": "new", "seed": -1},
        {"kind": "redo"},
    ):
        widget._on_message(widget, message, [])
        assert widget.state["message"], message
        assert game == before
    say(widget, "click", x=-5, y=-5)
    say(widget, "click", x=1e300, y=float("nan"))
    say(widget, "drag", path=[float("inf"), 0, 0, 0])
    assert game == before


def test_cells_are_chosen_by_keys_too(kind):
    game = starts(kind)[0]
    widget = game.widget()
    if len(game.bounds) == 1:
        say(widget, "key", key="ArrowRight", shift=True)  # no cell is ever clicked, so arrows are keys of the game
        assert widget._cursor is None
        assert len(game.moves) == 1
        return
    say(widget, "key", key="ArrowDown", shift=True)
    assert widget._cursor == (0, 0)
    say(widget, "key", key="ArrowRight", shift=True)
    assert widget._cursor == (0, 1 % game.width)
    say(widget, "key", key="ArrowUp", shift=True)
    assert widget._cursor == (game.height - 1, 1 % game.width)
    assert "stroke-dasharray" in widget.picture
    say(widget, "key", key="Escape")
    assert widget._cursor is None
    assert widget.picture == game.svg()


def test_moves_played_elsewhere_are_seen(kind):
    game = starts(kind)[0]
    widget = game.widget()
    game.play(*game.sample_legal(3))
    assert widget.state["moves"] == 0
    module._refresh_all()  # what IPython calls after each cell
    assert widget.state["moves"] == 1
    assert widget.picture == game.svg()


def test_the_clock_runs_from_the_first_move_to_the_end():
    game = gw.Bloxorz.level("level01")
    widget = game.widget()
    assert not widget.state["running"]
    for key in game.solve():
        assert widget.state["status"] == "OPEN"
        say(widget, "key", key=ARROWS[key])
        time.sleep(0.03)
    assert widget.state["status"] == "WON"
    assert widget.state["message"] == "You won!"
    assert not widget.state["running"]
    assert 0.1 < widget.state["seconds"] < 60


def test_a_page_is_told_the_picture_and_the_numbers_in_one_message():
    widget = gw.Bloxorz.level("level01").widget()
    sent = []
    widget.send_state = lambda names: sent.extend([set(names)] if names else [])
    say(widget, "key", key="ArrowRight")
    say(widget, "turn")
    assert sent == [{"picture", "state"}, {"picture", "state"}]


def test_colab_is_told_where_widgets_come_from(monkeypatch):
    """What Colab asks of a widget, with a stand-in for its own module."""
    asked = []
    output = SimpleNamespace(
        enable_custom_widget_manager=lambda: asked.append(True),
        _widgets=SimpleNamespace(_installed_url="https://example.org/manager.js"),
    )
    monkeypatch.setitem(sys.modules, "google.colab.output", output)
    data, metadata = gw.Bloxorz.level("level01").widget()._repr_mimebundle_()
    assert asked
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "https://example.org/manager.js" in str(metadata)
    assert "svg" in str(data["text/html"])


def test_a_swipe_rolls_the_block():
    game = gw.Bloxorz.level("level01")
    widget = game.widget()
    say(widget, "drag", path=[50, 50, 120, 60])
    say(widget, "drag", path=[50, 50, 40, 120])
    assert game.moves.ravel().tolist() == [2, 3]
    say(widget, "key", key="Enter")  # the bonus task: Enter plays a move of the solution
    assert len(game.moves) == 3
    say(widget, "key", key="Backspace")
    assert len(game.moves) == 2


def test_pages_without_a_kernel_see_the_picture(kind):
    game = starts(kind)[0]
    widget = game.widget()
    bundle = widget._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"]
    assert data["text/html"].startswith('<img src="data:image/svg+xml;base64,')
    assert data["text/plain"] == str(game)
    assert widget.menu["help"]
    assert widget.state["words"].startswith(picture(game).title)


def test_the_theme_follows_the_page():
    game = gw.Bloxorz.level("level01")
    widget = game.widget()
    say(widget, "theme", dark=True)
    assert widget.picture == game.svg(theme="dark")
    fixed = game.widget(theme="light", size=20)
    say(fixed, "theme", dark=True)
    assert fixed.picture == game.svg(size=20)


def test_a_hint_that_takes_too_long_is_given_up_with_a_sentence(monkeypatch):
    monkeypatch.setattr(module, "_PATIENCE", 0.05)
    game = gw.MyPhoton.generate(15, 15, lasers=3, sensors=6, mirrors=8, splitters=3, tmirrors=2, seed=2)
    widget = game.widget()
    for button in ("hint", "solve"):
        assert say(widget, button).startswith("nothing found in 0.05 s: play on")
        assert len(game.moves) == 0
        assert not widget.state["solving"]
    assert game.status == gw.Status.OPEN


def test_positions_are_counted_for_pages_that_react_to_them():
    game = gw.Bloxorz.level("level01")
    widget = game.widget()
    turn = widget.state["position"]
    say(widget, "theme", dark=True)
    assert widget.state["position"] == turn
    say(widget, "key", key="ArrowRight")
    say(widget, "undo")
    assert widget.state["position"] == turn + 2


def test_the_view_is_turned_by_a_key_and_by_a_button(kind):
    game = starts(kind)[0]
    widget = game.widget()
    flat = widget.picture
    if len(kind.VIEWS) < 2:
        assert "has one view" in say(widget, "turn")
        assert widget.picture == flat
        return
    assert widget.menu["views"] == list(kind.VIEWS)
    assert say(widget, "key", key="v") == ""
    assert widget.state["view"] == "3d"
    assert widget.picture == game.svg(view="3d") != flat
    say(widget, "key", key="ArrowRight")
    say(widget, "drag", path=[50, 50, 40, 120])
    assert game.moves.ravel().tolist() == [2, 3]
    assert say(widget, "click", x=50, y=50) == ""  # nothing is there to be clicked
    assert widget.picture == game.svg(view="3d")
    say(widget, "turn")
    assert widget.picture == game.svg()
    assert game.widget(view="3d").picture == game.svg(view="3d")
    with pytest.raises(ValueError, match="view 'up', wanted one of flat, 3d"):
        game.widget(view="up")
