//! Perfect play where few boards are left: every show is weighed by what it tells in each of them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::core::rng;

/// The most boards that perfect play is worked out for.
pub(super) const MOST_BOARDS: usize = 300;

/// The most fields that are unknown then.
pub(super) const MOST_FIELDS: usize = 128;

/// How many positions are weighed before perfect play is given up.
const MOST_POSITIONS: usize = 20_000;

const WORDS: usize = MOST_BOARDS.div_ceil(64);

/// A set of boards.
type Key = [u64; WORDS];

#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
}

/// The boards that are left, and what was found about sets of them.
pub(super) struct Endgame<'a> {
    /// Each board as the set of unknown fields with a goose.
    boards: &'a [u128],
    /// For each unknown field the unknown fields around it.
    around: &'a [u128],
    memo: HashMap<Key, u32, BuildHasherDefault<Mix>>,
    positions: usize,
}

/// The best show: a field, and in how many of the boards the game is then won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Best {
    pub(super) field: usize,
    pub(super) wins: u32,
}

impl<'a> Endgame<'a> {
    pub(super) fn new(boards: &'a [u128], around: &'a [u128]) -> Self {
        Self { boards, around, memo: HashMap::default(), positions: 0 }
    }

    /// Finds the best show where no field is free in all boards; `None` where it is too much to work out.
    pub(super) fn best(&mut self) -> Option<Best> {
        let all: Vec<u16> = (0..self.boards.len() as u16).collect();
        self.guess(&all)
    }

    /// In how many of the boards perfect play wins, when all that is free in each of them is shown first.
    fn wins(&mut self, set: &[u16]) -> Option<u32> {
        if set.len() == 1 {
            return Some(1);
        }
        let mut geese = 0;
        for &board in set {
            geese |= self.boards[board as usize];
        }
        // What is free in all of them is shown at no risk: the boards part by what it then reads.
        let mut sorted: Vec<(u64, u16)> = set.iter().map(|&board| (self.reading(board, !geese), board)).collect();
        sorted.sort_unstable();
        if sorted[0].0 == sorted[sorted.len() - 1].0 {
            let mut key: Key = [0; WORDS];
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

    /// What the fields of a set read on a board, as one word.
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

    /// Weighs every field that is free in some of the boards.
    fn guess(&mut self, set: &[u16]) -> Option<Best> {
        self.positions += 1;
        if self.positions > MOST_POSITIONS {
            return None;
        }
        let mut candidates: Vec<(u32, usize)> = (0..self.around.len())
            .map(|field| (set.iter().filter(|&&b| self.boards[b as usize] >> field & 1 == 0).count() as u32, field))
            .filter(|&(free, _)| 0 < free && free < set.len() as u32)
            .collect();
        candidates.sort_unstable_by_key(|&(free, field)| (u32::MAX - free, field));
        let mut best = Best { field: usize::MAX, wins: 0 };
        let mut parts: [Vec<u16>; 9] = Default::default();
        for (free, field) in candidates {
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
            let mut hoped = free;
            for part in parts.iter().filter(|part| !part.is_empty()) {
                hoped -= part.len() as u32 - self.wins(part)?;
                if hoped <= best.wins {
                    break;
                }
            }
            if hoped > best.wins {
                best = Best { field, wins: hoped };
            }
        }
        Some(best)
    }
}
