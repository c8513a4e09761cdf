//! The search that rates a sketch, a level without a target: it finds the cell that takes the most rolls to stand on.

use super::generate::Recipe;
use super::sketch::{Blueprint, Sketch, Surface};
use super::space::{Plan, Space, TABLES, Tables};
use super::{Block, KEYS, Tile};
use crate::core::{Budget, Error, memory};

/// The largest number of reachable states of a sketch; the search of a sketch with more is given up.
const MAX_STATES: usize = 100_000;
/// An upper bound on the number of new states that one state leads to: one per key, and for each of these the state
/// with the other cube in control.
const MOST_NEW: usize = 2 * KEYS.len();
/// The largest [`Space::size`] of a sketch that is searched; it bounds the number of states, reachable or not.
const MAX_SIZE: u64 = 1 << 24;

/// The cell that takes the most rolls to stand on, and what the search for it found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Farthest {
    /// The fewest rolls to the target; 0 if no cell was found.
    pub(super) rolls: u32,
    /// The row-major index of the cell on which the target is put.
    pub(super) target: usize,
    /// The number of switches under the block when bridges change on the way to the target, plus 1 if the block is
    /// split on the way, plus 1 if it rests on a light tile on the way.
    pub(super) used: u32,
    /// The number of reachable states, or of those found before the search was given up.
    pub(super) states: usize,
    /// The work of the search, in states of [`FarthestSearch`].
    pub(super) work: u64,
}

/// Breadth-first search on boards of at most 64 cells with plain tiles only: a layer is three 64-bit words, one per
/// kind of pose, and all its poses roll at once by shifts.
///
/// ```text
/// cell bits   0 1 2    a block that stands on 0 and rolls right lies on 1 and 2 (bit 1):  stand << 1
/// of 3 x 3    3 4 5    a block that lies on 3 and 4 (bit 3) and rolls right stands on 5:  row << 2
///             6 7 8    a block that lies on 0 and 3 (bit 0) and rolls down stands on 6:   column << 2 * width
/// ```
///
/// A shift along a row must not run into another row: `inner` has the cells from which it stays in the row.
pub(super) struct Board64 {
    width: u32,
    /// For shifts by one left, two left, one right and two right: the cells from which each stays on the board.
    inner: [u64; 4],
}

impl Board64 {
    /// Creates the search, or returns `None` if the recipe has more than 64 cells or allows elements other than plain
    /// tiles.
    pub(super) fn new(recipe: &Recipe) -> Option<Self> {
        let plain = recipe.switches == 0 && recipe.bridges == 0 && recipe.splitters == 0 && recipe.light == 0.0;
        let columns = |inside: &dyn Fn(usize) -> bool| {
            (0..recipe.cells()).filter(|cell| inside(cell % recipe.width)).fold(0, |bits, cell| bits | 1 << cell)
        };
        (plain && recipe.cells() <= 64).then(|| Self {
            width: recipe.width as u32,
            inner: [
                columns(&|col| col >= 1),
                columns(&|col| col >= 2),
                columns(&|col| col + 1 < recipe.width),
                columns(&|col| col + 2 < recipe.width),
            ],
        })
    }

    /// Finds the cell that takes the most rolls to stand on. [`Farthest::used`] is 0.
    pub(super) fn farthest(&self, sketch: &Sketch) -> Farthest {
        let tile = |(cell, &surface): (usize, &Surface)| u64::from(surface != Surface::None) << cell;
        let surface = sketch.surface.iter().enumerate().map(tile).fold(1 << sketch.start, |bits, bit| bits | bit);
        let (width, [left, left2, right, right2]) = (self.width, self.inner);
        // On a board of one or two rows, a shift by one or two rows may be by 64 bits or more.
        let lower = |bits: u64, by: u32| bits.checked_shl(by).unwrap_or(0);
        let upper = |bits: u64, by: u32| bits.checked_shr(by).unwrap_or(0);
        // `standing`, `across` and `down` are the poses not visited yet, each by its only, left or upper cell; `stand`,
        // `row` and `column` are those of the current layer.
        let (mut across, mut down) = (surface & right & surface >> 1, surface & upper(surface, width));
        let (mut stand, mut row, mut column) = (1 << sketch.start, 0, 0);
        let mut standing = surface & !stand;
        let (mut rolls, mut found) = (0, Farthest { states: 1, ..Farthest::default() });
        while stand | row | column != 0 {
            rolls += 1;
            let to_stand = (row & right2) << 2 | (row & left) >> 1 | lower(column, 2 * width) | upper(column, width);
            let to_row = (stand & right) << 1 | (stand & left2) >> 2 | lower(row, width) | upper(row, width);
            let to_column =
                lower(stand, width) | upper(stand, 2 * width) | (column & right) << 1 | (column & left) >> 1;
            (stand, row, column) = (to_stand & standing, to_row & across, to_column & down);
            (standing, across, down) = (standing & !stand, across & !row, down & !column);
            found.states += (stand.count_ones() + row.count_ones() + column.count_ones()) as usize;
            if stand != 0 {
                (found.rolls, found.target) = (rolls, stand.trailing_zeros() as usize);
            }
        }
        // A state takes about 1/32 of the time that it takes in the general search.
        found.work = (found.states + 4 * sketch.surface.len()).div_ceil(32) as u64;
        found
    }
}

/// Breadth-first search on sketches with elements of all kinds, one sketch after another in the same memory.
#[derive(Default)]
pub(super) struct FarthestSearch {
    tables: Tables,
    /// For each state, the number of the last search that visited it, so that nothing needs to be cleared between
    /// searches.
    visited: Vec<u32>,
    /// For each cell, the number of the last search in which the block stood on it.
    stood: Vec<u32>,
    /// The number of the current search.
    search: u32,
    /// The states in the order of their depth, each with the index of its predecessor in this list.
    order: Vec<(u64, u32)>,
}

impl FarthestSearch {
    /// Finds the cell with a plain tile that takes the most rolls to stand on; `start` is a row-major index.
    ///
    /// [`Farthest::rolls`] is 0 if there is no such cell, or if the sketch exceeds [`MAX_STATES`] or [`MAX_SIZE`].
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the tables of the search cannot be allocated.
    pub(super) fn farthest(&mut self, blueprint: &Blueprint, start: usize) -> Result<Farthest, Error> {
        let plan = Plan {
            tiles: &blueprint.tiles,
            switches: &blueprint.switches,
            target: None,
            bridges: blueprint.bridges_on,
            split: false,
        };
        self.order.clear();
        let mut found = Farthest::default();
        // Recipes are small enough that states always fit into 63 bits.
        let space = Space::new(plan, std::mem::take(&mut self.tables), &mut Budget::unlimited())?;
        if space.size() <= MAX_SIZE {
            found = self.walk(&space, blueprint, start)?.unwrap_or_default();
        }
        self.tables = space.into_tables();
        found.states = self.order.len();
        // Drawing the sketch and filling the tables cost about as much as expanding four states per cell.
        found.work = (self.order.len() + 4 * blueprint.tiles.len()) as u64;
        Ok(found)
    }

    /// Runs the search. Returns `None` if the block can stand on no plain tile other than the start or if there are
    /// too many states.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the lists of the search cannot be allocated.
    fn walk(&mut self, space: &Space<'_>, blueprint: &Blueprint, start: usize) -> Result<Option<Farthest>, Error> {
        let size = space.size() as usize;
        if let Some(more) = size.checked_sub(self.visited.len()) {
            memory::room(&mut self.visited, more, TABLES)?;
            self.visited.resize(size, 0);
        }
        self.stood.resize(blueprint.tiles.len(), 0);
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            // The search number has overflowed. Old entries could be mistaken for entries of this search or a later
            // one.
            self.visited.fill(0);
            self.stood.fill(0);
            self.search = 1;
        }
        let (search, visited, stood, order) = (self.search, &mut self.visited, &mut self.stood, &mut self.order);
        let block = Block::standing(blueprint.tiles.cell(start));
        let Some(first) = space.state(block, blueprint.bridges_on) else { return Ok(None) };
        visited[first as usize] = search;
        stood[start] = search;
        order.push((first, 0));
        let tiles = blueprint.tiles.as_slice();
        // Breadth-first: `from..to` are the states of one depth, and those found at the next depth are appended.
        let (mut from, mut rolls, mut best) = (0, 0, None);
        while from < order.len() {
            let to = order.len();
            rolls += 1;
            while from < to {
                let (state, place) = (order[from].0, from as u32);
                from += 1;
                memory::room(order, MOST_NEW, TABLES)?;
                space.each_successor(state, |_, next| {
                    if std::mem::replace(&mut visited[next as usize], search) == search {
                        return;
                    }
                    // The last cell on which the block stands for the first time is the farthest. Only a plain tile
                    // can become the target.
                    if let Some(cell) = space.standing(next)
                        && std::mem::replace(&mut stood[cell], search) != search
                        && tiles[cell] == Tile::Floor
                    {
                        best = Some((rolls, order.len(), cell));
                    }
                    order.push((next, place));
                    // The state with the other cube in control has the same depth: `s` is not a roll.
                    if let Some(twin) = space.switched(next) {
                        visited[twin as usize] = search;
                        order.push((twin, place));
                    }
                });
                if order.len() > MAX_STATES {
                    return Ok(None);
                }
            }
        }
        Ok(best.map(|(rolls, place, target)| {
            let used = self.used(space, blueprint, place);
            Farthest { rolls, target, used, ..Farthest::default() }
        }))
    }

    /// Returns [`Farthest::used`] for the path to the state with index `place` in `order`.
    fn used(&self, space: &Space<'_>, blueprint: &Blueprint, mut place: usize) -> u32 {
        let (mut letters, mut light) = (0u32, 0u32);
        while place != 0 {
            let (state, before) = self.order[place];
            let block = space.block(state);
            for cell in block.cells() {
                match blueprint.tiles[cell] {
                    Tile::Switch(letter) => {
                        let changes = space.bridges(state) != space.bridges(self.order[before as usize].0);
                        letters |= u32::from(changes) << letter;
                    }
                    Tile::Light => light = 1,
                    _ => {}
                }
            }
            if block.is_split() {
                // A bit that no letter uses: splitting counts as one element.
                letters |= 1 << 31;
            }
            place = before as usize;
        }
        letters.count_ones() + light
    }
}
