"""Runs the Python tests in Pyodide: ``test.mjs`` calls ``run`` in the root folder of the repository."""

import subprocess
import sys
import types

import gridwright  # noqa: F401 - imported before the stand-ins below, because it must work without them
import numpy.testing  # noqa: F401 - imported before the stand-ins, because its import tries to start a process
import pytest


def png(**_: object) -> bytes:
    """Skips the current test, which tries to draw pixels."""
    pytest.skip("needs resvg-py, which has no wheel for a browser's Python")


def process(*_: object, **__: object) -> None:
    """Skips the current test, which tries to start a process."""
    pytest.skip("needs processes, which a browser's Python does not have")


subprocess.Popen = process  # type: ignore[assignment, misc]
# Importing Gymnasium imports the locks of multiprocessing, which Pyodide lacks. No test uses them.
sys.modules["multiprocessing.synchronize"] = types.ModuleType("multiprocessing.synchronize")
sys.modules["resvg_py"] = types.ModuleType("resvg_py")
sys.modules["resvg_py"].svg_to_bytes = png  # type: ignore[attr-defined]


class Half:
    """Keeps every second test and deselects the others, which another process runs."""

    def __init__(self, which: int) -> None:
        self.which = which

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        config.hook.pytest_deselected(items=items[1 - self.which :: 2])
        items[:] = items[self.which :: 2]


def run(which: str, *arguments: str) -> int:
    """Runs half ``which`` of the tests, ``"0"`` or ``"1"``, with pytest; returns the exit status.

    Pytest writes no cache into the repository, and captures ``sys.stdout`` and ``sys.stderr`` instead of the file
    descriptors.
    """
    options = ["-rfEs", "--durations=15", "-p", "no:cacheprovider", "-p", "no:faulthandler", "--capture=sys"]
    return int(pytest.main([*arguments, *options], plugins=[Half(int(which))]))
