//! Many games of one kind stepped together, straight into the caller's arrays.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use super::budget::{self, Budget};
use super::error::Error;
use super::game::{self, Game, Point, Status};
use super::pool;
use super::rng::{self, Rng};

/// Where the games of a batch start.
#[derive(Clone)]
pub enum Starts<G> {
    /// Episode `e` of the game with seed `s` starts at the position with index `(s + e) % len`.
    Fixed(Arc<[G]>),
    /// Each episode starts at a position made from a seed of its own.
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

/// When a game that has ended starts anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// At the step after its end; that step's action is ignored.
    #[default]
    NextStep,
    /// Within the step that ended it; the last board is kept in the `final_*` arrays.
    SameStep,
    /// Never: the caller resets.
    Disabled,
}

/// What steps are worth. Numbers for the learner, not rules of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rewards {
    /// For the step that wins.
    pub won: f64,
    /// For the step that loses.
    pub lost: f64,
    /// For the step that draws.
    pub drawn: f64,
    /// For every step.
    pub step: f64,
    /// For a step whose action the rules refuse; the game then stays as it was.
    pub illegal: f64,
}

impl Default for Rewards {
    fn default() -> Self {
        Self { won: 1.0, lost: -1.0, drawn: 0.0, step: 0.0, illegal: 0.0 }
    }
}

/// How a batch runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// When ended games start anew.
    pub autoreset: Autoreset,
    /// After how many steps an episode is cut off; `None` for never.
    pub max_steps: Option<u32>,
    /// What steps are worth.
    pub rewards: Rewards,
    /// On how many threads to step; 0 lets the batch choose by its size.
    pub threads: usize,
}

/// One action a game.
#[derive(Clone, Copy, Debug)]
pub enum Actions<'a> {
    /// The numbers of each move, `n * RANK`.
    Points(&'a [i64]),
    /// The row-major index of each move in the box of moves, `n`.
    Flat(&'a [i64]),
}

impl<'a> Actions<'a> {
    fn numbers(self) -> &'a [i64] {
        match self {
            Self::Points(numbers) | Self::Flat(numbers) => numbers,
        }
    }

    /// How many numbers name a move.
    fn rank<P: Point>(self) -> usize {
        match self {
            Self::Points(_) => P::RANK,
            Self::Flat(_) => 1,
        }
    }

    fn chunk<P: Point>(self, from: usize, n: usize) -> Self {
        let rank = self.rank::<P>();
        let part = |numbers: &'a [i64]| &numbers[from * rank..(from + n) * rank];
        match self {
            Self::Points(numbers) => Self::Points(part(numbers)),
            Self::Flat(numbers) => Self::Flat(part(numbers)),
        }
    }

    /// The move of game `i`, which lies in the box.
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

/// The caller's arrays, one row a game, written in place.
#[derive(Debug)]
pub struct Buffers<'a> {
    /// Boards as players see them, `n * height * width`.
    pub board: &'a mut [u8],
    /// Legal moves, `n * volume(bounds)`; empty where nobody asks.
    pub mask: &'a mut [bool],
    /// Worth of the last step, `n`.
    pub reward: &'a mut [f64],
    /// Whether the last step ended the game by its rules, `n`.
    pub terminated: &'a mut [bool],
    /// Whether the last step was cut off by `max_steps`, `n`.
    pub truncated: &'a mut [bool],
    /// Whether the rules refused the last action, `n`.
    pub illegal: &'a mut [bool],
    /// Last boards of games that [`Autoreset::SameStep`] started anew, like `board`; empty otherwise.
    pub final_board: &'a mut [u8],
    /// Masks of the same games before they started anew, like `mask`; empty where nobody asks.
    pub final_mask: &'a mut [bool],
}

/// How far the episode of a game has come: with its position all that a batch knows of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The seed of the game's episodes.
    pub seed: u64,
    /// The number of the episode.
    pub episode: u64,
    /// Steps so far in this episode.
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

/// A snapshot of a batch, for planning and for checkpoints.
#[derive(Clone, Debug)]
pub struct Snapshot<G>(Vec<Slot<G>>);

/// `n` games stepped together. What happens in one does not depend on the others, on `n`, or on the threads.
#[derive(Clone, Debug)]
pub struct Batch<G: Game> {
    slots: Vec<Slot<G>>,
    starts: Starts<G>,
    options: Options,
    cells: usize,
    moves: usize,
    bounds: G::Move,
    /// Measured nanoseconds of work a game and step: what tells when threads are worth waking. Never seen in results.
    cost: f32,
}

/// How many moves are looked at for one game before its draw is put off.
const QUICK: u64 = 1 << 12;

/// Stands where a draw was put off.
const LATER: i64 = -1;

/// Work below this many nanoseconds is done sooner than threads are woken.
const WORTH_THREADS: f32 = 80_000.0;

/// Into how many pieces the work of one thread is cut: what a late one has not begun, another takes over.
const PIECES: usize = 8;

impl<G: Game> Batch<G> {
    /// Makes a batch of `n` games; game `i` has the seed `seed + i`.
    ///
    /// # Errors
    /// A sentence where there is no start, the starts differ in size, or memory cannot hold `n` games.
    pub fn new(starts: Starts<G>, n: usize, seed: u64, options: Options) -> Result<Self, Error> {
        Self::watched(starts, n, seed, options, &mut Budget::unlimited())
    }

    /// Makes a batch as [`Batch::new`] does, watched: very many games take seconds.
    ///
    /// # Errors
    /// [`Error`].
    pub fn watched(
        starts: Starts<G>,
        n: usize,
        seed: u64,
        options: Options,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Error> {
        let first = match &starts {
            Starts::Fixed(fixed) => fixed
                .first()
                .cloned()
                .ok_or_else(|| Error::invalid("starts must hold at least one position, got none"))?,
            Starts::Made(make) => make(seed_of(seed, 0)),
        };
        if let Starts::Fixed(fixed) = &starts {
            if let Some(other) = fixed.iter().find(|g| shape(*g) != shape(&first) || g.bounds() != first.bounds()) {
                let ((h, w), (h2, w2)) = (shape(&first), shape(other));
                return Err(Error::Invalid(format!(
                    "starts must be positions of one size, got {h} x {w} and {h2} x {w2}"
                )));
            }
        }
        let (cells, bounds) = (first.height() * first.width(), first.bounds());
        let moves = game::volume(bounds).unwrap_or(usize::MAX);
        let clock = Clock { seed: 0, episode: 0, steps: 0, over: false };
        let mut slots = Vec::new();
        slots.try_reserve_exact(n).map_err(|_| Error::memory(format_args!("a batch of {n} games")))?;
        let mut batch = Self { slots, starts, options, cells, moves, bounds, cost: 80.0 };
        for part in budget::pieces(n) {
            budget.spend(part.len() as u64)?;
            budget.pause()?;
            batch.slots.resize(part.end, Slot { game: first.clone(), clock });
            batch.restart_some(part, |i| Restart::Seed(seed.wrapping_add(i as u64)));
        }
        Ok(batch)
    }

    /// Number of games.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Number of cells of a board.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Number of points of the box of moves; `usize::MAX` where it is larger than that.
    pub fn volume(&self) -> usize {
        self.moves
    }

    /// The box of moves of each game.
    pub fn bounds(&self) -> G::Move {
        self.bounds
    }

    /// How the batch runs.
    pub fn options(&self) -> Options {
        self.options
    }

    /// The games now.
    pub fn games(&self) -> impl ExactSizeIterator<Item = &G> {
        self.slots.iter().map(|slot| &slot.game)
    }

    /// How far the episode of each game has come.
    pub fn clocks(&self) -> impl ExactSizeIterator<Item = Clock> {
        self.slots.iter().map(|slot| slot.clock)
    }

    /// Puts a position in the place of game `i`; its board has to be written anew.
    pub fn set_game(&mut self, i: usize, game: G) {
        let slot = &mut self.slots[i];
        slot.clock.over = game.status().is_over();
        slot.game = game;
    }

    /// Sets how far the episode of game `i` has come.
    pub fn set_clock(&mut self, i: usize, clock: Clock) {
        self.slots[i].clock = clock;
    }

    /// Starts all games anew, game `i` with the seed `seed + i`.
    pub fn seed(&mut self, seed: u64) {
        self.restart(|i| Restart::Seed(seed.wrapping_add(i as u64)));
    }

    /// Starts the next episode of the games that are marked, or of all.
    pub fn reset(&mut self, marked: Option<&[bool]>) {
        self.restart(|i| if marked.is_none_or(|marked| marked[i]) { Restart::Next } else { Restart::Stay });
    }

    /// Starts games anew as `choose` says of each.
    pub fn restart(&mut self, choose: impl Fn(usize) -> Restart + Sync) {
        self.restart_some(0..self.slots.len(), choose);
    }

    fn restart_some(&mut self, some: Range<usize>, choose: impl Fn(usize) -> Restart + Sync) {
        let (threads, size) = self.pieces();
        let (starts, first) = (&self.starts, some.start);
        let pieces = self.slots[some].chunks_mut(size).enumerate().collect();
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

    /// The games with their seeds and episodes, to be restored later.
    pub fn snapshot(&self) -> Snapshot<G> {
        Snapshot(self.slots.clone())
    }

    /// Goes back to a snapshot of this batch; says no where it has another number of games.
    pub fn restore(&mut self, snapshot: &Snapshot<G>) -> bool {
        if snapshot.0.len() != self.slots.len() {
            return false;
        }
        self.slots.clone_from(&snapshot.0);
        true
    }

    /// On how many threads to work, and how many games are a piece of it.
    fn pieces(&self) -> (usize, usize) {
        let n = self.slots.len();
        let threads = match self.options.threads {
            0 if n as f32 * self.cost < WORTH_THREADS => 1,
            asked => pool::shared_by(asked),
        };
        let pieces = if threads == 1 { 1 } else { threads * PIECES };
        (threads, n.div_ceil(pieces).max(1))
    }

    /// Writes all boards and masks.
    pub fn write(&self, board: &mut [u8], mask: &mut [bool]) {
        let (cells, moves) = (self.cells, if mask.is_empty() { 0 } else { self.moves });
        let (threads, size) = self.pieces();
        let mut pieces = Vec::new();
        let mut rest = (board, mask);
        for slots in self.slots.chunks(size) {
            let (board, mask) = std::mem::take(&mut rest);
            let (board, board_rest) = board.split_at_mut(slots.len() * cells);
            let (mask, mask_rest) = mask.split_at_mut(slots.len() * moves);
            rest = (board_rest, mask_rest);
            pieces.push((slots, board, mask));
        }
        pool::share(threads, pieces, |(slots, board, mask)| {
            for (i, slot) in slots.iter().enumerate() {
                slot.game.write_board(&mut board[i * cells..(i + 1) * cells]);
                if moves > 0 {
                    game::write_mask(&slot.game, &mut mask[i * moves..(i + 1) * moves]);
                }
            }
        });
    }

    /// Writes which moves are legal, a bit a move, the lowest of each byte first: `volume` bits a game, in whole bytes.
    pub fn write_bits(&self, bits: &mut [u8]) {
        let (bytes, (threads, size)) = (self.moves.div_ceil(8).max(1), self.pieces());
        let pieces = self.slots.chunks(size).zip(bits.chunks_mut(size * bytes)).collect();
        pool::share(threads, pieces, |(slots, bits): (&[Slot<G>], &mut [u8])| {
            for (slot, bits) in slots.iter().zip(bits.chunks_exact_mut(bytes)) {
                game::write_bits(&slot.game, bits);
            }
        });
    }

    /// Makes one move in each game.
    ///
    /// An action that the rules refuse leaves its game as it was and is marked `illegal`. An action outside the box is no
    /// action at all: then nothing is done in any game.
    ///
    /// # Errors
    /// [`Error::Move`] names the game and the number that is outside the box.
    pub fn step(&mut self, actions: Actions<'_>, out: Buffers<'_>) -> Result<(), Error> {
        assert_eq!(actions.numbers().len(), self.slots.len() * actions.rank::<G::Move>(), "one action a game");
        self.admit(actions)?;
        let (cells, moves) = (self.cells, if out.mask.is_empty() { 0 } else { self.moves });
        let finals = if out.final_board.is_empty() { 0 } else { cells };
        let final_moves = if out.final_mask.is_empty() { 0 } else { moves };
        let (threads, size) = self.pieces();
        let began = (self.options.threads == 0 && self.slots.len() > 1).then(Instant::now);
        let mut pieces = Vec::with_capacity(self.slots.len().div_ceil(size));
        let mut rest = out;
        for (k, slots) in self.slots.chunks_mut(size).enumerate() {
            let n = slots.len();
            let (piece, others) = rest.split(n, n * cells, n * moves, n * finals, n * final_moves);
            rest = others;
            pieces.push((slots, actions.chunk::<G::Move>(k * size, n), piece));
        }
        let (starts, options, bounds) = (&self.starts, self.options, self.bounds);
        pool::share(threads, pieces, |(slots, actions, out)| {
            for (i, slot) in slots.iter_mut().enumerate() {
                let views = Views {
                    board: &mut out.board[i * cells..(i + 1) * cells],
                    mask: &mut out.mask[i * moves..(i + 1) * moves],
                    last: &mut out.final_board[i * finals..(i + 1) * finals],
                    last_mask: &mut out.final_mask[i * final_moves..(i + 1) * final_moves],
                };
                let done = slot.step(starts, &options, actions.at(bounds, i), views);
                out.reward[i] = done.reward;
                out.terminated[i] = done.terminated;
                out.truncated[i] = done.truncated;
                out.illegal[i] = done.illegal;
            }
        });
        if let Some(began) = began {
            let spent = began.elapsed().as_nanos() as f32 * threads as f32 / self.slots.len() as f32;
            self.cost += 0.1 * (spent.min(1e6) - self.cost);
        }
        Ok(())
    }

    /// Refuses actions of which one lies outside the box, before any game is touched.
    #[inline]
    fn admit(&self, actions: Actions<'_>) -> Result<(), Error> {
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
        if fits { Ok(()) } else { Err(self.refuse(actions)) }
    }

    #[cold]
    fn refuse(&self, actions: Actions<'_>) -> Error {
        let rank = actions.rank::<G::Move>();
        for (i, (numbers, slot)) in actions.numbers().chunks_exact(rank).zip(&self.slots).enumerate() {
            let error = match actions {
                Actions::Points(_) => game::lookup(&slot.game, numbers).err().map(|error| error.to_string()),
                Actions::Flat(_) if (numbers[0] as u64) < self.moves as u64 => None,
                Actions::Flat(_) => {
                    Some(format!("action {}, wanted 0 to {}", game::shown(numbers[0]), self.moves as i64 - 1))
                }
            };
            if let Some(error) = error {
                return Error::Move(format!("game {i} of the batch: {error}"));
            }
        }
        Error::Move("an action outside the box of moves, wanted it inside".to_owned())
    }

    /// Draws a legal action for each game into `actions`, zeros where a game has none; it depends on `seed` and the
    /// game's place only.
    ///
    /// # Errors
    /// [`Error`] where the budget ends it: it counts the moves looked at in games that have few legal ones among many.
    pub fn sample_legal(&self, seed: u64, actions: &mut [i64], budget: &mut Budget<'_>) -> Result<(), Error> {
        let rank = G::Move::RANK;
        let write = |action: &mut [i64], mv: Option<G::Move>| {
            for (number, &part) in action.iter_mut().zip(mv.unwrap_or(G::Move::ZERO).coords()) {
                *number = i64::from(part);
            }
        };
        let (threads, size) = self.pieces();
        let pieces: Vec<_> = self.slots.chunks(size).zip(actions.chunks_mut(size * rank)).enumerate().collect();
        pool::share(threads, pieces, |(k, (slots, actions))| {
            for (i, (slot, action)) in slots.iter().zip(actions.chunks_exact_mut(rank)).enumerate() {
                let mut rng = Rng::stream(seed, (k * size + i) as u64);
                match game::sample_within(&slot.game, &mut rng, &mut Budget::new("moves", Some(QUICK), None)) {
                    Ok(mv) => write(action, mv),
                    Err(_) => action.fill(LATER),
                }
            }
        });
        // What takes long is done here, where the caller's watcher can look in.
        for (i, (slot, action)) in self.slots.iter().zip(actions.chunks_exact_mut(rank)).enumerate() {
            if action[0] == LATER {
                write(action, game::sample_within(&slot.game, &mut Rng::stream(seed, i as u64), budget)?);
            }
        }
        Ok(())
    }
}

fn shape<G: Game>(game: &G) -> (usize, usize) {
    (game.height(), game.width())
}

/// The seed of an episode: counted, so that no generator is shared.
fn seed_of(seed: u64, episode: u64) -> u64 {
    if episode == 0 { seed } else { rng::mix(rng::mix(seed) ^ episode) }
}

/// What becomes of a game in [`Batch::restart`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// It goes on.
    Stay,
    /// Its next episode starts.
    Next,
    /// Its first episode with this seed starts.
    Seed(u64),
}

/// The rows of one game.
struct Views<'a> {
    board: &'a mut [u8],
    mask: &'a mut [bool],
    last: &'a mut [u8],
    last_mask: &'a mut [bool],
}

struct Done {
    reward: f64,
    terminated: bool,
    truncated: bool,
    illegal: bool,
}

impl<G: Game> Slot<G> {
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

    #[inline(always)]
    fn step(&mut self, starts: &Starts<G>, options: &Options, mv: G::Move, views: Views<'_>) -> Done {
        let mut done = Done { reward: 0.0, terminated: false, truncated: false, illegal: false };
        if self.clock.over {
            if options.autoreset != Autoreset::Disabled {
                self.anew(starts, views.board, views.mask);
            }
            return done;
        }
        let Views { board, mask, last, last_mask } = views;
        self.clock.steps = self.clock.steps.saturating_add(1);
        done.reward = options.rewards.step;
        if self.game.check(mv).is_ok() {
            let change = self.game.apply(mv);
            self.game.refresh_board(mv, &change, board);
            let status = self.game.status();
            if status == Status::Open {
                if !mask.is_empty() {
                    self.game.refresh_mask(mv, &change, mask);
                }
            } else {
                done.terminated = true;
                done.reward += match status {
                    Status::Open => 0.0,
                    Status::Won => options.rewards.won,
                    Status::Lost => options.rewards.lost,
                    Status::Drawn => options.rewards.drawn,
                };
                mask.fill(false);
            }
        } else {
            done.illegal = true;
            done.reward += options.rewards.illegal;
        }
        done.truncated = !done.terminated && options.max_steps.is_some_and(|most| self.clock.steps >= most);
        if done.terminated || done.truncated {
            self.clock.over = true;
            if options.autoreset == Autoreset::SameStep {
                if !last.is_empty() {
                    last.copy_from_slice(board);
                }
                if !last_mask.is_empty() {
                    last_mask.copy_from_slice(mask);
                }
                self.anew(starts, board, mask);
            }
        }
        done
    }

    #[inline(never)] // rare, and large where a generator is inlined
    fn anew(&mut self, starts: &Starts<G>, board: &mut [u8], mask: &mut [bool]) {
        self.clock.episode = self.clock.episode.wrapping_add(1);
        self.start(starts);
        self.game.write_board(board);
        if !mask.is_empty() {
            game::write_mask(&self.game, mask);
        }
    }
}

impl Buffers<'_> {
    /// Splits off the rows of the first `n` games.
    fn split(self, n: usize, cells: usize, moves: usize, finals: usize, final_moves: usize) -> (Self, Self) {
        fn cut<T>(items: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
            items.split_at_mut(at)
        }
        let (board, board2) = cut(self.board, cells);
        let (mask, mask2) = cut(self.mask, moves);
        let (reward, reward2) = cut(self.reward, n);
        let (terminated, terminated2) = cut(self.terminated, n);
        let (truncated, truncated2) = cut(self.truncated, n);
        let (illegal, illegal2) = cut(self.illegal, n);
        let (final_board, final_board2) = cut(self.final_board, finals);
        let (final_mask, final_mask2) = cut(self.final_mask, final_moves);
        let first = Buffers { board, mask, reward, terminated, truncated, illegal, final_board, final_mask };
        let rest = Buffers {
            board: board2,
            mask: mask2,
            reward: reward2,
            terminated: terminated2,
            truncated: truncated2,
            illegal: illegal2,
            final_board: final_board2,
            final_mask: final_mask2,
        };
        (first, rest)
    }
}
