//! The solver of boards that have more ends than a tree needs: loops and loose ends are allowed, as many as the spare ends
//! pay for. Such boards are made by hand, and small.
//!
//! Every link beyond a tree costs two spare ends, every end that meets none costs one. The search gives tiles their turns
//! one by one and stops where the spare ends are used up, or where even with every turn still possible the tiles are not
//! connected.

use super::LightEmAll;
use super::solve::around;
use crate::core::{Budget, Error};
use crate::graph::Steps;

struct Search<'a, 'b> {
    steps: Steps,
    /// The different masks of each tile.
    masks: Vec<Vec<u8>>,
    /// The mask of a tile that has one, otherwise all sides that any of its masks has.
    may: Vec<u8>,
    set: Vec<bool>,
    order: Vec<usize>,
    spare: u64,
    budget: &'a mut Budget<'b>,
    found: &'a mut dyn FnMut(&[u8]) -> bool,
}

impl Search<'_, '_> {
    /// Whether the tiles are connected if every end that may be is, and what the tiles that are set cost already is paid
    /// for by the spare ends.
    fn can_be(&self) -> bool {
        let lattice = self.steps.lattice();
        let n = self.may.len();
        let mut cost = 0u64;
        let mut find = crate::graph::UnionFind::new(n, crate::graph::Strategy::Both);
        let mut fixed = crate::graph::UnionFind::new(n, crate::graph::Strategy::Both);
        for tile in 0..n {
            let mut met = 0u8;
            for (side, other) in around(&self.steps, tile) {
                let meets = self.may[tile] >> side & self.may[other] >> lattice.opposite(side) & 1 == 1;
                met |= u8::from(meets) << side;
                if meets {
                    find.union(tile, other);
                    let owned = side < lattice.slots();
                    if owned && self.set[tile] && self.set[other] && !fixed.union(tile, other) {
                        cost += 2;
                    }
                }
            }
            if self.set[tile] {
                cost += u64::from((self.may[tile] & !met).count_ones());
            }
        }
        find.components() == 1 && cost <= self.spare
    }

    fn go(&mut self, at: usize) -> Result<bool, Error> {
        self.budget.spend(1 + self.may.len() as u64 / 16)?;
        if !self.can_be() {
            return Ok(true);
        }
        let Some(&tile) = self.order.get(at) else { return Ok((self.found)(&self.may)) };
        let any = self.may[tile];
        self.set[tile] = true;
        for i in 0..self.masks[tile].len() {
            self.may[tile] = self.masks[tile][i];
            if !self.go(at + 1)? {
                return Ok(false);
            }
        }
        self.set[tile] = false;
        self.may[tile] = any;
        Ok(true)
    }
}

/// Hands the wirings that connect all tiles to `found`, each once, until it says to stop. Says whether there can be more.
pub(super) fn each_wiring(
    game: &LightEmAll,
    spare: u64,
    budget: &mut Budget<'_>,
    found: &mut dyn FnMut(&[u8]) -> bool,
) -> Result<bool, Error> {
    let lattice = *game.lattice();
    if lattice.len() > 1 << 12 {
        return Err(Error::Limit(format!(
            "{} tiles with {spare} ends more than a tree needs, wanted at most 4096 tiles where ends are loose",
            lattice.len()
        )));
    }
    let masks: Vec<Vec<u8>> = game.wires().iter().map(|&mask| different(mask, |mask| lattice.turn(mask))).collect();
    let may = masks.iter().map(|masks| masks.iter().fold(0, |any, mask| any | mask)).collect();
    let n = lattice.len();
    let mut search = Search {
        steps: Steps::new(lattice),
        masks,
        may,
        set: vec![false; n],
        order: (0..n).collect(),
        spare,
        budget,
        found,
    };
    search.go(0)
}

fn different(mask: u8, turn: impl Fn(u8) -> u8) -> Vec<u8> {
    let mut masks = vec![mask];
    let mut next = turn(mask);
    while next != mask {
        masks.push(next);
        next = turn(next);
    }
    masks
}
