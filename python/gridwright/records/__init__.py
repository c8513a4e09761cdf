"""Results that take a long time to compute, about the five games and about segments, as tables in ``docs/records``.

Each table is made by ``python -m gridwright records NAME`` and checked by a program in ``docs/records`` that uses
nothing from this package.
"""

from __future__ import annotations

from .bloxorz import FLOORS, LIGHT_FLOORS
from .domination import KOMI
from .geese import MINESWEEPER
from .lightemall import TREES, TREES_ESTIMATED
from .photon import LASERS
from .players import LOOKAHEAD, PLAYERS
from .store import Record, compare, run
from .tracing import LINES

__all__ = ["RECORDS", "Record", "compare", "run"]

RECORDS: dict[str, Record] = {
    record.name: record
    for record in (KOMI, TREES, TREES_ESTIMATED, FLOORS, LIGHT_FLOORS, MINESWEEPER, LASERS, LINES, PLAYERS, LOOKAHEAD)
}
"""All records by name."""
