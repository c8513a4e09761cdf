//! Tests of segments with `f64` ends. The fast walkers are compared with the plain, exact walker.

use gridwright::core::{Budget, Error, Rng};
use gridwright::tracing::{Frame, LIMIT, Line, Lines, Rule, Transform, check, plain, visible};

/// Returns a coordinate that a walker can easily get wrong: a border or a center of a cell, a double next to one of
/// these, a whole number plus a small offset, a number near 0, a short decimal, or a random number.
fn hard(rng: &mut Rng, size: i32) -> f64 {
    let whole = f64::from(rng.index(2 * size as usize + 1) as i32 - size);
    match rng.index(9) {
        0 => whole,
        1 => whole + 0.5,
        2 => (whole + 0.5).next_up(),
        3 => (whole + 0.5).next_down(),
        4 => whole.next_up(),
        5 => whole + 2f64.powi(-(rng.index(60) as i32)),
        6 => *rng.choose(&[5e-324, -5e-324, 1e-310, -1e-300, 0.0, -0.0, 1e-17]),
        7 => (whole * 8.0 + rng.index(100) as f64) / 10.0,
        _ => whole + rng.bits() as f64 / u64::MAX as f64,
    }
}

/// Returns `count` random segments. A third of them are special: within one row or layer, almost within one, centered
/// on the origin, or diagonal.
fn segments<const N: usize>(rng: &mut Rng, count: usize, size: i32) -> Vec<[f64; N]> {
    (0..count)
        .map(|k| {
            let mut ends = [0.0; N];
            for x in &mut ends {
                *x = hard(rng, size);
            }
            match k % 12 {
                0 => ends[N / 2] = ends[0],
                1 => (0..N / 2).for_each(|a| ends[N / 2 + a] = -ends[a]),
                2 => ends[N / 2] = ends[0].next_up(),
                3 => (0..N / 2).for_each(|a| ends[N / 2 + a] = ends[a] + f64::from(size)),
                _ => {}
            }
            ends
        })
        .collect()
}

fn listed<const D: usize>(ends: &[f64], frame: &Frame) -> Vec<Vec<[i32; D]>> {
    let (mut cells, mut counts) = (Vec::new(), Vec::new());
    let lines = Lines { ends, frame, rule: Rule::Thin };
    lines.list::<D>(None, &mut cells, &mut counts).unwrap();
    let mut cells = cells.chunks_exact(D).map(|cell| std::array::from_fn(|a| cell[a]));
    counts.iter().map(|&count| cells.by_ref().take(count as usize).collect()).collect()
}

fn compare_with_plain<const D: usize, const N: usize>(seed: u64) {
    let mut rng = Rng::new(seed);
    for size in [1, 5, 40] {
        let many = segments::<N>(&mut rng, 4000, size);
        let turned: Vec<[f64; N]> = many.iter().map(|ends| std::array::from_fn(|a| ends[(a + N / 2) % N])).collect();
        for frame in [Frame::Center, Frame::Corner] {
            assert_eq!(check::<D>(many.as_flattened(), &frame), None);
            let cells = listed::<D>(many.as_flattened(), &frame);
            let back = listed::<D>(turned.as_flattened(), &frame);
            for ((ends, one), other) in many.iter().zip(&cells).zip(&back) {
                assert_eq!(*one, plain(&Line::<D>::new(ends, &frame)), "{ends:?} {frame:?}");
                assert!(one.iter().eq(other.iter().rev()), "{ends:?} {frame:?}: reversed");
            }
        }
    }
}

#[test]
fn fast_walkers_list_the_cells_of_the_plain_walker() {
    compare_with_plain::<2, 4>(1);
    compare_with_plain::<3, 6>(2);
}

#[test]
fn coverage_counts_the_cells_of_the_plain_walker() {
    let mut rng = Rng::new(3);
    for (shape, size) in [([7, 9], 12), ([40, 23], 30), ([1, 50], 40), ([60, 1], 40)] {
        let many = segments::<4>(&mut rng, 1500, size);
        for frame in [Frame::Center, Frame::Corner] {
            let mut expected = vec![0u32; shape[0] * shape[1]];
            for ends in &many {
                for [row, col] in plain(&Line::<2>::new(ends, &frame)) {
                    if (0..shape[0] as i32).contains(&row) && (0..shape[1] as i32).contains(&col) {
                        expected[row as usize * shape[1] + col as usize] += 1;
                    }
                }
            }
            for threads in [1, 2, 5] {
                let mut counts = vec![0u32; expected.len()];
                let lines = Lines { ends: many.as_flattened(), frame: &frame, rule: Rule::Thin };
                lines.coverage(&mut counts, &shape, threads);
                assert_eq!(counts, expected, "{shape:?} {frame:?} {threads}");
            }
        }
    }
}

#[test]
fn a_transform_that_only_scales_agrees_with_the_corner_frame() {
    let mut rng = Rng::new(4);
    let many = segments::<4>(&mut rng, 500, 20);
    // The factors are powers of two, so that the world coordinates are exact.
    let transform = Transform::new([-0.25, 0.0, 0.0, 0.0, 8.0, 0.0]).unwrap();
    let frame = Frame::World(transform);
    // Subnormal numbers can lose bits if they are scaled by 0.25, so tiny coordinates are replaced by 0.
    let mut many = many;
    many.iter_mut().flatten().for_each(|x| *x = if x.abs() < 1e-200 { 0.0 } else { *x });
    for [row, col, to_row, to_col] in many {
        let ends = [-0.25 * col, 8.0 * row, -0.25 * to_col, 8.0 * to_row];
        let expected = plain(&Line::<2>::new(&[row, col, to_row, to_col], &Frame::Corner));
        assert_eq!(listed::<2>(&ends, &frame)[0], expected);
        assert_eq!(plain(&Line::<2>::new(&ends, &frame)), expected);
    }
    assert!(Transform::new([1.0, 2.0, 0.0, 0.5, 1.0, 0.0]).is_err());
    assert!(Transform::new([1.0, 0.0, f64::NAN, 0.0, 1.0, 0.0]).is_err());
}

#[test]
fn the_first_invalid_segment_is_reported() {
    let far = f64::from(LIMIT);
    let ends = [0.0, far, -far, 0.0, 0.0, 0.0, far.next_up(), 0.0];
    assert_eq!(check::<2>(&ends, &Frame::Center).map(|wrong| wrong.0), Some(1));
    assert_eq!(check::<2>(&ends[..4], &Frame::Center), None);
    assert_eq!(check::<2>(&[0.0, f64::NAN, 0.0, 0.0], &Frame::Corner), Some((0, "be finite")));
}

#[test]
fn a_search_for_visible_cells_ends_if_its_watcher_returns_false() {
    let shape = [250; 3];
    let blocked = vec![false; shape.iter().product()];
    for radius in [Some(0.0), None] {
        let mut watch = |_: u64| false;
        let mut budget = Budget::new("cells", None, Some(&mut watch));
        let ended = visible(&blocked, &shape, &[0; 3], radius, &mut budget);
        assert_eq!(ended.unwrap_err(), Error::Interrupted, "radius {radius:?}");
    }
}
