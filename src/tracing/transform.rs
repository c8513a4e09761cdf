//! Segments between points of a world in which the grid lies askew, by an affine map of six doubles.
//!
//! With `x = a col + b row + c` and `y = d col + e row + f`, a point has the row `(a (y - f) - d (x - c)) / (a e - b d)` and
//! the column `(e (x - c) - b (y - f)) / (a e - b d)`: fractions of polynomials in doubles. They are calculated in big
//! integers, so that cells and crossings are those of the six numbers and the points exactly as they are.

use num_bigint::{BigInt, Sign};

use super::LIMIT;
use super::exact::{Exact, fineness, scaled};
use super::lengths::hypotenuse;
use super::line::Axis;
use crate::core::Error;

/// An affine map from the grid to a world: `x = a col + b row + c`, `y = d col + e row + f`. Cell `(i, j)` is the half-open
/// square of rows `[i, i + 1)` and columns `[j, j + 1)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Transform {
    numbers: [f64; 6],
    /// `numbers` are whole multiples of `2^-scale`.
    scale: i32,
}

/// What is calculated exactly when a segment of a world is read: parameters as sums of two doubles, and the length.
#[derive(Clone, Debug)]
pub(super) struct Transformed {
    /// Parameter of the first crossing of rows and of columns.
    pub(super) start: [(f64, f64); 2],
    /// Part of the segment between two crossings.
    pub(super) pace: [(f64, f64); 2],
    /// Length in units of the world.
    pub(super) length: f64,
}

/// A quotient of big integers, rounded down.
fn floor(number: &BigInt, by: &BigInt) -> (BigInt, bool) {
    let (quotient, rest) = (number / by, number % by);
    let whole = rest.sign() == Sign::NoSign;
    (if rest.sign() == Sign::Minus { quotient - 1 } else { quotient }, whole)
}

/// `x * 2^power`, in steps whose factors are doubles.
fn times_power(mut x: f64, mut power: i64) -> f64 {
    while power != 0 {
        let part = power.clamp(-1000, 1000);
        x *= 2f64.powi(part as i32);
        power -= part;
    }
    x
}

/// The size of a fraction as a sum of two doubles, about 106 bits of it.
fn fraction(number: &BigInt, by: &BigInt) -> (f64, f64) {
    let shift = 110 + by.bits() as i64 - number.bits() as i64;
    let quotient = if shift >= 0 {
        (number.magnitude() << shift) / by.magnitude()
    } else {
        number.magnitude() / (by.magnitude() << -shift)
    };
    // Of 110 or 111 bits, as the shift was chosen for that.
    let bits = u128::try_from(quotient).unwrap_or(0);
    let high = bits as f64;
    let low = (bits as i128 - high as i128) as f64;
    (times_power(high, -shift), times_power(low, -shift))
}

/// The point's rows and columns times the determinant, and the determinant, in units of `2^(-2 scale)`.
struct Scaled {
    numbers: [BigInt; 6],
    scale: i32,
    determinant: BigInt,
}

impl Scaled {
    fn new(transform: &Transform, points: &[f64]) -> Self {
        let scale = fineness(points, transform.scale);
        let numbers = transform.numbers.map(|x| scaled(x, scale));
        let [a, b, _, d, e, _] = &numbers;
        let determinant = a * e - b * d;
        Self { numbers, scale, determinant }
    }

    /// Row and column of a point, times the size of the determinant.
    fn place(&self, [x, y]: [f64; 2]) -> [BigInt; 2] {
        let [a, b, c, d, e, f] = &self.numbers;
        let (x, y) = (scaled(x, self.scale) - c, scaled(y, self.scale) - f);
        let (row, col) = (a * &y - d * &x, e * x - b * y);
        if self.determinant.sign() == Sign::Minus { [-row, -col] } else { [row, col] }
    }
}

impl Transform {
    /// Creates the map from `[a, b, c, d, e, f]`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a number is not finite, or if the map is singular.
    pub fn new(numbers: [f64; 6]) -> Result<Self, Error> {
        if !numbers.iter().all(|x| x.is_finite()) {
            return Err(Error::invalid(format!("transform must be six finite numbers, got {numbers:?}")));
        }
        let transform = Self { numbers, scale: fineness(&numbers, 1) };
        if Scaled::new(&transform, &[]).determinant.sign() == Sign::NoSign {
            return Err(Error::invalid(format!("transform must have an inverse, got {numbers:?} with a e = b d")));
        }
        Ok(transform)
    }

    /// Whether a point lies within [`LIMIT`] cells of the grid's origin.
    pub(super) fn reaches(&self, point: [f64; 2]) -> bool {
        let whole = Scaled::new(self, &point);
        let far = BigInt::from(whole.determinant.magnitude().clone()) * LIMIT;
        whole.place(point).iter().all(|part| part.magnitude() <= far.magnitude())
    }

    /// Reads a segment between two points that the grid [reaches](Self::reaches).
    pub(super) fn line(&self, tail: [f64; 2], head: [f64; 2]) -> ([Axis; 2], Exact<2>, Transformed) {
        let whole = Scaled::new(self, &[tail[0], tail[1], head[0], head[1]]);
        let (from, to) = (whole.place(tail), whole.place(head));
        let unit = BigInt::from(whole.determinant.magnitude().clone());
        let delta: [BigInt; 2] = std::array::from_fn(|a| &to[a] - &from[a]);
        let (mut start, mut pace) = ([(0.0, 0.0); 2], [(0.0, 0.0); 2]);
        let axes = std::array::from_fn(|a| {
            let end = |end: &BigInt| {
                let (cell, on) = floor(end, &unit);
                (i64::try_from(cell).unwrap_or(0), on)
            };
            let step = i64::from(delta[a].sign() == Sign::Plus) - i64::from(delta[a].sign() == Sign::Minus);
            let axis = Axis::between(end(&from[a]), end(&to[a]), step);
            if axis.count > 0 {
                start[a] = fraction(&(&unit * axis.border(0) - &from[a]), &delta[a]);
            }
            if axis.count > 1 {
                pace[a] = fraction(&unit, &delta[a]);
            }
            axis
        });
        let length = hypotenuse(&tail, &head);
        (axes, Exact::Wide { unit, origin: from, delta }, Transformed { start, pace, length })
    }
}
