//! What all games share: cells and grids, the game trait, history, level text, errors, budgets, memory, threads,
//! hashing, random numbers and batches.
//!
//! Nothing in this module depends on a particular game or on Python.

pub mod batch;
pub mod budget;
pub mod error;
pub mod game;
pub mod grid;
pub mod hash;
pub mod history;
pub mod memory;
pub mod pool;
pub mod rng;
pub(crate) mod shared_budget;
pub(crate) mod simd;
pub mod text;

pub use budget::{Budget, pieces};
pub use error::Error;
pub(crate) use error::counted;
pub use game::{Game, Point, Status};
pub use grid::{Cell, Dir, Grid, MAX_CELLS};
pub use history::History;
pub use rng::Rng;
