//! Lines on a grid of cells: which cells a segment crosses, exactly, for one segment or a hundred thousand at once.
//!
//! A [`Segment`] runs from the center of its tail cell to the center of its head cell. If the head is `a` rows and `b`
//! columns away from the tail, and `t` runs from 0 at the tail to 1 at the head, the segment crosses border `k` between
//! rows, counted from 0, at `t = (2k + 1) / (2a)`, and border `k` between columns at `t = (2k + 1) / (2b)`. These are
//! fractions of whole numbers, so two crossings can be compared exactly. A [`Line`] runs between two points whose
//! coordinates are doubles, in two or three dimensions; its crossings are compared exactly too: `line.rs` explains how.
//!
//! ```text
//! T # . .      the thin line (T, H, #) from T to H consists of the cells whose interior the segment crosses;
//! . # # .      where the segment passes exactly through a corner, the line steps diagonally, and the supercover adds
//! . . # H      the other two cells
//! ```
//!
//! * [`Method::AmanatidesWoo`]: the thin line, after the traversal of Amanatides and Woo with whole numbers for
//!   `t_max`.
//! * [`Method::Supercover`]: every cell that the segment touches, corners included.
//! * [`Method::Bresenham`], [`Method::Dda`]: one cell per step of the long side.
//! * [`Method::Wu`]: one or two cells per step of the long side, with weights that add up to 1.
//! * [`Method::AmanatidesWooFloat`]: the traversal as it is usually programmed, which may fail at corners.
//!
//! Terms: *tail* and *head* are the ends, the *long* side is the axis of the larger of `a` and `b`, and a *corner* is a
//! point where four cells meet. Sources: J. Amanatides and A. Woo, A fast voxel traversal algorithm for ray tracing,
//! 1987 (an algorithm in floating point that passes corners on one side); J. E. Bresenham, Algorithm for computer
//! control of a digital plotter, 1965; X. Wu, An efficient antialiasing technique, 1991.

mod cover;
mod crossings;
mod exact;
mod float;
mod lengths;
mod line;
mod list;
mod many;
mod rays;
mod siddon;
mod sight;
mod transform;
mod walk;

pub use cover::{Lines, Rule, listable, plain};
pub use float::float_steps;
pub use line::{Frame, Line, check};
pub use many::{
    Buffers, Value, cell_counts, coverage, coverage_clipped, offsets, outside, paint, paint_clipped, trace_many,
};
pub use sight::visible;
pub use transform::Transform;
pub use walk::{Step, steps, thin, touches, weighted};

/// A segment between centers of cells: row and column of the tail, row and column of the head. The functions of this
/// module expect coordinates within [`LIMIT`], which [`in_range`] checks.
pub type Segment = [i32; 4];

/// The largest absolute value of a coordinate, 2^30: sums and products of two coordinates then fit in 64 bits.
pub const LIMIT: i32 = 1 << 30;

/// The largest number of cells that one call lists, 2^28.
pub const MAX_LISTED: u64 = 1 << 28;

/// Which cells belong to a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Method {
    /// The cells whose interior the segment crosses.
    #[default]
    AmanatidesWoo,
    /// The cells that the segment touches.
    Supercover,
    /// The integer algorithm of Bresenham, one cell per step of the long side.
    Bresenham,
    /// The point of the line at each step of the long side, rounded half up to a cell.
    Dda,
    /// The one or two cells beside the point of the line at each step of the long side, weighted.
    Wu,
    /// The traversal in floating point. Two crossings count as a corner if they are at most the given tolerance apart,
    /// in cells.
    AmanatidesWooFloat(f64),
}

impl Method {
    /// The names of the methods in Python, in the order of the variants.
    pub const NAMES: [&'static str; 6] =
        ["amanatides-woo", "supercover", "bresenham", "dda", "wu", "amanatides-woo-float"];

    /// Returns the method with the given name, or `None` if there is no such method; only
    /// [`Method::AmanatidesWooFloat`] uses `tolerance`.
    pub fn named(name: &str, tolerance: f64) -> Option<Self> {
        Some(match Self::NAMES.iter().position(|&known| known == name)? {
            0 => Self::AmanatidesWoo,
            1 => Self::Supercover,
            2 => Self::Bresenham,
            3 => Self::Dda,
            4 => Self::Wu,
            _ => Self::AmanatidesWooFloat(tolerance),
        })
    }
}

/// Returns the coordinates of both ends of a segment as doubles.
pub(crate) fn centers(segment: Segment) -> [f64; 4] {
    segment.map(f64::from)
}

/// Returns whether all coordinates of a segment are within [`LIMIT`].
#[inline]
pub fn in_range(segment: Segment) -> bool {
    segment.iter().all(|part| (-LIMIT..=LIMIT).contains(part))
}

/// Returns the numbers of rows and columns between the ends of a segment.
#[inline]
pub(crate) fn extent(segment: Segment) -> (u64, u64) {
    let [tail_row, tail_col, head_row, head_col] = segment;
    (tail_row.abs_diff(head_row) as u64, tail_col.abs_diff(head_col) as u64)
}

/// Returns the direction from one coordinate to another: -1, 0 or 1. The coordinates are compared, because their
/// difference may overflow.
#[inline]
pub(crate) fn direction(from: i32, to: i32) -> i32 {
    i32::from(to > from) - i32::from(to < from)
}

/// Returns the number of corners that a segment passes through exactly. For ends `a` rows and `b` columns apart, it is
/// `gcd(a, b)` if both are above 0 and divisible by the same powers of two, else 0.
#[inline]
pub fn corners(segment: Segment) -> u64 {
    let (a, b) = extent(segment);
    // At a corner, (2i + 1) * b = (2j + 1) * a. The factors 2i + 1 and 2j + 1 are odd, so `a` and `b` contain the same
    // power of two.
    if a == 0 || b == 0 || a.trailing_zeros() != b.trailing_zeros() { 0 } else { gcd(a, b) }
}

/// Returns the greatest common divisor; `gcd(0, n)` is `n`.
#[inline]
pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    // The binary algorithm of Stein, which shifts instead of dividing.
    let shift = (a | b).trailing_zeros();
    let (mut a, mut b) = (a >> a.trailing_zeros(), b >> b.trailing_zeros());
    while a != b {
        let (low, difference) = (a.min(b), a.abs_diff(b));
        b = difference >> difference.trailing_zeros();
        a = low;
    }
    a << shift
}

/// Returns the number of cells of a segment by a closed form, or by walking for [`Method::AmanatidesWooFloat`].
///
/// # Complexity
/// One greatest common divisor for [`Method::Wu`], and for the thin line and the supercover if the segment passes
/// through a corner; O(cells) for [`Method::AmanatidesWooFloat`]; otherwise O(1).
#[inline]
pub fn cell_count(segment: Segment, method: Method) -> u64 {
    let (a, b) = extent(segment);
    match method {
        Method::AmanatidesWoo => a + b + 1 - corners(segment),
        Method::Supercover => a + b + 1 + corners(segment),
        Method::Bresenham | Method::Dda => a.max(b) + 1,
        Method::Wu => 2 * a.max(b) + 1 - gcd(a, b),
        Method::AmanatidesWooFloat(tolerance) => {
            let mut count = 0;
            float_steps(centers(segment), true, tolerance, |_| count += 1);
            count
        }
    }
}

/// Visits the cells of a segment from tail to head.
#[inline]
pub fn walk(segment: Segment, method: Method, mut visit: impl FnMut(i32, i32)) {
    match method {
        Method::AmanatidesWoo => thin(segment, visit),
        Method::Supercover => touches(segment, visit),
        Method::Bresenham => walk::bresenham(segment, visit),
        Method::Dda => walk::dda(segment, visit),
        Method::Wu => weighted(segment, |row, col, _| visit(row, col)),
        Method::AmanatidesWooFloat(tolerance) => {
            float_steps(centers(segment), true, tolerance, |step| visit(step.row, step.col));
        }
    }
}

/// Lists the cells of a segment from tail to head.
///
/// # Example
/// ```
/// use gridwright::tracing::{Method, trace};
///
/// assert_eq!(trace([0, 0, 1, 3], Method::AmanatidesWoo), [[0, 0], [0, 1], [1, 2], [1, 3]]);
/// assert_eq!(trace([0, 0, 1, 1], Method::Supercover), [[0, 0], [1, 0], [0, 1], [1, 1]]);
/// ```
pub fn trace(segment: Segment, method: Method) -> Vec<[i32; 2]> {
    if method == Method::AmanatidesWoo {
        let mut cells = vec![[0; 2]; cell_count(segment, method) as usize];
        list::list_thin(segment, cells.as_flattened_mut());
        return cells;
    }
    let most = match method {
        Method::AmanatidesWooFloat(_) => 0,
        exact => cell_count(segment, exact),
    };
    let mut cells = Vec::with_capacity(most as usize);
    walk(segment, method, |row, col| cells.push([row, col]));
    cells
}
