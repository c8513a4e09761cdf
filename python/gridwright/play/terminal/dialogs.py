"""Dialogs over the board: help, a new puzzle, settings."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Select, Static

from ...arguments import seed_of
from ...controls import Controls
from .board import symbols

__all__ = ["Help", "New", "Settings"]


class _Dialog(ModalScreen[Any]):
    """A window over the board; Escape and F1 close it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1", "dismiss(None)", "Close"),
        Binding("ctrl+q", "app.quit", show=False),
    ]


class Help(_Dialog):
    """The help: mouse, keys and symbols.

    * ``controls``: the controls of the game.
    * ``bindings``: key of the application -> what it does.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "dismiss(None)", show=False)]

    def __init__(self, controls: Controls, bindings: dict[str, str]) -> None:
        super().__init__()
        self.controls = controls
        self.bindings = bindings

    def compose(self) -> ComposeResult:
        """Lists the keys of the game, those of the application, and the symbols."""
        text = Text()
        text.append(f"{type(self.controls.game).__name__}\n", style="bold")
        text.append(self.controls.help() + "\n\n")
        if self.controls.message:  # a long one does not fit below a small board
            text.append(self.controls.message + "\n\n", style="bold")
        groups: dict[str, list[str]] = {}
        for name, words in (*self.controls.keys.items(), *self.bindings.items()):
            groups.setdefault(words[0].lower() + words[1:], []).append(name)
        for words, names in groups.items():
            text.append(f"{', '.join(names)}", style="bold")
            text.append(f"  {words}\n")
        text.append("\nSymbols\n", style="bold")
        for symbol, words in symbols(self.controls):
            text.append(f"{symbol:>4}", style="bold")
            text.append(f"  {words}\n")
        with Vertical(classes="window"):
            with VerticalScroll():
                yield Static(text)
            yield Button("Close", id="close", variant="primary")

    def on_button_pressed(self) -> None:
        """Closes the window."""
        self.dismiss(None)


class New(_Dialog):
    """Asks for the seed and the difficulty of a new puzzle.

    * ``controls``: the controls of the game.
    """

    def __init__(self, controls: Controls) -> None:
        super().__init__()
        self.controls = controls

    def compose(self) -> ComposeResult:
        """Shows the boxes for the seed and, if the game has grades, the difficulty."""
        with Vertical(classes="window small"):
            yield Label("A new puzzle of the same size")
            yield Input(placeholder="seed: a whole number, or empty for a random seed", id="seed")
            yield Label(id="wrong")
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
        seed = self.query_one("#seed", Input).value.strip()
        if seed and seed_of(seed) is None:
            self.query_one("#wrong", Label).update("The seed must be a whole number from 0 to 2^64 - 1.")
            self.query_one("#seed", Input).focus()
            return
        grade = None
        if self.controls.difficulties:
            value = self.query_one("#difficulty", Select).value
            grade = str(value) if value in self.controls.difficulties else None
        self.dismiss((seed or None, grade))


class Settings(_Dialog):
    """What a player can choose apart from the puzzle, such as the opponent.

    * ``controls``: the controls of the game.
    """

    def __init__(self, controls: Controls) -> None:
        super().__init__()
        self.controls = controls

    def compose(self) -> ComposeResult:
        """Shows a list of choices for each setting."""
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
