"""Tests of the page ``play/`` in a real browser: games are played, edited, shared, stored and opened offline."""

from __future__ import annotations

import re
import time
from typing import Any

import games
import gridwright as gw
import pytest
from conftest import START_TIMEOUT, Served
from gridwright.draw import picture
from gridwright.play.board import Board

ARROWS = ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown")


class Player:
    """A player who clicks cells and presses keys on a page.

    * ``page``: the page, on which a game is open.
    * ``game``: a copy of that game in this process, from which the positions of the cells are computed.
    """

    def __init__(self, page: Any, game: Any) -> None:
        self.page, self.game = page, game
        self.board = page.locator(".gridwright-widget #board")
        self.board.locator("svg").wait_for(timeout=START_TIMEOUT)
        # In a two-player game, these settings let one person play both sides.
        for name, value in getattr(games.of(game.NAME), "ALONE", {}).items():
            page.locator(f".gridwright-widget #setting-{name}").select_option(value)

    def text(self, name: str) -> str:
        """Returns the text of the element of the widget with the ID ``name``."""
        return str(self.page.locator(f".gridwright-widget #{name}").text_content())

    def point(self, cell: tuple[int, int]) -> dict[str, float]:
        """Returns the center of a cell in pixels, relative to the top left corner of the board."""
        drawn = Board(self.game, lambda _: None).picture()
        x, y = drawn.cells.center(*cell)
        scale = self.board.locator("svg").bounding_box()["width"] / drawn.width
        return {"x": x * scale, "y": y * scale}

    def click(self, cell: tuple[int, int], button: str = "left") -> None:
        """Clicks the center of a cell."""
        self.board.click(position=self.point(cell), button=button)

    def tap(self, cell: tuple[int, int]) -> None:
        """Taps the center of a cell with a finger."""
        self.board.tap(position=self.point(cell))

    def focus(self) -> None:
        """Moves the focus to the board with the Tab key, as a person without a mouse does."""
        for _ in range(60):
            if self.page.locator(".gridwright-widget #board:focus").count():
                return
            self.page.keyboard.press("Tab")
        raise AssertionError("the Tab key never reached the board")

    def wait_for_numbers(self, text: str) -> None:
        """Waits until the line of numbers, such as the number of moves, contains ``text``."""
        self.page.locator(".gridwright-widget #numbers", has_text=text).wait_for(timeout=20_000)


def wait_until(page: Any, expression: str) -> None:
    """Waits until a JavaScript expression is true."""
    end = time.monotonic() + 20
    while not page.evaluate(expression):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(50)


def stored(game: str, condition: str) -> str:
    """Returns an expression that is true once the latest saved game ``kept`` of ``game`` fulfills a condition."""
    kept = f"JSON.parse(localStorage.getItem('gridwright.game.{game}') || '[]')[0]"
    return f"(() => {{ const kept = {kept}; return Boolean(kept && ({condition})); }})()"


def press(page: Any, keys: str) -> None:
    """Presses the arrow key of each letter of ``keys``, a solution of Bloxorz."""
    for key in keys:
        page.keyboard.press(ARROWS["lurd".index(key)])


def switch(page: Any, title: str) -> None:
    """Clicks the link to a game and waits for its board."""
    page.locator("#games a", has_text=title).click()
    page.locator(".gridwright-widget #title", has_text=title).wait_for(timeout=20_000)


def first_level(kind: Any) -> Any:
    """Returns the level that the page opens first for a game."""
    names = [level.name for level in kind.level(kind.levels()[0]).controls().levels]
    return kind.level(names[0])


def ends(game: Any) -> tuple[list[Any], str]:
    """Returns moves that end a game, and the beginning of the message that the page shows after them."""
    other = game.copy()
    controls = other.controls()
    assert controls.finish()
    assert controls.over
    return other.moves.tolist(), controls.message.split(".")[0].split(" in ")[0]


def wait_for_score(player: Player, game: Any) -> None:
    """Waits until the page shows the first score of ``game``, the copy of its game in this process."""
    player.wait_for_numbers(str(game.controls().scores[0]))


@pytest.fixture(params=list(gw.GAMES), ids=str)
def kind(request: pytest.FixtureRequest) -> Any:
    return gw.GAMES[request.param]


def test_a_long_computation_shows_a_notice_that_does_not_mention_notebooks(visit):
    page = visit("play/#bloxorz/level01")
    player = Player(page, gw.Bloxorz.level("level01"))
    notice = page.locator(".gridwright-widget #absent")
    player.focus()
    # Python does not answer while messages to its worker are held back.
    page.evaluate("""() => {
        window.post = Worker.prototype.postMessage;
        window.held = [];
        Worker.prototype.postMessage = function (...message) { window.held.push([this, message]); };
    }""")
    page.keyboard.press("ArrowRight")
    notice.wait_for(timeout=20_000)
    assert notice.text_content() == "Python is still computing. The page will respond as soon as Python has finished."
    page.evaluate("""() => {
        Worker.prototype.postMessage = window.post;
        for (const [worker, message] of window.held) worker.postMessage(...message);
    }""")
    player.wait_for_numbers("rolls 1")
    notice.wait_for(state="hidden", timeout=20_000)


def test_a_picture_of_the_first_level_is_shown_until_python_runs(visit, served):
    page = visit("play/#bloxorz")
    page.locator("picture.first img").wait_for(timeout=START_TIMEOUT)
    assert "Starting Python" in page.locator("#state").text_content()
    page.locator(".gridwright-widget #board svg").wait_for(timeout=START_TIMEOUT)
    assert page.locator("picture").count() == 0
    # Only the first level of a game has such a picture.
    other = visit("play/#bloxorz/level07")
    assert other.locator("picture.first").count() == 0


def test_a_game_is_won_by_mouse(visit, kind):
    game = first_level(kind)
    page = visit(f"play/#{game.NAME}")
    player = Player(page, game)
    moves, message = ends(game)
    for move in moves:
        for _, cell, second in games.pointer(game, move):
            player.click(cell, "right" if second else "left")
        game.play(*move)
        wait_for_score(player, game)
    if message:
        page.locator(".gridwright-widget #message", has_text=message).wait_for(timeout=20_000)


def test_a_game_is_won_by_keyboard(visit, kind):
    game = first_level(kind)
    page = visit(f"play/#{game.NAME}/{game.controls().name}")
    player = Player(page, game)
    player.focus()
    moves, message = ends(game)
    at = (0, 0)
    shift = "shift+left" in game.controls().keys

    def go(cell: tuple[int, int]) -> None:
        nonlocal at
        for axis, (less, more) in enumerate((("ArrowUp", "ArrowDown"), ("ArrowLeft", "ArrowRight"))):
            distance = cell[axis] - at[axis]
            for _ in range(abs(distance)):
                page.keyboard.press(("Shift+" if shift else "") + (more if distance > 0 else less))
        at = cell

    for move in moves:
        keys = games.keys(game, move)
        for key in keys:
            page.keyboard.press(" " if key == "space" else f"Arrow{key.capitalize()}")
        for _, cell, second in [] if keys else games.pointer(game, move):
            go(cell)
            page.keyboard.press("Shift+Enter" if second else "Enter")
        game.play(*move)
        wait_for_score(player, game)
    if message:
        page.locator(".gridwright-widget #message", has_text=message).wait_for(timeout=20_000)


def test_a_link_contains_the_position(visit, served):
    page = visit("play/#bloxorz/level02")
    player = Player(page, gw.Bloxorz.level("level02"))
    player.focus()
    moves = gw.Bloxorz.level("level02").solve()[:3]
    for key in moves:
        page.keyboard.press(ARROWS["lurd".index(key)])
    player.wait_for_numbers("rolls 3")
    page.click("#share")
    page.locator("#link").wait_for()
    link = page.locator("#link").input_value()
    assert "#bloxorz/level02&moves=" in link
    other = visit(link.removeprefix(served.address))
    Player(other, gw.Bloxorz.level("level02")).wait_for_numbers("rolls 3")
    # This link contains the text of a level that is not packaged, and does not name the game.
    text = "SoooT\nooooo\nooooo\n"
    third = visit(f"play/#text={text}".replace("\n", "%0A"))
    player = Player(third, gw.Bloxorz(text))
    assert third.title() == "Bloxorz: play"
    player.focus()
    third.keyboard.press("ArrowRight")
    player.wait_for_numbers("rolls 1")
    third.click("#share")
    third.locator("#link").wait_for()
    assert "#bloxorz&text=SoooT%0Aooooo%0Aooooo%0A&moves=2" in third.locator("#link").input_value()
    # The moves on a level given as text are stored too.
    wait_until(third, stored("bloxorz", "kept.moves.length === 1"))
    third.reload()
    Player(third, gw.Bloxorz(text)).wait_for_numbers("rolls 1")


def test_a_link_that_cannot_be_read_shows_an_error_and_opens_a_game(visit):
    page = visit("play/#chess/level01")
    page.locator("#state.bad", has_text="game must be one of").wait_for(timeout=START_TIMEOUT)
    Player(page, gw.MyPhoton.level("level01"))


@pytest.mark.parametrize(
    ("file", "name", "status"),
    [
        ("app.js", "A script of this page", 404),
        ("editor.js", "A script of this page", 404),
        ("widget.js", "A script of this page", None),
        ("worker.js", "worker.js", 404),
        ("host.py", "host.py", 404),
        ("host.py", "host.py", None),
        ("pyodide/pyodide.js", "pyodide.js", None),
        ("pyodide/pyodide.asm.wasm", "pyodide.asm.wasm", 404),
        ("pyodide/pyodide.asm.wasm", "pyodide.asm.wasm", None),
        ("pyodide/python_stdlib.zip", "python_stdlib.zip", 404),
        ("pyodide/gridwright-*", f"gridwright-{gw.__version__}", 404),
    ],
)
def test_a_file_that_cannot_be_loaded_is_named(browser, served, file, name, status):
    """``status`` is that of the answer; ``None`` stands for a lost connection."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.route(f"**/play/{file}", lambda route: route.fulfill(status=status) if status else route.abort())
    page.goto(served.address + "play/#bloxorz")
    note = page.locator("#state.bad")
    note.wait_for(timeout=START_TIMEOUT)
    page.wait_for_timeout(500)  # what fails later does not replace the note
    words = rf"{re.escape(name)}\S* (could not be loaded|failed to load)\. Reload the page\.$"
    assert re.search(words, note.text_content())
    context.close()


def test_a_reload_keeps_the_position_and_the_solved_levels(visit):
    page = visit("play/#lightemall")
    game = first_level(gw.LightEmAll)
    player = Player(page, game)
    moves, _ = ends(game)
    for move in moves:
        player.click(tuple(move[1:]))
        game.play(*move)
        wait_for_score(player, game)
    page.locator(".gridwright-widget #level option", has_text="✓").wait_for(state="attached", timeout=20_000)
    page.keyboard.press("Enter")
    second = page.locator(".gridwright-widget #title", has_text="level02")
    second.wait_for(timeout=20_000)
    other = gw.LightEmAll.level("level02")
    player = Player(page, other)
    player.click((0, 0))
    player.wait_for_numbers("moves 1")
    page.wait_for_url("**/play/#lightemall/level02")
    wait_until(page, stored("lightemall", "kept.level === 'level02' && kept.moves.length === 1"))
    page.reload()
    Player(page, other).wait_for_numbers("moves 1")
    assert page.locator(".gridwright-widget #level option", has_text="✓").count() == 1


def test_levels_solved_in_two_tabs_are_all_stored(visit):
    page = visit("play/#bloxorz/level01")
    Player(page, gw.Bloxorz.level("level01"))
    other = page.context.new_page()
    other.goto(page.url.replace("level01", "level02"))
    Player(other, gw.Bloxorz.level("level02"))
    for tab, name in ((page, "level01"), (other, "level02")):
        tab.bring_to_front()
        tab.locator(".gridwright-widget #board").focus()
        press(tab, gw.Bloxorz.level(name).solve())
        tab.locator(".gridwright-widget #message", has_text="You won").wait_for(timeout=20_000)
    # The menu of each tab marks the level that was solved in the other one.
    for tab, name in ((page, "level02"), (other, "level01")):
        tab.locator(f".gridwright-widget #level option[value={name}]", has_text="✓").wait_for(
            state="attached", timeout=20_000
        )
    wait_until(page, "Object.keys(JSON.parse(localStorage.getItem('gridwright.solved')).bloxorz).length === 2")


def test_the_better_result_of_two_tabs_is_stored(visit):
    page = visit("play/#bloxorz/level01")
    player = Player(page, gw.Bloxorz.level("level01"))
    # This is what another tab stores; a tab receives no event about what it stores itself.
    page.evaluate(
        """() => localStorage.setItem("gridwright.solved", JSON.stringify({
            bloxorz: { level01: { best: 5, optimum: 4 }, level03: { best: null, optimum: null } },
            geese: { level01: { best: 3, optimum: null } },
        }))"""
    )
    player.board.focus()
    press(page, gw.Bloxorz.level("level01").solve())
    wait_until(page, "localStorage.getItem('gridwright.solved').includes('\"optimum\":7')")
    assert page.evaluate("JSON.parse(localStorage.getItem('gridwright.solved'))") == {
        "bloxorz": {"level01": {"best": 5, "optimum": 7}, "level03": {"best": None, "optimum": None}},
        "geese": {"level01": {"best": 3, "optimum": None}},
    }
    page.locator(".gridwright-widget #level option", has_text="✓ 5/7").wait_for(state="attached", timeout=20_000)


def test_a_reload_keeps_scores_locked_tiles_and_settings(visit):
    page = visit("play/#lightemall/level02")
    game = gw.LightEmAll.level("level02")
    player = Player(page, game)
    player.click((0, 0), "middle")
    player.click((1, 1), "right")
    page.locator(".gridwright-widget #hint").click()
    player.wait_for_numbers("hints 1")
    numbers = player.text("numbers")
    assert numbers.startswith("moves 1 ")
    wait_until(page, stored("lightemall", "JSON.parse(kept.state).puzzle.hints === 1"))
    page.reload()
    player = Player(page, game)
    player.wait_for_numbers(numbers)
    page.locator(".gridwright-widget #undo").click()
    player.wait_for_numbers("moves 0")
    player.click((0, 0))
    page.locator(".gridwright-widget #message", has_text="This tile is locked").wait_for(timeout=20_000)
    switch(page, "LinearDomination")
    page.locator(".gridwright-widget #setting-opponent").select_option("person")
    page.locator(".gridwright-widget #setting-komi").select_option("9")
    player.wait_for_numbers("komi 9")
    switch(page, "Bloxorz")
    switch(page, "LinearDomination")
    player.wait_for_numbers("komi 9")
    assert page.locator(".gridwright-widget #setting-opponent").input_value() == "person"


def test_a_state_that_does_not_fit_is_ignored_but_its_moves_are_played(visit):
    page = visit("play/#bloxorz/level02")
    player = Player(page, gw.Bloxorz.level("level02"))
    player.board.focus()
    page.keyboard.press("ArrowRight")
    wait_until(page, stored("bloxorz", "kept.moves.length === 1"))
    for state in ("'{}'", "5", "undefined"):
        page.evaluate(
            f"""() => {{
                const kept = JSON.parse(localStorage.getItem("gridwright.game.bloxorz"));
                kept[0].state = {state};
                localStorage.setItem("gridwright.game.bloxorz", JSON.stringify(kept));
            }}"""
        )
        page.reload()
        Player(page, gw.Bloxorz.level("level02")).wait_for_numbers("rolls 1")
        assert page.locator("#state").text_content() == ""


def test_saved_games_of_another_version_are_opened_or_ignored(visit):
    page = visit("play/#geese")
    Player(page, first_level(gw.GeeseSpotter))

    def reopen(kept: str) -> None:
        switch(page, "GeeseSpotter")
        page.evaluate("kept => localStorage.setItem('gridwright.game.bloxorz', kept)", kept)
        switch(page, "Bloxorz")

    for kept in (
        '{"game":"bloxorz","level":"level99","text":"","moves":[],"state":""}',
        '[{"game":"bloxorz","level":"","text":"?","moves":[],"state":""}]',
        '[{"game":"bloxorz","level":5,"moves":[]}, null, 5]',
        '{"level":"level02"}',
        "[null]",
        "5",
    ):
        reopen(kept)
        page.wait_for_url("**/play/#bloxorz/level01")
        wait_until(page, stored("bloxorz", "kept.level === 'level01'"))
        assert page.locator("#state").text_content() == ""
    reopen('{"game":"chess","level":"level02","text":"","moves":[[2]],"state":"","newer":1}')
    Player(page, gw.Bloxorz.level("level02")).wait_for_numbers("rolls 1")
    assert page.locator("#state").text_content() == ""


def test_a_link_with_a_text_in_another_form_resumes_its_game(visit):
    page = visit("play/#bloxorz&text=SoooT%0Aooooo")
    player = Player(page, gw.Bloxorz("SoooT\nooooo"))
    player.focus()
    page.keyboard.press("ArrowRight")
    player.wait_for_numbers("rolls 1")
    wait_until(page, stored("bloxorz", "kept.moves.length === 1"))
    for link in ("text=SoooT%0Aooooo", "bloxorz&text=SoooT%0Aooooo"):
        switch(page, "GeeseSpotter")
        page.evaluate(f"location.hash = '{link}'")
        page.locator(".gridwright-widget #title", has_text="Bloxorz").wait_for(timeout=20_000)
        player.wait_for_numbers("rolls 1")
    # A text that is that of a packaged level stands for the level.
    text = gw.Bloxorz.level("level02").text.strip().replace("\n", "%0A")
    page.evaluate("text => { location.hash = `bloxorz&text=${text}`; }", text)
    page.wait_for_url("**/play/#bloxorz/level02")


def test_back_and_forward_keep_the_moves_of_each_level(visit):
    page = visit("play/#bloxorz/level01")
    player = Player(page, gw.Bloxorz.level("level01"))
    player.board.focus()
    page.keyboard.press("ArrowRight")
    player.wait_for_numbers("rolls 1")
    switch(page, "GeeseSpotter")
    page.evaluate("location.hash = 'bloxorz/level03'")
    page.locator(".gridwright-widget #title", has_text="level03").wait_for(timeout=20_000)
    player.board.focus()
    press(page, gw.Bloxorz.level("level03").solve()[:3])
    player.wait_for_numbers("rolls 3")
    # The game is saved before the other one is opened, however early the steps back come.
    page.evaluate("history.go(-2)")
    page.locator(".gridwright-widget #title", has_text="level01").wait_for(timeout=20_000)
    player.wait_for_numbers("rolls 1")
    page.evaluate("history.go(2)")
    page.locator(".gridwright-widget #title", has_text="level03").wait_for(timeout=20_000)
    player.wait_for_numbers("rolls 3")
    # A link to the game opens the level that was played last.
    switch(page, "GeeseSpotter")
    switch(page, "Bloxorz")
    player.wait_for_numbers("rolls 3")
    # Only the latest games are kept.
    page.evaluate(
        """() => {
            const kept = JSON.parse(localStorage.getItem("gridwright.game.bloxorz"));
            while (kept.length < 80) kept.push({ ...kept[0], level: `more${kept.length}` });
            localStorage.setItem("gridwright.game.bloxorz", JSON.stringify(kept));
        }"""
    )
    player.board.focus()
    page.keyboard.press("Backspace")
    wait_until(page, "JSON.parse(localStorage.getItem('gridwright.game.bloxorz')).length === 50")


def test_links_that_are_opened_at_once_are_opened_one_after_another(visit):
    page = visit("play/#geese")
    Player(page, first_level(gw.GeeseSpotter))
    # The first link takes longer, because its saved game cannot be opened.
    page.evaluate(
        """() => {
            localStorage.setItem("gridwright.game.photon", '{"level":"level99","text":"","moves":[]}');
            location.hash = "photon";
            setTimeout(() => { location.hash = "bloxorz"; });
        }"""
    )
    page.wait_for_url("**/play/#bloxorz/level01")
    page.wait_for_timeout(500)
    assert "Bloxorz" in page.locator(".gridwright-widget #title").text_content()
    # A link is also opened if the address was replaced before the page was told of the link.
    page.evaluate("""() => {
        location.hash = "lightemall/level02";
        history.replaceState(null, "", "#bloxorz/level01");
    }""")
    page.locator(".gridwright-widget #title", has_text="LightEmAll").wait_for(timeout=20_000)
    page.wait_for_url("**/play/#lightemall/level02")


def test_two_tabs_save_the_games_of_two_levels(visit):
    page = visit("play/#bloxorz/level01")
    Player(page, gw.Bloxorz.level("level01"))
    other = page.context.new_page()
    other.goto(page.url.replace("level01", "level02"))
    Player(other, gw.Bloxorz.level("level02"))
    for tab, name in ((page, "level01"), (other, "level02")):
        tab.bring_to_front()
        tab.locator(".gridwright-widget #board").focus()
        press(tab, gw.Bloxorz.level(name).solve()[:2])
        wait_until(tab, stored("bloxorz", f"kept.level === '{name}' && kept.moves.length === 2"))
    page.reload()
    Player(page, gw.Bloxorz.level("level01")).wait_for_numbers("rolls 2")


def test_moves_without_a_game_are_those_of_the_game_played_last(visit):
    page = visit("play/#bloxorz")
    player = Player(page, gw.Bloxorz.level("level01"))
    page.evaluate("location.hash = 'moves=2.2'")
    player.wait_for_numbers("rolls 2")
    assert page.locator("#state").text_content() == ""


def test_a_solution_that_the_program_began_is_not_recorded_after_a_switch(visit):
    page = visit("play/#bloxorz/level07")
    player = Player(page, gw.Bloxorz.level("level07"))
    page.locator(".gridwright-widget #solve").click()
    # At 3 moves per second, there is time to stop the solution of 29 moves.
    page.locator(".gridwright-widget #numbers", has_text=re.compile("rolls [1-9]")).wait_for(timeout=20_000)
    page.locator(".gridwright-widget #solve").click()
    page.locator(".gridwright-widget #solve", has_text="Solve").wait_for()
    # The game is saved before the other one is opened, however early the click comes.
    played = int(player.text("numbers").split()[1])
    switch(page, "LightEmAll")
    switch(page, "Bloxorz")
    player.wait_for_numbers(f"rolls {played} ")
    player.board.focus()
    press(page, gw.Bloxorz.level("level07").solve()[played:])
    message = page.locator(".gridwright-widget #message", has_text="You won in 29 rolls")
    message.wait_for(timeout=20_000)
    assert "fewer" not in message.text_content()
    assert page.locator(".gridwright-widget #level option", has_text="✓").count() == 0


def test_the_board_has_the_focus_after_the_page_opens(visit):
    page = visit("play/#bloxorz/level07")
    player = Player(page, gw.Bloxorz.level("level07"))
    focused = "document.activeElement?.shadowRoot?.activeElement?.id === 'board'"
    wait_until(page, focused)
    assert page.evaluate("scrollY") == 0
    page.keyboard.press("ArrowRight")
    player.wait_for_numbers("rolls 1")
    drawer = Drawer(page, gw.Bloxorz.level("level07").editor())
    drawer.host.locator("#play:enabled").click()
    player.wait_for_numbers("rolls 0")
    wait_until(page, focused)
    page.keyboard.press("ArrowRight")
    player.wait_for_numbers("rolls 1")
    # A link that was clicked or focused keeps the focus.
    switch(page, "LightEmAll")
    assert page.evaluate("document.activeElement.textContent") == "LightEmAll"


def test_a_page_that_opens_does_not_move_the_focus_from_a_link(visit):
    page = visit("play/#bloxorz/level07")
    page.locator("#games a").first.focus()
    Player(page, gw.Bloxorz.level("level07"))
    assert page.evaluate("document.activeElement.textContent") == "MyPhoton"


def test_notes_and_links_disappear_when_they_are_outdated(visit):
    page = visit("play/#bloxorz/level01", permissions=["clipboard-read", "clipboard-write"])
    player = Player(page, gw.Bloxorz.level("level01"))
    shared, link, note = page.locator("#shared"), page.locator("#link"), page.locator("#state.bad")

    def share() -> None:
        page.click("#share")
        page.locator("#shared", has_text="Copied").wait_for()
        assert link.is_visible()

    def check() -> None:
        link.wait_for(state="hidden", timeout=20_000)
        assert shared.text_content() == ""

    share()
    player.board.focus()
    page.keyboard.press("ArrowRight")
    check()
    share()
    switch(page, "LightEmAll")
    check()
    share()
    # A link that is rejected leaves the game, its link and the address as they are.
    for wrong, words in (("chess", "game must be one of"), ("bloxorz/nolevel", "nolevel")):
        page.evaluate(f"location.hash = '{wrong}'")
        page.locator("#state.bad", has_text=words).wait_for(timeout=20_000)
        page.wait_for_url("**/play/#lightemall/level01")
        assert link.is_visible()
    player = Player(page, gw.LightEmAll.level("level01"))
    player.click((0, 0))
    player.wait_for_numbers("moves 1")
    note.wait_for(state="detached", timeout=20_000)
    check()
    page.evaluate("location.hash = 'bloxorz/level01&moves=2.7'")
    page.locator("#state.bad", has_text="Played 1 of 2 moves").wait_for(timeout=20_000)
    page.locator(".gridwright-widget #level").select_option("level05")
    note.wait_for(state="detached", timeout=20_000)
    assert page.locator("#state").text_content() == ""


def test_a_link_that_is_rejected_at_the_start_opens_the_game_played_last(visit):
    page = visit("play/#photon/level02")
    Player(page, gw.MyPhoton.level("level02"))
    wait_until(page, stored("photon", "kept.level === 'level02'"))
    other = page.context.new_page()
    other.goto(page.url.replace("photon/level02", "chess"))
    other.locator("#state.bad", has_text="game must be one of").wait_for(timeout=START_TIMEOUT)
    other.locator(".gridwright-widget #title", has_text="level02").wait_for(timeout=20_000)


@pytest.mark.parametrize(
    ("moves", "note"),
    [
        ("2..2", "Played 1 of 3 moves"),
        (".", "Played 0 of 2 moves"),
        ("-2", "Played 0 of 1 move:"),
        ("0x2", "Played 0 of 1 move:"),
        ("2e0", "Played 0 of 1 move:"),
    ],
)
def test_parts_of_a_link_that_are_not_moves_are_rejected(visit, moves, note):
    page = visit(f"play/#bloxorz/level01&moves={moves}")
    page.locator("#state.bad", has_text=note).wait_for(timeout=START_TIMEOUT)
    Player(page, gw.Bloxorz.level("level01")).wait_for_numbers(f"rolls {note[7]}")


def test_a_page_that_was_visited_before_opens_offline(browser):
    server = Served()
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.address + "play/#photon/level01")
    Player(page, gw.MyPhoton.level("level01"))
    worker = context.service_workers[0] if context.service_workers else context.wait_for_event("serviceworker")
    end = time.monotonic() + 60
    while worker.evaluate("registration.active && registration.active.state") != "activated":
        assert time.monotonic() < end
        page.wait_for_timeout(100)
    server.close()
    page.goto(server.address + "play/#geese")
    page.reload()
    game = first_level(gw.GeeseSpotter)
    player = Player(page, game)
    player.click(tuple(ends(game)[0][0][1:]))
    player.wait_for_numbers("steps 1")
    context.close()


def test_the_board_fits_the_width_of_a_phone_and_responds_to_taps(visit, kind):
    page = visit(f"play/#{kind.NAME}", viewport={"width": 400, "height": 800}, has_touch=True, is_mobile=True)
    game = first_level(kind)
    player = Player(page, game)
    box = player.board.locator("svg").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 400
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 400
    move = ends(game)[0][0]
    for _, cell, _ in games.pointer(game, move):
        player.tap(cell)
    game.play(*move)
    wait_for_score(player, game)


def test_forced_colors_keep_the_buttons_visible_and_the_board_playable(visit):
    page = visit("play/#bloxorz/level01", forced_colors="active", color_scheme="dark")
    player = Player(page, gw.Bloxorz.level("level01"))
    for name in ("undo", "hint", "solve"):
        assert page.locator(f".gridwright-widget #{name}").is_visible()
    player.focus()
    page.keyboard.press("ArrowRight")
    player.wait_for_numbers("rolls 1")


class Drawer:
    """A person who uses the editor on a page.

    * ``page``: the page, on which the editor is opened.
    * ``editor``: an editor in this process, from which the positions of the cells are computed.
    """

    def __init__(self, page: Any, editor: Any) -> None:
        self.page, self.editor = page, editor
        page.click("#write")
        self.host = page.locator(".gridwright-editor")
        self.board = self.host.locator("#all #board")
        self.board.locator("svg").wait_for(timeout=20_000)

    def at(self, cell: tuple[int, int]) -> tuple[float, float]:
        """Returns the center of a cell in pixels, relative to the top left corner of the window."""
        drawn = picture(self.editor.sketch(), **self.editor.LOOK)
        x, y = drawn.cells.center(*cell)
        box = self.board.locator("svg").bounding_box()
        scale = box["width"] / drawn.width
        return box["x"] + x * scale, box["y"] + y * scale

    def brush(self, name: str) -> None:
        """Selects a brush from the palette."""
        button = self.host.locator(f"#palette [data-brush='{name}']")
        button.click()
        self.host.locator(f"#palette [data-brush='{name}'][aria-checked=true]").wait_for()

    def drag(self, *cells: tuple[int, int]) -> None:
        """Drags the mouse over cells; a single cell is clicked."""
        self.page.mouse.move(*self.at(cells[0]))
        self.page.mouse.down()
        for cell in cells[1:]:
            self.page.mouse.move(*self.at(cell), steps=4)
        self.page.mouse.up()

    def wait_for_text(self, name: str, text: str) -> None:
        """Waits until the element of the editor with the ID ``name`` contains ``text``."""
        self.host.locator(f"#{name}", has_text=text).wait_for(timeout=20_000)


def test_a_level_is_drawn_shared_and_played(visit, served):
    page = visit("play/#bloxorz/level01", permissions=["clipboard-read", "clipboard-write"])
    Player(page, gw.Bloxorz.level("level01"))
    editor = gw.Bloxorz.level("level01").editor()
    drawer = Drawer(page, editor)
    drawer.wait_for_text("facts", "Solvable in 7 rolls, exactly 3 ways, trivial.")
    drawer.brush("nothing")
    drawer.drag((2, 1), (2, 2))
    editor.paint([(2, 1), (2, 2)], gw.bloxorz.Tile.NONE)
    drawer.wait_for_text("facts", str(editor.facts(5))[1:])
    drawer.brush("target")
    drawer.drag((2, 8))
    drawer.brush("bridge")
    drawer.drag((2, 4), (2, 5))
    drawer.wait_for_text("problems", "Bridge a at (2, 4) is off and no switch turns it on")
    assert drawer.host.locator("#play").is_disabled()
    drawer.brush("soft")
    drawer.drag((1, 3))
    drawer.brush("wire")
    drawer.drag((1, 3), (2, 5))
    drawer.wait_for_text("wires", "(1, 3) toggles bridge a")
    drawer.wait_for_text("facts", "Solvable in ")
    drawer.host.locator("#share").click()
    drawer.host.locator("#link").wait_for()
    link = drawer.host.locator("#link").input_value()
    text = drawer.host.locator("#text").input_value()
    drawn = gw.Bloxorz(text)
    assert "#AOa" in text
    assert page.evaluate("navigator.clipboard.readText()") == link
    drawer.host.locator("#copy").click()
    drawer.wait_for_text("message", "Copied: the level as text.")
    assert page.evaluate("navigator.clipboard.readText()") == text
    with page.expect_download() as download:
        drawer.host.locator("#save").click()
    assert download.value.suggested_filename == "bloxorz.txt"
    assert download.value.path().read_text() == text
    other = visit(link.removeprefix(served.address))
    player = Player(other, drawn)
    player.focus()
    for key in drawn.solve():
        other.keyboard.press(ARROWS["lurd".index(key)])
    other.locator(".gridwright-widget #message", has_text="You won").wait_for(timeout=20_000)
    drawer.host.locator("#play").click()
    player = Player(page, drawn)
    player.focus()
    page.keyboard.press(ARROWS["lurd".index(drawn.solve()[0])])
    player.wait_for_numbers("rolls 1")


def draws(editor: Any, brush: Any) -> bool:
    """Returns whether a drag from cell (0, 0) to cell (1, 1) changes the level; undoes the change."""
    cells = [(0, 0), (1, 1)]
    try:
        if brush.codes:
            editor.paint(cells[1:] if brush.single else cells, brush.codes[0])
        else:
            editor.connect(editor.trail(cells), brush.how)
    except ValueError:
        return False
    return bool(editor.undo())


def test_every_game_opens_its_editor(visit, kind):
    page = visit(f"play/#{kind.NAME}")
    Player(page, first_level(kind))
    drawer = Drawer(page, first_level(kind).editor())
    box = drawer.host.locator("#text")
    before = box.input_value()
    drawer.brush(next(brush.name for brush in drawer.editor.brushes if draws(drawer.editor, brush)))
    drawer.drag((0, 0), (1, 1))
    drawer.host.locator("#undo:enabled").click()
    drawer.host.locator("#redo:enabled").wait_for()
    assert box.input_value() == before
    page.click("#close")
    assert page.locator("#place .gridwright-widget").is_visible()


def edited(visit: Any) -> tuple[Any, Drawer]:
    """Opens the first level of Bloxorz in the editor, with its text; returns the page and the editor."""
    page = visit("play/#bloxorz/level01")
    Player(page, gw.Bloxorz.level("level01"))
    drawer = Drawer(page, gw.Bloxorz.level("level01").editor())
    drawer.host.locator("summary").click()
    return page, drawer


def retype(drawer: Drawer) -> None:
    """Types the text of another level."""
    box = drawer.host.locator("#text")
    box.press("Control+a")
    box.press_sequentially("SooT\nooo")
    drawer.wait_for_text("facts", "Solvable in 2 rolls, exactly 1 way, trivial.")


def test_the_text_of_a_level_is_edited_and_its_errors_are_shown(visit):
    page, drawer = edited(visit)
    box = drawer.host.locator("#text")
    box.press("Control+End")
    box.press_sequentially("?")
    drawer.wait_for_text("message", "Line 7, column 1: ")
    retype(drawer)
    drawer.host.locator("#play").click()
    player = Player(page, gw.Bloxorz("SooT\nooo-"))
    player.focus()
    page.keyboard.press("ArrowRight")
    player.wait_for_numbers("rolls 1")


def test_a_link_that_is_rejected_keeps_the_editor_open(visit):
    page, drawer = edited(visit)
    box = drawer.host.locator("#text")
    retype(drawer)
    page.evaluate("location.hash = 'chess'")
    page.locator("#state.bad", has_text="game must be one of").wait_for(timeout=20_000)
    assert box.input_value().startswith("SooT\nooo")
    switch(page, "LightEmAll")
    assert page.locator("#editor").is_hidden()


def test_the_editor_hides_what_acts_on_the_board(visit):
    page = visit("play/#bloxorz/level01")
    Player(page, gw.Bloxorz.level("level01"))
    page.click("#share")
    page.locator("#link").wait_for()

    def visible() -> list[str]:
        names = ["share", "watch", "keep", "shared", "link"]
        return page.evaluate("names => names.filter((name) => document.getElementById(name).checkVisibility())", names)

    assert visible() == ["share", "watch", "keep", "shared", "link"]
    Drawer(page, gw.Bloxorz.level("level01").editor())
    assert visible() == []
    page.click("#write")
    assert visible() == ["share", "watch", "keep", "shared"]
    # A game that is opened before Python has answered replaces the editor of the game before it.
    page.evaluate("""() => {
        document.getElementById("write").click();
        location.hash = "lightemall";
    }""")
    page.wait_for_url("**/play/#lightemall/level01")
    assert page.locator("#editor").is_hidden()


def test_a_picture_is_saved_in_the_view_of_the_board(visit, tmp_path):
    page = visit("play/#bloxorz/level01")
    game = gw.Bloxorz.level("level01")
    Player(page, game)
    page.locator(".gridwright-widget #view").click()
    page.locator(".gridwright-widget #view", has_text="3d").wait_for(timeout=20_000)
    with page.expect_download() as download:
        page.click("#keep")
    assert download.value.path().read_text() == game.svg(view="3d")


def test_a_game_without_moves_has_no_film(visit):
    page = visit("play/#photon/empty")
    Player(page, gw.MyPhoton.level("empty"))
    page.click("#watch")
    page.locator("#shared", has_text="there is nothing to show: no move has been played").wait_for(timeout=20_000)


def test_a_film_is_shown_and_a_picture_is_saved(visit, tmp_path):
    page = visit("play/#bloxorz/level01", viewport={"width": 360, "height": 740})
    Player(page, gw.Bloxorz.level("level01"))
    page.click("#watch")
    film = page.frame_locator("#film")
    film.locator("svg").first.wait_for(timeout=20_000)
    box = page.locator("#cinema").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    page.click("#end")
    with page.expect_download() as download:
        page.click("#keep")
    download.value.save_as(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text().startswith("<svg")


def test_a_click_on_a_link_switches_the_game(visit):
    page = visit("play/#photon")
    Player(page, gw.MyPhoton.level("level01"))
    page.locator("#games a", has_text="Bloxorz").click()
    page.locator(".gridwright-widget #title", has_text="Bloxorz").wait_for(timeout=20_000)
    assert page.locator("#games a[aria-current]").text_content() == "Bloxorz"


def test_times_of_the_first_board_and_of_keys_are_printed(visit, capsys):
    """Prints the seconds until the first board and the milliseconds per key, and asserts nothing about them."""
    began = time.monotonic()
    page = visit("play/#bloxorz/level01")
    player = Player(page, gw.Bloxorz.level("level01"))
    cold = time.monotonic() - began
    page.wait_for_timeout(1000)
    began = time.monotonic()
    page.reload()
    player = Player(page, gw.Bloxorz.level("level01"))
    warm = time.monotonic() - began
    player.focus()
    page.evaluate(
        """() => {
          window.spent = [];
          const board = document.querySelector(".gridwright-widget").shadowRoot.getElementById("board");
          let since = 0;
          board.addEventListener("keydown", () => { since = performance.now(); }, true);
          new MutationObserver(() => window.spent.push(performance.now() - since)).observe(
            board, { childList: true, subtree: true, attributes: true });
        }"""
    )
    for n in range(20):
        page.keyboard.press("ArrowRight" if n % 2 == 0 else "ArrowLeft")
        player.wait_for_numbers(f"rolls {n + 1} ")
    spent = sorted(page.evaluate("window.spent"))
    assert len(spent) >= 20
    with capsys.disabled():
        key = f"{spent[len(spent) // 2]:.0f} ms per key (slowest {spent[-1]:.0f} ms)"
        print(f"\nplay/: first board after {cold:.1f} s on a first visit, {warm:.1f} s on a later one; {key}")
