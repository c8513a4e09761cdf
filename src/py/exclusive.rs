//! An object that only one thread at a time can use. Long work on the object may release the interpreter lock.
//!
//! If a thread held the object's mutex while the interpreter lock was released and another thread forked, the mutex
//! would stay locked forever in the child process. Therefore a thread holds the mutex only while it holds the
//! interpreter lock: long work takes the object out of the mutex, and a fork waits until all objects have been put back
//! ([`before_fork`]).

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::long::broken;
use crate::core::pool;

/// The number of pieces of long work in progress, on all threads.
static WORKING: AtomicUsize = AtomicUsize::new(0);

/// The number of threads that are about to fork; no new work begins before they have forked.
static FORKING: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The number of pieces of long work in progress on this thread.
    static WORKING_HERE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Returns the number of the calling thread, which is never 0. Threads that run at the same time have different
/// numbers.
fn thread_number() -> usize {
    // Each running thread has this variable at an address of its own.
    WORKING_HERE.with(|own| std::ptr::from_ref(own) as usize)
}

/// Waits for 10 microseconds in round 0, and for up to 640 in later rounds, with the interpreter lock released. Then
/// handles signals.
fn wait(py: Python<'_>, round: u32) -> PyResult<()> {
    py.detach(|| std::thread::sleep(Duration::from_micros(10 << round.min(6))));
    py.check_signals()
}

/// A piece of long work, which is counted so that a fork can wait for its end.
struct Working;

impl Working {
    /// Waits while another thread is about to fork, then begins a piece of long work.
    fn begin(py: Python<'_>) -> PyResult<Self> {
        for round in 0.. {
            // Announces the work, then checks for a fork. A forking thread announces the fork, then checks for work. So
            // at least one of the two threads notices the other.
            WORKING.fetch_add(1, Ordering::SeqCst);
            let own = WORKING_HERE.with(|own| own.replace(own.get() + 1));
            let working = Self;
            // If a signal handler begins work during other work of this thread, the new work must not wait for a fork,
            // because the fork waits for the other work.
            if own > 0 || FORKING.load(Ordering::SeqCst) == 0 {
                return Ok(working);
            }
            drop(working);
            wait(py, round)?;
        }
        // Not reached: the range of rounds has no end.
        Ok(Self)
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        WORKING_HERE.with(|own| own.set(own.get() - 1));
        WORKING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Waits until no other thread does long work, and keeps new work from beginning until [`after_fork`] is called. Called
/// by `os.fork` in the thread that forks.
#[pyfunction]
pub(super) fn before_fork(py: Python<'_>) {
    FORKING.fetch_add(1, Ordering::SeqCst);
    // If a signal handler forks, the work of this thread that it interrupted cannot end before the fork.
    while WORKING.load(Ordering::SeqCst) > WORKING_HERE.with(std::cell::Cell::get) {
        py.detach(|| std::thread::sleep(Duration::from_micros(50)));
    }
}

/// Lets work begin again. Called by `os.fork` after the fork: in the parent, and, with `in_child` set, in the child,
/// which has no other threads that could be about to fork.
#[pyfunction]
pub(super) fn after_fork(in_child: bool) {
    if in_child {
        pool::forked();
        FORKING.store(0, Ordering::SeqCst);
    } else {
        FORKING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Where the object of an [`Exclusive`] is.
enum Place<T> {
    /// In its place: no long work on the object is in progress.
    Here(Box<T>),
    /// Taken out by a thread that does long work on the object.
    Out,
    /// Dropped: work on the object panicked, so its contents could no longer be trusted.
    Broken,
}

/// An object of type `T`, called `name` in error messages.
pub(super) struct Exclusive<T> {
    name: &'static str,
    place: Mutex<Place<T>>,
    /// The number of the thread that uses the object, 0 for none.
    holder: AtomicUsize,
}

impl<T> Exclusive<T> {
    pub(super) fn new(name: &'static str, object: T) -> Self {
        Self { name, place: Mutex::new(Place::Here(Box::new(object))), holder: AtomicUsize::new(0) }
    }

    /// Locks the object. While another thread uses the object, waits with the interpreter lock released and handles
    /// signals.
    #[inline]
    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Place<T>>> {
        match self.place.try_lock() {
            Ok(place) if !matches!(*place, Place::Out) => Ok(place),
            taken => {
                // Unlocked first: the thread that took the object out needs the lock to put the object back.
                drop(taken);
                self.wait(py)
            }
        }
    }

    #[cold]
    fn wait(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Place<T>>> {
        for round in 0.. {
            match self.place.try_lock() {
                Ok(place) if !matches!(*place, Place::Out) => return Ok(place),
                // `with` has already marked the object as broken.
                Err(TryLockError::Poisoned(place)) => return Ok(place.into_inner()),
                taken => drop(taken),
            }
            if self.holder.load(Ordering::Relaxed) == thread_number() {
                return Err(PyRuntimeError::new_err(format!(
                    "{} cannot be used by a signal handler or finalizer that interrupts a call on it",
                    self.name
                )));
            }
            wait(py, round)?;
        }
        // Not reached: the range of rounds has no end.
        Err(broken(self.name))
    }

    /// Reads or changes the object in a short access that does not release the interpreter lock.
    #[inline]
    pub(super) fn with<R>(&self, py: Python<'_>, access: impl FnOnce(&mut T) -> PyResult<R>) -> PyResult<R> {
        let mut place = self.lock(py)?;
        let Place::Here(object) = &mut *place else { return Err(broken(self.name)) };
        self.holder.store(thread_number(), Ordering::Relaxed);
        let outcome = catch_unwind(AssertUnwindSafe(|| access(object)));
        self.holder.store(0, Ordering::Relaxed);
        outcome.unwrap_or_else(|panic| {
            *place = Place::Broken;
            resume_unwind(panic)
        })
    }

    /// Takes the object out for long work, during which `work` may release the interpreter lock and handle signals. If
    /// `work` returns an error, it must leave the object unchanged.
    pub(super) fn take<R>(&self, py: Python<'_>, work: impl FnOnce(&mut T) -> PyResult<R>) -> PyResult<R> {
        let working = Working::begin(py)?;
        let mut place = self.lock(py)?;
        let mut object = match mem::replace(&mut *place, Place::Out) {
            Place::Here(object) => object,
            other => {
                *place = other;
                return Err(broken(self.name));
            }
        };
        self.holder.store(thread_number(), Ordering::Relaxed);
        drop(place);
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&mut object)));
        // Other threads hold the mutex only for a moment.
        let mut place = loop {
            match self.place.try_lock() {
                Ok(place) => break place,
                Err(TryLockError::Poisoned(place)) => break place.into_inner(),
                Err(TryLockError::WouldBlock) => py.detach(std::thread::yield_now),
            }
        };
        // `Err` means that `work` panicked; an error that `work` returned is within `Ok`.
        *place = if outcome.is_ok() { Place::Here(object) } else { Place::Broken };
        self.holder.store(0, Ordering::Relaxed);
        drop(place);
        drop(working);
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    }
}
