//! The graph of all states that can be reached: what leads where, how far each is from here and from the target.

use super::solve::{Map, Minimize};
use super::space::Space;
use super::{Block, Bloxorz, SWITCH_KEY};
use crate::core::{Budget, Error};

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

/// The places of states in the list of all.
enum Places {
    /// One more than the place, 0 for none.
    Dense(Vec<u32>),
    Sparse(Map<u32>),
}

impl Places {
    fn new(space: &Space<'_>) -> Self {
        if space.size() <= MOST_INDEXED {
            Self::Dense(vec![0; space.size() as usize])
        } else {
            Self::Sparse(Map::default())
        }
    }

    /// Gives the place of a state; a new one is put at the end of the list.
    #[inline]
    fn of(&mut self, state: u64, states: &mut Vec<u64>) -> u32 {
        match self {
            Self::Dense(places) => {
                let place = &mut places[state as usize];
                if *place == 0 {
                    states.push(state);
                    *place = states.len() as u32;
                }
                *place - 1
            }
            Self::Sparse(places) => *places.entry(state).or_insert_with(|| {
                states.push(state);
                states.len() as u32 - 1
            }),
        }
    }
}

impl Bloxorz {
    /// Lists every state that can be reached from here without falling, with its keys, depth and distance.
    ///
    /// # Errors
    /// [`Error`] where the budget, in states, ends the search, or for more than 2^31 states.
    pub fn state_graph(&self, minimize: Minimize, budget: &mut Budget<'_>) -> Result<StateGraph, Error> {
        let (space, start) = self.space()?;
        let twins = minimize == Minimize::Rolls && space.splits();
        let mut places = Places::new(&space);
        let mut graph = StateGraph::default();
        let mut states = Vec::new();
        // A state and its twin, with the other cube in control, are as many rolls away.
        let mut place = |state, states: &mut Vec<u64>| {
            let known = states.len();
            let place = places.of(state, states);
            if twins && states.len() > known {
                if let Some(twin) = space.switched(state) {
                    places.of(twin, states);
                }
            }
            place
        };
        place(start, &mut states);
        let mut won = Vec::new();
        let (mut from, mut depth) = (0, 0);
        while from < states.len() {
            let to = states.len();
            graph.depth.resize(to, depth);
            depth += 1;
            while from < to {
                let end = to.min(from + 256);
                budget.spend((end - from) as u64)?;
                if states.len() > i32::MAX as usize - 5 * 256 {
                    return Err(Error::Limit(format!("more than {} states, wanted less than 2^31", states.len())));
                }
                for here in from..end {
                    let state = states[here];
                    graph.indptr.push(graph.indices.len() as i64);
                    if space.is_won(state) {
                        won.push(here as u32);
                        continue;
                    }
                    space.each(state, |key, next| {
                        graph.indices.push(place(next, &mut states) as i32);
                        graph.key.push(key);
                    });
                }
                from = end;
            }
        }
        graph.indptr.push(graph.indices.len() as i64);
        graph.block = states.iter().map(|&state| space.block(state)).collect();
        graph.bridges = states.iter().map(|&state| space.bridges(state)).collect();
        graph.measure(won, minimize, budget)?;
        Ok(graph)
    }
}

impl StateGraph {
    /// Fills in the distances, from the won states backwards.
    fn measure(&mut self, won: Vec<u32>, minimize: Minimize, budget: &mut Budget<'_>) -> Result<(), Error> {
        let n = self.depth.len();
        // What costs nothing leads to the twin, which is as far away: it is the last key of a split state.
        let twin = |state: u32| {
            let last = self.indptr[state as usize + 1] as usize;
            let free = minimize == Minimize::Rolls
                && last > self.indptr[state as usize] as usize
                && i32::from(self.key[last - 1]) == SWITCH_KEY;
            free.then(|| self.indices[last - 1] as u32)
        };
        // Each edge turned round; those to a state end where those to the next begin.
        let mut starts = vec![0u32; n + 1];
        for &to in &self.indices {
            starts[to as usize] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut back = vec![0u32; self.indices.len()];
        for from in 0..n {
            for &to in &self.indices[self.indptr[from] as usize..self.indptr[from + 1] as usize] {
                let place = &mut starts[to as usize];
                *place -= 1;
                back[*place as usize] = from as u32;
            }
        }
        let mut distance = vec![-1; n];
        for &state in &won {
            distance[state as usize] = 0;
        }
        let (mut queue, mut at) = (won, 0);
        while at < queue.len() {
            let end = queue.len().min(at + 256);
            budget.spend((end - at) as u64)?;
            for here in at..end {
                let state = queue[here] as usize;
                let far = distance[state] + 1;
                for &from in &back[starts[state] as usize..starts[state + 1] as usize] {
                    if distance[from as usize] < 0 {
                        distance[from as usize] = far;
                        queue.push(from);
                        if let Some(twin) = twin(from) {
                            distance[twin as usize] = far;
                            queue.push(twin);
                        }
                    }
                }
            }
            at = end;
        }
        self.distance = distance;
        Ok(())
    }
}
