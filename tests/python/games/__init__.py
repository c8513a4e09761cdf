"""What the tests of all games need to know about each: one file per game, with the name of its folder.

A file has

* ``RANK``: the number of coordinates of a move,
* ``position()``: a small position, on which the calls of the table in ``test_arguments.py`` are tried,
* ``PROGRESS``: the calls that report progress, by name, for ``test_progress.py``; each takes ``progress`` and a folder,
* ``large(side)``: the text of a board of about ``side`` x ``side`` cells,
* ``RULES``: the rules of ``explain``, from easy to hard,
* ``GRADED``: the arguments of ``generate`` for a size at which all five grades are made,
* ``meanings()``: cells that mean different things, each a game, a cell and the options of its picture,

and, only if it differs from what is assumed here,

* ``ARGUMENTS``: valid values of the arguments of its calls, by name, if those of ``test_arguments.py`` do not fit,
* ``QUICK``: the names in ``PROGRESS`` of calls that may end before they report anything,
* ``EPISODES``: the arguments that make episodes of its environment short; missing if it is a game for two players,
* ``RECIPE``: a quick generator for batches; missing if the engine has none,
* ``PICTURES``: further options of pictures,
* ``LEVEL``: the level that is played in a browser and a terminal, which has every gesture of the game; by default the
  third of the menu,
* ``ALONE``: the settings with which one person makes all moves, of a game that has an opponent,
* ``DRAWN``, ``build(page, game)``: a level, what the editor says about it, and how it is drawn by mouse; those of the
  packaged games are in ``test_editor_page.py``,
* ``pointer(game, move)``: what a player does for a move with the mouse,
* ``keys(game, move)``: the keys that make a move at once, ``[]`` if it is made with the cursor.
"""

from __future__ import annotations

import importlib
from typing import Any

import gridwright as gw


def of(game: Any) -> Any:
    """The file of a game, of a class, or of the game with this folder name."""
    return importlib.import_module(f"games.{game if isinstance(game, str) else game.NAME}")


def every(name: str) -> dict[str, Any]:
    """What the files of the games have under a name, by the folder names of the games that have it."""
    return {game: getattr(of(game), name) for game in gw.GAMES if hasattr(of(game), name)}


def pointer(game: Any, move: Any) -> list[tuple[Any, ...]]:
    """What a player does for a move with the mouse: ``("click", cell, second)`` or ``("drag", path)``."""
    move = tuple(int(part) for part in move)
    if hasattr(of(game), "pointer"):
        return of(game).pointer(game, move)
    # A kind of click and a cell, or one cell or several.
    second = bool(len(move) % 2 and move[0])
    return [("click", move[at : at + 2], second) for at in range(len(move) % 2, len(move), 2)]


def keys(game: Any, move: Any) -> list[str]:
    """The keys that make a move at once, by the names of ``Controls.key``; ``[]`` if it is made with the cursor."""
    move = tuple(int(part) for part in move)
    return of(game).keys(game, move) if hasattr(of(game), "keys") else []


def gestures(game: Any, move: Any) -> list[tuple[Any, ...]]:
    """What a player does for a move: ``("key", name)``, or what is done with the mouse."""
    return [("key", name) for name in keys(game, move)] or pointer(game, move)


def alone(game: Any) -> Any:
    """The controls of a game, set so that one person makes all moves."""
    controls = game.controls()
    for name, value in getattr(of(game), "ALONE", {}).items():
        controls.choose(name, value)
    return controls
