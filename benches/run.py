"""Compares gridwright with other libraries and with limits of the machine, and writes ``benches/RESULTS.md``.

Run ``make bench`` or ``python benches/run.py [topic ...]``. A topic is a module of ``benches/reach``. The topics run
one after another, each in a process of its own. If topics are named, the results are not written. If the environment
variable ``GRIDWRIGHT_BENCH_QUICK`` is set, the work is small and the results are not written either: such a run shows
that every measurement works, but nothing about speed.
"""

from __future__ import annotations

import datetime
import importlib
import importlib.metadata
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from reach.causes import cause  # noqa: E402
from reach.common import Row  # noqa: E402

TOPICS = ("limits", "calls", "envs", "bloxorz", "photon", "lightemall", "geese", "domination", "lines")
PACKAGES = (
    "numpy",
    "gymnasium",
    "pettingzoo",
    "scipy",
    "rustworkx",
    "networkx",
    "scikit-image",
    "numba",
    "rasterio",
    "ms_toollib",
    "laser-learning-environment",
    "jumanji",
    "jax",
)
MARK = "@row "


def worker(topic: str) -> None:
    """Measures one topic and prints rows, points and facts as lines that `measure` reads."""
    module = importlib.import_module(f"reach.{topic}")
    for row in module.rows():
        print(MARK + json.dumps(row.plain()), flush=True)
    for found in (*getattr(module, "points", lambda: ())(), *getattr(module, "facts", lambda: ())()):
        print(MARK + json.dumps(found), flush=True)


def measure(topic: str) -> tuple[list[Any], str]:
    """Runs one topic in its own process; returns its rows, points and facts, and an error message.

    The error message is empty if the process succeeds.
    """
    environment = {
        **os.environ,
        "RAYON_NUM_THREADS": "2",
        "NUMBA_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "PYTHONWARNINGS": "ignore",
    }
    command = [sys.executable, str(Path(__file__).resolve()), "--worker", topic]
    found = []
    # Standard error goes to a file: a pipe would be read only after the process ends, and a full pipe would block the
    # process.
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(MARK):
                found.append(json.loads(line[len(MARK) :]))
                print(f"  {line[len(MARK) :].strip()}", flush=True)
        process.wait()
        errors.seek(0)
        message = errors.read()
    if not process.returncode:
        return found, ""
    # A process that the system kills, for example for lack of memory, writes no message.
    return found, (message.strip().splitlines() or [f"exit status {process.returncode}"])[-1]


def machine() -> list[str]:
    """Returns lines that describe the machine and list package versions, without a host name or a path."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    from gridwright import __version__

    versions = [f"gridwright {__version__}"]
    for name in PACKAGES:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"{name} not installed")
    return [
        f"* {datetime.date.today()}, {model}, {os.cpu_count()} cores, {platform.system()}",
        f"* load average over the last five minutes: {os.getloadavg()[1]:.1f}",
        f"* Python {platform.python_version()}, " + ", ".join(versions),
    ]


ABOUT = """\
Most rows measure Gridwright and the peer or limit in turn (A B A B ...). Unless a row states otherwise, they compare
processor times of the process, which add up the times of its threads. A figure is the median of the ratios, with the
quartiles in parentheses. Only the last table lists times, because times depend more on the machine than on the code.

The unit *times* means how many times as fast Gridwright is or, if the goal is an upper bound, how many times as long
Gridwright takes. Rows about memory compare bytes instead of times. The unit *of the limit* means the speed of
Gridwright as a share of the speed of a limit. A limit is a simple version of the work that no implementation
can avoid: a small kernel in `benches/limits.rs`, a call from Python that at most returns new arrays, or, for two
threads, two one-thread batches side by side. A share above 1 means that Gridwright does this work faster. A row whose
peer is not installed is marked as not measured. `benches/instructions.txt` lists counts of instructions."""


def figure(row: Row) -> str:
    """Returns the median of a row's ratios and, in parentheses, their quartiles."""
    if not row.ratios:
        return ""
    unit = "of the limit" if row.kind == "limit" else "times"
    if len(row.ratios) == 1:
        return f"{row.middle:.3g} {unit}"
    low, _, high = statistics.quantiles(row.ratios, n=4, method="inclusive")
    return f"{row.middle:.3g} {unit} ({low:.3g} to {high:.3g})"


def table(rows: list[Row]) -> list[str]:
    """Returns a table of rows: first the rows that miss their goal, then rows without a figure, then all others."""
    lines = ["| work | compared with | goal | measured | | note |", "|---|---|---|---|---|---|"]
    for row in sorted(rows, key=lambda row: (row.met is not False, bool(row.ratios), row.met is None)):
        sign = {True: "reached", False: "**not reached**", None: ""}[row.met]
        note = row.note or (cause(row.work) if row.met is False else "")
        lines.append(f"| {row.work} | {row.baseline} | {row.goal} | {figure(row)} | {sign} | {note} |")
    return lines


TOP = (
    (
        "Kruskal board of 1000x1000",
        "scipy",
        "A spanning tree board of a million tiles is generated {0} times as fast as with {1}",
    ),
    ("Kruskal board of 4000x4000", "scipy", "A board of 16 million tiles is generated {0} times as fast as with {1}"),
    (
        "Kruskal board of 4000x4000, peak",
        "scipy",
        "A process that generates a board of 16 million tiles needs 1/{0} of the memory of a process that uses {1}",
    ),
    ("spanning tree of a given", "Filter", "Kruskal's algorithm on 2 million given edges is {0} times as fast as {1}"),
    ("exact chances", "ms_toollib", "Exact chances in expert Minesweeper are computed {0} times as fast as with {1}"),
    ("new boards of 16x30", "ms_toollib", "New expert boards are generated {0} times as fast as with {1}"),
    ("light of 15x15", "a flat", "Light is traced through 15x15 boards {0} times as fast as with {1}"),
    ("shortest solutions", "breadth", "Shortest solutions of Bloxorz are found {0} times as fast as with {1}"),
    (
        "paint 100,000 segments with random integer",
        "an exact",
        "Lines with integer ends are painted {0} times as fast as with {1}",
    ),
    ("compute_neighbours", "sums", "Neighbors are counted {0} times as fast as with {1}"),
)
"""The highlights at the top of the results: the beginnings of a row's work and baseline, and a sentence for the row."""


def top(rows: list[Row]) -> list[str]:
    """Returns the highlights: one line per sentence of `TOP` whose row was measured."""
    lines = []
    for work, baseline, sentence in TOP:
        for row in rows:
            if row.work.startswith(work) and row.baseline.startswith(baseline) and row.ratios:
                lines.append(f"* {sentence.format(f'{row.middle:.3g}', row.baseline)}.")
                break
    return lines


def exponent(points: list[tuple[int, float]]) -> float | None:
    """Returns the exponent k of time ~ cells ** k, fitted to the points with at least 9,000 cells.

    Returns ``None`` if there are fewer than two such points, as after a run that did not finish.
    """
    chosen = [(math.log(cells), math.log(seconds)) for cells, seconds in points if cells >= 9000]
    return statistics.linear_regression(*zip(*chosen, strict=True)).slope if len(chosen) > 1 else None


def plot(points: list[tuple[str, int, float]], path: Path) -> None:
    """Plots seconds against the number of cells, on two logarithmic axes, and writes the SVG file ``path``."""
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
    axes.loglog(cells, [count * 1e-9 for count in cells], ":", color="gray", label="one nanosecond per cell")
    axes.set(xlabel="cells of the board", ylabel="processor seconds", title="Cost as work grows")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(path, metadata={"Date": None})


def main(chosen: list[str]) -> int:
    """Runs the chosen topics, or all topics if none is chosen.

    Returns the exit status: 0 on success, 1 if a topic failed, 2 if a topic is unknown.
    """
    unknown = set(chosen) - {*TOPICS, "growth"}
    if unknown:
        print(
            f"topics must be among {', '.join((*TOPICS, 'growth'))}, got {', '.join(sorted(unknown))}",
            file=sys.stderr,
        )
        return 2
    results, failed = {}, []
    for topic in chosen or (*TOPICS, "growth"):
        print(f"== {topic}", flush=True)
        results[topic], message = measure(topic)
        if message:
            failed.append(f"{topic}: {message}")
            print(f"  {message}")
    if chosen or os.environ.get("GRIDWRIGHT_BENCH_QUICK"):
        return bool(failed)
    points = [tuple(point) for point in results.pop("growth")]
    facts = [found for measured in results.values() for found in measured if isinstance(found, str)]
    rows = [Row(**found) for measured in results.values() for found in measured if isinstance(found, dict)]
    judged = [row for row in rows if row.met is not None]
    lines = [
        "# Results",
        "",
        *top(rows),
        "",
        f"{sum(row.met is True for row in judged)} of {len(judged)} measured goals are reached. "
        "`make bench` writes this file.",
        "",
        *ABOUT.splitlines(),
        "",
        *machine(),
        "",
        "## Comparison with peers",
        "",
        *table([row for row in rows if row.kind != "limit"]),
        "",
        "## Shares of limits",
        "",
        *table([row for row in rows if row.kind == "limit"]),
        "",
    ]
    if facts:
        lines += ["## Results that are the same on every machine", "", *(f"* {fact}" for fact in facts), ""]
    if points:
        plot(points, HERE / "growth.svg")
        lines += ["## Cost as work grows", "", "![seconds against cells, on two logarithmic axes](growth.svg)", ""]
        lines += [
            "| work | cells: nanoseconds per cell | exponent of the growth of the time from 10^4 cells on |",
            "|---|---|---|",
        ]
        for name in dict.fromkeys(name for name, _, _ in points):
            each = [f"{cells:,}: {seconds / cells * 1e9:.3g}" for what, cells, seconds in points if what == name]
            power = exponent([(cells, seconds) for what, cells, seconds in points if what == name])
            lines.append(f"| {name} | {', '.join(each)} | {'-' if power is None else f'{power:.2f}'} |")
        lines.append("")
    if failed:
        lines += ["## Runs that did not finish", "", *(f"* {message}" for message in failed), ""]
    (HERE / "RESULTS.md").write_text("\n".join(lines), encoding="utf-8")
    print(f"{HERE.name}/RESULTS.md has been written")
    return bool(failed)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        worker(sys.argv[2])
    else:
        sys.exit(main(sys.argv[1:]))
