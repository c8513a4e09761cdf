//! Boards up to 8 x 8 as bits: one word per color, and one bit per play with both ends on the board.
//!
//! A board of 2 x 2 has 16 plays, one bit each: the play from (tr, tc) to (hr, hc) is bit
//! `((tr * 2 + tc) * 2 + hr) * 2 + hc`. The *box* is the set of all plays with both ends on the board; the *window* is
//! the plays that the rules look back at. The sets that a play of the window forbids are prepared once per size and
//! rule set: all plays with its midpoint, all plays perpendicular to its vector, and (if the rules compare ends) all
//! plays with its tail or its head. So the legal plays of a position are `first & !midpoints & !perpendiculars ...`:
//! for each play of the window, 64 words per set instead of a test per play of the box.

use std::sync::OnceLock;

use fearless_simd::prelude::*;
use fearless_simd::{mask8x64, u8x64};

use super::rules::{Ends, Rules, clashes, is_point};
use crate::core::simd::vectorized;
use crate::tracing;

/// The largest size of a board that is stored in words.
pub(super) const SMALL: usize = 8;

/// One bit per play with both ends on a board of `n` x `n` (`n^4` of them), in lexicographic order: play `i` is bit
/// `i % 64` of word `i / 64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayBits(pub [u64; 64]);

/// A play in the form in which random games compare it: vector, twice the midpoint, and the cell indices of tail and
/// head.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PackedPlay {
    vector: [i8; 2],
    /// The sums of the two rows and of the two columns.
    midpoint: [u8; 2],
    pub(super) tail: u8,
    pub(super) head: u8,
}

impl PackedPlay {
    pub(super) fn new(size: usize, p: Ends) -> Self {
        let cell = |row: i32, col: i32| (row as usize * size + col as usize) as u8;
        Self {
            vector: [(p[2] - p[0]) as i8, (p[3] - p[1]) as i8],
            midpoint: [(p[0] + p[2]) as u8, (p[1] + p[3]) as u8],
            tail: cell(p[0], p[1]),
            head: cell(p[2], p[3]),
        }
    }

    /// Returns whether a play is illegal because of the earlier play `other`; with `ends`, equal tails or heads are
    /// illegal too.
    #[inline(always)]
    pub(super) fn clashes(self, other: Self, ends: bool) -> bool {
        let dot = self.vector[0] as i32 * other.vector[0] as i32 + self.vector[1] as i32 * other.vector[1] as i32;
        (dot == 0)
            || (self.midpoint == other.midpoint)
            || ends && ((self.tail == other.tail) || (self.head == other.head))
    }
}

/// The plays of one size and rule set, their cells, and what each forbids.
#[derive(Debug)]
pub(super) struct Tables {
    /// The cells of each play.
    pub(super) cells: Vec<u64>,
    /// Each play in the form in which random games compare it.
    pub(super) packed: Vec<PackedPlay>,
    /// The sets of plays with each midpoint, perpendicular to each vector, with each tail and with each head, in this
    /// order, at the indices that [`keys`] returns. The last two are empty unless the rules compare ends.
    shared: [Vec<[u64; 64]>; 4],
    /// The plays that are legal on an empty board.
    first: PlayBits,
}

/// Returns the indices of a play's midpoint, vector, tail and head in [`Tables::shared`]. Components of vectors run
/// from `1 - n` to `n - 1`, so `n - 1` is added.
#[inline]
fn keys(size: usize, play: Ends) -> [usize; 4] {
    let [a, b, c, d] = play.map(|part| part as usize);
    // Sums of two coordinates, and differences shifted by n - 1, both run from 0 to 2n - 2.
    let side = 2 * size - 1;
    [(a + c) * side + b + d, (size - 1 + c - a) * side + size - 1 + d - b, a * size + b, c * size + d]
}

/// Returns the ends of the play with an index. The index is a `u64`, because on boards over 256 x 256 it needs more
/// than the 32 bits that a `usize` has in a browser; the index of a cell does not.
#[inline]
pub(super) fn ends(size: usize, play: u64) -> Ends {
    let cells = (size * size) as u64;
    let (tail, head) = ((play / cells) as usize, (play % cells) as usize);
    [(tail / size) as i32, (tail % size) as i32, (head / size) as i32, (head % size) as i32]
}

/// Returns the index of a play of the box, on a board up to 8 x 8.
#[inline]
pub(super) fn number(size: usize, [a, b, c, d]: Ends) -> usize {
    ((a as usize * size + b as usize) * size + c as usize) * size + d as usize
}

impl Tables {
    /// Returns the tables for a size, 1 to [`SMALL`], and a rule set; they are built on first use.
    pub(super) fn of(size: usize, rules: Rules) -> &'static Self {
        static TABLES: [[OnceLock<Tables>; Rules::ALL.len()]; SMALL] =
            [const { [const { OnceLock::new() }; Rules::ALL.len()] }; SMALL];
        TABLES[size - 1][rules as usize].get_or_init(|| Self::make(size, rules))
    }

    fn make(size: usize, rules: Rules) -> Self {
        let count = size.pow(4);
        let plays: Vec<Ends> = (0..count).map(|play| ends(size, play as u64)).collect();
        let cells = plays
            .iter()
            .map(|&play| {
                let mut cells = 0u64;
                tracing::thin(play, |row, col| cells |= 1 << (row as usize * size + col as usize));
                cells
            })
            .collect();
        let mut first = [0u64; 64];
        for (i, &play) in plays.iter().enumerate() {
            if rules.allows_zero_length() || !is_point(play) {
                first[i / 64] |= 1 << (i % 64);
            }
        }
        let sides = [2 * size - 1, 2 * size - 1, size, size];
        // Equal tails and equal heads are the last two kinds; not all rule sets compare them.
        let kinds = if rules.compares_ends() { 4 } else { 2 };
        let shared = std::array::from_fn(|kind| {
            let mut parts = vec![[0u64; 64]; if kind < kinds { sides[kind].pow(2) } else { 0 }];
            let mut made = vec![false; parts.len()];
            for &play in plays.iter().filter(|_| kind < kinds) {
                let key = keys(size, play)[kind];
                // Plays with equal keys forbid the same set: it is built for the first of them.
                if !std::mem::replace(&mut made[key], true) {
                    for (i, &other) in plays.iter().enumerate() {
                        parts[key][i / 64] |= u64::from(shares(kind, other, play)) << (i % 64);
                    }
                }
            }
            parts
        });
        let packed = plays.iter().map(|&play| PackedPlay::new(size, play)).collect();
        Self { cells, packed, shared, first: PlayBits(first) }
    }

    /// Returns the plays that are legal after the plays of `window`, some of which may lie off the board.
    #[inline]
    pub(super) fn legal(&self, size: usize, rules: Rules, window: impl Iterator<Item = Ends>) -> PlayBits {
        // Six sets are removed at a time, so that the 64 words are read and written once per six sets.
        static NONE: [u64; 64] = [0; 64];
        let (mut legal, mut tables, mut count) = (self.first, [&NONE; 6], 0);
        for earlier in window {
            // Only plays on the board have tables; others are compared one by one.
            if earlier.iter().all(|part| (0..size as i32).contains(part)) {
                let kinds = if rules.compares_ends() { 4 } else { 2 };
                for (kind, key) in keys(size, earlier).into_iter().enumerate().take(kinds) {
                    tables[count] = &self.shared[kind][key];
                    count += 1;
                    if count == tables.len() {
                        legal.remove(tables);
                        (tables, count) = ([&NONE; 6], 0);
                    }
                }
            } else {
                for play in 0..size.pow(4) {
                    let forbidden = clashes(rules, ends(size, play as u64), earlier);
                    legal.0[play / 64] &= !(u64::from(forbidden) << (play % 64));
                }
            }
        }
        if count > 0 {
            legal.remove(tables);
        }
        legal
    }
}

/// Returns whether two plays clash by the rule of number `kind`: 0 equal midpoints, 1 perpendicular, 2 equal tails, 3
/// equal heads.
fn shares(kind: usize, p: Ends, q: Ends) -> bool {
    match kind {
        0 => p[0] + p[2] == q[0] + q[2] && p[1] + p[3] == q[1] + q[3],
        1 => (p[2] - p[0]) * (q[2] - q[0]) + (p[3] - p[1]) * (q[3] - q[1]) == 0,
        2 => p[..2] == q[..2],
        _ => p[2..] == q[2..],
    }
}

impl PlayBits {
    /// Removes the plays of six sets.
    fn remove(&mut self, sets: [&[u64; 64]; 6]) {
        vectorized!(remove_sets(&mut self.0, sets));
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Returns the number of plays in the set.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Writes one `bool` per play, in lexicographic order, for the first `out.len()` plays.
    ///
    /// `out` may have up to 4096 entries, the number of plays of a board of 8 x 8.
    #[inline]
    pub fn spread(&self, out: &mut [bool]) {
        let count = out.len() / 64;
        let (whole, rest) = out.split_at_mut(64 * count);
        vectorized!(simd => spread_words(simd, &self.0, whole));
        for (bit, play) in rest.iter_mut().enumerate() {
            *play = self.0[count] >> bit & 1 == 1;
        }
    }

    /// Iterates over the indices of the plays in the set, in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                // Clears the lowest bit that is set.
                rest &= rest - 1;
                Some(64 * i + bit)
            })
        })
    }
}

/// Removes the bits of six sets from a set.
#[inline(always)]
fn remove_sets(words: &mut [u64; 64], sets: [&[u64; 64]; 6]) {
    for (i, word) in words.iter_mut().enumerate() {
        *word &= !(sets[0][i] | sets[1][i] | sets[2][i] | sets[3][i] | sets[4][i] | sets[5][i]);
    }
}

/// Writes one `bool` per bit for as many words as fill `out`, whose length is a multiple of 64. A word becomes a mask
/// of 64 lanes, which selects a 1 or a 0 in each.
#[inline(always)]
fn spread_words<S: Simd>(simd: S, words: &[u64; 64], out: &mut [bool]) {
    let (ones, zeros) = (u8x64::splat(simd, 1), u8x64::splat(simd, 0));
    let mut bytes = [0; 64];
    for (plays, &word) in out.chunks_exact_mut(64).zip(words) {
        mask8x64::from_bitmask(simd, word).select(ones, zeros).store_slice(&mut bytes);
        for (play, byte) in plays.iter_mut().zip(bytes) {
            *play = byte != 0;
        }
    }
}
