//! The search on boards that have more wire ends than a tree needs. Their solutions may have loops and loose ends (ends
//! that meet no other). Such boards are usually small and made by hand.
//!
//! A board of n tiles needs 2 (n - 1) ends for a tree; what it has beyond them is spare. Every link beyond a tree costs
//! two spare ends, and every loose end costs one. The search fixes the turns tile by tile and prunes if these costs
//! exceed the spare ends, or if the tiles are not connected even with every wire that is still possible.
//!
//! Four corner pieces on a board of 2 x 2 have 8 ends, and a tree of 4 tiles needs 6: 2 are spare. The ring has 4
//! links, one more than a tree, which costs just these 2. A link of the ring may also be missing: then there are 3
//! links, a tree, and 2 loose ends, which cost 1 each. A link is missing if the first of its two tiles, the second, or
//! both of them have a wire to the border instead: 3 ways for each of 4 links, so 13 solutions with the ring.

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
    /// The wire ends beyond those of a tree.
    spare: u64,
    budget: &'a mut Budget<'b>,
    found: &'a mut dyn FnMut(&[u8]) -> Result<bool, Error>,
}

impl Search<'_, '_> {
    /// Returns `true` if the wires that are possible connect all tiles, and the spare ends cover what the tiles that
    /// are set cost.
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
                    // Each edge is counted from one of its two tiles only. A link between two tiles that are connected
                    // already closes a loop, which a tree does not have.
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

    /// Calls `found` with each solution, until `found` asks to stop or fails.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the search, and an error of `found`.
    fn run(&mut self) -> Result<(), Error> {
        // By tile: every side that any of its masks has.
        let any = self.may.clone();
        // By tile that is set: the index of its next mask. A list instead of recursion, which on a board of thousands
        // of tiles would overflow the stack of a thread.
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
/// [`Error::Interrupted`] if the watcher ends the call, and an error of `found`.
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
