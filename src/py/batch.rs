//! Batches in Python: n games that are stepped together and write into numpy buffers that Python owns. Steps and resets
//! of many games release the interpreter lock.

mod buffers;
mod class;
mod single;

use std::sync::Arc;
use std::time::{Duration, Instant};

use numpy::{PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub(super) use buffers::BufferArrays;
use buffers::slice;
pub(super) use class::batch_class;
use single::SingleBoard;

use super::array;
use super::exclusive::Exclusive;
use super::generator::PositionGenerator;
use super::long::long;
use crate::core::batch::{Actions, Autoreset, Batch, Buffers, Clock, Options, Outcome, Restart, Snapshot, Starts};
use crate::core::game::{self, Point};
use crate::core::{Budget, Error, Game, Status, counted};

/// The smallest number of games for which the interpreter lock is always released for a step. A step of fewer games on
/// small boards takes less time than releasing the lock.
const WORTH_RELEASE: usize = 64;

/// The total number of entries of all boards and masks above which the interpreter lock is released even for a step of
/// fewer games than [`WORTH_RELEASE`]. Steps that do not release the interpreter lock are not timed, but their duration
/// grows with the size of these arrays.
const WORTH_RELEASE_SIZE: usize = 1 << 16;

/// The duration of a step, in nanoseconds, above which the interpreter lock is released whatever the number of games.
const WORTH_RELEASE_TIME: f32 = 1e6;

/// The number of games and examined moves that `sample_legal_into` may count under the lock of the batch. Longer draws
/// start again on a copy, with the lock released.
const QUICK: u64 = 1 << 17;

/// The largest number of games for which `sample_legal_into` first tries to draw without releasing the interpreter
/// lock.
const QUICK_GAMES: usize = 1 << 14;

/// The rewards of a step: one for each way in which a game can end, `step` for every step, and `illegal` for an action
/// that the rules refuse. Python passes a tuple of the fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rewards {
    won: f64,
    lost: f64,
    drawn: f64,
    step: f64,
    illegal: f64,
}

impl<'py> FromPyObject<'_, 'py> for Rewards {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let (won, lost, drawn, step, illegal) = value.extract()?;
        Ok(Self { won, lost, drawn, step, illegal })
    }
}

impl Rewards {
    #[inline]
    fn of(self, outcome: Outcome) -> f64 {
        let end = match outcome.status {
            Status::Open => 0.0,
            Status::Won => self.won,
            Status::Lost => self.lost,
            Status::Drawn => self.drawn,
        };
        self.step + if outcome.illegal { self.illegal } else { end }
    }
}

/// How errors name the positions at which the episodes of a batch start. Python passes a tuple of the fields.
#[derive(FromPyObject)]
pub(super) struct StartNames(
    /// The name of the argument that holds or generates the positions.
    String,
    /// The first seed, if the argument is a callable that generated the positions.
    Option<u64>,
);

impl StartNames {
    /// Returns the name of position `i` of `n`: the argument itself if there is one position, or an item of the
    /// argument if there are several. If the argument is a callable, the name is a call with the seed that generated
    /// the position: of the `n` successive seeds, the one whose remainder modulo `n` is `i`.
    fn name(&self, i: usize, n: usize) -> String {
        let Self(argument, seed) = self;
        match *seed {
            Some(seed) => {
                let later = (i as i128 - i128::from(seed)).rem_euclid(n as i128) as u64;
                format!("{argument}(seed={})", seed.wrapping_add(later))
            }
            None if n == 1 => argument.clone(),
            None => format!("{argument}[{i}]"),
        }
    }
}

/// The durations of the longest calls so far, in nanoseconds; older calls count less.
#[derive(Clone, Copy, Default)]
struct Times {
    /// The duration of calls that create, restart or restore games.
    reset: f32,
    /// The duration of calls that make a move in each game, or write boards and masks into new arrays.
    step: f32,
}

/// The shortest expected duration of a call, in nanoseconds, for which signals are handled during the call. Handling
/// signals requires a copy of everything that the call changes, so shorter calls leave signals to be handled afterward.
const LONG: f32 = 4e7;

/// Runs `work` and records its duration in `time`, a field of [`Times`].
fn timed<R>(time: &mut f32, work: impl FnOnce() -> R) -> R {
    let began = Instant::now();
    let done = work();
    record(time, began.elapsed());
    done
}

/// Records the duration of a call in `time`, the duration of the longest recent call; older calls count less.
fn record(time: &mut f32, spent: Duration) {
    *time = (*time * 0.9).max(spent.as_nanos() as f32);
}

/// How long a call took, excluding the copies that its budget required; `None` for a call without a budget.
type Timing = Result<Option<Duration>, Error>;

/// Runs `work` with the interpreter lock released, and records its duration in `time`, a field of [`Times`]. If `time`
/// is at least [`LONG`], `work` receives a budget that handles signals, and returns how long it took, excluding the
/// copies that the budget requires. The time for the copies is not recorded: otherwise one long call would make all
/// later calls count as long.
fn released(
    py: Python<'_>,
    time: &mut f32,
    work: impl FnOnce(Option<&mut Budget<'_>>) -> Timing + Send,
) -> PyResult<()> {
    if *time < LONG {
        timed(time, || py.detach(|| work(None)))?;
    } else if let Some(spent) = long(py, "cells", None, None, |budget| work(Some(budget)))? {
        record(time, spent);
    }
    Ok(())
}

/// A batch with its rewards, its buffers, the board and mask kept for a batch of one, the durations of its calls, and
/// the state of its draws.
struct BatchState<G: Game> {
    batch: Batch<G>,
    rewards: Rewards,
    buffers: Option<BufferArrays>,
    single: SingleBoard,
    times: Times,
    draws: Draws,
}

/// The seed of the draws that have no seed of their own, and their number so far.
type Draws = (u64, u64);

/// A batch that threads share. No Python code runs during an access, and signals are handled only in long work.
pub(super) struct SharedBatch<G: Game>(Exclusive<BatchState<G>>);

/// The clock of each game: seed, episode, steps, and whether the episode is over.
pub(super) type Clocks = Vec<(u64, u64, u32, bool)>;

/// The parts of a pickle: the texts of the positions, their clocks, and the seed and number of draws.
pub(super) type Saved = (Vec<String>, Clocks, Draws);

/// The result of an environment's `step`: board, reward, terminated, truncated, info.
pub(super) type StepResult<'py> = (Bound<'py, PyArray2<u8>>, f64, bool, bool, Bound<'py, PyDict>);

impl<G: Game> SharedBatch<G> {
    /// Creates a batch of `n` games without numpy buffers. If there is a `generator`, `starts` is ignored. `names`
    /// determines how errors name the positions in `starts`.
    #[allow(clippy::too_many_arguments)] // passed on from `batch_class!`
    pub(super) fn new(
        py: Python<'_>,
        names: &StartNames,
        starts: Vec<G>,
        generator: Option<PositionGenerator<G>>,
        n: usize,
        seed: u64,
        autoreset: &Bound<'_, PyAny>,
        max_steps: Option<u32>,
        rewards: Rewards,
        threads: usize,
    ) -> PyResult<Self> {
        let modes =
            [("next_step", Autoreset::NextStep), ("same_step", Autoreset::SameStep), ("disabled", Autoreset::Disabled)];
        let autoreset = array::choice("autoreset", autoreset, &modes)?;
        let options = Options { autoreset, max_steps, threads };
        let count = starts.len();
        let starts = generator.map_or_else(|| Starts::Fixed(Arc::from(starts)), Starts::Generated);
        let mut times = Times::default();
        let batch = timed(&mut times.reset, || {
            long(py, "games", None, None, |budget| {
                Batch::with_names(starts, |i| names.name(i, count), n, seed, options, budget)
            })
        })?;
        Ok(Self::of(BatchState {
            batch,
            rewards,
            buffers: None,
            single: SingleBoard::default(),
            times,
            draws: (seed, 0),
        }))
    }

    fn of(state: BatchState<G>) -> Self {
        Self(Exclusive::new("the batch", state))
    }

    pub(super) fn len(&self, py: Python<'_>) -> PyResult<usize> {
        self.0.with(py, |state| Ok(state.batch.len()))
    }

    pub(super) fn bounds(&self, py: Python<'_>) -> PyResult<Vec<i32>> {
        self.0.with(py, |state| Ok(state.batch.bounds().coords().to_vec()))
    }

    pub(super) fn shape(&self, py: Python<'_>) -> PyResult<(usize, usize)> {
        self.0.with(py, |state| Ok(state.batch.games().next().map_or((0, 0), |game| (game.height(), game.width()))))
    }

    pub(super) fn game(&self, py: Python<'_>, index: usize) -> PyResult<G> {
        self.0.with(py, |state| {
            state.batch.check_index(index).map_err(|error| PyIndexError::new_err(error.to_string()))?;
            Ok(game::copied(state.batch.game(index), 0)?)
        })
    }

    /// Replaces the game at `index`, writes its rows and clears its results.
    pub(super) fn set_game(&self, py: Python<'_>, index: usize, game: G) -> PyResult<()> {
        self.0.with(py, |state| {
            let BatchState { batch, buffers, single, .. } = state;
            let mut out = buffers.as_ref().ok_or_else(no_buffers)?.borrow(py, batch)?;
            batch.set_game_into(index, game, out.slices())?;
            *single = SingleBoard::default();
            Ok(())
        })
    }

    /// Sets the buffers that later calls write into: writes boards, masks and bitsets, copies the results of the last
    /// step from the old buffers, and updates the dict `attributes` with `arrays`. An error leaves everything unchanged
    /// except the contents of new arrays.
    pub(super) fn set_buffers(
        &self,
        py: Python<'_>,
        buffers: BufferArrays,
        attributes: &Bound<'_, PyDict>,
        arrays: &Bound<'_, PyDict>,
    ) -> PyResult<()> {
        let replaced = self.0.take(py, |state| {
            let BatchState { batch, buffers: current, times, .. } = state;
            // Copied before the new arrays are borrowed: some of the new arrays may be the old ones.
            let results = current.as_ref().map(|current| current.results(py, batch)).transpose()?;
            let mut borrowed = buffers.borrow(py, batch)?;
            borrowed.check_separate()?;
            let mut out = borrowed.slices();
            // Old arrays that are passed again already hold what is written here, so an interrupt leaves their
            // contents unchanged.
            timed(&mut times.step, || {
                long(py, "cells", None, None, |budget| batch.write_within(out.board, out.mask, out.bits, budget))
            })?;
            times.reset = times.reset.max(times.step);
            if let Some(results) = &results {
                results.write(&mut out);
            }
            drop(borrowed);
            attributes.update(arrays.as_mapping())?;
            Ok(current.replace(buffers))
        })?;
        // Dropping an array may run Python code, so the old arrays are dropped only after the batch has been put back.
        drop(replaced);
        Ok(())
    }

    /// Runs `change`, which changes the games and writes the arrays, and must leave both as they were if it fails. A
    /// `seed` restarts the draws that have no seed of their own.
    fn rewrite(
        &self,
        py: Python<'_>,
        seed: Option<u64>,
        change: impl FnOnce(&mut Batch<G>, Buffers<'_>, Option<&mut Budget<'_>>) -> Timing + Send,
    ) -> PyResult<()> {
        self.0.take(py, |state| {
            let BatchState { batch, buffers, single, times, draws, .. } = state;
            let mut borrowed = buffers.as_ref().ok_or_else(no_buffers)?.borrow(py, batch)?;
            let out = borrowed.slices();
            released(py, &mut times.reset, |budget| change(batch, out, budget))?;
            *single = SingleBoard::default();
            if let Some(seed) = seed {
                *draws = (seed, 0);
            }
            Ok(())
        })
    }

    /// Starts the first episode of each game again, game `i` with the seed `seed + i`, which wraps at 2^64.
    pub(super) fn seed(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        self.rewrite(py, Some(seed), |batch, out, budget| {
            batch.restart_into(|i| Restart::Seed(seed.wrapping_add(i as u64)), out, budget)
        })
    }

    /// Starts the next episode of each marked game (of all if `marked` is `None`), or, if `seeds` has a seed for the
    /// game, the first episode of that seed.
    pub(super) fn reset(
        &self,
        py: Python<'_>,
        marked: Option<&PyReadonlyArrayDyn<'_, bool>>,
        seeds: Option<&[Option<u64>]>,
    ) -> PyResult<()> {
        let n = self.len(py)?;
        // Copied: another thread may write into the array meanwhile.
        let marked = marked.map(|marked| marked.as_slice().map(<[bool]>::to_vec)).transpose()?;
        if let Some(marked) = marked.as_ref().filter(|marked| marked.len() != n) {
            let found = marked.len();
            return Err(PyValueError::new_err(format!("mask must be a bool array of length {n}, got length {found}")));
        }
        if let Some(seeds) = seeds.filter(|seeds| seeds.len() != n) {
            let (expected, found) = (counted(n as u64, "integers"), seeds.len());
            return Err(PyValueError::new_err(format!(
                "seed must be an integer or a sequence of {expected}, got a sequence of {found}"
            )));
        }
        let choose = |i: usize| match seeds.and_then(|seeds| seeds[i]) {
            _ if marked.as_ref().is_some_and(|marked| !marked[i]) => Restart::Stay,
            Some(seed) => Restart::Seed(seed),
            None => Restart::Next,
        };
        self.rewrite(py, None, |batch, out, budget| batch.restart_into(choose, out, budget))
    }

    /// Makes one move in each game; if `flat` is `true`, `actions` holds indices in the box of moves. Does nothing and
    /// returns `false` if `actions` is not a C-contiguous int64 array of the right size.
    pub(super) fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>, flat: bool) -> PyResult<bool> {
        let Ok(actions) = actions.cast::<PyArrayDyn<i64>>() else { return Ok(false) };
        let Ok(actions) = actions.try_readonly() else { return Ok(false) };
        if !actions.is_c_contiguous() {
            return Ok(false);
        }
        // Copied: another thread may write into the array after the bounds have been checked.
        let Ok(numbers) = actions.as_slice().map(<[i64]>::to_vec) else { return Ok(false) };
        let actions = if flat { Actions::Flat(&numbers) } else { Actions::Points(&numbers) };
        let rank = if flat { 1 } else { G::Move::RANK };
        let quick = self.0.with(py, |state| {
            let BatchState { batch, rewards, buffers, single, times, .. } = state;
            if numbers.len() != batch.len() * rank {
                return Ok(Some(false));
            }
            if batch.len() >= WORTH_RELEASE || times.step > WORTH_RELEASE_TIME {
                return Ok(None);
            }
            let mut borrowed = buffers.as_ref().ok_or_else(no_buffers)?.borrow(py, batch)?;
            let out = borrowed.slices();
            // A byte of a bitset holds eight entries of a mask.
            if out.board.len() + out.mask.len() + 8 * out.bits.len() > WORTH_RELEASE_SIZE {
                return Ok(None);
            }
            // The step writes into the numpy buffers, so the board kept for `step_one` is no longer current.
            single.board.clear();
            let rewards = *rewards;
            batch.step(actions, out, |outcome| rewards.of(outcome))?;
            Ok(Some(true))
        })?;
        if let Some(done) = quick {
            return Ok(done);
        }
        self.0.take(py, |state| {
            let BatchState { batch, rewards, buffers, single, times, .. } = state;
            let mut borrowed = buffers.as_ref().ok_or_else(no_buffers)?.borrow(py, batch)?;
            let (out, rewards) = (borrowed.slices(), *rewards);
            single.board.clear();
            released(py, &mut times.step, |budget| {
                batch.step_within(actions, out, |outcome| rewards.of(outcome), budget)
            })?;
            Ok(true)
        })
    }

    /// Draws a legal move for each game into `actions`, an int64 array of `n * rank` items; a game without a legal move
    /// gets zeros. Without a `seed`, each call derives a new one from the seed of the batch.
    pub(super) fn sample_legal_into(
        &self,
        py: Python<'_>,
        seed: Option<u64>,
        actions: &Bound<'_, PyArrayDyn<i64>>,
    ) -> PyResult<()> {
        let draw = |draws: &mut Draws| {
            seed.unwrap_or_else(|| {
                draws.1 = draws.1.wrapping_add(1);
                // The odd golden-ratio constant keeps the draws of batches with neighboring seeds apart.
                draws.0.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(draws.1)
            })
        };
        if self.len(py)? > QUICK_GAMES {
            return self.0.take(py, |state| {
                let BatchState { batch, draws, .. } = state;
                let mut actions = array::writable("actions", actions, batch.len() * G::Move::RANK)?;
                let mut next = *draws;
                let (seed, actions) = (draw(&mut next), slice(&mut actions));
                long(py, "moves", None, None, |budget| batch.sample_legal(seed, actions, budget))?;
                *draws = next;
                Ok(())
            });
        }
        let copy = self.0.with(py, |state| {
            let BatchState { batch, draws, .. } = state;
            let mut actions = array::writable("actions", actions, batch.len() * G::Move::RANK)?;
            let (mut next, mut budget) = (*draws, Budget::new("moves", Some(QUICK), None));
            let seed = draw(&mut next);
            let copy = match batch.sample_legal(seed, slice(&mut actions), &mut budget) {
                Ok(()) => None,
                // A long draw checks for signals, and a signal handler may use this batch, so the draw works on a copy.
                Err(Error::Limit(_)) => Some((seed, batch.copied(&mut Budget::unlimited())?, *draws, next)),
                Err(error) => return Err(error.into()),
            };
            *draws = next;
            Ok(copy)
        })?;
        let Some((seed, batch, before, after)) = copy else { return Ok(()) };
        let mut actions = array::writable("actions", actions, batch.len() * G::Move::RANK)?;
        let actions = slice(&mut actions);
        let drawn = long(py, "moves", None, None, |budget| batch.sample_legal(seed, actions, budget));
        if drawn.is_err() {
            // The failed call does not count as a draw, unless another call has drawn meanwhile.
            self.0.with(py, |state| {
                if state.draws == after {
                    state.draws = before;
                }
                Ok(())
            })?;
        }
        drawn
    }

    /// Starts an episode of a batch of one: the first episode of `seed`, or the next episode if `seed` is `None`.
    /// Returns the board and a dict with the mask, flat or in the shape of the box of moves; if `mask` is `false`, the
    /// dict is empty.
    pub(super) fn reset_one<'py>(
        &self,
        py: Python<'py>,
        seed: Option<u64>,
        mask: bool,
        flat: bool,
    ) -> PyResult<(Bound<'py, PyArray2<u8>>, Bound<'py, PyDict>)> {
        self.0.with(py, |state| {
            let BatchState { batch, single, .. } = state;
            if batch.len() != 1 {
                return Err(not_one(batch.len()));
            }
            single.room(batch, mask)?;
            batch.restart(|_| seed.map_or(Restart::Next, Restart::Seed));
            single.fill(batch, mask);
            single.fresh_arrays(py, batch, flat)
        })
    }

    /// Makes one move in a batch of one, without writing its numpy buffers. Returns what an environment's `step`
    /// returns, with a fresh board and a dict with a fresh mask. `numbers` holds the coordinates of the move, or its
    /// index in the box if `flat` is `true`.
    #[inline]
    pub(super) fn step_one<'py>(
        &self,
        py: Python<'py>,
        numbers: &[i64],
        mask: bool,
        flat: bool,
    ) -> PyResult<StepResult<'py>> {
        self.0.with(py, |state| {
            let BatchState { batch, rewards, single, .. } = state;
            let rewards = *rewards;
            let (game, clock) = (batch.games().next(), batch.clocks().next());
            let (Some(game), Some(clock), 1) = (game, clock, batch.len()) else { return Err(not_one(batch.len())) };
            if clock.over {
                return Err(PyRuntimeError::new_err("reset() must be called before step(): the episode is over"));
            }
            if !flat {
                game::lookup(game, numbers)?;
            }
            // An earlier call may have kept the mask that this call leaves out, or vice versa.
            if single.board.is_empty() || single.mask.is_empty() == mask {
                single.room(batch, mask)?;
                single.fill(batch, mask);
            }
            let (mut reward, mut terminated, mut truncated, mut illegal) = ([0.0], [false], [false], [false]);
            let out = Buffers {
                board: &mut single.board,
                mask: &mut single.mask,
                value: &mut reward,
                terminated: &mut terminated,
                truncated: &mut truncated,
                illegal: &mut illegal,
                ..Buffers::default()
            };
            let actions = if flat { Actions::Flat(numbers) } else { Actions::Points(numbers) };
            batch.step(actions, out, |outcome| rewards.of(outcome))?;
            let (board, info) = single.fresh_arrays(py, batch, flat)?;
            Ok((board, reward[0], terminated[0], truncated[0], info))
        })
    }

    /// Copies the games, with the interpreter lock released if copying may take a while.
    fn games_copied(&self, py: Python<'_>) -> PyResult<Batch<G>> {
        let quick = self.0.with(py, |state| {
            if state.times.reset >= LONG {
                return Ok(None);
            }
            Ok(Some(state.batch.copied(&mut Budget::unlimited())?))
        })?;
        let copied = |state: &mut BatchState<G>| long(py, "cells", None, None, |budget| state.batch.copied(budget));
        quick.map_or_else(|| self.0.take(py, copied), Ok)
    }

    /// Returns a copy without numpy buffers.
    pub(super) fn clone_of(&self, py: Python<'_>) -> PyResult<Self> {
        let batch = self.games_copied(py)?;
        self.0.with(py, |state| {
            let BatchState { rewards, times, draws, .. } = *state;
            Ok(Self::of(BatchState { batch, rewards, buffers: None, single: SingleBoard::default(), times, draws }))
        })
    }

    /// Returns the current board and mask of a batch of one, in the form of [`SharedBatch::reset_one`].
    pub(super) fn observe_one<'py>(
        &self,
        py: Python<'py>,
        mask: bool,
        flat: bool,
    ) -> PyResult<(Bound<'py, PyArray2<u8>>, Bound<'py, PyDict>)> {
        self.0.with(py, |state| {
            let BatchState { batch, single, .. } = state;
            if batch.len() != 1 {
                return Err(not_one(batch.len()));
            }
            single.room(batch, mask)?;
            single.fill(batch, mask);
            single.fresh_arrays(py, batch, flat)
        })
    }

    /// Sets the positions and clocks to those of another batch.
    pub(super) fn restore(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        // Only one of the two batches is accessed at a time: two threads that restore two batches from each other could
        // otherwise wait forever.
        let snapshot = Snapshot::from(other.games_copied(py)?);
        self.rewrite(py, None, |batch, out, budget| batch.restore_into(snapshot, out, budget))
    }

    pub(super) fn panic(&self, py: Python<'_>, long: bool) -> PyResult<()> {
        let planted = |_: &mut BatchState<G>| panic!("planted by a test");
        if long { self.0.take(py, planted) } else { self.0.with(py, planted) }
    }

    /// Returns the parts of a pickle.
    pub(super) fn save(&self, py: Python<'_>) -> PyResult<Saved> {
        self.0.with(py, |state| {
            let texts = state.batch.games().map(Game::text).collect();
            let clock = |clock: Clock| (clock.seed, clock.episode, clock.steps, clock.over);
            Ok((texts, state.batch.clocks().map(clock).collect(), state.draws))
        })
    }

    /// Restores what [`SharedBatch::save`] returned, without writing any array; an error leaves the batch unchanged.
    pub(super) fn load(&self, py: Python<'_>, texts: &[String], clocks: &Clocks, draws: Draws) -> PyResult<()> {
        let clock = |&(seed, episode, steps, over): &(u64, u64, u32, bool)| Clock { seed, episode, steps, over };
        let games = texts.iter().map(|text| G::parse(text)).collect::<Result<Vec<_>, Error>>()?;
        let snapshot = Snapshot::new(games.into_iter().zip(clocks.iter().map(clock)));
        self.0.with(py, |state| {
            state.batch.restore(&snapshot)?;
            state.single = SingleBoard::default();
            state.draws = draws;
            Ok(())
        })
    }
}

#[cold]
fn not_one(n: usize) -> PyErr {
    PyRuntimeError::new_err(format!("the batch must have 1 game, got {n}"))
}

fn no_buffers() -> PyErr {
    PyRuntimeError::new_err("set_buffers() must be called first")
}
