//! Advice: the first [reasoning](super::reason) step that the position does not satisfy and for which there is a move,
//! with that move. Also grades puzzles.
//!
//! Every step holds in all solutions, and a move for a step changes no tile that an earlier step decided. So a player
//! who follows the advice satisfies one step after another. If reasoning ends [`Fed`](End::Fed), the puzzle is won
//! once all steps are satisfied.

use crate::core::{Budget, Cell, Error, Game};

use super::MyPhoton;
use super::bounds::Cycles;
use super::reason::{End, Reasoning, Rule, Step};
use super::search::Objective;
use super::tile::{EMPTY, is_hardware};

/// What to do next, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The rule of the step; [`Spare`](Rule::Spare) if the step fails only because a piece stands on a tile that must
    /// be empty; [`Search`](Rule::Search) if there is no step.
    pub rule: Rule,
    /// The step that the move is for; `None` for a move that only the search finds.
    pub step: Option<Step>,
    /// The move; `None` if the position satisfies the step, or if no move serves the step without changing a tile that
    /// an earlier step decided.
    pub mv: Option<[i32; 4]>,
}

impl Step {
    /// Iterates over the cells that the step decides, with their codes.
    fn decided(&self) -> impl Iterator<Item = (Cell, u8)> + '_ {
        let empty = self.empty.iter().map(|&cell| (cell, EMPTY));
        empty.chain(self.piece.map(|(cell, tile)| (cell, tile.code())))
    }

    /// Returns `true` if a cell is the sensor of the step or one of the cells that the step decides.
    pub fn concerns(&self, cell: Cell) -> bool {
        self.sensor == cell || self.decided().any(|(decided, _)| decided == cell)
    }
}

/// Returns the Manhattan distance between two cells: the difference of their rows plus the difference of their columns.
fn distance(a: Cell, b: Cell) -> i32 {
    (a.row - b.row).abs() + (a.col - b.col).abs()
}

impl MyPhoton {
    /// Returns the first step for which there is a move, with that move, or the first move of a shortest solution if
    /// there is no such step. Returns `None` if the game is won or has no solution.
    ///
    /// * `reasoning`: the result of [`reason`](Self::reason) for this puzzle
    /// * `about`: if given, a cell; the first step that [concerns](Step::concerns) this cell is returned instead,
    ///   whether or not the position satisfies the step, or `None` if no step concerns the cell or reasoning ends in a
    ///   contradiction
    /// * `budget`: the budget of the search, which is used only if no step has a move
    ///
    /// # Errors
    /// Returns the errors of [`solve`](Self::solve).
    pub fn advise(
        &self,
        reasoning: &Reasoning,
        about: Option<Cell>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Advice>, Error> {
        if reasoning.end == End::Contradiction {
            return Ok(None);
        }
        if let Some(cell) = about {
            let found = reasoning.steps.iter().position(|step| step.concerns(cell));
            return Ok(found.map(|at| self.serve(&reasoning.steps[..=at])));
        }
        if self.status().is_over() {
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

    /// Returns the advice for the last of the given steps; the move changes no tile that an earlier step decides.
    fn serve(&self, steps: &[Step]) -> Advice {
        let code = |cell: Cell| self.tiles[self.place(cell.row, cell.col)];
        // Whether one of the steps decides a cell.
        let settled = |cell: Cell| steps.iter().flat_map(Step::decided).any(|(decided, _)| decided == cell);
        let Some(step) = steps.last() else { return Advice { rule: Rule::Search, step: None, mv: None } };
        let mut rule = step.rule;
        let mut mv = None;
        if let Some((cell, tile)) = step.piece.filter(|&(cell, tile)| code(cell) != tile.code()) {
            // A piece on a tile that this step requires to be empty comes first, since one move then serves two
            // purposes; after that, the nearest piece.
            let from = self
                .hardware()
                .filter(|&other| code(other) == tile.code())
                .filter(|&other| step.empty.contains(&other) || !settled(other))
                .min_by_key(|&other| (!step.empty.contains(&other), distance(other, cell)));
            mv = from.map(|from| self.exchange(from, cell));
        } else if let Some(&blocker) = step.empty.iter().find(|&&cell| code(cell) != EMPTY) {
            rule = Rule::Spare;
            // The piece goes to the nearest empty tile that none of the steps decides, if possible one without light,
            // so that no beam changes there.
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

    /// Returns the move that exchanges the piece on one cell with the contents of another cell. The move lists the
    /// cells in legal order.
    fn exchange(&self, piece: Cell, other: Cell) -> [i32; 4] {
        let both = is_hardware(self.tiles[self.place(other.row, other.col)]);
        let (a, b) = if both && other < piece { (other, piece) } else { (piece, other) };
        [a.row, a.col, b.row, b.col]
    }
}

/// How hard a puzzle is: a grade, and the numbers behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// The grade, from 1 (easy) to 5 (hard); see [`MyPhoton::assess`].
    pub grade: u8,
    /// For each rule of [`Rule::ALL`]: the number of steps by that rule; for [`Spare`](Rule::Spare), the number of
    /// moves that clear a tile while the steps are played; for [`Search`](Rule::Search), the number of swaps that are
    /// left after the steps.
    pub rules: [usize; Rule::ALL.len()],
    /// The fewest swaps that solve the puzzle from the position.
    pub swaps: usize,
    /// The number of pieces that light meets, on any side, in the solution found.
    pub turns: usize,
    /// The number of pieces that light does not meet in the solution found.
    pub decoys: usize,
}

/// Returns the grade of a puzzle, given its reasoning; the puzzle must have a solution. If reasoning ends
/// [`Fed`](End::Fed): 1 for direct and forced steps only, 2 if there are also shared steps, 3 for one trial, 4 for two
/// trials or more. If it ends [`Stuck`](End::Stuck): 5.
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

/// By grade from 1 to 4, for a puzzle that has several solutions and on which reasoning gets stuck: the largest number
/// of nodes that the search for any solution visits.
const NODES: [u64; 4] = [4, 16, 64, 256];

impl MyPhoton {
    /// Grades the puzzle. Returns `None` if the board has no sensors or if it is proved that there is no solution.
    ///
    /// The grade is that of [`grade`], except for a puzzle that has several solutions and on which reasoning gets
    /// stuck. Fewer conclusions hold in all solutions of such a puzzle, though it need not be hard, so its grade
    /// follows from the number of nodes that the search for any solution visits: 1 up to 4 nodes, 2 up to 16, 3 up to
    /// 64, 4 up to 256, and 5 above. A node counts once more for each 2048 cells of the board.
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
        // The steps are played to count the moves that clear a tile.
        let mut game = self.clone();
        for at in 0..reasoning.steps.len() {
            while let Advice { rule, mv: Some(mv), .. } = game.serve(&reasoning.steps[..=at]) {
                rules[Rule::Spare as usize] += usize::from(rule == Rule::Spare);
                game.apply(mv);
            }
        }
        let mut grade = grade(&reasoning);
        let answer = if reasoning.end == End::Fed {
            // The decided tiles are a goal, and every solution contains them, so no search is needed.
            let decided = reasoning.steps.iter().flat_map(Step::decided);
            let goal: Vec<(u32, u8)> =
                decided.map(|(cell, code)| (self.place(cell.row, cell.col) as u32, code)).collect();
            self.swaps_to(&goal, budget)?
        } else {
            if self.count_solutions(2, budget)? > 1 {
                let before = budget.spent();
                self.goal(Objective::Any { filter: false }, Cycles::Counted, budget)?;
                let nodes = budget.spent() - before;
                grade = 1 + NODES.iter().filter(|&&most| nodes > most).count() as u8;
            }
            let Some(answer) = self.solve(None, budget)? else { return Ok(None) };
            // If no step moved a piece, all swaps of the answer are left.
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
