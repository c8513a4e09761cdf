//! Solving and counting by the [search](super::search): any answer, one of the fewest swaps, or the number of
//! placements.

use crate::core::{Budget, Error, Game};

use super::MyPhoton;
use super::bounds::{Cycles, MIN_CYCLE};
use super::search::{Objective, Search};

impl MyPhoton {
    /// Finds a shortest list of swaps that lights all sensors. Returns `None` if it is proved that there is none, or
    /// none of at most `most` swaps, and for a world without sensors.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] if the budget, counted in nodes of the search, runs out before that is proved, or if
    /// the board is too large to search, [`Error::Interrupted`] if the watcher ends the call.
    pub fn solve(&self, most: Option<usize>, budget: &mut Budget<'_>) -> Result<Option<Vec<[i32; 4]>>, Error> {
        self.find(Objective::fewest(most), Cycles::Counted, budget)
    }

    /// Finds a list of swaps that lights all sensors, not always a shortest. Returns `None` if it is proved that there
    /// is none, and for a world without sensors.
    ///
    /// # Errors
    /// Returns the errors of [`solve`](Self::solve).
    pub fn solve_any(&self, budget: &mut Budget<'_>) -> Result<Option<Vec<[i32; 4]>>, Error> {
        self.find(Objective::Any, Cycles::Counted, budget)
    }

    /// Counts the placements of the hardware that light all sensors, up to `most`. The position itself counts if it is
    /// one.
    ///
    /// # Errors
    /// Returns the errors of [`solve`](Self::solve).
    pub fn count_solutions(&self, most: u64, budget: &mut Budget<'_>) -> Result<u64, Error> {
        let cycles = if self.hardware.len() < MIN_CYCLE { Cycles::Ignored } else { Cycles::Counted };
        self.count_with(most, cycles, budget)
    }

    /// Counts as [`count_solutions`](Self::count_solutions) does, with or without cycles of light.
    pub(super) fn count_with(&self, most: u64, cycles: Cycles, budget: &mut Budget<'_>) -> Result<u64, Error> {
        if self.world.sensors.is_empty() || most == 0 {
            return Ok(0);
        }
        let mut search = Search::new(self, Objective::Count { most, found: 0 }, cycles)?;
        search.run(budget)?;
        Ok(if let Objective::Count { found, .. } = search.objective { found } else { 0 })
    }

    /// Solves for an objective. Without cycles of light, answers with such a cycle may be missed.
    pub(super) fn find(
        &self,
        objective: Objective,
        cycles: Cycles,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<[i32; 4]>>, Error> {
        if self.world.sensors.is_empty() || matches!(objective, Objective::Fewest { below: 0 }) {
            return Ok(None);
        }
        if self.status().is_over() {
            return Ok(Some(Vec::new()));
        }
        let mut search = Search::new(self, objective, Cycles::Ignored)?;
        if matches!(objective, Objective::Any) {
            search.run_by_turns(budget)?;
        } else {
            search.run(budget)?;
        }
        let (mut goal, objective) = (search.goal, search.objective);
        // The first search misses hardly anything and is quick; the second proves that nothing was missed.
        if cycles == Cycles::Counted && !objective.is_met(goal.is_some()) && self.hardware.len() >= MIN_CYCLE {
            let mut search = Search::new(self, objective, Cycles::Counted)?;
            search.run(budget)?;
            goal = search.goal.or(goal);
        }
        goal.map(|goal| self.swaps_to(&goal, budget)).transpose()
    }
}
