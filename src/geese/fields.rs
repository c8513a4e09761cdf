//! The functions of the source document on plain boards: one byte per field, row-major, changed in place.
//!
//! They assume a valid board ([`check_fields`]), a `height` and `width` that match it, and row-major indices that lie
//! on it. The caller checks untrusted arguments.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::u8x64;

use crate::core::simd::vectorized;
use crate::core::{Error, Rng, memory};

/// The bit of a marked field.
pub const MARKED_BIT: u8 = 0x10;

/// The bit of a hidden field.
pub const HIDDEN_BIT: u8 = 0x20;

/// The bits of a field's value: the number of neighbors with a goose (0 to 8), or 9 for a goose.
pub const VALUE_MASK: u8 = 0x0f;

/// The value of a field with a goose.
pub const GOOSE: u8 = 9;

/// The largest x dimension (width) that the source's console accepts.
pub const X_DIM_MAX: usize = 60;

/// The largest y dimension (height) that the source's console accepts.
pub const Y_DIM_MAX: usize = 20;

/// The return codes of the source's `mark` and `reveal`.
pub mod code {
    /// The action was done.
    pub const DONE: u8 = 0;
    /// The field is marked and stays hidden.
    pub const MARKED: u8 = 1;
    /// The field had been revealed before.
    pub const REVEALED: u8 = 2;
    /// A goose was revealed.
    pub const GOOSE: u8 = 9;
}

/// Returns `true` if a field is hidden and not marked, so that showing the field, or a zero beside it, reveals it.
#[inline]
pub(crate) const fn is_covered(field: u8) -> bool {
    field & (HIDDEN_BIT | MARKED_BIT) == HIDDEN_BIT
}

/// Visits the row-major indices of the up to eight fields around the field at `index`, ascending.
#[inline]
pub(crate) fn each_neighbor(height: usize, width: usize, index: usize, mut visit: impl FnMut(usize)) {
    let (row, col) = (index / width, index % width);
    for r in row.saturating_sub(1)..(row + 2).min(height) {
        for c in col.saturating_sub(1)..(col + 2).min(width) {
            if (r, c) != (row, col) {
                visit(r * width + c);
            }
        }
    }
}

/// Checks that every byte of a board is a field: bits 6 and 7 are 0, and the value is at most 9.
///
/// # Errors
/// Returns [`Error::Invalid`] with the first byte that is not a field, and its row and column.
pub fn check_fields(board: &[u8], width: usize) -> Result<(), Error> {
    // A byte is not a field if it is greater than 0x3f or its value is greater than 9 (adding 6 to the value then
    // carries into bit 4). Folding the whole board without a branch lets the compiler check many fields at once.
    let bad = board.iter().fold(0u8, |bad, &field| bad | (field & 0xc0) | ((field & VALUE_MASK) + 6) & 0x10);
    if bad == 0 {
        return Ok(());
    }
    let at = board.iter().position(|&field| field > 0x3f || field & VALUE_MASK > GOOSE).unwrap_or(0);
    let (row, col, field) = (at / width, at % width, board[at]);
    Err(if field > 0x3f {
        Error::Invalid(format!("board must have bits 6 and 7 clear in every field, got {field:#04x} at ({row}, {col})"))
    } else {
        Error::Invalid(format!(
            "board must have a value of 0 to 9 in the lower four bits of every field, got {field:#04x} at ({row}, {col})"
        ))
    })
}

/// Checks that neighbors can be counted on a board: every field is revealed and not marked.
///
/// # Errors
/// Returns [`Error::Invalid`] with the first byte that is not a field or, if there is none, the first field that is
/// hidden or marked, and its row and column.
pub fn check_open(board: &[u8], width: usize) -> Result<(), Error> {
    if board.iter().fold(0, |most, &field| most.max(field)) <= GOOSE {
        return Ok(());
    }
    check_fields(board, width)?;
    let at = board.iter().position(|&field| field > GOOSE).unwrap_or(0);
    let (row, col, field) = (at / width, at % width, board[at]);
    Err(Error::Invalid(format!(
        "board must be revealed and unmarked in every field to be counted, got {field:#04x} at ({row}, {col})"
    )))
}

/// Sets every field to 0.
pub fn clean_board(board: &mut [u8]) {
    board.fill(0);
}

/// Returns the board as the source prints it, one line per row: `*` for a hidden field, `M` for a marked one, otherwise
/// the value.
pub fn print_board(board: &[u8], width: usize) -> String {
    let mut text = String::with_capacity(board.len() + board.len() / width.max(1));
    for row in board.chunks_exact(width.max(1)) {
        text.extend(row.iter().map(|&field| symbol(field) as char));
        text.push('\n');
    }
    text
}

/// Returns the character that a field is printed as, in ASCII.
#[inline]
pub fn symbol(field: u8) -> u8 {
    if field & MARKED_BIT != 0 {
        b'M'
    } else if field & HIDDEN_BIT != 0 {
        b'*'
    } else {
        b'0' + (field & VALUE_MASK)
    }
}

/// Hides every field.
pub fn hide_board(board: &mut [u8]) {
    for field in board {
        *field |= HIDDEN_BIT;
    }
}

/// Marks or unmarks a hidden field and returns [`code::DONE`]; leaves a revealed field unchanged and returns
/// [`code::REVEALED`].
pub fn mark(board: &mut [u8], index: usize) -> u8 {
    if board[index] & HIDDEN_BIT == 0 {
        return code::REVEALED;
    }
    board[index] ^= MARKED_BIT;
    code::DONE
}

/// Reveals a field and, if it is a zero, the covered fields around it, as the source's `reveal` does; returns one of
/// the codes in [`code`].
///
/// A marked field stays hidden ([`code::MARKED`]). For a field that is already revealed, the code is
/// [`code::REVEALED`]; if the field is a zero, its covered neighbors are revealed nevertheless (section 4.2 of the
/// source, fourth call of `reveal`).
pub fn reveal(board: &mut [u8], height: usize, width: usize, index: usize) -> u8 {
    let field = board[index];
    if field & MARKED_BIT != 0 {
        return code::MARKED;
    }
    board[index] &= !HIDDEN_BIT;
    if field & VALUE_MASK == 0 {
        each_neighbor(height, width, index, |at| {
            if is_covered(board[at]) {
                board[at] &= !HIDDEN_BIT;
            }
        });
    }
    if field & HIDDEN_BIT == 0 {
        code::REVEALED
    } else if field & VALUE_MASK == GOOSE {
        code::GOOSE
    } else {
        code::DONE
    }
}

/// Returns `true` if every field without a goose is revealed.
pub fn is_game_won(board: &[u8]) -> bool {
    let left = |&field: &u8| u8::from(field & HIDDEN_BIT != 0) & u8::from(field & VALUE_MASK != GOOSE);
    board.iter().map(left).fold(0, |any, left| any | left) == 0
}

/// The number of fields in a band, before rounding down to whole rows (at least four). Neighbors are counted band by
/// band, so that the fields and their sums stay in the first-level cache.
const BAND: usize = 16_384;

/// The smallest number of fields for which the widest vectors of the machine are used. On smaller boards, the fields
/// that do not fill a vector take most of the time.
const WIDE: usize = 2048;

/// Writes into every field without a goose the number of its neighbors with a goose. The board must be revealed
/// ([`check_open`]); values from an earlier count are overwritten.
///
/// # Complexity
/// Linear. The geese of three fields in a row are added first, then the sums of three rows: a dozen byte operations per
/// field, which the machine does 16 to 64 at a time.
pub fn compute_neighbours(board: &mut [u8], width: usize) {
    compute_with(board, width, &mut Vec::new());
}

/// Does what [`compute_neighbours`] does, with the buffer `sums`, which is kept from call to call.
pub(crate) fn compute_with(board: &mut [u8], width: usize, sums: &mut Vec<u8>) {
    if board.is_empty() {
        return;
    }
    if board.len() < WIDE {
        count(board, width, sums);
    } else {
        vectorized!(simd => count_wide(simd, board, width, sums));
    }
}

/// The number of fields that [`count_wide`] handles at a time.
const LANES: usize = 64;

/// Does what [`count`] does, on wide boards in strips of [`LANES`] columns.
#[inline(always)]
fn count_wide<S: Simd>(simd: S, board: &mut [u8], width: usize, sums: &mut Vec<u8>) {
    if width <= LANES {
        return count(board, width, sums);
    }
    let rows = (BAND / width).max(4) * width;
    for from in (0..board.len()).step_by(rows) {
        let band = from..board.len().min(from + rows);
        count_strip::<S, true, false>(simd, board, width, band.clone(), 0);
        for col in (LANES..width - LANES).step_by(LANES) {
            count_strip::<S, false, false>(simd, board, width, band.clone(), col);
        }
        // The last strip may repeat columns of the one before it. Counting changes no goose, so a field that has been
        // counted still shows whether it holds one, and the second count gives the same values.
        count_strip::<S, false, true>(simd, board, width, band, width - LANES);
    }
}

/// Counts the geese around the fields of a band, a range of whole rows, in the [`LANES`] columns from `col` on. The
/// rows are handled from top to bottom, so that the sums of the last three rows stay in registers. `FIRST` and `LAST`
/// state whether the strip contains the first or the last column of the board.
#[inline(always)]
fn count_strip<S: Simd, const FIRST: bool, const LAST: bool>(
    simd: S,
    board: &mut [u8],
    width: usize,
    band: Range<usize>,
    col: usize,
) {
    let (goose, excess) = (u8x64::splat(simd, GOOSE), u8x64::splat(simd, 9 * (GOOSE - 1)));
    // Every field beyond the board counts as a field without a goose.
    let beyond = u8x64::splat(simd, 3 * (GOOSE - 1));
    let mut at = band.start + col;
    let mut above = if at < width { beyond } else { look::<S, FIRST, LAST>(simd, board, at - width).1 };
    let (mut fields, mut here) = look::<S, FIRST, LAST>(simd, board, at);
    let last = board.len() - width;
    while at < band.end {
        let (next, below) = if at < last { look::<S, FIRST, LAST>(simd, board, at + width) } else { (fields, beyond) };
        let counted = fields.simd_eq(goose).select(goose, above + here + below - excess);
        counted.store_slice(&mut board[at..at + LANES]);
        (above, here, fields) = (here, below, next);
        at += width;
    }
}

/// Returns [`LANES`] fields from index `at` on, and for each the sum of it and the fields left and right of it. In both
/// results a goose counts as 9 and every other field as 8.
#[inline(always)]
fn look<S: Simd, const FIRST: bool, const LAST: bool>(simd: S, board: &[u8], at: usize) -> (u8x64<S>, u8x64<S>) {
    // The value of a field without a goose is 0 to 8, so the maximum with 8 replaces all such values by 8. That is one
    // operation; comparing with `GOOSE` and counting would be two.
    let least = u8x64::splat(simd, GOOSE - 1);
    let before = usize::from(!FIRST);
    let fields = &board[at - before..][..before + LANES + usize::from(!LAST)];
    let here = u8x64::from_slice(simd, &fields[before..before + LANES]).max(least);
    let left =
        if FIRST { least.slide::<{ LANES - 1 }>(here) } else { u8x64::from_slice(simd, &fields[..LANES]).max(least) };
    let right = if LAST { here.slide::<1>(least) } else { u8x64::from_slice(simd, &fields[before + 1..]).max(least) };
    (here, left + here + right)
}

/// Counts the geese around all fields, band by band.
#[inline(always)]
fn count(board: &mut [u8], width: usize, sums: &mut Vec<u8>) {
    let band = (BAND / width).max(4) * width;
    let cells = board.len();
    let mut from = 0;
    while from < cells {
        let to = (from + band).min(cells);
        let length = to - from;
        sums.resize(length + 2 * width, 0);
        // The sums of the row above the band and of the band's first row are kept from the previous band. The row below
        // the band is read too.
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
    // The loop above does not stop at the ends of rows, so its sums are wrong there. The correct sums at the ends
    // include two fields, or one field if the board has one column.
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

/// Puts exactly `geese` geese on fields that are 0; all sets of that many such fields are equally likely.
///
/// # Errors
/// Returns [`Error::Invalid`] if there are more geese than fields that are 0, or if the board has 2^32 fields or more;
/// returns [`Error::Memory`] if memory cannot hold the places of the fields that are 0.
pub fn spread_geese(board: &mut [u8], geese: usize, rng: &mut Rng) -> Result<(), Error> {
    if u32::try_from(board.len()).is_err() {
        return Err(Error::Invalid(format!("board must have fewer than 2^32 fields, got {}", board.len())));
    }
    let free = board.iter().map(|&field| usize::from(field == 0)).sum::<usize>();
    if geese > free {
        return Err(Error::Invalid(format!(
            "num_geese must be between 0 and {free}, the number of fields that are 0, got {geese}"
        )));
    }
    memory::probe(free * size_of::<u32>(), "the places of the geese")?;
    lay(board, free, geese, rng);
    Ok(())
}

/// Does what [`spread_geese`] does on a board of fewer than 2^32 fields, `free >= geese` of which are 0.
///
/// The way in which random words select fields must not change, because a seed must give the same board in every
/// version.
pub(crate) fn lay(board: &mut [u8], free: usize, geese: usize, rng: &mut Rng) {
    // With many geese, or few fields that are 0, random places would often be rejected: a partial Fisher-Yates shuffle
    // of the fields that are 0 is quicker.
    if 2 * geese > free || 2 * free < board.len() {
        let mut places: Vec<u32> = (0..board.len() as u32).filter(|&at| board[at as usize] == 0).collect();
        for i in 0..geese {
            let other = i + rng.index(places.len() - i);
            places.swap(i, other);
            board[places[i] as usize] = GOOSE;
        }
        return;
    }
    let cells = board.len();
    let mut left = geese;
    let mut put = |at: usize| {
        // There is no branch here: whether the field is free is random, so the processor would often mispredict a
        // branch.
        let is_free = board[at] == 0;
        board[at] = if is_free { GOOSE } else { board[at] };
        left -= usize::from(is_free);
        left
    };
    if geese == 0 {
        // Nothing to place; the loops below place at least one goose.
    } else if let Ok(cells) = u16::try_from(cells) {
        // Each word yields four places, by Lemire's multiplication on 16 bits. `reject` is 2^16 modulo `cells`:
        // products whose low half is below `reject` are rejected, so that all places are equally likely.
        let (cells, reject) = (u32::from(cells), u32::from(cells.wrapping_neg() % cells));
        loop {
            let word = rng.bits();
            for shift in [0, 16, 32, 48] {
                let wide = u32::from((word >> shift) as u16) * cells;
                if wide & 0xffff >= reject && put((wide >> 16) as usize) == 0 {
                    return;
                }
            }
        }
    } else {
        while put(rng.index(cells)) > 0 {}
    }
}

/// Returns the number of fields of a board of `x_dim` columns and `y_dim` rows.
///
/// # Errors
/// Returns [`Error::Invalid`] if a dimension is 0 or there are more than `isize::MAX` fields.
pub fn check_dimensions(x_dim: usize, y_dim: usize) -> Result<usize, Error> {
    match x_dim.checked_mul(y_dim) {
        Some(0) => {
            let name = if x_dim == 0 { "x_dim" } else { "y_dim" };
            Err(Error::Invalid(format!("{name} must be at least 1, got 0")))
        }
        Some(cells) if isize::try_from(cells).is_ok() => Ok(cells),
        _ => Err(Error::Invalid(format!("x_dim * y_dim must be at most {}, got {x_dim} * {y_dim}", isize::MAX))),
    }
}
