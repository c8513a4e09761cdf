//! MyPhoton: a puzzle in which mirrors direct the light of lasers into sensors.
//!
//! ```text
//! W  W  W  W  W  W  W         W wall          . empty
//! W  L> .  .  M\ .  W         L laser         S sensor
//! W  .  .  .  .  .  W         M mirror        B beam splitter
//! W  .  S> .  M/ .  W         T T-mirror      (the arrow shows where its point faces)
//! W  W  W  W  W  W  W
//! ```
//!
//! 1. Lasers shine all the time; walls, lasers and the edge of the board stop light.
//! 2. A mirror turns light by 90 degrees, on both of its sides. A splitter does the same and also lets light pass
//!    straight on.
//! 3. A T-mirror splits light that meets its point and sends it to both sides, turns light from either side to the
//!    direction in which the point faces, and blocks light that meets its back.
//! 4. A sensor is lit while light falls into its opening. It blocks light from all other directions.
//! 5. A move takes a piece of *hardware* (mirror, splitter, T-mirror) to an empty tile, or exchanges two pieces that
//!    differ in kind or orientation. An exchange lists its two cells in row-major order. Pieces are never rotated.
//! 6. The puzzle is won when there is a sensor and all sensors are lit. A board without sensors is a sandbox, and its
//!    status stays open.
//!
//! Terms: a *laserlet* is light in one half of a tile, between its center and one side; a *head* is light about to
//! enter a tile with a *heading*, the direction in which it travels. Each head is followed once, so tracing ends even
//! if light runs in a cycle. A *place* is the index of a tile in memory (see [`MyPhoton`]).
//!
//! Source: the assignment "MyPhoton" (CS106L, 2008). Changes: the ring of walls may be missing, an exchange of equal
//! pieces is illegal, and invalid text is refused with the line and column of the error.
//!
//! Files: [`tile`](Tile) (codes and the table of light), `notation`, `light` (the light of a position, updated by each
//! move), `trace` (light traced from scratch, step by step or for many boards), `placement` (partial solutions),
//! `bounds` (lower bounds on the number of pieces), `bitboard` and `bitflood` (two of these bounds, computed with
//! bitsets), `search`, `solve`, `swaps` (the fewest swaps to a placement), [`generate`], [`reason`] (conclusions that
//! hold in all solutions), [`advice`] (the moves and grades that follow from these conclusions).

pub mod advice;
mod bitboard;
mod bitflood;
mod bounds;
pub mod generate;
mod light;
mod notation;
mod placement;
pub mod reason;
mod search;
mod solve;
mod swaps;
mod tile;
mod trace;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::core::{Cell, Error, Game, Rng, Status, memory, text};

pub use tile::{FIRST_KIND, KINDS, LIT, Tile};
pub use trace::{Steps, trace_many};

use light::Scratch;
use tile::{EMPTY, LASERLETS, WALL, is_hardware};

/// Division by a fixed number, computed as a multiplication. Each update of the mask converts the places of all pieces
/// to row-major indices, and a division takes about as long as ten other instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Divisor {
    /// 2^63 / divisor, rounded down, plus 1.
    inverse: u64,
}

impl Divisor {
    /// Prepares division by a number from 1 to 2^31 - 1.
    fn new(divisor: usize) -> Self {
        Self { inverse: (1 << 63) / divisor as u64 + 1 }
    }

    /// Divides `number`, which must be below 2^31, by the divisor d and rounds down.
    ///
    /// `number * inverse` exceeds `2^63 * number / d` by at most `number`, which is less than 2^31. The fractional part
    /// of `number / d` is at most `1 - 1 / d`, so the next multiple of 2^63 lies at least `2^63 / d` higher. This
    /// distance is more than 2^32, so the excess cannot reach that multiple.
    #[inline(always)]
    fn divide(self, number: u32) -> u32 {
        ((u128::from(number) * u128::from(self.inverse)) >> 63) as u32
    }
}

/// The part of a position that no move changes.
#[derive(Debug, PartialEq, Eq)]
struct World {
    /// The number of rows.
    height: usize,
    /// The number of columns.
    width: usize,
    /// The offset from one row to the next in [`MyPhoton::tiles`]: `width + 1`, since a wall follows each row.
    stride: usize,
    /// Division by `stride`.
    by_stride: Divisor,
    /// By heading, the offset from a place to the next one.
    ahead: [i32; 4],
    /// The place and direction of each laser, row-major.
    lasers: Vec<(u32, u8)>,
    /// The places of the sensors, row-major.
    sensors: Vec<u32>,
    /// The number of empty tiles. No move changes it: a move to an empty tile leaves another tile empty, and an
    /// exchange of two pieces involves no empty tile.
    empty: usize,
}

/// A position of MyPhoton, with its light.
///
/// Invariant: cell (row, col) is at the place `(row + 1) * stride + col` of `tiles` and `heads`, which hold
/// `(height + 2) * stride` places; the places that are not cells are walls. Bit h of `heads` at a place is set iff
/// light tries to enter the place with heading h, even if the tile blocks it; the code of a sensor has [`LIT`] iff
/// light falls into its opening, and `unlit` counts the other sensors. `hardware` lists the places of all pieces in
/// ascending order. `scratch` is not part of the position.
#[derive(Debug)]
pub struct MyPhoton {
    world: Arc<World>,
    tiles: Vec<u8>,
    heads: Vec<u8>,
    hardware: Vec<u32>,
    unlit: usize,
    scratch: Scratch,
}

impl Clone for MyPhoton {
    fn clone(&self) -> Self {
        Self {
            world: Arc::clone(&self.world),
            tiles: self.tiles.clone(),
            heads: self.heads.clone(),
            hardware: self.hardware.clone(),
            unlit: self.unlit,
            scratch: Scratch::default(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        if !Arc::ptr_eq(&self.world, &source.world) {
            self.world = Arc::clone(&source.world);
        }
        self.tiles.clone_from(&source.tiles);
        self.heads.clone_from(&source.heads);
        self.hardware.clone_from(&source.hardware);
        self.unlit = source.unlit;
    }
}

impl PartialEq for MyPhoton {
    fn eq(&self, other: &Self) -> bool {
        let sizes = |game: &Self| (game.world.height, game.world.width);
        sizes(self) == sizes(other) && self.tiles == other.tiles
    }
}

impl Eq for MyPhoton {}

/// Why the rules refuse a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The first cell holds no hardware: the cell and its tile.
    Fixed(Cell, Tile),
    /// The second cell is not empty and holds no hardware: the cell and its tile.
    Taken(Cell, Tile),
    /// Both cells of the move are this cell.
    Same(Cell),
    /// Both cells, given in the order of the move, hold pieces of the same kind and orientation.
    Alike(Cell, Cell),
    /// Both cells hold pieces, but the first cell of the move comes later in row-major order. The cells are given in
    /// the order of the move.
    Order(Cell, Cell),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(cell, tile) => {
                write!(f, "{cell} must hold a mirror, a splitter or a T-mirror, got {}", tile.words())
            }
            Self::Taken(cell, tile) => {
                write!(f, "{cell} must be empty or hold a mirror, a splitter or a T-mirror, got {}", tile.words())
            }
            Self::Same(cell) => write!(f, "the two cells must differ, got {cell} twice"),
            Self::Alike(a, b) => write!(f, "the two pieces must differ, got equal pieces on {a} and {b}"),
            Self::Order(a, b) => {
                write!(f, "a swap of two pieces must name the cells in row-major order, got {a} before {b}")
            }
        }
    }
}

/// What a swap changed on the board besides the contents of its two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Whether the code of any sensor may have changed.
    sensors: bool,
}

impl MyPhoton {
    /// Creates a position from tile codes and traces its light.
    ///
    /// * `height`: the number of rows
    /// * `width`: the number of columns
    /// * `codes`: the codes of the cells, row-major; [`LIT`] on the code of a sensor is ignored
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if `height * width` is not between 1 and 2^26, or if a number is not a code (the
    /// message gives the index of the first such number), and [`Error::Memory`] if the memory cannot be allocated.
    ///
    /// # Panics
    /// If the number of codes is not `height * width`.
    pub fn from_codes(height: usize, width: usize, codes: &[u8]) -> Result<Self, Error> {
        text::check_size(height, width)?;
        assert_eq!(codes.len(), height * width, "{} codes for {height} x {width}", codes.len());
        memory::probe(codes.len() * memory::PER_CELL, "a board of this size")?;
        let stride = width + 1;
        let mut tiles = vec![WALL; (height + 2) * stride];
        let (mut lasers, mut sensors, mut hardware) = (Vec::new(), Vec::new(), Vec::new());
        for (index, &code) in codes.iter().enumerate() {
            let Some(tile) = Tile::from_code(code) else {
                return Err(Error::invalid(format!(
                    "codes must be 0 to 17, or 46 to 49 for lit sensors, got {code} at index {index}"
                )));
            };
            let place = (index / width + 1) * stride + index % width;
            tiles[place] = tile.code();
            if let Some(dir) = tile.laser() {
                lasers.push((place as u32, dir as u8));
            } else if tile.sensor().is_some() {
                sensors.push(place as u32);
            } else if tile.is_hardware() {
                hardware.push(place as u32);
            }
        }
        let ahead = [-(stride as i32), 1, stride as i32, -1];
        let (heads, unlit) = (vec![0; tiles.len()], sensors.len());
        let empty = codes.iter().map(|&code| usize::from(code == EMPTY)).sum();
        let world =
            Arc::new(World { height, width, stride, by_stride: Divisor::new(stride), ahead, lasers, sensors, empty });
        let mut game = Self { world, tiles, heads, hardware, unlit, scratch: Scratch::default() };
        game.shine();
        Ok(game)
    }

    /// Creates a board of `height` rows and `width` columns of empty tiles.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if `height * width` is not between 1 and 2^26, and [`Error::Memory`] if the memory
    /// cannot be allocated.
    pub fn blank(height: usize, width: usize) -> Result<Self, Error> {
        text::check_size(height, width)?;
        Self::from_codes(height, width, &memory::filled(EMPTY, height * width, "a board of this size")?)
    }

    /// Returns the place of cell (row, col), which must be on the board.
    #[inline]
    fn place(&self, row: i32, col: i32) -> usize {
        (row as usize + 1) * self.world.stride + col as usize
    }

    /// Returns the cell of a place; the cell is off the board if the place belongs to the surrounding walls.
    #[inline]
    fn cell(&self, place: u32) -> Cell {
        let row = self.world.by_stride.divide(place);
        Cell::new(row as i32 - 1, (place - row * self.world.stride as u32) as i32)
    }

    /// Returns the tile on a cell, or `None` if the cell is off the board. The tile of a sensor does not depend on
    /// whether the sensor is lit.
    pub fn tile(&self, cell: Cell) -> Option<Tile> {
        let World { height, width, .. } = *self.world;
        let inside = (0..height as i32).contains(&cell.row) && (0..width as i32).contains(&cell.col);
        if inside { Tile::from_code(self.tiles[self.place(cell.row, cell.col)]) } else { None }
    }

    /// Returns `true` if a cell holds hardware, which the player may move; `false` if the cell is off the board.
    pub fn can_select(&self, cell: Cell) -> bool {
        self.tile(cell).is_some_and(Tile::is_hardware)
    }

    /// Iterates over the cells of the hardware, row-major.
    pub fn hardware(&self) -> impl ExactSizeIterator<Item = Cell> + '_ {
        self.hardware.iter().map(|&place| self.cell(place))
    }

    /// Iterates over the cells of the lasers, row-major.
    pub fn lasers(&self) -> impl ExactSizeIterator<Item = Cell> + '_ {
        self.world.lasers.iter().map(|&(place, _)| self.cell(place))
    }

    /// Iterates over the cells of the sensors, row-major.
    pub fn sensors(&self) -> impl ExactSizeIterator<Item = Cell> + '_ {
        self.world.sensors.iter().map(|&place| self.cell(place))
    }

    /// Returns the number of sensors that are not lit.
    #[inline]
    pub fn unlit(&self) -> usize {
        self.unlit
    }

    /// Writes the laserlets of all cells, row-major, one byte per cell with one bit per side: N=1 E=2 S=4 W=8. `out`
    /// must hold `height * width` bytes.
    pub fn write_beams(&self, out: &mut [u8]) {
        for (out, (tiles, heads)) in out.chunks_exact_mut(self.world.width).zip(self.rows()) {
            for ((out, &tile), &heads) in out.iter_mut().zip(tiles).zip(heads) {
                *out = LASERLETS[(tile & 63) as usize][(heads & 15) as usize];
            }
        }
    }

    /// Writes whether each cell holds a lit sensor, row-major. `out` must hold `height * width` values.
    ///
    /// # Panics
    /// If `out` is too short for a sensor of the board.
    pub fn write_lit(&self, out: &mut [bool]) {
        out.fill(false);
        for &place in &self.world.sensors {
            out[self.index(place)] = self.tiles[place as usize] & LIT != 0;
        }
    }

    /// Iterates over the rows of the board. Each item holds the codes and the heads of a row, `width` entries each.
    fn rows(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let World { width, stride, .. } = *self.world;
        let inner = stride..self.tiles.len() - stride;
        self.tiles[inner.clone()]
            .chunks_exact(stride)
            .zip(self.heads[inner].chunks_exact(stride))
            .map(move |(tiles, heads)| (&tiles[..width], &heads[..width]))
    }

    /// Exchanges the contents of two different places, each empty or holding hardware, and updates the light and
    /// `hardware`.
    #[inline]
    fn swap_places(&mut self, a: u32, b: u32) -> Change {
        let sensors = self.replace([(a, self.tiles[b as usize]), (b, self.tiles[a as usize])]);
        for (from, to) in [(a, b), (b, a)] {
            // A piece that moved to an empty tile leaves `from` empty: `hardware` must name `to` instead.
            if self.tiles[from as usize] == EMPTY
                && let Ok(at) = self.hardware.binary_search(&from)
            {
                // The entries between the old index and the new one move up or down by one.
                let end = self.hardware.partition_point(|&place| place < to);
                let at_end = if at < end {
                    self.hardware.copy_within(at + 1..end, at);
                    end - 1
                } else {
                    self.hardware.copy_within(end..at, end + 1);
                    end
                };
                self.hardware[at_end] = to;
            }
        }
        Change { sensors }
    }

    /// Returns `true` if [`Game::check`] accepts the move from place `a` to place `b`, both on the board.
    #[inline]
    fn allows(&self, a: usize, b: usize) -> bool {
        let (piece, other) = (self.tiles[a], self.tiles[b]);
        is_hardware(piece) && (other == EMPTY || is_hardware(other) && a < b && piece != other)
    }

    /// Returns why the rules refuse a move that [`MyPhoton::allows`] does not accept.
    #[cold]
    fn refusal(&self, a: Cell, b: Cell) -> Refusal {
        let tile = |cell| self.tile(cell).unwrap_or(Tile::Wall);
        let (piece, other) = (tile(a), tile(b));
        if !piece.is_hardware() {
            Refusal::Fixed(a, piece)
        } else if a == b {
            Refusal::Same(a)
        } else if !other.is_hardware() {
            Refusal::Taken(b, other)
        } else if piece == other {
            Refusal::Alike(a, b)
        } else {
            Refusal::Order(a, b)
        }
    }

    /// Draws an empty tile uniformly and returns its place. The board must have an empty tile. `height`, `width` and
    /// `stride` are those of the board.
    fn sample_empty(&self, rng: &mut Rng, height: usize, width: usize, stride: usize) -> u32 {
        for _ in 0..64 {
            let place = (1 + rng.index(height)) * stride + rng.index(width);
            if self.tiles[place] == EMPTY {
                return place as u32;
            }
        }
        // Empty tiles are probably rare, so one is picked by its index among them.
        let nth = rng.index(self.world.empty);
        (0..self.tiles.len()).filter(|&place| self.tiles[place] == EMPTY).nth(nth).map_or(0, |place| place as u32)
    }

    /// Returns the row-major index, `row * width + col`, of the cell of a place.
    #[inline]
    fn index(&self, place: u32) -> usize {
        // `row * width + col`, from the place `(row + 1) * (width + 1) + col`.
        (place - self.world.by_stride.divide(place)) as usize - self.world.width
    }

    /// Writes which moves of one piece are legal. `piece` is its place, and `out` is the mask of all moves, of which
    /// only the `height * width` entries for the moves of this piece are written.
    fn write_mask_row(&self, piece: u32, out: &mut [bool]) {
        let from = self.index(piece);
        let cells = self.world.height * self.world.width;
        let row = &mut out[from * cells..(from + 1) * cells];
        for (row, (tiles, _)) in row.chunks_exact_mut(self.world.width).zip(self.rows()) {
            for (out, &tile) in row.iter_mut().zip(tiles) {
                *out = tile == EMPTY;
            }
        }
        let later = self.hardware.partition_point(|&other| other <= piece);
        for &other in &self.hardware[later..] {
            row[self.index(other)] = self.tiles[other as usize] != self.tiles[piece as usize];
        }
    }
}

impl Game for MyPhoton {
    const NAME: &'static str = "photon";
    const AXES: &'static [&'static str] = &["row", "col", "to_row", "to_col"];
    type Move = [i32; 4];
    type Change = Change;
    type Reason = Refusal;

    fn parse(text: &str) -> Result<Self, Error> {
        let (height, width, codes) = notation::read(text)?;
        Self::from_codes(height, width, &codes).map_err(|error| error.at(1, 1))
    }

    fn text(&self) -> String {
        let tile = |&code: &u8| Tile::from_code(code).unwrap_or(Tile::Wall);
        let rows = self.rows().map(|(tiles, _)| tiles.iter().map(tile));
        notation::write(self.world.width, self.world.height, rows)
    }

    fn height(&self) -> usize {
        self.world.height
    }

    fn width(&self) -> usize {
        self.world.width
    }

    fn bounds(&self) -> [i32; 4] {
        let (height, width) = (self.world.height as i32, self.world.width as i32);
        [height, width, height, width]
    }

    #[inline]
    fn status(&self) -> Status {
        if self.unlit == 0 && !self.world.sensors.is_empty() { Status::Won } else { Status::Open }
    }

    #[inline]
    fn check(&self, [row, col, to_row, to_col]: [i32; 4]) -> Result<(), Refusal> {
        if self.allows(self.place(row, col), self.place(to_row, to_col)) {
            Ok(())
        } else {
            Err(self.refusal(Cell::new(row, col), Cell::new(to_row, to_col)))
        }
    }

    fn each_legal<F: FnMut([i32; 4]) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        let World { height, width, stride, .. } = *self.world;
        for &piece in &self.hardware {
            let Cell { row, col } = self.cell(piece);
            for to_row in 0..height {
                let base = (to_row + 1) * stride;
                for to_col in 0..width {
                    if self.allows(piece as usize, base + to_col) {
                        visit([row, col, to_row as i32, to_col as i32])?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Draws a legal move uniformly. Chooses between moves to empty tiles and exchanges of two pieces in proportion to
    /// their numbers, and then draws a move of the chosen sort.
    ///
    /// # Complexity
    /// Expected O(pieces) if many tiles are empty. If few are, O(pieces + cells): after 64 failed tries to hit an empty
    /// tile, the board is scanned. The trait's default may visit all O(pieces * cells) moves.
    fn sample(&self, rng: &mut Rng) -> Option<[i32; 4]> {
        let World { height, width, stride, empty, .. } = *self.world;
        let pieces = self.hardware.len() as u64;
        // By kind, the number of pieces.
        let mut kinds = [0u64; KINDS];
        for &place in &self.hardware {
            kinds[(self.tiles[place as usize] - FIRST_KIND) as usize] += 1;
        }
        // Exchanges: all pairs of pieces except pairs of equal pieces.
        let pairs = |n: u64| n * n.saturating_sub(1) / 2;
        let swaps = pairs(pieces) - kinds.iter().map(|&n| pairs(n)).sum::<u64>();
        let to_empty = pieces * empty as u64;
        if to_empty + swaps == 0 {
            return None;
        }
        let draw = rng.below(to_empty + swaps);
        let (from, to) = if draw < to_empty {
            let from = self.hardware[(draw % pieces) as usize];
            (from, self.sample_empty(rng, height, width, stride))
        } else {
            loop {
                let (a, b) = (*rng.choose(&self.hardware), *rng.choose(&self.hardware));
                if self.tiles[a as usize] != self.tiles[b as usize] {
                    break (a.min(b), a.max(b));
                }
            }
        };
        let (from, to) = (self.cell(from), self.cell(to));
        Some([from.row, from.col, to.row, to.col])
    }

    #[inline]
    fn apply(&mut self, [row, col, to_row, to_col]: [i32; 4]) -> Change {
        self.swap_places(self.place(row, col) as u32, self.place(to_row, to_col) as u32)
    }

    fn revert(&mut self, mv: [i32; 4], _change: Change) {
        self.apply(mv);
    }

    fn write_board(&self, out: &mut [u8]) {
        for (out, (tiles, _)) in out.chunks_exact_mut(self.world.width).zip(self.rows()) {
            out.copy_from_slice(tiles);
        }
    }

    fn write_mask(&self, out: &mut [bool]) {
        out.fill(false);
        for &piece in &self.hardware {
            self.write_mask_row(piece, out);
        }
    }

    #[inline]
    fn refresh_board(&self, [row, col, to_row, to_col]: [i32; 4], change: &Change, board: &mut [u8]) {
        for (row, col) in [(row, col), (to_row, to_col)] {
            board[row as usize * self.world.width + col as usize] = self.tiles[self.place(row, col)];
        }
        if change.sensors {
            for &place in &self.world.sensors {
                board[self.index(place)] = self.tiles[place as usize];
            }
        }
    }

    #[inline]
    fn refresh_mask(&self, [row, col, to_row, to_col]: [i32; 4], _change: &Change, mask: &mut [bool]) {
        let World { height, width, .. } = *self.world;
        let cells = height * width;
        let (a, b) = (self.place(row, col), self.place(to_row, to_col));
        let index = |row: i32, col: i32| row as usize * width + col as usize;
        let (from, to) = (index(row, col), index(to_row, to_col));
        // A move may exchange two pieces if their codes differ and the first cell of the move comes first in row-major
        // order.
        let exchanges = |code: u8, other: u8, is_first: bool| code != other && is_first;
        let (code_a, code_b) = (self.tiles[a], self.tiles[b]);
        if code_a == EMPTY {
            // The piece that went from the first cell to the second keeps its moves to empty tiles.
            mask.copy_within(from * cells..(from + 1) * cells, to * cells);
            mask[from * cells..(from + 1) * cells].fill(false);
        }
        // All other entries that change belong to moves from a piece to one of the two cells, or from one of the two
        // cells to a piece.
        for &piece in &self.hardware {
            let (at, place) = (self.index(piece), piece as usize);
            let code = self.tiles[place];
            mask[to * cells + at] = exchanges(code, code_b, b < place);
            let row = &mut mask[at * cells..(at + 1) * cells];
            row[to] = exchanges(code, code_b, place < b);
            row[from] = code_a == EMPTY || exchanges(code, code_a, place < a);
            if code_a != EMPTY {
                mask[from * cells + at] = exchanges(code, code_a, a < place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::game;

    fn parse(text: &str) -> MyPhoton {
        MyPhoton::parse(text).unwrap()
    }

    fn beams(game: &MyPhoton) -> Vec<u8> {
        let mut out = vec![0xff; game.height() * game.width()];
        game.write_beams(&mut out);
        out
    }

    #[test]
    fn a_beam_has_laserlets_where_it_enters_and_leaves_a_tile() {
        let game = parse("4 3\nL> . M\\ W\n. . . .\nW . S^ .\n");
        assert_eq!(beams(&game), [0, 10, 8 | 4, 0, 0, 0, 5, 0, 0, 0, 1, 0]);
        assert_eq!(game.status(), Status::Won);
        assert_eq!(game.text(), "4 3\nL>. M\\W\n. . . .\nW . S^.\n");
    }

    #[test]
    fn invalid_codes_and_sizes_are_refused() {
        let wrong = |height, width, codes: &[u8]| MyPhoton::from_codes(height, width, codes).unwrap_err().to_string();
        assert_eq!(wrong(1, 2, &[0, 18]), "codes must be 0 to 17, or 46 to 49 for lit sensors, got 18 at index 1");
        assert_eq!(wrong(0, 2, &[]), MyPhoton::blank(0, 2).unwrap_err().to_string());
    }

    #[test]
    fn the_backs_of_tmirrors_and_sensors_block_light() {
        let game = parse("3 2\nL> T> .\nL> S> .\n");
        assert_eq!(beams(&game), [0; 6]);
        assert_eq!(game.status(), Status::Open);
        assert_eq!(game.unlit(), 1);
    }

    #[test]
    fn divisions_are_exact() {
        let mut rng = Rng::new(1);
        let most = (1 << 31) - 1;
        for round in 0..3000u32 {
            let divisor =
                if round < 100 { 1 + round } else { 1 + (rng.below(1 << 31) as u32 >> rng.index(31)).min(most - 1) };
            let by = Divisor::new(divisor as usize);
            let multiple = rng.below(u64::from(most / divisor) + 1) as u32 * divisor;
            for number in [0, 1, divisor - 1, divisor, multiple, multiple.max(1) - 1, most, rng.below(1 << 31) as u32] {
                assert_eq!(by.divide(number), number / divisor, "{number} / {divisor}, seed 1");
            }
        }
    }

    #[test]
    fn tracing_light_in_a_cycle_ends() {
        // The cycle in the assignment: light enters a T-mirror from one side, leaves by its point, meets three mirrors
        // and enters the T-mirror from the other side.
        let steps = parse("4 4\n. . . .\nL>Tv.M\\\n. . . .\n.M\\ . M/\n").trace().unwrap();
        let cells: Vec<(i32, i32)> = steps.row.into_iter().zip(steps.col).collect();
        assert_eq!(cells, [(1, 1), (2, 1), (3, 1), (3, 2), (3, 3), (2, 3), (1, 3), (1, 2), (1, 1)]);
    }

    #[test]
    fn a_board_without_sensors_stays_open() {
        assert_eq!(parse("2 1\nL>.").status(), Status::Open);
        assert_eq!(parse("2 1\nL>S<").status(), Status::Won);
    }

    #[test]
    fn refusals_state_the_reason() {
        let mut game = parse("5 2\nM/ M/ M\\ . W\n. S> . . .\n");
        let mut message = |mv| game::play(&mut game, mv).unwrap_err().to_string();
        assert_eq!(
            message([0, 4, 0, 3]),
            "illegal move (0, 4, 0, 3): (0, 4) must hold a mirror, a splitter or a T-mirror, got a wall"
        );
        assert!(message([0, 3, 0, 0]).ends_with("(0, 3) must hold a mirror, a splitter or a T-mirror, got nothing"));
        assert!(
            message([0, 0, 1, 1])
                .ends_with("(1, 1) must be empty or hold a mirror, a splitter or a T-mirror, got a sensor")
        );
        assert!(message([0, 0, 0, 0]).ends_with("the two cells must differ, got (0, 0) twice"));
        assert!(message([0, 0, 0, 1]).ends_with("the two pieces must differ, got equal pieces on (0, 0) and (0, 1)"));
        assert!(
            message([0, 2, 0, 1])
                .ends_with("a swap of two pieces must name the cells in row-major order, got (0, 2) before (0, 1)")
        );
        assert!(game::play(&mut game, [0, 1, 0, 2]).is_ok());
    }
}
