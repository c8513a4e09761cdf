//! Boards up to 8 x 8 as bits: one word per color, and one bit per play with both ends on the board.
//!
//! A board of 2 x 2 has 16 plays, one bit each: the play from (tr, tc) to (hr, hc) is bit
//! `((tr * 2 + tc) * 2 + hr) * 2 + hc`. The *box* is the set of all plays with both ends on the board; the *window* is
//! the plays that the rules look back at.
//!
//! Whether the window forbids a play as perpendicular depends only on the vector of the play, and whether the window
//! forbids it for a shared midpoint depends only on the midpoint of the play. So the window leaves a small table of
//! allowed vectors and a small table of allowed midpoints, each stored as [`Columns`]. From a tail in row `tr`, the
//! heads in row `hr` have vectors with the row `hr - tr` and midpoints with the row sum `hr + tr`. So the legal heads
//! of a tail are the AND of one part of each table, however many plays the rules look back at.

use std::sync::OnceLock;

use fearless_simd::prelude::*;
use fearless_simd::{mask64x8, u8x32, u8x64, u64x4, u64x8};

use super::rules::{Ends, Rules, midpoint, vector};
use crate::core::simd::vectorized;
use crate::tracing::{self, gcd};

/// The largest size of a board that is stored in words.
pub(super) const SMALL: usize = 8;

/// One bit per play with both ends on a board of `n` x `n` (`n^4` of them), in lexicographic order: play `i` is bit
/// `i % 64` of word `i / 64`.
///
/// On a board of 8 x 8, the words of a row of tails fill one cache line: a SIMD vector that crossed into the next
/// line would take twice as long to store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
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

    /// Returns whether a play is illegal because of the earlier play `other`. If `ends` is true, equal tails or heads
    /// are illegal too.
    #[inline(always)]
    pub(super) fn clashes(self, other: Self, ends: bool) -> bool {
        let dot = self.vector[0] as i32 * other.vector[0] as i32 + self.vector[1] as i32 * other.vector[1] as i32;
        (dot == 0)
            || (self.midpoint == other.midpoint)
            || ends && ((self.tail == other.tail) || (self.head == other.head))
    }
}

/// A set of vectors or of midpoints of a board of `n` x `n`, by the column of the tail.
///
/// Vectors have the rows `1 - n` to `n - 1`, and midpoints have the row sums 0 to `2n - 2`. From a tail in column `c`,
/// a head in column `hc` has the vector column `hc - c` and the midpoint column sum `hc + c`: bit `row * n + hc` of
/// entry `c` stands for that vector or midpoint, where `row` counts the rows of the vectors, or the row sums, from 0.
/// The lowest 64 bits of an entry are in `low`, the others in `high`.
///
/// On a board of 2 x 2, the vectors of rows -1, 0 and 1 take 6 bits. The vector (0, -1) is bit 2 of entry 1 (head
/// column 0, row 1) and no bit of entry 0, because a tail in column 0 has no head to its left.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Columns {
    low: [u64; SMALL],
    high: [u64; SMALL],
}

impl Columns {
    const ALL: Self = Self { low: [!0; SMALL], high: [!0; SMALL] };

    /// Removes the vector or the midpoint that `bit` stands for from the entry of a column of tails.
    fn remove(&mut self, tail_col: usize, bit: usize) {
        let half = if bit < 64 { &mut self.low } else { &mut self.high };
        half[tail_col] &= !(1 << (bit % 64));
    }

    /// Removes the vectors or midpoints that are not in `other`.
    #[inline(always)]
    fn keep(&mut self, other: &Self) {
        for (own, other) in self.low.iter_mut().zip(&other.low) {
            *own &= other;
        }
        for (own, other) in self.high.iter_mut().zip(&other.high) {
            *own &= other;
        }
    }

    /// Returns the entries of the even columns and those of the odd columns, each entry with its low half first.
    #[inline(always)]
    fn entries<S: Simd>(&self, simd: S) -> (u64x8<S>, u64x8<S>) {
        let (low, high) = (u64x8::from_slice(simd, &self.low), u64x8::from_slice(simd, &self.high));
        // For each pair of columns, the low half of the odd column and the high half of the even column.
        let middle = low.slide_within_blocks::<1>(high);
        let first = firsts(simd);
        (first.select(low, middle), first.select(middle, high))
    }

    /// Returns the 64 bits of entry `c` that start at bit `from`, which must be less than 64.
    #[inline(always)]
    fn part(&self, c: usize, from: usize) -> u64 {
        // The shift to the left is done in two steps: a single shift by `64 - from` would overflow for `from == 0`, and
        // a test for that case would not be a vector operation.
        self.low[c] >> from | self.high[c] << 1 << (63 - from)
    }
}

/// For each pair of neighboring rows of tails on a board of 8 x 8: which bytes of the entries make up the words.
///
/// The word of the tail in row `r` and column `c` is the AND of bytes `7 - r` to `14 - r` of entry `c` of the vectors
/// and bytes `r` to `r + 7` of entry `c` of the midpoints. For an even column, the word of the second row comes first;
/// for an odd column, the word of the first row does. So one operation brings together the words of one row from an
/// even and an odd column.
static PARTS: Parts = {
    let mut parts = [[[[0; 64]; 2]; 2]; 4];
    let mut at = 0;
    while at < 4 * 2 * 64 {
        let (pair, odd, byte) = (at / 128, at / 64 % 2, at % 64);
        let row = (2 * pair + if byte % 16 < 8 { 1 - odd } else { odd }) as u8;
        parts[pair][odd][0][byte] = 7 - row + (byte % 8) as u8;
        parts[pair][odd][1][byte] = row + (byte % 8) as u8;
        at += 1;
    }
    Parts(parts)
};

/// The byte indices for [`part`]: by pair of rows, even or odd column, and vectors or midpoints. Each set holds 16
/// indices for each of the four entries of a `u64x8`, and fills one cache line, so that no load crosses from one line
/// to the next.
#[repr(align(64))]
struct Parts([[[[u8; 64]; 2]; 2]; 4]);

/// Returns, for each of the four entries in `entries`, its bytes at the indices in `bytes`.
#[inline(always)]
fn part<S: Simd>(simd: S, entries: u64x8<S>, bytes: &[u8; 64]) -> u64x8<S> {
    u64x8::from_bytes(entries.to_bytes().swizzle_dyn_within_blocks(u8x64::from_slice(simd, bytes)))
}

/// Returns the mask that selects the first word of each pair.
#[inline(always)]
fn firsts<S: Simd>(simd: S) -> mask64x8<S> {
    u64x8::from_slice(simd, &[1, 0, 1, 0, 1, 0, 1, 0]).simd_eq(u64x8::splat(simd, 1))
}

/// What a play of the window forbids, as indices into [`Tables::lines`] and [`Tables::midpoints`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Keys {
    line: u8,
    midpoint: u8,
}

/// The number of entries of [`Tables::lines`]: 74 are used, and the rest saves the bounds check for an index of 7 bits.
const LINES: usize = 128;

/// The index in [`Tables::lines`] of plays with a vector so long that, of all vectors on a board, only the zero vector
/// is perpendicular to it.
const ZERO_ONLY: u8 = 0;

/// The index in [`Tables::midpoints`] of plays whose midpoint no play on the board has.
const FAR_OFF: u8 = 255;

/// The plays of a board of one size, their cells, and what each play forbids.
#[derive(Debug)]
pub(super) struct Tables {
    size: usize,
    /// The cells of each play.
    pub(super) cells: Vec<u64>,
    /// Each play in the form in which random games compare it.
    pub(super) packed: Vec<PackedPlay>,
    /// The index in [`Tables::lines`] of each vector with components of -7 to 7, at `16 * row + col + 119`.
    directions: [u8; 256],
    /// The vectors that are not perpendicular to the vectors of one direction; plays of one direction share an entry.
    lines: Box<[Columns; LINES]>,
    /// Entry `16 * r + c` is the set of all midpoints but the one with the row sum `r` and the column sum `c`. The last
    /// entry has all midpoints.
    midpoints: Vec<Columns>,
}

/// Returns the index in [`Tables::directions`] of a vector with components of -7 to 7.
#[inline]
fn direction([row, col]: [i32; 2]) -> usize {
    (16 * row + col + 119) as usize
}

/// Returns the ends of the play with the index `play`. The index is a `u64`, because on boards over 256 x 256 it needs
/// more than the 32 bits that a `usize` has in a browser; the index of a cell always fits.
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
    /// Returns the tables for a size, 1 to [`SMALL`]; they are built on first use.
    pub(super) fn of(size: usize) -> &'static Self {
        static TABLES: [OnceLock<Tables>; SMALL] = [const { OnceLock::new() }; SMALL];
        TABLES[size - 1].get_or_init(|| Self::make(size))
    }

    fn make(size: usize) -> Self {
        let plays: Vec<Ends> = (0..size.pow(4)).map(|play| ends(size, play as u64)).collect();
        let cells = plays
            .iter()
            .map(|&play| {
                let mut cells = 0u64;
                tracing::thin(play, |row, col| cells |= 1 << (row as usize * size + col as usize));
                cells
            })
            .collect();
        let packed = plays.iter().map(|&play| PackedPlay::new(size, play)).collect();
        let (n, most) = (size as i32, SMALL as i32 - 1);
        let mut directions = [ZERO_ONLY; 256];
        let mut lines = Box::new([Columns::ALL; LINES]);
        let mut used = 1;
        for [row, col] in (-most..=most).flat_map(|row| (-most..=most).map(move |col| [row, col])) {
            // The divisor is 0 only for the zero vector, which is perpendicular to all vectors.
            let divisor = gcd(u64::from(row.unsigned_abs()), u64::from(col.unsigned_abs())) as i32;
            let primitive = if divisor > 1 { [row / divisor, col / divisor] } else { [row, col] };
            // A primitive vector and its opposite share an entry of `lines`, whose index is chosen when the first of
            // their multiples is met.
            let [one, opposite] = [primitive, primitive.map(|part| -part)].map(direction);
            if directions[one] == ZERO_ONLY {
                (directions[one], directions[opposite]) = (used, used);
                used += 1;
            }
            directions[direction([row, col])] = directions[one];
            let line = &mut lines[directions[one] as usize];
            for (tail_col, vector_row, head_col) in heads(n) {
                if row * vector_row + col * (head_col - tail_col) == 0 {
                    line.remove(tail_col as usize, ((vector_row + n - 1) * n + head_col) as usize);
                }
            }
        }
        for col in 0..size {
            lines[ZERO_ONLY as usize].remove(col, (size - 1) * size + col);
        }
        let mut midpoints = vec![Columns::ALL; 256];
        for (tail_col, vector_row, head_col) in heads(n) {
            // There are as many row sums, 0 to 2n - 2, as rows of vectors, 1 - n to n - 1.
            let row = vector_row + n - 1;
            midpoints[(16 * row + tail_col + head_col) as usize]
                .remove(tail_col as usize, (row * n + head_col) as usize);
        }
        Self { size, cells, packed, directions, lines, midpoints }
    }

    /// Returns what a play, which may lie off the board, forbids while it is in the window.
    #[inline]
    pub(super) fn keys(&self, play: Ends) -> Keys {
        let ([row, col], [mid_row, mid_col], most) = (vector(play), midpoint(play), SMALL as i32 - 1);
        let near = |row: i32, col: i32| row.abs() <= most && col.abs() <= most;
        let line = if near(row, col) {
            self.directions[direction([row, col])]
        } else {
            // A long vector forbids what the shortest vector of its direction forbids.
            let divisor = gcd(u64::from(row.unsigned_abs()), u64::from(col.unsigned_abs())) as i32;
            let (row, col) = (row / divisor, col / divisor);
            if near(row, col) { self.directions[direction([row, col])] } else { ZERO_ONLY }
        };
        let sums = 0..2 * self.size as i32 - 1;
        let on_board = sums.contains(&mid_row) && sums.contains(&mid_col);
        Keys { line, midpoint: if on_board { (16 * mid_row + mid_col) as u8 } else { FAR_OFF } }
    }

    /// Returns the vectors and the midpoints that the rules and the plays of the window allow.
    #[inline(always)]
    fn allowed(&self, n: usize, rules: Rules, window: impl Iterator<Item = Keys>) -> [Columns; 2] {
        let (mut vectors, mut midpoints) = (Columns::ALL, Columns::ALL);
        if !rules.allows_zero_length() {
            for col in 0..n {
                vectors.remove(col, (n - 1) * n + col);
            }
        }
        for Keys { line, midpoint } in window {
            vectors.keep(&self.lines[line as usize % LINES]);
            midpoints.keep(&self.midpoints[midpoint as usize]);
        }
        [vectors, midpoints]
    }

    /// Does what [`Tables::legal`] does on a board of 8 x 8, for rules that do not compare ends.
    ///
    /// On a board of this size, a row of heads is a byte. So the parts of an entry are moved as bytes, in one operation
    /// for the tails in the even or the odd columns of two rows.
    #[inline(always)]
    pub(super) fn legal_on_largest<S: Simd>(
        &self,
        simd: S,
        rules: Rules,
        window: impl Iterator<Item = Keys>,
    ) -> PlayBits {
        let [vectors, midpoints] = self.allowed(SMALL, rules, window);
        let (vectors, midpoints) = (vectors.entries(simd), midpoints.entries(simd));
        let mut words = [0; 64];
        for ([of_even, of_odd], out) in PARTS.0.iter().zip(words.as_chunks_mut::<16>().0) {
            let even = part(simd, vectors.0, &of_even[0]) & part(simd, midpoints.0, &of_even[1]);
            let odd = part(simd, vectors.1, &of_odd[0]) & part(simd, midpoints.1, &of_odd[1]);
            // The second word of each pair in `even` and the first word of each pair in `odd` belong to the first row.
            even.slide_within_blocks::<1>(odd).store_slice(&mut out[..8]);
            firsts(simd).select(even, odd).store_slice(&mut out[8..]);
        }
        PlayBits(words)
    }

    /// Returns the plays that are legal after those of the window. Plays of the window may lie off the board.
    ///
    /// * `window`: what each play of the window forbids by its vector and midpoint
    /// * `ends`: the ends of the plays of the window, read only if the rules compare ends
    #[inline(always)]
    pub(super) fn legal(
        &self,
        rules: Rules,
        window: impl Iterator<Item = Keys>,
        ends: impl Iterator<Item = Ends>,
    ) -> PlayBits {
        let (n, block) = (self.size, self.size * self.size);
        let [vectors, midpoints] = self.allowed(n, rules, window);
        // One bit per cell: whether the rules allow a head (or a tail) in that cell.
        let mut heads = !0 >> (64 - block);
        let mut tails = heads;
        if rules.compares_ends() {
            let sides = 0..n as i32;
            let cell = |row, col| {
                let on_board = sides.contains(&row) && sides.contains(&col);
                if on_board { 1u64 << (row as usize * n + col as usize) } else { 0 }
            };
            for [row, col, head_row, head_col] in ends {
                tails &= !cell(row, col);
                heads &= !cell(head_row, head_col);
            }
        }
        let (mut words, mut filled) = ([0; 64], 0);
        for row in 0..n {
            let mut parts = [0; SMALL];
            for (col, part) in parts.iter_mut().enumerate() {
                *part = vectors.part(col, (n - 1 - row) * n) & midpoints.part(col, row * n) & heads;
            }
            for (col, part) in parts.into_iter().enumerate().take(n) {
                let part = if tails >> (row * n + col) & 1 == 1 { part } else { 0 };
                // The n^2 bits of a tail follow the bits of the tail before it, and may reach into the next word.
                words[filled / 64] |= part << (filled % 64);
                if filled % 64 + block > 64 {
                    words[filled / 64 + 1] |= part >> (64 - filled % 64);
                }
                filled += block;
            }
        }
        PlayBits(words)
    }
}

/// Iterates over all triples of a column of tails, a row of vectors and a column of heads on a board of `n` x `n`.
fn heads(n: i32) -> impl Iterator<Item = (i32, i32, i32)> {
    (0..n).flat_map(move |tail| (1 - n..n).flat_map(move |row| (0..n).map(move |head| (tail, row, head))))
}

impl PlayBits {
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
        vectorized!(simd => spread_words(simd, &self.0, out));
    }

    /// Writes one bit per play, in lexicographic order and least significant bit first, for the first `out.len()`
    /// bytes of plays.
    ///
    /// `out` may have up to 512 bytes, the plays of a board of 8 x 8.
    #[inline(always)]
    pub(super) fn write_bytes(&self, out: &mut [u8]) {
        let (whole, rest) = out.as_chunks_mut::<8>();
        for (bytes, word) in whole.iter_mut().zip(&self.0) {
            *bytes = word.to_le_bytes();
        }
        let last = self.0.get(whole.len()).map_or([0; 8], |word| word.to_le_bytes());
        rest.copy_from_slice(&last[..rest.len()]);
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

/// Writes one `bool` per bit of `words`, for the first `out.len()` bits, up to 4096.
#[inline(always)]
pub(super) fn spread_words<S: Simd>(simd: S, words: &[u64; 64], out: &mut [bool]) {
    // For each of 32 output bytes: the bit to test in a byte of the word, and the index of that byte for the lower and
    // for the upper half of the word.
    let bits = u8x32::from_slice(simd, &std::array::from_fn::<u8, 32, _>(|i| 1 << (i % 8)));
    let bytes = [0, 4].map(|half| u8x32::from_slice(simd, &std::array::from_fn::<u8, 32, _>(|i| half + i as u8 / 8)));
    let (ones, zeros) = (u8x32::splat(simd, 1), u8x32::splat(simd, 0));
    let (whole, rest) = out.as_chunks_mut::<64>();
    for (plays, &word) in whole.iter_mut().zip(words) {
        let word: u8x32<S> = u64x4::splat(simd, word).to_bytes();
        for (plays, bytes) in plays.as_chunks_mut::<32>().0.iter_mut().zip(bytes) {
            let chosen = (word.swizzle_dyn_within_blocks(bytes) & bits).simd_eq(bits).select(ones, zeros);
            let mut values = [0; 32];
            chosen.store_slice(&mut values);
            for (play, value) in plays.iter_mut().zip(values) {
                *play = value != 0;
            }
        }
    }
    for (bit, play) in rest.iter_mut().enumerate() {
        *play = words[whole.len()] >> bit & 1 == 1;
    }
}
