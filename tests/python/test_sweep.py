"""Tests of sweeps: every executor leads to the same columns, and a sweep survives interruptions and dead workers."""

from __future__ import annotations

import multiprocessing
import sys
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import Any

import gridwright as gw
import numpy as np
import pytest
import sweep_functions as work
from conftest import needs
from gridwright.sweep import sweep

SEEDS = 23


@pytest.fixture(scope="module")
def expected():
    return sweep(work.geese, SEEDS)


def same(a, b):
    assert list(a) == list(b)
    for name in a:
        assert a[name].dtype == b[name].dtype, name
        assert (a[name] == b[name]).all(), name


def processes(method: str) -> Any:
    from concurrent.futures import ProcessPoolExecutor  # here, because the import fails in a browser's Python

    return ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method))


def test_a_sweep_returns_the_seeds_and_a_column_per_name(expected):
    assert list(expected) == ["seed", "three_bv", "code", "name"]
    assert expected["seed"].tolist() == list(range(SEEDS))
    assert expected["three_bv"][4] == gw.GeeseSpotter.generate(5, 6, 7, seed=4).three_bv
    assert expected["name"][3] == "board 3"
    assert gw.sweep(lambda seed: seed + 1, [5, 2, 5])["value"].tolist() == [6, 3, 6]
    assert gw.sweep(lambda seed: seed + 1, np.int64(2))["value"].tolist() == [1, 2]
    ragged = gw.sweep(lambda seed: {"list": [0] * seed}, 3)["list"]
    assert [len(item) for item in ragged] == [0, 1, 2]
    assert list(gw.sweep(work.geese, 0)) == ["seed"]


@needs("threads")
@pytest.mark.parametrize("chunk", [None, 1, 7, 100])
def test_a_sweep_in_threads_returns_the_same_columns(expected, chunk):
    with ThreadPoolExecutor(3) as pool:
        same(sweep(work.geese, SEEDS, pool, chunk=chunk), expected)


@needs("processes")
@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_a_sweep_in_processes_returns_the_same_columns(expected, method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"needs the start method {method}")
    with processes(method) as pool:
        same(sweep(work.geese, SEEDS, pool, chunk=4), expected)


@needs("processes")
@pytest.mark.filterwarnings("ignore")  # Dask warns when it shuts down
def test_a_sweep_on_dask_returns_the_same_columns(expected):
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        same(sweep(work.geese, SEEDS, client.get_executor(), chunk=4), expected)


def test_a_sweep_on_a_minimal_executor_returns_the_same_columns(expected):
    class Plain(Executor):
        """A minimal executor, which defines only ``submit``, like a wrapper around another library."""

        def submit(self, function, /, *arguments, **options):
            future: Future = Future()
            future.set_result(function(*arguments, **options))
            return future

    same(sweep(work.geese, SEEDS, Plain()), expected)


@needs("threads")
def test_progress_is_reported_to_a_callable_or_a_bar(expected):
    reports: list[int] = []
    sweep(work.geese, SEEDS, chunk=10, progress=reports.append)
    assert reports == [10, 20, 23]

    class Bar:
        total = 0

        def update(self, new: int) -> None:
            self.total += new

    with ThreadPoolExecutor(2) as pool:
        bar = Bar()
        sweep(work.geese, SEEDS, pool, chunk=5, progress=bar)
    assert bar.total == SEEDS
    with pytest.raises(TypeError, match="progress must be a callable or an object with an update method, got 3"):
        sweep(work.geese, 3, progress=3)


def test_a_sweep_resumes_from_its_file(expected, tmp_path):
    file = tmp_path / "sweep.jsonl"
    reports: list[int] = []

    def stop(done: int) -> None:
        reports.append(done)
        if done >= 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep(work.geese, SEEDS, chunk=4, file=file, progress=stop)
    assert reports == [4, 8, 12]
    with file.open("ab") as lines:
        lines.write(b"0123 [[99, {")  # a line cut short by a crash
    reports.clear()
    same(sweep(work.geese, SEEDS, chunk=5, file=file, progress=reports.append), expected)
    assert reports == [12, 17, 22, 23]
    reports.clear()
    same(sweep(work.geese, SEEDS, file=file, progress=reports.append), expected)
    assert reports == [23]
    longer = sweep(work.geese, SEEDS + 2, file=file)
    assert longer["seed"].tolist() == list(range(SEEDS + 2))
    with pytest.raises(ValueError, match="file must hold a sweep of other, got sweep_functions.geese"):
        sweep(work.geese, 3, file=file, label="other")
    text = file.read_text().replace("board 1", "board 7")
    file.write_text(text)
    with pytest.raises(ValueError, match="file must be as it was written, got a damaged line"):
        sweep(work.geese, 3, file=file)
    file.write_text("something else\n")
    with pytest.raises(ValueError, match="file must be a file of a sweep"):
        sweep(work.geese, 3, file=file)


def test_rows_with_unsupported_values_or_names_are_refused(tmp_path):
    ring = []
    ring.append(ring)
    for number, row in enumerate((ring, {"a": object()}, {"a": {(1, 2): 3}})):
        with pytest.raises(TypeError, match="^function must return "):
            sweep(lambda seed, row=row: row, 1, file=tmp_path / f"{number}.jsonl", label="rows")
    for kept in ({}, {"file": tmp_path / "names.jsonl", "label": "rows"}):
        with pytest.raises(TypeError, match="^function must return a mapping of str to values, got "):
            sweep(lambda seed: {1: 3, "1": 4}, 1, **kept)


@needs("processes")
@pytest.mark.skipif(sys.platform == "win32", reason="workers die differently on Windows")
def test_a_worker_that_dies_costs_only_its_chunk(tmp_path, monkeypatch):
    monkeypatch.setenv("SWEEP_MARK", str(tmp_path / "mark"))
    with processes("spawn") as pool:
        columns = sweep(work.dies_once, 12, pool, chunk=2)
    assert columns["value"].tolist() == [seed * seed for seed in range(12)]
    file = tmp_path / "sweep.jsonl"
    with (
        processes("spawn") as pool,
        pytest.raises(
            RuntimeError,
            match=r"no result for seeds 4, 5: the worker died 3 times \(BrokenProcessPool.*; all others are done",
        ),
    ):
        sweep(work.dies_always, 12, pool, chunk=2, file=file)
    # The file contains every chunk except the one with seeds 4 and 5, so all 10 remaining seeds are reported at once.
    reports = []
    columns = sweep(work.dies_always, [s for s in range(12) if s not in (4, 5)], file=file, progress=reports.append)
    assert reports == [10]
    assert columns["value"].tolist() == [s * s for s in range(12) if s not in (4, 5)]


@needs("processes")
@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (work.returns_a_lock, r"function must return values that can be pickled, got \{0: .*lock.* \(TypeError"),
        (
            work.raises_a_lost_error,
            r"function must raise exceptions that can be pickled, got LostError\('what'\) \(TypeEr",
        ),
        (lambda seed: seed, "function must be importable from a module and return values that can be pickled, got "),
    ],
)
def test_results_and_functions_that_cannot_be_pickled_fail_at_once(tmp_path, monkeypatch, function, sentence):
    mark = tmp_path / "mark"
    mark.touch()
    monkeypatch.setenv("SWEEP_MARK", str(mark))
    with processes("spawn") as pool, pytest.raises(TypeError, match=sentence):
        sweep(function, 1, pool)
    # The function is called at most once, with seed 0.
    assert mark.read_text() in ("", "0\n")
    # Nothing is pickled for threads.
    with ThreadPoolExecutor(1) as pool:
        assert len(sweep(work.returns_a_lock, 2, pool)["value"]) == 2


@needs("threads")
@pytest.mark.parametrize("pooled", [False, True])
def test_an_exception_of_the_function_ends_the_sweep(pooled):
    with ThreadPoolExecutor(2) as pool, pytest.raises(KeyError, match="seed 3"):
        sweep(work.raises, 9, pool if pooled else None, chunk=2)
    with pytest.raises(ValueError, match="chunk must be between 1 and .* got 0"):
        sweep(work.raises, 9, chunk=0)


@needs("threads")
@pytest.mark.parametrize("pooled", [False, True])
def test_a_stop_iteration_of_the_function_is_passed_on(pooled):
    with ThreadPoolExecutor(2) as pool, pytest.raises(StopIteration):
        sweep(lambda seed: next(iter(())), 9, pool if pooled else None, chunk=2)


def test_numpy_values_are_read_back_from_a_file(tmp_path):
    file = tmp_path / "sweep.jsonl"

    def row(seed: int) -> dict:
        return {"mean": np.float64(seed / 2), "pair": np.array([seed, seed])}

    first = sweep(row, 4, file=file)
    again = sweep(row, 4, file=file)
    assert first["mean"].tolist() == again["mean"].tolist() == [0, 0.5, 1, 1.5]
    assert again["pair"].shape == (4, 2)
    sentence = (
        r"^function must return values that JSON can hold if there is a file, got .* \(TypeError\(.object is not "
    )
    with pytest.raises(TypeError, match=sentence):
        sweep(lambda seed: object(), 1, file=tmp_path / "other.jsonl", label="objects")


@pytest.mark.parametrize("key", [1, 1.5, True, None])
def test_keys_that_a_file_would_convert_to_strings_are_refused(key, tmp_path):
    file = tmp_path / "sweep.jsonl"
    for value in ({key: 3}, {"a": {key: 3}}, [({key: 3},)], np.array([{key: 3}, 5], dtype=object)):
        assert "a" in sweep(lambda seed, value=value: {"a": value}, 1)
        sentence = r"^function must return values that JSON can hold if there is a file, got .* \(TypeError\("
        with pytest.raises(TypeError, match=f"{sentence}'the key {key} is not a string'"):
            sweep(lambda seed, value=value: {"a": value}, 1, file=file, label="keys")
    assert len(file.read_text().splitlines()) == 1
    nested = [{"b": {"c": [1, {"d": None}]}}]
    assert sweep(lambda seed: {"a": nested[0]}, 1, file=file, label="keys")["a"].tolist() == nested


def test_progress_counts_a_repeated_seed_when_it_is_done(tmp_path):
    file, reports = tmp_path / "sweep.jsonl", []
    sweep(work.raises, [7, 1, 7, 7, 2], chunk=1, progress=reports.append)
    assert reports == [3, 4, 5]
    reports.clear()
    sweep(work.raises, [7], file=file)
    sweep(work.raises, [7, 1, 7, 1], file=file, progress=reports.append)
    assert reports == [2, 4]


def test_wrong_seeds_column_names_and_labels_raise_errors(tmp_path):
    for seeds in ("10", [0.5, 1.5], 2.5, None, ["1"]):
        with pytest.raises(TypeError, match="seeds must be an integer or an iterable of integers"):
            sweep(work.geese, seeds)
    with pytest.raises(ValueError, match="seeds must be between 0 and .* got -3"):
        sweep(work.geese, -3)
    for seeds in (range(10**9 + 1), range(2**70)):
        with pytest.raises(ValueError, match="seeds must hold at most 1000000000 seeds, got "):
            sweep(work.geese, seeds)
    with pytest.raises(ValueError, match="must not return a column 'seed'"):
        sweep(lambda seed: {"seed": 7}, 2)
    for function in (lambda seed: seed, partial(int, base=10)):
        with pytest.raises(ValueError, match="label must be given with file for a lambda or an object without a name"):
            sweep(function, 2, file=tmp_path / "sweep.jsonl")


def test_an_endless_iterable_of_seeds_is_refused(monkeypatch):
    monkeypatch.setattr(sys.modules["gridwright.sweep"], "_MAX_SEEDS", 1000)
    with pytest.raises(ValueError, match="seeds must hold at most 1000 seeds, got more"):
        sweep(work.geese, count())


def test_a_refused_argument_creates_no_file(tmp_path):
    file = tmp_path / "sweep.jsonl"
    with pytest.raises(TypeError, match="progress must be a callable"):
        sweep(work.geese, 2, file=file, progress=5)
    assert not file.exists()


def test_large_integers_are_not_rounded(tmp_path):
    large = 2**63 + 1
    for file in (None, tmp_path / "sweep.jsonl"):
        columns = sweep(lambda seed: {"high": large * seed, "far": -1 if seed else large}, 2, file=file, label="large")
        assert columns["high"].dtype == np.uint64
        assert columns["high"].tolist() == [0, large]
        assert columns["far"].tolist() == [large, -1]


@pytest.mark.parametrize(
    "values",
    [
        (b"\1\0\0", b"\1\1\0"),
        ("ab\0", "ab\0ab\0"),
        ("ab", b"ab"),
        (np.str_("ab"), np.bytes_(b"ab")),
        (np.int64(-1), np.uint64(2**63 + 1)),
        (np.int64(1), np.uint64(2**63 + 1)),
        (1, np.array(2**63 + 1, np.uint64)),
        ([2**63 + 1, -1], [1, 2]),
        ([2**63 + 1, 1], np.array([1, 2])),
    ],
)
def test_columns_hold_the_values_that_the_function_returned(values):
    column = sweep(values.__getitem__, 2)["value"]
    assert column.dtype in (object, np.uint64)
    for found, value in zip(column.tolist(), values, strict=True):
        plain = np.asarray(value).tolist() if isinstance(value, np.integer | np.ndarray) else value
        assert found == plain
        assert type(found) is type(plain) or isinstance(value, np.generic)


def test_columns_of_plain_text_and_of_empty_lists_keep_their_dtype():
    assert sweep(lambda seed: "ab" * seed, 2)["value"].dtype == np.dtype("U2")
    assert sweep(lambda seed: [], 2)["value"].dtype == np.float64


def test_a_chunk_that_lost_its_worker_runs_alone():
    log: list[tuple[str, int]] = []

    class Logged(Future):
        def __init__(self, seed: int) -> None:
            super().__init__()
            self.seed = seed

        def result(self, timeout: float | None = None) -> Any:
            log.append(("result", self.seed))
            return super().result(timeout)

    class Dying(Executor):
        """An executor whose worker dies whenever it receives seed 0."""

        _max_workers = 1

        def submit(self, function, /, *arguments, **options):
            seed = arguments[1][0]
            log.append(("submit", seed))
            future = Logged(seed)
            if seed == 0:
                future.set_exception(OSError("lost"))
            else:
                future.set_result(function(*arguments, **options))
            return future

    with pytest.raises(
        RuntimeError, match=r"no result for seed 0: the worker died 3 times \(OSError\('lost'\)\); all others"
    ):
        sweep(work.geese, 20, Dying(), chunk=1)
    attempts = [place for place, entry in enumerate(log) if entry == ("submit", 0)]
    assert len(attempts) == 3
    assert all(log[place + 1] == ("result", 0) for place in attempts[1:])


def test_columns_read_from_a_file_have_the_same_types(tmp_path):
    def row(seed):
        return {"small": np.uint8(seed), "half": np.float32(seed / 2)}

    file = tmp_path / "sweep.jsonl"
    first = sweep(row, 3, file=file)
    assert [first[name].dtype for name in ("small", "half")] == [np.int64, np.float64]
    same(sweep(row, 3, file=file), first)
    mixed = sweep(lambda seed: {"a": seed if seed else "none"}, 3)["a"]
    assert mixed.tolist() == ["none", 1, 2]
