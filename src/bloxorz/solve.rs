//! Shortest solutions: breadth-first search layer by layer, then a pass back from the target.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::space::{Plan, Space, TABLES, Tables};
use super::visited::{BitSet, CompactSet, Visited};
use super::{Bloxorz, KEYS, SWITCH_KEY};
use crate::core::hash::{Map, Mixer};
use crate::core::{Budget, Error, Game, Status, memory};

/// The cost that a shortest solution minimizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Minimize {
    /// The number of rolls, which the source document counts as moves; among equals, the number of keys.
    #[default]
    Rolls,
    /// The number of keys, including the switches between cubes; among equals, the number of rolls.
    Keys,
}

/// The number of the key that gives control to the other cube, in the type of the keys of a solution.
const SWITCH: u8 = SWITCH_KEY as u8;

/// The states in the order of their depth: layer `k` ends at `ends[k]`.
///
/// If rolls are minimized, each split state is in the same layer as its twin, the state with the other cube in control.
struct Layers {
    states: Vec<u64>,
    /// The index in `states` after the last state of each layer. States beyond the last end belong to an unfinished
    /// layer, in which the search ended.
    ends: Vec<usize>,
    /// Whether a key wins from a state of the last finished layer, or the start itself is won.
    won: bool,
}

impl Layers {
    /// Returns the states of layer `depth`, which must be finished.
    fn layer(&self, depth: usize) -> &[u64] {
        let start = depth.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.states[start..self.ends[depth]]
    }
}

/// The number of states that are expanded together: enough for their cache misses to overlap, few enough to stay in the
/// first-level cache.
const CHUNK: usize = 256;

/// Visits the states by depth until a won state is found, and returns them in layers. Keeps the visited states in the
/// first kind of set that can hold them: a bitset, a compact table, or a hash set.
fn layers(space: &Space<'_>, start: u64, minimize: Minimize, budget: &mut Budget<'_>) -> Result<Layers, Error> {
    if let Some(set) = BitSet::new(space)? {
        visit(space, start, minimize, set, budget)
    } else if let Some(set) = CompactSet::new(space)? {
        visit(space, start, minimize, set, budget)
    } else {
        visit(space, start, minimize, HashSet::<u64, BuildHasherDefault<Mixer>>::default(), budget)
    }
}

/// Runs the search of [`layers`] with a given set of visited states.
fn visit(
    space: &Space<'_>,
    start: u64,
    minimize: Minimize,
    mut visited: impl Visited,
    budget: &mut Budget<'_>,
) -> Result<Layers, Error> {
    let rolls = minimize == Minimize::Rolls;
    // Switching cubes costs no roll, so a split state and its twin belong to one layer.
    let twins = rolls && space.splits();
    let mut states = vec![start];
    states.extend(if rolls { space.switched(start) } else { None });
    for &state in &states {
        visited.insert(state)?;
    }
    let mut ends = vec![states.len()];
    let mut from = 0;
    let keys = if rolls { SWITCH as usize } else { KEYS.len() };
    // Room for all successors of a chunk, and one more: the successor of every key is written, and that of a key which
    // is illegal or makes the block fall is overwritten by the next one.
    let mut next = [0; KEYS.len() * CHUNK + 1];
    if space.is_won(start) {
        return Ok(Layers { states, ends, won: true });
    }
    // No state that is expanded is won: the search ends with the chunk that leads to the first won state.
    let mut won = false;
    while from < states.len() {
        let to = states.len();
        while from < to {
            let chunk = &states[from..to.min(from + CHUNK)];
            budget.spend(chunk.len() as u64)?;
            let mut found = 0;
            for &state in chunk {
                let (to, legal) = space.successors(state);
                for key in 0..keys {
                    next[found] = to[key];
                    found += usize::from(legal[key]);
                }
            }
            from += chunk.len();
            visited.prepare(&next[..found]);
            // Moves new states to the front without a branch, which the processor could not predict.
            let mut new = 0;
            for i in 0..found {
                let state = next[i];
                next[new] = state;
                new += usize::from(visited.insert(state)?);
            }
            // A large list grows by a sixteenth, because doubling would leave up to half of it unused.
            if states.capacity() - states.len() < 2 * new && states.len() > 1 << 20 {
                states.try_reserve_exact(states.len() / 16).map_err(|_| Error::memory(TABLES))?;
            }
            memory::room(&mut states, 2 * new, TABLES)?;
            for &state in &next[..new] {
                won |= space.is_won(state);
                if !twins {
                    continue;
                }
                states.push(state);
                if let Some(twin) = space.switched(state)
                    && visited.insert(twin)?
                {
                    states.push(twin);
                }
            }
            if !twins {
                states.extend_from_slice(&next[..new]);
            }
            if won {
                return Ok(Layers { states, ends, won });
            }
        }
        if states.len() > to {
            ends.push(states.len());
        }
    }
    Ok(Layers { states, ends, won: false })
}

/// What remains from a state to the target on its shortest paths.
#[derive(Clone, Copy)]
struct Remaining {
    /// The secondary cost, which decides among equals: the number of switches between cubes if rolls are minimized, the
    /// number of rolls if keys are minimized.
    second: u32,
    /// The number of shortest paths; 0 if they are not counted.
    ways: u128,
}

/// The error message if the number of shortest paths overflows.
const TOO_MANY: &str = "shortest solutions must be fewer than 2^128 to be counted, got 2^128 or more";

/// Merges further paths to the target into what is known about a state. The cheaper paths replace the others; the
/// numbers of equally cheap paths are added.
///
/// # Errors
/// Returns [`Error::Limit`] if the number of paths overflows.
fn merge(known: &mut Option<Remaining>, way: Remaining) -> Result<(), Error> {
    match known {
        Some(rest) if rest.second < way.second => {}
        Some(rest) if rest.second == way.second => {
            rest.ways = rest.ways.checked_add(way.ways).ok_or_else(|| Error::Limit(TOO_MANY.to_owned()))?;
        }
        _ => *known = Some(way),
    }
    Ok(())
}

/// Walks back from the target. Returns, for each layer, the states from which a path through the following layers
/// reaches the target, and what remains from each. Paths are counted only if `counted` is `true`.
///
/// # Errors
/// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, in states expanded, ends the walk,
/// [`Error::Limit`] if the number of paths overflows, and [`Error::Memory`] if the maps or the set of their states
/// cannot be allocated.
fn count_back(
    space: &Space<'_>,
    layers: &Layers,
    minimize: Minimize,
    counted: bool,
    budget: &mut Budget<'_>,
) -> Result<Vec<Map<u64, Remaining>>, Error> {
    let rolls = minimize == Minimize::Rolls;
    let keys = if rolls { SWITCH as usize } else { KEYS.len() };
    let last = layers.ends.len() - 1;
    let mut found: Vec<Map<u64, Remaining>> = Vec::new();
    // The states in `found`. They are few, so the set rules out nearly all other states without a lookup in a map.
    let mut marked = BitSet::new(space)?;
    for depth in (0..=last).rev() {
        let mut here = Map::default();
        let beyond = found.last();
        for chunk in layers.layer(depth).chunks(CHUNK) {
            budget.spend(chunk.len() as u64)?;
            for &state in chunk {
                let (to, legal) = space.successors(state);
                let any = |leads_on: &dyn Fn(u64) -> bool| (0..keys).any(|key| legal[key] && leads_on(to[key]));
                let leads_on = match (beyond, &marked) {
                    (None, _) => any(&|next| space.is_won(next)),
                    (Some(_), Some(marked)) => {
                        (0..keys).fold(false, |on, key| on | (legal[key] & marked.contains(to[key])))
                    }
                    (Some(beyond), None) => any(&|next| beyond.contains_key(&next)),
                };
                if !leads_on {
                    continue;
                }
                let mut best = None;
                for key in (0..keys).filter(|&key| legal[key]) {
                    let rest = match beyond {
                        None => space.is_won(to[key]).then_some(Remaining { second: 0, ways: 1 }),
                        Some(beyond) => beyond.get(&to[key]).copied(),
                    };
                    if let Some(mut rest) = rest {
                        rest.second += u32::from(!rolls && key != SWITCH as usize);
                        rest.ways = if counted { rest.ways } else { 0 };
                        merge(&mut best, rest)?;
                    }
                }
                if let Some(rest) = best {
                    memory::slot(&mut here, TABLES)?;
                    here.insert(state, rest);
                }
            }
        }
        if rolls && space.splits() {
            // Switching costs no roll: the best path from a state may begin with a switch to its twin. `rolled` holds
            // only the paths that begin with a roll, so that no path begins with two switches.
            let all = here.iter().map(|(&state, &rest)| (state, rest));
            let rolled: Vec<(u64, Remaining)> = memory::collected(here.len(), all, TABLES)?;
            for (state, rest) in rolled {
                if let Some(twin) = space.switched(state) {
                    let mut known = here.get(&twin).copied();
                    merge(&mut known, Remaining { second: rest.second + 1, ways: rest.ways })?;
                    memory::slot(&mut here, TABLES)?;
                    here.extend(known.map(|rest| (twin, rest)));
                }
            }
        }
        if let Some(marked) = &mut marked {
            for &state in here.keys() {
                marked.insert(state)?;
            }
        }
        found.push(here);
    }
    found.reverse();
    Ok(found)
}

/// Returns the lexicographically first shortest solution, in the order of the keys. `ways` is the result of
/// [`count_back`].
fn first_way(space: &Space<'_>, start: u64, minimize: Minimize, ways: &[Map<u64, Remaining>]) -> Vec<u8> {
    let rolls = minimize == Minimize::Rolls;
    let mut keys = Vec::new();
    let (mut state, mut depth) = (start, 0);
    while !space.is_won(state) {
        let left = ways[depth].get(&state).map_or(0, |rest| rest.second);
        let mut step = None;
        space.each_successor(state, |key, next| {
            let stays = rolls && key == SWITCH;
            let cost = u32::from(if rolls { key == SWITCH } else { key != SWITCH });
            let rest = match ways.get(depth + usize::from(!stays)) {
                None => space.is_won(next).then_some(0),
                Some(beyond) => beyond.get(&next).map(|rest| rest.second),
            };
            if step.is_none() && rest.is_some_and(|rest| rest + cost == left) {
                step = Some((key, next, stays));
            }
        });
        let Some((key, next, stays)) = step else { break };
        keys.push(key);
        depth += usize::from(!stays);
        state = next;
    }
    keys
}

/// Returns the lexicographically first shortest solution if the block neither is split nor can split.
///
/// The states of a layer are then ordered by the lexicographically first sequences of keys that lead to them. So the
/// first predecessor found is on the first solution, and no map is needed.
fn first_way_whole(space: &Space<'_>, layers: &Layers, budget: &mut Budget<'_>) -> Result<Vec<u8>, Error> {
    let mut keys = Vec::new();
    // The state that the key of this depth must lead to; `None` if any won state will do.
    let mut after = None;
    for depth in (0..layers.ends.len()).rev() {
        let mut before = None;
        for chunk in layers.layer(depth).chunks(CHUNK) {
            budget.spend(chunk.len() as u64)?;
            before = chunk.iter().find_map(|&state| {
                let (to, legal) = space.successors(state);
                let fits = |next| after.map_or_else(|| space.is_won(next), |after| next == after);
                (0..4).find(|&key| legal[key] && fits(to[key])).map(|key| (key as u8, state))
            });
            if before.is_some() {
                break;
            }
        }
        let Some((key, state)) = before else { break };
        keys.push(key);
        after = Some(state);
    }
    keys.reverse();
    Ok(keys)
}

impl Bloxorz {
    /// Returns the space of the states of the level, and the state of this position.
    ///
    /// # Errors
    /// Returns the errors of [`Space::new`], and [`Error::Invalid`] if the block is not on tiles.
    pub(super) fn space(&self, budget: &mut Budget<'_>) -> Result<(Space<'_>, u64), Error> {
        let plan = Plan {
            tiles: self.level.tiles(),
            switches: self.level.switches(),
            target: Some(self.level.target()),
            bridges: self.bridges,
            split: self.block.is_split(),
        };
        let space = Space::new(plan, Tables::default(), budget)?;
        let start = space
            .state(self.block, self.bridges)
            .ok_or_else(|| Error::Invalid(format!("block must be on tiles, got {}", self.block)))?;
        Ok((space, start))
    }

    /// Finds the lexicographically first of the shortest solutions from here, as indices into [`KEYS`]. `minimize` is
    /// the cost that they minimize. No key of the solution makes the block fall.
    ///
    /// Returns an empty list if the game is won, or `None` if it is proved that there is no solution.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, in states expanded, ends the search,
    /// [`Error::Limit`] if the states do not fit into 63 bits, and [`Error::Memory`] if the tables of the search cannot
    /// be allocated.
    ///
    /// # Complexity
    /// Each reachable state is expanded at most once forward and at most once backward. There are at most three states
    /// per tile and setting of the bridges, and one more per ordered pair of tiles and setting if the block can split.
    /// A state that was reached takes 8 bytes in a list. The set of visited states takes one bit per state, reachable
    /// or not, if that is at most 32 MiB; otherwise 5 to 10 bytes per state that was reached (up to 15 while the set
    /// grows), and more than that if a state has more than 43 bits.
    pub fn solve(&self, minimize: Minimize, budget: &mut Budget<'_>) -> Result<Option<Vec<u8>>, Error> {
        if self.status() == Status::Won {
            return Ok(Some(Vec::new()));
        }
        let (space, start) = self.space(budget)?;
        let layers = layers(&space, start, minimize, budget)?;
        if !layers.won {
            return Ok(None);
        }
        if !space.splits() {
            return first_way_whole(&space, &layers, budget).map(Some);
        }
        let ways = count_back(&space, &layers, minimize, false, budget)?;
        Ok(Some(first_way(&space, start, minimize, &ways)))
    }

    /// Counts the shortest solutions from here: those with the fewest rolls and, among these, the fewest keys, or those
    /// with the fewest keys and, among these, the fewest rolls, as `minimize` says. Returns 1 if the game is won, or 0
    /// if it is proved that there is no solution.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, in states expanded, ends the search,
    /// [`Error::Limit`] if there are 2^128 solutions or more or if the states do not fit into 63 bits, and
    /// [`Error::Memory`] if the tables of the search cannot be allocated.
    pub fn count_shortest(&self, minimize: Minimize, budget: &mut Budget<'_>) -> Result<u128, Error> {
        if self.status() == Status::Won {
            return Ok(1);
        }
        let (space, start) = self.space(budget)?;
        let layers = layers(&space, start, minimize, budget)?;
        if !layers.won {
            return Ok(0);
        }
        let ways = count_back(&space, &layers, minimize, true, budget)?;
        Ok(ways[0].get(&start).map_or(0, |rest| rest.ways))
    }
}
