"""Tests of the page ``lab/`` in a real browser: notebooks open, checks run, and the package is installed already."""

from __future__ import annotations

from urllib.parse import quote

from conftest import ROOT, START_TIMEOUT

CODE = """import gridwright as gw
from gridwright import check

def compute_neighbours(board):  # wrong: the diagonal neighbors are not counted
    height, width = board.shape
    for row in range(height):
        for col in range(width):
            if board[row, col] != 9:
                near = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
                board[row, col] = sum(0 <= r < height and 0 <= c < width and board[r, c] == 9 for r, c in near)

def endless(board):
    while True:
        pass

print("right:", check.compute_neighbours(compute_neighbours).passed)
print("endless:", check.compute_neighbours(endless, time_limit=0.2).failure.reason)
print("solved:", gw.Bloxorz.level("level01").solve())
check.compute_neighbours(compute_neighbours)"""


def test_a_wrong_function_and_an_endless_function_fail_their_checks(visit):
    page = visit(f"lab/repl/index.html?kernel=python&execute=1&code={quote(CODE)}")
    shown = page.locator(".jp-OutputArea-output")
    shown.filter(has_text="solved: rrdrrrd").wait_for(timeout=2 * START_TIMEOUT)
    text = shown.filter(has_text="right:").text_content()
    assert "right: False" in text
    assert "endless: did not finish within 0.2 s" in text
    # The report is displayed as a picture; further failed parts may add pictures of their smallest wrong cases.
    page.locator(".jp-RenderedHTMLCommon img[src^='data:image/svg+xml']").first.wait_for(timeout=START_TIMEOUT)


def test_notebooks_are_listed_and_a_widget_in_one_of_them_is_played(visit):
    page = visit("lab/lab/index.html?path=bloxorz.ipynb")
    page.locator(".jp-Notebook").wait_for(timeout=2 * START_TIMEOUT)
    for name in (path.name for path in (ROOT / "notebooks").glob("*.ipynb")):
        page.locator(".jp-DirListing-itemText", has_text=name).first.wait_for(timeout=START_TIMEOUT)
    page.locator(".jp-CodeCell .cm-content").first.click()
    # Waits for the indicator of an idle kernel to exist, not to be visible, because a narrow toolbar hides it.
    idle = page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']")
    idle.first.wait_for(state="attached", timeout=2 * START_TIMEOUT)
    for _ in range(12):
        page.keyboard.press("Shift+Enter")
    board = page.locator(".gridwright-widget #board svg").first
    board.wait_for(timeout=2 * START_TIMEOUT)
    board.scroll_into_view_if_needed()
    board.click()  # The center of the board is to the right of the block, and the block rolls toward the click.
    numbers = page.locator(".gridwright-widget #numbers")
    numbers.filter(has_text="rolls 1").first.wait_for(timeout=START_TIMEOUT)
    page.keyboard.press("ArrowRight")
    numbers.filter(has_text="rolls 2").first.wait_for(timeout=START_TIMEOUT)


def test_assignments_are_handed_out_without_solutions(visit):
    page = visit("lab/lab/index.html?path=assignments/geese.ipynb")
    page.locator(".jp-Notebook").wait_for(timeout=2 * START_TIMEOUT)
    for name in (path.stem for path in (ROOT / "course" / "assignments").glob("*.py")):
        page.locator(".jp-DirListing-itemText", has_text=f"{name}.ipynb").first.wait_for(timeout=START_TIMEOUT)
    text = page.locator(".jp-Notebook").text_content()
    assert "YOUR CODE HERE" in text
    assert "BEGIN SOLUTION" not in text
