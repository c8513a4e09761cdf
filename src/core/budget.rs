//! What a long call may use: a limit of work, and a watcher that may stop it.

use std::fmt;
use std::ops::Range;
use std::time::{Duration, Instant};

use super::error::Error;

/// Counts the work of a long call, ends it at a limit, and lets a watcher look in every few milliseconds.
///
/// The watcher gets the work done so far and answers whether to go on; it is where Python's signals are handled and
/// progress is shown.
pub struct Budget<'a> {
    unit: &'static str,
    spent: u64,
    limit: u64,
    /// The work at which something must be looked at: the limit, or the clock.
    next: u64,
    stride: u64,
    last: Instant,
    watch: Option<&'a mut (dyn FnMut(u64) -> bool + Send)>,
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Budget({} of {} {})", self.spent, self.limit, self.unit)
    }
}

/// Cuts long work into pieces of which each is short, for a [pause](Budget::pause) before each.
pub fn pieces(len: usize) -> impl Iterator<Item = Range<usize>> {
    const PIECE: usize = 1 << 15;
    (0..len).step_by(PIECE).map(move |start| start..len.min(start + PIECE))
}

const PULSE: Duration = Duration::from_millis(10);

impl<'a> Budget<'a> {
    /// Allows any amount of work, unwatched.
    pub fn unlimited() -> Self {
        Self::new("steps", None, None)
    }

    /// Allows `limit` units of work, watched where a watcher is given.
    pub fn new(unit: &'static str, limit: Option<u64>, watch: Option<&'a mut (dyn FnMut(u64) -> bool + Send)>) -> Self {
        let limit = limit.unwrap_or(u64::MAX);
        Self { unit, spent: 0, limit, next: limit.min(256), stride: 256, last: Instant::now(), watch }
    }

    /// The same budget with another word for what it counts.
    #[must_use]
    pub fn counting(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// The work done so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Notes `work` units done; ends the call where the limit is passed or the watcher says so.
    ///
    /// Costs one addition and one comparison nearly always. Call it often enough: at least every 10 microseconds or so.
    ///
    /// # Errors
    /// [`Error::Limit`] over the limit, [`Error::Interrupted`] when the watcher answers no.
    #[inline]
    pub fn spend(&mut self, work: u64) -> Result<(), Error> {
        self.spent = self.spent.saturating_add(work);
        if self.spent > self.next { self.look() } else { Ok(()) }
    }

    /// Lets the watcher look in without counting any work: for what is done before the first unit and after the last.
    ///
    /// Looks at the clock; call it every few thousand steps.
    ///
    /// # Errors
    /// [`Error::Interrupted`] when the watcher answers no.
    pub fn pause(&mut self) -> Result<(), Error> {
        let Some(watch) = self.watch.as_mut().filter(|_| self.last.elapsed() >= PULSE) else { return Ok(()) };
        self.last = Instant::now();
        if watch(self.spent) { Ok(()) } else { Err(Error::Interrupted) }
    }

    #[cold]
    fn look(&mut self) -> Result<(), Error> {
        if self.spent > self.limit {
            return Err(Error::spent(self.limit, self.unit));
        }
        if let Some(watch) = self.watch.as_mut() {
            let passed = self.last.elapsed();
            // The stride follows the clock, so that cheap and dear units are both watched about every PULSE.
            if passed < PULSE / 4 {
                self.stride = (self.stride * 2).min(1 << 24);
            } else if passed > PULSE {
                self.stride = (self.stride / 4).max(1);
            }
            if passed >= PULSE / 2 {
                self.last = Instant::now();
                if !watch(self.spent) {
                    return Err(Error::Interrupted);
                }
            }
            self.next = self.limit.min(self.spent.saturating_add(self.stride));
        } else {
            self.next = self.limit;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_ends_the_work() {
        let mut budget = Budget::new("nodes", Some(1000), None);
        let mut done = 0;
        let stop = loop {
            match budget.spend(1) {
                Ok(()) => done += 1,
                Err(stop) => break stop,
            }
        };
        assert_eq!(done, 1000);
        assert_eq!(stop, Error::spent(1000, "nodes"));
        assert!(stop.to_string().starts_with("limit reached after 1000 nodes"));
    }

    #[test]
    fn a_pause_asks_without_counting() {
        let mut asked = Vec::new();
        let mut watch = |spent: u64| {
            asked.push(spent);
            asked.len() < 2
        };
        let mut budget = Budget::new("nodes", Some(7), Some(&mut watch));
        budget.spend(5).unwrap();
        let stop = loop {
            if let Err(stop) = budget.pause() {
                break stop;
            }
        };
        assert_eq!((stop, budget.spent()), (Error::Interrupted, 5));
        assert_eq!(asked, [5, 5]);
        assert!(pieces(100_000).flatten().eq(0..100_000));
    }

    #[test]
    fn a_watcher_is_asked_and_may_stop() {
        let mut asked = 0;
        let mut watch = |_: u64| {
            asked += 1;
            asked < 3
        };
        let mut budget = Budget::new("nodes", None, Some(&mut watch));
        while budget.spend(1).is_ok() {}
        assert_eq!(asked, 3);
    }
}
