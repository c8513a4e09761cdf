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
//! * A key `l u r d` rolls the block, or the cube in control after a splitter; `s` gives control to the other cube.
//! * Where a cell under it holds nothing, or a light tile is under a standing block, it falls: back to the start of the
//!   level, with the bridges as they were there. A fall is a legal move that costs.
//! * Landing fires switches: soft ones under any part, heavy ones under a standing block. A standing block on a splitter
//!   becomes two cubes; cubes side by side join at once.
//! * Won when the whole block stands on the target.
//!
//! Terms: a *roll* is a key that moves something, a *block* is standing, lying or split. Notation and rulings stand in
//! [`Level`] and [`Bloxorz`]. Source: the Bloxorz project of a Kotlin course, its bonus tasks included; the order of
//! events follows the original game.

mod block;
mod generate;
mod graph;
mod level;
mod seen;
mod solve;
mod space;

use std::convert::Infallible;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

pub use block::Block;
pub use generate::Recipe;
pub use graph::StateGraph;
pub use level::{Level, Switch, SwitchKind, Tile};
pub use solve::Minimize;

use crate::core::{Cell, Dir, Error, Game, Status};

/// The keys in the order of their numbers: left, up, right, down, and switching between the cubes.
pub const KEYS: [char; 5] = ['l', 'u', 'r', 'd', 's'];

/// The number of the key that gives control to the other cube.
pub const SWITCH_KEY: i32 = 4;

/// The codes of [`Bloxorz::write_board`] with their names. The block's cells add [`IN_CONTROL`] or [`OTHER_CUBE`].
pub const CODES: [(&str, u8); 11] = [
    ("NONE", 0),
    ("TILE", 1),
    ("LIGHT", 2),
    ("TARGET", 3),
    ("SWITCH_SOFT", 4),
    ("SWITCH_HEAVY", 5),
    ("SPLITTER", 6),
    ("BRIDGE_OFF", 7),
    ("BRIDGE_ON", 8),
    ("BLOCK", IN_CONTROL),
    ("OTHER_CUBE", OTHER_CUBE),
];

/// Added to the code of a cell under the block, or under the cube in control.
pub const IN_CONTROL: u8 = 16;

/// Added to the code of a cell under the other cube.
pub const OTHER_CUBE: u8 = 32;

/// The direction of a rolling key, 0 to 3.
#[inline]
pub(crate) const fn direction(key: i32) -> Dir {
    match key {
        0 => Dir::W,
        1 => Dir::N,
        2 => Dir::E,
        _ => Dir::S,
    }
}

/// A position of Bloxorz.
///
/// What never changes, the [`Level`], is shared. The count of falls is no part of the position: `==` and the text pass it
/// over. Invariant: the block lies on tiles of the level (bridges on or off), never upright on a light one, and cubes are
/// never side by side.
#[derive(Clone, Debug)]
pub struct Bloxorz {
    level: Arc<Level>,
    block: Block,
    bridges: u32,
    falls: u32,
}

impl PartialEq for Bloxorz {
    fn eq(&self, other: &Self) -> bool {
        self.block == other.block
            && self.bridges == other.bridges
            && (Arc::ptr_eq(&self.level, &other.level) || self.level == other.level)
    }
}

/// What a key changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The block before.
    pub block: Block,
    /// The bridges that were on before, a bit a letter.
    pub bridges: u32,
    /// Whether the block fell.
    pub fell: bool,
}

/// Why a key is refused: only switching between cubes can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotSplit(Option<Infallible>);

impl fmt::Display for NotSplit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("s gives control to the other cube, and the block is whole, wanted l, u, r or d")
    }
}

/// Where a landing leads.
pub(crate) enum Landing {
    /// The block or a cube fell.
    Fell,
    /// It rests, and the bridges are these.
    Rests(Block, u32),
}

impl Bloxorz {
    /// Puts a block on a level, with the bridges that are on; a sentence where it cannot be there.
    ///
    /// # Errors
    /// A cell without a tile, a block upright on a light tile.
    pub fn new(level: Arc<Level>, block: Block, bridges: u32) -> Result<Self, Error> {
        for cell in block.cells() {
            if level.tile(cell) == Tile::None {
                return Err(Error::Invalid(format!("the block at x {} y {}, wanted it on a tile", cell.col, cell.row)));
            }
        }
        if block.is_standing() && level.tile(block.first()) == Tile::Light {
            return Err(Error::Invalid(
                "the block upright on a light tile, wanted it lying there or elsewhere".to_owned(),
            ));
        }
        Ok(Self { bridges: bridges & level.bridges(), level, block, falls: 0 })
    }

    /// Starts a level.
    pub fn start(level: Arc<Level>) -> Self {
        Self { block: Block::standing(level.start()), bridges: level.bridges_on(), level, falls: 0 }
    }

    /// The level that is played.
    pub fn level(&self) -> &Arc<Level> {
        &self.level
    }

    /// The block as it is now.
    pub fn block(&self) -> Block {
        self.block
    }

    /// The bridges that are on now, a bit a letter.
    pub fn bridges(&self) -> u32 {
        self.bridges
    }

    /// How often the block fell on the way here.
    pub fn falls(&self) -> u32 {
        self.falls
    }

    /// Whether the block stands where the level starts, with the bridges as they are there.
    pub fn is_start(&self) -> bool {
        self.block == Block::standing(self.level.start()) && self.bridges == self.level.bridges_on()
    }

    /// Does what a rolling key does, by the order of the rules: holding, winning, switches, splitting or joining.
    pub(crate) fn roll(level: &Level, block: Block, bridges: u32, dir: Dir) -> Landing {
        let rolled = block.rolled(dir);
        let (first, second) = (rolled.first(), rolled.second());
        // The cells it lands on, in the order in which their switches fire: along a row left, then right; along a column
        // the lower, then the upper.
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
        level::parse(text)
    }

    fn text(&self) -> String {
        level::write(self)
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
        if key == SWITCH_KEY && !self.block.is_split() { Err(NotSplit(None)) } else { Ok(()) }
    }

    fn each_legal<F: FnMut([i32; 1]) -> ControlFlow<()>>(&self, mut visit: F) -> ControlFlow<()> {
        let keys = if self.block.is_split() { 5 } else { 4 };
        for key in 0..keys {
            visit([key])?;
        }
        ControlFlow::Continue(())
    }

    #[allow(clippy::needless_bitwise_bool)] // told below
    fn apply(&mut self, [key]: [i32; 1]) -> Change {
        let mut change = Change { block: self.block, bridges: self.bridges, fell: false };
        if key == SWITCH_KEY {
            self.block = self.block.switched();
            return change;
        }
        let level = &*self.level;
        let start = (Block::standing(level.start()), level.bridges_on());
        let rolled = self.block.rolled(direction(key));
        let (code, other) = (level.plain(rolled.first()), level.plain(rolled.second()));
        let landed = if code.max(other) <= Level::MOST_PLAIN && !self.block.is_split() {
            // Most landings are on plain tiles: nothing there to hold conditionally, nothing to fire. No branch: where keys
            // are random nobody could foresee falls.
            change.fell = (code.min(other) == 0) | ((rolled.first() == rolled.second()) & (code == Level::LIGHT));
            [(rolled, self.bridges), start][usize::from(change.fell)]
        } else {
            match Self::roll(level, self.block, self.bridges, direction(key)) {
                Landing::Rests(block, bridges) => (block, bridges),
                Landing::Fell => {
                    change.fell = true;
                    start
                }
            }
        };
        (self.block, self.bridges) = landed;
        self.falls = self.falls.saturating_add(u32::from(change.fell));
        change
    }

    fn revert(&mut self, _: [i32; 1], change: Change) {
        self.block = change.block;
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
            self.paint(out, on.trailing_zeros(), Tile::BRIDGE_ON);
            on &= on - 1;
        }
        while off != 0 {
            self.paint(out, off.trailing_zeros(), Tile::BRIDGE_OFF);
            off &= off - 1;
        }
        self.stamp(out, self.block);
    }

    fn write_mask(&self, out: &mut [bool]) {
        out.copy_from_slice(&[true, true, true, true, self.block.is_split()]);
    }

    fn refresh_board(&self, _: [i32; 1], change: &Change, board: &mut [u8]) {
        let width = self.level.width();
        // Both cells, be they one: no branch that cannot be foreseen.
        for cell in [change.block.first(), change.block.second()] {
            board[cell.row as usize * width + cell.col as usize] &= IN_CONTROL - 1;
        }
        let mut changed = change.bridges ^ self.bridges;
        while changed != 0 {
            let letter = changed.trailing_zeros();
            let on = self.bridges >> letter & 1 == 1;
            self.paint(board, letter, if on { Tile::BRIDGE_ON } else { Tile::BRIDGE_OFF });
            changed &= changed - 1;
        }
        self.stamp(board, self.block);
    }

    #[inline]
    fn refresh_mask(&self, _: [i32; 1], _: &Change, mask: &mut [bool]) {
        mask[SWITCH_KEY as usize] = self.block.is_split();
    }
}

impl Bloxorz {
    /// Writes the code of all tiles of a bridge.
    fn paint(&self, board: &mut [u8], letter: u32, code: u8) {
        for &index in self.level.bridge_tiles(letter as u8) {
            board[index as usize] = code;
        }
    }

    /// Adds the block to the codes of its cells.
    #[inline]
    fn stamp(&self, board: &mut [u8], block: Block) {
        let width = self.level.width();
        let at = |cell: Cell| cell.row as usize * width + cell.col as usize;
        board[at(block.first())] |= IN_CONTROL;
        board[at(block.second())] |= if block.is_split() { OTHER_CUBE } else { IN_CONTROL };
    }
}
