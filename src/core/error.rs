//! The errors a player can meet. Each sentence is written here or by the game, once: lower case, what was found, then
//! what was wanted.

use std::fmt;

/// A level text that cannot be read, with the place of the complaint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelError {
    /// Line of the complaint, 1-based.
    pub line: usize,
    /// Column of the complaint in characters, 1-based.
    pub column: usize,
    /// What was found and what was wanted.
    pub reason: String,
}

impl LevelError {
    /// Makes a complaint about a place, both 1-based.
    pub fn new(line: usize, column: usize, reason: impl Into<String>) -> Self {
        Self { line, column, reason: reason.into() }
    }
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.reason)
    }
}

impl std::error::Error for LevelError {}

/// Why a move was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// Not a move of this game at all: a wrong length, a number outside the box.
    NotAMove(String),
    /// A move of this game that the rules refuse here.
    Illegal {
        /// The move, one number an axis.
        mv: Vec<i32>,
        /// Why the rules refuse it.
        reason: String,
    },
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAMove(reason) => f.write_str(reason),
            Self::Illegal { mv, reason } => {
                f.write_str("illegal move (")?;
                for (i, part) in mv.iter().enumerate() {
                    write!(f, "{}{part}", if i == 0 { "" } else { ", " })?;
                }
                write!(f, "): {reason}")
            }
        }
    }
}

impl std::error::Error for MoveError {}
