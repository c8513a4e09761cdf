//! Bloxorz: a block of two cubes rolls over a terrain of tiles and must stand on the target.
//!
//! ```text
//! ooo            o  tile      .  light tile, breaks under a standing block
//! oSoooo         S  start     T  target, where the block must stand
//! ooooooooo      -  nothing   A-Z switches, a-z bridges
//! -ooooooooo
//! -----ooToo     #AOh  soft switch A toggles bridge h (#AO+h on, #AO-h off)
//! ------ooo      #AXh  heavy switch, #AS x y x y  splitter,  %h  bridge on at the start
//! ```
//!
//! * The keys `l u r d` roll the block or, if it is split, the cube in control; `s` gives control to the other cube.
//! * The block falls if it rolls onto a cell without a tile or onto a bridge that is off, or if it stands on a light
//!   tile. A fall resets the block and the bridges to the start of the level. The roll that causes it is a legal move,
//!   and the fall is counted.
//! * Landing fires switches: soft ones under any part of the block, heavy ones under a standing block. A block that
//!   stands on a splitter becomes two cubes; cubes that meet side by side join at once.
//! * The game is won when the whole block stands on the target.
//!
//! Terms: a *roll* is the press of a key that moves a block or a cube; a *block* stands, lies or is split. The notation
//! is documented in `notation.rs`. Source: the Bloxorz project of a Kotlin course, bonus tasks included; the order of
//! events follows the original game.
//!
//! | file | content |
//! |---|---|
//! | `block.rs`, `level.rs`, `notation.rs` | the block, the terrain, the notation |
//! | `space.rs`, `visited.rs` | states packed into 64-bit numbers, sets of states |
//! | `solve.rs`, `graph.rs` | shortest solutions, the graph of all states |
//! | `reason.rs` | landmarks, dead ends, explanations, difficulty |
//! | `generate.rs`, `sketch.rs`, `farthest.rs`, `trim.rs` | new levels |
//! | `census.rs` | the longest shortest solution of every set of tiles of a rectangle |

mod block;
pub mod census;
mod farthest;
mod generate;
mod graph;
mod level;
mod notation;
mod reason;
mod sketch;
mod solve;
mod space;
mod trim;
mod visited;

use std::fmt;
use std::hint::select_unpredictable;
use std::ops::ControlFlow;
use std::sync::Arc;

pub use block::Block;
pub use generate::Recipe;
pub use graph::StateGraph;
pub use level::{Level, Switch, SwitchKind, Tile};
pub use reason::{Coverage, DeadEnd, Difficulty, EFFORTS, HORIZON, Landmark, Reason, Rule};
pub use solve::Minimize;

use crate::core::{Cell, Dir, Error, Game, Grid, Status, text};

/// The letters of the keys, indexed by the number of the key: left, up, right, down, and the switch to the other cube.
pub const KEYS: [char; 5] = ['l', 'u', 'r', 'd', 's'];

/// The number of the key that gives control to the other cube.
pub const SWITCH_KEY: i32 = 4;

/// The codes of [`Bloxorz::write_board`].
///
/// The codes up to [`code::TARGET`] are those of cells that never change and fire nothing: whether such a cell
/// holds a block does not depend on the bridges.
pub mod code {
    /// No tile.
    pub const NONE: u8 = 0;
    /// A plain tile; the start is one.
    pub const TILE: u8 = 1;
    /// A light tile.
    pub const LIGHT: u8 = 2;
    /// The target.
    pub const TARGET: u8 = 3;
    /// A soft switch.
    pub const SWITCH_SOFT: u8 = 4;
    /// A heavy switch.
    pub const SWITCH_HEAVY: u8 = 5;
    /// A splitter.
    pub const SPLITTER: u8 = 6;
    /// A tile of a bridge that is off.
    pub const BRIDGE_OFF: u8 = 7;
    /// A tile of a bridge that is on.
    pub const BRIDGE_ON: u8 = 8;
    /// Added to the code of a cell under the block, or under the cube in control.
    pub const BLOCK: u8 = 16;
    /// Added to the code of the cell under the other cube.
    pub const OTHER_CUBE: u8 = 32;
}

/// The name and the value of each board [`code`].
pub const CODES: [(&str, u8); 11] = [
    ("NONE", code::NONE),
    ("TILE", code::TILE),
    ("LIGHT", code::LIGHT),
    ("TARGET", code::TARGET),
    ("SWITCH_SOFT", code::SWITCH_SOFT),
    ("SWITCH_HEAVY", code::SWITCH_HEAVY),
    ("SPLITTER", code::SPLITTER),
    ("BRIDGE_OFF", code::BRIDGE_OFF),
    ("BRIDGE_ON", code::BRIDGE_ON),
    ("BLOCK", code::BLOCK),
    ("OTHER_CUBE", code::OTHER_CUBE),
];

/// Returns the direction in which a key rolls the block; `key` must be between 0 and 3.
#[inline]
pub(crate) const fn direction(key: i32) -> Dir {
    // The keys are in clockwise order, as the directions are, but start with W instead of N.
    Dir::from_index(key as u8 + 3)
}

/// A position of Bloxorz.
///
/// The [`Level`], which never changes, is shared between copies. The number of falls is not part of the position: `==`
/// and the text ignore it. Invariant: the block is on tiles of the level (bridges on or off) and does not stand on a
/// light tile; the cubes of a split block are not neighbors; only bridges of the level are on.
#[derive(Clone, Debug)]
pub struct Bloxorz {
    level: Arc<Level>,
    block: Block,
    /// Derived: whether the block is split, which decides which keys are legal and what they do.
    split: bool,
    /// The bridges that are on, one bit per letter, `a` lowest.
    bridges: u32,
    /// The number of falls since the position was created, not counting undone falls.
    falls: u32,
}

impl PartialEq for Bloxorz {
    fn eq(&self, other: &Self) -> bool {
        self.block == other.block
            && self.bridges == other.bridges
            && (Arc::ptr_eq(&self.level, &other.level) || self.level == other.level)
    }
}

/// What is needed to undo a key press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The block before the key press.
    pub block: Block,
    /// The bridges that were on before the key press, one bit per letter, `a` lowest.
    pub bridges: u32,
    /// Whether the block fell.
    pub fell: bool,
}

/// The only reason why the rules refuse a key in an open game: `s` needs a split block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotSplit;

impl fmt::Display for NotSplit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot switch cubes: the block is not split")
    }
}

/// The outcome of a roll.
pub(crate) enum Landing {
    /// The block or a cube fell.
    Fell,
    /// The block at rest after the roll, and the bridges that are then on, one bit per letter.
    Rests(Block, u32),
}

impl Bloxorz {
    /// Creates the position of a block on a level. `bridges` has the bridges that are on, one bit per letter, `a`
    /// lowest.
    ///
    /// Bits of bridges that the level does not have are ignored. The block may be on a bridge that is off.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if a cell of the block has no tile, or if the block stands on a light tile.
    pub fn new(level: Arc<Level>, block: Block, bridges: u32) -> Result<Self, Error> {
        // Cubes that met in the last roll may be in the wrong order.
        let block = block.joined();
        for cell in block.cells() {
            if level.tile(cell) == Tile::None {
                return Err(Error::Invalid(format!(
                    "block must be on tiles, got nothing at x {} y {}",
                    cell.col, cell.row
                )));
            }
        }
        if block.is_standing() && level.tile(block.first()) == Tile::Light {
            let Cell { row, col } = block.first();
            return Err(Error::Invalid(format!("block must not stand on a light tile, got one at x {col} y {row}")));
        }
        Ok(Self { bridges: bridges & level.bridges(), level, split: block.is_split(), block, falls: 0 })
    }

    /// Creates the position at the start of a level.
    pub fn start(level: Arc<Level>) -> Self {
        Self { block: Block::standing(level.start()), split: false, bridges: level.bridges_on(), level, falls: 0 }
    }

    /// Creates an empty level to build on: no tiles but the start in the first cell and the target in the last one.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] for a board of fewer than 2 or more than [`MAX_CELLS`](crate::core::grid::MAX_CELLS)
    /// cells.
    pub fn blank(height: usize, width: usize) -> Result<Self, Error> {
        text::check_size(height, width)?;
        let mut tiles = Grid::new(height, width, Tile::None);
        let (start, target) = (Cell::new(0, 0), Cell::new(height as i32 - 1, width as i32 - 1));
        if start == target {
            return Err(Error::Invalid("height * width must be at least 2, got 1 * 1".to_owned()));
        }
        tiles[start] = Tile::Floor;
        tiles[target] = Tile::Target;
        Ok(Self::start(Arc::new(Level::new(tiles, start, target, &[None; 26], 0))))
    }

    /// Returns the level.
    pub fn level(&self) -> &Arc<Level> {
        &self.level
    }

    /// Returns the block.
    pub fn block(&self) -> Block {
        self.block
    }

    /// Returns the bridges that are on, one bit per letter, `a` lowest.
    pub fn bridges(&self) -> u32 {
        self.bridges
    }

    /// Returns how many times the block has fallen since this position was created, not counting undone falls.
    pub fn falls(&self) -> u32 {
        self.falls
    }

    /// Returns whether this is the position at the start of the level.
    pub fn is_start(&self) -> bool {
        self.block == Block::standing(self.level.start()) && self.bridges == self.level.bridges_on()
    }

    /// Returns the outcome of a roll. The rules apply in this order: fall, switches, splitting or joining.
    pub(crate) fn roll(level: &Level, block: Block, bridges: u32, dir: Dir) -> Landing {
        let rolled = block.rolled(dir);
        let (first, second) = (rolled.first(), rolled.second());
        // The cells that the block lands on, in the order in which their switches fire: along a row the left one, then
        // the right one; along a column the lower one, then the upper one. The cube that is not in control rests and
        // fires nothing.
        let order = if first.col == second.col && !block.is_split() { [second, first] } else { [first, second] };
        let landed = if block.is_split() || first == second { &order[..1] } else { &order[..] };
        if !landed.iter().all(|&cell| level.holds(cell, bridges)) {
            return Landing::Fell;
        }
        if first != second {
            let mut bridges = bridges;
            for &cell in landed {
                if let Some(Switch { kind: SwitchKind::Soft, keep, flip, .. }) = level.switch_at(cell) {
                    bridges = (bridges & keep) ^ flip;
                }
            }
            return Landing::Rests(rolled.joined(), bridges);
        }
        match level.tile(first) {
            Tile::Light => Landing::Fell,
            Tile::Switch(_) => match level.switch_at(first) {
                Some(&Switch { kind: SwitchKind::Splitter(control, other), .. }) => {
                    Landing::Rests(Block::split(control, other), bridges)
                }
                Some(switch) => Landing::Rests(rolled, (bridges & switch.keep) ^ switch.flip),
                None => Landing::Rests(rolled, bridges),
            },
            _ => Landing::Rests(rolled, bridges),
        }
    }
}

impl Game for Bloxorz {
    const NAME: &'static str = "bloxorz";
    const AXES: &'static [&'static str] = &["key"];
    type Move = [i32; 1];
    type Change = Change;
    type Reason = NotSplit;

    fn parse(text: &str) -> Result<Self, Error> {
        notation::parse(text)
    }

    fn text(&self) -> String {
        notation::write(self)
    }

    fn height(&self) -> usize {
        self.level.height()
    }

    fn width(&self) -> usize {
        self.level.width()
    }

    fn bounds(&self) -> [i32; 1] {
        [KEYS.len() as i32]
    }

    #[inline]
    fn status(&self) -> Status {
        let won = self.block == Block::standing(self.level.target());
        if won { Status::Won } else { Status::Open }
    }

    #[inline]
    fn check(&self, [key]: [i32; 1]) -> Result<(), NotSplit> {
        if key == SWITCH_KEY && !self.split { Err(NotSplit) } else { Ok(()) }
    }

    fn each_legal<F: FnMut([i32; 1]) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        let keys = if self.split { 5 } else { 4 };
        for key in 0..keys {
            visit([key])?;
        }
        ControlFlow::Continue(())
    }

    #[allow(clippy::needless_bitwise_bool)] // see the comment inside
    #[inline]
    fn apply(&mut self, [key]: [i32; 1]) -> Change {
        let mut change = Change { block: self.block, bridges: self.bridges, fell: false };
        if key == SWITCH_KEY || self.split {
            self.press(key, &mut change);
            return change;
        }
        let level = &*self.level;
        let rolled = self.block.rolled_whole(direction(key));
        let (one, other) = (level.start_code(rolled.first()), level.start_code(rolled.second()));
        if one.max(other) > code::TARGET {
            self.press(key, &mut change);
            return change;
        }
        // Most landings are on cells that never change and fire nothing. The result is selected without a branch,
        // because falls are unpredictable if keys are random.
        change.fell = (one.min(other) == code::NONE) | ((rolled.first() == rolled.second()) & (one == code::LIGHT));
        self.block = rolled.or(Block::standing(level.start()), change.fell);
        self.bridges = select_unpredictable(change.fell, level.bridges_on(), self.bridges);
        self.falls = self.falls.saturating_add(u32::from(change.fell));
        change
    }

    fn revert(&mut self, _: [i32; 1], change: Change) {
        self.block = change.block;
        self.split = change.block.is_split();
        self.bridges = change.bridges;
        self.falls -= u32::from(change.fell);
    }

    fn write_board(&self, out: &mut [u8]) {
        for (row, codes) in out.chunks_exact_mut(self.level.width()).zip(self.level.code_rows()) {
            row.copy_from_slice(codes);
        }
        let mut on = self.bridges & !self.level.bridges_on();
        let mut off = self.level.bridges_on() & !self.bridges;
        while on != 0 {
            self.paint(out, on.trailing_zeros(), code::BRIDGE_ON);
            on &= on - 1;
        }
        while off != 0 {
            self.paint(out, off.trailing_zeros(), code::BRIDGE_OFF);
            off &= off - 1;
        }
        self.stamp(out);
    }

    fn write_mask(&self, out: &mut [bool]) {
        out.copy_from_slice(&[true, true, true, true, self.split]);
    }

    #[inline]
    fn refresh_board(&self, _: [i32; 1], change: &Change, board: &mut [u8]) {
        let width = self.level.width();
        // Clears the cell of a standing block twice, which is cheaper than an unpredictable branch.
        for cell in [change.block.first(), change.block.second()] {
            board[cell.row as usize * width + cell.col as usize] &= code::BLOCK - 1;
        }
        let mut changed = change.bridges ^ self.bridges;
        while changed != 0 {
            let letter = changed.trailing_zeros();
            let on = self.bridges >> letter & 1 == 1;
            self.paint(board, letter, if on { code::BRIDGE_ON } else { code::BRIDGE_OFF });
            changed &= changed - 1;
        }
        self.stamp(board);
    }

    #[inline]
    fn refresh_mask(&self, _: [i32; 1], _: &Change, mask: &mut [bool]) {
        mask[SWITCH_KEY as usize] = self.split;
    }
}

impl Bloxorz {
    /// Presses any key; rolls follow [`Bloxorz::roll`]. Sets `change.fell` if the block falls.
    #[inline(never)] // few key presses need this function, and inlining it would slow down all others
    fn press(&mut self, key: i32, change: &mut Change) {
        if key == SWITCH_KEY {
            self.block = self.block.switched();
            return;
        }
        match Self::roll(&self.level, self.block, self.bridges, direction(key)) {
            Landing::Rests(block, bridges) => (self.block, self.bridges) = (block, bridges),
            Landing::Fell => {
                change.fell = true;
                (self.block, self.bridges) = (Block::standing(self.level.start()), self.level.bridges_on());
                self.falls = self.falls.saturating_add(1);
            }
        }
        self.split = self.block.is_split();
    }

    /// Writes a code into all cells of the bridge `letter`, 0 for `a`.
    fn paint(&self, board: &mut [u8], letter: u32, code: u8) {
        for &index in self.level.bridge_tiles(letter as u8) {
            board[index as usize] = code;
        }
    }

    /// Marks the cells of the block on a board: sets [`code::BLOCK`] or [`code::OTHER_CUBE`] in their codes.
    #[inline]
    fn stamp(&self, board: &mut [u8]) {
        let width = self.level.width();
        let at = |cell: Cell| cell.row as usize * width + cell.col as usize;
        board[at(self.block.first())] |= code::BLOCK;
        board[at(self.block.second())] |= if self.split { code::OTHER_CUBE } else { code::BLOCK };
    }
}
