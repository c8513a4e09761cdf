//! Vectors and maps whose size a caller chooses: a failed allocation returns an [`Error::Memory`] instead of aborting
//! the process.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

use super::budget::{Budget, pieces};
use super::error::Error;

/// The number of bytes that must remain free after a large allocation, for the small, unchecked allocations that
/// follow.
pub const SPARE: usize = 1 << 16;

/// An upper bound, over all games, on the bytes of memory per cell of a position that is copied or written in another
/// form, without the moves that the position remembers, and per character of text that is read.
pub const PER_CELL: usize = 24;

/// Creates an empty vector with room for `n` items; `what` completes the sentence "not enough memory for ...".
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated, or if a vector of more than [`SPARE`] bytes would leave
/// fewer than [`SPARE`] bytes free.
#[inline]
pub fn with_capacity<T>(n: usize, what: &str) -> Result<Vec<T>, Error> {
    let mut items = Vec::new();
    items.try_reserve_exact(n).map_err(|_| Error::memory(what))?;
    if n.saturating_mul(size_of::<T>()) > SPARE {
        try_bytes(SPARE, what)?;
    }
    Ok(items)
}

/// Creates a vector of `n` copies of a value; `what` completes the sentence "not enough memory for ...".
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated.
#[inline]
pub fn filled<T: Clone>(value: T, n: usize, what: &str) -> Result<Vec<T>, Error> {
    let mut items = with_capacity(n, what)?;
    items.resize(n, value);
    Ok(items)
}

/// Collects an iterator of exactly `n` items into a vector; `what` completes the sentence "not enough memory for ...".
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated.
pub fn collected<T>(n: usize, items: impl Iterator<Item = T>, what: &str) -> Result<Vec<T>, Error> {
    let mut list = with_capacity(n, what)?;
    list.extend(items);
    Ok(list)
}

/// Creates a vector of `n` items, each made by `item` from its index, and calls [`Budget::pause`] at regular intervals.
/// The function is meant for lists so long that writing them takes seconds. `what` completes the sentence "not enough
/// memory for ...".
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated, and [`Error::Interrupted`] if the watcher of the budget
/// ends the call.
pub fn watched<T>(n: usize, item: impl Fn(usize) -> T, what: &str, budget: &mut Budget<'_>) -> Result<Vec<T>, Error> {
    let mut items = with_capacity(n, what)?;
    for piece in pieces(n) {
        budget.pause()?;
        items.extend(piece.map(&item));
    }
    Ok(items)
}

/// Creates a vector of `n` copies of a value, and calls [`Budget::pause`] at regular intervals as [`watched`] does.
/// `what` completes the sentence "not enough memory for ...".
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated, and [`Error::Interrupted`] if the watcher of the budget
/// ends the call.
pub fn filled_watched<T: Clone>(value: T, n: usize, what: &str, budget: &mut Budget<'_>) -> Result<Vec<T>, Error> {
    let mut items = with_capacity(n, what)?;
    for piece in pieces(n) {
        budget.pause()?;
        // `resize` writes copies of one value with wide stores, which `watched` cannot do.
        items.resize(piece.end, value.clone());
    }
    Ok(items)
}

/// Reserves room for `n` more items in a list that grows step by step; `what` completes the sentence "not enough memory
/// for ...".
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated.
#[inline]
pub fn room<T>(items: &mut Vec<T>, n: usize, what: &str) -> Result<(), Error> {
    if items.capacity() - items.len() >= n {
        return Ok(());
    }
    items.try_reserve(n).map_err(|_| Error::memory(what))
}

/// Reserves room for one more entry in a map that grows step by step; `what` completes the sentence "not enough memory
/// for ...".
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated.
#[inline]
pub fn slot<K: Eq + Hash, V, S: BuildHasher>(map: &mut HashMap<K, V, S>, what: &str) -> Result<(), Error> {
    if map.len() < map.capacity() {
        return Ok(());
    }
    map.try_reserve(1).map_err(|_| Error::memory(what))
}

/// Checks that `bytes` bytes and [`SPARE`] more can be allocated, before work that allocates about `bytes` bytes
/// without a check. Sizes below [`SPARE`] always pass. `what` completes the sentence "not enough memory for ...".
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated.
pub fn probe(bytes: usize, what: &str) -> Result<(), Error> {
    if bytes < SPARE { Ok(()) } else { try_bytes(bytes.saturating_add(SPARE), what) }
}

/// Allocates `bytes` bytes and frees them at once, to find out whether they can be allocated.
#[cold]
fn try_bytes(bytes: usize, what: &str) -> Result<(), Error> {
    let mut items = Vec::<u8>::new();
    items.try_reserve_exact(bytes).map_err(|_| Error::memory(what))?;
    // The compiler could otherwise remove an allocation that nothing uses, and the check for its failure with it.
    std::hint::black_box(&items);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impossible_size_is_an_error() {
        assert_eq!(filled(7u8, 3, "3 bytes"), Ok(vec![7; 3]));
        assert_eq!(collected(3, 0..3, "3 numbers"), Ok(vec![0, 1, 2]));
        let error = with_capacity::<u64>(usize::MAX / 16, "half of all memory").unwrap_err();
        assert_eq!(error.to_string(), "not enough memory for half of all memory");
    }
}
