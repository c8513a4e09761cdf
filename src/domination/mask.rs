//! The mask of legal plays, a bool each, from what a window leaves: vectors, then midpoints, tails and heads.
//!
//! Whether a play is at a right angle to another depends on its vector only, and the vectors from one tail cell to all
//! head cells are a window of `n` by `n` on the `2n - 1` by `2n - 1` vectors: so the mask is mostly copied, a block a tail.

use super::rules::{Ends, Rules, is_point, midpoint, vector};
use crate::tracing::gcd;

/// Writes which of the `n^4` plays are legal after the plays of a window, some of which may lie off the board.
pub(super) fn write(n: usize, rules: Rules, window: impl Iterator<Item = Ends> + Clone, out: &mut [bool]) {
    let (side, block) = (2 * n - 1, n * n);
    let mut fits = vec![true; side * side];
    // Long windows repeat themselves: each midpoint, tail and head is taken once.
    let (mut midpoints, mut tails, mut heads) = (vec![false; side * side], vec![false; block], vec![false; block]);
    let fresh = |seen: &mut [bool], at: usize| !std::mem::replace(&mut seen[at], true);
    for earlier in window.clone() {
        if is_point(earlier) {
            out.fill(false);
            return;
        }
        forbid_right_angles(n, vector(earlier), &mut fits);
    }
    fits[(n - 1) * (side + 1)] = rules == Rules::Uccs2023 && window.clone().next().is_none();
    for (tail, out) in out.chunks_exact_mut(block).enumerate() {
        let (row, col) = (tail / n, tail % n);
        for (out, fits) in out.chunks_exact_mut(n).zip(fits[(n - 1 - row) * side..].chunks(side)) {
            out.copy_from_slice(&fits[n - 1 - col..][..n]);
        }
    }
    let most = n as i32 - 1;
    for earlier in window {
        // The tails whose heads lie across the midpoint; a step to the next tail is a step back of the head.
        let [(row, last_row), (col, last_col)] = midpoint(earlier).map(|sum| ((sum - most).max(0), sum.min(most)));
        if row <= last_row
            && col <= last_col
            && fresh(&mut midpoints, ((row + last_row) as usize) * side + (col + last_col) as usize)
        {
            let (rows, cols) = ((last_row - row + 1) as usize, (last_col - col + 1) as usize);
            let first = (row as usize * n + col as usize) * block + last_row as usize * n + last_col as usize;
            for row in 0..rows {
                let plays = out[first + row * (n * block - n)..].iter_mut().step_by((block - 1).max(1)).take(cols);
                plays.for_each(|legal| *legal = false);
            }
        }
        if rules == Rules::Uccs2023 {
            let cell = |row: i32, col: i32| {
                let on_board = (0..=most).contains(&row) && (0..=most).contains(&col);
                on_board.then_some(row as usize * n + col as usize)
            };
            let [row, col, head_row, head_col] = earlier;
            if let Some(tail) = cell(row, col).filter(|&tail| fresh(&mut tails, tail)) {
                out[tail * block..][..block].fill(false);
            }
            if let Some(head) = cell(head_row, head_col).filter(|&head| fresh(&mut heads, head)) {
                out.chunks_exact_mut(block).for_each(|heads| heads[head] = false);
            }
        }
    }
}

/// Marks the vectors at a right angle to one of some length.
fn forbid_right_angles(n: usize, [a, b]: [i32; 2], fits: &mut [bool]) {
    let (most, side) = (n as i32 - 1, 2 * n as i32 - 1);
    let divisor = gcd(u64::from(a.unsigned_abs()), u64::from(b.unsigned_abs())) as i32;
    let (rows, cols) = (-(b / divisor), a / divisor);
    let (mut row, mut col) = (rows, cols);
    while row.abs() <= most && col.abs() <= most {
        fits[((most + row) * side + most + col) as usize] = false;
        fits[((most - row) * side + most - col) as usize] = false;
        (row, col) = (row + rows, col + cols);
    }
}

#[cfg(test)]
mod tests {
    use crate::core::{Game, Rng};
    use crate::domination::{LinearDomination, Rules, bits};

    /// The mask, the bits and the list say what the rules say of each play.
    #[test]
    fn the_mask_is_the_rules() {
        let seed = 7;
        let mut rng = Rng::new(seed);
        for (_, rules) in Rules::ALL {
            for size in 1..=11usize {
                for lookback in [0, 1, 3, 9] {
                    let mut game = LinearDomination::empty(size, lookback, rules).unwrap();
                    for _ in 0..6 {
                        let mut mask = vec![true; size.pow(4)];
                        game.write_mask(&mut mask);
                        let plain: Vec<bool> =
                            (0..mask.len()).map(|play| game.allows(bits::ends(size, play))).collect();
                        assert_eq!(mask, plain, "seed {seed}: {rules:?}, {}", game.text());
                        mask.fill(true);
                        super::write(size, rules, game.window().map(|(_, ends)| ends), &mut mask);
                        assert_eq!(mask, plain, "seed {seed}: {rules:?}, {}", game.text());
                        if let Some(legal) = game.legal_bits() {
                            let listed: Vec<usize> = (0..mask.len()).filter(|&play| mask[play]).collect();
                            assert_eq!(
                                legal.iter().collect::<Vec<_>>(),
                                listed,
                                "seed {seed}: {rules:?}, {}",
                                game.text()
                            );
                        }
                        // Some of the plays lie partly off the board, some of their midpoints on it.
                        let play = std::array::from_fn(|_| rng.below(size as u64 + 3) as i32 - 1);
                        game.draw(play);
                    }
                }
            }
        }
    }
}
