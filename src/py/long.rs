//! Long calls: the lock of the interpreter released, Ctrl-C answered, progress told.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::core::{Budget, Stop};

/// Does long work with the interpreter released. Every few milliseconds signals are handled and `progress` is called: with
/// the work done so far, or, where it has an `update` like tqdm's, with what is new.
///
/// An exception raised there ends the work and is passed on.
pub(super) fn long<T: Send>(
    py: Python<'_>,
    unit: &'static str,
    limit: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&mut Budget<'_>) -> Result<T, Stop> + Send,
) -> PyResult<T> {
    let updates = progress.map(|p| p.hasattr("update")).transpose()?.unwrap_or(false);
    if let Some(progress) = progress.filter(|p| !updates && !p.is_callable()) {
        let kind = progress.get_type();
        return Err(PyTypeError::new_err(format!(
            "progress of type {kind}, wanted a callable or an object with update"
        )));
    }
    let progress = progress.map(|p| p.clone().unbind());
    let mut told = 0;
    let mut raised: Option<PyErr> = None;
    let outcome = py.detach(|| {
        let mut watch = |spent: u64| {
            let checked = Python::attach(|py| {
                py.check_signals()?;
                if let Some(progress) = &progress {
                    let progress = progress.bind(py);
                    if updates {
                        progress.call_method1("update", (spent - told,))?;
                        told = spent;
                    } else {
                        progress.call1((spent,))?;
                    }
                }
                Ok(())
            });
            raised = checked.err();
            raised.is_none()
        };
        work(&mut Budget::new(unit, limit, Some(&mut watch)))
    });
    match (outcome, raised) {
        (_, Some(error)) => Err(error),
        (Ok(value), None) => Ok(value),
        (Err(stop), None) => Err(stop.into()),
    }
}
