//! Generates boards by random presses on a dark board, so that every board has a solution.

use super::LightsOut;
use super::solve::MAX_PRESSES;
use crate::core::text::check_size;
use crate::core::{Budget, Error, Game, Rng, memory};

/// The number of boards tried before the search for a grade ends.
const TRIES: u64 = 2000;

/// The most presses used to make a board of grade 5: further presses would make the solution longer, but not harder.
const FIENDISH: usize = 16;

/// Generates a board with a solution and at least one light: drawn uniformly if `grade` is `None`, otherwise of that
/// grade, from 1 to 5.
///
/// The board has `height` rows and `width` columns. Equal arguments and seeds return equal boards. The `budget` limits
/// the work.
///
/// # Errors
/// Returns [`Error::Invalid`] for a size that no board can have or a grade that is not between 1 and 5,
/// [`Error::Memory`] if the board does not fit into memory, [`Error::NotFound`] if no board of the grade is found,
/// [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the search, and, if a grade is given, the errors of
/// [`LightsOut::solve`].
pub fn generate(
    height: usize,
    width: usize,
    grade: Option<u8>,
    seed: u64,
    budget: &mut Budget<'_>,
) -> Result<LightsOut, Error> {
    check_size(height, width)?;
    if let Some(grade) = grade.filter(|grade| !(1..=5).contains(grade)) {
        return Err(Error::Invalid(format!("difficulty must be between 1 and 5, got {grade}")));
    }
    let every = (0..height as i32).flat_map(|row| (0..width as i32).map(move |col| [row, col]));
    let mut fields: Vec<[i32; 2]> = memory::collected(height * width, every, "the fields of a board of this size")?;
    for index in 0.. {
        let mut rng = Rng::stream(seed, index);
        let mut game = LightsOut::blank(height, width)?;
        let Some(grade) = grade else {
            for chunk in fields.chunks(width) {
                for &field in chunk.iter().filter(|_| rng.chance(0.5)) {
                    game.apply(field);
                }
                budget.spend(width as u64)?;
            }
            if game.count > 0 {
                return Ok(game);
            }
            continue;
        };
        if index == TRIES {
            break;
        }
        let (least, most) = (grade as usize - 1, grade as usize);
        let least = if least == 0 { 1 } else { MAX_PRESSES[least - 1] + 1 };
        let most = MAX_PRESSES.get(most - 1).copied().unwrap_or(FIENDISH).min(fields.len());
        if least <= most {
            let presses = least + rng.index(most - least + 1);
            for at in 0..presses {
                let other = at + rng.index(fields.len() - at);
                fields.swap(at, other);
                game.apply(fields[at]);
            }
            // The grade may be lower, because another solution may have fewer presses.
            if game.count > 0 && game.solve(budget)?.is_some_and(|found| found.grade() == grade) {
                return Ok(game);
            }
        }
    }
    Err(Error::NotFound(format!(
        "no {height} x {width} board of grade {} found in {TRIES} tries",
        grade.unwrap_or_default()
    )))
}
