//! The thin line of a segment with doubles for ends, in two dimensions, as fast as with whole numbers.
//!
//! The line is walked along its long side, from border to border: between two of them lies a *column* of one or two cells. At
//! border `k` of the long side the line has come so many cells along the short side, counted from the first border there:
//!
//! ```text
//! u(k) = u(0) + k * slope          |     .:
//!                                  |---.--|  turned 1: between its borders u passes a whole number,
//! with slope = short / long <= 1   | .    |  which is a carry out of the fraction of u
//! ```
//!
//! The fraction of `u` is kept in 64 bits, so that a column costs one addition and its carry. All roundings together stay
//! below a tolerance. A block of columns whose fractions keep away from whole numbers by more than the tolerance is *clear*: each
//! carry is then proven right. Whether it is clear is found first, of many columns at once in the upper 32 bits. In a block that
//! is not clear, each column within the tolerance of a corner asks the exact comparison.

use std::cmp::Ordering;

use super::line::{Line, Place};
use super::many::Ink;

/// The crossings of a line of two dimensions, column by column; not of a line in a world.
#[derive(Debug)]
pub(super) struct Course<'a> {
    line: &'a Line<2>,
    /// The axis of the long side.
    pub(super) axis: usize,
    /// Cells along the short side per cell along the long side, in units of `2^-64`.
    slope: u64,
    /// `u` at the first border of the long side, in the same units; above -1.
    first: i128,
    tolerance: u64,
}

/// The most columns of a block: bounds what the lower halves of sums can add to the upper ones.
pub(super) const BLOCK: i64 = 512;

/// The columns of the first block where a line may end early.
const FEW: i64 = 15;

/// One cell along the short side, of what is compared column by column.
pub(super) const UNIT: i64 = 1 << 62;

/// How a column goes on, as masks of all bits: whether the next column begins a row further, and whether this column has a
/// second cell. Through a corner the line turns without one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) aside: i64,
    pub(super) second: i64,
}

impl From<Ordering> for Turn {
    /// The turn from the order of the next crossing of the short side and that of the long side.
    fn from(order: Ordering) -> Self {
        Self { aside: -i64::from(order.is_le()), second: -i64::from(order.is_lt()) }
    }
}

impl<'a> Course<'a> {
    #[inline(always)]
    pub(super) fn new(line: &'a Line<2>) -> Self {
        let axis = line.long_axis();
        let size = |a: usize| (line.head[a] - line.tail[a]).abs();
        // Without crossings of the short side, `u` stays halfway between two.
        let mut course = Self { line, axis, slope: 0, first: -(1 << 63), tolerance: 0 };
        if line.axes[axis].count > 0 && line.axes[1 - axis].count > 0 {
            let (long, short) = (size(axis), size(1 - axis));
            if long > 2f64.powi(-500) {
                let ahead = |a: usize| (line.border(a, 0) - line.tail[a]).abs();
                let slope = short / long;
                // A slope of 1 is cut to the largest fraction.
                course.slope = ((slope * 2f64.powi(63)) as i64 as u64) << 1;
                course.first = (((ahead(axis) * slope - ahead(1 - axis)) * 2f64.powi(63)) as i64 as i128) << 1;
                // `first` has five roundings of numbers up to 1, each of at most 2^-53 or 2^11 units; the slope has three of
                // them and is cut to a multiple of 2 units, and each column adds it once more.
                course.tolerance = (line.axes[axis].count as u64 + 8) << 13;
            } else {
                // Products would underflow: every column is compared exactly.
                (course.first, course.tolerance) = (0, u64::MAX >> 1);
            }
        }
        course
    }

    /// `u` at a border of the long side.
    #[inline]
    fn at(&self, border: i64) -> i128 {
        self.first + i128::from(border) * i128::from(self.slope)
    }

    /// How far `u` at a border of the long side is past a crossing of the short side, in units of [`UNIT`]; both are at most two
    /// cells apart.
    #[inline]
    fn past(&self, border: i64, crossing: i64) -> i64 {
        ((self.at(border) - (i128::from(crossing) << 64)) >> 2) as i64
    }

    /// Returns how the line goes on in the column before a border of the long side with so many crossings of the short side
    /// behind: the turn, and how far `u` at the border is past the next crossing, in units of [`UNIT`].
    #[inline]
    pub(super) fn enter(&self, border: i64, turned: i64) -> (Turn, i64) {
        let past = self.past(border, turned);
        (self.turn(past, border, turned), past)
    }

    /// The turn in the column before a border of the long side; `past` is how far `u` at the border is past the next crossing.
    #[inline(always)]
    fn turn(&self, past: i64, border: i64, turned: i64) -> Turn {
        // One comparison tells -tolerance <= past <= tolerance.
        let tolerance = (self.tolerance >> 2) as i64;
        if past.wrapping_add(tolerance) as u64 <= 2 * tolerance as u64 {
            return self.exactly(border, turned).into();
        }
        let turn = -i64::from(past > 0);
        Turn { aside: turn, second: turn }
    }

    #[cold]
    #[inline(never)]
    fn exactly(&self, border: i64, turned: i64) -> Ordering {
        let other = 1 - self.axis;
        if turned < self.line.axes[other].count {
            self.line.compare_exactly((other, turned), (self.axis, border))
        } else {
            Ordering::Greater
        }
    }

    /// Whether the fractions at a border and at each of the next `count` borders are certain to differ from 0 and 1 by more than
    /// the tolerance.
    #[inline]
    fn clear(&self, fraction: u64, count: i64) -> bool {
        const LANES: usize = 8;
        // Of `k` sums of upper halves the true upper half is at most `k + 1` ahead. Seen from `-near - count - 1` the close ones
        // are the smallest; the lanes run up to seven past `count`.
        let near = (self.tolerance >> 32) as u32 + 1;
        let least = near + count as u32 + LANES as u32 + 1;
        if near > 1 << 24 {
            return false;
        }
        let upper = |x: u64| (x >> 32) as u32;
        // Signed comparisons are the ones that all processors have for many numbers at once.
        let begin = upper(fraction).wrapping_add(least).wrapping_add(1 << 31);
        let limit = (least + near + 1).wrapping_add(1 << 31) as i32;
        let slope = upper(self.slope);
        let mut lanes: [i32; LANES] =
            std::array::from_fn(|lane| begin.wrapping_add(slope.wrapping_mul(lane as u32)) as i32);
        let mut close = [0i32; LANES];
        let step = slope.wrapping_mul(LANES as u32) as i32;
        let rounds = count as usize / LANES + 1;
        for _ in 0..rounds {
            for lane in 0..LANES {
                close[lane] |= -i32::from(lanes[lane] < limit);
                lanes[lane] = lanes[lane].wrapping_add(step);
            }
        }
        close.iter().all(|&close| close == 0)
    }

    /// Walks the columns between two borders of the long side, of which the first has `turned` crossings of the short side
    /// behind. Returns whether the walker stopped. `block` is the size of the first block.
    #[inline]
    pub(super) fn columns(
        &self,
        (mut border, last): (i64, i64),
        mut turned: i64,
        mut block: i64,
        walker: &mut impl Walker,
    ) -> bool {
        while border < last {
            let count = (last - border).min(block);
            let fraction = self.at(border) as u64;
            if self.clear(fraction, count) {
                if walker.clear(fraction, self.slope, count) {
                    return true;
                }
                turned = (self.at(border + count) >> 64) as i64 + 1;
            } else {
                // The slope is cut to units: as many of them as there are columns in a block are well within the tolerance.
                let (mut past, slope) = (self.past(border, turned), (self.slope >> 2) as i64);
                for step in 1..=count {
                    let border = border + step;
                    past += slope;
                    let turn = self.turn(past, border, turned);
                    if walker.column(past.max(0) & turn.second, turn) {
                        return true;
                    }
                    turned -= turn.aside;
                    past -= UNIT & turn.aside;
                }
            }
            border += count;
            block = (2 * block).min(BLOCK);
        }
        false
    }
}

/// Who goes along a course.
pub(super) trait Walker {
    /// Goes through a clear block, of which the fraction of `u` at the beginning is told: each column turns if adding the slope to
    /// the fraction carries. Returns whether to stop.
    fn clear(&mut self, fraction: u64, slope: u64, count: i64) -> bool;
    /// Goes through a column; `past` is how far `u` at its end is past a turn, in units of [`UNIT`], 0 without a second cell. Returns
    /// whether to stop.
    fn column(&mut self, past: i64, turn: Turn) -> bool;
}

/// Adds the slope to the fraction of `u` and returns the mask of a turn.
#[inline(always)]
pub(super) fn advance(fraction: &mut u64, slope: u64) -> i64 {
    let (next, carry) = fraction.overflowing_add(slope);
    *fraction = next;
    -i64::from(carry)
}

/// A line laid out on a board: the index of its first cell, and what a step along each axis adds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    origin: isize,
    strides: [isize; 2],
}

impl Layout {
    /// The layout on a band of rows of a board of `width` columns that begins with row `first_row`; indices count from the
    /// band's first cell.
    #[inline]
    pub(super) fn new(line: &Line<2>, width: usize, first_row: usize) -> Self {
        let [rows, cols] = &line.axes;
        Self {
            origin: (rows.cell as isize - first_row as isize) * width as isize + cols.cell as isize,
            strides: [rows.step as isize * width as isize, cols.step as isize],
        }
    }

    #[inline]
    fn at(&self, place: &Place<2>) -> isize {
        self.origin + place[0] as isize * self.strides[0] + place[1] as isize * self.strides[1]
    }
}

/// Inks the columns of a line.
struct Painter<'a, I: Ink> {
    band: &'a mut [I::Board],
    ink: I,
    at: isize,
    along: isize,
    aside: isize,
}

impl<I: Ink> Walker for Painter<'_, I> {
    // A function of its own, so that the loop has all registers.
    #[inline(never)]
    fn clear(&mut self, mut fraction: u64, slope: u64, count: i64) -> bool {
        let Self { ref mut band, ink, mut at, along, aside } = *self;
        for _ in 0..count {
            let turn = advance(&mut fraction, slope);
            let second = at + (aside & turn as isize);
            // All cells lie in the band. An index that could be left out would cost the loop another jump.
            ink.ink(&mut band[at as usize]);
            ink.ink_again(&mut band[second as usize], turn);
            at = second + along;
        }
        self.at = at;
        false
    }

    #[inline]
    fn column(&mut self, _: i64, turn: Turn) -> bool {
        self.ink.drop(self.band, self.at);
        self.ink.drop_second(self.band, self.at, self.aside, turn.second);
        self.at += self.along + (self.aside & turn.aside as isize);
        false
    }
}

/// Looks for a cell.
struct Seeker<F> {
    stop: F,
    at: isize,
    along: isize,
    aside: isize,
}

impl<F: Fn(isize) -> bool> Walker for Seeker<F> {
    #[inline]
    fn clear(&mut self, mut fraction: u64, slope: u64, count: i64) -> bool {
        (0..count).any(|_| {
            let turn = advance(&mut fraction, slope);
            self.column(0, Turn { aside: turn, second: turn })
        })
    }

    #[inline]
    fn column(&mut self, _: i64, turn: Turn) -> bool {
        if (self.stop)(self.at) {
            return true;
        }
        // Without a second cell this asks of the first again, which costs less than a branch.
        let second = self.at + (self.aside & turn.second as isize);
        if (self.stop)(second) {
            self.at = second;
            return true;
        }
        self.at += self.along + (self.aside & turn.aside as isize);
        false
    }
}

impl Line<2> {
    /// Inks the cells from one place to a later one, as far as they lie in the band.
    #[inline]
    pub(super) fn ink<I: Ink>(&self, layout: Layout, from: &Place<2>, to: &Place<2>, band: &mut [I::Board], ink: I) {
        let course = Course::new(self);
        let (axis, other) = (course.axis, 1 - course.axis);
        let (at, last) = (layout.at(from), layout.at(to));
        let mut painter = Painter { band, ink, at, along: layout.strides[axis], aside: layout.strides[other] };
        if from[axis] < to[axis] {
            let (turn, _) = course.enter(from[axis], from[other]);
            painter.column(0, turn);
            course.columns((from[axis], to[axis] - 1), from[other] - turn.aside, BLOCK, &mut painter);
        }
        ink.drop(painter.band, painter.at);
        if painter.at != last {
            ink.drop(painter.band, last);
        }
    }

    /// Walks from one place to a later one until `stop` says so of the index of a cell, and returns that index.
    #[inline]
    pub(super) fn until(
        &self,
        layout: Layout,
        from: &Place<2>,
        to: &Place<2>,
        stop: impl Fn(isize) -> bool,
    ) -> Option<isize> {
        let course = Course::new(self);
        let (axis, other) = (course.axis, 1 - course.axis);
        let (at, last) = (layout.at(from), layout.at(to));
        let mut seeker = Seeker { stop, at, along: layout.strides[axis], aside: layout.strides[other] };
        if from[axis] < to[axis] {
            let (turn, _) = course.enter(from[axis], from[other]);
            let columns = (from[axis], to[axis] - 1);
            if seeker.column(0, turn) || course.columns(columns, from[other] - turn.aside, FEW, &mut seeker) {
                return Some(seeker.at);
            }
        }
        [seeker.at, last].into_iter().find(|&at| (seeker.stop)(at))
    }
}
