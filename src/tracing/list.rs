//! The cells of thin lines as lists.
//!
//! A segment between centers that goes down `a` rows and right `b` columns crosses `n = a + b` borders. After `k` of
//! these borders, `j` between rows and `k - j` between columns, the segment is in the cell whose center is closest to
//! the segment among all cells `k` borders away from the tail, so that `j` is `k * a / n` rounded to the nearest whole
//! number. Every cell therefore follows from its number `k`, and vector instructions write eight cells at a time. If
//! `k * a / n` lies halfway between two whole numbers, the segment passes through a corner: two borders are crossed at
//! once, and there is no cell with that `k`.
//!
//! A worked example: the segment from (0, 0) to (1, 2) on a 3 x 3 board, for which `n` is 3:
//!
//! ```text
//! 0 1 .      k           0        1        2        3
//! . 2 3      k * a / n   0       1/3      2/3       1
//! . . .      j           0        0        1        1
//!            cell      (0, 0)   (0, 1)   (1, 1)   (1, 2)
//! ```

use fearless_simd::prelude::*;
use fearless_simd::{i32x16, u64x8};

use super::walk::thin;
use super::{Method, Segment, cell_count, direction, extent};
use crate::core::simd::vectorized;

/// The number of cells computed at a time.
const LANES: usize = 8;

/// The smallest number of crossings between two corners, or in total if there are fewer than two corners, for which
/// cells are computed from their numbers.
const LONG: u64 = 2 * LANES as u64;

/// One half in the fixed-point numbers of [`FixedLine`].
const HALF: u64 = 1 << 31;

/// The largest number of borders for which the cells of a [`FixedLine`] are proven correct.
const EXACT: u64 = 46_340;

/// Writes the cells of the thin lines of all segments, one after the other.
pub(super) fn list_many(segments: &[Segment], mut cells: &mut [i32]) {
    for &segment in segments {
        let (own, rest) = cells.split_at_mut(2 * cell_count(segment, Method::AmanatidesWoo) as usize);
        list_thin(segment, own);
        cells = rest;
    }
}

/// Writes the thin line of a segment. `cells` must have exactly two numbers per cell of that line.
#[inline]
pub(super) fn list_thin(segment: Segment, cells: &mut [i32]) {
    let (a, b) = extent(segment);
    let n = a + b;
    // Each corner takes two crossings at once. Neighboring corners are `apart` crossings from each other; the first and
    // the last corner are half as far from the ends.
    let corners = n + 1 - cells.len() as u64 / 2;
    let apart = n / corners.max(1);
    if n > EXACT || apart < LONG {
        let mut rest = cells.chunks_exact_mut(2);
        thin(segment, |row, col| {
            if let Some(cell) = rest.next() {
                cell.copy_from_slice(&[row, col]);
            }
        });
        return;
    }
    vectorized!(simd => list_runs(simd, segment, corners, cells));
}

/// Writes the cells of a segment in runs from corner to corner.
#[inline(always)]
fn list_runs<S: Simd>(simd: S, segment: Segment, corners: u64, mut cells: &mut [i32]) {
    let [row, col, end_row, end_col] = segment;
    let (a, b) = extent(segment);
    let n = a + b;
    let sign = |step: i32| if step < 0 { u32::MAX } else { 0 };
    let (rows, cols) = (sign(direction(row, end_row)), sign(direction(col, end_col)));
    let line = FixedLine {
        pace: (a << 32) / n,
        signs: u64::from(cols) << 32 | u64::from(rows),
        tail: u64::from(col.wrapping_sub(cols as i32) as u32) << 32 | u64::from(row.wrapping_sub(rows as i32) as u32),
    };
    let mut first = 0;
    for i in 0..corners {
        let corner = (2 * i + 1) * n / (2 * corners);
        let (run, rest) = cells.split_at_mut(2 * (corner - first) as usize);
        line.list(simd, first, run);
        (cells, first) = (rest, corner + 1);
    }
    line.list(simd, first, cells);
}

/// How the cells of a segment follow from their numbers.
struct FixedLine {
    /// The rows per crossing, `a / n`, in fixed point with 32 bits after the point, rounded down.
    ///
    /// Away from corners, `k * a / n + 1/2` is at least `1 / (2n)` above a whole number. `k` times the error of the
    /// pace is below `n / 2^32`, which is less than `1 / (2n)` if `n` is at most [`EXACT`].
    pace: u64,
    /// All ones in the lower half of the word if rows decrease along the segment, and in the upper half if columns do.
    signs: u64,
    /// The cell of the tail in a word, one greater in the halves in which `signs` is all ones, because `!x` is
    /// `-x - 1`.
    tail: u64,
}

impl FixedLine {
    /// Writes the cells from number `first` on until `cells` is full.
    #[inline(always)]
    fn list<S: Simd>(&self, simd: S, first: u64, cells: &mut [i32]) {
        let mut crossed = [0; LANES];
        let mut numbers = [0; LANES];
        for i in 0..LANES {
            numbers[i] = (first + i as u64) << 32;
            crossed[i] = (first + i as u64) * self.pace + HALF;
        }
        let mut crossed = u64x8::simd_from(simd, crossed);
        let mut numbers = u64x8::simd_from(simd, numbers);
        let (advance, more) = (u64x8::splat(simd, LANES as u64 * self.pace), u64x8::splat(simd, (LANES as u64) << 32));
        let mut eights = cells.chunks_exact_mut(2 * LANES);
        for eight in &mut eights {
            self.eight(simd, numbers, crossed).store_slice(eight);
            crossed += advance;
            numbers += more;
        }
        let rest = eights.into_remainder();
        let mut last = [0; 2 * LANES];
        self.eight(simd, numbers, crossed).store_slice(&mut last);
        rest.copy_from_slice(&last[..rest.len()]);
    }

    /// Returns the rows and columns of eight cells.
    ///
    /// * `numbers`: the numbers of the cells in the upper halves, 0 in the lower ones.
    /// * `crossed`: the rows crossed up to each cell, in fixed point, plus one half.
    #[inline(always)]
    fn eight<S: Simd>(&self, simd: S, numbers: u64x8<S>, crossed: u64x8<S>) -> i32x16<S> {
        // The whole part of `crossed` is the number of rows. It is subtracted from the numbers in the upper half,
        // which leaves the number of columns, and moved to the lower half.
        let away = numbers - (crossed & u64x8::splat(simd, u64::MAX << 32)) + (crossed >> 32);
        let away: i32x16<S> = (away ^ u64x8::splat(simd, self.signs)).bitcast();
        let tail: i32x16<S> = u64x8::splat(simd, self.tail).bitcast();
        away + tail
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;

    fn listed(segment: Segment) -> Vec<[i32; 2]> {
        let mut cells = vec![[0; 2]; cell_count(segment, Method::AmanatidesWoo) as usize];
        list_thin(segment, cells.as_flattened_mut());
        cells
    }

    fn walked(segment: Segment) -> Vec<[i32; 2]> {
        let mut cells = Vec::new();
        thin(segment, |row, col| cells.push([row, col]));
        cells
    }

    #[test]
    fn lists_are_the_cells_of_the_walk() {
        for (rows, cols) in (0..90).flat_map(|rows| (0..90).map(move |cols| (rows, cols))) {
            for (down, right) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let segment = [5, -7, 5 + down * rows, -7 + right * cols];
                assert_eq!(listed(segment), walked(segment), "{segment:?}");
            }
        }
    }

    #[test]
    fn long_lists_are_the_cells_of_the_walk() {
        let mut rng = Rng::new(1);
        let exact = EXACT as i32;
        // As many borders as fixed point allows, one more, and corners at many distances.
        let mut segments = vec![[0, 0, exact / 2, exact - exact / 2], [0, 0, exact / 2 - 1, exact / 2 + 2]];
        segments.extend((0..60).map(|i| [0, 0, i, exact - i]));
        segments.extend((1..200).map(|i| [i, 3, i - i * 7, 3 + i * 19]));
        segments.extend((0..400).map(|_| std::array::from_fn(|_| rng.index(40_000) as i32 - 20_000)));
        segments.extend([[i32::MIN, i32::MAX, i32::MIN + 99, i32::MAX - 400], [i32::MAX, 0, i32::MAX - 999, 0]]);
        for segment in segments {
            assert!(listed(segment) == walked(segment), "{segment:?}");
        }
    }
}
