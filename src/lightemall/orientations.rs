//! The orientations of a tile: sets of turns, and what the masks of a set have in common.

use crate::graph::Lattice;

/// Tables over all masks of one shape of tile. A set of turns has bit `t` for `t` turns clockwise; turns that lead to
/// the same mask as fewer turns are in no set of the tables.
#[derive(Clone, Debug)]
pub(super) struct Orientations {
    sides: usize,
    /// By mask: the set of all turns that lead to different masks.
    all: Vec<u8>,
    /// By `mask << sides | turns`: the sides with a wire after every turn of the set `turns`, and those with a wire
    /// after at least one; both 0 for the empty set.
    agreement: Vec<(u8, u8)>,
    /// By `mask * sides + side`: the set of turns after which there is a wire on the side.
    wired: Vec<u8>,
}

impl Orientations {
    /// Creates the tables of the tiles of a board.
    pub(super) fn new(lattice: Lattice) -> Self {
        let sides = lattice.sides();
        let mut agreement = vec![(0, 0); 1 << (2 * sides)];
        let mut wired = vec![0; sides << sides];
        let mut all = vec![0u8; 1 << sides];
        for base in 0..1usize << sides {
            let masks: Vec<u8> = lattice.rotations(base as u8).collect();
            all[base] = ((1u16 << masks.len()) - 1) as u8;
            for (turn, mask) in masks.iter().enumerate() {
                for side in 0..sides {
                    wired[base * sides + side] |= (mask >> side & 1) << turn;
                }
            }
            // Every set of turns but the empty one: `all` is a mask of ones, so all numbers up to it are its subsets.
            for set in 1..=usize::from(all[base]) {
                let of = || masks.iter().enumerate().filter(|(turn, _)| set >> turn & 1 == 1).map(|(_, &mask)| mask);
                agreement[base << sides | set] =
                    (of().fold(!0, |every, mask| every & mask), of().fold(0, |any, mask| any | mask));
            }
        }
        Self { sides, all, agreement, wired }
    }

    /// Returns the set of all turns that lead from a mask to different masks.
    #[inline]
    pub(super) fn all(&self, mask: u8) -> u8 {
        self.all[usize::from(mask)]
    }

    /// Returns the sides with a wire after every turn of a set that is not empty, and those with a wire after at least
    /// one.
    #[inline]
    pub(super) fn agreement(&self, mask: u8, turns: u8) -> (u8, u8) {
        self.agreement[usize::from(mask) << self.sides | usize::from(turns)]
    }

    /// Returns the set of turns after which there is a wire on a side, or, if `on` is `false`, after which there is
    /// none. In the second case the set has bits beyond those of [`Orientations::all`].
    #[inline]
    pub(super) fn with(&self, mask: u8, side: usize, on: bool) -> u8 {
        let wired = self.wired[usize::from(mask) * self.sides + side];
        if on { wired } else { !wired }
    }
}
