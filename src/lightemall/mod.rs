//! LightEmAll: the player turns tiles that carry wires until every tile is powered by the station.
//!
//! ```text
//!   *--.  .       2 3            wires of a tile, one hex digit:   hexagons, two digits:
//!      |  |       2c4            N=1 E=2 S=4 W=8                   NE=1 E=2 SE=4 SW=8 W=16 NW=32
//!   .--+--'       2b9                                              (odd rows are shifted right by half a tile)
//!                 station 0 0
//! ```
//!
//! * Two tiles are connected if both have a wire to the side they share. Power flows from the station along connected
//!   tiles.
//! * A move turns a tile clockwise by a quarter (a hexagon by a sixth), or moves the station to a connected neighbor.
//! * The game is won when every tile is powered.
//! * With a limited radius of r, only tiles at most r links from the station are powered. While not all tiles are
//!   connected, the initial radius applies; once they are, the radius is half of [`LightEmAll::diameter`], rounded
//!   down, plus one.
//! * Options: hexagons; borders that wrap.
//!
//! Terms: a *wire* leads from the middle of a tile to one of its sides and has its *end* there; two ends that meet make
//! a *link*; a *wiring* is the wires of all tiles. Source: the LightEmAll assignment of a course on program design,
//! including all of its extra credit.
//!
//! Notation: `HEIGHT WIDTH` and any of `hex`, `wrap`, `radius=R`; rows of hex digits, one per tile, two per hexagon;
//! then `station ROW COL`.

mod activity;
pub mod census;
mod component;
pub mod explain;
mod fewest;
pub mod generate;
mod links;
mod loose;
mod net;
mod notation;
pub mod options;
mod orientations;
mod power;
pub mod reason;
mod search;
pub mod solve;
mod squares;
pub mod step;
mod unique;

use std::fmt;
use std::ops::ControlFlow;

use crate::core::{Cell, Error, Game, Status};
use crate::graph::Lattice;
use crate::graph::search::NONE;
use links::Links;
use squares::Around;

/// The first coordinate of a move that turns a tile clockwise.
pub const TURN: i32 = 0;

/// The first coordinate of a move that moves the station.
pub const STATION: i32 = 1;

/// Bit of a board code: the tile is powered.
pub const POWERED: u8 = 64;

/// Bit of a board code: the station is on the tile.
pub const WITH_STATION: u8 = 128;

/// Bits of a board code: the mask of wires.
pub const WIRES: u8 = 63;

/// The radius and the center of a wiring that connects all tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spanning {
    /// Half of [`LightEmAll::diameter`], rounded down, plus one.
    radius: u32,
    /// The center of a tree: the two tiles of the middle link of a longest path, or the middle tile of that path twice.
    /// `None` if the wiring has loops: in that case the center does not determine whether the game is won.
    center: Option<[u32; 2]>,
}

/// A position of LightEmAll.
///
/// Power is not stored. A move changes one tile or the station, and a few numbers, so undo is cheap on any board.
/// Invariant: `links` is the number of pairs of ends that meet; `spanning` is `Some` if and only if the radius is
/// limited and all tiles are connected; `status` follows from the other fields.
#[derive(Clone, Debug)]
pub struct LightEmAll {
    lattice: Lattice,
    wires: Vec<u8>,
    station: u32,
    /// The radius while not all tiles are connected; `None` if the radius is not limited.
    initial_radius: Option<u32>,
    links: u32,
    spanning: Option<Spanning>,
    status: Status,
}

impl PartialEq for LightEmAll {
    fn eq(&self, other: &Self) -> bool {
        (self.lattice, self.station, self.initial_radius) == (other.lattice, other.station, other.initial_radius)
            && self.wires == other.wires
    }
}

/// What undoing a move restores, and the links of a turned tile.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    station: u32,
    spanning: Option<Spanning>,
    status: Status,
    /// The masks of the sides on which the turned tile was linked before the move and is linked after it.
    linked: [u8; 2],
}

/// Why a move of the station is refused. Turning a tile is legal until the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The tile, given first, is not next to the station, whose cell is given second.
    Apart(Cell, Cell),
    /// The tile, given first, is next to the station, whose cell is given second, but no wires meet between them.
    Unwired(Cell, Cell),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Apart(to, from) => {
                write!(f, "the station can only move to a connected neighbor, and {to} is not next to {from}")
            }
            Self::Unwired(to, from) => {
                write!(
                    f,
                    "the station can only move to a connected neighbor, and no wires meet between {from} and {to}"
                )
            }
        }
    }
}

impl LightEmAll {
    /// Creates a position.
    ///
    /// * `lattice`: the shape and size of the board
    /// * `wires`: the mask of each tile, row-major: bit `i` is a wire to side `i`, clockwise from N = 0 (NE = 0 on
    ///   hexagons)
    /// * `station`: the row-major index of the station's tile
    /// * `initial_radius`: the radius while not all tiles are connected, or `None` for no limit
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if [`Lattice::check`] fails, the board has no tiles, the number of masks differs from
    /// the number of tiles, a mask has a bit beyond the sides of a tile, or the station is off the board.
    pub fn new(lattice: Lattice, wires: Vec<u8>, station: usize, initial_radius: Option<u32>) -> Result<Self, Error> {
        lattice.check()?;
        let full = (1u8 << lattice.sides()) - 1;
        if wires.len() != lattice.len() || wires.is_empty() {
            let (height, width) = (lattice.height, lattice.width);
            return Err(Error::Invalid(format!(
                "wires must hold one mask per tile of a {height} x {width} board, got {}",
                wires.len()
            )));
        }
        let fits = wires.iter().fold(0, |any, mask| any | mask) & !full == 0;
        let wrong = if fits { None } else { wires.iter().position(|mask| mask & !full != 0) };
        if let Some(tile) = wrong {
            let cell = cell_of(&lattice, tile);
            return Err(Error::Invalid(format!("mask at {cell} must be between 0 and {full}, got {}", wires[tile])));
        }
        if station >= wires.len() {
            return Err(Error::Invalid(format!("station must be between 0 and {}, got {station}", wires.len() - 1)));
        }
        let mut game = Self {
            lattice,
            wires,
            station: station as u32,
            initial_radius,
            links: 0,
            spanning: None,
            status: Status::Open,
        };
        game.links = game.count_links();
        game.judge();
        Ok(game)
    }

    /// Counts the pairs of ends that meet.
    fn count_links(&self) -> u32 {
        let lattice = self.lattice;
        let mut links = 0;
        if lattice.hexagonal || lattice.wrap {
            lattice.each_edge(|id, tile, other| {
                links += u32::from(self.meet(tile, lattice.slot_side(id % lattice.slots()), other));
            });
            return links;
        }
        // Counts the links to the E and to the S of each tile, so that each link is counted once. In a mask, bit 0 is
        // N, bit 1 is E, bit 2 is S and bit 3 is W.
        for row in self.wires.chunks_exact(lattice.width) {
            links += row.windows(2).map(|pair| u32::from(pair[0] >> 1 & pair[1] >> 3 & 1)).sum::<u32>();
        }
        let below = &self.wires[lattice.width..];
        links + self.wires.iter().zip(below).map(|(&up, &down)| u32::from(up >> 2 & down & 1)).sum::<u32>()
    }

    /// Returns the board as a graph.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Returns the mask of wires of each tile, row-major.
    pub fn wires(&self) -> &[u8] {
        &self.wires
    }

    /// Returns the cell of the station.
    pub fn station(&self) -> Cell {
        cell_of(&self.lattice, self.station as usize)
    }

    /// Returns the radius that applies while not all tiles are connected; `None` if the radius is not limited.
    pub fn initial_radius(&self) -> Option<u32> {
        self.initial_radius
    }

    /// Returns the radius that applies now; `None` if the radius is not limited.
    pub fn radius(&self) -> Option<u32> {
        self.initial_radius.map(|initial| self.spanning.map_or(initial, |spanning| spanning.radius))
    }

    /// Returns `true` if the wires of `tile` and `other` meet, where `other` lies beyond `side` of `tile`.
    #[inline]
    fn meet(&self, tile: usize, side: usize, other: usize) -> bool {
        self.wires[tile] >> side & self.wires[other] >> self.lattice.opposite(side) & 1 == 1
    }

    /// Returns the mask of the sides of a tile on which a neighbor has a wire that leads to the tile. Works on every
    /// kind of board.
    #[inline(never)]
    fn facing_by_sides(&self, row: usize, col: usize) -> u8 {
        let mut facing = 0;
        for side in 0..self.lattice.sides() {
            if let Some((r, c)) = self.lattice.beyond(row, col, side) {
                facing |= (self.wires[r * self.lattice.width + c] >> self.lattice.opposite(side) & 1) << side;
            }
        }
        facing
    }

    /// Returns the neighbors of a tile if the board consists of squares and does not wrap, otherwise `None`.
    #[inline(always)]
    fn around(&self, row: usize, col: usize) -> Option<Around> {
        let lattice = self.lattice;
        (!lattice.hexagonal && !lattice.wrap).then(|| Around::new(lattice, row, col))
    }

    /// Returns the number of links from the station to each tile, row-major; [`NONE`] for tiles that are not connected
    /// to the station. The radius is ignored.
    pub fn distances(&self) -> Vec<u32> {
        let mut depth = vec![NONE; self.wires.len()];
        Links::new(self).spread(self.station, &mut depth, &mut Vec::new());
        depth
    }

    /// Returns the tiles in the order in which power reaches them, breadth-first from the station, and for each of them
    /// the tile from which power reaches it, or [`NONE`] for the tile of the station. The radius is ignored.
    pub fn spreading(&self) -> (Vec<u32>, Vec<u32>) {
        let mut queue = Vec::new();
        let mut depth = vec![NONE; self.wires.len()];
        let links = Links::new(self);
        links.spread(self.station, &mut depth, &mut queue);
        let from = |&tile: &u32| {
            let mut back = links.around(tile as usize).filter(|&other| depth[other] + 1 == depth[tile as usize]);
            back.next().map_or(NONE, |other| other as u32)
        };
        let parents = queue.iter().map(|tile| if *tile == self.station { NONE } else { from(tile) }).collect();
        (queue, parents)
    }

    /// Returns the diameter of the wiring in links; `None` if not all tiles are connected.
    ///
    /// If the wiring has loops, the value comes from a double breadth-first search that starts at tile (0, 0), and may
    /// be less than the largest distance between two tiles. The diameter of a tree is exact. It is found by removing
    /// leaf after leaf, which takes half as long as the double search.
    pub fn diameter(&self) -> Option<u32> {
        let n = self.wires.len();
        if (self.links as usize) < n - 1 {
            return None;
        }
        let links = Links::new(self);
        let peeled = if self.links as usize == n - 1 { links.peel() } else { None };
        peeled.or_else(|| links.longest_path().map(|(depth, last)| depth[last as usize]))
    }

    /// Returns the radius and the center of the wiring; `None` if it does not connect all tiles.
    fn spanning(&self) -> Option<Spanning> {
        if self.links as usize + 1 < self.wires.len() {
            return None;
        }
        let links = Links::new(self);
        let (depth, last) = links.longest_path()?;
        let diameter = depth[last as usize];
        let mut center = None;
        if self.links as usize + 1 == self.wires.len() {
            // Follows decreasing depths from the far end to the middle link, or the middle tile, of the longest path.
            let mut tile = last as usize;
            let mut first = last;
            loop {
                if depth[tile] == diameter.div_ceil(2) {
                    first = tile as u32;
                }
                if depth[tile] == diameter / 2 {
                    center = Some([first, tile as u32]);
                    break;
                }
                match links.around(tile).find(|&other| depth[other] < depth[tile]) {
                    Some(other) => tile = other,
                    None => break,
                }
            }
        }
        Some(Spanning { radius: diameter / 2 + 1, center })
    }

    /// Updates the radius and the status after a change of the wiring.
    ///
    /// Fewer than n - 1 links cannot connect n tiles. If there are so few, the board is not searched.
    fn judge(&mut self) {
        self.spanning = None;
        self.status = Status::Open;
        let n = self.wires.len();
        if (self.links as usize) < n - 1 {
            return;
        }
        if self.initial_radius.is_some() {
            self.spanning = self.spanning();
            self.judge_station();
        } else if self.reach(None) == n {
            self.status = Status::Won;
        }
    }

    /// Updates the status after a move of the station. `spanning` must be up to date.
    fn judge_station(&mut self) {
        let Some(spanning) = self.spanning else { return };
        // In a tree of even diameter, the radius is one more than the center tile needs, so the station also wins on a
        // tile linked to the center. In a tree of odd diameter, the radius is exactly what the two center tiles need.
        let won = if let Some([one, two]) = spanning.center {
            self.station == one
                || self.station == two
                || (one == two && self.linked(self.station as usize, one as usize))
        } else {
            self.reach(Some(spanning.radius)) == self.wires.len()
        };
        self.status = if won { Status::Won } else { Status::Open };
    }

    /// Returns `true` if a link joins the two tiles.
    fn linked(&self, tile: usize, other: usize) -> bool {
        (0..self.lattice.sides())
            .any(|side| self.lattice.neighbor(tile, side) == Some(other) && self.meet(tile, side, other))
    }

    /// Returns the cell to which the station moves across a side of its tile.
    ///
    /// * `side`: the number of the side, clockwise from N = 0 (NE = 0 on hexagons); it must be less than the number of
    ///   sides
    ///
    /// # Errors
    /// Returns [`Error::Illegal`] if the game is over, no tile lies beyond the side, or no wires meet there.
    pub fn station_target(&self, side: usize) -> Result<Cell, Error> {
        let from = self.station();
        // If no tile lies beyond the side, or if the game is over, the move in the error names the tile of the station.
        let illegal = |to: Cell, reason: String| Err(Error::Illegal { mv: vec![STATION, to.row, to.col], reason });
        if self.status.is_over() {
            return illegal(from, format!("the game is over ({})", self.status));
        }
        let Some(other) = self.lattice.neighbor(self.station as usize, side) else {
            return illegal(
                from,
                format!("the station can only move to a connected neighbor, and {from} has none on this side"),
            );
        };
        let to = cell_of(&self.lattice, other);
        if self.meet(self.station as usize, side, other) {
            Ok(to)
        } else {
            illegal(to, Refusal::Unwired(to, from).to_string())
        }
    }

    /// Returns the tiles to which the station can move, each once, in row-major order, and their number.
    fn station_moves(&self) -> ([u32; 6], usize) {
        let (mut moves, mut count) = ([0; 6], 0);
        let station = self.station as usize;
        for side in 0..self.lattice.sides() {
            if self.wires[station] >> side & 1 == 1
                && let Some(other) = self.lattice.neighbor(station, side)
                && self.meet(station, side, other)
                && !moves[..count].contains(&(other as u32))
            {
                moves[count] = other as u32;
                count += 1;
            }
        }
        moves[..count].sort_unstable();
        (moves, count)
    }

    /// In the second half of a mask of moves, clears the entries of the neighbors of `before`, the tile where the
    /// station was, and then marks the legal moves of the station.
    fn mark_station_moves(&self, before: u32, mask: &mut [bool]) {
        let moves = &mut mask[self.wires.len()..];
        // Every tile index fits in 32 bits, and a division of 64-bit numbers takes longer.
        let width = self.lattice.width as u32;
        let around = |tile: u32| self.around((tile / width) as usize, (tile % width) as usize);
        if let (Some(old), Some(new)) = (around(before), around(self.station)) {
            // On a side where the board ends, `tiles` holds the tile itself. The station never moves to its own tile.
            old.tiles.into_iter().for_each(|tile| moves[tile] = false);
            let linked = self.wires[self.station as usize] & new.facing(&self.wires);
            (0..).zip(new.tiles).for_each(|(side, tile)| moves[tile] = linked >> side & 1 == 1);
            return;
        }
        for side in 0..self.lattice.sides() {
            if let Some(other) = self.lattice.neighbor(before as usize, side) {
                moves[other] = false;
            }
        }
        let (tiles, count) = self.station_moves();
        for &to in &tiles[..count] {
            moves[to as usize] = true;
        }
    }

    /// Checks whether the station can move to a tile.
    fn check_station(&self, to: Cell) -> Result<(), Refusal> {
        let tile = to.row as usize * self.lattice.width + to.col as usize;
        let (moves, count) = self.station_moves();
        if moves[..count].contains(&(tile as u32)) {
            return Ok(());
        }
        let station = self.station as usize;
        let near = (0..self.lattice.sides()).any(|side| self.lattice.neighbor(station, side) == Some(tile));
        Err(if near { Refusal::Unwired(to, self.station()) } else { Refusal::Apart(to, self.station()) })
    }

    /// Returns whether one of the links of a tile leads to a tile that is powered on `board`; `links` is the mask of
    /// the sides with a link.
    #[inline(always)]
    fn is_next_to_power(&self, row: usize, col: usize, links: u8, board: &[u8]) -> bool {
        if let Some(around) = self.around(row, col) {
            return around.is_powered(board, links);
        }
        (0..self.lattice.sides()).filter(|side| links >> side & 1 == 1).any(|side| {
            let other = self.lattice.beyond(row, col, side);
            other.is_some_and(|(r, c)| board[r * self.lattice.width + c] & POWERED != 0)
        })
    }
}

/// Returns the number of sides in a mask.
#[inline]
fn count(sides: u8) -> u32 {
    // Looks the number up in a table: on processors without an instruction that counts bits, counting them takes a
    // dozen other instructions.
    const COUNTS: [u8; 64] = {
        let mut counts = [0; 64];
        let mut mask = 1;
        while mask < counts.len() {
            counts[mask] = counts[mask / 2] + mask as u8 % 2;
            mask += 1;
        }
        counts
    };
    u32::from(COUNTS[usize::from(sides & WIRES)])
}

/// Returns the cell of a row-major index.
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
        if kind == TURN { Ok(()) } else { self.check_station(Cell::new(row, col)) }
    }

    fn each_legal<F: FnMut([i32; 3]) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        for row in 0..self.lattice.height as i32 {
            for col in 0..self.lattice.width as i32 {
                visit([TURN, row, col])?;
            }
        }
        let (moves, count) = self.station_moves();
        for &to in &moves[..count] {
            let cell = cell_of(&self.lattice, to as usize);
            visit([STATION, cell.row, cell.col])?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn apply(&mut self, [kind, row, col]: [i32; 3]) -> Change {
        let mut change = Change { station: self.station, spanning: self.spanning, status: self.status, linked: [0; 2] };
        let (row, col) = (row as usize, col as usize);
        let tile = row * self.lattice.width + col;
        if kind == STATION {
            self.station = tile as u32;
            self.judge_station();
            return change;
        }
        let old = self.wires[tile];
        let (new, facing) = if let Some(around) = self.around(row, col) {
            (Lattice::square(1, 1).turn(old), around.facing(&self.wires))
        } else {
            (self.lattice.turn(old), self.facing_by_sides(row, col))
        };
        self.wires[tile] = new;
        change.linked = [old & facing, new & facing];
        self.links = self.links + count(change.linked[1]) - count(change.linked[0]);
        if self.spanning.is_some() || self.links as usize + 1 >= self.wires.len() {
            self.judge();
        }
        change
    }

    fn revert(&mut self, [kind, row, col]: [i32; 3], change: Change) {
        if kind == STATION {
            self.station = change.station;
        } else {
            let tile = row as usize * self.lattice.width + col as usize;
            // One counterclockwise turn equals `sides - 1` clockwise turns.
            for _ in 1..self.lattice.sides() {
                self.wires[tile] = self.lattice.turn(self.wires[tile]);
            }
            self.links = self.links + count(change.linked[0]) - count(change.linked[1]);
        }
        self.spanning = change.spanning;
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
        let (turns, station_moves) = out.split_at_mut(self.wires.len());
        turns.fill(true);
        station_moves.fill(false);
        self.mark_station_moves(self.station, out);
    }

    /// Updates power only if it may have changed. A turn leaves power unchanged if the links stay the same, or if the
    /// radius stays the same, the turned tile is not powered and none of its links leads to a powered tile.
    #[inline]
    fn refresh_board(&self, [kind, row, col]: [i32; 3], change: &Change, board: &mut [u8]) {
        let (row, col) = (row as usize, col as usize);
        let tile = row * self.lattice.width + col;
        if kind == STATION {
            board[change.station as usize] &= !WITH_STATION;
            board[tile] |= WITH_STATION;
            if self.initial_radius.is_some() {
                self.light(board);
            }
            return;
        }
        let code = board[tile] & !WIRES | self.wires[tile];
        board[tile] = code;
        let [before, after] = change.linked;
        // Turning an unpowered tile takes power from no other tile, and brings power only if the tile then has a link
        // to a powered tile. Whether it has such a link is checked before the links are compared: in nearly all moves
        // it has none, whereas about half of the moves change links.
        let local = change.spanning.is_none() && self.spanning.is_none() && code & POWERED == 0;
        if local && !self.is_next_to_power(row, col, after, board) {
            return;
        }
        // A new radius or a change of links can change the power of any tile.
        if before != after || change.spanning != self.spanning {
            self.light(board);
        }
    }

    /// Updates only the moves of the station: while the game is open, every tile can be turned.
    #[inline]
    fn refresh_mask(&self, [kind, row, col]: [i32; 3], change: &Change, mask: &mut [bool]) {
        if kind == TURN {
            // Only links of the station's tile matter. On a board that does not wrap, the row-major indices of
            // neighbors differ by 1, by the width, or by one more or less than the width.
            let tile = row as usize * self.lattice.width + col as usize;
            let apart = tile.abs_diff(self.station as usize);
            let far = apart > 1 && apart.abs_diff(self.lattice.width) > 1 && !self.lattice.wrap;
            if far || change.linked[0] == change.linked[1] {
                return;
            }
        }
        self.mark_station_moves(change.station, mask);
    }
}
