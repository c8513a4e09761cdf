//! Solving and counting by the [search](super::search): any solution, a solution with the fewest swaps, or the number
//! of placements that light all sensors.

use crate::core::{Budget, Error, Game};

use super::MyPhoton;
use super::bounds::{Cycles, MIN_CYCLE};
use super::search::{Objective, Search};

impl MyPhoton {
    /// Finds a shortest list of swaps that lights all sensors; the list is empty if they are lit already. Returns
    /// `None` if the board has no sensors, or if it is proved that there is no such list (of at most `most` swaps, if
    /// `most` is given).
    ///
    /// # Errors
    /// Returns [`Error::Limit`] if the budget, counted in nodes of the search, runs out before there is a proof, or if
    /// the board has more than 2^22 cells or more than 65,534 pieces; returns [`Error::Interrupted`] if the watcher
    /// ends the call, and [`Error::Memory`] if memory cannot hold the search. A node counts once more for each 2048
    /// cells of the board.
    pub fn solve(&self, most: Option<usize>, budget: &mut Budget<'_>) -> Result<Option<Vec<[i32; 4]>>, Error> {
        self.find(Objective::fewest(most), Cycles::Counted, budget)
    }

    /// Finds a list of swaps that lights all sensors, not always a shortest list; the list is empty if they are lit
    /// already. Returns `None` if the board has no sensors or if it is proved that there is no such list.
    ///
    /// # Errors
    /// Returns the errors of [`solve`](Self::solve).
    pub fn solve_any(&self, budget: &mut Budget<'_>) -> Result<Option<Vec<[i32; 4]>>, Error> {
        self.find(Objective::Any { filter: true }, Cycles::Counted, budget)
    }

    /// Returns the number of placements of the hardware that light all sensors, or `most` if there are more. The
    /// current placement is counted too if it lights them. Returns 0 for a board without sensors.
    ///
    /// # Errors
    /// Returns the errors of [`solve`](Self::solve).
    pub fn count_solutions(&self, most: u64, budget: &mut Budget<'_>) -> Result<u64, Error> {
        let cycles = if self.hardware.len() < MIN_CYCLE { Cycles::Ignored } else { Cycles::Counted };
        self.count_with(most, cycles, budget)
    }

    /// Counts placements as [`count_solutions`](Self::count_solutions) does. With [`Cycles::Ignored`], placements in
    /// which light comes back to a piece may be missed.
    ///
    /// # Errors
    /// Returns the errors of [`solve`](Self::solve).
    pub(super) fn count_with(&self, most: u64, cycles: Cycles, budget: &mut Budget<'_>) -> Result<u64, Error> {
        if self.world.sensors.is_empty() || most == 0 {
            return Ok(0);
        }
        let mut search = Search::new(self, Objective::Count { most, found: 0 }, cycles)?;
        search.run(budget)?;
        Ok(if let Objective::Count { found, .. } = search.objective { found } else { 0 })
    }

    /// Finds a list of swaps for [`Objective::Any`] or [`Objective::Fewest`]; the list is empty if all sensors are lit
    /// already. Returns `None` if the board has no sensors or if it is proved that there is no such list. With
    /// [`Cycles::Ignored`], solutions in which light comes back to a piece may be missed, so `None` rules out only
    /// other solutions, and the list found is not always a shortest one.
    ///
    /// # Errors
    /// Returns the errors of [`solve`](Self::solve).
    pub(super) fn find(
        &self,
        objective: Objective,
        cycles: Cycles,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<[i32; 4]>>, Error> {
        if self.world.sensors.is_empty() {
            return Ok(None);
        }
        if self.status().is_over() {
            return Ok(Some(Vec::new()));
        }
        self.goal(objective, cycles, budget)?.map(|goal| self.swaps_to(&goal, budget)).transpose()
    }

    /// Searches for a placement that meets an objective, even if all sensors are lit already; the board must have
    /// sensors. Returns the decided places of the placement with their codes, or `None` if it is proved that there is
    /// no such placement. [`find`](Self::find) describes `cycles`.
    ///
    /// # Errors
    /// Returns the errors of [`solve`](Self::solve).
    pub(super) fn goal(
        &self,
        objective: Objective,
        cycles: Cycles,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<(u32, u8)>>, Error> {
        let mut search = Search::new(self, objective, Cycles::Ignored)?;
        if matches!(objective, Objective::Any { .. }) {
            search.run_by_turns(budget)?;
        } else {
            search.run(budget)?;
        }
        let (mut goal, objective) = (search.goal, search.objective);
        // The first search is quick and rarely misses a solution; the second finds what the first missed, or proves
        // that the first missed nothing.
        if cycles == Cycles::Counted && !objective.is_met(goal.is_some()) && self.hardware.len() >= MIN_CYCLE {
            let mut search = Search::new(self, objective, Cycles::Counted)?;
            search.run(budget)?;
            goal = search.goal.or(goal);
        }
        Ok(goal)
    }
}
