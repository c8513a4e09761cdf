//! The states of a level, each packed into one 64-bit number, and the effects of rolls on them.
//!
//! A state is `pose << bridge_bits | bits`, with one bit per bridge that has tiles and that some switch names. A pose
//! is `kind << tile_bits | tile`, with tiles numbered row by row. In kind 0 the block stands on `tile`; in kind 1 it
//! lies along a row, and `tile` is the left one; in kind 2 it lies along a column, and `tile` is the upper one; in kind
//! `3 + k` it is split, with the cube in control on tile `k` and the other cube on `tile`. The effect of a roll on all
//! states of a pose is one [`Roll`]: switching on, switching off and toggling, even by two switches under one block,
//! compose into one "and" and one "xor" of the bits.
//!
//! ```text
//! SoA   tiles 012    9 tiles: 4 tile bits; bridge a: 1 bridge bit
//! ooo         345    standing on tile 0, a off:            kind 0, tile 0:  0b00_0000_0 = 0
//! oaT         678    roll right: lies on tiles 1 and 2:    kind 1, tile 1:  0b01_0001_?
//! #AOa               tile 2 is switch A, which toggles a:  keep 1, flip 1:  0b01_0001_1 = 35
//! ```

use super::{Block, KEYS, SWITCH_KEY, Switch, SwitchKind, Tile, direction};
use crate::core::{Budget, Cell, Dir, Error, Grid, memory, pieces};

/// The parts of a level that a search reads, and the facts about the start of the search that [`Space`] depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan<'a> {
    pub(super) tiles: &'a Grid<Tile>,
    pub(super) switches: &'a [Option<Switch>; 26],
    /// The cell on which the block must stand; `None` if no state is won.
    pub(super) target: Option<Cell>,
    /// The bridges that are on at the start of the search, one bit per letter; those that no switch names never change.
    pub(super) bridges: u32,
    /// Whether the block is split at the start of the search.
    pub(super) split: bool,
}

/// The effect of a roll on a pose and on the bridge bits of a state: the block does not fall if `bits & need == need`,
/// and then `bits` becomes `(bits & keep) ^ flip`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Roll {
    /// The pose after the roll; for a single cube, its tile.
    to: u64,
    need: u32,
    keep: u32,
    flip: u32,
}

/// The roll that always makes the block fall: no bits satisfy its `need`, because there are at most 25 bridges.
const FALL: Roll = Roll { to: 0, need: u32::MAX, keep: 0, flip: 0 };

/// The entry of a table of tile numbers for "no tile".
const NO_TILE: u32 = u32::MAX;

/// The number of kinds of poses of a whole block; the kinds from this number on are those of a split block.
const WHOLE: u64 = 3;

/// The largest number of tiles for which the rolls are kept in a table. With more tiles they are derived each time.
const MAX_IN_TABLE: usize = 1 << 18;

/// The name of what is allocated, for error messages.
pub(super) const TABLES: &str = "the tables of the search";

/// The tables of a [`Space`], in a type of their own so that a generator can reuse their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    /// The cell of each tile.
    cells: Vec<Cell>,
    /// The tile of each cell of the board, [`NO_TILE`] if there is none.
    tiles: Vec<u32>,
    /// The letter of each bridge bit, 0 for `a`.
    letters: Vec<u8>,
    /// The landing on each tile.
    landings: Vec<Landing>,
    /// The rolls of each pose of a whole block; the rolls of a single cube follow as kind 3 if the block can be split.
    /// Empty for more than [`MAX_IN_TABLE`] tiles.
    rolls: Vec<FourRolls>,
}

/// The four rolls of a pose or a cube: one array per field of [`Roll`], so that vector instructions can compute all
/// four rolls at once.
#[derive(Clone, Copy, Debug)]
struct FourRolls {
    /// The pose, or the tile of the cube in control, already shifted to its position in a state.
    to: [u64; 4],
    need: [u32; 4],
    keep: [u32; 4],
    flip: [u32; 4],
    /// The [`Space::linear`] index of the cell that a cube rolls to; 0 for a whole block, meaningless for a fall.
    cell: [i32; 4],
}

/// All states of a level, reachable or not: packs and unpacks states and finds their successors.
#[derive(Debug)]
pub(super) struct Space<'a> {
    plan: Plan<'a>,
    tables: Tables,
    /// The number of tiles.
    count: u64,
    /// The number of bits of a tile in a pose.
    tile_bits: u32,
    /// The number of bridges that have tiles and that some switch names.
    bridge_bits: u32,
    /// The pose of the block that stands on the target; `u64::MAX` if the plan has no target.
    target: u64,
    /// Whether the block is split or can split.
    splits: bool,
}

impl<'a> Space<'a> {
    /// Creates the space of a plan with at least one tile, and fills `tables`, whose memory is reused.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] if [`Space::size`] does not fit into 63 bits, [`Error::Memory`] if the tables cannot be
    /// allocated, and [`Error::Interrupted`] if the watcher of the budget ends the call.
    pub(super) fn new(plan: Plan<'a>, mut tables: Tables, budget: &mut Budget<'_>) -> Result<Self, Error> {
        tables.cells.clear();
        tables.tiles.clear();
        tables.letters.clear();
        let (all, width) = (plan.tiles.as_slice(), plan.tiles.width());
        memory::room(&mut tables.tiles, all.len(), TABLES)?;
        memory::room(&mut tables.cells, all.iter().filter(|&&tile| tile != Tile::None).count(), TABLES)?;
        let mut here = 0u32;
        for piece in pieces(all.len()) {
            budget.pause()?;
            for index in piece {
                let tile = all[index];
                if tile == Tile::None {
                    tables.tiles.push(NO_TILE);
                    continue;
                }
                if let Tile::Bridge(letter) = tile {
                    // `here` has one bit per bridge that has tiles.
                    here |= 1 << letter;
                }
                tables.tiles.push(tables.cells.len() as u32);
                tables.cells.push(Cell::new((index / width) as i32, (index % width) as i32));
            }
        }
        // Only bridges that have tiles and that some switch names can both matter and change: others need no bit.
        let named = plan.switches.iter().flatten().fold(0, |bits, switch| bits | switch.named) & here;
        tables.letters.extend((0..26u8).filter(|&letter| named >> letter & 1 == 1));
        let splits =
            plan.split || plan.switches.iter().flatten().any(|switch| matches!(switch.kind, SwitchKind::Splitter(..)));
        let (count, bridge_bits) = (tables.cells.len() as u64, tables.letters.len() as u32);
        // The number of bits of the largest tile number, `count - 1`.
        let tile_bits = u64::BITS - (count - 1).leading_zeros();
        let mut space = Self { plan, tables, count, tile_bits, bridge_bits, target: u64::MAX, splits };
        // `size` must fit into 63 bits: `poses` needs more leading zeros than it is shifted by.
        if space.poses().leading_zeros() <= bridge_bits {
            return Err(Error::Limit(format!(
                "states must fit into 63 bits to be searched, got {count} tiles, {bridge_bits} bridges and a block \
                 that is or can be split"
            )));
        }
        if let Some(target) = plan.target.and_then(|cell| space.tile(cell)) {
            space.target = target;
        }
        space.fill(budget)?;
        Ok(space)
    }

    /// Returns the tables, so that the next space can reuse their memory.
    pub(super) fn into_tables(self) -> Tables {
        self.tables
    }

    /// Fills the tables of landings and rolls.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the tables cannot be allocated, and [`Error::Interrupted`] if the watcher of the
    /// budget ends the call.
    fn fill(&mut self, budget: &mut Budget<'_>) -> Result<(), Error> {
        let mut landings = std::mem::take(&mut self.tables.landings);
        landings.clear();
        memory::room(&mut landings, self.count as usize, TABLES)?;
        for piece in pieces(self.count as usize) {
            budget.pause()?;
            landings.extend(piece.map(|tile| self.landing(tile as u64)));
        }
        self.tables.landings = landings;
        let mut rolls = std::mem::take(&mut self.tables.rolls);
        rolls.clear();
        if self.count as usize <= MAX_IN_TABLE {
            let kinds = if self.splits { WHOLE + 1 } else { WHOLE };
            let entries = (kinds << self.tile_bits) as usize;
            memory::room(&mut rolls, entries, TABLES)?;
            for piece in pieces(entries) {
                budget.pause()?;
                rolls.extend(piece.map(|index| self.derive_four(index as u64)));
            }
        }
        self.tables.rolls = rolls;
        Ok(())
    }

    /// Returns a number that is greater than every pose; not all smaller numbers are poses.
    fn poses(&self) -> u64 {
        (WHOLE + if self.splits { self.count } else { 0 }) << self.tile_bits
    }

    /// Returns a number that is greater than every packed state.
    pub(super) fn size(&self) -> u64 {
        self.poses() << self.bridge_bits
    }

    /// Returns whether the block is split or can split.
    pub(super) fn splits(&self) -> bool {
        self.splits
    }

    /// Returns the number of the tile on a cell, or `None` if there is no tile.
    fn tile(&self, cell: Cell) -> Option<u64> {
        let tile =
            if self.plan.tiles.contains(cell) { self.tables.tiles[self.plan.tiles.index(cell)] } else { NO_TILE };
        (tile != NO_TILE).then_some(tile as u64)
    }

    /// Returns the cell of a tile.
    fn cell(&self, tile: u64) -> Cell {
        self.tables.cells[tile as usize]
    }

    /// Returns the pose of a block, or `None` if a part of the block is not on a tile.
    fn pose(&self, block: Block) -> Option<u64> {
        let (first, second) = (self.tile(block.first())?, self.tile(block.second())?);
        Some(if block.is_split() {
            self.pair(first, second)
        } else if first == second {
            first
        } else {
            // A block of kind 1 lies along a row, one of kind 2 along a column; the first tile is the upper or left
            // one.
            let along_row = block.first().row == block.second().row;
            (if along_row { 1 } else { 2 }) << self.tile_bits | first
        })
    }

    /// Returns the pose of a split block from the tiles of its cubes.
    #[inline]
    fn pair(&self, control: u64, other: u64) -> u64 {
        (WHOLE + control) << self.tile_bits | other
    }

    /// Returns the kind and the tile of a pose; the tile of a split block is that of the other cube.
    #[inline]
    fn parts(&self, pose: u64) -> (u64, u64) {
        (pose >> self.tile_bits, pose & ((1 << self.tile_bits) - 1))
    }

    /// Returns the block of a state.
    pub(super) fn block(&self, state: u64) -> Block {
        let (kind, tile) = self.parts(state >> self.bridge_bits);
        let cell = self.cell(tile);
        match kind {
            0 => Block::standing(cell),
            1 => Block::split(cell, cell.step(Dir::E, 1)),
            2 => Block::split(cell, cell.step(Dir::S, 1)),
            _ => Block::split(self.cell(kind - WHOLE), cell),
        }
    }

    /// Returns the bridges that are on in a state, one bit per letter.
    pub(super) fn bridges(&self, state: u64) -> u32 {
        let mut bridges = self.plan.bridges;
        for (bit, &letter) in self.tables.letters.iter().enumerate() {
            // Bit number `bit` of the state replaces the bit of the letter.
            bridges = bridges & !(1 << letter) | ((state >> bit & 1) as u32) << letter;
        }
        bridges
    }

    /// Returns the packed state of a block and of `bridges` (one bit per letter), or `None` if a part of the block is
    /// not on a tile.
    pub(super) fn state(&self, block: Block, bridges: u32) -> Option<u64> {
        Some(self.pose(block)? << self.bridge_bits | u64::from(self.pack(bridges)))
    }

    /// Returns the bridge bits of a state from one bit per letter.
    fn pack(&self, bridges: u32) -> u32 {
        let bit = |(bit, &letter): (usize, &u8)| (bridges >> letter & 1) << bit;
        self.tables.letters.iter().enumerate().map(bit).sum()
    }

    /// Returns whether the block of a state stands on the target; `false` if the plan has no target.
    #[inline]
    pub(super) fn is_won(&self, state: u64) -> bool {
        state >> self.bridge_bits == self.target
    }

    /// Returns the row-major index of the cell on which the block stands, or `None` if it does not stand.
    pub(super) fn standing(&self, state: u64) -> Option<usize> {
        let pose = state >> self.bridge_bits;
        (pose >> self.tile_bits == 0).then(|| self.plan.tiles.index(self.cell(pose)))
    }

    /// Returns the state with the other cube in control, or `None` if the block is not split.
    #[inline]
    pub(super) fn switched(&self, state: u64) -> Option<u64> {
        let (kind, other) = self.parts(state >> self.bridge_bits);
        let control = kind.checked_sub(WHOLE)?;
        Some(self.pair(other, control) << self.bridge_bits | state & ((1 << self.bridge_bits) - 1))
    }

    /// Returns, for each key, the successor of a state that is not won, and whether the key is legal and does not make
    /// the block fall. If not, the successor is meaningless.
    ///
    /// The code has few branches, because the processor cannot predict which keys make the block fall.
    #[inline(always)]
    pub(super) fn successors(&self, state: u64) -> ([u64; KEYS.len()], [bool; KEYS.len()]) {
        let (pose, bits) = (state >> self.bridge_bits, (state & ((1 << self.bridge_bits) - 1)) as u32);
        let (kind, tile) = self.parts(pose);
        let split = kind >= WHOLE;
        // Of a split block, only one cube rolls: the entry of the table does not depend on the other cube.
        let index = if split { WHOLE << self.tile_bits | (kind - WHOLE) } else { pose };
        let derived;
        let rolls = if let Some(rolls) = self.tables.rolls.get(index as usize) {
            rolls
        } else {
            derived = self.derive_four(index);
            &derived
        };
        // For a split block the entry holds the tile of the cube in control; `rest` adds the first split kind, 3, and
        // the tile of the other cube.
        let rest = if split { self.pair(0, tile) << self.bridge_bits } else { 0 };
        let (mut to, mut legal) = ([state; KEYS.len()], [false; KEYS.len()]);
        for key in 0..4 {
            // Applies all switches under the block at once: clears the bits of the bridges that they turn on or off,
            // then flips the bits of those that they turn on or toggle.
            to[key] = (rolls.to[key] + rest) | u64::from((bits & rolls.keep[key]) ^ rolls.flip[key]);
            // All bridges under the block must be on; `FALL` needs all 32 bits, which no state has.
            legal[key] = bits & rolls.need[key] == rolls.need[key];
        }
        if split {
            let other = self.linear(self.cell(tile));
            for key in 0..4 {
                // Cubes that are neighbors join into a lying block.
                let apart = (rolls.cell[key] - other).unsigned_abs();
                if apart == 1 || apart == self.linear(Cell::new(1, 0)).unsigned_abs() {
                    // The lying block is named by its upper or left tile, which has the smaller number.
                    let moved = rolls.to[key] >> (self.tile_bits + self.bridge_bits);
                    let joined = (if apart == 1 { 1 } else { 2 }) << self.tile_bits | moved.min(tile);
                    to[key] = joined << self.bridge_bits | to[key] & ((1 << self.bridge_bits) - 1);
                }
            }
            to[SWITCH_KEY as usize] = self.pair(tile, kind - WHOLE) << self.bridge_bits | u64::from(bits);
            legal[SWITCH_KEY as usize] = true;
        }
        (to, legal)
    }

    /// Returns the index of a cell in rows that are two cells longer than those of the board.
    ///
    /// Two cells of the board are neighbors if and only if their indices differ by 1 or by the length of such a row,
    /// because the indices of the end of a row and the beginning of the next one differ by 3.
    #[inline]
    fn linear(&self, cell: Cell) -> i32 {
        cell.row * (self.plan.tiles.width() as i32 + 2) + cell.col
    }

    /// Derives one entry of the table of rolls: for a pose of a whole block, or for a single cube on a tile (kind 3).
    fn derive_four(&self, index: u64) -> FourRolls {
        let (kind, tile) = self.parts(index);
        let cube = kind == WHOLE;
        let rolls = [0, 1, 2, 3].map(|key| if cube { self.derive_cube(tile, key) } else { self.derive(index, key) });
        // The tile of the cube in control is in the high bits of the pose of a split block.
        let high = self.bridge_bits + if cube { self.tile_bits } else { 0 };
        FourRolls {
            to: rolls.map(|roll| roll.to << high),
            need: rolls.map(|roll| roll.need),
            keep: rolls.map(|roll| roll.keep),
            flip: rolls.map(|roll| roll.flip),
            cell: rolls.map(|roll| if cube { self.linear(self.cell(roll.to)) } else { 0 }),
        }
    }

    /// Calls `visit(key, successor)` for each legal key of a state that is not won, in the order of the keys. Keys that
    /// make the block fall are left out.
    #[inline]
    pub(super) fn each_successor(&self, state: u64, mut visit: impl FnMut(u8, u64)) {
        let (to, legal) = self.successors(state);
        for key in (0..KEYS.len()).filter(|&key| legal[key]) {
            visit(key as u8, to[key]);
        }
    }

    /// Composes the landings on tiles, in the order in which their switches fire, into one roll.
    fn land(to: u64, landings: &[&Landing]) -> Roll {
        let mut roll = Roll { to, need: 0, keep: u32::MAX, flip: 0 };
        for landing in landings {
            roll.need |= landing.need;
            roll.keep &= landing.keep;
            // The second landing overrides the first one for every bridge that it turns on or off.
            roll.flip = (roll.flip & landing.keep) ^ landing.flip;
        }
        roll
    }

    /// Derives the effect of a key on a pose of a whole block.
    fn derive(&self, pose: u64, key: usize) -> Roll {
        let landings = &self.tables.landings;
        let next =
            |tile: u32, key: usize| if tile == NO_TILE { NO_TILE } else { landings[tile as usize].neighbors[key] };
        let (kind, tile) = self.parts(pose);
        if tile >= self.count {
            return FALL;
        }
        let tile = tile as u32;
        let (one, two) = match (kind, key) {
            // A standing block lies down on the two tiles ahead.
            (0, LEFT | UP) => (next(next(tile, key), key), next(tile, key)),
            (0, _) => (next(tile, key), next(next(tile, key), key)),
            // A lying block stands up at either end, or rolls to the side.
            (1, LEFT) | (2, UP) => (next(tile, key), next(tile, key)),
            (1, RIGHT) | (2, DOWN) => (next(next(tile, key), key), next(next(tile, key), key)),
            _ => (next(tile, key), next(next(tile, if kind == 1 { RIGHT } else { DOWN }), key)),
        };
        if one == NO_TILE || two == NO_TILE {
            return FALL;
        }
        let (landing, other) = (&landings[one as usize], &landings[two as usize]);
        if one == two {
            return match landing.on_standing {
                StandingEffect::Rests => Self::land(u64::from(one), &[landing]),
                StandingEffect::Falls => FALL,
                StandingEffect::Fires { keep, flip } => Roll { to: u64::from(one), need: 0, keep, flip },
                StandingEffect::Splits { to } => Roll { to, need: 0, keep: u32::MAX, flip: 0 },
            };
        }
        let along_row = matches!((kind, key), (0, LEFT | RIGHT) | (1, _));
        if along_row {
            Self::land(1 << self.tile_bits | u64::from(one), &[landing, other])
        } else {
            // Along a column the lower switch fires first.
            Self::land(2 << self.tile_bits | u64::from(one), &[other, landing])
        }
    }

    /// Derives the effect of a key on a single cube on a tile; [`Roll::to`] is the tile that it rolls to.
    fn derive_cube(&self, tile: u64, key: usize) -> Roll {
        if tile >= self.count {
            return FALL;
        }
        let to = self.tables.landings[tile as usize].neighbors[key];
        if to == NO_TILE { FALL } else { Self::land(u64::from(to), &[&self.tables.landings[to as usize]]) }
    }

    /// Derives the landing on a tile, from which the rolls onto the tile are derived.
    fn landing(&self, tile: u64) -> Landing {
        let cell = self.cell(tile);
        let neighbors =
            [0, 1, 2, 3].map(|key| self.tile(cell.step(direction(key), 1)).map_or(NO_TILE, |tile| tile as u32));
        let mut landing = Landing { neighbors, need: 0, keep: u32::MAX, flip: 0, on_standing: StandingEffect::Rests };
        match self.plan.tiles[cell] {
            Tile::Light => landing.on_standing = StandingEffect::Falls,
            Tile::Bridge(letter) => {
                landing.need = self.pack(1 << letter);
                // A bridge that no switch names has no bit: if it is off, it stays off.
                if landing.need == 0 && self.plan.bridges >> letter & 1 == 0 {
                    landing.need = FALL.need;
                    landing.on_standing = StandingEffect::Falls;
                }
            }
            Tile::Switch(letter) => {
                if let Some(switch) = &self.plan.switches[letter as usize] {
                    let (keep, flip) = (self.pack(switch.keep), self.pack(switch.flip));
                    match switch.kind {
                        SwitchKind::Soft => (landing.keep, landing.flip) = (keep, flip),
                        SwitchKind::Heavy => landing.on_standing = StandingEffect::Fires { keep, flip },
                        SwitchKind::Splitter(control, other) => {
                            let to = self.pose(Block::split(control, other));
                            landing.on_standing = to.map_or(StandingEffect::Falls, |to| StandingEffect::Splits { to });
                        }
                    }
                }
            }
            _ => {}
        }
        landing
    }
}

// The keys that roll, as indices.
const LEFT: usize = 0;
const UP: usize = 1;
const RIGHT: usize = 2;
const DOWN: usize = 3;

/// What happens when a block stands on a tile.
#[derive(Clone, Copy, Debug)]
enum StandingEffect {
    /// The block rests (on a bridge, only if the bridge is on). A soft switch fires, as it does under any part of a
    /// block.
    Rests,
    /// The block falls.
    Falls,
    /// A heavy switch fires.
    Fires { keep: u32, flip: u32 },
    /// The block becomes two cubes in the pose `to`.
    Splits { to: u64 },
}

/// The effect of landing on a tile. Sets of bridges are bridge bits of a state.
#[derive(Clone, Copy, Debug)]
struct Landing {
    /// The neighboring tile in the direction of each key, or [`NO_TILE`].
    neighbors: [u32; 4],
    /// The bridge that must be on, if any; the `need` of [`FALL`] if the tile belongs to a bridge that stays off.
    need: u32,
    /// The bridges whose state a soft switch on the tile keeps.
    keep: u32,
    /// The bridges that a soft switch on the tile toggles after `keep` has been applied.
    flip: u32,
    on_standing: StandingEffect,
}

const _: () = assert!(SWITCH_KEY as usize == KEYS.len() - 1);
