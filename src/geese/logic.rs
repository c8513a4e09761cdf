//! Boards that need no guess, and why a field is what it is.
#![allow(clippy::float_cmp)] // what is certain has a chance of exactly 0 or 1

use super::known::Known;
use super::play::play_out;
use super::{Deal, Engine, GeeseSpotter, Player, Policy, View};
use crate::core::{Budget, Cell, Error, Game, Rng};

impl GeeseSpotter {
    /// Whether logic alone wins the board from the start when `first` is shown first: every further show is certain. The
    /// proof is by exact chances, which know the number of geese too.
    ///
    /// # Errors
    /// [`Error`] where the budget, in states, ends the count, or a component is too entangled for it.
    pub fn needs_no_guess(&self, first: Cell, budget: &mut Budget<'_>) -> Result<bool, Error> {
        let view = View::blank(self.height(), self.width(), self.geese());
        let first = self.index(first.row, first.col);
        plays_without_guess(&mut Player::new(Policy::Safest), self.secret(), &view, first, budget)
    }
}

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

impl Deal {
    /// Makes the game of a seed that logic alone wins from the safe field, which is the top left one where none is given:
    /// each such board is equally likely. Deals boards until one is proved.
    ///
    /// # Errors
    /// [`Error::Limit`] where `most` boards all needed a guess, and where the budget ends it.
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
                // What cannot be counted is not proved.
                Ok(false) | Err(Error::Limit(_)) => {}
                Err(stop) => return Err(stop),
            }
        }
        Err(Error::spent(most, "boards that all need a guess"))
    }
}

/// What is to be said of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was revealed.
    Revealed,
    /// It is certainly free.
    Safe,
    /// It certainly holds a goose.
    Goose,
    /// Nothing is certain anywhere, and this is the field to show.
    BestGuess,
    /// It may hold a goose, and there is better.
    Risky,
}

impl Verdict {
    /// All verdicts with the names that Python shows.
    pub const ALL: [(&'static str, Self); 5] = [
        ("revealed", Self::Revealed),
        ("safe", Self::Safe),
        ("goose", Self::Goose),
        ("best guess", Self::BestGuess),
        ("risky", Self::Risky),
    ];
}

/// A number that speaks about hidden fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The revealed field, by its row-major index.
    pub number: usize,
    /// Its value.
    pub value: u8,
    /// The hidden fields around it.
    pub hidden: Vec<usize>,
}

/// Why a field is what it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// What the field is.
    pub verdict: Verdict,
    /// Its chance of a goose.
    pub chance: f64,
    /// The numbers that decide it: for a certain field enough of them to prove it, and none could be left out; for another
    /// one those beside it.
    pub reasons: Vec<Witness>,
    /// Whether the number of geese on the whole board is needed too.
    pub total: bool,
    /// The field that is best to show now.
    pub best: Option<usize>,
}

impl View {
    /// Explains a field: what it is, with what chance, and which numbers decide it.
    ///
    /// # Errors
    /// As [`View::chances`].
    pub fn explain(&self, index: usize, budget: &mut Budget<'_>) -> Result<Explanation, Error> {
        let chances = self.chances(budget)?;
        let chance = chances.geese[index];
        let mut player = Player::new(Policy::Lookahead);
        player.look(self);
        let best = player.advise(budget)?.map(|advice| advice.index);
        let verdict = if self.fields()[index] != Self::UNKNOWN {
            Verdict::Revealed
        } else if chance == 0.0 {
            Verdict::Safe
        } else if chance == 1.0 {
            Verdict::Goose
        } else if best == Some(index) {
            Verdict::BestGuess
        } else {
            Verdict::Risky
        };
        let mut known = Known::default();
        known.set(self);
        let numbers: Vec<usize> = (0..self.fields().len())
            .filter(|&at| known.is_number(known.place(at)) && known.open(known.place(at)) > 0)
            .collect();
        let (used, total) = match verdict {
            Verdict::Revealed => (Vec::new(), false),
            Verdict::Safe | Verdict::Goose => self.prove(index, chance, numbers, budget)?,
            Verdict::BestGuess | Verdict::Risky => {
                let near = self.around(index);
                (numbers.into_iter().filter(|number| near.contains(number)).collect(), true)
            }
        };
        let reasons = used.into_iter().map(|number| Witness {
            number,
            value: self.fields()[number],
            hidden: self.around(number).into_iter().filter(|&at| self.fields()[at] == Self::UNKNOWN).collect(),
        });
        Ok(Explanation { verdict, chance, reasons: reasons.collect(), total, best })
    }

    fn around(&self, index: usize) -> Vec<usize> {
        let mut around = Vec::with_capacity(8);
        super::fields::each_neighbour(self.height(), self.width(), index, |at| around.push(at));
        around
    }

    /// Finds numbers that prove a field to be certain and of which none can be left out, and whether the total is needed:
    /// leaves them out one by one, the farthest first, and keeps those without which the proof fails.
    fn prove(
        &self,
        index: usize,
        chance: f64,
        mut numbers: Vec<usize>,
        budget: &mut Budget<'_>,
    ) -> Result<(Vec<usize>, bool), Error> {
        let all = numbers.clone();
        let (row, col) = (index / self.width(), index % self.width());
        numbers.sort_by_key(|&at| (at / self.width()).abs_diff(row).max((at % self.width()).abs_diff(col)));
        let mut engine = Engine::default();
        let mut proves = |kept: &[usize], total: bool, budget: &mut Budget<'_>| -> Result<bool, Error> {
            engine.known.set(self);
            for &number in all.iter().filter(|number| !kept.contains(number)) {
                let at = engine.known.place(number);
                engine.known.forget_number(at);
            }
            engine.known.deduce()?;
            engine.count(total, budget)?;
            Ok(engine.chance(engine.known.place(index)) == chance)
        };
        // The nearest numbers that are enough, by doubling; then one by one.
        let total = !proves(&numbers, false, budget)?;
        let mut enough = 1;
        while enough < numbers.len() && !proves(&numbers[..enough], total, budget)? {
            enough *= 2;
        }
        numbers.truncate(enough);
        let mut i = numbers.len();
        while i > 0 {
            i -= 1;
            let without: Vec<usize> = numbers.iter().copied().filter(|&number| number != numbers[i]).collect();
            if proves(&without, total, budget)? {
                numbers = without;
            }
        }
        numbers.sort_unstable();
        Ok((numbers, total))
    }
}
