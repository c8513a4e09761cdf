"""The application: its first screen, the style of all screens, and the keys that work on each of them."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.theme import Theme

from ... import arguments
from ...draw import DARK, LIGHT
from ...draw import Theme as Roles
from .board import Board
from .menus import Levels, Menu
from .play import Play

__all__ = ["GridwrightApp", "run"]


def _theme(roles: Roles) -> Theme:
    """Returns a Textual theme for lists, windows and keys, with the colors of a theme for pictures."""
    marked = {"background": roles.glow, "foreground": roles.letters_on(roles.glow)}
    cursors = {f"block-cursor{kind}-{part}": color for kind in ("", "-blurred") for part, color in marked.items()}
    return Theme(
        name=f"gridwright-{roles.name}",
        dark=roles is DARK,
        primary=roles.blue,
        secondary=roles.purple,
        accent=roles.orange,
        success=roles.green,
        warning=roles.yellow,
        error=roles.red,
        foreground=roles.ink,
        background=roles.page,
        surface=roles.hollow,
        panel=roles.tile,
        variables={
            **cursors,
            "text-muted": roles.muted,
            "text-disabled": roles.muted,
            "foreground-muted": roles.muted,
            "button-color-foreground": roles.letters_on(roles.blue),
            "footer-foreground": roles.ink,
            "footer-background": roles.tile,
            "footer-key-foreground": roles.ink,
            "footer-description-foreground": roles.ink,
        },
    )


class GridwrightApp(App[None]):
    """The application, which opens with a game, with the levels of a game, or with the list of all games.

    * ``game``: a game that is played at once; ``None`` (the default) for none.
    * ``kind``: the class of a game whose levels are listed; ``None`` (the default) for none.
    """

    TITLE = "gridwright"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #middle { height: 1fr; }
    #panel { width: 36; padding: 0 1; border-left: solid $primary-muted; }
    .narrow #middle { layout: vertical; }
    .narrow #panel { width: 100%; height: 8; border-left: none; border-top: solid $primary-muted; }
    #tip { color: $text-muted; margin: 1 0; }
    .low Header { display: none; }
    .low.narrow #panel { height: 3; }
    #words { height: auto; max-height: 4; scrollbar-size-vertical: 1; }
    .low #words { max-height: 2; }
    #message { height: auto; padding: 0 1; color: $text-muted; }
    #message.filled { color: $text; text-style: bold; }
    OptionList { min-width: 10; }
    _Dialog { align: center middle; }
    Help, New, Settings { align: center middle; }
    .window { width: 76; max-width: 95%; height: 80%; border: round $primary; background: $surface; padding: 1 2; }
    .window.small { height: auto; }
    .buttons { height: auto; }
    Input > .input--placeholder, SelectCurrent Static#label { color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit"),
        Binding("f10", "theme", "Light/dark", show=False),
    ]

    def __init__(self, game: Any = None, kind: Any = None) -> None:
        if game is not None:
            arguments.game("game", game)
        if kind is not None:
            arguments.game_class("kind", kind)
        super().__init__()
        for roles in (DARK, LIGHT):
            self.register_theme(_theme(roles))
        self.theme = f"gridwright-{DARK.name}"
        # The list of games is always the lowest screen, to which the others lead back.
        self._screens: list[Screen[Any]] = [Menu()]
        if kind is not None:
            self._screens.append(Levels(kind))
        if game is not None:
            self._screens.append(Play(game))

    def get_key_display(self, binding: Binding) -> str:
        """Returns the name of a key as keyboards label it: ``F2``, ``Esc`` and ``^Q``, not ``f2``, ``esc`` and ``^q``.

        * ``binding``: the binding whose key is named.
        """
        return super().get_key_display(binding).title()

    def on_mount(self) -> None:
        """Shows the first screens, and lets signals end the application so that the terminal is restored."""
        for name in ("SIGTERM", "SIGHUP"):
            # Windows has no handlers for signals, and other threads than the first must not set any.
            with suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
                number = getattr(signal, name)
                asyncio.get_running_loop().add_signal_handler(number, partial(self.exit, return_code=128 + number))
        for screen in self._screens:
            self.push_screen(screen)

    def action_levels(self) -> None:
        """Shows the levels of the game on the board; Escape leads back to the game."""
        screen = self.screen
        if isinstance(screen, Play):
            self.push_screen(Levels(type(screen.controls.game), over_game=True), screen.start)

    def action_games(self) -> None:
        """Returns to the list of all games."""
        while not isinstance(self.screen, Menu):
            self.pop_screen()

    def action_theme(self) -> None:
        """Switches between light and dark."""
        self.theme = f"gridwright-{(LIGHT if self.current_theme.dark else DARK).name}"
        for screen in self.screen_stack:
            for board in screen.query(Board):
                board.refresh_board()


def run(game: Any = None, kind: Any = None) -> int:
    """Runs the application and returns the exit status: 0 if the player quit, 128 + n after signal n, 1 after an error.

    * ``game``: a game that is played at once; ``None`` (the default) for none.
    * ``kind``: the class of a game whose levels are listed; ``None`` (the default) for none.

    If both are ``None``, all games are listed.
    """
    app = GridwrightApp(game, kind)
    app.run()
    return app.return_code or 0
