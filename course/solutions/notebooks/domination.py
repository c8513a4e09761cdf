"""Solutions for the notebook on Linear Domination."""


def my_line(tail, head, t):
    return tuple((1 - t) * (a + 0.5) + t * (b + 0.5) for a, b in zip(tail, head, strict=True))


def same_midpoint(play, other):
    return play[0] + play[2] == other[0] + other[2] and play[1] + play[3] == other[1] + other[3]


def is_play_valid(size, lookback, plays, index):
    tail_row, tail_col, head_row, head_col = plays[index]
    if not all(0 <= x < size for x in plays[index]):
        return False
    for a, b, c, d in plays[max(0, index - lookback) : index]:
        if (a + c, b + d) == (tail_row + head_row, tail_col + head_col):
            return False
        if (c - a) * (head_row - tail_row) + (d - b) * (head_col - tail_col) == 0:
            return False
    return True
