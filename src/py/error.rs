//! The one mapping from [`Error`] to the exceptions that `gridwright.errors` defines.

use pyo3::PyErrArguments;
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

/// The arguments of `IllegalMoveError`. Python objects are made when the error is raised: this error is often converted
/// under the lock of a game, where no Python code may run, and any allocation may start the garbage collector.
struct IllegalMove {
    sentence: String,
    mv: Vec<i32>,
    reason: String,
}

impl PyErrArguments for IllegalMove {
    fn arguments(self, py: Python<'_>) -> Py<PyAny> {
        let mv = PyTuple::new(py, self.mv).map_or_else(|_| py.None(), |mv| mv.into_any().unbind());
        let arguments = (self.sentence, mv, self.reason).into_pyobject(py);
        arguments.map_or_else(|_| py.None(), |arguments| arguments.into_any().unbind())
    }
}

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        let sentence = error.to_string();
        match error {
            Error::Invalid(_) | Error::NotFound(_) => PyValueError::new_err(sentence),
            Error::Level { line, column, reason } => python::LevelError::new_err((sentence, line, column, reason)),
            Error::Move(_) => python::MoveError::new_err((sentence,)),
            Error::Illegal { mv, reason } => python::IllegalMoveError::new_err(IllegalMove { sentence, mv, reason }),
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
