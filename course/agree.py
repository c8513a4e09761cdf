"""What the assignments share: it becomes a cell of each that has a cell ``setup="agree"``."""


def agree(call, cases, expected, most, chance=0.0):
    """Compares answers from small to large, shows the first wrong case, and returns the points.

    `call` and `expected` get a case; `chance` is the share of the cases that a guess gets right, which earns nothing.
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
    print(f"right: {right} of {len(cases)} cases. The first wrong case:")
    display(*(wrong[0] if isinstance(wrong[0], tuple) else wrong[:1]))
    print("expected:", expected(wrong[0]), "and got:", wrong[1], sep="\n")
    return round(most * max(0.0, (right / len(cases) - chance) / (1 - chance)), 2)
