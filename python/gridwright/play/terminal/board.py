"""The board in a terminal: characters in color, marks, row and column numbers, mouse and keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ...controls import Cell, Controls
from ...draw import DARK, LIGHT, Theme, glyphs, ground, legend, strokes, text_grid
from ...draw.theme import contrast

__all__ = ["Board", "symbols"]


_MARKS = ("linked", "because", "choices", "preview", "clash", "line", "hint", "locked", "selected", "cursor")
"""The kinds of marks; in a cell with several of them, the last one is drawn."""


class Board(ScrollView, can_focus=True):
    """The board of a game, played with mouse and keys.

    * ``controls``: the controls of the game.
    """

    DEFAULT_CSS = "Board { height: 1fr; width: 1fr; }"

    class Changed(Message):
        """Posted when something on the board has changed."""

    def __init__(self, controls: Controls) -> None:
        super().__init__(id="board")
        self.controls = controls
        self._strips: list[Strip] = []
        self._pressed: Cell | None = None
        self._path: list[Cell] = []
        self._puzzle: tuple[str, Cell] | None = None
        self._followed: list[Any] = []
        self._shown: tuple[tuple[Cell, ...], Offset] = (), Offset()
        self._grid = text_grid(controls.game)
        self._spread = 1
        self._margin = (0, 0)

    def on_mount(self) -> None:
        """Draws the board for the first time."""
        self.refresh_board()

    @property
    def look(self) -> Theme:
        """The colors of the board, dark or light like the theme of the application."""
        return DARK if self.app.current_theme.dark else LIGHT

    def refresh_board(self) -> None:
        """Redraws the board; a new puzzle ends a click or a drag that began on the old one."""
        game = self.controls.game
        if self._puzzle != (puzzle := (self.controls.title, game.shape)):
            self._puzzle, self._followed = puzzle, []
            self.let_go()
        self._grid = text_grid(game)
        # A cell of one character fills two columns (four with labels), because characters are twice as high as wide.
        self._spread = 1 if self._grid.wide > 1 else 4 if self.controls.labels() else 2
        rulers = len(str(game.width - 1))
        self._margin = (len(str(game.height - 1)) + 1, rulers)
        self._strips = [*self._rulers(rulers), *self._rows()]
        wide = max((strip.cell_length for strip in self._strips), default=0)
        self.virtual_size = Size(wide, len(self._strips))
        self.refresh()

    def place(self, cell: Cell) -> tuple[int, int]:
        """Returns the column and line of a cell's symbol on the drawn board, which includes row and column numbers."""
        x, y = self._grid.place(*cell)
        return x * self._spread + self._margin[0], y + self._margin[1]

    def cell_at(self, x: int, y: int) -> Cell | None:
        """Returns the cell at a column and a line of the visible part; ``None`` if no cell is at that place."""
        return self._grid.at(*self._in_text(x, y), self.controls.game.shape)

    def _in_text(self, x: int, y: int) -> tuple[int, int]:
        """Returns the column and the line, in the text of the board, of a place of the visible part."""
        left, top = self._margin
        return (x + self.scroll_offset.x - left) // self._spread, y + self.scroll_offset.y - top

    def show_cells(self, cells: Iterable[Cell]) -> None:
        """Scrolls until the given cells are visible, or the first of them if they are too far apart.

        * ``cells``: the cells, ``(row, col)``.
        """
        shown = tuple(cells)
        for cell in reversed(shown):
            x, y = self.place(cell)
            self.scroll_to_region(Region(x - 2, y - 1, 6, 3), animate=False, immediate=True)
        self._shown = shown, self.scroll_offset

    def follow(self) -> None:
        """Scrolls to what has changed since the last call or click: the hint, or else the last move, or the cursor."""
        if not self.size:
            return  # before the first layout
        now = self._watched()
        for (cells, count), seen in zip(now, self._followed or [None] * len(now), strict=True):
            if cells and (cells, count) != seen:
                self.show_cells(cells)
                break
        self._followed = now

    def _watched(self) -> list[Any]:
        """Returns the cells that `follow` may show, each group with a number that changes with each move there."""
        controls = self.controls
        cursor = () if controls.cursor is None else (controls.cursor,)
        hint = controls.marks().get("hint", ())
        return [(hint, 0), (controls.place, len(controls.game.moves)), (cursor, 0)]

    def on_resize(self) -> None:
        """Scrolls to what was shown last unless the player has scrolled since: a long message leaves fewer lines."""
        self.follow()
        cells, offset = self._shown
        if self.scroll_offset == offset:
            self.show_cells(cells)

    def render_line(self, y: int) -> Strip:
        """Renders a line of the visible part."""
        across, down = self.scroll_offset
        base = Style(color=self.look.ink, bgcolor=self.look.page)
        line = self._strips[down + y] if down + y < len(self._strips) else Strip([])
        return line.crop_extend(across, across + self.size.width, base).apply_style(Style())

    def _rulers(self, lines: int) -> list[Strip]:
        """Returns the numbers of the columns, each written from top to bottom."""
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
        grid, roles = self._grid, ground(game)
        marks: dict[Cell, str] = {}
        drawn = controls.marks()
        for kind in _MARKS:
            marks.update(dict.fromkeys(drawn.get(kind, ()), kind))
        labels, lines = controls.labels(), strokes(game)
        numbers = {grid.place(row, 0)[1]: row for row in range(game.height)}
        margin = self._margin[0]
        found = []
        for y, line in enumerate(glyphs(game)):
            label = f"{numbers.get(y, ''):>{margin - 1}} "
            segments = [Segment(label, Style(color=look.muted, bgcolor=look.page))]
            x = 0
            for symbol, role in line:
                cell = grid.at(x, y, game.shape)
                # A large cell, such as a hexagon, is marked only in its middle.
                middle = (x, y) if cell is None or grid.wide <= 2 else grid.place(*cell)
                on_cell = cell is not None and y == middle[1] and abs(x - middle[0]) <= 1
                back = look.night if grid.wide > 2 else look.page
                mark = ""
                if cell is not None and on_cell:
                    back, mark = getattr(look, roles[cell[0]][cell[1]]), marks.get(cell, "")
                text = symbol
                if cell in labels and self._spread == 4:
                    text = symbol + labels[cell]
                elif cell in lines and self._spread > 1:
                    text = symbol + lines[cell]
                text = text[: self._spread].ljust(self._spread) if self._spread > 1 else symbol
                # A symbol that fills its cell would hide the background, whose color shows the mark.
                shown = " " * len(text) if mark and text.strip() and not text.strip("█") else text
                segments.append(Segment(shown, self._style(getattr(look, role), back, mark)))
                x += len(symbol) if self._spread == 1 else 1
            found.append(Strip(segments))
        return found

    def _style(self, color: str, back: str, mark: str) -> Style:
        """Returns the style of a symbol: most marks have their own background, and some are bold or underlined."""
        look = self.look
        back = {
            "cursor": look.glow,
            "selected": look.star_edge,
            "hint": look.star,
            "because": look.bridge,
            "choices": look.hollow,
            "preview": look.sure,
            "clash": look.red,
            "line": look.star,
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

    def let_go(self) -> None:
        """Ends a click or a drag without a move."""
        self._pressed, self._path = None, []
        self.release_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Points at a cell, and collects the cells of a drag."""
        if event.button == 0 and self._pressed is not None:
            self.let_go()  # the button was released outside the terminal
        cell = self.cell_at(event.x, event.y)
        if self._path and cell is not None and cell != self._path[-1]:
            self._path.append(cell)
        if self.controls.hover(cell, self._pressed):
            self.post_message(self.Changed())

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Ends a click or a drag."""
        cell, path, pressed = self.cell_at(event.x, event.y), self._path, self._pressed
        self.let_go()
        if pressed is None:
            return
        if cell is None:
            path.append(self._grid.cell(*self._in_text(event.x, event.y)))
        elif cell != path[-1]:  # a terminal may report no move before the release
            path.append(cell)
        if cell == pressed and len(path) < 2:
            second, third = event.button == 3 or event.shift, event.button == 2
            self.controls.click(cell, second, third=third)
            self.controls.cursor = cell
        elif len(path) > 1:
            self.controls.drag(path)
        self._followed = self._watched()  # the mouse acts on what is in view
        self.post_message(self.Changed())

    def on_leave(self) -> None:
        """Stops pointing at a cell."""
        if self.controls.hover(None):
            self.post_message(self.Changed())

    def on_focus(self) -> None:
        """Shows the cursor."""
        self.controls.focus()
        self.follow()
        self.post_message(self.Changed())

    def on_key(self, event: events.Key) -> None:
        """Passes a key to the game; a key that the game does not use is left to the screen."""
        name = {"question_mark": "?", "return": "enter"}.get(event.key, event.key)
        if len(name) == 1:
            name = name.lower()  # Caps Lock may be on
        if self.controls.key(name):
            event.stop()
            event.prevent_default()
            self.follow()


def symbols(controls: Controls) -> list[tuple[str, str]]:
    """Returns the symbols of the board with their meanings.

    * ``controls``: the controls of the game.
    """
    found = legend(controls.game) or [(entry.symbol, entry.words) for entry in controls.legend()]
    return [*found, ("•→", "the last lines, from tail to head")] if strokes(controls.game) else found
