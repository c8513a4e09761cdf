"""The packaged levels that a player has solved, each with the number of moves, kept between sessions.

A `Storage` keeps one string: `FileStorage` in a file, `MemoryStorage` in memory until the program ends. `use_storage`
chooses the storage and describes the default. A browser tab supplies its own storage.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple, Protocol

from .arguments import path as read_path
from .arguments import shown, whole, wrong_type
from .arguments import text as read_text
from .files import write

__all__ = ["FileStorage", "MemoryStorage", "Solved", "Storage", "record", "solved", "use_storage"]


class Storage(Protocol):
    """The place where the list of solved levels is kept: one string, read and written as a whole."""

    def read(self) -> str:
        """Returns the text, or an empty string if nothing was written yet."""
        ...

    def write(self, text: str) -> None:
        """Replaces the text.

        * ``text``: the new text.
        """
        ...


class MemoryStorage:
    """Keeps the text until the program ends.

    >>> storage = MemoryStorage()
    >>> storage.write("{}")
    >>> storage.read()
    '{}'
    """

    def __init__(self) -> None:
        self._text = ""

    def read(self) -> str:
        """Returns the text written last, or an empty string if nothing was written yet."""
        return self._text

    def write(self, text: str) -> None:
        """Replaces the text.

        * ``text``: the new text.
        """
        self._text = read_text("text", text)


class FileStorage:
    """Keeps the text in a file.

    * ``path``: the file; its folder is created when the first level is solved.

    A folder that cannot be written to is not an error: what was solved is then forgotten when the program ends.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = read_path("path", path)
        self._unwritten: str | None = None

    def read(self) -> str:
        """Returns the text of the file, or an empty string if the file cannot be read.

        If the last `write` failed, returns the text that it was given.
        """
        if self._unwritten is not None:
            return self._unwritten
        try:
            return self.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return ""

    def write(self, text: str) -> None:
        """Replaces the file in one step: if the program is stopped during the write, the old text stays.

        * ``text``: the new text; ``ValueError`` if UTF-8 cannot encode it.
        """
        try:
            data = read_text("text", text).encode()
        except UnicodeEncodeError:
            raise ValueError(f"text must be encodable as UTF-8, got {shown(text)}") from None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write(self.path, data)
            self._unwritten = None
        except OSError:
            self._unwritten = text


class Solved(NamedTuple):
    """The results of a solved level."""

    best: int | None
    """The fewest moves without a hint; ``None`` if every solution used hints."""
    optimum: int | None
    """The fewest moves possible; ``None`` if that is not known."""


_storage: Storage | None = None

_known: dict[str, dict[str, Solved]] | None = None
"""The list that was read last, kept because front ends request it after every move; ``None`` before the first read."""


def use_storage(storage: Storage | None) -> None:
    """Chooses where solved levels are kept from now on.

    * ``storage``: an object with ``read()`` and ``write(text)``; ``None`` returns to the default.

    The default is the file that the environment variable ``GRIDWRIGHT_SOLVED`` names, or memory if the variable is
    empty. If the variable is not set, the default is ``solved.json`` in the user's data folder, which needs
    platformdirs (part of ``gridwright[notebook]`` and ``gridwright[play]``), or memory without platformdirs or a home
    directory.
    """
    global _storage, _known
    if storage is not None and not (hasattr(storage, "read") and hasattr(storage, "write")):
        raise wrong_type("storage", "an object with read() and write(text)", storage)
    _storage, _known = storage, None


def _current() -> Storage:
    global _storage
    if _storage is None:
        _storage = _default()
    return _storage


def _default() -> Storage:
    named = os.environ.get("GRIDWRIGHT_SOLVED")
    if named is not None:
        return FileStorage(named) if named else MemoryStorage()
    try:
        import platformdirs

        folder = Path(platformdirs.user_data_dir("gridwright", appauthor=False))
    except (ImportError, RuntimeError):  # `RuntimeError`: the user has no home directory
        return MemoryStorage()
    # Without a home directory, earlier versions of platformdirs return a path that begins with "~".
    return FileStorage(folder / "solved.json") if folder.is_absolute() else MemoryStorage()


def _all() -> dict[str, dict[str, Solved]]:
    # Text that is cut short or not in the format that `record` writes is treated as empty.
    try:
        found = json.loads(_current().read() or "{}")
        return {
            game: {
                level: Solved(_count(known.get("best")), _count(known.get("optimum")))
                for level, known in levels.items()
            }
            for game, levels in found.items()
        }
    except (ValueError, AttributeError, RecursionError):
        return {}


def _count(value: object) -> int | None:
    return value if isinstance(value, int) else None


def solved(game: str) -> dict[str, Solved]:
    """Returns the solved levels of a game by name.

    * ``game``: a key of ``gridwright.GAMES``; the result for any other string is empty.
    """
    global _known
    if _known is None:
        _known = _all()
    return dict(_known.get(read_text("game", game), {}))


def record(game: str, level: str, moves: int | None, optimum: int | None) -> Solved:
    """Records that a level was solved, and returns what is now known about the level.

    * ``game``: a key of ``gridwright.GAMES``.
    * ``level``: the name of a packaged level.
    * ``moves``: the number of moves played, at least 0; ``None`` if hints were used. A better earlier result is kept.
    * ``optimum``: the fewest moves possible, at least 0; ``None`` if that is not known.

    >>> use_storage(MemoryStorage())
    >>> record("bloxorz", "level01", 9, 7)
    Solved(best=9, optimum=7)
    >>> record("bloxorz", "level01", 12, None)
    Solved(best=9, optimum=7)
    >>> use_storage(None)
    """
    game, level = read_text("game", game), read_text("level", level)
    moves, optimum = (
        None if value is None else whole(name, value, 0) for name, value in (("moves", moves), ("optimum", optimum))
    )
    global _known
    # Read again, because another program may have recorded a level in the meantime.
    known = _all()
    before = known.get(game, {}).get(level, Solved(None, None))
    counts = [count for count in (before.best, moves) if count is not None]
    now = Solved(min(counts, default=None), optimum if optimum is not None else before.optimum)
    known.setdefault(game, {})[level] = now
    plain = {name: {each: found._asdict() for each, found in levels.items()} for name, levels in known.items()}
    _current().write(json.dumps(plain, indent=1, sort_keys=True) + "\n")
    _known = known
    return now
