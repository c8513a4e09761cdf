"""Measures what the specification wants, ours and the peers side by side, and writes ``benches/RESULTS.md``.

``make bench``, or ``python benches/run.py [world ...]``. Each world runs in a process of its own, one after another.
A run of some worlds only prints its rows and leaves the file alone; with ``GRIDWRIGHT_BENCH_QUICK=1`` counts are
small, which tells that all works and nothing of speed.
"""

from __future__ import annotations

import datetime
import importlib
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

WORLDS = ("envs", "bloxorz", "photon", "lightemall", "geese", "domination", "lines")
PACKAGES = (
    "gridwright",
    "numpy",
    "gymnasium",
    "pettingzoo",
    "scipy",
    "rustworkx",
    "networkx",
    "scikit-image",
    "opencv-python-headless",
    "numba",
    "rasterio",
    "ms_toollib",
    "laser-learning-environment",
    "minigrid",
    "pgx",
    "jumanji",
    "jax",
)
MARK = "@row "


def worker(world: str) -> None:
    """Measures one world and prints its rows for the driver."""
    module = importlib.import_module(f"reach.{world}")
    for row in module.rows():
        print(MARK + json.dumps(row.plain()), flush=True)
    for point in getattr(module, "points", lambda: ())():
        print(MARK + json.dumps(point), flush=True)


def measure(world: str) -> tuple[list[Any], str]:
    """Runs one world in a process of its own: what it found, and how it failed where it did."""
    environment = {**os.environ, "RAYON_NUM_THREADS": "2", "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, str(Path(__file__).resolve()), "--worker", world]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    found = []
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(MARK):
            found.append(json.loads(line[len(MARK) :]))
            print(f"  {line[len(MARK) :].strip()}", flush=True)
    _, complaint = process.communicate()
    last = complaint.strip().splitlines()[-1] if process.returncode and complaint.strip() else ""
    return found, last


def machine() -> list[str]:
    """What the numbers were measured on; no name of the machine and no path."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    versions = []
    for name in PACKAGES:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"{name} not installed")
    return [
        f"* {datetime.date.today()}, {model}, {os.cpu_count()} cores, {platform.system()}",
        f"* load of the machine over the last five minutes: {os.getloadavg()[1]:.1f}",
        f"* Python {platform.python_version()}, " + ", ".join(versions),
    ]


def table(rows: list[dict[str, Any]]) -> list[str]:
    """Writes the rows of one world."""
    lines = ["| work | reach | ours | beside it | ratio | met |", "|---|---|---|---|---|---|"]
    for row in rows:
        met = {True: "yes", False: "**no**", None: ""}[row["met"]]
        lines.append(f"| {row['work']} | {row['reach']} | {row['ours']} | {row['beside']} | {row['ratio']} | {met} |")
    return lines


def plot(points: list[tuple[str, int, float]], path: Path) -> None:
    """Draws cost over work on two logarithmic axes."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "gridwright"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
    for name in dict.fromkeys(name for name, _, _ in points):
        chosen = [(cells, seconds) for what, cells, seconds in points if what == name]
        style = "--" if "scipy" in name else "-"
        axes.loglog(*zip(*chosen, strict=True), style, marker="o", markersize=4, label=name)
    cells = [10**2, 10**7]
    axes.loglog(cells, [count * 1e-9 for count in cells], ":", color="grey", label="one nanosecond a cell")
    axes.set(xlabel="cells of the board", ylabel="seconds of the processor", title="Cost as work grows")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(path, metadata={"Date": None})


def main(chosen: list[str]) -> int:
    """Runs all worlds, or some."""
    unknown = set(chosen) - {*WORLDS, "growth"}
    if unknown:
        print(
            f"no world {', '.join(sorted(unknown))}, expected some of {', '.join((*WORLDS, 'growth'))}", file=sys.stderr
        )
        return 2
    results, failed = {}, []
    for world in chosen or (*WORLDS, "growth"):
        print(f"== {world}", flush=True)
        results[world], complaint = measure(world)
        if complaint:
            failed.append(f"{world}: {complaint}")
            print(f"  {complaint}")
    if chosen or os.environ.get("GRIDWRIGHT_BENCH_QUICK"):
        return bool(failed)
    points = [tuple(point) for point in results.pop("growth")]
    rows = [row for found in results.values() for row in found]
    judged = [row for row in rows if row["met"] is not None]
    lines = [
        "# Results",
        "",
        "Written by `make bench`; not to be edited. Medians of paired runs in one process a world, one after another.",
        "Times are those of the process's own processors, which other work on the machine does not stretch, but where",
        "two threads are compared by the clock: there the least times count. `ratio` tells how much of the reach was",
        "reached (1 or more is enough), or how many times faster than what stands beside it. `n` and `batch of` say",
        "how many games step together; a number of boards, seeds, positions or segments is how many were measured.",
        "Where a peer is not installed its row says so; `pip install pgx jumanji minigrid` adds some that the extra",
        "`bench` leaves out.",
        "",
        *machine(),
        f"* reached: {sum(row['met'] for row in judged)} of {len(judged)}",
        "",
    ]
    for world, found in results.items():
        lines += [f"## {world}", "", *table(found), ""]
    if points:
        plot(points, HERE / "growth.svg")
        lines += ["## Cost as work grows", "", "![seconds over cells on two logarithmic axes](growth.svg)", ""]
        lines += ["| work | 10^2 to 10^7 cells: nanoseconds a cell |", "|---|---|"]
        for name in dict.fromkeys(name for name, _, _ in points):
            each = [f"{cells:,}: {seconds / cells * 1e9:.3g}" for what, cells, seconds in points if what == name]
            lines.append(f"| {name} | {', '.join(each)} |")
        lines.append("")
    if failed:
        lines += ["## What did not run to its end", "", *(f"* {complaint}" for complaint in failed), ""]
    (HERE / "RESULTS.md").write_text("\n".join(lines), encoding="utf-8")
    print(f"{HERE.name}/RESULTS.md is written")
    return bool(failed)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        worker(sys.argv[2])
    else:
        sys.exit(main(sys.argv[1:]))
