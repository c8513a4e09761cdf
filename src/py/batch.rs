//! Batches in Python: n games stepped straight into numpy buffers that Python owns, the interpreter released.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use numpy::ndarray::ArrayView2;
use numpy::{
    Element, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyDict;

use super::array;
use super::long::long;
use crate::core::batch::{Actions, Autoreset, Batch, Buffers, Clock, Options, Restart, Rewards, Starts};
use crate::core::game::{self, Point};
use crate::core::{Error, Game};

/// Makes a position from a seed, without fail.
pub(super) type Maker<G> = Arc<dyn Fn(u64) -> G + Send + Sync>;

/// Steps on fewer games than this are over sooner than the interpreter is released.
const WORTH_RELEASE: usize = 64;

fn slice<'a, T: Element>(array: &'a mut PyReadwriteArrayDyn<'_, T>) -> &'a mut [T] {
    array.as_slice_mut().unwrap_or(&mut [])
}

/// The numpy buffers that a batch writes into; one of no items says that nobody asks.
#[derive(FromPyObject)]
pub(super) struct Held {
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

impl Held {
    fn borrow<'py, G: Game>(&self, py: Python<'py>, batch: &Batch<G>) -> PyResult<Borrowed<'py>> {
        fn asked<T: Element>(py: Python<'_>, array: &Py<PyArrayDyn<T>>, items: usize) -> usize {
            if array.bind(py).as_any().len().unwrap_or(0) > 0 { items } else { 0 }
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

/// What a batch of one keeps for [`Many::step_one`]; empty until the first such step, and after any other change.
#[derive(Clone, Default)]
struct Own {
    board: Vec<u8>,
    mask: Vec<bool>,
    bytes: Vec<i8>,
}

pub(super) struct Inner<G: Game> {
    batch: Batch<G>,
    held: Option<Held>,
    own: Own,
}

/// A batch behind a lock.
pub(super) struct Many<G: Game>(Mutex<Inner<G>>);

/// What a batch is but for its positions: the clock of each game.
pub(super) type Clocks = Vec<(u64, u64, u32, bool)>;

/// What an environment's `step` returns.
pub(super) type Stepped<'py> = (Bound<'py, PyArray2<u8>>, f64, bool, bool, Bound<'py, PyDict>);

impl<G: Game> Many<G> {
    #[allow(clippy::too_many_arguments)] // handed through from the class below
    pub(super) fn new(
        py: Python<'_>,
        starts: Vec<G>,
        maker: Option<Maker<G>>,
        n: usize,
        seed: u64,
        autoreset: &str,
        max_steps: Option<u32>,
        rewards: (f64, f64, f64, f64, f64),
        threads: usize,
    ) -> PyResult<Self> {
        let autoreset = match autoreset {
            "next_step" => Autoreset::NextStep,
            "same_step" => Autoreset::SameStep,
            "disabled" => Autoreset::Disabled,
            _ => {
                let wanted = "wanted 'next_step', 'same_step' or 'disabled'";
                return Err(PyValueError::new_err(format!("autoreset '{autoreset}', {wanted}")));
            }
        };
        let (won, lost, drawn, step, illegal) = rewards;
        let rewards = Rewards { won, lost, drawn, step, illegal };
        let options = Options { autoreset, max_steps, rewards, threads };
        let starts = maker.map_or_else(|| Starts::Fixed(Arc::from(starts)), Starts::Made);
        let batch = long(py, "games", None, None, |budget| Batch::watched(starts, n, seed, options, budget))?;
        Ok(Self::of(batch))
    }

    fn of(batch: Batch<G>) -> Self {
        Self(Mutex::new(Inner { batch, held: None, own: Own::default() }))
    }

    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Inner<G>> {
        match self.0.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner),
        }
    }

    pub(super) fn len(&self, py: Python<'_>) -> usize {
        self.lock(py).batch.len()
    }

    pub(super) fn bounds(&self, py: Python<'_>) -> Vec<i32> {
        self.lock(py).batch.bounds().coords().to_vec()
    }

    pub(super) fn shape(&self, py: Python<'_>) -> (usize, usize) {
        self.lock(py).batch.games().next().map_or((0, 0), |game| (game.height(), game.width()))
    }

    pub(super) fn game(&self, py: Python<'_>, index: usize) -> PyResult<G> {
        let inner = self.lock(py);
        let n = inner.batch.len();
        inner
            .batch
            .games()
            .nth(index)
            .cloned()
            .ok_or_else(|| PyIndexError::new_err(format!("game {index}, wanted 0 to {}", n.saturating_sub(1))))
    }

    pub(super) fn set_game(&self, py: Python<'_>, index: usize, game: G) -> PyResult<()> {
        let mut inner = self.lock(py);
        let n = inner.batch.len();
        let first = inner.batch.games().next().map(|g| (g.height(), g.width(), g.bounds()));
        if index >= n || first != Some((game.height(), game.width(), game.bounds())) {
            let (height, width) = (game.height(), game.width());
            return Err(PyValueError::new_err(format!(
                "a position of {height} x {width} for game {index}, wanted one of the batch's size for game 0 to {}",
                n.saturating_sub(1)
            )));
        }
        inner.batch.set_game(index, game);
        inner.own = Own::default();
        Ok(())
    }

    /// Holds the buffers that all later calls write into, and writes them.
    pub(super) fn hold(&self, py: Python<'_>, held: Held) -> PyResult<()> {
        let mut inner = self.lock(py);
        drop(held.borrow(py, &inner.batch)?);
        inner.held = Some(held);
        drop(inner);
        self.write(py)
    }

    /// Writes all boards and masks.
    pub(super) fn write(&self, py: Python<'_>) -> PyResult<()> {
        let inner = self.lock(py);
        let (batch, held) = (&inner.batch, inner.held.as_ref().ok_or_else(no_buffers)?);
        let mut out = held.borrow(py, batch)?;
        let (board, mask, bits) = (slice(&mut out.board), slice(&mut out.mask), slice(&mut out.bits));
        py.detach(|| {
            batch.write(board, mask);
            if !bits.is_empty() {
                batch.write_bits(bits);
            }
        });
        Ok(())
    }

    pub(super) fn seed(&self, py: Python<'_>, seed: u64) {
        let mut guard = self.lock(py);
        guard.own = Own::default();
        let batch = &mut guard.batch;
        py.detach(|| batch.seed(seed));
    }

    /// Starts the next episode of the marked games, or the first one of a seed where there is one.
    pub(super) fn reset(
        &self,
        py: Python<'_>,
        marked: Option<&PyReadonlyArrayDyn<'_, bool>>,
        seeds: Option<&[Option<u64>]>,
    ) -> PyResult<()> {
        let mut guard = self.lock(py);
        guard.own = Own::default();
        let batch = &mut guard.batch;
        let n = batch.len();
        let marked = marked.map(PyReadonlyArrayDyn::as_slice).transpose()?;
        if marked.is_some_and(|marked| marked.len() != n) {
            return Err(PyValueError::new_err(format!("a mask of games, wanted {n} bools")));
        }
        if let Some(seeds) = seeds.filter(|seeds| seeds.len() != n) {
            return Err(PyValueError::new_err(format!("{} seeds, wanted {n}", seeds.len())));
        }
        py.detach(|| {
            batch.restart(|i| match seeds.and_then(|seeds| seeds[i]) {
                _ if marked.is_some_and(|marked| !marked[i]) => Restart::Stay,
                Some(seed) => Restart::Seed(seed),
                None => Restart::Next,
            });
        });
        Ok(())
    }

    /// Makes one move in each game, `flat` ones named by their index in the box. Says no, with nothing done, where the
    /// actions are no C-contiguous int64 array of the right size.
    pub(super) fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>, flat: bool) -> PyResult<bool> {
        let Ok(actions) = actions.cast::<PyArrayDyn<i64>>() else { return Ok(false) };
        let mut guard = self.lock(py);
        let Inner { batch, held, own } = &mut *guard;
        own.board.clear();
        let Ok(actions) = actions.try_readonly() else { return Ok(false) };
        if !actions.is_c_contiguous() {
            return Ok(false);
        }
        let Ok(actions) = actions.as_slice() else { return Ok(false) };
        if actions.len() != batch.len() * if flat { 1 } else { G::Move::RANK } {
            return Ok(false);
        }
        let actions = if flat { Actions::Flat(actions) } else { Actions::Points(actions) };
        let mut out = held.as_ref().ok_or_else(no_buffers)?.borrow(py, batch)?;
        let (small, bits) = (batch.len() < WORTH_RELEASE, slice(&mut out.bits));
        let out = Buffers {
            board: slice(&mut out.board),
            mask: slice(&mut out.mask),
            reward: slice(&mut out.reward),
            terminated: slice(&mut out.terminated),
            truncated: slice(&mut out.truncated),
            illegal: slice(&mut out.illegal),
            final_board: slice(&mut out.final_board),
            final_mask: slice(&mut out.final_mask),
        };
        let work = || {
            batch.step(actions, out)?;
            if !bits.is_empty() {
                batch.write_bits(bits);
            }
            Ok::<_, Error>(())
        };
        if small { work() } else { py.detach(work) }?;
        Ok(true)
    }

    pub(super) fn sample_legal_into(
        &self,
        py: Python<'_>,
        seed: u64,
        actions: &Bound<'_, PyArrayDyn<i64>>,
    ) -> PyResult<()> {
        let guard = self.lock(py);
        let batch = &guard.batch;
        let mut actions = array::writable("actions", actions, batch.len() * G::Move::RANK)?;
        let actions = slice(&mut actions);
        long(py, "moves", None, None, |budget| batch.sample_legal(seed, actions, budget))
    }

    /// Starts an episode of a batch of one, the next or the first of a seed: its board and its mask.
    pub(super) fn reset_one<'py>(
        &self,
        py: Python<'py>,
        seed: Option<u64>,
        mask: bool,
        flat: bool,
    ) -> PyResult<(Bound<'py, PyArray2<u8>>, Bound<'py, PyDict>)> {
        let mut guard = self.lock(py);
        let Inner { batch, own, .. } = &mut *guard;
        if batch.len() != 1 {
            return Err(not_one(batch.len()));
        }
        batch.restart(|_| seed.map_or(Restart::Next, Restart::Seed));
        own.fill(batch, mask);
        own.give(py, batch, flat)
    }

    /// Makes one move in a batch of one, without any buffer of numpy: what an environment's `step` returns, its arrays
    /// fresh, and its mask in a dict.
    #[inline]
    pub(super) fn step_one<'py>(
        &self,
        py: Python<'py>,
        numbers: &[i64],
        mask: bool,
        flat: bool,
    ) -> PyResult<Stepped<'py>> {
        let mut guard = self.lock(py);
        let Inner { batch, own, .. } = &mut *guard;
        let (game, clock) = (batch.games().next(), batch.clocks().next());
        let (Some(game), Some(clock), 1) = (game, clock, batch.len()) else { return Err(not_one(batch.len())) };
        if clock.over {
            return Err(PyRuntimeError::new_err("a step after the end of the episode, wanted reset() first"));
        }
        if !flat {
            game::lookup(game, numbers)?;
        }
        if own.board.is_empty() {
            own.fill(batch, mask);
        }
        let (mut reward, mut terminated, mut truncated, mut illegal) = ([0.0], [false], [false], [false]);
        let out = Buffers {
            board: &mut own.board,
            mask: &mut own.mask,
            reward: &mut reward,
            terminated: &mut terminated,
            truncated: &mut truncated,
            illegal: &mut illegal,
            final_board: &mut [],
            final_mask: &mut [],
        };
        let done = batch.step(if flat { Actions::Flat(numbers) } else { Actions::Points(numbers) }, out);
        if let Err(error) = done {
            let plain = error.to_string().replace("game 0 of the batch: ", "");
            return Err(Error::Move(plain).into());
        }
        let (board, info) = own.give(py, batch, flat)?;
        Ok((board, reward[0], terminated[0], truncated[0], info))
    }

    pub(super) fn clone_of(&self, py: Python<'_>) -> Self {
        Self::of(self.lock(py).batch.clone())
    }

    /// The board and the mask of a batch of one as they are now, fresh.
    pub(super) fn look_one<'py>(
        &self,
        py: Python<'py>,
        mask: bool,
        flat: bool,
    ) -> PyResult<(Bound<'py, PyArray2<u8>>, Bound<'py, PyDict>)> {
        let mut guard = self.lock(py);
        let Inner { batch, own, .. } = &mut *guard;
        if batch.len() != 1 {
            return Err(not_one(batch.len()));
        }
        own.fill(batch, mask);
        own.give(py, batch, flat)
    }

    pub(super) fn restore(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        if std::ptr::eq(self, other) {
            return Ok(());
        }
        let snapshot = other.lock(py).batch.snapshot();
        let mut inner = self.lock(py);
        if inner.batch.restore(&snapshot) {
            inner.own = Own::default();
            Ok(())
        } else {
            Err(PyValueError::new_err("a state of another number of games, wanted one of this batch"))
        }
    }

    /// What a pickle keeps: the texts of the positions, and the clocks.
    pub(super) fn save(&self, py: Python<'_>) -> (Vec<String>, Clocks) {
        let inner = self.lock(py);
        let texts = inner.batch.games().map(Game::text).collect();
        let clocks = inner.batch.clocks().map(|clock| (clock.seed, clock.episode, clock.steps, clock.over)).collect();
        (texts, clocks)
    }

    /// Goes back to what [`Many::save`] gave.
    pub(super) fn load(&self, py: Python<'_>, texts: &[String], clocks: &Clocks) -> PyResult<()> {
        let n = self.len(py);
        if texts.len() != n || clocks.len() != n {
            return Err(PyValueError::new_err("a state of another number of games, wanted one of this batch"));
        }
        for (i, (text, &(seed, episode, steps, over))) in texts.iter().zip(clocks).enumerate() {
            self.set_game(py, i, G::parse(text)?)?;
            self.lock(py).batch.set_clock(i, Clock { seed, episode, steps, over });
        }
        Ok(())
    }
}

impl Own {
    fn fill<G: Game>(&mut self, batch: &Batch<G>, mask: bool) {
        let moves = if mask { batch.volume() } else { 0 };
        self.board.resize(batch.cells(), 0);
        self.mask.resize(moves, false);
        batch.write(&mut self.board, &mut self.mask);
    }

    /// Copies board and mask into fresh arrays.
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
    PyRuntimeError::new_err(format!("a batch of {n} games, wanted one of a single game"))
}

fn no_buffers() -> PyErr {
    PyRuntimeError::new_err("a batch without buffers, wanted them held first")
}

/// One parameter of a recipe; those of a game's `generate` are all there.
pub(super) fn ingredient<'py>(recipe: &Bound<'py, PyDict>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    recipe.get_item(name)?.ok_or_else(|| PyValueError::new_err(format!("a recipe without {name}, wanted it there")))
}

/// Whether a recipe asks for what takes searching: one of these parameters is neither `None` nor false.
pub(super) fn asks(recipe: &Bound<'_, PyDict>, names: &[&str]) -> PyResult<bool> {
    for name in names {
        if ingredient(recipe, name)?.is_truthy()? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The recipe of a game that has no generator for batches.
#[allow(clippy::unnecessary_wraps)] // the signature of all makers
pub(super) fn no_maker<G: Game>(_recipe: &Bound<'_, PyDict>) -> PyResult<Option<Maker<G>>> {
    Ok(None)
}

/// Makes the Python class of the batches of a game.
///
/// The last argument, where there is one, reads the parameters of the game's `generate` and gives what makes its
/// positions: `None` where that would be too slow to be done between two steps.
macro_rules! batch_class {
    ($batch:ident, $game:ty, $core:ident) => {
        $crate::py::batch::batch_class!($batch, $game, $core, $crate::py::batch::no_maker::<$game>);
    };
    ($batch:ident, $game:ty, $core:ident, $maker:expr) => {
        /// Games stepped together; `gridwright.Batch` is the door to it.
        #[pyo3::pyclass(module = "gridwright._core", frozen)]
        pub(super) struct $batch($crate::py::batch::Many<$game>);

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
                autoreset: &str,
                max_steps: Option<u32>,
                rewards: (f64, f64, f64, f64, f64),
                threads: usize,
            ) -> pyo3::PyResult<Self> {
                let starts = starts.iter().map(|start| start.0.state(py)).collect();
                let maker = match &recipe {
                    Some(recipe) => $maker(recipe)?,
                    None => None,
                };
                let many =
                    $crate::py::batch::Many::new(py, starts, maker, n, seed, autoreset, max_steps, rewards, threads)?;
                Ok(Self(many))
            }

            #[staticmethod]
            fn makes(recipe: &pyo3::Bound<'_, pyo3::types::PyDict>) -> pyo3::PyResult<bool> {
                Ok($maker(recipe)?.is_some())
            }

            fn __len__(&self, py: pyo3::Python<'_>) -> usize {
                self.0.len(py)
            }

            #[getter]
            fn bounds<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::types::PyTuple>> {
                pyo3::types::PyTuple::new(py, self.0.bounds(py))
            }

            #[getter]
            fn shape(&self, py: pyo3::Python<'_>) -> (usize, usize) {
                self.0.shape(py)
            }

            fn game(&self, py: pyo3::Python<'_>, index: usize) -> pyo3::PyResult<$core> {
                Ok($core($crate::py::game::Shell::from_state(self.0.game(py, index)?)))
            }

            fn set_game(&self, py: pyo3::Python<'_>, index: usize, game: pyo3::PyRef<'_, $core>) -> pyo3::PyResult<()> {
                self.0.set_game(py, index, game.0.state(py))
            }

            fn hold(&self, py: pyo3::Python<'_>, buffers: $crate::py::batch::Held) -> pyo3::PyResult<()> {
                self.0.hold(py, buffers)
            }

            fn write(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<()> {
                self.0.write(py)
            }

            fn seed(&self, py: pyo3::Python<'_>, seed: u64) {
                self.0.seed(py, seed);
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
                action: $crate::py::array::Part,
                mask: bool,
            ) -> pyo3::PyResult<$crate::py::batch::Stepped<'py>> {
                self.0.step_one(py, &[action.0], mask, true)
            }

            #[pyo3(signature = (action, mask=true))]
            #[allow(clippy::needless_pass_by_value)] // what the call hands over
            fn step_point<'py>(
                &self,
                py: pyo3::Python<'py>,
                action: Vec<$crate::py::array::Part>,
                mask: bool,
            ) -> pyo3::PyResult<$crate::py::batch::Stepped<'py>> {
                let numbers: Vec<_> = action.iter().map(|number| number.0).collect();
                self.0.step_one(py, &numbers, mask, false)
            }

            fn sample_legal_into(
                &self,
                py: pyo3::Python<'_>,
                seed: u64,
                actions: &pyo3::Bound<'_, numpy::PyArrayDyn<i64>>,
            ) -> pyo3::PyResult<()> {
                self.0.sample_legal_into(py, seed, actions)
            }

            fn clone(&self, py: pyo3::Python<'_>) -> Self {
                Self(self.0.clone_of(py))
            }

            fn restore(&self, py: pyo3::Python<'_>, other: &Self) -> pyo3::PyResult<()> {
                self.0.restore(py, &other.0)
            }

            fn save(&self, py: pyo3::Python<'_>) -> (Vec<String>, $crate::py::batch::Clocks) {
                self.0.save(py)
            }

            #[allow(clippy::needless_pass_by_value)] // what the call hands over
            fn load(
                &self,
                py: pyo3::Python<'_>,
                texts: Vec<String>,
                clocks: $crate::py::batch::Clocks,
            ) -> pyo3::PyResult<()> {
                self.0.load(py, &texts, &clocks)
            }
        }
    };
}
pub(super) use batch_class;
