"""Runs the examples in docstrings and on pages, and checks the reference and the newspaper."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
import shutil
import types
import typing
from urllib.parse import unquote

import gridwright
import numpy as np
import pytest
from conftest import IN_TAB, ROOT
from gridwright.check.worker import IN_PLACE

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(gridwright.__path__, "gridwright.")
    if not module.name.endswith(("__main__", "_core"))
)

# Maps a module to a package that the module imports and that may not be installed.
NEEDS = {
    "gridwright.envs.sb3": "stable_baselines3",
    "gridwright.play.terminal": "textual",
    "gridwright.tasks.datasets": "reasoning_gym",
}

# Maps a module whose examples do not run in a browser's Python to the reason.
NOT_IN_TAB = {
    "gridwright.check": "all checks together take minutes in a browser's Python; test_check*.py run them one at a time",
    "gridwright.contest": "needs processes, which a browser's Python does not have",
    "gridwright.draw": "needs resvg-py, which has no wheel for a browser's Python",
}


class Checker(doctest.OutputChecker):
    """Ignores what differs in a browser's Python: dtypes in the repr of arrays, and the note that code ran in place.

    The default integer of numpy has 32 bits there, so the repr of an array of 64-bit integers shows the dtype.
    """

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        if IN_TAB:
            want, got = (re.sub(r", dtype=u?int(32|64)", "", text) for text in (want, got))
            got = got.replace(f"Note: {IN_PLACE}\n", "")
        return super().check_output(want, got, optionflags)


def run(examples: list[doctest.DocTest]) -> int:
    runner = doctest.DocTestRunner(Checker(), optionflags=FLAGS)
    for example in examples:
        report: list[str] = []
        runner.run(example, out=report.append)
        assert not runner.failures, "".join(report)
    return runner.tries


@pytest.mark.parametrize("name", ["gridwright", *MODULES])
def test_examples_in_docstrings_print_the_documented_output(name, tmp_path, monkeypatch):
    if IN_TAB and name in NOT_IN_TAB:
        pytest.skip(NOT_IN_TAB[name])
    monkeypatch.chdir(tmp_path)
    for package in (NEEDS[known] for known in NEEDS if name == known or name.startswith(f"{known}.")):
        pytest.importorskip(package)
    with np.printoptions(legacy=False):
        run(doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name)))


def test_examples_in_docstrings_of_the_extension_print_the_documented_output():
    parser = doctest.DocTestParser()
    examples = []
    for name, thing in vars(gridwright._core).items():
        members = [(name, thing)] + (
            [(f"{name}.{k}", v) for k, v in vars(thing).items()] if inspect.isclass(thing) else []
        )
        for path, member in members:
            text = inspect.getdoc(member) or ""
            if not path.startswith("__") and ">>>" in text:
                text = text.replace("```python", "").replace("```", "")
                examples.append(parser.get_doctest(text, {}, path, path, 0))
    assert len(examples) >= 2
    assert run(examples) > 0


def test_the_newspaper_has_two_puzzles_of_each_game_with_folded_solutions():
    sections = (ROOT / "docs" / "newspaper.md").read_text(encoding="utf-8").split("\n## ")[1:]
    makers = [re.search(r"game = gw\.(\w+)\.generate\(", section)[1] for section in sections]
    assert (
        makers
        == [kind for kind in ("MyPhoton", "LightEmAll", "Bloxorz", "GeeseSpotter") for _ in range(2)]
        + ["LinearDomination"] * 2
    )
    for number, section in enumerate(sections, 1):
        shown, fold, solution = section.partition('<details markdown="1"><summary>Solution</summary>')
        assert fold
        assert f"newspaper/{number}-light.svg#only-light" in shown
        assert f"newspaper/{number}-dark.svg#only-dark" in shown
        assert not re.search(r"\b(solve|play_on|hint)\(", shown)
        assert ">>>" in solution
        # The title names the grade that the example requests.
        title, grade = section.splitlines()[0].split(", ")
        assert f'difficulty="{grade}"' in shown, title


PAGES = ["README.md", "CONTRIBUTING.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES)
def test_examples_on_pages_print_the_documented_output(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = [part.partition("```")[0] for part in text.split("```python\n")[1:]]
    source = "\n".join(block for block in blocks if ">>>" in block)
    assert source or page != "README.md"
    run([doctest.DocTestParser().get_doctest(source, {}, page, page, 0)])


def try_it(text, name, monkeypatch):
    """Returns the code of each "Try it" link of the page ``name`` with the given text."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import tab

    monkeypatch.setattr(tab, "has_lab", lambda: True)
    page = types.SimpleNamespace(url=name, file=types.SimpleNamespace(src_uri=name))
    shown = tab.on_page_markdown(text, page, None, None)
    return [unquote(code) for code in re.findall(r'<a class="try" href="[^"]*&amp;code=([^"]*)"', shown)]


@pytest.mark.parametrize("page", PAGES)
def test_the_code_of_try_it_links_compiles(page, monkeypatch):
    text = (ROOT / page).read_text(encoding="utf-8")
    codes = try_it(text, page.removeprefix("docs/"), monkeypatch)
    assert codes or page != "docs/index.md"
    for code in codes:
        compile(code, page, "exec")


def test_try_it_links_leave_out_output_and_earlier_statements_that_raise(monkeypatch):
    examples = [
        ">>> for n in (1, 2):\n...     print(n)\n1\n...\n... and more\n",
        ">>> half = 1 / 2\n>>> 1 / 0\nTraceback (most recent call last):\nZeroDivisionError: division by zero\n",
        ">>> half\n0.5\n",
    ]
    fenced = "\n".join(f"```python\n{example}\n```\n" for example in [*examples, "x = 1"])
    first, second, third = try_it(fenced, "page.md", monkeypatch)
    imports, loop = "import gridwright as gw\nimport numpy as np\n", "for n in (1, 2):\n    print(n)\n"
    assert first == imports + loop
    assert second == imports + loop + "half = 1 / 2\n1 / 0\n"
    assert third == imports + loop + "half = 1 / 2\nhalf\n"


@pytest.mark.parametrize("name", sorted(gridwright.GAMES))
def test_reference_groups_every_member_of_a_game(name, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import members

    kind = gridwright.GAMES[name]
    grouped = members.grouped(kind)
    assert all(grouped.values())
    with pytest.raises(ValueError, match="must name the group of brand_new"):
        members.grouped(type("Other", (kind,), {"brand_new": None}))


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """Builds the pages of the reference and returns their HTML by the names of the pages."""
    yaml = pytest.importorskip("yaml")
    pytest.importorskip("mkdocstrings_handlers.python")
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    folder = tmp_path_factory.mktemp("reference")
    shutil.copytree(ROOT / "docs" / "api", folder / "docs" / "api")
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    (handler,) = (plugin for plugin in settings["plugins"] if "mkdocstrings" in plugin)
    options = handler["mkdocstrings"]["handlers"]["python"]["options"]
    options["extensions"] = [str(ROOT / path) for path in options["extensions"]]
    kept = {name: settings[name] for name in ("site_name", "markdown_extensions")}
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(kept | {"plugins": [handler]}), encoding="utf-8")
    build(load_config(str(folder / "mkdocs.yml")))
    return {path.parent.name: path.read_text(encoding="utf-8") for path in folder.glob("site/api/*/index.html")}


def test_reference_shows_public_members_only(reference):
    assert set(reference) == {path.stem for path in (ROOT / "docs" / "api").glob("*.md")}
    foreign = [inspect.getdoc(kind).splitlines()[0] for kind in (tuple, dict, typing.TypeVar)]
    for page, html in reference.items():
        entries = re.findall(r'<h\d id="(gridwright\.[^"]*)"', html)
        assert entries, page
        private = [name for name in entries if "._" in name or name.endswith((".Self", ".TYPE_CHECKING"))]
        assert not private, page
        assert not [text for text in foreign if text in html], page
        assert str(ROOT) not in html, page


def test_reference_shows_what_a_class_defines_before_what_it_inherits(reference):
    for name, kind in gridwright.GAMES.items():
        prefix = f"{kind.__module__}.{kind.__name__}."
        entries = re.findall(rf'<h\d id="{re.escape(prefix)}(\w+)"', reference[name])
        methods = [entry for entry in entries if callable(getattr(kind, entry))]
        assert {"play", "solve", "svg"} <= set(methods), name
        assert methods == sorted(methods, key=lambda method: method not in vars(kind)), name
