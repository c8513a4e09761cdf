//! The shared vocabulary: cells, grids, the game trait, history, level text, errors, batches, random numbers.
//!
//! Knows no game and no Python. Everything here has at least two callers.

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
pub mod text;
mod watch;

pub use budget::{Budget, pieces};
pub use error::Error;
pub use game::{Game, Point, Status};
pub use grid::{Cell, Dir, Grid, MAX_CELLS};
pub use history::History;
pub use rng::Rng;
