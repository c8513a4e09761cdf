"""The states of a Bloxorz level as a graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from .arguments import instance, place
from .optional import require
from .words import counted

if TYPE_CHECKING:
    from .bloxorz import Bloxorz

__all__ = ["KEYS", "StateGraph"]

KEYS = "lurds"
"""The keys of Bloxorz in the order of their numbers in moves."""


def level_text(text: str) -> str:
    """Returns the text of a position without the lines that tell where the block is and which bridges are on now.

    * ``text``: the text of a position, as ``Bloxorz.text`` writes it.
    """
    return "\n".join(line for line in text.splitlines() if not line.startswith(("@", "%=")))


@dataclass(frozen=True, eq=False)
class StateGraph:
    """All states that can be reached from a position without falling, as columns; state 0 is the position itself.

    The edges of state ``i`` are ``indptr[i]:indptr[i + 1]``, one per legal key that does not make the block fall,
    in the order of the keys; a won state has none. States are in order of depth.

    >>> import gridwright as gw
    >>> graph = gw.Bloxorz.level("level01").state_graph()
    >>> len(graph), len(graph.key), int(graph.distance[0]), graph.solved
    (89, 229, 7, array([55]))
    >>> graph.position(55).is_solved
    True
    """

    indptr: npt.NDArray[np.int64]
    """The first edge of each state, and at the end the number of edges: ``(n + 1,)`` int64."""
    indices: npt.NDArray[np.int32]
    """The state that each edge leads to: ``(m,)`` int32."""
    key: npt.NDArray[np.uint8]
    """The key of each edge: ``(m,)`` uint8, 0 to 4 as in moves."""
    depth: npt.NDArray[np.int32]
    """The distance from state 0 in the unit of ``minimize``: ``(n,)`` int32."""
    distance: npt.NDArray[np.int32]
    """The distance to the target: ``(n,)`` int32, -1 for a dead state, from which the target cannot be reached."""
    block: npt.NDArray[np.int32]
    """The cells of the block: ``(n, 2, 2)`` int32. The upper or left cell of a lying block, or the cube in control of a
    split one, comes first; the cell of a standing block appears twice."""
    bridges: npt.NDArray[np.uint32]
    """The bridges that are on, bit 0 for a: ``(n,)`` uint32."""
    minimize: str
    """The unit of depth and distance: ``"rolls"`` or ``"keys"``."""
    level: Bloxorz = field(repr=False)
    """The position of state 0."""

    def __len__(self) -> int:
        """Returns the number of states."""
        return len(self.depth)

    @property
    def solved(self) -> npt.NDArray[np.int64]:
        """The numbers of the won states: ``(k,)`` int64."""
        return np.flatnonzero(self.distance == 0)

    @property
    def dead(self) -> npt.NDArray[np.int64]:
        """The numbers of the states from which the target cannot be reached without falling: ``(k,)`` int64."""
        return np.flatnonzero(self.distance < 0)

    def position(self, state: int) -> Bloxorz:
        """Returns a state as a game.

        * ``state``: the number of the state, from 0 to ``len(graph) - 1``; ``IndexError`` for any other.

        >>> import gridwright as gw
        >>> graph = gw.Bloxorz.level("level01").state_graph()
        >>> graph.position(1).block.tolist() == graph.block[1].tolist()
        True
        """
        state = place("state", state, len(self))
        level = level_text(self.level.text)
        one, other = self.block[state].tolist()
        star = "" if abs(one[0] - other[0]) + abs(one[1] - other[1]) < 2 else " *"
        stands = f"@ {one[1]} {one[0]}" + ("" if one == other else f"{star} {other[1]} {other[0]}")
        bits = int(self.bridges[state])
        on = "".join(letter for letter in self.level.bridges if bits >> (ord(letter) - ord("a")) & 1)
        return type(self.level)(f"{level}\n{stands}\n%={on}")

    def find(self, game: Bloxorz) -> int:
        """Returns the number of the state that corresponds to a position.

        * ``game``: a position of the level. ``LookupError`` if it cannot be reached from state 0 without falling.

        >>> import gridwright as gw
        >>> game = gw.Bloxorz.level("level01")
        >>> graph = game.state_graph()
        >>> game.play("rrdrrrd")
        >>> int(graph.distance[graph.find(game)])
        0
        """
        instance("game", game, _core.Bloxorz)
        cells = game.block
        bits = sum(on << (ord(letter) - ord("a")) for letter, on in game.bridges.items())
        same = (self.block == np.stack([cells[0], cells[-1]])).all(axis=(1, 2)) & (self.bridges == bits)
        for state in np.flatnonzero(same):
            if self.position(int(state)) == game:
                return int(state)
        raise LookupError("game must be a position of this graph, got one that cannot be reached")

    def to_networkx(self) -> Any:
        """Returns the graph as a ``networkx.DiGraph``; needs networkx.

        Nodes are the numbers of the states, with the attributes ``block`` (a tuple of its cells), ``bridges`` (the
        letters of the bridges that are on), ``depth``, ``distance``, ``dead`` and ``solved``. Edges have the attribute
        ``key``: a letter, or several if several keys lead to the same state.

        >>> import gridwright as gw
        >>> graph = gw.Bloxorz.level("level01").state_graph().to_networkx()
        >>> graph.nodes[1]
        {'block': ((1, 2), (1, 3)), 'bridges': '', 'depth': 1, 'distance': 6, 'dead': False, 'solved': False}
        """
        networkx = require("networkx", "to_networkx needs networkx: pip install networkx")
        graph = networkx.DiGraph()
        names = list(self.level.bridges)
        rows = zip(self.block.tolist(), self.bridges.tolist(), self.depth.tolist(), self.distance.tolist(), strict=True)
        for state, ((one, other), bits, depth, distance) in enumerate(rows):
            on = "".join(name for name in names if bits >> (ord(name) - ord("a")) & 1)
            cells = (tuple(one),) if one == other else (tuple(one), tuple(other))
            graph.add_node(
                state, block=cells, bridges=on, depth=depth, distance=distance, dead=distance < 0, solved=distance == 0
            )
        source = np.repeat(np.arange(len(self)), np.diff(self.indptr).astype(np.intp))
        for one, other, key in zip(source.tolist(), self.indices.tolist(), self.key.tolist(), strict=True):
            known = graph.edges[one, other]["key"] if graph.has_edge(one, other) else ""
            graph.add_edge(one, other, key=known + KEYS[key])
        return graph

    def to_scipy(self) -> Any:
        """Returns the ``(n, n)`` adjacency matrix as a ``scipy.sparse.csr_array`` of uint8; needs scipy.

        An entry counts the keys that lead from the state of its row to that of its column.
        """
        sparse = require("scipy.sparse", "to_scipy needs scipy: pip install scipy")
        shape = (len(self), len(self))
        return sparse.csr_array((np.ones(len(self.key), dtype=np.uint8), self.indices, self.indptr), shape=shape)

    def svg(self, **options: Any) -> str:
        """Draws the graph as SVG text, with one column per depth.

        The color of a state shows its distance; dead states are hollow. A thick line shows a shortest solution.

        * ``options``: ``theme`` as in ``Bloxorz.svg``; ``width`` and ``height`` in pixels, 100 to 10,000, by default
          760 and 420.

        >>> import gridwright as gw
        >>> gw.Bloxorz.level("level01").state_graph().svg()[:4]
        '<svg'
        """
        from .draw import theme
        from .draw.bloxorz import graph_picture

        return graph_picture(self, theme(options.pop("theme", None)), **options).render()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        from .draw.page import image

        words = f"{counted(len(self), 'state')}, {counted(len(self.key), 'edge')}, {len(self.dead):,} dead"
        return {"text/html": image(lambda theme: self.svg(theme=theme), words), "text/plain": words}
