"""The result of a check: how much is right, and a drawing of the smallest wrong case."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

from ..arguments import flag, number
from ..draw import png
from ..draw.page import image
from ..draw.theme import theme as _theme
from ..files import ending, write
from .panels import Panel, beside, row_of

__all__ = ["Failure", "Part", "Report", "WrongAnswer"]


class WrongAnswer(AssertionError):
    """Raised by ``Report.raise_if_wrong``; its text is the report.

    * ``report``: the report of a check that did not pass.
    """

    def __init__(self, report: Report) -> None:
        super().__init__("\n" + str(report))
        self.report = report


@dataclass(frozen=True)
class Part:
    """One aspect of a check: how many of its cases are right."""

    name: str
    """What is checked, in a few words."""
    passed: int
    """The number of cases that are right."""
    total: int
    """The number of cases. Those not tried, because calls timed out or ended their process, count as wrong."""
    constant: float = 0.0
    """The share of the cases that a trivial answer, such as 0, gets right, from 0 to 1; this share earns no credit."""
    weight: float = 1.0
    """The weight of the part in the score, at least 0, set by the option ``weights`` of the check."""

    @property
    def score(self) -> float:
        """The share of right cases in excess of ``constant``, at least 0 and scaled to be 1 if all cases are right.

        >>> Part("paths", passed=6, total=8, constant=0.5).score
        0.5
        """
        if self.passed == self.total:
            return 1.0
        share = self.passed / self.total
        return max(0.0, (share - self.constant) / (1 - self.constant)) if self.constant < 1 else 0.0

    @property
    def effective_weight(self) -> float:
        """The weight in the score: 0 if a trivial answer is right in all cases."""
        return self.weight if self.constant < 1 else 0.0


@dataclass(frozen=True)
class Failure:
    """The smallest case of a part on which an implementation was found to be wrong."""

    part: str
    """The name of the part."""
    case: Any
    """What the code was given, as plain Python values."""
    call: str
    """The call as Python code that can be pasted and tried, or in words if no such code exists, as for a program."""
    reason: str
    """What is wrong, in a sentence."""
    hint: str
    """The kind of mistake, in a sentence; empty if it is not known."""
    printed: str
    """The end of what the code printed."""
    panels: tuple[Panel, ...]
    """What is drawn: the case, and in most checks the expected answer and the answer of the code."""


@dataclass(frozen=True)
class Report:
    """What a check found: notebooks draw it, ``str`` returns it as text, and ``bool`` is ``True`` if all is right.

    >>> from gridwright import check
    >>> report = check.counts(lambda board: ((board == 1).sum(), (board == 2).sum()))
    >>> report.passed, report.score, bool(report)
    (True, 1.0, True)
    >>> print(report)
    counts: right in all ... cases
    """

    name: str
    """What was checked: the name of the check."""
    parts: tuple[Part, ...]
    """The parts of the check, each with its count of right cases."""
    failures: tuple[Failure, ...]
    """The smallest wrong case found in each part that has one, the smallest of all first."""
    notes: tuple[str, ...] = ()
    """Sentences about how the code ran; empty if there is nothing to say."""

    @property
    def failure(self) -> Failure | None:
        """The smallest case that is wrong; ``None`` if nothing wrong was found."""
        return self.failures[0] if self.failures else None

    @property
    def passed(self) -> bool:
        """Whether nothing wrong was found."""
        return not self.failures

    @property
    def score(self) -> float:
        """The weighted mean of the scores of the parts, from 0 (a trivial answer) to 1 (all right).

        >>> from gridwright import check
        >>> check.power(lambda wires, station: wires > -1).score
        0.0
        """
        if self.passed:
            return 1.0
        most = max((part.effective_weight for part in self.parts), default=0.0)
        if not most:
            return 0.0
        # Uses shares of the largest weight, because the sum of the weights themselves may overflow.
        shares = [part.effective_weight / most for part in self.parts]
        return sum(share * part.score for share, part in zip(shares, self.parts, strict=True)) / sum(shares)

    def points(self, most: float, *, display: bool = True) -> float:
        """Returns the score as points out of ``most``, rounded to 2 decimal places; displays the report by default.

        * ``most``: the points for a score of 1, a finite number of at least 0.
        * ``display``: whether to show the report as well: drawn in a notebook, as text elsewhere.

        >>> from gridwright import check
        >>> check.power(lambda wires, station: wires > -1).points(10, display=False)
        0.0
        """
        most = number("most", most, 0)
        if flag("display", display):
            self._display()
        return round(self.score * most, 2)

    def _display(self) -> None:
        shell = sys.modules.get("IPython")
        if shell is not None and shell.get_ipython() is not None:
            shell.display.display(self)
        else:
            print(self)

    def __bool__(self) -> bool:
        return self.passed

    def raise_if_wrong(self) -> None:
        """Raises ``WrongAnswer``, an ``AssertionError`` with the whole report, if something is wrong.

        >>> from gridwright import check
        >>> check.block(object).raise_if_wrong()
        Traceback (most recent call last):
            ...
        gridwright.check.report.WrongAnswer: ...
        """
        if not self.passed:
            raise WrongAnswer(self)

    @property
    def _title(self) -> str:
        if self.passed:
            total = sum(part.total for part in self.parts)
            return f"{self.name}: right in " + ("the only case" if total == 1 else f"all {total} cases")
        return f"{self.name}: not right yet, score {self.score:.2f}"

    def __str__(self) -> str:
        rows = [self._title]
        if self.failures:
            wide = max(len(part.name) for part in self.parts)
            for part in self.parts:
                sign = "+" if part.passed == part.total else "-"
                rows.append(f"  {sign} {part.name:<{wide}}  {part.passed} of {part.total}")
            first, *others = self.failures
            rows += ["", f"The smallest wrong case found ({first.part}):", *_failure_lines(first, 0)]
            if picture := beside(first.panels):
                rows += ["", picture]
            if first.printed:
                rows += ["", "The code printed:", *("  " + row for row in first.printed.splitlines()[-8:])]
            # A case that has been shown for one part is not shown again for another.
            seen = {first.call}
            for i, failure in enumerate(others, 1):
                if failure.call not in seen:
                    seen.add(failure.call)
                    rows += ["", f"The smallest wrong case found in {failure.part!r}:", *_failure_lines(failure, i)]
        rows += [f"Note: {note}" for note in self.notes]
        return "\n".join(rows)

    __repr__ = __str__

    def svg(self, *, theme: str | None = None) -> str:
        """Draws the report as SVG text, with the smallest wrong case if there is one.

        Most checks draw the expected answer beside the actual one and mark the first difference.

        * ``theme``: ``"light"`` or ``"dark"``; by default the theme set by ``draw.use_theme``; ``ValueError`` for any
          other value.

        >>> from gridwright import check
        >>> check.block(object).svg()[:4]
        '<svg'
        """
        return self._picture(self.failure, theme)

    def _picture(self, failure: Failure | None, theme: str | None) -> str:
        sentences = [failure.reason] if failure else []
        if failure and failure.hint:
            sentences.append(f"Hint: {failure.hint}.")
        title = self._title
        if failure is self.failure:
            sentences += [f"Note: {note}" for note in self.notes]
        elif failure:
            title = failure.part
        panels = failure.panels if failure else ()
        code = failure.call if failure else ""
        return row_of(panels, _theme(theme), title=title, code=code, sentences=sentences, good=self.passed).render()

    def save_image(self, path: str | os.PathLike[str], *, theme: str | None = None) -> None:
        """Saves the picture of the report, as drawn by ``svg``, to a file.

        * ``path``: the file; its ending selects the format, ``.svg`` or ``.png``; ``ValueError`` for any other ending.
          PNG needs ``gridwright[images]``.
        * ``theme``: ``"light"`` or ``"dark"``; by default the theme set by ``draw.use_theme``; ``ValueError`` for any
          other value.
        """
        form, drawn = ending(path, (".svg", ".png")), self.svg(theme=theme)
        write(path, drawn if form == ".svg" else png(drawn))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        html = image(lambda theme: self.svg(theme=theme), self._title)
        if self.failure is not None:
            rows = "".join(
                f"<tr><td>{escape(part.name)}</td><td>{part.passed} of {part.total}</td></tr>" for part in self.parts
            )
            html += f"<table>{rows}</table>"
            if self.failure.printed:
                html += f"<p>The code printed:</p><pre>{escape(self.failure.printed[-600:])}</pre>"
            seen = {self.failure.call}
            for failure in self.failures[1:]:
                if failure.call not in seen:
                    seen.add(failure.call)
                    picture = image(partial(self._picture, failure), failure.reason)
                    words = escape(f"{failure.part}: {failure.reason}")
                    html += f"<details><summary>{words}</summary>{picture}</details>"
        return {"text/html": html, "text/plain": str(self)}


_LONG_CALL = 400
"""The maximum number of characters of a call in the text of a report; ``failures`` holds the whole call."""


def _failure_lines(failure: Failure, i: int) -> list[str]:
    call = failure.call
    if len(call) > _LONG_CALL:
        call = f"{call[:_LONG_CALL]}...\n  (failures[{i}].call of this report is the whole call)"
    rows = [f"  {call}", f"  {failure.reason}"]
    return [*rows, f"  Hint: {failure.hint}."] if failure.hint else rows
