//! The one mapping from [`Error`] to the exceptions that `gridwright.errors` defines.

use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::core::Error;

mod python {
    use pyo3::import_exception;

    import_exception!(gridwright.errors, LevelError);
    import_exception!(gridwright.errors, MoveError);
    import_exception!(gridwright.errors, IllegalMoveError);
    import_exception!(gridwright.errors, SearchLimitError);
}

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        let sentence = error.to_string();
        match error {
            Error::Invalid(_) | Error::NotFound(_) => PyValueError::new_err(sentence),
            Error::Level { line, column, reason } => python::LevelError::new_err((sentence, line, column, reason)),
            Error::Move(_) => python::MoveError::new_err((sentence,)),
            Error::Illegal { mv, reason } => Python::attach(|py| match PyTuple::new(py, mv) {
                Ok(mv) => python::IllegalMoveError::new_err((sentence, mv.unbind(), reason)),
                Err(error) => error,
            }),
            Error::Limit(_) => python::SearchLimitError::new_err((sentence,)),
            Error::Memory(_) => PyMemoryError::new_err(sentence),
            Error::Interrupted => PyKeyboardInterrupt::new_err(()),
        }
    }
}

/// Creates the exception for something that is not a move of a game.
pub(super) fn not_a_move(sentence: String) -> PyErr {
    Error::Move(sentence).into()
}
