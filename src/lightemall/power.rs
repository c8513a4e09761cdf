//! How far power reaches from the station: a breadth-first search tile by tile, and on small boards of squares that do
//! not wrap, a search that advances from all reached tiles at once.
//!
//! A worked example of the second search, on 2 x 3 tiles with the links 0-1, 1-4 and 4-5. A set of tiles is a number
//! whose bit `i` stands for tile `i`. Each set is drawn here in the shape of the board, with tile 0 at the upper left.
//!
//! ```text
//! 0--1  2     right  1..    down  .1.      reached  1..    11.    11.    11.
//!    |               .1.          ...               ...    ...    .1.    .11
//! 3  4--5
//! ```
//!
//! From a tile in `right`, power reaches the tile to its right; from a tile in `down`, the tile below. The tile to the
//! right is the next bit and the tile below is `width` bits further, so one shift moves a whole set. The tiles to the
//! left and above are reached by the shifts back.

use super::{LightEmAll, POWERED};

/// The largest number of tiles of a board whose sets of tiles fit in 64 bits.
const SMALL: usize = 64;

/// The number of reached tiles up to which a search tile by tile is faster than a search from all of them at once.
const FEW: usize = 4;

/// The number whose 8 bytes are all 1.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The links of a board of at most [`SMALL`] squares that does not wrap.
struct LinkSets {
    /// The tiles that are linked to the tile on their right.
    right: u64,
    /// The tiles that are linked to the tile below.
    down: u64,
    width: usize,
}

/// Collects bit `bit` of each byte: the bit of byte `i`, counted from the lowest, becomes bit `i`.
#[inline]
fn collected(bytes: u64, bit: u32) -> u64 {
    // The factor is the sum of 2^7, 2^14, ..., 2^56. It moves the bit at 8 i by 56 - 7 i to 56 + i, into the highest
    // byte. No two products have the same exponent, so nothing is carried.
    (bytes >> bit & ONES).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

impl LinkSets {
    /// Works out the links of a position; returns `None` if the board is too large or hexagonal, or if it wraps.
    #[inline]
    fn new(game: &LightEmAll) -> Option<Self> {
        let (lattice, wires) = (game.lattice, &game.wires[..]);
        if wires.len() > SMALL || lattice.hexagonal || lattice.wrap {
            return None;
        }
        // By side N, E, S, W: the tiles with a wire to that side.
        let mut with = [0; 4];
        let mut take = |bytes: u64, at: u32| {
            for (side, with) in (0..).zip(&mut with) {
                *with |= collected(bytes, side) << at;
            }
        };
        let (eights, rest) = wires.as_chunks::<8>();
        for (at, eight) in (0..).step_by(8).zip(eights) {
            take(u64::from_le_bytes(*eight), at);
        }
        if !rest.is_empty() {
            let mut eight = [0; 8];
            eight[..rest.len()].copy_from_slice(rest);
            take(u64::from_le_bytes(eight), eights.len() as u32 * 8);
        }
        let width = lattice.width;
        // `first` becomes the set of the tiles of the first column. Each step doubles the number of rows that are done;
        // `tiles` is the number of tiles in these rows.
        let (mut first, mut tiles) = (1u64, width);
        while tiles < wires.len() {
            first |= first << tiles;
            tiles *= 2;
        }
        let [north, east, south, west] = with;
        // The bit after the last tile of a row stands for a tile of the first column, which is not to its right.
        let right = east & (west & !first) >> 1;
        // On a board of one row of 64 tiles, a shift by all 64 bits leaves nothing.
        let down = south & north.checked_shr(width as u32).unwrap_or(0);
        Some(Self { right, down, width })
    }

    /// Returns the tiles within `radius` links of a tile, or all tiles connected to it if `radius` is `None`.
    #[inline]
    fn reached(&self, from: u32, radius: Option<u32>) -> u64 {
        let Self { right, down, width } = *self;
        // On a board of one row, `down` is empty, so the size of its shift does not matter.
        let below = width as u32 % u64::BITS;
        let (mut reached, mut left) = (1u64 << from, radius.unwrap_or(u32::MAX));
        while left > 0 {
            let there = (reached & right) << 1 | (reached & down) << below;
            let back = reached >> 1 & right | reached >> below & down;
            let all = reached | there | back;
            if all == reached {
                break;
            }
            reached = all;
            left -= 1;
        }
        reached
    }
}

impl LightEmAll {
    /// Returns the number of tiles within `radius` links of the station, or of all tiles connected to it if `radius` is
    /// `None`.
    pub(super) fn reach(&self, radius: Option<u32>) -> usize {
        if let Some(links) = LinkSets::new(self) {
            return links.reached(self.station, radius).count_ones() as usize;
        }
        let mut reached = vec![false; self.wires.len()];
        self.flood(radius, |tile| std::mem::replace(&mut reached[tile], true))
    }

    /// Updates [`POWERED`] in each code of a board whose other bits are up to date.
    pub(super) fn light(&self, board: &mut [u8]) {
        if self.wires.len() <= SMALL {
            // On most boards in play, few tiles have power.
            if let Some(mut few) = self.reached_if_few(self.radius()) {
                for code in board.iter_mut() {
                    *code &= !POWERED;
                }
                while few != 0 {
                    board[few.trailing_zeros() as usize] |= POWERED;
                    few &= few - 1;
                }
                return;
            }
            if let Some(links) = LinkSets::new(self) {
                write_power(links.reached(self.station, self.radius()), board);
                return;
            }
        }
        for code in board.iter_mut() {
            *code &= !POWERED;
        }
        self.flood(self.radius(), |tile| {
            let lit = board[tile] & POWERED != 0;
            board[tile] |= POWERED;
            lit
        });
    }

    /// Returns the tiles within `radius` links of the station, or all that are connected to it if `radius` is `None`;
    /// returns `None` if there are more than [`FEW`]. The board must have at most [`SMALL`] tiles.
    fn reached_if_few(&self, radius: Option<u32>) -> Option<u64> {
        let (mut tiles, mut count) = ([self.station as usize; FEW], 1);
        let (mut reached, mut left) = (1u64 << self.station, radius.unwrap_or(u32::MAX));
        // The tiles of the current depth are those at `at..end` in `tiles`.
        let (mut at, mut end) = (0, 1);
        while at < end && left > 0 {
            for index in at..end {
                self.each_linked(tiles[index], |other| {
                    if reached >> other & 1 == 0 {
                        *tiles.get_mut(count)? = other;
                        count += 1;
                        reached |= 1 << other;
                    }
                    Some(())
                })?;
            }
            (at, end) = (end, count);
            left -= 1;
        }
        Some(reached)
    }

    /// Visits the tiles within `radius` links of the station, or all tiles connected to it if `radius` is `None`, and
    /// returns their number. `seen` marks a tile and returns `true` if it was marked before.
    fn flood(&self, radius: Option<u32>, mut seen: impl FnMut(usize) -> bool) -> usize {
        const QUEUE: usize = 256;
        let n = self.wires.len();
        // Small boards, on which moves are made by the million, need no allocation.
        let (mut small, mut large);
        let queue: &mut [u32] = if n <= QUEUE {
            small = [0u32; QUEUE];
            &mut small[..n]
        } else {
            large = vec![0u32; n];
            &mut large
        };
        queue[0] = self.station;
        seen(self.station as usize);
        // The tiles of the current depth end at `layer` in the queue.
        let (mut at, mut end, mut depth, mut layer) = (0, 1, 0, 1);
        while at < end {
            if at == layer {
                depth += 1;
                layer = end;
            }
            if radius == Some(depth) {
                break;
            }
            let tile = queue[at] as usize;
            at += 1;
            self.each_linked(tile, |other| {
                if !seen(other) {
                    queue[end] = other as u32;
                    end += 1;
                }
                Some(())
            });
        }
        end
    }

    /// Calls `visit` with each tile that is linked to a tile, in the order of its sides, until `visit` returns `None`;
    /// a tile linked on two sides is visited twice. Returns `None` if `visit` did.
    #[inline(always)]
    fn each_linked(&self, tile: usize, mut visit: impl FnMut(usize) -> Option<()>) -> Option<()> {
        let width = self.lattice.width;
        let (row, col) = (tile / width, tile % width);
        let mut mask = self.wires[tile];
        while mask != 0 {
            let side = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            let Some((r, c)) = self.lattice.beyond(row, col, side) else { continue };
            let other = r * width + c;
            if self.wires[other] >> self.lattice.opposite(side) & 1 == 1 {
                visit(other)?;
            }
        }
        Some(())
    }
}

/// Sets [`POWERED`] in the codes of a small board for the tiles of the set `powered`, and clears it for all other
/// tiles.
#[inline]
fn write_power(powered: u64, board: &mut [u8]) {
    let (eights, rest) = board.as_chunks_mut::<8>();
    for (at, codes) in (0..).step_by(8).zip(&mut *eights) {
        // Copies the bits of 8 tiles into each byte, and keeps bit i of byte i. Adding 127 to each byte then sets the
        // highest bit of exactly the bytes that are not 0, and carries nothing.
        let each = (powered >> at & 255).wrapping_mul(ONES) & 0x8040_2010_0804_0201;
        let highest = (each + 0x7f * ONES) & (0x80 * ONES);
        let power = highest / 0x80 * u64::from(POWERED);
        let others = u64::from_le_bytes(*codes) & !(u64::from(POWERED) * ONES);
        *codes = (others | power).to_le_bytes();
    }
    for (code, at) in rest.iter_mut().zip(eights.len() * 8..) {
        *code = (*code & !POWERED) | ((powered >> at & 1) as u8 * POWERED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Game, Rng};
    use crate::graph::Lattice;

    #[test]
    fn a_search_by_sets_of_tiles_agrees_with_a_search_tile_by_tile() {
        for height in 1..=64 {
            for width in 1..=64 / height {
                for seed in 0..8 {
                    let mut rng = Rng::new(seed);
                    // Half of the boards have many wires, so that power reaches far.
                    let mut draw = || (0..=seed % 2).fold(0, |mask, _| mask | rng.index(16) as u8);
                    let wires = (0..height * width).map(|_| draw()).collect();
                    let station = Rng::new(seed + 8).index(height * width);
                    let initial = [None, Some(seed as u32)][seed as usize / 2 % 2];
                    let game = LightEmAll::new(Lattice::square(height, width), wires, station, initial).unwrap();
                    let mut board = vec![0; height * width];
                    game.write_board(&mut board);
                    for radius in [game.radius(), None, Some(0), Some(1), Some(5)] {
                        let mut plain = vec![false; height * width];
                        let count = game.flood(radius, |tile| std::mem::replace(&mut plain[tile], true));
                        assert_eq!(game.reach(radius), count, "{height} x {width}, seed {seed}, {radius:?}");
                        if radius == game.radius() {
                            let lit: Vec<bool> = board.iter().map(|code| code & POWERED != 0).collect();
                            assert_eq!(lit, plain, "{height} x {width}, seed {seed}");
                        }
                    }
                }
            }
        }
    }
}
