//! The length of a segment within each of its cells, after Siddon: R. L. Siddon, Fast calculation of the exact
//! radiological path for a three-dimensional CT array, 1985.
//!
//! The order of the cells is exact. A length is the difference between the parameters at which the segment enters and
//! leaves the cell, times the length of the segment. Each parameter is off by less than `2^-53`, however many cells
//! lie before it: the parameter of crossing `k` is `start + k * pace`. The pace is a sum of two doubles, and the
//! product of `k` and the first of them is exact.

use super::line::{Line, Place};

/// Returns the sum of two doubles as their rounded sum and the part lost by rounding (Knuth).
#[inline]
pub(super) fn sum(a: f64, b: f64) -> (f64, f64) {
    let high = a + b;
    let back = high - a;
    (high, (a - (high - back)) + (b - back))
}

/// Returns the product of two doubles as the rounded product and the part lost by rounding (Dekker), exact if nothing
/// overflows or underflows.
#[inline]
pub(super) fn product(a: f64, b: f64) -> (f64, f64) {
    /// Returns a double rounded to the upper half of its bits; what is left fits in the lower half (Veltkamp).
    fn upper(x: f64) -> f64 {
        let big = x * 134_217_729.0; // 2^27 + 1
        big - (big - x)
    }
    let high = a * b;
    let (a1, b1) = (upper(a), upper(b));
    let (a0, b0) = (a - a1, b - b1);
    (high, ((a1 * b1 - high) + a1 * b0 + a0 * b1) + a0 * b0)
}

/// Returns the quotient of two numbers, each given as a sum of two doubles, to about 100 bits.
#[inline]
pub(super) fn quotient((a, a_low): (f64, f64), (b, b_low): (f64, f64)) -> (f64, f64) {
    let high = a / b;
    let (product_high, product_low) = product(high, b);
    let rest = ((a - product_high) - product_low) + (a_low - high * b_low);
    sum(high, rest / b)
}

/// Returns a power of two that scales `largest` to a number whose square neither overflows nor underflows.
fn balance(largest: f64) -> f64 {
    if largest < 2f64.powi(-400) {
        2f64.powi(700)
    } else if largest > 2f64.powi(400) {
        2f64.powi(-700)
    } else {
        1.0
    }
}

/// Returns the distance between two points, with an error below 0.51 units in the last place.
#[inline]
pub(super) fn hypotenuse<const D: usize>(tail: &[f64; D], head: &[f64; D]) -> f64 {
    let parts: [(f64, f64); D] = std::array::from_fn(|a| sum(head[a], -tail[a]));
    let largest = parts.iter().fold(0.0, |largest: f64, part| largest.max(part.0.abs()));
    if largest > 2f64.powi(-400) && largest < 2f64.powi(400) { root_of_squares(&parts) } else { scaled(tail, head) }
}

/// Returns the distance between two points that are very close together, very far apart, or equal.
#[cold]
fn scaled<const D: usize>(tail: &[f64; D], head: &[f64; D]) -> f64 {
    // The difference between ends near the largest double may overflow, so both ends are made smaller first.
    let far = tail.iter().chain(head).fold(0.0, |far: f64, x| far.max(x.abs()));
    let shrink = if far > 2f64.powi(1000) { 2f64.powi(-100) } else { 1.0 };
    let parts: [(f64, f64); D] = std::array::from_fn(|a| sum(head[a] * shrink, -tail[a] * shrink));
    let largest = parts.iter().fold(0.0, |largest: f64, part| largest.max(part.0.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    let scale = balance(largest);
    root_of_squares(&parts.map(|(high, low)| (high * scale, low * scale))) / scale / shrink
}

/// Returns the square root of the sum of the squares of the parts, each of which is a sum of two doubles.
#[inline]
fn root_of_squares<const D: usize>(parts: &[(f64, f64); D]) -> f64 {
    let (mut total, mut rest) = (0.0, 0.0);
    for &(high, low) in parts {
        let (square, lost) = product(high, high);
        let (new, carry) = sum(total, square);
        (total, rest) = (new, rest + carry + lost + 2.0 * high * low);
    }
    let root = total.sqrt();
    let (square, lost) = product(root, root);
    // One step of Newton's method from the rounded root.
    root + (((total - square) - lost) + rest) / (2.0 * root)
}

/// The parameters of the crossings along one axis.
#[derive(Clone, Copy)]
pub(super) struct CrossingTimes {
    start: f64,
    /// The first 22 bits of the pace: their product with any number of crossings is exact.
    pace: f64,
    /// The rest of the pace.
    pace_low: f64,
}

impl CrossingTimes {
    #[inline]
    fn new(start: (f64, f64), pace: (f64, f64)) -> Self {
        let upper = f64::from_bits(pace.0.to_bits() & !((1 << 31) - 1));
        Self { start: start.0 + start.1, pace: upper, pace_low: (pace.0 - upper) + pace.1 }
    }

    /// Returns the parameter of crossing `k`.
    #[inline(always)]
    pub(super) fn at(&self, k: f64) -> f64 {
        k * self.pace + (k * self.pace_low + self.start)
    }
}

impl<const D: usize> Line<D> {
    /// Returns the parameters of the crossings along each axis.
    pub(super) fn times(&self) -> [CrossingTimes; D] {
        std::array::from_fn(|a| {
            let axis = &self.axes[a];
            if axis.count == 0 {
                return CrossingTimes::new((0.0, 0.0), (0.0, 0.0));
            }
            if let Some(world) = &self.world {
                return CrossingTimes::new(world.start[a], world.pace[a]);
            }
            let border = self.border(a, 0);
            let length = sum(self.head[a], -self.tail[a]);
            let first = sum(border, -self.tail[a]);
            // A segment so short that products would underflow is scaled up. It can cross only the border at 0, since
            // doubles are not dense enough anywhere else.
            let scale = balance(length.0.abs());
            let length = (length.0 * scale, length.1 * scale);
            let start = quotient((first.0 * scale, first.1 * scale), length);
            let pace = if axis.count > 1 { quotient((1.0, 0.0), length) } else { (0.0, 0.0) };
            let sign = axis.step as f64;
            CrossingTimes::new(start, (sign * pace.0, sign * pace.1))
        })
    }

    /// Returns the length of the whole segment, in cells; in a [`Frame::World`](super::Frame::World), in units of the
    /// world.
    pub fn length(&self) -> f64 {
        match &self.world {
            Some(world) => world.length,
            None => hypotenuse(&self.tail, &self.head),
        }
    }

    /// Visits the cells from one place to a later one, with the length of the segment within each cell.
    #[inline]
    pub(super) fn cut(&self, from: &Place<D>, to: &Place<D>, mut visit: impl FnMut([i32; D], f64)) {
        let whole = self.length();
        let (first, last) = self.ends();
        let times = self.times();
        let clock = self.clock();
        let mut walk = clock.walk(from, to);
        // A place other than the tail is entered at the latest of the crossings behind it.
        let mut entered = if *from == first {
            0.0
        } else {
            (0..D).filter(|&a| from[a] > 0).map(|a| times[a].at((from[a] - 1) as f64)).fold(0.0, f64::max)
        };
        let mut behind: [f64; D] = std::array::from_fn(|a| from[a] as f64);
        while walk.left > 0 {
            let cell = walk.cell;
            let axes = walk.advance();
            // At a corner the axes share one parameter, so any of them will do. `% D` avoids the bounds check.
            let a = axes.trailing_zeros() as usize % D;
            let left = times[a].at(behind[a]);
            visit(cell, (left - entered).max(0.0) * whole);
            entered = left;
            for a in 0..D {
                behind[a] += f64::from(axes >> a & 1);
            }
        }
        let left = if *to == last {
            1.0
        } else {
            let ahead = (0..D).filter(|&a| to[a] < last[a]);
            ahead.map(|a| times[a].at(to[a] as f64)).fold(1.0, f64::min)
        };
        visit(walk.cell, (left - entered).max(0.0) * whole);
    }
}

impl<const D: usize> Line<D> {
    /// Visits the steps of the exact traversal: the cell, the parameter `t` of the next border along each axis, and the
    /// axes crossed to enter the cell, one bit per axis. `t` is 1 or more for a border at the head or beyond it, and
    /// infinite along an axis on which the segment does not move; in a world it is infinite as soon as no border is
    /// left to cross.
    pub fn steps(&self, mut visit: impl FnMut([i32; D], [f64; D], u32)) {
        let clock = self.clock();
        let (from, to) = self.ends();
        let mut walk = clock.walk(&from, &to);
        let times = self.times();
        let (mut crossed, mut entered) = (0, 0.0);
        loop {
            let mut next: [f64; D] = std::array::from_fn(|a| {
                let (axis, k) = (&self.axes[a], walk.passed(a));
                if k < axis.count {
                    times[a].at(k as f64)
                } else if axis.step == 0 || self.world.is_some() {
                    f64::INFINITY
                } else {
                    // This border is not crossed: it lies at the head or beyond it.
                    let border = self.border(a, k);
                    (border - self.tail[a]) / (self.head[a] - self.tail[a])
                }
            });
            let (cell, left) = (walk.cell, walk.left);
            let crossing = if left > 0 { walk.advance() } else { 0 };
            // The parameters are rounded one by one. They are made to agree with the exact order of the crossings: the
            // axes of a corner share one parameter, and no parameter is smaller than that of an earlier crossing.
            entered = (0..D).filter(|a| crossing >> a & 1 > 0).map(|a| next[a]).fold(entered, f64::max);
            for t in &mut next {
                *t = t.max(entered);
            }
            visit(cell, next, crossed);
            if left <= 0 {
                return;
            }
            crossed = crossing;
        }
    }
}
