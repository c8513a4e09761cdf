"""The rows that ``benches/limits.rs`` measures: comparisons with limits of the machine and with peers in Rust."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from .common import Row, quick


def rows() -> Iterator[Row]:
    """Yields the rows of ``cargo bench --bench limits``."""
    environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
    if quick(0, 1):
        environment["ROUNDS"] = "2"
    command = ["cargo", "bench", "--quiet", "--bench", "limits"]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], env=environment, capture_output=True, text=True, check=True
    )
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            found = json.loads(line)
            goal = f">= {found['goal']:g}"
            yield Row(found["work"], found["baseline"], goal, found["ratios"], found["kind"])
