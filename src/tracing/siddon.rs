//! Lengths of a segment within each of its cells in two dimensions, computed about as fast as memory can store them.
//!
//! The segment is walked column by column along its long side; [`crossings`](super::crossings) explains columns, turns,
//! clear blocks and `u`. The length of the segment within a column is `column`. If the line turns there, the length
//! behind the turn is proportional to the fraction of `u` at the end of the column. In a clear block, a column costs
//! one product, and no branch depends on the line:
//!
//! ```text
//!   | .    |     the cell before the turn: column - behind
//!   |---.--|
//!   |     .|     the cell after the turn: behind = fraction * L / short
//! ```
//!
//! On a board of 3 x 3, the segment from (0, 0) to (1, 2) has the length L = 2.236, and its ends are 2 columns and 1
//! row apart: `column` is 1.118. It turns in the middle column, at whose end `u` is 0.25 past the border between rows:
//! behind the turn lie 0.25 * 2.236 / 1 = 0.559 in (1, 1), and before it 1.118 - 0.559 = 0.559 in (0, 1). Each of the
//! outer two columns has half of `column`, from the center of a cell to its border.
//!
//! The relative error of the slope, and therefore that of `u`, is at most 1.5 * 2^-52. It throws a length off by up to
//! three units in the last place of the whole length `L`; the other roundings are smaller. The first and the last
//! column, within which the segment may begin or end, are computed separately.

use super::crossings::{BLOCK, Crossings, Turn, UNIT, Walker, advance};
use super::line::{Line, Place};

/// Where cells and lengths are written. A cell is one 64-bit word; a step along an axis adds a constant to that word.
pub(super) trait Sink {
    /// The entries of a block of columns, borrowed from the sink.
    type Window<'a>: Window
    where
        Self: 'a;
    /// Returns the word of the first cell of a line, and what a step along each axis adds to a word.
    fn words(&self, line: &Line<2>) -> (i64, [i64; 2]);
    /// Writes a cell as entry `at`, if there is room for it.
    fn one(&mut self, at: usize, word: i64, length: f64);
    /// Returns the entries from `at` on; `None` if there is no room for a block of columns.
    fn window(&mut self, at: usize) -> Option<Self::Window<'_>>;
}

/// The entries of a block of columns. Their number is a constant, so that an index modulo a power of two needs no
/// bounds check.
pub(super) trait Window {
    /// Writes two cells as the entries `at` and `at + 1` of the window.
    fn two(&mut self, at: usize, words: [i64; 2], lengths: [f64; 2]);
}

/// The largest number of cells of a block of columns; a power of two.
const MAX: usize = 2 * BLOCK as usize;

/// The number of entries of a window: `Window::two` writes the entries `at % MAX` and `at % MAX + 1`.
const PLACES: usize = MAX + 1;

/// Returns the `N` items from index `at` on; `None` if there are fewer.
fn places<T, const N: usize>(all: &mut [T], at: usize) -> Option<&mut [T; N]> {
    all.get_mut(at..)?.first_chunk_mut()
}

/// A sink that writes row-major indices of cells in an array of `width` columns, converted by `index`.
pub(super) struct Indices<'a, I, F> {
    pub(super) width: i64,
    pub(super) columns: &'a mut [I],
    pub(super) lengths: &'a mut [f64],
    pub(super) index: F,
}

/// The entries of a block of columns in [`Indices`].
pub(super) struct IndicesWindow<'a, I, F> {
    columns: &'a mut [I; PLACES],
    lengths: &'a mut [f64; PLACES],
    index: F,
}

impl<I, F: Fn(usize) -> I + Copy> Sink for Indices<'_, I, F> {
    type Window<'a>
        = IndicesWindow<'a, I, F>
    where
        Self: 'a;

    fn words(&self, line: &Line<2>) -> (i64, [i64; 2]) {
        let [rows, cols] = &line.axes;
        (rows.cell * self.width + cols.cell, [rows.step * self.width, cols.step])
    }

    fn one(&mut self, at: usize, word: i64, length: f64) {
        if let (Some(column), Some(own)) = (self.columns.get_mut(at), self.lengths.get_mut(at)) {
            (*column, *own) = ((self.index)(word as usize), length);
        }
    }

    fn window(&mut self, at: usize) -> Option<IndicesWindow<'_, I, F>> {
        let (columns, lengths) = (places(self.columns, at)?, places(self.lengths, at)?);
        Some(IndicesWindow { columns, lengths, index: self.index })
    }
}

impl<I, F: Fn(usize) -> I> Window for IndicesWindow<'_, I, F> {
    #[inline(always)]
    fn two(&mut self, at: usize, words: [i64; 2], lengths: [f64; 2]) {
        let at = at % MAX;
        (self.columns[at], self.columns[at + 1]) = ((self.index)(words[0] as usize), (self.index)(words[1] as usize));
        (self.lengths[at], self.lengths[at + 1]) = (lengths[0], lengths[1]);
    }
}

/// A sink that writes rows and columns, two numbers per cell.
pub(super) struct Cells<'a> {
    pub(super) cells: &'a mut [i32],
    pub(super) lengths: &'a mut [f64],
}

/// The entries of a block of columns in [`Cells`].
pub(super) struct CellsWindow<'a> {
    cells: &'a mut [i32; 2 * PLACES],
    lengths: &'a mut [f64; PLACES],
}

/// What is added to the row in a word of [`Cells`]: the lower half is the row plus the bias, the upper half the column.
/// The bias keeps the lower half positive, so that it never borrows from the column.
const BIAS: i64 = 1 << 31;

/// Returns the row and the column of a word of [`Cells`].
fn unpack(word: i64) -> [i32; 2] {
    // The lower half is the row plus 2^31: flipping its highest bit subtracts the 2^31 without a borrow.
    let word = word ^ BIAS;
    [word as i32, (word >> 32) as i32]
}

impl Sink for Cells<'_> {
    type Window<'a>
        = CellsWindow<'a>
    where
        Self: 'a;

    fn words(&self, line: &Line<2>) -> (i64, [i64; 2]) {
        let [rows, cols] = &line.axes;
        ((cols.cell << 32) + rows.cell + BIAS, [rows.step, cols.step << 32])
    }

    fn one(&mut self, at: usize, word: i64, length: f64) {
        let cell = self.cells.get_mut(2 * at..2 * at + 2);
        if let (Some(cell), Some(own)) = (cell, self.lengths.get_mut(at)) {
            cell.copy_from_slice(&unpack(word));
            *own = length;
        }
    }

    fn window(&mut self, at: usize) -> Option<CellsWindow<'_>> {
        Some(CellsWindow { cells: places(self.cells, 2 * at)?, lengths: places(self.lengths, at)? })
    }
}

impl Window for CellsWindow<'_> {
    #[inline(always)]
    fn two(&mut self, at: usize, words: [i64; 2], lengths: [f64; 2]) {
        let at = at % MAX;
        self.cells[2 * at..2 * at + 2].copy_from_slice(&unpack(words[0]));
        self.cells[2 * at + 2..2 * at + 4].copy_from_slice(&unpack(words[1]));
        (self.lengths[at], self.lengths[at + 1]) = (lengths[0], lengths[1]);
    }
}

/// Writes the cells and lengths of a line, column by column.
struct Measurer<'a, S> {
    sink: &'a mut S,
    /// The number of cells written.
    number: usize,
    /// The word of the first cell of the next column.
    word: i64,
    /// What a step along the long side adds to a word.
    along: i64,
    /// What a step along the short side adds to a word.
    aside: i64,
    /// The length of the segment within a column.
    column: f64,
    /// The length of the segment between two successive crossings of the short side, divided by 2^63: a fraction of 63
    /// bits times `part` is a length.
    part: f64,
}

impl<S: Sink> Measurer<'_, S> {
    /// Writes the cell of `word` with a length. A length slightly below 0, which rounding can produce, is written as 0.
    fn one(&mut self, length: f64) {
        self.sink.one(self.number, self.word, length.max(0.0));
        self.number += 1;
    }
}

impl<S: Sink> Walker for Measurer<'_, S> {
    // Not inlined, so that the loop can use all registers.
    #[inline(never)]
    fn clear(&mut self, mut fraction: u64, slope: u64, count: i64) -> bool {
        let Self { ref mut sink, number, mut word, along, aside, column, part } = *self;
        if let Some(mut window) = sink.window(number) {
            // Both numbers are cut to 63 bits, so that a carry shows in the sign. Nothing is lost, because their last
            // bits are 0.
            let (mut fraction, slope) = ((fraction >> 1) as i64, (slope >> 1) as i64);
            let mut at = 0usize;
            for _ in 0..count {
                let sum = fraction.wrapping_add(slope);
                let turn = sum >> 63;
                fraction = sum & i64::MAX;
                let behind = (fraction & turn) as f64 * part;
                // The second cell is always written; without a turn the next column overwrites it.
                window.two(at, [word, word + aside], [column - behind, behind]);
                at = at.wrapping_add_signed(1 - turn as isize);
                word += along + (aside & turn);
            }
            (self.number, self.word) = (number + at, word);
        } else {
            for _ in 0..count {
                let turn = advance(&mut fraction, slope);
                self.column((fraction >> 2) as i64 & turn, Turn { aside: turn, second: turn });
            }
        }
        false
    }

    fn column(&mut self, past: i64, turn: Turn) -> bool {
        // The two lengths add up to `column`, however `behind` is rounded; otherwise errors would accumulate over many
        // corners. `past` counts in units of 2^-62 cells, but `part` expects units of 2^-63: hence the factor 2.
        let behind = (past as f64 * (2.0 * self.part)).min(self.column);
        self.one(self.column - behind);
        if turn.second != 0 {
            self.word += self.aside;
            self.one(behind);
            self.word -= self.aside;
        }
        self.word += self.along + (self.aside & turn.aside);
        false
    }
}

impl Line<2> {
    /// Writes the cells from one place to a later one, with the length in each, as entries from `at` on. Returns the
    /// index after the last entry.
    #[inline]
    pub(super) fn measure(&self, from: &Place<2>, to: &Place<2>, sink: &mut impl Sink, at: usize) -> usize {
        let axis = self.long_axis();
        let other = 1 - axis;
        let (start, end) = (from[axis], to[axis]);
        let count = self.axes[axis].count;
        let (first, steps) = sink.words(self);
        // The error of a length is that of `u` times `L / short`, which is large for flat lines. Their lengths are
        // taken from the parameters of the crossings instead, and so are the lengths of lines of few columns, of very
        // long lines and of lines in a world.
        if end - start < 3 || self.axes[other].count < 3 + (count >> 7) || count >= 1 << 30 || self.world.is_some() {
            let mut number = at;
            self.cut(from, to, |cell, length| {
                let moved = |a: usize| (i64::from(cell[a]) - self.axes[a].cell) * self.axes[a].step;
                sink.one(number, first + moved(0) * steps[0] + moved(1) * steps[1], length);
                number += 1;
            });
            return number;
        }
        let crossings = Crossings::new(self);
        let size = |a: usize| (self.head[a] - self.tail[a]).abs();
        let (whole, unit) = (self.length(), 1.0 / UNIT as f64);
        let (column, part) = (whole / size(axis), whole / size(other));
        let mut measurer = Measurer {
            sink,
            number: at,
            word: first + from[0] * steps[0] + from[1] * steps[1],
            along: steps[axis],
            aside: steps[other],
            column,
            part: part * unit / 2.0,
        };

        // The part of the line in the first column begins at the tail, or at the last crossing before `from`.
        let (turn, past) = crossings.enter(start, from[other]);
        let past = past as f64 * unit;
        let ahead = (self.border(axis, 0) - self.tail[axis]).abs();
        let mut length = if start > 0 { column } else { ahead * column };
        if from[other] > 0 {
            length = length.min((past + 1.0) * part);
        }
        if turn.aside == 0 {
            measurer.one(length);
            measurer.word += measurer.along;
        } else {
            let behind = past.max(0.0) * part;
            measurer.one(length - behind);
            measurer.word += measurer.aside;
            if turn.second != 0 {
                measurer.one(behind);
            }
            measurer.word += measurer.along;
        }

        crossings.columns((start, end - 1), from[other] - turn.aside, BLOCK, &mut measurer);

        // The part of the line in the last column ends at the head, or at the first crossing after `to`. The column has
        // a second cell if its first cell is not the last cell.
        let left = (self.head[axis] - self.border(axis, count - 1)).abs();
        let length = if end < count { column } else { left * column };
        let turns = measurer.word != first + to[0] * steps[0] + to[1] * steps[1];
        // Distances along the line from the border at which the last column begins: `begin` is where the cell begins,
        // `until` where the line next crosses a border of the short side.
        let (_, past) = crossings.enter(end - 1, to[other] - i64::from(turns));
        let mut until = past as f64 * -unit * part;
        let mut begin = 0.0;
        if turns {
            measurer.one(until);
            measurer.word += measurer.aside;
            (begin, until) = (until, until + part);
        }
        let stop = if to[other] < self.axes[other].count { length.min(until) } else { length };
        measurer.one(stop - begin);
        measurer.number
    }
}
