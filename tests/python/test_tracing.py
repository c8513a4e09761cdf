"""Tests of ``gridwright.tracing``, mostly on segments with whole-number ends; some compare with exact fractions."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as tree
from fractions import Fraction
from math import gcd

import numpy as np
import pytest
from gridwright import _core, tracing
from hypothesis import given, settings
from hypothesis import strategies as st

EXACT = [method for method in tracing.METHODS if not method.endswith("float")]


def crossed(tail, head):
    """Traces a segment in exact fractions: between two successive border crossings, the segment lies in one cell."""
    (a, b), (c, d) = tail, head
    times = {Fraction(0), Fraction(1)}
    for start, end in ((a, c), (b, d)):
        times |= {Fraction(2 * k + 1, 2 * abs(end - start)) for k in range(abs(end - start))}
    cells = []
    for before, after in itertools.pairwise(sorted(times)):
        middle = (before + after) / 2
        cells.append([round(a + middle * (c - a)), round(b + middle * (d - b))])
    return cells or [[a, b]]


def segments_of(size):
    return list(itertools.product(range(size), repeat=4))


def test_all_lines_on_a_6_x_6_board_agree_with_fractions():
    for a, b, c, d in segments_of(6):
        assert tracing.trace((a, b), (c, d)).tolist() == crossed((a, b), (c, d))


@settings(max_examples=300, deadline=None)
@given(st.tuples(*[st.integers(-300, 300)] * 4), st.integers(-(2**29), 2**29))
def test_lines_are_exact_symmetric_and_counted(ends, shift):
    a, b, c, d = ends
    cells = tracing.trace((a, b), (c, d))
    assert cells.tolist() == crossed((a, b), (c, d))
    assert (tracing.trace((c, d), (a, b)) == cells[::-1]).all()
    moved = tracing.trace((a + shift, b - shift), (c + shift, d - shift))
    assert (moved - cells == (shift, -shift)).all()
    rows, cols = abs(a - c), abs(b - d)
    g = gcd(rows, cols)
    corner = g if g and rows // g % 2 and cols // g % 2 else 0
    assert len(cells) == tracing.cell_count([ends])[0] == rows + cols + 1 - corner
    touched = tracing.trace((a, b), (c, d), "supercover")
    assert len(touched) == rows + cols + 1 + corner
    assert {tuple(cell) for cell in cells.tolist()} <= {tuple(cell) for cell in touched.tolist()}


def test_far_coordinates_are_exact_and_coordinates_out_of_bounds_raise():
    far = 1 << 30
    assert tracing.cell_count([(-far, -far, far, far), (far, 0, 0, 1)]).tolist() == [2**31 + 1, 2**30 + 2]
    assert tracing.trace((far - 1, -far), (far, 1 - far)).tolist() == [[far - 1, -far], [far, 1 - far]]
    with pytest.raises(ValueError, match="tail must lie within 2\\^30 cells"):
        tracing.trace((far + 1, 0), (0, 0))
    with pytest.raises(ValueError, match="segment 0 must lie within 2\\^30 cells"):
        tracing.cell_count([(2**40, 0, 0, 0)])
    with pytest.raises(ValueError, match="segment 0 must lie within 2\\^30 cells"):
        tracing.cell_count(np.array([[2**31 - 1, 0, 0, 0]], dtype=np.int32))
    for method in tracing.METHODS:
        with pytest.raises(ValueError, match="must be at most 268435456"):
            tracing.trace((-far, 0), (far, 3), method)
        with pytest.raises(ValueError, match="must be at most 268435456"):
            tracing.trace_many([(-far, 0, far, 3)], method)


def test_bresenham_agrees_with_scikit_image():
    draw = pytest.importorskip("skimage.draw")
    for a, b, c, d in segments_of(7):
        assert (tracing.trace((a, b), (c, d), "bresenham") == np.stack(draw.line(a, b, c, d), axis=1)).all()


def test_the_traversal_in_floats_is_sometimes_wrong():
    def fails(a, b, tolerance):
        cells = tracing.trace((0, 0), (a, b), "amanatides-woo-float", tolerance=tolerance).tolist()
        return cells != tracing.trace((0, 0), (a, b)).tolist()

    assert fails(3, 1, 0.0)
    assert not fails(3, 1, 1e-13)
    assert fails(62, 46, 1e-13)
    assert not any(fails(a, b, 1e-13) for a in range(40) for b in range(40))


def test_steps_list_cells_crossings_and_axes():
    for a, b, c, d in segments_of(4):
        steps = tracing.trace_steps((a, b), (c, d))
        assert list(steps) == ["row", "col", "t_max_row", "t_max_col", "axis"]
        cells = tracing.trace((a, b), (c, d)).tolist()
        assert np.stack([steps["row"], steps["col"]], axis=1).tolist() == cells
        for k in range(len(cells) - 1):
            t_row, t_col = steps["t_max_row"][k], steps["t_max_col"][k]
            assert steps["axis"][k + 1] == (2 if t_row == t_col else 0 if t_row < t_col else 1)
    assert steps["row"].dtype == steps["col"].dtype == np.int32
    assert tracing.trace_steps((0, 0), (0, 2))["t_max_row"][0] == np.inf
    floats = tracing.trace_steps((0, 0), (3, 1), "amanatides-woo-float")
    assert floats["t_max_row"][0] == pytest.approx(10**0.5 / 6)
    with pytest.raises(ValueError, match="method must be 'amanatides-woo' or 'amanatides-woo-float', got 'dda'"):
        tracing.trace_steps((0, 0), (1, 1), "dda")


def test_trace_many_lists_the_cells_of_each_line():
    rng = np.random.default_rng(3)
    segments = rng.integers(-50, 50, (200, 4))
    for method in tracing.METHODS:
        cells, offsets, *weights = tracing.trace_many(segments, method)
        assert offsets.tolist() == [0, *np.cumsum(tracing.cell_count(segments, method)).tolist()]
        for i, (a, b, c, d) in enumerate(segments.tolist()):
            expected = tracing.trace((a, b), (c, d), method)
            if method == "wu":
                expected, shares = expected
                assert (weights[0][offsets[i] : offsets[i + 1]] == shares).all()
            assert (cells[offsets[i] : offsets[i + 1]] == expected).all()
    out = np.full((20_000, 2), -9, dtype=np.int32)
    cells, offsets = tracing.trace_many(segments.reshape(-1, 2, 2), out=out)
    assert np.shares_memory(cells, out)
    assert (out[offsets[-1] :] == -9).all()
    assert (cells == tracing.trace_many(segments)[0]).all()
    for wrong in (out[:5], out.astype(np.int64), out[:, :1], [[0, 0]], out[::2]):
        with pytest.raises(ValueError, match="out"):
            tracing.trace_many(segments, out=wrong)
    assert tracing.trace_many([])[0].shape == (0, 2)


def test_later_segments_are_painted_over_earlier_ones_and_coverage_counts_all():
    rng = np.random.default_rng(5)
    segments = rng.integers(0, 40, (300, 4))
    values = rng.integers(0, 255, 300)
    for method in EXACT[:4]:
        expected = np.zeros((40, 40), dtype=int)
        counts = np.zeros((40, 40), dtype=int)
        for (a, b, c, d), value in zip(segments.tolist(), values.tolist(), strict=True):
            rows, cols = tracing.trace((a, b), (c, d), method).T
            expected[rows, cols] = value
            counts[rows, cols] += 1
        for threads in (0, 1, 2, 5):
            for dtype in (np.uint8, np.int32, np.float64):
                board = np.zeros((40, 40), dtype=dtype)
                assert tracing.paint(board, segments, values, method, threads=threads) is None
                assert (board == expected).all()
            assert (tracing.coverage((40, 40), segments, method, threads=threads) == counts).all()


def test_the_weights_of_wu_add_up_to_1_per_column():
    cells, weights = tracing.trace((0, 0), (2, 7), "wu")
    assert np.bincount(cells[:, 1], weights).tolist() == pytest.approx([1] * 8)
    board = np.zeros((3, 8))
    tracing.paint(board, [(0, 0, 2, 7)], 1.0, "wu")
    assert (board[tuple(cells.T)] == weights).all()


def test_errors_name_the_wrong_argument():
    board = np.zeros((5, 5), dtype=np.uint8)
    with pytest.raises(ValueError, match=r"segment 1 must stay on the 5 x 5 board, got \(0, 0\) to \(5, 0\)"):
        tracing.paint(board, [(0, 0, 4, 4), (0, 0, 5, 0)], 1)
    with pytest.raises(ValueError, match=r"segment 1 must stay on the 5 x 5 board, got \(0.0, 0.0\) to \(4.5, 0.5\)"):
        tracing.paint(board, [(0, 0, 4, 4), (0, 0, 4.5, 0.5)], 1, "supercover")
    assert not board.any()
    with pytest.raises(ValueError, match="values must hold 1 or 3 numbers, got 2"):
        tracing.paint(board, [(0, 0, 1, 1)] * 3, [1, 2])
    with pytest.raises(ValueError, match="values must hold 1 or 3 numbers, got 2"):
        tracing.paint(board, [(0, 0.5, 1, 1)] * 3, [1, 2])
    with pytest.raises(ValueError, match="values must be between 0 and 255, got 300"):
        tracing.paint(board, [(0, 0, 1, 1)], 300)
    with pytest.raises(TypeError, match="board must be an array of uint8, int32 or float64, got an array of float32"):
        tracing.paint(board.astype(np.float32), [(0, 0, 1, 1)], 1)
    with pytest.raises(TypeError, match="board must be an array of uint8, int32 or float64, got list"):
        tracing.paint([[0]], [(0, 0, 0, 0)], 1)
    with pytest.raises(ValueError, match="C-contiguous"):
        tracing.paint(board[:, ::2], [(0, 0, 1, 1)], 1)
    with pytest.raises(ValueError, match="board must have the 2 dimensions of the segments"):
        tracing.paint(board.ravel(), [(0, 0, 1, 1)], 1)
    with pytest.raises(ValueError, match="board must have the 3 dimensions of the segments"):
        tracing.paint(board, [(0, 0, 0, 1, 1, 1)], 1)
    frozen = board.copy()
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        tracing.paint(frozen, [(0, 0, 1, 1)], 1)
    with pytest.raises(ValueError, match=r"segments must be of shape \(m, 4\) or \(m, 6\).*got \(1, 3\)"):
        tracing.coverage((5, 5), [(0, 1, 1)])
    with pytest.raises(ValueError, match=r"method must be 'amanatides-woo', 'supercover'.*'best'"):
        tracing.trace((0, 0), (1, 1), "best")
    with pytest.raises(ValueError, match=r"method must be 'amanatides-woo', 'supercover'.*'best'"):
        tracing.trace((0, 0.5), (1, 1), "best", origin="corner")
    with pytest.raises(TypeError, match=r"head must be a point \(row, col\) or \(layer, row, col\) .*, got 5"):
        tracing.trace((0, 0), 5)
    with pytest.raises(ValueError, match=r"tail and head must be two points"):
        tracing.trace((0, 0), (1, 1, 1))
    with pytest.raises(ValueError, match="segment 0"):
        tracing.coverage((0, 0), [(0, 0, 0, 0)])
    one, cells = np.array([[0, 0, 2, 2]], np.int32), np.zeros((3, 2), np.int32)
    for offsets, sentence in (
        ([0, 2], r"^offsets\[1\] must be 3 for these segments, got 2$"),
        ([0], "^offsets must have length 2, got length 1$"),
    ):
        with pytest.raises(ValueError, match=sentence):
            _core.trace_many_into(one, "amanatides-woo", 0.0, np.array(offsets, np.int64), cells, None, None)
    with pytest.raises(
        ValueError, match='^method must be "amanatides-woo", "supercover" or "amanatides-woo-float", got'
    ):
        _core.lines_count(one.astype(float), (False, None, "wu", 0.0))
    for columns in (3, 5, 7):
        with pytest.raises(ValueError, match=rf"^segments must be of shape \(m, 4\) or .*, got \(2, {columns}\)$"):
            _core.lines_count(np.zeros((2, columns)), (False, None, "amanatides-woo", 0.0))
    far = np.array([[0, 0, 2**30 + 5, 1]], np.int32)
    with pytest.raises(ValueError, match=r"^segment 0 must lie within .*, got \(0, 0\) to \(1073741829, 1\)$"):
        _core.cell_counts(far, "amanatides-woo", 0.0)
    with pytest.raises(ValueError, match="values must hold 1 number, got 2"):
        tracing.paint(np.zeros((3, 3), dtype=np.uint8), [(0, 0, 2, 2)], [7, 8])
    for threads in (-1, 2**70, -(2**70)):
        with pytest.raises(ValueError, match="threads must be"):
            tracing.paint(np.zeros((3, 3), dtype=np.uint8), [(0, 0, 2, 2)], [7], threads=threads)
        with pytest.raises(ValueError, match="threads must be"):
            tracing.coverage((3, 3), [(0, 0, 2, 2)], threads=threads)


def test_a_tolerance_outside_0_to_1_is_refused():
    for tolerance in (float("nan"), -1, 10, float("inf")):
        with pytest.raises(ValueError, match="tolerance must be between 0 and 1"):
            tracing.trace((0, 0), (3, 1), "amanatides-woo-float", tolerance=tolerance)
    with pytest.raises(TypeError, match="tolerance must be a number, got 'x'"):
        tracing.trace_steps((0, 0), (3, 1), "amanatides-woo-float", tolerance="x")


def test_pictures_have_a_title_and_a_description_and_are_saved(tmp_path):
    drawn = [
        tracing.draw_steps((0, 0), (3, 7)),
        tracing.draw_steps((5, 5), (5, 5), theme="dark"),
        tracing.draw_steps((0, 0), (3, 1), "amanatides-woo-float"),
        tracing.draw_methods((0, 0), (3, 7)),
        tracing.draw_methods((7, 0), (0, 90), "wu", "supercover", size=8),
        tracing.draw_coverage(tracing.coverage((9, 7), [(0, 0, 8, 6)])),
        tracing.draw_coverage(np.zeros((3, 3))),
    ]
    for k, picture in enumerate(drawn):
        root = tree.fromstring(picture.render())
        assert root[0].text == picture.title
        assert len(root[1].text) > 20
        assert "<img" in picture._repr_mimebundle_()["text/html"]
        picture.save(tmp_path / f"{k}.svg")
        picture.save(tmp_path / f"{k}.png")
        assert (tmp_path / f"{k}.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"path must end in .svg or .png"):
        drawn[0].save(tmp_path / "a.jpg")
    with pytest.raises(ValueError, match="head must be less than 400 cells from tail"):
        tracing.draw_steps((0, 0), (0, 1000))
    with pytest.raises(ValueError, match="counts must be numbers of shape"):
        tracing.draw_coverage(np.zeros(3))
    with pytest.raises(ValueError, match="counts must be finite"):
        tracing.draw_coverage([[1.0, np.nan]])


def test_threads_must_be_between_0_and_1024():
    segments = [(0, 0, 2, 2), (0, 2, 2, 0)]
    counts = tracing.coverage((3, 3), segments, threads=1)
    for threads in (-1, 1025, 2**63):
        with pytest.raises(ValueError, match=f"threads must be between 0 and 1024, got {threads}"):
            tracing.coverage((3, 3), segments, threads=threads)
        with pytest.raises(ValueError, match=f"threads must be between 0 and 1024, got {threads}"):
            tracing.paint(np.zeros((3, 3), np.uint8), segments, [1, 2], threads=threads)
    for threads in (0, 7, 1024):
        board = np.zeros((3, 3), np.uint8)
        tracing.paint(board, segments, [1, 2], threads=threads)
        assert ((board > 0) == (counts > 0)).all()
        assert (tracing.coverage((3, 3), segments, threads=threads) == counts).all()


def test_painting_no_segments_takes_no_values_and_changes_nothing():
    board = np.zeros((2, 2), np.int32)
    tracing.paint(board, [], [])
    assert not board.any()


def test_coordinates_out_of_bounds_are_refused():
    for far in (2**30 + 1, 2**63, 2**70, -(2**70), float("inf"), float("nan")):
        with pytest.raises(ValueError, match=r"must (lie within 2\^30 cells|be finite)"):
            tracing.trace((0, 0), (far, 0))
        with pytest.raises(ValueError, match=r"must (lie within 2\^30 cells|be finite)"):
            tracing.trace_many([(0, 0, far, 1)])


def test_a_reversed_segment_has_the_same_cells_even_along_borders():
    rng = np.random.default_rng(1)
    for _ in range(300):
        tail, head = rng.integers(-12, 13, (2, 2)) / 4
        assert tracing.trace(head, tail).tolist() == tracing.trace(tail, head).tolist()[::-1]
        there, back = (tracing.trace(*ends, "supercover").tolist() for ends in ((tail, head), (head, tail)))
        assert sorted(there) == sorted(back)
