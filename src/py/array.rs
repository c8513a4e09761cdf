//! Numbers and numpy arrays, in and out. Arrays that go out are fresh: writing into one changes no game.

use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyString, PyTuple};

use super::error::not_a_move;
use crate::core::game::Point;
use crate::core::{Cell, Rng, rng};

/// Makes a fresh `(height, width)` array, C order, of row-major cells.
pub(super) fn matrix<T: Element>(
    py: Python<'_>,
    height: usize,
    width: usize,
    cells: Vec<T>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    PyArray1::from_vec(py, cells).reshape([height, width])
}

/// Makes a fresh array of any shape, C order.
pub(super) fn shaped<'py, T: Element>(
    py: Python<'py>,
    shape: &[usize],
    cells: Vec<T>,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    cells.into_pyarray(py).reshape(shape.to_vec())
}

/// Makes a fresh `(n, rank)` int32 array of moves.
pub(super) fn moves<P: Point>(py: Python<'_>, moves: impl Iterator<Item = P>) -> PyResult<Bound<'_, PyArray2<i32>>> {
    let mut cells = Vec::with_capacity(moves.size_hint().0 * P::RANK);
    for mv in moves {
        cells.extend_from_slice(mv.coords());
    }
    matrix(py, cells.len() / P::RANK, P::RANK, cells)
}

/// Makes a fresh `(n, 2)` int32 array of cells.
pub(super) fn cells(py: Python<'_>, cells: impl Iterator<Item = Cell>) -> PyResult<Bound<'_, PyArray2<i32>>> {
    moves(py, cells.map(|cell| [cell.row, cell.col]))
}

/// Reads one number of a move. Numbers beyond 64 bits become the largest or smallest one, which no box holds.
#[inline]
pub(super) fn number(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    if let Ok(number) = value.extract::<i64>() {
        if !value.is_instance_of::<PyFloat>() {
            return Ok(number);
        }
    }
    unusual(value)
}

/// An argument that is one number of a move, read as [`number`] does.
#[derive(Clone, Copy)]
pub(super) struct Part(pub(super) i64);

impl<'py> FromPyObject<'_, 'py> for Part {
    type Error = PyErr;

    #[inline]
    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        number(&value).map(Self)
    }
}

#[cold]
fn unusual(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    let index = value.call_method0("__index__").ok();
    if let Some(index) = index.filter(PyAnyMethods::is_instance_of::<PyInt>) {
        return Ok(match index.extract::<i64>() {
            Ok(number) => number,
            Err(_) if index.lt(0)? => i64::MIN,
            Err(_) => i64::MAX,
        });
    }
    let shown = shown(value);
    let kind = value.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
    Err(not_a_move(format!("{shown} of type {kind} in a move, wanted a whole number")))
}

/// Writes a number that was read, beyond 64 bits as it came.
pub(super) fn spelled(number: i64, value: Option<&Bound<'_, PyAny>>) -> String {
    match value {
        Some(value) if number == i64::MIN || number == i64::MAX => shown(value),
        _ => number.to_string(),
    }
}

/// Reads a cell `(row, col)` that lies on a board of the given size.
pub(super) fn cell(value: &Bound<'_, PyAny>, height: usize, width: usize) -> PyResult<Cell> {
    let cell = any_cell(value)?;
    for (place, (axis, size)) in [("row", height), ("col", width)].into_iter().enumerate() {
        let found = cell[place];
        if found < 0 || found >= size as i64 {
            let part = value.get_item(place).ok();
            let found = spelled(found, part.as_ref());
            return Err(not_a_move(format!("{axis} {found}, wanted 0 to {}", size.saturating_sub(1))));
        }
    }
    Ok(Cell::new(cell[0] as i32, cell[1] as i32))
}

/// Reads the two numbers of a cell, on or off a board.
pub(super) fn any_cell(value: &Bound<'_, PyAny>) -> PyResult<[i64; 2]> {
    let wrong = || not_a_move(format!("{} as a cell, wanted (row, col)", shown(value)));
    if value.is_instance_of::<PyString>() {
        return Err(wrong());
    }
    let parts: Vec<Bound<'_, PyAny>> = value.try_iter().map_err(|_| wrong())?.take(3).collect::<PyResult<_>>()?;
    match &parts[..] {
        [row, col] => Ok([number(row)?, number(col)?]),
        _ => Err(wrong()),
    }
}

/// Reads up to eight numbers of a move; what is missing is 0.
#[inline]
pub(super) fn numbers(args: &Bound<'_, PyTuple>) -> PyResult<[i64; 8]> {
    let mut numbers = [0; 8];
    for (place, arg) in numbers.iter_mut().zip(args.iter_borrowed()) {
        *place = number(&arg)?;
    }
    Ok(numbers)
}

/// Reads the whole number of an argument, from a least to a largest one.
pub(super) fn whole(name: &str, value: &Bound<'_, PyAny>, least: u64, most: u64) -> PyResult<u64> {
    let wrong =
        || PyValueError::new_err(format!("{name} {}, wanted a whole number from {least} to {most}", shown(value)));
    let number = value.call_method0("__index__").map_err(|_| wrong())?;
    number.extract::<u64>().ok().filter(|number| (least..=most).contains(number)).ok_or_else(wrong)
}

/// Reads a whole number of any type and size.
fn index<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    value.call_method0("__index__").map_err(|_| {
        let kind = value.get_type();
        PyTypeError::new_err(format!("{} of type {kind}, wanted a whole number", shown(value)))
    })
}

/// A whole number from 0 on among the arguments; what does not fit is refused in a sentence, never by an overflow.
#[derive(Clone, Copy)]
pub(super) struct Whole<T>(pub(super) T);

impl<'py, T: TryFrom<u64>> FromPyObject<'_, 'py> for Whole<T> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let index = index(&value)?;
        let number = index.extract::<u64>().ok().and_then(|number| T::try_from(number).ok());
        let bits = 8 * size_of::<T>();
        let wrong =
            || PyValueError::new_err(format!("{}, wanted a whole number from 0 to 2^{bits} - 1", shown(&value)));
        number.map(Self).ok_or_else(wrong)
    }
}

/// A whole number among the arguments of any size: beyond 64 bits its value is the largest or smallest one, which nothing
/// allows, and it is shown as it came.
pub(super) struct Number {
    pub(super) value: i64,
    beyond: Option<String>,
}

impl From<usize> for Number {
    fn from(value: usize) -> Self {
        Self { value: value as i64, beyond: None }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.beyond {
            Some(shown) => f.write_str(shown),
            None => self.value.fmt(f),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Number {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let index = index(&value)?;
        if let Ok(value) = index.extract() {
            return Ok(Self { value, beyond: None });
        }
        let limit = if index.lt(0)? { i64::MIN } else { i64::MAX };
        let mut beyond = shown(&index);
        if beyond.len() == 40 {
            beyond.push_str("...");
        }
        Ok(Self { value: limit, beyond: Some(beyond) })
    }
}

/// The beginning of a value's `repr`, for a sentence.
pub(super) fn shown(value: &Bound<'_, PyAny>) -> String {
    value.repr().map_or_else(|_| "?".to_owned(), |repr| repr.to_string().chars().take(40).collect())
}

/// Reads a seed: a whole number from 0 to 2^64 - 1, or `None` for a fresh one.
pub(super) fn seed(value: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    let Some(value) = value else {
        // Randomness that nobody needs to repeat: the standard library's, which the system seeds.
        use std::hash::{BuildHasher, RandomState};
        return Ok(rng::mix(RandomState::new().hash_one(std::time::SystemTime::now())));
    };
    if value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!("seed {}, wanted a whole number or None", value.repr()?)));
    }
    let index = value.call_method0("__index__").map_err(|_| {
        PyTypeError::new_err(format!("seed of type {}, wanted a whole number or None", value.get_type()))
    })?;
    index.extract().map_err(|_| PyValueError::new_err(format!("seed {index}, wanted 0 to 2^64 - 1")))
}

/// Starts the random stream of a seed.
pub(super) fn rng(value: Option<&Bound<'_, PyAny>>) -> PyResult<Rng> {
    seed(value).map(Rng::new)
}
