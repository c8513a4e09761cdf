//! Boards as graphs: tiles are squares or hexagons, opposite borders may be joined, and edges have a fixed order.

use std::ops::Range;

use crate::core::rng::mix;
use crate::core::{Budget, Error, memory};

/// A board whose tiles have four or six sides. If it wraps, the last column is next to the first column, and the last
/// row next to the first row.
///
/// Sides are numbered clockwise: N=0 E=1 S=2 W=3 on squares; NE=0 E=1 SE=2 SW=3 W=4 NW=5 on hexagons. Odd rows of
/// hexagons are shifted right by half a tile. Tiles are numbered row-major. Each edge is owned by the tile on its left
/// or above it, and has one of the *slots* of that tile, clockwise from the right (`E, S` on squares, `E, SE, SW` on
/// hexagons). The id of an edge is `tile * slots + slot`.
///
/// ```text
///   0--1--2        (0)-(1)-(2)
///   |  |  |          \ / \ / \
///   3--4--5          (3)-(4)-(5)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lattice {
    /// Number of rows.
    pub height: usize,
    /// Number of columns.
    pub width: usize,
    /// Whether tiles are hexagons.
    pub hexagonal: bool,
    /// Whether opposite borders are joined.
    pub wrap: bool,
}

/// The sides whose edges a tile owns, clockwise from the right: of squares, then of hexagons.
const OWNED: [&[usize]; 2] = [&[1, 2], &[1, 2, 3]];

impl Lattice {
    /// Creates a board of squares that does not wrap.
    pub const fn square(height: usize, width: usize) -> Self {
        Self { height, width, hexagonal: false, wrap: false }
    }

    /// Checks that the borders of the board fit together. Every second row of hexagons is shifted, so a board of
    /// hexagons that wraps needs an even number of rows.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if hexagons wrap with an odd height.
    pub fn check(&self) -> Result<(), Error> {
        if self.hexagonal && self.wrap && self.height % 2 == 1 {
            return Err(Error::Invalid(format!("height must be even if hexagons wrap, got {}", self.height)));
        }
        Ok(())
    }

    /// Returns the number of tiles; `usize::MAX` if the number does not fit in a `usize`.
    #[inline]
    pub const fn len(&self) -> usize {
        self.height.saturating_mul(self.width)
    }

    /// Returns `true` if there are no tiles.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of sides of a tile.
    #[inline]
    pub const fn sides(&self) -> usize {
        if self.hexagonal { 6 } else { 4 }
    }

    /// Returns the number of edges that a tile owns.
    #[inline]
    pub const fn slots(&self) -> usize {
        self.sides() / 2
    }

    /// Returns the side on which the edge of a slot leaves the tile that owns it.
    #[inline]
    pub const fn slot_side(&self, slot: usize) -> usize {
        OWNED[self.hexagonal as usize][slot]
    }

    /// Returns the opposite of a side: the side of the neighbor across `side` on which that neighbor touches the tile.
    #[inline]
    pub const fn opposite(&self, side: usize) -> usize {
        let half = self.sides() / 2;
        if side < half { side + half } else { side - half }
    }

    /// Returns a mask of sides turned clockwise by one side.
    #[inline]
    pub const fn turn(&self, mask: u8) -> u8 {
        let sides = self.sides();
        // A rotation of `sides` bits: the highest one becomes the lowest.
        (mask << 1 | mask >> (sides - 1)) & ((1 << sides) - 1)
    }

    /// Iterates over the distinct masks that a mask can be turned into, the mask itself first, then clockwise.
    pub(crate) fn rotations(self, mask: u8) -> impl Iterator<Item = u8> {
        let mut next = Some(mask);
        std::iter::from_fn(move || {
            let found = next?;
            let turned = self.turn(found);
            next = (turned != mask).then_some(turned);
            Some(found)
        })
    }

    /// Returns the row and column of the tile beyond a side, 0 to `sides() - 1`, of the tile at `row` and `col`; `None`
    /// if the board ends there, or if the board wraps and the tile would be its own neighbor.
    #[inline]
    pub fn beyond(&self, row: usize, col: usize, side: usize) -> Option<(usize, usize)> {
        // Odd rows of hexagons are shifted right by half a tile: the neighbors above and below are in columns col and
        // col + 1 if the row is odd, in columns col - 1 and col if it is even.
        let odd = row & 1 == 1;
        let (up, down, left, right) = if self.hexagonal {
            match side {
                0 => (true, false, false, odd),
                1 => (false, false, false, true),
                2 => (false, true, false, odd),
                3 => (false, true, !odd, false),
                4 => (false, false, true, false),
                _ => (true, false, !odd, false),
            }
        } else {
            (side == 0, side == 2, side == 3, side == 1)
        };
        let (mut r, mut c) = (row, col);
        if up {
            r = if row > 0 { row - 1 } else { self.across(self.height)? };
        }
        if down {
            r = if row + 1 < self.height { row + 1 } else { self.across(1)? };
        }
        if left {
            c = if col > 0 { col - 1 } else { self.across(self.width)? };
        }
        if right {
            c = if col + 1 < self.width { col + 1 } else { self.across(1)? };
        }
        ((r, c) != (row, col)).then_some((r, c))
    }

    /// Returns `end - 1`, the row or column that a step across a border reaches, if the board wraps; otherwise `None`.
    #[inline]
    fn across(&self, end: usize) -> Option<usize> {
        self.wrap.then(|| end - 1)
    }

    /// Returns the row-major index of the tile beyond a side, or `None` as [`Lattice::beyond`] does.
    #[inline]
    pub fn neighbor(&self, tile: usize, side: usize) -> Option<usize> {
        let (row, col) = self.beyond(tile / self.width, tile % self.width, side)?;
        Some(row * self.width + col)
    }

    /// Visits the edges as `(id, tile, other tile)` in the order of their ids.
    pub fn each_edge(&self, mut visit: impl FnMut(usize, usize, usize)) {
        self.edges_of_rows(0..self.height, &mut visit);
    }

    /// Visits the edges as [`Lattice::each_edge`] does, and calls [`Budget::pause`] before each row.
    ///
    /// # Errors
    /// Returns [`Error::Interrupted`] if the watcher of the budget ends the call.
    pub fn each_edge_watched(
        &self,
        budget: &mut Budget<'_>,
        mut visit: impl FnMut(usize, usize, usize),
    ) -> Result<(), Error> {
        for row in 0..self.height {
            budget.pause()?;
            self.edges_of_rows(row..row + 1, &mut visit);
        }
        Ok(())
    }

    /// Visits the edges that the tiles of some rows own, in the order of their ids.
    fn edges_of_rows(&self, rows: Range<usize>, visit: &mut impl FnMut(usize, usize, usize)) {
        let slots = self.slots();
        for row in rows {
            for col in 0..self.width {
                let tile = row * self.width + col;
                for slot in 0..slots {
                    if let Some((r, c)) = self.beyond(row, col, self.slot_side(slot)) {
                        visit(tile * slots + slot, tile, r * self.width + c);
                    }
                }
            }
        }
    }

    /// Returns the edges as pairs of tiles, in the order of their ids.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let mut edges = Vec::with_capacity(self.len() * self.slots());
        self.each_edge(|_, u, v| edges.push([u as u32, v as u32]));
        edges
    }

    /// Returns the two tiles of the edge with the given id, and the side on which the edge leaves the first one; `None`
    /// if there is no neighbor (see [`Lattice::beyond`]).
    #[inline]
    pub fn ends(&self, id: usize) -> Option<(usize, usize, usize)> {
        let (tile, side) = (id / self.slots(), self.slot_side(id % self.slots()));
        Some((tile, self.neighbor(tile, side)?, side))
    }
}

/// Random weights of the edges of a board. Each is a hash of the seed and the id of its edge, scaled by the bias: the
/// weights need no memory, any thread can compute any of them, and a seed leads to the same tree on every platform.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    key: u64,
    /// For each slot, the factor of the weights, in units of 2^-32.
    scale: [u64; 3],
}

impl Weights {
    /// Creates the weights of a seed, which may be any number.
    ///
    /// If `bias` is positive, the weights of horizontal edges are multiplied by `1 - bias`; if it is negative, those of
    /// the other edges by `1 + bias`. Kruskal's algorithm takes light edges first, so a positive bias prefers
    /// horizontal edges. `bias` should be greater than -1 and less than 1. `new` does not check the bias; a factor
    /// below 0 counts as 0.
    pub fn new(seed: u64, bias: f64) -> Self {
        let scale = |by: f64| (by.clamp(0.0, 1.0) * 4_294_967_296.0) as u64;
        // Fixed-point factors with 32 bits after the point, so that every platform computes the same weights.
        let (flat, steep) = (scale(1.0 - bias), scale(1.0 + bias));
        Self { key: mix(seed ^ 0x6b72_7573_6b61_6c21), scale: [flat, steep, steep] }
    }

    /// Returns the weight of the edge with the given id; `slot` is the slot of the edge, `id % slots`.
    #[inline]
    pub fn of(&self, id: usize, slot: usize) -> u32 {
        let [first, second] = self.pair(id >> 1);
        self.scaled(if id & 1 == 0 { first } else { second }, slot)
    }

    /// Returns the unscaled weights of the edges with the ids `2 * word` and `2 * word + 1`: one hash serves two edges.
    #[inline]
    pub(crate) fn pair(&self, word: usize) -> [u32; 2] {
        let bits = mix(self.key ^ word as u64);
        [(bits >> 32) as u32, bits as u32]
    }

    /// Multiplies a weight by the factor of its slot.
    #[inline]
    pub(crate) fn scaled(&self, raw: u32, slot: usize) -> u32 {
        // Without a bias, no multiplication is needed; the compiler moves this test out of loops.
        if self.scale[slot] == 1 << 32 { raw } else { ((u64::from(raw) * self.scale[slot]) >> 32) as u32 }
    }
}

/// Finds the neighbors of tiles faster than [`Lattice::neighbor`]. One byte per tile records whether the tile lies on
/// the border, so that the index of an inner tile need not be divided to find the row and column.
#[derive(Clone, Debug)]
pub struct NeighborSteps {
    lattice: Lattice,
    /// For each tile, 0 for an inner tile of an even row, 1 for an inner tile of an odd row, and 2 for a tile on the
    /// border.
    kind: Vec<u8>,
    /// For each of the kinds 0 and 1 and each side, the index of the neighbor minus the index of the tile.
    delta: [[i32; 6]; 2],
}

impl NeighborSteps {
    /// Creates the neighbor steps of a board.
    pub fn new(lattice: Lattice) -> Self {
        Self::with_kinds(lattice, vec![2; lattice.len()])
    }

    /// Creates the neighbor steps of a board; `kind` holds 2 for each tile, and is changed for the inner ones.
    fn with_kinds(lattice: Lattice, mut kind: Vec<u8>) -> Self {
        let (height, width) = (lattice.height, lattice.width);
        // The neighbors of an inner tile are at fixed offsets, which for hexagons depend on the parity of the row.
        if width > 2 && height > 2 {
            for row in 1..height - 1 {
                kind[row * width + 1..(row + 1) * width - 1].fill((row & 1) as u8);
            }
        }
        let w = width as i32;
        let delta = if lattice.hexagonal {
            [[-w, 1, w, w - 1, -1, -w - 1], [1 - w, 1, w + 1, w, -1, -w]]
        } else {
            [[-w, 1, w, -1, 0, 0]; 2]
        };
        Self { lattice, kind, delta }
    }

    /// Creates the neighbor steps of a board of any size. If memory does not suffice, `try_new` returns an error,
    /// whereas [`NeighborSteps::new`] aborts the process.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if the board is too large.
    pub fn try_new(lattice: Lattice) -> Result<Self, Error> {
        Ok(Self::with_kinds(lattice, memory::filled(2, lattice.len(), "a board of this size")?))
    }

    /// Returns the board.
    #[inline]
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Iterates over the neighbors of a tile as `(side, neighbor)`, in the order of the sides.
    pub fn around(&self, tile: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.lattice.sides()).filter_map(move |side| Some((side, self.neighbor(tile, side)?)))
    }

    /// Returns the tile beyond a side, as [`Lattice::neighbor`] does.
    #[inline]
    pub fn neighbor(&self, tile: usize, side: usize) -> Option<usize> {
        match self.inner(tile) {
            Some(deltas) => Some((tile as i32 + deltas[side]) as usize),
            None => self.lattice.neighbor(tile, side),
        }
    }

    /// Returns, for each side, the index of the neighbor minus the index of the tile; `None` if the tile lies on the
    /// border.
    #[inline]
    pub(crate) fn inner(&self, tile: usize) -> Option<&[i32; 6]> {
        self.delta.get(usize::from(self.kind[tile]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Lattice> {
        let mut all = Vec::new();
        for height in 1..6 {
            for width in 1..6 {
                for (hexagonal, wrap) in [(false, false), (true, false), (false, true), (true, true)] {
                    let lattice = Lattice { height, width, hexagonal, wrap };
                    if lattice.check().is_ok() {
                        all.push(lattice);
                    }
                }
            }
        }
        all
    }

    #[test]
    fn stepping_there_and_back_returns_to_the_tile() {
        for lattice in all() {
            let steps = NeighborSteps::new(lattice);
            let mut sides = 0;
            for tile in 0..lattice.len() {
                for side in 0..lattice.sides() {
                    let there = lattice.neighbor(tile, side);
                    assert_eq!(steps.neighbor(tile, side), there);
                    if let Some(there) = there {
                        sides += 1;
                        assert_ne!(there, tile);
                        assert_eq!(
                            lattice.neighbor(there, lattice.opposite(side)),
                            Some(tile),
                            "{lattice:?} {tile} {side}"
                        );
                    }
                }
            }
            assert_eq!(lattice.edges().len() * 2, sides, "{lattice:?}: every edge is listed once");
            lattice.each_edge(|id, u, v| assert_eq!(lattice.ends(id).map(|(a, b, _)| (a, b)), Some((u, v))));
        }
    }

    #[test]
    fn edges_are_row_major_right_before_down() {
        assert_eq!(Lattice::square(2, 3).edges(), [[0, 1], [0, 3], [1, 2], [1, 4], [2, 5], [3, 4], [4, 5]]);
        let hex = Lattice { hexagonal: true, ..Lattice::square(2, 2) };
        assert_eq!(hex.edges(), [[0, 1], [0, 2], [1, 3], [1, 2], [2, 3]]);
        let torus = Lattice { wrap: true, ..Lattice::square(3, 3) };
        assert_eq!(torus.edges().len(), 18);
    }

    #[test]
    fn tiles_that_touch_in_the_plane_are_neighbors() {
        // Centers of hexagons of width 2: neighbors are exactly those at distance 2.
        let hex = Lattice { hexagonal: true, ..Lattice::square(5, 4) };
        let center = |t: usize| ((t % 4 * 2 + t / 4 % 2) as f64, (t / 4) as f64 * 3f64.sqrt());
        for a in 0..hex.len() {
            for b in 0..hex.len() {
                let ((x, y), (u, v)) = (center(a), center(b));
                let touch = ((x - u).hypot(y - v) - 2.0).abs() < 1e-9;
                assert_eq!((0..6).any(|side| hex.neighbor(a, side) == Some(b)), touch, "{a} {b}");
            }
        }
    }

    #[test]
    fn weights_follow_the_seed_and_the_bias() {
        let (plain, biased) = (Weights::new(7, 0.0), Weights::new(7, 0.5));
        assert_eq!((0..4).map(|id| plain.of(id, id % 2)).collect::<Vec<_>>(), GOLDEN);
        assert_eq!(biased.of(0, 0), plain.of(0, 0) / 2);
        assert_eq!(biased.of(1, 1), plain.of(1, 1));
        assert_ne!(plain.of(5, 1), Weights::new(8, 0.0).of(5, 1));
    }

    /// These numbers must never change: the stored seeds of Kruskal trees depend on them.
    const GOLDEN: [u32; 4] = [3626353717, 2317913875, 3372278609, 1878448699];

    #[test]
    fn rotations_are_the_distinct_turns() {
        let square = Lattice::square(1, 1);
        assert_eq!(square.rotations(0b0101).collect::<Vec<_>>(), [0b0101, 0b1010]);
        assert_eq!(square.rotations(0b0001).collect::<Vec<_>>(), [1, 2, 4, 8]);
        assert_eq!(square.rotations(0).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn a_turn_moves_every_side_by_one() {
        let hex = Lattice { hexagonal: true, ..Lattice::square(1, 1) };
        assert_eq!(hex.turn(0b100001), 0b000011);
        assert_eq!(Lattice::square(1, 1).turn(0b1001), 0b0011);
    }
}
