//! What a call from Python costs at least: methods that do nothing but return, some with fresh arrays. Loaded by
//! `benches/reach/calls.py`. A limit because PyO3 and numpy do exactly this much for every method and every array.
#![allow(missing_docs)]

use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

#[pyclass(frozen)]
struct Empty;

type Arrays<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray2<u8>>);

#[pymethods]
#[allow(clippy::unused_self)] // methods, because ours are
impl Empty {
    #[new]
    fn new() -> Self {
        Self
    }

    /// Takes whatever a move has, reads none of it.
    #[pyo3(signature = (*_args))]
    fn call(&self, _args: &Bound<'_, PyTuple>) {}

    fn array<'py>(&self, py: Python<'py>, height: usize, width: usize) -> Bound<'py, PyArray2<u8>> {
        PyArray2::zeros(py, [height, width], false)
    }

    fn step<'py>(&self, py: Python<'py>, height: usize, width: usize, moves: usize) -> Arrays<'py> {
        (PyArray2::zeros(py, [height, width], false), PyArray2::zeros(py, [1, moves], false))
    }
}

#[pymodule(gil_used = false)]
fn empty_call(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Empty>()
}
