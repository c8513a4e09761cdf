//! The wiring that connects all tiles with the fewest turns, counterclockwise turns allowed.
//!
//! Most boards have one solution, or a few small places where tiles fit in several ways. After probing, the open tiles
//! (those with several possible turns) form groups of neighbors. A turn within one group rarely restricts another
//! group: only if a loop or a component that is cut off spans both groups. So each group is first enumerated by itself:
//! the least cost of its solutions is a lower bound on the cost of the group in any solution of the board. A branch and
//! bound over the groups, cheapest solutions first, then proves the minimum. Usually the cheapest solutions of all
//! groups fit together, and the sum of their costs is the minimum.

use super::LightEmAll;
use super::net::{BOARD, Net};
use super::solve::{each_wiring, spare, turns_between};
use crate::core::{Budget, Error, memory};
use crate::graph::Lattice;

/// Returns the fewest turns from one mask to another, negative if counterclockwise, clockwise if both ways are equally
/// long; `None` if no number of turns leads to the other.
fn signed_turns(lattice: &Lattice, from: u8, to: u8) -> Option<i8> {
    let clockwise = turns_between(lattice, from, to)?;
    // Turning counterclockwise from `from` to `to` takes as many turns as turning clockwise from `to` to `from`.
    let counter = turns_between(lattice, to, from)?;
    Some(if counter < clockwise { -(counter as i8) } else { clockwise as i8 })
}

impl LightEmAll {
    /// Finds the fewest turns in total that connect all tiles, counterclockwise turns allowed. Returns, by tile,
    /// row-major, the number of clockwise turns, negative for counterclockwise ones; `None` if it is proved that no
    /// turns connect all tiles. The radius is ignored. `budget` counts the work of the search.
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

/// Returns the absolute value of [`signed_turns`]; 0 if no number of turns leads from one mask to the other.
fn cost(lattice: &Lattice, from: u8, to: u8) -> u64 {
    signed_turns(lattice, from, to).map_or(0, |turns| u64::from(turns.unsigned_abs()))
}

/// A solution of one group.
struct GroupSolution {
    /// The number of turns, in either direction.
    cost: u64,
    /// By tile of the group: the chosen turn, as a set of one turn.
    turns: Vec<u8>,
}

/// Returns the wiring that connects all tiles with the fewest turns; `None` if it is proved that there is none.
///
/// # Errors
/// Returns the errors of [`LightEmAll::solve`].
fn wiring(game: &LightEmAll, budget: &mut Budget<'_>) -> Result<Option<Vec<u8>>, Error> {
    let lattice = *game.lattice();
    if spare(game) != 0 {
        // All wirings are compared; `each_wiring` refuses a large board with more wire ends than a tree needs.
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
        let mut found = enumerate(&mut net, &lattice, group, budget)?;
        found.sort_by_key(|local| local.cost);
        if found.is_empty() {
            return Ok(None);
        }
        locals.push(found);
    }
    // By group: the sum of the least costs of this group and all later ones.
    let mut floor = memory::filled(0, groups.len() + 1, BOARD)?;
    for at in (0..groups.len()).rev() {
        floor[at] = floor[at + 1] + locals[at][0].cost;
    }
    let mut search = Search { groups, locals, floor, best: None };
    search.combine(&mut net, budget)?;
    Ok(search.best.map(|(_, wires)| wires))
}

/// A tile of a group, with the turn that [`enumerate`] has chosen for it.
struct ChosenTurn {
    /// The chosen turn, as a set of one turn.
    turn: u8,
    /// The set of turns that are not tried yet.
    left: u8,
    /// The length of the trail before the choice.
    mark: usize,
    /// The cost of the turns chosen for the tiles before this one.
    spent: u64,
}

/// Returns the solutions of a group while all other groups stay open. Rolls back all changes.
fn enumerate(
    net: &mut Net,
    lattice: &Lattice,
    group: &[u32],
    budget: &mut Budget<'_>,
) -> Result<Vec<GroupSolution>, Error> {
    let mut found = Vec::new();
    // The first tiles of the group with their turns. A list is used instead of recursion, which would overflow the
    // stack in a group of thousands of tiles.
    let mut chosen: Vec<ChosenTurn> = memory::with_capacity(group.len(), BOARD)?;
    let mut spent = 0;
    loop {
        budget.spend(1)?;
        if let Some(&tile) = group.get(chosen.len()) {
            chosen.push(ChosenTurn { turn: 0, left: net.turns_left(tile), mark: net.mark(), spent });
        } else {
            let turns = memory::collected(group.len(), chosen.iter().map(|tile| tile.turn), BOARD)?;
            memory::room(&mut found, 1, BOARD)?;
            found.push(GroupSolution { cost: spent, turns });
        }
        // Chooses the next turn of the last tile that has one left.
        loop {
            let Some(at) = chosen.len().checked_sub(1) else { return Ok(found) };
            let (last, tile) = (&mut chosen[at], group[at]);
            net.roll_back(last.mark);
            if last.left == 0 {
                chosen.pop();
                continue;
            }
            last.turn = last.left & last.left.wrapping_neg();
            last.left &= last.left - 1;
            if net.assume(tile, last.turn)? {
                let base = net.base(tile);
                let mask = (0..last.turn.trailing_zeros()).fold(base, |mask, _| lattice.turn(mask));
                spent = last.spent + cost(lattice, base, mask);
                break;
            }
        }
    }
}

/// The branch and bound over the groups.
struct Search {
    /// By group: its tiles.
    groups: Vec<Vec<u32>>,
    /// By group: its solutions, cheapest first.
    locals: Vec<Vec<GroupSolution>>,
    /// By group: the sum of the least costs of this group and all later ones.
    floor: Vec<u64>,
    /// The cheapest solution of the board so far: its cost and its masks.
    best: Option<(u64, Vec<u8>)>,
}

/// A group, with the solution that [`Search::combine`] has chosen for it.
struct ChosenSolution {
    /// The index of the group's solution that is tried next.
    next: usize,
    /// The length of the trail before the choice.
    mark: usize,
    /// The cost of the solutions chosen for the groups before this one.
    spent: u64,
}

impl Search {
    /// Combines solutions of all groups and sets `best` to the cheapest combination; leaves it `None` if no
    /// combination fits.
    fn combine(&mut self, net: &mut Net, budget: &mut Budget<'_>) -> Result<(), Error> {
        // The first groups with their solutions. A list is used instead of recursion, which would overflow the stack
        // with thousands of groups.
        let mut chosen: Vec<ChosenSolution> = memory::with_capacity(self.groups.len(), BOARD)?;
        let mut spent = 0;
        loop {
            budget.spend(1)?;
            if chosen.len() < self.groups.len() {
                chosen.push(ChosenSolution { next: 0, mark: net.mark(), spent });
            } else {
                self.best = Some((spent, net.wiring()?));
            }
            // Chooses the next solution of the last group that has one left.
            loop {
                let Some(at) = chosen.len().checked_sub(1) else { return Ok(()) };
                let last = &mut chosen[at];
                net.roll_back(last.mark);
                let Some(local) = self.locals[at].get(last.next) else {
                    chosen.pop();
                    continue;
                };
                let total = last.spent + local.cost;
                // Solutions are sorted by cost: if this one cannot beat the best, neither can those after it.
                if self.best.as_ref().is_some_and(|(least, _)| total + self.floor[at + 1] >= *least) {
                    chosen.pop();
                    continue;
                }
                last.next += 1;
                budget.spend(1)?;
                let mut fits = true;
                for (&tile, &turn) in self.groups[at].iter().zip(&local.turns) {
                    fits = net.assume(tile, turn)?;
                    if !fits {
                        break;
                    }
                }
                if fits {
                    spent = total;
                    break;
                }
            }
        }
    }
}
