//! Tracing from scratch: all heads of one board as columns, or the lit sensors and laserlets of many boards at once.

use std::collections::VecDeque;

use fearless_simd::prelude::*;
use fearless_simd::u8x64;

use crate::core::simd::vectorized;
use crate::core::{Budget, Error, memory, pool};

use super::tile::{EMPTY, ENTERS_SENSOR, Tile, is_code, is_hardware, leaves, light};
use super::{Divisor, MyPhoton};

/// The heads of all beams as columns of equal length, one row per head, in the order in which [`MyPhoton::trace`] takes
/// the heads from its queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// The row of the tile that the head tries to enter.
    pub row: Vec<i32>,
    /// The column of the tile that the head tries to enter.
    pub col: Vec<i32>,
    /// The heading: N=0 E=1 S=2 W=3.
    pub heading: Vec<i32>,
    /// The position of the head in the order in which heads are taken from the queue, 0 for the first; equal to the
    /// index of its row in these columns.
    pub order: Vec<i32>,
    /// The `order` of the head from which this head came, -1 for the first head of a laser.
    pub parent: Vec<i32>,
}

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`].
const HEADS: &str = "a list of all heads";

impl MyPhoton {
    /// Traces all light from scratch and returns the heads in the order in which they are taken from a queue (first in,
    /// first out), each head once. The heads of the lasers enter the queue in row-major order; the heads of light that
    /// leaves a tile enter the queue clockwise from north. Light that leaves the board adds no head.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if memory cannot hold the heads.
    ///
    /// # Complexity
    /// O(cells); there are at most four heads per cell.
    ///
    /// # Source
    /// The pseudocode of the MyPhoton assignment. Its set of heads is a queue here, and its visited set is four bits
    /// per tile.
    pub fn trace(&self) -> Result<Steps, Error> {
        let world = &self.world;
        // By place: the headings of the heads taken so far, as bits.
        let mut used = memory::filled(0u8, self.tiles.len(), HEADS)?;
        let mut steps = Steps::default();
        let mut queue: VecDeque<(u32, u8, i32)> = VecDeque::new();
        queue.try_reserve(world.lasers.len().max(16)).map_err(|_| Error::memory(HEADS))?;
        for &(place, heading) in &world.lasers {
            queue.push_back((place.wrapping_add_signed(world.ahead[heading as usize]), heading, -1));
        }
        while let Some((place, heading, parent)) = queue.pop_front() {
            let cell = self.cell(place);
            let used = &mut used[place as usize];
            if *used >> heading & 1 == 1 || self.tile(cell).is_none() {
                continue;
            }
            *used |= 1 << heading;
            let order = steps.row.len() as i32;
            // All columns have the same length and grow alike, so it is enough to check one of them for room.
            if steps.row.len() == steps.row.capacity() {
                let Steps { row, col, heading, order, parent } = &mut steps;
                for column in [row, col, heading, order, parent] {
                    memory::room(column, 64, HEADS)?;
                }
            }
            steps.row.push(cell.row);
            steps.col.push(cell.col);
            steps.heading.push(i32::from(heading));
            steps.order.push(order);
            steps.parent.push(parent);
            let out = leaves(self.tiles[place as usize], heading);
            if queue.capacity() - queue.len() < 4 {
                queue.try_reserve(4).map_err(|_| Error::memory(HEADS))?;
            }
            for heading in (0..4).filter(|heading| out >> heading & 1 == 1) {
                queue.push_back((place.wrapping_add_signed(world.ahead[heading as usize]), heading, order));
            }
        }
        Ok(steps)
    }
}

/// A number on a board that is not the code of a tile.
#[derive(Clone, Copy)]
struct BadCode {
    /// The row-major index of the number; with many boards, its index in the slice that holds them.
    index: usize,
    code: u8,
}

/// The smallest number of boards that are divided among several threads.
const THREADED: usize = 512;

/// The approximate number of cells that are traced between two checks of the budget.
const PIECE: usize = 1 << 23;

/// Traces many boards of one size. Writes whether each cell holds a lit sensor and, unless `beams` is empty, the
/// laserlets.
///
/// * `boards`: the codes of the cells, row-major, one board after the other; [`LIT`](super::LIT) on a sensor is ignored
/// * `height`: the number of rows of each board
/// * `width`: the number of columns of each board; `height * width` must be at most 2^26, which is not checked
/// * `lit`: receives `true` for each lit sensor; must have the length of `boards`
/// * `beams`: receives the laserlets of each cell, one bit per side: N=1 E=2 S=4 W=8; must have the length of `boards`,
///   or be empty if laserlets are not wanted
/// * `budget`: counts the boards
///
/// Writes nothing if `height` or `width` is 0.
///
/// # Errors
/// Returns [`Error::Invalid`] with the board, row and column of the first number that is not a code, and
/// [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the call. After an error, `lit` and `beams` may be
/// partly written.
///
/// # Panics
/// If `lit` or a nonempty `beams` differs in length from `boards`, or if `boards` does not hold a whole number of
/// boards.
///
/// # Complexity
/// O(cells + heads) per board. Uses several threads for 512 boards or more, if a board has at most 2^14 cells.
pub fn trace_many(
    boards: &[u8],
    height: usize,
    width: usize,
    lit: &mut [bool],
    beams: &mut [u8],
    budget: &mut Budget<'_>,
) -> Result<(), Error> {
    let cells = height * width;
    assert!(boards.len() == lit.len() && (beams.is_empty() || beams.len() == boards.len()));
    if cells == 0 {
        return Ok(());
    }
    assert_eq!(boards.len() % cells, 0);
    let size = (PIECE / cells).max(1) * cells;
    for first in (0..boards.len()).step_by(size) {
        let part = first..boards.len().min(first + size);
        let beams = if beams.is_empty() { &mut [][..] } else { &mut beams[part.clone()] };
        trace_piece(&boards[part.clone()], height, width, &mut lit[part.clone()], beams).map_err(
            |BadCode { index, code }| {
                let (board, cell) = ((first + index) / cells, (first + index) % cells);
                Error::invalid(format!(
                    "boards must hold the codes 0 to 17, or 46 to 49 for lit sensors, got {code} in board {board} at \
                     row {}, column {}",
                    cell / width,
                    cell % width
                ))
            },
        )?;
        budget.spend((part.len() / cells) as u64)?;
        budget.pause()?;
    }
    Ok(())
}

/// Traces boards of at least one cell each, as [`trace_many`] does, but without a budget.
///
/// # Errors
/// Returns the first number that is not a code.
fn trace_piece(boards: &[u8], height: usize, width: usize, lit: &mut [bool], beams: &mut [u8]) -> Result<(), BadCode> {
    let cells = height * width;
    let n = boards.len() / cells;
    let threads = if n < THREADED { 1 } else { pool::threads() };
    // Each thread gets whole boards, the part of the output for them, and its own slot for the first bad code.
    let size = n.div_ceil(threads).max(1) * cells;
    let mut faults = vec![None; n.div_ceil(size / cells)];
    let mut pieces = Vec::new();
    let (mut lit, mut beams) = (lit, beams);
    for ((k, boards), fault) in boards.chunks(size).enumerate().zip(&mut faults) {
        let (mine, rest) = std::mem::take(&mut lit).split_at_mut(boards.len());
        lit = rest;
        // If `beams` is empty, so is every part of it.
        let some = boards.len().min(beams.len());
        let (mine_beams, rest) = std::mem::take(&mut beams).split_at_mut(some);
        beams = rest;
        pieces.push((k * size, boards, mine, mine_beams, fault));
    }
    pool::each(pieces, |(base, boards, lit, beams, fault)| {
        let mut tracer = Tracer::new(height, width);
        for (k, (board, lit)) in boards.chunks_exact(cells).zip(lit.chunks_exact_mut(cells)).enumerate() {
            let done = if beams.is_empty() {
                tracer.sensors(board, lit)
            } else {
                tracer.all(board, lit, &mut beams[k * cells..(k + 1) * cells])
            };
            if let Err(BadCode { index, code }) = done {
                *fault = Some(BadCode { index: base + k * cells + index, code });
                return;
            }
        }
    });
    // The slots are in the order of the boards, so this is the first bad code, whichever thread ended first.
    faults.into_iter().flatten().next().map_or(Ok(()), Err)
}

/// Calls `laser` with the row-major index of each laser of a board. Returns `true` if all codes are valid.
#[inline(always)]
fn scan<S: Simd>(simd: S, board: &[u8], mut laser: impl FnMut(usize)) -> bool {
    let blocks = board.chunks_exact(64);
    // The last block is padded with empty tiles.
    let (mut last, rest) = ([EMPTY; 64], blocks.remainder());
    last[..rest.len()].copy_from_slice(rest);
    let mut bad = u8x64::splat(simd, 0).simd_ge(u8x64::splat(simd, 1));
    for (k, block) in blocks.chain([&last[..]]).enumerate() {
        let codes = u8x64::from_slice(simd, block);
        let from = |code| codes.simd_ge(u8x64::splat(simd, code));
        // Valid codes are 0 to 17 and 46 to 49. Lasers are 10 to 13; `found` has one bit per code of the block.
        bad = bad | from(50) | from(18) & !from(46);
        let mut found = (from(10) & !from(14)).to_bitmask();
        while found != 0 {
            laser(64 * k + found.trailing_zeros() as usize);
            found &= found - 1;
        }
    }
    !bad.any_true()
}

/// Traces boards of one size, one after the other, in memory that is allocated once.
struct Tracer {
    width: usize,
    /// The number of cells.
    cells: u32,
    /// Division by `width`.
    by_width: Divisor,
    /// By heading, the change of the row-major index in one step.
    ahead: [i32; 4],
    /// By row-major index, for splitters and T-mirrors: the headings of the light that entered the tile, as bits. All 0
    /// between boards.
    used: Vec<u8>,
    /// The row-major indices of all entries of `used` that are not 0, possibly with other indices and with duplicates.
    touched: Vec<u32>,
    /// The beams that have not been followed yet.
    stack: Vec<Beam>,
}

/// Light that leaves a cell with a heading. [`Tracer`] keeps beams on its stack, not the heads in the next cells.
#[derive(Clone, Copy)]
struct Beam {
    /// The row-major index of the cell.
    place: u32,
    heading: u8,
}

impl Tracer {
    /// Creates a tracer for boards of `height` rows and `width` columns.
    fn new(height: usize, width: usize) -> Self {
        Self {
            width,
            cells: (height * width) as u32,
            by_width: Divisor::new(width),
            ahead: [-(width as i32), 1, width as i32, -1],
            used: vec![0; height * width],
            touched: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// Checks all codes of a board and puts the beams of its lasers on the stack.
    ///
    /// # Errors
    /// Returns the first number that is not a code; the stack is then empty.
    fn lasers(&mut self, board: &[u8]) -> Result<(), BadCode> {
        let clean = vectorized!(simd => scan(simd, board, |index| self.laser(board, index)));
        if clean {
            return Ok(());
        }
        self.stack.clear();
        // The scan shows only that some code is invalid; a second pass finds the first one.
        let index = board.iter().position(|&code| !is_code(code)).unwrap_or(0);
        Err(BadCode { index, code: board[index] })
    }

    /// Returns the row-major index of the last cell of the board in the direction `heading`, seen from the cell with
    /// the row-major index `place`.
    #[inline(always)]
    fn edge(&self, place: u32, heading: u8) -> u32 {
        let width = self.width as u32;
        let west = self.by_width.divide(place) * width;
        let col = place - west;
        [col, west + width - 1, self.cells - width + col, west][(heading & 3) as usize]
    }

    /// Puts the beam of the laser at a row-major index on the stack.
    #[inline]
    fn laser(&mut self, board: &[u8], index: usize) {
        let heading = board[index].wrapping_sub(Tile::LaserN as u8) & 3;
        self.stack.push(Beam { place: index as u32, heading });
    }

    /// Writes to `lit` whether each cell of a board holds a lit sensor. Both slices hold `height * width` entries.
    ///
    /// Only tiles at which two beams can merge need a visited set, and these are splitters and T-mirrors: between two
    /// of them, each step of the light determines the step before it, so light cannot run into its own path.
    ///
    /// This function and [`all`](Self::all) are separate on purpose: a single generic function for both takes twice as
    /// long.
    ///
    /// # Errors
    /// Returns the first number that is not a code; `lit` is then all `false`.
    fn sensors(&mut self, board: &[u8], lit: &mut [bool]) -> Result<(), BadCode> {
        lit.fill(false);
        self.lasers(board)?;
        while let Some(Beam { mut place, mut heading }) = self.stack.pop() {
            loop {
                let ahead = self.ahead[(heading & 3) as usize];
                let edge = self.edge(place, heading);
                let mut code = EMPTY;
                // Straight on through empty tiles.
                while place != edge && code == EMPTY {
                    place = place.wrapping_add_signed(ahead);
                    code = board[place as usize];
                }
                // The beam has left the board.
                if code == EMPTY {
                    break;
                }
                if !is_hardware(code) {
                    if light(code, heading) == ENTERS_SENSOR {
                        lit[place as usize] = true;
                    }
                    break;
                }
                let out = leaves(code, heading);
                if code >= Tile::SplitterDown as u8 {
                    let used = &mut self.used[place as usize];
                    if *used == 0 {
                        self.touched.push(place);
                    }
                    if *used >> heading & 1 == 1 || out == 0 {
                        break;
                    }
                    *used |= 1 << heading;
                }
                heading = out.trailing_zeros() as u8;
                let more = out & (out - 1);
                if more != 0 {
                    self.stack.push(Beam { place, heading: more.trailing_zeros() as u8 });
                }
            }
        }
        for place in self.touched.drain(..) {
            self.used[place as usize] = 0;
        }
        Ok(())
    }

    /// Writes to `lit` whether each cell of a board holds a lit sensor, and to `beams` the laserlets of each cell, one
    /// bit per side: N=1 E=2 S=4 W=8. All slices hold `height * width` entries. The method is that of
    /// [`sensors`](Self::sensors).
    ///
    /// # Errors
    /// Returns the first number that is not a code; `lit` is then all `false`, and `beams` all 0.
    fn all(&mut self, board: &[u8], lit: &mut [bool], beams: &mut [u8]) -> Result<(), BadCode> {
        lit.fill(false);
        beams.fill(0);
        // The same length as `board`, so that one bounds check serves both.
        let beams = &mut beams[..board.len()];
        self.lasers(board)?;
        while let Some(Beam { mut place, mut heading }) = self.stack.pop() {
            loop {
                let ahead = self.ahead[(heading & 3) as usize];
                let edge = self.edge(place, heading);
                let mut code = EMPTY;
                // Both halves along the axis: N and S, or E and W.
                let along = 0b0101 << (heading & 1);
                // Straight on through empty tiles.
                while place != edge {
                    place = place.wrapping_add_signed(ahead);
                    code = board[place as usize];
                    if code != EMPTY {
                        break;
                    }
                    beams[place as usize] |= along;
                }
                // The beam has left the board.
                if code == EMPTY {
                    break;
                }
                if !is_hardware(code) {
                    if light(code, heading) == ENTERS_SENSOR {
                        lit[place as usize] = true;
                        beams[place as usize] = 1 << (heading ^ 2);
                    }
                    break;
                }
                let out = leaves(code, heading);
                if code >= Tile::SplitterDown as u8 {
                    let used = &mut self.used[place as usize];
                    if *used == 0 {
                        self.touched.push(place);
                    }
                    if *used >> heading & 1 == 1 || out == 0 {
                        break;
                    }
                    *used |= 1 << heading;
                }
                beams[place as usize] |= 1 << (heading ^ 2) | out;
                heading = out.trailing_zeros() as u8;
                let more = out & (out - 1);
                if more != 0 {
                    self.stack.push(Beam { place, heading: more.trailing_zeros() as u8 });
                }
            }
        }
        for place in self.touched.drain(..) {
            self.used[place as usize] = 0;
        }
        Ok(())
    }
}
