//! The functions of GeeseSpotter's source document on numpy boards.

use numpy::{PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::array;
use crate::core::Error;
use crate::geese::fields;

/// A borrowed numpy board whose form was checked: uint8, two dimensions, C-contiguous, at least one field.
pub(super) struct Board<A> {
    array: A,
    pub(super) height: usize,
    pub(super) width: usize,
}

/// Reads an argument as an array of uint8.
pub(super) fn as_bytes<'a, 'py>(name: &str, board: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, PyArrayDyn<u8>>> {
    board.cast::<PyArrayDyn<u8>>().map_err(|_| match board.getattr("dtype") {
        Ok(dtype) if board.hasattr("__array_interface__").unwrap_or(false) => {
            PyTypeError::new_err(format!("{name} must be a numpy array of uint8, got one of {dtype}"))
        }
        _ => array::wrong_type(name, "a numpy array of uint8", board),
    })
}

/// Returns the height and width of a board, and checks its memory layout.
fn shape_of(array: &Bound<'_, PyArrayDyn<u8>>) -> PyResult<(usize, usize)> {
    // `as_slice` accepts Fortran order too, which would transpose the board.
    if !array.is_c_contiguous() {
        return Err(not_contiguous());
    }
    match *array.shape() {
        [height, width] if height * width > 0 => Ok((height, width)),
        ref shape => Err(PyValueError::new_err(format!(
            "board must have shape (height, width), both at least 1, got {}",
            array::shown_shape(shape)
        ))),
    }
}

/// Creates the `ValueError` for a board that is not aligned and C-contiguous.
fn not_contiguous() -> PyErr {
    PyValueError::new_err(
        "board must be aligned and C-contiguous, got another memory layout (see numpy.ascontiguousarray)",
    )
}

impl<'py> Board<PyReadonlyArrayDyn<'py, u8>> {
    /// Borrows a board for reading, and checks its fields.
    pub(super) fn read(board: &Bound<'py, PyAny>) -> PyResult<Self> {
        let array = as_bytes("board", board)?;
        let (height, width) = shape_of(array)?;
        let array = array
            .try_readonly()
            .map_err(|_| PyValueError::new_err("board must be readable, got one that another call is writing into"))?;
        let board = Self { array, height, width };
        fields::check_fields(board.cells()?, width)?;
        Ok(board)
    }

    /// Returns the fields, row-major.
    pub(super) fn cells(&self) -> PyResult<&[u8]> {
        self.array.as_slice().map_err(|_| not_contiguous())
    }
}

impl<'py> Board<PyReadwriteArrayDyn<'py, u8>> {
    /// Borrows a board for writing, without checking its fields.
    fn write(board: &Bound<'py, PyAny>) -> PyResult<Self> {
        let array = as_bytes("board", board)?;
        let (height, width) = shape_of(array)?;
        let array = array.try_readwrite().map_err(|_| {
            PyValueError::new_err("board must be writable, got one that is read-only or in use by another call")
        })?;
        let mut board = Self { array, height, width };
        board.cells()?;
        Ok(board)
    }

    /// Borrows a board for writing, and checks its fields.
    fn checked(board: &Bound<'py, PyAny>) -> PyResult<Self> {
        let mut board = Self::write(board)?;
        let width = board.width;
        fields::check_fields(board.cells()?, width)?;
        Ok(board)
    }

    /// Returns the fields, row-major, for writing.
    fn cells(&mut self) -> PyResult<&mut [u8]> {
        self.array.as_slice_mut().map_err(|_| not_contiguous())
    }

    /// Reads the location of a field, `row, col` or one cell, and returns the index of the field.
    fn place(&self, row: &Bound<'_, PyAny>, col: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
        let cell = match col {
            Some(col) => array::cell("cell", (row, col).into_pyobject(row.py())?.as_any(), self.height, self.width)?,
            None => array::cell("cell", row, self.height, self.width)?,
        };
        Ok(cell.row as usize * self.width + cell.col as usize)
    }
}

/// Creates a board of zeros, `(y_dim, x_dim)` uint8.
#[pyfunction]
pub(super) fn geese_create_board<'py>(
    x_dim: &Bound<'py, PyAny>,
    y_dim: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let py = x_dim.py();
    let (x_dim, y_dim) = (array::size("x_dim", x_dim, 1, usize::MAX)?, array::size("y_dim", y_dim, 1, usize::MAX)?);
    let cells = fields::check_dimensions(x_dim, y_dim)?;
    let mut board = Vec::new();
    board.try_reserve_exact(cells).map_err(|_| Error::memory(format_args!("a board of {y_dim} x {x_dim}")))?;
    board.resize(cells, 0);
    array::matrix(py, y_dim, x_dim, board)
}

/// Sets every field to 0.
#[pyfunction]
pub(super) fn geese_clean_board(board: &Bound<'_, PyAny>) -> PyResult<()> {
    fields::clean_board(Board::checked(board)?.cells()?);
    Ok(())
}

/// Returns what `print_board` prints.
#[pyfunction]
pub(super) fn geese_printed(board: &Bound<'_, PyAny>) -> PyResult<String> {
    let board = Board::read(board)?;
    Ok(fields::print_board(board.cells()?, board.width))
}

/// Hides every field.
#[pyfunction]
pub(super) fn geese_hide_board(board: &Bound<'_, PyAny>) -> PyResult<()> {
    fields::hide_board(Board::checked(board)?.cells()?);
    Ok(())
}

/// Marks a hidden field or removes its mark; returns one of the codes in [`fields::code`].
#[pyfunction]
#[pyo3(signature = (board, row, col=None))]
pub(super) fn geese_mark(
    board: &Bound<'_, PyAny>,
    row: &Bound<'_, PyAny>,
    col: Option<&Bound<'_, PyAny>>,
) -> PyResult<u8> {
    on_field(board, row, col, |cells, _, _, at| fields::mark(cells, at))
}

/// Reveals a field, and the hidden, unmarked fields around a zero; returns one of the codes in [`fields::code`].
#[pyfunction]
#[pyo3(signature = (board, row, col=None))]
pub(super) fn geese_reveal(
    board: &Bound<'_, PyAny>,
    row: &Bound<'_, PyAny>,
    col: Option<&Bound<'_, PyAny>>,
) -> PyResult<u8> {
    on_field(board, row, col, fields::reveal)
}

/// Calls a function of the source document with the fields, height and width of a board and the index of a field.
fn on_field(
    board: &Bound<'_, PyAny>,
    row: &Bound<'_, PyAny>,
    col: Option<&Bound<'_, PyAny>>,
    function: impl FnOnce(&mut [u8], usize, usize, usize) -> u8,
) -> PyResult<u8> {
    let mut board = Board::checked(board)?;
    let at = board.place(row, col)?;
    let (height, width) = (board.height, board.width);
    Ok(function(board.cells()?, height, width, at))
}

/// Writes into every field without a goose the number of neighbors with a goose.
#[pyfunction]
pub(super) fn geese_compute_neighbours(board: &Bound<'_, PyAny>) -> PyResult<()> {
    let mut board = Board::write(board)?;
    let width = board.width;
    let cells = board.cells()?;
    fields::check_open(cells, width)?;
    fields::compute_neighbours(cells, width);
    Ok(())
}

/// Returns whether every field without a goose is revealed.
#[pyfunction]
pub(super) fn geese_is_game_won(board: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(fields::is_game_won(Board::read(board)?.cells()?))
}

/// Puts `num_geese` geese on random fields that are 0.
#[pyfunction]
#[pyo3(signature = (board, num_geese, seed=None))]
pub(super) fn geese_spread_geese(
    board: &Bound<'_, PyAny>,
    num_geese: &Bound<'_, PyAny>,
    seed: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let (geese, mut rng) = (array::size("num_geese", num_geese, 0, usize::MAX)?, array::rng(seed)?);
    let mut board = Board::checked(board)?;
    Ok(fields::spread_geese(board.cells()?, geese, &mut rng)?)
}
