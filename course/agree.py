"""A function that the assignments share. ``handout.py`` copies it into each cell that is marked ``setup="agree"``."""


def agree(call, cases, expected, most, chance=None):
    """Compares the answers to `cases` in the given order, shows the first wrong case, and returns the points.

    `call(case)` returns the answer to a case, and `expected(case)` the right answer. `most` is the number of points if
    all answers are right. `chance` is the share of cases that the best constant answer gets right; only right answers
    beyond this share earn points. By default, it is the share of the commonest right answer. After five exceptions, the
    remaining cases count as wrong.
    """
    right, stuck, wrong = 0, 0, None
    for case in cases:
        if stuck == 5:
            break
        try:
            got = call(case)
        except Exception as error:
            got, stuck = f"{type(error).__name__}: {error}", stuck + 1
        if got == expected(case):
            right += 1
        elif wrong is None:
            wrong = case, got
    if wrong is None:
        print(f"right in all {len(cases)} cases")
        return most
    print(f"right in {right} of {len(cases)} cases; the first wrong case:")
    display(*(wrong[0] if isinstance(wrong[0], tuple) else wrong[:1]))
    print("expected:", expected(wrong[0]), "got:", wrong[1], sep="\n")
    if chance is None:
        answers = [expected(case) for case in cases]
        chance = max(map(answers.count, answers)) / len(cases)
    # If all right answers are equal, no share is beyond `chance`.
    return round(most * max(0.0, (right / len(cases) - chance) / (1 - chance or 1)), 2)
