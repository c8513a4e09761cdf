//! A budget for work that several threads share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

use super::budget::Budget;
use super::error::Error;

/// A budget that the threads of one call share: the caller's thread spends it, and the others stop when the budget ends
/// the work.
pub(super) struct SharedBudget<'a, 'b> {
    budget: Mutex<&'a mut Budget<'b>>,
    caller: ThreadId,
    stopped: AtomicBool,
    error: Mutex<Option<Error>>,
}

impl<'a, 'b> SharedBudget<'a, 'b> {
    /// Shares a budget, which only the calling thread spends.
    pub(super) fn new(budget: &'a mut Budget<'b>) -> Self {
        let (stopped, error) = (AtomicBool::new(false), Mutex::new(None));
        Self { budget: Mutex::new(budget), caller: thread::current().id(), stopped, error }
    }

    /// Returns whether to continue with the next item, which takes `work` units. Only the caller's thread spends
    /// units, and only for its own share of the items: the threads of the pool cannot handle Python's signals.
    pub(super) fn may_continue(&self, work: usize) -> bool {
        if thread::current().id() == self.caller && !self.stopped.load(Ordering::Relaxed) {
            let spent = self.budget.lock().unwrap_or_else(PoisonError::into_inner).spend(work as u64);
            if let Err(error) = spent {
                *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
        !self.stopped.load(Ordering::Relaxed)
    }

    /// Releases the budget once all threads have stopped.
    ///
    /// # Errors
    /// Returns the error with which the budget ended the work, if it did.
    pub(super) fn finish(self) -> Result<(), Error> {
        self.error.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}
