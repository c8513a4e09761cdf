//! Long calls: they release the interpreter lock, respond to Ctrl-C, and report progress.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySet};

use super::array;
use super::error::panicked;
use crate::core::{Budget, Error};

/// The callback to which the progress of a call is reported.
struct Watcher {
    /// Either the `update` method of an object such as a tqdm bar, called with the work since the last call, or a
    /// callable, called with all work so far.
    callback: Py<PyAny>,
    /// Whether `callback` is an `update` method.
    updates: bool,
    /// The work done by the time of the last report.
    reported: u64,
}

impl Watcher {
    fn new(progress: &Bound<'_, PyAny>) -> PyResult<Self> {
        let updates = progress.hasattr("update")?;
        // The `update` method of a dict or a set has another meaning.
        let collects = progress.is_instance_of::<PyDict>() || progress.is_instance_of::<PySet>();
        if collects || !updates && !progress.is_callable() {
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

    /// Calls [`Watcher::report`] if some work has not been reported yet.
    fn report_rest(watcher: &mut Option<Self>, py: Python<'_>, spent: u64) -> PyResult<()> {
        match watcher {
            Some(watcher) if spent > watcher.reported => watcher.report(py, spent),
            _ => Ok(()),
        }
    }
}

/// Returns the exception for an object that a panic may have left half changed.
#[cold]
pub(super) fn broken(name: &str) -> PyErr {
    PyRuntimeError::new_err(format!("{name} was left unusable by an internal error in an earlier call"))
}

/// Runs `call`, which runs Python code: signal handlers and callbacks. If Python code calls Rust code that panics, PyO3
/// resumes the panic inside `call`. The panic must not unwind through the work, so it is returned as an error.
fn without_unwinding(call: impl FnOnce() -> PyResult<()>) -> PyResult<()> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| Err(panicked(&*panic)))
}

/// Does long work with the interpreter lock released. Every few milliseconds, signals are handled and `progress` is
/// called with the work done so far. If `progress` has an `update` method, as a tqdm bar does, that method is called
/// instead, with the work since the last call. If the work succeeds, any work not yet reported is reported at the end.
///
/// An exception raised by `progress` or a signal handler ends the work and is propagated.
pub(super) fn long<T: Send>(
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
            let check = |py: Python<'_>| {
                py.check_signals()?;
                watcher.as_mut().map_or(Ok(()), |watcher| watcher.report(py, spent))
            };
            raised = without_unwinding(|| Python::attach(check)).err();
            raised.is_none()
        };
        let mut budget = Budget::new(unit, limit, Some(&mut watch));
        (work(&mut budget), budget.spent())
    });
    if let Some(error) = raised {
        return Err(error);
    }
    let value = outcome?;
    Watcher::report_rest(&mut watcher, py, spent)?;
    Ok(value)
}

/// The stack size of the threads of [`long_owned`], in bytes. Searches must be able to recurse as deeply as on the main
/// thread, whose stack usually has 8 MiB; stack memory that is not used costs nothing.
const STACK: usize = 32 << 20;

/// The smallest size, in cells or bytes, for which [`long_owned`] uses a thread.
const LARGE: usize = 1 << 17;

/// Does long work as [`long`] does. The work must own all its data, and it may run for a long time without checking its
/// budget. If `size`, in cells or bytes, is large, the work is done on a separate thread, and the calling thread
/// handles signals and reports progress.
///
/// An exception raised by `progress` or a signal handler is propagated at once. The separate thread ends when it next
/// checks its budget, and its result is dropped.
pub(super) fn long_owned<T: Send + 'static>(
    py: Python<'_>,
    unit: &'static str,
    limit: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
    size: usize,
    work: impl FnOnce(&mut Budget<'_>) -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    // Python in a browser has no threads.
    if size < LARGE || cfg!(target_family = "wasm") {
        return long(py, unit, limit, progress, work);
    }
    let mut watcher = progress.map(Watcher::new).transpose()?;
    let (spent, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let (watched, stopped) = (Arc::clone(&spent), Arc::clone(&stop));
    let (send, mut receive) = channel();
    let work = move || {
        let mut watch = |spent: u64| {
            watched.store(spent, Ordering::Relaxed);
            !stopped.load(Ordering::Relaxed)
        };
        let mut budget = Budget::new(unit, limit, Some(&mut watch));
        let done = catch_unwind(AssertUnwindSafe(|| work(&mut budget)));
        // Nobody receives the result if the call was interrupted.
        let _ = send.send((done, budget.spent()));
    };
    Builder::new().stack_size(STACK).spawn(work).map_err(|_| Error::memory("a thread"))?;
    loop {
        // `Receiver` is not `Sync`, so it moves into the closure and back.
        let (received, back) = py.detach(move || (receive.recv_timeout(Duration::from_millis(5)), receive));
        receive = back;
        match received {
            Ok((done, spent)) => {
                let value = done.map_err(|panic| panicked(&*panic))??;
                Watcher::report_rest(&mut watcher, py, spent)?;
                return Ok(value);
            }
            Err(RecvTimeoutError::Timeout) => {
                let spent = spent.load(Ordering::Relaxed);
                let check = || {
                    py.check_signals()?;
                    Watcher::report_rest(&mut watcher, py, spent)
                };
                if let Err(error) = without_unwinding(check) {
                    stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
            Err(RecvTimeoutError::Disconnected) => unreachable!("the thread sends before it ends"),
        }
    }
}
