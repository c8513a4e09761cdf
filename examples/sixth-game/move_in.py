"""Moves the sixth game into a copy of the repository and runs every test there, to show what a new game costs.

    python examples/sixth-game/move_in.py             moves the game into a copy that is deleted afterward
    python examples/sixth-game/move_in.py FOLDER      moves the game into a copy in FOLDER, which is kept
    python examples/sixth-game/move_in.py --count     prints the table of docs/extend.md

The environment variable GRIDWRIGHT_SUITE sets the command that runs in the copy. The default command builds the
package, writes the stored terminal screens that show Lights Out or the list of games, and runs ``make test lint``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

OUTSIDE = ("Cargo.toml", "Cargo.lock", "move_in.py", "src/lib.rs", "tests/rust/main.rs")
"""This program, and the files that the game needs only as a crate of its own: they do not move to the repository."""

BUILT = {"target", "__pycache__"}
"""Folders that tools create; their files do not move."""

STUBS = """\
# Lights Out

def lightsout_codes() -> dict[str, int]: ...
def lightsout_generate(height: int, width: int, grade: int | None, seed: Any, progress: Any) -> LightsOut: ...

class LightsOut(_Game):
    @classmethod
    def blank(cls, height: int, width: int) -> Any: ...
    def solve(self, *, limit: int | None = None, progress: _Progress | None = None) -> npt.NDArray[np.int32] | None: ...
    def _cell(self, cell: _Cell) -> tuple[int, int]: ...
    def _reasons(
        self, limit: int | None, progress: _Progress | None
    ) -> tuple[npt.NDArray[np.int32], list[str], npt.NDArray[np.bool_], int] | None: ...

@final
class LightsOutBatch(_Batch): ...

"""

FUZZ = """\
[[bin]]
name = "lightsout"
path = "fuzz_targets/lightsout.rs"
test = false
doc = false
bench = false

"""

EDITS = (
    ("src/lib.rs", "pub mod photon;", "pub mod lightsout;\n"),
    ("src/py/mod.rs", "mod lines;", "mod lightsout;\n"),
    (
        "src/py/mod.rs",
        "    use super::lines::{",
        "    use super::lightsout::{LightsOutBatch, LightsOutCore, lightsout_codes, lightsout_generate};\n"
        "    #[pymodule_export]\n",
    ),
    ("tests/rust/main.rs", "mod lines;", "mod lightsout;\n"),
    ("tests/rust/main.rs", "    laws!(photon,", "    laws!(lightsout, gridwright::lightsout::LightsOut);\n"),
    ("python/gridwright/__init__.py", "    from .photon import ", "    from .lightsout import LightsOut\n"),
    ("python/gridwright/__init__.py", "}\n", '    "lightsout": "LightsOut",\n'),
    ("python/gridwright/__init__.py", '    "LinearDomination",', '    "LightsOut",\n'),
    ("python/gridwright/__init__.py", '    "photon",', '    "lightsout",\n'),
    ("python/gridwright/_core.pyi", "# LightEmAll", STUBS),
    (
        "python/gridwright/envs/worlds.py",
        '    "MyPhoton": World(',
        '    "LightsOut": World("lightsout", size=(5, 5), max_steps=100, planes=_flags(1), distance=_moves),\n',
    ),
    ("tests/python/stubtest-allowed.txt", "gridwright", "gridwright\\._core\\.LightsOut\n"),
    ("fuzz/Cargo.toml", "[[bin]]", FUZZ),
    (
        "docs/api/editor.md",
        "::: gridwright.editor.photon.MyPhotonEditor",
        "::: gridwright.editor.lightsout.LightsOutEditor\n\n",
    ),
    ("mkdocs.yml", "      - api/photon.md", "      - api/lightsout.md\n"),
    (
        "docs/hooks.py",
        '    "bloxorz": (',
        '    "lightsout": ("level08", "Press fields, which change with their neighbors, until all are dark."),\n',
    ),
)
"""The additions to existing files: the path, the beginning of the line before which lines are added, and the lines."""

ROWS = (
    ("the rules", ("src/lightsout/mod.rs",)),
    ("the solver", ("src/lightsout/solve.rs",)),
    ("the generator", ("src/lightsout/generate.rs",)),
    ("the bindings", ("src/py/",)),
    ("the class in Python: reasons, grades, controls", ("python/gridwright/lightsout.py",)),
    ("the drawing", ("python/gridwright/draw/",)),
    ("the editor", ("python/gridwright/editor/",)),
    ("twenty-five levels, five of each grade", ("levels/",)),
    ("tests of the game alone", ("tests/rust/", "tests/python/test_lightsout.py")),
    ("what the tests of all games need to know about it", ("tests/python/games/",)),
    (
        "cases that both languages read: perft table, transcript, broken texts",
        ("tests/perft/", "tests/transcripts/", "tests/broken/"),
    ),
    ("a fuzz target", ("fuzz/",)),
    ("a page of the reference", ("docs/",)),
    ("a notebook, and the solutions of its tasks", ("notebooks/", "course/")),
)
"""The rows of the table: the description of a part, and the beginnings of the paths of its files."""


SUITE = (
    "make dev && GRIDWRIGHT_GOLDEN=1 .venv/bin/python -m pytest tests/python/test_terminal_looks.py "
    "-k 'lightsout or games' && make test lint"
)


def files() -> list[str]:
    """Returns the paths of the files that move, which are the same relative to this folder and to the repository."""
    found = {path.relative_to(HERE).as_posix() for path in HERE.rglob("*") if path.is_file()}
    return sorted(path for path in found - set(OUTSIDE) if not BUILT & set(path.split("/")))


def edited(root: Path) -> dict[str, str]:
    """Returns a dict from the path of each edited file to its text with the lines of the game."""
    found: dict[str, str] = {}
    for path, before, lines in EDITS:
        text = found.get(path) or (root / path).read_text(encoding="utf-8")
        start = 0 if text.startswith(before) else text.find(f"\n{before}") + 1
        if not text[start:].startswith(before):
            raise SystemExit(f"{path} has no line that begins with {before!r}")
        found[path] = text[:start] + lines + text[start:]
    return found


def table() -> str:
    """Returns the cost in files and lines as a Markdown table."""
    counts = {path: (HERE / path).read_text(encoding="utf-8").count("\n") for path in files()}
    rows = ["| what | files | lines |", "|---|---|---|"]
    for what, places in ROWS:
        mine = [counts.pop(path) for path in list(counts) if path.startswith(places)]
        rows.append(f"| {what} | {len(mine)} | {sum(mine)} |")
    if counts:
        raise SystemExit(f"no row covers {', '.join(counts)}")
    edits: dict[str, int] = {}
    for path, _, lines in EDITS:
        edits[path] = edits.get(path, 0) + lines.count("\n")
    rows += [f"| added to `{path}` | | {count} |" for path, count in edits.items()]
    total = sum((HERE / path).read_text(encoding="utf-8").count("\n") for path in files()) + sum(edits.values())
    rows.append(f"| all of it | {len(files())} new, {len(edits)} edited | {total:,} |")
    return "\n".join(rows) + "\n"


def move_in(copy: Path) -> None:
    """Copies the repository without this folder to ``copy``, and moves the game into the copy."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    texts = edited(ROOT)
    away = f"{HERE.relative_to(ROOT)}/"
    moving = [(HERE / path, path) for path in files()]
    for source, path in [*((ROOT / path, path) for path in listed.stdout.splitlines()), *moving]:
        if path.startswith(away) or not source.is_file():
            continue
        target = copy / path
        target.parent.mkdir(parents=True, exist_ok=True)
        new = texts[path].encode() if path in texts else source.read_bytes()
        # An unchanged file is not written, so that its modification time does not cause anything to be built again.
        if not target.exists() or target.read_bytes() != new:
            target.write_bytes(new)
            target.chmod(source.stat().st_mode & 0o777)


def suite(copy: Path) -> int:
    """Runs the tests in the copy and returns the exit status; the build results of Cargo are kept for the next run."""
    environment = {"CARGO_TARGET_DIR": str(ROOT / "target" / "moved-in"), **os.environ}
    command = os.environ.get("GRIDWRIGHT_SUITE", SUITE)
    return subprocess.run(command, shell=True, cwd=copy, env=environment, check=False).returncode


def main(arguments: list[str]) -> int:
    """Runs the program and returns the exit status; if the arguments are wrong, prints the usage and returns 2."""
    if len(arguments) > 1 or any(word.startswith("-") and word != "--count" for word in arguments):
        print(__doc__, end="", file=sys.stderr)
        return 2
    if arguments == ["--count"]:
        print(table(), end="")
        return 0
    if arguments:
        if Path(arguments[0]).resolve() == ROOT:
            print(f"FOLDER must not be the repository itself, got {arguments[0]!r}", file=sys.stderr)
            return 2
        move_in(Path(arguments[0]))
        return suite(Path(arguments[0]))
    with tempfile.TemporaryDirectory() as folder:
        move_in(Path(folder))
        return suite(Path(folder))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
