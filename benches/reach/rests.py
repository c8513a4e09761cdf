"""What takes the time in rows that miss their goals: sentences based mostly on counts of instructions."""

RESTS = {
    "legal plays of Linear Domination 8x8 as bits": (
        "half of the instructions look up what the window forbids, half move bytes of two tables of 128 bytes"
    ),
    "legal plays of Linear Domination 8x8 as bools": (
        "a quarter of the time goes to finding the words, the rest to spreading them to bytes"
    ),
    "compute_neighbours": "three loads per 64 fields where one is needed, two of them across the ends of cache lines",
    "batch steps, GeeseSpotter": "about 480 instructions per step: the show, the mask around it, the next episode",
    "batch steps, Bloxorz": (
        "about 225 instructions per step: half of them the roll, the status and the bytes of board and mask, half the "
        "clock, the rows and the results"
    ),
    "batch steps, LightEmAll": (
        "about 320 instructions per step: a third of them read the four tiles around, a quarter handle the clock, the "
        "rows and the results; few bytes change"
    ),
    "batch steps, MyPhoton": (
        "about 900 instructions per step: a third update board and mask, a third take light back and spread it again"
    ),
    "board of 1000x1000 with one solution": (
        "the whole board is solved three times, once at first and twice for the proof; otherwise only the area near a "
        "change is solved"
    ),
    "the graph of all states": (
        "1.8 times the instructions of the solutions; the system spends over a third of the time on pages for the "
        "lists of the graph"
    ),
    "light of 15x15 boards, 31 heads, with beams": (
        "about 1,060 instructions per board: half of them follow light, a quarter check the codes and find the lasers"
    ),
    "exact chances": (
        "in consecutive calls from Rust, the 99th percentile is three times the median; in calls from Python that "
        "alternate with the peer's, ten times"
    ),
    "first_hit": "about 565 instructions per ray: exact crossings where the peer adds up floats",
    "MyPhoton.solve": (
        "a third of the instructions flood light from the lasers, a quarter walk it back from the sensors, a quarter "
        "ask which pieces serve which sensors"
    ),
}
"""Maps the beginning of a row's ``work`` to the sentence for that row."""


def rest(work: str) -> str:
    """Returns the sentence for a row's work, or an empty string if there is none."""
    return next((sentence for start, sentence in RESTS.items() if work.startswith(start)), "")
