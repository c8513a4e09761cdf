//! Five grid worlds, each with an engine, a solver, a generator and levels.
//!
//! Every game implements [`core::Game`]: a position that can be read from text and written as text, bounds for its
//! moves, and rules that accept or refuse a move. History, legal moves, perft and batches are implemented once, for
//! every type that implements this trait.
//!
//! ```
//! use gridwright::bloxorz::{Bloxorz, Minimize};
//! use gridwright::core::{Budget, Game, History, Status};
//! use gridwright::levels;
//!
//! let level = Bloxorz::parse(levels::text("bloxorz", "level01").unwrap())?;
//! let keys = level.solve(Minimize::Rolls, &mut Budget::unlimited()).unwrap().unwrap();
//! let mut game = History::new(level);
//! for key in keys {
//!     game.play([i32::from(key)]).unwrap();
//! }
//! assert_eq!(game.state().status(), Status::Won);
//! # Ok::<(), gridwright::core::Error>(())
//! ```
//!
//! Dependencies run one way, and each layer uses only the layers before it: first [`core`], then [`graph`] and
//! [`tracing`], then the games, then [`levels`], and last the Python bindings (feature `python`). No game uses another.

pub mod bloxorz;
pub mod core;
pub mod domination;
pub mod geese;
pub mod graph;
pub mod levels;
pub mod lightemall;
pub mod photon;
pub mod tracing;

#[cfg(feature = "python")]
mod py;
