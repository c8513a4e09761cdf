//! Perfect play if few boards are left: every show is judged by the number that it reveals on each of them.
//!
//! # Example
//!
//! Four boards are left of three unknown fields a, b, c (1 is a goose): 100, 010, 001 and 110. No field is safe in all
//! of them. Showing c survives on 100, 010 and 110. The number that c then shows (the geese beside it) splits those
//! three into sets that can be told apart, and each set is judged in turn. The wins of c are the sum over its sets, and
//! the field with the most wins is best.

use crate::core::hash::Map;
use crate::core::rng;

/// The most boards for which perfect play is computed.
pub(super) const MOST_BOARDS: usize = 300;

/// The most unknown fields for which perfect play is computed: a board is one bitset.
pub(super) const MOST_FIELDS: usize = 128;

/// The most positions that are judged before perfect play is given up.
const MOST_POSITIONS: usize = 20_000;

const WORDS: usize = MOST_BOARDS.div_ceil(64);

/// A set of boards, one bit per index of a board.
type BoardSet = [u64; WORDS];

/// The boards that are left, and the wins that were computed for sets of them.
pub(super) struct Endgame<'a> {
    /// Each board as the set of unknown fields with a goose.
    boards: &'a [u128],
    /// For each unknown field, the bitset of the unknown fields around it.
    around: &'a [u128],
    /// The wins of the sets judged so far.
    memo: Map<BoardSet, u32>,
    /// The number of sets judged so far.
    positions: usize,
}

/// The best show: a field, and the number of boards on which the game is then won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BestShow {
    pub(super) field: usize,
    pub(super) wins: u32,
}

impl<'a> Endgame<'a> {
    pub(super) fn new(boards: &'a [u128], around: &'a [u128]) -> Self {
        Self { boards, around, memo: Map::default(), positions: 0 }
    }

    /// Returns the best show if no field is safe on all boards; `None` if there are too many positions to judge.
    pub(super) fn best(&mut self) -> Option<BestShow> {
        let all: Vec<u16> = (0..self.boards.len() as u16).collect();
        self.guess(&all)
    }

    /// Returns the number of boards of a set on which perfect play wins, if all fields that are safe on all of them are
    /// shown first; `None` if there are too many positions to judge.
    fn wins(&mut self, set: &[u16]) -> Option<u32> {
        if set.len() == 1 {
            return Some(1);
        }
        let mut geese = 0;
        for &board in set {
            geese |= self.boards[board as usize];
        }
        // Fields that are safe on all boards are shown at no risk, and the numbers that they reveal split the boards.
        let mut sorted: Vec<(u64, u16)> = set.iter().map(|&board| (self.reading(board, !geese), board)).collect();
        sorted.sort_unstable();
        // The safe fields read the same on all boards: nothing is learned from them, and a guess is due.
        if sorted[0].0 == sorted[sorted.len() - 1].0 {
            let mut key: BoardSet = [0; WORDS];
            for &board in set {
                key[board as usize / 64] |= 1 << (board % 64);
            }
            if let Some(&known) = self.memo.get(&key) {
                return Some(known);
            }
            let wins = self.guess(set)?.wins;
            self.memo.insert(key, wins);
            return Some(wins);
        }
        let mut wins = 0;
        let mut group = Vec::new();
        for part in sorted.chunk_by(|a, b| a.0 == b.0) {
            group.clear();
            group.extend(part.iter().map(|&(_, board)| board));
            wins += self.wins(&group)?;
        }
        Some(wins)
    }

    /// Returns a hash of the numbers that a set of fields shows on a board.
    fn reading(&self, board: u16, mut fields: u128) -> u64 {
        let geese = self.boards[board as usize];
        if self.around.len() < 128 {
            fields &= (1 << self.around.len()) - 1;
        }
        let mut word = 0;
        while fields != 0 {
            let field = fields.trailing_zeros() as usize;
            fields &= fields - 1;
            word = rng::mix(word ^ u64::from((geese & self.around[field]).count_ones()));
        }
        word
    }

    /// Returns the best guess among the fields that are safe on some boards of a set; `None` if there are too many
    /// positions to judge.
    fn guess(&mut self, set: &[u16]) -> Option<BestShow> {
        self.positions += 1;
        if self.positions > MOST_POSITIONS {
            return None;
        }
        let mut candidates: Vec<(u32, usize)> = (0..self.around.len())
            .map(|field| (set.iter().filter(|&&b| self.boards[b as usize] >> field & 1 == 0).count() as u32, field))
            .filter(|&(free, _)| 0 < free && free < set.len() as u32)
            .collect();
        // The field that is safe on most boards first.
        candidates.sort_unstable_by_key(|&(free, field)| (u32::MAX - free, field));
        let mut best = BestShow { field: usize::MAX, wins: 0 };
        let mut parts: [Vec<u16>; 9] = Default::default();
        for (free, field) in candidates {
            // Prune: a field wins on no more boards than it is safe on, and the fields that follow are no safer.
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
            let mut hoped = free;
            for part in parts.iter().filter(|part| !part.is_empty()) {
                hoped -= part.len() as u32 - self.wins(part)?;
                if hoped <= best.wins {
                    break;
                }
            }
            if hoped > best.wins {
                best = BestShow { field, wins: hoped };
            }
        }
        Some(best)
    }
}
