"""Checks that CHANGELOG.md, CITATION.cff, Cargo.lock and the tag, if one is given, have the version of Cargo.toml.

Usage: ``python tests/package/version.py [tag]``.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main(tag: str = "") -> int:
    """Prints each place whose version differs from that of Cargo.toml, and returns the number of such places."""
    version = re.search(r'^version = "(.+)"', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.M)[1]
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)[1]
    cited = re.search(r"^version: (\S+)", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)[1]
    locked = re.search(r'name = "gridwright"\nversion = "(.+)"', (ROOT / "Cargo.lock").read_text(encoding="utf-8"))[1]
    places = {"CHANGELOG.md": newest, "CITATION.cff": cited, "Cargo.lock": locked}
    if tag:
        places["the tag"] = tag.removeprefix("v")
    wrong = {place: found for place, found in places.items() if found != version}
    for place, found in wrong.items():
        print(f"{place} has version {found}, Cargo.toml has {version}")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
