//! Long windows: where each tail, head, midpoint and direction was played last.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::rules::{Ends, Rules, Verdict, is_point, midpoint, vector};
use crate::core::rng::mix;
use crate::tracing::gcd;

/// No place in the window.
pub(super) const NEVER: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mix(self.0 ^ u64::from(byte));
        }
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = mix(key);
    }
}

type Last = HashMap<u64, u32, BuildHasherDefault<Mixed>>;

/// For each tail, head, midpoint and direction the latest place at which it entered the window.
///
/// Nothing is taken out when a play leaves the window: its places are then too early to count. So one play costs four
/// lookups and four insertions, however long the window is.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    tails: Last,
    heads: Last,
    midpoints: Last,
    directions: Last,
}

/// What the places were before a play: tail, head, midpoint, direction.
pub(super) type Before = [u32; 4];

#[inline]
fn key([a, b]: [i32; 2]) -> u64 {
    u64::from(a as u32) << 32 | u64::from(b as u32)
}

/// The primitive vector of a direction, without its sense; (0, 0) for no length.
#[inline]
fn direction([a, b]: [i32; 2]) -> u64 {
    let divisor = gcd(u64::from(a.unsigned_abs()), u64::from(b.unsigned_abs())).max(1) as i32;
    let (a, b) = (a / divisor, b / divisor);
    key(if (a, b) < (0, 0) { [-a, -b] } else { [a, b] })
}

impl Index {
    fn keys(p: Ends) -> [u64; 4] {
        [key([p[0], p[1]]), key([p[2], p[3]]), key(midpoint(p)), direction(vector(p))]
    }

    fn maps(&mut self) -> [&mut Last; 4] {
        [&mut self.tails, &mut self.heads, &mut self.midpoints, &mut self.directions]
    }

    /// Notes that a play enters the window at a place.
    pub(super) fn enter(&mut self, p: Ends, place: u32) -> Before {
        let mut before = [NEVER; 4];
        for ((map, key), before) in self.maps().into_iter().zip(Self::keys(p)).zip(&mut before) {
            *before = map.insert(key, place).unwrap_or(NEVER);
        }
        before
    }

    /// Takes back the play that entered last.
    pub(super) fn leave(&mut self, p: Ends, before: Before) {
        for ((map, key), before) in self.maps().into_iter().zip(Self::keys(p)).zip(before) {
            if before == NEVER {
                map.remove(&key);
            } else {
                map.insert(key, before);
            }
        }
    }

    /// The first rule that a play breaks and the latest place of a play that it clashes with; the window holds the places
    /// `first..end`.
    pub(super) fn judge(&self, rules: Rules, p: Ends, first: u32, end: u32) -> Option<(Verdict, u32)> {
        let at = |map: &Last, key: u64| map.get(&key).copied().filter(|&place| place >= first);
        if let Some(place) = at(&self.midpoints, key(midpoint(p))) {
            return Some((Verdict::SameMidpoint, place));
        }
        let [a, b] = vector(p);
        let mut right = if is_point(p) {
            (first < end).then(|| end - 1)
        } else {
            at(&self.directions, direction([-b, a])).max(at(&self.directions, 0))
        };
        if rules == Rules::Standard && is_point(p) {
            right = None;
        }
        if let Some(place) = right {
            return Some((Verdict::Perpendicular, place));
        }
        if rules == Rules::Uccs2023 {
            if let Some(place) = at(&self.tails, key([p[0], p[1]])) {
                return Some((Verdict::SameTail, place));
            }
            if let Some(place) = at(&self.heads, key([p[2], p[3]])) {
                return Some((Verdict::SameHead, place));
            }
        }
        None
    }
}
