"""Solutions for the notebook on GeeseSpotter."""


def compute_neighbours(board):
    height, width = board.shape
    for row in range(height):
        for col in range(width):
            if board[row, col] != 9:
                near = board[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2]
                board[row, col] = (near == 9).sum()


def reveal(board, row, col):
    field = int(board[row, col])
    if field & 0x10:
        return 1
    board[row, col] = field & 0x0F
    if field & 0x0F == 0:
        near = board[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2]
        near[near & 0x10 == 0] &= 0x0F
    if not field & 0x20:
        return 2
    return 9 if field & 0x0F == 9 else 0


def compared(one, other):
    difference = one.astype(float) - other
    return difference.mean(), 2 * difference.std() / len(difference) ** 0.5
