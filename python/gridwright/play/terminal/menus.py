"""The list of the games, and the list of the levels of one game."""

from __future__ import annotations

import importlib
from typing import Any, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Header, OptionList
from textual.widgets.option_list import Option

from ... import GAMES
from ...words import counted
from .play import Play

__all__ = ["Levels", "Menu"]


class Menu(Screen[None]):
    """The list of all games."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+q", "app.quit", "Quit")]

    def compose(self) -> ComposeResult:
        """Shows each game on two lines: its name, and what it is about."""
        yield Header()
        options = []
        for name, kind in GAMES.items():
            text = Text.assemble((f"{kind.__name__}\n", "bold"), f"  {_summary(name)}")
            options.append(Option(text, id=name))
        yield OptionList(*options, id="games")
        yield Footer()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.app.push_screen(Levels(GAMES[event.option.id or ""]))


def _summary(name: str) -> str:
    """Returns what a game is about: the first line of its module's docstring, after the colon."""
    lines = (importlib.import_module(f"gridwright.{name}").__doc__ or "").splitlines()
    return lines[0].partition(": ")[2] if lines else ""


class Levels(Screen[str | None]):
    """The list of the packaged levels of a game, with their grades and the player's results.

    * ``kind``: the class of the game.
    * ``over_game``: whether the list covers a game in progress, whose board then shows the chosen level. Otherwise (the
      default), the level gets a screen of its own.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Back"),
        Binding("f2", "app.games", "Games"),
    ]

    def __init__(self, kind: Any, over_game: bool = False) -> None:
        super().__init__()
        self.kind = kind
        self.over_game = over_game

    def compose(self) -> ComposeResult:
        """Shows an empty list, which `on_screen_resume` fills."""
        yield Header()
        yield OptionList(id="levels")
        yield Footer()

    def on_screen_resume(self) -> None:
        """Refills the list: levels may have been solved while another screen was shown.

        Each line shows whether the level is solved, its name and grade, and the best result compared with the optimum.
        """
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
                    possible = f"{one.optimum} {'is' if one.optimum == 1 else 'are'} possible"
                    result += " (best possible)" if one.best <= one.optimum else f" ({possible})"
            text = Text.assemble(
                ("✔ " if one.solved else "  "), (f"{one.name:<18}", "bold"), f"{one.grade:<11}{result}"
            )
            chooser.add_option(Option(text, id=one.name))
        chooser.highlighted = min(chosen or 0, len(levels) - 1)
        chooser.focus()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        if self.over_game:
            self.dismiss(event.option.id)
        else:
            self.app.push_screen(Play(self.kind.level(event.option.id)))
