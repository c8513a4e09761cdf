"""Experiments over many seeds, in one thread or on any ``concurrent.futures`` executor."""

from __future__ import annotations

import os
import pickle
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sized
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from .arguments import integer, path, shown, text, whole, wrong_type
from .progress import ProgressReporter

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from pathlib import Path

    import numpy.typing as npt

    _Found = Generator[dict[int, "_Row"] | "_FunctionError", None, None]

__all__ = ["sweep"]

_TRIES = 3
"""The number of times that a chunk must kill its worker before it is abandoned."""

_Row = dict[str, Any]


def sweep(
    function: Callable[[int], Any],
    seeds: Iterable[int] | int,
    executor: Executor | None = None,
    *,
    chunk: int | None = None,
    progress: Callable[[int], object] | Any | None = None,
    file: str | os.PathLike[str] | None = None,
    label: str | None = None,
) -> dict[str, npt.NDArray[Any]]:
    """Calls a function with each seed and returns its results as columns, a dict from names to numpy arrays.

    The first column is ``seed``; rows are in the order of ``seeds``, however the work was distributed. An exception
    that the function raises ends the sweep and is passed on. A column has dtype object if numpy would change its values
    otherwise: for bytes, for strings mixed with numbers or bytes, for strings that end in a NUL, and for integers of
    which some are negative and others need uint64. An integer among floats becomes a float, rounded if beyond 2^53.

    * ``function``: ``function(seed)`` returns a mapping of names to values, one row; any other value becomes the column
      ``value``. ``TypeError`` for a name that is not a string, and ``ValueError`` for the name ``seed``. The value of a
      name that a row lacks is ``None``. For worker processes the function must be importable from a module, and
      ``pickle`` must be able to send what it returns or raises; otherwise the sweep ends with ``TypeError``.
    * ``seeds``: up to 10^9 integers that all fit int64 or all fit uint64, or a number n from 0 to 10^9 for the seeds 0
      to n - 1.
    * ``executor``: a ``concurrent.futures.Executor``; ``None`` (the default) calls the function in the current thread,
      which also works without threads and processes (as in a browser's Python).
    * ``chunk``: the number of seeds per chunk, which is one task; at least 1. By default there are at most 64 chunks.
    * ``progress``: a callable that receives the number of seeds done, or an object with ``update``, such as a tqdm bar;
      ``None`` (the default) for no reports.
    * ``file``: a file that keeps each finished chunk as one line, so that an interrupted sweep can continue from it.
      With a file, integers that fit int64 become int64 and floats float64, whether they are read from the file or
      computed; in a column of dtype object, tuples and arrays become lists. ``TypeError`` for values that JSON cannot
      hold, such as a dict with a key that is not a string, and ``ValueError`` for a file with other content.
      ``None`` (the default) for no file.
    * ``label``: a name stored in the file, by default that of the function; ``ValueError`` for a file with another
      label. Change the label when the function changes. Required with ``file`` for a lambda or a ``functools.partial``
      object.

    Executors:

    * threads: ``ThreadPoolExecutor()``; the engines release the interpreter lock in long calls
    * processes: ``ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn"))``
    * Dask: ``Client(...).get_executor()``
    * MPI: ``mpi4py.futures.MPIPoolExecutor()`` (the package ``mpich`` provides MPI), under
      ``mpiexec -n 8 python -m mpi4py.futures``
    * Ray: ``class RayExecutor(Executor)`` with the one method ``submit``, which returns
      ``ray.remote(function).remote(*arguments).future()``

    If a worker dies, its chunk is tried again. If a chunk is known to have killed its worker three times, the sweep
    finishes all other chunks and then raises ``RuntimeError``.

    >>> import gridwright as gw
    >>> def rolls(seed):
    ...     game = gw.Bloxorz.level(f"level{seed + 1:02}")
    ...     return {"level": game.shape, "rolls": len(game.solve())}
    >>> gw.sweep(rolls, 2)["rolls"]
    array([7, 9])
    """
    if not callable(function):
        raise wrong_type("function", "a callable of a seed", function)
    all_seeds = _seeds(seeds)
    label = None if label is None else text("label", label)
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise wrong_type("executor", "a concurrent.futures.Executor or None", executor)
    if chunk is None:
        chunk = max(1, -(-len(all_seeds) // 64))
    chunk = whole("chunk", chunk, 1)
    tell = ProgressReporter(progress)
    kept = None if file is None else _File(path("file", file), _name(function) if label is None else label)
    done: dict[int, _Row] = {} if kept is None else kept.read()
    repeats = Counter(all_seeds)
    missing = [seed for seed in repeats if seed not in done]
    tell.add(len(all_seeds) - sum(repeats[seed] for seed in missing))
    chunks = [missing[i : i + chunk] for i in range(0, len(missing), chunk)]
    found = _run_here(function, chunks) if executor is None else _run_in_pool(function, chunks, executor)
    with closing(found):
        for rows in found:
            # Raised here, because a generator cannot raise StopIteration.
            if isinstance(rows, _FunctionError):
                raise rows.error
            if kept is not None:
                rows = kept.write(rows)
            done.update(rows)
            tell.add(sum(repeats[seed] for seed in rows))
    return _columns(all_seeds, done)


_MAX_SEEDS = 10**9
"""The most seeds of one sweep: their rows must fit in memory."""


def _seeds(seeds: Any) -> list[int]:
    try:
        if isinstance(seeds, Iterable):
            if isinstance(seeds, Sized):
                try:
                    count = len(seeds)
                except OverflowError:
                    raise ValueError(f"seeds must hold at most {_MAX_SEEDS} seeds, got more") from None
                if count > _MAX_SEEDS:
                    raise ValueError(f"seeds must hold at most {_MAX_SEEDS} seeds, got {count}")
            # One seed more than allowed is read, so that an endless iterable is refused.
            found = [integer("seeds", seed) for seed in islice(seeds, _MAX_SEEDS + 1)]
            if len(found) > _MAX_SEEDS:
                raise ValueError(f"seeds must hold at most {_MAX_SEEDS} seeds, got more")
        else:
            count = integer("seeds", seeds)
            if not 0 <= count <= _MAX_SEEDS:
                raise ValueError(f"seeds must be between 0 and {_MAX_SEEDS}, got {shown(count)}")
            return list(range(count))
    except TypeError:
        raise wrong_type("seeds", "an integer or an iterable of integers", seeds) from None
    if found and not (min(found) >= -(2**63) and max(found) < (2**63 if min(found) < 0 else 2**64)):
        raise ValueError(f"seeds must fit int64 or uint64, got {shown(min(found))} to {shown(max(found))}")
    return found


def _name(function: Any) -> str:
    name = getattr(function, "__qualname__", getattr(function, "__name__", ""))
    if not name or name.endswith("<lambda>"):
        # All lambdas have the same name, and all `functools.partial` objects would have that of their class.
        raise ValueError("label must be given with file for a lambda or an object without a name, got None")
    return f"{getattr(function, '__module__', '')}.{name}"


def _run_chunk(function: Callable[[int], Any], seeds: list[int]) -> dict[int, _Row]:
    """Calls the function with each seed of a chunk and returns the rows by seed."""
    rows: dict[int, _Row] = {}
    for seed in seeds:
        found = function(seed)
        rows[seed] = dict(found) if isinstance(found, Mapping) else {"value": found}
        if not all(isinstance(name, str) for name in rows[seed]):
            raise TypeError(f"function must return a mapping of str to values, got {shown(found)}")
        if "seed" in rows[seed]:
            raise ValueError(
                f"function must not return a column 'seed', which holds the seeds, got {shown(list(rows[seed]))}"
            )
    return rows


class _FunctionError:
    """An exception of the user's function, as opposed to the death of a worker."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def _guarded(function: Callable[[int], Any], seeds: list[int], pickled: bool) -> dict[int, _Row] | _FunctionError:
    """Returns the rows of a chunk, or the exception of the function.

    If the answer will be ``pickled`` for another process, pickling and unpickling are tried here first, because an
    answer that the other process cannot unpickle would break the pool.
    """
    found: dict[int, _Row] | _FunctionError
    try:
        found = _run_chunk(function, seeds)
        expected, got = "return values", shown(found)
    except Exception as error:
        found = _FunctionError(error)
        expected, got = "raise exceptions", shown(error)
    if pickled:
        try:
            pickle.loads(pickle.dumps(found))
        except Exception as error:
            words = f"function must {expected} that can be pickled, got {got} ({shown(error)})"
            return _FunctionError(TypeError(words))
    return found


def _run_here(function: Callable[[int], Any], chunks: list[list[int]]) -> _Found:
    for seeds in chunks:
        yield _guarded(function, seeds, pickled=False)


def _run_in_pool(function: Callable[[int], Any], chunks: list[list[int]], executor: Executor) -> _Found:
    """Submits only a few chunks ahead of the workers, so that a long sweep needs little memory.

    The death of one worker may lose the chunks of others, because ``ProcessPoolExecutor`` breaks as a whole. The
    chunks lost in this way are then tried one at a time, to find the one that kills its worker.
    """
    # This import also loads logging and other modules, for which `import gridwright` should not wait.
    from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait

    ahead = 4 * (getattr(executor, "_max_workers", None) or os.cpu_count() or 1)
    waiting = [(seeds, 0) for seeds in reversed(chunks)]
    suspects: list[tuple[list[int], int]] = []
    running: dict[Future[Any], tuple[list[int], int]] = {}
    lost: list[tuple[list[int], BaseException]] = []
    pool, own, pickled = executor, False, _is_process_pool(executor)
    try:
        while waiting or suspects or running:
            # Set before the loop below takes the last suspect, which must run alone too.
            most = 1 if suspects else ahead
            while len(running) < most:
                source = suspects or waiting
                if not source:
                    break
                seeds, deaths = source.pop()
                try:
                    running[pool.submit(_guarded, function, seeds, pickled)] = (seeds, deaths)
                except BrokenExecutor as error:
                    source.append((seeds, deaths))
                    if running:
                        break
                    pool, own = _new_pool(pool, own, error), True
            alone = len(running) == 1
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                seeds, deaths = running.pop(future)
                try:
                    rows = future.result()
                except (TypeError, AttributeError, pickle.PicklingError) as error:
                    # The executor could not send the function or the rows; another attempt would also fail.
                    raise TypeError(
                        "function must be importable from a module and return values that can be pickled, "
                        f"got {shown(error)}"
                    ) from error
                except Exception as error:
                    # If the whole executor broke, only a chunk that ran alone is known to have killed its worker.
                    deaths += alone or not isinstance(error, BrokenExecutor)
                    if deaths == _TRIES:
                        lost.append((seeds, error))
                    else:
                        suspects.append((seeds, deaths))
                    continue
                yield rows
    finally:
        for future in running:
            future.cancel()
        if own:
            pool.shutdown(wait=False)
    if lost:
        names = ", ".join(map(_listed, (seeds for seeds, _ in lost)))
        noun = "seed" if sum(len(seeds) for seeds, _ in lost) == 1 else "seeds"
        cause = lost[0][1]
        raise RuntimeError(
            f"no result for {noun} {names}: the worker died {_TRIES} times ({shown(cause)}); all others are done"
        ) from cause


def _listed(seeds: list[int]) -> str:
    """Returns the seeds of a chunk in words: all of a short one, otherwise the first and the last."""
    if len(seeds) <= 3:
        return ", ".join(map(str, seeds))
    steady = seeds == list(range(seeds[0], seeds[0] + len(seeds)))
    return f"{seeds[0]} {'to' if steady else '...'} {seeds[-1]}"


def _is_process_pool(executor: Executor) -> bool:
    # The module is not imported here, because the import fails in a browser's Python, which has no processes. If the
    # executor is a process pool, the module has been loaded already.
    processes = sys.modules.get("concurrent.futures.process")
    return processes is not None and isinstance(executor, processes.ProcessPoolExecutor)


def _new_pool(pool: Executor, own: bool, error: BaseException) -> Executor:
    """Returns a new process pool like ``pool``, which broke; raises ``RuntimeError`` for any other kind of executor."""
    if not _is_process_pool(pool):
        raise RuntimeError(f"executor must survive the death of a worker, got one that broke ({error})") from error
    made: Any = pool
    if own:
        pool.shutdown(wait=False)
    fresh: Executor = sys.modules["concurrent.futures.process"].ProcessPoolExecutor(
        max_workers=made._max_workers,
        mp_context=made._mp_context,
        initializer=made._initializer,
        initargs=made._initargs,
    )
    return fresh


class _File:
    """A file of finished chunks: a line with the label, then one line per chunk with its checksum and rows as JSON."""

    def __init__(self, path: Path, label: str) -> None:
        self.path, self.label = path, label

    def read(self) -> dict[int, _Row]:
        import json  # here and below, so that `import gridwright` does not load it

        from .files import write

        first = json.dumps({"sweep": self.label}) + "\n"
        raw = self.path.read_bytes() if self.path.exists() else b""
        # If the first line was cut short, no chunk has been written yet: the file is started again.
        if first.encode().startswith(raw) and len(raw) < len(first):
            write(self.path, first)
            return {}
        complete = raw[: raw.rfind(b"\n") + 1]
        try:
            lines = complete.decode("utf-8").splitlines()
            label = json.loads(lines[0])["sweep"]
        except (IndexError, ValueError, TypeError, KeyError):
            raise ValueError(f"file must be a file of a sweep or not exist, got {self.path}") from None
        if label != self.label:
            raise ValueError(f"file must hold a sweep of {self.label}, got {label} in {self.path}")
        done: dict[int, _Row] = {}
        for number, line in enumerate(lines[1:], 2):
            total, _, text = line.partition(" ")
            if total != _sum(text):
                raise ValueError(f"file must be as it was written, got a damaged line {number} in {self.path}")
            done.update((int(seed), row) for seed, row in json.loads(text))
        if len(complete) < len(raw):
            write(self.path, complete)  # the last line was cut short; its chunk is repeated
        return done

    def write(self, rows: dict[int, _Row]) -> dict[int, _Row]:
        """Appends a chunk and returns its rows as a later ``read`` will return them."""
        import json

        try:
            text = json.dumps([[seed, row] for seed, row in rows.items()], default=_plain)
            _check_keys(list(rows.values()))
        except (ValueError, RecursionError, TypeError) as error:
            found = f"got {shown(list(rows.values()))} ({shown(error)})"
            raise TypeError(f"function must return values that JSON can hold if there is a file, {found}") from None
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(f"{_sum(text)} {text}\n")
            file.flush()
            os.fsync(file.fileno())
        return {int(seed): row for seed, row in json.loads(text)}


def _sum(text: str) -> str:
    import hashlib

    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not a number, text, list or dict")


def _check_keys(value: Any) -> None:
    """Raises ``TypeError`` for a key that is not a string, which JSON would convert to one, in a dict at any depth."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, np.ndarray) and one.dtype.hasobject:
            one = one.tolist()
        if isinstance(one, dict):
            for key in one:
                if not isinstance(key, str):
                    raise TypeError(f"the key {shown(key)} is not a string")
            one = list(one.values())
        if isinstance(one, list | tuple):
            waiting.extend(part for part in one if isinstance(part, dict | list | tuple | np.ndarray))


def _integral(value: Any) -> bool:
    """Returns whether a value is an integer, or a (nested) list, tuple or array of integers."""
    if isinstance(value, list | tuple):
        return all(map(_integral, value))
    return value.dtype.kind in "biu" if isinstance(value, np.ndarray) else isinstance(value, int | np.integer)


def _columns(seeds: list[int], done: dict[int, _Row]) -> dict[str, npt.NDArray[Any]]:
    rows = [done[seed] for seed in seeds]
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {"seed": np.array(seeds, dtype=np.int64 if max(seeds, default=0) < 2**63 else np.uint64)}
    for name in names:
        values = [row.get(name) for row in rows]
        try:
            column = np.array(values)
            if column.dtype.kind == "f" and column.size > 0 and _integral(values):
                # numpy would round integers to floats if int64 holds some of them and uint64 others.
                column = np.array(values, dtype=object)
                if min(column.flat) >= 0:
                    column = column.astype(np.uint64)
            if column.dtype.kind in "US" and not all(isinstance(value, str) and value[-1:] != "\0" for value in values):
                # numpy would turn numbers and bytes among strings into strings, and drop NULs at the end.
                column = np.array(values, dtype=object)
            if column.dtype == np.dtype(int) and not any(
                isinstance(value, np.generic | np.ndarray) for value in values
            ):
                column = column.astype(np.int64)  # Python ints give int64 even where numpy's default has 32 bits
            columns[name] = column
        except ValueError:  # values of different shapes
            objects: npt.NDArray[Any] = np.empty(len(values), dtype=object)
            for place, value in enumerate(values):
                objects[place] = value
            columns[name] = objects
    return columns
