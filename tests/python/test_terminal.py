"""Tests of the terminal application, driven by Textual's pilot: keys, mouse, lists, dialogs and sizes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import gridwright as gw
import pytest
from gridwright.draw import DARK, LIGHT, text_grid
from gridwright.draw.theme import contrast
from gridwright.solved import MemoryStorage, record, solved, use_storage

pytest.importorskip("textual")

from gridwright.play.terminal import Board, GridwrightApp, Help, Levels, Menu, New, Play, Settings
from textual import events
from textual.widgets import Footer, Input, Label, OptionList, Select, Static


@pytest.fixture(autouse=True)
def _fresh_storage():
    use_storage(MemoryStorage())
    yield
    use_storage(None)


def drive(app: GridwrightApp, steps: Callable[[Any], Awaitable[None]], size: tuple[int, int] = (100, 34)) -> None:
    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(pilot)

    asyncio.run(run())


def lines(app: GridwrightApp) -> list[str]:
    """Returns the lines of text on the screen."""
    width, height = app.size
    screen = app.screen
    return ["".join(segment.text for segment in strip)[:width] for strip in screen._compositor.render_strips()[:height]]


async def click(pilot: Any, cell: tuple[int, int], **options: Any) -> None:
    board = pilot.app.screen.query_one(Board)
    await pilot.click(Board, offset=board.place(cell), **options)
    await pilot.pause()


async def drag_over(pilot: Any, place: tuple[int, int]) -> None:
    """Moves the mouse over the board with the left button down; the pilot itself moves it only without a button."""
    await pilot._post_mouse_events([events.MouseMove], Board, offset=place, button=1)


def message(app: GridwrightApp) -> str:
    return str(app.screen.query_one("#message", Static).render())


def test_bloxorz_is_won_with_the_arrow_keys_and_the_next_level_follows():
    game = gw.Bloxorz.level("level01")

    async def steps(pilot: Any) -> None:
        names = {"l": "left", "u": "up", "r": "right", "d": "down"}
        await pilot.press(*(names[key] for key in "rrdrrrd"))
        assert game.is_solved
        assert "You won in 7 rolls" in message(pilot.app)
        assert any("won" in line for line in lines(pilot.app)[:1])
        await pilot.press("enter")
        assert pilot.app.screen.controls.name == "level02"
        assert "level02" in lines(pilot.app)[0]

    drive(GridwrightApp(game), steps)
    assert solved("bloxorz")["level01"].best == 7


def test_a_fall_is_reported():
    async def steps(pilot: Any) -> None:
        await pilot.press("up")
        assert "fell" in message(pilot.app)

    drive(GridwrightApp(gw.Bloxorz.level("level01")), steps)


def test_photon_is_won_with_the_mouse_alone():
    game = gw.MyPhoton.level("cycle")
    row, col, to_row, to_col = game.solve()[0]

    async def steps(pilot: Any) -> None:
        await click(pilot, (row, col))
        assert pilot.app.screen.controls.selected == (row, col)
        await click(pilot, (to_row, to_col))
        assert game.is_solved

    drive(GridwrightApp(game), steps)


def test_tiles_are_turned_in_both_directions_and_locked_with_the_mouse():
    game = gw.LightEmAll.level("level03")
    before = game.wires

    async def steps(pilot: Any) -> None:
        await click(pilot, (1, 1))
        assert (game.wires != before).sum() <= 1
        assert len(game.moves) == 1
        await click(pilot, (1, 1), button=3)
        assert (game.wires == before).all()
        await click(pilot, (0, 1), button=2)
        played = len(game.moves)
        await click(pilot, (0, 1))
        assert len(game.moves) == played
        assert "ocked" in message(pilot.app)

    drive(GridwrightApp(game), steps)


def check_that_the_mouse_finds_every_cell(game: Any) -> None:
    async def steps(pilot: Any) -> None:
        board = pilot.app.screen.query_one(Board)
        for row in range(game.height):
            for col in range(game.width):
                assert board.cell_at(*board.place((row, col))) == (row, col)
        assert board.cell_at(0, 0) is None

    drive(GridwrightApp(game), steps)


def test_the_mouse_finds_every_cell(kind: Any):
    check_that_the_mouse_finds_every_cell(kind.level(kind.levels()[0]))


def test_the_mouse_finds_every_hexagon():
    check_that_the_mouse_finds_every_cell(gw.LightEmAll.generate(4, 5, hexagonal=True, seed=1))


def test_fields_are_shown_and_marked_with_keys_alone():
    game = gw.GeeseSpotter.level("beginner")

    async def steps(pilot: Any) -> None:
        screen = pilot.app.screen
        assert screen.controls.cursor == (0, 0)
        await pilot.press("right", "down", "m")
        assert str(game).splitlines()[1][1] == "M"
        await pilot.press("m", *["down"] * 5, "right", "enter")
        assert game.board[6, 2] & gw.geese.Field.HIDDEN == 0
        assert "row 6, column 2" in str(screen.query_one("#tip", Static).render())
        await pilot.press("f5")
        assert screen.controls.message
        await pilot.press("f5", "f7", "f8")
        assert len(game.moves) == 4

    drive(GridwrightApp(game), steps)


def test_chances_are_shown_beside_the_symbols():
    game = gw.GeeseSpotter("1 4 1\n20 01 29 01")
    game.mark((0, 2))

    async def steps(pilot: Any) -> None:
        await pilot.press("c")
        assert any("0 *0  1   M100" in line for line in lines(pilot.app)), lines(pilot.app)[:6]
        board = pilot.app.screen.query_one(Board)
        assert [board.cell_at(*board.place((0, col))) for col in range(4)] == [(0, col) for col in range(4)]
        await pilot.press("c")
        assert any("0 * 1 M 1" in line for line in lines(pilot.app))

    drive(GridwrightApp(game), steps)


@pytest.mark.parametrize("reported", [True, False])
def test_a_line_is_drawn_by_dragging_and_the_opponent_replies(reported: bool):
    game = gw.LinearDomination.level("empty")

    async def steps(pilot: Any) -> None:
        board = pilot.app.screen.query_one(Board)
        pilot.app.screen.controls.choose("opponent", "greedy")
        await pilot.mouse_down(Board, offset=board.place((1, 1)))
        if reported:
            await drag_over(pilot, board.place((3, 2)))
            await pilot.mouse_up(Board, offset=board.place((5, 2)))
        else:  # a terminal may report no move between pressing and releasing
            x, y = board.place((5, 2))
            board.on_mouse_up(events.MouseUp(board, x, y, 0, 0, 1, False, False, False))
        await pilot.pause()
        assert game.moves[0].tolist() == [1, 1, 5, 2]
        assert len(game.moves) == 2

    drive(GridwrightApp(game), steps)


@pytest.mark.parametrize("place", [(0, 4), (60, 4), (10, 0), (10, 20)])
def test_a_piece_released_off_the_board_stays_in_its_place(place: tuple[int, int]):
    game = gw.MyPhoton.level("cycle")
    row, col, to_row, to_col = game.solve()[0]

    async def steps(pilot: Any) -> None:
        board = pilot.app.screen.query_one(Board)
        assert board.cell_at(*place) is None
        await pilot.mouse_down(Board, offset=board.place((row, col)))
        await drag_over(pilot, board.place((to_row, to_col)))
        await drag_over(pilot, place)
        await pilot.mouse_up(Board, offset=place)
        await pilot.pause()
        assert len(game.moves) == 0
        assert board.controls.grabbed is None

    drive(GridwrightApp(game), steps)


@pytest.mark.parametrize("key", ["left", "right", "up", "down"])
def test_a_swipe_may_end_off_the_board(key: str):
    game = gw.Bloxorz.level("level01")
    expected = game.copy()
    expected.play(key[0])

    async def steps(pilot: Any) -> None:
        board = pilot.app.screen.query_one(Board)
        row, col = game.block[0].tolist()
        x, y = board.place((row, col))
        end = {"left": (0, y), "right": (60, y), "up": (x, 0), "down": (x, 20)}[key]
        await pilot.mouse_down(Board, offset=(x, y))
        await pilot.mouse_up(Board, offset=end)
        await pilot.pause()
        assert game == expected

    drive(GridwrightApp(game), steps)


def test_keys_lead_from_the_list_of_games_to_a_solved_level_and_back():
    async def steps(pilot: Any) -> None:
        app = pilot.app
        assert isinstance(app.screen, Menu)
        assert sum(kind.__name__ in "\n".join(lines(app)) for kind in gw.GAMES.values()) == len(gw.GAMES)
        await pilot.press(*["down"] * list(gw.GAMES).index("bloxorz"), "enter")
        await pilot.pause()
        assert isinstance(app.screen, Levels)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, Play)
        assert app.screen.controls.name == "level01"
        await pilot.press("right", "right", "down", "right", "right", "right", "down")
        await pilot.press("f2")
        await pilot.pause()
        assert isinstance(app.screen, Levels)
        shown = "\n".join(lines(app))
        assert "1 of" in shown
        assert "✔ level01" in shown
        assert "solved in 7 rolls (best possible)" in shown
        # Escape returns to the unchanged game. In the list of levels, Enter opens a level, and F2 lists the games.
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, Play)
        assert len(app.screen.controls.game.moves) == 7
        await pilot.press("f2")
        await pilot.pause()
        await pilot.press("down", "enter")
        await pilot.pause()
        assert isinstance(app.screen, Play)
        assert app.screen.controls.name == "level02"
        await pilot.press("f2")
        await pilot.pause()
        await pilot.press("f2")
        await pilot.pause()
        assert isinstance(app.screen, Menu)

    drive(GridwrightApp(), steps)


def test_the_list_of_games_can_be_reached_from_a_game_and_from_its_levels(kind: Any):
    game = kind.level(kind.levels()[0])

    async def steps(pilot: Any) -> None:
        app = pilot.app
        await pilot.pause()
        await pilot.press("f2")
        await pilot.pause()
        assert isinstance(app.screen, Levels)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, Play)
        assert app.screen.query_one(Board).has_focus
        await pilot.press("f2")
        await pilot.pause()
        await pilot.press("f2")
        await pilot.pause()
        assert isinstance(app.screen, Menu)

    drive(GridwrightApp(game), steps)

    async def from_levels(pilot: Any) -> None:
        await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, Menu)

    drive(GridwrightApp(kind=kind), from_levels)


@pytest.mark.parametrize("key", ["", "f1", "f2", "f3", "f4"])
def test_ctrl_q_quits_from_every_screen_of_a_game(key: str):
    game = gw.Bloxorz.level("level01")

    async def steps(pilot: Any) -> None:
        await pilot.pause()
        if key:
            await pilot.press(key)
            await pilot.pause()
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert not pilot.app.is_running

    drive(GridwrightApp(game), steps)


def test_the_verb_agrees_with_the_smallest_number_of_moves():
    record("bloxorz", "level01", 9, 1)
    record("bloxorz", "level02", 9, 5)

    async def steps(pilot: Any) -> None:
        await pilot.pause()
        shown = "\n".join(lines(pilot.app))
        assert "solved in 9 rolls (1 is possible)" in shown
        assert "solved in 9 rolls (5 are possible)" in shown

    drive(GridwrightApp(kind=gw.Bloxorz), steps)


def test_help_lists_the_keys_and_explains_the_symbols():
    game = gw.LightEmAll.generate(3, 4, hexagonal=True, seed=2)

    async def steps(pilot: Any) -> None:
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(pilot.app.screen, Help)
        text = str(pilot.app.screen.query_one(Static).render())
        for key, words in game.controls().keys.items():
            assert key in text
            assert words in text
        for line in ("F1, ?  help", "^Q  quit", "F2  levels", "backspace, ctrl+z, F7  undo", "^N  next level"):
            assert line in text
        assert "power station" in text
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, Play)
        assert pilot.app.screen.query_one(Board).has_focus

    drive(GridwrightApp(game), steps)


def test_a_new_puzzle_takes_a_typed_seed_and_undo_restores_the_old_puzzle():
    game = gw.LightEmAll.level("level01")
    before = game.text

    async def steps(pilot: Any) -> None:
        await pilot.press("f3")
        await pilot.pause()
        assert isinstance(pilot.app.screen, New)
        await pilot.press("7", "enter")
        await pilot.pause()
        assert pilot.app.screen.controls.seed == 7
        assert game.text != before
        await pilot.press("f7")
        assert game.text == before
        await pilot.press("f3")
        await pilot.pause()
        pilot.app.screen.query_one(Input).focus()
        await pilot.press("a", "enter")
        await pilot.pause()
        # The window stays open and shows an error message.
        assert isinstance(pilot.app.screen, New)
        assert "seed must be a whole number" in str(pilot.app.screen.query_one("#wrong", Label).render())
        assert game.text == before
        await pilot.press("backspace", "7", "enter")
        await pilot.pause()
        assert pilot.app.screen.controls.seed == 7

    drive(GridwrightApp(game), steps)


def test_a_setting_chosen_in_the_window_takes_effect():
    game = gw.LinearDomination.level("empty")

    async def steps(pilot: Any) -> None:
        await pilot.press("f4")
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, Settings)
        screen.query_one("#set-opponent", Select).value = "random"
        await pilot.pause()
        await pilot.click("#close")
        await pilot.pause()
        assert {one.name: one.value for one in pilot.app.screen.controls.settings}["opponent"] == "random"

    drive(GridwrightApp(game), steps)


def test_a_solution_can_be_played_and_stopped():
    game = gw.LightEmAll.level("level11")

    async def steps(pilot: Any) -> None:
        screen = pilot.app.screen
        await pilot.press("minus", "minus", "f6")
        assert screen.controls.solving
        await pilot.press("f6")
        assert not screen.controls.solving
        await pilot.press("f6", "end")
        assert game.is_solved
        assert not screen.controls.solving

    drive(GridwrightApp(game), steps)


@pytest.mark.parametrize("size", [(40, 16), (60, 24), (200, 60)])
def test_the_board_and_the_message_are_visible_at_small_and_large_sizes(size: tuple[int, int]):
    async def steps(pilot: Any) -> None:
        shown = lines(pilot.app)
        assert any(line.startswith("0 o o o") for line in shown), shown
        assert pilot.app.screen.has_class("narrow") == (size[0] < 76)
        assert pilot.app.screen.query_one("#message", Static).region.height > 0
        await pilot.resize_terminal(size[0] + 50, size[1])
        await pilot.pause()
        assert pilot.app.screen.has_class("narrow") == (size[0] + 50 < 76)

    drive(GridwrightApp(gw.Bloxorz.level("level01")), steps, size)


def test_a_large_board_scrolls_to_the_cursor():
    game = gw.GeeseSpotter.generate(40, 70, 300, seed=1)

    async def steps(pilot: Any) -> None:
        await pilot.press(*["down"] * 39, *["right"] * 69)
        await pilot.pause()
        board = pilot.app.screen.query_one(Board)
        x, y = board.place((39, 69))
        assert 0 <= x - board.scroll_offset.x < board.size.width
        assert 0 <= y - board.scroll_offset.y < board.size.height
        assert board.cell_at(x - board.scroll_offset.x, y - board.scroll_offset.y) == (39, 69)

    drive(GridwrightApp(game), steps, (80, 24))


def test_every_character_of_a_board_has_enough_contrast_in_both_themes(kind: Any):
    game = kind.level(kind.levels()[0])

    async def steps(pilot: Any) -> None:
        board = pilot.app.screen.query_one(Board)
        for _ in range(2):
            for strip in board._strips:
                for segment in strip:
                    if segment.text.strip() and segment.style and segment.style.color and segment.style.bgcolor:
                        pair = segment.style.color.name, segment.style.bgcolor.name
                        assert contrast(*pair) >= 4.49, (segment.text, pair)
            before = board.look
            await pilot.press("f10")
            await pilot.pause()
            assert board.look != before
            assert {board.look.name, before.name} == {DARK.name, LIGHT.name}

    drive(GridwrightApp(game), steps)


def test_a_large_board_scrolls_to_a_hint():
    game = gw.LightEmAll.level("level35")

    async def steps(pilot: Any) -> None:
        board = pilot.app.screen.query_one(Board)
        board.scroll_to(0, board.virtual_size.height, animate=False)
        await pilot.pause()
        assert board.scroll_offset.y > 0
        await pilot.press("f5")
        await pilot.pause()
        hinted = pilot.app.screen.controls.marks()["hint"]
        left, top = board.place(hinted[0])
        assert 0 <= left - board.scroll_offset.x < board.size.width
        assert 0 <= top - board.scroll_offset.y < board.size.height

    drive(GridwrightApp(game), steps, (80, 20))


def in_view(board: Board, cell: tuple[int, int]) -> bool:
    x, y = board.place(cell)
    left, top = board.scroll_offset
    return 0 <= x - left < board.size.width and 0 <= y - top < board.size.height


@pytest.mark.parametrize(
    "make", [lambda: gw.LightEmAll.level("level35"), lambda: gw.GeeseSpotter.generate(40, 40, 200, seed=3)]
)
def test_a_large_board_scrolls_to_a_hint_that_a_key_shows(make: Callable[[], Any]):
    async def steps(pilot: Any) -> None:
        board, controls = pilot.app.screen.query_one(Board), pilot.app.screen.controls
        for _ in range(2):
            board.scroll_to(0, board.virtual_size.height, animate=False)
            await pilot.pause()
            await pilot.press("h")
            await pilot.pause()
            assert in_view(board, controls.marks()["hint"][0])
            board.scroll_to(0, board.virtual_size.height, animate=False)
            await pilot.press("h")
            await pilot.pause()
            assert in_view(board, controls.place[0])

    drive(GridwrightApp(make()), steps, (80, 20))


@pytest.mark.parametrize(
    ("make", "size"),
    [(lambda: gw.Bloxorz.level("level02"), (40, 10)), (lambda: gw.Bloxorz.generate(12, 30, seed=3), (60, 14))],
)
def test_the_view_follows_the_block(make: Callable[[], Any], size: tuple[int, int]):
    game = make()
    names = {"l": "left", "u": "up", "r": "right", "d": "down", "s": "space"}

    async def steps(pilot: Any) -> None:
        board = pilot.app.screen.query_one(Board)
        keys = game.solve()[:20]
        assert in_view(board, tuple(game.block[0]))
        for key in keys:
            await pilot.press(names[key])
            await pilot.pause()
            assert in_view(board, tuple(game.block[0])), key
        for key in ["f7"] * len(keys) + ["f8"] * len(keys):
            await pilot.press(key)
            await pilot.pause()
            assert in_view(board, tuple(game.block[0])), key
        await pilot.press("f9")
        await pilot.resize_terminal(size[0] - 10, size[1] - 1)
        await pilot.pause()
        assert in_view(board, tuple(game.block[0]))

    drive(GridwrightApp(game), steps, size)


def test_the_view_follows_the_station_and_stays_if_nothing_has_moved():
    game = gw.LightEmAll.generate(30, 30, limited_radius=True, seed=5)

    async def steps(pilot: Any) -> None:
        board = pilot.app.screen.query_one(Board)
        board.show_cells([(20, 8)])
        await pilot.pause()
        assert not in_view(board, game.station)
        await pilot.press("left")  # the station is at the edge of the board
        await pilot.pause()
        assert not in_view(board, game.station)
        assert in_view(board, (20, 8))
        await pilot.press("right")
        await pilot.pause()
        assert game.station == (0, 1)
        assert in_view(board, game.station)

    drive(GridwrightApp(game), steps, (80, 24))


def test_end_plays_a_solution_to_its_end_on_a_board_that_scrolls():
    game = gw.LightEmAll.generate(40, 40, seed=1)

    async def steps(pilot: Any) -> None:
        await pilot.press("minus", "minus", "f6", "end")
        await pilot.pause()
        assert game.is_solved

    drive(GridwrightApp(game), steps)


@pytest.mark.parametrize("keys", [("f2", "home", "enter"), ("ctrl+n",)])
def test_a_new_puzzle_ends_a_click_that_began_on_the_old_one(keys: tuple[str, ...]):
    async def steps(pilot: Any) -> None:
        board = pilot.app.screen.query_one(Board)
        await pilot.mouse_down(Board, offset=board.place((15, 29)))
        await pilot.press(*keys)
        await pilot.pause()
        game = board.controls.game
        assert game.height < 15
        await drag_over(pilot, (4, 4))
        await pilot.mouse_up(Board, offset=board.place((0, 0)))
        await pilot.pause()
        assert board.controls.grabbed is None
        assert len(game.moves) == 0

    drive(GridwrightApp(gw.GeeseSpotter.level("expert")), steps, (140, 40))


@pytest.mark.parametrize("key", ["f1", "f3", "f4"])
def test_a_button_released_over_a_window_is_not_down(key: str):
    async def steps(pilot: Any) -> None:
        board = pilot.app.screen.query_one(Board)
        await pilot.mouse_down(Board, offset=board.place((1, 1)))
        await pilot.press(key)
        assert pilot.app.mouse_captured is None
        await pilot.press("escape")
        await pilot.hover(Board, offset=board.place((3, 2)))
        assert "preview" not in board.controls.marks()
        # A terminal may not report that a button was released outside.
        await pilot.mouse_down(Board, offset=board.place((1, 1)))
        await pilot.hover(Board, offset=board.place((3, 2)))
        assert "preview" not in board.controls.marks()

    drive(GridwrightApp(gw.LinearDomination.level("empty")), steps)


def test_a_long_message_can_be_read_in_a_small_terminal():
    async def steps(pilot: Any) -> None:
        screen = pilot.app.screen
        await pilot.press(*["f5"] * 7)
        await pilot.pause()
        last = screen.controls.message.split()[-1]
        words = screen.query_one("#words")
        assert not any(last in line for line in lines(pilot.app))
        words.scroll_end(animate=False)
        await pilot.pause()
        assert any(last in line for line in lines(pilot.app))
        await pilot.press("f1")
        assert screen.controls.message in str(pilot.app.screen.query_one(Static).render())
        await pilot.press("escape", "f5")
        await pilot.pause()
        assert words.scroll_offset.y == 0

    drive(GridwrightApp(gw.LightEmAll.level("level32")), steps, (60, 24))


def test_letters_work_with_caps_lock():
    game = gw.Bloxorz.level("level01")

    async def steps(pilot: Any) -> None:
        await pilot.press("R", "H")
        assert game.rolls == 1
        assert pilot.app.screen.controls.marks()["hint"]

    drive(GridwrightApp(game), steps)


def test_the_title_says_who_of_two_persons_has_won():
    game = gw.LinearDomination("2 9 1 1 1 2")
    controls = game.controls()
    controls.choose("opponent", "person")

    async def steps(pilot: Any) -> None:
        while not controls.over:
            game.play(*game.sample_legal(1))
            controls.look()
        await pilot.pause()
        assert controls.outcome in ("X wins", "O wins", "drawn")
        assert pilot.app.screen.sub_title == controls.outcome
        assert controls.outcome in controls.message

    drive(GridwrightApp(game), steps)


@pytest.mark.parametrize("width", [1, 4])
def test_lists_are_shown_in_very_narrow_terminals(width: int):
    async def steps(pilot: Any) -> None:
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, Levels)

    drive(GridwrightApp(), steps, (width, 24))


def test_the_footer_names_the_keys_and_can_be_clicked():
    game = gw.Bloxorz.level("level01")

    async def steps(pilot: Any) -> None:
        await pilot.press("right")
        footer = pilot.app.screen.query_one(Footer)
        row = lines(pilot.app)[footer.region.y]
        keys = "F1 Help ^Q Quit F2 Levels F3 New F4 Settings F5 Hint F6 Solve F7 Undo F9 Restart"
        assert " ".join(row.split()) == keys
        await pilot.click(offset=(row.index("Undo"), footer.region.y))
        await pilot.pause()
        assert len(game.moves) == 0

    drive(GridwrightApp(game), steps, (80, 24))


def test_a_small_terminal_shows_the_board(kind: Any):
    game = next(game for game in map(kind.level, kind.levels()) if game.height <= 8)

    async def steps(pilot: Any) -> None:
        await pilot.pause()
        board = pilot.app.screen.query_one(Board)
        assert board.size.height >= 7
        assert any(row.lstrip().startswith("F1 Help") for row in lines(pilot.app))

    drive(GridwrightApp(game), steps, (46, 14))


def test_the_list_of_levels_holds_the_puzzles_among_the_packaged_levels(kind: Any):
    async def steps(pilot: Any) -> None:
        await pilot.pause()
        names = {option.id for option in pilot.app.screen.query_one(OptionList).options}
        assert names
        controls = kind.level(kind.levels()[0]).controls()
        assert names == {level.name for level in controls.levels} <= set(kind.levels())

    drive(GridwrightApp(kind=kind), steps)


def test_cells_are_found_at_their_places_in_the_text(kind: Any):
    game = kind.level(kind.levels()[0])
    grid = text_grid(game)
    height, width = game.shape
    for row in range(height):
        for col in range(width):
            assert grid.at(*grid.place(row, col), game.shape) == (row, col)
    assert grid.at(grid.place(0, width)[0], grid.top, game.shape) is None
