"""Reads answers from text. Many forms are accepted, but only if the meaning of the answer is unambiguous.

The answer is found as follows:

1. A mark precedes or encloses the answer: ``Answer:`` or a similar phrase such as ``the answer is``, the tags
   ``<answer>`` and ``</answer>``, or ``\\boxed{}``. Any text may precede the mark, but the sentence with the mark
   must not deny or restrict the answer. If several answers are marked, the last one must be readable, and all readable
   ones must be equal.
2. If the text has no mark, the whole text must be the answer, with at most a few words around it.

A marked answer ends at the end of its line, but an answer made of numbers or keys continues over the following lines as
long as these hold nothing else. Only words that cannot change the meaning of the answer, such as "the cell is", may
surround it. An answer beside "not", "or", "about" or a second number is rejected, because a guess at its meaning could
let a wrong answer pass. The value may be repeated, however: as a sum before it, as an equal number, or as a rounded or
truncated decimal number beside a fraction. An explanation may follow after a word such as "because", or on later lines.

Every function that reads an answer raises `Unreadable` if it finds no answer or different answers. All patterns take
time linear in the length of the text, because runs of blanks are joined first.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import TypeVar

from ..words import counted

__all__ = [
    "Cell",
    "Unreadable",
    "cell",
    "cells",
    "choice",
    "ends",
    "fraction",
    "grid",
    "integer",
    "keys",
    "nodes",
    "numbers",
]

Cell = tuple[int, int]
_Value = TypeVar("_Value")

MAX = 100_000
"""The maximum length, in characters, of text that is read."""


class Unreadable(Exception):
    """Raised for text without a readable answer, or with different answers; the message is a full sentence."""


_FOLDED = {ord(character): "-" for character in "‐‑‒–—−－"} | {ord("⁄"): "/", ord("∕"): "/", ord("％"): "%"}
_FOLDED |= {ord(wide): narrow for wide, narrow in zip("（），：；．＝［］｛｝", "(),:;.=[]{}", strict=True)}
_FOLDED |= {ord(quote): '"' for quote in "“”„«»"} | {ord(quote): "'" for quote in "‘’"}


def _plain(text: str) -> str:
    """Returns text with digits of all scripts and common punctuation in ASCII, and with runs of blanks joined."""
    if not text.isascii():
        text = text.removeprefix("\ufeff").translate(_FOLDED)
        # A superscript 2 is not a decimal digit and stays unchanged, so 3² is read neither as 3 nor as 32.
        text = "".join(
            str(unicodedata.decimal(character))
            if character.isdecimal()
            else " "
            if character.isspace() and character != "\n"
            else character
            for character in text
        )
    text = re.sub(r"[ \t\r\f\v]+", " ", text.replace("\r\n", "\n"))
    return re.sub(r" ?\n[ \n]*", "\n", text)


_TAG = re.compile(r"<(/?)answer>", re.IGNORECASE)
_BOXED = re.compile(r"\\boxed ?\{((?:[^{}]|\{[^{}]*\})*)\}")
_MARK = re.compile(
    r"\b(?:answer|solution)[*_`\"']*(?:(?: would be| is| should be| must be)[*_`]*|)"
    r"(?: ?[:=]| ?->|(?<=is)|(?<=be))[*_`: ]*",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^[`~]{3,} ?[A-Za-z+-]*$")
_WHY = re.compile(r"\b(?:because|since|given|due to|which|where|reason|explanation)\b", re.IGNORECASE)
_OTHER = re.compile(
    r"\b(?:or|alternatively|otherwise|maybe|perhaps|possibly|either|also|actually|wrong|incorrect)\b", re.IGNORECASE
)
_BACK = re.compile(r"(?:no|wait|correction|scratch that|that is not|this is not|that's not)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|cannot|never|neither|nor|doubt|wrong|incorrect|unless|if|without|example|sample)\b|n['’]t\b",
    re.IGNORECASE,
)


def _with_marks(text: str) -> str:
    """Moves tagged and boxed answers to lines of their own that begin with ``Answer:``."""
    found, at, start = [], 0, None
    for tag in _TAG.finditer(text):
        if tag[1]:
            if start is not None:
                found += [text[at : start.start()], "\nAnswer: ", text[start.end() : tag.start()].strip(), "\n"]
                at, start = tag.end(), None
        elif start is None:
            start = tag
    text = "".join([*found, text[at:]])
    return _BOXED.sub(lambda boxed: f"\nAnswer: {boxed[1].strip()}\n", text)


def _head(segment: str, belongs: Callable[[str], bool]) -> str:
    """Returns the answer at the start of the text after a mark.

    The answer is the first line, up to a word such as "because". If the line has no such word, the next lines for which
    ``belongs`` returns ``True`` are part of the answer too.
    """
    lines = [line.strip() for line in segment.split("\n")]
    lines = [line for line in lines if line and not _FENCE.match(line)]
    if not lines:
        raise Unreadable("The marked answer is empty.")
    first, at = lines[0], 1
    why = _WHY.search(first)
    if why:
        if _OTHER.search(first, why.end()):
            raise Unreadable("The text offers an alternative to the answer or withdraws it.")
        first = first[: why.start()].rstrip(" ,;(-")
    else:
        while at < len(lines) and belongs(lines[at]):
            first += "\n" + lines[at]
            at += 1
    if at < len(lines):
        # The next line changes the answer if it looks like a further part of the answer or offers an alternative.
        following = lines[at].lstrip("*_-#> ")
        hedged = _OTHER.search(following)
        if re.match(r"[(\[{]+ ?[-+\d]", following) or (hedged and following[0:1].isdigit()):
            raise Unreadable("The line after the answer changes it.")
        if at > 1 and (hedged or "=" in following):
            raise Unreadable("The line after the answer changes it.")
    for line in lines[at:]:
        bare = line.lstrip("*_-#> ")
        if _OTHER.match(bare) or _BACK.match(bare):
            raise Unreadable("The text offers an alternative to the answer or withdraws it.")
    return first


def _read(text: str, parse: Callable[[str], _Value], belongs: Callable[[str], bool]) -> _Value:
    if len(text) > MAX:
        raise Unreadable(f"The text is longer than {MAX:,} characters.")
    text = _with_marks(_plain(text))
    marks = list(_MARK.finditer(text))
    if not marks:
        lines = [line for line in text.strip().split("\n") if not _FENCE.match(line)]
        if not any(lines):
            raise Unreadable("The text is empty.")
        return parse("\n".join(lines))
    ends = [*(mark.start() for mark in marks[1:]), len(text)]

    def value_at(k: int) -> _Value:
        # The sentence with the mark must not deny or restrict the answer, as in "I do not think that the answer is 3".
        before = re.split(r"[\n.!?;]", text[marks[k - 1].end() if k else 0 : marks[k].start()])[-1]
        if _DENIED.search(before):
            raise Unreadable("The sentence with the answer denies or restricts the answer.")
        return parse(_head(text[marks[k].end() : ends[k]], belongs))

    value = value_at(len(marks) - 1)
    for k in range(len(marks) - 1):
        try:
            other = value_at(k)
        except Unreadable:
            continue
        if other != value:
            raise Unreadable("The text gives different answers.")
    return value


_FILLERS = frozenset(
    """the a an is are of my final answer answers here it its it's this that these be to from and with choose pick i we
    would will should therefore thus hence so result value following list in order at by for solution correct cell
    cells field fields tile tiles move swap play line weight total minimum spanning tree sequence keys number rolls
    roll chance probability best exchange exchanging let's let first json text""".split()  # noqa: SIM905
)
"""Words that cannot change the meaning of an answer beside them."""

_FREE = frozenset(" \n.,:;()[]{}\"'`$_#|")


def _only_fillers(rest: str, more: Collection[str] = (), allowed: str = "") -> None:
    """Raises ``Unreadable`` if ``rest``, the text around an answer, could change the meaning of the answer."""
    for word in re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", rest):
        if word.lower() not in _FILLERS and word.lower() not in more:
            raise Unreadable(f'The text around the answer holds "{word[:20]}", which could change its meaning.')
    bare = re.sub(r"[^\W\d_]+(?:'[^\W\d_]+)?", "", re.sub(r"(?m)^ ?[-*>] |\*\*|^\*|\*$|->|=>|→|⇒", " ", rest))
    for character in bare:
        if character not in _FREE and character not in allowed:
            raise Unreadable(f'The text around the answer holds "{character}", which could change its meaning.')


_WHOLE = r"[+-]?\d{1,12}"
_NUMBERS = re.compile(r"[-\s\d()\[\]{}<>,;:.+*|/\"'`]*")


def _is_numbers(line: str) -> bool:
    return bool(_NUMBERS.fullmatch(line))


def _bare(text: str) -> str:
    """Returns text without double asterisks, backticks, dollar signs, and exclamation marks that only add emphasis."""
    # An exclamation mark after the answer is emphasis, but one before a word or an equals sign could mean "not".
    text = re.sub(r"(?<=[\w)\]}\"'*`])!+(?![=\w])", ".", text)
    return text.replace("**", " ").replace("`", " ").replace("$", " ")


def _no_lone_sign(head: str) -> None:
    """Raises ``Unreadable`` for a plus or minus sign before a blank: is it a list marker or the sign of a number?"""
    if re.search(r"(?:^|[^\w)\]])[-+] \d", head):
        raise Unreadable("The text holds a sign apart from its number.")


def _is_one_of(head: str, forms: Collection[str]) -> bool:
    """Returns whether an answer is one of the given forms, ignoring case and harmless punctuation."""
    words = " ".join(re.findall(r"[\w']+", head.lower()))
    return words in forms and all(character.isalnum() or character in _FREE or character == "*" for character in head)


# Whole numbers and fractions

_INTEGER = re.compile(rf"(?<![\w.,/^-])({_WHOLE})(?:\.0{{1,9}})?(?![\w^%]|[.,/]\d| ?/)")


def _last_of_equation(text: str, fillers: Collection[str]) -> str:
    """Returns the text after the last equals sign, such as the 7 of ``3 + 4 = 7``.

    Raises ``Unreadable`` unless the text before each equals sign consists of fillers and at most a sum that equals the
    number after the last equals sign.
    """
    *before, last = text.split("=")
    found = _INTEGER.findall(last)
    for part in before:
        terms = _INTEGER.findall(part)
        _only_fillers(_INTEGER.sub(" ", part), fillers, "+")
        signs = _INTEGER.sub(" ", part).count("+")
        if terms and (len(found) != 1 or signs != len(terms) - 1 or sum(map(int, terms)) != int(found[0])):
            raise Unreadable("The text holds different numbers.")
    return last


def integer(text: str, none: Collection[str] = (), fillers: Collection[str] = (), ordinal: bool = False) -> int | None:
    """Reads a whole number; returns ``None`` for one of the phrases in ``none``.

    * ``text``: the whole text of an answer.
    * ``none``: the phrases for "there is no such number", in lowercase.
    * ``fillers``: further words that cannot change the meaning, in lowercase.
    * ``ordinal``: whether an ordinal number such as "3rd" is read as 3. Default ``False``.

    >>> integer("The weight: 4 + 8 = 12"), integer("**Answer:** 12."), integer("Answer: never", none=["never"])
    (12, 12, None)
    >>> integer("Answer: 12 or 13")
    Traceback (most recent call last):
    gridwright.tasks.answers.Unreadable: The text holds 2 numbers instead of one.
    """

    def parse(head: str) -> int | None:
        head = _last_of_equation(_bare(head), fillers)
        _no_lone_sign(head)
        if ordinal:
            head = re.sub(r"\b(\d{1,9})(?:st|nd|rd|th)\b", r"\1", head)
        if _is_one_of(head, none):
            return None
        found = _INTEGER.findall(head)
        if len(found) != 1:
            contents = "no number" if not found else f"{len(found)} numbers instead of one"
            raise Unreadable(f"The text holds {contents}.")
        _only_fillers(_INTEGER.sub(" ", head), fillers)
        return int(found[0])

    return _read(text, parse, lambda line: _is_numbers(line) and bool(re.search(r"\d", line)))


def numbers(text: str, n: int) -> list[int]:
    """Reads a list of whole numbers.

    * ``text``: the whole text of an answer.
    * ``n``: how many numbers the answer must have.

    >>> numbers("Answer: (0, 1), 3", 3)
    [0, 1, 3]
    """

    def parse(head: str) -> list[int]:
        head = _bare(head)
        if re.search(r"[^-+\d\s,;:()\[\]{}.]|\.\d|\d-", head):
            raise Unreadable("The text holds something other than numbers.")
        _no_lone_sign(head)
        found = re.findall(r"[+-]?\d+", head)
        if len(found) != n:
            raise Unreadable(f"The text holds {counted(len(found), 'number')} instead of {n}.")
        if any(len(part.lstrip("+-")) > 9 for part in found):
            raise Unreadable("The text holds a number of more than nine digits.")
        return [int(part) for part in found]

    return _read(text, parse, lambda line: _is_numbers(line) and bool(re.search(r"\d", line)))


_DECIMAL = r"(?P<decimal>\d{0,12}\.\d{1,12}|\d{1,12})(?P<percent> ?\\?%| percent\b)?"
_END = r"(?![\w^%]|[.,/]\d| ?[/*^])"
_FRACTION = re.compile(
    r"(?<![\w.,/^-])(?:\\[dt]?frac ?\{ ?(?P<over>\d{1,12}) ?\} ?\{ ?(?P<under>\d{1,12}) ?\}"
    rf"|(?P<up>\d{{1,12}}) ?(?:/|out of) ?(?P<down>\d{{1,12}})|{_DECIMAL}){_END}(?!\.\.)"
)
_ROUNDED = re.compile(rf"(?:\bor )?(?:≈|~|\b(?:about|around|approximately)\b) ?{_DECIMAL}{_END}")


def fraction(text: str, fillers: Collection[str] = ()) -> Fraction:
    """Reads a fraction, a decimal number or a percentage as its exact value.

    * ``text``: the whole text of an answer.
    * ``fillers``: further words that cannot change the meaning, in lowercase.

    >>> fraction("Answer: 6/16"), fraction("37.5%"), fraction("<answer>0.375</answer>")
    (Fraction(3, 8), Fraction(3, 8), Fraction(3, 8))
    """

    def parse(head: str) -> Fraction:
        head = _bare(head)
        _no_lone_sign(head)
        # A rounded value beside the exact value only repeats it. The bar keeps the text on its two sides apart.
        parts = _ROUNDED.sub("|", head)
        found = list(_FRACTION.finditer(parts))
        if not found:
            raise Unreadable("The text holds no fraction.")
        if len(found) > 1 and len(found) != parts.count("=") + 1:
            raise Unreadable(f"The text holds {len(found)} numbers instead of one.")
        values = {_value_of(one) for one in found}
        if len(values) != 1:
            raise Unreadable("The text holds different numbers.")
        value = values.pop()
        if not all(_repeats(one, value) for one in _ROUNDED.finditer(head)):
            raise Unreadable("The text holds a rounded value of another number.")
        # An equals sign may separate equal numbers or follow a name such as "p" or "probability".
        _only_fillers(
            _FRACTION.sub(" ", parts), {"goose", *fillers}, "=" if len(found) > 1 or "p" in head.lower() else ""
        )
        return value

    return _read(text, parse, lambda line: _is_numbers(line) and bool(re.search(r"\d", line)))


def _value_of(found: re.Match[str]) -> Fraction:
    over, under = found["over"] or found["up"], found["under"] or found["down"]
    if over is not None:
        if int(under) == 0:
            raise Unreadable("The denominator is 0.")
        return Fraction(int(over), int(under))
    return _decimal(found)


def _decimal(found: re.Match[str]) -> Fraction:
    value = Fraction(found["decimal"])
    return value / 100 if found["percent"] else value


def _repeats(rounded: re.Match[str], value: Fraction) -> bool:
    """Returns whether a number, such as 0.67 or 66%, is ``value`` rounded or truncated to the digits of the number."""
    unit = Fraction(1, 10 ** len(rounded["decimal"].partition(".")[2])) / (100 if rounded["percent"] else 1)
    off = value - _decimal(rounded)
    # A whole number must equal the value: 1 is a chance of its own, not a rounded 2/3.
    return -unit / 2 <= off < unit if unit < 1 else off == 0


# Cells

_NUMBER = r"([+-]?\d{1,9})"
_PAIR = re.compile(
    rf"[(\[{{<] ?{_NUMBER}(?: ?[,;:] ?| ){_NUMBER} ?[)\]}}>]"
    rf"|\brow ?[:=]? ?{_NUMBER} ?(?:,|;|and)? ?(?:column|col)\.? ?[:=]? ?{_NUMBER}\b"
    rf"|\b(?:column|col)\.? ?[:=]? ?{_NUMBER} ?(?:,|;|and)? ?row ?[:=]? ?{_NUMBER}\b",
    re.IGNORECASE,
)


def _pairs(head: str, fillers: Collection[str]) -> list[Cell]:
    """Reads cells in brackets or as "row 1, column 2"; if there are none, reads pairs of bare numbers.

    A line break, a semicolon or a closing bracket ends a part of the text. Each part may hold at most two cells without
    brackets.
    """
    head = _bare(head).replace('"', "").replace("'", "")
    found = list(_PAIR.finditer(head))
    if found:
        cells = []
        for one in found:
            row, col, row2, col2, col3, row3 = one.groups()
            cells.append((int(row or row2 or row3), int(col or col2 or col3)))
        _only_fillers(_PAIR.sub(" ", head), fillers)
        return cells
    if re.search(r"[^-+\d\s,;()\[\]{}.]", head):
        raise Unreadable("The text holds no cell such as (0, 1).")
    _no_lone_sign(head)
    cells = []
    for part in re.split(r"[;\n]|\)|\]", head):
        numbers = re.findall(r"(?<![\w.+-])[+-]?\d{1,9}(?![\w-]|\.\d)", part)
        if len(numbers) != len(re.findall(r"\d+", part)) or len(numbers) % 2:
            raise Unreadable("The text holds numbers that are not cells.")
        if len(numbers) > 4:
            raise Unreadable("The text holds more than two cells without brackets.")
        cells += [(int(numbers[k]), int(numbers[k + 1])) for k in range(0, len(numbers), 2)]
    return cells


def cell(text: str, fillers: Collection[str] = ()) -> Cell:
    """Reads one cell.

    * ``text``: the whole text of an answer.
    * ``fillers``: further words that cannot change the meaning, in lowercase.

    >>> cell("I choose (3, 4)."), cell("Answer: row 3, column 4"), cell("[3,4]"), cell("3 4")
    ((3, 4), (3, 4), (3, 4), (3, 4))
    """

    def parse(head: str) -> Cell:
        found = set(_pairs(head, fillers))
        if len(found) != 1:
            contents = counted(len(found), "cell") + " instead of one" if found else "no cell such as (0, 1)"
            raise Unreadable(f"The text holds {contents}.")
        return found.pop()

    return _read(text, parse, lambda line: _is_numbers(line) and bool(re.search(r"\d", line)))


def cells(text: str, fillers: Collection[str] = ()) -> frozenset[Cell]:
    """Reads a set of cells in any order.

    * ``text``: the whole text of an answer.
    * ``fillers``: further words that cannot change the meaning, in lowercase.

    >>> sorted(cells("Answer: (0, 1), (0, 2) and (1, 0)")), sorted(cells("```json\\n[[0, 1], [0, 2]]\\n```"))
    ([(0, 1), (0, 2), (1, 0)], [(0, 1), (0, 2)])
    """

    def parse(head: str) -> frozenset[Cell]:
        if re.search(r",[ \n]*\.\.", head):
            raise Unreadable("The text leaves cells out.")
        found = frozenset(_pairs(head, fillers))
        if not found:
            raise Unreadable("The text holds no cell such as (0, 1).")
        return found

    return _read(text, parse, _is_numbers)


_FOUR = re.compile(rf"[(\[{{]? ?{_NUMBER}(?: ?, ?| ){_NUMBER}(?: ?, ?| ){_NUMBER}(?: ?, ?| ){_NUMBER} ?[)\]}}]?\.?")


def ends(text: str, fillers: Collection[str] = ()) -> tuple[Cell, Cell]:
    """Reads two different cells in order: the tail and head of a line, or two cells to exchange.

    * ``text``: the whole text of an answer.
    * ``fillers``: further words that cannot change the meaning, in lowercase.

    >>> ends("Answer: (0, 1) to (2, 3)"), ends("0 1 2 3"), ends("[[0, 1], [2, 3]]")
    (((0, 1), (2, 3)), ((0, 1), (2, 3)), ((0, 1), (2, 3)))
    """

    def parse(head: str) -> tuple[Cell, Cell]:
        four = _FOUR.fullmatch(_bare(head).strip())
        if four:
            row, col, row2, col2 = (int(part) for part in four.groups())
            found = [(row, col), (row2, col2)]
        else:
            found = _pairs(head, {"tail", "head", *fillers})
            # "To (2, 3) from (0, 1)" and "head (2, 3), tail (0, 1)" name the second cell first. For each cell, the last
            # of the words "from", "to", "tail" and "head" before the cell decides.
            before = _PAIR.sub("\0", _bare(head).lower()).split("\0")[:2]
            roles = [re.findall(r"\b(?:from|to|tail|head)\b", words)[-1:] for words in before]
            if roles[0] in (["to"], ["head"]) and roles[1:] in ([["from"]], [["tail"]]):
                found.reverse()
        if len(found) != 2:
            raise Unreadable(f"The text holds {counted(len(found), 'cell')} instead of two.")
        if found[0] == found[1]:
            raise Unreadable("The two cells must be different.")
        return found[0], found[1]

    return _read(text, parse, lambda line: _is_numbers(line) and bool(re.search(r"\d", line)))


# Words, keys, nodes and grids


def choice(text: str, options: Mapping[str, Collection[str]], fillers: Collection[str] = ()) -> str:
    """Reads an answer that must be one of several options, and returns the option.

    * ``text``: the whole text of an answer.
    * ``options``: maps each option to its other forms, all in lowercase and made of letters and blanks.
    * ``fillers``: further words that cannot change the meaning, in lowercase.

    >>> choice("Answer: the play is LEGAL.", {"legal": [], "off the board": ["off board"]})
    'legal'
    """
    forms = {form: word for word, others in options.items() for form in (word, *others)}
    known = re.compile(r"\b(?:" + "|".join(sorted(map(re.escape, forms), key=len, reverse=True)) + r")\b")

    def parse(head: str) -> str:
        low = " ".join(re.sub(r"[-_]", " ", _bare(head).lower()).split())
        found = {forms[form] for form in known.findall(low)}
        if len(found) != 1:
            contents = f"{len(found)} different answers" if found else f"none of {', '.join(options)}"
            raise Unreadable(f"The text holds {contents}.")
        _only_fillers(known.sub(" ", low), fillers)
        return found.pop()

    return _read(text, parse, lambda line: False)


_KEYS = {"l": "l", "left": "l", "u": "u", "up": "u", "r": "r", "right": "r", "d": "d", "down": "d"}
_ARROWS = {"←": "l", "↑": "u", "→": "r", "↓": "d", "⬅": "l", "⬆": "u", "➡": "r", "⬇": "d"}
_KEYS_LINE = re.compile(r"(?:[lurd]|left|right|up|down|[-\s,;.>←↑→↓]|[()\[\]\"'`])*", re.IGNORECASE)


def keys(text: str) -> str:
    """Reads a sequence of the keys l, u, r and d.

    * ``text``: the whole text of an answer.

    >>> keys("Answer: rrdl"), keys("R, R, D, L"), keys("right right down left"), keys("→→↓←")
    ('rrdl', 'rrdl', 'rrdl', 'rrdl')
    """

    def parse(head: str) -> str:
        head = _bare(head).replace("\ufe0f", "")
        if ".." in head.rstrip("., \n"):
            raise Unreadable("The text leaves keys out.")
        letters, arrows = (
            re.findall(r"[^\W\d_]+", head.lower()),
            [character for character in head if character in _ARROWS],
        )
        rest = re.sub(r"[^\W\d_]+", " ", head).replace("->", " ").replace("→" if letters else " ", " ")
        if letters and set(arrows) - {"→"}:
            raise Unreadable("The text mixes letters and arrows.")
        if any(character not in " \n,;.-()[]\"'*_:" and (letters or character not in _ARROWS) for character in rest):
            raise Unreadable("The text holds something other than keys.")
        found = ""
        for word in letters:
            if word in _KEYS:
                found += _KEYS[word]
            elif set(word) <= set("lurd"):
                found += word
            else:
                raise Unreadable(f'"{word[:20]}" is not a key.')
        found = found if letters else "".join(_ARROWS[character] for character in arrows)
        if not found:
            raise Unreadable("The text holds no keys.")
        return found

    return _read(text, parse, lambda line: bool(_KEYS_LINE.fullmatch(line)))


def nodes(text: str, names: str, none: Collection[str] = ()) -> str | None:
    """Reads a sequence of nodes named by single letters; returns ``None`` for one of the phrases in ``none``.

    * ``text``: the whole text of an answer.
    * ``names``: the letters of all nodes, in capitals.
    * ``none``: the phrases for "there is no such sequence", in lowercase.

    If the first node is repeated at the end to close a cycle, the repetition is dropped. A cycle given as a list of
    edges, such as A-B, B-C, C-A, is read as the sequence of its nodes.

    >>> nodes("Answer: A-B-C", "ABCD"), nodes("A, B, C, A", "ABCD"), nodes("A-B, B-C, C-A", "ABCD")
    ('ABC', 'ABC', 'ABC')
    >>> nodes("Answer: no", "ABCD", none=["no"])
    """

    def parse(head: str) -> str | None:
        head = _bare(head)
        if _is_one_of(head, none):
            return None
        head = re.sub(r"->|→|-", " ", re.sub(r"\b(?:[Tt]he |[Aa] )?[Cc]ycle(?: is)?\b|\b[Yy]es\b", " ", head))
        words = re.findall(r"[^\W\d_]+", head)
        if len(words) == 1 and len(words[0]) >= 3 and words[0].isupper():
            words = list(words[0])
        found = [word.upper() for word in words]
        if not found or any(len(word) > 1 or word not in names for word in found):
            raise Unreadable("The text holds something other than nodes.")
        _only_fillers(re.sub(r"[^\W\d_]+", " ", head))
        if (
            len(found) % 2 == 0
            and len(found) >= 6
            and all(found[k] == found[(k + 1) % len(found)] for k in range(1, len(found), 2))
        ):
            found = found[::2]
        if len(found) > 1 and found[0] == found[-1]:
            del found[-1]
        return "".join(found)

    return _read(text, parse, lambda line: False)


def grid(text: str, height: int, width: int, most: int) -> list[list[int]]:
    """Reads a grid of digits, row by row.

    * ``text``: the whole text of an answer.
    * ``height``, ``width``: the numbers of rows and columns.
    * ``most``: the largest digit that is allowed.

    >>> grid("Answer:\\n0 1 2\\n3 0 0", 2, 3, 3), grid("[[0, 1, 2], [3, 0, 0]]", 2, 3, 3), grid("012/300", 2, 3, 3)
    ([[0, 1, 2], [3, 0, 0]], [[0, 1, 2], [3, 0, 0]], [[0, 1, 2], [3, 0, 0]])
    """

    def parse(head: str) -> list[list[int]]:
        lines = _bare(head).split("\n")
        if lines and re.search(r"[^\W\d_]", lines[0]) and not re.search(r"\d", lines[0]):
            _only_fillers(lines.pop(0), {"turns", "rows", "grid"})
        bare = "\n".join(lines)
        if re.search(r"[^\d\s()\[\]{},;/|.]|\d\.\d", bare):
            raise Unreadable("The text holds something other than rows of digits.")
        rows = [re.findall(r"\d+", row) for row in re.split(r"[\n/;\])}]", bare)]
        rows = [list(row[0]) if len(row) == 1 and len(row[0]) == width else row for row in rows if row]
        if len(rows) == 1 and len(rows[0]) == height * width:
            rows = [rows[0][k : k + width] for k in range(0, height * width, width)]
        if len(rows) != height or any(len(row) != width for row in rows):
            raise Unreadable(f"The text does not hold {counted(height, 'row')} of {counted(width, 'digit')}.")
        if any(len(part) > 1 or int(part) > most for row in rows for part in row):
            raise Unreadable(f"The text holds numbers that are not between 0 and {most}.")
        return [[int(part) for part in row] for row in rows]

    return _read(text, parse, _is_numbers)
