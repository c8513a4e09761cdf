"""The options that every check takes: documented once, and shown in the signature and the ``help`` of each check."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypedDict, TypeVar

from ..arguments import number, shown, whole, wrong_type
from ..progress import ProgressReporter

__all__ = ["Options", "Settings", "with_options"]

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Options(TypedDict, total=False):
    """The options of every check, all of them optional and given by keyword.

    * ``time_limit``: seconds per case, more than 0 and at most 3600; 2 by default.
    * ``memory_limit``: MiB that the code may use beyond what its process starts with, or that a command may use in
      total, 16 to 1048576; 1024 by default.
    * ``weights``: a dict from the name of a part to its weight in the score, finite and at least 0; other parts have
      weight 1. ``None`` by default.
    * ``seed``: an integer from 0 to 2^64 - 1 that selects other random cases, such as a seed from ``for_student``;
      ``None`` (the default) for the usual ones.
    * ``progress``: a callable that receives the number of cases tried, or an object with ``update``, such as a tqdm
      bar; ``None`` by default.

    A check raises ``TypeError`` for an unknown option or a wrong type, and ``ValueError`` for a value out of bounds.

    >>> from gridwright import check
    >>> check.is_game_won(lambda board: True, time_limit=0)
    Traceback (most recent call last):
    ValueError: time_limit must be greater than 0 and at most 3600 seconds, got 0
    """

    time_limit: float
    memory_limit: int
    weights: Mapping[str, float] | None
    seed: int | None
    progress: Any


@dataclass(frozen=True)
class Settings:
    """The values of ``Options`` with their defaults.

    * ``time_limit``, ``memory_limit``, ``weights``, ``seed``, ``progress``: the options of those names.

    >>> Settings(seed=3).validated(["one row"]).time_limit
    2.0
    """

    time_limit: float = 2.0
    memory_limit: int = 1024
    weights: Mapping[str, float] | None = None
    seed: int | None = None
    progress: Any = None

    def validated(self, parts: Collection[str]) -> Settings:
        """Returns a copy of these settings with plain Python numbers.

        Raises ``TypeError`` or ``ValueError`` for the first setting that is wrong.

        * ``parts``: the names of the parts of the check, which ``weights`` may name.
        """
        limit = number("time_limit", self.time_limit)
        if not 0 < limit <= 3600:
            found = shown(self.time_limit)
            raise ValueError(f"time_limit must be greater than 0 and at most 3600 seconds, got {found}")
        memory = whole("memory_limit", self.memory_limit, 16, 1 << 20)
        seed = None if self.seed is None else whole("seed", self.seed, 0)
        ProgressReporter(self.progress)
        # Plain integers: sizes in bytes are computed from the limit, and would overflow a numpy integer.
        settings = replace(self, time_limit=limit, memory_limit=memory, seed=seed)
        if self.weights is None:
            return settings
        if not isinstance(self.weights, Mapping):
            raise wrong_type("weights", "a dict", self.weights)
        weights = {}
        for name, weight in self.weights.items():
            if name not in parts:
                raise ValueError(f"weights must name parts of this check ({', '.join(parts)}), got {shown(name)}")
            weights[name] = number(f"weights[{name!r}]", weight, 0)
        if not any(weights.get(name, 1) for name in parts):
            raise ValueError("weights must leave at least one part that counts, got 0 for all")
        return replace(settings, weights=weights)


def with_options(function: _Function) -> _Function:
    """Lists the individual options in place of ``**options`` in the signature, annotations and docstring of a check.

    * ``function``: the check. The item ``options`` of its docstring is replaced by the items of ``Options``.

    >>> from gridwright import check
    >>> list(inspect.signature(check.swap).parameters)
    ['fn', 'time_limit', 'memory_limit', 'weights', 'seed', 'progress']
    """
    signature, shared = inspect.signature(function), inspect.signature(Settings).parameters.values()
    own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
    options = [one.replace(kind=one.KEYWORD_ONLY) for one in shared]
    function.__signature__ = signature.replace(parameters=[*own, *options])  # type: ignore[attr-defined]
    function.__annotations__.pop("options")
    function.__annotations__.update({one.name: one.annotation for one in options})
    if function.__doc__ and Options.__doc__:  # `python -OO` keeps neither
        lines = function.__doc__.splitlines()
        at = next(number for number, line in enumerate(lines) if line.lstrip().startswith("* ``options``:"))
        indent = lines[at][: -len(lines[at].lstrip())]
        # The items, some of which take several lines, are the second paragraph.
        items = textwrap.dedent(Options.__doc__.split("\n\n")[1]).splitlines()
        lines[at : at + 1] = [indent + item for item in items]
        function.__doc__ = "\n".join(lines)
    return function
