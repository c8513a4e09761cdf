//! Boards with exactly one solution: ambiguous places of a random tree are rewired until probing (trying each turn of
//! each open tile, as the module `net` does) leaves one turn of every tile.
//!
//! A place is rewired by cutting an edge of the tree there and joining the smaller of the two parts to the larger by
//! another edge, so that the wiring stays a tree. The smaller part is found by growing both parts in turn until one is
//! complete.

use std::collections::{HashMap, HashSet};

use super::net::Net;
use super::options::Options;
use crate::core::rng::mix;
use crate::core::{Budget, Error, Rng};
use crate::graph::NeighborSteps;
use crate::graph::random::{self, Method};

/// Of the two parts of a cut tree, one must have fewer tiles than this for the cut to be used.
const SMALL_PART: usize = 400;

/// The largest number of steps from a changed tile to a tile that is solved again with it.
const REACH: usize = 3;

/// The number of rounds of probing and rewiring after which another tree is tried.
const ROUNDS: usize = 60;

/// The largest number of random trees that are tried.
const TREES: u64 = 40;

/// Returns the masks of a spanning tree whose tiles fit together in exactly one way, row-major. `method` makes the
/// trees that are tried.
///
/// # Errors
/// Returns [`Error::NotFound`] if none of the trees tried could be made unique, [`Error::Limit`] if the budget runs
/// out, [`Error::Interrupted`] if its watcher ends the call, and [`Error::Memory`] if the board is too large.
pub(super) fn wires(options: &Options, method: Method, seed: u64, budget: &mut Budget<'_>) -> Result<Vec<u8>, Error> {
    let lattice = options.lattice;
    let steps = NeighborSteps::try_new(lattice)?;
    for tree in 0..TREES {
        // The first tree is the one that the seed yields without `unique`, so that most tiles of a board are the same
        // with and without `unique`.
        let tree_seed = if tree == 0 { seed } else { mix(seed ^ mix(tree)) };
        let mut wires = random::wires(lattice, method, options.bias, tree_seed, budget)?;
        let mut rng = Rng::stream(tree_seed, 0x756e_6971);
        let Some(mut net) = Net::new(lattice, &wires, budget)? else { continue };
        // Whether the net was set up with all turns of all tiles. After `reopen`, most tiles are taken as fixed, so
        // that probing proves nothing about the whole board: a fresh net then checks the board.
        let mut complete = true;
        for _ in 0..ROUNDS {
            budget.spend(1)?;
            if !net.probe(budget)? {
                break;
            }
            let open = net.open_tiles()?;
            if !open.is_empty() {
                let changed = rewire(&steps, &mut wires, &open, &mut rng, budget)?;
                let tiles = around(&steps, open, changed);
                complete = false;
                if !net.reopen(&wires, &tiles, budget)? {
                    break;
                }
            } else if complete {
                return Ok(wires);
            } else {
                drop(net);
                let Some(fresh) = Net::new(lattice, &wires, budget)? else { break };
                (net, complete) = (fresh, true);
            }
        }
    }
    Err(Error::NotFound(format!(
        "no {} x {} board with exactly one solution found in {TREES} attempts",
        lattice.height, lattice.width
    )))
}

/// Returns the open tiles and all tiles within [`REACH`] steps of a changed tile, each once.
fn around(steps: &NeighborSteps, open: Vec<u32>, changed: Vec<u32>) -> Vec<u32> {
    let mut listed = vec![false; steps.lattice().len()];
    for &tile in &open {
        listed[tile as usize] = true;
    }
    let (mut tiles, mut reached, mut ring) = (open, vec![false; listed.len()], changed);
    for _ in 0..=REACH {
        ring.retain(|&tile| !std::mem::replace(&mut reached[tile as usize], true));
        tiles.extend(ring.iter().filter(|&&tile| !listed[tile as usize]));
        ring = ring.iter().flat_map(|&tile| steps.around(tile as usize)).map(|(_, other)| other as u32).collect();
    }
    tiles
}

/// Replaces one edge of the tree in every group of neighboring open tiles; a group in which eight tries fail keeps its
/// edges. Returns the tiles whose wires have changed; a tile may be listed more than once.
fn rewire(
    steps: &NeighborSteps,
    wires: &mut [u8],
    open: &[u32],
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<Vec<u32>, Error> {
    let mut changed = Vec::new();
    // By open tile: whether it already belongs to a group.
    let mut grouped: HashMap<u32, bool> = open.iter().map(|&tile| (tile, false)).collect();
    for &first in open {
        if grouped.insert(first, true) == Some(true) {
            continue;
        }
        let mut group = vec![first];
        let mut at = 0;
        while at < group.len() {
            let tile = group[at];
            at += 1;
            for (_, other) in steps.around(tile as usize) {
                if let Some(known) = grouped.get_mut(&(other as u32)).filter(|known| !**known) {
                    *known = true;
                    group.push(other as u32);
                }
            }
        }
        budget.spend(1)?;
        for _ in 0..8 {
            if let Some(tiles) = swap(steps, wires, *rng.choose(&group) as usize, rng) {
                changed.extend(tiles.map(|tile| tile as u32));
                break;
            }
        }
    }
    Ok(changed)
}

/// Cuts a random edge of the tree at a tile and joins the smaller part to the larger by another edge. Returns the tiles
/// at the ends of both edges. Returns `None` and changes nothing if no other edge joins the parts, if both parts have
/// [`SMALL_PART`] tiles or more, or if the tile has no edge.
fn swap(steps: &NeighborSteps, wires: &mut [u8], tile: usize, rng: &mut Rng) -> Option<[usize; 4]> {
    let lattice = steps.lattice();
    let cuts: Vec<(usize, usize)> = steps.around(tile).filter(|(side, _)| wires[tile] >> side & 1 == 1).collect();
    if cuts.is_empty() {
        return None;
    }
    let &(side, other) = rng.choose(&cuts);
    let back = lattice.opposite(side);
    wires[tile] &= !(1 << side);
    wires[other] &= !(1 << back);
    let joined = small_part(steps, wires, [tile, other]).and_then(|part| {
        let inside: HashSet<usize> = part.iter().copied().collect();
        let mut joins = Vec::new();
        for &from in &part {
            for (exit, to) in steps.around(from) {
                let cut = (from, exit) == (tile, side) || (from, exit) == (other, back);
                if !inside.contains(&to) && !cut {
                    joins.push((from, exit, to));
                }
            }
        }
        (!joins.is_empty()).then(|| *rng.choose(&joins))
    });
    let (from, exit, to) = joined.unwrap_or((tile, side, other));
    wires[from] |= 1 << exit;
    wires[to] |= 1 << lattice.opposite(exit);
    joined.is_some().then_some([tile, other, from, to])
}

/// Grows the parts of two tiles alternately and returns the tiles of the part that is complete first; `None` if both
/// parts have [`SMALL_PART`] tiles or more.
fn small_part(steps: &NeighborSteps, wires: &[u8], starts: [usize; 2]) -> Option<Vec<usize>> {
    // In a tree no list of visited tiles is needed: each tile is entered across one side, which is not crossed again.
    let mut parts = starts.map(|start| vec![(start, None)]);
    let mut at = [0, 0];
    for turn in 0..2 * SMALL_PART {
        let k = turn % 2;
        let Some(&(tile, from)) = parts[k].get(at[k]) else {
            return Some(parts[k].iter().map(|&(tile, _)| tile).collect());
        };
        at[k] += 1;
        for (side, other) in steps.around(tile) {
            if wires[tile] >> side & 1 == 1 && Some(side) != from {
                parts[k].push((other, Some(steps.lattice().opposite(side))));
            }
        }
    }
    None
}
