"""The games in a terminal: an application with lists of games and levels, a board in color, mouse and keys.

Needs ``gridwright[play]``. The application knows no game: all that a player does goes through ``game.controls()``, all
that is drawn comes from ``gridwright.draw``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

try:
    from rich.segment import Segment
    from rich.style import Style
    from rich.text import Text
    from textual import events, on
    from textual.app import App, ComposeResult
    from textual.binding import Binding, BindingType
    from textual.containers import Horizontal, Vertical, VerticalScroll
    from textual.geometry import Region, Size
    from textual.message import Message
    from textual.screen import ModalScreen, Screen
    from textual.scroll_view import ScrollView
    from textual.strip import Strip
    from textual.widgets import Button, Footer, Header, Input, Label, OptionList, Select, Static
    from textual.widgets.option_list import Option
except ImportError:  # pragma: no cover
    raise ImportError("the terminal application needs textual: pip install 'gridwright[play]'") from None

from .. import GAMES
from ..controls import Controls
from ..draw import DARK, LIGHT, Theme, glyphs, ground, legend, text_grid
from ..draw.theme import contrast
from ..status import Status
from ..words import counted

__all__ = ["Board", "GridwrightApp", "run"]

Cell = tuple[int, int]

_SPEEDS = (1.0, 0.6, 0.3, 0.15, 0.05)
"""Seconds per move of a solution that is played."""

_NARROW = 76
"""Terminals of fewer columns have the panel below the board."""

_ENDS = {Status.WON: "won", Status.LOST: "lost", Status.DRAWN: "drawn", Status.OPEN: ""}


class Board(ScrollView, can_focus=True):
    """The board of a game: every cell is a place for the mouse and for the cursor."""

    DEFAULT_CSS = "Board { height: 1fr; width: 1fr; }"

    class Changed(Message):
        """Something on the board has changed."""

    def __init__(self, controls: Controls) -> None:
        super().__init__(id="board")
        self.controls = controls
        self._strips: list[Strip] = []
        self._pressed: Cell | None = None
        self._path: list[Cell] = []
        self._spread = 1
        self._margin = (0, 0)

    def on_mount(self) -> None:
        """Draws the board for the first time."""
        self.refresh_board()

    @property
    def look(self) -> Theme:
        """The theme of the game's colors that fits that of the application."""
        return DARK if self.app.current_theme.dark else LIGHT

    def refresh_board(self) -> None:
        """Draws the board anew."""
        game = self.controls.game
        grid = text_grid(game)
        # Cells of one sign are spread to two, because signs are twice as high as wide, or to four if they have labels.
        self._spread = 1 if grid.wide > 1 else 4 if self.controls.labels() else 2
        rulers = len(str(game.width - 1))
        self._margin = (len(str(game.height - 1)) + 1, rulers)
        self._strips = [*self._rulers(rulers), *self._rows()]
        wide = max((strip.cell_length for strip in self._strips), default=0)
        self.virtual_size = Size(wide, len(self._strips))
        self.refresh()

    def place(self, cell: Cell) -> tuple[int, int]:
        """Returns the column and line of a cell's sign within the board, numbers included."""
        x, y = text_grid(self.controls.game).place(*cell)
        return x * self._spread + self._margin[0], y + self._margin[1]

    def cell_at(self, x: int, y: int) -> Cell | None:
        """Returns the cell at a column and a line of the visible part, or ``None`` beside the cells."""
        left, top = self._margin
        across, down = x + self.scroll_offset.x - left, y + self.scroll_offset.y - top
        if across < 0 or down < 0:
            return None
        return text_grid(self.controls.game).at(across // self._spread, down, self.controls.game.shape)

    def render_line(self, y: int) -> Strip:
        """Renders a line of the visible part."""
        across, down = self.scroll_offset
        base = Style(color=self.look.ink, bgcolor=self.look.page)
        line = self._strips[down + y] if down + y < len(self._strips) else Strip([])
        return line.crop_extend(across, across + self.size.width, base).apply_style(Style())

    def _rulers(self, lines: int) -> list[Strip]:
        """The numbers of the columns, upright."""
        look, game = self.look, self.controls.game
        style = Style(color=look.muted, bgcolor=look.page)
        width = self._margin[0] + self.place((0, game.width - 1))[0] + 2
        found = []
        for line in range(lines):
            row = [" "] * width
            for col in range(game.width):
                digit = str(col).rjust(lines)[line]
                row[self.place((0, col))[0]] = digit
            found.append(Strip([Segment("".join(row).rstrip(), style)]))
        return found

    def _rows(self) -> list[Strip]:
        game, look, controls = self.controls.game, self.look, self.controls
        grid, roles = text_grid(game), ground(game)
        marks: dict[Cell, str] = {}
        # The kinds are in the order of their weight: the cursor is drawn over all others.
        for kind in ("linked", "preview", "because", "hint", "locked", "selected", "cursor"):
            marks.update(dict.fromkeys(controls.marks().get(kind, ()), kind))
        labels = controls.labels()
        numbers = {grid.place(row, 0)[1]: row for row in range(game.height)}
        margin = self._margin[0]
        found = []
        for y, line in enumerate(glyphs(game)):
            label = f"{numbers.get(y, ''):>{margin - 1}} "
            segments = [Segment(label, Style(color=look.muted, bgcolor=look.page))]
            x = 0
            for sign, role in line:
                cell = grid.at(x, y, game.shape)
                on_cell = cell is not None and (grid.wide <= 2 or grid.place(*cell) == (x, y))
                back = look.night if grid.wide > 2 else look.page
                mark = ""
                if cell is not None and on_cell:
                    back, mark = getattr(look, roles[cell[0]][cell[1]]), marks.get(cell, "")
                text = sign
                if cell in labels and self._spread == 4:
                    text = sign + labels[cell].removesuffix("%")
                text = text[: self._spread].ljust(self._spread) if self._spread > 1 else sign
                segments.append(Segment(text, self._style(getattr(look, role), back, mark)))
                x += len(sign) if self._spread == 1 else 1
            found.append(Strip(segments))
        return found

    def _style(self, color: str, back: str, mark: str) -> Style:
        """The style of a sign; every kind of mark has its own ground, the stronger ones bold or underlined too."""
        look = self.look
        back = {
            "cursor": look.glow,
            "selected": look.star_edge,
            "hint": look.star,
            "because": look.bridge,
            "preview": look.sure,
            "linked": look.fragile,
        }.get(mark, back)
        if contrast(color, back) < 4.5:
            color = look.letters_on(back)
        strong = mark in ("cursor", "selected", "hint")
        return Style(color=color, bgcolor=back, bold=strong or None, underline=mark in ("hint", "locked") or None)

    # The mouse.

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Starts a click or a drag."""
        self.focus()
        self._pressed = self.cell_at(event.x, event.y)
        self._path = [] if self._pressed is None else [self._pressed]
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Points at a cell, and gathers the cells of a drag."""
        cell = self.cell_at(event.x, event.y)
        if self._path and cell is not None and cell != self._path[-1]:
            self._path.append(cell)
        if self.controls.hover(cell):
            self.post_message(self.Changed())

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Ends a click or a drag."""
        self.release_mouse()
        cell, path, pressed = self.cell_at(event.x, event.y), self._path, self._pressed
        self._pressed, self._path = None, []
        if pressed is None:
            return
        if cell == pressed and len(path) < 2:
            second, third = event.button == 3 or event.shift, event.button == 2
            self.controls.click(cell, second, third=third)
            self.controls.cursor = cell
        elif len(path) > 1:
            self.controls.drag(path)
        self.post_message(self.Changed())

    def on_leave(self) -> None:
        """Points at no cell any more."""
        if self.controls.hover(None):
            self.post_message(self.Changed())

    def on_focus(self) -> None:
        """Lets the cursor appear."""
        self.controls.focus()
        self.post_message(self.Changed())

    def on_key(self, event: events.Key) -> None:
        """Passes a key to the game if the game has it."""
        name = {"question_mark": "?", "return": "enter"}.get(event.key, event.key)
        if self.controls.key(name):
            event.stop()
            event.prevent_default()
            self.post_message(self.Changed())
            if self.controls.cursor is not None:
                x, y = self.place(self.controls.cursor)
                self.scroll_to_region(Region(x - 2, y - 1, 6, 3), animate=False)


class _Dialog(ModalScreen[Any]):
    """A window over the board; Escape closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f1", "dismiss(None)", "Close")]


class Help(_Dialog):
    """How to play: mouse, keys and signs."""

    def __init__(self, controls: Controls) -> None:
        super().__init__()
        self.controls = controls

    def compose(self) -> ComposeResult:
        """Lists the keys of the game, those of the application, and the signs."""
        text = Text()
        text.append(f"{type(self.controls.game).__name__}\n", style="bold")
        text.append(self.controls.help() + "\n\n")
        groups: dict[str, list[str]] = {}
        for name, words in self.controls.keys.items():
            groups.setdefault(words, []).append(name)
        for words, names in groups.items():
            text.append(f"{', '.join(names)}", style="bold")
            text.append(f"  {words}\n")
        text.append("\nSigns\n", style="bold")
        for sign, words in _signs(self.controls):
            text.append(f"{sign:>4}", style="bold")
            text.append(f"  {words}\n")
        with Vertical(classes="window"):
            with VerticalScroll():
                yield Static(text)
            yield Button("Close", id="close", variant="primary")

    def on_button_pressed(self) -> None:
        """Closes the window."""
        self.dismiss(None)


class New(_Dialog):
    """Asks for the seed and the difficulty of a new puzzle."""

    def __init__(self, controls: Controls) -> None:
        super().__init__()
        self.controls = controls

    def compose(self) -> ComposeResult:
        """Shows the two questions."""
        with Vertical(classes="window small"):
            yield Label("A new puzzle of the same size")
            yield Input(placeholder="seed: a whole number, or nothing for any", id="seed")
            if self.controls.difficulties:
                choices = [(name, name) for name in self.controls.difficulties]
                yield Select(choices, prompt="any difficulty", id="difficulty")
            with Horizontal(classes="buttons"):
                yield Button("Make it", id="make", variant="primary")
                yield Button("Cancel", id="cancel")

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self._make()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Makes the puzzle or closes the window."""
        if event.button.id == "make":
            self._make()
        else:
            self.dismiss(None)

    def _make(self) -> None:
        grade = None
        if self.controls.difficulties:
            value = self.query_one("#difficulty", Select).value
            grade = str(value) if value in self.controls.difficulties else None
        self.dismiss((self.query_one("#seed", Input).value.strip() or None, grade))


class Settings(_Dialog):
    """What a player can choose beside the puzzle, such as the opponent."""

    def __init__(self, controls: Controls) -> None:
        super().__init__()
        self.controls = controls

    def compose(self) -> ComposeResult:
        """Shows a list per setting."""
        with Vertical(classes="window small"):
            settings = self.controls.settings
            yield Label("Settings" if settings else "This game has no settings.")
            for one in settings:
                yield Label(one.words)
                choices = [(choice, choice) for choice in one.choices]
                yield Select(choices, value=one.value, allow_blank=False, id=f"set-{one.name}")
            yield Button("Close", id="close", variant="primary")

    @on(Select.Changed)
    def _chosen(self, event: Select.Changed) -> None:
        name = (event.select.id or "").removeprefix("set-")
        known = {one.name: one for one in self.controls.settings}
        if name in known and known[name].value != event.value and event.value in known[name].choices:
            self.controls.choose(name, str(event.value))

    def on_button_pressed(self) -> None:
        """Closes the window."""
        self.dismiss(None)


def _signs(controls: Controls) -> list[tuple[str, str]]:
    """The signs of the board with their meanings."""
    return legend(controls.game) or [(entry.sign, entry.words) for entry in controls.legend()]


class Menu(Screen[None]):
    """The list of all games."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+q", "app.quit", "Quit")]

    def compose(self) -> ComposeResult:
        """Shows a line per game."""
        yield Header()
        options = []
        for name, kind in GAMES.items():
            summary = (kind.__doc__ or "").strip().splitlines()[0]
            text = Text.assemble((f"{kind.__name__}\n", "bold"), f"  {_abouts().get(name, summary)}")
            options.append(Option(text, id=name))
        yield OptionList(*options, id="games")
        yield Footer()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.app.push_screen(Levels(GAMES[event.option.id or ""]))


def _abouts() -> dict[str, str]:
    """What each game is about: the first sentence of its module, without its name."""
    import importlib

    found = {}
    for name in GAMES:
        lines = (importlib.import_module(f"gridwright.{name}").__doc__ or "").splitlines()
        found[name] = lines[0].partition(": ")[2] if lines else ""
    return found


class Levels(Screen[None]):
    """The packaged levels of a game, with grades and marks."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "app.pop_screen", "Back")]

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.kind = kind

    def compose(self) -> ComposeResult:
        """Shows a line per level: solved or not, name, grade, best result against the optimum."""
        yield Header()
        yield OptionList(id="levels")
        yield Footer()

    def on_screen_resume(self) -> None:
        """Shows what has been solved meanwhile."""
        first = self.kind.level(self.kind.levels()[0])
        controls = first.controls()
        levels = controls.levels
        self.title = (
            f"{self.kind.__name__}, {sum(one.solved for one in levels)} of {counted(len(levels), 'level')} solved"
        )
        chooser = self.query_one(OptionList)
        chosen = chooser.highlighted
        chooser.clear_options()
        for one in levels:
            result = ""
            if one.solved:
                unit = controls.COUNT
                result = "solved" if one.best is None else f"solved in {counted(one.best, unit)}"
                if one.best is not None and one.optimum is not None:
                    result += " (best possible)" if one.best <= one.optimum else f" ({one.optimum} are possible)"
            text = Text.assemble(
                ("✔ " if one.solved else "  "), (f"{one.name:<18}", "bold"), f"{one.grade:<11}{result}"
            )
            chooser.add_option(Option(text, id=one.name))
        chooser.highlighted = min(chosen or 0, len(levels) - 1)
        chooser.focus()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.app.push_screen(Play(self.kind.level(event.option.id)))


class Play(Screen[None]):
    """A game that is played."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark", "help", "Help", key_display="F1"),
        Binding("f2", "levels", "Levels"),
        Binding("f3", "new", "New"),
        Binding("f4", "settings", "Settings"),
        Binding("f5", "hint", "Hint"),
        Binding("f6", "solve", "Solve"),
        Binding("f7", "undo", "Undo"),
        Binding("f8", "redo", "Redo"),
        Binding("f9", "restart", "Restart"),
        Binding("ctrl+n", "next", "Next"),
        Binding("plus", "speed(1)", show=False),
        Binding("minus", "speed(-1)", show=False),
        Binding("end", "finish", show=False),
    ]

    def __init__(self, game: Any) -> None:
        super().__init__()
        self.controls: Controls = game.controls()
        self._speed = 2
        self._timer: Any = None

    def compose(self) -> ComposeResult:
        """Shows the board, the panel beside it, the message and the keys."""
        yield Header()
        with Horizontal(id="middle"):
            yield Board(self.controls)
            with VerticalScroll(id="panel", can_focus=False):
                yield Static(id="scores")
                yield Static(id="tip")
                yield Static(id="signs")
        yield Static(id="message")
        yield Footer()

    def on_mount(self) -> None:
        """Focuses the board."""
        self._unsubscribe = self.controls.subscribe(self.update_all)
        self.query_one(Board).focus()
        self.update_all()

    def on_unmount(self) -> None:
        """Ends the calls of the controls."""
        self._unsubscribe()

    def on_resize(self, event: events.Resize) -> None:
        """Puts the panel below the board if the terminal is narrow."""
        self.set_class(event.size.width < _NARROW, "narrow")

    @on(Board.Changed)
    def update_all(self) -> None:
        """Shows the position, the numbers and the message."""
        if not self.is_mounted:
            return
        controls = self.controls
        self.query_one(Board).refresh_board()
        self.title = controls.title
        end = _ENDS[controls.status]
        self.sub_title = end
        self.query_one("#scores", Static).update("\n".join(str(score) for score in controls.scores))
        self.query_one("#tip", Static).update(
            controls.tip or (controls.describe(controls.cursor) if controls.cursor else "")
        )
        signs = Text()
        for sign, words in _signs(controls):
            signs.append(f"{sign:>3}", style="bold")
            signs.append(f"  {words}\n")
        self.query_one("#signs", Static).update(signs)
        message = controls.message or controls.help()
        self.query_one("#message", Static).update(message)
        self.query_one("#message", Static).set_class(bool(controls.message), "said")

    def _do(self, what: str) -> None:
        getattr(self.controls, what)()
        self.update_all()

    def action_help(self) -> None:
        """Shows how to play."""
        self.app.push_screen(Help(self.controls))

    def action_levels(self) -> None:
        """Goes to the list of levels."""
        if any(isinstance(screen, Levels) for screen in self.app.screen_stack):
            self.app.pop_screen()
        else:
            self.app.switch_screen(Levels(type(self.controls.game)))

    def action_new(self) -> None:
        """Asks for a new puzzle and makes it."""

        def make(answer: tuple[str | None, str | None] | None) -> None:
            if answer is not None:
                self.controls.new(*answer)
                self.update_all()

        self.app.push_screen(New(self.controls), make)

    def action_settings(self) -> None:
        """Shows the settings."""
        self.app.push_screen(Settings(self.controls), lambda _: self.update_all())

    def action_hint(self) -> None:
        """Shows a hint; again, plays it."""
        self._do("hint")

    def action_undo(self) -> None:
        """Takes the last action back."""
        self._do("undo")

    def action_redo(self) -> None:
        """Does again what was taken back."""
        self._do("redo")

    def action_restart(self) -> None:
        """Goes back to the start of the puzzle."""
        self._do("restart")

    def action_next(self) -> None:
        """Goes to the next level."""
        self._do("next_level")

    def action_finish(self) -> None:
        """Plays a solution to its end at once."""
        self._do("finish")

    def action_speed(self, change: int) -> None:
        """Plays solutions faster or slower."""
        self._speed = min(max(self._speed + change, 0), len(_SPEEDS) - 1)
        if self._timer is not None:
            self._run()

    def action_solve(self) -> None:
        """Starts to play a solution, or stops."""
        self._do("solve")
        self._run()

    def _run(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self.controls.solving:
            self._timer = self.set_interval(_SPEEDS[self._speed], self._step)

    def _step(self) -> None:
        self.controls.step()
        if not self.controls.solving and self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.update_all()


class GridwrightApp(App[None]):
    """The application; ``game`` is played at once, ``kind`` lists the levels of one game, neither lists all games."""

    TITLE = "gridwright"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #middle { height: 1fr; }
    #panel { width: 36; padding: 0 1; border-left: solid $primary-muted; }
    .narrow #middle { layout: vertical; }
    .narrow #panel { width: 100%; height: 8; border-left: none; border-top: solid $primary-muted; }
    #tip { color: $text-muted; margin: 1 0; }
    #message { height: auto; max-height: 3; padding: 0 1; color: $text-muted; }
    #message.said { color: $text; text-style: bold; }
    _Dialog { align: center middle; }
    Help, New, Settings { align: center middle; }
    .window { width: 76; max-width: 95%; height: 80%; border: round $primary; background: $surface; padding: 1 2; }
    .window.small { height: auto; }
    .buttons { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", key_display="^Q"),
        Binding("f10", "theme", "Light/dark"),
    ]

    def __init__(self, game: Any = None, kind: Any = None) -> None:
        super().__init__()
        self._first = Menu() if game is None and kind is None else None
        self._screens: list[Screen[None]] = [Levels(kind)] if kind is not None else []
        self._game = game

    def on_mount(self) -> None:
        """Shows the first screen."""
        screens: Iterable[Screen[None]] = [self._first] if self._first else self._screens
        for screen in screens:
            self.push_screen(screen)
        if self._game is not None:
            self.push_screen(Play(self._game))

    def action_theme(self) -> None:
        """Changes between light and dark."""
        self.theme = "textual-light" if self.current_theme.dark else "textual-dark"
        for screen in self.screen_stack:
            for board in screen.query(Board):
                board.refresh_board()


def run(game: Any = None, kind: Any = None) -> int:
    """Runs the application until the player leaves, and returns the exit status 0.

    * ``game``: a game that is played at once.
    * ``kind``: the class of a game whose levels are listed; without both, all games are listed.
    """
    GridwrightApp(game, kind).run()
    return 0
