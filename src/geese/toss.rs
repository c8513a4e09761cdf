//! Tosses: fields that no number can ever distinguish, so that the player has to guess between them sooner or later.
//!
//! # Example
//!
//! The upper left corner of a board, with the border on the left and above; hidden fields are letters:
//!
//! ```text
//! a b g 2
//! 1 3 g 3
//! ```
//!
//! If both fields `g` hold geese, every field that shows a number and is beside one of `a` and `b` is beside the other
//! too, so no number ever tells which of the two holds a goose. On the boards on which both fields `g` hold geese, and
//! so does one of `a` and `b`, half of all games are lost at this toss, whatever is shown before. So showing `a` now
//! adds no risk on these boards: the guess has to be made anyway. A square of four fields with geese in two opposite
//! corners is such a toss too.
//!
//! Source: the idea of crediting guesses with the tosses that they settle comes from the player JSMinesweeper.

use super::fields::GOOSE;
use super::known::{EDGE, UNKNOWN};
use super::play::Player;
use crate::core::{Budget, Error};

/// A pair is skipped if more unknown fields than this are beside only one of its fields: all of them would have to hold
/// geese, which is rare.
const MAX_BESIDE_PAIR: usize = 3;

/// A square of four fields with more unknown fields than this beyond its corners is skipped for the same reason as a
/// pair.
const MAX_BESIDE_SQUARE: usize = 2;

/// Tosses that are rarer than this, by the product of the chances of all geese that they need, are not counted.
const RARE: f64 = 0.003;

impl Player {
    /// Estimates for each place the share of all boards on which showing its field adds no risk, although the field
    /// holds a goose, because a toss loses the game on these boards anyway. Uses the chances that were computed last.
    ///
    /// Half of all games on the boards of a toss are lost. A field of the toss holds a goose on half of the boards: all
    /// of these count. A field beside only one field of the toss holds a goose on all of the boards, or there would be
    /// no toss: half of these boards count.
    ///
    /// # Errors
    /// Returns [`Error::Limit`] or [`Error::Interrupted`] if the budget ends a count, [`Error::Limit`] if a component
    /// is too entangled, and [`Error::Memory`] if memory does not suffice.
    pub(super) fn tosses(&mut self, budget: &mut Budget<'_>) -> Result<Vec<f64>, Error> {
        let places = self.engine.known.cells.len();
        let down = self.engine.known.stride as isize;
        let (mut tosses, mut squares) = (vec![0.0; places], vec![0.0f64; places]);
        let hidden: Vec<usize> = (0..places).filter(|&at| self.engine.known.cells[at] == UNKNOWN).collect();
        for &at in &hidden {
            let step = |by: isize| at.wrapping_add_signed(by);
            for (along, across) in [(1, down), (down, 1)] {
                // The fields beside only one field of the pair: three before the first field, three after the second.
                let beside = [-along, 2 * along].map(|end| [end - across, end, end + across].map(step));
                let toss = Toss { geese: &[at], safe: &[step(along)], beside: beside.as_flattened() };
                if let Some((share, held)) = self.share(&toss, MAX_BESIDE_PAIR, budget)? {
                    held.iter().chain(toss.geese).chain(toss.safe).for_each(|&field| tosses[field] += share);
                }
            }
            // Only the fields beyond the corners of a square are beside a single one of its fields. Any other field
            // beside the square is beside two adjacent fields of the square, which together hold exactly one goose
            // whichever way the toss falls.
            let toss = Toss {
                geese: &[at, step(down + 1)],
                safe: &[step(1), step(down)],
                beside: &[-down - 1, 2 - down, 2 * down - 1, 2 * down + 2].map(step),
            };
            if let Some((share, held)) = self.share(&toss, MAX_BESIDE_SQUARE, budget)? {
                for field in held {
                    tosses[field] += share;
                }
                // Of the squares that a field belongs to, only the likeliest counts.
                toss.geese.iter().chain(toss.safe).for_each(|&field| squares[field] = squares[field].max(share));
            }
        }
        for at in hidden {
            // A board with several tosses was counted once for each. The share of a single toss exceeds neither the
            // chance that a field of the toss holds a goose nor the chance that the field holds none, so each sum is
            // limited to these two chances. For a field beside a toss, which holds a goose, the second limit is only an
            // estimate.
            let chance = self.engine.chance(at);
            tosses[at] = (tosses[at] + squares[at]).min(chance).min(1.0 - chance);
        }
        Ok(tosses)
    }

    /// Returns the share of all boards on which the fields `geese` of a toss and all unknown fields of `beside` hold
    /// geese and the fields `safe` hold none, and a list of these unknown fields. Returns `None` if the fields
    /// cannot form a toss, if the toss is too rare, or if more than `most` fields of `beside` are unknown.
    ///
    /// The other side of the toss, with `geese` and `safe` exchanged, has the same share.
    fn share(
        &mut self,
        toss: &Toss<'_>,
        most: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<(f64, Vec<usize>)>, Error> {
        let engine = &self.engine;
        let cells = &engine.known.cells;
        // The fields of the toss are checked before `beside` is read, because only fields beside unknown fields are
        // certain to lie on the board or its rim.
        if toss.geese.iter().chain(toss.safe).any(|&field| cells[field] != UNKNOWN) {
            return Ok(None);
        }
        let held: Vec<usize> = toss.beside.iter().copied().filter(|&field| cells[field] == UNKNOWN).collect();
        // A field that shows a number, or is safe and can be shown, tells which fields of the toss hold the geese.
        let tells = toss.beside.iter().any(|&field| !matches!(cells[field], UNKNOWN | GOOSE | EDGE));
        // The product of the individual chances is only an estimate, but it avoids the exact count for most candidates.
        let guess: f64 = held.iter().chain(toss.geese).map(|&field| engine.chance(field)).product();
        if tells || held.len() > most || guess < RARE || (held.len() + toss.geese.len()) as i64 > engine.known.geese {
            return Ok(None);
        }
        let probe = &mut self.probe;
        probe.known.clone_from(&engine.known);
        probe.known.found.clear();
        held.iter().chain(toss.geese).for_each(|&field| probe.known.set_goose(field));
        toss.safe.iter().for_each(|&field| probe.known.set_safe(field));
        match probe.known.deduce().map_err(Error::from).and_then(|()| probe.count(true, budget)) {
            Err(Error::NotFound(_)) => Ok(None),
            counted => counted.map(|()| Some(((probe.ln_ways() - engine.ln_ways()).exp(), held))),
        }
    }
}

/// One side of a toss, which is one of the two ways to place its geese. Fields are given by their places.
struct Toss<'a> {
    /// The fields of the toss that hold geese.
    geese: &'a [usize],
    /// The fields of the toss that hold none; on the other side of the toss these hold the geese.
    safe: &'a [usize],
    /// The fields that could distinguish the two sides, so all of them must hold geese or lie off the board.
    beside: &'a [usize],
}

#[cfg(test)]
mod tests {
    use super::super::View;
    use super::super::fields::each_neighbor;
    use super::*;
    use crate::core::Rng;
    use crate::geese::Policy;

    const SIZE: (usize, usize) = (3, 4);
    const CELLS: usize = SIZE.0 * SIZE.1;

    fn around(at: usize) -> u32 {
        let mut around = 0;
        each_neighbor(SIZE.0, SIZE.1, at, |near| around |= 1 << near);
        around
    }

    /// Returns the shares of [`Player::tosses`] from a list of all boards that agree with a view, by the definition of
    /// a toss: all fields that could distinguish its two sides hold geese.
    fn listed(view: &View, boards: &[u32]) -> Vec<f64> {
        let share =
            |of: &dyn Fn(u32) -> bool| boards.iter().filter(|&&board| of(board)).count() as f64 / boards.len() as f64;
        let chance: Vec<f64> = (0..CELLS).map(|at| share(&|board| board >> at & 1 == 1)).collect();
        let unknown = |at: usize| view.fields()[at] == View::UNKNOWN && chance[at] < 1.0;
        let (mut sums, mut squares) = (vec![0.0; CELLS], vec![0.0f64; CELLS]);
        for at in 0..CELLS {
            let (row, col) = (at / SIZE.1, at % SIZE.1);
            let (right, below) = (col + 1 < SIZE.1, row + 1 < SIZE.0);
            let mut tosses = Vec::new();
            if right {
                tosses.push((vec![at], vec![at + 1], 3));
            }
            if below {
                tosses.push((vec![at], vec![at + SIZE.1], 3));
            }
            if right && below {
                tosses.push((vec![at, at + SIZE.1 + 1], vec![at + 1, at + SIZE.1], 2));
            }
            for (geese, safe, most) in tosses {
                let fields = || geese.iter().chain(&safe).copied();
                if !fields().all(unknown) {
                    continue;
                }
                let counts =
                    |sides: &[usize], seen: usize| sides.iter().filter(|&&f| around(seen) >> f & 1 == 1).count();
                let beside: Vec<usize> = (0..CELLS)
                    .filter(|&seen| fields().all(|field| field != seen) && counts(&geese, seen) != counts(&safe, seen))
                    .collect();
                let held: Vec<usize> = beside.iter().copied().filter(|&field| unknown(field)).collect();
                let likely: f64 = held.iter().chain(&geese).map(|&field| chance[field]).product();
                if held.len() > most || likely < RARE {
                    continue;
                }
                let found = share(&|board| {
                    beside.iter().chain(&geese).all(|&field| board >> field & 1 == 1)
                        && safe.iter().all(|&field| board >> field & 1 == 0)
                });
                for &field in &held {
                    sums[field] += found;
                }
                if most == 3 {
                    fields().for_each(|field| sums[field] += found);
                } else {
                    fields().for_each(|field| squares[field] = squares[field].max(found));
                }
            }
        }
        (0..CELLS).map(|at| (sums[at] + squares[at]).min(chance[at]).min(1.0 - chance[at])).collect()
    }

    #[test]
    fn tosses_agree_with_a_list_of_all_boards() {
        let seed = 20266;
        let mut rng = Rng::new(seed);
        let (mut compared, mut found) = (0, 0);
        for _ in 0..400 {
            let geese = 3 + rng.index(4);
            let all: Vec<u32> = (0u32..1 << CELLS).filter(|board| board.count_ones() as usize == geese).collect();
            let secret = *rng.choose(&all);
            let mut view = View::blank(SIZE.0, SIZE.1, geese);
            for _ in 0..=rng.index(4) {
                let at = rng.index(CELLS);
                if secret >> at & 1 == 0 {
                    view.reveal(at, (secret & around(at)).count_ones() as u8);
                }
            }
            let boards: Vec<u32> = all
                .into_iter()
                .filter(|&board| {
                    (0..CELLS).filter(|&at| view.fields()[at] != View::UNKNOWN).all(|at| {
                        board >> at & 1 == 0 && (board & around(at)).count_ones() == u32::from(view.fields()[at])
                    })
                })
                .collect();
            let mut player = Player::new(Policy::Deep);
            player.start(&view);
            if player.certain(&mut Budget::unlimited()).unwrap().is_some() {
                continue;
            }
            let tosses = player.tosses(&mut Budget::unlimited()).unwrap();
            for (at, &share) in listed(&view, &boards).iter().enumerate() {
                let got = tosses[player.engine.known.place(at)];
                assert!((got - share).abs() < 1e-9, "field {at} of {view:?}: expected {share}, got {got}");
                found += usize::from(share > 0.0);
            }
            compared += 1;
        }
        assert!(compared > 100 && found > 300, "{compared} views with {found} fields of tosses");
    }
}
