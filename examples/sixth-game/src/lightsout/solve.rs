//! The fewest presses: linear algebra over the field of two elements.
//!
//! Once the presses of the first row are chosen, all others follow row by row: if the presses of a row are known, only
//! presses in the row below can still put out its lights. So every press is the sum of a constant and some of the `w`
//! presses of the first row. The row below the last one must not be pressed: `w` equations for `w` unknowns.
//!
//! ```text
//! # .   x      y        unknown presses of the first row
//! . .   1+x+y  x+y      what they force below: the sum of each light, its own press and those beside it and above it
//!       1+x    1+y      what the row below the last one would need: both 0, so x = y = 1
//! ```
//!
//! Every solution is the sum of one fixed solution and any of `d` quiet sets. A quiet set is a set of presses that
//! together change nothing. There are `2^d` such sums, and the shortest solution is found by looking at all of them, in
//! an order in which each differs from the previous one by a single quiet set.

use super::LightsOut;
use crate::core::{Budget, Cell, Error, Game, memory, pieces};

/// Why a field is pressed, from the easiest rule to the hardest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// One press puts out all lights.
    Last,
    /// Once the presses of the rows above are known, only this press can put out the light above the field.
    Chase,
    /// Every solution presses the field, by the equations of the whole board.
    Algebra,
    /// Some solutions do not press the field; the shortest one does.
    Choice,
}

impl Rule {
    /// All variants, from the easiest to the hardest.
    pub const ALL: [Self; 4] = [Self::Last, Self::Chase, Self::Algebra, Self::Choice];

    /// Returns the name that Python shows.
    pub fn name(self) -> &'static str {
        match self {
            Self::Last => "last",
            Self::Chase => "chase",
            Self::Algebra => "algebra",
            Self::Choice => "choice",
        }
    }
}

/// The shortest solution of a board, and what all solutions have in common.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The fields to press, in row-major order.
    pub presses: Vec<[i32; 2]>,
    /// Whether each field is pressed in some solutions but not in others, in row-major order.
    pub optional: Vec<bool>,
}

impl Solution {
    /// Returns the grade from 1 to 5, which follows from the number of presses.
    pub fn grade(&self) -> u8 {
        1 + MAX_PRESSES.iter().filter(|&&most| self.presses.len() > most).count() as u8
    }

    /// Returns, for each press, the easiest rule that justifies it after the presses before it.
    pub fn rules(&self) -> Vec<Rule> {
        let rule = |(index, &[row, col]): (usize, &[i32; 2])| {
            if index + 1 == self.presses.len() {
                Rule::Last
            } else if row > 0 {
                Rule::Chase
            } else if self.optional[col as usize] {
                Rule::Choice
            } else {
                Rule::Algebra
            }
        };
        self.presses.iter().enumerate().map(rule).collect()
    }
}

/// The maximum number of presses of each grade from 1 to 4.
pub(super) const MAX_PRESSES: [usize; 4] = [2, 4, 7, 10];

/// The maximum number of quiet sets whose sums are all compared: 2^40 sums take a computer many hours.
const MAX_QUIET: usize = 40;

/// What a set or a list of presses is called in errors about memory.
const PRESSES: &str = "the presses of a board of this size";

/// A set of small numbers, or a sum of unknowns: one bit per number or unknown.
type Bits = Vec<u64>;

fn bit(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 == 1
}

fn flip(bits: &mut [u64], at: usize) {
    bits[at / 64] ^= 1 << (at % 64);
}

fn add(to: &mut [u64], from: &[u64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to ^= from;
    }
}

/// A board with its shorter side as its width, so that there are few unknowns.
struct Upright<'a> {
    game: &'a LightsOut,
    turned: bool,
    height: usize,
    width: usize,
}

impl<'a> Upright<'a> {
    fn new(game: &'a LightsOut) -> Self {
        let (height, width) = (game.height(), game.width());
        let turned = width > height;
        let (height, width) = if turned { (width, height) } else { (height, width) };
        Self { game, turned, height, width }
    }

    /// Returns the cell of the game's board that corresponds to a cell of the upright board.
    fn cell(&self, row: usize, col: usize) -> [i32; 2] {
        if self.turned { [col as i32, row as i32] } else { [row as i32, col as i32] }
    }

    fn is_light(&self, row: usize, col: usize) -> bool {
        let [row, col] = self.cell(row, col);
        self.game.light[Cell::new(row, col)] == 1
    }

    /// Returns the presses that the row below the last one would need, one sum per column; bit `width` is its constant.
    fn equations(&self, budget: &mut Budget<'_>) -> Result<Vec<Bits>, Error> {
        let (width, words) = (self.width, self.width / 64 + 1);
        // Two rows of sums, and the quiet sets that follow from them, which take at most as much memory as one row.
        memory::probe(3 * width * words * size_of::<u64>(), "the equations of a board of this size")?;
        let mut above = vec![vec![0; words]; width];
        let mut row: Vec<Bits> = above.clone();
        for (col, sum) in row.iter_mut().enumerate() {
            flip(sum, col);
        }
        for index in 0..self.height {
            // The sums of the row above are no longer needed: those of the row below take their place.
            for col in 0..width {
                add(&mut above[col], &row[col]);
                if col > 0 {
                    add(&mut above[col], &row[col - 1]);
                }
                if col + 1 < width {
                    add(&mut above[col], &row[col + 1]);
                }
                if self.is_light(index, col) {
                    flip(&mut above[col], width);
                }
            }
            std::mem::swap(&mut above, &mut row);
            budget.spend((width * words) as u64)?;
        }
        Ok(row)
    }

    /// Returns the presses of the whole board that follow from those of the first row, as a set of row-major indices of
    /// the game's board. If `lit` is false, all fields are taken to be dark.
    fn spread(&self, first: &[u64], lit: bool, budget: &mut Budget<'_>) -> Result<Bits, Error> {
        let (width, board_width) = (self.width, self.game.width());
        let mut found = memory::filled(0, (self.height * width).div_ceil(64), PRESSES)?;
        let mut above = vec![false; width];
        let mut row: Vec<bool> = (0..width).map(|col| bit(first, col)).collect();
        for index in 0..self.height {
            for col in 0..width {
                let beside = (col > 0 && row[col - 1]) ^ (col + 1 < width && row[col + 1]);
                above[col] ^= row[col] ^ beside ^ (lit && self.is_light(index, col));
                if row[col] {
                    let [row, col] = self.cell(index, col);
                    flip(&mut found, row as usize * board_width + col as usize);
                }
            }
            std::mem::swap(&mut above, &mut row);
            budget.spend(width as u64)?;
        }
        Ok(found)
    }
}

/// Solves equations by elimination. Returns values of the unknowns and the sets of unknowns that can be flipped
/// together, or `None` if the equations contradict each other.
fn eliminate(
    mut sums: Vec<Bits>,
    unknowns: usize,
    budget: &mut Budget<'_>,
) -> Result<Option<(Bits, Vec<Bits>)>, Error> {
    let words = unknowns / 64 + 1;
    // The unknowns that the first equations determine, one each.
    let mut pivots: Vec<usize> = Vec::new();
    let mut free = Vec::new();
    for unknown in 0..unknowns {
        let done = pivots.len();
        let Some(found) = (done..sums.len()).find(|&index| bit(&sums[index], unknown)) else {
            free.push(unknown);
            continue;
        };
        sums.swap(done, found);
        let pivot = sums[done].clone();
        for (index, sum) in sums.iter_mut().enumerate() {
            if index != done && bit(sum, unknown) {
                add(sum, &pivot);
            }
        }
        pivots.push(unknown);
        budget.spend((unknowns * words) as u64)?;
    }
    // All that is left of an equation without unknowns is its constant, which must be 0.
    if sums[pivots.len()..].iter().any(|sum| bit(sum, unknowns)) {
        return Ok(None);
    }
    let mut values = vec![0; words];
    for (sum, &pivot) in sums.iter().zip(&pivots) {
        if bit(sum, unknowns) {
            flip(&mut values, pivot);
        }
    }
    let quiet = free.iter().map(|&unknown| {
        let mut set = vec![0; words];
        flip(&mut set, unknown);
        for (sum, &pivot) in sums.iter().zip(&pivots) {
            if bit(sum, unknown) {
                flip(&mut set, pivot);
            }
        }
        set
    });
    Ok(Some((values, quiet.collect())))
}

/// Returns the smallest sum of `start` and any of the quiet sets; of equally small sums, the one that compares least.
fn fewest(start: Bits, quiet: &[Bits], budget: &mut Budget<'_>) -> Result<Bits, Error> {
    let size = |set: &[u64]| set.iter().map(|word| word.count_ones()).sum::<u32>();
    memory::probe(size_of_val(&start[..]), PRESSES)?;
    let mut best = (size(&start), start.clone());
    let mut set = start;
    for step in 1..1u64 << quiet.len() {
        // Gray code: the number of trailing zeros is the index of the one set by which consecutive sums differ.
        add(&mut set, &quiet[step.trailing_zeros() as usize]);
        let here = size(&set);
        if here < best.0 || here == best.0 && set < best.1 {
            best.0 = here;
            best.1.clone_from(&set);
        }
        budget.spend(set.len() as u64)?;
    }
    Ok(best.1)
}

impl LightsOut {
    /// Returns the fewest presses that put out all lights, or `None` if it is proved that no presses do.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, in words of 64 bits, ends the search,
    /// [`Error::Limit`] if there are more than 2^40 solutions, and [`Error::Memory`] if memory cannot hold the
    /// equations or the presses.
    ///
    /// # Complexity
    /// About `5 n w / 64` steps to set up the equations of a board of `n` fields with the shorter side `w`, `w^3 / 64`
    /// to solve them, and `2^d n / 64` to compare `2^d` solutions; `d` is 0 on most boards, 4 on 4 x 4, 32 on 39 x 39.
    pub fn solve(&self, budget: &mut Budget<'_>) -> Result<Option<Solution>, Error> {
        let upright = Upright::new(self);
        let equations = upright.equations(budget)?;
        let Some((first, quiet)) = eliminate(equations, upright.width, budget)? else { return Ok(None) };
        if quiet.len() > MAX_QUIET {
            let solutions = format!("2^{} solutions", quiet.len());
            return Err(Error::Limit(format!(
                "the fewest presses are not proved: {solutions} are too many to compare"
            )));
        }
        let start = upright.spread(&first, true, budget)?;
        let quiet = quiet.iter().map(|set| upright.spread(set, false, budget)).collect::<Result<Vec<_>, _>>()?;
        let best = fewest(start, &quiet, budget)?;
        let (fields, width) = (self.height() * self.width(), self.width());
        let count = best.iter().map(|word| word.count_ones() as usize).sum();
        let mut presses = memory::with_capacity(count, PRESSES)?;
        for piece in pieces(fields) {
            budget.pause()?;
            let pressed = piece.filter(|&index| bit(&best, index));
            presses.extend(pressed.map(|index| [(index / width) as i32, (index % width) as i32]));
        }
        let varies = |index: usize| quiet.iter().any(|set| bit(set, index));
        let optional = memory::watched(fields, varies, "the fields of a board of this size", budget)?;
        Ok(Some(Solution { presses, optional }))
    }
}
