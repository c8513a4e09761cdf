//! The board that the solver works on: what a player knows, and what single numbers imply.

use super::View;
use super::fields::GOOSE;
use crate::core::Error;

/// A hidden field that is known neither to be safe nor to hold a goose.
pub(super) const UNKNOWN: u8 = View::UNKNOWN;

/// A hidden field that certainly holds no goose.
pub(super) const SAFE: u8 = UNKNOWN + 1;

/// A place outside the board.
pub(super) const EDGE: u8 = 0x40;

/// A contradiction: no placement of geese agrees with the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradiction;

impl From<Contradiction> for Error {
    fn from(_: Contradiction) -> Self {
        Self::NotFound("board must be consistent, got numbers that no placement of the geese explains".to_owned())
    }
}

/// A board with a rim of [`EDGE`] places. Fields are recorded as safe or as geese as soon as that is known.
///
/// Invariant: for every place `at` of a field, `around[at]` is the number of unknown neighbors plus 16 times the number
/// of neighbors known to hold geese.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    height: usize,
    width: usize,
    /// The length of a row with its rim, a single place between the row and the next one.
    pub(super) stride: usize,
    /// By place: a number 0 to 8, [`GOOSE`], [`UNKNOWN`], [`SAFE`] or [`EDGE`].
    pub(super) cells: Vec<u8>,
    /// By place: how many neighbors are unknown and how many are known to hold geese, packed as the invariant states.
    around: Vec<u8>,
    /// The number of geese on the board whose fields are not known; negative in a contradiction.
    pub(super) geese: i64,
    /// Numbers that may imply something new.
    queue: Vec<u32>,
    /// Fields that were found to be safe, in the order in which they were found.
    pub(super) found: Vec<u32>,
}

impl Known {
    /// Replaces the board with a view; nothing is deduced yet.
    pub(super) fn set(&mut self, view: &View) {
        let (height, width) = (view.height(), view.width());
        let stride = width + 1;
        let size = (height + 2) * stride + 1;
        (self.height, self.width, self.stride) = (height, width, stride);
        self.geese = view.geese() as i64;
        self.cells.clear();
        self.cells.resize(size, EDGE);
        self.queue.clear();
        self.found.clear();
        // Every unknown field adds 1 to the entries of its neighbors in `around`, and every goose adds 16. Adding eight
        // shifted copies of `weight` does this for all fields at once.
        let mut weight = vec![0u8; size];
        for (r, row) in view.fields().chunks_exact(width).enumerate() {
            let from = (r + 1) * stride + 1;
            self.cells[from..from + width].copy_from_slice(row);
            for (weight, &field) in weight[from..from + width].iter_mut().zip(row) {
                *weight = u8::from(field == UNKNOWN) + (u8::from(field == GOOSE) << 4);
            }
            self.geese -= row.iter().map(|&field| i64::from(field == GOOSE)).sum::<i64>();
        }
        self.around.clear();
        self.around.resize(size, 0);
        let (from, to) = (stride + 1, size - stride - 1);
        for offset in self.offsets() {
            let shifted = &weight[from.wrapping_add_signed(offset)..to.wrapping_add_signed(offset)];
            for (around, &weight) in self.around[from..to].iter_mut().zip(shifted) {
                *around += weight;
            }
        }
        for at in from..to {
            // A zero with no unknown neighbor and no goose beside it implies nothing.
            if self.cells[at] < GOOSE && self.cells[at] | self.around[at] != 0 {
                self.queue.push(at as u32);
            }
        }
    }

    /// Returns the offsets from a place to its eight neighbors, ascending.
    #[inline]
    pub(super) fn offsets(&self) -> [isize; 8] {
        let s = self.stride as isize;
        [-s - 1, -s, -s + 1, -1, 1, s - 1, s, s + 1]
    }

    /// Returns the place of a field on this board, from its row-major index.
    #[inline]
    pub(super) fn place(&self, index: usize) -> usize {
        (index / self.width + 1) * self.stride + index % self.width + 1
    }

    /// Returns the row-major index of the field at a place.
    #[inline]
    pub(super) fn index(&self, place: usize) -> usize {
        (place / self.stride - 1) * self.width + place % self.stride - 1
    }

    /// Returns the number of rows and of columns.
    pub(super) fn shape(&self) -> (usize, usize) {
        (self.height, self.width)
    }

    /// Returns `true` if a place holds a revealed number.
    #[inline]
    pub(super) fn is_number(&self, at: usize) -> bool {
        self.cells[at] < GOOSE
    }

    /// Returns the number of unknown neighbors of a place.
    #[inline]
    pub(super) fn open(&self, at: usize) -> u8 {
        self.around[at] & 15
    }

    /// Returns the number of neighbors of a place that are known to hold geese.
    #[inline]
    pub(super) fn geese_around(&self, at: usize) -> u8 {
        self.around[at] >> 4
    }

    /// Returns the number of geese that a number still needs among its unknown neighbors; negative in a contradiction.
    #[inline]
    pub(super) fn need(&self, at: usize) -> i32 {
        i32::from(self.cells[at]) - i32::from(self.around[at] >> 4)
    }

    /// Adds `change` to the entries of all neighbors of a place in [`Known::around`], and queues the neighbors that are
    /// numbers.
    fn wake(&mut self, at: usize, change: u8) {
        for offset in self.offsets() {
            let near = at.wrapping_add_signed(offset);
            self.around[near] = self.around[near].wrapping_add(change);
            if self.cells[near] < GOOSE {
                self.queue.push(near as u32);
            }
        }
    }

    /// Records that a field without a goose was shown, with its number as `value`; call [`Known::deduce`] afterward.
    pub(super) fn reveal(&mut self, at: usize, value: u8) {
        let was_unknown = self.cells[at] == UNKNOWN;
        self.cells[at] = value;
        self.queue.push(at as u32);
        if was_unknown {
            // Adding 0xff to a byte subtracts 1: one fewer unknown neighbor.
            self.wake(at, 0xff);
        }
    }

    /// Records that an unknown field is safe.
    pub(super) fn set_safe(&mut self, at: usize) {
        if self.cells[at] == UNKNOWN {
            self.cells[at] = SAFE;
            self.found.push(at as u32);
            self.wake(at, 0xff);
        }
    }

    /// Records that an unknown field holds a goose.
    pub(super) fn set_goose(&mut self, at: usize) {
        if self.cells[at] == UNKNOWN {
            self.cells[at] = GOOSE;
            self.geese -= 1;
            // 15 = 16 - 1: one more known goose, one fewer unknown neighbor.
            self.wake(at, 15);
        }
    }

    /// Turns a number into a field that is only known to be safe.
    pub(super) fn forget_number(&mut self, at: usize) {
        self.cells[at] = SAFE;
    }

    /// Records what single numbers imply, one number at a time, until none implies anything new.
    ///
    /// # Errors
    /// Returns [`Contradiction`] if a number needs fewer than 0 geese or more than it has unknown neighbors.
    pub(super) fn deduce(&mut self) -> Result<(), Contradiction> {
        while let Some(at) = self.queue.pop() {
            let at = at as usize;
            if !self.is_number(at) {
                continue;
            }
            let (need, open) = (self.need(at), i32::from(self.open(at)));
            if need < 0 || need > open {
                self.queue.clear();
                return Err(Contradiction);
            }
            if open > 0 && (need == 0 || need == open) {
                for offset in self.offsets() {
                    let near = at.wrapping_add_signed(offset);
                    if need == 0 {
                        self.set_safe(near);
                    } else {
                        self.set_goose(near);
                    }
                }
            }
        }
        Ok(())
    }
}
