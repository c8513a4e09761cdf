//! Shortest solutions: all states layer by layer, then back from the target.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::space::{Plan, Space, Tables};
use super::{Bloxorz, SWITCH_KEY};
use crate::core::{Budget, Game, Status, Stop, rng};

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

/// A set of states that only grows.
enum Seen {
    /// A bit a state.
    Bits(Vec<u64>),
    /// Open addressing; the members stand in the list of states too, so that it is rebuilt from there.
    Slots { slots: Vec<u64>, len: usize },
}

/// The largest set of bits, in states: 32 MB, of which the system hands out what is touched.
const MOST_BITS: u64 = 1 << 28;

const EMPTY: u64 = u64::MAX;

fn home(state: u64, slots: usize) -> usize {
    ((u128::from(rng::mix(state)) * slots as u128) >> 64) as usize
}

impl Seen {
    fn new(space: &Space<'_>) -> Self {
        if space.size() <= MOST_BITS {
            Self::Bits(vec![0; space.size().div_ceil(64) as usize])
        } else {
            Self::Slots { slots: vec![EMPTY; 1 << 12], len: 0 }
        }
    }

    /// Notes a state; says whether it is new.
    #[inline]
    fn insert(&mut self, state: u64) -> bool {
        match self {
            Self::Bits(words) => {
                let (word, bit) = (&mut words[(state >> 6) as usize], 1 << (state & 63));
                let new = *word & bit == 0;
                *word |= bit;
                new
            }
            Self::Slots { slots, len } => {
                let mut at = home(state, slots.len());
                while slots[at] != EMPTY {
                    if slots[at] == state {
                        return false;
                    }
                    at += 1;
                    if at == slots.len() {
                        at = 0;
                    }
                }
                slots[at] = state;
                *len += 1;
                true
            }
        }
    }

    /// Makes room for `more` states and reads their slots: these reads do not wait for each other, and when the states are
    /// inserted one after the other their slots are in the cache.
    fn prepare(&mut self, more: &[u64], members: &[u64]) {
        let Self::Slots { slots, len } = self else { return };
        // Twice: a split state brings its twin. Between 1/2 and 7/10 full: 11 to 16 bytes a state.
        if (*len + 2 * more.len()) * 10 > slots.len() * 7 {
            let size = 2 * (*len + 2 * more.len());
            *slots = Vec::new(); // given back before the larger one is taken
            *slots = vec![EMPTY; size];
            *len = 0;
            for chunk in members.chunks(CHUNK) {
                self.touch(chunk);
                for &state in chunk {
                    self.insert(state);
                }
            }
        }
        self.touch(more);
    }

    fn touch(&self, states: &[u64]) {
        if let Self::Slots { slots, .. } = self {
            let touched = states.iter().fold(0, |sum, &state| sum ^ slots[home(state, slots.len())]);
            std::hint::black_box(touched);
        }
    }
}

/// The states in the order of their depth: layer `k` ends at `ends[k]`.
///
/// Where rolls are counted each layer holds the twin, with the other cube in control, of every split state.
pub(super) struct Layers {
    pub(super) states: Vec<u64>,
    pub(super) ends: Vec<usize>,
    /// Whether a state of the last layer has a key that wins, or is won itself where there is one layer only.
    pub(super) won: bool,
}

impl Layers {
    pub(super) fn layer(&self, depth: usize) -> &[u64] {
        let start = depth.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.states[start..self.ends[depth]]
    }
}

const CHUNK: usize = 256;

/// Visits all states from a start by depth; `to_target` ends it at the layer before a won state.
pub(super) fn layers(
    space: &Space<'_>,
    start: u64,
    minimize: Minimize,
    to_target: bool,
    budget: &mut Budget<'_>,
) -> Result<Layers, Stop> {
    let rolls = minimize == Minimize::Rolls;
    let twin = |state| if rolls { space.switched(state) } else { None };
    let mut seen = Seen::new(space);
    let mut states = vec![start];
    states.extend(twin(start));
    for &state in &states {
        seen.insert(state);
    }
    let mut ends = vec![states.len()];
    let mut from = 0;
    let mut next = Vec::with_capacity(5 * CHUNK);
    if to_target && space.is_won(start) {
        return Ok(Layers { states, ends, won: true });
    }
    let mut won = false;
    while from < states.len() {
        let to = states.len();
        while from < to {
            let chunk = &states[from..to.min(from + CHUNK)];
            budget.spend(chunk.len() as u64)?;
            next.clear();
            for &state in chunk {
                if space.is_won(state) {
                    continue;
                }
                space.each(state, |key, state| {
                    if key != SWITCH || !rolls {
                        won |= space.is_won(state);
                        next.push(state);
                    }
                });
            }
            if won && to_target {
                return Ok(Layers { states, ends, won });
            }
            from += chunk.len();
            // Doubling would leave a large list half empty.
            if states.capacity() - states.len() < 2 * next.len() && states.len() > 1 << 20 {
                states.reserve_exact(states.len() / 8);
            }
            seen.prepare(&next, &states);
            for &state in &next {
                if seen.insert(state) {
                    states.push(state);
                    if let Some(twin) = twin(state) {
                        if seen.insert(twin) {
                            states.push(twin);
                        }
                    }
                }
            }
        }
        if states.len() > to {
            ends.push(states.len());
        }
    }
    Ok(Layers { states, ends, won })
}

/// What is left from a state on shortest ways: the second number to be small, and how many ways there are.
#[derive(Clone, Copy)]
struct Rest {
    second: u32,
    ways: u128,
}

const TOO_MANY: &str = "more than 2^128 shortest solutions, too many to count";

/// Joins a way on into what is known of a state.
fn join(known: &mut Option<Rest>, way: Rest) -> Result<(), Stop> {
    match known {
        Some(rest) if rest.second < way.second => {}
        Some(rest) if rest.second == way.second => {
            rest.ways = rest.ways.checked_add(way.ways).ok_or_else(|| Stop::TooLarge(TOO_MANY.to_owned()))?;
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
) -> Result<Vec<Map<Rest>>, Stop> {
    let rolls = minimize == Minimize::Rolls;
    let last = layers.ends.len() - 1;
    let mut found: Vec<Map<Rest>> = Vec::new();
    for depth in (0..=last).rev() {
        let mut here = Map::default();
        let beyond = found.last();
        for chunk in layers.layer(depth).chunks(CHUNK) {
            budget.spend(chunk.len() as u64)?;
            for &state in chunk {
                let mut best = None;
                let mut outcome = Ok(());
                space.each(state, |key, next| {
                    if (rolls && key == SWITCH) || outcome.is_err() {
                        return;
                    }
                    let rest = match beyond {
                        None => space.is_won(next).then_some(Rest { second: 0, ways: 1 }),
                        Some(beyond) => beyond.get(&next).copied(),
                    };
                    if let Some(mut rest) = rest {
                        rest.second += u32::from(!rolls && key != SWITCH);
                        rest.ways = if counted { rest.ways } else { 0 };
                        outcome = join(&mut best, rest);
                    }
                });
                outcome?;
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
fn first_way_whole(space: &Space<'_>, layers: &Layers, budget: &mut Budget<'_>) -> Result<Vec<u8>, Stop> {
    let mut keys = Vec::new();
    let mut wanted = None;
    for depth in (0..layers.ends.len()).rev() {
        let mut before = None;
        for chunk in layers.layer(depth).chunks(CHUNK) {
            budget.spend(chunk.len() as u64)?;
            before = chunk.iter().find_map(|&state| {
                let mut found = None;
                space.each(state, |key, next| {
                    let fits = wanted.map_or_else(|| space.is_won(next), |wanted| next == wanted);
                    if fits && found.is_none() {
                        found = Some((key, state));
                    }
                });
                found
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
    pub(super) fn space(&self) -> Result<(Space<'_>, u64), Stop> {
        let plan = Plan {
            tiles: self.level.tiles(),
            switches: self.level.switches(),
            target: Some(self.level.target()),
            bridges: self.bridges,
            split: self.block.is_split(),
        };
        let space = Space::new(plan, Tables::default()).map_err(Stop::TooLarge)?;
        let start = space
            .state(self.block, self.bridges)
            .ok_or_else(|| Stop::TooLarge("a block beyond the terrain, wanted it on tiles".to_owned()))?;
        Ok((space, start))
    }

    /// Finds a shortest solution from here, as keys; empty where the game is won, `None` where it is proved that there is
    /// none. A fall is never part of it. Among the shortest it is the first in the order of the keys.
    ///
    /// # Errors
    /// [`Stop`] where the budget, in states looked at on the way there and back, ends the search.
    ///
    /// # Complexity
    /// Each reachable state is visited once, and once more on the way back; there are at most three a tile for each
    /// setting of the bridges, and a pair of tiles where the block can split. 8 bytes a state, and a bit or 11 to 16 bytes.
    pub fn solve(&self, minimize: Minimize, budget: &mut Budget<'_>) -> Result<Option<Vec<u8>>, Stop> {
        if self.status() == Status::Won {
            return Ok(Some(Vec::new()));
        }
        let (space, start) = self.space()?;
        let layers = layers(&space, start, minimize, true, budget)?;
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
    /// [`Stop`] where the budget ends the search, or for more than 2^128 solutions.
    pub fn count_shortest(&self, minimize: Minimize, budget: &mut Budget<'_>) -> Result<u128, Stop> {
        if self.status() == Status::Won {
            return Ok(1);
        }
        let (space, start) = self.space()?;
        let layers = layers(&space, start, minimize, true, budget)?;
        if !layers.won {
            return Ok(0);
        }
        let ways = ways_back(&space, &layers, minimize, true, budget)?;
        Ok(ways[0].get(&start).map_or(0, |rest| rest.ways))
    }
}
