//! Reasoning like that of a person: one conclusion at a time, always by the easiest rule that applies.
//!
//! The rules apply to boards that have exactly as many wire ends as a tree. On such a board, a wiring connects all
//! tiles if and only if every end meets another and no loop closes. From easy to hard:
//!
//! * `border`: no wire may point off the board.
//! * `agreed`: if all remaining orientations of a tile have a wire on a side, the neighbor on that side must have a
//!   wire to the tile; if none of the orientations has one, the neighbor must not have one either.
//! * `loop`: a wire between two tiles that are already connected would close a loop.
//! * `island`: without a wire on a side, or with one, a group of tiles would be cut off from the others.
//! * `trial`: one orientation of a tile leads to a contradiction by the rules above.
//! * `search`: what is left needs an exhaustive search.
//!
//! Soundness: each of the first five rules removes an orientation only if no solution has it, because in every solution
//! all ends meet and no loop closes. So every conclusion is true in all solutions. No rule assumes that there is only
//! one solution.
//!
//! A worked example: three of the steps on the example board of the module `net`.
//!
//! ```text
//!   ╵ ┴ ╷     border: (0, 1) has no wire to the N.
//!   ╴ ┼ ╷     agreed: (0, 1) has a wire to the W, so (0, 0) has one to the E.
//!   ╶─┬ ╶     agreed: (1, 1) has wires on all sides, so (1, 0) has one to the E.
//! ```
//!
//! The first of the three leaves one of the four orientations of (0, 1), with wires to the E, S and W. By the second,
//! (0, 0) must be turned once, and by the third, (1, 0) must be turned twice. The other tiles follow in the same way.

use std::collections::{HashMap, HashSet, VecDeque};

use super::LightEmAll;
use super::orientations::Orientations;
use super::solve::spare;
use super::step::{Conclusion, Rule, Step};
use crate::core::{Budget, Error, memory};
use crate::graph::search::NONE;
use crate::graph::{Lattice, NeighborSteps};

/// What is rolled back at the end of a trial.
#[derive(Clone, Copy, Debug)]
enum Undo {
    /// A tile had the set of turns `old` left.
    Turns { tile: u32, old: u8 },
    /// The edge on a side of a tile was not settled.
    Edge { tile: u32, side: u8 },
    /// Component `low` was joined to component `top`, whose counts were `old` before.
    Joined { low: u32, top: u32, old: Component },
    /// The component represented by `root` had `old` open sides.
    Open { root: u32, old: u32 },
    /// A step was noted.
    Noted,
}

/// A component of tiles joined by edges that are on, kept at its representative.
#[derive(Clone, Copy, Debug)]
struct Component {
    /// The number of its tiles.
    size: u32,
    /// The number of wire ends of its tiles that are not used by an edge that is on.
    ends: u32,
    /// The number of sides of its tiles whose edges are not settled; an edge inside the component counts twice.
    open: u32,
}

/// The result of one attempt to draw a conclusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// A step was noted.
    Step,
    /// No solution agrees with what is settled.
    Contradiction,
    /// No rule applies.
    Stuck,
}

/// An orientation that leads to a contradiction.
struct RefutedOrientation {
    /// The number of steps to the contradiction, the assumption included.
    length: usize,
    tile: u32,
    /// The turn, as a set of one turn.
    turn: u8,
    because: Vec<u32>,
    parents: Vec<u32>,
}

/// The largest number of tiles of a component on which the rule `island` is used: a person does not survey more tiles.
const MAX_SCANNED: u32 = 1000;

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`].
const REASONS: &str = "the reasons of a board";

/// The number of steps between two checks that enough memory is left for the lists of steps.
const PROVIDED: usize = 256;

/// An upper bound on the bytes per tile of the lists and sets that are made of the tiles of one component.
const PER_TILE: usize = 128;

/// The state of reasoning about one board.
///
/// Invariant: the steps noted so far, and the border of the board, imply everything that is settled, whatever the
/// queues hold.
pub struct Reasoner {
    steps: NeighborSteps,
    sides: usize,
    tiles: u32,
    orientations: Orientations,
    /// By tile: its mask on the board.
    base: Vec<u8>,
    /// By tile: the set of turns left.
    turns: Vec<u8>,
    /// By tile: the mask of sides that are settled as on.
    on: Vec<u8>,
    /// By tile: the mask of sides that are settled as off.
    off: Vec<u8>,
    /// By tile: the next tile on the path to the representative of its component; a representative is its own parent.
    parent: Vec<u32>,
    /// By tile: the component that it represents, or represented until that component was joined to another.
    component: Vec<Component>,
    /// By tile: the next tile in a ring of all tiles of its component.
    next: Vec<u32>,
    /// By tile: the indices of the steps about it.
    facts: Vec<Vec<u32>>,
    /// The steps so far, in order.
    noted: Vec<Step>,
    /// The number of steps for whose lists enough memory was left at the last check.
    provided: usize,
    /// The changes that can be rolled back, in order.
    trail: Vec<Undo>,
    /// The next tile whose sides are checked against the border.
    border: u32,
    /// Tiles whose sets of turns are to be examined.
    changed: VecDeque<u32>,
    /// Edges that may close a loop, by tile and side.
    loops: VecDeque<(u32, u8)>,
    /// Tiles whose components are to be examined.
    groups: VecDeque<u32>,
    /// What the last contradiction follows from: steps by index, and tiles.
    conflict: (Vec<u32>, Vec<u32>),
}

impl Reasoner {
    /// Starts to reason about a board. Returns `None` if the board has more or fewer wire ends than a tree: the rules
    /// do not apply to it.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the memory cannot be allocated, and [`Error::Interrupted`] if the watcher of the
    /// budget ends the call.
    pub fn new(game: &LightEmAll, budget: &mut Budget<'_>) -> Result<Option<Self>, Error> {
        if spare(game) != 0 {
            return Ok(None);
        }
        let lattice = *game.lattice();
        let n = lattice.len();
        let orientations = Orientations::new(lattice);
        let wires = game.wires();
        let base = memory::watched(n, |tile| wires[tile], REASONS, budget)?;
        let steps = NeighborSteps::try_new(lattice)?;
        let component = |tile: usize| Component {
            size: 1,
            ends: wires[tile].count_ones(),
            open: steps.around(tile).count() as u32,
        };
        let component = memory::watched(n, component, REASONS, budget)?;
        let turns = memory::watched(n, |tile| orientations.all(wires[tile]), REASONS, budget)?;
        let [parent, next, changed, groups] = [(); 4].map(|()| memory::watched(n, |tile| tile as u32, REASONS, budget));
        Ok(Some(Self {
            sides: lattice.sides(),
            tiles: n as u32,
            turns,
            on: memory::filled(0, n, REASONS)?,
            off: memory::filled(0, n, REASONS)?,
            parent: parent?,
            component,
            next: next?,
            facts: memory::filled_watched(Vec::new(), n, REASONS, budget)?,
            noted: Vec::new(),
            provided: 0,
            trail: Vec::new(),
            border: 0,
            changed: changed?.into(),
            loops: VecDeque::new(),
            groups: groups?.into(),
            conflict: (Vec::new(), Vec::new()),
            orientations,
            base,
            steps,
        }))
    }

    /// Returns the steps so far, in order.
    pub fn noted(&self) -> &[Step] {
        &self.noted
    }

    /// Returns the set of turns that a tile has left, bit `t` for `t` turns clockwise from its mask on the board.
    pub fn turns_left(&self, tile: u32) -> u8 {
        self.turns[tile as usize]
    }

    /// Returns the indices in [`Reasoner::noted`] of the steps about a tile, in order.
    pub fn facts(&self, tile: u32) -> &[u32] {
        &self.facts[tile as usize]
    }

    /// Returns the board as a graph.
    fn lattice(&self) -> &Lattice {
        self.steps.lattice()
    }

    /// Returns the representative of a tile's component.
    fn find(&self, tile: u32) -> u32 {
        let mut at = tile;
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
        }
        at
    }

    /// Returns the mask of the sides of a tile that are not settled.
    fn unsettled(&self, tile: u32) -> u8 {
        !(self.on[tile as usize] | self.off[tile as usize]) & ((1 << self.sides) - 1)
    }

    /// Returns the tiles of a component.
    fn group(&self, root: u32) -> Vec<u32> {
        let mut tiles = vec![root];
        let mut at = self.next[root as usize];
        while at != root {
            tiles.push(at);
            at = self.next[at as usize];
        }
        tiles
    }

    /// Returns the indices of the steps that settled edges of `tiles`; if `links` is `true`, only of those that settled
    /// an edge between two of the tiles as on.
    fn edge_facts(&self, tiles: &[u32], links: bool) -> Vec<u32> {
        let set: HashSet<u32> = tiles.iter().copied().collect();
        let mut steps: Vec<u32> = tiles.iter().flat_map(|&tile| self.facts[tile as usize].iter().copied()).collect();
        steps.sort_unstable();
        steps.dedup();
        steps.retain(|&step| match self.noted[step as usize].conclusion {
            Conclusion::Not { .. } => false,
            Conclusion::Off { .. } => !links,
            on @ Conclusion::On { tile, .. } => {
                !links || (set.contains(&tile) && self.beyond(on).is_some_and(|other| set.contains(&other)))
            }
        });
        steps
    }

    /// Returns the tiles on the path between two tiles of the same component, from `to` back to `from`. All edges of
    /// the path are on.
    fn path(&self, from: u32, to: u32) -> Vec<u32> {
        // By tile reached: the tile from which the breadth-first search reached it.
        let mut came = HashMap::from([(from, NONE)]);
        let mut queue = VecDeque::from([from]);
        while let Some(tile) = queue.pop_front() {
            if tile == to {
                break;
            }
            for (side, other) in self.steps.around(tile as usize) {
                if self.on[tile as usize] >> side & 1 == 1 && !came.contains_key(&(other as u32)) {
                    came.insert(other as u32, tile);
                    queue.push_back(other as u32);
                }
            }
        }
        let mut path = vec![to];
        while let Some(&back) = came.get(&path[path.len() - 1]).filter(|&&back| back != NONE) {
            path.push(back);
        }
        path
    }

    /// Reserves room for the next step and for what follows from it, except for lists of the tiles of a component.
    fn make_room(&mut self) -> Result<(), Error> {
        memory::room(&mut self.noted, 2, REASONS)?;
        memory::room(&mut self.trail, 16, REASONS)?;
        for queue in [&mut self.changed, &mut self.groups] {
            queue.try_reserve(4).map_err(|_| Error::memory(REASONS))?;
        }
        if self.noted.len() >= self.provided {
            // The short lists of the next steps are small allocations, which are not checked one by one.
            memory::probe(PROVIDED * 4096, REASONS)?;
            self.provided = self.noted.len() + PROVIDED;
        }
        Ok(())
    }

    /// Notes a step as a fact about the tile that its conclusion names and, for an edge, about the tile beyond.
    fn note(&mut self, rule: Rule, conclusion: Conclusion, because: Vec<u32>, parents: Vec<u32>) {
        let index = self.noted.len() as u32;
        let tile = conclusion.tile();
        self.facts[tile as usize].push(index);
        if let Some(other) = self.beyond(conclusion) {
            self.facts[other as usize].push(index);
        }
        self.noted.push(Step { rule, conclusion, because, parents });
        self.trail.push(Undo::Noted);
    }

    /// Returns the tiles that a conclusion is about: the tile that it names, and for an edge the tile beyond it.
    pub fn tiles_of(&self, conclusion: Conclusion) -> [Option<u32>; 2] {
        [Some(conclusion.tile()), self.beyond(conclusion)]
    }

    /// Returns the tile beyond the edge of a conclusion; `None` if the conclusion is not about an edge, or if the board
    /// ends there.
    fn beyond(&self, conclusion: Conclusion) -> Option<u32> {
        let (Conclusion::On { tile, side } | Conclusion::Off { tile, side }) = conclusion else { return None };
        self.steps.neighbor(tile as usize, usize::from(side)).map(|other| other as u32)
    }

    /// Removes all turns of a tile but those in `keep`; returns `false` and records the conflict if none is left.
    fn restrict(&mut self, tile: u32, keep: u8) -> bool {
        let old = self.turns[tile as usize];
        let new = old & keep;
        if new == old {
            return true;
        }
        self.trail.push(Undo::Turns { tile, old });
        self.turns[tile as usize] = new;
        self.changed.push_back(tile);
        if new == 0 {
            self.conflict = (self.facts[tile as usize].clone(), vec![tile]);
        }
        new != 0
    }

    /// Settles an edge that is not settled yet as on or off; returns `false` and records the conflict on a
    /// contradiction.
    fn settle(&mut self, tile: u32, side: u8, on: bool) -> bool {
        let Some(other) = self.steps.neighbor(tile as usize, usize::from(side)) else { return !on };
        let other = other as u32;
        let back = self.lattice().opposite(usize::from(side)) as u8;
        let (a, b) = (self.find(tile), self.find(other));
        if on && a == b {
            // The path does not use the new edge, which is not on yet. The path and the new edge form the loop.
            let path = self.path(tile, other);
            self.conflict = (self.edge_facts(&path, true), path);
            return false;
        }
        self.trail.push(Undo::Edge { tile, side });
        let settled = if on { &mut self.on } else { &mut self.off };
        settled[tile as usize] |= 1 << side;
        settled[other as usize] |= 1 << back;
        if on {
            self.join(a, b);
        } else {
            for root in [a, b] {
                let old = self.component[root as usize].open;
                self.trail.push(Undo::Open { root, old });
                self.component[root as usize].open -= 1;
            }
        }
        self.groups.extend([tile, other]);
        let (mine, theirs) = (self.base[tile as usize], self.base[other as usize]);
        self.restrict(tile, self.orientations.with(mine, usize::from(side), on))
            && self.restrict(other, self.orientations.with(theirs, usize::from(back), on))
    }

    /// Joins two components by an edge that is on, and lists the edges that would now close a loop.
    fn join(&mut self, a: u32, b: u32) {
        let bigger = self.component[a as usize].size >= self.component[b as usize].size;
        let (top, low) = if bigger { (a, b) } else { (b, a) };
        let tiles = self.group(low);
        let (old, part) = (self.component[top as usize], self.component[low as usize]);
        self.trail.push(Undo::Joined { low, top, old });
        self.parent[low as usize] = top;
        self.next.swap(top as usize, low as usize);
        // Each of the two tiles uses one end and one open side for the edge. If a tile has no end left for the edge,
        // `restrict` reports afterward that no orientation is left, so the count of ends may saturate at 0 here.
        self.component[top as usize] = Component {
            size: old.size + part.size,
            ends: (old.ends + part.ends).saturating_sub(2),
            open: (old.open + part.open).saturating_sub(2),
        };
        for tile in tiles {
            for (side, other) in self.steps.around(tile as usize) {
                if self.unsettled(tile) >> side & 1 == 1 && self.find(other as u32) == top {
                    self.loops.push_back((tile, side as u8));
                }
            }
        }
    }

    /// Notes a step that settles an edge, and settles the edge.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if there is not enough memory for what follows from the step.
    fn conclude_edge(
        &mut self,
        rule: Rule,
        tile: u32,
        side: u8,
        on: bool,
        because: Vec<u32>,
    ) -> Result<Progress, Error> {
        if let Some(other) = self.steps.neighbor(tile as usize, usize::from(side)).filter(|_| on) {
            // The tiles of the smaller component are listed, or, if the edge closes a loop, those of the path.
            let [a, b] = [tile, other as u32].map(|tile| self.component[self.find(tile) as usize].size);
            memory::probe(a.min(b) as usize * PER_TILE, REASONS)?;
        }
        let parents = match rule {
            Rule::Loop => self.edge_facts(&because, true),
            Rule::Island => self.edge_facts(&because, false),
            _ => self.facts[tile as usize].clone(),
        };
        let conclusion = if on { Conclusion::On { tile, side } } else { Conclusion::Off { tile, side } };
        self.note(rule, conclusion, because, parents);
        Ok(if self.settle(tile, side, on) { Progress::Step } else { Progress::Contradiction })
    }

    /// Draws the next conclusion by the easiest of the first four rules that applies.
    ///
    /// # Errors
    /// Returns [`Error::Interrupted`] if the watcher of the budget ends the call, and [`Error::Memory`] if there is not
    /// enough memory for the conclusion. Nothing is spent from the budget.
    fn conclude(&mut self, budget: &mut Budget<'_>) -> Result<Progress, Error> {
        self.make_room()?;
        // On a huge board, many tiles are passed over before the first conclusion.
        let mut passed = 0u32;
        let mut look = || {
            passed += 1;
            if passed.is_multiple_of(1 << 14) { budget.pause() } else { Ok(()) }
        };
        // Border: a side without a neighbor has no wire. `border` is the first tile whose sides are not all checked.
        while self.border < self.tiles {
            let tile = self.border;
            let edge = (0..self.sides).find(|&side| {
                self.off[tile as usize] >> side & 1 == 0 && self.steps.neighbor(tile as usize, side).is_none()
            });
            let Some(side) = edge else {
                self.border += 1;
                look()?;
                continue;
            };
            self.off[tile as usize] |= 1 << side;
            let keep = self.orientations.with(self.base[tile as usize], side, false);
            // If no remaining turn has a wire on the side, the side is set to off without a step: no turn is excluded.
            if self.turns[tile as usize] & !keep != 0 {
                self.note(Rule::Border, Conclusion::Off { tile, side: side as u8 }, Vec::new(), Vec::new());
                return Ok(if self.restrict(tile, keep) { Progress::Step } else { Progress::Contradiction });
            }
        }
        // Agreed: a side on which all remaining turns have a wire, or none has. The tile stays in the queue until no
        // such side is left, because each call draws only one conclusion.
        while let Some(&tile) = self.changed.front() {
            let (all, any) = self.orientations.agreement(self.base[tile as usize], self.turns[tile as usize]);
            let settled = (all | !any) & self.unsettled(tile);
            if settled == 0 {
                self.changed.pop_front();
                look()?;
                continue;
            }
            let side = settled.trailing_zeros() as u8;
            return self.conclude_edge(Rule::Agreed, tile, side, all >> side & 1 == 1, vec![tile]);
        }
        // Loop: an edge between two tiles of the same component would close a loop, so it is off.
        while let Some(&(tile, side)) = self.loops.front() {
            let root = self.find(tile);
            let other = self.steps.neighbor(tile as usize, usize::from(side));
            let other = other.filter(|&other| self.unsettled(tile) >> side & 1 == 1 && self.find(other as u32) == root);
            if let Some(other) = other {
                memory::probe(self.component[root as usize].size as usize * PER_TILE, REASONS)?;
                let path = self.path(tile, other as u32);
                return self.conclude_edge(Rule::Loop, tile, side, false, path);
            }
            self.loops.pop_front();
        }
        // Island: a component must not be cut off from the other tiles.
        while let Some(&tile) = self.groups.front() {
            if let Some(progress) = self.island(self.find(tile))? {
                return Ok(progress);
            }
            self.groups.pop_front();
            look()?;
        }
        Ok(Progress::Stuck)
    }

    /// Looks for a conclusion of the rule `island` about a component; `None` if there is none.
    ///
    /// # Errors
    /// Returns the error of [`Reasoner::conclude_edge`].
    fn island(&mut self, root: u32) -> Result<Option<Progress>, Error> {
        let component = self.component[root as usize];
        if component.size == self.tiles || component.size > MAX_SCANNED {
            return Ok(None);
        }
        let tiles = self.group(root);
        if component.ends == 0 || component.open < component.ends {
            self.conflict = (self.edge_facts(&tiles, false), tiles);
            return Ok(Some(Progress::Contradiction));
        }
        if component.open > component.ends && component.ends > 1 {
            return Ok(None);
        }
        for &tile in &tiles {
            let unsettled = self.unsettled(tile);
            for side in (0..self.sides).filter(|side| unsettled >> side & 1 == 1) {
                // There are as many ends as open sides, so every open side gets a wire.
                if component.open == component.ends {
                    return self.conclude_edge(Rule::Island, tile, side as u8, true, tiles).map(Some);
                }
                // Both components have one end left. If this edge joined them, they would be cut off together.
                let Some(other) = self.steps.neighbor(tile as usize, side) else { continue };
                let there = self.find(other as u32);
                let far = self.component[there as usize];
                if there != root && far.ends == 1 && far.size + component.size < self.tiles && far.size <= MAX_SCANNED {
                    let both = [tiles.clone(), self.group(there)].concat();
                    return self.conclude_edge(Rule::Island, tile, side as u8, false, both).map(Some);
                }
            }
        }
        Ok(None)
    }

    /// Rolls back all changes since the trail had the length `mark`, and clears the queues.
    fn roll_back(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some(undo) = self.trail.pop() else { break };
            match undo {
                Undo::Turns { tile, old } => self.turns[tile as usize] = old,
                Undo::Edge { tile, side } => {
                    let Some(other) = self.steps.neighbor(tile as usize, usize::from(side)) else { continue };
                    let back = self.lattice().opposite(usize::from(side));
                    for settled in [&mut self.on, &mut self.off] {
                        settled[tile as usize] &= !(1 << side);
                        settled[other] &= !(1 << back);
                    }
                }
                Undo::Joined { low, top, old } => {
                    self.parent[low as usize] = low;
                    self.next.swap(top as usize, low as usize);
                    self.component[top as usize] = old;
                }
                Undo::Open { root, old } => self.component[root as usize].open = old,
                Undo::Noted => {
                    if let Some(step) = self.noted.pop() {
                        self.facts[step.conclusion.tile() as usize].pop();
                        if let Some(other) = self.beyond(step.conclusion) {
                            self.facts[other as usize].pop();
                        }
                    }
                }
            }
        }
        self.changed.clear();
        self.loops.clear();
        self.groups.clear();
    }

    /// Assumes one of the turns that a tile has left, given as a set of one turn, and draws conclusions until more than
    /// `most` steps are noted, the assumption included. Returns the number of steps to a contradiction, which may
    /// exceed `most` by one; `None` if no contradiction was reached.
    ///
    /// # Errors
    /// Returns the error of [`Reasoner::conclude`].
    fn assume(&mut self, tile: u32, turn: u8, most: usize, budget: &mut Budget<'_>) -> Result<Option<usize>, Error> {
        let first = self.noted.len();
        // The assumption is noted as a step about the tile, so that its consequences can be traced back to it. Only the
        // tile and the parents of the step are used: its conclusion would exclude the very turn that is assumed.
        let assumed = Conclusion::Not { tile, turns: turn.trailing_zeros() as u8 };
        self.note(Rule::Trial, assumed, Vec::new(), self.facts[tile as usize].clone());
        // The tile still has this turn, so exactly one turn remains and the call cannot fail.
        self.restrict(tile, turn);
        loop {
            if self.noted.len() - first > most {
                return Ok(None);
            }
            match self.conclude(budget)? {
                Progress::Step => {}
                Progress::Contradiction => return Ok(Some(self.noted.len() - first)),
                Progress::Stuck => return Ok(None),
            }
        }
    }

    /// Traces the last conflict back through the steps from `first` on. Returns the tiles of the conflict and of these
    /// steps, and the steps before `first` from which they follow.
    fn trace(&self, first: usize) -> (Vec<u32>, Vec<u32>) {
        let (mut open, mut tiles) = self.conflict.clone();
        let (mut seen, mut before) = (HashSet::new(), Vec::new());
        while let Some(step) = open.pop() {
            if !seen.insert(step) {
                continue;
            }
            if (step as usize) < first {
                before.push(step);
                continue;
            }
            let step = &self.noted[step as usize];
            tiles.push(step.conclusion.tile());
            tiles.extend(self.beyond(step.conclusion));
            open.extend(&step.parents);
        }
        tiles.sort_unstable();
        tiles.dedup();
        before.sort_unstable();
        (tiles, before)
    }

    /// Finds the orientation of a tile that leads to a contradiction in the fewest steps, and removes it.
    fn trial(&mut self, budget: &mut Budget<'_>) -> Result<Progress, Error> {
        let mut best: Option<RefutedOrientation> = None;
        for tile in 0..self.tiles {
            let left = self.turns[tile as usize];
            if left.is_power_of_two() {
                continue;
            }
            // Of two equally short contradictions, the first counts. The order does not depend on how the tiles are
            // turned now, so neither do the conclusions.
            for turn in self.orientations.in_order(self.base[tile as usize], left) {
                let (mark, first) = (self.trail.len(), self.noted.len());
                // Prune: only a contradiction in fewer steps than the best so far is of use.
                let most = best.as_ref().map_or(usize::MAX, |best| best.length - 1);
                let found = self.assume(tile, turn, most, budget);
                let spent = budget.spend(1 + (self.noted.len() - first) as u64);
                // If the budget ends the trial, the assumption is rolled back nevertheless.
                let length = found.and_then(|length| spent.map(|()| length)).inspect_err(|_| self.roll_back(mark))?;
                if let Some(length) = length
                    && length <= most
                {
                    let listed = (self.noted.len() - first) * PER_TILE;
                    memory::probe(listed, REASONS).inspect_err(|_| self.roll_back(mark))?;
                    let (because, parents) = self.trace(first);
                    best = Some(RefutedOrientation { length, tile, turn, because, parents });
                }
                self.roll_back(mark);
            }
        }
        let Some(RefutedOrientation { tile, turn, because, parents, .. }) = best else { return Ok(Progress::Stuck) };
        self.note(Rule::Trial, Conclusion::Not { tile, turns: turn.trailing_zeros() as u8 }, because, parents);
        let sound = self.restrict(tile, !turn);
        // Rolling back clears the queues. They were empty before the trial, since no easier rule applied, so only this
        // tile, which `restrict` queues, can lead to a new conclusion.
        Ok(if sound { Progress::Step } else { Progress::Contradiction })
    }

    /// Draws the next conclusion by the easiest rule that applies, except `search`, and notes it. Returns `None` if no
    /// rule applies. `budget` counts steps, those of trials included.
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] if a rule shows that the board has no solution, [`Error::Limit`] if the budget
    /// runs out, [`Error::Interrupted`] if its watcher ends the call, and [`Error::Memory`] if there is not enough
    /// memory for the step.
    pub fn step(&mut self, budget: &mut Budget<'_>) -> Result<Option<&Step>, Error> {
        budget.spend(1)?;
        let progress = match self.conclude(budget)? {
            Progress::Stuck => self.trial(budget)?,
            other => other,
        };
        // The conclusion is true in every solution and is never rolled back.
        self.trail.clear();
        match progress {
            Progress::Step => Ok(self.noted.last()),
            Progress::Stuck => Ok(None),
            Progress::Contradiction => Err(Error::NotFound("the board has no solution".to_owned())),
        }
    }

    /// Returns the hardest step among `steps` (indices) and all steps from which they follow: the earliest one of the
    /// hardest rule. Returns `None` if `steps` is empty.
    ///
    /// If a tile is already in the only orientation that it has left, an `agreed` step that follows from it is not
    /// traced further: a player sees what the tile implies about its neighbors.
    pub fn hardest(&self, steps: &[u32]) -> Option<&Step> {
        let mut open = steps.to_vec();
        let mut seen = HashSet::new();
        let mut hardest: Option<u32> = None;
        while let Some(index) = open.pop() {
            if !seen.insert(index) {
                continue;
            }
            let rule = self.noted[index as usize].rule;
            let harder = hardest.is_none_or(|best| {
                let known = self.noted[best as usize].rule;
                rule > known || (rule == known && index < best)
            });
            if harder {
                hardest = Some(index);
            }
            let step = &self.noted[index as usize];
            if step.rule != Rule::Agreed || self.turns[step.conclusion.tile() as usize] != 1 {
                open.extend(&step.parents);
            }
        }
        hardest.map(|index| &self.noted[index as usize])
    }
}
