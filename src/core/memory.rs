//! Vectors whose size a caller chooses: an allocation that fails is an [`Error::Memory`], not an abort.

use super::budget::{Budget, pieces};
use super::error::Error;

/// Creates an empty vector with room for `n` items; `what` completes the sentence "not enough memory for ...".
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated.
pub fn with_capacity<T>(n: usize, what: &str) -> Result<Vec<T>, Error> {
    let mut items = Vec::new();
    items.try_reserve_exact(n).map_err(|_| Error::memory(what))?;
    Ok(items)
}

/// Creates a vector of `n` copies of a value; `what` completes the sentence "not enough memory for ...".
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated.
pub fn filled<T: Clone>(value: T, n: usize, what: &str) -> Result<Vec<T>, Error> {
    let mut items = with_capacity(n, what)?;
    items.resize(n, value);
    Ok(items)
}

/// Collects items of which there are exactly `n`; `what` completes the sentence "not enough memory for ...".
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated.
pub fn collected<T>(n: usize, items: impl Iterator<Item = T>, what: &str) -> Result<Vec<T>, Error> {
    let mut list = with_capacity(n, what)?;
    list.extend(items);
    Ok(list)
}

/// Creates a vector of `n` items from their indices, and pauses the budget meanwhile: for so many items that writing
/// them takes seconds. `what` completes the sentence "not enough memory for ...".
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated, [`Error::Interrupted`] if the watcher of the budget
/// ends the call.
pub fn watched<T>(n: usize, item: impl Fn(usize) -> T, what: &str, budget: &mut Budget<'_>) -> Result<Vec<T>, Error> {
    let mut items = with_capacity(n, what)?;
    for piece in pieces(n) {
        budget.pause()?;
        items.extend(piece.map(&item));
    }
    Ok(items)
}

/// Creates a vector of `n` copies of a value, and pauses the budget meanwhile as [`watched`] does.
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated, [`Error::Interrupted`] if the watcher of the budget
/// ends the call.
pub fn filled_watched<T: Clone>(value: T, n: usize, what: &str, budget: &mut Budget<'_>) -> Result<Vec<T>, Error> {
    let mut items = with_capacity(n, what)?;
    for piece in pieces(n) {
        budget.pause()?;
        // Copies of one value are written by wide stores, which items made one by one are not.
        items.resize(piece.end, value.clone());
    }
    Ok(items)
}

/// Makes room for `n` more items in a list that grows with a search; `what` completes "not enough memory for ...".
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

/// Checks that `bytes` can be had, before work that allocates about as many in steps that cannot fail. Fewer than 2^20
/// bytes are not asked for.
///
/// # Errors
/// Returns [`Error::Memory`] if the memory cannot be allocated.
pub fn probe(bytes: usize, what: &str) -> Result<(), Error> {
    if bytes < 1 << 20 { Ok(()) } else { with_capacity::<u8>(bytes, what).map(drop) }
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
