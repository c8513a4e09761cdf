//! Reasons and difficulty: landmarks, dead ends and measures, computed from the graph of all states.
//!
//! In this file, a solution is a sequence of keys that wins without a fall. A *landmark* is a position that every
//! solution from the current position passes through, or a switch that every solution uses; the last landmark is the
//! target. A *dead end* is a roll after which no solution is left. A reason gives the next keys and the easiest rule
//! that justifies them. The keys of `straight` lead to the target, even if a splitter allows a shorter solution; those
//! of the other rules lead along a shortest solution to the next landmark, the first one that any shortest solution
//! comes to:
//!
//! | rule | condition |
//! |---|---|
//! | straight | repeating one key wins |
//! | landmark | the next landmark is at most [`HORIZON`] rolls away, and no dead ends branch off the path to it |
//! | deadend | the next landmark is at most [`HORIZON`] rolls away, and dead ends branch off the path to it |
//! | search | the next landmark is farther away |
//!
//! Distances are those along shortest solutions: a path that is part of no shortest solution may use a switch sooner.
//!
//! A position without a solution has the rule `deadend` too; its keys, if any, lead to a fall.
//!
//! Positions that every solution passes through are the dominators of the target in the graph of the states that are
//! not dead. They all lie on any shortest solution `p0 p1 ... pk`, so one sweep along it finds them. When the sweep
//! comes to `pi`, `far` is the largest index of a `pj` that is reached from the positions before `pi` directly or
//! through positions off the solution; every solution passes through `pi` if and only if `far` is `i`:
//!
//! ```text
//! Soo   the shortest solution is rddlurd; p6, after rddlur, lies on (0, 1) and (1, 1)
//! ooo   from p0, r leads to p1; d leads off the solution and from there to p6: far = 6, so p1 to p5 can be avoided
//! oTo   from p1 to p5, nothing beyond p6 is reached: at p6 far is still 6, so all solutions pass through p6
//! ```

use std::collections::VecDeque;

use super::{Block, Bloxorz, Level, Minimize, SWITCH_KEY, StateGraph, SwitchKind, Tile, direction};
use crate::core::{Budget, Cell, Error, Game, Status, memory};

/// The number of rolls that a player is assumed to look ahead: landmarks that are farther away require a search.
pub const HORIZON: usize = 8;

/// The least [`Difficulty::effort`] of the grades 2, 3, 4 and 5.
pub const EFFORTS: [f64; 4] = [500.0, 3_000.0, 15_000.0, 75_000.0];

/// A rule of reasoning, from the easiest to the hardest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Repeating one key wins.
    Straight,
    /// The next landmark is at most [`HORIZON`] rolls away, and no dead ends branch off the path to it.
    Landmark,
    /// The next landmark is at most [`HORIZON`] rolls away, and dead ends branch off the path to it; or the position
    /// itself has no solution.
    DeadEnd,
    /// The next landmark is more than [`HORIZON`] rolls away.
    Search,
}

impl Rule {
    /// All rules, from the easiest to the hardest.
    pub const ALL: [Self; 4] = [Self::Straight, Self::Landmark, Self::DeadEnd, Self::Search];

    /// Returns the name of the rule in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Straight => "straight",
            Self::Landmark => "landmark",
            Self::DeadEnd => "deadend",
            Self::Search => "search",
        }
    }
}

/// What every solution passes through or uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landmark {
    /// The block on the target.
    Target,
    /// A position: the block (of a split block, either cube may be in control) and the bridges that are on, one bit per
    /// letter, `a` lowest.
    Position(Block, u32),
    /// A switch or splitter (its letter, 0 for `A`) and the cell on which the keys of the reason use it.
    Switch(u8, Cell),
}

/// A roll after which no solution is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeadEnd {
    /// The block before the roll.
    pub block: Block,
    /// The key of the roll, an index into [`KEYS`](super::KEYS).
    pub key: u8,
}

/// The next keys, with the rule that justifies them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The rule that justifies the keys.
    pub rule: Rule,
    /// The keys, as indices into [`KEYS`](super::KEYS). For [`Rule::Straight`], a whole solution; for the other rules,
    /// the beginning of a solution with the fewest rolls; from a position without a solution, a path to a fall, or
    /// no keys.
    pub keys: Vec<u8>,
    /// The landmark that the keys lead to; `None` for a position without a solution.
    pub landmark: Option<Landmark>,
    /// The dead ends that branch off the path of the keys, in path order; always empty for [`Rule::Straight`]. If the
    /// path comes to the same block with other bridges on, only rolls that are dead ends there, too.
    pub dead_ends: Vec<DeadEnd>,
    /// The bridges that the switch of the landmark can turn on, that every solution crosses, and that are off, and
    /// crossed by no block, until the switch is used. One bit per letter, `a` lowest; 0 if the landmark is not a
    /// switch.
    pub opens: u32,
    /// The number of reachable states, all of which were examined.
    pub states: usize,
}

/// Whether the solutions of a position cover one cell: the answer to "why this cell?".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// The block is on the cell now.
    Now,
    /// Every solution covers the cell; the keys, indices into [`KEYS`](super::KEYS), lead there along a solution with
    /// the fewest rolls.
    Always(Vec<u8>),
    /// Some solutions cover the cell and others do not.
    Sometimes,
    /// No solution covers the cell.
    Never,
}

/// How hard a position is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difficulty {
    /// The grade, 1 to 5: one more than the number of [`EFFORTS`] that [`Difficulty::effort`] reaches.
    pub grade: u8,
    /// The fewest rolls of a solution.
    pub rolls: u32,
    /// The number of states that take fewer rolls to reach than the target: those that a breadth-first search examines.
    pub positions: u32,
    /// The number of positions between here and the target, both excluded, that every solution passes through.
    pub landmarks: u32,
    /// The number of reachable states without a solution.
    pub dead: u32,
    /// The number of dead ends that branch off one shortest solution.
    pub traps: u32,
    /// The mean number of rolls that cause no fall, over the positions at which one shortest solution makes a roll.
    pub branching: f64,
    /// The number of rolls divided by a lower bound (at least 1) on the rolls that a solution would take on an endless
    /// plane of plain tiles.
    pub detour: f64,
}

impl Difficulty {
    /// Returns the product that decides the grade: `rolls * positions * (1 + traps)`.
    pub fn effort(&self) -> f64 {
        f64::from(self.rolls) * f64::from(self.positions) * f64::from(1 + self.traps)
    }
}

/// About the largest number of bytes per state that a [`Map`] and the lists and sets of one search on it take.
const PER_STATE: usize = 48;

/// The state graph of a level, with the table that reasoning derives from it.
struct Map<'a> {
    level: &'a Level,
    graph: &'a StateGraph,
    /// For each state, the smaller of its index and that of its twin, the state with the other cube in control.
    class: Vec<u32>,
}

/// One key of a path and the state that it leads to.
#[derive(Clone, Copy)]
struct Step {
    key: u8,
    to: usize,
}

impl<'a> Map<'a> {
    /// Creates the map of a graph whose distances count rolls.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if memory cannot hold the map and the lists and sets of a search on it.
    fn new(level: &'a Level, graph: &'a StateGraph) -> Result<Self, Error> {
        memory::probe(graph.depth.len() * PER_STATE, "the reasons of a level")?;
        let mut map = Self { level, graph, class: Vec::new() };
        map.class = (0..graph.depth.len()).map(|state| state.min(map.twin(state)) as u32).collect();
        Ok(map)
    }

    /// Iterates over the keys of a state and the states that they lead to.
    fn edges(&self, state: usize) -> impl Iterator<Item = (u8, usize)> {
        let edges = self.graph.indptr[state] as usize..self.graph.indptr[state + 1] as usize;
        edges.map(|edge| (self.graph.key[edge], self.graph.indices[edge] as usize))
    }

    /// Iterates over the rolls of a state: its edges except the one that switches cubes.
    fn rolls(&self, state: usize) -> impl Iterator<Item = (u8, usize)> {
        self.edges(state).filter(|&(key, _)| i32::from(key) != SWITCH_KEY)
    }

    /// Returns the state with the other cube in control, or the state itself if the block is not split.
    fn twin(&self, state: usize) -> usize {
        self.edges(state).find(|&(key, _)| i32::from(key) == SWITCH_KEY).map_or(state, |(_, to)| to)
    }

    /// Returns whether the block of a state stands on the target.
    fn is_won(&self, state: usize) -> bool {
        self.graph.distance[state] == 0
    }

    /// Returns whether a state has no solution.
    fn is_dead(&self, state: usize) -> bool {
        self.graph.distance[state] < 0
    }

    /// Returns a path with the fewest rolls to the target, from a state that is not dead.
    fn path(&self, from: usize) -> Vec<Step> {
        let mut path = Vec::new();
        let mut state = from;
        while !self.is_won(state) {
            let nearer = |&(_, to): &(u8, usize)| self.graph.distance[to] == self.graph.distance[state] - 1;
            // Distances count rolls: if no roll of the cube in control leads nearer, a roll of the other cube does.
            let (key, to) = self.rolls(state).find(nearer).unwrap_or((SWITCH_KEY as u8, self.twin(state)));
            path.push(Step { key, to });
            state = to;
        }
        path
    }

    /// Returns, for each step of the path from state `from` that [`Map::path`] returns, whether every solution passes
    /// through the position to which the step leads.
    ///
    /// Twins count as one position: which cube is in control can always be changed.
    fn passed(&self, from: usize, path: &[Step]) -> Vec<bool> {
        // The index of each class in `stops`, which holds one state of each class on the path. A switch of cubes
        // stays in its class.
        let mut places = vec![u32::MAX; self.class.len()];
        let mut stops = vec![from];
        places[self.class[from] as usize] = 0;
        for step in path {
            let place = &mut places[self.class[step.to] as usize];
            if *place == u32::MAX {
                *place = stops.len() as u32;
                stops.push(step.to);
            }
        }
        let last = stops.len() - 1;
        let mut visited = vec![false; self.class.len()];
        let mut passed = vec![false; stops.len()];
        let mut stack = Vec::new();
        // The last place that is reached from the places before `place` directly or through states off the path.
        let mut far = 0;
        for (place, &stop) in stops.iter().enumerate() {
            // If no place beyond this one is reached from those before it, every solution passes through this one.
            passed[place] = place == far;
            stack.push(stop);
            while let Some(state) = stack.pop() {
                let twin = self.twin(state);
                let both = [state, twin].into_iter().take(if twin == state { 1 } else { 2 });
                for to in both.flat_map(|state| self.rolls(state)).map(|(_, to)| to) {
                    let class = self.class[to] as usize;
                    if self.is_dead(to) {
                        continue;
                    }
                    if self.is_won(to) {
                        far = last;
                    } else if places[class] != u32::MAX {
                        far = far.max(places[class] as usize);
                    } else if !std::mem::replace(&mut visited[class], true) {
                        stack.push(to);
                    }
                }
            }
        }
        path.iter().map(|step| passed[places[self.class[step.to] as usize] as usize]).collect()
    }

    /// Returns whether the target can be reached from a state by steps for which `allowed(state, key, successor)` is
    /// `true`.
    fn reaches_target(&self, from: usize, allowed: impl Fn(usize, u8, usize) -> bool) -> bool {
        let mut visited = vec![false; self.class.len()];
        visited[from] = true;
        let mut stack = vec![from];
        while let Some(state) = stack.pop() {
            if self.is_won(state) {
                return true;
            }
            for (key, to) in self.edges(state) {
                if !self.is_dead(to) && !visited[to] && allowed(state, key, to) {
                    visited[to] = true;
                    stack.push(to);
                }
            }
        }
        false
    }

    /// Returns the switches and splitters that fire if a key is played in a state, one bit per letter, `A` lowest. The
    /// key must not make the block fall.
    fn used(&self, state: usize, key: u8) -> u32 {
        let block = self.graph.block[state];
        if i32::from(key) == SWITCH_KEY {
            return 0;
        }
        let rolled = block.rolled(direction(i32::from(key)));
        // Only the cube that moves lands.
        let landed = if block.is_split() { [rolled.first(); 2] } else { [rolled.first(), rolled.second()] };
        let stands = !block.is_split() && rolled.is_standing();
        landed.into_iter().fold(0, |letters, cell| {
            let fires = match self.level.switch_at(cell).map(|switch| switch.kind) {
                Some(SwitchKind::Soft) => true,
                Some(SwitchKind::Heavy | SwitchKind::Splitter(..)) => stands,
                None => false,
            };
            match self.level.tile(cell) {
                Tile::Switch(letter) if fires => letters | 1 << letter,
                _ => letters,
            }
        })
    }

    /// Returns the next landmark of a state that is neither won nor dead, and the path to it.
    fn next_landmark(&self, from: usize) -> (Vec<Step>, Landmark) {
        let mut path = self.path(from);
        let passed = self.passed(from, &path);
        // The last step of the path leads to the target.
        let elsewhere = |i: usize| self.class[path[i].to] != self.class[from];
        let landmark = match (0..path.len() - 1).find(|&i| passed[i] && elsewhere(i)) {
            Some(i) => {
                path.truncate(i + 1);
                Landmark::Position(self.graph.block[path[i].to], self.graph.bridges[path[i].to])
            }
            None => Landmark::Target,
        };
        // All shortest solutions pass through this position after equally many rolls, but they may use a switch at
        // different times. The steps of all of them are visited in order of rolls; a switch of cubes costs none.
        let end = path.last().map_or(0, |step| self.graph.distance[step.to]);
        // For each visited state but `from`, the state before it and the key that leads to it.
        let mut before = vec![(u32::MAX, 0); self.class.len()];
        let mut queue = VecDeque::from([from]);
        let mut tested = 0u32;
        while let Some(state) = queue.pop_front().filter(|&state| self.graph.distance[state] > end) {
            for (key, to) in self.edges(state) {
                let rolls = i32::from(i32::from(key) != SWITCH_KEY);
                if self.graph.distance[to] != self.graph.distance[state] - rolls {
                    continue;
                }
                let mut letters = self.used(state, key) & !tested;
                tested |= letters;
                while letters != 0 {
                    let letter = letters.trailing_zeros();
                    letters &= letters - 1;
                    // If no solution is left without the switch, every solution uses it.
                    if !self.reaches_target(from, |state, key, _| self.used(state, key) >> letter & 1 == 0) {
                        let rolled = self.graph.block[state].rolled(direction(i32::from(key)));
                        let on = |cell: &Cell| self.level.tile(*cell) == Tile::Switch(letter as u8);
                        let cell = rolled.cells().find(on).unwrap_or(rolled.first());
                        let steps = std::iter::successors(Some((state, Step { key, to })), |&(to, _)| {
                            let (state, key) = before[to];
                            (state != u32::MAX).then_some((state as usize, Step { key, to }))
                        });
                        let mut path: Vec<Step> = steps.map(|(_, step)| step).collect();
                        path.reverse();
                        return (path, Landmark::Switch(letter as u8, cell));
                    }
                }
                if to != from && before[to].0 == u32::MAX {
                    before[to] = (state as u32, key);
                    if rolls == 0 { queue.push_front(to) } else { queue.push_back(to) }
                }
            }
        }
        (path, landmark)
    }

    /// Returns the first key that wins if repeated, and how many times it is played; `None` if there is no such key.
    fn straight(&self, from: usize) -> Option<(u8, usize)> {
        (0..SWITCH_KEY as u8).find_map(|key| {
            let mut state = from;
            let mut count = 0;
            while !self.is_won(state) {
                // A splitter may put the cubes back where they were, so that the key could be repeated forever.
                if count == self.class.len() {
                    return None;
                }
                state = self.edges(state).find(|&(other, _)| other == key)?.1;
                count += 1;
            }
            Some((key, count))
        })
    }

    /// Returns the dead ends that branch off a path from state `from`, in the order of the path.
    fn dead_ends(&self, from: usize, path: &[Step]) -> Vec<DeadEnd> {
        let states = std::iter::once(from).chain(path.iter().map(|step| step.to)).take(path.len());
        states
            .flat_map(|state| {
                let block = self.graph.block[state];
                let dead = self.rolls(state).filter(|&(_, to)| self.is_dead(to));
                dead.map(move |(key, _)| DeadEnd { block, key })
            })
            .collect()
    }

    /// Returns the reason for the next keys from a state that is neither won nor dead, and the state that they lead to.
    /// [`Reason::opens`] is 0.
    fn reason(&self, from: usize) -> (Reason, usize) {
        let states = self.class.len();
        if let Some((key, count)) = self.straight(from) {
            let end = (0..count)
                .fold(from, |state, _| self.edges(state).find(|&(other, _)| other == key).map_or(state, |(_, to)| to));
            let (keys, landmark) = (vec![key; count], Some(Landmark::Target));
            let reason = Reason { rule: Rule::Straight, keys, landmark, dead_ends: Vec::new(), opens: 0, states };
            return (reason, end);
        }
        let (path, landmark) = self.next_landmark(from);
        let mut dead_ends = self.dead_ends(from, &path);
        let rolls = path.iter().filter(|step| i32::from(step.key) != SWITCH_KEY).count();
        let rule = match (rolls <= HORIZON, dead_ends.is_empty()) {
            (false, _) => Rule::Search,
            (true, true) => Rule::Landmark,
            (true, false) => Rule::DeadEnd,
        };
        // A dead end does not name the bridges, so it must hold whenever the path comes to its block.
        dead_ends.retain(|end| {
            let mut states = std::iter::once(from).chain(path.iter().map(|step| step.to)).take(path.len());
            let dead = |state| self.rolls(state).any(|(key, to)| key == end.key && self.is_dead(to));
            states.all(|state| self.graph.block[state] != end.block || dead(state))
        });
        let keys = path.iter().map(|step| step.key).collect();
        let end = path.last().map_or(from, |step| step.to);
        (Reason { rule, keys, landmark: Some(landmark), dead_ends, opens: 0, states }, end)
    }

    /// Returns the bridges that the switch `letter` (0 for `A`) can turn on, that every solution crosses, and that are
    /// off, and crossed by no block, in each state that is reached without using the switch. One bit per letter, `a`
    /// lowest.
    fn opens(&self, from: usize, letter: u8) -> u32 {
        let Some(switch) = &self.level.switches()[letter as usize] else { return 0 };
        // The bridges that the block covers in a state, one bit per letter.
        let crossed = |state: usize| {
            self.graph.block[state].cells().fold(0, |bits: u32, cell| match self.level.tile(cell) {
                Tile::Bridge(bridge) => bits | 1 << bridge,
                _ => bits,
            })
        };
        // A switch that turns a bridge on, or toggles it, has the bit of the bridge in `flip`.
        let mut opens = switch.flip;
        if opens == 0 {
            return 0;
        }
        // A bridge that is on, or covered, in a state that is reached without using the switch does not need it.
        let mut visited = vec![false; self.class.len()];
        visited[from] = true;
        let mut stack = vec![from];
        while let Some(state) = stack.pop() {
            opens &= !(self.graph.bridges[state] | crossed(state));
            for (key, to) in self.edges(state) {
                if !visited[to] && self.used(state, key) >> letter & 1 == 0 {
                    visited[to] = true;
                    stack.push(to);
                }
            }
        }
        let needed =
            |bridge: &u32| opens & bridge != 0 && !self.reaches_target(from, |_, _, to| crossed(to) & bridge == 0);
        (0..26).map(|letter| 1 << letter).filter(needed).sum()
    }

    /// Returns the keys of a path with the fewest rolls from state 0 to a fall, or an empty list if the block can fall
    /// in no reachable state. No reachable state may be won.
    fn path_to_fall(&self) -> Vec<u8> {
        // States are in the order of their depth: the first one in which the block can fall is the nearest.
        let falling =
            |state: usize| (0..SWITCH_KEY as u8).find(|&key| self.edges(state).all(|(other, _)| other != key));
        let Some((mut state, key)) = (0..self.class.len()).find_map(|state| Some((state, falling(state)?))) else {
            return Vec::new();
        };
        let mut keys = vec![key];
        while state != 0 {
            // Every state but state 0 has a predecessor earlier in the list: a twin follows directly after the state
            // with the other cube in control.
            let before =
                (0..state).find_map(|before| Some((before, self.edges(before).find(|&(_, to)| to == state)?.0)));
            let Some((before, key)) = before else { break };
            keys.push(key);
            state = before;
        }
        keys.reverse();
        keys
    }
}

impl Bloxorz {
    /// Returns the next keys from here with the easiest rule that justifies them, or `None` if the game is won.
    ///
    /// From a position without a solution the rule is [`Rule::DeadEnd`], and the keys lead to a fall, which returns the
    /// block to the start. There are no keys if the start has no solution either or if no fall can be reached.
    ///
    /// # Errors
    /// Returns the errors of [`Bloxorz::state_graph`]. `budget` counts states.
    pub fn explain(&self, budget: &mut Budget<'_>) -> Result<Option<Reason>, Error> {
        if self.status() == Status::Won {
            return Ok(None);
        }
        let graph = self.state_graph(Minimize::Rolls, budget)?;
        let map = Map::new(self.level(), &graph)?;
        if map.is_dead(0) {
            let start = Self::start(self.level().clone());
            let solvable = start != *self && start.solve(Minimize::Rolls, budget)?.is_some();
            let keys = if solvable { map.path_to_fall() } else { Vec::new() };
            let states = graph.depth.len();
            let dead = Reason { rule: Rule::DeadEnd, keys, landmark: None, dead_ends: Vec::new(), opens: 0, states };
            return Ok(Some(dead));
        }
        let (mut reason, _) = map.reason(0);
        if let Some(Landmark::Switch(letter, _)) = reason.landmark {
            reason.opens = map.opens(0, letter);
        }
        Ok(Some(reason))
    }

    /// Returns whether all, some or none of the solutions from here cover `cell`.
    ///
    /// Returns [`Coverage::Now`] if the block is on the cell, even if there is no solution. Otherwise returns `None` if
    /// there is no solution. No solution covers a cell off the board.
    ///
    /// # Errors
    /// Returns the errors of [`Bloxorz::state_graph`]. `budget` counts states.
    pub fn coverage(&self, cell: Cell, budget: &mut Budget<'_>) -> Result<Option<Coverage>, Error> {
        if self.block().cells().any(|part| part == cell) {
            return Ok(Some(Coverage::Now));
        }
        let graph = self.state_graph(Minimize::Rolls, budget)?;
        let map = Map::new(self.level(), &graph)?;
        if map.is_dead(0) {
            return Ok(None);
        }
        let covers = |state: usize| graph.block[state].cells().any(|part| part == cell);
        // A block that lands on a splitter covers the cell of the splitter for a moment, and is elsewhere in the next
        // state.
        let lands = |state: usize, key: u8, to: usize| {
            covers(to)
                || (i32::from(key) != SWITCH_KEY
                    && graph.block[state].rolled(direction(i32::from(key))).cells().any(|part| part == cell))
        };
        if !map.reaches_target(0, |state, key, to| !lands(state, key, to)) {
            let mut state = 0;
            let mut keys = Vec::new();
            for step in map.path(0) {
                keys.push(step.key);
                if lands(state, step.key, step.to) {
                    break;
                }
                state = step.to;
            }
            return Ok(Some(Coverage::Always(keys)));
        }
        let states = 0..graph.depth.len();
        let live = states.filter(|&state| !map.is_dead(state));
        let some = live
            .flat_map(|state| map.edges(state).map(move |(key, to)| (state, key, to)))
            .any(|(state, key, to)| !map.is_dead(to) && lands(state, key, to));
        Ok(Some(if some { Coverage::Sometimes } else { Coverage::Never }))
    }

    /// Returns how hard the position is.
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] if there is no solution, and the errors of [`Bloxorz::state_graph`].
    /// `budget` counts states.
    pub fn difficulty(&self, budget: &mut Budget<'_>) -> Result<Difficulty, Error> {
        let graph = self.state_graph(Minimize::Rolls, budget)?;
        self.measured(&Map::new(self.level(), &graph)?)
    }

    /// Returns how many times each rule is used, in the order of [`Rule::ALL`], if the level is solved from here one
    /// reason at a time.
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] if there is no solution, and the errors of [`Bloxorz::state_graph`].
    /// `budget` counts states.
    pub fn rules(&self, budget: &mut Budget<'_>) -> Result<[u32; 4], Error> {
        let graph = self.state_graph(Minimize::Rolls, budget)?;
        let map = Map::new(self.level(), &graph)?;
        if map.is_dead(0) {
            return Err(no_solution());
        }
        let mut counts = [0; 4];
        let mut state = 0;
        while !map.is_won(state) {
            budget.spend(graph.depth.len() as u64)?;
            let (reason, end) = map.reason(state);
            counts[reason.rule as usize] += 1;
            state = end;
        }
        Ok(counts)
    }

    /// Returns how hard the position is, from its state graph; fails if there is no solution.
    fn measured(&self, map: &Map<'_>) -> Result<Difficulty, Error> {
        if map.is_dead(0) {
            return Err(no_solution());
        }
        let graph = map.graph;
        let rolls = graph.distance[0] as u32;
        let path = map.path(0);
        let passed = map.passed(0, &path);
        // The last step leads to the target, which is excluded. A switch of cubes does not lead to another position,
        // because twins count as one.
        let between = path.iter().zip(&passed).rev().skip(1);
        let landmarks = between.filter(|(step, passed)| **passed && i32::from(step.key) != SWITCH_KEY).count() as u32;
        let from = std::iter::once(0).chain(path.iter().map(|step| step.to));
        let exits: usize = from
            .zip(&path)
            .filter(|(_, step)| i32::from(step.key) != SWITCH_KEY)
            .map(|(state, _)| map.rolls(state).count())
            .sum();
        let target = self.level().target();
        let away = self.block().cells().map(|cell| cell.row.abs_diff(target.row) + cell.col.abs_diff(target.col)).min();
        // Two rolls of a block in one direction move it by at most three cells.
        let straight = (2 * away.unwrap_or(0)).div_ceil(3).max(1);
        let mut found = Difficulty {
            grade: 1,
            rolls,
            positions: graph.depth.iter().filter(|&&depth| (depth as u32) < rolls).count() as u32,
            landmarks,
            dead: graph.distance.iter().filter(|&&distance| distance < 0).count() as u32,
            traps: map.dead_ends(0, &path).len() as u32,
            branching: exits as f64 / f64::from(rolls.max(1)),
            detour: f64::from(rolls) / f64::from(straight),
        };
        found.grade = 1 + EFFORTS.iter().filter(|&&bound| found.effort() >= bound).count() as u8;
        Ok(found)
    }
}

/// Returns the error for a position without a solution.
fn no_solution() -> Error {
    Error::NotFound("the level has no solution from here".to_owned())
}
