//! Readers of Python arguments, and functions that create the numpy arrays that are returned. These arrays are fresh:
//! writing into one changes no game.
//!
//! Messages begin with the name of the argument: `threads must be between 0 and 1024, got -1`. A wrong type raises
//! `TypeError`, an index out of bounds `IndexError`, and any other value out of bounds `ValueError`; a wrong argument
//! for a move or a cell raises `MoveError`, or its subclass `MoveTypeError`.

use std::convert::Infallible;
use std::ops::RangeInclusive;

use numpy::ndarray::{Array2, ArrayView2, ShapeError};
use numpy::{
    Element, IntoPyArray, PyArray2, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods, ToPyArray,
};
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PySet, PyString, PyTuple, PyType};

use super::error::{not_a_move, wrong_move_type};
use crate::core::game::Point;
use crate::core::{Cell, Rng, counted, memory, rng};

/// The largest size in bytes at which copying cells into numpy's memory takes less time than handing over the memory of
/// the vector.
const SMALL: usize = 1024;

/// Returns a fresh `(height, width)` array in C order, made from row-major cells.
#[inline]
pub(super) fn matrix<T: Element>(
    py: Python<'_>,
    height: usize,
    width: usize,
    cells: Vec<T>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let wrong = |error: ShapeError| PyRuntimeError::new_err(error.to_string());
    // Creating an array with its shape takes a third less time than creating a flat array that numpy then reshapes.
    if !cells.is_empty() && size_of_val(&cells[..]) <= SMALL {
        // Handing over the vector would require another Python object, which owns the memory.
        return ArrayView2::from_shape((height, width), &cells[..]).map(|cells| cells.to_pyarray(py)).map_err(wrong);
    }
    Array2::from_shape_vec((height, width), cells).map(|cells| cells.into_pyarray(py)).map_err(wrong)
}

/// Returns a fresh array of any shape in C order, made from row-major cells.
pub(super) fn shaped<'py, T: Element>(
    py: Python<'py>,
    shape: &[usize],
    cells: Vec<T>,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    cells.into_pyarray(py).reshape(shape.to_vec())
}

/// Returns a fresh `(n, rank)` int32 array of moves. The memory of a long list becomes that of the array.
pub(super) fn moves<P: Point>(py: Python<'_>, moves: Vec<P>) -> PyResult<Bound<'_, PyArray2<i32>>> {
    matrix(py, moves.len(), P::RANK, P::flattened(moves))
}

/// Returns a fresh `(n, 2)` int32 array of cells.
pub(super) fn cells(py: Python<'_>, cells: impl Iterator<Item = Cell>) -> PyResult<Bound<'_, PyArray2<i32>>> {
    let mut pairs = memory::with_capacity(cells.size_hint().0, "an array of cells")?;
    pairs.extend(cells.map(|cell| [cell.row, cell.col]));
    moves(py, pairs)
}

/// The result of reading a Python object as a whole number.
enum ReadInteger {
    /// The number fits in a signed integer of 64 bits.
    Fits(i64),
    /// The number does not fit in a signed integer of 64 bits.
    TooLarge,
    /// The value has no `__index__`, has one that raises `TypeError`, or is a `bool` of Python or numpy.
    NotInteger,
}

/// Reads a whole number through `__index__`, which is called once. Exceptions of `__index__` other than `TypeError` and
/// `OverflowError` are propagated.
#[inline]
fn read_integer(value: &Bound<'_, PyAny>) -> PyResult<ReadInteger> {
    if is_bool(value) {
        return Ok(ReadInteger::NotInteger);
    }
    value.extract().map_or_else(|error| classify_error(value.py(), error), |number| Ok(ReadInteger::Fits(number)))
}

/// Classifies the error that reading a whole number raised: the number is too large, or the value has the wrong type.
/// Any other exception is returned.
#[cold]
fn classify_error(py: Python<'_>, error: PyErr) -> PyResult<ReadInteger> {
    if error.is_instance_of::<PyOverflowError>(py) {
        return Ok(ReadInteger::TooLarge);
    }
    if error.is_instance_of::<PyTypeError>(py) { Ok(ReadInteger::NotInteger) } else { Err(error) }
}

/// Returns the `repr` of a value for an error message, on one line and cut after 40 characters.
pub(super) fn shown(value: &Bound<'_, PyAny>) -> String {
    if let Ok(number) = value.cast::<PyInt>() {
        // Python refuses to convert an integer with thousands of digits to a string.
        let bits = number.call_method0("bit_length").and_then(|bits| bits.extract::<u64>()).unwrap_or(0);
        if bits > 1000 {
            return format!("an integer of {bits} bits");
        }
    }
    let Ok(repr) = value.repr() else { return "?".to_owned() };
    // The `repr` of an array has several lines.
    let repr = repr.to_string_lossy().split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = repr.chars().take(40).collect();
    if shown.len() < repr.len() {
        shown.push_str("...");
    }
    shown
}

/// Returns the shape of an array as Python writes it, for an error message: `(2, 3)` or `(2,)`.
pub(super) fn shown_shape(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    format!("({}{})", sizes.join(", "), if sizes.len() == 1 { "," } else { "" })
}

/// Returns the value and its type, for an error message about a wrong type: `'x' (str)`.
fn shown_type(value: &Bound<'_, PyAny>) -> String {
    if value.is_none() {
        return "None".to_owned();
    }
    let kind = value.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
    format!("{} ({kind})", shown(value))
}

/// Formats a bound for an error message. Certain large bounds are written with powers of two, such as `2^64 - 1`, which
/// are easier to recognize than their digits.
fn bound(number: i128) -> String {
    match number {
        18_446_744_073_709_551_615 => "2^64 - 1".to_owned(),
        9_223_372_036_854_775_807 => "2^63 - 1".to_owned(),
        4_294_967_295 => "2^32 - 1".to_owned(),
        2_147_483_647 => "2^31 - 1".to_owned(),
        1_073_741_824 => "2^30".to_owned(),
        -1_073_741_824 => "-2^30".to_owned(),
        _ => number.to_string(),
    }
}

/// Creates the `TypeError` for an argument of the wrong type: `seed must be an integer or None, got 'x' (str)`.
pub(super) fn wrong_type(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("{name} must be {expected}, got {}", shown_type(value)))
}

/// Creates the `ValueError` for an integer out of bounds: `threads must be between 0 and 1024, got -1`.
fn out_of_bounds(name: &str, least: i128, most: i128, value: &Bound<'_, PyAny>) -> PyErr {
    let (least, most) = (bound(least), bound(most));
    PyValueError::new_err(format!("{name} must be between {least} and {most}, got {}", shown_integer(value)))
}

fn shown_integer(value: &Bound<'_, PyAny>) -> String {
    value.call_method0("__index__").map_or_else(|_| shown(value), |index| shown(&index))
}

/// Reads an integer argument between two bounds, both included.
pub(super) fn integer(name: &str, value: &Bound<'_, PyAny>, bounds: RangeInclusive<i64>) -> PyResult<i64> {
    match read_integer(value)? {
        ReadInteger::Fits(number) if bounds.contains(&number) => Ok(number),
        ReadInteger::NotInteger => Err(wrong_type(name, "an integer", value)),
        _ => Err(out_of_bounds(name, i128::from(*bounds.start()), i128::from(*bounds.end()), value)),
    }
}

/// Reads an index from 0 to `n - 1`; `item` and `empty` complete the error message for `n = 0`, for example "a node"
/// and "a union-find without nodes". Raises `IndexError` for an integer that is not such an index.
pub(super) fn index(name: &str, value: &Bound<'_, PyAny>, n: usize, item: &str, empty: &str) -> PyResult<usize> {
    match read_integer(value)? {
        ReadInteger::Fits(number) if usize::try_from(number).is_ok_and(|index| index < n) => Ok(number as usize),
        ReadInteger::NotInteger => Err(wrong_type(name, "an integer", value)),
        _ if n == 0 => {
            let found = shown_integer(value);
            Err(PyIndexError::new_err(format!("{name} must be the index of {item}, got {found} for {empty}")))
        }
        _ => {
            let (most, found) = (n - 1, shown_integer(value));
            Err(PyIndexError::new_err(format!("{name} must be between 0 and {most}, got {found}")))
        }
    }
}

/// Reads a size or count between two bounds, both included.
pub(super) fn size(name: &str, value: &Bound<'_, PyAny>, least: usize, most: usize) -> PyResult<usize> {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    integer(name, value, least as i64..=most).map(|number| number as usize)
}

/// Reads the argument `threads`, the number of threads of a call: 1 to 1024, or 0 to let the call choose.
pub(super) fn threads(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    size("threads", value, 0, 1024)
}

/// Reads an integer from `least` to 2^64 - 1.
pub(super) fn unsigned(name: &str, value: &Bound<'_, PyAny>, least: u64) -> PyResult<u64> {
    let number = match read_integer(value)? {
        ReadInteger::Fits(number) => u64::try_from(number).ok(),
        ReadInteger::TooLarge => value.extract::<u64>().ok(),
        ReadInteger::NotInteger => return Err(wrong_type(name, "an integer", value)),
    };
    number
        .filter(|&number| number >= least)
        .ok_or_else(|| out_of_bounds(name, i128::from(least), i128::from(u64::MAX), value))
}

/// Reads the argument `limit`, the work that a search may do: an integer from 0 to 2^64 - 1, or `None` for the default
/// of the call.
pub(super) fn limit(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    value.map(|value| unsigned("limit", value, 0)).transpose()
}

/// Reads the argument `most`, the number at which counting solutions stops: an integer from 0 to 2^64 - 1.
pub(super) fn most(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    unsigned("most", value, 0)
}

/// Reads a boolean argument: a `bool` of Python or numpy.
pub(super) fn flag(name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value.extract().map_err(|_| wrong_type(name, "a bool", value))
}

/// Reads a floating-point argument; NaN and infinities are accepted. A `bool` of Python or numpy, which Python would
/// convert to 0.0 or 1.0, is refused.
pub(super) fn number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    if is_bool(value) {
        return Err(wrong_type(name, "a number", value));
    }
    match value.extract() {
        Ok(number) => Ok(number),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
            let found = shown(value);
            Err(PyValueError::new_err(format!("{name} must be between -1.797e308 and 1.797e308, got {found}")))
        }
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => Err(wrong_type(name, "a number", value)),
        Err(error) => Err(error),
    }
}

/// Formats a floating-point number for an error message as Python does, but without `.0`: `2`, `1e+300` or `nan`.
fn shown_number(py: Python<'_>, number: f64) -> String {
    let shown = shown(PyFloat::new(py, number).as_any());
    shown.strip_suffix(".0").unwrap_or(&shown).to_owned()
}

/// Reads a finite floating-point argument.
pub(super) fn finite(name: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let found = number(name, value)?;
    if found.is_finite() {
        return Ok(found);
    }
    let found = shown_number(value.py(), found);
    Err(PyValueError::new_err(format!("{name} must be a finite number, got {found}")))
}

/// Reads a floating-point argument between two bounds, both included; NaN is out of bounds.
pub(super) fn real(name: &str, value: &Bound<'_, PyAny>, bounds: RangeInclusive<f64>) -> PyResult<f64> {
    let found = number(name, value)?;
    if bounds.contains(&found) {
        return Ok(found);
    }
    let ((least, most), found) = (bounds.into_inner(), shown_number(value.py(), found));
    Err(PyValueError::new_err(format!("{name} must be between {least} and {most}, got {found}")))
}

/// Reads a `str` argument; one that UTF-8 cannot encode raises `ValueError`.
pub(super) fn text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = value.cast::<PyString>().map_err(|_| wrong_type(name, "a str", value))?;
    match text.to_str() {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => Err(PyValueError::new_err(format!("{name} must be encodable as UTF-8, got {}", shown(value)))),
    }
}

/// Reads one of several words, given as pairs `(word, meaning)`, and returns its meaning.
pub(super) fn choice<T: Copy>(name: &str, value: &Bound<'_, PyAny>, words: &[(&str, T)]) -> PyResult<T> {
    let found = text(name, value)?;
    words.iter().find(|(word, _)| *word == found).map(|&(_, meaning)| meaning).ok_or_else(|| {
        let names: Vec<String> = words.iter().map(|(word, _)| format!("'{word}'")).collect();
        let (last, others) =
            names.split_last().map_or((String::new(), &[][..]), |(last, others)| (last.clone(), others));
        let expected = if others.is_empty() { last } else { format!("{} or {last}", others.join(", ")) };
        PyValueError::new_err(format!("{name} must be {expected}, got {}", shown(value)))
    })
}

/// Reads a seed: an integer from 0 to 2^64 - 1, or `None` for a random one.
pub(super) fn seed(value: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    let Some(value) = value else {
        // This seed need not be reproducible: it comes from the hasher of the standard library, which the system seeds.
        use std::hash::{BuildHasher, RandomState};
        return Ok(rng::mix(RandomState::new().hash_one(std::time::SystemTime::now())));
    };
    match read_integer(value)? {
        ReadInteger::NotInteger => Err(wrong_type("seed", "an integer or None", value)),
        _ => unsigned("seed", value, 0),
    }
}

/// Reads a seed as [`seed`] does, and creates its random generator.
pub(super) fn rng(value: Option<&Bound<'_, PyAny>>) -> PyResult<Rng> {
    seed(value).map(Rng::new)
}

/// Reads the coordinate `name` of a move. A number that needs more than 64 bits becomes the largest or smallest integer
/// of 64 bits, which is out of bounds for every move. A `bool` of Python or numpy is refused.
#[inline]
pub(super) fn coordinate(name: &str, value: &Bound<'_, PyAny>) -> PyResult<i64> {
    coordinate_or(name, value, || "an integer")
}

/// Reads a coordinate as [`coordinate`] does. `expected` returns what messages say a coordinate must be. It is a
/// function so that only calls that fail evaluate it.
#[inline]
fn coordinate_or(name: &str, value: &Bound<'_, PyAny>, expected: impl FnOnce() -> &'static str) -> PyResult<i64> {
    // Every call of `play` with coordinates calls this function, so the unusual cases are handled by separate functions
    // to keep this one small.
    if is_bool(value) {
        return Err(wrong_coordinate(name, value, expected()));
    }
    value.extract().or_else(|error| clamped(value, error, || wrong_coordinate(name, value, expected())))
}

/// Returns whether a value is a `bool` of Python or numpy. Python's has an `__index__`, and so does numpy's in older
/// versions.
#[inline]
fn is_bool(value: &Bound<'_, PyAny>) -> bool {
    // Nearly all values that are read are plain `int` objects, so other types are checked in a separate function.
    !value.is_exact_instance_of::<PyInt>() && is_other_bool(value)
}

/// Returns whether a value that is not a plain `int` is a `bool` of Python or numpy.
#[inline(never)]
fn is_other_bool(value: &Bound<'_, PyAny>) -> bool {
    static NUMPY_BOOL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    value.is_instance_of::<PyBool>()
        || NUMPY_BOOL.import(value.py(), "numpy", "bool_").is_ok_and(|kind| value.is_exact_instance(kind))
}

/// Returns the error for a coordinate of the wrong type.
#[cold]
#[inline(never)]
fn wrong_coordinate(name: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    wrong_move_type(name, expected, &shown_type(value))
}

/// Handles a value that is not an integer of 64 bits: clamps an integer that does not fit, and returns the error
/// `wrong` for a value of another type.
#[cold]
fn clamped(value: &Bound<'_, PyAny>, error: PyErr, wrong: impl FnOnce() -> PyErr) -> PyResult<i64> {
    match classify_error(value.py(), error)? {
        ReadInteger::TooLarge => Ok(if value.lt(0)? { i64::MIN } else { i64::MAX }),
        _ => Err(wrong()),
    }
}

/// An argument of a call, or its absence. An `Option` could not tell an absent argument from `None`.
#[derive(Clone, Copy)]
pub(super) enum Argument<'a, 'py> {
    Absent,
    Given(Borrowed<'a, 'py, PyAny>),
}

/// The default of an argument that may be absent.
pub(super) const ABSENT: Argument<'static, 'static> = Argument::Absent;

impl<'py> Argument<'_, 'py> {
    /// Reads the argument, or returns `default` if it is absent.
    pub(super) fn or<T>(self, default: T, read: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<T>) -> PyResult<T> {
        match self {
            Self::Absent => Ok(default),
            Self::Given(value) => read(&value),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Argument<'a, 'py> {
    type Error = Infallible;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> Result<Self, Infallible> {
        Ok(Self::Given(value))
    }
}

/// The positional arguments of a call that takes any number of them. Only the arguments after the fourth are collected
/// in a tuple, so a call with at most four arguments creates none.
pub(super) struct Arguments<'a, 'py> {
    pub(super) first: [Argument<'a, 'py>; 4],
    pub(super) more: &'a Bound<'py, PyTuple>,
}

impl<'a, 'py> Arguments<'a, 'py> {
    /// Returns the number of arguments.
    #[inline]
    pub(super) fn len(&self) -> usize {
        let first = self.first.iter().take_while(|argument| matches!(argument, Argument::Given(_))).count();
        if first < self.first.len() { first } else { first + self.more.len() }
    }

    /// Returns an error if there is only one argument and it is not an integer, as happens if a move of several
    /// coordinates is passed as one tuple. Leaves other wrong numbers of arguments to the caller.
    #[cold]
    pub(super) fn check_only(&self, names: &[&str]) -> PyResult<()> {
        let [Argument::Given(only), Argument::Absent, ..] = &self.first else { return Ok(()) };
        if !matches!(read_integer(only)?, ReadInteger::NotInteger) {
            return Ok(());
        }
        let expected = format!("{} integers ({})", names.len(), names.join(", "));
        let fits = !only.is_instance_of::<PyString>() && only.len().is_ok_and(|len| len == names.len());
        let hint = if fits { "; write *move" } else { "" };
        Err(wrong_move_type("a move", &expected, &format!("{}{hint}", shown_type(only))))
    }

    /// Returns the argument if there is only one and it is a `str`.
    #[inline]
    pub(super) fn only_text(&self) -> Option<Borrowed<'a, 'py, PyString>> {
        match &self.first {
            [Argument::Given(only), Argument::Absent, ..] => only.cast::<PyString>().ok(),
            _ => None,
        }
    }

    /// Reads the coordinates of a move, at most eight; `names` are their names in error messages. A coordinate without
    /// an argument is 0. `expected` returns what messages say a coordinate must be.
    #[inline]
    pub(super) fn coordinates(&self, names: &[&str], expected: impl Fn() -> &'static str) -> PyResult<[i64; 8]> {
        let mut numbers = [0; 8];
        for ((place, argument), name) in numbers.iter_mut().zip(&self.first).zip(names) {
            let Argument::Given(argument) = argument else { return Ok(numbers) };
            *place = coordinate_or(name, argument, &expected)?;
        }
        let later = numbers.iter_mut().zip(names).skip(self.first.len());
        for ((place, name), argument) in later.zip(self.more.iter_borrowed()) {
            *place = coordinate_or(name, &argument, &expected)?;
        }
        Ok(numbers)
    }
}

/// Reads the coordinates of a move from the argument `name`, a sequence of integers. Reads at most nine items, one more
/// than a move can have, because a range may be long and an iterator endless.
pub(super) fn point(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let wrong = || wrong_move_type(name, "a sequence of integers", &shown_type(value));
    let parts = value.try_iter().map_err(|_| wrong())?.take(9);
    let numbers: Vec<i64> = parts.map(|part| coordinate(name, &part?)).collect::<PyResult<_>>()?;
    if numbers.len() > 8 {
        return Err(not_a_move(format!("{name} must be the coordinates of one move, got {}", shown(value))));
    }
    Ok(numbers)
}

/// Reads the row and column of a cell; the cell need not lie on the board.
pub(super) fn any_cell(name: &str, value: &Bound<'_, PyAny>) -> PyResult<[i64; 2]> {
    let wrong = || wrong_move_type(name, "a cell (row, col)", &shown_type(value));
    let whole = |part: &Bound<'_, PyAny>| part.extract().or_else(|error| clamped(part, error, wrong));
    if let Ok(pair) = value.cast_exact::<PyTuple>() {
        // Nearly all calls pass a tuple of two numbers, which needs no iterator and no list.
        if pair.len() == 2 {
            let (row, col) = (pair.get_borrowed_item(0)?, pair.get_borrowed_item(1)?);
            return if is_bool(&row) || is_bool(&col) { Err(wrong()) } else { Ok([whole(&row)?, whole(&col)?]) };
        }
    }
    // Sets have no order, and an object without a length may be an iterator, which can be read only once.
    let set = value.is_instance_of::<PySet>() || value.is_instance_of::<PyFrozenSet>();
    if set || value.is_instance_of::<PyDict>() || value.is_instance_of::<PyString>() || value.len().is_err() {
        return Err(wrong());
    }
    let parts: Vec<Bound<'_, PyAny>> = value.try_iter().map_err(|_| wrong())?.take(3).collect::<PyResult<_>>()?;
    match &parts[..] {
        [row, col] if !is_bool(row) && !is_bool(col) => Ok([whole(row)?, whole(col)?]),
        _ => Err(wrong()),
    }
}

/// Reads a cell `(row, col)` of a board of the given size.
pub(super) fn cell(name: &str, value: &Bound<'_, PyAny>, height: usize, width: usize) -> PyResult<Cell> {
    let [row, col] = any_cell(name, value)?;
    let on = |part: i64, size: usize| 0 <= part && part < size as i64;
    if on(row, height) && on(col, width) {
        return Ok(Cell::new(row as i32, col as i32));
    }
    Err(not_a_move(format!("{name} must be a cell of the {height} x {width} board, got {}", shown(value))))
}

/// Borrows an array for writing. The array must be C-contiguous, aligned and writable, and have the given number of
/// items.
pub(super) fn writable<'py, T: Element>(
    name: &str,
    array: &Bound<'py, PyArrayDyn<T>>,
    items: usize,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    let wrong = |reason: &str| PyValueError::new_err(format!("{name} must be {reason}"));
    let mut borrowed = array
        .try_readwrite()
        .map_err(|_| wrong("a writable array that nothing else uses, got a read-only or borrowed one"))?;
    // `as_slice_mut` also accepts Fortran order, in which the cells are not row-major.
    if !array.is_c_contiguous() {
        return Err(wrong("C-contiguous, got another memory layout"));
    }
    let found =
        borrowed.as_slice_mut().map_err(|_| wrong("aligned and C-contiguous, got another memory layout"))?.len();
    if found != items {
        return Err(wrong(&format!("an array of {}, got {found}", counted(items as u64, "items"))));
    }
    Ok(borrowed)
}
