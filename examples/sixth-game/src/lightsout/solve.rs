//! Finds the fewest presses by linear algebra over the finite field of two elements.
//!
//! Once the presses of the first row are chosen, all other presses follow row by row: after the presses of a row are
//! settled, only the field below a light can put out that light. So every press is a constant plus the sum of some of
//! the `w` presses of the first row, where `w` is the width. The row below the last row does not exist and must not be
//! pressed, which yields `w` equations for `w` unknowns.
//!
//! ```text
//! # .   x      y        unknown presses of the first row
//! . .   1+x+y  x+y      forced presses: the value of the field above plus the presses on, next to and above that field
//!       1+x    1+y      presses that the missing third row would need: both must be 0, so x = y = 1
//! ```
//!
//! A quiet set is a set of presses that together change nothing. Every solution is the sum of one fixed solution and
//! some of `d` independent quiet sets. The solver finds the shortest solution by comparing all `2^d` sums, in an order
//! in which each sum differs from the previous sum by one quiet set.

use super::LightsOut;
use crate::core::{Budget, Cell, Error, Game, memory, pieces};

/// The reason why a field is pressed, from the easiest rule to the hardest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// One press puts out all lights.
    Last,
    /// The presses of all rows above are settled, so only this press can still change the light directly above it.
    Chase,
    /// By the equations of the whole board, every solution presses the field.
    Algebra,
    /// Some solutions do not press the field, but the solution that `solve` returns does.
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

/// A shortest solution of a board, and the fields on which solutions differ.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The fields to press, in row-major order.
    pub presses: Vec<[i32; 2]>,
    /// For each field, row-major, whether it is pressed in some solutions but not in others.
    pub optional: Vec<bool>,
}

impl Solution {
    /// Returns the grade from 1 to 5, which follows from the number of presses.
    pub fn grade(&self) -> u8 {
        1 + MAX_PRESSES.iter().filter(|&&most| self.presses.len() > most).count() as u8
    }

    /// Returns, for each press, the easiest rule that justifies it once all earlier presses are made.
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

/// The maximum number of presses of each of the grades 1 to 4.
pub(super) const MAX_PRESSES: [usize; 4] = [2, 4, 7, 10];

/// The maximum number of quiet sets for which all sums are compared; comparing 2^40 sums takes many hours.
const MAX_QUIET: usize = 40;

/// The description of a set or list of presses in errors about memory.
const PRESSES: &str = "the presses of a board of this size";

/// A set of small numbers with one bit per number, or a sum with one bit per unknown and one bit for the constant.
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

/// A board, transposed if it is wider than tall: the width is the number of unknowns, which should be small.
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

    /// Returns the presses that the row below the last row would need, one sum per column; bit `width` of a sum is its
    /// constant.
    fn equations(&self, budget: &mut Budget<'_>) -> Result<Vec<Bits>, Error> {
        let (width, words) = (self.width, self.width / 64 + 1);
        // There are two rows of sums. The quiet sets, which are computed later, take at most as much memory as one row.
        memory::probe(3 * width * words * size_of::<u64>(), "the equations of a board of this size")?;
        let mut above = vec![vec![0; words]; width];
        let mut row: Vec<Bits> = above.clone();
        for (col, sum) in row.iter_mut().enumerate() {
            flip(sum, col);
        }
        for index in 0..self.height {
            // The presses of the row above are one term of those of the row below, which are computed in their place.
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

    /// Returns the presses of the whole board that follow from the presses of the first row, as a set of row-major
    /// indices of the board. If `lit` is `false`, all fields are taken to be dark.
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

/// Solves equations by elimination. Returns one solution, and independent sets of unknowns such that flipping a whole
/// set turns one solution into another; returns `None` if the equations contradict each other.
fn eliminate(
    mut sums: Vec<Bits>,
    unknowns: usize,
    budget: &mut Budget<'_>,
) -> Result<Option<(Bits, Vec<Bits>)>, Error> {
    let words = unknowns / 64 + 1;
    // For each equation processed so far, the unknown that it determines.
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
    // The remaining equations have no unknowns left: each states that its constant is 0.
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

/// Returns the smallest set that is the sum of `start` and some of the quiet sets. If several sets are equally small,
/// returns the set whose words come first in lexicographic order.
fn fewest(start: Bits, quiet: &[Bits], budget: &mut Budget<'_>) -> Result<Bits, Error> {
    let size = |set: &[u64]| set.iter().map(|word| word.count_ones()).sum::<u32>();
    memory::probe(size_of_val(&start[..]), PRESSES)?;
    let mut best = (size(&start), start.clone());
    let mut set = start;
    for step in 1..1u64 << quiet.len() {
        // Gray code: consecutive sums differ by one quiet set, whose index is the number of trailing zeros of the step.
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
    /// Finds the fewest presses that put out all lights; returns `None` if it is proved that there is no solution.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget, in steps of up to 64 bits, ends the search,
    /// [`Error::Limit`] if there are more than 2^40 solutions, and [`Error::Memory`] if memory cannot hold the
    /// equations or the presses.
    ///
    /// # Complexity
    /// About `n w / 64` steps to set up the equations of a board of `n` fields with the shorter side `w`, `w^3 / 64` to
    /// solve the equations, `(d + 1) n` to find the presses that follow from `d + 1` first rows, and `2^d n / 64` to
    /// compare `2^d` solutions. For example, `d` is 0 on 3 x 3 fields, 4 on 4 x 4, and 32 on 39 x 39.
    pub fn solve(&self, budget: &mut Budget<'_>) -> Result<Option<Solution>, Error> {
        let upright = Upright::new(self);
        let equations = upright.equations(budget)?;
        let Some((first, quiet)) = eliminate(equations, upright.width, budget)? else { return Ok(None) };
        if quiet.len() > MAX_QUIET {
            let solutions = format!("2^{} solutions", quiet.len());
            return Err(Error::Limit(format!(
                "cannot prove which solution has the fewest presses: {solutions} are too many to compare"
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
