//! The exact value of games on small boards, between perfect players and between random ones.
//!
//! What the rest of a game is worth depends on who owns each cell, on the plays that the rules still look back at, and
//! on how many plays are left. Positions that are images of each other under the symmetries of the square share one
//! entry of the table, and so do positions whose recent plays forbid the same plays: under all rule sets except
//! [`Rules::Uccs2023`], a play and its reverse forbid the same plays.
//!
//! ```text
//! 2 x 2, lookback 1, 2 plays left: X has drawn the upper row, and O may not draw a column (perpendicular) or the upper
//! row. The mirror image, X in the lower row, shares the entry; so does X in either column, by a quarter turn.
//! ```

use super::rules::{self, Ends, Rules};
use crate::core::grid::image;
use crate::core::hash::Map;
use crate::core::{Budget, Error, memory};
use crate::tracing;

/// The largest size of a board: a set of cells fits in 16 bits, a set of plays in 256.
pub const LARGEST: usize = 4;
/// The largest number of plays of a game. No more plays than that can be looked back at, so the window (the plays that
/// the rules look back at) fits in eight bytes.
pub const MAX_PLIES: u32 = 8;

/// A set of plays, one bit per play.
type Plays = [u64; 4];

/// All plays that cross the same cells and forbid the same plays.
#[derive(Clone, Copy, Debug)]
struct Line {
    cells: u16,
    /// The index in `Solver::forbids` of the set of plays that each of these plays forbids.
    class: u8,
    /// The number of these plays.
    plays: u32,
    /// The lowest index among these plays; the play with that index stands for all of them.
    first: u8,
}

/// A position without the number of plays left: the cells of the player to move, those of the other player, and the
/// classes of the plays of the window, one per byte, the newest in the lowest byte; 0 stands for no play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Place {
    own: u16,
    other: u16,
    window: u64,
}

/// What the search needs for one size, rule set and lookback.
struct Solver {
    lookback: u32,
    /// The plays that are legal on an empty board.
    first: Plays,
    lines: Vec<Line>,
    /// The plays that each class forbids; class 0 forbids none.
    forbids: Vec<Plays>,
    /// The images of sets of cells and of classes under each symmetry of the square except the identity.
    symmetries: Vec<(Vec<u16>, Vec<u8>)>,
    /// The lower and upper bounds on the value of a place between perfect players, per number of plays left.
    bounds: Vec<Map<Place, (i8, i8)>>,
    /// The mean value of a place between random players, per number of plays left.
    means: Vec<Map<Place, f64>>,
}

/// Returns whether a play is in a set.
fn has(set: &Plays, play: usize) -> bool {
    set[play >> 6] >> (play & 63) & 1 != 0
}

/// Completes the sentence "not enough memory for ..." of an [`Error::Memory`].
const VALUES: &str = "the values of the positions";

impl Solver {
    fn new(size: usize, lookback: u32, rules: Rules) -> Self {
        let cells = size * size;
        let ends = |play: usize| -> Ends {
            let (tail, head) = (play / cells, play % cells);
            [tail / size, tail % size, head / size, head % size].map(|part| part as i32)
        };
        let plays = cells * cells;
        let mut first = Plays::default();
        let mut prohibitions: Vec<Plays> = Vec::new();
        for play in 0..plays {
            let legal = rules.allows_zero_length() || !rules::is_point(ends(play));
            first[play >> 6] |= u64::from(legal) << (play & 63);
            let mut forbidden = Plays::default();
            for later in (0..plays).filter(|&later| rules::clashes(rules, ends(later), ends(play))) {
                forbidden[later >> 6] |= 1 << (later & 63);
            }
            prohibitions.push(forbidden);
        }
        // At most 242 classes, so that a byte holds one: 240 plays, all plays of zero length together, and class 0.
        let mut forbids = vec![Plays::default()];
        let classes: Vec<u8> = prohibitions
            .iter()
            .map(|set| {
                let known = forbids.iter().position(|other| other == set);
                known.unwrap_or_else(|| {
                    forbids.push(*set);
                    forbids.len() - 1
                }) as u8
            })
            .collect();
        let mut lines: Vec<Line> = Vec::new();
        for play in (0..plays).filter(|&play| has(&first, play)) {
            let [a, b, c, d] = ends(play);
            let mut crossed = 0u16;
            tracing::thin([a, b, c, d], |row, col| crossed |= 1 << (row as usize * size + col as usize));
            // Plays with equal cells that forbid the same plays are also forbidden by the same plays, because
            // `clashes` is symmetric: one line stands for them all.
            match lines.iter_mut().find(|line| (line.cells, line.class) == (crossed, classes[play])) {
                Some(line) => line.plays += 1,
                None => lines.push(Line { cells: crossed, class: classes[play], plays: 1, first: play as u8 }),
            }
        }
        let symmetries = (1..8)
            .map(|symmetry| {
                let mut of_classes = vec![0u8; forbids.len()];
                for play in 0..plays {
                    let other =
                        image(size, size, symmetry, play / cells) * cells + image(size, size, symmetry, play % cells);
                    of_classes[classes[play] as usize] = classes[other];
                }
                let of_cells = (0..1usize << cells)
                    .map(|set| {
                        (0..cells)
                            .filter(|&cell| set >> cell & 1 != 0)
                            .fold(0, |made, cell| made | 1 << image(size, size, symmetry, cell))
                    })
                    .collect();
                (of_cells, of_classes)
            })
            .collect();
        let tables = MAX_PLIES as usize + 1;
        Self {
            lookback: lookback.min(MAX_PLIES),
            first,
            lines,
            forbids,
            symmetries,
            bounds: vec![Map::default(); tables],
            means: vec![Map::default(); tables],
        }
    }

    /// Returns the plays that are legal after the plays of a window.
    fn legal(&self, window: u64) -> Plays {
        let mut legal = self.first;
        let mut rest = window;
        while rest != 0 {
            let forbidden = &self.forbids[(rest & 255) as usize];
            for (word, forbidden) in legal.iter_mut().zip(forbidden) {
                *word &= !forbidden;
            }
            rest >>= 8;
        }
        legal
    }

    /// Returns the place after a line, from the point of view of the other player, whose turn it then is.
    fn after(&self, place: Place, line: Line) -> Place {
        // The newest play enters as the lowest byte; the mask `kept` drops plays older than the lookback.
        let kept = if self.lookback == MAX_PLIES { u64::MAX } else { (1u64 << (8 * self.lookback)) - 1 };
        Place {
            own: place.other & !line.cells,
            other: place.own | line.cells,
            window: (place.window << 8 | u64::from(line.class)) & kept,
        }
    }

    /// Returns the smallest of the eight images of a place, which is its key in the tables.
    fn canonical(&self, place: Place, left: u32) -> Place {
        let mut best = self.sorted(place, left);
        for (cells, classes) in &self.symmetries {
            // A symmetry takes each play of the window to its image, and the class of the play to the class of the
            // image.
            let mut window = place.window;
            for byte in 0..8 {
                let class = classes[(window >> (8 * byte) & 255) as usize];
                window = window & !(255 << (8 * byte)) | u64::from(class) << (8 * byte);
            }
            let other = Place { own: cells[place.own as usize], other: cells[place.other as usize], window };
            best = best.min(self.sorted(other, left));
        }
        best
    }

    /// Sorts the plays that stay in the window until the game ends: their order makes no difference to what is legal.
    fn sorted(&self, place: Place, left: u32) -> Place {
        // The next `lookback - i` plays look back at the play in byte i: it stays if that number is at least `left`. In
        // descending order, the empty bytes (0) remain last.
        let stays = (self.lookback + 1).saturating_sub(left).min(8) as usize;
        let mut bytes = place.window.to_le_bytes();
        bytes[..stays].sort_unstable_by(|one, two| two.cmp(one));
        Place { window: u64::from_le_bytes(bytes), ..place }
    }

    /// Returns the cells of the player to move minus those of the other player after `left` more plays of perfect
    /// players, or fewer if no legal play is left. The result is exact if it lies between `alpha` and `beta`, an upper
    /// bound if it is at most `alpha`, and a lower bound if it is at least `beta`.
    fn value(
        &mut self,
        place: Place,
        left: u32,
        mut alpha: i8,
        beta: i8,
        budget: &mut Budget<'_>,
    ) -> Result<i8, Error> {
        budget.spend(1)?;
        let margin = |place: Place| place.own.count_ones() as i8 - place.other.count_ones() as i8;
        if left == 0 {
            return Ok(margin(place));
        }
        let legal = self.legal(place.window);
        if legal == [0; 4] {
            return Ok(margin(place));
        }
        let may = |line: &Line| has(&legal, line.first as usize);
        if left == 1 {
            // No answer follows, so the largest gain is best: 1 per empty cell, 2 per cell of the other player.
            let gains =
                self.lines.iter().filter(|line| may(line)).map(|line| {
                    ((line.cells & !place.own).count_ones() + (line.cells & place.other).count_ones()) as i8
                });
            return Ok(margin(place) + gains.max().unwrap_or(0));
        }
        let key = self.canonical(place, left);
        if let Some(&(low, high)) = self.bounds[left as usize].get(&key) {
            if low >= beta || low == high {
                return Ok(low);
            }
            if high <= alpha {
                return Ok(high);
            }
        }
        let mut next: Vec<(i8, Place)> = self
            .lines
            .iter()
            .filter(|line| may(line))
            .map(|&line| self.after(place, line))
            .map(|after| (margin(after), after))
            .collect();
        // The margins are those of the other player, so the best plays come first, as alpha-beta pruning needs; places
        // that two lines lead to are searched once.
        next.sort_unstable();
        next.dedup();
        let (start, mut best) = (alpha, i8::MIN);
        for (_, after) in next {
            best = best.max(-self.value(after, left - 1, -beta, -alpha, budget)?);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        memory::slot(&mut self.bounds[left as usize], VALUES)?;
        let bounds = self.bounds[left as usize].entry(key).or_insert((i8::MIN, i8::MAX));
        // A result above the initial `alpha` is a lower bound, and a result below `beta` is an upper bound; a result
        // between the two is exact.
        if best > start {
            bounds.0 = bounds.0.max(best);
        }
        if best < beta {
            bounds.1 = bounds.1.min(best);
        }
        Ok(best)
    }

    /// Returns the mean of the cells of the player to move minus those of the other player after `left` more plays, or
    /// fewer if no legal play is left, if both players choose among the legal plays with equal probability.
    fn mean(&mut self, place: Place, left: u32, budget: &mut Budget<'_>) -> Result<f64, Error> {
        budget.spend(1)?;
        let legal = self.legal(place.window);
        let count: u32 = legal.iter().map(|word| word.count_ones()).sum();
        if left == 0 || count == 0 {
            return Ok(f64::from(place.own.count_ones()) - f64::from(place.other.count_ones()));
        }
        let key = self.canonical(place, left);
        if let Some(&mean) = self.means[left as usize].get(&key) {
            return Ok(mean);
        }
        let mut sum = 0.0;
        // A line counts once for each of its plays. The mean after the line is from the other player's point of view.
        for index in 0..self.lines.len() {
            let line = self.lines[index];
            if has(&legal, line.first as usize) {
                sum -= f64::from(line.plays) * self.mean(self.after(place, line), left - 1, budget)?;
            }
        }
        let mean = sum / f64::from(count);
        memory::slot(&mut self.means[left as usize], VALUES)?;
        self.means[left as usize].insert(key, mean);
        Ok(mean)
    }
}

/// Returns the cells of X minus those of O after `plies` plays from the empty board, or fewer if no legal play is left.
///
/// * `size`: the number of rows and of columns of the board, 1 to [`LARGEST`]
/// * `lookback`: the number of plays that the rules look back at; more than [`MAX_PLIES`] counts as [`MAX_PLIES`]
/// * `rules`: the rule set
/// * `plies`: the number of plays, 0 to [`MAX_PLIES`]
/// * `perfect`: if `true`, the value between perfect players; otherwise the mean between players who choose among the
///   legal plays with equal probability
/// * `budget`: counts visits to positions
///
/// # Errors
/// Returns [`Error::Invalid`] if `size` is not 1 to [`LARGEST`] or `plies` is more than [`MAX_PLIES`],
/// [`Error::Limit`] or [`Error::Interrupted`] if the budget ends the search, and [`Error::Memory`] if memory cannot
/// hold the positions searched.
pub fn exact_margin(
    size: usize,
    lookback: u32,
    rules: Rules,
    plies: u32,
    perfect: bool,
    budget: &mut Budget<'_>,
) -> Result<f64, Error> {
    if !(1..=LARGEST).contains(&size) {
        return Err(Error::Invalid(format!("size must be between 1 and {LARGEST}, got {size}")));
    }
    if plies > MAX_PLIES {
        return Err(Error::Invalid(format!("plies must be between 0 and {MAX_PLIES}, got {plies}")));
    }
    let mut solver = Solver::new(size, lookback, rules);
    let start = Place { own: 0, other: 0, window: 0 };
    if perfect {
        // Not `i8::MIN`, which has no negation in an i8.
        Ok(f64::from(solver.value(start, plies, -i8::MAX, i8::MAX, budget)?))
    } else {
        solver.mean(start, plies, budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domination::LinearDomination;

    #[test]
    fn the_value_of_perfect_play_is_that_of_the_search_without_a_table() {
        for (_, rules) in Rules::ALL {
            for (size, lookback, plies) in [(2, 0, 5), (2, 1, 5), (2, 3, 6), (3, 0, 3), (3, 2, 3), (3, 3, 4), (4, 1, 2)]
            {
                let board = LinearDomination::empty(size, lookback, rules).unwrap();
                let expected = board.solve(plies, &mut Budget::unlimited()).unwrap().margin;
                let found = exact_margin(size, lookback, rules, plies, true, &mut Budget::unlimited()).unwrap();
                assert_eq!(found as i64, expected, "{size} {lookback} {plies} {rules:?}");
            }
        }
    }

    #[test]
    fn the_mean_after_one_play_is_the_mean_number_of_cells_of_all_plays() {
        // The 240 legal plays of a 4 x 4 board cross 776 cells in total.
        let found = exact_margin(4, 3, Rules::Standard, 1, false, &mut Budget::unlimited()).unwrap();
        assert!((found - 776.0 / 240.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn large_boards_and_long_games_are_refused() {
        assert!(exact_margin(5, 3, Rules::Standard, 2, true, &mut Budget::unlimited()).is_err());
        assert!(exact_margin(3, 3, Rules::Standard, 9, true, &mut Budget::unlimited()).is_err());
    }
}
