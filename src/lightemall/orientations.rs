//! The orientations of a tile: sets of turns, and what the masks of a set have in common.

use crate::graph::Lattice;

/// Tables for all masks of one shape of tile. Bit `t` of a set of turns stands for `t` clockwise turns. Numbers of
/// turns that lead to the same mask as a smaller number are in no set of the tables.
#[derive(Clone, Debug)]
pub(super) struct Orientations {
    sides: usize,
    /// By mask: the set of the turns that lead to distinct masks.
    all: Vec<u8>,
    /// By mask: the turn that leads to the smallest mask.
    least: Vec<u8>,
    /// By `mask << sides | turns`: the sides with a wire after every turn of the set `turns`, and those with a wire
    /// after at least one; both 0 for the empty set.
    agreement: Vec<(u8, u8)>,
    /// By `mask * sides + side`: the set of turns after which there is a wire on the side.
    wired: Vec<u8>,
}

impl Orientations {
    /// Creates the tables for the tiles of a board.
    pub(super) fn new(lattice: Lattice) -> Self {
        let sides = lattice.sides();
        let mut agreement = vec![(0, 0); 1 << (2 * sides)];
        let mut wired = vec![0; sides << sides];
        let mut all = vec![0u8; 1 << sides];
        let mut least = vec![0; 1 << sides];
        for base in 0..1usize << sides {
            let masks: Vec<u8> = lattice.rotations(base as u8).collect();
            all[base] = ((1u16 << masks.len()) - 1) as u8;
            least[base] = (0..masks.len()).min_by_key(|&turn| masks[turn]).unwrap_or(0) as u8;
            for (turn, mask) in masks.iter().enumerate() {
                for side in 0..sides {
                    wired[base * sides + side] |= (mask >> side & 1) << turn;
                }
            }
            // Visits every set of turns but the empty one. The bits of `all[base]` are ones from bit 0 up, so its
            // nonempty subsets are the numbers from 1 to `all[base]`.
            for set in 1..=usize::from(all[base]) {
                let of = || masks.iter().enumerate().filter(|(turn, _)| set >> turn & 1 == 1).map(|(_, &mask)| mask);
                agreement[base << sides | set] =
                    (of().fold(!0, |every, mask| every & mask), of().fold(0, |any, mask| any | mask));
            }
        }
        Self { sides, all, least, agreement, wired }
    }

    /// Returns the set of the turns that lead from a mask to distinct masks.
    #[inline]
    pub(super) fn all(&self, mask: u8) -> u8 {
        self.all[usize::from(mask)]
    }

    /// Returns the turns of a set, each as a set of one turn, ordered by the masks to which they lead: first the
    /// smallest mask of the tile, then the mask one turn clockwise from it, and so on. This order of masks does not
    /// depend on how the tile is turned now.
    pub(super) fn in_order(&self, mask: u8, turns: u8) -> impl Iterator<Item = u8> + use<> {
        let (least, count) = (u32::from(self.least[usize::from(mask)]), self.all(mask).count_ones());
        (0..count).map(move |k| 1 << ((least + k) % count)).filter(move |turn| turns & turn != 0)
    }

    /// Returns the sides with a wire after every turn of a nonempty set, and those with a wire after at least one of
    /// its turns.
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
