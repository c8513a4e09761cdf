//! The thin line of a segment with doubles for ends, painted on a board in two dimensions as fast as with whole numbers.
//!
//! The line is walked along its long side; each step there meets one or two cells. Which, is the sign of
//!
//! ```text
//! e = (next border of the short side - tail) * long - (next border of the long side - tail) * short
//! ```
//!
//! that is, of how far the line is from a corner of the grid. It changes by `-short` per step and by `+long` per turn, so it is
//! kept as a whole number, scaled until `long` has 62 bits. The bound on all roundings is far below the numbers met; a step
//! that comes closer to a corner than the bound asks the exact comparison. A second cursor runs from the head at the same
//! time: the two chains of dependent operations overlap.

use super::line::{Line, Place};
use super::many::Ink;

/// A segment laid out on a band of rows of a board, whose indices count from the band's first cell.
#[derive(Debug)]
pub(super) struct Course<'a> {
    line: &'a Line<2>,
    /// The axis of the long side.
    axis: usize,
    strides: [isize; 2],
    /// Index of the first cell of the whole line.
    origin: isize,
    long: i64,
    short: i64,
    /// `e` before the first crossing.
    first: i64,
    tolerance: i64,
}

/// A place on the way: an index of the band, and `e`.
#[derive(Clone, Copy)]
struct Cursor {
    at: isize,
    e: i64,
}

/// `e` where no crossing of the short side lies ahead.
const STRAIGHT: i64 = 1 << 62;

impl<'a> Course<'a> {
    /// Lays a line out on a board of `width` columns of which the band begins with row `first_row`; not for a line of a world.
    #[inline]
    pub(super) fn new(line: &'a Line<2>, width: usize, first_row: usize) -> Self {
        let [rows, cols] = &line.axes;
        let size = |a: usize| (line.head[a] - line.tail[a]).abs();
        let axis = line.long_axis();
        let strides = [rows.step as isize * width as isize, cols.step as isize];
        let origin = (rows.cell as isize - first_row as isize) * width as isize + cols.cell as isize;
        let mut course = Self { line, axis, strides, origin, long: 0, short: 0, first: STRAIGHT, tolerance: 0 };
        let (long, short) = (size(axis), size(1 - axis));
        if line.axes[axis].count > 0 && line.axes[1 - axis].count > 0 {
            let ahead = |a: usize| (line.border(a, 0) - line.tail[a]).abs();
            if long > 2f64.powi(-500) {
                // A power of two, and 2^61 <= long * scale < 2^62: the whole number has all bits of the double.
                let scale = f64::from_bits((61 + 1023 + 1023 - (long.to_bits() >> 52)) << 52);
                course.long = (long * scale) as i64;
                course.short = (short * scale) as i64;
                course.first = ((ahead(1 - axis) * long - ahead(axis) * short) * scale) as i64;
                // `first` has three roundings of numbers up to `long`, below 2^12 units; each step adds those of the two
                // differences, below 2^9 units together.
                course.tolerance = (line.axes[axis].count + 8) << 10;
            } else {
                // Products would underflow: every step is compared exactly.
                (course.first, course.tolerance) = (0, i64::MAX >> 1);
            }
        }
        course
    }

    /// `e` after `long` and `short` crossings. Near the line it is small; its parts need not be.
    fn error(&self, long: i64, short: i64) -> i64 {
        if self.first == STRAIGHT {
            return STRAIGHT;
        }
        let error = i128::from(self.first) + i128::from(short) * i128::from(self.long)
            - i128::from(long) * i128::from(self.short);
        error.clamp(i128::from(-STRAIGHT), i128::from(STRAIGHT)) as i64
    }

    /// Inks one step of the long side and goes on to the next. `number` is the number of crossings of the long side behind the
    /// step; `ahead` says whether the cursor runs from tail to head.
    #[inline(always)]
    fn dot<I: Ink, const AHEAD: bool>(
        &self,
        cursor: &mut Cursor,
        (long_stride, short_stride): (isize, isize),
        number: i64,
        band: &mut [I::Board],
        ink: I,
    ) {
        let (mut turn, mut second) = (cursor.e >> 63, cursor.e >> 63);
        // One comparison tells -tolerance <= e <= tolerance.
        if cursor.e.wrapping_add(self.tolerance) as u64 <= 2 * self.tolerance as u64 {
            (turn, second) = self.decide::<AHEAD>(cursor.at, number);
        }
        ink.drop(band, cursor.at);
        ink.drop_second(band, cursor.at, short_stride, second);
        cursor.at += long_stride + (short_stride & turn as isize);
        cursor.e += (self.long & turn) - self.short;
    }

    /// Compares the two next crossings exactly: -1 and -1 for a turn with a second cell, -1 and 0 through a corner, else 0.
    #[cold]
    #[inline(never)]
    fn decide<const AHEAD: bool>(&self, at: isize, number: i64) -> (i64, i64) {
        let (axis, other) = (self.axis, 1 - self.axis);
        let turned = ((at - self.origin) - number as isize * self.strides[axis]) / self.strides[other];
        // From the head, the crossings that come next are the last ones behind.
        let back = i64::from(!AHEAD);
        let (turn, step) = ((other, turned as i64 - back), (axis, number - back));
        if turn.1 < 0 || turn.1 >= self.line.axes[other].count {
            return (0, 0);
        }
        let order = self.line.compare_exactly(turn, step);
        match if AHEAD { order } else { order.reverse() } {
            std::cmp::Ordering::Less => (-1, -1),
            std::cmp::Ordering::Equal => (-1, 0),
            std::cmp::Ordering::Greater => (0, 0),
        }
    }

    /// Inks the cells from one place to a later one, as far as they lie in the band.
    #[inline]
    pub(super) fn ink<I: Ink>(&self, from: &Place<2>, to: &Place<2>, band: &mut [I::Board], ink: I) {
        let (axis, other) = (self.axis, 1 - self.axis);
        let at =
            |place: &Place<2>| self.origin + place[0] as isize * self.strides[0] + place[1] as isize * self.strides[1];
        let (start, end) = (from[axis], to[axis]);
        let steps = end - start;
        if steps == 0 {
            ink.drop(band, at(from));
            if to[other] != from[other] {
                ink.drop(band, at(to));
            }
            return;
        }
        let mut front = Cursor { at: at(from), e: self.error(start, from[other]) };
        let mut back = Cursor { at: at(to), e: self.error(end - 1, to[other] - 1).wrapping_neg() };
        if self.first == STRAIGHT {
            back.e = STRAIGHT;
        }
        // Neither cursor inks the last step on its way, which alone may end before the line turns.
        let (long, short) = (self.strides[axis], self.strides[other]);
        for k in 0..(steps + 1) / 2 {
            self.dot::<I, true>(&mut front, (long, short), start + k, band, ink);
            self.dot::<I, false>(&mut back, (-long, -short), end - k, band, ink);
        }
        if steps % 2 == 0 {
            self.dot::<I, false>(&mut back, (-long, -short), end - steps / 2, band, ink);
        }
    }

    /// Walks from one place to a later one until `stop` says so of the index of a cell, and returns that index.
    #[inline]
    pub(super) fn until(&self, from: &Place<2>, to: &Place<2>, mut stop: impl FnMut(isize) -> bool) -> Option<isize> {
        let (axis, other) = (self.axis, 1 - self.axis);
        let at =
            |place: &Place<2>| self.origin + place[0] as isize * self.strides[0] + place[1] as isize * self.strides[1];
        let (long, short) = (self.strides[axis], self.strides[other]);
        let mut cursor = Cursor { at: at(from), e: self.error(from[axis], from[other]) };
        for k in from[axis]..to[axis] {
            if stop(cursor.at) {
                return Some(cursor.at);
            }
            let (mut turn, mut second) = (cursor.e >> 63, cursor.e >> 63);
            if cursor.e.wrapping_add(self.tolerance) as u64 <= 2 * self.tolerance as u64 {
                (turn, second) = self.decide::<true>(cursor.at, k);
            }
            // Without a second cell this asks of the first again, which costs less than a branch.
            let next = cursor.at + (short & second as isize);
            if stop(next) {
                return Some(next);
            }
            cursor.at += long + (short & turn as isize);
            cursor.e += (self.long & turn) - self.short;
        }
        let last = at(to);
        [cursor.at, last].into_iter().find(|&at| stop(at))
    }
}
