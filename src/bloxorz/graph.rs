//! The graph of all states that can be reached: what leads where, how far each is from here and from the target.

use std::collections::VecDeque;

use super::solve::{Map, Minimize, layers};
use super::space::Space;
use super::{Block, Bloxorz, SWITCH_KEY};
use crate::core::{Budget, Stop};

/// All states that can be reached without falling, in the order of their depth, as columns.
///
/// State 0 is where the search began. The keys of state `i` are the edges `indptr[i]..indptr[i + 1]`, in the order of the
/// keys; a won state has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateGraph {
    /// Where the edges of each state begin, and at last their number.
    pub indptr: Vec<i64>,
    /// Where each edge leads.
    pub indices: Vec<i32>,
    /// The key of each edge.
    pub key: Vec<u8>,
    /// The fewest rolls (or keys) from state 0.
    pub depth: Vec<i32>,
    /// The fewest rolls (or keys) to the target; -1 where it cannot be reached any more.
    pub distance: Vec<i32>,
    /// The block of each state.
    pub block: Vec<Block>,
    /// The bridges that are on in each state, a bit a letter.
    pub bridges: Vec<u32>,
}

/// Up to how many states an index of all is kept: 16 MB, of which the system hands out what is touched.
const MOST_INDEXED: u64 = 1 << 22;

/// The places of states in a list.
enum Places {
    /// One more than the place, 0 for none.
    Dense(Vec<u32>),
    Sparse(Map<u32>),
}

impl Places {
    fn new(space: &Space<'_>, states: &[u64]) -> Self {
        if space.size() <= MOST_INDEXED {
            let mut places = vec![0; space.size() as usize];
            for (place, &state) in states.iter().enumerate() {
                places[state as usize] = place as u32 + 1;
            }
            Self::Dense(places)
        } else {
            Self::Sparse(states.iter().enumerate().map(|(place, &state)| (state, place as u32)).collect())
        }
    }

    #[inline]
    fn of(&self, state: u64) -> Option<u32> {
        match self {
            Self::Dense(places) => places[state as usize].checked_sub(1),
            Self::Sparse(places) => places.get(&state).copied(),
        }
    }
}

impl Bloxorz {
    /// Lists every state that can be reached from here without falling, with its keys, depth and distance.
    ///
    /// # Errors
    /// [`Stop`] where the budget, in states, ends the search, or for more than 2^31 states.
    pub fn state_graph(&self, minimize: Minimize, budget: &mut Budget<'_>) -> Result<StateGraph, Stop> {
        let (space, start) = self.space()?;
        let layers = layers(&space, start, minimize, false, budget)?;
        let states = &layers.states;
        if states.len() > i32::MAX as usize {
            return Err(Stop::TooLarge(format!("{} states, wanted at most 2^31 - 1", states.len())));
        }
        let places = Places::new(&space, states);
        let mut graph = StateGraph {
            indptr: Vec::with_capacity(states.len() + 1),
            indices: Vec::with_capacity(3 * states.len()),
            key: Vec::with_capacity(3 * states.len()),
            depth: Vec::with_capacity(states.len()),
            distance: vec![-1; states.len()],
            block: states.iter().map(|&state| space.block(state)).collect(),
            bridges: states.iter().map(|&state| space.bridges(state)).collect(),
        };
        for (depth, &end) in layers.ends.iter().enumerate() {
            graph.depth.resize(end, depth as i32);
        }
        let mut won = Vec::new();
        for chunk in states.chunks(256) {
            budget.spend(chunk.len() as u64)?;
            for &state in chunk {
                graph.indptr.push(graph.indices.len() as i64);
                if space.is_won(state) {
                    won.push(graph.indptr.len() as u32 - 1);
                    continue;
                }
                space.each(state, |key, next| {
                    if let Some(place) = places.of(next) {
                        graph.indices.push(place as i32);
                        graph.key.push(key);
                    }
                });
            }
        }
        graph.indptr.push(graph.indices.len() as i64);
        graph.measure(&won, minimize, budget)?;
        Ok(graph)
    }
}

impl StateGraph {
    /// Fills in the distances, from the won states backwards.
    fn measure(&mut self, won: &[u32], minimize: Minimize, budget: &mut Budget<'_>) -> Result<(), Stop> {
        let n = self.depth.len();
        let mut starts = vec![0u32; n + 1];
        for &to in &self.indices {
            starts[to as usize + 1] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        // Each edge turned round: where it comes from, and whether it costs nothing.
        let mut back = vec![(0u32, false); self.indices.len()];
        let mut free = starts.clone();
        for from in 0..n {
            for edge in self.indptr[from] as usize..self.indptr[from + 1] as usize {
                let place = &mut free[self.indices[edge] as usize];
                let costless = minimize == Minimize::Rolls && i32::from(self.key[edge]) == SWITCH_KEY;
                back[*place as usize] = (from as u32, costless);
                *place += 1;
            }
        }
        let mut queue: VecDeque<u32> = won.iter().copied().collect();
        for &state in won {
            self.distance[state as usize] = 0;
        }
        while let Some(state) = queue.pop_front() {
            budget.spend(1)?;
            let here = self.distance[state as usize];
            for &(from, costless) in &back[starts[state as usize] as usize..starts[state as usize + 1] as usize] {
                let known = &mut self.distance[from as usize];
                let distance = here + i32::from(!costless);
                if *known < 0 || distance < *known {
                    *known = distance;
                    if costless { queue.push_front(from) } else { queue.push_back(from) }
                }
            }
        }
        Ok(())
    }
}
