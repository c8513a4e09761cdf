//! The only random number generator of the crate: PCG-64, seeded, with the same output on every platform.
//!
//! The level that a seed generates changes only with a major version (before 1.0, with a minor version), and the
//! changelog lists the change. All code that turns the output of the generator into choices is therefore in this crate:
//! the sampling code of a general library may change in any release.

use rand_core::Rng as _;
use rand_pcg::Pcg64;

/// Mixes 64 bits so that neighboring inputs have unrelated outputs (one step of SplitMix64).
#[inline]
pub const fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A seeded stream of random choices.
#[derive(Clone, Debug)]
pub struct Rng(Pcg64);

impl Rng {
    /// Starts stream number 0 of a seed.
    pub fn new(seed: u64) -> Self {
        Self::stream(seed, 0)
    }

    /// Starts stream number `index` of a seed. Streams are independent: game or attempt `k` uses stream `k` instead of
    /// sharing a generator with the others.
    pub fn stream(seed: u64, index: u64) -> Self {
        // The constant (the fractional part of the square root of 2) keeps a seed and an equal index from mixing to
        // the same word.
        let (a, b) = (mix(seed), mix(index ^ 0x6a09_e667_f3bc_c908));
        let (c, d) = (mix(a ^ b), mix(a.wrapping_add(b)));
        Self(Pcg64::new(u128::from(a) << 64 | u128::from(c), u128::from(b) << 64 | u128::from(d)))
    }

    /// Returns 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns an integer from 0 to `n - 1`, uniformly distributed (Lemire's multiplication with rejection). `n` must
    /// not be 0.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        debug_assert!(n > 0);
        // The upper half of the product is the choice. The lower half shows whether the random word is one of the
        // `2^64 mod n` words that would make some choices more likely than others; the division is needed only if the
        // lower half is less than `n`.
        let mut wide = u128::from(self.bits()) * u128::from(n);
        if (wide as u64) < n {
            let reject = n.wrapping_neg() % n;
            while (wide as u64) < reject {
                wide = u128::from(self.bits()) * u128::from(n);
            }
        }
        (wide >> 64) as u64
    }

    /// Returns an index into a slice of length `n`, uniformly distributed. `n` must not be 0.
    #[inline]
    pub fn index(&mut self, n: usize) -> usize {
        self.below(n as u64) as usize
    }

    /// Returns a uniformly distributed number in `[0, 1)`, a multiple of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Returns `true` with probability `p`: never if `p` is NaN or at most 0, always if `p` is at least 1.
    #[inline]
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// Returns a uniformly chosen item of a slice, which must not be empty.
    #[inline]
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.index(items.len())]
    }

    /// Shuffles a slice; every order is equally likely (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.index(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These words must never change: stored seeds depend on them.
    #[test]
    fn the_stream_of_a_seed_is_fixed() {
        let mut rng = Rng::new(2026);
        let words: Vec<u64> = (0..4).map(|_| rng.bits()).collect();
        let mut again = Rng::stream(2026, 0);
        assert_eq!(words, (0..4).map(|_| again.bits()).collect::<Vec<_>>());
        assert_eq!(words, GOLDEN);
        assert_ne!(words[0], Rng::stream(2026, 1).bits());
    }

    const GOLDEN: [u64; 4] = [16718315506536881551, 5289954817636563494, 3249986213864786364, 3914144202993988474];

    #[test]
    fn below_is_uniform_and_in_range() {
        let mut rng = Rng::new(7);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[rng.below(6) as usize] += 1;
        }
        for count in counts {
            assert!((9_500..10_500).contains(&count), "{counts:?}");
        }
        assert_eq!(Rng::new(1).below(1), 0);
    }

    #[test]
    fn a_shuffle_keeps_all_items() {
        let mut items: Vec<u32> = (0..100).collect();
        Rng::new(3).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
