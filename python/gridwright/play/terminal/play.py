"""The screen of a game: the board, the panel beside it, the message and the keys."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Header, Static

from ...controls import Controls
from .board import Board, symbols
from .dialogs import Help, New, Settings

__all__ = ["Play"]

_SPEEDS = (1.0, 0.6, 0.3, 0.15, 0.05)
"""Seconds per step while a solution is played, from slow to fast."""

_NARROW = 76
"""The number of columns below which the panel is placed under the board."""

_LOW = 18
"""The number of lines below which the title is left out, and the message and a panel under the board are shorter."""


class Play(Screen[None]):
    """The screen of one game.

    * ``game``: the game that is played, not a copy.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark", "help", "Help"),
        Binding("ctrl+q", "app.quit", "Quit"),
        Binding("f2", "app.levels", "Levels"),
        Binding("f3", "new", "New"),
        Binding("f4", "settings", "Settings"),
        Binding("f5", "hint", "Hint"),
        Binding("f6", "solve", "Solve"),
        Binding("f7", "undo", "Undo"),
        Binding("f8", "redo", "Redo", show=False),
        Binding("f9", "restart", "Restart"),
        Binding("ctrl+n", "next", "Next level", show=False),
        Binding("plus", "speed(1)", "Play solutions faster", show=False, key_display="+"),
        Binding("minus", "speed(-1)", "Play solutions slower", show=False, key_display="-"),
        # The board, which can be scrolled, has a binding of its own for this key.
        Binding("end", "finish", "Play a solution to its end", show=False, priority=True),
    ]

    def __init__(self, game: Any) -> None:
        super().__init__()
        self.controls: Controls = game.controls()
        self._speed = 2
        self._timer: Any = None
        self._sentence = ""

    def compose(self) -> ComposeResult:
        """Shows the board, the panel beside it, the message and the keys."""
        yield Header()
        with Horizontal(id="middle"):
            yield Board(self.controls)
            with VerticalScroll(id="panel", can_focus=False):
                yield Static(id="scores")
                yield Static(id="tip")
                yield Static(id="symbols")
        with VerticalScroll(id="words", can_focus=False):
            yield Static(id="message")
        footer = Footer()
        footer.compact = True
        yield footer

    def on_mount(self) -> None:
        """Subscribes to the controls and focuses the board."""
        self._unsubscribe = self.controls.subscribe(self.update_all)
        self.query_one(Board).focus()
        self.update_all()

    def on_unmount(self) -> None:
        """Unsubscribes from the controls."""
        self._unsubscribe()

    def on_screen_suspend(self) -> None:
        """Ends a click or a drag, because a screen above this one receives the release of the button."""
        for board in self.query(Board):
            board.let_go()

    def on_resize(self, event: events.Resize) -> None:
        """Puts the panel below the board in a narrow terminal, and saves lines for the board in a short one."""
        self.set_class(event.size.width < _NARROW, "narrow")
        self.set_class(event.size.height < _LOW, "low")

    @on(Board.Changed)
    def update_all(self) -> None:
        """Shows the position, the scores and the message."""
        if not self.is_mounted:
            return
        controls = self.controls
        self.query_one(Board).refresh_board()
        self.title = controls.title
        self.sub_title = controls.outcome
        self.query_one("#scores", Static).update("\n".join(str(score) for score in controls.scores))
        self.query_one("#tip", Static).update(
            controls.tip or (controls.describe(controls.cursor) if controls.cursor else "")
        )
        listed = Text()
        for symbol, words in symbols(controls):
            listed.append(f"{symbol:>3}", style="bold")
            listed.append(f"  {words}\n")
        self.query_one("#symbols", Static).update(listed)
        message = self.query_one("#message", Static)
        if self._sentence != (sentence := controls.message or controls.help()):
            self._sentence = sentence
            message.update(sentence)
            self.query_one("#words").scroll_home(animate=False)
        message.set_class(bool(controls.message), "filled")

    def start(self, name: str | None) -> None:
        """Puts a level on the board.

        * ``name``: the name of a packaged level, or ``None`` to keep the current puzzle.
        """
        if name is not None:
            self._do("level", name)

    def _do(self, what: str, *given: Any) -> None:
        getattr(self.controls, what)(*given)
        self.query_one(Board).follow()

    def action_help(self) -> None:
        """Shows how to play."""
        known = Binding.make_bindings((*self.BINDINGS, *self.app.BINDINGS))
        self.app.push_screen(Help(self.controls, {self.app.get_key_display(one): one.description for one in known}))

    def action_new(self) -> None:
        """Asks for the seed and the difficulty of a new puzzle, and makes it."""

        def make(answer: tuple[str | None, str | None] | None) -> None:
            if answer is not None:
                self._do("new", *answer)

        self.app.push_screen(New(self.controls), make)

    def action_settings(self) -> None:
        """Shows the settings."""
        self.app.push_screen(Settings(self.controls), lambda _: self.update_all())

    def action_hint(self) -> None:
        """Shows a hint, or plays the one that is shown; a large board scrolls to the cells of the hint."""
        self._do("hint")

    def action_undo(self) -> None:
        """Takes the last action back."""
        self._do("undo")

    def action_redo(self) -> None:
        """Repeats the action that was taken back last."""
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
        """Plays solutions faster or slower.

        * ``change``: 1 for the next faster speed, -1 for the next slower one.
        """
        self._speed = min(max(self._speed + change, 0), len(_SPEEDS) - 1)
        if self._timer is not None:
            self._run()

    def action_solve(self) -> None:
        """Starts playing a solution, or stops playing it."""
        self._do("solve")
        self._run()

    def _run(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self.controls.solving:
            self._timer = self.set_interval(_SPEEDS[self._speed], self._step)

    def _step(self) -> None:
        self._do("step")
        if not self.controls.solving and self._timer is not None:
            self._timer.stop()
            self._timer = None
