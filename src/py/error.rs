//! The mapping from [`Error`] to Python exceptions, and the exception for panics.

use std::any::Any;
use std::ffi::CString;

use pyo3::PyErrArguments;
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::core::Error;

mod python {
    use pyo3::import_exception;

    import_exception!(gridwright.errors, LevelError);
    import_exception!(gridwright.errors, MoveError);
    import_exception!(gridwright.errors, MoveTypeError);
    import_exception!(gridwright.errors, IllegalMoveError);
    import_exception!(gridwright.errors, SearchLimitError);
}

/// The arguments of `IllegalMoveError`. They become Python objects only when the exception is raised: an `Error` is
/// often converted under the lock of a game, while no Python code may run, and creating a Python object may start the
/// garbage collector.
struct IllegalMove {
    message: String,
    mv: Vec<i32>,
    reason: String,
}

impl PyErrArguments for IllegalMove {
    fn arguments(self, py: Python<'_>) -> Py<PyAny> {
        let mv = PyTuple::new(py, self.mv).map_or_else(|_| py.None(), |mv| mv.into_any().unbind());
        let arguments = (self.message, mv, self.reason).into_pyobject(py);
        arguments.map_or_else(|_| py.None(), |arguments| arguments.into_any().unbind())
    }
}

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error {
            Error::Invalid(_) | Error::NotFound(_) => PyValueError::new_err(message),
            Error::Level { line, column, reason } => python::LevelError::new_err((message, line, column, reason)),
            Error::Move(_) => python::MoveError::new_err((message,)),
            Error::Illegal { mv, reason } => python::IllegalMoveError::new_err(IllegalMove { message, mv, reason }),
            Error::Limit(_) => python::SearchLimitError::new_err((message,)),
            Error::Memory(_) => PyMemoryError::new_err(message),
            Error::Interrupted => PyKeyboardInterrupt::new_err(()),
        }
    }
}

/// Creates the `MoveError` for arguments that are not a move of a game.
pub(super) fn not_a_move(message: String) -> PyErr {
    Error::Move(message).into()
}

/// Creates the exception for an argument that must be a move, a cell or a coordinate but has the wrong type:
/// `row must be an integer, got 'x' (str)`. The exception is both a `MoveError` and a `TypeError`.
pub(super) fn wrong_move_type(name: &str, expected: &str, found: &str) -> PyErr {
    python::MoveTypeError::new_err((format!("{name} must be {expected}, got {found}"),))
}

/// The beginning of the text of every `InternalError`.
const REPORT: &str = "internal error in gridwright, please report it: ";

/// Turns the class that PyO3 raises for a Rust panic into `gridwright.errors.InternalError`, a `RuntimeError`. PyO3
/// catches panics in every function that Python can call, so the conversion applies to all of them.
pub(super) fn rename_panics(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let class = py.get_type::<PanicException>();
    class.setattr("__bases__", (py.get_type::<PyRuntimeError>(),))?;
    class.setattr("__name__", "InternalError")?;
    class.setattr("__qualname__", "InternalError")?;
    class.setattr("__module__", "gridwright.errors")?;
    class.setattr(
        "__doc__",
        "A bug in this package. Later calls on an object that the bug may have left half changed are refused.",
    )?;
    let message = CString::new(format!("lambda error: f'{REPORT}{{error.args[0]}}'"))?;
    class.setattr("__str__", py.eval(&message, None, None)?)?;
    module.add("InternalError", class)
}

/// Returns the exception for a caught panic.
#[cold]
pub(super) fn panicked(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let reason = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason is known");
    // If Python code propagates a panic and PyO3 resumes it, the payload is the text of the exception, `REPORT`
    // included.
    PanicException::new_err((reason.strip_prefix(REPORT).unwrap_or(reason).to_owned(),))
}
