//! Propagation and probing on boards of n tiles that have exactly as many wire ends as a tree, 2 (n - 1).
//!
//! On such a board every end must meet another, no loop may close, and no group of tiles may be cut off: a wiring of n
//! tiles with n - 1 links connects all of them if and only if it has no loop. The state holds, for each tile, the set
//! of turns that are still possible; an edge is settled (on: wires meet there; off: no wires are there) once all turns
//! that a tile has left agree about it. A union-find that can be rolled back counts, for each component, its free ends
//! and its open sides (sides whose edges are not settled), and keeps the xor of the numbers of these edges. If a single
//! open side is left, the xor is the number of its edge, so the edge need not be searched for.
//!
//! When this propagation stops, each turn of each open tile (one with several turns left) is tried, and dropped if it
//! leads to a contradiction (probing). The module `search` searches the tiles that are still open after that.
//!
//! A worked example, on a board of 16 = 2 (9 - 1) ends:
//!
//! ```text
//!   ╵ ┴ ╷     ╶─┬─╴
//!   ╴ ┼ ╷     ╶─┼─╴
//!   ╶─┬ ╶     ╶─┴─╴
//!   start     solved
//! ```
//!
//! The T at (0, 1) has no neighbor above, so only the turn with the wires E, S and W is left. With one turn left, its
//! three edges are settled: all are on. The leaf at (0, 0) has its one wire on the edge to (0, 1), so its other edge,
//! to (1, 0), is off. The bottom row follows by symmetry. The cross at (1, 1) has wires on all sides, which fixes (1,
//! 0) and (1, 2).

use super::component::{Component, MAX_FORCED, MAX_SCANNED, Undo};
use super::orientations::Orientations;
use crate::core::{Budget, Error, memory};
use crate::graph::{Lattice, NeighborSteps};

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`].
pub(super) const BOARD: &str = "the search on a board of this size";

/// The number of tiles or conclusions between two calls of [`Budget::pause`] while a board is set up.
const PAUSE: usize = 1 << 12;

/// The state of the search.
///
/// Invariant after a call of `propagate` that returned `true`: every edge about which all turns of a tile agree is
/// settled, and the queues are empty.
pub(super) struct Net {
    steps: NeighborSteps,
    sides: usize,
    tiles: u32,
    /// By tile: its mask on the board as given.
    base: Vec<u8>,
    /// By tile: the set of turns left, bit `t` for `t` turns clockwise from `base`.
    turns: Vec<u8>,
    /// By tile: the mask of sides whose edges are settled, sides without a neighbor included.
    known: Vec<u8>,
    /// By tile: the next tile on the path to the representative of its component; a representative is its own parent.
    parent: Vec<u32>,
    /// By tile: the component that it represents, or represented until that component was joined to another.
    component: Vec<Component>,
    /// By tile: the next tile in a ring of all tiles of its component. Swapping the entries of two tiles joins their
    /// rings; swapping them again separates the rings.
    next: Vec<u32>,
    orientations: Orientations,
    /// The changes that can be rolled back, in order.
    trail: Vec<Undo>,
    /// Tiles whose sets of turns are to be examined.
    queue: Vec<u32>,
    queued: Vec<bool>,
    /// Edges that are to be settled: tile, side, and `true` for on.
    forced: Vec<(u32, u8, bool)>,
    /// Components that [`Net::check`] must look at, each given by one of its tiles.
    checks: Vec<u32>,
}

impl Net {
    /// Sets up a board from the mask of each tile and propagates; returns `None` if that leads to a contradiction.
    ///
    /// # Errors
    /// Returns [`Error::Interrupted`] if the watcher ends the call, and [`Error::Memory`] if the board is too large.
    /// Nothing is spent from the budget.
    pub(super) fn new(lattice: Lattice, wires: &[u8], budget: &mut Budget<'_>) -> Result<Option<Self>, Error> {
        let (sides, n) = (lattice.sides(), lattice.len());
        let orientations = Orientations::new(lattice);
        let steps = NeighborSteps::try_new(lattice)?;
        let base = memory::collected(n, wires.iter().copied(), BOARD)?;
        let mut net = Self {
            sides,
            tiles: n as u32,
            turns: memory::collected(n, base.iter().map(|&mask| orientations.all(mask)), BOARD)?,
            known: memory::filled(0, n, BOARD)?,
            parent: memory::collected(n, 0..n as u32, BOARD)?,
            component: memory::with_capacity(n, BOARD)?,
            next: memory::collected(n, 0..n as u32, BOARD)?,
            orientations,
            trail: Vec::new(),
            queue: memory::collected(n, (0..n as u32).rev(), BOARD)?,
            queued: memory::filled(true, n, BOARD)?,
            forced: Vec::new(),
            checks: Vec::new(),
            base,
            steps,
        };
        for tile in 0..n {
            if tile % PAUSE == 0 {
                budget.pause()?;
            }
            memory::room(&mut net.forced, sides, BOARD)?;
            let component = net.look_at(tile);
            net.component.push(component);
            // No turn keeps all wires of the tile on the board, or the tile has no wires but is not the only tile.
            if net.turns[tile] == 0 || (component.ends == 0 && n > 1) {
                return Ok(None);
            }
        }
        Ok(net.settle_all(budget)?.then_some(net))
    }

    /// Settles the sides of a tile that lie on the border, and, if the tile is a leaf on a board of more than two
    /// tiles, forces its edges to other leaves off. Returns the component of the tile alone, with none of its edges
    /// settled.
    fn look_at(&mut self, tile: usize) -> Component {
        // `xor` combines the numbers of all open edges. Once a single edge is open, `xor` is the number of that edge.
        let mut component = Component { size: 1, ends: self.base[tile].count_ones(), open: 0, xor: 0 };
        if let Some(deltas) = self.steps.inner(tile) {
            component.open = self.sides as u32;
            // Of each pair of opposite sides, the tile owns the edge on the first side, and its neighbor on the second
            // side owns the other edge.
            for side in 0..self.sides / 2 {
                let other = (tile as i32 + deltas[side + self.sides / 2]) as usize;
                component.xor ^= (tile * 4 + side) as u32 ^ (other * 4 + side) as u32;
            }
        } else {
            for side in 0..self.sides {
                if let Some(other) = self.steps.neighbor(tile, side) {
                    component.open += 1;
                    component.xor ^= self.number(tile, side, other);
                } else {
                    self.known[tile] |= 1 << side;
                    self.turns[tile] &= self.orientations.with(self.base[tile], side, false);
                }
            }
        }
        // Two leaves (tiles with one wire) that are joined are cut off from all other tiles.
        if component.ends == 1 && self.tiles > 2 {
            for side in 0..self.sides {
                if self.steps.neighbor(tile, side).is_some_and(|other| self.base[other].is_power_of_two()) {
                    self.forced.push((tile as u32, side as u8, false));
                }
            }
        }
        component
    }

    /// Draws conclusions until none is left, and makes them permanent; returns `false` on a contradiction.
    ///
    /// # Errors
    /// Returns [`Error::Interrupted`] if the watcher ends the call, and [`Error::Memory`] if the board is too large.
    fn settle_all(&mut self, budget: &mut Budget<'_>) -> Result<bool, Error> {
        // One conclusion settles at most `sides` edges, each of which changes the turns of at most two tiles.
        memory::room(&mut self.trail, 3 * self.sides, BOARD)?;
        loop {
            budget.pause()?;
            for _ in 0..PAUSE {
                // These conclusions are true in every solution and are never rolled back.
                self.trail.clear();
                memory::room(&mut self.forced, MAX_FORCED, BOARD)?;
                memory::room(&mut self.checks, 2 * self.sides, BOARD)?;
                match self.conclude() {
                    Some(true) => {}
                    Some(false) => return Ok(false),
                    None => return Ok(true),
                }
            }
        }
    }

    /// Replaces the board with `wires`, another wiring that connects all tiles without a loop, and propagates. Only
    /// `tiles` are solved again: they must include every open tile and every tile whose wires have changed. All other
    /// tiles keep the wires that they have in `wires`, as if these wires had been concluded. Returns `false` on a
    /// contradiction. The queues and the trail must be empty.
    ///
    /// # Errors
    /// Returns [`Error::Interrupted`] if the watcher ends the call, and [`Error::Memory`] if the board is too large.
    /// Nothing is spent from the budget.
    pub(super) fn reopen(&mut self, wires: &[u8], tiles: &[u32], budget: &mut Budget<'_>) -> Result<bool, Error> {
        let all = (1u8 << self.sides) - 1;
        self.base.copy_from_slice(wires);
        self.known.fill(all);
        // Only bit 0 is set, which stands for 0 turns: the tile keeps its mask.
        self.turns.fill(1);
        for &tile in tiles {
            self.known[tile as usize] = 0;
            self.turns[tile as usize] = self.orientations.all(wires[tile as usize]);
        }
        for &tile in tiles {
            memory::room(&mut self.forced, self.sides, BOARD)?;
            self.look_at(tile as usize);
            self.enqueue(tile);
            for side in 0..self.sides {
                if let Some(other) = self.steps.neighbor(tile as usize, side) {
                    self.known[other] &= !(1 << self.steps.lattice().opposite(side));
                    self.enqueue(other as u32);
                }
            }
        }
        // The components are computed again: each is a part of the tree whose edges all lie between tiles that keep
        // their wires.
        self.component.fill(Component { size: 1, ends: 0, open: 0, xor: 0 });
        for (tile, (parent, next)) in (0..).zip(self.parent.iter_mut().zip(&mut self.next)) {
            (*parent, *next) = (tile, tile);
        }
        for tile in 0..self.tiles as usize {
            if tile % PAUSE == 0 {
                budget.pause()?;
            }
            let mut open = !self.known[tile] & all;
            if open == 0 {
                continue;
            }
            let mut component = Component { size: 1, ends: (wires[tile] & open).count_ones(), open: 0, xor: 0 };
            while open != 0 {
                let side = open.trailing_zeros() as usize;
                open &= open - 1;
                if let Some(other) = self.steps.neighbor(tile, side) {
                    component.open += 1;
                    component.xor ^= self.number(tile, side, other);
                }
            }
            self.component[tile] = component;
        }
        let owned = (1u8 << (self.sides / 2)) - 1;
        for tile in 0..self.tiles as usize {
            if tile % PAUSE == 0 {
                budget.pause()?;
            }
            let mut on = wires[tile] & self.known[tile] & owned;
            while on != 0 {
                let side = on.trailing_zeros() as usize;
                on &= on - 1;
                if let Some(other) = self.steps.neighbor(tile, side) {
                    self.unite(tile as u32, other as u32);
                }
            }
        }
        self.settle_all(budget)
    }

    /// Joins the components of two tiles permanently. Paths to the representatives are halved, which cannot be rolled
    /// back.
    #[inline]
    fn unite(&mut self, a: u32, b: u32) {
        let [a, b] = [a, b].map(|mut at| {
            while self.parent[at as usize] != at {
                let up = self.parent[at as usize];
                self.parent[at as usize] = self.parent[up as usize];
                at = self.parent[at as usize];
            }
            at
        });
        let (top, low) =
            if self.component[a as usize].size < self.component[b as usize].size { (b, a) } else { (a, b) };
        let part = self.component[low as usize];
        let whole = &mut self.component[top as usize];
        whole.size += part.size;
        whole.ends += part.ends;
        whole.open += part.open;
        whole.xor ^= part.xor;
        self.parent[low as usize] = top;
        self.next.swap(top as usize, low as usize);
    }

    /// Queues a tile whose set of turns is to be examined, if it is not queued already.
    #[inline]
    fn enqueue(&mut self, tile: u32) {
        if !self.queued[tile as usize] {
            self.queued[tile as usize] = true;
            self.queue.push(tile);
        }
    }

    /// Returns the number of the edge on `side` of `tile`, beyond which `other` lies: the same number from either tile.
    #[inline]
    fn number(&self, tile: usize, side: usize, other: usize) -> u32 {
        let half = self.sides / 2;
        // Each tile owns the edges on the first half of its sides: 2 on squares, 3 on hexagons, so 4 numbers per tile
        // are enough.
        let (owner, side) = if side < half { (tile, side) } else { (other, side - half) };
        (owner * 4 + side) as u32
    }

    /// Returns the representative of a tile's component. Does not shorten paths, because that could not be rolled back.
    #[inline]
    fn find(&self, tile: u32) -> u32 {
        let mut at = tile;
        loop {
            let up = self.parent[at as usize];
            if up == at {
                return at;
            }
            at = up;
        }
    }

    /// Makes the representative of each tile the tile's parent. The trail must be empty, since the change of the
    /// parents cannot be rolled back.
    pub(super) fn flatten(&mut self) {
        for tile in 0..self.tiles {
            let root = self.find(tile);
            self.parent[tile as usize] = root;
        }
    }

    /// Returns `true` if a tile has more than one turn left.
    #[inline]
    pub(super) fn is_open(&self, tile: u32) -> bool {
        !self.turns[tile as usize].is_power_of_two()
    }

    /// Removes all turns of a tile but those in `keep`; returns `false`, and removes none, if none would be left.
    #[inline(always)]
    fn restrict(&mut self, tile: u32, keep: u8) -> bool {
        let old = self.turns[tile as usize];
        let new = old & keep;
        if new != old {
            if new == 0 {
                return false;
            }
            self.trail.push(Undo::Turns { tile, old });
            self.turns[tile as usize] = new;
            self.enqueue(tile);
        }
        true
    }

    /// Returns the turns after which a tile has a wire on a side, or, if `on` is `false`, those after which it has
    /// none.
    #[inline]
    fn turns_with(&self, tile: u32, side: usize, on: bool) -> u8 {
        self.orientations.with(self.base[tile as usize], side, on)
    }

    /// Settles an edge as on or off; returns `false` on a contradiction. The edge must not be settled yet.
    fn settle(&mut self, tile: u32, side: usize, on: bool) -> bool {
        let Some(other) = self.steps.neighbor(tile as usize, side) else { return !on };
        let back = self.steps.lattice().opposite(side);
        let number = self.number(tile as usize, side, other);
        let other = other as u32;
        let (a, b) = (self.find(tile), self.find(other));
        // An edge between two tiles of the same component closes a loop if it is on.
        if on && a == b {
            return false;
        }
        if !self.restrict(tile, self.turns_with(tile, side, on))
            || !self.restrict(other, self.turns_with(other, back, on))
        {
            return false;
        }
        self.known[tile as usize] |= 1 << side;
        self.known[other as usize] |= 1 << back;
        let side = side as u8;
        if !on {
            for root in [a, b] {
                let component = &mut self.component[root as usize];
                component.open -= 1;
                component.xor ^= number;
                if component.is_tight() {
                    self.checks.push(root);
                }
            }
            self.trail.push(Undo::Off { tile, side, a, b });
            return true;
        }
        // Each of the two tiles uses one end and one open side for the edge. No count falls below 0: both tiles have a
        // turn left with wires on all their edges that are on, this one included.
        let (top, low) =
            if self.component[a as usize].size < self.component[b as usize].size { (b, a) } else { (a, b) };
        self.parent[low as usize] = top;
        let component = self.component[low as usize];
        let whole = &mut self.component[top as usize];
        whole.size += component.size;
        whole.ends = (whole.ends + component.ends).wrapping_sub(2);
        whole.open = (whole.open + component.open).wrapping_sub(2);
        whole.xor ^= component.xor;
        let whole = *whole;
        self.next.swap(top as usize, low as usize);
        self.trail.push(Undo::On { tile, side, low, top });
        // Any other edge between the two components would close a loop. Scanning the smaller one finds all such edges.
        if component.size <= MAX_SCANNED {
            // The two rings are now one: the tiles from the ring of `low` follow `top`, and `low` is the last of them.
            let mut at = self.next[top as usize];
            loop {
                self.look_around(at, top, whole);
                if at == low {
                    break;
                }
                at = self.next[at as usize];
            }
        }
        // With one end left, the component must not be joined to another component with one end left, unless the two
        // contain all tiles.
        if whole.ends == 1 && whole.size <= MAX_SCANNED {
            let mut at = top;
            loop {
                self.look_around(at, top, whole);
                at = self.next[at as usize];
                if at == top {
                    break;
                }
            }
        }
        if whole.is_tight() {
            self.checks.push(top);
        }
        true
    }

    /// Forces off those open edges of a tile that would close a loop, or would cut off the two components that they
    /// join. The tile is in `component`, whose representative is `root`.
    #[inline]
    fn look_around(&mut self, tile: u32, root: u32, component: Component) {
        let mut open = !self.known[tile as usize] & ((1 << self.sides) - 1);
        while open != 0 {
            let side = open.trailing_zeros() as usize;
            open &= open - 1;
            let Some(other) = self.steps.neighbor(tile as usize, side) else { continue };
            let there = self.find(other as u32);
            // Both components would use their last end for this edge, and together they do not contain all tiles.
            let cut_off = || {
                let far = self.component[there as usize];
                component.ends == 1 && far.ends == 1 && component.size + far.size < self.tiles
            };
            if there == root || cut_off() {
                self.forced.push((tile, side as u8, false));
            }
        }
    }

    /// Checks the component of a tile by its counts: returns `false` if it is cut off or has more ends than open sides,
    /// and forces its open edges on if all of them are needed, unless there are several and the component has more than
    /// [`MAX_SCANNED`] tiles.
    fn check(&mut self, tile: u32) -> bool {
        let root = self.find(tile);
        let component = self.component[root as usize];
        if component.size == self.tiles {
            return true;
        }
        if component.ends == 0 || component.open < component.ends {
            return false;
        }
        // Exactly `ends` of the `open` sides get a wire. If the two counts are equal, every open side gets one. If only
        // one open edge is left, no scan is needed: `xor` is its number.
        if component.open == 1 {
            let half = self.sides / 2;
            let (owner, side) = (component.xor / 4, (component.xor % 4) as usize);
            debug_assert!(side < half);
            self.forced.push((owner, side as u8, true));
        } else if component.open == component.ends && component.size <= MAX_SCANNED {
            let mut at = root;
            loop {
                let mut open = !self.known[at as usize] & ((1 << self.sides) - 1);
                while open != 0 {
                    self.forced.push((at, open.trailing_zeros() as u8, true));
                    open &= open - 1;
                }
                at = self.next[at as usize];
                if at == root {
                    break;
                }
            }
        }
        true
    }

    /// Reserves room for what [`Net::assume`] appends to the trail and to `checks` before its changes are rolled back,
    /// if `open` tiles have more than one turn left: each set of turns shrinks fewer than `sides` times, and each open
    /// edge, which lies between two of these tiles, is settled once.
    fn reserve(&mut self, open: usize) -> Result<(), Error> {
        memory::room(&mut self.trail, open * 2 * self.sides, BOARD)?;
        memory::room(&mut self.checks, open * self.sides, BOARD)
    }

    /// Draws conclusions until none is left; returns `false` on a contradiction.
    fn propagate(&mut self) -> Result<bool, Error> {
        loop {
            memory::room(&mut self.forced, MAX_FORCED, BOARD)?;
            match self.conclude() {
                Some(true) => {}
                Some(false) => return Ok(false),
                None => return Ok(true),
            }
        }
    }

    /// Takes one entry from the queues and draws the conclusions that follow from it. Returns `Some(true)` if there is
    /// no contradiction, `Some(false)` on a contradiction, after emptying the queues, and `None` if there was no entry.
    ///
    /// The cheapest entries are taken first: sides on which the turns of a tile agree, then forced edges, then counts
    /// of components.
    #[inline(always)]
    fn conclude(&mut self) -> Option<bool> {
        let sound = if let Some(tile) = self.queue.pop() {
            self.queued[tile as usize] = false;
            let (all, any) = self.orientations.agreement(self.base[tile as usize], self.turns[tile as usize]);
            let mut settled = (all | !any) & ((1 << self.sides) - 1) & !self.known[tile as usize];
            let mut sound = true;
            while settled != 0 && sound {
                let side = settled.trailing_zeros() as usize;
                settled &= settled - 1;
                // This is only a guard: settling one side of a tile settles no other side of it.
                if self.known[tile as usize] >> side & 1 == 0 {
                    sound = self.settle(tile, side, all >> side & 1 == 1);
                }
            }
            sound
        } else if let Some((tile, side, on)) = self.forced.pop() {
            let side = usize::from(side);
            if self.known[tile as usize] >> side & 1 == 1 {
                self.turns[tile as usize] & self.turns_with(tile, side, on) != 0
            } else {
                self.settle(tile, side, on)
            }
        } else if let Some(root) = self.checks.pop() {
            self.check(root)
        } else {
            return None;
        };
        if !sound {
            // The queues describe a state that is about to be rolled back or discarded.
            while let Some(tile) = self.queue.pop() {
                self.queued[tile as usize] = false;
            }
            self.forced.clear();
            self.checks.clear();
        }
        Some(sound)
    }

    /// Rolls back all changes since the trail had the length `mark`. The queues must be empty.
    pub(super) fn roll_back(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some(undo) = self.trail.pop() else { break };
            match undo {
                Undo::Turns { tile, old } => self.turns[tile as usize] = old,
                Undo::Off { tile, side, a, b } => {
                    let number = self.forget(tile, side);
                    for root in [a, b] {
                        let component = &mut self.component[root as usize];
                        component.open += 1;
                        component.xor ^= number;
                    }
                }
                Undo::On { tile, side, low, top } => {
                    self.forget(tile, side);
                    self.next.swap(top as usize, low as usize);
                    self.parent[low as usize] = low;
                    let component = self.component[low as usize];
                    let whole = &mut self.component[top as usize];
                    whole.size -= component.size;
                    whole.ends = whole.ends.wrapping_add(2) - component.ends;
                    whole.open = whole.open.wrapping_add(2) - component.open;
                    whole.xor ^= component.xor;
                }
            }
        }
    }

    /// Makes an edge unsettled again and returns its number.
    fn forget(&mut self, tile: u32, side: u8) -> u32 {
        let side = usize::from(side);
        self.known[tile as usize] &= !(1 << side);
        let Some(other) = self.steps.neighbor(tile as usize, side) else { return 0 };
        self.known[other] &= !(1 << self.steps.lattice().opposite(side));
        self.number(tile as usize, side, other)
    }

    /// Tries every turn of every open tile and drops each turn that leads to a contradiction; tiles near a change are
    /// tried again. Returns `false` if the board is proved to have no solution. The trail must be empty before the call
    /// and is empty after a call that returns `true`.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] if the budget, counted in turns tried, runs out, [`Error::Interrupted`] if the watcher
    /// ends the call, and [`Error::Memory`] if the board is too large.
    pub(super) fn probe(&mut self, budget: &mut Budget<'_>) -> Result<bool, Error> {
        let mut tiles = self.open_tiles()?;
        self.reserve(tiles.len())?;
        tiles.reverse();
        let mut listed = memory::filled(false, self.tiles as usize, BOARD)?;
        for &tile in &tiles {
            listed[tile as usize] = true;
        }
        while let Some(tile) = tiles.pop() {
            listed[tile as usize] = false;
            let mut left = self.turns[tile as usize];
            if left.is_power_of_two() {
                continue;
            }
            while left != 0 {
                // The lowest bit that is set, as a set of one turn.
                let turn = left & left.wrapping_neg();
                left &= left - 1;
                budget.spend(1)?;
                let sound = self.assume(tile, turn)?;
                self.roll_back(0);
                if sound {
                    continue;
                }
                // This turn is impossible in every solution, so its removal is permanent.
                if !self.assume(tile, !turn)? {
                    return Ok(false);
                }
                left &= self.turns[tile as usize];
                for at in 0..self.trail.len() {
                    let (Undo::Turns { tile, .. } | Undo::Off { tile, .. } | Undo::On { tile, .. }) = self.trail[at];
                    let around = (0..self.sides).filter_map(|side| self.steps.neighbor(tile as usize, side));
                    for again in around.chain([tile as usize]) {
                        if !listed[again] && self.is_open(again as u32) {
                            listed[again] = true;
                            memory::room(&mut tiles, 1, BOARD)?;
                            tiles.push(again as u32);
                        }
                    }
                }
                self.trail.clear();
            }
        }
        Ok(true)
    }

    /// Returns the number of tiles.
    pub(super) fn tiles(&self) -> u32 {
        self.tiles
    }

    /// Returns the mask of a tile on the board as given.
    pub(super) fn base(&self, tile: u32) -> u8 {
        self.base[tile as usize]
    }

    /// Returns the set of turns that a tile has left.
    pub(super) fn turns_left(&self, tile: u32) -> u8 {
        self.turns[tile as usize]
    }

    /// Returns the length of the trail, for [`Net::roll_back`].
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Makes all changes so far permanent, so that they are never rolled back.
    pub(super) fn commit(&mut self) {
        self.trail.clear();
    }

    /// Removes all turns of a tile but those in `keep` and propagates; returns `false` on a contradiction.
    ///
    /// [`Net::probe`] must be called first, because it reserves memory for the trail and for `checks`.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the queue of forced edges cannot grow; the `Net` must not be used after that.
    pub(super) fn assume(&mut self, tile: u32, keep: u8) -> Result<bool, Error> {
        Ok(self.restrict(tile, keep) && self.propagate()?)
    }

    /// Returns the connected groups of open tiles, each in breadth-first order.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the memory cannot be allocated.
    pub(super) fn open_groups(&self) -> Result<Vec<Vec<u32>>, Error> {
        let mut grouped = memory::filled(false, self.tiles as usize, BOARD)?;
        let mut groups = Vec::new();
        for first in self.open_tiles()? {
            if std::mem::replace(&mut grouped[first as usize], true) {
                continue;
            }
            let mut group = memory::filled(first, 1, BOARD)?;
            let mut at = 0;
            while let Some(&tile) = group.get(at) {
                at += 1;
                for (_, other) in self.steps.around(tile as usize) {
                    if self.is_open(other as u32) && !std::mem::replace(&mut grouped[other], true) {
                        memory::room(&mut group, 1, BOARD)?;
                        group.push(other as u32);
                    }
                }
            }
            memory::room(&mut groups, 1, BOARD)?;
            groups.push(group);
        }
        Ok(groups)
    }

    /// Returns the tiles that have more than one turn left, in row-major order.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the memory cannot be allocated.
    pub(super) fn open_tiles(&self) -> Result<Vec<u32>, Error> {
        let mut open = Vec::new();
        for (first, turns) in (0..).step_by(64).zip(self.turns.chunks(64)) {
            // Nearly all sets hold one turn, for which `x & (x - 1)` is 0. 64 sets at a time are checked without a
            // branch.
            if turns.iter().fold(0, |more, turns| more | turns & turns.wrapping_sub(1)) != 0 {
                let len = turns.len() as u32;
                memory::room(&mut open, turns.len(), BOARD)?;
                open.extend((first..first + len).filter(|&tile| self.is_open(tile)));
            }
        }
        Ok(open)
    }

    /// Returns the mask of every tile, turned clockwise from its base by the smallest number of turns in its set.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the memory cannot be allocated.
    pub(super) fn wiring(&self) -> Result<Vec<u8>, Error> {
        let lattice = self.steps.lattice();
        let turned = |(&base, &turns): (&u8, &u8)| (0..turns.trailing_zeros()).fold(base, |mask, _| lattice.turn(mask));
        memory::collected(self.base.len(), self.base.iter().zip(&self.turns).map(turned), BOARD)
    }

    /// Searches the last 60 changes, newest first, for one that concerns an open tile, and returns that tile; `None` if
    /// there is none.
    pub(super) fn near_the_last_change(&self) -> Option<u32> {
        for undo in self.trail.iter().rev().take(60) {
            let (Undo::Turns { tile, .. } | Undo::Off { tile, .. } | Undo::On { tile, .. }) = *undo;
            if self.is_open(tile) {
                return Some(tile);
            }
            if let Undo::Off { side, .. } | Undo::On { side, .. } = *undo {
                let other = self.steps.neighbor(tile as usize, usize::from(side));
                if let Some(other) = other.filter(|&other| self.is_open(other as u32)) {
                    return Some(other as u32);
                }
            }
        }
        None
    }
}
