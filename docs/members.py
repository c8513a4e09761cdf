"""The members of a game in groups, for the top of its page in the reference."""

from __future__ import annotations

GROUPS = {
    "Make": """level levels load generate generate_many from_wires empty blank edit editor copy batch""",
    "Play": """play play_on undo redo reset controls widget swap rotate move_station show mark draw
        is_legal legal_moves legal_mask sample_legal bounds can_select can_swap judge""",
    "Read": """board text status is_solved shape height width moves undone
        beams lit sensors lasers hardware trace
        wires powered distance station radius initial_radius diameter score par turns tree spread spread_columns
        solved_wires hexagonal wrap origin beside
        block bridges start target rolls falls is_split
        view secret geese hidden lives openings three_bv min_shows needs_no_guess flood
        counts plays verdicts to_move winner lines clashes gain size lookback rules report display_board""",
    "Solve and explain": """solve solution hint explain difficulty count_solutions count_shortest state_graph
        probabilities suggest best_line random_games perft""",
    "Draw and keep": """svg save_image animate save""",
}
"""Group -> public members of the games, in the order in which they are shown."""

UNLISTED = {"CONTROLS", "NAME", "VIEWS", "HEXAGON_KEYS", "SQUARE_KEYS", "move_key", "station_moves"}
"""Public members that only the package itself needs."""


def grouped(kind: type) -> dict[str, list[str]]:
    """Returns the public members of a game by group; raises ``ValueError`` for one that is in no group."""
    public = {name for name in dir(kind) if not name.startswith("_")} - UNLISTED
    found = {group: [name for name in names.split() if name in public] for group, names in GROUPS.items()}
    missing = public.difference(*found.values())
    if missing:
        raise ValueError(f"docs/members.py must name the group of {', '.join(sorted(missing))} of {kind.__name__}")
    return found


def overview(kind: type) -> str:
    """Returns a Markdown table of a game's members, each a link to its entry on the page."""
    rows = ["| to | members |", "|---|---|"]
    for group, names in grouped(kind).items():
        links = " ".join(f"[`{name}`][{kind.__module__}.{kind.__name__}.{name}]" for name in names)
        rows.append(f"| {group.lower()} | {links} |")
    return "\n".join(rows)
