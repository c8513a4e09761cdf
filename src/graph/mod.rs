//! Graph algorithms: union-find, minimum spanning trees, searches, boards as graphs, and random spanning trees.
//!
//! A graph is a number of nodes and a list of undirected edges. Edges of equal weight are ordered by index. Kruskal's
//! algorithm can be watched step by step ([`span::kruskal_steps`]) and runs on boards without an edge list ([`board`]).

pub mod board;
pub mod lattice;
mod open_edges;
pub mod order;
pub mod random;
pub mod search;
pub mod span;
pub mod union_find;

pub use lattice::{Lattice, NeighborSteps, Weights};
pub use search::{Neighbors, Search};
pub use union_find::{Strategy, UnionFind};
