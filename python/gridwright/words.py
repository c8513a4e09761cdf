"""Words for messages: similar names, lists, counted nouns, printable text. Imports no other module of the package."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["counted", "dimensions", "either", "listed", "nearest", "percent", "readable"]

_MAX_NAMES = 12
"""The greatest number of names that a message lists."""


def nearest(name: object, known: Iterable[str]) -> str:
    """Returns the end of a sentence about an unknown name: the most similar name, or else the known ones.

    * ``name``: the unknown name.
    * ``known``: the names that exist; the first 12 of them are listed if none is similar. If several are equally
      similar, the first three are named. Upper and lower case count as the same, numbers are compared without their
      leading zeros, and a name that ends in ``name`` is similar unless ``name`` has fewer than two characters.

    >>> nearest("lvl1", ["level01", "level02", "level11"]), nearest("02", ["level01", "level02"])
    ('did you mean "level01"?', 'did you mean "level02"?')
    >>> nearest("level", ["level01", "level02", "other"])
    'did you mean "level01" or "level02"?'
    >>> nearest("x", ["light", "dark"])
    'expected one of light, dark'
    """
    import difflib  # imported here, because only an unknown name needs it
    import re

    names = list(known)
    given = str(name)[:200].lower()

    def plain(word: str) -> str:
        return re.sub(r"(?<!\d)0+(?=\d)", "", word)

    def similarity(word: str) -> float:
        ratio = difflib.SequenceMatcher(None, plain(word), plain(given)).ratio()
        return max(ratio, 0.6) if len(given) > 1 and word.endswith(given) else ratio

    scores = [similarity(word.lower()) for word in names]
    best = max(scores, default=0.0)
    if best >= 0.6:
        quoted = [f'"{word}"' for word, score in zip(names, scores, strict=True) if score == best]
        return f"did you mean {either(quoted[:3])}?"
    return "expected one of " + ", ".join(names[:_MAX_NAMES]) + (", ..." if len(names) > _MAX_NAMES else "")


def either(names: Iterable[str]) -> str:
    """Returns names as one string, with commas and an "or" before the last.

    * ``names``: the names in their order; an empty iterable gives an empty string.

    >>> either(["left"]), either(["left", "up", "right"])
    ('left', 'left, up or right')
    """
    return _joined(names, "or")


def listed(names: Iterable[str]) -> str:
    """Returns names as one string, with commas and an "and" before the last.

    * ``names``: the names in their order; an empty iterable gives an empty string.

    >>> listed(["left"]), listed(["left", "up", "right"])
    ('left', 'left, up and right')
    """
    return _joined(names, "and")


def _joined(names: Iterable[str], word: str) -> str:
    *first, last = [*names] or [""]
    return f"{', '.join(first)} {word} {last}" if first else last


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Returns a number with its noun, in the plural unless the number is 1.

    * ``number``: the number, written with commas between thousands.
    * ``noun``: the noun in the singular.
    * ``plural``: the noun in the plural; ``None`` (the default) is ``noun`` with an s.

    >>> counted(1, "goose", "geese"), counted(2, "move")
    ('1 goose', '2 moves')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def dimensions(height: int, width: int) -> str:
    """Returns the size of a board in words.

    * ``height``, ``width``: the numbers of rows and columns.

    >>> dimensions(1, 4)
    '1 row and 4 columns'
    """
    return f"{counted(height, 'row')} and {counted(width, 'column')}"


def percent(chance: float, digits: int = 0) -> str:
    """Returns a probability in percent, without the percent sign; only exactly 0 and 1 become 0 and 100.

    * ``chance``: the probability, 0 to 1.
    * ``digits``: the number of decimals, 0 by default.

    >>> [percent(chance) for chance in (0.0, 0.001, 0.5, 0.999, 1.0)], percent(0.0001, 1)
    (['0', '<1', '50', '>99', '100'], '<0.1')
    """
    shown, least = 100 * chance, 10.0**-digits
    if 0 < shown < least:
        return f"<{least:.{digits}f}"
    if 100 - least < shown < 100:
        return f">{100 - least:.{digits}f}"
    return f"{shown:.{digits}f}"


def readable(text: object, most: int = 2000) -> str:
    """Returns text that pages and terminals can show.

    Windows line endings become newlines. Characters that ``str.isprintable`` rejects, other than newlines and tabs,
    are replaced by U+FFFD: control and format characters, spaces other than the ordinary one, lone surrogates, and
    private-use and unassigned characters.

    * ``text``: any object; its ``str`` is taken.
    * ``most``: the maximum number of characters returned, at least 3; 2000 by default. Longer text is cut to end in
      ``...``.

    >>> readable("a\\x07b", 10)
    'a\ufffdb'
    """
    text = str(text).replace("\r\n", "\n")
    if len(text) > most:
        text = text[: most - 3] + "..."
    return "".join(
        character if character in "\n\t" or character.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for character in text
    )
