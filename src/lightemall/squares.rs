//! The tiles around a tile on a board of squares that does not wrap, read without branches: the processor cannot
//! predict where a tile lies and which wires meet there, and a mispredicted branch takes as long as all the reads
//! together.

use super::POWERED;
use crate::graph::Lattice;

/// The tiles beyond the sides N, E, S and W of a tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    /// By side: the row-major index of the neighbor, or of the tile itself if the board ends there.
    pub(super) tiles: [usize; 4],
    /// The mask of the sides with a neighbor.
    inside: u8,
}

impl Around {
    /// Finds the neighbors of the tile at `row` and `col` of a board of squares that does not wrap.
    #[inline(always)]
    pub(super) fn new(lattice: Lattice, row: usize, col: usize) -> Self {
        let Lattice { height, width, .. } = lattice;
        let tile = row * width + col;
        let inside = [row > 0, col + 1 < width, row + 1 < height, col > 0];
        let beyond = [tile.wrapping_sub(width), tile + 1, tile + width, tile.wrapping_sub(1)];
        Self {
            tiles: std::array::from_fn(|side| if inside[side] { beyond[side] } else { tile }),
            inside: (0..).zip(inside).fold(0, |mask, (side, inside)| mask | u8::from(inside) << side),
        }
    }

    /// Returns the mask of the sides on which a neighbor has a wire that leads to the tile.
    #[inline(always)]
    pub(super) fn facing(&self, wires: &[u8]) -> u8 {
        // The neighbor to the N faces this tile with its wire to the S, bit 2, and so on clockwise.
        self.gather(wires, [2, 3, 0, 1]) & self.inside
    }

    /// Returns whether a neighbor on one of `sides`, a mask of sides with neighbors, is powered on `board`.
    #[inline(always)]
    pub(super) fn is_powered(&self, board: &[u8], sides: u8) -> bool {
        self.gather(board, [POWERED.trailing_zeros(); 4]) & sides != 0
    }

    /// Returns the mask of the sides on which the code of the neighbor, or of the tile itself if the board ends there,
    /// has bit `bits[side]` set.
    #[inline(always)]
    fn gather(&self, codes: &[u8], bits: [u32; 4]) -> u8 {
        (0..4).fold(0, |mask, side| mask | (codes[self.tiles[side]] >> bits[side] & 1) << side)
    }
}
