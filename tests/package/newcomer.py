"""Tries what a new user does first, with only the package and numpy installed.

Run this file outside a checkout: ``python newcomer.py``.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import gridwright as gw
import numpy as np


def main() -> None:
    """Plays, solves, draws, pickles and batches games, and runs the command line. Raises an error if anything fails."""
    where = Path(gw.__file__).resolve().parent
    assert "site-packages" in where.parts, where
    assert (where / "py.typed").exists()
    for name, kind in gw.GAMES.items():
        assert len(kind.levels()) >= 1, name
        for level in kind.levels():
            game = kind.level(level)
            assert kind(game.text) == game, (name, level)
        game = kind.level(kind.levels()[0])
        move = game.sample_legal(1)
        if move is not None:
            game.play(*move)
            assert game.undo()
        assert game.board.shape == game.shape
        assert game.board.dtype == np.uint8
        assert game.svg().startswith("<svg")
        assert "image/svg" in game._repr_mimebundle_()["text/html"]
        assert pickle.loads(pickle.dumps(game)) == game
        batch = game.batch(4, seed=1)
        batch.step(batch.sample_legal())
    assert gw.Bloxorz.level("level01").solve()
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "gridwright", "demo"], cwd=folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    print(f"gridwright {gw.__version__} works with Python {sys.version.split()[0]} and numpy {np.__version__}")


if __name__ == "__main__":
    main()
