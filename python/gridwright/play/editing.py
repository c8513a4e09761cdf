"""The kernel's side of the editor: messages from a page change a draft, and the changes are sent back to the page.

`EditorBoard` needs no notebook: in a widget, it sends through the kernel's channel, and in a browser tab, through a
function of the tab.
"""

from __future__ import annotations

import math
import os
from typing import Any

from ..arguments import choice, instance, shown
from ..draw import Picture, picture, theme
from ..editor import Brush, Editor, Facts
from ..words import dimensions
from .marks import page_colors
from .page import PageView, Send, grouped, read_number, read_path

__all__ = ["EditorBoard"]

Cell = tuple[int, int]

_ICON = 26.0
"""The width of a cell in the palette, in pixels."""

_STEPS = {"left": (0, -1), "up": (-1, 0), "right": (0, 1), "down": (1, 0)}

_KEYS = {
    **{name: f"move the cursor {name}" for name in _STEPS},
    **{f"shift+{name}": f"draw while moving the cursor {name}" for name in _STEPS},
    "enter": "draw in the cell at the cursor",
    "space": "draw in the cell at the cursor",
    "delete": "clear the cell at the cursor",
    "backspace": "clear the cell at the cursor",
    "[": "select the previous brush",
    "]": "select the next brush",
    **{str(number): "select a brush by its number" for number in range(1, 10)},
    "t": "turn the piece at the cursor",
    "ctrl+z": "undo",
    "ctrl+y": "redo",
    "ctrl+shift+z": "redo",
    "escape": "cancel the unfinished wire",
    "?": "show or hide this list",
}


class EditorBoard(PageView):
    """One view of an editor for one page.

    * ``editor``: the editor, which holds the draft.
    * ``send``: a callable that sends each message, a dict, to the page.
    * ``size``: the width of a cell in pixels, 1 to 1000; by default that of ``picture``.
    * ``theme``: ``"light"`` or ``"dark"``; ``None`` (the default) follows the page.

    >>> import gridwright as gw
    >>> sent = []
    >>> board = EditorBoard(gw.Bloxorz("SooT").editor(), sent.append)
    >>> board.receive({"kind": "hello"})
    >>> board.receive({"kind": "facts", "seconds": 1})
    >>> sent[-1]["state"]["facts"]
    'Solvable in 2 rolls, exactly 1 way, trivial.'
    """

    def __init__(self, editor: Editor, send: Send, *, size: float | None = None, theme: str | None = None) -> None:
        instance("editor", editor, Editor)
        super().__init__(send, theme)
        self.editor = editor
        self._options: dict[str, Any] = {} if size is None else {"size": size}
        self._brush = min(1, len(editor.brushes) - 1)
        self._tail: Cell | None = None
        self._cursor: Cell | None = None
        self._last: Cell | None = None
        """The cell last drawn in, from which the keys start if there is no cursor."""
        self._message = self._news = ""
        self._saved: set[str] = set()
        self._live: Any = None
        """The draft that the beginning of a drag has made, until the drag ends; otherwise ``None``."""
        self._facts: tuple[str, Facts | None] = ("", None)
        self._icons: dict[bool, dict[str, list[str]]] = {}
        """Whether the cells are hexagons -> theme -> the icons of the palette."""
        self._draw(self._theme_name)  # raises for an invalid size here, before a page is involved

    @property
    def menu(self) -> dict[str, Any]:
        """What a page needs once, because it never changes: the palette, names, words and colors."""
        return {
            "game": self.editor.kind.__name__,
            "name": self.editor.kind.NAME,
            "brushes": [[brush.name, brush.words, not (brush.codes or brush.turns)] for brush in self.editor.brushes],
            "actions": [list(pair) for pair in self.editor.ACTIONS.items()],
            "square": self.editor.SQUARE,
            "keys": list(_KEYS),
            "words": grouped(_KEYS.items()),
            "help": "Click or drag to draw; right-click or long-press to clear. ? lists the keys.",
            "colors": {name: page_colors(name) for name in ("light", "dark")},
            "fixed": self._theme or "",
        }

    def _icon(self, brush: Brush, name: str) -> str:
        """Returns the icon of a brush as SVG text; ``name`` is the theme."""
        found = theme(name)
        drawn = Picture(_ICON, _ICON, found, title="", description="")
        if brush.codes:
            of_cell = picture(self.editor.sample(brush.codes[0]), theme=name, size=_ICON, **self.editor.LOOK)
            assert of_cell.cells is not None
            (x, y), wide = of_cell.cells.center(0, 0), _ICON * (1.18 if of_cell.cells.hexagonal else 1.0)
            drawn.begin(transform=f"translate({_ICON / 2 - x:.2f} {_ICON / 2 - y:.2f})")
            drawn.parts += of_cell.parts
            drawn.end()
            left = _ICON / 2 - wide / 2
            box = f"{left:.2f} {left:.2f} {wide:.2f} {wide:.2f}"
        elif brush.turns:
            look: dict[str, Any] = {"stroke": found.ink, "stroke_width": 2.5, "stroke_linecap": "round", "fill": "none"}
            drawn.path("M19 8A8 8 0 1 0 21 14M20 3V9H14", **look)
            box = f"0 0 {_ICON:.0f} {_ICON:.0f}"
        else:
            look = {"stroke": found.ink, "stroke_width": 2.5, "stroke_linecap": "round"}
            cut = brush.how == "cut"
            drawn.line(6, 20, 20, 6, **look, stroke_dasharray="3 5" if cut else None)
            for x, y in ((6, 20), (20, 6)):
                drawn.circle(x, y, 3.5, fill=found.page, stroke=found.ink, stroke_width=2)
            box = f"0 0 {_ICON:.0f} {_ICON:.0f}"
        inner = "".join(drawn.parts)
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{_ICON:.0f}" height="{_ICON:.0f}"'
        return f'{head} aria-hidden="true">{inner}</svg>'

    def refresh(self) -> None:
        """Sends what has changed since the last message."""
        self._update({})

    def receive(self, event: dict[str, Any]) -> None:
        """Handles a message from a page; an invalid one changes nothing and is answered with a sentence.

        * ``event``: the message, a dict whose ``kind`` names what happened.
        """
        if event.get("kind") != "facts":
            self._message = self._news = ""
        try:
            self._message = self._handle(event) or self._message
        finally:
            self._update({**self._heard})  # also after Ctrl-C, so that the page does not wait for an answer

    def _answer(self, event: dict[str, Any]) -> None:
        editor, kind = self.editor, event["kind"]
        if kind == "hello":
            self._live = None
            self._greet(event)
        elif kind == "theme":
            self._dark = bool(event["dark"])
        elif kind == "brush":
            self._take(read_number("index", event["index"], int))
        elif kind == "stroke":
            path = self._passed(read_path("path", event["path"]))
            self._follow(path, bool(event.get("second")), live=bool(event.get("live")))
        elif kind == "key":
            self._press(str(event["key"]))
        elif kind == "focus":
            self._look_at(self._cursor or self._last or (0, 0))
        elif kind in ("undo", "redo"):
            if not getattr(editor, kind)():
                self._message = f"There is nothing to {kind}."
        elif kind == "action":
            getattr(editor, choice("name", event["name"], editor.ACTIONS))()
        elif kind == "choose":
            editor.choose(str(event["name"]), str(event["value"]))
        elif kind == "resize":
            editor.resize(read_number("height", event["height"], int), read_number("width", event["width"], int))
        elif kind == "text":
            editor.read(str(event["text"]))
        elif kind == "facts":
            seconds = read_number("seconds", event["seconds"], float)
            # `facts` refuses NaN, which the minimum would replace.
            self._facts = (editor.text, editor.facts(seconds if math.isnan(seconds) else min(60.0, seconds)))
        elif kind == "save":
            self._save(str(event["name"]))
        elif kind == "play" and editor.problems:
            # A page that has not received the last change may ask to play a level that has a problem.
            self._message = str(editor.problems[0])
        elif kind in ("bye", "quiet"):
            return
        else:
            raise ValueError(f"kind must be the kind of a message to the editor, got {shown(kind)}")
        self._fit()

    def _fit(self) -> None:
        """Moves the cursor onto a smaller board; forgets the tail of a wire and the last cell if they were cut off."""
        height, width = self.editor.shape
        if self._cursor is not None:
            self._cursor = (min(self._cursor[0], height - 1), min(self._cursor[1], width - 1))
        self._tail, self._last = (
            cell if cell is not None and cell[0] < height and cell[1] < width else None
            for cell in (self._tail, self._last)
        )

    def _save(self, name: str) -> None:
        """Writes the level into the working directory; overwrites only files that this editor has saved."""
        if not name or name != os.path.basename(name) or name.startswith("."):
            raise ValueError(f"the file name must be a plain name, got {shown(name)}")
        if os.path.exists(name) and name not in self._saved:
            raise ValueError(f"the file name must be new, got {shown(name)}, which exists")
        try:
            self.editor.game.save(name)
        except OSError as error:
            raise ValueError(f"the file was not written: {error.strerror}") from None
        self._saved.add(name)
        self._message = f"Saved as {name}."

    # Input.

    def _take(self, index: int) -> None:
        brushes = self.editor.brushes
        self._brush, self._tail = index % len(brushes), None
        brush = brushes[self._brush]
        self._news = f"{brush.name}: {brush.words}"

    def _follow(self, cells: list[Cell], second: bool, *, live: bool) -> None:
        """Draws a click or a drag; a drag in progress (``live``) is retracted and drawn again with each message."""
        drawn, self._live = self._live, None
        # If something else has changed the draft since, what the drag has drawn stays as a change of its own.
        growing = drawn is self.editor._draft
        if growing:
            self.editor._retract()
        brush = self.editor.brushes[0] if second else self.editor.brushes[self._brush]
        if live and (len(cells) < 2 or not (brush.codes or brush.how)):
            return
        before = self.editor.steps
        try:
            self._stroke(cells, second)
        except ValueError:
            # What was drawn before the refused part of a drag stays.
            if growing:
                self.editor._change(drawn)
                self._live = drawn if live else None
            raise
        if live and self.editor.steps > before:
            self._live = self.editor._draft

    def _stroke(self, cells: list[Cell], second: bool) -> None:
        """Draws a click or a drag over cells; with ``second`` (right button, Shift or long press), clears them."""
        if not cells:
            return
        editor = self.editor
        brush = editor.brushes[0] if second else editor.brushes[self._brush]
        self._last = cells[-1]
        if self._cursor is not None:
            self._cursor = cells[-1]
        if brush.turns:
            editor.turn(cells[-1])
        elif not brush.codes:
            self._wire(cells, brush)
        elif brush.single:
            editor.put(cells[-1], brush.codes[0])
        elif len(cells) == 1:
            editor.press(cells[0], brush)
        else:
            editor.paint(cells, brush.codes[0])
        self._news = self._news or editor.describe(cells[-1])

    def _wire(self, cells: list[Cell], brush: Brush) -> None:
        if len(cells) > 1:
            self._tail, trail = None, self.editor.trail(cells)
            # A drag that comes back onto the board elsewhere may leave a trail of one cell.
            if len(trail) > 1:
                self.editor.connect(trail, brush.how)
        elif self._tail is None:
            self._tail = cells[0]
            self._message = "Now click the other end."
        elif self._tail == cells[0]:
            self._tail = None
        else:
            tail, self._tail = self._tail, None
            self.editor.connect([tail, cells[0]], brush.how)

    def _press(self, key: str) -> None:
        editor = self.editor
        at = self._cursor or self._last or (0, 0)
        found = self._cursor is not None or self._last is not None
        name = key.removeprefix("shift+")
        if name in _STEPS:
            height, width = editor.shape
            down, across = _STEPS[name]
            to = (min(max(at[0] + down, 0), height - 1), min(max(at[1] + across, 0), width - 1))
            if key != name and to != at:
                self._stroke([at, to], second=False)
            self._look_at(to if found else at)
        elif key in ("enter", "space"):
            self._stroke([at], second=False)
            self._cursor = at
        elif key in ("delete", "backspace"):
            self._stroke([at], second=True)
            self._cursor = at
        elif key in ("[", "]"):
            self._take(self._brush + (1 if key == "]" else -1))
        elif key in _KEYS and key.isdigit() and int(key) <= len(editor.brushes):
            self._take(int(key) - 1)
        elif key == "t":
            editor.turn(at)
            self._look_at(at)
        elif key == "ctrl+z":
            self._answer({"kind": "undo"})
        elif key in ("ctrl+y", "ctrl+shift+z"):
            self._answer({"kind": "redo"})
        elif key == "escape":
            self._tail = None

    def _look_at(self, cell: Cell) -> None:
        self._cursor = cell
        self._news = self.editor.describe(cell)

    def _passed(self, points: list[tuple[float, float]]) -> list[Cell]:
        """Returns the cells under a path of points ``(x, y)`` over the picture, without consecutive repeats."""
        cells = None if self._drawn is None else self._drawn.cells
        if cells is None or not points or not all(math.isfinite(x) and math.isfinite(y) for x, y in points):
            return []
        found: list[Cell] = []
        last = points[0]
        for point in points[:10_000]:
            # A fast drag skips cells, so the line between two points is sampled four times per cell.
            steps = min(1000, 1 + int(4 * math.dist(last, point) / cells.size))
            for k in range(1, steps + 1):
                x, y = (a + (b - a) * k / steps for a, b in zip(last, point, strict=True))
                at = cells.at(x, y)
                if at is not None and (not found or found[-1] != at):
                    found.append(at)
            last = point
        return found

    # Output.

    def _draw(self, theme: str | None) -> Picture:
        return picture(self.editor.sketch(), theme=theme, **self._options, **self.editor.LOOK)

    def _update(self, message: dict[str, Any]) -> None:
        text = self.editor.text
        self._count(text)
        drawn = self._draw(self._theme_name)
        self._show(message, drawn, self._layer(drawn), self._page_state(text, drawn))

    def _page_state(self, text: str, drawn: Picture) -> dict[str, Any]:
        editor = self.editor
        hexagonal = drawn.cells is not None and drawn.cells.hexagonal
        if hexagonal not in self._icons:
            self._icons[hexagonal] = {
                name: [self._icon(brush, name) for brush in editor.brushes] for name in ("light", "dark")
            }
        problems = editor.problems
        of, facts = self._facts
        known = facts is not None and of == text and not problems
        sentence = str(facts) if known else ""
        height, width = editor.shape
        return {
            "height": height,
            "width": width,
            "brush": self._brush,
            "icons": self._icons[hexagonal],
            "undo": editor.can_undo,
            "redo": editor.can_redo,
            "text": text,
            "problems": [str(problem) for problem in problems],
            "facts": f"{sentence[:1].upper()}{sentence[1:]}." if sentence else "",
            "complete": bool(problems) or (known and facts is not None and facts.complete),
            "wires": [f"{tail} {does}" for tail, _, does in editor.wires],
            "settings": [list(each) for each in editor.settings],
            "message": self._message,
            "news": self._news,
            "position": self.position,
            "words": f"Editor, {dimensions(height, width)}",
        }

    def _layer(self, drawn: Picture) -> str:
        """Returns what is drawn on top of the picture: wires, problems, the first end of a new wire, the cursor."""
        if drawn.cells is None:
            return ""
        out = Picture(drawn.width, drawn.height, drawn.theme, title="", description="")
        out.parts.clear()
        out.cells = drawn.cells
        size, found = drawn.cells.size, drawn.theme
        for tail, head, _ in self.editor.wires:
            _arrow(out, drawn.cells.center(*tail), drawn.cells.center(*head))
        for problem in self.editor.problems:
            for cell in problem.cells:
                out.polygon(out.outline(*cell, 0.05), fill="none", stroke=found.red, stroke_width=size * 0.1)
                x, y = out.outline(*cell, 0.2)[1]
                out.circle(x, y, size * 0.2, fill=found.red, stroke=found.page, stroke_width=size * 0.04)
                out.text(x, y, "!", size=size * 0.3, fill=found.letters_on(found.red), font_weight="bold")
        if self._tail is not None:
            out.polygon(out.outline(*self._tail, 0.04), fill="none", stroke=found.blue, stroke_width=size * 0.12)
        if self._cursor is not None:
            # Two rings of the same width: one of them stands out on any background.
            for inset, color in ((0.12, found.ink), (0.18, found.page)):
                ring = out.outline(*self._cursor, inset)
                out.polygon(ring, fill="none", stroke=color, stroke_width=size * 0.065, class_="cursor")
        return "".join(out.parts)


def _arrow(out: Picture, tail: tuple[float, float], head: tuple[float, float]) -> None:
    """Draws a wire from cell to cell on a wider line in the color of the page, so that it shows on any background."""
    assert out.cells is not None
    size = out.cells.size
    distance = math.dist(tail, head)
    if not distance:
        return
    dx, dy = (head[0] - tail[0]) / distance, (head[1] - tail[1]) / distance
    start = (tail[0] + dx * size * 0.36, tail[1] + dy * size * 0.36)
    end = (head[0] - dx * size * 0.3, head[1] - dy * size * 0.3)
    tip = size * 0.16
    wings = [(end[0] - tip * (dx - 0.6 * side * dy), end[1] - tip * (dy + 0.6 * side * dx)) for side in (1, -1)]
    for color, wide in ((out.theme.page, 0.12), (out.theme.purple, 0.06)):
        look: dict[str, Any] = {"stroke": color, "stroke_width": size * wide, "stroke_linecap": "round"}
        out.line(*start, *end, **look)
        for wing in wings:
            out.line(*end, *wing, **look)
