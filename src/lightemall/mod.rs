//! LightEmAll: tiles with wires are turned until every tile gets power from the station.
//!
//! ```text
//!   *--.  .       3 3        wires of a tile, a hex digit:       hexagons, two digits:
//!      |  |       62a5       N=1 E=2 S=4 W=8                     NE=1 E=2 SE=4 SW=8 W=16 NW=32
//!   .--+--'                                                      (odd rows lie half a tile further right)
//! ```
//!
//! * Two tiles are connected where both have a wire to the shared side. Power flows from the station along them.
//! * A move turns a tile clockwise by a quarter (a hexagon by a sixth), or moves the station to a connected neighbour.
//! * Won when every tile is powered.
//! * With a limited radius, power ends that many wires from the station. While not all tiles are connected the initial
//!   radius counts; when they all are, the radius is half the diameter of the wiring as it stands, rounded down, plus one.
//! * Options: hexagons; borders that wrap.
//!
//! Terms: a *wire* goes from the middle of a tile to one of its sides, its *end*; a *link* is two ends that meet. Source:
//! the LightEmAll assignment of a course on program design, all its extra credit included.
//!
//! Notation: `HEIGHT WIDTH` and any of `hex`, `wrap`, `radius=R`; rows of hex digits, one a tile, two on hexagons; then
//! `station ROW COL`.

pub mod generate;
mod loose;
mod net;
mod notation;
pub mod solve;
mod unique;

use std::fmt;
use std::ops::ControlFlow;

use crate::core::{Cell, Error, Game, Status};
use crate::graph::search::NONE;
use crate::graph::{Lattice, Steps};

/// Turns a tile clockwise: the first number of a move.
pub const TURN: i32 = 0;

/// Moves the station.
pub const STATION: i32 = 1;

/// Added to a code of [`LightEmAll::write_board`] where a tile is powered.
pub const POWERED: u8 = 64;

/// Added to the code of the station's tile.
pub const WITH_STATION: u8 = 128;

/// The low bits of a code: the wires.
pub const WIRES: u8 = 63;

/// What is known of a wiring that connects all tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Whole {
    radius: u32,
    /// The middle of the longest way: the two tiles around its middle wire, or its middle tile twice. [`NONE`] where the
    /// wiring has loops and a middle says nothing.
    middle: [u32; 2],
}

/// A position of LightEmAll.
///
/// Power is not stored: a move changes a tile, a count of links, and seldom more, so that undo is cheap on any board.
/// Invariant: `links` counts the pairs of ends that meet; `whole` is there where the radius is limited and all tiles are
/// connected; `status` is what the rules say of the rest.
#[derive(Clone, Debug)]
pub struct LightEmAll {
    lattice: Lattice,
    wires: Vec<u8>,
    station: u32,
    /// The initial radius, where it is limited.
    reach: Option<u32>,
    links: u32,
    whole: Option<Whole>,
    status: Status,
}

impl PartialEq for LightEmAll {
    fn eq(&self, other: &Self) -> bool {
        (self.lattice, self.station, self.reach) == (other.lattice, other.station, other.reach)
            && self.wires == other.wires
    }
}

/// What a move changed beside the tile or the station that it names.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    station: u32,
    whole: Option<Whole>,
    status: Status,
}

/// Why a move is refused: only moving the station can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The tile is not next to the station.
    Apart(Cell, Cell),
    /// It is, but no wires meet on the way.
    Unwired(Cell, Cell),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Apart(to, from) => {
                write!(f, "the station is at {from} and {to} is not next to it, wanted a neighbour that wires lead to")
            }
            Self::Unwired(to, from) => {
                write!(f, "no wires meet between the station at {from} and {to}, wanted a neighbour that wires lead to")
            }
        }
    }
}

impl LightEmAll {
    /// Makes a position: a mask of wires for each tile, row-major, the station's tile, and the initial radius where it is
    /// limited.
    ///
    /// # Errors
    /// A sentence where sizes do not fit, a mask has sides that tiles have not, or the station is off the board.
    pub fn new(lattice: Lattice, wires: Vec<u8>, station: usize, reach: Option<u32>) -> Result<Self, Error> {
        lattice.check()?;
        let full = (1u8 << lattice.sides()) - 1;
        if wires.len() != lattice.len() || wires.is_empty() {
            let (height, width) = (lattice.height, lattice.width);
            return Err(Error::Invalid(format!(
                "{} masks for {height} x {width} tiles, wanted one a tile",
                wires.len()
            )));
        }
        let fits = wires.iter().fold(0, |any, mask| any | mask) & !full == 0;
        let wrong = if fits { None } else { wires.iter().position(|mask| mask & !full != 0) };
        if let Some(tile) = wrong {
            let cell = cell_of(&lattice, tile);
            return Err(Error::Invalid(format!("mask {} at {cell}, wanted 0 to {full}", wires[tile])));
        }
        if station >= wires.len() {
            return Err(Error::Invalid(format!(
                "the station off the board, wanted it on one of {} tiles",
                wires.len()
            )));
        }
        let mut game =
            Self { lattice, wires, station: station as u32, reach, links: 0, whole: None, status: Status::Open };
        game.links = game.count_links();
        game.judge();
        Ok(game)
    }

    fn count_links(&self) -> u32 {
        let lattice = self.lattice;
        let mut links = 0;
        if lattice.hexagonal || lattice.wrap {
            lattice.each_edge(|id, tile, other| {
                links += u32::from(self.meet(tile, lattice.slot_side(id % lattice.slots()), other));
            });
            return links;
        }
        for row in self.wires.chunks_exact(lattice.width) {
            links += row.windows(2).map(|pair| u32::from(pair[0] >> 1 & pair[1] >> 3 & 1)).sum::<u32>();
        }
        let below = &self.wires[lattice.width..];
        links + self.wires.iter().zip(below).map(|(&up, &down)| u32::from(up >> 2 & down & 1)).sum::<u32>()
    }

    /// The board as a graph.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The mask of wires of each tile, row-major.
    pub fn wires(&self) -> &[u8] {
        &self.wires
    }

    /// The station's tile.
    pub fn station(&self) -> Cell {
        cell_of(&self.lattice, self.station as usize)
    }

    /// The initial radius, where it is limited.
    pub fn initial_radius(&self) -> Option<u32> {
        self.reach
    }

    /// The radius that counts now, where it is limited.
    pub fn radius(&self) -> Option<u32> {
        self.reach.map(|reach| self.whole.map_or(reach, |whole| whole.radius))
    }

    /// Whether the wires of two tiles meet on a side of the first, beyond which the second lies.
    #[inline]
    fn meet(&self, tile: usize, side: usize, other: usize) -> bool {
        self.wires[tile] >> side & self.wires[other] >> self.lattice.opposite(side) & 1 == 1
    }

    /// The sides on which a neighbour has a wire to this tile.
    #[inline]
    fn facing(&self, row: usize, col: usize) -> u8 {
        let (height, width) = (self.lattice.height, self.lattice.width);
        let tile = row * width + col;
        if !self.lattice.hexagonal && row > 0 && col > 0 && row + 1 < height && col + 1 < width {
            return (self.wires[tile - width] >> 2 & 1)
                | (self.wires[tile + 1] >> 3 & 1) << 1
                | (self.wires[tile + width] & 1) << 2
                | (self.wires[tile - 1] >> 1 & 1) << 3;
        }
        let mut facing = 0;
        for side in 0..self.lattice.sides() {
            if let Some((r, c)) = self.lattice.beyond(row, col, side) {
                facing |= (self.wires[r * width + c] >> self.lattice.opposite(side) & 1) << side;
            }
        }
        facing
    }

    /// Finds out which ends meet.
    fn links(&self) -> Links {
        let (lattice, n) = (self.lattice, self.wires.len());
        let w = lattice.width;
        let mut met = vec![0; n];
        let plain = !lattice.hexagonal && !lattice.wrap;
        if plain {
            for (row, met) in met.chunks_exact_mut(w).enumerate() {
                let mine = &self.wires[row * w..][..w];
                if row > 0 {
                    let above = &self.wires[(row - 1) * w..][..w];
                    met.iter_mut().zip(above).for_each(|(met, above)| *met |= above >> 2 & 1);
                }
                met[1..].iter_mut().zip(mine).for_each(|(met, left)| *met |= left << 2 & 8);
                met.iter_mut().zip(&mine[1..]).for_each(|(met, right)| *met |= right >> 2 & 2);
                if let Some(below) = self.wires.get((row + 1) * w..(row + 2) * w) {
                    met.iter_mut().zip(below).for_each(|(met, below)| *met |= below << 2 & 4);
                }
                met.iter_mut().zip(mine).for_each(|(met, mine)| *met &= mine);
            }
        } else {
            lattice.each_edge(|id, tile, other| {
                let side = lattice.slot_side(id % lattice.slots());
                if self.meet(tile, side, other) {
                    met[tile] |= 1 << side;
                    met[other] |= 1 << lattice.opposite(side);
                }
            });
        }
        let w = w as isize;
        Links { met, steps: (!plain).then(|| Steps::new(lattice)), delta: [-w, 1, w, -1] }
    }

    /// Gives the number of links from the station to each tile along connected tiles, row-major; [`NONE`] where there is
    /// no way.
    pub fn distances(&self) -> Vec<u32> {
        let mut depth = vec![NONE; self.wires.len()];
        self.links().spread(self.station, &mut depth, &mut Vec::new());
        depth
    }

    /// Gives the order in which power reaches the tiles, breadth-first from the station, with the tile it comes from.
    pub fn spreading(&self) -> (Vec<u32>, Vec<u32>) {
        let mut queue = Vec::new();
        let mut depth = vec![NONE; self.wires.len()];
        let links = self.links();
        links.spread(self.station, &mut depth, &mut queue);
        let from = |&tile: &u32| {
            let mut back = links.around(tile as usize).filter(|&other| depth[other] + 1 == depth[tile as usize]);
            back.next().map_or(NONE, |other| other as u32)
        };
        let parents = queue.iter().map(|tile| if *tile == self.station { NONE } else { from(tile) }).collect();
        (queue, parents)
    }

    /// Gives the diameter of the wiring in links, by double breadth-first search from tile (0, 0); `None` where not all
    /// tiles are connected.
    ///
    /// A wiring without loops is peeled instead, from its leaves inwards, which gives the same in half the time.
    pub fn diameter(&self) -> Option<u32> {
        let n = self.wires.len();
        if (self.links as usize) < n - 1 {
            return None;
        }
        let links = self.links();
        let peeled = if self.links as usize == n - 1 { links.peel() } else { None };
        peeled.or_else(|| links.longest_way().map(|(depth, last)| depth[last as usize]))
    }

    /// Finds out what is known of a wiring that connects all tiles.
    fn whole(&self) -> Option<Whole> {
        if self.links as usize + 1 < self.wires.len() {
            return None;
        }
        let links = self.links();
        let (depth, last) = links.longest_way()?;
        let diameter = depth[last as usize];
        let mut middle = [NONE; 2];
        if self.links as usize + 1 == self.wires.len() {
            // Down from the far end, along decreasing depths, to the tiles around the middle.
            let mut tile = last as usize;
            loop {
                if depth[tile] == diameter.div_ceil(2) {
                    middle[0] = tile as u32;
                }
                if depth[tile] == diameter / 2 {
                    middle[1] = tile as u32;
                    break;
                }
                match links.around(tile).find(|&other| depth[other] < depth[tile]) {
                    Some(other) => tile = other,
                    None => break,
                }
            }
        }
        Some(Whole { radius: diameter / 2 + 1, middle })
    }

    /// Brings status and radius up to date after a change of the wiring.
    ///
    /// Fewer links than tiles less one cannot connect all, which settles nearly every move at once.
    fn judge(&mut self) {
        self.whole = None;
        self.status = Status::Open;
        let n = self.wires.len();
        if (self.links as usize) < n - 1 {
            return;
        }
        if self.reach.is_some() {
            self.whole = self.whole();
            self.judge_station();
        } else {
            let mut reached = vec![false; n];
            if self.flood(None, |tile| std::mem::replace(&mut reached[tile], true)) == n {
                self.status = Status::Won;
            }
        }
    }

    /// Brings the status up to date after a move of the station over a wiring that is known.
    fn judge_station(&mut self) {
        let Some(whole) = self.whole else { return };
        let [one, two] = whole.middle;
        // With an even diameter the radius is one more than the middle tile needs, so its neighbours win too; with an odd
        // one it is just what the two tiles in the middle need.
        let won = if one == NONE {
            let mut reached = vec![false; self.wires.len()];
            let n = self.flood(Some(whole.radius), |tile| std::mem::replace(&mut reached[tile], true));
            n == self.wires.len()
        } else {
            self.station == one
                || self.station == two
                || (one == two && self.linked(self.station as usize, one as usize))
        };
        self.status = if won { Status::Won } else { Status::Open };
    }

    /// Whether two tiles are connected directly.
    fn linked(&self, tile: usize, other: usize) -> bool {
        (0..self.lattice.sides())
            .any(|side| self.lattice.neighbour(tile, side) == Some(other) && self.meet(tile, side, other))
    }

    /// Visits the tiles within a radius of the station and counts them. `seen` marks a tile and says whether it had been
    /// marked before.
    fn flood(&self, radius: Option<u32>, mut seen: impl FnMut(usize) -> bool) -> usize {
        const SMALL: usize = 256;
        let (width, n) = (self.lattice.width, self.wires.len());
        // Small boards, stepped by the million, need no memory from the heap and no tables.
        let (mut small, mut large);
        let queue: &mut [u32] = if n <= SMALL {
            small = [0u32; SMALL];
            &mut small[..n]
        } else {
            large = vec![0u32; n];
            &mut large
        };
        queue[0] = self.station;
        seen(self.station as usize);
        let (mut at, mut end, mut depth, mut layer) = (0, 1, 0, 1);
        while at < end {
            if at == layer {
                depth += 1;
                layer = end;
            }
            if radius == Some(depth) {
                break;
            }
            let tile = queue[at] as usize;
            at += 1;
            let (row, col) = (tile / width, tile % width);
            let mut mask = self.wires[tile];
            while mask != 0 {
                let side = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                if let Some((r, c)) = self.lattice.beyond(row, col, side) {
                    let other = r * width + c;
                    if self.wires[other] >> self.lattice.opposite(side) & 1 == 1 && !seen(other) {
                        queue[end] = other as u32;
                        end += 1;
                    }
                }
            }
        }
        end
    }

    /// Gives the tile to which the station would move in a direction, where wires lead there.
    ///
    /// # Errors
    /// A sentence where the board ends there or no wires meet.
    pub fn towards(&self, side: usize) -> Result<Cell, Error> {
        let from = self.station();
        let beyond = self.lattice.neighbour(self.station as usize, side);
        let Some(other) = beyond else {
            return Err(Error::Invalid(format!(
                "the board ends there beside the station at {from}, wanted a neighbour"
            )));
        };
        let to = cell_of(&self.lattice, other);
        if self.meet(self.station as usize, side, other) {
            Ok(to)
        } else {
            Err(Error::Invalid(Refusal::Unwired(to, from).to_string()))
        }
    }

    /// The neighbours that wires lead to from the station, in the order of rows and columns, each once.
    fn ways(&self) -> ([u32; 6], usize) {
        let (mut ways, mut count) = ([0; 6], 0);
        let station = self.station as usize;
        for side in 0..self.lattice.sides() {
            if self.wires[station] >> side & 1 == 1 {
                if let Some(other) = self.lattice.neighbour(station, side) {
                    if self.meet(station, side, other) && !ways[..count].contains(&(other as u32)) {
                        ways[count] = other as u32;
                        count += 1;
                    }
                }
            }
        }
        ways[..count].sort_unstable();
        (ways, count)
    }

    /// Writes which tiles the station may go to: its own neighbours in the second half of a mask.
    fn mark_ways(&self, station: u32, mask: &mut [bool]) {
        let n = self.wires.len();
        for side in 0..self.lattice.sides() {
            if let Some(other) = self.lattice.neighbour(station as usize, side) {
                mask[n + other] = false;
            }
        }
        let (ways, count) = self.ways();
        for &way in &ways[..count] {
            mask[n + way as usize] = true;
        }
    }

    /// Sets the powered bits of a board whose other bits are true.
    fn light(&self, board: &mut [u8]) {
        for code in board.iter_mut() {
            *code &= !POWERED;
        }
        self.flood(self.radius(), |tile| {
            let lit = board[tile] & POWERED != 0;
            board[tile] |= POWERED;
            lit
        });
    }
}

/// The links of a wiring, for walks over all of it.
struct Links {
    /// By tile: the sides on which its wires meet others.
    met: Vec<u8>,
    /// `None` for squares whose borders are not joined: there `delta` leads to every tile beyond a link.
    steps: Option<Steps>,
    delta: [isize; 4],
}

impl Links {
    /// The tile beyond a link.
    #[inline]
    fn beyond(&self, tile: usize, side: usize) -> usize {
        match &self.steps {
            None => tile.wrapping_add_signed(self.delta[side & 3]),
            Some(steps) => steps.neighbour(tile, side).unwrap_or(tile),
        }
    }

    #[inline]
    fn opposite(&self, side: usize) -> usize {
        self.steps.as_ref().map_or(side ^ 2, |steps| steps.lattice().opposite(side))
    }

    /// The tiles connected to a tile directly, in the order of its sides.
    fn around(&self, tile: usize) -> impl Iterator<Item = usize> {
        let mask = self.met[tile];
        (0..6).filter(move |side| mask >> side & 1 == 1).map(move |side| self.beyond(tile, side))
    }

    /// Breadth-first search from a tile: fills in depths and the queue, which keeps the order of visits.
    fn spread(&self, from: u32, depth: &mut [u32], queue: &mut Vec<u32>) {
        queue.clear();
        queue.push(from);
        depth[from as usize] = 0;
        let mut at = 0;
        while at < queue.len() {
            let tile = queue[at] as usize;
            at += 1;
            let next = depth[tile] + 1;
            let mut mask = self.met[tile];
            while mask != 0 {
                let other = self.beyond(tile, mask.trailing_zeros() as usize);
                mask &= mask - 1;
                if depth[other] == NONE {
                    depth[other] = next;
                    queue.push(other as u32);
                }
            }
        }
    }

    /// The depths from one end of a longest way, and its other end, by double breadth-first search from tile 0; `None`
    /// where not all tiles are connected.
    fn longest_way(&self) -> Option<(Vec<u32>, u32)> {
        let n = self.met.len();
        let (mut depth, mut queue) = (vec![NONE; n], Vec::with_capacity(n));
        self.spread(0, &mut depth, &mut queue);
        if queue.len() < n {
            return None;
        }
        let last = queue[n - 1];
        depth.fill(NONE);
        self.spread(last, &mut depth, &mut queue);
        Some((depth, queue[n - 1]))
    }

    /// Gives the length of a longest way by taking off leaf after leaf; `None` where tiles in a loop are left, or the
    /// links do not connect all tiles.
    fn peel(&self) -> Option<u32> {
        let mut left = self.met.clone();
        // The longest way from a tile over tiles that are taken off.
        let mut far = vec![0u32; left.len()];
        let (mut longest, mut taken) = (0, 0);
        for start in 0..left.len() {
            let mut tile = start;
            while left[tile].is_power_of_two() {
                let side = left[tile].trailing_zeros() as usize;
                let other = self.beyond(tile, side);
                left[tile] = 0;
                left[other] &= !(1 << self.opposite(side));
                longest = longest.max(far[other] + far[tile] + 1);
                far[other] = far[other].max(far[tile] + 1);
                taken += 1;
                tile = other;
            }
        }
        (taken + 1 == left.len()).then_some(longest)
    }
}

/// The place of a tile.
fn cell_of(lattice: &Lattice, tile: usize) -> Cell {
    Cell::new((tile / lattice.width) as i32, (tile % lattice.width) as i32)
}

impl Game for LightEmAll {
    const NAME: &'static str = "lightemall";
    const AXES: &'static [&'static str] = &["kind", "row", "col"];
    type Move = [i32; 3];
    type Change = Change;
    type Reason = Refusal;

    fn parse(text: &str) -> Result<Self, Error> {
        notation::parse(text)
    }

    fn text(&self) -> String {
        notation::write(self)
    }

    fn height(&self) -> usize {
        self.lattice.height
    }

    fn width(&self) -> usize {
        self.lattice.width
    }

    #[inline]
    fn bounds(&self) -> [i32; 3] {
        [2, self.lattice.height as i32, self.lattice.width as i32]
    }

    #[inline]
    fn status(&self) -> Status {
        self.status
    }

    #[inline]
    fn check(&self, [kind, row, col]: [i32; 3]) -> Result<(), Refusal> {
        if kind == TURN {
            return Ok(());
        }
        let to = row as usize * self.lattice.width + col as usize;
        let (ways, count) = self.ways();
        if ways[..count].contains(&(to as u32)) {
            return Ok(());
        }
        let near =
            (0..self.lattice.sides()).any(|side| self.lattice.neighbour(self.station as usize, side) == Some(to));
        let cells = (Cell::new(row, col), self.station());
        Err(if near { Refusal::Unwired(cells.0, cells.1) } else { Refusal::Apart(cells.0, cells.1) })
    }

    fn each_legal<F: FnMut([i32; 3]) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        for row in 0..self.lattice.height as i32 {
            for col in 0..self.lattice.width as i32 {
                visit([TURN, row, col])?;
            }
        }
        let (ways, count) = self.ways();
        for &way in &ways[..count] {
            let cell = cell_of(&self.lattice, way as usize);
            visit([STATION, cell.row, cell.col])?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn apply(&mut self, [kind, row, col]: [i32; 3]) -> Change {
        let change = Change { station: self.station, whole: self.whole, status: self.status };
        let (row, col) = (row as usize, col as usize);
        let tile = row * self.lattice.width + col;
        if kind == STATION {
            self.station = tile as u32;
            self.judge_station();
            return change;
        }
        let old = self.wires[tile];
        let new = self.lattice.turn(old);
        if new != old {
            let facing = self.facing(row, col);
            self.wires[tile] = new;
            self.links = self.links + (new & facing).count_ones() - (old & facing).count_ones();
            if self.whole.is_some() || self.links as usize + 1 >= self.wires.len() {
                self.judge();
            }
        }
        change
    }

    fn revert(&mut self, [kind, row, col]: [i32; 3], change: Change) {
        if kind == STATION {
            self.station = change.station;
        } else {
            let (row, col) = (row as usize, col as usize);
            let tile = row * self.lattice.width + col;
            let mut old = self.wires[tile];
            for _ in 1..self.lattice.sides() {
                old = self.lattice.turn(old);
            }
            let facing = self.facing(row, col);
            self.links = self.links + (old & facing).count_ones() - (self.wires[tile] & facing).count_ones();
            self.wires[tile] = old;
        }
        self.whole = change.whole;
        self.status = change.status;
    }

    fn is_compatible(&self, other: &Self) -> bool {
        self.lattice == other.lattice
    }

    fn write_board(&self, out: &mut [u8]) {
        out.copy_from_slice(&self.wires);
        out[self.station as usize] |= WITH_STATION;
        self.light(out);
    }

    fn write_mask(&self, out: &mut [bool]) {
        let (turns, ways) = out.split_at_mut(self.wires.len());
        turns.fill(true);
        ways.fill(false);
        self.mark_ways(self.station, out);
    }

    /// Follows power only where it can have changed: turning a tile that had none and gets none changes nothing else.
    fn refresh_board(&self, [kind, row, col]: [i32; 3], change: &Change, board: &mut [u8]) {
        let width = self.lattice.width;
        let tile = row as usize * width + col as usize;
        if kind == STATION {
            board[change.station as usize] &= !WITH_STATION;
            board[tile] |= WITH_STATION;
            if self.reach.is_some() {
                self.light(board);
            }
            return;
        }
        board[tile] = board[tile] & !WIRES | self.wires[tile];
        if change.whole.is_none() && self.whole.is_none() && board[tile] & POWERED == 0 {
            let mut links = self.wires[tile] & self.facing(row as usize, col as usize);
            let mut lit = false;
            while links != 0 {
                let side = links.trailing_zeros() as usize;
                links &= links - 1;
                let beyond = self.lattice.beyond(row as usize, col as usize, side);
                lit |= beyond.is_some_and(|(r, c)| board[r * width + c] & POWERED != 0);
            }
            if !lit {
                return;
            }
        }
        self.light(board);
    }

    /// Only the station's own ways can have changed.
    fn refresh_mask(&self, [kind, row, col]: [i32; 3], change: &Change, mask: &mut [bool]) {
        let n = self.wires.len();
        let at = self.station();
        if kind == TURN && !self.lattice.wrap && (row.abs_diff(at.row) > 1 || col.abs_diff(at.col) > 1) {
            return;
        }
        if kind == STATION {
            for side in 0..self.lattice.sides() {
                if let Some(other) = self.lattice.neighbour(change.station as usize, side) {
                    mask[n + other] = false;
                }
            }
        }
        self.mark_ways(self.station, mask);
    }
}
