"""The editor in a real browser: levels are drawn with the mouse, the keyboard and touch, saved, shared and played."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import games
import gridwright as gw
import numpy as np
import pytest
from browser import open_browser
from editor_page import EditorPage
from gridwright import bloxorz, geese

DRAWN = {
    "bloxorz": ("heart", "Solvable in 44 rolls, exactly 1 way, medium."),
    "geese": ("pond", "Solvable in 32 shows without a guess, hard."),
    "lightemall": ("tree", "exactly 1 way, medium."),
    "photon": ("diamond", "Solvable in 5 swaps, exactly 1 way, hard."),
    "domination": ("twins", "Hard, X 7, O 9, X to move"),
}
"""For each packaged game, a level to build and part of the facts that the editor shows about the level."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened


@pytest.fixture
def shots(tmp_path):
    """Returns the folder for screenshots: the one that ``GRIDWRIGHT_SHOTS`` names, or else a temporary folder."""
    folder = Path(os.environ.get("GRIDWRIGHT_SHOTS", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def opened_text(page):
    """Opens the part of the page with the level as text; returns the text box."""
    page.host.locator("summary").click()
    return page.host.locator("#text")


@pytest.fixture
def edit(browser, tmp_path, monkeypatch):
    """Yields a function that opens an editor; levels are saved in a temporary folder."""
    monkeypatch.chdir(tmp_path)
    pages = []

    def go(editor: Any, **options: Any) -> EditorPage:
        pages.append(EditorPage(browser, editor, **options))
        return pages[-1]

    yield go
    for page in pages:
        page.close()


def runs(cells: Any) -> list[list[tuple[int, int]]]:
    """Returns the horizontal runs of adjacent cells, each as a list of its two ends or of its only cell."""
    found = []
    for row, places in groupby(sorted(map(tuple, cells)), key=lambda cell: cell[0]):
        for _, group in groupby(enumerate(col for _, col in places), key=lambda pair: pair[1] - pair[0]):
            cols = [col for _, col in group]
            found.append([(row, cols[0]), (row, cols[-1])] if len(cols) > 1 else [(row, cols[0])])
    return found


def paint(page: EditorPage, brush: str, cells: Any) -> None:
    """Paints cells with a brush, one drag or click per run."""
    if len(cells):
        page.brush(brush)
    for run in runs(cells):
        if len(run) == 1:
            page.click(run[0])
        else:
            page.drag(run)


def build_bloxorz(page: EditorPage, game: Any) -> None:
    rows = game.text.splitlines()
    board = np.array([list(row) for row in rows[: game.height]])
    paint(page, "tile", np.argwhere(board != "-").tolist())
    # Moving the target of the blank board leaves a tile behind, which the brush "nothing" clears.
    for brush, sign in (("start", "S"), ("target", "T"), ("light", "."), ("nothing", "-")):
        cells = np.argwhere(board == sign).tolist()
        paint(page, brush, [cell for cell in cells if page.editor.code(tuple(cell)) != bloxorz.Tile.NONE])
    bridges = [tuple(cell) for cell in np.argwhere(board == "a").tolist()]
    paint(page, "bridge", bridges)
    (switch,) = (tuple(cell) for cell in np.argwhere(board == "A").tolist())
    paint(page, "soft", [switch])
    page.brush("wire")
    page.drag(bridges)  # joins the two bridges
    page.drag([switch, bridges[0]])
    page.wait(lambda: "(4, 9) toggles bridge a" in page.text("wires"))
    # Clicking both ends of the wire changes its effect from "toggles" to "turns on".
    page.click(switch)
    page.wait(lambda: page.text("message") == "Now click the other end.")
    page.click(bridges[1])


def build_photon(page: EditorPage, game: Any) -> None:
    editor = page.editor
    codes = game.board & 31
    paint(page, "wall", np.argwhere(codes == 1).tolist())
    for brush in editor.brushes[2:]:
        for cell in (tuple(cell) for cell in np.argwhere(np.isin(codes, brush.codes)).tolist()):
            page.brush(brush.name)
            for _ in range(len(brush.codes)):
                seen = editor.text
                page.click(cell)
                page.wait(lambda seen=seen: editor.text != seen)
                if editor.code(cell) == codes[cell]:
                    break


def build_geese(page: EditorPage, game: Any) -> None:
    paint(page, "goose", np.argwhere(game.secret & 15 == geese.Field.GOOSE).tolist())
    paint(page, "open", np.argwhere(~game.hidden).tolist())


def build_lightemall(page: EditorPage, game: Any) -> None:
    height, width = game.shape
    solved = game.copy()
    solved.play_on()
    wires = solved.wires
    page.brush("wires")
    # Long strokes, first along the rows and then along the columns, draw the whole spanning tree.
    for lines, bit, turned in ((wires, 2, False), (wires.T, 4, True)):
        for at, line in enumerate(lines.tolist()):
            start = None
            for place, mask in enumerate(line):
                on = bool(mask & bit)
                start = place if on and start is None else start
                if start is not None and not on:
                    ends = [(at, start), (at, place)]
                    page.drag([(col, row) for row, col in ends] if turned else ends)
                    start = None
    page.brush("station")
    page.click(game.station)
    assert page.editor.text == solved.text
    page.brush("turn")
    for cell in np.ndindex(height, width):
        while page.editor.code(cell) & 15 != game.wires[cell]:
            seen = page.editor.text
            page.click(cell)
            page.wait(lambda seen=seen: page.editor.text != seen)


def build_domination(page: EditorPage, game: Any) -> None:
    page.host.locator("#setting-lookback").select_option(str(game.lookback))
    page.brush("line")
    for k, play in enumerate(game.plays.tolist(), 1):
        page.drag([tuple(play[:2]), tuple(play[2:])])
        page.wait(lambda k=k: len(page.editor.game.plays) == k)


def test_a_level_of_each_game_is_built_with_the_mouse_and_played(edit, kind, shots, tmp_path):
    module = games.of(kind)
    name, facts = DRAWN.get(kind.NAME) or module.DRAWN
    level = kind.level(name)
    editor = kind.blank(*level.shape).editor()
    page = edit(editor)
    (globals().get(f"build_{kind.NAME}") or module.build)(page, level)
    page.wait(lambda: editor.text == level.text)
    page.wait_for_facts(facts)
    page.page.screenshot(path=shots / f"editor_{name}.png", full_page=True)
    page.host.locator("#file").fill(f"{name}.txt")
    page.button("save")
    page.wait(lambda: page.text("message") == f"Saved as {name}.txt.")
    assert (tmp_path / f"{name}.txt").read_text() == level.text
    # All changes can be undone and redone.
    while editor.can_undo:
        page.host.locator("#undo:enabled").click()
        page.page.wait_for_timeout(1)
    assert editor.text == kind.blank(*level.shape).text
    while editor.can_redo:
        page.host.locator("#redo:enabled").click()
        page.page.wait_for_timeout(1)
    page.wait_for_facts(facts)
    page.button("play")
    page.host.locator(".gridwright-widget #board svg").wait_for()
    controls = level.copy().controls()
    player = page.host.locator(".gridwright-widget")
    if "opponent" in {setting.name for setting in controls.settings}:
        # One person plays both sides.
        controls.choose("opponent", "person")
        player.locator("#setting-opponent").select_option("person")
        player.locator("#numbers").wait_for()
    controls.finish()
    page.win(level, controls.game.moves.tolist())
    player.locator("#message", has_text=controls.message.split(" in ")[0]).wait_for()
    page.page.screenshot(path=shots / f"played_{name}.png", full_page=True)
    page.button("leave")
    page.place.locator("svg").wait_for()
    assert editor.text == kind.level(name).text


def test_a_level_is_drawn_with_the_keyboard_alone(edit):
    page = edit(gw.Bloxorz.blank(2, 5).editor())
    page.focus()
    page.press("2", "ArrowRight", "ArrowRight")  # the first arrow only shows the cursor, in the first cell
    page.wait(lambda: "row 0, column" in page.text("live"))
    page.press("ArrowLeft", "ArrowLeft")
    page.press("ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight")
    page.wait(lambda: page.editor.rows[0] == "Soooo")
    page.press("5")
    page.press("ArrowLeft", "Enter")
    page.wait(lambda: page.editor.rows[0] == "SooTo")
    assert page.text("live") == "row 0, column 3: the target"
    page.press("ArrowRight", "Delete")
    page.wait(lambda: page.editor.rows == ("SooT-", "----o"))
    page.press("ArrowDown", "Delete", "Control+z", "Control+z", "Control+y", "Control+y")
    page.wait(lambda: page.editor.rows == ("SooT-", "-----"))
    page.wait_for_facts("Solvable in 2 rolls")
    page.press("]", "]")
    page.wait(lambda: page.editor.brushes[page.board._brush].name == "heavy")
    page.press("ArrowUp", "ArrowLeft", "ArrowLeft", "Space")
    page.wait(lambda: "Switch A at (0, 2) does nothing" in page.text("problems"))
    assert page.host.locator("#play").is_disabled()
    page.press("?")
    assert page.host.locator("#keys").is_visible()
    # In the palette, the arrow keys select another brush.
    page.host.locator("#palette [aria-checked=true]").focus()
    page.press("ArrowLeft")
    page.wait(lambda: page.editor.brushes[page.board._brush].name == "soft")


def test_a_level_is_drawn_by_touch_alone(edit):
    page = edit(gw.MyPhoton.blank(3, 4).editor(), touch=True, width=400)
    page.host.locator("#palette [data-brush='wall']").tap()
    page.swipe([(0, 0), (0, 3)])
    page.wait(lambda: page.editor.rows[0] == "W W W W")
    page.hold((0, 1))  # a long press clears the cell
    page.wait(lambda: page.editor.rows[0] == "W . W W")
    page.host.locator("#palette [data-brush='laser']").tap()
    page.wait(lambda: page.editor.brushes[page.board._brush].name == "laser")
    page.tap((1, 0))
    page.wait(lambda: page.editor.rows[1] == "L^. . .")
    page.tap((1, 0))
    page.wait(lambda: page.editor.rows[1] == "L>. . .")
    assert page.page.evaluate("document.scrollingElement.scrollWidth") <= 400
    page.host.locator("#undo").tap()
    page.wait(lambda: page.editor.rows[1] == "L^. . .")


def test_the_right_button_clears_and_a_drag_is_one_change(edit):
    page = edit(gw.GeeseSpotter.blank(4, 5).editor(), dark=True)
    page.brush("goose")
    page.drag([(0, 0), (0, 4), (3, 4)])
    page.wait(lambda: (page.editor.game.secret & 15 == 9).sum() == 8)
    page.click((0, 2), button="right")
    page.wait(lambda: (page.editor.game.secret & 15 == 9).sum() == 7)
    page.button("undo")
    page.wait(lambda: (page.editor.game.secret & 15 == 9).sum() == 8)
    page.button("undo")
    page.wait(lambda: not page.editor.can_undo)
    page.host.locator("#redo").click()
    page.wait(lambda: (page.editor.game.secret & 15 == 9).sum() == 8)


def test_a_canceled_wire_leaves_no_line(edit):
    page = edit(gw.Bloxorz.level("level01").editor())
    page.brush("wire")
    box = page.place.locator("svg").bounding_box()
    page.page.mouse.move(box["x"] + 50, box["y"] + 50)
    page.page.mouse.down()
    page.page.mouse.move(box["x"] + 150, box["y"] + 60, steps=4)
    page.place.locator("#rubber").wait_for(state="attached")
    page.place.dispatch_event("pointercancel")
    assert page.place.locator("#rubber").count() == 0


def test_size_settings_and_text_change_the_level_and_errors_are_reported(edit):
    page = edit(gw.LightEmAll.blank(2, 2).editor())
    page.host.locator("#width").fill("3")
    page.host.locator("#width").press("Enter")
    page.wait(lambda: page.editor.shape == (2, 3))
    page.host.locator("#setting-wrap").select_option("on")
    page.wait(lambda: page.editor.text.startswith("2 3 wrap"))
    box = opened_text(page)
    box.press("Control+a")
    box.press_sequentially("1 3\n2x8\nstation 0 0")
    page.wait(lambda: page.text("message") == "Line 2, column 2: wires must be hex digits, got 'x'.")
    assert page.editor.shape == (2, 3)
    box.press("Control+a")
    box.press_sequentially("1 3\n2a8\nstation 0 0")
    page.wait(lambda: page.editor.shape == (1, 3))
    page.wait_for_facts("Solvable in 0 turns, exactly 1 way")
    page.button("action-scramble")
    page.wait(lambda: page.editor.rows != ("2a8",))
    page.host.locator("#height").fill("0")
    page.host.locator("#height").press("Enter")
    page.wait(lambda: page.text("message").startswith("Height must be between 1 and 1000"))
    page.host.locator("#height").fill("2.5")
    page.host.locator("#height").press("Enter")
    page.wait(lambda: page.text("message") == "Height must be an integer, got 2.5.")
    assert page.editor.shape == (1, 3)


def test_a_file_is_never_overwritten_and_a_link_holds_the_level(edit, tmp_path):
    (tmp_path / "mine.txt").write_text("the level of another person")
    page = edit(gw.Bloxorz("SooT").editor())
    for name in ("mine.txt", "../mine.txt", ""):
        page.host.locator("#file").fill(name)
        page.button("save")
        page.wait(lambda: page.text("message").startswith("The file name must be "))
    assert (tmp_path / "mine.txt").read_text() == "the level of another person"
    page.host.locator("#file").fill("other.txt")
    page.button("save")
    page.wait(lambda: page.text("message") == "Saved as other.txt.")
    page.button("share")
    page.wait(lambda: page.host.locator("#link").is_visible())
    assert page.host.locator("#link").input_value() == "play/#bloxorz&text=SooT%0A"


def test_each_view_of_an_editor_plays_for_itself(edit):
    page = edit(gw.Bloxorz("SoooooT").editor())
    first, second = page.show_again()
    for _ in range(3):
        first.locator("#palette [data-brush='light']").click()
        first.locator("#palette [data-brush='tile']").click()
    first.locator("#play").click()
    player = first.locator(".gridwright-widget")
    player.locator("#board svg").wait_for()
    second.locator("#palette [data-brush='light']").click()
    page.wait(lambda: page.editor.brushes[page.board._brush].name == "light")
    assert second.locator("#all").is_visible()
    second.locator("#play").click()
    second.locator(".gridwright-widget #board svg").wait_for()
    second.locator(".gridwright-widget #board").press("ArrowRight")
    second.locator(".gridwright-widget #numbers", has_text="rolls 1").wait_for()
    assert player.locator("#numbers").text_content().startswith("rolls 0")
    second.locator("#leave").click()
    second.locator("#all #board svg").wait_for()
    player.locator("#board").press("ArrowRight")
    player.locator("#numbers", has_text="rolls 1").wait_for()
    first.locator("#leave").click()
    # A drag in progress is drawn only once all messages have been answered.
    first.locator("#palette [data-brush='light']").click()
    box = first.locator("#all #board svg").bounding_box()
    page.page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2)
    page.page.mouse.down()
    page.page.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + box["height"] / 2, steps=4)
    page.wait(lambda: "..." in page.editor.text)
    page.page.mouse.up()


def test_a_game_is_shown_once_after_a_double_click_and_takes_the_focus(edit):
    page = edit(gw.Bloxorz("SoooooT").editor())
    page.host.locator("#play").dblclick()
    page.host.locator(".gridwright-widget #board svg").wait_for()
    page.press("ArrowRight")
    page.host.locator(".gridwright-widget #numbers", has_text="rolls 1").wait_for()
    page.button("leave")
    page.host.locator("#all #board").wait_for()
    assert page.text("focused") == "board"


def test_text_is_not_replaced_while_it_is_typed(edit):
    page = edit(gw.Bloxorz("SooT\nooo-").editor())
    box = opened_text(page)
    box.focus()
    page.press("Control+Home", "End")
    page.press("o")
    page.wait(lambda: page.editor.rows == ("SooTo", "ooo--"))
    page.press("o")
    page.wait(lambda: page.editor.rows == ("SooToo", "ooo---"))
    assert box.input_value() == "SooToo\nooo-\n"
    # Without the focus, the box shows the level.
    page.place.focus()
    page.wait(lambda: box.input_value() == "SooToo\nooo---\n")


def test_text_that_was_refused_stays_with_the_reason(edit):
    page = edit(gw.Bloxorz("SooT").editor())
    box = opened_text(page)
    box.press("Control+a")
    box.press_sequentially("SooThello")
    page.wait(lambda: page.text("message").startswith("Line 1"))
    reason = page.text("message")
    page.host.locator("#palette [data-brush='tile']").click()
    page.wait(lambda: page.text("live").startswith("tile: "))
    assert (page.text("message"), box.input_value()) == (reason, "SooThello")
    for button in ("play", "save", "copy", "share"):
        page.host.locator("#height").focus()
        page.button(button)
        page.wait(lambda: page.text("focused") == "text")
        assert page.text("live") == reason
    assert (page.editor.text, page.host.locator("#all").is_visible()) == ("SooT\n", True)
    # A change of the level replaces the text and ends the message.
    page.brush("nothing")
    page.click((0, 1))
    page.wait(lambda: box.input_value() == "S-oT\n")
    assert page.text("message") == ""


def test_typed_text_is_read_before_the_level_is_played_or_copied(edit):
    page = edit(gw.Bloxorz("SooT").editor())
    box = opened_text(page)
    box.fill("SoooooT")
    page.button("play")
    page.host.locator(".gridwright-widget #board svg").wait_for()
    assert [player.game.text for player in page.widget._players.values()] == ["SoooooT\n"]
    page.button("leave")
    box.fill("SoooT")
    page.button("share")
    page.wait(lambda: page.host.locator("#link").input_value().endswith("&text=SoooT%0A"))
    # If the text is refused, the earlier level is not played instead.
    box.fill("SoooX")
    page.button("play")
    page.wait(lambda: page.text("focused") == "text")
    assert not page.widget._players
    assert page.text("message").startswith("Line 1, column 6: ")


def test_a_sentence_of_the_page_outlasts_a_search_and_is_read_aloud(edit):
    page = edit(gw.Bloxorz("SooT").editor())
    page.wait_for_facts("Solvable")
    page.button("copy")
    page.wait(lambda: page.text("message").startswith("Cop"))
    said = page.text("message")
    assert page.text("live") == said
    page.page.evaluate("window.model.send({ kind: 'facts', seconds: 1 })")
    assert (page.text("message"), page.text("live")) == (said, said)
    page.place.focus()
    page.wait(lambda: page.text("live").startswith("row 0"))
    assert page.text("message") == ""


def test_a_long_search_is_announced_and_no_reason_for_an_alert(edit, monkeypatch):
    editor = gw.Bloxorz("SooT").editor()

    def endless(self, game, answers, progress):
        raise gw.SearchLimitError("the time is up")

    monkeypatch.setattr(type(editor), "_grade", endless)
    page = edit(editor)
    page.host.locator("#longer").wait_for()
    page.alive = False
    page.host.locator("#longer").focus()
    page.page.evaluate("""() => {
        const alert = document.querySelector(".gridwright-editor").shadowRoot.getElementById("absent");
        const note = () => { window.waited ??= performance.now() - window.began; };
        new MutationObserver(note).observe(alert, { attributes: true });
    }""")
    page.hurry()
    page.page.evaluate("() => { window.began = performance.now(); }")
    page.press("Enter")
    page.wait(lambda: page.text("facts").endswith("Searching for up to 10 seconds ..."))
    assert page.text("focused") == "board"
    page.page.wait_for_function("window.waited !== undefined")
    assert page.page.evaluate("window.waited") >= 15_000


def test_settings_and_buttons_of_the_editor_keep_the_focus(edit):
    page = edit(gw.LightEmAll("1 2 radius=50\n28\nstation 0 0").editor())
    page.host.locator("#setting-radius").focus()
    page.press("ArrowUp")
    page.wait(lambda: "radius=32" in page.editor.text)
    page.press("ArrowUp")
    page.wait(lambda: "radius=31" in page.editor.text)
    assert page.text("focused") == "setting-radius"
    page.host.locator("#undo").focus()
    page.press("Enter", "Enter")
    page.wait(lambda: page.host.locator("#undo").is_disabled())
    assert page.text("focused") == "board"


def test_a_refused_size_is_not_left_in_its_box(edit):
    page = edit(gw.Bloxorz("SooT\noooo").editor())
    boxes = [page.host.locator(f"#{name}") for name in ("height", "width")]
    for height in ("2000", ""):
        boxes[0].fill(height)
        boxes[0].press("Tab")
        page.wait(lambda: page.text("message").startswith("Height must be"))
        page.wait(lambda: [box.input_value() for box in boxes] == ["2", "4"])
    boxes[1].fill("5")
    boxes[1].press("Tab")
    page.wait(lambda: page.editor.shape == (2, 5))


def test_unknown_facts_are_searched_for_longer(edit, monkeypatch):
    editor = gw.Bloxorz("SooT").editor()
    calls = []
    real = type(editor)._grade

    def slow(self, game, answers, progress):
        calls.append(1)
        if len(calls) < 3:
            raise gw.SearchLimitError("the time is up")
        return real(self, game, answers, progress)

    monkeypatch.setattr(type(editor), "_grade", slow)
    page = edit(editor)
    page.wait_for_facts("still searching")
    page.wait_for_facts("Solvable in 2 rolls, exactly 1 way, trivial.")
    assert len(calls) == 3


def test_every_control_has_a_name_and_one_brush_is_selected(edit, kind):
    page = edit(kind.blank(3, 3).editor())
    unnamed = page.host.evaluate(
        """host => [...host.shadowRoot.querySelectorAll("button, input, select, textarea, [tabindex]")]
          .filter((part) => part.offsetParent)
          .filter((part) => !(part.getAttribute("aria-label") || part.textContent.trim() || part.labels?.length))
          .map((part) => part.outerHTML)"""
    )
    assert unnamed == []
    assert page.host.locator("#palette [role=radio][aria-checked=true]").count() == 1
    page.focus()
    page.wait(lambda: page.text("live").startswith("row 0, column 0: "))
