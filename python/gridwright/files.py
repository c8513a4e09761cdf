"""Reads the endings of file names, and writes files whole or not at all."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from .arguments import path as read_path
from .arguments import shown
from .words import either

__all__ = ["ending", "write"]


def ending(path: str | os.PathLike[str], known: Sequence[str]) -> str:
    """Returns the ending of a file name in lowercase, which selects the format.

    * ``path``: the path of the file.
    * ``known``: the endings allowed, in the order in which the error message lists them; ``ValueError`` for any other.

    >>> ending("picture.SVG", (".svg", ".png"))
    '.svg'
    >>> ending("picture.doc", (".svg", ".png"))
    Traceback (most recent call last):
    ValueError: path must end in .svg or .png, got 'picture.doc'
    """
    file = read_path("path", path)
    found = file.suffix.lower()
    if found not in known:
        raise ValueError(f"path must end in {either(known)}, got {shown(file.name)}")
    return found


def write(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Writes a file whole or not at all: a temporary file is written in the same folder and then replaces the file.

    * ``path``: the file to write. An existing file keeps its permissions, a symbolic link is followed, and a device or
      pipe is written to directly.
    * ``data``: bytes, or a string that is written in UTF-8 with its line endings unchanged.

    Raises ``OSError`` if the folder cannot be written to; an existing file then keeps its contents.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "note.txt"
    >>> write(path, "one")
    >>> path.read_text()
    'one'
    """
    file = Path(os.path.realpath(read_path("path", path)))
    raw = data.encode("utf-8") if isinstance(data, str) else data
    if file.exists() and not file.is_file():
        # A device or a pipe must not be replaced by a regular file.
        file.write_bytes(raw)
        return
    # At most 219 bytes in UTF-8: file systems allow 255 per name.
    part = file.with_name(f".{file.name[:50]}.{secrets.token_hex(6)}.part")
    try:
        out = open(part, "xb")  # noqa: SIM115 - closed below, before it replaces the target
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, "no such folder", str(file.parent)) from None
    try:
        with out:
            out.write(raw)
        with suppress(FileNotFoundError):
            os.chmod(part, file.stat().st_mode & 0o7777)
        if sys.platform == "emscripten":
            # In a browser's Python, a replaced file reappears once the new one is deleted, so the old one is deleted
            # first.
            file.unlink(missing_ok=True)
        os.replace(part, file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
