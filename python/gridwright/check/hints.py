"""Hints about mistakes, based on the reason for a missing answer or on a known mistake that explains the answers."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["of_answers", "of_trouble"]

_TROUBLES = (
    (r"(?!raised ).*\(is a return missing\?\)$", "a function without `return` returns None"),
    ("did not finish within", "a loop whose condition never changes on this case, or work that grows much too fast"),
    (r"raised RecursionError\b", "a recursion that does not end: the base case is missing or never reached"),
    (
        "raised (IndexError: pop from (an )?empty|KeyError: 'pop(item\\(\\): dictionary is empty| from an empty))",
        "nothing is left to take: test that the list, queue, set or dict is not empty",
    ),
    (
        r"raised IndexError: .*out of (range|bounds)",
        "an index out of range: the last index is the length minus 1; test the bounds first",
    ),
    (
        r"raised KeyError\b",
        "a key that is not in the dict, or an element that is not in the set: test with `in` first, or use .get",
    ),
    (
        r"raised ZeroDivisionError\b",
        "a division by 0: look for a divisor that can be 0, such as the length of a line",
    ),
    (r"raised UnboundLocalError\b", "a variable that has no value on this path through the function"),
    (r"raised NameError\b", "a name that is not defined: misspelled, or defined in a cell that was not run"),
    (
        "raised AttributeError: 'NoneType' object",
        "a value is None: nothing else was assigned, or a function without `return` returned it",
    ),
    (r"raised AttributeError\b", "a method or attribute that is missing or misspelled"),
    (
        r"raised OverflowError: Python integer -\d+ out of bounds for uint8",
        "a negative number in a byte, which holds 0 to 255: ~ of an int is negative; `& (0xFF ^ bit)` clears a bit",
    ),
    (
        r"raised (OverflowError: Python integer \d+ out of bounds for uint8|ValueError: bytes? must be in range)",
        "a number that does not fit: a byte holds 0 to 255",
    ),
    ("needs more memory than", "a list that grows without end"),
    (
        r"raised TypeError: .* positional argument",
        "the wrong number of arguments: compare the parameters with the call",
    ),
    ("'.*' object has no attribute '", "a method or attribute that is missing or misspelled"),
    (
        r"raised \w+: gridwright is not available to code",
        "the answer has to be computed by your code, not by this package",
    ),
    (
        "raised PermissionError: .* is not allowed in code",
        "checked code must not start processes, send signals, open connections, use ctypes or set environment "
        "variables",
    ),
    ("ended the process", "exit() and os._exit() end the process: return instead"),
    ("(?!raised ).*expected a whole number$", "a value of another type: text or 2.5 is not a whole number"),
    ("(?!raised ).*expected True or False$", "a value of another type: return True or False"),
)
"""Pairs of a regular expression and a hint. The first expression that matches a sentence selects the hint."""


def of_trouble(sentence: str) -> str:
    """Returns the hint for a sentence that says why there is no answer; an empty string if no hint fits.

    * ``sentence``: the sentence, such as ``raised KeyError: 3``. The line of code at its end is not read.

    >>> of_trouble("raised RecursionError: maximum recursion depth exceeded")[:29]
    'a recursion that does not end'
    """
    sentence = re.sub(r" \(line \d+(: .*)?\)$", "", sentence, flags=re.DOTALL)
    return next((hint for clue, hint in _TROUBLES if re.match(clue, sentence, re.DOTALL)), "")


def _reversed(_: Any, expected: Any) -> Any:
    return expected[::-1]


def _transposed(_: Any, expected: Any) -> Any:
    return tuple(zip(*expected, strict=True))


def _negated(_: Any, expected: Any) -> Any:
    if not isinstance(expected, bool):
        raise TypeError
    return not expected


def _shifted(by: int) -> Callable[[Any, Any], Any]:
    def model(_: Any, expected: Any) -> Any:
        if isinstance(expected, bool):
            raise TypeError
        return expected + by

    return model


_ALWAYS: tuple[tuple[str, Callable[[Any, Any], Any]], ...] = (
    ("off by one: each answer is 1 too large", _shifted(1)),
    ("off by one: each answer is 1 too small", _shifted(-1)),
    ("the answer is inverted: True and False are swapped", _negated),
    ("rows and columns are swapped in the answer", _transposed),
    ("the answer is in the opposite order", _reversed),
)
"""Mistakes that any code can have, as pairs of a hint and a function ``(case, expected)`` that returns the answer."""


def _explains(model: Callable[[Any, Any], Any], rows: Sequence[tuple[Any, Any, Any]]) -> bool:
    try:
        return all(bool(model(case, expected) == got) for case, expected, got in rows)
    except Exception:  # a model that does not fit this kind of answer, or this case
        return False


def _is_denied(model: Callable[[Any, Any], Any], wrong: Sequence[tuple[Any, Any, Any]]) -> bool:
    """Returns whether, of the wrong answers to cases that the model gets wrong too, under a quarter are its own."""
    same = different = 0
    for case, expected, got in wrong:
        with contextlib.suppress(Exception):
            answer = model(case, expected)
            agrees, right = bool(answer == got), bool(answer == expected)
            same += agrees
            different += not agrees and not right
    return different > 3 * same


def of_answers(
    known: Sequence[tuple[str, Callable[[Any, Any], Any]]],
    wrong: Sequence[tuple[Any, Any, Any]],
    right: Sequence[tuple[Any, Any, Any]],
    others: Sequence[tuple[Any, Any, Any]],
    *,
    exact: bool,
) -> str:
    """Returns the hint of the first mistake that explains the answers.

    The mistakes of ``known`` are tried first, then those that any code can have. If ``exact`` is ``True``, a mistake of
    ``known`` need not explain all of ``others``, because there may be a second mistake; but at least a quarter of the
    answers in ``others`` to cases that the mistake gets wrong must be those of the mistake. If ``exact`` is ``False``,
    right answers cannot refute a mistake of ``known``, so it must explain all of ``others``. The hints of mistakes that
    any code can have speak of each answer, so these mistakes must explain ``others`` too. If no mistake explains the
    answers, but ``exact`` is ``True`` and more than three rows all have the same answer, the hint says that the answer
    is always the same. Otherwise, the result is an empty string.

    Rows are tuples ``(case, expected, got)``.

    * ``known``: pairs of a hint and a function ``(case, expected)`` that returns the answer of code with that mistake.
    * ``wrong``: the rows with the wrong answers that the mistake must explain.
    * ``right``: all rows with right answers.
    * ``others``: further rows with wrong answers; they may include those of ``wrong``.
    * ``exact``: whether each case has exactly one right answer; if not, a mistake need not explain the right rows.

    >>> of_answers([], [(1, 5, 6), (2, 8, 9)], [], [], exact=True)
    'off by one: each answer is 1 too large'
    >>> of_answers([], [(1, 5, 6), (2, 8, 9)], [(3, 7, 7)], [], exact=True)
    ''
    >>> wrong, right = [(1, 5, 7), (2, 8, 7)], [(3, 7, 7)]
    >>> of_answers([], wrong, right, wrong, exact=True)
    ''
    >>> of_answers([], [*wrong, (4, 9, 7)], right, wrong, exact=True)
    'the answer is always the same, whatever the case'
    """
    rows = [*wrong, *right] if exact else wrong
    every = [*rows, *others]
    for hint, model in known:
        if _explains(model, rows) and not (_is_denied(model, others) if exact else not _explains(model, others)):
            return hint
    for hint, model in _ALWAYS:
        if _explains(model, every):
            return hint
    # If `others` include the rows of `wrong`, these are counted once.
    if exact and len(right) + max(len(wrong), len(others)) > 3 and all(got == every[0][2] for *_, got in every):
        return "the answer is always the same, whatever the case"
    return ""
