//! One game of a batch: its position and its clock.

use super::{Autoreset, Clock, Options, Outcome, Starts};
use crate::core::game::{self, Game, Status};
use crate::core::rng;

/// A game of a batch with its clock.
#[derive(Clone, Debug)]
pub(super) struct Slot<G> {
    pub(super) game: G,
    pub(super) clock: Clock,
}

/// Returns the seed of an episode. Episode 0 has the seed of the game itself; later ones have a hash of that seed and
/// of the number of the episode, so that the seeds of neighboring games and episodes are unrelated.
pub(super) fn seed_of(seed: u64, episode: u64) -> u64 {
    if episode == 0 { seed } else { rng::mix(rng::mix(seed) ^ episode) }
}

/// The rows of one game in the caller's arrays.
pub(super) struct Row<'a> {
    pub(super) board: &'a mut [u8],
    pub(super) mask: &'a mut [bool],
    pub(super) final_board: &'a mut [u8],
    pub(super) final_mask: &'a mut [bool],
}

impl<G: Game> Slot<G> {
    /// Starts the episode whose number is in the clock.
    pub(super) fn start(&mut self, starts: &Starts<G>) {
        let Clock { seed, episode, .. } = self.clock;
        match starts {
            Starts::Fixed(fixed) => {
                let index = if fixed.len() == 1 { 0 } else { seed.wrapping_add(episode) % fixed.len() as u64 };
                self.game.clone_from(&fixed[index as usize]);
            }
            Starts::Generated(make) => self.game = make(seed_of(seed, episode)),
        }
        self.clock.steps = 0;
        self.clock.over = self.game.status().is_over();
    }

    /// Makes one move. If the episode was over before, starts the next one instead, unless autoreset is disabled.
    /// Returns the outcome of the move (`None` if none was made) and whether `max_steps` cuts the episode off.
    #[inline(always)]
    pub(super) fn step(
        &mut self,
        starts: &Starts<G>,
        options: &Options,
        mv: G::Move,
        row: Row<'_>,
    ) -> (Option<Outcome>, bool) {
        if self.clock.over {
            if options.autoreset != Autoreset::Disabled {
                self.next_episode(starts, row.board, row.mask);
            }
            return (None, false);
        }
        let Row { board, mask, final_board, final_mask } = row;
        self.clock.steps = self.clock.steps.saturating_add(1);
        let mut outcome = Outcome { status: Status::Open, illegal: false };
        if self.game.check(mv).is_ok() {
            let change = self.game.apply(mv);
            self.game.refresh_board(mv, &change, board);
            outcome.status = self.game.status();
            if outcome.status == Status::Open {
                if !mask.is_empty() {
                    self.game.refresh_mask(mv, &change, mask);
                }
            } else {
                // A game that has ended has no legal moves.
                mask.fill(false);
            }
        } else {
            outcome.illegal = true;
        }
        let terminated = outcome.status.is_over();
        let truncated = !terminated && options.max_steps.is_some_and(|most| self.clock.steps >= most);
        if terminated || truncated {
            self.clock.over = true;
            if options.autoreset == Autoreset::SameStep {
                if !final_board.is_empty() {
                    final_board.copy_from_slice(board);
                }
                if !final_mask.is_empty() {
                    final_mask.copy_from_slice(mask);
                }
                self.next_episode(starts, board, mask);
            }
        }
        (Some(outcome), truncated)
    }

    /// Starts the next episode and writes its board and mask.
    #[inline(never)] // rare, and large if a generator is inlined
    fn next_episode(&mut self, starts: &Starts<G>, board: &mut [u8], mask: &mut [bool]) {
        self.clock.episode = self.clock.episode.wrapping_add(1);
        self.start(starts);
        self.game.write_board(board);
        if !mask.is_empty() {
            game::write_mask(&self.game, mask);
        }
    }
}
