//! Long windows: when each tail, head, midpoint and direction was last played, so that a play is judged in O(1)
//! expected time.

use super::rules::{Ends, Rules, Verdict, is_point, midpoint, vector};
use crate::core::Error;
use crate::core::hash::Map;
use crate::tracing::gcd;

/// For each key, the place of the last play with that key in the list of plays that have entered the window.
type LastPlaces = Map<u64, u32>;

/// The last place of each tail, head, midpoint and direction in the list of plays that have entered the window.
///
/// Nothing is removed when a play leaves the window: its place is then before the start of the window and is ignored.
/// So judging a play costs at most five lookups and entering it four insertions, however long the window is.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    tails: LastPlaces,
    heads: LastPlaces,
    midpoints: LastPlaces,
    directions: LastPlaces,
}

/// The places that the tail, head, midpoint and direction of a play had before the play entered the window; `None` for
/// those that had none.
pub(super) type PreviousPlaces = [Option<u32>; 4];

/// Returns the key of a pair of numbers; different pairs have different keys.
#[inline]
fn key([a, b]: [i32; 2]) -> u64 {
    // The first number in the upper 32 bits, the second in the lower.
    u64::from(a as u32) << 32 | u64::from(b as u32)
}

/// Returns the key of a direction: the primitive vector up to sign, (0, 0) for a zero vector.
#[inline]
fn direction([a, b]: [i32; 2]) -> u64 {
    let divisor = gcd(u64::from(a.unsigned_abs()), u64::from(b.unsigned_abs())).max(1) as i32;
    let (a, b) = (a / divisor, b / divisor);
    // A line has two primitive vectors, opposite to each other; the lexicographically larger one is taken.
    key(if (a, b) < (0, 0) { [-a, -b] } else { [a, b] })
}

impl Index {
    /// Returns the keys of a play's tail, head, midpoint and direction.
    fn keys(p: Ends) -> [u64; 4] {
        [key([p[0], p[1]]), key([p[2], p[3]]), key(midpoint(p)), direction(vector(p))]
    }

    /// Returns the maps of tails, heads, midpoints and directions, in the order of [`Index::keys`].
    fn maps(&mut self) -> [&mut LastPlaces; 4] {
        [&mut self.tails, &mut self.heads, &mut self.midpoints, &mut self.directions]
    }

    /// Returns about how many bytes a copy takes.
    pub(super) fn bytes(&self) -> usize {
        // At most 7 of 8 entries of a map are used, and each has a byte that tells whether it is.
        let entry = (size_of::<(u64, u32)>() + 1) * 8 / 7;
        [&self.tails, &self.heads, &self.midpoints, &self.directions].map(|map| map.capacity() * entry).iter().sum()
    }

    /// Reserves memory for `plays` more plays.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the memory cannot be allocated.
    pub(super) fn room(&mut self, plays: usize) -> Result<(), Error> {
        for map in self.maps() {
            map.try_reserve(plays).map_err(|_| Error::memory("the plays of a game"))?;
        }
        Ok(())
    }

    /// Records that a play enters the window at `place`, and returns what [`Index::leave`] needs to undo it.
    pub(super) fn enter(&mut self, p: Ends, place: u32) -> PreviousPlaces {
        let mut before = [None; 4];
        for ((map, key), before) in self.maps().into_iter().zip(Self::keys(p)).zip(&mut before) {
            *before = map.insert(key, place);
        }
        before
    }

    /// Removes the play that entered last; `before` is what [`Index::enter`] returned for it.
    pub(super) fn leave(&mut self, p: Ends, before: PreviousPlaces) {
        for ((map, key), before) in self.maps().into_iter().zip(Self::keys(p)).zip(before) {
            match before {
                None => map.remove(&key),
                Some(place) => map.insert(key, place),
            };
        }
    }

    /// Returns the first rule that a play breaks and the place of the last play with which it clashes under that rule,
    /// for the window of the places `first..end`; `None` if the play breaks no rule. The caller checks whether the play
    /// lies on the board and whether zero length is allowed.
    pub(super) fn judge(&self, rules: Rules, p: Ends, first: u32, end: u32) -> Option<(Verdict, u32)> {
        // A place before `first` belongs to a play that has left the window.
        let at = |map: &LastPlaces, key: u64| map.get(&key).copied().filter(|&place| place >= first);
        if let Some(place) = at(&self.midpoints, key(midpoint(p))) {
            return Some((Verdict::SameMidpoint, place));
        }
        let [a, b] = vector(p);
        // Perpendicular to (a, b) are the multiples of (-b, a), which share one primitive vector.
        let perpendicular = if !is_point(p) {
            // Plays of zero length are perpendicular to this one too; their direction has the key 0.
            at(&self.directions, direction([-b, a])).max(at(&self.directions, 0))
        } else if rules.allows_zero_length() {
            // A zero vector is perpendicular to every play, so the last one of the window is named.
            (first < end).then(|| end - 1)
        } else {
            None
        };
        if let Some(place) = perpendicular {
            return Some((Verdict::Perpendicular, place));
        }
        if rules.compares_ends() {
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
