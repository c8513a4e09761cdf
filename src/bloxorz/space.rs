//! The states of a level packed into one number each, with the rolls looked up in a table.
//!
//! A state is `pose << bridges | bits`. Poses count standing blocks by their tile, then blocks lying along a row, then
//! along a column (by their first tile), then split ones by both tiles, the cube in control first. Only bridges that some
//! switch names have a bit. What a roll does to any state of a pose is one [`Roll`]: switches that turn on, turn off and
//! toggle, two of them under one block too, all compose into an "and" and an "xor".

use super::{Block, KEYS, SWITCH_KEY, Switch, SwitchKind, Tile, direction};
use crate::core::{Cell, Dir, Grid};

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

/// Above so many tiles rolls are worked out each time: the table would not fit.
const MOST_IN_TABLE: usize = 1 << 18;

/// The tables of a space, kept apart so that a generator can fill them again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    /// Tile to board index, and back.
    cells: Vec<u32>,
    tiles: Vec<u32>,
    letters: Vec<u8>,
    sites: Vec<Site>,
    rolls: Vec<[Roll; 4]>,
    cubes: Vec<[Roll; 4]>,
}

/// All states of a level.
#[derive(Debug)]
pub(super) struct Space<'a> {
    plan: Plan<'a>,
    tables: Tables,
    /// Number of tiles.
    count: u64,
    shift: u32,
    target: u64,
    splits: bool,
}

impl<'a> Space<'a> {
    /// Makes the tables; a sentence where the states have no numbers of 64 bits.
    pub(super) fn new(plan: Plan<'a>, mut tables: Tables) -> Result<Self, String> {
        tables.cells.clear();
        tables.tiles.clear();
        tables.letters.clear();
        let mut here = 0u32;
        for (index, &tile) in plan.tiles.as_slice().iter().enumerate() {
            if tile == Tile::None {
                tables.tiles.push(NONE);
                continue;
            }
            if let Tile::Bridge(letter) = tile {
                here |= 1 << letter;
            }
            tables.tiles.push(tables.cells.len() as u32);
            tables.cells.push(index as u32);
        }
        let named = plan.switches.iter().flatten().fold(0, |bits, switch| bits | switch.named) & here;
        tables.letters.extend((0..26u8).filter(|&letter| named >> letter & 1 == 1));
        let splits =
            plan.split || plan.switches.iter().flatten().any(|switch| matches!(switch.kind, SwitchKind::Splitter(..)));
        let (count, shift) = (tables.cells.len() as u64, tables.letters.len() as u32);
        let mut space = Self { plan, tables, count, shift, target: u64::MAX, splits };
        if space.poses().leading_zeros() <= shift {
            return Err(format!(
                "{count} tiles and {shift} bridges where the block can split: too many states to search"
            ));
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
        let (mut rolls, mut cubes) = (std::mem::take(&mut self.tables.rolls), std::mem::take(&mut self.tables.cubes));
        rolls.clear();
        cubes.clear();
        if self.count as usize <= MOST_IN_TABLE {
            rolls.extend((0..3 * self.count).map(|pose| [0, 1, 2, 3].map(|key| self.derive(pose, key))));
            if self.splits {
                cubes.extend((0..self.count).map(|tile| [0, 1, 2, 3].map(|key| self.derive_cube(tile, key))));
            }
        }
        (self.tables.rolls, self.tables.cubes) = (rolls, cubes);
    }

    /// The number of poses.
    fn poses(&self) -> u64 {
        3 * self.count + if self.splits { self.count * self.count } else { 0 }
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
        self.plan.tiles.cell(self.tables.cells[tile as usize] as usize)
    }

    /// The number of a pose; `None` where a cell is no tile.
    fn pose(&self, block: Block) -> Option<u64> {
        let (first, second) = (self.tile(block.first())?, self.tile(block.second())?);
        Some(if block.is_split() {
            3 * self.count + first * self.count + second
        } else if first == second {
            first
        } else if block.first().row == block.second().row {
            self.count + first
        } else {
            2 * self.count + first
        })
    }

    /// The block of a state.
    pub(super) fn block(&self, state: u64) -> Block {
        let pose = state >> self.shift;
        let (kind, tile) = (pose / self.count, pose % self.count);
        let standing = Block::standing(self.cell(tile));
        match kind {
            0 => standing,
            1 | 2 => {
                let dir = if kind == 1 { Dir::E } else { Dir::S };
                Block::split(standing.first(), standing.first().step(dir, 1))
            }
            _ => Block::split(self.cell(kind - 3), self.cell(tile)),
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

    /// The cell of a standing block.
    pub(super) fn standing(&self, state: u64) -> Option<usize> {
        let pose = state >> self.shift;
        (pose < self.count).then(|| self.tables.cells[pose as usize] as usize)
    }

    /// The state with the other cube in control, where the block is split.
    #[inline]
    pub(super) fn switched(&self, state: u64) -> Option<u64> {
        let pose = (state >> self.shift).checked_sub(3 * self.count)?;
        let other = (pose % self.count) * self.count + pose / self.count;
        Some((3 * self.count + other) << self.shift | state & ((1 << self.shift) - 1))
    }

    /// Visits where the keys lead from a state that is not won, in their order; falls are left out.
    #[inline]
    pub(super) fn each(&self, state: u64, mut visit: impl FnMut(u8, u64)) {
        let (pose, bits) = (state >> self.shift, (state & ((1 << self.shift) - 1)) as u32);
        let mut go = |key: u8, roll: &Roll, to: u64| {
            visit(key, to << self.shift | u64::from((bits & roll.keep) ^ roll.flip));
        };
        if pose < 3 * self.count {
            for key in 0..4 {
                let roll = match self.tables.rolls.get(pose as usize) {
                    Some(rolls) => rolls[key],
                    None => self.derive(pose, key),
                };
                if bits & roll.need == roll.need {
                    go(key as u8, &roll, roll.to);
                }
            }
            return;
        }
        let (tile, other) = ((pose - 3 * self.count) / self.count, (pose - 3 * self.count) % self.count);
        for key in 0..4 {
            let roll = match self.tables.cubes.get(tile as usize) {
                Some(cubes) => cubes[key],
                None => self.derive_cube(tile, key),
            };
            if bits & roll.need == roll.need {
                go(key as u8, &roll, self.pair(roll.to, other));
            }
        }
        visit(KEYS.len() as u8 - 1, self.switched(state).unwrap_or(state));
    }

    /// The pose of two cubes after a move of the first: joined where they are neighbours.
    #[inline]
    fn pair(&self, moved: u64, other: u64) -> u64 {
        let (a, b) = (self.tables.cells[moved as usize], self.tables.cells[other as usize]);
        let (low, high) = (a.min(b), a.max(b));
        let width = self.plan.tiles.width() as u32;
        if high - low == width {
            2 * self.count + moved.min(other)
        } else if high - low == 1 && high % width != 0 {
            self.count + moved.min(other)
        } else {
            3 * self.count + moved * self.count + other
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
        let (kind, tile) = ((pose / self.count) as usize, (pose % self.count) as u32);
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
            Self::land(self.count + u64::from(one), &[site, other])
        } else {
            // The lower one fires first.
            Self::land(2 * self.count + u64::from(one), &[other, site])
        }
    }

    /// Works out what a key does to a cube.
    fn derive_cube(&self, tile: u64, key: usize) -> Roll {
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
