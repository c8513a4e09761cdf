//! Tests of line tracing. Cells, counts and weights of single segments are compared with plain formulas that share no
//! code with the tracers. The functions for many segments are compared with single traces.

use std::collections::BTreeSet;

use gridwright::core::Rng;
use gridwright::tracing::{self, LIMIT, Method, Segment, cell_count, trace};

/// Returns the cells that a segment crosses and, if `touch` is `true`, the cells that it meets only at a corner.
///
/// Let the head be `dr` rows and `dc` columns away from the tail, and the center of a cell in the bounding box `y` rows
/// and `x` columns. The segment crosses the cell if `|dr * x - dc * y| < (|dr| + |dc|) / 2`. At equality, the segment
/// meets a corner of the cell. The code doubles both sides, so that they are whole numbers, and computes in 128 bits.
fn oracle([tail_row, tail_col, head_row, head_col]: Segment, touch: bool) -> BTreeSet<[i32; 2]> {
    let (dr, dc) = ((head_row - tail_row) as i128, (head_col - tail_col) as i128);
    let mut cells = BTreeSet::new();
    for row in tail_row.min(head_row)..=tail_row.max(head_row) {
        for col in tail_col.min(head_col)..=tail_col.max(head_col) {
            let off = 2 * (dr * (col - tail_col) as i128 - dc * (row - tail_row) as i128).abs();
            let reach = dr.abs() + dc.abs();
            if off < reach || (off == reach && touch) || reach == 0 {
                cells.insert([row, col]);
            }
        }
    }
    cells
}

fn set(cells: &[[i32; 2]]) -> BTreeSet<[i32; 2]> {
    cells.iter().copied().collect()
}

/// Returns all segments between cells of a `size` x `size` board: the digits of `i` in base `size` are the coordinates.
fn all_segments(size: i32) -> impl Iterator<Item = Segment> {
    (0..size.pow(4)).map(move |i| [i / size.pow(3), i / size.pow(2) % size, i / size % size, i % size])
}

fn reversed([a, b, c, d]: Segment) -> Segment {
    [c, d, a, b]
}

/// Returns the greatest common divisor by Euclid's algorithm.
fn plain_gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { plain_gcd(b, a % b) }
}

#[test]
fn lines_of_a_board_are_exact_ordered_and_symmetric() {
    for segment in all_segments(12) {
        for (method, touch) in [(Method::AmanatidesWoo, false), (Method::Supercover, true)] {
            let cells = trace(segment, method);
            assert_eq!(set(&cells), oracle(segment, touch), "{segment:?} {method:?}");
            assert_eq!(set(&cells).len(), cells.len(), "{segment:?} {method:?}: a cell is listed twice");
            assert_eq!(cells.len() as u64, cell_count(segment, method));
            assert_eq!(cells[0], [segment[0], segment[1]]);
            assert_eq!(*cells.last().unwrap(), [segment[2], segment[3]]);
            assert_eq!(set(&cells), set(&trace(reversed(segment), method)), "{segment:?} {method:?}: reversed");
        }
        let mut back = trace(reversed(segment), Method::AmanatidesWoo);
        back.reverse();
        let thin = trace(segment, Method::AmanatidesWoo);
        assert_eq!(thin, back, "{segment:?}");
        assert!(thin.windows(2).all(|w| (w[0][0] - w[1][0]).abs() <= 1 && (w[0][1] - w[1][1]).abs() <= 1));
    }
}

#[test]
fn counts_are_those_of_the_walk_for_all_vectors_to_1000() {
    // A thin line from (0, 0) to (a, b) has a + b + 1 cells minus one per corner that it passes through. The supercover
    // adds two cells per corner, so it has a + b + 1 cells plus one per corner. The line passes through g = gcd(a, b)
    // corners if a / g and b / g are odd, and through none otherwise.
    for a in 0..=1000 {
        for b in a..=1000 {
            let mut walked = 0u64;
            tracing::thin([0, 0, a, b], |_, _| walked += 1);
            let g = plain_gcd(a as u64, b as u64).max(1);
            let corner = if a > 0 && (a as u64 / g) % 2 == 1 && (b as u64 / g) % 2 == 1 { g } else { 0 };
            let sum = (a + b + 1) as u64;
            assert_eq!(walked, sum - corner, "({a}, {b})");
            assert_eq!(cell_count([0, 0, a, b], Method::AmanatidesWoo), sum - corner);
            assert_eq!(cell_count([a, 0, 0, b], Method::Supercover), sum + corner);
        }
    }
    for segment in all_segments(9) {
        for method in [Method::Bresenham, Method::Dda, Method::Wu, Method::AmanatidesWooFloat(1e-13)] {
            assert_eq!(trace(segment, method).len() as u64, cell_count(segment, method), "{segment:?} {method:?}");
        }
    }
}

#[test]
fn bresenham_takes_the_nearest_cells_and_often_differs_from_amanatides_woo() {
    let mut same = 0;
    for segment in all_segments(12) {
        let cells = trace(segment, Method::Bresenham);
        let (dr, dc) = ((segment[2] - segment[0]) as i64, (segment[3] - segment[1]) as i64);
        let long = dr.abs().max(dc.abs());
        for (k, &[row, col]) in cells.iter().enumerate() {
            // Step k of `long` steps is at the fraction k / long of the line. Offsets are in units of 1 / (2 * long) of
            // a cell, so half a cell is `long` units, and the nearest cell is at most `long` units away.
            let off_row = 2 * ((row - segment[0]) as i64 * long - dr * k as i64);
            let off_col = 2 * ((col - segment[1]) as i64 * long - dc * k as i64);
            assert!(off_row.abs() <= long && off_col.abs() <= long && (off_row == 0 || off_col == 0), "{segment:?}");
            assert!(
                off_row.abs() < long || off_row.signum() == dr.signum(),
                "{segment:?}: a tie must round toward the head"
            );
            assert!(
                off_col.abs() < long || off_col.signum() == dc.signum(),
                "{segment:?}: a tie must round toward the head"
            );
        }
        same += i32::from(set(&cells) == set(&trace(segment, Method::AmanatidesWoo)));
    }
    // The share of segments for which both methods list the same cells.
    let share = f64::from(same) / 12f64.powi(4);
    assert!((0.35..0.45).contains(&share), "{share}");
}

#[test]
fn dda_rounds_half_up() {
    for segment in all_segments(10) {
        let (dr, dc) = (i64::from(segment[2] - segment[0]), i64::from(segment[3] - segment[1]));
        let long = dr.abs().max(dc.abs()).max(1);
        let expected: Vec<[i32; 2]> = (0..=dr.abs().max(dc.abs()))
            .map(|k| {
                // The floor of start + k * whole / long + 1 / 2, in integers.
                let place = |start: i32, whole: i64| start + (2 * k * whole + long).div_euclid(2 * long) as i32;
                [place(segment[0], dr), place(segment[1], dc)]
            })
            .collect();
        assert_eq!(trace(segment, Method::Dda), expected, "{segment:?}");
    }
}

#[test]
fn weights_of_wu_are_centered_on_the_line() {
    for segment in all_segments(9) {
        let (dr, dc) = (f64::from(segment[2] - segment[0]), f64::from(segment[3] - segment[1]));
        let mut total = 0.0;
        let (mut row_sum, mut col_sum) = (0.0, 0.0);
        tracing::weighted(segment, |row, col, weight| {
            assert!(weight > 0.0 && weight <= 1.0, "{segment:?}");
            // The weight is 1 minus the distance of the center of the cell from the line, along the shorter axis.
            let off = dr * f64::from(col - segment[1]) - dc * f64::from(row - segment[0]);
            let expected = if dr == 0.0 && dc == 0.0 { 1.0 } else { 1.0 - off.abs() / dr.abs().max(dc.abs()) };
            assert!((weight - expected).abs() < 1e-12, "{segment:?}: {weight} at ({row}, {col}), expected {expected}");
            total += weight;
            row_sum += weight * f64::from(row);
            col_sum += weight * f64::from(col);
        });
        let steps = dr.abs().max(dc.abs()) + 1.0;
        assert!((total - steps).abs() < 1e-9);
        assert!((row_sum / steps - f64::from(segment[0] + segment[2]) / 2.0).abs() < 1e-9, "{segment:?}");
        assert!((col_sum / steps - f64::from(segment[1] + segment[3]) / 2.0).abs() < 1e-9, "{segment:?}");
    }
}

#[test]
fn steps_report_the_border_crossed_and_the_next_crossings() {
    let mut steps = Vec::new();
    tracing::steps([0, 0, 1, 3], |step| steps.push((step.row, step.col, step.axis, step.t_max_row, step.t_max_col)));
    let sixth = 1.0 / 6.0;
    assert_eq!(
        steps,
        [(0, 0, -1, 0.5, sixth), (0, 1, 1, 0.5, 0.5), (1, 2, 2, 1.5, 5.0 / 6.0), (1, 3, 1, 1.5, 7.0 / 6.0)]
    );
    for segment in all_segments(7) {
        let mut cells = Vec::new();
        tracing::steps(segment, |step| cells.push([step.row, step.col]));
        assert_eq!(cells, trace(segment, Method::AmanatidesWoo));
    }
}

/// Checks what the notebook on line tracing claims about floats.
#[test]
fn floats_fail_where_the_notebook_states() {
    let fails = |a: i32, b: i32, tolerance: f64| {
        trace([0, 0, a, b], Method::AmanatidesWooFloat(tolerance)) != trace([0, 0, a, b], Method::AmanatidesWoo)
    };
    assert!(fails(3, 1, 0.0));
    for a in 0..62 {
        for b in 0..=a {
            assert!(!fails(a, b, 1e-13), "({a}, {b})");
        }
    }
    assert!(fails(62, 46, 1e-13));
    let corner = all_segments(12).filter(|&segment| tracing::corners(segment) > 0).count();
    let share = corner as f64 / 12f64.powi(4);
    assert!((0.28..0.38).contains(&share), "{share}");
    // Whatever the tolerance, the walk ends.
    for tolerance in [0.0, 1e-13, 0.1, 10.0, f64::INFINITY, f64::NAN, -1.0] {
        for segment in all_segments(6) {
            assert!(trace(segment, Method::AmanatidesWooFloat(tolerance)).len() <= 11);
        }
    }
}

/// Checks the first 3,000 cells of lines between distant points in 128-bit arithmetic, the counts of the longest lines,
/// and the cells of short lines near the bound.
#[test]
fn coordinates_up_to_2_30_do_not_overflow() {
    let mut rng = Rng::new(30);
    for round in 0..200 {
        let mut segment = [0; 4];
        for part in &mut segment {
            *part = if rng.chance(0.5) { *rng.choose(&[-LIMIT, LIMIT]) } else { (rng.bits() as i32) % LIMIT };
        }
        assert!(tracing::in_range(segment));
        let [tail_row, tail_col, head_row, head_col] = segment.map(i128::from);
        let (dr, dc) = (head_row - tail_row, head_col - tail_col);
        for method in [Method::AmanatidesWoo, Method::Supercover, Method::Bresenham, Method::Dda, Method::Wu] {
            assert!(cell_count(segment, method) <= (3 << 31) + 1, "{segment:?}");
        }
        // A walk can take 2^32 steps, and `thin` has no way to stop early, so the closure panics after 3,000 cells.
        let mut seen = 0;
        let walk = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            tracing::thin(segment, |row, col| {
                let off = 2 * (dr * (col as i128 - tail_col) - dc * (row as i128 - tail_row)).abs();
                assert!(off < dr.abs() + dc.abs() || dr == 0 && dc == 0, "round {round}: {segment:?} at {row}, {col}");
                seen += 1;
                if seen == 3000 {
                    std::panic::resume_unwind(Box::new("enough"));
                }
            });
        }));
        assert!(walk.is_ok() || seen == 3000);
    }
    assert_eq!(cell_count([-LIMIT, -LIMIT, LIMIT, LIMIT], Method::AmanatidesWoo), (1 << 31) + 1);
    assert_eq!(cell_count([-LIMIT, LIMIT, LIMIT, -LIMIT], Method::Supercover), 3 * (1 << 31) + 1);
    for far in [[LIMIT - 3, LIMIT - 9, LIMIT, LIMIT], [-LIMIT, LIMIT, -LIMIT + 7, LIMIT - 7]] {
        for method in [Method::AmanatidesWoo, Method::Supercover, Method::Bresenham, Method::Dda, Method::Wu] {
            let near = [0, 0, far[2] - far[0], far[3] - far[1]];
            let moved: Vec<[i32; 2]> = trace(near, method).iter().map(|&[r, c]| [r + far[0], c + far[1]]).collect();
            assert_eq!(trace(far, method), moved, "{far:?} {method:?}");
        }
    }
}

fn random_segments(rng: &mut Rng, n: usize, height: usize, width: usize) -> Vec<Segment> {
    (0..n)
        .map(|_| {
            let mut cell = || [rng.index(height) as i32, rng.index(width) as i32];
            let (tail, head) = (cell(), cell());
            [tail[0], tail[1], head[0], head[1]]
        })
        .collect()
}

const METHODS: [Method; 6] = [
    Method::AmanatidesWoo,
    Method::Supercover,
    Method::Bresenham,
    Method::Dda,
    Method::Wu,
    Method::AmanatidesWooFloat(0.0),
];

#[test]
fn trace_many_equals_single_traces() {
    let mut rng = Rng::new(5);
    let mut segments: Vec<Segment> = all_segments(5).collect();
    segments.extend(random_segments(&mut rng, 2000, 400, 300));
    for method in METHODS {
        let offsets = tracing::offsets(&segments, method).unwrap();
        let total = *offsets.last().unwrap() as usize;
        let (mut cells, mut weights) = (vec![-7; 2 * total], vec![0.0; total]);
        let weights_of = if method == Method::Wu { &mut weights[..] } else { &mut [] };
        tracing::trace_many(&segments, method, &offsets, tracing::Buffers { cells: &mut cells, weights: weights_of });
        for (i, &segment) in segments.iter().enumerate() {
            let found = &cells[2 * offsets[i] as usize..2 * offsets[i + 1] as usize];
            assert_eq!(found, trace(segment, method).concat(), "{segment:?} {method:?}");
        }
        if method == Method::Wu {
            let mut expected = Vec::new();
            for &segment in &segments {
                tracing::weighted(segment, |_, _, weight| expected.push(weight));
            }
            assert_eq!(weights, expected);
        }
    }
    let mut counts = vec![0; segments.len()];
    tracing::cell_counts(&segments, Method::Supercover, &mut counts);
    assert_eq!(counts, segments.iter().map(|&s| trace(s, Method::Supercover).len() as i64).collect::<Vec<_>>());
    assert!(tracing::offsets(&[[-LIMIT, 0, LIMIT, 1]], Method::AmanatidesWoo).is_err());
}

#[test]
fn painting_keeps_the_order_on_any_number_of_threads() {
    let mut rng = Rng::new(11);
    for (height, width, n) in [(1, 1, 3), (1, 40, 30), (40, 1, 30), (13, 17, 400), (90, 61, 700), (300, 7, 300)] {
        let mut segments = random_segments(&mut rng, n, height, width);
        segments.extend(all_segments(height.min(width).min(5) as i32));
        let values: Vec<i32> = (1..=segments.len() as i32).collect();
        let (mut board, mut counts) = (vec![0; height * width], vec![0u32; height * width]);
        for (&segment, &value) in segments.iter().zip(&values) {
            for [row, col] in trace(segment, Method::AmanatidesWoo) {
                board[row as usize * width + col as usize] = value;
                counts[row as usize * width + col as usize] += 1;
            }
        }
        for threads in [0, 1, 2, 3, 7] {
            let mut painted = vec![0; height * width];
            tracing::paint(&mut painted, width, &segments, &values, Method::AmanatidesWoo, threads).unwrap();
            assert_eq!(painted, board, "{height} x {width}, {threads} threads");
            let bytes: Vec<u8> = values.iter().map(|value| (value % 251) as u8).collect();
            let expected: Vec<u8> = board.iter().map(|value| (value % 251) as u8).collect();
            let mut painted = vec![0; height * width];
            tracing::paint(&mut painted, width, &segments, &bytes, Method::AmanatidesWoo, threads).unwrap();
            assert_eq!(painted, expected, "{height} x {width}, {threads} threads");
            let mut covered = vec![0u32; height * width];
            tracing::coverage(&mut covered, width, &segments, Method::AmanatidesWoo, threads).unwrap();
            assert_eq!(covered, counts, "{height} x {width}, {threads} threads");
        }
        for method in [Method::Supercover, Method::Bresenham, Method::Dda] {
            let mut painted = vec![0u8; height * width];
            tracing::paint(&mut painted, width, &segments[..20.min(n)], &[9], method, 1).unwrap();
            let cells: BTreeSet<[i32; 2]> = segments[..20.min(n)].iter().flat_map(|&s| trace(s, method)).collect();
            assert!(
                painted
                    .iter()
                    .enumerate()
                    .all(|(i, &cell)| { (cell == 9) == cells.contains(&[(i / width) as i32, (i % width) as i32]) })
            );
        }
        let wrong = [segments[0], [0, 0, 0, width as i32]];
        assert_eq!(tracing::paint(&mut board, width, &wrong, &[0], Method::AmanatidesWoo, 1), Err(1));
        assert_eq!(tracing::coverage(&mut counts, width, &[[0, -1, 0, 0]], Method::AmanatidesWoo, 2), Err(0));
    }
}

#[test]
fn wu_blends_with_the_values_of_the_board() {
    let mut board = vec![100u8; 6];
    tracing::paint(&mut board, 3, &[[0, 0, 1, 2]], &[0], Method::Wu, 1).unwrap();
    assert_eq!(board, [0, 50, 100, 100, 50, 0]);
    let mut board = vec![0.0; 6];
    tracing::paint(&mut board, 3, &[[0, 0, 1, 2]], &[1.0], Method::Wu, 1).unwrap();
    assert_eq!(board, [1.0, 0.5, 0.0, 0.0, 0.5, 1.0]);
}
