//! Boards with one solution: ambiguous places of a random tree are laid anew until probing settles every tile.
//!
//! A place is laid anew by cutting a wire of the tree there and joining the smaller of the two parts to the larger by
//! another wire, so that the wiring stays a tree. A part is found by growing both in turn until one ends.

use std::collections::{HashMap, HashSet};

use super::generate::{Layout, Options};
use super::net::Net;
use super::solve::around;
use crate::core::rng::mix;
use crate::core::{Budget, Error, Rng};
use crate::graph::{Steps, random};

/// Parts of more tiles than this are not moved.
const SMALL_PART: usize = 400;

/// Rounds without a solution after which a tree is given up for another.
const ROUNDS: usize = 60;

/// Trees after which a board is given up.
const TREES: u64 = 40;

/// Gives a spanning tree whose tiles fit together in one way only.
///
/// # Errors
/// The budget's end; [`Error::Limit`] where many tries found none.
pub(super) fn wires(options: &Options, seed: u64, budget: &mut Budget<'_>) -> Result<Vec<u8>, Error> {
    let lattice = options.lattice;
    let Layout::Tree(method) = options.layout else {
        return Err(Error::invalid("method must make a random tree if unique is set, got a hand-made board"));
    };
    let steps = Steps::new(lattice);
    for tree in 0..TREES {
        // The first tree is that of the seed, so that most of the board is the board of the seed.
        let own = if tree == 0 { seed } else { mix(seed ^ mix(tree)) };
        let mut wires = random::wires(lattice, method, options.bias, own, budget)?;
        let mut rng = Rng::stream(own, 0x756e_6971);
        for _ in 0..ROUNDS {
            let Some(mut net) = Net::new(lattice, &wires, budget)? else { break };
            budget.spend(1)?;
            if !net.probe(budget)? {
                break;
            }
            let open = net.open_tiles();
            if open.is_empty() {
                return Ok(wires);
            }
            drop(net);
            lay_anew(&steps, &mut wires, &open, &mut rng, budget)?;
        }
    }
    Err(Error::Limit(format!(
        "no board of {} x {} with one solution in {TREES} tries, wanted another size or no wrapping",
        lattice.height, lattice.width
    )))
}

/// Changes the tree once in every group of neighbouring open tiles.
fn lay_anew(
    steps: &Steps,
    wires: &mut [u8],
    open: &[u32],
    rng: &mut Rng,
    budget: &mut Budget<'_>,
) -> Result<(), Error> {
    let mut group_of: HashMap<u32, bool> = open.iter().map(|&tile| (tile, false)).collect();
    for &first in open {
        if group_of.insert(first, true) == Some(true) {
            continue;
        }
        let mut group = vec![first];
        let mut at = 0;
        while at < group.len() {
            let tile = group[at];
            at += 1;
            for (_, other) in around(steps, tile as usize) {
                if let Some(taken) = group_of.get_mut(&(other as u32)).filter(|taken| !**taken) {
                    *taken = true;
                    group.push(other as u32);
                }
            }
        }
        budget.spend(1)?;
        for _ in 0..8 {
            if swap(steps, wires, *rng.choose(&group) as usize, rng) {
                break;
            }
        }
    }
    Ok(())
}

/// Cuts a random wire of a tile and joins the smaller part to the larger by another; says no where there is none or both
/// parts are large.
fn swap(steps: &Steps, wires: &mut [u8], tile: usize, rng: &mut Rng) -> bool {
    let lattice = steps.lattice();
    let cuts: Vec<(usize, usize)> = around(steps, tile).filter(|(side, _)| wires[tile] >> side & 1 == 1).collect();
    if cuts.is_empty() {
        return false;
    }
    let &(side, other) = rng.choose(&cuts);
    let back = lattice.opposite(side);
    wires[tile] &= !(1 << side);
    wires[other] &= !(1 << back);
    let joined = small_part(steps, wires, [tile, other]).and_then(|part| {
        let inside: HashSet<usize> = part.iter().copied().collect();
        let mut joins = Vec::new();
        for &from in &part {
            for (way, to) in around(steps, from) {
                let cut = (from, way) == (tile, side) || (from, way) == (other, back);
                if !inside.contains(&to) && !cut {
                    joins.push((from, way, to));
                }
            }
        }
        (!joins.is_empty()).then(|| *rng.choose(&joins))
    });
    let (from, way, to) = joined.unwrap_or((tile, side, other));
    wires[from] |= 1 << way;
    wires[to] |= 1 << lattice.opposite(way);
    joined.is_some()
}

/// Grows the parts of two tiles in turn and gives the one that ends first; `None` where both are large.
fn small_part(steps: &Steps, wires: &[u8], starts: [usize; 2]) -> Option<Vec<usize>> {
    // A tree is walked without marks: each tile is entered from one side only.
    let mut parts = starts.map(|start| vec![(start, usize::MAX)]);
    let mut at = [0, 0];
    for turn in 0..2 * SMALL_PART {
        let k = turn % 2;
        let Some(&(tile, from)) = parts[k].get(at[k]) else {
            return Some(parts[k].iter().map(|&(tile, _)| tile).collect());
        };
        at[k] += 1;
        for (side, other) in around(steps, tile) {
            if wires[tile] >> side & 1 == 1 && side != from {
                parts[k].push((other, steps.lattice().opposite(side)));
            }
        }
    }
    None
}
