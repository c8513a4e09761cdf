//! The wiring that connects all tiles with the fewest turns, counter-clockwise turns allowed.
//!
//! Most boards have one wiring, or a few small places where tiles fit in several ways. After probing, the open tiles
//! form groups of neighbors. A turn within one group rarely restricts another: only if a loop or a component that is
//! cut off spans both. So each group is enumerated by itself first: the least cost of its own solutions is a lower
//! bound on what it costs in any solution of the board. A branch and bound over the groups, cheapest solutions first,
//! then proves the minimum: usually the cheapest solutions of all groups fit together, and their cost is the bound.

use super::LightEmAll;
use super::net::{BOARD, Net};
use super::solve::{each_wiring, spare, turns_between};
use crate::core::{Budget, Error, memory};
use crate::graph::Lattice;

/// Returns the fewest turns from one mask to another, negative if counter-clockwise, clockwise if both ways are equally
/// long; `None` if no turn leads there.
fn signed_turns(lattice: &Lattice, from: u8, to: u8) -> Option<i8> {
    let clockwise = turns_between(lattice, from, to)?;
    // Turning `to` clockwise to `from` is turning `from` counter-clockwise to `to`.
    let counter = turns_between(lattice, to, from)?;
    Some(if counter < clockwise { -(counter as i8) } else { clockwise as i8 })
}

impl LightEmAll {
    /// Finds turns that connect all tiles with the fewest turns in total, counter-clockwise turns allowed: by tile,
    /// row-major, how often to turn it clockwise, negative for counter-clockwise. Returns `None` if it is proved that
    /// there are none. The radius is ignored.
    ///
    /// # Errors
    /// Returns the errors of [`LightEmAll::solve`].
    pub fn fewest_turns(&self, budget: &mut Budget<'_>) -> Result<Option<Vec<i8>>, Error> {
        let wires = wiring(self, budget)?;
        let Some(wires) = wires else { return Ok(None) };
        let turns = |(&from, &to): (&u8, &u8)| signed_turns(&self.lattice, from, to).unwrap_or(0);
        memory::collected(wires.len(), self.wires.iter().zip(&wires).map(turns), BOARD).map(Some)
    }
}

/// Returns the number of turns of [`signed_turns`], 0 for masks that no turn joins.
fn cost(lattice: &Lattice, from: u8, to: u8) -> u64 {
    signed_turns(lattice, from, to).map_or(0, |turns| u64::from(turns.unsigned_abs()))
}

/// A solution of one group.
struct GroupSolution {
    /// The number of turns, in either direction.
    cost: u64,
    /// By tile of the group: the chosen turn, as a set of one.
    turns: Vec<u8>,
}

/// Returns the wiring that connects all tiles with the fewest turns; `None` if it is proved that there is none.
///
/// # Errors
/// Returns the errors of [`LightEmAll::solve`].
fn wiring(game: &LightEmAll, budget: &mut Budget<'_>) -> Result<Option<Vec<u8>>, Error> {
    let lattice = *game.lattice();
    if spare(game) != 0 {
        // Boards with more wire ends than a tree needs are small: all wirings are compared.
        let mut best: Option<(u64, Vec<u8>)> = None;
        each_wiring(game, budget, &mut |wires| {
            let total = game.wires().iter().zip(wires).map(|(&from, &to)| cost(&lattice, from, to)).sum();
            if best.as_ref().is_none_or(|(least, _)| total < *least) {
                best = Some((total, memory::collected(wires.len(), wires.iter().copied(), BOARD)?));
            }
            Ok(true)
        })?;
        return Ok(best.map(|(_, wires)| wires));
    }
    let Some(mut net) = Net::new(lattice, game.wires(), budget)? else { return Ok(None) };
    if !net.probe(budget)? {
        return Ok(None);
    }
    let groups = net.open_groups()?;
    let mut locals = memory::with_capacity(groups.len(), BOARD)?;
    for group in &groups {
        let mut found = Vec::new();
        enumerate(&mut net, &lattice, group, 0, 0, &mut Vec::new(), &mut found, budget)?;
        found.sort_by_key(|local: &GroupSolution| local.cost);
        if found.is_empty() {
            return Ok(None);
        }
        locals.push(found);
    }
    // By group: the least cost of all groups from it on.
    let mut floor = memory::filled(0, groups.len() + 1, BOARD)?;
    for at in (0..groups.len()).rev() {
        floor[at] = floor[at + 1] + locals[at][0].cost;
    }
    let mut search = Search { groups, locals, floor, best: None };
    search.combine(&mut net, 0, 0, budget)?;
    Ok(search.best.map(|(_, wires)| wires))
}

/// Enumerates the solutions of a group from its tile `at` on, while all other groups stay open, and appends them to
/// `found`. `turns` and `spent` are the turns chosen for the tiles before, and their cost.
#[allow(clippy::too_many_arguments)] // the state of a recursion
fn enumerate(
    net: &mut Net,
    lattice: &Lattice,
    group: &[u32],
    at: usize,
    spent: u64,
    turns: &mut Vec<u8>,
    found: &mut Vec<GroupSolution>,
    budget: &mut Budget<'_>,
) -> Result<(), Error> {
    budget.spend(1)?;
    let Some(&tile) = group.get(at) else {
        memory::room(found, 1, BOARD)?;
        found.push(GroupSolution { cost: spent, turns: memory::collected(group.len(), turns.iter().copied(), BOARD)? });
        return Ok(());
    };
    let (base, mut left) = (net.base(tile), net.turns_left(tile));
    while left != 0 {
        let turn = left & left.wrapping_neg();
        left &= left - 1;
        let mask = (0..turn.trailing_zeros()).fold(base, |mask, _| lattice.turn(mask));
        let mark = net.mark();
        if net.assume(tile, turn)? {
            memory::room(turns, 1, BOARD)?;
            turns.push(turn);
            enumerate(net, lattice, group, at + 1, spent + cost(lattice, base, mask), turns, found, budget)?;
            turns.pop();
        }
        net.roll_back(mark);
    }
    Ok(())
}

/// The branch and bound over the groups.
struct Search {
    /// By group: its tiles.
    groups: Vec<Vec<u32>>,
    /// By group: its solutions, cheapest first.
    locals: Vec<Vec<GroupSolution>>,
    /// By group: the least cost of all groups from it on.
    floor: Vec<u64>,
    /// The cheapest solution of the board so far: its cost and its masks.
    best: Option<(u64, Vec<u8>)>,
}

impl Search {
    /// Combines solutions of the groups from `at` on; `spent` is the cost of those before.
    fn combine(&mut self, net: &mut Net, at: usize, spent: u64, budget: &mut Budget<'_>) -> Result<(), Error> {
        budget.spend(1)?;
        if at == self.groups.len() {
            self.best = Some((spent, net.wiring()?));
            return Ok(());
        }
        for i in 0..self.locals[at].len() {
            let total = spent + self.locals[at][i].cost;
            // Solutions are sorted by cost: if this one cannot beat the best, neither can those after it.
            if self.best.as_ref().is_some_and(|(least, _)| total + self.floor[at + 1] >= *least) {
                break;
            }
            let mark = net.mark();
            let mut fits = true;
            for (k, &tile) in self.groups[at].iter().enumerate() {
                fits = net.assume(tile, self.locals[at][i].turns[k])?;
                if !fits {
                    break;
                }
            }
            if fits {
                self.combine(net, at + 1, total, budget)?;
            }
            net.roll_back(mark);
        }
        Ok(())
    }
}
