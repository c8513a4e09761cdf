//! Shortest solutions: all states layer by layer, then back from the target.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use super::seen::{Bits, Seen, Slots};
use super::space::{Plan, Space, Tables};
use super::{Bloxorz, KEYS, SWITCH_KEY};
use crate::core::{Budget, Error, Game, Status, rng};

/// What a shortest solution is short in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Minimize {
    /// Rolls, which the source document counts as moves; then keys.
    #[default]
    Rolls,
    /// Keys, the switching between cubes counted too; then rolls.
    Keys,
}

const SWITCH: u8 = SWITCH_KEY as u8;

/// Hashes a state by mixing its bits.
#[derive(Default)]
pub(super) struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.0 << 8 | u64::from(byte));
        }
    }

    fn write_u64(&mut self, state: u64) {
        self.0 = rng::mix(state);
    }
}

pub(super) type Map<V> = HashMap<u64, V, BuildHasherDefault<Mixed>>;

/// The states in the order of their depth: layer `k` ends at `ends[k]`.
///
/// Where rolls are counted each layer holds the twin, with the other cube in control, of every split state.
struct Layers {
    states: Vec<u64>,
    /// Beyond the last end there may be a part of a further layer, in which the search ended.
    ends: Vec<usize>,
    /// Whether a state of the last layer has a key that wins, or is won itself where there is one layer only.
    won: bool,
}

impl Layers {
    fn layer(&self, depth: usize) -> &[u64] {
        let start = depth.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.states[start..self.ends[depth]]
    }
}

const CHUNK: usize = 256;

/// Visits all states from a start by depth, up to the layer before a won state.
fn layers(space: &Space<'_>, start: u64, minimize: Minimize, budget: &mut Budget<'_>) -> Result<Layers, Error> {
    if let Some(bits) = Bits::new(space) {
        visit(space, start, minimize, bits, budget)
    } else if let Some(slots) = Slots::new(space) {
        visit(space, start, minimize, slots, budget)
    } else {
        visit(space, start, minimize, HashSet::<u64, BuildHasherDefault<Mixed>>::default(), budget)
    }
}

fn visit(
    space: &Space<'_>,
    start: u64,
    minimize: Minimize,
    mut seen: impl Seen,
    budget: &mut Budget<'_>,
) -> Result<Layers, Error> {
    let rolls = minimize == Minimize::Rolls;
    let twins = rolls && space.splits();
    let mut states = vec![start];
    states.extend(if rolls { space.switched(start) } else { None });
    for &state in &states {
        seen.insert(state);
    }
    let mut ends = vec![states.len()];
    let mut from = 0;
    let keys = if rolls { SWITCH as usize } else { KEYS.len() };
    let mut next = [0; KEYS.len() * CHUNK + 1];
    if space.is_won(start) {
        return Ok(Layers { states, ends, won: true });
    }
    let mut won = false;
    while from < states.len() {
        let to = states.len();
        while from < to {
            let chunk = &states[from..to.min(from + CHUNK)];
            budget.spend(chunk.len() as u64)?;
            let mut found = 0;
            for &state in chunk {
                if space.is_won(state) {
                    continue;
                }
                let (to, legal) = space.fan(state);
                for key in 0..keys {
                    next[found] = to[key];
                    found += usize::from(legal[key]);
                }
            }
            from += chunk.len();
            seen.prepare(&next[..found]);
            // What is new moves to the front, without a branch: nobody could foresee it.
            let mut new = 0;
            for i in 0..found {
                let state = next[i];
                next[new] = state;
                new += usize::from(seen.insert(state));
            }
            // Doubling would leave a large list half empty.
            if states.capacity() - states.len() < 2 * new && states.len() > 1 << 20 {
                states.reserve_exact(states.len() / 16);
            }
            for &state in &next[..new] {
                won |= space.is_won(state);
                if !twins {
                    continue;
                }
                states.push(state);
                if let Some(twin) = space.switched(state) {
                    if seen.insert(twin) {
                        states.push(twin);
                    }
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

/// What is left from a state on shortest ways: the second number to be small, and how many ways there are.
#[derive(Clone, Copy)]
struct Rest {
    second: u32,
    ways: u128,
}

const TOO_MANY: &str = "more than 2^128 shortest solutions, too many to count";

/// Joins a way on into what is known of a state.
fn join(known: &mut Option<Rest>, way: Rest) -> Result<(), Error> {
    match known {
        Some(rest) if rest.second < way.second => {}
        Some(rest) if rest.second == way.second => {
            rest.ways = rest.ways.checked_add(way.ways).ok_or_else(|| Error::Limit(TOO_MANY.to_owned()))?;
        }
        _ => *known = Some(way),
    }
    Ok(())
}

/// Walks back from the target: for each layer the states on shortest ways, with what is left from there.
fn ways_back(
    space: &Space<'_>,
    layers: &Layers,
    minimize: Minimize,
    counted: bool,
    budget: &mut Budget<'_>,
) -> Result<Vec<Map<Rest>>, Error> {
    let rolls = minimize == Minimize::Rolls;
    let keys = if rolls { SWITCH as usize } else { KEYS.len() };
    let last = layers.ends.len() - 1;
    let mut found: Vec<Map<Rest>> = Vec::new();
    // Tells of nearly all states that they lie on no shortest way, without a look into a map.
    let mut marked = Bits::new(space);
    for depth in (0..=last).rev() {
        let mut here = Map::default();
        let beyond = found.last();
        for chunk in layers.layer(depth).chunks(CHUNK) {
            budget.spend(chunk.len() as u64)?;
            for &state in chunk {
                let (to, legal) = space.fan(state);
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
                        None => space.is_won(to[key]).then_some(Rest { second: 0, ways: 1 }),
                        Some(beyond) => beyond.get(&to[key]).copied(),
                    };
                    if let Some(mut rest) = rest {
                        rest.second += u32::from(!rolls && key != SWITCH as usize);
                        rest.ways = if counted { rest.ways } else { 0 };
                        join(&mut best, rest)?;
                    }
                }
                if let Some(rest) = best {
                    here.insert(state, rest);
                }
            }
        }
        if rolls && space.splits() {
            // Switching costs no roll: a state may be best left through its twin, whose own best way then rolls.
            let rolled: Vec<(u64, Rest)> = here.iter().map(|(&state, &rest)| (state, rest)).collect();
            for (state, rest) in rolled {
                if let Some(twin) = space.switched(state) {
                    let mut known = here.get(&twin).copied();
                    join(&mut known, Rest { second: rest.second + 1, ways: rest.ways })?;
                    here.extend(known.map(|rest| (twin, rest)));
                }
            }
        }
        if let Some(marked) = &mut marked {
            for &state in here.keys() {
                marked.insert(state);
            }
        }
        found.push(here);
    }
    found.reverse();
    Ok(found)
}

/// The first keys in order among the shortest solutions.
fn first_way(space: &Space<'_>, start: u64, minimize: Minimize, ways: &[Map<Rest>]) -> Vec<u8> {
    let rolls = minimize == Minimize::Rolls;
    let mut keys = Vec::new();
    let (mut state, mut depth) = (start, 0);
    while !space.is_won(state) {
        let left = ways[depth].get(&state).map_or(0, |rest| rest.second);
        let mut step = None;
        space.each(state, |key, next| {
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

/// The first keys in order where there is one cube: each state is left to the first that found it.
fn first_way_whole(space: &Space<'_>, layers: &Layers, budget: &mut Budget<'_>) -> Result<Vec<u8>, Error> {
    let mut keys = Vec::new();
    let mut wanted = None;
    for depth in (0..layers.ends.len()).rev() {
        let mut before = None;
        for chunk in layers.layer(depth).chunks(CHUNK) {
            budget.spend(chunk.len() as u64)?;
            before = chunk.iter().find_map(|&state| {
                let (to, legal) = space.fan(state);
                let fits = |next| wanted.map_or_else(|| space.is_won(next), |wanted| next == wanted);
                (0..4).find(|&key| legal[key] && fits(to[key])).map(|key| (key as u8, state))
            });
            if before.is_some() {
                break;
            }
        }
        let Some((key, state)) = before else { break };
        keys.push(key);
        wanted = Some(state);
    }
    keys.reverse();
    Ok(keys)
}

impl Bloxorz {
    /// The packed states from here on, and the state here.
    pub(super) fn space(&self) -> Result<(Space<'_>, u64), Error> {
        let plan = Plan {
            tiles: self.level.tiles(),
            switches: self.level.switches(),
            target: Some(self.level.target()),
            bridges: self.bridges,
            split: self.block.is_split(),
        };
        let space = Space::new(plan, Tables::default())?;
        let start = space
            .state(self.block, self.bridges)
            .ok_or_else(|| Error::Limit("a block beyond the terrain, wanted it on tiles".to_owned()))?;
        Ok((space, start))
    }

    /// Finds a shortest solution from here, as keys; empty where the game is won, `None` where it is proved that there is
    /// none. A fall is never part of it. Among the shortest it is the first in the order of the keys.
    ///
    /// # Errors
    /// [`Error`] where the budget, in states looked at on the way there and back, ends the search.
    ///
    /// # Complexity
    /// Each reachable state is visited once, and once more on the way back; there are at most three a tile for each
    /// setting of the bridges, and a pair of tiles where the block can split. 8 bytes a state, and a bit or 5 to 10 bytes.
    pub fn solve(&self, minimize: Minimize, budget: &mut Budget<'_>) -> Result<Option<Vec<u8>>, Error> {
        if self.status() == Status::Won {
            return Ok(Some(Vec::new()));
        }
        let (space, start) = self.space()?;
        let layers = layers(&space, start, minimize, budget)?;
        if !layers.won {
            return Ok(None);
        }
        if !space.splits() {
            return first_way_whole(&space, &layers, budget).map(Some);
        }
        let ways = ways_back(&space, &layers, minimize, false, budget)?;
        Ok(Some(first_way(&space, start, minimize, &ways)))
    }

    /// Counts the shortest solutions from here; 0 where it is proved that there is none.
    ///
    /// # Errors
    /// [`Error`] where the budget ends the search, or for more than 2^128 solutions.
    pub fn count_shortest(&self, minimize: Minimize, budget: &mut Budget<'_>) -> Result<u128, Error> {
        if self.status() == Status::Won {
            return Ok(1);
        }
        let (space, start) = self.space()?;
        let layers = layers(&space, start, minimize, budget)?;
        if !layers.won {
            return Ok(0);
        }
        let ways = ways_back(&space, &layers, minimize, true, budget)?;
        Ok(ways[0].get(&start).map_or(0, |rest| rest.ways))
    }
}
