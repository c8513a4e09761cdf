//! The search on boards that have more wire ends than a tree needs. Their solutions may have loops and loose ends (ends
//! that meet no other end). Such boards are usually small levels that a person has designed.
//!
//! A tree of n tiles needs 2 (n - 1) ends; all further ends of a board are spare. Every link beyond those of a tree
//! costs two spare ends, and every loose end costs one. The search chooses the masks tile by tile and backtracks if the
//! costs exceed the spare ends, or if the tiles are not connected even with every wire that is still possible.
//!
//! Four corner pieces on a board of 2 x 2 have 8 ends, and a tree of 4 tiles needs 6, so 2 ends are spare. If the
//! pieces form a ring, there are 4 links, one more than in a tree, which costs the 2 spare ends. If one link of the
//! ring is missing, the other 3 links form a tree, and 2 loose ends cost 1 each. A link is missing if the first of its
//! two tiles, the second, or both have a wire to the border instead: 3 ways for each of 4 links. Together with the
//! ring, this makes 13 solutions.

use super::LightEmAll;
use crate::core::{Budget, Error, counted};
use crate::graph::{NeighborSteps, Strategy, UnionFind};

/// The largest number of tiles of a board with spare ends that is searched.
const MAX_TILES: usize = 1 << 12;

/// A depth-first search over the masks of all tiles, in row-major order.
struct Search<'a, 'b> {
    steps: NeighborSteps,
    /// By tile: the masks of its orientations, each once.
    masks: Vec<Vec<u8>>,
    /// By tile: the chosen mask if the tile is `set`, otherwise every side that any of its masks has.
    may: Vec<u8>,
    /// By tile: whether its mask is chosen.
    set: Vec<bool>,
    /// The number of wire ends beyond those of a tree.
    spare: u64,
    budget: &'a mut Budget<'b>,
    found: &'a mut dyn FnMut(&[u8]) -> Result<bool, Error>,
}

impl Search<'_, '_> {
    /// Returns `true` if the wires that are still possible connect all tiles, and the spare ends cover the cost of the
    /// tiles that are set.
    fn is_possible(&self) -> bool {
        let lattice = self.steps.lattice();
        let n = self.may.len();
        let mut cost = 0u64;
        let mut possible = UnionFind::new(n, Strategy::Both);
        let mut certain = UnionFind::new(n, Strategy::Both);
        for tile in 0..n {
            let mut met = 0u8;
            for (side, other) in self.steps.around(tile) {
                let meets = self.may[tile] >> side & self.may[other] >> lattice.opposite(side) & 1 == 1;
                met |= u8::from(meets) << side;
                if meets {
                    possible.union(tile, other);
                    // Each edge is counted from only one of its two tiles. A link between two tiles that are already
                    // connected closes a loop: it is a link beyond those of a tree.
                    let owned = side < lattice.slots();
                    if owned && self.set[tile] && self.set[other] && !certain.union(tile, other) {
                        cost += 2;
                    }
                }
            }
            if self.set[tile] {
                cost += u64::from((self.may[tile] & !met).count_ones());
            }
        }
        possible.components() == 1 && cost <= self.spare
    }

    /// Calls `found` with each solution, until `found` returns `false`.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the search, and any error that `found`
    /// returns.
    fn run(&mut self) -> Result<(), Error> {
        // By tile: every side that any of its masks has.
        let any = self.may.clone();
        // The index of the next mask of each tile that is set. A list is used instead of recursion, which would
        // overflow the stack of a thread on a board of thousands of tiles.
        let mut next: Vec<usize> = Vec::with_capacity(any.len());
        loop {
            self.budget.spend(1 + self.may.len() as u64 / 16)?;
            if self.is_possible() {
                if next.len() < any.len() {
                    self.set[next.len()] = true;
                    next.push(0);
                } else if !(self.found)(&self.may)? {
                    return Ok(());
                }
            }
            // Chooses the next mask of the last tile that has one left; the tiles after it are no longer set.
            loop {
                let Some(tile) = next.len().checked_sub(1) else { return Ok(()) };
                if let Some(&mask) = self.masks[tile].get(next[tile]) {
                    self.may[tile] = mask;
                    next[tile] += 1;
                    break;
                }
                self.set[tile] = false;
                self.may[tile] = any[tile];
                next.pop();
            }
        }
    }
}

/// Calls `found` with each wiring that connects all tiles, until `found` returns `false`. `spare` is the number of wire
/// ends beyond those of a tree.
///
/// # Errors
/// Returns [`Error::Limit`] if the budget runs out or the board has more than [`MAX_TILES`] tiles,
/// [`Error::Interrupted`] if the watcher ends the call, and any error that `found` returns.
pub(super) fn each_wiring(
    game: &LightEmAll,
    spare: u64,
    budget: &mut Budget<'_>,
    found: &mut dyn FnMut(&[u8]) -> Result<bool, Error>,
) -> Result<(), Error> {
    let lattice = *game.lattice();
    let n = lattice.len();
    if n > MAX_TILES {
        let spare = counted(spare, "spare ends");
        return Err(Error::Limit(format!(
            "a board with more wire ends than a tree must have at most {MAX_TILES} tiles to be searched, got {n} tiles \
             with {spare}"
        )));
    }
    let masks: Vec<Vec<u8>> = game.wires().iter().map(|&mask| lattice.rotations(mask).collect()).collect();
    let may = masks.iter().map(|masks| masks.iter().fold(0, |any, mask| any | mask)).collect();
    Search { steps: NeighborSteps::new(lattice), masks, may, set: vec![false; n], spare, budget, found }.run()
}
