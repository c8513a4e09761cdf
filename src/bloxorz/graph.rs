//! The graph of all reachable states: where each key leads, and the distances from the start and to the target.

use super::solve::Minimize;
use super::space::Space;
use super::{Block, Bloxorz, SWITCH_KEY};
use crate::core::hash::Map;
use crate::core::{Budget, Error, memory};

/// All states that can be reached without falling, as columns; the states are in order of depth.
///
/// State 0 is the position from which the search started. The edges of state `i` are `indptr[i]..indptr[i + 1]`, one
/// per legal key that does not make the block fall, in the order of the keys; a won state has no edges. `indptr` has
/// one entry more than there are states, `indices` and `key` have one entry per edge, and the other columns have one
/// entry per state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateGraph {
    /// The index of the first edge of each state, followed by the number of edges.
    pub indptr: Vec<i64>,
    /// The state that each edge leads to.
    pub indices: Vec<i32>,
    /// The key of each edge, an index into [`KEYS`](super::KEYS).
    pub key: Vec<u8>,
    /// The fewest rolls (or keys, if these are minimized) from state 0 to each state.
    pub depth: Vec<i32>,
    /// The fewest rolls (or keys) from each state to the target; -1 for a dead state, from which the target cannot be
    /// reached.
    pub distance: Vec<i32>,
    /// The block of each state.
    pub block: Vec<Block>,
    /// The bridges that are on in each state, one bit per letter; `a` is the lowest bit.
    pub bridges: Vec<u32>,
}

/// The name of what is allocated, for error messages.
const GRAPH: &str = "the graph of all states";

/// The largest number of states, reachable or not, for which indices are kept in an array. The array takes up to
/// 16 MiB, of which the operating system provides only the pages that are touched.
const MAX_INDEXED: u64 = 1 << 22;

/// The most states that may have been found when 256 more are examined. Each of the 256 leads to at most ten new
/// states, five of them twins (with the other cube in control), and all indices must fit in 31 bits.
const MAX_STATES: usize = i32::MAX as usize - 10 * 256;

/// The most edges that may have been found when 256 more states are examined. Each of the 256 has at most five edges,
/// and all indices of edges must fit in 32 bits when the edges are reversed.
const MAX_EDGES: usize = u32::MAX as usize - 5 * 256;

/// The index of each state in the list of the states found.
enum StateIndices {
    /// For each packed state, its index plus 1, or 0 if it has not been found.
    Dense(Vec<u32>),
    /// The index of each state that was found.
    Sparse(Map<u64, u32>),
}

impl StateIndices {
    /// Creates an empty index for the states of a space.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the array cannot be allocated.
    fn new(space: &Space<'_>) -> Result<Self, Error> {
        if space.size() <= MAX_INDEXED {
            // `vec!` leaves the zeros to the operating system, which provides them on first use. An allocation that
            // returns an error instead of aborting would write all the zeros, so a probe comes first instead.
            memory::probe(space.size() as usize * 4, GRAPH)?;
            Ok(Self::Dense(vec![0; space.size() as usize]))
        } else {
            Ok(Self::Sparse(Map::default()))
        }
    }

    /// Reserves room for `n` more states.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the memory cannot be allocated.
    fn reserve(&mut self, n: usize) -> Result<(), Error> {
        match self {
            Self::Dense(_) => Ok(()),
            Self::Sparse(places) => places.try_reserve(n).map_err(|_| Error::memory(GRAPH)),
        }
    }

    /// Returns the index of a state in the list `states`; a new state is appended to the list.
    #[inline(always)]
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
    /// Returns every state that can be reached from this position without falling, with its edges, depth and distance.
    ///
    /// * `minimize`: whether depths and distances count rolls or keys
    /// * `budget`: counts each state once, and each state that is not dead once more
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the search, [`Error::Limit`] if there are
    /// about 2^31 or more states, about 2^32 or more edges, or packed states that do not fit into 63 bits, and
    /// [`Error::Memory`] if the graph cannot be allocated.
    pub fn state_graph(&self, minimize: Minimize, budget: &mut Budget<'_>) -> Result<StateGraph, Error> {
        let (space, start) = self.space(budget)?;
        let twins = minimize == Minimize::Rolls && space.splits();
        let mut places = StateIndices::new(&space)?;
        let mut graph = StateGraph::default();
        let mut states = Vec::new();
        // A split state and its twin, the state with the other cube in control, have the same depth in rolls.
        let place = |state, places: &mut StateIndices, states: &mut Vec<u64>| {
            let known = states.len();
            let place = places.of(state, states);
            if twins
                && states.len() > known
                && let Some(twin) = space.switched(state)
            {
                places.of(twin, states);
            }
            place
        };
        place(start, &mut places, &mut states);
        let mut won = Vec::new();
        // Breadth-first: `from..to` are the states of one depth. The list of states is the queue.
        let (mut from, mut depth) = (0, 0);
        while from < states.len() {
            let to = states.len();
            memory::room(&mut graph.depth, to - from, GRAPH)?;
            graph.depth.resize(to, depth);
            depth += 1;
            while from < to {
                let end = to.min(from + 256);
                budget.spend((end - from) as u64)?;
                if states.len() > MAX_STATES {
                    return Err(Error::Limit(format!(
                        "states must be at most {MAX_STATES}, got {} or more",
                        states.len()
                    )));
                }
                if graph.indices.len() > MAX_EDGES {
                    return Err(Error::Limit(format!(
                        "edges must be at most {MAX_EDGES}, got {} or more",
                        graph.indices.len()
                    )));
                }
                // Each state has at most five edges, and each edge adds at most two new states: a state and its twin.
                let edges = 5 * (end - from);
                memory::room(&mut graph.indptr, end - from + 1, GRAPH)?;
                memory::room(&mut graph.indices, edges, GRAPH)?;
                memory::room(&mut graph.key, edges, GRAPH)?;
                memory::room(&mut states, 2 * edges, GRAPH)?;
                memory::room(&mut won, end - from, GRAPH)?;
                places.reserve(2 * edges)?;
                for here in from..end {
                    let state = states[here];
                    graph.indptr.push(graph.indices.len() as i64);
                    // The game ends on the target: no edge leaves a won state.
                    if space.is_won(state) {
                        won.push(here as u32);
                        continue;
                    }
                    space.each_successor(state, |key, next| {
                        graph.indices.push(place(next, &mut places, &mut states) as i32);
                        graph.key.push(key);
                    });
                }
                from = end;
            }
        }
        graph.indptr.push(graph.indices.len() as i64);
        // Lists that are no longer needed are dropped before others are allocated, so that the new lists reuse their
        // memory: getting new memory from the operating system would take a third of the run time.
        drop(places);
        graph.block = memory::collected(states.len(), states.iter().map(|&state| space.block(state)), GRAPH)?;
        graph.bridges = memory::collected(states.len(), states.iter().map(|&state| space.bridges(state)), GRAPH)?;
        drop(states);
        graph.measure(won, minimize, budget)?;
        Ok(graph)
    }
}

impl StateGraph {
    /// Fills in the distances by a breadth-first search backward from the won states, given by their indices.
    fn measure(&mut self, won: Vec<u32>, minimize: Minimize, budget: &mut Budget<'_>) -> Result<(), Error> {
        let n = self.depth.len();
        // If rolls are minimized, a switch of cubes costs nothing, so a split state and its twin have the same
        // distance. The last edge of a split state is the switch of cubes.
        let twin = |state: u32| {
            let last = self.indptr[state as usize + 1] as usize;
            let free = minimize == Minimize::Rolls
                && last > self.indptr[state as usize] as usize
                && i32::from(self.key[last - 1]) == SWITCH_KEY;
            free.then(|| self.indices[last - 1] as u32)
        };
        // The reversed edges in compressed rows. At first, `starts` has the end of each row; as a row is filled from
        // its end to its beginning, its entry becomes the start of the row.
        let mut starts = memory::filled(0u32, n + 1, GRAPH)?;
        for &to in &self.indices {
            starts[to as usize] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut back = memory::filled(0u32, self.indices.len(), GRAPH)?;
        let mut edge = 0;
        for (from, &end) in (0..).zip(&self.indptr[1..]) {
            for &to in &self.indices[edge..end as usize] {
                let place = &mut starts[to as usize];
                *place -= 1;
                back[*place as usize] = from;
            }
            edge = end as usize;
        }
        let mut distance = memory::filled(-1, n, GRAPH)?;
        for &state in &won {
            distance[state as usize] = 0;
        }
        let (mut queue, mut at) = (won, 0);
        memory::room(&mut queue, n, GRAPH)?;
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
