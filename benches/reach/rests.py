"""Why rows miss their reach: one sentence per row on what takes the time, from counts of instructions."""

RESTS = {
    "legal plays of Linear Domination 8x8 as bits": "a mask reads six tables of 512 bytes, two per play of the window",
    "legal plays of Linear Domination 8x8 as bools": "512 lookups that write 8 bytes each",
    "cell lists of 15,000 lines": "about 19 instructions per cell decide which cell is next",
    "compute_neighbours": "two instructions per field: sums along rows and columns, and the test for geese",
    "batch steps, GeeseSpotter": "about 860 instructions per step: the show, its flood, the status, the next episode",
    "batch steps, MyPhoton": "about 2,060 instructions per step: light is taken back and spread anew",
    "batch steps, Bloxorz": "about 500 instructions per step: the roll, the status, few bytes of board and mask",
    "batch steps, LightEmAll": "about 780 instructions per step: power is spread anew, and few bytes change",
    "board of 1000x1000 with one solution": (
        "the whole board is solved twice, first and to prove the result; between, only what is near a change"
    ),
    "the graph of all states": "1.1 times the instructions of the solutions; the rest is memory of states and edges",
    "light of 15x15 boards, 31 heads, with beams": "about 2,050 instructions per board, 66 per head",
    "exact chances": "about 75,000 instructions per position of an expert game",
    "first_hit": "about 565 instructions per ray: exact crossings where the peer adds up floats",
    "MyPhoton.solve": "the tail of a search that is exact about light in circles; not looked into further",
}
"""Sentences by the beginning of the row's work."""


def rest(work: str) -> str:
    """Returns the sentence for a row's work, or an empty text if there is none."""
    return next((sentence for start, sentence in RESTS.items() if work.startswith(start)), "")
