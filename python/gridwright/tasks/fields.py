"""Tasks about GeeseSpotter: certainly safe fields, exact chances, and the best guess."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from ..geese import Action, GeeseSpotter
from ..status import Status
from . import answers
from .choices import Choices
from .task import RIGHT, Posed, Score, line_of

__all__ = ["best_guess", "board_text", "chances", "goose_chance", "safe_field"]

MAX = 10**6
"""The largest number of placements of the geese for which chances are converted to exact fractions."""

_SIZES = {1: (3, 4, 3), 2: (4, 4, 4), 3: (4, 5, 5), 4: (5, 5, 6), 5: (5, 6, 7)}
"""Grade -> height, width and number of geese."""


def board_text(game: Any) -> str:
    """Returns the board as a player sees it, with an explanation, as text.

    * ``game``: the position.
    """
    height, width = game.shape
    return "\n".join(
        [
            f"A board of {height} rows and {width} columns of fields hides {game.geese} geese, at most one per field. "
            "Cells are (row, col), counted from (0, 0) at the top left.",
            "`*` is a hidden field. A digit is a field without a goose; it counts the geese among its "
            "neighbors. All placements of the geese that agree with the digits are equally likely.",
            "",
            *("".join(row) for row in game.view.tolist()),
            "",
        ]
    )


def chances(game: Any) -> dict[tuple[int, int], Fraction]:
    """Returns the exact chance of a goose in each hidden field of a board with at most `MAX` placements.

    * ``game``: the position.
    """
    return {cell: exact(chance) for cell, chance in _floats(game).items()}


def exact(chance: float) -> Fraction:
    """Returns the exact value of a chance on a board with at most `MAX` placements.

    * ``chance``: the chance, rounded to a float from 0 to 1.

    The exact value is a fraction with a denominator of at most `MAX`. Different fractions of this kind are at least
    1 / MAX^2 apart. The rounding error is far less than half of this distance, so the nearest fraction is the exact
    value.
    """
    return Fraction(chance).limit_denominator(MAX)


_NEAR = 0.5 / MAX
"""The tolerance for comparing chances on one board. Different chances differ by at least 1 / number of placements."""


def _floats(game: Any) -> dict[tuple[int, int], float]:
    """Returns the chance of a goose in each hidden field, as a float."""
    places = game.hidden.nonzero()
    found = game.probabilities()[places].tolist()
    return dict(zip(zip(places[0].tolist(), places[1].tolist(), strict=True), found, strict=True))


def _position(choices: Choices, grade: int, shows: int) -> Any:
    """Returns an open game with at most `MAX` placements in which random fields without a goose are shown."""
    height, width, geese = _SIZES[grade]
    while True:
        game = GeeseSpotter.generate(height, width, geese, seed=choices.word())
        free = [place for place, code in enumerate((game.secret & 15).ravel().tolist()) if code != 9]
        for place in choices.sample(free, shows):
            # An earlier field with no goose around it may already have shown this field.
            if game.is_legal(Action.SHOW, *divmod(place, width)):
                game.play(Action.SHOW, *divmod(place, width))
        if game.status == Status.OPEN and comb(int(game.hidden.sum()), geese) <= MAX:
            return game


def _draw(game: Any) -> str:
    return str(game.svg(theme="light", axes=True))


def _facts(game: Any) -> dict[str, Any]:
    return {"view": ["".join(row) for row in game.view.tolist()], "geese": game.geese}


def _against_best(game: Any, given: tuple[int, int]) -> Score:
    """Scores a field: the chance that it holds no goose, divided by the chance that the best field holds none."""
    found = chances(game)
    least = min(found.values())
    if given not in found:
        return Score(0.0, f"({given[0]}, {given[1]}) is not a hidden field of the board.")
    if found[given] == least:
        return RIGHT
    value = float((1 - found[given]) / (1 - least))
    return Score(value, f"The chance of a goose is {found[given]} in this field and {least} in the best field.")


_FILLERS = {"safe", "free", "show", "hidden", "certainly", "guess"}


def safe_field(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``safe_field``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    while True:
        game = _position(choices, grade, 2 + grade)
        found = _floats(game)
        safe = [cell for cell, chance in found.items() if chance < _NEAR]
        # At most a third of the hidden fields may be safe, so that a random guess usually fails.
        if 1 <= len(safe) <= len(found) // 3 and _needs(game, safe) == grade // 2:
            break
    question = board_text(game) + "Name a hidden field that certainly holds no goose. There is at least one."

    def judge(answer: str) -> Score:
        return _against_best(game, answers.cell(answer, _FILLERS))

    row, col = safe[0]
    return Posed(question, line_of("(row, col)"), f"({row}, {col})", judge, lambda: _draw(game), _facts(game))


def _needs(game: Any, safe: list[tuple[int, int]]) -> int:
    """Returns the easiest rule that proves one of the fields safe: 0 for count, 1 for subset, 2 for a harder rule."""
    rules = ("count", "subset")
    return min(rules.index(rule) if rule in rules else 2 for rule in (game.explain(cell).rule for cell in safe))


def goose_chance(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``goose_chance``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    while True:
        game = _position(choices, grade, 2 + grade)
        open_ = [(cell, chance) for cell, chance in _floats(game).items() if _NEAR < chance < 1 - _NEAR]
        if open_:
            break
    (row, col), chance = choices.one_of(open_)
    expected = exact(chance)
    question = board_text(game) + (
        f"What is the chance that the field ({row}, {col}) holds a goose? Give it as an exact fraction."
    )

    def judge(answer: str) -> Score:
        given = answers.fraction(answer, {"field", "holds", "exact", "exactly", "fraction", "p"})
        return RIGHT if given == expected else Score(0.0, "This is not the exact chance.")

    facts = {**_facts(game), "cell": [row, col]}
    return Posed(question, line_of("a fraction such as 3/7"), str(expected), judge, lambda: _draw(game), facts)


def best_guess(choices: Choices, grade: int) -> Posed:
    """Makes a puzzle of the kind ``best_guess``.

    * ``choices``: the seeded choices.
    * ``grade``: the grade, 1 to 5.
    """
    while True:
        # Few fields are shown, because with more shown fields, a hidden field is more often certainly safe.
        game = _position(choices, grade, 2 + grade // 2)
        found = _floats(game)
        least = min(found.values())
        best = [cell for cell, chance in found.items() if chance < least + _NEAR]
        if least > _NEAR and len(best) <= len(found) // 2:
            break
    question = board_text(game) + (
        "No hidden field is certain to hold no goose. Name a hidden field with the least chance of a goose."
    )

    def judge(answer: str) -> Score:
        return _against_best(game, answers.cell(answer, _FILLERS))

    row, col = best[0]
    return Posed(question, line_of("(row, col)"), f"({row}, {col})", judge, lambda: _draw(game), _facts(game))
