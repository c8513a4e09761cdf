"""The page of a contest: an HTML file with the table, and films of the closest games in separate files."""

from __future__ import annotations

import csv
import io
from html import escape
from pathlib import Path
from typing import Any

from ..draw import DARK, LIGHT
from ..files import write
from ..words import counted
from .games import Game, Rules
from .table import Contest, Row

__all__ = ["page"]

_FILMS = 3

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --page: {light.page}; --ink: {light.ink}; --edge: {light.faint} }}
@media (prefers-color-scheme: dark) {{
  :root {{ --page: {dark.page}; --ink: {dark.ink}; --edge: {dark.faint} }}
}}
body {{
  background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
}}
table {{ border-collapse: collapse; display: block; overflow-x: auto }}
th, td {{
  border-bottom: 1px solid var(--edge); padding: .3rem .7rem;
  text-align: right; font-variant-numeric: tabular-nums;
}}
th:nth-child(2), td:nth-child(2), td:last-child, th:last-child {{ text-align: left }}
iframe {{ border: 1px solid var(--edge); height: 34rem; width: 100% }}
p {{ max-width: 46rem }}
</style>
<h1>{title}</h1>
<p>{about}</p>
<table>
<tr><th>rank<th>bot<th>score<th>± 2 s.e.<th>games<th>won<th>drawn<th>lost<th>failed<th>not played<th>first failure
{rows}
</table>
{matrix}
<h2>The closest games</h2>
{films}
</html>
"""


def _row(row: Row, called: dict[str, str]) -> str:
    trouble = row.trouble or ""
    if trouble.startswith(row.bot):
        trouble = called[row.bot] + trouble[len(row.bot) :]
    cells = [row.rank, called[row.bot], f"{row.score:.3f}", f"{row.error:.3f}", row.games]
    cells += [row.wins, row.draws, row.losses, row.failures, row.forfeits, trouble[:200]]
    return "<tr>" + "".join(f"<td>{escape(str(cell))}" for cell in cells)


def _matrix(contest: Contest, called: dict[str, str]) -> str:
    """Returns a table of the mean points of each bot (row) against every other bot (column)."""
    names = [row.bot for row in contest.table]
    points: dict[tuple[str, str], list[float]] = {}
    for game in contest.games:
        (one, other), (scored, against) = game.bots, game.points
        points.setdefault((one, other), []).append(scored)
        points.setdefault((other, one), []).append(against)
    head = "".join(f"<th>{place}" for place in range(1, len(names) + 1))
    lines = []
    for place, one in enumerate(names, 1):
        cells = []
        for other in names:
            met = points.get((one, other))
            cells.append(f"<td>{sum(met) / len(met):.2f}" if met else "<td>")
        lines.append(f"<tr><td>{place}<td>{escape(called[one])}{''.join(cells)}")
    return f"<h2>Head to head</h2>\n<table>\n<tr><th><th>bot{head}\n" + "\n".join(lines) + "\n</table>"


def closest(contest: Contest) -> list[Game]:
    """Returns up to three of the closest games without failures, from distinct pairings if possible.

    Ties favor better bots.
    """
    ranks = {row.bot: place for place, row in enumerate(contest.table)}
    fair = [game for game in contest.games if game.margin is not None and game.moves]
    fair.sort(key=lambda game: (game.margin or 0, sum(ranks[bot] for bot in game.bots), game.pair))
    found: list[Game] = []
    for game in fair:
        if all(set(game.bots) != set(other.bots) for other in found):
            found.append(game)
    return [*found, *(game for game in fair if game not in found)][:_FILMS]


def page(contest: Contest, folder: Path, rules: Rules, seed: int, anonymous: bool) -> None:
    """Writes ``index.html``, the films and, for a page without names, ``names.csv``.

    * ``contest``: the contest with its games.
    * ``folder``: the folder to write to, which exists.
    * ``rules``: the rules of the contest.
    * ``seed``: the seed of the contest.
    * ``anonymous``: whether the page shows numbers in place of names; ``names.csv`` then has the names.
    """
    called = {row.bot: row.bot for row in contest.table}
    if anonymous:
        called = {bot: f"bot {number}" for number, bot in enumerate(sorted(called), 1)}
        table = io.StringIO()
        csv.writer(table, lineterminator="\n").writerows(
            [("name", "bot"), *((new, old) for old, new in called.items())]
        )
        write(folder / "names.csv", table.getvalue())
    films = []
    for number, game in enumerate(closest(contest), 1):
        film: Any = rules.start(game.pair, seed).animate(game.moves, seconds=0.7)
        write(folder / f"film{number}.html", film.html())
        who = " against ".join(called[bot] for bot in game.bots)
        points = " to ".join(f"{scored:g}" for scored in game.points)
        films.append(
            f'<h3>{escape(who)}: {points}</h3>\n<iframe src="film{number}.html" title="{escape(who)}"></iframe>'
        )
    about = (
        f"{counted(len(contest.table), 'bot')}, {counted(len(contest.games), 'game')}. A score is the mean number "
        "of points per game: 1 for a win, 0.5 for a draw. The column ± 2 s.e. shows two standard errors of the score, "
        "computed over "
        + ("pairs of games with exchanged seats." if rules.seats == 2 else "boards, which are the same for all bots.")
    )
    text = _PAGE.format(
        title=f"Contest: {escape(contest.game)}",
        about=about,
        light=LIGHT,
        dark=DARK,
        rows="\n".join(_row(row, called) for row in contest.table),
        matrix=_matrix(contest, called) if rules.seats == 2 and len(contest.table) > 2 else "",
        films="\n".join(films) or "<p>No game ended without a failure.</p>",
    )
    write(folder / "index.html", text)
