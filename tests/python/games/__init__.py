"""What the tests of all games need to know about each game: one file per game, named after the game's folder.

A file has

* ``RANK``: the number of integers that make up a move,
* ``position()``: a small position on which the calls of the table in ``test_arguments.py`` are tried,
* ``PROGRESS``: the calls that report progress, by name, for ``test_progress.py``; each takes ``progress`` and a folder,
* ``large(side)``: the text of a board of about ``side`` x ``side`` cells,
* ``RULES``: the rules of ``explain``, from easy to hard,
* ``GRADED``: the arguments of ``generate`` for a size at which all five grades can be generated,
* ``meanings()``: cells with different meanings, each as a game, a cell and the options of the picture,

and, if the default does not fit,

* ``ARGUMENTS``: valid arguments of the game's calls, by the name of the call, if those in ``test_arguments.py`` do not
  fit,
* ``QUICK``: the names in ``PROGRESS`` of calls that may end before they report anything,
* ``EPISODES``: the arguments that make episodes of the game's environment short; missing for a game for two players,
* ``RECIPE``: a quick generator for batches; missing if the engine has none,
* ``PICTURES``: further options of pictures,
* ``LEVEL``: the level that is played in a browser and shown in a terminal, whose solution needs every kind of move
  that any solution needs; by default, the third level of the menu,
* ``ALONE``: the settings with which one person makes all moves, for a game that has an opponent,
* ``DRAWN``, ``build(page, game)``: a level with the facts that the editor shows about it, and a function that draws the
  level with the mouse; those of the packaged games are in ``test_editor_page.py``,
* ``pointer(game, move)``: the mouse gestures that make a move,
* ``keys(game, move)``: the keys that make a move directly, ``[]`` if the move is made with the cursor.
"""

from __future__ import annotations

import importlib
from typing import Any

import gridwright as gw


def of(game: Any) -> Any:
    """Returns the module here that describes a game, given as an instance, as a class or by its folder name."""
    return importlib.import_module(f"games.{game if isinstance(game, str) else game.NAME}")


def every(name: str) -> dict[str, Any]:
    """Returns the values of a name in the modules that define it, by the folder names of their games."""
    return {game: getattr(of(game), name) for game in gw.GAMES if hasattr(of(game), name)}


def pointer(game: Any, move: Any) -> list[tuple[Any, ...]]:
    """Returns the mouse gestures that make a move: ``("click", cell, second)`` or ``("drag", path)``.

    ``second`` is true for a click with the right button.
    """
    move = tuple(int(part) for part in move)
    if hasattr(of(game), "pointer"):
        return of(game).pointer(game, move)
    # A move lists the coordinates of the cells to click; if its length is odd, the kind of click comes first.
    second = bool(len(move) % 2 and move[0])
    return [("click", move[at : at + 2], second) for at in range(len(move) % 2, len(move), 2)]


def keys(game: Any, move: Any) -> list[str]:
    """Returns the keys that make a move directly, named as in ``Controls.key``; ``[]`` if the cursor is needed."""
    move = tuple(int(part) for part in move)
    return of(game).keys(game, move) if hasattr(of(game), "keys") else []


def gestures(game: Any, move: Any) -> list[tuple[Any, ...]]:
    """Returns the gestures that make a move: ``("key", name)``, or those of the mouse."""
    return [("key", name) for name in keys(game, move)] or pointer(game, move)


def alone(game: Any) -> Any:
    """Returns the controls of a game, set so that one person makes all moves."""
    controls = game.controls()
    for name, value in getattr(of(game), "ALONE", {}).items():
        controls.choose(name, value)
    return controls
