#!/usr/bin/env python3
"""Builds and tests the package for Pyodide, a Python that runs in browsers: ``python tab/build.py COMMAND``.

====== ==================================================================================================
tools  fetches and installs everything that the other commands need, or names the first missing piece
wheel  builds ``dist/gridwright-*-pyodide_*_wasm32.whl``
test   runs the Python tests in Pyodide under Node.js, in two processes; passes further arguments to pytest
====== ==================================================================================================

The script requires Python 3.10 or later with pip, and no other packages. ``pins.json`` has the versions and checksums
of the files that the script fetches. The files are kept in the folder that the environment variable ``GRIDWRIGHT_TAB``
names, by default ``.venv/tab``. If a piece is missing, the program exits with status 3.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PINS: dict[str, Any] = json.loads((HERE / "pins.json").read_text(encoding="utf-8"))
PYODIDE = PINS["pyodide"]
STORE = Path(os.environ.get("GRIDWRIGHT_TAB", ROOT / ".venv" / "tab")).resolve()
TARGET = "wasm32-unknown-emscripten"
TAG = f"pyodide_{PYODIDE['abi']}_wasm32"

RUNTIME = ["pyodide.js", "pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip"]
"""The files of Pyodide that a page or Node.js loads, except ``pyodide-lock.json``, which :func:`lay_out` rewrites."""


class Missing(Exception):
    """Raised if a piece cannot be fetched or installed; the message is one sentence that names the piece."""


@contextmanager
def failures() -> Iterator[None]:
    """Exits with a one-line message if a piece is missing (status 3) or if a called program fails (status 1)."""
    try:
        yield
    except Missing as missing:
        print(missing, file=sys.stderr)
        sys.exit(3)
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(map(str, error.cmd[:3]))} failed")


def run(*command: str | Path, **options: Any) -> None:
    """Runs a command; raises ``CalledProcessError`` if the command fails."""
    subprocess.run([str(part) for part in command], check=True, **options)


def quietly(*command: str | Path, **options: Any) -> bool:
    """Runs a command and discards its output; returns whether the command succeeded."""
    return subprocess.run([str(part) for part in command], capture_output=True, check=False, **options).returncode == 0


def version() -> str:
    """Returns the version of the package."""
    return re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.M)[1]  # type: ignore[index]


def wheel_path() -> Path:
    """Returns the path of the wheel, which need not exist yet."""
    return ROOT / "dist" / f"gridwright-{version()}-cp310-abi3-{TAG}.whl"


# Downloads.


def checksum(path: Path) -> str:
    """Returns the SHA-256 of a file in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def fetched(file: str, sha256: str, *command: str | Path) -> Path:
    """Returns the path of a file in the store; runs ``command`` to fetch the file if it is missing or has changed.

    The command must write the file into the working directory. Raises ``Missing`` if the command is not installed,
    writes no file, or writes a file with a checksum other than ``sha256``.
    """
    path = STORE / "fetched" / file
    if path.exists() and checksum(path) == sha256:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if not shutil.which(str(command[0])):
        raise Missing(f"{file} is missing: {command[0]} is not installed and cannot fetch it")
    quietly(*command, cwd=path.parent)
    if not path.exists():
        raise Missing(f"{file} is missing: {' '.join(map(str, command[:3]))} did not fetch it")
    if checksum(path) != sha256:
        path.unlink()
        raise Missing(f"{file} is missing: the fetched file is not the one pinned in tab/pins.json")
    return path


def from_pypi(requirement: str, file: str, sha256: str) -> Path:
    """Returns the path of a pure-Python wheel from PyPI, which is fetched without its dependencies."""
    options = ["--quiet", "--no-deps", "--only-binary=:all:", "--platform=any", f"--python-version={PYODIDE['python']}"]
    return fetched(file, sha256, sys.executable, "-m", "pip", "download", *options, requirement)


def runtime() -> Path:
    """Returns the folder that contains the files of Pyodide; fetches them if any file is missing."""
    folder = STORE / f"pyodide-{PYODIDE['version']}"
    if not all((folder / name).exists() for name in [*RUNTIME, "pyodide-lock.json"]):
        archive = fetched(PYODIDE["file"], PYODIDE["sha256"], "npm", "pack", "--silent", PYODIDE["npm"])
        folder.mkdir(parents=True, exist_ok=True)
        with tarfile.open(archive) as files:
            for name in [*RUNTIME, "pyodide-lock.json"]:
                (folder / name).write_bytes(files.extractfile(f"package/{name}").read())  # type: ignore[union-attr]
    return folder


def lock() -> dict[str, Any]:
    """Returns Pyodide's own ``pyodide-lock.json``, which lists its packages with their files and checksums."""
    return json.loads((runtime() / "pyodide-lock.json").read_text(encoding="utf-8"))


def of_pyodide(names: Iterable[str]) -> dict[str, Path]:
    """Returns a dict from package name to wheel, with Pyodide's own packages ``names`` and all their dependencies."""
    known, pin = lock()["packages"], PINS["wheels_of_pyodide"]
    found: dict[str, Path] = {}
    work = list(names)
    while work:
        name = re.sub("[-_.]+", "-", work.pop()).lower()
        if name in found:
            continue
        entry = known[name]
        work += entry["depends"]
        path = STORE / f"pyodide-{PYODIDE['version']}" / entry["file_name"]
        if not path.exists():
            bundle = from_pypi(pin["pypi"], pin["file"], pin["sha256"])
            with zipfile.ZipFile(bundle) as files:
                try:
                    data = files.read(pin["folder"] + entry["file_name"])
                except KeyError:
                    raise Missing(f"{entry['file_name']} is missing: {pin['pypi']} does not contain it") from None
            if hashlib.sha256(data).hexdigest() != entry["sha256"]:
                raise Missing(f"{entry['file_name']} is missing: the file in {pin['pypi']} differs from Pyodide's own")
            path.write_bytes(data)
        found[name] = path
    return found


def gather(packages: Iterable[str]) -> tuple[dict[str, Path], dict[str, Path]]:
    """Returns the wheels of numpy, of ``packages`` and of all their dependencies, as two dicts by package name.

    The first dict has the wheels that are pinned from PyPI. The second dict has Pyodide's own wheels.
    """
    pinned = {pin["name"]: pin for pin in PINS["wheels"]}
    ours: dict[str, Path] = {}
    theirs = {"numpy"}
    work = list(packages)
    while work:
        name = work.pop()
        pin = pinned.get(name)
        if pin is None:
            theirs.add(name)
        elif name not in ours:
            ours[name] = from_pypi(f"{name}=={pin['version']}", pin["file"], pin["sha256"])
            work += pin["depends"]
    return ours, of_pyodide(theirs)


def lay_out(folder: Path, packages: Iterable[str], *, with_gridwright: Iterable[str] = ()) -> None:
    """Replaces the contents of a folder with Pyodide, gridwright, ``packages``, and their dependencies.

    The packages in ``with_gridwright`` are added too. Pyodide loads them whenever gridwright is imported.

    ``pyodide-lock.json`` tells Pyodide which file contains a package, and which package an ``import`` needs. This
    function writes a ``pyodide-lock.json`` that lists only files in the folder, so that Pyodide never contacts another
    host. Raises ``Missing`` if a package is missing or the wheel has not been built.
    """
    if not wheel_path().exists():
        raise Missing(f"{wheel_path().relative_to(ROOT)} is missing: python tab/build.py wheel")
    ours, theirs = gather([*packages, *with_gridwright])
    listed = lock()
    entries = {name: listed["packages"][name] for name in theirs}
    for pin in PINS["wheels"]:
        if pin["name"] in ours:
            entries[pin["name"]] = entry(pin["name"], pin["version"], ours[pin["name"]], pin["imports"], pin["depends"])
    entries["gridwright"] = entry("gridwright", version(), wheel_path(), ["gridwright"], ["numpy", *with_gridwright])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in [*(runtime() / name for name in RUNTIME), wheel_path(), *ours.values(), *theirs.values()]:
        shutil.copyfile(path, folder / path.name)
    listed["packages"] = dict(sorted(entries.items()))
    (folder / "pyodide-lock.json").write_text(json.dumps(listed), encoding="utf-8")


def entry(name: str, version: str, path: Path, imports: list[str], depends: list[str]) -> dict[str, Any]:
    """Returns the entry of one package in ``pyodide-lock.json``."""
    return {
        "depends": depends,
        "file_name": path.name,
        "imports": imports,
        "install_dir": "site",
        "name": name,
        "package_type": "package",
        "sha256": checksum(path),
        "unvendored_tests": False,
        "version": version,
    }


# The compiler.


def install(packages: list[str]) -> None:
    """Installs Debian packages if this program runs as root and apt-get is available; otherwise does nothing."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        quietly("apt-get", "update", "-qq", env=environment)
        quietly("apt-get", "install", "-qq", "-y", "--no-install-recommends", *packages, env=environment)


def compiler() -> Path:
    """Returns the path of a rustc that supports WebAssembly and that is installed with the standard library's source.

    Debian's packages ``rustc-web`` and ``rust-web-src`` provide the compiler and the source. The compiler is called by
    its absolute path, so that other builds keep using the ``rustc`` on their ``PATH``.
    """
    rustc = Path("/usr/bin/rustc")
    source = Path("/usr/lib/rustlib/src/rust/library/std/Cargo.toml")
    if not (rustc.exists() and source.exists()):
        install(PINS["debian"])
    if not (rustc.exists() and source.exists()):
        raise Missing(f"a Rust compiler for {TARGET} is missing: apt-get install {' '.join(PINS['debian'])}")
    if not quietly(rustc, "--print", "cfg", "--target", TARGET):
        raise Missing(f"a Rust compiler for {TARGET} is missing: {rustc} does not support this target")
    if not shutil.which("cargo"):
        install([PINS["debian_cargo"]])
    if not shutil.which("cargo"):
        raise Missing("cargo is missing: it is part of a Rust installation")
    return rustc


def linker() -> Path:
    """Returns the path of ``wasm-ld``, LLVM's linker for WebAssembly, from rustup's toolchain or from Debian."""
    if shutil.which("rustc"):
        asked = ["rustc", "--print", "sysroot"]
        home = subprocess.run(asked, capture_output=True, text=True, cwd=ROOT, check=False).stdout.strip()
        for path in sorted(Path(home).glob("lib/rustlib/*/bin/gcc-ld/wasm-ld")):
            return path
    name = f"wasm-ld-{PINS['debian_linker'].removeprefix('lld-')}"
    if not shutil.which(name):
        install([PINS["debian_linker"]])
    found = shutil.which(name)
    if not found:
        raise Missing(f"wasm-ld is missing: apt-get install {PINS['debian_linker']}")
    return Path(found)


def maturin() -> Path:
    """Returns the path of maturin, which builds wheels; installs maturin and ``wheel`` if either is missing."""
    path = Path(sys.executable).parent / "maturin"
    wheel = [sys.executable, "-m", "wheel", "version"]
    if not path.exists() or not quietly(*wheel):
        quietly(sys.executable, "-m", "pip", "install", "--quiet", PINS["maturin"], "wheel")
    if not path.exists() or not quietly(*wheel):
        raise Missing(f"maturin is missing: pip install '{PINS['maturin']}' wheel")
    return path


def build_wheel() -> None:
    """Compiles the extension module as a side module for Pyodide and builds the wheel."""
    environment = {
        **os.environ,
        "PATH": f"{HERE}:{os.environ['PATH']}",  # rustc and maturin find the script `emcc` in this folder
        "RUSTC": str(compiler()),
        # Allows a stable compiler to build std from its source and to accept the two -Z flags below.
        "RUSTC_BOOTSTRAP": "1",
        "CARGO_UNSTABLE_BUILD_STD": "std,panic_unwind",
        "CARGO_TARGET_DIR": str(ROOT / "target" / "tab"),
        "CARGO_TARGET_WASM32_UNKNOWN_EMSCRIPTEN_LINKER": "emcc",
        "GRIDWRIGHT_WASM_LD": str(linker()),
        "GRIDWRIGHT_EMSCRIPTEN": PINS["emscripten"],
        "MATURIN_PYODIDE_ABI_VERSION": PYODIDE["abi"],
        "PYO3_NO_PYTHON": "1",
        "RUSTFLAGS": " ".join(
            [
                "-C relocation-model=pic",
                "-Z link-native-libraries=no",
                "-C link-self-contained=no",
                # Panics unwind through JavaScript exceptions, as Pyodide requires, and become an InternalError in
                # Python.
                "-C panic=unwind",
                "-Z emscripten-wasm-eh=no",
            ]
        ),
    }
    # If the user has set CARGO_ENCODED_RUSTFLAGS, it would take precedence over RUSTFLAGS.
    environment.pop("CARGO_ENCODED_RUSTFLAGS", None)
    out = STORE / "wheel"
    shutil.rmtree(out, ignore_errors=True)
    options = ["--quiet", "--release", "--target", TARGET, "--interpreter", f"python{PYODIDE['python']}", "--out", out]
    run(maturin(), "build", *options, cwd=ROOT, env=environment)
    # maturin writes the platform tag of PEP 783, which only the Pyodide releases for Python 3.14 and later accept.
    for made in out.glob("*.whl"):
        run(sys.executable, "-m", "wheel", "tags", "--remove", f"--platform-tag={TAG}", made, stdout=subprocess.DEVNULL)
    for made in out.glob(f"*{TAG}.whl"):
        wheel_path().parent.mkdir(exist_ok=True)
        shutil.move(made, wheel_path())
    print(f"{wheel_path().relative_to(ROOT)}  {wheel_path().stat().st_size / 1e6:.2f} MB")


# The tests.

TESTED = ["pytest", "hypothesis", "networkx", "gymnasium", "pettingzoo", "anywidget", "matplotlib", "scipy", "pillow"]
"""What the tests import in addition to gridwright."""

TIMEOUT = 2700
"""The time in seconds after which a test process is killed."""

KERNEL = ["ssl", "sqlite3", "micropip", "ipython", "jedi", "comm"]
"""What the kernel of JupyterLite imports."""

NOTEBOOKS = ["matplotlib", "networkx", "scipy"]
"""What the notebooks need in addition to gridwright."""

ON_DEMAND = ["anywidget", "hypothesis", "pillow"]
"""What gridwright imports only on demand. No notebook imports these packages, so they are loaded with gridwright."""


def node() -> str:
    """Returns the command of Node.js, which runs Pyodide outside a browser; installs Node.js and npm if necessary."""
    for attempt in range(2):
        if shutil.which("node") and shutil.which("npm"):
            return "node"
        if attempt == 0:
            install(["nodejs", "npm"])
    raise Missing("node is missing: apt-get install nodejs npm")


def test(arguments: list[str]) -> None:
    """Runs half of the tests in each of two Node.js processes; ``arguments`` are passed to pytest in both.

    The program exits with status 0 if at least one test ran and all tests passed, otherwise with status 1. A process
    that runs for more than ``TIMEOUT`` seconds is killed, because no code in the process could interrupt C code that
    hangs.
    """
    folder = STORE / "test"
    lay_out(folder, TESTED)
    environment = {**os.environ, "GRIDWRIGHT_PYODIDE": str(folder), "GRIDWRIGHT_PACKAGES": " ".join(TESTED)}
    ends = time.monotonic() + TIMEOUT
    started = []
    for half in range(2):
        log = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - read after the process ends
        command = [node(), str(HERE / "test.mjs"), str(half), *arguments]
        started.append((subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log), log))
    statuses = []
    for process, log in started:
        try:
            statuses.append(process.wait(ends - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            statuses.append(process.wait())
            print(f"the tests in Node.js did not end within {TIMEOUT} s")
        log.seek(0)
        print(log.read(), end="")
    # Status 5 means that pytest collected no tests: if only one test is selected, one of the halves is empty.
    sys.exit(0 if 0 in statuses and {*statuses} <= {0, 5} else 1)


def jupyterlite() -> Path:
    """Returns the path of ``jupyter-lite``, which is installed in a virtual environment of its own if necessary.

    The JupyterLite extensions in the virtual environment become the extensions of the page.
    """
    home = STORE / "jupyterlite"
    program = home / "bin" / "jupyter-lite"
    stamp = home / "pins.json"
    pins = json.dumps(PINS["jupyterlite"])
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != pins:
        shutil.rmtree(home, ignore_errors=True)
        run(sys.executable, "-m", "venv", home)
        if not quietly(home / "bin" / "pip", "install", "--quiet", *PINS["jupyterlite"]):
            raise Missing(f"JupyterLite is missing: pip install {' '.join(PINS['jupyterlite'][:2])} failed")
        stamp.write_text(pins, encoding="utf-8")
    return program


def tools() -> None:
    """Fetches and installs everything that the wheel, its tests and the pages need."""
    compiler()
    linker()
    maturin()
    node()
    gather({*TESTED, *KERNEL, *NOTEBOOKS, *ON_DEMAND})
    jupyterlite()


def main(arguments: list[str]) -> None:
    """Runs the command that the first argument names.

    If the command is unknown, the program prints the help and exits with status 1. It also exits with status 1 if a
    called program fails, and with status 3 if a piece is missing.
    """
    name, *rest = arguments or ["help"]
    with failures():
        if name == "tools":
            tools()
        elif name == "wheel":
            build_wheel()
        elif name == "test":
            test(rest)
        else:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
