//! The depth-first search over the tiles that propagation and probing leave open, on boards that have exactly as many
//! wire ends as a tree.

use super::LightEmAll;
use super::activity::Activity;
use super::net::{BOARD, Net};
use crate::core::{Budget, Error, memory};

/// A decision of the search: one turn of a tile is assumed.
struct Decision {
    /// The tile that was decided.
    tile: u32,
    /// The turn that is assumed, as a set of one turn.
    turn: u8,
    /// The length of the trail before the decision.
    mark: usize,
    /// A lower bound on the indices of the tiles that were open before the decision.
    scan: u32,
}

/// Calls `found` with each wiring that connects all tiles, until `found` returns `false`. The board must have exactly
/// as many wire ends as a tree.
///
/// # Errors
/// Returns [`Error::Limit`] if the budget, in turns tried and decisions rolled back, runs out, [`Error::Interrupted`]
/// if the watcher ends the call, [`Error::Memory`] if the board is too large, and any error that `found` returns.
pub(super) fn each_wiring(
    game: &LightEmAll,
    budget: &mut Budget<'_>,
    found: &mut dyn FnMut(&[u8]) -> Result<bool, Error>,
) -> Result<(), Error> {
    budget.spend(1)?;
    let Some(mut net) = Net::new(*game.lattice(), game.wires(), budget)? else { return Ok(()) };
    if !net.probe(budget)? {
        return Ok(());
    }
    net.flatten();
    search(&mut net, budget, found)
}

/// Searches depth-first and passes each solution to `found` once, until `found` returns `false`. The trail of `net`
/// must be empty.
///
/// A decision assumes one turn of an open tile. After a contradiction, or after a solution, the last decision is rolled
/// back and its turn is excluded instead: the other turns of the tile remain. The exclusion is not itself a decision.
/// It is rolled back together with the decision before it, and if it leads to a contradiction, that decision is rolled
/// back next. Each solution either has the turn that a decision assumes or does not, so no solution is found twice.
/// The search is complete when there is no decision left to roll back.
///
/// Four heuristics from solvers for Boolean satisfiability keep the search short on large boards:
///
/// * Activity: of the open tiles at which the search has failed, the one at which it failed most often and most
///   recently is decided first ([`Activity`]).
/// * Locality: if the search has failed at no open tile, an open tile near the last change is decided, so that the
///   search finishes one region before it begins another. Without such a tile, the first open tile in row-major order
///   is decided.
/// * Restarts: after more than 100 failures, all decisions are rolled back, and the search starts again with the tiles
///   that are most active by then. The limit grows by a quarter with each restart, so that the search ends. After the
///   first solution there are no restarts, because a restarted search could find the same solution again.
/// * Saved turns: a decision about a tile assumes the turn that was last assumed for it, if that turn is left, so that
///   a restart loses little work.
fn search(
    net: &mut Net,
    budget: &mut Budget<'_>,
    found: &mut dyn FnMut(&[u8]) -> Result<bool, Error>,
) -> Result<(), Error> {
    let mut decisions: Vec<Decision> = Vec::new();
    // By tile: the turn that was assumed last, as a set of one turn; 0 if none was.
    let mut last_try = memory::filled(0u8, net.tiles() as usize, BOARD)?;
    let mut activity = Activity::default();
    let (mut fails, mut limit) = (0u64, 100u64);
    let mut seen_one = false;
    // No tile with an index below `scan` is open.
    let mut scan = 0u32;
    loop {
        let tile = activity.pick(|tile| net.is_open(tile)).or_else(|| net.near_the_last_change());
        let tile = tile.or_else(|| {
            while scan < net.tiles() && !net.is_open(scan) {
                scan += 1;
            }
            (scan < net.tiles()).then_some(scan)
        });
        // One step down: a decision, or a solution if no tile is open. After a solution the search continues as after a
        // contradiction.
        let mut sound = if let Some(tile) = tile {
            budget.spend(1)?;
            let turns = net.turns_left(tile);
            let again = last_try[tile as usize] & turns;
            // `x & -x` is the lowest set bit of `x`: without a saved turn, the first turn that is left is assumed.
            let turn = if again == 0 { turns & turns.wrapping_neg() } else { again };
            last_try[tile as usize] = turn;
            memory::room(&mut decisions, 1, BOARD)?;
            decisions.push(Decision { tile, turn, mark: net.mark(), scan });
            let sound = net.assume(tile, turn)?;
            if !sound {
                activity.bump(tile);
            }
            sound
        } else {
            if !found(&net.wiring()?)? {
                return Ok(());
            }
            seen_one = true;
            false
        };
        // Back up: decisions are rolled back until the turn of the last one can be excluded without a contradiction.
        while !sound {
            fails += 1;
            let Some(decision) = decisions.pop() else { return Ok(()) };
            net.roll_back(decision.mark);
            scan = decision.scan;
            sound = net.assume(decision.tile, !decision.turn)?;
            // A failure on the way back from a solution does not show that a tile is hard.
            if !sound && tile.is_some() {
                activity.bump(decision.tile);
            }
            if decisions.is_empty() {
                // No earlier decision is left, so the exclusion is permanent.
                if !sound {
                    return Ok(());
                }
                net.commit();
            }
            budget.spend(1)?;
        }
        // There is no restart after the first solution, because the search could find that solution again.
        if fails > limit && !seen_one {
            (fails, limit) = (0, limit + limit / 4);
            decisions.clear();
            net.roll_back(0);
            scan = 0;
            activity.forget();
        }
    }
}
