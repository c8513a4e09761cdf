//! Sorts edges by weight, and edges of equal weight by index. The sort takes about half of the running time of
//! Kruskal's algorithm.

use crate::core::{Budget, Error, memory, pieces};

/// A weight with a total order: each weight maps to a 64-bit key, and the keys have the order of the weights.
pub trait Weight: Copy + Sync {
    /// Returns the sort key; `None` for NaN.
    fn key(self) -> Option<u64>;
}

/// Implements [`Weight`] for pairs of a signed and an unsigned integer type.
macro_rules! whole {
    ($($signed:ty, $unsigned:ty);*) => {$(
        impl Weight for $signed {
            #[inline]
            fn key(self) -> Option<u64> {
                // With the sign bit flipped, negative numbers come before positive ones.
                Some((self as i64 as u64) ^ (1 << 63))
            }
        }
        impl Weight for $unsigned {
            #[inline]
            fn key(self) -> Option<u64> {
                Some(self as u64)
            }
        }
    )*};
}
whole!(i8, u8; i16, u16; i32, u32; i64, u64);

impl Weight for f64 {
    #[inline]
    fn key(self) -> Option<u64> {
        if self.is_nan() {
            return None;
        }
        // Adding zero turns -0.0 into 0.0. The bits of positive floats sort like integers; setting their sign bit puts
        // them after the negative ones. Negative floats sort the other way around, so all of their bits are flipped.
        let bits = (self + 0.0).to_bits();
        Some(if bits >> 63 == 0 { bits | 1 << 63 } else { !bits })
    }
}

impl Weight for f32 {
    #[inline]
    fn key(self) -> Option<u64> {
        f64::from(self).key()
    }
}

/// Checks that no weight is NaN.
///
/// # Errors
/// Returns [`Error::Invalid`] with the index of the first NaN.
pub fn all_numbers<W: Weight>(weights: &[W]) -> Result<(), Error> {
    match weights.iter().position(|weight| weight.key().is_none()) {
        Some(i) => Err(Error::Invalid(format!("weights must be numbers, got nan at index {i}"))),
        None => Ok(()),
    }
}

/// The largest number of weights: indices, and the counts of the radix sort, have 32 bits.
const MAX_WEIGHTS: usize = u32::MAX as usize;

/// Returns the indices of weights from the lightest to the heaviest, ties in the order of indices, NaN first.
///
/// A radix sort orders the weights by 32 bits of the distance between a key and the least key, counted from the highest
/// bit of the largest distance. A sort by comparison then orders each run of weights that agree in these bits. The time
/// is linear unless such runs are long.
///
/// # Errors
/// Returns [`Error::Invalid`] for 2^32 weights or more, [`Error::Interrupted`] if the budget ends the call, and
/// [`Error::Memory`] if there is too little memory.
pub fn by_weight<W: Weight>(weights: &[W], budget: &mut Budget<'_>) -> Result<Vec<u32>, Error> {
    if weights.len() > MAX_WEIGHTS {
        return Err(Error::Invalid(format!("weights must hold at most {MAX_WEIGHTS} numbers, got {}", weights.len())));
    }
    // The range of the keys: only the bits of their distances from the least key take part in the sort.
    let (mut least, mut most) = (u64::MAX, 0);
    for piece in pieces(weights.len()) {
        budget.pause()?;
        for key in weights[piece].iter().map(|weight| weight.key().unwrap_or(0)) {
            least = least.min(key);
            most = most.max(key);
        }
    }
    if weights.is_empty() {
        return Ok(Vec::new());
    }
    let spread = 64 - (most - least).leading_zeros();
    let shift = spread.saturating_sub(32);
    // The upper half of an item has the leading 32 bits of the distance, the lower half the index of the weight, so
    // that the index moves with the key.
    let mut items = memory::with_capacity(weights.len(), "the order of the weights")?;
    for piece in pieces(weights.len()) {
        budget.pause()?;
        items.extend(
            piece
                .clone()
                .zip(&weights[piece])
                .map(|(i, weight)| ((weight.key().unwrap_or(0) - least) >> shift) << 32 | i as u64),
        );
    }
    radix(&mut items, spread.min(32), budget)?;
    // Keys that differ only below the leading bits are still in the order of their indices, so each run of
    // equal leading bits is sorted by whole keys.
    if shift > 0 {
        let key = |i: usize| weights[i].key().unwrap_or(0);
        let mut start = 0;
        while start < items.len() {
            let head = items[start] >> 32;
            let mut end = start + 1;
            while end < items.len() && items[end] >> 32 == head {
                end += 1;
            }
            if end - start > 1 {
                items[start..end].sort_unstable_by_key(|&item| (key((item & 0xffff_ffff) as usize), item));
            }
            start = end;
        }
    }
    Ok(items.into_iter().map(|item| item as u32).collect())
}

/// Sorts items by their upper 32 bits, of which only the lowest `bits` may be set; items with equal upper bits keep
/// their order.
///
/// # Errors
/// Returns [`Error::Interrupted`] if the budget ends the call, and [`Error::Memory`] if there is too little memory;
/// the order of the items is then unspecified.
pub(crate) fn radix(items: &mut Vec<u64>, bits: u32, budget: &mut Budget<'_>) -> Result<(), Error> {
    // For few items, clearing and summing the counts would take longer than a sort by comparison.
    if items.len() < 256 {
        items.sort_by_key(|item| item >> 32);
        return Ok(());
    }
    // Digits of at most 11 bits: the counts of one pass, 8 KiB, stay in the first-level cache.
    let passes = bits.div_ceil(11);
    if passes == 0 {
        return Ok(());
    }
    let digit = bits.div_ceil(passes);
    let buckets = 1usize << digit;
    let mut counts = vec![0u32; buckets * passes as usize];
    for piece in pieces(items.len()) {
        budget.pause()?;
        for &item in &items[piece] {
            for pass in 0..passes {
                counts[pass as usize * buckets + (item >> (32 + pass * digit)) as usize % buckets] += 1;
            }
        }
    }
    let mut other = memory::filled(0u64, items.len(), "the order of the weights")?;
    for pass in 0..passes {
        let places = &mut counts[pass as usize * buckets..][..buckets];
        // Running sums turn the count of each bucket into the place at which the bucket begins.
        let mut at = 0;
        for place in places.iter_mut() {
            at += std::mem::replace(place, at);
        }
        for piece in pieces(items.len()) {
            budget.pause()?;
            for &item in &items[piece] {
                let place = &mut places[(item >> (32 + pass * digit)) as usize % buckets];
                other[*place as usize] = item;
                *place += 1;
            }
        }
        std::mem::swap(items, &mut other);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;

    fn check<W: Weight + PartialOrd + std::fmt::Debug>(weights: &[W]) {
        let mut plain: Vec<u32> = (0..weights.len() as u32).collect();
        plain.sort_by(|&a, &b| weights[a as usize].partial_cmp(&weights[b as usize]).unwrap());
        assert_eq!(by_weight(weights, &mut Budget::unlimited()).unwrap(), plain, "{weights:?}");
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn too_many_weights_are_refused() {
        /// A weight of size zero, so that 2^32 of them take no memory.
        #[derive(Clone, Copy)]
        struct Nothing;
        impl Weight for Nothing {
            fn key(self) -> Option<u64> {
                None
            }
        }
        let error = by_weight(&[Nothing; 1 << 32], &mut Budget::unlimited()).unwrap_err();
        assert_eq!(error.reason(), "weights must hold at most 4294967295 numbers, got 4294967296");
    }

    #[test]
    fn every_kind_of_weight_is_sorted_with_ties_by_index() {
        for seed in 0..30 {
            let mut rng = Rng::new(seed);
            let n = rng.index(700);
            let words: Vec<u64> = (0..n).map(|_| rng.bits()).collect();
            check(&words);
            check(&words.iter().map(|w| *w as i64).collect::<Vec<_>>());
            check(&words.iter().map(|w| *w as u8).collect::<Vec<_>>());
            check(&words.iter().map(|w| *w as i16 % 5).collect::<Vec<_>>());
            check(&words.iter().map(|w| *w as i32).collect::<Vec<_>>());
            check(&words.iter().map(|w| *w as i32 as f32 / 1e3).collect::<Vec<_>>());
            check(&words.iter().map(|w| *w as i64 as f64).collect::<Vec<_>>());
            check(&words.iter().map(|w| (*w % 7) as f64 * 1e-300 - 3e-300).collect::<Vec<_>>());
            check(&words.iter().map(|w| 1e15 + (*w % 9) as f64).collect::<Vec<_>>());
        }
        check(&[0.0, -0.0, f64::INFINITY, -1.0, f64::NEG_INFINITY, 0.0]);
        check::<f32>(&[]);
    }

    #[test]
    fn nan_is_refused() {
        assert_eq!(all_numbers(&[1.0, f64::NAN]).unwrap_err().reason(), "weights must be numbers, got nan at index 1");
    }
}
