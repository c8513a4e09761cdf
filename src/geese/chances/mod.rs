//! Exact chances: the probability of a goose in each hidden field, over all boards that agree with a view.
//!
//! There are too many boards to list (about 10^105 for an expert board before the first show), so they are counted in
//! three steps:
//!
//! 1. [`groups`]: hidden fields beside the same numbers form a *group*. Only the number of geese in a group matters:
//!    `m` geese fit into `s` fields in `C(s, m)` ways. Groups that share numbers form a *component*.
//! 2. [`sweep`]: a dynamic program runs along each component, group by group. Its state is what each *open* number
//!    (begun and not finished) still needs. For each state it keeps a polynomial: the coefficient of x^k counts the
//!    ways that use k geese so far. The number with the fewest groups still to fill is finished first, so that few are
//!    open at once.
//! 3. [`join`]: components depend on each other only through the number of geese, so their polynomials are multiplied,
//!    and the fields beside no number take the geese that are left. A backward pass through each component then
//!    computes the chance of every group.
//!
//! # Example
//!
//! Two geese on a 3 x 3 board of which two fields are shown; on the right the groups A, B, C and the free fields F:
//!
//! ```text
//! 1 * *      1 A F     A = {(0, 1)} beside the upper 1
//! * * *      B B F     B = {(1, 0), (1, 1)} beside both numbers
//! 1 * *      1 C F     C = {(2, 1)} beside the lower 1
//! ```
//!
//! Take the groups in the order A, B, C (the sweep itself takes B, C, A). A state lists what each open
//! number needs; x^k stands for "k geese used":
//!
//! ```text
//! start        ()              1
//! after A      (upper 1)       1          no goose in A
//!              (upper 0)       x          a goose in A
//! after B      (lower 0)       2 x        the goose of both numbers is in one of the 2 fields of B
//!              (lower 1)       x          none in B: the lower number still needs one
//! after C      ()              2 x + x^2
//! ```
//!
//! There are two geese: with one of them used, C(3, 1) = 3 ways are left for the free fields; with two used, 1 way. So
//! 2 * 3 + 1 * 1 = 7 boards agree. A goose is in A on 1 of them, in each of the two fields of B on 3, in C on 1, and in
//! each of the three free fields on 2: chances of 1/7, 3/7, 1/7 and 2/7, which add up to two geese over all fields.
//!
//! Source: the constraint view of Minesweeper is folklore; groups and counting by components follow the literature on
//! exact Minesweeper players; the dynamic program over open numbers is a frontier method, as used for counting paths
//! and tilings.
#![allow(clippy::float_cmp)] // fields that are certain have a chance of exactly 0 or 1

mod enumerate;
mod groups;
mod join;
mod sweep;

use std::cell::RefCell;

use super::View;
use super::fields::GOOSE;
use super::known::{Contradiction, Known, UNKNOWN};
use crate::core::{Budget, Error, memory};
use groups::Groups;
use join::Joined;
use sweep::Sweep;

/// The id of a place that belongs to no group and does not hold a number with unknown fields around it.
const NONE: u32 = u32::MAX;

/// Computes exact chances and keeps its memory from call to call.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    pub(super) known: Known,
    groups: Groups,
    sweep: Sweep,
    /// The chance of a goose in each field of a group, by group.
    group_chances: Vec<f64>,
    /// The chance of a goose in a free field; `None` if it was not computed or there is no such field.
    free_chance: Option<f64>,
    /// What the number of boards is computed from.
    joined: Joined,
    /// The natural logarithm of the number of boards; NaN if the number of geese on the board was not used. Only
    /// [`Engine::solve`] and [`Engine::count`] set it.
    ln_ways: f64,
    /// Memory of the backward pass, kept from call to call.
    scratch: Vec<f64>,
}

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`].
const CHANCES: &str = "exact chances";

/// The largest engine, in bytes, that a thread keeps for the next view.
const KEPT: usize = 4 << 20;

/// Calls `work` with the engine that this thread keeps.
///
/// A fresh engine would grow its lists step by step for every view, and the system would have to map new pages for the
/// larger ones: for most views that takes longer than the count itself.
fn with_engine<R>(work: impl FnOnce(&mut Engine) -> R) -> R {
    thread_local!(static ENGINE: RefCell<Option<Box<Engine>>> = const { RefCell::new(None) });
    // The engine is taken out for the call, because `work` may report progress to code that computes chances too.
    let mut engine = ENGINE.take().unwrap_or_default();
    let found = work(&mut engine);
    if engine.memory() <= KEPT {
        ENGINE.set(Some(engine));
    }
    found
}

/// The exact chances of a view.
#[derive(Clone, Debug, PartialEq)]
pub struct Chances {
    /// The probability of a goose for each field, row-major: 0 for a revealed number, 1 for a goose that was shown.
    pub geese: Vec<f64>,
    /// The natural logarithm of the number of boards that agree with the view; 0 for a single board.
    pub ln_ways: f64,
}

impl View {
    /// Computes the exact chance of a goose in each field, given what is seen and the number of geese.
    ///
    /// A chance is exactly 0 or 1 if and only if the field is certain, except that chances below about 10^-300 may be
    /// rounded to 0, and chances equally close to 1 to 1. `budget` counts states.
    ///
    /// ```
    /// use gridwright::core::Budget;
    /// use gridwright::geese::View;
    ///
    /// let hidden = View::UNKNOWN;
    /// let view = View::new(3, 3, 2, &[1, hidden, hidden, hidden, hidden, hidden, 1, hidden, hidden])?;
    /// let chances = view.chances(&mut Budget::unlimited())?;
    /// let sevenths: Vec<f64> = chances.geese.iter().map(|chance| (7.0 * chance).round()).collect();
    /// assert_eq!(sevenths, [0.0, 1.0, 2.0, 3.0, 3.0, 2.0, 0.0, 1.0, 2.0]);
    /// # Ok::<(), gridwright::core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] if no board agrees with the view (the message names numbers that no placement of the
    /// geese explains, if there are any); [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the count;
    /// [`Error::Limit`] if the view is too entangled (more than 42 numbers of a component are open at once, all
    /// components together need more than 2^24 counts, or a weight exceeds 10^308); and [`Error::Memory`] if memory
    /// does not suffice.
    ///
    /// # Complexity
    /// Exponential in how many numbers are open at once. On typical boards, few numbers are open at once: an expert
    /// position takes about 10 microseconds.
    pub fn chances(&self, budget: &mut Budget<'_>) -> Result<Chances, Error> {
        let found = with_engine(|engine| engine.solve(self, budget).and_then(|()| engine.chances()));
        self.explained(found, budget)
    }

    /// Computes [`Chances::geese`] as [`View::chances`] does, but not the number of boards.
    ///
    /// # Errors
    /// Returns the errors of [`View::chances`].
    pub fn probabilities(&self, budget: &mut Budget<'_>) -> Result<Vec<f64>, Error> {
        let found = with_engine(|engine| engine.weigh_view(self, budget).and_then(|()| engine.probabilities()));
        self.explained(found, budget)
    }

    /// If `found` is the error for a view with which no board agrees, replaces the error with one that explains why.
    fn explained<T>(&self, found: Result<T, Error>, budget: &mut Budget<'_>) -> Result<T, Error> {
        match found {
            Err(Error::NotFound(_)) => Err(Error::NotFound(self.contradiction(budget)?)),
            found => found,
        }
    }

    /// Explains why no board agrees with a view: names numbers that no placement of the geese explains, if there are
    /// any.
    ///
    /// Looks for a small set: the numbers are taken in reading order until they contradict each other; the last of them
    /// is kept, and the search continues among those before it until the kept ones alone contradict each other (a
    /// simple form of the QuickXplain method). No number of the set can then be left out.
    fn contradiction(&self, budget: &mut Budget<'_>) -> Result<String, Error> {
        let mut engine = Engine::default();
        let mut contradicts = |kept: &[usize], more: &[usize]| -> Result<bool, Error> {
            match engine.count_with(self, kept.iter().chain(more), true, budget) {
                Ok(()) => Ok(false),
                Err(Error::NotFound(_)) => Ok(true),
                Err(error) => Err(error),
            }
        };
        let mut numbers: Vec<usize> = (0..self.fields().len()).filter(|&at| self.fields()[at] < GOOSE).collect();
        let mut kept = Vec::new();
        while !contradicts(&kept, &[])? {
            // Bisects for the shortest prefix of `numbers` that, together with the kept ones, leads to a contradiction.
            // The whole list is such a prefix, and the empty list is not.
            let (mut fits, mut fails) = (0, numbers.len());
            while fails - fits > 1 {
                let middle = usize::midpoint(fits, fails);
                if contradicts(&kept, &numbers[..middle])? { fails = middle } else { fits = middle }
            }
            numbers.truncate(fails);
            kept.extend(numbers.pop());
        }
        kept.sort_unstable();
        let named: Vec<String> = kept
            .iter()
            .map(|&at| format!("{} at ({}, {})", self.fields()[at], at / self.width(), at % self.width()))
            .collect();
        let geese = super::counted_geese(self.geese());
        Ok(match named.as_slice() {
            [] if self.fields().iter().map(|&field| usize::from(field == GOOSE)).sum::<usize>() > self.geese() => {
                format!("board must be consistent, got more geese shown than the total of {geese}")
            }
            [] => format!("board must be consistent, got fewer fields that can hold a goose than the total of {geese}"),
            [one] => format!("board must be consistent, got the number {one}, which no placement of {geese} explains"),
            all => format!(
                "board must be consistent, got the numbers {}, which no placement of {geese} explains",
                all.join(", ")
            ),
        })
    }
}

impl Engine {
    /// Computes the chances of a view and the number of boards.
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] if no board agrees with the view, [`Error::Limit`] or [`Error::Interrupted`] if the
    /// budget, in states, ends the count, [`Error::Limit`] if a component is too entangled, and [`Error::Memory`] if
    /// memory does not suffice.
    pub fn solve(&mut self, view: &View, budget: &mut Budget<'_>) -> Result<(), Error> {
        self.weigh_view(view, budget)?;
        self.ln_ways = self.joined.ln_boards();
        Ok(())
    }

    /// Computes the chances of a view, but not the number of boards.
    fn weigh_view(&mut self, view: &View, budget: &mut Budget<'_>) -> Result<(), Error> {
        self.read(view)?;
        self.known.deduce()?;
        self.weigh(true, budget)
    }

    /// Sets `known` to a view, after checking that memory can hold the lists that have an entry per place.
    fn read(&mut self, view: &View) -> Result<(), Error> {
        memory::probe(view.fields().len() * memory::PER_CELL, CHANCES)?;
        self.known.set(view);
        Ok(())
    }

    /// Returns the capacity in bytes of the lists that grow most.
    fn memory(&self) -> usize {
        // The lists with an entry per place are two of bytes and one of 32-bit ids: less than 8 bytes per place.
        self.sweep.memory() + size_of::<u64>() * self.known.cells.capacity()
    }

    /// Computes the chances of a view from some of its numbers only. `numbers` lists the row-major indices of these
    /// numbers; all other revealed numbers count as safe fields of unknown value. `total` is as in [`Engine::count`].
    pub(super) fn count_with<'a>(
        &mut self,
        view: &View,
        numbers: impl Iterator<Item = &'a usize>,
        total: bool,
        budget: &mut Budget<'_>,
    ) -> Result<(), Error> {
        self.read(view)?;
        let mut used = vec![false; view.fields().len()];
        for &at in numbers {
            used[at] = true;
        }
        for (at, (&field, used)) in view.fields().iter().zip(used).enumerate() {
            if field < GOOSE && !used {
                self.known.forget_number(self.known.place(at));
            }
        }
        budget.spend(view.fields().len() as u64 / 64 + 1)?;
        self.known.deduce()?;
        self.count(total, budget)
    }

    /// Returns the chances that were computed last.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if memory does not suffice.
    pub fn chances(&self) -> Result<Chances, Error> {
        Ok(Chances { geese: self.probabilities()?, ln_ways: self.ln_ways })
    }

    /// Returns the probability of a goose for each field, row-major.
    fn probabilities(&self) -> Result<Vec<f64>, Error> {
        let (height, width) = self.known.shape();
        let mut geese = memory::with_capacity(height * width, CHANCES)?;
        for row in 0..height {
            let from = self.known.place(row * width);
            geese.extend((from..from + width).map(|at| self.chance(at)));
        }
        Ok(geese)
    }

    /// Returns the chance of a goose at a place of [`Known`]; NaN for a free field if the number of geese on the board
    /// was not used.
    #[inline]
    pub(super) fn chance(&self, at: usize) -> f64 {
        match self.known.cells[at] {
            GOOSE => 1.0,
            UNKNOWN if self.groups.ids[at] == NONE => self.free_chance.unwrap_or(f64::NAN),
            UNKNOWN => self.group_chances[self.groups.ids[at] as usize],
            _ => 0.0,
        }
    }

    /// Returns `true` if an unknown place lies beside no number.
    #[inline]
    pub(super) fn is_free(&self, at: usize) -> bool {
        self.groups.ids[at] == NONE
    }

    /// Returns the natural logarithm of the number of boards.
    pub(super) fn ln_ways(&self) -> f64 {
        self.ln_ways
    }

    /// Returns `true` if no unknown field lies beside a number.
    pub(super) fn is_blank(&self) -> bool {
        self.groups.all.is_empty()
    }

    /// Returns the least chance of a goose in an unknown field; 0 if a field was found to be safe, and 1 if no field is
    /// unknown.
    pub(super) fn least_chance(&self) -> f64 {
        if !self.known.found.is_empty() {
            return 0.0;
        }
        self.group_chances.iter().fold(self.free_chance.unwrap_or(1.0), |least, &chance| least.min(chance))
    }

    /// Records the fields that are certain according to the chances computed last, and what single numbers then imply.
    /// Returns `true` if any unknown field was certain.
    ///
    /// # Errors
    /// Returns [`Contradiction`] if single numbers contradict each other.
    pub(super) fn learn(&mut self) -> Result<bool, Contradiction> {
        let mut learned = false;
        for (group, &chance) in self.groups.all.iter().zip(&self.group_chances) {
            learned |= chance == 0.0 || chance == 1.0;
            for &field in group.fields() {
                if chance == 0.0 {
                    self.known.set_safe(field as usize);
                } else if chance == 1.0 {
                    self.known.set_goose(field as usize);
                }
            }
        }
        if let Some(chance) = self.free_chance.filter(|&chance| chance == 0.0 || chance == 1.0) {
            learned = true;
            for at in 0..self.known.cells.len() {
                if self.known.cells[at] == UNKNOWN && self.groups.ids[at] == NONE {
                    if chance == 0.0 {
                        self.known.set_safe(at);
                    } else {
                        self.known.set_goose(at);
                    }
                }
            }
        }
        self.known.deduce()?;
        Ok(learned)
    }

    /// Computes the chances from what is known. If `total` is false, the number of geese on the board is not used, and
    /// no chance is computed for free fields.
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] on a contradiction, [`Error::Limit`] or [`Error::Interrupted`] if the budget ends
    /// the count, [`Error::Limit`] if a component is too entangled, and [`Error::Memory`] if memory does not suffice.
    pub(super) fn count(&mut self, total: bool, budget: &mut Budget<'_>) -> Result<(), Error> {
        self.weigh(total, budget)?;
        self.ln_ways = if total { self.joined.ln_boards() } else { f64::NAN };
        Ok(())
    }

    /// Does what [`Engine::count`] does, except that the number of boards is not computed.
    fn weigh(&mut self, total: bool, budget: &mut Budget<'_>) -> Result<(), Error> {
        self.groups.collect(&self.known);
        self.sweep.clear(self.groups.all.len());
        let mut ln_scale = 0.0;
        for first in 0..self.groups.numbers.len() as u32 {
            // A number with pending groups is in a component that has not been swept yet.
            if self.groups.numbers[first as usize].pending > 0 {
                let start = self.sweep.far_end(&mut self.groups, first);
                ln_scale += self.sweep.component(&mut self.groups, start, budget)?;
            }
        }
        self.join(total, ln_scale, budget)
    }
}
