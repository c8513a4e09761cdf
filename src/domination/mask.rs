//! The legal-move mask of large boards, from the vectors, midpoints, tails and heads that the window (the plays that
//! the rules look back at) allows.
//!
//! Whether two plays are perpendicular depends on their vectors only, and the vectors from one tail cell to all head
//! cells are a square of `n` x `n` in the table of all `2n - 1` x `2n - 1` vectors. The midpoints form such a square in
//! a table of their own. So the mask of a row of heads is the AND of parts of one row of each table, however many plays
//! the window holds.
//!
//! On a board of 3 x 3 the vectors form a table of 5 x 5. From the tail (0, 2) the head (r, c) has the vector
//! (r, c - 2), in table coordinates (r + 2, c): the square of rows 2 to 4 and columns 0 to 2.

use super::rules::{Ends, Rules, is_point, midpoint, vector};
use crate::tracing::gcd;

/// Writes to `out`, in lexicographic order, whether each of the `n^4` plays is legal after the plays of `window`, some
/// of which may lie off the board.
pub(super) fn write(n: usize, rules: Rules, window: impl Iterator<Item = Ends>, out: &mut [bool]) {
    let (side, block) = (2 * n - 1, n * n);
    let (mut vectors, mut midpoints) = (vec![true; side * side], vec![true; side * side]);
    let (mut tails, mut heads) = (vec![true; block], vec![true; block]);
    let forbid = |cells: &mut [bool], width: usize, [row, col]: [i32; 2]| {
        if (0..width as i32).contains(&row) && (0..width as i32).contains(&col) {
            cells[row as usize * width + col as usize] = false;
        }
    };
    // The middle of the table stands for the zero vector.
    vectors[(n - 1) * (side + 1)] = rules.allows_zero_length();
    for earlier in window {
        // A play of zero length is perpendicular to every play, so no play is legal.
        if is_point(earlier) {
            out.fill(false);
            return;
        }
        forbid_right_angles(n, vector(earlier), &mut vectors);
        forbid(&mut midpoints, side, midpoint(earlier));
        if rules.compares_ends() {
            forbid(&mut tails, n, [earlier[0], earlier[1]]);
            forbid(&mut heads, n, [earlier[2], earlier[3]]);
        }
    }
    for (tail, out) in out.chunks_exact_mut(block).enumerate() {
        // A forbidden tail makes all n^2 plays from it illegal at once.
        if !tails[tail] {
            out.fill(false);
            continue;
        }
        let (row, col) = (tail / n, tail % n);
        for (head_row, (out, heads)) in out.chunks_exact_mut(n).zip(heads.chunks_exact(n)).enumerate() {
            // The head in column 0 has the vector (head_row - row, -col); the vectors of the other heads of the row
            // follow it in the table.
            let vectors = &vectors[(n - 1 - row + head_row) * side + n - 1 - col..][..n];
            let midpoints = &midpoints[(row + head_row) * side + col..][..n];
            for (((out, vector), midpoint), head) in out.iter_mut().zip(vectors).zip(midpoints).zip(heads) {
                // `&` on bools instead of `&&`: without branches, one vector instruction handles many plays.
                *out = vector & midpoint & head;
            }
        }
    }
}

/// Writes the mask of the `n^4` plays as a bitset, least significant bit first.
pub(super) fn write_bits(n: usize, rules: Rules, window: impl Iterator<Item = Ends>, out: &mut [u8]) {
    let mut mask = vec![false; n.pow(4)];
    write(n, rules, window, &mut mask);
    for (byte, plays) in out.iter_mut().zip(mask.chunks(8)) {
        *byte = plays.iter().rev().fold(0, |bits, &legal| bits << 1 | u8::from(legal));
    }
}

/// Clears, in the table `fits` of allowed vectors, the entries of all vectors that are perpendicular to the nonzero
/// vector `(a, b)`; the zero vector is one of them.
fn forbid_right_angles(n: usize, [a, b]: [i32; 2], fits: &mut [bool]) {
    fits[(n - 1) * 2 * n] = false;
    let (most, side) = (n as i32 - 1, 2 * n as i32 - 1);
    let divisor = gcd(u64::from(a.unsigned_abs()), u64::from(b.unsigned_abs())) as i32;
    // The shortest perpendicular vector on the grid; all others are its multiples.
    let (rows, cols) = (-(b / divisor), a / divisor);
    let (mut row, mut col) = (rows, cols);
    while row.abs() <= most && col.abs() <= most {
        fits[((most + row) * side + most + col) as usize] = false;
        // The opposite vector is perpendicular too.
        fits[((most - row) * side + most - col) as usize] = false;
        (row, col) = (row + rows, col + cols);
    }
}

#[cfg(test)]
mod tests {
    use crate::core::{Game, Rng};
    use crate::domination::{LinearDomination, Rules, bits};

    /// The mask, the bitset and the list of legal plays agree with the rules on every play.
    #[test]
    fn the_mask_agrees_with_the_rules() {
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
                            (0..mask.len()).map(|play| game.allows(bits::ends(size, play as u64))).collect();
                        assert_eq!(mask, plain, "seed {seed}: {rules:?}, {}", game.text());
                        mask.fill(true);
                        super::write(size, rules, game.window().map(|(_, ends)| ends), &mut mask);
                        assert_eq!(mask, plain, "seed {seed}: {rules:?}, {}", game.text());
                        let mut packed = vec![255; mask.len().div_ceil(8)];
                        game.write_bits(&mut packed);
                        let unpacked = (0..8 * packed.len()).map(|play| packed[play / 8] >> (play % 8) & 1 == 1);
                        let padded = plain.iter().copied().chain(std::iter::repeat(false));
                        assert!(unpacked.zip(padded).all(|(one, other)| one == other), "seed {seed}: {}", game.text());
                        if let Some(legal) = game.legal_bits() {
                            let listed: Vec<usize> = (0..mask.len()).filter(|&play| mask[play]).collect();
                            assert_eq!(
                                legal.iter().collect::<Vec<_>>(),
                                listed,
                                "seed {seed}: {rules:?}, {}",
                                game.text()
                            );
                        }
                        // Some plays lie partly off the board, with their midpoints on it, and others lie far off it.
                        let off = if rng.below(4) == 0 { 20 } else { 1 };
                        let play = std::array::from_fn(|_| rng.below(size as u64 + 1 + 2 * off) as i32 - off as i32);
                        game.draw(play);
                    }
                }
            }
        }
    }
}
