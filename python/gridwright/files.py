"""Reads the endings of file names, and writes files whole or not at all."""

from __future__ import annotations

import os
import re
import secrets
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from .arguments import path as read_path
from .arguments import shown
from .words import either

__all__ = ["ending", "write"]

_DESCRIPTOR = re.compile(r"/dev/std(out|err)|(?:/dev|/proc/self)/fd/([0-9]{1,9})")
"""The names of open descriptors. Such a name may stand for a file, whose contents must not be replaced."""


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

    * ``path``: the file to write. An existing file keeps its permissions, a symbolic link is followed, and a device, a
      pipe or an open descriptor, such as ``/dev/stdout``, is written to directly.
    * ``data``: bytes, or a string that is written in UTF-8 with its line endings unchanged.

    Raises ``OSError``, which names the file, if the file cannot be written; an existing file then keeps its contents.
    If the folder is missing, ``FileNotFoundError`` names the folder.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "note.txt"
    >>> write(path, "one")
    >>> path.read_text()
    'one'
    """
    named = file = read_path("path", path)
    raw = data.encode("utf-8") if isinstance(data, str) else data
    try:
        if found := _DESCRIPTOR.fullmatch(str(named)):
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()  # what was printed before comes first
            number = int(found[2] or {"out": 1, "err": 2}[found[1]])
            with open(number, "wb", closefd=False) as out:
                out.write(raw)
            return
        # A device or a pipe must not be replaced by a regular file. Its name may lead to a link that only the system
        # can follow.
        if named.exists() and not named.is_file():
            named.write_bytes(raw)
            return
        # Fails for a relative path if the working directory was deleted.
        file = Path(os.path.realpath(named))
        _replace(file, raw)
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, "no such folder", str(file.parent)) from None
    except OSError as error:
        # The error of the system may name the temporary file.
        raise OSError(error.errno, error.strerror, str(named)) from None


def _replace(file: Path, raw: bytes) -> None:
    """Writes a temporary file and then replaces ``file``."""
    # At most 219 bytes in UTF-8: file systems allow 255 per name.
    part = file.with_name(f".{file.name[:50]}.{secrets.token_hex(6)}.part")
    out = open(part, "xb")  # noqa: SIM115 - closed below, before it replaces the target
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
