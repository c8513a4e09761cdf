//! The solver of boards that have just enough ends for a tree.
//!
//! Then every end must meet another, no loop may close, and no group of tiles may be cut off. The state is, for each tile,
//! the set of turns still possible; an edge is settled once all of them agree about it. A union-find that can be rolled
//! back knows of each component its free ends and its open edges, with the xor of their numbers: a single open edge is
//! then known without a search for it.
//!
//! Where propagation stops, each turn of each open tile is tried and dropped where it leads to a contradiction. What is
//! left is searched depth-first: the tiles that failed most and last first, then near the last change, with restarts until
//! a first solution is found. After a restart each tile tries again what it had last, so that little is lost.

use super::LightEmAll;
use crate::core::{Budget, Error};
use crate::graph::{Lattice, Steps};

/// What must be taken back when a try is given up.
#[derive(Clone, Copy, Debug)]
enum Undo {
    /// The turns that a tile had.
    Turns { tile: u32, old: u8 },
    /// A side of a tile whose edge was settled: no wires meet there.
    Off { tile: u32, side: u8, a: u32, b: u32 },
    /// The same: wires meet there, and component `low` was joined to `top`.
    On { tile: u32, side: u8, low: u32, top: u32 },
}

/// A component, kept at its representative.
#[derive(Clone, Copy, Debug)]
struct Part {
    size: u32,
    /// Ends of its tiles that no settled edge uses.
    ends: u32,
    /// Sides of its tiles whose edges are not settled.
    open: u32,
    /// The xor of the numbers of those edges: edges inside the component cancel out.
    xor: u32,
}

/// Components up to this size are looked through tile by tile; larger ones are judged by their counts alone.
const LOOK_THROUGH: u32 = 128;

/// Tiles or conclusions between two looks at the clock while a board is set up.
const PAUSE: usize = 1 << 12;

/// The state of the search.
///
/// Invariant between calls of `propagate` that went well: every edge about which all turns of a tile agree is settled, and
/// both queues are empty.
pub(super) struct Net {
    steps: Steps,
    sides: usize,
    tiles: u32,
    base: Vec<u8>,
    turns: Vec<u8>,
    /// Sides whose edges are settled; sides without a neighbour from the start.
    known: Vec<u8>,
    parent: Vec<u32>,
    part: Vec<Part>,
    /// The tiles of a component, in a ring.
    next: Vec<u32>,
    /// By `base << sides | turns`: sides with a wire in all turns, and in any.
    agree: Vec<(u8, u8)>,
    /// By `base * sides + side`: turns with a wire there.
    wired: Vec<u8>,
    trail: Vec<Undo>,
    queue: Vec<u32>,
    queued: Vec<bool>,
    forced: Vec<(u32, u8, bool)>,
    checks: Vec<u32>,
}

/// A tile and the turn tried first.
struct Decision {
    tile: u32,
    turn: u8,
    mark: usize,
    scan: u32,
}

impl Net {
    /// Sets up a board; `None` where a contradiction shows at once.
    ///
    /// # Errors
    /// An interruption: what follows at once is not counted.
    pub(super) fn new(lattice: Lattice, wires: &[u8], budget: &mut Budget<'_>) -> Result<Option<Self>, Error> {
        let (sides, n) = (lattice.sides(), lattice.len());
        let mut agree = vec![(0, 0); 1 << (2 * sides)];
        let mut wired = vec![0; sides << sides];
        let mut distinct = vec![0u8; 1 << sides];
        for base in 0..1usize << sides {
            let mut masks = Vec::new();
            let mut mask = base as u8;
            while !masks.contains(&mask) {
                masks.push(mask);
                mask = lattice.turn(mask);
            }
            distinct[base] = ((1u16 << masks.len()) - 1) as u8;
            for (turn, mask) in masks.iter().enumerate() {
                for side in 0..sides {
                    wired[base * sides + side] |= (mask >> side & 1) << turn;
                }
            }
            for set in 1..=usize::from(distinct[base]) {
                let of = || masks.iter().enumerate().filter(|(turn, _)| set >> turn & 1 == 1).map(|(_, &mask)| mask);
                agree[base << sides | set] =
                    (of().fold(!0, |all, mask| all & mask), of().fold(0, |any, mask| any | mask));
            }
        }
        let steps = Steps::new(lattice);
        let base = wires.to_vec();
        let mut net = Self {
            sides,
            tiles: n as u32,
            turns: base.iter().map(|&mask| distinct[usize::from(mask)]).collect(),
            known: vec![0; n],
            parent: (0..n as u32).collect(),
            part: Vec::with_capacity(n),
            next: (0..n as u32).collect(),
            agree,
            wired,
            trail: Vec::new(),
            queue: (0..n as u32).rev().collect(),
            queued: vec![true; n],
            forced: Vec::new(),
            checks: Vec::new(),
            base,
            steps,
        };
        for tile in 0..n {
            if tile % PAUSE == 0 {
                budget.pause()?;
            }
            let mut part = Part { size: 1, ends: net.base[tile].count_ones(), open: 0, xor: 0 };
            for side in 0..sides {
                if let Some(other) = net.steps.neighbour(tile, side) {
                    part.open += 1;
                    part.xor ^= net.number(tile, side, other);
                    // Two leaves that face each other would be cut off.
                    if n > 2 && part.ends == 1 && net.base[other].is_power_of_two() {
                        net.forced.push((tile as u32, side as u8, false));
                    }
                } else {
                    net.known[tile] |= 1 << side;
                    net.turns[tile] &= !net.wired[usize::from(net.base[tile]) * sides + side];
                }
            }
            net.part.push(part);
            if net.turns[tile] == 0 || (part.ends == 0 && n > 1) {
                return Ok(None);
            }
        }
        for step in 0.. {
            if step % PAUSE == 0 {
                budget.pause()?;
            }
            match net.conclude() {
                Some(true) => {}
                Some(false) => return Ok(None),
                None => break,
            }
        }
        net.trail.clear();
        Ok(Some(net))
    }

    /// The number of an edge, the same from both of its tiles.
    #[inline]
    fn number(&self, tile: usize, side: usize, other: usize) -> u32 {
        let half = self.sides / 2;
        let (owner, side) = if side < half { (tile, side) } else { (other, side - half) };
        (owner * 4 + side) as u32
    }

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

    /// Links every tile straight to its representative. Only where nothing can be rolled back.
    fn flatten(&mut self) {
        for tile in 0..self.tiles {
            let root = self.find(tile);
            self.parent[tile as usize] = root;
        }
    }

    #[inline]
    fn is_open(&self, tile: u32) -> bool {
        !self.turns[tile as usize].is_power_of_two()
    }

    /// Leaves a tile only some of its turns; says no where none is left.
    #[inline]
    fn restrict(&mut self, tile: u32, keep: u8) -> bool {
        let old = self.turns[tile as usize];
        let new = old & keep;
        if new != old {
            if new == 0 {
                return false;
            }
            self.trail.push(Undo::Turns { tile, old });
            self.turns[tile as usize] = new;
            if !self.queued[tile as usize] {
                self.queued[tile as usize] = true;
                self.queue.push(tile);
            }
        }
        true
    }

    #[inline]
    fn turns_with(&self, tile: u32, side: usize, on: bool) -> u8 {
        let wired = self.wired[usize::from(self.base[tile as usize]) * self.sides + side];
        if on { wired } else { !wired }
    }

    /// Settles an edge; says no on a contradiction.
    fn settle(&mut self, tile: u32, side: usize, on: bool) -> bool {
        let Some(other) = self.steps.neighbour(tile as usize, side) else { return !on };
        let back = self.steps.lattice().opposite(side);
        let number = self.number(tile as usize, side, other);
        let other = other as u32;
        let (a, b) = (self.find(tile), self.find(other));
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
                let part = &mut self.part[root as usize];
                part.open -= 1;
                part.xor ^= number;
            }
            self.trail.push(Undo::Off { tile, side, a, b });
            self.checks.push(a);
            self.checks.push(b);
            return true;
        }
        let (top, low) = if self.part[a as usize].size < self.part[b as usize].size { (b, a) } else { (a, b) };
        self.parent[low as usize] = top;
        let part = self.part[low as usize];
        let whole = &mut self.part[top as usize];
        whole.size += part.size;
        whole.ends = (whole.ends + part.ends).wrapping_sub(2);
        whole.open = (whole.open + part.open).wrapping_sub(2);
        whole.xor ^= part.xor;
        let whole = *whole;
        self.next.swap(top as usize, low as usize);
        self.trail.push(Undo::On { tile, side, low, top });
        // What lies between the two parts must not be wired any more.
        if part.size <= LOOK_THROUGH {
            // The rings are one now: the ring of `low` begins behind `top` and ends with `low`.
            let mut at = self.next[top as usize];
            loop {
                self.look_around(at, top, whole);
                if at == low {
                    break;
                }
                at = self.next[at as usize];
            }
        }
        if whole.ends == 1 && whole.size <= LOOK_THROUGH {
            let mut at = top;
            loop {
                self.look_around(at, top, whole);
                at = self.next[at as usize];
                if at == top {
                    break;
                }
            }
        }
        self.checks.push(top);
        true
    }

    /// Forces off the open edges of a tile that would close a loop, or cut off what they join.
    fn look_around(&mut self, tile: u32, root: u32, part: Part) {
        let mut open = !self.known[tile as usize] & ((1 << self.sides) - 1);
        while open != 0 {
            let side = open.trailing_zeros() as usize;
            open &= open - 1;
            let Some(other) = self.steps.neighbour(tile as usize, side) else { continue };
            let there = self.find(other as u32);
            let cut_off = || {
                let far = self.part[there as usize];
                part.ends == 1 && far.ends == 1 && part.size + far.size < self.tiles
            };
            if there == root || cut_off() {
                self.forced.push((tile, side as u8, false));
            }
        }
    }

    /// Judges a component by its counts; says no where it is cut off.
    fn check(&mut self, tile: u32) -> bool {
        let root = self.find(tile);
        let part = self.part[root as usize];
        if part.size == self.tiles {
            return true;
        }
        if part.ends == 0 || part.open < part.ends {
            return false;
        }
        if part.open == 1 {
            let half = self.sides / 2;
            let (owner, side) = (part.xor / 4, (part.xor % 4) as usize);
            debug_assert!(side < half);
            self.forced.push((owner, side as u8, true));
        } else if part.open == part.ends && part.size <= LOOK_THROUGH {
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

    /// Draws all conclusions; says no on a contradiction.
    fn propagate(&mut self) -> bool {
        loop {
            match self.conclude() {
                Some(true) => {}
                Some(false) => return false,
                None => return true,
            }
        }
    }

    /// Draws the next conclusion: no on a contradiction, `None` where there is none left to draw.
    #[inline]
    fn conclude(&mut self) -> Option<bool> {
        let sound = if let Some(tile) = self.queue.pop() {
            self.queued[tile as usize] = false;
            let base = usize::from(self.base[tile as usize]);
            let (all, any) = self.agree[base << self.sides | usize::from(self.turns[tile as usize])];
            let mut settled = (all | !any) & ((1 << self.sides) - 1) & !self.known[tile as usize];
            let mut sound = true;
            while settled != 0 && sound {
                let side = settled.trailing_zeros() as usize;
                settled &= settled - 1;
                // Settling one side may have settled another through a neighbour that wraps.
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
            while let Some(tile) = self.queue.pop() {
                self.queued[tile as usize] = false;
            }
            self.forced.clear();
            self.checks.clear();
        }
        Some(sound)
    }

    /// Takes back what was done since the trail had a length.
    fn roll_back(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some(undo) = self.trail.pop() else { break };
            match undo {
                Undo::Turns { tile, old } => self.turns[tile as usize] = old,
                Undo::Off { tile, side, a, b } => {
                    let number = self.forget(tile, side);
                    for root in [a, b] {
                        let part = &mut self.part[root as usize];
                        part.open += 1;
                        part.xor ^= number;
                    }
                }
                Undo::On { tile, side, low, top } => {
                    self.forget(tile, side);
                    self.next.swap(top as usize, low as usize);
                    self.parent[low as usize] = low;
                    let part = self.part[low as usize];
                    let whole = &mut self.part[top as usize];
                    whole.size -= part.size;
                    whole.ends = whole.ends.wrapping_add(2) - part.ends;
                    whole.open = whole.open.wrapping_add(2) - part.open;
                    whole.xor ^= part.xor;
                }
            }
        }
    }

    /// Makes an edge unsettled again and gives its number.
    fn forget(&mut self, tile: u32, side: u8) -> u32 {
        let side = usize::from(side);
        self.known[tile as usize] &= !(1 << side);
        let Some(other) = self.steps.neighbour(tile as usize, side) else { return 0 };
        self.known[other] &= !(1 << self.steps.lattice().opposite(side));
        self.number(tile as usize, side, other)
    }

    /// Tries every turn of every open tile and drops those that lead to a contradiction, again wherever that changed
    /// something near by. Says no where nothing is left. Afterwards nothing can be rolled back.
    pub(super) fn probe(&mut self, budget: &mut Budget<'_>) -> Result<bool, Error> {
        self.flatten();
        let mut tiles: Vec<u32> = (0..self.tiles).filter(|&tile| self.is_open(tile)).rev().collect();
        let mut listed = vec![false; self.tiles as usize];
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
                let turn = left & left.wrapping_neg();
                left &= left - 1;
                budget.spend(1)?;
                let sound = self.restrict(tile, turn) && self.propagate();
                self.roll_back(0);
                if sound {
                    continue;
                }
                if !(self.restrict(tile, !turn) && self.propagate()) {
                    return Ok(false);
                }
                left &= self.turns[tile as usize];
                for at in 0..self.trail.len() {
                    let (Undo::Turns { tile, .. } | Undo::Off { tile, .. } | Undo::On { tile, .. }) = self.trail[at];
                    let near = (0..self.sides).filter_map(|side| self.steps.neighbour(tile as usize, side));
                    for near in near.chain([tile as usize]) {
                        if !listed[near] && self.is_open(near as u32) {
                            listed[near] = true;
                            tiles.push(near as u32);
                        }
                    }
                }
                self.trail.clear();
            }
        }
        self.flatten();
        Ok(true)
    }

    /// The tiles that are still open.
    pub(super) fn open_tiles(&self) -> Vec<u32> {
        (0..self.tiles).filter(|&tile| self.is_open(tile)).collect()
    }

    /// The wires of every tile at the first of its turns left.
    fn wiring(&self) -> Vec<u8> {
        let lattice = self.steps.lattice();
        let turned = |(&base, &turns): (&u8, &u8)| (0..turns.trailing_zeros()).fold(base, |mask, _| lattice.turn(mask));
        self.base.iter().zip(&self.turns).map(turned).collect()
    }

    /// An open tile near the last changes.
    fn near_the_last_change(&self) -> Option<u32> {
        for undo in self.trail.iter().rev().take(60) {
            let (Undo::Turns { tile, .. } | Undo::Off { tile, .. } | Undo::On { tile, .. }) = *undo;
            if self.is_open(tile) {
                return Some(tile);
            }
            if let Undo::Off { side, .. } | Undo::On { side, .. } = *undo {
                let other = self.steps.neighbour(tile as usize, usize::from(side));
                if let Some(other) = other.filter(|&other| self.is_open(other as u32)) {
                    return Some(other as u32);
                }
            }
        }
        None
    }

    /// Searches what is left and hands each solution to `found`, until it says to stop. Says whether there can be more.
    fn search(&mut self, budget: &mut Budget<'_>, found: &mut dyn FnMut(&[u8]) -> bool) -> Result<bool, Error> {
        let mut decisions: Vec<Decision> = Vec::new();
        let mut last_try = vec![0u8; self.tiles as usize];
        let mut hot = Hot::default();
        let (mut fails, mut limit) = (0u64, 100u64);
        let mut seen_one = false;
        let mut scan = 0u32;
        loop {
            let tile = hot.pick(|tile| self.is_open(tile)).or_else(|| self.near_the_last_change());
            let tile = tile.or_else(|| {
                while scan < self.tiles && !self.is_open(scan) {
                    scan += 1;
                }
                (scan < self.tiles).then_some(scan)
            });
            let mut sound = if let Some(tile) = tile {
                budget.spend(1)?;
                let turns = self.turns[tile as usize];
                let again = last_try[tile as usize] & turns;
                let turn = if again == 0 { turns & turns.wrapping_neg() } else { again };
                last_try[tile as usize] = turn;
                decisions.push(Decision { tile, turn, mark: self.trail.len(), scan });
                let sound = self.restrict(tile, turn) && self.propagate();
                if !sound {
                    hot.heat(tile);
                }
                sound
            } else {
                if !found(&self.wiring()) {
                    return Ok(true);
                }
                seen_one = true;
                false
            };
            while !sound {
                fails += 1;
                let Some(decision) = decisions.pop() else { return Ok(false) };
                self.roll_back(decision.mark);
                scan = decision.scan;
                sound = self.restrict(decision.tile, !decision.turn) && self.propagate();
                if !sound && tile.is_some() {
                    hot.heat(decision.tile);
                }
                if decisions.is_empty() {
                    // Refuted with nothing assumed: true for good.
                    if !sound {
                        return Ok(false);
                    }
                    self.trail.clear();
                }
                budget.spend(1)?;
            }
            if fails > limit && !seen_one {
                (fails, limit) = (0, limit + limit / 4);
                decisions.clear();
                self.roll_back(0);
                scan = 0;
                hot.cool();
            }
        }
    }
}

/// The tiles at which the search failed, the more often and the later the hotter. They are tried first, so that after a
/// restart what is hard to fit together is fitted together at once, with nothing else between.
#[derive(Default)]
struct Hot {
    tiles: Vec<(u32, f64)>,
    step: f64,
}

impl Hot {
    fn heat(&mut self, tile: u32) {
        self.step = (self.step * 1.01).max(1.0);
        match self.tiles.iter_mut().find(|(known, _)| *known == tile) {
            Some((_, heat)) => *heat += self.step,
            None => self.tiles.push((tile, self.step)),
        }
        if self.step > 1e100 {
            self.tiles.iter_mut().for_each(|(_, heat)| *heat *= 1e-100);
            self.step *= 1e-100;
        }
    }

    /// The hottest tile that is open.
    fn pick(&self, open: impl Fn(u32) -> bool) -> Option<u32> {
        let mut best = None;
        for &(tile, heat) in &self.tiles {
            if best.is_none_or(|(_, most)| heat > most) && open(tile) {
                best = Some((tile, heat));
            }
        }
        best.map(|(tile, _)| tile)
    }

    /// Forgets all but the hottest.
    fn cool(&mut self) {
        self.tiles.sort_by(|a, b| b.1.total_cmp(&a.1));
        self.tiles.truncate(64);
    }
}

/// Hands the wirings that connect all tiles to `found`, each once, until it says to stop. Says whether there can be more.
pub(super) fn each_wiring(
    game: &LightEmAll,
    budget: &mut Budget<'_>,
    found: &mut dyn FnMut(&[u8]) -> bool,
) -> Result<bool, Error> {
    budget.spend(1)?;
    let Some(mut net) = Net::new(*game.lattice(), game.wires(), budget)? else { return Ok(false) };
    if !net.probe(budget)? {
        return Ok(false);
    }
    net.search(budget, found)
}
