"""The answer of a check: how much is right, and the smallest case that is not, drawn."""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from ..draw import png
from ..draw.theme import theme as _theme
from .panels import Panel, beside, row_of

__all__ = ["Failure", "Part", "Report", "WrongAnswer"]


class WrongAnswer(AssertionError):
    """What ``Report.raise_if_wrong`` raises: its text is the report. ``report`` is the report itself."""

    def __init__(self, report: Report) -> None:
        super().__init__("\n" + str(report))
        self.report = report


@dataclass(frozen=True)
class Part:
    """One aspect of a check: how many of its cases are right."""

    name: str
    passed: int
    total: int

    @property
    def score(self) -> float:
        """Share of the cases that are right, 0 to 1."""
        return self.passed / self.total if self.total else 1.0


@dataclass(frozen=True)
class Failure:
    """The smallest case on which an implementation was found wrong."""

    case: Any
    """What it was given, as plain Python values."""
    call: str
    """The call, as it can be pasted and tried."""
    reason: str
    """What is wrong, in a sentence."""
    printed: str
    """The end of what it printed."""
    panels: tuple[Panel, ...]
    """The case, what was expected and what came, to be drawn."""


@dataclass(frozen=True)
class Report:
    """What a check found. Drawn by notebooks, read as text, and true where nothing is wrong.

    >>> from gridwright import check
    >>> from gridwright.bloxorz import Block
    >>> report = check.block(Block)
    >>> report.passed, report.score, bool(report)
    (True, 1.0, True)
    >>> print(report)
    block: right in all ... cases
    """

    name: str
    parts: tuple[Part, ...]
    failure: Failure | None
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing wrong was found."""
        return self.failure is None

    @property
    def score(self) -> float:
        """The mean of the scores of the parts: 0 to 1, and 1 only where nothing is wrong."""
        return sum(part.score for part in self.parts) / len(self.parts)

    def points(self, most: float) -> float:
        """Returns the score as points out of ``most``, to two places."""
        return round(self.score * most, 2)

    def __bool__(self) -> bool:
        return self.passed

    def raise_if_wrong(self) -> None:
        """Raises ``WrongAnswer``, an ``AssertionError`` with the whole report, where something is wrong.

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
            return f"{self.name}: right in all {sum(part.total for part in self.parts)} cases"
        return f"{self.name}: not right yet, score {self.score:.2f}"

    def __str__(self) -> str:
        rows = [self._title]
        if self.failure is not None:
            wide = max(len(part.name) for part in self.parts)
            for part in self.parts:
                sign = "+" if part.passed == part.total else "-"
                rows.append(f"  {sign} {part.name:<{wide}}  {part.passed} of {part.total}")
            rows += ["", "The smallest case that was found:", f"  {self.failure.call}", f"  {self.failure.reason}", ""]
            rows.append(beside(self.failure.panels))
            if self.failure.printed:
                rows += ["", "It printed:", *("  " + row for row in self.failure.printed.splitlines()[-8:])]
        rows += [f"Note: {note}" for note in self.notes]
        return "\n".join(rows)

    __repr__ = __str__

    def svg(self, *, theme: str | None = None) -> str:
        """Draws the report as SVG text: what was given, expected beside got, the first difference marked."""
        failure = self.failure
        sentences = [failure.reason] if failure else []
        sentences += [f"Note: {note}" for note in self.notes]
        panels = failure.panels if failure else ()
        code = failure.call if failure else ""
        picture = row_of(panels, _theme(theme), title=self._title, code=code, sentences=sentences, good=self.passed)
        return picture.render()

    def save_image(self, path: str | os.PathLike[str], *, theme: str | None = None) -> None:
        """Writes the picture, ``.svg`` or ``.png`` by the ending; PNG needs ``gridwright[images]``."""
        file = Path(path)
        if file.suffix.lower() == ".svg":
            file.write_text(self.svg(theme=theme), encoding="utf-8")
        elif file.suffix.lower() == ".png":
            file.write_bytes(png(self.svg(theme=theme)))
        else:
            raise ValueError(f"path must end in .svg or .png, got {file.suffix!r}")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        source = base64.b64encode(self.svg().encode()).decode()
        html = f'<img src="data:image/svg+xml;base64,{source}" alt="{escape(self._title)}">'
        if self.failure is not None:
            rows = "".join(
                f"<tr><td>{escape(part.name)}</td><td>{part.passed} of {part.total}</td></tr>" for part in self.parts
            )
            html += f"<table>{rows}</table>"
            if self.failure.printed:
                html += f"<p>It printed:</p><pre>{escape(self.failure.printed[-600:])}</pre>"
        return {"text/html": html, "text/plain": str(self)}
