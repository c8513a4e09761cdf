//! The budget of a long call: a limit on its work, and a watcher that can end the call.

use std::fmt;
use std::ops::Range;
use std::time::{Duration, Instant};

use super::error::Error;

/// Counts the work of a long call, ends the call at a limit, and calls a watcher every few milliseconds.
///
/// The watcher receives the work done so far and returns whether to continue. The watchers of the Python bindings
/// handle signals and report progress.
pub struct Budget<'a> {
    unit: &'static str,
    spent: u64,
    limit: u64,
    /// The work beyond which the limit or the clock must be checked.
    next: u64,
    /// The work between two checks of the clock.
    stride: u64,
    /// The time of the last call of the watcher; before the first call, the time at which the budget was created.
    last: Instant,
    /// The work done before this budget began; the watcher receives `before + spent`.
    before: u64,
    watch: Option<&'a mut (dyn FnMut(u64) -> bool + Send)>,
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Budget({} of {} {})", self.spent, self.limit, self.unit)
    }
}

/// Splits `0..len` into short ranges, so that a caller can [pause](Budget::pause) before each range.
pub fn pieces(len: usize) -> impl Iterator<Item = Range<usize>> {
    const PIECE: usize = 1 << 15;
    (0..len).step_by(PIECE).map(move |start| start..len.min(start + PIECE))
}

/// The longest time intended between two calls of the watcher.
const PULSE: Duration = Duration::from_millis(10);

impl<'a> Budget<'a> {
    /// Creates a budget without a limit or a watcher.
    pub fn unlimited() -> Self {
        Self::new("steps", None, None)
    }

    /// Creates a budget of `limit` units of work (`None`: no limit), with an optional watcher. `unit` is a plural noun
    /// for error messages, such as "plays".
    pub fn new(unit: &'static str, limit: Option<u64>, watch: Option<&'a mut (dyn FnMut(u64) -> bool + Send)>) -> Self {
        let limit = limit.unwrap_or(u64::MAX);
        Self { unit, spent: 0, limit, next: limit.min(256), stride: 256, last: Instant::now(), before: 0, watch }
    }

    /// Creates a budget of `limit` units for one part of the work, with the watcher of this budget. `unit` is a plural
    /// noun for error messages. Afterward, the caller must also spend the work of the part from this budget.
    pub fn part(&mut self, unit: &'static str, limit: u64) -> Budget<'_> {
        let before = self.total();
        let watch = self.watch.as_mut().map(|watch| &mut **watch as &mut (dyn FnMut(u64) -> bool + Send));
        let last = self.last;
        Budget { last, before, ..Budget::new(unit, Some(limit), watch) }
    }

    /// Sets the unit that the budget counts, a plural noun for its error messages.
    #[must_use]
    pub fn counting(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// Returns the work done so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Returns the work that is left before the limit.
    pub(crate) fn left(&self) -> u64 {
        self.limit.saturating_sub(self.spent)
    }

    /// Returns the work that the watcher receives.
    fn total(&self) -> u64 {
        self.before.saturating_add(self.spent)
    }

    /// Adds `work` units to the work done.
    ///
    /// Most calls cost one addition and one comparison. A unit of work should take at most about 10 microseconds,
    /// because the clock is first checked after 256 units.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] if the work exceeds the limit, and [`Error::Interrupted`] if the watcher returns
    /// `false`.
    #[inline]
    pub fn spend(&mut self, work: u64) -> Result<(), Error> {
        self.spent = self.spent.saturating_add(work);
        if self.spent > self.next { self.look() } else { Ok(()) }
    }

    /// Calls the watcher if a call is due, without counting work. This method is meant for code that takes long but
    /// counts little or no work.
    ///
    /// A call reads the clock if there is a watcher, so calls should be a few thousand steps apart.
    ///
    /// # Errors
    /// Returns [`Error::Interrupted`] if the watcher returns `false`.
    pub fn pause(&mut self) -> Result<(), Error> {
        let total = self.total();
        let Some(watch) = self.watch.as_mut().filter(|_| self.last.elapsed() >= PULSE) else { return Ok(()) };
        self.last = Instant::now();
        if watch(total) { Ok(()) } else { Err(Error::Interrupted) }
    }

    /// Checks the limit and the clock, calls the watcher if a call is due, and sets the work at which to check next.
    #[cold]
    fn look(&mut self) -> Result<(), Error> {
        if self.spent > self.limit {
            return Err(Error::spent(self.limit, self.unit));
        }
        let total = self.total();
        if let Some(watch) = self.watch.as_mut() {
            let passed = self.last.elapsed();
            // The stride is adapted to the elapsed time, so that the watcher is called about once per PULSE.
            if passed < PULSE / 4 {
                self.stride = (self.stride * 2).min(1 << 24);
            } else if passed > PULSE {
                self.stride = (self.stride / 4).max(1);
            }
            if passed >= PULSE / 2 {
                self.last = Instant::now();
                if !watch(total) {
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
    fn a_part_has_a_limit_of_its_own_and_the_same_watcher() {
        let mut reports = Vec::new();
        let mut watch = |done| {
            reports.push(done);
            reports.len() < 3
        };
        let mut budget = Budget::new("boards", None, Some(&mut watch));
        budget.spend(100).unwrap();
        assert_eq!(budget.part("nodes", 5).spend(6), Err(Error::spent(5, "nodes")));
        let one = budget.part("sets of tiles", 1).spend(2).unwrap_err();
        assert!(one.reason().starts_with("limit reached after 1 set of tiles; "), "{one}");
        let mut part = budget.part("nodes", u64::MAX);
        let ended = (0..u64::MAX).find_map(|_| part.spend(1).err());
        assert_eq!(ended, Some(Error::Interrupted));
        let spent = part.spent();
        assert_eq!(reports.last(), Some(&(100 + spent)));
    }

    #[test]
    fn sums_do_not_overflow() {
        let mut reports = Vec::new();
        let mut watch = |spent: u64| {
            reports.push(spent);
            true
        };
        let mut budget = Budget::new("steps", None, Some(&mut watch));
        budget.spend(u64::MAX).unwrap();
        budget.spend(1).unwrap();
        let mut part = budget.part("nodes", u64::MAX);
        part.spend(u64::MAX).unwrap();
        std::thread::sleep(PULSE);
        part.pause().unwrap();
        assert_eq!(reports, [u64::MAX]);
    }

    #[test]
    fn a_pause_calls_the_watcher_without_counting_work() {
        let mut reports = Vec::new();
        let mut watch = |spent: u64| {
            reports.push(spent);
            reports.len() < 2
        };
        let mut budget = Budget::new("nodes", Some(7), Some(&mut watch));
        budget.spend(5).unwrap();
        let stop = loop {
            if let Err(stop) = budget.pause() {
                break stop;
            }
        };
        assert_eq!((stop, budget.spent()), (Error::Interrupted, 5));
        assert_eq!(reports, [5, 5]);
        assert!(pieces(100_000).flatten().eq(0..100_000));
    }

    #[test]
    fn a_watcher_is_called_and_can_end_the_work() {
        let mut calls = 0;
        let mut watch = |_: u64| {
            calls += 1;
            calls < 3
        };
        let mut budget = Budget::new("nodes", None, Some(&mut watch));
        while budget.spend(1).is_ok() {}
        assert_eq!(calls, 3);
    }
}
