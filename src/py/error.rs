//! Errors of the core as the exceptions that `gridwright.errors` defines.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::core::{LevelError, MoveError, Stop};

mod python {
    use pyo3::import_exception;

    import_exception!(gridwright.errors, LevelError);
    import_exception!(gridwright.errors, MoveError);
    import_exception!(gridwright.errors, IllegalMoveError);
    import_exception!(gridwright.errors, SearchLimitError);
}

impl From<LevelError> for PyErr {
    fn from(error: LevelError) -> Self {
        let sentence = error.to_string();
        python::LevelError::new_err((sentence, error.line, error.column, error.reason))
    }
}

impl From<MoveError> for PyErr {
    fn from(error: MoveError) -> Self {
        let sentence = error.to_string();
        match error {
            MoveError::NotAMove(_) => python::MoveError::new_err((sentence,)),
            MoveError::Illegal { mv, reason } => Python::attach(|py| match pyo3::types::PyTuple::new(py, mv) {
                Ok(mv) => python::IllegalMoveError::new_err((sentence, mv.unbind(), reason)),
                Err(error) => error,
            }),
        }
    }
}

impl From<Stop> for PyErr {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Interrupted => PyKeyboardInterrupt::new_err(()),
            _ => python::SearchLimitError::new_err((stop.to_string(),)),
        }
    }
}

/// Makes the exception for something that is no move of a game.
pub(super) fn not_a_move(sentence: String) -> PyErr {
    MoveError::NotAMove(sentence).into()
}
