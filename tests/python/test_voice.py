"""Rejects unidiomatic phrases and British spelling in code, messages, documentation and notebooks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT

REJECTED = {
    r", wanted\b": "expected or `must be ..., got ...`",
    r"\b[Ss]ays (yes|no)\b": "Returns `true` if ...",
    r"\b(bit|byte|cell|line|board|tile|game|row|edge|frame|second|key) "
    r"an? (bit|byte|cell|line|move|board|tile|row|level|play|key|case)\b": "per",
    r"\bthat there is not\b": "unknown",
    r"^\s*(///|//!|\"\"\")\s*(Gives|Tells|Says|Hands out|Wants)\b": "Returns, Creates, Raises",
    r"\b[Cc]olour(s|ed|ing|ful)?\b": "color",
    r"\b[Cc]entre[sd]?\b": "center",
    r"\bgave up after\b": "limit reached after",
    r"\b(Unmade|Unread|Trouble)\b": "core::Error",
    r"\bwhere there (is|are) (none|no)\b": "if there is none",
    r"\b[Aa]n? (SVG )?texts?\b(?! (box|color|editor|element|field|file|role))": "a string, or text without an article",
    r"\banew\b": "again",
}
"""Maps a pattern that no line may contain to what to write instead."""

ALLOWED = re.compile(r"Colour|neighbours")


def texts() -> Iterator[tuple[Path, list[str]]]:
    for folder, endings in (("src", ".rs"), ("python", ".py"), ("python", ".js"), ("docs", ".md"), ("benches", ".py")):
        for path in sorted((ROOT / folder).rglob(f"*{endings}")):
            yield path, path.read_text(encoding="utf-8").splitlines()
    for name in ("README.md", "CONTRIBUTING.md"):
        yield ROOT / name, (ROOT / name).read_text(encoding="utf-8").splitlines()
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        yield path, [line for cell in cells for line in "".join(cell["source"]).splitlines()]


@pytest.mark.parametrize("rejected", REJECTED)
def test_no_line_matches_a_rejected_pattern(rejected):
    pattern = re.compile(rejected)
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}"
        for path, lines in texts()
        for number, line in enumerate(lines, 1)
        if pattern.search(line) and not ALLOWED.search(line)
    ]
    assert not found, f"write {REJECTED[rejected]}:\n" + "\n".join(found)


def test_the_patterns_match_examples_of_rejected_text():
    for text in (
        "a part of 2 light tiles, wanted 0 to 1",
        "/// Says yes with the given chance.",
        "writes the same a bit a move, one bit a move",
        "Refuses a render mode that there is not",
        "/// Gives the row-major index",
        "the colour of a cell",
        "`None` where there is none",
        "a text of keys",
        "draws the board anew",
    ):
        assert any(re.search(pattern, text) for pattern in REJECTED), text


def test_comment_lines_of_rust_are_short():
    # rustfmt does not wrap comments. ruff checks the length of Python lines.
    found = [
        f"{path.relative_to(ROOT)}:{number}: {len(line)}"
        for folder in ("src", "tests/rust", "benches", "fuzz/fuzz_targets", "examples")
        for path in sorted((ROOT / folder).rglob("*.rs"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 120 and line.lstrip().startswith("//")
    ]
    assert not found, "\n".join(found)


ORPHAN = re.compile(r"(It|Its|They|Their|The same|Same|And|Also|Likewise|So|But|Or|This one|As above)\b")
"""Matches the first words of a doc comment that cannot be understood without the item above it."""


def orphans(lines: list[str]) -> list[int]:
    """Returns the line numbers of the doc comments whose beginnings match ``ORPHAN``."""
    found, inside = [], False
    for number, line in enumerate(lines, 1):
        text = re.match(r"\s*(?://[/!]|\"\"\")\s*(.*)", line)
        if text and (not inside or '"""' in line) and ORPHAN.match(text[1]):
            found.append(number)
        inside = bool(text)
    return found


def test_a_doc_comment_stands_alone():
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder, ending in (("src", ".rs"), ("python", ".py"), ("python", ".pyi"))
        for path in sorted((ROOT / folder).rglob(f"*{ending}"))
        for number in orphans(path.read_text(encoding="utf-8").splitlines())
    ]
    assert not found, "\n".join(found)


def test_orphans_are_found_only_on_the_first_line_of_a_comment():
    assert orphans(["/// The same for all tiles.", "fn all() {}", "    /// It rests."]) == [1, 3]
    assert orphans(['    """Its side."""', "/// A tile has sides.", "/// It is turned by them."]) == [1]
