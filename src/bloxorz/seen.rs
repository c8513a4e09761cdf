//! Sets of states that only grow: what a search has seen.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::solve::Mixed;
use super::space::Space;

/// A set of states that only grows.
pub(super) trait Seen {
    /// Notes a state; says whether it is new.
    fn insert(&mut self, state: u64) -> bool;

    /// Reads the places of states that are about to be inserted: these reads do not wait for each other, and afterwards
    /// the places are in the cache.
    fn prepare(&self, _states: &[u64]) {}
}

/// A bit a state.
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// The largest set of bits, in states: 32 MB, of which the system hands out what is touched.
    const MOST: u64 = 1 << 28;

    /// Makes an empty set; `None` where it would be too large.
    pub(super) fn new(space: &Space<'_>) -> Option<Self> {
        (space.size() <= Self::MOST).then(|| Self(vec![0; space.size().div_ceil(64) as usize]))
    }

    pub(super) fn contains(&self, state: u64) -> bool {
        self.0[(state >> 6) as usize] >> (state & 63) & 1 == 1
    }
}

impl Seen for Bits {
    #[inline]
    fn insert(&mut self, state: u64) -> bool {
        let (word, bit) = (&mut self.0[(state >> 6) as usize], 1 << (state & 63));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}

/// As much as the processor reads at once.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([u32; Bucket::SLOTS]);

impl Bucket {
    const SLOTS: usize = 16;
}

/// A hash table of 5 to 10 bytes a state.
///
/// A state is scrambled into another number of as many bits: the first ones name its bucket, and the slot holds the rest,
/// so that nothing is lost. Where a bucket is full, the next one takes the state; the slot tells how far it is from home.
/// States that share their first bits are neighbours, so that a larger table is filled from one end to the other.
pub(super) struct Slots {
    buckets: Vec<Bucket>,
    len: usize,
    /// Bits of a state, and those that a slot holds.
    bits: u32,
    rest: u32,
}

impl Slots {
    /// Bits of a slot that tell how far it is from home.
    const AWAY: u32 = 4;
    /// Bits of a slot for the state: not all 32 are used, so that 0 is free to mean empty.
    const MOST_REST: u32 = 31 - Self::AWAY;

    /// Makes an empty set; `None` where slots of 32 bits would need a large table from the start.
    pub(super) fn new(space: &Space<'_>) -> Option<Self> {
        let bits = u64::BITS - space.size().saturating_sub(1).leading_zeros();
        let buckets = bits.saturating_sub(Self::MOST_REST).max(6);
        (buckets <= 16 && buckets < bits).then(|| Self {
            buckets: vec![Bucket([0; Bucket::SLOTS]); 1 << buckets],
            len: 0,
            bits,
            rest: bits - buckets,
        })
    }

    /// Scrambles a state: each step can be undone, so that no two states become one.
    #[inline]
    fn scramble(&self, state: u64) -> u64 {
        let (mask, half) = (u64::MAX >> (64 - self.bits), self.bits.div_ceil(2));
        let mut x = state;
        for odd in [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93] {
            x = ((x ^ x >> half).wrapping_mul(odd)) & mask;
        }
        x
    }

    /// Puts a scrambled state into its place; `None` where it would be too far from home.
    #[inline]
    fn put(&mut self, scrambled: u64) -> Option<bool> {
        let (home, rest) = ((scrambled >> self.rest) as usize, scrambled as u32 & ((1 << self.rest) - 1));
        let last = self.buckets.len() - 1;
        for away in 0..1 << Self::AWAY {
            let entry = (rest << Self::AWAY | away as u32) + 1;
            let slots = &mut self.buckets[(home + away) & last].0;
            if slots.iter().fold(0, |found, &slot| found | u32::from(slot == entry)) == 1 {
                return Some(false);
            }
            let taken = slots.iter().fold(0, |taken, &slot| taken + u32::from(slot != 0)) as usize;
            if let Some(slot) = slots.get_mut(taken) {
                *slot = entry;
                self.len += 1;
                return Some(true);
            }
        }
        None
    }

    #[cold]
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.buckets);
        let (last, rest) = (old.len() - 1, self.rest);
        let scrambled = |index: usize, entry: u32| {
            let home = index.wrapping_sub(entry as usize & ((1 << Self::AWAY) - 1)) & last;
            (home as u64) << rest | u64::from(entry >> Self::AWAY)
        };
        let mut all_placed = false;
        while !all_placed {
            self.rest -= 1;
            self.buckets = vec![Bucket([0; Bucket::SLOTS]); 1 << (self.bits - self.rest)];
            self.len = 0;
            all_placed = old.iter().enumerate().all(|(index, bucket)| {
                let mut entries = bucket.0.iter().take_while(|&&slot| slot != 0).map(|slot| slot - 1);
                entries.all(|entry| self.put(scrambled(index, entry)).is_some())
            });
        }
    }
}

impl Seen for Slots {
    #[inline]
    fn insert(&mut self, state: u64) -> bool {
        let scrambled = self.scramble(state);
        if self.len * 5 > self.buckets.len() * Bucket::SLOTS * 4 {
            self.grow();
        }
        loop {
            if let Some(new) = self.put(scrambled) {
                return new;
            }
            self.grow();
        }
    }

    fn prepare(&self, states: &[u64]) {
        let touch = |sum, &state| sum ^ self.buckets[(self.scramble(state) >> self.rest) as usize].0[0];
        std::hint::black_box(states.iter().fold(0, touch));
    }
}

/// Any states at all, in more room.
impl Seen for HashSet<u64, BuildHasherDefault<Mixed>> {
    fn insert(&mut self, state: u64) -> bool {
        Self::insert(self, state)
    }
}
