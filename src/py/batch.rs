//! Batches in Python: n games are stepped with the interpreter released, and write into numpy buffers that Python owns.

use std::sync::Arc;
use std::time::Instant;

use numpy::ndarray::ArrayView2;
use numpy::{
    Element, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::array;
use super::exclusive::Exclusive;
use super::long::{long, unwinding};
use crate::core::batch::{Actions, Autoreset, Batch, Buffers, Clock, Options, Outcome, Restart, Snapshot, Starts};
use crate::core::game::{self, Point};
use crate::core::{Budget, Error, Game, Status};

/// Generates a position from a seed; it never fails.
pub(super) type PositionGenerator<G> = Arc<dyn Fn(u64) -> G + Send + Sync>;

/// With fewer games than this, a step takes less time than releasing the interpreter.
const WORTH_RELEASE: usize = 64;

/// The nanoseconds of a step from which the interpreter is released also for fewer games.
const WORTH_RELEASE_TIME: f32 = 1e6;

/// Returns the items of an array that [`array::writable`] has checked.
fn slice<'a, T: Element>(array: &'a mut PyReadwriteArrayDyn<'_, T>) -> &'a mut [T] {
    array.as_slice_mut().unwrap_or(&mut [])
}

/// How many moves `sample_legal_into` looks at under the lock of the batch. Longer draws start again on a copy, with
/// the lock released.
const QUICK: u64 = 1 << 17;

/// Up to this many games `sample_legal_into` draws without releasing the interpreter.
const QUICK_GAMES: usize = 1 << 14;

/// The rewards of a step: one for each outcome, `step` for every step, and `illegal` for an action that the rules
/// refuse.
#[derive(Clone, Copy, Debug)]
struct Rewards {
    won: f64,
    lost: f64,
    drawn: f64,
    step: f64,
    illegal: f64,
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

/// The numpy buffers that a batch writes into. Masks, bitsets and `final_board` may be empty, and are then not written;
/// the other buffers must have their full size.
#[derive(FromPyObject)]
pub(super) struct BufferArrays {
    board: Py<PyArrayDyn<u8>>,
    legal_mask: Py<PyArrayDyn<bool>>,
    legal_bits: Py<PyArrayDyn<u8>>,
    reward: Py<PyArrayDyn<f64>>,
    terminated: Py<PyArrayDyn<bool>>,
    truncated: Py<PyArrayDyn<bool>>,
    illegal: Py<PyArrayDyn<bool>>,
    final_board: Py<PyArrayDyn<u8>>,
    final_mask: Py<PyArrayDyn<bool>>,
}

/// The buffers of a batch, borrowed.
struct Borrowed<'py> {
    board: PyReadwriteArrayDyn<'py, u8>,
    mask: PyReadwriteArrayDyn<'py, bool>,
    bits: PyReadwriteArrayDyn<'py, u8>,
    reward: PyReadwriteArrayDyn<'py, f64>,
    terminated: PyReadwriteArrayDyn<'py, bool>,
    truncated: PyReadwriteArrayDyn<'py, bool>,
    illegal: PyReadwriteArrayDyn<'py, bool>,
    final_board: PyReadwriteArrayDyn<'py, u8>,
    final_mask: PyReadwriteArrayDyn<'py, bool>,
}

impl BufferArrays {
    fn results<G: Game>(&self, py: Python<'_>, batch: &Batch<G>) -> PyResult<Results> {
        let mut borrowed = self.borrow(py, batch)?;
        let out = borrowed.slices();
        let flags = [&*out.terminated, &*out.truncated, &*out.illegal, &*out.final_mask].map(<[bool]>::to_vec);
        Ok(Results { reward: out.value.to_vec(), flags, final_board: out.final_board.to_vec() })
    }

    fn borrow<'py, G: Game>(&self, py: Python<'py>, batch: &Batch<G>) -> PyResult<Borrowed<'py>> {
        // The length is read from the array itself, because no Python code may run while the batch is locked.
        fn asked<T: Element>(py: Python<'_>, array: &Py<PyArrayDyn<T>>, items: usize) -> usize {
            if PyUntypedArrayMethods::len(array.bind(py)) > 0 { items } else { 0 }
        }
        let (n, boards, masks) = (batch.len(), batch.len() * batch.cells(), batch.len().saturating_mul(batch.volume()));
        let bits = batch.len().saturating_mul(batch.volume().div_ceil(8));
        let finals = asked(py, &self.final_board, boards);
        let final_masks = asked(py, &self.final_mask, masks);
        Ok(Borrowed {
            board: array::writable("board", self.board.bind(py), boards)?,
            mask: array::writable("legal_mask", self.legal_mask.bind(py), asked(py, &self.legal_mask, masks))?,
            bits: array::writable("legal_bits", self.legal_bits.bind(py), asked(py, &self.legal_bits, bits))?,
            reward: array::writable("reward", self.reward.bind(py), n)?,
            terminated: array::writable("terminated", self.terminated.bind(py), n)?,
            truncated: array::writable("truncated", self.truncated.bind(py), n)?,
            illegal: array::writable("illegal", self.illegal.bind(py), n)?,
            final_board: array::writable("final_board", self.final_board.bind(py), finals)?,
            final_mask: array::writable("final_mask", self.final_mask.bind(py), final_masks)?,
        })
    }
}

impl Borrowed<'_> {
    /// Checks that no two buffers share memory. Numpy's own bookkeeping misses arrays made from foreign memory.
    fn check_separate(&self) -> PyResult<()> {
        fn place<T: Element>(name: &'static str, array: &PyReadwriteArrayDyn<'_, T>) -> (usize, usize, &'static str) {
            (array.data() as usize, array.len() * size_of::<T>(), name)
        }
        let mut places = [
            place("board", &self.board),
            place("legal_mask", &self.mask),
            place("legal_bits", &self.bits),
            place("reward", &self.reward),
            place("terminated", &self.terminated),
            place("truncated", &self.truncated),
            place("illegal", &self.illegal),
            place("final_board", &self.final_board),
            place("final_mask", &self.final_mask),
        ]
        .map(|(start, bytes, name)| (start, start + bytes, name));
        places.sort_unstable();
        for pair in places.windows(2) {
            let ((_, end, one), (start, last, other)) = (pair[0], pair[1]);
            if start < end && start < last {
                return Err(PyValueError::new_err(format!("{other} must not share memory with {one}")));
            }
        }
        Ok(())
    }

    fn slices(&mut self) -> Buffers<'_> {
        Buffers {
            board: slice(&mut self.board),
            mask: slice(&mut self.mask),
            bits: slice(&mut self.bits),
            value: slice(&mut self.reward),
            terminated: slice(&mut self.terminated),
            truncated: slice(&mut self.truncated),
            illegal: slice(&mut self.illegal),
            final_board: slice(&mut self.final_board),
            final_mask: slice(&mut self.final_mask),
        }
    }
}

/// What the buffers of a batch hold besides boards and masks, which the batch can write anew.
struct Results {
    reward: Vec<f64>,
    flags: [Vec<bool>; 4],
    final_board: Vec<u8>,
}

impl Results {
    fn write(&self, out: &mut Buffers<'_>) {
        fn copy<T: Copy>(from: &[T], to: &mut [T]) {
            // New buffers may keep more than the old ones.
            if from.len() == to.len() {
                to.copy_from_slice(from);
            }
        }
        copy(&self.reward, out.value);
        copy(&self.final_board, out.final_board);
        let [terminated, truncated, illegal, final_mask] = &self.flags;
        copy(terminated, out.terminated);
        copy(truncated, out.truncated);
        copy(illegal, out.illegal);
        copy(final_mask, out.final_mask);
    }
}

/// Board and mask of a batch of one, kept for [`SharedBatch::step_one`]; empty until the first such step and after any
/// other change.
#[derive(Clone, Default)]
struct SingleBoard {
    board: Vec<u8>,
    mask: Vec<bool>,
    /// The mask as int8, 0 or 1, which is what the spaces of Gymnasium take.
    bytes: Vec<i8>,
}

/// Nanoseconds of the longest calls so far, older ones counting less.
#[derive(Clone, Copy, Default)]
struct Times {
    /// Calls that restart games or write all boards and masks.
    reset: f32,
    step: f32,
}

/// With calls that take longer than this, signals are answered on the way, which takes a copy of what changes. Shorter
/// calls answer them at the end.
const LONG: f32 = 4e7;

/// Measures a call for [`Times`].
fn timed<R>(time: &mut f32, work: impl FnOnce() -> R) -> R {
    let began = Instant::now();
    let done = work();
    *time = (*time * 0.9).max(began.elapsed().as_nanos() as f32);
    done
}

/// Does work on a batch with the interpreter released, within a budget that answers signals if it may take long.
fn released<R: Send>(
    py: Python<'_>,
    time: &mut f32,
    work: impl FnOnce(Option<&mut Budget<'_>>) -> Result<R, Error> + Send,
) -> PyResult<R> {
    if *time < LONG {
        return Ok(timed(time, || py.detach(|| work(None)))?);
    }
    timed(time, || unwinding(py, "cells", None, None, |budget| work(Some(budget))))
}

/// A batch and what belongs to it.
struct Guarded<G: Game> {
    batch: Batch<G>,
    rewards: Rewards,
    buffers: Option<BufferArrays>,
    single: SingleBoard,
    times: Times,
    draws: Draws,
}

/// The seed of the draws that have no seed of their own, and their number so far.
type Draws = (u64, u64);

/// A batch that threads share. No Python code runs in an access to it, and signals are answered in long work only.
pub(super) struct SharedBatch<G: Game>(Exclusive<Guarded<G>>);

/// The clock of each game: seed, episode, steps, and whether the episode is over.
pub(super) type Clocks = Vec<(u64, u64, u32, bool)>;

/// The parts of a pickle: the texts of the positions, their clocks, and the seed and number of draws.
pub(super) type Saved = (Vec<String>, Clocks, Draws);

/// The result of an environment's `step`: board, reward, terminated, truncated, info.
pub(super) type StepResult<'py> = (Bound<'py, PyArray2<u8>>, f64, bool, bool, Bound<'py, PyDict>);

impl<G: Game> SharedBatch<G> {
    #[allow(clippy::too_many_arguments)] // passed on from the class below
    pub(super) fn new(
        py: Python<'_>,
        starts: Vec<G>,
        maker: Option<PositionGenerator<G>>,
        n: usize,
        seed: u64,
        autoreset: &Bound<'_, PyAny>,
        max_steps: Option<u32>,
        rewards: (f64, f64, f64, f64, f64),
        threads: usize,
    ) -> PyResult<Self> {
        let modes =
            [("next_step", Autoreset::NextStep), ("same_step", Autoreset::SameStep), ("disabled", Autoreset::Disabled)];
        let autoreset = array::choice("autoreset", autoreset, &modes)?;
        let (won, lost, drawn, step, illegal) = rewards;
        let rewards = Rewards { won, lost, drawn, step, illegal };
        let options = Options { autoreset, max_steps, threads };
        let starts = maker.map_or_else(|| Starts::Fixed(Arc::from(starts)), Starts::Made);
        let mut times = Times::default();
        let batch = timed(&mut times.reset, || {
            long(py, "games", None, None, |budget| Batch::new(starts, n, seed, options, budget))
        })?;
        Ok(Self::of(Guarded { batch, rewards, buffers: None, single: SingleBoard::default(), times, draws: (seed, 0) }))
    }

    fn of(guarded: Guarded<G>) -> Self {
        Self(Exclusive::new("the batch", guarded))
    }

    pub(super) fn len(&self, py: Python<'_>) -> PyResult<usize> {
        self.0.with(py, |inner| Ok(inner.batch.len()))
    }

    pub(super) fn bounds(&self, py: Python<'_>) -> PyResult<Vec<i32>> {
        self.0.with(py, |inner| Ok(inner.batch.bounds().coords().to_vec()))
    }

    pub(super) fn shape(&self, py: Python<'_>) -> PyResult<(usize, usize)> {
        self.0.with(py, |inner| Ok(inner.batch.games().next().map_or((0, 0), |game| (game.height(), game.width()))))
    }

    pub(super) fn game(&self, py: Python<'_>, index: usize) -> PyResult<G> {
        self.0.with(py, |inner| {
            let n = inner.batch.len();
            inner.batch.games().nth(index).cloned().ok_or_else(|| {
                PyIndexError::new_err(format!("i must be between 0 and {}, got {index}", n.saturating_sub(1)))
            })
        })
    }

    /// Replaces a game, writes its rows and clears its results.
    pub(super) fn set_game(&self, py: Python<'_>, index: usize, game: G) -> PyResult<()> {
        self.0.with(py, |inner| {
            let Guarded { batch, buffers, single, .. } = inner;
            let mut out = buffers.as_ref().ok_or_else(no_buffers)?.borrow(py, batch)?;
            batch.set_game_into(index, game, out.slices())?;
            *single = SingleBoard::default();
            Ok(())
        })
    }

    /// Sets the buffers that all later calls write into: writes boards and masks, carries the results over, and updates
    /// `attributes`, a dict, by `arrays`. After an error nothing has changed but new arrays.
    pub(super) fn hold(
        &self,
        py: Python<'_>,
        buffers: BufferArrays,
        attributes: &Bound<'_, PyDict>,
        arrays: &Bound<'_, PyDict>,
    ) -> PyResult<()> {
        let replaced = self.0.take(py, |inner| {
            let Guarded { batch, buffers: held, times, .. } = inner;
            // Copied before the new arrays are borrowed, some of which may be the old ones.
            let results = held.as_ref().map(|held| held.results(py, batch)).transpose()?;
            let mut borrowed = buffers.borrow(py, batch)?;
            borrowed.check_separate()?;
            let mut out = borrowed.slices();
            // Arrays that were held before have these rows already, so that an interrupt leaves them as they are.
            timed(&mut times.step, || {
                unwinding(py, "cells", None, None, |budget| batch.write_within(out.board, out.mask, out.bits, budget))
            })?;
            times.reset = times.reset.max(times.step);
            if let Some(results) = &results {
                results.write(&mut out);
            }
            drop(borrowed);
            attributes.update(arrays.as_mapping())?;
            Ok(held.replace(buffers))
        })?;
        // Dropping an array may run Python code: the batch is at its place again.
        drop(replaced);
        Ok(())
    }

    /// Changes the games and writes the arrays by `change`, of which an error must leave both as they were.
    fn rewrite(
        &self,
        py: Python<'_>,
        seed: Option<u64>,
        change: impl FnOnce(&mut Batch<G>, Buffers<'_>, Option<&mut Budget<'_>>) -> Result<(), Error> + Send,
    ) -> PyResult<()> {
        self.0.take(py, |inner| {
            let Guarded { batch, buffers, single, times, draws, .. } = inner;
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

    /// Starts the first episode of each game anew, game `i` with the seed `seed + i`, which wraps at 2^64.
    pub(super) fn seed(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        self.rewrite(py, Some(seed), |batch, out, budget| {
            batch.restart_into(|i| Restart::Seed(seed.wrapping_add(i as u64)), out, budget)
        })
    }

    /// Starts the next episode of the marked games, or the first episode of a seed for those that have one in `seeds`.
    pub(super) fn reset(
        &self,
        py: Python<'_>,
        marked: Option<&PyReadonlyArrayDyn<'_, bool>>,
        seeds: Option<&[Option<u64>]>,
    ) -> PyResult<()> {
        let n = self.len(py)?;
        // Copied: another thread may write into the array meanwhile.
        let marked = marked.map(|marked| marked.as_slice().map(<[bool]>::to_vec)).transpose()?;
        if marked.as_ref().is_some_and(|marked| marked.len() != n) {
            return Err(PyValueError::new_err(format!("mask must be {n} bools")));
        }
        if let Some(seeds) = seeds.filter(|seeds| seeds.len() != n) {
            return Err(PyValueError::new_err(format!("seed must be an integer or {n} of them, got {}", seeds.len())));
        }
        let choose = |i: usize| match seeds.and_then(|seeds| seeds[i]) {
            _ if marked.as_ref().is_some_and(|marked| !marked[i]) => Restart::Stay,
            Some(seed) => Restart::Seed(seed),
            None => Restart::Next,
        };
        self.rewrite(py, None, |batch, out, budget| batch.restart_into(choose, out, budget))
    }

    /// Makes one move in each game; `flat` actions are indices in the box of moves. Returns `false`, with nothing done,
    /// if `actions` is not a C-contiguous int64 array of the right size.
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
        let quick = self.0.with(py, |inner| {
            let Guarded { batch, rewards, buffers, single, times, .. } = inner;
            if numbers.len() != batch.len() * rank {
                return Ok(Some(false));
            }
            if batch.len() >= WORTH_RELEASE || times.step > WORTH_RELEASE_TIME {
                return Ok(None);
            }
            let mut out = buffers.as_ref().ok_or_else(no_buffers)?.borrow(py, batch)?;
            // The step writes into the numpy buffers, so that the board kept for `step_one` is no longer current.
            single.board.clear();
            let rewards = *rewards;
            batch.step(actions, out.slices(), |outcome| rewards.of(outcome))?;
            Ok(Some(true))
        })?;
        if let Some(done) = quick {
            return Ok(done);
        }
        self.0.take(py, |inner| {
            let Guarded { batch, rewards, buffers, single, times, .. } = inner;
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
    /// gets zeros. Without a seed, one is derived from the seed of the batch, a new one for each call.
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
            return self.0.take(py, |inner| {
                let Guarded { batch, draws, .. } = inner;
                let mut actions = array::writable("actions", actions, batch.len() * G::Move::RANK)?;
                let (seed, actions) = (draw(draws), slice(&mut actions));
                unwinding(py, "moves", None, None, |budget| batch.sample_legal(seed, actions, budget))
            });
        }
        let copy = self.0.with(py, |inner| {
            let Guarded { batch, draws, .. } = inner;
            let mut actions = array::writable("actions", actions, batch.len() * G::Move::RANK)?;
            let seed = draw(draws);
            let done = batch.sample_legal(seed, slice(&mut actions), &mut Budget::new("moves", Some(QUICK), None));
            // Long draws check for signals, and a signal handler may use this batch: they work on a copy.
            Ok(done.is_err().then(|| (seed, batch.clone())))
        })?;
        let Some((seed, batch)) = copy else { return Ok(()) };
        let mut actions = array::writable("actions", actions, batch.len() * G::Move::RANK)?;
        let actions = slice(&mut actions);
        long(py, "moves", None, None, |budget| batch.sample_legal(seed, actions, budget))
    }

    /// Starts an episode of a batch of one and returns its board and mask: the first episode of `seed`, or the next one
    /// if `seed` is `None`. The mask is in the dict, flat or in the shape of the box of moves, unless `mask` is
    /// `false`.
    pub(super) fn reset_one<'py>(
        &self,
        py: Python<'py>,
        seed: Option<u64>,
        mask: bool,
        flat: bool,
    ) -> PyResult<(Bound<'py, PyArray2<u8>>, Bound<'py, PyDict>)> {
        self.0.with(py, |inner| {
            let Guarded { batch, single, .. } = inner;
            if batch.len() != 1 {
                return Err(not_one(batch.len()));
            }
            batch.restart(|_| seed.map_or(Restart::Next, Restart::Seed));
            single.fill(batch, mask);
            single.give(py, batch, flat)
        })
    }

    /// Makes one move in a batch of one, without its numpy buffers. Returns fresh arrays in the form of an
    /// environment's `step`, with the mask in the dict. `numbers` holds the coordinates of the move, or its index in
    /// the box if `flat` is `true`.
    #[inline]
    pub(super) fn step_one<'py>(
        &self,
        py: Python<'py>,
        numbers: &[i64],
        mask: bool,
        flat: bool,
    ) -> PyResult<StepResult<'py>> {
        self.0.with(py, |inner| {
            let Guarded { batch, rewards, single, .. } = inner;
            let rewards = *rewards;
            let (game, clock) = (batch.games().next(), batch.clocks().next());
            let (Some(game), Some(clock), 1) = (game, clock, batch.len()) else { return Err(not_one(batch.len())) };
            if clock.over {
                return Err(PyRuntimeError::new_err("reset() must be called before step(): the episode is over"));
            }
            if !flat {
                game::lookup(game, numbers)?;
            }
            if single.board.is_empty() {
                single.fill(batch, mask);
            }
            let (mut reward, mut terminated, mut truncated, mut illegal) = ([0.0], [false], [false], [false]);
            let out = Buffers {
                board: &mut single.board,
                mask: &mut single.mask,
                bits: &mut [],
                value: &mut reward,
                terminated: &mut terminated,
                truncated: &mut truncated,
                illegal: &mut illegal,
                final_board: &mut [],
                final_mask: &mut [],
            };
            let actions = if flat { Actions::Flat(numbers) } else { Actions::Points(numbers) };
            batch.step(actions, out, |outcome| rewards.of(outcome))?;
            let (board, info) = single.give(py, batch, flat)?;
            Ok((board, reward[0], terminated[0], truncated[0], info))
        })
    }

    /// Returns a copy of the games, with the interpreter released if that may take long.
    fn games_copied(&self, py: Python<'_>) -> PyResult<Batch<G>> {
        let quick = self.0.with(py, |inner| Ok((inner.times.reset < LONG).then(|| inner.batch.clone())))?;
        let copied = |inner: &mut Guarded<G>| unwinding(py, "cells", None, None, |budget| inner.batch.copied(budget));
        quick.map_or_else(|| self.0.take(py, copied), Ok)
    }

    /// Returns a copy without numpy buffers.
    pub(super) fn clone_of(&self, py: Python<'_>) -> PyResult<Self> {
        let batch = self.games_copied(py)?;
        self.0.with(py, |inner| {
            let Guarded { rewards, times, draws, .. } = *inner;
            Ok(Self::of(Guarded { batch, rewards, buffers: None, single: SingleBoard::default(), times, draws }))
        })
    }

    /// Returns the current board and mask of a batch of one.
    pub(super) fn look_one<'py>(
        &self,
        py: Python<'py>,
        mask: bool,
        flat: bool,
    ) -> PyResult<(Bound<'py, PyArray2<u8>>, Bound<'py, PyDict>)> {
        self.0.with(py, |inner| {
            let Guarded { batch, single, .. } = inner;
            if batch.len() != 1 {
                return Err(not_one(batch.len()));
            }
            single.fill(batch, mask);
            single.give(py, batch, flat)
        })
    }

    /// Goes back to the positions and clocks of another batch.
    pub(super) fn restore(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        // Only one of the two is accessed at a time: two threads that restore from each other would otherwise wait
        // forever.
        let snapshot = Snapshot::from(other.games_copied(py)?);
        self.rewrite(py, None, |batch, out, budget| batch.restore_into(snapshot, out, budget))
    }

    pub(super) fn panic(&self, py: Python<'_>, long: bool) -> PyResult<()> {
        let planted = |_: &mut Guarded<G>| panic!("planted by a test");
        if long { self.0.take(py, planted) } else { self.0.with(py, planted) }
    }

    /// Returns the parts of a pickle.
    pub(super) fn save(&self, py: Python<'_>) -> PyResult<Saved> {
        self.0.with(py, |inner| {
            let texts = inner.batch.games().map(Game::text).collect();
            let clock = |clock: Clock| (clock.seed, clock.episode, clock.steps, clock.over);
            Ok((texts, inner.batch.clocks().map(clock).collect(), inner.draws))
        })
    }

    /// Goes back to what [`SharedBatch::save`] returned, without writing any array; an error leaves the batch
    /// unchanged.
    pub(super) fn load(&self, py: Python<'_>, texts: &[String], clocks: &Clocks, draws: Draws) -> PyResult<()> {
        let clock = |&(seed, episode, steps, over): &(u64, u64, u32, bool)| Clock { seed, episode, steps, over };
        let games = texts.iter().map(|text| G::parse(text)).collect::<Result<Vec<_>, Error>>()?;
        let snapshot = Snapshot::new(games.into_iter().zip(clocks.iter().map(clock)));
        self.0.with(py, |inner| {
            inner.batch.restore(&snapshot)?;
            inner.single = SingleBoard::default();
            inner.draws = draws;
            Ok(())
        })
    }
}

impl SingleBoard {
    /// Writes the current board of a batch of one, and its mask if `mask` is `true`.
    fn fill<G: Game>(&mut self, batch: &Batch<G>, mask: bool) {
        let moves = if mask { batch.volume() } else { 0 };
        self.board.resize(batch.cells(), 0);
        self.mask.resize(moves, false);
        batch.write(&mut self.board, &mut self.mask);
    }

    /// Copies the board into a fresh array, and the mask into a dict: flat, or in the shape of the box of moves.
    #[inline]
    fn give<'py, G: Game>(
        &mut self,
        py: Python<'py>,
        batch: &Batch<G>,
        flat: bool,
    ) -> PyResult<(Bound<'py, PyArray2<u8>>, Bound<'py, PyDict>)> {
        let (height, width) = batch.games().next().map_or((0, 0), |game| (game.height(), game.width()));
        let view = ArrayView2::from_shape((height, width), &self.board[..])
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let info = PyDict::new(py);
        if !self.mask.is_empty() {
            self.bytes.clear();
            self.bytes.extend(self.mask.iter().map(|&legal| i8::from(legal)));
            let key = intern!(py, "action_mask");
            if flat {
                info.set_item(key, PyArray1::from_slice(py, &self.bytes))?;
            } else {
                let bounds = batch.bounds();
                let shape: Vec<usize> = bounds.coords().iter().map(|&bound| bound as usize).collect();
                info.set_item(key, array::shaped(py, &shape, self.bytes.clone())?)?;
            }
        }
        Ok((PyArray2::from_array(py, &view), info))
    }
}

#[cold]
fn not_one(n: usize) -> PyErr {
    PyRuntimeError::new_err(format!("the batch must have 1 game, got {n}"))
}

fn no_buffers() -> PyErr {
    PyRuntimeError::new_err("hold() must set the buffers first")
}

/// Returns one parameter of a recipe: a dict of all parameters of a game's `generate`.
pub(super) fn ingredient<'py>(recipe: &Bound<'py, PyDict>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    recipe.get_item(name)?.ok_or_else(|| PyValueError::new_err(format!("recipe must hold {name}")))
}

/// Returns whether at least one of these parameters is truthy. The recipe then asks for something that takes a search.
pub(super) fn asks(recipe: &Bound<'_, PyDict>, names: &[&str]) -> PyResult<bool> {
    for name in names {
        if ingredient(recipe, name)?.is_truthy()? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns `None`, for a game that has no generator for batches.
#[allow(clippy::unnecessary_wraps)] // the signature of all makers
pub(super) fn no_maker<G: Game>(_recipe: &Bound<'_, PyDict>) -> PyResult<Option<PositionGenerator<G>>> {
    Ok(None)
}

/// Defines the Python class of the batches of a game.
///
/// The last argument, if given, is a function that reads the parameters of the game's `generate` and returns the
/// [`PositionGenerator`] of its positions, or `None` if generating would be too slow between two steps.
macro_rules! batch_class {
    ($batch:ident, $game:ty, $core:ident) => {
        $crate::py::batch::batch_class!($batch, $game, $core, $crate::py::batch::no_maker::<$game>);
    };
    ($batch:ident, $game:ty, $core:ident, $maker:expr) => {
        /// The engine of `gridwright.Batch` for one game.
        #[pyo3::pyclass(module = "gridwright._core", frozen)]
        pub(super) struct $batch($crate::py::batch::SharedBatch<$game>);

        #[pyo3::pymethods]
        impl $batch {
            #[new]
            #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)] // called by gridwright.Batch only
            fn new(
                py: pyo3::Python<'_>,
                starts: Vec<pyo3::PyRef<'_, $core>>,
                recipe: Option<pyo3::Bound<'_, pyo3::types::PyDict>>,
                n: usize,
                seed: u64,
                autoreset: &Bound<'_, PyAny>,
                max_steps: Option<u32>,
                rewards: (f64, f64, f64, f64, f64),
                threads: usize,
            ) -> pyo3::PyResult<Self> {
                let starts = starts.iter().map(|start| start.0.state(py)).collect::<PyResult<_>>()?;
                let maker = match &recipe {
                    Some(recipe) => $maker(recipe)?,
                    None => None,
                };
                let shared = $crate::py::batch::SharedBatch::new(
                    py, starts, maker, n, seed, autoreset, max_steps, rewards, threads,
                )?;
                Ok(Self(shared))
            }

            #[staticmethod]
            fn makes(recipe: &pyo3::Bound<'_, pyo3::types::PyDict>) -> pyo3::PyResult<bool> {
                Ok($maker(recipe)?.is_some())
            }

            fn __len__(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<usize> {
                self.0.len(py)
            }

            #[getter]
            fn bounds<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::types::PyTuple>> {
                pyo3::types::PyTuple::new(py, self.0.bounds(py)?)
            }

            #[getter]
            fn shape(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<(usize, usize)> {
                self.0.shape(py)
            }

            fn game(&self, py: pyo3::Python<'_>, index: usize) -> pyo3::PyResult<$core> {
                Ok($core($crate::py::game::SharedGame::from_state(self.0.game(py, index)?)))
            }

            fn set_game(&self, py: pyo3::Python<'_>, index: usize, game: pyo3::PyRef<'_, $core>) -> pyo3::PyResult<()> {
                self.0.set_game(py, index, game.0.state(py)?)
            }

            #[allow(clippy::needless_pass_by_value)] // what the call hands over
            fn hold(
                &self,
                py: pyo3::Python<'_>,
                buffers: $crate::py::batch::BufferArrays,
                attributes: &pyo3::Bound<'_, pyo3::types::PyDict>,
                arrays: &pyo3::Bound<'_, pyo3::types::PyDict>,
            ) -> pyo3::PyResult<()> {
                self.0.hold(py, buffers, attributes, arrays)
            }

            fn seed(&self, py: pyo3::Python<'_>, seed: u64) -> pyo3::PyResult<()> {
                self.0.seed(py, seed)
            }

            #[pyo3(signature = (marked=None, seeds=None))]
            #[allow(clippy::needless_pass_by_value)] // what the call hands over
            fn reset(
                &self,
                py: pyo3::Python<'_>,
                marked: Option<numpy::PyReadonlyArrayDyn<'_, bool>>,
                seeds: Option<Vec<Option<u64>>>,
            ) -> pyo3::PyResult<()> {
                self.0.reset(py, marked.as_ref(), seeds.as_deref())
            }

            fn step(&self, py: pyo3::Python<'_>, actions: &pyo3::Bound<'_, pyo3::PyAny>) -> pyo3::PyResult<bool> {
                self.0.step(py, actions, false)
            }

            fn step_flat(&self, py: pyo3::Python<'_>, actions: &pyo3::Bound<'_, pyo3::PyAny>) -> pyo3::PyResult<bool> {
                self.0.step(py, actions, true)
            }

            #[pyo3(signature = (seed=None, mask=true, flat=true))]
            #[allow(clippy::type_complexity)] // what an environment's reset returns
            fn reset_one<'py>(
                &self,
                py: pyo3::Python<'py>,
                seed: Option<u64>,
                mask: bool,
                flat: bool,
            ) -> pyo3::PyResult<(pyo3::Bound<'py, numpy::PyArray2<u8>>, pyo3::Bound<'py, pyo3::types::PyDict>)> {
                self.0.reset_one(py, seed, mask, flat)
            }

            #[pyo3(signature = (mask=true, flat=true))]
            #[allow(clippy::type_complexity)] // what an environment's reset returns
            fn look_one<'py>(
                &self,
                py: pyo3::Python<'py>,
                mask: bool,
                flat: bool,
            ) -> pyo3::PyResult<(pyo3::Bound<'py, numpy::PyArray2<u8>>, pyo3::Bound<'py, pyo3::types::PyDict>)> {
                self.0.look_one(py, mask, flat)
            }

            #[pyo3(signature = (action, mask=true))]
            fn step_one<'py>(
                &self,
                py: pyo3::Python<'py>,
                action: &pyo3::Bound<'_, pyo3::PyAny>,
                mask: bool,
            ) -> pyo3::PyResult<$crate::py::batch::StepResult<'py>> {
                self.0.step_one(py, &[$crate::py::array::coordinate(action)?], mask, true)
            }

            #[pyo3(signature = (action, mask=true))]
            fn step_point<'py>(
                &self,
                py: pyo3::Python<'py>,
                action: &pyo3::Bound<'_, pyo3::PyAny>,
                mask: bool,
            ) -> pyo3::PyResult<$crate::py::batch::StepResult<'py>> {
                self.0.step_one(py, &$crate::py::array::point(action)?, mask, false)
            }

            fn sample_legal_into(
                &self,
                py: pyo3::Python<'_>,
                seed: Option<u64>,
                actions: &pyo3::Bound<'_, numpy::PyArrayDyn<i64>>,
            ) -> pyo3::PyResult<()> {
                self.0.sample_legal_into(py, seed, actions)
            }

            fn clone(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<Self> {
                Ok(Self(self.0.clone_of(py)?))
            }

            fn restore(&self, py: pyo3::Python<'_>, other: &Self) -> pyo3::PyResult<()> {
                self.0.restore(py, &other.0)
            }

            /// Panics during work on the batch, so that the tests see what an internal error leaves behind.
            fn _panic(&self, py: pyo3::Python<'_>, long: bool) -> pyo3::PyResult<()> {
                self.0.panic(py, long)
            }

            fn save(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<$crate::py::batch::Saved> {
                self.0.save(py)
            }

            #[allow(clippy::needless_pass_by_value)] // what the call hands over
            fn load(
                &self,
                py: pyo3::Python<'_>,
                texts: Vec<String>,
                clocks: $crate::py::batch::Clocks,
                draws: (u64, u64),
            ) -> pyo3::PyResult<()> {
                self.0.load(py, &texts, &clocks, draws)
            }
        }
    };
}
pub(super) use batch_class;
