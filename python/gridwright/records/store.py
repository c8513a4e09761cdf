"""Tables of results that take a long time to compute: rows are saved in order, and a stopped run can be resumed."""

from __future__ import annotations

import csv
import io
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..arguments import flag, function, instance, number
from ..arguments import path as read_path
from ..files import write
from ..words import counted

__all__ = ["Record", "Work", "compare", "run"]

Work = Iterator[tuple[float, Any]]
"""The computation of one row: yields pairs of the share that is done, 0 to 1, and the state from which the computation
can continue, in types that JSON has. The last pair is 1.0 and the row."""

_SECONDS_PER_SAVE = 60.0


@dataclass(frozen=True)
class Record:
    """A table of results, and how its rows are computed.

    * ``name``: the name of the CSV file, without ``.csv``, and the argument of the command.
    * ``about``: a description of the results in one line.
    * ``key``: the first columns, whose values identify a row.
    * ``columns``: the other columns.
    * ``small``: the keys whose rows together take a few minutes at most.
    * ``large``: the keys of the rows that take longer.
    * ``work``: computes the row of a key, from the start (``None``) or from what an earlier run yielded.
    """

    name: str
    about: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    small: tuple[tuple[Any, ...], ...]
    large: tuple[tuple[Any, ...], ...]
    work: Callable[[tuple[Any, ...], Any], Work]

    def read(self, folder: Path) -> dict[tuple[str, ...], dict[str, str]]:
        """Returns the rows that are done, by their keys as text.

        * ``folder``: the folder of the CSV file; a missing file counts as an empty table.
        """
        path = folder / f"{self.name}.csv"
        if not path.exists():
            return {}
        with path.open(encoding="utf-8", newline="") as file:
            return {tuple(row[name] for name in self.key): row for row in csv.DictReader(file)}


def _texts(key: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(str(part) for part in key)


def _save(record: Record, folder: Path, rows: dict[tuple[str, ...], dict[str, str]]) -> None:
    """Writes the rows in the order of the keys; rows with other keys, perhaps from an earlier version, are left out."""
    out = io.StringIO()
    table = csv.DictWriter(out, (*record.key, *record.columns), lineterminator="\n")
    table.writeheader()
    for key in map(_texts, (*record.small, *record.large)):
        if key in rows:
            table.writerow(rows[key])
    write(folder / f"{record.name}.csv", out.getvalue())


def run(
    record: Record,
    folder: str | Path,
    *,
    small: bool = False,
    seconds: float | None = None,
    tell: Callable[[str], None] = print,
    clock: Callable[[], float] = time.monotonic,
) -> bool:
    """Computes the missing rows of a record, and returns whether all requested rows are now complete.

    Each row is saved when it is done. The state of an unfinished row is saved to ``NAME-KEY.partial.json`` every
    minute, and when the run is interrupted or its time is up; the next run continues from that state.

    * ``record``: what to compute.
    * ``folder``: the folder of ``NAME.csv``, created if it does not exist.
    * ``small``: whether to leave out the rows that take a long time; ``False`` by default.
    * ``seconds``: the time after which the run stops as soon as it can save its state, at least 0; ``None`` (the
      default) for no limit.
    * ``tell``: receives a line about each finished row, one per minute about an unfinished row, and one if the time is
      up during a row; ``print`` by default.
    * ``clock``: returns the time in seconds since a fixed moment; ``time.monotonic`` by default.

    Raises ``TypeError`` for an argument of the wrong type, and ``ValueError`` for ``seconds`` below 0.
    """
    instance("record", record, Record)
    folder, small = read_path("folder", folder), flag("small", small)
    seconds = None if seconds is None else number("seconds", seconds, 0)
    function("tell", tell)
    function("clock", clock)
    folder.mkdir(parents=True, exist_ok=True)
    rows, began = record.read(folder), clock()
    for key in record.small if small else (*record.small, *record.large):
        words = _texts(key)
        if words in rows:
            continue
        if seconds is not None and clock() - began >= seconds:
            return False
        partial = folder / f"{record.name}-{'-'.join(words)}.partial.json"
        state = json.loads(partial.read_text(encoding="utf-8")) if partial.exists() else None
        title = f"{record.name} {' '.join(words)}"
        saved = clock()
        kept, row = state, {}
        try:
            for part, state in record.work(key, kept):
                if part >= 1:
                    row = state
                    break
                kept = state
                late = seconds is not None and clock() - began >= seconds
                if late or clock() - saved >= _SECONDS_PER_SAVE:
                    saved = clock()
                    write(partial, json.dumps(kept) + "\n")
                    tell(f"{title}: {part:.1%}")
                if late:
                    return False
        except KeyboardInterrupt:
            if kept is not None:
                write(partial, json.dumps(kept) + "\n")
            raise
        rows[words] = dict(zip(record.key, words, strict=True))
        rows[words].update((column, str(row[column])) for column in record.columns)
        _save(record, folder, rows)
        partial.unlink(missing_ok=True)
        tell(f"{title}: done, {clock() - began:.0f} s after the start of the run")
    return True


def compare(record: Record, folder: str | Path, tell: Callable[[str], None] = print) -> bool:
    """Computes the small rows of a record again and returns whether they agree with the table.

    * ``record``: what to compute.
    * ``folder``: the folder of the table, which is not changed.
    * ``tell``: receives a line about each row that differs, and one at the end; ``print`` by default.

    Raises ``TypeError`` for an argument of the wrong type.
    """
    instance("record", record, Record)
    function("tell", tell)
    rows = record.read(read_path("folder", folder))
    with tempfile.TemporaryDirectory() as other:
        run(record, Path(other), small=True, tell=lambda _: None)
        again = record.read(Path(other))
    different = [key for key in again if rows.get(key) != again[key]]
    for key in different:
        tell(f"{record.name} {' '.join(key)}: the table has {rows.get(key)}, expected {again[key]}")
    tell(f"{record.name}: recomputed {counted(len(again), 'row')}, {len(different)} different")
    return not different
