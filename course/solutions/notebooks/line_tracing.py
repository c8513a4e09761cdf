"""Solutions for the notebook on line tracing."""


def my_trace(tail, head):
    (row, col), (to_row, to_col) = tail, head
    a, b = abs(to_row - row), abs(to_col - col)
    step_row, step_col = (to_row > row) - (to_row < row), (to_col > col) - (to_col < col)
    i = j = 0
    cells = [(row, col)]
    while i < a or j < b:
        # The line crosses border i between rows at the fraction (2i + 1) / (2a) of its length, and border j between
        # columns at (2j + 1) / (2b). The code compares both fractions multiplied by 2ab.
        rows, cols = (2 * i + 1) * b, (2 * j + 1) * a
        if rows <= cols:
            row, i = row + step_row, i + 1
        if cols <= rows:
            col, j = col + step_col, j + 1
        cells.append((row, col))
    return cells
