"""The house: a game has the same name in six places, and imports are light."""

from __future__ import annotations

import enum
import re
import subprocess
import sys

import gridwright as gw
from conftest import ROOT, needs


def folders(path: str) -> set[str]:
    return {entry.name for entry in (ROOT / path).iterdir() if entry.is_dir() and entry.name != "__pycache__"}


def files(path: str, ending: str) -> set[str]:
    return {entry.name.removesuffix(ending) for entry in (ROOT / path).glob(f"*{ending}")}


def test_a_game_has_the_same_name_in_all_places():
    games = set(gw.GAMES)
    assert folders("levels") == games
    assert games <= folders("src")
    assert folders("src") - games <= {"core", "graph", "tracing", "py"}
    for path, ending in (
        ("src/py", ".rs"),
        ("python/gridwright", ".py"),
        ("python/gridwright/draw", ".py"),
        ("tests/rust", ".rs"),
        ("tests/perft", ".txt"),
        ("notebooks", ".ipynb"),
    ):
        assert games <= files(path, ending), path
    assert files("tests/perft", ".txt") == games
    assert {name for name in games if (ROOT / f"tests/python/test_{name}.py").exists()} == games
    for path in ("tests/transcripts", "tests/broken"):
        assert folders(path) == games
    for name, kind in gw.GAMES.items():
        assert name == kind.NAME
        assert getattr(gw, kind.__name__) is kind
        assert getattr(gw, name).__name__ == f"gridwright.{name}"


def test_imports_run_one_way():
    games = set(gw.GAMES)
    labs = {"graph", "tracing"}
    for path in (ROOT / "src").rglob("*.rs"):
        room = path.relative_to(ROOT / "src").parts[0]
        used = set(re.findall(r"crate::(\w+)", path.read_text()))
        if room == "core":
            assert used <= {"core"}, path
        elif room in labs:
            assert used <= {"core", room}, path
        elif room in games:
            assert used <= {"core", room} | labs, path
        if room != "py" and room != "lib.rs":
            assert "pyo3" not in path.read_text(), path


@needs("processes")
def test_import_needs_numpy_only():
    code = (
        "import sys, gridwright\n"
        "found = {name.partition('.')[0] for name in sys.modules}\n"
        "found -= set(sys.stdlib_module_names) | {'gridwright', 'numpy', '__main__'}\n"
        "print(sorted(name for name in found if not name.startswith(('_', 'sitecustomize'))))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", PATHS + code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


PATHS = f"import sys; sys.path[:0] = {[path for path in sys.path if path]!r}\n"


def test_the_version_stands_in_one_place():
    assert f'\nversion = "{gw.__version__}"\n' in (ROOT / "Cargo.toml").read_text()
    assert 'dynamic = ["version"]' in (ROOT / "pyproject.toml").read_text()
    assert f"## {gw.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_every_public_name_is_documented():
    for name in gw.__all__:
        thing = getattr(gw, name)
        if callable(thing) or hasattr(thing, "__path__"):
            assert thing.__doc__, name
    for kind in gw.GAMES.values():
        for name in dir(kind):
            if not name.startswith("_"):
                member = next(base.__dict__[name] for base in kind.__mro__ if name in base.__dict__)
                if callable(member) or isinstance(member, property | classmethod) or hasattr(member, "__get__"):
                    assert member.__doc__, f"{kind.__name__}.{name}"


def test_the_legends_are_enumerations():
    for legend in (gw.photon.Tile, gw.bloxorz.Tile, gw.lightemall.Tile, gw.lightemall.Hexagon, gw.geese.Field):
        assert issubclass(legend, enum.IntEnum)
    assert gw.bloxorz.Tile(3) is gw.bloxorz.Tile.TARGET
    assert [code.value for code in gw.bloxorz.Tile] == [*range(9), 16, 32]
