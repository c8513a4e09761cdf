//! The exact order of two crossings of a segment with borders of cells.
//!
//! A double is a whole number times a power of two, so all coordinates of a segment are whole numbers in a fine enough
//! unit. The parameter at which the segment crosses a border is then a fraction of whole numbers, and two fractions are
//! compared by cross-multiplication: in 128-bit numbers if the coordinates fit (only nonzero numbers below 2^-42 in
//! absolute value may not fit), otherwise in big integers.
//!
//! For example, the segment from (0, 0.25) to (1, 1.5) has the ends (0, 1) and (4, 6) in quarters of a cell. If whole
//! numbers are centers of cells, the border between rows 0 and 1 lies at 2 quarters, and so does the border between
//! columns 0 and 1. The segment crosses the border between rows at t = 2 / 4 and the border between columns at
//! t = (2 - 1) / 5. The border between columns comes first, because 1 * 4 < 2 * 5.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};

/// Splits a finite double into a whole number without trailing zero bits and a power of two: `x = whole * 2^power`.
pub(super) fn split(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let (biased, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
    // A subnormal number has no hidden leading bit; its power is that of the smallest normal number.
    let (whole, power) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    if whole == 0 {
        return (0, 0);
    }
    let zeros = whole.trailing_zeros();
    let whole = whole >> zeros;
    (if x < 0.0 { -whole } else { whole }, power + zeros as i32)
}

/// Returns the smallest `s`, at least `least`, such that every number times `2^s` is whole.
pub(super) fn fineness(numbers: &[f64], least: i32) -> i32 {
    numbers.iter().map(|&x| -split(x).1).fold(least, i32::max)
}

/// Returns `x * 2^scale`, which must be whole.
pub(super) fn scaled(x: f64, scale: i32) -> BigInt {
    let (whole, power) = split(x);
    BigInt::from(whole) << (power + scale).max(0)
}

/// A segment in whole numbers: along axis `a`, border `b` is crossed at `t = (b * unit - origin[a]) / delta[a]`.
#[derive(Clone, Debug)]
pub(super) enum Exact<const D: usize> {
    /// All numbers are below 2^126 in absolute value.
    Narrow { unit: i128, origin: [i128; D], delta: [i128; D] },
    /// The numbers may be larger.
    Wide { unit: BigInt, origin: [BigInt; D], delta: [BigInt; D] },
}

/// Returns the two 128-bit halves of a product of 128-bit numbers, the high one first: comparing such pairs compares
/// the products.
fn product(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = (1 << 64) - 1;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let low = a0 * b0;
    // Neither sum overflows: each product is at most (2^64 - 1)^2, and the number added to the product is below 2^64.
    let middle = a1 * b0 + (low >> 64);
    let middle_too = a0 * b1 + (middle & LOW);
    (a1 * b1 + (middle >> 64) + (middle_too >> 64), middle_too << 64 | low & LOW)
}

impl<const D: usize> Exact<D> {
    /// Returns the segment between two points. `halves` moves the borders from whole numbers to the numbers halfway
    /// between them.
    pub(super) fn between(tail: &[f64; D], head: &[f64; D], halves: bool) -> Self {
        let scale = fineness(tail, 1).max(fineness(head, 1));
        // 2^30 cells of 2^94 units are 2^124 units: differences of two such numbers are at most 2^125.
        if scale <= 94 {
            let whole = |x: f64| {
                let (whole, power) = split(x);
                i128::from(whole) << (power + scale)
            };
            let half = if halves { 1 << (scale - 1) } else { 0 };
            return Self::Narrow {
                unit: 1 << scale,
                origin: tail.map(|x| whole(x) + half),
                delta: std::array::from_fn(|a| whole(head[a]) - whole(tail[a])),
            };
        }
        let half = if halves { BigInt::from(1) << (scale - 1) } else { BigInt::ZERO };
        Self::Wide {
            unit: BigInt::from(1) << scale,
            origin: tail.map(|x| scaled(x, scale) + &half),
            delta: std::array::from_fn(|a| scaled(head[a], scale) - scaled(tail[a], scale)),
        }
    }

    /// Returns this segment with its number of dimensions as the constant `E`, which must be equal to `D`.
    pub(super) fn resized<const E: usize>(&self) -> Exact<E> {
        fn all<T: Clone, const D: usize, const E: usize>(parts: &[T; D]) -> [T; E] {
            std::array::from_fn(|a| parts[a].clone())
        }
        match self {
            Self::Narrow { unit, origin, delta } => {
                Exact::Narrow { unit: *unit, origin: all(origin), delta: all(delta) }
            }
            Self::Wide { unit, origin, delta } => {
                Exact::Wide { unit: unit.clone(), origin: all(origin), delta: all(delta) }
            }
        }
    }

    /// Compares the parameters at which the segment crosses two borders, each of an axis along which it moves.
    /// Both crossings lie on the segment, so that neither parameter is negative and signs can be ignored.
    pub(super) fn compare(&self, (axis, border): (usize, i64), (other, far): (usize, i64)) -> Ordering {
        match self {
            Self::Narrow { unit, origin, delta } => {
                let distance = |axis: usize, border: i64| (i128::from(border) * unit - origin[axis]).unsigned_abs();
                let one = product(distance(axis, border), delta[other].unsigned_abs());
                one.cmp(&product(distance(other, far), delta[axis].unsigned_abs()))
            }
            Self::Wide { unit, origin, delta } => {
                let distance = |axis: usize, border: i64| (unit * border - &origin[axis]).into_parts().1;
                let size = |axis: usize| -> &BigUint { delta[axis].magnitude() };
                (distance(axis, border) * size(other)).cmp(&(distance(other, far) * size(axis)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_split_without_loss() {
        for x in [0.0, -0.0, 1.0, -3.0, 0.1, 1e300, -1e-300, 5e-324, f64::MIN_POSITIVE, f64::MAX, -2.5e-310] {
            let (whole, power) = split(x);
            assert!(whole % 2 != 0 || x == 0.0);
            // Two factors, because `powi` may compute 2^-1074 as 1 / 2^1074, and 2^1074 is not a double.
            let back = whole as f64 * 2f64.powi(power / 2) * 2f64.powi(power - power / 2);
            // The sign of -0.0 is lost: whole numbers have only one zero.
            assert_eq!(back.to_bits(), (x + 0.0).to_bits(), "{x}");
        }
    }

    #[test]
    fn products_of_128_bit_numbers_are_exact() {
        let numbers =
            [0, 1, 2, u128::MAX, u128::MAX - 1, 1 << 64, (1 << 64) - 1, 0x1234_5678_9abc_def0 << 40, 3 << 100];
        for a in numbers {
            for b in numbers {
                let (high, low) = product(a, b);
                assert_eq!((BigUint::from(high) << 128) + BigUint::from(low), BigUint::from(a) * BigUint::from(b));
            }
        }
    }
}
