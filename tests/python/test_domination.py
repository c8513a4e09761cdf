"""Tests of LinearDomination through the public API, compared with a plain Python implementation of its rules."""

from __future__ import annotations

import _thread
import itertools
import pickle
import random
import signal
import threading
from collections import Counter

import gridwright as gw
import numpy as np
import pytest
from conftest import ROOT, level, needs
from gridwright import tracing
from gridwright.__main__ import main
from gridwright.domination import Color, ParametricLine, Verdict, run_game
from hypothesis import given, settings
from hypothesis import strategies as st


def legal(size, lookback, rules, earlier, play):
    """Returns whether a play is legal under the rules "standard" or "uccs2023".

    ``earlier`` lists the plays so far, each paired with whether it was legal.
    """
    a, b, c, d = play
    if not all(0 <= part < size for part in play) or (rules == "standard" and (a, b) == (c, d)):
        return False
    counted = [other for other, was_legal in earlier if was_legal or rules == "uccs2023"]
    for e, f, g, h in counted[len(counted) - min(lookback, len(counted)) :]:
        if (a + c, b + d) == (e + g, f + h) or (c - a) * (g - e) + (d - b) * (h - f) == 0:
            return False
        if rules == "uccs2023" and ((a, b) == (e, f) or (c, d) == (g, h)):
            return False
    return True


def painted(size, plays):
    board = np.zeros((size, size), dtype=np.uint8)
    for turn, ((a, b, c, d), was_legal) in enumerate(plays):
        for row, col in itertools.product(range(min(a, c), max(a, c) + 1), range(min(b, d), max(b, d) + 1)):
            off = 2 * abs((c - a) * (col - b) - (d - b) * (row - a))
            if was_legal and (off < abs(c - a) + abs(d - b) or (a, b) == (c, d)):
                board[row, col] = turn % 2 + 1
    return board


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_games_agree_with_a_plain_implementation(data):
    size = data.draw(st.integers(1, 12))
    lookback = data.draw(st.sampled_from([0, 1, 3, 9, 200]))
    rules = data.draw(st.sampled_from(["standard", "uccs2023"]))
    part = st.integers(-2, size + 1) if data.draw(st.booleans()) else st.integers(0, size - 1)
    game = gw.LinearDomination.empty(size, lookback, rules=rules)
    judged = []
    for play in data.draw(st.lists(st.tuples(part, part, part, part), max_size=25)):
        expected = legal(size, lookback, rules, judged, play)
        verdict = game.draw(play[:2], play[2:])
        assert (verdict == Verdict.LEGAL) == expected, (play, game.text)
        judged.append((play, expected))
    assert (game.board == painted(size, judged)).all()
    assert game.counts == ((game.board == 1).sum(), (game.board == 2).sum())
    assert game.plays.tolist() == [list(play) for play, _ in judged]
    assert (game.verdicts == 0).tolist() == [was_legal for _, was_legal in judged]
    assert gw.LinearDomination(game.text) == game


def test_every_verdict_occurs_in_a_level_with_the_index_of_the_clashing_play():
    for verdict in Verdict:
        if verdict == Verdict.LEGAL:
            continue
        game = level(gw.LinearDomination, f"verdict_{verdict.name.lower()}")
        assert verdict in game.verdicts
        at = game.verdicts.tolist().index(verdict)
        clash = int(game.clashes[at])
        line, other = game.lines[at], game.lines[clash]
        if verdict in (Verdict.OUT_OF_BOARD, Verdict.ZERO_LENGTH):
            assert clash == -1
        elif verdict == Verdict.SAME_MIDPOINT:
            assert line.midpoint == other.midpoint
        elif verdict == Verdict.PERPENDICULAR:
            assert np.dot(line.vector, other.vector) == 0
        elif verdict == Verdict.SAME_TAIL:
            assert line.tail_cell == other.tail_cell
        else:
            assert line.head_cell == other.head_cell
    assert len(gw.LinearDomination.levels()) >= 10
    assert len(level(gw.LinearDomination, "long_standard").plays) >= 1000


def test_legal_and_illegal_plays_are_recorded_in_the_history():
    game = gw.LinearDomination("6 2\n1 1 4 6\n")
    texts = [game.text]
    for tail, head in [((5, 0), (4, 4)), ((9, 9), (0, 0)), ((0, 0), (0, 0)), ((1, 1), (2, 5))]:
        game.draw(tail, head)
        texts.append(game.text)
    assert len(game.moves) == 4
    assert len(game.plays) == 5
    assert game.to_move == Color.O
    for copy in (game.copy(), pickle.loads(pickle.dumps(game))):
        assert copy == game
        assert copy.moves.tolist() == game.moves.tolist()
        for text in reversed(texts[:-1]):
            assert copy.undo()
            assert copy.text == text
        assert not copy.undo()
        while copy.redo():
            pass
        assert copy == game
    game.undo()
    copy = pickle.loads(pickle.dumps(game))
    assert copy.undone.tolist() == [[1, 1, 2, 5]]


def test_invalid_plays_are_refused_and_change_nothing():
    game = gw.LinearDomination.empty(6, 2)
    for tail, head in [((0,), (1, 1)), ("ab", (1, 1)), ((0, 0), (0, 10**30)), ((0, 0), (0.5, 1)), (None, None)]:
        for call in (game.draw, game.judge, ParametricLine):
            with pytest.raises(gw.MoveError, match="^(tail|head) must "):
                call(tail, head)
    with pytest.raises(gw.MoveError, match=r"head must be a cell of the 6 x 6 board, got \(0, 6\)"):
        game.gain((0, 0), (0, 6))
    assert len(game.plays) == 0
    with pytest.raises(gw.IllegalMoveError, match="tail and head are the same cell"):
        game.play(0, 0, 0, 0)
    for size, lookback in [(0, 3), (8193, 3), (-1, 3), (10**30, 3), (8, -1), (8, 2**31), ("8", 3), (8.0, 3), (8, None)]:
        name = "lookback" if size == 8 and isinstance(size, int) else "size"
        error = ValueError if isinstance(size, int) and isinstance(lookback, int) else TypeError
        with pytest.raises(error, match=f"^{name} must be "):
            gw.LinearDomination.empty(size, lookback)
        with pytest.raises(error, match=f"^{name} must be "):
            gw.LinearDomination.generate(size, lookback, 3, seed=1)
    with pytest.raises(ValueError, match="rules must be 'document', 'standard' or 'uccs2023', got 'chess'"):
        gw.LinearDomination.empty(8, 3, rules="chess")
    with pytest.raises(ValueError, match="player must be 'greedy', 'minimax' or 'mcts', got 'me'"):
        game.suggest("me")


def test_a_text_may_name_the_rules_and_use_any_whitespace():
    assert gw.LinearDomination("8 3").rules == "document"
    assert gw.LinearDomination("8 3 uccs2023").rules == "uccs2023"
    assert gw.LinearDomination("8 3 standard").rules == "standard"
    game = gw.LinearDomination("4 0\t1 1\r\n2   3\n\n1 1 1 1")
    assert game.plays.tolist() == [[0, 0, 1, 2], [0, 0, 0, 0]]
    assert game.moves.shape == (0, 4)
    assert game.text == "4 0\n1 1 2 3\n1 1 1 1\n"
    assert game.bounds == (4, 4, 4, 4)


def test_no_call_hangs_on_a_board_without_a_legal_play():
    game = level(gw.LinearDomination, "frozen")
    assert game.status != gw.Status.OPEN
    assert len(game.legal_moves()) == 0
    assert game.sample_legal(1) is None
    for player in ("greedy", "minimax", "mcts"):
        assert game.suggest(player, seed=1) is None
    assert game.best_line(3)[1].shape == (0, 4)
    assert (game.random_games(5, seed=1) == game.counts).all()
    big = gw.LinearDomination("8192 5\n7 7 7 7\n")
    assert big.sample_legal(1) is None
    with pytest.raises(gw.IllegalMoveError, match="game is over"):
        big.play(0, 0, 1, 1)


def test_players_suggest_legal_plays():
    game = gw.LinearDomination.generate(7, 3, 6, seed=2)
    for player in ("greedy", "minimax", "mcts"):
        play = game.suggest(player, seed=3, playouts=100)
        assert game.is_legal(*play)
        assert play == game.suggest(player, seed=3, playouts=100)
    gains = {tuple(play): game.gain(play[:2], play[2:]) for play in game.legal_moves().tolist()}
    assert gains[game.suggest()] == max(gains.values())
    margin, plays = game.best_line(2)
    assert len(plays) == 2
    mover, other = game.counts if game.to_move == Color.X else game.counts[::-1]
    best = max(mover - other + gain - GameAfter(game, play).gain_of_best() for play, gain in list(gains.items()))
    assert margin == best
    with pytest.raises(gw.SearchLimitError, match="limit reached after 10 plays"):
        game.best_line(3, limit=10)
    with pytest.raises(gw.SearchLimitError, match="playouts"):
        game.suggest("mcts", limit=5)
    reports = []
    game.suggest("mcts", seed=1, playouts=3000, progress=reports.append)
    assert reports == sorted(reports)
    with pytest.raises(gw.SearchLimitError, match="lists at most 2000000 legal plays"):
        gw.LinearDomination.empty(60, 3).suggest("minimax")


class GameAfter:
    """A copy of a game after one more play; ``gain_of_best`` returns the largest gain of the next play."""

    def __init__(self, game, play):
        self.game = game.copy()
        self.game.play(*play)

    def gain_of_best(self):
        best = self.game.suggest()
        return self.game.gain(best[:2], best[2:])


def check_ctrl_c_ends(work, seconds: float) -> None:
    timer = threading.Timer(seconds, _thread.interrupt_main)

    def interrupted_work():
        timer.start()  # started here so that no interrupt arrives before ``pytest.raises`` can catch it
        work()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs start with SIGINT ignored
    try:
        with pytest.raises(KeyboardInterrupt):
            interrupted_work()
    finally:
        signal.signal(signal.SIGINT, before)
    timer.join()


@needs("threads")
def test_ctrl_c_ends_a_search():
    check_ctrl_c_ends(lambda: gw.LinearDomination.empty(8, 3).suggest("mcts", playouts=10**9, seed=1), 0.2)


def test_random_games_are_the_same_on_any_number_of_threads():
    game = gw.LinearDomination.generate(8, 3, 4, seed=1)
    games = game.random_games(500, plies=20, seed=9, threads=1)
    assert games.dtype == np.uint32
    for threads in (0, 2, 3):
        assert (game.random_games(500, plies=20, seed=9, threads=threads) == games).all()
    assert (game.random_games(100, plies=20, seed=9) == games[:100]).all()
    assert (game.random_games(3, plies=0) == game.counts).all()
    wide = gw.LinearDomination.empty(9, 3)
    assert (wide.random_games(3, plies=20_000, seed=9)[:2] == wide.random_games(2, plies=20_000, seed=9)).all()
    with pytest.raises(ValueError, match="plies must be between 0 and 16777216, got 4294967296"):
        game.random_games(4, plies=2**32)
    with pytest.raises(ValueError, match="plays must be between 0 and 16777216, got 33554432"):
        gw.LinearDomination.generate(9, 3, 2**25)


def test_parametric_lines_round_trip_and_run_from_tail_to_head():
    line = ParametricLine((0, 3), (4, 0))
    assert line == ParametricLine(np.array([0, 3]), [4, 0])
    assert eval(repr(line)) == pickle.loads(pickle.dumps(line)) == line
    assert line.barycentric_coordinate(0) == line.tail_point
    assert line.barycentric_coordinate(1) == line.head_point
    assert np.hypot(*line.vector_normalized) == pytest.approx(1)
    assert ParametricLine((2, 2), (2, 2)).vector_normalized == (0, 0)


def test_the_program_writes_the_report_of_the_source_document(tmp_path, capsys):
    source, output = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text("4 2\n3 1 1 4\n1 1 3 2\n")
    assert main(["domination", str(source), str(output)]) == 0
    expected = "O . X X \nO O X . \nX O . . \n. . . . \n"
    assert output.read_text() == expected + "Player X: 4 cells; Player O: 4 cells\n"
    assert capsys.readouterr().out == ""
    assert main(["domination", str(source), str(output), "--verbose"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[:5] == [". . . . "] * 4 + [""]
    assert rows[10:] == [*expected.splitlines(), ""]
    assert len(rows) == 15
    assert main(["domination", str(source), str(output), "--empty", " "]) == 0
    assert output.read_text().startswith(expected.replace(".", " "))
    output.unlink()
    source.write_text("4 2\n3 1 1\n")
    assert main(["domination", str(source), str(output)]) == 2
    assert "line 2, column 6: the column of a head (the play has 3 of 4 numbers) is missing" in capsys.readouterr().err
    assert not output.exists()
    assert main(["domination", str(tmp_path / "none"), str(output)]) == 2
    reports = []
    rng = random.Random(1)
    source.write_text("30 5\n" + "\n".join(" ".join(str(rng.randint(1, 30)) for _ in "1234") for _ in range(9)))
    run_game(source, output, progress=reports.append)
    assert output.read_text() == gw.LinearDomination.load(source).report()


def test_a_large_board_can_be_played_and_lists_that_are_too_long_are_refused():
    game = gw.LinearDomination.empty(1000, 10_000)
    for seed in range(50):
        game.play(*game.sample_legal(seed))
    assert sum(game.counts) == (game.board != 0).sum()
    with pytest.raises(ValueError, match="lists at most 10000000 moves"):
        game.legal_moves()
    with pytest.raises(ValueError, match=r"entries, and a box with bounds \(.*\) has more"):
        game.legal_mask()
    for _ in range(50):
        game.undo()
    assert game == gw.LinearDomination.empty(1000, 10_000)
    assert game.counts == (0, 0)
    assert not game.board.any()


@needs("threads")
def test_ctrl_c_ends_calls_on_a_board_without_a_legal_play():
    # The plays within the lookback use every cell as a tail, so no play is legal, but the board is too large for the
    # engine to prove this.
    size, rng = 64, random.Random(5)
    cells = list(itertools.product(range(size), repeat=2))
    rng.shuffle(cells)
    heads = [rng.choice(cells) for _ in cells]
    game = gw.LinearDomination.empty(2 * size, len(cells) * 4, rules="uccs2023")
    plays = [
        ((2 * a + i, 2 * b + j), (c, d))
        for (a, b), (c, d) in zip(cells, heads, strict=True)
        for i in (0, 1)
        for j in (0, 1)
    ]
    for tail, head in plays:
        game.draw(tail, head if head != tail else (0, tail[1] ^ 1))
    assert game.status == gw.Status.OPEN
    for work in (
        game.legal_moves,
        lambda: game.sample_legal(1),
        lambda: game.perft(1),
        lambda: game.suggest("minimax"),
        lambda: game.suggest("mcts"),
        lambda: game.random_games(3, seed=1),
        lambda: game.batch(2, mask=False),
    ):
        check_ctrl_c_ends(work, 0.1)


def test_searches_that_are_too_deep_are_refused():
    game = gw.LinearDomination.empty(8, 3)
    for call, name in (
        (lambda n: game.suggest("minimax", depth=n), "depth"),
        (game.best_line, "plies"),
        (lambda n: game.suggest("mcts", playouts=1, plies=n), "plies"),
    ):
        for far in (2**25, 2**32 - 1, 2**63, 2**70, -1):
            with pytest.raises(ValueError, match=f"{name} must be between 0 and .* got {far}"):
                call(far)


def test_the_document_rules_follow_the_document_to_the_letter(tmp_path):
    # Equal heads and equal tails are legal, but equal midpoints and right angles are not. A line of length zero is
    # perpendicular to every line.
    game = gw.LinearDomination("6 3")
    assert game.rules == "document"
    assert game.draw((0, 0), (2, 1)) == Verdict.LEGAL
    assert game.draw((0, 0), (5, 5)) == Verdict.LEGAL  # the same tail
    assert game.draw((4, 0), (5, 5)) == Verdict.LEGAL  # the same head
    assert game.draw((2, 1), (0, 0)) == Verdict.SAME_MIDPOINT
    assert game.draw((0, 3), (3, 0)) == Verdict.PERPENDICULAR
    # Illegal plays count too: the new play has the midpoint of the previous play, which was illegal.
    assert game.draw((3, 0), (0, 3)) == Verdict.SAME_MIDPOINT
    point = gw.LinearDomination("6 1")
    assert point.draw((2, 2), (2, 2)) == Verdict.LEGAL
    assert point.draw((0, 0), (5, 1)) == Verdict.PERPENDICULAR
    # A lookback of one play now covers only the illegal play, and no longer the line of length zero.
    assert point.draw((0, 0), (5, 2)) == Verdict.LEGAL
    source, output = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text("3 2\n1 1 1 2\n1 1 2 1\n1 1 3 2\n")
    reports = {}
    for rules in ("document", "standard", "uccs2023", None):
        run_game(source, output, rules=rules, empty=" ")
        reports[rules] = output.read_text()
    assert reports[None] == reports["document"] != reports["uccs2023"]
    assert "." not in reports["document"]
    with pytest.raises(ValueError, match="empty must be one character, got '--'"):
        run_game(source, output, empty="--")


def test_the_standard_rules_check_for_zero_length_last():
    for lookback in (3, 500):
        game = gw.LinearDomination.empty(6, lookback)
        game.play(0, 0, 2, 2)
        assert game.judge((1, 1), (1, 1)) == (Verdict.SAME_MIDPOINT, 0)
        assert game.judge((3, 1), (3, 1)) == (Verdict.ZERO_LENGTH, None)


def best_margin(game):
    """Returns the final margin of the player to move if both players play optimally, by exhaustive search."""
    plays = game.legal_moves().tolist()
    mover, other = game.counts if game.to_move == Color.X else game.counts[::-1]
    return max((-best_margin(played(game, play)) for play in plays), default=mover - other)


def played(game, play):
    after = game.copy()
    after.play(*play)
    return after


def gains(game):
    """Returns the gain of each legal play, computed from the boards before and after the play."""
    sign = 1 if game.to_move == Color.X else -1
    x, o = game.counts
    found = {}
    for play in game.legal_moves().tolist():
        after = painted(
            game.size, [*((p, v == 0) for p, v in zip(game.plays, game.verdicts, strict=True)), (play, True)]
        )
        found[tuple(play)] = sign * (int((after == 1).sum()) - int((after == 2).sum()) - x + o)
    return found


def test_the_claims_of_explanations_are_true():
    rules = set()
    for rule_set, lookback, plays, seed in itertools.product(
        ("standard", "uccs2023", "document"), (2, 100), (1, 4, 9, 11, 13), range(3)
    ):
        game = gw.LinearDomination.generate(3, lookback, plays, seed, rules=rule_set)
        before = game.text
        explanation = game.explain()
        assert game.text == before
        worth = gains(game)
        if not worth:
            assert explanation.moves.shape == (0, 4)
            assert str(explanation) == "No legal line is left."
            continue
        (play,) = (tuple(move) for move in explanation.moves.tolist())
        answers = {play: max(gains(played(game, play)).values(), default=0) for play in worth}
        balances = {play: worth[play] - answers[play] for play in worth}
        best = max(worth.values())
        greedy = min(play for play in worth if worth[play] == best)
        ended = "at the end" in str(explanation)
        rules.add((explanation.rule, ended))
        as_much = "as much" if worth[play] == best else best
        row, col, *head = greedy
        rival = f"The line from ({row}, {col}) to {tuple(head)}, which gains {as_much},"
        assert f" gains {worth[play]} cell" in str(explanation)
        if explanation.rule == "gain":
            assert play == greedy
            expected = f"The best answer gains {answers[play]}", "No answer is left."
            assert any(words in str(explanation) for words in expected)
            if not ended:
                assert balances[play] == max(balances.values())
        elif explanation.rule == "deny":
            assert balances[play] == max(balances.values()) > balances[greedy]
            assert f"{rival} would leave an answer of {answers[greedy]}." in str(explanation)
        else:
            assert explanation.rule == "endgame"
            assert ended
        if ended and len(worth) <= 10:
            margin = best_margin(game)
            assert -best_margin(played(game, play)) == margin
            lead = "level" if margin == 0 else f"{abs(margin)} cell"
            assert lead in str(explanation).partition("With best play")[2]
            lost = margin + best_margin(played(game, greedy))
            assert (lost == 0) == (explanation.rule == "gain")
            if explanation.rule == "endgame":
                assert f"{rival} ends {lost} cell" in str(explanation)
                denying = [other for other in balances if balances[other] == max(balances.values())]
                assert any(-best_margin(played(game, other)) < margin for other in denying)
        crossed = painted(3, [(play, True)])
        assert sorted(explanation.cells["so"].tolist()) == np.argwhere(crossed).tolist()
    assert rules == {(rule, ended) for rule in ("gain", "deny", "endgame") for ended in (False, True)} - {
        ("endgame", False)
    }


class PlainSolver:
    """A solver of endgames that tries every play."""

    def __init__(self, game):
        self.plays = [tuple(play) for play in game.legal_moves().tolist()]
        indices = {play: k for k, play in enumerate(self.plays)}
        self.cells = [{tuple(cell) for cell in tracing.trace(p[:2], p[2:]).tolist()} for p in self.plays]
        self.after = [
            frozenset(indices[tuple(other)] for other in played(game, play).legal_moves().tolist())
            for play in self.plays
        ]
        mover, other = (frozenset(map(tuple, np.argwhere(game.board == color).tolist())) for color in (1, 2))
        self.start = (frozenset(range(len(self.plays))), mover, other)
        if game.to_move == Color.O:
            self.start = (self.start[0], other, mover)
        self.known = {}

    def next(self, state, play):
        left, own, other = state
        return left & self.after[play], other - self.cells[play], own | self.cells[play]

    def gain(self, state, play):
        _, own, other = state
        return len(self.cells[play] - own) + len(self.cells[play] & other)

    def balance(self, state, play):
        after = self.next(state, play)
        return self.gain(state, play) - max((self.gain(after, answer) for answer in after[0]), default=0)

    def margin(self, state):
        if state not in self.known:
            left, own, other = state
            ends = [-self.margin(self.next(state, play)) for play in left]
            self.known[state] = max(ends, default=len(own) - len(other))
        return self.known[state]

    def turn(self, state):
        """Returns the easiest rule that finds a best play, that best play, and the final margin after each play."""
        ends = {play: -self.margin(self.next(state, play)) for play in state[0]}
        best = max(ends.values())
        now = {play: (self.gain(state, play), -play) for play in ends}
        greedy = max(ends, key=now.get)
        balanced = max(ends, key=lambda play: (self.balance(state, play), now[play]))
        if ends[greedy] == best:
            return "gain", greedy, ends
        if self.balance(state, balanced) > self.balance(state, greedy) and ends[balanced] == best:
            return "deny", balanced, ends
        return "endgame", max((play for play in ends if ends[play] == best), key=now.get), ends

    def lines(self, plays):
        """Counts plays; those that cross the same cells and leave the same plays legal count once."""
        return len({(frozenset(self.cells[play]), self.after[play]) for play in plays})


@pytest.mark.parametrize("rules", ["standard", "document", "uccs2023"])
def test_the_difficulty_agrees_with_a_plain_implementation(rules):
    seen = Counter()
    for seed in range(12):
        size = 3 + seed % 2
        game = gw.LinearDomination.generate(size, 49, 10_000, seed, rules=rules)
        plays = game.plays.tolist()
        while len(plays) and len(game.legal_moves()) < (14 if rules == "uccs2023" else 18):
            plays.pop()
            text = "".join(" ".join(str(part + 1) for part in play) + "\n" for play in plays)
            game = gw.LinearDomination(f"{size} 49 {rules}\n{text}")
            if not 0 < len(game.legal_moves()) <= 18:
                continue
            difficulty, solver = game.difficulty(), PlainSolver(game)
            state, used, order = solver.start, Counter(), []
            while state[0]:
                rule, play, ends = solver.turn(state)
                best = [other for other in ends if ends[other] == max(ends.values())]
                if len(order) % 2 == 0 and len(best) < len(ends):
                    used[rule] += 1
                order.append(solver.plays[play])
                state = solver.next(state, play)
            assert difficulty.rules == used
            points = used["gain"] + 2 * used["deny"] + 3 * used["endgame"]
            assert difficulty.grade == 1 + np.searchsorted([2, 3, 5, 7], points, side="right")
            _, _, ends = solver.turn(solver.start)
            assert difficulty.measures == {
                "points": points,
                "turns": sum(used.values()),
                "plays": len(order),
                "lines": solver.lines(ends),
                "best": solver.lines([play for play in ends if ends[play] == max(ends.values())]),
                "lost": max(ends.values()) - ends[max(ends, key=lambda play: (solver.gain(solver.start, play), -play))],
                "margin": solver.margin(solver.start),
            }
            # The explanations suggest the plays in ``order`` until the game ends.
            for play in order:
                reason = game.explain()
                assert reason.rule == PlainSolver(game).turn(PlainSolver(game).start)[0]
                assert tuple(reason.moves[0]) == play
                game.play(*play)
            assert game.explain().moves.shape == (0, 4)
            seen += used
    assert set(seen) == {"gain", "deny", "endgame"}


def test_an_explanation_names_the_line_with_which_it_compares():
    # Several lines gain 6 and leave different answers.
    game = gw.LinearDomination("3 3 standard\n3 2 2 1\n1 2 3 3\n1 1 3 1\n3 2 1 2\n")
    assert "The line from (0, 0) to (1, 2), which gains 6, would leave an answer of 6." in str(game.explain())
    game = gw.LinearDomination("3 25 uccs2023\n3 2 1 1\n1 3 1 2\n2 2 1 3\n3 3 3 2\n2 1 3 3\n")
    assert "The line from (0, 0) to (1, 2), which gains 5, ends 1 cell worse." in str(game.explain())
    game = gw.LinearDomination.level("level07")
    assert game.explain().rule == "deny"
    assert (
        "gains 4 cells on the opponent and leaves a best answer of 4. "
        "The line from (0, 3) to (1, 3), which gains as much, would leave an answer of 6."
    ) in str(game.explain())
    game = gw.LinearDomination.level("level02")
    game.play(*game.explain().moves[0].tolist())
    assert game.explain().rule == "endgame"
    assert "The line from (0, 0) to (0, 3), which gains as much, ends 2 cells worse." in str(game.explain())


def test_the_documentation_lists_the_levels_without_a_grade():
    levels = gw.LinearDomination.empty(8, 3).controls().levels
    without = sorted(level.name for level in levels if not level.grade)
    assert len(without) == 6
    text = (ROOT / "levels" / "README.md").read_text(encoding="utf-8").replace("\n", " ")
    assert "`, `".join(without[:-1]) + f"` and `{without[-1]}`" in text
    assert all(f"``{name}``" in gw.LinearDomination.difficulty.__doc__ for name in without)


@pytest.mark.parametrize("grade", range(1, 6))
def test_generated_games_have_the_requested_difficulty(grade):
    for seed in range(100):
        game = gw.LinearDomination.generate(5, 81, difficulty=grade, seed=seed)
        difficulty = game.difficulty()
        assert difficulty.grade == grade
        assert difficulty.measures["best"] < difficulty.measures["lines"]
    name = gw.insight.GRADES[grade - 1]
    assert game == gw.LinearDomination.generate(5, 81, difficulty=name, seed=99)
    for rules, size in (("document", 4), ("uccs2023", 4), ("standard", 8)):
        game = gw.LinearDomination.generate(size, 400, difficulty=grade, seed=1, rules=rules)
        assert (game.rules, game.difficulty().grade) == (rules, grade)


def test_positions_without_a_difficulty_are_refused():
    for game in (
        gw.LinearDomination.empty(8, 3),
        gw.LinearDomination.empty(9, 400),
        gw.LinearDomination.generate(4, 20, 40, seed=1),
    ):
        with pytest.raises(ValueError, match="difficulty needs at most 18 legal plays on a board of at most 8 x 8"):
            game.difficulty()
    with pytest.raises(ValueError, match="difficulty needs a legal play, and none is left"):
        gw.LinearDomination.generate(4, 49, 100, seed=1).difficulty()
    with pytest.raises(gw.SearchLimitError):
        gw.LinearDomination.generate(5, 81, difficulty=5, seed=1).difficulty(limit=5)
    make = gw.LinearDomination.generate
    for error, sentence, arguments in (
        (ValueError, "size must be between 1 and 8 if difficulty is given, got 9", (9, 400)),
        (ValueError, "lookback must be at least 49 on a board of 4 x 4 if difficulty is given, got 48", (4, 48)),
        (ValueError, "plays must be None if difficulty is given, got 3", (4, 49, 3)),
        (gw.SearchLimitError, "no position of grade 3 found in 10000 games on a board of 1 x 1", (1, 1)),
    ):
        with pytest.raises(error, match=sentence):
            make(*arguments, difficulty=3, seed=1)
    with pytest.raises(ValueError, match="plays must be given if difficulty is not, got None"):
        make(4, 49)
    with pytest.raises(ValueError, match="difficulty must be between 1 and 5, got 6"):
        make(4, 49, difficulty=6)
    with pytest.raises(gw.SearchLimitError, match="limit reached after 10 plays"):
        make(4, 49, difficulty=3, seed=1, limit=10)


def test_a_cell_is_explained_by_the_best_line_over_it():
    for rules, plays in itertools.product(("standard", "document"), (0, 5)):
        for size in (3, 9):
            game = gw.LinearDomination.generate(size, 3, plays, seed=1, rules=rules)
            worth = {play: gain for play, gain in gains(game).items() if painted(size, [(play, True)])[1, 2]}
            explanation = game.explain((1, 2))
            assert explanation.rule == "gain"
            if not worth:
                assert len(explanation.moves) == 0
                continue
            assert tuple(explanation.moves[0]) == min(play for play in worth if worth[play] == max(worth.values()))
            assert f"gains most, {max(worth.values())} cell" in str(explanation)
    frozen = gw.LinearDomination("3 2\n1 1 1 1")
    assert str(frozen.explain((0, 0))) == "No legal line crosses (0, 0)."
    assert len(frozen.explain((0, 0)).moves) == 0
    for cell in ((3, 0), (0, -1), 5, "ab"):
        with pytest.raises((gw.MoveError, TypeError), match=r"^cell must "):
            frozen.explain(cell)
    with pytest.raises(gw.SearchLimitError):
        gw.LinearDomination.empty(8, 3).explain(limit=100)
    assert "<svg" in gw.LinearDomination.empty(4, 3).explain().svg()


def test_hint_solve_and_play_on_agree_with_the_players():
    game = gw.LinearDomination.generate(5, 3, 4, seed=3)
    before = game.text
    hint = game.hint()
    assert hint.dtype == np.int32
    assert tuple(hint) == game.suggest("greedy")
    line = game.solve()
    assert line.dtype == np.int32
    assert line.tolist() == game.best_line(2)[1].tolist()
    assert game.text == before
    assert game.play_on().tolist() == line.tolist() == game.moves[-2:].tolist()
    assert game.undo()
    assert game.undo()
    assert game.text == before
    assert game.solve(0).shape == (0, 4)
    with pytest.raises(ValueError, match="plies must be between 0 and 1000, got 1001"):
        game.solve(1001)
    for call in (game.hint, game.solve, game.play_on):
        with pytest.raises(gw.SearchLimitError):
            call(limit=1)
    assert game.text == before
    frozen = gw.LinearDomination("3 2\n1 1 1 1")
    assert frozen.hint() is frozen.solve() is frozen.play_on() is None
    assert len(frozen.moves) == 0


def test_blank_boards_are_square_and_empty():
    game = gw.LinearDomination.blank(6, 6, lookback=4, rules="uccs2023")
    assert game == gw.LinearDomination.empty(6, 4, rules="uccs2023")
    assert gw.LinearDomination.blank(np.int64(7)) == gw.LinearDomination.empty(7, 3)
    with pytest.raises(ValueError, match=r"width must equal height \(3\), because boards are square, got 4"):
        gw.LinearDomination.blank(3, 4)
    with pytest.raises(ValueError, match="height must be between 1 and 8192, got 8193"):
        gw.LinearDomination.blank(8193)
    with pytest.raises(TypeError, match="width must be an integer, got '3'"):
        gw.LinearDomination.blank(3, "3")


def test_hints_of_the_controls_give_a_reason():
    game = gw.LinearDomination.generate(3, 3, 5, seed=1)
    controls = game.controls()
    assert controls.hint()
    assert str(game.explain()) in controls.message
    last = gw.LinearDomination.empty(3, 3)
    controls = last.controls()
    controls.choose("plies", "10")
    for seed in range(9):
        last.play(*last.sample_legal(seed))
    assert controls.hint()
    row, col, head_row, head_col = last.hint()
    assert f"This is the last play: the line from ({row}, {col}) to ({head_row}, {head_col})" in controls.message


@pytest.mark.parametrize("left", [2, 3])
def test_hints_and_the_minimax_opponent_play_for_the_agreed_end(left):
    cut = 0
    for seed in range(40):
        game = gw.LinearDomination.empty(3, 49)
        controls = game.controls()
        controls.choose("opponent", "person")
        controls.choose("plies", "10")
        for number in range(10 - left):
            game.play(*game.sample_legal(1000 * seed + number))
        if game.status != gw.Status.OPEN or (left > 2 and len(game.legal_moves()) > 18):
            continue
        margin, _ = game.best_line(left)

        def margin_after(move, game=game):
            after = game.copy()
            after.play(*move)
            return -after.best_line(left - 1)[0]

        controls.hint()
        line = controls.marks()["line"]
        assert margin_after((*line[0], *line[-1])) == margin
        assert margin_after(controls._suggest("minimax")) == margin
        if "With best play by both sides" in controls.message:
            player = game.to_move.name
            lead = "level" if margin == 0 else f"{abs(margin)} cell{'s' * (abs(margin) > 1)} "
            assert f"{player} is {lead}" in controls.message
            assert int(controls.message.split(" after ")[-1].split()[0]) <= left
        cut += f"a search of the {left} plays left shows that it is best" in controls.message
    assert cut >= 10


def test_the_message_of_an_endgame_leaves_the_margin_out_if_the_agreed_end_may_come_first():
    controls = gw.LinearDomination.empty(4, 49, rules="uccs2023").controls()
    seed = 0
    while not controls.seed or controls.game.difficulty().measures["lines"] <= 10:
        seed += 1
        controls.new(seed, "hard")
    assert "with best play you end" in controls.message
    assert not any(score.name == "plays left" for score in controls.scores)
    controls.choose("plies", "10")
    controls.new(seed, "hard")
    assert controls.message.endswith(f"legal lines are left. You are {controls.game.to_move.name}.")
    assert any(score.name == "plays left" for score in controls.scores)


@pytest.mark.parametrize("act", ["drag", "side"])
def test_an_action_whose_reply_is_interrupted_changes_nothing(act, monkeypatch):
    game = gw.LinearDomination.empty(8, 3)
    controls = game.controls()
    for _ in range(2):
        controls.drag(np.reshape(game.suggest("greedy"), (2, 2)))
    controls.undo()
    assert (len(game.moves), len(game.undone)) == (2, 2)
    before, message = str(game.__getstate__()), controls.message
    line = np.reshape(game.suggest("greedy"), (2, 2))

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(type(controls), "_suggest", interrupt)
        with pytest.raises(KeyboardInterrupt):
            controls.drag(line) if act == "drag" else controls.choose("side", "O")
    assert (str(game.__getstate__()), controls.message) == (before, message)
    assert controls._is_players_turn()
    assert controls.drag(line)
    # The line is the player's, and the opponent has replied.
    assert game.plays[2].tolist() == line.ravel().tolist()
    assert len(game.moves) == 4
