//! From reasons to moves: the first step of the reasoning that the position does not meet yet, and the move that serves
//! it.
//!
//! Every step is true of all solutions, and a move for a step changes no tile that an earlier step decided. So playing
//! advice again and again meets one step after the other; when all are met and reasoning ended [`Fed`](End::Fed), the
//! puzzle is won.

use crate::core::{Budget, Cell, Error, Game};

use super::MyPhoton;
use super::reason::{End, Reasoning, Rule, Step};
use super::tile::{EMPTY, is_hardware};

/// What to do next, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The rule: that of the step, or [`Spare`](Rule::Spare) if only pieces that stand in the way are left to move.
    pub rule: Rule,
    /// The step that the move serves; `None` for a move that only the search finds.
    pub step: Option<Step>,
    /// The move; `None` if the step is met already.
    pub mv: Option<[i32; 4]>,
}

impl Step {
    /// Returns the cells that the step decides with their codes.
    fn decided(&self) -> impl Iterator<Item = (Cell, u8)> + '_ {
        let empty = self.empty.iter().map(|&cell| (cell, EMPTY));
        empty.chain(self.piece.map(|(cell, tile)| (cell, tile.code())))
    }

    /// Returns `true` if the step speaks of a cell.
    pub fn concerns(&self, cell: Cell) -> bool {
        self.sensor == cell || self.decided().any(|(decided, _)| decided == cell)
    }
}

/// Returns the number of rows plus the number of columns between two cells.
fn distance(a: Cell, b: Cell) -> i32 {
    (a.row - b.row).abs() + (a.col - b.col).abs()
}

impl MyPhoton {
    /// Returns the first step that the position does not meet, with a move for it. With `about`, returns the first step
    /// that concerns a cell, met or not. Returns `None` if the game is won, if there is no solution, or if no step
    /// concerns the cell.
    ///
    /// # Errors
    /// Returns the errors of [`solve`](Self::solve), which finds the move if no rule applies.
    pub fn advise(
        &self,
        reasoning: &Reasoning,
        about: Option<Cell>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Advice>, Error> {
        if let Some(cell) = about {
            let found = reasoning.steps.iter().position(|step| step.concerns(cell));
            return Ok(found.map(|at| self.serve(&reasoning.steps[..=at])));
        }
        if self.status().is_over() || reasoning.end == End::Contradiction {
            return Ok(None);
        }
        for at in 0..reasoning.steps.len() {
            let advice = self.serve(&reasoning.steps[..=at]);
            if advice.mv.is_some() {
                return Ok(Some(advice));
            }
        }
        let answer = self.solve(None, budget)?;
        Ok(answer.map(|answer| Advice { rule: Rule::Search, step: None, mv: answer.first().copied() }))
    }

    /// Returns the advice for the last of some steps.
    fn serve(&self, steps: &[Step]) -> Advice {
        let code = |cell: Cell| self.tiles[self.place(cell.row, cell.col)];
        let settled = |cell: Cell| steps.iter().flat_map(Step::decided).any(|(decided, _)| decided == cell);
        let Some(step) = steps.last() else { return Advice { rule: Rule::Search, step: None, mv: None } };
        let mut rule = step.rule;
        let mut mv = None;
        if let Some((cell, tile)) = step.piece.filter(|&(cell, tile)| code(cell) != tile.code()) {
            // A piece from the tiles of this step that must be empty is best: one move then meets two demands.
            let from = self
                .hardware()
                .filter(|&other| code(other) == tile.code())
                .filter(|&other| step.empty.contains(&other) || !settled(other))
                .min_by_key(|&other| (!step.empty.contains(&other), distance(other, cell)));
            mv = from.map(|from| self.exchange(from, cell));
        } else if let Some(&blocker) = step.empty.iter().find(|&&cell| code(cell) != EMPTY) {
            rule = Rule::Spare;
            // To an empty tile that no step decides, best out of all light, so that nothing else changes.
            let dark = |cell: Cell| self.heads[self.place(cell.row, cell.col)] == 0;
            let (height, width) = (self.height() as i32, self.width() as i32);
            let to = (0..height)
                .flat_map(|row| (0..width).map(move |col| Cell::new(row, col)))
                .filter(|&cell| code(cell) == EMPTY && !settled(cell))
                .min_by_key(|&cell| (!dark(cell), distance(cell, blocker)));
            mv = to.map(|to| self.exchange(blocker, to));
        }
        Advice { rule, step: Some(step.clone()), mv }
    }

    /// Returns the move that exchanges a piece and what stands on another cell.
    fn exchange(&self, piece: Cell, other: Cell) -> [i32; 4] {
        let both = is_hardware(self.tiles[self.place(other.row, other.col)]);
        let (a, b) = if both && other < piece { (other, piece) } else { (piece, other) };
        [a.row, a.col, b.row, b.col]
    }
}

/// How hard a puzzle is: a grade, and what it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// 1 to 5; see [`grade`].
    pub grade: u8,
    /// For each rule of [`Rule::ALL`], how often it is used if the puzzle is solved always by the easiest rule.
    pub rules: [usize; Rule::ALL.len()],
    /// The fewest swaps that solve it.
    pub swaps: usize,
    /// The number of pieces that turn light in the solution.
    pub turns: usize,
    /// The number of pieces that have no light in the solution.
    pub decoys: usize,
}

/// Returns the grade of a puzzle that reasoning ends [`Fed`](End::Fed): 1 with the rules direct and forced, 2 with
/// shared, 3 with one trial, 4 with two trials or more. Returns 5 if reasoning ends [`Stuck`](End::Stuck).
pub fn grade(reasoning: &Reasoning) -> u8 {
    let count = |rule| reasoning.steps.iter().filter(|step| step.rule == rule).count();
    match (reasoning.end, count(Rule::Trial), count(Rule::Shared)) {
        (End::Stuck, _, _) => 5,
        (_, 0, 0) => 1,
        (_, 0, _) => 2,
        (_, 1, _) => 3,
        (_, _, _) => 4,
    }
}

/// By grade, the largest number of nodes that the search visits in a puzzle with several solutions.
const NODES: [u64; 4] = [4, 16, 64, 256];

impl MyPhoton {
    /// Grades the puzzle. Returns `None` if it is proved that there is no solution, and for a world without sensors.
    ///
    /// A puzzle in which reasoning gets stuck has grade 5 if its solution is unique. If it has several solutions, less
    /// holds in all of them though it is no harder, so it is graded by the nodes that the search visits.
    ///
    /// # Errors
    /// Returns the errors of [`solve`](Self::solve).
    pub fn assess(&self, budget: &mut Budget<'_>) -> Result<Option<Assessment>, Error> {
        let reasoning = self.reason(budget)?;
        if self.world.sensors.is_empty() || reasoning.end == End::Contradiction {
            return Ok(None);
        }
        let mut rules = [0; Rule::ALL.len()];
        for step in &reasoning.steps {
            rules[step.rule as usize] += 1;
        }
        // What stands in the way is moved away while the steps are played.
        let mut game = self.clone();
        for at in 0..reasoning.steps.len() {
            while let Advice { rule, mv: Some(mv), .. } = game.serve(&reasoning.steps[..=at]) {
                rules[Rule::Spare as usize] += usize::from(rule == Rule::Spare);
                game.apply(mv);
            }
        }
        let mut grade = grade(&reasoning);
        let answer = if reasoning.end == End::Fed {
            // The decided tiles are a goal that every solution contains, so the fewest swaps need no search.
            let decided = reasoning.steps.iter().flat_map(Step::decided);
            let goal: Vec<(u32, u8)> =
                decided.map(|(cell, code)| (self.place(cell.row, cell.col) as u32, code)).collect();
            self.swaps_to(&goal, budget)?
        } else {
            if self.count_solutions(2, budget)? > 1 {
                let before = budget.spent();
                self.solve_any(budget)?;
                let nodes = budget.spent() - before;
                grade = 1 + NODES.iter().filter(|&&most| nodes > most).count() as u8;
            }
            let Some(answer) = self.solve(None, budget)? else { return Ok(None) };
            // Without a step that moved a piece, the rest is the whole answer.
            let rest =
                if game == *self { answer.len() } else { game.solve(None, budget)?.map_or(0, |rest| rest.len()) };
            rules[Rule::Search as usize] = rest;
            answer
        };
        let mut solved = self.clone();
        for &mv in &answer {
            solved.apply(mv);
        }
        let decoys = solved.hardware.iter().filter(|&&place| solved.heads[place as usize] == 0).count();
        let turns = solved.hardware.len() - decoys;
        Ok(Some(Assessment { grade, rules, swaps: answer.len(), turns, decoys }))
    }
}
