"""Laws that every game obeys, tested through the public API."""

from __future__ import annotations

import contextlib
import copy
import itertools
import json
import pickle
import threading
from functools import partial
from typing import Any

import gridwright as gw
import numpy as np
import pytest
from conftest import CASES, level, needs, starts
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

SEED = 7


def wander(game: Any, most: int, seed: int = SEED) -> None:
    """Plays ``most`` random legal moves, or fewer if no legal move is left."""
    for k in range(most):
        move = game.sample_legal(seed * 1000 + k)
        if move is None:
            return
        game.play(*move)


def test_a_game_rebuilt_from_its_text_is_equal(kind):
    for game in starts(kind):
        wander(game, 12)
        again = kind(game.text)
        assert again == game
        assert again.text == game.text
        assert not (again != game)  # noqa: SIM202 - tests the operator != itself
        assert (again.board == game.board).all()
        assert again.moves.shape == (0, len(game.bounds))


def test_repr_rebuilds_the_game_and_str_draws_it(kind):
    for game in starts(kind)[:6]:
        wander(game, 5)
        if repr(game).startswith("<"):
            # A game with hidden information has a repr in angle brackets, which must not contain the text of the game.
            assert game.text.splitlines()[-1] not in repr(game)
        else:
            assert eval(repr(game), {kind.__name__: kind}) == game
        assert len(str(game).splitlines()) >= 1
        assert "\x1b" not in str(game)


def test_arrays_have_the_documented_shapes_and_types(kind):
    for game in starts(kind):
        assert game.board.dtype == np.uint8
        assert game.board.shape == game.shape == (game.height, game.width)
        assert game.board.flags.c_contiguous
        moves = game.legal_moves()
        assert moves.dtype == np.int32
        assert moves.ndim == 2
        assert moves.shape[1] == len(game.bounds)
        mask = game.legal_mask()
        assert mask.dtype == np.bool_
        assert mask.shape == game.bounds
        assert (np.argwhere(mask) == moves).all()
        assert isinstance(game.status, gw.Status)
        assert game.is_solved == (game.status == gw.Status.WON)


def test_writing_into_an_array_changes_no_game(kind):
    for game in starts(kind)[:4]:
        before = game.text
        for array in (game.board, game.legal_moves(), game.moves, game.legal_mask()):
            array.fill(1)
        assert game.text == before


def test_listed_moves_can_be_played_and_undone(kind):
    for game in starts(kind)[:6]:
        before, board = game.text, game.board
        for row in game.legal_moves()[:40]:
            assert game.is_legal(*row)
            game.play(*row)
            assert game.moves[-1].tolist() == row.tolist()
            assert game.undo()
            assert game.text == before
            assert (game.board == board).all()


def test_undo_redo_and_reset_restore_positions_and_moves(kind):
    for game in starts(kind)[:8]:
        start = game.text
        wander(game, 20)
        end, moves = game.text, game.moves
        game.reset()
        assert game.text == start
        assert len(game.moves) == 0
        assert game.undone.tolist() == moves.tolist()
        assert not game.undo()
        while game.redo():
            pass
        assert game.text == end
        assert game.moves.tolist() == moves.tolist()
        replayed = kind(text=start)
        for move in moves:
            replayed.play(*move)
        assert replayed == game


def test_copies_and_pickles_keep_class_position_and_history(kind):
    class Mine(kind):
        """A user-defined subclass."""

    for game in starts(kind)[:4]:
        mine = Mine(game.text)
        mine.note = ["kept"]
        wander(mine, 8)
        mine.undo()
        for other in (mine.copy(), copy.copy(mine), copy.deepcopy(mine)):
            assert type(other) is Mine
            assert other == mine
            assert other.note == ["kept"]
            assert other.moves.tolist() == mine.moves.tolist()
            assert other.undone.tolist() == mine.undone.tolist()
            wander(other, 3, seed=99)
            other.reset()
        plain = kind(game.text)
        wander(plain, 8)
        plain.undo()
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            other = pickle.loads(pickle.dumps(plain, protocol))
            assert type(other) is kind
            assert other == plain
            assert other.moves.tolist() == plain.moves.tolist()
            assert other.undone.tolist() == plain.undone.tolist()
            other.reset()
            plain_start = plain.copy()
            plain_start.reset()
            assert other == plain_start


def test_games_are_equal_if_their_positions_are_equal(kind):
    game = starts(kind)[0]
    other = kind(game.text)
    assert game == other
    assert game != "text"
    assert game != 3
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)
    wander(other, 1)
    assert (game == other) == (game.text == other.text)


def test_invalid_moves_raise_a_one_line_error_and_change_nothing(kind):
    game = starts(kind)[0]
    wander(game, 2)
    before, moves = game.text, game.moves.tolist()
    rank = len(game.bounds)
    wrong: list[tuple[Any, ...]] = [
        (),
        (0,) * (rank + 1),
        (0,) * 50,
        (-1,) * rank,
        (10**40,) * rank,
        (-(10**40),) * rank,
        (2**63,) * rank,
        (0.5,) * rank,
        (float("nan"),) * rank,
        (None,) * rank,
        (object(),) * rank,
        ("zz",) * rank,
        ([0],) * rank,
        (np.float64(0),) * rank,
        (True,) * rank,
        (np.True_,) * rank,
        (np.int64(-1),) * rank,
        game.bounds,
    ]
    for move in wrong:
        for call in (game.play, game.is_legal):
            with pytest.raises(gw.MoveError) as caught:
                call(*move)
            assert isinstance(caught.value, ValueError)
            assert not isinstance(caught.value, gw.IllegalMoveError)
            # A game may read strings as moves in its own notation, so the error for a string need not be a TypeError.
            if len(move) == rank and not any(isinstance(part, str) for part in move):
                integers = all(isinstance(part, int | np.integer) and not isinstance(part, bool) for part in move)
                assert isinstance(caught.value, TypeError) == (not integers)
            sentence = str(caught.value)
            assert "\n" not in sentence
            assert "must" in sentence
        assert game.text == before
        assert game.moves.tolist() == moves


def test_illegal_moves_raise_an_error_with_a_reason_and_change_nothing(kind):
    for game in starts(kind)[:4]:
        before = game.text
        refused = np.argwhere(~game.legal_mask())[:30]
        for move in refused.tolist():
            assert not game.is_legal(*move)
            with pytest.raises(gw.IllegalMoveError) as caught:
                game.play(*move)
            assert caught.value.move == tuple(move)
            assert caught.value.reason in str(caught.value)
            assert pickle.loads(pickle.dumps(caught.value)).reason == caught.value.reason
        assert game.text == before


def test_moves_may_be_given_as_numpy_integers(kind):
    game = starts(kind)[0]
    row = game.legal_moves()[0]
    for dtype in (np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64):
        if row.max() <= np.iinfo(dtype).max:
            assert game.is_legal(*row.astype(dtype))


def test_sample_legal_is_legal_and_reproducible(kind):
    for game in starts(kind)[:5]:
        drawn = [game.sample_legal(seed) for seed in range(20)]
        assert drawn == [game.sample_legal(seed) for seed in range(20)]
        assert all(move is None or game.is_legal(*move) for move in drawn)
        assert game.sample_legal() is None or game.is_legal(*game.sample_legal())
    for seed in (1.5, "1"):
        with pytest.raises(TypeError, match="seed"):
            game.sample_legal(seed)
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match="seed"):
            game.sample_legal(seed)


def test_perft_agrees_with_the_recorded_counts(kind):
    rows = [line.split() for line in (CASES / "perft" / f"{kind.NAME}.txt").read_text().splitlines()]
    rows = [row for row in rows if len(row) == 3]
    assert len(rows) >= 4
    for name, depth, count in rows:
        if int(count) < 200_000:
            assert level(kind, name).perft(int(depth)) == int(count), (name, depth)
    game = level(kind, rows[0][0])
    assert game.perft(0) == 1
    assert game.perft(1) == len(game.legal_moves())
    with pytest.raises(gw.SearchLimitError, match="limit reached after 2 nodes"):
        game.perft(3, limit=2)
    for depth, error in ((-1, ValueError), (1.5, TypeError), (2**40, ValueError)):
        with pytest.raises(error, match="^depth must be "):
            game.perft(depth)
    for limit in (-1, 2**64):
        with pytest.raises(ValueError, match=f"^limit must be between 0 and .*got {limit}"):
            game.perft(1, limit=limit)
    with pytest.raises(TypeError, match="limit must be an integer"):
        game.perft(1, limit=0.5)


def test_transcripts_replay_to_the_recorded_positions(kind):
    paths = sorted((CASES / "transcripts" / kind.NAME).glob("*.json"))
    assert paths
    for path in paths:
        case = json.loads(path.read_text())
        game = kind(case["start"])
        for step in case["steps"]:
            game.play(*step["move"])
            assert int(game.status) == step["status"], path.name
            assert game.board.tobytes().hex() == step["board"], path.name
            assert len(game.legal_moves()) == step["legal"], path.name
            assert game.text == step["text"], path.name


def test_broken_texts_raise_the_recorded_errors(kind):
    paths = sorted((CASES / "broken" / kind.NAME).glob("*.txt"))
    assert len(paths) >= 4
    for path in paths:
        with pytest.raises(gw.LevelError) as caught:
            kind.load(path)
        assert str(caught.value) == path.with_suffix(".error").read_text().rstrip("\n"), path.name
        assert caught.value.line >= 1
        assert caught.value.column >= 1
        assert str(caught.value) == f"line {caught.value.line}, column {caught.value.column}: {caught.value.reason}"
        assert pickle.loads(pickle.dumps(caught.value)).line == caught.value.line


def test_saved_files_load_and_unreadable_files_raise(kind, tmp_path):
    game = starts(kind)[0]
    wander(game, 3)
    path = tmp_path / "saved.txt"
    game.save(path)
    assert kind.load(path) == game
    assert kind.load(str(path)) == game
    path.write_bytes(game.text.replace("\n", "\r\n").encode())
    assert kind.load(path) == game
    path.write_bytes(b"\xef\xbb\xbf" + game.text.encode())
    assert kind.load(path) == game
    path.write_bytes(b"ab\n c\xff")
    with pytest.raises(gw.LevelError, match="line 2, column 3: the file must be text in UTF-8, got byte 0xff"):
        kind.load(path)
    path.write_bytes(b"\xef\xbb\xbfab\n\xc3\xa9\xfe")
    with pytest.raises(gw.LevelError, match="line 2, column 2: the file must be text in UTF-8, got byte 0xfe"):
        kind.load(path)
    with pytest.raises(FileNotFoundError, match="no such file"):
        kind.load(tmp_path / "missing.txt")

    class Missing:
        def __fspath__(self) -> str:
            return "missing.txt"

    with pytest.raises(FileNotFoundError) as caught:
        kind.load(Missing())
    assert caught.value.filename == "missing.txt"
    with pytest.raises(OSError):
        kind.load(tmp_path)
    for wrong in (None, 5, b"bytes", ["text"]):
        with pytest.raises(TypeError, match="text must be a str"):
            kind(wrong)


def test_levels_are_sorted_and_unknown_names_raise(kind):
    names = kind.levels()
    assert isinstance(names, tuple)
    assert list(names) == sorted(names)
    assert len(names) >= 10
    for name in names:
        assert kind.level(name).text == kind(kind.level(name).text).text
    with pytest.raises(gw.LevelError, match=f"no level .* of {kind.__name__}; "):
        kind.level("no such level")
    with pytest.raises(gw.LevelError, match=names[0]):
        kind.level(names[0] + "x")


def test_pictures_have_a_title_and_are_saved_in_the_format_of_the_file_extension(kind, tmp_path):
    import xml.etree.ElementTree as tree

    for game in starts(kind)[:5]:
        wander(game, 4)
        for theme in ("light", "dark"):
            root = tree.fromstring(game.svg(theme=theme))
            named = {child.tag.rpartition("}")[2]: child.text for child in root}
            assert named["title"]
            assert len(named["desc"]) > 20
        bundle = game._repr_mimebundle_()
        assert bundle["text/html"].startswith('<img src="data:image/svg+xml;base64,')
        assert bundle["text/plain"] == str(game)
    for ending, magic in ((".svg", b"<svg"), (".png", b"\x89PNG"), (".gif", b"GIF8")):
        game.save_image(tmp_path / f"picture{ending}", size=12)
        assert (tmp_path / f"picture{ending}").read_bytes().startswith(magic)
    with pytest.raises(ValueError, match=r"path must end in .svg, .png, .gif or .apng, got 'picture'"):
        game.save_image(tmp_path / "picture")
    for draw in (game.svg, partial(game.save_image, tmp_path / "picture.svg")):
        with pytest.raises(TypeError, match=f'pictures of {kind.__name__} have no option axis; did you mean "axes"'):
            draw(axis=True)
    with pytest.raises(ValueError, match="theme must be"):
        game.svg(theme="pink")
    with pytest.raises(ValueError, match="size must be between 1 and 1000, got 0"):
        game.svg(size=0)


def test_a_batch_plays_like_single_games(kind):
    for game in [game for game in starts(kind) if game.sample_legal(0) is not None][:6]:
        n = 4
        batch = game.batch(n, 3, autoreset="disabled")
        singles = [game.copy() for _ in range(n)]
        for _ in range(12):
            actions = batch.sample_legal()
            batch.step(actions)
            for single, action in zip(singles, actions.tolist(), strict=True):
                if single.status == gw.Status.OPEN and single.is_legal(*action):
                    single.play(*action)
        for i, single in enumerate(singles):
            assert batch.game(i) == single
            assert type(batch.game(i)) is type(game)
            assert (batch.board[i] == single.board).all()
            if batch.legal_mask is not None:
                assert (batch.legal_mask[i] == single.legal_mask()).all()


def test_batches_do_not_depend_on_threads_and_are_reproducible(kind):
    game = starts(kind)[0]
    boards = []
    for threads in (1, 2, 3, 7):
        batch = game.batch(23, seed=5, max_steps=6, threads=threads, mask=False)
        seen = []
        for _ in range(15):
            batch.step(batch.sample_legal())
            seen.append(batch.board.copy())
        batch.reset(seed=5)
        again = []
        for _ in range(15):
            batch.step(batch.sample_legal())
            again.append(batch.board.copy())
        assert all((a == b).all() for a, b in zip(seen, again, strict=True))
        boards.append(np.stack(seen))
    assert all((boards[0] == other).all() for other in boards[1:])


def test_restored_states_and_clones_continue_identically(kind):
    batch = starts(kind)[0].batch(5)
    batch.step(batch.sample_legal(1))
    kept, state = batch.board.copy(), batch.get_state()
    clone = batch.clone()
    for seed in range(2, 6):
        batch.step(batch.sample_legal(seed))
    assert (clone.board == kept).all()
    clone.step(clone.sample_legal(2))
    batch.set_state(state)
    assert (batch.board == kept).all()
    batch.step(batch.sample_legal(2))
    assert (batch.board == clone.board).all()


def test_batches_refuse_wrong_actions_and_wrong_games(kind):
    batch = starts(kind)[0].batch(3)
    before = batch.board.copy()
    rank = len(batch.bounds)
    with pytest.raises(TypeError, match="actions must be integers of shape .* got float64"):
        batch.step(np.zeros((3, rank)))
    with pytest.raises(ValueError, match="actions must have shape"):
        batch.step(np.zeros((2, rank), dtype=int))
    for number in (-1, max(batch.bounds), 2**40):
        actions = np.zeros((3, rank), dtype=np.int64)
        actions[2] = number
        with pytest.raises(gw.MoveError, match=r"actions\[2\]"):
            batch.step(actions)
    assert (batch.board == before).all()
    for wrong in ([], range(10**12), range(10**30), [starts(kind)[0], 5]):
        with pytest.raises(TypeError, match="game_or_generator must be positions of one game, got (nothing|.*int)"):
            gw.Batch(wrong, 3)
    expected = "game_or_generator must be a position, a list of positions or a callable, got repeat"
    with pytest.raises(TypeError, match=expected):
        gw.Batch(itertools.repeat(starts(kind)[0]), 3)
    with pytest.raises(ValueError, match="n must be between 1 and"):
        gw.Batch(starts(kind)[0], 0)


def test_depths_out_of_range_are_refused(kind):
    game = starts(kind)[0]
    for depth in (1001, 10**5, 2**40, 10**30, -1, 1.5, "2"):
        with pytest.raises(ValueError if isinstance(depth, int) else TypeError, match="depth must be "):
            game.perft(depth)
    with contextlib.suppress(gw.SearchLimitError):
        game.perft(1000, limit=100_000)


def test_a_text_may_begin_with_a_byte_order_mark_or_an_empty_line(kind):
    game = starts(kind)[0]
    assert kind("\ufeff" + game.text) == game
    assert kind("\n" + game.text) == game


@needs("threads")
def test_a_game_that_threads_share_stays_consistent(kind):
    game = starts(kind)[0]
    start = game.text
    errors: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            for k in range(60):
                move = game.sample_legal(seed * 100 + k)
                if move is None or k % 3 == 2:
                    game.undo()
                else:
                    with contextlib.suppress(gw.IllegalMoveError):  # another thread may have changed the game
                        game.play(*move)
                assert game.board.shape == game.shape
        except BaseException as error:
            errors.append(error)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not errors
    end, moves = game.text, game.moves
    game.reset()
    assert game.text == start
    for move in moves:
        game.play(*move)
    assert game.text == end


class _Play(RuleBasedStateMachine):
    """Checks that any sequence of play, undo, redo, reset and copy agrees with a plain list of positions."""

    kind: Any = None

    @initialize(data=st.data())
    def start(self, data):
        self.game = data.draw(st.sampled_from(starts(self.kind)[:6])).copy()
        self.texts = [self.game.text]
        self.at = 0

    @rule(seed=st.integers(0, 2**64 - 1))
    def play(self, seed):
        move = self.game.sample_legal(seed)
        if move is not None:
            self.game.play(*move)
            self.texts[self.at + 1 :] = [self.game.text]
            self.at += 1

    @rule()
    def undo(self):
        assert self.game.undo() == (self.at > 0)
        self.at = max(0, self.at - 1)

    @rule()
    def redo(self):
        assert self.game.redo() == (self.at + 1 < len(self.texts))
        self.at = min(len(self.texts) - 1, self.at + 1)

    @rule()
    def reset(self):
        self.game.reset()
        self.at = 0

    @rule()
    def continue_with_a_copy(self):
        self.game = pickle.loads(pickle.dumps(self.game)) if self.at % 2 else self.game.copy()

    @invariant()
    def agrees(self):
        if hasattr(self, "game"):
            assert self.game.text == self.texts[self.at]
            assert len(self.game.moves) == self.at
            assert len(self.game.undone) == len(self.texts) - 1 - self.at


def test_any_sequence_of_calls_agrees_with_a_list_of_positions(kind):
    machine = type(f"Play{kind.__name__}", (_Play,), {"kind": kind})
    run_state_machine_as_test(machine, settings=settings(max_examples=40, stateful_step_count=30, deadline=None))
