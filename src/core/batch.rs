//! Many positions of one game stepped together; the results are written straight into the caller's arrays.

use std::fmt;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::budget::{self, Budget};
use super::error::Error;
use super::game::{self, Game, Point, Status};
use super::pool;
use super::rng::{self, Rng};

/// The positions at which the games of a batch start.
#[derive(Clone)]
pub enum Starts<G> {
    /// Episode `e` of the game with seed `s` starts at the position with index `(s + e) % len`; the sum wraps at 2^64.
    Fixed(Arc<[G]>),
    /// Each episode starts at a position generated from a seed of its own.
    Made(Arc<dyn Fn(u64) -> G + Send + Sync>),
}

impl<G> fmt::Debug for Starts<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(starts) => write!(f, "Fixed({} positions)", starts.len()),
            Self::Made(_) => f.write_str("Made(..)"),
        }
    }
}

/// When a game that has ended starts its next episode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// In the step after the one that ended it; the action of that step is ignored.
    #[default]
    NextStep,
    /// Within the step that ended it; [`Buffers::final_board`] and [`Buffers::final_mask`] keep the last board and
    /// mask.
    SameStep,
    /// Never: the caller resets the game.
    Disabled,
}

/// How a batch runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// When ended games start their next episode.
    pub autoreset: Autoreset,
    /// The number of steps after which an episode is cut off; `None` for no bound.
    pub max_steps: Option<u32>,
    /// The number of threads; 0 lets the batch choose by its size and the measured cost of a step.
    pub threads: usize,
}

/// One action per game.
#[derive(Clone, Copy, Debug)]
pub enum Actions<'a> {
    /// The coordinates of each move, `n * RANK` numbers.
    Points(&'a [i64]),
    /// The row-major index of each move in the box of moves, `n` numbers.
    Flat(&'a [i64]),
}

impl<'a> Actions<'a> {
    fn numbers(self) -> &'a [i64] {
        match self {
            Self::Points(numbers) | Self::Flat(numbers) => numbers,
        }
    }

    /// Returns how many numbers describe one move.
    fn rank<P: Point>(self) -> usize {
        match self {
            Self::Points(_) => P::RANK,
            Self::Flat(_) => 1,
        }
    }

    /// Returns the actions of the `n` games that begin with game `from`.
    fn chunk<P: Point>(self, from: usize, n: usize) -> Self {
        let rank = self.rank::<P>();
        let part = |numbers: &'a [i64]| &numbers[from * rank..(from + n) * rank];
        match self {
            Self::Points(numbers) => Self::Points(part(numbers)),
            Self::Flat(numbers) => Self::Flat(part(numbers)),
        }
    }

    /// Returns the move of game `i`, which must lie in the box.
    #[inline(always)]
    fn at<P: Point>(self, bounds: P, i: usize) -> P {
        match self {
            Self::Points(numbers) => {
                let mut mv = P::ZERO;
                for (part, &number) in mv.coords_mut().iter_mut().zip(&numbers[i * P::RANK..(i + 1) * P::RANK]) {
                    *part = number as i32;
                }
                mv
            }
            Self::Flat(numbers) => game::unravel(bounds, numbers[i] as usize),
        }
    }
}

/// What one step did to a game that was open before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether the game is open after the step, or how it ended.
    pub status: Status,
    /// Whether the rules refused the action; the game then stays as it was.
    pub illegal: bool,
}

/// The caller's arrays, one row per game, written in place. Sizes are given for a batch of `n` games.
#[derive(Debug)]
pub struct Buffers<'a> {
    /// Boards as players see them, `n * height * width`.
    pub board: &'a mut [u8],
    /// Legal moves, `n * volume(bounds)`; empty if not requested.
    pub mask: &'a mut [bool],
    /// What the `value` argument of [`Batch::step`] returned for the last step, `n`; 0 for a game that was already
    /// over.
    pub value: &'a mut [f64],
    /// Whether the last step ended the game by its rules, `n`.
    pub terminated: &'a mut [bool],
    /// Whether the last step was cut off by `max_steps`, `n`.
    pub truncated: &'a mut [bool],
    /// Whether the rules refused the last action, `n`.
    pub illegal: &'a mut [bool],
    /// Last boards of the games that [`Autoreset::SameStep`] restarted, laid out like `board`; empty if not requested.
    pub final_board: &'a mut [u8],
    /// Last masks of the games that [`Autoreset::SameStep`] restarted, laid out like `mask`; empty if not requested.
    /// They are copied from `mask`: if `mask` is empty, nothing is ever written here.
    pub final_mask: &'a mut [bool],
}

/// A caller's array that is handed out in pieces of whole games.
struct Rows<'a, T> {
    rest: &'a mut [T],
    per_game: usize,
}

impl<'a, T> Rows<'a, T> {
    /// Takes an array of `games` rows. An empty array stands for one that was not requested: its rows have no items.
    fn new(items: &'a mut [T], games: usize) -> Self {
        // A batch of no games divides by 1 instead of 0.
        Self { per_game: items.len() / games.max(1), rest: items }
    }

    /// Returns the rows of the next `games` games.
    fn take(&mut self, games: usize) -> &'a mut [T] {
        // `take` leaves an empty slice behind, so that the piece keeps the full lifetime of the array.
        let (first, rest) = std::mem::take(&mut self.rest).split_at_mut(games * self.per_game);
        self.rest = rest;
        first
    }
}

/// How far the episode of a game has come. The clock and the position are all that a batch knows of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The seed from which the starts of all episodes of the game follow.
    pub seed: u64,
    /// The number of the episode, from 0.
    pub episode: u64,
    /// The number of steps so far in this episode.
    pub steps: u32,
    /// Whether the episode has ended.
    pub over: bool,
}

/// One game of a batch.
#[derive(Clone, Debug)]
struct Slot<G> {
    game: G,
    clock: Clock,
}

/// The state of all games of a batch, for planning and for checkpoints.
#[derive(Clone, Debug)]
pub struct Snapshot<G>(Vec<Slot<G>>);

impl<G> Snapshot<G> {
    /// Collects the positions and clocks of a saved batch.
    pub fn new(games: impl Iterator<Item = (G, Clock)>) -> Self {
        Self(games.map(|(game, clock)| Slot { game, clock }).collect())
    }
}

/// `n` games stepped together. What happens in one does not depend on the others, on `n`, or on the number of threads.
#[derive(Clone, Debug)]
pub struct Batch<G: Game> {
    slots: Vec<Slot<G>>,
    starts: Starts<G>,
    options: Options,
    /// The number of cells of one board.
    cells: usize,
    /// The number of points in the box of moves, `usize::MAX` if it does not fit a `usize`.
    moves: usize,
    /// The box of moves of each game.
    bounds: G::Move,
    /// Measured nanoseconds of work per game and step; decides when threads are worth waking. Never visible in results.
    cost: f32,
}

/// How many moves the draw for one game may look at on a worker thread; longer draws are left to the caller's thread.
const QUICK: u64 = 1 << 12;

/// The nanoseconds of work from which waking threads pays: the caller's thread finishes less work before another one
/// wakes.
const WORTH_THREADS: f32 = 80_000.0;

/// The number of pieces that the work of one thread is cut into: other threads take over the pieces that a late one has
/// not begun.
const PIECES: usize = 8;

/// Checks that two positions can be in one batch; the error message begins with `name`, the argument that holds them.
fn alike<G: Game>(name: &str, first: &G, other: &G) -> Result<(), Error> {
    if first.is_compatible(other) {
        return Ok(());
    }
    let (h, w, h2, w2) = (first.height(), first.width(), other.height(), other.width());
    let found =
        if (h, w) == (h2, w2) { format!("two kinds of {h} x {w}") } else { format!("{h} x {w} and {h2} x {w2}") };
    Err(Error::Invalid(format!("{name} must be of one kind and size, got {found}")))
}

impl<G: Game> Batch<G> {
    /// Creates a batch of `n` games; game `i` has the seed `seed + i`, which wraps at 2^64. The budget counts games and
    /// the moves that are looked at.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if `starts` is empty, its positions differ in kind or size, or a game would start at
    /// a position that is over or has no legal move; [`Error::Memory`] if memory cannot hold `n` games;
    /// [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the call.
    pub fn new(
        starts: Starts<G>,
        n: usize,
        seed: u64,
        options: Options,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Error> {
        let first = match &starts {
            Starts::Fixed(fixed) => {
                let first = fixed.first().ok_or_else(|| Error::invalid("starts must hold at least one position"))?;
                fixed.iter().try_for_each(|game| alike("starts", first, game))?;
                for (i, game) in fixed.iter().enumerate() {
                    if let Some(state) = unplayable(game, budget)? {
                        return Err(Error::Invalid(format!(
                            "position {i} must be open with a legal move, got one that {state}"
                        )));
                    }
                }
                first.clone()
            }
            Starts::Made(make) => make(seed_of(seed, 0)),
        };
        let (cells, bounds) = (first.height() * first.width(), first.bounds());
        // A box whose volume fits no `usize` has no mask.
        let moves = game::volume(bounds).unwrap_or(usize::MAX);
        let clock = Clock { seed: 0, episode: 0, steps: 0, over: false };
        let mut slots = Vec::new();
        // Reserved before the first game is made: a batch that memory cannot hold fails at once.
        slots.try_reserve_exact(n).map_err(|_| Error::memory(format_args!("a batch of {n} games")))?;
        let mut batch = Self { slots, starts, options, cells, moves, bounds, cost: 80.0 };
        // Games are started in pieces, so that Ctrl-C is answered between them.
        for part in budget::pieces(n) {
            budget.spend(part.len() as u64)?;
            budget.pause()?;
            batch.slots.resize(part.end, Slot { game: first.clone(), clock });
            batch.restart_range(part.clone(), |i| Restart::Seed(seed.wrapping_add(i as u64)));
            // Fixed positions were checked once above; generated ones differ from game to game.
            if matches!(batch.starts, Starts::Made(_)) {
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

    /// Returns the number of points in the box of moves, `usize::MAX` if it does not fit a `usize`.
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

    /// Iterates over the clocks of the games.
    pub fn clocks(&self) -> impl ExactSizeIterator<Item = Clock> {
        self.slots.iter().map(|slot| slot.clock)
    }

    /// Replaces the position of game `i`. No array is written: call [`Batch::write`] before the next step.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if there is no game `i` or the position is of another kind or size.
    pub fn set_game(&mut self, i: usize, game: G) -> Result<(), Error> {
        let n = self.slots.len();
        let Some(slot) = self.slots.get_mut(i) else {
            return Err(Error::Invalid(format!("i must be between 0 and {}, got {i}", n.saturating_sub(1))));
        };
        alike("game", &slot.game, &game)?;
        // The number of steps goes on: `max_steps` bounds the episode, not the position.
        slot.clock.over = game.status().is_over();
        slot.game = game;
        Ok(())
    }

    /// Sets how far the episode of game `i` has come. Panics if there is no game `i`.
    pub fn set_clock(&mut self, i: usize, clock: Clock) {
        self.slots[i].clock = clock;
    }

    /// Starts the first episode of each game anew, game `i` with the seed `seed + i`, which wraps at 2^64.
    pub fn seed(&mut self, seed: u64) {
        self.restart(|i| Restart::Seed(seed.wrapping_add(i as u64)));
    }

    /// Starts the next episode of the games that `marked` marks, one `bool` per game, or of all games if it is `None`.
    pub fn reset(&mut self, marked: Option<&[bool]>) {
        self.restart(|i| if marked.is_none_or(|marked| marked[i]) { Restart::Next } else { Restart::Stay });
    }

    /// Restarts games; `choose` gets the index of each game and decides how.
    pub fn restart(&mut self, choose: impl Fn(usize) -> Restart + Sync) {
        self.restart_range(0..self.slots.len(), choose);
    }

    fn restart_range(&mut self, range: Range<usize>, choose: impl Fn(usize) -> Restart + Sync) {
        let (threads, size) = self.pieces();
        let (starts, first) = (&self.starts, range.start);
        let pieces = self.slots[range].chunks_mut(size).enumerate().collect();
        pool::share(threads, pieces, |(k, slots): (usize, &mut [Slot<G>])| {
            for (i, slot) in slots.iter_mut().enumerate() {
                match choose(first + k * size + i) {
                    Restart::Stay => continue,
                    Restart::Next => slot.clock.episode = slot.clock.episode.wrapping_add(1),
                    Restart::Seed(seed) => (slot.clock.seed, slot.clock.episode) = (seed, 0),
                }
                slot.start(starts);
            }
        });
    }

    /// Returns the state of all games, for [`Batch::restore`].
    pub fn snapshot(&self) -> Snapshot<G> {
        Snapshot(self.slots.clone())
    }

    /// Goes back to a snapshot of this batch or of a batch with the same number, kind and size of games.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the snapshot has another number of games, or games of another kind or size; the
    /// batch is then unchanged.
    pub fn restore(&mut self, snapshot: &Snapshot<G>) -> Result<(), Error> {
        let (n, found) = (self.slots.len(), snapshot.0.len());
        if found != n {
            return Err(Error::Invalid(format!("state must be of {n} games, got {found}")));
        }
        self.slots.iter().zip(&snapshot.0).try_for_each(|(mine, other)| alike("state", &mine.game, &other.game))?;
        self.slots.clone_from(&snapshot.0);
        Ok(())
    }

    /// Returns the number of threads to use, and the number of games in a piece of work.
    fn pieces(&self) -> (usize, usize) {
        let n = self.slots.len();
        let threads = match self.options.threads {
            0 if n as f32 * self.cost < WORTH_THREADS => 1,
            asked => pool::shared_by(asked),
        };
        // A single thread gets a single piece, as no other thread could take over a second one.
        let pieces = if threads == 1 { 1 } else { threads * PIECES };
        (threads, n.div_ceil(pieces).max(1))
    }

    /// Writes all boards, `n * cells` bytes, and all masks, `n * volume` bools, unless `mask` is empty.
    pub fn write(&self, board: &mut [u8], mask: &mut [bool]) {
        let (cells, moves) = (self.cells, if mask.is_empty() { 0 } else { self.moves });
        let (threads, size) = self.pieces();
        let n = self.slots.len();
        let (mut board, mut mask) = (Rows::new(board, n), Rows::new(mask, n));
        let pieces =
            self.slots.chunks(size).map(|slots| (slots, board.take(slots.len()), mask.take(slots.len()))).collect();
        pool::share(threads, pieces, |(slots, board, mask): (&[Slot<G>], &mut [u8], &mut [bool])| {
            for (i, slot) in slots.iter().enumerate() {
                slot.game.write_board(&mut board[i * cells..(i + 1) * cells]);
                if moves > 0 {
                    game::write_mask(&slot.game, &mut mask[i * moves..(i + 1) * moves]);
                }
            }
        });
    }

    /// Writes the legal-move masks as bitsets, least significant bit first: `volume` bits per game, padded to whole
    /// bytes.
    pub fn write_bits(&self, bits: &mut [u8]) {
        // At least one byte, because chunks must not be empty.
        let (bytes, (threads, size)) = (self.moves.div_ceil(8).max(1), self.pieces());
        let pieces = self.slots.chunks(size).zip(bits.chunks_mut(size * bytes)).collect();
        pool::share(threads, pieces, |(slots, bits): (&[Slot<G>], &mut [u8])| {
            for (slot, bits) in slots.iter().zip(bits.chunks_exact_mut(bytes)) {
                game::write_bits(&slot.game, bits);
            }
        });
    }

    /// Makes one move in each game. `value` maps the outcome of a step to the number that is written to `out.value`.
    ///
    /// An action that the rules refuse leaves its game as it was and is marked in `out.illegal`.
    ///
    /// # Errors
    /// Returns [`Error::Move`] if an action lies outside the box of moves. The message names the action, and no game is
    /// changed.
    ///
    /// # Panics
    /// If there is not exactly one action per game.
    #[allow(clippy::needless_pass_by_value)] // the slices are lent for the call
    pub fn step(
        &mut self,
        actions: Actions<'_>,
        out: Buffers<'_>,
        value: impl Fn(Outcome) -> f64 + Sync,
    ) -> Result<(), Error> {
        let n = self.slots.len();
        assert_eq!(actions.numbers().len(), n * actions.rank::<G::Move>(), "one action per game");
        self.admit(actions)?;
        let (cells, moves) = (self.cells, if out.mask.is_empty() { 0 } else { self.moves });
        let finals = if out.final_board.is_empty() { 0 } else { cells };
        let final_moves = if out.final_mask.is_empty() { 0 } else { moves };
        let (threads, size) = self.pieces();
        // The time is measured only if the number of threads depends on it.
        let began = (self.options.threads == 0 && n > 1).then(Instant::now);
        let (mut board, mut mask) = (Rows::new(out.board, n), Rows::new(out.mask, n));
        let (mut values, mut terminated) = (Rows::new(out.value, n), Rows::new(out.terminated, n));
        let (mut truncated, mut illegal) = (Rows::new(out.truncated, n), Rows::new(out.illegal, n));
        let (mut final_board, mut final_mask) = (Rows::new(out.final_board, n), Rows::new(out.final_mask, n));
        let mut pieces = Vec::with_capacity(n.div_ceil(size));
        for (k, slots) in self.slots.chunks_mut(size).enumerate() {
            let games = slots.len();
            let piece = Buffers {
                board: board.take(games),
                mask: mask.take(games),
                value: values.take(games),
                terminated: terminated.take(games),
                truncated: truncated.take(games),
                illegal: illegal.take(games),
                final_board: final_board.take(games),
                final_mask: final_mask.take(games),
            };
            pieces.push((slots, actions.chunk::<G::Move>(k * size, games), piece));
        }
        let (starts, options, bounds) = (&self.starts, self.options, self.bounds);
        pool::share(threads, pieces, |(slots, actions, out)| {
            for (i, slot) in slots.iter_mut().enumerate() {
                let row = Row {
                    board: &mut out.board[i * cells..(i + 1) * cells],
                    mask: &mut out.mask[i * moves..(i + 1) * moves],
                    final_board: &mut out.final_board[i * finals..(i + 1) * finals],
                    final_mask: &mut out.final_mask[i * final_moves..(i + 1) * final_moves],
                };
                // The outcome is `None` if the game was over before the step.
                let (outcome, cut) = slot.step(starts, &options, actions.at(bounds, i), row);
                out.value[i] = outcome.map_or(0.0, &value);
                out.terminated[i] = outcome.is_some_and(|outcome| outcome.status.is_over());
                out.truncated[i] = cut;
                out.illegal[i] = outcome.is_some_and(|outcome| outcome.illegal);
            }
        });
        if let Some(began) = began {
            let spent = began.elapsed().as_nanos() as f32 * threads as f32 / self.slots.len() as f32;
            // A moving average over about ten steps; the cap keeps one interrupted step from counting as a slow game.
            self.cost += 0.1 * (spent.min(1e6) - self.cost);
        }
        Ok(())
    }

    /// Checks all actions against the box of moves, before any game is changed.
    #[inline]
    fn admit(&self, actions: Actions<'_>) -> Result<(), Error> {
        // A negative number is huge as `u64`, so one comparison checks both bounds. There is no early exit: without
        // branches the compiler uses vector instructions.
        let mut fits = true;
        match actions {
            Actions::Flat(numbers) => {
                let most = self.moves as u64;
                for &number in numbers {
                    fits &= (number as u64) < most;
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
        // To its caller a batch of one is a single game, so that the message has no index.
        let single = self.slots.len() == 1;
        let rows = actions.numbers().chunks_exact(actions.rank::<G::Move>()).zip(&self.slots).enumerate();
        for (i, (numbers, slot)) in rows {
            let name = if single { "action".to_owned() } else { format!("actions[{i}]") };
            match actions {
                Actions::Flat(_) if (numbers[0] as u64) >= self.moves as u64 => {
                    let (most, found) = (self.moves as i64 - 1, game::shown(numbers[0]));
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
        Error::Move("actions must lie in the box of moves".to_owned())
    }

    /// Draws a legal action for each game into `actions`, `n * RANK` numbers; a game without a legal move gets zeros.
    /// Each draw depends only on `seed`, the index of the game and its position.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the call. It counts the moves that are
    /// looked at in games whose legal moves are rare in the box.
    pub fn sample_legal(&self, seed: u64, actions: &mut [i64], budget: &mut Budget<'_>) -> Result<(), Error> {
        let rank = G::Move::RANK;
        let write = |action: &mut [i64], mv: Option<G::Move>| {
            for (number, &part) in action.iter_mut().zip(mv.unwrap_or(G::Move::ZERO).coords()) {
                *number = i64::from(part);
            }
        };
        let (threads, size) = self.pieces();
        let pieces: Vec<_> = self.slots.chunks(size).zip(actions.chunks_mut(size * rank)).enumerate().collect();
        let slow = Mutex::new(Vec::new());
        pool::share(threads, pieces, |(k, (slots, actions))| {
            for (i, (slot, action)) in slots.iter().zip(actions.chunks_exact_mut(rank)).enumerate() {
                // The index of the game chooses the stream, so that the draw does not depend on threads and pieces.
                let mut rng = Rng::stream(seed, (k * size + i) as u64);
                match game::sample_within(&slot.game, &mut rng, &mut Budget::new("moves", Some(QUICK), None)) {
                    Ok(mv) => write(action, mv),
                    Err(_) => slow.lock().unwrap_or_else(PoisonError::into_inner).push(k * size + i),
                }
            }
        });
        // Long draws are repeated here from the beginning of their streams, where the budget of the caller can end
        // them.
        for i in slow.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let mv = game::sample_within(&self.slots[i].game, &mut Rng::stream(seed, i as u64), budget)?;
            write(&mut actions[i * rank..(i + 1) * rank], mv);
        }
        Ok(())
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

/// Returns the seed of an episode, a hash of the seed of the game and the number of the episode: no generator is
/// shared. Episode 0 has the seed of the game itself.
fn seed_of(seed: u64, episode: u64) -> u64 {
    if episode == 0 { seed } else { rng::mix(rng::mix(seed) ^ episode) }
}

/// What [`Batch::restart`] does to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// The episode of the game goes on.
    Stay,
    /// The next episode of the game starts.
    Next,
    /// The first episode of the game with this seed starts.
    Seed(u64),
}

/// The rows of one game in the caller's arrays.
struct Row<'a> {
    board: &'a mut [u8],
    mask: &'a mut [bool],
    final_board: &'a mut [u8],
    final_mask: &'a mut [bool],
}

impl<G: Game> Slot<G> {
    /// Starts the episode that the clock names.
    fn start(&mut self, starts: &Starts<G>) {
        let Clock { seed, episode, .. } = self.clock;
        match starts {
            Starts::Fixed(fixed) => {
                let index = if fixed.len() == 1 { 0 } else { seed.wrapping_add(episode) % fixed.len() as u64 };
                self.game.clone_from(&fixed[index as usize]);
            }
            Starts::Made(make) => self.game = make(seed_of(seed, episode)),
        }
        self.clock.steps = 0;
        self.clock.over = self.game.status().is_over();
    }

    /// Makes one move. Returns its outcome (`None` if the episode was over before) and whether `max_steps` cuts the
    /// episode off.
    #[inline(always)]
    fn step(&mut self, starts: &Starts<G>, options: &Options, mv: G::Move, row: Row<'_>) -> (Option<Outcome>, bool) {
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
