//! The error type of the crate: one variant per kind of failure, each with a message.
//!
//! A message begins with a lowercase letter and has no period at the end. A message about an argument begins with the
//! name of the argument: `light must be between 0 and 1, got 2`.

use std::fmt;

/// Returns a number with its noun for a message. `nouns` is the plural, such as "nodes" or "sets of tiles"; if
/// `number` is 1, the first word of `nouns` that ends with "s" drops that letter.
pub(crate) fn counted(number: u64, nouns: &str) -> String {
    match nouns.split_once("s ").filter(|_| number == 1) {
        Some((noun, rest)) => format!("1 {noun} {rest}"),
        None if number == 1 => format!("1 {}", nouns.strip_suffix('s').unwrap_or(nouns)),
        None => format!("{number} {nouns}"),
    }
}

/// Why a call failed. After an error, games, histories and batches are as they were before the call; slices that a call
/// fills may be partly written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A bad argument: the message names the argument, the bound and the value.
    Invalid(String),
    /// A level text that cannot be read.
    Level {
        /// Line of the mistake, 1-based.
        line: usize,
        /// Column of the mistake in characters, 1-based.
        column: usize,
        /// What was expected at that line and column, and what was found instead.
        reason: String,
    },
    /// Not a move of this game: the wrong number of coordinates, or a coordinate outside
    /// [`Game::bounds`](super::Game::bounds).
    Move(String),
    /// A move of this game that the rules refuse in this position.
    Illegal {
        /// The coordinates of the move.
        mv: Vec<i32>,
        /// Why the rules refuse it.
        reason: String,
    },
    /// The search completed, and nothing satisfies the request.
    NotFound(String),
    /// A budget ran out, or the search exceeded another limit: nothing is proved.
    Limit(String),
    /// Memory for an object of the requested size cannot be allocated.
    Memory(String),
    /// The watcher ended the call (Ctrl-C, or an exception from a callback).
    Interrupted,
}

impl Error {
    /// Creates an [`Error::Invalid`].
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid(message.into())
    }

    /// Creates an [`Error::Level`] at a line and column, both 1-based.
    pub fn level(line: usize, column: usize, reason: impl Into<String>) -> Self {
        Self::Level { line, column, reason: reason.into() }
    }

    /// Creates an [`Error::Limit`] for a budget that ran out after `spent` units of work; `units` is a plural noun for
    /// this work, such as "nodes" or "sets of tiles".
    pub fn spent(spent: u64, units: &str) -> Self {
        let spent = counted(spent, units);
        Self::Limit(format!("limit reached after {spent}; nothing is proved, and a larger limit may find the answer"))
    }

    /// Creates an [`Error::Memory`]; `what` names the object that does not fit, such as "a batch of 10 games".
    pub fn memory(what: impl fmt::Display) -> Self {
        Self::Memory(format!("not enough memory for {what}"))
    }

    /// Returns the message without the line and column, or the move, that [`Display`](fmt::Display) puts before it.
    pub fn reason(&self) -> &str {
        match self {
            Self::Invalid(reason)
            | Self::Level { reason, .. }
            | Self::Move(reason)
            | Self::Illegal { reason, .. }
            | Self::NotFound(reason)
            | Self::Limit(reason)
            | Self::Memory(reason) => reason,
            Self::Interrupted => "interrupted",
        }
    }

    /// Turns an [`Error::Invalid`] into an [`Error::Level`] at a line and column, for an argument that was read from
    /// text. Other errors are returned unchanged.
    #[must_use]
    pub fn at(self, line: usize, column: usize) -> Self {
        match self {
            Self::Invalid(reason) => Self::Level { line, column, reason },
            other => other,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level { line, column, reason } => write!(f, "line {line}, column {column}: {reason}"),
            Self::Illegal { mv, reason } => {
                f.write_str("illegal move (")?;
                for (i, part) in mv.iter().enumerate() {
                    write!(f, "{}{part}", if i == 0 { "" } else { ", " })?;
                }
                write!(f, "): {reason}")
            }
            other => f.write_str(other.reason()),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn a_noun_agrees_with_its_count() {
        assert_eq!(counted(2, "sets of tiles"), "2 sets of tiles");
        assert_eq!(counted(1, "sets of tiles"), "1 set of tiles");
        assert_eq!(counted(1, "hex digits"), "1 hex digit");
        assert_eq!(counted(0, "nodes"), "0 nodes");
    }
}
