//! Sets of visited states. States are added and never removed.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::space::{Space, TABLES};
use crate::core::hash::Mixer;
use crate::core::{Error, memory};

/// A set of visited states.
pub(super) trait Visited {
    /// Adds a state; returns whether it is new.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the set must grow and the memory cannot be allocated.
    fn insert(&mut self, state: u64) -> Result<bool, Error>;

    /// Reads the memory that holds, or will hold, the states about to be inserted. The reads do not depend on each
    /// other, so their cache misses overlap. Does nothing by default.
    fn prepare(&self, _states: &[u64]) {}
}

/// A set with one bit per state, reachable or not.
pub(super) struct BitSet(Vec<u64>);

impl BitSet {
    /// The largest number of states. A set of them takes 32 MiB, of which the operating system provides only the pages
    /// that are touched.
    const MAX: u64 = 1 << 28;

    /// Returns an empty set, or `None` if it would be larger than [`BitSet::MAX`].
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the memory cannot be allocated.
    pub(super) fn new(space: &Space<'_>) -> Result<Option<Self>, Error> {
        if space.size() > Self::MAX {
            return Ok(None);
        }
        let words = space.size().div_ceil(64) as usize;
        memory::probe(8 * words, TABLES)?;
        Ok(Some(Self(vec![0; words])))
    }

    /// Returns whether a state is in the set.
    pub(super) fn contains(&self, state: u64) -> bool {
        self.0[(state >> 6) as usize] >> (state & 63) & 1 == 1
    }
}

impl Visited for BitSet {
    #[inline]
    fn insert(&mut self, state: u64) -> Result<bool, Error> {
        // The low six bits of a state select the bit in a word, and the high bits select the word.
        let (word, bit) = (&mut self.0[(state >> 6) as usize], 1 << (state & 63));
        let new = *word & bit == 0;
        *word |= bit;
        Ok(new)
    }
}

/// Slots that fill one cache line; 0 is an empty slot.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([u32; Bucket::SLOTS]);

impl Bucket {
    /// The number of slots.
    const SLOTS: usize = 16;

    /// Returns `n` buckets without entries.
    fn empty(n: usize) -> Result<Vec<Self>, Error> {
        memory::filled(Self([0; Self::SLOTS]), n, TABLES)
    }
}

/// A hash table with quotienting: 5 to 10 bytes per state, half of what a table of whole states takes.
///
/// A state of `bits` bits is scrambled into another number of `bits` bits, one to one. The high bits are the index of
/// the home bucket; a slot stores only the low bits, because the bucket of the slot implies the others. If a bucket is
/// full, the state goes into the next one that is not, and the slot also stores the distance from home in buckets.
/// When the table doubles, each bucket is split into two neighboring buckets, so the new table is filled from one end
/// to the other.
///
/// ```text
/// scrambled state  1011 0110 1001...
///                  home ^--- rest, at most 27 bits     slot = (rest << 4 | distance) + 1, 0 if empty
/// ```
pub(super) struct CompactSet {
    /// The buckets; their number is a power of two.
    buckets: Vec<Bucket>,
    /// The number of states in the set.
    len: usize,
    /// The number of bits of a state.
    bits: u32,
    /// The number of low bits of a scrambled state that a slot stores.
    rest: u32,
}

impl CompactSet {
    /// The number of bits of a slot for the distance from home.
    const AWAY: u32 = 4;
    /// The largest number of bits of a slot for the state. One bit stays unused, so that adding 1, which keeps 0 free
    /// for empty slots, never overflows.
    const MAX_REST: u32 = 31 - Self::AWAY;

    /// Creates an empty set. Returns `None` if slots of 32 bits would need more than 2^16 buckets from the start, or if
    /// states have 6 bits or fewer.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the memory cannot be allocated.
    pub(super) fn new(space: &Space<'_>) -> Result<Option<Self>, Error> {
        // States are smaller than `size`, so the bits of `size - 1` are enough for all of them.
        let bits = u64::BITS - space.size().saturating_sub(1).leading_zeros();
        // What a slot cannot store must be implied by the bucket; 64 buckets (4 KiB) are the minimum.
        let buckets = bits.saturating_sub(Self::MAX_REST).max(6);
        if buckets > 16 || buckets >= bits {
            return Ok(None);
        }
        Ok(Some(Self { buckets: Bucket::empty(1 << buckets)?, len: 0, bits, rest: bits - buckets }))
    }

    /// Scrambles a state. Both steps (xor with a shifted copy, multiplication by an odd number modulo 2^`bits`) are
    /// bijections, so no two states become the same number.
    #[inline]
    fn scramble(&self, state: u64) -> u64 {
        // Shifting by half of the bits lets the high half affect the low half, which multiplication alone never does.
        let (mask, half) = (u64::MAX >> (64 - self.bits), self.bits.div_ceil(2));
        let mut x = state;
        for odd in [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93] {
            x = ((x ^ x >> half).wrapping_mul(odd)) & mask;
        }
        x
    }

    /// Inserts a scrambled state. Returns whether it is new, or `None` if its home bucket and the 15 after it are full.
    #[inline]
    fn put(&mut self, scrambled: u64) -> Option<bool> {
        let (home, rest) = ((scrambled >> self.rest) as usize, scrambled as u32 & ((1 << self.rest) - 1));
        let last = self.buckets.len() - 1;
        for away in 0..1 << Self::AWAY {
            // Adding 1 keeps 0 free for empty slots.
            let entry = (rest << Self::AWAY | away as u32) + 1;
            let slots = &mut self.buckets[(home + away) & last].0;
            // No early exit, so that vector instructions compare all 16 slots of the cache line at once.
            if slots.iter().fold(0, |found, &slot| found | u32::from(slot == entry)) == 1 {
                return Some(false);
            }
            // Slots fill from the left and nothing is removed, so the number of taken slots is the first free index.
            let taken = slots.iter().fold(0, |taken, &slot| taken + u32::from(slot != 0)) as usize;
            if let Some(slot) = slots.get_mut(taken) {
                *slot = entry;
                self.len += 1;
                return Some(true);
            }
        }
        None
    }

    /// Doubles the number of buckets, and doubles it again as long as the states do not fit. After an error, the set
    /// must not be used again.
    #[cold]
    fn grow(&mut self) -> Result<(), Error> {
        let old = std::mem::take(&mut self.buckets);
        let (last, rest) = (old.len() - 1, self.rest);
        // Inverts the quotienting: the home bucket of an entry is its bucket minus its distance, and the home bucket
        // and the rest together are the scrambled state.
        let scrambled = |index: usize, entry: u32| {
            let home = index.wrapping_sub(entry as usize & ((1 << Self::AWAY) - 1)) & last;
            (home as u64) << rest | u64::from(entry >> Self::AWAY)
        };
        let mut all_placed = false;
        while !all_placed {
            // One bit moves from the slot to the index of the bucket.
            self.rest -= 1;
            self.buckets = Bucket::empty(1 << (self.bits - self.rest))?;
            self.len = 0;
            all_placed = old.iter().enumerate().all(|(index, bucket)| {
                let mut entries = bucket.0.iter().take_while(|&&slot| slot != 0).map(|slot| slot - 1);
                entries.all(|entry| self.put(scrambled(index, entry)).is_some())
            });
        }
        Ok(())
    }
}

impl Visited for CompactSet {
    #[inline]
    fn insert(&mut self, state: u64) -> Result<bool, Error> {
        let scrambled = self.scramble(state);
        // Beyond a load of 4/5, full buckets come in runs, and states are placed too far from home.
        if self.len * 5 > self.buckets.len() * Bucket::SLOTS * 4 {
            self.grow()?;
        }
        loop {
            if let Some(new) = self.put(scrambled) {
                return Ok(new);
            }
            self.grow()?;
        }
    }

    fn prepare(&self, states: &[u64]) {
        let touch = |sum, &state| sum ^ self.buckets[(self.scramble(state) >> self.rest) as usize].0[0];
        std::hint::black_box(states.iter().fold(0, touch));
    }
}

/// The set for states of any number of bits. It takes the most memory per state.
impl Visited for HashSet<u64, BuildHasherDefault<Mixer>> {
    fn insert(&mut self, state: u64) -> Result<bool, Error> {
        if self.len() == self.capacity() {
            self.try_reserve(1).map_err(|_| Error::memory(TABLES))?;
        }
        Ok(Self::insert(self, state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;

    #[test]
    fn a_compact_set_agrees_with_a_hash_set_while_it_grows() {
        let mut set = CompactSet { buckets: vec![Bucket([0; Bucket::SLOTS]); 1 << 6], len: 0, bits: 29, rest: 23 };
        let mut plain = HashSet::new();
        let mut rng = Rng::new(1);
        for round in 0..40_000 {
            // Many states are inserted twice or more.
            let state = rng.below(1 << 14) << 15 | 0x7abc;
            assert_eq!(set.insert(state), Ok(plain.insert(state)), "seed 1, round {round}, state {state}");
        }
        assert!(set.len == plain.len() && set.buckets.len() > 1 << 6);
    }
}
