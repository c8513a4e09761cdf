//! The functions of the source document on plain boards: a byte a field, row-major, changed in place.
//!
//! They trust that a board is sound ([`check_fields`]) and that a place lies on it; where one comes from outside, the
//! caller checks first.

use crate::core::{Error, Rng};

/// The bit of a marked field.
pub const MARKED_BIT: u8 = 0x10;

/// The bit of a hidden field.
pub const HIDDEN_BIT: u8 = 0x20;

/// The bits of a field's value: 0 to 8 neighbours with a goose, 9 for a goose.
pub const VALUE_MASK: u8 = 0x0f;

/// The value of a field with a goose.
pub const GOOSE: u8 = 9;

/// The largest x dimension (width) that the source's console takes.
pub const X_DIM_MAX: usize = 60;

/// The largest y dimension (height) that the source's console takes.
pub const Y_DIM_MAX: usize = 20;

/// What the source's `mark` and `reveal` answer: done, refused for a mark, refused for a revealed field, a goose.
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

/// Whether a field is hidden and bears no mark: what a show and a revealed zero can reveal.
#[inline]
pub(crate) const fn is_covered(field: u8) -> bool {
    field & (HIDDEN_BIT | MARKED_BIT) == HIDDEN_BIT
}

/// Visits the indices of the up to eight fields around a field.
#[inline]
pub(crate) fn each_neighbour(height: usize, width: usize, index: usize, mut visit: impl FnMut(usize)) {
    let (row, col) = (index / width, index % width);
    for r in row.saturating_sub(1)..(row + 2).min(height) {
        for c in col.saturating_sub(1)..(col + 2).min(width) {
            if (r, c) != (row, col) {
                visit(r * width + c);
            }
        }
    }
}

/// Says what is wrong with the bytes of a board: a bit that no field has, or a value over 9.
///
/// # Errors
/// A sentence with the first bad field, its place, and what a field may be.
pub fn check_fields(board: &[u8], width: usize) -> Result<(), Error> {
    // A field is bad where it is over 0x3f or its value is over 9; folding the whole board first keeps this loop wide.
    let bad = board.iter().fold(0u8, |bad, &field| bad | (field & 0xc0) | ((field & VALUE_MASK) + 6) & 0x10);
    if bad == 0 {
        return Ok(());
    }
    let at = board.iter().position(|&field| field > 0x3f || field & VALUE_MASK > GOOSE).unwrap_or(0);
    let (row, col, field) = (at / width, at % width, board[at]);
    Err(if field > 0x3f {
        Error::Invalid(format!("field {field:#04x} at ({row}, {col}), wanted bits 6 and 7 to be 0"))
    } else {
        Error::Invalid(format!("field {field:#04x} at ({row}, {col}), wanted a value of 0 to 9 in its lower four bits"))
    })
}

/// Says what keeps a board from being counted: a field that is hidden or marked, or none at all.
///
/// # Errors
/// A sentence with the first such field.
pub fn check_open(board: &[u8], width: usize) -> Result<(), Error> {
    if board.iter().fold(0, |most, &field| most.max(field)) <= GOOSE {
        return Ok(());
    }
    check_fields(board, width)?;
    let at = board.iter().position(|&field| field > GOOSE).unwrap_or(0);
    let (row, col, field) = (at / width, at % width, board[at]);
    Err(Error::Invalid(format!(
        "field {field:#04x} at ({row}, {col}), wanted a board of 0 and 9 that is neither hidden nor marked"
    )))
}

/// Sets every field to 0.
pub fn clean_board(board: &mut [u8]) {
    board.fill(0);
}

/// Writes the board as the source prints it: `*` hidden, `M` marked, otherwise the value; a line a row.
pub fn print_board(board: &[u8], width: usize) -> String {
    let mut text = String::with_capacity(board.len() + board.len() / width.max(1));
    for row in board.chunks_exact(width) {
        text.extend(row.iter().map(|&field| symbol(field) as char));
        text.push('\n');
    }
    text
}

/// The one character that a field is printed as.
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

/// Toggles the mark of a hidden field and gives [`code::DONE`]; leaves a revealed one and gives [`code::REVEALED`].
pub fn mark(board: &mut [u8], index: usize) -> u8 {
    if board[index] & HIDDEN_BIT == 0 {
        return code::REVEALED;
    }
    board[index] ^= MARKED_BIT;
    code::DONE
}

/// Reveals a field, and the covered fields around a zero, as the source's `reveal` does; gives its code.
///
/// A marked field stays ([`code::MARKED`]). A revealed one gives [`code::REVEALED`], and where it is a zero its covered
/// neighbours are revealed all the same (section 4.2 of the source, third show).
pub fn reveal(board: &mut [u8], height: usize, width: usize, index: usize) -> u8 {
    let field = board[index];
    if field & MARKED_BIT != 0 {
        return code::MARKED;
    }
    board[index] &= !HIDDEN_BIT;
    if field & VALUE_MASK == 0 {
        each_neighbour(height, width, index, |at| {
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

/// Whether every field without a goose is revealed.
pub fn is_game_won(board: &[u8]) -> bool {
    let left = |&field: &u8| u8::from(field & HIDDEN_BIT != 0) & u8::from(field & VALUE_MASK != GOOSE);
    board.iter().map(left).fold(0, |any, left| any | left) == 0
}

/// How many fields are counted at one go: their sums stay in the first cache.
const BAND: usize = 8192;

/// Writes into every field without a goose how many of its neighbours have one. Takes a board of 0 and 9; fields that
/// were counted before are counted anew.
///
/// # Complexity
/// Linear. Each field's three in a row are summed first, then three rows of sums: a dozen byte operations a field, all of
/// which the compiler does sixteen or more at a time.
pub fn compute_neighbours(board: &mut [u8], width: usize) {
    compute_with(board, width, &mut Vec::new());
}

/// [`compute_neighbours`] with a buffer to be used again.
pub(crate) fn compute_with(board: &mut [u8], width: usize, sums: &mut Vec<u8>) {
    let band = (BAND / width).max(4) * width;
    let cells = board.len();
    let mut from = 0;
    while from < cells {
        let to = (from + band).min(cells);
        // A row above and a row below the band; counted fields above are no geese, so that they read as before.
        let (first, last) = (from.saturating_sub(width), (to + width).min(cells));
        let length = to - from;
        sums.resize(length + 2 * width, 0);
        if from == 0 {
            sums[..width].fill(0);
        }
        if to == cells {
            sums[length + width..].fill(0);
        }
        let start = width + first - from;
        row_sums(&board[first..last], width, &mut sums[start..start + last - first]);
        let (above, here, below) = (&sums[..length], &sums[width..width + length], &sums[2 * width..]);
        for (((field, above), here), below) in board[from..to].iter_mut().zip(above).zip(here).zip(below) {
            let count = above + here + below;
            *field = if *field == GOOSE { GOOSE } else { count };
        }
        from = to;
    }
}

/// For each field of some whole rows, the geese on it, left and right of it.
fn row_sums(rows: &[u8], width: usize, sums: &mut [u8]) {
    let goose = |field: u8| u8::from(field == GOOSE);
    let n = rows.len();
    if n > 2 {
        let (left, here, right) = (&rows[..n - 2], &rows[1..n - 1], &rows[2..]);
        for (((sum, left), here), right) in sums[1..n - 1].iter_mut().zip(left).zip(here).zip(right) {
            *sum = goose(*left) + goose(*here) + goose(*right);
        }
    }
    // The loop above runs over the ends of rows; there the sums are of two fields, or of one.
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

/// Puts exactly `geese` geese on fields that are 0, each set of fields equally likely.
///
/// # Errors
/// More geese than such fields; the sentence names both numbers.
pub fn spread_geese(board: &mut [u8], geese: usize, rng: &mut Rng) -> Result<(), Error> {
    let free = board.iter().map(|&field| usize::from(field == 0)).sum::<usize>();
    if geese > free {
        return Err(Error::Invalid(format!("{geese} geese for {free} free fields, wanted at most one a field")));
    }
    lay(board, free, geese, rng);
    Ok(())
}

/// [`spread_geese`] on a board that is known to have `free >= geese` fields that are 0.
///
/// How random words become geese is part of the promise that a seed keeps its board.
pub(crate) fn lay(board: &mut [u8], free: usize, geese: usize, rng: &mut Rng) {
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
        // No branch: whether the field is free is what no processor can guess.
        let is_free = board[at] == 0;
        board[at] = if is_free { GOOSE } else { board[at] };
        left -= usize::from(is_free);
        left
    };
    if geese == 0 {
    } else if let Ok(cells) = u16::try_from(cells) {
        // Four places from each word, by Lemire's multiplication on 16 bits.
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

/// The number of fields of a board of these dimensions.
///
/// # Errors
/// A dimension of 0, or more fields than memory can be asked for.
pub fn check_dimensions(x_dim: usize, y_dim: usize) -> Result<usize, Error> {
    match x_dim.checked_mul(y_dim) {
        Some(0) => Err(Error::Invalid(format!("x dimension {x_dim} and y dimension {y_dim}, wanted both at least 1"))),
        Some(cells) if isize::try_from(cells).is_ok() => Ok(cells),
        _ => Err(Error::Invalid(format!(
            "x dimension {x_dim} and y dimension {y_dim}, wanted a board that fits in memory"
        ))),
    }
}
