//! One step of the games of a piece, which is the part of a batch that one thread handles at a time.

use super::buffers::{Widths, row, rows};
use super::slot::{Ending, Slot};
use super::{Actions, Buffers, Outcome, Starts};
use crate::core::game::{self, Game};
use crate::core::shared_budget::SharedBudget;

/// Neighboring games of a batch, all stepped by one thread, with their actions and their rows of all arrays.
pub(super) type Piece<'a, 'b, G> = (&'a mut [Slot<G>], Actions<'b>, Buffers<'b>);

/// Makes one move in each game of a piece. A game whose episode is over starts the next episode instead, unless
/// autoreset is disabled. `shared` is a budget with the work per game; if the budget ends the call, the games that are
/// left are not changed.
///
/// `ending`, `bounds` and `widths`, which every step reads, are passed by value: the compiler cannot rule out that a
/// write into the arrays changes a value behind a reference, and would load the value again for each game.
#[inline(never)] // with a single copy of the loop, the functions it calls are inlined
pub(super) fn step_piece<G: Game>(
    (slots, actions, out): Piece<'_, '_, G>,
    starts: &Starts<G>,
    ending: Ending,
    bounds: G::Move,
    widths: Widths,
    value: &impl Fn(Outcome) -> f64,
    shared: Option<(&SharedBudget<'_, '_>, usize)>,
) {
    // All these slices have the same known length, so that the indices below need no bounds checks.
    let games = slots.len();
    let (values, illegal) = (&mut out.value[..games], &mut out.illegal[..games]);
    let (terminated, truncated) = (&mut out.terminated[..games], &mut out.truncated[..games]);
    let share = shared.map(|(shared, work)| shared.share(games, work));
    let (mut boards, mut masks) = (rows(out.board, widths.cells), rows(out.mask, widths.moves));
    for (i, slot) in slots.iter_mut().enumerate() {
        if share.is_some_and(|share| !share.may_continue()) {
            return;
        }
        let board = boards.next().unwrap_or_default();
        let mask = masks.next().unwrap_or_default();
        if slot.clock.over {
            slot.pass(starts, ending, board, mask);
            values[i] = 0.0;
            [terminated[i], truncated[i], illegal[i]] = [false; 3];
        } else {
            let keep = |board: &[u8], mask: &[bool]| keep_last(i, board, mask, out.final_board, out.final_mask, widths);
            let (outcome, cut) = slot.step(starts, ending, actions.at(bounds, i), board, mask, keep);
            values[i] = value(outcome);
            [terminated[i], truncated[i], illegal[i]] = [outcome.status.is_over(), cut, outcome.illegal];
        }
        if widths.bytes > 0 {
            write_bits_row(&slot.game, i, out.bits, widths.bytes);
        }
    }
}

/// Copies the last board and mask of an episode of game `i` of a piece, if they were requested.
#[cold]
#[inline(never)] // the compiler would otherwise track the place of these rows through all steps
fn keep_last(i: usize, board: &[u8], mask: &[bool], boards: &mut [u8], masks: &mut [bool], widths: Widths) {
    if widths.final_cells > 0 {
        row(boards, i, widths.final_cells).copy_from_slice(board);
    }
    if widths.final_moves > 0 && !mask.is_empty() {
        row(masks, i, widths.final_moves).copy_from_slice(mask);
    }
}

/// Writes the bitset of the legal moves of game `i` of a piece.
#[inline(never)] // for the reason given at `keep_last`
fn write_bits_row<G: Game>(game: &G, i: usize, bits: &mut [u8], bytes: usize) {
    game::write_bits(game, row(bits, i, bytes));
}
