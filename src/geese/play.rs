//! Players that first show the fields that are certainly safe, then make the best guess.

use std::sync::{Mutex, PoisonError};

use super::endgame::{self, MAX_FIELDS, Reach};
use super::fields::{GOOSE, is_covered};
use super::known::{EDGE, SAFE, UNKNOWN};
use super::{Deal, Engine, GeeseSpotter, MARK, SHOW, View};
use crate::core::shared_budget::share_within;
use crate::core::{Budget, Cell, Error, Game, Rng, memory, pool};

/// How to guess if no field is certainly safe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Shows the field with the least chance of a goose; of several, the first in reading order.
    Safest,
    /// Shows, of the safest fields, the one with the fewest hidden neighbors that are known neither to be safe nor to
    /// hold a goose. If no known goose is beside a field, fewer such neighbors make a zero more likely.
    Progress,
    /// Shows, of the fields nearly as safe as the safest, the one for which this show and the next are most likely both
    /// safe, with a bonus if the next one is often certain to be safe. Plays perfectly once at most 300 boards are
    /// left, unless that takes too much work.
    #[default]
    Lookahead,
    /// Chooses as [`Policy::Lookahead`] does, but plays perfectly once at most 1,024 boards are left, and gives credit
    /// for guesses that settle an unavoidable coin toss. On expert boards it plays at about a fifth of the speed of
    /// [`Policy::Lookahead`].
    Deep,
}

impl Policy {
    /// The policies with their names in Python.
    pub const ALL: [(&'static str, Self); 4] =
        [("safest", Self::Safest), ("progress", Self::Progress), ("lookahead", Self::Lookahead), ("deep", Self::Deep)];

    /// Finds a policy by its name.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] with the names of the policies if none has this name.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|&(_, policy)| policy).ok_or_else(|| {
            let shown = crate::core::text::quote(name);
            Error::Invalid(format!("policy must be 'safest', 'progress', 'lookahead' or 'deep', got {shown}"))
        })
    }
}

/// A field that a player advises showing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    /// Row-major index of the field.
    pub index: usize,
    /// The chance of a goose in the field; 0 if it is certainly safe.
    pub chance: f64,
}

/// A player that observes what each show reveals, and advises the next show.
#[derive(Clone, Debug, Default)]
pub struct Player {
    pub(super) engine: Engine,
    /// A second engine, which counts the boards on which an assumption holds, such as that a show reveals a 2.
    pub(super) probe: Engine,
    policy: Policy,
}

/// The parameters of a policy that looks ahead.
///
/// The values were chosen by measurement, not derived. [`LOOKAHEAD`] has the values that were chosen first. Variants of
/// it were compared with perfect play at guesses of expert games with 200 to 2,048 boards left (see
/// `docs/records/players.md`), and [`DEEP`] is the result of this comparison. Nearly all of the difference between the
/// two is due to the credit: values from 0.7 to 1.0 were equally good, and values from 1.2 on were worse. A smaller
/// `progress` and a larger `free` gained little, and a larger `nearly`, up to 0.95, gained nothing that could be
/// measured.
struct Style {
    /// How far the end of a game is searched.
    reach: Reach,
    /// The safety, plus any credit for tosses, that a field must have to be judged further, as a share of the safety of
    /// the safest field. A larger share saves time.
    nearly: f64,
    /// The largest number of fields beside no number that are judged further. Most of them are equally good, and each
    /// costs a count of all boards per number that it may show.
    free: usize,
    /// The largest share by which the worth of a field is raised. The full share applies if the next show is certain to
    /// be safe whatever number the field shows.
    progress: f64,
    /// The weight of the credit for tosses: the share from [`Player::tosses`], times this weight, is subtracted from a
    /// field's chance of a goose. If `None`, tosses are not searched for.
    credit: Option<f64>,
}

/// The parameters of [`Policy::Lookahead`].
const LOOKAHEAD: Style =
    Style { reach: Reach { boards: 300, positions: 20_000 }, nearly: 0.9, free: 2, progress: 0.05, credit: None };

/// The parameters of [`Policy::Deep`].
const DEEP: Style = Style {
    reach: Reach { boards: 1024, positions: 20_000 },
    nearly: 0.93,
    free: 5,
    progress: 0.02,
    credit: Some(0.9),
};

/// The number of shows of a game between two pauses of the budget.
const PAUSE: usize = 1 << 12;

/// The largest difference between two chances that are treated as equal: a difference this small may be due to
/// rounding.
const TIE: f64 = 1e-12;

impl Player {
    /// Creates a player with a policy. Until [`Player::start`] is called, its board has no fields.
    pub fn new(policy: Policy) -> Self {
        Self { policy, ..Self::default() }
    }

    /// Returns the parameters of the policy; only the two policies that look ahead use them.
    fn style(&self) -> &'static Style {
        if self.policy == Policy::Deep { &DEEP } else { &LOOKAHEAD }
    }

    /// Starts a game from a view, and forgets the previous game.
    pub fn start(&mut self, view: &View) {
        self.engine.known.set(view);
    }

    /// Records that the field at row-major `index`, which must lie on the board, was revealed with `value`: 0 to 8, or
    /// 9 for a goose, which ends the game.
    pub fn observe(&mut self, index: usize, value: u8) {
        let at = self.engine.known.place(index);
        if value == GOOSE {
            self.engine.known.set_goose(at);
        } else {
            self.engine.known.reveal(at, value);
        }
    }

    /// Returns the row-major index of a hidden field that is certainly safe; `None` if exact chances prove that there
    /// is none.
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] if the player finds that no board agrees with what was seen, [`Error::Limit`]
    /// or [`Error::Interrupted`] if the budget, in states, ends the count, [`Error::Limit`] if a component is too
    /// entangled, and [`Error::Memory`] if memory does not suffice.
    pub fn certain(&mut self, budget: &mut Budget<'_>) -> Result<Option<usize>, Error> {
        if let Some(index) = self.simple()? {
            return Ok(Some(index));
        }
        loop {
            self.engine.count(true, budget)?;
            let learned = self.engine.learn()?;
            let found = self.simple()?;
            // If only geese were learned, the boards are counted again with fewer unknown fields.
            if found.is_some() || !learned {
                return Ok(found);
            }
        }
    }

    /// Deduces what single numbers imply, and returns a hidden field that is recorded as safe, by these deductions or
    /// by [`Engine::learn`]; `None` if there is none.
    fn simple(&mut self) -> Result<Option<usize>, Error> {
        let known = &mut self.engine.known;
        known.deduce()?;
        while let Some(&at) = known.found.last() {
            if known.cells[at as usize] == SAFE {
                return Ok(Some(known.index(at as usize)));
            }
            known.found.pop();
        }
        Ok(None)
    }

    /// Returns the best show by the policy; `None` if every hidden field holds a goose.
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] if the player finds that no board agrees with what was seen, [`Error::Limit`]
    /// or [`Error::Interrupted`] if the budget, in states, ends the count, [`Error::Limit`] if a component is too
    /// entangled, and [`Error::Memory`] if memory does not suffice.
    pub fn advise(&mut self, budget: &mut Budget<'_>) -> Result<Option<Advice>, Error> {
        if let Some(index) = self.certain(budget)? {
            return Ok(Some(Advice { index, chance: 0.0 }));
        }
        let engine = &self.engine;
        let known = &engine.known;
        let unknown: Vec<usize> = (0..known.cells.len()).filter(|&at| known.cells[at] == UNKNOWN).collect();
        let least = unknown.iter().map(|&at| engine.chance(at)).fold(f64::INFINITY, f64::min);
        if unknown.is_empty() {
            return Ok(None);
        }
        let tied = |at: usize| engine.chance(at) <= least + TIE;
        let place = match self.policy {
            Policy::Safest => unknown.iter().copied().find(|&at| tied(at)),
            Policy::Progress => unknown.iter().copied().filter(|&at| tied(at)).min_by_key(|&at| known.open(at)),
            Policy::Lookahead | Policy::Deep => self.look_ahead(&unknown, least, budget)?,
        };
        Ok(place.map(|at| Advice { index: self.engine.known.index(at), chance: self.engine.chance(at) }))
    }

    /// Returns the best show if no field is certainly safe: the show of perfect play if few boards are left, or else a
    /// guess that cannot be avoided, or else the best of the fields that are nearly as safe as the safest.
    ///
    /// * `unknown`: the places of all unknown fields, ascending
    /// * `least`: the least chance of a goose in an unknown field
    fn look_ahead(&mut self, unknown: &[usize], least: f64, budget: &mut Budget<'_>) -> Result<Option<usize>, Error> {
        if let Some(at) = self.end(unknown) {
            return Ok(Some(at));
        }
        if let Some(at) = self.unavoidable() {
            return Ok(Some(at));
        }
        let style = self.style();
        let tosses = style.credit.map(|_| self.tosses(budget)).transpose()?.unwrap_or_default();
        let engine = &self.engine;
        let known = &engine.known;
        // What a show adds to the risk of losing: its chance of a goose, less the credit for tosses.
        let risk = |at: usize| engine.chance(at) - style.credit.map_or(0.0, |credit| credit * tosses[at]);
        let enough = (1.0 - least) * style.nearly;
        let (mut free, mut candidates): (Vec<usize>, Vec<usize>) =
            unknown.iter().filter(|&&at| 1.0 - risk(at) >= enough).partition(|&&at| engine.is_free(at));
        free.sort_by_key(|&at| known.open(at));
        free.sort_by(|&a, &b| risk(a).total_cmp(&risk(b)));
        candidates.extend(free.iter().take(style.free));
        // Both sorts are stable: fields of equal risk are ordered by their number of unknown neighbors, the fewest
        // first. If that number is equal too, fields beside a number come before the others, each in reading order.
        candidates.sort_by_key(|&at| known.open(at));
        candidates.sort_by(|&a, &b| risk(a).total_cmp(&risk(b)));
        // If no unknown field is beside a number, all have the same chance of a goose: of those with the least risk,
        // the first has the fewest unknown neighbors.
        if candidates.len() <= 1 || engine.is_blank() {
            return Ok(candidates.first().copied());
        }
        let candidates: Vec<(usize, f64)> = candidates.into_iter().map(|at| (at, 1.0 - risk(at))).collect();
        let mut best = (f64::NEG_INFINITY, None);
        for (at, worth) in candidates {
            let safe = 1.0 - self.engine.chance(at);
            // Prune: no score exceeds this bound, and the candidates that follow are worth no more.
            if worth * (1.0 + style.progress) <= best.0 {
                break;
            }
            // The expected safety is `safe` times the safety of the next show. Replacing the factor `safe` with `worth`
            // adds the credit for tosses.
            let more = worth / safe;
            let score = more * self.expected_safety(at, safe, best.0 / more, budget)?;
            if score > best.0 {
                best = (score, Some(at));
            }
        }
        Ok(best.1)
    }

    /// Returns a field of a pair between which the player has to guess; `None` if no such pair is found. Exactly one
    /// field of the pair holds a goose, and no number can ever tell which, because every field that may show a number
    /// and is beside one of them is beside the other too. Such a guess cannot be avoided, and if it is made now, it may
    /// tell something about other fields.
    fn unavoidable(&self) -> Option<usize> {
        let known = &self.engine.known;
        let offsets = known.offsets();
        for at in 0..known.cells.len() {
            if !known.is_number(at) || known.open(at) != 2 || known.need(at) != 1 {
                continue;
            }
            let mut pair = offsets.iter().map(|&o| at.wrapping_add_signed(o)).filter(|&f| known.cells[f] == UNKNOWN);
            let (Some(one), Some(other)) = (pair.next(), pair.next()) else { continue };
            let near = |field: usize, of: usize| offsets.iter().any(|&o| of.wrapping_add_signed(o) == field);
            // Returns whether a field that shows or may show a number is beside `of` but not beside `not`.
            let tells = |of: usize, not: usize| {
                offsets
                    .iter()
                    .map(|&o| of.wrapping_add_signed(o))
                    .any(|field| field != not && !near(field, not) && !matches!(known.cells[field], GOOSE | EDGE))
            };
            if !tells(one, other) && !tells(other, one) {
                return Some(one);
            }
        }
        None
    }

    /// Returns the worth of showing a field: the chance that this show and the next one are both safe, summed over the
    /// numbers that the field may show, and raised by up to [`Style::progress`] if the next show is often certain to be
    /// safe. If the worth cannot exceed `floor`, any number up to `floor` may be returned.
    ///
    /// * `at`: the place of the field
    /// * `safe`: the chance that the field holds no goose
    fn expected_safety(&mut self, at: usize, safe: f64, floor: f64, budget: &mut Budget<'_>) -> Result<f64, Error> {
        let bonus = self.style().progress;
        let geese = self.engine.known.geese_around(at);
        let most = geese + self.engine.known.open(at);
        let ln_all = self.engine.ln_ways();
        let (mut score, mut left, mut progress) = (0.0, safe, 0.0);
        for value in geese..=most {
            // Prune: `left` is the chance of the values that remain, so the score can grow by at most `left`. If `left`
            // is below a billionth of `safe`, it no longer matters.
            if left < 1e-9 * safe || (score + left) * (1.0 + bonus) <= floor {
                break;
            }
            let probe = &mut self.probe;
            probe.known.clone_from(&self.engine.known);
            probe.known.found.clear();
            probe.known.reveal(at, value);
            let counted = probe.known.deduce().map_err(Error::from).and_then(|()| probe.count(true, budget));
            match counted {
                Err(Error::NotFound(_)) => continue,
                counted => counted?,
            }
            // The share of the boards on which the field shows `value`.
            let chance = (probe.ln_ways() - ln_all).exp();
            let next = probe.least_chance();
            left -= chance;
            score += chance * (1.0 - next);
            if next == 0.0 {
                progress += chance;
            }
        }
        Ok((score + left.max(0.0)) * (1.0 + bonus * progress / safe))
    }

    /// Returns the show of perfect play; `None` if more boards or fields are left than the policy searches, or if
    /// listing the boards or judging positions takes too many steps.
    fn end(&self, unknown: &[usize]) -> Option<usize> {
        let reach = self.style().reach;
        // The number of boards is a whole number: half a board more allows for rounding in the logarithm.
        if self.engine.ln_ways() > (reach.boards as f64 + 0.5).ln() || unknown.len() > MAX_FIELDS {
            return None;
        }
        let boards = self.engine.boards(unknown)?;
        let known = &self.engine.known;
        let bit = |at: usize| unknown.binary_search(&at).map_or(0, |bit| 1u128 << bit);
        let around: Vec<u128> = unknown
            .iter()
            .map(|&at| known.offsets().iter().map(|&offset| bit(at.wrapping_add_signed(offset))).sum())
            .collect();
        let best = endgame::best(&boards, &around, reach)?;
        unknown.get(best.field).copied()
    }
}

impl GeeseSpotter {
    /// Returns the best show by `policy`, from what a player may know; `None` if the game is over or every hidden field
    /// holds a goose.
    ///
    /// If the best field to show is marked, an unmarked field that is at least as safe is returned instead, if there is
    /// one, because a marked field must be unmarked before it is shown.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, in states, ends the count, [`Error::Limit`] if
    /// a component is too entangled, and [`Error::Memory`] if memory does not suffice.
    pub fn hint(&self, policy: Policy, budget: &mut Budget<'_>) -> Result<Option<Advice>, Error> {
        if self.status().is_over() {
            return Ok(None);
        }
        let mut player = Player::new(policy);
        player.start(&self.view());
        self.advised(&mut player, budget)
    }

    /// Returns what a player advises. If the advised field is marked, the first unmarked field that is at least as
    /// safe, if there is one, replaces the advised field.
    fn advised(&self, player: &mut Player, budget: &mut Budget<'_>) -> Result<Option<Advice>, Error> {
        let Some(advice) = player.advise(budget)? else { return Ok(None) };
        if is_covered(self.fields[advice.index]) {
            return Ok(Some(advice));
        }
        let as_safe = |player: &Player| {
            let known = &player.engine.known;
            let chance = |index: usize| match known.cells[known.place(index)] {
                SAFE => 0.0,
                // The boards have been counted if no field was known to be safe.
                UNKNOWN if advice.chance > 0.0 => player.engine.chance(known.place(index)),
                _ => 1.0,
            };
            let unmarked = (0..self.fields.len()).filter(|&index| is_covered(self.fields[index]));
            let mut found = unmarked.map(|index| Advice { index, chance: chance(index) });
            found.find(|other| other.chance <= advice.chance + TIE)
        };
        let mut other = as_safe(player);
        if other.is_none() && advice.chance == 0.0 {
            // Deductions from single numbers found no other safe field; exact chances find them all.
            player.engine.count(true, budget)?;
            player.engine.learn()?;
            other = as_safe(player);
        }
        Ok(Some(other.unwrap_or(advice)))
    }

    /// Returns the moves of a player that continues from this position by a policy and uses only what a player may
    /// know. The moves go to the end of the game or, if `guess` is `false`, until no field is certainly safe. A marked
    /// field is unmarked before it is shown. The game itself does not change.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, in states, ends the count, [`Error::Limit`] if
    /// a component is too entangled, and [`Error::Memory`] if memory does not suffice.
    pub fn play_on(&self, policy: Policy, guess: bool, budget: &mut Budget<'_>) -> Result<Vec<[i32; 3]>, Error> {
        let mut game = self.clone();
        let mut moves = Vec::new();
        let mut player = Player::new(policy);
        player.start(&game.view());
        let width = game.width as usize;
        for shows in 0_usize.. {
            // Nothing is spent on a show that single numbers prove safe, because no boards are counted for it.
            if shows % PAUSE == 0 {
                budget.pause()?;
            }
            if game.status().is_over() {
                break;
            }
            let Some(advice) = game.advised(&mut player, budget)? else { break };
            if advice.chance > 0.0 && !guess {
                break;
            }
            let (row, col) = ((advice.index / width) as i32, (advice.index % width) as i32);
            memory::room(&mut moves, 2, "the moves of a game")?;
            if !is_covered(game.fields[advice.index]) {
                moves.push([MARK, row, col]);
                game.apply([MARK, row, col]);
            }
            moves.push([SHOW, row, col]);
            let change = game.apply([SHOW, row, col]);
            for index in game.revealed(row, col, &change) {
                player.observe(index, game.fields[index]);
            }
        }
        Ok(moves)
    }
}

/// Plays a game on a board to its end, and returns whether the game was won.
///
/// * `player`: observes the numbers that the shows reveal
/// * `secret`: the fields of the board, whose lower four bits are their values
/// * `view`: what the player knows before the first show
/// * `first`: the row-major index of the first field to show
/// * `choose`: returns the next field to show, or `None` if the player gives up
///
/// # Errors
/// Returns the errors of `choose`.
pub(super) fn play_out(
    player: &mut Player,
    secret: &[u8],
    view: &View,
    first: usize,
    mut choose: impl FnMut(&mut Player) -> Result<Option<usize>, Error>,
) -> Result<bool, Error> {
    player.start(view);
    let mut left = secret.iter().map(|&field| usize::from(field & 15 != GOOSE)).sum::<usize>();
    let mut next = first;
    loop {
        let value = secret[next] & 15;
        if value == GOOSE {
            return Ok(false);
        }
        player.observe(next, value);
        left -= 1;
        if left == 0 {
            return Ok(true);
        }
        match choose(player)? {
            Some(index) => next = index,
            None => return Ok(false),
        }
    }
}

/// Plays boards of a deal and returns which were won. A game counts as lost if a component becomes too entangled for
/// exact chances.
///
/// * `deal`: the size of the boards and how geese are placed
/// * `first`: the cell of the first show, which must lie on the board
/// * `policy`: how to guess
/// * `games`: the number of games
/// * `seed`, `from`: game `i` is on the board of stream `from + i` (modulo 2^64) of the seed, whatever the number of
///   threads
/// * `threads`: the number of threads, 0 for all threads of the pool
/// * `budget`: its watcher can end the call; nothing is spent
///
/// # Errors
/// Returns [`Error::Interrupted`] if the watcher ends the call, and [`Error::Memory`] if memory does not suffice.
#[allow(clippy::too_many_arguments)] // the rules of the games, and how they are run
pub fn play_many(
    deal: &Deal,
    first: Cell,
    policy: Policy,
    games: usize,
    seed: u64,
    from: u64,
    threads: usize,
    budget: &mut Budget<'_>,
) -> Result<Vec<bool>, Error> {
    let mut won = memory::filled(false, games, "the games")?;
    let threads = pool::threads_for(threads);
    memory::probe(threads.min(games).saturating_mul(deal.cells()).saturating_mul(memory::PER_CELL), "the games")?;
    let (height, width) = deal.shape();
    let view = View::blank(height, width, deal.geese());
    let first = first.row as usize * width + first.col as usize;
    let play = |first_game: u64, won: &mut [bool], budget: &mut Budget<'_>| -> Result<(), Error> {
        let (mut player, mut board, mut sums) = (Player::new(policy), vec![0; deal.cells()], Vec::new());
        for (i, won) in won.iter_mut().enumerate() {
            deal.one(&mut board, &mut Rng::stream(seed, first_game.wrapping_add(i as u64)), &mut sums);
            let advised = |player: &mut Player| Ok(player.advise(budget)?.map(|advice| advice.index));
            *won = match play_out(&mut player, &board, &view, first, advised) {
                Err(Error::Limit(_)) => false,
                done => done?,
            };
        }
        Ok(())
    };
    // Small pieces balance the load: games differ widely in length. A single thread keeps one player for all games.
    let pieces = if threads == 1 { 1 } else { 16 * threads };
    let size = games.div_ceil(pieces).max(1);
    let failed = Mutex::new(None);
    let pieces = won.chunks_mut(size).enumerate().collect();
    share_within(threads, pieces, u64::MAX, budget, |(piece, won): (usize, &mut [bool]), own| {
        if let Err(error) = play(from.wrapping_add((piece * size) as u64), won, own) {
            *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    })?;
    failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(won), Err)
}
