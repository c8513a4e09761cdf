"""Every game in a real browser, played with the mouse alone, with the keyboard alone and with touch alone."""

from __future__ import annotations

import io
import os
import statistics
from pathlib import Path

import games
import gridwright as gw
import pytest
from browser import Page, open_browser
from gridwright import solved

pytestmark = pytest.mark.filterwarnings("ignore")  # warnings from the tools that drive the browser

KEYS = {"left": "ArrowLeft", "up": "ArrowUp", "right": "ArrowRight", "down": "ArrowDown", "space": "Space"}
ARROWS = dict(zip("lurds", KEYS.values(), strict=True))


@pytest.fixture(scope="module")
def browser():
    with open_browser() as opened:
        yield opened


@pytest.fixture
def shots(tmp_path):
    """Returns the folder for screenshots: the one that ``GRIDWRIGHT_SHOTS`` names, or else a temporary folder."""
    folder = Path(os.environ.get("GRIDWRIGHT_SHOTS", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(autouse=True)
def storage():
    solved.use_storage(solved.MemoryStorage())
    yield
    solved.use_storage(None)


def start(name: str):
    """Returns the packaged level of a game that the tests play, by default the third in the menu."""
    kind = gw.GAMES[name]
    names = [each.name for each in kind.level(kind.levels()[0]).controls().levels]
    return kind.level(getattr(games.of(name), "LEVEL", names[2]))


def answer(controls):
    """Returns the engine's moves from the current position to the end of the game."""
    moves = controls._answer(controls.game, lambda _: None)
    return [tuple(int(part) for part in move) for move in moves]


def with_pointer(page: Page, move, press, drag) -> None:
    """Makes a move by calling ``press(cell, second)``, which clicks or taps, and ``drag(path)``."""
    for what, where, *second in games.pointer(page.game, move):
        if what == "drag":
            drag(where)
        else:
            press(where, *second)


def play_all(page: Page, play) -> None:
    """Plays the engine's answer by calling ``play`` for each move, waits for the final message and closes the page."""
    games.alone(page.game)
    for move in answer(page.controls):
        before = len(page.game.moves)
        play(move)
        page.wait(lambda before=before: len(page.game.moves) > before)
    page.wait(lambda: page.controls.over)
    page.wait(lambda: page.text("message") == page.controls.message)
    assert "ou won" in page.text("message") or "wins" in page.text("message")
    page.close()


@pytest.mark.parametrize("name", list(gw.GAMES))
def test_the_mouse_alone_wins(browser, name, shots):
    page = Page(browser, start(name))

    def press(cell, second):
        page.click(cell, "right" if second else "left")

    play_all(page, lambda move: with_pointer(page, move, press, page.drag))


@pytest.mark.parametrize("name", list(gw.GAMES))
def test_touch_alone_wins(browser, name):
    page = Page(browser, start(name), touch=True, width=420, height=800)

    def press(cell, second):
        if second:
            page.host.locator("#second").tap()
        page.tap(cell)
        if second:
            page.host.locator("#second").tap()

    play_all(page, lambda move: with_pointer(page, move, press, page.swipe))


@pytest.mark.parametrize("name", list(gw.GAMES))
def test_the_keyboard_alone_wins(browser, name):
    page = Page(browser, start(name))
    controls, game = page.controls, page.game
    page.focus()

    def walk(cell):
        while controls.cursor != cell:
            row, col = controls.cursor or (0, 0)
            before = controls.cursor
            key = "Down" if cell[0] > row else "Up" if cell[0] < row else "Right" if cell[1] > col else "Left"
            page.press(f"Shift+Arrow{key}")
            page.wait(lambda before=before: controls.cursor != before)

    def play(move):
        keys = games.keys(game, move)
        for key in keys:
            page.press(KEYS[key])
        for _, cell, second in [] if keys else games.pointer(game, move):
            before = controls.selected
            walk(cell)
            page.press("Shift+Enter" if second else "Enter")
            if len(move) == 4 and before is None:
                page.wait(lambda: controls.selected is not None)

    play_all(page, play)


def test_a_won_level_leads_to_the_next_one(browser):
    page = Page(browser, gw.Bloxorz.level("level01"))
    page.focus()
    for key in gw.Bloxorz.level("level01").solve():
        page.press(ARROWS[key])
    page.wait(lambda: page.text("message").startswith("You won in 7 rolls"))
    assert page.host.locator("#next").is_visible()
    marked = page.host.locator("#level option").nth(1).text_content()
    assert marked.endswith("✓ 7/7")
    page.press("Enter")
    page.wait(lambda: page.text("title") == "Bloxorz level02")
    assert page.host.locator("#undo").is_disabled()
    assert page.text("back") == "Back to Bloxorz level01"
    page.host.locator("#back").click()
    page.wait(lambda: page.text("title") == "Bloxorz level01")
    assert not page.host.locator("#back").is_visible()
    # The message about the win stays, and the button for the next level does not move.
    before = page.host.locator("#next").bounding_box()
    page.press("ArrowLeft")
    page.focus()
    page.press("ArrowLeft")
    page.wait(lambda: page.text("message").endswith("Enter starts level02. The game is over."))
    after = page.host.locator("#next").bounding_box()
    assert (before["x"], before["y"], before["width"]) == (after["x"], after["y"], after["width"])
    page.host.locator("#next").click()
    page.wait(lambda: page.text("title") == "Bloxorz level02")
    page.close()


def test_the_menu_of_levels_shows_its_longest_line(browser):
    page = Page(browser, gw.LightEmAll.level("level01"))
    solved.record("lightemall", "level20", 128, 119)
    page.host.locator("#restart").click()
    page.wait(lambda: "✓ 128/119" in page.text("level"))
    measured = page.host.evaluate(
        """host => {
          const select = host.shadowRoot.querySelector("#level");
          const pen = document.createElement("canvas").getContext("2d");
          pen.font = getComputedStyle(select).font;
          const wide = Math.max(...[...select.options].map((option) => pen.measureText(option.text).width));
          return [wide, select.clientWidth - 18 - 20];  // the width without padding and arrow
        }"""
    )
    assert measured[0] <= measured[1]
    page.close()


def test_a_counterclockwise_turn_is_counted_and_undone_as_one_move(browser, shots):
    page = Page(browser, gw.LightEmAll("1 3\n222\nstation 0 0"))
    page.host.locator("#second").click()
    assert "counterclockwise" in page.text("mode")
    page.host.locator("#second").click()
    assert page.text("mode") == ""
    page.click((0, 2), "right")
    page.wait(lambda: page.text("numbers").startswith("moves 1 "))
    assert page.game.wires.tolist() == [[2, 2, 1]]
    page.page.screenshot(path=shots / "back.png")
    page.host.locator("#undo").click()
    page.wait(lambda: page.text("numbers").startswith("moves 0 "))
    assert page.game.wires.tolist() == [[2, 2, 2]]
    page.close()


def test_the_clock_starts_at_zero_and_never_runs_backward(browser):
    page = Page(browser, gw.Bloxorz.level("level01"))
    page.page.wait_for_timeout(2200)
    assert page.text("clock") == "0:00"
    page.host.evaluate(
        "host => { const clock = host.shadowRoot.querySelector('#clock'); window.seen = [];"
        " new MutationObserver(() => window.seen.push(clock.textContent)).observe(clock, {childList: true}); }"
    )
    page.focus()
    for key in ("ArrowRight", "ArrowLeft", "h", "Control+z", "ArrowRight", "h", "ArrowLeft", "Control+z") * 2:
        page.press(key)
        page.page.wait_for_timeout(150)
    seen = page.page.evaluate("window.seen")
    assert seen[0] == "0:00"
    assert seen == sorted(seen)
    # A new puzzle's clock starts at zero; an earlier puzzle's clock continues from its old time after the return.
    page.page.wait_for_timeout(1200)
    before = page.text("clock")
    page.host.locator("#level").select_option("level02")
    page.wait(lambda: page.text("title") == "Bloxorz level02")
    assert page.text("clock") == "0:00"
    page.host.locator("#back").click()
    page.wait(lambda: page.text("title") == "Bloxorz level01")
    assert page.text("clock") >= before
    page.close()


def test_a_refused_line_shows_the_line_that_forbids_it(browser, shots):
    page = Page(browser, gw.LinearDomination("6 3 standard\n1 1 1 5"))
    page.host.locator("#setting-opponent").select_option("person")
    page.drag([(4, 2), (1, 2)])
    page.wait(lambda: page.text("message").startswith("This line is not allowed: it is perpendicular to the line from"))
    assert page.host.locator("#marks line").count() >= 6  # the line and the cross on it, each drawn in two colors
    page.page.screenshot(path=shots / "clash.png")
    page.click((3, 0))
    page.wait(lambda: page.text("message") == "Now click the head.")
    assert page.host.locator("#marks line").count() == 0
    page.page.screenshot(path=shots / "heads.png")
    page.close()


def test_the_question_mark_button_explains_the_symbols(browser, shots):
    page = Page(browser, gw.GeeseSpotter.level("level03"))
    page.host.locator("#list").click()
    assert page.host.locator("#keys").is_visible()
    rows = page.host.locator("#symbols tr")
    texts = [row.text_content() for row in rows.all()]
    assert any("no neighbor holds a goose" in text for text in texts)
    # Symbols that are on the board are shown as parts of the picture.
    assert page.host.locator("#symbols svg").count() >= 2
    page.page.screenshot(path=shots / "symbols.png", full_page=True)
    page.host.locator("#list").click()
    assert not page.host.locator("#keys").is_visible()
    unexplained = page.host.evaluate(
        "host => [...host.shadowRoot.querySelectorAll('.bar button, .bar select, .bar input')]"
        ".filter(node => node.offsetParent && !node.title && !node.closest('label')).map(node => node.id)"
    )
    assert unexplained == []
    page.close()


@pytest.mark.parametrize("name", list(gw.GAMES))
def test_rows_and_columns_are_numbered_and_small_boards_are_drawn_large(browser, name):
    kind = gw.GAMES[name]
    game = kind.level(kind.levels()[0])
    page = Page(browser, game)
    numbers = page.place.locator("svg > text").all_text_contents()
    for side in game.shape:
        assert {"0", str(side - 1)} <= set(numbers)
    box = page.place.locator("svg").bounding_box()
    assert max(box["width"], box["height"]) >= 320
    page.close()


def test_a_held_key_does_not_start_the_next_level(browser):
    page = Page(browser, gw.Bloxorz.level("level01"))
    page.focus()
    for _ in range(20):
        page.page.keyboard.down("Enter")  # the browser marks every event after the first as a repeat
        page.page.wait_for_timeout(20)
    page.page.keyboard.up("Enter")
    page.wait(lambda: page.text("message").startswith("You won in 7 rolls"))
    assert page.text("title") == "Bloxorz level01"
    page.close()


def test_a_typed_seed_makes_its_puzzle_and_an_invalid_seed_changes_nothing(browser):
    page = Page(browser, gw.LightEmAll.level("level01"))
    page.host.locator("#seed").click()
    page.press("1", "2", "3")
    assert page.host.locator("#seed").input_value() == "123"
    page.press("Tab")
    assert page.text("focused") == "new"
    page.press("Enter")
    page.wait(lambda: page.text("title") == "LightEmAll seed 123")
    expected = page.game.text
    page.host.locator("#new").click()
    page.wait(lambda: page.controls.seed != 123)
    page.host.locator("#seed").click()
    page.page.keyboard.type(str(2**64 - 1))
    page.press("Enter")
    page.wait(lambda: page.text("title") == f"LightEmAll seed {2**64 - 1}")
    assert page.host.locator("#seed").input_value() == str(2**64 - 1)
    page.press("Tab")
    page.host.locator("#seed").click()
    page.page.keyboard.type("123")
    page.press("Enter")
    page.wait(lambda: page.game.text == expected)
    page.host.locator("#seed").click()
    page.page.keyboard.type("abc")
    page.press("Enter")
    page.wait(lambda: "must be a whole number" in page.text("message"))
    assert page.game.text == expected
    # A refused seed is not forgotten. The seed of the puzzle on the board, typed again, makes that puzzle again, but
    # the next click on New makes a random one.
    page.host.locator("#new").click()
    page.wait(lambda: len(page.controls.message) and page.text("message") == page.controls.message)
    assert page.game.text == expected
    for _ in range(2):
        page.host.locator("#seed").press("Control+a")
        page.page.keyboard.type("123")
        page.press("Enter")
        page.wait(lambda: page.text("message") == "")
        assert page.game.text == expected
    page.host.locator("#new").click()
    page.wait(lambda: page.controls.seed != 123)
    page.close()


def test_the_menu_of_levels_goes_back_to_the_level_on_the_board(browser):
    page = Page(browser, gw.Bloxorz.level("level03"))
    page.host.locator("#level").select_option("")
    assert page.host.locator("#level").input_value() == "level03"
    page.close()


def test_the_page_receives_only_the_keys_that_the_game_does_not_use(browser):
    page = Page(browser, gw.GeeseSpotter.level("beginner"))
    page.page.evaluate(
        "() => { window.received = []; document.addEventListener('keydown',"
        " (event) => window.received.push([event.key, event.defaultPrevented])); }"
    )
    page.focus()
    page.page.evaluate("window.received.length = 0")
    for key in ("PageDown", "Control+s", "Alt+ArrowLeft", "F2", "x", "Shift+Tab"):
        page.press(key)
    received = [each for each in page.page.evaluate("window.received") if each[0] not in ("Control", "Alt", "Shift")]
    assert received == [[key, False] for key in ("PageDown", "s", "ArrowLeft", "F2", "x", "Tab")]
    page.focus()
    page.page.evaluate("window.received.length = 0")
    page.press("h", "ArrowDown", "Control+z", "?")
    assert page.page.evaluate("window.received.filter(([key]) => key !== 'Control')") == []
    page.close()


def test_a_swipe_scrolls_except_from_the_station_and_a_long_press_locks(browser):
    game = gw.LightEmAll("5 6 radius=7\n494128\n9ff66b\na83e7d\n3a4525\n2a532c\nstation 0 0")
    page = Page(browser, game, touch=True, width=420, height=500, more="<p>.<br>" * 80)
    page.place.scroll_into_view_if_needed()
    before = page.page.evaluate("window.scrollY")
    page.swipe([(4, 3), (3, 3), (2, 3), (1, 3)])
    page.wait(lambda: page.page.evaluate("window.scrollY") > before)
    assert len(page.game.moves) == 0
    page.page.wait_for_timeout(600)  # time for the scrolling to stop
    page.page.evaluate("window.scrollTo(0, 0)")
    page.swipe([page.game.station, (2, 0), (3, 0)])
    page.page.wait_for_timeout(200)
    assert page.page.evaluate("window.scrollY") == 0
    assert page.game.moves.tolist() == [[1, 1, 0]]
    page.hold((2, 2))
    page.wait(lambda: page.text("message") == "Locked.")
    page.tap((2, 2))
    page.wait(lambda: page.text("message").startswith("This tile is locked:"))
    assert len(page.game.moves) == 1
    page.close()


def test_tiles_are_turned_back_and_locked_with_the_mouse(browser):
    page = Page(browser, gw.LightEmAll.level("level05"))
    text = page.game.text
    page.click((2, 1))
    page.wait(lambda: page.game.text != text)
    page.click((2, 1), "right")
    page.wait(lambda: page.game.text == text)
    page.click((2, 1), "middle")
    page.wait(lambda: page.text("message") == "Locked.")
    page.click((2, 1))
    page.wait(lambda: page.text("message").startswith("This tile is locked:"))
    assert page.game.text == text
    page.close()


def test_a_line_is_previewed_under_the_pointer(browser, shots):
    page = Page(browser, gw.LinearDomination.level("empty"))
    page.click((1, 1))
    page.wait(lambda: page.text("message") == "Now click the head.")
    page.place.hover(position=dict(zip("xy", page.point((6, 4)), strict=True)))
    gain = page.game.gain((1, 1), (6, 4))
    page.wait(lambda: page.text("tip") == f"Takes {gain} empty cells: gains {gain} cells on the opponent.")
    assert page.host.locator("#marks .choices").count() == 2  # the dots on the allowed heads, in two colors
    page.place.screenshot(path=shots / "preview.png")
    page.click((6, 4))
    page.wait(lambda: len(page.game.plays) == 2)
    page.wait(lambda: page.text("message").startswith("Greedy drew"))
    # The preview is also shown during a drag.
    page.page.mouse.move(*page.at((0, 5)))
    page.page.mouse.down()
    page.page.mouse.move(*page.at((7, 7)), steps=5)
    page.wait(lambda: page.controls.grabbed == (0, 5) and page.controls.hovered == (7, 7))
    gain = page.game.gain((0, 5), (7, 7))
    page.wait(lambda: page.text("tip").endswith(f": gains {gain} cells on the opponent."))
    page.page.mouse.up()
    page.wait(lambda: len(page.game.plays) == 4)
    assert page.game.plays[2].tolist() == [0, 5, 7, 7]
    assert page.controls.grabbed is None
    # If the opponent is a person, no line is drawn in reply.
    page.host.locator("#setting-opponent").select_option("person")
    page.wait(lambda: page.controls.settings[0].value == "person")
    row, col, head_row, head_col = (int(part) for part in page.game.sample_legal(1))
    page.drag([(row, col), (head_row, head_col)])
    page.wait(lambda: len(page.game.plays) == 5)
    page.wait(lambda: not page.text("message").startswith("Greedy"))
    assert page.game.to_move.name == "O"
    page.close()


def test_a_switch_is_explained_under_the_pointer(browser, shots):
    page = Page(browser, gw.Bloxorz.level("level44"))
    page.place.hover(position=dict(zip("xy", page.point((0, 8)), strict=True)))
    page.wait(lambda: page.text("tip").startswith("Soft switch A toggles bridge b"))
    page.page.screenshot(path=shots / "switch.png")
    page.press("Escape")
    page.focus()
    for _ in range(4):
        page.press("Shift+ArrowRight")
    page.press("Shift+ArrowDown")
    page.wait(lambda: page.controls.cursor is not None)
    page.close()


def test_a_screen_reader_announces_the_cell_and_every_control_has_a_name(browser):
    page = Page(browser, gw.GeeseSpotter.level("beginner"))
    live = page.host.locator("#live")
    assert live.get_attribute("aria-live") == "polite"
    page.focus()
    page.wait(lambda: page.text("live") == "row 0, column 0: hidden")
    page.press("ArrowRight")
    page.wait(lambda: page.text("live") == "row 0, column 1: hidden")
    page.press("m")
    page.wait(lambda: page.text("live") == "row 0, column 1: hidden, marked")
    assert page.place.get_attribute("role") == "application"
    assert page.place.get_attribute("aria-label").startswith("GeeseSpotter, 9 rows and 9 columns")
    assert not page.host.locator("#keys").is_visible()
    page.press("?")
    assert page.host.locator("#keys").is_visible()
    listed = page.text("keys")
    for words in (*page.controls.keys.values(), *(entry.words for entry in page.controls.legend())):
        assert words in listed
    unnamed = page.host.evaluate(
        "host => [...host.shadowRoot.querySelectorAll('button, select, input')].filter(node => node.offsetParent &&"
        " !node.textContent.trim() && !node.getAttribute('aria-label') && !node.closest('label')).map(node => node.id)"
    )
    assert unnamed == []
    page.close()


def test_an_answer_plays_at_the_speed_of_the_slider(browser):
    page = Page(browser, gw.LightEmAll.generate(12, 12, seed=1))
    page.host.locator("#solve").click()
    page.wait(lambda: len(page.game.moves) >= 2)
    assert page.text("solve") == "Stop"
    page.host.locator("#pace").focus()
    page.press("End")
    page.wait(lambda: page.controls.over)
    page.host.locator("#restart").click()
    page.wait(lambda: len(page.game.moves) == 0)
    page.host.locator("#solve").click()
    page.wait(lambda: page.controls.solving)
    page.host.locator("#finish").click()
    page.wait(lambda: page.text("message").startswith("You won"))
    page.close()


def test_a_solution_plays_on_while_the_pointer_moves(browser):
    page = Page(browser, gw.Bloxorz.level("level07"))
    box = page.host.locator("#board").bounding_box()
    page.host.locator("#solve").click()
    page.wait(lambda: page.controls.solving)
    for step in range(100):  # 3 s, in which the slider's 3 moves per second make about 9 moves
        page.page.mouse.move(box["x"] + 40 + step % 50 * 4, box["y"] + 60)
        page.page.wait_for_timeout(30)
    assert len(page.game.moves) >= 3
    page.close()


def test_a_board_without_a_kernel_shows_a_notice(browser):
    page = Page(browser, gw.Bloxorz.level("level01"))
    assert not page.host.locator("#absent").is_visible()
    page.alive = False
    page.focus()
    page.press("ArrowRight")
    page.wait(lambda: page.host.locator("#absent").is_visible())
    assert "Run this cell again" in page.text("absent")
    page.alive = True
    page.press("ArrowRight")
    page.wait(lambda: not page.host.locator("#absent").is_visible())
    page.close()


def test_an_alert_is_set_once_although_it_lasts(browser):
    page = Page(browser, gw.Bloxorz.level("level01"))
    page.focus()
    page.press("ArrowRight")
    page.wait(lambda: page.controls.running)
    page.alive = False
    page.host.evaluate("""host => {
        window.seen = [];
        const seen = new MutationObserver((all) => window.seen.push(...all.map(({ target }) => target.id)));
        for (const id of ["absent", "clock"]) seen.observe(host.shadowRoot.getElementById(id), { childList: true });
    }""")
    page.hurry()
    page.press("ArrowRight")
    # At each of its ticks, the page sets the clock and then checks whether the kernel has answered.
    page.page.wait_for_function(
        "() => window.seen.includes('absent') && window.seen.length > window.seen.indexOf('absent') + 3"
    )
    assert page.page.evaluate("window.seen.filter((id) => id === 'absent').length") == 1
    page.close()


def test_each_view_of_a_widget_knows_which_of_its_messages_were_answered(browser):
    page = Page(browser, gw.Bloxorz.level("level03"))
    first, second = page.show_again()
    for key in ("ArrowRight", "ArrowLeft") * 5:
        first.locator("#board").press(key)
    page.wait(lambda: len(page.game.moves) == 10)
    second.locator("#board").press("ArrowDown")
    second.locator("#numbers", has_text="rolls 11").wait_for()
    # A view that still waits for an answer does not say where the pointer is.
    box = first.locator("#board").bounding_box()
    page.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait(lambda: page.controls.hovered is not None)
    # A view that missed an answer would say that the kernel is not responding before its clock shows ten seconds.
    page.hurry()
    first.locator("#clock", has_text="0:1").wait_for()
    assert not first.locator("#absent").is_visible()
    page.close()


def test_a_control_that_disappears_gives_the_focus_to_the_board(browser):
    page = Page(browser, gw.Bloxorz.level("level01"))
    page.host.locator("#solve").focus()
    page.press("Enter")
    page.host.locator("#finish").focus()
    page.press("Enter")
    page.wait(lambda: page.text("message").startswith("You won"))
    assert page.text("focused") == "board"
    assert page.text("live").startswith("You won")  # the cell at the cursor is not read instead
    page.host.locator("#restart").focus()
    page.press("Enter")
    page.wait(lambda: not page.controls.over)
    assert page.text("focused") == "restart"
    page.host.locator("#board").focus()
    page.press("ArrowRight")
    page.host.locator("#undo:enabled").focus()
    page.press("Enter")
    page.wait(lambda: page.host.locator("#undo").is_disabled())
    assert page.text("focused") == "board"
    page.host.locator("#level").select_option("level03")
    page.wait(lambda: page.text("title") == "Bloxorz level03")
    page.host.locator("#back").focus()
    page.press("Enter")
    page.wait(lambda: page.text("title") == "Bloxorz level01")
    assert page.text("focused") == "board"
    page.press("ArrowRight")
    page.wait(lambda: len(page.game.moves) == 1)
    page.close()


def test_a_menu_keeps_the_focus_when_its_setting_changes(browser):
    page = Page(browser, gw.LinearDomination.blank(5))
    page.host.locator("#setting-komi").focus()
    for komi in ("3", "6"):
        page.press("ArrowDown")
        page.wait(lambda komi=komi: {each.name: each.value for each in page.controls.settings}["komi"] == komi)
    assert page.text("focused") == "setting-komi"
    page.close()


def test_the_slider_tells_how_many_moves_per_second_it_stands_for(browser):
    page = Page(browser, gw.Bloxorz.level("level24"))
    page.host.locator("#solve").click()
    slider = page.host.locator("#pace")
    assert slider.get_attribute("aria-valuetext") == "3"
    slider.focus()
    page.press("Home", "ArrowRight", "ArrowRight", "ArrowRight")
    page.wait(lambda: slider.get_attribute("aria-valuetext") == "5")
    assert page.text("rate") == "5/s"
    page.close()


MOVING = "host => host.shadowRoot.getAnimations().map((one) => one.effect.getComputedTiming().duration)"


def test_motion_is_short_and_absent_with_reduced_motion(browser):
    for reduced in ("no-preference", "reduce"):
        for game, keys in (
            (gw.Bloxorz.level("level01"), ("ArrowRight", "ArrowUp", "ArrowUp")),
            (gw.LightEmAll.level("level05"), ("Shift+ArrowRight", "Enter", "c")),
        ):
            page = Page(browser, game, reduced_motion=reduced)
            page.focus()
            seen = []
            for key in keys:
                page.press(key)
                page.page.wait_for_timeout(30)
                seen += page.host.evaluate(MOVING)
            assert all(length <= 150 for length in seen)
            assert bool(seen) == (reduced == "no-preference")
            page.page.wait_for_timeout(300)
            assert page.host.evaluate(MOVING) == []
            page.close()


def test_no_key_is_lost_while_the_block_moves(browser):
    page = Page(browser, gw.Bloxorz.level("level01"))
    page.focus()
    for key in gw.Bloxorz.level("level01").solve() * 2:
        page.page.keyboard.press(ARROWS[key])
    page.wait(lambda: page.controls.over)
    assert len(page.game.moves) == 7
    page.close()


def test_a_solution_plays_as_many_moves_per_second_as_the_slider_says(browser):
    page = Page(browser, gw.Bloxorz.level("level01"))
    page.page.evaluate("""() => {
        const later = window.setTimeout;
        window.setTimeout = (call, delay) =>
            call.name === "steps" ? (window.turn = { call, delay }, 0) : later(call, delay);
    }""")
    page.host.locator("#solve").click()
    page.host.locator("#speed").wait_for()
    found = page.host.evaluate("""host => {
        const pace = host.shadowRoot.getElementById("pace"), found = [];
        let moves;
        window.model.send = (message) => { moves = message.moves; };
        for (pace.value = 0; found.length <= Number(pace.max); pace.value = found.length) {
            pace.oninput();
            window.turn.call();
            found.push([1000 * moves / window.turn.delay, window.turn.delay]);
        }
        return found;
    }""")
    assert [round(rate, 9) for rate, _ in found] == [1, 2, 3, 5, 10, 20, 50, 200, 1000]
    assert min(delay for _, delay in found) >= 50
    page.close()


def test_how_long_a_click_takes(browser):
    """Prints the milliseconds from a click to the frame that shows its effect; asserts no limit."""
    print()
    for height, width in ((10, 10), (16, 30), (60, 60)):
        geese = height * width // 6
        for game in (
            gw.LightEmAll.generate(height, width, seed=1),
            gw.GeeseSpotter.generate(height, width, geese, safe=(0, 0), seed=1),
            gw.LinearDomination.empty(min(height, width), 3),
        ):
            page = Page(browser, game, reduced_motion="reduce")
            cells = [(row, col) for row in range(0, game.height, 3) for col in range(0, game.width, 3)][::7][:40]
            for cell in cells:
                page.click(cell, "right")
            while len(page.page.evaluate("window.times")) < len(cells):
                page.page.wait_for_timeout(15)
            print_times(type(game).__name__, game.shape, page.page.evaluate("window.times"))
            page.close()


def print_times(name: str, shape: tuple[int, int], times: list[float]) -> None:
    median, p99 = statistics.median(times), sorted(times)[int(len(times) * 0.99)]
    print(f"{name:18} {shape[0]:3} x {shape[1]:3}: median {median:6.1f} ms, p99 {p99:6.1f} ms")


def test_how_long_a_large_reveal_takes(browser):
    """Prints how long a click that shows most of the board takes, and how long undoing it takes; asserts no limit."""
    print()
    for height, width in ((10, 10), (16, 30), (60, 60)):
        geese = height * width // 40
        game = gw.GeeseSpotter.generate(height, width, geese, safe=(0, 0), flood=True, seed=1)
        page = Page(browser, game, reduced_motion="reduce")
        page.focus()
        page.page.wait_for_function("window.times.length === 1")
        page.page.evaluate("window.times.length = 0")
        for count in range(1, 16):
            page.click((0, 0))
            page.page.wait_for_function("n => window.times.length === n", arg=2 * count - 1)
            assert int(game.hidden.sum()) < game.hidden.size / 4
            page.press("Control+z")
            page.page.wait_for_function("n => window.times.length === n", arg=2 * count)
            assert game.hidden.all()
        times = page.page.evaluate("window.times")
        print_times("reveal", game.shape, times[::2])
        print_times("undo", game.shape, times[1::2])
        page.close()


@pytest.mark.parametrize("name", list(gw.GAMES))
def test_no_page_scrolls_sideways(browser, name, shots):
    """Checks the width of the page in each mode, and saves a screenshot of the whole page for inspection."""
    modes = {
        "light": {},
        "dark": {"dark": True},
        "narrow": {"width": 360},
        "zoom": {"width": 450, "height": 450, "device_scale_factor": 2},
    }
    for mode, options in modes.items():
        page = Page(browser, start(name), reduced_motion="reduce", **options)
        page.focus()
        page.press("h")
        page.wait(lambda page=page: page.text("message") != "")
        wide = page.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        assert wide[0] <= wide[1], f"{mode}: the page scrolls sideways"
        page.page.screenshot(path=shots / f"play_{name}_{mode}.png", full_page=True)
        page.close()


def test_the_view_in_three_dimensions_can_be_played_with_the_mouse(browser, shots):
    game = gw.Bloxorz.level("level01")
    page = Page(browser, game)
    page.host.locator("#view").click()
    page.wait(lambda: page.text("view") == "View: 3d")
    page.host.locator("#hint").click()
    page.wait(lambda: page.host.locator("#marks polygon:not(.grab)").count() > 0)
    page.page.screenshot(path=shots / "three.png")
    seen = set()
    page.page.expose_function("rolled", lambda drawn: seen.add(drawn))
    page.place.evaluate(
        "board => new MutationObserver(() => window.rolled(board.querySelector('[data-id=block]').innerHTML))"
        ".observe(board, {childList: true, subtree: true})"
    )
    for move in answer(page.controls):
        before = len(game.moves)
        with_pointer(page, move, lambda cell, _: page.click(cell), page.drag)
        page.wait(lambda before=before: len(game.moves) > before)
    page.wait(lambda: page.text("message").startswith("You won in 7 rolls"))
    page.page.wait_for_timeout(300)
    assert len(seen) >= 2 * 7  # at least two pictures per move: the block is seen in motion
    page.close()


def wrong_report():
    """Returns a report on a wrong answer; the report contains pictures."""
    from gridwright import check

    return check.block(lambda row, col: None)


@pytest.mark.parametrize("name", [*gw.GAMES, "report"])
def test_pictures_in_a_notebook_follow_the_theme_of_the_page(browser, name, shots):
    from gridwright.draw import DARK, LIGHT, use_theme
    from PIL import Image

    use_theme(None)
    shown = wrong_report() if name == "report" else start(name)
    html = shown._repr_mimebundle_()["text/html"]
    context = browser.new_context(viewport={"width": 800, "height": 800})
    page = context.new_page()
    page.set_content(f'<body data-jp-theme-light="true">{html}')

    def ground() -> tuple[int, ...]:
        image = Image.open(io.BytesIO(page.locator("img").first.screenshot())).convert("RGB")
        return image.getpixel((image.width // 2, 3))

    def expected_ground(theme) -> tuple[int, ...]:
        return tuple(bytes.fromhex(theme.page[1:]))

    assert ground() == expected_ground(LIGHT)
    for change, look in (
        ("document.body.dataset.jpThemeLight = 'false'", DARK),
        ("document.body.dataset.jpThemeLight = 'true'", LIGHT),
        ("delete document.body.dataset.jpThemeLight; document.body.className = 'vscode-dark'", DARK),
        ("document.body.className = ''; document.documentElement.style.colorScheme = 'dark'", DARK),
    ):
        page.evaluate(change)
        page.wait_for_timeout(60)
        assert ground() == expected_ground(look), change
    page.screenshot(path=shots / f"page_{name}.png")
    use_theme("light")  # a theme set with use_theme does not follow the page
    try:
        page.set_content(f'<body data-jp-theme-light="false">{shown._repr_mimebundle_()["text/html"]}')
        assert ground() == expected_ground(LIGHT)
    finally:
        use_theme(None)
    context.close()
