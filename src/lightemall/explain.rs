//! The next step that can be justified, and how hard a board is, both by the rules of [`reason`](super::reason).

use super::net::BOARD;
use super::reason::Reasoner;
use super::solve::{each_wiring, spare, turns_between};
use super::step::{Rule, Step};
use super::{LightEmAll, cell_of};
use crate::core::{Budget, Cell, Error, Game, memory};

/// The largest number of solutions that are compared if no rule of reasoning applies.
const MAX_SOLUTIONS: usize = 1000;

/// Why a tile has the same orientation in all solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The rule of the hardest step, see [`Reasoner::hardest`]; [`Rule::Agreed`] if no turn changes the tile, and
    /// [`Rule::Search`] if solutions were compared.
    pub rule: Rule,
    /// The row-major index of the tile.
    pub tile: u32,
    /// How many times to turn the tile clockwise; 0 if it already has that orientation.
    pub turns: u8,
    /// The steps about the tile, in order. The last one leaves one orientation, unless no turn changes the tile. Empty
    /// if solutions were compared.
    pub facts: Vec<Step>,
    /// The hardest step from which `facts` follow, if it is harder than [`Rule::Agreed`] and not one of `facts`.
    pub key: Option<Step>,
}

/// The next step from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// The game is over.
    Over,
    /// Power provably cannot reach all tiles, however they are turned and wherever the station is.
    Unsolvable,
    /// A tile has the same orientation in all solutions.
    Turn(Reason),
    /// The tile is not known to have the same orientation in all solutions: the solutions differ, or there are too many
    /// to compare. If no tile was asked about, the same is true of every other tile that still has to be turned.
    Choice {
        /// The row-major index of the tile.
        tile: u32,
        /// How many times to turn the tile clockwise to match the solution, of those compared, with the fewest tiles to
        /// turn.
        turns: u8,
    },
    /// All tiles are connected; moving the station over these cells, one move each, wins the game.
    Station(Vec<Cell>),
}

/// How much reasoning a board needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// By [`Rule`]: how many times the rule is used if every step uses the easiest rule that applies. For
    /// [`Rule::Search`], the number of tiles that the other rules leave open.
    pub uses: [u32; 6],
    /// The number of tiles that lead to a contradiction, summed over all `trial` steps.
    pub looked_at: u32,
    /// The length of the longest chain of steps in which each step follows from the one before.
    pub chain: u32,
}

impl Effort {
    /// The points of one use of each rule. Only `loop`, `island` and `trial`, which look further than one tile and its
    /// neighbors, earn any.
    ///
    /// Measured by the number of tries of a plain backtracking search, each of the three rules costs about the same per
    /// use. A trial earns more because a person has to keep a whole series of conclusions in mind.
    const POINTS: [u32; 6] = [0, 0, 2, 2, 3, 0];

    /// Returns the sum of the points of all steps.
    pub fn points(&self) -> u32 {
        self.uses.iter().zip(Self::POINTS).map(|(uses, points)| uses * points).sum()
    }

    /// Returns the grade: 1 (trivial, 0 points), 2 (at most 3), 3 (at most 5), 4 (at most 9) or 5 (fiendish: more
    /// points, or a search).
    pub fn grade(&self) -> u8 {
        match self.points() {
            _ if self.uses[Rule::Search as usize] > 0 => 5,
            0 => 1,
            1..=3 => 2,
            4..=5 => 3,
            6..=9 => 4,
            _ => 5,
        }
    }
}

impl LightEmAll {
    /// Returns the easiest step that can be justified in this position, or why one tile has the same orientation in all
    /// solutions.
    ///
    /// * `cell`: the row-major index of the tile to explain, which must be on the board, or `None` for the next step
    /// * `budget`: counts steps and the work of searches
    ///
    /// The rules do not use the current orientations of the tiles: that a tile is already in place must be concluded
    /// too. The radius matters only for moves of the station and for comparisons of wirings with loops: if the wiring
    /// is a tree, a station in its middle always powers all tiles.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] if the budget runs out or the board is too large to search, and the other errors of
    /// [`LightEmAll::solve`].
    pub fn explain(&self, cell: Option<usize>, budget: &mut Budget<'_>) -> Result<NextStep, Error> {
        if self.status().is_over() {
            return Ok(NextStep::Over);
        }
        if cell.is_none()
            && let Some(path) = self.path_to_win(budget)?
        {
            return Ok(NextStep::Station(path));
        }
        if let Some(mut reasoner) = Reasoner::new(self, budget)? {
            // A step about an edge concerns two tiles, one of which may have had a single orientation left before the
            // step. `fixed` records the tiles that are already known to have one orientation left.
            let n = self.wires().len() as u32;
            let was_fixed = (0..n).map(|tile| reasoner.turns_left(tile).is_power_of_two());
            let mut fixed: Vec<bool> = memory::collected(n as usize, was_fixed, BOARD)?;
            loop {
                let touched = match reasoner.step(budget) {
                    Ok(Some(step)) => {
                        let conclusion = step.conclusion;
                        reasoner.tiles_of(conclusion)
                    }
                    Ok(None) => break,
                    Err(Error::NotFound(_)) => return Ok(NextStep::Unsolvable),
                    Err(error) => return Err(error),
                };
                for tile in touched.into_iter().flatten() {
                    let left = reasoner.turns_left(tile);
                    if !left.is_power_of_two() || std::mem::replace(&mut fixed[tile as usize], true) {
                        continue;
                    }
                    let turns = left.trailing_zeros() as u8;
                    if cell.map_or(turns > 0, |cell| cell == tile as usize) {
                        return Ok(NextStep::Turn(reason(&reasoner, tile, turns)));
                    }
                }
            }
            if let Some(tile) = cell.filter(|&tile| reasoner.turns_left(tile as u32).is_power_of_two()) {
                // One orientation from the start: a tile without wires, or with wires on all sides.
                return Ok(NextStep::Turn(reason(&reasoner, tile as u32, 0)));
            }
        }
        self.compare_solutions(cell, budget)
    }

    /// Returns the next step if no rule of reasoning applies: compares solutions found by exhaustive search.
    fn compare_solutions(&self, cell: Option<usize>, budget: &mut Budget<'_>) -> Result<NextStep, Error> {
        let n = self.wires().len();
        // By tile: the set of its masks in the solutions, one bit per mask.
        let mut masks = memory::filled(0u64, n, BOARD)?;
        // The solution with the fewest tiles to turn, and their number.
        let (mut nearest, mut fewest) = (memory::with_capacity(n, BOARD)?, usize::MAX);
        let mut count = 0;
        // A station in the middle of a tree powers all tiles, and so does a station anywhere if the radius is not
        // limited.
        let always = spare(self) == 0 || self.radius().is_none();
        each_wiring(self, budget, &mut |wires| {
            if !always && self.winning_path(wires)?.is_none() {
                return Ok(true);
            }
            for (masks, &mask) in masks.iter_mut().zip(wires) {
                *masks |= 1 << mask;
            }
            // The nearest solution is kept: each tile turned to match it leaves fewer to turn, so a player who follows
            // all hints reaches a solution.
            let wrong = wires.iter().zip(self.wires()).filter(|(to, from)| to != from).count();
            if wrong < fewest {
                fewest = wrong;
                nearest.clear();
                nearest.extend_from_slice(wires);
            }
            count += 1;
            Ok(count < MAX_SOLUTIONS)
        })?;
        if count == 0 {
            return Ok(NextStep::Unsolvable);
        }
        let complete = count < MAX_SOLUTIONS;
        let turns = |tile: usize| turns_between(self.lattice(), self.wires()[tile], nearest[tile]).unwrap_or(0);
        let forced = |tile: usize| complete && masks[tile].is_power_of_two();
        let search = |tile: usize| {
            let (rule, facts, key) = (Rule::Search, Vec::new(), None);
            NextStep::Turn(Reason { rule, tile: tile as u32, turns: turns(tile), facts, key })
        };
        let choice = |tile: usize| NextStep::Choice { tile: tile as u32, turns: turns(tile) };
        if let Some(tile) = cell {
            return Ok(if forced(tile) { search(tile) } else { choice(tile) });
        }
        if let Some(tile) = (0..n).find(|&tile| turns(tile) > 0 && forced(tile)) {
            return Ok(search(tile));
        }
        Ok((0..n).find(|&tile| turns(tile) > 0).map_or(NextStep::Over, choice))
    }

    /// Reasons from the first step to the last and returns how much reasoning that took; `None` if it is proved that
    /// the board has no solution. `budget` counts steps and the work of searches.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] if the budget runs out or the board is too large to search, and the other errors of
    /// [`LightEmAll::solve`].
    pub fn effort(&self, budget: &mut Budget<'_>) -> Result<Option<Effort>, Error> {
        let mut effort = Effort::default();
        let n = self.wires().len();
        // The rules ignore the radius, but if it is limited, the board may have no solution.
        if self.initial_radius().is_some() && self.solve(budget)?.is_none() {
            return Ok(None);
        }
        let Some(mut reasoner) = Reasoner::new(self, budget)? else {
            effort.uses[Rule::Search as usize] = n as u32;
            return Ok((self.count_solutions(1, budget)? == 1).then_some(effort));
        };
        // By step: the length of the longest chain that ends with it.
        let mut chains: Vec<u32> = Vec::new();
        loop {
            match reasoner.step(budget) {
                Ok(Some(step)) => {
                    effort.uses[step.rule as usize] += 1;
                    if step.rule == Rule::Trial {
                        effort.looked_at += step.because.len() as u32;
                    }
                    let chain = 1 + step.parents.iter().map(|&parent| chains[parent as usize]).max().unwrap_or(0);
                    effort.chain = effort.chain.max(chain);
                    memory::room(&mut chains, 1, BOARD)?;
                    chains.push(chain);
                }
                Ok(None) => break,
                Err(Error::NotFound(_)) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        let open = (0..n as u32).filter(|&tile| !reasoner.turns_left(tile).is_power_of_two()).count();
        effort.uses[Rule::Search as usize] = open as u32;
        if open > 0 && self.count_solutions(1, budget)? == 0 {
            return Ok(None);
        }
        Ok(Some(effort))
    }

    /// Returns the cell of a tile, given by its row-major index.
    pub fn cell(&self, tile: usize) -> Cell {
        cell_of(self.lattice(), tile)
    }
}

/// Returns why a tile, which is to be turned `turns` times, has one orientation left.
fn reason(reasoner: &Reasoner, tile: u32, turns: u8) -> Reason {
    let facts = reasoner.facts(tile);
    let own: Vec<Step> = facts.iter().map(|&fact| reasoner.noted()[fact as usize].clone()).collect();
    let hardest = reasoner.hardest(facts);
    let rule = hardest.map_or(Rule::Agreed, |step| step.rule);
    let key = hardest.filter(|step| step.rule > Rule::Agreed && !own.contains(step)).cloned();
    Reason { rule, tile, turns, facts: own, key }
}
