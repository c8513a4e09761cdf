//! MyPhoton: light on the board.
//!
//! ```text
//! W  W  W  W  W  W  W         W wall          . empty
//! W  L> .  .  M\ .  W         L laser         S sensor
//! W  .  .  .  .  .  W         M mirror        B beam splitter
//! W  .  S> .  M/ .  W         T T-mirror      (its point faces the arrow)
//! W  W  W  W  W  W  W
//! ```
//!
//! 1. Lasers shine without end; walls, lasers, and the edge of the board stop light.
//! 2. A mirror turns light by a quarter, on both of its sides. A splitter is its mirror and lets light straight on as well.
//! 3. A T-mirror splits light that meets its point to both sides, turns light from the sides to where the point faces, and
//!    blocks light that meets its back.
//! 4. A sensor is lit while light falls into its opening; light from elsewhere is blocked.
//! 5. A move takes a piece of *hardware* (mirror, splitter, T-mirror) to an empty tile, or exchanges two pieces that differ.
//!    A move of two pieces is named from its smaller cell. Pieces never turn.
//! 6. The puzzle is won when there is a sensor and all are lit. A world without sensors is a sandbox and stays open.
//!
//! Terms: a *laserlet* is light in one half of a tile, towards one side; a *head* is light about to enter a tile with a
//! *heading*. Heads that were used once are not used again, and so light that runs in a circle ends.
//!
//! Source: the assignment "MyPhoton" (CS106L, 2008). Changed: the ring of walls may be missing, equal pieces may not be
//! exchanged, and every world is read or refused with line and column.

pub mod generate;
mod notation;
mod solve;
mod swaps;
mod tile;
mod trace;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::core::{Cell, Error, Game, Rng, Status};

pub use tile::{FIRST_KIND, KINDS, LIT, Tile};
pub use trace::{BadCode, Steps, trace_many};

use tile::{ALL_LEAVES, EMPTY, ENTERS_SENSOR, LASERLETS, WALL, comes, is_hardware, leaves, light};

/// What never changes while pieces move.
#[derive(Debug, PartialEq, Eq)]
struct World {
    height: usize,
    width: usize,
    /// From one row to the next in [`MyPhoton::tiles`]: the width and one wall between rows.
    stride: usize,
    /// What to add to a place to step into each direction.
    ahead: [i32; 4],
    /// Places of the lasers with their directions, row-major.
    lasers: Vec<(u32, u8)>,
    /// Places of the sensors, row-major.
    sensors: Vec<u32>,
    /// Number of empty tiles: moves never change it.
    empty: usize,
}

/// A world of MyPhoton, with the light in it.
///
/// Invariant: cell (row, col) is at the place `(row + 1) * stride + col`; the places between and around the rows are walls.
/// `heads` has bit h of a place set iff light tries to enter it with heading h; a sensor's code has [`LIT`] iff light
/// falls into its opening, and `unlit` counts the others. `hardware` has the places of all pieces, in order.
#[derive(Debug)]
pub struct MyPhoton {
    world: Arc<World>,
    tiles: Vec<u8>,
    heads: Vec<u8>,
    hardware: Vec<u32>,
    unlit: usize,
    /// Kept between moves so that none asks for memory; no part of the position.
    scratch: Scratch,
}

#[derive(Debug, Default)]
struct Scratch {
    gone: Vec<(u32, u8)>,
    new: Vec<(u32, u8)>,
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

/// Why a swap is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// What is to be moved is no hardware.
    Fixed(Cell, Tile),
    /// What is to be exchanged is neither empty nor hardware.
    Taken(Cell, Tile),
    /// A cell is to be exchanged with itself.
    Same(Cell),
    /// Two pieces of one kind and orientation.
    Alike(Cell, Cell),
    /// Two pieces, the larger cell first.
    Order(Cell, Cell),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(cell, tile) => {
                write!(f, "{} on {cell}, wanted hardware: a mirror, a splitter or a T-mirror", tile.words())
            }
            Self::Taken(cell, tile) => write!(f, "{} on {cell}, wanted an empty tile or hardware", tile.words()),
            Self::Same(cell) => write!(f, "{cell} twice, wanted two cells"),
            Self::Alike(a, b) => write!(f, "equal pieces on {a} and {b}, wanted two that differ"),
            Self::Order(a, b) => write!(f, "pieces on {a} and {b}, wanted the smaller cell first"),
        }
    }
}

/// What a swap changed beside its two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Whether light moved at a sensor.
    sensors: bool,
}

impl MyPhoton {
    /// Makes a world of tile codes, row-major; a mark of a lit sensor is ignored.
    ///
    /// # Errors
    /// [`BadCode`] with the first place that holds no code.
    ///
    /// # Panics
    /// Where the number of codes is not `height * width`, or 0.
    pub fn from_codes(height: usize, width: usize, codes: &[u8]) -> Result<Self, BadCode> {
        assert!(codes.len() == height * width && !codes.is_empty(), "{} codes for {height} x {width}", codes.len());
        let stride = width + 1;
        let mut tiles = vec![WALL; (height + 2) * stride];
        let (mut lasers, mut sensors, mut hardware) = (Vec::new(), Vec::new(), Vec::new());
        for (index, &code) in codes.iter().enumerate() {
            let Some(tile) = Tile::from_code(code) else { return Err(BadCode { index, code }) };
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
        let world = Arc::new(World { height, width, stride, ahead, lasers, sensors, empty });
        let mut game = Self { world, tiles, heads, hardware, unlit, scratch: Scratch::default() };
        game.shine();
        Ok(game)
    }

    #[inline]
    fn place(&self, row: i32, col: i32) -> usize {
        (row as usize + 1) * self.world.stride + col as usize
    }

    #[inline]
    fn cell(&self, place: u32) -> Cell {
        let stride = self.world.stride;
        Cell::new((place as usize / stride) as i32 - 1, (place as usize % stride) as i32)
    }

    /// Gives the tile on a cell; `None` off the board.
    pub fn tile(&self, cell: Cell) -> Option<Tile> {
        let World { height, width, .. } = *self.world;
        let inside = (0..height as i32).contains(&cell.row) && (0..width as i32).contains(&cell.col);
        if inside { Tile::from_code(self.tiles[self.place(cell.row, cell.col)]) } else { None }
    }

    /// Whether the player may take up what stands on a cell: whether it is hardware.
    pub fn can_select(&self, cell: Cell) -> bool {
        self.tile(cell).is_some_and(Tile::is_hardware)
    }

    /// The cells of the pieces that can be moved, row-major.
    pub fn hardware(&self) -> impl ExactSizeIterator<Item = Cell> + '_ {
        self.hardware.iter().map(|&place| self.cell(place))
    }

    /// The cells of the lasers, row-major.
    pub fn lasers(&self) -> impl ExactSizeIterator<Item = Cell> + '_ {
        self.world.lasers.iter().map(|&(place, _)| self.cell(place))
    }

    /// The cells of the sensors, row-major.
    pub fn sensors(&self) -> impl ExactSizeIterator<Item = Cell> + '_ {
        self.world.sensors.iter().map(|&place| self.cell(place))
    }

    /// Number of sensors that are not lit.
    #[inline]
    pub fn unlit(&self) -> usize {
        self.unlit
    }

    /// Writes the laserlets, row-major: one bit a side, N=1 E=2 S=4 W=8.
    pub fn write_beams(&self, out: &mut [u8]) {
        for (out, (tiles, heads)) in out.chunks_exact_mut(self.world.width).zip(self.rows()) {
            for ((out, &tile), &heads) in out.iter_mut().zip(tiles).zip(heads) {
                *out = LASERLETS[(tile & 63) as usize][(heads & 15) as usize];
            }
        }
    }

    /// Writes which cells hold a lit sensor, row-major.
    pub fn write_lit(&self, out: &mut [bool]) {
        out.fill(false);
        for &place in &self.world.sensors {
            let cell = self.cell(place);
            out[cell.row as usize * self.world.width + cell.col as usize] = self.tiles[place as usize] & LIT != 0;
        }
    }

    /// The rows of tiles and of heads, without the walls around.
    fn rows(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let World { width, stride, .. } = *self.world;
        let inner = stride..self.tiles.len() - stride;
        self.tiles[inner.clone()]
            .chunks_exact(stride)
            .zip(self.heads[inner].chunks_exact(stride))
            .map(move |(tiles, heads)| (&tiles[..width], &heads[..width]))
    }

    /// Lets all lasers shine into a world without light.
    fn shine(&mut self) {
        let world = Arc::clone(&self.world);
        let mut scratch = std::mem::take(&mut self.scratch);
        for &(place, heading) in &world.lasers {
            self.enter(&world, place, heading, &mut scratch.new);
        }
        self.spread(&world, &mut scratch.new);
        self.scratch = scratch;
    }

    /// Makes light leave a place by a heading, so that it tries to enter the next place; noted where that is new.
    #[inline]
    fn enter(&mut self, world: &World, from: u32, heading: u8, new: &mut Vec<(u32, u8)>) {
        let place = from.wrapping_add_signed(world.ahead[(heading & 3) as usize]);
        let heads = &mut self.heads[place as usize];
        let bit = 1 << heading;
        if *heads & bit != 0 {
            return;
        }
        *heads |= bit;
        let code = self.tiles[place as usize];
        match light(code, heading) {
            0 => {}
            ENTERS_SENSOR => {
                self.tiles[place as usize] = code | LIT;
                self.unlit -= 1;
            }
            _ => new.push((place, heading)),
        }
    }

    /// Carries new heads on until nothing is new.
    #[inline]
    fn spread(&mut self, world: &World, new: &mut Vec<(u32, u8)>) {
        while let Some((place, heading)) = new.pop() {
            let mut out = leaves(self.tiles[place as usize], heading);
            while out != 0 {
                let heading = out.trailing_zeros() as u8;
                out &= out - 1;
                self.enter(world, place, heading, new);
            }
        }
    }

    /// Puts other tiles on some places and brings the light up to date; says whether light moved at a sensor.
    ///
    /// Only beams that change are walked: light that leaves one of the places no longer is put out, with all that came
    /// from it; what of that another beam still feeds, and what newly leaves the places, is then lit again. Lasers and
    /// sensors are neither put nor replaced.
    ///
    /// # Complexity
    /// O(changed heads), often O(1): most moves touch no light at all.
    fn replace(&mut self, places: &[(u32, u8)]) -> bool {
        if places.iter().all(|&(place, _)| self.heads[place as usize] == 0) {
            for &(place, code) in places {
                self.tiles[place as usize] = code;
            }
            return false;
        }
        let world = Arc::clone(&self.world);
        let mut scratch = std::mem::take(&mut self.scratch);
        let (gone, new) = (&mut scratch.gone, &mut scratch.new);
        let mut sensors = false;
        for &(place, code) in places {
            let (was, heads) = (self.tiles[place as usize], self.heads[place as usize]);
            // By each head: where one loses a way and another wins the same, the winner may live by the loser's light.
            let lost = |heading| leaves(was, heading) & !leaves(code, heading);
            let out = (0..4).filter(|heading| heads >> heading & 1 == 1).fold(0, |out, heading| out | lost(heading));
            self.leave(&world, place, out, gone, &mut sensors);
        }
        let mut next = 0;
        while let Some(&(place, heading)) = gone.get(next) {
            next += 1;
            let out = leaves(self.tiles[place as usize], heading);
            self.leave(&world, place, out, gone, &mut sensors);
        }
        for &(place, code) in places {
            self.tiles[place as usize] = code;
        }
        let unlit = self.unlit;
        for (place, heading) in gone.drain(..) {
            let from = place.wrapping_add_signed(-world.ahead[heading as usize]);
            let code = self.tiles[from as usize];
            let fed = comes(code, heading) & self.heads[from as usize] != 0 || code == Tile::LaserN as u8 + heading;
            if fed {
                self.enter(&world, from, heading, new);
            }
        }
        for &(place, code) in places {
            let mut out = ALL_LEAVES[code as usize][self.heads[place as usize] as usize];
            while out != 0 {
                self.enter(&world, place, out.trailing_zeros() as u8, new);
                out &= out - 1;
            }
        }
        self.spread(&world, new);
        self.scratch = scratch;
        sensors || unlit != self.unlit
    }

    /// Puts out the light that leaves a place by some headings, as far as there is any.
    #[inline]
    fn leave(&mut self, world: &World, from: u32, mut out: u8, gone: &mut Vec<(u32, u8)>, sensors: &mut bool) {
        while out != 0 {
            let heading = out.trailing_zeros() as u8;
            out &= out - 1;
            let place = from.wrapping_add_signed(world.ahead[(heading & 3) as usize]);
            let heads = &mut self.heads[place as usize];
            let bit = 1 << heading;
            if *heads & bit == 0 {
                continue;
            }
            *heads &= !bit;
            gone.push((place, heading));
            let code = &mut self.tiles[place as usize];
            if light(*code, heading) == ENTERS_SENSOR {
                *code &= !LIT;
                self.unlit += 1;
                *sensors = true;
            }
        }
    }

    fn swap_places(&mut self, a: u32, b: u32) -> Change {
        let sensors = self.replace(&[(a, self.tiles[b as usize]), (b, self.tiles[a as usize])]);
        for (full, empty) in [(a, b), (b, a)] {
            // Exactly one of the two is hardware now, and the list still says the other.
            if self.tiles[full as usize] == EMPTY {
                if let Ok(at) = self.hardware.binary_search(&full) {
                    self.hardware.remove(at);
                    let at = self.hardware.partition_point(|&place| place < empty);
                    self.hardware.insert(at, empty);
                }
            }
        }
        Change { sensors }
    }

    /// Whether [`Game::check`] accepts the move from one place to another; where both are on the board.
    #[inline]
    fn allows(&self, a: usize, b: usize) -> bool {
        let (piece, other) = (self.tiles[a], self.tiles[b]);
        is_hardware(piece) && (other == EMPTY || is_hardware(other) && a < b && piece != other)
    }

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

    /// Draws the place of an empty tile, of which there is one at least.
    fn sample_empty(&self, rng: &mut Rng, height: usize, width: usize, stride: usize) -> u32 {
        for _ in 0..64 {
            let place = (1 + rng.index(height)) * stride + rng.index(width);
            if self.tiles[place] == EMPTY {
                return place as u32;
            }
        }
        let nth = rng.index(self.world.empty);
        (0..self.tiles.len()).filter(|&place| self.tiles[place] == EMPTY).nth(nth).map_or(0, |place| place as u32)
    }

    /// The row-major index of a place.
    #[inline]
    fn index(&self, place: u32) -> usize {
        let cell = self.cell(place);
        cell.row as usize * self.world.width + cell.col as usize
    }

    /// Writes the legal moves of one piece into its row of a mask.
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
        Self::from_codes(height, width, &codes)
            .map_err(|BadCode { code, .. }| Error::level(1, 1, format!("code {code}, wanted a tile")))
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

    /// Draws the piece first, then where it goes.
    ///
    /// # Complexity
    /// O(pieces + cells / empty tiles) on average, O(cells) at worst; the box would have cells squared.
    fn sample(&self, rng: &mut Rng) -> Option<[i32; 4]> {
        let World { height, width, stride, empty, .. } = *self.world;
        let pieces = self.hardware.len() as u64;
        let mut kinds = [0u64; KINDS];
        for &place in &self.hardware {
            kinds[(self.tiles[place as usize] - FIRST_KIND) as usize] += 1;
        }
        let pairs = |n: u64| n * n.saturating_sub(1) / 2;
        let swaps = pairs(pieces) - kinds.iter().map(|&n| pairs(n)).sum::<u64>();
        let goes = pieces * empty as u64;
        if goes + swaps == 0 {
            return None;
        }
        let draw = rng.below(goes + swaps);
        let (from, to) = if draw < goes {
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

    fn refresh_mask(&self, [row, col, to_row, to_col]: [i32; 4], _change: &Change, mask: &mut [bool]) {
        let cells = self.world.height * self.world.width;
        let (a, b) = (self.place(row, col) as u32, self.place(to_row, to_col) as u32);
        let (from, to) = (self.index(a), self.index(b));
        if self.tiles[a as usize] == EMPTY {
            mask[from * cells..(from + 1) * cells].fill(false);
        } else {
            self.write_mask_row(a, mask);
        }
        self.write_mask_row(b, mask);
        for &piece in &self.hardware {
            let row = &mut mask[self.index(piece) * cells..];
            row[from] = self.allows(piece as usize, a as usize);
            row[to] = self.allows(piece as usize, b as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::game;

    fn world(text: &str) -> MyPhoton {
        MyPhoton::parse(text).unwrap()
    }

    fn beams(game: &MyPhoton) -> Vec<u8> {
        let mut out = vec![0xff; game.height() * game.width()];
        game.write_beams(&mut out);
        out
    }

    #[test]
    fn a_beam_lays_laserlets_where_it_enters_and_leaves() {
        let game = world("4 3\nL> . M\\ W\n. . . .\nW . S^ .\n");
        assert_eq!(beams(&game), [0, 10, 8 | 4, 0, 0, 0, 5, 0, 0, 0, 1, 0]);
        assert_eq!(game.status(), Status::Won);
        assert_eq!(game.text(), "4 3\nL>. M\\W\n. . . .\nW . S^.\n");
    }

    #[test]
    fn the_back_of_a_tmirror_and_the_side_of_a_sensor_take_no_light() {
        let game = world("3 2\nL> T> .\nL> S> .\n");
        assert_eq!(beams(&game), [0; 6]);
        assert_eq!(game.status(), Status::Open);
        assert_eq!(game.unlit(), 1);
    }

    #[test]
    fn light_in_a_circle_ends() {
        // The beam of the handout: a T-mirror fed from one side, three mirrors, and the other side.
        let game = world("5 4\nL> Tv M\\ . .\n. M\\ . . .\n. . . . .\n. . . . .\n");
        assert_eq!(game.status(), Status::Open);
        let round = world("4 4\n. . . .\nL>Tv.M\\\n. . . .\n.M\\ . M/\n");
        assert_eq!(round.status(), Status::Open);
    }

    #[test]
    fn a_world_without_sensors_stays_open() {
        assert_eq!(world("2 1\nL>.").status(), Status::Open);
        assert_eq!(world("2 1\nL>S<").status(), Status::Won);
    }

    #[test]
    fn refusals_say_why() {
        let mut game = world("5 2\nM/ M/ M\\ . W\n. S> . . .\n");
        let mut says = |mv| game::play(&mut game, mv).unwrap_err().to_string();
        assert_eq!(
            says([0, 4, 0, 3]),
            "illegal move (0, 4, 0, 3): a wall on (0, 4), wanted hardware: a mirror, a splitter or a T-mirror"
        );
        assert!(says([0, 3, 0, 0]).contains("nothing on (0, 3)"));
        assert!(says([0, 0, 1, 1]).ends_with("a sensor on (1, 1), wanted an empty tile or hardware"));
        assert!(says([0, 0, 0, 0]).ends_with("(0, 0) twice, wanted two cells"));
        assert!(says([0, 0, 0, 1]).ends_with("equal pieces on (0, 0) and (0, 1), wanted two that differ"));
        assert!(says([0, 2, 0, 1]).ends_with("pieces on (0, 2) and (0, 1), wanted the smaller cell first"));
        assert!(game::play(&mut game, [0, 1, 0, 2]).is_ok());
    }
}
