//! Sets of tiles of a small board, one bit per tile, and light that is followed through many tiles at once.
//!
//! A [`Bitboard`] has 16 rows of 16 bits or 32 rows of 32 bits, and serves every board that has no more rows and fewer
//! columns. The last column of a bitboard is therefore never open: eastward light stops there at the latest. Westward
//! light that leaves the board ends in the last column, one row up, or vanishes if its row is the first in a word. A
//! worked example with rows of four bits, with column 0 at the left: light has entered column 1 eastward, and columns 0
//! to 2 are open.
//!
//! ```text
//! light     0 1 0 0       In the sum of the numbers `light` and `open`, with column 0 as the lowest bit, a carry runs
//! open      1 1 1 0       from the light up to the first tile that is not open, which light enters too. The bits on
//! sum       1 0 0 1       this path change, so they are set in the exclusive or of the sum and `open`. A word
//! xor open  0 1 1 1       holds several rows, and one addition serves all of them, since no carry leaves a row.
//! ```

use super::bounds::bits;

/// A set of tiles of a board. A *square* is the number of a tile's bit, row-major from bit 0 of word 0; a row has
/// [`side`] bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bitboard<const W: usize>(pub(super) [u64; W]);

/// Returns the number of rows of a bitboard, which is also the number of bits per row: 16 for 4 words, 32 for 16 words.
pub(super) const fn side(words: usize) -> u32 {
    if words <= 4 { 16 } else { 32 }
}

impl<const W: usize> Bitboard<W> {
    /// The empty set.
    pub(super) const NONE: Self = Self([0; W]);

    /// Returns `true` if a square is in the set.
    #[inline(always)]
    pub(super) fn has(&self, square: u16) -> bool {
        self.0[usize::from(square >> 6) % W] >> (square & 63) & 1 == 1
    }

    /// Adds a square.
    #[inline(always)]
    pub(super) fn add(&mut self, square: u16) {
        self.0[usize::from(square >> 6) % W] |= 1 << (square & 63);
    }

    /// Removes a square.
    #[inline(always)]
    pub(super) fn remove(&mut self, square: u16) {
        self.0[usize::from(square >> 6) % W] &= !(1 << (square & 63));
    }

    /// Returns `true` if the set is empty.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Returns the number of squares.
    #[inline(always)]
    pub(super) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns the squares that are in both sets.
    #[inline(always)]
    pub(super) fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|w| self.0[w] & other.0[w]))
    }

    /// Adds the squares of another set.
    #[inline(always)]
    pub(super) fn join(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    /// Iterates over the squares.
    #[inline(always)]
    pub(super) fn squares(self) -> impl Iterator<Item = u16> {
        self.0.into_iter().enumerate().flat_map(|(w, word)| bits(word).map(move |bit| (w as u32 * 64 + bit) as u16))
    }

    /// Returns the set in which each square is moved one step in a heading. Squares that leave the board vanish or
    /// become squares outside it, which are never open.
    #[inline(always)]
    pub(super) fn step(&self, heading: usize) -> Self {
        let side = side(W);
        let word = |w: usize| self.0.get(w).copied().unwrap_or(0);
        Self(std::array::from_fn(|w| match heading {
            // A row that leaves a word enters the neighboring word.
            0 => self.0[w] >> side | word(w + 1) << (64 - side),
            1 => self.0[w] << 1,
            2 => self.0[w] << side | word(w.wrapping_sub(1)) >> (64 - side),
            _ => self.0[w] >> 1,
        }))
    }

    /// Follows light straight on. Each square of the set is light that enters a tile with the heading. Adds the squares
    /// that this light enters further on, up to and including the first that is not in `open`.
    #[inline(always)]
    pub(super) fn follow(&mut self, heading: usize, open: &Self) {
        let side = side(W);
        // Follows light within a word, in steps of `shift` bits toward higher bits if `up`, else toward lower ones.
        // Light that may pass one open tile, then two, then four, can pass any number of tiles below `end / shift` for
        // the initial `shift`.
        let within = |mut light: u64, mut open: u64, mut shift: u32, end: u32, up: bool| {
            while shift < end {
                let moved = light & open;
                light |= if up { moved << shift } else { moved >> shift };
                // From here on, a tile counts as open if as many tiles are open from it onward as the next step passes.
                open &= if up { open >> shift } else { open << shift };
                shift *= 2;
            }
            light
        };
        let words = self.0.iter_mut().zip(&open.0);
        // The light that passes from the last row of a word to the next word.
        let mut onward = 0;
        match heading {
            0 => {
                for (light, &open) in words.rev() {
                    *light = within(*light | onward, open, side, 64, false);
                    onward = (*light & open) << (64 - side);
                }
            }
            1 => {
                for (light, &open) in words {
                    // The sum leaves the bits of other light on the path unchanged; these are in `light` already.
                    *light |= (*light & open).wrapping_add(open) ^ open;
                }
            }
            2 => {
                for (light, &open) in words {
                    *light = within(*light | onward, open, side, 64, true);
                    onward = (*light & open) >> (64 - side);
                }
            }
            _ => {
                for (light, &open) in words {
                    *light = within(*light, open, 1, side, false);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Rng;

    /// Compares steps, followed light and sizes of random sets of `W` words with the results of code that handles one
    /// tile at a time.
    fn agrees<const W: usize>() {
        let side = side(W) as i32;
        let mut rng = Rng::new(1);
        for round in 0..60 {
            let chance = [0.5, 0.9, 1.0][round % 3];
            let mut open = Bitboard::<W>::NONE;
            let mut light = Bitboard::<W>::NONE;
            for square in 0..(side * side) as u16 {
                // The last column is closed.
                if i32::from(square) % side < side - 1 {
                    if rng.chance(chance) {
                        open.add(square);
                    }
                    if rng.chance(0.02) {
                        light.add(square);
                    }
                }
            }
            for (heading, (dr, dc)) in [(-1, 0), (0, 1), (1, 0), (0, -1)].into_iter().enumerate() {
                let mut all = Bitboard::<W>::NONE;
                let mut stepped = Bitboard::<W>::NONE;
                let inside = |row: i32, col: i32| (0..side).contains(&row) && (0..side - 1).contains(&col);
                for square in light.squares() {
                    let (mut row, mut col) = (i32::from(square) / side, i32::from(square) % side);
                    if inside(row + dr, col + dc) {
                        stepped.add(((row + dr) * side + col + dc) as u16);
                    }
                    while inside(row, col) {
                        let square = (row * side + col) as u16;
                        all.add(square);
                        if !open.has(square) {
                            break;
                        }
                        (row, col) = (row + dr, col + dc);
                    }
                }
                let mut followed = light;
                followed.follow(heading, &open);
                let mut moved = light.step(heading);
                for row in 0..side {
                    followed.remove((row * side + side - 1) as u16);
                    moved.remove((row * side + side - 1) as u16);
                }
                assert_eq!(followed, all, "seed 1, round {round}, heading {heading}");
                assert_eq!(moved, stepped, "seed 1, round {round}, heading {heading}");
                assert_eq!(light.squares().count() as u32, light.len());
            }
        }
    }

    #[test]
    fn followed_light_agrees_with_light_traced_step_by_step() {
        agrees::<4>();
        agrees::<16>();
    }
}
