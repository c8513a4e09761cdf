//! Difficulty: boards that need no guess, and boards of a given grade.
//!
//! A board is played by the easiest rule at every point ([`Reasoner`]). The hardest rule that is needed, and for
//! `subset` the number of its uses, decide the grade:
//!
//! ```text
//! 1 trivial     count alone
//! 2 easy        subset once or twice
//! 3 medium      subset three times or more
//! 4 hard        remaining or exact
//! 5 fiendish    guess
//! ```

use super::play::play_out;
use super::reason::{Reasoner, Rule};
use super::{Deal, GeeseSpotter, Player, Policy, SHOW, View};
use crate::core::{Budget, Cell, Error, Game, Rng};

impl GeeseSpotter {
    /// Returns `true` if logic alone wins the board from the start after a first show of `first`: every further show is
    /// certain to be safe. The proof is by exact chances, which also use the number of geese. `first` must lie on the
    /// board.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, in states, ends the count, [`Error::Limit`] if
    /// a component is too entangled, and [`Error::Memory`] if memory does not suffice.
    pub fn needs_no_guess(&self, first: Cell, budget: &mut Budget<'_>) -> Result<bool, Error> {
        let view = View::blank(self.height(), self.width(), self.geese());
        let first = self.index(first.row, first.col);
        plays_without_guess(&mut Player::new(Policy::Safest), self.secret(), &view, first, budget)
    }
}

/// Returns `true` if a player wins a board by showing `first` and then only fields that are certain to be safe.
fn plays_without_guess(
    player: &mut Player,
    secret: &[u8],
    view: &View,
    first: usize,
    budget: &mut Budget<'_>,
) -> Result<bool, Error> {
    play_out(player, secret, view, first, |player| match player.certain(budget) {
        Ok(index) => Ok(index),
        Err(Error::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    })
}

/// The steps that a game takes if it is played by the easiest rule at every point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The number of steps by each rule, in the order of [`Rule::ALL`].
    pub uses: [u32; 5],
    /// The number of shows.
    pub shows: u32,
}

impl Effort {
    /// Returns the number of steps by a rule.
    pub fn of(&self, rule: Rule) -> u32 {
        self.uses[rule as usize]
    }

    /// Returns the grade: 1 (`count` alone), 2 (`subset` once or twice), 3 (`subset` more often), 4 (`remaining` or
    /// `exact`) or 5 (`guess`).
    pub fn grade(&self) -> u8 {
        if self.of(Rule::Guess) > 0 {
            5
        } else if self.of(Rule::Remaining) + self.of(Rule::Exact) > 0 {
            4
        } else {
            match self.of(Rule::Subset) {
                0 => 1,
                1..=2 => 2,
                _ => 3,
            }
        }
    }
}

impl GeeseSpotter {
    /// Plays the game from this position to its end by the easiest rules, and returns the steps that the game takes. If
    /// no field is revealed yet, `first`, which must lie on the board, is shown first; that show counts as a guess only
    /// if the field holds a goose. A goose that a guess shows is treated as known, and the game continues. Marks are
    /// ignored. `budget` counts steps, and the states of exact chances.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the game, [`Error::Limit`] if a component
    /// is too entangled, and [`Error::Memory`] if memory does not suffice.
    pub fn effort(&self, first: Cell, budget: &mut Budget<'_>) -> Result<Effort, Error> {
        let mut effort = Effort::default();
        let mut game = self.clone();
        for field in &mut game.fields {
            *field &= !super::fields::MARKED_BIT;
        }
        game.marks = 0;
        let mut reasoner = Reasoner::new(game.view());
        let width = game.width();
        let mut show = |game: &mut Self, reasoner: &mut Reasoner, at: usize| {
            let [row, col] = [(at / width) as i32, (at % width) as i32];
            effort.shows += 1;
            let change = game.apply([SHOW, row, col]);
            for index in game.revealed(row, col, &change) {
                reasoner.reveal(index, game.fields[index]);
            }
            game.fields[at] == super::fields::GOOSE
        };
        if game.is_covered() && game.left > 0 && show(&mut game, &mut reasoner, self.index(first.row, first.col)) {
            effort.uses[Rule::Guess as usize] += 1;
        }
        while game.left > 0 {
            let Some(step) = reasoner.next(budget)? else { break };
            budget.spend(1)?;
            effort.uses[step.rule as usize] += 1;
            for at in step.safe.into_iter().chain(step.guess.map(|advice| advice.index)) {
                if game.fields[at] & super::fields::HIDDEN_BIT != 0 {
                    show(&mut game, &mut reasoner, at);
                }
            }
        }
        Ok(effort)
    }
}

impl Deal {
    /// Returns, for a seed, a game that logic alone wins after a first show of the safe field (the top left field if
    /// none is given). Boards are dealt until one is proved to need no guess, so all such boards are equally likely,
    /// except those whose chances are too entangled to be counted, which are never returned.
    ///
    /// * `seed`: any number
    /// * `most`: the largest number of boards to deal
    /// * `budget`: counts boards and the states of their proofs
    ///
    /// # Errors
    /// Returns [`Error::Limit`] if none of `most` boards is proved to need no guess, [`Error::Limit`] or
    /// [`Error::Interrupted`] if the budget ends the search, and [`Error::Memory`] if memory does not suffice.
    pub fn no_guess(&self, seed: u64, most: u64, budget: &mut Budget<'_>) -> Result<GeeseSpotter, Error> {
        let (height, width) = self.shape();
        let view = View::blank(height, width, self.geese());
        let safe = self.safe().unwrap_or(Cell::new(0, 0));
        let first = safe.row as usize * width + safe.col as usize;
        let (mut player, mut board, mut sums) = (Player::new(Policy::Safest), vec![0; self.cells()], Vec::new());
        for number in 0..most {
            budget.spend(1)?;
            self.one(&mut board, &mut Rng::stream(seed, number), &mut sums);
            match plays_without_guess(&mut player, &board, &view, first, budget) {
                Ok(true) => return Ok(GeeseSpotter::from_fields(height, width, false, board)),
                // Nothing is proved about a board whose chances cannot be counted. If the budget ended the count, it
                // returns its error again.
                Ok(false) => {}
                Err(Error::Limit(_)) => budget.spend(0)?,
                Err(error) => return Err(error),
            }
        }
        Err(Error::spent(most, "boards without one that is proved to need no guess"))
    }

    /// Returns a game of the given grade with the safe field (the top left field if none is given) already shown.
    /// Boards are dealt until one has the grade, so all such boards are equally likely, except those whose chances are
    /// too entangled to be counted, which are never returned. Boards that have a goose in the safe field, or that are
    /// won by showing this field, are not used.
    ///
    /// * `grade`: 1 (trivial) to 5 (fiendish); for any other number no board is found
    /// * `flood`: whether a zero opens its whole region
    /// * `seed`: any number
    /// * `most`: the largest number of boards to deal
    /// * `budget`: counts boards and the states of their grading
    ///
    /// # Errors
    /// Returns [`Error::Limit`] if none of `most` boards has the grade, [`Error::Limit`] or [`Error::Interrupted`] if
    /// the budget ends the search, and [`Error::Memory`] if memory does not suffice.
    pub fn graded(
        &self,
        grade: u8,
        flood: bool,
        seed: u64,
        most: u64,
        budget: &mut Budget<'_>,
    ) -> Result<GeeseSpotter, Error> {
        let (height, width) = self.shape();
        let first = self.safe().unwrap_or(Cell::new(0, 0));
        let (mut board, mut sums) = (vec![0; self.cells()], Vec::new());
        for number in 0..most {
            budget.spend(1)?;
            self.one(&mut board, &mut Rng::stream(seed, number), &mut sums);
            let mut game = GeeseSpotter::from_fields(height, width, flood, board.clone());
            if game.code([SHOW, first.row, first.col]) != super::fields::code::GOOSE {
                game.apply([SHOW, first.row, first.col]);
            }
            if game.status().is_over() || game.is_covered() {
                continue;
            }
            match game.effort(first, budget) {
                Ok(effort) if effort.grade() == grade => return Ok(game),
                // A board whose chances cannot be counted has no grade. If the budget ended the grading, it returns its
                // error again.
                Ok(_) => {}
                Err(Error::Limit(_)) => budget.spend(0)?,
                Err(error) => return Err(error),
            }
        }
        Err(Error::spent(most, &format!("boards without one of grade {grade}")))
    }
}
