//! Perfect play when few boards are left: every show is judged by the number that it reveals on each of these boards.
//!
//! # Example
//!
//! Three boards are left on a row of unknown fields a, b and c with one goose, written as 1: 100, 010 and 001. No field
//! is safe on all three boards. A player who shows c survives on 100 and 010, and then sees the number of geese beside
//! c: 0 on 100, 1 on 010. So each of the two boards forms a set of its own, and is won. A player who shows b survives
//! on 100 and 001, but the number is 1 on both: one set of two boards, between which the player has to guess, so one of
//! them is won. The number of wins of a field is the sum over its sets: 2 for c and 1 for b. The field with the most
//! wins is best.

use crate::core::hash::Map;
use crate::core::rng;

/// How far perfect play is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// The largest number of boards that may be left; at most 1,024, the bits of 16 words.
    pub(super) boards: usize,
    /// The largest number of positions that are judged before perfect play is given up.
    pub(super) positions: usize,
}

/// The largest number of unknown fields for which perfect play is computed: a board is a bitset of 128 bits.
pub(super) const MAX_FIELDS: usize = 128;

/// A set of boards as a bitset: bit `i` for board `i`.
type BoardSet<const WORDS: usize> = [u64; WORDS];

/// The boards that are left, and the wins that were computed for sets of them.
struct Endgame<'a, const WORDS: usize> {
    /// Each board as the bitset of the unknown fields with a goose.
    boards: &'a [u128],
    /// For each unknown field, the bitset of the unknown fields around it.
    around: &'a [u128],
    /// The wins of the sets judged so far.
    memo: Map<BoardSet<WORDS>, u32>,
    /// The number of positions that may still be judged.
    left: usize,
}

/// The best show: a field, and the number of boards on which the game is then won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BestShow {
    pub(super) field: usize,
    pub(super) wins: u32,
}

/// Returns the best show; `None` if there are too many boards, fields or positions to judge. There must be no
/// field that is safe on all boards.
///
/// * `boards`: at least two boards, each as the bitset of the unknown fields with a goose, bit `i` for field `i`
/// * `around`: for each unknown field, the bitset of the unknown fields around it
/// * `reach`: how far to search
pub(super) fn best(boards: &[u128], around: &[u128], reach: Reach) -> Option<BestShow> {
    if boards.len() > reach.boards || around.len() > MAX_FIELDS {
        return None;
    }
    // A memo with short keys is faster.
    match boards.len() {
        0..=64 => Endgame::<1>::best(boards, around, reach),
        65..=320 => Endgame::<5>::best(boards, around, reach),
        _ => Endgame::<16>::best(boards, around, reach),
    }
}

impl<'a, const WORDS: usize> Endgame<'a, WORDS> {
    /// Returns the best show, as the function [`best`] does, with sets of `WORDS` words.
    fn best(boards: &'a [u128], around: &'a [u128], reach: Reach) -> Option<BestShow> {
        let all: Vec<u16> = (0..boards.len() as u16).collect();
        let fields = if around.len() < 128 { (1 << around.len()) - 1 } else { u128::MAX };
        Self { boards, around, memo: Map::default(), left: reach.positions }.guess(&all, fields)
    }

    /// Returns the number of boards of a set on which perfect play wins; `None` if there are too many positions to
    /// judge. Fields that are safe on all boards of the set are shown first. The fields that are not in `open` are
    /// shown already, or hold a goose on all boards of the set.
    fn wins(&mut self, set: &[u16], open: u128) -> Option<u32> {
        if set.len() == 1 {
            return Some(1);
        }
        let (mut some, mut all) = (0, u128::MAX);
        for &board in set {
            some |= self.boards[board as usize];
            all &= self.boards[board as usize];
        }
        let (safe, open) = (open & !some, open & some & !all);
        // Fields that are safe on all boards are shown at no risk, and the numbers that they reveal split the boards.
        let mut sorted: Vec<(u64, u16)> = set.iter().map(|&board| (self.reading(board, safe), board)).collect();
        sorted.sort_unstable();
        // If the safe fields show the same numbers on all boards, they are no help, and the player has to guess.
        if sorted[0].0 == sorted[sorted.len() - 1].0 {
            // Between two boards, any guess that tells them apart wins one of the two.
            if set.len() == 2 {
                return Some(1);
            }
            // The set alone is the key, because it determines `open`: of the fields that hold a goose on some of its
            // boards but not on all, none was shown, since a shown field holds a goose on no board of the set.
            let mut key: BoardSet<WORDS> = [0; WORDS];
            for &board in set {
                key[board as usize / 64] |= 1 << (board % 64);
            }
            if let Some(&known) = self.memo.get(&key) {
                return Some(known);
            }
            let wins = self.guess(set, open)?.wins;
            self.memo.insert(key, wins);
            return Some(wins);
        }
        let mut wins = 0;
        let mut group = Vec::new();
        for part in sorted.chunk_by(|a, b| a.0 == b.0) {
            group.clear();
            group.extend(part.iter().map(|&(_, board)| board));
            wins += self.wins(&group, open)?;
        }
        Some(wins)
    }

    /// Returns a hash of the numbers that a set of fields shows on a board; 0 if the set is empty.
    fn reading(&self, board: u16, mut fields: u128) -> u64 {
        let geese = self.boards[board as usize];
        let mut word = 0;
        while fields != 0 {
            let field = fields.trailing_zeros() as usize;
            fields &= fields - 1;
            word = rng::mix(word ^ u64::from((geese & self.around[field]).count_ones()));
        }
        word
    }

    /// Returns the best guess among the fields of `open` that are safe on some boards of a set and hold a goose on
    /// others; `None` if there are too many positions to judge.
    fn guess(&mut self, set: &[u16], open: u128) -> Option<BestShow> {
        self.left = self.left.checked_sub(1)?;
        let mut candidates: Vec<(u32, usize)> = (0..self.around.len())
            .filter(|&field| open >> field & 1 == 1)
            .map(|field| (set.iter().filter(|&&b| self.boards[b as usize] >> field & 1 == 0).count() as u32, field))
            .filter(|&(free, _)| 0 < free && free < set.len() as u32)
            .collect();
        // The field that is safe on the most boards comes first.
        candidates.sort_unstable_by_key(|&(free, field)| (u32::MAX - free, field));
        let mut best = BestShow { field: usize::MAX, wins: 0 };
        let mut parts: [Vec<u16>; 9] = Default::default();
        for (free, field) in candidates {
            // Prune: a field wins on no more boards than it is safe on, and the fields that follow are safe on no more
            // boards than this one.
            if free <= best.wins {
                break;
            }
            parts.iter_mut().for_each(Vec::clear);
            for &board in set {
                let geese = self.boards[board as usize];
                if geese >> field & 1 == 0 {
                    parts[(geese & self.around[field]).count_ones() as usize].push(board);
                }
            }
            // An upper bound on the wins: all boards of the parts not judged yet count as won.
            let mut bound = free;
            for part in parts.iter().filter(|part| !part.is_empty()) {
                bound -= part.len() as u32 - self.wins(part, open & !(1 << field))?;
                if bound <= best.wins {
                    break;
                }
            }
            if bound > best.wins {
                best = BestShow { field, wins: bound };
            }
        }
        Some(best)
    }
}
