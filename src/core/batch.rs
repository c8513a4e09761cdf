//! Many positions of one game stepped together; the results are written straight into the caller's arrays.

mod actions;
mod buffers;
mod piece;
mod slot;
mod snapshot;

use std::fmt;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

pub use self::actions::Actions;
pub use self::buffers::Buffers;
use self::buffers::{Rows, row, row_len};
use self::piece::{Piece, step_piece};
use self::slot::{Ending, Slot, seed_of};
pub use self::snapshot::Snapshot;
use super::budget::Budget;
use super::error::{Error, counted};
use super::game::{self, Game, Point, Status};
use super::memory;
use super::pool;
use super::rng::Rng;
use super::shared_budget::{Share, SharedBudget};

/// The positions at which the games of a batch start.
#[derive(Clone)]
pub enum Starts<G> {
    /// Episode `e` of the game with seed `s` starts at the position with index `(s + e) % len`; the sum wraps at 2^64.
    Fixed(Arc<[G]>),
    /// Each episode starts at a position generated from a seed of its own. All positions must be compatible
    /// ([`Game::is_compatible`]); this is not checked. All positions must be open and have a legal move; this is
    /// checked only for the first episode of each game, by [`Batch::new`].
    Generated(Arc<dyn Fn(u64) -> G + Send + Sync>),
}

impl<G> fmt::Debug for Starts<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(starts) => write!(f, "Fixed({} positions)", starts.len()),
            Self::Generated(_) => f.write_str("Generated(..)"),
        }
    }
}

/// When a game whose episode has ended starts the next episode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// In the next step, which ignores the action given for the game.
    #[default]
    NextStep,
    /// Within the step that ended the episode; [`Buffers::final_board`] and [`Buffers::final_mask`] keep the last board
    /// and mask.
    SameStep,
    /// Never: the caller resets the game.
    Disabled,
}

/// How a batch runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// When a game whose episode has ended starts the next episode.
    pub autoreset: Autoreset,
    /// The number of steps after which an episode is cut off, at least 1 (0 counts as 1); `None` for no bound.
    pub max_steps: Option<u32>,
    /// The number of threads; more than 256 count as 256, and 0 lets the batch choose by its size and speed.
    pub threads: usize,
}

/// What one step did to a game that was open before the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether the game is open after the step, or how it ended.
    pub status: Status,
    /// Whether the rules refused the action; the position is then unchanged.
    pub illegal: bool,
}

/// How far the episode of a game has come. A batch stores only the clock and the position of each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The seed that determines the starts of all episodes of the game.
    pub seed: u64,
    /// The number of the episode, from 0.
    pub episode: u64,
    /// The number of steps so far in this episode.
    pub steps: u32,
    /// Whether the episode has ended.
    pub over: bool,
}

/// `n` games stepped together. What happens in one game does not depend on the other games, on `n`, or on the number of
/// threads.
#[derive(Clone, Debug)]
pub struct Batch<G: Game> {
    slots: Vec<Slot<G>>,
    starts: Starts<G>,
    options: Options,
    /// The number of cells of one board.
    cells: usize,
    /// The number of points in the box of moves; `usize::MAX` if the number does not fit in a `usize`.
    moves: usize,
    /// The box of moves of each game.
    bounds: G::Move,
    /// The estimated work per game and step in nanoseconds, corrected by the steps that are timed. The estimate decides
    /// only whether other threads are woken; no result depends on it.
    cost: f32,
}

/// The number of moves that a draw for one game may examine while threads share the games; longer draws are repeated on
/// the caller's thread.
const QUICK: u64 = 1 << 12;

/// The least work, in nanoseconds, that is worth waking other threads for: the caller's thread finishes less work than
/// this before another thread wakes.
const WORTH_THREADS: f32 = 80_000.0;

/// The number of pieces into which the work of each thread is cut: other threads take over the pieces that a slow
/// thread has not begun.
const PIECES: usize = 8;

/// The number of pieces per thread for work that a budget watches. It is larger than [`PIECES`] because the caller's
/// thread cannot handle signals while it waits for the last pieces of other threads.
const WATCHED_PIECES: usize = 1 << 10;

/// Returns the error for a `game` that cannot be in one batch with `first`. The message begins with `subject`, such as
/// "starts[1] must have a board"; `place` names `first` or what it belongs to, such as "the batch".
#[cold]
fn unlike<G: Game>(subject: &str, game: &G, place: &str, first: &G) -> Error {
    let ((h, w), (height, width)) = ((game.height(), game.width()), (first.height(), first.width()));
    Error::Invalid(if (h, w) == (height, width) {
        format!("{subject} whose moves and codes mean the same as in {place}, got a {h} x {w} board of another kind")
    } else {
        format!("{subject} of {height} x {width} like {place}, got {h} x {w}")
    })
}

impl<G: Game> Batch<G> {
    /// Creates a batch of `n` games; game `i` has the seed `seed + i`, which wraps at 2^64. The budget counts the
    /// games, their cells, the moves of their boxes, and the moves that are examined in search of a legal one.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if `starts` is empty, fixed positions are not compatible with the first one
    /// ([`Game::is_compatible`]), or a fixed or generated position is over or has no legal move; [`Error::Memory`] if
    /// memory cannot hold `n` games; and [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the call.
    pub fn new(
        starts: Starts<G>,
        n: usize,
        seed: u64,
        options: Options,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Error> {
        Self::with_names(starts, |i| format!("starts[{i}]"), n, seed, options, budget)
    }

    /// Creates a batch as [`Batch::new`] does. `name` returns what errors call the fixed position with a given index,
    /// for a caller whose own argument is not named `starts`.
    ///
    /// # Errors
    /// Returns the errors of [`Batch::new`].
    pub fn with_names(
        starts: Starts<G>,
        name: impl Fn(usize) -> String,
        n: usize,
        seed: u64,
        options: Options,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Error> {
        let first = match &starts {
            Starts::Fixed(fixed) => {
                let first =
                    fixed.first().ok_or_else(|| Error::invalid("starts must hold at least one position, got none"))?;
                if let Some(i) = fixed.iter().position(|game| !first.is_compatible(game)) {
                    return Err(unlike(&format!("{} must have a board", name(i)), &fixed[i], &name(0), first));
                }
                for (i, game) in fixed.iter().enumerate() {
                    if let Some(state) = unplayable(game, budget)? {
                        return Err(Error::Invalid(format!(
                            "{} must be open with a legal move, got a position that {state}",
                            name(i)
                        )));
                    }
                }
                game::copied(first, 0)?
            }
            Starts::Generated(make) => make(seed_of(seed, 0)),
        };
        let (cells, bounds) = (first.height() * first.width(), first.bounds());
        let each = match &starts {
            Starts::Fixed(fixed) => fixed.iter().map(game::bytes).max().unwrap_or(0),
            Starts::Generated(_) => game::bytes(&first),
        };
        // A box whose volume does not fit in a `usize` has no mask.
        let moves = game::volume(bounds).unwrap_or(usize::MAX);
        let clock = Clock { seed: 0, episode: 0, steps: 0, over: false };
        let mut slots = Vec::new();
        // Reserved before the games are made: a batch that memory cannot hold fails at once.
        let what = format!("a batch of {}", counted(n as u64, "games"));
        slots.try_reserve_exact(n).map_err(|_| Error::memory(&what))?;
        let mut batch = Self { slots, starts, options, cells, moves, bounds, cost: 80.0 };
        memory::probe(n.saturating_mul(each).max(memory::SPARE), &what)?;
        // Games are started in pieces of about a million cells and moves, so that Ctrl-C takes effect between pieces.
        let piece = ((1 << 20) / batch.work().max(1)).max(1);
        for part in (0..n).step_by(piece).map(|start| start..n.min(start + piece)) {
            budget.spend(part.len() as u64)?;
            budget.pause()?;
            batch.slots.resize(part.end, Slot { game: first.clone(), clock });
            batch.probe_pieces()?;
            let shared = SharedBudget::new(budget);
            batch.restart_range(part.clone(), |i| Restart::Seed(seed.wrapping_add(i as u64)), Some(&shared));
            shared.finish()?;
            // Fixed positions were checked once above; generated ones differ from game to game.
            if matches!(batch.starts, Starts::Generated(_)) {
                for i in part {
                    if let Some(state) = unplayable(&batch.slots[i].game, budget)? {
                        return Err(Error::Invalid(format!(
                            "game {i} must start open with a legal move, got a generated position that {state}"
                        )));
                    }
                }
            }
        }
        Ok(batch)
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the number of cells of one board.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Returns the number of points in the box of moves; `usize::MAX` if the number does not fit in a `usize`.
    pub fn volume(&self) -> usize {
        self.moves
    }

    /// Returns the box of moves of each game.
    pub fn bounds(&self) -> G::Move {
        self.bounds
    }

    /// Returns the options that the batch was created with.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Iterates over the current positions of the games.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &G> {
        self.slots.iter().map(|slot| &slot.game)
    }

    /// Returns the current position of game `i`.
    ///
    /// # Panics
    /// If there is no game `i`.
    pub fn game(&self, i: usize) -> &G {
        &self.slots[i].game
    }

    /// Iterates over the clocks of the games.
    pub fn clocks(&self) -> impl ExactSizeIterator<Item = Clock> {
        self.slots.iter().map(|slot| slot.clock)
    }

    /// Checks that there is a game `i`.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if there is none.
    pub fn check_index(&self, i: usize) -> Result<(), Error> {
        match self.slots.len() {
            0 => Err(Error::Invalid(format!("i must be the index of a game, got {i} for a batch without games"))),
            n if i >= n => Err(Error::Invalid(format!("i must be between 0 and {}, got {i}", n - 1))),
            _ => Ok(()),
        }
    }

    /// Replaces the position of game `i` with `game`. No array is written: call [`Batch::write`] before the next step.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if there is no game `i` or `game` is not compatible with the position that it
    /// replaces ([`Game::is_compatible`]).
    pub fn set_game(&mut self, i: usize, game: G) -> Result<(), Error> {
        self.check_index(i)?;
        let slot = &mut self.slots[i];
        if !slot.game.is_compatible(&game) {
            return Err(unlike("game must have a board", &game, "the batch", &slot.game));
        }
        // The number of steps is kept: `max_steps` bounds the episode, not the position.
        slot.clock.over = game.status().is_over();
        slot.game = game;
        Ok(())
    }

    /// Sets the clock of game `i`.
    ///
    /// # Panics
    /// If there is no game `i`.
    pub fn set_clock(&mut self, i: usize, clock: Clock) {
        self.slots[i].clock = clock;
    }

    /// Starts the first episode of each game again, game `i` with the seed `seed + i`, which wraps at 2^64. No array is
    /// written: call [`Batch::write`] before the next step.
    pub fn seed(&mut self, seed: u64) {
        self.restart(|i| Restart::Seed(seed.wrapping_add(i as u64)));
    }

    /// Starts the next episode of the games for which `marked`, one `bool` per game, is `true`, or of all games if
    /// `marked` is `None`. No array is written: call [`Batch::write`] before the next step.
    ///
    /// # Panics
    /// If `marked` holds fewer flags than there are games.
    pub fn reset(&mut self, marked: Option<&[bool]>) {
        self.restart(|i| if marked.is_none_or(|marked| marked[i]) { Restart::Next } else { Restart::Stay });
    }

    /// Restarts games; `choose` receives the index of each game and decides what happens to it. No array is written:
    /// call [`Batch::write`] before the next step.
    pub fn restart(&mut self, choose: impl Fn(usize) -> Restart + Sync) {
        self.restart_range(0..self.slots.len(), choose, None);
    }

    /// Restarts games, writes all boards, masks and bitsets, and clears the results of the restarted games. `choose`
    /// decides as in [`Batch::restart`]; it may be called twice per game and must return the same decision both
    /// times.
    ///
    /// If there is a budget, games and arrays are copied first, and restored if the budget ends the call. The budget
    /// counts cells, moves of the box and copied array items. Returns how long the call took, excluding the copying, or
    /// `None` without a budget.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the call, and [`Error::Memory`] if memory
    /// for the call cannot be allocated. Games and arrays are then unchanged.
    pub fn restart_into(
        &mut self,
        choose: impl Fn(usize) -> Restart + Sync,
        mut out: Buffers<'_>,
        budget: Option<&mut Budget<'_>>,
    ) -> Result<Option<Duration>, Error> {
        self.transact(&mut out, budget, |batch, out, shared| {
            batch.restart_range(0..batch.slots.len(), &choose, shared);
            batch.write_all(out.board, out.mask, out.bits, shared);
            (0..batch.slots.len()).filter(|&i| choose(i) != Restart::Stay).for_each(|i| out.clear(i));
        })
    }

    /// Runs `change` on the games and arrays. If a budget ends the call, both are restored. Returns how long `change`
    /// took, excluding the copying before it, or `None` without a budget.
    fn transact(
        &mut self,
        out: &mut Buffers<'_>,
        budget: Option<&mut Budget<'_>>,
        change: impl FnOnce(&mut Self, &mut Buffers<'_>, Option<&SharedBudget<'_, '_>>),
    ) -> Result<Option<Duration>, Error> {
        let Some(budget) = budget else {
            change(self, out, None);
            return Ok(None);
        };
        self.probe_copy()?;
        let (backup, slots) = (out.backup(budget)?, self.slots_copied(budget)?);
        self.probe_pieces()?;
        let (began, shared) = (Instant::now(), SharedBudget::new(budget));
        change(self, out, Some(&shared));
        let spent = began.elapsed();
        shared.finish().map(|()| Some(spent)).inspect_err(|_| {
            self.slots = slots;
            out.restore(&backup);
        })
    }

    /// Copies all games and clocks, within a budget that counts cells and moves of the box.
    fn slots_copied(&self, budget: &mut Budget<'_>) -> Result<Vec<Slot<G>>, Error> {
        let mut slots = memory::with_capacity(self.slots.len(), "a copy of the games")?;
        for slot in &self.slots {
            budget.spend(self.work() as u64)?;
            slots.push(slot.clone());
        }
        Ok(slots)
    }

    /// Copies the batch, within a budget that counts cells and moves of the box.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the call, and [`Error::Memory`] if memory
    /// cannot hold the copy.
    pub fn copied(&self, budget: &mut Budget<'_>) -> Result<Self, Error> {
        self.probe_copy()?;
        Ok(Self { slots: self.slots_copied(budget)?, starts: self.starts.clone(), ..*self })
    }

    /// Checks that memory can hold copies of all positions, which are then made without a check.
    fn probe_copy(&self) -> Result<(), Error> {
        let bytes: usize = self.slots.iter().map(|slot| game::bytes(&slot.game)).sum();
        memory::probe(bytes.max(memory::SPARE), "a copy of the games")
    }

    /// Returns the work that a budget counts for one game: its cells, and the moves of its box if there are at most
    /// 2^24.
    fn work(&self) -> usize {
        self.cells + if self.moves <= 1 << 24 { self.moves } else { 0 }
    }

    /// Restarts the games of a range, as [`Batch::restart`] does for all games.
    fn restart_range(
        &mut self,
        range: Range<usize>,
        choose: impl Fn(usize) -> Restart + Sync,
        shared: Option<&SharedBudget<'_, '_>>,
    ) {
        let ((threads, size), work) = (self.pieces(shared.is_some()), self.work());
        let (starts, first) = (&self.starts, range.start);
        let pieces = self.slots[range].chunks_mut(size).enumerate().collect();
        pool::share(threads, pieces, |(k, slots): (usize, &mut [Slot<G>])| {
            let share = shared.map(|shared| shared.share(slots.len(), work));
            for (i, slot) in slots.iter_mut().enumerate() {
                if share.is_some_and(|share| !share.may_continue()) {
                    return;
                }
                match choose(first + k * size + i) {
                    Restart::Stay => continue,
                    Restart::Next => slot.clock.episode = slot.clock.episode.wrapping_add(1),
                    Restart::Seed(seed) => (slot.clock.seed, slot.clock.episode) = (seed, 0),
                }
                slot.start(starts);
            }
        });
    }

    /// Replaces the position of game `i` as [`Batch::set_game`] does, writes its rows, and clears its results.
    ///
    /// # Errors
    /// Returns the errors of [`Batch::set_game`].
    #[allow(clippy::needless_pass_by_value)] // the slices are borrowed for the call
    pub fn set_game_into(&mut self, i: usize, game: G, mut out: Buffers<'_>) -> Result<(), Error> {
        self.set_game(i, game)?;
        let widths = out.widths(self.slots.len());
        let board = row(out.board, i, widths.cells);
        let mask = row(out.mask, i, widths.moves);
        let bits = row(out.bits, i, widths.bytes);
        write_rows(&self.slots[i..=i], board, mask, bits, || true);
        out.clear(i);
        Ok(())
    }

    /// Returns the number of threads to use, and the number of games per piece of work; `watched` indicates whether a
    /// budget watches the work.
    fn pieces(&self, watched: bool) -> (usize, usize) {
        let n = self.slots.len();
        let threads = match self.options.threads {
            0 if n as f32 * self.cost < WORTH_THREADS => 1,
            asked => pool::threads_for(asked),
        };
        // A single thread gets a single piece, as no other thread could take over a second one.
        let pieces = match threads {
            1 => 1,
            _ => threads * if watched { WATCHED_PIECES } else { PIECES },
        };
        (threads, n.div_ceil(pieces).max(1))
    }

    /// Checks that memory can hold the list of pieces of a call that has a budget: a batch of many games can have
    /// thousands of pieces.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the memory cannot be allocated.
    fn probe_pieces(&self) -> Result<(), Error> {
        let pieces = self.slots.len().div_ceil(self.pieces(true).1);
        // The list of the pieces of a step takes more bytes than that of any other call.
        memory::probe(pieces * size_of::<Piece<'_, '_, G>>(), "the work on a batch of this size")
    }

    /// Writes all boards, `n * cells` bytes, and all masks, `n * volume` bools; an empty slice is skipped.
    pub fn write(&self, board: &mut [u8], mask: &mut [bool]) {
        self.write_all(board, mask, &mut [], None);
    }

    /// Writes the legal-move masks as bitsets, least significant bit first: `volume` bits per game, padded to whole
    /// bytes.
    pub fn write_bits(&self, bits: &mut [u8]) {
        self.write_all(&mut [], &mut [], bits, None);
    }

    /// Writes boards, masks and bitsets within a budget, which counts cells and moves; an empty slice is skipped.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the call; some games are then not written.
    /// Returns [`Error::Memory`] if memory for the call cannot be allocated.
    pub fn write_within(
        &self,
        board: &mut [u8],
        mask: &mut [bool],
        bits: &mut [u8],
        budget: &mut Budget<'_>,
    ) -> Result<(), Error> {
        self.probe_pieces()?;
        let shared = SharedBudget::new(budget);
        self.write_all(board, mask, bits, Some(&shared));
        shared.finish()
    }

    /// Writes boards, masks and bitsets of all games; an empty slice is skipped.
    fn write_all(&self, board: &mut [u8], mask: &mut [bool], bits: &mut [u8], shared: Option<&SharedBudget<'_, '_>>) {
        let ((threads, size), n, work) = (self.pieces(shared.is_some()), self.slots.len(), self.work());
        let (mut board, mut mask, mut bits) = (Rows::new(board, n), Rows::new(mask, n), Rows::new(bits, n));
        let mut pieces = Vec::with_capacity(n.div_ceil(size));
        for slots in self.slots.chunks(size) {
            let games = slots.len();
            pieces.push((slots, board.take(games), mask.take(games), bits.take(games)));
        }
        pool::share(threads, pieces, |(slots, board, mask, bits)| {
            let share = shared.map(|shared| shared.share(slots.len(), work));
            write_rows(slots, board, mask, bits, || share.is_none_or(Share::may_continue));
        });
    }

    /// Makes one move in each game whose episode is not over; the other games follow [`Autoreset`], and their actions
    /// are ignored but must lie in the box. `value` maps the outcome of a step to the number that is written to
    /// `out.value`.
    ///
    /// `out.board` and `out.mask` are updated, not rewritten: they must hold the current boards and masks, as
    /// [`Batch::write`] or the last step left them.
    ///
    /// An action that the rules refuse leaves the position of its game unchanged and is marked in `out.illegal`.
    ///
    /// # Errors
    /// Returns [`Error::Move`] if there is not exactly one action per game or an action lies outside the box of moves,
    /// and [`Error::Memory`] if memory cannot hold one more move of a game. The games are then unchanged.
    #[inline]
    pub fn step(
        &mut self,
        actions: Actions<'_>,
        out: Buffers<'_>,
        value: impl Fn(Outcome) -> f64 + Sync,
    ) -> Result<(), Error> {
        self.step_within(actions, out, value, None).map(drop)
    }

    /// Makes one move in each game as [`Batch::step`] does. If there is a budget, games and arrays are copied first,
    /// and restored if the budget ends the call. The budget counts cells, moves of the box and copied array items.
    /// Returns how long the call took, excluding the copying, or `None` without a budget.
    ///
    /// # Errors
    /// Returns the errors of [`Batch::step`] and [`Batch::restart_into`]; games and arrays are then unchanged.
    pub fn step_within(
        &mut self,
        actions: Actions<'_>,
        mut out: Buffers<'_>,
        value: impl Fn(Outcome) -> f64 + Sync,
        budget: Option<&mut Budget<'_>>,
    ) -> Result<Option<Duration>, Error> {
        self.check_actions(actions)?;
        for slot in &mut self.slots {
            slot.game.room_to_play(1)?;
        }
        self.transact(&mut out, budget, |batch, out, shared| batch.step_all(actions, out.reborrow(), value, shared))
    }

    /// Makes one move in each game: pieces of slots, with their rows of all arrays, are shared among the threads. All
    /// actions must lie in the box.
    fn step_all(
        &mut self,
        actions: Actions<'_>,
        out: Buffers<'_>,
        value: impl Fn(Outcome) -> f64 + Sync,
        shared: Option<&SharedBudget<'_, '_>>,
    ) {
        let n = self.slots.len();
        assert_eq!(actions.numbers().len(), n * actions.rank::<G::Move>(), "one action per game");
        let ((threads, size), work) = (self.pieces(shared.is_some()), self.work());
        // The time is measured only if the number of threads depends on it.
        let began = (self.options.threads == 0 && n > 1).then(Instant::now);
        let (starts, ending, bounds) = (&self.starts, Ending::new(&self.options), self.bounds);
        let widths = out.widths(n);
        let run =
            |piece| step_piece(piece, starts, ending, bounds, widths, &value, shared.map(|shared| (shared, work)));
        // A batch of one piece, such as that of a single environment, needs no list of pieces.
        if n <= size {
            run((&mut self.slots, actions, out));
        } else {
            let pieces = self.slots.chunks_mut(size).zip(out.chunks(n, size)).enumerate().map(|(k, (slots, out))| {
                let actions = actions.chunk::<G::Move>(k * size, slots.len());
                (slots, actions, out)
            });
            pool::share(threads, pieces.collect(), run);
        }
        if let Some(began) = began {
            let spent = began.elapsed().as_nanos() as f32 * threads as f32 / self.slots.len() as f32;
            // A moving average over about ten steps; the cap bounds the weight of a step that the system interrupted.
            self.cost += 0.1 * (spent.min(1e6) - self.cost);
        }
    }

    /// Returns the bound below which flat actions must lie: the number of points in the box of moves, but at most
    /// `i64::MAX`, so that negative numbers are outside every box.
    fn flat_bound(&self) -> u64 {
        (self.moves as u64).min(i64::MAX as u64)
    }

    /// Checks all actions against the box of moves, before any game is changed.
    #[inline]
    fn check_actions(&self, actions: Actions<'_>) -> Result<(), Error> {
        let (n, rank, numbers) = (self.slots.len(), actions.rank::<G::Move>(), actions.numbers().len());
        if numbers != n * rank {
            let expected = counted((n * rank) as u64, "numbers");
            return Err(Error::Move(format!("actions must hold {expected}, got {numbers}")));
        }
        // A negative number is huge as `u64`, so one comparison checks both bounds. There is no early exit: without
        // branches the compiler uses vector instructions.
        let mut fits = true;
        match actions {
            Actions::Flat(numbers) => {
                let bound = self.flat_bound();
                for &number in numbers {
                    fits &= (number as u64) < bound;
                }
            }
            Actions::Points(numbers) => {
                for numbers in numbers.chunks_exact(G::Move::RANK) {
                    for (&number, &bound) in numbers.iter().zip(self.bounds.coords()) {
                        fits &= (number as u64) < bound as u64;
                    }
                }
            }
        }
        if fits { Ok(()) } else { Err(self.outside(actions)) }
    }

    /// Returns the error for the first action outside the box.
    #[cold]
    fn outside(&self, actions: Actions<'_>) -> Error {
        // A caller may use a batch of one game as a single environment, so the message has no index.
        let single = self.slots.len() == 1;
        let rows = actions.numbers().chunks_exact(actions.rank::<G::Move>()).zip(&self.slots).enumerate();
        for (i, (numbers, slot)) in rows {
            let name = if single { "action".to_owned() } else { format!("actions[{i}]") };
            match actions {
                Actions::Flat(_) if (numbers[0] as u64) >= self.flat_bound() => {
                    let (most, found) = (self.flat_bound() as i64 - 1, game::shown(numbers[0]));
                    return Error::Move(format!("{name} must be between 0 and {most}, got {found}"));
                }
                Actions::Flat(_) => {}
                Actions::Points(_) => {
                    if let Err(error) = game::lookup(&slot.game, numbers) {
                        return if single { error } else { Error::Move(format!("{name}: {error}")) };
                    }
                }
            }
        }
        unreachable!("one of the actions lies outside the box")
    }

    /// Draws a legal action for each game into `actions`, `n * RANK` coordinates; a game without a legal move gets
    /// zeros. Each draw depends only on `seed`, the index of the game and its position.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the call; `actions` may then be partly
    /// written. The budget counts the games, and the moves that long draws examine. Returns [`Error::Memory`] if
    /// memory for the call cannot be allocated.
    pub fn sample_legal(&self, seed: u64, actions: &mut [i64], budget: &mut Budget<'_>) -> Result<(), Error> {
        let rank = G::Move::RANK;
        let write = |action: &mut [i64], mv: Option<G::Move>| {
            for (number, &part) in action.iter_mut().zip(mv.unwrap_or(G::Move::ZERO).coords()) {
                *number = i64::from(part);
            }
        };
        self.probe_pieces()?;
        let (threads, size) = self.pieces(true);
        let pieces: Vec<_> = self.slots.chunks(size).zip(actions.chunks_mut(size * rank)).enumerate().collect();
        let (slow, shared) = (Mutex::new(Vec::new()), SharedBudget::new(budget));
        pool::share(threads, pieces, |(k, (slots, actions))| {
            let share = shared.share(slots.len(), 1);
            for (i, (slot, action)) in slots.iter().zip(actions.chunks_exact_mut(rank)).enumerate() {
                if !share.may_continue() {
                    return;
                }
                // The index of the game chooses the stream, so that the draw does not depend on threads and pieces.
                let mut rng = Rng::stream(seed, (k * size + i) as u64);
                match game::sample_within(&slot.game, &mut rng, &mut Budget::new("moves", Some(QUICK), None)) {
                    Ok(mv) => write(action, mv),
                    Err(_) => slow.lock().unwrap_or_else(PoisonError::into_inner).push(k * size + i),
                }
            }
        });
        shared.finish()?;
        // Long draws are repeated here from the beginning of their streams; the caller's budget can end them.
        for i in slow.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let mv = game::sample_within(&self.slots[i].game, &mut Rng::stream(seed, i as u64), budget)?;
            write(&mut actions[i * rank..(i + 1) * rank], mv);
        }
        Ok(())
    }
}

/// Writes boards, masks and bitsets of games; an empty slice is skipped. Calls `may_continue` before each game, and
/// stops when it returns `false`.
fn write_rows<G: Game>(
    slots: &[Slot<G>],
    board: &mut [u8],
    mask: &mut [bool],
    bits: &mut [u8],
    may_continue: impl Fn() -> bool,
) {
    let [cells, moves, bytes] = [board.len(), mask.len(), bits.len()].map(|items| row_len(items, slots.len()));
    for (i, slot) in slots.iter().enumerate() {
        if !may_continue() {
            return;
        }
        if cells > 0 {
            slot.game.write_board(row(board, i, cells));
        }
        if moves > 0 {
            game::write_mask(&slot.game, row(mask, i, moves));
        }
        if bytes > 0 {
            game::write_bits(&slot.game, row(bits, i, bytes));
        }
    }
}

/// Returns why a game cannot be played ("is won", "has no legal move"); `None` if it can.
fn unplayable<G: Game>(game: &G, budget: &mut Budget<'_>) -> Result<Option<String>, Error> {
    let status = game.status();
    if status.is_over() {
        return Ok(Some(format!("is {status}")));
    }
    let flow = game.each_legal_within(budget, |_| ControlFlow::Break(()))?;
    Ok(flow.is_continue().then(|| "has no legal move".to_owned()))
}

/// What [`Batch::restart`] does to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// The episode of the game continues.
    Stay,
    /// The next episode of the game starts.
    Next,
    /// The game gets this seed and starts its first episode.
    Seed(u64),
}
