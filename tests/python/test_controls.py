"""`Controls`, the protocol through which the widget, the terminal and the browser tab play every game."""

from __future__ import annotations

import copy
import functools
import json
import pickle
import subprocess
import sys

import games
import gridwright as gw
import numpy as np
import pytest
from conftest import needs, starts
from gridwright import solved
from gridwright.controls import Controls, Score
from gridwright.controls.puzzle import Puzzle
from gridwright.insight import GRADES, Explanation
from gridwright.tracing import trace

STEPS = {"left": (0, -1), "up": (-1, 0), "right": (0, 1), "down": (1, 0)}


@pytest.fixture(autouse=True)
def storage():
    memory = solved.MemoryStorage()
    solved.use_storage(memory)
    yield memory
    solved.use_storage(None)


def level(kind, name: str | None = None) -> Controls:
    """Returns the controls of a packaged level, by default the first in the menu; one person makes all moves."""
    controls = kind.level(kind.levels()[0]).controls()
    controls.level(name or controls.levels[0].name)
    return games.alone(controls.game)


def play(controls: Controls, move: tuple[int, ...]) -> None:
    """Makes a move as a person does: presses the keys that make the move, or else clicks and drags."""
    for what, where, *second in games.gestures(controls.game, move):
        if what == "key":
            assert controls.key(where)
        elif what == "drag":
            controls.drag(where)
        else:
            controls.click(where, *second)


def walk(controls: Controls, cell: tuple[int, int]) -> None:
    """Moves the cursor to a cell with the keyboard."""
    controls.focus()
    for _ in range(sum(controls.game.shape)):
        at = controls.cursor or (0, 0)
        for name, (down, across) in STEPS.items():
            if (cell[0] - at[0]) * down > 0 or (cell[1] - at[1]) * across > 0:
                assert controls.key(f"shift+{name}")
                break
    assert controls.cursor == cell


def test_gestures_lead_to_the_same_positions_as_moves(kind):
    for game in starts(kind)[:6]:
        shadow, controls = game.copy(), games.alone(game)
        for seed in range(8):
            move = shadow.sample_legal(seed)
            if move is None:
                break
            shadow.play(*move)
            play(controls, tuple(int(part) for part in move))
            assert game == shadow, controls.message


def test_a_game_without_solver_reasons_and_generator_can_be_played(kind, monkeypatch):
    games.strip(kind, monkeypatch)
    game = kind.level(kind.levels()[0])
    controls = game.controls()
    assert [str(score) for score in controls.scores] == ["moves 0"]
    assert controls.levels
    assert controls.legend() == []
    for ask, what in ((controls.hint, "hints"), (controls.solve, "solver"), (controls.new, "generator")):
        assert not ask()
        assert controls.message == f"This game has no {what}."
    if len(game.bounds) > 1:  # a click plays no move that is a single number
        rank = len(game.bounds)
        move = next(move for move in game.legal_moves().tolist() if rank != 3 or move[0] == 0)
        for at in range(rank % 2, rank, 2):
            controls.click(move[at : at + 2])
        assert game.moves.tolist() == [move]
        assert controls.undo()
    game.widget()


def test_moves_that_do_not_end_in_cells_are_neither_clicked_nor_marked():
    class Jumps(gw.LightEmAll):
        CONTROLS = Controls
        bounds = property(lambda self: (*self.shape, 4))

        def explain(self, **_):
            return Explanation("jump", "Jump right.", {}, np.array([[0, 0, 1]], np.int32), self.copy())

    controls = Jumps("1 3\n2a1\nstation 0 0").controls()
    assert controls.hint()
    assert controls.message == "Jump right."
    assert not controls.marks().get("hint")
    controls.click((0, 2))
    assert not len(controls.game.moves)


def test_controls_made_by_hand_are_those_of_the_game(kind):
    game = kind.level(kind.levels()[0])
    made, shared = Controls(game), game.controls()
    assert type(made) is type(shared) is kind.CONTROLS
    assert made is not shared
    assert [score.name for score in made.scores] == [score.name for score in shared.scores]
    with pytest.raises(TypeError, match="^game must be a game"):
        Controls("level01")


def test_controls_can_be_copied_and_pickled(kind):
    controls = level(kind)
    controls.hint()
    controls.hint()
    for made in (copy.deepcopy(controls), pickle.loads(pickle.dumps(controls))):
        assert made.game == controls.game
        assert made.scores == controls.scores
        before = controls.game.text
        assert made.undo()
        assert made.game.text != before == controls.game.text


def test_a_new_puzzle_takes_the_number_of_a_grade_like_its_name(kind):
    one, two = (kind.level(kind.levels()[0]).controls() for _ in range(2))
    grades = [name for name in GRADES if name in one.difficulties]
    for name in grades[1:3]:
        assert one.new(seed=5, difficulty=name) == two.new(seed=5, difficulty=GRADES.index(name) + 1)
        assert (one.game.text, one.message) == (two.game.text, two.message)
    before = one.game.text
    with pytest.raises(ValueError, match="^difficulty must be "):
        one.new(difficulty=6)
    assert one.game.text == before


def test_hints_alone_win(kind):
    controls = level(kind)
    for _ in range(200):
        if controls.over:
            break
        assert controls.hint()
        assert controls.message
        assert controls.marks()["hint"]
        before = len(controls.game.moves)
        controls.hint()
        assert len(controls.game.moves) > before
    assert controls.over
    assert {score.name: score.value for score in controls.scores}["hints"] > 0
    # A request for a hint after the end keeps the message and does not report that there is no solution.
    message = controls.message
    assert message
    controls.hint()
    assert controls.message.startswith(message)
    assert "no solution" not in controls.message


def test_an_answer_is_played_step_by_step_or_to_the_end(kind):
    controls = level(kind)
    controls.solve()
    assert controls.solving
    controls.step()
    assert 1 <= len(controls.game.moves) <= 5  # all turns of one LightEmAll tile are one step
    controls.solve()
    assert not controls.solving
    controls.finish()
    assert controls.over
    # A level that the engine solved is not recorded as solved.
    assert not any(each.solved for each in controls.levels)


def test_undo_leads_back_through_new_puzzles_and_levels(kind):
    controls = level(kind)
    game = controls.game
    move = tuple(int(part) for part in game.sample_legal(1))
    game.play(*move)
    controls.look()
    first = game.copy()
    controls.new(7)
    second = game.text
    assert controls.seed == 7
    controls.level(controls.levels[1].name)
    assert game == kind.level(controls.levels[1].name)
    controls.undo()
    assert game.text == second
    controls.undo()
    assert game == first
    assert len(game.moves) == 1
    controls.redo()
    controls.redo()
    assert game == kind.level(controls.levels[1].name)
    assert not controls.can_redo


def test_undo_restores_the_moves_that_a_restart_removed(kind):
    controls = level(kind)
    game = controls.game
    for seed in range(3):
        game.play(*game.sample_legal(seed))
    controls.look()
    text = game.text
    controls.restart()
    assert len(game.moves) == 0
    assert controls.seconds == 0
    controls.undo()
    assert game.text == text
    assert len(game.moves) == 3


def look_of(controls: Controls) -> tuple[object, ...]:
    """Returns what a player sees after an action, except the message."""
    scores, marks = [str(score) for score in controls.scores], controls.marks()
    marks.pop("cursor", None)
    redo, seconds = controls.can_redo, round(controls.seconds, 3)
    return controls.game.text, controls.title, scores, controls.status, controls.settings, marks, redo, seconds


def restored(controls: Controls) -> Controls:
    """Returns the controls of a new game in which the state of play is restored, as in another program."""
    game = type(controls.game)(controls.game.__getstate__()[0])
    other = game.controls()
    other.restore(controls.state)
    return other


def test_a_state_after_redo_of_moves_that_a_restart_removed_is_restored(kind):
    controls = level(kind)
    for seed in range(3):
        controls.game.play(*controls.game.sample_legal(seed))
    controls.look()
    controls.hint()
    controls.restart()
    for _ in range(3):
        controls.redo()
        assert look_of(restored(controls)) == look_of(controls)
    for moves in (2, 1, 0):
        controls.undo()
        assert len(controls.game.moves) == moves
        assert look_of(restored(controls)) == look_of(controls)
    # The moves were repeated, so the restart is no longer the action to undo.
    controls.undo()
    assert controls.message.startswith("Back in ")


def test_a_state_of_play_is_restored_in_another_game(kind):
    names = [each.name for each in level(kind).levels]
    controls = games.alone(kind.level(names[2]))
    controls.hint()
    controls.hint()
    for seed in range(3):
        if not controls.over:
            controls.game.play(*controls.game.sample_legal(seed))
            controls.look()
    controls._puzzle.stop_clock()
    for action in (controls.undo, controls.undo, controls.redo, controls.restart, controls.undo, controls.restart):
        action()
        other = restored(controls)
        assert look_of(other) == look_of(controls)
        assert other.state == controls.state
    other.undo()
    controls.undo()
    assert look_of(other) == look_of(controls)
    controls.new(2**64 - 1)
    assert look_of(restored(controls)) == look_of(controls)


def test_a_restored_state_keeps_what_was_played_by_the_program(storage):
    controls = gw.Bloxorz.level("level01").controls()
    controls.solve()
    controls.step(6)
    other = restored(controls)
    other.hint()
    other.hint()
    assert other.message == "You won in 7 rolls. Enter starts level02."
    assert storage.read() == ""
    assert restored(other).message == other.message


def test_a_restored_state_keeps_actions_of_several_moves_locks_chances_and_lives():
    controls = gw.LightEmAll.level("level02").controls()
    controls.click((0, 0), third=True)
    controls.click((1, 1), second=True)
    other = restored(controls)
    assert other.marks() == {"locked": ((0, 0),)}
    assert str(other.scores[0]) == "moves 1"
    other.undo()
    assert str(other.scores[0]) == "moves 0"
    controls = gw.GeeseSpotter("1 3 1\n21 29 21").controls()
    controls.choose("chances", "on")
    controls.click((0, 1))
    assert restored(controls).message == "A goose! Undo takes the show back."
    controls.undo()
    other = restored(controls)
    assert [str(score) for score in other.scores] == ["steps 0", "geese left 1", "taken back 1"]
    assert other.labels()


def test_a_restored_state_keeps_the_settings_of_a_game_for_two():
    controls = gw.LinearDomination("8 3 standard\n").controls()
    for name, value in (("opponent", "person"), ("plies", "10"), ("komi", "15")):
        controls.choose(name, value)
    play(controls, (0, 0, 3, 5))
    other = restored(controls)
    assert other.settings == controls.settings
    assert len(other.game.moves) == 1
    controls.choose("opponent", "greedy")
    controls.finish()
    assert controls.over
    other = restored(controls)
    assert (other.status, other.message) == (controls.status, controls.message)
    # A message about a puzzle that has just been opened stays.
    controls = gw.LinearDomination.level("level01").controls()
    assert "You are" in controls.message
    assert restored(controls).message == controls.message


def test_a_state_that_does_not_fit_is_refused_and_changes_nothing(kind):
    controls = level(kind)
    controls.game.play(*controls.game.sample_legal(1))
    controls.look()
    controls.undo()
    before, attributes = controls.state, dict(vars(controls))
    kept = json.loads(before)
    puzzle = kept["puzzle"]
    wrong = {
        "start": (None, "x"),
        "moves": (None, -1, "x", [[]], [[2] * 9], [[2**40] * len(controls.game.bounds)], [["x"]]),
        "undone": (None, -1, 2, "1"),
        "puzzle": (None, -1, "x", [], {}),
    }
    wrong_in_puzzle = {
        "seed": (-1, 2**64, "x", []),
        "hints": (None, -1, "x"),
        "assisted": (None, 1),
        "answered": (None, 1),
        "restarted": (None, -1, 2),
        "clock": (None, -1, "x", 1e300),
        "groups": (None, [3], [[1, 1]], [[2, 0]], [[1, -1]], [[1, 0, 0]]),
    }
    assert {*wrong, "more"} == set(kept)
    assert set(wrong_in_puzzle) == set(puzzle)
    broken = [{**kept, name: value} for name, values in wrong.items() for value in values]
    broken += [
        {**kept, "puzzle": {**puzzle, name: value}} for name, values in wrong_in_puzzle.items() for value in values
    ]
    broken += [{name: kept[name] for name in kept if name != missing} for missing in kept]
    texts = ["", "{", "[]", "7", "null", *map(json.dumps, broken)]
    other = kind.level(controls.levels[1].name).controls()
    for state in (*texts, other.state):
        with pytest.raises(ValueError, match="state must be a state of play of this puzzle, got "):
            controls.restore(state)
        assert controls.state == before
        assert vars(controls) == attributes
    with pytest.raises(TypeError, match="state must be a str, got 5"):
        controls.restore(5)


@needs("a deep stack")
def test_a_deeply_nested_state_is_refused(kind):
    controls = level(kind)
    before = controls.state
    with pytest.raises(ValueError, match="state must be a state of play of this puzzle, got "):
        controls.restore("[" * 100_000)
    assert controls.state == before


@pytest.mark.parametrize(
    "more",
    [
        {"opponents": ["nobody", "greedy"]},
        {"opponents": ["greedy", "nobody"]},
        {"opponents": ["greedy"]},
        {"sides": ["Z", None]},
        {"sides": [None, None]},
        {"sides": ["X", "Z"]},
        {"numbers": [11, 0]},
        {"numbers": [20, "0"]},
        {"endgame": 1},
    ],
)
def test_settings_that_a_game_for_two_does_not_offer_are_not_restored(more):
    controls = gw.LinearDomination("8 3 standard\n").controls()
    controls.choose("komi", "6")
    before = controls.state
    kept = json.loads(before)
    with pytest.raises(ValueError, match="state must be a state of play"):
        controls.restore(json.dumps({**kept, "more": {**kept["more"], **more}}))
    assert controls.state == before


def test_undo_of_a_restart_shows_the_message_about_a_win_again():
    controls = gw.Bloxorz.level("level01").controls()
    controls.finish()
    message = controls.message
    assert message.startswith("You won in 7 rolls")
    controls.restart()
    assert controls.message == ""
    controls.undo()
    assert controls.over
    assert controls.message == message


def test_controls_name_the_level_and_start_the_next_one(kind):
    controls = level(kind)
    names = [each.name for each in controls.levels]
    assert len(names) >= 3
    assert controls.name == names[0]
    assert names[0] in controls.title
    assert controls.next_level()
    assert controls.name == names[1]
    controls.level(names[-1])
    assert not controls.next_level()
    assert controls.message == "This is the last level."


def test_the_menu_of_levels_lists_only_open_puzzles(kind):
    for each in level(kind).levels:
        game = kind.level(each.name)
        assert game.status == gw.Status.OPEN, each.name
        assert len(game.legal_moves()) > 1 if game.height * game.width < 500 else True


def test_solved_levels_are_recorded(storage):
    controls = level(gw.Bloxorz)
    for key in "lrrdrrrd":
        controls.key(key)
    assert controls.over
    first = controls.levels[0]
    assert (first.solved, first.optimum) == (True, 7)
    assert first.best == controls.scores[0].value
    assert json.loads(storage.read())["bloxorz"]["level01"]["optimum"] == 7
    controls.restart()
    for key in gw.Bloxorz.level("level01").solve():
        controls.key(key)
    assert controls.levels[0].best == 7
    assert controls.message == "You won in 7 rolls: it cannot be done in fewer. Enter starts level02."
    controls.key("enter")
    assert controls.name == "level02"


def test_a_solution_that_is_stopped_before_its_first_step_does_not_count_as_assistance():
    controls = level(gw.Bloxorz)
    controls.solve()
    assert controls.solving
    controls.solve()
    assert not controls.solving
    for key in gw.Bloxorz.level("level01").solve():
        controls.key(key)
    assert controls.levels[0].best == 7


def test_a_solution_with_hints_counts_as_solved_but_not_as_best():
    controls = level(gw.Bloxorz)
    while not controls.over:
        controls.key("enter")
    assert controls.levels[0].solved
    assert controls.levels[0].best is None


@needs("a deep stack")
def test_a_deeply_nested_file_holds_no_solved_levels(tmp_path):
    path = tmp_path / "solved.json"
    path.write_text('{"bloxorz": ' + "[" * 100_000, encoding="utf-8")
    solved.use_storage(solved.FileStorage(path))
    assert solved.solved("bloxorz") == {}


def test_an_unreadable_or_malformed_file_holds_no_solved_levels(tmp_path):
    path = tmp_path / "deep" / "solved.json"
    solved.use_storage(solved.FileStorage(path))
    assert solved.solved("bloxorz") == {}
    solved.record("bloxorz", "level01", 9, 7)
    assert solved.solved("bloxorz") == {"level01": solved.Solved(9, 7)}
    for text in ("{", "[]", '{"bloxorz": 3}', '{"bloxorz": {"level01": []}}', "\ufffd"):
        path.write_text(text, encoding="utf-8")
        solved.use_storage(solved.FileStorage(path))
        assert solved.solved("bloxorz") == {}
    path.write_bytes(b"\xff\xfe\x00")
    solved.record("bloxorz", "level02", None, None)
    assert solved.solved("bloxorz") == {"level02": solved.Solved(None, None)}
    solved.use_storage(solved.FileStorage(tmp_path))  # a folder, not a file: no call raises an error
    solved.record("bloxorz", "level01", 9, 7)
    solved.record("bloxorz", "level02", 8, 8)
    assert solved.solved("bloxorz") == {"level01": solved.Solved(9, 7), "level02": solved.Solved(8, 8)}


def test_a_level_that_could_not_be_recorded_does_not_count_as_solved():
    class FullStorage(solved.MemoryStorage):
        def write(self, text):
            raise OSError("no space left")

    solved.use_storage(FullStorage())
    with pytest.raises(OSError, match="no space left"):
        solved.record("bloxorz", "level01", 9, 7)
    assert solved.solved("bloxorz") == {}


def test_a_fall_is_reported():
    controls = level(gw.Bloxorz)
    controls.key("up")
    assert controls.message == "You fell off; back to the start."
    assert Score("falls", 1) in controls.scores
    controls.key("right")
    assert controls.message == ""


def test_the_block_rolls_toward_a_click_and_along_a_swipe():
    controls = level(gw.Bloxorz)
    game = controls.game
    controls.click((1, 4))
    controls.click((4, 2))
    controls.drag([(2, 2), (2.1, 3.5)])
    controls.drag([(2, 2), (2, 2)])
    assert game.moves.ravel().tolist() == [2, 3, 2]


def test_switches_are_explained():
    controls = gw.Bloxorz("oSoooaT\noAoBooo\noooooob\n#AOa\n#BXb\n#BX-a").controls()
    controls.hover((1, 1))
    assert controls.tip == "Soft switch A toggles bridge a (now off)."
    assert controls.marks()["linked"] == ((0, 5),)
    controls.hover((1, 3))
    assert controls.tip == "Heavy switch B turns off bridge a (now off), toggles bridge b (now off)."
    assert set(controls.marks()["linked"]) == {(0, 5), (2, 6)}
    controls.hover((0, 5))
    assert controls.tip == "Bridge a is off; switched by A, B."
    assert [entry.symbol for entry in controls.legend()] == ["T", "A", "B"]
    controls.hover(None)
    assert controls.tip == ""


def test_tiles_are_described_while_the_pointer_is_on_them():
    controls = gw.Bloxorz.level("level03").controls()
    rows = controls.game.text.splitlines()
    for sign, words in ((".", "Light tile: it breaks under a standing block"), ("T", "Target: the block must stand")):
        ((row, col),) = [(r, c) for r, line in enumerate(rows) for c, one in enumerate(line) if one == sign]
        controls.hover((row, col))
        assert controls.tip.startswith(words)
    controls.hover(controls.game.start)
    assert controls.tip == ""


@pytest.mark.parametrize("back", ["redo", "undo"])
def test_repeating_the_solution_of_the_engine_after_a_restart_records_nothing(back, monkeypatch):
    recorded = []
    monkeypatch.setattr("gridwright.controls.protocol.record", lambda *arguments: recorded.append(arguments))
    controls = gw.Bloxorz.level("level01").controls()
    controls.finish()
    assert controls.over
    controls.restart()
    if back == "undo":
        controls.undo()
        controls.undo()
    while not controls.over:
        controls.redo()
    assert not recorded
    # A solution that the player enters after a restart is recorded.
    controls.restart()
    for key in controls.game.solve():
        controls.key(key)
    assert len(recorded) == 1


def test_tiles_turn_both_ways_and_can_be_locked():
    controls = level(gw.LightEmAll)
    game = controls.game
    start = game.text
    controls.click((0, 0))
    controls.click((0, 0), second=True)
    assert game.text == start
    controls.undo()  # takes back the counterclockwise turn, which counts as one action
    assert len(game.moves) == 1
    controls.click((0, 0), third=True)
    controls.click((0, 0))
    assert len(game.moves) == 1
    assert "locked" in controls.message
    assert controls.marks()["locked"] == ((0, 0),)
    walk(controls, (0, 0))
    controls.key("l")
    controls.key("enter")
    controls.key("c")
    assert "locked" not in controls.marks()
    assert game.moves.tolist() == [[0, 0, 0]] * 5


@pytest.mark.parametrize(
    ("text", "clicks", "optimum", "motion"),
    [
        # The last tile must make a half turn: the second clockwise move of the click wins.
        ("2 2\n88\nc9\nstation 0 0", [(0, 0), (0, 1), (1, 0)], 4, ("back", 180)),
        # A tile with one wire, which must point left, on squares and on hexagons.
        ("1 2\n21\nstation 0 0", [(0, 1)], 1, ("back", 90)),
        ("1 2\n24\nstation 0 0", [(0, 1)], 1, ("turn", 90)),
        ("1 2 hex\n0220\nstation 0 0", [(0, 1)], 1, ("back", 60)),
        ("1 2 hex\n0201\nstation 0 0", [(0, 1)], 2, ("back", 120)),
        ("1 2 hex\n0202\nstation 0 0", [(0, 1)], 3, ("back", 180)),
        ("1 2 hex\n0204\nstation 0 0", [(0, 1)], 2, ("turn", 120)),
        ("1 2 hex\n0208\nstation 0 0", [(0, 1)], 1, ("turn", 60)),
    ],
)
def test_a_counterclockwise_click_that_wins_on_the_way_counts_and_shows_the_turns_to_the_solution(
    text, clicks, optimum, motion
):
    controls = gw.LightEmAll(text).controls()
    for cell in clicks:
        assert not controls.over
        controls.click(cell, second=True)
    assert controls.over
    assert (controls.motion.kind, controls.motion.angle) == motion
    assert controls.scores[0] == Score("moves", optimum)
    assert controls.optimum == optimum
    controls.undo()
    assert not controls.over
    assert controls.scores[0] == Score("moves", len(clicks) - 1)


def test_actions_of_several_moves_stay_together_after_moves_from_elsewhere():
    controls = gw.LightEmAll("3 3\n555\n555\n555\nstation 0 0").controls()
    game = controls.game
    controls.click((1, 1), second=True)
    game.rotate((0, 0))
    assert controls.look()
    assert controls.scores[0] == Score("moves", 2)
    controls.click((2, 2), second=True)
    game.undo()
    controls.look()
    controls.redo()
    assert controls.scores[0] == Score("moves", 3)
    controls.undo()
    assert len(game.moves) == 4
    controls.undo()
    controls.undo()
    assert len(game.moves) == 0
    # Moves from elsewhere that replace those of an action do not belong together.
    game.rotate((2, 1))
    game.rotate((1, 1))
    game.rotate((1, 1))
    controls.look()
    assert controls.scores[0] == Score("moves", 3)
    controls.undo()
    assert len(game.moves) == 2


@pytest.mark.parametrize("options", [{}, {"hexagonal": True}, {"limited_radius": True}, {"wrap": True}])
def test_par_is_the_move_count_of_the_answer_that_finish_plays(options):
    for seed in range(5):
        game = gw.LightEmAll.generate(5, 5, seed=seed, **options)
        controls = game.controls()
        par = controls.par
        controls.finish()
        assert controls.over
        assert controls.scores[0].value == par
        # A counterclockwise turn counts as one turn, so each tile is turned in the shorter direction.
        start = game.copy()
        start.reset()
        sides = 6 if options.get("hexagonal") else 4
        if not options.get("limited_radius"):
            assert par == sum(min(int(n), sides - int(n)) for n in np.ravel(abs(start.solve("turns").astype(int))))


def test_par_of_a_board_with_a_limited_radius_is_the_length_of_the_solution_and_not_called_the_optimum():
    # The solution of this board takes 4 moves, but one turn wins.
    controls = gw.LightEmAll("2 2 wrap radius=2\n38\n92\nstation 0 0").controls()
    assert len(controls.game.solution()) == 4
    controls.click((0, 0))
    assert controls.message == "You won in 1 move."
    assert (controls.par, controls.optimum) == (4, None)
    assert controls.scores[-1] == Score("par", 4)
    # Hints win this board in 6 moves, but 5 suffice.
    controls = gw.LightEmAll("1 4 hex radius=2\n04240908\nstation 0 0").controls()
    while not controls.over:
        controls.hint()
    assert controls.message == "You won in 6 moves."
    assert controls.par == 6
    controls = level(gw.LightEmAll, "level05")
    while not controls.over:
        controls.hint()
    assert controls.message.endswith(" moves. Enter starts level06.")
    assert solved.solved("lightemall")["level05"] == (None, None)


def test_the_station_is_dragged_and_stays_on_the_board():
    controls = gw.LightEmAll("2 4\n2aa8\n2aa8\nstation 0 0").controls()
    controls.drag([(0, 0), (0, 1), (0.2, 1.9), (0, 3)])
    assert controls.game.station == (0, 3)
    controls.key("right")
    assert controls.message == "The station is at the edge of the board."
    assert controls.cursor is None
    controls.key("left")
    assert controls.game.station == (0, 2)


def test_a_drag_of_the_station_over_several_tiles_is_undone_as_a_whole_and_counts_each_move():
    controls = gw.LightEmAll("2 5\n2aaa8\n2aaa8\nstation 0 0").controls()
    controls.click((1, 0), second=True)
    controls.drag([(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)])
    assert controls.scores[0] == Score("moves", 5)
    controls.undo()
    assert controls.game.station == (0, 0)
    assert controls.scores[0] == Score("moves", 1)
    controls.redo()
    assert controls.game.station == (0, 4)
    assert controls.scores[0] == Score("moves", 5)


def test_the_keys_of_a_hexagonal_board_are_listed():
    game = gw.LightEmAll.generate(4, 4, hexagonal=True, seed=1)
    controls = game.controls()
    assert {key: controls.keys[key] for key in "wedxza"}["w"] == "move the station upper left"


def test_undo_takes_back_a_losing_move():
    game = gw.GeeseSpotter("1 3 1\n21 29 21")
    controls = game.controls()
    controls.click((0, 1))
    assert controls.message == "A goose! Undo takes the show back."
    controls.click((0, 0))
    assert controls.message == "A goose! Undo takes the show back. The game is over."
    controls.undo()
    assert controls.message == ""
    assert [str(score) for score in controls.scores] == ["steps 0", "geese left 1", "taken back 1"]


def test_the_message_about_a_loss_offers_undo_only_if_a_move_can_be_taken_back():
    controls = gw.GeeseSpotter("1 3 1\n01 09 21").controls()
    assert controls.message == "A goose!"
    controls.undo()
    assert controls.message == "A goose! There is nothing to undo."
    # Here, undo would return to another puzzle.
    controls = level(gw.GeeseSpotter)
    controls._start(gw.GeeseSpotter("1 3 1\n01 09 21"), Puzzle())
    assert controls.can_undo
    assert controls._verdict() == "A goose!"
    # The default sentence for games that can be lost.
    assert Controls._lost(controls) == "You lost."
    controls = gw.GeeseSpotter("1 3 1\n21 29 21").controls()
    controls.click((0, 1))
    assert Controls._lost(controls) == "You lost. Undo takes the last move back."


@pytest.mark.parametrize("text", ["1 2 2\n29 29", "1 1 1\n29", "2 2 4\n29 29\n29 29"])
def test_a_board_full_of_geese_is_solved_by_a_mark(text):
    game = gw.GeeseSpotter(text)
    controls = game.controls()
    assert controls.solve()
    assert controls.step()
    assert game.moves.tolist() == [[1, 0, 0]]
    assert controls.message == "You won in 0 steps."
    controls.restart()
    assert controls.finish()
    assert game.is_solved
    controls.restart()
    controls.hint()
    controls.hint()
    assert game.is_solved
    assert controls.message == "You won in 0 steps."


def test_a_click_on_a_satisfied_number_shows_its_neighbors():
    game = gw.GeeseSpotter("3 3 1\n29 21 20\n21 21 20\n20 20 20")
    controls = game.controls()
    controls.click((1, 1))
    controls.click((1, 1))
    assert controls.message == "This 1 needs 1 mark around it before its other neighbors are shown, and has 0."
    controls.click((0, 0), second=True)
    controls.click((1, 1))
    assert game.status == gw.Status.WON
    controls.undo()
    assert int((game.board & 32 != 0).sum()) == 8
    controls = gw.GeeseSpotter("3 4 8\n29 29 29 22\n29 08 29 23\n29 29 29 22").controls()
    controls.click((1, 1))
    assert controls.message == "This 8 needs 8 marks around it before its other neighbors are shown, and has 0."


def test_too_many_marks_around_a_number_are_reported():
    controls = gw.GeeseSpotter("3 3 1\n29 21 20\n21 01 20\n20 20 20").controls()
    for cell in ((0, 0), (0, 1)):
        controls.click(cell, True)
    assert not controls.click((1, 1))
    assert controls.message == "This 1 has 2 marks around it: take the wrong ones off first."


def test_chances_are_shown_on_demand():
    controls = gw.GeeseSpotter("1 4 1\n20 01 29 01").controls()
    assert controls.labels() == {}
    controls.key("c")
    assert controls.labels() == {(0, 0): "0", (0, 2): "100"}
    assert controls.describe((0, 2)) == "row 0, column 2: hidden, 100 percent"


def test_a_line_is_previewed_before_it_is_drawn():
    controls = games.alone(gw.LinearDomination.empty(5, 2))
    controls.click((0, 0))
    controls.hover((0, 4))
    row = tuple((0, col) for col in range(5))
    assert controls.marks()["preview"] == controls.marks()["aim"] == row
    assert controls.tip == "Takes 5 empty cells: gains 5 cells on the opponent."
    controls.key("escape")
    assert "preview" not in controls.marks()
    # The preview is also shown while the line is dragged.
    assert controls.hover((0, 4), (0, 0))
    assert controls.marks()["preview"] == row
    controls.drag([(0, 0), (0, 4)])
    assert "preview" not in controls.marks()
    controls.click((0, 4))
    controls.hover((0, 0))
    why = "it shares its midpoint with the line from (0, 0) to (0, 4)"
    assert controls.tip == f"Not allowed: {why}."
    assert controls.marks()["clash"] == row
    controls.click((0, 0))
    assert controls.message == f"This line is not allowed: {why}."
    assert controls.marks()["clash"] == row
    assert len(controls.game.plays) == 1
    controls.drag([(4, 2), (1, 2)])
    assert controls.message == "This line is not allowed: it is perpendicular to the line from (0, 0) to (0, 4)."
    # A cell that a line takes from the other player counts twice.
    controls.click((0, 3))
    controls.hover((1, 4))
    assert controls.tip == "Takes 1 empty cell and 1 cell of X: gains 3 cells on the opponent."
    # No allowed head is in column 3: a vertical line from (0, 3) would be perpendicular to the first line.
    legal = {(row, col) for row, col in np.ndindex(5, 5) if controls.game.is_legal(0, 3, row, col)}
    assert set(controls.marks()["choices"]) == legal
    assert not {(row, 3) for row in range(5)} & legal


def test_no_drag_begins_after_the_end(kind):
    controls = level(kind)
    if not hasattr(controls.game, "solution"):
        pytest.skip("no solution that ends the game")
    controls.finish()
    assert controls.over
    assert controls.handles() == ()


def test_no_line_is_previewed_after_the_end():
    game = gw.LinearDomination.empty(8, 3)
    controls = games.alone(game)
    controls.choose("plies", "10")
    for seed in range(10):
        assert len(controls.handles()) == 64
        row, col, *head = game.sample_legal(seed)
        controls.drag([(row, col), head])
    assert controls.over
    row, col, *head = game.sample_legal(1)
    assert not controls.hover(tuple(head), (row, col))
    assert "preview" not in controls.marks()
    assert controls.tip == ""
    assert controls.handles() == ()
    # With more plays agreed on, the game goes on.
    controls.choose("plies", "20")
    controls.hover(tuple(head), (row, col))
    assert controls.tip.startswith("Takes ")


@pytest.mark.parametrize("rules", ["document", "standard", "uccs2023"])
@pytest.mark.parametrize("lookback", [0, 2])
def test_two_clicks_draw_each_legal_line_and_no_other(rules, lookback):
    start = gw.LinearDomination.empty(3, lookback, rules=rules)
    further = start.copy()
    further.play(0, 0, 1, 2)
    for game in (start, further):
        controls = games.alone(game.copy())
        for tail in np.ndindex(3, 3):
            for head in np.ndindex(3, 3):
                legal = game.is_legal(*tail, *head)
                controls.click(tail)
                assert (head in controls.marks().get("choices", ())) == legal
                if controls.selected is None:
                    assert not legal
                    continue
                controls.hover(head)
                line = tuple(map(tuple, trace(tail, head).tolist()))
                assert controls.marks().get("preview") == (line if legal or tail != head else None)
                assert controls.tip.startswith("Takes " if legal else "Not allowed: " if tail != head else "")
                controls.click(head)
                assert controls.selected is None
                played = controls.game.moves[len(game.moves) :].tolist()
                assert played == ([[*tail, *head]] if legal else [])
                if legal:
                    controls.undo()


def test_a_drag_back_to_the_tail_draws_nothing():
    controls = games.alone(gw.LinearDomination.empty(3, 2, rules="document"))
    controls.hover((1, 1), (1, 1))
    assert "preview" not in controls.marks()
    assert not controls.drag([(1, 1), (1, 2), (1, 1)])
    assert len(controls.game.moves) == 0


def test_the_end_of_a_linear_domination_game_is_explained():
    controls = level(gw.LinearDomination, "level01")
    while not controls.over:
        controls.hint()
        line = controls.marks()["line"]
        assert (line[0], line[-1]) == controls.marks()["hint"]
        controls.hint()
    assert controls.message.startswith("No legal line is left: ")
    assert [score.name for score in controls.scores] == ["plays", "X", "O", "hints"]
    short = games.alone(gw.LinearDomination.empty(6, 2))
    short.choose("plies", "10")
    short.finish()
    assert short.message.startswith("All agreed plays have been made: ")
    assert not any(score.name == "plays left" for score in short.scores)


def test_the_message_about_the_end_stays_until_undo(kind):
    controls = level(kind)
    controls.finish()
    message = controls.message
    height, width = controls.game.shape
    for cell in [(0, 0), (height - 1, width - 1)]:
        for more in ({}, {"second": True}, {"third": True}):
            controls.click(cell, **more)
            assert controls.message.startswith(message)
    for key in controls.keys:
        if key not in ("enter", "space", "backspace", "ctrl+z"):
            controls.key(key)
            assert controls.message.startswith(message), key
    controls.undo()
    assert not controls.message.startswith(message)


def test_a_click_after_the_end_adds_only_that_the_game_is_over():
    photon = gw.MyPhoton.level("level01").controls()
    photon.finish()
    piece = photon.game.hardware[0].tolist()
    geese = gw.GeeseSpotter("1 4 1\n21 29 21 20").controls()
    geese.click((0, 3), True)
    geese.click((0, 1))
    tiles = gw.LightEmAll.level("level01").controls()
    tiles.click((0, 0), third=True)
    tiles.finish()
    clicks = [(photon, piece, False), (geese, (0, 3), False), (geese, (0, 1), True), (tiles, (0, 0), False)]
    for controls, cell, second in clicks:
        end = controls.message.removesuffix(" The game is over.")
        assert controls.over
        assert not controls.click(cell, second)
        assert controls.message == f"{end} The game is over."


def test_a_win_on_a_board_too_large_for_min_shows_reports_no_optimum():
    game = gw.GeeseSpotter.generate(80, 80, 80, seed=1)
    with pytest.raises(gw.SearchLimitError):
        _ = game.min_shows
    controls = game.controls()
    for cell in np.argwhere(game.secret & 0x0F != 9).tolist():
        if game.hidden[tuple(cell)]:
            controls.click(tuple(cell))
    shows = len(game.moves)
    assert controls.message == f"You won in {shows:,} steps."
    assert controls.optimum is None
    assert controls.scores == [Score("steps", shows)]


def test_par_of_a_partly_open_board_counts_the_hidden_fields():
    # With all fields hidden, a third show would open the zeros in the last column.
    game = gw.GeeseSpotter("3 3 1 flood\n21 01 00\n29 01 00\n21 01 00\n")
    controls = game.controls()
    assert (game.min_shows, game.editor().facts().shortest) == (3, 2)
    assert controls.click((0, 0))
    assert controls.click((2, 0))
    assert controls.message == "You won in 2 steps; 2 are enough if the geese are known."
    assert controls.optimum == 2


def opened(game: gw.GeeseSpotter, cell: tuple[int, int]) -> int:
    """Returns the number of fields that showing a field opens."""
    after = game.copy()
    after.show(cell)
    return int(game.hidden.sum() - after.hidden.sum())


def test_no_packaged_board_of_geese_can_be_won_in_fewer_shows_than_par():
    for name in gw.GeeseSpotter.levels():
        game = gw.GeeseSpotter.level(name)
        controls, shows = game.controls(), 0
        while not game.is_solved:
            safe = map(tuple, np.argwhere(game.hidden & (game.secret & 15 != 9)).tolist())
            controls.click(max(safe, key=functools.partial(opened, game)))
            shows += 1
        assert shows >= controls.optimum


def test_back_names_the_puzzle_to_which_undo_returns():
    controls = gw.Bloxorz.level("level01").controls()
    assert controls.back == ""
    controls.level("level02")
    assert controls.back == "Bloxorz level01"
    controls.key("right")
    assert controls.back == ""


def test_symbols_of_fields_are_explained():
    controls = gw.GeeseSpotter("3 3 1\n29 21 20\n21 21 20\n20 20 20").controls()
    controls.click((2, 2))
    entries = {entry.symbol: entry for entry in controls.legend()}
    assert entries["*"].cells == ((0, 0),)
    assert entries["1"].cells == ((1, 1),)
    assert entries["·"].cells == ((1, 2),)
    assert "no neighbor holds a goose" in entries["·"].words
    controls.click((2, 2))
    assert controls.message == "Nothing is hidden around this field."


@pytest.mark.parametrize("opponent", ["random", "greedy", "minimax"])
def test_a_game_for_two_has_an_opponent_and_an_end(opponent):
    controls = gw.LinearDomination.empty(6, 2).controls()
    settings = {one.name: one for one in controls.settings}
    assert settings["opponent"].value == "greedy"  # the default opponent is a program
    controls.choose("plies", "10")
    controls.choose("opponent", opponent)
    while not controls.over:
        turn = controls.game.to_move.name
        assert turn == "X"
        play(controls, tuple(int(part) for part in controls.game.sample_legal(len(controls.game.moves))))
    assert len(controls.game.plays) == 10
    more, less = sorted(controls.game.counts, reverse=True)
    assert f"{more} to {less}" in controls.message
    controls.undo()  # takes back the player's line and the opponent's reply
    assert len(controls.game.plays) == 8
    controls.choose("komi", "15")
    assert Score("komi", 15) in controls.scores


def test_two_people_play_on_one_board():
    controls = gw.LinearDomination.level("corners").controls()
    while {one.name: one.value for one in controls.settings}["opponent"] != "person":
        controls.key("o")
    assert controls.message == "The opponent is a second person."
    before = len(controls.game.plays)
    for seed in range(4):
        turn = controls.game.to_move
        play(controls, tuple(int(part) for part in controls.game.sample_legal(seed)))
        assert controls.game.to_move != turn
    assert len(controls.game.plays) == before + 4


def setting(controls: Controls, name: str) -> str:
    return {one.name: one.value for one in controls.settings}[name]


def draw(controls: Controls, player: str = "greedy") -> None:
    """Draws the line that a player suggests."""
    play(controls, tuple(int(part) for part in controls.game.suggest(player)))


def test_an_answer_against_an_opponent_stops_only_on_the_turn_of_the_player():
    controls = gw.LinearDomination.generate(5, 4, 4, 1).controls()
    assert (setting(controls, "side"), setting(controls, "opponent")) == ("X", "greedy")
    controls.solve()
    for plays in (2, 4):
        controls.step()
        assert len(controls.game.moves) == plays
        assert controls.game.to_move.name == "X"
    controls.solve()
    assert not controls.solving
    # Unlimited plays: the answer ends after 100 plays, and the game goes on with the player's turn.
    controls.choose("plies", "no limit")
    controls.finish()
    assert controls.over or controls.game.to_move.name == "X"


def test_redo_goes_on_to_the_turn_of_the_player():
    controls = gw.LinearDomination.generate(5, 4, 4, 1).controls()
    controls.finish()
    plays, message = controls.game.moves.tolist(), controls.message
    assert len(plays) == 20
    for steps in (1, 3, 10):
        for _ in range(steps):
            controls.undo()
            assert controls.game.to_move.name == "X"
        assert len(controls.game.moves) == 20 - 2 * steps
        for _ in range(steps):
            controls.redo()
        assert controls.game.moves.tolist() == plays
        assert controls.message == message
    # A person's play, and the opponent's reply after a change of settings, are repeated together, too.
    controls = games.alone(gw.LinearDomination.generate(5, 4, 4, 1))
    draw(controls)
    controls.choose("opponent", "greedy")
    played = controls.game.moves.tolist()
    assert len(played) == 2
    controls.undo()
    assert len(controls.game.moves) == 0
    controls.redo()
    assert controls.game.moves.tolist() == played
    # If the reply was never made, the opponent makes it now.
    controls = games.alone(gw.LinearDomination.generate(5, 4, 4, 1))
    draw(controls)
    controls.undo()
    controls.choose("opponent", "greedy")
    controls.redo()
    assert controls.game.moves.tolist() == played


def test_undo_restores_the_side_and_the_opponent_of_a_puzzle():
    controls = gw.LinearDomination.generate(5, 4, 4, 1).controls()
    for name in ("first_lines", "level01"):
        controls.level(name)
        there = setting(controls, "side"), setting(controls, "opponent")
        controls.undo()
        assert (setting(controls, "side"), setting(controls, "opponent")) == ("X", "greedy")
        assert controls.game.to_move.name == "X"
        controls.redo()
        assert (setting(controls, "side"), setting(controls, "opponent")) == there
        controls.undo()
    # `undo` returns to an ended puzzle; if it goes on because more plays have been agreed, the opponent plays.
    controls = gw.LinearDomination.empty(5, 4).controls()
    controls.choose("side", "O")
    controls.choose("plies", "10")
    controls.finish()
    assert controls.over
    controls.new(1)
    controls.choose("plies", "20")
    controls.undo()
    assert (len(controls.game.moves), controls.game.to_move.name) == (11, "O")


def test_a_chosen_side_survives_an_endgame_level():
    controls = gw.LinearDomination.generate(5, 4, 4, 1).controls()
    controls.choose("side", "O")
    controls.level("level01")
    assert setting(controls, "side") == "X"
    controls.new(3)
    assert setting(controls, "side") == "O"
    assert controls.game.to_move.name == "O"


def test_a_setting_changed_after_the_end_records_nothing():
    controls = gw.LinearDomination.level("corners").controls()
    controls.choose("plies", "10")
    while not controls.over:
        draw(controls)
    assert controls.status == gw.Status.LOST
    controls.choose("opponent", "person")
    assert controls.status == gw.Status.WON
    controls.undo()
    controls.redo()
    assert controls.status == gw.Status.WON
    assert solved.solved("domination") == {}


def test_a_new_setting_repeats_the_message_about_the_end_once():
    controls = gw.LinearDomination.generate(5, 4, 4, 1).controls()
    controls.choose("plies", "10")
    controls.finish()
    message = controls.message
    assert message.startswith("All agreed plays have been made: ")
    controls.choose("opponent", "random")
    assert controls.message == message
    controls.key("o")
    assert controls.message == message
    controls.choose("komi", "15")
    assert controls.message.count("All agreed plays have been made") == 1
    assert controls.message.endswith(" with a komi of 15.")
    # A setting that continues the game clears the message; one that ends the game brings it back.
    controls.choose("plies", "20")
    assert controls.message == ""
    controls.finish()
    controls.choose("plies", "no limit")
    controls.choose("plies", "10")
    assert controls.message.startswith("All agreed plays have been made: ")
    controls.undo()
    assert controls.message.startswith("All agreed plays have been made: ")


def test_a_solution_played_for_o_ends_with_the_result_of_o():
    for name, won in (("corners", False), ("crowd", True)):
        controls = gw.LinearDomination.level(name).controls()
        if setting(controls, "side") != "O":
            controls.choose("side", "O")
        controls.finish()
        assert controls.status == (gw.Status.WON if won else gw.Status.LOST)
        assert (f" Enter starts {controls.following}." in controls.message) is won
        assert (controls.upcoming is not None) is won


def test_undo_of_a_restart_brings_back_the_end_of_a_game_against_an_opponent():
    controls = gw.LinearDomination.level("level01").controls()
    while not controls.over:
        controls.hint()
    plays, message = controls.game.moves.tolist(), controls.message
    assert len(plays) == 3
    controls.restart()
    assert controls.message == ""
    controls.undo()
    assert controls.over
    assert (controls.game.moves.tolist(), controls.message) == (plays, message)


def test_a_reply_after_a_restart_leaves_nothing_to_bring_back():
    controls = gw.LinearDomination.generate(5, 4, 4, 1).controls()
    draw(controls)
    controls.restart()
    assert controls.can_undo
    controls.choose("side", "O")
    assert len(controls.game.moves) == 1
    assert not controls.can_undo
    assert not controls.undo()
    assert controls.message == "There is nothing to undo."


def test_a_puzzle_that_is_over_at_its_start_says_so():
    controls = gw.LinearDomination("2 3\n").controls()
    controls.new(5)
    assert controls.over
    assert controls.message.startswith("No legal line is left: ")
    tile = gw.LightEmAll.generate(1, 1, seed=1).controls()
    tile.new(2)
    assert tile.over
    assert tile.message.startswith("You won in 0 moves")


def test_a_game_that_is_over_when_it_is_opened_says_so():
    game = gw.Bloxorz.level("level01")
    game.play("rrdrrrd")
    assert game.controls().message == "You won in 7 rolls: it cannot be done in fewer. Enter starts level02."
    lost = gw.GeeseSpotter("1 2 1\n29 21")
    lost.show((0, 0))
    assert lost.controls().message == "A goose! Undo takes the show back."
    assert gw.Bloxorz.level("level01").controls().message == ""


def test_undo_redo_and_hints_drop_a_selection():
    controls = gw.MyPhoton.level("cycle").controls()
    tail, head = (2, 3), (1, 1)
    controls.click(tail)
    controls.click(head)
    moved = controls.game.moves.tolist()
    assert len(moved) == 1
    for back in (controls.undo, controls.redo):
        piece = next(tuple(cell) for cell in controls.game.hardware.tolist())
        controls.click(piece)
        assert controls.selected == piece
        assert back()
        assert controls.selected is None
    controls.undo()
    controls.click(tail)
    controls.hint()
    controls.hint()
    assert len(controls.game.moves) == 1
    assert controls.selected is None


def test_a_move_replaces_the_puzzles_that_undo_left():
    controls = gw.Bloxorz.level("level01").controls()
    controls.level("level02")
    controls.undo()
    assert controls.can_redo
    controls.key("right")
    assert not controls.can_redo
    controls.redo()
    assert controls.name == "level01"
    assert controls.message == "There is nothing to redo."


def test_redo_repeats_what_undo_took_back_last_across_puzzles():
    controls = gw.Bloxorz.level("level01").controls()

    def state() -> tuple[str, int]:
        return controls.name, len(controls.game.moves)

    controls.key("right")
    controls.undo()
    controls.level("level02")
    controls.undo()
    controls.redo()
    assert state() == ("level02", 0)
    # Moves of all puzzles are taken back and repeated in order, whatever had been undone before a puzzle was left.
    controls.undo()
    for name in ("level02", "level03", "level04"):
        controls.key("right")
        controls.key("down")
        controls.undo()
        controls.level(name)
    seen = [state()]
    while controls.can_undo:
        controls.undo()
        seen.append(state())
    assert len(seen) == 7
    for expected in reversed(seen[:-1]):
        controls.redo()
        assert state() == expected
    assert not controls.can_redo
    # The moves that a restart took back do not get in the way either.
    controls.undo()
    controls.restart()
    controls.level("level05")
    controls.undo()
    assert state() == ("level03", 0)
    controls.undo()
    assert state() == ("level03", 1)
    controls.undo()
    controls.redo()
    assert state() == ("level03", 1)
    controls.redo()
    assert state() == ("level05", 0)


def test_an_interrupt_leaves_no_drag_behind(monkeypatch):
    controls = gw.LinearDomination.level("empty").controls()

    def interrupt(*_):
        raise KeyboardInterrupt

    def check(act, name):
        with monkeypatch.context() as patch:
            patch.setattr(name, interrupt)
            with pytest.raises(KeyboardInterrupt):
                act()

    controls.hover((1, 1))
    check(lambda: controls.hover((0, 4), (0, 0)), "gridwright.domination._crossed")
    assert (controls.hovered, controls.grabbed) == ((1, 1), None)
    for act in (lambda: controls.click((0, 0)), lambda: controls.drag([(0, 0), (0, 4)])):
        assert controls.hover((0, 4), (0, 0))
        check(act, "gridwright.controls.Controls._mark")
        assert controls.grabbed is None
        assert "preview" not in controls.marks()


def test_a_click_ends_a_drag():
    controls = gw.LinearDomination.level("empty").controls()
    controls.hover((0, 0), (0, 0))
    controls.click((0, 0))
    controls.click((0, 0))
    controls.focus()
    controls.move_cursor(1, 2)
    assert (controls.selected, controls.grabbed, controls.tip) == (None, None, "")
    assert "preview" not in controls.marks()


def test_an_answer_is_dropped_if_the_game_is_played_elsewhere(kind):
    controls = level(kind)
    controls.solve()
    controls.game.play(*controls.game.sample_legal(1))
    played = len(controls.game.moves)
    assert not controls.step()
    assert not controls.solving
    assert len(controls.game.moves) == played
    assert not controls._puzzle.assisted
    # `finish` searches for an answer again.
    controls.restart()
    controls.solve()
    controls.game.play(*controls.game.sample_legal(1))
    controls.finish()
    assert controls.over or "no solution" in controls.message


def test_the_person_plays_the_side_to_move_by_default():
    for name in gw.LinearDomination.levels():
        game = gw.LinearDomination.level(name)
        controls = game.controls()
        assert {one.name: one.value for one in controls.settings}["side"] == game.to_move.name
        assert len(game.moves) == 0


def test_the_opponent_plays_first_if_the_person_plays_o():
    controls = gw.LinearDomination.empty(6, 2).controls()
    controls.choose("side", "O")
    controls.choose("opponent", "greedy")
    assert len(controls.game.plays) == 1
    assert controls.game.to_move.name == "O"


def test_undo_and_restart_keep_the_opening_of_the_opponent():
    controls = gw.LinearDomination.empty(6, 2).controls()
    controls.choose("opponent", "greedy")
    controls.choose("side", "O")
    opening = controls.game.moves.tolist()
    assert not controls.can_undo
    assert not controls.undo()
    play(controls, tuple(int(part) for part in controls.game.sample_legal(1)))
    played = controls.game.moves.tolist()
    assert len(played) == 3
    for back in (controls.undo, controls.restart):
        assert back()
        assert controls.game.moves.tolist() == opening
        assert controls.game.to_move.name == "O"
        again = controls.redo if back == controls.undo else controls.undo
        assert again()
        assert controls.game.moves.tolist() == played
    # Undo at the start of a new puzzle returns to the old puzzle.
    controls.new(seed=1)
    assert (len(controls.game.moves), controls.can_undo, controls.back != "") == (1, True, True)
    controls.undo()
    assert controls.game.moves.tolist() == played
    # After a change of sides, the opponent plays; undo takes back this play together with the play before it.
    controls.choose("side", "X")
    assert len(controls.game.moves) == 4
    controls.undo()
    assert controls.game.to_move.name == "X"


def test_the_player_wins_only_if_the_side_of_the_player_owns_more_cells():
    for side in ("O", "X"):
        controls = gw.LinearDomination.level("level01").controls()
        controls.choose("side", side)
        while not controls.over:
            move = controls.game.suggest("greedy")
            play(controls, tuple(int(part) for part in move))
        x, o = controls.game.counts
        assert x > o
        assert controls.status == (gw.Status.WON if side == "X" else gw.Status.LOST)
        assert f"X wins, {x} to {o}" in controls.message
        assert {one.name: one.solved for one in controls.levels}["level01"] == (side == "X")


def test_lit_sensors_are_counted_and_pieces_can_be_dragged():
    controls = level(gw.MyPhoton)
    game = controls.game
    move = game.solution()[0].tolist()
    controls.drag([move[:2], move[2:]] if game.can_select(move[:2]) else [move[2:], move[:2]])
    assert controls.over
    assert Score("sensors lit", 1, 1) in controls.scores
    empty = gw.MyPhoton.level("simple-mirror").controls()
    for ask in (empty.hint, empty.solve, empty.finish):
        ask()
        assert empty.message == "This world has no sensors: there is nothing to solve."


def test_the_keyboard_alone_plays_every_game_to_its_end(kind):
    controls = level(kind)
    for move in controls._answer(controls.game, lambda _: None):
        keys = games.keys(controls.game, move)
        for name in keys:
            assert controls.key(name)
        for _, cell, second in [] if keys else games.pointer(controls.game, move):
            walk(controls, cell)
            assert controls.key("shift+enter" if second else "enter")
    assert controls.over


def test_the_cursor_stops_at_the_edge(kind):
    controls = level(kind)
    controls.key("shift+up")
    for _ in range(50):
        controls.key("shift+up")
        controls.key("shift+left")
    assert controls.cursor == (0, 0)
    assert controls.news.startswith("row 0, column 0: ")
    assert len(controls.game.moves) == 0


def test_every_cell_can_be_described(kind):
    for game in starts(kind)[:8]:
        controls = game.controls()
        for row in range(game.height):
            for col in range(game.width):
                assert controls.describe((row, col)).startswith(f"row {row}, column {col}: ")
        assert controls.legend()
        assert controls.help()
        assert all(controls.keys.values())


def test_invalid_arguments_raise_errors_and_change_nothing(kind):
    controls = level(kind)
    before = controls.game.copy()
    height, width = before.shape
    for take in (controls.click, controls.describe):
        for cell in ((height, 0), (0, width), (-1, 0)):
            with pytest.raises(ValueError, match="cell must be a cell of the"):
                take(cell)
        with pytest.raises(ValueError, match=r"cell must be a cell \(row, col\), got \(0, 0, 0\)"):
            take((0, 0, 0))
        for cell in (3, ("a", 0), (0.5, 0), None):
            with pytest.raises(TypeError, match=r"cell must be a cell \(row, col\)"):
                take(cell)
    with pytest.raises(gw.LevelError):
        controls.level("nowhere")
    with pytest.raises(ValueError, match="name must be .*, got 'weather'"):
        controls.choose("weather", "fine")
    with pytest.raises(ValueError, match="difficulty must be .*, got 'odd'"):
        controls.new(1, difficulty="odd")
    assert not controls.key("F5")
    assert controls.game == before


def test_typed_seeds_must_be_whole_numbers_below_2_to_the_64(kind):
    controls = level(kind)
    for typed in ("abc", "-1", "1.5", str(2**64), "1_0", "²"):
        controls.new(typed)
        assert controls.message.startswith("The seed must be a whole number from 0 to 2^64 - 1, got")
        assert controls.name
    assert controls.new("0" * 30 + "5")
    assert controls.seed == 5
    text = controls.game.text
    controls.new(6)
    controls.new(5)
    assert controls.game.text == text


def test_all_callers_of_controls_share_one_object(kind):
    game = starts(kind)[0]
    controls = games.alone(game)
    assert game.controls() is controls
    assert game.copy().controls() is not controls
    calls = []
    unsubscribe = controls.subscribe(lambda: calls.append(len(game.moves)))
    play(controls, tuple(int(part) for part in game.sample_legal(1)))
    assert calls[-1] == 1
    unsubscribe()
    controls.undo()
    assert calls[-1] == 1
    game.play(*game.sample_legal(2))
    assert controls.look()
    assert not controls.look()


def test_controls_need_no_widget_thread_or_file():
    code = (
        "import sys, os, threading; os.environ['GRIDWRIGHT_SOLVED'] = ''\n"
        "import gridwright as gw\n"
        "for kind in gw.GAMES.values():\n"
        "    c = kind.level(kind.levels()[0]).controls(); c.next_level(); c.hint(); c.hint(); c.finish(); c.scores\n"
        "foreign = {'anywidget', 'IPython', 'platformdirs', 'gridwright.play', 'gridwright.draw'}\n"
        "print(sorted(foreign & set(sys.modules)), threading.active_count())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[] 1\n"


def test_levels_are_listed_in_order_of_grade(kind):
    levels = kind.level(kind.levels()[0]).controls().levels
    assert len({level.name for level in levels}) == len(levels)
    assert {level.name for level in levels} <= set(kind.levels())
    grades = [GRADES.index(level.grade) for level in levels if level.grade]
    assert grades == sorted(grades)


@pytest.mark.parametrize("found", [RuntimeError("could not determine the home directory"), "~/.local/share/gridwright"])
def test_a_player_without_a_home_directory_wins_and_sees_the_result(found, tmp_path, monkeypatch):
    platformdirs = pytest.importorskip("platformdirs")

    def folder(*_: object, **__: object) -> str:
        if isinstance(found, str):
            return found
        raise found

    monkeypatch.delenv("GRIDWRIGHT_SOLVED", raising=False)
    monkeypatch.setattr(platformdirs, "user_data_dir", folder)
    monkeypatch.chdir(tmp_path)
    solved.use_storage(None)
    controls = gw.Bloxorz.level("level01").controls()
    assert not controls.levels[0].solved
    for move in controls.game.solution().tolist():
        play(controls, tuple(move))
    assert controls.message.startswith("You won in 7 rolls")
    assert controls.levels[0].best == 7
    assert not list(tmp_path.iterdir())


def everything(controls: Controls) -> tuple:
    """Returns the state of play without the time on the clock, and what else a player sees."""
    state = json.loads(controls.state)
    del state["puzzle"]["clock"]
    names = "message title scores settings solving selected cursor can_undo can_redo back running stepped"
    return state, controls.game.text, controls.marks(), *(getattr(controls, name) for name in names.split())


def test_an_action_that_is_interrupted_changes_nothing(kind, monkeypatch):
    controls = level(kind)
    controls.hint()
    notified = []
    controls.subscribe(lambda: notified.append(everything(controls)))
    original = Controls._settle

    def interrupt(self):
        # The action has done its work.
        original(self)
        raise KeyboardInterrupt

    def check(act):
        controls.focus()
        before = everything(controls)
        notified.clear()
        with monkeypatch.context() as patch:
            patch.setattr(Controls, "_settle", interrupt)
            with pytest.raises(KeyboardInterrupt):
                act()
        assert everything(controls) == before
        assert notified == [before]

    controls.new(1)
    controls.new(2)
    controls.undo()
    check(controls.undo)  # to the packaged level
    check(controls.redo)  # to the second puzzle
    for seed in (3, 4):
        move = controls.game.sample_legal(seed)
        if move is not None:
            controls.game.play(*move)
    controls.look()
    controls.undo()
    move = controls.game.sample_legal(5)
    check(lambda: play(controls, move))
    for act in (controls.undo, controls.redo, controls.restart, controls.hint, controls.solve):
        check(act)
    check(lambda: controls.new(7))
    check(lambda: controls.level(controls.levels[1].name))
    # The puzzles before and after this one are as they were left.
    while not controls.name:
        assert controls.undo()
    assert [score for score in controls.scores if score.name == "hints"] == [Score("hints", 1)]
    while controls.can_redo:
        assert controls.redo()
    assert controls.seed == 2


@pytest.mark.parametrize(
    "settings", [{"komi": "15"}, {"opponent": "random"}, {"opponent": "greedy"}, {"opponent": "person"}]
)
def test_an_endgame_counts_as_solved_only_as_it_was_set(settings, storage):
    controls = gw.LinearDomination.level("level21").controls()
    for name, value in settings.items():
        controls.choose(name, value)
    controls.hint()
    controls.hint()
    if "komi" not in settings:
        controls.choose("opponent", "minimax")  # the play against the weaker opponent stays
    while not controls.over:
        controls.hint()
    assert controls.status == gw.Status.WON
    assert solved.solved("domination") == {}
    controls.restart()
    controls.choose("komi", "0")
    while not controls.over:
        controls.hint()
    assert list(solved.solved("domination")) == ["level21"]


def test_a_level_won_after_a_change_of_sides_does_not_count_as_solved(storage):
    controls = gw.LinearDomination.level("level21").controls()
    controls.choose("side", "O")
    while len(controls.game.legal_moves()) > 6:
        controls.drag(controls.game.legal_moves().reshape(-1, 2, 2)[0].tolist())  # weak plays for O
    controls.choose("side", "X")
    while not controls.over:
        controls.hint()
    assert controls.status == gw.Status.WON
    assert solved.solved("domination") == {}
    controls.restart()
    while not controls.over:
        controls.hint()
    assert list(solved.solved("domination")) == ["level21"]


def test_the_outcome_names_the_winner_of_two_persons():
    controls = gw.LinearDomination.level("level21").controls()
    assert controls.outcome == ""
    controls.choose("opponent", "person")
    controls.finish()
    assert controls.outcome == "X wins"
    assert controls.outcome in controls.message
    controls.choose("opponent", "greedy")
    assert controls.outcome == "won"
    controls.choose("side", "O")
    assert controls.outcome == "lost"


def test_the_place_is_where_the_last_move_was_played_or_taken_back():
    controls = gw.LightEmAll.level("level03").controls()
    assert controls.place == ()
    controls.click((1, 1))
    controls.click((2, 2), second=True)
    assert controls.place == ((2, 2),)
    controls.undo()
    assert controls.place == ((2, 2),)
    controls.undo()
    assert controls.place == ((1, 1),)
    controls.level("level04")
    assert controls.place == ()
    controls = gw.Bloxorz.level("level01").controls()
    controls.key("right")
    assert controls.place == tuple(map(tuple, controls.game.block.tolist()))
