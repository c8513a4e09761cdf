"""Solutions for the notebook on MyPhoton."""

import numpy as np


def light(board):
    height, width = board.shape
    bits = np.zeros_like(board)
    heads = []
    for row, col in np.argwhere((board >= 10) & (board < 14)).tolist():
        heading = int(board[row, col]) - 10
        heads.append((row, col, heading))
    used = set()
    while heads:
        row, col, heading = heads.pop()
        row += (-1, 0, 1, 0)[heading]
        col += (0, 1, 0, -1)[heading]
        if not (0 <= row < height and 0 <= col < width) or (row, col, heading) in used:
            continue
        used.add((row, col, heading))
        if int(board[row, col]) == 14 + (heading + 2) % 4:  # the light enters a sensor through its opening
            bits[row, col] |= 1 << (heading + 2) % 4
        leaving = table[int(board[row, col])][heading]  # noqa: F821 - from the notebook
        if leaving:
            bits[row, col] |= leaving | 1 << (heading + 2) % 4
        heads += [(row, col, side) for side in range(4) if leaving >> side & 1]
    return bits


def back(code, heading):
    return [before for before in range(4) if table[code][before] >> heading & 1]  # noqa: F821 - from the notebook
