//! A budget for work that several threads share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

use super::budget::Budget;
use super::error::Error;
use super::pool;

/// A budget that the threads of one call share: the caller's thread spends the work of all, because the threads of the
/// pool cannot handle Python's signals, and the others stop when the budget ends the work.
pub(super) struct SharedBudget<'a, 'b> {
    budget: Mutex<&'a mut Budget<'b>>,
    caller: ThreadId,
    /// The work of the other threads that the caller's thread has not spent yet.
    unspent: AtomicU64,
    stopped: AtomicBool,
    error: Mutex<Option<Error>>,
}

impl<'a, 'b> SharedBudget<'a, 'b> {
    /// Shares a budget, which only the calling thread spends.
    pub(super) fn new(budget: &'a mut Budget<'b>) -> Self {
        let (stopped, error) = (AtomicBool::new(false), Mutex::new(None));
        let caller = thread::current().id();
        Self { budget: Mutex::new(budget), caller, unspent: AtomicU64::new(0), stopped, error }
    }

    /// Begins a share of the work: `items` items of `work` units each, all handled by the calling thread. The work of
    /// another thread is counted at once, that of the caller's thread item by item.
    pub(super) fn share(&self, items: usize, work: usize) -> Share<'_, 'a, 'b> {
        let own = thread::current().id() == self.caller;
        if !own {
            self.unspent.fetch_add((items as u64).saturating_mul(work as u64), Ordering::Relaxed);
        }
        Share { shared: self, own, work: work as u64 }
    }

    /// Calls `check` with the budget on the caller's thread, and keeps the error with which it ends the work. Returns
    /// whether to continue.
    fn check(&self, own: bool, check: impl FnOnce(&mut Budget<'b>) -> Result<(), Error>) -> bool {
        if own && !self.stopped.load(Ordering::Relaxed) {
            let checked = check(&mut self.budget.lock().unwrap_or_else(PoisonError::into_inner));
            if let Err(error) = checked {
                *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
        !self.stopped.load(Ordering::Relaxed)
    }

    /// Calls the watcher if a call is due and this is the caller's thread. Returns whether to continue.
    fn pause(&self) -> bool {
        self.check(thread::current().id() == self.caller, Budget::pause)
    }

    /// Releases the budget once all threads have stopped, and spends the work that is left, so that the total does not
    /// depend on the threads.
    ///
    /// # Errors
    /// Returns the error with which the budget ended the work, if it did.
    pub(super) fn finish(self) -> Result<(), Error> {
        if let Some(error) = self.error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        self.budget.into_inner().unwrap_or_else(PoisonError::into_inner).spend(self.unspent.into_inner())
    }
}

/// A share of the work of a [`SharedBudget`].
#[derive(Clone, Copy)]
pub(super) struct Share<'s, 'a, 'b> {
    shared: &'s SharedBudget<'a, 'b>,
    /// Whether this is a share of the caller's thread.
    own: bool,
    /// The work of each item.
    work: u64,
}

impl Share<'_, '_, '_> {
    /// Returns whether to continue with the next item.
    pub(super) fn may_continue(self) -> bool {
        self.shared.check(self.own, |budget| {
            let unspent = &self.shared.unspent;
            // Reading first is cheaper than an exchange, and there is usually nothing to take over.
            let others = if unspent.load(Ordering::Relaxed) > 0 { unspent.swap(0, Ordering::Relaxed) } else { 0 };
            budget.spend(self.work.saturating_add(others))
        })
    }
}

/// Runs `work` on each piece, on up to `threads` threads, as [`pool::share`] does. Each piece gets a budget of `limit`
/// units, which ends the work when the watcher of `budget` ends the call; the pieces after it are then skipped.
///
/// Nothing is spent from `budget`: the caller spends the work of the pieces afterward, in their order, so that the
/// outcome does not depend on the threads.
///
/// # Errors
/// Returns [`Error::Interrupted`] if the watcher returns `false`.
pub(crate) fn share_within<T: Send>(
    threads: usize,
    pieces: Vec<T>,
    limit: u64,
    budget: &mut Budget<'_>,
    work: impl Fn(T, &mut Budget<'_>) + Sync,
) -> Result<(), Error> {
    let shared = SharedBudget::new(budget);
    let run = |piece| {
        if shared.pause() {
            let mut watch = |_| shared.pause();
            work(piece, &mut Budget::new("steps", Some(limit), Some(&mut watch)));
        }
    };
    pool::share_watched(threads, pieces, run, || {
        shared.pause();
    });
    shared.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_does_not_depend_on_the_threads() {
        for threads in [1, 2, 3, 50] {
            let total = |limit| {
                let mut budget = Budget::new("games", Some(limit), None);
                let shared = SharedBudget::new(&mut budget);
                pool::share(threads, (0..100).collect(), |items| {
                    let share = shared.share(items, 2);
                    (0..items).take_while(|_| share.may_continue()).for_each(drop);
                });
                let ended = shared.finish();
                (ended, budget.spent())
            };
            assert_eq!(total(9900), (Ok(()), 9900), "{threads} threads");
            let (ended, spent) = total(9899);
            assert_eq!(ended, Err(Error::spent(9899, "games")), "{threads} threads");
            assert!(spent > 9899);
        }
    }

    #[test]
    fn a_watcher_ends_the_work_of_all_threads() {
        for threads in [1, 2, 3] {
            let mut watch = |_| false;
            let mut budget = Budget::new("steps", None, Some(&mut watch));
            // No piece ends unless the watcher ends it; the thread of the caller may have none of them.
            let ended =
                share_within(threads, vec![(); 3], u64::MAX, &mut budget, |(), own| while own.spend(1).is_ok() {});
            assert_eq!(ended, Err(Error::Interrupted), "{threads} threads");
            assert_eq!(budget.spent(), 0);
        }
        let mut idle = 0;
        let mut watch = |_| {
            idle += 1;
            false
        };
        let mut budget = Budget::new("steps", None, Some(&mut watch));
        let (caller, begun) = (thread::current().id(), AtomicBool::new(false));
        if pool::threads() > 1 {
            let ended = share_within(2, vec![(), ()], u64::MAX, &mut budget, |(), own| {
                // The caller's thread has nothing to do while another thread works.
                if thread::current().id() != caller {
                    begun.store(true, Ordering::Relaxed);
                    while own.spend(1).is_ok() {}
                }
                while !begun.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
            });
            assert_eq!((ended, idle), (Err(Error::Interrupted), 1));
        }
    }
}
