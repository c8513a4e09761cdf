//! Long calls: the lock of the interpreter released, Ctrl-C answered, progress reported.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::array;
use crate::core::{Budget, Error};

/// The callback that receives the progress of a call.
struct Watcher {
    /// The method `update` of an object like tqdm's, which takes the work since the last call, or a callable, which
    /// takes all work so far.
    callback: Py<PyAny>,
    updates: bool,
    /// The work that was reported last.
    reported: u64,
}

impl Watcher {
    fn new(progress: &Bound<'_, PyAny>) -> PyResult<Self> {
        let updates = progress.hasattr("update")?;
        if !updates && !progress.is_callable() {
            return Err(array::wrong_type("progress", "a callable or an object with an update method", progress));
        }
        let callback = if updates { progress.getattr("update")? } else { progress.clone() };
        Ok(Self { callback: callback.unbind(), updates, reported: 0 })
    }

    fn report(&mut self, py: Python<'_>, spent: u64) -> PyResult<()> {
        let amount = if self.updates { spent - self.reported } else { spent };
        self.reported = spent;
        self.callback.call1(py, (amount,)).map(drop)
    }
}

/// Returns the exception for a panic, which is a mistake in this package.
#[cold]
pub(super) fn panicked(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let reason = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason is known");
    PyRuntimeError::new_err(format!("internal error in gridwright, please report it: {reason}"))
}

/// Returns the exception for an object that a panic may have left half changed.
#[cold]
pub(super) fn broken(name: &str) -> PyErr {
    PyRuntimeError::new_err(format!("{name} was left unusable by an internal error in an earlier call"))
}

/// Does work and turns a panic into a `RuntimeError`.
#[inline]
pub(super) fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panicked(&*panic)))
}

/// Does long work with the interpreter released. Every few milliseconds signals are handled and `progress` is called:
/// with the work done so far, or, if it has an `update` like tqdm's, with the work since the last call; once more at
/// the end.
///
/// An exception raised there ends the work and is passed on. A panic becomes a `RuntimeError`.
pub(super) fn long<T: Send>(
    py: Python<'_>,
    unit: &'static str,
    limit: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&mut Budget<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    guarded(|| unwinding(py, unit, limit, progress, work))
}

/// Does what [`long`] does, but lets a panic through: for work on an object that a panic leaves broken.
pub(super) fn unwinding<T: Send>(
    py: Python<'_>,
    unit: &'static str,
    limit: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&mut Budget<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let mut watcher = progress.map(Watcher::new).transpose()?;
    let mut raised: Option<PyErr> = None;
    let (outcome, spent) = py.detach(|| {
        let mut watch = |spent: u64| {
            let looked = Python::attach(|py| {
                py.check_signals()?;
                watcher.as_mut().map_or(Ok(()), |watcher| watcher.report(py, spent))
            });
            raised = looked.err();
            raised.is_none()
        };
        let mut budget = Budget::new(unit, limit, Some(&mut watch));
        (work(&mut budget), budget.spent())
    });
    if let Some(error) = raised {
        return Err(error);
    }
    let value = outcome?;
    match watcher {
        Some(mut watcher) if spent > watcher.reported => watcher.report(py, spent)?,
        _ => {}
    }
    Ok(value)
}
