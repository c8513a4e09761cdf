"""Batches: seeds, generators, resets, masks, pickles, forks and buffers; ``test_laws.py`` tests the general laws."""

from __future__ import annotations

import copy
import functools
import multiprocessing
import os
import pickle
import re
import subprocess
import sys
import threading
import time
from typing import Any

import games
import gridwright as gw
import numpy as np
import pytest
from conftest import START_METHODS, needs, starts

RECIPES: dict[str, Any] = games.every("RECIPE")
MODES = ("next_step", "same_step", "disabled")


def drive(batch: gw.Batch, steps: int, seed: int = 0) -> list[bytes]:
    """Plays random legal moves; returns the bytes of the result arrays after each step."""
    seen = []
    for k in range(steps):
        batch.step(batch.sample_legal(seed + k))
        arrays = (batch.board, batch.reward, batch.terminated, batch.truncated, batch.illegal, batch.final_board)
        seen.append(b"".join(array.tobytes() for array in arrays if array is not None))
        if batch.legal_mask is not None:
            seen[-1] += batch.legal_mask.tobytes()
    return seen


@pytest.mark.parametrize("name", RECIPES)
def test_a_quick_generator_makes_a_new_puzzle_for_every_episode(name):
    make = RECIPES[name]
    batch = gw.Batch(make, 5, 40)
    for i in range(5):
        assert batch.game(i) == make(seed=40 + i)
    first = [batch.game(i).text for i in range(5)]
    batch.reset()
    assert all(batch.game(i).text != text for i, text in enumerate(first))
    alone = gw.Batch(make, 1, 43)
    assert alone.game(0) == make(seed=43)
    alone.reset()
    assert alone.game(0) == batch.game(3)
    batch.reset(seed=40)
    assert [batch.game(i).text for i in range(5)] == first
    pooled = gw.Batch(make, 6, 40, pool=2)
    assert [pooled.game(i) == make(seed=40 + i % 2) for i in range(6)] == [True] * 6
    pooled.reset()
    assert pooled.game(0) == make(seed=41)


@pytest.mark.parametrize("name", RECIPES)
def test_a_bad_generator_raises_its_own_error(name):
    kind = type(RECIPES[name](seed=0))
    with pytest.raises(ValueError, match="must be between 1 and 67108864"):
        gw.Batch(functools.partial(RECIPES[name].func, 0, 5, *RECIPES[name].args[2:]), 3)
    with pytest.raises(TypeError):
        gw.Batch(kind.generate, 3)


def test_a_callable_generates_starts_from_successive_seeds():
    make = functools.partial(gw.MyPhoton.generate, 7, 7, unique=True)
    batch = gw.Batch(make, 4, 2, pool=2)
    assert batch.game(1) == make(seed=3)
    assert batch.game(2) == make(seed=2)  # the pool holds two puzzles
    assert gw.Batch(lambda seed: gw.Bloxorz.level("level01"), 3).board.shape == (3, 6, 10)


def test_seeds_select_the_starts_from_a_list_of_positions():
    levels = [gw.Bloxorz("SoT"), gw.Bloxorz("oST"), gw.Bloxorz("ToS")]
    batch = gw.Batch(levels, 4, 1)
    assert [batch.game(i) == levels[(1 + i) % 3] for i in range(4)] == [True] * 4
    batch.reset()
    assert [batch.game(i) == levels[(2 + i) % 3] for i in range(4)] == [True] * 4
    batch.reset(seed=[0, None, 2, 2])
    assert [batch.game(i) for i in range(4)] == [levels[0], levels[1], levels[2], levels[2]]
    for seeds, number in (([1, 2, 3], "3 values"), (range(5), "more than 4"), (range(2**70), "more than 4")):
        with pytest.raises(ValueError, match=f"seed must be an integer, 4 integers or None, got {number}$"):
            batch.reset(seed=seeds)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_game_i_of_a_slow_generator_starts_with_its_own_seed(n):
    batch = gw.Batch(lambda seed: gw.LightEmAll.generate(3, 3, seed=seed), n, seed=5)
    for i in range(n):
        assert batch.game(i) == gw.LightEmAll.generate(3, 3, seed=5 + i)


def test_a_wrong_mask_resets_nothing():
    batch = gw.Batch(RECIPES["geese"], 2)
    batch.step([[0, 0, 0]] * 2)
    before = [batch.game(i) for i in range(2)]
    for wrong, error, found in (
        (np.ones((2, 1), dtype=bool), ValueError, r"bool of shape \(2, 1\)"),
        (np.ones(3, dtype=bool), ValueError, r"bool of shape \(3,\)"),
        (np.ones(2, dtype=np.int64), TypeError, r"int64 of shape \(2,\)"),
        ([0.5, 1.0], TypeError, r"float64 of shape \(2,\)"),
        (True, ValueError, r"bool of shape \(\)"),
    ):
        with pytest.raises(error, match=f"mask must be bool of shape \\(2,\\), got {found}"):
            batch.reset(wrong)
        assert [batch.game(i) for i in range(2)] == before
    batch.reset([True, False])
    assert batch.game(0) != before[0]
    assert batch.game(1) == before[1]


@pytest.mark.parametrize("mode", MODES)
def test_results_do_not_depend_on_the_number_of_threads(kind, mode):
    game = starts(kind)[0]
    options: dict[str, Any] = {"autoreset": mode, "max_steps": 5, "mask": np.prod(game.bounds) < 5000}
    seen = [drive(game.batch(11, 3, threads=threads, **options), 14) for threads in (1, 2, 3, 7, 0)]
    assert all(other == seen[0] for other in seen[1:])


def test_the_first_games_of_a_large_batch_are_those_of_a_small_one():
    make = RECIPES["geese"]
    large, few = gw.Batch(make, 5000, 9, max_steps=30), gw.Batch(make, 10, 9, max_steps=30)
    for k in range(40):
        actions = large.sample_legal(k)
        large.step(actions)
        few.step(actions[:10])
        assert (large.board[:10] == few.board).all()
        assert (large.legal_mask[:10] == few.legal_mask).all()


@pytest.mark.parametrize("start", [*RECIPES.values(), *(gw.LinearDomination.empty(size, 3) for size in (5, 8, 9))])
def test_legal_bits_equal_the_legal_mask(start):
    plain, packed = (gw.Batch(start, 70, 3, max_steps=9, mask=mask) for mask in (True, "bits"))
    volume = int(np.prod(plain.bounds))
    assert packed.legal_mask is None
    assert plain.legal_bits is None
    for k in range(30):
        bits = np.unpackbits(packed.legal_bits, axis=1, count=volume, bitorder="little")
        assert (bits.reshape(plain.legal_mask.shape) == plain.legal_mask).all()
        if k == 14:
            packed = pickle.loads(pickle.dumps(packed))
            plain.reset(np.arange(70) % 2 == 0)
            packed.reset(np.arange(70) % 2 == 0)
        actions = plain.sample_legal(k)
        for batch in (plain, packed):
            batch.step(actions)
    with pytest.raises(ValueError, match="mask must be True, False or 'bits', got 'bytes'"):
        gw.Batch(start, 2, mask="bytes")


def test_same_step_keeps_the_last_board_and_mask():
    game = gw.Bloxorz.level("level01")
    batch = game.batch(2, autoreset="same_step", max_steps=7)
    for key in "rrdrrr":
        batch.step([["lurd".index(key)], [0]])
    assert batch.final_board is not None
    assert batch.final_mask is not None
    batch.step(np.array([[3], [2]]))
    assert batch.terminated.tolist() == [True, False]
    assert batch.truncated.tolist() == [False, True]
    assert batch.reward.tolist() == [1.0, 0.0]
    game.play("rrdrrrd")
    assert (batch.final_board[0] == game.board).all()
    assert batch.final_mask.tolist() == [[False] * 5, [True] * 4 + [False]]
    assert (batch.board[0] == gw.Bloxorz.level("level01").board).all()
    assert batch.legal_mask.tolist() == [[True] * 4 + [False]] * 2


def test_flat_actions_and_several_integer_types_are_accepted(kind):
    game = starts(kind)[0]
    one, other = game.batch(6, 1), game.batch(6, 1)
    for k in range(8):
        actions = one.sample_legal(k)
        one.step(actions)
        other.step_flat(np.ravel_multi_index(tuple(actions.T), one.bounds))
        assert (one.board == other.board).all()
    volume = int(np.prod(one.bounds))
    for wrong in (-1, volume, 2**62):
        with pytest.raises(gw.MoveError, match=rf"actions\[5\] must be between 0 and {volume - 1}, got {wrong}"):
            one.step_flat(np.array([0] * 5 + [wrong]))
    actions = one.sample_legal(3)
    for dtype in (np.int32, np.int16, np.uint64):
        other = one.clone()
        other.step(actions.astype(dtype))
        third = one.clone()
        third.step(np.asfortranarray(actions).tolist())
        assert (other.board == third.board).all()
    with pytest.raises(TypeError, match="actions must be integers of shape .* got float64"):
        one.step_flat(np.zeros(6))
    with pytest.raises(ValueError, match="actions must have shape"):
        one.step_flat(np.zeros(5, dtype=int))
    for wrong, shown in ((None, "None"), ("rrrr", "'rrrr' (str)")):
        for step in (one.step, one.step_flat):
            with pytest.raises(TypeError, match=rf"actions must be integers of shape .*, got {re.escape(shown)}"):
                step(wrong)


def test_the_error_about_a_wrong_shape_names_every_accepted_shape():
    level, field = gw.Bloxorz.level("level01").batch(4), gw.GeeseSpotter.generate(3, 4, 2, seed=1).batch(4)
    level.step([2] * 4)
    level.step([[0]] * 4)
    for step, expected in (
        (level.step, "(4,) or (4, 1)"),
        (field.step, "(4, 3)"),
        (level.step_flat, "(4,)"),
        (field.step_flat, "(4,)"),
    ):
        with pytest.raises(ValueError, match="^" + re.escape(f"actions must have shape {expected}, got (2, 5)") + "$"):
            step(np.zeros((2, 5), np.int64))
        with pytest.raises(TypeError, match="^" + re.escape(f"actions must be integers of shape {expected}, got None")):
            step(None)
    for wrong in (np.zeros(4), [True] * 4):
        with pytest.raises(TypeError, match=re.escape("actions must be integers of shape (4,) or (4, 1), got ")):
            level.step(wrong)


def test_huge_actions_are_named_in_errors_and_change_nothing():
    batch = gw.Batch(RECIPES["geese"], 2)
    before = batch.get_state(), batch.board.copy()
    for number, shown in (
        (2**63 - 1, ": col must be between 0 and 6, got a number over 2^63 - 2"),
        (2**63, " must be in the box (2, 6, 7), got (0, 1, 9223372036854775808)"),
        (2**70, " must be in the box (2, 6, 7), got (0, 1, 1180591620717411303424)"),
        (-(2**63) - 1, " must be in the box (2, 6, 7), got (0, 1, -9223372036854775809)"),
        (10**5000, " must be in the box (2, 6, 7), got (0, 1, an integer of 16610 bits)"),
    ):
        with pytest.raises(gw.MoveError, match=re.escape(f"actions[1]{shown}")):
            batch.step([[0, 0, 0], [0, 1, number]])
    for flat in ([3, 2**63 + 5], np.array([3, 2**63 + 5], dtype=np.uint64), np.array([3, 2**63 + 5], dtype=object)):
        with pytest.raises(gw.MoveError, match=r"actions\[1\] must be between 0 and 83, got 9223372036854775813"):
            batch.step_flat(flat)
    assert (batch.board == before[1]).all()
    for wrong, dtype in (([[0, 0, 0.5]] * 2, "float64"), ([[0, 0, "1"]] * 2, "<U"), ([[0, 0, None]] * 2, "object")):
        with pytest.raises(TypeError, match=f"actions must be integers of shape .* got {dtype}"):
            batch.step(wrong)
    other = batch.clone()
    batch.step(np.array([[0, 0, 0], [1, 2, 3]], dtype=object))
    other.step([[0, 0, 0], [1, 2, 3]])
    assert (batch.board == other.board).all()
    assert (batch.board != before[1]).any()


def test_the_index_of_a_game_is_checked():
    batch = gw.Batch(RECIPES["geese"], 2)
    for wrong in (-1, 2, 2**70):
        for call in (batch.game, lambda i: batch.set_game(i, batch.game(0))):
            with pytest.raises(IndexError, match=f"i must be between 0 and 1, got {wrong}"):
                call(wrong)
    with pytest.raises(TypeError, match=r"i must be an integer, got 0\.5"):
        batch.game(0.5)


def test_an_empty_batch_has_no_valid_index():
    game = gw.Bloxorz.level("level01")
    engine = gw._core.BloxorzBatch(("game", None), [game], None, 0, 0, "next_step", None, (1.0, -1.0, 0.0, 0.0, 0.0), 1)
    assert len(engine) == 0
    with pytest.raises(IndexError, match="^i must be the index of a game, got 0 for a batch without games$"):
        engine.game(0)


def test_the_engine_checks_the_lengths_of_mask_and_seed():
    engine = gw.Bloxorz.level("level01").batch(2).engine
    with pytest.raises(ValueError, match="^mask must be a bool array of length 2, got length 3$"):
        engine.reset(np.zeros(3, bool))
    with pytest.raises(ValueError, match="^seed must be an integer or a sequence of 2 integers, got a sequence of 1$"):
        engine.reset(None, [5])


def test_a_step_of_one_game_returns_a_mask_only_on_request():
    engine = gw.Bloxorz.level("level01").batch(1).engine
    for first in (True, False):
        assert ("action_mask" in engine.reset_one(1, first)[1]) == first
        for then in (not first, first, first, not first):
            board, *_, info = engine.step_one(2 if then else 0, then)
            assert ("action_mask" in info) == then
            seen, now = engine.observe_one(True)
            assert (board == seen).all()
            if then:
                assert (info["action_mask"] == now["action_mask"]).all()
            engine.step_one(0, first)


def test_a_mask_too_large_for_memory_is_an_error_and_changes_nothing():
    # The mask would take 3600^4 bytes, which is more than a 47-bit address space holds.
    engine = gw.LinearDomination.empty(3600, 0).batch(1, mask=False).engine
    board, _ = engine.observe_one(False)
    for call in (engine.reset_one, engine.observe_one, lambda: engine.step_one(0)):
        with pytest.raises(MemoryError, match="not enough memory for the legal-move mask"):
            call()
    assert (engine.observe_one(False)[0] == board).all()


@needs("threads")
def test_other_threads_run_during_steps_of_few_games_on_large_boards():
    batch = gw.LightEmAll.generate(300, 300, seed=1).batch(1)
    actions, turns, done = batch.sample_legal(1), 0, False

    def work() -> None:
        nonlocal turns
        while not done:
            turns += 1
            time.sleep(0)  # releases the interpreter lock

    usual = sys.getswitchinterval()
    thread = threading.Thread(target=work)
    try:
        sys.setswitchinterval(100)  # a thread runs until it releases the interpreter lock
        thread.start()
        before = turns
        for _ in range(100_000):
            batch.step(actions)
            if turns > before:
                break
        assert turns > before
    finally:
        done = True
        sys.setswitchinterval(usual)
        thread.join()


def test_actions_may_have_any_memory_layout_but_buffers_may_not():
    game = gw.GeeseSpotter.generate(5, 6, 4, seed=1)
    batch, other = gw.Batch(game, 4), gw.Batch(game, 4)
    columns = np.array([[0, 1, 0, 1], [1, 2, 3, 4], [5, 4, 3, 2]])
    assert columns.T.flags.f_contiguous
    batch.step(columns.T)
    other.step(columns.T.tolist())
    assert (batch.board == other.board).all()
    assert not (batch.board == game.board).all()
    with pytest.raises(ValueError, match="board must be C-contiguous"):
        gw.Batch(game, 4, buffers={"board": np.zeros((4, 5, 6), dtype=np.uint8, order="F")})


def test_a_batch_writes_into_buffers_of_the_caller_and_refuses_wrong_buffers():
    game = gw.Bloxorz.level("level01")
    board, reward = np.zeros((3, 6, 10), dtype=np.uint8), np.zeros(3)
    batch = game.batch(3, buffers={"board": board, "reward": reward}, rewards=(1, 0, 0, -0.5, 0))
    assert batch.board is board
    assert (board == game.board).all()
    batch.step([[2]] * 3)
    game.play("r")
    assert (board == game.board).all()
    assert reward.tolist() == [-0.5] * 3
    for wrong, sentence in (
        ({"boards": board}, "buffers must have names among board"),
        ({"board": board[:2]}, r"board must be uint8 of shape \(3, 6, 10\), got uint8 of shape \(2, 6, 10\)"),
        ({"board": board.astype(np.int64)}, "board must be uint8 .* got int64"),
        ({"reward": np.zeros(6)[::2]}, "reward must be C-contiguous"),
        ({"final_board": board}, "names among .*got 'final_board'"),
    ):
        with pytest.raises(ValueError, match=sentence):
            game.batch(3, buffers=wrong)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("mask", [True, "bits", False])
def test_step_into_fills_arrays_of_the_caller_like_step_and_refuses_wrong_arrays(mode, mask):
    batch, other = (gw.Batch(RECIPES["photon"], 5, 2, autoreset=mode, max_steps=3, mask=mask) for _ in range(2))
    names = ("board", "legal_bits" if mask == "bits" else "legal_mask", "reward", "terminated", "truncated")

    def fresh() -> list[Any]:
        current = (getattr(batch, name) for name in names)
        return [None if array is None else np.full_like(array, 1) for array in current]

    given = [fresh(), fresh()]
    ended = 0
    for k in range(12):
        arrays = given[k % 7 == 3]  # steps 3 and 10 use the second set of arrays
        actions = batch.sample_legal(k)
        assert batch.step_into(actions, *arrays) is None
        other.step(actions)
        for name, array in zip(names, arrays, strict=True):
            assert getattr(batch, name) is array
            assert np.array_equal(array, getattr(other, name))
        if batch.final_board is not None:
            assert (batch.final_board == other.final_board).all()
        ended += int(other.truncated.sum())
    assert ended >= 5
    # Wrong arguments change neither the arrays of the batch nor its games.
    board, masks, *rest = fresh()
    state, frozen = batch.board.copy(), fresh()[2]
    frozen.flags.writeable = False
    for wrong, sentence in (
        ((board[:2], masks, *rest), r"board must be uint8 of shape \(5, 7, 6\), got uint8 of shape \(2, 7, 6\)"),
        ((board.tolist(), masks, *rest), r"board must be uint8 .*got list"),
        ((np.asfortranarray(board), masks, *rest), "board must be C-contiguous"),
        ((board, masks, rest[0].astype(np.float32), *rest[1:]), "reward must be float64 .* got float32"),
        ((board, masks, frozen, *rest[1:]), "reward must be a writable array that nothing else uses"),
        ((board, masks, rest[0], rest[1], rest[1]), "truncated must be a writable array that nothing else uses"),
        ((board, batch.terminated if masks is None else None, *rest), "^mask must be"),
    ):
        with pytest.raises(ValueError, match=sentence):
            batch.step_into(batch.sample_legal(1), *wrong)
        assert all(getattr(batch, name) is array for name, array in zip(names, arrays, strict=True))
        assert (batch.board == state).all()
    # If the actions are refused, new arrays still receive the results of the previous step.
    before = batch.reward.copy(), batch.truncated.copy()
    with pytest.raises(gw.MoveError):
        batch.step_into([[99, 0, 0, 0]] * 5, board, masks, *rest)
    assert (rest[0] == before[0]).all()
    assert (rest[2] == before[1]).all()
    assert (board == state).all()


@pytest.mark.parametrize("mask", [True, "bits"])
def test_errors_of_step_into_call_the_mask_by_its_argument_name(mask: Any):
    batch = gw.MyPhoton.level("level01").batch(3, mask=mask)
    masks, actions = batch.legal_bits if mask == "bits" else batch.legal_mask, batch.sample_legal(1)
    frozen, memory = masks.copy(), np.zeros(masks.nbytes + 8, np.uint8)
    frozen.flags.writeable = False
    shared, reward = memory[: masks.nbytes].view(masks.dtype).reshape(masks.shape), memory[:24].view(np.float64)
    for wrong, other, sentence in (
        (masks[:2], batch.reward, f"^mask must be {masks.dtype} of shape .*, got {masks.dtype} of shape"),
        (None, batch.reward, "^mask must be .*, got None$"),
        (np.asfortranarray(masks), batch.reward, "^mask must be C-contiguous, got another memory layout$"),
        (frozen, batch.reward, "^mask must be a writable array that nothing else uses"),
        (shared, reward, "^(reward|mask) must be a writable array that nothing else uses"),
    ):
        with pytest.raises(ValueError, match=sentence):
            batch.step_into(actions, batch.board, wrong, other, batch.terminated, batch.truncated)
    with pytest.raises(ValueError, match="^legal_mask must be bool of shape .*, got bool of shape"):
        gw.MyPhoton.level("level01").batch(3, buffers={"legal_mask": np.zeros(3, bool)})
    lean = gw.Bloxorz.level("level01").batch(2, mask=False)
    with pytest.raises(ValueError, match="^mask must be None for a batch without masks, got bool of shape"):
        lean.step_into([2, 2], lean.board, np.zeros((2, 5), bool), lean.reward, lean.terminated, lean.truncated)


@pytest.mark.parametrize("mode", MODES)
def test_pickles_and_copies_continue_like_the_original(kind, mode):
    game = starts(kind)[0]
    batch = game.batch(4, 5, autoreset=mode, max_steps=6, mask=False)
    drive(batch, 4)
    others = [pickle.loads(pickle.dumps(batch)), copy.copy(batch), copy.deepcopy(batch), batch.clone()]
    assert all((other.board == batch.board).all() for other in others)
    expected = drive(batch, 9, seed=50)
    for other in others:
        assert drive(other, 9, seed=50) == expected


@pytest.mark.parametrize("name", RECIPES)
def test_pickled_batches_with_generators_continue_like_the_original(name):
    batch = gw.Batch(RECIPES[name], 3, 7, max_steps=4)
    drive(batch, 6)
    other = pickle.loads(pickle.dumps(batch))
    assert drive(other, 9, seed=50) == drive(batch, 9, seed=50)


@pytest.mark.parametrize("source", [lambda game: game, lambda game: [game], lambda game: lambda seed: game])
def test_changes_to_a_start_after_the_batch_was_made_do_not_change_its_pickles(kind, source):
    game = starts(kind)[0].copy()
    batch = gw.Batch(source(game), 2, mask=False)
    game.play(*game.sample_legal(1))
    early = pickle.loads(pickle.dumps(batch))
    for seed in range(100):
        if (move := game.sample_legal(seed)) is not None:
            game.play(*move)
    for other in (early, pickle.loads(pickle.dumps(batch)), pickle.loads(pickle.dumps(early))):
        other.reset()
        assert [other.game(i) for i in range(2)] == [starts(kind)[0]] * 2


def test_a_callable_may_return_the_same_object_for_every_seed():
    game, levels = gw.Bloxorz.level("level01"), ("r", "d", "rr")

    def make(seed):
        game.reset()
        game.play(levels[seed])
        return game

    batch = gw.Batch(make, 3, pool=3)
    assert [batch.game(i).text for i in range(3)] == [make(seed).text for seed in range(3)]


def test_copies_keep_the_falls_of_bloxorz_and_pickles_do_not():
    game = gw.Bloxorz.level("level01")
    game.play("u")
    batch, restored = game.batch(2), game.batch(2)
    batch.step([1, 1])
    restored.set_state(batch.get_state())
    unpickled = pickle.loads(pickle.dumps(batch))
    for other, falls in ((batch.clone(), 2), (copy.copy(batch), 2), (restored, 2), (unpickled, 0)):
        assert [other.game(i).falls for i in range(2)] == [falls, falls]
        assert [other.game(i).text for i in range(2)] == [batch.game(i).text for i in range(2)]


@pytest.mark.parametrize("size", [1, 3, 4, 5])
def test_sums_with_the_seed_are_taken_modulo_2_to_the_64(size):
    make = functools.cache(functools.partial(gw.MyPhoton.generate, 4, 4))
    starts, seed = [make(seed=k) for k in range(size)], 2**64 - 2
    listed, pooled = gw.Batch(starts, 6, seed), gw.Batch(make, 6, seed, pool=size)
    for episode in range(4):
        for i in range(6):
            total = (seed + i + episode) % 2**64
            assert listed.game(i) == starts[total % size]
            assert pooled.game(i) == make(seed=(seed + (total - seed) % size) % 2**64)
        listed.reset()
        pooled.reset()


def test_set_state_restores_an_earlier_state():
    batch = gw.Batch(RECIPES["geese"], 5, 1, max_steps=8)
    drive(batch, 5)
    state = batch.get_state()
    first = drive(batch, 20, seed=9)
    batch.set_state(state)
    assert drive(batch, 20, seed=9) == first
    with pytest.raises(ValueError, match="state must hold 5 games, got 4"):
        batch.set_state(gw.Batch(RECIPES["geese"], 4).get_state())


def work(seed: int) -> list[int]:
    """Steps a batch on two threads, for which a forked child needs its own thread pool; returns sums of the arrays."""
    batch = gw.Batch(RECIPES["geese"], 64, seed, threads=2)
    drive(batch, 5)
    return [int(batch.board.sum()), int(batch.legal_mask.sum())]


@needs("processes")
@pytest.mark.parametrize("method", START_METHODS)
def test_child_processes_have_their_own_threads(method):
    # Calling work starts the thread pool of this process; a forked child inherits the pool without its threads.
    expected = [work(seed) for seed in range(4)]
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        assert pool.map_async(work, range(4)).get(timeout=60) == expected


@needs("processes")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_grandchild_process_has_its_own_threads():
    expected = work(1)
    context = multiprocessing.get_context("fork")
    with context.Pool(1) as pool:
        pool.apply_async(work, (1,)).get(timeout=60)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        work(1)
        grandchild = os.fork()
        if grandchild == 0:
            os.write(writer, repr(work(1)).encode())
            os._exit(0)
        os.waitpid(grandchild, 0)
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writer)
    assert os.read(reader, 1000).decode() == repr(expected)
    os.close(reader)


LAST_ID = "/proc/sys/kernel/ns_last_pid"
"""The Linux file with the last process id; a privileged process chooses the next id by writing to this file."""

SAME_ID = f"""
import os, time
import gridwright as gw

def work():
    batch = gw.Batch(gw.GeeseSpotter.level("beginner"), 64, threads=2)
    batch.step(batch.sample_legal(1))

first = os.getpid()
work()
if os.fork():
    os._exit(0)
while os.path.exists(f"/proc/{{first}}"):
    time.sleep(0.01)
for _ in range(200):
    with open("{LAST_ID}", "w") as file:
        file.write(str(first - 1))
    child = os.fork()
    if child == 0:
        if os.getpid() == first:
            work()
            print("worked", flush=True)
        os._exit(0)
    ends = time.monotonic() + 30
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.monotonic() > ends:
            os.kill(child, 9)
        time.sleep(0.01)
    if child == first:
        break
else:
    print("another process took the id", flush=True)
"""
"""A script: the process forks and exits, and its grandchild receives the freed process id and uses threads."""


@needs("processes")
@pytest.mark.skipif(not os.access(LAST_ID, os.W_OK), reason="this process cannot choose process ids")
def test_a_process_with_the_id_of_its_grandparent_has_its_own_threads():
    command = [sys.executable, "-W", "ignore", "-c", SAME_ID]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        first.wait(60)  # only a reaped process frees its id
        output = first.stdout.read()
    if "another process" in output:
        pytest.skip(output)
    assert output == "worked\n"


def test_the_repr_shows_size_game_and_shape_and_wrong_options_are_named():
    game = gw.Bloxorz.level("level01")
    assert repr(game.batch(3)) == "<Batch of 3 Bloxorz of shape (6, 10)>"
    assert len(game.batch(3)) == 3
    for options, sentence in (
        ({"autoreset": "never"}, "autoreset must be 'next_step'"),
        ({"max_steps": 0}, "max_steps must be between 1 and"),
        ({"threads": -1}, "threads must be between 0 and 1024, got -1"),
        ({"seed": -1}, r"seed must be between 0 and 2\^64 - 1, got -1"),
    ):
        with pytest.raises(ValueError, match=sentence):
            game.batch(3, **options)
    with pytest.raises(TypeError, match="n must be an integer, got 'x'"):
        gw.Batch(game, "x")  # type: ignore[arg-type]
    with pytest.raises(
        ValueError, match=r"^game_or_generator\[1\] must have a board of 6 x 10 like game_or_generator\[0\], got 1 x 3$"
    ):
        gw.Batch([game, gw.Bloxorz("SoT")], 2)


if sys.version_info >= (3, 12):  # Python warns about a fork of a process with threads
    pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


def test_engine_calls_for_one_game_refuse_a_batch_of_several():
    engine = gw.Bloxorz.level("level01").batch(3).engine
    for call in (
        lambda: engine.reset_one(None, True, False),
        lambda: engine.observe_one(True, False),
        lambda: engine.step_one(0, True),
    ):
        with pytest.raises(RuntimeError, match="must have 1 game, got 3"):
            call()


def test_starts_that_are_over_or_have_no_legal_move_are_refused():
    fresh = gw.Bloxorz.level("level01")
    won = fresh.copy()
    won.play(won.solve())
    over = "must be open with a legal move, got a position that is won$"
    with pytest.raises(ValueError, match=f"^game_or_generator {over}"):
        gw.Batch(won, 2)
    with pytest.raises(ValueError, match=rf"^game_or_generator\[1\] {over}"):
        gw.Batch([fresh, won], 2)
    for seed, pool, refused in ((0, 5, 3), (7, 5, 9), (2**64 - 2, 3, 0)):
        with pytest.raises(ValueError, match=rf"^game_or_generator\(seed={refused}\) {over}"):
            gw.Batch(lambda seed, refused=refused: won if seed == refused else fresh, 2, seed, pool=pool)
    lonely = gw.MyPhoton("2 1\n. .")
    with pytest.raises(
        ValueError, match="^game_or_generator must be open with a legal move, got a position that has no legal move$"
    ):
        gw.Batch(lonely, 1)
    solved = functools.partial(gw.LightEmAll.generate, 3, 3, scramble=False)
    with pytest.raises(
        ValueError, match="^game 0 must start open with a legal move, got a generated position that is won$"
    ):
        gw.Batch(solved, 3)
    # Only some of these boards are won at the start.
    with pytest.raises(ValueError, match=rf"^game_or_generator\(seed=\d+\) {over}"):
        gw.Batch(functools.partial(solved, limited_radius=True), 50)


def test_states_of_another_size_or_kind_are_refused_and_change_nothing():
    batch = gw.Batch(gw.Bloxorz.level("level01"), 2)
    batch.step([2, 2])
    board = batch.board.copy()
    for other, sentence in (
        (gw.Batch(gw.Bloxorz.level("level02"), 2), r"^state must hold boards of 6 x 10 like the batch, got 5 x 7$"),
        (gw.Batch(gw.Bloxorz.level("level01"), 3), r"^state must hold 2 games, got 3$"),
    ):
        with pytest.raises(ValueError, match=sentence):
            batch.set_state(other.get_state())
        assert (batch.board == board).all()
    for wrong in (None, 3, gw.Batch(gw.GeeseSpotter.generate(6, 10, 5, seed=1), 2).get_state()):
        with pytest.raises(TypeError, match=r"state must be what get_state\(\) returned"):
            batch.set_state(wrong)
    hexagons = gw.LightEmAll.generate(4, 4, hexagonal=True, seed=1)
    squares = gw.Batch(gw.LightEmAll.generate(4, 4, seed=1), 2)
    kind = "whose moves and codes mean the same as in the batch, got a 4 x 4 board of another kind$"
    with pytest.raises(ValueError, match=f"^state must hold boards {kind}"):
        squares.set_state(gw.Batch(hexagons, 2).get_state())
    with pytest.raises(ValueError, match=f"^game must have a board {kind}"):
        squares.set_game(0, hexagons)
    batch.step([0, 0])
    assert batch.board.shape == (2, 6, 10)


def test_reset_accepts_the_terminated_array_of_the_batch_as_its_mask():
    batch = gw.Bloxorz.level("level01").batch(50, seed=1, autoreset="disabled")
    for _ in range(30):
        batch.step(batch.sample_legal())
        over = batch.terminated.copy()
        batch.reset(batch.terminated)
        assert not batch.terminated[over].any()


def test_a_limit_of_0_for_the_generator_is_not_ignored():
    make = functools.partial(gw.MyPhoton.generate, 8, 8, limit=0)
    with pytest.raises(gw.SearchLimitError):
        make(seed=1)
    with pytest.raises(gw.SearchLimitError):
        gw.Batch(make, 2)
