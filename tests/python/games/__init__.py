"""Values and functions that the tests of all games need, in one module per game, named after the folder of the game.

A module has

* ``RANK``: the number of integers that make up a move,
* ``position()``: a small position on which ``test_arguments.py`` tries the calls of its table,
* ``PROGRESS``: the calls that report progress, by name, for ``test_progress.py``; each takes ``progress`` and the path
  of a folder for files,
* ``large(side)``: the text of a board of about ``side`` x ``side`` cells,
* ``RULES``: the rules of ``explain``, from easy to hard,
* ``GRADED``: arguments of ``generate`` that set a size at which all five grades can be generated,
* ``meanings()``: cells with different meanings, which must look different: a list of tuples ``(game, cell, options)``
  with picture options,

and may also have

* ``ARGUMENTS``: valid arguments of methods and functions of the game, by name, instead of those in
  ``test_arguments.py``,
* ``QUICK``: the names in ``PROGRESS`` of calls that may end before they report progress,
* ``EPISODES``: arguments that make episodes of the game's environment short; a game for two players has none,
* ``RECIPE``: a quick generator, whose games ``test_batch.py`` plays in batches,
* ``PICTURES``: picture options to test in addition to the defaults,
* ``LEVEL``: the level that is played in a browser and shown in a terminal; its solution must contain every kind of move
  that solutions of the game's levels can contain. The default is the third level of the menu,
* ``ALONE``: for a game with an opponent, the settings with which one person makes all moves,
* ``DRAWN``, ``build(page, game)``: the name of a level with some of the facts that the editor shows about this level,
  and a function that draws the level with the mouse; the packaged games have theirs in ``test_editor_page.py``,
* ``pointer(game, move)``: the mouse gestures that make a move. The default clicks the cells of a move, after a kind if
  its length is odd; a game whose moves are of another form needs this function,
* ``keys(game, move)``: the keys that make a move without the cursor; ``[]`` if the move needs the cursor.
"""

from __future__ import annotations

import importlib
from typing import Any

import gridwright as gw
from gridwright.controls import Controls


def of(game: Any) -> Any:
    """Returns the module of this package for a game, which is given as an instance, a class or a folder name."""
    return importlib.import_module(f"games.{game if isinstance(game, str) else game.NAME}")


def every(name: str) -> dict[str, Any]:
    """Returns the value of ``name`` in each module that defines ``name``, by the folder name of the game."""
    return {game: getattr(of(game), name) for game in gw.GAMES if hasattr(of(game), name)}


def pointer(game: Any, move: Any) -> list[tuple[Any, ...]]:
    """Returns the mouse gestures that make a move: ``("click", cell, second)`` or ``("drag", path)``.

    ``second`` is true for a click of the right button.
    """
    move = tuple(int(part) for part in move)
    if hasattr(of(game), "pointer"):
        return of(game).pointer(game, move)
    # A move lists the coordinates of the cells to click; if its length is odd, the kind of click comes first.
    second = bool(len(move) % 2 and move[0])
    return [("click", move[at : at + 2], second) for at in range(len(move) % 2, len(move), 2)]


def keys(game: Any, move: Any) -> list[str]:
    """Returns the keys, named as in ``Controls.key``, that make a move without the cursor; ``[]`` if there are none."""
    move = tuple(int(part) for part in move)
    return of(game).keys(game, move) if hasattr(of(game), "keys") else []


def gestures(game: Any, move: Any) -> list[tuple[Any, ...]]:
    """Returns the gestures that make a move: ``("key", name)`` for each key, or, if there are none, mouse gestures."""
    return [("key", name) for name in keys(game, move)] or pointer(game, move)


EXTRAS = ("solution", "explain", "generate", "blank", "difficulty", "hint", "play_on", "solve")
"""The methods of games that ``docs/extend.md`` lists."""


class _Missing:
    """A class attribute that behaves as if it did not exist."""

    def __get__(self, game: Any, kind: Any) -> Any:
        raise AttributeError


def strip(kind: Any, monkeypatch: Any) -> None:
    """Leaves a class only what a game must have to be played: the default controls, no solver, reasons or generator."""
    for name in EXTRAS:
        monkeypatch.setattr(kind, name, _Missing(), raising=False)
    monkeypatch.setattr(kind, "CONTROLS", Controls)


def alone(game: Any) -> Any:
    """Returns the controls of a game, set so that one person makes all moves."""
    controls = game.controls()
    for name, value in getattr(of(game), "ALONE", {}).items():
        controls.choose(name, value)
    return controls
