//! The arrays that a batch writes into.

use std::slice::ChunksExactMut;

use crate::core::{Budget, Error, memory};

/// The caller's arrays, one row per game, written in place; they are empty by default. Sizes are given for a batch of
/// `n` games.
#[derive(Debug, Default)]
pub struct Buffers<'a> {
    /// Boards as players see them, `n * height * width`.
    pub board: &'a mut [u8],
    /// Legal moves, `n * volume(bounds)`; empty if not requested.
    pub mask: &'a mut [bool],
    /// Legal moves as bitsets, least significant bit first, `n * volume.div_ceil(8)`; empty if not requested.
    pub bits: &'a mut [u8],
    /// What the `value` argument of [`Batch::step`](super::Batch::step) returned for the last step, `n`; 0 for a game
    /// whose episode was already over.
    pub value: &'a mut [f64],
    /// Whether the last step ended the game by its rules, `n`.
    pub terminated: &'a mut [bool],
    /// Whether `max_steps` cut the episode off in the last step, `n`.
    pub truncated: &'a mut [bool],
    /// Whether the rules refused the last action, `n`.
    pub illegal: &'a mut [bool],
    /// Last boards of the games that [`SameStep`](super::Autoreset::SameStep) restarted, laid out like `board`; empty
    /// if not requested.
    pub final_board: &'a mut [u8],
    /// Last masks of the games that [`SameStep`](super::Autoreset::SameStep) restarted, laid out like `mask`; empty if
    /// not requested. They are copied from `mask`: if `mask` is empty, they are never written.
    pub final_mask: &'a mut [bool],
}

impl Buffers<'_> {
    /// Reborrows the arrays for a shorter lifetime.
    pub(super) fn reborrow(&mut self) -> Buffers<'_> {
        Buffers {
            board: &mut *self.board,
            mask: &mut *self.mask,
            bits: &mut *self.bits,
            value: &mut *self.value,
            terminated: &mut *self.terminated,
            truncated: &mut *self.truncated,
            illegal: &mut *self.illegal,
            final_board: &mut *self.final_board,
            final_mask: &mut *self.final_mask,
        }
    }

    /// Returns how many items per game the boards, masks and bitsets hold, for arrays of `n` games.
    pub(super) fn widths(&self, n: usize) -> Widths {
        let [cells, moves, bytes, final_cells, final_moves] =
            [self.board.len(), self.mask.len(), self.bits.len(), self.final_board.len(), self.final_mask.len()]
                .map(|items| row_len(items, n));
        Widths { cells, moves, bytes, final_cells, final_moves }
    }

    /// Returns the arrays of bytes, in the order in which a [`Backup`] holds them.
    fn bytes(&mut self) -> [&mut [u8]; 3] {
        [&mut *self.board, &mut *self.bits, &mut *self.final_board]
    }

    /// Returns the arrays of flags, in the order in which a [`Backup`] holds them.
    fn flags(&mut self) -> [&mut [bool]; 5] {
        [&mut *self.mask, &mut *self.terminated, &mut *self.truncated, &mut *self.illegal, &mut *self.final_mask]
    }

    /// Copies the contents of the arrays, within a budget that counts items.
    pub(super) fn backup(&mut self, budget: &mut Budget<'_>) -> Result<Backup, Error> {
        let mut backup = Backup::default();
        for bytes in self.bytes() {
            backup.bytes.push(copied(bytes, budget)?);
        }
        for flags in self.flags() {
            backup.flags.push(copied(flags, budget)?);
        }
        backup.value = copied(self.value, budget)?;
        Ok(backup)
    }

    /// Writes a copy back into the arrays.
    pub(super) fn restore(&mut self, backup: &Backup) {
        self.bytes().into_iter().zip(&backup.bytes).for_each(|(now, then)| now.copy_from_slice(then));
        self.flags().into_iter().zip(&backup.flags).for_each(|(now, then)| now.copy_from_slice(then));
        self.value.copy_from_slice(&backup.value);
    }

    /// Sets the results of game `i` to those of a game before its first step.
    pub(super) fn clear(&mut self, i: usize) {
        self.value[i] = 0.0;
        for flags in [&mut self.terminated, &mut self.truncated, &mut self.illegal] {
            flags[i] = false;
        }
    }
}

/// The number of items per game in the boards, masks and bitsets of [`Buffers`]; 0 for an array that was not requested.
#[derive(Clone, Copy, Debug)]
pub(super) struct Widths {
    pub(super) cells: usize,
    pub(super) moves: usize,
    pub(super) bytes: usize,
    pub(super) final_cells: usize,
    pub(super) final_moves: usize,
}

/// A copy of the contents of the arrays of [`Buffers`].
#[derive(Default)]
pub(super) struct Backup {
    bytes: Vec<Vec<u8>>,
    flags: Vec<Vec<bool>>,
    value: Vec<f64>,
}

/// Copies an array within a budget, which counts items.
fn copied<T: Copy>(items: &[T], budget: &mut Budget<'_>) -> Result<Vec<T>, Error> {
    let mut copy = memory::with_capacity(items.len(), "a copy of the arrays of the batch")?;
    for part in items.chunks(1 << 20) {
        budget.spend(part.len() as u64)?;
        copy.extend_from_slice(part);
    }
    Ok(copy)
}

impl Buffers<'_> {
    /// Cuts the rows of `n` games into pieces of `size` games; the last piece may have fewer.
    pub(super) fn chunks(self, n: usize, size: usize) -> impl Iterator<Item = Self> {
        let (mut board, mut mask, mut bits) =
            (Rows::new(self.board, n), Rows::new(self.mask, n), Rows::new(self.bits, n));
        let (mut value, mut terminated) = (Rows::new(self.value, n), Rows::new(self.terminated, n));
        let (mut truncated, mut illegal) = (Rows::new(self.truncated, n), Rows::new(self.illegal, n));
        let (mut final_board, mut final_mask) = (Rows::new(self.final_board, n), Rows::new(self.final_mask, n));
        (0..n).step_by(size).map(move |from| {
            let games = size.min(n - from);
            Self {
                board: board.take(games),
                mask: mask.take(games),
                bits: bits.take(games),
                value: value.take(games),
                terminated: terminated.take(games),
                truncated: truncated.take(games),
                illegal: illegal.take(games),
                final_board: final_board.take(games),
                final_mask: final_mask.take(games),
            }
        })
    }
}

/// A caller's array that is split into pieces of whole games.
pub(super) struct Rows<'a, T> {
    rest: &'a mut [T],
    per_game: usize,
}

impl<'a, T> Rows<'a, T> {
    /// Prepares an array of `games` rows for splitting. An empty array is one that was not requested: its rows have no
    /// items.
    pub(super) fn new(items: &'a mut [T], games: usize) -> Self {
        Self { per_game: row_len(items.len(), games), rest: items }
    }

    /// Returns the rows of the next `games` games.
    pub(super) fn take(&mut self, games: usize) -> &'a mut [T] {
        // `mem::take` leaves an empty slice behind, so that the piece keeps the full lifetime of the array.
        let (first, rest) = std::mem::take(&mut self.rest).split_at_mut(games * self.per_game);
        self.rest = rest;
        first
    }
}

/// Returns how many items a row has in an array of `items` items for `games` games; 0 for an array that was not
/// requested.
pub(super) fn row_len(items: usize, games: usize) -> usize {
    // For a batch without games, the divisor is 1 instead of 0.
    items / games.max(1)
}

/// Returns row `i` of an array with `per_game` items per row. An array that was not requested has 0 items per row, and
/// its rows are empty.
#[inline(always)]
pub(super) fn row<T>(items: &mut [T], i: usize, per_game: usize) -> &mut [T] {
    if per_game == 0 { &mut [] } else { &mut items[i * per_game..][..per_game] }
}

/// Iterates over the rows of an array with `per_game` items per row. An array that was not requested has no rows.
#[inline(always)]
pub(super) fn rows<T>(items: &mut [T], per_game: usize) -> ChunksExactMut<'_, T> {
    items.chunks_exact_mut(per_game.max(1))
}
