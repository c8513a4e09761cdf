//! The macro that defines the Python class of the batches of a game.

/// Defines the Python class of the batches of a game.
///
/// The last argument, if given, is a function that reads the parameters of the game's `generate` and returns the
/// [`PositionGenerator`](crate::py::generator::PositionGenerator) of its positions, or `None` if the positions are left
/// to `generate` itself, for example because generating them is slow.
macro_rules! batch_class {
    ($batch:ident, $game:ty, $core:ident) => {
        $crate::py::batch::batch_class!($batch, $game, $core, $crate::py::generator::no_generator::<$game>);
    };
    ($batch:ident, $game:ty, $core:ident, $generator:expr) => {
        /// The engine of `gridwright.Batch` for one game.
        #[pyo3::pyclass(module = "gridwright._core", frozen)]
        pub(super) struct $batch($crate::py::batch::SharedBatch<$game>);

        #[pyo3::pymethods]
        impl $batch {
            #[new]
            #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)] // called by gridwright.Batch only
            fn new(
                py: pyo3::Python<'_>,
                names: $crate::py::batch::StartNames,
                starts: Vec<pyo3::PyRef<'_, $core>>,
                recipe: Option<pyo3::Bound<'_, pyo3::types::PyDict>>,
                n: usize,
                seed: u64,
                autoreset: &Bound<'_, PyAny>,
                max_steps: Option<u32>,
                rewards: $crate::py::batch::Rewards,
                threads: usize,
            ) -> pyo3::PyResult<Self> {
                let starts = starts.iter().map(|start| start.0.state(py)).collect::<PyResult<_>>()?;
                let generator = match &recipe {
                    Some(recipe) => $generator(recipe)?,
                    None => None,
                };
                let shared = $crate::py::batch::SharedBatch::new(
                    py, &names, starts, generator, n, seed, autoreset, max_steps, rewards, threads,
                )?;
                Ok(Self(shared))
            }

            #[staticmethod]
            fn can_generate(recipe: &pyo3::Bound<'_, pyo3::types::PyDict>) -> pyo3::PyResult<bool> {
                Ok($generator(recipe)?.is_some())
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

            #[allow(clippy::needless_pass_by_value)] // pyo3 passes owned arguments
            fn set_buffers(
                &self,
                py: pyo3::Python<'_>,
                buffers: $crate::py::batch::BufferArrays,
                attributes: &pyo3::Bound<'_, pyo3::types::PyDict>,
                arrays: &pyo3::Bound<'_, pyo3::types::PyDict>,
            ) -> pyo3::PyResult<()> {
                self.0.set_buffers(py, buffers, attributes, arrays)
            }

            fn seed(&self, py: pyo3::Python<'_>, seed: u64) -> pyo3::PyResult<()> {
                self.0.seed(py, seed)
            }

            #[pyo3(signature = (marked=None, seeds=None))]
            #[allow(clippy::needless_pass_by_value)] // pyo3 passes owned arguments
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
            fn observe_one<'py>(
                &self,
                py: pyo3::Python<'py>,
                mask: bool,
                flat: bool,
            ) -> pyo3::PyResult<(pyo3::Bound<'py, numpy::PyArray2<u8>>, pyo3::Bound<'py, pyo3::types::PyDict>)> {
                self.0.observe_one(py, mask, flat)
            }

            #[pyo3(signature = (action, mask=true))]
            fn step_one<'py>(
                &self,
                py: pyo3::Python<'py>,
                action: &pyo3::Bound<'_, pyo3::PyAny>,
                mask: bool,
            ) -> pyo3::PyResult<$crate::py::batch::StepResult<'py>> {
                self.0.step_one(py, &[$crate::py::array::coordinate("action", action)?], mask, true)
            }

            #[pyo3(signature = (action, mask=true))]
            fn step_point<'py>(
                &self,
                py: pyo3::Python<'py>,
                action: &pyo3::Bound<'_, pyo3::PyAny>,
                mask: bool,
            ) -> pyo3::PyResult<$crate::py::batch::StepResult<'py>> {
                self.0.step_one(py, &$crate::py::array::point("action", action)?, mask, false)
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

            /// Panics during work on the batch, so that tests can check what an internal error leaves behind.
            fn _panic(&self, py: pyo3::Python<'_>, long: bool) -> pyo3::PyResult<()> {
                self.0.panic(py, long)
            }

            fn save(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<$crate::py::batch::Saved> {
                self.0.save(py)
            }

            #[allow(clippy::needless_pass_by_value)] // pyo3 passes owned arguments
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
pub(in crate::py) use batch_class;
