"""Tests of tasks: grading, leaks, golden digests, partial credit, reading answers, episodes, export, Reasoning Gym."""

from __future__ import annotations

import hashlib
import json
import pickle
import random
import re
from fractions import Fraction

import gridwright as gw
import numpy as np
import pytest
import task_attempts
from conftest import IN_TAB, needs
from gridwright import tasks
from gridwright.tasks import answers, episodes, fields, light, lines

NAMES = tasks.names()
HARDEST = {"swap": 4, "turns": 3, "best_play": 2, "endgame": 1}
"""Maps a kind to the hardest grade whose tasks are quick to make and to solve without the package.

The tests use 3 for all other kinds.
"""


@pytest.mark.parametrize("name", NAMES)
def test_right_answers_are_accepted_and_wrong_ones_refused(name):
    # `python tests/python/task_attempts.py 10000` checks more answers.
    accepted, refused = task_attempts.run(name, 60 if IN_TAB else 240, seed=1000, each=30, hardest=HARDEST.get(name, 3))
    assert not accepted
    assert not refused


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("grade", [1, 3, 5])
def test_the_solution_is_right_and_an_empty_answer_earns_no_credit(name, grade):
    if grade == 5 and IN_TAB:
        pytest.skip("the hardest tasks take too long in a browser tab")
    task = tasks.make(name, 7, grade)
    assert task.check(f"Answer: {task.solution}") == tasks.Score(1.0, "Right.")
    assert task.check(task.solution).right
    assert task.check("").value == 0.0
    assert task.check("").reason == "No answer was read. The text is empty."
    assert not task.question.endswith("\n")
    assert "Answer:" in task.question.splitlines()[-1]
    json.dumps(task.metadata)


# Leaks


@pytest.mark.parametrize("name", NAMES)
def test_question_and_picture_do_not_contain_the_solution(name):
    for seed in range(12):
        task = tasks.make(name, seed, 1 + seed % HARDEST.get(name, 3))
        solution = " ".join(task.solution.split())
        question = " ".join(task.question.split()).replace("counted from (0, 0)", "")
        if name in ("fall", "cycle", "components", "legal_play", "goose_chance", "fewest_rolls", "spanning_tree"):
            # A short solution may occur in the question by chance or as one of the choices, but not after "answer".
            assert not re.search(
                rf"[Aa]nswer:? {re.escape(solution)}\b",
                question.replace("answer no", "").replace(task.question.splitlines()[-1], ""),
            )
        elif name != "roll":
            assert solution not in question
        for svg in (task.image_svg, re.sub(r"[^\w(),-]+", " ", task.image_svg)):
            if len(solution) > 6:
                assert solution not in svg
                assert solution.replace(" ", "") not in svg
        assert "seed" not in task.question


@pytest.mark.parametrize("name", ["beam", "sensors", "swap"])
def test_the_picture_shows_no_light(name):
    task = tasks.make(name, 3, 2)
    svg = task.image_svg
    assert "lit" not in re.search(r"<desc>(.*?)</desc>", svg)[1]
    assert 'data-id="light"' in svg
    assert '<g data-id="light" data-motion="fade"></g>' in svg


def test_the_picture_shows_no_power():
    for seed in range(10):
        task = tasks.make("powered", seed, 1)
        board = gw.LightEmAll(task.metadata["board"])
        assert task.image_svg != board.svg(theme="light", axes=True)
        wires, station = task_attempts.wires_board(board.text)
        # If the station is moved, other tiles have power, but the pictures without power differ only in the station.
        height, width = board.shape
        cells = [(row, col) for row in range(height) for col in range(width)]
        other = next(cell for cell in cells if cell not in task_attempts.powered(wires, station))
        moved = gw.LightEmAll.from_wires(wires, other)
        assert (moved.powered != board.powered).any()
        strip = re.compile(r"<desc>.*?</desc>|<[a-z]+ data-id=\"(?:station|heart)\".*?/>")
        assert strip.sub("", moved.svg(theme="light", axes=True, reach=-1)) == strip.sub("", task.image_svg)
        assert "0 of" in task.image_svg


@pytest.mark.parametrize("name", ["safe_field", "goose_chance", "best_guess"])
def test_question_and_picture_do_not_depend_on_the_places_of_the_geese(name):
    for seed in range(8):
        task = tasks.make(name, seed, 2)
        view, geese = task.metadata["view"], task.metadata["geese"]
        hidden = [(r, c) for r, row in enumerate(view) for c, sign in enumerate(row) if sign == "*"]
        views = set()
        for placed in task_attempts.combinations(hidden, geese):
            codes = [
                "".join(
                    f"{0x29 if (r, c) in placed else 0x20 | near(placed, r, c):02x} " if sign == "*" else f"0{sign} "
                    for c, sign in enumerate(row)
                )
                for r, row in enumerate(view)
            ]
            try:
                game = gw.GeeseSpotter(f"{len(view)} {len(view[0])} {geese}\n" + "\n".join(codes))
            except gw.LevelError:
                continue  # this placement of the geese contradicts the numbers
            views.add((fields.board_text(game), game.svg(theme="light", axes=True)))
        assert len(views) == 1
        board, svg = views.pop()
        assert task.question.startswith(board)
        assert task.image_svg == svg


def near(placed, row, col):
    return sum(max(abs(row - r), abs(col - c)) == 1 for r, c in placed)


def test_answering_0_is_wrong_if_the_block_never_falls():
    task = next(task for task in (tasks.make("fall", seed, 2) for seed in range(100)) if task.solution == "no")
    assert task.check("Answer: 0").reason == "The block does not first fall at roll 0."
    falls = next(task for task in (tasks.make("fall", seed, 2) for seed in range(100)) if task.solution != "no")
    assert falls.check("Answer: no").reason == "The block falls."


def test_all_verdicts_are_about_equally_frequent():
    for name, word in (("cycle", "no"), ("fall", "no")):
        matches = [tasks.make(name, seed, 2).solution == word for seed in range(400)]
        assert 150 < sum(matches) < 250
    verdicts = [tasks.make("legal_play", seed, 2).solution for seed in range(400)]
    assert all(60 < verdicts.count(word) < 140 for word in set(verdicts))
    # The number of edges must not reveal whether there is a cycle.
    edges = {len(tasks.make("cycle", seed, 2).metadata["edges"]) for seed in range(50)}
    assert len(edges) == 1


# Tasks as objects


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


GOLDEN: dict[str, str] = {
    "beam": "cca36f8bf84adf60",
    "sensors": "ea67ea4c56aea0c3",
    "swap": "db37c58509793cae",
    "powered": "a93e3e3a849b68e9",
    "turns": "7f2855251478e4cc",
    "spanning_tree": "80c4950de75ffb64",
    "cycle": "aa2cf02670a7c389",
    "components": "2e64be96eea20a5e",
    "roll": "c63817e3a2a4e563",
    "fewest_rolls": "24accb00d25c10f6",
    "fall": "ba9523eefc42d67f",
    "safe_field": "d203f3ce302c3670",
    "goose_chance": "fa610f9d80ab7b2b",
    "best_guess": "7f9c9739d7d60d6d",
    "line": "9a98fd1c792150fc",
    "legal_play": "35c0cd36ac9c45fa",
    "best_play": "f7e2f00e8e495fb2",
    "endgame": "f53218c2d24957a5",
    "episode photon": "779f22a263934a9b",
    "episode lightemall": "9506b564f3e445b7",
    "episode bloxorz": "9526f02308605cf4",
    "episode geese": "87ecc3e9927eba0e",
    "episode domination": "7253d44c166bda7d",
}
"""Digests of the questions and solutions of each kind of task, and of the prompts of the episodes of each game.

A changed digest means that stored seeds no longer make the same texts.
"""


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_makes_the_same_task_on_every_platform(name):
    made = [tasks.make(name, seed, 1 + seed % HARDEST.get(name, 3)) for seed in (0, 1, 2**63, 2**64 - 1)]
    assert digest("".join(task.question + task.solution for task in made)) == GOLDEN[name]


@pytest.mark.parametrize("game", episodes.EPISODES)
def test_a_seed_makes_the_same_episode_on_every_platform(game):
    made = [tasks.episode(game, seed, 1 + seed % 3) for seed in (0, 1, 2**64 - 1)]
    assert digest("".join(one.prompt for one in made)) == GOLDEN[f"episode {game}"]


def test_tasks_compare_and_pickle_by_kind_seed_and_grade():
    task = tasks.make("line", np.int32(4), "easy")
    assert task == tasks.make("line", 4, 2)
    assert task != tasks.make("line", 5, 2)
    assert hash(task) == hash(tasks.make("line", 4, 2))
    again = pickle.loads(pickle.dumps(task))
    assert (again.question, again.solution, again.image_svg) == (task.question, task.solution, task.image_svg)
    assert repr(task) == "tasks.make('line', seed=4, difficulty=2)"
    assert str(task) == task.question
    assert set(task._repr_mimebundle_()) == {"text/html", "text/plain"}
    task.metadata["size"] = None
    assert task.metadata["size"] == 9
    task = tasks.make("cycle", 1)
    task.metadata["edges"][0].clear()
    assert len(task.metadata["edges"][0]) == 2


def test_a_picture_is_drawn_once_on_first_access(monkeypatch):
    drawn = []
    monkeypatch.setattr(light, "_dark", lambda game: drawn.append(game) or "<svg/>")
    task = tasks.make("beam", 1)
    assert not drawn
    assert (task.image_svg, task.image_svg) == ("<svg/>", "<svg/>")
    assert len(drawn) == 1


@pytest.mark.parametrize("name", NAMES)
def test_grades_make_different_questions_and_every_kind_is_described(name):
    assert tasks.make(name, 1, 1).question != tasks.make(name, 1, 2).question
    kind = tasks.KINDS[name]
    assert kind.grades
    assert kind.asks
    assert kind.credit


# Partial credit


def test_a_list_of_cells_earns_the_share_of_right_cells():
    task = tasks.make("line", 1)
    cells = task.solution.split("), ")
    part = "), ".join(cells[:4]) + ")"
    assert task.check(part).value == 4 / len(cells)
    assert task.check(f"{part}, (99, 99)").value == 4 / (len(cells) + 1)
    assert task.check("(99, 99)").value == 0


def test_rolls_earn_the_share_of_the_distance_that_they_cover():
    for seed in range(20):
        task = tasks.make("roll", seed, 2)
        fewest = len(task.solution)
        values = [task.check(task.solution[:k]).value for k in range(1, fewest + 1)]
        assert values == pytest.approx([k / fewest for k in range(1, fewest + 1)])
        game = gw.Bloxorz(task.metadata["board"])
        key = next((key for key in "lurd" if falls(game, key)), None)
        if key:
            assert task.check(key).reason == "The block falls at roll 1."
        assert "keys go on" in task.check(task.solution + "l").reason


def falls(game, key):
    after = game.copy()
    after.play(key)
    return after.falls


def test_a_guess_earns_its_chance_of_being_free_divided_by_that_of_the_best():
    for seed in range(10):
        task = tasks.make("best_guess", seed, 2)
        chances = task_attempts.goose_chances(tuple(task.metadata["view"]), task.metadata["geese"])
        least = min(chances.values())
        for cell, chance in chances.items():
            assert task.check(f"{cell}").value == pytest.approx(float((1 - chance) / (1 - least)))
        assert task.check("(0, 99)").value == 0


def test_turns_that_correct_only_some_tiles_earn_partial_credit():
    task = tasks.make("turns", 2, 1)
    no_turns = "\n".join(["0 0 0 0 0 0"] * 6)
    assert task.check(no_turns).value == 0
    rows = task.solution.strip().split("\n")
    half = "\n".join([*rows[:3], *["0 0 0 0 0 0"] * 3])
    assert 0 < task.check(half).value < 1


def test_a_play_earns_its_gain_divided_by_the_best_gain():
    task = tasks.make("best_play", 2, 2)
    game = gw.LinearDomination(task.metadata["board"])
    best = task.metadata["gain"]
    for row, col, row2, col2 in game.legal_moves()[::40].tolist():
        gain = game.gain((row, col), (row2, col2))
        assert task.check(f"({row}, {col}), ({row2}, {col2})").value == gain / best
    assert task.check("(0, 0), (99, 0)").reason == "The play is not legal: off the board."
    assert task.check("(0, 0), (2000000000, 0)").value == 0


def test_scores_of_endgames_agree_with_a_search_for_the_best_line():
    task = tasks.make("endgame", 3, 1)
    game = gw.LinearDomination(task.metadata["board"])
    assert game.best_line(18)[0] == task.metadata["margin"]
    margins, scores = [], []
    for row, col, row2, col2 in game.legal_moves().tolist():
        scores.append(task.check(f"({row}, {col}), ({row2}, {col2})").value)
        after = game.copy()
        after.play(row, col, row2, col2)
        margins.append(-after.best_line(18)[0])
    worst, best = min(margins), max(margins)
    assert best == task.metadata["margin"] > worst
    assert scores == [(margin - worst) / (best - worst) for margin in margins]


def test_a_move_earns_the_share_of_the_dark_sensors_that_it_lights():
    seen = set()
    for seed in range(60):
        task = tasks.make("swap", seed, 2)
        game = gw.MyPhoton(task.metadata["board"])
        for move in game.legal_moves()[:40].tolist():
            after = game.copy()
            after.play(*move)
            score = task.check(" ".join(map(str, move)))
            lit, before, all_ = after.lit.sum(), game.lit.sum(), len(game.sensors)
            assert score.value == max(0, lit - before) / (all_ - before)
            seen.add(score.value)
    assert {0.0, 1.0} < seen


def test_exact_chances_agree_with_a_count_of_all_placements():
    for seed in range(5):
        for grade in (1, 2, 3):
            task = tasks.make("goose_chance", seed, grade)
            view = tuple(task.metadata["view"])
            chances = task_attempts.goose_chances(view, task.metadata["geese"])
            assert str(chances[tuple(task.metadata["cell"])]) == task.solution


def test_nouns_and_verbs_agree_with_their_numbers():
    assert tasks.make("line", 1).check("(0, 4)").reason == "The answer names 1 of 10 right cells and 0 wrong cells."
    wrong = tasks.task.share_of_cells(frozenset({(0, 0)}), frozenset({(1, 1)}))
    assert wrong.reason == "The answer names 0 of 1 right cell and 1 wrong cell."
    reasons = set()
    for name in NAMES:
        for seed in range(8):
            task = tasks.make(name, seed, 1 + seed % HARDEST.get(name, 3))
            reasons.update(task.check(text).reason for text in ("1", "(0, 0)", "(0, 0), (0, 1)", "l", "d", "no"))
    for game in episodes.EPISODES:
        play = tasks.episode(game, 3)
        while not play.over:
            reasons.add(play.act("1 1 1" if game == "lightemall" else "u" if game == "bloxorz" else best(play)))
            reasons.add(play.score.reason)
    assert not [
        reason for reason in reasons if re.search(r"\b1 (?!of\b)[a-z]+s\b|\b1 of \d+ \w+ (?:are|were|have)", reason)
    ]


def test_the_score_of_a_badly_played_game_names_the_margin_that_was_possible():
    play = tasks.episode("domination", 2)
    while not play.over:
        game = play.game
        moves = game.legal_moves().tolist()
        row, col, row2, col2 = min(moves, key=lambda move: lines.margin_after(game, move))
        reply = play.act(f"({row}, {col}), ({row2}, {col2})")
    lead = r"(?:\d+ cells? (?:ahead|behind)|level)"
    assert re.search(rf"You are {lead}\.", reply)
    assert re.fullmatch(rf"[XO] ended {lead}, and could have ended {lead}\.", play.score.reason)


# Reading answers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("Answer: 12", 12),
        ("I added 5 and 7.\nAnswer: 12", 12),
        ("5 + 7 = 12", 12),
        ("The answer is **12**.", 12),
        ("$\\boxed{12}$", 12),
        ("<ANSWER>12</ANSWER>", 12),
        ("Answer: 12, because 5 + 7 = 12.", 12),
        ("Answer: 13\nWait, that is wrong.\nAnswer: 12", 12),
        ("Answer: 13\nAnswer: 12", None),
        ("Answer: 12\n(The tree has three edges.)", 12),
        ("Answer: 12\n(13) fits too", None),
        ("Answer: 12 or 13", None),
        ("Answer: 12\nor 13", None),
        ("Answer: about 12", None),
        ("Answer: 1,200", None),
        ("Answer: 1e3", None),
        ("Answer: 12²", None),
        ("Answer: 12½", None),
        ("Answer: 3.12", None),
        ("Answer: 12/1", None),
        ("Answer: - 12", None),
        ("Answer: −12", -12),
        ("Answer: 12%", None),
        ("Answer: 11 = 12", None),
        ("Answer: 5 + 6 = 12", None),
        ("Answer: not 12", None),
        ("I doubt that the answer is 12", None),
        ("Answer: １２", 12),
        ("Answer: 1\u200b2", None),
        ("Answer: ", None),
        ("12 12", None),
        ("9" * 100_000, None),
        ("9" * 100_001, None),
    ],
)
def test_a_number_is_read_or_the_error_is_a_sentence(text, value):
    if value is None:
        with pytest.raises(answers.Unreadable) as problem:
            answers.integer(text)
        assert re.fullmatch(r"[A-Z].*\.", str(problem.value))
    else:
        assert answers.integer(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Answer: 1/3 (about 33%)", "1/3"),
        ("Answer: about 0.33, 1/3", "1/3"),
        ("Answer: 1/3 or about 33 percent", "1/3"),
        ("Answer: 1/3 ≈ 0.333...", "1/3"),
        ("Answer: 2/3 ≈ 0.66 ≈ 0.7", "2/3"),
        ("Answer: 1/8 ~ 0.12", "1/8"),
        ("Answer: 1/8 ~ 0.13", "1/8"),
        ("Answer: 1/8 (around 12.5\\%)", "1/8"),
        ("Answer: 0/5 ≈ 0", "0"),
        ("Answer: 2, about 1/4", None),
        ("Answer: 5 ≈ 3/7", None),
        ("Answer: 0 or about 1/2", None),
        ("Answer: 1/2 (about 7%)", None),
        ("Answer: 1/2 (about 0.5, about 0.4)", None),
        ("Answer: 2/3 ≈ 0.68", None),
        ("Answer: 2/3, about 1", None),
        ("Answer: 1/ about 1.0 2", None),
        ("Answer: 1 about 0.5 out of 2", None),
        ("Answer: 1/2 ≈ -0.5", None),
        ("Answer: about 0.5", None),
    ],
)
def test_a_rounded_value_beside_a_fraction_must_agree_with_it(text, value):
    if value is None:
        with pytest.raises(answers.Unreadable):
            answers.fraction(text)
    else:
        assert answers.fraction(text) == Fraction(value)


def test_words_such_as_from_and_to_set_the_order_of_two_cells():
    for text in (
        "Answer: from (0, 1) to (2, 3)",
        "Answer: to (2, 3) from (0, 1)",
        "I choose to move from (0, 1) to (2, 3).",
        "The total move: from row 0, column 1 to row 2, column 3",
        "To: (0, 1), (2, 3)",
        "Tail: (0, 1), head: (2, 3)",
        "Head: (2, 3), tail: (0, 1)",
        "Answer: head (2, 3) from (0, 1)",
    ):
        assert answers.ends(text) == ((0, 1), (2, 3)), text


@pytest.mark.parametrize(
    ("read", "sentence"),
    [
        (lambda: answers.numbers("Answer: 0 1 - 3", 3), "The text holds a sign apart from its number."),
        (lambda: answers.numbers("Answer: 1234567890 1", 3), "The text holds 2 numbers instead of 3."),
        (lambda: answers.numbers("Answer: 1234567890 1", 2), "The text holds a number of more than nine digits."),
        (lambda: answers.cells("Answer: (0, 1), (0, 2), ..., (0, 5)"), "The text leaves cells out."),
        (lambda: answers.keys("Answer: rr...d"), "The text leaves keys out."),
        (lambda: answers.grid("Answer: 0.1 2", 1, 3, 3), "The text holds something other than rows of digits."),
    ],
)
def test_incomplete_and_malformed_lists_are_not_read(read, sentence):
    with pytest.raises(answers.Unreadable, match="^" + re.escape(sentence) + "$"):
        read()


def test_answers_with_fences_signs_or_trailing_dots_are_read():
    assert answers.keys("```rr dl```") == "rrdl"
    assert answers.numbers("Answer:\n```text\n0 1 3\n```", 3) == [0, 1, 3]
    assert answers.numbers("Answer: -1 +2 123456789.", 3) == [-1, 2, 123456789]
    assert answers.keys("Answer: rrdl...") == "rrdl"
    assert answers.cells("Answer: (0, 1), (0, 2)...") == {(0, 1), (0, 2)}


LONG = (
    "." * 100_000,
    "Answer: r" + "., " * 33_000,
    "(" * 100_000,
    "[1," * 33_000,
    "Answer: " * 12_000,
    "<answer>" * 12_000,
    "a\n" * 50_000,
    "1 " * 50_000,
    "answer" + "*" * 99_000,
    "Answer: r\n" + "l" * 99_000 + "x",
)
READERS = ("beam", "swap", "turns", "spanning_tree", "cycle", "roll", "safe_field", "goose_chance", "legal_play")


@pytest.mark.parametrize("text", LONG, ids=range(len(LONG)))
def test_long_texts_are_read_quickly(text):
    # A regular expression that backtracks over the whole text would practically never finish here.
    for task in (tasks.make(name, 1) for name in READERS):
        assert not task.check(text).right
        assert not task.check(text + "\\boxed{" * 10).right


def test_random_text_is_graded_without_an_error():
    rng = random.Random(5)
    signs = "0123456789(),-/ .\n:lurdABCno{}[]<>\\boxedAnswer=%*_`'\"\u0660\u202e\U0001f600½²→"
    for task in (tasks.make(name, 2) for name in NAMES):
        for _ in range(150):
            text = "".join(rng.choice(signs) for _ in range(rng.randint(0, 60)))
            score = task.check(rng.choice(("", "Answer: ", "<answer>")) + text)
            assert 0 <= score.value <= 1
            assert re.fullmatch(r"[A-Z(\d].*\.", score.reason)


# Episodes


@pytest.mark.parametrize("game", episodes.EPISODES)
@pytest.mark.parametrize("grade", [1, 3])
def test_the_best_moves_win_an_episode(game, grade):
    play = tasks.episode(game, 11, grade)
    assert play.score.value == 0
    replies = 0
    while not play.over:
        before = play.score.value
        reply = play.act(f"I think.\nAnswer: {best(play)}")
        replies += 1
        assert not reply.startswith(("No move was read", "This move"))
        if game in ("photon", "bloxorz"):
            assert play.score.value > before
    assert play.score.right
    assert reply.splitlines()[-1] == "The episode is over."
    assert len(play.log) == replies
    assert play.act("Answer: 1") == "The episode is over."
    assert len(play.log) == replies


def best(play) -> str:
    """Returns a best next move, written as an answer. In GeeseSpotter, the move depends on the hidden geese."""
    game = play.game
    if play.world == "photon":
        return " ".join(map(str, game.solve()[0]))
    if play.world == "lightemall":
        turns = game.solve()
        row, col = np.argwhere(turns)[0].tolist()
        return f"{row} {col} {turns[row, col]}"
    if play.world == "bloxorz":
        return game.solve()[0]
    if play.world == "geese":
        # Even the best guess may hit a goose, so the geese are looked up.
        secret = game.secret & 15
        free = np.argwhere(game.hidden & (secret != 9))[0].tolist()
        return str(tuple(free))
    moves = game.legal_moves().tolist()
    return str(max(moves, key=lambda move: episodes.lines.margin_after(game, move)))


@pytest.mark.parametrize("game", episodes.EPISODES)
def test_nonsense_costs_a_turn_and_changes_nothing_else(game):
    play = tasks.episode(game, 3)
    turns, text, prompt = play.turns_left, play.game.text, play.prompt
    for k, nonsense in enumerate(("", "What now?", "Answer: (999, 999), (999, 998)", "\0" * 50, "x" * 200_000), 1):
        reply = play.act(nonsense)
        assert re.match(r"(No move was read\. |This move is )", reply)
        assert play.turns_left == turns - k
        assert play.game.text == text
        assert play.prompt == prompt
    while not play.over:
        play.act("?")
    assert play.turns_left == 0
    assert play.score.value == 0
    assert len(play.log) == turns


@pytest.mark.parametrize("game", episodes.EPISODES)
def test_an_episode_accepts_any_text(game):
    rng = random.Random(game)
    for seed in range(6):
        play = tasks.episode(game, seed, 1 + seed % 2)
        while not play.over:
            numbers = [rng.randint(-1, 7) for _ in range(rng.choice((1, 2, 3, 4)))]
            forms = (" ".join(map(str, numbers)), str(tuple(numbers)), "".join(rng.choices("lurds", k=4)), "?")
            text = rng.choice(forms)
            play.act(text)
            assert 0 <= play.score.value <= 1
        assert re.fullmatch(r"[A-Z(\d].*\.", play.score.reason)


def test_a_goose_ends_an_episode_and_keeps_the_score():
    play = tasks.episode("geese", 2)
    goose = np.argwhere((play.game.secret & 15) == 9)[0].tolist()
    play.act(best(play))
    share = play.score.value
    assert play.act(str(tuple(goose))).startswith("A goose!")
    assert play.over
    assert play.score.value == share > 0
    assert "9" not in play.log[-1][1].partition("goose")[2]


def test_a_block_that_falls_returns_to_the_start():
    play = tasks.episode("bloxorz", 2)
    turns = play.turns_left
    key = next(key for key in "lurd" if falls(play.game, key))
    reply = play.act(key + "rrr")
    assert reply.startswith(f"The block fell at key 1, {key}")
    assert play.turns_left == turns - 1


def test_the_game_of_an_episode_is_a_copy():
    play = tasks.episode("bloxorz", 1)
    play.game.play(play.game.solve())
    assert not play.over
    assert repr(play) == "tasks.episode('bloxorz', seed=1, difficulty=1)"


# Sets of tasks


def test_export_writes_lines_of_json_and_a_card(tmp_path):
    seen = []
    number = tasks.export(
        tmp_path / "set", iter(["line", "roll", "line"]), count=6, seed=3, images=True, progress=seen.append
    )
    assert (number, seen[-1]) == (12, 12)
    text = (tmp_path / "set" / "tasks.jsonl").read_text(encoding="utf-8")
    records = [json.loads(line) for line in text.splitlines()]
    assert [one["name"] for one in records] == ["line"] * 6 + ["roll"] * 6
    assert [one["difficulty"] for one in records[:6]] == [1, 2, 3, 4, 5, 1]
    for one in records:
        task = tasks.make(one["name"], one["seed"], one["difficulty"])
        assert one == tasks.record(task, images=True)
    card = (tmp_path / "set" / "README.md").read_text(encoding="utf-8")
    assert "gridwright tasks line roll --count 6 --seed 3 --images --output FOLDER" in card
    assert tasks.KINDS["roll"].grades in card


@pytest.mark.parametrize(
    ("count", "difficulty", "words"),
    [
        (1, None, "seed 0 and grade 1."),
        (2, None, "seeds 0 to 1 and grades 1 to 2 in turn."),
        (7, None, "seeds 0 to 6 and grades 1 to 5 in turn."),
        (7, 4, "seeds 0 to 6 and grade 4."),
    ],
)
def test_the_card_names_the_grades_of_the_tasks(count, difficulty, words, tmp_path):
    tasks.export(tmp_path, "cycle", count=count, difficulty=difficulty)
    assert words in (tmp_path / "README.md").read_text(encoding="utf-8")


def test_nothing_is_written_if_an_argument_is_wrong(tmp_path):
    too_many = ["line"] * len(NAMES) + ["roll"]
    for wrong in (
        {"count": 0},
        {"difficulty": 9},
        {"seed": -1},
        {"names": "lines"},
        {"names": []},
        {"names": too_many},
        {"images": 2},
    ):
        with pytest.raises((ValueError, TypeError), match=next(iter(wrong))):
            tasks.export(tmp_path / "set", **wrong)
    assert not (tmp_path / "set").exists()


@needs("processes")
def test_the_command_prints_or_writes_tasks_and_names_wrong_arguments(tmp_path, capsys):
    from gridwright.__main__ import main

    assert main(["tasks", "line", "fall", "--count", "2", "--difficulty", "easy", "--seed", "5"]) == 0
    made = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["name"], one["seed"], one["difficulty"]) for one in made] == [
        ("line", 5, 2),
        ("line", 6, 2),
        ("fall", 5, 2),
        ("fall", 6, 2),
    ]
    assert main(["tasks", "line", "--count", "3", "--output", str(tmp_path / "set")]) == 0
    assert capsys.readouterr().out == f"3 tasks and a card: {tmp_path / 'set'}\n"
    assert main(["tasks", "lines"]) == 2
    assert 'did you mean "line"' in capsys.readouterr().err
    assert main(["tasks", "line", "--difficulty", "9"]) == 2
    assert capsys.readouterr().err == "gridwright: difficulty must be between 1 and 5, got 9\n"


# Reasoning Gym


@pytest.fixture
def gym():
    gym = pytest.importorskip("reasoning_gym")
    import gridwright.tasks.datasets  # noqa: F401

    return gym


@pytest.mark.parametrize("name", NAMES)
def test_reasoning_gym_makes_and_scores_every_kind(gym, name):
    hardest = min(2, HARDEST.get(name, 3))
    data = gym.create_dataset(f"gridwright_{name}", seed=42, size=4, max_difficulty=hardest)
    entries = list(data)
    assert len(entries) == len(data) == 4
    assert entries == list(gym.create_dataset(f"gridwright_{name}", seed=42, size=4, max_difficulty=hardest))
    score = gym.get_score_answer_fn(f"gridwright_{name}")
    for entry in entries:
        assert entry["metadata"]["source_dataset"] == f"gridwright_{name}"
        assert data.score_answer(entry["answer"], entry) == 1.0
        assert score(f"Hm.\nAnswer: {entry['answer']}", entry) == 1.0
        assert data.score_answer(None, entry) == 0.0
        assert data.score_answer("", entry) == 0.0
        assert data.score_answer("anything", entry) == 0.0
        assert json.loads(json.dumps(entry))["metadata"] == json.loads(json.dumps(entry["metadata"]))


def test_reasoning_gym_mixes_kinds_and_has_a_curriculum(gym):
    from reasoning_gym.composite import CompositeConfig, CompositeDataset, DatasetSpec
    from reasoning_gym.factory import create_curriculum

    specs = [DatasetSpec("gridwright_fall", 1, {}), DatasetSpec("gridwright_line", 2, {"max_difficulty": 2})]
    mixed = CompositeDataset(CompositeConfig(size=30, seed=1, datasets=specs))
    for entry in mixed:
        assert mixed.score_answer(entry["answer"], entry) == 1.0
    curriculum = create_curriculum("gridwright_line")
    curriculum.set_attr_level("difficulty", 3)
    config = curriculum.generate_configuration({"seed": 1, "size": 5})
    assert (config.min_difficulty, config.max_difficulty) == (1, 4)


def test_reasoning_gym_refuses_a_wrong_configuration(gym):
    for wrong in (
        {"min_difficulty": 0},
        {"max_difficulty": 6},
        {"min_difficulty": 4, "max_difficulty": 3},
        {"size": 0},
    ):
        with pytest.raises(ValueError, match="must be between"):
            gym.create_dataset("gridwright_line", **wrong)
    with pytest.raises(TypeError, match="min_difficulty must be an integer"):
        gym.create_dataset("gridwright_line", min_difficulty="easy")
    data = gym.create_dataset("gridwright_line", seed=1, size=2)
    with pytest.raises(IndexError, match="idx must be between 0 and 1, got 2"):
        data[2]
    entry = gym.create_dataset("gridwright_beam", seed=1, size=1)[0]
    with pytest.raises(ValueError, match="entry must be of the kind 'line', got 'beam'"):
        data.score_answer(entry["answer"], entry)
