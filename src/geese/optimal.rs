//! Perfect play on small boards: the policy that wins most often, found by a search over all sets of boards between
//! which a player may have to decide.
//!
//! What a player knows is the set of boards that agree with the numbers seen. Showing a field that has a goose on none
//! of these boards carries no risk, so all such fields are shown at once. A policy can depend only on what the player
//! knows, so the number of boards on which it wins is a sum over the numbers that the next field may show:
//!
//! ```text
//! 1 x 3, one goose: the boards are x.. .x. ..x. The left field has a goose on one board, and shows 1 on .x. and 0 on
//! ..x: each number leaves one board, which is won. So 2 of 3 are won. The middle field shows 1 on both x.. and ..x,
//! between which the player has to guess: 1 of 3 is won.
//! ```

use crate::core::grid::{image, symmetries};
use crate::core::hash::Map;
use crate::core::{Budget, Error, memory, pieces};

/// The largest number of fields of a board. A view, what the player sees of a board, takes four bits per field in a
/// word of 128 bits, and a board takes one bit per field in a word of 32. The limit is set by the length of the list of
/// all boards.
pub const MAX_FIELDS: usize = 25;

/// The code of a hidden field in a view; shown fields have their numbers, 0 to 8.
const HIDDEN: u128 = 15;

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`].
const BOARDS: &str = "the boards of perfect play";

/// The search for perfect play on boards of one size.
struct Search {
    /// The neighbors of each field, one bit per field.
    near: Vec<u32>,
    /// For each symmetry of the board, the image of each field.
    images: Vec<Vec<usize>>,
    /// By view: how many boards perfect play wins. All images of a view share one entry, because [`Search::view`]
    /// returns the smallest of them.
    won: Map<u128, u32>,
}

impl Search {
    fn new(height: usize, width: usize) -> Self {
        let fields = height * width;
        let beside = |one: usize, other: usize| {
            one != other && (one / width).abs_diff(other / width) <= 1 && (one % width).abs_diff(other % width) <= 1
        };
        let near = (0..fields)
            .map(|one| (0..fields).filter(|&other| beside(one, other)).fold(0, |set, other| set | 1 << other))
            .collect();
        let images = (0..symmetries(height, width))
            .map(|symmetry| (0..fields).map(|field| image(height, width, symmetry, field)).collect())
            .collect();
        Self { near, images, won: Map::default() }
    }

    /// Returns the number of geese around a field of a board.
    fn number(&self, board: u32, field: usize) -> u32 {
        (board & self.near[field]).count_ones()
    }

    /// Returns the view of a board on which the fields in `shown` are shown; of all images of the view under the
    /// symmetries of the board, returns the smallest.
    fn view(&self, board: u32, shown: u32) -> u128 {
        let mut views = [0u128; 8];
        for field in 0..self.near.len() {
            let code = if shown >> field & 1 == 0 { HIDDEN } else { u128::from(self.number(board, field)) };
            for (view, image) in views.iter_mut().zip(&self.images) {
                *view |= code << (4 * image[field]);
            }
        }
        views[..self.images.len()].iter().copied().fold(u128::MAX, u128::min)
    }

    /// Returns how many of `boards` perfect play wins. `boards` must be all boards that agree with the numbers of the
    /// fields in `shown`. The order of `boards` changes.
    fn wins(&mut self, boards: &mut [u32], mut shown: u32, budget: &mut Budget<'_>) -> Result<u32, Error> {
        budget.spend(1)?;
        if boards.len() == 1 {
            return Ok(1);
        }
        let all = (1u32 << self.near.len()) - 1;
        let geese = boards.iter().fold(0, |set, board| set | board);
        let safe = all & !geese & !shown;
        if safe != 0 {
            shown |= safe;
            // All safe fields are shown; together, their numbers split the boards.
            let seen = |board: u32| {
                let mut rest = safe;
                let mut seen = 0u128;
                while rest != 0 {
                    seen = seen << 4 | u128::from(self.number(board, rest.trailing_zeros() as usize));
                    rest &= rest - 1;
                }
                seen
            };
            memory::probe(boards.len() * size_of::<(u128, usize)>(), BOARDS)?; // for the keys of the sort
            boards.sort_by_cached_key(|&board| seen(board));
            let sizes: Vec<usize> = boards.chunk_by(|&one, &two| seen(one) == seen(two)).map(<[u32]>::len).collect();
            let (mut sum, mut rest) = (0, boards);
            for size in sizes {
                let (part, others) = rest.split_at_mut(size);
                sum += self.wins(part, shown, budget)?;
                rest = others;
            }
            return Ok(sum);
        }
        // No field is safe, so the player has to guess; with two boards left, a guess wins one of them.
        if boards.len() == 2 {
            return Ok(1);
        }
        let view = self.view(boards[0], shown);
        if let Some(&won) = self.won.get(&view) {
            return Ok(won);
        }
        let mut candidates: Vec<(u32, usize)> = (0..self.near.len())
            .filter(|&field| shown >> field & 1 == 0)
            .map(|field| (boards.iter().filter(|&board| board >> field & 1 == 0).count() as u32, field))
            .collect();
        candidates.sort_unstable_by(|one, two| two.cmp(one));
        let mut best = 0;
        for (survived, field) in candidates {
            // Prune: only boards on which the field has no goose can be won, and no later candidate has more of them
            // than this one.
            if survived <= best {
                break;
            }
            best = best.max(self.wins_with(boards, shown, field, best, budget)?);
        }
        memory::slot(&mut self.won, "the positions of perfect play")?;
        self.won.insert(view, best);
        Ok(best)
    }

    /// Returns how many boards are won if `field` is shown next. If this number is at most `enough`, any number up to
    /// `enough` may be returned instead. The order of `boards` changes.
    fn wins_with(
        &mut self,
        boards: &mut [u32],
        shown: u32,
        field: usize,
        enough: u32,
        budget: &mut Budget<'_>,
    ) -> Result<u32, Error> {
        let near = self.near[field];
        let seen = |board: u32| if board >> field & 1 != 0 { 9 } else { (board & near).count_ones() };
        boards.sort_unstable_by_key(|&board| seen(board));
        let alive = boards.partition_point(|&board| seen(board) < 9);
        let mut rest = &mut boards[..alive];
        let mut sum = 0;
        while let Some(&first) = rest.first() {
            // Prune: even if all boards that are left are won, the sum does not exceed `enough`.
            if sum + rest.len() as u32 <= enough {
                return Ok(sum);
            }
            let size = rest.partition_point(|&board| seen(board) <= seen(first));
            let (part, others) = rest.split_at_mut(size);
            sum += self.wins(part, shown | 1 << field, budget)?;
            rest = others;
        }
        Ok(sum)
    }
}

/// Returns how many of all boards perfect play wins if a given field is shown first.
///
/// * `height`, `width`: the size of the boards, 1 to [`MAX_FIELDS`] fields
/// * `geese`: the number of geese, at most the number of fields
/// * `field`: the row-major index of the first field to show
/// * `budget`: counts positions
///
/// # Errors
/// Returns [`Error::Invalid`] if an argument is out of range, [`Error::Limit`] or [`Error::Interrupted`] if the budget
/// ends the search, and [`Error::Memory`] if memory cannot hold the positions searched.
pub fn wins(height: usize, width: usize, geese: usize, field: usize, budget: &mut Budget<'_>) -> Result<u32, Error> {
    let all = height.saturating_mul(width);
    if all == 0 || all > MAX_FIELDS {
        return Err(Error::Invalid(format!(
            "height * width must be between 1 and {MAX_FIELDS}, got {height} * {width}"
        )));
    }
    if geese > all {
        return Err(Error::Invalid(format!("geese must be between 0 and {all}, got {geese}")));
    }
    if field >= all {
        return Err(Error::Invalid(format!("field must be between 0 and {}, got {field}", all - 1)));
    }
    let mut boards = Vec::new();
    for piece in pieces(1 << all) {
        budget.pause()?;
        memory::room(&mut boards, piece.len(), BOARDS)?;
        boards.extend(piece.map(|board| board as u32).filter(|board| board.count_ones() as usize == geese));
    }
    Search::new(height, width).wins_with(&mut boards, 0, field, 0, budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perfect_play_wins_as_many_boards_as_published() {
        // https://codegolf.stackexchange.com/questions/34276: 961 of 1820, if the field beside a corner is shown first.
        let won = [0, 1, 5].map(|field| wins(4, 4, 4, field, &mut Budget::unlimited()).unwrap());
        assert_eq!(won, [949, 961, 914]);
        assert_eq!([0, 1].map(|field| wins(1, 3, 1, field, &mut Budget::unlimited()).unwrap()), [2, 1]);
    }

    #[test]
    fn arguments_out_of_range_are_refused() {
        let huge = usize::MAX / 2 + 2;
        for (height, width, geese, field) in [(5, 6, 1, 0), (2, 2, 5, 0), (2, 2, 1, 4), (0, 3, 0, 0), (huge, 2, 1, 0)] {
            assert!(wins(height, width, geese, field, &mut Budget::unlimited()).is_err());
        }
    }
}
