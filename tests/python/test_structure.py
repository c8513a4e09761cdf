"""Checks the layout of the repository: names of games, directions of imports, and what `import gridwright` loads."""

from __future__ import annotations

import ast
import enum
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import gridwright as gw
import numpy as np
import pytest
from conftest import ROOT, needs

PACKAGE = ROOT / "python" / "gridwright"


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
        ("python/gridwright/editor", ".py"),
        ("tests/rust", ".rs"),
        ("tests/python/games", ".py"),
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


def test_rust_imports_run_one_way():
    games = set(gw.GAMES)
    libraries = {"graph", "tracing"}
    for path in (ROOT / "src").rglob("*.rs"):
        module = path.relative_to(ROOT / "src").parts[0]
        used = set(re.findall(r"crate::(\w+)", path.read_text()))
        if module == "core":
            assert used <= {"core"}, path
        elif module in libraries:
            assert used <= {"core", module}, path
        elif module in games:
            assert used <= {"core", module} | libraries, path
        if module != "py" and module != "lib.rs":
            assert "pyo3" not in path.read_text(), path


LAYERS = (
    ("errors", "words", "status", "optional"),
    ("arguments",),
    ("files",),
    ("progress", "insight", "solved", "segments", "bloxorz_graph", "bloxorz_switches", "geese_fields"),
    ("controls",),
    ("game",),
    ("batch", "graph", "tracing"),
    (*gw.GAMES, "sweep"),
    ("draw", "editor"),
    ("play", "check", "envs", "bench", "geese_console"),
    ("contest", "records", "tasks"),
    ("__main__",),
)
"""The layers of ``gridwright``. Each module and package imports only from the layers before its own."""


def imported(path: Path) -> set[str]:
    """Returns the full names that a module imports from the package at import time."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    package = parts[:-1]
    found: set[str] = set()

    def visit(body: list[Any]) -> None:
        for node in body:
            if isinstance(node, ast.ImportFrom):
                base = list(package[: len(package) + 1 - node.level]) if node.level else []
                module = ".".join([*base, *([node.module] if node.module else [])])
                found.update(f"{module}.{alias.name}" for alias in node.names)
            elif isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                visit(node.orelse)
            elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for name in ("body", "orelse", "finalbody", "handlers", "cases"):
                    visit(getattr(node, name, []))

    visit(ast.parse(path.read_text(encoding="utf-8")).body)
    return {name for name in found if name.startswith("gridwright.") and not name.startswith("gridwright._core")}


def test_python_imports_run_one_way():
    rank = {name: place for place, names in enumerate(LAYERS) for name in names}
    for path in PACKAGE.rglob("*.py"):
        module = path.relative_to(PACKAGE).with_suffix("").parts[0]
        if module == "__init__":
            continue
        for name in imported(path):
            other = name.split(".")[1]
            if other == module or other not in rank:
                # `other` is the module's own package, or a name that the `__init__` of `gridwright` defines. Only
                # layers after the games may import such a name, because `gridwright` provides all games.
                assert other == module or rank[module] > rank["sweep"], f"{path} imports {name}"
                continue
            assert rank[other] < rank[module], f"{path} imports {name}"


def test_no_modules_import_each_other_in_a_cycle():
    modules = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in PACKAGE.rglob("*.py")}
    graph: dict[str, set[str]] = {}
    for name, path in modules.items():
        graph[name] = set()
        for other in imported(path):
            # The target is the imported module or package, or else the one that has the imported name.
            parent = other.rpartition(".")[0]
            places = (other, f"{other}.__init__", parent, f"{parent}.__init__")
            target = next((place for place in places if place in modules), name)
            # A module may import names from the packages that contain it.
            contains = target.endswith("__init__") and name.startswith(target.removesuffix("__init__"))
            if target != name and not contains:
                graph[name].add(target)
    done: set[str] = set()

    def walk(name: str, above: tuple[str, ...]) -> None:
        assert name not in above, " imports ".join([*above[above.index(name) :], name])
        if name not in done:
            for other in sorted(graph[name]):
                walk(other, (*above, name))
            done.add(name)

    for name in sorted(graph):
        walk(name, ())


GENERIC = (
    *("arguments.py", "batch.py", "controls", "files.py", "game.py", "insight.py", "play", "solved.py", "words.py"),
    *("draw/__init__.py", "draw/animate.py", "draw/bitmap.py", "draw/svg.py", "draw/text.py"),
    *("editor/__init__.py", "editor/protocol.py", "envs/sb3.py", "envs/single.py", "envs/vector.py"),
)
"""The Python files and packages that all games share."""


def code(path: Path) -> str:
    """Returns the code of a file without comments and docstrings, which may name games as examples."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return re.sub(r"//.*", "", text)
    tree = ast.parse(text)
    for node in ast.walk(tree):
        # A string that is a whole statement documents a module, class, function or variable.
        if isinstance(body := getattr(node, "body", None), list):
            texts = [each for each in body if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)]
            kept = [each for each in body if each not in texts]
            node.body = kept or [ast.Pass()]
    return ast.unparse(tree)


def test_code_that_all_games_share_names_no_game():
    names = re.compile("|".join(rf"\b{name}" for kind in gw.GAMES.values() for name in (kind.NAME, kind.__name__)))
    paths = [path for name in GENERIC for path in [PACKAGE / name, *(PACKAGE / name).rglob("*")]]
    paths += [
        *(ROOT / "src/core").rglob("*.rs"),
        *(ROOT / "src/py/batch").rglob("*.rs"),
        *(ROOT / "src/py" / f"{name}.rs" for name in ("game", "batch", "array", "generator")),
    ]
    for path in paths:
        if path.suffix in (".py", ".js", ".rs"):
            assert not names.search(code(path)), path


def test_no_rust_file_in_src_is_longer_than_750_lines():
    for path in (ROOT / "src").rglob("*.rs"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 750, path


@needs("processes")
def test_the_import_needs_only_numpy():
    code = (
        "import sys, gridwright\n"
        "found = {name.partition('.')[0] for name in sys.modules}\n"
        "found -= set(sys.stdlib_module_names) | {'gridwright', 'numpy', '__main__'}\n"
        "print(sorted(name for name in found if not name.startswith(('_', 'sitecustomize'))))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", PATHS + code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@needs("processes")
def test_the_import_loads_only_the_modules_that_it_needs():
    code = """
import numpy
before = set(sys.modules)
import gridwright
needed = {"gridwright" + end for end in ("", "._core", ".sweep", ".arguments", ".words", ".progress")}
heavy = {"asyncio", "concurrent.futures", "dataclasses", "difflib", "hashlib", "importlib.resources", "inspect", "json"}
heavy |= {"multiprocessing", "numpy.typing", "pathlib", "random", "secrets", "urllib.parse", "xml"}
new = set(sys.modules) - before
print(sorted(name for name in new if name.startswith("gridwright") and name not in needed), sorted(new & heavy))
"""
    done = subprocess.run([sys.executable, "-S", "-c", PATHS + code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] []"


STATEMENTS = """
import gridwright as gw; assert all(getattr(gw, name) is not None for name in dir(gw))
from gridwright import *; assert list(GAMES.values())[2] is Bloxorz and bloxorz.Bloxorz is Bloxorz
import gridwright.sweep, gridwright as gw; assert gw.sweep(abs, 2)["value"].tolist() == [0, 1]
from gridwright.sweep import sweep; import gridwright as gw; assert gw.sweep is sweep
import gridwright.graph, gridwright as gw; assert gw.graph.UnionFind(2).components == 2
import gridwright as gw; assert gw.GAMES is gw.GAMES and gw.GAMES["geese"] is gw.GeeseSpotter
import gridwright as gw; assert not hasattr(gw, "no_such_name") and not hasattr(gw, "__wrapped__")
import pickle; assert len(pickle.loads(pickled).moves) == 1
"""


@needs("processes")
def test_every_public_name_can_be_the_first_that_is_imported():
    game = gw.Bloxorz.level("level01")
    game.play("r")
    statements = [line for line in STATEMENTS.splitlines() if line]
    statements += [
        f"from gridwright import {name}; import gridwright as gw; assert gw.{name} is {name}" for name in gw.__all__
    ]
    code = f"""
pickled = {pickle.dumps(game)!r}
for statement in {statements!r}:
    # The extension cannot be loaded twice in a process.
    for name in [name for name in sys.modules if name.startswith("gridwright") and name != "gridwright._core"]:
        del sys.modules[name]
    try:
        exec(statement, {{"pickled": pickled}})
    except Exception as error:
        print(statement, repr(error))
"""
    done = subprocess.run([sys.executable, "-c", PATHS + code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("", "")


PATHS = f"import sys; sys.path[:0] = {[path for path in sys.path if path]!r}\n"


def test_cargo_toml_and_the_changelog_have_the_version_of_the_package():
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


def test_the_codes_of_a_game_are_int_enums():
    for name in gw.GAMES:
        enums = [thing for thing in vars(getattr(gw, name)).values() if isinstance(thing, enum.EnumMeta)]
        codes = [thing for thing in enums if thing.__module__.startswith(f"gridwright.{name}")]
        assert codes, name
        assert all(issubclass(thing, enum.IntEnum) for thing in codes), name


def test_dir_lists_the_names_that_are_imported_on_first_use():
    assert {"check", "envs", "tasks", "Bloxorz", "sweep"} <= set(dir(gw))


READERS = {
    ("batch/buffers.rs", "BufferArrays"): "the buffers that gridwright.Batch passes",
    ("batch.rs", "Rewards"): "the tuple of rewards that gridwright.Batch has validated",
    ("batch.rs", "StartNames"): "the tuple by which errors of gridwright.Batch name its starting positions",
    ("lines.rs", "LineOptions"): "the tuple of options that gridwright.segments has validated",
}
"""Maps each type outside src/py/array.rs that is read from a Python argument to what that argument is."""


def types_and_calls_that_read_numbers(source: str) -> list[str]:
    """Returns the types of a Rust file that implement ``FromPyObject``, and the calls that convert to a number type."""
    number = r"(?:[iu](?:8|16|32|64|size)|f32|f64|bool)"
    types = re.findall(r"FromPyObject<[^{]*?\bfor (\w+)", source)
    types += re.findall(r"derive\([^)]*FromPyObject[^)]*\)\]\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum) (\w+)", source)
    return types + re.findall(rf"extract::<(?:Option<)?{number}\b|downcast::<Py(?:Int|Float|Bool)>", source)


def test_only_array_rs_and_the_listed_types_read_python_numbers():
    folder = ROOT / "src" / "py"
    found = {
        (path.relative_to(folder).as_posix(), reader)
        for path in folder.rglob("*.rs")
        if path != folder / "array.rs"
        for reader in types_and_calls_that_read_numbers(path.read_text(encoding="utf-8"))
    }
    assert found == set(READERS)
    sample = """
        #[derive(FromPyObject)]
        struct Whole(i64);
        impl<'py> FromPyObject<'_, 'py> for Part {}
        let n = value.extract::<u64>()?;
    """
    assert types_and_calls_that_read_numbers(sample) == ["Part", "Whole", "extract::<u64"]


SEGMENT = np.array([[0, 0, 1, 2]])


def frame() -> object:
    pytest.importorskip("gymnasium")
    from gridwright.envs import frames

    return frames._drawn("<svg/>")  # not `pixels`, which draws nothing if another test has drawn the same cells


OPTIONAL = {
    "StateGraph.to_networkx": ("networkx", lambda: gw.Bloxorz("SooT").state_graph().to_networkx(), "networkx"),
    "StateGraph.to_scipy": ("scipy", lambda: gw.Bloxorz("SooT").state_graph().to_scipy(), "scipy"),
    "graph.to_networkx": ("networkx", lambda: gw.graph.to_networkx(2, [[0, 1]]), "networkx"),
    "graph.to_scipy": ("scipy", lambda: gw.graph.to_scipy(2, [[0, 1]]), "scipy"),
    "tracing.system_matrix": ("scipy", lambda: gw.tracing.system_matrix((2, 3), SEGMENT), "scipy"),
    "Animation.save": ("PIL", lambda: gw.Bloxorz("SooT").animate("rr").save("film.gif"), "'gridwright[images]'"),
    "frames._drawn": ("PIL", frame, "'gridwright[images]'"),
    "draw.png": ("resvg_py", lambda: gw.draw.png("<svg/>"), "'gridwright[images]'"),
}
"""Maps a callable to the optional module that it imports, a call, and the package that the error says to install."""


@pytest.mark.parametrize("name", OPTIONAL)
def test_the_error_for_a_missing_package_names_the_command_that_installs_it(name, monkeypatch):
    module, call, extra = OPTIONAL[name]
    monkeypatch.setitem(sys.modules, module, None)
    for loaded in [one for one in sys.modules if one.startswith(f"{module}.")]:
        monkeypatch.setitem(sys.modules, loaded, None)
    with pytest.raises(ImportError, match=rf"needs? [\w-]+: pip install {re.escape(extra)}$"):
        call()
