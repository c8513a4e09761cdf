//! The states of a level packed into one number each, with the rolls looked up in a table.
//!
//! A state is `pose << bridges | bits`. A pose is `kind << tiles | tile`: kind 0 stands, 1 lies along a row, 2 along a column
//! (on its first tile), and kind `3 + k` is split with the cube in control on tile `k`. Only bridges that some
//! switch names have a bit. What a roll does to any state of a pose is one [`Roll`]: switches that turn on, turn off and
//! toggle, two of them under one block too, all compose into an "and" and an "xor".

use super::{Block, KEYS, SWITCH_KEY, Switch, SwitchKind, Tile, direction};
use crate::core::{Cell, Dir, Error, Grid};

/// What never changes in a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan<'a> {
    pub(super) tiles: &'a Grid<Tile>,
    pub(super) switches: &'a [Option<Switch>; 26],
    /// Where the block must stand; none where a search is to go everywhere.
    pub(super) target: Option<Cell>,
    /// The bridges that are on, for those that no switch names.
    pub(super) bridges: u32,
    /// Whether the block is split already.
    pub(super) split: bool,
}

/// What a roll does: legal where `bits & need == need`, then `bits' = (bits & keep) ^ flip`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Roll {
    to: u64,
    need: u32,
    keep: u32,
    flip: u32,
}

/// No bits satisfy it: there are at most 25 bridges.
const FALL: Roll = Roll { to: 0, need: u32::MAX, keep: 0, flip: 0 };

const NONE: u32 = u32::MAX;

/// Kinds of poses of a whole block; what is beyond them is split.
const WHOLE: u64 = 3;

/// Above so many tiles rolls are worked out each time: the table would not fit.
const MOST_IN_TABLE: usize = 1 << 18;

/// The tables of a space, kept apart so that a generator can fill them again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    /// Tile to cell, and board index to tile.
    cells: Vec<Cell>,
    tiles: Vec<u32>,
    letters: Vec<u8>,
    sites: Vec<Site>,
    /// By pose; those of a cube, by its tile, follow as kind 3.
    fans: Vec<Fan>,
}

/// What the four rolling keys do to a pose or a cube: the columns of [`Roll`], so that four are worked out as fast as one.
#[derive(Clone, Copy, Debug)]
struct Fan {
    /// The pose, or a cube's tile, in the place where a state has it.
    to: [u64; 4],
    need: [u32; 4],
    keep: [u32; 4],
    flip: [u32; 4],
    /// Where a cube comes to lie, as [`Space::place`] has it.
    place: [i32; 4],
}

/// All states of a level.
#[derive(Debug)]
pub(super) struct Space<'a> {
    plan: Plan<'a>,
    tables: Tables,
    /// Number of tiles.
    count: u64,
    /// Bits of a tile, and of the bridges.
    wide: u32,
    shift: u32,
    target: u64,
    splits: bool,
}

impl<'a> Space<'a> {
    /// Makes the tables; a sentence where the states have no numbers of 64 bits.
    pub(super) fn new(plan: Plan<'a>, mut tables: Tables) -> Result<Self, Error> {
        tables.cells.clear();
        tables.tiles.clear();
        tables.letters.clear();
        let mut here = 0u32;
        for (row, tiles) in plan.tiles.rows().enumerate() {
            for (col, &tile) in tiles.iter().enumerate() {
                if tile == Tile::None {
                    tables.tiles.push(NONE);
                    continue;
                }
                if let Tile::Bridge(letter) = tile {
                    here |= 1 << letter;
                }
                tables.tiles.push(tables.cells.len() as u32);
                tables.cells.push(Cell::new(row as i32, col as i32));
            }
        }
        let named = plan.switches.iter().flatten().fold(0, |bits, switch| bits | switch.named) & here;
        tables.letters.extend((0..26u8).filter(|&letter| named >> letter & 1 == 1));
        let splits =
            plan.split || plan.switches.iter().flatten().any(|switch| matches!(switch.kind, SwitchKind::Splitter(..)));
        let (count, shift) = (tables.cells.len() as u64, tables.letters.len() as u32);
        let wide = u64::BITS - (count - 1).leading_zeros();
        let mut space = Self { plan, tables, count, wide, shift, target: u64::MAX, splits };
        if space.poses().leading_zeros() <= shift {
            return Err(Error::Invalid(format!(
                "{count} tiles and {shift} bridges where the block can split: too many states to search"
            )));
        }
        if let Some(target) = plan.target.and_then(|cell| space.tile(cell)) {
            space.target = target;
        }
        space.fill();
        Ok(space)
    }

    /// Gives the tables back.
    pub(super) fn into_tables(self) -> Tables {
        self.tables
    }

    fn fill(&mut self) {
        let mut sites = std::mem::take(&mut self.tables.sites);
        sites.clear();
        sites.extend((0..self.count).map(|tile| self.site(tile)));
        self.tables.sites = sites;
        let mut fans = std::mem::take(&mut self.tables.fans);
        fans.clear();
        if self.count as usize <= MOST_IN_TABLE {
            let kinds = if self.splits { WHOLE + 1 } else { WHOLE };
            fans.extend((0..kinds << self.wide).map(|index| self.derive_fan(index)));
        }
        self.tables.fans = fans;
    }

    /// The number of poses.
    fn poses(&self) -> u64 {
        (WHOLE + if self.splits { self.count } else { 0 }) << self.wide
    }

    /// The number of states that have a number, reachable or not.
    pub(super) fn size(&self) -> u64 {
        self.poses() << self.shift
    }

    /// Whether the block can come apart.
    pub(super) fn splits(&self) -> bool {
        self.splits
    }

    fn tile(&self, cell: Cell) -> Option<u64> {
        let tile = if self.plan.tiles.contains(cell) { self.tables.tiles[self.plan.tiles.index(cell)] } else { NONE };
        (tile != NONE).then_some(tile as u64)
    }

    fn cell(&self, tile: u64) -> Cell {
        self.tables.cells[tile as usize]
    }

    /// The number of a pose; `None` where a cell is no tile.
    fn pose(&self, block: Block) -> Option<u64> {
        let (first, second) = (self.tile(block.first())?, self.tile(block.second())?);
        Some(if block.is_split() {
            self.pair(first, second)
        } else if first == second {
            first
        } else {
            let along_row = block.first().row == block.second().row;
            (if along_row { 1 } else { 2 }) << self.wide | first
        })
    }

    /// The pose of two cubes apart.
    #[inline]
    fn pair(&self, control: u64, other: u64) -> u64 {
        (WHOLE + control) << self.wide | other
    }

    /// The kind and the tile of a pose.
    #[inline]
    fn parts(&self, pose: u64) -> (u64, u64) {
        (pose >> self.wide, pose & ((1 << self.wide) - 1))
    }

    /// The block of a state.
    pub(super) fn block(&self, state: u64) -> Block {
        let (kind, tile) = self.parts(state >> self.shift);
        let cell = self.cell(tile);
        match kind {
            0 => Block::standing(cell),
            1 => Block::split(cell, cell.step(Dir::E, 1)),
            2 => Block::split(cell, cell.step(Dir::S, 1)),
            _ => Block::split(self.cell(kind - WHOLE), cell),
        }
    }

    /// The bridges of a state that are on, a bit a letter.
    pub(super) fn bridges(&self, state: u64) -> u32 {
        let mut bridges = self.plan.bridges;
        for (bit, &letter) in self.tables.letters.iter().enumerate() {
            bridges = bridges & !(1 << letter) | ((state >> bit & 1) as u32) << letter;
        }
        bridges
    }

    /// The number of a state.
    pub(super) fn state(&self, block: Block, bridges: u32) -> Option<u64> {
        Some(self.pose(block)? << self.shift | u64::from(self.pack(bridges)))
    }

    fn pack(&self, bridges: u32) -> u32 {
        let bit = |(bit, &letter): (usize, &u8)| (bridges >> letter & 1) << bit;
        self.tables.letters.iter().enumerate().map(bit).sum()
    }

    /// Whether the whole block stands on the target.
    #[inline]
    pub(super) fn is_won(&self, state: u64) -> bool {
        state >> self.shift == self.target
    }

    /// The board index of a standing block.
    pub(super) fn standing(&self, state: u64) -> Option<usize> {
        let pose = state >> self.shift;
        (pose >> self.wide == 0).then(|| self.plan.tiles.index(self.cell(pose)))
    }

    /// The state with the other cube in control, where the block is split.
    #[inline]
    pub(super) fn switched(&self, state: u64) -> Option<u64> {
        let (kind, other) = self.parts(state >> self.shift);
        let control = kind.checked_sub(WHOLE)?;
        Some(self.pair(other, control) << self.shift | state & ((1 << self.shift) - 1))
    }

    /// Where the keys lead from a state that is not won, and which of them are no falls: hardly a branch, for nobody could
    /// foresee it.
    #[inline(always)]
    pub(super) fn fan(&self, state: u64) -> ([u64; KEYS.len()], [bool; KEYS.len()]) {
        let (pose, bits) = (state >> self.shift, (state & ((1 << self.shift) - 1)) as u32);
        let (kind, tile) = self.parts(pose);
        let split = kind >= WHOLE;
        let index = if split { WHOLE << self.wide | (kind - WHOLE) } else { pose };
        let derived;
        let fan = if let Some(fan) = self.tables.fans.get(index as usize) {
            fan
        } else {
            derived = self.derive_fan(index);
            &derived
        };
        let rest = if split { self.pair(0, tile) << self.shift } else { 0 };
        let (mut to, mut legal) = ([state; KEYS.len()], [false; KEYS.len()]);
        for key in 0..4 {
            to[key] = (fan.to[key] + rest) | u64::from((bits & fan.keep[key]) ^ fan.flip[key]);
            legal[key] = bits & fan.need[key] == fan.need[key];
        }
        if split {
            let other = self.place(self.cell(tile));
            for key in 0..4 {
                // Cubes side by side join.
                let apart = (fan.place[key] - other).unsigned_abs();
                if apart == 1 || apart == self.place(Cell::new(1, 0)).unsigned_abs() {
                    let moved = fan.to[key] >> (self.wide + self.shift);
                    let joined = (if apart == 1 { 1 } else { 2 }) << self.wide | moved.min(tile);
                    to[key] = joined << self.shift | to[key] & ((1 << self.shift) - 1);
                }
            }
            to[SWITCH_KEY as usize] = self.pair(tile, kind - WHOLE) << self.shift | u64::from(bits);
            legal[SWITCH_KEY as usize] = true;
        }
        (to, legal)
    }

    /// A number of a cell such that neighbours, and no other cells, differ by 1 or by a row.
    #[inline]
    fn place(&self, cell: Cell) -> i32 {
        cell.row * (self.plan.tiles.width() as i32 + 2) + cell.col
    }

    fn derive_fan(&self, index: u64) -> Fan {
        let (kind, tile) = self.parts(index);
        let cube = kind == WHOLE;
        let rolls = [0, 1, 2, 3].map(|key| if cube { self.derive_cube(tile, key) } else { self.derive(index, key) });
        let high = self.shift + if cube { self.wide } else { 0 };
        Fan {
            to: rolls.map(|roll| roll.to << high),
            need: rolls.map(|roll| roll.need),
            keep: rolls.map(|roll| roll.keep),
            flip: rolls.map(|roll| roll.flip),
            place: rolls.map(|roll| if cube { self.place(self.cell(roll.to)) } else { 0 }),
        }
    }

    /// Visits where the keys lead from a state that is not won, in their order; falls are left out.
    #[inline]
    pub(super) fn each(&self, state: u64, mut visit: impl FnMut(u8, u64)) {
        let (to, legal) = self.fan(state);
        for key in (0..KEYS.len()).filter(|&key| legal[key]) {
            visit(key as u8, to[key]);
        }
    }

    /// What a landing on tiles, in the order in which their switches fire, needs and changes.
    fn land(to: u64, sites: &[&Site]) -> Roll {
        let mut roll = Roll { to, need: 0, keep: u32::MAX, flip: 0 };
        for site in sites {
            roll.need |= site.need;
            roll.keep &= site.keep;
            roll.flip = (roll.flip & site.keep) ^ site.flip;
        }
        roll
    }

    /// Works out what a key does to a pose that is not split.
    fn derive(&self, pose: u64, key: usize) -> Roll {
        let sites = &self.tables.sites;
        let near = |tile: u32, key: usize| if tile == NONE { NONE } else { sites[tile as usize].near[key] };
        let (kind, tile) = self.parts(pose);
        if tile >= self.count {
            return FALL;
        }
        let tile = tile as u32;
        let (one, two) = match (kind, key) {
            // Standing: it lies down on the two tiles ahead.
            (0, LEFT | UP) => (near(near(tile, key), key), near(tile, key)),
            (0, _) => (near(tile, key), near(near(tile, key), key)),
            // Lying: it stands up at either end, or rolls to the side.
            (1, LEFT) | (2, UP) => (near(tile, key), near(tile, key)),
            (1, RIGHT) | (2, DOWN) => (near(near(tile, key), key), near(near(tile, key), key)),
            _ => (near(tile, key), near(near(tile, if kind == 1 { RIGHT } else { DOWN }), key)),
        };
        if one == NONE || two == NONE {
            return FALL;
        }
        let (site, other) = (&sites[one as usize], &sites[two as usize]);
        if one == two {
            return match site.stands {
                Stands::Rests => Self::land(u64::from(one), &[site]),
                Stands::Breaks => FALL,
                Stands::Fires { keep, flip } => Roll { to: u64::from(one), need: 0, keep, flip },
                Stands::Splits { to } => Roll { to, need: 0, keep: u32::MAX, flip: 0 },
            };
        }
        let along_row = matches!((kind, key), (0, LEFT | RIGHT) | (1, _));
        if along_row {
            Self::land(1 << self.wide | u64::from(one), &[site, other])
        } else {
            // The lower one fires first.
            Self::land(2 << self.wide | u64::from(one), &[other, site])
        }
    }

    /// Works out what a key does to a cube.
    fn derive_cube(&self, tile: u64, key: usize) -> Roll {
        if tile >= self.count {
            return FALL;
        }
        let to = self.tables.sites[tile as usize].near[key];
        if to == NONE { FALL } else { Self::land(u64::from(to), &[&self.tables.sites[to as usize]]) }
    }

    /// What there is to know of a tile before any roll is worked out.
    fn site(&self, tile: u64) -> Site {
        let cell = self.cell(tile);
        let near = [0, 1, 2, 3].map(|key| self.tile(cell.step(direction(key), 1)).map_or(NONE, |tile| tile as u32));
        let mut site = Site { near, need: 0, keep: u32::MAX, flip: 0, stands: Stands::Rests };
        match self.plan.tiles[cell] {
            Tile::Light => site.stands = Stands::Breaks,
            Tile::Bridge(letter) => {
                site.need = self.pack(1 << letter);
                if site.need == 0 && self.plan.bridges >> letter & 1 == 0 {
                    site.need = FALL.need;
                    site.stands = Stands::Breaks;
                }
            }
            Tile::Switch(letter) => {
                if let Some(switch) = &self.plan.switches[letter as usize] {
                    let (keep, flip) = (self.pack(switch.keep), self.pack(switch.flip));
                    match switch.kind {
                        SwitchKind::Soft => (site.keep, site.flip) = (keep, flip),
                        SwitchKind::Heavy => site.stands = Stands::Fires { keep, flip },
                        SwitchKind::Splitter(control, other) => {
                            let to = self.pose(Block::split(control, other));
                            site.stands = to.map_or(Stands::Breaks, |to| Stands::Splits { to });
                        }
                    }
                }
            }
            _ => {}
        }
        site
    }
}

const LEFT: usize = 0;
const UP: usize = 1;
const RIGHT: usize = 2;
const DOWN: usize = 3;

/// What a standing block does on a tile.
#[derive(Clone, Copy, Debug)]
enum Stands {
    /// Rests there; soft switches fire as under any part.
    Rests,
    Breaks,
    Fires {
        keep: u32,
        flip: u32,
    },
    Splits {
        to: u64,
    },
}

/// A tile: its neighbours by key, what lying or rolling a cube on it needs and changes, and standing.
#[derive(Clone, Copy, Debug)]
struct Site {
    near: [u32; 4],
    need: u32,
    keep: u32,
    flip: u32,
    stands: Stands,
}

const _: () = assert!(SWITCH_KEY as usize == KEYS.len() - 1);
