//! An object that one thread at a time works on; long work may release the interpreter.
//!
//! A lock that a thread holds without the interpreter would stay locked forever in a child that another thread forks.
//! So only threads that have the interpreter hold the lock: long work takes the object out of the lock, and a fork
//! waits until all objects are back ([`before_fork`]).

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::long::broken;
use crate::core::pool;

/// The number of objects that threads work on with the interpreter released.
static WORKING: AtomicUsize = AtomicUsize::new(0);

/// The number of threads that are about to fork; no new work begins before they have forked.
static FORKING: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The number of objects that this thread works on.
    static WORKING_HERE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Returns the number of the calling thread, which is never 0. Threads that run at the same time have different
/// numbers.
fn thread_number() -> usize {
    // Each running thread has this variable at an address of its own.
    WORKING_HERE.with(|own| std::ptr::from_ref(own) as usize)
}

/// Waits 10 microseconds, in later rounds up to 640, with the interpreter released, and handles signals.
fn wait(py: Python<'_>, round: u32) -> PyResult<()> {
    py.detach(|| std::thread::sleep(Duration::from_micros(10 << round.min(6))));
    py.check_signals()
}

/// A piece of work with the interpreter released, which is counted so that a fork can wait for it.
struct Working;

impl Working {
    /// Begins a piece of work; waits while another thread is about to fork.
    fn begin(py: Python<'_>) -> PyResult<Self> {
        for round in 0.. {
            // Announces the work, then checks for a fork. A forking thread announces the fork, then checks for work: at
            // least one of the two sees the other.
            WORKING.fetch_add(1, Ordering::SeqCst);
            let own = WORKING_HERE.with(|own| own.replace(own.get() + 1));
            let working = Self;
            // Work that a signal handler does during other work must not wait for a fork, which waits for that other
            // work.
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

/// Waits until no other thread works on an object, and keeps new work from beginning until [`after_fork`]. Called by
/// `os.fork` in the thread that forks.
#[pyfunction]
pub(super) fn before_fork(py: Python<'_>) {
    FORKING.fetch_add(1, Ordering::SeqCst);
    // If a signal handler forks, the work of this thread that it interrupted cannot end before the fork.
    while WORKING.load(Ordering::SeqCst) > WORKING_HERE.with(std::cell::Cell::get) {
        py.detach(|| std::thread::sleep(Duration::from_micros(50)));
    }
}

/// Lets work begin again. Called by `os.fork` after the fork, in the parent and in the child (`in_child`), which has no
/// other thread that forks.
#[pyfunction]
pub(super) fn after_fork(in_child: bool) {
    if in_child {
        pool::forked();
        FORKING.store(0, Ordering::SeqCst);
    } else {
        FORKING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Where the object is.
enum Place<T> {
    /// No thread works on it.
    Here(Box<T>),
    /// A thread works on it.
    Out,
    /// Work on it panicked, so that its contents cannot be trusted.
    Broken,
}

/// An object of type `T`, called `name` in error messages.
pub(super) struct Exclusive<T> {
    name: &'static str,
    place: Mutex<Place<T>>,
    /// The thread that holds the lock or works on the object, 0 for none.
    holder: AtomicUsize,
}

impl<T> Exclusive<T> {
    pub(super) fn new(name: &'static str, object: T) -> Self {
        Self { name, place: Mutex::new(Place::Here(Box::new(object))), holder: AtomicUsize::new(0) }
    }

    /// Waits until no other thread has the object, with the interpreter released and signals handled.
    #[inline]
    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Place<T>>> {
        match self.place.try_lock() {
            Ok(place) if !matches!(*place, Place::Out) => Ok(place),
            taken => {
                // Unlocked first: the thread that works on the object needs the lock to put it back.
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
                // A panic under the lock has been marked by `with`.
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

    /// Reads or changes the object in a short access, without releasing the interpreter.
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

    /// Takes the object out for long work, during which `work` may release the interpreter and handle signals. An error
    /// must leave the object as it was.
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
        // Every thread holds this lock for a moment only.
        let mut place = loop {
            match self.place.try_lock() {
                Ok(place) => break place,
                Err(TryLockError::Poisoned(place)) => break place.into_inner(),
                Err(TryLockError::WouldBlock) => py.detach(std::thread::yield_now),
            }
        };
        // `Err` is a panic; an error that `work` returns is within `Ok`.
        *place = if outcome.is_ok() { Place::Here(object) } else { Place::Broken };
        self.holder.store(0, Ordering::Relaxed);
        drop(place);
        drop(working);
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    }
}
