"""The playable board of a notebook: one widget for all games; needs ``gridwright[notebook]``.

What a game does not say itself follows from its moves: of two cells the first is chosen and the second played, of a
kind and a cell a click is kind 0 and a click with the other button, with Shift, or held long, kind 1. A game says more
by ``KEYS`` and by the members ``_click``, ``_key``, ``_next_move``, ``_new``, ``SECOND`` and ``CLICKS`` (``game.py``).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from weakref import WeakSet

try:
    import anywidget
    import traitlets
except ImportError:  # pragma: no cover
    raise ImportError("the widget needs anywidget: pip install 'gridwright[notebook]'") from None

from .draw import picture
from .errors import LevelError, MoveError, SearchLimitError
from .status import Status

__all__ = ["GameWidget"]

_ARROWS = {"ArrowLeft": "left", "ArrowUp": "up", "ArrowRight": "right", "ArrowDown": "down"}
_STEPS = {"left": (0, -1), "up": (-1, 0), "right": (0, 1), "down": (1, 0)}
_ENDS = {Status.WON: "You won!", Status.LOST: "You lost.", Status.DRAWN: "Drawn."}
_ERRORS = (MoveError, LevelError, SearchLimitError, ValueError, TypeError, OverflowError)
_PATIENCE = 2.0
"""Seconds that a hint may take: the kernel can do nothing else meanwhile."""

_open: WeakSet[GameWidget] = WeakSet()


class GameWidget(anywidget.AnyWidget):
    """A game to be clicked: the board, undo, redo, restart, hint, solve, levels and seeds.

    ``.game`` is the game itself, the very object whose ``.widget()`` was called: ``game.board`` in the next cell is
    what was played, and what a cell plays is seen here when the cell is done (without IPython: after ``.refresh()``).

    >>> import gridwright as gw
    >>> game = gw.Bloxorz.level("level01")
    >>> widget = game.widget()
    >>> widget.press("right")
    >>> game.moves.tolist(), widget.state["moves"]
    ([[2]], 1)
    """

    _esm = Path(__file__).parent / "widget.js"

    picture = traitlets.Unicode(help="the board as SVG text").tag(sync=True)
    state = traitlets.Dict(help="all that is shown beside the board").tag(sync=True)
    menu = traitlets.Dict(help="what can be chosen").tag(sync=True)
    seen = traitlets.Int(
        help="the position that the page shows, counted: marimo runs cells when a page changes a value"
    ).tag(sync=True)

    def __init__(
        self, game: Any, *, size: float | None = None, theme: str | None = None, view: str | None = None
    ) -> None:
        super().__init__()
        self.game = game
        if view is not None and view not in game.VIEWS:
            raise ValueError(f"view {view!r}, wanted one of {', '.join(game.VIEWS) or 'no view'}")
        self._view = view or next(iter(game.VIEWS), "")
        self._options: dict[str, Any] = {} if size is None else {"size": size}
        self._theme = theme
        self._dark = False
        self._message = ""
        self._chosen: tuple[int, int] | None = None
        self._cursor: tuple[int, int] | None = None
        self._queue: list[tuple[int, ...]] | None = None
        self._step = 0
        self._level = ""
        self._seed: int | None = None
        self._clock = 0.0
        self._since: float | None = None
        self._seen: Any = None
        self._position = 0
        self._drawn: Any = None
        self._answering = False
        kind = type(game)
        self.menu = {
            "game": kind.__name__,
            "levels": list(kind.levels()),
            "seeds": kind._can_make_new(),
            "second": kind.SECOND,
            "views": list(kind.VIEWS),
            "hints": game._can_hint(),
            "solves": game._can_solve(),
            "help": _help(game),
        }
        self.refresh()
        self.on_msg(self._on_message)
        _open.add(self)
        _watch_cells()

    def refresh(self) -> None:
        """Draws the game as it now stands, whoever played."""
        if self._answering:
            return
        game = self.game
        mark = self._mark()
        if mark != self._seen:
            self._seen, self._position = mark, self._position + 1
        theme = self._theme or ("dark" if self._dark else "light")
        view: dict[str, Any] = {"view": self._view} if self._view else {}
        drawn = self._drawn = picture(game, theme=theme, **view, **self._options)
        if drawn.cells is not None:
            thick = drawn.cells.size * 0.08
            for cell, colour, dash in (
                (self._chosen, drawn.theme.blue, None),
                (self._cursor, drawn.theme.ink, thick * 2),
            ):
                if cell is not None:
                    mark = {"fill": "none", "stroke": colour, "stroke_width": thick, "stroke_dasharray": dash}
                    drawn.polygon(drawn.outline(*cell, 0.04), **mark)
        status = game.status
        if status != Status.OPEN:
            self._stop_clock()
            self._queue = None
        state = {
            "status": status.name,
            "message": self._message or _ENDS.get(status, ""),
            "moves": len(game.moves),
            "undo": len(game.moves) > 0,
            "redo": len(game.undone) > 0,
            "scores": game._scores(),
            "seconds": self._seconds(),
            "running": self._since is not None,
            "solving": self._queue is not None,
            "step": self._step,
            "position": self._position,
            "view": self._view,
            "level": self._level,
            "seed": self._seed,
            "words": f"{drawn.title}. {drawn.description}",
        }
        # In one message: a page never shows a picture beside the numbers of another.
        with self.hold_sync():
            self.picture, self.state = drawn.render(), state

    # What a player can do; each is a button, a key or a gesture.

    def click(self, cell: tuple[int, int], *, second: bool = False) -> None:
        """Clicks a cell; ``second`` is the other button."""
        row, col = cell
        move, self._chosen = self.game._click((row, col), self._chosen, second)
        self._queue = None
        if move is not None:
            self._play(move)

    def press(self, key: str) -> None:
        """Presses a key of the game, such as ``"right"``."""
        move = self.game._key(key)
        if move is None:
            raise MoveError(f"no key {key!r}, wanted {_keys(self.game) or 'a click'}")
        self._queue = None
        self._play(move)

    def undo(self) -> None:
        """Takes the last move back."""
        self._back("undo")

    def redo(self) -> None:
        """Plays a move that was taken back."""
        self._back("redo")

    def restart(self) -> None:
        """Goes back to the start, with the clock at zero; ``redo`` brings the moves back."""
        self._fresh()
        self.game.reset()
        self.refresh()

    def hint(self) -> None:
        """Plays the next move of a solution."""
        self._queue = None
        move = self.game._next_move(progress=_patience())
        if move is None:
            raise MoveError("no solution from here: undo or restart")
        self._play(move)

    def solve(self) -> None:
        """Begins to play a solution, a move at each ``next``; once more, and it stops."""
        if self._queue is not None:
            self._queue = None
        else:
            self._queue = self.game._all_moves(progress=_patience())
            if self._queue is None:
                raise MoveError("no solution from here: undo or restart")
            self._step = 0
        self.refresh()

    def next(self) -> None:
        """Plays one move of the solution that ``solve`` began."""
        if self._queue is None:
            return
        self._step += 1
        move = self._queue.pop(0) if self._queue else self.game._next_move(progress=_patience())
        queue = self._queue
        if move is None or self.game.status != Status.OPEN:
            self._queue = None
            self.refresh()
            return
        self._play(move)
        self._queue = queue if self.game.status == Status.OPEN else None
        self.refresh()

    def turn(self) -> None:
        """Shows the next of the game's views, such as the one in three dimensions."""
        views = self.game.VIEWS
        if not views:
            raise MoveError(f"{type(self.game).__name__} has one view, wanted a game that has several")
        self._view = views[(views.index(self._view) + 1) % len(views)]
        self.refresh()

    def level(self, name: str) -> None:
        """Starts a packaged level, in the same game object."""
        self._become(type(self.game).level(name))
        self._level, self._seed = name, None
        self.refresh()

    def new(self, seed: int | None = None) -> None:
        """Starts a new puzzle of the same kind and size, in the same game object."""
        if not self.game._can_make_new():
            raise MoveError(f"{type(self.game).__name__} has no generator, wanted a game that has one")
        seed = random.randrange(1_000_000) if seed is None else int(seed)
        self._become(self.game._new(seed))
        self._level, self._seed = "", seed
        self.refresh()

    def _become(self, other: Any) -> None:
        self._fresh()
        # What the old puzzle remembered of its making goes; what its player has put there stays.
        for name in [name for name in vars(self.game) if name.startswith("_") and name not in vars(other)]:
            delattr(self.game, name)
        self.game.__setstate__(other.__getstate__())

    def _fresh(self) -> None:
        self._chosen = self._cursor = self._queue = self._since = None
        self._clock, self._message = 0.0, ""

    def _play(self, move: tuple[Any, ...]) -> None:
        self._chosen = None
        self.game.play(*move)
        if self._since is None:
            self._since = time.monotonic()
        self.refresh()

    def _back(self, which: str) -> None:
        self._queue = self._chosen = None
        if not getattr(self.game, which)():
            raise MoveError(f"nothing to {which}")
        self.refresh()

    def _mark(self) -> Any:
        """What tells that someone else has played."""
        game = self.game
        return len(game.moves), len(game.undone), int(game.status), game.text

    def _seconds(self) -> float:
        running = 0.0 if self._since is None else time.monotonic() - self._since
        return round(self._clock + running, 1)

    def _stop_clock(self) -> None:
        self._clock, self._since = self._seconds(), None

    # What the page says.

    def _on_message(self, _: Any, content: Any, buffers: Any) -> None:
        """Does what the page asks for; whatever is refused becomes a sentence under the board."""
        self._message = ""
        self._answering = True  # one picture an answer, however many steps it has
        try:
            self._answer(dict(content))
        except _ERRORS as error:
            self._message = str(error)
        except (KeyError, IndexError) as error:
            self._message = f"a message of the page without {error}"
        finally:
            self._answering = False
        self.refresh()

    def _answer(self, said: dict[str, Any]) -> None:
        kind = said["kind"]
        if kind in ("undo", "redo", "restart", "hint", "solve", "turn"):
            getattr(self, kind)()
        elif kind == "next":
            if said["step"] == self._step:
                self.next()
        elif kind == "click":
            cell = self._drawn.cell_at(float(said["x"]), float(said["y"]))
            self._cursor = None
            if cell is None:
                self._chosen = None
            else:
                self.click(cell, second=bool(said.get("second")))
        elif kind == "drag":
            self._drag([float(number) for number in said["path"]])
        elif kind == "key":
            self._on_key(str(said["key"]), bool(said.get("shift")))
        elif kind == "level":
            self.level(str(said["name"]))
        elif kind == "new":
            self.new(said.get("seed"))
        elif kind == "theme":
            self._dark = bool(said["dark"])
        else:
            raise MoveError(f"a message {kind!r} of the page, wanted one that the widget knows")

    def _drag(self, path: list[float]) -> None:
        x, y, to_x, to_y = path
        cells = [self._drawn.cell_at(x, y), self._drawn.cell_at(to_x, to_y)]
        if cells[0] is not None and cells[0] == cells[1] and "left" not in self.game.KEYS:
            self.click(cells[0])
        elif len(self.game.bounds) == 4:
            if None not in cells:
                self._chosen = None
                for cell in cells:
                    self.click(cell)
        elif "left" in self.game.KEYS:
            across, down = to_x - x, to_y - y
            if abs(across) > abs(down):
                self.press("right" if across > 0 else "left")
            else:
                self.press("down" if down > 0 else "up")

    def _on_key(self, key: str, shift: bool) -> None:
        game = self.game
        name = _ARROWS.get(key, key)
        name = name.lower() if len(name) == 1 else name
        cells = len(game.bounds) > 1 and self._drawn.cells is not None
        if name in _STEPS and cells and (shift or game._key(name, probe=True) is None):
            down, across = _STEPS[name]
            row, col = self._cursor or (0, 0)
            if self._cursor is not None:
                row, col = (row + down) % game.height, (col + across) % game.width
            self._cursor = (row, col)
        elif name in ("Enter", " ") and self._cursor is not None:
            self.click(self._cursor, second=shift)
        elif name == "Enter":
            self.hint()
        elif name == "Escape":
            self._chosen = self._cursor = self._queue = None
        elif name == "Backspace":
            self.undo()
        elif name == "v" and game.VIEWS:
            self.turn()
        else:
            self.press(name)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The widget, and the picture and the text for pages in which no kernel runs."""
        bundle = super()._repr_mimebundle_(**options)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        if data is not None:
            data.update(self.game._repr_mimebundle_())
        return bundle


def _patience() -> Callable[[int], None]:
    """A watcher of a search that ends it when the player has waited long enough."""
    end = time.monotonic() + _PATIENCE

    def look(_: int) -> None:
        if time.monotonic() > end:
            raise SearchLimitError(f"nothing found in {_PATIENCE:g} s: play on, or search longer by game.solution()")

    return look


def _help(game: Any) -> str:
    """One sentence on how to play, from what the game says of its keys and clicks."""
    said = [game.CLICKS] if game.CLICKS else []
    if game.KEYS:
        said.append("keys: " + _keys(game))
    said.append("backspace takes back" + (", Enter plays a hint" if game._can_hint() else ""))
    if game.VIEWS:
        said.append("v changes the view")
    return "; ".join(said)


def _keys(game: Any) -> str:
    """The keys of a game as they are told."""
    named = ["arrows"] if "left" in game.KEYS else []
    return " ".join([*named, *("space" if key == " " else key for key in game.KEYS if key not in _STEPS)])


def _refresh_all(*_: Any) -> None:
    for widget in list(_open):
        if widget._seen != widget._mark():
            widget._message = ""
            widget._chosen = widget._queue = None
            widget.refresh()


def _watch_cells() -> None:
    """Lets every widget look, after each cell, whether its game was played there."""
    try:
        from IPython import get_ipython
    except ImportError:  # marimo, or a plain program
        return
    shell = get_ipython()
    if shell is not None and _refresh_all not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _refresh_all)
