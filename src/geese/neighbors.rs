//! Counts of neighbors with a goose, for whole boards.
//!
//! The sums of three fields in a row come first, then the sums of three rows. Fields with a goose are recognized by
//! their value alone, which no count has, so that a board is counted in place in any order.
//!
//! ```text
//! board      sums in rows   counts
//! 0 9 0      1 1 1          1 9 2
//! 0 0 9      0 1 1          1 2 9
//! 0 0 0      0 0 0          0 1 1
//! ```

use fearless_simd::prelude::*;
use fearless_simd::u8x64;

use super::fields::GOOSE;
use crate::core::simd::vectorized;

/// The number of fields that are counted at a time, rounded down to whole rows but at least four rows: few enough to
/// stay in the first-level cache.
const BAND: usize = 16_384;

/// The number of fields from which the widest vectors of the machine are used. On smaller boards, the fields that do
/// not fill a vector take most of the time.
const WIDE: usize = 2048;

/// The columns that are counted at a time on wide boards.
const STRIP: usize = 64;

/// Writes into every field without a goose the number of its neighbors with a goose. The board must be revealed
/// ([`check_open`](super::fields::check_open)); values that were counted before are counted again.
///
/// # Complexity
/// Linear: a dozen byte operations per field, which the machine does 16 to 64 at a time.
pub fn compute_neighbours(board: &mut [u8], width: usize) {
    compute_with(board, width, &mut Vec::new());
}

/// Does what [`compute_neighbours`] does, with a buffer that is kept from call to call.
pub(crate) fn compute_with(board: &mut [u8], width: usize, sums: &mut Vec<u8>) {
    if board.len() < WIDE {
        count(board, width, sums);
    } else if width < STRIP + 2 {
        vectorized!(count(board, width, sums));
    } else {
        vectorized!(simd => count_strips(simd, board, width));
    }
}

/// Counts the neighbors of all fields, band by band.
#[inline(always)]
fn count(board: &mut [u8], width: usize, sums: &mut Vec<u8>) {
    let band = (BAND / width).max(4) * width;
    let cells = board.len();
    let mut from = 0;
    while from < cells {
        let to = (from + band).min(cells);
        let length = to - from;
        sums.resize(length + 2 * width, 0);
        // The sums of the row above the band and of its first row are kept from the band before; the row below the
        // band is read too.
        if from == 0 {
            sums[..width].fill(0);
            row_sums(&board[..width], width, &mut sums[width..2 * width]);
        }
        if to == cells {
            sums[length + width..].fill(0);
        }
        let rows = &board[from + width..(to + width).min(cells)];
        row_sums(rows, width, &mut sums[2 * width..2 * width + rows.len()]);
        let (above, here, below) = (&sums[..length], &sums[width..width + length], &sums[2 * width..]);
        for (((field, above), here), below) in board[from..to].iter_mut().zip(above).zip(here).zip(below) {
            let count = above + here + below;
            *field = if *field == GOOSE { GOOSE } else { count };
        }
        sums.copy_within(length.., 0);
        from = to;
    }
}

/// Writes for each field of some whole rows the number of geese on it and on the fields left and right of it.
#[inline(always)]
fn row_sums(rows: &[u8], width: usize, sums: &mut [u8]) {
    let goose = |field: u8| u8::from(field == GOOSE);
    let n = rows.len();
    if n > 2 {
        let (left, here, right) = (&rows[..n - 2], &rows[1..n - 1], &rows[2..]);
        for (((sum, left), here), right) in sums[1..n - 1].iter_mut().zip(left).zip(here).zip(right) {
            *sum = goose(*left) + goose(*here) + goose(*right);
        }
    }
    // The loop above does not stop at the ends of rows, so that its sums are wrong there. The correct sums at the ends
    // are of two fields, or of one field if the board has one column.
    for (row, sums) in rows.chunks_exact(width).zip(sums.chunks_exact_mut(width)) {
        let (first, last) = (goose(row[0]), goose(row[width - 1]));
        if width == 1 {
            sums[0] = first;
        } else {
            sums[0] = first + goose(row[1]);
            sums[width - 1] = goose(row[width - 2]) + last;
        }
    }
}

/// Counts the neighbors on a board of at least `STRIP + 2` columns, band by band. A strip of a band is counted from
/// row to row, so that the sums of the last rows stay in registers; the first and the last column are counted apart.
#[inline(always)]
fn count_strips<S: Simd>(simd: S, board: &mut [u8], width: usize) {
    let height = board.len() / width;
    let band = (64 * BAND / width).max(64);
    for first in (0..height).step_by(band) {
        let rows = (first, (first + band).min(height));
        let mut col = 1;
        loop {
            count_strip(simd, board, width, rows, col);
            if col + STRIP + 1 == width {
                break;
            }
            // The last strip may overlap the one before it: what was counted is counted again.
            col = (col + STRIP).min(width - STRIP - 1);
        }
        count_column(board, width, rows, 0, 1);
        count_column(board, width, rows, width - 1, width - 2);
    }
}

/// Counts the neighbors of the fields in some rows of the `STRIP` columns from `col` on; no column of the strip is the
/// first or the last of the board.
#[inline(always)]
fn count_strip<S: Simd>(simd: S, board: &mut [u8], width: usize, (first, end): (usize, usize), col: usize) {
    // A goose is 9 and no other value of a revealed field is above 8: what a field has above 8 is its number of geese.
    let (goose, eight) = (u8x64::splat(simd, GOOSE), u8x64::splat(simd, GOOSE - 1));
    let load = |board: &[u8], row: usize| {
        let around = &board[row * width + col - 1..][..STRIP + 2];
        let [left, here, right] = [0, 1, 2].map(|i| u8x64::from_slice(simd, &around[i..i + STRIP]));
        (here, left.saturating_sub(eight) + here.saturating_sub(eight) + right.saturating_sub(eight))
    };
    let zero = u8x64::splat(simd, 0);
    let mut above = if first > 0 { load(board, first - 1).1 } else { zero };
    let (mut fields, mut here) = load(board, first);
    for row in first..end {
        let (next, below) = if (row + 1) * width < board.len() { load(board, row + 1) } else { (zero, zero) };
        let counts = fields.simd_eq(goose).select(goose, above + here + below);
        counts.store_slice(&mut board[row * width + col..][..STRIP]);
        (above, here, fields) = (here, below, next);
    }
}

/// Counts the neighbors of the fields in some rows of a column at the edge of the board; `inner` is the column beside
/// it.
fn count_column(board: &mut [u8], width: usize, (first, end): (usize, usize), col: usize, inner: usize) {
    let sum = |board: &[u8], row: usize| match board.get(row * width..(row + 1) * width) {
        Some(row) => u8::from(row[col] == GOOSE) + u8::from(row[inner] == GOOSE),
        None => 0,
    };
    let mut above = if first > 0 { sum(board, first - 1) } else { 0 };
    let mut here = sum(board, first);
    for row in first..end {
        let below = sum(board, row + 1);
        let field = &mut board[row * width + col];
        if *field != GOOSE {
            *field = above + here + below;
        }
        (above, here) = (here, below);
    }
}

#[cfg(test)]
mod tests {
    use super::super::fields::{each_neighbor, spread_geese};
    use super::*;
    use crate::core::Rng;

    #[test]
    fn counts_are_those_of_each_field() {
        let sizes = (60..140).map(|width| (40, width)).chain([(1, 2048), (2, 3000), (700, 3), (300, 66), (9, 20_000)]);
        for (height, width) in sizes {
            let mut board = vec![0; height * width];
            spread_geese(&mut board, height * width / 4, &mut Rng::new(width as u64)).unwrap();
            let expected: Vec<u8> = (0..board.len())
                .map(|at| {
                    let mut count = 0;
                    each_neighbor(height, width, at, |other| count += u8::from(board[other] == GOOSE));
                    if board[at] == GOOSE { GOOSE } else { count }
                })
                .collect();
            // Counted once, and again over the counts.
            for _ in 0..2 {
                compute_neighbours(&mut board, width);
                assert!(board == expected, "{height} x {width}");
            }
        }
    }
}
