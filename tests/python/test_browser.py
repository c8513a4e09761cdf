"""Tests in a real browser: widgets that change the game in a JupyterLab kernel, and animations in pages."""

from __future__ import annotations

import os
import time
from pathlib import Path

import games
import gridwright as gw
import nbformat
import pytest
from browser import Lab, open_browser, open_lab, shown_width, value
from games import gestures
from gridwright.draw import picture
from gridwright.play.board import Board as PlayedBoard
from test_widget import random_moves

pytestmark = pytest.mark.filterwarnings("ignore")  # warnings from the tools that drive the browser

KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}


def write(path: Path, *sources: str) -> None:
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=KERNEL), path)


@pytest.fixture(scope="module")
def browser():
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with open_lab(tmp_path_factory.mktemp("lab")) as started:
        yield started


@pytest.fixture(scope="module")
def notebook(browser, lab):
    """Yields the page and the kernel of a notebook with a widget per game, and two widgets and an editor of a board."""
    shown = [
        f"games[{name!r}] = {first(name)}\nwidget = games[{name!r}].widget()\n"
        + "".join(f"widget.controls.choose({one!r}, {value!r})\n" for one, value in alone_of(name).items())
        + "widget"
        for name in gw.GAMES
    ]
    seen = [
        "games['seen'] = gw.Bloxorz.level('level01')\ngames['seen'].widget()",
        "games['seen'].play('r')",
        "games['seen'].widget(theme='dark')",
        "games['seen'].edit()",
    ]
    write(lab.folder / "notebook.ipynb", "import gridwright as gw\ngames = {}", *shown, *seen)
    page = lab.open(browser, "notebook.ipynb")
    errors = []
    page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
    lab.run_all(page)
    page.wait_for_function(f"document.querySelectorAll('.gridwright-widget').length === {len(gw.GAMES) + 2}")
    yield page, lab.kernel()
    # JupyterLab itself sometimes raises errors. The error of a widget names the blob URL of its script.
    assert not [error for error in errors if "blob:" in error]
    page.close()


def alone_of(name: str) -> dict[str, str]:
    """Returns the settings with which one person makes all moves of a game."""
    return getattr(games.of(name), "ALONE", {})


def first(name: str) -> str:
    """Returns a Python expression for the first level of a game."""
    kind = gw.GAMES[name]
    return f"gw.{kind.__name__}.level({kind.levels()[0]!r})"


@pytest.fixture
def shots(tmp_path):
    """Returns the folder for screenshots: the one that ``GRIDWRIGHT_SHOTS`` names, or else a temporary folder."""
    folder = Path(os.environ.get("GRIDWRIGHT_SHOTS", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


class Board:
    """The widget of a game in a notebook."""

    def __init__(self, page, index: int, kernel, name: str) -> None:
        self.page, self.kernel, self.name = page, kernel, name
        self.widget = page.locator(".gridwright-widget").nth(index)
        self.board = self.widget.locator("#board")
        self.board.scroll_into_view_if_needed()

    def click(self, game, cell, *, second: bool = False) -> None:
        drawn = PlayedBoard(game, lambda _: None).picture()
        x, y = drawn.cells.center(*cell)
        scale = shown_width(self.board) / drawn.width
        self.board.click(position={"x": x * scale, "y": y * scale}, button="right" if second else "left")

    def press(self, key: str) -> None:
        self.board.focus()
        self.page.keyboard.press(key)

    def button(self, name: str) -> None:
        self.widget.locator(f"#{name}").click()

    def wait(self, expression: str, expected: object) -> None:
        """Waits until an expression has the expected value in the kernel."""
        end = time.monotonic() + 20
        while (seen := value(self.kernel, expression)) != expected:
            assert time.monotonic() < end, f"{expression}: expected {expected}, got {seen}; {self.message()!r}"
            time.sleep(0.03)

    def moves(self, expected: list[list[int]]) -> None:
        """Waits until the kernel has the expected moves; the undo button must be enabled if and only if it has any."""
        self.wait(f"games[{self.name!r}].moves.tolist()", expected)
        part = self.widget.locator("#undo").element_handle()
        self.page.wait_for_function("([el, off]) => el.disabled === off", arg=[part, not expected])

    def shows(self, name: str, text: str) -> None:
        """Waits until a part of the widget shows the given text."""
        part = self.widget.locator(f"#{name}").element_handle()
        self.page.wait_for_function("([el, text]) => el.textContent === text", arg=[part, text])

    def message(self) -> str:
        return self.widget.locator("#message").text_content()


@pytest.mark.parametrize("name", list(gw.GAMES))
def test_a_game_is_played_with_clicks_and_keys(notebook, name, shots):
    page, kernel = notebook
    kind = gw.GAMES[name]
    game = kind.level(kind.levels()[0])
    board = Board(page, list(gw.GAMES).index(name), kernel, name)
    cells = page.locator(".jp-Notebook .jp-CodeCell").count()
    played: list[list[int]] = []
    times = []
    for move in random_moves(game, 3):
        began = time.perf_counter()
        for what, target, *second in gestures(game, move):
            if what == "key":
                board.press("Space" if target == "space" else f"Arrow{target.capitalize()}")
            else:
                board.click(game, target, second=second[0])
        game.play(*move)
        played.append(move)
        board.moves(played)
        assert page.locator(".lm-Menu").count() == 0  # a right click does not open a menu of JupyterLab
        times.append(round(1000 * (time.perf_counter() - began)))
    print(f"{name}: ms per move until the page and the kernel agree:", times)
    assert value(kernel, f"games[{name!r}].board.tolist()") == game.board.tolist()
    assert value(kernel, f"games[{name!r}].text") == game.text
    board.widget.screenshot(path=shots / f"widget_{name}.png")

    board.button("undo")
    board.moves(played[:-1])
    board.press("Control+y")
    board.moves(played)
    board.button("restart")
    board.wait(f"len(games[{name!r}].moves)", 0)
    # JupyterLab's one-letter shortcuts, which cut, delete or add cells, have no effect while the board has the focus.
    for key in ("d", "d", "x", "a", "b", "z"):
        board.press(key)
    board.button("restart")
    board.wait(f"len(games[{name!r}].moves)", 0)
    assert page.locator(".jp-Notebook .jp-CodeCell").count() == cells

    last = game.controls().levels[-1].name
    board.widget.locator("#level").select_option(last)
    board.wait(f"games[{name!r}].text", kind.level(last).text)


def test_all_widgets_of_a_game_and_the_cells_share_one_state(notebook, shots):
    page, kernel = notebook
    board, twin = (Board(page, len(gw.GAMES) + k, kernel, "seen") for k in (0, 1))
    board.moves([[2]])  # the widget shows the move that a later cell played
    board.press("ArrowDown")
    twin.shows("numbers", "rolls 2 · falls 0 · par 7")
    twin.press("ArrowUp")
    board.shows("numbers", "rolls 3 · falls 0 · par 7")
    assert value(kernel, "games['seen'].moves.ravel().tolist()") == [2, 3, 1]
    board.button("restart")
    board.button("solve")
    twin.button("finish")
    board.wait("int(games['seen'].status)", 1)
    board.shows("message", "You won in 7 rolls. Enter starts level02.")
    board.widget.screenshot(path=shots / "solved.png")
    # The pictures that replace the widgets and the editor in pages without a kernel are hidden.
    page.locator(".gridwright-editor #palette button").first.wait_for()
    assert page.locator("[data-gridwright-still]:visible").count() == 0


def test_the_view_changes_to_three_dimensions_and_back(notebook, shots):
    page, kernel = notebook
    board = Board(page, len(gw.GAMES), kernel, "seen")
    board.button("restart")
    named = "([el, name]) => el.shadowRoot.querySelector('#board svg').innerHTML.includes(name)"
    host = board.widget.element_handle()
    page.wait_for_function(named, arg=[host, "Bloxorz, 6 rows"])
    board.button("view")
    page.wait_for_function(named, arg=[host, "in three dimensions"])
    board.shows("view", "View: 3d")
    board.press("ArrowRight")
    board.wait("games['seen'].moves.tolist()", [[2]])
    board.widget.screenshot(path=shots / "turned.png")
    board.press("v")
    page.wait_for_function(named, arg=[host, "Bloxorz, 6 rows"])
    assert not Board(page, list(gw.GAMES).index("photon"), kernel, "photon").widget.locator("#view").is_visible()


def test_jupyterlab_commands_work_while_the_board_has_the_focus(notebook, lab):
    page, kernel = notebook
    board = Board(page, len(gw.GAMES), kernel, "seen")
    page.evaluate("window.jupyterapp.shell.currentWidget.context.model.setMetadata('touched', Date.now())")
    page.wait_for_function("window.jupyterapp.shell.currentWidget.context.model.dirty")
    board.press("Control+s")
    page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")


def test_a_dark_page_has_dark_boards(notebook, shots):
    page, _ = notebook
    for theme, expected in (("JupyterLab Dark", gw.draw.DARK.page), ("JupyterLab Light", gw.draw.LIGHT.page)):
        page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
        page.wait_for_function(
            "page => [...document.querySelectorAll('.gridwright-widget')].slice(0, -1).every(widget =>"
            " widget.shadowRoot.querySelector('#board rect').getAttribute('fill') === page)",
            arg=expected,
        )
        page.locator(".gridwright-widget").first.screenshot(path=shots / f"{theme.split()[1].lower()}.png")


def test_a_widget_reports_a_restart_of_its_kernel(browser, lab, shots):
    write(lab.folder / "restart.ipynb", "import gridwright as gw\ngw.Bloxorz.level('level01').widget()")
    page = lab.open(browser, "restart.ipynb")
    lab.run_all(page)
    host = page.locator(".gridwright-widget")
    host.locator("#board svg").wait_for()
    assert not host.locator("#absent").is_visible()
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    lab.idle(page)
    host.locator("#board").focus()
    page.keyboard.press("ArrowRight")
    host.locator("#absent").wait_for(state="visible")
    assert "restarted" in host.locator("#absent").text_content()
    page.screenshot(path=shots / "restarted.png")
    lab.run_all(page)
    page.locator(".gridwright-widget #board svg").wait_for()
    page.close()


def test_a_level_is_drawn_in_a_notebook_and_played_there(browser, lab, shots):
    source = "import gridwright as gw\nwidget = gw.Bloxorz.blank(2, 5).edit()\nwidget"
    write(lab.folder / "edit.ipynb", source, "1 + 1")
    page = lab.open(browser, "edit.ipynb")
    lab.run_all(page)
    kernel = lab.kernel()
    host = page.locator(".gridwright-editor")
    board = host.locator("#all #board")
    board.locator("svg").wait_for()
    cells = page.locator(".jp-Notebook .jp-CodeCell").count()

    def wait(rows: list[str]) -> None:
        end = time.monotonic() + 20
        while (seen := value(kernel, "widget.editor.rows")) != rows:
            assert time.monotonic() < end, seen
            time.sleep(0.03)

    drawn = picture(gw.Bloxorz.blank(2, 5).editor().sketch(), legend=False)
    host.locator("#palette [data-brush='tile']").click()
    (x, y), (to_x, to_y) = drawn.cells.center(0, 1), drawn.cells.center(0, 4)
    box = board.locator("svg").bounding_box()
    page.mouse.move(box["x"] + x, box["y"] + y)
    page.mouse.down()
    page.mouse.move(box["x"] + to_x, box["y"] + to_y, steps=5)
    page.mouse.up()
    wait(["Soooo", "----T"])
    # The last three keys act in the editor. No key triggers JupyterLab's shortcuts, which cut, delete or add cells.
    for key in ("d", "d", "x", "a", "b", "5", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    wait(["SooTo", "----o"])
    host.locator("#facts", has_text="Solvable in 2 rolls, exactly 1 way, trivial.").wait_for()
    assert page.locator(".jp-Notebook .jp-CodeCell").count() == cells
    host.screenshot(path=shots / "editor.png")
    host.locator("#save").click()
    host.locator("#message", has_text="Saved as bloxorz.txt.").wait_for()
    assert (lab.folder / "bloxorz.txt").read_text() == "SooTo\n----o\n"
    host.locator("#play").click()
    player = host.locator(".gridwright-widget #board")
    player.locator("svg").wait_for()
    player.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    host.locator(".gridwright-widget #message", has_text="You won in 2 rolls").wait_for()
    host.locator("#leave").click()
    board.locator("svg").wait_for()
    assert value(kernel, "widget.editor.game.text") == "SooTo\n----o\n"
    page.close()


def at(page, frame: int) -> None:
    """Waits until an animation shows the given frame."""
    page.wait_for_function("n => +document.querySelector('.gridwright-animation > div').dataset.frame === n", arg=frame)


def check_player(page, frames: int) -> None:
    """Checks the controls of an animation's player: the buttons, the slider and the menu of speeds."""
    player = page.locator(".gridwright-animation > div")
    player.wait_for(timeout=20_000)
    # The animation starts without a click.
    page.wait_for_function("document.querySelector('.gridwright-animation > div').dataset.frame > 0")
    player.locator("#first").click()
    at(page, 0)
    player.locator("#next").click()
    player.locator("#next").click()
    at(page, 2)
    player.locator("#back").click()
    at(page, 1)
    shown = player.locator("svg.film .caption:visible")
    assert shown.count() == 1
    assert shown.text_content().startswith(f"1 of {frames - 1}")
    player.locator("#at").fill(str(frames - 1))
    at(page, frames - 1)
    player.locator("#first").click()
    player.locator("#speed").select_option("8")
    player.locator("#play").click()
    at(page, frames - 1)


def test_an_exported_animation_plays_without_a_kernel(browser, tmp_path, shots):
    game = gw.Bloxorz.level("level24")
    film = game.animate(game.solve())
    film.save(tmp_path / "film.html")
    page = browser.new_page(viewport={"width": 800, "height": 700})
    errors = []
    page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
    page.goto((tmp_path / "film.html").as_uri())
    check_player(page, len(film))
    page.screenshot(path=shots / "film.png")
    assert not errors
    page.close()
    # If scripts are disabled, the page shows a picture that moves by itself.
    context = browser.new_context(java_script_enabled=False)
    still = context.new_page()
    still.goto((tmp_path / "film.html").as_uri())
    early = still.locator("img").screenshot()
    end = time.monotonic() + 10
    while still.locator("img").screenshot() == early:
        assert time.monotonic() < end
        time.sleep(0.1)
    assert still.locator("img").get_attribute("alt").startswith("Bloxorz")
    context.close()


def test_exported_and_untrusted_notebooks_show_animations(browser, lab: Lab, shots):
    from nbclient import NotebookClient
    from nbconvert import HTMLExporter

    notebook = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(
                "import gridwright as gw\ngame = gw.Bloxorz.level('level01')\ngame.animate('rrdrrrd')"
            ),
            nbformat.v4.new_code_cell("game.widget()"),
            nbformat.v4.new_code_cell("game.edit()"),
        ],
        metadata=KERNEL,
    )
    NotebookClient(notebook, timeout=60).execute()
    page = browser.new_page(viewport={"width": 1000, "height": 900})
    (lab.folder / "export.html").write_text(HTMLExporter().from_notebook_node(notebook)[0], encoding="utf-8")
    page.goto((lab.folder / "export.html").as_uri(), wait_until="domcontentloaded")
    # Without a kernel, pictures replace the widget and the editor, and no plain text repeats them.
    assert [still.is_visible() for still in page.locator("[data-gridwright-still] img").all()] == [True, True]
    assert page.locator("pre:has-text('o o o')").count() == 0
    assert page.locator("pre:has-text('ooo')").count() == 0
    check_player(page, 8)
    page.screenshot(path=shots / "export.png")
    page.close()
    # JupyterLab does not run the scripts of a notebook that it does not trust. The picture of the animation is shown
    # nevertheless, and it moves by itself.
    nbformat.write(notebook, lab.folder / "shared.ipynb")
    page = lab.open(browser, "shared.ipynb")
    pictures = page.locator(".jp-OutputArea img[src^='data:image/svg']")
    pictures.first.wait_for()
    assert page.locator(".gridwright-animation > div").count() == 0
    early = pictures.first.screenshot()
    end = time.monotonic() + 10
    while pictures.first.screenshot() == early:
        assert time.monotonic() < end
        time.sleep(0.1)
    page.screenshot(path=shots / "untrusted.png")
    page.close()
