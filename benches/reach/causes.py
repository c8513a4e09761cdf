"""What takes the time in rows of ``RESULTS.md`` that can miss their goals, judged mostly by counts of instructions."""

CAUSES = {
    "legal plays of Linear Domination 8x8 as bits": (
        "half of the instructions look up the plays that the window forbids, the other half move bytes of two 128-byte "
        "tables"
    ),
    "legal plays of Linear Domination 8x8 as bools": (
        "a quarter of the time is spent on finding the words of the mask, the rest on expanding their bits to bytes"
    ),
    "compute_neighbours": "three loads per 64 fields instead of one; two of the three cross cache-line boundaries",
    "batch steps, GeeseSpotter": (
        "about 480 instructions per step, which show a field, update the mask around it and start the next episode"
    ),
    "batch steps, Bloxorz": (
        "about 225 instructions per step: half of them for the roll, the status and the bytes of board and mask, half "
        "for the step count, the rows of the arrays and the results"
    ),
    "batch steps, LightEmAll": (
        "about 320 instructions per step: a third of them read the four neighboring tiles, a quarter handle the step "
        "count, the rows of the arrays and the results; few bytes change"
    ),
    "batch steps, MyPhoton": (
        "about 900 instructions per step: a third of them update board and mask, a third remove light and spread light "
        "again"
    ),
    "board of 1000x1000 with one solution": (
        "the whole board is solved three times, once at the start and twice for the proof; in between, only the area "
        "near a change is solved"
    ),
    "the graph of all states": (
        "1.8 times as many instructions as the shortest solutions; the operating system spends over a third of the "
        "time on memory pages for the lists of the graph"
    ),
    "light of 15x15 boards, 31 heads, with beams": (
        "about 1,060 instructions per board: half of them follow light, a quarter check the codes and find the lasers"
    ),
    "exact chances": (
        "in consecutive calls from Rust, the 99th percentile is three times the median; in calls from Python that "
        "alternate with calls to the peer, it is ten times the median"
    ),
    "first_hit": "about 565 instructions per ray: crossings are computed exactly, whereas the peer adds up floats",
    "MyPhoton.solve": (
        "a third of the instructions flood light from the lasers, a quarter trace light back from the sensors, and a "
        "quarter determine which pieces serve which sensors"
    ),
}
"""Maps the beginning of a row's ``work`` to the explanation for that row."""


def cause(work: str) -> str:
    """Returns the explanation for a row's work, or an empty string if there is none."""
    return next((sentence for start, sentence in CAUSES.items() if work.startswith(start)), "")
