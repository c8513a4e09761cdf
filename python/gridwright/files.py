"""Files that are written whole or not at all. Imports nothing of this package."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

__all__ = ["write"]


def write(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Writes a file so that a failure leaves the file before it as it was.

    ``data`` is written beside the file and then put in its place; text is encoded as UTF-8 with ``\\n`` as line end.
    A file that exists keeps its permissions. Raises ``OSError`` if the folder cannot be written to.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "note.txt"
    >>> write(path, "one")
    >>> path.read_text()
    'one'
    """
    file = Path(os.path.realpath(path))
    raw = data.encode("utf-8") if isinstance(data, str) else data
    if file.exists() and not file.is_file():
        # A device or a pipe cannot be replaced.
        file.write_bytes(raw)
        return
    part = file.with_name(f".{file.name[:60]}.{secrets.token_hex(6)}.part")
    try:
        out = open(part, "xb")  # noqa: SIM115 - closed below, before the file takes its place
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, "no such folder", str(file.parent)) from None
    try:
        with out:
            out.write(raw)
        with suppress(FileNotFoundError):
            os.chmod(part, file.stat().st_mode & 0o7777)
        os.replace(part, file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
