//! Lengths within cells in two dimensions, as fast as they can be written down.
//!
//! The segment is walked along its long side, as when it is [painted](super::course). Between two borders of the long side it
//! is `column` long. If it crosses a border of the short side on the way, the part behind that crossing is in proportion to
//! how far the line has passed the corner, which is the very number `e` whose sign decides. A step costs one product, and no
//! branch depends on the line:
//!
//! ```text
//!   |     .:     the cell before the turn: column - behind
//!   |---.--|
//!   | .    |     the cell after it: behind = -e * L / (long * short)
//! ```
//!
//! `e` is kept with an error of less than a unit per step, 2^-61 of `long`: it is set up in sums of two doubles. The first and
//! the last column, which may begin or end within, are measured by the parameters of their crossings.

use std::cmp::Ordering;

use super::lengths::{product, quotient, sum};
use super::line::{Line, Place};

/// Where cells and lengths are written. A cell is a word, to which steps along the axes are added.
pub(super) trait Sink {
    /// The word of the first cell of a line, and what a step along each axis adds.
    fn words(&self, line: &Line<2>) -> (i64, [i64; 2]);
    /// Writes a cell, and a second one behind it, which the next call may overwrite.
    fn two(&mut self, at: usize, words: [i64; 2], lengths: [f64; 2]);
    /// Writes a cell.
    fn one(&mut self, at: usize, word: i64, length: f64);
}

/// A list of row-major indices in an array.
pub(super) struct Indices<'a, I, F> {
    pub(super) width: i64,
    pub(super) columns: &'a mut [I],
    pub(super) lengths: &'a mut [f64],
    pub(super) index: F,
}

impl<I, F: Fn(usize) -> I> Sink for Indices<'_, I, F> {
    fn words(&self, line: &Line<2>) -> (i64, [i64; 2]) {
        let [rows, cols] = &line.axes;
        (rows.cell * self.width + cols.cell, [rows.step * self.width, cols.step])
    }

    #[inline(always)]
    fn two(&mut self, at: usize, words: [i64; 2], lengths: [f64; 2]) {
        if let (Some(columns), Some(own)) = (self.columns.get_mut(at..at + 2), self.lengths.get_mut(at..at + 2)) {
            columns[0] = (self.index)(words[0] as usize);
            columns[1] = (self.index)(words[1] as usize);
            own.copy_from_slice(&lengths);
        }
    }

    #[inline(always)]
    fn one(&mut self, at: usize, word: i64, length: f64) {
        if let (Some(column), Some(own)) = (self.columns.get_mut(at), self.lengths.get_mut(at)) {
            (*column, *own) = ((self.index)(word as usize), length);
        }
    }
}

/// A list of rows and columns, two numbers per cell.
pub(super) struct Cells<'a> {
    pub(super) cells: &'a mut [i32],
    pub(super) lengths: &'a mut [f64],
}

/// The row is the lower half of a word, the column the upper. The bias keeps the lower half from borrowing.
const BIAS: i64 = 1 << 31;

fn unpack(word: i64) -> [i32; 2] {
    let word = word ^ BIAS;
    [word as i32, (word >> 32) as i32]
}

impl Sink for Cells<'_> {
    fn words(&self, line: &Line<2>) -> (i64, [i64; 2]) {
        let [rows, cols] = &line.axes;
        ((cols.cell << 32) + rows.cell + BIAS, [rows.step, cols.step << 32])
    }

    #[inline(always)]
    fn two(&mut self, at: usize, words: [i64; 2], lengths: [f64; 2]) {
        let cells = self.cells.get_mut(2 * at..2 * at + 4);
        if let (Some(cells), Some(own)) = (cells, self.lengths.get_mut(at..at + 2)) {
            cells[..2].copy_from_slice(&unpack(words[0]));
            cells[2..].copy_from_slice(&unpack(words[1]));
            own.copy_from_slice(&lengths);
        }
    }

    #[inline(always)]
    fn one(&mut self, at: usize, word: i64, length: f64) {
        let cell = self.cells.get_mut(2 * at..2 * at + 2);
        if let (Some(cell), Some(own)) = (cell, self.lengths.get_mut(at)) {
            cell.copy_from_slice(&unpack(word));
            *own = length;
        }
    }
}

/// A sum of two doubles times a power of two, rounded to a whole number.
fn whole((high, low): (f64, f64), scale: f64) -> i64 {
    let high = high * scale;
    let cut = high as i64;
    cut + ((high - cut as f64) + low * scale).round() as i64
}

/// The product of two sums of two doubles, to about 100 bits.
fn times((a, a_low): (f64, f64), (b, b_low): (f64, f64)) -> (f64, f64) {
    let (high, low) = product(a, b);
    sum(high, low + (a * b_low + a_low * b))
}

fn size((high, low): (f64, f64)) -> (f64, f64) {
    if high < 0.0 { (-high, -low) } else { (high, low) }
}

impl Line<2> {
    /// Writes the cells from one place to a later one with the length in each, from `at` on, and returns where they end. The
    /// sink must have room for one cell more than there are.
    #[inline]
    pub(super) fn measure(&self, from: &Place<2>, to: &Place<2>, sink: &mut impl Sink, at: usize) -> usize {
        let axis = self.long_axis();
        let other = 1 - axis;
        let (start, end) = (from[axis], to[axis]);
        let count = self.axes[axis].count;
        // The error of a length is that of `e` over the short side: a flat line, and one of few columns, is cut instead.
        if end - start < 3 || self.axes[other].count < 3 + (count >> 7) || count >= 1 << 30 || self.world.is_some() {
            let (first, steps) = sink.words(self);
            let mut number = at;
            self.cut(from, to, |cell, length| {
                let moved = |a: usize| (i64::from(cell[a]) - self.axes[a].cell) * self.axes[a].step;
                sink.one(number, first + moved(0) * steps[0] + moved(1) * steps[1], length);
                number += 1;
            });
            return number;
        }
        let times_of = self.times();
        let whole_length = self.length();
        let sizes = [0, 1].map(|a| size(sum(self.head[a], -self.tail[a])));
        let ahead = [0, 1].map(|a| size(sum(self.border(a, 0), -self.tail[a])));
        // A power of two, and 2^61 <= long < 2^62.
        let scale = f64::from_bits((61 + 1023 + 1023 - (sizes[axis].0.to_bits() >> 52)) << 52);
        let (long, short) = (whole(sizes[axis], scale), whole(sizes[other], scale));
        let (one, two) = (times(ahead[other], sizes[axis]), times(ahead[axis], sizes[other]));
        let (high, low) = sum(one.0, -two.0);
        let first = whole((high, low + (one.1 - two.1)), scale);
        let tolerance = count + self.axes[other].count + 8;
        let column = quotient((whole_length, 0.0), sizes[axis]).0;
        let part = column / sizes[other].0 / scale;

        let position = |a: usize, k: i64| times_of[a].at(k as f64) * whole_length;
        let (word, steps) = sink.words(self);
        let mut word = word + from[0] * steps[0] + from[1] * steps[1];
        let (along, aside) = (steps[axis], steps[other]);
        let (mut number, mut turned) = (at, from[other]);

        // The first column begins at the tail, or at the latest crossing behind its place.
        let mut begin = 0.0f64;
        if start > 0 {
            begin = begin.max(position(axis, start - 1));
        }
        if turned > 0 {
            begin = begin.max(position(other, turned - 1));
        }
        let exactly = |turned: i64, k: i64| {
            let ahead = turned < self.axes[other].count;
            if ahead { self.compare_exactly((other, turned), (axis, k)) } else { Ordering::Greater }
        };
        let error = |turned: i64, k: i64| {
            (i128::from(first) + i128::from(turned) * i128::from(long) - i128::from(k) * i128::from(short)) as i64
        };
        let e = error(turned, start);
        let order = if e.abs() > tolerance { e.cmp(&0) } else { exactly(turned, start) };
        let border = position(axis, start);
        if order.is_le() {
            let turn = position(other, turned).min(border);
            sink.one(number, word, (turn - begin).max(0.0));
            number += 1;
            turned += 1;
            word += aside;
            begin = turn;
        }
        if !order.is_eq() {
            sink.one(number, word, (border - begin).max(0.0));
            number += 1;
        }
        word += along;

        let mut e = error(turned, start + 1);
        for k in start + 1..end {
            let mut turn = e >> 63;
            let mut second = turn;
            let mut behind = (e.wrapping_neg() & turn) as f64 * part;
            if e.wrapping_add(tolerance) as u64 <= 2 * tolerance as u64 {
                let order = exactly(turned, k);
                (turn, second) = (-i64::from(order.is_le()), -i64::from(order.is_lt()));
                behind = if order.is_lt() { behind.max(0.0) } else { 0.0 };
            }
            sink.two(number, [word, word + aside], [column - behind, behind]);
            number += 1 + (second & 1) as usize;
            turned -= turn;
            word += along + (aside & turn);
            e += (long & turn) - short;
        }

        // The last column ends at the head, or at the first crossing after its place.
        let mut begin = position(axis, end - 1);
        let mut stop = whole_length;
        if end < count {
            stop = stop.min(position(axis, end));
        }
        if to[other] < self.axes[other].count {
            stop = stop.min(position(other, to[other]));
        }
        if turned < to[other] {
            let turn = position(other, turned);
            sink.one(number, word, (turn - begin).max(0.0));
            number += 1;
            word += aside;
            begin = turn;
        }
        sink.one(number, word, (stop - begin).max(0.0));
        number + 1
    }
}
