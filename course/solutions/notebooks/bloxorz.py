"""Solutions for the notebook on Bloxorz."""


class Block:
    def __init__(self, row, col):
        self.cells = [(row, col)]

    def roll(self, down, right):
        if len(self.cells) == 1:
            row, col = self.cells[0]
            self.cells = sorted([(row + down, col + right), (row + 2 * down, col + 2 * right)])
            return
        (row, col), (other_row, other_col) = self.cells
        along = (other_row - row, other_col - col)
        if along == (abs(down), abs(right)):
            row, col = (other_row, other_col) if down + right > 0 else (row, col)
            self.cells = [(row + down, col + right)]
        else:
            self.cells = [(row + down, col + right), (other_row + down, other_col + right)]

    def left(self):
        self.roll(0, -1)

    def right(self):
        self.roll(0, 1)

    def up(self):
        self.roll(-1, 0)

    def down(self):
        self.roll(1, 0)

    def positions(self):
        return self.cells

    def is_standing(self):
        return len(self.cells) == 1


def stands(board):
    return (board & 16 > 0).sum() == 1
