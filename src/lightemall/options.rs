//! The options of a new board.

use crate::core::Error;
use crate::core::text::check_size;
use crate::graph::Lattice;
use crate::graph::random::{Method, check_bias};

/// How the wires of a new board are laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A random spanning tree; the station starts at (0, 0).
    Tree(Method),
    /// Fixed: a line along every row, joined by the middle column; the station starts in the middle.
    Rows,
    /// Fixed: a line along every column, joined by the middle row; the station starts in the middle.
    Columns,
}

impl Layout {
    /// All layouts with their names.
    pub fn all() -> impl Iterator<Item = (&'static str, Self)> {
        let trees = Method::ALL.iter().map(|&(name, method)| (name, Self::Tree(method)));
        trees.chain([("rows", Self::Rows), ("columns", Self::Columns)])
    }

    /// Returns the layout with the given name; `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|(known, _)| *known == name).map(|(_, layout)| layout)
    }
}

/// The options of [`generate`](super::generate::generate).
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The size of the board, the shape of its tiles, and whether its borders wrap.
    pub lattice: Lattice,
    /// How the wires are laid.
    pub layout: Layout,
    /// The bias of a random tree: if positive, horizontal wires are preferred; if negative, the others; if 0, none. It
    /// must be greater than -1 and less than 1.
    pub bias: f64,
    /// Whether power reaches only as many links from the station as half the diameter of the wiring, rounded down, plus
    /// one. While not all tiles are connected, the diameter before scrambling is used.
    pub limited_radius: bool,
    /// Whether the board must have exactly one solution. Ambiguous places of the tree are rewired, so the board is no
    /// longer drawn from the distribution of its method: small ambiguous patterns are missing.
    pub unique: bool,
    /// Whether tiles are turned at random.
    pub scramble: bool,
}

impl Options {
    /// Creates the default options for a board of `height` rows and `width` columns: Kruskal's algorithm, squares, no
    /// wrapping, no bias, no limit on the radius, any number of solutions, scrambled. [`Options::check`] checks the
    /// size.
    pub fn new(height: usize, width: usize) -> Self {
        Self {
            lattice: Lattice::square(height, width),
            layout: Layout::Tree(Method::Kruskal),
            bias: 0.0,
            limited_radius: false,
            unique: false,
            scramble: true,
        }
    }

    /// Checks that the size and the bias are in range, and that the options fit together.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the size or the bias is out of range, if hexagons wrap with an odd height, or if
    /// `unique` is set for a fixed layout.
    pub fn check(&self) -> Result<(), Error> {
        check_size(self.lattice.height, self.lattice.width)?;
        self.lattice.check()?;
        check_bias(self.bias)?;
        if self.unique && !matches!(self.layout, Layout::Tree(_)) {
            return Err(Error::invalid(
                "method must make a random tree if unique or difficulty is set, got a fixed board",
            ));
        }
        Ok(())
    }
}
