//! Methods that do nothing or only return new arrays, to measure the minimum cost of a call from Python. The minimum is
//! the work that PyO3 and numpy do for every method call and every array. `benches/reach/calls.py` builds and loads
//! this module.
#![allow(missing_docs)]

use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

#[pyclass(frozen)]
struct Empty;

type Arrays<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray2<u8>>);

#[pymethods]
#[allow(clippy::unused_self)] // these are methods, as are the calls of gridwright with which they are compared
impl Empty {
    #[new]
    fn new() -> Self {
        Self
    }

    /// Takes any arguments, as a method that plays a move does, and reads none of them.
    #[pyo3(signature = (*_args))]
    fn call(&self, _args: &Bound<'_, PyTuple>) {}

    /// Returns a new board of zeros, as a method that returns a board does.
    fn array<'py>(&self, py: Python<'py>, height: usize, width: usize) -> Bound<'py, PyArray2<u8>> {
        PyArray2::zeros(py, [height, width], false)
    }

    /// Returns a new board and a new mask, as a step of an environment does.
    fn step<'py>(&self, py: Python<'py>, height: usize, width: usize, moves: usize) -> Arrays<'py> {
        (PyArray2::zeros(py, [height, width], false), PyArray2::zeros(py, [1, moves], false))
    }
}

#[pymodule(gil_used = false)]
fn empty_call(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Empty>()
}
