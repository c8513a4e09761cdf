//! The exact value of games on small boards, between perfect players and between random ones.
//!
//! What the rest of a game is worth depends on whose the cells are, on the plays that the rules still look back at, and
//! on how many plays are left. Positions that are images of each other under the symmetries of the square are one entry
//! of the table, and so are windows whose plays forbid the same: a play and its reverse under most rules.
//!
//! ```text
//! 2 x 2, K = 1, 1 play left: X has drawn the upper row, and O may not draw a column (perpendicular) or the upper row.
//! Its mirror image, X in the lower row, is the same entry; so are the two columns, by a turn.
//! ```

use super::rules::{self, Ends, Rules};
use crate::core::grid::image;
use crate::core::hash::Map;
use crate::core::{Budget, Error};
use crate::tracing;

/// The largest board: a set of cells is 16 bits, a set of plays 256.
pub const LARGEST: usize = 4;
/// The most plays of a game, and the most that the rules look back at: a window is eight bytes.
pub const MOST_PLIES: u32 = 8;

/// A set of plays, one bit per play.
type Plays = [u64; 4];

/// What plays with equal cells and equal prohibitions are here: one line.
#[derive(Clone, Copy, Debug)]
struct Line {
    cells: u16,
    /// The number of the set of plays that it forbids.
    class: u8,
    /// How many plays are this line.
    plays: u32,
    /// The first of these plays.
    first: u8,
}

/// Cells of the player to move, cells of the other one, and the classes of the window, the newest in the lowest byte; 0
/// is no play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Place {
    own: u16,
    other: u16,
    window: u64,
}

/// All that the search needs of a size, a rule set and a lookback.
struct Solver {
    lookback: u32,
    first: Plays,
    lines: Vec<Line>,
    /// The plays that a class forbids; class 0 forbids none.
    forbids: Vec<Plays>,
    /// The images of cells and of classes under each symmetry of the square but the identity.
    symmetries: Vec<(Vec<u16>, Vec<u8>)>,
    /// Lower and upper bound of the value of a place, per number of plays left.
    bounds: Vec<Map<Place, (i8, i8)>>,
    means: Vec<Map<Place, f64>>,
}

fn has(set: &Plays, play: usize) -> bool {
    set[play >> 6] >> (play & 63) & 1 != 0
}

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
            // The same cells and the same prohibitions; it is forbidden by the same lines then, as "clashes" is mutual.
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
        let tables = MOST_PLIES as usize + 1;
        Self {
            lookback: lookback.min(MOST_PLIES),
            first,
            lines,
            forbids,
            symmetries,
            bounds: vec![Map::default(); tables],
            means: vec![Map::default(); tables],
        }
    }

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

    /// Returns the place after a line, as the other player sees it.
    fn after(&self, place: Place, line: Line) -> Place {
        let kept = if self.lookback == MOST_PLIES { u64::MAX } else { (1u64 << (8 * self.lookback)) - 1 };
        Place {
            own: place.other & !line.cells,
            other: place.own | line.cells,
            window: (place.window << 8 | u64::from(line.class)) & kept,
        }
    }

    /// Returns the first of all images of a place.
    fn canonical(&self, place: Place, left: u32) -> Place {
        let mut best = self.sorted(place, left);
        for (cells, classes) in &self.symmetries {
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

    /// Sorts the plays of the window that stay in it to the end, since their order does not matter then.
    fn sorted(&self, place: Place, left: u32) -> Place {
        // The play at byte i is looked back at by the next `lookback - i` plays.
        let stays = (self.lookback + 1).saturating_sub(left).min(8) as usize;
        let mut bytes = place.window.to_le_bytes();
        bytes[..stays].sort_unstable_by(|one, two| two.cmp(one));
        Place { window: u64::from_le_bytes(bytes), ..place }
    }

    /// Returns cells of the player to move minus those of the other after `left` more plays: exact between `alpha` and
    /// `beta`, otherwise a bound on the side where it lies.
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
        let bounds = self.bounds[left as usize].entry(key).or_insert((i8::MIN, i8::MAX));
        if best > start {
            bounds.0 = bounds.0.max(best);
        }
        if best < beta {
            bounds.1 = bounds.1.min(best);
        }
        Ok(best)
    }

    /// Returns the mean of what [`Solver::value`] returns if both players draw each legal play equally often.
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
        for index in 0..self.lines.len() {
            let line = self.lines[index];
            if has(&legal, line.first as usize) {
                sum -= f64::from(line.plays) * self.mean(self.after(place, line), left - 1, budget)?;
            }
        }
        let mean = sum / f64::from(count);
        self.means[left as usize].insert(key, mean);
        Ok(mean)
    }
}

/// Returns the cells of X minus those of O after `plies` plays from the empty board, or fewer if no legal play is left:
/// between perfect players if `perfect`, otherwise the mean between players who draw each legal play equally often.
///
/// # Errors
/// Returns [`Error::Invalid`] if `size` is not 1 to [`LARGEST`] or `plies` is more than [`MOST_PLIES`], and the errors
/// of the budget, which counts positions.
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
    if plies > MOST_PLIES {
        return Err(Error::Invalid(format!("plies must be between 0 and {MOST_PLIES}, got {plies}")));
    }
    let mut solver = Solver::new(size, lookback, rules);
    let start = Place { own: 0, other: 0, window: 0 };
    if perfect {
        // Within one of the bounds of i8 so that they can be negated.
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
    fn perfect_play_is_what_the_search_without_a_table_finds() {
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
    fn the_mean_of_one_play_is_the_mean_of_all_lines() {
        // Of 240 plays of 4 x 4 each crosses as many cells as it has.
        let found = exact_margin(4, 3, Rules::Standard, 1, false, &mut Budget::unlimited()).unwrap();
        assert!((found - 776.0 / 240.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn large_boards_are_refused() {
        assert!(exact_margin(5, 3, Rules::Standard, 2, true, &mut Budget::unlimited()).is_err());
        assert!(exact_margin(3, 3, Rules::Standard, 9, true, &mut Budget::unlimited()).is_err());
    }
}
