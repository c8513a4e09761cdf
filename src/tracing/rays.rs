//! The first blocked cell on each of many segments, in two dimensions.
//!
//! A *ray* is a segment that is followed to its first blocked cell. Most rays end after a few cells, so reading a
//! segment takes as long as following it. Where a ray ends cannot be predicted, and a processor whose guess was wrong
//! discards the work that it has begun on the next ray. Segments are therefore read in groups, without a branch that
//! depends on a ray, and then followed one after the other. If a ray comes close to a corner, the slower walk of
//! [`crossings`](super::crossings), which decides corners by exact comparison, follows the rest of the ray.

use super::cover::span;
use super::crossings::{Crossings, Layout, advance};
use super::line::{Bounds, Frame, Line};

/// The number of segments that are read together: their rays fit in the first-level cache.
const GROUP: usize = 64;

/// How close `u` (see [`super::crossings`]) may come to a whole number, in units of `2^-64`. Lines whose crossings need
/// at least this tolerance, because the lines have about 2^31 columns or a tiny length, are not followed here.
const NEAR: u64 = 1 << 44;

/// A line that is ready to be followed from its tail.
#[derive(Clone, Copy, Default)]
struct Ray {
    /// The index of the first cell.
    at: isize,
    /// The index of the last cell.
    last: isize,
    /// What a step along the long side adds to an index.
    along: isize,
    /// What a step along the short side adds to an index.
    aside: isize,
    /// The fraction of `u` at the first border of the long side.
    fraction: u64,
    /// What each further column adds to `fraction`.
    slope: u64,
    /// -1 (all bits set) if the first column has two cells, else 0: `aside & turn` leads to its last cell.
    turn: i64,
    /// The number of columns before that of the head; `None` if the ray cannot be followed in fixed point, because it
    /// leaves the array or its crossings need a tolerance of [`NEAR`] or more.
    columns: Option<i64>,
}

impl Ray {
    #[inline(always)]
    fn new(line: &Line<2>, width: usize, within: &Bounds<2>) -> Self {
        let crossings = Crossings::new(line);
        let layout = Layout::new(line, width, 0);
        let axis = crossings.axis;
        let (from, to) = line.ends();
        let simple = line.fits(within) && crossings.tolerance < NEAR;
        Self {
            at: layout.at(&from),
            last: layout.at(&to),
            along: layout.strides[axis],
            aside: layout.strides[1 - axis],
            fraction: crossings.first as u64,
            slope: crossings.slope,
            turn: -i64::from(crossings.first > 0),
            columns: simple.then_some(to[axis]),
        }
    }

    /// Follows the ray to the first blocked cell; `None` if there is none. Returns `Err` with the number of columns
    /// that were searched, and the index of the first cell of the next column, if the next column ends close to a
    /// corner.
    #[inline(always)]
    fn follow(&self, columns: i64, blocked: &[bool]) -> Result<Option<isize>, (i64, isize)> {
        let Self { mut at, last, along, aside, mut fraction, slope, mut turn, .. } = *self;
        for column in 0..columns {
            // With unsigned numbers, one comparison tests -NEAR <= fraction <= NEAR.
            if fraction.wrapping_add(NEAR) <= 2 * NEAR {
                return Err((column, at));
            }
            // If there is no second cell, the first one is tested again, which costs less than a branch.
            let second = at + (aside & turn as isize);
            if blocked[at as usize] {
                return Ok(Some(at));
            }
            if blocked[second as usize] {
                return Ok(Some(second));
            }
            at = second + along;
            turn = advance(&mut fraction, slope);
        }
        Ok([at, last].into_iter().find(|&at| blocked[at as usize]))
    }
}

/// Appends to `hits`, for each segment, the row-major index of the first blocked cell of its thin line, or -1 if there
/// is none. `blocked` is a row-major array of `width` columns, and `within` holds the bounds of its cells.
pub(super) fn first_hits(
    ends: &[f64],
    frame: &Frame,
    width: usize,
    within: &Bounds<2>,
    blocked: &[bool],
    hits: &mut Vec<i64>,
) {
    let is_blocked = |at: isize| blocked[at as usize];
    let mut rays = [Ray::default(); GROUP];
    for group in ends.chunks(4 * GROUP) {
        for (ray, ends) in rays.iter_mut().zip(group.chunks_exact(4)) {
            *ray = Ray::new(&Line::new(ends, frame), width, within);
        }
        for (ray, ends) in rays.iter().zip(group.chunks_exact(4)) {
            let found = ray.columns.map_or(Err((0, 0)), |columns| ray.follow(columns, blocked));
            let hit = found.unwrap_or_else(|(column, at)| {
                resume(&Line::new(ends, frame), width, within, (column, at), is_blocked)
            });
            hits.push(hit.map_or(-1, |at| at as i64));
        }
    }
}

/// Returns the index of the first cell of a line that `stop` accepts, in the part of the line that lies in a box. The
/// columns before `column` were searched, and `column` begins with the cell at index `at`; if `column` is 0, `at` is
/// ignored.
#[cold]
#[inline(never)]
fn resume(
    line: &Line<2>,
    width: usize,
    within: &Bounds<2>,
    (column, at): (i64, isize),
    stop: impl Fn(isize) -> bool,
) -> Option<isize> {
    let layout = Layout::new(line, width, 0);
    if column > 0 {
        return line.until_from(layout, column, at, stop);
    }
    let (from, to) = span(line, Some(within))?;
    line.until(layout, &from, &to, stop)
}
