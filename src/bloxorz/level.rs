//! The level: terrain, switches and bridges, and the tables that are derived from them once.

use std::sync::Arc;

use super::{Block, code, notation};
use crate::core::{Cell, Error, Grid};

/// The content of a cell of the terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tile {
    /// No tile: the block falls.
    None,
    /// A plain tile, which always holds the block. The start is a plain tile.
    Floor,
    /// A tile that breaks under a standing block.
    Light,
    /// The tile on which the block must stand.
    Target,
    /// A switch or a splitter, by the index of its capital letter, 0 for `A`.
    Switch(u8),
    /// A tile of a bridge, by the index of its lowercase letter, 0 for `a`.
    Bridge(u8),
}

/// The kind of a switch: when it fires, and whether it splits the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchKind {
    /// Fires under any part of the block.
    Soft,
    /// Fires only under a standing block.
    Heavy,
    /// Turns a standing block into two cubes on these cells, the first in control.
    Splitter(Cell, Cell),
}

/// A switch: its `#` lines in the notation, composed into one change of the bridges, `bits = (bits & keep) ^ flip`.
///
/// Toggling bridge b is `keep` 1, `flip` 1 in the bit of b; turning it on is 0, 1; off is 0, 0; no change is 1, 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The kind of the switch.
    pub kind: SwitchKind,
    /// The bridges whose previous state is kept, one bit per letter, `a` lowest; the bits of the others are cleared.
    pub keep: u32,
    /// The bridges that are toggled after `keep` has been applied, one bit per letter.
    pub flip: u32,
    /// The bridges that the `#` lines of the switch name, including those whose lines cancel out, one bit per letter.
    pub named: u32,
}

/// The number of letters of the alphabet: the length of a table indexed by letter.
pub(super) const LETTERS: usize = 26;

/// The largest number of rows or columns by which a roll can move a block off the board.
const FRAME: usize = 2;

/// A level of Bloxorz: everything that does not change during play.
///
/// Invariant: start and target are on the terrain; every switch tile has a switch; every bridge that a switch names has
/// a tile; the cells of a splitter are two different tiles that are not neighbors.
#[derive(Clone, Debug)]
pub struct Level {
    pub(super) tiles: Grid<Tile>,
    pub(super) start: Cell,
    pub(super) target: Cell,
    /// The switches by letter, 0 for `A`.
    pub(super) switches: [Option<Switch>; LETTERS],
    /// The bridges that are on at the start, one bit per letter, `a` lowest.
    pub(super) bridges_on: u32,
    /// Derived: the board codes at the start of the level without the block, in a frame of empty cells [`FRAME`] wide,
    /// so that every cell that a block on the board can roll to has a code.
    codes: Vec<u8>,
    /// Derived: the row-major indices of the cells of each bridge, by letter.
    bridge_tiles: [Vec<u32>; LETTERS],
}

impl PartialEq for Level {
    fn eq(&self, other: &Self) -> bool {
        self.start == other.start
            && self.target == other.target
            && self.bridges_on == other.bridges_on
            && self.switches == other.switches
            && self.tiles == other.tiles
    }
}

impl Level {
    /// Reads a level. A position during play is read as the level that it belongs to.
    ///
    /// # Errors
    /// Returns [`Error::Level`] with the line and column of the first mistake found.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let game = notation::parse(text)?;
        Ok(Arc::unwrap_or_clone(game.level))
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.tiles.height()
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.tiles.width()
    }

    /// Returns the cell on which the block stands at the start.
    pub fn start(&self) -> Cell {
        self.start
    }

    /// Returns the cell on which the block must stand to win.
    pub fn target(&self) -> Cell {
        self.target
    }

    /// Returns the terrain.
    pub fn tiles(&self) -> &Grid<Tile> {
        &self.tiles
    }

    /// Returns the tile of a cell, [`Tile::None`] off the board.
    #[inline]
    pub fn tile(&self, cell: Cell) -> Tile {
        self.tiles.get(cell).copied().unwrap_or(Tile::None)
    }

    /// Returns the switch on a cell, or `None` if there is none.
    #[inline]
    pub fn switch_at(&self, cell: Cell) -> Option<&Switch> {
        match self.tile(cell) {
            Tile::Switch(letter) => self.switches[letter as usize].as_ref(),
            _ => None,
        }
    }

    /// Returns the switches by letter, 0 for `A`.
    pub fn switches(&self) -> &[Option<Switch>; LETTERS] {
        &self.switches
    }

    /// Returns the bridges that have tiles, one bit per letter, `a` lowest.
    pub fn bridges(&self) -> u32 {
        (0..LETTERS).filter(|&letter| !self.bridge_tiles[letter].is_empty()).fold(0, |bits, letter| bits | 1 << letter)
    }

    /// Returns the bridges that are on at the start, one bit per letter, `a` lowest.
    pub fn bridges_on(&self) -> u32 {
        self.bridges_on
    }

    /// Returns the row-major indices of the tiles of the bridge `letter`, 0 for `a`.
    pub(crate) fn bridge_tiles(&self, letter: u8) -> &[u32] {
        &self.bridge_tiles[letter as usize]
    }

    /// Iterates over the rows of the board codes at the start of the level, without the block.
    pub(crate) fn code_rows(&self) -> impl Iterator<Item = &[u8]> {
        let rows = self.codes.chunks_exact(self.width() + 2 * FRAME);
        rows.skip(FRAME).take(self.height()).map(|row| &row[FRAME..row.len() - FRAME])
    }

    /// Returns the board code of a cell at the start of the level, without the block.
    ///
    /// The cell may lie off the board by at most [`FRAME`] rows or columns, as after any roll of a block on the board.
    #[inline]
    pub(crate) fn start_code(&self, cell: Cell) -> u8 {
        let frame = FRAME as i32;
        self.codes[(cell.row + frame) as usize * (self.width() + 2 * FRAME) + (cell.col + frame) as usize]
    }

    /// Returns whether a cell holds a cube if exactly the bridges in `bridges` are on (one bit per letter).
    #[inline]
    pub fn holds(&self, cell: Cell, bridges: u32) -> bool {
        match self.tile(cell) {
            Tile::None => false,
            Tile::Bridge(letter) => bridges >> letter & 1 == 1,
            _ => true,
        }
    }

    /// Returns 2 for a tile, 1 for a light tile, and 0 for no tile or a bridge that is off at the start of the level.
    /// Corresponds to `at` in the source document.
    pub fn at(&self, cell: Cell) -> u8 {
        match self.tile(cell) {
            Tile::Light => 1,
            _ => 2 * u8::from(self.holds(cell, self.bridges_on)),
        }
    }

    /// Returns whether the terrain holds a block if the bridges are as at the start of the level. Corresponds to
    /// `canHold` in the source document.
    pub fn can_hold(&self, block: Block) -> bool {
        let least = if block.is_standing() { 2 } else { 1 };
        block.cells().all(|cell| self.at(cell) >= least)
    }

    /// Creates a level from its parts, and derives the tables. The caller must ensure the invariant.
    pub(super) fn new(
        tiles: Grid<Tile>,
        start: Cell,
        target: Cell,
        switches: &[Option<Switch>; LETTERS],
        bridges_on: u32,
    ) -> Self {
        let mut bridge_tiles: [Vec<u32>; LETTERS] = Default::default();
        let mut start_code = |(index, tile): (usize, &Tile)| match *tile {
            Tile::None => code::NONE,
            Tile::Floor => code::TILE,
            Tile::Light => code::LIGHT,
            Tile::Target => code::TARGET,
            Tile::Switch(letter) => match switches[letter as usize].map(|switch| switch.kind) {
                Some(SwitchKind::Heavy) => code::SWITCH_HEAVY,
                Some(SwitchKind::Splitter(..)) => code::SPLITTER,
                _ => code::SWITCH_SOFT,
            },
            Tile::Bridge(letter) => {
                bridge_tiles[letter as usize].push(index as u32);
                if bridges_on >> letter & 1 == 1 { code::BRIDGE_ON } else { code::BRIDGE_OFF }
            }
        };
        let stride = tiles.width() + 2 * FRAME;
        let mut codes = vec![code::NONE; (tiles.height() + 2 * FRAME) * stride];
        for (index, tile) in tiles.as_slice().iter().enumerate() {
            let cell = tiles.cell(index);
            codes[(cell.row as usize + FRAME) * stride + cell.col as usize + FRAME] = start_code((index, tile));
        }
        Self { tiles, start, target, switches: *switches, bridges_on, codes, bridge_tiles }
    }
}
