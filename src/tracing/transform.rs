//! Segments between points of a world to which the grid is mapped by an affine transform of six doubles.
//!
//! With `x = a col + b row + c` and `y = d col + e row + f`, a point has the row
//! `(a (y - f) - d (x - c)) / (a e - b d)` and the column `(e (x - c) - b (y - f)) / (a e - b d)`: fractions of
//! polynomials in doubles. Rows and columns are calculated in whole numbers, of 128 bits if that suffices and in big
//! integers otherwise, so that cells and crossings are exact for the six numbers and the points as given.

use std::ops::{Div, Mul, Neg, Rem, Sub};

use num_bigint::BigInt;

use super::LIMIT;
use super::exact::{Exact, fineness, scaled, split};
use super::lengths::{hypotenuse, quotient};
use super::line::Axis;
use crate::core::Error;

/// An affine map from the grid to a world: `x = a col + b row + c`, `y = d col + e row + f`. Cell `(i, j)` is the
/// half-open square of rows `[i, i + 1)` and columns `[j, j + 1)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Transform {
    numbers: [f64; 6],
    /// `numbers` are whole multiples of `2^-scale`.
    scale: i32,
}

/// What is calculated when a segment in a world is read: parameters, as sums of two doubles accurate to 100 bits, and
/// the length.
#[derive(Clone, Debug)]
pub(super) struct Transformed {
    /// Parameters (from 0 at the tail to 1 at the head) of the first crossing of a border between rows and of the first
    /// crossing of a border between columns.
    pub(super) start: [(f64, f64); 2],
    /// Difference between the parameters of two successive crossings, per axis; 0 if there are fewer than two.
    pub(super) pace: [(f64, f64); 2],
    /// Length in units of the world.
    pub(super) length: f64,
}

/// Returns `x * 2^power`, computed in steps, since `2^power` itself may not fit in a double.
fn times_power(mut x: f64, mut power: i64) -> f64 {
    while power != 0 {
        let part = power.clamp(-1000, 1000);
        x *= 2f64.powi(part as i32);
        power -= part;
    }
    x
}

/// Returns the absolute value of a fraction as a sum of two doubles, accurate to about 106 bits.
fn fraction(number: &BigInt, by: &BigInt) -> (f64, f64) {
    let shift = 110 + by.bits() as i64 - number.bits() as i64;
    let quotient = if shift >= 0 {
        (number.magnitude() << shift) / by.magnitude()
    } else {
        number.magnitude() / (by.magnitude() << -shift)
    };
    // The shift was chosen so that the quotient has 110 or 111 bits.
    let bits = u128::try_from(quotient).unwrap_or(0);
    let high = bits as f64;
    let low = (bits as i128 - high as i128) as f64;
    (times_power(high, -shift), times_power(low, -shift))
}

/// An integer type in which a segment can be read exactly.
trait ExactInteger:
    Clone
    + Ord
    + From<i64>
    + Mul<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
{
    /// Returns the absolute value of a fraction as a sum of two doubles, accurate to 100 bits or more.
    fn fraction(number: Self, by: Self) -> (f64, f64);
    /// Returns the number, which must fit in 64 bits.
    fn index(self) -> i64;
    /// Returns the segment that these numbers describe.
    fn exact(unit: Self, origin: [Self; 2], delta: [Self; 2]) -> Exact<2>;

    /// Returns the absolute value.
    fn absolute(self) -> Self {
        if self < Self::from(0) { -self } else { self }
    }
}

impl ExactInteger for BigInt {
    fn fraction(number: Self, by: Self) -> (f64, f64) {
        fraction(&number, &by)
    }

    fn index(self) -> i64 {
        i64::try_from(self).unwrap_or(0)
    }

    fn exact(unit: Self, origin: [Self; 2], delta: [Self; 2]) -> Exact<2> {
        Exact::Wide { unit, origin, delta }
    }
}

impl ExactInteger for i128 {
    fn fraction(number: Self, by: Self) -> (f64, f64) {
        let two = |x: Self| {
            let high = x as f64;
            (high, (x - high as Self) as f64)
        };
        quotient(two(number.abs()), two(by.abs()))
    }

    fn index(self) -> i64 {
        self as i64
    }

    fn exact(unit: Self, origin: [Self; 2], delta: [Self; 2]) -> Exact<2> {
        Exact::Narrow { unit, origin, delta }
    }
}

/// The map in whole numbers, in units of `2^-scale`, and its determinant in units of `2^(-2 scale)`.
struct Scaled<T> {
    numbers: [T; 6],
    determinant: T,
}

impl<T: ExactInteger> Scaled<T> {
    fn new(numbers: [T; 6]) -> Self {
        let [a, b, _, d, e, _] = numbers.clone();
        Self { numbers, determinant: a * e - b * d }
    }

    /// Returns the row and column of a point, times the absolute value of the determinant.
    fn place(&self, [x, y]: [T; 2]) -> [T; 2] {
        let [a, b, c, d, e, f] = self.numbers.clone();
        let (x, y) = (x - c, y - f);
        let (row, col) = (a * y.clone() - d * x.clone(), e * x - b * y);
        if self.determinant < T::from(0) { [-row, -col] } else { [row, col] }
    }

    /// Returns whether the row and the column of a point are at most [`LIMIT`] in absolute value.
    fn reaches(&self, point: [T; 2]) -> bool {
        let far = self.determinant.clone().absolute() * T::from(i64::from(LIMIT));
        self.place(point).into_iter().all(|part| part.absolute() <= far)
    }

    /// Reads a segment between two points that [`reaches`](Self::reaches) accepts.
    fn line(&self, tail: [T; 2], head: [T; 2], length: f64) -> ([Axis; 2], Exact<2>, Transformed) {
        let (from, to) = (self.place(tail), self.place(head));
        let unit = self.determinant.clone().absolute();
        let delta: [T; 2] = std::array::from_fn(|a| to[a].clone() - from[a].clone());
        let (mut start, mut pace) = ([(0.0, 0.0); 2], [(0.0, 0.0); 2]);
        let zero = T::from(0);
        let axes = std::array::from_fn(|a| {
            let end = |end: &T| {
                let (cell, rest) = (end.clone() / unit.clone(), end.clone() % unit.clone());
                // The quotient is rounded toward 0. For a negative coordinate, the cell is one less, unless the end
                // lies on a border.
                (cell.index() - i64::from(rest < zero), rest == zero)
            };
            let step = i64::from(delta[a] > zero) - i64::from(delta[a] < zero);
            let axis = Axis::between(end(&from[a]), end(&to[a]), step);
            if axis.count > 0 {
                start[a] = T::fraction(unit.clone() * T::from(axis.border(0)) - from[a].clone(), delta[a].clone());
            }
            if axis.count > 1 {
                pace[a] = T::fraction(unit.clone(), delta[a].clone());
            }
            axis
        });
        (axes, T::exact(unit, from, delta), Transformed { start, pace, length })
    }
}

impl Transform {
    /// Creates the map from `[a, b, c, d, e, f]`.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if a number is not finite, or if the map is singular.
    pub fn new(numbers: [f64; 6]) -> Result<Self, Error> {
        if !numbers.iter().all(|x| x.is_finite()) {
            return Err(Error::invalid(format!("transform must be six finite numbers, got {numbers:?}")));
        }
        let transform = Self { numbers, scale: fineness(&numbers, 1) };
        if transform.wide(transform.scale).determinant == BigInt::ZERO {
            return Err(Error::invalid(format!("transform must have an inverse, got {numbers:?} with a e = b d")));
        }
        Ok(transform)
    }

    /// Returns the map in big integers, in units of `2^-scale`; `scale` must be at least that of the map.
    fn wide(&self, scale: i32) -> Scaled<BigInt> {
        Scaled::new(self.numbers.map(|x| scaled(x, scale)))
    }

    /// Returns the map and a segment in 128 bits, if that suffices: all factors are then below 2^62 in absolute value,
    /// and the determinant is below 2^94, so that its product with the index of a cell is below 2^125.
    fn narrow(&self, ends: [f64; 4]) -> Option<(Scaled<i128>, [i128; 4])> {
        let scale = fineness(&ends, self.scale);
        let whole = |x: f64| {
            let (whole, power) = split(x);
            let shift = power + scale;
            let fits = whole == 0 || whole.unsigned_abs().ilog2() as i32 + shift <= 60;
            fits.then(|| i128::from(whole) << if whole == 0 { 0 } else { shift })
        };
        let mut numbers = [0; 6];
        for (number, &x) in numbers.iter_mut().zip(&self.numbers) {
            *number = whole(x)?;
        }
        let mut points = [0; 4];
        for (point, x) in points.iter_mut().zip(ends) {
            *point = whole(x)?;
        }
        let map = Scaled::new(numbers);
        (map.determinant.unsigned_abs() < 1 << 94).then_some((map, points))
    }

    /// Estimates how many borders are crossed by a segment whose ends differ by `x` and `y` in the world. The result is
    /// inexact, and infinite or NaN if numbers are out of range.
    pub fn borders(&self, x: f64, y: f64) -> f64 {
        let [a, b, _, d, e, _] = self.numbers;
        ((e * x - b * y).abs() + (a * y - d * x).abs()) / (a * e - b * d).abs()
    }

    /// Returns whether the rows and columns of both ends of a segment are at most [`LIMIT`] in absolute value.
    pub(super) fn reaches(&self, ends: [f64; 4]) -> bool {
        if let Some((map, [x, y, to_x, to_y])) = self.narrow(ends) {
            return map.reaches([x, y]) && map.reaches([to_x, to_y]);
        }
        let scale = fineness(&ends, self.scale);
        let ([x, y, to_x, to_y], map) = (ends.map(|x| scaled(x, scale)), self.wide(scale));
        map.reaches([x, y]) && map.reaches([to_x, to_y])
    }

    /// Reads a segment whose ends [`reaches`](Self::reaches) accepts.
    pub(super) fn line(&self, tail: [f64; 2], head: [f64; 2]) -> ([Axis; 2], Exact<2>, Transformed) {
        let (ends, length) = ([tail[0], tail[1], head[0], head[1]], hypotenuse(&tail, &head));
        if let Some((map, [x, y, to_x, to_y])) = self.narrow(ends) {
            return map.line([x, y], [to_x, to_y], length);
        }
        let scale = fineness(&ends, self.scale);
        let [x, y, to_x, to_y] = ends.map(|x| scaled(x, scale));
        self.wide(scale).line([x, y], [to_x, to_y], length)
    }
}
