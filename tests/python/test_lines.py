"""Tests of ``gridwright.tracing`` with float ends, compared with short functions that compute in exact fractions."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from gridwright import tracing
from hypothesis import given, settings
from hypothesis import strategies as st


def crossed(tail, head, origin="center"):
    """Returns the cells of the thin line, computed from its definition in fractions."""
    shift = Fraction(1, 2) if origin == "center" else 0
    tail, head = ([Fraction(x) + shift for x in end] for end in (tail, head))
    times = {Fraction(0), Fraction(1)}
    for a, b in zip(tail, head, strict=True):
        low, high = sorted((math.floor(a), math.floor(b)))
        if a != b:
            times |= {(k - a) / (b - a) for k in range(low, high + 1) if 0 < (k - a) / (b - a) < 1}
    cells = []
    for before, after in itertools.pairwise(sorted(times)):
        t = (before + after) / 2
        cell = [math.floor(a + t * (b - a)) for a, b in zip(tail, head, strict=True)]
        if not cells or cells[-1] != cell:
            cells.append(cell)
    return cells


def touched(tail, head, origin="center"):
    """Returns the supercover, computed in fractions: the closed cells that the segment touches.

    The cells are in the order of first contact. Cells touched at the same time are ordered by column, row and layer,
    each in the direction of the segment.
    """
    shift = Fraction(1, 2) if origin == "center" else 0
    tail, head = ([Fraction(x) + shift for x in end] for end in (tail, head))
    found = []
    ranges = [range(math.floor(min(a, b)) - 1, math.floor(max(a, b)) + 2) for a, b in zip(tail, head, strict=True)]
    for cell in itertools.product(*ranges):
        begin, end = Fraction(0), Fraction(1)
        for k, a, b in zip(cell, tail, head, strict=True):
            if a != b:
                enter, leave = sorted(((k - a) / (b - a), (k + 1 - a) / (b - a)))
                begin, end = max(begin, enter), min(end, leave)
            elif not k <= a <= k + 1:
                end = Fraction(-1)
        if begin <= end:
            ahead = [k if b >= a else -k for k, a, b in zip(cell, tail, head, strict=True)]
            found.append((begin, ahead[::-1], list(cell)))
    return [cell for _, _, cell in sorted(found)]


def beside(x):
    """Returns a double and the next double on either side."""
    return [x, math.nextafter(x, math.inf), math.nextafter(x, -math.inf)]


HARD = sorted(
    {y for x in (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 2.5) for y in beside(x)} | {5e-324, -1e-310, 1e-17, 0.1, -0.7}
)
number = st.one_of(
    st.sampled_from(HARD),
    st.floats(-6, 6),
    st.integers(-24, 24).map(lambda k: k / 4),
    st.integers(-6000, 6000).map(lambda k: k / 1000),
    st.tuples(st.integers(-5, 5), st.integers(20, 1074)).map(lambda parts: parts[0] + 2.0 ** -parts[1]),
)
segment = st.sampled_from([2, 3]).flatmap(lambda rank: st.tuples(*[st.tuples(*[number] * rank)] * 2))
origins = st.sampled_from(["center", "corner"])


@settings(max_examples=800, deadline=None)
@given(segment, origins)
def test_thin_lines_agree_with_fractions_in_both_directions(ends, origin):
    tail, head = ends
    cells = tracing.trace(tail, head, origin=origin).tolist()
    assert cells == crossed(tail, head, origin)
    assert tracing.trace(head, tail, origin=origin).tolist() == cells[::-1]
    assert tracing.trace(tail, tail, origin=origin).tolist() == crossed(tail, tail, origin)
    assert tracing.cell_count([[*tail, *head]], origin=origin).tolist() == [len(cells)]
    steps = tracing.trace_steps(tail, head, origin=origin)
    names = ["layer", "row", "col"][-len(tail) :]
    assert np.stack([steps[name] for name in names], axis=1).tolist() == cells
    check_times(steps, names)


def check_times(steps: dict[str, np.ndarray], names: list[str]) -> None:
    """Checks that the borders with the smallest ``t_max`` are crossed next, and that ``t_max`` never decreases."""
    cells = np.stack([steps[name] for name in names], axis=1)
    times = np.stack([steps[f"t_max_{name}"] for name in names], axis=1)
    across = np.diff(cells, axis=0) != 0
    least = times[:-1].min(axis=1, keepdims=True)
    assert (times[:-1] == least)[across].all()
    assert (times[1:] >= times[:-1]).all()


def test_the_times_of_steps_agree_with_the_borders_that_are_crossed():
    # Of 20,000 lines between decimal numbers, a few have times that are rounded in the wrong order.
    ends = np.round(np.random.default_rng(2).uniform(-3, 3, (20_000, 4)), 1)
    for row in [[0.8, 1.1, 2.0, 3.5], [0.5, -2.0, -0.1, 4.0], *ends.tolist()]:
        check_times(tracing.trace_steps(row[:2], row[2:]), ["row", "col"])
    world = (0.1, 0.3, 0.0, 0.2, -0.1, 0.0)
    for row in ends[:2000].tolist():
        check_times(tracing.trace_steps(row[:2], row[2:], transform=world), ["row", "col"])


@settings(max_examples=250, deadline=None)
@given(segment, origins)
def test_the_supercover_agrees_with_fractions(ends, origin):
    tail, head = ends
    assert tracing.trace(tail, head, "supercover", origin=origin).tolist() == touched(tail, head, origin)


def test_the_supercover_orders_ties_the_same_for_whole_numbers_and_floats():
    for vector in itertools.product(range(-6, 7), repeat=2):
        ends = np.array([[3, -2, 3 + vector[0], vector[1] - 2]])
        expected = touched(ends[0, :2].tolist(), ends[0, 2:].tolist())
        assert tracing.trace(ends[0, :2], ends[0, 2:], "supercover").tolist() == expected
        # A second segment with a fractional coordinate makes the engine trace both segments as floats.
        both = tracing.trace_many(np.stack([ends[0], ends[0] + (1e-3, 0, 0, 0)]), "supercover")
        assert both[0][: both[1][1]].tolist() == expected


def test_short_segments_between_hard_numbers_agree_with_fractions_in_both_directions():
    few = [-0.5, 0.0, 0.5, math.nextafter(0.5, 0), math.nextafter(0.5, 1), 5e-324, 1.0, 1.5]
    ends = np.array(list(itertools.product(few, repeat=4)))
    for origin in ("center", "corner"):
        cells, offsets = tracing.trace_many(ends, origin=origin)
        back, back_offsets = tracing.trace_many(ends[:, [2, 3, 0, 1]], origin=origin)
        assert (offsets == back_offsets).all()
        for k, row in enumerate(ends.tolist()):
            listed = cells[offsets[k] : offsets[k + 1]].tolist()
            assert listed == back[offsets[k] : offsets[k + 1]].tolist()[::-1]
            if k % 7 == 0:
                assert listed == crossed(row[:2], row[2:], origin)


@pytest.mark.parametrize(("kind", "first"), [(np.float32, 8388610), (np.float32, 2**25), (np.float16, 1026)])
@pytest.mark.filterwarnings("error")
def test_short_floats_are_converted_exactly(kind, first):
    # Beyond 2^25, float32 holds every fourth whole number only.
    ends = 4 * np.array([[0, 1, 2, 4], [1, 1, 1, 3]]) + first
    short, doubles = ends.astype(kind), ends.astype(float)
    assert (short == ends).all()
    for origin in ("corner", "center"):
        assert tracing.cell_count(short, origin=origin).tolist() == tracing.cell_count(doubles, origin=origin).tolist()
        found, expected = tracing.trace_many(short, origin=origin), tracing.trace_many(doubles, origin=origin)
        assert all((one == two).all() for one, two in zip(found, expected, strict=True))
        if first < 1050:
            one, two = np.zeros((2, 1050, 1050), np.uint8)
            tracing.paint(one, short, 1, origin=origin)
            tracing.paint(two, doubles, 1, origin=origin)
            assert one.any()
            assert (one == two).all()
    with pytest.raises(ValueError, match="centers of cells"):
        tracing.trace_many(short, "bresenham", origin="corner")


def test_lines_between_whole_numbers_agree_with_fractions():
    rng = np.random.default_rng(4)
    for kind in (np.int64, np.float64, np.float32, np.uint8):
        ends = rng.integers(0, 40, size=(200, 4)).astype(kind)
        cells, offsets = tracing.trace_many(ends)
        for k, row in enumerate(ends.tolist()):
            assert cells[offsets[k] : offsets[k + 1]].tolist() == crossed(row[:2], row[2:])
        for method in ("amanatides-woo", "supercover", "bresenham", "dda"):
            moved, moved_offsets = tracing.trace_many(ends + 0.5, method, origin="corner")
            same, same_offsets = tracing.trace_many(ends, method)
            assert (moved == same).all()
            assert (moved_offsets == same_offsets).all()
            # With a shape, whole numbers are traced as floats; the cells and their order must not change.
            if method in ("amanatides-woo", "supercover"):
                floats, _ = tracing.trace_many(ends, method, shape=(40, 40))
                assert (floats == same).all()


def test_long_lines_and_lines_far_from_the_origin_are_exact():
    far = 2.0**30
    tail, head = (-far, 0.25), (far, 1e-300)
    board = np.zeros((3, 3), np.uint8)
    tracing.paint(board, [[*tail, *head]], 1, clip=True, origin="corner")
    assert board.tolist() == [[1, 0, 0], [1, 0, 0], [1, 0, 0]]
    cells, _ = tracing.trace_many([[-far, -far, far, far], [far, -far, -far, far]], shape=(3, 3))
    assert cells.tolist() == [[0, 0], [1, 1], [2, 2], [0, 0]]
    for shift in (0, 5e-324, 1e-17, 0.1):
        row = [far - 9, far - 5.5, far - 2.25, far - 4 - shift]
        assert tracing.trace(row[:2], row[2:], origin="corner").tolist() == crossed(row[:2], row[2:], "corner")


def hard_segments(rng, count, rank, size):
    """Returns segments near the origin, about a tenth of which are single points.

    Each coordinate is a multiple of 1/4, a double adjacent to a multiple of 1/4, a random double, a number with one
    decimal place, or a number from 0 to 1e-310.
    """
    places = rng.integers(-4 * size, 4 * size, (count, 2 * rank)) / 4
    kinds = rng.integers(0, 6, (count, 2 * rank))
    spread = rng.uniform(-size, size, (count, 2 * rank))
    choices = [
        places,
        spread,
        np.round(spread, 1),
        np.nextafter(places, 9),
        np.nextafter(places, -9),
        places % 1 * 1e-310,
    ]
    ends = np.choose(kinds.astype(np.intp), choices)
    same = rng.random(count) < 0.1
    ends[same, rank:] = ends[same, :rank]
    return ends


def test_clipping_keeps_exactly_the_cells_of_the_line_inside_the_board():
    rng = np.random.default_rng(7)
    for shape, origin in itertools.product([(5, 4), (1, 7), (4, 3, 5), (0, 3)], ["center", "corner"]):
        ends = hard_segments(rng, 500, len(shape), 9)
        for method in ("amanatides-woo", "supercover"):
            cells, offsets = tracing.trace_many(ends, method, origin=origin)
            inside = ((cells >= 0) & (cells < shape)).all(axis=1)
            values = np.repeat(np.arange(1, 501), np.diff(offsets).astype(np.intp))
            expected, counts = np.zeros(shape, np.int32), np.zeros(shape, np.uint32)
            for cell, value in zip(cells[inside].tolist(), values[inside].tolist(), strict=True):
                expected[tuple(cell)] = value
                counts[tuple(cell)] += 1
            for threads in (1, 3):
                board = np.zeros(shape, np.int32)
                tracing.paint(board, ends, np.arange(1, 501), method, origin=origin, clip=True, threads=threads)
                assert (board == expected).all()
                found = tracing.coverage(shape, ends, method, origin=origin, clip=True, threads=threads)
                assert (found == counts).all()
            listed, _ = tracing.trace_many(ends, method, origin=origin, shape=shape)
            assert (listed == cells[inside]).all()


def test_coverage_counts_the_cells_of_all_lines():
    rng = np.random.default_rng(8)
    for size, scale in ((60, 1), (300, 10)):
        for ends in (rng.random((400, 4)) * size, rng.integers(0, size * scale, (400, 4)) / scale):
            cells, _ = tracing.trace_many(ends, origin="corner")
            expected = np.bincount(cells @ (size, 1), minlength=size * size).reshape(size, size)
            for threads in (1, 2, 5):
                assert (tracing.coverage((size, size), ends, origin="corner", threads=threads) == expected).all()


def test_coverage_lengths_and_first_hits_of_long_lines_agree_with_their_cells():
    # Most lines cross hundreds of columns. Some of them meet corners in some blocks of columns but not in others. The
    # ends are random doubles, whole numbers, doubles next to whole numbers, or decimals. Some lines have slope 3, and
    # some are almost horizontal.
    rng = np.random.default_rng(12)
    size = 3000
    ends = rng.random((240, 4)) * size
    ends[80:160] = np.round(ends[80:160])
    ends[120:160, 2] = ends[120:160, 0] + 3 * (ends[120:160, 3] - ends[120:160, 1])  # many lines leave the board
    ends[140:150] = np.nextafter(ends[140:150], np.inf)
    ends[160:200] = np.round(ends[160:200], 1)
    ends[200:220, 2] = ends[200:220, 0] + 0.25 * rng.random(20)
    for origin in ("corner", "center"):
        cells, offsets = tracing.trace_many(ends, origin=origin)
        inside = ((cells >= 0) & (cells < size)).all(axis=1)
        owner = np.repeat(np.arange(240), np.diff(offsets).astype(np.intp))[inside]
        flat = cells[inside] @ (size, 1)
        counts = tracing.coverage((size, size), ends, origin=origin, clip=True)
        assert (counts.ravel() == np.bincount(flat, minlength=size * size)).all()
        matrix = tracing.system_matrix((size, size), ends, origin=origin)
        assert (matrix.indices == flat).all()
        listed = tracing.lengths(ends, origin=origin)
        assert (listed[0] == cells).all()
        sums = np.add.reduceat(listed[2], offsets[:-1].astype(np.intp))
        assert np.allclose(sums, np.hypot(*(ends[:, :2] - ends[:, 2:]).T), rtol=1e-13)
        blocked = rng.random((size, size)) < 0.002
        met = blocked.ravel()[flat]
        expected = np.full(240, -1)
        expected[owner[met][::-1]] = flat[met][::-1]
        assert (tracing.first_hit(blocked, ends, origin=origin) == expected).all()


def test_bresenham_dda_wu_and_the_float_traversal_are_clipped():
    ends = np.array([[-3, -2, 6, 9], [2, 2, 2, 2], [0, 9, 4, -9]])
    for method in ("bresenham", "dda", "wu", "amanatides-woo-float"):
        cells = tracing.trace_many(ends, method)[0]
        inside = ((cells >= 0) & (cells < 5)).all(axis=1)
        counts = np.bincount(cells[inside] @ (5, 1), minlength=25).reshape(5, 5)
        assert (tracing.coverage((5, 5), ends, method, clip=True) == counts).all()
        board = np.zeros((5, 5))
        tracing.paint(board, ends, 1.0, method, clip=True)
        assert ((board > 0) == (counts > 0)).all()


def measured(tail, head, cell, origin):
    """Returns the length of a segment within a closed cell that it crosses, divided by the length of the segment."""
    shift = Fraction(1, 2) if origin == "center" else 0
    begin, end = Fraction(0), Fraction(1)
    for k, a, b in zip(cell, tail, head, strict=True):
        if a != b:
            a, b = Fraction(a) + shift, Fraction(b) + shift
            enter, leave = sorted(((k - a) / (b - a), (k + 1 - a) / (b - a)))
            begin, end = max(begin, enter), min(end, leave)
    return end - begin


def whole_length(tail, head):
    """Returns the length of a segment as a fraction, rounded down with a precision of about 120 bits."""
    square = sum((Fraction(b) - Fraction(a)) ** 2 for a, b in zip(tail, head, strict=True))
    scale = 2 ** (2 * max(0, 120 - square.numerator.bit_length() // 2 + square.denominator.bit_length() // 2))
    return Fraction(math.isqrt(square.numerator * scale // square.denominator), math.isqrt(scale))


@settings(max_examples=300, deadline=None)
@given(segment, origins)
def test_errors_of_lengths_are_at_most_four_units_in_the_last_place(ends, origin):
    tail, head = ends
    cells, offsets, found = tracing.lengths([[*tail, *head]], origin=origin)
    assert cells.tolist() == crossed(tail, head, origin)
    assert offsets.tolist() == [0, len(cells)]
    whole = whole_length(tail, head)
    unit = Fraction(math.ulp(float(whole)))
    for cell, length in zip(cells.tolist(), found.tolist(), strict=True):
        assert abs(Fraction(length) - whole * measured(tail, head, cell, origin)) <= 4 * unit
    assert abs(sum(map(Fraction, found.tolist())) - whole) <= 4 * unit


def test_errors_of_lengths_do_not_grow_along_long_lines():
    rng = np.random.default_rng(3)
    for rank in (2, 3):
        tail, head = rng.uniform(-4000, 4000, (2, rank)).tolist()
        cells, _, found = tracing.lengths([[*tail, *head]])
        whole = whole_length(tail, head)
        unit = Fraction(math.ulp(float(whole)))
        for k in rng.integers(0, len(cells), 400).tolist():
            assert abs(Fraction(found[k]) - whole * measured(tail, head, cells[k].tolist(), "center")) <= 4 * unit
        assert abs(sum(map(Fraction, found.tolist())) - whole) <= 4 * unit


def test_errors_of_lengths_near_successive_corners_do_not_add_up():
    for tail, head in [((33.5, 55.5), (-20.5, -52.5)), ((0.1, 0.2), (60.1, 180.2)), ((44, -51), (-18, -20))]:
        for nudge in (-math.inf, 0.0, math.inf):
            ends = (*tail, head[0], math.nextafter(head[1], nudge) if nudge else head[1])
            for origin in ("center", "corner"):
                cells, _, found = tracing.lengths([ends], origin=origin)
                whole = whole_length(ends[:2], ends[2:])
                unit = Fraction(math.ulp(float(whole)))
                assert abs(sum(map(Fraction, found.tolist())) - whole) <= 4 * unit
                for cell, length in zip(cells.tolist(), found.tolist(), strict=True):
                    exact = whole * measured(ends[:2], ends[2:], cell, origin)
                    assert abs(Fraction(length) - exact) <= 4 * unit


def test_the_system_matrix_holds_the_lengths_within_the_cells_of_the_array():
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(5)
    for shape in ((6, 4), (3, 4, 5)):
        ends = hard_segments(rng, 200, len(shape), 8)
        matrix = tracing.system_matrix(shape, ends)
        assert isinstance(matrix, sparse.csr_array)
        assert matrix.shape == (200, math.prod(shape))
        cells, offsets, found = tracing.lengths(ends)
        dense = np.zeros((200, *shape))
        for k in range(200):
            for cell, length in zip(
                cells[offsets[k] : offsets[k + 1]], found[offsets[k] : offsets[k + 1]], strict=True
            ):
                if (cell >= 0).all() and (cell < shape).all():
                    dense[(k, *cell)] = length
        assert np.allclose(matrix.toarray(), dense.reshape(200, -1), rtol=0, atol=1e-12)
        listed = tracing.lengths(ends, shape)
        assert (listed[2] == matrix.data).all()
        assert (np.ravel_multi_index(listed[0].T, shape) == matrix.indices).all()


def test_projections_along_parallel_beams_agree_with_scikit_image():
    transform = pytest.importorskip("skimage.transform")
    size = 65  # odd, so that scikit-image rotates about the center of the array
    y, x = np.mgrid[:size, :size] - (size - 1) / 2
    image = np.exp(-((x - 9) ** 2 + (y + 5) ** 2) / 40) + np.exp(-((x + 12) ** 2 + (y - 3) ** 2) / 90)
    image[x**2 + y**2 > 28**2] = 0  # scikit-image expects zeros outside the circle
    degrees = np.arange(0, 180, 15.0)
    rays = tracing.parallel_beam((size, size), np.radians(degrees), size)
    found = (tracing.system_matrix((size, size), rays) @ image.ravel()).reshape(len(degrees), size)
    expected = transform.radon(image, degrees, circle=True).T
    assert np.abs(found - expected).max() < 0.02 * expected.max()
    fan = tracing.fan_beam((size, size), [0.0, np.pi], 5, source=1e6, detector=50)
    straight = tracing.parallel_beam((size, size), [0.0, np.pi], 5)
    assert (tracing.parallel_beam(iter((size, size)), [0.0, np.pi], 5) == straight).all()
    assert (
        np.abs((tracing.system_matrix((size, size), fan) - tracing.system_matrix((size, size), straight)).sum()) < 0.1
    )


def test_the_first_hit_is_the_first_blocked_cell_that_trace_lists():
    rng = np.random.default_rng(6)
    # On the large board, which has few blocked cells, many rays cross several columns before they come close to a
    # corner.
    for shape, density in (((7, 9), 0.2), ((70, 60), 0.004), ((4, 5, 6), 0.2)):
        blocked = rng.random(shape) < density
        ends = hard_segments(rng, 600, len(shape), max(10, *shape))
        if density < 0.1:
            ends[::2] = rng.integers(0, shape * 2, (300, 4))
        hits = tracing.first_hit(blocked, ends)
        for k, hit in enumerate(hits.tolist()):
            cells = tracing.trace(ends[k, : len(shape)], ends[k, len(shape) :]).tolist()
            inside = [cell for cell in cells if all(0 <= i < n for i, n in zip(cell, shape, strict=True))]
            met = [cell for cell in inside if blocked[tuple(cell)]]
            assert hit == (np.ravel_multi_index(met[0], shape) if met else -1)


def test_sight_is_mutual_and_stops_at_walls():
    rng = np.random.default_rng(9)
    for shape in ((8, 7), (4, 3, 4)):
        blocked = rng.random(shape) < 0.3
        cells = list(np.ndindex(shape))
        sees = np.stack([tracing.visible(blocked, cell).ravel() for cell in cells])
        assert (sees == sees.T).all()
        assert sees.diagonal().all()
        assert 0.1 < sees.mean() < 0.9
        for k in rng.integers(0, len(cells), 40).tolist():
            for j in rng.integers(0, len(cells), 20).tolist():
                between = crossed(cells[k], cells[j])[1:-1]
                assert sees[k, j] == (not any(blocked[tuple(cell)] for cell in between))
        near = tracing.visible(blocked, cells[5], radius=2.5)
        distance = np.linalg.norm(np.array(cells) - cells[5], axis=1)
        assert (near.ravel() == (sees[5] & (distance <= 2.5))).all()
    assert tracing.visible(np.zeros((3, 4), bool), (2, 2)).all()


def test_sight_over_larger_arrays_agrees_with_the_traced_lines():
    rng = np.random.default_rng(13)
    for share in (0.0, 0.01, 0.06, 0.3):
        shape = tuple(rng.integers(1, 60, 2).tolist())
        blocked = rng.random(shape) < share
        cells = np.argwhere(np.ones(shape, bool))
        for start in (cells[0], cells[-1], *rng.choice(cells, 4)):
            listed, offsets = tracing.trace_many(np.hstack([np.broadcast_to(start, cells.shape), cells]))
            walls = blocked[tuple(listed.T)]
            walls[offsets[:-1]] = walls[offsets[1:] - 1] = False
            hidden = np.add.reduceat(walls, offsets[:-1].astype(np.intp), dtype=np.int64) > 0
            assert (tracing.visible(blocked, start).ravel() == ~hidden).all()
            near = np.hypot(*(cells - start).T) <= 9.5
            assert (tracing.visible(blocked, start, 9.5).ravel() == (~hidden & near)).all()


def world(transform, row, col):
    """Returns the world coordinates (x, y) of a fractional row and column, as fractions."""
    a, b, c, d, e, f = map(Fraction, transform)
    return a * col + b * row + c, d * col + e * row + f


def grid(transform, x, y):
    """Returns the row and the column of the point with world coordinates (x, y), as fractions."""
    a, b, c, d, e, f = map(Fraction, transform)
    x, y = Fraction(x) - c, Fraction(y) - f
    return (a * y - d * x) / (a * e - b * d), (e * x - b * y) / (a * e - b * d)


TRANSFORMS = [
    (1, 0, 0, 0, 1, 0),
    (30.0, 0.0, 499980.0, 0.0, -30.0, 4200000.0),
    (0.1, 0.0, -0.3, 0.0, -0.1, 0.7),
    (0.3, 0.4, 1e-3, -0.4, 0.3, 7.1),
    (1e-300, 2e-300, 0.0, -3e-301, 1e-300, 0.0),
    (-2.5, 1.25, 3.0, 1e-17, -1.0, 0.1),
]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(TRANSFORMS), st.lists(st.integers(-60, 60), min_size=4, max_size=4), st.booleans())
def test_a_transform_is_applied_with_the_exact_values_of_its_six_floats(transform, quarters, nudge):
    places = [Fraction(k, 4 if nudge else 12) for k in quarters]
    tail = [float(x) for x in world(transform, *places[:2])]
    head = [float(x) for x in world(transform, *places[2:])]
    if nudge:
        head[0] = math.nextafter(head[0], math.inf)
    expected = crossed(grid(transform, *tail), grid(transform, *head), "corner")
    assert tracing.trace(tail, head, transform=transform).tolist() == expected
    assert tracing.trace(head, tail, transform=transform).tolist() == expected[::-1]
    ends = [[*tail, *head]]
    expected = touched(grid(transform, *tail), grid(transform, *head), "corner")
    assert tracing.trace(tail, head, "supercover", transform=transform).tolist() == expected
    cells, _, found = tracing.lengths(ends, transform=transform)
    whole = whole_length(tail, head)
    unit = Fraction(math.ulp(float(whole)))
    rows, cols = zip(grid(transform, *tail), grid(transform, *head), strict=True)
    for cell, length in zip(cells.tolist(), found.tolist(), strict=True):
        part = measured((rows[0], cols[0]), (rows[1], cols[1]), cell, "corner")
        assert abs(Fraction(length) - whole * part) <= 4 * unit


def test_the_identity_transform_equals_the_corner_origin_with_x_before_y():
    rng = np.random.default_rng(2)
    ends = hard_segments(rng, 300, 2, 9)
    world = ends[:, [1, 0, 3, 2]]
    for shape in (None, (4, 6)):
        one = tracing.trace_many(ends, origin="corner", shape=shape)
        two = tracing.trace_many(world, transform=(1, 0, 0, 0, 1, 0), shape=shape)
        assert all((a == b).all() for a, b in zip(one, two, strict=True))
    boards = [np.zeros((6, 5), np.uint8) for _ in range(2)]
    tracing.paint(boards[0], ends, 1, origin="corner", clip=True)
    tracing.paint(boards[1], world, 1, transform=(1, 0, 0, 0, 1, 0, 0, 0, 1), clip=True, threads=2)
    assert (boards[0] == boards[1]).all()


def test_errors_name_the_wrong_segment_or_argument():
    for part, message in [
        ([0, 0, float("nan"), 1], "segment 1 must be finite, got"),
        ([0, float("-inf"), 0, 1], "segment 1 must be finite, got"),
        ([0, 0.5, 2.0**30 + 1, 1], "segment 1 must lie within 2\\^30 cells of the origin, got"),
    ]:
        for call in (tracing.trace_many, tracing.lengths, tracing.cell_count):
            with pytest.raises(ValueError, match=message):
                call([[0, 0.5, 1, 1], part])
    with pytest.raises(ValueError, match="segment 1 must lie within 2\\^30 cells"):
        tracing.trace_many([[0, 0, 1, 1], [0, 0, 2.0**40, 1]], transform=(0.5, 0, 0, 0, 0.5, 0))
    with pytest.raises(TypeError, match="tail must be a point .* of ints or floats, got .*; convert them with float"):
        tracing.trace((Fraction(1, 3), 0), (1, 1))
    with pytest.raises(TypeError, match=r"head must be a point .* of ints or floats, got \(1, 'a'\)"):
        tracing.trace((0, 0), (1, "a"))
    for flag in (True, np.True_):
        with pytest.raises(TypeError, match=r"head must be a point .* of ints or floats, got \(1, .*True_?\)"):
            tracing.trace((0, 0), (1, flag))
    for far in (2**30 + 1, -(2**40), 2.0**40):
        with pytest.raises(ValueError, match="head must lie within 2\\^30 cells of the origin, got"):
            tracing.trace((0, 0), (far, 1))
        assert len(tracing.trace((0, 0), (far, 0), transform=(2.0**40, 0, 0, 0, 1, 0))) in (1, 2)
    with pytest.raises(TypeError, match="segments must be ints or floats, got Decimal"):
        tracing.trace_many([[Decimal("0.1"), 0, 1, 1]])
    with pytest.raises(TypeError, match="segments must be ints or floats of up to 64 bits, got bool"):
        tracing.trace_many(np.ones((1, 4), bool))
    with pytest.raises(TypeError, match=r"got <U|got str"):
        tracing.trace_many([["a", "b", "c", "d"]])
    with pytest.raises(ValueError, match="origin must be 'center' or 'corner', got 'middle'"):
        tracing.trace((0, 0), (1, 1), origin="middle")
    for method in ("bresenham", "dda", "wu"):
        with pytest.raises(ValueError, match=f"unless all ends are centers of cells in two dimensions, got '{method}'"):
            tracing.trace((0, 0.5), (1, 1), method)
    for method in ("bresenham", "dda", "wu"):
        with pytest.raises(ValueError, match=f"'amanatides-woo-float' with a shape, got '{method}'"):
            tracing.trace_many([(0, 0, 1, 3)], method, shape=(5, 5))
        for ends, origin in ((((0, 0), (1, 3)), "center"), (((0.5, 0.5), (1.5, 3.5)), "corner")):
            with pytest.raises(ValueError, match=f"must be 'amanatides-woo' or 'amanatides-woo-float', got '{method}'"):
                tracing.trace_steps(*ends, method, origin=origin)
    with pytest.raises(TypeError, match="segments must be ints or floats of up to 64 bits, got object"):
        tracing.trace_many(np.array([[0, 0, 1, 3]], dtype=object))
    with pytest.raises(ValueError, match="transform must have an inverse"):
        tracing.trace((0, 0), (1, 1), transform=(1, 2, 0, 2, 4, 0))
    with pytest.raises(ValueError, match="transform must be six numbers"):
        tracing.trace((0, 0), (1, 1), transform=(1, 2, 3))
    with pytest.raises(ValueError, match="must be of shape \\(m, 4\\) with a transform"):
        tracing.trace((0, 0, 0), (1, 1, 1), transform=(1, 0, 0, 0, 1, 0))
    with pytest.raises(ValueError, match="method must be .* with a transform, got 'amanatides-woo-float'"):
        tracing.trace((0, 0), (1, 1), "amanatides-woo-float", transform=(1, 0, 0, 0, 1, 0))
    with pytest.raises(ValueError, match="cell must be a cell"):
        tracing.visible(np.zeros((3, 3), bool), (3, 0))
    with pytest.raises(TypeError, match="blocked must be bools"):
        tracing.first_hit(np.zeros((3, 3)), [[0, 0, 1, 1]])
    with pytest.raises(ValueError, match="3 x 3 x 3 board, got"):
        tracing.paint(np.zeros((3, 3, 3)), [[0, 0, 0, 2, 2, 2.75]], 1.0)


def test_the_traversal_in_floats_takes_any_ends_and_is_sometimes_wrong():
    rng = np.random.default_rng(1)
    ends = np.round(rng.uniform(0, 30, (3000, 4)), 1)
    exact, offsets = tracing.trace_many(ends, origin="corner")
    floats, float_offsets = tracing.trace_many(ends, "amanatides-woo-float", origin="corner")
    equal = 0
    for k in range(len(ends)):
        one, two = exact[offsets[k] : offsets[k + 1]], floats[float_offsets[k] : float_offsets[k + 1]]
        equal += len(one) == len(two) and bool((one == two).all())
    assert 1500 < equal < 2999
    steps = tracing.trace_steps((0.25, 0.5), (2.75, 3.5), "amanatides-woo-float", origin="corner")
    assert steps["t_max_row"][0] == pytest.approx(0.75 / 2.5 * math.hypot(2.5, 3.0))


def test_lengths_are_written_into_given_arrays():
    ends = np.random.default_rng(1).uniform(0, 9, (50, 4))
    cells, offsets, lengths = tracing.lengths(ends)
    out = (np.zeros((len(cells) + 60, 2), np.int32), np.zeros(len(cells) + 60))
    again = tracing.lengths(ends, out=out)
    assert all((one == two).all() for one, two in zip((cells, offsets, lengths), again, strict=True))
    assert np.shares_memory(again[0], out[0])
    assert np.shares_memory(again[2], out[1])
    for wrong, message in [
        ((out[0], out[1][:5]), r"out\[1\] must be float64 of shape"),
        ((out[0].astype(float), out[1]), r"out\[0\] must be int32 of shape"),
        ((out[0][:, :1], out[1]), r"out\[0\] must be int32 of shape"),
    ]:
        with pytest.raises(ValueError, match=message):
            tracing.lengths(ends, out=wrong)


def test_lines_with_float_ends_are_drawn():
    picture = tracing.draw_steps((0.3, 0.2), (3, 4.5), origin="corner")
    assert picture.title == "The line from (0.3, 0.2) to (3, 4.5), amanatides-woo: 7 cells"
    assert tracing.draw_methods((0.5, 0), (2, 3.25), "supercover", "amanatides-woo-float").title.startswith("The line")
    with pytest.raises(ValueError, match="to be drawn, got three"):
        tracing.draw_methods((0, 0, 0), (1, 1, 1), "supercover", "amanatides-woo")
    longest = tracing.draw_steps((0, 0.75), (1, 400.5), "amanatides-woo-float")
    assert longest.title.startswith("The line from (0, 0.75) to (1, 400.5)")
    assert longest.description.startswith("The line crosses ")
    assert "table" not in longest.description
    for draw in (tracing.draw_steps, tracing.draw_methods):
        # The length is checked before the line is traced.
        with pytest.raises(ValueError, match="^head must be less than 400 cells from tail to be drawn, got 500000000$"):
            draw((0, 0), (1, 5 * 10**8))
        with pytest.raises(ValueError, match="^head must be less than 400 cells from tail to be drawn, got 400$"):
            draw((0, 0), (1, 400))


def test_progress_is_reported_between_long_segments():
    segments = np.tile([[0.1, 0.2, 100_000.3, 50_000.7]], (120, 1))
    for transform in (None, (1, 0, 0, 0, 1, 0), (0.5, 0.25, 7, 0, -2, 3)):
        reports: list[int] = []
        tracing.trace_many(segments, transform=transform, progress=reports.append)
        assert len(reports) > 1
        assert reports[-1] == 120
