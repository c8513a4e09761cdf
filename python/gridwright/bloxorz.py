"""Bloxorz: a block of two cubes rolls over a terrain and must stand on the target.

>>> import gridwright as gw
>>> game = gw.Bloxorz.level("level01")
>>> print(game)
ooo-------
o#oooo----
ooooooooo-
-ooooooooo
-----ooToo
------ooo-
>>> game.play("r")
>>> game.board[1]
array([ 1,  1, 17, 17,  1,  1,  0,  0,  0,  0], dtype=uint8)
>>> game.solve()
'rdrrrd'
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from .game import GridGame

if TYPE_CHECKING:
    from .draw import Animation

__all__ = ["Block", "Bloxorz", "StateGraph", "Terrain", "Tile"]

Block = _core.Block
Terrain = _core.Terrain

_KEYS = "lurds"
_CODES = _core.bloxorz_codes()


class Tile(IntEnum):
    """Codes of ``Bloxorz.board``; the cells under the block add ``BLOCK``, those of the other cube ``OTHER_CUBE``.

    >>> Tile(17 & 15), bool(17 & Tile.BLOCK)
    (<Tile.TILE: 1>, True)
    """

    NONE = _CODES["NONE"]
    TILE = _CODES["TILE"]
    LIGHT = _CODES["LIGHT"]
    TARGET = _CODES["TARGET"]
    SWITCH_SOFT = _CODES["SWITCH_SOFT"]
    SWITCH_HEAVY = _CODES["SWITCH_HEAVY"]
    SPLITTER = _CODES["SPLITTER"]
    BRIDGE_OFF = _CODES["BRIDGE_OFF"]
    BRIDGE_ON = _CODES["BRIDGE_ON"]
    BLOCK = _CODES["BLOCK"]
    OTHER_CUBE = _CODES["OTHER_CUBE"]


Self = TypeVar("Self", bound="Bloxorz")


@dataclass(frozen=True, eq=False)
class StateGraph:
    """All states that can be reached from a position without falling, as columns; state 0 is the position itself.

    The keys of state ``i`` are the edges ``indptr[i]:indptr[i + 1]``, in the order of the keys; a won state has none.
    The states stand in the order of their depth.

    >>> import gridwright as gw
    >>> graph = gw.Bloxorz.level("level01").state_graph()
    >>> len(graph), len(graph.key), int(graph.distance[0]), graph.solved
    (89, 229, 7, array([55]))
    >>> graph.position(55).is_solved
    True
    """

    indptr: npt.NDArray[np.int64]
    """Where the edges of each state begin, and at last their number: ``(n + 1,)`` int64."""
    indices: npt.NDArray[np.int32]
    """The state that each edge leads to: ``(m,)`` int32."""
    key: npt.NDArray[np.uint8]
    """The key of each edge: ``(m,)`` uint8, 0 to 4 as in moves."""
    depth: npt.NDArray[np.int32]
    """The fewest rolls from state 0: ``(n,)`` int32."""
    distance: npt.NDArray[np.int32]
    """The fewest rolls to the target: ``(n,)`` int32, -1 for a dead state, from which there is none."""
    block: npt.NDArray[np.int32]
    """Both cells of the block, the cube in control first, a standing block's cell twice: ``(n, 2, 2)`` int32."""
    bridges: npt.NDArray[np.uint32]
    """The bridges that are on, bit 0 for a: ``(n,)`` uint32."""
    minimize: str
    """What depth and distance count, ``"rolls"`` or ``"keys"``."""
    level: Bloxorz = field(repr=False)
    """The position that the graph began with."""

    def __len__(self) -> int:
        """The number of states."""
        return len(self.depth)

    @property
    def solved(self) -> npt.NDArray[np.int64]:
        """The won states, as their numbers."""
        return np.flatnonzero(self.distance == 0)

    @property
    def dead(self) -> npt.NDArray[np.int64]:
        """The states from which the target cannot be reached without falling, as their numbers."""
        return np.flatnonzero(self.distance < 0)

    def position(self, state: int) -> Bloxorz:
        """Gives a state as a game.

        >>> import gridwright as gw
        >>> graph = gw.Bloxorz.level("level01").state_graph()
        >>> graph.position(1).block.tolist() == graph.block[1].tolist()
        True
        """
        if not 0 <= state < len(self):
            raise IndexError(f"state {state}, wanted 0 to {len(self) - 1}")
        level = [line for line in self.level.text.splitlines() if not line.startswith(("@", "%="))]
        one, other = self.block[state].tolist()
        star = "" if abs(one[0] - other[0]) + abs(one[1] - other[1]) < 2 else " *"
        place = f"@ {one[1]} {one[0]}" + ("" if one == other else f"{star} {other[1]} {other[0]}")
        bits = int(self.bridges[state])
        on = "".join(letter for letter in self.level.bridges if bits >> (ord(letter) - ord("a")) & 1)
        return type(self.level)("\n".join([*level, place, f"%={on}"]))

    def find(self, game: Bloxorz) -> int:
        """Finds the number of a position; ``LookupError`` where it cannot be reached.

        >>> import gridwright as gw
        >>> game = gw.Bloxorz.level("level01")
        >>> graph = game.state_graph()
        >>> game.play("rrdrrrd")
        >>> int(graph.distance[graph.find(game)])
        0
        """
        cells = game.block
        bits = sum(on << (ord(letter) - ord("a")) for letter, on in game.bridges.items())
        same = (self.block == np.stack([cells[0], cells[-1]])).all(axis=(1, 2)) & (self.bridges == bits)
        for state in np.flatnonzero(same):
            if self.position(int(state)) == game:
                return int(state)
        raise LookupError("a position that cannot be reached, wanted one of this graph")

    def to_networkx(self) -> Any:
        """Makes a ``networkx.DiGraph`` with all of it.

        Nodes are numbers with ``block`` (its cells), ``bridges`` (the letters that are on), ``depth``, ``distance``,
        ``dead`` and ``solved``; edges have ``key``, a letter, or several where several keys lead to one state.

        >>> import gridwright as gw
        >>> graph = gw.Bloxorz.level("level01").state_graph().to_networkx()
        >>> graph.nodes[1]
        {'block': ((1, 2), (1, 3)), 'bridges': '', 'depth': 1, 'distance': 6, 'dead': False, 'solved': False}
        """
        import networkx

        graph = networkx.DiGraph()
        names = list(self.level.bridges)
        rows = zip(self.block.tolist(), self.bridges.tolist(), self.depth.tolist(), self.distance.tolist(), strict=True)
        for state, ((one, other), bits, depth, distance) in enumerate(rows):
            on = "".join(name for name in names if bits >> (ord(name) - ord("a")) & 1)
            cells = (tuple(one),) if one == other else (tuple(one), tuple(other))
            graph.add_node(
                state, block=cells, bridges=on, depth=depth, distance=distance, dead=distance < 0, solved=distance == 0
            )
        source = np.repeat(np.arange(len(self)), np.diff(self.indptr))
        for one, other, key in zip(source.tolist(), self.indices.tolist(), self.key.tolist(), strict=True):
            known = graph.edges[one, other]["key"] if graph.has_edge(one, other) else ""
            graph.add_edge(one, other, key=known + _KEYS[key])
        return graph

    def to_scipy(self) -> Any:
        """Makes a ``scipy.sparse.csr_array`` of 0 and 1 that shares the columns."""
        from scipy import sparse

        shape = (len(self), len(self))
        return sparse.csr_array((np.ones(len(self.key), dtype=np.uint8), self.indices, self.indptr), shape=shape)

    def svg(self, **options: Any) -> str:
        """Draws the graph as SVG text: a column a depth, colours by the distance, dead states grey, the solution thick.

        ``theme="dark"`` for dark pages.

        >>> import gridwright as gw
        >>> gw.Bloxorz.level("level01").state_graph().svg()[:4]
        '<svg'
        """
        from .draw import theme
        from .draw.bloxorz import graph_picture

        return graph_picture(self, theme(options.pop("theme", "light")), **options).render()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        words = f"{len(self)} states, {len(self.key)} edges, {len(self.dead)} dead"
        source = base64.b64encode(self.svg().encode()).decode()
        return {
            "text/html": f'<img src="data:image/svg+xml;base64,{source}" alt="{words}" style="max-width:100%">',
            "text/plain": words,
        }


class Bloxorz(GridGame, _core.BloxorzCore):
    """A position of Bloxorz, with its history.

    ``Bloxorz(text)`` reads a level or a position in mid-play: rows of tiles (``-`` none, ``o`` tile, ``.`` light tile,
    ``S`` start, ``T`` target, other capitals switches, other small letters bridges), then lines such as ``#AOh`` (soft
    switch A toggles bridge h), ``#AXh`` (heavy), ``#AO+h`` (on), ``#AO-h`` (off), ``#AS x y x y`` (splitter), ``%h``
    (bridge h is on at the start). Raises ``LevelError`` with line and column.

    A move is a key: 0 to 3 or ``l u r d`` rolls, 4 or ``s`` gives control to the other cube. ``play("rrdrr")`` plays
    several keys, or none of them where one is refused. Where the block falls it is put back to the start of the level:
    a legal move that costs.

    Source: the Bloxorz project of a Kotlin course, all bonus tasks included.

    >>> import gridwright as gw
    >>> game = gw.Bloxorz("oSoaT\\nooA\\n#AOa")
    >>> game.bridges
    {'a': False}
    >>> game.play("d")
    >>> game.block.tolist(), game.falls
    ([[0, 1]], 1)
    """

    NAME = "bloxorz"

    KEYS: ClassVar[dict[str, tuple[Any, ...]]] = {
        "left": ("l",),
        "up": ("u",),
        "right": ("r",),
        "down": ("d",),
        " ": ("s",),
        "l": ("l",),
        "u": ("u",),
        "r": ("r",),
        "d": ("d",),
        "s": ("s",),
    }
    """The keys of the terminal and of the notebook, with the arguments of ``play``."""

    CLICKS = "swipe over the board to roll"

    VIEWS = ("flat", "3d")

    def solution(self, **options: Any) -> npt.NDArray[np.int32] | None:
        """Gives the moves of a shortest solution: ``(n, 1)`` int32, or ``None`` where there is none.

        ``options`` are those of ``solve``.

        >>> import gridwright as gw
        >>> gw.Bloxorz.level("level01").solution().ravel()
        array([2, 2, 3, 2, 2, 2, 3], dtype=int32)
        """
        keys = self.solve(**options)
        if keys is None:
            return None
        return np.array([[_KEYS.index(key)] for key in keys], dtype=np.int32).reshape(-1, 1)

    def animate(
        self,
        moves: Any = None,
        *,
        seconds: float | None = None,
        steps: int = 1,
        progress: Any = None,
        **options: Any,
    ) -> Animation:
        """Replays the moves played so far, or the keys given from here, as an ``Animation``.

        With ``view="3d"`` and ``steps`` of more than 1 the block rolls: so many pictures a key. ``progress`` is told
        the keys drawn; ``options`` are those of ``svg``. The game stays as it is.

        >>> import gridwright as gw
        >>> game = gw.Bloxorz.level("level01")
        >>> game.animate(game.solve(), view="3d", steps=4)
        Animation of 29 frames
        """
        if steps == 1:
            return super().animate(moves, seconds=seconds, progress=progress, **options)
        if options.pop("view", "3d") != "3d":
            raise ValueError(f"{steps} steps a key in the flat view, wanted view='3d' or 1 step")
        from .draw.bloxorz import film

        start = self.copy()
        if moves is None:
            start.reset()
        keys = self.moves if moves is None else moves
        return film(start, keys, steps=steps, seconds=seconds, progress=progress, **options)

    def state_graph(
        self, *, minimize: str = "rolls", limit: int | None = None, progress: Callable[[int], object] | None = None
    ) -> StateGraph:
        """Lists every state that can be reached from here without falling, with its keys, depth and distance.

        ``minimize="rolls"`` counts rolls, ``"keys"`` the switching between cubes too. Raises ``SearchLimitError`` after
        ``limit`` states. ``progress`` is called with the states so far.

        >>> import gridwright as gw
        >>> graph = gw.Bloxorz.level("level02").state_graph()
        >>> len(graph), int(graph.distance[0]), len(graph.dead)
        (380, 17, 0)
        """
        columns = self._state_graph(minimize, limit, progress)
        return StateGraph(minimize=minimize, level=self.copy(), **columns)

    @classmethod
    def generate(
        cls: type[Self],
        height: int,
        width: int,
        *,
        min_moves: int | None = None,
        switches: int = 2,
        bridges: int = 2,
        splitters: int = 1,
        light: float = 0.1,
        effort: int = 8_000_000,
        limit: int | None = None,
        seed: int | None = None,
        progress: Callable[[int], object] | None = None,
        watch: Callable[[Self], object] | None = None,
    ) -> Self:
        """Makes a level with a long shortest solution, by simulated annealing; the same seed gives the same level.

        It has at most so many ``switches`` (soft and heavy), ``bridges`` and ``splitters``, and about the part
        ``light`` of its tiles is light. What the shortest solution does not need is taken away: tiles that cannot be
        reached, elements that could be plain tiles, and tiles that only add further shortest solutions.

        ``min_moves`` is the fewest rolls that a solution may take: the search ends where it is met, and
        ``SearchLimitError`` is raised where it is not. Without it the level is the longest of the whole search.
        ``effort`` is how many states are looked at, some 20 million a second; ten times as many make longer levels and
        take ten times as long. On boards of at most 64 cells with nothing but tiles 32 states count as one.
        ``limit`` bounds all work, in states too. ``progress`` is called with the states so far, ``watch`` with each
        level that is better than those before, so that a notebook can draw it.

        >>> import gridwright as gw
        >>> game = gw.Bloxorz.generate(5, 6, min_moves=20, seed=1)
        >>> game.shape, len(game.solve()) >= 20
        ((5, 6), True)
        """
        options = (min_moves, switches, bridges, splitters, light, effort, limit, seed, progress, watch)
        return cls._generate(height, width, *options)  # type: ignore[no-any-return]
