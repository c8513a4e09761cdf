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

/// Returns the seed of an episode. Episode 0 has the seed of the game itself; later episodes have a hash of that seed
/// and of the number of the episode, so that the seeds of neighboring games and episodes are unrelated.
pub(super) fn seed_of(seed: u64, episode: u64) -> u64 {
    if episode == 0 { seed } else { rng::mix(rng::mix(seed) ^ episode) }
}

/// When episodes end and what follows, read once per step of a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    autoreset: Autoreset,
    /// The number of steps after which an episode is cut off. A clock never reaches `u64::MAX`, which stands for no
    /// bound.
    most: u64,
}

impl Ending {
    pub(super) fn new(options: &Options) -> Self {
        Self { autoreset: options.autoreset, most: options.max_steps.map_or(u64::MAX, u64::from) }
    }
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

    /// Starts the next episode of a game whose episode is over, unless autoreset is disabled.
    pub(super) fn pass(&mut self, starts: &Starts<G>, ending: Ending, board: &mut [u8], mask: &mut [bool]) {
        if ending.autoreset != Autoreset::Disabled {
            self.next_episode(starts, board, mask);
        }
    }

    /// Makes one move in a game that is not over, and updates its `board` and `mask`. Returns the outcome of the move
    /// and whether `max_steps` cuts the episode off.
    ///
    /// `keep` receives the last board and mask of an episode before the next one replaces them.
    #[inline(always)]
    pub(super) fn step(
        &mut self,
        starts: &Starts<G>,
        ending: Ending,
        mv: G::Move,
        board: &mut [u8],
        mask: &mut [bool],
        keep: impl FnOnce(&[u8], &[bool]),
    ) -> (Outcome, bool) {
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
        let truncated = !terminated && u64::from(self.clock.steps) >= ending.most;
        if terminated || truncated {
            self.clock.over = true;
            if ending.autoreset == Autoreset::SameStep {
                keep(board, mask);
                self.next_episode(starts, board, mask);
            }
        }
        (outcome, truncated)
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
