//! A segment whose ends are doubles, in two or three dimensions: its first and last cell, its crossings, and their
//! order.
//!
//! Along each axis the segment crosses `count` borders strictly between its ends. The `k`-th crossing happens at a
//! parameter `t` between 0 (tail) and 1 (head); the cells of the line follow from the order of the crossings of all
//! axes, and crossings at equal `t` are one step through an edge or a corner. Parameters are kept in 64-bit fixed point
//! with a proven bound on their error; two that are too close to be told apart are compared exactly.

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::ops::Range;

use super::LIMIT;
use super::exact::Exact;
use super::transform::{Transform, Transformed};

/// How coordinates relate to cells.
#[derive(Clone, Debug)]
pub enum Frame {
    /// Cell `i` is `[i - 1/2, i + 1/2)`: whole numbers are centers.
    Center,
    /// Cell `i` is `[i, i + 1)`.
    Corner,
    /// Ends are points `(x, y)` of a world in which the grid lies.
    World(Transform),
}

impl Frame {
    /// Returns whether borders lie halfway between whole numbers.
    fn halves(&self) -> bool {
        matches!(self, Self::Center)
    }
}

/// Returns the cell that holds a coordinate, which is at most [`LIMIT`] in absolute value, and whether the coordinate
/// lies on the lower border of that cell.
#[inline(always)]
#[allow(clippy::float_cmp)] // a coordinate lies on a border only if the two are exactly equal
pub(super) fn locate(x: f64, halves: bool) -> (i64, bool) {
    // The doubles from 2^52 to 2^53 are the whole numbers of that range, so the sum rounds `x` to the nearest whole
    // number (ties to even). Read as integers, the bits of neighboring doubles of that range differ by 1, so the
    // difference of the bits is the rounded `x`.
    const WHOLE: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52
    let sum = x + WHOLE;
    let nearest = (sum.to_bits() as i64).wrapping_sub(WHOLE.to_bits() as i64);
    // This difference is exact, because the two numbers are near each other or the second one is 0.
    let past = x - (sum - WHOLE);
    if halves {
        (nearest + i64::from(past == 0.5), past.abs() == 0.5)
    } else {
        (nearest - i64::from(past < 0.0), past == 0.0)
    }
}

/// What a segment does along one axis.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Axis {
    /// Index of the first cell of the thin line.
    pub(super) cell: i64,
    /// Index of the last cell of the thin line.
    pub(super) last: i64,
    /// Direction: -1, 0 or 1.
    pub(super) step: i64,
    /// Number of borders crossed strictly between the ends.
    pub(super) count: i64,
    /// Whether the tail lies on a border.
    pub(super) tail_on: bool,
    /// Whether the head lies on a border.
    pub(super) head_on: bool,
}

impl Axis {
    #[inline(always)]
    fn new(tail: f64, head: f64, halves: bool) -> Self {
        let (from, to) = (locate(tail, halves), locate(head, halves));
        Self::between(from, to, i64::from(head > tail) - i64::from(head < tail))
    }

    /// Returns the axis from the cells that hold the ends. A border belongs to the cell with the larger index, but a
    /// segment that ends on it coming from smaller coordinates, or starts on it going to smaller ones, has no length in
    /// that cell.
    #[inline(always)]
    pub(super) fn between((tail, tail_on): (i64, bool), (head, head_on): (i64, bool), step: i64) -> Self {
        let cell = tail - i64::from(tail_on && step < 0);
        let last = head - i64::from(head_on && step > 0);
        // Not `step * (last - cell)`: vector units that cannot multiply 64-bit numbers need six instructions for the
        // product.
        Self { cell, last, step, count: (last - cell).abs(), tail_on, head_on }
    }

    /// Returns the index of the border of crossing `k`; border `i` is the lower border of cell `i`.
    #[inline]
    pub(super) fn border(&self, k: i64) -> i64 {
        if self.step > 0 { self.cell + 1 + k } else { self.cell - k }
    }

    /// Returns the cell after `k` crossings.
    #[inline]
    pub(super) fn after(&self, k: i64) -> i64 {
        self.cell + self.step * k
    }

    /// Returns the smallest and the largest number of crossings after which the cell lies in `range`; `None` if it
    /// never does.
    fn inside(&self, range: &Range<i64>) -> Option<(i64, i64)> {
        let (least, most) = match self.step {
            1 => (range.start - self.cell, range.end - 1 - self.cell),
            -1 => (self.cell - (range.end - 1), self.cell - range.start),
            _ if range.contains(&self.cell) => (0, 0),
            _ => return None,
        };
        let (least, most) = (least.max(0), most.min(self.count));
        (least <= most).then_some((least, most))
    }
}

/// A box of cells: a range of indices per axis.
pub(super) type Bounds<const D: usize> = [Range<i64>; D];

/// Returns the box of all cells of an array of the given shape.
pub(super) fn bounds<const D: usize>(shape: &[usize; D]) -> Bounds<D> {
    shape.map(|size| 0..size as i64)
}

/// Numbers of crossings, one per axis: a place on the way from tail to head.
pub(super) type Place<const D: usize> = [i64; D];

/// A segment in a grid of `D` dimensions.
#[derive(Debug)]
pub struct Line<const D: usize> {
    pub(super) axes: [Axis; D],
    pub(super) tail: [f64; D],
    pub(super) head: [f64; D],
    pub(super) halves: bool,
    /// The segment in whole numbers: computed at once if it lies in a world, otherwise when two crossings are first
    /// compared exactly.
    exact: OnceCell<Box<Exact<D>>>,
    /// What was calculated when a segment in a world was read; `None` in other frames.
    pub(super) world: Option<Box<Transformed>>,
}

/// The unit of fixed-point parameters is `2^-UNIT`: sums of two parameters fit in an `i64`.
const UNIT: i32 = 61;

/// A parameter later than all others.
const NEVER: i64 = 1 << 62;

impl<const D: usize> Line<D> {
    /// Reads a segment from `ends`, `D` coordinates of the tail and then `D` of the head, which [`check`] has accepted
    /// for the frame.
    #[inline(always)]
    pub fn new(ends: &[f64], frame: &Frame) -> Self {
        let halves = frame.halves();
        let (mut tail, mut head) = ([0.0; D], [0.0; D]);
        tail.copy_from_slice(&ends[..D]);
        head.copy_from_slice(&ends[D..2 * D]);
        if let Frame::World(transform) = frame {
            return Self::in_world(tail, head, transform);
        }
        // Not `array::from_fn`, which is not inlined and copies its result.
        let mut axes = [Axis::default(); D];
        for a in 0..D {
            axes[a] = Axis::new(tail[a], head[a], halves);
        }
        Self { axes, tail, head, halves, exact: OnceCell::new(), world: None }
    }

    /// Reads a segment between points of a world.
    #[cold]
    fn in_world(tail: [f64; D], head: [f64; D], transform: &Transform) -> Self {
        let (planar, exact, world) = transform.line([tail[0], tail[1]], [head[0], head[1]]);
        // `D` is 2 here, but the compiler cannot tell, so the array is copied into one of `D` axes.
        let mut axes = [Axis::default(); D];
        axes.copy_from_slice(&planar);
        Self {
            axes,
            tail,
            head,
            halves: false,
            exact: OnceCell::from(Box::new(exact.resized())),
            world: Some(Box::new(world)),
        }
    }

    /// Returns the largest number of cells that the thin line can have.
    pub fn most_cells(&self) -> u64 {
        self.axes.iter().map(|axis| axis.count as u64).sum::<u64>() + 1
    }

    /// Returns the first and the last place of the line.
    pub(super) fn ends(&self) -> (Place<D>, Place<D>) {
        ([0; D], self.axes.map(|axis| axis.count))
    }

    /// Returns the cell at a place.
    pub(super) fn cell(&self, place: &Place<D>) -> [i32; D] {
        std::array::from_fn(|a| self.axes[a].after(place[a]) as i32)
    }

    /// Returns the coordinate of the border of crossing `k` along an axis. The line must not be in a world.
    #[inline]
    pub(super) fn border(&self, a: usize, k: i64) -> f64 {
        self.axes[a].border(k) as f64 - if self.halves { 0.5 } else { 0.0 }
    }

    /// Returns the parameter of the first crossing along an axis and the difference between the parameters of two
    /// successive crossings, as doubles with relative errors below `2^-51`.
    #[inline]
    fn rough(&self, a: usize) -> (f64, f64) {
        if let Some(world) = &self.world {
            return (world.start[a].0, world.pace[a].0);
        }
        let length = self.head[a] - self.tail[a];
        ((self.border(a, 0) - self.tail[a]) / length, 1.0 / length.abs())
    }

    /// Returns the order of two crossings, decided in whole numbers.
    #[cold]
    pub(super) fn compare_exactly(&self, (a, k): (usize, i64), (b, l): (usize, i64)) -> Ordering {
        let exact = self.exact.get_or_init(|| Box::new(Exact::between(&self.tail, &self.head, self.halves)));
        exact.compare((a, self.axes[a].border(k)), (b, self.axes[b].border(l)))
    }

    /// Returns the parameters of the crossings in fixed point, for fast comparisons.
    #[inline]
    pub(super) fn clock(&self) -> Clock<'_, D> {
        let (mut start, mut pace) = ([NEVER; D], [NEVER; D]);
        let one = (1i64 << UNIT) as f64;
        let mut most = 0;
        for a in 0..D {
            let count = self.axes[a].count;
            if count > 0 {
                let (first, cell) = self.rough(a);
                start[a] = (first * one) as i64;
                if count > 1 {
                    // Two crossings lie strictly within the segment, so that `cell` is below 1.
                    pace[a] = (cell * one) as i64;
                }
                most = most.max(count);
            }
        }
        // The first crossing is off by less than 2^10 units, because its relative error is below 2^-51. The error of
        // `pace` adds as much again at most, plus one unit per cell, because `pace` is cut to whole units. A tolerance
        // of twice the sum covers both of the crossings that are compared.
        Clock { line: self, start, pace, tolerance: (1 << 12) + 2 * most }
    }

    /// Returns the places of the first and the last cell of the thin line in a box of cells; `None` if the line has no
    /// cell there. Between these places the line does not leave the box.
    pub(super) fn span(&self, within: &Bounds<D>) -> Option<(Place<D>, Place<D>)> {
        let (mut start, mut end) = self.ends();
        let (mut least, mut most) = (start, end);
        for a in 0..D {
            (least[a], most[a]) = self.axes[a].inside(&within[a])?;
        }
        if least == start && most == end {
            return Some((start, end));
        }
        let clock = self.clock();
        // The line enters the box with the last of the crossings that bring an axis inside, and leaves it with the
        // first that takes an axis outside.
        let enters = (0..D).filter(|&a| least[a] > 0).map(|a| (a, least[a] - 1));
        if let Some(entry) = enters.reduce(|one, other| if clock.compare(one, other).is_lt() { other } else { one }) {
            start = clock.passed(entry, true);
        }
        let leaves = (0..D).filter(|&a| most[a] < end[a]).map(|a| (a, most[a]));
        if let Some(exit) = leaves.reduce(|one, other| if clock.compare(other, one).is_lt() { other } else { one }) {
            end = clock.passed(exit, false);
        }
        // The line misses the box if it leaves along one axis before it has entered along another.
        (0..D).all(|a| start[a] <= most[a] && start[a] <= end[a] && least[a] <= end[a]).then_some((start, end))
    }

    /// Returns whether every cell of the thin line lies in a box of cells.
    #[inline(always)]
    pub(super) fn fits(&self, within: &Bounds<D>) -> bool {
        (0..D).all(|a| {
            let axis = &self.axes[a];
            within[a].contains(&axis.cell) && within[a].contains(&axis.last)
        })
    }

    /// Returns whether every cell that the segment touches lies in a box of cells.
    pub(super) fn touches_only(&self, within: &Bounds<D>) -> bool {
        (0..D).all(|a| {
            let axis = &self.axes[a];
            let (first, last) = (axis.cell, axis.last);
            // If the tail lies on a border, the segment also touches the cell behind the tail or, if it does not move
            // along this axis, the cell of the next smaller index.
            let back = if axis.step == 0 { 1 } else { axis.step };
            within[a].contains(&(first - i64::from(axis.tail_on) * back))
                && within[a].contains(&(last + i64::from(axis.head_on) * axis.step))
                && within[a].contains(&first)
        })
    }
}

impl Line<2> {
    /// Returns the axis along which the segment moves farther, 1 (columns) if it moves equally far along both. For a
    /// line in a world, the result has no meaning.
    #[inline]
    pub(super) fn long_axis(&self) -> usize {
        let size = |a: usize| (self.head[a] - self.tail[a]).abs();
        let steep = match size(0).total_cmp(&size(1)) {
            // Differences that round to the same double are told apart by what rounding lost.
            Ordering::Equal => self.lost(0) > self.lost(1),
            order => order.is_gt(),
        };
        usize::from(!steep)
    }

    /// Returns what is lost when the size of the segment along an axis is rounded to a double.
    #[cold]
    fn lost(&self, a: usize) -> f64 {
        let (from, to) =
            if self.axes[a].step < 0 { (self.head[a], self.tail[a]) } else { (self.tail[a], self.head[a]) };
        let size = to - from;
        // Knuth's two-sum: the rounding error of a difference is itself a double, which these steps compute exactly.
        let back = to - size;
        (to - (size + back)) + (back - from)
    }
}

/// The parameters at which the line crosses borders along each axis, in fixed point, with a bound on their error.
#[derive(Debug)]
pub(super) struct Clock<'a, const D: usize> {
    line: &'a Line<D>,
    start: [i64; D],
    pace: [i64; D],
    /// Two parameters that differ by more than this are in the order of their true values.
    tolerance: i64,
}

impl<'a, const D: usize> Clock<'a, D> {
    /// Returns the parameter of a crossing, which is given by its axis and its number along that axis.
    #[inline]
    fn at(&self, (a, k): (usize, i64)) -> i64 {
        if k == 0 { self.start[a] } else { self.start[a] + k * self.pace[a] }
    }

    /// Compares two crossings of the line.
    #[inline]
    pub(super) fn compare(&self, one: (usize, i64), other: (usize, i64)) -> Ordering {
        let (t, u) = (self.at(one), self.at(other));
        if (t - u).abs() > self.tolerance { t.cmp(&u) } else { self.line.compare_exactly(one, other) }
    }

    /// Counts the crossings of each axis that come before a given crossing; if `with` is `true`, crossings at an equal
    /// parameter count too.
    fn passed(&self, crossing: (usize, i64), with: bool) -> Place<D> {
        let t = self.at(crossing);
        let early = |other: (usize, i64)| match self.compare(other, crossing) {
            Ordering::Less => true,
            Ordering::Equal => with,
            Ordering::Greater => false,
        };
        std::array::from_fn(|b| {
            let count = self.line.axes[b].count;
            if b == crossing.0 {
                return crossing.1 + i64::from(with);
            }
            // An estimate by division, which is then corrected by comparisons.
            let guess = if count == 0 { 0 } else { (t - self.start[b]).max(0) / self.pace[b] };
            let mut passed = guess.min(count);
            while passed < count && early((b, passed)) {
                passed += 1;
            }
            while passed > 0 && !early((b, passed - 1)) {
                passed -= 1;
            }
            passed
        })
    }

    /// Starts a walk from one place to a later one.
    #[inline]
    pub(super) fn walk(&self, from: &Place<D>, to: &Place<D>) -> Walk<'_, 'a, D> {
        let line = self.line;
        Walk {
            clock: self,
            next: std::array::from_fn(|a| self.at((a, from[a]))),
            cell: line.cell(from),
            step: line.axes.map(|axis| axis.step as i32),
            left: (0..D).map(|a| to[a] - from[a]).sum(),
        }
    }
}

/// A walk along the thin line.
#[derive(Debug)]
pub(super) struct Walk<'c, 'a, const D: usize> {
    clock: &'c Clock<'a, D>,
    /// The parameter of the next crossing of each axis.
    next: [i64; D],
    /// The direction along each axis: -1, 0 or 1.
    step: [i32; D],
    /// The current cell.
    pub(super) cell: [i32; D],
    /// The number of crossings ahead, of all axes together.
    pub(super) left: i64,
}

impl<const D: usize> Walk<'_, '_, D> {
    /// Moves to the next cell and returns the axes whose borders were crossed, one bit per axis. At least one crossing
    /// must be left.
    #[inline(always)]
    pub(super) fn advance(&mut self) -> u32 {
        let mut soonest = self.next[0];
        for a in 1..D {
            soonest = soonest.min(self.next[a]);
        }
        let close = soonest + self.clock.tolerance;
        let (mut axes, mut number) = (0u32, 0u32);
        for a in 0..D {
            let near = u32::from(self.next[a] <= close);
            axes |= near << a;
            number += near;
        }
        if number > 1 {
            // Passes a copy, because an array that a call borrows cannot stay in registers.
            (axes, number) = self.clock.decide(axes, self.next);
        }
        for a in 0..D {
            let mask = -i64::from(axes >> a & 1);
            self.cell[a] += self.step[a] & mask as i32;
            // Past the last crossing of an axis, `next` is at least 1 minus the tolerance, and `decide` skips the axis.
            // An axis with one crossing adds NEVER once, and the sum stays below 2^63.
            self.next[a] += self.clock.pace[a] & mask;
        }
        self.left -= i64::from(number);
        axes
    }

    /// Returns the number of crossings of an axis that the walk has passed.
    #[inline]
    pub(super) fn passed(&self, a: usize) -> i64 {
        self.clock.behind(a, self.next[a])
    }
}

impl<const D: usize> Clock<'_, D> {
    /// Returns the number of crossings of an axis before the parameter `next`, which is `start` plus a multiple of
    /// `pace`.
    #[inline]
    fn behind(&self, a: usize, next: i64) -> i64 {
        (next - self.start[a]) / self.pace[a]
    }

    /// Decides by exact comparison which of the next crossings of the axes in the mask `close` comes first. Returns, as
    /// a mask, the axes of the first crossing and of all others at an equal parameter, and the number of these axes.
    #[cold]
    #[inline(never)]
    fn decide(&self, close: u32, next: [i64; D]) -> (u32, u32) {
        let line = self.line;
        let mut first: Option<(usize, i64)> = None;
        let mut axes = 0;
        for a in (0..D).filter(|a| close >> a & 1 == 1) {
            let crossing = (a, self.behind(a, next[a]));
            if crossing.1 >= line.axes[a].count {
                continue;
            }
            match first.map_or(Ordering::Less, |first| self.compare(crossing, first)) {
                Ordering::Less => (first, axes) = (Some(crossing), 1 << a),
                Ordering::Equal => axes |= 1 << a,
                Ordering::Greater => {}
            }
        }
        (axes, axes.count_ones())
    }
}

/// Returns the index of the first segment that cannot be read, and what its coordinates must do, to complete the
/// sentence "segment 3 must ..."; `None` if all segments can be read. `ends` holds `2 * D` coordinates per segment.
pub fn check<const D: usize>(ends: &[f64], frame: &Frame) -> Option<(usize, &'static str)> {
    let far = f64::from(LIMIT);
    // Nearly always all coordinates are valid, so all are compared first, without branches. A comparison with NaN is
    // false.
    if !matches!(frame, Frame::World(_)) && ends.iter().fold(true, |good, x| good & (x.abs() <= far)) {
        return None;
    }
    ends.chunks_exact(2 * D).enumerate().find_map(|(i, ends)| {
        if !ends.iter().all(|x| x.is_finite()) {
            return Some((i, "be finite"));
        }
        let near = match frame {
            Frame::World(transform) => transform.reaches([ends[0], ends[1], ends[D], ends[D + 1]]),
            _ => ends.iter().all(|x| (-far..=far).contains(x)),
        };
        (!near).then_some((i, "lie within 2^30 cells of the origin"))
    })
}
