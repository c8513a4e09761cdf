//! Random games, many at once.
//!
//! Game `i` of a seed has its own random stream and does not depend on the number of games or threads. Plays are drawn
//! from all `n^4` plays of an `n x n` board until one is legal; after 256 illegal draws, the play is drawn from the
//! legal plays.

use std::sync::{Mutex, PoisonError};

use super::bits::{self, PackedPlay, SMALL, Tables};
use super::rules::Ends;
use super::{Board, LinearDomination};
use crate::core::{Budget, Error, Game, Rng, game, memory, pool};

/// The number of illegal draws after which a play is drawn from the legal plays only.
const TRIES: usize = 256;

/// The largest number of games per thread between two checks of the budget, on boards up to 8 x 8 and on larger ones.
const BLOCK: [usize; 2] = [1 << 14, 1 << 8];

/// The number of plays that may be examined in one game, to find the legal ones, before the game is postponed.
const QUICK: u64 = 1 << 12;

/// The largest number of plies of a game that is played without a check of the budget, with or without the [`Kernel`].
const SHORT: usize = 1 << 14;

/// Draws indices of plays; on boards up to 8 x 8, one 64-bit word of the random generator serves two draws.
struct PlaySampler {
    rng: Rng,
    /// The half of the last word that has not been used yet.
    spare: Option<u32>,
    /// The number of plays, legal or not.
    count: u64,
    /// Draws whose product with `count` has a low half below this bound are rejected, so that all plays are equally
    /// likely; 0 on boards over 8 x 8, which do not use the bound.
    reject: u32,
}

impl PlaySampler {
    fn new(size: usize, rng: Rng) -> Self {
        let count = (size as u64).pow(4);
        Self {
            rng,
            spare: None,
            count,
            // Lemire's method: products whose low half is below 2^32 mod count would favor some indices, so they are
            // drawn again. `wrapping_neg` computes 2^32 - count, which has the same remainder.
            reject: if size <= SMALL { (count as u32).wrapping_neg() % count as u32 } else { 0 },
        }
    }

    /// Draws the index of a play with both ends on the board; all are equally likely.
    #[inline]
    fn pick(&mut self) -> u64 {
        if self.count > (SMALL as u64).pow(4) { self.rng.below(self.count) } else { self.pick_small() }
    }

    /// Does what [`PlaySampler::pick`] does, for boards up to 8 x 8.
    #[inline]
    fn pick_small(&mut self) -> u64 {
        loop {
            let word = if let Some(word) = self.spare.take() {
                word
            } else {
                let bits = self.rng.bits();
                self.spare = Some((bits >> 32) as u32);
                bits as u32
            };
            let wide = u64::from(word) * self.count;
            if wide as u32 >= self.reject {
                return wide >> 32;
            }
        }
    }
}

impl LinearDomination {
    /// Makes up to `plies` random legal plays.
    fn play_on(&mut self, plies: usize, picks: &mut PlaySampler, budget: &mut Budget<'_>) -> Result<(), Error> {
        for ply in 0..plies {
            if self.over {
                break;
            }
            // A check every `SHORT` plies lets Ctrl-C end a long game soon, and costs no measurable time.
            if ply % SHORT == SHORT - 1 {
                budget.pause()?;
            }
            let tried = (0..TRIES).map(|_| bits::ends(self.size, picks.pick())).find(|&ends| self.allows(ends));
            let Some(ends) = tried.map_or_else(|| self.draw_listed(&mut picks.rng, budget), |ends| Ok(Some(ends)))?
            else {
                break;
            };
            self.room_to_play(1)?;
            self.draw(ends);
        }
        Ok(())
    }

    /// Draws one of the legal plays, all equally likely; returns `None` if there is none.
    fn draw_listed(&self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Option<Ends>, Error> {
        let Some(legal) = self.legal_bits() else { return game::sample_within(self, rng, budget) };
        Ok(match legal.count() as usize {
            0 => None,
            count => legal.iter().nth(rng.index(count)).map(|play| bits::ends(self.size, play as u64)),
        })
    }

    /// Plays random games from this position, and writes the numbers of cells of X and of O at the end of each.
    ///
    /// * `plies`: the number of further plays per game; a game ends earlier if no legal play is left
    /// * `seed`: any number; each game has a random stream of its own, chosen by the seed and the index of the game
    /// * `threads`: the number of threads that share the games; 0 means all of the thread pool
    /// * `counts`: receives `[cells of X, cells of O]` per game; its length is the number of games
    /// * `budget`: counts plays: `plies` per game, even if a game ends earlier; on boards over 8 x 8, also the plays
    ///   examined to draw a legal one, in games that are long or in which legal plays are rare
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the games, and [`Error::Memory`] if memory
    /// cannot hold the plays of a long game. Entries of games not yet played keep what the caller wrote to them.
    ///
    /// # Complexity
    /// About 10 to 20 ns per play and thread on boards up to 8 x 8 with a lookback of at most 8.
    pub fn random_games(
        &self,
        plies: usize,
        seed: u64,
        threads: usize,
        counts: &mut [[u32; 2]],
        budget: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let threads = pool::threads_for(threads);
        // Each thread plays on a copy of its own, whose list of plays may double.
        memory::probe((2 * threads).saturating_mul(game::bytes(self)), "copies of the position")?;
        let most = BLOCK[usize::from(self.size > SMALL)];
        // Blocks of about equal work: a block holds fewer games if they are longer than 20 plies.
        let size = (most * 20 / plies.max(1)).clamp(1, most) * threads;
        for (block, counts) in counts.chunks_mut(size).enumerate() {
            budget.spend((counts.len() as u64).saturating_mul(plies as u64))?;
            let share = counts.len().div_ceil(threads);
            let pieces = counts.chunks_mut(share).enumerate().collect();
            let slow = Mutex::new(Vec::new());
            pool::each(pieces, |(piece, counts): (usize, &mut [[u32; 2]])| {
                let first = piece * share;
                let postponed = self.quick_games(plies, seed, (block * size + first) as u64, counts);
                let mut slow = slow.lock().unwrap_or_else(PoisonError::into_inner);
                slow.extend(postponed.into_iter().map(|i| first + i));
            });
            // Postponed games are played on the caller's thread, where the watcher of the budget can end them.
            for i in slow.into_inner().unwrap_or_else(PoisonError::into_inner) {
                let mut game = self.clone();
                let rng = Rng::stream(seed, (block * size + i) as u64);
                game.play_on(plies, &mut PlaySampler::new(self.size, rng), budget)?;
                counts[i] = game.counts;
            }
        }
        Ok(())
    }

    /// Plays the games `first..` of a seed, one per entry of `counts`, except those that would take too long, and
    /// returns the indices in `counts` of the games that it did not play.
    fn quick_games(&self, plies: usize, seed: u64, first: u64, counts: &mut [[u32; 2]]) -> Vec<usize> {
        let Some(kernel) = Kernel::of(self).filter(|_| plies <= SHORT) else {
            return self.quick_games_plain(plies, seed, first, counts);
        };
        for (i, counts) in counts.iter_mut().enumerate() {
            *counts = kernel.run(plies, &mut PlaySampler::new(self.size, Rng::stream(seed, first + i as u64)));
        }
        Vec::new()
    }

    /// Does what [`LinearDomination::quick_games`] does, without the kernel: for any board and lookback.
    fn quick_games_plain(&self, plies: usize, seed: u64, first: u64, counts: &mut [[u32; 2]]) -> Vec<usize> {
        let mut game = self.clone();
        let mut postponed = Vec::new();
        for (i, counts) in counts.iter_mut().enumerate() {
            game.clone_from(self);
            let mut picks = PlaySampler::new(self.size, Rng::stream(seed, first + i as u64));
            let quick = &mut Budget::new("plays", Some(QUICK), None);
            if plies <= SHORT && game.play_on(plies, &mut picks, quick).is_ok() {
                *counts = game.counts;
            } else {
                postponed.push(i);
            }
        }
        postponed
    }
}

/// The longest lookback that the [`Kernel`] handles: the size of its ring of plays.
const RING: usize = 8;

/// Plays random games on a board up to 8 x 8, stored as two words, with a short lookback; it does not keep the list of
/// plays.
struct Kernel<'a> {
    game: &'a LinearDomination,
    tables: &'static Tables,
    /// The cells of X and of O.
    words: [u64; 2],
    /// The plays that the rules look back at, oldest first; the first `filled` entries are in use.
    window: [PackedPlay; RING],
    filled: usize,
}

impl<'a> Kernel<'a> {
    /// Returns a kernel if the board has up to 8 x 8 cells, the lookback is at most [`RING`], the plays of the window
    /// lie on the board and the game is not over; otherwise `None`.
    fn of(game: &'a LinearDomination) -> Option<Self> {
        let Board::Words(words) = game.board else { return None };
        let filled = game.window().count();
        if game.lookback as usize > RING || game.over || game.window().any(|(_, ends)| !game.on_board(ends)) {
            return None;
        }
        let mut window = [PackedPlay::default(); RING];
        for (place, (_, ends)) in window.iter_mut().zip(game.window()) {
            *place = PackedPlay::new(game.size, ends);
        }
        Some(Self { game, tables: Tables::of(game.size), words, window, filled })
    }

    /// Plays one game, and returns the numbers of cells of X and of O at its end.
    #[inline(never)] // so that its variables stay in registers
    fn run(&self, plies: usize, picks: &mut PlaySampler) -> [u32; 2] {
        let (points, ends) = (self.game.rules.allows_zero_length(), self.game.rules.compares_ends());
        let lookback = self.game.lookback as usize;
        let (mut own, mut other) = (self.words[self.game.to_move()], self.words[1 - self.game.to_move()]);
        let mut window = self.window;
        let (mut filled, mut next) = (self.filled, if lookback == 0 { 0 } else { self.filled % lookback });
        let mut played = 0;
        while played < plies {
            let mut tries = 0;
            let play = loop {
                let play = picks.pick_small() as usize;
                let p = self.tables.packed[play];
                let point = p.tail == p.head;
                let fits = (points || !point) && !window[..filled].iter().any(|&earlier| p.clashes(earlier, ends));
                if fits {
                    break Some(play);
                }
                tries += 1;
                if tries == TRIES {
                    break self.draw_listed(&window[..filled], &mut picks.rng);
                }
            };
            let Some(play) = play else { break };
            let cells = self.tables.cells[play];
            // The player to move takes the cells, and the players change places.
            (own, other) = (other & !cells, own | cells);
            if lookback > 0 {
                window[next] = self.tables.packed[play];
                filled = (filled + 1).min(lookback);
                // A ring: the newest play replaces the one that leaves the window.
                next = if next + 1 == lookback { 0 } else { next + 1 };
            }
            played += 1;
        }
        let (own, other) = (own.count_ones(), other.count_ones());
        // `own` is the number of cells of the player to move; the result is in the order X, O.
        if (self.game.to_move() + played).is_multiple_of(2) { [own, other] } else { [other, own] }
    }

    /// Draws one of the legal plays, all equally likely; returns `None` if none is left.
    #[cold]
    fn draw_listed(&self, window: &[PackedPlay], rng: &mut Rng) -> Option<usize> {
        let (points, ends) = (self.game.rules.allows_zero_length(), self.game.rules.compares_ends());
        let fits = |&play: &usize| {
            let p = self.tables.packed[play];
            (points || p.tail != p.head) && !window.iter().any(|&earlier| p.clashes(earlier, ends))
        };
        let legal: Vec<usize> = (0..self.game.size.pow(4)).filter(fits).collect();
        if legal.is_empty() { None } else { Some(legal[rng.index(legal.len())]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domination::Rules;

    #[test]
    fn the_kernel_plays_the_games_of_the_plain_code() {
        for (_, rules) in Rules::ALL {
            for (size, lookback, before, plies) in
                [(8, 3, 0, 20), (8, 3, 5, 7), (3, 2, 1, 30), (2, 8, 0, 9), (1, 1, 0, 4), (5, 0, 2, 11), (7, 8, 4, 40)]
            {
                let start =
                    LinearDomination::generate(size, lookback, before, rules, 5, &mut Budget::unlimited()).unwrap();
                let (mut fast, mut slow) = (vec![[0; 2]; 300], vec![[0; 2]; 300]);
                start.random_games(plies, 9, 3, &mut fast, &mut Budget::unlimited()).unwrap();
                assert!(start.quick_games_plain(plies, 9, 0, &mut slow).is_empty());
                assert_eq!(fast, slow, "{size}, {lookback}, {rules:?}");
            }
        }
    }

    #[test]
    fn games_without_the_kernel_are_played_within_the_budget() {
        for text in ["6 3\n1 1 9 9\n2 2 3 7\n", "15 3\n", "8 20 standard\n"] {
            let start = LinearDomination::parse(text).unwrap();
            let mut counts = vec![[0; 2]; 50];
            start.random_games(9, 1, 2, &mut counts, &mut Budget::unlimited()).unwrap();
            assert!(counts.iter().all(|[x, o]| x + o > 0), "{counts:?}");
            let mut budget = Budget::new("plays", Some(10), None);
            assert!(start.random_games(9, 1, 1, &mut counts, &mut budget).is_err());
            // The watcher can stop a game of 2^40 plies.
            let mut stop = |_| false;
            let mut budget = Budget::new("plays", None, Some(&mut stop));
            assert!(start.random_games(1 << 40, 1, 2, &mut counts, &mut budget).is_err());
        }
    }

    /// The count of each legal first play must lie within about four standard deviations of its mean.
    #[test]
    fn plays_are_drawn_evenly() {
        let start = LinearDomination::empty(3, 1, Rules::Standard).unwrap();
        let mut times = [0u32; 81];
        let mut picks = PlaySampler::new(3, Rng::new(4));
        for _ in 0..72_000 {
            let mut game = start.clone();
            game.play_on(1, &mut picks, &mut Budget::unlimited()).unwrap();
            times[bits::number(3, game.plays()[0].ends)] += 1;
        }
        assert_eq!(times.iter().filter(|&&n| n == 0).count(), 9);
        assert!(times.iter().all(|&n| n == 0 || (870..1130).contains(&n)), "{times:?}");
    }
}
