"""Results of the baselines: files, the tables in ``docs/train.md``, and the learning curves in ``docs/train.svg``."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).resolve().parent / "results"
PAGE, PICTURE = ROOT / "docs" / "train.md", ROOT / "docs" / "train.svg"
BEGIN, END = "<!-- written by make baselines -->", "<!-- until here -->"

WORLDS = {"geese": "GeeseSpotter", "photon": "MyPhoton", "lightemall": "LightEmAll", "bloxorz": "Bloxorz"}
GRADES = ("easy", "medium", "hard")
# The 97.5th percentile of Student's t-distribution by degrees of freedom, which are the number of results minus one.
STUDENT = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78}


def path(label: str) -> Path:
    """Returns the path of the file of a result."""
    return RESULTS / f"{label}.json"


def results(label: str) -> list[dict[str, Any]]:
    """Returns the results with a label, one per seed."""
    return [json.loads(one.read_text(encoding="utf-8")) for one in sorted(RESULTS.glob(f"{label}-?.json"))]


def interval(values: list[float]) -> str:
    """Returns the mean of shares in percent, with a 95% confidence interval, and the number of seeds unless it is 5.

    A single share is returned without an interval and without the number of seeds.

    >>> interval([0.5, 0.6, 0.55, 0.5, 0.6]), interval([1.0]), interval([])
    ('55 ± 6', '100', '')
    """
    if not values:
        return ""
    mean = f"{100 * statistics.mean(values):.0f}"
    if len(values) == 1:
        return mean
    half = 100 * STUDENT[len(values) - 1] * statistics.stdev(values) / math.sqrt(len(values))
    return f"{mean} ± {half:.0f}" + ("" if len(values) == 5 else f" ({len(values)} seeds)")


def _column(label: str, key: str = "solved") -> str:
    found = results(label)
    text = interval([one[key] for one in found if key in one])
    # The exact player has a single result, because it makes no random choices; the other players have five seeds.
    return text + " (1 seed)" if len(found) == 1 and not label.startswith("exact") else text


def table() -> str:
    """Returns the table of shares of solved puzzles in Markdown; a cell is empty if there is no result yet."""
    rows = [
        "| world | grade | random | heuristic | exact | PPO | PPO, training puzzles | steps |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, world in WORLDS.items():
        for grade in GRADES:
            cells = [_column(f"{player}-{name}-{grade}") for player in ("random", "heuristic", "exact", "ppo")]
            seen = _column(f"ppo-{name}-{grade}", "train")
            if not any(cells):
                continue
            agents = results(f"ppo-{name}-{grade}")
            steps = f"{agents[0]['steps']:,}" if agents else ""
            rows.append(f"| {world} | {grade} | {' | '.join(cells)} | {seen} | {steps} |")
    return "\n".join(rows)


def sentences() -> str:
    """Returns the list that follows the table: agents on harder puzzles, tabular Q-learning, and times."""
    parts = []
    for name, world in WORLDS.items():
        if hard := _column(f"ppo-{name}-easy", "hard"):
            own = _column(f"ppo-{name}-hard")
            parts.append(
                f"* {world}: hard puzzles solved by PPO after training on easy ones, in percent: {hard}"
                + (f"; after training on hard ones: {own}." if own else ".")
            )
    for grade in GRADES:
        if found := results(f"q-bloxorz-{grade}"):
            seen, unseen = _column(f"q-bloxorz-{grade}", "train"), _column(f"q-bloxorz-{grade}")
            parts.append(
                f"* Bloxorz, {grade}: levels solved by tabular Q-learning after {found[0]['steps']:,} steps on 16 "
                f"levels, in percent: {seen} on these 16, {unseen} on others."
            )
    for name, world in {**WORLDS, "domination": "Linear Domination"}.items():
        if found := results(f"ppo-{name}-easy"):
            share = 100 * statistics.mean(one["environment"] for one in found)
            rate = statistics.mean(one["steps"] / one["seconds"] for one in found)
            parts.append(
                f"* {world}: PPO makes {rate:,.0f} steps per second on one core; environments take {share:.0f}% of "
                "the time."
            )
    spent = [json.loads(one.read_text(encoding="utf-8")).get("cpu", 0) for one in RESULTS.glob("*.json")]
    if sum(spent) > 0:
        parts.append(
            f"* The {len(spent)} results on this page took {sum(spent) / 60:.0f} minutes on one core, "
            "including the generation of puzzles."
        )
    return "\n".join(parts)


def ratings() -> str:
    """Returns the table of ratings in Linear Domination, in Markdown; empty if there are no results yet."""
    found = results("ppo-domination-easy")
    if not found:
        return ""
    rows = ["| player | Elo | against PPO |", "|---|---:|---:|"]
    mean = {name: statistics.mean(one["elo"][name] for one in found) for name in found[0]["elo"]}
    for name in sorted(mean, key=lambda one: -mean[one]):
        score = _percent([one["scores"].get(f"{name} ppo") for one in found])
        rows.append(f"| {name} | {mean[name]:.0f} | {score} |")
    return "\n".join(rows) + f"\n\nTrained agents: {len(found)}. Each played 40 games against every player."


def _percent(scores: list[float | None]) -> str:
    known = [score for score in scores if score is not None]
    return f"{100 * statistics.mean(known):.0f}%" if known else ""


COLORS = {"geese": "#3b7dd8", "photon": "#d8733b", "lightemall": "#3f9c5a", "bloxorz": "#9650b4"}


def picture() -> str:
    """Returns the learning curves of PPO on the easy settings as SVG, one line per game and seed."""
    width, height, left, top = 640, 260, 48, 16
    wide, high = width - left - 150, height - top - 40
    curves = [(name, one["curve"]) for name in WORLDS for one in results(f"ppo-{name}-easy")]
    most = max((curve[-1][0] for _, curve in curves), default=1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif"'
        ' font-size="12" fill="#777777">'
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = top + high * (1 - share)
        parts.append(f'<path d="M{left} {y:.1f}h{wide}" stroke="#bbbbbb" stroke-width="0.5"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    for part in range(5):
        x = left + wide * part / 4
        shown = f"{most * part / 4 / 1000:.0f}k"
        parts.append(f'<text x="{x:.1f}" y="{top + high + 18}" text-anchor="middle">{shown}</text>')
    middle = left + wide / 2
    parts.append(f'<text x="{middle:.0f}" y="{height - 4}" text-anchor="middle">training steps</text>')
    named: dict[str, int] = {}
    for name, curve in curves:
        line = " ".join(f"{left + wide * steps / most:.1f},{top + high * (1 - won):.1f}" for steps, won in curve)
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{COLORS[name]}" stroke-width="1.5" opacity="0.8"/>'
        )
        named.setdefault(name, len(named))
    for name, place in named.items():
        y = top + 12 + 18 * place
        parts.append(f'<path d="M{width - 138} {y - 4}h18" stroke="{COLORS[name]}" stroke-width="3"/>')
        parts.append(f'<text x="{width - 114}" y="{y}">{WORLDS[name]}</text>')
    return "\n".join([*parts, "</svg>", ""])


def written(page: str) -> str:
    """Returns the page with new tables, new sentences and a link to the picture between the two marks."""
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    parts = [table(), sentences(), "![Learning curves of the easy settings](train.svg)", ratings()]
    return f"{before}{BEGIN}\n\n" + "\n\n".join(part for part in parts if part) + f"\n\n{END}{after}"


def write() -> None:
    """Writes the tables into ``docs/train.md`` and the learning curves to ``docs/train.svg``."""
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    PICTURE.write_text(picture(), encoding="utf-8")
