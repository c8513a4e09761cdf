//! A fast walk along the thin line of a segment whose ends are doubles, in two dimensions.
//!
//! The line is walked along its long side, the axis along which it extends farther, from border to border. Between two
//! borders it has a *column* of one or two cells. At border `k` of the long side, `u(k)` is how far the line has moved
//! along the short side, in cells, counted from the first border that it crosses on the short side (before that border,
//! `u` is negative):
//!
//! ```text
//! u(k) = u(0) + k * slope          |     .|  A column that turns: between its two borders u passes
//!                                  |---.--|  a whole number, which is a carry out of the fraction
//! with slope = short / long <= 1   | .    |  of u.
//! ```
//!
//! The fraction of `u` is kept in 64 bits, so that a column costs one addition and its carry; a carry is a *turn*. All
//! rounding errors together stay below a tolerance. A block of columns is *clear* if `u` differs from whole numbers by
//! more than the tolerance at all borders of the block: each carry is then certain to be correct. Whether a block is
//! clear is tested first, for several columns at once, on the upper 32 bits of the fractions. In a block that is not
//! clear, a column that ends within the tolerance of a corner is decided by exact comparison.

use std::cmp::Ordering;

use super::line::{Line, Place};
use super::many::CellUpdate;

/// The crossings of a line in two dimensions, column by column. The line must not be in a
/// [`Frame::World`](super::Frame::World), where ends are not measured in cells.
#[derive(Debug)]
pub(super) struct Crossings<'a> {
    line: &'a Line<2>,
    /// The axis of the long side.
    pub(super) axis: usize,
    /// Cells along the short side per cell along the long side, in units of `2^-64`.
    pub(super) slope: u64,
    /// `u` at the first border of the long side, in units of `2^-64`; between -1 and 1.
    pub(super) first: i128,
    /// A bound on the error of `u` at any border, in units of `2^-64`.
    pub(super) tolerance: u64,
}

/// The largest number of columns of a block. It limits the number of carries from the lower halves of the sums, which
/// [`Crossings::clear`] ignores.
pub(super) const BLOCK: i64 = 512;

/// The number of columns of the first block of a walk that may end early; each further block has twice as many, up to
/// [`BLOCK`].
const FEW: i64 = 15;

/// One cell along the short side, in the units of [`Crossings::past`]: a quarter of `2^64`, so that distances of less
/// than two cells fit in an `i64`.
pub(super) const UNIT: i64 = 1 << 62;

/// How the line leaves a column. Both fields are masks: -1 (all bits set) for yes, 0 for no. At a corner, the line
/// turns aside without a second cell in the column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// Whether the next column begins one cell farther along the short side.
    pub(super) aside: i64,
    /// Whether this column has a second cell.
    pub(super) second: i64,
}

impl From<Ordering> for Turn {
    /// Returns the turn; `order` compares the next crossing of the short side with the next one of the long side.
    fn from(order: Ordering) -> Self {
        Self { aside: -i64::from(order.is_le()), second: -i64::from(order.is_lt()) }
    }
}

impl<'a> Crossings<'a> {
    #[inline(always)]
    pub(super) fn new(line: &'a Line<2>) -> Self {
        let axis = line.long_axis();
        let size = |a: usize| (line.head[a] - line.tail[a]).abs();
        // If one of the sides has no crossings, `u` stays halfway between two whole numbers, and the line never turns.
        let mut crossings = Self { line, axis, slope: 0, first: -(1 << 63), tolerance: 0 };
        if line.axes[axis].count > 0 && line.axes[1 - axis].count > 0 {
            let (long, short) = (size(axis), size(1 - axis));
            if long > 2f64.powi(-500) {
                let ahead = |a: usize| (line.border(a, 0) - line.tail[a]).abs();
                let slope = short / long;
                // A slope of 1 is cut to the largest fraction.
                crossings.slope = ((slope * 2f64.powi(63)) as i64 as u64) << 1;
                crossings.first = (((ahead(axis) * slope - ahead(1 - axis)) * 2f64.powi(63)) as i64 as i128) << 1;
                // `first` has a few roundings of numbers up to 1, each of at most 2^-53, which is 2^11 units. The slope
                // has three roundings and is cut to a multiple of 2 units; each column adds the error of the slope once
                // more.
                crossings.tolerance = (line.axes[axis].count as u64 + 8) << 13;
            } else {
                // Products would underflow. With this tolerance every column is decided by exact comparison.
                (crossings.first, crossings.tolerance) = (0, u64::MAX >> 1);
            }
        }
        crossings
    }

    /// Returns `u` at a border of the long side, in units of `2^-64`.
    #[inline]
    fn at(&self, border: i64) -> i128 {
        self.first + i128::from(border) * i128::from(self.slope)
    }

    /// Returns the number of crossings of the short side before a border of the long side, at which the line must not
    /// come close to a corner.
    #[inline]
    fn turned(&self, border: i64) -> i64 {
        // Crossing `j`, counted from 0, is at `u = j`, so `floor(u) + 1` crossings lie before the border.
        (self.at(border) >> 64) as i64 + 1
    }

    /// Returns how far `u` at a border of the long side is past a crossing of the short side, in cells times [`UNIT`].
    /// `u` and the crossing must be less than two cells apart.
    #[inline]
    fn past(&self, border: i64, crossing: i64) -> i64 {
        ((self.at(border) - (i128::from(crossing) << 64)) >> 2) as i64
    }

    /// Returns the turn in the column before a border of the long side, and how far `u` at that border is past the next
    /// crossing of the short side, in cells times [`UNIT`]. `turned` is the number of crossings of the short side
    /// before the column.
    #[inline]
    pub(super) fn enter(&self, border: i64, turned: i64) -> (Turn, i64) {
        let past = self.past(border, turned);
        (self.turn(past, border, turned), past)
    }

    /// Returns the turn in the column before a border of the long side. `past` is how far `u` at the border is past the
    /// next crossing of the short side, and `turned` is the number of such crossings before the column.
    #[inline(always)]
    fn turn(&self, past: i64, border: i64, turned: i64) -> Turn {
        // One unsigned comparison tests -tolerance <= past <= tolerance.
        let tolerance = (self.tolerance >> 2) as i64;
        if past.wrapping_add(tolerance) as u64 <= 2 * tolerance as u64 {
            return self.exactly(border, turned).into();
        }
        let turn = -i64::from(past > 0);
        Turn { aside: turn, second: turn }
    }

    /// Compares crossing `turned` of the short side with crossing `border` of the long side. A crossing that the line
    /// does not have comes last.
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

    /// Returns `true` if the fraction of `u`, given at one border, is certain to differ from 0 and 1 by more than the
    /// tolerance at that border and at each of the next `count` borders.
    #[inline]
    fn clear(&self, fraction: u64, count: i64) -> bool {
        const LANES: usize = 8;
        // Only upper halves are added. After `k` additions the true upper half is at most `k` larger than the sum,
        // because the carries from the lower halves are ignored. A fraction can thus be close to a whole number only if
        // the sum, modulo 2^32, lies between `-least` and `near`; adding `least` turns this into one comparison. The
        // lanes run up to seven columns past `count`, so that `k` is at most `count + 7`.
        let near = (self.tolerance >> 32) as u32 + 1;
        let least = near + count as u32 + LANES as u32 + 1;
        if near > 1 << 24 {
            return false;
        }
        let upper = |x: u64| (x >> 32) as u32;
        // The numbers are shifted by 2^31 for a signed comparison, which all processors offer for vectors.
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

    /// Walks the columns between two borders of the long side, `(border, last)`. `turned` is the number of crossings of
    /// the short side before the first border, and `block` is the number of columns of the first block. Returns whether
    /// the walker stopped.
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
                turned = self.turned(border + count);
            } else {
                // The slope is cut to the units of `past`. The error, less than one such unit per column of a block, is
                // well within the tolerance.
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

/// What a walk does at the columns of a line.
pub(super) trait Walker {
    /// Processes a clear block of `count` columns; `fraction` is the fraction of `u` at the beginning of the block. A
    /// column turns if adding the slope to the fraction carries. Returns whether to stop.
    fn clear(&mut self, fraction: u64, slope: u64, count: i64) -> bool;
    /// Processes one column. `past` is how far `u` at the end of the column is past the turn, in cells times [`UNIT`],
    /// or 0 if there is no second cell. Returns whether to stop.
    fn column(&mut self, past: i64, turn: Turn) -> bool;
}

/// Adds the slope to the fraction of `u`. Returns -1 if the sum carries, which means that the line turns, else 0.
#[inline(always)]
pub(super) fn advance(fraction: &mut u64, slope: u64) -> i64 {
    let (next, carry) = fraction.overflowing_add(slope);
    *fraction = next;
    -i64::from(carry)
}

/// A line laid out on a board: the index of its first cell, and what a step along each axis adds to an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    origin: isize,
    pub(super) strides: [isize; 2],
}

impl Layout {
    /// Lays a line out on a band of rows, which begins with row `first_row` of a board of `width` columns. Indices
    /// count from the first cell of the band.
    #[inline]
    pub(super) fn new(line: &Line<2>, width: usize, first_row: usize) -> Self {
        let [rows, cols] = &line.axes;
        Self {
            origin: (rows.cell as isize - first_row as isize) * width as isize + cols.cell as isize,
            strides: [rows.step as isize * width as isize, cols.step as isize],
        }
    }

    /// Returns the index of the cell at a place.
    #[inline]
    pub(super) fn at(&self, place: &Place<2>) -> isize {
        self.origin + place[0] as isize * self.strides[0] + place[1] as isize * self.strides[1]
    }
}

/// Paints the cells of a line, column by column.
struct Painter<'a, I: CellUpdate> {
    band: &'a mut [I::Board],
    update: I,
    /// The index of the first cell of the next column.
    at: isize,
    /// What a step along the long side adds to an index.
    along: isize,
    /// What a step along the short side adds to an index.
    aside: isize,
}

impl<I: CellUpdate> Walker for Painter<'_, I> {
    // Not inlined, so that the loop can use all registers.
    #[inline(never)]
    fn clear(&mut self, mut fraction: u64, slope: u64, count: i64) -> bool {
        let Self { ref mut band, update, mut at, along, aside } = *self;
        for _ in 0..count {
            let turn = advance(&mut fraction, slope);
            let second = at + (aside & turn as isize);
            // All cells lie in the band, so that plain indexing never panics. Skipping cells outside it, as `apply_at`
            // does, would cost the loop another jump.
            update.apply(&mut band[at as usize]);
            update.apply_again(&mut band[second as usize], turn);
            at = second + along;
        }
        self.at = at;
        false
    }

    #[inline]
    fn column(&mut self, _: i64, turn: Turn) -> bool {
        self.update.apply_at(self.band, self.at);
        self.update.apply_second(self.band, self.at, self.aside, turn.second);
        self.at += self.along + (self.aside & turn.aside as isize);
        false
    }
}

/// A search for the first cell that `stop` accepts.
struct CellSearch<F> {
    stop: F,
    /// The index of the first cell of the next column, or of the cell found.
    at: isize,
    /// What a step along the long side adds to an index.
    along: isize,
    /// What a step along the short side adds to an index.
    aside: isize,
}

impl<F> CellSearch<F> {
    /// Creates a search that begins at the cell with index `at`; `axis` is the axis of the long side.
    #[inline]
    fn new(stop: F, at: isize, layout: Layout, axis: usize) -> Self {
        Self { stop, at, along: layout.strides[axis], aside: layout.strides[1 - axis] }
    }
}

impl<F: Fn(isize) -> bool> Walker for CellSearch<F> {
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
        // If there is no second cell, the first one is tested again, which costs less than a branch.
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
    /// Paints the cells from one place to a later one. All these cells must lie in the band.
    #[inline]
    pub(super) fn paint<I: CellUpdate>(
        &self,
        layout: Layout,
        from: &Place<2>,
        to: &Place<2>,
        band: &mut [I::Board],
        update: I,
    ) {
        let crossings = Crossings::new(self);
        let (axis, other) = (crossings.axis, 1 - crossings.axis);
        let (at, last) = (layout.at(from), layout.at(to));
        let mut painter = Painter { band, update, at, along: layout.strides[axis], aside: layout.strides[other] };
        if from[axis] < to[axis] {
            let (turn, _) = crossings.enter(from[axis], from[other]);
            painter.column(0, turn);
            crossings.columns((from[axis], to[axis] - 1), from[other] - turn.aside, BLOCK, &mut painter);
        }
        // In the last column, another cell may come before the last cell.
        update.apply_at(painter.band, painter.at);
        if painter.at != last {
            update.apply_at(painter.band, last);
        }
    }

    /// Walks from one place to a later one until `stop` returns `true` for the index of a cell, and returns that index;
    /// `None` if it never does.
    #[inline]
    pub(super) fn until(
        &self,
        layout: Layout,
        from: &Place<2>,
        to: &Place<2>,
        stop: impl Fn(isize) -> bool,
    ) -> Option<isize> {
        let crossings = Crossings::new(self);
        let (axis, other) = (crossings.axis, 1 - crossings.axis);
        let last = layout.at(to);
        let mut search = CellSearch::new(stop, layout.at(from), layout, axis);
        if from[axis] < to[axis] {
            let (turn, _) = crossings.enter(from[axis], from[other]);
            let columns = (from[axis], to[axis] - 1);
            if search.column(0, turn) || crossings.columns(columns, from[other] - turn.aside, FEW, &mut search) {
                return Some(search.at);
            }
        }
        [search.at, last].into_iter().find(|&at| (search.stop)(at))
    }

    /// Walks toward the head until `stop` returns `true` for the index of a cell, and returns that index; `None` if it
    /// never does. Begins with the column after border `column - 1` of the long side; `at` is the index of the first
    /// cell of that column. `column` is at least 1, and the line must not come close to a corner at that border.
    pub(super) fn until_from(
        &self,
        layout: Layout,
        column: i64,
        at: isize,
        stop: impl Fn(isize) -> bool,
    ) -> Option<isize> {
        let crossings = Crossings::new(self);
        let (_, to) = self.ends();
        let mut search = CellSearch::new(stop, at, layout, crossings.axis);
        let columns = (column - 1, to[crossings.axis] - 1);
        if crossings.columns(columns, crossings.turned(column - 1), FEW, &mut search) {
            return Some(search.at);
        }
        [search.at, layout.at(&to)].into_iter().find(|&at| (search.stop)(at))
    }
}
